package query

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomBoxes draws boxes of very different sizes, some equal and some points.
func randomBoxes(rng *rand.Rand, n int) []box {
	boxes := make([]box, n)
	for i := range boxes {
		if i > 0 && rng.IntN(8) == 0 {
			boxes[i] = boxes[i-1]
			continue
		}
		for k := range 3 {
			at, size := rng.Int32N(2000)-1000, rng.Int32N(1<<rng.IntN(10))
			boxes[i].min[k], boxes[i].max[k] = at, at+size
		}
	}
	return boxes
}

// TestBoxTreeAgainstBruteForce compares trees of many sizes with a loop over all items: overlaps with a box, and items
// within reach of a point.
func TestBoxTreeAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 2, 7, 8, 9, 63, 64, 65, 513, 1000} {
		boxes := randomBoxes(rng, n)
		tree := makeBoxTree(boxes)
		if rng.IntN(2) == 0 {
			// Other boxes for the same order.
			boxes = randomBoxes(rng, n)
			tree.fit(boxes)
		}
		for range 200 {
			want := randomBoxes(rng, 1)[0]
			var got, all []uint32
			var walk boxWalk
			walk.start(&tree, want)
			for i, ok := walk.next(); ok; i, ok = walk.next() {
				got = append(got, i)
			}
			for i := range boxes {
				if boxes[i].overlaps(&want) {
					all = append(all, uint32(i))
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, all) {
				t.Fatalf("%d boxes: %v overlap %v, want %v", n, got, want, all)
			}

			from := [3]float64{float64(want.min[0]), float64(want.min[1]), float64(want.min[2])}
			limit2 := rng.Float64() * 1e5
			got, all = nil, nil
			var search boxSearch
			search.start(&tree, from)
			for i, ok := search.next(limit2); ok; i, ok = search.next(limit2) {
				got = append(got, i)
			}
			for i := range boxes {
				if boxes[i].distance2(from) <= limit2 {
					all = append(all, uint32(i))
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, all) {
				t.Fatalf("%d boxes: %v within the root of %v of %v, want %v", n, got, limit2, from, all)
			}
		}
	}
}

// TestHilbert checks that the curve visits every cell once and moves to a neighbour each time.
func TestHilbert(t *testing.T) {
	const side = 32
	at := make([][2]int, side*side)
	seen := make([]bool, side*side)
	for x := range side {
		for y := range side {
			d := hilbert(uint32(x), uint32(y))
			if d >= side*side || seen[d] {
				t.Fatalf("cell %d,%d is number %d, which is taken or too large", x, y, d)
			}
			seen[d], at[d] = true, [2]int{x, y}
		}
	}
	for d := 1; d < len(at); d++ {
		dx, dy := at[d][0]-at[d-1][0], at[d][1]-at[d-1][1]
		if dx*dx+dy*dy != 1 {
			t.Fatalf("from %v to %v is no single step", at[d-1], at[d])
		}
	}
}
