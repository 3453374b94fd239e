// Uneven times paths over ground of different costs, and checks the proved ratios.
//
//	go run ./lab/bench/uneven
//	go run ./lab/bench/uneven -worlds rts,urban -epsilon 0.01 -paths 400
//	go run ./lab/bench/uneven -prepared
//
// The program makes worlds of levelgen. Worlds with a file of rules have the ground and the costs of a method; on the others
// the program paints the regions by a pattern of costs. It asks for paths between random places, several times each, and
// prints a table in Markdown. It fails where the path of one ratio costs less than the proved bound of another ratio.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

func main() { bench.Main("uneven", run) }

// settings are the flags.
type settings struct {
	worlds   []string
	epsilons []float64
	rules    string
	method   string
	seed     uint64
	paths    int
	rounds   int
	profile  string
	prepared bool
}

// worlds are the worlds in the order of printing: a kind of levelgen, and behind a colon a pattern of costs. Worlds without a
// pattern have rules.
const worlds = "city:patches,city:check,rts,urban,terrain:swamps,rooms:roads,random:stripes,pillars:check,demo:steep"

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("uneven", log)
	list := f.String("worlds", worlds, "worlds: a kind, and a pattern of costs for kinds without rules")
	ratios := f.String("epsilon", "0.1,0.01", "maximum relative excess costs")
	f.StringVar(&s.rules, "rules", "examples/terrain", "folder of the rules")
	f.StringVar(&s.method, "method", "walk", "method, for worlds with rules")
	f.Uint64Var(&s.seed, "seed", 1, "of the worlds, patterns and places")
	f.IntVar(&s.paths, "paths", 200, "paths in each world")
	f.IntVar(&s.rounds, "rounds", 3, "repetitions of each path; the least time counts")
	f.BoolVar(&s.prepared, "prepared", false, "prepare the worlds")
	f.StringVar(&s.profile, "profile", "", "file for a profile of the timed work")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	s.worlds = strings.Split(*list, ",")
	for _, w := range s.worlds {
		if _, pattern, painted := strings.Cut(w, ":"); painted && patterns[pattern] == nil {
			return s, fmt.Errorf("no pattern is called %q", pattern)
		}
	}
	for word := range strings.SplitSeq(*ratios, ",") {
		e, err := strconv.ParseFloat(word, 64)
		if err != nil || !(e > 0) {
			return s, fmt.Errorf("an epsilon of %q must be above 0", word)
		}
		s.epsilons = append(s.epsilons, e)
	}
	if s.paths < 1 || s.rounds < 1 {
		return s, errors.New("paths and rounds must be at least 1")
	}
	return s, nil
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	if s.profile != "" {
		f, err := os.Create(s.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	fmt.Fprintln(out, "| world | regions | ε | paths | median µs | mean µs | 99 % µs | nodes | ratio, mean | ratio, most | open |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, name := range s.worlds {
		ix, err := s.index(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if s.prepared {
			begin := time.Now()
			if ix, err = ix.Prepare(ctx); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			p, _ := ix.Prepared()
			fmt.Fprintf(log, "%s: %d bounds, %d bytes, %.1f s\n", name, p.Bounds, p.Bytes, time.Since(begin).Seconds())
		}
		if err := s.measure(ctx, name, ix, out); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// index makes a world and an Index with its costs.
func (s *settings) index(ctx context.Context, name string) (*query.Index, error) {
	kind, pattern, painted := strings.Cut(name, ":")
	l, err := levelgen.Generate(kind, levelgen.Options{Seed: s.seed})
	if err != nil {
		return nil, err
	}
	opt := meadow.FloorOptions{}
	if !painted {
		if opt.Terrain, err = meadow.OpenTerrain(filepath.Join(s.rules, kind+".yaml")); err != nil {
			return nil, err
		}
		if _, err := opt.Terrain.Apply(l); err != nil {
			return nil, err
		}
	}
	mesh, err := meadow.BuildWith(ctx, l, opt, meadow.MeshOptions{})
	if err != nil {
		return nil, err
	}
	if painted {
		costs := paint(mesh.Mesh, pattern, s.seed)
		return query.NewIndex(mesh.Mesh).With(query.Filter{AreaCosts: costs})
	}
	ix := mesh.Index()
	filter, err := ix.Method(s.method)
	if err != nil {
		return nil, err
	}
	return ix.With(filter)
}

// patterns give the number of the cost for a place in metres, see costs.
var patterns = map[string]func(x, y float64, rng *rand.Rand) uint8{
	"check":   func(x, y float64, _ *rand.Rand) uint8 { return uint8(int(x/8)+int(y/8)) % 2 * 2 },
	"stripes": func(x, _ float64, _ *rand.Rand) uint8 { return uint8(int(x/6)) % 4 },
	"roads": func(x, y float64, _ *rand.Rand) uint8 {
		if int(x)%12 < 3 || int(y)%12 < 3 {
			return 0
		}
		return 2
	},
	"swamps":  func(x, y float64, _ *rand.Rand) uint8 { return [4]uint8{0, 0, 1, 4}[(int(x/16)*7+int(y/16)*13)%4] },
	"patches": func(_, _ float64, rng *rand.Rand) uint8 { return uint8(rng.IntN(4)) },
	"steep":   func(_, _ float64, rng *rand.Rand) uint8 { return []uint8{0, 1, 5}[rng.IntN(3)] },
}

// costs are the costs of a metre of the painted areas.
var costs = []float64{1, 1.2, 2, 4, 10, 1e6}

// shift moves all worlds to positive coordinates, in metres.
const shift = 1.0 * (1 << 20)

// paint gives the regions of a mesh the areas of a pattern, and returns their costs.
func paint(m *navmesh.Mesh, pattern string, seed uint64) map[uint8]float64 {
	rng := rand.New(rand.NewPCG(seed, 0x75))
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for r := range t.Regions {
			x, y := shift, shift
			corners := t.RegionCorners(r)
			for _, c := range corners {
				p := m.Frame.ToWorld(t.Vertices[c].Point, 0)
				x, y = x+p.X/float64(len(corners)), y-p.Z/float64(len(corners))
			}
			t.Regions[r].Area = patterns[pattern](x, y, rng)
		}
	}
	list := map[uint8]float64{}
	for i, c := range costs {
		list[uint8(i)] = c
	}
	return list
}

// measure asks for paths in a world and prints a row for each ratio.
func (s *settings) measure(ctx context.Context, name string, ix *query.Index, out io.Writer) error {
	q := ix.NewQuery()
	rng := rand.New(rand.NewPCG(s.seed, 0x706169))
	var pairs [][2]query.Position
	for k := 0; k < 50*s.paths && len(pairs) < s.paths; k++ {
		a, ok := q.RandomPoint(rng)
		b, ok2 := q.RandomPoint(rng)
		if !ok || !ok2 {
			return errors.New("the mesh has no floor")
		}
		if p, err := q.AStarPath(ctx, a.Point, b.Point); err == nil && p.Complete {
			pairs = append(pairs, [2]query.Position{a, b})
		}
	}
	bound := make([]float64, len(pairs))
	cost := make([]float64, len(pairs))
	for i, epsilon := range s.epsilons {
		q.Epsilon = epsilon
		var times []time.Duration
		nodes, open := 0, 0
		sum, most, all := 0.0, 0.0, time.Duration(0)
		for k, p := range pairs {
			least := time.Duration(0)
			var path query.Path
			for r := range s.rounds {
				begin := time.Now()
				var err error
				if path, err = q.PathBetween(ctx, p[0], p[1]); err != nil {
					return err
				}
				if took := time.Since(begin); r == 0 || took < least {
					least = took
				}
			}
			times = append(times, least)
			all += least
			nodes += path.Expanded
			sum, most = sum+path.Ratio(), max(most, path.Ratio())
			if path.Ratio() > 1+epsilon+1e-9 {
				open++
			}
			if i == 0 || path.Cost < cost[k] {
				cost[k] = path.Cost
			}
			bound[k] = max(bound[k], path.LowerBound)
			if bound[k] > cost[k]*(1+1e-9) {
				return fmt.Errorf("%v to %v: a path costs %v, the proved bound is %v", p[0].Point, p[1].Point, cost[k], bound[k])
			}
		}
		slices.Sort(times)
		n := len(times)
		micro := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
		fmt.Fprintf(out, "| %s | %d | %g | %d | %.1f | %.1f | %.1f | %d | %.5f | %.5f | %d |\n", name, ix.Mesh().RegionCount(), epsilon, n,
			micro(times[n/2]), micro(all)/float64(n), micro(times[n*99/100]), nodes/n, sum/float64(n), most, open)
	}
	return nil
}
