package exact

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// The height surface of a layer is the free part of each of its triangles, so that there is no other floor of the
// layer beneath or beside where a domain lies, and a patch wherever else a domain lies: over cracks, and over
// slivers that rounding left to another layer. So a place of a domain has the one height of its own floor.

// floorReach is how far a floor may be, in units, from the border that is the floor's own: the border was
// rounded several times.
const floorReach = 4

// patch is a part of a layer's surface that none of its triangles is the floor of.
type patch struct {
	box       lattice.Box
	vertices  []lattice.Vertex
	triangles [][3]int32
}

// surface returns the height surface of a layer, given its triangles.
func (e *extraction) surface(layer int32, triangles []int32, number []uint32, in []int32) lattice.TIN {
	t := lattice.TIN{Error: 1, Triangles: make([][3]uint32, 0, len(triangles))}
	for _, i := range triangles {
		s := &e.soup.Triangles[i]
		if !e.whole(i) {
			plane := planeOf(&s.V)
			rings := e.exposed[i].rings
			first := uint32(len(t.Vertices))
			for _, r := range rings {
				for _, p := range r {
					t.Vertices = append(t.Vertices, lattice.Vertex{Point: p, Z: rounded(plane.height(float64(p.X), float64(p.Y)))})
				}
			}
			for _, c := range overlay.Triangulate(rings) {
				t.Triangles = append(t.Triangles, [3]uint32{first + uint32(c[0]), first + uint32(c[1]), first + uint32(c[2])})
			}
			continue
		}
		var ids [3]uint32
		for k, v := range s.ID {
			if in[v] != layer {
				in[v], number[v] = layer, uint32(len(t.Vertices))
				t.Vertices = append(t.Vertices, s.V[k])
			}
			ids[k] = number[v]
		}
		t.Triangles = append(t.Triangles, ids)
	}
	for i := range e.patches[layer] {
		p := &e.patches[layer][i]
		first := uint32(len(t.Vertices))
		t.Vertices = append(t.Vertices, p.vertices...)
		for _, c := range p.triangles {
			t.Triangles = append(t.Triangles, [3]uint32{first + uint32(c[0]), first + uint32(c[1]), first + uint32(c[2])})
		}
	}
	return t
}

// whole reports whether nothing covers a triangle.
func (e *extraction) whole(i int32) bool {
	v := &e.soup.Triangles[i].V
	rings := e.exposed[i].rings
	return len(rings) == 1 && len(rings[0]) == 3 && rings[0].Area2() == lattice.Orient(v[0].Point, v[1].Point, v[2].Point)
}

// surfaces returns the height surfaces of all layers.
func (e *extraction) surfaces() []lattice.TIN {
	tins := make([]lattice.TIN, e.layers)
	members := grouped(len(e.layer), e.layers, func(i int32) int32 { return e.layer[i] })
	number := make([]uint32, e.soup.Vertices) // of each vertex in the layer, where its layer says so
	in := make([]int32, e.soup.Vertices)
	for i := range in {
		in[i] = unassigned
	}
	for l := range tins {
		tins[l] = e.surface(int32(l), members.of(int32(l)), number, in)
	}
	return tins
}

