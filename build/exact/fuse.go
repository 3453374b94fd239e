package exact

import (
	"cmp"
	"context"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// Layers are found before the floor is moved in. Strips that no agent's centre reaches still lie over other floors
// then: under the edge of a balcony, beside a stair. After erosion some islands lie over nothing any more. Such an
// island can go to the layer beyond a seam, and the seam ends. Fused islands keep the heights of their former layers.

// island is a connected island of a layer's eroded floor, with its layers before and after fusing.
type island struct {
	overlay.Outline
	from, to int32
	box      lattice.Box
}

// contact is a pair of islands with a seam between them, and the length of the seam.
type contact struct {
	a, b   int32
	length float64
}

// fuse moves islands to other layers, as long as seams vanish and no layer lies over itself, the longest seams first.
// Joined islands become one outline. Edges of all outlines must meet in vertices of a, whose input k is layer joint[k].
func (e *extraction) fuse(ctx context.Context, jobs int, joint []int32, a *overlay.Arrangement, outlines [][]overlay.Outline) error {
	splitSeams(areasOf(joint, outlines))
	islands := islandsOf(joint, outlines)
	borders := bordersOf(islands)
	contacts := contactsOf(borders)
	if len(contacts) == 0 {
		return nil
	}
	over, err := overlapsOf(ctx, jobs, joint, a, islands, borders)
	if err != nil {
		return err
	}
	groups, area := unionfind.New(len(islands)), make([]int64, len(islands))
	for i := range islands {
		area[i] = islands[i].Area2()
	}
	// move takes a group of islands to a layer, and reports whether the group fits.
	move := func(group, to int32) bool {
		for i := range islands {
			if groups.Find(int32(i)) != group {
				continue
			}
			if slices.ContainsFunc(over.Of(int32(i)), func(o int32) bool { return islands[o].to == to }) {
				return false
			}
		}
		for i := range islands {
			if groups.Find(int32(i)) == group {
				islands[i].to = to
			}
		}
		return true
	}
	moved := false
	for again := true; again; {
		again = false
		for _, c := range contacts {
			p, q := groups.Find(c.a), groups.Find(c.b)
			if p == q {
				continue
			}
			if area[p] > area[q] {
				p, q = q, p
			}
			if !move(p, islands[q].to) && !move(q, islands[p].to) {
				continue
			}
			moved, again = true, true
			total := area[p] + area[q]
			groups.Union(p, q)
			area[groups.Find(p)] = total
		}
	}
	if !moved {
		return nil
	}
	e.origins = originsByLayer(e.layers, islands)
	return joinIslands(joint, islands, borders, groups, outlines)
}

// joinIslands makes the outlines of layers from islands, and unites the islands of a group.
func joinIslands(joint []int32, islands []island, borders []border, groups unionfind.Forest, outlines [][]overlay.Outline) error {
	for _, b := range borders {
		islands[b.island].Labels[b.ring][b.edge] = islands[b.beyond].to
	}
	for _, l := range joint {
		outlines[l] = outlines[l][:0:0]
	}
	members := grouped(len(islands), len(islands), func(i int32) int32 { return groups.Find(i) })
	for g := range islands {
		group := members.Of(int32(g))
		switch len(group) {
		case 0:
			continue
		case 1:
			p := &islands[group[0]]
			outlines[p.to] = append(outlines[p.to], p.Outline)
			continue
		}
		var rings []lattice.Ring
		var seams seamLabels
		for _, i := range group {
			rings = append(rings, islands[i].Rings...)
			seams.add(&islands[i].Outline)
		}
		a, err := overlay.Arrange(rings)
		if err != nil {
			return err
		}
		to := islands[group[0]].to
		outlines[to] = append(outlines[to], a.Outlines(overlay.Positive(0), func(from, to lattice.Point, _ overlay.Winding) int32 { return seams.at(from, to) })...)
		a.Release()
	}
	for _, l := range joint {
		slices.SortStableFunc(outlines[l], func(p, q overlay.Outline) int { return p.Rings[0][0].Compare(q.Rings[0][0]) })
	}
	return nil
}

// seamLabels are edges, each with the layer beyond.
type seamLabels struct {
	edges  [][2]lattice.Point
	labels []int32
}

func (s *seamLabels) add(o *overlay.Outline) {
	for r, ring := range o.Rings {
		for k, v := range ring {
			if label := o.Labels[r][k]; label != wall {
				s.edges, s.labels = append(s.edges, [2]lattice.Point{v, ring[(k+1)%len(ring)]}), append(s.labels, label)
			}
		}
	}
}

// at returns the label of the edge that contains the segment in the same direction, or wall.
func (s *seamLabels) at(from, to lattice.Point) int32 {
	for i, e := range s.edges {
		if lattice.OnSegment(from, e[0], e[1]) && lattice.OnSegment(to, e[0], e[1]) && e[0].Distance2(from) < e[0].Distance2(to) {
			return s.labels[i]
		}
	}
	return wall
}

func islandsOf(joint []int32, outlines [][]overlay.Outline) []island {
	var islands []island
	for _, l := range joint {
		for _, o := range outlines[l] {
			islands = append(islands, island{Outline: o, from: l, to: l, box: o.Box()})
		}
	}
	return islands
}

// border is an edge of an island along a seam: its place in the outline, its length, and the island beyond.
type border struct {
	island, ring, edge int32
	beyond             int32
	length             float64
}

func bordersOf(islands []island) []border {
	type edge struct{ a, b lattice.Point }
	at := map[edge][]int32{} // looked up only
	var all []border
	for i := range islands {
		p := &islands[i]
		for r, ring := range p.Rings {
			for k, v := range ring {
				if p.Labels[r][k] != wall {
					w := ring[(k+1)%len(ring)]
					at[edge{v, w}] = append(at[edge{v, w}], int32(i))
					all = append(all, border{int32(i), int32(r), int32(k), unassigned, v.Distance(w)})
				}
			}
		}
	}
	found := all[:0]
	for _, b := range all {
		ring, label := islands[b.island].Rings[b.ring], islands[b.island].Labels[b.ring][b.edge]
		for _, o := range at[edge{ring[(int(b.edge)+1)%len(ring)], ring[b.edge]}] {
			if islands[o].from == label {
				b.beyond = o
			}
		}
		if b.beyond != unassigned {
			found = append(found, b)
		}
	}
	return found
}

// contactsOf lists the pairs of islands with common borders, the longest borders first.
func contactsOf(borders []border) []contact {
	var all []contact
	for _, b := range borders {
		all = append(all, contact{min(b.island, b.beyond), max(b.island, b.beyond), b.length})
	}
	slices.SortFunc(all, func(c, d contact) int {
		return cmp.Or(cmp.Compare(c.a, d.a), cmp.Compare(c.b, d.b), cmp.Compare(c.length, d.length))
	})
	n := 0
	for _, c := range all {
		if n > 0 && all[n-1].a == c.a && all[n-1].b == c.b {
			all[n-1].length += c.length
			continue
		}
		all[n] = c
		n++
	}
	all = all[:n]
	slices.SortStableFunc(all, func(c, d contact) int { return cmp.Compare(d.length, c.length) })
	return all
}

// overlapsOf lists for each island the islands over or under the island, and touching islands a storey above or below.
func overlapsOf(ctx context.Context, jobs int, joint []int32, a *overlay.Arrangement, islands []island, borders []border) (lists, error) {
	first := make([]int, len(joint)+1) // the first island of each layer
	for k := range joint {
		first[k+1] = first[k]
		for first[k+1] < len(islands) && islands[first[k+1]].from == joint[k] {
			first[k+1]++
		}
	}
	pairs := a.Pairs(len(joint))
	found := make([][][2]int32, len(pairs), len(pairs)+2)
	err := par.For(ctx, jobs, len(pairs), func(p int) error {
		m, k := pairs[p].K, pairs[p].M
		for _, both := range a.Common(pairs[p], func(w overlay.Winding) bool { return w[k] > 0 && w[m] > 0 }) {
			i, o := holder(islands, first[k], first[k+1], both), holder(islands, first[m], first[m+1], both)
			found[p] = append(found[p], [2]int32{o, i})
		}
		return nil
	})
	all := slices.Concat(append(found, besides(islands), corners(islands, borders))...)
	return neighbours(len(islands), all), err
}

// besides lists the pairs of islands of two layers that touch along an edge without a seam. In one layer the two
// islands would be a single floor at the edge, though a storey apart.
func besides(islands []island) [][2]int32 {
	type line struct{ dx, dy, offset int64 } // all points with x*dy - y*dx = offset
	type stretch struct {
		line
		from, to, label int32 // along the line
		island          int32
		back            bool // the edge runs against the line
	}
	var all []stretch
	for i := range islands {
		p := &islands[i]
		for r, ring := range p.Rings {
			for k, v := range ring {
				w := ring[(k+1)%len(ring)]
				a, b := v, w
				if b.Compare(a) < 0 {
					a, b = b, a
				}
				dx, dy := b.Sub(a)
				n := lattice.GCD(dx, dy)
				dx, dy = dx/n, dy/n
				s := stretch{line{dx, dy, int64(a.X)*dy - int64(a.Y)*dx}, a.X, b.X, p.Labels[r][k], int32(i), a != v}
				if dx == 0 {
					s.from, s.to = a.Y, b.Y
				}
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(s, t stretch) int {
		return cmp.Or(cmp.Compare(s.dx, t.dx), cmp.Compare(s.dy, t.dy), cmp.Compare(s.offset, t.offset), cmp.Compare(s.from, t.from), cmp.Compare(s.island, t.island))
	})
	var pairs [][2]int32
	for i, s := range all {
		for _, t := range all[i+1:] {
			if t.line != s.line || t.from >= s.to {
				break
			}
			p, q := islands[s.island].from, islands[t.island].from
			if s.back != t.back && p != q && (s.label != q || t.label != p) {
				pairs = append(pairs, [2]int32{min(s.island, t.island), max(s.island, t.island)})
			}
		}
	}
	slices.SortFunc(pairs, comparePairs)
	return slices.Compact(pairs)
}

// corners lists the pairs of islands of two layers with a corner of one beside the other, away from seams between the
// two. One layer would make a single floor of the two storeys at the corner.
func corners(islands []island, borders []border) [][2]int32 {
	type corner struct {
		at     lattice.Point
		island int32
	}
	var all []corner
	var boxes, seams []box3
	for i := range islands {
		for _, ring := range islands[i].Rings {
			for _, v := range ring {
				all = append(all, corner{v, int32(i)})
				boxes = append(boxes, boxOf(lattice.Vertex{Point: v}))
			}
		}
	}
	ends := func(b *border) (v, w lattice.Point) {
		ring := islands[b.island].Rings[b.ring]
		return ring[b.edge], ring[(int(b.edge)+1)%len(ring)]
	}
	for i := range borders {
		v, w := ends(&borders[i])
		seams = append(seams, boxOf(lattice.Vertex{Point: v}, lattice.Vertex{Point: w}))
	}
	tree, seamTree := boxtree.New(boxes, nil), boxtree.New(seams, nil)
	// joined reports whether a place is near a seam between two islands, where both are of the same storey.
	joined := func(p lattice.Point, i, o int32) bool {
		return seamTree.Any(around3(p, beyondLink), func(k int32) bool {
			b := &borders[k]
			if b.island != i || b.beyond != o {
				return false
			}
			v, w := ends(b)
			return lattice.SegmentDistance2(p, v, w).CompareInt(beyondLink*beyondLink) <= 0
		})
	}
	found := map[[2]int32]bool{}
	var pairs [][2]int32
	var near []item
	for i := range islands {
		for _, ring := range islands[i].Rings {
			for k, v := range ring {
				w := ring[(k+1)%len(ring)]
				box := boxOf(lattice.Vertex{Point: v}, lattice.Vertex{Point: w}).Grown(besideStorey)
				near = tree.Search(&box, near[:0])
				for _, n := range near {
					c := &all[n.ID]
					pair := [2]int32{min(int32(i), c.island), max(int32(i), c.island)}
					if islands[c.island].from == islands[i].from || found[pair] ||
						lattice.SegmentDistance2(c.at, v, w).CompareInt(besideStorey*besideStorey) > 0 || joined(c.at, int32(i), c.island) {
						continue
					}
					found[pair] = true
					pairs = append(pairs, pair)
				}
			}
		}
	}
	slices.SortFunc(pairs, comparePairs)
	return pairs
}

// holder returns the island that contains a part of a layer, given the layer's islands from first to end.
func holder(islands []island, first, end int, part lattice.Polygon) int32 {
	box, found := part.Box(), int32(unassigned)
	for i := first; i < end; i++ {
		if b := &islands[i].box; !b.Contains(box.Min) || !b.Contains(box.Max) {
			continue
		}
		// One of the islands contains the part, so the last candidate needs no test.
		if found != unassigned && islands[found].covers(part) {
			break
		}
		found = int32(i)
	}
	return found
}

// covers reports whether a polygon lies in an island.
func (p *island) covers(q lattice.Polygon) bool {
	return !slices.ContainsFunc(q.Rings[0], func(v lattice.Point) bool { return !p.Contains(v) })
}
