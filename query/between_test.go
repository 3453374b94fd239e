package query

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// TestPathBetween compares paths between known positions with paths between their places.
func TestPathBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 1))
	w := newSoup(t, rng, 6, 6, 0.2, lattice.Frame{})
	q := NewIndex(w.mesh).NewQuery()
	complete := 0
	for range 300 {
		from, _ := q.RandomPoint(rng)
		to, ok := q.RandomPoint(rng)
		if !ok {
			t.Fatal("no random point")
		}
		known, err := q.PathBetween(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		got := known.Clone()
		want, err := q.Path(t.Context(), from.Point, to.Point)
		if err != nil || got.Complete != want.Complete || got.Length != want.Length {
			t.Fatalf("%v to %v: %v, %.9f m, located %v, %.9f m, %v", from, to, got.Complete, got.Length, want.Complete, want.Length, err)
		}
		if got.Complete {
			complete++
			if first, last := got.Regions()[0], got.Regions()[len(got.Regions())-1]; !isIn(q, first, from) || !isIn(q, last, to) {
				t.Fatalf("%v to %v: regions %v to %v", from, to, first, last)
			}
		}
	}
	if complete < 30 {
		t.Errorf("only %d of 300 pairs are joined", complete)
	}
}

// isIn reports whether a position is also a place of a region.
func isIn(q *Query, region navmesh.Ref, p Position) bool {
	_, err := stand(q.ix, Position{region, p.Point})
	return err == nil
}

// TestSurfaceKeepsBends looks for the points of a path among the points of its surface. Both begin and end at the same
// points.
func TestSurfaceKeepsBends(t *testing.T) {
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	rng := rand.New(rand.NewPCG(49, 1))
	left := 0
	for range 200 {
		from, _ := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		path, err := q.PathBetween(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		surface := path.Surface()
		left += len(surface) - len(path.Points)
		k := 0
		for _, p := range path.Points {
			for k < len(surface) && surface[k].Distance(p) > HeightError {
				k++
			}
			if k == len(surface) {
				t.Fatalf("%v to %v: %v is no point of %v", from, to, p, surface)
			}
		}
		if n := len(surface); path.Points[0] != surface[0] || path.Points[len(path.Points)-1] != surface[n-1] {
			t.Fatalf("%v to %v: %v does not end as %v", from, to, surface, path.Points)
		}
	}
	if left == 0 {
		t.Error("no path follows the floor")
	}
}
