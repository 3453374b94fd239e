package waypoint

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// makers are the ways to make a graph.
var makers = []struct {
	name string
	make func(context.Context, *plan.Domain) (*Graph, error)
}{
	{"roadmap", func(ctx context.Context, d *plan.Domain) (*Graph, error) {
		return Roadmap(ctx, d, RoadmapOptions{Nodes: 60, Edges: 5, Seed: 7})
	}},
	{"path nodes", func(ctx context.Context, d *plan.Domain) (*Graph, error) {
		return PathNodes(ctx, d, PathNodesOptions{})
	}},
	{"all path nodes", func(ctx context.Context, d *plan.Domain) (*Graph, error) {
		return PathNodes(ctx, d, PathNodesOptions{KeepAll: true})
	}},
}

// eachGraph calls f with graphs of some of the worlds that generators are tested on.
func eachGraph(t *testing.T, f func(t *testing.T, name string, d *plan.Domain, g *Graph)) {
	for k, w := range gentest.Worlds {
		t.Run(w.Name, func(t *testing.T) {
			for seed := range uint64(max(1, w.Count/100)) {
				rng := rand.New(rand.NewPCG(seed, uint64(k)))
				d := w.New(rng)
				for _, m := range makers {
					g, err := m.make(t.Context(), d)
					if err != nil {
						t.Fatal(err)
					}
					f(t, m.name, d, g)
					if t.Failed() {
						t.Fatalf("%s, seed %d:\n%v", m.name, seed, d.Rings)
					}
				}
			}
		})
	}
}

// walls calls f with all edges of d.
func walls(d *plan.Domain, f func(a, b lattice.Point)) {
	for _, r := range d.Rings {
		for i := range r {
			f(r[i], r[(i+1)%len(r)])
		}
	}
}

// TestGraphsAreFree compares nodes, edges and boxes with all walls, and moves the domain.
func TestGraphsAreFree(t *testing.T) {
	nodes, edges, boxes := 0, 0, 0
	eachGraph(t, func(t *testing.T, name string, d *plan.Domain, g *Graph) {
		for _, p := range g.Nodes {
			if d.Locate(p) != lattice.Inside {
				t.Errorf("node %v is %v", p, d.Locate(p))
			}
		}
		for _, e := range g.Edges {
			walls(d, func(a, b lattice.Point) {
				if c := lattice.SegmentContact(g.Nodes[e[0]], g.Nodes[e[1]], a, b); c != lattice.Disjoint {
					t.Errorf("the edge from %v to %v meets the wall from %v to %v: %v", g.Nodes[e[0]], g.Nodes[e[1]], a, b, c)
				}
			})
		}
		for i, b := range g.Boxes {
			if !b.Contains(g.Nodes[i]) {
				t.Errorf("node %v is not in its box %v", g.Nodes[i], b)
			}
			walls(d, func(p, q lattice.Point) {
				if clipped(p, q, b) {
					t.Errorf("the wall from %v to %v is inside of the box %v", p, q, b)
				}
			})
		}
		nodes, edges, boxes = nodes+len(g.Nodes), edges+len(g.Edges), boxes+len(g.Boxes)
		box := d.Box()
		dx, dy := (lattice.MaxCoord-box.Max.X)/3, -(lattice.MaxCoord+box.Min.Y)/3
		move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + dx, Y: p.Y + dy} }
		for _, m := range makers {
			if m.name != name {
				continue
			}
			other, err := m.make(t.Context(), gentest.Map(d, move))
			if err != nil {
				t.Fatal(err)
			}
			moved := make([]lattice.Point, len(g.Nodes))
			for i, p := range g.Nodes {
				moved[i] = move(p)
			}
			if !slices.Equal(moved, other.Nodes) || !slices.Equal(g.Edges, other.Edges) || len(g.Boxes) != len(other.Boxes) {
				t.Error("moved, it has another graph")
			}
		}
	})
	if min(nodes, edges, boxes) < 1000 {
		t.Errorf("%d nodes, %d edges, %d boxes", nodes, edges, boxes)
	}
}

