package brep

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/lab/internal/solid"
	"github.com/meadow-nav/meadow/level"
)

// flat is the largest distance, in lattice units, of a corner on a plane: rounding of the plane, and noise of the
// input.
const flat = 1.0

// Triangles of one face have unit normals with at least these products, on an exact solid and on one within the
// tolerance: 15 degrees keep the cap of a thin solid apart from its sides.
const (
	asExact = 1 - 1e-6
	asNear  = 0.9659
)

// DefaultTolerance is how far, in metres, a corner of a solid may be from the planes that it should be on.
const DefaultTolerance = 0.002

// newRecogniser returns a recogniser for a level, with a tolerance in metres.
func newRecogniser(lvl *level.Level, frame lattice.Frame, tolerance float64) *recogniser {
	r := &recogniser{
		lvl: lvl, tris: slices.Clone(lvl.Triangles), at: make([][3]float64, len(lvl.Vertices)),
		tolerance: max(flat, tolerance*lattice.UnitsPerMetre),
	}
	for i, v := range lvl.Vertices {
		x, y, h := frame.Local(v)
		r.at[i] = [3]float64{x, y, h}
	}
	r.number()
	return r
}

// besides recognises the other triangles of a level with solids: convex solids and, with prisms, terrain of the remaining
// triangles that look up. Others are sheets.
func (r *recogniser) besides(tris []int, prisms bool) (shapes []shape, sheets []int) {
	for _, g := range r.groups(tris) {
		if r.paired(g) {
			if s, why := r.convex(g, flat, asExact); why == "" {
				r.shapes = append(r.shapes, s)
				continue
			}
		}
		var up []int
		for _, t := range g {
			if n, _ := r.normal(t); prisms && n[2] > upwards {
				up = append(up, t)
			} else {
				sheets = append(sheets, t)
			}
		}
		r.terrain(up)
	}
	return r.shapes, sheets
}

// all takes a level without solids apart. Triangles of one object with common corners belong together; they are a convex
// solid if every edge has an opposite edge and no corner is in front of a triangle, exactly or else up to the tolerance;
// terrain if they all look up: each is then the top of a prism; and several convex solids if they are closed. Anything
// else is an error that names the object and the place.
func (r *recogniser) all(ctx context.Context) ([]shape, error) {
	next := 0
	for i := range r.lvl.Objects {
		o := &r.lvl.Objects[i]
		if err := r.parts(ctx, next, o.First, "triangles of no object"); err != nil {
			return nil, err
		}
		first := len(r.shapes)
		if err := r.parts(ctx, o.First, o.First+o.Count, fmt.Sprintf("object %d %q", i, o.Name)); err != nil {
			return nil, err
		}
		for k := first; k < len(r.shapes); k++ {
			r.shapes[k].avoided = r.avoided[i]
		}
		next = o.First + o.Count
	}
	if err := r.parts(ctx, next, len(r.lvl.Triangles), "triangles of no object"); err != nil {
		return nil, err
	}
	return r.shapes, nil
}

// recogniser takes a level apart.
type recogniser struct {
	lvl       *level.Level
	tris      []level.Triangle // of the level; bodies that face inwards are turned
	at        [][3]float64     // the vertices, in lattice units
	same      []int32          // of each vertex, the first vertex at its place
	tolerance float64          // in lattice units
	// spare are triangles that belong to no group: some without area, and repeated ones.
	spare   []int
	avoided []bool // by object
	shapes  []shape
}

// number merges vertices at one place.
func (r *recogniser) number() {
	first := make(map[geom.Vec]int32, len(r.lvl.Vertices))
	r.same = make([]int32, len(r.lvl.Vertices))
	for i, v := range r.lvl.Vertices {
		v = geom.Vec{X: v.X + 0, Y: v.Y + 0, Z: v.Z + 0} // no minus zero
		k, ok := first[v]
		if !ok {
			k = int32(i)
			first[v] = k
		}
		r.same[i] = k
	}
}

// parts recognises the connected parts of some triangles.
func (r *recogniser) parts(ctx context.Context, from, to int, owner string) error {
	if from >= to {
		return nil
	}
	tris := make([]int, to-from)
	for i := range tris {
		tris[i] = from + i
	}
	for _, g := range r.groups(tris) {
		bad, why, err := r.part(ctx, g)
		if err != nil {
			return err
		}
		if why != "" {
			v := r.lvl.Vertices[r.tris[bad].A]
			return fmt.Errorf("brep: level %q: %s is neither solid nor terrain: triangle %d at (%.3f, %.3f, %.3f) %s",
				r.lvl.Name, owner, bad, v.X, v.Y, v.Z, why)
		}
	}
	return nil
}

