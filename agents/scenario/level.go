package scenario

import (
	"errors"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
)

// thickness is that of a floor, in metres.
const thickness = 0.25

// Level returns the level of the scenario: the generated level, or the floors, each with the walls on it. The level of a file is the
// caller's to open, as base; walls are added to a copy. A scenario without a level needs a base.
func (s *Scenario) Level(base *level.Level) (*level.Level, error) {
	switch {
	case s.Kind != "":
		var err error
		if base, err = levelgen.Generate(s.Kind, s.Options); err != nil {
			return nil, err
		}
	case len(s.Floors) > 0 && base == nil:
		base = &level.Level{Name: "scenario"}
	case base == nil:
		return nil, errors.New("scenario: no level")
	}
	if len(s.Floors) == 0 && len(s.Walls) == 0 {
		return base, nil
	}
	lvl := *base
	lvl.Solids = nil // the boxes below have none
	lvl.Vertices = append([]geom.Vec(nil), base.Vertices...)
	lvl.Triangles = append([]level.Triangle(nil), base.Triangles...)
	for _, f := range s.Floors {
		addBox(&lvl, world.Box{
			Base: geom.Vec{X: (f.Low.X + f.High.X) / 2, Y: f.Low.Y - thickness, Z: (f.Low.Z + f.High.Z) / 2},
			Size: geom.Vec{X: f.High.X - f.Low.X, Y: thickness, Z: f.High.Z - f.Low.Z},
		})
	}
	for _, b := range s.Walls {
		addBox(&lvl, b)
	}
	return &lvl, nil
}

// addBox adds the outward faces of a box.
func addBox(l *level.Level, b world.Box) {
	sin, cos := geom.Sincos(b.Yaw)
	first := uint32(len(l.Vertices))
	for i := range 8 {
		x, y, z := (float64(i&1)-0.5)*b.Size.X, float64(i>>2)*b.Size.Y, (float64(i>>1&1)-0.5)*b.Size.Z
		l.Vertices = append(l.Vertices, geom.Vec{
			X: b.Base.X + (float64(x*cos) + float64(z*sin)),
			Y: b.Base.Y + y,
			Z: b.Base.Z + (float64(z*cos) - float64(x*sin)),
		})
	}
	for _, f := range [...][4]uint32{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}} {
		l.Triangles = append(l.Triangles,
			level.Triangle{A: first + f[0], B: first + f[1], C: first + f[2], Material: level.NoMaterial},
			level.Triangle{A: first + f[0], B: first + f[2], C: first + f[3], Material: level.NoMaterial})
	}
}
