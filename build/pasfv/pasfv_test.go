package pasfv

import (
	"context"
	"math/rand/v2"
	"slices"
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
	if err == nil {
		err = gentest.Check(d, res)
	}
	if err != nil {
		t.Fatalf("%+v: %v\n%v", o, err, d.Rings)
	}
	return res
}

func TestLaws(t *testing.T) {
	sum := gentest.Laws(t, "pasfv", Generator{}, gentest.Check)
	t.Logf("%v", sum)
	// The worlds of the laws are full of pockets without room. Elsewhere nearly everything is grown.
	if sum["triangles"]*8 > sum["cells"] {
		t.Errorf("too many triangles: %v", sum)
	}
}

// TestOptions decomposes a part of the worlds with all combinations of options.
func TestOptions(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(6) > 0 || d.Len() > 400 {
			return
		}
		width, height := d.Box().Size()
		o := Options{Seeding: Seeding(rng.IntN(2)), KeepSplit: rng.IntN(2) == 0}
		if rng.IntN(2) == 0 {
			o.Spacing = 1 + max(width, height)/int64(2+rng.IntN(12))
		}
		// Not too many steps.
		if rng.IntN(2) == 0 {
			o.Resolution = 1 + max(width, height)/int64(20+rng.IntN(60))
			o.Rate = o.Resolution << rng.IntN(4)
			if rng.IntN(2) == 0 {
				o.Resolution = 0
			}
		}
		decompose(t, o, d)
	})
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100)
	cases := []struct {
		name    string
		domain  *plan.Domain
		options Options
		cells   int // -1: any
	}{
		{"square", gentest.Domain(square), Options{}, 1},
		{"square, many seeds", gentest.Domain(square), Options{Spacing: 7}, 1},
		{"square, seeds kept apart", gentest.Domain(square), Options{Spacing: 50, KeepSplit: true}, 4},
		// Seeded beside its four edges: four regions around a square in the middle.
		{"square, no seed on the grid", gentest.Domain(square), Options{Spacing: 1000}, 5},
		{"square, by steps", gentest.Domain(square), Options{Rate: 1}, 1},
		{"triangle: the contour is followed", gentest.Domain(gentest.Ring(0, 0, 100, 0, 0, 100)), Options{Spacing: 60}, 1},
		{"triangle, by steps", gentest.Domain(gentest.Ring(0, 0, 100, 0, 0, 100)), Options{Spacing: 60, Rate: 1}, 1},
		{"smallest triangle: no room for a seed", gentest.Domain(gentest.Ring(0, 0, 1, 0, 0, 1)), Options{}, 1},
		{"slanted convex", gentest.Domain(gentest.Ring(0, 0, 10, 3, 10, 20, 0, 20)), Options{}, 1},
		{"parallel edge: an L", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), Options{Spacing: 10}, 2},
		// The seed is in the lower left corner, and the tip stops the front to the north.
		{"intruding vertex", gentest.Domain(square, gentest.Ring(50, 40, 20, 90, 80, 90)), Options{Spacing: 40}, -1},
		{"square hole", gentest.Domain(square, gentest.Ring(40, 40, 40, 60, 60, 60, 60, 40)), Options{Seeding: Obstructions}, -1},
		{"hole that touches the middle of a wall", gentest.Domain(square, gentest.Ring(50, 0, 30, 40, 70, 40)), Options{}, -1},
		{"holes that touch", gentest.Domain(square, gentest.Ring(50, 50, 30, 20, 20, 30), gentest.Ring(50, 50, 70, 80, 80, 70)), Options{}, -1},
		{"ring that touches itself", gentest.Domain(gentest.Ring(0, 0, 100, 0, 50, 50, 100, 100, 0, 100, 50, 50)), Options{}, -1},
		{"needle", gentest.Domain(gentest.Ring(0, 0, 100000, 1, 50000, 1)), Options{}, 1},
		{"a step larger than the world", gentest.Domain(square), Options{Rate: 1 << 20}, 5},
		{"star as large as the frame", gentest.Star(9, lattice.MaxCoord), Options{}, -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if res := decompose(t, c.options, c.domain); c.cells >= 0 && len(res.Cells) != c.cells {
				t.Errorf("%d cells, want %d: %v", len(res.Cells), c.cells, res.Report.Counts)
			}
		})
	}
}

// places returns the corners of all cells, each cell from its least corner on, scaled down.
func places(res gen.Result, scale int32) (all [][]lattice.Point) {
	for _, c := range res.Cells {
		var ps []lattice.Point
		for _, k := range c.Corners {
			ps = append(ps, lattice.Point{X: k.X / scale, Y: k.Y / scale})
		}
		least := slices.Index(ps, slices.MinFunc(ps, lattice.Point.Compare))
		all = append(all, slices.Concat(ps[least:], ps[:least]))
	}
	slices.SortFunc(all, func(a, b []lattice.Point) int { return slices.CompareFunc(a, b, lattice.Point.Compare) })
	return all
}

