package gentest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

func cell(xy ...int32) plan.Cell {
	var c plan.Cell
	for _, p := range Ring(xy...) {
		c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
	}
	return c
}

// construct marks corner i of c as constructed.
func construct(c plan.Cell, i int, ring, index int32) plan.Cell {
	c.Corners[i].On = plan.EdgeID{Ring: ring, Index: index}
	return c
}

func result(lost int64, cells ...plan.Cell) gen.Result {
	return gen.Result{Cells: cells, Report: gen.Report{Lost: lost}}
}

// TestCheckAccepts has right decompositions of every kind that generators make.
func TestCheckAccepts(t *testing.T) {
	square := Domain(Ring(0, 0, 10, 0, 10, 10, 0, 10))
	slanted := Domain(Ring(0, 0, 10, 3, 10, 20, 0, 20))
	cases := []struct {
		name   string
		domain *plan.Domain
		res    gen.Result
	}{
		{"one cell", square, result(0, cell(0, 0, 10, 0, 10, 10, 0, 10))},
		{"corner in the middle of a side", square, result(0, construct(cell(0, 0, 4, 0, 10, 0, 10, 10, 0, 10), 1, 0, 0))},
		{
			"T-junction inside", square,
			result(0, construct(construct(cell(0, 0, 10, 0, 10, 5, 0, 5), 2, 0, 1), 3, 0, 3),
				construct(construct(cell(0, 5, 4, 5, 4, 10, 0, 10), 0, 0, 3), 2, 0, 2),
				construct(construct(cell(4, 5, 10, 5, 10, 10, 4, 10), 1, 0, 1), 3, 0, 2)),
		},
		{
			"corner beside a slanted wall", slanted, // at x = 5 the wall is at 1.5
			result(5, construct(cell(0, 0, 5, 2, 5, 20, 0, 20), 1, 0, 0), construct(cell(5, 2, 10, 3, 10, 20, 5, 20), 0, 0, 0)),
		},
	}
	cases[3].res.Cells[0] = construct(cases[3].res.Cells[0], 2, 0, 2)
	cases[3].res.Cells[1] = construct(cases[3].res.Cells[1], 3, 0, 2)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := Check(c.domain, c.res); err != nil {
				t.Error(err)
			}
			if err := CheckInside(c.domain, c.res); err != nil {
				t.Errorf("inside: %v", err)
			}
		})
	}
}

// TestCheckRejects has one fault per case.
func TestCheckRejects(t *testing.T) {
	square := Domain(Ring(0, 0, 10, 0, 10, 10, 0, 10))
	holed := Domain(Ring(0, 0, 10, 0, 10, 10, 0, 10), Ring(4, 4, 4, 6, 6, 6, 6, 4))
	slanted := Domain(Ring(0, 0, 10, 3, 10, 20, 0, 20))
	chained := Domain(Ring(0, 0, 10, 3, 10, 20, 0, 20))
	chained.Edges[0][0] = 1
	whole := cell(0, 0, 10, 0, 10, 10, 0, 10)
	cases := []struct {
		name   string
		domain *plan.Domain
		res    gen.Result
		want   string
		inside bool // CheckInside has to reject it too
	}{
		{"nothing", square, result(0), "do not match", true},
		{"clockwise", square, result(0, cell(0, 0, 0, 10, 10, 10, 10, 0)), "reflex", true},
		{"reflex", square, result(0, cell(0, 0, 10, 0, 10, 10, 6, 4)), "reflex", true},
		{"no area", square, result(0, whole, cell(0, 0, 5, 0, 10, 0)), "turns back", true},
		{"two corners", square, result(0, cell(0, 0, 5, 0)), "2 corners", true},
		{"repeated corner", square, result(0, cell(0, 0, 10, 0, 10, 0, 10, 10, 0, 10)), "repeated", true},
		{"pentagram", square, result(0, cell(5, 10, 2, 0, 10, 6, 0, 6, 8, 0)), "turn", true},
		{"twice", square, result(0, whole, whole), "do not match", true},
		{"overlap", square, result(0, cell(0, 0, 10, 0, 10, 10), cell(0, 0, 10, 0, 0, 10)), "do not match", true},
		{"hole covered", holed, result(0, whole), "do not match", true},
		{"gap", square, result(0, cell(0, 0, 10, 0, 10, 10)), "do not match", true},
		{"outside", square, result(0, cell(0, 0, 20, 0, 10, 10, 0, 10)), "do not match", true},
		{"elsewhere", square, result(0, cell(20, 0, 30, 0, 30, 10, 20, 10)), "do not match", true},
		{"lost not reported", slanted, result(0, construct(cell(0, 0, 5, 2, 10, 3, 10, 20, 0, 20), 1, 0, 0)), "", true},
		{"behind the wall", slanted, result(-5, construct(cell(0, 0, 5, 1, 10, 3, 10, 20, 0, 20), 1, 0, 0)), "behind", true},
		{"too far from the wall", slanted, result(40, construct(cell(0, 0, 5, 5, 10, 3, 10, 20, 0, 20), 1, 0, 0)), "", true},
		{"not named as constructed", slanted, result(0, cell(0, 0, 5, 2, 10, 3, 10, 20, 0, 20)), "", true},
		{"no such edge", square, result(0, construct(cell(0, 0, 5, 0, 10, 0, 10, 10, 0, 10), 1, 0, 9)), "no edge", true},
		{"not between its ends", square, result(0, construct(cell(0, 0, 10, 0, 10, 10, 0, 10), 1, 0, 0)), "between", false},
		{"beside a chain", chained, result(5, construct(cell(0, 0, 5, 2, 5, 20, 0, 20), 1, 0, 0), construct(cell(5, 2, 10, 3, 10, 20, 5, 20), 0, 0, 0)), "chain", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := Check(c.domain, c.res); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Check: %v, want %q", err, c.want)
			}
			if err := CheckInside(c.domain, c.res); (err != nil) != c.inside {
				t.Errorf("CheckInside: %v", err)
			}
		})
	}
}

