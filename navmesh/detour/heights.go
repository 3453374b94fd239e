package detour

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// The height surface of a polygon approximates the floor: the corners, and at most mostInner points inside with the largest errors.
const (
	mostInner  = 120 // of at most 255 triangles
	heightStep = 205 // lattice units, 5 cm: no point with a smaller error is added
)

// surface is a triangulated polygon.
type surface struct {
	points    []lattice.Vertex // the corners of the polygon, then points inside
	triangles [][3]int         // counter-clockwise
	border    [][]int          // of each edge of the polygon, its points from end to end
}

// floorIndex finds the triangles of a layer.
type floorIndex struct {
	floor *lattice.TIN
	boxes *planar.Index
}

// heights fills the height surfaces of a tile.
func (w *writer) heights(number int) error {
	t := &w.out.tiles[number]
	type layer struct{ slot, layer int }
	floors := map[layer]*floorIndex{}
	for _, i := range w.byTile[number] {
		p := &w.pieces[i]
		slot := w.slotOf(p.region)
		l := layer{slot, int(w.Tiles[slot].Regions[p.region-w.first[slot]].Layer)}
		f := floors[l]
		if f == nil {
			f = newFloorIndex(&w.Tiles[l.slot].Layers[l.layer].Floor)
			floors[l] = f
		}
		corners := make([]lattice.Vertex, len(p.ring))
		for k, b := range p.ring {
			corners[k] = b.at
		}
		w.addSurface(t, number, f.surface(corners))
	}
	return nil
}

// addSurface appends the surface of the next polygon of a tile.
func (w *writer) addSurface(t *tile, number int, s surface) {
	n := int(t.polys[len(t.details)].count)
	d := detail{vertices: uint32(len(t.detailVertices)), triangles: uint32(len(t.detailTriangles)), vertexCount: uint8(len(s.points) - n), triangleCount: uint8(len(s.triangles))}
	for _, v := range s.points[n:] {
		p := w.world(v)
		t.detailVertices = append(t.detailVertices, [3]float32{float32(p.X), float32(p.Y), float32(p.Z)})
	}
	// An edge of one triangle only is on the border. Detour looks for the nearest of them and expects at least one.
	inner := map[[2]int]bool{}
	for _, f := range s.triangles {
		for k := range 3 {
			inner[[2]int{f[(k+1)%3], f[k]}] = true
		}
	}
	for _, f := range s.triangles {
		out := [4]uint8{uint8(f[0]), uint8(f[1]), uint8(f[2])}
		for k := range 3 {
			if !inner[[2]int{f[k], f[(k+1)%3]}] {
				out[3] |= edgeOfPolygon << (2 * k)
			}
		}
		t.detailTriangles = append(t.detailTriangles, out)
	}
	t.details = append(t.details, d)
}

func newFloorIndex(floor *lattice.TIN) *floorIndex {
	boxes := make([]lattice.Box, len(floor.Triangles))
	for i, f := range floor.Triangles {
		boxes[i] = lattice.BoxOf(floor.Vertices[f[0]].Point, floor.Vertices[f[1]].Point, floor.Vertices[f[2]].Point)
	}
	return &floorIndex{floor, planar.NewIndex(boxes)}
}

// surface returns the surface of a convex polygon: the triangles of the floor where they are the polygon's own, else points of the
// floor chosen one after another.
func (x *floorIndex) surface(corners []lattice.Vertex) surface {
	ring := make(lattice.Ring, len(corners))
	for i, c := range corners {
		ring[i] = c.Point
	}
	var over []int
	x.boxes.Each(ring.Box(), func(i int) bool {
		f := x.floor.Triangles[i]
		if planar.Overlap([]lattice.Point{x.floor.Vertices[f[0]].Point, x.floor.Vertices[f[1]].Point, x.floor.Vertices[f[2]].Point}, ring) {
			over = append(over, i)
		}
		return true
	})
	slices.Sort(over)
	if s, ok := x.own(corners, ring, over); ok {
		return s
	}
	return x.chosen(corners, ring, over)
}

// nearBorder is the distance in lattice units by which the corners of a polygon's own triangles may lie outside.
const nearBorder = 3

// own returns the triangles of the floor if they are the polygon's own, and cover the polygon.
func (x *floorIndex) own(corners []lattice.Vertex, ring lattice.Ring, over []int) (surface, bool) {
	s := surface{points: slices.Clone(corners)}
	index := map[lattice.Vertex]int{}
	for i, c := range corners {
		index[c] = i
	}
	rest, border := ring.Area2(), 0.0
	for i, p := range ring {
		border += p.Distance(ring[(i+1)%len(ring)])
	}
	for _, i := range over {
		var f [3]int
		outside := 0
		vertices := x.floor.Triangles[i]
		a, b, c := x.floor.Vertices[vertices[0]], x.floor.Vertices[vertices[1]], x.floor.Vertices[vertices[2]]
		for _, v := range [3]lattice.Vertex{a, b, c} {
			if !near(ring, v.Point) {
				outside++
			}
		}
		if outside > 0 {
			// A neighbour's triangle may reach over the border by rounding.
			m := lattice.Point{X: int32((int64(a.X) + int64(b.X) + int64(c.X)) / 3), Y: int32((int64(a.Y) + int64(b.Y) + int64(c.Y)) / 3)}
			if ring.Locate(m) == lattice.Inside {
				return s, false
			}
			continue
		}
		for k, v := range [3]lattice.Vertex{a, b, c} {
			n, ok := index[v]
			if !ok {
				n = len(s.points)
				index[v] = n
				s.points = append(s.points, v)
			}
			f[k] = n
		}
		s.triangles = append(s.triangles, f)
		rest -= lattice.Orient(a.Point, b.Point, c.Point)
	}
	ok := math.Abs(float64(rest)) <= 2*nearBorder*border+100 && len(s.triangles) > 0 &&
		len(s.points)-len(corners) <= maxDetail-cornersPerPoly && len(s.triangles) <= maxDetail
	return s, ok
}

