package overlay

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
)

// TestTriangulate cuts results into triangles: their areas add up to the result's, and none reaches beyond
// the result or over another.
func TestTriangulate(t *testing.T) {
	race.Skip(t)
	eachWorld(t, slow.Count(3, 1), func(t *testing.T, rng *rand.Rand, rings []lattice.Ring) {
		a, err := Arrange(rings)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range []Rule{Positive(0), func(w Winding) bool { return w[0]&1 != 0 }} {
			var borders []lattice.Ring
			var corners []lattice.Point
			var want, got int64
			for _, p := range a.Polygons(rule) {
				borders = append(borders, p.Rings...)
				want += p.Area2()
			}
			rng.Shuffle(len(borders), func(i, j int) { borders[i], borders[j] = borders[j], borders[i] })
			for _, r := range borders {
				corners = append(corners, r...)
			}
			triangles := Triangulate(borders)
			if len(triangles) > len(corners)+2*len(borders) {
				t.Fatalf("%d triangles of %d corners in %d rings", len(triangles), len(corners), len(borders))
			}
			var cut []lattice.Ring
			for _, c := range triangles {
				r := lattice.Ring{corners[c[0]], corners[c[1]], corners[c[2]]}
				if r.Area2() <= 0 {
					t.Fatalf("triangle %v has an area of %d", r, r.Area2())
				}
				cut = append(cut, r)
				got += r.Area2()
			}
			if got != want {
				t.Fatalf("twice the area is %d, of the triangles %d", want, got)
			}
			// As much area as the polygons, and none outside, means all of it once.
			both, err := Arrange(borders, cut)
			if err != nil {
				t.Fatal(err)
			}
			for e := range both.edges {
				if w := both.Beneath(int32(e)); w[1] > 0 && w[0] <= 0 {
					t.Fatalf("a triangle reaches out beneath %v", both.points[both.edges[e].from])
				}
			}
		}
	})
}

// TestTriangulateSides compares triangles of sides with those of rings.
func TestTriangulateSides(t *testing.T) {
	race.Skip(t)
	var s Triangulator
	found := 0
	eachWorld(t, slow.Count(3, 1), func(t *testing.T, rng *rand.Rand, rings []lattice.Ring) {
		a, err := Arrange(rings)
		if err != nil {
			t.Fatal(err)
		}
		var borders []lattice.Ring
		var corners []lattice.Point
		for _, p := range a.Polygons(Positive(0)) {
			borders = append(borders, p.Rings...)
		}
		for _, r := range borders {
			corners = append(corners, r...)
		}
		// Points without sides do not matter.
		points := append([]lattice.Point{{X: rng.Int32N(50), Y: rng.Int32N(50)}}, corners...)
		slices.SortFunc(points, lattice.Point.Compare)
		points = slices.Compact(points)
		number := func(p lattice.Point) int32 {
			n, _ := slices.BinarySearchFunc(points, p, lattice.Point.Compare)
			return int32(n)
		}
		var sides []Side
		for _, r := range borders {
			for i, p := range r {
				sides = append(sides, Side{number(p), number(r[(i+1)%len(r)])})
			}
		}
		rng.Shuffle(len(sides), func(i, j int) { sides[i], sides[j] = sides[j], sides[i] })
		want := Triangulate(borders)
		got := s.Sides(points, sides)
		if len(got) != len(want) {
			t.Fatalf("%d triangles of sides, %d of rings", len(got), len(want))
		}
		for i := range got {
			for k := range 3 {
				if points[got[i][k]] != corners[want[i][k]] {
					t.Fatalf("triangle %d is %v of sides and %v of rings", i, got[i], want[i])
				}
			}
		}
		found += len(got)
	})
	if found == 0 {
		t.Error("no triangles")
	}
}

func TestTriangulateDegenerate(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	for _, c := range []struct {
		name  string
		rings []lattice.Ring
		want  int
	}{
		{"nothing", nil, 0},
		{"a triangle", []lattice.Ring{{p(0, 0), p(4, 0), p(0, 4)}}, 1},
		{"a corner on a side", []lattice.Ring{{p(0, 0), p(2, 0), p(4, 0), p(4, 4), p(0, 4)}}, 3},
		{"a hole", []lattice.Ring{{p(0, 0), p(9, 0), p(9, 9), p(0, 9)}, {p(3, 3), p(3, 6), p(6, 6), p(6, 3)}}, 8},
		{"a hole that touches the border", []lattice.Ring{{p(0, 0), p(9, 0), p(9, 9), p(0, 9)}, {p(0, 0), p(3, 6), p(6, 3)}}, 5},
		{"without an area", []lattice.Ring{{p(0, 0), p(4, 0)}, {p(1, 1)}, {}}, 0},
		{"clockwise", []lattice.Ring{{p(0, 0), p(0, 4), p(4, 0)}}, 0},
	} {
		if got := Triangulate(c.rings); len(got) != c.want {
			t.Errorf("%s: %v, not %d triangles", c.name, got, c.want)
		}
	}
}

// TestTriangulateCrossing verifies that crossing rings do no harm.
func TestTriangulateCrossing(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 77))
		rings := randomRings(rng, 1+rng.IntN(6), 8, 12)
		corners := 0
		for _, r := range rings {
			corners += len(r)
		}
		for _, c := range Triangulate(rings) {
			for _, v := range c {
				if v < 0 || int(v) >= corners {
					t.Fatalf("seed %d: corner %d of %d", seed, v, corners)
				}
			}
		}
	}
}

func BenchmarkTriangulate(b *testing.B) {
	a, err := Arrange(triangles(rand.New(rand.NewPCG(1, 2)), 2000, 5000, 300))
	if err != nil {
		b.Fatal(err)
	}
	var borders []lattice.Ring
	for _, p := range a.Polygons(Positive(0)) {
		borders = append(borders, p.Rings...)
	}
	n := 0
	for b.Loop() {
		n = len(Triangulate(borders))
	}
	if n < 1000 {
		b.Errorf("%d triangles", n)
	}
	b.ReportMetric(float64(n), "triangles")
}
