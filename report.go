package meadow

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/navmesh"
)

// Report describes a mesh and its build. The agent, the sizes, Area and Grounds are of the mesh, so every mesh has them. The
// other fields are zero for a mesh that [FindFloor] and its siblings have not made. [Mesh.Save] keeps all of the report except
// Seconds. Texts have at most 1 KiB.
type Report struct {
	Level                string
	Triangles            int
	Extractor, Generator string
	Settings             Settings
	Agent                Agent
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
	// Dropped lists the parts of the floor left out, largest first, with places to the lattice unit. See [Report.Reason].
	Dropped []plan.Part
	// Markers has the outcome of each marker of the level.
	Markers []markers.Outcome
	// Warnings are unexpected results of the terrain rules, and places where the ground could not divide the floor.
	Warnings []string
	// Counts are the work counts of the generator, summed over all domains.
	Counts map[string]int
	// Omitted counts the entries beyond the first 65,536 of Settings.Keep, Dropped, Markers, Warnings and Counts. Of lists too long
	// for [navfile.MaxRecord] the report has fewer entries.
	Omitted int
	Seconds Seconds // zero for a loaded mesh
}

// Settings are the options of a build that the report does not have elsewhere. Fields are as in [FloorOptions], [MeshOptions]
// and [WidenOptions]; a zero field stands for the default.
type Settings struct {
	Keep                       []Vec // to the lattice unit
	KeepAll                    bool
	KeepArea, Simplify, Detail float64
	Terrain                    bool // whether rules were given
	NoMarkers                  bool
	// Extractor and Generator are the words of an extractor and of a generator with a method Settings() string.
	Extractor, Generator string
	// ConvexDistance is of [anavmg.Generator], too.
	ConvexDistance float64
	Cleanup        bool
	Seed           uint64
	// TileSize is the side of the tiles in metres of a mesh that was built in tiles.
	TileSize float64
	// WidenedFrom is the radius in metres of the mesh that [Mesh.Widen] has widened, and WidenSimplify the Simplify of
	// [WidenOptions]. Fields for the floor, and the parts, markers and warnings of the report, are of the build before.
	WidenedFrom, WidenSimplify float64
}

// settingsOf returns the settings in words of an extractor or generator, if it tells them.
func settingsOf(v any) string {
	if s, ok := v.(interface{ Settings() string }); ok {
		return s.Settings()
	}
	return ""
}

// note adds the options for a floor.
func (s *Settings) note(opt *FloorOptions) {
	s.Keep, s.KeepAll, s.KeepArea, s.Simplify, s.Detail = slices.Clone(opt.Keep), opt.KeepAll, opt.KeepArea, opt.Simplify, opt.Detail
	s.Terrain, s.NoMarkers = opt.Terrain != nil, opt.NoMarkers
}

// noteMesh adds the settled options for a mesh.
func (s *Settings) noteMesh(opt *MeshOptions) {
	s.Generator, s.Cleanup, s.Seed = settingsOf(opt.Generator), opt.Cleanup, opt.Seed
	s.ConvexDistance = opt.ConvexDistance
	if a, ok := opt.Generator.(anavmg.Generator); ok && opt.ConvexDistance == 0 {
		s.ConvexDistance = a.ConvexDistance
	}
}

// Reason says why the parts in Dropped were left out; empty without such parts. All parts have the same reason, which follows
// from the settings.
func (r Report) Reason() string {
	s := &r.Settings
	switch {
	case len(r.Dropped) == 0:
		return ""
	case len(s.Keep) > 0 && s.KeepArea > 0:
		return fmt.Sprintf("no place to keep lies there, at most %g m²", s.KeepArea)
	case len(s.Keep) > 0:
		return "no place to keep lies there"
	case s.KeepArea > 0:
		return fmt.Sprintf("at most %g m²", s.KeepArea)
	}
	return "smaller than the largest part, without a start"
}

// GroundReport is the share of one kind of ground in a mesh.
type GroundReport struct {
	Name    string
	Regions int
	Area    float64 // m², projected
}

// Seconds is the wall time of each stage. Total is their sum.
type Seconds struct{ Extract, Decompose, Link, Total float64 }

// count adds the agent and the sizes of a mesh.
func (r *Report) count(m *navmesh.Mesh) {
	r.Agent, r.Components, r.OffMesh = m.Agent, m.Components, len(m.Links)
	for i := range m.Tiles {
		t := &m.Tiles[i]
		r.Layers += len(t.Layers)
		r.Regions += len(t.Regions)
		r.Vertices += len(t.Vertices)
		r.Portals += len(t.Portals) / 2
	}
	r.Area = m.Area()
	r.Grounds = groundsOf(m)
}

// fill adds what the plan and the builder of the mesh tell.
func (r *Report) fill(p *plan.Plan, built join.Report) {
	r.Lost = built.LostArea
	r.Dropped = append(slices.Clip(r.Dropped), p.Dropped...)
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
			g := &grounds[t.Regions[r].Area]
			g.Regions++
			g.Area += t.RegionArea(r)
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
