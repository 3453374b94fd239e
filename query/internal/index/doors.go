package index

// The portals of changed regions: see editor.go.

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/navmesh"
)

// door is a portal of a touched region.
type door struct {
	own         uint32 // the region
	place       int32  // its index in work.place
	to          uint32
	right, left lattice.Point
	mate        int32  // the door back, or none if the region behind is not touched
	old         int32  // the number of the portal before the change, or none
	back        uint32 // of a door without mate: the portal back
	leftTurn    int32
	rightTurn   int32
	behind      uint32
	behindCount uint32
	edge        int32 // side of the region that holds the door, None until sort
	number      uint32
}

// side is a stretch of the border of a region where portals may be.
type side struct {
	region   uint32
	from, to lattice.Point
	edge     int32 // side of a piece, None for a region of the base
}

// work is the memory of a change. The regions of replaced floor leave, and others come. A region that leaves may come again,
// with new portals.
type work struct {
	e         *Editor
	old, next *Index
	replaced  marks         // regions of the base with replacements
	left      marks         // regions that leave
	stays     marks         // pieces of replaced floor that stay
	came      marks         // regions that come
	leaves    []lattice.Box // around the regions of every block that comes
	runs      []run         // of each replacement
	coming    int           // about as many regions come
	place     marks         // of touched regions, those that come or were beside regions that left
	doors     []door
	doorAt    marks // of portals before the change: their index in doors
	first     []int32
	order     []int32
	freed     []uint32 // regions
	isTurn    marks    // numbers of corners that portals of the change had
	kept      marks    // those of them that corners of the change have
	dirty     places   // ends of portals that go or come
	walked    marks    // right ends of portals
	fan       fan
	fresh     []fringe // room for the fringes of new pieces
	plan      []planar.Side
	owners    []side // the same with their regions
	sides     ends   // of w.plan
	single    []bool // sides of w.plan without a mate
	rest      []planar.Side
	restOf    []int
	found     marks    // of a search for sides
	tips      []uint32 // regions of the base of which rounding may leave nothing along a side
	passed    []uint32 // the portals of the base between them
	starts    []start
	pieces    []uint32
	leaving   []uint32
	around    []beside // touched regions
	linked    []beside // regions that left
	relinked  []int32  // hops near the change
	ends      []uint32 // regions around an end of a hop
	listed    []hopAt  // hops by the regions around their starts
	took      []uint32 // numbers of corners that the change has taken
	moves     int      // of blocks before the change
	lent      []uint32 // pages of regions that a flip holds
	reads     marks    // regions of the base whose floor is beside regions that come
	flipped   marks
	// The pages that the change has copied.
	ownRegions, ownFringes, ownPortals marks

	// Of a flip that is kept.
	holds       [2]counted // pages of regions and of portals
	heldFringes marks
}

// run is the ends of what belongs to a replacement and those before, in the lists of a change.
type run struct {
	block                     *Block
	left, stays, came, leaves int
}

// start is the first corner of a piece of replaced floor, and its number.
type start struct {
	at    lattice.Point
	piece uint32
}

// marks maps numbers to small numbers, and forgets them all at once.
type marks struct {
	at   []int32
	keys []uint32
}

// reserve makes room for keys below a limit, and some beyond.
func (m *marks) reserve(limit int) { m.at = make([]int32, limit+limit/4) }

func (m *marks) clear() { m.keys = m.keys[:0] }

// of returns the value of a key.
func (m *marks) of(key uint32) (int32, bool) {
	if int(key) >= len(m.at) {
		return 0, false
	}
	i := m.at[key]
	return i, int(i) < len(m.keys) && m.keys[i] == key
}

// add gives a new key the next number.
func (m *marks) add(key uint32) {
	for int(key) >= len(m.at) {
		m.at = append(m.at, make([]int32, int(key)+1+len(m.at)/4-len(m.at))...)
	}
	m.at[key] = int32(len(m.keys))
	m.keys = append(m.keys, key)
}

// addNew adds a key that may be known.
func (m *marks) addNew(key uint32) {
	if !m.has(key) {
		m.add(key)
	}
}