// patch finds what domains lie over that is no floor of their layer, and its heights.
func (e *extraction) patch(floors []eroded, areas []area) error {
	e.patches = make([][]patch, e.layers)
	rings := make([][]lattice.Ring, e.layers)
	for i := range areas {
		rings[areas[i].layer] = append(rings[areas[i].layer], areas[i].Rings...)
	}
	crossed := e.crossed()
	for l := range rings {
		var bare []lattice.Polygon
		var err error
		switch {
		case crossed[l]:
			bare, err = overlay.Difference(rings[l], ringsOf(floors[l].floor))
		case len(floors[l].cracks) > 0:
			bare, err = overlay.Intersection(rings[l], ringsOf(floors[l].cracks))
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
	}
	return nil
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
	rings, err := e.noded(p)
	if err != nil {
		return patch{}, err
	}
	out := patch{triangles: overlay.Triangulate(rings), box: lattice.EmptyBox()}
	for _, r := range rings {
		for _, q := range r {
			out.vertices = append(out.vertices, lattice.Vertex{Point: q})
			out.box = out.box.Extend(q)
		}
	}
	e.lift(layer, out.vertices)
	return out, nil
}

// noded returns the rings of a polygon with a corner wherever one of a floor next to it is, because heights
// change there.
func (e *extraction) noded(p lattice.Polygon) ([]lattice.Ring, error) {
	var rings []lattice.Ring
	var near []item
	for _, r := range p.Rings {
		var ring lattice.Ring
		for i, a := range r {
			b := r[(i+1)%len(r)]
			ring = append(ring, a)
			box := boxOf(lattice.Vertex{Point: a}, lattice.Vertex{Point: b}).grown(floorReach)
			box.low[2], box.high[2] = math.MinInt32, math.MaxInt32
			near = e.tree.search(&box, near[:0])
			var between []lattice.Point
			for _, it := range near {
				if e.layer[it.triangle] == unassigned {
					continue
				}
				for _, x := range e.exposed[it.triangle].rings {
					for _, q := range x {
						if lattice.SegmentDistance2(q, a, b).CompareInt(2) <= 0 && q.Distance2(a) > floorReach*floorReach && q.Distance2(b) > floorReach*floorReach {
							between = append(between, q)
						}
					}
				}
			}
			slices.SortFunc(between, func(p, q lattice.Point) int {
				if c := int(lattice.Dot(a, b, p) - lattice.Dot(a, b, q)); c != 0 {
					return c
				}
				return p.Compare(q)
			})
			ring = append(ring, slices.Compact(between)...)
		}
		rings = append(rings, ring)
	}
	// What rounding moved out of line may lie in another part's way now, and a spike may be lost by it.
	a, err := overlay.Arrange(rings)
	if err != nil {
		return nil, err
	}
	k := int32(0)
	var out []lattice.Ring
	for _, o := range a.Outlines(overlay.Positive(0), func(_, _ lattice.Point, _ overlay.Winding) int32 { k++; return k }) {
		out = append(out, o.Rings...)
	}
	corners := map[lattice.Point]bool{}
	for _, r := range out {
		for _, q := range r {
			corners[q] = true
		}
	}
	for _, r := range p.Rings {
		for _, q := range r {
			if !corners[q] {
				return p.Rings, nil
			}
		}
	}
	return out, nil
}

// lift gives the vertices of a patch their heights: on the border of a floor of its layer that floor's, elsewhere
// that of the nearest floor, of whatever layer, that is of the storey that the patch is known to be in, the highest.
func (e *extraction) lift(layer int32, vertices []lattice.Vertex) {
	all := make([][]footing, len(vertices))
	known := make([]bool, len(vertices))
	var near []item
	for i := range vertices {
		v := &vertices[i]
		all[i], near = e.footings(v.Point, near)
		for _, f := range all[i] {
			if f.layer == layer && f.distance <= floorReach && (!known[i] || f.z > v.Z) {
				known[i], v.Z = true, f.z
			}
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

// rise is how far apart in height two places of one storey may be: the floor beyond a crack is a step away, and as
// much as floors rise on the way.
func (e *extraction) rise(v, w *lattice.Vertex) float64 {
	return e.climb + floorReach + v.Distance(w.Point)
}

// withoutLower forgets the heights of vertices that are of a lower storey than others: what one steps over a crack
// from or to is higher than what is at the ends of the crack, and touches it there.
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

// nearest returns the height of the nearest of floors that are not farther than slack from a height, of those that
// touch the place that nearest in height; the height itself where there is none.
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

// footing is a floor near a place: its layer, how far away it is, and its height there.
type footing struct {
	layer    int32
	distance float64
	z        int32
}

// footings lists the floors within reach of p.
func (e *extraction) footings(p lattice.Point, near []item) ([]footing, []item) {
	b := box3{[3]int32{p.X - reach, p.Y - reach, math.MinInt32}, [3]int32{p.X + reach, p.Y + reach, math.MaxInt32}}
	near = e.tree.search(&b, near[:0])
	slices.SortFunc(near, func(i, j item) int { return cmp.Compare(i.triangle, j.triangle) })
	var out []footing
	for i := range near {
		t := near[i].triangle
		if e.layer[t] == unassigned {
			continue
		}
		if at, d := e.exposed[t].nearest(p); d <= reach {
			plane := planeOf(&e.soup.Triangles[t].V)
			out = append(out, footing{e.layer[t], d, rounded(plane.height(at.x, at.y))})
		}
	}
	return out, near
}

// height returns the height of a patch at a place that it covers.
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
