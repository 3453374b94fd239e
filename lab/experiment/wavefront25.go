package experiment

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/metric"
)

// nearDegenerate counts the regions of the kinds that section 19.5 names.
func nearDegenerate(name string, of func(*metric.NearDegenerate) int) measure {
	return measure{name: name, of: func(r *metric.Result) metric.Number { return metric.Number(of(&r.Extras.NearDegenerate)) }, sense: -1}
}

// wavefront25 compares four methods on worlds like arena levels. W gives no figures but the bound on regions at a
// point; its statements in words are the claims.
func wavefront25(ctx context.Context, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, 25)
	worlds, err := ArenaWorlds(n)
	if err != nil {
		return Report{}, err
	}
	list, err := methods([]string{delaunay, hm, trapezoid, wavefront}, opt)
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
	r := Report{Trials: fmt.Sprintf("%d worlds with 12 obstacles and 58 corners on average, at any angle", n)}
	if err := r.show(worlds, list, trials, opt); err != nil {
		return Report{}, err
	}
	s.fill(&r)
	most := 0
	for m, g := range list {
		at := 0
		for w := range worlds {
			at = max(at, mostAtPoint(trials[m][w].mesh))
		}
		row := constructed(g.Name(), "most_at_a_point", float64(at))
		if g.Name() == wavefront {
			row.Published, most = mostWavefront, at
		}
		r.Rows = append(r.Rows, row)
	}
	if err := openGround(ctx, worlds, opt, s, &r); err != nil {
		return Report{}, err
	}
	for _, rival := range []string{trapezoid, delaunay} {
		r.claim("Wavefront has significantly fewer regions than "+rival, s.better("regions", wavefront, rival))
	}
	r.claim("Wavefront's regions are within 10 % of hertelmehlhorn's, or fewer", s.mean("regions", wavefront) <= 1.1*s.mean("regions", hm))
	for _, rival := range []string{trapezoid, delaunay, hm} {
		r.claim("Wavefront has significantly fewer near-degenerate regions than "+rival, s.better("near_degenerate", wavefront, rival))
	}
	r.claim("at most five of Wavefront's regions meet at a point", most <= mostWavefront)
	return r, nil
}

// moreGround is the factor of a world's side for a thousand times the area.
const moreGround = 32

// inTheOpen returns a world with the same obstacles in the middle of more ground.
func inTheOpen(w World) World {
	side := w.Domain.Rings[0][2].X
	d := *w.Domain
	rings := []lattice.Ring{{{}, {X: moreGround * side}, {X: moreGround * side, Y: moreGround * side}, {Y: moreGround * side}}}
	for _, ring := range d.Rings[1:] {
		moved := make(lattice.Ring, len(ring))
		for i, p := range ring {
			moved[i] = lattice.Point{X: p.X + moreGround/2*side, Y: p.Y + moreGround/2*side}
		}
		rings = append(rings, moved)
	}
	return World{Name: w.Name + " in the open", Domain: domainOf(rings)}
}

// openGround shows that "the runtime only increases with the actual complexity and not due to additional unoccupied
// space" (section 19.4): regions, and with them seeds, events and memory, are as many where a thousand times the
// ground is added. Times are the benchmark's.
func openGround(ctx context.Context, worlds []World, opt Options, s *sample, r *Report) error {
	list, err := methods([]string{wavefront}, Options{})
	if err != nil {
		return err
	}
	open := make([]World, len(worlds))
	for i, w := range worlds {
		open[i] = inTheOpen(w)
	}
	trials, err := runTrials(ctx, open, list, opt.Jobs, metric.Options{})
	if err != nil {
		return err
	}
	const name = "regions_with_1000_times_the_ground"
	more := sampleOf(list, trials, []measure{kind(name, metric.KindRegions, nil, "")})
	r.Rows = append(r.Rows, constructed(wavefront, name, more.mean(name, wavefront)))
	r.claim("a thousand times the ground makes no more regions of Wavefront's (within 5 %)",
		more.mean(name, wavefront) <= 1.05*s.mean("regions", wavefront))
	return nil
}
