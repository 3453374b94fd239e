package optimal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// notches counts the angles of more than 180°, ring by ring.
func notches(d *plan.Domain) int {
	n := 0
	for _, r := range d.Rings {
		for i, q := range r {
			if lattice.Orient(r[(i+len(r)-1)%len(r)], q, r[(i+1)%len(r)]) < 0 {
				n++
			}
		}
	}
	return n
}

// small is a limit that the tests can afford on thousands of worlds.
var small = Options{Points: 120, Holes: 4, Effort: 30000}

// TestLaws holds the result on all random worlds that are not refused against the judge, and moves it.
func TestLaws(t *testing.T) {
	refused, solved := 0, 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		g := Generator{small}
		res, err := g.Decompose(t.Context(), gen.Input{Domain: d})
		if errors.Is(err, ErrTooLarge) {
			refused++
			return
		}
		if err == nil {
			err = gentest.Check(d, res)
		}
		if err != nil {
			t.Error(err)
			return
		}
		solved++
		c := res.Report.Counts
		if 2*c["portals"] < c["notches"] || c["portals"] > 2*c["notches"] || c["notches"] > notches(d) || c["cells"] != len(res.Cells) || res.Report.Lost != 0 {
			t.Errorf("%d cells, %d notches, report %+v", len(res.Cells), notches(d), res.Report)
		}
		if n, err := Count(t.Context(), d, small); n != len(res.Cells) || err != nil {
			t.Errorf("%d cells are counted, %d made, %v", n, len(res.Cells), err)
		}
		if rng.IntN(4) > 0 {
			return
		}
		box := d.Box()
		by := lattice.Point{X: rng.Int32N(lattice.MaxCoord - box.Max.X + 1), Y: -rng.Int32N(lattice.MaxCoord + box.Min.Y + 1)}
		move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + by.X, Y: p.Y + by.Y} }
		got, err := g.Decompose(t.Context(), gen.Input{Domain: gentest.Map(d, move)})
		for _, c := range res.Cells {
			for i := range c.Corners {
				c.Corners[i].Point = move(c.Corners[i].Point)
			}
		}
		if err != nil || !reflect.DeepEqual(res, got) {
			t.Errorf("moved by %v it is decomposed in another way, %v", by, err)
		}
	})
	t.Logf("%d solved, %d refused", solved, refused)
	if refused > solved/2 {
		t.Error("most worlds are refused")
	}
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100)
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		cells  int
	}{
		{"triangle", gentest.Domain(gentest.Ring(0, 0, 10, 0, 0, 10)), 1},
		{"square", gentest.Domain(square), 1},
		{"collinear points", gentest.Domain(gentest.Ring(0, 0, 5, 0, 10, 0, 10, 5, 10, 10, 5, 10, 0, 10, 0, 5)), 1},
		{"L", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), 2},
		{"U, whose notches share a diagonal", gentest.Domain(gentest.Ring(0, 0, 30, 0, 30, 20, 20, 20, 20, 10, 10, 10, 10, 20, 0, 20)), 3},
		{"one diagonal for two notches", gentest.Domain(gentest.Ring(0, 0, 30, 0, 20, 10, 30, 20, 0, 20, 10, 10)), 2},
		{"square hole", gentest.Domain(square, gentest.Ring(40, 40, 40, 60, 60, 60, 60, 40)), 4},
		{"triangular hole", gentest.Domain(square, gentest.Ring(40, 40, 50, 60, 60, 40)), 4},
		{"two holes", gentest.Domain(square, gentest.Ring(20, 40, 20, 60, 40, 60, 40, 40), gentest.Ring(60, 40, 60, 60, 80, 60, 80, 40)), 5},
		{"hourglass", gentest.Domain(gentest.Ring(0, 0, 100, 0, 50, 50, 100, 100, 0, 100, 50, 50)), 2},
		{"hole that cuts the square in four", gentest.Domain(
			gentest.Ring(0, 0, 50, 0, 100, 0, 100, 50, 100, 100, 50, 100, 0, 100, 0, 50), gentest.Ring(50, 0, 0, 50, 50, 100, 100, 50)), 4},
		{"needle", gentest.Domain(gentest.Ring(0, 0, 100000, 1, 50000, 1)), 1},
		{"comb", gentest.Comb(5, 30, 100), 7},
		{"star", gentest.Star(7, 1000), 8},
		{"spiral", gentest.Spiral(2, 10), 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: c.domain})
			if err != nil {
				t.Fatal(err)
			}
			if err := gentest.Check(c.domain, res); err != nil {
				t.Error(err)
			}
			if len(res.Cells) != c.cells {
				t.Errorf("%d cells, want %d", len(res.Cells), c.cells)
			}
			if slow, ok := slowDiagonals(c.domain, 8); ok && slow != res.Report.Counts["portals"] {
				t.Errorf("%d diagonals, a slow search finds %d", res.Report.Counts["portals"], slow)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 2, 4096, gentest.Squares)
	for _, c := range []struct {
		name string
		opt  Options
		says string
	}{
		{"points", Options{Points: 19}, "20 points around (0.000, 0.000), the limit is 19"},
		{"holes", Options{Holes: 3}, "4 holes in the part at (0.000, 0.000), the limit is 3"},
		{"effort", Options{Effort: 100}, "the 4 holes in the part at (0.000, 0.000) cannot be joined"},
	} {
		_, err := Generator{c.opt}.Decompose(t.Context(), gen.Input{Domain: d})
		if !errors.Is(err, ErrTooLarge) || !strings.HasPrefix(err.Error(), "optimal: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if _, err := Count(t.Context(), d, c.opt); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	if _, err := (Generator{Options{Points: 20, Holes: 4}}).Decompose(t.Context(), gen.Input{Domain: d}); err != nil {
		t.Errorf("within the limits: %v", err)
	}
	if _, err := (Generator{Options{Holes: -1}}).Decompose(t.Context(), gen.Input{Domain: d}); err == nil || errors.Is(err, ErrTooLarge) {
		t.Errorf("a negative limit: error %v", err)
	}
}

