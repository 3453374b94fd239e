package wavefront

import (
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/growth"
	"github.com/meadow-nav/meadow/internal/slow"
)

func TestLaws(t *testing.T) {
	sum := gentest.Laws(t, "wavefront-published", Generator{}, gentest.Check)
	t.Log(sum)
	if sum["triangles"]*20 > sum["cells"] {
		t.Errorf("%d of %d cells are triangles for want of room", sum["triangles"], sum["cells"])
	}
	for _, name := range []string{"events", "collisions", "splits", "seedings"} {
		if sum[name] < sum["regions"]/3 {
			t.Errorf("%d %s for %d regions", sum[name], name, sum["regions"])
		}
	}
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 3, 4096, gentest.Mixed)
	cells := func(seed uint64) []plan.Cell {
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return res.Cells
	}
	if !reflect.DeepEqual(cells(1), cells(1)) || reflect.DeepEqual(cells(1), cells(2)) {
		t.Error("the same seed must give the same cells, and another seed others")
	}
}

func at(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }

// TestCategories has a seed at the origin, and the order north, south, east, west.
func TestCategories(t *testing.T) {
	for _, c := range []struct {
		name string
		edge edge
		want int
	}{
		{"north", edge{at(3, 10), at(-3, 10)}, growth.North},
		{"south", edge{at(-3, -10), at(3, -12)}, growth.South},
		{"east", edge{at(10, -3), at(10, 3)}, growth.East},
		{"west", edge{at(-10, 3), at(-10, -3)}, growth.West},
		{"on the ray between east and north", edge{at(20, 20), at(10, 10)}, growth.North},
		{"east and north", edge{at(20, 0), at(0, 20)}, growth.North},
		{"east and south", edge{at(0, -20), at(20, 0)}, growth.South},
		{"ends in the east and the west, above", edge{at(20, 10), at(-20, 10)}, growth.North},
		{"ends in the east and the west, below", edge{at(-20, -10), at(20, -10)}, growth.South},
		{"ends in the south and the north, to the east", edge{at(10, -20), at(10, 20)}, growth.North},
	} {
		if got := c.edge.category(at(0, 0)); got != c.want {
			t.Errorf("%s: %v is in category %d, want %d", c.name, c.edge, got, c.want)
		}
	}
	// A thousand places along random edges: the category is the first in the order whose arc has one of them. An arc
	// that an edge only grazes may be missed by all places.
	rng := rand.New(rand.NewPCG(1, 2))
	missed := 0
	for range 2000 {
		seed := at(rng.Int32N(60)-30, rng.Int32N(60)-30)
		e := edge{at(rng.Int32N(200)-100, rng.Int32N(200)-100), at(rng.Int32N(200)-100, rng.Int32N(200)-100)}
		if e.a == e.b || !e.faces(seed) {
			continue
		}
		got, sampled := e.category(seed), -1
		for _, d := range order {
			for i := int64(0); i <= 1000 && sampled < 0; i++ {
				au, av := from(seed, d, e.a)
				bu, bv := from(seed, d, e.b)
				u, v := (1000-i)*au+i*bu, (1000-i)*av+i*bv
				if u > 0 && max(v, -v) <= u {
					sampled = d
				}
			}
		}
		if got == sampled {
			continue
		}
		if missed++; missed > 5 {
			t.Fatalf("%v is in category %d of %v, places on it say %d", e, got, seed, sampled)
		}
	}
}

// TestEvents has a seed at the origin.
func TestEvents(t *testing.T) {
	for _, c := range []struct {
		name   string
		edge   edge
		slope  int
		events []lattice.Point
	}{
		{"parallel, beside the seed", edge{at(10, -5), at(10, 5)}, parallel, []lattice.Point{at(10, 0)}},
		{"parallel, off to the side", edge{at(10, 4), at(10, 9)}, parallel, []lattice.Point{at(10, 4)}},
		{"intruding vertex", edge{at(10, 2), at(20, 15)}, inward, []lattice.Point{at(10, 2)}},
		{"intruding vertex on the other side", edge{at(20, -15), at(10, -2)}, inward, []lattice.Point{at(10, -2)}},
		{"split: closest point, then the near end and the far end", edge{at(20, -10), at(10, 20)}, away, []lattice.Point{at(15, 5), at(20, -10), at(10, 20)}},
		{"split with the closest point at an end", edge{at(30, 5), at(10, 6)}, away, []lattice.Point{at(10, 6)}},
	} {
		if got := c.edge.slope(at(0, 0), growth.East); got != c.slope {
			t.Errorf("%s: case %d, want %d", c.name, got, c.slope)
		}
		list := c.edge.events(nil, at(0, 0), growth.East)
		var places []lattice.Point
		for _, e := range list {
			places = append(places, e.at)
		}
		if !reflect.DeepEqual(places, c.events) {
			t.Errorf("%s: events at %v, want %v", c.name, places, c.events)
		}
	}
}

// TestEventsAreSorted: the events of all edges that face the seed, by the distance of the edge's closest point; the ends
// of an edge come right behind its closest point, although they are farther away. A wall that faces away gives none.
func TestEventsAreSorted(t *testing.T) {
	list := classify([]edge{
		{at(100, -20), at(90, 60)},   // slopes away in the east
		{at(-10, 120), at(-5, 92)},   // faces away from the seed
		{at(40, 95), at(-40, 95)},    // parallel in the north
		{at(-50, 40), at(-50, -40)},  // parallel in the west
		{at(-30, -70), at(60, -110)}, // slopes inward in the south
	}, at(0, 0))
	var got []lattice.Point
	for _, e := range list {
		got = append(got, e.at)
	}
	want := []lattice.Point{at(-50, 0), at(-30, -70), at(0, 95), at(96, 12), at(100, -20), at(90, 60)}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("events at %v, want %v", got, want)
	}
}

