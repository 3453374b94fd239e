package anavmg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// bench is a domain to make single portals in.
type bench struct {
	*work
	t      *testing.T
	domain *plan.Domain
}

func newBench(t *testing.T, d *plan.Domain) bench {
	t.Helper()
	dom, err := cdt.FromDomain(d)
	if err != nil {
		t.Fatal(err)
	}
	return bench{newWork(dom), t, d}
}

// at returns the vertex at x, y.
func (b bench) at(x, y int32) int32 {
	b.t.Helper()
	v := slices.Index(b.P, lattice.Point{X: x, Y: y})
	if v < 0 {
		b.t.Fatalf("no vertex at %d, %d", x, y)
	}
	return int32(v)
}

// join makes the portal from one vertex to another.
func (b bench) join(x0, y0, x1, y1 int32) {
	b.t.Helper()
	if !b.connect(b.at(x0, y0), b.at(x1, y1)) {
		b.t.Fatalf("no portal from %d, %d to %d, %d", x0, y0, x1, y1)
	}
}

// mendAt treats the notch at x, y and returns the other ends of its portals.
func (b bench) mendAt(x, y int32) []lattice.Point {
	b.t.Helper()
	v := b.at(x, y)
	e1, e2, ok := b.notch(v)
	if !ok {
		b.t.Fatalf("%d, %d is no notch", x, y)
	}
	before := len(b.portals)
	if !b.mend(v, e1, e2) {
		b.t.Fatalf("%d, %d cannot be mended", x, y)
	}
	if _, _, ok := b.notch(v); ok {
		b.t.Errorf("%d, %d is a notch still", x, y)
	}
	var ends []lattice.Point
	for _, p := range b.portals[before:] {
		if p.from != v {
			b.t.Errorf("a portal from %v, not from the notch", b.P[p.from])
		}
		ends = append(ends, b.P[p.to])
	}
	return ends
}

// finish treats the notches that are left and has the cells judged.
func (b bench) finish() {
	b.t.Helper()
	if err := b.mendAll(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	b.dispense()
	res := gen.Result{Cells: b.cells(), Report: gen.Report{Lost: b.domain.Area2()}}
	for _, c := range res.Cells {
		res.Report.Lost -= area2(c)
	}
	if err := gentest.Check(b.domain, res); err != nil {
		b.t.Fatal(err)
	}
}

// hall returns a hall with a wedge that hangs down to (5000, 6000), half as wide at the ceiling as
// given, and a spike from either side at half height.
func hall(half, left, right int32, holes ...lattice.Ring) *plan.Domain {
	return gentest.Domain(append([]lattice.Ring{gentest.Ring(
		0, 0, 10000, 0, 10000, 3500, right, 4000, 10000, 4500, 10000, 10000,
		5000+half, 10000, 5000, 6000, 5000-half, 10000, 0, 10000, 0, 4500, left, 4000, 0, 3500)}, holes...)...)
}

func points(xy ...int32) []lattice.Point { return gentest.Ring(xy...) }

func TestVertexPortal(t *testing.T) {
	cases := []struct {
		name string
		hall *plan.Domain
		want []lattice.Point
	}{
		{"both ends in the cone: the closer", hall(4000, 4000, 6500), points(4000, 4000)},
		{"one end in the cone", hall(4000, 2000, 6500), points(6500, 4000)},
		{"no end in the cone: both", hall(500, 2000, 7000), points(2000, 4000, 7000, 4000)},
		{
			// Figure 12: something hides the end in the cone, and is farther away than the portal.
			"the end in the cone is hidden",
			hall(4000, 4000, 8500, gentest.Ring(4045, 4120, 4065, 4150, 4090, 4120)), points(4090, 4120),
		},
		{
			"one end is hidden, the other is not in the cone either",
			hall(500, 2000, 7000, gentest.Ring(3000, 4700, 3050, 4800, 3100, 4700)), points(3100, 4700, 7000, 4000),
		},
		{
			"both ends are hidden",
			hall(500, 2000, 7000, gentest.Ring(3000, 4700, 3050, 4800, 3100, 4700), gentest.Ring(6500, 4450, 6700, 4500, 6600, 4300)),
			points(3100, 4700, 6600, 4300),
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.hall)
			left := c.hall.Rings[0][11]
			right := c.hall.Rings[0][3]
			b.join(left.X, left.Y, right.X, right.Y)
			got := b.mendAt(5000, 6000)
			slices.SortFunc(got, lattice.Point.Compare)
			if !slices.Equal(got, c.want) {
				t.Errorf("portals to %v, want %v", got, c.want)
			}
			if n := b.counts["vertex-portal"]; n != 1 {
				t.Errorf("%d portals were closest to a notch", n)
			}
			b.finish()
		})
	}
}

