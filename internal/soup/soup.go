// Package soup is a level on the lattice, the start of all extractors.
package soup

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/level"
)

// Soup is a level on the lattice: triangles in canonical order, so nothing later depends on the order in the
// level.
type Soup struct {
	Frame     lattice.Frame
	Size      lattice.Vertex // extent of the triangles; the smallest coordinates are 0
	Triangles []Triangle
	Vertices  int    // the number of different vertices
	Rim       []Edge // as soon as [Soup.ListRim] was called
}

// Triangle is a triangle in frame coordinates. The first vertex is the smallest.
type Triangle struct {
	V        [3]lattice.Vertex
	ID       [3]uint32 // of the vertices: their places among all, in their order
	Area     uint8     // the area of its ground, see level.Ground
	Walkable bool
}

// Edge is an edge of a walkable triangle without exactly one other walkable triangle behind: the walkable
// surface may end there.
type Edge struct{ A, B lattice.Vertex }

// Read moves the level to the lattice, drops collapsed and repeated triangles, and classifies the rest. The
// frame's origin is the corner of the level's box, so that a level moved by lattice units gives the same soup
// in a moved frame.
func Read(lvl *level.Level, agent geom.Agent) (*Soup, error) {
	return ReadOn(context.Background(), lvl, agent, 1)
}

// ReadOn is [Read] on up to jobs goroutines, one per core for 0.
func ReadOn(ctx context.Context, lvl *level.Level, agent geom.Agent, jobs int) (*Soup, error) {
	if err := lvl.Validate(); err != nil {
		return nil, err
	}
	snapped, box, err := snapVertices(ctx, lvl, jobs)
	if err != nil {
		return nil, err
	}
	for axis, extent := range box.extent() {
		if extent > lattice.MaxCoord {
			return nil, fmt.Errorf("level %q is %.0f m long along %c, the lattice holds %.0f m",
				lvl.Name, float64(extent)*lattice.Unit, "xzy"[axis], float64(lattice.MaxCoord)*lattice.Unit)
		}
	}
	s := &Soup{Frame: lattice.Frame{East: box.lo[0], North: box.lo[1], Up: box.lo[2]}}
	e := box.extent()
	s.Size = lattice.Vertex{Point: lattice.Point{X: int32(e[0]), Y: int32(e[1])}, Z: int32(e[2])}
	at, id, vertices := number(snapped, box)
	s.Vertices = vertices
	all := Soup{Triangles: make([]Triangle, len(lvl.Triangles)), Vertices: vertices}
	flat, stances := make([]bool, len(lvl.Triangles)), make([]stance, len(lvl.Triangles))
	limit := agent.SlopeLimit()
	err = inParts(ctx, jobs, len(flat), func(i int) {
		t := lvl.Triangles[i]
		all.Triangles[i], flat[i] = canonical(t, at, id)
		all.Triangles[i].Area = lvl.Ground.Of(i)
		stances[i] = stanceOf(&all.Triangles[i], lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C], limit)
		all.Triangles[i].Walkable = stances[i] == walkable
	})
	if err != nil {
		return nil, err
	}
	all.admitSteps(int32(math.Floor(agent.MaxClimb*lattice.UnitsPerMetre)), stances)
	if s.Triangles, err = sorted(ctx, jobs, all.Triangles, flat, vertices); err != nil {
		return nil, err
	}
	if len(s.Triangles) == 0 {
		return nil, fmt.Errorf("level %q: all %d triangles are degenerate", lvl.Name, len(lvl.Triangles))
	}
	return s, s.hasFloor(lvl.Name, agent)
}

// inParts calls f for every number below n, a part of them after the other on each goroutine.
func inParts(ctx context.Context, jobs, n int, f func(i int)) error {
	const part = 4096
	return par.For(ctx, jobs, (n+part-1)/part, func(k int) error {
		for i := k * part; i < min(n, (k+1)*part); i++ {
			f(i)
		}
		return nil
	})
}

// latticeBox is a box in world lattice units.
type latticeBox struct{ lo, hi [3]int64 }

func (b latticeBox) extent() [3]int64 {
	return [3]int64{b.hi[0] - b.lo[0], b.hi[1] - b.lo[1], b.hi[2] - b.lo[2]}
}

