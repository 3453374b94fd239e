package wavefront_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/delaunay"
	"github.com/meadow-nav/meadow/lab/experiment"
)

func sizeOf(c plan.Cell) (width, height int64) {
	box := lattice.EmptyBox()
	for _, k := range c.Corners {
		box = box.Extend(k.Point)
	}
	return box.Size()
}

// TestTipsLeaveSlivers has two tips that point to each other. Each has a single sufficient cut along an axis, in line with
// the tip, and the space between the cuts is a cell as narrow as the tips are out of line. In line, one cut joins the tips.
func TestTipsLeaveSlivers(t *testing.T) {
	for _, apart := range []int32{0, 1, 10, 500} {
		d := gentest.Domain(
			gentest.Ring(0, 0, 100000, 0, 100000, 100000, 0, 100000),
			gentest.Ring(50000, 60000, 40000, 80000, 60000, 81000),
			gentest.Ring(50000+apart, 40000, 61000, 20000, 41000, 21000),
		)
		for order := range wavefront.LargestRegion + 1 {
			g := wavefront.Generator{Options: wavefront.Options{Order: order}}
			res, err := g.Decompose(t.Context(), gen.Input{Domain: d})
			if err != nil {
				t.Fatal(err)
			}
			slivers := 0
			for _, c := range res.Cells {
				if w, h := sizeOf(c); w == int64(apart) && h >= 20000 {
					slivers++
				}
			}
			want := 1
			if apart == 0 {
				want = 0
			}
			if slivers != want {
				t.Errorf("%v, tips %d units out of line: %d slivers, want %d", order, apart, slivers, want)
			}
		}
	}
}

// wholeUnits returns a world with its corners at whole metres, the units of the source's worlds.
func wholeUnits(w experiment.World) *plan.Domain {
	const unit = lattice.UnitsPerMetre
	return gentest.Map(w.Domain, func(p lattice.Point) lattice.Point {
		return lattice.Point{X: (p.X + unit/2) / unit * unit, Y: (p.Y + unit/2) / unit * unit}
	})
}

// TestSliversOfPlannerWorlds has 100 worlds of table 7.2. Few cells are slivers, but these are as narrow as corners are out
// of line: their shapes decide the means. With corners at whole units the means are in the order of the source, least
// Wavefront, except for Delaunay's mean, in which wide and high triangles cancel out.
func TestSliversOfPlannerWorlds(t *testing.T) {
	worlds, err := experiment.PlannerWorlds(100)
	if err != nil {
		t.Fatal(err)
	}
	type shape struct{ mean, rms, worst float64 }
	measure := func(g gen.Generator, domain func(experiment.World) *plan.Domain) (s shape, cells, slivers int) {
		for i, w := range worlds {
			res, err := g.Decompose(t.Context(), gen.Input{Domain: domain(w), Seed: uint64(i + 1)})
			if err != nil {
				t.Fatal(err)
			}
			sum, squares, n := 0.0, 0.0, float64(len(res.Cells))
			for _, c := range res.Cells {
				width, height := sizeOf(c)
				r := float64(max(width, height))/float64(min(width, height)) - 1
				s.worst = max(s.worst, r)
				if r > 30 {
					slivers++
				}
				squares += float64(r * r)
				if width < height {
					r = -r
				}
				sum += r
			}
			cells += len(res.Cells)
			s.mean += math.Abs(sum) / n / float64(len(worlds))
			s.rms += math.Sqrt(squares/n) / float64(len(worlds))
		}
		return s, cells, slivers
	}
	exact, cells, slivers := measure(wavefront.Generator{}, func(w experiment.World) *plan.Domain { return w.Domain })
	t.Logf("wavefront: %+v; %d of %d cells are slivers of more than 1:31", exact, slivers, cells)
	if slivers*100 > cells {
		t.Errorf("%d of %d cells are slivers", slivers, cells)
	}
	if exact.worst < 1000 {
		t.Errorf("the narrowest cell is 1:%.0f: the card and the page name slivers that are gone", exact.worst+1)
	}
	var whole [3]shape
	for i, g := range []gen.Generator{wavefront.Generator{}, hertelmehlhorn.Generator{}, delaunay.Generator{}} {
		whole[i], _, _ = measure(g, wholeUnits)
		t.Logf("%s on whole units: %+v", g.Name(), whole[i])
	}
	if whole[0].mean > whole[1].mean || whole[0].rms > 0.75*min(whole[1].rms, whole[2].rms) || whole[0].worst > exact.worst/10 {
		t.Errorf("on whole units: wavefront, hertelmehlhorn, delaunay %+v", whole)
	}
}
