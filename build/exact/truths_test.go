package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/internal/floortest"
)

func TestFloorsThroughEachOther(t *testing.T) { floortest.FloorsThroughEachOther(t, Extract) }

func TestWallsOnBevels(t *testing.T) { floortest.WallsOnBevels(t, Extract) }

func TestLowStrips(t *testing.T) { floortest.LowStrips(t, Extract) }

func TestCrackEndsAtAnEdge(t *testing.T) { floortest.CrackEndsAtAnEdge(t, Extract) }

func TestFloorsThatRise(t *testing.T) { floortest.FloorsThatRise(t, Extract) }

func TestManyLayersMeet(t *testing.T) { floortest.ManyLayersMeet(t, Extract) }
