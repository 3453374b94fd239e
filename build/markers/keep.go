package markers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// keep drops the parts of the floor that opt does not choose and that no link reaches from chosen parts. The result tells by
// component which parts stay.
func (w *work) keep(opt floorplan.Options, noise []bool) ([]bool, error) {
	p := w.plan
	parts := make([]plan.Part, p.Components)
	seen := make([]bool, p.Components)
	each := func(visit func(id plan.DomainID, d *plan.Domain)) {
		for l := range p.Layers {
			for d := range p.Layers[l].Domains {
				visit(plan.DomainID{Layer: int32(l), Domain: int32(d)}, &p.Layers[l].Domains[d])
			}
		}
	}
	each(func(id plan.DomainID, d *plan.Domain) {
		c := d.Component
		parts[c].Area += lattice.SquareMetres(d.Area2())
		if !seen[c] {
			corner := d.Rings[0][0]
			seen[c], parts[c].At = true, p.Frame.ToWorld(corner, w.heightAt(id.Layer, d, corner))
		}
	})
	order := make([]int, 0, len(parts)) // largest first
	for i := range parts {
		if noise == nil || !noise[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(parts[b].Area, parts[a].Area) })
	sorted := make([]plan.Part, len(order))
	for i, c := range order {
		sorted[i] = parts[c]
	}
	chosen, err := opt.Choose(sorted, func(at geom.Vec) (int, error) {
		c, err := w.partAt(at)
		k := slices.Index(order, c)
		if err == nil && k < 0 {
			err = fmt.Errorf("%v is on no part of the floor", at)
		}
		return k, err
	})
	if err != nil {
		return nil, err
	}
	kept := make([]bool, len(parts))
	for i, c := range order {
		kept[c] = chosen[i]
	}
	component := func(id plan.DomainID) int32 { return p.Layers[id.Layer].Domains[id.Domain].Component }
	for again := true; again; {
		again = false
		for _, l := range p.Links {
			if kept[component(l.From)] && !kept[component(l.To)] {
				kept[component(l.To)], again = true, true
			}
		}
	}
	w.leave(kept)
	dropped := slices.Clone(w.plan.Dropped)
	for i, c := range order {
		if !kept[c] {
			dropped = append(dropped, sorted[i])
		}
	}
	w.plan.Dropped = dropped
	return kept, nil
}

// partAt returns the component of the floor at a place.
func (w *work) partAt(at geom.Vec) (int, error) {
	id, _, err := w.floorAt(at)
	if err != nil {
		return 0, err
	}
	return int(w.plan.Layers[id.Layer].Domains[id.Domain].Component), nil
}

// floorAt returns the highest floor at a place or below it.
func (w *work) floorAt(at geom.Vec) (id plan.DomainID, floor lattice.Vertex, err error) {
	p, z, ok := w.plan.Frame.FromWorld(at)
	if !ok {
		return id, floor, fmt.Errorf("%v is outside of the level", at)
	}
	found := false
	for l := range w.plan.Layers {
		for d := range w.plan.Layers[l].Domains {
			domain := &w.plan.Layers[l].Domains[d]
			if !domain.Contains(p) {
				continue
			}
			h := w.heightAt(int32(l), domain, p)
			if float64(h) > float64(z)+w.agent.climb || float64(h) < float64(z)-w.agent.height || found && h <= floor.Z {
				continue
			}
			id, floor, found = plan.DomainID{Layer: int32(l), Domain: int32(d)}, lattice.Vertex{Point: p, Z: h}, true
		}
	}
	if !found {
		return id, floor, fmt.Errorf("%v has no walkable floor within the agent's height below", at)
	}
	return id, floor, nil
}

// leave removes all other components from the plan, and the layers that become empty.
func (w *work) leave(kept []bool) {
	p := w.plan
	number := make([]int32, len(kept))
	for i := range number {
		number[i] = -1
	}
	var layers []plan.Layer
	ids := map[plan.DomainID]plan.DomainID{}
	p.Components = 0
	for l := range p.Layers {
		layer := plan.Layer{Floor: p.Layers[l].Floor}
		for d, domain := range p.Layers[l].Domains {
			if !kept[domain.Component] {
				continue
			}
			if number[domain.Component] < 0 {
				number[domain.Component] = int32(p.Components)
				p.Components++
			}
			ids[plan.DomainID{Layer: int32(l), Domain: int32(d)}] = plan.DomainID{Layer: int32(len(layers)), Domain: int32(len(layer.Domains))}
			domain.Component = number[domain.Component]
			domain.Edges = slices.Clone(domain.Edges)
			layer.Domains = append(layer.Domains, domain)
		}
		if len(layer.Domains) > 0 {
			layers = append(layers, layer)
		}
	}
	p.Layers = layers
	chain := make([]plan.ChainID, len(p.Chains))
	var chains []plan.Chain
	for i, c := range p.Chains {
		left, ok := ids[c.Left]
		chain[i] = plan.Wall
		if ok { // both sides of a chain have the same component
			c.Left, c.Right = left, ids[c.Right]
			chain[i] = plan.ChainID(len(chains))
			chains = append(chains, c)
		}
	}
	p.Chains = chains
	for l := range layers {
		for d := range layers[l].Domains {
			edges := layers[l].Domains[d].Edges
			for r := range edges {
				edges[r] = slices.Clone(edges[r])
				for k, c := range edges[r] {
					if c != plan.Wall {
						edges[r][k] = chain[c]
					}
				}
			}
		}
	}
	var links []plan.Link
	for _, l := range p.Links {
		from, ok := ids[l.From]
		to, ok2 := ids[l.To]
		if ok && ok2 {
			l.From, l.To = from, to
			links = append(links, l)
		}
	}
	p.Links = links
}