// near reports whether a point is in a convex ring, or some units outside.
func near(ring lattice.Ring, p lattice.Point) bool {
	if ring.Locate(p) != lattice.Outside {
		return true
	}
	for i, a := range ring {
		if lattice.SegmentDistance2(p, a, ring[(i+1)%len(ring)]).CompareInt(nearBorder*nearBorder) <= 0 {
			return true
		}
	}
	return false
}

// candidate is a place where the floor bends: inside of the polygon, or on an edge.
type candidate struct {
	at   lattice.Vertex
	edge int // none inside
}

// chosen starts with a fan over the corners and adds the points of the floor with the largest errors.
func (x *floorIndex) chosen(corners []lattice.Vertex, ring lattice.Ring, over []int) surface {
	s := surface{points: slices.Clone(corners)}
	s.fan()
	for i := range corners {
		s.border = append(s.border, []int{i, (i + 1) % len(corners)})
	}
	candidates := x.candidates(ring, over)
	for len(s.points)-len(corners) < mostInner {
		best, worst := none, float64(heightStep)
		for i, c := range candidates {
			if e := math.Abs(s.heightAt(c) - float64(c.at.Z)); e > worst {
				best, worst = i, e
			}
		}
		if best == none {
			break
		}
		s.insert(candidates[best])
		candidates = slices.Delete(candidates, best, best+1)
	}
	return s
}

// candidates returns the places where the floor in a ring bends: its vertices, and where its edges cross the ring.
func (x *floorIndex) candidates(ring lattice.Ring, over []int) []candidate {
	seen := map[lattice.Point]bool{}
	var out []candidate
	add := func(p lattice.Point, z float64, edge int) {
		if !seen[p] && !slices.Contains(ring, p) {
			seen[p] = true
			out = append(out, candidate{lattice.Vertex{Point: p, Z: int32(math.Floor(z + 0.5))}, edge})
		}
	}
	for _, i := range over {
		f := x.floor.Triangles[i]
		for k := range 3 {
			a, b := x.floor.Vertices[f[k]], x.floor.Vertices[f[(k+1)%3]]
			if ring.Locate(a.Point) == lattice.Inside {
				add(a.Point, float64(a.Z), none)
			}
			for e, p := range ring {
				q := ring[(e+1)%len(ring)]
				if lattice.OnSegment(a.Point, p, q) {
					add(a.Point, float64(a.Z), e)
				}
				if lattice.SegmentContact(a.Point, b.Point, p, q) == lattice.Disjoint {
					continue
				}
				if c, ok := lattice.LineIntersection(a.Point, b.Point, p, q); ok {
					t := a.Distance(c) / max(a.Distance(b.Point), 1)
					add(c, float64(a.Z)+float64(t*float64(int64(b.Z)-int64(a.Z))), e)
				}
			}
		}
	}
	return out
}

// fan triangulates the corners, which may lie on straight sides.
func (s *surface) fan() {
	left := make([]int, len(s.points))
	for i := range left {
		left[i] = i
	}
	for len(left) > 3 {
		// The corner of positive area with the shortest diagonal goes first.
		best, shortest := -1, uint64(math.MaxUint64)
		n := len(left)
		for i := range left {
			a, b, c := s.points[left[(i+n-1)%n]], s.points[left[i]], s.points[left[(i+1)%n]]
			rest := make(lattice.Ring, 0, n-1)
			for k, v := range left {
				if k != i {
					rest = append(rest, s.points[v].Point)
				}
			}
			if d := a.Distance2(c.Point); lattice.Orient(a.Point, b.Point, c.Point) > 0 && rest.Area2() > 0 && d < shortest {
				best, shortest = i, d
			}
		}
		if best < 0 {
			break
		}
		s.triangles = append(s.triangles, [3]int{left[(best+n-1)%n], left[best], left[(best+1)%n]})
		left = slices.Delete(left, best, best+1)
	}
	s.triangles = append(s.triangles, [3]int{left[0], left[1], left[2]})
}

