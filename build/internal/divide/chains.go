package divide

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// edge is an edge of a domain, as it is walked.
type edge struct{ from, to lattice.Point }

// onChains lists the points to add to edges of chains, by edge with the lesser end first. Looked up only.
type onChains map[edge][]lattice.Point

func (o onChains) add(a, b, p lattice.Point) {
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	o[edge{a, b}] = append(o[edge{a, b}], p)
}

// between returns the points on the way from a to b.
func (o onChains) between(a, b lattice.Point) []lattice.Point {
	key := edge{a, b}
	if b.Compare(a) < 0 {
		key = edge{b, a}
	}
	if len(o[key]) == 0 {
		return nil
	}
	list := slices.Clone(o[key])
	slices.SortFunc(list, func(p, q lattice.Point) int {
		return cmp.Or(cmp.Compare(lattice.Dot(key.from, key.to, p), lattice.Dot(key.from, key.to, q)), p.Compare(q))
	})
	list = slices.Compact(list)
	if key.from != a {
		slices.Reverse(list)
	}
	return list
}

// tag returns the chain of an edge, or wall.
func (g *Ground) tag(r, i int) int32 {
	if len(g.Edges) == 0 {
		return wall
	}
	return int32(g.Edges[r][i])
}

// bare reports whether the ground has walls only.
func (g *Ground) bare() bool {
	for _, edges := range g.Edges {
		if slices.ContainsFunc(edges, func(c plan.ChainID) bool { return c != plan.Wall }) {
			return false
		}
	}
	return true
}

// corners notes the corners of sections that lie on edges of chains, up to rounding.
func (g *Ground) corners(points onChains) {
	if len(g.Sections) == 0 || g.bare() {
		return
	}
	own := map[lattice.Point]bool{} // looked up only; a corner beside the end of a chain is no part of it
	for _, ring := range g.Rings {
		for _, p := range ring {
			own[p] = true
		}
	}
	var all []lattice.Point
	for _, s := range g.Sections {
		for _, ring := range s.Rings {
			for _, p := range ring {
				if !own[p] {
					all = append(all, p)
				}
			}
		}
	}
	g.near(all, points)
}

// near adds to points each of all that lies within a unit of an edge of a chain, under the edge.
func (g *Ground) near(all []lattice.Point, points onChains) {
	slices.SortFunc(all, lattice.Point.Compare)
	all = slices.Compact(all)
	for r := range g.Rings {
		for i, a := range g.Rings[r] {
			if g.tag(r, i) == wall {
				continue
			}
			b := g.Rings[r][(i+1)%len(g.Rings[r])]
			box := lattice.BoxOf(a, b)
			first, _ := slices.BinarySearchFunc(all, box.Min.X-1, func(p lattice.Point, x int32) int { return cmp.Compare(p.X, x) })
			for _, v := range all[first:] {
				if v.X > box.Max.X+1 {
					break
				}
				if v.Y < box.Min.Y-1 || v.Y > box.Max.Y+1 || v == a || v == b {
					continue
				}
				if lattice.SegmentDistance2(v, a, b).CompareInt(1) <= 0 {
					points.add(a, b, v)
				}
			}
		}
	}
}

// bent notes the new points through which rounding led the edges of chains.
func (g *Ground) bent(whole outline, parts []piece, points onChains) {
	lost := map[edge]bool{} // counted and looked up only
	had := map[lattice.Point]bool{}
	for r, ring := range whole.Rings {
		for i, p := range ring {
			had[p] = true
			if whole.tags[r][i] != wall {
				lost[edge{p, ring[(i+1)%len(ring)]}] = true
			}
		}
	}
	var added []lattice.Point
	for i := range parts {
		for _, ring := range parts[i].Rings {
			for k, p := range ring {
				delete(lost, edge{p, ring[(k+1)%len(ring)]})
				if !had[p] {
					added = append(added, p)
				}
			}
		}
	}
	if len(lost) == 0 {
		return
	}
	added = slices.DeleteFunc(added, func(p lattice.Point) bool {
		for e := range lost {
			if lattice.SegmentDistance2(p, e.from, e.to).CompareInt(1) <= 0 {
				return false
			}
		}
		return true
	})
	g.near(added, points)
}

// outline returns the domain with the points added to its chains.
func (g *Ground) outline(points onChains) outline {
	var o outline
	for r, ring := range g.Rings {
		var corners lattice.Ring
		var tags, heights []int32
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			tag := g.tag(r, i)
			add := func(p lattice.Point, t float64) {
				corners, tags = append(corners, p), append(tags, tag)
				if g.Heights != nil {
					from, to := g.Heights[r][i], g.Heights[r][(i+1)%len(ring)]
					heights = append(heights, from+int32(float64(t*float64(int64(to)-int64(from)))))
				}
			}
			add(a, 0)
			if tag == wall {
				continue
			}
			for _, p := range points.between(a, b) {
				add(p, a.Distance(p)/a.Distance(b))
			}
		}
		o.Rings, o.tags = append(o.Rings, corners), append(o.tags, tags)
		if g.Heights != nil {
			o.heights = append(o.heights, heights)
		}
	}
	return o
}
