package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/metric"
)

// hale71 compares Wavefront with trapezoidal cells.
func hale71(ctx context.Context, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, 5)
	worlds, err := ScatterWorlds(n)
	if err != nil {
		return Report{}, err
	}
	opt.Methods = append([]string{trapezoidH}, opt.Methods...)
	s, r, err := compare(ctx, worlds, []string{wavefront, trapezoid}, opt, []measure{
		kind("regions", metric.KindRegions, published{wavefront: 22.4, trapezoid: 31.4}, "Wavefront's regions depend on where the obstacles stand and on the seeds that are drawn"),
		coverage(published{wavefront: 1, trapezoid: 1}, ""),
	})
	if err != nil {
		return Report{}, err
	}
	r.Trials = fmt.Sprintf("%d worlds with six obstacles at any angle and 24.4 corners on average", n)
	r.claim("trapezoidal needs significantly more regions than Wavefront (p < 0.05)", s.better("regions", wavefront, trapezoid))
	r.claim("trapezoidal needs 1.3 times Wavefront's regions or more (31.4 to 22.4 is 1.40)", s.mean("regions", trapezoid) >= 1.3*s.mean("regions", wavefront))
	return r, nil
}

// compare runs the methods of the source and of the options on worlds.
func compare(ctx context.Context, worlds []World, source []string, opt Options, measures []measure) (*sample, Report, error) {
	list, err := methods(source, opt)
	if err != nil {
		return nil, Report{}, err
	}
	trials, err := runTrials(ctx, worlds, list, opt.Jobs, metric.Options{})
	if err != nil {
		return nil, Report{}, err
	}
	s, r := sampleOf(list, trials, measures), Report{}
	if err := r.show(worlds, list, trials, opt); err != nil {
		return nil, Report{}, err
	}
	s.fill(&r)
	return s, r, nil
}

// perPlanner makes the figures of a line of table 7.2.
func perPlanner(d, h, w float64) published { return published{delaunay: d, hm: h, wavefront: w} }

// homogeneityMean is the distance from zero of the mean that the source has.
func homogeneityMean(name, why string) measure {
	return measure{name, func(r *metric.Result) metric.Number {
		return metric.Number(math.Abs(float64(r.Homogeneity.Mean)))
	}, -1, perPlanner(0.477, 0.564, 0.2573), why}
}

// manyWorlds are enough for rare slivers to show; hundredfold ends the names of their rows.
const (
	manyWorlds  = 100
	hundredfold = "_of_100"
	sliverRatio = 100 // a region longer than so many times its width is a sliver that no agent can use
)

// planner100 are the lines of table 7.2 that ten worlds leave open.
var planner100 = []measure{
	homogeneityMean("homogeneity_mean"+hundredfold, "slivers between notches at nearly the same height, few and very long, see the last two rows: they reverse the order"),
	kind("homogeneity_rms"+hundredfold, metric.KindHomogeneity, nil, ""),
	kind("diameter"+hundredfold, metric.KindDiameter, perPlanner(8.2, 5.7, 5.7), "a matter of where obstacles stand"),
}

// planner are the lines of table 7.2.
var planner = []measure{
	kind("regions", metric.KindRegions, perPlanner(31, 16.8, 17.8),
		"a matter of where obstacles stand"),
	coverage(perPlanner(1, 1, 1), ""),
	kind("area_mean", metric.KindAreaSizes, perPlanner(26233.08, 49212.03, 41020.92), "Wavefront's 17.8 regions of 41020.92 come to 0.73 million units², where the others' come to 0.81 and 0.83: on their floor its mean goes with 19.4 regions"),
	kind("degree", metric.KindDegree, perPlanner(2.96, 2.48, 3.13),
		"no triangulation has a mean degree of 2.96: its n border edges leave 3 - n/T for T triangles, 2.26 for these"),
	homogeneityMean("homogeneity_mean", "means of signed ratios in which wide and high regions cancel out: chance more than quality; the row below does not cancel, and the last rows have 100 worlds"),
	kind("homogeneity_rms", metric.KindHomogeneity, nil, ""),
	kind("common_vertices", metric.KindCommonVertices, perPlanner(3.43, 1.985, 0.59),
		"every vertex shares its place with itself, so that 0.59 cannot be a count of the kind that table 6.5 has: the figures are those of the others at the place, one less: see the next row"),
	{
		"common_vertices_others", func(r *metric.Result) metric.Number { return r.CommonVertices.Value - 1 },
		-1, nil, "",
	},
	kind("minimum_angle", metric.KindMinimumAngle, perPlanner(19.683, 69.39, 83.59),
		"regions of Hertel-Mehlhorn have corners of its triangles: means of 19.7 and 69.4 degrees do not go together, and table 6.6 has 34.9"),
	{
		"inverse_efficiency", func(r *metric.Result) metric.Number { return 1 / r.Efficiency.Value },
		-1, perPlanner(4.04, 2.78, 3.78), "the table's figures are sides of regions to an edge of an obstruction, the inverse of section 6.9; Wavefront's depend on how many sides follow slanted walls",
	},
	kind("diameter", metric.KindDiameter, perPlanner(8.2, 5.7, 5.7), "a matter of where obstacles stand"),
}

