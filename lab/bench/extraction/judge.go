package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/level"
)

// verdict is the result of a level.
type verdict struct {
	made  made
	fault error
	empty bool // no floor, correctly reported

	layers, components, vertices, regions int
	area                                  float64 // m²
	extract, decompose                    time.Duration
}

// noFloor are the beginnings of errors for a level without a floor.
var noFloor = []string{"no floor with room for the agent's height", "no place for the agent's radius", "faces up within", meadow.ErrNoFloor.Error()}

// mostLost is the largest area that a method may lose to a metre of border, in square metres. A cut that ends on a border ends
// on the lattice, at most 0.71 units beside the border. Areas in reports are exact up to rounding, in square metres.
const (
	mostLost = 0.71 * lattice.Unit
	rounding = 1e-6
)

// every eighth level is extracted once more, in another order and with several jobs.
const every = 8

// pocket is the area of a component, in square metres, that truths on paper do not count: a place in a corner where the disc
// of an agent just fits, as wide as the tolerance of round borders. A point fits everywhere.
const pocket = 0.05 * 0.05

// components returns the number of components of a plan; for an agent with a radius, the number of components larger
// than a pocket.
func components(p *plan.Plan) int {
	if p.Agent.Radius == 0 {
		return p.Components
	}
	area := make([]float64, p.Components)
	for i := range p.Layers {
		for k := range p.Layers[i].Domains {
			d := &p.Layers[i].Domains[k]
			area[d.Component] += lattice.SquareMetres(d.Area2())
		}
	}
	n := 0
	for _, a := range area {
		if a > pocket {
			n++
		}
	}
	return n
}

// judge finds the floor of a level, makes a mesh of it, and checks that
//   - there is a floor, or an error reports that there is none;
//   - components of more than a pocket are as many as known on paper, if known;
//   - domains are valid polygons, and no two of a layer overlap (by exact overlay);
//   - the edges of a seam are edges of the domains on both of its sides, each once;
//   - components are numbered without a gap, and every one has a domain;
//   - the plan does not depend on the order of the triangles or on jobs;
//   - the mesh has no fault and as many components as the plan. The mesh covers the area of the domains less the lost area
//     in the report, which is at most mostLost for each metre of border. The mesh can be written and read.
func judge(ctx context.Context, m made, opt options) verdict {
	v := verdict{made: m}
	opt.floor.Agent = m.agent
	start := time.Now()
	floor, err := meadow.FindFloor(ctx, m.level, opt.floor)
	v.extract = time.Since(start)
	if err != nil {
		v.empty = slices.ContainsFunc(noFloor, func(said string) bool { return strings.Contains(err.Error(), said) })
		if !v.empty {
			v.fault = fmt.Errorf("extraction: %w", err)
		}
		return v
	}
	p := floor.Plan
	if v.fault = checkPlan(p); v.fault != nil {
		return v
	}
	border := 0.0 // metres
	for _, l := range p.Layers {
		for i := range l.Domains {
			v.vertices += l.Domains[i].Len()
			v.area += lattice.SquareMetres(l.Domains[i].Area2())
			for _, ring := range l.Domains[i].Rings {
				for k, a := range ring {
					border += a.Distance(ring[(k+1)%len(ring)]) * lattice.Unit
				}
			}
		}
	}
	v.layers, v.components = len(p.Layers), p.Components
	if n := components(p); m.components > 0 && n != m.components {
		v.fault = fmt.Errorf("components: %d, on paper %d", n, m.components)
		return v
	}
	if m.number%every == 0 {
		other := opt.floor
		other.Jobs = 3
		again, err := meadow.FindFloor(ctx, shuffled(m.level, m.number), other)
		if err != nil {
			v.fault = fmt.Errorf("extraction in another order: %w", err)
			return v
		}
		if !reflect.DeepEqual(p, again.Plan) {
			v.fault = fmt.Errorf("the plan depends on the order of the triangles or on jobs")
			return v
		}
	}
	start = time.Now()
	mesh, err := floor.Mesh(ctx, opt.mesh)
	v.decompose = time.Since(start)
	if err != nil {
		v.fault = fmt.Errorf("%s: %w", opt.method, err)
		return v
	}
	v.regions = mesh.Report().Regions
	v.fault = checkMesh(mesh, v.area, border, p.Components)
	return v
}