func TestRefuses(t *testing.T) {
	for fault, d := range map[string]*plan.Domain{
		"no rings":       gentest.Domain(),
		"crosses itself": gentest.Domain(gentest.Ring(0, 0, 10, 10, 10, 0, 0, 10)),
		"hole outside":   gentest.Domain(gentest.Ring(0, 0, 10, 0, 10, 10), gentest.Ring(20, 0, 20, 10, 30, 10)),
	} {
		if _, err := (Generator{}).Decompose(t.Context(), gen.Input{Domain: d}); err == nil || !strings.HasPrefix(err.Error(), "optimal: ") {
			t.Errorf("%s: error %v", fault, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Generator{}).Decompose(ctx, gen.Input{Domain: gentest.Spiral(3, 10)}); err != context.Canceled {
		t.Errorf("cancelled: error %v", err)
	}
}

func TestObserver(t *testing.T) {
	for _, d := range []*plan.Domain{
		gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 2, 4096, gentest.Squares),
		// A hole that touches the middle of a wall.
		gentest.Domain(gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100), gentest.Ring(50, 0, 20, 60, 80, 60)),
	} {
		r := gentest.Recorder{}
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d, Watch: r})
		if n := res.Report.Counts["portals"]; err != nil || n == 0 || len(r["portals"]) != n {
			t.Errorf("saw %d portals of %d, %v", len(r["portals"]), n, err)
		}
	}
}

func BenchmarkSimple(b *testing.B) {
	for _, n := range []int{8, 16, 32, 64, 128} {
		for _, c := range []struct {
			name   string
			domain *plan.Domain
		}{{"star", gentest.Star(n, 1e6)}, {"comb", gentest.Comb(n, 300, 10000)}, {"spiral", gentest.Spiral(n/2, 10)}} {
			b.Run(fmt.Sprint(c.name, c.domain.Len()), func(b *testing.B) {
				gentest.Benchmark(b, Generator{Options{Points: 1000}}, c.domain)
			})
		}
	}
}

func BenchmarkHoles(b *testing.B) {
	for _, kind := range []struct {
		name string
		kind gentest.Obstacle
	}{{"boxes", gentest.Boxes}, {"squares", gentest.Squares}, {"circles", gentest.Circles}} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 2, 4096, kind.kind)
		b.Run(fmt.Sprint(kind.name, d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}
