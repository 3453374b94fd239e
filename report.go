package meadow

import (
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Report describes a build. Counts are of the finished mesh.
type Report struct {
	Level           string
	Triangles       int
	Method, Extract string
	Agent           Agent
	// Layers is the number of layers, in each of which floors do not overlap.
	Layers int
	// Components is the number of parts of the mesh without a path from one to another.
	Components int
	Regions    int
	// Vertices counts the vertices of the regions.
	Vertices int
	// Portals counts every crossing between two regions once, also across layers.
	Portals int
	// Seams counts the joints of two layers, OffMesh the links: ladders, jumps and others.
	Seams, OffMesh int
	// Area is the projected area of all regions (m²). Lost is the area of the floor without a region (m²).
	Area, Lost float64
	// Grounds lists the kinds of ground in the mesh, in the order of [navmesh.Mesh].Areas.
	Grounds []GroundReport
	// Dropped lists the parts of the floor left out, largest first.
	Dropped []plan.Part
	// Markers has the outcome of each marker of the level.
	Markers []markers.Outcome
	// Warnings are unexpected results of the terrain rules, and places where the ground could not divide the floor.
	Warnings []string
	// Counts are the work counts of the generator, summed over all domains.
	Counts  map[string]int
	Seconds Seconds
}

// GroundReport is the share of one kind of ground in a mesh.
type GroundReport struct {
	Name    string
	Regions int
	Area    float64 // m², projected
}

// Seconds is the wall time of each stage. Total is their sum.
type Seconds struct{ Extract, Decompose, Link, Total float64 }

// fill adds the counts of the plan, of the mesh and of its builder.
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

// groundsOf measures the kinds of ground in a mesh.
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
