package wavefront_test

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/experiment"
	published "github.com/meadow-nav/meadow/lab/wavefront"
)

// publishedLooks returns the looks of the published form for each of its regions, and those of the classification alone.
func publishedLooks(t *testing.T, worlds []experiment.World) (looks, classified float64) {
	t.Helper()
	regions := 0.0
	for i, w := range worlds {
		res, err := published.Generator{}.Decompose(t.Context(), gen.Input{Domain: w.Domain, Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		looks += float64(res.Report.Counts["looks"])
		classified += float64(res.Report.Counts["classified"])
		regions += float64(res.Report.Counts["regions"])
	}
	return looks / regions, classified / regions
}

// ourLooks returns the looks of our form for each of its regions.
func ourLooks(t *testing.T, worlds []experiment.World) float64 {
	t.Helper()
	looks, regions := 0, 0
	for i, w := range worlds {
		r, l, err := wavefront.Generator{}.Looks(t.Context(), gen.Input{Domain: w.Domain, Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		looks, regions = looks+l, regions+r
	}
	return float64(looks) / float64(regions)
}

// TestPublishedForm holds Wavefront beside the published form, on the worlds of tables 7.1 and 7.2 and of W 19.5: fewer
// regions, larger angles, and a number of looks for each region that does not grow with the world.
func TestPublishedForm(t *testing.T) {
	for _, e := range []struct {
		name   string
		make   func(int) ([]experiment.World, error)
		worlds int
		// Bounds of our figures: the most regions as a share of the published form's, the least difference of the mean
		// smallest angles in degrees, and the least looks of the published form as a multiple.
		regions, angle, looks float64
	}{
		{"table 7.1", experiment.ScatterWorlds, 5, 0.85, 12, 8},
		{"table 7.2", experiment.PlannerWorlds, 10, 0.9, 10, 5.5},
		{"W 19.5", experiment.ArenaWorlds, 25, 0.82, 12, 18},
	} {
		worlds, err := e.make(e.worlds)
		if err != nil {
			t.Fatal(err)
		}
		as, ours := measure(t, published.Generator{}, worlds), measure(t, wavefront.Generator{}, worlds)
		theirLooks, classified := publishedLooks(t, worlds)
		looks := ourLooks(t, worlds)
		const row = "%-9s %-14s %5.1f regions, smallest angle %4.1f, degree %4.2f, for each region %6.1f looks"
		t.Logf(row+" (%.1f by classification)", e.name, "published form", as.regions, as.angle, as.degree, theirLooks, classified)
		t.Logf(row, e.name, "ours", ours.regions, ours.angle, ours.degree, looks)
		if ours.regions > e.regions*as.regions || ours.angle < as.angle+e.angle {
			t.Errorf("%s: %+v, the published form %+v", e.name, ours, as)
		}
		if looks > 60 || theirLooks < e.looks*looks {
			t.Errorf("%s: for each region %.1f looks, the published form %.1f", e.name, looks, theirLooks)
		}
		if as.degree < 3 || ours.degree < 3 {
			t.Errorf("%s: degrees %.2f and %.2f, want 3 or more as published", e.name, as.degree, ours.degree)
		}
	}
}

// TestBoxes: where all walls are parallel to the axes no corner splits, and every notch is the end of one cut in both
// forms. Ours has a cell less where it finds the cut that joins two notches on a common line.
func TestBoxes(t *testing.T) {
	sum, fewer := 0, 0
	for seed := range uint64(60) {
		d := gentest.Scatter(rand.New(rand.NewPCG(seed, 2)), 3, 4096, gentest.Boxes)
		count := func(g gen.Generator) int {
			res, err := g.Decompose(t.Context(), gen.Input{Domain: d, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			return len(res.Cells)
		}
		as, ours := count(published.Generator{}), count(wavefront.Generator{})
		if ours > as {
			t.Errorf("seed %d: %d cells as published, %d of ours", seed, as, ours)
		}
		sum += as
		fewer += as - ours
	}
	if t.Logf("%d cells as published, %d fewer of ours", sum, fewer); fewer*100 > sum {
		t.Errorf("%d of %d cells fewer", fewer, sum)
	}
}
