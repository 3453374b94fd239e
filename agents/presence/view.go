package presence

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// View is the state of a Set at one time. A View never changes: any number of goroutines read it without locks, each by a
// [Reader] of its own.
//
// Idea: A bucket is a region or a strip. A strip is a stripe of the plane along X; its width is a power of two. An object
// that touches a wall is in the strips of all widths from its own diameter on. So two of these objects that meet share
// a strip of the larger one's width. In every bucket the objects are sorted by their western ends.
type View struct {
	ix      *query.Index
	frame   lattice.Frame
	cells   []*cell // by number; of a View only ref and ring are read
	of      map[navmesh.Ref]int32
	objects []seen  // by ID
	buckets []int32 // of the objects: those of object i are [objects[i].first, objects[i+1].first)

	first   []int32 // of the entries of each bucket, and the end of the last bucket
	widest  []int64 // the longest entry of each bucket along X
	entries []entry
	strips  []strip // those of the buckets behind the cells, ascending
	levels  uint64  // the widths of strips, by their logarithms
	sharp   float64 // the largest Hearing
	above   int64
	below   int64
}

// seen is an object in a View.
type seen struct {
	Object
	disc  disc
	band  span
	home  int32
	first int32
	place Place
}

// entry is a box around an object in a bucket, clamped.
type entry struct {
	west, east, south, north, low, high int32
	object                              int32
}

// strip names a strip: the logarithm of its width, and its number from the south.
type strip struct {
	level  int32
	number int64
}

func (a strip) compare(b strip) int {
	switch {
	case a.level != b.level:
		return int(a.level - b.level)
	case a.number < b.number:
		return -1
	case a.number > b.number:
		return 1
	}
	return 0
}

// leastStrip is the logarithm of the narrowest strip, of a metre.
const leastStrip = 12

// levelOf returns the logarithm of the width of the strips for a disc: not narrower than the disc.
func levelOf(d disc) int32 { return max(leastStrip, int32(bits.Len64(uint64(2*d.radius)))) }

// stripsOf returns the numbers of the first and the last strip that a disc meets.
func stripsOf(d disc, level int32) (from, to int64) {
	y := int64(d.at.Y)
	return (y - d.radius) >> level, (y + d.radius) >> level
}

// Publish returns a View of the Set as it is, for readers, and makes it the View of [Set.Now]. Call Publish once a tick,
// after all changes. Time O(n log n) for n objects; O(1) without a change since the last View.
func (s *Set) Publish() *View {
	if s.dirty {
		s.now.Store(s.compile())
		s.dirty = false
	}
	return s.now.Load()
}

// Now returns the View that was published last. Any number of goroutines may call Now at any time.
func (s *Set) Now() *View { return s.now.Load() }

// compile makes a View.
func (s *Set) compile() *View {
	order := s.byID()
	v := &View{
		ix: s.cells.ix, frame: s.cells.frame, cells: slices.Clone(s.cells.list), of: s.cells.of,
		objects: make([]seen, len(order)), above: s.cells.above, below: s.cells.below,
	}
	s.cells.shared = true
	for _, i := range order {
		if b := &s.bodies[i]; b.loose {
			v.levels |= 1 << levelOf(b.disc)
		}
	}
	type stay struct {
		strip
		object int32
	}
	var stays []stay
	total := 0
	for k, i := range order {
		b := &s.bodies[i]
		v.objects[k] = seen{Object: b.Object, disc: b.disc, band: b.band, home: b.home, place: s.placeOf(b)}
		v.sharp = max(v.sharp, b.Hearing)
		total += len(b.cells)
		if !b.loose {
			continue
		}
		for rest := v.levels >> levelOf(b.disc) << levelOf(b.disc); rest != 0; rest &= rest - 1 {
			level := int32(bits.TrailingZeros64(rest))
			from, to := stripsOf(b.disc, level)
			for n := from; n <= to; n++ {
				stays = append(stays, stay{strip{level, n}, int32(k)})
			}
		}
	}
	slices.SortFunc(stays, func(a, b stay) int { return a.compare(b.strip) })
	extra := make([]int32, len(order)+1) // strips of each object, then their places in lists
	for i, st := range stays {
		if i == 0 || stays[i-1].strip != st.strip {
			v.strips = append(v.strips, st.strip)
		}
		extra[st.object]++
	}

	// The buckets of each object, ascending: cells, then strips.
	v.buckets = make([]int32, total+len(stays))
	at := int32(0)
	for k, i := range order {
		v.objects[k].first = at
		at += int32(copy(v.buckets[at:], s.bodies[i].cells))
		at, extra[k] = at+extra[k], at
	}
	number := int32(len(v.cells)) - 1
	for i, st := range stays {
		if i == 0 || stays[i-1].strip != st.strip {
			number++
		}
		v.buckets[extra[st.object]] = number
		extra[st.object]++
	}

	// The objects of each bucket, from west to east.
	n := len(v.cells) + len(v.strips)
	v.first, v.widest = make([]int32, n+1), make([]int64, n)
	for _, b := range v.buckets {
		v.first[b+1]++
	}
	for b := range n {
		v.first[b+1] += v.first[b]
	}
	west := make([]uint64, len(order))
	for k := range v.objects {
		west[k] = uint64(uint32(v.objects[k].disc.bounds().Min.X)^1<<31)<<32 | uint64(k)
	}
	slices.Sort(west)
	v.entries = make([]entry, len(v.buckets))
	next := slices.Clone(v.first[:n])
	for _, key := range west {
		k := int32(uint32(key))
		e := v.entryOf(k)
		for _, b := range v.bucketsOf(k) {
			v.entries[next[b]] = e
			next[b]++
			v.widest[b] = max(v.widest[b], int64(e.east)-int64(e.west))
		}
	}
	return v
}

