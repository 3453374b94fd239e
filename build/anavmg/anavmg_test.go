package anavmg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func decompose(t testing.TB, g Generator, d *plan.Domain) gen.Result {
	t.Helper()
	res, err := g.Decompose(context.Background(), gen.Input{Domain: d})
	if err != nil {
		t.Fatalf("%v\n%v", err, d.Rings)
	}
	return res
}

// check decomposes d and judges the result.
func check(t testing.TB, d *plan.Domain) gen.Result {
	t.Helper()
	res := decompose(t, Generator{}, d)
	if err := gentest.Check(d, res); err != nil {
		t.Fatalf("%v\n%v", err, d.Rings)
	}
	return res
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100)
	cases := []struct {
		name   string
		domain *plan.Domain
		cells  int
		counts map[string]int // those worth a word
	}{
		{"triangle", gentest.Domain(gentest.Ring(0, 0, 10, 0, 0, 10)), 1, nil},
		{"square", gentest.Domain(square), 1, map[string]int{"notches": 0, "bound": 1}},
		{"collinear points on all edges", gentest.Domain(gentest.Ring(0, 0, 5, 0, 10, 0, 10, 5, 10, 10, 5, 10, 0, 10, 0, 5)), 1, nil},
		{"smallest triangle", gentest.Domain(gentest.Ring(0, 0, 1, 0, 0, 1)), 1, nil},
		{
			"L", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), 2,
			map[string]int{"notches": 1, "vertex-edge": 1, "constructed": 1},
		},
		{
			"notch facing a notch: one portal mends both",
			gentest.Domain(gentest.Ring(0, 0, 40, 0, 50, 30, 60, 0, 100, 0, 100, 100, 60, 100, 50, 70, 40, 100, 0, 100)), 2,
			map[string]int{"notches": 2, "vertex-vertex": 1, "portals": 1, "bound": 2},
		},
		{
			"square hole in a square", gentest.Domain(square, gentest.Ring(40, 40, 40, 60, 60, 60, 60, 40)), 4,
			map[string]int{"notches": 4, "portals": 4},
		},
		{
			"hole that touches the middle of a wall",
			gentest.Domain(square, gentest.Ring(50, 0, 30, 40, 70, 40)), -1,
			map[string]int{"vertices": 7},
		},
		{
			"hole that touches a corner",
			gentest.Domain(square, gentest.Ring(0, 0, 30, 60, 60, 30)), -1, nil,
		},
		{
			"holes that touch each other",
			gentest.Domain(square, gentest.Ring(50, 50, 30, 20, 20, 30), gentest.Ring(50, 50, 70, 80, 80, 70)), -1, nil,
		},
		{
			"ring that touches itself", // an hourglass whose waist has no width: two parts
			gentest.Domain(gentest.Ring(0, 0, 100, 0, 50, 50, 100, 100, 0, 100, 50, 50)), 2, nil,
		},
		{
			"outer ring and hole with the same four points cut the square in four",
			gentest.Domain(gentest.Ring(0, 0, 50, 0, 100, 0, 100, 50, 100, 100, 50, 100, 0, 100, 0, 50), gentest.Ring(50, 0, 0, 50, 50, 100, 100, 50)), 4,
			map[string]int{"notches": 0},
		},
		{"needle", gentest.Domain(gentest.Ring(0, 0, 100000, 1, 50000, 1)), 1, nil},
		{
			"needle hole", gentest.Domain(gentest.Ring(0, -100, 100000, -100, 100000, 100, 0, 100),
				gentest.Ring(10, 0, 90000, 1, 90000, 0)), -1, nil,
		},
		{"needles with a unit between them", gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 6, 0, 6),
			gentest.Ring(1, 1, 999, 2, 999, 1), gentest.Ring(1, 4, 1, 5, 999, 4)), -1, nil},
		{"spiral", gentest.Spiral(3, 10), 12, map[string]int{"notches": 11}},
		{"comb", gentest.Comb(5, 30, 100), 6, map[string]int{"notches": 5}},
		{"star", gentest.Star(7, 1000), -1, map[string]int{"notches": 7}},
		{"star of a thousand rays", gentest.Star(1000, 1e6), -1, map[string]int{"notches": 1000}},
		{
			"no room for a corner on the wall", // the notch is a unit from a slanted wall of no other lattice point
			gentest.Domain(gentest.Ring(0, 0, 3, 0, 5, 1, 5, 3, 2, 1, 0, 3)), -1, nil,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := check(t, c.domain)
			if c.cells >= 0 && len(res.Cells) != c.cells {
				t.Errorf("%d cells, want %d: %v", len(res.Cells), c.cells, res.Report.Counts)
			}
			for name, want := range c.counts {
				if got := res.Report.Counts[name]; got != want {
					t.Errorf("%s: %d, want %d", name, got, want)
				}
			}
			if got, bound := len(res.Cells), res.Report.Counts["bound"]; got < bound {
				t.Errorf("%d cells, and no decomposition has fewer than %d", got, bound)
			}
		})
	}
}

