package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Repulsors and attractors.
//
// Source: S. Brand, thesis, 2009, sections 2.3 and 6.1.
//
// Idea: Everything to keep away from is a repulsor: travellers, obstacles, and hazards, which are stronger. Everything to come
// to is an attractor: way-points ahead, and places to hide, which are out of the sight of all enemies.
//
// Guarantees:
//  1. A repulsor acts within its reach only, away from it, and more the nearer it is; a hazard of more strength wins over a
//     weaker one (TestRepulsors).
//  2. An attractor pulls towards itself within its reach (TestAttractors).
//  3. A hiding place is out of sight of every enemy, and the nearest of them (TestHiding).
//
// Degenerate cases: who stands on the middle of a repulsor goes on as it faces, and else along x. No place to hide is -1.
//
// Cost: O(n) for n of them, and n·k sights for n places and k enemies.
//
// Departures: the source gives neither formulas nor strengths; forces are linear in the distance.

// Repulsor keeps movers away from a disc.
type Repulsor struct {
	At     geom.Vec
	Radius float64 // metres
	// Reach is the distance in metres between the bodies at which the force begins; Strength the force at contact.
	Reach, Strength float64
}

// Attractor pulls movers to a place.
type Attractor struct {
	At geom.Vec
	// Reach is the distance in metres up to which the attractor pulls; Strength the force. Within Brake metres the force falls
	// linearly to none.
	Reach, Brake, Strength float64
}

// Repel returns the sum of the forces of repulsors.
func Repel(m *Mover, list []Repulsor) geom.Vec {
	var sum geom.Vec
	for i := range list {
		r := &list[i]
		away := level(m.At.Sub(r.At))
		d := away.Norm()
		near := nearness(d-m.Radius-r.Radius, r.Reach)
		if near == 0 {
			continue
		}
		if d == 0 {
			if away = m.Heading(); away == (geom.Vec{}) {
				away = geom.Vec{X: 1}
			}
		}
		sum = sum.Add(flat(away).Scale(r.Strength * near))
	}
	return level(sum)
}

// Attract returns the sum of the forces of attractors.
func Attract(m *Mover, list []Attractor) geom.Vec {
	var sum geom.Vec
	for i := range list {
		a := &list[i]
		way := level(a.At.Sub(m.At))
		d := way.Norm()
		if !(d <= a.Reach) {
			continue
		}
		pull := a.Strength
		if d < a.Brake {
			pull *= d / a.Brake
		}
		sum = sum.Add(flat(way).Scale(pull))
	}
	return level(sum)
}

// Hide returns the index of the spot nearest to the mover, in a straight line, that no enemy within a reach in metres sees;
// -1 if every spot is seen. Of equally near spots the first one wins.
func Hide(m *Mover, spots, enemies []geom.Vec, reach float64, walls Walls) int {
	best, least := -1, math.Inf(1)
	for i, spot := range spots {
		d := m.At.DistXZ(spot)
		if !(d < least) || exposed(spot, enemies, reach, walls) {
			continue
		}
		best, least = i, d
	}
	return best
}

func exposed(spot geom.Vec, enemies []geom.Vec, reach float64, walls Walls) bool {
	for _, e := range enemies {
		if e.DistXZ(spot) > reach {
			continue
		}
		if walls == nil {
			return true
		}
		if free, _ := walls.Ray(e, spot); free >= 1 {
			return true
		}
	}
	return false
}
