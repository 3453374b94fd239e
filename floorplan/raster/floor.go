package raster

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// floorBuilder collects the height surface of one layer at a time: the level's own walkable
// triangles, so that heights are exact on slopes and steps. A triangle that would hide a lower
// floor of the same layer elsewhere is cut down to the columns in which it is the floor.
type floorBuilder struct {
	*patches
	stamp  []int32 // by triangle: the last layer, plus one, that it belongs to
	number map[lattice.Vertex]uint32
	tin    lattice.TIN
}

func newFloorBuilder(ps *patches) *floorBuilder {
	return &floorBuilder{patches: ps, stamp: make([]int32, len(ps.surface.soup.Triangles))}
}

// addApron adds what the seams of a layer may reach beyond its own columns when they are
// straightened: the floor of the two next patches beyond, where the layer itself has none.
func (f *floorBuilder) addApron(layer int32, members []int32) {
	seen := map[int32]bool{}
	front := members
	for range 2 {
		var next []int32
		for _, i := range front {
			f.contacts(i, func(j int32, _ int) {
				if f.list[j].layer != layer && !seen[j] && !f.touches(j, layer) {
					seen[j] = true
					next = append(next, j)
				}
			})
		}
		slices.Sort(next)
		for _, j := range next {
			r := f.list[j].pieceRef
			x, y := f.surface.columnOf(r)
			for _, t := range f.surface.blocks[r.block].floorOf(f.surface.piece(r)) {
				f.addParts(t, []floorUse{{y, x}})
			}
		}
		front = next
	}
}

// touches reports whether the layer has a patch in the column of patch i.
func (f *floorBuilder) touches(i, layer int32) bool {
	x, y := f.surface.columnOf(f.list[i].pieceRef)
	return f.inLayer(x, y, layer)
}

// inLayer reports whether the layer has a patch in the column (x, y).
func (f *floorBuilder) inLayer(x, y, layer int32) bool {
	first, end := f.inColumn(x, y)
	for j := first; j < end; j++ {
		if f.list[j].layer == layer {
			return true
		}
	}
	return false
}

// floorUse is a column in which a triangle is the floor.
type floorUse struct{ cy, cx int32 }

// build returns the surface of the layer that consists of the given patches.
func (f *floorBuilder) build(layer int32, members []int32) lattice.TIN {
	f.number, f.tin = map[lattice.Vertex]uint32{}, lattice.TIN{Error: 1}
	s := f.surface
	var triangles []int32
	addTriangle := func(t int32) {
		if f.stamp[t] != layer+1 {
			f.stamp[t] = layer + 1
			triangles = append(triangles, t)
		}
	}
	add := func(r pieceRef) {
		for _, t := range s.blocks[r.block].floorOf(s.piece(r)) {
			addTriangle(t)
		}
	}
	for _, i := range members {
		r := f.list[i].pieceRef
		add(r)
		if f.whole(i) {
			continue
		}
		// Borders reach a little beyond the columns of their patches, into what erosion took.
		for _, n := range s.nearOf(r) {
			add(n.pieceRef)
		}
		// Triangles too thin for a sample are floor all the same.
		p := s.piece(r)
		for _, h := range s.blocks[r.block].hiddenIn(p.column) {
			v := &s.soup.Triangles[h.tri].V
			if max(v[0].Z, v[1].Z, v[2].Z) >= p.lo-s.grid.climb && min(v[0].Z, v[1].Z, v[2].Z) <= p.hi+s.grid.climb {
				addTriangle(h.tri)
			}
		}
	}
	hiding := map[int32][]floorUse{}
	for _, i := range members {
		f.findHiding(layer, i, hiding)
	}
	f.addApron(layer, members)
	for _, i := range members {
		if len(hiding) == 0 {
			break
		}
		r := f.list[i].pieceRef
		x, y := s.columnOf(r)
		for _, t := range s.blocks[r.block].floorOf(s.piece(r)) {
			if uses, ok := hiding[t]; ok {
				hiding[t] = append(uses, floorUse{y, x})
			}
		}
	}
	slices.Sort(triangles)
	for _, t := range triangles {
		uses, ok := hiding[t]
		if !ok {
			f.addTriangle(s.soup.Triangles[t].V)
			continue
		}
		for _, u := range uses {
			for dy := int32(-1); dy <= 1; dy++ {
				for dx := int32(-1); dx <= 1; dx++ {
					if !f.inLayer(u.cx+dx, u.cy+dy, layer) {
						uses = append(uses, floorUse{u.cy + dy, u.cx + dx})
					}
				}
			}
		}
		slices.SortFunc(uses, func(a, b floorUse) int { return cmp.Or(cmp.Compare(a.cy, b.cy), cmp.Compare(a.cx, b.cx)) })
		f.addParts(t, slices.Compact(uses))
	}
	return f.tin
}

// findHiding marks the triangles of the layer that pass more than a step above the floor of patch i.
func (f *floorBuilder) findHiding(layer, i int32, hiding map[int32][]floorUse) {
	s := f.surface
	r := f.list[i].pieceRef
	p := s.piece(r)
	x, y := s.columnOf(r)
	check := func(t int32) {
		if f.stamp[t] != layer+1 {
			return
		}
		part := s.inColumn(t, x, y)
		if part.n == 0 {
			return
		}
		if _, highest := part.heights(); highest > p.hi+s.grid.climb {
			hiding[t] = nil
		}
	}
	b := &s.blocks[r.block]
	for _, h := range b.hiddenIn(p.column) {
		check(h.tri)
	}
	block, first, end := s.piecesOf(x, y)
	for q := first; q < end; q++ {
		if q == r.index {
			continue
		}
		for _, t := range s.blocks[block].floorOf(&s.blocks[block].pieces[q]) {
			check(t)
		}
	}
}

func (f *floorBuilder) vertex(v lattice.Vertex) uint32 {
	n, ok := f.number[v]
	if !ok {
		n = uint32(len(f.tin.Vertices))
		f.number[v] = n
		f.tin.Vertices = append(f.tin.Vertices, v)
	}
	return n
}

func (f *floorBuilder) addTriangle(v [3]lattice.Vertex) {
	if lattice.Orient(v[0].Point, v[1].Point, v[2].Point) > 0 {
		f.tin.Triangles = append(f.tin.Triangles, [3]uint32{f.vertex(v[0]), f.vertex(v[1]), f.vertex(v[2])})
	}
}

// inColumn returns the part of triangle t in the column (x, y).
func (s *surface) inColumn(t, x, y int32) polygon {
	size := float64(s.grid.column)
	p := polygonOf(&s.soup.Triangles[t].V)
	p = p.slab(1, float64(y)*size, float64(y)*size+size)
	return p.slab(0, float64(x)*size, float64(x)*size+size)
}

// addParts adds the parts of triangle t that lie in the columns it is used in.
func (f *floorBuilder) addParts(t int32, uses []floorUse) {
	for _, u := range uses {
		part := f.surface.inColumn(t, u.cx, u.cy)
		var corners [8]lattice.Vertex
		for k := range part.n {
			q := part.v[k]
			corners[k] = lattice.Vertex{Point: planar{q[0], q[1]}.round(), Z: int32(math.Floor(q[2] + 0.5))}
		}
		for k := 2; k < part.n; k++ {
			f.addTriangle([3]lattice.Vertex{corners[0], corners[k-1], corners[k]})
		}
	}
}
