package exact

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/internal/forest"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// Layers are found before the floor is moved in, when strips that nobody's centre comes to still lie over other floors:
// under the edge of a balcony, beside a stair. Of what is left some islands lie over nothing any more and can go to the
// layer beyond one of their seams, which the seam ends with. What is fused keeps the heights of where it came from.

// island is a connected island of a layer's eroded floor, and the layer it is in before and after fusing.
type island struct {
	overlay.Outline
	from, to int32
	box      lattice.Box
}

// contact is a seam between two islands and how long it is.
type contact struct {
	a, b   int32
	length float64
}

// fuse moves islands of layers to others, as long as that makes seams less and no layer lies over itself, the longest
// seams first. It returns what each layer of joint has then, nil where nothing moves.
func (e *extraction) fuse(joint []int32, a *overlay.Arrangement, in func(k int, w overlay.Winding) bool, outlines [][]overlay.Outline) [][]lattice.Ring {
	islands := islandsOf(joint, outlines)
	contacts := contactsOf(islands)
	if len(contacts) == 0 {
		return nil
	}
	over := overlapsOf(joint, a, in, islands)
	groups, area := forest.New(len(islands)), make([]int64, len(islands))
	for i := range islands {
		area[i] = islands[i].Area2()
	}
	// move takes the group of an island to a layer, and reports whether it fits there.
	move := func(group, to int32) bool {
		for i := range islands {
			if groups.Find(int32(i)) != group {
				continue
			}
			if slices.ContainsFunc(over.of(int32(i)), func(o int32) bool { return islands[o].to == to }) {
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
	shapes := make([][]lattice.Ring, len(joint))
	for i := range islands {
		k, _ := slices.BinarySearch(joint, islands[i].to)
		shapes[k] = append(shapes[k], islands[i].Rings...)
	}
	e.origins = originsByLayer(e.layers, islands)
	return shapes
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

// contactsOf lists the pairs of islands with a seam between them, the longest first.
func contactsOf(islands []island) []contact {
	type edge struct{ a, b lattice.Point }
	at := map[edge][]int32{} // looked up only
	var all []contact
	for i := range islands {
		p := &islands[i]
		for r, ring := range p.Rings {
			for k, v := range ring {
				label := p.Labels[r][k]
				if label == wall {
					continue
				}
				w := ring[(k+1)%len(ring)]
				at[edge{v, w}] = append(at[edge{v, w}], int32(i))
				for _, o := range at[edge{w, v}] {
					if islands[o].from == label {
						all = append(all, contact{min(o, int32(i)), max(o, int32(i)), v.Distance(w)})
					}
				}
			}
		}
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

// overlapsOf lists for each island those that it lies over or under, or touches a storey above or below.
func overlapsOf(joint []int32, a *overlay.Arrangement, in func(k int, w overlay.Winding) bool, islands []island) lists {
	first := make([]int, len(joint)+1) // the first island of each layer
	for k := range joint {
		first[k+1] = first[k]
		for first[k+1] < len(islands) && islands[first[k+1]].from == joint[k] {
			first[k+1]++
		}
	}
	var pairs [][2]int32
	for k := range joint {
		for m := range k {
			for _, both := range a.Polygons(func(w overlay.Winding) bool { return in(k, w) && in(m, w) }) {
				box := both.Box()
				for i := first[k]; i < first[k+1]; i++ {
					if !islands[i].covers(box, both) {
						continue
					}
					for o := first[m]; o < first[m+1]; o++ {
						if !islands[o].covers(box, both) {
							continue
						}
						pairs = append(pairs, [2]int32{int32(o), int32(i)})
					}
				}
			}
		}
	}
	return neighbours(len(islands), append(pairs, besides(islands)...))
}

// besides lists the pairs of islands of two layers that touch along an edge that is no seam between them: in one layer
// they would be one floor there, though one is a storey above the other.
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
	slices.SortFunc(pairs, func(p, q [2]int32) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	return slices.Compact(pairs)
}

// covers reports whether a polygon, whose box is given, lies in an island.
func (p *island) covers(box lattice.Box, q lattice.Polygon) bool {
	if box.Min.X < p.box.Min.X || box.Min.Y < p.box.Min.Y || box.Max.X > p.box.Max.X || box.Max.Y > p.box.Max.Y {
		return false
	}
	for _, v := range q.Rings[0] {
		if !p.Contains(v) {
			return false
		}
	}
	return true
}
