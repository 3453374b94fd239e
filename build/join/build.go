// Package join joins the cells of a decomposed plan to a navigation mesh.
//
// Source: the joining of layers follows Pelechano and Oliva, and section 6.2.4 of Oliva's thesis on ANavMG ("NavMesh
// Merging"); portals as intervals of edges follow the T-junctions of Hale's growth methods.
//
// Idea: cells of one domain meet where their edges lie on one line in opposite directions. Cells of two domains meet
// along the common chain of the domains. Both are one-dimensional problems on integers: sort the edges along their
// lines and walk down both sides at once. The remaining edges are wall.
//
// Input: a plan, and for every domain convex cells without overlaps, with corners on the lattice. A corner constructed
// on a chain lies exactly on the chain's edge.
//
// Guarantees:
//  1. every region is a cell, or the union of cells, and convex (TestRegionsAreConvex);
//  2. two regions share a portal iff they share a stretch of border of positive length inside a domain or on a chain;
//     both sides of the portal have the same two points (TestPortalsAgainstBruteForce);
//  3. the mesh has no fault known to Validate (TestRandomWorldsAreValid);
//  4. a link of the plan starts and ends in the regions at its ends, divided where these change
//     (TestLinksMeetTheirRegions);
//  5. the heights of a merged region come from the cell at each corner, never from another storey in the same place
//     (TestCellsAtAPoint, TestScenes);
//  6. regions are numbered layer by layer, domain by domain, cell by cell, and the mesh does not depend on the number
//     of goroutines (TestJobsDoNotMatter);
//  7. where layers meet, cells are merged and cut anew: the number of regions and of points with portals all around
//     does not grow, and area and path lengths stay the same (TestLayeredWorlds, TestSeamsCostLittle).
//
// Degenerate cases: cells that touch only in a point get no portal; a vertex in the middle of another cell's edge
// becomes the end of two portals there; walls without thickness between two domains stay walls; a plan without cells
// gives a mesh without regions.
//
// Cost: O(n log n) for n corners, plus the cost of Derive.
//
// Departures from the thesis: the thesis searches for the nearest vertices of neighbouring layers within a distance,
// because each layer was made separately. Here the plan's chains already have the same points on both sides, and no
// vertex moves. The thesis accepts nearly convex regions; here every region is convex, a wall may bend by no more than
// rounding, and the extractor straightens near-convex borders.
package join

import (
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/invariant"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/navmesh"
)

// Options of a build. The zero value uses all cores and merges across layers.
type Options struct {
	// Jobs is the number of goroutines, 0 for one per core. The mesh does not depend on Jobs.
	Jobs int
	// KeepSeams keeps every portal between layers; by default two regions are merged if their union is convex.
	KeepSeams bool
	// Methods are ways to move over the areas of the plan, and Crossings their special ways over boundaries. Build
	// makes the links and marks of the crossings. See [navmesh.Mesh].
	Methods   []navmesh.Method
	Crossings []navmesh.Crossing
}

// Report counts the results of a build.
type Report struct {
	Regions  int `json:"regions"`
	Vertices int `json:"vertices"`
	// Portals counts the two sides of a portal once; SeamPortals is the number of portals between two layers.
	Portals     int `json:"portals"`
	SeamPortals int `json:"seam_portals"`
	// Links counts each direction, and each pair of regions joined by a link of the plan.
	Links int `json:"links"`
	// MergedSeams is the number of portals between layers removed by merging the regions on both sides.
	MergedSeams int `json:"merged_seams"`
	// RecutSeams is the number of times that regions at a seam were cut anew, for fewer regions or without T-joints.
	RecutSeams int `json:"recut_seams"`
	// LostArea is the area of the plan minus the area of the cells, in square metres: uncovered area, less the area
	// that rounded corners have added elsewhere.
	LostArea float64 `json:"lost_area"`
}

// Build makes a mesh of one tile from the cells of every domain, indexed by layer and domain like the plan's domains.
// Floors are taken over from the plan without a copy.
//
// Errors name the layer, domain, cell and place. Faults of counts: they do not match the plan. Faults of cells: a cell
// is not convex, cells overlap along an edge, or a corner constructed on an edge is beside the edge. Faults of chains:
// their points differ from their domains' points.
func Build(ctx context.Context, p *plan.Plan, cells [][][]plan.Cell, opt Options) (*navmesh.Mesh, Report, error) {
	if opt.Jobs < 0 {
		return nil, Report{}, fmt.Errorf("build: Jobs is %d, must be 0 or more", opt.Jobs)
	}
	j, err := newJoin(p, cells)
	if err != nil {
		return nil, Report{}, err
	}
	err = par.For(ctx, opt.Jobs, len(j.domains), func(i int) error { return j.domains[i].match(j.pieces) })
	if err != nil {
		return nil, Report{}, err
	}
	if err := j.joinChains(); err != nil {
		return nil, Report{}, err
	}
	j.collect()
	if !opt.KeepSeams {
		j.mergeSeams()
	}
	mesh, err := j.mesh(ctx, opt)
	if err != nil {
		return nil, Report{}, err
	}
	if invariant.On() {
		assertSound(mesh)
	}
	return mesh, j.report, nil
}

