package index

// The editor: a changed Index beside the old one.
//
// Source: the persistent arrays of pages.go; the change of convex regions in place follows the repair of tiles in
// D. H. Hale, A growth-based approach to the automatic generation of navigation meshes, dissertation, UNC Charlotte
// (2011), chapter 5, in that only regions near the change are made anew.
//
// Idea: the unit of change is a region of the base, the mesh without obstacles, or a block of a region, see floor.go. A changed
// region of the base is split: the region has no floor of its own, and its pieces have numbers of their own. A change makes the
// pieces of the given regions and blocks, and the portals of these pieces and of their neighbours. The change walks
// around the corners at the ends of these portals anew. Both Indexes share all else.
//
// Input: a sound mesh; pieces that are convex, lie in their region of the base and do not overlap.
//
// Guarantees:
//  1. The Index after a change has the regions, portals, corners and parts of an Index made from scratch, and gives the
//     same answers (TestEditorAgainstScratch).
//  2. An Index never changes: old answers stay (TestOldSnapshotsStay).
//  3. An error changes nothing (TestEditorErrors).
//  4. A Ref is stale exactly when its region is gone (TestEditorAgainstScratch). A piece stays where its block stays, or where
//     a change hands the same cell over again (TestBlocksAgainstScratch). Away from new and lost pieces, the portals and the
//     border of a piece stay as well (TestUnchangedPiecesKeepBorders).
//
// Degenerate cases: pieces that meet in part of a side have a portal there; a region of the base without pieces is a
// hole; a change to the present pieces keeps all numbers.
//
// Cost: O(k log k) for k sides and portals of the changed blocks and their neighbours, and the copies of their pages.
// A change that cuts a part of the mesh in two takes the time of the smaller part (parts.go).

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/navmesh"
)

// Labels of the sides of a [Cell]. Other labels are numbers of portals of the mesh, counted from 0 tile after tile.
const (
	SideWall  = -1 // nothing is behind the side
	SideInner = -2 // cells of the same region of the base may be behind
)

// Replacement gives a region of the base new floor.
type Replacement struct {
	Base  uint32 // number of a region of the base
	Whole bool   // the region is as in the base again, without Cells and Block
	Cells []Cell // convex pieces of the region; none without floor
	Block *Block // the floor in blocks, in place of Cells
}

// Cell is a convex piece of a region of the base. An Index and its Editor keep the ring and the sides, which must not change any more.
type Cell struct {
	Ring  []lattice.Vertex // counter-clockwise, convex, of positive area; corners on straight sides are allowed
	Sides []int32          // of the side from corner i to corner i+1: SideWall, SideInner, or the portal that holds the side
	Area  uint8
	Flags uint32
}

// Outcome says what a change has changed.
type Outcome struct {
	Gone, New []navmesh.Ref // regions that are gone, and regions that are new
	Boxes     []Area        // around what changes in every region of the base, in the order of the replacements
}

// Area is the box of a change, in lattice units.
type Area struct {
	Low, High [3]int32
}

// firstPieceSlot is the first slot in the Refs of pieces; meshes have fewer tiles.
const firstPieceSlot = 1 << 23

// growth is the distance by which pieces may stick out of their region of the base, by rounding.
const growth = 2

// Editor makes changed Indexes of one mesh. An Editor belongs to one goroutine at a time; any number of goroutines may
// read the Indexes that it has made.
type Editor struct {
	base, now *Index
	limit     uint32   // regions of the base have numbers below
	numbers   []uint32 // the portals of the base by their number in the mesh
	pieces    []piece  // by number of the region, from limit on
	free      spares   // numbers without a piece, from the page of limit on
	blocks    blocks
	turns     queue   // numbers without a corner
	fans      []int32 // of the corners of the base: their number of portals
	parts     parts
	hopsNear  map[uint32][]int32 // the hops of the mesh's links with ends at a region of the base
	moreNear  map[uint32][]int32 // the same of more links
	moved     []int32            // hops away from their own places, see gaps.go
	links     []navmesh.Link     // more links
	shut      []bool             // links of the mesh that are closed, from the next change on; nil for none
	wasShut   []bool             // those before
	reshut    bool               // the two may differ
	fault     error              // of the base
	ground    *Ground            // with the costs of areas from the next change on
	counts    *[areas]int        // of the regions of each area; nil before the first costs
	flips     map[uint32]*flip   // by their first region
	noBorder  border             // of numbers without floor

	work work // of the current change
}

// piece is what an Editor knows about a piece.
type piece struct {
	sides      []int32
	generation uint32
	blank      *fringe // of the number while no piece has it; nil before the first piece has gone
	rough      bool    // see rough.go
}

// queue is a list of numbers that come out in the order in which they went in.
type queue struct {
	list []uint32
	head int
}

func (q *queue) put(n uint32) { q.list = append(q.list, n) }

