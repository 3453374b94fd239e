package concave

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/catalog"
)

// cellsOf returns the cells that the generator with a name makes of d.
func cellsOf(t testing.TB, name string, d *plan.Domain) []plan.Cell {
	t.Helper()
	g, err := catalog.Generator(name)
	if err != nil {
		t.Fatal(err)
	}
	res, err := g.Decompose(context.Background(), gen.Input{Domain: d})
	if err != nil {
		t.Fatal(err)
	}
	return res.Cells
}

func ringOf(c plan.Cell) lattice.Ring {
	var r lattice.Ring
	for _, k := range c.Corners {
		r = append(r, k.Point)
	}
	return r
}

// cell returns a cell of the points x0, y0, x1, y1, …
func cell(xy ...int32) plan.Cell {
	var c plan.Cell
	for _, p := range gentest.Ring(xy...) {
		c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
	}
	return c
}

// slowConcavity2 is the concavity by definition: over all pairs of corners with the whole ring on their left,
// the widest pair at a pocket, and every corner between them.
func slowConcavity2(r lattice.Ring) *big.Rat {
	deepest := new(big.Rat)
	for i, a := range r {
		for j, b := range r {
			hull := i != j
			for _, p := range r {
				o := lattice.Orient(a, b, p)
				// A point on the line beyond a or b makes the pair no whole edge of the hull.
				if o < 0 || o == 0 && (lattice.Dot(a, b, p) < 0 || lattice.Dot(b, a, p) < 0) {
					hull = false
				}
			}
			if !hull {
				continue
			}
			for k := (i + 1) % len(r); k != j; k = (k + 1) % len(r) {
				if d := distance2(r[k], a, b); d.Cmp(deepest) > 0 {
					deepest = d
				}
			}
		}
	}
	return deepest
}

// distance2 returns the squared distance of p and the segment ab as a fraction.
func distance2(p, a, b lattice.Point) *big.Rat {
	num := func(x int64) *big.Rat { return new(big.Rat).SetInt64(x) }
	dx, dy := b.Sub(a)
	px, py := p.Sub(a)
	along := new(big.Rat).Add(new(big.Rat).Mul(num(dx), num(px)), new(big.Rat).Mul(num(dy), num(py)))
	whole := new(big.Rat).Add(new(big.Rat).Mul(num(dx), num(dx)), new(big.Rat).Mul(num(dy), num(dy)))
	s := new(big.Rat).Quo(along, whole)
	if s.Sign() < 0 {
		s.SetInt64(0)
	} else if s.Cmp(num(1)) > 0 {
		s.SetInt64(1)
	}
	ex := new(big.Rat).Sub(num(px), new(big.Rat).Mul(s, num(dx)))
	ey := new(big.Rat).Sub(num(py), new(big.Rat).Mul(s, num(dy)))
	return ex.Add(ex.Mul(ex, ex), ey.Mul(ey, ey))
}

// square returns u² as a fraction.
func square(u int64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(u), big.NewInt(u)))
}

// same tells whether a squared distance is the fraction want, by comparing it with integers next to
// want scaled up: a Ratio compares with integers only.
func same(r lattice.Ratio, want *big.Rat) bool {
	lo := new(big.Int).Quo(want.Num(), want.Denom())
	if r.CompareInt(lo.Uint64()) != want.Cmp(new(big.Rat).SetInt(lo)) || r.CompareInt(lo.Uint64()+1) >= 0 {
		return false
	}
	f, _ := want.Float64()
	return math.Abs(r.Float()-f) <= 1e-14*f
}