// worlds are the random domains that all laws are tested on.
var worlds = []struct {
	name  string
	count int
	world func(rng *rand.Rand) *plan.Domain
}{
	{"tiny", 2500, func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 12, 6, false) }},
	{"tiny and touching", 2500, func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 12, 12, true) }},
	{"smaller still", 1500, func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 6, 6, true) }},
	{"crowded", 500, func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 40, 60, true) }},
	{"the whole frame", 500, func(rng *rand.Rand) *plan.Domain {
		return gentest.Map(gentest.Tiny(rng, 12, 10, rng.IntN(2) == 0), func(p lattice.Point) lattice.Point {
			const scale = lattice.MaxCoord / 6
			return lattice.Point{X: (p.X - 6) * scale, Y: (p.Y - 6) * scale}
		})
	}},
	{"the whole frame, shaken", 500, func(rng *rand.Rand) *plan.Domain {
		return gentest.Map(gentest.Tiny(rng, 12, 10, false), func(p lattice.Point) lattice.Point {
			const scale = (lattice.MaxCoord - 5000) / 6
			return lattice.Point{X: (p.X-6)*scale + rng.Int32N(5000), Y: (p.Y-6)*scale + rng.Int32N(5000)}
		})
	}},
	{"corner of the frame", 300, func(rng *rand.Rand) *plan.Domain {
		return gentest.Map(gentest.Tiny(rng, 30, 30, true), func(p lattice.Point) lattice.Point {
			return lattice.Point{X: p.X + lattice.MaxCoord - 30, Y: p.Y - lattice.MaxCoord}
		})
	}},
	{"mixed obstacles", 60, func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 4, 100, gentest.Mixed) }},
	{"mixed obstacles, fine", 30, func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 5, 20000, gentest.Mixed) }},
	{"needles", 60, func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 4, 2000, gentest.Needles) }},
	{"circles", 30, func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 4, 5000, gentest.Circles) }},
	{"blocks", 300, func(rng *rand.Rand) *plan.Domain {
		return gentest.Blocks(rng, 8, 1+rng.Int32N(10), 0.4, rng.IntN(2) == 0)
	}},
	{"large blocks", 4, func(rng *rand.Rand) *plan.Domain { return gentest.Blocks(rng, 40, 7, 0.38, true) }},
	{"corpus", 80, func(rng *rand.Rand) *plan.Domain {
		return gentest.Domain(corpus.Polygon(rng.Uint64()%1e6, 150, rng.IntN(8)).Rings...)
	}},
}

