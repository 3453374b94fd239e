package quadtree

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// coarse is the generator at a resolution relative to the domain, to save the judge work.
type coarse struct{ parts float64 }

func (coarse) Name() string { return "quadtree" }

func (c coarse) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	w, h := in.Domain.Box().Size()
	return Generator{Options{float64(max(w, h)) / c.parts * lattice.Unit}}.Decompose(ctx, in)
}

func TestLaws(t *testing.T) {
	for _, c := range []struct {
		name  string
		g     gen.Generator
		every int // the judge sees one in every of the results with many cells
	}{{"default", Generator{}, 64}, {"coarse", coarse{20}, 4}} {
		t.Run(c.name, func(t *testing.T) {
			sum := gentest.Laws(t, "quadtree", c.g, func(d *plan.Domain, res gen.Result) error {
				covered := int64(0)
				for i, c := range res.Cells {
					w, h := c.Corners[2].Point.Sub(c.Corners[0].Point)
					if len(c.Corners) != 4 || w != h || w&(w-1) != 0 || w < int64(res.Report.Counts["resolution"]) {
						t.Errorf("cell %d is not a square of the tree: %v", i, c)
					}
					covered += 2 * w * h
				}
				if covered+res.Report.Lost != d.Area2() {
					t.Errorf("%d covered and %d lost make not %d", covered, res.Report.Lost, d.Area2())
				}
				if n := len(res.Cells); n > 300 && n%c.every > 0 {
					return nil
				}
				return gentest.CheckInside(d, res)
			})
			t.Log(sum)
			if sum["cells"] == 0 || sum["mixed"] == 0 {
				t.Error("the worlds do not try what they should")
			}
		})
	}
}

// TestCovers looks at all squares of the smallest size: those inside of the domain, and no others,
// have to be in a cell.
func TestCovers(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 0))
		d := gentest.Scatter(rng, 2, 64, gentest.Mixed)
		if seed%2 == 1 {
			d = gentest.Tiny(rng, 64, 30, true)
		}
		const resolution = 4
		res, err := Generator{Options{resolution * lattice.Unit}}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		covered := map[lattice.Point]bool{}
		for _, c := range res.Cells {
			lo, hi := c.Corners[0].Point, c.Corners[2].Point
			for x := lo.X; x < hi.X; x += resolution {
				for y := lo.Y; y < hi.Y; y += resolution {
					covered[lattice.Point{X: x, Y: y}] = true
				}
			}
		}
		for x := int32(0); x < 128; x += resolution {
			for y := int32(0); y < 128; y += resolution {
				cell := plan.Cell{}
				for _, p := range gentest.Ring(x, y, x+resolution, y, x+resolution, y+resolution, x, y+resolution) {
					cell.Corners = append(cell.Corners, plan.Corner{Point: p, On: plan.NoEdge})
				}
				alone := gen.Result{Cells: []plan.Cell{cell}, Report: gen.Report{Lost: d.Area2() - 2*resolution*resolution}}
				if inside := gentest.CheckInside(d, alone) == nil; inside != covered[lattice.Point{X: x, Y: y}] {
					t.Errorf("seed %d: the square at %d, %d: inside %v, covered %v", seed, x, y, inside, !inside)
				}
			}
		}
	}
}

