package erode

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// wall labels edges with no class behind them.
const wall = -1

// rounding is the maximum move of borders, in units, to compensate for rounding.
const rounding = 4

// domain is a polygon of a class. Labels are the classes behind its edges.
type domain struct {
	overlay.Outline
	class int32
}

// outline finds the remaining floor of every class, and the class behind each of its edges. All layers are in one
// arrangement; hence a common edge of two layers is equal on both sides.
func (e *eroder) outline(cuts [][]lattice.Ring) error {
	// The inputs are the regions of every class, followed by the cuts of every layer.
	inputs := make([][]lattice.Ring, len(e.classes), len(e.classes)+len(cuts))
	for i := range e.regions {
		r := &e.regions[i]
		inputs[r.class] = append(inputs[r.class], r.outline)
	}
	a, err := overlay.Arrange(append(inputs, cuts...)...)
	if err != nil {
		return err
	}
	n := int32(len(e.classes))
	var domains []domain
	in := func(c int32, w overlay.Winding) bool { return w[c] > 0 && w[n+e.classes[c].layer] <= 0 }
	e.in = make([][]int32, n)
	for c := range n {
		// Every edge with a class behind it has a label of its own; hence all points of such edges stay.
		behind := []int32{}
		outlines := a.Outlines(func(w overlay.Winding) bool { return in(c, w) }, func(from, to lattice.Point, right overlay.Winding) int32 {
			for o := range n {
				if o != c && in(o, right) && (e.classes[o].layer == e.classes[c].layer || e.onSeam(c, o, from, to)) {
					behind = append(behind, o)
					return int32(len(behind)) - 1
				}
			}
			return wall
		})
		for _, o := range outlines {
			for _, labels := range o.Labels {
				for k, l := range labels {
					if l != wall {
						labels[k] = behind[l]
					}
				}
			}
			domains = append(domains, domain{o, c})
		}
	}
	for _, d := range withoutHairlines(domains) {
		e.in[d.class] = append(e.in[d.class], int32(len(e.domains)))
		e.domains = append(e.domains, d)
	}
	return nil
}

// withoutHairlines drops domains less than a unit wide, unless a wider domain is connected to them: rounding leaves
// such strips between the border of a region and a cut along the border.
func withoutHairlines(domains []domain) []domain {
	type edge struct{ a, b lattice.Point }
	of := map[edge][]int32{} // domains by their edges with a class behind, looked up only
	eachSeam := func(visit func(i int32, from, to lattice.Point)) {
		for i := range domains {
			for r, ring := range domains[i].Rings {
				for k, p := range ring {
					if domains[i].Labels[r][k] != wall {
						visit(int32(i), p, ring[(k+1)%len(ring)])
					}
				}
			}
		}
	}
	eachSeam(func(i int32, from, to lattice.Point) { of[edge{from, to}] = append(of[edge{from, to}], i) })
	parts := unionfind.New(len(domains))
	eachSeam(func(i int32, from, to lattice.Point) {
		for _, o := range of[edge{to, from}] {
			parts.Union(i, o)
		}
	})
	wide := make([]bool, len(domains)) // by part
	for i := range domains {
		if !domains[i].isHairline() {
			wide[parts.Find(int32(i))] = true
		}
	}
	var kept []domain
	for i := range domains {
		if wide[parts.Find(int32(i))] {
			kept = append(kept, domains[i])
		}
	}
	return kept
}

// isHairline reports whether a domain is less than a unit wide.
func (d *domain) isHairline() bool {
	around := 0.0
	for _, ring := range d.Rings {
		for k, p := range ring {
			around += p.Distance(ring[(k+1)%len(ring)])
		}
	}
	return float64(d.Area2()) < around
}

