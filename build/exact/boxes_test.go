package exact

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestGrowTree verifies that a tree is the same on any number of cores, finds the boxes that meet a box, and stops when
// cancelled.
func TestGrowTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	odd := func(i int) bool { return i%2 == 1 }
	for _, n := range []int{0, 1, 7, 1000, 50000} {
		boxes := make([]box3, n)
		for i := range boxes {
			for k := range 3 {
				boxes[i].low[k] = rng.Int32N(100000) - 50000
				boxes[i].high[k] = boxes[i].low[k] + rng.Int32N(1000)
			}
		}
		want := newTree(boxes, odd)
		for _, jobs := range []int{1, 4} {
			got, err := growTree(t.Context(), boxes, odd, jobs)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%d boxes, %d jobs: a different tree", n, jobs)
			}
		}
		b := box3{low: [3]int32{-5000, -5000, -50000}, high: [3]int32{5000, 5000, 50000}}
		found := map[int32]bool{}
		for _, i := range want.search(&b, nil) {
			found[i.triangle] = true
		}
		if got := want.any(&b, all32); got != (len(found) > 0) {
			t.Errorf("%d boxes: any is %v, found %d", n, got, len(found))
		}
		if got := want.any(&b, func(t int32) bool { return !found[t] }); got {
			t.Errorf("%d boxes: any finds a box that search misses: %v", n, got)
		}
		// Two halves, grafted together, find the same boxes.
		low, high := newTree(boxes, func(i int) bool { return odd(i) && i < n/2 }), newTree(boxes, func(i int) bool { return odd(i) && i >= n/2 })
		if got := low.grafted(high).search(&b, nil); len(got) != len(found) || slices.ContainsFunc(got, func(i item) bool { return !found[i.triangle] }) {
			t.Errorf("%d boxes: a grafted tree finds %d, want %d", n, len(got), len(found))
		}
		for i := range boxes {
			if meets := odd(i) && boxes[i].meets(&b); meets != found[int32(i)] {
				t.Fatalf("%d boxes: box %d meets: %v, found: %v", n, i, meets, !meets)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := growTree(ctx, make([]box3, 50000), all, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled tree: %v", err)
	}
}
