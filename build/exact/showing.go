package exact

import (
	"context"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level"
)

// Floor is a triangle that the agent could stand on, given room: a part of the level in one plane, or a bridge over a
// gap.
type Floor struct {
	V    [3]lattice.Vertex
	Area uint8 // the kind of ground
	// Rings bound the part that shows: the triangle is the floor, with nothing to stand on within the agent's height
	// above.
	Rings []lattice.Ring
}

// Floors returns the triangles of a level that are floor somewhere, the bridges over gaps, and the frame of both. The
// order does not depend on the order in the level. Time as for the first two steps of [Extract].
func Floors(ctx context.Context, lvl *level.Level, agent geom.Agent, jobs int) (lattice.Frame, []Floor, error) {
	if err := agent.Validate(); err != nil {
		return lattice.Frame{}, nil, err
	}
	s, err := soup.Read(lvl, agent)
	if err != nil {
		return lattice.Frame{}, nil, err
	}
	floors, err := FloorsOf(ctx, s, agent, jobs)
	return s.Frame, floors, err
}

// FloorsOf is [Floors] for triangles on the lattice, and a valid agent.
func FloorsOf(ctx context.Context, s *soup.Soup, agent geom.Agent, jobs int) ([]Floor, error) {
	e := newExtraction(s, agent)
	if err := e.plant(ctx, jobs); err != nil {
		return nil, err
	}
	if err := e.expose(ctx, jobs); err != nil {
		return nil, err
	}
	if err := e.findRims(ctx, jobs); err != nil {
		return nil, err
	}
	if err := e.bridge(ctx, jobs); err != nil {
		return nil, err
	}
	var floors []Floor
	for i := range e.soup.Triangles {
		if e.shows(int32(i)) {
			t, rings := &e.soup.Triangles[i], e.rings(int32(i))
			floors = append(floors, Floor{t.V, t.Area, rings})
		}
	}
	return floors, nil
}
