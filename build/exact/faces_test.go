package exact

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/soup"
)

// TestFacesAreTheTriangles takes random scenes, and tilts half of the scenes until nothing is exactly upright. Every
// triangle is one face or half of a face, and the faces of two triangles are convex and flat.
func TestFacesAreTheTriangles(t *testing.T) {
	pairs, singles := 0, 0
	for seed := range uint64(12) {
		scene := floortest.RandomScene(seed, 12, 20)
		if seed%2 == 1 {
			for i, v := range scene.Level.Vertices {
				scene.Level.Vertices[i] = geom.Vec{X: v.X + v.Y/7, Y: v.Y - v.X/9, Z: v.Z}
			}
		}
		s, err := soup.Read(&scene.Level, floortest.Agent)
		if err != nil {
			t.Fatal(err)
		}
		left := map[[3]uint32]int{} // triangles by their vertices in order
		for i := range s.Triangles {
			if !s.Triangles[i].Walkable {
				left[sortedIDs(s.Triangles[i].ID)]++
			}
		}
		for _, f := range facesOf(s, func(t *soup.Triangle) bool { return !t.Walkable }) {
			left[sortedIDs([3]uint32{f.id[0], f.id[f.corners-2], f.id[f.corners-1]})]--
			if f.corners == 3 {
				singles++
				continue
			}
			pairs++
			left[sortedIDs([3]uint32{f.id[0], f.id[1], f.id[2]})]--
			checkFlat(t, &f)
		}
		for ids, n := range left {
			if n != 0 {
				t.Errorf("seed %d: triangle %v is in the level %d times more than in faces", seed, ids, n)
			}
		}
	}
	if pairs < 1000 || singles < 10 {
		t.Errorf("%d faces of two triangles, %d of one", pairs, singles)
	}
}

func sortedIDs(ids [3]uint32) [3]uint32 {
	slices.Sort(ids[:])
	return ids
}

// checkFlat checks that the four inner angles of a face add up to a full turn, as in a convex polygon in a plane. An
// error of a few units is allowed.
func checkFlat(t *testing.T, f *face) {
	t.Helper()
	sum, shortest := 0.0, math.Inf(1)
	at := func(k int) geom.Vec {
		v := &f.at[k%4]
		return geom.Vec{X: float64(v.X), Y: float64(v.Y), Z: float64(v.Z)}
	}
	for k := range 4 {
		a, b := at(k+1).Sub(at(k)), at(k+3).Sub(at(k))
		sum += math.Acos(min(max(a.Dot(b)/a.Norm()/b.Norm(), -1), 1))
		shortest = min(shortest, a.Norm())
	}
	if missing := 2*math.Pi - sum; missing > 8/shortest {
		t.Errorf("the inner angles of %v miss %g of a full turn", f.v(), missing)
	}
}

// TestFacesOfTwo unites two triangles that are a single face but for the diagonal, however turned. Bent, folded and
// repeated pairs, and pairs with an inner corner, stay apart.
func TestFacesOfTwo(t *testing.T) {
	at := func(x, y, z int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
	for _, c := range []struct {
		name string
		v    [4]lattice.Vertex // the first two are the diagonal
		same bool              // both triangles run along it in the same direction
		want bool
	}{
		{"level", [4]lattice.Vertex{at(0, 0, 5), at(100, 100, 5), at(0, 100, 5), at(100, 0, 5)}, false, true},
		{"back to front", [4]lattice.Vertex{at(0, 0, 5), at(100, 100, 5), at(0, 100, 5), at(100, 0, 5)}, true, true},
		{"upright along an axis", [4]lattice.Vertex{at(7, 0, 0), at(7, 100, 100), at(7, 0, 100), at(7, 100, 0)}, false, true},
		{"upright", [4]lattice.Vertex{at(0, 0, 0), at(100, 50, 100), at(0, 0, 100), at(100, 50, 0)}, false, true},
		{"sloped", [4]lattice.Vertex{at(0, 0, 0), at(100, 100, 200), at(0, 100, 100), at(100, 0, 100)}, false, true},
		{"bent by rounding", [4]lattice.Vertex{at(0, 0, 0), at(100, 100, 200), at(0, 100, 101), at(100, 0, 100)}, false, true},
		{"bent", [4]lattice.Vertex{at(0, 0, 0), at(100, 100, 200), at(0, 100, 110), at(100, 0, 100)}, false, false},
		{"straight at an end", [4]lattice.Vertex{at(0, 0, 5), at(100, 100, 5), at(0, 100, 5), at(0, -100, 5)}, false, true},
		{"an inner corner", [4]lattice.Vertex{at(0, 0, 5), at(100, 100, 5), at(0, 100, 5), at(-10, -100, 5)}, false, false},
		{"upright with an inner corner", [4]lattice.Vertex{at(0, 0, 0), at(100, 0, 100), at(0, 0, 100), at(-10, 0, -100)}, false, false},
		{"folded", [4]lattice.Vertex{at(0, 0, 5), at(100, 100, 5), at(0, 100, 5), at(20, 80, 5)}, false, false},
		{"twice", [4]lattice.Vertex{at(0, 0, 5), at(100, 100, 5), at(0, 100, 5), at(0, 100, 5)}, true, false},
		{"a wall bent by a unit", [4]lattice.Vertex{at(0, 0, 0), at(100, 0, 100), at(0, 0, 100), at(100, 1, 0)}, false, true},
	} {
		v := c.v
		f := face{3, [4]lattice.Vertex{v[0], v[1], v[2]}, [4]uint32{0, 1, 2}}
		g := face{3, [4]lattice.Vertex{v[1], v[0], v[3]}, [4]uint32{1, 0, 3}}
		if c.same {
			g = face{3, [4]lattice.Vertex{v[0], v[1], v[3]}, [4]uint32{0, 1, 3}}
		}
		if got := f.unite(&g); got != c.want || got && (f.corners != 4 || f.box() != boxOf(v[:]...)) {
			t.Errorf("%s: united %v, want %v: %+v", c.name, got, c.want, f)
		}
	}
}