// part recognises one connected part, or names a faulty triangle and the fault.
func (r *recogniser) part(ctx context.Context, g []int) (bad int, why string, err error) {
	if r.paired(g) {
		if s, why := r.convex(g, flat, asExact); why == "" {
			r.shapes = append(r.shapes, s)
			return 0, "", nil
		}
	}
	if r.facesUp(g) {
		r.terrain(g)
		return 0, "", nil
	}
	g, bad, ok := r.closed(g)
	if !ok {
		return bad, "has an edge that no other triangle shares the other way", nil
	}
	g = r.largestFirst(g) // planes of small triangles are the least certain
	if s, why := r.convex(g, r.tolerance, asNear); why == "" {
		r.shapes = append(r.shapes, s)
		return 0, "", nil
	}
	why, err = r.decompose(ctx, g)
	return g[0], why, err
}

// groups groups triangles that continue each other across edges. If several triangles meet at an edge, for instance of
// adjacent boxes, a triangle continues in the next triangle by rotation about the edge, through the solid, if the reverse
// holds too. Triangles without area and repeated ones become spare.
func (r *recogniser) groups(tris []int) [][]int {
	r.sort(tris)
	all := tris
	tris, r.spare = nil, nil
	for i, t := range all {
		if _, ok := r.normal(t); ok && (i == 0 || r.corners(all[i-1]) != r.corners(t)) {
			tris = append(tris, t)
		} else {
			r.spare = append(r.spare, t)
		}
	}
	edges := make(map[directed][]int32) // the triangles with each edge
	for i, t := range tris {
		c := r.corners(t)
		for k := range 3 {
			d := directed{c[k], c[(k+1)%3]}
			edges[d] = append(edges[d], int32(i))
		}
	}
	sets := unionfind.New(len(tris))
	for i, t := range tris {
		c := r.corners(t)
		for k := range 3 {
			d := directed{c[k], c[(k+1)%3]}
			if o := r.next(tris, t, d, edges[d.turned()]); o >= 0 && r.next(tris, tris[o], d.turned(), edges[d]) == int32(i) {
				sets.Union(int32(i), o)
			}
		}
	}
	place := make(map[int32]int)
	var groups [][]int
	for i, t := range tris {
		root := sets.Find(int32(i))
		g, ok := place[root]
		if !ok {
			g = len(groups)
			place[root] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], t)
	}
	return groups
}

// next returns the triangle among others in which triangle t continues across directed edge d, or -1.
func (r *recogniser) next(tris []int, t int, d directed, others []int32) int32 {
	if len(others) <= 1 {
		for _, o := range others {
			return o
		}
		return -1
	}
	n, _ := r.normal(t)
	in := r.inward(t, d)
	best, least := int32(-1), math.Inf(1)
	for _, o := range others {
		u := r.inward(tris[o], d)
		angle := math.Atan2(-dot(u, n), dot(u, in))
		if angle <= 0 {
			angle += 2 * math.Pi
		}
		if angle < least {
			best, least = o, angle
		}
	}
	return best
}

// inward returns the unit vector in a triangle that is square to its edge d, or to the same edge turned.
func (r *recogniser) inward(t int, d directed) [3]float64 {
	a, e := r.at[d.from], sub(r.at[d.to], r.at[d.from])
	var u [3]float64
	for _, v := range r.corners(t) {
		if v != d.from && v != d.to {
			u = sub(r.at[v], a)
		}
	}
	along := dot(u, e) / dot(e, e)
	for k := range u {
		u[k] -= float64(along * e[k])
	}
	length := math.Sqrt(dot(u, u))
	for k := range u {
		u[k] /= length
	}
	return u
}

// corners returns the corners of a triangle from its smallest on.
func (r *recogniser) corners(t int) [3]int32 {
	tri := &r.tris[t]
	c := [3]int32{r.same[tri.A], r.same[tri.B], r.same[tri.C]}
	for r.less(c[1], c[0]) || r.less(c[2], c[0]) {
		c = [3]int32{c[1], c[2], c[0]}
	}
	return c
}

func (r *recogniser) less(v, w int32) bool { return slices.Compare(r.at[v][:], r.at[w][:]) < 0 }

