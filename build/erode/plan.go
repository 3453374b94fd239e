package erode

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/navmesh"
)

// edgeID names an edge of a domain's rings.
type edgeID struct{ domain, ring, index int32 }

// crossing is an unfinished chain: consecutive edges of its left domain, each with its edge of the right domain.
type crossing struct {
	left, right int32
	edges       [][2]edgeID
}

// plan assembles the plan from the domains.
func (e *eroder) plan() *plan.Plan {
	p := &plan.Plan{Frame: e.mesh.Frame, Agent: e.mesh.Agent, Areas: slices.Clone(e.mesh.Areas)}
	e.dropStraight(e.crossings())
	crossings := e.crossings()
	for _, l := range e.layers {
		p.Layers = append(p.Layers, plan.Layer{Floor: *l})
	}
	id := make([]plan.DomainID, len(e.domains))
	for i := range e.domains {
		d := &e.domains[i]
		c := &e.classes[d.class]
		layer := &p.Layers[c.layer]
		out := plan.Domain{Polygon: d.Polygon, Area: c.area, Marks: c.marks}
		for _, ring := range d.Rings {
			edges, heights := make([]plan.ChainID, len(ring)), make([]int32, len(ring))
			for k, at := range ring {
				edges[k], heights[k] = plan.Wall, e.heightAt(d.class, at)
			}
			out.Edges, out.Heights = append(out.Edges, edges), append(out.Heights, heights)
		}
		id[i] = plan.DomainID{Layer: c.layer, Domain: int32(len(layer.Domains))}
		layer.Domains = append(layer.Domains, out)
	}
	for _, x := range crossings {
		a, b := &e.classes[e.domains[x.left].class], &e.classes[e.domains[x.right].class]
		chain := plan.Chain{Kind: plan.Terrain, Left: id[x.left], Right: id[x.right]}
		switch {
		case a.layer != b.layer:
			chain.Kind = plan.Seam
		case !slices.Equal(a.marks, b.marks):
			chain.Kind = plan.MarkCut
		}
		chain.Points = e.points(&x)
		for _, pair := range x.edges {
			for _, k := range pair {
				at := id[k.domain]
				p.Layers[at.Layer].Domains[at.Domain].Edges[k.ring][k.index] = plan.ChainID(len(p.Chains))
			}
		}
		p.Chains = append(p.Chains, chain)
	}
	parts := unionfind.New(len(e.domains))
	for _, x := range crossings {
		parts.Union(x.left, x.right)
	}
	number := map[int32]int32{} // looked up only
	for i := range e.domains {
		root := parts.Find(int32(i))
		if _, ok := number[root]; !ok {
			number[root] = int32(len(number))
		}
		p.Layers[id[i].Layer].Domains[id[i].Domain].Component = number[root]
	}
	p.Components = len(number)
	return p
}

// end returns the end point of an edge.
func (e *eroder) end(k edgeID) lattice.Point {
	ring := e.domains[k.domain].Rings[k.ring]
	return ring[(int(k.index)+1)%len(ring)]
}

// points returns the points of a crossing.
func (e *eroder) points(x *crossing) []lattice.Point {
	first := x.edges[0][0]
	points := []lattice.Point{e.domains[first.domain].Rings[first.ring][first.index]}
	for _, pair := range x.edges {
		points = append(points, e.end(pair[0]))
	}
	return points
}

// crossings finds the common runs of edges of two domains.
func (e *eroder) crossings() []crossing {
	at := map[segment][]edgeID{} // looked up only
	for i := range e.domains {
		for r, ring := range e.domains[i].Rings {
			for k, l := range e.domains[i].Labels[r] {
				if l != wall {
					s := segment{ring[k], ring[(k+1)%len(ring)]}
					at[s] = append(at[s], edgeID{int32(i), int32(r), int32(k)})
				}
			}
		}
	}
	var all []crossing
	for i := range e.domains {
		d := &e.domains[i]
		for r, ring := range d.Rings {
			n := len(ring)
			partner := make([]edgeID, n)
			for k := range ring {
				partner[k].domain = -1
				l := d.Labels[r][k]
				if l <= d.class { // each crossing is found from its smaller class
					continue
				}
				for _, o := range at[segment{ring[(k+1)%n], ring[k]}] {
					if b := &e.domains[o.domain]; b.class == l && b.Labels[o.ring][o.index] == d.class {
						partner[k] = o
					}
				}
			}
			start := 0
			for start < n && partner[start].domain >= 0 && partner[start].domain == partner[(start+n-1)%n].domain {
				start++
			}
			for j := range n {
				k := (start + j) % n
				if partner[k].domain < 0 {
					continue
				}
				if j == 0 || partner[k].domain != partner[(k+n-1)%n].domain {
					all = append(all, crossing{left: int32(i), right: partner[k].domain})
				}
				x := &all[len(all)-1]
				x.edges = append(x.edges, [2]edgeID{{int32(i), int32(r), int32(k)}, partner[k]})
			}
		}
	}
	return all
}

