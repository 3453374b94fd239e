package world

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Snapshot is the state of a world between two changes, for agents of one radius. A Snapshot never changes. A zero or nil
// Snapshot is the snapshot of a world over a mesh without regions.
type Snapshot struct {
	*whole
	radius int
}

// whole is the state of a world for all radii.
type whole struct {
	world    *World
	sequence uint64
	things   treap[*thing]
	marks    []bool // closed
	areas    []area // that modifiers bring
	links    []*thing
	floors   []floor
}

// floor is the floor of one radius.
type floor struct {
	index  *query.Index
	states vector[state]
	mesh   *lazyMesh
}

// lazyMesh is a mesh that the first to ask makes.
type lazyMesh struct {
	once sync.Once
	made *navmesh.Mesh
}

// ready returns s, or a snapshot of an empty world for a zero or nil Snapshot.
func (s *Snapshot) ready() *Snapshot {
	if s != nil && s.whole != nil {
		return s
	}
	return emptySnapshot()
}

// emptySnapshot returns the snapshot of a world over a mesh without regions, always the same.
var emptySnapshot = sync.OnceValue(func() *Snapshot {
	w, err := New(context.Background(), new(navmesh.Mesh), Options{})
	if err != nil {
		panic(err) // the empty mesh is a mesh
	}
	return w.now.Load()
})

// Sequence returns the number of changes before the snapshot.
func (s *Snapshot) Sequence() uint64 { return s.ready().sequence }

// Radius returns the radius of the agents in metres.
func (s *Snapshot) Radius() float64 { return s.ready().sheet().mesh.Agent.Radius }

func (s *Snapshot) sheet() *sheet { return s.world.sheets[s.radius] }
func (s *Snapshot) floor() *floor { return &s.floors[s.radius] }

// For returns the snapshot of the same sequence for agents of another radius in metres.
func (s *Snapshot) For(radius float64) (*Snapshot, error) {
	s = s.ready()
	for k, sheet := range s.world.sheets {
		if sheet.mesh.Agent.Radius == radius {
			return &Snapshot{s.whole, k}, nil
		}
	}
	return nil, fmt.Errorf("world: no mesh for the radius %g m", radius)
}

// Index returns the index for queries on the snapshot.
func (s *Snapshot) Index() *query.Index { return s.ready().floor().index }

// NewQuery returns a query with memory of its own. [query.Query.Use] takes it to a later snapshot.
func (s *Snapshot) NewQuery() *query.Query { return s.Index().NewQuery() }

// Mesh returns the mesh of the snapshot, for files and pictures. Its refs are its own. The first call makes the mesh in
// time O(n log n) for n corners of the base.
func (s *Snapshot) Mesh() *navmesh.Mesh {
	s = s.ready()
	f := s.floor()
	f.mesh.once.Do(func() { f.mesh.made = s.whole.compose(s.radius, &f.states) })
	return f.mesh.made
}

// Refs lists the regions of [Snapshot.Index], as queries call them, in the order of the regions of [Snapshot.Mesh], tile after tile. Time O(n)
// for n regions.
func (s *Snapshot) Refs() []navmesh.Ref {
	s = s.ready()
	base, index := s.sheet().mesh, s.Index()
	var list []navmesh.Ref
	for slot := range base.Tiles {
		t := &base.Tiles[slot]
		for i := range t.Regions {
			list = index.Pieces(list, navmesh.MakeRef(slot, i, t.Generation))
		}
	}
	return list
}

// Things lists the things of the world by ID.
func (s *Snapshot) Things() []Thing {
	s = s.ready()
	list := make([]Thing, 0, s.things.len())
	for _, t := range s.things.all() {
		list = append(list, t.edit)
	}
	return list
}

// Closed lists the indices in Mesh.Marks of the closed marks.
func (s *Snapshot) Closed() (list []int) {
	s = s.ready()
	for k, closed := range s.marks {
		if closed {
			list = append(list, k)
		}
	}
	return list
}

// BlockedBy returns the obstacles that block an agent with its feet at a place of the base's floor, by ID; none on free
// floor and off the base. Time O(log n + k) for the k things near the place.
func (s *Snapshot) BlockedBy(at geom.Vec) (list []ID) {
	s = s.ready()
	sheet := s.sheet()
	p, z, ok := sheet.mesh.Frame.FromWorld(at)
	if !ok {
		return nil
	}
	climb := int32(sheet.mesh.Agent.MaxClimb * lattice.UnitsPerMetre)
	for _, id := range sheet.around(nil, lattice.Box{Min: p, Max: p}, z-climb-1, z+climb+1) {
		st := s.floor().states.at(uint32(id))
		// The box of a slope holds heights far from the slope's height at the place.
		height := sheet.height(uint32(id), p)
		if st.free(p) || height < z-climb-1 || height > z+climb+1 || !sheet.contains(uint32(id), p) {
			continue
		}
		st.plot.leaves(lattice.Box{Min: p, Max: p}, func(leaf *plot) {
			for i := range leaf.hits {
				h := &leaf.hits[i]
				if h.effect != takes || slices.Contains(list, h.id) || !h.print.Box.Contains(p) {
					continue
				}
				if h.print.Blocks(p, float64(height)) {
					list = append(list, h.id)
				}
			}
		})
	}
	slices.Sort(list)
	return list
}

// Free returns the nearest place on the floor of the snapshot within reach metres: for an agent that an obstacle came
// down on.
func (s *Snapshot) Free(at geom.Vec, reach float64) (query.Position, bool) {
	return s.NewQuery().Nearest(at, reach)
}

// OnWay returns the obstacles that block an agent somewhere on the straight pieces between points on the base's floor, in
// the order of the way: the obstacles that stand on an old path, by its [query.Path.Surface]. Time O(p · log n) for p probes, one every quarter of the
// agent's radius, and at least one every 5 cm.
func (s *Snapshot) OnWay(points []geom.Vec) (list []ID) {
	s = s.ready()
	step := max(s.Radius()/4, 0.05)
	for i := range points {
		a, b := points[i], points[min(i+1, len(points)-1)]
		if !a.IsFinite() || !b.IsFinite() {
			continue
		}
		d := b.Sub(a)
		n := int(min(math.Ceil(math.Hypot(d.X, d.Z)/step), maxProbes))
		for k := range max(n, 1) {
			t := float64(k) / float64(max(n, 1))
			for _, id := range s.BlockedBy(a.Add(d.Scale(t))) {
				if !slices.Contains(list, id) {
					list = append(list, id)
				}
			}
		}
	}
	return list
}

// maxProbes bounds the probes on one piece of a way.
const maxProbes = 1 << 16
