package raster

import (
	"testing"

	"github.com/meadow-nav/meadow/floorplan/internal/floortest"
)

func TestFloorsThroughEachOther(t *testing.T) { floortest.FloorsThroughEachOther(t, Extract) }

func TestWallsOnBevels(t *testing.T) { floortest.WallsOnBevels(t, Extract) }
