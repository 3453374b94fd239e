package footprint

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// The floor that a mesh of triangles takes.
//
// Idea: the places over which a solid has anything in a slab of heights are those of two kinds. Over the first kind the
// surface is in the slab: the triangles clipped to the slab tell. Over the second kind the upper end of the slab is inside
// the solid. All triangles above the end, clipped and seen from above, wind around such a place as often as the solid
// winds around it in space: an upper side counts 1 and a lower side -1. The lower end and the triangles below it do as well.
// So one arrangement of the plane has both kinds, and nothing is ever walked along.
//
// For an agent with a radius everything in the slab is moved out by a unit first, as obstacles are in build/exact. Walls and
// wires have an area then. The growth is a unit less in exchange.

// blunt is how far the outline of a mesh is simplified outwards before it grows, in lattice units: 2 mm.
const blunt = 8

// isPoint reports whether the agent has no radius, as in build/exact.
func (f *Footprint) isPoint() bool { return f.radius <= 1 }

// inSlab returns the places over which the solid has anything strictly between two heights, moved out by a unit unless the
// agent is a point. Only places in a box count.
func (f *Footprint) inSlab(low, high int32, within lattice.Box) []lattice.Polygon {
	m := f.shape.mesh
	var pieces, windings []lattice.Ring
	var walls []wall
	above, below := 0, 0
	slab := band{low, high}
	var corners lattice.Ring
	for i := range m.triangles {
		t := &m.triangles[i]
		zl, zh := heightsOf(t)
		if !boxOf(t).Overlaps(within) {
			continue
		}
		if zh >= high {
			above++
		}
		if zl <= low {
			below++
		}
		if zh <= low || zl >= high {
			continue
		}
		corners = slab.clip(t, corners[:0])
		upright := lattice.Orient(t[0].Point, t[1].Point, t[2].Point) == 0
		switch {
		case f.isPoint():
			if !upright {
				pieces = append(pieces, forward(slices.Clone(corners)))
			}
		case upright && (t[0].Point != t[1].Point || t[0].Point != t[2].Point):
			walls = append(walls, wallOf(t, corners))
		default:
			pieces = append(pieces, movedOut(corners...))
		}
	}
	pieces = appendWalls(pieces, walls)
	if m.closed {
		// Level triangles at an end of the slab are outside of it.
		if above <= below {
			windings = m.beyond(band{high, math.MaxInt32}, true, within)
		} else {
			windings = m.beyond(band{math.MinInt32, low}, true, within)
		}
	}
	return arranged(func(w overlay.Winding) bool { return w[0] > 0 || w[1] != 0 }, united(pieces), windings)
}

// together is how many pieces are united at a time.
const together = 256

// united returns the union of counter-clockwise pieces as rings. Many pieces are united in groups of neighbours first, so that
// edges inside the union do not meet those of all layers above and below.
func united(pieces []lattice.Ring) []lattice.Ring {
	if len(pieces) <= 2*together {
		return pieces
	}
	type at struct {
		key  uint64
		ring lattice.Ring
	}
	all := make([]at, len(pieces))
	whole := boxOfRings(pieces)
	w, h := whole.Size()
	shift := max(bits.Len64(uint64(max(w, h)))-16, 0)
	for i, r := range pieces {
		x, y := r[0].Sub(whole.Min)
		all[i] = at{interleaved(uint64(x)>>shift) | interleaved(uint64(y)>>shift)<<1, r}
	}
	slices.SortStableFunc(all, func(a, b at) int { return cmp.Compare(a.key, b.key) })
	var rings, group []lattice.Ring
	for i := range all {
		group = append(group, all[i].ring)
		if len(group) == together || i == len(all)-1 {
			rings = append(rings, ringsOf(arranged(overlay.Positive(0), group))...)
			group = group[:0]
		}
	}
	return rings
}

// interleaved spreads the lowest 16 bits of a number over the even places.
func interleaved(x uint64) uint64 {
	x = (x | x<<8) & 0x00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f
	x = (x | x<<2) & 0x33333333
	return (x | x<<1) & 0x55555555
}

// beyond returns the triangles within a band of heights from above, in their own directions. A triangle that only touches an
// end of the band counts where touching is set.
func (m *mesh) beyond(b band, touching bool, within lattice.Box) []lattice.Ring {
	var rings []lattice.Ring
	for i := range m.triangles {
		t := &m.triangles[i]
		zl, zh := heightsOf(t)
		if zh < b.low || zl > b.high || !touching && (zh == b.low || zl == b.high) {
			continue
		}
		if lattice.Orient(t[0].Point, t[1].Point, t[2].Point) != 0 && boxOf(t).Overlaps(within) {
			rings = append(rings, b.clip(t, nil))
		}
	}
	return rings
}