// snapVertices returns the world lattice coordinates of every vertex in use, and their box.
func snapVertices(ctx context.Context, lvl *level.Level, jobs int) ([]snapped, latticeBox, error) {
	box := latticeBox{
		lo: [3]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64},
		hi: [3]int64{math.MinInt64, math.MinInt64, math.MinInt64},
	}
	all := make([]snapped, len(lvl.Vertices))
	for _, t := range lvl.Triangles {
		all[t.A].used, all[t.B].used, all[t.C].used = true, true, true
	}
	err := inParts(ctx, jobs, len(all), func(i int) {
		if s := &all[i]; s.used {
			s.world[0], s.world[1], s.world[2], s.inside = lattice.Snap(lvl.Vertices[i])
		}
	})
	if err != nil {
		return nil, box, err
	}
	for i := range all {
		s := &all[i]
		if !s.used {
			continue
		}
		if !s.inside {
			return nil, box, fmt.Errorf("level %q: vertex %d at %v is outside of the lattice", lvl.Name, i, lvl.Vertices[i])
		}
		for k, c := range s.world {
			box.lo[k] = min(box.lo[k], c)
			box.hi[k] = max(box.hi[k], c)
		}
	}
	return all, box, nil
}

// snapped is a vertex of the level on the lattice.
type snapped struct {
	world  [3]int64
	used   bool
	inside bool // inside the lattice
}

// numbered is a vertex in the frame, and where it is in the level.
type numbered struct {
	lattice.Vertex
	index uint32
}

// inOrder sorts vertices by their coordinates, from 0 to an extent: digit by digit from the last, each pass stable.
func inOrder(vertices []numbered, extent [3]int64) []numbered {
	const digit = 11
	other := make([]numbered, len(vertices))
	var first [1 << digit]int32
	for _, axis := range []int{2, 1, 0} {
		coordinate := func(v *numbered) int32 {
			switch axis {
			case 0:
				return v.X
			case 1:
				return v.Y
			}
			return v.Z
		}
		for shift := 0; extent[axis]>>shift != 0; shift += digit {
			clear(first[:])
			for i := range vertices {
				first[coordinate(&vertices[i])>>shift&(1<<digit-1)]++
			}
			sum := int32(0)
			for d := range first {
				first[d], sum = sum, sum+first[d]
			}
			for i := range vertices {
				d := coordinate(&vertices[i]) >> shift & (1<<digit - 1)
				other[first[d]] = vertices[i]
				first[d]++
			}
			vertices, other = other, vertices
		}
	}
	return vertices
}

// number returns the places of a level's vertices in the frame, and their numbers among all different
// vertices, count in all.
func number(all []snapped, box latticeBox) (at []lattice.Vertex, id []uint32, count int) {
	at, id = make([]lattice.Vertex, len(all)), make([]uint32, len(all))
	order := make([]numbered, 0, len(all))
	for i := range all {
		if all[i].used {
			w := &all[i].world
			at[i] = lattice.Vertex{Point: lattice.Point{X: int32(w[0] - box.lo[0]), Y: int32(w[1] - box.lo[1])}, Z: int32(w[2] - box.lo[2])}
			order = append(order, numbered{at[i], uint32(i)})
		}
	}
	order = inOrder(order, box.extent())
	for i, o := range order {
		if i > 0 && o.Vertex != order[i-1].Vertex {
			count++
		}
		id[o.index] = uint32(count)
	}
	return at, id, count + 1
}

// canonical rotates a triangle to begin with its smallest vertex; flat is true if the three points are
// collinear.
func canonical(t level.Triangle, at []lattice.Vertex, id []uint32) (r Triangle, flat bool) {
	a, b, c := t.A, t.B, t.C
	for id[b] < id[a] || id[c] < id[a] {
		a, b, c = b, c, a
	}
	r = Triangle{V: [3]lattice.Vertex{at[a], at[b], at[c]}, ID: [3]uint32{id[a], id[b], id[c]}}
	return r, Normal(r.V) == [3]int64{}
}

// sorted returns the triangles that are not flat in the order of their vertices, each once. Of triangles that have
// become the same, floors win, and then the last area.
func sorted(ctx context.Context, jobs int, triangles []Triangle, flat []bool, vertices int) ([]Triangle, error) {
	first := make([]int32, vertices+1)
	for i := range triangles {
		if !flat[i] {
			first[triangles[i].ID[0]+1]++
		}
	}
	for v := range vertices {
		first[v+1] += first[v]
	}
	out := make([]Triangle, first[vertices])
	next := slices.Clone(first)
	for i := range triangles {
		if v := triangles[i].ID[0]; !flat[i] {
			out[next[v]] = triangles[i]
			next[v]++
		}
	}
	err := inParts(ctx, jobs, vertices, func(v int) {
		// Few begin at the same vertex, but for fans.
		if same := out[first[v]:first[v+1]]; len(same) > 1 {
			slices.SortFunc(same, compare)
		}
	})
	return slices.CompactFunc(out, func(a, b Triangle) bool { return a.ID == b.ID }), err
}

