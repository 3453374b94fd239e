package lattice

import (
	"math/rand/v2"
	"testing"
)

func TestHull(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 5))
		points := make([]Point, 3+rng.IntN(20))
		for i := range points {
			points[i] = Point{X: rng.Int32N(9), Y: rng.Int32N(9)}
		}
		points[0], points[1], points[2] = Point{X: 0, Y: 9}, Point{X: 9, Y: 9}, Point{X: 4, Y: 0}
		known := map[Point]bool{}
		for _, p := range points {
			known[p] = true
		}
		ring := Hull(points)
		for i, a := range ring {
			b, c := ring[(i+1)%len(ring)], ring[(i+2)%len(ring)]
			if !known[a] || Orient(a, b, c) <= 0 {
				t.Fatalf("seed %d: %v is no corner of %v", seed, b, ring)
			}
			for p := range known {
				if Orient(a, b, p) < 0 {
					t.Fatalf("seed %d: %v is outside of %v", seed, p, ring)
				}
			}
		}
	}
}

func TestHullOfFewPoints(t *testing.T) {
	for _, points := range [][]Point{nil, {{X: 1}}, {{X: 1}, {X: 1}, {X: 2}}} {
		if got := Hull(points); got != nil {
			t.Errorf("the hull of %v is %v", points, got)
		}
	}
}

func TestHullOfPointsOnALine(t *testing.T) {
	got := Hull([]Point{{X: 2, Y: 4}, {X: 0, Y: 0}, {X: 1, Y: 2}})
	if len(got) != 2 || got[0] != (Point{}) || got[1] != (Point{X: 2, Y: 4}) {
		t.Errorf("got %v, want the two ends", got)
	}
}
