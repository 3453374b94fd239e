package exact

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/soup"
)

// link joins two triangles with a step between, along an edge of the first or where the two go through each other.
type link struct {
	from, to int32
	a, b     lattice.Vertex
	smooth   bool // they share the edge
	through  bool // they go through each other; else the first is on the left of the way from a to b
}

// joint is an edge that only two triangles share, in opposite directions. Either field is four times the triangle's
// number, plus the corner where the edge starts. Most links are along joints, which take a quarter of the memory.
type joint struct{ from, to int32 }

// link returns the link along a joint.
func (e *extraction) link(j joint) link {
	v := &e.soup.Triangles[j.from>>2].V
	return link{j.from >> 2, j.to >> 2, v[j.from&3], v[next3[j.from&3]], true, false}
}

// allLinks yields the links along joints, then the links over rims, and then those where triangles go through each other.
func (e *extraction) allLinks() iter.Seq[link] {
	return func(yield func(link) bool) {
		for _, j := range e.joints {
			if !yield(e.link(j)) {
				return
			}
		}
		for i := range e.rims {
			r := &e.rims[i]
			for _, o := range r.joined {
				if o.triangle != unassigned && !yield(link{r.triangle, o.triangle, r.at(o.from), r.at(o.to), false, false}) {
					return
				}
			}
		}
		for _, l := range e.through {
			if !yield(l) {
				return
			}
		}
	}
}

// rim is an edge of a walkable triangle without a joint.
type rim struct {
	triangle int32
	known    bool           // it was followed
	a, b     lattice.Vertex // the triangle is on the left
	// beyond lists the floors over or under the other side. joined lists the stretches along which the edge divides
	// nothing: the agent steps onto a floor beyond, or another floor covers the edge (triangle unassigned).
	beyond []step
	joined []step
}

// rimList lists rims, and the first one of each triangle.
type rimList struct {
	rims  []rim
	first []int32
}

// change is the difference to the last search for rims: the first new triangle, and the old floors that new floors hide in part
// or altogether.
type change struct {
	first  int32
	hidden []int32
}

// findRims lists the rims, and all pairs of triangles with a step between.
func (e *extraction) findRims(ctx context.Context, jobs int) error {
	return e.findRimsAgain(ctx, jobs, &rimList{}, &change{})
}

