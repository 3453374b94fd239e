// Package gentest judges decompositions. The judge shares no code with the generators, decides everything
// exactly and may be slow. Its worlds are domains to decompose, from ordinary to degenerate.
package gentest

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Check verifies the promises of a complete generator about the decomposition of d and returns all faults
// with their place, or nil:
//  1. every cell is strictly simple, convex, counter-clockwise and of positive area;
//  2. every constructed corner is at most two units from its edge, strictly between the edge's ends,
//     in the free space, and exactly on the edge if that belongs to a chain;
//  3. the borders of all cells add up to the border of d with the constructed corners inserted, so the cells
//     cover the inside exactly once, and this border does not cross itself;
//  4. the areas agree, and Report.Lost is the area lost at constructed corners;
//  5. no two cells overlap (implied by 3, decided by another way).
func Check(d *plan.Domain, res gen.Result) error {
	faults := convexFaults(res.Cells)
	noded, f := renode(d, res.Cells)
	faults = append(faults, f...)
	if len(faults) == 0 {
		faults = append(faults, chainFaults(noded, res.Cells)...)
		faults = append(faults, crossingFaults(noded)...)
		faults = append(faults, areaFaults(d, noded, res)...)
		faults = append(faults, overlapFaults(res.Cells)...)
	}
	return errors.Join(faults...)
}

// CheckInside verifies the promises of a generator that deliberately gives up a part of the domain: the cells
// are convex and do not overlap, stay inside d, and have their corners on chains exactly there. Together with
// Report.Lost they have the area of d.
func CheckInside(d *plan.Domain, res gen.Result) error {
	faults := convexFaults(res.Cells)
	if len(faults) == 0 {
		faults = append(faults, insideFaults(d, res.Cells)...)
		faults = append(faults, overlapFaults(res.Cells)...)
		want := bigArea2(d.Rings)
		got := new(big.Int).Add(cellArea2(res.Cells), big.NewInt(res.Report.Lost))
		if got.Cmp(want) != 0 || res.Report.Lost < 0 {
			faults = append(faults, fmt.Errorf("cells and %d lost make %v, the domain %v", res.Report.Lost, got, want))
		}
	}
	return errors.Join(faults...)
}

// convexFaults checks every cell alone.
func convexFaults(cells []plan.Cell) (faults []error) {
	for i, c := range cells {
		if err := convex(c); err != nil {
			faults = append(faults, fmt.Errorf("cell %d: %w", i, err))
		}
	}
	return faults
}

func convex(c plan.Cell) error {
	n := len(c.Corners)
	if n < 3 {
		return fmt.Errorf("%d corners", n)
	}
	turns, ups := 0, 0
	for i := range c.Corners {
		p, q, r := c.Corners[i].Point, c.Corners[(i+1)%n].Point, c.Corners[(i+2)%n].Point
		switch o := lattice.Orient(p, q, r); {
		case p == q:
			return fmt.Errorf("corner %d is repeated at %v", i, p)
		case o < 0:
			return fmt.Errorf("corner %d at %v is reflex between %v and %v", (i+1)%n, q, p, r)
		case o == 0 && lattice.Dot(q, p, r) > 0:
			return fmt.Errorf("corner %d at %v turns back", (i+1)%n, q)
		case o > 0:
			turns++
		}
		if !up(p, q) && up(q, r) {
			ups++
		}
	}
	if turns < 3 || ups != 1 {
		return fmt.Errorf("its border turns around %d times with %d corners that turn, near %v", ups, turns, c.Corners[0].Point)
	}
	return nil
}

// up divides directions into two halves of the circle, so a convex border enters the upper half once.
func up(p, q lattice.Point) bool { return q.Y > p.Y || q.Y == p.Y && q.X > p.X }

// renode returns the rings of d with all constructed corners inserted.
func renode(d *plan.Domain, cells []plan.Cell) (rings []lattice.Ring, faults []error) {
	on := map[plan.EdgeID][]lattice.Point{}
	for i, c := range cells {
		for _, k := range c.Corners {
			if k.On == plan.NoEdge {
				continue
			}
			if err := placed(d, k); err != nil {
				faults = append(faults, fmt.Errorf("cell %d: corner at %v: %w", i, k.Point, err))
				continue
			}
			on[k.On] = append(on[k.On], k.Point)
		}
	}
	for r, ring := range d.Rings {
		var noded lattice.Ring
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			noded = append(noded, p)
			points := on[plan.EdgeID{Ring: int32(r), Index: int32(i)}]
			slices.SortFunc(points, func(a, b lattice.Point) int {
				return cmp.Or(cmp.Compare(lattice.Dot(p, q, a), lattice.Dot(p, q, b)), a.Compare(b))
			})
			noded = append(noded, slices.Compact(points)...)
		}
		rings = append(rings, noded)
	}
	return rings, faults
}

