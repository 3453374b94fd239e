package overlay_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// TestPartsMakeTheOffset: the rectangles beside the edges of a polygon and the sectors at its corners equal the
// offset's addition up to rounding.
func TestPartsMakeTheOffset(t *testing.T) {
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
