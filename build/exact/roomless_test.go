package exact

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/soup"
)

// TestRoomless verifies that floors without room for the agent have no place, and change no place on other floors. Shelves of all widths up
// to twice the agent's hang over random scenes: near each other, near the scene, and far from both.
func TestRoomless(t *testing.T) {
	race.Skip(t)
	const wide, shelves = 4, 40
	agent := floortest.Agent
	agent.MaxGap = 0.2
	kinds := map[room]int{}
	for seed := range uint64(10) {
		s := floortest.RandomScene(seed, 15, 15)
		r := rand.New(rand.NewPCG(seed, 15))
		between := func(low, high float64) float64 { return low + r.Float64()*(high-low) }
		for range shelves {
			x, y, z := between(0, 15), between(0, 15), between(0.5, 6)
			dx, dy := between(0.02, 3), between(0.02, wide*agent.Radius)
			s.Quad(geom.FromGround(x, y, z), geom.FromGround(x+dx, y, z), geom.FromGround(x+dx, y+dy, z), geom.FromGround(x, y+dy, z))
		}
		read, err := soup.Read(&s.Level, agent)
		if err != nil {
			t.Fatal(err)
		}
		var free [2][]lattice.Ring
		for k := range free {
			e := newExtraction(read, agent)
			if err := e.plant(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			if k == 1 {
				e.findRoomless()
			}
			if err := e.findPlanted(t.Context(), 1, func(int, string) {}); err != nil {
				t.Fatal(err)
			}
			for i := range e.rooms {
				kinds[e.rooms[i]]++
			}
			for _, rings := range freeOf(t, e) {
				free[k] = append(free[k], rings...)
			}
		}
		for _, pair := range [2][2][]lattice.Ring{{free[0], free[1]}, {free[1], free[0]}} {
			differ, err := overlay.Difference(pair[0], pair[1])
			if err != nil {
				t.Fatal(err)
			}
			differ, err = overlay.Offset{Distance: -touching, Join: overlay.Mitre}.Polygons(differ)
			if err != nil {
				t.Fatal(err)
			}
			if len(differ) > 0 {
				t.Errorf("seed %d: differ around %v", seed, differ[0].Rings[0])
			}
		}
	}
	if kinds[lone] < 20 || kinds[stacked] < 20 {
		t.Errorf("%d lone triangles, %d stacked ones: too few", kinds[lone], kinds[stacked])
	}
}
