package exact

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// agreement compares the floor of a level with the judge.
func agreement(t *testing.T, lvl *level.Level, agent geom.Agent, placements int) groundtruth.Tally {
	t.Helper()
	p, err := Extract(t.Context(), lvl, agent, floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	const nearer, farther = 0.01, OffsetTolerance + DefaultSimplify + 0.005
	tally, err := groundtruth.Compare(t.Context(), lvl, agent, groundtruth.Comparison{
		Placements: placements, Seed: 1, Nearer: nearer, Farther: farther, Inside: floortest.Inside(p),
	})
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

// agents are the agent of the real levels with its default gap, the default agent, and the agent of the laws.
var agents = []geom.Agent{{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.45}, {Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.2}, floortest.Agent}

// TestAgreement compares floors with the judge at random places. The quick form tries one agent per kind, in turn.
func TestAgreement(t *testing.T) {
	race.Skip(t)
	const placements = 250
	for i, agent := range agents {
		for j, k := range levelgen.Kinds() {
			if !slow.Enabled() && j%len(agents) != i {
				continue
			}
			lvl, err := levelgen.Generate(k.Name, levelgen.Options{Size: min(k.Size, max(k.MinSize, 30))})
			if err != nil {
				t.Fatal(err)
			}
			if got := agreement(t, lvl, agent, placements); len(got.Disagreements) > 0 || got.Walkable == 0 {
				t.Errorf("%s, radius %g: %v", k.Name, agent.Radius, got)
			}
		}
		for seed := range uint64(slow.Count(2, 6)) {
			s := floortest.RandomScene(seed, 14, 25)
			if got := agreement(t, &s.Level, agent, placements); len(got.Disagreements) > 0 || got.Walkable == 0 {
				t.Errorf("random scene %d, radius %g: %v", seed, agent.Radius, got)
			}
		}
	}
}

// TestAgreementOnLevels compares floors of real levels with the judge. With MEADOW_PLACEMENTS the test tries as many
// places on every level and map, for every agent. Tally and opinion of the other extractor are then printed.
// MEADOW_ONLY names some of the levels.
func TestAgreementOnLevels(t *testing.T) {
	race.Skip(t)
	placements, long := 300, false
	if s := os.Getenv("MEADOW_PLACEMENTS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		placements, long = n, true
	}
	for _, agent := range agents {
		realLevels(t, func(lvl *level.Level) {
			if only := os.Getenv("MEADOW_ONLY"); only != "" && !strings.Contains(only, lvl.Name) {
				return
			}
			t.Run(fmt.Sprintf("%s/radius %g", lvl.Name, agent.Radius), func(t *testing.T) {
				if !long && len(lvl.Triangles) > 12000 {
					t.Skipf("%d triangles take long: set MEADOW_PLACEMENTS", len(lvl.Triangles))
				}
				got := agreement(t, lvl, agent, placements)
				if got.Walkable == 0 || len(got.Disagreements) > 0 {
					t.Error(got)
				}
				if long {
					fmt.Printf("%-11s %.1f m %v\n", lvl.Name, agent.Radius, got)
					if len(got.Disagreements) > 0 {
						secondOpinion(t, lvl, agent, got)
					}
				}
			})
		})
	}
}

// secondOpinion prints the verdict of the other extractor on places.
func secondOpinion(t *testing.T, lvl *level.Level, agent geom.Agent, of groundtruth.Tally) {
	p, err := raster.Extract(t.Context(), lvl, agent, floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("    raster is %s\n", of.SecondOpinion(floortest.Inside(p), agent.MaxClimb))
}
