package world

import (
	"context"
	"errors"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Options of a world. The zero value is usable.
type Options struct {
	// Filter says what the agents of the world may pass before anything changes.
	Filter query.Filter
	// Wider are meshes of the same level for wider agents, in the frame of the base, such as widened from the base. All
	// things and doors of the world act on each.
	Wider []*navmesh.Mesh
}

// World is a base mesh and the things that stand in it. One goroutine at a time changes a World; any number ask its
// snapshots meanwhile, without a lock.
type World struct {
	now *Snapshot
}

// New returns a world without things over a base mesh.
func New(ctx context.Context, base *navmesh.Mesh, opt Options) (*World, error) {
	return nil, errors.New("world: not yet")
}

// Apply makes the edits in their order as one change: all of them, or none if there is an error.
func (w *World) Apply(ctx context.Context, edits ...Edit) (Change, error) {
	return Change{}, errors.New("world: not yet")
}

// Now returns the latest snapshot, without waiting.
func (w *World) Now() *Snapshot { return w.now }

// Change tells what an Apply changed.
type Change struct {
	Sequence uint64        // of the snapshot that the change made: the number of changes before it plus one
	Boxes    []geom.Box    // bounds of the changed floor, for the first radius
	Stale    []navmesh.Ref // regions of the first radius that are gone
	Fresh    []navmesh.Ref // and those that are new
}

// Snapshot is the state of a world between two changes. It never changes.
type Snapshot struct{}

// Sequence returns the number of changes before the snapshot.
func (s *Snapshot) Sequence() uint64 { return 0 }

// For returns the snapshot of the same sequence for agents of another radius.
func (s *Snapshot) For(radius float64) (*Snapshot, error) { return nil, errors.New("world: not yet") }

// Index returns the index for queries on the snapshot.
func (s *Snapshot) Index() *query.Index { return nil }

// NewQuery returns a query with memory of its own. [query.Query.Use] takes it to a later snapshot.
func (s *Snapshot) NewQuery() *query.Query { return nil }

// Mesh returns a mesh of its own of the snapshot, for files and pictures. Its refs are its own.
func (s *Snapshot) Mesh() (*navmesh.Mesh, error) { return nil, errors.New("world: not yet") }

// Things lists the things of the world by ID.
func (s *Snapshot) Things() []Thing { return nil }

// Closed lists the marks that are closed.
func (s *Snapshot) Closed() []string { return nil }

// BlockedBy returns the obstacles that block an agent with its feet at a place, by ID; none on free floor and off the
// base.
func (s *Snapshot) BlockedBy(at geom.Vec) []ID { return nil }

// OnWay returns the obstacles that block an agent somewhere on the straight pieces between points, in the order of the
// way: those that stand on an old path.
func (s *Snapshot) OnWay(points []geom.Vec) []ID { return nil }

// Free returns the nearest place on the floor of the snapshot within reach metres: for an agent that an obstacle came
// down on.
func (s *Snapshot) Free(at geom.Vec, reach float64) (query.Position, bool) {
	return query.Position{}, false
}