func (m *marks) has(key uint32) bool {
	_, ok := m.of(key)
	return ok
}

// reserve makes the memory of changes ready, else the first change would.
func (w *work) reserve(base *Index) {
	for _, m := range [4]*marks{&w.replaced, &w.left, &w.came, &w.place} {
		m.reserve(base.regionLimit)
	}
	for _, m := range [2]*marks{&w.doorAt, &w.walked} {
		m.reserve(base.portalLimit)
	}
	for _, m := range [2]*marks{&w.isTurn, &w.kept} {
		m.reserve(base.Turns)
	}
	w.dirty.clear()
	w.sides.clear()
}

// begin starts a change.
func (w *work) begin(e *Editor, changes []Replacement) {
	w.e, w.old = e, e.now
	next := *e.now
	next.regions, next.fringes, next.portals = slices.Clone(next.regions), slices.Clone(next.fringes), slices.Clone(next.portals)
	w.next = &next
	w.left.clear()
	w.stays.clear()
	w.came.clear()
	w.place.clear()
	w.doorAt.clear()
	w.isTurn.clear()
	w.kept.clear()
	w.walked.clear()
	w.doors, w.freed, w.around, w.linked, w.leaves, w.runs = w.doors[:0], w.freed[:0], w.around[:0], w.linked[:0], w.leaves[:0], w.runs[:0]
	w.fresh = nil
	w.reads.clear()
	w.ownRegions.clear()
	w.ownFringes.clear()
	w.ownPortals.clear()
	w.coming = 0
	w.took, w.lent, w.moves = w.took[:0], w.lent[:0], e.blocks.moves
	w.dirty.clear()
	for i := range changes {
		block := changes[i].Block
		if block == nil && !changes[i].Whole {
			block = &Block{Cells: changes[i].Cells}
		}
		w.runs = append(w.runs, run{block: block})
		w.coming++
		if block != nil {
			w.coming += len(block.Cells)
		}
	}
}

// region returns a region to write to.
func (w *work) region(r uint32) *Region {
	w.next.regionLimit = max(w.next.regionLimit, int(r)+1)
	if k := r >> regionBits; !w.ownRegions.has(k) {
		w.ownRegions.add(k)
		w.next.regions.own(w.old.regions, k)
	}
	return w.next.pagedRegion(r)
}

// fringeAt returns where the further data of a region is, to write to.
func (w *work) fringeAt(r uint32) **fringe {
	k := r / fringesPerPage
	if !w.ownFringes.has(k) {
		w.ownFringes.add(k)
		w.next.fringes.own(w.old.fringes, k)
	}
	return &w.next.fringes[k/fanout][k%fanout][r%fringesPerPage]
}

// fringe returns the further data of a region to write to.
func (w *work) fringe(r uint32) *fringe {
	f := w.fringeAt(r)
	var old *fringe
	if page := w.old.fringes.page(r / fringesPerPage); page != nil {
		old = page[r%fringesPerPage]
	}
	switch {
	case *f == nil:
		*f = w.newFringe()
	case *f == old:
		*f = w.newFringe()
		**f = *old
	}
	return *f
}

// setFringe replaces the further data of a region.
func (w *work) setFringe(r uint32, f *fringe) { *w.fringeAt(r) = f }

// newFringe returns an empty fringe. The regions of a change mostly change again together, and some share memory.
func (w *work) newFringe() *fringe {
	if len(w.fresh) == cap(w.fresh) {
		w.fresh = make([]fringe, 0, fringesTogether)
	}
	w.fresh = w.fresh[:len(w.fresh)+1]
	return &w.fresh[len(w.fresh)-1]
}

// fringesTogether is the number of fringes in one piece of memory.
const fringesTogether = 8

// portal returns a portal to write to.
func (w *work) portal(p uint32) *Portal {
	if k := p >> portalBits; !w.ownPortals.has(k) {
		w.ownPortals.add(k)
		if owner, ok := w.e.blocks.crowds[k]; ok && w.next.portals.page(k) == w.old.portals.page(k) {
			w.copyCrowd(owner, k)
		}
		w.next.portals.own(w.old.portals, k)
	}
	return w.next.pagedPortal(p)
}