// eachWorld calls f with all random domains, or with a tenth of them in short mode.
func eachWorld(t *testing.T, f func(t *testing.T, rng *rand.Rand, d *plan.Domain)) {
	for k, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			count := w.count
			if testing.Short() {
				count = max(1, count/10)
			}
			for seed := range uint64(count) {
				rng := rand.New(rand.NewPCG(seed, uint64(k)))
				f(t, rng, w.world(rng))
				if t.Failed() {
					t.Fatalf("with seed %d", seed)
				}
			}
		})
	}
}

func TestRandomWorlds(t *testing.T) {
	sum := map[string]int{}
	eachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		// Some edges are chains, on which corners have to lie exactly.
		for _, edges := range d.Edges {
			for i := range edges {
				if rng.IntN(4) == 0 {
					edges[i] = plan.ChainID(i)
				}
			}
		}
		for name, c := range check(t, d).Report.Counts {
			sum[name] += c
		}
	})
	for _, name := range []string{"vertex-vertex", "vertex-edge", "vertex-portal", "dispensable", "constructed", "crowded"} {
		if sum[name] == 0 {
			t.Errorf("no world had a case of %s", name)
		}
	}
	t.Logf("%.2f portals made per notch, %.2f kept, %.2f cells for each of the bound, %v",
		float64(sum["portals"]+sum["dispensable"])/float64(sum["notches"]), float64(sum["portals"])/float64(sum["notches"]),
		float64(sum["cells"])/float64(sum["bound"]), sum)
}

func TestNoTJunctions(t *testing.T) {
	eachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if d.Len() > 200 || rng.IntN(4) > 0 {
			return
		}
		type edge struct{ p, q lattice.Point }
		edges := map[edge]bool{}
		res := decompose(t, Generator{}, d)
		for _, c := range res.Cells {
			for i := range c.Corners {
				edges[edge{c.Corners[i].Point, c.Corners[(i+1)%len(c.Corners)].Point}] = true
			}
		}
		// Edges that meet no edge of the same ends must not meet a part of another cell's either.
		var single []edge
		for e := range edges {
			if !edges[edge{e.q, e.p}] {
				single = append(single, e)
			}
		}
		for i, e := range single {
			for _, f := range single[:i] {
				if lattice.SegmentContact(e.p, e.q, f.p, f.q) == lattice.Overlap {
					t.Errorf("the edge from %v to %v meets a part of that from %v to %v", e.p, e.q, f.p, f.q)
				}
			}
		}
	})
}

func TestTranslation(t *testing.T) {
	eachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(4) > 0 {
			return
		}
		box := d.Box()
		by := lattice.Point{
			X: rng.Int32N(lattice.MaxCoord-box.Max.X+1) - rng.Int32N(lattice.MaxCoord+box.Min.X+1),
			Y: rng.Int32N(lattice.MaxCoord-box.Max.Y+1) - rng.Int32N(lattice.MaxCoord+box.Min.Y+1),
		}
		move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + by.X, Y: p.Y + by.Y} }
		for _, g := range []Generator{{}, {Options{ConvexDistance: 0.01}}} {
			want := decompose(t, g, d)
			got := decompose(t, g, gentest.Map(d, move))
			for _, c := range want.Cells {
				for i := range c.Corners {
					c.Corners[i].Point = move(c.Corners[i].Point)
				}
			}
			if !reflect.DeepEqual(want, got) {
				t.Errorf("moved by %v:\n%s", by, cmp.Diff(want, got))
			}
		}
	})
}

func TestDeterminism(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(3, 4)), 12, 3000, gentest.Mixed)
	for _, g := range []Generator{{}, {Options{ConvexDistance: 0.05}}, {Options{0.05, true}}} {
		want := decompose(t, g, d)
		for range 3 {
			if got := decompose(t, g, d); !reflect.DeepEqual(want, got) {
				t.Errorf("%+v differs from itself:\n%s", g, cmp.Diff(want, got))
			}
		}
	}
}

