package gentest

import "github.com/meadow-nav/meadow/geom/lattice"

// Recorder is a gen.Observer that keeps the last segments of every step by name.
type Recorder map[string][][2]lattice.Point

// Step remembers.
func (r Recorder) Step(name string, segments [][2]lattice.Point) { r[name] = segments }
