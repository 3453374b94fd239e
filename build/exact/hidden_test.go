package exact

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestHidden compares whether covers hide a ring with what an overlay leaves of the ring.
func TestHidden(t *testing.T) {
	race.Skip(t)
	hidden, together, free := 0, 0, 0
	var m remainder
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 7))
		point := func(size int32) lattice.Point { return lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)} }
		triangle := func(size int32) lattice.Ring {
			for {
				if r := (lattice.Ring{point(size), point(size), point(size)}); r.Area2() > int64(size)*100 {
					return r
				}
			}
		}
		ring := triangle(2000)
		var covers []lattice.Ring
		for range 1 + rng.IntN(30) {
			c := triangle(3000)
			for k := range c {
				c[k].X, c[k].Y = c[k].X-500, c[k].Y-500
			}
			covers = append(covers, c)
		}
		if seed%3 == 0 { // three triangles around a place in the ring have edges in common
			in := lattice.Point{X: (ring[0].X + ring[1].X + ring[2].X) / 3, Y: (ring[0].Y + ring[1].Y + ring[2].Y) / 3}
			covers = covers[:rng.IntN(len(covers))]
			for k, p := range ring {
				covers = append(covers, lattice.Ring{p, ring[(k+1)%3], in})
			}
		}
		left, err := overlay.Difference([]lattice.Ring{ring}, covers)
		if err != nil {
			t.Fatal(err)
		}
		shows := false // more than rounding leaves
		for _, p := range left {
			shows = shows || meanWidth(p) > touching
		}
		got := m.hidden(ring, covers)
		if got && shows || !got && len(left) == 0 {
			t.Errorf("seed %d: %d covers hide the ring: %v, and an overlay leaves %d parts", seed, len(covers), got, len(left))
		}
		switch {
		case !got:
			free++
		case len(outermost([]lattice.Ring{ring}, covers)) > 0:
			together++
		default:
			hidden++
		}
	}
	if hidden < 20 || together < 150 || free < 150 {
		t.Errorf("of the rings %d are hidden by one cover, %d by several, and %d not", hidden, together, free)
	}
}

// TestBuried compares whether covers hide the part of a ring inside of a triangle with what an overlay leaves of that part.
func TestBuried(t *testing.T) {
	race.Skip(t)
	outside, buried, open := 0, 0, 0
	var m remainder
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 12))
		convex := func(at, size int32) lattice.Ring {
			c := lattice.Point{X: rng.Int32N(at), Y: rng.Int32N(at)}
			for {
				points := make([]lattice.Point, 5)
				for k := range points {
					points[k] = lattice.Point{X: c.X + rng.Int32N(size), Y: c.Y + rng.Int32N(size)}
				}
				if r := lattice.Hull(points); len(r) > 2 && r.Area2() > int64(size)*20 {
					return r
				}
			}
		}
		own := lattice.Ring{{X: 0, Y: 0}, {X: 3000, Y: 100}, {X: 200, Y: 3000}}
		ring := convex(2000, 600)
		var covers []lattice.Ring
		var boxes []lattice.Box
		for range 1 + rng.IntN(30) {
			c := convex(2500, 2000)
			covers, boxes = append(covers, c), append(boxes, c.Box())
		}
		parts := func(ring lattice.Ring) (inside, left []lattice.Polygon) {
			inside, err := overlay.Intersection([]lattice.Ring{ring}, []lattice.Ring{own})
			if err == nil {
				left, err = overlay.Difference(ringsOf(inside), covers)
			}
			if err != nil {
				t.Fatal(err)
			}
			return inside, left
		}
		inside, left := parts(ring)
		_, around := parts(movedOut(ring, touching))
		shows := false // more than rounding leaves
		for _, p := range left {
			shows = shows || meanWidth(p) > touching
		}
		got := m.buried(ring, own, covers, boxes)
		if got && shows || !got && len(around) == 0 {
			t.Errorf("seed %d: %d covers hide the part of the ring: %v, and an overlay leaves %d parts", seed, len(covers), got, len(left))
		}
		switch {
		case !got:
			open++
		case len(inside) == 0:
			outside++
		default:
			buried++
		}
	}
	if outside < 50 || buried < 100 || open < 100 {
		t.Errorf("of the rings %d are outside, %d are buried, and %d not", outside, buried, open)
	}
}