// beyondPlane returns the triangles above the plane of a face, moved up by some units, from above and in their own directions.
func (m *mesh) beyondPlane(g *face, by float64, within lattice.Box) []lattice.Ring {
	p := planeOf(&g.corners)
	var rings []lattice.Ring
	for i := range m.triangles {
		t := &m.triangles[i]
		if lattice.Orient(t[0].Point, t[1].Point, t[2].Point) == 0 || !boxOf(t).Overlaps(within) {
			continue
		}
		var ring lattice.Ring
		for k := range t {
			a, b := &t[k], &t[(k+1)%3]
			da, db := p.above(a)-by, p.above(b)-by
			if da >= 0 {
				ring = append(ring, a.Point)
			}
			if (da >= 0) != (db >= 0) {
				// Both triangles of an edge find the same place.
				if compareVertices(*a, *b) > 0 {
					a, b, da, db = b, a, db, da
				}
				dx, dy := b.Sub(a.Point)
				share := da / (da - db)
				ring = append(ring, lattice.Point{
					X: a.X + int32(math.Floor(float64(float64(dx)*share)+0.5)),
					Y: a.Y + int32(math.Floor(float64(float64(dy)*share)+0.5)),
				})
			}
		}
		if len(ring) > 2 {
			rings = append(rings, ring)
		}
	}
	return rings
}

// plane is the plane of a floor triangle: a corner, and the rise per unit.
type plane struct {
	from   lattice.Vertex
	gx, gy float64
}

func planeOf(t *[3]lattice.Vertex) plane {
	ux, uy := t[1].Sub(t[0].Point)
	wx, wy := t[2].Sub(t[0].Point)
	uz, wz := float64(int64(t[1].Z)-int64(t[0].Z)), float64(int64(t[2].Z)-int64(t[0].Z))
	area := float64(lattice.Orient(t[0].Point, t[1].Point, t[2].Point))
	return plane{
		from: t[0],
		gx:   (float64(uz*float64(wy)) - float64(wz*float64(uy))) / area,
		gy:   (float64(wz*float64(ux)) - float64(uz*float64(wx))) / area,
	}
}

// height returns the height of the plane at a point.
func (p *plane) height(at lattice.Point) float64 {
	dx, dy := at.Sub(p.from.Point)
	return float64(p.from.Z) + float64(p.gx*float64(dx)) + float64(p.gy*float64(dy))
}

// above returns how far a vertex is above the plane.
func (p *plane) above(v *lattice.Vertex) float64 { return float64(v.Z) - p.height(v.Point) }

// at returns the places inside the closed solid at a height: those inside right above or right below.
func (m *mesh) at(height int32, within lattice.Box) []lattice.Polygon {
	b := band{height, math.MaxInt32}
	return arranged(either, m.beyond(b, false, within), m.beyond(b, true, within))
}

// either is the rule for the places inside a solid by one of two measures.
func either(w overlay.Winding) bool { return w[0] != 0 || w[1] != 0 }

// arranged returns the places for which a rule holds. All points are in the frame.
func arranged(rule overlay.Rule, inputs ...[]lattice.Ring) []lattice.Polygon {
	a, err := overlay.Arrange(inputs...)
	if err != nil {
		return nil
	}
	defer a.Release()
	return a.Polygons(rule)
}

// forward returns a ring counter-clockwise.
func forward(r lattice.Ring) lattice.Ring {
	if r.Area2() < 0 {
		slices.Reverse(r)
	}
	return r
}

func boxOf(t *[3]lattice.Vertex) lattice.Box {
	return lattice.BoxOf(t[0].Point, t[1].Point, t[2].Point)
}

// everywhere is a box around all places.
var everywhere = lattice.Box{Min: lattice.Point{X: math.MinInt32, Y: math.MinInt32}, Max: lattice.Point{X: math.MaxInt32, Y: math.MaxInt32}}

// sections remembers the latest outlines of a mesh.
type sections struct {
	mutex sync.Mutex
	known []section // the latest last
}

// section is the part of a mesh in a slab from above.
type section struct {
	low, high int32 // the slab, no wider than the mesh
	plan      []lattice.Polygon
	grown     []lattice.Ring
	isGrown   bool
}

// remembered is how many sections a footprint remembers.
const remembered = 8

// of returns the section of a slab. The mutex is held.
func (s *sections) of(f *Footprint, low, high int32) *section {
	low, high = f.narrowed(low, high)
	i := slices.IndexFunc(s.known, func(k section) bool { return k.low == low && k.high == high })
	if i < 0 {
		k := section{low: low, high: high}
		switch {
		case low >= high:
		case f.volume:
			k.plan = f.shape.mesh.at(low+1, everywhere)
		default:
			k.plan = f.inSlab(low, high, everywhere)
		}
		if len(s.known) == remembered {
			s.known = slices.Delete(s.known, 0, 1)
		}
		i = len(s.known)
		s.known = append(s.known, k)
	} else if i < len(s.known)-1 {
		k := s.known[i]
		s.known = append(slices.Delete(s.known, i, i+1), k)
		i = len(s.known) - 1
	}
	return &s.known[i]
}