// copyCrowd copies all pages of a region with more portals than a page, if page k is one of them.
func (w *work) copyCrowd(r, k uint32) {
	n := w.next
	reg := w.old.Region(r)
	if reg.EndPortal-reg.FirstPortal <= portalsPerPage {
		return
	}
	first, last := reg.FirstPortal>>portalBits, (reg.EndPortal-1)>>portalBits
	if k < first || k > last {
		return
	}
	all := make([]Portal, (last-first+1)*portalsPerPage)
	for i := first; i <= last; i++ {
		page := all[(i-first)*portalsPerPage:]
		copy(page, n.portals.page(i)[:])
		n.portals.put(w.old.portals, i, (*portalPage)(page))
	}
	w.fringe(r).crowd = all[:reg.EndPortal-reg.FirstPortal]
}

// touch adds a region to the regions with new portals, and returns its index among them.
func (w *work) touch(r uint32) int32 {
	i, ok := w.place.of(r)
	if !ok {
		i = int32(len(w.place.keys))
		w.place.add(r)
	}
	return i
}

// beside is a touched region beside a region that left, or another region that left. Both are indices in their lists.
type beside struct{ left, other int32 }

// leave notes the regions that leave, their portals, and the regions behind these.
func (w *work) leave(changes []Replacement) {
	for i := range changes {
		if base := changes[i].Base; w.old.Region(base).Split {
			first, floor := len(w.left.keys), w.old.fringeOf(base).floor
			w.leaveUnder(floor, w.runs[i].block)
			w.stay(first, floor, w.runs[i].block)
		} else {
			w.left.add(base)
		}
		w.runs[i].left, w.runs[i].stays = len(w.left.keys), len(w.stays.keys)
	}
	for k, r := range w.left.keys {
		portals := w.old.PortalsOf(w.old.Region(r))
		for i := range portals {
			p := &portals[i]
			w.dirty.add(p.Left)
			w.dirty.add(p.Right)
			w.freeTurn(p.LeftTurn)
			w.freeTurn(p.RightTurn)
			if other, ok := w.left.of(p.To); ok {
				w.linked = append(w.linked, beside{int32(k), other})
				continue
			}
			w.around = append(w.around, beside{int32(k), w.touch(p.To)})
		}
	}
}

// stay keeps the pieces whose cells come again: the pieces go off the list w.left, from first on. Kept pieces keep their portals to all
// kept floor, and new pieces look for kept pieces as for regions beside them.
func (w *work) stay(first int, floor *floor, b *Block) {
	if first == len(w.left.keys) {
		return
	}
	w.start(w.left.keys[first:])
	stays := len(w.stays.keys)
	w.comingCells(floor, b, func(cell *Cell) {
		r, ok := w.pieceOf(cell)
		if ok && slices.Equal(w.e.pieces[r-w.e.limit].sides, cell.Sides) {
			w.stays.addNew(r)
		}
	})
	if len(w.stays.keys) == stays {
		return
	}
	w.leaving = append(w.leaving[:0], w.left.keys[first:]...)
	w.left.keys = w.left.keys[:first]
	for _, r := range w.leaving {
		if !w.stays.has(r) {
			w.left.add(r)
		}
	}
}

// start sorts pieces by their first corners.
func (w *work) start(pieces []uint32) {
	w.starts = w.starts[:0]
	for _, r := range pieces {
		w.starts = append(w.starts, start{w.old.Region(r).Ring[0].Point, r})
	}
	slices.SortFunc(w.starts, func(a, b start) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.piece, b.piece)) })
}

// pieceOf returns the first of the pieces in w.starts with the border, the area and the flags of a cell that has not come yet.
func (w *work) pieceOf(cell *Cell) (uint32, bool) {
	first := cell.Ring[0].Point
	at, _ := slices.BinarySearchFunc(w.starts, first, func(s start, p lattice.Point) int { return s.at.Compare(p) })
	for ; at < len(w.starts) && w.starts[at].at == first; at++ {
		r := w.starts[at].piece
		if o := w.old.Region(r); !w.came.has(r) && o.Area == cell.Area && w.old.fringeOf(r).flags == cell.Flags && slices.Equal(o.Ring, cell.Ring) {
			return r, true
		}
	}
	return 0, false
}

