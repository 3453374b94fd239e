package overlay_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestPartsMakeTheOffset: the rectangles beside the edges of a polygon and the sectors at its corners equal the
// offset's addition up to rounding.
func TestPartsMakeTheOffset(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(20) {
		p := corpus.Polygon(seed, 60, 3)
		rng := rand.New(rand.NewPCG(seed, 1))
		o := overlay.Offset{Distance: 500 + 4000*rng.Float64(), Tolerance: 100}
		whole, err := o.Polygons([]lattice.Polygon{p})
		if err != nil {
			t.Fatal(err)
		}
		rings := p.Rings
		border := 0.0
		for _, r := range p.Rings {
			for i, v := range r {
				prev, next := r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]
				side, err := o.Beside(v, next)
				if err != nil || side.Area2() <= 0 {
					t.Fatal(side, err)
				}
				rings = append(rings, side)
				border += v.Distance(next) + 2*math.Pi*o.Distance
				if lattice.Orient(prev, v, next) > 0 {
					corner, err := o.Corner(prev, v, next)
					if err != nil || corner.Area2() < 0 {
						t.Fatal(corner, err)
					}
					rings = append(rings, corner)
				}
			}
		}
		parts, err := overlay.Union(rings)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(area(parts)-area(whole)) / 2; off > 2*border {
			t.Errorf("seed %d: %.0f square units, offset %.0f", seed, area(parts)/2, area(whole)/2)
		}
	}
}

// TestPartsLeaveTheFrame: a part that leaves the frame is an error.
func TestPartsLeaveTheFrame(t *testing.T) {
	o := overlay.Offset{Distance: 10, Tolerance: 1}
	a, b, c := lattice.Point{X: 0, Y: -lattice.MaxCoord}, lattice.Point{X: 100, Y: -lattice.MaxCoord}, lattice.Point{X: 100}
	if _, err := o.Beside(a, b); err == nil {
		t.Error("beside")
	}
	if _, err := o.Corner(a, b, c); err == nil {
		t.Error("corner")
	}
}

func area(polygons []lattice.Polygon) float64 {
	sum := 0.0
	for _, p := range polygons {
		sum += float64(p.Area2())
	}
	return sum
}

// TestConvex: the outline around the hull of random points, a segment or a point keeps the distance, and has the area of
// the offset of polygons.
func TestConvex(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for range 2000 {
		points := make([]lattice.Point, 1+rng.IntN(12))
		for i := range points {
			points[i] = lattice.Point{X: rng.Int32N(10000) - 5000, Y: rng.Int32N(6000)}
		}
		ring := lattice.Ring(points[:min(2, len(points))])
		if len(points) > 2 {
			ring = lattice.Hull(points)
		}
		o := overlay.Offset{Distance: 20 + 4000*rng.Float64(), Tolerance: 100}
		out, err := o.Convex(ring)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range out {
			q := out[(i+1)%len(out)]
			if lattice.Orient(p, q, out[(i+2)%len(out)]) <= 0 {
				t.Fatalf("%v: no left turn after %v", out, q)
			}
			near, corner := math.Inf(1), math.Inf(1)
			for k, a := range ring {
				b := ring[(k+1)%len(ring)]
				near = min(near, math.Sqrt(lattice.SegmentsDistance2(p, q, a, b).Float()))
				corner = min(corner, math.Sqrt(lattice.SegmentDistance2(p, a, b).Float()))
			}
			if math.Abs(near-o.Distance) > 2 || corner > o.Distance+o.Tolerance+2 {
				t.Fatalf("%v: the side from %v is at %.1f, its start at %.1f; want %.1f", ring, p, near, corner, o.Distance)
			}
		}
		if len(ring) < 3 {
			continue
		}
		whole, err := o.Polygons([]lattice.Polygon{{Rings: []lattice.Ring{ring}}})
		if err != nil || len(whole) != 1 {
			t.Fatal(whole, err)
		}
		if a, b := float64(out.Area2()), float64(whole[0].Area2()); math.Abs(a-b) > 1e-4*b+1e5 {
			t.Fatalf("%v: area %g, as polygons %g", ring, a/2, b/2)
		}
	}
	if r, err := (overlay.Offset{Distance: 9, Tolerance: 1}).Convex([]lattice.Point{{X: lattice.MaxCoord - 3}}); err == nil {
		t.Errorf("%v outside of the frame", r)
	}
}
