// Package repair cuts footprints out of a region of a mesh, and divides the rest into convex cells.
//
// Source: our own. Rounding after J. D. Hobby, Practical segment intersection with finite precision output,
// Computational Geometry 13 (1999); convex cells by S. Hertel and K. Mehlhorn, Fast triangulation of simple polygons,
// Foundations of Computation Theory (1983), on a Delaunay triangulation.
//
// Idea: the new floor of a region is the region minus all footprints that meet the region, a function of the region and
// of the set of footprints alone. Two neighbours must agree about the points on their common border. Hence the points of
// a border depend on nothing but the border itself and the lines within two units of the border, and both neighbours
// know these lines.
//
// Input: a convex region whose border is divided into sides at the ends of its portals; the sides of other regions near
// this border; the outlines of footprints, which may cross themselves and each other.
//
// Guarantees:
//  1. every cell is convex, strictly simple, counter-clockwise and of positive area, by exact predicates (TestCells);
//  2. the cells of a region do not overlap, and cover the region minus the obstacles exactly, up to the rounding of
//     crossings to the lattice (TestCellsCoverTheRest);
//  3. the points on a common border are the same seen from both regions (TestNeighboursAgree);
//  4. the order of the footprints and the starts of their rings do not matter (TestOrderDoesNotMatter).
//
// Degenerate cases: footprints that touch a side, a corner or each other, that coincide with a side, or that cover the
// region; rests thinner than the lattice collapse and vanish.
//
// Cost: O(n² + n·k) for n segments near the region and k points on the segments: n is a few dozen. Segments are compared
// box by box first. [Region.Prepare] sorts the corners and sides of a region, for all cuts.
//
// Departures: only lines that a footprint touches are rounded. Borders away from footprints stay as they are, even where
// another corner is within half a unit of a border: the mesh is sound there already.
package repair

import (
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Labels of sides besides the numbers of portals.
const (
	Wall  int32 = -1 // nothing to walk on behind the side
	Inner int32 = -2 // another cell of the same region may be behind the side
)

// Region is a convex region of the base.
type Region struct {
	// Ring is the border, counter-clockwise, with the ends of all portals as points. Label has the label of the side from
	// point i to point i+1: Wall or the number of a portal.
	Ring  []lattice.Point
	Label []int32
	// Near are the sides of other regions within two units of the border.
	Near [][2]lattice.Point
	// Thin says that walls of the base may be less than a unit thick, see walls.go.
	Thin bool

	work *groundwork // nil before [Region.Prepare] or the first cut; the fields above must not change afterwards
}

// Outline is the floor that a footprint touches: places with more counter-clockwise than clockwise windings.
type Outline struct {
	Rings []lattice.Ring
	// Kind tells the effect within the region: [Foreign] or [Obstacle] or the number of a modifier, from 0 on. Where
	// modifiers overlap, the least number counts.
	Kind int32
}

// Kinds of outlines besides the numbers of modifiers.
const (
	Obstacle int32 = -1
	Foreign  int32 = -2 // touches a neighbour only: divides the border and takes nothing
)

// Cell is a convex cell of the rest.
type Cell struct {
	Ring     []lattice.Point // counter-clockwise; points in the middle of straight sides part the labels
	Sides    []int32         // label of the side from point i to point i+1
	Modifier int32           // the number of the modifier that counts, None without
}

// None stands for no modifier.
const None int32 = -1

// Cutter is the memory of cuts, for one goroutine at a time.
type Cutter struct {
	// Generator divides floor into cells. Nil means the algorithm of Hertel and Mehlhorn on a Delaunay triangulation.
	Generator Generator

	arrangement
	divider
	out []Cell
	err error
}

// Cut returns the convex cells of a region without the obstacles among the outlines. They are valid until the next cut.
// The order of outlines of one kind does not matter. The error is the generator's.
func (c *Cutter) Cut(r *Region, outlines []Outline) ([]Cell, error) {
	c.out, c.err = c.out[:0], nil
	c.divider.rings, c.letters = c.divider.rings[:0], c.letters[:0]
	each := func(class int32, rings []ring) {
		switch {
		case c.err != nil:
		case c.Generator != nil:
			c.out, c.err = c.generate(c.out, class, rings)
		default:
			c.out = c.divide(c.out, class, rings, c.arrangement.points)
		}
	}
	if rings, ok := c.apart(r, outlines); ok {
		if len(rings) > 0 {
			each(None, rings)
		}
	} else {
		c.arrange(r, outlines)
		c.classes(each)
	}
	if r.Thin && c.err == nil {
		c.keepIn(r)
	}
	return c.out, c.err
}
