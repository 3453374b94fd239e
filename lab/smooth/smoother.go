package smooth

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Brand's path smoother.
//
// Source: S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, section
// 5.2.1: algorithms 4 (EmitTowards), 5 (DefineCorridor), 6 (CollapseCorridor), 7 (AddPoint), 8 (AddEdge), 9 (the whole)
// and 10 (way-point reduction).
//
// Idea: From a pivot a corridor is looked along, between two vertical planes through the ends of a doorway. Every edge
// to cross narrows the corridor and is noted as a bump; an edge beside the corridor makes it collapse: the way goes
// straight to the near end of the last doorway, over the bumps on the way, and starts again there. The result has a
// point for every bump, and keeps only points where the way turns, in the plane or in height.
//
// Input: edges in walking order, Left and Right as the walker sees them, each pair of neighbours the ends of a convex
// quadrilateral in plan; start before the first, goal behind the last. Edges without width are points to pass.
//
// Guarantees:
//  1. Seen from above the way is a chain of straight pieces between lattice points, and every piece passes between the
//     ends of each of its edges, by exact predicates (TestPathPassesItsEdges), so it stays on the mesh
//     (TestSmoothedPathsStayOnTheMesh in navgraph).
//  2. It is not shorter than the shortest through the edges (TestNotShorterThanTheFunnel), but may be longer, see
//     Departures.
//  3. Way-point reduction makes no way longer, seen from above (TestReduction); without Options.Turn it leaves 1 and 2
//     valid.
//  4. Start is the first point, goal the last, and no point follows itself (TestDegenerate, TestNoPointTwice).
//  5. In a frame elsewhere it is the same (TestTranslation).
//
// Degenerate cases: start and goal in one region give one piece; equal places give one point. An edge with
// the pivot on it is crossed there. An edge seen edge-on is crossed at its near end. A doorway that narrows
// to a point is allowed, as in figure 44.
//
// Cost: O(n) for n edges, unless rounding sends the way back to passed vertices; O(n²) then at worst.
//
// Departures:
//   - The edge beside which a corridor collapses is added again from the new pivot. Algorithm 8 does not mention
//     this, and without it the way would miss the edge.
//   - Where an end of the doorway is the pivot, algorithm 5 emits towards whichever end is farther, which would drag
//     the way along the whole edge. Here the edge is crossed at the pivot.
//   - An end of a doorway that was clipped is no lattice point. The way goes to a lattice point beside it that
//     passes all edges exactly or, without one, to the vertex in the plane, and on from there.
//   - The way turns at the end of the doorway, clipped or not, as published: a clipped end is behind the vertex in
//     the plane, and the way is longer than with a turn at the vertex.
//   - Algorithm 10 compares directions between bumps. Bumps of a straight piece differ in height only, so here the
//     angle in the plane is compared between corners and that in height between bumps. No corner can be left out
//     without missing an edge, or the corridor would not have collapsed there: Options.Turn, Brand's α, is
//     a trade of way-points for walls that are cut, and none by default.

// Edge is an edge to be crossed, in lattice units.
type Edge struct{ Left, Right lattice.Vertex }

// point reports whether e has no width.
func (e *Edge) point() bool { return e.Left.Point == e.Right.Point }

// height returns the height of e over one of its points.
func (e *Edge) height(p lattice.Point) float64 {
	long2 := float64(e.Left.Distance2(e.Right.Point))
	if long2 == 0 {
		return float64(e.Left.Z)
	}
	t := float64(lattice.Dot(e.Left.Point, e.Right.Point, p)) / long2
	return float64(e.Left.Z) + float64(t*diff(e.Right.Z, e.Left.Z))
}

// Waypoint is a point of a smoothed way in lattice units. Corners are lattice points.
type Waypoint struct {
	X, Y, Z float64
	// Edge is the place in the list of the point's edge, or of the next edge if rounding moved the point off: -1 for the
	// start and the number of edges for the goal.
	Edge   int
	Corner bool // the way may turn here: it is no bump
}

// Options say how many way-points are kept.
type Options struct {
	// Turn is the angle in radians by which the way may deviate in plan at a corner that is left out, Brand's α. Above 0
	// the way may leave the mesh at corners; 0 leaves out only corners on the straight way.
	Turn float64
	// Rise is the angle in radians by which the way may rise or fall at a bump that is left out, Brand's β; 0 is
	// [DefaultRise], and a negative angle keeps all bumps.
	Rise float64
}

