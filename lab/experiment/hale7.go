package experiment

import (
	"context"
	"fmt"
	"math"

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

// planner are the lines of table 7.2.
var planner = []measure{
	kind("regions", metric.KindRegions, perPlanner(31, 16.8, 17.8),
		"a matter of where obstacles stand"),
	coverage(perPlanner(1, 1, 1), ""),
	kind("area_mean", metric.KindAreaSizes, perPlanner(26233.08, 49212.03, 41020.92), "Wavefront's 17.8 regions of 41020.92 come to 0.73 million units², where the others' come to 0.81 and 0.83: on their floor its mean goes with 19.4 regions"),
	kind("degree", metric.KindDegree, perPlanner(2.96, 2.48, 3.13),
		"no triangulation has a mean degree of 2.96: its n border edges leave 3 - n/T for T triangles, 2.26 for these"),
	{
		"homogeneity_mean", func(r *metric.Result) metric.Number {
			return metric.Number(math.Abs(float64(r.Homogeneity.Distribution.Mean)))
		}, -1, perPlanner(0.477, 0.564, 0.2573),
		"means of signed ratios in which wide and high regions cancel out: chance more than quality; the row below does not cancel",
	},
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
	return r, nil
}