// TestChainsAreCutExactly has an edge with no lattice point inside of it in the way of a notch: a corner may
// lie beside a wall, but not beside a chain.
func TestChainsAreCutExactly(t *testing.T) {
	// A floor that rises by 1 over 1001, and a spike that hangs down over its middle.
	d := gentest.Domain(gentest.Ring(0, 0, 1001, 1, 1001, 500, 600, 500, 500, 100, 400, 500, 0, 500))
	if res := check(t, d); res.Report.Counts["constructed"] != 1 || res.Report.Lost == 0 {
		t.Errorf("as a wall: %d corners constructed, %d lost", res.Report.Counts["constructed"], res.Report.Lost)
	}
	d.Edges[0][0] = 7
	res := check(t, d)
	if res.Report.Counts["constructed"] != 0 || res.Report.Lost != 0 || res.Report.Counts["crowded"] != 1 {
		t.Errorf("as a chain: %v, %d lost", res.Report.Counts, res.Report.Lost)
	}
	// The edge now has lattice points, and the nearest is taken.
	d.Rings[0][1] = lattice.Point{X: 1001, Y: 77}
	res = check(t, d)
	if res.Report.Counts["constructed"] != 1 || res.Report.Lost != 0 {
		t.Errorf("as a chain with points: %v, %d lost", res.Report.Counts, res.Report.Lost)
	}
}

func TestFaults(t *testing.T) {
	square := gentest.Ring(0, 0, 8192, 0, 8192, 8192, 0, 8192)
	cases := []struct {
		name   string
		domain *plan.Domain
		want   []string
	}{
		{"no rings", gentest.Domain(), []string{"no rings"}},
		{"two points", gentest.Domain(gentest.Ring(0, 0, 1, 1)), []string{"ring 0 has 2 points"}},
		{"clockwise", gentest.Domain(gentest.Ring(0, 0, 0, 8192, 8192, 8192, 8192, 0)), []string{"ring 0, edge 0 at (0.000, 0.000)", "clockwise"}},
		{"crosses itself", gentest.Domain(gentest.Ring(0, 0, 8192, 8192, 8192, 0, 0, 8192)), []string{"ring 0, edge 2 crosses ring 0, edge 0 at (1.000, 1.000)"}},
		{"rings cross", gentest.Domain(square, gentest.Ring(4096, 4096, 4096, 8000, 9000, 8000, 9000, 4096)), []string{"ring 1, edge 1 crosses ring 0, edge 1 at (2.000, 1.953)"}},
		{"hole outside", gentest.Domain(square, gentest.Ring(9000, 0, 9000, 10, 9010, 10)), []string{"ring 1, edge 0", "inside of it"}},
		{"hole counter-clockwise", gentest.Domain(square, gentest.Ring(100, 100, 200, 100, 200, 200)), []string{"ring 1, edge 0"}},
		{"nested holes", gentest.Domain(square, gentest.Ring(1000, 1000, 1000, 5000, 5000, 5000, 5000, 1000), gentest.Ring(2000, 2000, 2000, 3000, 3000, 3000, 3000, 2000)), []string{"ring 2, edge 0"}},
		{"repeated point", gentest.Domain(gentest.Ring(0, 0, 4096, 0, 4096, 0, 0, 4096)), []string{"ring 0, edge 1 has no length at (1.000, 0.000)"}},
		{"spike", gentest.Domain(gentest.Ring(0, 0, 4096, 0, 8192, 0, 4096, 0, 0, 4096)), []string{"ring 0, edge 2 overlaps ring 0, edge 1 at (2.000, 0.000)"}},
		{"overlap of walls of two rings", gentest.Domain(square, gentest.Ring(0, 0, 0, 4096, 4096, 4096)), []string{"ring 1, edge 0 overlaps ring 0, edge 3"}},
		{"outside of the frame", gentest.Domain(gentest.Ring(0, 0, lattice.MaxCoord+1, 0, 0, 1)), []string{"ring 0, point 1", "outside of the frame"}},
		{"edges missing", &plan.Domain{Polygon: lattice.Polygon{Rings: []lattice.Ring{square}}, Edges: [][]plan.ChainID{{plan.Wall}}}, []string{"ring 0", "edges and points differ"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Generator{}.Decompose(context.Background(), gen.Input{Domain: c.domain})
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range append(c.want, "anavmg: ") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
	t.Run("no edges given means walls", func(t *testing.T) {
		check(t, &plan.Domain{Polygon: lattice.Polygon{Rings: []lattice.Ring{square}}})
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := (Generator{}).Decompose(ctx, gen.Input{Domain: gentest.Spiral(3, 10)}); err != context.Canceled {
			t.Errorf("error %v", err)
		}
	})
}

func TestWatch(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 1)), 6, 3000, gentest.Mixed)
	r := gentest.Recorder{}
	res, err := Generator{}.Decompose(context.Background(), gen.Input{Domain: d, Watch: r})
	if err != nil {
		t.Fatal(err)
	}
	c := res.Report.Counts
	if len(r["portals"]) != c["portals"]+c["dispensable"] || len(r["kept"]) != c["portals"] || c["dispensable"] == 0 {
		t.Errorf("saw %d portals, %d kept; counts say %v", len(r["portals"]), len(r["kept"]), c)
	}
	for _, s := range r["kept"] {
		if !slices.Contains(r["portals"], s) {
			t.Errorf("the portal %v was never made", s)
		}
	}
}

