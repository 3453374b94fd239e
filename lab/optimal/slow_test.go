package optimal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// sides are the edges and diagonals that leave a vertex of a slow decomposition.
type side struct {
	to   lattice.Point
	free bool // whether the domain is on the left of it
}

// allDiagonals returns every segment between two points of d that lies inside of it and meets no
// point in between, found without any of the package's code: neither is a wall.
func allDiagonals(d *plan.Domain) (all [][2]lattice.Point) {
	// Everything twice as large, so the middle of a segment is a lattice point.
	double := lattice.Polygon{}
	var points []lattice.Point
	for _, r := range d.Rings {
		var ring lattice.Ring
		for _, p := range r {
			ring = append(ring, lattice.Point{X: 2 * p.X, Y: 2 * p.Y})
		}
		double.Rings = append(double.Rings, ring)
		points = append(points, r...)
	}
	slices.SortFunc(points, lattice.Point.Compare)
	points = slices.Compact(points)
	for i, p := range points {
		for _, q := range points[:i] {
			if double.Locate(lattice.Point{X: p.X + q.X, Y: p.Y + q.Y}) != lattice.Inside {
				continue
			}
			clear := true
			for _, r := range d.Rings {
				for k, a := range r {
					c := lattice.SegmentContact(p, q, a, r[(k+1)%len(r)])
					through := a != p && a != q && lattice.OnSegment(a, p, q)
					clear = clear && !through && c != lattice.ProperCrossing && c != lattice.Overlap
				}
			}
			if clear {
				all = append(all, [2]lattice.Point{p, q})
			}
		}
	}
	return all
}

