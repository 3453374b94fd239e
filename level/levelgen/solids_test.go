package levelgen

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// Law 5: every triangle is on the face of a solid and every face of a solid that is no cut through another has its
// triangles: the middle of each triangle is on a solid's surface, and the volumes of solids and triangles agree.
func TestSolidsAreTheTriangles(t *testing.T) {
	for _, kind := range []string{"rooms", "stairs", "spiral", "bridge", "carpark", "arch", "maze", "random", "tower", "catwalks", "ramps"} {
		lvl, err := Generate(kind, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(lvl.Solids) == 0 {
			t.Fatalf("%s has no solids", kind)
		}
		for i, tri := range lvl.Triangles {
			a, b, c := lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C]
			middle := a.Add(b).Add(c).Scale(1.0 / 3)
			n := b.Sub(a).Cross(c.Sub(a)).Unit()
			found := false
			for k := range lvl.Solids {
				if found = onSurface(&lvl.Solids[k], middle, n); found {
					break
				}
			}
			if !found {
				t.Fatalf("%s: triangle %d at %v is on no solid", kind, i, middle)
			}
		}
	}
}

// onSurface reports whether a place is on a face of a solid with about the normal n, up to two lattice units.
func onSurface(s *level.Solid, at, n geom.Vec) bool {
	on := false
	for _, p := range s.Planes {
		d := p.Normal.Dot(at) - p.Offset
		if d > 2*lattice.Unit {
			return false
		}
		on = on || math.Abs(d) <= 2*lattice.Unit && p.Normal.Dot(n) > 0.999
	}
	return on
}

// A boulder has no convex part between two rings and is taken apart into pyramids.
func TestSolidsOfABoulder(t *testing.T) {
	b := newBuilder("boulder")
	b.object("boulder")
	low := []vec{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}
	high := []vec{{0.75, 0.75, 1}, {1.75, 0.25, 1}, {1.5, 1.5, 1}, {0.25, 1.25, 1}}
	b.loft([][]vec{low, high}, fan(4), plain("rock"))
	lvl := b.finish()
	if len(lvl.Solids) != 12 {
		t.Fatalf("%d solids, want one for each of 12 faces", len(lvl.Solids))
	}
	for i, tri := range lvl.Triangles {
		a, b, c := lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C]
		if at, n := a.Add(b).Add(c).Scale(1.0/3), b.Sub(a).Cross(c.Sub(a)).Unit(); !onSurface(&lvl.Solids[i], at, n) {
			t.Errorf("triangle %d is not on its pyramid", i)
		}
	}
}
