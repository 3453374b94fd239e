package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/internal/floortest"
)

func TestExtractSquare(t *testing.T) { floortest.ExtractSquare(t, Extract) }

func TestBorderDistance(t *testing.T) { floortest.BorderDistance(t, Extract, OffsetTolerance) }

func TestThinWallsSeparate(t *testing.T) { floortest.ThinWallsSeparate(t, Extract) }

func TestFreeWallEnd(t *testing.T) { floortest.FreeWallEnd(t, Extract) }

func TestPassageWidth(t *testing.T) { floortest.PassageWidth(t, Extract) }

func TestStepsAndClimb(t *testing.T) { floortest.StepsAndClimb(t, Extract) }

func TestTreadsNarrowerThanTheAgent(t *testing.T) { floortest.TreadsNarrowerThanTheAgent(t, Extract) }

func TestBevelIsAStep(t *testing.T) { floortest.BevelIsAStep(t, Extract) }

func TestHeadroom(t *testing.T) { floortest.Headroom(t, Extract) }

func TestBridgeLayers(t *testing.T) { floortest.BridgeLayers(t, Extract) }

func TestLayersDoNotOverlap(t *testing.T) { floortest.LayersDoNotOverlap(t, Extract) }

func TestExtractValidPlans(t *testing.T) { floortest.ExtractValidPlans(t, Extract) }

func TestExtractDoesNotDependOn(t *testing.T) { floortest.ExtractDoesNotDependOn(t, Extract) }

func TestKeepAndSeeds(t *testing.T) { floortest.KeepAndSeeds(t, Extract) }

func TestExtractErrors(t *testing.T) { floortest.ExtractErrors(t, Extract) }

func BenchmarkExtract(b *testing.B) { floortest.Benchmark(b, Extract) }
