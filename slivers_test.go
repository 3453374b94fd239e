package meadow_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// tolerances are how far borders move in metres: not at all, by a hair, as far as by default (0), and farther.
var tolerances = []float64{-1, 0.01, 0, 0.1, 0.39}

// everything says that larger levels and every method take part, which takes half a minute.
var everything = os.Getenv("MEADOW_SLIVERS") != ""

// sliverLevels are levels with round obstacles, rough polygons and many layers.
var sliverLevels = func() []sliverLevel {
	if everything {
		return append(small, large...)
	}
	return small
}()

type sliverLevel struct {
	kind   string
	size   float64 // metres, 0 is the kind's own
	radius float64
}

var small = []sliverLevel{
	{"pillars", 12, 0.4},
	{"pillars", 16, 1},
	{"rough", 10, 0.3},
	{"random", 16, 0.4},
	{"spiral", 0, 0.4},
}

var large = []sliverLevel{
	{"pillars", 48, 0.4},
	{"pillars", 24, 0.6},
	{"rough", 40, 0.4},
	{"random", 60, 0.4},
	{"stairs", 0, 0.3},
	{"tower", 0, 0.4},
	{"city", 60, 0.5},
	{"demo", 0, 0.4},
	{"ramps", 0, 0.4},
}

// TestNoSliverWhereAMergeIsPossible decomposes floors at every tolerance: no region of anavmg and of best is thinner than a
// tenth of the radius where a merge with neighbours or another cut removes the region, and there are no more regions than
// where nobody looks for thin ones. The judge finds slivers where nobody looks for them.
func TestNoSliverWhereAMergeIsPossible(t *testing.T) {
	race.Skip(t)
	slivers := 0
	for _, l := range sliverLevels {
		lvl, err := levelgen.Generate(l.kind, levelgen.Options{Seed: 1, Size: l.size})
		if err != nil {
			t.Fatal(err)
		}
		for _, tolerance := range tolerances {
			floor := exactFloor(t, lvl, l.radius, tolerance)
			width := gen.ThinFor(floor.Agent)
			for _, method := range []string{"anavmg", "best"} {
				g, err := catalog.Generator(method)
				if err != nil {
					t.Fatal(err)
				}
				results, err := gen.DecomposePlan(t.Context(), g, floor, 0, 1)
				if err != nil {
					t.Fatal(err)
				}
				eachDomain(floor, results, func(d *plan.Domain, res gen.Result) {
					name := fmt.Sprintf("%s, radius %g m, borders moved by %g m, %s", l.kind, l.radius, tolerance, method)
					if err := gentest.CheckThin(res.Cells, width, true); err != nil {
						t.Errorf("%s: %v", name, err)
					}
					without, err := g.Decompose(t.Context(), gen.Input{Domain: d})
					if err != nil {
						t.Fatal(err)
					}
					if len(res.Cells) > len(without.Cells) {
						t.Errorf("%s: %d regions, %d with slivers", name, len(res.Cells), len(without.Cells))
					}
					if gentest.CheckThin(without.Cells, width, true) != nil {
						slivers++
					}
				})
			}
		}
	}
	if slivers == 0 {
		t.Error("no floor has a sliver that may go")
	}
}

// TestBestIsExactAtEveryTolerance decomposes floors at every tolerance by best: the regions fill their domain exactly and
// do not overlap, none leaves the domain, there are at most as many as any other complete method makes, and the mesh has
// no fault.
func TestBestIsExactAtEveryTolerance(t *testing.T) {
	race.Skip(t)
	others := []string{"anavmg", "hertelmehlhorn", "trapezoid", "wavefront"}
	if everything {
		others = catalog.Names()
	}
	best, err := catalog.Generator("best")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range sliverLevels {
		lvl, err := levelgen.Generate(l.kind, levelgen.Options{Seed: 1, Size: l.size})
		if err != nil {
			t.Fatal(err)
		}
		for _, tolerance := range tolerances {
			floor := exactFloor(t, lvl, l.radius, tolerance)
			name := fmt.Sprintf("%s, radius %g m, borders moved by %g m", l.kind, l.radius, tolerance)
			results, err := gen.DecomposePlan(t.Context(), best, floor, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			eachDomain(floor, results, func(d *plan.Domain, res gen.Result) {
				if err := gentest.Check(d, res); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				for _, method := range others {
					g, err := catalog.Generator(method)
					if err != nil {
						t.Fatal(err)
					}
					other, err := g.Decompose(t.Context(), gen.Input{Domain: d, Thin: gen.ThinFor(floor.Agent)})
					if err != nil {
						t.Fatal(err)
					}
					if gentest.Check(d, other) == nil && len(res.Cells) > len(other.Cells) {
						t.Errorf("%s: %d regions, %s makes %d", name, len(res.Cells), method, len(other.Cells))
					}
				}
			})
			mesh, _, err := join.Build(t.Context(), floor, gen.CellsOf(results), join.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range mesh.Validate() {
				t.Errorf("%s: %v", name, f)
			}
		}
	}
}

// exactFloor returns the floor of a level for a radius, all parts of it, with borders moved by up to a tolerance.
func exactFloor(t *testing.T, lvl *level.Level, radius, tolerance float64) *plan.Plan {
	t.Helper()
	agent := meadow.Agent{Radius: radius}.WithDefaults()
	floor, err := exact.Extract(t.Context(), lvl, agent, floorplan.Options{Simplify: tolerance, KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	return floor
}

// eachDomain calls f with every domain of a plan and its result.
func eachDomain(p *plan.Plan, results [][]gen.Result, f func(d *plan.Domain, res gen.Result)) {
	for l := range results {
		for i, res := range results[l] {
			f(&p.Layers[l].Domains[i], res)
		}
	}
}
