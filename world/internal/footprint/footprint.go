// Package footprint finds the floor that solids take from an agent.
//
// Source: the definition is the project's own; growth by the radius follows build/exact. A disc rolled around a polygon is
// the Minkowski sum of T. Lozano-Pérez, Spatial planning: a configuration space approach, IEEE Transactions on
// Computers C-32 (1983).
//
// Idea: an agent with its feet at a place stands in an upright open cylinder from its climb to its height above the
// floor. The agent is blocked where a solid meets the cylinder. Seen from above, the blocked places of a level floor are the
// part of the solid in the slab between both heights, grown by the agent's radius. For an upright prism the slab matters
// only as a whole: its outline is grown once, and a range of floor heights tells which floor it is for.
//
// Input: a [Shape] and an agent; or a [Shape] that changes the floor inside it, which is not grown and has no slab.
//
// Guarantees:
//  1. [Footprint.Blocks] is the definition: TestBlocksAgainstSampling, TestMeshBlocksAgainstSampling.
//  2. The outline holds every blocked place, but for two units of rounding, and no place farther from the blocked places than
//     [Footprint.Slack] and two units: TestLevelAgainstBlocks, TestUnevenAgainstBlocks. Straight sides are exact. For a mesh of
//     triangles the outline may be 16 units farther: TestMeshLevelAgainstBlocks, TestMeshUnevenAgainstBlocks.
//  3. The same shape gives the same points, moved with the frame: TestFramesDoNotMatter.
//  4. Touching is free, also after rounding: a solid as high as the climb, or as far up as the agent is high, takes nothing from
//     lattice floors: TestTouchingIsFree.
//
// Degenerate cases: solids thinner than the lattice are sheets, wires or points, which block agents with a radius. For an agent
// without a radius they take nothing.
//
// Cost: a box or a cylinder O(k log k) for k corners of its outline; other outlines as [overlay.Offset]. A cylinder of 1 m has
// 10 corners for an agent of 0.6 m, and a box 8: TestCorners. A mesh costs an arrangement of its triangles in the slab; the
// latest 8 outlines are remembered.
//
// Departures: circumscribed outlines have the least number of corners instead of halves of a corner, where the shape is a
// cylinder; meshes have fewer corners than their growth (sharpen.go).
package footprint

