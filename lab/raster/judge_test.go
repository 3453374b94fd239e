package raster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/obj"
)

// agreement compares the floor of a level with the judge.
func agreement(t *testing.T, lvl *level.Level, agent geom.Agent, placements int) groundtruth.Tally {
	t.Helper()
	p, err := Extract(t.Context(), lvl, agent, floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	// Borders are simplified within a cell, and passages are found by the centres of cells.
	cell := defaultCellSize(agent.Radius, agent.Height)
	nearer, farther := cell, 2*cell
	tally, err := groundtruth.Compare(t.Context(), lvl, agent, groundtruth.Comparison{
		Placements: placements, Seed: 1, Nearer: nearer, Farther: farther, Inside: floortest.Inside(p),
	})
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

// agents are the agent for real levels and the agent of the laws.
var agents = []geom.Agent{{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.45}, floortest.Agent}

// TestAgreement compares floors with the judge at random places. The quick form tries every fourth kind with either agent.
func TestAgreement(t *testing.T) {
	race.Skip(t)
	const placements = 250
	for i, agent := range agents {
		for j, k := range levelgen.Kinds() {
			if !slow.Enabled() && j%(2*len(agents)) != 2*i {
				continue
			}
			lvl, err := levelgen.Generate(k.Name, levelgen.Options{Size: min(k.Size, max(k.MinSize, 30))})
			if err != nil {
				t.Fatal(err)
			}
			got := agreement(t, lvl, agent, placements)
			if got.Walkable == 0 || len(got.Disagreements) > 0 {
				t.Errorf("%s, radius %g: %v", k.Name, agent.Radius, got)
			}
		}
		for seed := range uint64(slow.Count(1, 3)) {
			s := floortest.RandomScene(seed, 14, 25)
			// One ledge, in scene 2 for the wide agent, blocks a little more than the two cells of the comparison.
			if got := agreement(t, &s.Level, agent, placements); len(got.Disagreements) > 1 || got.Walkable == 0 {
				t.Errorf("random scene %d, radius %g: %v", seed, agent.Radius, got)
			}
		}
	}
}

// TestAgreementOnLevels compares floors of real levels with the judge. With MEADOW_PLACEMENTS it tries as
// many places on each level, for every agent, and prints the result and the other extractor's opinion;
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
	for i, agent := range agents {
		realLevels(t, func(lvl *level.Level) {
			if only := os.Getenv("MEADOW_ONLY"); only != "" && !strings.Contains(only, lvl.Name) {
				return
			}
			if !long && (i > 0 || len(lvl.Triangles) > 12000) {
				return // takes long
			}
			got := agreement(t, lvl, agent, placements)
			if got.Walkable == 0 || len(got.Disagreements) > 0 {
				t.Errorf("%s, radius %g: %v", lvl.Name, agent.Radius, got)
			}
			if long {
				fmt.Printf("%-11s %.1f m %v\n", lvl.Name, agent.Radius, got)
				secondOpinion(t, lvl, agent, got)
			}
		})
	}
}

// secondOpinion prints the other extractor's verdict on places.
func secondOpinion(t *testing.T, lvl *level.Level, agent geom.Agent, of groundtruth.Tally) {
	p, err := exact.Extract(t.Context(), lvl, agent, floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("    exact is %s\n", of.SecondOpinion(floortest.Inside(p), agent.MaxClimb))
}

// realLevels calls f with every real level there is, or skips.
func realLevels(t *testing.T, f func(lvl *level.Level)) {
	t.Helper()
	for _, path := range reallevels.Glob(t, "*.obj") {
		lvl, err := obj.Decode(must(os.Open(path)), nil, strings.TrimSuffix(filepath.Base(path), ".obj"), level.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f(lvl)
	}
}