// names tells whether d has the edge e.
func names(d *plan.Domain, e plan.EdgeID) bool {
	return e.Ring >= 0 && int(e.Ring) < len(d.Rings) && e.Index >= 0 && int(e.Index) < len(d.Rings[e.Ring])
}

// placed checks a constructed corner against its edge.
func placed(d *plan.Domain, k plan.Corner) error {
	if !names(d, k.On) {
		return fmt.Errorf("there is no edge %v", k.On)
	}
	ring := d.Rings[k.On.Ring]
	p, q := ring[k.On.Index], ring[(int(k.On.Index)+1)%len(ring)]
	o := lattice.Orient(p, q, k.Point)
	if lattice.Dot(p, q, k.Point) <= 0 || lattice.Dot(q, p, k.Point) <= 0 {
		return fmt.Errorf("not between the ends of edge %v, %v and %v", k.On, p, q)
	}
	if o < 0 {
		return fmt.Errorf("behind edge %v, from %v to %v", k.On, p, q)
	}
	if o != 0 && d.Edges != nil && d.Edges[k.On.Ring][k.On.Index] != plan.Wall {
		return fmt.Errorf("not on the chain that edge %v belongs to", k.On)
	}
	dist := new(big.Int).Mul(big.NewInt(o), big.NewInt(o))
	limit := new(big.Int).Mul(big.NewInt(4), new(big.Int).SetUint64(p.Distance2(q)))
	if dist.Cmp(limit) > 0 {
		return fmt.Errorf("more than two units from edge %v, from %v to %v", k.On, p, q)
	}
	return nil
}

// line is the line through a segment: its direction in lowest terms, to the right or straight up, and the
// moment that tells parallel lines apart.
type line struct{ dx, dy, moment int64 }

// step changes by how much the borders run along a line, from a place on it onwards.
type step struct {
	at lattice.Point
	by int
}

// chainFaults adds the borders of all cells and subtracts the border of the domain, line by line. The rest
// has to be zero everywhere. Then every point is in as many cells as it is inside of the border, which is
// once or not at all.
func chainFaults(rings []lattice.Ring, cells []plan.Cell) (faults []error) {
	lines := map[line][]step{}
	add := func(p, q lattice.Point, by int) {
		if q.Compare(p) < 0 {
			p, q, by = q, p, -by
		}
		dx, dy := q.Sub(p)
		g := new(big.Int).GCD(nil, nil, big.NewInt(dx), big.NewInt(max(dy, -dy))).Int64()
		dx, dy = dx/g, dy/g
		l := line{dx, dy, dx*int64(p.Y) - dy*int64(p.X)}
		lines[l] = append(lines[l], step{p, by}, step{q, -by})
	}
	for _, c := range cells {
		for i := range c.Corners {
			add(c.Corners[i].Point, c.Corners[(i+1)%len(c.Corners)].Point, 1)
		}
	}
	for _, r := range rings {
		for i := range r {
			add(r[i], r[(i+1)%len(r)], -1)
		}
	}
	for _, steps := range lines {
		slices.SortFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
		sum := 0
		for i, s := range steps {
			sum += s.by
			if sum != 0 && i+1 < len(steps) && steps[i+1].at != s.at {
				faults = append(faults, fmt.Errorf("borders from %v to %v do not match: off by %d", s.at, steps[i+1].at, sum))
			}
		}
	}
	slices.SortFunc(faults, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return faults
}

// segment is a directed edge of a ring.
type segment struct{ p, q lattice.Point }

func (s segment) box() (lo, hi lattice.Point) {
	return lattice.Point{X: min(s.p.X, s.q.X), Y: min(s.p.Y, s.q.Y)}, lattice.Point{X: max(s.p.X, s.q.X), Y: max(s.p.Y, s.q.Y)}
}

// cross tells whether two segments cross at an inner point of both, or overlap.
func (s segment) cross(t segment) bool {
	a, b := lattice.Orient(s.p, s.q, t.p), lattice.Orient(s.p, s.q, t.q)
	c, d := lattice.Orient(t.p, t.q, s.p), lattice.Orient(t.p, t.q, s.q)
	if a == 0 && b == 0 {
		lo := max(min(along(s, s.p), along(s, s.q)), min(along(s, t.p), along(s, t.q)))
		hi := min(max(along(s, s.p), along(s, s.q)), max(along(s, t.p), along(s, t.q)))
		return lo < hi
	}
	return cmp.Compare(a, 0)*cmp.Compare(b, 0) < 0 && cmp.Compare(c, 0)*cmp.Compare(d, 0) < 0
}

func along(s segment, p lattice.Point) int64 { return lattice.Dot(s.p, s.q, p) }

func segments(rings []lattice.Ring) (all []segment) {
	for _, r := range rings {
		for i := range r {
			all = append(all, segment{r[i], r[(i+1)%len(r)]})
		}
	}
	return all
}

func crossingFaults(rings []lattice.Ring) (faults []error) {
	all := segments(rings)
	pairs(len(all), func(i int) (lo, hi lattice.Point) { return all[i].box() }, func(i, j int) {
		if all[i].cross(all[j]) {
			faults = append(faults, fmt.Errorf("the border from %v to %v crosses that from %v to %v",
				all[i].p, all[i].q, all[j].p, all[j].q))
		}
	})
	return faults
}

// pairs calls f for all pairs i < j whose boxes meet.
func pairs(n int, box func(i int) (lo, hi lattice.Point), f func(i, j int)) {
	lo, hi := make([]lattice.Point, n), make([]lattice.Point, n)
	order := make([]int, n)
	for i := range n {
		lo[i], hi[i] = box(i)
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(lo[i].X, lo[j].X), cmp.Compare(i, j)) })
	var active []int
	for _, i := range order {
		active = slices.DeleteFunc(active, func(j int) bool { return hi[j].X < lo[i].X })
		for _, j := range active {
			if lo[i].Y <= hi[j].Y && lo[j].Y <= hi[i].Y {
				f(min(i, j), max(i, j))
			}
		}
		active = append(active, i)
	}
}

