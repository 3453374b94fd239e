package query

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// ways are the searches under test.
var ways = []struct {
	name string
	find func(*Query, context.Context, geom.Vec, geom.Vec) (Path, error)
	// worst is the largest ratio to the shortest path allowed on the test worlds.
	worst float64
}{
	{"AStarPath", (*Query).AStarPath, maxCorridorRatio},
	{"Path", (*Query).Path, 1 + 1e-9},
}

// maxCorridorRatio bounds the ratio of the portal graph's paths to the shortest paths on the random test worlds.
const maxCorridorRatio = 1.25

// TestAgainstOracle compares every search with the visibility graph on random grid worlds: the same pairs have a path,
// no path is shorter than the shortest, and none is longer than the search promises. Every path is checked on its way.
func TestAgainstOracle(t *testing.T) {
	race.Skip(t)
	worlds, queries := 150, 30
	if testing.Short() {
		worlds = 40
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 1))
			var sum, worst float64
			count := 0
			for i := range worlds {
				w := randomWorld(t, rng)
				q := NewIndex(w.theMesh()).NewQuery()
				for range queries {
					a, ok := w.draw(rng)
					b, ok2 := w.draw(rng)
					if !ok || !ok2 {
						break
					}
					path, err := way.find(q, context.Background(), w.point(a), w.point(b))
					if err != nil {
						t.Fatalf("world %d, %v to %v: %v", i, a, b, err)
					}
					want := w.shortest(a, b)
					if path.Complete == math.IsInf(want, 1) {
						t.Fatalf("world %d, %v to %v: complete is %v, but the shortest path is %v m", i, a, b, path.Complete, want)
					}
					if !path.Complete {
						continue
					}
					checkPath(t, q, path, w.point(a), w.point(b))
					if want == 0 {
						continue
					}
					ratio := path.Length / want
					if ratio < 1-1e-9 || ratio > way.worst {
						t.Fatalf("world %d, %v to %v: length %.9f, the shortest is %.9f", i, a, b, path.Length, want)
					}
					sum, worst, count = sum+ratio, max(worst, ratio), count+1
				}
			}
			t.Logf("%d paths: mean ratio %.9f, worst %.9f", count, sum/float64(count), worst)
			if count < worlds {
				t.Errorf("only %d paths were compared", count)
			}
		})
	}
}

// checkPath checks the promises of every path: its ends, its lengths, no repeated points, and that dense samples of the
// path are on the mesh.
func checkPath(tb testing.TB, q *Query, path Path, start, goal geom.Vec) {
	tb.Helper()
	path = path.Clone()
	points, regions := path.Surface(), path.Regions()
	first, last := points[0], points[len(points)-1]
	const rounding = 0.001
	if first.Distance(start) > rounding || last.Distance(goal) > rounding {
		tb.Fatalf("path leads from %v to %v, not from %v to %v", first, last, start, goal)
	}
	straight := math.Hypot(last.X-first.X, last.Z-first.Z)
	if path.Length < straight-1e-9 || path.SurfaceLength() < path.Length-1e-9 {
		tb.Fatalf("straight %v, length %v, on the surface %v", straight, path.Length, path.SurfaceLength())
	}
	length, surface := 0.0, 0.0
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if a == b {
			tb.Fatalf("point %d is repeated: %v", i, points)
		}
		length += math.Hypot(b.X-a.X, b.Z-a.Z)
		surface += a.Distance(b)
		for j := range 8 {
			p := a.Add(b.Sub(a).Scale(float64(j) / 8))
			at, ok := q.places.Locate(q.ix, p)
			if !ok {
				at, ok = q.places.Nearest(q.ix, p, 0.25, &index.Anywhere) // rounding put p beside the mesh
			}
			if !ok {
				tb.Fatalf("the path leaves the mesh at %v", p)
			}
			s := q.ix.World(at.At, at.Z)
			if math.Hypot(s.X-p.X, s.Z-p.Z) > rounding || math.Abs(s.Y-p.Y) > 4*HeightError {
				tb.Fatalf("the path leaves the mesh at %v: it is nearest at %v", p, s)
			}
		}
	}
	// Points leave out bumps within HeightError; hence their length is at most the length over the floor.
	if math.Abs(length-path.Length) > 1e-6*(1+length) || surface > path.SurfaceLength()+1e-6*(1+surface) {
		tb.Fatalf("length %v and %v, but the points give %v and %v", path.Length, path.SurfaceLength(), length, surface)
	}
	for i := 1; i < len(regions); i++ {
		_, r, ok := q.ix.Mesh.Region(regions[i-1])
		if !ok {
			tb.Fatalf("region %v does not exist", regions[i-1])
		}
		neighbour := false
		for _, p := range q.ix.Mesh.Tiles[0].Portals[r.FirstPortal : r.FirstPortal+r.PortalCount] {
			neighbour = neighbour || int(p.To) == regions[i].Index()
		}
		if !neighbour {
			tb.Fatalf("regions %v and %v are no neighbours", regions[i-1], regions[i])
		}
	}
}
