package smooth

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query"
)

// at returns a lattice vertex.
func at(x, y, z int32) lattice.Vertex {
	return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z}
}

// corridor is a chain of convex regions, as smoothers get it.
type corridor struct {
	start, goal lattice.Vertex
	edges       []Edge
}

// randomCorridor makes a corridor of quadrilaterals: every edge is drawn until it forms one with the edge before. Often edges
// share an end, or come twice at different heights. Size is how far the walk goes from edge to edge.
func randomCorridor(rng *rand.Rand, n int, size int32) corridor {
	draw := func(around lattice.Point) lattice.Vertex {
		return at(around.X+rng.Int32N(2*size+1)-size, around.Y+rng.Int32N(2*size+1)-size, rng.Int32N(size+1))
	}
	// convex reports whether four points in order are corners of a convex counter-clockwise region, two of them the same
	// perhaps.
	convex := func(ring ...lattice.Point) bool {
		area := int64(0)
		for i := range ring {
			a, b, c := ring[i], ring[(i+1)%len(ring)], ring[(i+2)%len(ring)]
			if lattice.Orient(a, b, c) < 0 {
				return false
			}
			area += lattice.Orient(ring[0], a, b)
		}
		return area > 0
	}
	c := corridor{start: at(0, 0, 0)}
	for tries := 0; len(c.edges) < n && tries < 5000; tries++ {
		if len(c.edges) == 0 {
			e := Edge{draw(c.start.Point), draw(c.start.Point)}
			if lattice.Orient(c.start.Point, e.Right.Point, e.Left.Point) > 0 {
				c.edges = append(c.edges, e)
			}
			continue
		}
		last := c.edges[len(c.edges)-1]
		e := Edge{draw(last.Left.Point), draw(last.Right.Point)}
		switch rng.IntN(8) {
		case 0:
			e.Left = last.Left
		case 1:
			e.Right = last.Right
		case 2:
			e = last // a welded gap
			e.Left.Z, e.Right.Z = rng.Int32N(size), rng.Int32N(size)
			c.edges = append(c.edges, e)
			continue
		}
		if !e.point() && convex(last.Left.Point, last.Right.Point, e.Right.Point, e.Left.Point) {
			c.edges = append(c.edges, e)
		}
	}
	last := c.edges[len(c.edges)-1]
	for {
		c.goal = draw(last.Left.Point)
		if convex(last.Left.Point, last.Right.Point, c.goal.Point) {
			return c
		}
	}
}

