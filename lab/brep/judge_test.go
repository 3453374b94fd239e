package brep

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestAgreement compares floors with the brute-force judge at random places of random scenes and of generated levels. The
// judge knows triangles only: a floor inside of a solid that is higher than the agent is free for it, and not for us.
func TestAgreement(t *testing.T) {
	race.Skip(t)
	const placements = 250
	try := func(name string, lvl *level.Level) {
		p, err := Extract(t.Context(), lvl, floortest.Agent, floorplan.Options{KeepAll: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		floortest.CheckPlan(t, p)
		got, err := groundtruth.Compare(t.Context(), lvl, floortest.Agent, groundtruth.Comparison{
			Placements: placements, Seed: 1, Nearer: 0.01, Farther: exact.OffsetTolerance + exact.DefaultSimplify + 0.005,
			Inside: floortest.Inside(p),
		})
		if err != nil {
			t.Fatal(err)
		}
		got.Disagreements = slices.DeleteFunc(got.Disagreements, func(d groundtruth.Disagreement) bool {
			return !d.Inside && slices.ContainsFunc(lvl.Solids, func(s level.Solid) bool { return inside(&s, d.At.Add(geom.Vec{Y: 0.01})) > 0 })
		})
		if len(got.Disagreements) > 0 || got.Walkable == 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	for seed := range uint64(4) {
		try("scattered", &scattered(seed, 25).Level)
	}
	for _, kind := range []string{"rooms", "stairs", "bridge", "arch", "random"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		try(kind, lvl)
	}
}
