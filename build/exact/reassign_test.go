package exact

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// seamCost returns the cost of the links between layers.
func (e *extraction) seamCost() int64 {
	sum := int64(0)
	for l := range e.allLinks() {
		if e.layer[l.from] != e.layer[l.to] {
			sum += int64(l.a.Distance(l.b.Point)) + seamCorner
		}
	}
	return sum
}

// TestReassign verifies on small random floors that seams get no longer, and that no layer lies over itself. No set of
// triangles, none of them over another, could move to one layer and make the seams shorter still.
func TestReassign(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(3, 4))
	better := 0
	for try := range 400 {
		const n = 9
		e := &extraction{layers: 3, layer: make([]int32, n)}
		var linked, pairs [][2]int32
		for range 2 * n {
			a, b := rng.Int32N(n), rng.Int32N(n)
			if a == b {
				continue
			}
			r := rim{triangle: a, joined: []step{{b, stretch{0, 1}}}}
			r.b.Point = lattice.Point{X: rng.Int32N(8000)}
			e.rims = append(e.rims, r)
			linked = append(linked, [2]int32{a, b})
		}
		for i := range e.layer {
			e.layer[i] = rng.Int32N(3)
		}
		for range rng.IntN(n) {
			a, b := rng.Int32N(n), rng.Int32N(n)
			if e.layer[a] != e.layer[b] {
				pairs = append(pairs, [2]int32{a, b})
			}
		}
		e.linked = neighbours(n, linked)
		over := neighbours(n, pairs)
		before := e.seamCost()
		e.reassign(over)
		after := e.seamCost()
		if after > before {
			t.Fatalf("try %d: seams cost %d, %d before", try, after, before)
		}
		if after < before {
			better++
		}
		for i, l := range e.layer {
			if slices.ContainsFunc(over.Of(int32(i)), func(o int32) bool { return e.layer[o] == l }) {
				t.Fatalf("try %d: triangle %d lies over another of layer %d", try, i, l)
			}
		}
		was := slices.Clone(e.layer)
		for to := range int32(3) {
		moves:
			for moved := range 1 << n {
				copy(e.layer, was)
				for i := range int32(n) {
					if moved>>i&1 == 0 {
						continue
					}
					// A triangle over or under a movable triangle may have stayed for the sake of the latter.
					for _, o := range over.Of(i) {
						if was[o] == to || e.fits(o, to, over) {
							continue moves
						}
					}
					e.layer[i] = to
				}
				if c := e.seamCost(); c < after {
					t.Fatalf("try %d: seams cost %d, and %d with triangles %b in layer %d", try, after, c, moved, to)
				}
			}
		}
	}
	if better < 200 {
		t.Errorf("only %d of 400 floors have shorter seams", better)
	}
}

// TestPartsShareLayers verifies that parts are stacked no higher than necessary.
func TestPartsShareLayers(t *testing.T) {
	e := &extraction{layers: 2, layer: []int32{0, 1, 0, 0, 1, unassigned}}
	// Triangles 0 and 1 are a part. Triangle 2 is another part, and lies over 0. Triangles 3 and 4 are a third part: 4
	// lies over 0, and 3 over 2.
	parts := unionfind.New(6)
	parts.Union(0, 1)
	parts.Union(3, 4)
	e.stack([]int32{0, 1, 2, 3, 4}, parts, neighbours(6, [][2]int32{{2, 0}, {4, 0}, {3, 2}}))
	if want := []int32{0, 1, 1, 0, 1, unassigned}; !slices.Equal(e.layer, want) || e.layers != 2 {
		t.Errorf("layers %v of %d, want %v of 2", e.layer, e.layers, want)
	}
}