// check holds regions against their cells and the bound.
func check(cells []plan.Cell, res Result, units int64) error {
	in := make([]int, len(cells))
	concave, last := 0, -1
	for i, r := range res.Regions {
		if err := (lattice.Polygon{Rings: []lattice.Ring{r.Ring}}).Validate(); err != nil {
			return fmt.Errorf("region %d: %w", i, err)
		}
		if r.Cells[0] <= last || !slices.IsSorted(r.Cells) {
			return fmt.Errorf("region %d: cells %v after %d", i, r.Cells, last)
		}
		last = r.Cells[0]
		area := int64(0)
		for _, c := range r.Cells {
			in[c]++
			ring := ringOf(cells[c])
			area += ring.Area2()
			for _, p := range ring {
				if r.Ring.Locate(p) == lattice.Outside {
					return fmt.Errorf("region %d: corner %v of cell %d is outside of it", i, p, c)
				}
			}
		}
		if area != r.Ring.Area2() {
			return fmt.Errorf("region %d: twice the area is %d, that of its cells %d", i, r.Ring.Area2(), area)
		}
		slow := slowConcavity2(r.Ring)
		if slow.Cmp(square(units)) > 0 || !same(r.Depth2, slow) {
			return fmt.Errorf("region %d: the squared concavity is %v, said to be %v, the bound %d units", i, slow, r.Depth2.Float(), units)
		}
		if slow.Sign() > 0 {
			concave++
		}
		for k, p := range r.Ring {
			o := lattice.Orient(r.Ring[(k+len(r.Ring)-1)%len(r.Ring)], p, r.Ring[(k+1)%len(r.Ring)])
			if o == 0 || o < 0 && slow.Sign() == 0 {
				return fmt.Errorf("region %d: corner %d at %v turns by %d", i, k, p, o)
			}
		}
	}
	if concave != res.Concave {
		return fmt.Errorf("%d regions are concave, said to be %d", concave, res.Concave)
	}
	for c, n := range in {
		if n != 1 {
			return fmt.Errorf("cell %d is in %d regions", c, n)
		}
	}
	return nil
}

// methods are of different kinds: cells with T-junctions, without, and with gaps.
var methods = []string{"delaunay", "wavefront", "trapezoid", "quadtree"}

func TestLaws(t *testing.T) {
	cells, regions := map[int64]int{}, map[int64]int{}
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if d.Len() > 20 && rng.IntN(4) > 0 || d.Len() <= 20 && rng.IntN(2) > 0 {
			return // the judge is slow
		}
		method := methods[rng.IntN(len(methods))]
		given := cellsOf(t, method, d)
		if len(given) > 300 {
			return
		}
		w, _ := d.Box().Size()
		for _, units := range []int64{0, 1, w / 16, w} {
			opt := Options{(float64(units) + 0.5) * lattice.Unit}
			res, err := Merge(t.Context(), given, opt)
			if err == nil {
				err = check(given, res, units)
			}
			if err != nil {
				t.Errorf("%s, a bound of %d units: %v", method, units, err)
				return
			}
			cells[units] += len(given)
			regions[units] += len(res.Regions)
			if rng.IntN(4) > 0 {
				continue
			}
			box := d.Box()
			by := lattice.Point{X: rng.Int32N(lattice.MaxCoord - box.Max.X + 1), Y: -rng.Int32N(lattice.MaxCoord + box.Min.Y + 1)}
			move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + by.X, Y: p.Y + by.Y} }
			moved := make([]plan.Cell, len(given))
			for i, c := range given {
				for _, k := range c.Corners {
					moved[i].Corners = append(moved[i].Corners, plan.Corner{Point: move(k.Point), On: k.On})
				}
			}
			got, err := Merge(t.Context(), moved, opt)
			for _, r := range res.Regions {
				for i := range r.Ring {
					r.Ring[i] = move(r.Ring[i])
				}
			}
			if err != nil || !reflect.DeepEqual(res, got) {
				t.Errorf("moved by %v there are other regions, %v", by, err)
			}
		}
	})
	if regions[0] >= cells[0] || regions[1] >= cells[1] {
		t.Errorf("%v cells make %v regions", cells, regions)
	}
}

// TestMaximal tries to merge the result, on polygons put together from scratch.
func TestMaximal(t *testing.T) {
	left := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		d := gentest.Tiny(rng, 40, 8, true)
		units := int64(rng.IntN(12))
		res, err := Merge(t.Context(), cellsOf(t, methods[seed%4], d), Options{float64(units) * lattice.Unit})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range res.Regions {
			for j, s := range res.Regions[:i] {
				ring, ok := union(r.Ring, s.Ring)
				if !ok || (lattice.Polygon{Rings: []lattice.Ring{ring}}).Validate() != nil {
					continue
				}
				left++
				if slowConcavity2(ring).Cmp(square(units)) <= 0 {
					t.Errorf("seed %d: regions %d and %d could be one within %d units", seed, j, i, units)
				}
			}
		}
	}
	if left < 50 {
		t.Errorf("only %d pairs have a simple union", left)
	}
}

