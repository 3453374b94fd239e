package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestPlaceless verifies that crossings without placeless links free the same places as all crossings. The scenes are full, and many links have
// no place nearby.
func TestPlaceless(t *testing.T) {
	race.Skip(t)
	all, kept := 0, 0
	for seed := range uint64(8) {
		e := fullScene(t, seed)
		settlers := e.settlers()
		groups, err := e.groupCrossings(t.Context(), 1, settlers)
		if err != nil {
			t.Fatal(err)
		}
		for i := range groups {
			all += len(groups[i].links)
		}
		want := freedBy(t, e, groups, e.divided)
		if groups, err = e.dropPlaceless(t.Context(), 1, groups, settlers); err != nil {
			t.Fatal(err)
		}
		got := freedBy(t, e, groups, func(c *crossing, whole territory, floors [][]lattice.Ring) ([]claim, error) {
			if c.links = e.linksIn(c, &whole); len(c.links) == 0 {
				return nil, nil
			}
			return e.divided(c, whole, floors)
		})
		for i := range groups {
			kept += len(groups[i].links)
		}
		for l := range want {
			// A crossing frees places within the margin of its links, and knows only some of the places farther away. The layer's own
			// erosion has those.
			lost, err := overlay.Difference(want[l], got[l])
			if err != nil {
				t.Fatal(err)
			}
			if lost, err = (overlay.Offset{Distance: -touching, Join: overlay.Mitre}).Polygons(lost); err != nil {
				t.Fatal(err)
			}
			if len(lost) > 0 {
				t.Errorf("seed %d, layer %d: no crossing frees the places around %v", seed, l, lost[0].Rings[0])
			}
		}
	}
	if all-kept < 100 {
		t.Errorf("%d of %d links are placeless: too few", all-kept, all)
	}
}

// freedBy returns the places by layer that crossings free, given how the floor around a crossing is divided.
func freedBy(t *testing.T, e *extraction, groups []crossing, divided func(*crossing, territory, [][]lattice.Ring) ([]claim, error)) [][]lattice.Ring {
	t.Helper()
	parts, err := e.clipAll(t.Context(), 1, groups)
	if err != nil {
		t.Fatal(err)
	}
	free := make([][]lattice.Ring, e.layers)
	for i := range groups {
		whole, floors, err := e.around(&groups[i], parts)
		if err != nil {
			t.Fatal(err)
		}
		claims, err := divided(&groups[i], whole, floors)
		if err != nil {
			t.Fatal(err)
		}
		for l := range claims {
			free[l] = append(free[l], claims[l].free...)
		}
	}
	return free
}