// entryOf returns the box of an object.
func (v *View) entryOf(k int32) entry { return boxOf(v.objects[k].disc, v.objects[k].band, k) }

func boxOf(d disc, band span, object int32) entry {
	box := d.bounds()
	return entry{
		west: box.Min.X, east: box.Max.X, south: box.Min.Y, north: box.Max.Y,
		low: clamp(band.low), high: clamp(band.high), object: object,
	}
}

// bucketsOf lists the buckets of an object, ascending.
func (v *View) bucketsOf(k int32) []int32 {
	end := int32(len(v.buckets))
	if int(k+1) < len(v.objects) {
		end = v.objects[k+1].first
	}
	return v.buckets[v.objects[k].first:end]
}

// in lists the entries of a bucket.
func (v *View) in(bucket int32) []entry { return v.entries[v.first[bucket]:v.first[bucket+1]] }

// find returns the number of the object with an ID, -1 for none.
func (v *View) find(id ID) int32 {
	i := sort.Search(len(v.objects), func(i int) bool { return v.objects[i].ID >= id })
	if i < len(v.objects) && v.objects[i].ID == id {
		return int32(i)
	}
	return -1
}

// Index returns the Index of the mesh that the objects stand on.
func (v *View) Index() *query.Index { return v.ix }

// Len returns the number of objects.
func (v *View) Len() int { return len(v.objects) }

// At returns the object number i by ID, from 0 to Len()-1.
func (v *View) At(i int) (Object, Place) { return v.objects[i].Object, v.objects[i].place }

// Object returns an object and its place; ok is false for an unknown ID. Time O(log n).
func (v *View) Object(id ID) (o Object, p Place, ok bool) {
	i := v.find(id)
	if i < 0 {
		return Object{}, Place{}, false
	}
	return v.objects[i].Object, v.objects[i].place, true
}

// Regions appends the regions that an object touches to a list, in the order of their Refs; none for an unknown ID.
func (v *View) Regions(list []navmesh.Ref, id ID) []navmesh.Ref {
	i := v.find(id)
	if i < 0 {
		return list
	}
	from := len(list)
	for _, b := range v.bucketsOf(i) {
		if int(b) < len(v.cells) {
			list = append(list, v.cells[b].ref)
		}
	}
	slices.Sort(list[from:])
	return list
}

// In appends the objects that touch a region to a list, by ID.
func (v *View) In(list []ID, region navmesh.Ref) []ID {
	from := len(list)
	if c, ok := v.of[region]; ok && int(c)+1 < len(v.first) {
		for _, e := range v.in(c) {
			list = append(list, v.objects[e.object].ID)
		}
	}
	slices.Sort(list[from:])
	return list
}

// touch reports exactly whether two objects have a common point.
func (v *View) touch(a, b int32) bool {
	o, p := &v.objects[a], &v.objects[b]
	return o.band.meets(p.band) && o.disc.touches(p.disc)
}

// firstShared reports whether a bucket is the first one that two objects share.
func (v *View) firstShared(a, b, bucket int32) bool {
	p, q := v.bucketsOf(a), v.bucketsOf(b)
	for i, j := 0, 0; ; {
		switch {
		case p[i] < q[j]:
			i++
		case p[i] > q[j]:
			j++
		default:
			return p[i] == bucket
		}
	}
}
