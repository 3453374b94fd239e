package overlay_test

import (
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// TestPairs compares pairs, and the polygons of rules on pairs, with brute force over all pairs and all edges. Some inputs are in
// groups of two.
func TestPairs(t *testing.T) {
	found := 0
	for seed := range uint64(30) {
		for _, groups := range []int{1, 2} {
			const n = 5
			var inputs [][]lattice.Ring
			for k := range uint64(n * groups) {
				inputs = append(inputs, corpus.Polygon(31*seed+k, 30, 2).Rings)
			}
			a, err := overlay.Arrange(inputs...)
			if err != nil {
				t.Fatal(err)
			}
			pairs := a.Pairs(n)
			for m := range n {
				for k := range m {
					both := func(w overlay.Winding) bool { return w[k] > 0 && w[m] > 0 }
					rule := func(w overlay.Winding) bool {
						return both(w) && (groups == 1 || (w[n+k] > 0 || w[n+m] > 0) == (seed%2 == 0))
					}
					listed := len(pairs) > 0 && pairs[0].K == k && pairs[0].M == m
					if together := a.Polygons(both); (len(together) > 0) != listed {
						t.Fatalf("seed %d: inputs %d and %d: %d polygons together, next pair is of %v", seed, k, m, len(together), pairs)
					}
					if !listed {
						continue
					}
					if got, want := a.Common(pairs[0], rule), a.Polygons(rule); !reflect.DeepEqual(got, want) {
						t.Errorf("seed %d: inputs %d and %d: %v, want %v", seed, k, m, got, want)
					}
					pairs = pairs[1:]
					found++
				}
			}
			if len(pairs) > 0 {
				t.Errorf("seed %d: pairs %v too many, or out of order", seed, pairs)
			}
			a.Release()
		}
	}
	if found == 0 {
		t.Error("no two inputs cover a place together")
	}
}

// TestOutlinesEach compares the outlines of all inputs at once with single outlines.
func TestOutlinesEach(t *testing.T) {
	for seed := range uint64(30) {
		var inputs [][]lattice.Ring
		for k := range uint64(4) {
			inputs = append(inputs, corpus.Polygon(17*seed+k, 40, 3).Rings)
		}
		a, err := overlay.Arrange(inputs...)
		if err != nil {
			t.Fatal(err)
		}
		label := func(k int, _, _ lattice.Point, right overlay.Winding) int32 {
			sum := int32(k)
			for i, w := range right {
				sum += w << (4 * i)
			}
			return sum
		}
		got := a.OutlinesEach(3, label)
		if len(got) != 3 {
			t.Fatalf("outlines of %d inputs", len(got))
		}
		for k := range got {
			want := a.Outlines(overlay.Positive(k), func(from, to lattice.Point, right overlay.Winding) int32 { return label(k, from, to, right) })
			if !reflect.DeepEqual(got[k], want) {
				t.Errorf("seed %d, input %d: %v, want %v", seed, k, got[k], want)
			}
		}
		a.Release()
	}
}
