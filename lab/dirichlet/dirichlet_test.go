package dirichlet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func TestLaws(t *testing.T) {
	for _, g := range []Generator{{}, {Options{Rule: Darts}}} {
		sum := gentest.Laws(t, "dirichlet", g, func(d *plan.Domain, res gen.Result) error {
			if c := res.Report.Counts; c["cells"] != len(res.Cells) || c["vertices"] != d.Len() || c["parts"] > c["cells"] {
				t.Errorf("%d cells, report %+v", len(res.Cells), res.Report)
			}
			return gentest.Check(d, res)
		})
		for _, name := range []string{"points", "borders", "constructed", "refused", "parts", "diagonals"} {
			if sum[name] == 0 {
				t.Errorf("no world had a case of %s", name)
			}
		}
		t.Log(sum)
	}
}

// TestClaims compares every corner of every cell with the definition: the control point nearest to the middle
// of the cell is nearest to its corners.
func TestClaims(t *testing.T) {
	judged := 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		g := Generator{Options{Rule: Rule(rng.IntN(2))}}
		in := gen.Input{Domain: d, Seed: rng.Uint64()}
		points, size := g.place(in)
		res, err := g.Decompose(t.Context(), in)
		if err != nil {
			t.Error(err)
			return
		}
		if c := res.Report.Counts; len(points) == 0 || c["refused"] > 0 || c["led"] > 0 {
			return
		}
		slack := 5*float64(size) + 20 // units: corners on walls are moved along them
		for i, c := range res.Cells {
			if !claimed(c, points, slack) {
				t.Errorf("cell %d is no point's claim: %v", i, c.Corners)
			}
			judged++
		}
	})
	if judged < 1000 {
		t.Errorf("only %d cells were judged", judged)
	}
}

// claimed tells whether there is a point that every corner of c is nearer to than to all others, give or take some
// slack.
func claimed(c plan.Cell, points []lattice.Point, slack float64) bool {
	count := make([]int, len(points))
	for _, corner := range c.Corners {
		least := math.Inf(1)
		for _, p := range points {
			least = min(least, p.Distance(corner.Point))
		}
		for k, p := range points {
			if p.Distance(corner.Point) <= least+slack {
				count[k]++
			}
		}
	}
	return slices.Contains(count, len(c.Corners))
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000)
	corridor := gentest.Ring(0, 0, 9000, 0, 9000, 1000, 0, 1000)
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		opts   Options
		points int
		cells  int
	}{
		{"square", gentest.Domain(square), Options{}, 1, 1},
		{"square of one unit", gentest.Domain(gentest.Ring(0, 0, 1, 0, 1, 1, 0, 1)), Options{}, 1, 1},
		{"triangle of no cell", gentest.Domain(gentest.Ring(0, 0, 1, 0, 0, 1)), Options{}, 0, 1},
		{"corridor", gentest.Domain(corridor), Options{}, 6, 6},
		{"long corridor", gentest.Domain(gentest.Ring(0, 0, 1<<22, 0, 1<<22, 1000, 0, 1000)), Options{}, 24, 24},
		{"corridor, spread wide", gentest.Domain(corridor), Options{Spread: 100}, 1, 1},
		{"two given points", gentest.Domain(square), Options{Points: []lattice.Point{{X: 100, Y: 500}, {X: 900, Y: 500}}}, 2, 2},
		{"a given point outside", gentest.Domain(square), Options{Points: []lattice.Point{{X: 100, Y: 500}, {X: 9000, Y: 500}}}, 1, 1},
		{"four given points", gentest.Domain(square), Options{Points: gentest.Ring(250, 250, 750, 250, 750, 750, 250, 750)}, 4, 4},
		{"given points at the same place", gentest.Domain(square), Options{Points: gentest.Ring(250, 250, 250, 250, 750, 250)}, 3, 2},
		{"two darts", gentest.Domain(square), Options{Rule: Darts, Apart: 1100}, -1, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := gentest.Recorder{}
			res, err := Generator{c.opts}.Decompose(t.Context(), gen.Input{Domain: c.domain, Watch: r})
			if err != nil {
				t.Fatal(err)
			}
			if err := gentest.Check(c.domain, res); err != nil {
				t.Error(err)
			}
			count := res.Report.Counts
			if c.points >= 0 && count["points"] != c.points || c.cells >= 0 && len(res.Cells) != c.cells {
				t.Errorf("%d points and %d cells, want %d and %d", count["points"], len(res.Cells), c.points, c.cells)
			}
			if len(r["borders"]) != count["borders"] || len(r["diagonals"]) != count["diagonals"] || (count["parts"] > 1) != (len(r["cuts"]) > 0) {
				t.Errorf("saw %d borders, %d cuts and %d diagonals: %v", len(r["borders"]), len(r["cuts"]), len(r["diagonals"]), count)
			}
		})
	}
	if _, err := (Generator{Options{Rule: 9}}).Decompose(t.Context(), gen.Input{Domain: gentest.Domain(square)}); err == nil {
		t.Error("rule 9 is obeyed")
	}
}

// TestDarts has darts differ by seed only, keep their distance and leave no room.
func TestDarts(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 4, 4096, gentest.Mixed)
	g := Generator{Options{Rule: Darts, Apart: 1000}}
	points, size := g.place(gen.Input{Domain: d, Seed: 7})
	for i, p := range points {
		for _, q := range points[:i] {
			// Walls keep darts apart too, and the distance is measured between cells of the grid.
			if p.Distance(q) < 1000-2*float64(size) && visible(d, p, q) {
				t.Errorf("points at %v and %v", p, q)
			}
		}
	}
	if again, _ := g.place(gen.Input{Domain: d, Seed: 7}); !reflect.DeepEqual(points, again) {
		t.Error("the same seed has other points")
	}
	if other, _ := g.place(gen.Input{Domain: d, Seed: 8}); reflect.DeepEqual(points, other) {
		t.Error("another seed has the same points")
	}
	if len(points) < 100 {
		t.Errorf("only %d points", len(points))
	}
}

// visible tells whether no wall crosses the segment from p to q.
func visible(d *plan.Domain, p, q lattice.Point) bool {
	for _, r := range d.Rings {
		for i := range r {
			if lattice.SegmentContact(p, q, r[i], r[(i+1)%len(r)]) != lattice.Disjoint {
				return false
			}
		}
	}
	return true
}

func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}
