package trapezoid

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/slow"
)

func decompose(t *testing.T, g Generator, d *plan.Domain, watch gen.Observer) gen.Result {
	t.Helper()
	res, err := g.Decompose(t.Context(), gen.Input{Domain: d, Watch: watch})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestLaws(t *testing.T) {
	for _, g := range []Generator{{}, {Horizontal: true}} {
		t.Run(g.Name(), func(t *testing.T) {
			sum := gentest.Laws(t, "trapezoid", g, func(d *plan.Domain, res gen.Result) error {
				if c := res.Report.Counts; c["cells"] != len(res.Cells) || c["vertices"] != d.Len() {
					t.Errorf("%d cells, report %+v", len(res.Cells), res.Report)
				}
				return gentest.Check(d, res)
			})
			for _, name := range []string{"cuts", "constructed", "crowded", "diagonals"} {
				if sum[name] == 0 {
					t.Errorf("no world had a case of %s", name)
				}
			}
			t.Log(sum)
		})
	}
}

func TestCutsAreUpright(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		for _, g := range []Generator{{}, {Horizontal: true}} {
			r := gentest.Recorder{}
			c := decompose(t, g, d, r).Report.Counts
			if len(r["cuts"]) != c["cuts"] || len(r["diagonals"]) != c["diagonals"] {
				t.Errorf("saw %d cuts and %d diagonals: %v", len(r["cuts"]), len(r["diagonals"]), c)
			}
			for _, s := range r["cuts"] {
				if dx, dy := s[1].Sub(s[0]); g.Horizontal && dy != 0 || !g.Horizontal && dx != 0 || dx == 0 && dy == 0 {
					t.Errorf("%s: a cut from %v to %v", g.Name(), s[0], s[1])
				}
			}
		}
	})
}

func TestTrapezoids(t *testing.T) {
	judged := 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		res := decompose(t, Generator{}, d, nil)
		if res.Report.Counts["crowded"] > 0 {
			return
		}
		judged++
		if n := res.Report.Counts["diagonals"]; n > 0 {
			t.Errorf("%d diagonals, though no cut was refused", n)
		}
		for i, c := range res.Cells {
			slanted, n := 0, len(c.Corners)
			for k := range c.Corners {
				p, q, r := c.Corners[k].Point, c.Corners[(k+1)%n].Point, c.Corners[(k+2)%n].Point
				if lattice.Orient(p, q, r) != 0 && p.X != q.X {
					slanted++ // the last piece of a straight side
				}
			}
			if slanted > 2 {
				t.Errorf("cell %d has %d sides that are not vertical: %v", i, slanted, c.Corners)
			}
		}
	})
	if judged < slow.Count(600, 1000) && !testing.Short() {
		t.Errorf("only %d worlds without a refused cut", judged)
	}
}

func TestTurned(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(4) > 0 {
			return
		}
		turn := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.Y, Y: -p.X} }
		got := decompose(t, Generator{Horizontal: true}, d, nil)
		for _, c := range got.Cells {
			for i := range c.Corners {
				c.Corners[i].Point = turn(c.Corners[i].Point)
			}
		}
		if want := decompose(t, Generator{}, gentest.Map(d, turn), nil); !reflect.DeepEqual(got, want) {
			t.Error("turning the domain does not turn its cells")
		}
	})
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100)
	chained := gentest.Domain(gentest.Ring(0, 0, 1001, 1, 1001, 500, 600, 500, 500, 100, 400, 500, 0, 500))
	chained.Edges[0][0] = 7
	for _, c := range []struct {
		name       string
		domain     *plan.Domain
		cells      int
		horizontal int
		counts     map[string]int // vertical
	}{
		{"square", gentest.Domain(square), 1, 1, map[string]int{"cuts": 0}},
		{"right triangle", gentest.Domain(gentest.Ring(0, 0, 10, 0, 0, 10)), 1, 1, nil},
		{"triangle", gentest.Domain(gentest.Ring(0, 0, 10, 2, 4, 9)), 2, 2, map[string]int{"cuts": 1, "constructed": 1}},
		{"collinear points", gentest.Domain(gentest.Ring(0, 0, 5, 0, 10, 0, 10, 5, 10, 10, 5, 10, 0, 10, 0, 5)), 1, 1, nil},
		{"L", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), 2, 2, map[string]int{"constructed": 1}},
		{"square hole", gentest.Domain(square, gentest.Ring(40, 40, 40, 60, 60, 60, 60, 40)), 4, 4, map[string]int{"cuts": 4}},
		{
			"vertices above each other", gentest.Domain(gentest.Ring(0, 0, 40, 0, 50, 30, 60, 0, 100, 0, 100, 100, 60, 100, 50, 70, 40, 100, 0, 100)),
			-1, -1,
			map[string]int{"crowded": 0},
		},
		{"hourglass", gentest.Domain(gentest.Ring(0, 0, 100, 0, 50, 50, 100, 100, 0, 100, 50, 50)), 4, 2, nil},
		{"spike over a wall that rises by a unit", gentest.Domain(chained.Rings[0]), 4, -1, map[string]int{"constructed": 3, "crowded": 0}},
		{"spike over a chain that rises by a unit", chained, -1, -1, map[string]int{"constructed": 0, "crowded": 3}},
		{"needle", gentest.Domain(gentest.Ring(0, 0, 100000, 1, 50000, 1)), 1, -1, map[string]int{"crowded": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, g := range []Generator{{}, {Horizontal: true}} {
				res := decompose(t, g, c.domain, nil)
				if err := gentest.Check(c.domain, res); err != nil {
					t.Error(err)
				}
				want := c.cells
				if g.Horizontal {
					want = c.horizontal
				}
				if want >= 0 && len(res.Cells) != want {
					t.Errorf("%s: %d cells, want %d: %v", g.Name(), len(res.Cells), want, res.Report.Counts)
				}
				for name, n := range c.counts {
					if !g.Horizontal && res.Report.Counts[name] != n {
						t.Errorf("%s: %d, want %d", name, res.Report.Counts[name], n)
					}
				}
			}
		})
	}
}

// TestFaultsNameTheirPlace has a fault that is not at the origin: turning the domain must not turn
// the message.
func TestFaultsNameTheirPlace(t *testing.T) {
	d := gentest.Domain(gentest.Ring(4096, 0, 12288, 8192, 12288, 0, 4096, 8192))
	for _, g := range []Generator{{}, {Horizontal: true}} {
		_, err := g.Decompose(t.Context(), gen.Input{Domain: d})
		if err == nil || !strings.Contains(err.Error(), "(2.000, 1.000)") {
			t.Errorf("%s: error %v", g.Name(), err)
		}
	}
}

func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 106, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

// BenchmarkComb has cuts with a common wall in view, BenchmarkStaircase cuts past all others.
func BenchmarkComb(b *testing.B) {
	for n := 256; n <= 16384; n *= 4 {
		d := gentest.Comb(n, 600, 1<<20)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

func BenchmarkStaircase(b *testing.B) {
	for n := int32(256); n <= 16384; n *= 4 {
		// Teeth from the left, each above the one before and shorter.
		ring := gentest.Ring(0, 0, 64*n+64, 0, 64*n+64, 64*n+64, 0, 64*n+64)
		for i := n - 1; i >= 0; i-- {
			ring = append(ring, gentest.Ring(0, 64*i+48, 64*(n-i), 64*i+40, 0, 64*i+32)...)
		}
		d := gentest.Domain(ring)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}