// DefaultRise is the default of Options.Rise: five degrees.
const DefaultRise = 5 * math.Pi / 180

// corner is a place where a way turns.
type corner struct {
	lattice.Vertex
	edge  int  // edges up to this one are passed
	fixed bool // a point to pass: it is never left out
}

// Smoother smooths ways. It owns its memory, belongs to one goroutine at a time and after the first few answers
// allocates nothing.
type Smoother struct {
	edges   []Edge
	corners []corner
	kept    []corner
	bumps   []bump
	points  []Waypoint

	// The corridor: planes from the pivot, the last of corners, through the left end of edges[left] and the right end of
	// edges[right]; the doorway is the part of edges[door] between them.
	left, right, door int
	corridor          bool // Brand's state, else singular
}

// Smooth returns the smoothed way from start to goal over edges, with its bumps reduced. The result belongs to s and
// is valid until the next call. Options must be numbers; NaN counts as zero.
func (s *Smoother) Smooth(start, goal lattice.Vertex, edges []Edge, opt Options) []Waypoint {
	s.walk(start, goal, edges)
	s.dropCorners(opt.Turn)
	s.emit(opt.Rise)
	return s.points
}

// walk is algorithm 9: it fills s.corners.
func (s *Smoother) walk(start, goal lattice.Vertex, edges []Edge) {
	s.edges = append(append(s.edges[:0], edges...), Edge{goal, goal})
	s.corners = append(s.corners[:0], corner{start, -1, false})
	s.corridor = false
	for k := 0; k < len(s.edges); {
		if s.edges[k].point() {
			k = s.addPoint(k)
		} else {
			k = s.addEdge(k)
		}
	}
}

// pivot returns the last corner.
func (s *Smoother) pivot() *corner { return &s.corners[len(s.corners)-1] }

// turn makes a point the pivot, with edges up to the given one behind it, and returns the edge to go on with.
func (s *Smoother) turn(at lattice.Vertex, edge int) int {
	s.corridor = false
	if p := s.pivot(); p.Vertex == at {
		p.edge = edge
	} else {
		s.corners = append(s.corners, corner{at, edge, false})
	}
	return edge + 1
}

// addPoint is algorithm 7. It returns the next edge to process.
func (s *Smoother) addPoint(k int) int {
	if s.corridor {
		at, pivot := s.edges[k].Left.Point, s.pivot().Point
		if lattice.Orient(pivot, s.edges[s.left].Left.Point, at) > 0 {
			return s.collapse(true, k)
		}
		if lattice.Orient(pivot, s.edges[s.right].Right.Point, at) < 0 {
			return s.collapse(false, k)
		}
	}
	next := s.turn(s.edges[k].Left, k)
	s.pivot().fixed = true
	return next
}

// addEdge is algorithm 8. It returns the next edge to process.
func (s *Smoother) addEdge(k int) int {
	e, pivot := &s.edges[k], s.pivot()
	if !s.corridor {
		return s.define(k)
	}
	leftSide := lattice.Orient(pivot.Point, s.edges[s.left].Left.Point, e.Right.Point)
	if leftSide > 0 {
		return s.collapse(true, k)
	}
	rightSide := lattice.Orient(pivot.Point, s.edges[s.right].Right.Point, e.Left.Point)
	if rightSide < 0 {
		return s.collapse(false, k)
	}
	if lattice.Orient(pivot.Point, s.edges[s.left].Left.Point, e.Left.Point) <= 0 {
		s.left = k
	}
	if lattice.Orient(pivot.Point, s.edges[s.right].Right.Point, e.Right.Point) >= 0 {
		s.right = k
	}
	s.door = k
	return k + 1
}