func (q *queue) take() (n uint32, ok bool) {
	if q.head == len(q.list) {
		return 0, false
	}
	n = q.list[q.head]
	if q.head++; q.head > 1<<10 && 2*q.head > len(q.list) {
		q.list, q.head = append(q.list[:0], q.list[q.head:]...), 0
	}
	return n, true
}

// NewEditor returns an Editor whose present Index is base. The base must be an Index of [New]; other Indexes, and those
// of unsound meshes, make every change an error. Time O(n) for n regions and portals.
func NewEditor(base *Index) *Editor {
	e := &Editor{base: base, limit: uint32(base.RegionLimit()), now: new(Index)}
	switch {
	case base.Changed, base.Closed.regions != nil:
		e.fault = errors.New("query: editor: the index is no index of a whole mesh")
	case !base.Sound:
		e.fault = errors.New("query: editor: a mesh with regions that are not convex cannot change")
	}
	*e.now = *base
	e.now.Changed = true
	e.now.flatRegions, e.now.flatFringes, e.now.flatPortals = nil, nil, nil
	e.noBorder.rims.Store(new(Rims))
	boxes := make([]box, base.RegionLimit())
	for _, i := range base.tree.Items() {
		boxes[i.ID] = i.Box.Grown(growth)
	}
	e.now.tree = *boxtree.New(boxes, nil)
	for r := range e.limit {
		reg := base.Region(r)
		for p := reg.FirstPortal; p < reg.EndPortal; p++ {
			e.numbers = append(e.numbers, p)
		}
	}
	e.countFans()
	e.blocks = blocks{used: map[uint32]block{}, free: map[int][]uint32{}, crowds: map[uint32]uint32{}}
	e.free = spares{free: []uint8{math.MaxUint8 << (e.limit % regionsPerPage)}, waiting: []bool{false}}
	e.findCrowds()
	e.hopsNear, e.flips = map[uint32][]int32{}, map[uint32]*flip{}
	for i := range base.Hops {
		e.noteHop(e.hopsNear, base.Mesh.Links, int32(i), &base.Hops[i])
	}
	e.parts.begin(e.now)
	e.work.reserve(base)
	return e
}

// noteHop notes the regions of the base around the ends of a hop.
func (e *Editor) noteHop(near map[uint32][]int32, links []navmesh.Link, number int32, h *Hop) {
	l := &links[h.Link]
	for _, end := range [2]Place{{Region: e.base.Number(l.From), At: h.Start}, {Region: e.base.Number(l.To), At: h.End}} {
		for _, r := range e.base.RegionsAround(nil, end) {
			if !slices.Contains(near[r], number) {
				near[r] = append(near[r], number)
			}
		}
	}
}

// Now returns the Index after the last change.
func (e *Editor) Now() *Index { return e.now }

// Apply makes the Index after the given replacements of different regions. An error names the region, and changes
// nothing.
func (e *Editor) Apply(changes []Replacement) (*Index, Outcome, error) {
	return e.ApplyLinks(changes, e.links)
}

// CloseLinks closes links of the mesh, by their indices, from the next change on, and opens all others; nil closes none.
func (e *Editor) CloseLinks(closed []bool) { e.shut, e.reshut = slices.Clone(closed), true }

// isShut reports whether a link is closed.
func isShut(shut []bool, link int32) bool { return int(link) < len(shut) && shut[link] }

// ApplyLinks is Apply with all links that the Index has besides those of the mesh. Their ends name regions of the mesh.
func (e *Editor) ApplyLinks(changes []Replacement, links []navmesh.Link) (*Index, Outcome, error) {
	if err := e.check(changes); err != nil {
		return nil, Outcome{}, err
	}
	for i := range links {
		for _, r := range [2]navmesh.Ref{links[i].From, links[i].To} {
			if _, _, ok := e.base.Mesh.Region(r); !ok {
				return nil, Outcome{}, fmt.Errorf("query: editor: link %d: no region of the mesh is called %v", i, r)
			}
		}
		if !(links[i].Cost >= 0) || math.IsInf(float64(links[i].Cost), 1) {
			return nil, Outcome{}, fmt.Errorf("query: editor: link %d costs %g", i, links[i].Cost)
		}
	}
	if sameLinks(links, e.links) {
		if ix, out := e.flipTo(changes); ix != nil {
			return ix, out, nil
		}
	}
	var out Outcome
	w := &e.work
	w.begin(e, changes)
	w.leave(changes)
	out.Gone, out.New, out.Boxes = slices.Grow(out.Gone, len(w.left.keys)), slices.Grow(out.New, w.coming), slices.Grow(out.Boxes, len(changes))
	for i := range changes {
		w.settle(i, &changes[i], &out)
		base := changes[i].Base
		if w.old.Region(base).Split {
			w.next.Taken--
		}
		if w.next.Region(base).Split {
			w.next.Taken++
		}
	}
	w.level()
	w.join(changes)
	w.write()
	w.turn()
	e.parts.follow(w)
	linked := w.relink(changes, out.Boxes, links)
	w.log(out.Boxes, linked)
	w.keepFlip(changes, out.Boxes, linked)
	w.finish()
	e.now = w.next
	return e.now, out, nil
}