// dropStraight removes the points of crossings that are in the middle of a straight run and belong to no other ring.
func (e *eroder) dropStraight(crossings []crossing) {
	users := map[lattice.Point]int{} // looked up only
	for i := range e.domains {
		for _, ring := range e.domains[i].Rings {
			for _, p := range ring {
				users[p]++
			}
		}
	}
	drop := map[edgeID]bool{} // edges whose first point is dropped, looked up only
	for i := range crossings {
		x := &crossings[i]
		points := e.points(x)
		last := points[0]
		for k := 1; k+1 < len(points); k++ {
			p, next := points[k], points[k+1]
			if users[p] == 2 && lattice.Orient(last, p, next) == 0 && lattice.Dot(p, last, next) < 0 {
				// The left domain's next edge starts at p, and so does the right domain's edge in the opposite
				// direction.
				drop[x.edges[k][0]], drop[x.edges[k-1][1]] = true, true
				continue
			}
			last = p
		}
	}
	for i := range e.domains {
		for r, ring := range e.domains[i].Rings {
			var points lattice.Ring
			var labels []int32
			for k, p := range ring {
				if !drop[edgeID{int32(i), int32(r), int32(k)}] {
					points, labels = append(points, p), append(labels, e.domains[i].Labels[r][k])
				}
			}
			if len(points) > 2 {
				e.domains[i].Rings[r], e.domains[i].Labels[r] = points, labels
			}
		}
	}
}

// heightAt returns the height of the floor of a class at a point.
func (e *eroder) heightAt(class int32, p lattice.Point) int32 {
	i := e.regionAt(class, p)
	if i < 0 {
		return 0
	}
	return int32(math.Floor(e.height(i, p) + 0.5))
}

// remember records the properties that Restore gives back to a mesh of the floor.
func (e *eroder) remember(f *Floor) {
	for _, k := range e.mesh.Marks {
		f.Plan.Marks = append(f.Plan.Marks, plan.Mark{Name: k.Name, Kind: k.Kind})
	}
	for i := range e.classes {
		for _, k := range e.classes[i].marks {
			if e.classes[i].flags&navmesh.Door.Flag() != 0 && e.mesh.Marks[k].Flags&navmesh.Door.Flag() != 0 {
				f.Plan.Marks[k].Door = true
			}
		}
	}
	for i := range e.classes {
		c := &e.classes[i]
		given := uint32(navmesh.DefaultFlags)
		for _, k := range c.marks {
			if f.Plan.Marks[k].Door {
				given |= navmesh.Door.Flag()
			}
		}
		f.KeepSeams = f.KeepSeams || given != c.flags
	}
	// Links get marks of their own, to recognise them later.
	for range e.mesh.Links {
		f.Plan.Marks = append(f.Plan.Marks, plan.Mark{})
	}
	f.flags = make([][]uint32, len(e.layers))
	for i := range e.domains {
		c := &e.classes[e.domains[i].class]
		f.flags[c.layer] = append(f.flags[c.layer], c.flags)
	}
}

// Restore gives a mesh the marks and flags of the floor's original mesh. The mesh must be built from the cells of the
// plan, with the methods and crossings of the original mesh.
func (f *Floor) Restore(m *navmesh.Mesh, cells [][][]plan.Cell) {
	own := len(f.from.Marks)
	for i := range m.Links {
		l := &m.Links[i]
		switch k := int(l.Mark) - 1 - own; {
		case k < len(f.from.Links):
			l.Flags, l.Mark = f.from.Links[k].Flags, f.from.Links[k].Mark
		default: // the builder has made marks for the crossings
			l.Mark = f.from.Crossings[k-len(f.from.Links)].Mark + 1
		}
	}
	m.Marks, m.Crossings = slices.Clone(f.from.Marks), slices.Clone(f.from.Crossings)
	if !f.KeepSeams {
		return
	}
	region := 0
	for l := range cells {
		for d := range cells[l] {
			for range cells[l][d] {
				m.Tiles[0].Regions[region].Flags = f.flags[l][d]
				region++
			}
		}
	}
}