// define is algorithm 5: a new corridor through edge k.
func (s *Smoother) define(k int) int {
	e, pivot := &s.edges[k], s.pivot()
	if lattice.OnSegment(pivot.Point, e.Left.Point, e.Right.Point) {
		// The edge is crossed here, at the edge's own height if that differs.
		at := lattice.Vertex{Point: pivot.Point, Z: round(e.height(pivot.Point))}
		if d := int64(at.Z) - int64(pivot.Z); -1 <= d && d <= 1 {
			at.Z = pivot.Z
		}
		return s.turn(at, k)
	}
	if lattice.Orient(pivot.Point, e.Right.Point, e.Left.Point) <= 0 {
		// Seen edge-on: around the near end.
		if pivot.Distance2(e.Left.Point) < pivot.Distance2(e.Right.Point) {
			return s.turn(e.Left, k)
		}
		return s.turn(e.Right, k)
	}
	s.left, s.right, s.door, s.corridor = k, k, k, true
	return k + 1
}

// collapse is algorithm 6 for an edge on the left of the corridor, or on its right; next is the edge. The way turns
// at the same end of the doorway, and collapse returns the next edge to process.
func (s *Smoother) collapse(left bool, next int) int {
	plane, at := s.right, s.edges[s.right].Right
	if left {
		plane, at = s.left, s.edges[s.left].Left
	}
	if plane == s.door {
		return s.turn(at, s.door)
	}
	if near, edge, ok := s.besides(at.Point, next); ok {
		return s.turn(near, edge)
	}
	return s.turn(at, plane)
}

// besides finds a lattice point beside the crossing of the doorway with the plane from the pivot through a vertex.
// The way from the pivot to the point passes all edges between: the point is behind the doorway, or else before it.
// edge is the last passed edge.
func (s *Smoother) besides(through lattice.Point, next int) (at lattice.Vertex, edge int, ok bool) {
	pivot, door := s.pivot(), &s.edges[s.door]
	dl, dr := float64(lattice.Orient(pivot.Point, through, door.Left.Point)), float64(lattice.Orient(pivot.Point, through, door.Right.Point))
	if dl == dr {
		return at, 0, false // along the plane
	}
	t := min(max(dl/(dl-dr), 0), 1)
	x, y := float64(door.Left.X)+float64(t*diff(door.Right.X, door.Left.X)), float64(door.Left.Y)+float64(t*diff(door.Right.Y, door.Left.Y))
	z := float64(door.Left.Z) + float64(t*diff(door.Right.Z, door.Left.Z))
	// Edges on the doorway, as at welded gaps, are passed with it or together before it.
	first := s.door
	for first-1 > pivot.edge && s.edges[first-1].Left.Point == door.Left.Point && s.edges[first-1].Right.Point == door.Right.Point {
		first--
	}
	middle := lattice.Vertex{Point: lattice.Point{X: round(x), Y: round(y)}, Z: round(z)}
	for _, d := range [9][2]int32{{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		at = middle
		at.X, at.Y = at.X+d[0], at.Y+d[1]
		if at.Point == pivot.Point {
			continue
		}
		if s.inside(s.door, next, at.Point) && s.passes(pivot.Point, at.Point, pivot.edge+1, s.door) {
			return at, s.door, true
		}
		if first-1 > pivot.edge && s.inside(first-1, first, at.Point) && s.passes(pivot.Point, at.Point, pivot.edge+1, first-1) {
			return at, first - 1, true
		}
	}
	return at, 0, false
}

func diff(a, b int32) float64 { return float64(int64(a) - int64(b)) }

func round(v float64) int32 { return int32(math.Floor(v + 0.5)) }

// inside reports whether a point is between edge i and edge k behind it: in the quadrilateral of their ends.
func (s *Smoother) inside(i, k int, p lattice.Point) bool {
	a, b := &s.edges[i], &s.edges[k]
	return lattice.Orient(a.Left.Point, a.Right.Point, p) >= 0 && lattice.Orient(a.Right.Point, b.Right.Point, p) >= 0 &&
		lattice.Orient(b.Right.Point, b.Left.Point, p) >= 0 && lattice.Orient(b.Left.Point, a.Left.Point, p) >= 0
}

// passes reports whether the straight way from a to b passes between the ends of the edges from first to last.
func (s *Smoother) passes(a, b lattice.Point, first, last int) bool {
	for k := first; k <= last; k++ {
		e := &s.edges[k]
		if lattice.Orient(a, b, e.Left.Point) < 0 || lattice.Orient(a, b, e.Right.Point) > 0 {
			return false
		}
	}
	return true
}
