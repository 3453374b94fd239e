package metric

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query"
)

// PathEfficiency is the quality of the paths of a mesh without smoothing: the length of the shortest path divided by
// the length of the path that A* finds from middle to middle of the common edges. Unlike the shortest path, the A* path
// depends on the decomposition. 0 to 1; more is better.
type PathEfficiency struct {
	// Value is the mean over the connected pairs of Options.Places; unknown without any.
	Value Number `json:"value"`
	// Crossed is the mean number of common edges on the shortest paths: the length of a corridor.
	Crossed Number `json:"crossed"`
	// Pairs counts the pairs with a path, Missed the pairs without a path or with an end off the mesh.
	Pairs  int `json:"pairs"`
	Missed int `json:"missed"`
}

// pathEfficiency asks for the path of every pair of places. Time: one shortest path and one search of the graph for
// each pair.
func (v *view) pathEfficiency(ctx context.Context, opt *Options, q *query.Query) (PathEfficiency, error) {
	p := PathEfficiency{Value: unknown, Crossed: unknown}
	if len(v.rings) == 0 || len(opt.Places) < 2 {
		p.Missed = len(opt.Places) / 2
		return p, nil
	}
	left := make([]int64, v.edges())
	for i := range left {
		left[i] = 1
	}
	s := routeSearch{v: v, left: left, reached: make([]step, len(v.next))}
	ratios, crossed := 0.0, 0
	from, to := make([]bool, len(v.rings)), make([]bool, len(v.rings))
	for i := 0; i+1 < len(opt.Places); i += 2 {
		path, err := q.Path(ctx, opt.Places[i], opt.Places[i+1])
		if errors.Is(err, query.ErrOffMesh) || err == nil && !path.Complete {
			p.Missed++
			continue
		}
		if err != nil {
			return p, fmt.Errorf("metric: path efficiency: %w", err)
		}
		p.Pairs++
		crossed += len(path.Regions()) - 1
		x0, y0, _ := v.mesh.Frame.Local(path.Points[0])
		x1, y1, _ := v.mesh.Frame.Local(path.Points[len(path.Points)-1])
		first, last := path.Regions()[0], path.Regions()[len(path.Regions())-1]
		a, b := v.base[first.Slot()]+first.Index(), v.base[last.Slot()]+last.Index()
		from[a], to[b] = true, true
		s.find(from, to, x0, y0)
		from[a], to[b] = false, false
		entry := &s.reached[b]
		dx, dy := x1-entry.x, y1-entry.y
		length := (entry.cost + math.Sqrt(float64(dx*dx)+float64(dy*dy))) * lattice.Unit
		if entry.round == s.round && length > path.Length {
			ratios += path.Length / length
		} else {
			ratios++ // equal up to rounding; a path of zero length counts as 1
		}
	}
	if p.Pairs > 0 {
		p.Value, p.Crossed = Number(ratios/float64(p.Pairs)), Number(float64(crossed)/float64(p.Pairs))
	}
	return p, nil
}

// PlacesOn returns n places on the floor of p, drawn evenly by area with a seed: the same for every mesh of the floor.
// On extremely thin floors fewer places may be found.
func PlacesOn(p *plan.Plan, n int, seed uint64) []geom.Vec {
	type part struct {
		layer  int
		domain *plan.Domain
	}
	var parts []part
	var sums []float64
	var sum float64
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			if area := float64(domain.Area2()); area > 0 {
				sum += area
				parts, sums = append(parts, part{l, domain}), append(sums, sum)
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	floors := make([]*lattice.Sampler, len(p.Layers))
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	var out []geom.Vec
	for range n {
		at := parts[min(sort.SearchFloat64s(sums, sum*rng.Float64()), len(parts)-1)]
		q, ok := placeIn(at.domain, rng)
		if !ok {
			continue
		}
		if floors[at.layer] == nil {
			floors[at.layer] = lattice.NewSampler(&p.Layers[at.layer].Floor)
		}
		// A map without heights has its floor at the frame's height.
		z, _ := floors[at.layer].Height(float64(q.X), float64(q.Y))
		out = append(out, p.Frame.ToWorld(q, int32(math.Floor(z+0.5))))
	}
	return out
}

// placeIn draws a point inside a domain; ok is false if the domain is too thin in its box for a hit.
func placeIn(d *plan.Domain, rng *rand.Rand) (q lattice.Point, ok bool) {
	box := d.Box()
	w, h := box.Size()
	for range 1000 {
		q = lattice.Point{X: box.Min.X + int32(rng.Int64N(w+1)), Y: box.Min.Y + int32(rng.Int64N(h+1))}
		if d.Locate(q) == lattice.Inside {
			return q, true
		}
	}
	return q, false
}
