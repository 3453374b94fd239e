package footprint

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

const (
	// MaxOutline is the maximum number of points of a prism's outline.
	MaxOutline = 1 << 16
	// MaxTriangles is the maximum number of triangles of a mesh, and of its vertices.
	MaxTriangles = 1 << 20
)

// Shape is a solid on the lattice: an upright prism or a mesh of triangles. Corners are rounded to the lattice, the radius
// of a cylinder is not. A Shape does not change, and has memory of its own.
type Shape struct {
	kind      kind
	low, high int32 // heights
	// corners of a convex outline, counter-clockwise; of a thin box fewer than three. The middle of a cylinder.
	corners lattice.Ring
	radius  float64      // of a cylinder, in lattice units
	outline lattice.Ring // of a prism that is not convex
	mesh    *mesh
}

type kind uint8

const (
	none kind = iota
	convex
	round
	prism
	triangles
)

// NewBox returns a box on the middle of its bottom. The size is along X, Y (up) and Z before the turn by yaw radians around
// the upward axis, counter-clockwise from above.
func NewBox(frame lattice.Frame, base, size geom.Vec, yaw float64) (Shape, error) {
	switch {
	case !base.IsFinite():
		return Shape{}, fmt.Errorf("box: Base is %v, must be finite", base)
	case !(size.X > 0 && size.Y > 0 && size.Z > 0) || !size.IsFinite():
		return Shape{}, fmt.Errorf("box: Size is %v, must be above 0 and finite", size)
	case !finite(yaw):
		return Shape{}, fmt.Errorf("box: Yaw is %g, must be finite", yaw)
	}
	sin, cos := geom.Sincos(yaw)
	x, y, z := frame.Local(base)
	ax, ay := float64(size.X*lattice.UnitsPerMetre/2), float64(size.Z*lattice.UnitsPerMetre/2)
	var corners [4]lattice.Point
	for i, side := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		dx, dy := float64(side[0]*ax), float64(side[1]*ay)
		var ok bool
		if corners[i], ok = pointAt(x+(float64(cos*dx)-float64(sin*dy)), y+(float64(sin*dx)+float64(cos*dy))); !ok {
			return Shape{}, fmt.Errorf("box: the box at %v is beyond the frame of the mesh", base)
		}
	}
	s := Shape{kind: convex, corners: hull(corners[:])}
	var ok bool
	if s.low, s.high, ok = heights(z, z+float64(size.Y*lattice.UnitsPerMetre)); !ok {
		return Shape{}, fmt.Errorf("box: the box at %v is beyond the frame of the mesh", base)
	}
	return s, nil
}

// NewCylinder returns an upright cylinder on the middle of its bottom.
func NewCylinder(frame lattice.Frame, base geom.Vec, radius, height float64) (Shape, error) {
	switch {
	case !base.IsFinite():
		return Shape{}, fmt.Errorf("cylinder: Base is %v, must be finite", base)
	case !(radius > 0) || !finite(radius):
		return Shape{}, fmt.Errorf("cylinder: Radius is %g, must be above 0 and finite", radius)
	case !(height > 0) || !finite(height):
		return Shape{}, fmt.Errorf("cylinder: Height is %g, must be above 0 and finite", height)
	}
	x, y, z := frame.Local(base)
	s := Shape{kind: round, radius: radius * lattice.UnitsPerMetre}
	middle, in := pointAt(x, y)
	_, left := pointAt(x-s.radius, y-s.radius)
	_, right := pointAt(x+s.radius, y+s.radius)
	low, high, over := heights(z, z+float64(height*lattice.UnitsPerMetre))
	if !in || !left || !right || !over {
		return Shape{}, fmt.Errorf("cylinder: the cylinder at %v is beyond the frame of the mesh", base)
	}
	s.corners, s.low, s.high = lattice.Ring{middle}, low, high
	return s, nil
}

