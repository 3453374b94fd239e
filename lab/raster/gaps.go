package raster

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gaps"
	"github.com/meadow-nav/meadow/internal/soup"
)

// Gaps between floors become triangles before sampling, so cells decide nothing about gaps: bridges over gaps within the
// agent's step, and fences at the ledges of other gaps narrower than a cell. A fence is upright, has no thickness, and stands
// in the way of the body where the floor ends anyway.

// lap is the overlap of bridges with the floors beside them, in lattice units, against slits by rounding.
const lap = 2

// withGaps returns the level with bridges and fences.
func withGaps(s *soup.Soup, g *grid, agent geom.Agent) *soup.Soup {
	var floors []gaps.Face
	for i := range s.Triangles {
		if t := &s.Triangles[i]; t.Walkable {
			floors = append(floors, gaps.Face{V: [3]geom.Vec{metres(t.V[0]), metres(t.V[1]), metres(t.V[2])}, Of: i})
		}
	}
	found := gaps.Find(floors, agent, gaps.Options{Overlap: lap * lattice.Unit})
	var more []soup.Triangle
	for _, b := range found.Bridges {
		more = append(more, soup.Triangle{
			V: [3]lattice.Vertex{units(b.V[0]), units(b.V[1]), units(b.V[2])}, Area: s.Triangles[b.Of].Area, Walkable: true,
		})
	}
	low, high := g.climb+lap, g.height-lap
	for _, l := range found.Ledges(float64(g.cell) * lattice.Unit) {
		a, b := units(l[0]), units(l[1])
		if high <= low || max(a.Z, b.Z) > lattice.MaxCoord-high {
			continue
		}
		more = append(more,
			soup.Triangle{V: [3]lattice.Vertex{raised(a, low), raised(b, low), raised(b, high)}},
			soup.Triangle{V: [3]lattice.Vertex{raised(a, low), raised(b, high), raised(a, high)}})
	}
	if len(more) == 0 {
		return s
	}
	return s.With(more)
}

// metres returns a place of the frame in metres from the frame's origin.
func metres(v lattice.Vertex) geom.Vec {
	return geom.FromGround(float64(v.X)*lattice.Unit, float64(v.Y)*lattice.Unit, float64(v.Z)*lattice.Unit)
}

// units is the inverse of metres, rounded, and within the frame.
func units(v geom.Vec) lattice.Vertex {
	x, y := geom.Ground(v)
	at := func(c float64) int32 {
		return int32(min(max(math.Floor(float64(c*lattice.UnitsPerMetre)+0.5), 0), lattice.MaxCoord))
	}
	return lattice.Vertex{Point: lattice.Point{X: at(x), Y: at(y)}, Z: at(v.Y)}
}

func raised(v lattice.Vertex, by int32) lattice.Vertex {
	v.Z += by
	return v
}
