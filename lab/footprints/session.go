package footprints

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/smooth"
)

// Way is the answer of a Traveller. Its slices belong to the traveller and are valid until the traveller's next call.
type Way struct {
	Found    bool
	Nodes    []int32       // deepest polygons from start to goal
	Edges    []smooth.Edge // to cross, for smooth.Smoother
	Cost     float64       // metres from centroid to centroid, each with its weights
	Length   float64       // metres from start over centroids to goal
	Expanded int           // polygons that the search took up
}

// ErrOffMesh reports a start or goal off all polygons.
var ErrOffMesh = errors.New("footprints: off the polygons")

// Traveller finds ways in a Field, and locks the polygons and edges of its last way.
type Traveller struct {
	f     *Field
	way   Way
	locks []int32 // polygons of the way that are still ahead
}

// NewTraveller returns a Traveller without a way.
func (f *Field) NewTraveller() *Traveller { return &Traveller{f: f} }

// Find is algorithm 13: it unlocks the last way, draws the footprints of others that are near, finds a cheapest way over deepest
// polygons, locks the way, and takes the weights away. Now is a time of the caller in ticks that does not fall. A missing way is no
// error. The errors are ErrOffMesh, ErrTooLarge, a volume that is no sphere, by its number, and the error of ctx; the traveller then
// has no way.
func (t *Traveller) Find(ctx context.Context, now int64, from, to lattice.Vertex, others []Volume) (Way, error) {
	f := t.f
	t.Stop(now)
	spheres, err := near(from, others, f.reach)
	if err != nil {
		return Way{}, err
	}
	for _, at := range [2]lattice.Vertex{from, to} {
		if _, ok := f.Locate(at); !ok {
			return Way{}, fmt.Errorf("%w: %v", ErrOffMesh, at)
		}
	}
	defer f.End()
	if err := f.begin(now, spheres); err != nil {
		return Way{}, err
	}
	start, _ := f.Locate(from)
	goal, _ := f.Locate(to)
	t.way = Way{Nodes: t.way.Nodes[:0], Edges: t.way.Edges[:0]}
	if err := f.search(ctx, start, goal, &t.way); err != nil || !t.way.Found {
		return t.way, err
	}
	f.lock(t.way.Nodes)
	t.locks = append(t.locks[:0], t.way.Nodes...)
	before := from
	for k, id := range t.way.Nodes {
		if k > 0 {
			last := t.way.Nodes[k-1]
			t.way.Edges = f.door(t.way.Edges, last, f.arcTo(last, id))
			if k < len(t.way.Nodes)-1 {
				t.way.Length += metres(before, f.nodes[id].middle)
				before = f.nodes[id].middle
			}
		}
	}
	t.way.Length += metres(before, to)
	return t.way, nil
}

// Stop unlocks the rest of the way.
func (t *Traveller) Stop(now int64) {
	t.f.unlock(t.locks, now)
	t.locks = t.locks[:0]
}

// Walk unlocks the polygons of the way behind the traveller: those before the polygon of the place. A place in no polygon of the way is
// ErrOffMesh and unlocks nothing.
func (t *Traveller) Walk(now int64, at lattice.Vertex) error {
	for k, id := range t.locks {
		if n := &t.f.nodes[id]; !beyond(at) && n.contains(at.Point) {
			t.f.unlockFirst(t.locks, k, now)
			t.locks = append(t.locks[:0], t.locks[k:]...)
			return nil
		}
	}
	return fmt.Errorf("%w of the way: %v", ErrOffMesh, at)
}

// Ahead returns the polygons of the way that are still locked.
func (t *Traveller) Ahead() []int32 { return t.locks }

// near returns the spheres of the volumes that are within reach of a traveller.
func near(from lattice.Vertex, others []Volume, reach float64) (list []sphere, err error) {
	if beyond(from) {
		return nil, fmt.Errorf("%w: %v", ErrOffMesh, from)
	}
	for i, v := range others {
		if beyond(v.Center) {
			return nil, fmt.Errorf("footprints: volume %d at %v is beyond 2²⁹", i, v.Center)
		}
		if !(v.Radius > 0 && v.Radius <= MostMetres) || !(v.Strength >= 0) || v.Strength > math.MaxFloat32 {
			return nil, fmt.Errorf("footprints: volume %d has radius %g m and strength %g, must be above 0 and up to %d, and 0 or more", i, v.Radius, v.Strength, MostMetres)
		}
		if metres(from, v.Center)-v.Radius > reach {
			continue
		}
		s := sphere{at: v.Center, radius: int64(math.Ceil(v.Radius * lattice.UnitsPerMetre)), solid: v.Solid, strength: v.Strength}
		if s.strength == 0 {
			s.strength = 1
		}
		list = append(list, s)
	}
	return list, nil
}

// Begin is algorithm 14 by itself: the volumes near a traveller draw their footprints, which stay until End. Errors are as of
// Traveller.Find; no weight stays after an error.
func (f *Field) Begin(now int64, from lattice.Vertex, others []Volume) error {
	spheres, err := near(from, others, f.reach)
	if err != nil {
		return err
	}
	if err := f.begin(now, spheres); err != nil {
		f.End()
		return err
	}
	return nil
}