type rational struct{ x, y *big.Rat }

// polygon returns the corners of a region: its box, cut off by its walls.
func polygon(r *region) []rational {
	var ring []rational
	for _, d := range [4]int{growth.South, growth.East, growth.North, growth.West} {
		p := growth.TurnedBack(d, r.box[d], r.box[(d+1)%4])
		ring = append(ring, rational{big.NewRat(int64(p.X), 1), big.NewRat(int64(p.Y), 1)})
	}
	for _, w := range r.walls {
		var cut []rational
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			s, t := w.side(p), w.side(q)
			if s.Sign() >= 0 {
				cut = append(cut, p)
			}
			if s.Sign()*t.Sign() < 0 {
				f := new(big.Rat).Quo(s, new(big.Rat).Sub(s, t))
				mid := func(a, b *big.Rat) *big.Rat {
					d := new(big.Rat).Sub(b, a)
					return d.Add(a, d.Mul(d, f))
				}
				cut = append(cut, rational{mid(p.x, q.x), mid(p.y, q.y)})
			}
		}
		ring = cut
	}
	return ring
}

// side is above 0 to the left of the edge.
func (e edge) side(p rational) *big.Rat { return turn(point(e.a), point(e.b), p) }

func point(p lattice.Point) rational {
	return rational{big.NewRat(int64(p.X), 1), big.NewRat(int64(p.Y), 1)}
}

// turn is above 0 where the way from a over b to c turns left.
func turn(a, b, c rational) *big.Rat {
	sub := func(p, q *big.Rat) *big.Rat { return new(big.Rat).Sub(p, q) }
	left := new(big.Rat).Mul(sub(b.x, a.x), sub(c.y, a.y))
	return left.Sub(left, new(big.Rat).Mul(sub(b.y, a.y), sub(c.x, a.x)))
}

// judge says which edge is inside a region, or which side of the region lies on the line of a wall without the wall.
func judge(t *testing.T, r *region) {
	ring := polygon(r)
	for _, e := range r.edges {
		a, b := point(e.a), point(e.b)
		// A convex region and an edge are apart if a side of the region or the line of the edge separates them.
		apart, left, right := false, false, false
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			if p.x.Cmp(q.x) == 0 && p.y.Cmp(q.y) == 0 {
				continue
			}
			apart = apart || turn(p, q, a).Sign() <= 0 && turn(p, q, b).Sign() <= 0
			left, right = left || e.side(p).Sign() > 0, right || e.side(p).Sign() < 0
		}
		if !apart && left && right {
			t.Fatalf("the edge from %v to %v is inside the region %v with walls %v", e.a, e.b, r.box, r.walls)
		}
	}
	for _, w := range r.walls {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			if w.side(p).Sign() != 0 || w.side(q).Sign() != 0 {
				continue
			}
			for _, c := range []rational{p, q} {
				// On the line of the wall, so the box of the wall decides.
				x0, x1 := big.NewRat(int64(min(w.a.X, w.b.X)), 1), big.NewRat(int64(max(w.a.X, w.b.X)), 1)
				if c.x.Cmp(x0) < 0 || c.x.Cmp(x1) > 0 {
					t.Fatalf("a side of the region %v goes on at %v %v where the wall from %v to %v has ended", r.box, c.x, c.y, w.a, w.b)
				}
			}
		}
	}
}

// TestRegionsAreFree judges regions in rational arithmetic, at the seed and after every event.
func TestRegionsAreFree(t *testing.T) {
	regions, walls := 0, 0
	for seed := range uint64(slow.Count(30, 200)) {
		rng := rand.New(rand.NewPCG(seed, 7))
		d := gentest.Tiny(rng, 40, 8, seed%2 == 0)
		w, err := growth.New(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range w.Stretches(false) {
			p, ok := w.Middle(s, unit)
			if !ok {
				continue
			}
			_, box, ok := w.Start(p)
			if !ok {
				continue
			}
			r, ok := newRegion(w, box)
			if !ok {
				continue
			}
			judge(t, r)
			for _, e := range classify(r.edges, r.seed) {
				r.growTo(e.at)
				judge(t, r)
			}
			regions, walls = regions+1, walls+len(r.walls)
		}
	}
	if regions < 200 || walls < 200 {
		t.Errorf("only %d regions with %d walls", regions, walls)
	}
}

func TestFaults(t *testing.T) {
	_, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: gentest.Comb(MaxVertices/4+1, 60, 100)})
	if err == nil || !strings.Contains(err.Error(), "more than 1024") {
		t.Errorf("a domain beyond the limit: %v", err)
	}
}

// TestShares compares shares with rational numbers, also of the largest terms that edges of a frame have.
func TestShares(t *testing.T) {
	terms := []int64{0, 1, 2, 3, 1<<61 - 1, 1 << 61, 1<<62 - 1, 1 << 62}
	for _, a := range terms {
		for _, b := range terms[1:] {
			for _, c := range terms {
				for _, d := range terms[1:] {
					for _, signs := range [4][2]int64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
						s, u := share{signs[0] * a, b}, share{signs[1] * c, d}
						if got, want := s.before(u), big.NewRat(s.num, s.den).Cmp(big.NewRat(u.num, u.den)) < 0; got != want {
							t.Fatalf("%v before %v: %v, want %v", s, u, got, want)
						}
					}
				}
			}
		}
	}
}
