package presence

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// cell is a region as presence sees it: a prism over the region, from a step below its floor to the height of the mesh's
// agent and a step above.
type cell struct {
	ref    navmesh.Ref
	ring   []lattice.Point
	box    lattice.Box
	floor  span // bounds of the floor's height
	air    span // of the prism
	walls  [][2]lattice.Point
	doors  []navmesh.Ref // the regions behind portals, ascending
	around []beside      // the other cells whose prisms have a point in common with this one, ascending
	met    bool          // around is known
	// odd says that a region behind a portal is not around: only meshes with steps at portals have cells like these.
	odd   bool
	stamp uint64 // of the last object that was put here
}

// beside is a cell around another cell.
type beside struct {
	cell int32
	door bool // a portal leads there
}

// cells knows the geometry of those regions of an Index that somebody asked for. It belongs to the writer.
type cells struct {
	ix    *query.Index
	q     *query.Query
	frame lattice.Frame
	// above and below are how far prisms go over and under the floor; climb and height are how far an object's place may
	// be under and over its floor.
	above, below  int64
	climb, height float64 // metres
	list          []*cell // nil for a cell that is gone
	of            map[navmesh.Ref]int32
	shared        bool // a view has of
	free          []int32
	stamp         uint64
	around        []navmesh.Ref // scratch memory, as the next
	here          []int32
	exits         []query.Exit
}

func newCells(ix *query.Index) cells {
	c := cells{q: ix.NewQuery(), of: map[navmesh.Ref]int32{}}
	c.use(ix)
	return c
}

// use sets the Index.
func (c *cells) use(ix *query.Index) {
	c.ix = ix
	c.q.Use(ix)
	m := ix.Mesh()
	c.frame = m.Frame
	c.climb, c.height = m.Agent.MaxClimb, m.Agent.Height
	c.below = units(max(c.climb, 0))
	c.above = units(max(c.height, 0)) + c.below
}

// own makes c.of safe to write: a view keeps its own.
func (c *cells) own() {
	if c.shared {
		of := make(map[navmesh.Ref]int32, len(c.of)+1)
		for ref, i := range c.of {
			of[ref] = i
		}
		c.of, c.shared = of, false
	}
}

// cellOf returns the number of the cell of an open region, -1 for any other Ref.
func (c *cells) cellOf(ref navmesh.Ref) int32 {
	if i, ok := c.of[ref]; ok {
		return i
	}
	low, high, ok := c.ix.HeightRange(ref)
	corners := c.ix.Corners(nil, ref)
	if !ok || len(corners) == 0 {
		return -1
	}
	x := &cell{ref: ref, box: lattice.EmptyBox(), floor: span{int64(low), int64(high)}}
	x.air = span{int64(low) - c.below, int64(high) + c.above}
	for _, v := range corners {
		x.ring = append(x.ring, v.Point)
		x.box = x.box.Extend(v.Point)
	}
	walls, _ := c.q.WallsOf(ref) // the region is open
	for _, w := range walls {
		a, okA := c.frame.Beneath(w.From)
		b, okB := c.frame.Beneath(w.To)
		if okA && okB {
			x.walls = append(x.walls, [2]lattice.Point{a, b})
		}
	}
	c.exits = c.ix.Exits(c.exits[:0], ref)
	for k := range c.exits {
		if c.exits[k].Link < 0 {
			x.doors = append(x.doors, c.exits[k].To)
		}
	}
	slices.Sort(x.doors)
	x.doors = slices.Compact(x.doors)
	c.own()
	i := int32(len(c.list))
	if n := len(c.free); n > 0 {
		i = c.free[n-1]
		c.free = c.free[:n-1]
		c.list[i] = x
	} else {
		c.list = append(c.list, x)
	}
	c.of[ref] = i
	return i
}

// change goes on with another Index of the same frame, and forgets all cells that a change in boxes may have changed.
func (c *cells) change(ix *query.Index, boxes []lattice.Box) {
	c.use(ix)
	for i, x := range c.list {
		if x == nil {
			continue
		}
		if _, _, stays := ix.HeightRange(x.ref); !stays || slices.ContainsFunc(boxes, x.box.Overlaps) {
			c.drop(int32(i))
		}
	}
	for _, x := range c.list {
		if x != nil && slices.ContainsFunc(x.around, func(o beside) bool { return c.list[o.cell] == nil }) {
			x.around, x.met = nil, false
		}
	}
}

// drop forgets a cell.
func (c *cells) drop(i int32) {
	c.own()
	delete(c.of, c.list[i].ref)
	c.list[i] = nil
	c.free = append(c.free, i)
}