// metres is the distance of two vertices seen from above.
func metres(a, b lattice.Vertex) float64 {
	return math.Sqrt(float64(a.Distance2(b.Point))) * lattice.Unit
}

// begin is algorithm 14. After an error the field is whole, and has divisions of some spheres.
func (f *Field) begin(now int64, spheres []sphere) error {
	err := f.divide(now, spheres)
	f.restructure()
	if err != nil {
		return err
	}
	for i := range spheres {
		s := &spheres[i]
		for _, root := range f.under(s) {
			f.weigh(root, s)
		}
	}
	return nil
}

// divide divides the polygons under spheres, and marks what is dirty.
func (f *Field) divide(now int64, spheres []sphere) error {
	for i := range spheres {
		for _, root := range f.under(&spheres[i]) {
			more, err := f.subdivide(root, &spheres[i])
			if more {
				f.mark(root, true)
				for _, n := range f.roots[root].next {
					f.mark(n, false)
				}
				f.roots[root].idle = max(f.roots[root].idle, now)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// under returns the original polygons whose boxes meet the box of a sphere. The list is valid until the next call.
func (f *Field) under(s *sphere) []int32 {
	b := s.box()
	f.found = f.tree.IDs(&b, f.found[:0])
	return f.found
}

// weigh lays the weight of a sphere on the deepest polygons with centroids in the sphere.
func (f *Field) weigh(id int32, s *sphere) {
	n := &f.nodes[id]
	if !n.touches(s) {
		return
	}
	if n.children != nil {
		for _, c := range n.children {
			f.weigh(c, s)
		}
		return
	}
	weight, in := s.weight(n.middle)
	if !in {
		return
	}
	if n.weight == 0 && n.solid == 0 {
		f.weighted = append(f.weighted, id)
	}
	if s.solid {
		n.solid++
	} else {
		n.weight += weight
	}
}

// End is EndFootprintSession: all weights go.
func (f *Field) End() {
	for _, id := range f.weighted {
		f.nodes[id].weight, f.nodes[id].solid = 0, 0
	}
	f.weighted = f.weighted[:0]
}

// Weighted calls visit for each deepest polygon with a weight, in the order in which footprints met them: during a session.
func (f *Field) Weighted(visit func(id int32, weight float64, solid bool)) {
	for _, id := range f.weighted {
		visit(id, f.nodes[id].weight, f.nodes[id].solid > 0)
	}
}

// Polygon returns the corners of a node and its centroid; the list belongs to the field.
func (f *Field) Polygon(id int32) (ring []lattice.Vertex, middle lattice.Vertex) {
	return f.nodes[id].ring, f.nodes[id].middle
}

// arcTo returns the arc from a polygon to a neighbour, nil if none leads there.
func (f *Field) arcTo(from, to int32) *arc {
	arcs := f.nodes[from].arcs
	if k := slices.IndexFunc(arcs, func(a arc) bool { return a.to == to }); k >= 0 {
		return &arcs[k]
	}
	return nil
}

// lock locks the polygons and edges of a way.
func (f *Field) lock(way []int32) {
	for k, id := range way {
		f.lockNode(id, 1)
		if k > 0 {
			f.arcTo(way[k-1], id).locks++
			f.arcTo(id, way[k-1]).locks++
		}
	}
}

func (f *Field) lockNode(id, by int32) {
	f.nodes[id].locks += by
	if f.nodes[id].parent >= 0 {
		f.roots[f.nodes[id].root].locked += by
	}
}

// unlock unlocks a way.
func (f *Field) unlock(way []int32, now int64) { f.unlockFirst(way, len(way), now) }

// unlockFirst unlocks the first polygons of a way, and the edges that begin at them.
func (f *Field) unlockFirst(way []int32, count int, now int64) {
	for k, id := range way[:count] {
		f.lockNode(id, -1)
		r := &f.roots[f.nodes[id].root]
		r.idle = max(r.idle, now)
		if k+1 < len(way) {
			f.arcTo(id, way[k+1]).locks--
			f.arcTo(way[k+1], id).locks--
		}
	}
}

// Clean takes the divisions away that no way has locked for Options.Delay ticks, and joins their polygons with their neighbours
// again. It returns the number of polygons that are whole again. Time O(n) for n original polygons, and for what goes.
func (f *Field) Clean(now int64) int {
	count := 0
	for root := range f.roots {
		r := &f.roots[root]
		if f.nodes[root].children == nil || r.locked > 0 || now-r.idle < f.delay {
			continue
		}
		count++
		f.remove(int32(root))
		f.nodes[root].children = nil
		r.lines = int32(len(f.nodes[root].ring))
		f.mark(int32(root), false)
		for _, n := range r.next {
			f.mark(n, false)
		}
	}
	f.restructure()
	return count
}

// remove takes the sub-polygons of a polygon away, with their edges.
func (f *Field) remove(id int32) {
	for _, c := range f.nodes[id].children {
		f.remove(c)
		for _, a := range f.nodes[c].arcs {
			o := &f.nodes[a.to]
			o.arcs = slices.DeleteFunc(o.arcs, func(b arc) bool { return b.to == c })
		}
		f.nodes[c] = node{arcs: f.nodes[c].arcs[:0]}
		f.free = append(f.free, c)
		f.stats.Removed++
	}
}
