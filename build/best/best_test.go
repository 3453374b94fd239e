package best_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/build/internal/mosaic"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/shape"
)

// alone is a list of no rivals, and rivals are the standard ones.
var (
	alone  = []gen.Generator{}
	rivals = []gen.Generator{hertelmehlhorn.Generator{}, anavmg.Generator{}}
)

func TestLaws(t *testing.T) {
	race.Skip(t)
	sum := gentest.Laws(t, "best", best.Generator{Rivals: alone}, gentest.Check)
	t.Log(sum)
	for _, name := range []string{"pairs", "exchanged", "singles", "fanned", "constructed", "bent", "merged", "recut", "turned"} {
		if sum[name] == 0 && !testing.Short() {
			t.Errorf("no world tests what %q counts", name)
		}
	}
}

func decompose(t testing.TB, g gen.Generator, d *plan.Domain) gen.Result {
	t.Helper()
	res, err := g.Decompose(t.Context(), gen.Input{Domain: d})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestAtMostTheRivals: at most as many cells as either rival, on every world, and the result keeps the laws where
// it has a rival's cells too. How often that is, and how the sums compare, is logged; without rivals the sum of
// cells must be smaller.
func TestAtMostTheRivals(t *testing.T) {
	race.Skip(t)
	sum := map[string]int{}
	gentest.EachWorld(t, func(t *testing.T, _ *rand.Rand, d *plan.Domain) {
		res := decompose(t, best.Generator{}, d)
		if len(res.Cells) != res.Report.Counts["cells"] || len(res.Cells) < res.Report.Counts["bound"] {
			t.Errorf("%d cells, counts %v", len(res.Cells), res.Report.Counts)
		}
		sum["best"] += len(res.Cells)
		sum["bound"] += res.Report.Counts["bound"]
		for _, r := range rivals {
			other := len(decompose(t, r, d).Cells)
			if len(res.Cells) > other {
				t.Errorf("%d cells, %s makes %d", len(res.Cells), r.Name(), other)
			}
			sum[r.Name()] += other
		}
		if res.Report.Counts["rivals"] > 0 {
			sum["worlds of a rival"]++
			if err := gentest.Check(d, res); err != nil {
				t.Error(err)
			}
		}
		sum["alone"] += len(decompose(t, best.Generator{Rivals: alone}, d).Cells)
		sum["at any angle"] += len(decompose(t, best.Generator{LeastAngle: -1, Rivals: alone}, d).Cells)
	})
	t.Log(sum)
	if sum["alone"] >= min(sum["anavmg"], sum["hertelmehlhorn"]) {
		t.Errorf("without rivals: %v", sum)
	}
	if sum["at any angle"] > sum["alone"] {
		t.Errorf("with the fewest cells first there are more: %v", sum)
	}
	if sum["worlds of a rival"] == 0 && !testing.Short() {
		t.Error("no world tests what the rivals are for")
	}
}

// quality returns the mean smallest angle of the cells in degrees, and how many of them have a corner
// where one has.
func quality(cells []plan.Cell) (angle, common float64) {
	at := map[lattice.Point]bool{}
	corners := 0
	for _, c := range cells {
		var ring []lattice.Point
		for k, p := range c.Corners {
			n := len(c.Corners)
			if lattice.Orient(c.Corners[(k+n-1)%n].Point, p.Point, c.Corners[(k+1)%n].Point) != 0 {
				ring = append(ring, p.Point)
				at[p.Point] = true
			}
		}
		corners += len(ring)
		angle += shape.Sharpest(ring).Degrees()
	}
	return angle / float64(len(cells)), float64(corners) / float64(len(at))
}

// TestQuality compares means over scattered obstacles with Wavefront's: angles must be as good within
// a degree, whatever the obstacles are, with a fifth fewer cells.
func TestQuality(t *testing.T) {
	race.Skip(t)
	const worlds = 4
	for _, k := range []struct {
		name string
		gentest.Obstacle
	}{{"boxes", gentest.Boxes}, {"squares", gentest.Squares}, {"circles", gentest.Circles}, {"mixed", gentest.Mixed}} {
		var mine, other struct{ cells, angle, common float64 }
		for seed := range uint64(worlds) {
			d := gentest.Scatter(rand.New(rand.NewPCG(seed, 1)), 6, 8192, k.Obstacle)
			b, w := decompose(t, best.Generator{}, d).Cells, decompose(t, wavefront.Generator{}, d).Cells
			ba, bc := quality(b)
			wa, wc := quality(w)
			mine.cells, mine.angle, mine.common = mine.cells+float64(len(b)), mine.angle+ba/worlds, mine.common+bc/worlds
			other.cells, other.angle, other.common = other.cells+float64(len(w)), other.angle+wa/worlds, other.common+wc/worlds
		}
		t.Logf("%s: best %.2f, wavefront %.2f", k.name, mine, other)
		if mine.angle < other.angle-1 || mine.cells > 0.8*other.cells {
			t.Errorf("%s: cells, smallest angle and common vertices are %.2f, those of wavefront %.2f", k.name, mine, other)
		}
	}
}

// TestNamedDomains counts cells where the least number is known.
func TestNamedDomains(t *testing.T) {
	for _, c := range []struct {
		name string
		*plan.Domain
		cells int
	}{
		{"a square", gentest.Domain(gentest.Ring(0, 0, 40, 0, 40, 40, 0, 40)), 1},
		{"an L", gentest.Domain(gentest.Ring(0, 0, 40, 0, 40, 20, 20, 20, 20, 40, 0, 40)), 2},
		{"two notches that see each other", gentest.Domain(gentest.Ring(0, 0, 60, 0, 60, 20, 40, 20, 40, 40, 20, 40, 20, 20, 0, 20)), 2},
		{"a hole", gentest.Domain(gentest.Ring(0, 0, 60, 0, 60, 60, 0, 60), gentest.Ring(20, 20, 20, 40, 40, 40, 40, 20)), 4},
		{"a spiral", gentest.Spiral(3, 10), 12},
		{"two notches in a corridor between chains", chained(), 3},
	} {
		res := decompose(t, best.Generator{Rivals: alone}, c.Domain)
		if err := gentest.Check(c.Domain, res); err != nil || len(res.Cells) != c.cells {
			t.Errorf("%s: %d cells, want %d; %v", c.name, len(res.Cells), c.cells, err)
		}
	}
}

// chained has two notches, one above the other, that each see a chain without lattice points inside.
func chained() *plan.Domain {
	d := gentest.Domain(gentest.Ring(0, 0, 40, 1, 40, 40, 21, 40, 20, 20, 19, 40, 0, 39))
	d.Edges[0][0] = 0
	return d
}

// TestObserver: the observer sees as many portals as the counts say.
func TestObserver(t *testing.T) {
	var o observer
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 1)), 3, 4096, gentest.Squares)
	res, err := best.Generator{Rivals: alone}.Decompose(t.Context(), gen.Input{Domain: d, Watch: &o})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.names, []string{"portals"}) || o.segments < res.Report.Counts["pairs"]+res.Report.Counts["singles"] {
		t.Errorf("steps %v with %d segments, counts %v", o.names, o.segments, res.Report.Counts)
	}
}

