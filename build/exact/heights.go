package exact

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
)

// heightAt returns the height of a layer's floor at a point, from the triangle whose free part contains the point, or
// else is nearest. Of several heights the highest counts. ok is false if no floor is within reach.
func (e *extraction) heightAt(layer int32, p lattice.Point, near []item) (z float64, found []item, ok bool) {
	return e.heightIn(e.originAt(layer, p), p, near)
}

// heightIn is heightAt for the layer of the triangles at a point.
func (e *extraction) heightIn(layer int32, p lattice.Point, near []item) (z float64, found []item, ok bool) {
	near = e.floorsOf(layer).Search(around3(p, reach), near[:0])
	least := math.Inf(1)
	for i := range near {
		t := near[i].ID
		if e.layer[t] != layer || e.shut(t) {
			continue
		}
		at, d := e.nearest(t, p)
		if d > reach || d > least {
			continue
		}
		h := heightOn(&e.soup.Triangles[t].V, at.x, at.y)
		if d < least || h > z {
			z, least, ok = h, d, true
		}
	}
	return z, near, ok
}

// around3 returns the box of the places within a distance of a point in the plan, at any height.
func around3(p lattice.Point, distance int32) *box3 {
	return &box3{Low: [3]int32{p.X - distance, p.Y - distance, math.MinInt32}, High: [3]int32{p.X + distance, p.Y + distance, math.MaxInt32}}
}

// shut reports whether obstacles cover the whole free part of a triangle.
func (e *extraction) shut(t int32) bool {
	x := e.exposed[t]
	if len(x.blocked) == 0 {
		return !e.shows(t)
	}
	return slices.EqualFunc(e.rings(t), x.blocked, slices.Equal)
}

// nearest returns the nearest point to p of a triangle's free part, p itself if inside, and the distance: any distance beyond
// reach is infinite.
func (e *extraction) nearest(t int32, p lattice.Point) (at point3, distance float64) {
	if x := e.exposed[t]; x.cut {
		if x.sides != nil {
			return x.sides.nearest(p)
		}
		return nearestIn(x.rings, p)
	}
	v := &e.soup.Triangles[t].V
	own := [3]lattice.Point{v[0].Point, v[1].Point, v[2].Point}
	return nearestIn([]lattice.Ring{own[:]}, p)
}

// nearestIn returns the nearest place to p inside of rings, and the distance: any distance beyond reach is infinite.
func nearestIn(rings []lattice.Ring, p lattice.Point) (at point3, distance float64) {
	here := point3{float64(p.X), float64(p.Y), 0}
	crossings := 0
	for _, r := range rings {
		switch r.Locate(p) {
		case lattice.OnBoundary:
			return here, 0
		case lattice.Inside:
			crossings++
		}
	}
	if crossings%2 == 1 {
		return here, 0
	}
	distance = math.Inf(1)
	for _, r := range rings {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			if p.X < min(a.X, b.X)-reach || p.X > max(a.X, b.X)+reach || p.Y < min(a.Y, b.Y)-reach || p.Y > max(a.Y, b.Y)+reach {
				continue
			}
			if d := lattice.SegmentDistance2(p, a, b).Sqrt(); d < distance && d <= reach {
				at, distance = nearestOn(p, a, b), d
			}
		}
	}
	return at, distance
}

// nearestOn returns the place of an edge nearest to p.
func nearestOn(p, a, b lattice.Point) point3 {
	dx, dy := b.Sub(a)
	px, py := p.Sub(a)
	t := (float64(float64(dx)*float64(px)) + float64(float64(dy)*float64(py))) / (float64(float64(dx)*float64(dx)) + float64(float64(dy)*float64(dy)))
	t = min(max(t, 0), 1)
	return point3{float64(a.X) + float64(t*float64(dx)), float64(a.Y) + float64(t*float64(dy)), 0}
}

// manySides is from how many edges on a tree of the edges pays.
const manySides = 48

// sides are the edges of rings in trees, so that a question looks at few of them.
type sides struct {
	rings []ringSides
	tree  *tree // of the boxes of the rings
}

// ringSides are the edges of one ring: number i of the edges of all rings goes from corner i-first to the next.
type ringSides struct {
	ring  lattice.Ring
	first int32
	tree  *tree // of the edges, nil for few
}

// sidesOf returns the edges of rings, nil for fewer edges than least.
func sidesOf(rings []lattice.Ring, least int) *sides {
	n := 0
	for _, r := range rings {
		n += len(r)
	}
	if n < least {
		return nil
	}
	s := &sides{rings: make([]ringSides, 0, len(rings))}
	boxes := make([]box3, 0, len(rings))
	n = 0
	for _, r := range rings {
		own := ringSides{ring: r, first: int32(n)}
		if len(r) >= manySides {
			edges := make([]box3, len(r))
			for i, a := range r {
				edges[i] = boxOf(lattice.Vertex{Point: a}, lattice.Vertex{Point: r[(i+1)%len(r)]})
			}
			own.tree = boxtree.New(edges, nil)
		}
		n += len(r)
		s.rings = append(s.rings, own)
		box := r.Box()
		boxes = append(boxes, boxOf(lattice.Vertex{Point: box.Min}, lattice.Vertex{Point: box.Max}))
	}
	s.tree = boxtree.New(boxes, nil)
	return s
}

