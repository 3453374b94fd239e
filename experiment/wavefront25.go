package experiment

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/metric"
)

// nearDegenerate counts the regions of the kinds that section 19.5 names.
func nearDegenerate(name string, of func(*metric.NearDegenerate) int) measure {
	return measure{name: name, of: func(r *metric.Result) metric.Number { return metric.Number(of(&r.Extras.NearDegenerate)) }, sense: -1}
}

// wavefront25 compares four methods on worlds like arena levels. W gives no figures but the bound on regions at a
// point; what it says in words are the claims.
func wavefront25(ctx context.Context, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, 25)
	worlds, err := ArenaWorlds(n)
	if err != nil {
		return Report{}, err
	}
	list, missing, err := methods([]string{delaunay, hm, trapezoid, wavefront}, opt)
	if err != nil {
		return Report{}, err
	}
	trials, err := runTrials(ctx, worlds, list, opt.Jobs, metric.Options{})
	if err != nil {
		return Report{}, err
	}
	s := sampleOf(list, trials, []measure{
		kind("regions", metric.KindRegions, nil, ""),
		coverage(nil, ""),
		nearDegenerate("near_degenerate", func(n *metric.NearDegenerate) int { return n.Regions }),
		nearDegenerate("fans", func(n *metric.NearDegenerate) int { return n.Fans }),
		nearDegenerate("slivers", func(n *metric.NearDegenerate) int { return n.Slivers }),
		nearDegenerate("narrow", func(n *metric.NearDegenerate) int { return n.Narrow }),
		nearDegenerate("disjoint", func(n *metric.NearDegenerate) int { return n.Disjoint }),
		kind("minimum_angle", metric.KindMinimumAngle, nil, ""),
		kind("common_vertices", metric.KindCommonVertices, nil, ""),
		kind("degree", metric.KindDegree, nil, ""),
		kind("diameter", metric.KindDiameter, nil, ""),
	})
	r := Report{Trials: fmt.Sprintf("%d worlds with 12 obstacles and 58 corners on average, at any angle", n), Missing: missing}
	s.fill(&r)
	most := 0
	for m, g := range list {
		at := 0
		for w := range worlds {
			at = max(at, mostAtPoint(trials[m][w].mesh))
		}
		row := constructed(g.Name(), "most_at_a_point", float64(at))
		if g.Name() == wavefront {
			row.Published, most = 5, at
		}
		r.Rows = append(r.Rows, row)
	}
	for _, rival := range []string{trapezoid, delaunay} {
		r.claim("Wavefront has significantly fewer regions than "+rival, s.better("regions", wavefront, rival))
	}
	r.claim("Wavefront's regions are within 10 % of hertelmehlhorn's, or fewer", s.mean("regions", wavefront) <= 1.1*s.mean("regions", hm))
	for _, rival := range []string{trapezoid, delaunay, hm} {
		r.claim("Wavefront has significantly fewer near-degenerate regions than "+rival, s.better("near_degenerate", wavefront, rival))
	}
	r.claim("at most five of Wavefront's regions meet at a point", most <= 5)
	return r, nil
}
