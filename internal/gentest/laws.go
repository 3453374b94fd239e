package gentest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/slow"
)

// World is a kind of random domain, and how many of them are enough.
type World struct {
	Name  string
	Count int
	New   func(rng *rand.Rand) *plan.Domain
}

// Worlds are the random domains that the laws of all generators are tested on.
var Worlds = []World{
	{"tiny", 800, func(rng *rand.Rand) *plan.Domain { return Tiny(rng, 12, 6, false) }},
	{"tiny and touching", 800, func(rng *rand.Rand) *plan.Domain { return Tiny(rng, 12, 12, true) }},
	{"smaller still", 600, func(rng *rand.Rand) *plan.Domain { return Tiny(rng, 6, 6, true) }},
	{"crowded", 150, func(rng *rand.Rand) *plan.Domain { return Tiny(rng, 40, 60, true) }},
	{"the whole frame", 150, func(rng *rand.Rand) *plan.Domain {
		return Map(Tiny(rng, 12, 10, rng.IntN(2) == 0), func(p lattice.Point) lattice.Point {
			const scale = lattice.MaxCoord / 6
			return lattice.Point{X: (p.X - 6) * scale, Y: (p.Y - 6) * scale}
		})
	}},
	{"the whole frame, shaken", 200, func(rng *rand.Rand) *plan.Domain {
		return Map(Tiny(rng, 12, 10, false), func(p lattice.Point) lattice.Point {
			const scale = (lattice.MaxCoord - 5000) / 6
			return lattice.Point{X: (p.X-6)*scale + rng.Int32N(5000), Y: (p.Y-6)*scale + rng.Int32N(5000)}
		})
	}},
	{"corner of the frame", 100, func(rng *rand.Rand) *plan.Domain {
		return Map(Tiny(rng, 30, 30, true), func(p lattice.Point) lattice.Point {
			return lattice.Point{X: p.X + lattice.MaxCoord - 30, Y: p.Y - lattice.MaxCoord}
		})
	}},
	{"nearly on the axes", 200, func(rng *rand.Rand) *plan.Domain {
		return Map(Tiny(rng, 12, 8, false), func(p lattice.Point) lattice.Point {
			return lattice.Point{X: p.X*100 + rng.Int32N(3), Y: p.Y*100 + rng.Int32N(3)}
		})
	}},
	{"mixed obstacles", 30, func(rng *rand.Rand) *plan.Domain { return Scatter(rng, 4, 100, Mixed) }},
	{"mixed obstacles, fine", 15, func(rng *rand.Rand) *plan.Domain { return Scatter(rng, 5, 20000, Mixed) }},
	{"needles", 30, func(rng *rand.Rand) *plan.Domain { return Scatter(rng, 4, 2000, Needles) }},
	{"circles", 10, func(rng *rand.Rand) *plan.Domain { return Scatter(rng, 4, 5000, Circles) }},
	{"blocks", 100, func(rng *rand.Rand) *plan.Domain {
		return Blocks(rng, 8, 1+rng.Int32N(10), 0.4, rng.IntN(2) == 0)
	}},
	{"large blocks", 2, func(rng *rand.Rand) *plan.Domain { return Blocks(rng, 30, 7, 0.38, true) }},
	{"spirals", 4, func(rng *rand.Rand) *plan.Domain { return Spiral(1+rng.IntN(8), 1+rng.Int32N(20)) }},
	{"combs", 4, func(rng *rand.Rand) *plan.Domain { return Comb(1+rng.IntN(20), 6+rng.Int32N(40), 1+rng.Int32N(500)) }},
	{"stars", 4, func(rng *rand.Rand) *plan.Domain { return Star(3+rng.IntN(40), 1000) }},
}

