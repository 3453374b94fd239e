package sfv

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func decompose(t testing.TB, o Options, d *plan.Domain) gen.Result {
	t.Helper()
	res, err := Generator{o}.Decompose(context.Background(), gen.Input{Domain: d})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestLaws(t *testing.T) {
	sum := gentest.Laws(t, "sfv", Generator{}, gentest.CheckInside)
	t.Logf("%v", sum)
	if sum["seeds"] != sum["regions"] || sum["tightened"]+sum["triangles"] > 0 {
		t.Errorf("every seed should have become a region of its own: %v", sum)
	}
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100)
	cases := []struct {
		name    string
		domain  *plan.Domain
		options Options
		cells   int
		lost    int64
	}{
		{"square", gentest.Domain(square), Options{}, 1, 0},
		{"square, many seeds", gentest.Domain(square), Options{Spacing: 7}, 1, 0},
		{"square, seeds kept apart", gentest.Domain(square), Options{Spacing: 50, KeepSplit: true}, 4, 0},
		{"square, no seed inside", gentest.Domain(square), Options{Spacing: 1000}, 0, 20000},
		// Fronts that meet an odd way apart leave gaps of a unit where four regions turn around a point.
		{"square hole", gentest.Domain(square, gentest.Ring(40, 40, 40, 60, 60, 60, 60, 40)), Options{Spacing: 20}, 9, 4},
		{"smallest triangle", gentest.Domain(gentest.Ring(0, 0, 1, 0, 0, 1)), Options{}, 0, 1},
		// The rectangle from the one seed grows to the south and to the west and stops where its corner
		// meets the slanted wall.
		{"triangle", gentest.Domain(gentest.Ring(0, 0, 100, 0, 0, 100)), Options{Spacing: 60}, 1, 10000 - 2*50*50},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := decompose(t, c.options, c.domain)
			if err := gentest.CheckInside(c.domain, res); err != nil {
				t.Error(err)
			}
			if len(res.Cells) != c.cells || res.Report.Lost != c.lost {
				t.Errorf("%d cells, %d lost, want %d and %d: %v", len(res.Cells), res.Report.Lost, c.cells, c.lost, res.Cells)
			}
		})
	}
}

func TestCellsAreRectangles(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(4) > 0 {
			return
		}
		for _, c := range decompose(t, Options{KeepSplit: rng.IntN(2) == 0}, d).Cells {
			if box := boxOf(c); len(c.Corners) != 4 || corners(c)[box.Min]+corners(c)[box.Max] != 2 {
				t.Fatalf("%v is no rectangle", c.Corners)
			}
		}
	})
}

func corners(c plan.Cell) map[lattice.Point]int {
	at := map[lattice.Point]int{}
	for _, k := range c.Corners {
		at[k.Point]++
	}
	return at
}

func boxOf(c plan.Cell) lattice.Box {
	b := lattice.EmptyBox()
	for _, k := range c.Corners {
		b = b.Extend(k.Point)
	}
	return b
}

// TestNothingCanGrow moves every side of every cell by a unit.
func TestNothingCanGrow(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(4) > 0 {
			return
		}
		res := decompose(t, Options{KeepSplit: true}, d)
		if len(res.Cells) == 0 || len(res.Cells) > 50 {
			return
		}
		i := rng.IntN(len(res.Cells))
		for side := range 4 {
			b := boxOf(res.Cells[i])
			switch side {
			case 0:
				b.Max.X++
			case 1:
				b.Max.Y++
			case 2:
				b.Min.X--
			default:
				b.Min.Y--
			}
			grown := res
			grown.Cells = append([]plan.Cell(nil), res.Cells...)
			grown.Cells[i] = plan.Cell{}
			for _, p := range []lattice.Point{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}} {
				grown.Cells[i].Corners = append(grown.Cells[i].Corners, plan.Corner{Point: p, On: plan.NoEdge})
			}
			w0, h0 := boxOf(res.Cells[i]).Size()
			w1, h1 := b.Size()
			grown.Report.Lost -= 2 * (w1*h1 - w0*h0)
			if gentest.CheckInside(d, grown) == nil {
				t.Errorf("cell %d, %v, could be %v", i, res.Cells[i].Corners, grown.Cells[i].Corners)
			}
		}
	})
}

func TestFaults(t *testing.T) {
	square := gentest.Domain(gentest.Ring(0, 0, 1<<20, 0, 1<<20, 1<<20, 0, 1<<20))
	for spacing, want := range map[int64]string{-1: "negative", 1: "more than"} {
		_, err := Generator{Options{Spacing: spacing}}.Decompose(context.Background(), gen.Input{Domain: square})
		if err == nil || !strings.HasPrefix(err.Error(), "sfv: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("spacing %d: error %v", spacing, err)
		}
	}
}

// BenchmarkSpacing has the share of the area that is covered by grids of different density.
func BenchmarkSpacing(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 15, 4096, gentest.Mixed)
	for _, spacing := range []int64{0, 256, 512, 1024, 2048, 3000} {
		b.Run(fmt.Sprint(spacing), func(b *testing.B) {
			gentest.Benchmark(b, Generator{Options{Spacing: spacing}}, d)
			res := decompose(b, Options{Spacing: spacing}, d)
			b.ReportMetric(100-100*float64(res.Report.Lost)/float64(d.Area2()), "%-covered")
		})
	}
}

// BenchmarkScatter doubles the number of obstacles.
func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{21, 30, 42, 60, 85} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}