func TestFinerLosesLess(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(3, 4)), 4, 4096, gentest.Mixed)
	lost := d.Area2()
	for units := float64(4096); units >= 1; units /= 4 {
		res, err := Generator{Options{units * lattice.Unit}}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		if res.Report.Lost > lost || units < 1024 && res.Report.Lost == lost {
			t.Errorf("at %v units %d is lost, at four times as many %d", units, res.Report.Lost, lost)
		}
		lost = res.Report.Lost
	}
	if lost > d.Area2()/1000 {
		t.Errorf("squares of one unit lose %d of %d", lost, d.Area2())
	}
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 4096, 0, 4096, 4096, 0, 4096)
	half := gentest.Domain(gentest.Ring(0, 0, 4096, 0, 4096, 2048, 0, 2048))
	for _, c := range []struct {
		name       string
		resolution float64
		domain     *plan.Domain
		cells      int
	}{
		{"a square is one cell", 0, gentest.Domain(square), 1},
		{"half a square is two", 0.5, half, 2},
		{"at a resolution that is no power of two", 0.9, half, 2},
		{"narrower than the resolution", 1, half, 0},
		{"resolution larger than the domain", 1000, gentest.Domain(square), 1},
		{"smallest domain", 0, gentest.Domain(gentest.Ring(0, 0, 1, 0, 1, 1, 0, 1)), 1},
		{"without a square", 0, gentest.Domain(gentest.Ring(0, 0, 1, 0, 0, 1)), 0},
		{"L", 0, gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), 18},
		{"hole on the lines of the tree", 0, gentest.Domain(square, gentest.Ring(1024, 1024, 1024, 2048, 2048, 2048, 2048, 1024)), 6},
		{"hole that cuts the square in four", 1.0 / 4, gentest.Domain(square, gentest.Ring(2048, 0, 0, 2048, 2048, 4096, 4096, 2048)), 4},
		{"diagonal through corners of the tree", 1.0 / 8, gentest.Domain(gentest.Ring(0, 0, 4096, 0, 4096, 4096)), 7},
		{"needle", 0, gentest.Domain(gentest.Ring(0, 0, 100000, 1, 50000, 1)), 0},
		{"as large as the frame", 0, gentest.Domain(gentest.Ring(
			-lattice.MaxCoord, -lattice.MaxCoord, lattice.MaxCoord, -lattice.MaxCoord, lattice.MaxCoord, lattice.MaxCoord, -lattice.MaxCoord, lattice.MaxCoord)), 8155},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Generator{Options{c.resolution}}.Decompose(t.Context(), gen.Input{Domain: c.domain})
			if err != nil {
				t.Fatal(err)
			}
			if err := gentest.CheckInside(c.domain, res); err != nil {
				t.Error(err)
			}
			if len(res.Cells) != c.cells {
				t.Errorf("%d cells, want %d: %v", len(res.Cells), c.cells, res.Report)
			}
		})
	}
}

func TestDefaultResolution(t *testing.T) {
	const m = lattice.UnitsPerMetre
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		units  int
	}{
		{"a 256th", gentest.Domain(gentest.Ring(0, 0, 16*m, 0, 16*m, 16*m, 0, 16*m)), m / 16},
		{"a quarter of a metre", gentest.Domain(gentest.Ring(0, 0, 300*m, 0, 300*m, 300*m, 0, 300*m)), m / 4},
		{"one unit", gentest.Domain(gentest.Ring(0, 0, 100, 0, 0, 100)), 1},
		{"long walls", gentest.Domain(gentest.Ring(0, 0, 10000*m, 0, 10000*m, 10*m, 0, 10*m)), 4 * m},
	} {
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: c.domain})
		if err != nil || res.Report.Counts["resolution"] != c.units {
			t.Errorf("%s: %d units, want %d, %v", c.name, res.Report.Counts["resolution"], c.units, err)
		}
	}
}

func TestBadResolution(t *testing.T) {
	d := gentest.Domain(gentest.Ring(0, 0, 4096, 0, 4096, 4096, 0, 4096))
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := (Generator{Options{bad}}).Decompose(t.Context(), gen.Input{Domain: d}); err == nil || !strings.HasPrefix(err.Error(), "quadtree: ") {
			t.Errorf("a resolution of %g: error %v", bad, err)
		}
	}
	huge := gentest.Map(d, func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X << 15, Y: p.Y << 15} })
	_, err := Generator{Options{lattice.Unit}}.Decompose(t.Context(), gen.Input{Domain: huge})
	if err == nil || !strings.Contains(err.Error(), "coarser") {
		t.Errorf("squares of one unit in %v: error %v", huge.Box(), err)
	}
}

func TestCancel(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 10, 4096, gentest.Mixed)
	ctx := &countdown{Context: t.Context(), left: 5}
	if _, err := (Generator{Options{0.001}}).Decompose(ctx, gen.Input{Domain: d}); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	if ctx.left < -1 {
		t.Errorf("asked %d times after the end", -ctx.left)
	}
}

// countdown is a context that ends after a few questions.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 21, 42, 85, 106} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) {
			gentest.Benchmark(b, Generator{Options{Resolution: 1.0 / 32}}, d)
		})
	}
}

// BenchmarkEmptySpace has the same walls in ever more space: only the tree's depth grows.
func BenchmarkEmptySpace(b *testing.B) {
	for _, metres := range []int32{16, 1024, 65536} {
		w := metres * lattice.UnitsPerMetre
		d := gentest.Domain(gentest.Ring(0, 0, w, 0, w, w, 0, w), gentest.Ring(6000, 5000, 5000, 6000, 7000, 7000))
		b.Run(fmt.Sprint(metres), func(b *testing.B) {
			gentest.Benchmark(b, Generator{Options{Resolution: 1.0 / 32}}, d)
		})
	}
}
