package exact

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestRemoteObstacles compares obstacles of which the remote ones stay whole with an overlay of all, by the free floor that is left.
// Remote obstacles are far from all covers.
func TestRemoteObstacles(t *testing.T) {
	race.Skip(t)
	whole, remoteWalls, together := 0, 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 11))
		point := func() lattice.Point { return lattice.Point{X: rng.Int32N(3000), Y: rng.Int32N(3000)} }
		ring := func(around int32) lattice.Ring {
			for {
				c, points := point(), make([]lattice.Point, 4)
				for k := range points {
					points[k] = lattice.Point{X: c.X + rng.Int32N(around), Y: c.Y + rng.Int32N(around)}
				}
				if r := lattice.Hull(points); len(r) > 2 && r.Area2() > 0 {
					return fromLeast(r)
				}
			}
		}
		own := lattice.Ring{{X: 0, Y: 0}, {X: 3000, Y: 100}, {X: 200, Y: 3000}}
		var covers, blocks []lattice.Ring
		for range 1 + rng.IntN(3) {
			covers = append(covers, ring(1500))
		}
		size := int32(20 + rng.IntN(2000))
		for range rng.IntN(4) {
			blocks = append(blocks, movedOut(ring(size), 1))
		}
		var walls []upright
		for range rng.IntN(5) {
			a, b := point(), point()
			if a.Compare(b) > 0 {
				a, b = b, a
			}
			w := upright{a: a, b: b, from: a.X, to: b.X}
			if w.steep() {
				w.from, w.to = min(a.Y, b.Y), max(a.Y, b.Y)
			}
			walls = append(walls, w)
		}
		all := append(append([]lattice.Ring{}, blocks...), joined(append([]upright{}, walls...))...)
		far, near := parted(own, covers, blocks, walls)
		var kept []lattice.Ring
		kept = append(kept, far.blocked...)
		for i := range far.walls {
			kept = append(kept, far.walls[i].ring())
		}
		for _, r := range kept {
			for _, c := range covers {
				if d := distanceBetween(r, c); d < remoteness {
					t.Fatalf("seed %d: a remote obstacle is %.1f units from a cover", seed, d)
				}
			}
		}
		whole, remoteWalls = whole+len(far.blocked), remoteWalls+len(far.walls)
		if len(kept) == 0 {
			together++
		}
		// The free floor of the triangle, by either way.
		a, err := overlay.Arrange([]lattice.Ring{own}, covers, all, near, kept)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range a.Polygons(func(w overlay.Winding) bool {
			floor := w[0] > 0 && w[1] <= 0
			return floor && (w[2] > 0) != (w[3] > 0 || w[4] > 0)
		}) {
			if meanWidth(p) > touching {
				t.Errorf("seed %d: free floor differs by %d square units at %v", seed, p.Area2()/2, p.Rings[0][0])
			}
		}
		a.Release()
	}
	if whole < 100 || remoteWalls < 100 || together < 20 {
		t.Errorf("%d remote blocks, %d remote walls and %d triangles without any: too few", whole, remoteWalls, together)
	}
}

// distanceBetween returns the distance of two convex rings, 0 where they meet.
func distanceBetween(r, s lattice.Ring) float64 {
	if found, err := overlay.Intersection([]lattice.Ring{r}, []lattice.Ring{s}); err != nil || len(found) > 0 {
		return 0
	}
	least := 1e18
	for i, a := range r {
		for k, c := range s {
			b, d := r[(i+1)%len(r)], s[(k+1)%len(s)]
			least = min(least, lattice.SegmentDistance2(a, c, d).Sqrt(), lattice.SegmentDistance2(c, a, b).Sqrt())
		}
	}
	return least
}

// TestWithoutHairlines: an obstacle across a hairline between two covers is cut there, and an obstacle beside one cover stays.
func TestWithoutHairlines(t *testing.T) {
	rectangle := func(x, y, u, v int32) lattice.Ring {
		return lattice.Ring{{X: x, Y: y}, {X: u, Y: y}, {X: u, Y: v}, {X: x, Y: v}}
	}
	covers := []lattice.Ring{rectangle(0, 0, 1000, 1000), rectangle(1002, 0, 2000, 1000), rectangle(0, 3000, 1000, 4000)}
	inHairline, beside := rectangle(1000, 400, 1002, 402), rectangle(1200, 1000, 1300, 1200)
	across := rectangle(990, 1000, 1010, 1100) // over the mouth of the hairline
	rings, err := withoutHairlines([]lattice.Polygon{
		{Rings: []lattice.Ring{inHairline}}, {Rings: []lattice.Ring{beside}}, {Rings: []lattice.Ring{across}},
	}, covers)
	if err != nil {
		t.Fatal(err)
	}
	area, kept := int64(0), false
	for _, r := range rings {
		area += r.Area2() / 2
		kept = kept || len(r) == 4 && r[0] == beside[0] && r[2] == beside[2]
		if b := r.Box(); b.Min.Y < 900 {
			t.Errorf("an obstacle shows in a hairline at %v", b)
		}
	}
	if want := int64(100*200 + 20*100); !kept || area < want-50 || area > want+50 {
		t.Errorf("the obstacles %v have %d square units, want about %d", rings, area, want)
	}
}
