package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/concave"
)

// The forms of convexity relaxation (O section 4.3).
const (
	strictForm    = "strict"
	movedForm     = "border_moved"
	publishedForm = "published"
)

// Relaxation compares the forms of ANavMG's convexity relaxation on one plan. Cells count the cells of all domains.
type Relaxation struct {
	Distance float64 `json:"distance_m"`
	// Strict is without relaxation, Moved with borders that give way, Published with the ignored notches of the thesis.
	Strict    RelaxedCells `json:"strict"`
	Moved     RelaxedCells `json:"border_moved"`
	Published RelaxedCells `json:"published"`
}

// RelaxedCells is a decomposition by one form.
type RelaxedCells struct {
	Cells int `json:"cells"`
	// Passed counts the notches that the form gives up, Concave the corners that stay concave.
	Passed  int `json:"passed_notches"`
	Concave int `json:"concave_corners"`
	// Deepest is the greatest concavity of a cell, from the hull of the cell to the border (m).
	Deepest float64 `json:"deepest_m"`
	// Lost is the floor without a cell (m²).
	Lost float64 `json:"lost_m2"`

	list []plan.Cell
}

// Relax decomposes a plan by all forms, with a distance in metres, on jobs goroutines, 0 for one per core. An invalid distance and
// a cancelled context are errors.
func Relax(ctx context.Context, p *plan.Plan, distance float64, jobs int) (Relaxation, error) {
	r := Relaxation{Distance: distance}
	for _, form := range []struct {
		to *RelaxedCells
		anavmg.Options
	}{
		{&r.Strict, anavmg.Options{}},
		{&r.Moved, anavmg.Options{ConvexDistance: distance}},
		{&r.Published, anavmg.Options{ConvexDistance: distance, Published: true}},
	} {
		results, err := gen.DecomposePlan(ctx, anavmg.Generator{Options: form.Options}, p, 0, jobs)
		if err != nil {
			return r, err
		}
		for _, layer := range results {
			for _, res := range layer {
				form.to.add(res)
			}
		}
	}
	return r, nil
}

func (r *RelaxedCells) add(res gen.Result) {
	r.Cells += len(res.Cells)
	r.Passed += res.Report.Counts["passed"]
	r.Concave += res.Report.Counts["concave"]
	r.Lost += lattice.SquareMetres(res.Report.Lost)
	for _, c := range res.Cells {
		ring := make(lattice.Ring, len(c.Corners))
		for k, corner := range c.Corners {
			ring[k] = corner.Point
		}
		r.Deepest = max(r.Deepest, concave.Concavity2(ring).Sqrt()*lattice.Unit)
	}
	r.list = append(r.list, res.Cells...)
}

// disc is a round obstacle of n corners, clockwise, the first at an angle in degrees. The corners are the same on every machine.
func disc(x, y, radius float64, n int, turn float64) lattice.Ring {
	ring := make(lattice.Ring, n)
	for i := range ring {
		sin, cos := geom.SincosDegrees(turn - 360*float64(i)/float64(n))
		ring[i] = lattice.Point{
			X: int32(math.Round((x + float64(radius*cos)) * lattice.UnitsPerMetre)),
			Y: int32(math.Round((y + float64(radius*sin)) * lattice.UnitsPerMetre)),
		}
	}
	return ring
}

// errNoScene says that no seed makes a scene.
func errNoScene(what string, seeds int) error {
	return fmt.Errorf("experiment: none of %d seeds makes %s", seeds, what)
}