func FuzzDecompose(f *testing.F) {
	f.Add([]byte{0, 0, 20, 0, 20, 20, 0, 20, 255, 255, 5, 5, 5, 9, 9, 5}, byte(0))
	f.Add([]byte{0, 0, 9, 0, 4, 4, 9, 9, 0, 9, 4, 4}, byte(3))
	f.Fuzz(func(t *testing.T, data []byte, chains byte) {
		// Pairs of bytes are points, a pair of 255 ends a ring. Most inputs are no valid domain: an error is a
		// right answer, and any result has to be right.
		rings := []lattice.Ring{{}}
		for i := 0; i+1 < len(data) && i < 200; i += 2 {
			if data[i] == 255 && data[i+1] == 255 {
				rings = append(rings, nil)
				continue
			}
			r := &rings[len(rings)-1]
			*r = append(*r, lattice.Point{X: int32(data[i]), Y: int32(data[i+1])})
		}
		d := gentest.Domain(rings...)
		for r := range d.Edges {
			for i := range d.Edges[r] {
				if chains != 0 && i%int(chains) == 0 {
					d.Edges[r][i] = 0
				}
			}
		}
		res, err := Generator{}.Decompose(context.Background(), gen.Input{Domain: d})
		if err != nil {
			if d.Validate() == nil {
				t.Fatalf("refused a valid domain: %v\n%v", err, rings)
			}
			return
		}
		if err := gentest.Check(d, res); err != nil {
			t.Fatalf("%v\n%v", err, rings)
		}
		relaxed, err := Generator{Options{ConvexDistance: float64(chains) / 4096}}.Decompose(context.Background(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		if err := gentest.CheckInside(d, relaxed); err != nil {
			t.Fatalf("relaxed: %v\n%v", err, rings)
		}
	})
}

func ExampleGenerator() {
	room := gentest.Domain(
		gentest.Ring(0, 0, 40960, 0, 40960, 40960, 0, 40960),
		gentest.Ring(16384, 16384, 16384, 24576, 24576, 24576, 24576, 16384),
	)
	res, err := Generator{}.Decompose(context.Background(), gen.Input{Domain: room})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(res.Cells), "cells,", res.Report.Counts["portals"], "portals")
	// Output: 4 cells, 4 portals
}

// TestThinCells: no thin cell is left where a merge with neighbours or another cut removes the cell.
func TestThinCells(t *testing.T) { gentest.ThinLaws(t, Generator{}, true) }
