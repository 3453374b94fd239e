package exact

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// patch is a part of a layer's surface outside the floors of the layer's triangles.
type patch struct {
	box       lattice.Box
	vertices  []lattice.Vertex
	triangles [][3]int32
}

// patch finds the parts of domains outside the floors of their layer, and gives these parts heights.
func (e *extraction) patch(ctx context.Context, jobs int, floors []eroded, areas []area) error {
	e.patches, e.patchTrees = make([][]patch, e.layers), make([]*tree, e.layers)
	rings := make([][]lattice.Ring, e.layers)
	for i := range areas {
		rings[areas[i].layer] = append(rings[areas[i].layer], areas[i].Rings...)
	}
	crossed := e.crossed()
	return par.For(ctx, jobs, len(rings), func(l int) error {
		if len(rings[l]) == 0 {
			return nil
		}
		var bare []lattice.Polygon
		var err error
		fused := e.originsOf(int32(l))
		var cracks []lattice.Ring
		if len(fused) == 0 {
			cracks = ringsOf(floors[l].cracks)
		}
		for _, o := range fused {
			cracks = append(cracks, ringsOf(floors[o.layer].cracks)...)
		}
		switch all := slices.Concat(rings[l], edging(rings[l], cracks)); {
		case len(fused) > 0:
			bare, err = bareOf(fused, slices.Concat(all, tips(rings[l])), floors)
		case crossed[l]:
			bare, err = overlay.Difference(slices.Concat(all, tips(rings[l])), ringsOf(floors[l].floor))
		case len(cracks) > 0:
			bare, err = overlay.Intersection(all, cracks)
		}
		if err != nil {
			return err
		}
		for _, p := range bare {
			made, err := e.patchOf(int32(l), p)
			if err != nil {
				return err
			}
			e.patches[l] = append(e.patches[l], made)
		}
		e.patchTrees[l] = patchTree(e.patches[l])
		return nil
	})
}

// patchTree returns a tree of the boxes of patches, nil without patches.
func patchTree(patches []patch) *tree {
	if len(patches) == 0 {
		return nil
	}
	boxes := make([]box3, len(patches))
	for i := range patches {
		b := patches[i].box
		boxes[i] = boxOf(lattice.Vertex{Point: b.Min}, lattice.Vertex{Point: b.Max})
	}
	return boxtree.New(boxes, nil)
}

// edging returns the places within a unit of ring edges that are near the rings in near. Rounding lets parts narrower
// than a unit collapse, as the tip of a sharp corner over a crack, unless the edging surrounds the part.
func edging(rings, near []lattice.Ring) []lattice.Ring {
	if len(near) == 0 {
		return nil
	}
	boxes := make([]box3, len(near))
	for i, r := range near {
		b := r.Box()
		boxes[i] = boxOf(lattice.Vertex{Point: b.Min}, lattice.Vertex{Point: b.Max})
	}
	tree := boxtree.New(boxes, nil)
	var out []lattice.Ring
	var found []item
	for _, r := range rings {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			box := boxOf(lattice.Vertex{Point: a}, lattice.Vertex{Point: b})
			if found = tree.Search(&box, found[:0]); len(found) > 0 {
				out = append(out, slit(a, b))
			}
		}
	}
	return out
}

// tips returns the places within a unit of the sharp corners of rings, as far out as the corners are narrow.
func tips(rings []lattice.Ring) []lattice.Ring {
	var out []lattice.Ring
	for _, r := range rings {
		for i, tip := range r {
			a, b := r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]
			d, o := direction(tip, a), direction(tip, b)
			cosine := float64(d.x*o.x) + float64(d.y*o.y)
			if cosine <= 0.9 || lattice.Orient(a, tip, b) <= 0 {
				continue
			}
			// At this distance from the tip the corner is wide enough.
			far := 2 * touching / math.Sqrt(max((1-cosine)/2, 1e-6))
			points := appendAround(nil, tip, 1)
			for _, e := range [2]struct {
				end lattice.Point
				d   point3
			}{{a, d}, {b, o}} {
				length := min(far, tip.Distance(e.end))
				points = appendAround(points, lattice.Point{X: tip.X + rounded(float64(length*e.d.x)), Y: tip.Y + rounded(float64(length*e.d.y))}, 1)
			}
			out = append(out, lattice.Hull(points))
		}
	}
	return out
}