// EachWorld calls f with all random domains, a quarter of whose edges are chains: with a quarter of
// the domains in the quick form, with a tenth in short mode. rng is f's own to draw from.
func EachWorld(t *testing.T, f func(t *testing.T, rng *rand.Rand, d *plan.Domain)) {
	t.Helper()
	for k, w := range Worlds {
		t.Run(w.Name, func(t *testing.T) {
			count := slow.Count((w.Count+3)/4, w.Count)
			if testing.Short() {
				count = max(1, count/10)
			}
			for seed := range uint64(count) {
				rng := rand.New(rand.NewPCG(seed, uint64(k)))
				d := w.New(rng)
				for _, edges := range d.Edges {
					for i := range edges {
						if rng.IntN(4) == 0 {
							edges[i] = plan.ChainID(i)
						}
					}
				}
				f(t, rng, d)
				if t.Failed() {
					t.Fatalf("with seed %d:\n%v", seed, d.Rings)
				}
			}
		})
	}
}

// Laws tests g on all random worlds. The result passes check ([Check] for a complete generator, [CheckInside]
// otherwise), the same domain gives the same result, and a moved domain the moved result; a faulty domain is
// refused with a message that starts with the package's name, and a cancelled context is obeyed. Laws returns
// the sums of all counts.
func Laws(t *testing.T, name string, g gen.Generator, check func(*plan.Domain, gen.Result) error) map[string]int {
	t.Helper()
	sum := map[string]int{}
	EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		res, err := g.Decompose(t.Context(), gen.Input{Domain: d})
		if err == nil {
			err = check(d, res)
		}
		if err != nil {
			t.Error(err)
			return
		}
		for k, n := range res.Report.Counts {
			sum[k] += n
		}
		if rng.IntN(4) > 0 {
			return
		}
		box := d.Box()
		by := lattice.Point{
			X: rng.Int32N(lattice.MaxCoord-box.Max.X+1) - rng.Int32N(lattice.MaxCoord+box.Min.X+1),
			Y: rng.Int32N(lattice.MaxCoord-box.Max.Y+1) - rng.Int32N(lattice.MaxCoord+box.Min.Y+1),
		}
		move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + by.X, Y: p.Y + by.Y} }
		got, err := g.Decompose(t.Context(), gen.Input{Domain: Map(d, move)})
		for _, c := range res.Cells {
			for i := range c.Corners {
				c.Corners[i].Point = move(c.Corners[i].Point)
			}
		}
		if err != nil || !reflect.DeepEqual(res, got) {
			t.Errorf("moved by %v it is decomposed in another way, %v", by, err)
		}
	})
	t.Run("faults", func(t *testing.T) { refuses(t, name, g) })
	return sum
}

func refuses(t *testing.T, name string, g gen.Generator) {
	for fault, d := range map[string]*plan.Domain{
		"no rings":       Domain(),
		"two points":     Domain(Ring(0, 0, 1, 1)),
		"clockwise":      Domain(Ring(0, 0, 0, 10, 10, 10, 10, 0)),
		"crosses itself": Domain(Ring(0, 0, 10, 10, 10, 0, 0, 10)),
		"hole outside":   Domain(Ring(0, 0, 10, 0, 10, 10), Ring(20, 0, 20, 10, 30, 10)),
		"no frame":       Domain(Ring(0, 0, lattice.MaxCoord+1, 0, 0, 1)),
	} {
		if _, err := g.Decompose(t.Context(), gen.Input{Domain: d}); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: error %v", fault, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Decompose(ctx, gen.Input{Domain: Spiral(3, 10)}); err != context.Canceled {
		t.Errorf("cancelled: error %v", err)
	}
}

// Benchmark measures g on d and verifies that the areas agree.
func Benchmark(b *testing.B, g gen.Generator, d *plan.Domain) {
	b.Helper()
	var res gen.Result
	var err error
	b.ReportAllocs()
	for b.Loop() {
		if res, err = g.Decompose(context.Background(), gen.Input{Domain: d}); err != nil {
			b.Fatal(err)
		}
	}
	if got, want := cellArea2(res.Cells).Int64()+res.Report.Lost, d.Area2(); got != want {
		b.Fatal(fmt.Errorf("twice the area is %d, want %d", got, want))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(d.Len()), "ns/vertex")
	b.ReportMetric(float64(len(res.Cells)), "cells")
	b.ReportMetric(float64(res.Report.Lost)/float64(d.Area2())*1e6, "ppm-lost")
}
