package watershed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/internal/grid"
)

func TestLaws(t *testing.T) {
	for _, g := range []Generator{{}, {Options{CellSize: 3, MergeCells: -1}}} {
		sum := gentest.Laws(t, "watershed", g, func(d *plan.Domain, res gen.Result) error {
			if c := res.Report.Counts; c["cells"] != len(res.Cells) || c["vertices"] != d.Len() || c["parts"] > c["cells"] {
				t.Errorf("%d cells, report %+v", len(res.Cells), res.Report)
			}
			return gentest.Check(d, res)
		})
		for _, name := range []string{"springs", "basins", "constructed", "parts", "diagonals"} {
			if sum[name] == 0 {
				t.Errorf("no world had a case of %s", name)
			}
		}
		if sum["refused"]*100 > sum["parts"] {
			t.Errorf("more than one cut refused for a hundred parts: %v", sum)
		}
		t.Log(sum)
	}
}

// components returns how many connected parts the open cells of the grid have for which same is true of neighbours.
func components(g *grid.Grid, same func(k, l int) bool) int {
	seen, n := make([]bool, len(g.Open)), 0
	for k, open := range g.Open {
		if !open || seen[k] {
			continue
		}
		n++
		seen[k] = true
		for todo := []int{k}; len(todo) > 0; {
			at := todo[0]
			todo = todo[1:]
			for _, l := range g.Neighbours(at, nil) {
				if !seen[l] && same(at, l) {
					seen[l] = true
					todo = append(todo, l)
				}
			}
		}
	}
	return n
}

func TestBasins(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		f := flood(grid.New(d.Polygon, 0, 1+rng.IntN(3000)))
		for _, least := range []int{-1, 0, 5, 50, 1 << 30} {
			n := f.merge(least)
			size := map[int32]int{}
			for k, b := range f.basin {
				if f.Open[k] != (b != none) {
					t.Fatalf("cell %d is in basin %d, open: %v", k, b, f.Open[k])
				}
				if b != none {
					size[b]++
				}
			}
			if len(size) != n {
				t.Errorf("%d basins, told %d", len(size), n)
			}
			for b, cells := range size {
				if f.size[b] != cells {
					t.Errorf("basin %d has %d cells, told %d", b, cells, f.size[b])
				}
			}
			if got := components(f.Grid, func(k, l int) bool { return f.basin[k] == f.basin[l] }); got != n {
				t.Errorf("%d basins are in %d parts", n, got)
			}
			if least == 1<<30 {
				if want := components(f.Grid, func(k, l int) bool { return true }); n != want {
					t.Errorf("with everything merged %d basins remain in %d parts of the grid", n, want)
				}
			}
		}
	})
}

// TestRooms has basins in the expected places.
func TestRooms(t *testing.T) {
	rooms := gentest.Ring(0, 0, 4000, 0, 4000, 1800, 5000, 1800, 5000, 0, 9000, 0, 9000, 4000, 5000, 4000, 5000, 2200, 4000, 2200, 4000, 4000, 0, 4000)
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		opts   Options
		basins int
		cells  int
	}{
		{"square", gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000)), Options{}, 1, 1},
		{"square as large as the frame", gentest.Domain(gentest.Ring(-lattice.MaxCoord, -lattice.MaxCoord, lattice.MaxCoord, -lattice.MaxCoord, lattice.MaxCoord, lattice.MaxCoord, -lattice.MaxCoord, lattice.MaxCoord)), Options{}, 1, 1},
		{"square of one unit", gentest.Domain(gentest.Ring(0, 0, 1, 0, 1, 1, 0, 1)), Options{}, 1, 1},
		{"triangle of no cell", gentest.Domain(gentest.Ring(0, 0, 1, 0, 0, 1)), Options{}, 0, 1},
		{"needle", gentest.Domain(gentest.Ring(0, 0, 1<<20, 1, 1<<19, 2)), Options{}, 0, 1},
		{"two rooms with a door", gentest.Domain(rooms), Options{}, 2, -1},
		{"two rooms with a door and all springs", gentest.Domain(rooms), Options{MergeCells: -1}, 3, 5},
		{"two rooms and few large cells", gentest.Domain(rooms), Options{CellSize: 5000}, 0, -1},
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
			if got := res.Report.Counts["basins"]; got != c.basins {
				t.Errorf("%d basins, want %d", got, c.basins)
			}
			if c.cells >= 0 && len(res.Cells) != c.cells {
				t.Errorf("%d cells, want %d: %v", len(res.Cells), c.cells, res.Report.Counts)
			}
			if (c.basins > 1) != (len(r["basins"]) > 0) || (res.Report.Counts["parts"] > 1) != (len(r["cuts"]) > 0) {
				t.Errorf("saw %d borders and %d cuts: %v", len(r["basins"]), len(r["cuts"]), res.Report.Counts)
			}
			if got := len(r["diagonals"]); got != res.Report.Counts["diagonals"] {
				t.Errorf("saw %d diagonals of %d", got, res.Report.Counts["diagonals"])
			}
		})
	}
}

// TestEmptyWorlds has the grid follow the number of points: the same square with a pillar, small and large.
func TestEmptyWorlds(t *testing.T) {
	var cells []int
	for _, scale := range []int32{1, 10, 100, 1000, 10000} {
		d := gentest.Map(
			gentest.Domain(gentest.Ring(0, 0, 10000, 0, 10000, 10000, 0, 10000), gentest.Ring(4000, 4000, 4000, 5000, 5000, 5000, 5000, 4000)),
			func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X * scale, Y: p.Y * scale} })
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		if n := res.Report.Counts["grid"]; n > grid.Budget(d.Len()) || n < grid.Budget(d.Len())/2 {
			t.Errorf("scale %d: a grid of %d cells", scale, n)
		}
		cells = append(cells, len(res.Cells))
	}
	if slices.Max(cells) > slices.Min(cells)+1 {
		t.Errorf("%v cells for the same world in different sizes", cells)
	}
}

func TestFollow(t *testing.T) {
	into := []int32{3, 1, 1, 4, 5, 3, 2}
	for b, want := range []int32{3, 1, 1, 3, 3, 3, 1} {
		if got := follow(into, int32(b)); got != want {
			t.Errorf("%d leads to %d, want %d", b, got, want)
		}
	}
}

func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

// BenchmarkComb has walls that pass many cells of the grid each.
func BenchmarkComb(b *testing.B) {
	for n := 256; n <= 16384; n *= 4 {
		d := gentest.Comb(n, 600, 1<<20)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}