// crossed tells which layers have seams.
func (e *extraction) crossed() []bool {
	crossed := make([]bool, e.layers)
	for _, c := range e.crossings {
		crossed[e.layer[c.from]], crossed[e.layer[c.to]] = true, true
	}
	return crossed
}

// patchOf makes a patch of a polygon.
func (e *extraction) patchOf(layer int32, p lattice.Polygon) (patch, error) {
	rings, err := e.noded(layer, p)
	if err != nil {
		return patch{}, err
	}
	out := patch{triangles: overlay.Triangulate(rings), box: lattice.EmptyBox()}
	var beyond []courses
	for _, r := range rings {
		for i, q := range r {
			out.vertices = append(out.vertices, lattice.Vertex{Point: q})
			out.box = out.box.Extend(q)
			beyond = append(beyond, coursesOf(r, i))
		}
	}
	e.lift(layer, out.vertices, beyond)
	return out, nil
}

// courses are the middles of both edges of a ring at a corner. A floor that an edge follows touches a middle: where floors beside an edge
// have corners, the edge ends.
type courses struct {
	middles [2]lattice.Point
	n       int
}

// coursesOf returns the middles at corner i of a ring, none for an edge so short that floors at either end touch the middle.
func coursesOf(r lattice.Ring, i int) (c courses) {
	for _, k := range [2]int{(i + len(r) - 1) % len(r), (i + 1) % len(r)} {
		if r[i].Distance(r[k]) > along {
			c.middles[c.n] = beside(r[i], r[k], 0)
			c.n++
		}
	}
	return c
}

// followed leaves those floors that the edges at a corner follow, or all floors where the edges follow none. A floor whose own corner only
// touches the corner gives the patch no height: a needle between two parts of one floor may end at the corner of a box.
func (e *extraction) followed(floors []footing, c *courses) []footing {
	var kept []footing
	for _, f := range floors {
		for _, p := range c.middles[:c.n] {
			if _, d := e.nearest(f.triangle, p); d <= floorReach {
				kept = append(kept, f)
				break
			}
		}
	}
	if len(kept) == 0 {
		return floors
	}
	return kept
}

// noded returns the rings of a polygon with a new corner wherever a floor beside the polygon has a corner, because
// heights change there.
func (e *extraction) noded(layer int32, p lattice.Polygon) ([]lattice.Ring, error) {
	rings := make([]lattice.Ring, len(p.Rings))
	for k, r := range p.Rings {
		falls := e.fallsOf(layer, r)
		for i, a := range r {
			j := (i + 1) % len(r)
			corners := e.cornersBeside(a, r[j])
			rings[k] = append(append(rings[k], a), withFalls(corners, a, r[j], falls[i][1], falls[j][0])...)
		}
	}
	// Rounding may have moved a new corner across another edge, so the rings are arranged again. If a spike is lost by
	// this, the polygon stays without new corners.
	a, err := overlay.Arrange(rings)
	if err != nil {
		return nil, err
	}
	defer a.Release()
	edges := int32(0) // a label of its own for each edge, so that all corners stay
	var out []lattice.Ring
	left := map[lattice.Point]bool{} // looked up only
	for _, o := range a.Outlines(overlay.Positive(0), func(_, _ lattice.Point, _ overlay.Winding) int32 { edges++; return edges }) {
		out = append(out, o.Rings...)
		for _, r := range o.Rings {
			for _, q := range r {
				left[q] = true
			}
		}
	}
	for _, r := range p.Rings {
		if slices.ContainsFunc(r, func(q lattice.Point) bool { return !left[q] }) {
			return p.Rings, nil
		}
	}
	return out, nil
}

// fallsOf tells for each corner of a ring, and for the edges before and after the corner, whether the edge follows lower floors than the other edge
// does. The corner has the height of the higher floor.
func (e *extraction) fallsOf(layer int32, r lattice.Ring) [][2]bool {
	falls := make([][2]bool, len(r))
	var near []item
	var floors, touched []footing
	for i, p := range r {
		c := coursesOf(r, i)
		if c.n < 2 {
			continue
		}
		floors, near = e.footings(p, near)
		own := e.originAt(layer, p)
		touched = touched[:0]
		low, high := int32(math.MaxInt32), int32(math.MinInt32)
		for _, f := range floors {
			if f.layer == own && f.distance <= floorReach {
				touched = append(touched, f)
				low, high = min(low, f.z), max(high, f.z)
			}
		}
		if len(touched) < 2 || high-low <= hiding {
			continue
		}
		var top [2]int32
		for k, middle := range c.middles {
			top[k] = math.MinInt32
			for _, f := range touched {
				if _, d := e.nearest(f.triangle, middle); d <= floorReach {
					top[k] = max(top[k], f.z)
				}
			}
		}
		if min(top[0], top[1]) > math.MinInt32 {
			falls[i] = [2]bool{top[0] < top[1]-hiding, top[1] < top[0]-hiding}
		}
	}
	return falls
}