// findRimsAgain lists the rims, and all pairs of triangles with a step between. Old rims and joints stay where no
// change touches them.
func (e *extraction) findRimsAgain(ctx context.Context, jobs int, old *rimList, c *change) error {
	corners := e.matchEdges(old, c)
	e.listRims(corners, old)
	var boxes []box3
	if len(old.rims) > 0 {
		for _, t := range c.hidden {
			boxes = append(boxes, *e.box(t))
		}
		for t := int(c.first); t < len(e.soup.Triangles); t++ {
			boxes = append(boxes, *e.box(int32(t)))
		}
	}
	changed := boxtree.New(boxes, nil)
	const chunk = 16
	leaves := e.floors.Leaves()
	search := searches.Add(1)
	err := par.For(ctx, jobs, (len(leaves)+chunk-1)/chunk, func(k int) error {
		f := followers.Get().(*follower)
		defer followers.Put(f)
		f.begin(search)
		for i := k * chunk; i < min(len(leaves), (k+1)*chunk); i++ {
			e.followAll(&leaves[i], f, changed)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return e.findThrough(ctx, jobs, search, c)
}

// findThrough lists the links along which triangles go through each other, in the order of the triangles. Links between floors that no change
// touches stay.
func (e *extraction) findThrough(ctx context.Context, jobs int, search int64, c *change) error {
	old := e.through
	changed := make([]bool, len(e.exposed))
	for _, t := range c.hidden {
		changed[t] = true
	}
	for t := int(c.first); t < len(changed); t++ {
		changed[t] = true
	}
	const chunk = 1024
	found := make([][]link, (len(e.exposed)+chunk-1)/chunk)
	err := par.For(ctx, jobs, len(found), func(k int) error {
		f := followers.Get().(*follower)
		defer followers.Put(f)
		f.begin(search)
		var links []link
		for i := k * chunk; i < min(len(e.exposed), (k+1)*chunk); i++ {
			through := e.exposed[i].through
			if !changed[i] && !slices.ContainsFunc(through, func(l link) bool { return changed[l.to] }) {
				first, _ := slices.BinarySearchFunc(old, int32(i), func(l link, t int32) int { return cmp.Compare(l.from, t) })
				for ; first < len(old) && old[first].from == int32(i); first++ {
					links = append(links, old[first])
				}
				continue
			}
			for j := range through {
				links = e.appendShown(links, &through[j], f)
			}
		}
		found[k] = links
		return nil
	})
	e.through = slices.Concat(found...)
	return err
}

// matchEdges finds the joints, and returns the corners of each triangle where rims start, a bit for each. An edge stays
// a joint or a rim unless a new floor or a hidden splinter has the edge.
func (e *extraction) matchEdges(old *rimList, c *change) []uint8 {
	s := e.soup
	corners := make([]uint8, len(s.Triangles))
	for i := range old.rims {
		t := old.rims[i].triangle
		corners[t] |= 1 << slices.Index(s.Triangles[t].V[:], old.rims[i].a)
	}
	// A hidden splinter divides nothing: its neighbours look for the floors beyond the splinter.
	gone := make(map[int32]bool) // looked up only
	for _, t := range c.hidden {
		if !e.shows(t) && thin(&s.Triangles[t].V) {
			gone[t], corners[t] = true, 0
		}
	}
	of := func(j joint) (from, to uint8) { return 1 << (j.from & 3), 1 << (j.to & 3) }
	if len(gone) > 0 {
		e.joints = slices.DeleteFunc(e.joints, func(j joint) bool {
			s, t := j.from>>2, j.to>>2
			if !gone[s] && !gone[t] {
				return false
			}
			from, to := of(j)
			if !gone[s] {
				corners[s] |= from
			}
			if !gone[t] {
				corners[t] |= to
			}
			return true
		})
	}
	// A triangle with an edge of a new floor has two vertices of new floors. A hidden splinter may show again, because
	// more covers round differently: the splinter then counts as new.
	ends := make([]bool, s.Vertices)
	isNew := func(i int32) {
		for _, v := range s.Triangles[i].ID {
			ends[v] = true
		}
	}
	for _, t := range c.hidden {
		if e.shows(t) && thin(&s.Triangles[t].V) {
			corners[t] = 7
			isNew(t)
		}
	}
	for i := c.first; int(i) < len(s.Triangles); i++ {
		isNew(i)
	}
	edges := s.Edges(func(i int) bool {
		t := &s.Triangles[i]
		if i < int(c.first) {
			if !(corners[i] != 0 || ends[t.ID[0]] && ends[t.ID[1]] || ends[t.ID[1]] && ends[t.ID[2]] || ends[t.ID[2]] && ends[t.ID[0]]) {
				return false
			}
		}
		return t.Walkable && (e.shows(int32(i)) || !thin(&t.V))
	})
	joined := make([]joint, 0, len(edges)/2)
	broken := make(map[int32]bool) // where joints start, looked up only
	for group := range soup.SameEdge(edges) {
		if !slices.ContainsFunc(group, func(h soup.HalfEdge) bool {
			return int32(h.Triangle) >= c.first || corners[h.Triangle]>>h.Corner&1 != 0
		}) {
			continue
		}
		half := func(h soup.HalfEdge) int32 { return int32(4*h.Triangle + uint32(h.Corner)) }
		for _, h := range group {
			if int32(h.Triangle) < c.first {
				broken[half(h)] = true // a joint so far, perhaps
			}
		}
		joins := len(group) == 2 && group[0].Reversed != group[1].Reversed
		if joins {
			joined = append(joined, joint{half(group[0]), half(group[1])})
		}
		for _, h := range group {
			corners[h.Triangle] &^= 1 << h.Corner
			if !joins {
				corners[h.Triangle] |= 1 << h.Corner
			}
		}
	}
	if len(broken) > 0 {
		e.joints = slices.DeleteFunc(e.joints, func(j joint) bool { return broken[j.from] })
	}
	e.joints = append(e.joints, joined...)
	return corners
}

// listRims lists the rims by triangle, and the rims of a triangle by start. A rim of the old list keeps its floors.
func (e *extraction) listRims(corners []uint8, old *rimList) {
	n := 0
	for _, some := range corners {
		n += bits.OnesCount8(some)
	}
	e.rims, e.firstRim = make([]rim, 0, n), make([]int32, len(corners)+1)
	for i, some := range corners {
		v := &e.soup.Triangles[i].V
		first := len(e.rims)
		for k := range v {
			if some>>k&1 == 0 {
				continue
			}
			r := rim{triangle: int32(i), a: v[k], b: v[next3[k]]}
			if i+1 < len(old.first) {
				for _, o := range old.rims[old.first[i]:old.first[i+1]] {
					if o.a == r.a {
						r = o
					}
				}
			}
			e.rims = append(e.rims, r)
		}
		if own := e.rims[first:]; len(own) > 1 {
			slices.SortFunc(own, func(r, o rim) int { return cmp.Or(r.a.Compare(o.a.Point), cmp.Compare(r.a.Z, o.a.Z)) })
		}
		e.firstRim[i+1] = int32(len(e.rims))
	}
}

// rimsOf returns the rims of a triangle.
func (e *extraction) rimsOf(t int32) []rim { return e.rims[e.firstRim[t]:e.firstRim[t+1]] }

// thin reports whether a triangle is nowhere wider than hairs, the reach of a look across.
func thin(v *[3]lattice.Vertex) bool { return slim(v, hairs) }

// slim reports whether a triangle is nowhere wider than some units.
func slim(v *[3]lattice.Vertex, width float64) bool {
	longest := max(v[0].Distance(v[1].Point), v[1].Distance(v[2].Point), v[2].Distance(v[0].Point))
	return float64(lattice.Orient(v[0].Point, v[1].Point, v[2].Point)) <= width*longest
}

// stretch is a part of an edge, from 0 to 1.
type stretch struct{ from, to float64 }

func (s stretch) compare(o stretch) int {
	return cmp.Or(cmp.Compare(s.from, o.from), cmp.Compare(s.to, o.to))
}

// step is a floor that continues an edge along a stretch.
type step struct {
	triangle int32
	stretch
}

// stretchesOf returns the stretches of steps, in their order.
func stretchesOf(steps []step) []stretch {
	out := make([]stretch, len(steps))
	for i := range steps {
		out[i] = steps[i].stretch
	}
	return out
}

// at returns a point of the edge.
func (r *rim) at(t float64) lattice.Vertex {
	t = min(max(t, 0), 1)
	dx, dy := r.b.Sub(r.a.Point)
	dz := float64(r.b.Z) - float64(r.a.Z)
	return lattice.Vertex{
		Point: lattice.Point{X: rounded(float64(r.a.X) + float64(t*float64(dx))), Y: rounded(float64(r.a.Y) + float64(t*float64(dy)))},
		Z:     rounded(float64(r.a.Z) + float64(t*dz)),
	}
}

// rises reports whether the agent steps on a floor beyond a stretch at an end of the stretch, within a tolerance.
func (r *rim) rises(s stretch, tolerance float64) bool {
	return slices.ContainsFunc(r.beyond, func(b step) bool {
		return b.from < s.to && s.from < b.to && slices.ContainsFunc(r.joined, func(o step) bool {
			return o.triangle == b.triangle && (math.Abs(o.to-s.from) < tolerance || math.Abs(o.from-s.to) < tolerance)
		})
	})
}

// ledges returns the stretches of r, as pairs of points, where a drop or a wall divides r's floor from a floor beyond.
// Only floors that here accepts count: a step onto another floor joins the edge to none of the floors here. A stretch
// between two joined floors, no longer than a gap, is the end of a crack, unless its floor is one of the two.
func (r *rim) ledges(gap float64, here func(triangle int32) bool) [][2]lattice.Point {
	var divided, joined []stretch
	for _, b := range r.beyond {
		if here(b.triangle) {
			divided = append(divided, b.stretch)
		}
	}
	if divided == nil {
		return nil
	}
	for _, j := range r.joined {
		if j.triangle == unassigned || here(j.triangle) {
			joined = append(joined, j.stretch)
		}
	}
	// Where triangles meet in a corner, the ends of their stretches differ by rounding: a ledge shorter than a few
	// units is none.
	var out [][2]lattice.Point
	length := r.a.Distance(r.b.Point)
	for _, s := range without(merged(divided), joined, outward/length) {
		before := slices.ContainsFunc(joined, func(j stretch) bool { return j.to == s.from })
		behind := slices.ContainsFunc(joined, func(j stretch) bool { return j.from == s.to })
		if before && behind && (s.to-s.from)*length <= gap && !r.rises(s, touching/length) {
			continue
		}
		out = append(out, [2]lattice.Point{r.at(s.from).Point, r.at(s.to).Point})
	}
	return out
}

// without returns the parts of stretches outside of others and longer than least. The others are in order.
func without(stretches, others []stretch, least float64) []stretch {
	var out []stretch
	for _, s := range stretches {
		out = appendWithout(out, s, others, least)
	}
	return out
}

// merged sorts stretches, and unites stretches that overlap.
func merged(stretches []stretch) []stretch {
	slices.SortFunc(stretches, stretch.compare)
	out := stretches[:0]
	for _, s := range stretches {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// appendWithout appends the parts of a stretch outside of others and longer than least. The others are in order.
func appendWithout(out []stretch, s stretch, others []stretch, least float64) []stretch {
	from := s.from
	for _, o := range others {
		if o.to <= from {
			continue
		}
		if o.from >= s.to {
			break
		}
		if o.from > from+least {
			out = append(out, stretch{from, o.from})
		}
		from = max(from, o.to)
	}
	if s.to > from+least {
		out = append(out, stretch{from, s.to})
	}
	return out
}
