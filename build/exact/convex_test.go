package exact

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Triangles of grids, with corners moved in some and triangles left out: fewer convex rings cover exactly the same places.
func TestJoinedConvex(t *testing.T) {
	before, after := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		const most = 8
		wide := 4
		if seed%8 > 5 {
			wide = most // more rings than are compared in pairs
		}
		var at [most + 1][most + 1]lattice.Point
		for x := range wide + 1 {
			for y := range wide + 1 {
				at[x][y] = lattice.Point{X: int32(20 * x), Y: int32(20 * y)}
				if seed%2 == 1 {
					at[x][y].X += rng.Int32N(9) - 4
					at[x][y].Y += rng.Int32N(9) - 4
				}
			}
		}
		var rings []lattice.Ring
		for x := range wide {
			for y := range wide {
				c := [4]lattice.Point{at[x][y], at[x+1][y], at[x+1][y+1], at[x][y+1]}
				k := rng.IntN(4)
				for _, r := range []lattice.Ring{{c[k], c[(k+1)%4], c[(k+2)%4]}, {c[(k+2)%4], c[(k+3)%4], c[k]}} {
					if rng.IntN(8) > 0 {
						rings = append(rings, r)
					}
				}
			}
		}
		rng.Shuffle(len(rings), func(i, j int) { rings[i], rings[j] = rings[j], rings[i] })
		want, err := overlay.Union(rings)
		if err != nil {
			t.Fatal(err)
		}
		before += len(rings)
		joined := joinedConvex(slices.Clone(rings))
		after += len(joined)
		got, err := overlay.Union(joined)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d:\n%s", seed, diff)
		}
		for _, r := range joined {
			for i := range r {
				if lattice.Orient(r[i], r[(i+1)%len(r)], r[(i+2)%len(r)]) <= 0 {
					t.Errorf("seed %d: %v does not turn left everywhere", seed, r)
				}
			}
		}
	}
	if after > before/2 {
		t.Errorf("%d rings of %d", after, before)
	}
}

// TestEdgeTable compares the table of edges with a map, also where the table is as full as it may be.
func TestEdgeTable(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 64, 1000} {
		rng := rand.New(rand.NewPCG(uint64(n), 8))
		point := func() lattice.Point { return lattice.Point{X: rng.Int32N(9) - 4, Y: rng.Int32N(9) - 4} }
		type edge struct{ from, to lattice.Point }
		want := map[edge]int32{}
		table := newEdgeTable(n)
		for range 20 * (n + 1) {
			e := edge{point(), point()}
			if got := *table.at(e.from, e.to); got != want[e] {
				t.Fatalf("%d edges: ring %d on the left of %v, want %d", n, got, e, want[e])
			}
			if _, known := want[e]; known || len(want) < n {
				want[e] = 1 + rng.Int32N(99)
				*table.at(e.from, e.to) = want[e]
			}
		}
		if len(want) != n && n < 1000 {
			t.Errorf("%d edges of %d", len(want), n)
		}
	}
}