// withFalls returns the new corners of an edge from a to b, with another corner beside an end of the edge where the edge leaves the height of the
// corner there. Without it the height would lead from floor to floor along all of a hairline.
func withFalls(corners []lattice.Point, a, b lattice.Point, atStart, atEnd bool) []lattice.Point {
	length := a.Distance(b)
	isFree := func(p lattice.Point) bool {
		return length > 4*along && !slices.ContainsFunc(corners, func(q lattice.Point) bool { return p.Distance(q) <= 2*along })
	}
	d := direction(a, b)
	beside := func(p lattice.Point, way float64) lattice.Point {
		return lattice.Point{X: p.X + rounded(float64(way*d.x)), Y: p.Y + rounded(float64(way*d.y))}
	}
	if atStart && isFree(a) {
		corners = slices.Insert(corners, 0, beside(a, along))
	}
	if atEnd && isFree(b) {
		corners = append(corners, beside(b, -along))
	}
	return corners
}

// cornersBeside returns the places of an edge where a floor beside the edge has a corner, from start to end, without
// places near the ends. A place is the corner itself if the corner is on the edge but for rounding. Borders of domains
// are off by up to floorReach, so a corner farther away gives the nearest place of the edge.
func (e *extraction) cornersBeside(a, b lattice.Point) []lattice.Point {
	box := boxOf(lattice.Vertex{Point: a}, lattice.Vertex{Point: b}).Grown(floorReach)
	box.Low[2], box.High[2] = math.MinInt32, math.MaxInt32
	var corners []lattice.Point
	add := func(q lattice.Point) {
		d := lattice.SegmentDistance2(q, a, b)
		if d.CompareInt(floorReach*floorReach) > 0 || min(q.Distance2(a), q.Distance2(b)) <= floorReach*floorReach {
			return
		}
		if d.CompareInt(2) > 0 {
			q = lattice.Nearest(q, a, b)
		}
		corners = append(corners, q)
	}
	for _, i := range e.floors.Search(&box, nil) {
		if e.layer[i.ID] == unassigned {
			continue
		}
		if s := e.exposed[i.ID].sides; s != nil {
			s.each(&box, func(_ int32, a, _ lattice.Point) { add(a) })
			continue
		}
		for _, r := range e.rings(i.ID) {
			for _, q := range r {
				add(q)
			}
		}
	}
	slices.SortFunc(corners, func(p, q lattice.Point) int {
		return cmp.Or(cmp.Compare(lattice.Dot(a, b, p), lattice.Dot(a, b, q)), p.Compare(q))
	})
	return slices.Compact(corners)
}

// lift gives the vertices of a patch their heights. At the border of floors of the patch's layer, a vertex has the
// height of the highest floor that the border follows. Elsewhere a vertex has the height of the nearest floor in any layer, within the known
// storey of the patch.
func (e *extraction) lift(layer int32, vertices []lattice.Vertex, beyond []courses) {
	all := make([][]footing, len(vertices))
	known, torn := make([]bool, len(vertices)), make([]bool, len(vertices))
	var near []item
	var touched []footing
	for i := range vertices {
		v := &vertices[i]
		all[i], near = e.footings(v.Point, near)
		own, lowest := e.originAt(layer, v.Point), int32(math.MaxInt32)
		touched = touched[:0]
		for _, f := range all[i] {
			if f.layer != own || f.distance > floorReach {
				continue
			}
			touched = append(touched, f)
			if !known[i] || f.z > v.Z {
				known[i], v.Z = true, f.z
			}
			lowest = min(lowest, f.z)
		}
		if known[i] && float64(v.Z)-float64(lowest) > hiding {
			v.Z = math.MinInt32
			for _, f := range e.followed(touched, &beyond[i]) {
				v.Z = max(v.Z, f.z)
			}
		}
		torn[i] = known[i] && float64(v.Z)-float64(lowest) > e.climb+touching
	}
	// Where two floors of the layer meet more than a step apart, the other vertices decide between the floors.
	if !slices.Equal(known, torn) {
		for i := range known {
			known[i] = known[i] && !torn[i]
		}
	}
	e.withoutLower(vertices, known)
	for i := range vertices {
		if known[i] {
			continue
		}
		v := &vertices[i]
		if from := nearestKnown(vertices, known, i); from >= 0 {
			v.Z = nearest(all[i], vertices[from].Z, e.rise(v, &vertices[from]))
		} else {
			v.Z = nearest(all[i], e.roundedHeight(layer, v.Point), math.Inf(1))
		}
	}
}