// assertSound panics on any mesh fault that cannot come from the plan or the cells.
func assertSound(m *navmesh.Mesh) {
	blame := []navmesh.FaultKind{
		navmesh.Overlapping, navmesh.PortalStep, navmesh.FloorJump, navmesh.FloorSteep, navmesh.NoFloor, navmesh.BadPosition,
	}
	for _, f := range m.Validate() {
		if !slices.Contains(blame, f.Kind) {
			panic(fmt.Sprintf("build: %v", f))
		}
	}
}

// join is an unfinished mesh.
type join struct {
	plan     *plan.Plan
	pieces   []piece
	domains  []domain // layer after layer
	first    []int    // index of each layer's first domain
	contacts []contact
	floors   []lattice.TIN // of each layer
	report   Report
}

// piece is an unfinished region.
type piece struct {
	domain int32 // in join.domains
	layer  int32
	points []lattice.Point
	parts  []part // the merged cells, including its own; nil for a piece of one cell
}

// part is a cell of a merged piece, with the cell's domain.
type part struct {
	domain int32
	points []lattice.Point
}

// all returns the cells of a piece.
func (p *piece) all() []part {
	if p.parts == nil {
		return []part{{p.domain, p.points}}
	}
	return p.parts
}

// at returns the cells of a piece with a point on their border. A point on no border, where a bend of a wall was
// straightened, gives all cells.
func (p *piece) at(v lattice.Point) []part {
	all := p.all()
	if p.parts == nil {
		return all
	}
	var here []part
	for _, c := range all {
		if onBorder(v, c.points) {
			here = append(here, c)
		}
	}
	if here == nil {
		return all
	}
	return here
}

// onBorder reports whether a point is on the border of a ring.
func onBorder(v lattice.Point, ring []lattice.Point) bool {
	for i, a := range ring {
		if lattice.OnSegment(v, a, ring[(i+1)%len(ring)]) {
			return true
		}
	}
	return false
}

// contact is a stretch of positive length where two pieces meet. From a to b it runs
// counter-clockwise around piece p, on its edge pe, and clockwise around q.
type contact struct {
	p, q   int32
	pe, qe int32
	a, b   lattice.Point
	chain  plan.ChainID // chain of the stretch, or Wall
}

// newJoin checks and numbers the cells.
func newJoin(p *plan.Plan, cells [][][]plan.Cell) (*join, error) {
	j := &join{plan: p}
	if err := checkMarks(p); err != nil {
		return nil, err
	}
	if len(cells) != len(p.Layers) {
		return nil, fmt.Errorf("build: cells for %d layers, the plan has %d", len(cells), len(p.Layers))
	}
	n := 0
	for l := range cells {
		for d := range cells[l] {
			n += len(cells[l][d])
		}
	}
	j.pieces = make([]piece, 0, n)
	var lost int64
	for l := range p.Layers {
		j.first = append(j.first, len(j.domains))
		j.floors = append(j.floors, p.Layers[l].Floor)
		domains := p.Layers[l].Domains
		if len(cells[l]) != len(domains) {
			return nil, fmt.Errorf("build: layer %d: cells for %d domains, the plan has %d", l, len(cells[l]), len(domains))
		}
		for d := range domains {
			id := plan.DomainID{Layer: int32(l), Domain: int32(d)}
			dom := domain{id: id, Domain: &domains[d], base: len(j.pieces)}
			if err := dom.check(); err != nil {
				return nil, err
			}
			lost += dom.Area2()
			corners := 0
			for c := range cells[l][d] {
				corners += len(cells[l][d][c].Corners)
			}
			all := make([]lattice.Point, corners)
			for c := range cells[l][d] {
				n := len(cells[l][d][c].Corners)
				points := all[:n:n]
				all = all[n:]
				err := dom.cell(c, cells[l][d][c], points)
				if err != nil {
					return nil, err
				}
				lost -= lattice.Ring(points).Area2()
				j.pieces = append(j.pieces, piece{domain: int32(len(j.domains)), layer: int32(l), points: points})
			}
			dom.end = len(j.pieces)
			j.domains = append(j.domains, dom)
		}
	}
	if len(j.pieces) > navmesh.MaxIndex+1 {
		return nil, fmt.Errorf("build: %d cells, a tile holds at most %d regions", len(j.pieces), navmesh.MaxIndex+1)
	}
	j.report.LostArea = lattice.SquareMetres(lost)
	return j, nil
}

// collect appends the contacts of all domains to the contacts of the chains.
func (j *join) collect() {
	for i := range j.domains {
		j.contacts = append(j.contacts, j.domains[i].contacts...)
	}
}
