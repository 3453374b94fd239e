package exact

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// seam is a run of common edges of two areas. Area left follows the points in order, area right in reverse.
type seam struct {
	points      []lattice.Point
	left, right int32 // areas
}

// matchSeams joins the common edges of areas of two layers into seams. The labels of common edges become seam numbers,
// all others become wall.
func matchSeams(areas []area) []seam {
	splitSeams(areas)
	type edge struct{ a, b lattice.Point }
	type side struct{ area, ring, index int32 }
	at := map[edge][]side{} // looked up only
	for i := range areas {
		for r, labels := range areas[i].Labels {
			ring := areas[i].Rings[r]
			for k, l := range labels {
				if l != wall {
					e := edge{ring[k], ring[(k+1)%len(ring)]}
					at[e] = append(at[e], side{int32(i), int32(r), int32(k)})
				}
			}
		}
	}
	// partner returns the other side of an edge: the reversed edge, on the border of the layer beyond with the layer of
	// this side.
	partner := func(s side) (side, bool) {
		a := &areas[s.area]
		ring, label := a.Rings[s.ring], a.Labels[s.ring][s.index]
		if label == wall {
			return side{}, false
		}
		for _, o := range at[edge{ring[(int(s.index)+1)%len(ring)], ring[s.index]}] {
			if b := &areas[o.area]; b.layer == label && b.Labels[o.ring][o.index] == a.layer {
				return o, true
			}
		}
		return side{}, false
	}
	var seams []seam
	type mark struct {
		side
		seam int32
	}
	var marks []mark
	for i := range areas {
		a := &areas[i]
		for r, labels := range a.Labels {
			n := len(labels)
			others := make([]int32, n) // the area beyond each edge, for edges that this side numbers
			partners := make([]side, n)
			for k := range labels {
				others[k] = -1
				if p, ok := partner(side{int32(i), int32(r), int32(k)}); ok && a.layer < areas[p.area].layer {
					others[k], partners[k] = p.area, p
				}
			}
			start := 0
			for start < n && n > 0 && others[start] >= 0 && others[start] == others[(start+n-1)%n] {
				start++
			}
			start %= n // a ring that is one seam all around is cut at its first point
			for d := 0; d < n; {
				k := (start + d) % n
				if others[k] < 0 {
					d++
					continue
				}
				s := seam{points: []lattice.Point{a.Rings[r][k]}, left: int32(i), right: others[k]}
				id := int32(len(seams))
				for ; d < n && others[(start+d)%n] == s.right; d++ {
					j := (start + d) % n
					s.points = append(s.points, a.Rings[r][(j+1)%n])
					marks = append(marks, mark{side{int32(i), int32(r), int32(j)}, id}, mark{partners[j], id})
				}
				seams = append(seams, s)
			}
		}
	}
	for i := range areas {
		for _, labels := range areas[i].Labels {
			for k := range labels {
				labels[k] = int32(plan.Wall)
			}
		}
	}
	for _, m := range marks {
		areas[m.area].Labels[m.ring][m.index] = m.seam
	}
	return seams
}

// splitSeams adds to each edge between layers the corners of other seam edges that lie on the edge. Where a border runs
// straight on and the border of another layer turns, only the latter has a corner.
func splitSeams(areas []area) {
	var corners []lattice.Point
	for i := range areas {
		for r, labels := range areas[i].Labels {
			ring := areas[i].Rings[r]
			for k, l := range labels {
				if l != wall {
					corners = append(corners, ring[k], ring[(k+1)%len(ring)])
				}
			}
		}
	}
	slices.SortFunc(corners, lattice.Point.Compare)
	corners = slices.Compact(corners)
	if len(corners) == 0 {
		return
	}
	boxes := make([]box3, len(corners))
	for i, p := range corners {
		boxes[i] = boxOf(lattice.Vertex{Point: p})
	}
	tree := boxtree.New(boxes, nil)
	var near []item
	for i := range areas {
		for r, labels := range areas[i].Labels {
			ring := areas[i].Rings[r]
			var points lattice.Ring
			var kept []int32
			for k, l := range labels {
				a, b := ring[k], ring[(k+1)%len(ring)]
				first := len(points)
				points, kept = append(points, a), append(kept, l)
				if l == wall {
					continue
				}
				box := boxOf(lattice.Vertex{Point: a}, lattice.Vertex{Point: b})
				near = tree.Search(&box, near[:0])
				for _, n := range near {
					if p := corners[n.ID]; p != a && p != b && lattice.OnSegment(p, a, b) {
						points, kept = append(points, p), append(kept, l)
					}
				}
				slices.SortFunc(points[first+1:], func(p, q lattice.Point) int { return cmp.Compare(a.Distance2(p), a.Distance2(q)) })
			}
			areas[i].Rings[r], areas[i].Labels[r] = points, kept
		}
	}
}

// part is a connected part of the floor.
type part struct {
	plan.Part
	number int32 // the least number of its areas
}

// components returns the parts that seams join, largest first, and gives each area the number of its part.
func components(areas []area, seams []seam) []part {
	sets := unionfind.New(len(areas))
	for _, s := range seams {
		sets.Union(s.left, s.right)
	}
	size := make([]float64, len(areas))
	for i := range areas {
		root := sets.Find(int32(i))
		areas[i].number = root
		size[root] += lattice.SquareMetres(areas[i].Area2())
	}
	var parts []part
	for i := range areas {
		if areas[i].number == int32(i) {
			parts = append(parts, part{plan.Part{Area: size[i]}, int32(i)})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.Area, a.Area) })
	return parts
}
