package footprint

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Uneven returns the places that the footprint takes from a floor of triangles, those that touch its Box: the union, over the
// triangles, of the places where the height is in the band. Places up to 4 units beyond the floor's border are taken or free with the
// border, because the region of a floor may be that much larger; other places without floor may be taken or free. The rings are as those of [Footprint.Level], and the caller
// must not change them. Time O(n log n) for n corners in all.
//
// The answer is exact but for rounding, unless a mesh of triangles is in the way of an agent. The heights of the floor are
// then taken in steps of a 16th of a metre, or of a 128th to a 64th of their range from 8 m on. The agent counts as a step
// higher, and climbs a step less. No taken place is missed.
func (f *Footprint) Uneven(floor *Floor) []lattice.Ring {
	var room [32]face
	ground := floor.near(room[:0], f.Box)
	switch {
	case f.shape.kind != triangles:
		return f.unevenPrism(ground)
	case f.volume:
		return f.unevenVolume(ground)
	}
	return f.unevenMesh(ground)
}

// prismBand returns the band of heights that a solid with a single outline takes.
func (f *Footprint) prismBand() band {
	if f.volume {
		return band{f.shape.low, f.shape.high}
	}
	return band{f.Low, f.High}
}

// unevenPrism is [Footprint.Uneven] for a solid with a single outline: the outline without the floor that is too low or too high.
// Most floor in an outline is neither. Places without floor are taken, if any floor is.
func (f *Footprint) unevenPrism(ground []face) []lattice.Ring {
	around := f.around()
	var room [16]int32
	free := room[:0] // faces with floor that is not taken
	taken := false
	for i := range ground {
		// The heights of a triangle in the outline are estimated, as too many rather than too few.
		if g := &ground[i]; !f.takesAll(g) && g.narrow(around) && !f.takesAll(g) {
			free = append(free, int32(i))
			taken = taken || !f.takesNone(g)
		}
	}
	for i := 0; i < len(ground) && !taken; i++ {
		taken = f.takesAll(&ground[i]) && ground[i].narrow(around)
	}
	if !taken {
		return nil
	}
	b := f.prismBand()
	var without, with []lattice.Ring
	for _, i := range free {
		without = ground[i].appendPart(without, band{math.MinInt32, b.low})
		without = ground[i].appendPart(without, band{b.high, math.MaxInt32})
	}
	if len(without) == 0 {
		return f.outline
	}
	// The strip along a border may be over floor beyond a crack. Taken floor and its strips are taken there.
	for i := range ground {
		g := &ground[i]
		strays := func(k int32) bool { return int(k) != i && g.strays(&ground[k]) }
		if !f.takesNone(g) && slices.ContainsFunc(free, strays) && g.narrow(around) {
			with = g.appendPart(with, b)
		}
	}
	arrangement, err := overlay.Arrange(f.outline, without, with)
	if err != nil {
		return f.outline // a floor beyond the frame, which no mesh has
	}
	defer arrangement.Release()
	return ringsOf(arrangement.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && (w[1] <= 0 || w[2] > 0) }))
}

// takesAll reports whether a prism takes all heights of a face in its outline.
func (f *Footprint) takesAll(g *face) bool {
	if f.volume {
		return f.shape.low <= g.low && g.high <= f.shape.high
	}
	return f.Low < g.low && g.high < f.High // touching is free
}

// takesNone reports whether a prism takes no height of a face in its outline.
func (f *Footprint) takesNone(g *face) bool { return g.high <= f.Low || f.High <= g.low }

// around returns a convex ring around the footprint: the outline, or the box.
func (f *Footprint) around() lattice.Ring {
	const few = 64 // a larger ring costs more than it saves
	if len(f.outline) == 1 && len(f.outline[0]) <= few && (f.shape.kind == convex || f.shape.kind == round) {
		return f.outline[0]
	}
	return ringOf(f.Box)
}

func ringOf(b lattice.Box) lattice.Ring {
	return lattice.Ring{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}}
}