// edge returns an edge of the ring.
func (r *ringSides) edge(i int32) (a, b lattice.Point) {
	k := int(i) + 1
	if k == len(r.ring) {
		k = 0
	}
	return r.ring[i], r.ring[k]
}

// each calls f with the edges of the ring whose boxes are chosen.
func (r *ringSides) each(chosen func(b *box3) bool, f func(i int32, a, b lattice.Point)) {
	if r.tree == nil {
		for i := range int32(len(r.ring)) {
			a, b := r.edge(i)
			if box := boxOf(lattice.Vertex{Point: a}, lattice.Vertex{Point: b}); chosen(&box) {
				f(r.first+i, a, b)
			}
		}
		return
	}
	r.tree.Each(chosen, func(i int32) {
		a, b := r.edge(i)
		f(r.first+i, a, b)
	})
}

// each calls f with the edges whose boxes meet a box.
func (s *sides) each(box *box3, f func(i int32, a, b lattice.Point)) {
	s.tree.Each(box.Meets, func(r int32) { s.rings[r].each(box.Meets, f) })
}

// nearest is [nearestIn] for the rings.
func (s *sides) nearest(p lattice.Point) (at point3, distance float64) {
	if s.contains(p) {
		return point3{float64(p.X), float64(p.Y), 0}, 0
	}
	distance = math.Inf(1)
	first := int32(math.MaxInt32)
	s.each(around3(p, reach), func(i int32, a, b lattice.Point) {
		if d := lattice.SegmentDistance2(p, a, b).Sqrt(); d <= reach && (d < distance || d == distance && i < first) {
			at, distance, first = nearestOn(p, a, b), d, i
		}
	})
	return at, distance
}

// contains reports whether a place is inside of the rings or on an edge. From a place inside, the way to the right crosses edges
// an odd number of times, and the edges of a ring with the place outside of its box an even number of times.
func (s *sides) contains(p lattice.Point) bool {
	way := box3{Low: [3]int32{p.X, p.Y, math.MinInt32}, High: [3]int32{math.MaxInt32, p.Y, math.MaxInt32}}
	odd, on := false, false
	s.tree.Each(around3(p, 0).Meets, func(r int32) {
		s.rings[r].each(way.Meets, func(_ int32, a, b lattice.Point) {
			side := lattice.Orient(a, b, p)
			on = on || side == 0 && lattice.OnSegment(p, a, b)
			if a.Y > p.Y != (b.Y > p.Y) && side > 0 == (b.Y > a.Y) {
				odd = !odd
			}
		})
	})
	return on || odd
}

// roundedHeight returns the height of a layer's floor at a point in whole units, 0 without a floor.
func (e *extraction) roundedHeight(layer int32, p lattice.Point) int32 {
	z, _, _ := e.heightAt(layer, p, nil)
	return rounded(z)
}

// cornerHeight returns the height of a layer's surface at a corner of a domain, in whole units.
func (e *extraction) cornerHeight(layer int32, ring lattice.Ring, k int) int32 {
	inside := within(ring, k)
	_, patched := e.patchHeight(layer, inside)
	at, bare := e.patchHeight(layer, ring[k])
	if bare && !patched {
		// A sharp corner of a patch is too narrow for a place inside.
		floors, _ := e.footings(inside, nil)
		own := e.originAt(layer, inside)
		patched = !slices.ContainsFunc(floors, func(f footing) bool { return f.layer == own && f.distance <= floorReach })
	}
	switch {
	case patched && bare:
		return at
	case patched:
		at, _ = e.patchHeight(layer, inside)
		return at
	}
	return e.roundedHeight(layer, inside)
}

// patchHeight returns the height of a layer's patch at a place; ok is false without a patch. Of several patches the
// first counts.
func (e *extraction) patchHeight(layer int32, p lattice.Point) (z int32, ok bool) {
	t := e.patchTrees[layer]
	if t == nil {
		return 0, false
	}
	at := pointBox(p)
	first := int32(math.MaxInt32)
	t.Any(&at, func(i int32) bool {
		if i < first {
			if h, covers := e.patches[layer][i].height(p); covers {
				first, z, ok = i, rounded(h), true
			}
		}
		return false
	})
	return z, ok
}

// beside returns the point some units to the left of the middle of a segment.
func beside(a, b lattice.Point, left float64) lattice.Point {
	d := direction(a, b)
	return lattice.Point{
		X: rounded((float64(a.X)+float64(b.X))/2 - float64(left*d.y)),
		Y: rounded((float64(a.Y)+float64(b.Y))/2 + float64(left*d.x)),
	}
}

// within returns a point a few units inside corner k of a ring. On the border itself, floors of other heights are as
// near.
func within(ring lattice.Ring, k int) lattice.Point {
	n := len(ring)
	v := ring[k]
	in, out := direction(ring[(k+n-1)%n], v), direction(v, ring[(k+1)%n])
	x, y := -in.y-out.y, in.x+out.x
	length := math.Sqrt(float64(x*x) + float64(y*y))
	if length == 0 {
		return v
	}
	return lattice.Point{X: rounded(float64(v.X) + float64(outward*x)/length), Y: rounded(float64(v.Y) + float64(outward*y)/length)}
}

func direction(a, b lattice.Point) point3 {
	dx, dy := b.Sub(a)
	x, y := float64(dx), float64(dy)
	length := math.Sqrt(float64(x*x) + float64(y*y))
	if length == 0 {
		return point3{}
	}
	return point3{x / length, y / length, 0}
}
