package exact

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestSoups extracts floors from random triangles, for points and for wider agents. The triangles go through each
// other, are upright or upside down, and share no edges. The extractor makes valid plans of all soups.
func TestSoups(t *testing.T) {
	race.Skip(t)
	found := 0
	for seed := range uint64(soups) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := &floortest.Scene{}
		s.Floor(0, 0, 8, 8, 0)
		for range 5 + r.IntN(80) {
			at := geom.Vec{X: 8 * r.Float64(), Y: 3*r.Float64() - 0.5, Z: -8 * r.Float64()}
			var v [3]geom.Vec
			for i := range v {
				v[i] = at.Add(geom.Vec{X: 3*r.Float64() - 1.5, Y: (2*r.Float64() - 1) * r.Float64(), Z: 3*r.Float64() - 1.5})
			}
			s.Triangle(v[0], v[1], v[2])
		}
		agent := floortest.Agent
		agent.Radius = 0.3 * max(0, r.Float64()-0.25)
		p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true})
		if err != nil {
			continue // nowhere to stand
		}
		found++
		floortest.CheckPlan(t, p)
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	if found < soups/2 {
		t.Errorf("only %d of %d soups have a floor", found, soups)
	}
}

const soups = 60