// shuffled returns the level with its triangles in another order.
func shuffled(lvl *level.Level, seed uint64) *level.Level {
	out := *lvl
	out.Triangles = slices.Clone(lvl.Triangles)
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(out.Triangles), func(i, j int) { out.Triangles[i], out.Triangles[j] = out.Triangles[j], out.Triangles[i] })
	return &out
}

// checkPlan returns the first broken promise of a plan, or nil.
func checkPlan(p *plan.Plan) error {
	uses := make([][2][]int, len(p.Chains)) // by chain, side and edge
	for i := range p.Chains {
		for side := range 2 {
			uses[i][side] = make([]int, len(p.Chains[i].Points)-1)
		}
	}
	seen := make([]bool, p.Components)
	for l := range p.Layers {
		layer := &p.Layers[l]
		var rings []lattice.Ring
		for d := range layer.Domains {
			dom := &layer.Domains[d]
			if err := dom.Validate(); err != nil {
				return fmt.Errorf("plan: layer %d, domain %d: %w", l, d, err)
			}
			if c := dom.Component; c < 0 || int(c) >= p.Components {
				return fmt.Errorf("plan: layer %d, domain %d: component %d of %d", l, d, c, p.Components)
			}
			seen[dom.Component] = true
			rings = append(rings, dom.Rings...)
			for r, ring := range dom.Rings {
				for i, id := range dom.Edges[r] {
					if id == plan.Wall {
						continue
					}
					here := plan.DomainID{Layer: int32(l), Domain: int32(d)}
					if err := use(&p.Chains[id], uses[id], ring[i], ring[(i+1)%len(ring)], here); err != nil {
						return fmt.Errorf("plan: layer %d, domain %d: chain %d: %w", l, d, id, err)
					}
				}
			}
		}
		arranged, err := overlay.Arrange(rings)
		if err != nil {
			return fmt.Errorf("plan: layer %d: %w", l, err)
		}
		if twice := arranged.Polygons(func(w overlay.Winding) bool { return w[0] > 1 }); len(twice) > 0 {
			return fmt.Errorf("plan: layer %d covers %v twice", l, twice[0].Rings[0][0])
		}
	}
	for id := range uses {
		for side, edges := range uses[id] {
			for i, n := range edges {
				if n != 1 {
					c := &p.Chains[id]
					return fmt.Errorf("plan: chain %d: edge %v %v is used %d times on side %d", id, c.Points[i], c.Points[i+1], n, side)
				}
			}
		}
	}
	if c := slices.Index(seen, false); c >= 0 {
		return fmt.Errorf("plan: component %d of %d has no domain", c, p.Components)
	}
	return nil
}

// use counts the edge from a to b of a domain as one of a chain.
func use(c *plan.Chain, uses [2][]int, a, b lattice.Point, here plan.DomainID) error {
	for i := range len(c.Points) - 1 {
		switch from, to := c.Points[i], c.Points[i+1]; {
		case from == a && to == b && c.Left == here:
			uses[0][i]++
			return nil
		case from == b && to == a && c.Right == here:
			uses[1][i]++
			return nil
		}
	}
	return fmt.Errorf("it has no edge %v %v on that side", a, b)
}

// checkMesh returns the fault of a mesh that should cover an area (m²) with a border (m), or nil.
func checkMesh(m *meadow.Mesh, area, border float64, components int) error {
	if faults := m.Mesh.Validate(); len(faults) > 0 {
		return fmt.Errorf("mesh: %d faults: %v", len(faults), faults[0])
	}
	r := m.Report()
	// A cell may also gain a sliver, where a cut that ends on the lattice is beside a wall: less is lost then.
	if math.Abs(r.Area+r.Lost-area) > rounding || r.Lost > mostLost*border {
		return fmt.Errorf("mesh: covers %.9g of %.9g m², %g m² reported lost", r.Area, area, r.Lost)
	}
	if r.Components != components {
		return fmt.Errorf("mesh: %d components, the plan has %d", r.Components, components)
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		return fmt.Errorf("mesh: writing: %w", err)
	}
	if _, err := meadow.Read(&file); err != nil {
		return fmt.Errorf("mesh: reading: %w", err)
	}
	return nil
}