func (w *work) freeTurn(t int32) {
	if t != NoTurn && !w.isTurn.has(uint32(t)) {
		w.isTurn.add(uint32(t))
	}
}

// settle makes the regions of replacement i, without portals.
func (w *work) settle(i int, c *Replacement, out *Outcome) {
	e := w.e
	var before run
	if i > 0 {
		before = w.runs[i-1]
	}
	left, stays := w.left.keys[before.left:w.runs[i].left], w.stays.keys[before.stays:w.runs[i].stays]
	low, high := e.base.Region(c.Base).Low, e.base.Region(c.Base).High
	box := lattice.EmptyBox()
	for _, r := range left {
		o := w.old.Region(r)
		e.parts.remove(o.Part)
		for _, v := range o.Ring {
			box = box.Extend(v.Point)
		}
	}
	if c.Whole {
		reg, f := w.region(c.Base), w.fringe(c.Base)
		*reg, *f = *e.base.Region(c.Base), *e.base.fringeOf(c.Base)
		reg.Part, f.hops = noPart, nil
		w.come(c.Base)
		for _, v := range reg.Ring {
			box = box.Extend(v.Point)
		}
		if len(left) != 1 || left[0] != c.Base {
			out.New = append(out.New, reg.Ref)
		}
	} else {
		w.pieces = w.pieces[:0]
		if w.old.Region(c.Base).Split {
			w.pieces = append(append(w.pieces, left...), stays...)
		}
		w.start(w.pieces)
		floor := w.grow(w.old.fringeOf(c.Base).floor, w.runs[i].block, func(cell *Cell) uint32 { return w.settlePiece(c.Base, cell, out) })
		reg, f := w.region(c.Base), w.fringe(c.Base)
		reg.Split, reg.Part, reg.FirstPortal, reg.EndPortal = true, noPart, 0, 0
		*f = fringe{base: c.Base, flags: f.flags, floor: floor, border: &e.noBorder}
	}
	for _, r := range left {
		if w.came.has(r) {
			continue
		}
		out.Gone = append(out.Gone, w.old.Region(r).Ref)
		e.blocks.release(r)
		if r != c.Base {
			w.smoothen(r)
			e.pieces[r-e.limit].sides = nil
			*w.region(r) = Region{Part: noPart}
			w.setFringe(r, e.blankOf(r))
			w.freed = append(w.freed, r)
		}
	}
	run := &w.runs[i]
	run.came, run.leaves = len(w.came.keys), len(w.leaves)
	for _, b := range w.leaves[before.leaves:] {
		box = box.Union(b)
	}
	if box.IsEmpty() {
		for _, v := range e.base.Ring(c.Base) {
			box = box.Extend(v.Point)
		}
	}
	out.Boxes = append(out.Boxes, Area{[3]int32{box.Min.X, box.Min.Y, low}, [3]int32{box.Max.X, box.Max.Y, high}})
}

// come notes a region that comes.
func (w *work) come(r uint32) {
	w.came.add(r)
	w.touch(r)
}

// settlePiece makes the piece of a cell: a piece that stays, a piece that leaves with the same border, or a new piece.
func (w *work) settlePiece(base uint32, cell *Cell, out *Outcome) uint32 {
	e := w.e
	r, isOld := w.pieceOf(cell)
	if isOld && w.stays.has(r) {
		return r
	}
	isNew := !isOld
	if isNew {
		r = e.number()
		p := &e.pieces[r-e.limit]
		if p.generation++; p.generation > navmesh.MaxGeneration {
			p.generation = 1
		}
	}
	sameSides := !isNew && slices.Equal(e.pieces[r-e.limit].sides, cell.Sides)
	e.pieces[r-e.limit].sides = cell.Sides
	reg := w.region(r)
	if isNew {
		b := e.base.Region(base)
		*reg = Region{
			Floor: b.Floor, Branch: b.Branch, Area: cell.Area, Low: b.Low, High: b.High,
			Ref: e.refOf(r), Ring: cell.Ring,
		}
		reg.measure()
		out.New = append(out.New, reg.Ref)
		w.next.Varied = w.next.Varied || cell.Area != b.Area
	}
	if !sameSides {
		w.roughen(r, base)
	}
	reg.Part = noPart
	f := w.newFringe()
	f.base, f.flags = base, cell.Flags
	w.setFringe(r, f)
	w.come(r)
	return r
}