// union returns the border of two rings with one common stretch of border: the sides of both, cut at the
// corners of the other, without the common ones.
func union(r, s lattice.Ring) (lattice.Ring, bool) {
	type edge struct{ p, q lattice.Point }
	cut := func(r, s lattice.Ring) (all []edge) {
		for i, p := range r {
			q := r[(i+1)%len(r)]
			on := []lattice.Point{p, q}
			for _, k := range s {
				if lattice.OnSegment(k, p, q) && k != p && k != q {
					on = append(on, k)
				}
			}
			slices.SortFunc(on, lattice.Point.Compare)
			if q.Compare(p) < 0 {
				slices.Reverse(on)
			}
			for k := range on[1:] {
				all = append(all, edge{on[k], on[k+1]})
			}
		}
		return all
	}
	a, b := cut(r, s), cut(s, r)
	next := map[lattice.Point]lattice.Point{}
	shared := 0
	for _, e := range a {
		if slices.Contains(b, edge{e.q, e.p}) {
			shared++
			continue
		}
		next[e.p] = e.q
	}
	for _, e := range b {
		if slices.Contains(a, edge{e.q, e.p}) {
			continue
		}
		if _, twice := next[e.p]; twice {
			return nil, false
		}
		next[e.p] = e.q
	}
	if shared == 0 {
		return nil, false
	}
	var start lattice.Point
	for p := range next {
		start = p
	}
	ring := lattice.Ring{start}
	for p := next[start]; p != start; p = next[p] {
		ring = append(ring, p)
	}
	return ring, len(ring) == len(next)
}

func TestConcavity(t *testing.T) {
	for _, c := range []struct {
		name  string
		ring  lattice.Ring
		depth float64
	}{
		{"triangle", gentest.Ring(0, 0, 10, 0, 0, 10), 0},
		{"collinear points", gentest.Ring(0, 0, 5, 0, 10, 0, 10, 10, 5, 10, 0, 10), 0},
		{"L", gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20), math.Sqrt(50)},
		{"U", gentest.Ring(0, 0, 30, 0, 30, 20, 20, 20, 20, 5, 10, 5, 10, 20, 0, 20), 15},
		{"pocket that is wider than its mouth", gentest.Ring(0, 0, 30, 0, 30, 20, 16, 20, 16, 17, 28, 17, 28, 10, 2, 10, 2, 17, 14, 17, 14, 20, 0, 20), 10},
		{"pocket beyond an end of its mouth", gentest.Ring(0, 0, 60, 0, 40, 20, 34, 6, 8, 4, 20, 20), 20},
		{"pocket with a corner on its mouth", gentest.Ring(0, 0, 40, 0, 40, 20, 30, 10, 20, 20, 10, 15, 0, 20), 10},
		{"as large as the frame", gentest.Ring(-lattice.MaxCoord, -lattice.MaxCoord, lattice.MaxCoord, -lattice.MaxCoord,
			lattice.MaxCoord, lattice.MaxCoord, 0, -lattice.MaxCoord+1, -lattice.MaxCoord, lattice.MaxCoord), 2*lattice.MaxCoord - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range c.ring {
				c.ring = append(c.ring[1:], c.ring[0])
				got, slow := Concavity2(c.ring), slowConcavity2(c.ring)
				f, _ := slow.Float64()
				if !same(got, slow) {
					t.Errorf("squared concavity %v, a slow computation has %v", got.Float(), f)
				}
				if c.depth > 0 && math.Abs(math.Sqrt(f)-c.depth) > 1e-9*c.depth {
					t.Errorf("concavity %v, want %v", math.Sqrt(f), c.depth)
				}
			}
		})
	}
}