// heightAt returns the height of the surface at a candidate, in lattice units.
func (s *surface) heightAt(c candidate) float64 {
	if c.edge != none {
		a, b := s.stretch(c)
		t := s.points[a].Distance(c.at.Point) / max(s.points[a].Distance(s.points[b].Point), 1)
		return float64(s.points[a].Z) + float64(t*float64(int64(s.points[b].Z)-int64(s.points[a].Z)))
	}
	i := s.find(c.at.Point)
	if i < 0 {
		return float64(c.at.Z) // between the border and a point of the border that was rounded to the inside
	}
	return s.height(s.triangles[i], c.at.Point)
}

// stretch returns the points of an edge of the polygon before and after a candidate.
func (s *surface) stretch(c candidate) (a, b int) {
	line := s.border[c.edge]
	far := c.at.Distance2(s.points[line[0]].Point)
	k := 1
	for k < len(line)-1 && s.points[line[k]].Distance2(s.points[line[0]].Point) <= far {
		k++
	}
	return line[k-1], line[k]
}

// height returns the height of a triangle at a point in lattice units.
func (s *surface) height(f [3]int, p lattice.Point) float64 {
	a, b, c := s.points[f[0]], s.points[f[1]], s.points[f[2]]
	whole := float64(lattice.Orient(a.Point, b.Point, c.Point))
	u, v := float64(lattice.Orient(b.Point, c.Point, p))/whole, float64(lattice.Orient(c.Point, a.Point, p))/whole
	return float64(u*float64(a.Z)) + float64(v*float64(b.Z)) + float64((1-u-v)*float64(c.Z))
}

// find returns a triangle with a point, -1 outside.
func (s *surface) find(p lattice.Point) int {
	return slices.IndexFunc(s.triangles, func(f [3]int) bool {
		for k := range 3 {
			if lattice.Orient(s.points[f[k]].Point, s.points[f[(k+1)%3]].Point, p) < 0 {
				return false
			}
		}
		return true
	})
}

// insert adds a candidate unless rounding would turn a triangle over, and flips edges until the triangles are Delaunay's.
func (s *surface) insert(c candidate) {
	n, v := len(s.points), c.at
	var hit []int // triangles to replace
	if c.edge != none {
		a, b := s.stretch(c)
		i := slices.IndexFunc(s.triangles, func(f [3]int) bool {
			return f[0] == a && f[1] == b || f[1] == a && f[2] == b || f[2] == a && f[0] == b
		})
		if i < 0 {
			return
		}
		apex := s.points[s.triangles[i][0]+s.triangles[i][1]+s.triangles[i][2]-a-b].Point
		if lattice.Orient(s.points[a].Point, v.Point, apex) <= 0 || lattice.Orient(v.Point, s.points[b].Point, apex) <= 0 {
			return
		}
		hit = []int{i}
		line := s.border[c.edge]
		s.border[c.edge] = slices.Insert(line, slices.Index(line, b), n)
	} else {
		for i, f := range s.triangles {
			inside := true
			for k := range 3 {
				inside = inside && lattice.Orient(s.points[f[k]].Point, s.points[f[(k+1)%3]].Point, v.Point) >= 0
			}
			if inside {
				hit = append(hit, i)
			}
		}
	}
	if len(hit) == 0 {
		return
	}
	s.points = append(s.points, v)
	var edges [][2]int
	for i := len(hit) - 1; i >= 0; i-- {
		f := s.triangles[hit[i]]
		s.triangles = slices.Delete(s.triangles, hit[i], hit[i]+1)
		for k := range 3 {
			a, b := f[k], f[(k+1)%3]
			onEdge := c.edge != none && slices.Contains(s.border[c.edge], a) && slices.Contains(s.border[c.edge], b)
			if !onEdge && lattice.Orient(s.points[a].Point, s.points[b].Point, v.Point) > 0 {
				s.triangles = append(s.triangles, [3]int{a, b, n})
				edges = append(edges, [2]int{a, b})
			}
		}
	}
	for len(edges) > 0 {
		e := edges[len(edges)-1]
		edges = edges[:len(edges)-1]
		edges = append(edges, s.flip(e[0], e[1], n)...)
	}
}

// flip replaces the edge from a to b of the triangle with apex n if the apex beyond lies in its circle, and returns the edges to
// look at next.
func (s *surface) flip(a, b, n int) [][2]int {
	near, beyond, apex := -1, -1, -1
	for i, f := range s.triangles {
		for k := range 3 {
			switch {
			case f[k] == a && f[(k+1)%3] == b && f[(k+2)%3] == n:
				near = i
			case f[k] == b && f[(k+1)%3] == a:
				beyond, apex = i, f[(k+2)%3]
			}
		}
	}
	if near < 0 || beyond < 0 {
		return nil
	}
	p := func(i int) lattice.Point { return s.points[i].Point }
	if lattice.InCircle(p(a), p(b), p(n), p(apex)) <= 0 || lattice.Orient(p(n), p(a), p(apex)) <= 0 || lattice.Orient(p(n), p(apex), p(b)) <= 0 {
		return nil
	}
	s.triangles[near], s.triangles[beyond] = [3]int{a, apex, n}, [3]int{apex, b, n}
	return [][2]int{{a, apex}, {apex, b}}
}