func areaFaults(d *plan.Domain, noded []lattice.Ring, res gen.Result) (faults []error) {
	whole, want, got := bigArea2(d.Rings), bigArea2(noded), cellArea2(res.Cells)
	if got.Cmp(want) != 0 {
		faults = append(faults, fmt.Errorf("the cells have twice the area %v, the domain with constructed corners %v", got, want))
	}
	if lost := new(big.Int).Sub(whole, got); lost.Cmp(big.NewInt(res.Report.Lost)) != 0 || lost.Sign() < 0 {
		faults = append(faults, fmt.Errorf("%v lost, %d reported", lost, res.Report.Lost))
	}
	return faults
}

// bigArea2 returns twice the area enclosed by the rings.
func bigArea2(rings []lattice.Ring) *big.Int {
	sum := new(big.Int)
	for _, r := range rings {
		for i := range r {
			addTrapezoid(sum, r[i], r[(i+1)%len(r)])
		}
	}
	return sum
}

func cellArea2(cells []plan.Cell) *big.Int {
	sum := new(big.Int)
	for _, c := range cells {
		for i := range c.Corners {
			addTrapezoid(sum, c.Corners[i].Point, c.Corners[(i+1)%len(c.Corners)].Point)
		}
	}
	return sum
}

func addTrapezoid(sum *big.Int, p, q lattice.Point) {
	sum.Add(sum, big.NewInt(int64(p.X)*int64(q.Y)-int64(p.Y)*int64(q.X)))
}

func (b cellBox) of(c plan.Cell) cellBox {
	b = cellBox{c.Corners[0].Point, c.Corners[0].Point}
	for _, k := range c.Corners {
		b.lo = lattice.Point{X: min(b.lo.X, k.X), Y: min(b.lo.Y, k.Y)}
		b.hi = lattice.Point{X: max(b.hi.X, k.X), Y: max(b.hi.Y, k.Y)}
	}
	return b
}

type cellBox struct{ lo, hi lattice.Point }

// overlapFaults finds pairs of convex cells that no edge of either separates.
func overlapFaults(cells []plan.Cell) (faults []error) {
	pairs(len(cells), func(i int) (lo, hi lattice.Point) {
		b := cellBox{}.of(cells[i])
		return b.lo, b.hi
	}, func(i, j int) {
		if !separates(cells[i], cells[j]) && !separates(cells[j], cells[i]) {
			faults = append(faults, fmt.Errorf("cells %d and %d overlap near %v", i, j, cells[j].Corners[0].Point))
		}
	})
	return faults
}