// NewPrism returns an upright prism over an outline of either direction, whose heights do not count. The outline may repeat
// a point in a row, such as the first at the end. Once rounded it must be simple: no edges cross or touch.
// Time O(n log n).
func NewPrism(frame lattice.Frame, outline []geom.Vec, bottom, top float64) (Shape, error) {
	switch {
	case len(outline) > MaxOutline:
		return Shape{}, fmt.Errorf("prism: Outline has %d points, may have %d", len(outline), MaxOutline)
	case !finite(bottom):
		return Shape{}, fmt.Errorf("prism: Bottom is %g, must be finite", bottom)
	case !finite(top):
		return Shape{}, fmt.Errorf("prism: Top is %g, must be finite", top)
	case !(bottom < top):
		return Shape{}, fmt.Errorf("prism: Top is %g, must be above Bottom, %g", top, bottom)
	}
	s := Shape{kind: prism}
	var ok bool
	up := float64(frame.Up)
	if s.low, s.high, ok = heights(float64(bottom*lattice.UnitsPerMetre)-up, float64(top*lattice.UnitsPerMetre)-up); !ok {
		return Shape{}, fmt.Errorf("prism: the heights %g to %g are beyond the frame of the mesh", bottom, top)
	}
	ring := make(lattice.Ring, 0, len(outline))
	numbers := make([]int, 0, len(outline))
	for i, v := range outline {
		if !finite(v.X) || !finite(v.Z) {
			return Shape{}, fmt.Errorf("prism: point %d of Outline is %v, must be finite", i, v)
		}
		p, ok := frame.Beneath(v)
		if !ok {
			return Shape{}, fmt.Errorf("prism: point %d of Outline at %v is beyond the frame of the mesh", i, v)
		}
		if len(ring) == 0 || ring[len(ring)-1] != p {
			ring, numbers = append(ring, p), append(numbers, i)
		}
	}
	for len(ring) > 1 && ring[0] == ring[len(ring)-1] {
		ring = ring[:len(ring)-1]
	}
	if len(ring) < 3 {
		return Shape{}, fmt.Errorf("prism: Outline has %d different points, needs 3", len(ring))
	}
	numbers = numbers[:len(ring)]
	clockwise := ring.Area2() < 0
	if clockwise {
		slices.Reverse(ring)
		slices.Reverse(numbers)
	}
	if faults := (lattice.Polygon{Rings: []lattice.Ring{ring}}).Faults(1); len(faults) > 0 {
		return Shape{}, outlineError(frame, &faults[0], numbers, clockwise)
	}
	if turnsLeft(ring) {
		s.kind, s.corners = convex, hull(ring)
		return s, nil
	}
	s.outline = ring
	return s, nil
}

// outlineError says in the caller's numbers and metres why an outline is not simple. An outline that was clockwise has been
// turned: its edges start in the caller's numbers where they end here.
func outlineError(frame lattice.Frame, f *lattice.Fault, numbers []int, turned bool) error {
	at := frame.ToWorld(f.At, 0)
	where := fmt.Sprintf("x %.3f, z %.3f", at.X, at.Z)
	pair := func(a, b int) string { return fmt.Sprintf("points %d and %d", min(a, b), max(a, b)) }
	start := func(edge int) int {
		if turned {
			edge++
		}
		return numbers[edge%len(numbers)]
	}
	verb := ""
	switch f.Kind {
	case lattice.Crossing:
		verb = "cross"
	case lattice.Overlapping:
		verb = "run along each other"
	case lattice.Touching:
		verb = "touch"
	case lattice.RepeatedPoint:
		return fmt.Errorf("prism: %s of Outline are the same place, %s", pair(numbers[f.Edge], numbers[f.OtherEdge]), where)
	case lattice.Spike:
		return fmt.Errorf("prism: Outline turns back on itself in point %d at %s", numbers[f.Edge], where)
	default:
		return fmt.Errorf("prism: Outline has no area at %s", where)
	}
	return fmt.Errorf("prism: the edges of Outline that start at %s %s at %s", pair(start(f.Edge), start(f.OtherEdge)), verb, where)
}

func finite(x float64) bool { return x-x == 0 }

// pointAt returns the lattice point nearest to a place of the frame in lattice units.
func pointAt(x, y float64) (p lattice.Point, ok bool) {
	x, y = math.Floor(x+0.5), math.Floor(y+0.5)
	if !inFrame(x) || !inFrame(y) {
		return p, false
	}
	return lattice.Point{X: int32(x), Y: int32(y)}, true
}

func inFrame(x float64) bool { return math.Abs(x) <= lattice.MaxCoord }

// heights rounds two heights in lattice units.
func heights(a, b float64) (low, high int32, ok bool) {
	a, b = math.Floor(a+0.5), math.Floor(b+0.5)
	if !inFrame(a) || !inFrame(b) {
		return 0, 0, false
	}
	return int32(a), int32(b), true
}

// hull returns the convex hull of points, sorting them: one point or two where all are the same or on a line.
func hull(points []lattice.Point) lattice.Ring {
	first, last := points[0], points[0]
	for _, p := range points[1:] {
		if p.Compare(first) < 0 {
			first = p
		}
		if p.Compare(last) > 0 {
			last = p
		}
	}
	if r := lattice.Hull(points); len(r) > 0 {
		return r
	}
	if first != last {
		return lattice.Ring{first, last}
	}
	return lattice.Ring{first}
}

func turnsLeft(r lattice.Ring) bool {
	for i := range r {
		if lattice.Orient(r[i], r[(i+1)%len(r)], r[(i+2)%len(r)]) < 0 {
			return false
		}
	}
	return true
}
