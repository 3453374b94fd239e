package query

import (
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// The words of an [Editor].
type (
	// Replacement gives a region of the mesh new floor: cells, or the region as in the mesh again. Base is the region's
	// number, counted from 0 tile after tile.
	Replacement = index.Replacement
	// Cell is a convex piece of a region. The sides of a cell have labels: [SideWall], [SideInner], or the number of the
	// portal that holds the side, counted from 0 tile after tile.
	Cell = index.Cell
	// Block is the floor of a part of a region: two halves, or cells. A Block never changes. A region with the same Block in
	// the same place before and after a change keeps the regions there, with their Refs: so a change of a few blocks costs these
	// blocks and their neighbours, however many cells the region has. Blocks nest at most 64 deep.
	Block = index.Block
	// Outcome says what a change has changed: Refs that are gone, Refs that are new, and boxes in lattice units of the
	// mesh's frame.
	Outcome = index.Outcome
	// Area is a box in lattice units.
	Area = index.Area
)

// Labels of the sides of a [Cell].
const (
	SideWall  = index.SideWall  // nothing is behind the side
	SideInner = index.SideInner // cells of the same region may be behind
)

// Editor makes changed Indexes of one mesh, each beside the Index before: a change costs the regions and blocks near the
// change, and the Indexes share all else. An Editor belongs to one goroutine at a time; any number of goroutines may ask the
// Indexes.
type Editor struct {
	geo      *index.Editor
	now      *Index
	readings *exact.Readings // nil without lists of corners in sight
}

// NewEditor returns an Editor whose present Index is ix. The Index must hold a whole mesh, without a filter, and the mesh
// must be sound, see [navmesh.Mesh.IsSound]; otherwise every change is an error. Time O(n + v) for n regions and portals, and v
// portals in sight of the corners with lists; 20 to 50 bytes for each corner with lists.
func NewEditor(ix *Index) *Editor {
	ix = ix.ready()
	return &Editor{index.NewEditor(ix.geo), ix, exact.NewReadings(&ix.sights)}
}

// Now returns the Index after the last change.
func (e *Editor) Now() *Index { return e.now }

// Apply makes the Index after replacements of different regions. Cells of a region must not overlap and must lie in the
// region, up to rounding; sides on portals lie on them exactly. An error names the region and changes nothing.
//
// A table of the first Index from [Index.Prepare] stays in use for paths away from changes. Lists of corners in sight stay in use
// where no region that a list depends on has changed.
func (e *Editor) Apply(changes []Replacement) (*Index, Outcome, error) {
	geo, out, err := e.geo.Apply(changes)
	return e.follow(changes, geo, out, err)
}

// CloseLinks closes links of the mesh, by their indices in Mesh.Links, from the next change on, and opens all others; nil
// closes none.
func (e *Editor) CloseLinks(closed []bool) { e.geo.CloseLinks(closed) }

// SetCosts sets the costs of a metre of ground by area, as Filter.AreaCosts, from the next change on: areas without an entry
// cost 1. An invalid cost and +Inf are errors. The first costs take time O(n) for n regions.
func (e *Editor) SetCosts(costs map[uint8]float64) error { return e.geo.SetCosts(costs) }

// ApplyLinks is Apply, and gives the Index all links that it has besides those of the mesh; their ends name regions of
// the mesh. The links are numbered after those of the mesh, in the given order. [Editor.Apply] keeps the links.
func (e *Editor) ApplyLinks(changes []Replacement, links []navmesh.Link) (*Index, Outcome, error) {
	geo, out, err := e.geo.ApplyLinks(changes, links)
	return e.follow(changes, geo, out, err)
}

func (e *Editor) follow(changes []Replacement, geo *index.Index, out Outcome, err error) (*Index, Outcome, error) {
	if err != nil {
		return nil, Outcome{}, err
	}
	e.now = &Index{
		geo: geo, landmarks: e.now.landmarks.On(geo, &e.now.landmarks), sights: e.readings.After(&e.now.sights, geo, changes), prepared: e.now.prepared,
		gates: weighted.NewGates(geo, e.now.gates),
	}
	return e.now, out, nil
}

// Use makes q ask another Index, and keeps the memory of q. The results of earlier questions stay valid until the next
// question.
func (q *Query) Use(ix *Index) {
	ix = ix.ready()
	q.own, q.ix, q.one.Sights = ix, ix.geo, &ix.sights
}