// inBox calls visit for the cells whose prisms meet a box and heights, and for others near by. A visit may ask for
// further cells.
func (c *cells) inBox(b lattice.Box, heights span, visit func(i int32)) {
	c.around = append(c.around[:0], regionsIn(c.q, c.frame, b, span{heights.low - c.above, heights.high + c.below})...)
	for _, ref := range c.around {
		if i := c.cellOf(ref); i >= 0 {
			visit(i)
		}
	}
}

// regionsIn lists the regions that meet a box in plan and overlap floor heights, all in lattice units.
func regionsIn(q *query.Query, frame lattice.Frame, b lattice.Box, floor span) []navmesh.Ref {
	in := func(n int64) int32 { return int32(min(max(n, -lattice.MaxCoord), lattice.MaxCoord)) }
	low := frame.ToWorld(lattice.Point{X: in(int64(b.Min.X)), Y: in(int64(b.Min.Y))}, in(floor.low))
	high := frame.ToWorld(lattice.Point{X: in(int64(b.Max.X)), Y: in(int64(b.Max.Y))}, in(floor.high))
	// North is -Z.
	return q.RegionsInBox(geom.Box{Min: geom.Vec{X: low.X, Y: low.Y, Z: high.Z}, Max: geom.Vec{X: high.X, Y: high.Y, Z: low.Z}})
}

// aroundOf returns the cells whose prisms have a point in common with the prism of a cell.
func (c *cells) aroundOf(i int32) []beside {
	x := c.list[i]
	if x.met {
		return x.around
	}
	doors := 0
	c.inBox(x.box, x.air, func(o int32) {
		if y := c.list[o]; o != i && y.air.meets(x.air) && y.box.Overlaps(x.box) && ringsTouch(x.ring, y.ring) {
			_, door := slices.BinarySearch(x.doors, y.ref)
			x.around = append(x.around, beside{o, door})
			if door {
				doors++
			}
		}
	})
	slices.SortFunc(x.around, func(a, b beside) int { return int(a.cell - b.cell) })
	x.odd = doors < len(x.doors)
	x.met = true
	return x.around
}

// locate returns the cell of the place where an object stands, as [query.Query.Locate] does: of the floors at the place, the
// nearest in height, and of equally near floors the region of the lowest Ref. Hint is a cell to begin with, or -1. The
// result does not depend on the hint: all floors at a place that an object may stand on are in cells whose prisms touch.
func (c *cells) locate(at geom.Vec, p lattice.Point, hint int32) int32 {
	if hint >= 0 {
		if inRing(c.list[hint].ring, p) {
			if home := c.nearest(at, p, hint); home >= 0 {
				return home
			}
		}
		for _, o := range c.aroundOf(hint) {
			if y := c.list[o.cell]; y.box.Contains(p) && inRing(y.ring, p) {
				if home := c.nearest(at, p, o.cell); home >= 0 {
					return home
				}
			}
		}
	}
	found, ok := c.q.Locate(at)
	if !ok {
		return -1
	}
	i := c.cellOf(found.Ref)
	if i < 0 {
		return -1
	}
	return c.nearest(at, p, i)
}

// nearest returns the cell at a place whose floor is nearest in height: a cell that contains the place, or a cell around it. The
// result is -1 where the place is too far from all these floors.
func (c *cells) nearest(at geom.Vec, p lattice.Point, i int32) int32 {
	c.here = append(c.here[:0], i)
	for _, o := range c.aroundOf(i) {
		if y := c.list[o.cell]; y.box.Contains(p) && inRing(y.ring, p) {
			c.here = append(c.here, o.cell)
		}
	}
	low, high := at.Y-c.height-lattice.Unit, at.Y+c.climb+lattice.Unit
	if x := c.list[i]; len(c.here) == 1 && c.metres(x.floor.low) >= low && c.metres(x.floor.high) <= high {
		return i
	}
	best, off, missed := int32(-1), math.Inf(1), false
	on := c.frame.ToWorld(p, 0)
	for _, o := range c.here {
		y := c.list[o]
		floor, ok := c.ix.Floor(y.ref, on)
		if !ok || floor.Y < low || floor.Y > high {
			missed = missed || o == i
			continue
		}
		d := math.Abs(floor.Y - at.Y)
		if d < off || d == off && (best < 0 || y.ref < c.list[best].ref) {
			best, off = o, d
		}
	}
	if missed && best >= 0 {
		return c.nearest(at, p, best) // further floors may be around the cell that was found
	}
	return best
}

// metres returns a height of the frame in world space.
func (c *cells) metres(height int64) float64 { return float64(c.frame.Up+height) * lattice.Unit }