// unevenVolume is [Footprint.Uneven] for the inside of a mesh: the mesh is cut by the plane of each floor triangle, a unit
// above the floor and a unit below.
func (f *Footprint) unevenVolume(ground []face) []lattice.Ring {
	m := f.shape.mesh
	var all []lattice.Ring
	for i := range ground {
		g := &ground[i]
		part := g.appendPart(nil, band{f.shape.low, f.shape.high})
		if len(part) == 0 {
			continue
		}
		within := boxOfRings(part)
		var inside []lattice.Polygon
		if g.low == g.high {
			inside = m.at(g.low, within)
		} else {
			inside = arranged(either, m.beyondPlane(g, -1, within), m.beyondPlane(g, 1, within))
		}
		all = append(all, common(ringsOf(inside), part)...)
	}
	return all
}

// leastHeightStep and heightSteps say how finely the heights of uneven floor are taken for a mesh.
const (
	leastHeightStep = 1 << 8
	heightSteps     = 128
)

// unevenMesh is [Footprint.Uneven] for a mesh in the way of an agent.
func (f *Footprint) unevenMesh(ground []face) []lattice.Ring {
	low, high := f.High, f.Low
	around := ringOf(f.Box)
	for i := range ground {
		g := &ground[i]
		if !g.narrow(around) {
			continue
		}
		low, high = min(low, g.low), max(high, g.high)
	}
	var all []lattice.Ring
	for _, b := range stepsOf(max(low, f.Low), min(high, f.High)) {
		var parts []lattice.Ring
		from, to := int32(math.MaxInt32), int32(math.MinInt32)
		for i := range ground {
			g := &ground[i]
			if g.high < b.low || g.low > b.high || g.low > g.high || g.high <= f.Low || g.low >= f.High {
				continue
			}
			from, to = min(from, max(g.low, b.low)), max(to, min(g.high, b.high))
			parts = g.appendPart(parts, b)
		}
		if len(parts) > 0 {
			all = append(all, common(f.slabRings(from+f.climb, to+f.height, boxOfRings(parts)), parts)...)
		}
	}
	return all
}

// stepsOf divides a range of heights into steps, with ends at multiples of the step. A range within a step is the only one.
func stepsOf(low, high int32) []band {
	size := int64(leastHeightStep)
	for (int64(high)-int64(low))/size > heightSteps {
		size *= 2
	}
	if int64(high)-int64(low) <= size {
		return []band{{low, high}}
	}
	var steps []band
	for z := lattice.FloorDiv(int64(low), size) * size; z < int64(high); z += size {
		steps = append(steps, band{int32(z), int32(z + size)})
	}
	return steps
}

// slabRings returns the places of a box that a mesh takes by its part in a slab, and possibly places outside of the box.
func (f *Footprint) slabRings(low, high int32, within lattice.Box) []lattice.Ring {
	by := int32(math.Ceil(f.radius + tolerance + 3*blunt))
	near := lattice.Box{
		Min: clamped(lattice.Point{X: within.Min.X - by, Y: within.Min.Y - by}),
		Max: clamped(lattice.Point{X: within.Max.X + by, Y: within.Max.Y + by}),
	}
	if box := f.shape.mesh.box; near.Contains(box.Min) && near.Contains(box.Max) {
		f.sections.mutex.Lock()
		defer f.sections.mutex.Unlock()
		return f.sections.of(f, low, high).rings(f)
	}
	return f.growth(f.inSlab(low, high, near))
}

func boxOfRings(rings []lattice.Ring) lattice.Box {
	b := lattice.EmptyBox()
	for _, r := range rings {
		b = b.Union(r.Box())
	}
	return b
}

// beyond is how far the floor of a region may go on beyond its triangles, in lattice units: floorReach of build/exact.
const beyond = 4

func heightsOf(t *[3]lattice.Vertex) (low, high int32) {
	return min(t[0].Z, t[1].Z, t[2].Z), max(t[0].Z, t[1].Z, t[2].Z)
}

// band is a range of heights in lattice units, both ends included.
type band struct{ low, high int32 }

