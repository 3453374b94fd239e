package experiment

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/metric"
)

// statistics are the means over worlds that the sources' worlds are known by.
type statistics struct{ holes, corners, slanted, free float64 }

func statisticsOf(t *testing.T, worlds []World) statistics {
	t.Helper()
	var s statistics
	n := float64(len(worlds))
	for _, w := range worlds {
		if err := w.Domain.Validate(); err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
		s.free += metric.FreeOf(w.Plan()).Area / n
		s.holes += float64(len(w.Domain.Rings)-1) / n
		for _, ring := range w.Domain.Rings[1:] {
			s.corners += float64(len(ring)) / n
			for i, p := range ring {
				if q := ring[(i+1)%len(ring)]; p.X != q.X && p.Y != q.Y {
					s.slanted += 1 / n
				}
			}
		}
	}
	return s
}

// TestWorldStatistics compares the worlds with the known facts about the sources' worlds.
func TestWorldStatistics(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(int) ([]World, error)
		n     int
		want  statistics
		slack float64 // of free, as a share
	}{
		{"lakes", LakesWorlds, 10, statistics{11, 58, 30, 367}, 0.001},
		{"scatter", ScatterWorlds, 5, statistics{6, 24.4, 24.4, 795_000}, 0.001},
		{"planner", PlannerWorlds, 10, statistics{5, 19, 15, 795_000}, 0.001},
		// Drawn, not dealt: the rules have means of 11.5 and 57.5.
		{"arena", ArenaWorlds, 25, statistics{11.56, 58.04, 58.04, 3276.8}, 0.001},
	} {
		worlds, err := c.make(c.n)
		if err != nil {
			t.Fatal(err)
		}
		got := statisticsOf(t, worlds)
		const rounding = 1e-9
		if math.Abs(got.holes-c.want.holes) > rounding || math.Abs(got.corners-c.want.corners) > rounding ||
			math.Abs(got.slanted-c.want.slanted) > rounding || math.Abs(got.free-c.want.free) > c.slack*c.want.free {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestWorldsAreTheSameAgain: a seed gives the same world, another seed another one, and a longer campaign
// begins with the worlds of the shorter one.
func TestWorldsAreTheSameAgain(t *testing.T) {
	for _, make := range []func(int) ([]World, error){LakesWorlds, ScatterWorlds, PlannerWorlds, ArenaWorlds} {
		short, err := make(3)
		if err != nil {
			t.Fatal(err)
		}
		long, err := make(5)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range short {
			if !slices.EqualFunc(w.Domain.Rings, long[i].Domain.Rings, slices.Equal) {
				t.Errorf("%s is not the same again", w.Name)
			}
		}
		if slices.EqualFunc(short[0].Domain.Rings[1:], short[1].Domain.Rings[1:], slices.Equal) {
			t.Errorf("%s is %s", short[0].Name, short[1].Name)
		}
	}
}

// TestShapes draws every shape in every direction and checks its corners, its convexity and its area.
func TestShapes(t *testing.T) {
	corners := [shapes]int{4, 4, 6, 3, 4, 5, 6, 7, 8}
	for shape := range shapes {
		for _, turn := range []Turn{Straight, Along, Any} {
			for seed := range uint64(20) {
				d, err := Rules{Side: 10, Obstructed: 0.05, Obstacles: []Obstacle{{shape, turn, 1}}}.Make(seed)
				if err != nil {
					t.Fatal(err)
				}
				ring := d.Rings[1]
				if len(ring) != corners[shape] {
					t.Errorf("%v has %d corners", shape, len(ring))
				}
				if convex := convexHole(ring); convex == (shape == Ell) {
					t.Errorf("%v: convex %v", shape, convex)
				}
				if share := -float64(ring.Area2()) / float64(d.Rings[0].Area2()); math.Abs(share-0.05) > 1e-4 {
					t.Errorf("%v takes %g of the world", shape, share)
				}
			}
		}
	}
}

// TestGap: obstacles keep their distance from each other and from the border.
func TestGap(t *testing.T) {
	d, err := Rules{Side: 10, Obstructed: 0.3, Gap: 0.25, Obstacles: some(12, Quad, Any, 1)}.Make(1)
	if err != nil {
		t.Fatal(err)
	}
	const gap = lattice.UnitsPerMetre / 4
	for r, a := range d.Rings {
		for _, b := range d.Rings[:r] {
			for i := range a {
				for j := range b {
					if lattice.SegmentsDistance2(a[i], a[(i+1)%len(a)], b[j], b[(j+1)%len(b)]).CompareInt(gap*gap) < 0 {
						t.Fatalf("edges at %v and %v are nearer than the gap", a[i], b[j])
					}
				}
			}
		}
	}
}

// TestRulesThatCannotBe: rules without room or sense give an error.
func TestRulesThatCannotBe(t *testing.T) {
	full := Rules{Side: 10, Obstructed: 0.9, Gap: 1, Obstacles: some(5, Pillar, Any, 1)}
	if _, err := full.Make(1); !errors.Is(err, errNoRoom) {
		t.Errorf("a full world: %v", err)
	}
	for _, r := range []Rules{
		{},
		{Side: math.NaN()},
		{Side: 1e9},
		{Side: 10, Obstructed: 1},
		{Side: 10, Obstructed: math.NaN()},
		{Side: 10, Gap: -1},
		{Side: 10, Gap: 11},
		{Side: 10, Obstacles: []Obstacle{{shapes, Any, 1}}},
		{Side: 10, Obstacles: []Obstacle{{Box, Any + 1, 1}}},
		{Side: 10, Obstacles: []Obstacle{{Box, Any, 0}}},
		{Side: 10, Obstacles: []Obstacle{{Box, Any, math.NaN()}}},
		{Side: 10, Obstacles: []Obstacle{{Box, Any, math.Inf(1)}}},
	} {
		if _, err := r.Make(1); err == nil {
			t.Errorf("%+v: no error", r)
		}
	}
}