// eachCorridor calls f with random corridors, coarse ones with many degenerate cases and fine ones.
func eachCorridor(t *testing.T, f func(t *testing.T, c corridor, rng *rand.Rand)) {
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		size := []int32{3, 10, 300, 100_000}[seed%4]
		f(t, randomCorridor(rng, 1+rng.IntN(12), size), rng)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// cornersOf returns the corners among way-points.
func cornersOf(points []Waypoint) []lattice.Point {
	var list []lattice.Point
	for _, p := range points {
		if p.Corner {
			list = append(list, lattice.Point{X: int32(p.X), Y: int32(p.Y)})
		}
	}
	return list
}

// lengthOf returns the length of a chain of points.
func lengthOf(points []lattice.Point) float64 {
	sum := 0.0
	for i := 1; i < len(points); i++ {
		sum += points[i-1].Distance(points[i])
	}
	return sum
}

// passesAll reports whether a chain of points passes through edges in order, written plainly: each edge is crossed by a piece,
// not before the crossing of the edge before.
func passesAll(chain []lattice.Point, edges []Edge) bool {
	piece := 0
	for _, e := range edges {
		for piece+1 < len(chain) && !meets(chain[piece], chain[piece+1], e) {
			piece++
		}
		if piece+1 >= len(chain) {
			return len(chain) == 1 && lattice.OnSegment(chain[0], e.Left.Point, e.Right.Point)
		}
	}
	return true
}

// meets reports whether a straight way crosses or touches an edge, exactly.
func meets(a, b lattice.Point, e Edge) bool {
	return lattice.SegmentContact(a, b, e.Left.Point, e.Right.Point) != lattice.Disjoint
}

// TestPathPassesItsEdges: the smoothed way meets every edge, in order, whatever bumps are left out.
func TestPathPassesItsEdges(t *testing.T) {
	var s Smoother
	corners := 0
	eachCorridor(t, func(t *testing.T, c corridor, _ *rand.Rand) {
		for _, opt := range []Options{{Rise: -1}, {}, {Rise: 1}} {
			chain := cornersOf(s.Smooth(c.start, c.goal, c.edges, opt))
			corners += len(chain)
			if chain[0] != c.start.Point || chain[len(chain)-1] != c.goal.Point {
				t.Errorf("%+v leads from %v to %v", c, chain[0], chain[len(chain)-1])
			}
			if !passesAll(chain, c.edges) {
				t.Errorf("%+v: %v passes by an edge of %+v", opt, chain, c)
			}
		}
	})
	if corners < 20_000 {
		t.Errorf("only %d corners", corners)
	}
}

// TestNotShorterThanTheFunnel compares with the shortest way through the same edges.
func TestNotShorterThanTheFunnel(t *testing.T) {
	var s Smoother
	var q query.Query
	same, longer := 0, 0.0
	eachCorridor(t, func(t *testing.T, c corridor, _ *rand.Rand) {
		gates := make([]query.Gate, len(c.edges))
		for i, e := range c.edges {
			gates[i] = query.Gate{Left: e.Left.Point, Right: e.Right.Point}
		}
		var bends []lattice.Point
		for _, b := range q.Funnel(c.start.Point, c.goal.Point, gates) {
			bends = append(bends, b.Point)
		}
		brand, funnel := lengthOf(cornersOf(s.Smooth(c.start, c.goal, c.edges, Options{}))), lengthOf(bends)
		if brand < funnel*(1-1e-12) {
			t.Errorf("%v, the funnel %v, %+v", brand, funnel, c)
		}
		if brand <= funnel*(1+1e-12) {
			same++
		}
		if funnel > 0 {
			longer = max(longer, brand/funnel)
		}
	})
	if same < 1000 {
		t.Errorf("only %d ways are the shortest", same)
	}
	t.Logf("%d of 4000 are the shortest, the longest is %.2f times that", same, longer)
}

// TestReduction: leaving out corners makes no way longer, seen from above; leaving out bumps leaves the corners as they are, and no
// bump is above or below its edge.
func TestReduction(t *testing.T) {
	var s Smoother
	fewer := 0
	eachCorridor(t, func(t *testing.T, c corridor, rng *rand.Rand) {
		all := slices.Clone(s.Smooth(c.start, c.goal, c.edges, Options{Rise: -1}))
		some := slices.Clone(s.Smooth(c.start, c.goal, c.edges, Options{}))
		if !reflect.DeepEqual(cornersOf(all), cornersOf(some)) {
			t.Errorf("corners %v became %v", cornersOf(all), cornersOf(some))
		}
		before, after := lengthOf(cornersOf(some)), lengthOf(cornersOf(s.Smooth(c.start, c.goal, c.edges, Options{Turn: 2 * rng.Float64()})))
		if after > before*(1+1e-12) {
			t.Errorf("%v became %v by leaving out corners of %+v", before, after, c)
		}
		if after < before {
			fewer++
		}
		for _, w := range all {
			if w.Edge >= 0 && w.Edge < len(c.edges) && !w.Corner {
				e := &c.edges[w.Edge]
				low, high := min(e.Left.Z, e.Right.Z), max(e.Left.Z, e.Right.Z)
				if w.Z < float64(low)-1e-6 || w.Z > float64(high)+1e-6 {
					t.Errorf("a bump at height %v on an edge from %d to %d", w.Z, low, high)
				}
			}
		}
	})
	if fewer < 100 {
		t.Errorf("corners were left out of %d ways only", fewer)
	}
}

// bendsOf returns the way-points that algorithm 10 keeps of one straight piece, by the angle of its rise: from the last kept
// point it goes on while the direction deviates by at most an angle from the direction to the point behind. It reports false
// where rounding may decide.
func bendsOf(piece []Waypoint, most float64) ([]Waypoint, bool) {
	first, last := piece[0], piece[len(piece)-1]
	dx, dy := last.X-first.X, last.Y-first.Y
	long := math.Hypot(dx, dy)
	rise := func(a, b Waypoint) float64 {
		along := 0.0
		if long > 0 {
			along = ((b.X-a.X)*dx + (b.Y-a.Y)*dy) / long
		}
		return math.Atan2(b.Z-a.Z, along)
	}
	kept, sure := []Waypoint{first}, long > 0
	for i := 0; i+1 < len(piece); {
		ahead := rise(piece[i], piece[i+1])
		k := i + 1
		for ; k+1 < len(piece); k++ {
			deviation := math.Abs(rise(piece[i], piece[k+1]) - ahead)
			sure = sure && math.Abs(deviation-most) > 1e-9
			if deviation > most {
				break
			}
		}
		kept = append(kept, piece[k])
		i = k
	}
	return kept, sure
}

// TestReductionKeepsTheBends: of the bumps of each piece algorithm 10 keeps those at which the rise changes.
func TestReductionKeepsTheBends(t *testing.T) {
	var s Smoother
	judged, dropped := 0, 0
	eachCorridor(t, func(t *testing.T, c corridor, _ *rand.Rand) {
		const most = 0.2
		all := slices.Clone(s.Smooth(c.start, c.goal, c.edges, Options{Rise: -1}))
		some := slices.Clone(s.Smooth(c.start, c.goal, c.edges, Options{Rise: most}))
		want, sure := []Waypoint{all[0]}, true
		for i := 0; i+1 < len(all); {
			k := i + 1
			for !all[k].Corner {
				k++
			}
			kept, clear := bendsOf(all[i:k+1], most)
			want, sure = append(want, kept[1:]...), sure && clear
			i = k
		}
		if !sure {
			return
		}
		if !slices.Equal(some, want) {
			t.Fatalf("%v became %v, want %v", all, some, want)
		}
		judged++
		if len(want) < len(all) {
			dropped++
		}
	})
	if judged < 3000 || dropped < 100 {
		t.Errorf("%d corridors judged, points left out of %d", judged, dropped)
	}
}

// TestTranslation: a moved corridor gives the moved way.
func TestTranslation(t *testing.T) {
	var s Smoother
	eachCorridor(t, func(t *testing.T, c corridor, rng *rand.Rand) {
		want := slices.Clone(s.Smooth(c.start, c.goal, c.edges, Options{Turn: 0.1}))
		const far = lattice.MaxCoord / 2
		dx, dy, dz := rng.Int32N(far), -rng.Int32N(far), rng.Int32N(1000)
		move := func(v lattice.Vertex) lattice.Vertex { return at(v.X+dx, v.Y+dy, v.Z+dz) }
		moved := make([]Edge, len(c.edges))
		for i, e := range c.edges {
			moved[i] = Edge{move(e.Left), move(e.Right)}
		}
		got := s.Smooth(move(c.start), move(c.goal), moved, Options{Turn: 0.1})
		if len(got) != len(want) {
			t.Fatalf("%d points became %d: %v %v", len(want), len(got), want, got)
		}
		for i, p := range got {
			// Coordinates of bumps are rounded elsewhere.
			w := want[i]
			if d := math.Abs(p.X-float64(dx)-w.X) + math.Abs(p.Y-float64(dy)-w.Y) + math.Abs(p.Z-float64(dz)-w.Z); d > 1e-6 || p.Corner != w.Corner || p.Edge != w.Edge {
				t.Fatalf("point %d is %+v, was %+v", i, p, w)
			}
		}
	})
}

// TestDegenerate lists the cases by hand.
func TestDegenerate(t *testing.T) {
	e := func(lx, ly, rx, ry int32) Edge { return Edge{at(lx, ly, 0), at(rx, ry, 0)} }
	for _, c := range []struct {
		name        string
		start, goal lattice.Vertex
		edges       []Edge
		want        [][3]float64
	}{
		{"in one region", at(0, 0, 0), at(5, 5, 5), nil, [][3]float64{{0, 0, 0}, {5, 5, 5}}},
		{"the same place", at(1, 2, 3), at(1, 2, 3), nil, [][3]float64{{1, 2, 3}}},
		{"the same place, higher", at(1, 2, 3), at(1, 2, 9), nil, [][3]float64{{1, 2, 3}, {1, 2, 9}}},
		{"straight through", at(0, 0, 0), at(90, 0, 0), []Edge{e(30, 10, 30, -10), e(60, 10, 60, -10)}, [][3]float64{{0, 0, 0}, {90, 0, 0}}},
		{"start on an edge", at(0, 0, 0), at(50, 0, 0), []Edge{e(0, 10, 0, -10)}, [][3]float64{{0, 0, 0}, {50, 0, 0}}},
		{"start at the end of an edge", at(0, 10, 0), at(50, 0, 0), []Edge{e(0, 10, 0, -10), e(20, 10, 20, -10)}, [][3]float64{{0, 10, 0}, {50, 0, 0}}},
		{"a fan around a corner", at(-50, -10, 0), at(50, -10, 0), []Edge{e(0, 100, 0, 0), e(60, 60, 0, 0), e(60, 0, 0, 0)}, [][3]float64{{-50, -10, 0}, {0, 0, 0}, {50, -10, 0}}},
		{"touching edges in a row", at(0, 0, 0), at(60, 20, 0), []Edge{e(20, 10, 20, 0), e(30, 20, 20, 10)}, [][3]float64{{0, 0, 0}, {20, 10, 0}, {60, 20, 0}}},
		{"edge-on, from before it", at(0, 0, 0), at(50, -20, 0), []Edge{e(40, 0, 20, 0)}, [][3]float64{{0, 0, 0}, {20, 0, 0}, {50, -20, 0}}},
		{"a doorway that closes to a point", at(0, 0, 0), at(30, 60, 0), []Edge{e(10, 10, 10, 0), e(20, 40, 20, 20)}, [][3]float64{{0, 0, 0}, {20, 20, 0}, {30, 60, 0}}},
		{"points to pass", at(0, 0, 0), at(50, 0, 0), []Edge{e(20, 0, 20, 0), e(20, 40, 20, 40)}, [][3]float64{{0, 0, 0}, {20, 0, 0}, {20, 40, 0}, {50, 0, 0}}},
		{"a point on the straight way", at(0, 0, 0), at(50, 0, 0), []Edge{e(20, 0, 20, 0)}, [][3]float64{{0, 0, 0}, {20, 0, 0}, {50, 0, 0}}},
		{
			"stairs, and a step at a welded gap", at(0, 0, 0), at(400, 0, 200),
			[]Edge{
				{at(100, 9, 0), at(100, -9, 0)},
				{at(200, 9, 100), at(200, -9, 100)},
				{at(200, 9, 200), at(200, -9, 200)},
				{at(300, 9, 200), at(300, -9, 200)},
			},
			[][3]float64{{0, 0, 0}, {100, 0, 0}, {200, 0, 100}, {200, 0, 200}, {400, 0, 200}},
		},
	} {
		var s Smoother
		var got [][3]float64
		for _, p := range s.Smooth(c.start, c.goal, c.edges, Options{}) {
			got = append(got, [3]float64{p.X, p.Y, p.Z})
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestOvershoot: where the doorway was clipped the way turns behind the vertex, as published, and so is longer than the shortest.
func TestOvershoot(t *testing.T) {
	var s Smoother
	edges := []Edge{{at(1000, 0, 0), at(1000, -1000, 0)}, {at(2000, 5000, 0), at(2000, -1000, 0)}}
	got := cornersOf(s.Smooth(at(0, -500, 0), at(2100, 4900, 0), edges, Options{}))
	// The plane through (1000, 0) meets the second edge at (2000, 500).
	if want := []lattice.Point{{X: 0, Y: -500}, {X: 2000, Y: 500}, {X: 2100, Y: 4900}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNoPointTwice: consecutive points of a way differ, and nothing is allocated.
func TestNoPointTwice(t *testing.T) {
	var s Smoother
	var all []corridor
	eachCorridor(t, func(t *testing.T, c corridor, _ *rand.Rand) {
		all = append(all, c)
		points := s.Smooth(c.start, c.goal, c.edges, Options{Rise: -1})
		for i := 1; i < len(points); i++ {
			if p, o := points[i], points[i-1]; p.X == o.X && p.Y == o.Y && p.Z == o.Z {
				t.Errorf("point %d of %v is there twice", i, points)
			}
		}
	})
	if n := testing.AllocsPerRun(2, func() {
		for _, c := range all[:100] {
			s.Smooth(c.start, c.goal, c.edges, Options{})
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestWildInput: whatever edges are like, the smoother ends, and its way leads from start to goal.
func TestWildInput(t *testing.T) {
	var s Smoother
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		size := []int32{2, 50, lattice.MaxCoord}[seed%3]
		draw := func() lattice.Vertex {
			return at(rng.Int32N(size)-size/2, rng.Int32N(size)-size/2, rng.Int32()-rng.Int32())
		}
		edges := make([]Edge, rng.IntN(10))
		for i := range edges {
			edges[i] = Edge{draw(), draw()}
		}
		start, goal := draw(), draw()
		for _, opt := range []Options{{}, {Turn: math.NaN(), Rise: math.NaN()}, {Turn: math.Inf(1), Rise: math.Inf(-1)}} {
			chain := cornersOf(s.Smooth(start, goal, edges, opt))
			if chain[0] != start.Point || chain[len(chain)-1] != goal.Point {
				t.Fatalf("seed %d: %v does not lead from %v to %v", seed, chain, start, goal)
			}
		}
	}
}
