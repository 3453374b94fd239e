package cdt

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestShoot compares the first thing in the way of a ray with all walls and vertices.
func TestShoot(t *testing.T) {
	vertices, edges, clear := 0, 0, 0
	eachSet(t, func(t *testing.T, rng *rand.Rand, p []lattice.Point) {
		tri, ids := New(p)
		if len(p) < 10 {
			return
		}
		for i := range int32(20) {
			if u, v := ids[rng.IntN(len(ids))], ids[rng.IntN(len(ids))]; u != v {
				tri.Connect(u, v, i)
			}
		}
		for range 50 {
			u := ids[rng.IntN(len(ids))]
			end := lattice.Point{X: tri.P[u].X, Y: tri.P[2].Y}
			if rng.IntN(2) == 0 {
				end.Y = tri.P[0].Y
			}
			b := tri.Shoot(u, end)
			stop := end
			switch {
			case b.Vertex >= 0:
				vertices++
				stop = tri.P[b.Vertex]
				if stop == tri.P[u] || !lattice.OnSegment(stop, tri.P[u], end) {
					t.Fatalf("from %v to %v: %v is not on the way", tri.P[u], end, stop)
				}
			case b.Edge >= 0:
				edges++
				from, to := tri.P[tri.H[b.Edge].V], tri.P[tri.Head(b.Edge)]
				if tri.H[b.Edge].Mark == Free || lattice.SegmentContact(tri.P[u], end, from, to) != lattice.ProperCrossing {
					t.Fatalf("from %v to %v: the edge from %v to %v does not stop it", tri.P[u], end, from, to)
				}
			default:
				clear++
			}
			for _, v := range ids {
				before := lattice.OnSegment(tri.P[v], tri.P[u], stop) && tri.P[v] != tri.P[u] && tri.P[v] != stop
				if before && b.Edge < 0 {
					t.Fatalf("from %v to %v: %v comes first", tri.P[u], stop, tri.P[v])
				}
			}
			for e, h := range tri.H {
				if h.Mark == Free || int32(e) == b.Edge || int32(e) == tri.H[max(b.Edge, 0)].Opp && b.Edge >= 0 {
					continue
				}
				from, to := tri.P[h.V], tri.P[tri.Head(int32(e))]
				if b.Edge < 0 && lattice.SegmentContact(tri.P[u], stop, from, to) == lattice.ProperCrossing {
					t.Fatalf("from %v to %v: the wall from %v to %v comes first", tri.P[u], stop, from, to)
				}
			}
		}
	})
	if min(vertices, edges, clear) < 100 {
		t.Errorf("%d rays met vertices, %d edges, %d nothing", vertices, edges, clear)
	}
}