import (
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Tolerance is the maximum distance of an outline around a corner beyond the radius, in metres, as in build/exact. Around a
// cylinder in the way of an agent the outline may go farther: a sixteenth of both radii together, RoundTolerance at most.
// Each corner of such an outline costs a region, and a circle of 1.6 m has 10 corners instead of 13.
const (
	Tolerance      = 0.05
	RoundTolerance = 0.1
)

var errOutside = errors.New("the solid, grown by the agent's radius, leaves the frame of the mesh")

const tolerance = Tolerance * lattice.UnitsPerMetre

// leastStep is the least climb in lattice units. Rounding makes steps of this height in level floors: see build/exact.
const leastStep = 2

// Footprint is the floor that a shape takes from an agent, or the floor inside a shape. Any number of goroutines may ask it.
type Footprint struct {
	// Box holds all places that the footprint can take; empty if there is none.
	Box lattice.Box
	// Only floor with Low < height < High is taken, in lattice units.
	Low, High int32

	shape  Shape
	volume bool
	radius float64 // of the agent, in lattice units
	// The body is from climb to height above the feet, in lattice units. Both are 0 for a volume.
	climb, height int32
	outline       []lattice.Ring // of a prism, grown
	sections      *sections      // of a mesh
}

// Obstacle returns the footprint of a solid for an agent, whose fields are taken as they are. An error says that the outline
// leaves the frame, or that the agent is invalid.
func Obstacle(s Shape, agent geom.Agent) (*Footprint, error) {
	if err := agent.Validate(); err != nil {
		return nil, err
	}
	f := &Footprint{shape: s, radius: agent.Radius * lattice.UnitsPerMetre}
	// Rounding up the one and down the other keeps what touches apart: round(h+c) - round(h) is at most ⌈c⌉.
	f.climb = max(int32(math.Ceil(agent.MaxClimb*lattice.UnitsPerMetre)), leastStep)
	f.height = max(int32(math.Floor(agent.Height*lattice.UnitsPerMetre)), f.climb+1)
	f.Low, f.High = s.low-f.height, s.high-f.climb
	return f.grown()
}

// Volume returns the floor inside a closed solid, for any agent. An error says that a mesh is not closed.
func Volume(s Shape) (*Footprint, error) {
	f := &Footprint{shape: s, volume: true, Low: s.low - 1, High: s.high + 1}
	return f.grown()
}

func (f *Footprint) grown() (*Footprint, error) {
	if err := f.grow(); err != nil {
		return nil, err
	}
	return f, nil
}

// grow makes the outline and the box.
func (f *Footprint) grow() error {
	s := &f.shape
	offset := overlay.Offset{Distance: f.radius, Join: overlay.Round, Tolerance: tolerance}
	switch {
	case s.kind == triangles:
		return f.growMesh()
	case s.kind == round:
		if r := around(s.corners[0], s.radius+f.radius, f.Slack()); len(r) > 0 {
			f.outline = []lattice.Ring{r}
		} else if r == nil {
			return errOutside
		}
	case s.kind == convex && f.radius > 0:
		r, err := offset.Convex(s.corners)
		if err != nil {
			return errOutside
		}
		if r != nil {
			f.outline = []lattice.Ring{r}
		}
	case s.kind == convex:
		if len(s.corners) > 2 {
			f.outline = []lattice.Ring{s.corners}
		}
	case s.kind == prism && f.radius > 0:
		polygons, err := offset.Polygons([]lattice.Polygon{{Rings: []lattice.Ring{s.outline}}})
		if err != nil {
			return errOutside
		}
		f.outline = ringsOf(polygons)
	case s.kind == prism:
		f.outline = []lattice.Ring{s.outline}
	default:
		return errors.New("footprint: a shape that no function made")
	}
	f.Box = lattice.EmptyBox()
	for _, r := range f.outline {
		f.Box = f.Box.Union(r.Box())
	}
	return nil
}

// growMesh makes the box of a mesh, whose outlines depend on the height.
func (f *Footprint) growMesh() error {
	m := f.shape.mesh
	f.sections = &sections{}
	f.Box = m.box
	if f.volume {
		if !m.closed {
			return fmt.Errorf("the mesh is open between vertices %v and %v: no inside", m.open[0], m.open[1])
		}
		return nil
	}
	if !f.isPoint() {
		by := f.radius + tolerance + 2*blunt
		for _, p := range [2]*lattice.Point{&f.Box.Min, &f.Box.Max} {
			var in bool
			if *p, in = pointAt(float64(p.X)-by, float64(p.Y)-by); !in {
				return errOutside
			}
			by = -by
		}
	}
	return nil
}

// Slack returns how far the outline may be beyond the blocked places, in lattice units: see [Tolerance].
func (f *Footprint) Slack() float64 {
	if f.shape.kind != round || f.volume {
		return tolerance
	}
	return min(max((f.shape.radius+f.radius)/16, tolerance), RoundTolerance*lattice.UnitsPerMetre)
}

// around returns a regular polygon around the circle of a radius, with corners no farther beyond the circle than a bound: nil
// outside of the frame, and empty where rounding leaves no area.
func around(middle lattice.Point, radius, bound float64) lattice.Ring {
	n := sides(radius, bound)
	// The first corner is half a turn's nth from the east, and each is two such angles from the one before.
	sin, cos := geom.Sincos(math.Pi / float64(n))
	sin2, cos2 := 2*float64(sin*cos), float64(cos*cos)-float64(sin*sin)
	x, y := radius, radius*(sin/cos)
	points := make([]lattice.Point, n)
	for i := range points {
		var ok bool
		if points[i], ok = pointAt(float64(middle.X)+x, float64(middle.Y)+y); !ok {
			return nil
		}
		x, y = float64(x*cos2)-float64(y*sin2), float64(x*sin2)+float64(y*cos2)
	}
	if r := lattice.Hull(points); len(r) > 2 {
		return r
	}
	return lattice.Ring{}
}

// sides returns how many sides of a regular polygon around a circle, 4 at least, leave its corners no farther beyond the circle
// than a bound: cos(π/n) is radius/(radius+bound) at least. Since 1 - cos(π/n) is 2·sin²(π/2n), and the sine is below its angle,
// the number is enough, and hardly above the least.
func sides(radius, bound float64) int {
	return max(4, int(math.Ceil(math.Pi/2/math.Sqrt(bound/2/(radius+bound)))))
}

// Level returns the outline that the footprint takes from floor whose heights are all from low to high, in lattice units.
// The rings wind around the taken places more often counter-clockwise than clockwise. ok is false where the outline depends
// on the height within the range: see [Footprint.Uneven]. The caller must not change the rings.
func (f *Footprint) Level(low, high int32) (rings []lattice.Ring, ok bool) {
	switch {
	case high <= f.Low || low >= f.High:
		return nil, true
	case f.shape.kind == triangles:
		return f.levelOfMesh(low, high)
	case f.Low < low && high < f.High:
		return f.outline, true
	}
	return nil, false
}

// Blocks reports whether the footprint takes a place of floor at a height in lattice units: the definition, without any
// rounding of outlines. Time O(n) for a shape of n corners.
func (f *Footprint) Blocks(at lattice.Point, height float64) bool {
	if f.volume {
		if height < float64(f.shape.low) || height > float64(f.shape.high) {
			return false
		}
	} else if height <= float64(f.Low) || height >= float64(f.High) {
		return false
	}
	s := &f.shape
	switch s.kind {
	case triangles:
		return f.meshBlocks(at, height)
	case round:
		d := at.Distance(s.corners[0])
		return d < s.radius+f.radius || f.volume && d == s.radius
	case convex, prism:
		ring := s.corners
		if s.kind == prism {
			ring = s.outline
		}
		switch ring.Locate(at) {
		case lattice.Inside:
			return true
		case lattice.OnBoundary:
			return f.volume || f.radius > 0
		}
		for i, a := range ring {
			if lattice.SegmentDistance2(at, a, ring[(i+1)%len(ring)]).Sqrt() < f.radius {
				return true
			}
		}
	}
	return false
}

func ringsOf(polygons []lattice.Polygon) []lattice.Ring {
	var rings []lattice.Ring
	for i := range polygons {
		rings = append(rings, polygons[i].Rings...)
	}
	return rings
}