// join finds the portals of all touched regions.
func (w *work) join(changes []Replacement) {
	var from run
	for i := range changes {
		to := w.runs[i]
		came := w.came.keys[from.came:to.came]
		if base := changes[i].Base; changes[i].Whole {
			w.joinWhole(base)
		} else {
			w.joinInside(base, came, w.leaves[from.leaves:to.leaves])
			for _, r := range came {
				w.joinPiece(r)
			}
		}
		from = to
	}
	w.keep()
}

// joinWhole joins a whole region of the base with its neighbours.
func (w *work) joinWhole(base uint32) {
	reg := w.e.base.Region(base)
	portals := w.e.base.PortalsOf(reg)
	for k := range portals {
		w.reads.addNew(portals[k].To)
		w.joinOver(reg.FirstPortal+uint32(k), side{base, portals[k].Right, portals[k].Left, None})
	}
}

// joinPiece joins a piece with the neighbours of its region of the base.
func (w *work) joinPiece(r uint32) {
	ring := w.next.Region(r).Ring
	for i, s := range w.e.pieces[r-w.e.limit].sides {
		if s >= 0 {
			w.joinOver(w.e.numbers[s], side{r, ring[i].Point, ring[following(i, len(ring))].Point, int32(i)})
		}
	}
}

// joinOver joins side a, of a region that comes, with all sides behind portal n of the base.
func (w *work) joinOver(n uint32, a side) {
	p := w.e.base.Portal(n)
	along := lattice.Dot(p.Right, p.Left, a.to) - lattice.Dot(p.Right, p.Left, a.from)
	w.sidesBehind(p, a, func(b side) {
		right, left := meet(p, a, b)
		length := lattice.Dot(p.Right, p.Left, left) - lattice.Dot(p.Right, p.Left, right)
		if length <= 0 {
			return
		}
		if along -= length; w.opens(a, b) {
			w.open(a, b, right, left, p)
		}
	})
	if along > 0 && w.next.Region(p.To).Split {
		w.tips, w.passed = append(w.tips[:0], w.next.Base(a.region)), w.passed[:0]
		w.joinPast(n, a)
	}
}

// mostPast bounds the regions in a row of which rounding leaves nothing along one side.
const mostPast = 4

// joinPast joins side a with sides beyond the region behind portal n. Rounding may leave nothing of the tip of that region; then
// sides of its neighbours coincide. All portals of the base between two such sides are near the stretch that both have.
func (w *work) joinPast(n uint32, a side) {
	base := w.e.base
	tip := base.Portal(n).To
	w.tips, w.passed = append(w.tips, tip), append(w.passed, n)
	for q := base.Region(tip).FirstPortal; q < base.Region(tip).EndPortal; q++ {
		p := base.Portal(q)
		if slices.Contains(w.tips, p.To) || !around(a.from, a.to).Overlaps(lattice.BoxOf(p.Right, p.Left)) {
			continue
		}
		w.reads.addNew(p.To)
		found := false
		w.sidesBehind(p, a, func(b side) {
			if lattice.Orient(a.from, a.to, b.from) != 0 || lattice.Orient(a.from, a.to, b.to) != 0 {
				return
			}
			right, left := meet(&Portal{Right: a.from, Left: a.to}, a, b)
			if lattice.Dot(a.from, a.to, left) <= lattice.Dot(a.from, a.to, right) || !w.allNear(append(w.passed, q), right, left) {
				return
			}
			if found = true; w.opens(a, b) {
				w.open(a, b, right, left, nil)
			}
		})
		if !found && len(w.passed) < mostPast && w.next.Region(p.To).Split {
			w.joinPast(q, a)
		}
	}
	w.passed = w.passed[:len(w.passed)-1]
}

