package brep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lab/internal/solid"
	"github.com/meadow-nav/meadow/level"
)

// This file cuts a closed body that is not convex into convex solids.
//
// Source: H. Fuchs, Z. Kedem, B. Naylor, On visible surface generation by a priori tree structures, SIGGRAPH 1980, for the
// tree of planes; A. Jacobson, L. Kavan, O. Sorkine, Robust inside-outside segmentation using generalized winding numbers,
// SIGGRAPH 2013, for the choice of the leaves. Brand's input has convex volumes only (3.2).
//
// Idea: a body with a level bottom, and with all other faces upright or up, is a height map: each triangle that looks up is
// the top of a prism down to the bottom. Any other body is cut by planes of its own triangles until no triangle is left
// inside of a cell; cells inside of the body, by the winding number in their middle, are the solids.
//
// Input: triangles in canonical order where every edge has as many uses one way as the other.
//
// Guarantees:
//  1. Solids of a body have its volume, and a place is in a solid if and only if it is in the body, up to the tolerance:
//     TestDecompose.
//  2. All kinds of generated levels have the same floor from their files as by the exact extractor: TestFilesOfEveryKind.
//  3. Memory and time are bounded by the number of triangles: TestDecomposeIsBounded.
//
// Degenerate cases: a triangle within the tolerance of a plane counts as on the plane and is cut by nothing. A cell without
// volume on the lattice vanishes. A body that intersects itself is where its winding number is above one half.
//
// Cost: O(n) prisms for a height map. Else O(n k) for n triangles and k cells; k is O(n) where few planes of triangles cut
// others, at most n² at worst, and more than 8 a triangle are an error.

// mostTriangles bounds the triangles of a body that is cut by their planes, and mostCells the cells for each of them.
const (
	mostTriangles = 1 << 12
	mostCells     = 8
)

// closed returns the triangles of a closed body: some triangles, and spare triangles where they have open edges. ok is
// false where an edge has more uses one way than the other, and bad is then a triangle at the edge.
func (r *recogniser) closed(g []int) (body []int, bad int, ok bool) {
	count := make(map[directed]int)
	add := func(t int) {
		c := r.corners(t)
		for k := range 3 {
			count[directed{c[k], c[(k+1)%3]}]++
		}
	}
	open := func(d directed) bool { return count[d] != count[d.turned()] }
	for _, t := range g {
		add(t)
	}
	body = slices.Clone(g)
	spare := slices.Clone(r.spare)
	for found := true; found; {
		found = false
		spare = slices.DeleteFunc(spare, func(t int) bool {
			c := r.corners(t)
			needed := false
			for k := range 3 {
				d := directed{c[k], c[(k+1)%3]}
				needed = needed || count[d] < count[d.turned()]
			}
			if needed {
				found = true
				add(t)
				if _, ok := r.normal(t); ok {
					body = append(body, t)
				}
			}
			return needed
		})
	}
	for _, t := range g {
		c := r.corners(t)
		for k := range 3 {
			if open(directed{c[k], c[(k+1)%3]}) {
				return nil, t, false
			}
		}
	}
	for d := range count {
		if open(d) {
			return nil, g[0], false
		}
	}
	r.spare = spare
	return body, 0, true
}

// heightMap adds the prisms of a height map: a closed body where every triangle that looks down is on one level plane below
// all others.
func (r *recogniser) heightMap(g []int) bool {
	tol := r.tolerance
	low := math.Inf(1)
	for _, t := range g {
		for _, v := range r.corners(t) {
			low = min(low, r.at[v][2])
		}
	}
	var up []int
	for _, t := range g {
		switch n, _ := r.normal(t); {
		case n[2] > upwards:
			up = append(up, t)
		case n[2] < -upwards:
			for _, v := range r.corners(t) {
				if r.at[v][2] > low+tol {
					return false
				}
			}
		}
	}
	bottom := solid.Plane{N: [3]int32{0, 0, -solid.NormalScale}, D: -int64(math.Round(low))}
	r.prisms(up, func(solid.Plane) solid.Plane { return bottom }, false)
	return true
}

