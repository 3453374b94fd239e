package main

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// floorDifference holds the parts in only one of two floors of a level, in the coordinates of the first.
type floorDifference struct {
	only [2][]lattice.Polygon
	area [2]float64 // of these, m²
	// largest is the area of the largest piece in only one floor, at is a place on its border.
	largest float64
	at      geom.Vec
}

// newFloorDifference compares two floors by exact overlay of every layer of one with every layer of the other.
//
// Floors over the same ground may differ. But two floors over each other are the agent's height apart, and along
// a floor no step is higher than a climb; So a connected piece of ground in a layer of each floor is the same
// floor either everywhere or nowhere, as long as an agent is more than twice as high as it climbs. The heights at
// the corners of the piece decide by majority: near half of the agent's height apart is the same floor.
//
// Corners of the pieces are rounded to the lattice, so that areas are right to a unit times the length of the
// borders. Time O(k · l) overlays for k and l layers.
func newFloorDifference(a, b *plan.Plan) (*floorDifference, error) {
	b, err := inFrame(b, a.Frame)
	if err != nil {
		return nil, err
	}
	plans := [2]*plan.Plan{a, b}
	var rings [2][][]lattice.Ring  // by layer
	var common [2][][]lattice.Ring // the parts in both floors
	var floors [2][]*lattice.Sampler
	for k, p := range plans {
		rings[k], common[k] = make([][]lattice.Ring, len(p.Layers)), make([][]lattice.Ring, len(p.Layers))
		for l := range p.Layers {
			floors[k] = append(floors[k], lattice.NewSampler(&p.Layers[l].Floor))
			for d := range p.Layers[l].Domains {
				rings[k][l] = append(rings[k][l], p.Layers[l].Domains[d].Rings...)
			}
		}
	}
	near := a.Agent.Height / 2 * lattice.UnitsPerMetre
	for i := range rings[0] {
		for j := range rings[1] {
			pieces, err := overlay.Intersection(rings[0][i], rings[1][j])
			if err != nil {
				return nil, err
			}
			for _, p := range pieces {
				if sameFloor(p, floors[0][i], floors[1][j], near) {
					common[0][i] = append(common[0][i], p.Rings...)
					common[1][j] = append(common[1][j], p.Rings...)
				}
			}
		}
	}
	d := &floorDifference{}
	for k := range rings {
		for l := range rings[k] {
			pieces, err := overlay.Difference(rings[k][l], common[k][l])
			if err != nil {
				return nil, err
			}
			for _, p := range pieces {
				d.add(k, p, a.Frame, floors[k][l])
			}
		}
	}
	return d, nil
}

// add adds a piece in floor k only.
func (d *floorDifference) add(k int, p lattice.Polygon, frame lattice.Frame, floor *lattice.Sampler) {
	area := lattice.SquareMetres(p.Area2())
	d.only[k] = append(d.only[k], p)
	d.area[k] += area
	if area > d.largest {
		d.largest = area
		at := p.Rings[0][0]
		z, _ := heightAt(floor, at)
		d.at = frame.ToWorld(at, int32(z))
	}
}

// sameFloor reports whether two floors are near each other at most corners of a piece of ground that both have.
func sameFloor(p lattice.Polygon, a, b *lattice.Sampler, near float64) bool {
	votes := 0
	for _, ring := range p.Rings {
		for _, q := range ring {
			za, ina := heightAt(a, q)
			zb, inb := heightAt(b, q)
			switch {
			case !ina || !inb: // beside a crack that is stepped over
			case math.Abs(za-zb) <= near:
				votes++
			default:
				votes--
			}
		}
	}
	return votes > 0
}

// heightAt is the height of a floor that a layer has at most once, or the height of its nearest edge if near.
func heightAt(floor *lattice.Sampler, q lattice.Point) (float64, bool) {
	const reach = 256 // units: as far as floors are stepped over cracks
	return floor.HeightBelow(float64(q.X), float64(q.Y), math.Inf(1), reach)
}

// inFrame returns a plan with its layers in the coordinates of another frame.
func inFrame(p *plan.Plan, f lattice.Frame) (*plan.Plan, error) {
	if p.Frame == f {
		return p, nil
	}
	var fault error
	move := func(q lattice.Point, z int32) lattice.Vertex {
		to, height, ok := f.FromWorld(p.Frame.ToWorld(q, z))
		if !ok && fault == nil {
			fault = fmt.Errorf("floors are too far apart to be compared, at %v", p.Frame.ToWorld(q, z))
		}
		return lattice.Vertex{Point: to, Z: height}
	}
	out := *p
	out.Frame, out.Layers = f, make([]plan.Layer, len(p.Layers))
	for l := range p.Layers {
		from, to := &p.Layers[l], &out.Layers[l]
		to.Floor = from.Floor
		to.Floor.Vertices = nil
		for _, v := range from.Floor.Vertices {
			to.Floor.Vertices = append(to.Floor.Vertices, move(v.Point, v.Z))
		}
		for _, d := range from.Domains {
			moved := d
			moved.Rings = make([]lattice.Ring, len(d.Rings))
			for r, ring := range d.Rings {
				for _, q := range ring {
					moved.Rings[r] = append(moved.Rings[r], move(q, 0).Point)
				}
			}
			to.Domains = append(to.Domains, moved)
		}
	}
	return &out, fault
}
