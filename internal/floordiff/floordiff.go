// Package floordiff compares two floors of a level: the ground in only one of the two.
//
// Idea: an exact overlay of every layer of one plan with every layer of the other. Two floors over the same ground need not
// be the same floor. But floors over each other are the agent's height apart, and no step along a floor is higher than a
// climb. So a connected piece of common ground is the same floor everywhere or nowhere, for an agent more than twice as high
// as its climb. The heights at the corners of the piece decide by majority: at most half of the agent's height apart is the
// same floor.
//
// Guarantees: areas are right up to a lattice unit times the length of the borders, because corners of pieces are rounded to
// the lattice: TestFloorDifference, TestFloorDifferenceIsSymmetric.
//
// Cost: O(k · l) overlays for k and l layers.
package floordiff

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Difference is the floor in only one of two plans of a level, in the coordinates of the first plan.
type Difference struct {
	Only [2][]lattice.Polygon
	Area [2]float64 // of these polygons, m²
	// Largest is the area of the largest piece in only one plan, in m²; At is a place on the piece's border.
	Largest float64
	At      geom.Vec
}

// Compare returns the difference of two plans of a level. The error names a place where the frames are too far apart.
func Compare(a, b *plan.Plan) (*Difference, error) {
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
	d := &Difference{}
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
func (d *Difference) add(k int, p lattice.Polygon, frame lattice.Frame, floor *lattice.Sampler) {
	area := lattice.SquareMetres(p.Area2())
	d.Only[k] = append(d.Only[k], p)
	d.Area[k] += area
	if area > d.Largest {
		d.Largest = area
		at := p.Rings[0][0]
		z, _ := heightAt(floor, at)
		d.At = frame.ToWorld(at, int32(z))
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

// heightAt returns the height of a layer's floor at a point, or the height of the nearest edge within reach.
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
