package divide

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// side is an edge of a piece.
type side struct{ piece, ring, index int32 }

func (s side) compare(o side) int {
	return cmp.Or(cmp.Compare(s.piece, o.piece), cmp.Compare(s.ring, o.ring), cmp.Compare(s.index, o.index))
}

// run is a chain to be: consecutive edges on a ring of the left piece, all with the same right piece behind
// them.
type run struct {
	tag         int32
	left, right int32
	sides       [][2]side // left and right
}

// match joins opposite edges of pieces with equal ends and tags to chains. bad lists the grounds with an
// unmatched edge.
func (j *Job) match(grounds []Ground, pieces []piece) (runs []run, bad []int) {
	type key struct {
		edge
		tag int32
	}
	at := map[key]side{} // looked up only
	each := func(visit func(s side, k key)) {
		for p := range pieces {
			for r, ring := range pieces[p].Rings {
				for i, a := range ring {
					if tag := pieces[p].tags[r][i]; tag != wall {
						visit(side{int32(p), int32(r), int32(i)}, key{edge{a, ring[(i+1)%len(ring)]}, tag})
					}
				}
			}
		}
	}
	each(func(s side, k key) { at[k] = s })
	lone := func(s side, tag int32) {
		bad = append(bad, pieces[s.piece].of)
		if tag >= 0 { // the other side may be to blame
			for i := range grounds {
				c := &j.Plan.Chains[tag]
				for _, id := range [2]plan.DomainID{c.Left, c.Right} {
					if &j.Plan.Layers[id.Layer].Domains[id.Domain] == grounds[i].Domain {
						bad = append(bad, i)
					}
				}
			}
		}
	}
	var last side // the last edge of the last run, on its left
	each(func(s side, k key) {
		o, ok := at[key{edge{k.to, k.from}, k.tag}]
		if !ok {
			lone(s, k.tag)
			return
		}
		if s.compare(o) > 0 {
			return // seen from there
		}
		n := len(runs) - 1
		follows := n >= 0 && last == side{s.piece, s.ring, s.index - 1} && runs[n].tag == k.tag && runs[n].right == o.piece
		if !follows {
			runs = append(runs, run{tag: k.tag, left: s.piece, right: o.piece})
			n++
		}
		runs[n].sides = append(runs[n].sides, [2]side{s, o})
		last = s
	})
	slices.Sort(bad)
	return runs, slices.Compact(bad)
}

// put makes the new plan, with layers and chains of its own.
func (j *Job) put(grounds []Ground, pieces []piece, runs []run) *plan.Plan {
	out := *j.Plan
	out.Layers = slices.Clone(j.Plan.Layers)
	for l := range out.Layers {
		out.Layers[l].Domains = nil
	}
	ids := make([]plan.DomainID, len(pieces))
	for i := range pieces {
		p, g := &pieces[i], &grounds[pieces[i].of]
		d := plan.Domain{
			Polygon: p.Polygon, Heights: p.heights, Area: g.Area, Component: g.Component, Marks: slices.Clone(g.Marks),
		}
		j.Made(&d, g, p.things)
		for _, t := range p.tags {
			edges := make([]plan.ChainID, len(t))
			for k := range edges {
				edges[k] = plan.Wall
			}
			d.Edges = append(d.Edges, edges)
		}
		layer := &out.Layers[g.Layer]
		ids[i] = plan.DomainID{Layer: g.Layer, Domain: int32(len(layer.Domains))}
		layer.Domains = append(layer.Domains, d)
	}
	out.Chains = nil
	for _, r := range runs {
		c := plan.Chain{Kind: j.Kind, Left: ids[r.left], Right: ids[r.right]}
		if r.tag >= 0 {
			c.Kind = j.Plan.Chains[r.tag].Kind
		}
		for _, s := range r.sides {
			ring := pieces[r.left].Rings[s[0].ring]
			if c.Points == nil {
				c.Points = []lattice.Point{ring[s[0].index]}
			}
			c.Points = append(c.Points, ring[(int(s[0].index)+1)%len(ring)])
			for _, e := range s {
				id := ids[e.piece]
				out.Layers[id.Layer].Domains[id.Domain].Edges[e.ring][e.index] = plan.ChainID(len(out.Chains))
			}
		}
		out.Chains = append(out.Chains, c)
	}
	return &out
}
