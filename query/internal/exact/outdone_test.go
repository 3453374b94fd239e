package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// TestOutdoneViews compares outdone views with ways to many places on the portal.
func TestOutdoneViews(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	p := index.Portal{Right: lattice.Point{X: 1000, Y: 0}, Left: lattice.Point{X: 1000, Y: 4000}, LeftTurn: 0, RightTurn: 1}
	var s Tree
	count := [2]int{}
	ix, err := index.New(t.Context(), &navmesh.Mesh{Tiles: []navmesh.Tile{{
		Generation: 1, Vertices: []lattice.Vertex{{}, {Point: lattice.Point{X: 9}}, {Point: lattice.Point{Y: 9}}},
		Corners: []uint32{0, 1, 2}, Regions: []navmesh.Region{{Count: 3}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	ix.Turns = 2
	for range 20000 {
		s.reset(ix, index.Place{})
		r := root{At: lattice.Point{X: int32(rng.IntN(1000)), Y: int32(rng.IntN(8000) - 2000)}, g: 3000 * rng.Float64()}
		s.Roots = append(s.Roots[:0], r)
		// Views are bounded by the ends of the portal or by earlier points.
		low, high := rng.Float64(), rng.Float64()
		low, high = min(low, high), max(low, high)
		at := func(part float64) lattice.Point { return lattice.Point{X: 1000, Y: int32(4000 * part)} }
		toLeft, toRight := math.Inf(1), math.Inf(1)
		if rng.IntN(2) == 0 {
			high, toLeft = 1, r.g+index.Distance(r.At, p.Left)
		}
		if rng.IntN(2) == 0 {
			low, toRight = 0, r.g+index.Distance(r.At, p.Right)
		}
		v := view{Left: index.Towards(r.At, at(high)), Right: index.Towards(r.At, at(low))}
		if index.Cross(v.Right, v.Left) <= 0 {
			continue
		}
		for turn := range int32(2) {
			if rng.IntN(4) > 0 {
				s.visit(turn).g[rng.IntN(2)] = 5000 * rng.Float64()
			}
		}
		// The margin by which ways over one of the ends are shorter, for all places of the view.
		most := math.Inf(-1)
		for turn, end := range []lattice.Point{p.Left, p.Right} {
			least := math.Inf(1)
			for _, y := range []int32{at(low).Y, at(0.3*low + 0.7*high).Y, at((low + high) / 2).Y, at(high).Y} {
				on := lattice.Point{X: 1000, Y: y}
				least = min(least, r.g+index.Distance(r.At, on)-s.visit(int32(turn)).least()-index.Distance(end, on))
			}
			most = max(most, least)
		}
		got := s.outdone(&v, &p, toLeft, toRight)
		if got && most < 0 || !got && most > 2*outdoneBy {
			t.Fatalf("root %v with %v, parts %v to %v, ends %v and %v: outdone is %v, by %v", r.At, r.g, low, high, s.wayTo(0), s.wayTo(1), got, most)
		}
		if got {
			count[1]++
		} else {
			count[0]++
		}
	}
	if min(count[0], count[1]) < 1000 {
		t.Errorf("outdone and not: %v", count)
	}
	if s.wayTo(index.NoTurn) != math.Inf(1) {
		t.Errorf("an end that is no corner has a way of %v", s.wayTo(index.NoTurn))
	}
}
