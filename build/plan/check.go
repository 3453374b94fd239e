package plan

import (
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Check returns the first fault of the structure of p: an index without an element, rings without a corner, or a coordinate
// outside of the lattice. A plan of an extractor or of a decoder has none; Check is for plans from callers. Whether rings
// cross is not checked: see [lattice.Polygon.Validate]. Time O(n) for n points.
func (p *Plan) Check() error {
	for l := range p.Layers {
		layer := &p.Layers[l]
		for d := range layer.Domains {
			if err := p.checkDomain(&layer.Domains[d]); err != nil {
				return fmt.Errorf("plan: layer %d, domain %d: %w", l, d, err)
			}
		}
		for i, v := range layer.Floor.Vertices {
			if !inLattice(v.X) || !inLattice(v.Y) || !inLattice(v.Z) {
				return fmt.Errorf("plan: layer %d: vertex %d at %v is outside of the lattice", l, i, v)
			}
		}
		for i, t := range layer.Floor.Triangles {
			for _, v := range t {
				if int64(v) >= int64(len(layer.Floor.Vertices)) {
					return fmt.Errorf("plan: layer %d: triangle %d has vertex %d of %d", l, i, v, len(layer.Floor.Vertices))
				}
			}
		}
	}
	for i := range p.Chains {
		c := &p.Chains[i]
		if !p.has(c.Left) || !p.has(c.Right) {
			return fmt.Errorf("plan: chain %d lies between the domains %v and %v, one does not exist", i, c.Left, c.Right)
		}
	}
	for i := range p.Links {
		k := &p.Links[i]
		if !p.has(k.From) || !p.has(k.To) {
			return fmt.Errorf("plan: link %d leads from domain %v to %v, one does not exist", i, k.From, k.To)
		}
		if k.Mark < NoMark || int(k.Mark) >= len(p.Marks) {
			return fmt.Errorf("plan: link %d has mark %d of %d", i, k.Mark, len(p.Marks))
		}
	}
	for i, part := range p.Dropped {
		if !(part.Area >= 0) || math.IsInf(part.Area, 1) || !part.At.IsFinite() {
			return fmt.Errorf("plan: dropped part %d has %g m² at %v, must be finite", i, part.Area, part.At)
		}
	}
	return nil
}

func inLattice(c int32) bool { return -lattice.MaxCoord <= c && c <= lattice.MaxCoord }

func (p *Plan) has(id DomainID) bool {
	return id.Layer >= 0 && int(id.Layer) < len(p.Layers) && id.Domain >= 0 && int(id.Domain) < len(p.Layers[id.Layer].Domains)
}

func (p *Plan) checkDomain(d *Domain) error {
	if len(d.Rings) == 0 {
		return errors.New("no rings")
	}
	if len(d.Edges) != len(d.Rings) || d.Heights != nil && len(d.Heights) != len(d.Rings) {
		return fmt.Errorf("%d rings, edges of %d, heights of %d", len(d.Rings), len(d.Edges), len(d.Heights))
	}
	for r, ring := range d.Rings {
		if len(ring) < 3 {
			return fmt.Errorf("ring %d has %d points", r, len(ring))
		}
		if len(d.Edges[r]) != len(ring) || d.Heights != nil && len(d.Heights[r]) != len(ring) {
			return fmt.Errorf("ring %d has %d points and %d edges", r, len(ring), len(d.Edges[r]))
		}
		for i, at := range ring {
			if !inLattice(at.X) || !inLattice(at.Y) {
				return fmt.Errorf("ring %d: point %d at %v is outside of the lattice", r, i, at)
			}
			if c := d.Edges[r][i]; c < Wall || int(c) >= len(p.Chains) {
				return fmt.Errorf("ring %d: edge %d is of chain %d of %d", r, i, c, len(p.Chains))
			}
		}
	}
	for _, k := range d.Marks {
		if k < 0 || int(k) >= len(p.Marks) {
			return fmt.Errorf("mark %d of %d", k, len(p.Marks))
		}
	}
	return nil
}