// compare is the order of triangles that begin at the same vertex.
func compare(a, b Triangle) int {
	switch {
	case a.ID[1] != b.ID[1]:
		return cmp.Compare(a.ID[1], b.ID[1])
	case a.ID[2] != b.ID[2]:
		return cmp.Compare(a.ID[2], b.ID[2])
	case a.Walkable && !b.Walkable:
		return -1
	case b.Walkable && !a.Walkable:
		return 1
	}
	return cmp.Compare(b.Area, a.Area)
}

// Normal returns the cross product of two edges of v; exact, see lattice.Orient.
func Normal(v [3]lattice.Vertex) [3]int64 {
	abx, aby := v[1].Sub(v[0].Point)
	acx, acy := v[2].Sub(v[0].Point)
	abz, acz := int64(v[1].Z)-int64(v[0].Z), int64(v[2].Z)-int64(v[0].Z)
	return [3]int64{aby*acz - abz*acy, abz*acx - abx*acz, abx*acy - aby*acx}
}

// lean is the cosine of the angle to the ground up to which a face is a wall rather than a steep floor: one in five hundred.
const lean = 2e-3

// hairline is the greatest width of a steep face, seen from above in metres, that adds nothing to a step: floors this far apart are joined.
const hairline = 2e-3

// stance is how a triangle stands, whatever its neighbours are.
type stance uint8

const (
	wall     stance = iota // faces down, or leans by at most one in five hundred
	walkable               // faces up and is no steeper than the agent allows
	steep                  // faces up and is steeper
	splinter               // steep, and no wider than a hairline
)

// stanceOf decides by the level's own coordinates a, b and c of a triangle. Rounding turns triangles that are thin seen from above to any
// side, so a thin floor has to be no steeper than the limit on the lattice too.
func stanceOf(t *Triangle, a, b, c geom.Vec, limit geom.SlopeLimit) stance {
	own := b.Sub(a).Cross(c.Sub(a))
	if !(own.Y > 0) {
		return wall
	}
	if limit.Admits(a, b, c) {
		if n := Normal(t.V); n[2] > 0 && (!t.upright(n) || limit.AdmitsNormal(vector(n))) {
			return walkable
		}
		return wall
	}
	switch long := max(flatDistance(a, b), flatDistance(b, c), flatDistance(c, a)); {
	case own.Y <= lean*own.Norm():
		return wall
	case own.Y <= hairline*long:
		return splinter
	}
	return steep
}

// flatDistance returns the distance of two places seen from above.
func flatDistance(a, b geom.Vec) float64 { return math.Hypot(a.X-b.X, a.Z-b.Z) }

// hasFloor returns an error if no triangle is walkable.
func (s *Soup) hasFloor(name string, agent geom.Agent) error {
	limit := agent.SlopeLimit()
	if slices.ContainsFunc(s.Triangles, func(t Triangle) bool { return t.Walkable }) {
		return nil
	}
	down := 0
	for i := range s.Triangles {
		if n := vector(Normal(s.Triangles[i].V)); limit.AdmitsNormal(n.Scale(-1)) {
			down++
		}
	}
	if down > 0 {
		return fmt.Errorf("level %q: none of %d triangles faces up within %.1f degrees, %d face down: is it inside out, or is another axis up?",
			name, len(s.Triangles), agent.MaxSlope/geom.Degrees(1), down)
	}
	return fmt.Errorf("level %q: none of %d triangles faces up within %.1f degrees", name, len(s.Triangles), agent.MaxSlope/geom.Degrees(1))
}

// vector converts a normal from the lattice to the world.
func vector(n [3]int64) geom.Vec { return geom.FromGround(float64(n[0]), float64(n[1]), float64(n[2])) }

// HalfEdge is a directed edge of a triangle, keyed by its two vertices in ascending order.
type HalfEdge struct {
	key      uint64
	Triangle uint32
	Corner   uint8 // where the edge starts in the triangle
	Reversed bool  // the triangle runs from the greater vertex to the smaller
}

// collapsed reports whether the edge is a single vertex.
func (e HalfEdge) collapsed() bool { return uint32(e.key>>32) == uint32(e.key) }

