package meadow_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level"
)

// wedge is a closed slab of 8 m with a closed wedge on it, 1.7 m high at its far end and steeper than 45° by some degrees. All of it is turned
// and then moved. It returns the level and a place in the middle of the slope.
func wedge(angle, degrees float64, by geom.Vec) (*level.Level, geom.Vec) {
	sin, cos := math.Sincos(angle)
	at := func(east, north, up float64) geom.Vec {
		return by.Add(geom.FromGround(east*cos-north*sin, east*sin+north*cos, up))
	}
	run := 1.7 / math.Tan(geom.Degrees(45+degrees))
	lvl := &level.Level{Name: fmt.Sprintf("a wedge turned by %.3f", angle)}
	solid := func(corners []geom.Vec, faces ...[]uint32) {
		first := uint32(len(lvl.Vertices))
		lvl.Vertices = append(lvl.Vertices, corners...)
		for _, f := range faces {
			for k := 2; k < len(f); k++ {
				lvl.Triangles = append(lvl.Triangles, level.Triangle{A: first + f[0], B: first + f[k-1], C: first + f[k], Material: level.NoMaterial})
			}
		}
	}
	solid([]geom.Vec{
		at(-4, -4, -1), at(4, -4, -1), at(4, 4, -1), at(-4, 4, -1), at(-4, -4, 0), at(4, -4, 0), at(4, 4, 0), at(-4, 4, 0),
	}, []uint32{3, 2, 1, 0}, []uint32{4, 5, 6, 7}, []uint32{0, 1, 5, 4}, []uint32{1, 2, 6, 5}, []uint32{2, 3, 7, 6}, []uint32{3, 0, 4, 7})
	solid([]geom.Vec{
		at(0, -1, 0), at(run, -1, 0), at(run, 1, 0), at(0, 1, 0), at(run, -1, 1.7), at(run, 1, 1.7),
	}, []uint32{3, 2, 1, 0}, []uint32{0, 4, 5, 3}, []uint32{0, 1, 4}, []uint32{3, 5, 2}, []uint32{1, 2, 5, 4})
	return lvl, at(run/2, 0, 0.85)
}

// TestRampsAtTheLimit builds wedges of exactly 45° off the lattice, and of 0.1° more, by every extractor: the former are floors that lead
// up from the slab, the latter are none.
func TestRampsAtTheLimit(t *testing.T) {
	race.Skip(t)
	agent := meadow.Agent{Radius: 0.1, Height: 1.8, MaxClimb: 0.2, MaxSlope: meadow.Degrees(45)}
	for _, extract := range catalog.Extractors() {
		for k := range 8 {
			far := 1e6 * float64(k%2)
			for _, off := range []float64{0, 0.1} {
				if off > 0 && k > 1 {
					continue
				}
				lvl, middle := wedge(2*math.Pi*(float64(k)+0.3)/8, off, geom.Vec{X: far + 0.1, Y: 0.1, Z: 0.1 - far})
				mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent, Extractor: extractor(t, extract), KeepAll: true}, meadow.MeshOptions{})
				if err != nil {
					t.Fatal(err)
				}
				at, found := mesh.NewQuery().Nearest(middle, 0.2)
				if found != (off == 0) {
					t.Errorf("%s: direction %d, %g m away, %g° more than the limit: floor at %v is %v", extract, k, far, off, at, found)
				}
				if off == 0 && mesh.Components != 1 {
					t.Errorf("%s: direction %d, %g m away: %d components", extract, k, far, mesh.Components)
				}
			}
		}
	}
}
