package world

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// randomStripes returns a mesh of upright stripes, some a few units wide and some wide enough for halves, each cut into regions.
func randomStripes(t *testing.T, rng *rand.Rand) *navmesh.Mesh {
	t.Helper()
	const rows = 4
	x := []int32{0}
	for range 6 {
		width := []int32{1, 2, 3, 500, 40000}[rng.IntN(5)]
		x = append(x, x[len(x)-1]+width+int32(rng.IntN(int(width))))
	}
	var at [][rows + 1]lattice.Point
	for _, x := range x {
		var column [rows + 1]lattice.Point
		y := int32(0)
		for k := range column {
			column[k] = lattice.Point{X: x, Y: y}
			y += 1 + int32(rng.IntN([]int{3, 3000, 50000}[rng.IntN(3)]))
		}
		at = append(at, column)
	}
	var cells []plan.Cell
	for i := range len(at) - 1 {
		for k := range rows {
			var c plan.Cell
			for _, p := range []lattice.Point{at[i][k], at[i+1][k], at[i+1][k+1], at[i][k+1]} {
				c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
			}
			cells = append(cells, c)
		}
	}
	p := &plan.Plan{Agent: geom.Agent{Radius: 0.25}.WithDefaults(), Layers: []plan.Layer{{Domains: make([]plan.Domain, 1)}}}
	m, _, err := join.Build(context.Background(), p, [][][]plan.Cell{{cells}}, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestNearAgainstBruteForce compares the sides near the regions of a new sheet, and near their halves, with a look at all sides
// and all lines between halves.
func TestNearAgainstBruteForce(t *testing.T) {
	ordered := func(a, b lattice.Point) [2]lattice.Point {
		if b.Compare(a) < 0 {
			a, b = b, a
		}
		return [2]lattice.Point{a, b}
	}
	compare := func(a, b [2]lattice.Point) int {
		if c := a[0].Compare(b[0]); c != 0 {
			return c
		}
		return a[1].Compare(b[1])
	}
	sorted := func(list [][2]lattice.Point) [][2]lattice.Point {
		slices.SortFunc(list, compare)
		return slices.Compact(list)
	}
	sides := func(ring []lattice.Point) (list [][2]lattice.Point) {
		for i, p := range ring {
			list = append(list, ordered(p, ring[(i+1)%len(ring)]))
		}
		return list
	}
	halves, beyond := 0, 0
	for seed := range uint64(60) {
		m := randomStripes(t, rand.New(rand.NewPCG(seed, 7)))
		s := newSheet(m, query.NewIndex(m))
		var parts []*part
		var all [][2]lattice.Point
		var list func(p *part)
		list = func(p *part) {
			parts = append(parts, p)
			for _, half := range p.split() {
				if half != nil {
					halves++
					list(half)
				}
			}
			for _, l := range p.lines {
				all = append(all, ordered(l[0], l[1]))
			}
		}
		for _, p := range s.shapes {
			if !p.ready {
				t.Fatalf("seed %d: a new sheet has a region without the sides near it", seed)
			}
			all = append(all, sides(p.Ring)...)
			list(p)
		}
		all = sorted(all)
		for _, p := range parts {
			own := sides(p.Ring)
			var want [][2]lattice.Point
			for _, o := range all {
				near := slices.ContainsFunc(own, func(q [2]lattice.Point) bool {
					return lattice.SegmentsDistance2(o[0], o[1], q[0], q[1]).CompareInt(reach*reach) <= 0
				})
				if near && !slices.Contains(own, o) {
					want = append(want, o)
				}
			}
			var got [][2]lattice.Point
			for _, l := range s.near(p) {
				got = append(got, ordered(l[0], l[1]))
			}
			if n := len(got); len(sorted(got)) != n {
				t.Errorf("seed %d: a side is near %v twice", seed, p.Ring)
			}
			if got = sorted(got); !slices.Equal(got, want) {
				t.Fatalf("seed %d: near %v are %v, want %v", seed, p.Ring, got, want)
			}
			beyond += len(want)
		}
	}
	if halves < 100 || beyond < 10000 {
		t.Errorf("%d halves, %d sides near: too few", halves, beyond)
	}
}
