package exact

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/floorplan/internal/soup"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lattice"
)

// link joins two triangles that one can step between, along an edge of the first or where they go through each
// other.
type link struct {
	from, to int32
	a, b     lattice.Vertex
	smooth   bool // they share the edge
}

// joint is an edge that two triangles share in the plain way: four times the number of each, and its corner at which the
// edge starts. Most links are along joints, which take a quarter of the memory.
type joint struct{ from, to int32 }

// link returns the link along a joint.
func (e *extraction) link(j joint) link {
	v := &e.soup.Triangles[j.from>>2].V
	return link{j.from >> 2, j.to >> 2, v[j.from&3], v[next3[j.from&3]], true}
}

// allLinks yields the links along joints, and then the others.
func (e *extraction) allLinks() iter.Seq[link] {
	return func(yield func(link) bool) {
		for _, j := range e.joints {
			if !yield(e.link(j)) {
				return
			}
		}
		for _, l := range e.links {
			if !yield(l) {
				return
			}
		}
	}
}

// rim is an edge of a walkable triangle that no other shares in the plain way.
type rim struct {
	triangle int32
	a, b     lattice.Vertex // the triangle is on the left
	// onto lists the floors that it continues in, and along which stretch.
	onto []step
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

// findRims lists the rims, and all pairs of triangles that an agent can step between.
func (e *extraction) findRims(ctx context.Context, jobs int) error {
	return e.findRimsAgain(ctx, jobs, &rimList{}, nil)
}

// findRimsAgain lists the rims, and all pairs of triangles that one can step between. Old rims have kept the floors beside
// them, unless there is a changed floor among these.
func (e *extraction) findRimsAgain(ctx context.Context, jobs int, old *rimList, changed *tree) error {
	s := e.soup
	// Splinters without a free part divide nothing: what is beyond them is looked for.
	edges := s.Edges(func(i int) bool {
		t := &s.Triangles[i]
		return t.Walkable && (e.exposed[i].rings != nil || !thin(&t.V))
	})
	e.joints, e.links = make([]joint, 0, len(edges)/2), e.links[:0]
	corners := make([]uint8, len(s.Triangles)) // those at which rims start, a bit for each
	n := 0
	for group := range soup.SameEdge(edges) {
		if len(group) == 2 && group[0].Reversed != group[1].Reversed {
			half := func(h soup.HalfEdge) int32 { return int32(4*h.Triangle + uint32(h.Corner)) }
			e.joints = append(e.joints, joint{half(group[0]), half(group[1])})
			continue
		}
		for _, h := range group {
			corners[h.Triangle] |= 1 << h.Corner
		}
		n += len(group)
	}
	e.listRims(corners, n)
	const chunk = 32
	memory := sync.Pool{New: func() any { return new(follower) }}
	err := par.For(ctx, jobs, (len(e.floors.nodes)+chunk-1)/chunk, func(c int) error {
		f := memory.Get().(*follower)
		defer memory.Put(f)
		for k := c * chunk; k < min(len(e.floors.nodes), (c+1)*chunk); k++ {
			if leaf := &e.floors.nodes[k]; leaf.first < leaf.last {
				e.followAll(leaf, f, old, changed)
			}
		}
		return nil
	})
	for i := range e.rims {
		r := &e.rims[i]
		for _, o := range r.onto {
			e.links = append(e.links, link{r.triangle, o.triangle, r.at(o.from), r.at(o.to), false})
		}
	}
	for i := range e.exposed {
		e.links = append(e.links, e.exposed[i].through...)
	}
	return err
}

// keeps copies to a rim what an old list knows of the rim, and reports whether the list knows the rim.
func (l *rimList) keeps(r *rim) bool {
	if int(r.triangle)+1 >= len(l.first) {
		return false
	}
	own := l.rims[l.first[r.triangle]:l.first[r.triangle+1]]
	for k := range own {
		if own[k].a == r.a {
			*r = own[k]
			return true
		}
	}
	return false
}

// listRims lists n rims by their triangles, those of each by where they start.
func (e *extraction) listRims(corners []uint8, n int) {
	e.rims, e.firstRim = make([]rim, 0, n), make([]int32, len(corners)+1)
	for i, some := range corners {
		v := &e.soup.Triangles[i].V
		for k := range v {
			if some>>k&1 != 0 {
				e.rims = append(e.rims, rim{triangle: int32(i), a: v[k], b: v[(k+1)%3]})
			}
		}
		own := e.rims[e.firstRim[i]:]
		slices.SortFunc(own, func(r, o rim) int { return cmp.Or(r.a.Compare(o.a.Point), cmp.Compare(r.a.Z, o.a.Z)) })
		e.firstRim[i+1] = int32(len(e.rims))
	}
}

// rimsOf returns the rims of a triangle.
func (e *extraction) rimsOf(t int32) []rim { return e.rims[e.firstRim[t]:e.firstRim[t+1]] }

// thin reports whether a triangle is nowhere wider than what one looks over beyond an edge.
func thin(v *[3]lattice.Vertex) bool {
	longest := max(v[0].Distance(v[1].Point), v[1].Distance(v[2].Point), v[2].Distance(v[0].Point))
	return float64(lattice.Orient(v[0].Point, v[1].Point, v[2].Point)) <= outward*longest
}

// stretch is a part of an edge, from 0 to 1.
type stretch struct{ from, to float64 }

func (s stretch) compare(o stretch) int {
	return cmp.Or(cmp.Compare(s.from, o.from), cmp.Compare(s.to, o.to))
}

// step is a floor that an edge continues in along a stretch.
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

// rises reports whether a floor beyond a stretch becomes one to step on at an end of it, within a tolerance.
func (r *rim) rises(s stretch, tolerance float64) bool {
	return slices.ContainsFunc(r.beyond, func(b step) bool {
		return b.from < s.to && s.from < b.to && slices.ContainsFunc(r.onto, func(o step) bool {
			return o.triangle == b.triangle && (math.Abs(o.to-s.from) < tolerance || math.Abs(o.from-s.to) < tolerance)
		})
	})
}

// ledges returns the stretches of r, as pairs of points, along which a drop or a wall divides its floor from a floor
// beyond. Only the floors that here accepts count: a step onto another floor joins the edge to none of the floors
// here. A stretch between two joined floors, no longer than a gap, is the end of a crack, unless the floor in the
// stretch is one of the two.
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
	slices.SortFunc(divided, stretch.compare)
	n := 0
	for _, d := range divided {
		if n > 0 && d.from <= divided[n-1].to {
			divided[n-1].to = max(divided[n-1].to, d.to)
			continue
		}
		divided[n] = d
		n++
	}
	// Where triangles meet in a corner the ends of what they say differ by rounding: a ledge shorter
	// than a few units is none.
	var out [][2]lattice.Point
	length := r.a.Distance(r.b.Point)
	for _, s := range without(divided[:n], joined, outward/length) {
		before := slices.ContainsFunc(joined, func(j stretch) bool { return j.to == s.from })
		behind := slices.ContainsFunc(joined, func(j stretch) bool { return j.from == s.to })
		if before && behind && (s.to-s.from)*length <= gap && !r.rises(s, touching/length) {
			continue
		}
		out = append(out, [2]lattice.Point{r.at(s.from).Point, r.at(s.to).Point})
	}
	return out
}

// without returns what of stretches is in none of others, which are in order, and longer than least.
func without(stretches, others []stretch, least float64) []stretch {
	var out []stretch
	for _, s := range stretches {
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
	}
	return out
}
