package overlay_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// TestReduce: rules give the same results on the inputs and on the rules as inputs, also for outlines labelled by
// the far side, and for rules that hold nowhere.
func TestReduce(t *testing.T) {
	for seed := range uint64(40) {
		var inputs [][]lattice.Ring
		for k := range uint64(5) {
			inputs = append(inputs, corpus.Polygon(7*seed+k, 40, 2).Rings)
		}
		rules := []overlay.Rule{
			func(w overlay.Winding) bool { return w[0] > 0 && w[1] <= 0 },
			func(w overlay.Winding) bool { return w[2] > 0 || w[3] > 0 },
			func(w overlay.Winding) bool { return w[1] > 0 && w[4] > 0 },
			func(overlay.Winding) bool { return false },
		}
		mask := func(holds func(k int) bool) (m int32) {
			for k := range rules {
				if holds(k) {
					m |= 1 << k
				}
			}
			return m
		}
		given := func(w overlay.Winding) int32 { return mask(func(k int) bool { return rules[k](w) }) }
		reduced := func(w overlay.Winding) int32 { return mask(func(k int) bool { return w[k] > 0 }) }
		a, err := overlay.Arrange(inputs...)
		if err != nil {
			t.Fatal(err)
		}
		var want [][]overlay.Outline
		for _, r := range rules {
			want = append(want, a.Outlines(r, func(_, _ lattice.Point, right overlay.Winding) int32 { return given(right) }))
		}
		places := masks(a, given)
		a.Reduce(rules...)
		for k := range rules {
			got := a.Outlines(overlay.Positive(k), func(_, _ lattice.Point, right overlay.Winding) int32 { return reduced(right) })
			if !reflect.DeepEqual(got, want[k]) {
				t.Errorf("seed %d, rule %d: %d outlines, not the %d before, or others", seed, k, len(got), len(want[k]))
			}
		}
		if got := masks(a, reduced); !slices.Equal(got, places) {
			t.Errorf("seed %d: rules hold together as in %v, before as in %v", seed, got, places)
		}
		a.Release()
	}
}

// masks lists the masks beside edges, in order.
func masks(a *overlay.Arrangement, mask func(overlay.Winding) int32) []int32 {
	var all []int32
	a.Each(func(w overlay.Winding) { all = append(all, mask(w)) })
	slices.Sort(all)
	return slices.Compact(all)
}
