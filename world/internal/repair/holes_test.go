package repair

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestHolesAreTheArrangement compares the rings of obstacles amid a region with those of the arrangement: some obstacles have a
// gap of a few units to a side, a line near the region or each other.
func TestHolesAreTheArrangement(t *testing.T) {
	var quick, slow Cutter
	tight, found, several := 0, 0, 0
	for seed := range uint64(60_000) {
		rng := rand.New(rand.NewPCG(seed, 9))
		size := int32(64) << rng.IntN(8)
		r := randomRegion(rng, size)
		for range rng.IntN(3) {
			at := lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)}
			r.Near = append(r.Near, [2]lattice.Point{at, {X: at.X + rng.Int32N(9) - 4, Y: at.Y + rng.Int32N(9) - 4}})
		}
		var outlines []Outline
		for range 1 + rng.IntN(3) {
			outlines = append(outlines, randomOutlines(rng, size, 1)...)
			if rng.IntN(3) == 0 { // an obstacle that fits tightly
				var points []lattice.Point
				for i, p := range r.Ring {
					in := r.Ring[(i+1)%len(r.Ring)]
					points = append(points, lattice.Point{X: p.X + (in.X-p.X)/8 + rng.Int32N(5) - 2, Y: p.Y + (in.Y-p.Y)/8 + rng.Int32N(5) - 2})
				}
				outlines = append(outlines, Outline{Rings: []lattice.Ring{lattice.Hull(points)}, Kind: Obstacle})
			}
		}
		for i := range outlines {
			if outlines[i].Kind >= 0 {
				outlines[i].Kind = Obstacle
			}
		}
		rings, ok := quick.holes(&r, outlines)
		if !ok {
			continue
		}
		found++
		if len(rings) > 2 {
			several++
		}
		slow.arrange(&r, outlines)
		slow.classes(func(class int32, want []ring) {
			if class != None || len(want) != len(rings) {
				t.Fatalf("seed %d: class %d with %d rings, want %d", seed, class, len(want), len(rings))
			}
			for i := range want {
				if !slices.Equal(quick.pointsOf(&rings[i]), slow.pointsOf(&want[i])) || !slices.Equal(rings[i].labels, want[i].labels) {
					t.Fatalf("seed %d: ring %d is %v %v, want %v %v", seed, i, quick.pointsOf(&rings[i]), rings[i].labels, slow.pointsOf(&want[i]), want[i].labels)
				}
			}
		})
		for _, o := range outlines {
			for _, p := range o.Rings[0] {
				for i, a := range r.Ring {
					if lattice.SegmentDistance2(p, a, r.Ring[(i+1)%len(r.Ring)]).CompareInt(64) < 0 {
						tight++
					}
				}
			}
		}
	}
	if found < 5000 || several < 30 || tight < 80 {
		t.Errorf("%d regions with obstacles amid, %d with several, %d tight corners: too few", found, several, tight)
	}
}

func (a *arrangement) pointsOf(r *ring) (list []lattice.Point) {
	for _, v := range r.vertices {
		list = append(list, a.points[v])
	}
	return list
}
