package experiment

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// World is the floor of a trial: a square with obstacles.
type World struct {
	Name   string
	Domain *plan.Domain
}

// Plan returns the world as a plan of one layer, for a point agent: the obstacles of the experiments are
// configuration space already.
func (w World) Plan() *plan.Plan {
	return &plan.Plan{
		Agent:      geom.Agent{Radius: geom.PointRadius, MaxGap: geom.LeastGap}.WithDefaults(),
		Layers:     []plan.Layer{{Domains: []plan.Domain{*w.Domain}}},
		Components: 1,
	}
}

// Obstacle says how one obstacle of a world is made.
type Obstacle struct {
	Shape Shape
	Turn  Turn
	// Weight is the area relative to the others' weights, above 0; a draw varies it from half to three halves.
	Weight float64
}

// Rules say how worlds are made. The same rules and seed give the same world on every machine.
type Rules struct {
	Side       float64 // of the square, metres, above 0
	Obstructed float64 // the share of the square that obstacles take, 0 to below 1; corners are rounded to the lattice
	Gap        float64 // the least distance of obstacles from each other and from the border, metres
	Obstacles  []Obstacle
}

// The number of places that are tried for an obstacle, and of worlds for a seed. Worlds of the experiments
// seldom need a second one.
const (
	placesTried = 400
	worldsTried = 200
)

var errNoRoom = errors.New("no room")

// Make returns the world of a seed. Obstacles are drawn, largest first, at uniformly random places with room.
// The error names the obstacle without room.
func (r Rules) Make(seed uint64) (*plan.Domain, error) {
	side := math.Floor(r.Side*lattice.UnitsPerMetre + 0.5)
	if !(side >= 1 && side <= lattice.MaxCoord) {
		return nil, fmt.Errorf("experiment: a world with a side of %g m, must be above 0 and at most %g", r.Side, lattice.MaxCoord*lattice.Unit)
	}
	if !(r.Obstructed >= 0 && r.Obstructed < 1 && r.Gap >= 0 && r.Gap <= r.Side) {
		return nil, fmt.Errorf("experiment: a world with %g of it obstructed and gaps of %g m", r.Obstructed, r.Gap)
	}
	for i, o := range r.Obstacles {
		if o.Shape >= shapes || o.Turn > Any || !(o.Weight > 0 && o.Weight < math.MaxFloat32) {
			return nil, fmt.Errorf("experiment: obstacle %d is a %v with turn %d and weight %g", i, o.Shape, o.Turn, o.Weight)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	var err error
	for range worldsTried {
		var d *plan.Domain
		if d, err = r.draw(rng, int32(side)); err == nil {
			return d, nil
		}
	}
	return nil, fmt.Errorf("experiment: seed %d: %w", seed, err)
}

// draw makes one attempt at a world.
func (r Rules) draw(rng *rand.Rand, side int32) (*plan.Domain, error) {
	world := direction(rng)
	areas := make([]float64, len(r.Obstacles))
	sum := 0.0
	for i, o := range r.Obstacles {
		areas[i] = o.Weight * (0.5 + rng.Float64())
		sum += areas[i]
	}
	order := make([]int, len(areas))
	for i := range order {
		areas[i] *= r.Obstructed * float64(side) * float64(side) / sum
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case areas[a] > areas[b]:
			return -1
		case areas[a] < areas[b]:
			return 1
		}
		return 0
	})
	gap := int64(math.Floor(r.Gap*lattice.UnitsPerMetre + 0.5))
	rings := []lattice.Ring{{{}, {X: side}, {X: side, Y: side}, {Y: side}}}
	for _, i := range order {
		o := r.Obstacles[i]
		outline := o.Shape.outline(rng)
		outline.fit(areas[i])
		outline.turn(o.Turn.direction(rng, world))
		ring, ok := place(rng, outline, rings, side, gap)
		if !ok {
			return nil, fmt.Errorf("obstacle %d, a %v of %.4g m²: %w", i, o.Shape, areas[i]*lattice.Unit*lattice.Unit, errNoRoom)
		}
		rings = append(rings, ring)
	}
	d := domainOf(rings)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d, nil
}

// domainOf returns the domain with these rings, all edges walls.
func domainOf(rings []lattice.Ring) *plan.Domain {
	d := &plan.Domain{Polygon: lattice.Polygon{Rings: rings}}
	for _, ring := range rings {
		edges := make([]plan.ChainID, len(ring))
		for i := range edges {
			edges[i] = plan.Wall
		}
		d.Edges = append(d.Edges, edges)
	}
	return d
}

// place looks for a place where the outline is at least gap away from the rings, border first, and returns
// the outline there as a hole.
func place(rng *rand.Rand, o outline, rings []lattice.Ring, side int32, gap int64) (lattice.Ring, bool) {
	low, high := o.box()
	for range placesTried {
		// All places inside of the border, or none at all where the outline is larger than that.
		width, height := float64(side)-(high.x-low.x), float64(side)-(high.y-low.y)
		at := vec{x: float64(rng.Float64()*width) - low.x, y: float64(rng.Float64()*height) - low.y}
		if width <= 0 || height <= 0 {
			return nil, false
		}
		if ring := o.hole(at); hasRoom(ring, rings, gap) {
			return ring, true
		}
	}
	return nil, false
}

// hasRoom tells whether a hole lies inside of the first ring, outside of the others, and at least gap
// units away from all.
func hasRoom(hole lattice.Ring, rings []lattice.Ring, gap int64) bool {
	for i, ring := range rings {
		if inside := ring.Locate(hole[0]) == lattice.Inside; inside != (i == 0) {
			return false
		}
		if i > 0 && hole.Locate(ring[0]) != lattice.Outside {
			return false
		}
		for j, a := range hole {
			b := hole[(j+1)%len(hole)]
			for k, c := range ring {
				d := ring[(k+1)%len(ring)]
				if lattice.SegmentsDistance2(a, b, c, d).CompareInt(uint64(max(1, gap*gap))) < 0 {
					return false
				}
			}
		}
	}
	return true
}
