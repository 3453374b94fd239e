// Hierarchy asks for paths on meshes of up to a million regions: on the graph of portals by A* and by a contraction
// hierarchy, pulled tight inside the corridor that the hierarchy found, and exactly.
//
//	go run ./lab/bench/hierarchy -worlds rooms,scatter -vertices 100000 > hierarchy.md
//
// A node of the graph is a portal, at its middle; an edge joins two portals of a region at their distance. The worlds are
// rooms behind walls with blocked cells strewn over them, and obstacles of all kinds beside each other on open ground.
// The program prints a table in Markdown.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/internal/bench"
)

func main() { bench.Main("hierarchy", run) }

// settings are the flags.
type settings struct {
	worlds   []string
	vertices int
	method   string
	queries  int
	slow     int // queries of the methods that are slow

	landmarks int
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	var names string
	f := bench.NewFlags("hierarchy", log)
	f.StringVar(&names, "worlds", "rooms,scatter", "kinds of worlds")
	f.IntVar(&s.vertices, "vertices", 100_000, "vertices of a world, about")
	f.StringVar(&s.method, "generator", "wavefront", "generator of the regions")
	f.IntVar(&s.queries, "queries", 2000, "queries of the hierarchy")
	f.IntVar(&s.slow, "slow", 200, "of these, queries of A* and of exact paths")
	f.IntVar(&s.landmarks, "landmarks", 8, "landmarks for A*")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	s.worlds = strings.Split(names, ",")
	for _, name := range s.worlds {
		if worlds[name] == nil {
			return s, fmt.Errorf("unknown worlds %q", name)
		}
	}
	if !slices.Contains(catalog.Names(), s.method) {
		return s, fmt.Errorf("unknown generator %q", s.method)
	}
	if s.vertices < 100 || s.queries < 1 || s.slow < 1 || s.slow > s.queries {
		return s, errors.New("want at least 100 vertices, a query, and no more slow queries than queries")
	}
	return s, nil
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	var columns []column
	for _, name := range s.worlds {
		c, err := measure(ctx, s, name, log)
		if err != nil {
			return err
		}
		columns = append(columns, c)
	}
	return table(out, columns)
}

// column is the result on a world.
type column struct {
	world                     string
	regions, portals, edges   int
	prepared, marked          time.Duration
	graph, hierarchy, scratch int // bytes
	marks                     int
	astar, helped             []time.Duration
	climb, tight, exact       []time.Duration
	onGraph, pulled           []float64 // lengths over those of the exact paths
	expanded, flooded, led    int       // nodes of all queries
}

// table prints the columns.
func table(out io.Writer, columns []column) error {
	var b strings.Builder
	line := func(name string, of func(*column) string) {
		b.WriteString("| " + name + " |")
		for i := range columns {
			b.WriteString(" " + of(&columns[i]) + " |")
		}
		b.WriteString("\n")
	}
	line("", func(c *column) string { return c.world })
	b.WriteString("|---|" + strings.Repeat("---|", len(columns)) + "\n")
	number := func(f func(*column) int) func(*column) string {
		return func(c *column) string { return fmt.Sprint(f(c)) }
	}
	per := func(f func(*column) int) func(*column) string {
		return func(c *column) string { return fmt.Sprint(int(math.Round(float64(f(c)) / float64(c.regions)))) }
	}
	micros := func(f func(*column) []time.Duration) func(*column) string {
		return func(c *column) string {
			d := f(c)
			return fmt.Sprintf("%d / %d / %d", at(d, 0.5).Microseconds(), mean(d).Microseconds(), at(d, 0.99).Microseconds())
		}
	}
	ratio := func(f func(*column) []float64) func(*column) string {
		return func(c *column) string {
			r := f(c)
			return fmt.Sprintf("%.4f / %.4f / %.4f", at(r, 0.5), mean(r), at(r, 1))
		}
	}
	line("regions", number(func(c *column) int { return c.regions }))
	line("nodes of the graph", number(func(c *column) int { return c.portals }))
	line("edges", number(func(c *column) int { return c.edges }))
	line("preparation, s: hierarchy / landmarks", func(c *column) string {
		return fmt.Sprintf("%.1f / %.1f", c.prepared.Seconds(), c.marked.Seconds())
	})
	line("graph, bytes per region", per(func(c *column) int { return c.graph }))
	line("hierarchy, bytes per region", per(func(c *column) int { return c.hierarchy }))
	line("searcher, bytes per region", per(func(c *column) int { return c.scratch }))
	line("landmarks, bytes per region", per(func(c *column) int { return c.marks }))
	line("hierarchy, µs: median / mean / 99 %", micros(func(c *column) []time.Duration { return c.climb }))
	line("and pulled tight, µs", micros(func(c *column) []time.Duration { return c.tight }))
	line("A* on the graph, µs", micros(func(c *column) []time.Duration { return c.astar }))
	line("A* with landmarks, µs", micros(func(c *column) []time.Duration { return c.helped }))
	line("exact path, µs", micros(func(c *column) []time.Duration { return c.exact }))
	line("nodes expanded: A* / with landmarks / hierarchy", func(c *column) string {
		slow, all := max(len(c.astar), 1), max(len(c.climb), 1)
		return fmt.Sprintf("%d / %d / %d", c.flooded/slow, c.led/slow, c.expanded/all)
	})
	line("length on the graph over exact: median / mean / largest", ratio(func(c *column) []float64 { return c.onGraph }))
	line("pulled tight over exact", ratio(func(c *column) []float64 { return c.pulled }))
	_, err := io.WriteString(out, b.String())
	return err
}

// at returns the value that a share of all is no larger than. The values are sorted.
func at[T time.Duration | float64](values []T, share float64) T {
	if len(values) == 0 {
		return 0
	}
	return values[min(int(share*float64(len(values))), len(values)-1)]
}

func mean[T time.Duration | float64](values []T) T {
	var sum T
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 {
		return 0
	}
	return sum / T(len(values))
}