// onSeam reports whether an edge lies on a portal between two classes of different layers.
func (e *eroder) onSeam(c, o int32, from, to lattice.Point) bool {
	found := false
	e.index.Each(lattice.BoxOf(from, to), func(i int) bool {
		r := &e.regions[i]
		if r.class != c {
			return true
		}
		for _, k := range e.items[r.from:r.end] {
			if k.to >= 0 && e.regions[k.to].class == o && near(from, k.segment) && near(to, k.segment) {
				found = true
				return false
			}
		}
		return true
	})
	return found
}

// near reports whether a point may have been on a segment before rounding.
func near(p lattice.Point, s segment) bool {
	return lattice.SegmentDistance2(p, s.a, s.b).CompareInt(2) <= 0
}

// simplify removes vertices where rounding bent walls, and moves walls into the free floor by a tolerance to save
// corners.
func (e *eroder) simplify(tolerance float64) {
	byLayer := make([][]*domain, len(e.layers))
	for i := range e.domains {
		l := e.classes[e.domains[i].class].layer
		byLayer[l] = append(byLayer[l], &e.domains[i])
	}
	for _, list := range byLayer {
		var lines []lattice.Line
		eachRing(list, func(d *domain, r int) {
			ring := d.Rings[r]
			keep := make([]bool, len(ring))
			for k, l := range d.Labels[r] {
				if l != wall {
					keep[k], keep[(k+1)%len(ring)] = true, true
				}
			}
			lines = append(lines, lattice.Line{Points: ring, Closed: true, Keep: keep})
		})
		simple := lattice.Simplify(lines, rounding)
		eachRing(list, func(d *domain, r int) {
			d.take(r, simple[0].Points, simple[0].Kept)
			simple = simple[1:]
		})
		if tolerance == 0 {
			continue
		}
		var borders []lattice.Border
		eachRing(list, func(d *domain, r int) {
			fixed := make([]bool, len(d.Rings[r]))
			for k, l := range d.Labels[r] {
				fixed[k] = l != wall
			}
			borders = append(borders, lattice.Border{Ring: d.Rings[r], Fixed: fixed})
		})
		straight := lattice.Straighten(borders, tolerance)
		eachRing(list, func(d *domain, r int) {
			d.take(r, straight[0].Ring, straight[0].From)
			straight = straight[1:]
		})
	}
}

func eachRing(domains []*domain, visit func(d *domain, r int)) {
	for _, d := range domains {
		for r := range d.Rings {
			visit(d, r)
		}
	}
}

// take replaces a ring; from gives the old edge of each new edge, negative for new walls.
func (d *domain) take(r int, ring lattice.Ring, from []int) {
	labels := make([]int32, len(ring))
	for k, edge := range from {
		labels[k] = wall
		if edge >= 0 {
			labels[k] = d.Labels[r][edge]
		}
	}
	d.Rings[r], d.Labels[r] = ring, labels
}

// regionAt returns the region of a class that contains a point, else the nearest region; -1 without a region nearby.
func (e *eroder) regionAt(class int32, p lattice.Point) int32 {
	best, found := -1.0, int32(-1)
	for reach := int32(2); found < 0 && reach < lattice.MaxCoord/4; reach *= 64 {
		box := lattice.BoxOf(lattice.Point{X: p.X - reach, Y: p.Y - reach}, lattice.Point{X: p.X + reach, Y: p.Y + reach})
		var list []int32
		e.index.Each(box, func(i int) bool {
			if e.regions[i].class == class {
				list = append(list, int32(i))
			}
			return true
		})
		slices.Sort(list)
		for _, i := range list {
			if d := away(p, e.regions[i].ring); found < 0 || d < best {
				best, found = d, i
			}
		}
	}
	return found
}

// away returns the distance of a point to a convex polygon.
func away(p lattice.Point, ring []lattice.Point) float64 {
	if lattice.Ring(ring).Locate(p) != lattice.Outside {
		return 0
	}
	best := -1.0
	for i, a := range ring {
		if d := lattice.SegmentDistance2(p, a, ring[(i+1)%len(ring)]).Sqrt(); best < 0 || d < best {
			best = d
		}
	}
	return best
}
