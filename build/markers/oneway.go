package markers

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// A one-way door opens in one direction only. The border of its floor is cut into stretches by their directions: agents walk
// in over stretches that look against the direction of the door, within 60 degrees; a link without length leads out over
// stretches that look along the direction. All other stretches are walls, and nobody walks in where a link leads out.

// oneWayCosine is the cosine of the angle between a stretch's normal and the direction of the door: 60 degrees.
const oneWayCosine = 0.5

// oneWay makes walls and links of the borders of one-way doors, and counts the components again.
func (w *work) oneWay() {
	made := false
	for i := range w.volumes {
		if v := &w.volumes[i]; v.meaning.oneWay && v.mark != plan.NoMark {
			made = true
			w.unshare()
			w.oneWayDoor(v)
		}
	}
	if made {
		w.recount()
	}
}

// unshare copies the arrays that a one-way door changes.
func (w *work) unshare() {
	p := w.plan
	p.Layers, p.Chains, p.Links = slices.Clone(p.Layers), slices.Clone(p.Chains), slices.Clone(p.Links)
	for l := range p.Layers {
		p.Layers[l].Domains = slices.Clone(p.Layers[l].Domains)
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			domain.Edges = slices.Clone(domain.Edges)
			for r := range domain.Edges {
				domain.Edges[r] = slices.Clone(domain.Edges[r])
			}
		}
	}
}

// oneWayDoor changes the stretches of border between the domains in a volume and those outside.
func (w *work) oneWayDoor(v *volume) {
	sin, cos := math.Sincos(v.meaning.to * math.Pi / 180)
	inside := func(id plan.DomainID) bool { return slices.Contains(w.domain(id).Marks, v.mark) }
	for c := range slices.Clone(w.plan.Chains) {
		chain := w.plan.Chains[c]
		if inside(chain.Left) == inside(chain.Right) {
			continue
		}
		// The door is on the left of its border.
		points, door, other := chain.Points, chain.Left, chain.Right
		if inside(chain.Right) {
			points, door, other = slices.Clone(points), chain.Right, chain.Left
			slices.Reverse(points)
		}
		open := false
		for k := 1; k < len(points); k++ {
			a, b := points[k-1], points[k]
			length := a.Distance(b)
			outwards := (float64(float64(b.Y-a.Y)*cos) - float64(float64(b.X-a.X)*sin)) / length
			if outwards < -oneWayCosine {
				open = true
				continue
			}
			w.wall(door, a, b)
			w.wall(other, b, a)
			if outwards > oneWayCosine {
				w.wayOut(v, door, other, a, b)
			}
		}
		if open {
			w.split(plan.ChainID(c), points, door, other)
		} else {
			w.plan.Chains[c].Points = nil
		}
	}
	w.compact()
}

// edge returns the edge of a domain from one point to the next.
func (w *work) edge(id plan.DomainID, a, b lattice.Point) *plan.ChainID {
	d := w.domain(id)
	for r, ring := range d.Rings {
		for k, q := range ring {
			if q == a && ring[(k+1)%len(ring)] == b {
				return &d.Edges[r][k]
			}
		}
	}
	return nil
}

func (w *work) wall(id plan.DomainID, a, b lattice.Point) {
	if e := w.edge(id, a, b); e != nil {
		*e = plan.Wall
	}
}

// split gives every stretch of a chain that is still open a chain of its own.
func (w *work) split(old plan.ChainID, points []lattice.Point, door, other plan.DomainID) {
	kind := w.plan.Chains[old].Kind
	w.plan.Chains[old].Points = nil
	for k := 1; k < len(points); k++ {
		a, b := points[k-1], points[k]
		in, out := w.edge(door, a, b), w.edge(other, b, a)
		if in == nil || out == nil || *in == plan.Wall {
			continue
		}
		*in = plan.ChainID(len(w.plan.Chains))
		*out = *in
		w.plan.Chains = append(w.plan.Chains, plan.Chain{Kind: kind, Points: []lattice.Point{a, b}, Left: door, Right: other})
	}
}

// wayOut adds the link out of a door over a stretch of its border.
func (w *work) wayOut(v *volume, door, other plan.DomainID, a, b lattice.Point) {
	at := func(id plan.DomainID) (s [2]lattice.Vertex) {
		for k, p := range [2]lattice.Point{a, b} {
			s[k] = lattice.Vertex{Point: p, Z: w.heightAt(id.Layer, w.domain(id), p)}
		}
		return s
	}
	w.plan.Links = append(w.plan.Links, plan.Link{
		Kind: plan.Door, From: door, To: other, Start: at(door), End: at(other), Clearance: int32(a.Distance(b) / 2), Mark: v.mark,
	})
}

// compact leaves out chains without points.
func (w *work) compact() {
	number := make([]plan.ChainID, len(w.plan.Chains))
	var chains []plan.Chain
	for i, c := range w.plan.Chains {
		number[i] = plan.ChainID(len(chains))
		if c.Points != nil {
			chains = append(chains, c)
		}
	}
	w.plan.Chains = chains
	for l := range w.plan.Layers {
		for d := range w.plan.Layers[l].Domains {
			for _, edges := range w.plan.Layers[l].Domains[d].Edges {
				for k, c := range edges {
					if c != plan.Wall {
						edges[k] = number[c]
					}
				}
			}
		}
	}
}

// recount numbers the components again: domains that chains join.
func (w *work) recount() {
	p := w.plan
	first := make([]int32, len(p.Layers)+1)
	for l := range p.Layers {
		first[l+1] = first[l] + int32(len(p.Layers[l].Domains))
	}
	sets := unionfind.New(int(first[len(p.Layers)]))
	for i := range p.Chains {
		c := &p.Chains[i]
		sets.Union(first[c.Left.Layer]+c.Left.Domain, first[c.Right.Layer]+c.Right.Domain)
	}
	number := make(map[int32]int32)
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			root := sets.Find(first[l] + int32(d))
			n, ok := number[root]
			if !ok {
				n = int32(len(number))
				number[root] = n
			}
			p.Layers[l].Domains[d].Component = n
		}
	}
	p.Components = len(number)
}
