package presence

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Reader asks a View. A Reader owns its scratch memory and belongs to one goroutine at a time; lists that it returns are
// valid until its next question.
type Reader struct {
	// Tests counts the pairs of boxes that the questions have compared.
	Tests int

	v      *View
	q      *query.Query
	marks  []uint32 // of objects, the last question that met them
	stamp  uint32
	found  []int32
	ids    []ID
	keys   []uint64
	pairs  []Pair
	near   []Near
	regs   []navmesh.Ref
	exits  []query.Exit
	goals  []geom.Vec
	who    []int32
	notes  []Notice
	sights []Sighting
	look   look
}

// Pair is two objects, the smaller ID first.
type Pair struct{ A, B ID }

// Near is an object and its distance in metres.
type Near struct {
	ID       ID
	Distance float64
}

// NewReader returns a Reader of a View.
func (v *View) NewReader() *Reader {
	r := &Reader{q: v.ix.NewQuery()}
	r.Use(v)
	return r
}

// Use makes the Reader ask another View, such as the next one. The memory stays.
func (r *Reader) Use(v *View) {
	r.v = v
	r.q.Use(v.ix)
	if len(r.marks) < len(v.objects) {
		r.marks, r.stamp = make([]uint32, len(v.objects)+len(v.objects)/8), 0
	}
}

// View returns the View that the Reader asks.
func (r *Reader) View() *View { return r.v }

// begin starts a question about objects that are to be met once each.
func (r *Reader) begin() {
	r.stamp++
	if r.stamp == 0 {
		clear(r.marks)
		r.stamp = 1
	}
	r.found = r.found[:0]
}

// Candidates returns the pairs of objects that may collide: their boxes have a common point, seen from above and in
// height. Each pair is listed once, in order. Time O(n log n + k) for n entries of regions and k pairs that overlap along X.
func (r *Reader) Candidates() []Pair { return r.sweep(false) }

// Collisions returns the pairs of objects that have a common point, decided exactly. Each pair is listed once, in order.
// Time as for [Reader.Candidates].
func (r *Reader) Collisions() []Pair { return r.sweep(true) }

func (r *Reader) sweep(exact bool) []Pair {
	v := r.v
	r.keys = r.keys[:0]
	for b := range int32(len(v.first) - 1) {
		list := v.in(b)
		for i := range list {
			a := &list[i]
			for j := i + 1; j < len(list) && list[j].west <= a.east; j++ {
				c := &list[j]
				r.Tests++
				if a.south > c.north || c.south > a.north || a.low > c.high || c.low > a.high {
					continue
				}
				if exact && !v.touch(a.object, c.object) || !v.firstShared(a.object, c.object, b) {
					continue
				}
				x, y := min(a.object, c.object), max(a.object, c.object)
				r.keys = append(r.keys, uint64(x)<<32|uint64(y))
			}
		}
	}
	slices.Sort(r.keys)
	r.pairs = r.pairs[:0]
	for _, k := range r.keys {
		r.pairs = append(r.pairs, Pair{v.objects[k>>32].ID, v.objects[uint32(k)].ID})
	}
	return r.pairs
}

// scan lists the objects of a bucket whose boxes meet a box, each once for a question.
func (r *Reader) scan(bucket int32, box *entry) {
	v := r.v
	list := v.in(bucket)
	start := int64(box.west) - v.widest[bucket]
	i := sort.Search(len(list), func(i int) bool { return int64(list[i].west) >= start })
	for ; i < len(list) && list[i].west <= box.east; i++ {
		e := &list[i]
		r.Tests++
		if e.east < box.west || e.south > box.north || e.north < box.south || e.low > box.high || e.high < box.low {
			continue
		}
		if r.marks[e.object] != r.stamp {
			r.marks[e.object] = r.stamp
			r.found = append(r.found, e.object)
		}
	}
}

// around lists all objects whose boxes meet the box of a cylinder, and ends with the numbers in order.
func (r *Reader) around(d disc, band span) {
	v := r.v
	r.begin()
	box := boxOf(d, band, -1)
	for _, ref := range regionsIn(r.q, v.frame, d.bounds(), span{band.low - v.above, band.high + v.below}) {
		if c, ok := v.of[ref]; ok && int(c) < len(v.cells) {
			r.scan(c, &box)
		}
	}
	for rest := v.levels; rest != 0; {
		level := int32(63 - bits.LeadingZeros64(rest))
		rest &^= 1 << level
		from, to := stripsOf(d, level)
		i, _ := slices.BinarySearchFunc(v.strips, strip{level, from}, strip.compare)
		for ; i < len(v.strips) && v.strips[i].level == level && v.strips[i].number <= to; i++ {
			r.scan(int32(len(v.cells)+i), &box)
		}
	}
	slices.Sort(r.found)
}