// decompose adds the convex parts of a closed body, or tells why the body has none.
func (r *recogniser) decompose(ctx context.Context, g []int) (why string, err error) {
	if r.volume(g) < 0 {
		r.turn(g) // all face inwards
	}
	if r.heightMap(g) {
		return "", nil
	}
	if len(g) > mostTriangles {
		return fmt.Sprintf("is of a closed body of %d triangles that is not convex, more than %d", len(g), mostTriangles), nil
	}
	c := cutTree{r: r, ctx: ctx, body: g, space: solid.NewSpace(), on: make(map[int32][]int)}
	parts := make([]fragment, len(g))
	box := solid.EmptyBox()
	for i, t := range g {
		parts[i].triangle = t
		for _, v := range r.corners(t) {
			parts[i].corners = append(parts[i].corners, r.at[v])
			box = box.Union(solid.Box{Low: r.at[v], High: r.at[v]})
		}
	}
	var planes []int32
	for k := range 3 {
		var n [3]int32
		n[k] = solid.NormalScale
		high := solid.Plane{N: n, D: int64(math.Ceil(box.High[k])) + 1}
		low := solid.Plane{N: n, D: int64(math.Floor(box.Low[k])) - 1}.Opposite()
		planes = append(planes, c.space.Add(high), c.space.Add(low))
	}
	whole, err := c.space.Solid(planes)
	if err != nil {
		return "is outside of the lattice", nil
	}
	switch err := c.cut(whole, parts); {
	case errors.Is(err, errManyCells):
		return fmt.Sprintf("is of a closed body of %d triangles that falls into more than %d convex solids", len(g), mostCells*len(g)), nil
	case err != nil:
		return "", err
	case len(c.found) == 0:
		return "is part of something without volume", nil
	}
	r.shapes = append(r.shapes, c.found...)
	return "", nil
}

var errManyCells = errors.New("brep: too many cells")

// turn makes triangles face the other way.
func (r *recogniser) turn(g []int) {
	for _, t := range g {
		tri := &r.tris[t]
		tri.B, tri.C = tri.C, tri.B
	}
}

// volume returns six times the volume in a closed surface, in cubic units.
func (r *recogniser) volume(g []int) float64 {
	sum := 0.0
	o := r.at[r.corners(g[0])[0]]
	for _, t := range g {
		c := r.corners(t)
		sum += dot(sub(r.at[c[0]], o), cross(sub(r.at[c[1]], o), sub(r.at[c[2]], o)))
	}
	return sum
}

// fragment is the part of a triangle in a cell.
type fragment struct {
	triangle int
	corners  [][3]float64
}

// cutTree cuts a body by the planes of its triangles.
type cutTree struct {
	r     *recogniser
	ctx   context.Context
	body  []int
	space *solid.Space
	on    map[int32][]int // of each plane, the triangles on it
	cells int
	found []shape
}

// cut cuts a cell with the fragments in it.
func (c *cutTree) cut(cell solid.Solid, parts []fragment) error {
	if err := c.ctx.Err(); err != nil {
		return fmt.Errorf("brep: %w", err)
	}
	if len(parts) == 0 {
		if c.cells++; c.cells > mostCells*len(c.body) {
			return errManyCells
		}
		c.leaf(&cell)
		return nil
	}
	plane, ok := c.splitter(parts)
	if !ok {
		// Slivers only, none with a plane.
		return c.cut(cell, nil)
	}
	id, other := c.space.Add(plane), c.space.Add(plane.Opposite())
	var behind, front []fragment
	for _, f := range parts {
		low, high := span(plane, f.corners)
		tol := c.r.tolerance
		switch {
		case low >= -tol && high <= tol:
			c.on[id] = append(c.on[id], f.triangle)
			c.on[other] = append(c.on[other], f.triangle)
		case high <= tol:
			behind = append(behind, f)
		case low >= -tol:
			front = append(front, f)
		default:
			behind = append(behind, fragment{f.triangle, clipped(plane, f.corners, 1)})
			front = append(front, fragment{f.triangle, clipped(plane, f.corners, -1)})
		}
	}
	for _, side := range [2]struct {
		plane int32
		parts []fragment
	}{{id, behind}, {other, front}} {
		planes := make([]int32, 0, len(cell.Faces)+1)
		for f := range cell.Faces {
			planes = append(planes, cell.Faces[f].Plane)
		}
		half, err := c.space.Solid(append(planes, side.plane))
		if errors.Is(err, solid.ErrNoVolume) {
			continue
		}
		if err != nil {
			return fmt.Errorf("brep: %w", err)
		}
		if err := c.cut(half, side.parts); err != nil {
			return err
		}
	}
	return nil
}

