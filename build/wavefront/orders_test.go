package wavefront_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/lab/trapezoid"
	"github.com/meadow-nav/meadow/metric"
)

// means are over the worlds of an experiment.
type means struct{ regions, angle, degree, common, nearDegenerate, diameter float64 }

func measure(t *testing.T, g gen.Generator, worlds []experiment.World) means {
	t.Helper()
	var m means
	for i, w := range worlds {
		res, err := g.Decompose(t.Context(), gen.Input{Domain: w.Domain, Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		mesh, _, err := join.Build(t.Context(), w.Plan(), [][][]plan.Cell{{res.Cells}}, join.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := metric.Measure(t.Context(), mesh, metric.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := float64(len(worlds))
		m.regions += float64(r.Regions.Value) / n
		m.angle += float64(r.MinimumAngle.Value) / n
		m.degree += float64(r.Degree.Value) / n
		m.common += float64(r.CommonVertices.Value) / n
		m.nearDegenerate += float64(r.Extras.NearDegenerate.Regions) / n
		m.diameter += float64(r.Diameter.Value) / n
	}
	return m
}

// TestOrders holds every order to the sources' statements about Wavefront (H tables 7.1 and 7.2, W 19.5), and
// logs the results.
func TestOrders(t *testing.T) {
	for _, e := range []struct {
		name   string
		make   func(int) ([]experiment.World, error)
		worlds int
		// Least ratio of the regions of trapezoids to ours, and least mean of the smallest angles, in degrees.
		trapezoids, angle float64
	}{
		{"scatter", experiment.ScatterWorlds, 5, 1.3, 75},
		{"planner", experiment.PlannerWorlds, 10, 1.25, 80},
		{"arena", experiment.ArenaWorlds, 25, 1.3, 75},
		{"lakes", experiment.LakesWorlds, 5, 1, 80},
	} {
		worlds, err := e.make(e.worlds)
		if err != nil {
			t.Fatal(err)
		}
		hertel := measure(t, hertelmehlhorn.Generator{}, worlds)
		trapezoids := measure(t, trapezoid.Generator{}, worlds)
		const row = "%-8s %-15s %6.2f regions, smallest angle %5.2f, degree %.2f, common vertices %.2f, near-degenerate %5.2f, diameter %5.2f"
		log := func(name string, m means) {
			t.Logf(row, e.name, name, m.regions, m.angle, m.degree, m.common, m.nearDegenerate, m.diameter)
		}
		log("hertelmehlhorn", hertel)
		log("trapezoid", trapezoids)
		for order := range wavefront.LargestRegion + 1 {
			m := measure(t, wavefront.Generator{Options: wavefront.Options{Order: order}}, worlds)
			log(order.String(), m)
			fail := func(what string, got, want float64) {
				t.Errorf("%s, %v: %s is %.3f, want %.3f", e.name, order, what, got, want)
			}
			// Twin Lakes has so many obstacles on the axes that Hertel and Mehlhorn's diagonals join notches.
			if most := 1.1 * hertel.regions; m.regions > most && e.name != "lakes" {
				fail("the number of regions", m.regions, most)
			}
			if least := m.regions * e.trapezoids; trapezoids.regions < least {
				fail("that of trapezoids", trapezoids.regions, least)
			}
			if !(m.angle >= e.angle) {
				fail("the smallest angle", m.angle, e.angle)
			}
			if !(m.degree > 3) {
				fail("the degree", m.degree, 3)
			}
			if !(m.common < hertel.common) {
				fail("the number of common vertices", m.common, hertel.common)
			}
			if least := math.Min(hertel.nearDegenerate, trapezoids.nearDegenerate); m.nearDegenerate > least+1 {
				fail("the number of near-degenerate regions", m.nearDegenerate, least)
			}
		}
	}
}