type observer struct {
	names    []string
	segments int
}

func (o *observer) Step(name string, segments [][2]lattice.Point) {
	o.names = append(o.names, name)
	o.segments += len(segments)
}

// failing is a rival that fails.
type failing struct{}

func (failing) Name() string { return "failing" }

func (failing) Decompose(context.Context, gen.Input) (gen.Result, error) {
	return gen.Result{}, fmt.Errorf("failing: on purpose")
}

func TestRivalFails(t *testing.T) {
	g := best.Generator{Rivals: []gen.Generator{failing{}}}
	_, err := g.Decompose(t.Context(), gen.Input{Domain: gentest.Spiral(2, 10)})
	if want := "best: rival failing: on purpose"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// BenchmarkScatter doubles the number of obstacles.
func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 20, 40, 80} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, best.Generator{Rivals: alone}, d) })
	}
}

// BenchmarkComb has a row of notches that all see far: the longer the teeth, the more they see.
func BenchmarkComb(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000} {
		d := gentest.Comb(n, 600, 6000)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, best.Generator{Rivals: alone}, d) })
	}
}

// TestAtMostTheRivalsWithoutThinCells: at most as many cells as either rival, where all three are told of thin cells.
func TestAtMostTheRivalsWithoutThinCells(t *testing.T) {
	race.Skip(t)
	fewer := 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		dx, dy := d.Box().Size()
		in := gen.Input{Domain: d, Thin: 1 + int64(0.1*rng.Float64()*float64(dx+dy))}
		res, err := best.Generator{}.Decompose(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rivals {
			other, err := r.Decompose(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Cells) > len(other.Cells) {
				t.Errorf("%d cells, %s makes %d", len(res.Cells), r.Name(), len(other.Cells))
			}
			if len(res.Cells) < len(other.Cells) {
				fewer++
			}
		}
	})
	if fewer == 0 && !testing.Short() {
		t.Error("no world tells best from its rivals")
	}
}