// splitter returns the plane of the fragment that cuts the fewest others, of some that are spread over all. Of equal
// planes, the more even one counts.
func (c *cutTree) splitter(parts []fragment) (best solid.Plane, ok bool) {
	const tried = 16
	least := math.Inf(1)
	step := max(1, len(parts)/tried)
	for i := 0; i < len(parts); i++ {
		if i%step != 0 && ok {
			continue
		}
		p, fine := c.plane(parts[i].triangle)
		if !fine {
			continue
		}
		// A plane that leaves its own fragment off the plane would never end.
		if low, high := span(p, parts[i].corners); low < -c.r.tolerance || high > c.r.tolerance {
			continue
		}
		cuts, balance := 0.0, 0.0
		for k := range parts {
			low, high := span(p, parts[k].corners)
			switch tol := c.r.tolerance; {
			case low < -tol && high > tol:
				cuts++
			case low < -tol:
				balance--
			case high > tol:
				balance++
			}
		}
		if score := float64(cuts*4) + math.Abs(balance); score < least {
			best, least, ok = p, score, true
		}
	}
	return best, ok
}

// plane returns the rounded plane of a triangle.
func (c *cutTree) plane(t int) (solid.Plane, bool) {
	n, ok := c.r.normal(t)
	if !ok {
		return solid.Plane{}, false
	}
	return solid.FromFloat(n, c.r.at[c.r.corners(t)[0]])
}

// leaf keeps a cell inside of the body. A face has the material of the triangle around its middle, or else of any
// triangle on its plane.
func (c *cutTree) leaf(cell *solid.Solid) {
	var middle [3]float64
	for f := range cell.Faces {
		m := cell.Faces[f].Middle()
		for k := range middle {
			middle[k] += m[k] / float64(len(cell.Faces))
		}
	}
	if c.winding(middle) <= 0.5 {
		return
	}
	var s shape
	for f := range cell.Faces {
		id := cell.Faces[f].Plane
		s.planes = append(s.planes, c.space.Plane(id))
		s.names = append(s.names, c.material(c.on[id], cell.Faces[f].Middle()))
	}
	c.found = append(c.found, s)
}

// material returns the material of the triangle of a list that is nearest to a place.
func (c *cutTree) material(list []int, at [3]float64) material {
	best, least := materialOf(c.r.lvl, level.NoMaterial), math.Inf(1)
	for _, t := range list {
		n, _ := c.r.normal(t)
		k := c.r.corners(t)
		away := 0.0
		for i := range 3 {
			from, to := c.r.at[k[i]], c.r.at[k[(i+1)%3]]
			out := cross(sub(to, from), n)
			away = max(away, dot(out, sub(at, from))/math.Sqrt(dot(out, out)))
		}
		if away < least {
			best, least = materialOf(c.r.lvl, c.r.tris[t].Material), away
		}
	}
	return best
}

// winding returns how often the body goes around a place: 1 inside and 0 outside of a body without intersections.
func (c *cutTree) winding(at [3]float64) float64 {
	sum := 0.0
	for _, t := range c.body {
		k := c.r.corners(t)
		a, b, d := sub(c.r.at[k[0]], at), sub(c.r.at[k[1]], at), sub(c.r.at[k[2]], at)
		la, lb, ld := math.Sqrt(dot(a, a)), math.Sqrt(dot(b, b)), math.Sqrt(dot(d, d))
		across := float64(la*lb*ld) + float64(dot(a, b)*ld) + float64(dot(b, d)*la) + float64(dot(d, a)*lb)
		sum += 2 * math.Atan2(dot(a, cross(b, d)), across)
	}
	return sum / (4 * math.Pi)
}

// span returns the least and the largest distance of corners in front of a plane.
func span(p solid.Plane, corners [][3]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range corners {
		d := above(p, v)
		low, high = min(low, d), max(high, d)
	}
	return low, high
}

// clipped returns the part of a polygon behind a plane for side 1, in front for -1.
func clipped(p solid.Plane, corners [][3]float64, side float64) [][3]float64 {
	var out [][3]float64
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		da, db := side*above(p, a), side*above(p, b)
		if da <= 0 {
			out = append(out, a)
		}
		if da < 0 && db > 0 || da > 0 && db < 0 {
			out = append(out, mix(a, b, da/(da-db)))
		}
	}
	return slices.Clip(out)
}
