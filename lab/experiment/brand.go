package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/metric"
)

// The worlds of B section 7.4: maps of 200 × 200 cells, joined to their eight neighbours; 100 random paths on each of 20 maps; a
// sample is the best of five runs. His relaxation is 5, his machine had four cores. His maps were not published.
const (
	brandMaps    = 20
	brandPaths   = 100
	brandSize    = 200
	brandRuns    = 5
	brandRelax   = 5
	brandWorkers = 4
)

// mapKind is a kind of octile maps. No kind has all properties of the source's maps: see docs/algorithms/search.md.
type mapKind struct {
	name     string
	chambers func(width, height, further int, seed uint64) (*search.Chambers, error)
	further  int // as in search.RandomChambers
}

var (
	// onePassage is for figures whose values are the same at every length of path.
	onePassage = mapKind{"one passage in each wall", search.RandomChambers, 0}
	// waysAround has a passage at every other place for a further one.
	waysAround = mapKind{"ways around", search.RandomChambers, 2}
	// closets have ways around, and blocked cells close a quarter of the passages.
	closets = mapKind{"closets", search.RandomClosets, 2}
)

// noPath is the class after those of package search: start and goal are not joined.
const noPath = int(search.VeryLong) + 1

// className is a class of paths as the name of a metric has it.
func className(c int) string {
	return [...]string{"very_short", "short", "medium", "long", "very_long", "no_path"}[c]
}

// searcher is a method of the source or of ours, with its name in the tables.
type searcher struct {
	name string
	search.Search
	// inTurn, if not nil, is the same search on one goroutine. Its counts are reported, because they do not depend on
	// the machine's load.
	inTurn func(ctx context.Context, from, to int32) (search.Result, error)
}

// octile is a map with its graph and its rooms.
type octile struct {
	free     []int32
	graph    *search.Graph
	estimate search.Estimate
	overview *search.Overview
	chambers *search.Chambers
}

// octileMap returns the map of a kind and a number.
func octileMap(kind mapKind, number int) (octile, error) {
	c, err := kind.chambers(brandSize, brandSize, kind.further, uint64(number))
	if err != nil {
		return octile{}, err
	}
	m := octile{chambers: c}
	if m.graph, m.estimate, err = c.Graph(); err != nil {
		return octile{}, err
	}
	if m.overview, err = c.Overview(); err != nil {
		return octile{}, err
	}
	for i, b := range c.Blocked {
		if !b {
			m.free = append(m.free, int32(i))
		}
	}
	return m, nil
}

// tally is the result of a method on the paths of a class.
type tally struct {
	paths                     int
	best                      time.Duration // the best runs
	cost                      float64
	expanded, busiest, passes float64
	// faster is the time of the first method over the time of this method, by path.
	faster []float64
}

// byClass has the tallies of a method.
type byClass [noPath + 1]tally

// tallies are by method and class.
type tallies []byClass

// timed runs the methods that make returns for a map on random paths of random maps. The first is A*, whose paths
// define the classes. Only one search runs at a time, whatever Options.Jobs says. With 0 runs nothing is timed, and parallel
// searches go in turn.
func timed(ctx context.Context, opt Options, kind mapKind, runs int, make func(octile) ([]searcher, error)) ([]string, tallies, string, error) {
	maps, paths := orDefault(opt.Worlds, brandMaps), orDefault(opt.Paths, brandPaths)
	var names []string
	var all tallies
	for number := 1; number <= maps; number++ {
		m, err := octileMap(kind, number)
		if err != nil {
			return nil, nil, "", err
		}
		list, err := make(m)
		if err != nil {
			return nil, nil, "", err
		}
		if all == nil {
			for _, s := range list {
				names = append(names, s.name)
				all = append(all, byClass{})
			}
		}
		r := rand.New(rand.NewPCG(uint64(number), 76))
		for range paths {
			from, to := m.free[r.IntN(len(m.free))], m.free[r.IntN(len(m.free))]
			class := noPath
			var first time.Duration
			for k, s := range list {
				took, err := all[k].run(ctx, s, from, to, runs, k == 0, &class)
				if err != nil {
					return nil, nil, "", err
				}
				if k == 0 {
					first = took
				}
				a := &all[k][class]
				a.faster = append(a.faster, float64(first)/float64(max(took, 1)))
			}
		}
	}
	trials := fmt.Sprintf("%d maps of %d × %d cells, %d random paths on each", maps, brandSize, brandSize, paths)
	if runs > 0 {
		trials += fmt.Sprintf("; times are the best of %d runs, one at a time", runs)
	}
	return names, all, trials, nil
}

// run adds a path to the tallies of a method and returns its time. The first method decides the class.
func (t *byClass) run(ctx context.Context, s searcher, from, to int32, runs int, decides bool, class *int) (time.Duration, error) {
	var best time.Duration
	var found search.Result
	for k := range runs {
		start := time.Now()
		r, err := s.Path(ctx, from, to)
		took := time.Since(start)
		if err != nil {
			return 0, err
		}
		if k == 0 || took < best {
			best = took
		}
		found = r
	}
	count := s.inTurn
	if count == nil && runs == 0 {
		count = s.Path
	}
	if count != nil {
		var err error
		if found, err = count(ctx, from, to); err != nil {
			return 0, err
		}
	}
	if decides && found.Found() {
		*class = int(search.ClassOf(len(found.Nodes)))
	}
	if found.Found() != (*class != noPath) {
		return 0, fmt.Errorf("experiment: %s from %d to %d: found %t, A* says otherwise", s.name, from, to, found.Found())
	}
	a := &t[*class]
	a.paths++
	a.best += best
	if found.Found() {
		a.cost += found.Cost
	}
	a.expanded += float64(found.Expanded)
	a.busiest += float64(found.Busiest)
	a.passes += float64(found.Passes)
	return best, nil
}

// rowsOf adds a row for each method and class that has paths, and returns the values by method, over the classes from
// first to last, both included.
func (r *Report) rowsOf(names []string, all tallies, measure string, first, last int, of func(method, class int) float64) [][]float64 {
	values := make([][]float64, len(names))
	for c := first; c <= last; c++ {
		for m, name := range names {
			if all[m][c].paths == 0 {
				continue
			}
			v := of(m, c)
			values[m] = append(values[m], v)
			r.Rows = append(r.Rows, constructed(name, measure+"_"+className(c), v))
		}
	}
	return values
}

// span adds the least and the largest of the values of each method as rows, beside the source's.
func (r *Report) span(names []string, values [][]float64, measure string, least, most published) {
	for m, name := range names {
		if len(values[m]) == 0 {
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range values[m] {
			low, high = min(low, v), max(high, v)
		}
		for _, e := range []struct {
			name  string
			value float64
			paper published
		}{{"least", low, least}, {"most", high, most}} {
			row := constructed(name, measure+"_"+e.name, e.value)
			if p, ok := e.paper[name]; ok {
				row.Published = metric.Number(p)
			}
			r.Rows = append(r.Rows, row)
		}
	}
}

// micros is the mean time of a path in microseconds.
func (t *tally) micros() float64 { return float64(t.best.Nanoseconds()) / 1000 / float64(t.paths) }