// TestFiveCandidates has the closest point of an edge at each of the five candidates of the thesis.
func TestFiveCandidates(t *testing.T) {
	// A wedge of every direction hangs down to (0, 0); the floor is at -100 from x to 1000.
	floor := func(left, right, x int32) *plan.Domain {
		return gentest.Domain(gentest.Ring(-1000, -300, x, -300, x, -100, 1000, -100, 1000, 1000, right, 1000, 0, 0, left, 1000, -1000, 1000))
	}
	cases := []struct {
		name   string
		domain *plan.Domain
		want   lattice.Point
	}{
		{"projection", floor(-500, 500, -200), lattice.Point{X: 0, Y: -100}},
		{"where the right side of the cone meets the edge", floor(200, 500, -200), lattice.Point{X: -20, Y: -100}},
		{"where the left side of the cone meets the edge", floor(-500, -200, -200), lattice.Point{X: 20, Y: -100}},
		{"an end", floor(-500, 500, 30), lattice.Point{X: 30, Y: -100}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.domain)
			if got := b.mendAt(0, 0); !slices.Equal(got, []lattice.Point{c.want}) {
				t.Errorf("portals to %v, want %v", got, c.want)
			}
			b.finish()
		})
	}
}

// TestCornerOnTheSideOfTheCone has a slanted floor with the closest point on the side of the cone: the corner
// has to be in the cone, and then one portal is enough.
func TestCornerOnTheSideOfTheCone(t *testing.T) {
	for drop := int32(1); drop < 60; drop++ {
		for _, side := range []int32{1, -1} {
			top := gentest.Ring(500, 1000, 0, 0, 200, 1000)
			if side < 0 {
				top = gentest.Ring(-200, 1000, 0, 0, -500, 1000)
			}
			b := newBench(t, gentest.Domain(slices.Concat(
				gentest.Ring(-1000, -300, 1000, -300-drop*side, 1000, 1000), top, gentest.Ring(-1000, 1000))))
			if got := b.mendAt(0, 0); len(got) != 1 || b.counts["constructed"] != 1 {
				t.Errorf("a drop by %d: portals to %v, %v", drop*side, got, b.counts)
			}
			b.finish()
		}
	}
}

// TestHiddenCorner has a wall that rises by one unit: the farther to the right a corner is, the less area it
// takes. But a needle close to the wall hides the right end.
func TestHiddenCorner(t *testing.T) {
	b := newBench(t, gentest.Domain(
		gentest.Ring(-3000, 0, 3001, 1, 3001, 5000, 500, 5000, 0, 2100, -500, 5000, -3000, 5000),
		gentest.Ring(130, 3, 130, 4, 300, 3)))
	got := b.mendAt(0, 2100)
	if len(got) != 1 || got[0].X > 130 || got[0].X < 50 || got[0].Y != 1 {
		t.Errorf("portals to %v, want one to a corner just before the needle", got)
	}
	b.finish()
}

// TestCornersStayNearTheirWall has a wall already moved by two units: a corner on the rest would be three
// units away.
func TestCornersStayNearTheirWall(t *testing.T) {
	b := newBench(t, gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 500, 600, 500, 500, 100, 400, 500, 0, 500)))
	e := b.half(b.at(0, 0), b.at(1000, 0))
	wall := b.Walls[b.H[e].Mark]
	b.constructed = append(b.constructed, wall.EdgeID)
	v := b.Dent(e, lattice.Point{X: 400, Y: 2})
	e = b.half(v, b.at(1000, 0))
	n := b.at(500, 100)
	off := func(p lattice.Point) site { return site{p, lattice.Orient(b.P[v], lattice.Point{X: 1000}, p)} }
	if s := off(lattice.Point{X: 500, Y: 2}); !b.fits(n, e, wall, s) {
		t.Error("two units from the wall do not fit")
	}
	if s := off(lattice.Point{X: 500, Y: 3}); b.fits(n, e, wall, s) {
		t.Error("three units from the wall fit")
	}
}

// TestBentCornersStay has two constructed corners without portals: one bends the border, and so does then the
// other, exactly on its wall. Without the first, the second is not needed.
func TestBentCornersStay(t *testing.T) {
	for _, bent := range []bool{true, false} {
		b := newBench(t, gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 500, 0, 500)))
		e := b.half(b.at(0, 0), b.at(1000, 0))
		b.constructed = append(b.constructed, b.Walls[0].EdgeID, b.Walls[0].EdgeID)
		v := b.Split(e, lattice.Point{X: 500})
		if bent {
			b.Dent(b.half(b.at(0, 0), v), lattice.Point{X: 250, Y: 1})
		}
		cells := b.cells()
		want := map[bool]int{true: 6, false: 4}[bent]
		if len(cells) != 1 || len(cells[0].Corners) != want {
			t.Errorf("cells are %v, want one of %d corners", cells, want)
		}
	}
}

// TestTouchedNotchesStay has two pillars that touch at a point: their common point is a notch that must stay.
func TestTouchedNotchesStay(t *testing.T) {
	b := newBench(t, gentest.Domain(gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100),
		gentest.Ring(50, 50, 40, 30, 30, 50, 40, 60), gentest.Ring(50, 50, 60, 60, 70, 50, 60, 40)))
	var touched, free int
	b.rings(func(r ring) {
		for i := int32(1); i <= r.n; i++ {
			switch {
			case r.first == 0:
			case b.P[b.Corner[r.wall(i)]] == lattice.Point{X: 50, Y: 50}:
				touched++
				if b.inString(r, i) {
					t.Error("the point that both have is in a string")
				}
			case b.inString(r, i):
				free++
			}
		}
	})
	if touched != 2 || free != 6 {
		t.Errorf("%d corners at the point that touches, %d others in strings", touched, free)
	}
}