// sort orders triangles by place, independently of their order in the level.
func (r *recogniser) sort(g []int) {
	slices.SortFunc(g, func(t, u int) int {
		a, b := r.corners(t), r.corners(u)
		for k := range 3 {
			if c := slices.Compare(r.at[a[k]][:], r.at[b[k]][:]); c != 0 {
				return c
			}
		}
		return cmp.Compare(t, u)
	})
}

// largestFirst returns triangles in order of their areas.
func (r *recogniser) largestFirst(g []int) []int {
	area := make(map[int]float64, len(g))
	for _, t := range g {
		c := r.corners(t)
		n := cross(sub(r.at[c[1]], r.at[c[0]]), sub(r.at[c[2]], r.at[c[0]]))
		area[t] = dot(n, n)
	}
	out := slices.Clone(g)
	slices.SortStableFunc(out, func(t, u int) int { return cmp.Compare(area[u], area[t]) })
	return out
}

// normal returns the unit normal of a triangle; ok is false for a triangle without area.
func (r *recogniser) normal(t int) (n [3]float64, ok bool) {
	c := r.corners(t)
	a, b := sub(r.at[c[1]], r.at[c[0]]), sub(r.at[c[2]], r.at[c[0]])
	n = cross(a, b)
	length := math.Sqrt(dot(n, n))
	// Twice the area of a triangle thinner than the lattice.
	if length <= math.Sqrt(max(dot(a, a), dot(b, b))) {
		return n, false
	}
	for k := range n {
		n[k] /= length
	}
	return n, true
}

// paired reports whether every edge of some triangles has one use each way.
func (r *recogniser) paired(g []int) bool {
	count := make(map[directed]int)
	for _, t := range g {
		c := r.corners(t)
		for k := range 3 {
			count[directed{c[k], c[(k+1)%3]}]++
		}
	}
	for _, t := range g {
		c := r.corners(t)
		for k := range 3 {
			if d := (directed{c[k], c[(k+1)%3]}); count[d] != 1 || count[d.turned()] != 1 {
				return false
			}
		}
	}
	return true
}

// convex returns the solid bounded by a closed body of triangles, or the fault. A solid whose triangles all face
// inwards is taken the other way round. A corner may be off a plane by a distance in units, and triangles of a face have
// normals with a product of at least alike.
func (r *recogniser) convex(g []int, off, alike float64) (s shape, why string) {
	volume := r.volume(g)
	box := solid.EmptyBox()
	for _, t := range g {
		for _, v := range r.corners(t) {
			box = box.Union(solid.Box{Low: r.at[v], High: r.at[v]})
		}
	}
	var middle [3]float64
	for k := range middle {
		middle[k] = (box.Low[k] + box.High[k]) / 2
	}
	for _, t := range g {
		n, _ := r.normal(t)
		if volume < 0 {
			n = [3]float64{-n[0], -n[1], -n[2]}
		}
		if r.onPlanes(&s, t, n, off, alike) {
			continue
		}
		// The plane is rounded where it is nearest to the middle of the solid.
		v := r.at[r.corners(t)[0]]
		by := dot(n, sub(v, middle))
		p, ok := solid.FromFloat(n, [3]float64{middle[0] + float64(by*n[0]), middle[1] + float64(by*n[1]), middle[2] + float64(by*n[2])})
		if !ok {
			return s, "is outside of the lattice"
		}
		s.planes = append(s.planes, p)
		s.names = append(s.names, materialOf(r.lvl, r.tris[t].Material))
	}
	if len(s.planes) < 4 {
		return s, "is part of something without volume"
	}
	for _, t := range g {
		for _, v := range r.corners(t) {
			for _, p := range s.planes {
				if above(p, r.at[v]) > off {
					return s, "has a corner in front of the plane of another"
				}
			}
		}
	}
	return s, ""
}

// onPlanes reports whether a triangle is of a face that the shape has already. A face has the smallest of its
// material names.
func (r *recogniser) onPlanes(s *shape, t int, n [3]float64, off, alike float64) bool {
	c := r.corners(t)
	for k, p := range s.planes {
		along := dot(n, [3]float64{float64(p.N[0]), float64(p.N[1]), float64(p.N[2])}) / solid.NormalScale
		if along < alike || math.Abs(above(p, r.at[c[0]])) > off || math.Abs(above(p, r.at[c[1]])) > off || math.Abs(above(p, r.at[c[2]])) > off {
			continue
		}
		if m := materialOf(r.lvl, r.tris[t].Material); cmp.Or(cmp.Compare(m.name, s.names[k].name), cmp.Compare(m.index, s.names[k].index)) < 0 {
			s.names[k] = m
		}
		return true
	}
	return false
}
