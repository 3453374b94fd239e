package collision_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/collision"
	"github.com/meadow-nav/meadow/navmesh"
)

// scene draws discs over a square, some on the lines that divide the square.
func scene(rng *rand.Rand, n int, side int32) []collision.Disc {
	discs := make([]collision.Disc, n)
	for i := range discs {
		at := func() int32 {
			if rng.IntN(4) == 0 {
				return side / 8 * rng.Int32N(9)
			}
			return rng.Int32N(side)
		}
		discs[i] = collision.Disc{At: lattice.Point{X: at(), Y: at()}, Radius: rng.Int32N(side / 16)}
	}
	return discs
}

func order(a, b collision.Pair) int {
	if a.A != b.A {
		return int(a.A - b.A)
	}
	return int(a.B - b.B)
}

func TestRivalsAgainstAllPairs(t *testing.T) {
	const side = 1 << 16
	over := lattice.Box{Max: lattice.Point{X: side, Y: side}}
	rng := rand.New(rand.NewPCG(1, 4))
	tree, hash, grid := &collision.Tree{Depth: 5}, &collision.Hash{Over: over, Columns: 6, Rows: 5}, &collision.Grid{}
	total := 0
	for _, n := range []int{0, 1, 2, 30, 200, 200, 600} {
		discs := scene(rng, n, side)
		want, tests := collision.AllPairs{}.Pairs(nil, discs)
		if tests != n*(n-1)/2 {
			t.Errorf("%d tests of %d discs", tests, n)
		}
		total += len(want)
		for _, f := range []collision.Finder{tree, hash, grid} {
			got, tests := f.Pairs(nil, discs)
			slices.SortFunc(got, order)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d pairs of %d discs, want %d", f.Name(), len(got), n, len(want))
			}
			if tests < len(want) || n == 600 && tests > n*(n-1)/3 {
				t.Errorf("%s: %d tests of %d discs with %d pairs", f.Name(), tests, n, len(want))
			}
		}
	}
	if total < 500 {
		t.Errorf("only %d pairs", total)
	}
}

// row is a mesh of squares in a row, from west to east.
func row(n int32, side int32) *navmesh.Mesh {
	t := navmesh.Tile{Generation: 1}
	for x := range n + 1 {
		t.Vertices = append(t.Vertices, lattice.Vertex{Point: lattice.Point{X: x * side}}, lattice.Vertex{Point: lattice.Point{X: x * side, Y: side}})
	}
	for x := range uint32(n) {
		r := navmesh.Region{First: 4 * x, Count: 4, FirstPortal: uint32(len(t.Portals))}
		t.Corners = append(t.Corners, 2*x, 2*x+2, 2*x+3, 2*x+1)
		if x+1 < uint32(n) {
			t.Portals = append(t.Portals, navmesh.Portal{To: x + 1, Edge: 1})
		}
		if x > 0 {
			t.Portals = append(t.Portals, navmesh.Portal{To: x - 1, Edge: 3})
		}
		r.PortalCount = uint32(len(t.Portals)) - r.FirstPortal
		t.Regions = append(t.Regions, r)
	}
	return &navmesh.Mesh{Tiles: []navmesh.Tile{t}}
}

// TestPublishedMesh: pairs in the same region or in neighbours are found, and wide discs are missed, as the source has it.
func TestPublishedMesh(t *testing.T) {
	const side = 1 << 14
	rng := rand.New(rand.NewPCG(2, 4))
	s := collision.NewMesh(row(6, side))
	found, missed := 0, 0
	for range 20 {
		discs := make([]collision.Disc, 100)
		for i := range discs {
			discs[i] = collision.Disc{At: lattice.Point{X: rng.Int32N(6 * side), Y: rng.Int32N(side)}, Radius: rng.Int32N(side)}
		}
		got, _ := s.Pairs(nil, discs)
		slices.SortFunc(got, order)
		all, _ := collision.AllPairs{}.Pairs(nil, discs)
		var want []collision.Pair
		for _, p := range all {
			if d := discs[p.A].At.X/side - discs[p.B].At.X/side; d >= -1 && d <= 1 {
				want = append(want, p)
			}
		}
		if s.Lost != 0 || !slices.Equal(got, want) {
			t.Fatalf("%d pairs, want %d; %d lost", len(got), len(want), s.Lost)
		}
		found, missed = found+len(got), missed+len(all)-len(got)
	}
	if found < 100 || missed < 100 {
		t.Errorf("%d found, %d missed", found, missed)
	}
	s.Place([]collision.Disc{{At: lattice.Point{X: -1}}, {At: lattice.Point{X: 1, Y: 1}}})
	if s.Free(0) || !s.Free(1) || s.Lost != 1 {
		t.Errorf("free: %v, %v, %d lost", s.Free(0), s.Free(1), s.Lost)
	}
}

func TestStaticAgainstAllBoxes(t *testing.T) {
	const side = 1 << 16
	over := lattice.Box{Max: lattice.Point{X: side, Y: side}}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		var boxes []lattice.Box
		for range 60 {
			p := lattice.Point{X: rng.Int32N(side), Y: rng.Int32N(side)}
			boxes = append(boxes, lattice.Box{Min: p, Max: lattice.Point{X: p.X + rng.Int32N(side/16), Y: p.Y + rng.Int32N(side/16)}})
		}
		discs := scene(rng, 500, side)
		want, got := make([]bool, len(discs)), make([]bool, len(discs))
		most := collision.AllBoxes{Boxes: boxes}.Hits(want, discs)
		hits := 0
		for _, h := range want {
			if h {
				hits++
			}
		}
		if hits < 100 || hits > 400 {
			t.Errorf("%d hits", hits)
		}
		tree := collision.NewBoxTree(boxes, 5)
		if n := tree.Leaves(); n < 20 || n > 32 {
			t.Errorf("%d leaves", n)
		}
		for _, s := range []collision.Static{tree, collision.NewBoxGrid("spatial-hash", boxes, over, 6, 5), collision.NewBoxGrid("grid", boxes, over, 40, 40)} {
			if tests := s.Hits(got, discs); !slices.Equal(got, want) || tests >= most {
				t.Errorf("%s: %d tests, all boxes take %d; equal answers: %v", s.Name(), tests, most, slices.Equal(got, want))
			}
		}
	}
}
