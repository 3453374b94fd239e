package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// The obstacles are cylinders as RecastDemo sets them: half a metre deep in the floor, so that rounded heights matter to
// nobody.
const (
	cylinderRadius = 1.0
	cylinderHeight = 2.0
	cylinderDepth  = 0.5
	// aside is the distance of the ends of a path from the middle of the obstacle between them.
	aside = 3.0
)

// place is an obstacle that comes and moves by its own size, and two places on the floor beside the obstacle.
type place struct {
	at, moved geom.Vec // on the floor; moved is a diameter away, or as far as the floor reaches
	a, b      geom.Vec
	beside    bool // a and b are outside of the obstacle grown by the agent's radius
}

// base is the middle of the bottom of the obstacle at a place.
func base(at geom.Vec) geom.Vec {
	at.Y -= cylinderDepth
	return at
}

// drawPlaces draws places uniformly over the mesh. The ends of the path lie on opposite sides, along the one of several random
// directions in which an agent can go farthest both ways; the obstacle moves across, to the side where the floor reaches farther.
func drawPlaces(q *query.Query, radius float64, count int, seed uint64) ([]place, error) {
	const directions = 16
	rng := rand.New(rand.NewPCG(seed, 17))
	q.Flat = false
	all := make([]place, count)
	for i := range all {
		from, ok := q.RandomPoint(rng)
		if !ok {
			return nil, fmt.Errorf("the mesh has no area")
		}
		p := place{at: from.Point}
		best := -1.0
		for range directions {
			sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
			a, err := reach(q, from, geom.Vec{X: cos, Z: sin}, aside)
			if err != nil {
				return nil, err
			}
			b, err := reach(q, from, geom.Vec{X: -cos, Z: -sin}, aside)
			if err != nil {
				return nil, err
			}
			free := min(flat(a, p.at), flat(b, p.at))
			if free <= best {
				continue
			}
			best = free
			p.a, p.b = a, b
			p.moved = p.at
			for _, across := range []geom.Vec{{X: -sin, Z: cos}, {X: sin, Z: -cos}} {
				end, err := reach(q, from, across, 2*cylinderRadius)
				if err != nil {
					return nil, err
				}
				if flat(end, p.at) > flat(p.moved, p.at)+0.01 {
					p.moved = end
				}
			}
			if best > aside-0.01 {
				break
			}
		}
		p.beside = best > cylinderRadius+radius+0.01
		all[i] = p
	}
	return all, nil
}

// reach returns how far an agent can go straight in a direction, up to a distance.
func reach(q *query.Query, from query.Position, direction geom.Vec, distance float64) (geom.Vec, error) {
	ray, err := q.Raycast(from, from.Point.Add(direction.Scale(distance)))
	return ray.End.Point, err
}

// flat returns the distance as seen from above.
func flat(a, b geom.Vec) float64 { return math.Hypot(a.X-b.X, a.Z-b.Z) }
