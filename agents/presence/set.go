package presence

// Who is where.
//
// Source: D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, 2011,
// sections 1.2 and 1.3, appendix D (algorithms D.1 to D.4).
//
// Idea: An object is listed by the regions that it touches. Two objects may collide only where a region lists both.
//
// Input: an Index of a mesh without faults by Validate. Places are finite and in the frame of the mesh.
//
// Guarantees:
//  1. Every pair of objects that collides is found, and found once: for wide objects, over storeys, over walls, and for
//     objects beside the floor (TestGeneratedLevels, TestRealLevels, TestStripsHoldTheRest).
//  2. An object lives in all regions that its cylinder meets (TestLivesWhereItTouches).
//  3. The region of an object is the region of [query.Query.Locate], for every hint and history (TestHistoryDoesNotMatter).
//  4. After a change of the mesh every object is as if placed anew (TestWorldThatChanges).
//  5. NaN, infinities and places beyond the frame are refused, and the error names the ID (TestRefusals).
//
// Degenerate cases: objects of radius 0 or height 0; objects in the same place; objects wider than the mesh; a mesh
// without regions; places on borders.
//
// Cost: O(k·m) to add or move an object that touches k regions with m corners and neighbours each; O(log n + k) more for n
// regions without a hint, and for an object that touches a wall. Remove takes O(1), Publish O(n log n) for n objects.
//
// Departures: The source keeps one region for each object, and asks the region and its neighbours: so the source misses
// wide objects, and floors that lie side by side without a portal. Here an object lives in every region that it
// touches. Two objects may meet where no floor is: beyond a wall, or above the heads of all. So objects that touch a wall or leave
// the air over the floor are also listed in strips of the plane, by powers of two of their size. Where a region lists many
// objects, a sweep along X replaces the test of all pairs.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// ID names an object. The caller chooses it.
type ID uint64

// Object is an upright cylinder with senses. Lengths are metres, angles radians.
type Object struct {
	ID     ID
	At     geom.Vec // the middle of the bottom; for an agent, its place on the floor
	Radius float64  // 0 or more, finite
	Height float64  // 0 or more, finite

	// Heading is the direction in which the agent looks, of any length; its Y does not count. View is the angle of the
	// view cone. Without a Heading, or with a View of 0 or of 2π and more, the agent looks all around.
	Heading geom.Vec
	View    float64
	// Sight is how far the agent sees: 0 is blind, +Inf sees any distance.
	Sight float64
	// Hearing is added to the reach of every sound: 0 for ordinary ears, -Inf for deaf ones.
	Hearing float64
}

// ErrNotFree reports a place in no free space: no floor of the mesh is there, so that an object would stand in a wall or
// in the air. The wrapping error names the object and the place.
var ErrNotFree = errors.New("presence: in no free space")

// ErrUnknown reports an ID without an object. The wrapping error names the ID.
var ErrUnknown = errors.New("presence: unknown object")

// Place is the relation of an object to the floor.
type Place struct {
	// Region is the region of the object's place, zero for a place in no free space.
	Region navmesh.Ref
	Free   bool
	// Blocked says that the object is wider than the agent of the mesh and meets a wall: with the part of its disc that the
	// agent's radius exceeds. An object that is Free and not Blocked collides with no wall, see docs/algorithms/presence.md.
	Blocked bool
}

// body is an object in a Set.
type body struct {
	Object
	disc  disc
	band  span
	home  int32   // cell, -1 for none
	cells []int32 // ascending
	// loose says that some part of the object may be outside of all prisms.
	loose, blocked bool
}

// Set is a set of objects on a mesh. It belongs to one goroutine at a time, but for [Set.Now].
type Set struct {
	cells  cells
	radius int64 // of the mesh's agent
	bodies []body
	free   []int32
	of     map[ID]int32
	order  []int32 // the bodies by ID; nil after an object has come or gone
	probe  body
	now    atomic.Pointer[View]
	dirty  bool
}

// New returns an empty Set over an Index. A nil Index is the Index of a mesh without regions.
func New(ix *query.Index) *Set {
	s := &Set{cells: newCells(ix), of: map[ID]int32{}}
	s.radius = units(max(ix.Mesh().Agent.Radius, 0))
	s.now.Store(s.compile())
	return s
}

// Len returns the number of objects. Time O(1).
func (s *Set) Len() int { return len(s.of) }

// Add adds an object where it stands. The errors: an ID that the Set has, a number that is not finite or below 0, a place
// beyond the frame of the mesh, and [ErrNotFree]; after an error the Set is as before. Time O(log n + k) for n regions
// and k regions that the object touches.
func (s *Set) Add(o Object) error { return s.add(o, -1) }

// AddNear is Add with the hint that the object stands near another one, in its region or beside. The hint saves a
// search and changes no result. An unknown other object is an error.
func (s *Set) AddNear(o Object, other ID) error {
	i, ok := s.of[other]
	if !ok {
		return fmt.Errorf("%w: object %d cannot be added near object %d", ErrUnknown, o.ID, other)
	}
	return s.add(o, s.bodies[i].home)
}