// convexAt tells whether no angle inside of d at p, divided by the sides, is more than 180°.
func convexAt(p lattice.Point, sides []side) bool {
	for _, s := range sides {
		if !s.free {
			continue
		}
		// The next side counter-clockwise must not be more than half a turn away.
		ok := false
		for _, o := range sides {
			if o.to != s.to && lattice.Orient(p, s.to, o.to) >= 0 {
				ok = true
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// smallestSet returns the size of the smallest set of diagonals that do not cross and leave no angle of more
// than 180°, by trying all sets, small ones first. The search gives up at limit.
func smallestSet(d *plan.Domain, all [][2]lattice.Point, limit int) (int, bool) {
	walls := map[lattice.Point][]side{}
	for _, r := range d.Rings {
		for i, p := range r {
			walls[p] = append(walls[p], side{r[(i+1)%len(r)], true}, side{r[(i+len(r)-1)%len(r)], false})
		}
	}
	var chosen [][2]lattice.Point
	var try func(from, more int) bool
	try = func(from, more int) bool {
		if more == 0 {
			for p, sides := range walls {
				at := slices.Clone(sides)
				for _, c := range chosen {
					switch p {
					case c[0]:
						at = append(at, side{c[1], true})
					case c[1]:
						at = append(at, side{c[0], true})
					}
				}
				if !convexAt(p, at) {
					return false
				}
			}
			return true
		}
		for i := from; i < len(all); i++ {
			if slices.ContainsFunc(chosen, func(c [2]lattice.Point) bool {
				return lattice.SegmentContact(c[0], c[1], all[i][0], all[i][1]) == lattice.ProperCrossing
			}) {
				continue
			}
			chosen = append(chosen, all[i])
			found := try(i+1, more-1)
			chosen = chosen[:len(chosen)-1]
			if found {
				return true
			}
		}
		return false
	}
	for k := range limit + 1 {
		if try(0, k) {
			return k, true
		}
	}
	return 0, false
}

// slowDiagonals returns the size of the smallest set of diagonals that do not cross and leave no angle of
// more than 180°, at most limit: where an angle is too large, one of its diagonals is needed, and all are
// tried. The search gives up after a while.
func slowDiagonals(d *plan.Domain, limit int) (int, bool) {
	all := allDiagonals(d)
	var points []lattice.Point
	sides := map[lattice.Point][]side{}
	for _, r := range d.Rings {
		for i, p := range r {
			if len(sides[p]) == 0 {
				points = append(points, p)
			}
			sides[p] = append(sides[p], side{r[(i+1)%len(r)], true}, side{r[(i+len(r)-1)%len(r)], false})
		}
	}
	looks := 0
	var try func(free [][2]lattice.Point, more int) bool
	try = func(free [][2]lattice.Point, more int) bool {
		if looks++; looks > 5000 {
			return false
		}
		at, wrong := lattice.Point{}, 0
		for _, p := range points {
			if !convexAt(p, sides[p]) {
				at = p
				wrong++
			}
		}
		// A diagonal has two ends.
		if wrong == 0 || wrong > 2*more {
			return wrong == 0
		}
		for i, c := range free {
			if c[0] != at && c[1] != at {
				continue
			}
			var left [][2]lattice.Point
			for j, o := range free {
				if j == i || j < i && (o[0] == at || o[1] == at) ||
					lattice.SegmentContact(c[0], c[1], o[0], o[1]) == lattice.ProperCrossing {
					continue
				}
				left = append(left, o)
			}
			p, q := sides[c[0]], sides[c[1]]
			sides[c[0]], sides[c[1]] = append(slices.Clone(p), side{c[1], true}), append(slices.Clone(q), side{c[0], true})
			found := try(left, more-1)
			sides[c[0]], sides[c[1]] = p, q
			if found {
				return true
			}
		}
		return false
	}
	for k := range limit + 1 {
		if try(all, k) {
			return k, true
		}
		if looks > 5000 {
			break // none of k was not shown
		}
	}
	return 0, false
}

// simple returns a random simple ring of n points in a box of size units. Crossing edges are exchanged for
// others without the crossing, which shortens the ring every time; rings with degenerate contacts are drawn
// again.
func simple(rng *rand.Rand, n int, size int32) *plan.Domain {
	for {
		var r lattice.Ring
		for range n {
			r = append(r, lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)})
		}
		for untangle(r) {
		}
		if r.Area2() < 0 {
			slices.Reverse(r)
		}
		if d := gentest.Domain(r); d.Validate() == nil {
			return d
		}
	}
}

// untangle exchanges one pair of crossing edges, if any.
func untangle(r lattice.Ring) bool {
	for i := range r {
		for j := range i {
			if lattice.SegmentContact(r[i], r[(i+1)%len(r)], r[j], r[j+1]) == lattice.ProperCrossing {
				slices.Reverse(r[j+1 : i+1])
				return true
			}
		}
	}
	return false
}

// TestAgainstAllSets compares with all sets of diagonals on tiny domains, with holes that may touch.
func TestAgainstAllSets(t *testing.T) {
	tried := map[int]int{}
	holes := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var d *plan.Domain
		switch seed % 4 {
		case 0:
			d = simple(rng, 4+rng.IntN(6), 4+rng.Int32N(12))
		case 1:
			d = gentest.Tiny(rng, 4+rng.Int32N(8), 3, false)
		case 2:
			d = gentest.Tiny(rng, 4+rng.Int32N(8), 4, true)
		default:
			d = gentest.Domain(gentest.Ring(0, 0, 12, 0, 12, 12, 0, 12))
			inner := simple(rng, 3+rng.IntN(4), 10).Rings[0]
			slices.Reverse(inner)
			for i := range inner {
				inner[i].X, inner[i].Y = inner[i].X+1, inner[i].Y+1
			}
			d.Rings = append(d.Rings, inner)
			d.Edges = nil
		}
		all := allDiagonals(d)
		limit := 5
		switch {
		case len(all) > 60:
			continue
		case len(all) > 40:
			limit = 3
		case len(all) > 25:
			limit = 4
		}
		want, ok := smallestSet(d, all, limit)
		if !ok {
			continue
		}
		tried[want]++
		if len(d.Rings) > 1 {
			holes++
		}
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got := res.Report.Counts["portals"]; got != want {
			t.Errorf("seed %d: %d diagonals, of all sets the smallest has %d:\n%v", seed, got, want, d.Rings)
		}
	}
	t.Log(tried, holes, "with holes")
	for k := range 6 {
		if tried[k] < 10 {
			t.Errorf("only %d domains need %d diagonals", tried[k], k)
		}
	}
}

// TestAgainstSlow compares with a search over diagonals on domains of up to 30 points.
func TestAgainstSlow(t *testing.T) {
	tried := map[int]int{}
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 8))
		var d *plan.Domain
		switch seed % 4 {
		case 0:
			d = simple(rng, 8+rng.IntN(13), 10+rng.Int32N(30))
		case 1:
			d = gentest.Tiny(rng, 20, 8, true)
		case 2:
			d = gentest.Scatter(rng, 2, 64, gentest.Obstacle(rng.IntN(3)*2))
			d.Rings = d.Rings[:3]
		default:
			d = gentest.Blocks(rng, 5, 3, 0.35, rng.IntN(2) == 0)
		}
		if d.Len() > 30 {
			continue
		}
		d.Edges = nil
		want, ok := slowDiagonals(d, 7)
		if !ok {
			continue
		}
		tried[want]++
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got := res.Report.Counts["portals"]; got != want {
			t.Errorf("seed %d: %d diagonals, a slow search finds %d:\n%v", seed, got, want, d.Rings)
		}
	}
	t.Log(tried)
	for k := 3; k <= 6; k++ {
		if tried[k] < 10 {
			t.Errorf("only %d domains need %d diagonals", tried[k], k)
		}
	}
}
