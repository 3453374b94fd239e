package query

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
)

// within checks that a count of draws is within five standard deviations of its expected part. Seeds are fixed; the
// result is always the same.
func within(t *testing.T, what string, count, draws int, part float64) {
	t.Helper()
	want := part * float64(draws)
	if limit := 5*math.Sqrt(want*(1-part)) + 1; math.Abs(float64(count)-want) > limit {
		t.Errorf("%s: %d of %d draws, expected %.1f ± %.1f", what, count, draws, want, limit)
	}
}

// TestRandomPointIsUniform counts draws by region, and in quarters of cells: each count is proportional to its area.
func TestRandomPointIsUniform(t *testing.T) {
	const draws = 40000
	rng := rand.New(rand.NewPCG(45, 1))
	for _, s := range []style{cells, rectangles, triangles} {
		w := gridOf(t, rng, 4, 4, []bool{
			false, false, true, false,
			false, false, true, false,
			true, false, false, false,
			false, false, false, true,
		}, s, maps[0], lattice.Frame{})
		q := NewIndex(w.mesh).NewQuery()
		quarters := map[[2]int]int{}
		for range draws {
			pos, ok := q.RandomPoint(rng)
			if _, err := stand(q.ix, pos); !ok || err != nil {
				t.Fatal(pos, ok, err)
			}
			x, y := geom.Ground(pos.Point)
			// Places are lattice points; points on the border between two quarters do not count.
			if 2*x != math.Trunc(2*x) && 2*y != math.Trunc(2*y) {
				quarters[[2]int{int(2 * x), int(2 * y)}]++
			}
		}
		for y := range 8 {
			for x := range 8 {
				part := 0.25 / 12
				if w.at(x/2, y/2) {
					part = 0
				}
				within(t, fmt.Sprintf("style %d, quarter %d, %d", s, x, y), quarters[[2]int{x, y}], draws, part)
			}
		}
	}
	w := newSoup(t, rng, 6, 6, 0.2, lattice.Frame{})
	ix := NewIndex(w.mesh)
	q := ix.NewQuery()
	counts := make([]int, ix.geo.RegionLimit())
	for range draws {
		pos, _ := q.RandomPoint(rng)
		counts[refRegion(ix.geo, pos.Ref)]++
	}
	area := 0.0
	for i := range w.mesh.Tiles[0].Regions {
		area += regionArea(ix, uint32(i))
	}
	for i, n := range counts {
		within(t, fmt.Sprintf("region %d", i), n, draws, regionArea(ix, uint32(i))/area)
	}
}

// regionArea is the area of a region by the shoelace formula, in square units.
func regionArea(ix *Index, r uint32) float64 {
	ring := ix.geo.Ring(r)
	sum := 0.0
	for i := range ring {
		a, b := ring[i], ring[(i+1)%len(ring)]
		sum += float64(a.X)*float64(b.Y) - float64(b.X)*float64(a.Y)
	}
	return sum / 2
}

// TestRandomPointInCircle draws in discs over a level with a wall across: no point is farther than the radius or behind
// the wall. Halves, quarters and inner discs get their share, both for regions small beside the disc and for large
// regions.
func TestRandomPointInCircle(t *testing.T) {
	race.Skip(t)
	const draws = 20000
	rng := rand.New(rand.NewPCG(46, 1))
	fine := []patch{}
	for y := range 10 {
		for x := range 10 {
			fine = append(fine, slab(0, float64(x), float64(y), float64(x+1), float64(y+1), 0, 0))
		}
	}
	behind := slab(0, 10.1, 0, 20, 10, 0, 0) // a wall of 0.1 m before it
	levels := map[string][]patch{"small regions": append(fine, behind), "large regions": {slab(0, 0, 0, 10, 10, 0, 0), behind}}
	for name, patches := range levels {
		q := NewIndex(stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})).NewQuery()
		for _, radius := range []float64{0.5, 3} {
			// In the middle, and at the wall, where half of the disc is behind.
			for _, x := range []float64{5, 10} {
				centre := mustLocate(t, q, geom.FromGround(x, 5, 0))
				inner, low, left := 0, 0, 0
				for range draws {
					pos, err := q.RandomPointInCircle(centre, radius, rng)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := stand(q.ix, pos); err != nil {
						t.Fatal(err)
					}
					px, py := geom.Ground(pos.Point)
					d := math.Hypot(px-x, py-5)
					if d > radius+0.001 || px > 10.001 {
						t.Fatalf("%s: %v is %v m away from %v", name, pos.Point, d, centre.Point)
					}
					if d < radius/2 {
						inner++
					}
					if py < 5 {
						low++
					}
					if px < x {
						left++
					}
				}
				what := fmt.Sprintf("%s, radius %v at x = %v", name, radius, x)
				within(t, what+", inner disc", inner, draws, 0.25)
				within(t, what+", lower half", low, draws, 0.5)
				if x == 5 {
					within(t, what+", left half", left, draws, 0.5)
				}
			}
		}
	}
}

// TestRandomPointDegenerate covers meshes and discs without area, and checks that equal seeds give equal points.
func TestRandomPointDegenerate(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 1))
	if pos, ok := NewIndex(stitch(t, lattice.Frame{}, testAgent, nil, nil)).NewQuery().RandomPoint(rng); ok {
		t.Errorf("an empty mesh has the point %v", pos)
	}
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	centre := mustLocate(t, q, geom.FromGround(10, 10, 3))
	for _, radius := range []float64{0, -1, math.NaN(), math.Inf(-1)} {
		if pos, err := q.RandomPointInCircle(centre, radius, rng); err != nil || pos != centre {
			t.Errorf("radius %v: %v, %v", radius, pos, err)
		}
	}
	heights := [2]int{}
	for range 2000 {
		pos, err := q.RandomPointInCircle(centre, math.Inf(1), rng)
		if err != nil {
			t.Fatal(err)
		}
		if pos.Point.Y == 3 {
			heights[1]++
		}
		if pos.Point.Y == 0 {
			heights[0]++
		}
		near, err := q.RandomPointInCircle(centre, 1, rng)
		if err != nil || near.Point.Y != 3 {
			t.Fatalf("%v, %v: near the middle of the deck all is deck", near, err)
		}
	}
	within(t, "the deck", heights[1], 2000, 8/408.0)
	within(t, "the road", heights[0], 2000, 376/408.0)
	draw := func() (out []Position) {
		rng := rand.New(rand.NewPCG(48, 1))
		q := q.own.NewQuery()
		for range 20 {
			a, _ := q.RandomPoint(rng)
			b, _ := q.RandomPointInCircle(centre, 4, rng)
			out = append(out, a, b)
		}
		return out
	}
	if a, b := fmt.Sprint(draw()), fmt.Sprint(draw()); a != b {
		t.Errorf("the same seed gave %s and %s", a, b)
	}
}