// TestThinCells: no thin cell is left where a merge with neighbours or another cut removes the cell.
func TestThinCells(t *testing.T) { gentest.ThinLaws(t, best.Generator{}, true) }

// plain hides that a rival can start from a triangulation and go on from its cells: such rivals do all their work again.
type plain struct{ gen.Generator }

// TestSharedTriangulation: the standard rivals make the same cells of a triangulation as of its domain, and leave the triangulation
// as it is. From their own cells they remove thin cells as if they had known the width at first. So all cells are those of rivals that
// begin again each time.
func TestSharedTriangulation(t *testing.T) {
	type sharing interface {
		gen.Generator
		DecomposeTriangulated(context.Context, gen.Input, *cdt.Domain) (gen.Result, error)
		WithoutThin(context.Context, gen.Input, []plan.Cell) ([]plan.Cell, error)
	}
	thinned, fewer := 0, 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		dx, dy := d.Box().Size()
		in := gen.Input{Domain: d, Thin: 1 + int64(0.1*rng.Float64()*float64(dx+dy))}
		dom, err := cdt.FromDomain(d)
		if err != nil {
			t.Fatal(err)
		}
		before := dom.Clone()
		var again []gen.Generator
		for _, r := range rivals {
			again = append(again, plain{r})
			s := r.(sharing)
			first := decompose(t, r, d)
			if got, err := s.DecomposeTriangulated(t.Context(), gen.Input{Domain: d}, dom); err != nil || !reflect.DeepEqual(got, first) {
				t.Errorf("%s: %d cells of the triangulation, %d of the domain; %v", r.Name(), len(got.Cells), len(first.Cells), err)
			}
			if !reflect.DeepEqual(dom.H, before.H) || !slices.Equal(dom.P, before.P) || !slices.Equal(dom.Walls, before.Walls) {
				t.Fatalf("%s changed the triangulation", r.Name())
			}
			want, err := r.Decompose(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			count := mosaic.CountThin(first.Cells, in.Thin)
			got, err := s.WithoutThin(t.Context(), in, first.Cells)
			if err != nil || !reflect.DeepEqual(got, want.Cells) {
				t.Errorf("%s: %d cells with a width at last, %d with a width at first; %v", r.Name(), len(got), len(want.Cells), err)
			}
			if len(got) < len(first.Cells)-2*count {
				t.Errorf("%s: %d thin cells of %d, but %d cells in the end", r.Name(), count, len(first.Cells), len(got))
			}
			thinned += count
			fewer += len(first.Cells) - len(got)
		}
		got, err := best.Generator{}.Decompose(t.Context(), in)
		want, err2 := best.Generator{Rivals: again}.Decompose(t.Context(), in)
		if err := errors.Join(err, err2); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d cells, %d of rivals that begin again; %v", len(got.Cells), len(want.Cells), err)
		}
	})
	if (thinned == 0 || fewer == 0) && !testing.Short() {
		t.Errorf("%d thin cells, %d cells less", thinned, fewer)
	}
}

// TestJobsDoNotMatter: several goroutines make the same cells and counts as one.
func TestJobsDoNotMatter(t *testing.T) {
	for seed := range uint64(3) {
		d := gentest.Scatter(rand.New(rand.NewPCG(seed, 1)), 14, 1<<14, gentest.Squares)
		for _, least := range []float64{0, -1} {
			g := best.Generator{LeastAngle: least}
			in := gen.Input{Domain: d, Thin: 100}
			want, err := g.Decompose(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if n := want.Report.Counts["notches"]; n < 256 {
				t.Fatalf("seed %d: %d notches are too few to share", seed, n)
			}
			for _, in.Jobs = range []int{1, 2, 5} {
				if got, err := g.Decompose(t.Context(), in); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("seed %d, %d jobs: %d cells, else %d; %v", seed, in.Jobs, len(got.Cells), len(want.Cells), err)
				}
			}
		}
	}
}