// TestTwoNotches has a portal between two notches: it mends the second exactly when it lies in the second's
// cone.
func TestTwoNotches(t *testing.T) {
	for _, c := range []struct {
		name  string
		x     int32 // of the upper notch, the lower one is at (500, 300)
		other bool  // the other notch remains one
	}{{"facing", 500, false}, {"on the side of the cone", 600, false}, {"outside of the other's cone", 620, true}} {
		t.Run(c.name, func(t *testing.T) {
			// The lower notch has a narrow cone that leans to neither side: up to 100 at height 300.
			b := newBench(t, gentest.Domain(gentest.Ring(
				0, 0, 400, 0, 500, 300, 600, 0, 1000, 0, 1000, 1000, 900, 1000, c.x, 600, 100, 1000, 0, 1000)))
			if got := b.mendAt(c.x, 600); !slices.Equal(got, points(500, 300)) {
				t.Errorf("portals to %v, want the other notch", got)
			}
			if _, _, ok := b.notch(b.at(500, 300)); ok != c.other {
				t.Errorf("the other notch remains: %v, want %v", ok, c.other)
			}
			b.finish()
		})
	}
}

// TestDispensable is the situation of figure 13: a notch gets a portal to the floor, later another
// notch connects to it, and that portal alone would have done.
func TestDispensable(t *testing.T) {
	b := newBench(t, gentest.Domain(gentest.Ring(
		0, 0, 500, 0, 2000, 300, 800, 0, 10000, 0, 10000, 2000, 5000, 1000, 0, 2000)))
	if got := b.mendAt(5000, 1000); !slices.Equal(got, points(5000, 0)) {
		t.Errorf("portals to %v, want the floor", got)
	}
	b.join(2000, 300, 5000, 1000)
	b.dispense()
	if !b.portals[0].gone || b.portals[1].gone || b.counts["dispensable"] != 1 || b.counts["portals"] != 1 {
		t.Errorf("portals are %+v, %v", b.portals, b.counts)
	}
	for _, c := range b.cells() {
		for _, k := range c.Corners {
			if k.On != plan.NoEdge {
				t.Errorf("the corner at %v stays without its portal", k.Point)
			}
		}
	}
	b.finish()
}

// TestClosestAgainstAllEdges compares the walk with the plain way of the thesis, which measures all
// edges and portals.
func TestClosestAgainstAllEdges(t *testing.T) {
	compared := 0
	eachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if d.Len() > 300 || rng.IntN(4) > 0 {
			return
		}
		b := newBench(t, d)
		for _, v := range b.notches() {
			e1, e2, ok := b.notch(v)
			if !ok {
				continue
			}
			f, from, to := b.closest(v, e1, e2)
			want := b.closestOfAll(v, cone{b.P[v], from, to})
			if got := math.Sqrt(f.at.d2); math.Abs(got-want) > 1e-6*want+1e-6 {
				t.Errorf("at %v: the closest is at %v, all edges say %v\n%v", b.P[v], got, want, d.Rings)
			}
			compared++
			if !b.mend(v, e1, e2) {
				t.Fatalf("%v cannot be mended", b.P[v])
			}
		}
	})
	if compared < 1000 {
		t.Errorf("only %d notches were compared", compared)
	}
}

// closestOfAll returns the distance from n to the nearest constrained edge in the cone, computed by
// clipping all of them.
func (b bench) closestOfAll(n int32, c cone) float64 {
	best := math.Inf(1)
	at := b.P[n]
	for e, h := range b.H {
		u, v := h.V, b.Head(int32(e))
		if h.Mark == cdt.Free || u == n || v == n {
			continue
		}
		px, py := b.vector(n, u).float()
		qx, qy := b.vector(n, v).float()
		t0, t1 := 0.0, 1.0
		for _, side := range [2][2]int64{{-c.from.y, c.from.x}, {c.to.y, -c.to.x}} {
			nx, ny := float64(side[0]), float64(side[1])
			f, g := px*nx+py*ny, qx*nx+qy*ny
			switch {
			case f < 0 && g < 0:
				t0, t1 = 1, 0
			case f < 0:
				t0 = max(t0, f/(f-g))
			case g < 0:
				t1 = min(t1, f/(f-g))
			}
		}
		if t0 > t1 {
			continue
		}
		dx, dy := qx-px, qy-py
		t := max(t0, min(t1, -(px*dx+py*dy)/(dx*dx+dy*dy)))
		best = min(best, math.Hypot(px+t*dx, py+t*dy))
	}
	for v, p := range b.P {
		if v >= 4 && p != at && b.Edge[v] >= 0 && c.has(p) {
			best = min(best, p.Distance(at))
		}
	}
	return best
}