// allNear reports whether both ends of a stretch are near all of some portals of the base.
func (w *work) allNear(portals []uint32, right, left lattice.Point) bool {
	for _, n := range portals {
		if p := w.e.base.Portal(n); !nearPortal(right, p) || !nearPortal(left, p) {
			return false
		}
	}
	return true
}

// around returns a box around a side in which the sides behind lie: sides on a portal may be beside the portal by rounding,
// each by as much as growth.
func around(from, to lattice.Point) lattice.Box {
	const off = 2*growth + 1
	b := lattice.BoxOf(from, to)
	return lattice.Box{Min: lattice.Point{X: b.Min.X - off, Y: b.Min.Y - off}, Max: lattice.Point{X: b.Max.X + off, Y: b.Max.Y + off}}
}

// sidesBehind calls f for the sides on portal p of the base that are behind p and near side a.
func (w *work) sidesBehind(p *Portal, a side, f func(b side)) {
	e := w.e
	if !w.next.Region(p.To).Split {
		back := e.base.Portal(p.Back)
		f(side{p.To, back.Right, back.Left, None})
		return
	}
	w.next.fringeOf(p.To).floor.anyIn(around(a.from, a.to), func(r uint32) bool {
		ring := w.next.Region(r).Ring
		for i, s := range e.pieces[r-e.limit].sides {
			if s >= 0 && e.numbers[s] == p.Back {
				f(side{r, ring[i].Point, ring[following(i, len(ring))].Point, int32(i)})
			}
		}
		return false
	})
}

// opens reports whether side a, of a region that comes, opens the doors to side b: of two regions that come, the one of the
// lesser region of the base.
func (w *work) opens(a, b side) bool {
	return !w.came.has(b.region) || w.next.Base(a.region) < w.next.Base(b.region)
}

// meet returns the stretch where two sides on portal p of the base run along each other: from right to left along p, if
// there is any. Side a runs along p, b against p.
func meet(p *Portal, a, b side) (right, left lattice.Point) {
	right, left = a.from, a.to
	if lattice.Dot(p.Right, p.Left, b.to) > lattice.Dot(p.Right, p.Left, right) {
		right = b.to
	}
	if lattice.Dot(p.Right, p.Left, b.from) < lattice.Dot(p.Right, p.Left, left) {
		left = b.from
	}
	return right, left
}

// joinInside joins the pieces that come to a region of the base: with each other, and with the pieces of blocks that stay.
// Their neighbours meet the boxes of the blocks that come.
func (w *work) joinInside(base uint32, came []uint32, leaves []lattice.Box) {
	w.plan, w.owners = w.plan[:0], w.owners[:0]
	box := lattice.EmptyBox()
	for _, b := range leaves {
		box = box.Union(b)
	}
	for _, r := range came {
		w.addInner(r, box)
	}
	n := int32(len(w.plan))
	w.found.clear()
	floor := w.next.fringeOf(base).floor
	for _, b := range leaves {
		floor.anyIn(b, func(r uint32) bool {
			if !w.came.has(r) && !w.found.has(r) {
				w.found.add(r)
				w.addInner(r, box)
			}
			return false
		})
	}
	w.match(func(i, j int, from, to lattice.Point) {
		if a, b := w.owners[i], w.owners[j]; a.region != b.region && min(int32(i), int32(j)) < n {
			w.open(a, b, from, to, nil)
		}
	})
}

// match is [planar.Match] for the sides of w.plan, in any order. Most sides have a side with the same ends for a mate, which
// a map finds.
func (w *work) match(meet func(i, j int, a, b lattice.Point)) {
	w.sides.clear()
	w.single = resize(w.single, len(w.plan))
	for i, s := range w.plan {
		j, ok := w.sides.of(s.B, s.A)
		w.single[i] = !ok || !w.single[j]
		if w.single[i] {
			w.sides.set(s.A, s.B, int32(i))
			continue
		}
		w.single[j] = false
		if s.A.Compare(s.B) < 0 {
			meet(i, int(j), s.A, s.B)
		} else {
			meet(int(j), i, s.B, s.A)
		}
	}
	w.rest, w.restOf = w.rest[:0], w.restOf[:0]
	for i, s := range w.plan {
		if w.single[i] {
			w.rest, w.restOf = append(w.rest, s), append(w.restOf, i)
		}
	}
	planar.Match(w.rest, func(i, j int, a, b lattice.Point) { meet(w.restOf[i], w.restOf[j], a, b) }, nil)
}

