package meadow

import (
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Report says what a build made. Counts are of the finished mesh.
type Report struct {
	Level           string
	Triangles       int
	Method, Extract string
	Agent           Agent
	// Layers is the number of floors that do not overlap themselves.
	Layers int
	// Components is the number of parts that no path joins.
	Components int
	Regions    int
	// Vertices counts the vertices of the regions.
	Vertices int
	// Portals counts every crossing between two regions once, those across layers among them.
	Portals int
	// Seams counts the places where two layers join, OffMesh the links that are not walked.
	Seams, OffMesh int
	// Area is that of all regions, projected (m²); Lost is the area of the floor that no region
	// covers (m²).
	Area, Lost float64
	// Grounds says how much of the mesh is of each area that it has, in the order of [navmesh.Mesh].Areas.
	Grounds []GroundReport
	// Dropped lists the parts of the floor that were left out, largest first.
	Dropped []plan.Part
	// Markers says what became of each of the level's markers.
	Markers []markers.Outcome
	// Warnings tell what the rules for the ground come to that their author may not expect, and what could not be
	// divided by it, with its place.
	Warnings []string
	// Counts are the generator's own work counts, summed over all domains.
	Counts  map[string]int
	Seconds Seconds
}

// GroundReport says how much of a mesh is of one area.
type GroundReport struct {
	Name    string
	Regions int
	Area    float64 // m², projected
}

// Seconds is the wall time of each stage. Total is from the first to the last.
type Seconds struct{ Extract, Decompose, Link, Total float64 }

// fill takes over what the plan, the mesh and its builder know.
func (r *Report) fill(p *plan.Plan, m *navmesh.Mesh, built join.Report) {
	r.Layers = len(p.Layers)
	r.Components = m.Components
	r.Regions, r.Vertices, r.Portals = built.Regions, built.Vertices, built.Portals
	r.Lost = built.LostArea
	r.Area = m.Area()
	r.Grounds = groundsOf(m)
	r.Dropped = p.Dropped
	r.OffMesh = len(m.Links)
	for i := range p.Chains {
		if p.Chains[i].Kind == plan.Seam {
			r.Seams++
		}
	}
}

// groundsOf measures the areas of a mesh, if it has any.
func groundsOf(m *navmesh.Mesh) []GroundReport {
	grounds := make([]GroundReport, len(m.Areas))
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for r := range t.Regions {
			if int(t.Regions[r].Area) >= len(grounds) {
				continue
			}
			var ring lattice.Ring
			for _, v := range t.RegionCorners(r) {
				ring = append(ring, t.Vertices[v].Point)
			}
			g := &grounds[t.Regions[r].Area]
			g.Regions++
			g.Area += float64(ring.Area2()) * (0.5 * lattice.Unit * lattice.Unit)
		}
	}
	var used []GroundReport
	for a := range grounds {
		if grounds[a].Regions > 0 {
			grounds[a].Name = m.Areas[a]
			used = append(used, grounds[a])
		}
	}
	return used
}
