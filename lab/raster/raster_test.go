package raster

import (
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
)

func TestExtractSquare(t *testing.T) { floortest.ExtractSquare(t, Extract) }

func TestBorderDistance(t *testing.T) {
	race.Skip(t)
	floortest.BorderDistance(t, Extract, defaultCellSize(floortest.Agent.Radius, floortest.Agent.Height))
}

func TestThinWallsSeparate(t *testing.T) { floortest.ThinWallsSeparate(t, Extract) }

func TestFreeWallEnd(t *testing.T) { floortest.FreeWallEnd(t, Extract) }

func TestPassageWidth(t *testing.T) { floortest.PassageWidth(t, Extract) }

func TestStepsAndClimb(t *testing.T) { floortest.StepsAndClimb(t, Extract) }

func TestTreadsNarrowerThanTheAgent(t *testing.T) { floortest.TreadsNarrowerThanTheAgent(t, Extract) }

func TestBevelIsAStep(t *testing.T) { floortest.BevelIsAStep(t, Extract) }

func TestHeadroom(t *testing.T) { floortest.Headroom(t, Extract) }

func TestBridgeLayers(t *testing.T) { floortest.BridgeLayers(t, Extract) }

func TestLayersDoNotOverlap(t *testing.T) {
	race.Skip(t)
	floortest.LayersDoNotOverlap(t, Extract)
}

func TestExtractValidPlans(t *testing.T) {
	race.Skip(t)
	floortest.ExtractValidPlans(t, Extract)
}

func TestExtractDoesNotDependOn(t *testing.T) { floortest.ExtractDoesNotDependOn(t, Extract) }

func TestKeepAndSeeds(t *testing.T) { floortest.KeepAndSeeds(t, Extract) }

func TestExtractErrors(t *testing.T) { floortest.ExtractErrors(t, Extract) }

func BenchmarkExtract(b *testing.B) { floortest.Benchmark(b, Extract) }

func TestCellSizeIsChecked(t *testing.T) {
	s := &floortest.Scene{}
	s.Floor(0, 0, 10, 10, 0)
	_, err := Extractor{CellSize: math.NaN()}.Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
	if err == nil || !strings.Contains(err.Error(), "cell size") {
		t.Errorf("got %v", err)
	}
}
