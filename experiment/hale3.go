package experiment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// The paths of table 3.1: eight on each of five maps, "of approximately the same length". Ours are 33 to 39 metres on
// the shortest way, so that Hertel-Mehlhorn's are about as long in decimetres as the source's in units of its game.
const (
	mapsWorlds    = 5
	pathsPerWorld = 8
	leastPath     = 33
	mostPath      = 39
	unitsPerMetre = 10
	pairsTried    = 100_000
)

// journey is a pair of places, in lattice units.
type journey struct{ start, goal lattice.Point }

// walks are what a method's decomposition of a world makes of its journeys.
type walks struct {
	index     *query.Index
	waypoints *waypoints
	lengths   map[string][]float64 // by measure
}

func newWalks(m *navmesh.Mesh) walks {
	return walks{query.NewIndex(m), newWaypoints(m), map[string][]float64{}}
}

// The measures of a journey. Those without a name after them are the source's navigation map, of centroids and
// middles of portals.
const (
	distanceLine  = "distance"
	turnsLine     = "turns"
	midpointsLine = "_midpoints"
	centroidsLine = "_centroids"
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
	list, missing, err := methods([]string{hm, sfv, pasfv}, opt)
	if err != nil {
		return Report{}, err
	}
	trials, err := runTrials(ctx, worlds, list, opt.Jobs, metric.Options{})
	if err != nil {
		return Report{}, err
	}
	all := make([][]walks, n) // by world and method
	err = par.For(ctx, opt.Jobs, n, func(w int) error {
		for m := range list {
			all[w] = append(all[w], newWalks(trials[m][w].mesh))
		}
		journeys, err := journeysOn(ctx, worlds[w], w+1, all[w])
		if err != nil {
			return err
		}
		for m := range all[w] {
			if err := all[w][m].walk(ctx, journeys); err != nil {
				return fmt.Errorf("%w (%s, %s)", err, worlds[w].Name, list[m].Name())
			}
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
		Trials:  fmt.Sprintf("%d worlds with 12 obstacles, from walls to open ground; %d journeys on each", n, pathsPerWorld),
		Missing: missing,
	}
	s.fill(&r)
	r.addRatios(s)
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
			row.Published = metric.Number(d / paper[hm])
		}
		r.Rows = append(r.Rows, row)
	}
}

// pathLines puts the journeys of all worlds in a row.
func pathLines(all [][]walks, methods int) []line {
	lines := []line{
		{
			name: distanceLine, sense: -1, paper: published{hm: 497.4, sfv: 505.3, pasfv: 442.7},
			why: "the unit is that of the source's game, whose maps are not to be had; ours is a decimetre on maps of ours: the ratios below have none",
		},
		{
			name: turnsLine, sense: -1, paper: published{hm: 5.2, sfv: 3.97, pasfv: 4.12},
			why: "turns by more than 90 degrees go with the regions on the way, whose number is not known for the source's maps",
		},
		{name: distanceLine + midpointsLine, sense: -1},
		{name: turnsLine + midpointsLine, sense: -1},
		{name: distanceLine + centroidsLine, sense: -1},
		{name: turnsLine + centroidsLine, sense: -1},
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

// journeysOn draws places that every method's mesh joins, at the distance that is asked for. As in the source, all
// paths are accessible on every mesh.
func journeysOn(ctx context.Context, w World, seed int, on []walks) ([]journey, error) {
	rng := rand.New(rand.NewPCG(uint64(seed), 0x7061746873))
	box := w.Domain.Box()
	width, height := box.Size()
	draw := func() lattice.Point {
		return lattice.Point{X: box.Min.X + rng.Int32N(int32(width)), Y: box.Min.Y + rng.Int32N(int32(height))}
	}
	queries := make([]*query.Query, len(on))
	for m := range on {
		queries[m] = on[m].index.NewQuery()
	}
	var journeys []journey
	for range pairsTried {
		if len(journeys) == pathsPerWorld {
			return journeys, nil
		}
		j := journey{draw(), draw()}
		ok, err := j.fits(ctx, queries)
		if err != nil {
			return nil, err
		}
		if ok {
			journeys = append(journeys, j)
		}
	}
	return nil, fmt.Errorf("experiment: %s has %d journeys of %d to %d m that all methods can make, needs %d", w.Name, len(journeys), leastPath, mostPath, pathsPerWorld)
}

// fits tells whether every mesh joins the two places, and whether the shortest way on any is as long as is asked for.
func (j journey) fits(ctx context.Context, queries []*query.Query) (bool, error) {
	least := float64(mostPath) + 1
	for _, q := range queries {
		for _, p := range []lattice.Point{j.start, j.goal} {
			if _, ok := q.Locate(onFloor(p)); !ok {
				return false, nil
			}
		}
	}
	for _, q := range queries {
		path, err := q.Path(ctx, onFloor(j.start), onFloor(j.goal))
		if err != nil {
			return false, err
		}
		if !path.Complete {
			return false, nil
		}
		least = min(least, path.Length)
	}
	return least >= leastPath && least <= mostPath, nil
}

// onFloor returns a lattice point of the first frame in world space.
func onFloor(p lattice.Point) geom.Vec {
	return geom.FromGround(float64(p.X)*lattice.Unit, float64(p.Y)*lattice.Unit, 0)
}

var errNoWay = errors.New("experiment: the waypoint graph does not join two regions that the mesh joins")

// walk measures the journeys by every kind of path.
func (k *walks) walk(ctx context.Context, journeys []journey) error {
	q := k.index.NewQuery()
	add := func(name string, v float64) { k.lengths[name] = append(k.lengths[name], v) }
	for _, j := range journeys {
		from, _ := q.Locate(onFloor(j.start))
		to, _ := q.Locate(onFloor(j.goal))
		start, goal := vec{float64(j.start.X), float64(j.start.Y)}, vec{float64(j.goal.X), float64(j.goal.Y)}
		for by, suffix := range [...]string{viaBoth: "", viaMidpoints: midpointsLine, viaCentroids: centroidsLine} {
			route := k.waypoints.route(start, from.Ref.Index(), goal, to.Ref.Index(), via(by))
			if route == nil {
				return errNoWay
			}
			add(distanceLine+suffix, length(route)*unitsPerMetre)
			add(turnsLine+suffix, float64(sharpTurns(route)))
		}
		corridor, err := q.Corridor(ctx, from.Point, to.Point)
		if err != nil {
			return err
		}
		add(corridorLine, corridor.Length*unitsPerMetre)
		shortest, err := q.Path(ctx, from.Point, to.Point)
		if err != nil {
			return err
		}
		add(shortestLine, shortest.Length*unitsPerMetre)
	}
	return nil
}