// resize returns a slice of length n, with the memory of s where enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/2)[:n]
	}
	return s[:n]
}

// addInner adds the sides of a piece that others of its region may be behind, if they meet a box.
func (w *work) addInner(r uint32, box lattice.Box) {
	ring := w.next.Region(r).Ring
	for i, s := range w.e.pieces[r-w.e.limit].sides {
		if s != SideInner {
			continue
		}
		if a, b := ring[i].Point, ring[following(i, len(ring))].Point; lattice.BoxOf(a, b).Overlaps(box) {
			w.plan = append(w.plan, planar.Side{A: a, B: b})
			w.owners = append(w.owners, side{r, a, b, int32(i)})
		}
	}
}

// open adds the doors between the regions of two sides, seen from the first. on is the portal of the base that holds them, or
// nil.
func (w *work) open(a, b side, right, left lattice.Point, on *Portal) {
	own, other := w.touch(a.region), w.touch(b.region)
	w.dirty.add(right)
	w.dirty.add(left)
	n := int32(len(w.doors))
	w.doors = append(w.doors, door{
		own: a.region, place: own, to: b.region, right: right, left: left, mate: n + 1, old: None, leftTurn: NoTurn, rightTurn: NoTurn,
		behindCount: everywhere, edge: a.edge,
	}, door{
		own: b.region, place: other, to: a.region, right: left, left: right, mate: n, old: None, leftTurn: NoTurn, rightTurn: NoTurn,
		behindCount: everywhere, edge: b.edge,
	})
	// From a whole region the portal leads where the portal of the base leads, or less far.
	if on != nil && !w.e.isPiece(a.region) {
		one := &w.doors[n]
		one.behind, one.behindCount = on.Behind, on.BehindCount
	}
	if on != nil && !w.e.isPiece(b.region) {
		two, back := &w.doors[n+1], w.e.base.Portal(on.Back)
		two.behind, two.behindCount = back.Behind, back.BehindCount
	}
}

// everywhere is the number of regions behind a portal that may lead to all of them.
const everywhere = math.MaxUint32

// keep adds the doors of touched regions that stay as they are.
func (w *work) keep() {
	for place, r := range w.place.keys {
		if w.came.has(r) {
			continue
		}
		reg := w.old.Region(r)
		portals := w.old.PortalsOf(reg)
		for i := range portals {
			p := &portals[i]
			if w.left.has(p.To) {
				continue
			}
			n := reg.FirstPortal + uint32(i)
			for len(w.doorAt.keys) < len(w.doors) {
				w.doorAt.keys = append(w.doorAt.keys, math.MaxUint32) // of new doors
			}
			w.doorAt.add(n)
			w.doors = append(w.doors, door{
				own: r, place: int32(place), to: p.To, right: p.Right, left: p.Left, mate: None, old: int32(n), back: p.Back,
				leftTurn: p.LeftTurn, rightTurn: p.RightTurn, behind: p.Behind, behindCount: p.BehindCount, edge: None,
			})
		}
	}
	for i := range w.doors {
		if d := &w.doors[i]; d.old != None {
			if mate, ok := w.doorAt.of(d.back); ok {
				d.mate = mate
			}
		}
	}
}