// AddIn is Add with the hint that the object stands in a region, or beside the region. The hint saves a search and changes
// no result. A stale or foreign Ref is no hint.
func (s *Set) AddIn(o Object, region navmesh.Ref) error { return s.add(o, s.cells.cellOf(region)) }

func (s *Set) add(o Object, hint int32) error {
	if _, ok := s.of[o.ID]; ok {
		return fmt.Errorf("presence: object %d is there already", o.ID)
	}
	if err := s.try(o, hint); err != nil {
		return err
	}
	i := int32(len(s.bodies))
	if n := len(s.free); n > 0 {
		i = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		s.bodies = append(s.bodies, body{})
	}
	s.take(i)
	s.of[o.ID] = i
	s.order = nil
	return nil
}

// try places an object as s.probe.
func (s *Set) try(o Object, hint int32) error {
	p := &s.probe
	if err := s.shape(p, o); err != nil {
		return err
	}
	s.place(p, hint)
	if p.home < 0 {
		return fmt.Errorf("%w: object %d at %v", ErrNotFree, o.ID, o.At)
	}
	return nil
}

// take makes s.probe the body i, which gives its memory to s.probe.
func (s *Set) take(i int32) {
	s.bodies[i], s.probe = s.probe, s.bodies[i]
	s.dirty = true
}

// Remove removes an object. The error is [ErrUnknown]. Time O(1).
func (s *Set) Remove(id ID) error {
	i, ok := s.of[id]
	if !ok {
		return fmt.Errorf("%w: object %d cannot be removed", ErrUnknown, id)
	}
	delete(s.of, id)
	s.free = append(s.free, i)
	s.order, s.dirty = nil, true
	return nil
}

// Move moves an object. The search begins in the object's own region, goes on in the regions beside, and asks the whole
// mesh last. Errors are as for [Set.Add], and [ErrUnknown]; after an error the object stays where it was. Time O(k·m) for
// k touched regions with m corners and neighbours.
func (s *Set) Move(id ID, to geom.Vec) error {
	i, ok := s.of[id]
	if !ok {
		return fmt.Errorf("%w: object %d cannot be moved", ErrUnknown, id)
	}
	o := s.bodies[i].Object
	o.At = to
	return s.update(i, o)
}

// Update gives an object another place, extent and senses. Errors and time are as for [Set.Move].
func (s *Set) Update(o Object) error {
	i, ok := s.of[o.ID]
	if !ok {
		return fmt.Errorf("%w: object %d cannot be updated", ErrUnknown, o.ID)
	}
	return s.update(i, o)
}

func (s *Set) update(i int32, o Object) error {
	if err := s.try(o, s.bodies[i].home); err != nil {
		return err
	}
	s.take(i)
	return nil
}

// Object returns an object; ok is false for an unknown ID. Time O(1).
func (s *Set) Object(id ID) (o Object, ok bool) {
	i, ok := s.of[id]
	if !ok {
		return Object{}, false
	}
	return s.bodies[i].Object, true
}

// Where returns the place of an object; ok is false for an unknown ID. An object is not Free only after a change of the mesh,
// see [Set.Use]. Time O(1).
func (s *Set) Where(id ID) (p Place, ok bool) {
	i, ok := s.of[id]
	if !ok {
		return Place{}, false
	}
	return s.placeOf(&s.bodies[i]), true
}

func (s *Set) placeOf(b *body) Place {
	if b.home < 0 {
		return Place{}
	}
	return Place{Region: s.cells.list[b.home].ref, Free: true, Blocked: b.blocked}
}

// Test returns the place that an object would have, and does not add the object: the static test, by location in free
// space. The errors are those of bad numbers and of places beyond the frame. Time as for [Set.Add]. With a hint, an ID in the Set or any
// other number, the search begins where that object stands.
func (s *Set) Test(o Object, hint ID) (Place, error) {
	near := int32(-1)
	if i, ok := s.of[hint]; ok {
		near = s.bodies[i].home
	}
	if err := s.shape(&s.probe, o); err != nil {
		return Place{}, err
	}
	s.place(&s.probe, near)
	return s.placeOf(&s.probe), nil
}

// Use goes on with another Index, after a change of the mesh: all objects are placed anew. Boxes are the parts of the world
// that changed, as world.Change.Boxes; then only objects in regions that meet a box are placed anew, and the Index must
// have the frame of the one before. Without boxes everything may have changed. Lost lists the objects, by ID, whose places
// are now in no free space: they stay in the Set and collide, until they move or are removed.
//
// Time O(n + c) for n objects and c regions that objects have been near, and the time of [Set.Move] for each object placed
// anew.
func (s *Set) Use(ix *query.Index, boxes ...geom.Box) (lost []ID) {
	s.dirty = true
	frame := ix.Mesh().Frame
	var anew []int32 // bodies
	if len(boxes) == 0 || frame != s.cells.frame {
		s.cells = newCells(ix)
		s.radius = units(max(ix.Mesh().Agent.Radius, 0))
		anew = s.byID()
		for _, i := range anew {
			s.bodies[i].home = -1
		}
	} else {
		changed := make([]lattice.Box, len(boxes))
		for i, b := range boxes {
			changed[i] = outline(frame, b)
		}
		s.cells.change(ix, changed)
		gone := func(i int32) bool { return s.cells.list[i] == nil }
		for _, i := range s.byID() {
			if b := &s.bodies[i]; b.loose || slices.ContainsFunc(b.cells, gone) {
				anew = append(anew, i)
				if b.home >= 0 && gone(b.home) {
					b.home = -1
				}
			}
		}
	}
	for _, i := range anew {
		b := &s.bodies[i]
		if err := s.shape(b, b.Object); err != nil {
			// The new frame does not reach the object.
			b.home, b.cells, b.loose, b.blocked = -1, b.cells[:0], true, false
		} else {
			s.place(b, b.home)
		}
		if b.home < 0 {
			lost = append(lost, b.ID)
		}
	}
	return lost
}