// of returns the part of an edge within the band. Both triangles of an edge find the same points.
func (b band) of(from, to *lattice.Vertex) (p, q lattice.Point, ok bool) {
	if max(from.Z, to.Z) < b.low || min(from.Z, to.Z) > b.high {
		return p, q, false
	}
	return b.end(from, to), b.end(to, from), true
}

// end returns the end of the part within the band that is nearer to from.
func (b band) end(from, to *lattice.Vertex) lattice.Point {
	switch {
	case from.Z < b.low:
		return crossing(from, to, b.low)
	case from.Z > b.high:
		return crossing(to, from, b.high)
	}
	return from.Point
}

// crossing returns the place of a height between those of a lower and a higher end.
func crossing(low, high *lattice.Vertex, z int32) lattice.Point {
	dx, dy := high.Sub(low.Point)
	share := float64(int64(z)-int64(low.Z)) / float64(int64(high.Z)-int64(low.Z))
	return lattice.Point{
		X: low.X + int32(math.Floor(float64(float64(dx)*share)+0.5)),
		Y: low.Y + int32(math.Floor(float64(float64(dy)*share)+0.5)),
	}
}

// clip appends the corners of the part of a triangle within the band, in the triangle's direction.
func (b band) clip(t *[3]lattice.Vertex, corners lattice.Ring) lattice.Ring {
	first := len(corners)
	for k := range t {
		p, q, ok := b.of(&t[k], &t[(k+1)%3])
		if !ok {
			continue
		}
		if n := len(corners); n == first || corners[n-1] != p {
			corners = append(corners, p)
		}
		if corners[len(corners)-1] != q {
			corners = append(corners, q)
		}
	}
	if n := len(corners); n > first+1 && corners[n-1] == corners[first] {
		corners = corners[:n-1]
	}
	return corners
}

// appendPart appends the part of a face within a band of heights, and a strip along its part of the floor's border.
func (g *face) appendPart(parts []lattice.Ring, b band) []lattice.Ring {
	t := &g.corners
	r := b.clip(t, nil)
	if len(r) < 3 {
		return parts
	}
	parts = append(parts, r)
	for k := range t {
		s := floorSide{a: t[k].Point, b: t[(k+1)%3].Point}
		if g.border>>k&1 == 0 {
			continue
		}
		var in bool
		if s.from, s.to, in = b.of(&t[k], &t[(k+1)%3]); in && s.from != s.to {
			strip := s.strip()
			parts = append(parts, strip[:])
		}
	}
	return parts
}

// floorSide is a side of the floor's border, from a to b with the floor on the left, and a part of it.
type floorSide struct{ a, b, from, to lattice.Point }

// strip returns the places right beside a side of a floor, on the outside. It widens at the corners of the floor and nowhere
// else, so the strips of two sides close the corner between them.
func (s *floorSide) strip() [4]lattice.Point {
	dx, dy := s.b.Sub(s.a)
	length := s.a.Distance(s.b)
	ux, uy := beyond*float64(dx)/length, beyond*float64(dy)/length
	out := func(p lattice.Point, along float64) lattice.Point {
		return lattice.Point{
			X: p.X + int32(math.Floor(uy+float64(along*ux)+0.5)),
			Y: p.Y + int32(math.Floor(float64(along*uy)-ux+0.5)),
		}
	}
	back, ahead := 0.0, 0.0
	if s.from == s.a {
		back = -1
	}
	if s.to == s.b {
		ahead = 1
	}
	return [4]lattice.Point{s.to, s.from, clamped(out(s.from, back)), clamped(out(s.to, ahead))}
}

func clamped(p lattice.Point) lattice.Point {
	const most = lattice.MaxCoord
	return lattice.Point{X: min(max(p.X, -most), most), Y: min(max(p.Y, -most), most)}
}

// common returns the places that both rings wind around.
func common(a, b []lattice.Ring) []lattice.Ring {
	polygons, err := overlay.Intersection(a, b)
	if err != nil {
		return a // a floor beyond the frame, which no mesh has
	}
	return ringsOf(polygons)
}