// TestMutationsAreFound damages right decompositions at one place.
func TestMutationsAreFound(t *testing.T) {
	d := Domain(Ring(0, 0, 100, 0, 100, 100, 0, 100))
	var grid []plan.Cell
	for i := range int32(10) {
		for j := range int32(10) {
			c := cell(i*10, j*10, i*10+10, j*10, i*10+10, j*10+10, i*10, j*10+10)
			for k, p := range c.Corners {
				side := map[bool]int32{p.Y == 0: 0, p.X == 100: 1, p.Y == 100: 2, p.X == 0: 3}
				if e, ok := side[true]; ok && p.X%100+p.Y%100 > 0 {
					c.Corners[k].On = plan.EdgeID{Index: e}
				}
			}
			grid = append(grid, c)
		}
	}
	if err := Check(d, result(0, grid...)); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		cells := append([]plan.Cell(nil), grid...)
		i := rng.IntN(len(cells))
		corners := append([]plan.Corner(nil), cells[i].Corners...)
		k := rng.IntN(len(corners))
		switch rng.IntN(3) {
		case 0:
			corners = append(corners[:k], corners[k+1:]...)
		case 1:
			corners[k].X += rng.Int32N(3) + 1
		default:
			corners[k].Point = corners[(k+1)%len(corners)].Point
		}
		cells[i].Corners = corners
		if Check(d, result(0, cells...)) == nil {
			t.Fatalf("cell %d became %v, which nobody noticed", i, corners)
		}
		if CheckInside(d, result(0, cells...)) == nil {
			t.Fatalf("cell %d became %v, which nobody noticed inside", i, corners)
		}
	}
}

// TestWorldsAreValid has the lattice judge the worlds that are meant to be simple polygons.
func TestWorldsAreValid(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 0))
		for name, d := range map[string]*plan.Domain{
			"tiny": Tiny(rng, 12, 8, false), "touching": Tiny(rng, 12, 12, true),
			"mixed": Scatter(rng, 4, 64, Mixed), "blocks": Blocks(rng, 6, 3, 0.4, true),
			"comb": Comb(1+int(seed), 12, 5), "spiral": Spiral(1+int(seed), 3), "star": Star(3+int(seed), 1e5),
		} {
			for _, f := range d.Faults(5) {
				// Some worlds have contacts at single points on purpose.
				if k := f.Kind; k != lattice.RepeatedPoint && k != lattice.Disconnected {
					t.Errorf("seed %d, %s: %v\n%v", seed, name, f, d.Rings)
				}
			}
		}
	}
}