func TestNamedCells(t *testing.T) {
	ell := []plan.Cell{cell(0, 0, 20, 0, 20, 10, 0, 10), cell(0, 10, 10, 10, 10, 20, 0, 20)}
	frame := []plan.Cell{
		cell(0, 0, 30, 0, 30, 10, 0, 10), cell(20, 10, 30, 10, 30, 20, 20, 20),
		cell(0, 20, 30, 20, 30, 30, 0, 30), cell(0, 10, 10, 10, 10, 20, 0, 20),
	}
	for _, c := range []struct {
		name             string
		cells            []plan.Cell
		units            float64
		regions, concave int
	}{
		{"nothing", nil, 5, 0, 0},
		{"one", ell[:1], 0, 1, 0},
		{"L, just too deep", ell, 7, 2, 0},
		{"L", ell, 8, 1, 1},
		{"halves of a square", []plan.Cell{cell(0, 0, 10, 0, 10, 10), cell(0, 0, 10, 10, 0, 10)}, 0, 1, 0},
		{"frame around a hole, which no region may close", frame, 1000, 2, 2},
		{"frame, convex", frame, 0, 4, 0},
		{"corner on a side without a side along it", []plan.Cell{cell(0, 0, 20, 0, 20, 10, 0, 10), cell(10, 10, 15, 20, 5, 20)}, 1000, 2, 0},
		{"apart", []plan.Cell{cell(0, 0, 10, 0, 0, 10), cell(100, 0, 110, 0, 100, 10)}, 1000, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Merge(t.Context(), c.cells, Options{c.units * lattice.Unit})
			if err == nil {
				err = check(c.cells, res, int64(c.units))
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Regions) != c.regions || res.Concave != c.concave {
				t.Errorf("%d regions, %d concave, want %d and %d: %v", len(res.Regions), res.Concave, c.regions, c.concave, res)
			}
		})
	}
}

// TestCircles is the main use: round obstacles.
func TestCircles(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 4, 4096, gentest.Circles)
	cells := cellsOf(t, "hertelmehlhorn", d)
	last := len(cells) + 1
	for _, bound := range []float64{0, 0.01, 0.03, 0.1, 0.3} {
		res, err := Merge(t.Context(), cells, Options{bound})
		if err != nil {
			t.Fatal(err)
		}
		deepest := 0.0
		for _, r := range res.Regions {
			deepest = max(deepest, r.Concavity())
		}
		t.Logf("%5.2f m: %d cells, %d regions, %d concave, by %.3f m at the most", bound, len(cells), len(res.Regions), res.Concave, deepest)
		if len(res.Regions) >= last || deepest > bound {
			t.Errorf("a bound of %v m: %d regions, %d with less, the deepest by %v m", bound, len(res.Regions), last, deepest)
		}
		last = len(res.Regions)
	}
	if 4*last > len(cells) {
		t.Errorf("%d cells make %d regions", len(cells), last)
	}
}

func TestFaults(t *testing.T) {
	fine := cell(0, 0, 10, 0, 0, 10)
	for _, c := range []struct {
		name  string
		cells []plan.Cell
		bound float64
		says  string
	}{
		{"negative bound", []plan.Cell{fine}, -1, "-1 m"},
		{"no number", []plan.Cell{fine}, math.NaN(), "NaN"},
		{"endless bound", []plan.Cell{fine}, math.Inf(1), "+Inf"},
		{"two corners", []plan.Cell{fine, cell(0, 0, 1, 1)}, 0, "cell 1 has 2 corners"},
		{"outside of the frame", []plan.Cell{cell(0, 0, lattice.MaxCoord+1, 0, 0, 1)}, 0, "cell 0: corner at"},
		{"twice the same", []plan.Cell{fine, fine}, 0, "cells 0 and 1 overlap at the side from (0.000, 0.000)"},
	} {
		if _, err := Merge(t.Context(), c.cells, Options{c.bound}); err == nil || !strings.HasPrefix(err.Error(), "concave: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Merge(ctx, []plan.Cell{fine}, Options{}); err != context.Canceled {
		t.Errorf("cancelled: error %v", err)
	}
}

func BenchmarkMerge(b *testing.B) {
	for _, side := range []int{10, 21, 42} {
		cells := cellsOf(b, "delaunay", gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed))
		for _, bound := range []float64{0, 0.03, 0.1} {
			b.Run(fmt.Sprintf("%d/%g", len(cells), bound), func(b *testing.B) {
				var res Result
				for b.Loop() {
					var err error
					if res, err = Merge(b.Context(), cells, Options{bound}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(res.Regions)), "regions")
			})
		}
	}
}
