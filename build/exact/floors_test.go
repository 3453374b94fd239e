package exact

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/soup"
)

// TestFloorsOfLayers compares the floors of layers, put together along shared edges, with the union of all their
// triangles' floors.
func TestFloorsOfLayers(t *testing.T) {
	race.Skip(t)
	rings := 0
	for seed := range uint64(12) {
		s := floortest.RandomScene(seed, 14, 25)
		read, err := soup.Read(&s.Level, floortest.Agent)
		if err != nil {
			t.Fatal(err)
		}
		e := layered(t, read, floortest.Agent)
		e.left = make([]bool, len(e.layer))
		ts := make([]territory, e.layers)
		e.addFloors(ts)
		all := make([][]lattice.Ring, e.layers)
		for i, l := range e.layer {
			if l != unassigned {
				all[l] = append(all[l], e.rings(int32(i))...)
			}
		}
		for l := range ts {
			got, err := overlay.Union(ts[l].floor)
			if err != nil {
				t.Fatal(err)
			}
			want, err := overlay.Union(all[l])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("scene %d, layer %d:\n%s", seed, l, diff)
			}
			rings += len(all[l]) - len(ts[l].floor)
		}
	}
	if rings < 20 {
		t.Errorf("only %d triangles were put together", rings)
	}
}
