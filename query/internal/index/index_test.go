package index

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
)

// TestRegionHeights compares the height bounds of regions with bounds by every pair of a region and a triangle. The
// triangles of the surfaces follow each other along rows, in no order, or in runs with gaps between.
func TestRegionHeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	for round := range 30 {
		var tin lattice.TIN
		const n, pitch = 12, 400
		for y := range int32(n + 1) {
			for x := range int32(n + 1) {
				p := lattice.Point{X: x*pitch + rng.Int32N(300), Y: y*pitch + rng.Int32N(300)}
				tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: p, Z: rng.Int32N(1000)})
			}
		}
		for y := range uint32(n) {
			for x := range uint32(n) {
				if round%3 == 2 && rng.IntN(4) == 0 {
					continue
				}
				a, b := y*(n+1)+x, (y+1)*(n+1)+x
				tin.Triangles = append(tin.Triangles, [3]uint32{a, a + 1, b}, [3]uint32{a + 1, b + 1, b})
			}
		}
		if round%3 == 1 {
			rng.Shuffle(len(tin.Triangles), func(i, k int) {
				tin.Triangles[i], tin.Triangles[k] = tin.Triangles[k], tin.Triangles[i]
			})
		}
		ix := new(Index)
		ix.fill(&builder{regions: make([]Region, 40), endRim: make([]int, 40), flags: make([]uint32, 40)})
		boxes := make([]box, ix.RegionLimit())
		for i := range boxes {
			x, y := rng.Int32N(n*pitch), rng.Int32N(n*pitch)
			boxes[i] = box{Low: [3]int32{x, y, math.MinInt32}, High: [3]int32{x + rng.Int32N(1500), y + rng.Int32N(1500), math.MaxInt32}}
			low := rng.Int32N(1000)
			*ix.Region(uint32(i)) = Region{Floor: uint32(rng.IntN(2)), Low: low, High: low + rng.Int32N(100)}
		}
		want := make([]Region, ix.RegionLimit())
		for i := range want {
			want[i] = *ix.Region(uint32(i))
		}
		for i := range want {
			for k := range tin.Triangles {
				if b := boxOf(&tin, k); want[i].Floor == 1 && b.Meets(&boxes[i]) {
					low, high := heightsOver(&tin, k, &b, &boxes[i])
					want[i].Low, want[i].High = min(want[i].Low, low), max(want[i].High, high)
				}
			}
		}
		ix.tree = *boxtree.New(boxes, nil)
		if err := ix.addHeights(t.Context(), &tin, 1, boxes); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			r := ix.Region(uint32(i))
			if r.Low != want[i].Low || r.High != want[i].High {
				t.Fatalf("round %d, region %d: from %d to %d, want %d to %d", round, i, r.Low, r.High, want[i].Low, want[i].High)
			}
		}
	}
}
