package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// TestEnds compares the map with one of the language, through growth and several rounds.
func TestEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var m ends
	var s places
	for round := range 20 {
		m.clear()
		s.clear()
		want, points := map[[2]lattice.Point]int32{}, map[lattice.Point]bool{}
		point := func() lattice.Point { return lattice.Point{X: rng.Int32N(40) - 20, Y: rng.Int32N(40) - 20} }
		for i := range int32(100 * (1 + round)) {
			a, b := point(), point()
			got, ok := m.of(a, b)
			value, known := want[[2]lattice.Point{a, b}]
			if ok != known || ok && got != value {
				t.Fatalf("round %d: %v to %v is %d %t, want %d %t", round, a, b, got, ok, value, known)
			}
			if s.has(a) != points[a] {
				t.Fatalf("round %d: the set has %v: %t", round, a, s.has(a))
			}
			m.set(a, b, i)
			s.add(b)
			want[[2]lattice.Point{a, b}], points[b] = i, true
		}
	}
}

// TestMatch compares the meetings of the sides of cells with those of planar.Match: cells of a grid, some sides in two halves.
func TestMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	type meeting struct {
		i, j int
		a, b lattice.Point
	}
	found, halves := 0, 0
	var w work
	for range 200 {
		w.plan = w.plan[:0]
		add := func(a, b lattice.Point) {
			if rng.IntN(3) == 0 {
				middle := lattice.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
				w.plan = append(w.plan, planar.Side{A: a, B: middle}, planar.Side{A: middle, B: b})
				halves++
				return
			}
			w.plan = append(w.plan, planar.Side{A: a, B: b})
		}
		for x := range int32(4) {
			for y := range int32(3) {
				c := [4]lattice.Point{{X: 10 * x, Y: 10 * y}, {X: 10*x + 10, Y: 10 * y}, {X: 10*x + 10, Y: 10*y + 10}, {X: 10 * x, Y: 10*y + 10}}
				for k := range c {
					add(c[k], c[(k+1)%4])
				}
			}
		}
		rng.Shuffle(len(w.plan), func(i, j int) { w.plan[i], w.plan[j] = w.plan[j], w.plan[i] })
		var got, want []meeting
		w.match(func(i, j int, a, b lattice.Point) { got = append(got, meeting{i, j, a, b}) })
		planar.Match(w.plan, func(i, j int, a, b lattice.Point) { want = append(want, meeting{i, j, a, b}) }, nil)
		order := func(x, y meeting) int {
			if c := x.i - y.i; c != 0 {
				return c
			}
			return x.a.Compare(y.a)
		}
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Fatalf("%d meetings %v, want %d %v", len(got), got, len(want), want)
		}
		found += len(got)
	}
	if found < 2000 || halves < 1000 {
		t.Errorf("%d meetings and %d sides in halves are too few", found, halves)
	}
}
