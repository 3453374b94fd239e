package exact

// Looks from corners, for lists of what corners see: see sights.go and changes.go.

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// outlook is the memory of looks from a corner, in all directions of paths that turn left or right around the corner. All ways of a
// look are straight: the first way to a corner is as short as any other.
type outlook struct {
	ix       *index.Index
	at       lattice.Point
	incoming index.Direction // along the wall where the turn begins
	left     bool

	views  []gaze
	seen   []glimpse // corners and hops in sight
	far    []int32   // corners at the farther ends of portals seen edge-on
	along  []uint32  // portals seen edge-on
	around []uint32  // the regions around the corner
	marks  []uint32  // of corner c on side s at 2c+s, followed by those of hops: the last look that saw the corner
	stamp  uint32
}

// gaze is the part of a portal that the corner sees, between two directions.
type gaze struct {
	left, right index.Direction // right to left by less than half a turn
	portal      uint32
	before      int32 // the previous gaze on the way here, or none; see [pack.wayThrough]
}

// glimpse is a sight, with the direction of the way and the last gaze on the way, or none.
type glimpse struct {
	visit   int32
	via     uint32
	through int32
	way     index.Direction
}

// look replaces the previous look by a look from a corner. The look begins before portal k, between the portal and the wall. whole
// is false for more than most portals in sight.
func (o *outlook) look(ix *index.Index, at lattice.Point, w *walls, k uint32, left bool, most int) (whole bool) {
	if o.stamp++; o.ix != ix || o.stamp == 0 {
		o.ix, o.marks, o.stamp = ix, make([]uint32, 2*ix.Turns+len(ix.Hops)), 1
	}
	o.at, o.left, o.incoming = at, left, w.last.Back()
	if left {
		o.incoming = w.first.Back()
	}
	o.views, o.seen, o.far, o.along, o.around = o.views[:0], o.seen[:0], o.far[:0], o.along[:0], o.around[:0]
	o.begin(ix.Portal(ix.Portal(k).Back).To)
	for p, more := k, true; more; {
		o.begin(ix.Portal(p).To)
		p, more = ix.Around(p, left)
		more = more && p != k && len(o.around) <= ix.PortalLimit()
	}
	for i := 0; i < len(o.views); i++ {
		if most > 0 && len(o.views) > most || len(o.views)+len(o.seen) > ix.Most {
			return false
		}
		o.expand(int32(i))
	}
	return true
}

// begin makes the views into a region around the corner. After a left turn a path can only go on to the left of the way to the
// corner; after a right turn, to the right.
func (o *outlook) begin(in uint32) {
	o.around = append(o.around, in)
	o.seeHops(in, index.None)
	r := o.ix.Region(in)
	portals := o.ix.PortalsOf(r)
	for j := range portals {
		p, k := &portals[j], r.FirstPortal+uint32(j)
		if p.Left == o.at || p.Right == o.at {
			continue
		}
		left, right := index.Towards(o.at, p.Left), index.Towards(o.at, p.Right)
		overLeft, overRight := index.Cross(o.incoming, left), index.Cross(o.incoming, right)
		if facing := index.Cross(right, left); facing <= 0 {
			if facing == 0 && (overRight == 0 || overRight > 0 == o.left) {
				o.seeAlong(p, k, index.None, left, right)
			}
			continue
		}
		newLeft, newRight := true, true
		if o.left {
			if overLeft <= 0 && overRight <= 0 {
				continue
			}
			if overRight < 0 {
				right, newRight = o.incoming, false
			}
		} else {
			if overLeft >= 0 && overRight >= 0 {
				continue
			}
			if overLeft > 0 {
				left, newLeft = o.incoming, false
			}
		}
		o.add(p, gaze{left, right, k, index.None}, newLeft, newRight)
	}
}

// expand makes the views behind a view, as [Tree.expand] does.
func (o *outlook) expand(i int32) {
	v := o.views[i]
	entry := o.ix.Portal(v.portal)
	o.seeHops(entry.To, i)
	r := o.ix.Region(entry.To)
	portals := o.ix.PortalsOf(r)
	for j := range portals {
		p, k := &portals[j], r.FirstPortal+uint32(j)
		if k == entry.Back {
			continue
		}
		left := index.Towards(o.at, p.Left)
		overRight := index.Cross(v.right, left)
		if overRight < 0 {
			continue
		}
		right := index.Towards(o.at, p.Right)
		overLeft := index.Cross(right, v.left)
		if overLeft < 0 {
			continue
		}
		facing := index.Cross(right, left)
		if facing <= 0 {
			if facing == 0 && index.Cross(v.right, right) >= 0 {
				o.seeAlong(p, k, i, left, right)
			}
			continue
		}
		newLeft, newRight := index.Cross(v.left, left) <= 0, index.Cross(v.right, right) >= 0
		if !newLeft {
			left = v.left
		}
		if !newRight {
			right = v.right
		}
		if overRight > 0 && overLeft > 0 {
			o.add(p, gaze{left, right, k, i}, newLeft, newRight)
		}
	}
}

// add adds a view, and the ends of its portal that have just come into sight.
func (o *outlook) add(p *index.Portal, v gaze, newLeft, newRight bool) {
	if newLeft && p.LeftTurn != index.NoTurn {
		o.see(p.LeftTurn, 2*v.portal+1, v.before, v.left)
	}
	if newRight && p.RightTurn != index.NoTurn {
		o.see(p.RightTurn, 2*v.portal, v.before, v.right)
	}
	o.views = append(o.views, v)
}

// seeAlong sees the nearer end of a portal seen edge-on, and notes the farther end.
func (o *outlook) seeAlong(p *index.Portal, k uint32, through int32, left, right index.Direction) {
	o.along = append(o.along, k)
	near, far, via, way := p.RightTurn, p.LeftTurn, 2*k, right
	if left.Norm() < right.Norm() {
		near, far, via, way = far, near, 2*k+1, left
	}
	if near != index.NoTurn {
		o.see(near, via, through, way)
	}
	if far != index.NoTurn {
		o.far = append(o.far, far)
	}
}

// see records a corner at an end of a portal.
func (o *outlook) see(turn int32, via uint32, through int32, way index.Direction) {
	if m := &o.marks[2*uint32(turn)+via%2]; *m != o.stamp {
		*m = o.stamp
		o.seen = append(o.seen, glimpse{turn, via, through, way})
	}
}

// seeHops records the hops of a region whose starts are in sight through a view; without a view, all are.
func (o *outlook) seeHops(in uint32, through int32) {
	for _, h := range o.ix.HopsOf(in) {
		way := index.Towards(o.at, o.ix.Hops[h].Start)
		if through != index.None {
			if v := &o.views[through]; index.Cross(v.right, way) < 0 || index.Cross(way, v.left) < 0 {
				continue
			}
		}
		if m := &o.marks[2*o.ix.Turns+int(h)]; *m != o.stamp {
			*m = o.stamp
			o.seen = append(o.seen, glimpse{int32(o.ix.Turns) + h, in, through, way})
		}
	}
}