// narrowed returns the part of a slab in which the mesh is.
func (f *Footprint) narrowed(low, high int32) (int32, int32) {
	return max(low, f.shape.low-1), min(high, f.shape.high+1)
}

// rings returns the section, grown by the radius.
func (k *section) rings(f *Footprint) []lattice.Ring {
	if !k.isGrown {
		k.grown, k.isGrown = f.growth(k.plan), true
	}
	return k.grown
}

// growth returns places from [Footprint.inSlab], grown by the radius.
func (f *Footprint) growth(plan []lattice.Polygon) []lattice.Ring {
	if f.volume || f.isPoint() || len(plan) == 0 {
		return ringsOf(plan)
	}
	// A unit of the radius is there already.
	offset := overlay.Offset{Distance: f.radius - 1, Join: overlay.Round, Tolerance: tolerance}
	plan = enclosed(smooth(plan), 0, pointed)
	if r, ok := isConvex(plan); ok {
		if grown, err := offset.Convex(r); err == nil {
			return []lattice.Ring{sharpened(grown, f.radius, tolerance)}
		}
	}
	grown, err := offset.Polygons(plan)
	if err != nil {
		return ringsOf(plan) // beyond the frame, where the footprint's Box is not
	}
	return ringsOf(enclosed(grown, f.radius, tolerance))
}

// pointed is how far corners of an outline may be beyond it before it grows, in lattice units: enough for the corners of what
// was moved out by a unit.
const pointed = 4

// enclosed returns polygons around polygons with fewer corners, see [sharpened].
func enclosed(plan []lattice.Polygon, radius, most float64) []lattice.Polygon {
	rings := ringsOf(plan)
	for i, r := range rings {
		rings[i] = sharpened(r, radius, most)
	}
	if one := []lattice.Polygon{{Rings: rings}}; len(rings) == 1 {
		if _, ok := isConvex(one); ok {
			return one
		}
	}
	united, err := overlay.Union(rings)
	if err != nil {
		return plan
	}
	return united
}

// isConvex returns the only ring of convex polygons.
func isConvex(plan []lattice.Polygon) (lattice.Ring, bool) {
	if len(plan) != 1 || len(plan[0].Rings) != 1 || !turnsLeft(plan[0].Rings[0]) {
		return nil, false
	}
	return plan[0].Rings[0], true
}

// smooth simplifies polygons outwards. Walks along complements have the polygons on the right.
func smooth(plan []lattice.Polygon) []lattice.Polygon {
	var lines []lattice.Line
	for i := range plan {
		for _, r := range plan[i].Rings {
			points := slices.Clone(r)
			slices.Reverse(points)
			lines = append(lines, lattice.Line{Points: points, Closed: true, Inward: true})
		}
	}
	simple := lattice.Simplify(lines, blunt)
	out := make([]lattice.Polygon, len(plan))
	n := 0
	for i := range plan {
		for range plan[i].Rings {
			r := lattice.Ring(simple[n].Points)
			slices.Reverse(r)
			out[i].Rings = append(out[i].Rings, r)
			n++
		}
	}
	return out
}

// levelOfMesh is [Footprint.Level] for meshes, within the band.
//
// The outline is the same for all heights of the range where the solid has as much from above in the slabs of all heights
// together as in the part that all the slabs have in common.
func (f *Footprint) levelOfMesh(low, high int32) ([]lattice.Ring, bool) {
	f.sections.mutex.Lock()
	defer f.sections.mutex.Unlock()
	low, high = max(low, f.Low), min(high, f.High)
	if f.volume {
		if low != high && slices.ContainsFunc(f.shape.mesh.triangles, func(t [3]lattice.Vertex) bool {
			zl, zh := heightsOf(&t)
			return zl <= high && zh >= low && lattice.Orient(t[0].Point, t[1].Point, t[2].Point) != 0
		}) {
			return nil, false
		}
		return f.sections.of(f, low-1, low+1).rings(f), true
	}
	il, ih := f.narrowed(high+f.climb, low+f.height)
	ol, oh := f.narrowed(low+f.climb, high+f.height)
	if il != ol || ih != oh {
		if il >= ih {
			return nil, false
		}
		inner := f.sections.of(f, il, ih).plan
		outer := f.sections.of(f, ol, oh).plan
		if !slices.EqualFunc(inner, outer, func(p, q lattice.Polygon) bool { return slices.EqualFunc(p.Rings, q.Rings, slices.Equal[lattice.Ring]) }) {
			return nil, false
		}
		// The same rings as for any height of the range.
		return f.sections.of(f, il, ih).rings(f), true
	}
	return f.sections.of(f, ol, oh).rings(f), true
}
