package divide

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Heights says how high the floors of a plan are. The plan's domains may be copied, and their floors are the
// same. Safe for any number of goroutines.
type Heights struct {
	plan   *plan.Plan
	height float64 // of the agent, in lattice units
	floors []func() *lattice.Sampler
	mutex  sync.Mutex
	known  map[*plan.Domain]corners
}

// corners are the corners of a domain with their heights, ordered by X, then Y.
type corners []lattice.Vertex

// NewHeights returns the heights of p.
func NewHeights(p *plan.Plan) *Heights {
	h := &Heights{plan: p, height: p.Agent.Height * lattice.UnitsPerMetre, known: map[*plan.Domain]corners{}}
	for l := range p.Layers {
		h.floors = append(h.floors, sync.OnceValue(func() *lattice.Sampler { return lattice.NewSampler(&p.Layers[l].Floor) }))
	}
	return h
}

// At returns the height of the floor of a domain at a point in or near it, 0 for a domain without heights.
// Heights come from the domain's border and from the layer's floor. The layer may have several storeys at one
// place; the floor is searched below the height within reach.
func (h *Heights) At(layer int32, d *plan.Domain, p lattice.Point) int32 {
	if d.Heights == nil {
		return 0
	}
	near, known := h.of(d).nearest(p)
	if near == 0 {
		return known
	}
	floor := h.floors[layer]()
	limit := float64(known) + h.height/2 + math.Sqrt(float64(near))
	for reach := 0.0; reach <= 2*lattice.UnitsPerMetre; reach = 4 * max(reach, 1) {
		if z, ok := floor.HeightBelow(float64(p.X), float64(p.Y), limit, reach); ok {
			return int32(math.Floor(z + 0.5))
		}
	}
	return known
}

// of returns the corners of a domain, listed when first asked for.
func (h *Heights) of(d *plan.Domain) corners {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	list, ok := h.known[d]
	if !ok {
		for r, ring := range d.Rings {
			for i, q := range ring {
				list = append(list, lattice.Vertex{Point: q, Z: d.Heights[r][i]})
			}
		}
		slices.SortStableFunc(list, func(a, b lattice.Vertex) int { return a.Compare(b.Point) })
		h.known[d] = list
	}
	return list
}

// nearest returns how far away the nearest corner is, squared, and how high. Time O(k) for the k corners
// that are no farther in X.
func (c corners) nearest(p lattice.Point) (distance2 uint64, z int32) {
	distance2 = math.MaxUint64
	look := func(i int) bool { // reports whether nearer corners may follow
		v := &c[i]
		across := int64(v.X) - int64(p.X)
		if uint64(across*across) > distance2 {
			return false
		}
		if d := p.Distance2(v.Point); d < distance2 {
			distance2, z = d, v.Z
		}
		return true
	}
	from, _ := slices.BinarySearchFunc(c, p.X, func(v lattice.Vertex, x int32) int { return cmp.Compare(v.X, x) })
	for i := from; i < len(c) && look(i); i++ {
	}
	for i := from - 1; i >= 0 && look(i); i-- {
	}
	return distance2, z
}