// clipped reports whether a part of the segment from p to q is inside b, by clipping it to the sides in
// rationals. A segment along a side, or with mere contact, is not inside.
func clipped(p, q lattice.Point, b lattice.Box) bool {
	lo, hi := big.NewRat(0, 1), big.NewRat(1, 1)
	// The part where f, linear from one value to the other, is above 0.
	clip := func(from, to int64) bool {
		switch {
		case from <= 0 && to <= 0:
			return false
		case from > 0 && to > 0:
			return true
		}
		at := new(big.Rat).SetFrac(big.NewInt(from), new(big.Int).Sub(big.NewInt(from), big.NewInt(to)))
		if from <= 0 && at.Cmp(lo) > 0 {
			lo = at
		}
		if to <= 0 && at.Cmp(hi) < 0 {
			hi = at
		}
		return true
	}
	for _, s := range [...][3]int32{{p.X, q.X, b.Min.X}, {p.Y, q.Y, b.Min.Y}} {
		if !clip(int64(s[0])-int64(s[2]), int64(s[1])-int64(s[2])) {
			return false
		}
	}
	for _, s := range [...][3]int32{{p.X, q.X, b.Max.X}, {p.Y, q.Y, b.Max.Y}} {
		if !clip(int64(s[2])-int64(s[0]), int64(s[2])-int64(s[1])) {
			return false
		}
	}
	return lo.Cmp(hi) < 0
}

