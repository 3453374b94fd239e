package gentest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// mostSides bounds the cells that the judge of thin cells takes apart.
const mostSides = 48

// CheckThin reports a cell that is thinner than a width in lattice units although a merge is possible. A merge joins the
// cell with one neighbour, or with two in a row. Either the union is convex, or one cut from a notch to another corner
// divides the union into two convex cells, fewer of them thin. Where drops is true, the union loses corners on walls
// whose cuts are gone. The judge tries all pairs and triples and shares no code with the generators.
func CheckThin(cells []plan.Cell, width int64, drops bool) error {
	t := thinJudge{width: width, drops: drops}
	for _, c := range cells {
		t.rings = append(t.rings, c.Corners)
		box := lattice.EmptyBox()
		for _, k := range c.Corners {
			box = box.Extend(k.Point)
		}
		t.boxes = append(t.boxes, box)
	}
	for f := range t.rings {
		if !t.isThin(t.rings[f]) {
			continue
		}
		near := t.near(f, -1)
		for i, g := range near {
			if err := t.try(f, g); err != nil {
				return err
			}
			for _, h := range near[:i] {
				if err := t.try(f, g, h); err != nil {
					return err
				}
			}
			for _, h := range t.near(g, f) {
				if err := t.try(f, g, h); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// thinJudge knows all cells.
type thinJudge struct {
	width int64
	rings [][]plan.Corner
	boxes []lattice.Box
	drops bool
}

// near returns the cells beside f, except without.
func (t *thinJudge) near(f, without int) (list []int) {
	for g := range t.rings {
		if g == f || g == without || len(t.rings[g]) > mostSides || !t.boxes[f].Overlaps(t.boxes[g]) {
			continue
		}
		if _, ok := united(t.rings[f], t.rings[g]); ok {
			list = append(list, g)
		}
	}
	return list
}

// isThin compares the width of the narrowest strip along a side of a convex ring with the limit.
func (t *thinJudge) isThin(ring []plan.Corner) bool {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		far := slices.ContainsFunc(ring, func(p plan.Corner) bool {
			return lattice.LineDistance2(p.Point, a.Point, b.Point).CompareInt(uint64(t.width)*uint64(t.width)) >= 0
		})
		if !far {
			return true
		}
	}
	return false
}

// try returns an error if the union of some cells, each beside one before, needs no thin cell.
func (t *thinJudge) try(cells ...int) error {
	union, thin := t.rings[cells[0]], 1
	for _, g := range cells[1:] {
		var ok bool
		if union, ok = united(union, t.rings[g]); !ok {
			return nil
		}
		if t.isThin(t.rings[g]) {
			thin++
		}
	}
	union = t.straightWalls(union)
	n := len(union)
	var notches []int
	for i := range union {
		if turn(union, i) < 0 {
			notches = append(notches, i)
		}
	}
	fault := func(how string) error {
		return fmt.Errorf("the cell %v is thin, and %s with %d neighbours removes the cell", t.rings[cells[0]], how, len(cells)-1)
	}
	switch len(notches) {
	case 0:
		if convexRing(union) && (thin > 1 || !t.isThin(union)) {
			return fault("a merge")
		}
	case 1, 2:
		for j := range union {
			if len(notches) == 2 && j != notches[1] {
				continue
			}
			i := notches[0]
			var left, right []plan.Corner
			for k := i; k != j; k = (k + 1) % n {
				left = append(left, union[k])
			}
			left = append(left, union[j])
			for k := j; k != i; k = (k + 1) % n {
				right = append(right, union[k])
			}
			right = append(right, union[i])
			if !convexRing(left) || !convexRing(right) {
				continue
			}
			after := 0
			for _, piece := range [][]plan.Corner{left, right} {
				if t.isThin(piece) {
					after++
				}
			}
			if after < thin {
				return fault(fmt.Sprintf("the cut from %v to %v", union[i].Point, union[j].Point))
			}
		}
	}
	return nil
}

// straightWalls returns a union without constructed corners on a wall whose cuts are gone: no other cell has a
// corner there, and both sides are wall.
func (t *thinJudge) straightWalls(union []plan.Corner) []plan.Corner {
	if !t.drops {
		return union
	}
	n := len(union)
	isWall := func(i int) bool {
		a, b := union[(i+n)%n].Point, union[(i+1+n)%n].Point
		for _, r := range t.rings {
			for k := range r {
				// Another cell on the other side of the line, along a stretch of the side.
				c, d := r[k].Point, r[(k+1)%len(r)].Point
				if lattice.Orient(a, b, c) == 0 && lattice.Orient(a, b, d) == 0 && lattice.Dot(a, b, c) > lattice.Dot(a, b, d) &&
					lattice.Dot(a, b, c) > 0 && lattice.Dot(b, a, d) > 0 {
					return false
				}
			}
		}
		return true
	}
	var out []plan.Corner
	for i, k := range union {
		if k.On == plan.NoEdge || !isWall(i-1) || !isWall(i) {
			out = append(out, k)
		}
	}
	return out
}

// turn is positive where a ring turns left at corner i.
func turn(ring []plan.Corner, i int) int64 {
	n := len(ring)
	return lattice.Orient(ring[(i+n-1)%n].Point, ring[i].Point, ring[(i+1)%n].Point)
}

// convexRing reports whether a ring is convex with an area, and goes back nowhere.
func convexRing(ring []plan.Corner) bool {
	n, area := len(ring), false
	for i := range ring {
		o := turn(ring, i)
		if o < 0 || o == 0 && lattice.Dot(ring[i].Point, ring[(i+n-1)%n].Point, ring[(i+1)%n].Point) >= 0 {
			return false
		}
		area = area || o > 0
	}
	return n > 2 && area
}

// united returns the union of two polygons with exactly one common stretch of border; ok is false otherwise.
func united(a, b []plan.Corner) (union []plan.Corner, ok bool) {
	a, b = divided(a, b), divided(b, a)
	type way struct{ from, to lattice.Point }
	back := map[way]int{}
	for i, k := range b {
		back[way{b[(i+1)%len(b)].Point, k.Point}] = i
	}
	common := make([]bool, len(a))
	runs, count, last := 0, 0, 0
	for i, k := range a {
		_, common[i] = back[way{k.Point, a[(i+1)%len(a)].Point}]
		if common[i] {
			count++
		}
	}
	for i := range a {
		if common[i] && !common[(i+1)%len(a)] {
			runs, last = runs+1, i
		}
	}
	if runs != 1 {
		return nil, false
	}
	end := a[(last+1)%len(a)].Point
	for k := range len(a) - count {
		union = append(union, a[(last+1+k)%len(a)])
	}
	// On b the stretch runs the other way and starts at the same point.
	start := slices.IndexFunc(b, func(k plan.Corner) bool { return k.Point == end })
	for k := range len(b) - count {
		union = append(union, b[(start+count+k)%len(b)])
	}
	seen := map[lattice.Point]bool{}
	for _, k := range union {
		if seen[k.Point] {
			return nil, false
		}
		seen[k.Point] = true
	}
	return union, true
}

// divided returns a ring with the other ring's corners on its sides inserted.
func divided(ring, by []plan.Corner) (out []plan.Corner) {
	for i, k := range ring {
		a, b := k.Point, ring[(i+1)%len(ring)].Point
		out = append(out, k)
		first := len(out)
		for _, o := range by {
			if p := o.Point; p != a && p != b && lattice.OnSegment(p, a, b) {
				out = append(out, plan.Corner{Point: p, On: plan.NoEdge})
			}
		}
		slices.SortFunc(out[first:], func(x, y plan.Corner) int {
			return int(min(1, max(-1, lattice.Dot(a, b, x.Point)-lattice.Dot(a, b, y.Point))))
		})
	}
	return out
}

// ThinLaws tests on random worlds that g, told of thin cells of several widths, leaves none that [CheckThin] finds, passes
// [Check], and makes no more cells than without. The law can fail: CheckThin finds thin cells where g is told of none.
func ThinLaws(t *testing.T, g gen.Generator, drops bool) {
	t.Helper()
	found, gone, given := 0, 0, 0
	EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(3) > 0 {
			return
		}
		raw, err := g.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		if len(raw.Cells) > 300 {
			return // the judge compares all cells with all others
		}
		dx, dy := d.Box().Size()
		width := 1 + int64(0.1*rng.Float64()*rng.Float64()*float64(dx+dy))
		res, err := g.Decompose(t.Context(), gen.Input{Domain: d, Thin: width})
		if err == nil {
			err = Check(d, res)
		}
		if err == nil {
			err = CheckThin(res.Cells, width, drops)
		}
		if err != nil {
			t.Errorf("width %d: %v", width, err)
		}
		if len(res.Cells) > len(raw.Cells) {
			t.Errorf("width %d: %d cells, %d without a width", width, len(res.Cells), len(raw.Cells))
		}
		gone += res.Report.Counts["widened"]
		if res.Report.Lost < raw.Report.Lost {
			given++
		}
		if CheckThin(raw.Cells, width, drops) != nil {
			found++
		}
	})
	t.Logf("%d worlds with thin cells that may go, %d steps, %d worlds in which walls get area back", found, gone, given)
	if (found == 0 || gone == 0 || (given > 0) != drops) && !testing.Short() {
		t.Error("no world tests the law, or walls get area back that may not")
	}
}