// rise is the greatest difference in height between two places of one storey: a step to the floor beyond a crack, and
// the rise of floors on the way.
func (e *extraction) rise(v, w *lattice.Vertex) float64 {
	return e.climb + floorReach + v.Distance(w.Point)
}

// withoutLower forgets the heights of vertices of a lower storey. The floors on both sides of a crack are higher than a
// floor of a lower storey that touches the ends of the crack.
func (e *extraction) withoutLower(vertices []lattice.Vertex, known []bool) {
	var order []int
	for i := range vertices {
		if known[i] {
			order = append(order, i)
			known[i] = false
		}
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(vertices[k].Z, vertices[i].Z) })
	for _, i := range order {
		above := nearestKnown(vertices, known, i)
		known[i] = above < 0 || float64(vertices[above].Z)-float64(vertices[i].Z) <= e.rise(&vertices[i], &vertices[above])
	}
}

// nearestKnown returns the vertex of known height nearest to vertex i, or -1.
func nearestKnown(vertices []lattice.Vertex, known []bool, i int) int {
	from := -1
	for k := range vertices {
		if known[k] && (from < 0 || vertices[i].Distance2(vertices[k].Point) < vertices[i].Distance2(vertices[from].Point)) {
			from = k
		}
	}
	return from
}

// nearest returns the height of the nearest of floors within slack of height z, or z if no floor is within slack. Of
// several floors that touch the place, the floor nearest to z counts.
func nearest(floors []footing, z int32, slack float64) int32 {
	found := z
	least, off := math.Inf(1), math.Inf(1)
	for _, f := range floors {
		d, o := max(f.distance, floorReach), math.Abs(float64(f.z)-float64(z))
		if o <= slack && (d < least || d == least && o < off) {
			found, least, off = f.z, d, o
		}
	}
	return found
}

// footing is a floor near a place: the triangle, the layer, the distance, and the height at the floor's nearest point.
type footing struct {
	triangle int32
	layer    int32
	distance float64
	z        int32
}

// footings lists the floors within reach of p.
func (e *extraction) footings(p lattice.Point, near []item) ([]footing, []item) {
	b := box3{Low: [3]int32{p.X - reach, p.Y - reach, math.MinInt32}, High: [3]int32{p.X + reach, p.Y + reach, math.MaxInt32}}
	near = e.floors.Search(&b, near[:0])
	slices.SortFunc(near, func(i, j item) int { return cmp.Compare(i.ID, j.ID) })
	var out []footing
	for i := range near {
		t := near[i].ID
		if e.layer[t] == unassigned || e.shut(t) {
			continue
		}
		if at, d := e.nearest(t, p); d <= reach {
			out = append(out, footing{t, e.layer[t], d, rounded(heightOn(&e.soup.Triangles[t].V, at.x, at.y))})
		}
	}
	return out, near
}

// height returns the height of a patch at a place; ok is false if the patch does not cover the place.
func (p *patch) height(at lattice.Point) (z float64, ok bool) {
	if !p.box.Contains(at) {
		return 0, false
	}
	for _, c := range p.triangles {
		v := [3]lattice.Vertex{p.vertices[c[0]], p.vertices[c[1]], p.vertices[c[2]]}
		if lattice.Orient(v[0].Point, v[1].Point, at) >= 0 && lattice.Orient(v[1].Point, v[2].Point, at) >= 0 && lattice.Orient(v[2].Point, v[0].Point, at) >= 0 {
			plane := planeOf(&v)
			return plane.height(float64(at.X), float64(at.Y)), true
		}
	}
	return 0, false
}