// write gives the doors numbers, and writes the portals of the touched regions. Their borders are known when somebody asks.
func (w *work) write() {
	w.sort()
	for k, r := range w.place.keys {
		doors := w.order[w.first[k]:w.first[k+1]]
		first := w.e.blocks.place(w, r, len(doors))
		for i, d := range doors {
			w.doors[d].number = first + uint32(i)
		}
		if reg, end := w.next.Region(r), first+uint32(len(doors)); reg.FirstPortal != first || reg.EndPortal != end {
			reg = w.region(r)
			reg.FirstPortal, reg.EndPortal = first, end
		}
	}
	for k := range w.place.keys {
		list := w.order[w.first[k]:w.first[k+1]]
		for len(list) > 0 {
			// The portals of a region lie on a page, or on several.
			first := w.doors[list[0]].number
			n := min(len(list), int(portalsPerPage-first%portalsPerPage))
			w.portal(first) // the page is the change's own
			page := w.next.portals.page(first >> portalBits)[first%portalsPerPage:][:n]
			for i := range page {
				d := &w.doors[list[i]]
				back := d.back
				if d.mate != None {
					back = w.doors[d.mate].number
				} else if d.number != uint32(d.old) {
					w.portal(back).Back = d.number
				}
				page[i] = Portal{
					To: d.to, Back: back, Left: d.left, Right: d.right, LeftTurn: d.leftTurn, RightTurn: d.rightTurn,
					Behind: d.behind, BehindCount: d.behindCount,
				}
			}
			list = list[n:]
		}
	}
	borders := make([]border, len(w.place.keys))
	for k, r := range w.place.keys {
		w.fringe(r).border = &borders[k]
	}
}

// sort puts the doors of each touched region in order along its border.
func (w *work) sort() {
	n := len(w.place.keys)
	w.first = append(w.first[:0], make([]int32, n+2)...)
	for i := range w.doors {
		w.first[w.doors[i].place+2]++
	}
	for k := range n {
		w.first[k+2] += w.first[k+1]
	}
	w.order = resize(w.order, len(w.doors))
	for i := range w.doors {
		k := w.doors[i].place + 1
		w.order[w.first[k]] = int32(i)
		w.first[k]++
	}
	for k, r := range w.place.keys {
		ring, list := w.next.Region(r).Ring, w.order[w.first[k]:w.first[k+1]]
		from := int32(0) // doors that stay are in order already
		for i, a := range list {
			d := &w.doors[a]
			if d.edge == None {
				d.edge = edgeOf(ring, from, d.right, d.left)
				if d.old != None {
					from = d.edge
				}
			}
			// Most regions have few doors: each moves to its place among those before.
			if i < fewDoors {
				for ; i > 0 && w.precedes(ring, d, &w.doors[list[i-1]]); i-- {
					list[i] = list[i-1]
				}
				list[i] = a
			}
		}
		if len(list) > fewDoors {
			slices.SortFunc(list, func(a, b int32) int {
				p, q := &w.doors[a], &w.doors[b]
				from := ring[p.edge].Point
				return cmp.Or(cmp.Compare(p.edge, q.edge), cmp.Compare(from.Distance2(p.right), from.Distance2(q.right)))
			})
		}
	}
}

// fewDoors is the number of doors up to which sorting by insertion is quick.
const fewDoors = 16

// precedes reports whether a door of a region is before another along the border.
func (w *work) precedes(ring []lattice.Vertex, a, b *door) bool {
	if a.edge != b.edge {
		return a.edge < b.edge
	}
	from := ring[a.edge].Point
	return from.Distance2(a.right) < from.Distance2(b.right)
}

// onSide reports whether the side of a ring from a to b holds a portal from right to left.
func onSide(right, left, a, b lattice.Point) bool {
	return (a == right || lattice.OnSegment(right, a, b)) && (b == left || lattice.OnSegment(left, a, b))
}

// edgeOf returns the side of a ring that holds two points, looking from a side on.
func edgeOf(ring []lattice.Vertex, from int32, right, left lattice.Point) int32 {
	i := int(from)
	for range ring {
		next := i + 1
		if next == len(ring) {
			next = 0
		}
		a, b := ring[i].Point, ring[next].Point
		if onSide(right, left, a, b) {
			return int32(i)
		}
		i = next
	}
	return 0
}

// finish frees the numbers that the change has left.
func (w *work) finish() {
	for _, r := range w.freed {
		w.e.free.put(r - w.e.limit&^(regionsPerPage-1))
	}
	for _, t := range w.isTurn.keys {
		if !w.kept.has(t) {
			w.e.putTurn(t)
		}
	}
	w.next.limit()
}
