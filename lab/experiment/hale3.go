package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/metric"
)

// The paths of table 3.1: eight on each of five maps, "of approximately the same length". Ours are 33 to 39 metres on
// the shortest way, so Hertel-Mehlhorn's are about as long in decimetres as the source's in units of its game.
const (
	mapsWorlds    = 5
	pathsPerWorld = 8
	leastPath     = 33
	mostPath      = 39
	unitsPerMetre = 10
)

// The measures of a journey. Measures without a name after them are from the source's navigation map, of
// centroids and middles of portals; funnel and brand smooth its paths.
const (
	distanceLine  = "distance"
	turnsLine     = "turns"
	midpointsLine = "_midpoints"
	centroidsLine = "_centroids"
	enhancedLine  = "_enhanced"
	funnelLine    = "_funnel"
	brandLine     = "_brand"
	corridorLine  = "distance_corridor"
	shortestLine  = "distance_shortest"
)

// hale31 plans paths on decompositions.
func hale31(ctx context.Context, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, mapsWorlds)
	worlds, err := MapsWorlds(n)
	if err != nil {
		return Report{}, err
	}
	list, err := methods([]string{hm, sfv, pasfv}, opt)
	if err != nil {
		return Report{}, err
	}
	trials, err := runTrials(ctx, worlds, list, opt.Jobs, metric.Options{})
	if err != nil {
		return Report{}, err
	}
	all := make([][]walks, n)     // by world and method
	graphs := make([][]*graph, n) // by world and kind
	err = par.For(ctx, opt.Jobs, n, func(w int) error {
		for m := range list {
			k, err := newWalks(trials[m][w].mesh)
			if err != nil {
				return err
			}
			all[w] = append(all[w], k)
		}
		var err error
		if graphs[w], err = graphsOn(ctx, worlds[w], w+1); err != nil {
			return err
		}
		journeys, err := journeysOn(ctx, worlds[w], w+1, all[w], graphs[w])
		if err != nil {
			return err
		}
		for m := range all[w] {
			if err := all[w][m].walk(ctx, journeys); err != nil {
				return fmt.Errorf("%w (%s, %s)", err, worlds[w].Name, list[m].Name())
			}
		}
		for _, g := range graphs[w] {
			g.walk(journeys)
		}
		return nil
	})
	if err != nil {
		return Report{}, err
	}
	s := sampleOf(list, trials, []measure{
		coverage(published{hm: 1, sfv: 0.9, pasfv: 1}, "SFV's coverage depends on the density of its seeds, which is not known"),
		kind("regions", metric.KindRegions, nil, ""),
	})
	s.lines = append(pathLines(all, len(list)), s.lines...)
	r := Report{
		Trials: fmt.Sprintf("%d worlds with 12 obstacles, from walls to open ground; %d journeys on each", n, pathsPerWorld),
	}
	if err := r.show(worlds, list, trials, opt); err != nil {
		return Report{}, err
	}
	s.fill(&r)
	r.addRatios(s)
	r.addGraphs(graphs)
	r.claim("PASFV's paths are significantly shorter than Hertel-Mehlhorn's", s.better(distanceLine, pasfv, hm))
	r.claim("PASFV's paths are significantly shorter than SFV's", s.better(distanceLine, pasfv, sfv))
	r.claim("PASFV's paths have significantly fewer sharp turns than Hertel-Mehlhorn's", s.better(turnsLine, pasfv, hm))
	r.claim("SFV's paths have significantly fewer sharp turns than Hertel-Mehlhorn's", s.better(turnsLine, sfv, hm))
	return r, nil
}

// addRatios adds the mean distances over Hertel-Mehlhorn's, in which the unit is no matter.
func (r *Report) addRatios(s *sample) {
	paper := s.line(distanceLine).paper
	for _, method := range s.methods {
		row := constructed(method, "distance_over_hertelmehlhorn", s.mean(distanceLine, method)/s.mean(distanceLine, hm))
		if d, ok := paper[method]; ok {
			// Three digits, as the distances have four.
			row.Published = metric.Number(math.Round(1000*d/paper[hm]) / 1000)
		}
		r.Rows = append(r.Rows, row)
	}
}

// addGraphs adds the results of waypoint graphs, which have no cells, on the same journeys.
func (r *Report) addGraphs(graphs [][]*graph) {
	for k := range graphs[0] {
		for _, name := range []string{distanceLine, turnsLine, "coverage"} {
			var values []float64
			for w := range graphs {
				values = append(values, graphs[w][k].values[name]...)
			}
			mean, sd := meanSD(values)
			row := constructed(graphs[0][k].name, name, mean)
			row.SD = metric.Number(sd)
			r.Rows = append(r.Rows, row)
		}
	}
}

// pathLines puts the journeys of all worlds in a row.
func pathLines(all [][]walks, methods int) []line {
	lines := []line{
		{
			name: distanceLine, sense: -1, paper: published{hm: 497.4, sfv: 505.3, pasfv: 442.7},
			why: "the unit is that of the source's game, whose maps are not to be had; ours is a decimetre on maps of ours: the ratios below have none; SFV's detours depend on what it covers",
		},
		{
			name: turnsLine, sense: -1, paper: published{hm: 5.2, sfv: 3.97, pasfv: 4.12},
			why: "turns by more than 90 degrees go with the regions on the way, whose number is not known for the source's maps",
		},
		{name: distanceLine + midpointsLine, sense: -1},
		{name: turnsLine + midpointsLine, sense: -1},
		{name: distanceLine + centroidsLine, sense: -1},
		{name: turnsLine + centroidsLine, sense: -1},
		{name: distanceLine + enhancedLine, sense: -1},
		{name: turnsLine + enhancedLine, sense: -1},
		{name: distanceLine + brandLine, sense: -1},
		{name: turnsLine + brandLine, sense: -1},
		{name: distanceLine + funnelLine, sense: -1},
		{name: corridorLine, sense: -1},
		{name: shortestLine, sense: -1},
	}
	for i := range lines {
		lines[i].values = make([][]float64, methods)
		for m := range methods {
			for w := range all {
				lines[i].values[m] = append(lines[i].values[m], all[w][m].lengths[lines[i].name]...)
			}
		}
	}
	return lines
}