// hale72 compares Wavefront with Delaunay and Hertel-Mehlhorn.
func hale72(ctx context.Context, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, 10)
	worlds, err := PlannerWorlds(n)
	if err != nil {
		return Report{}, err
	}
	s, r, err := compare(ctx, worlds, []string{delaunay, hm, wavefront}, opt, planner)
	if err != nil {
		return Report{}, err
	}
	r.Trials = fmt.Sprintf("%d worlds with five obstacles and 19 corners on average and 0.79 million units² of floor", n)
	for _, c := range []struct {
		line, better, worse, text string
	}{
		{"regions", hm, delaunay, "Hertel-Mehlhorn has significantly fewer regions than Delaunay"},
		{"regions", wavefront, delaunay, "Wavefront has significantly fewer regions than Delaunay"},
		{"area_mean", wavefront, delaunay, "Wavefront's regions are significantly larger than Delaunay's"},
		{"degree", wavefront, delaunay, "Wavefront's regions have significantly more neighbours than Delaunay's"},
		{"degree", wavefront, hm, "Wavefront's regions have significantly more neighbours than Hertel-Mehlhorn's"},
		{"common_vertices", wavefront, delaunay, "Wavefront has significantly fewer common vertices than Delaunay"},
		{"common_vertices", wavefront, hm, "Wavefront has significantly fewer common vertices than Hertel-Mehlhorn"},
		{"minimum_angle", wavefront, delaunay, "Wavefront's smallest angles are significantly larger than Delaunay's"},
		{"minimum_angle", wavefront, hm, "Wavefront's smallest angles are significantly larger than Hertel-Mehlhorn's"},
		{"inverse_efficiency", hm, delaunay, "Hertel-Mehlhorn is significantly more efficient than Delaunay"},
	} {
		r.claim(c.text, s.better(c.line, c.better, c.worse))
	}
	r.claim("Wavefront's regions are within 10 % of Hertel-Mehlhorn's, or fewer (17.8 to 16.8)", s.mean("regions", wavefront) <= 1.1*s.mean("regions", hm))
	r.claim("Wavefront's mean smallest angle is 80 degrees or more (83.59)", s.mean("minimum_angle", wavefront) >= 80)
	r.claim("Wavefront's mean degree is above 3 (3.13)", s.mean("degree", wavefront) > 3)
	r.claim("Wavefront's homogeneity, as a mean, is nearest to zero (0.2573 to 0.477 and 0.564)", s.leastOfSource("homogeneity_mean"))
	r.claim("Wavefront's diameter is significantly smaller than Delaunay's (5.7 to 8.2)", s.better("diameter", wavefront, delaunay))
	r.claim("Wavefront's diameter is at most Hertel-Mehlhorn's (5.7 to 5.7)", s.mean("diameter", wavefront) <= s.mean("diameter", hm))
	return r, r.addHundred(ctx, opt.Jobs)
}

// addHundred adds the rows on a hundred worlds, by the methods of the source.
func (r *Report) addHundred(ctx context.Context, jobs int) error {
	worlds, err := PlannerWorlds(manyWorlds)
	if err != nil {
		return err
	}
	list, err := methods([]string{delaunay, hm, wavefront}, Options{})
	if err != nil {
		return err
	}
	trials, err := runTrials(ctx, worlds, list, jobs, metric.Options{})
	if err != nil {
		return err
	}
	s := sampleOf(list, trials, planner100)
	s.fill(r)
	// The middle world has no more weight than any other, however long its slivers are.
	for _, g := range list {
		means := slices.Sorted(slices.Values(s.values("homogeneity_mean"+hundredfold, g.Name())))
		r.Rows = append(r.Rows, constructed(g.Name(), "homogeneity_middle"+hundredfold, (means[manyWorlds/2-1]+means[manyWorlds/2])/2))
	}
	for m, g := range list {
		worst, slivered := 0.0, 0.0
		for w := range worlds {
			longest := float64(trials[m][w].result.Homogeneity.Longest)
			worst = max(worst, longest)
			if longest > sliverRatio {
				slivered++
			}
		}
		r.Rows = append(r.Rows, constructed(g.Name(), "longest_ratio"+hundredfold, worst), constructed(g.Name(), "worlds_with_slivers"+hundredfold, slivered))
	}
	r.claim("on 100 worlds Wavefront's homogeneity, as a mean, is nearest to zero", s.leastOfSource("homogeneity_mean"+hundredfold))
	middle := func(method string) float64 { return meanOf(r, method, "homogeneity_middle"+hundredfold) }
	r.claim("in the middle one of 100 worlds Wavefront's homogeneity, as a mean, is nearest to zero", middle(wavefront) < middle(delaunay) && middle(wavefront) < middle(hm))
	r.claim("on 100 worlds Wavefront's diameter is significantly smaller than Delaunay's", s.better("diameter"+hundredfold, wavefront, delaunay))
	r.claim(fmt.Sprintf("on 100 worlds no region of Wavefront is more than %d times as long as wide", sliverRatio), meanOf(r, wavefront, "longest_ratio"+hundredfold) <= sliverRatio)
	return nil
}

// leastOfSource tells whether Wavefront's mean is below those of the source's rivals, whatever other methods run beside.
func (s *sample) leastOfSource(name string) bool {
	mean := s.mean(name, wavefront)
	return mean < s.mean(name, delaunay) && mean < s.mean(name, hm)
}