// Edges returns the half-edges of the chosen triangles, sorted with half-edges of one edge together: edges
// come in the order of their vertices in the triangles.
func (s *Soup) Edges(chosen func(i int) bool) []HalfEdge {
	number := make([]uint32, s.Vertices) // one more than the number of each vertex, 0 for none yet
	count := uint32(0)
	first := make([]int32, 1, s.Vertices+1) // where the edges with each smaller vertex start
	for i := range s.Triangles {
		if !chosen(i) {
			continue
		}
		var ids [3]uint32
		for k, id := range s.Triangles[i].ID {
			if number[id] == 0 {
				count++
				number[id] = count
				first = append(first, 0)
			}
			ids[k] = number[id] - 1
		}
		for k := range 3 {
			first[min(ids[k], ids[(k+1)%3])+1]++
		}
	}
	for v := range count {
		first[v+1] += first[v]
	}
	out := make([]HalfEdge, first[count])
	next := slices.Clone(first)
	for i := range s.Triangles {
		if !chosen(i) {
			continue
		}
		id := &s.Triangles[i].ID
		for k := range 3 {
			a, b := number[id[k]]-1, number[id[(k+1)%3]]-1
			out[next[min(a, b)]] = HalfEdge{
				key: uint64(min(a, b))<<32 | uint64(max(a, b)), Triangle: uint32(i), Corner: uint8(k), Reversed: a > b,
			}
			next[min(a, b)]++
		}
	}
	for v := range count {
		if few := out[first[v]:first[v+1]]; len(few) > 1 {
			slices.SortFunc(few, func(a, b HalfEdge) int {
				if a.key != b.key {
					return cmp.Compare(a.key, b.key)
				}
				return cmp.Compare(a.Triangle, b.Triangle)
			})
		}
	}
	return out
}

// upright reports whether a face on the lattice is a wall rather than a steep floor: the face leans by at most one in five hundred, or no
// more than rounding makes a wall lean. A wall on a bevel adds nothing to the height of the bevel.
func (t *Triangle) upright(n [3]int64) bool {
	const rounding = 2 // units
	x, y, z := float64(n[0]), float64(n[1]), math.Abs(float64(n[2]))
	if z*z <= lean*lean*(float64(x*x)+float64(y*y)+float64(z*z)) {
		return true
	}
	longest := max(t.V[0].Distance2(t.V[1].Point), t.V[1].Distance2(t.V[2].Point), t.V[2].Distance2(t.V[0].Point))
	return z*z <= rounding*rounding*float64(longest)
}

// admitSteps makes connected patches of steep triangles walkable when they are no higher than climb: the bevel of a kerb, the
// slanted riser of a stair. A patch hangs together over triangles that the lattice turns over, collapses or makes upright,
// and over hairlines; these are not walkable. So the sides of a thin leaning box are one patch as high as the box, even if a side is a splinter.
func (s *Soup) admitSteps(climb int32, stances []stance) {
	if !slices.Contains(stances, steep) {
		return
	}
	leans := func(i int) bool { return stances[i] >= steep }
	patch := unionfind.New(len(s.Triangles))
	for group := range SameEdge(s.Edges(leans)) {
		if group[0].collapsed() {
			continue
		}
		for _, e := range group[1:] {
			patch.Union(int32(group[0].Triangle), int32(e.Triangle))
		}
	}
	type span struct{ lo, hi int32 }
	height := make([]span, len(s.Triangles)) // by the patch's number
	for i := range s.Triangles {
		height[i] = span{math.MaxInt32, math.MinInt32}
	}
	for i := range s.Triangles {
		if leans(i) {
			h := &height[patch.Find(int32(i))]
			for _, v := range s.Triangles[i].V {
				h.lo, h.hi = min(h.lo, v.Z), max(h.hi, v.Z)
			}
		}
	}
	for i := range s.Triangles {
		if stances[i] == steep {
			t, h := &s.Triangles[i], height[patch.Find(int32(i))]
			n := Normal(t.V)
			t.Walkable = h.hi-h.lo <= climb && n[2] > 0 && !t.upright(n)
		}
	}
}

// ListRim collects the edges where the walkable surface may end: all but those between exactly two walkable
// triangles that run along it in opposite directions.
func (s *Soup) ListRim() {
	s.Rim = nil
	for group := range SameEdge(s.Edges(func(i int) bool { return Normal(s.Triangles[i].V)[2] > 0 })) {
		walkable := group[:0:0]
		for _, e := range group {
			if s.Triangles[e.Triangle].Walkable {
				walkable = append(walkable, e)
			}
		}
		if len(walkable) == 0 || len(walkable) == 2 && walkable[0].Reversed != walkable[1].Reversed {
			continue
		}
		e := walkable[0]
		v := &s.Triangles[e.Triangle].V
		s.Rim = append(s.Rim, Edge{v[e.Corner], v[(e.Corner+1)%3]})
	}
}

// SameEdge yields the runs of sorted half-edges on one edge.
func SameEdge(edges []HalfEdge) iter.Seq[[]HalfEdge] {
	return func(yield func([]HalfEdge) bool) {
		for first := 0; first < len(edges); {
			end := first + 1
			for end < len(edges) && edges[end].key == edges[first].key {
				end++
			}
			if !yield(edges[first:end]) {
				return
			}
			first = end
		}
	}
}
