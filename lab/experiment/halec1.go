package experiment

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	gpasfv "github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
)

// Growth by steps, and by steps that halve where they fail: H appendix C, dynamic rate. The source has no table; it says
// that a rate of a millimetre takes months, and a dynamic rate minutes.

// rates are the growths that are compared, in lattice units; 0 is from event to event.
var rates = []struct {
	name             string
	rate, resolution int64
}{
	{"events", 0, 0},
	{"step-4096", 4096, 4096},
	{"step-1024", 1024, 1024},
	{"step-16", 16, 16},
	{"4096-to-16", 4096, 16},
	{"1024-to-16", 1024, 16},
	{"4096-to-1", 4096, 1},
	{"1024-to-1", 1024, 1},
}

// rated is the outcome of a growth on a world: all cells, the narrow ones, which are less than a step of the least
// rate wide or high, and the steps that fronts tried.
type rated struct{ cells, narrow, steps float64 }

// halec1 decomposes three kinds of worlds by PASFV at several rates.
func halec1(ctx context.Context, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, 5)
	r := Report{Trials: fmt.Sprintf("%d worlds of each kind: random walls, arenas, walls in line; rates in units of 1/4096 m", n)}
	kinds := []struct {
		suffix string
		make   func(int) ([]World, error)
	}{{"", LakesWorlds}, {"_arena", ArenaWorlds}, {inLine, AlignedWorlds}}
	for _, k := range kinds {
		worlds, err := k.make(n)
		if err != nil {
			return Report{}, err
		}
		if err := r.addRates(ctx, worlds, k.suffix, opt.Jobs); err != nil {
			return Report{}, err
		}
	}
	r.Reasons = append(r.Reasons,
		Reason{"regions", "a front stops less than a step from what it meets, and the gap becomes regions of its own; only a resolution of one lattice unit, on which all corners lie, leaves none"},
		Reason{"regions" + inLine, "where corners and seeds lie on the grid of steps, no gaps are left: see regions_in_units of hale-6.1"})
	wide := func(method, suffix string) float64 {
		return meanOf(&r, method, "regions"+suffix) - meanOf(&r, method, "narrow"+suffix)
	}
	fewer, gaps, near := true, true, true
	for _, k := range kinds {
		fewer = fewer && meanOf(&r, "1024-to-16", "steps"+k.suffix) < meanOf(&r, "step-16", "steps"+k.suffix)/5
		events := meanOf(&r, "events", "regions"+k.suffix)
		for _, x := range rates[1:] {
			if x.resolution > 1 {
				gaps = gaps && wide(x.name, k.suffix) <= 1.5*events
			} else {
				near = near && meanOf(&r, x.name, "regions"+k.suffix) <= 4*events/3
			}
		}
	}
	r.claim("a dynamic rate takes less than a fifth of the steps of its resolution alone", fewer)
	r.claim("without regions narrower than a step, no rate has more than half as many regions again as growth from event to event", gaps)
	r.claim("with a resolution of one lattice unit, no dynamic rate has more than a third more regions", near)
	return r, nil
}

// addRates adds the rows of one kind of worlds.
func (r *Report) addRates(ctx context.Context, worlds []World, suffix string, jobs int) error {
	results := make([]rated, len(rates)*len(worlds))
	err := par.For(ctx, jobs, len(results), func(i int) error {
		x, w := rates[i/len(worlds)], worlds[i%len(worlds)]
		g := gpasfv.Generator{Options: gpasfv.Options{Rate: x.rate, Resolution: x.resolution}}
		res, err := g.Decompose(ctx, gen.Input{Domain: w.Domain})
		if err != nil {
			return fmt.Errorf("%w (%s, %s)", err, w.Name, x.name)
		}
		results[i] = rated{cells: float64(len(res.Cells)), steps: float64(res.Report.Counts["steps"])}
		for _, c := range res.Cells {
			box := lattice.EmptyBox()
			for _, p := range c.Corners {
				box = box.Extend(p.Point)
			}
			if width, height := box.Size(); min(width, height) < x.resolution {
				results[i].narrow++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, of := range []struct {
		name  string
		value func(rated) float64
	}{
		{"regions", func(x rated) float64 { return x.cells }},
		{"narrow", func(x rated) float64 { return x.narrow }},
		{"steps", func(x rated) float64 { return x.steps }},
	} {
		for k, x := range rates {
			var values []float64
			for _, result := range results[k*len(worlds) : (k+1)*len(worlds)] {
				values = append(values, of.value(result))
			}
			r.addMean(x.name, of.name+suffix, values)
		}
	}
	return nil
}
