package world

import (
	"errors"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/world/internal/footprint"
)

// printOf returns the footprint of a solid.
func printOf(solid Solid, frame lattice.Frame, agent geom.Agent, volume bool) (*footprint.Footprint, error) {
	var s footprint.Shape
	var err error
	switch b := solid.(type) {
	case Box:
		s, err = footprint.NewBox(frame, b.Base, b.Size, b.Yaw)
	case Cylinder:
		s, err = footprint.NewCylinder(frame, b.Base, b.Radius, b.Height)
	case Prism:
		s, err = footprint.NewPrism(frame, b.Outline, b.Bottom, b.Top)
	default:
		err = errors.New("no solid of this type")
	}
	if err != nil {
		return nil, err
	}
	if volume {
		return footprint.Volume(s)
	}
	return footprint.Obstacle(s, agent)
}
