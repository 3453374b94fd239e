package dasfv

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// laws returns the first fault of a world. boxes says that all obstacles are boxes: then regions are rectangles and cover
// the free floor to the last unit. pockets counts the triangles that ever filled a pocket of less than a unit: without any,
// all borders between regions are parallel to an axis, and at most four regions meet at a free point.
func laws(w *World, boxes bool, pockets int) error {
	for i, r := range w.regions {
		if i > 0 && w.regions[i-1].ID >= r.ID {
			return fmt.Errorf("region %d comes after %d", r.ID, w.regions[i-1].ID)
		}
		for k, c := range r.ring {
			if lattice.Orient(r.ring[(k+len(r.ring)-1)%len(r.ring)], c, r.ring[(k+1)%len(r.ring)]) <= 0 {
				return fmt.Errorf("region %d is not strictly convex at %v", r.ID, c)
			}
		}
		if boxes && (len(r.ring) != 4 || slices.ContainsFunc(r.Corners, func(c Corner) bool { return c.On != NoEdge })) {
			return fmt.Errorf("region %d is no rectangle: %v", r.ID, r.Corners)
		}
	}
	for _, law := range []func() error{
		func() error { return w.disjoint() },
		func() error { return w.covers(boxes) },
		func() error { return w.neighboursAgree(pockets == 0) },
	} {
		if err := law(); err != nil {
			return err
		}
	}
	if pockets > 0 {
		return nil
	}
	return errors.Join(w.sides(), w.atPoints())
}

// disjoint finds regions that overlap or meet an obstacle or the outside.
func (w *World) disjoint() error {
	for i, r := range w.regions {
		if u := w.floor.Union(r.box); u != w.floor {
			return fmt.Errorf("region %d leaves the floor", r.ID)
		}
		for _, o := range w.regions[:i] {
			if overlap(r.ring, o.ring) {
				return fmt.Errorf("regions %d and %d overlap", r.ID, o.ID)
			}
		}
		for _, o := range w.obstacles {
			if overlap(r.ring, o.ring) {
				return fmt.Errorf("region %d overlaps obstacle %d", r.ID, o.id)
			}
		}
	}
	return nil
}

// overlap is an independent form of meet: it clips a by every side of b in rationals and looks at the area of the rest.
func overlap(a, b lattice.Ring) bool {
	type point struct{ x, y *big.Rat }
	if s, t := a.Box(), b.Box(); s.Max.X <= t.Min.X || t.Max.X <= s.Min.X || s.Max.Y <= t.Min.Y || t.Max.Y <= s.Min.Y {
		return false
	}
	var ring []point
	for _, p := range a {
		ring = append(ring, point{big.NewRat(int64(p.X), 1), big.NewRat(int64(p.Y), 1)})
	}
	mul := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
	sub := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }
	for i, p := range b {
		q := b[(i+1)%len(b)]
		dx, dy := q.Sub(p)
		left := func(c point) *big.Rat {
			return sub(mul(big.NewRat(dx, 1), sub(c.y, big.NewRat(int64(p.Y), 1))), mul(big.NewRat(dy, 1), sub(c.x, big.NewRat(int64(p.X), 1))))
		}
		var rest []point
		for k, c := range ring {
			d := ring[(k+1)%len(ring)]
			s, t := left(c), left(d)
			if s.Sign() >= 0 {
				rest = append(rest, c)
			}
			if s.Sign()*t.Sign() < 0 {
				f := new(big.Rat).Quo(s, sub(s, t))
				rest = append(rest, point{new(big.Rat).Add(c.x, mul(f, sub(d.x, c.x))), new(big.Rat).Add(c.y, mul(f, sub(d.y, c.y)))})
			}
		}
		ring = rest
	}
	area := new(big.Rat)
	for i, c := range ring {
		d := ring[(i+1)%len(ring)]
		area.Add(area, sub(mul(c.x, d.y), mul(c.y, d.x)))
	}
	return area.Sign() > 0
}

// sides finds sides that are neither parallel to an axis nor along an obstacle.
func (w *World) sides() error {
	for _, r := range w.regions {
		for k, c := range r.Corners {
			d := r.Corners[(k+1)%len(r.Corners)]
			if !isSlanted(c.Point, d.Point) {
				continue
			}
			along := false
			for _, o := range w.obstacles {
				along = along || o.follows(c, d)
			}
			if !along {
				return fmt.Errorf("region %d has a slanted side from %v to %v along no obstacle", r.ID, c, d)
			}
		}
	}
	return nil
}