// separates tells whether an edge of a has all of b on its outer side.
func separates(a, b plan.Cell) bool {
	for i := range a.Corners {
		p, q := a.Corners[i].Point, a.Corners[(i+1)%len(a.Corners)].Point
		if !slices.ContainsFunc(b.Corners, func(k plan.Corner) bool { return lattice.Orient(p, q, k.Point) > 0 }) {
			return true
		}
	}
	return false
}

// insideFaults finds cells that leave d: an edge of the cell crosses an edge of d, a point of d is inside the
// cell, or the whole cell is outside.
func insideFaults(d *plan.Domain, cells []plan.Cell) (faults []error) {
	walls := segments(d.Rings)
	n := len(walls)
	pairs(n+len(cells), func(i int) (lo, hi lattice.Point) {
		if i < n {
			return walls[i].box()
		}
		b := cellBox{}.of(cells[i-n])
		return b.lo, b.hi
	}, func(i, j int) {
		if i >= n || j < n {
			return
		}
		if c := cells[j-n]; enters(walls[i], c) {
			faults = append(faults, fmt.Errorf("the wall from %v to %v is inside of cell %d", walls[i].p, walls[i].q, j-n))
		}
	})
	for i, c := range cells {
		if !insideOf(d.Rings, c) {
			faults = append(faults, fmt.Errorf("cell %d at %v is outside of the domain", i, c.Corners[0].Point))
		}
		for _, k := range c.Corners {
			if k.On == plan.NoEdge {
				continue
			}
			if !names(d, k.On) {
				faults = append(faults, fmt.Errorf("cell %d: corner at %v: there is no edge %v", i, k.Point, k.On))
			} else if d.Edges != nil && d.Edges[k.On.Ring][k.On.Index] != plan.Wall {
				if err := placed(d, k); err != nil {
					faults = append(faults, fmt.Errorf("cell %d: corner at %v: %w", i, k.Point, err))
				}
			}
		}
	}
	return faults
}

// enters tells whether a part of s lies in the interior of c: clipping s by the edges of c leaves a
// piece of positive length that is not on the border.
func enters(s segment, c plan.Cell) bool {
	lo, hi := new(big.Rat), big.NewRat(1, 1)
	for i := range c.Corners {
		p, q := c.Corners[i].Point, c.Corners[(i+1)%len(c.Corners)].Point
		a, b := lattice.Orient(p, q, s.p), lattice.Orient(p, q, s.q)
		switch {
		case a <= 0 && b <= 0:
			return false
		case a < 0:
			if t := at(a, b); t.Cmp(lo) > 0 {
				lo = t
			}
		case b < 0:
			if t := at(a, b); t.Cmp(hi) < 0 {
				hi = t
			}
		}
	}
	return lo.Cmp(hi) < 0
}

// at returns where a linear function that is a at 0 and b at 1 is zero.
func at(a, b int64) *big.Rat {
	num := big.NewInt(a)
	den := new(big.Int).Sub(num, big.NewInt(b))
	return new(big.Rat).SetFrac(num, den)
}

// insideOf reports whether the rings go once around an inner point of c; no ring may enter c.
func insideOf(rings []lattice.Ring, c plan.Cell) bool {
	// The point is the centre of three corners that are not on a line; everything else is tripled.
	var a, b, k lattice.Point
	for i := 2; i < len(c.Corners); i++ {
		a, b, k = c.Corners[0].Point, c.Corners[i-1].Point, c.Corners[i].Point
		if lattice.Orient(a, b, k) != 0 {
			break
		}
	}
	x := int64(a.X) + int64(b.X) + int64(k.X)
	y := int64(a.Y) + int64(b.Y) + int64(k.Y)
	winding := 0
	for _, s := range segments(rings) {
		py, qy := 3*int64(s.p.Y), 3*int64(s.q.Y)
		if (py <= y) == (qy <= y) {
			continue
		}
		px, qx := 3*int64(s.p.X), 3*int64(s.q.X)
		left := new(big.Int).Mul(big.NewInt(qx-px), big.NewInt(y-py))
		left.Sub(left, new(big.Int).Mul(big.NewInt(qy-py), big.NewInt(x-px)))
		switch {
		case qy > py && left.Sign() > 0:
			winding++
		case qy < py && left.Sign() < 0:
			winding--
		}
	}
	return winding == 1
}