// TestStepsOnTheStepGrid has worlds with all events on a grid: steps of the grid's size equal growth by
// events, if the seeds are as large.
func TestStepsOnTheStepGrid(t *testing.T) {
	const step = 64
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		small := gentest.Blocks(rng, 8, 4+rng.Int32N(5), 0.3, false)
		large := gentest.Map(small, func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X * step, Y: p.Y * step} })
		for _, o := range []Options{{Spacing: 6}, {Seeding: Obstructions}} {
			want := places(decompose(t, o, small), 1)
			o.Spacing *= step
			for _, resolution := range []int64{0, step} {
				o.Rate, o.Resolution = step, resolution
				if got := places(decompose(t, o, large), step); !slices.EqualFunc(got, want, slices.Equal) {
					t.Fatalf("seed %d, %+v: %v, want %v\n%v", seed, o, got, want, small.Rings)
				}
			}
		}
	}
}

// TestUnitSteps has a world with slanted walls.
func TestUnitSteps(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 4, 256, gentest.Mixed)
	for seeding := range Obstructions + 1 {
		events, steps := decompose(t, Options{Seeding: seeding}, d), decompose(t, Options{Seeding: seeding, Rate: 1}, d)
		if !slices.EqualFunc(places(steps, 1), places(events, 1), slices.Equal) {
			t.Errorf("%v: %d cells by steps, %d by events, not the same", seeding, len(steps.Cells), len(events.Cells))
		}
	}
}

// TestDynamicRate counts the steps: large steps in empty space, small steps near obstructions.
func TestDynamicRate(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 3, 4096, gentest.Mixed)
	fine := decompose(t, Options{Rate: 8}, d)
	dynamic := decompose(t, Options{Rate: 512, Resolution: 8}, d)
	f, s := fine.Report.Counts["steps"], dynamic.Report.Counts["steps"]
	t.Logf("%d steps of 8, %d steps of 512 down to 8; %d cells, %d cells", f, s, len(fine.Cells), len(dynamic.Cells))
	if s*3 > f {
		t.Errorf("%d steps of 512 down to 8, %d steps of 8", s, f)
	}
}

// TestHalvedSteps counts the steps of one seed in the middle of an empty room, by hand: 500 and 499 units away from the
// walls a front takes 7 steps of 64, one step for every bit of the rest, and fails once at each of 7 rates.
func TestHalvedSteps(t *testing.T) {
	room := gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000))
	res := decompose(t, Options{Spacing: 1000, Rate: 64, Resolution: 1}, room)
	if got, want := res.Report.Counts["steps"], 2*(7+3+7)+2*(7+4+7); got != want || len(res.Cells) != 1 {
		t.Errorf("%d steps and %d cells, want %d steps and one cell", got, len(res.Cells), want)
	}
	// Without halving a front fails once, and leaves 52 or 51 units that events fill.
	res = decompose(t, Options{Spacing: 1000, Rate: 64, KeepSplit: true}, room)
	if got, want := res.Report.Counts["steps"], 4*(6+1); got < want || len(res.Cells) < 5 {
		t.Errorf("%d steps and %d cells, want %d or more and 5 or more", got, len(res.Cells), want)
	}
}

// TestObstructionInformedSeeding compares the first seeds of the two seedings by their results.
func TestObstructionInformedSeeding(t *testing.T) {
	// Two rooms with a wall between them; one is too small for the grid.
	d := gentest.Domain(
		gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000),
		gentest.Ring(200, 200, 200, 800, 800, 800, 800, 200),
	)
	grid := decompose(t, Options{Spacing: 50}, d)
	informed := decompose(t, Options{Seeding: Obstructions}, d)
	if g, i := grid.Report.Counts["seeds"], informed.Report.Counts["seeds"]; i >= g || i < 8 {
		t.Errorf("%d seeds on the grid, %d beside the 8 edges", g, i)
	}
}

type recorder []string

func (r *recorder) Step(name string, segments [][2]lattice.Point) {
	if len(segments) > 2 {
		*r = append(*r, name)
	}
}

func TestObserver(t *testing.T) {
	var r recorder
	d := gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20))
	if _, err := (Generator{Options{Spacing: 10}}).Decompose(context.Background(), gen.Input{Domain: d, Watch: &r}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r, " "); got != "region region region" {
		t.Errorf("the observer saw %q", got)
	}
}

func TestFaults(t *testing.T) {
	square := gentest.Domain(gentest.Ring(0, 0, 1<<20, 0, 1<<20, 1<<20, 0, 1<<20))
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Seeding: 9}, "unknown seeding 9"},
		{Options{Spacing: -1}, "spacing -1"},
		{Options{Rate: -2}, "rate -2"},
		{Options{Resolution: 4}, "power of two"},
		{Options{Rate: 12, Resolution: 4}, "power of two"},
		{Options{Rate: 4, Resolution: 8}, "power of two"},
		{Options{Rate: 9, Resolution: 4}, "power of two"},
		{Options{Spacing: 1}, "more than 16777216"},
	} {
		_, err := Generator{c.options}.Decompose(context.Background(), gen.Input{Domain: square})
		if err == nil || !strings.HasPrefix(err.Error(), "pasfv: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c.options, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Generator{Options{Rate: 1}}).Decompose(ctx, gen.Input{Domain: square}); err != context.Canceled {
		t.Errorf("a cancelled context: error %v", err)
	}
}