// check returns the first fault of a change.
func (e *Editor) check(changes []Replacement) error {
	if e.fault != nil {
		return e.fault
	}
	seen := &e.work.replaced
	seen.clear()
	blocks := 0
	for i := range changes {
		c := &changes[i]
		if c.Base >= e.limit {
			return fmt.Errorf("query: editor: region %d of %d", c.Base, e.limit)
		}
		if seen.has(c.Base) {
			return fmt.Errorf("query: editor: region %d is replaced twice", c.Base)
		}
		seen.add(c.Base)
		if c.Block != nil && (c.Whole || len(c.Cells) > 0) {
			return fmt.Errorf("query: editor: region %d has a block, and is whole or has %d cells", c.Base, len(c.Cells))
		}
		if c.Whole && len(c.Cells) > 0 {
			return fmt.Errorf("query: editor: region %d is whole and has %d cells", c.Base, len(c.Cells))
		}
		block, cells := c.Block, 0
		if block == nil {
			block = &Block{Cells: c.Cells}
		}
		if err := e.checkBlocks(c.Base, e.now.fringeOf(c.Base).floor, block, 0, &cells, &blocks); err != nil {
			return err
		}
	}
	return nil
}

// faultOf returns the fault of a cell, empty for none.
func (e *Editor) faultOf(base uint32, c *Cell) string {
	if len(c.Ring) < 3 {
		return "fewer than three corners"
	}
	if len(c.Sides) != len(c.Ring) {
		return fmt.Sprintf("%d sides for %d corners", len(c.Sides), len(c.Ring))
	}
	if !convex(c.Ring) {
		return "not convex"
	}
	reg := e.base.Region(base)
	for i, s := range c.Sides {
		if s == SideWall || s == SideInner {
			continue
		}
		if s < 0 || int(s) >= len(e.numbers) {
			return fmt.Sprintf("side %d is on portal %d of %d", i, s, len(e.numbers))
		}
		n := e.numbers[s]
		p := e.base.Portal(n)
		if n < reg.FirstPortal || n >= reg.EndPortal {
			return fmt.Sprintf("side %d is on portal %d of another region", i, s)
		}
		a, b := c.Ring[i].Point, c.Ring[following(i, len(c.Ring))].Point
		if !nearPortal(a, p) || !nearPortal(b, p) || lattice.Dot(a, b, p.Left) < lattice.Dot(a, b, p.Right) {
			return fmt.Sprintf("side %d from %v to %v is beside portal %d", i, a, b, s)
		}
	}
	return ""
}

// nearPortal reports whether a point is on a portal, or as near as rounding may leave a crossing with the portal. The cells
// on both sides of such a portal have the same points.
func nearPortal(at lattice.Point, p *Portal) bool {
	return lattice.SegmentDistance2(at, p.Right, p.Left).CompareInt(growth*growth) <= 0
}

// convex reports whether a ring is convex, counter-clockwise, without equal corners and of positive area.
func convex(ring []lattice.Vertex) bool {
	n, turned := len(ring), 0
	positive := false
	a, b := ring[n-2].Point, ring[n-1].Point
	for i := range ring {
		c := ring[i].Point
		o := lattice.Orient(a, b, c)
		if o < 0 || a == b || o == 0 && lattice.Dot(b, a, c) > 0 {
			return false
		}
		positive = positive || o > 0
		// The direction of the sides passes east once on the way around.
		if down(a, b) && !down(b, c) {
			turned++
		}
		a, b = b, c
	}
	return positive && turned == 1
}

// following returns the index after i around a ring of n corners.
func following(i, n int) int {
	if i++; i == n {
		return 0
	}
	return i
}

// down reports whether the direction from a to b is between west, included, and east, excluded, on the lower side.
func down(a, b lattice.Point) bool { return b.Y < a.Y || b.Y == a.Y && b.X < a.X }

// isPiece reports whether a region is a piece.
func (e *Editor) isPiece(r uint32) bool { return r >= e.limit }

// number returns a number for a new piece.
func (e *Editor) number() uint32 {
	r := e.limit&^(regionsPerPage-1) + e.free.take()
	if int(r-e.limit) == len(e.pieces) {
		e.pieces = append(e.pieces, piece{})
	}
	return r
}

// blankOf returns the further data of a number without a piece.
func (e *Editor) blankOf(r uint32) *fringe {
	p := &e.pieces[r-e.limit]
	if p.blank == nil {
		p.blank = &fringe{base: r, border: &e.noBorder}
	}
	return p.blank
}

// refOf returns the Ref of a piece.
func (e *Editor) refOf(r uint32) navmesh.Ref {
	n := int(r - e.limit)
	return navmesh.MakeRef(firstPieceSlot+n/(navmesh.MaxIndex+1), n%(navmesh.MaxIndex+1), e.pieces[n].generation)
}
