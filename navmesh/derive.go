package navmesh

import (
	"context"
	"errors"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
)

// Derive fills in the properties that follow from the rest of the tile: the corner flags and the clearance of every
// portal, and the bottleneck tree of every region. Vertices, Corners, Regions and Portals with To, Edge, Left, Right
// and Back must be in place and consistent. Makers of a tile call Derive before sharing the tile.
//
// Time is O(P + Σ m²) for P portals and regions with m corners and portals.
func (t *Tile) Derive() {
	_ = t.DeriveOn(context.Background(), 1) // the background context never ends
}

// DeriveOn is [Tile.Derive] on up to jobs goroutines, one per core for 0. The only error is the error of a context that
// ended; the tile is then half made.
func (t *Tile) DeriveOn(ctx context.Context, jobs int) error {
	if ctx == nil {
		return errors.New("navmesh: the context is nil: use context.Background()")
	}
	f := t.fans()
	walls := make([][]gap, len(t.Regions))
	const block = 512
	blocks := (len(t.Regions) + block - 1) / block
	trees := make([][]Passage, blocks)
	err := par.For(ctx, jobs, blocks, func(c int) error {
		var b bottlenecks
		for i := c * block; i < min(len(t.Regions), (c+1)*block); i++ {
			walls[i] = t.gaps(i, f)
			t.Regions[i].FirstPassage = uint32(len(trees[c])) // relative to its block
			trees[c] = b.passages(trees[c], walls[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	t.Passages = slices.Concat(trees...)
	first := 0
	for c := range trees {
		for i := c * block; i < min(len(t.Regions), (c+1)*block); i++ {
			t.Regions[i].FirstPassage += uint32(first)
		}
		first += len(trees[c])
	}
	// The side of a portal with the lower number computes the clearance for both.
	err = par.For(ctx, jobs, (len(t.Portals)+block-1)/block, func(c int) error {
		var w widest
		for i := c * block; i < min(len(t.Portals), (c+1)*block); i++ {
			p := &t.Portals[i]
			p.RightCorner = f.corner[i]
			p.LeftCorner = f.corner[p.Back]
			if int(p.Back) >= i {
				left, right := t.Vertices[p.Left].Point, t.Vertices[p.Right].Point
				p.Clearance = w.on(right, left, walls[f.owner[i]], walls[p.To])
			}
		}
		return nil
	})
	for i := range t.Portals {
		if back := t.Portals[i].Back; int(back) < i {
			t.Portals[i].Clearance = t.Portals[back].Clearance
		}
	}
	return err
}

// fans describes, for every portal, the free space around its right end. The space around its left end is the space
// around the right end of its back portal.
type fans struct {
	owner  []uint32 // region of the portal
	closed []bool   // free space all around: the end is not on the border
	corner []bool   // the free space has an angle of more than 180 degrees
}

// fans walks around every portal end, from portal to portal on the same sheet of floor. Free space that touches the
// vertex elsewhere, behind a wall, is another fan. Time O(P).
func (t *Tile) fans() fans {
	n := len(t.Portals)
	f := fans{owner: t.owners(), closed: make([]bool, n), corner: make([]bool, n)}
	// ccw[p] is the next portal around the right end of p, counter-clockwise, none at the border.
	const none = ^uint32(0)
	ccw := make([]uint32, n)
	hasBefore := make([]bool, n)
	for i := range t.Portals {
		ccw[i] = none
		if q, ok := t.ccwAround(f.owner[i], uint32(i)); ok {
			ccw[i] = q
			hasBefore[q] = true
		}
	}
	seen := make([]bool, n)
	// Fans with a border start at the portal without a predecessor.
	for i := range t.Portals {
		if hasBefore[i] {
			continue
		}
		corner := t.openFan(f.owner, ccw, uint32(i), none)
		for p := uint32(i); p != none && !seen[p]; p = ccw[p] {
			seen[p] = true
			f.corner[p] = corner
		}
	}
	for i := range f.closed {
		f.closed[i] = !seen[i]
	}
	return f
}

// owners returns the region of every portal.
func (t *Tile) owners() []uint32 {
	owner := make([]uint32, len(t.Portals))
	for i := range t.Regions {
		r := &t.Regions[i]
		for p := r.FirstPortal; p < r.FirstPortal+r.PortalCount; p++ {
			owner[p] = uint32(i)
		}
	}
	return owner
}

// ccwAround returns the next portal around the right end of portal p of region r.
func (t *Tile) ccwAround(r, p uint32) (q uint32, ok bool) {
	reg := &t.Regions[r]
	before := p - 1
	if p == reg.FirstPortal {
		before = reg.FirstPortal + reg.PortalCount - 1
	}
	// The wedge of r at the end lies between p and the previous portal, if the previous portal ends here.
	if t.Portals[before].Left != t.Portals[p].Right {
		return 0, false
	}
	return t.Portals[before].Back, true
}

// openFan reports whether the free space around the right end of portal first, counter-clockwise from behind first, has
// an angle of more than 180 degrees.
func (t *Tile) openFan(owner, ccw []uint32, first, none uint32) bool {
	back := t.Portals[first].Back
	start, end := t.wedge(owner[back], t.Portals[back].Edge, t.Portals[back].Left)
	v := t.Vertices[t.Portals[back].Left].Point
	// Each wedge is at most 180 degrees. Hence the sum passes 180 degrees exactly when the direction is first no longer
	// on the left of the start.
	if turnPassed(v, start, end) {
		return true
	}
	for p, steps := first, 0; p != none && steps <= len(ccw); p, steps = ccw[p], steps+1 {
		_, end = t.wedge(owner[p], t.Portals[p].Edge, t.Portals[p].Right)
		if turnPassed(v, start, end) {
			return true
		}
	}
	return false
}

// turnPassed reports whether the counter-clockwise turn around v from a to b is more than 180 degrees. The turn must be
// above 0 and at most 360 degrees.
func turnPassed(v, a, b lattice.Point) bool {
	o := lattice.Orient(v, a, b)
	return o < 0 || o == 0 && lattice.Dot(v, a, b) > 0
}

// wedge returns points in the two directions that bound region r at vertex v; free space is counter-clockwise from
// start to end. Vertex v is the start of an edge, its end, or inside the edge.
func (t *Tile) wedge(r, edge, v uint32) (start, end lattice.Point) {
	corners := t.RegionCorners(int(r))
	n := uint32(len(corners))
	from, to := edge, (edge+1)%n
	switch v {
	case corners[from]:
		from = (from + n - 1) % n
	case corners[to]:
		to = (to + 1) % n
	}
	return t.Vertices[corners[to]].Point, t.Vertices[corners[from]].Point
}