// outline returns a box seen from above in lattice units, grown by a unit for rounding.
func outline(frame lattice.Frame, b geom.Box) lattice.Box {
	x0, y0, _ := frame.Local(geom.Vec{X: b.Min.X, Z: b.Max.Z})
	x1, y1, _ := frame.Local(geom.Vec{X: b.Max.X, Z: b.Min.Z})
	in := func(x float64) int32 { return int32(max(min(x, lattice.MaxCoord), -lattice.MaxCoord)) }
	return lattice.Box{
		Min: lattice.Point{X: in(math.Floor(x0) - 1), Y: in(math.Floor(y0) - 1)},
		Max: lattice.Point{X: in(math.Ceil(x1) + 1), Y: in(math.Ceil(y1) + 1)},
	}
}

// shape sets the outline of a body.
func (s *Set) shape(b *body, o Object) error {
	for _, n := range [...]struct {
		name  string
		value float64
		ok    bool
	}{
		{"radius", o.Radius, o.Radius >= 0 && !math.IsInf(o.Radius, 0)},
		{"height", o.Height, o.Height >= 0 && !math.IsInf(o.Height, 0)},
		{"view", o.View, o.View >= 0 && !math.IsInf(o.View, 0)},
		{"sight", o.Sight, o.Sight >= 0},
		{"hearing", o.Hearing, !math.IsNaN(o.Hearing)},
	} {
		if !n.ok {
			return fmt.Errorf("presence: object %d at %v: its %s is %v", o.ID, o.At, n.name, n.value)
		}
	}
	if !o.Heading.IsFinite() {
		return fmt.Errorf("presence: object %d at %v: its heading is %v", o.ID, o.At, o.Heading)
	}
	at, z, ok := s.cells.frame.FromWorld(o.At)
	if !ok {
		return fmt.Errorf("presence: object %d is at %v, beyond the frame of the mesh", o.ID, o.At)
	}
	b.Object = o
	b.disc = disc{at, units(o.Radius)}
	b.band = span{int64(z), int64(z) + units(o.Height)}
	return nil
}

// place finds the cells of a body.
func (s *Set) place(b *body, hint int32) {
	c := &s.cells
	b.home = c.locate(b.At, b.disc.at, hint)
	b.cells, b.loose, b.blocked = b.cells[:0], b.home < 0, false
	c.stamp++
	box := b.disc.bounds()
	under := func(x *cell) bool { return x.box.Overlaps(box) && b.disc.touchesRing(x.ring) }
	put := func(i int32) {
		if x := c.list[i]; x.stamp != c.stamp && x.air.meets(b.band) && under(x) {
			x.stamp = c.stamp
			b.cells = append(b.cells, i)
		}
	}
	if b.home >= 0 {
		b.cells = append(b.cells, b.home)
		c.list[b.home].stamp = c.stamp
	}
	wide := disc{b.disc.at, b.disc.radius - s.radius}
	for k := 0; k < len(b.cells); k++ {
		x := c.list[b.cells[k]]
		b.loose = b.loose || !b.band.within(x.air)
		for _, w := range x.walls {
			if lattice.BoxOf(w[0], w[1]).Overlaps(box) && b.disc.touchesSegment(w[0], w[1]) {
				b.loose = true
				b.blocked = b.blocked || wide.radius > 0 && wide.touchesSegment(w[0], w[1])
			}
		}
		for _, o := range c.aroundOf(b.cells[k]) {
			put(o.cell)
			// The floor goes on behind the door, above or below the object.
			y := c.list[o.cell]
			b.loose = b.loose || o.door && y.stamp != c.stamp && !y.air.meets(b.band) && under(y)
		}
		b.loose = b.loose || x.odd
	}
	if b.loose {
		c.inBox(box, b.band, put)
	}
	slices.Sort(b.cells)
}

// byID lists the bodies in use by ID.
func (s *Set) byID() []int32 {
	if s.order == nil {
		s.order = make([]int32, 0, len(s.of))
		for _, i := range s.of {
			s.order = append(s.order, i)
		}
		slices.SortFunc(s.order, func(a, b int32) int {
			if s.bodies[a].ID < s.bodies[b].ID {
				return -1
			}
			return 1
		})
	}
	return s.order
}
