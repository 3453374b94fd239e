package workbench

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/metric/verify"
)

// minus returns the floor of a that b lacks, as a plan with the layers and heights of a, and walls all around.
func minus(ctx context.Context, a, b *plan.Plan) (*plan.Plan, error) {
	only, err := verify.Floors(ctx, a, b)
	if err != nil {
		return nil, err
	}
	out := &plan.Plan{Frame: a.Frame, Layers: make([]plan.Layer, len(a.Layers))}
	for l := range a.Layers {
		out.Layers[l].Floor = a.Layers[l].Floor
	}
	own, others := samplers(a), samplers(b)
	for _, polygon := range only[0].Polygons {
		domain := plan.Domain{Polygon: polygon, Edges: plan.Walls(polygon)}
		at, ok := inside(&domain)
		if !ok {
			continue
		}
		for l := range a.Layers {
			if holds(&a.Layers[l], at) && !hasNear(b, others, a.Frame, at, heightAt(own[l], at)) {
				out.Layers[l].Domains = append(out.Layers[l].Domains, domain)
				break
			}
		}
	}
	return out, nil
}

// inside returns a place inside of a domain: the middle of its largest triangle. Slivers without a lattice point inside have none.
func inside(d *plan.Domain) (at lattice.Point, ok bool) {
	t, err := cdt.FromDomain(d)
	if err != nil {
		return at, false
	}
	most := int64(0)
	for k := range t.Inside {
		if !t.Inside[k] {
			continue
		}
		e := int32(3 * k)
		p, q, r := t.P[t.H[e].V], t.P[t.H[e+1].V], t.P[t.H[e+2].V]
		if size := lattice.Orient(p, q, r); max(size, -size) > most {
			most = max(size, -size)
			at = lattice.Point{X: int32((int64(p.X) + int64(q.X) + int64(r.X)) / 3), Y: int32((int64(p.Y) + int64(q.Y) + int64(r.Y)) / 3)}
		}
	}
	return at, most > 0
}

func holds(l *plan.Layer, at lattice.Point) bool {
	for d := range l.Domains {
		if l.Domains[d].Contains(at) {
			return true
		}
	}
	return false
}

// hasNear reports whether p has floor at a place of another frame, about as high.
func hasNear(p *plan.Plan, heights []*lattice.Sampler, frame lattice.Frame, at lattice.Point, height float64) bool {
	world := frame.ToWorld(at, int32(height))
	place, z, ok := p.Frame.FromWorld(world)
	if !ok {
		return false
	}
	const near = 0.3 * lattice.UnitsPerMetre
	for l := range p.Layers {
		if h := heightAt(heights[l], place); (math.IsInf(h, -1) || math.Abs(h-float64(z)) < near) && holds(&p.Layers[l], place) {
			return true
		}
	}
	return false
}

// heightAt is the height of the highest floor at a place, minus infinity without one.
func heightAt(s *lattice.Sampler, at lattice.Point) float64 {
	z, ok := s.Height(float64(at.X), float64(at.Y))
	if !ok {
		return math.Inf(-1)
	}
	return z
}

// samplers answer for the heights of all layers of a plan.
func samplers(p *plan.Plan) []*lattice.Sampler {
	list := make([]*lattice.Sampler, len(p.Layers))
	for l := range p.Layers {
		list[l] = lattice.NewSampler(&p.Layers[l].Floor)
	}
	return list
}
