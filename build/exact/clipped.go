package exact

import (
	"context"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// clipped is the share of crossings in a triangle when another storey takes a part. Crossings near each other mostly
// have the same share, clipped once for all. Only the places in the boxes of these crossings are right.
type clipped struct {
	rings, blocked []lattice.Ring // as of an exposure; rings are nil where nothing is left
	without        []lattice.Ring // the parts of the other storey, and a few units beside them
}

// clipAll numbers the different fractions of crossings and clips them.
func (e *extraction) clipAll(ctx context.Context, jobs int, groups []crossing) ([]clipped, error) {
	var fractions []*fraction
	var boxes []box3             // around the crossings that share a fraction
	number := map[string]int32{} // looked up only
	var key []byte
	for g := range groups {
		for i := range groups[g].floor {
			f := &groups[g].floor[i]
			f.clip = -1
			if f.whole() {
				continue
			}
			slices.Sort(f.above)
			slices.Sort(f.below)
			key = key[:0]
			for _, t := range slices.Concat([]int32{f.triangle, int32(len(f.above))}, f.above, f.below) {
				key = append(key, byte(t), byte(t>>8), byte(t>>16), byte(t>>24))
			}
			n, known := number[string(key)]
			if !known || len(f.without) > 0 {
				n = int32(len(fractions))
				fractions, boxes = append(fractions, f), append(boxes, groups[g].box)
			}
			boxes[n] = boxes[n].Union(groups[g].box)
			if len(f.without) == 0 {
				number[string(key)] = n
			}
			f.clip = n
		}
	}
	all := make([]clipped, len(fractions))
	err := par.For(ctx, jobs, len(fractions), func(i int) error {
		var err error
		all[i], err = e.clip(fractions[i], &boxes[i])
		return err
	})
	return all, err
}

// clip takes the parts of another storey off a triangle, in a box.
func (e *extraction) clip(f *fraction, box *box3) (clipped, error) {
	x := e.exposed[f.triangle]
	parts := slices.Clone(f.without)
	for _, o := range f.above {
		if r := e.placeOver(f.triangle, o); r != nil {
			parts = append(parts, r)
		}
	}
	for _, o := range f.below {
		if r := e.placeOver(o, f.triangle); r != nil {
			parts = append(parts, r)
		}
	}
	parts = slices.DeleteFunc(outermost(parts, nil), func(r lattice.Ring) bool {
		near := flatBox(r.Box())
		return !slices.ContainsFunc(e.ringsNear(f.triangle, &near), func(o lattice.Ring) bool { return !touch(r, o) })
	})
	blocked := append(nearby(x.blocked, box), joined(wallsNear(x.walls, box))...)
	switch {
	case len(parts) == 0:
		return clipped{rings: nearby(e.ringsNear(f.triangle, box), box), blocked: blocked}, nil
	case slices.ContainsFunc(parts, func(r lattice.Ring) bool {
		return !slices.ContainsFunc(e.rings(f.triangle), func(o lattice.Ring) bool { return !holds(r, o) })
	}):
		return clipped{}, nil
	}
	// Rounding must leave no obstacle of an absent floor at the border of the floor above: splinters would cut the
	// floor above.
	var without []lattice.Ring
	for _, r := range parts {
		var points []lattice.Point
		for _, p := range r {
			points = appendAround(points, p, 2*touching)
		}
		without = append(without, lattice.Hull(points))
	}
	blocked, err := outsideOf(blocked, without)
	if err != nil {
		return clipped{}, err
	}
	left, err := overlay.Difference(nearby(e.ringsNear(f.triangle, box), box), parts)
	return clipped{rings: ringsOf(left), blocked: blocked, without: without}, err
}

// outsideOf returns the parts of rings outside of convex rings.
func outsideOf(rings, convex []lattice.Ring) ([]lattice.Ring, error) {
	if len(rings) == 0 || len(convex) == 0 {
		return rings, nil
	}
	var meets, out []lattice.Ring
	for _, r := range rings {
		if slices.ContainsFunc(convex, func(c lattice.Ring) bool { return !touch(c, r) }) {
			meets = append(meets, r)
		} else {
			out = append(out, r)
		}
	}
	meets = slices.DeleteFunc(meets, func(r lattice.Ring) bool {
		return slices.ContainsFunc(convex, func(c lattice.Ring) bool { return holds(c, r) })
	})
	if len(meets) == 0 {
		return out, nil
	}
	left, err := overlay.Difference(meets, convex)
	return append(out, ringsOf(left)...), err
}

// placeOver returns where one triangle is over another, high enough to walk between, and a little beside; nil without overlap.
func (e *extraction) placeOver(lower, upper int32) lattice.Ring {
	pair := e.pairOf(lower, upper)
	if pair < 0 {
		return nil
	}
	var part piece
	if part.take(e.overlapOf(pair).roomy); part.n == 0 {
		return nil
	}
	return part.footprint(e.aside())
}
