package medialaxis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func TestLaws(t *testing.T) {
	for _, g := range []Generator{{}, {Options{Rings: true}}} {
		sum := gentest.Laws(t, "medialaxis", g, func(d *plan.Domain, res gen.Result) error {
			if c := res.Report.Counts; c["cells"] != len(res.Cells) || c["vertices"] != d.Len() || c["parts"] > c["cells"] {
				t.Errorf("%d cells, report %+v", len(res.Cells), res.Report)
			}
			return gentest.Check(d, res)
		})
		for _, name := range []string{"samples", "branches", "parts", "diagonals"} {
			if sum[name] == 0 {
				t.Errorf("no world had a case of %s", name)
			}
		}
		t.Log(sum)
	}
}

// roomy returns a domain whose obstacles are far enough from each other for the lattice.
func roomy(seed uint64) *plan.Domain {
	kind := gentest.Mixed
	if seed%2 == 1 {
		kind = gentest.Circles
	}
	return gentest.Scatter(rand.New(rand.NewPCG(seed, 5)), 3, 20000, kind)
}

// distances returns how far p is from every wall of b.
func (b *border) distances(p lattice.Point) (list []float64) {
	for r, ring := range b.rings {
		wall, _ := b.walls(r)
		mine := make([]float64, max(1, len(b.corners[r])))
		for i := range mine {
			mine[i] = math.Inf(1)
		}
		for i := range ring {
			far := lattice.SegmentDistance2(p, ring[i], ring[(i+1)%len(ring)]).Sqrt()
			mine[wall[i]] = min(mine[wall[i]], far)
		}
		list = append(list, mine...)
	}
	return list
}

// TestAxis has every point of the axis as far from one wall as from another, up to 15 %.
func TestAxis(t *testing.T) {
	judged := 0
	for seed := range uint64(8) {
		d := roomy(seed)
		for _, rings := range []bool{false, true} {
			r := gentest.Recorder{}
			if _, err := (Generator{Options{Rings: rings}}).Decompose(t.Context(), gen.Input{Domain: d, Watch: r}); err != nil {
				t.Fatal(err)
			}
			b := newBorder(d, rings)
			for _, s := range r["axis"] {
				for _, p := range s {
					far := b.distances(p)
					slices.Sort(far)
					if far[1]-far[0] > 0.15*far[0]+3 {
						t.Errorf("seed %d: %v is %g from one wall and %g from the next", seed, p, far[0], far[1])
					}
					judged++
				}
			}
		}
	}
	if judged < 1000 {
		t.Errorf("only %d points of the axis", judged)
	}
}

// TestCellsBelongToWalls finds for every cell a wall about nearest to all of its corners.
func TestCellsBelongToWalls(t *testing.T) {
	for seed := range uint64(8) {
		d := roomy(seed)
		b := newBorder(d, false)
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range res.Cells {
			var near []int
			for _, k := range c.Corners {
				far := b.distances(k.Point)
				near = append(near, make([]int, len(far)-len(near))...)
				for w := range far {
					if least := slices.Min(far); far[w] <= least+2*defaultTolerance*least+3 {
						near[w]++
					}
				}
			}
			if slices.Max(near) < len(c.Corners) {
				t.Errorf("seed %d: cell %d belongs to no wall: %v", seed, i, c.Corners)
			}
		}
	}
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000)
	hole := gentest.Ring(400, 400, 400, 600, 600, 600, 600, 400)
	var disc lattice.Ring
	for i := range 32 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 32)
		disc = append(disc, lattice.Point{X: int32(10000 * cos), Y: int32(10000 * sin)})
	}
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		opts   Options
		parts  int
		cells  int
	}{
		{"square", gentest.Domain(square), Options{}, 4, 4},
		{"rectangle", gentest.Domain(gentest.Ring(0, 0, 3000, 0, 3000, 1000, 0, 1000)), Options{}, 4, 4},
		{"triangle", gentest.Domain(gentest.Ring(0, 0, 3000, 0, 1000, 2000)), Options{}, 3, 3},
		{"square with straight corners", gentest.Domain(gentest.Ring(0, 0, 500, 0, 1000, 0, 1000, 500, 1000, 1000, 0, 1000)), Options{}, 4, 4},
		{"disc", gentest.Domain(disc), Options{}, 7, 7},
		{"L", gentest.Domain(gentest.Ring(0, 0, 2000, 0, 2000, 1000, 1000, 1000, 1000, 2000, 0, 2000)), Options{}, 5, -1},
		{"square with a hole", gentest.Domain(square, hole), Options{}, 5, -1},
		{"rings of a square with a hole", gentest.Domain(square, hole), Options{Rings: true}, 2, -1},
		{"rings of a square", gentest.Domain(square), Options{Rings: true}, 1, 1},
		{"square of one unit", gentest.Domain(gentest.Ring(0, 0, 1, 0, 1, 1, 0, 1)), Options{}, 1, 1},
		{"needle", gentest.Domain(gentest.Ring(0, 0, 1<<20, 1, 1<<19, 2)), Options{}, -1, -1},
		{"exact", gentest.Domain(square, hole), Options{Tolerance: 0.01}, 5, -1},
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
			if c.parts >= 0 && count["parts"] != c.parts || c.cells >= 0 && len(res.Cells) != c.cells {
				t.Errorf("%d parts and %d cells, want %d and %d: %v", count["parts"], len(res.Cells), c.parts, c.cells, count)
			}
			if count["constructed"] > 0 {
				t.Errorf("%d corners were constructed", count["constructed"])
			}
			if len(r["diagonals"]) != count["diagonals"] || (count["parts"] > 1) != (len(r["cuts"]) > 0 && len(r["axis"]) > 0) {
				t.Errorf("saw %d pieces of axis, %d cuts and %d diagonals: %v", len(r["axis"]), len(r["cuts"]), len(r["diagonals"]), count)
			}
		})
	}
}

// TestNeedles has too few samples for long teeth and rays. No cut runs where the axis is not.
func TestNeedles(t *testing.T) {
	for name, d := range map[string]*plan.Domain{
		"comb":   gentest.Comb(30, 600, 1<<20),
		"star":   gentest.Star(100, 1e8),
		"spiral": gentest.Spiral(30, 100),
	} {
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		if err := gentest.Check(d, res); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c := res.Report.Counts; c["samples"] > limit(d.Len()) || c["constructed"] > 0 || c["cells"] > 4*d.Len() {
			t.Errorf("%s: %v", name, c)
		}
	}
}

func TestCorners(t *testing.T) {
	for _, c := range []struct {
		name string
		ring lattice.Ring
		want []int
	}{
		{"square", gentest.Ring(0, 0, 10, 0, 10, 10, 0, 10), []int{0, 1, 2, 3}},
		{"square hole", gentest.Ring(0, 0, 0, 10, 10, 10, 10, 0), nil},
		{"straight corner", gentest.Ring(0, 0, 5, 0, 10, 0, 10, 10, 0, 10), []int{0, 2, 3, 4}},
		{"cut corner", gentest.Ring(0, 0, 9, 0, 10, 1, 10, 10, 0, 10), []int{0, 2, 3, 4}},
		{"noise on a wall", gentest.Ring(0, 0, 20, 0, 40, 3, 60, 0, 80, 3, 100, 0, 100, 100, 0, 100), []int{0, 5, 6, 7}},
		{"hole with a pocket", gentest.Ring(0, 0, 0, 100, 100, 100, 100, 0, 50, 50), []int{1, 4}},
	} {
		got := corners(c.ring)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: corners %v, want %v", c.name, got, c.want)
		}
	}
}

func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}