// covers compares the area of the regions with that of the free floor.
func (w *World) covers(boxes bool) error {
	domains, cells, err := w.Domains()
	if err != nil {
		return err
	}
	count := 0
	for i := range domains {
		lost := domains[i].Area2()
		for _, c := range cells[i] {
			ring := make(lattice.Ring, len(c.Corners))
			for k, p := range c.Corners {
				ring[k] = p.Point
			}
			lost -= ring.Area2()
		}
		if boxes && lost != 0 {
			return fmt.Errorf("%d half units of the free floor at %v are not covered", lost, domains[i].Rings[0][0])
		}
		if err := gentest.Check(&domains[i], gen.Result{Cells: cells[i], Report: gen.Report{Lost: lost}}); err != nil {
			return err
		}
		count += len(cells[i])
	}
	if count != len(w.regions) {
		return fmt.Errorf("%d of %d regions lie in the free floor", count, len(w.regions))
	}
	return nil
}

// neighboursAgree looks at all pairs. Where a pocket may lie between a region and an obstacle, a short distance is no contact.
func (w *World) neighboursAgree(obstacles bool) error {
	for _, r := range w.regions {
		var portals []Portal
		for _, o := range w.regions {
			if from, to, ok := common(r.ring, o.ring); ok && r != o {
				portals = append(portals, Portal{o.ID, to, from})
			}
		}
		if !slices.Equal(portals, r.Portals) {
			return fmt.Errorf("region %d has portals %v, a look at all pairs finds %v", r.ID, r.Portals, portals)
		}
		if !obstacles {
			continue
		}
		var beside []ID
		for _, o := range w.obstacles {
			if o.touches(r) {
				beside = append(beside, o.id)
			}
		}
		if !slices.Equal(beside, r.Obstacles) {
			return fmt.Errorf("region %d has obstacles %v, a look at all finds %v", r.ID, r.Obstacles, beside)
		}
	}
	return nil
}

// common is an independent form of border: of the corners of both rings on both borders, the two that are farthest apart.
func common(a, b lattice.Ring) (from, to lattice.Point, ok bool) {
	on := func(p lattice.Point, ring lattice.Ring) bool {
		return ring.Locate(p) == lattice.OnBoundary
	}
	var shared []lattice.Point
	for _, p := range slices.Concat(a, b) {
		if on(p, a) && on(p, b) {
			shared = append(shared, p)
		}
	}
	for _, p := range shared {
		for _, q := range shared {
			if p == q {
				continue
			}
			// From p to q with a on the left.
			left := true
			for _, c := range a {
				left = left && lattice.Orient(p, q, c) >= 0
			}
			for _, c := range b {
				left = left && lattice.Orient(p, q, c) <= 0
			}
			if left && (!ok || p.Distance2(q) > from.Distance2(to)) {
				from, to, ok = p, q, true
			}
		}
	}
	return from, to, ok
}

// touches is an independent form of Region.along.
func (o *obstacle) touches(r *Region) bool {
	if _, _, ok := common(r.ring, o.ring); ok {
		return true
	}
	for k, c := range r.Corners {
		if o.follows(c, r.Corners[(k+1)%len(r.Corners)]) {
			return true
		}
	}
	return false
}

// follows tells whether a slanted side lies along the obstacle: its ends and its middle are at most farthest units from the
// obstacle's border.
func (o *obstacle) follows(c, d Corner) bool {
	if !isSlanted(c.Point, d.Point) {
		return false
	}
	for _, p := range []lattice.Point{c.Point, d.Point, {X: (c.X + d.X) / 2, Y: (c.Y + d.Y) / 2}} {
		near := false
		for i := range o.ring {
			a, b := o.edge(i)
			near = near || o.slanted(i) && lattice.SegmentDistance2(p, a, b).CompareInt(farthest*farthest) <= 0
		}
		if !near {
			return false
		}
	}
	return true
}

// atPoints finds free points with more than four regions. A corner of a region attains the most.
func (w *World) atPoints() error {
	count := map[lattice.Point]int{}
	for _, r := range w.regions {
		for _, p := range r.ring {
			count[p] = 0
		}
	}
	for p := range count {
		if slices.ContainsFunc(w.obstacles, func(o *obstacle) bool { return o.ring.Locate(p) != lattice.Outside }) {
			continue
		}
		n := 0
		for _, r := range w.regions {
			if r.box.Contains(p) && r.ring.Locate(p) != lattice.Outside {
				n++
			}
		}
		if n > 4 {
			return fmt.Errorf("%d regions meet at %v", n, p)
		}
	}
	return nil
}

// must fails where an error came.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
