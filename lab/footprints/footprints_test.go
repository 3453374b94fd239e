package footprints

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/smooth"
)

func area2(ring []lattice.Vertex) (sum int64) {
	for k, p := range ring {
		q := ring[(k+1)%len(ring)]
		sum += (int64(p.X)-int64(ring[0].X))*(int64(q.Y)-int64(ring[0].Y)) - (int64(q.X)-int64(ring[0].X))*(int64(p.Y)-int64(ring[0].Y))
	}
	return sum
}

// TestSplit: algorithm 11 on a pentagon, corner for corner, and on quads of quads: they cover the polygon.
func TestSplit(t *testing.T) {
	ring := []lattice.Vertex{
		{Point: lattice.Point{X: 0, Y: 0}},
		{Point: lattice.Point{X: 40000, Y: 0}},
		{Point: lattice.Point{X: 60000, Y: 30000}},
		{Point: lattice.Point{X: 20000, Y: 60000}},
		{Point: lattice.Point{X: -10000, Y: 30000}},
	}
	f, err := New([][]lattice.Vertex{ring}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := sphere{at: lattice.Vertex{Point: lattice.Point{X: 60000, Y: 30000}}, radius: 10}
	if more, err := f.subdivide(0, &s); !more || err != nil {
		t.Fatal(more, err)
	}
	children := f.nodes[0].children
	if len(children) != 5 {
		t.Fatalf("%d quads of a pentagon", len(children))
	}
	middle := lattice.Vertex{Point: lattice.Point{X: 22000, Y: 24000}}
	sum := int64(0)
	for k, c := range children {
		next, before := ring[(k+1)%5], ring[(k+4)%5]
		want := []lattice.Vertex{
			ring[k],
			{Point: lattice.Point{X: (ring[k].X + next.X) / 2, Y: (ring[k].Y + next.Y) / 2}},
			middle,
			{Point: lattice.Point{X: (ring[k].X + before.X) / 2, Y: (ring[k].Y + before.Y) / 2}},
		}
		if got := f.nodes[c].ring; !slices.Equal(got, want) {
			t.Errorf("quad %d is %v, want %v", k, got, want)
		}
	}
	f.Deepest(func(_ int32, ring []lattice.Vertex) {
		if err := checkRing(ring); err != nil {
			t.Error(err)
		}
		sum += area2(ring)
	})
	if off := math.Abs(float64(sum - area2(ring))); off > 1e-4*float64(area2(ring)) {
		t.Errorf("quads have %d, the polygon %d", sum, area2(ring))
	}
	if f.nodes[children[0]].children != nil || f.nodes[children[2]].children == nil {
		t.Error("the quad under the footprint is whole, or a quad elsewhere is divided")
	}
}

// TestDividesUnderFootprints: under footprints deepest polygons are below the threshold; a polygon that is divided is under one.
func TestDividesUnderFootprints(t *testing.T) {
	f := made(t, 1, 20, 12, Options{})
	r := rand.New(rand.NewPCG(1, 2))
	var spheres []sphere
	for range 6 {
		spheres = append(spheres, sphere{at: spot(r, 20), radius: int64(metre * (0.4 + r.Float64()))})
	}
	if err := f.divide(0, spheres); err != nil {
		t.Fatal(err)
	}
	under := func(n *node) bool {
		return slices.ContainsFunc(spheres, func(s sphere) bool { return n.touches(&s) })
	}
	divided := 0
	for id := range f.nodes {
		switch n := &f.nodes[id]; {
		case n.children != nil && (!under(n) || n.small(metre/2)):
			t.Errorf("polygon %v is divided, and under no footprint or small", n.ring)
		case n.children == nil && under(n) && !n.small(metre/2):
			t.Errorf("polygon %v is under a footprint, and neither divided nor small", n.ring)
		case n.children != nil:
			divided++
		}
	}
	if whole := len(f.roots); divided < 6 || f.nodes[0].root != 0 || whole < 13 {
		t.Errorf("%d polygons are divided", divided)
	}
}

// TestEdgesAgainstBruteForce: edges are those of a look at all pairs, after sessions and clean-ups in any order.
func TestEdgesAgainstBruteForce(t *testing.T) {
	for seed := range uint64(3) {
		f := made(t, seed, 8, 5, Options{Delay: 3, Reach: 100})
		r := rand.New(rand.NewPCG(seed, 3))
		travellers := []*Traveller{f.NewTraveller(), f.NewTraveller(), f.NewTraveller()}
		f.judgeEdges(t)
		for now := range int64(14) {
			k := r.IntN(len(travellers))
			others := []Volume{{Center: spot(r, 8), Radius: 0.2 + r.Float64()}, {Center: spot(r, 8), Radius: 0.5}}
			if _, err := travellers[k].Find(t.Context(), now, spot(r, 8), spot(r, 8), others); err != nil {
				t.Fatal(err)
			}
			f.judgeEdges(t)
			f.Clean(now)
			f.judgeEdges(t)
		}
		if s := f.Stats(); s.Divided == 0 || s.Removed == 0 {
			t.Errorf("seed %d: %+v", seed, s)
		}
		for _, k := range travellers {
			k.Stop(100)
		}
		f.Clean(1000)
		f.judgeEdges(t)
		if nodes, edges := f.Nodes(); nodes != len(f.roots) || edges != made(t, seed, 8, 5, Options{}).edges() {
			t.Errorf("seed %d: %d nodes and %d edges stay", seed, nodes, edges)
		}
	}
}

func (f *Field) edges() int {
	_, edges := f.Nodes()
	return edges
}

// TestCleanedBesideDivided: a polygon that is whole again is joined with the quads of a neighbour that stays divided, though no session has made
// these edges.
func TestCleanedBesideDivided(t *testing.T) {
	ring := func(x int32) []lattice.Vertex {
		return []lattice.Vertex{{Point: lattice.Point{X: x}}, {Point: lattice.Point{X: x + 16384}}, {Point: lattice.Point{X: x + 16384, Y: 16384}}, {Point: lattice.Point{X: x, Y: 16384}}}
	}
	rings := [][]lattice.Vertex{ring(0), ring(16384)}
	f, err := New(rings, linksOf(rings), Options{Delay: 5})
	if err != nil {
		t.Fatal(err)
	}
	seam := lattice.Vertex{Point: lattice.Point{X: 16384, Y: 8000}}
	a := f.NewTraveller()
	// Both are divided at once, and the way stays on the right.
	if w, err := a.Find(t.Context(), 0, lattice.Vertex{Point: lattice.Point{X: 17000, Y: 9000}}, lattice.Vertex{Point: lattice.Point{X: 18000, Y: 2000}}, []Volume{{Center: seam, Radius: 0.3}}); err != nil || !w.Found {
		t.Fatal(w, err)
	}
	if got := f.Clean(5); got != 1 || f.nodes[0].children != nil || f.nodes[1].children == nil {
		t.Fatalf("%d polygons are whole again", got)
	}
	f.judgeEdges(t)
	if len(f.nodes[0].arcs) < 3 {
		t.Errorf("the whole polygon has %d edges", len(f.nodes[0].arcs))
	}
}

// TestWeights: weights add up, are strength times radius over distance, count centroids in the sphere and deepest polygons only, and are gone after
// the session.
func TestWeights(t *testing.T) {
	f := made(t, 2, 6, 3, Options{})
	r := rand.New(rand.NewPCG(2, 2))
	at := spot(r, 6)
	beside := at
	beside.X += metre / 2
	spheres := []sphere{{at: at, radius: metre, strength: 2}, {at: beside, radius: metre, strength: 3}, {at: beside, radius: metre / 2, solid: true}}
	if err := f.begin(0, spheres); err != nil {
		t.Fatal(err)
	}
	both, solid := 0, 0
	for id := range f.nodes {
		n := &f.nodes[id]
		want, closed, hits := 0.0, int32(0), 0
		for _, s := range spheres {
			d := math.Hypot(float64(n.middle.X-s.at.X), float64(n.middle.Y-s.at.Y))
			if n.children != nil || d > float64(s.radius) {
				continue
			}
			if s.solid {
				closed++
				continue
			}
			hits++
			want += s.strength * float64(s.radius) / max(d, float64(s.radius)/16)
		}
		if math.Abs(n.weight-want) > 1e-9*(1+want) || n.solid != closed {
			t.Errorf("polygon %d weighs %g and is closed by %d, want %g and %d", id, n.weight, n.solid, want, closed)
		}
		if hits == 2 {
			both++
		}
		solid += int(closed)
	}
	if both == 0 || solid == 0 {
		t.Errorf("%d polygons under both, %d closed", both, solid)
	}
	f.End()
	for id := range f.nodes {
		if f.nodes[id].weight != 0 || f.nodes[id].solid != 0 {
			t.Fatalf("polygon %d weighs %g after the session", id, f.nodes[id].weight)
		}
	}
}

// TestNearTravellersOnly: a footprint that is farther than the reach divides nothing, and does not move the way.
func TestNearTravellersOnly(t *testing.T) {
	from := lattice.Vertex{Point: lattice.Point{X: 0, Y: 8 * metre}}
	far := Volume{Center: lattice.Vertex{Point: lattice.Point{X: 0, Y: 60 * metre}}, Radius: 2}
	for _, c := range []struct {
		reach float64
		none  bool
	}{{49.9, true}, {50.1, false}} {
		f := made(t, 4, 40, 30, Options{Reach: c.reach})
		if _, err := f.NewTraveller().Find(t.Context(), 0, from, far.Center, []Volume{far}); err != nil {
			t.Fatal(err)
		}
		if none := f.Stats().Divided == 0; none != c.none {
			t.Errorf("reach %g m: %d polygons divided", c.reach, f.Stats().Divided)
		}
	}
}

// TestParentsAreIgnored: coarse edges stay beside fine ones, and no way takes a divided polygon.
func TestParentsAreIgnored(t *testing.T) {
	f := made(t, 5, 12, 8, Options{Reach: 100})
	r := rand.New(rand.NewPCG(5, 5))
	a := f.NewTraveller()
	before := f.edges()
	coarse, fine := 0, 0
	for range 20 {
		w, err := a.Find(t.Context(), 0, spot(r, 12), spot(r, 12), []Volume{{Center: spot(r, 12), Radius: 1}})
		if err != nil || !w.Found {
			t.Fatal(w, err)
		}
		for k, id := range w.Nodes {
			if f.nodes[id].children != nil {
				t.Fatalf("a way takes the divided polygon %d", id)
			}
			if k > 0 && f.arcTo(w.Nodes[k-1], id) == nil {
				t.Fatalf("a way goes from %d to %d, which are not joined", w.Nodes[k-1], id)
			}
			if f.nodes[id].parent >= 0 {
				fine++
			}
		}
	}
	for id := range f.roots {
		for _, k := range f.nodes[id].arcs {
			if f.nodes[k.to].parent < 0 {
				coarse++
			}
		}
	}
	if coarse/2 != before || fine == 0 {
		t.Errorf("%d coarse edges of %d stay, %d quads on ways", coarse/2, before, fine)
	}
}

// TestWaysAgainstDijkstra: a way costs what Dijkstra's algorithm finds over all deepest polygons.
func TestWaysAgainstDijkstra(t *testing.T) {
	f := made(t, 6, 12, 8, Options{Reach: 100})
	r := rand.New(rand.NewPCG(6, 6))
	around := 0
	for range 12 {
		var spheres []sphere
		for range 5 {
			spheres = append(spheres, sphere{at: spot(r, 12), radius: int64(metre * (0.5 + 2*r.Float64())), strength: 4, solid: r.IntN(3) == 0})
		}
		if err := f.begin(0, spheres); err != nil {
			t.Fatal(err)
		}
		start, _ := f.Locate(spot(r, 12))
		goal, _ := f.Locate(spot(r, 12))
		var w Way
		if err := f.search(t.Context(), start, goal, &w); err != nil {
			t.Fatal(err)
		}
		want := f.dijkstra(start, goal)
		if w.Found != !math.IsInf(want, 1) || w.Found && math.Abs(w.Cost-want) > 1e-9*(1+want) {
			t.Errorf("found %t at %g, Dijkstra %g", w.Found, w.Cost, want)
		}
		f.End()
		if free := f.dijkstra(start, goal); w.Found && want > free+1e-6 {
			around++
		}
	}
	if around == 0 {
		t.Error("no footprint raised the cost of a way")
	}
}

// dijkstra relaxes edges as long as one lowers a cost.
func (f *Field) dijkstra(start, goal int32) float64 {
	cost := make([]float64, len(f.nodes))
	for k := range cost {
		cost[k] = math.Inf(1)
	}
	cost[start] = 0
	for list := []int32{start}; len(list) > 0; list = list[1:] {
		u := list[0]
		for _, a := range f.nodes[u].arcs {
			v := &f.nodes[a.to]
			if v.children != nil || v.solid > 0 && a.to != goal {
				continue
			}
			if c := cost[u] + metres(v.middle, f.nodes[u].middle)*(1+v.weight); c < cost[a.to]-1e-12 {
				cost[a.to] = c
				list = append(list, a.to)
			}
		}
	}
	return cost[goal]
}

// corridorField is a floor of one rectangle, 20 m long and wide.
func corridorField(t testing.TB, wide int32, opt Options) *Field {
	t.Helper()
	ring := []lattice.Vertex{{}, {Point: lattice.Point{X: 20 * metre}}, {Point: lattice.Point{X: 20 * metre, Y: wide * metre}}, {Point: lattice.Point{Y: wide * metre}}}
	f, err := New([][]lattice.Vertex{ring}, nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func place(x, y float64) lattice.Vertex {
	return lattice.Vertex{Point: lattice.Point{X: int32(x * metre), Y: int32(y * metre)}}
}

// TestSolid: ways lead around solid footprints; a wall of footprints that weigh is passed in an emergency, at the rim rather than in the middle, and a solid
// wall is not.
func TestSolid(t *testing.T) {
	f := corridorField(t, 4, Options{Reach: 100})
	a := f.NewTraveller()
	from, to := place(2, 2), place(18, 2)
	wall := func(solid bool) []Volume {
		return []Volume{{Center: place(10, 1), Radius: 1.6, Solid: solid}, {Center: place(10, 3), Radius: 1.6, Solid: solid}}
	}
	if w, err := a.Find(t.Context(), 0, from, to, wall(true)); err != nil || w.Found {
		t.Errorf("a solid wall: found %t (%v)", w.Found, err)
	}
	w, err := a.Find(t.Context(), 0, from, to, wall(false))
	if err != nil || !w.Found {
		t.Fatalf("a wall that weighs: found %t (%v)", w.Found, err)
	}
	one := []Volume{{Center: place(10, 1.5), Radius: 1, Solid: true}}
	if w, err = a.Find(t.Context(), 0, from, to, one); err != nil || !w.Found {
		t.Fatalf("around: found %t (%v)", w.Found, err)
	}
	for _, id := range w.Nodes {
		if d := metres(f.nodes[id].middle, one[0].Center); d <= 1 {
			t.Errorf("a polygon of the way is %g m from the middle of a solid footprint", d)
		}
	}
	// The weight of the middle: around it, where the rim costs less.
	weigh := []Volume{{Center: place(10, 2), Radius: 1.9, Strength: 3}}
	if w, err = a.Find(t.Context(), 0, from, to, weigh); err != nil || !w.Found {
		t.Fatal(w, err)
	}
	nearest := math.Inf(1)
	for _, id := range w.Nodes {
		nearest = min(nearest, metres(f.nodes[id].middle, weigh[0].Center))
	}
	if nearest < 1 {
		t.Errorf("the way passes %g m from the middle of the footprint", nearest)
	}
}

// TestGoalUnderFootprint: start and goal are found after the polygons are divided.
func TestGoalUnderFootprint(t *testing.T) {
	f := corridorField(t, 4, Options{})
	a := f.NewTraveller()
	w, err := a.Find(t.Context(), 0, place(2, 2), place(18, 2), []Volume{{Center: place(18, 2), Radius: 10}, {Center: place(2, 2), Radius: 0.5}})
	if err != nil || !w.Found {
		t.Fatalf("found %t (%v)", w.Found, err)
	}
	for k, at := range map[int]lattice.Vertex{0: place(2, 2), len(w.Nodes) - 1: place(18, 2)} {
		if n := &f.nodes[w.Nodes[k]]; n.children != nil || !n.contains(at.Point) {
			t.Errorf("polygon %d of the way is divided, or does not contain %v", k, at)
		}
	}
}

// TestLocate: the deepest polygon with a place, for random places and storeys.
func TestLocate(t *testing.T) {
	f := made(t, 7, 10, 6, Options{Reach: 100})
	r := rand.New(rand.NewPCG(7, 7))
	if err := f.begin(0, []sphere{{at: spot(r, 10), radius: 2 * metre}, {at: spot(r, 10), radius: metre}}); err != nil {
		t.Fatal(err)
	}
	deep := 0
	for range 2000 {
		at := spot(r, 10)
		id, ok := f.Locate(at)
		if !ok || f.nodes[id].children != nil || !f.nodes[id].contains(at.Point) {
			t.Fatalf("at %v: polygon %d, %t", at, id, ok)
		}
		if f.nodes[id].parent >= 0 {
			deep++
		}
	}
	if deep == 0 {
		t.Error("no place is in a sub-polygon")
	}
	if _, ok := f.Locate(place(-50, 3)); ok {
		t.Error("a place off the floor has a polygon")
	}
	ring := func(z int32) []lattice.Vertex {
		return []lattice.Vertex{{Z: z}, {Point: lattice.Point{X: metre}, Z: z}, {Point: lattice.Point{X: metre, Y: metre}, Z: z}}
	}
	g, err := New([][]lattice.Vertex{ring(0), ring(3 * metre)}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k, z := range []int32{metre, 2 * metre} {
		at := place(0.7, 0.2)
		at.Z = z
		if id, ok := g.Locate(at); !ok || id != int32(k) {
			t.Errorf("height %d: polygon %d", z, id)
		}
	}
	// A footprint on a storey does not divide the other.
	if err := g.begin(0, []sphere{{at: place(0.7, 0.2), radius: metre / 2}}); err != nil || g.nodes[0].children == nil || g.nodes[1].children != nil {
		t.Errorf("divided: %t %t (%v)", g.nodes[0].children != nil, g.nodes[1].children != nil, err)
	}
}

// TestLocks: locks of polygons and edges are those of the ways ahead, after new ways, walks and stops.
func TestLocks(t *testing.T) {
	f := made(t, 8, 12, 8, Options{Reach: 100, Delay: 4})
	r := rand.New(rand.NewPCG(8, 8))
	var list []*Traveller
	for range 4 {
		list = append(list, f.NewTraveller())
	}
	judge := func() {
		t.Helper()
		nodes, edges, roots := map[int32]int32{}, map[[2]int32]int32{}, map[int32]int32{}
		for _, a := range list {
			way := a.Ahead()
			for k, id := range way {
				nodes[id]++
				if f.nodes[id].parent >= 0 {
					roots[f.nodes[id].root]++
				}
				if k > 0 {
					edges[[2]int32{way[k-1], id}]++
					edges[[2]int32{id, way[k-1]}]++
				}
			}
		}
		for id := range f.nodes {
			if n := &f.nodes[id]; n.ring != nil {
				if n.locks != nodes[int32(id)] {
					t.Fatalf("polygon %d has %d locks, want %d", id, n.locks, nodes[int32(id)])
				}
				for _, k := range n.arcs {
					if want := edges[[2]int32{int32(id), k.to}]; k.locks != want {
						t.Fatalf("edge %d-%d has %d locks, want %d", id, k.to, k.locks, want)
					}
				}
			}
		}
		for root := range f.roots {
			if f.roots[root].locked != roots[int32(root)] {
				t.Fatalf("polygon %d has %d locks of quads, want %d", root, f.roots[root].locked, roots[int32(root)])
			}
		}
	}
	shared := false
	for now := range int64(60) {
		a := list[r.IntN(len(list))]
		switch r.IntN(4) {
		case 0:
			a.Stop(now)
			if len(a.Ahead()) > 0 {
				t.Fatal("a stopped traveller has locks")
			}
		case 1:
			if ahead := a.Ahead(); len(ahead) > 1 {
				k := 1 + r.IntN(len(ahead)-1)
				id := ahead[k]
				if err := a.Walk(now, f.nodes[id].middle); err != nil {
					t.Fatal(err)
				}
				if got := a.Ahead(); len(got) == 0 || got[0] != id {
					t.Fatalf("after a walk to %d the way begins at %v", id, got)
				}
			}
		default:
			if _, err := a.Find(t.Context(), now, spot(r, 12), spot(r, 12), []Volume{{Center: spot(r, 12), Radius: 1.5}}); err != nil {
				t.Fatal(err)
			}
		}
		judge()
		f.Clean(now)
		judge()
		for id := range f.nodes {
			shared = shared || f.nodes[id].locks > 1 && f.nodes[id].parent >= 0
		}
	}
	if !shared {
		t.Error("no two ways share a quad")
	}
	if err := list[0].Walk(100, place(-90, 0)); !errors.Is(err, ErrOffMesh) {
		t.Errorf("a walk off the way: %v", err)
	}
}

// TestDelayedCleanUp: a division stays while a way locks one of its quads, and for the delay after, and goes then; each new way begins the delay
// again.
func TestDelayedCleanUp(t *testing.T) {
	f := corridorField(t, 4, Options{Delay: 10, Reach: 100})
	a, b := f.NewTraveller(), f.NewTraveller()
	stone := []Volume{{Center: place(10, 2), Radius: 0.5}}
	for k, at := range []*Traveller{a, b} {
		if w, err := at.Find(t.Context(), int64(k), place(2, 2), place(18, 2), stone); err != nil || !w.Found {
			t.Fatal(w, err)
		}
	}
	divided := f.Stats().Divided
	steps := []struct {
		now  int64
		do   func()
		want int
	}{
		{100, func() {}, 0},
		{101, func() { a.Stop(101) }, 0},
		{200, func() {}, 0},
		{200, func() { b.Stop(200) }, 0},
		{209, func() {}, 0},
		{209, func() {
			if _, err := a.Find(t.Context(), 209, place(2, 2), place(18, 2), stone); err != nil {
				t.Fatal(err)
			}
			a.Stop(209)
		}, 0},
		{218, func() {}, 0},
		{219, func() {}, 1},
		{220, func() {}, 0},
	}
	for k, s := range steps {
		s.do()
		if got := f.Clean(s.now); got != s.want {
			t.Errorf("step %d at %d: %d polygons whole again, want %d", k, s.now, got, s.want)
		}
	}
	if f.Stats().Divided != divided {
		t.Error("a second way over the same footprint divided again")
	}
	if nodes, edges := f.Nodes(); nodes != 1 || edges != 0 {
		t.Errorf("%d nodes and %d edges stay", nodes, edges)
	}
}

// TestUnusedDivision: a division that no way takes stays for the delay, too.
func TestUnusedDivision(t *testing.T) {
	f := made(t, 4, 40, 30, Options{Delay: 10, Reach: 100})
	a := f.NewTraveller()
	at := lattice.Vertex{Point: lattice.Point{Y: 8 * metre}}
	if _, err := a.Find(t.Context(), 50, at, at, []Volume{{Center: lattice.Vertex{Point: lattice.Point{Y: 60 * metre}}, Radius: 0.5}}); err != nil {
		t.Fatal(err)
	}
	if early, late := f.Clean(59), f.Clean(60); early != 0 || late == 0 {
		t.Errorf("%d polygons are whole again too early, %d in time", early, late)
	}
}

// TestSmoothedStaysInWay: smoothed ways stay in the polygons of their ways, so they go around solid footprints, and are in the sum no longer than the ways
// through centroids.
func TestSmoothedStaysInWay(t *testing.T) {
	f := made(t, 9, 12, 8, Options{Reach: 100})
	r := rand.New(rand.NewPCG(9, 9))
	a := f.NewTraveller()
	var s smooth.Smoother
	turned, pieces := 0, 0
	smoothed, raw := 0.0, 0.0
	for range 30 {
		from, to := spot(r, 12), spot(r, 12)
		w, err := a.Find(t.Context(), 0, from, to, []Volume{{Center: half(from, to), Radius: 1, Solid: true}, {Center: spot(r, 12), Radius: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if !w.Found {
			continue
		}
		way := s.Smooth(from, to, w.Edges, smooth.Options{})
		long := 0.0
		for k := 1; k < len(way); k++ {
			p, q := way[k-1], way[k]
			long += math.Hypot(q.X-p.X, q.Y-p.Y) * lattice.Unit
			for i := range 41 {
				at := [2]float64{p.X + (q.X-p.X)*float64(i)/40, p.Y + (q.Y-p.Y)*float64(i)/40}
				if !slices.ContainsFunc(w.Nodes, func(id int32) bool { return f.nodes[id].nearly(at) }) {
					t.Fatalf("the smoothed way is at %v, in no polygon of the way", at)
				}
			}
			pieces++
		}
		if len(way) > 2 {
			turned++
		}
		if crow := metres(from, to); long < crow-1e-9 {
			t.Errorf("smoothed %g m, straight %g m", long, crow)
		}
		smoothed, raw = smoothed+long, raw+w.Length
	}
	if turned < 5 || pieces < 20 || smoothed > raw {
		t.Errorf("%d ways turn, %d pieces, %g m, raw %g m", turned, pieces, smoothed, raw)
	}
}

// nearly reports whether a point is in a polygon, or within two units.
func (n *node) nearly(at [2]float64) bool {
	for k, a := range n.ring {
		b := n.ring[(k+1)%len(n.ring)]
		dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
		if (dx*(at[1]-float64(a.Y))-dy*(at[0]-float64(a.X)))/math.Hypot(dx, dy) < -2 {
			return false
		}
	}
	return true
}

// TestTheSameAgain: the same calls give the same ways and nodes, on every processor.
func TestTheSameAgain(t *testing.T) {
	run := func(f *Field) (log string) {
		r := rand.New(rand.NewPCG(10, 10))
		a := f.NewTraveller()
		for now := range int64(10) {
			w, err := a.Find(t.Context(), now, spot(r, 12), spot(r, 12), []Volume{{Center: spot(r, 12), Radius: 1}})
			if err != nil {
				t.Fatal(err)
			}
			nodes, edges := f.Nodes()
			log += fmt.Sprintf("%v %x %x %d %d %d\n", w.Edges, math.Float64bits(w.Cost), math.Float64bits(w.Length), w.Expanded, nodes, edges)
			f.Clean(now)
		}
		return log
	}
	first := run(made(t, 10, 12, 8, Options{Delay: 2, Reach: 100}))
	if second := run(made(t, 10, 12, 8, Options{Delay: 2, Reach: 100})); second != first {
		t.Errorf("differs:\n%s\n%s", first, second)
	}
	if got := crc32.ChecksumIEEE([]byte(first)); got != 0xa4d46d97 {
		t.Errorf("the ways have the checksum %#x", got)
	}
}

// TestErrors: bad input gives errors that name it, and leaves a field that works.
func TestErrors(t *testing.T) {
	square := []lattice.Vertex{{}, place(1, 0), place(1, 1), place(0, 1)}
	for k, c := range []struct {
		rings [][]lattice.Vertex
		links []Link
		opt   Options
	}{
		{rings: [][]lattice.Vertex{square[:2]}},
		{rings: [][]lattice.Vertex{{square[0], square[3], square[2]}}},
		{rings: [][]lattice.Vertex{{square[0], place(1, 0), place(2, 0)}}},
		{rings: [][]lattice.Vertex{{square[0], {Point: lattice.Point{X: 1 << 30}}, square[3]}}},
		{rings: [][]lattice.Vertex{square}, links: []Link{{A: 0, B: 1}}},
		{rings: [][]lattice.Vertex{square, square}, links: []Link{{A: 0, B: 1}}},
		{rings: [][]lattice.Vertex{square}, opt: Options{Smallest: math.NaN()}},
		{rings: [][]lattice.Vertex{square}, opt: Options{Smallest: 0.01}},
		{rings: [][]lattice.Vertex{square}, opt: Options{Reach: math.Inf(1)}},
		{rings: [][]lattice.Vertex{square}, opt: Options{Delay: -1}},
	} {
		if f, err := New(c.rings, c.links, c.opt); err == nil || f != nil {
			t.Errorf("case %d: no error", k)
		}
	}
	f := corridorField(t, 4, Options{})
	a := f.NewTraveller()
	for _, v := range []Volume{{Radius: -1}, {Radius: math.NaN()}, {Radius: math.Inf(1)}, {Radius: 1, Strength: math.NaN()}, {Radius: 1, Strength: -1}, {Radius: 1, Center: place(-500000, 0)}} {
		if _, err := a.Find(t.Context(), 0, place(1, 1), place(3, 3), []Volume{v}); err == nil {
			t.Errorf("volume %v: no error", v)
		}
	}
	if _, err := a.Find(t.Context(), 0, place(1, 1), place(-3, 3), nil); !errors.Is(err, ErrOffMesh) {
		t.Errorf("off the floor: %v", err)
	}
	if _, err := a.Find(t.Context(), 0, lattice.Vertex{Point: lattice.Point{X: math.MinInt32}}, place(3, 3), nil); !errors.Is(err, ErrOffMesh) {
		t.Errorf("far off the floor: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Find(ended, 0, place(1, 1), place(3, 3), []Volume{{Center: place(2, 2), Radius: 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	for id := range f.nodes {
		if f.nodes[id].weight != 0 || f.nodes[id].locks != 0 {
			t.Fatal("a weight or lock stays after an error")
		}
	}
	if w, err := a.Find(t.Context(), 0, place(1, 1), place(3, 3), nil); err != nil || !w.Found {
		t.Errorf("after the errors: %v, %v", w, err)
	}
}

// TestTooManyNodes: a footprint that needs too many polygons is an error, and the field still finds ways.
func TestTooManyNodes(t *testing.T) {
	f := corridorField(t, 20, Options{Reach: 100})
	f.most = 1000
	a := f.NewTraveller()
	_, err := a.Find(t.Context(), 0, place(2, 2), place(18, 18), []Volume{{Center: place(10, 10), Radius: 9}})
	if nodes, _ := f.Nodes(); !errors.Is(err, ErrTooLarge) || nodes > 1000 || nodes < 900 {
		t.Errorf("%d nodes: %v", nodes, err)
	}
	f.judgeEdges(t)
	if w, err := a.Find(t.Context(), 0, place(2, 2), place(18, 18), nil); err != nil || !w.Found {
		t.Errorf("after the error: %v, %v", w, err)
	}
}