// TestSees compares the walk over triangles with all walls, for points in the free space, on walls
// and at vertices.
func TestSees(t *testing.T) {
	seen, hidden := 0, 0
	for k, w := range gentest.Worlds {
		for seed := range uint64(max(1, w.Count/200)) {
			rng := rand.New(rand.NewPCG(seed, uint64(k)))
			d := w.New(rng)
			if b := d.Box(); max(b.Max.X, b.Max.Y, -b.Min.X, -b.Min.Y) > lattice.MaxCoord/2 {
				continue // twice its coordinates are too large
			}
			g, err := Roadmap(t.Context(), d, RoadmapOptions{Nodes: 30, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			points := slices.Clone(g.Nodes)
			for _, r := range d.Rings[:min(4, len(d.Rings))] {
				for i := range r[:min(8, len(r))] {
					a, b := r[i], r[(i+1)%len(r)]
					points = append(points, a, lattice.Nearest(lattice.Point{
						X: int32((int64(a.X) + int64(b.X)) / 2),
						Y: int32((int64(a.Y) + int64(b.Y)) / 2),
					}, a, b))
				}
			}
			double := lattice.Polygon{}
			for _, r := range d.Rings {
				double.Rings = append(double.Rings, twice(r))
			}
			for range 200 {
				a, b := points[rng.IntN(len(points))], points[rng.IntN(len(points))]
				if d.Locate(a) == lattice.Outside || d.Locate(b) == lattice.Outside || a == b {
					continue
				}
				crossed, touched := false, false
				walls(d, func(p, q lattice.Point) {
					c := lattice.SegmentContact(a, b, p, q)
					crossed = crossed || c == lattice.ProperCrossing
					touched = touched || c == lattice.ProperCrossing || c == lattice.Overlap ||
						p != a && p != b && lattice.OnSegment(p, a, b)
				})
				outside := double.Locate(lattice.Point{X: a.X + b.X, Y: a.Y + b.Y}) == lattice.Outside
				switch got := g.Sees(a, b); {
				case got && (crossed || outside):
					t.Fatalf("%s, seed %d: %v sees %v through a wall", w.Name, seed, a, b)
				case !got && !touched && !outside:
					t.Fatalf("%s, seed %d: %v does not see %v, and there is no wall", w.Name, seed, a, b)
				case got != g.Sees(b, a):
					t.Fatalf("%s, seed %d: %v sees %v: %v, but not so the other way", w.Name, seed, a, b, got)
				case got:
					seen++
				default:
					hidden++
				}
			}
		}
	}
	if min(seen, hidden) < 1000 {
		t.Errorf("%d pairs see each other, %d do not", seen, hidden)
	}
}

func twice(r lattice.Ring) lattice.Ring {
	out := make(lattice.Ring, len(r))
	for i, p := range r {
		out[i] = lattice.Point{X: 2 * p.X, Y: 2 * p.Y}
	}
	return out
}

// TestRoadmap verifies the numbers of nodes and edges, and that no short edge is missing.
func TestRoadmap(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 5, 1<<14, gentest.Mixed)
	for _, opt := range []RoadmapOptions{{Nodes: 1}, {Nodes: 50, Edges: 1}, {Nodes: 150, Edges: 4, Seed: 3}, {}} {
		g, err := Roadmap(t.Context(), d, opt)
		if err != nil {
			t.Fatal(err)
		}
		nodes, most := opt.Nodes, opt.Edges
		if nodes == 0 {
			nodes = 200
		}
		if most == 0 {
			most = 6
		}
		if len(g.Nodes) != nodes || g.Boxes != nil {
			t.Fatalf("%+v: %d nodes", opt, len(g.Nodes))
		}
		longest := make([]uint64, nodes)
		for i := range g.Nodes {
			for _, k := range g.Neighbours(int32(i)) {
				longest[i] = max(longest[i], g.Nodes[i].Distance2(g.Nodes[k]))
			}
			if n := len(g.Neighbours(int32(i))); n > most {
				t.Errorf("%+v: node %d has %d edges", opt, i, n)
			}
		}
		for i := range g.Nodes {
			order := nearestFirst(g.Nodes, g.Nodes[i])
			for _, k := range order[1:min(nodes, 1+candidatesPerEdge*most)] {
				full := func(i, k int32) bool {
					return len(g.Neighbours(i)) == most && longest[i] <= g.Nodes[i].Distance2(g.Nodes[k])
				}
				if !slices.Contains(g.Neighbours(int32(i)), k) && g.Sees(g.Nodes[i], g.Nodes[k]) && !full(int32(i), k) && !full(k, int32(i)) {
					t.Errorf("%+v: nodes %d and %d see each other, have room for an edge and none", opt, i, k)
				}
			}
		}
	}
	if a, b := roadmap(t, d, 1), roadmap(t, d, 2); reflect.DeepEqual(a.Nodes, b.Nodes) {
		t.Error("two seeds draw the same nodes")
	}
}

func roadmap(t *testing.T, d *plan.Domain, seed uint64) *Graph {
	t.Helper()
	g, err := Roadmap(t.Context(), d, RoadmapOptions{Nodes: 40, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestReduction compares the remaining path nodes with the nodes of all triangles.
func TestReduction(t *testing.T) {
	all, left := 0, 0
	for k, w := range gentest.Worlds {
		for seed := range uint64(max(1, w.Count/100)) {
			d := w.New(rand.New(rand.NewPCG(seed, uint64(k))))
			before, err := PathNodes(t.Context(), d, PathNodesOptions{KeepAll: true})
			if err != nil {
				t.Fatal(err)
			}
			after, err := PathNodes(t.Context(), d, PathNodesOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if before.Components() != after.Components() {
				t.Fatalf("%s, seed %d: %d parts became %d", w.Name, seed, before.Components(), after.Components())
			}
			for i, p := range before.Nodes {
				kept := slices.Contains(after.Nodes, p)
				covered := false
				for j, b := range before.Boxes {
					covered = covered || j != i && b.Contains(p)
				}
				if !kept && !covered {
					t.Fatalf("%s, seed %d: %v went and is in no box", w.Name, seed, p)
				}
			}
			all, left = all+len(before.Nodes), left+len(after.Nodes)
		}
	}
	if left > all*2/3 || left == 0 {
		t.Errorf("%d of %d nodes are left", left, all)
	}
}

// TestPath compares shortest ways with those of a search through all sequences of edges.
func TestPath(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(4, 2)), 4, 1<<13, gentest.Stars)
	for seed := range uint64(10) {
		g := roadmap(t, d, seed)
		n := len(g.Nodes)
		dist := make([][]float64, n) // Floyd and Warshall
		for i := range dist {
			dist[i] = make([]float64, n)
			for k := range dist[i] {
				dist[i][k] = math.Inf(1)
			}
			dist[i][i] = 0
			for _, k := range g.Neighbours(int32(i)) {
				dist[i][k] = metres(g.Nodes[i], g.Nodes[k])
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					dist[i][j] = min(dist[i][j], dist[i][k]+dist[k][j])
				}
			}
		}
		ends := roadmap(t, d, seed+100).Nodes[:12]
		for _, links := range []int{1, 3, n} {
			for i := range ends[1:] {
				from, to := ends[i], ends[i+1]
				want := math.Inf(1)
				near := func(p lattice.Point) []int32 {
					order := nearestFirst(g.Nodes, p)
					order = slices.DeleteFunc(order, func(k int32) bool { return !g.Sees(p, g.Nodes[k]) })
					return order[:min(links, len(order))]
				}
				for _, a := range near(from) {
					for _, b := range near(to) {
						want = min(want, metres(from, g.Nodes[a])+dist[a][b]+metres(g.Nodes[b], to))
					}
				}
				path, ok := g.Path(from, to, links, false)
				if ok != !math.IsInf(want, 1) || ok && math.Abs(path.Length-want) > 1e-9*want {
					t.Fatalf("seed %d, %d links: from %v to %v: %v %v, want %v", seed, links, from, to, path.Length, ok, want)
				}
				sum := 0.0
				for k := 1; ok && k < len(path.Points); k++ {
					sum += metres(path.Points[k-1], path.Points[k])
					if !g.Sees(path.Points[k-1], path.Points[k]) {
						t.Fatalf("seed %d: the way from %v to %v is not free", seed, path.Points[k-1], path.Points[k])
					}
				}
				if ok && (path.Points[0] != from || path.Points[len(path.Points)-1] != to || math.Abs(sum-path.Length) > 1e-9*sum) {
					t.Fatalf("seed %d: the points %v are %v m long, not %v", seed, path.Points, sum, path.Length)
				}
				if s, ok := g.Path(from, to, links, true); g.Sees(from, to) && (!ok || len(s.Points) != 2 || s.Length != metres(from, to)) {
					t.Fatalf("seed %d: %v sees %v and walks %v", seed, from, to, s.Points)
				}
			}
		}
	}
}

// TestNoPath has a start in an obstacle, no links, a graph of two parts and none at all.
func TestNoPath(t *testing.T) {
	room := gentest.Domain(gentest.Ring(0, 0, 9000, 0, 9000, 9000, 0, 9000), gentest.Ring(3000, 3000, 3000, 6000, 6000, 6000, 6000, 3000))
	g := roadmap(t, room, 1)
	in, other := lattice.Point{X: 4000, Y: 4000}, lattice.Point{X: 100, Y: 100}
	for _, straight := range []bool{false, true} {
		if _, ok := g.Path(in, other, 2, straight); ok {
			t.Error("a way out of an obstacle")
		}
		if _, ok := g.Path(other, in, 2, straight); ok {
			t.Error("a way into an obstacle")
		}
	}
	if _, ok := g.Path(other, lattice.Point{X: 8000, Y: 8000}, 0, false); ok {
		t.Error("a way without links")
	}
	single, err := Roadmap(t.Context(), room, RoadmapOptions{Nodes: 2, Edges: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if single.Components() != 2-len(single.Edges) {
		t.Errorf("%d nodes and %d edges have %d parts", len(single.Nodes), len(single.Edges), single.Components())
	}
	tiny := gentest.Domain(gentest.Ring(0, 0, 1, 0, 0, 1))
	for _, m := range makers {
		g, err := m.make(t.Context(), tiny)
		if err != nil || len(g.Nodes) != 0 || g.Components() != 0 {
			t.Errorf("%s: a triangle without room has %d nodes, %v", m.name, len(g.Nodes), err)
			continue
		}
		if _, ok := g.Path(lattice.Point{}, lattice.Point{X: 1}, 1, false); ok {
			t.Errorf("%s: a way on no graph", m.name)
		}
		if c := g.Coverage(10, 1); c != (Coverage{}) {
			t.Errorf("%s: coverage %v without nodes", m.name, c)
		}
	}
}

func TestCoverage(t *testing.T) {
	square := gentest.Domain(gentest.Ring(0, 0, 5000, 0, 5000, 5000, 0, 5000))
	g, err := PathNodes(t.Context(), square, PathNodesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c := g.Coverage(500, 1); c.Seen != 1 || c.Boxed != 1 || len(g.Nodes) != 1 || g.Boxes[0] != square.Box() {
		t.Errorf("a square: %+v, nodes %v, boxes %v", c, g.Nodes, g.Boxes)
	}
	// The node of the corridor's first leg, drawn alone, sees that leg and the square at the turn.
	corner := gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 9000, 10000, 9000, 10000, 10000, 0, 10000))
	for seed := range uint64(5) {
		g, err := Roadmap(t.Context(), corner, RoadmapOptions{Nodes: 1, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if c := g.Coverage(2000, seed); c.Seen < 0.4 || c.Seen > 0.7 || c.Boxed != 0 {
			t.Errorf("node %v: %+v", g.Nodes[0], c)
		}
	}
}

func TestFaults(t *testing.T) {
	crossing := gentest.Domain(gentest.Ring(0, 0, 10, 10, 10, 0, 0, 10))
	for _, m := range makers {
		if _, err := m.make(t.Context(), crossing); err == nil || !strings.HasPrefix(err.Error(), "waypoint: ") {
			t.Errorf("%s: a ring that crosses itself: %v", m.name, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := m.make(ctx, gentest.Spiral(3, 10)); err == nil {
			t.Errorf("%s does not stop", m.name)
		}
	}
	for _, opt := range []RoadmapOptions{{Nodes: -1}, {Edges: -1}} {
		if _, err := Roadmap(t.Context(), gentest.Spiral(3, 10), opt); err == nil {
			t.Errorf("%+v is accepted", opt)
		}
	}
}

// TestNearest compares the grid with a search through all nodes, on lines and clusters too.
func TestNearest(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 9))
		n := 1 + rng.IntN(120)
		w, h := int32(1)<<rng.IntN(31), int32(1)<<rng.IntN(31)
		nodes := make([]spot, n)
		points := make([]lattice.Point, n)
		for i := range nodes {
			points[i] = lattice.Point{X: rng.Int32N(w), Y: rng.Int32N(h)}
			if i > 0 && rng.IntN(3) == 0 {
				points[i] = lattice.Point{X: points[i-1].X/2 + 1, Y: points[i-1].Y / 2}
			}
			nodes[i].Point = points[i]
		}
		b := newBuckets(nodes)
		for _, most := range []int{1, 5, n} {
			for i := range int32(n) {
				order := nearestFirst(points, points[i])
				order = slices.DeleteFunc(order, func(k int32) bool { return k == i })
				got := b.nearest(i, most)
				if len(got) != min(most, n-1) {
					t.Fatalf("seed %d: %d of %d nearest nodes", seed, len(got), min(most, n-1))
				}
				for k, c := range got {
					if c.length2 != points[i].Distance2(points[order[k]]) {
						t.Fatalf("seed %d, node %d: number %d of the nearest is at %d, want %v", seed, i, k, c.length2, points[order[k]])
					}
				}
			}
		}
	}
}

func BenchmarkPathNodes(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 20, 4096, gentest.Mixed)
	for b.Loop() {
		g, err := PathNodes(b.Context(), d, PathNodesOptions{})
		if err != nil || len(g.Nodes) == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkRoadmap(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 20, 4096, gentest.Mixed)
	for b.Loop() {
		g, err := Roadmap(b.Context(), d, RoadmapOptions{Nodes: 2000})
		if err != nil || len(g.Nodes) != 2000 {
			b.Fatal(err)
		}
	}
}

// TestCoverageOfWorlds measures both kinds of graph on worlds of scattered obstacles.
func TestCoverageOfWorlds(t *testing.T) {
	const count = 20
	for _, m := range []struct {
		name string
		make func(d *plan.Domain, seed uint64) (*Graph, error)
	}{
		{"roadmap of 50", func(d *plan.Domain, seed uint64) (*Graph, error) {
			return Roadmap(t.Context(), d, RoadmapOptions{Nodes: 50, Seed: seed})
		}},
		{"roadmap of 200", func(d *plan.Domain, seed uint64) (*Graph, error) {
			return Roadmap(t.Context(), d, RoadmapOptions{Nodes: 200, Seed: seed})
		}},
		{"all path nodes", func(d *plan.Domain, _ uint64) (*Graph, error) {
			return PathNodes(t.Context(), d, PathNodesOptions{KeepAll: true})
		}},
		{"path nodes", func(d *plan.Domain, _ uint64) (*Graph, error) {
			return PathNodes(t.Context(), d, PathNodesOptions{})
		}},
	} {
		var nodes, edges, whole, paths, straight int
		var seen, boxed, longer float64
		for seed := range uint64(count) {
			d := gentest.Scatter(rand.New(rand.NewPCG(seed, 5)), 4, 1<<14, gentest.Mixed)
			g, err := m.make(d, seed)
			if err != nil {
				t.Fatal(err)
			}
			c := g.Coverage(200, seed)
			nodes, edges, seen, boxed = nodes+len(g.Nodes), edges+len(g.Edges), seen+c.Seen, boxed+c.Boxed
			if g.Components() == 1 {
				whole++
			}
			rng := rand.New(rand.NewPCG(seed, 6))
			for range 40 {
				// Where the straight way is free it is the shortest.
				from, ok1 := g.space.draw(rng)
				to, ok2 := g.space.draw(rng)
				if !ok1 || !ok2 || from.Point == to.Point || !g.space.sees(from, to.Point) {
					continue
				}
				straight++
				if p, ok := g.Path(from.Point, to.Point, 1, false); ok {
					paths++
					longer += p.Length / metres(from.Point, to.Point)
				}
			}
		}
		t.Logf("%s: %.1f nodes, %.1f edges, in one part %d of %d, sees %.1f %%, boxed %.1f %%, ways %.1f %%, longer than straight by %.2f",
			m.name, float64(nodes)/count, float64(edges)/count, whole, count, 100*seen/count, 100*boxed/count,
			100*float64(paths)/float64(straight), longer/float64(paths))
		if seen/count < 0.9 || float64(paths) < 0.8*float64(straight) || longer < float64(paths) {
			t.Errorf("%s: %.3f seen, %d of %d ways, longer by %v", m.name, seen/count, paths, straight, longer/float64(paths))
		}
	}
}

// TestCandidatesAreInOrder: candidates are sorted by length, and equally long candidates by their nodes, whatever their order was.
func TestCandidatesAreInOrder(t *testing.T) {
	want := []candidate{{1, [2]int32{5, 9}}, {2, [2]int32{1, 3}}, {2, [2]int32{1, 8}}, {2, [2]int32{2, 3}}, {2, [2]int32{2, 9}}, {2, [2]int32{7, 8}}, {3, [2]int32{0, 1}}}
	r := rand.New(rand.NewPCG(9, 9))
	for range 50 {
		got := slices.Clone(want)
		r.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		if sortCandidates(got); !slices.Equal(got, want) {
			t.Fatalf("%v", got)
		}
	}
}
