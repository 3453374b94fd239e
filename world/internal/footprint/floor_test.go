package footprint

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestFloorBorders compares the borders of random floors with a search through all pairs of sides.
func TestFloorBorders(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	borders, inner := 0, 0
	for range 200 {
		tin := &lattice.TIN{}
		for range 1 + r.IntN(20) {
			tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: lattice.Point{X: r.Int32N(4), Y: r.Int32N(4)}, Z: r.Int32N(3)})
		}
		n := uint32(len(tin.Vertices))
		for range r.IntN(24) {
			a, b, c := r.Uint32N(n), r.Uint32N(n), r.Uint32N(n)
			if lattice.Orient(tin.Vertices[a].Point, tin.Vertices[b].Point, tin.Vertices[c].Point) > 0 {
				tin.Triangles = append(tin.Triangles, [3]uint32{a, b, c})
			}
		}
		f := NewFloor(tin, lattice.NewSampler(tin))
		side := func(c *[3]lattice.Vertex, k int) [2]lattice.Point {
			a, b := c[k].Point, c[(k+1)%3].Point
			if a.Compare(b) > 0 {
				a, b = b, a
			}
			return [2]lattice.Point{a, b}
		}
		all := f.near(nil, lattice.Box{Max: lattice.Point{X: 3, Y: 3}})
		if len(all) != len(tin.Triangles) {
			t.Fatalf("%d of %d triangles near the floor", len(all), len(tin.Triangles))
		}
		for i := range all {
			g := &all[i]
			for k := range 3 {
				alone := true
				for j := range all {
					for l := range 3 {
						alone = alone && (i == j && k == l || side(&g.corners, k) != side(&all[j].corners, l))
					}
				}
				if got := g.border>>k&1 == 1; got != alone {
					t.Fatalf("side %d of %v: border %t, want %t", k, g.corners, got, alone)
				}
				if alone {
					borders++
				} else {
					inner++
				}
			}
		}
	}
	if borders < 500 || inner < 100 {
		t.Errorf("%d borders and %d other sides are too few", borders, inner)
	}
}

// TestNarrow compares the heights of random triangles within convex rings with the heights at random places.
func TestNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	point := func() lattice.Point { return lattice.Point{X: r.Int32N(4000), Y: r.Int32N(4000)} }
	within, apart := 0, 0
	for range 3000 {
		ring := lattice.Hull([]lattice.Point{point(), point(), point(), point(), point()})
		g := face{low: math.MinInt32, high: math.MaxInt32}
		for k := range g.corners {
			g.corners[k] = lattice.Vertex{Point: point(), Z: r.Int32N(3000)}
		}
		if len(ring) < 3 || lattice.Orient(g.corners[0].Point, g.corners[1].Point, g.corners[2].Point) <= 0 {
			continue
		}
		in := g.narrow(ring)
		plane := planeOf(&g.corners)
		least, most := math.Inf(1), math.Inf(-1)
		for range 300 {
			p := point()
			if ring.Locate(p) == lattice.Outside || (lattice.Ring{g.corners[0].Point, g.corners[1].Point, g.corners[2].Point}).Locate(p) == lattice.Outside {
				continue
			}
			z := plane.height(p)
			least, most = min(least, z), max(most, z)
		}
		switch {
		case least <= most && (!in || float64(g.low) > least || float64(g.high) < most):
			t.Fatalf("%v within %v: heights from %g to %g, the answer is %t from %d to %d", g.corners, ring, least, most, in, g.low, g.high)
		case in:
			within++
		default:
			apart++
			continue
		}
		// The corners of the part are corners of the triangle, corners of the ring or crossings: heights beyond all corners within
		// are those of the margin.
		lowest, highest := math.Inf(1), math.Inf(-1)
		for _, p := range ring {
			z := plane.height(p)
			lowest, highest = min(lowest, z), max(highest, z)
		}
		extra := 3*margin*(math.Abs(plane.gx)+math.Abs(plane.gy)) + 2
		if float64(g.high) > highest+extra && wide(ring) || float64(g.low) < lowest-extra && wide(ring) {
			t.Fatalf("%v within %v: from %d to %d, the ring's heights are from %g to %g", g.corners, ring, g.low, g.high, lowest, highest)
		}
	}
	if within < 500 || apart < 50 {
		t.Errorf("%d within and %d apart are too few", within, apart)
	}
}

// wide reports whether all corners of a ring are right angles or wider: the margin moves wide corners little.
func wide(ring lattice.Ring) bool {
	for i, p := range ring {
		if lattice.Dot(p, ring[(i+1)%len(ring)], ring[(i+len(ring)-1)%len(ring)]) > 0 {
			return false
		}
	}
	return true
}
