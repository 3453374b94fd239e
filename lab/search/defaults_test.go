package search

import "testing"

// TestNumbersOfGoroutines: the defaults and bounds that the options promise.
func TestNumbersOfGoroutines(t *testing.T) {
	g, err := NewGraph(2, []Edge{{From: 0, To: 1, Cost: 1}, {From: 1, To: 0, Cost: 1}})
	if err != nil {
		t.Fatal(err)
	}
	o, err := NewOverview(g, []int32{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ asked, hierarchy, distributed, ripples int }{
		{-1, 1, 1, 2}, {0, 2, 2, 4}, {1, 1, 1, 2}, {3, 3, 4, 3}, {64, 64, 64, 64}, {99, 64, 64, 64},
	} {
		h, err := NewParallelHierarchy(g, nil, o, HierarchyOptions{Workers: c.asked})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRipple(g, nil, o, RippleOptions{Ripples: c.asked})
		if err != nil {
			t.Fatal(err)
		}
		d := NewDistributed(g, nil, DistributedOptions{Workers: c.asked})
		if got := [3]int{len(h.errands.workers), len(d.workers), len(r.ripples)}; got != [3]int{c.hierarchy, c.distributed, c.ripples} {
			t.Errorf("%d asked for: %v", c.asked, got)
		}
	}
}