// CandidatesOf returns the objects that may collide with an object: those that share a region, or a place off the floor,
// and whose boxes have a common point with its box. By ID. The error is [ErrUnknown]. Time O(k) for the k objects in the
// regions of the object.
func (r *Reader) CandidatesOf(id ID) ([]ID, error) { return r.meeting(id, false) }

// CollisionsOf returns the objects that have a common point with an object, decided exactly, by ID. The error is
// [ErrUnknown]. Time as for [Reader.CandidatesOf].
func (r *Reader) CollisionsOf(id ID) ([]ID, error) { return r.meeting(id, true) }

func (r *Reader) meeting(id ID, exact bool) ([]ID, error) {
	v := r.v
	i := v.find(id)
	if i < 0 {
		return nil, fmt.Errorf("%w: %d", ErrUnknown, id)
	}
	r.begin()
	r.marks[i] = r.stamp
	box := v.entryOf(i)
	for _, b := range v.bucketsOf(i) {
		r.scan(b, &box)
	}
	slices.Sort(r.found)
	r.ids = r.ids[:0]
	for _, o := range r.found {
		if !exact || v.touch(i, o) {
			r.ids = append(r.ids, v.objects[o].ID)
		}
	}
	return r.ids, nil
}

// Within returns the objects that have a point within reach metres of a place, with their distances in space, the nearest
// first; of equally near objects the smaller ID first. The error is for a place beyond the frame of the mesh, and for a reach that
// is negative or NaN. Time O(log n + k) for the k objects of the regions in reach.
func (r *Reader) Within(at geom.Vec, reach float64) ([]Near, error) {
	p, z, ok := r.v.frame.FromWorld(at)
	if !ok || !(reach >= 0) {
		return nil, fmt.Errorf("presence: no objects within %v m of %v: not a length, or beyond the frame of the mesh", reach, at)
	}
	far := units(reach)
	r.around(disc{p, far}, span{int64(z) - far, int64(z) + far})
	r.near = r.near[:0]
	for _, o := range r.found {
		if d := r.v.objects[o].distance(p, int64(z)); d <= reach {
			r.near = append(r.near, Near{r.v.objects[o].ID, d})
		}
	}
	slices.SortFunc(r.near, func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
	})
	return r.near, nil
}

// distance returns the distance in metres of a point from an object, in space.
func (o *seen) distance(p lattice.Point, z int64) float64 {
	across := max(0, o.disc.at.Distance(p)-float64(o.disc.radius))
	up := float64(max(0, o.band.low-z, z-o.band.high))
	return math.Sqrt(float64(across*across)+float64(up*up)) * lattice.Unit
}

// Nearest returns at most the given number of objects nearest to a place, within reach metres, as [Reader.Within]. Reach
// may be +Inf. Time O(log n + k) for the k objects of the regions within twice the distance of the last one.
func (r *Reader) Nearest(at geom.Vec, most int, reach float64) ([]Near, error) {
	for near := 1.0; ; near *= 2 {
		list, err := r.Within(at, min(near, reach))
		if err != nil {
			return nil, err
		}
		if most = max(most, 0); len(list) >= most {
			return list[:most], nil
		}
		if near >= reach || len(list) == len(r.v.objects) || near > 2*farthest*lattice.Unit {
			return list, nil
		}
	}
}

// Known returns the regions and objects that an agent knows by default: its own region and the regions behind its portals,
// and all objects that touch them. Both are in order; the agent itself is not listed. An agent whose place is in no free
// space knows nothing. The error is [ErrUnknown]. Time O(m + k log k) for m portals and k objects.
func (r *Reader) Known(id ID) (regions []navmesh.Ref, objects []ID, err error) {
	v := r.v
	i := v.find(id)
	if i < 0 {
		return nil, nil, fmt.Errorf("%w: %d", ErrUnknown, id)
	}
	r.regs, r.ids = r.regs[:0], r.ids[:0]
	if v.objects[i].home < 0 {
		return r.regs, r.ids, nil
	}
	own := v.objects[i].place.Region
	r.regs = append(r.regs, own)
	r.exits = v.ix.Exits(r.exits[:0], own)
	for k := range r.exits {
		if r.exits[k].Link < 0 {
			r.regs = append(r.regs, r.exits[k].To)
		}
	}
	slices.Sort(r.regs)
	r.regs = slices.Compact(r.regs)
	for _, ref := range r.regs {
		r.ids = v.In(r.ids, ref)
	}
	slices.Sort(r.ids)
	r.ids = slices.DeleteFunc(slices.Compact(r.ids), func(o ID) bool { return o == id })
	return r.regs, r.ids, nil
}
