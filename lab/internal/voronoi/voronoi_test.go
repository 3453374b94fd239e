package voronoi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

func all(a, b int32) bool { return true }

// scene is some points in a box.
type scene struct {
	points []lattice.Point
	box    lattice.Box
}

// scenes are random points in boxes of all sizes, on small grids too, so that many are on circles and lines.
func scenes() (list []scene) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		side := int32(1) << rng.IntN(31)
		if side > lattice.MaxCoord {
			side = lattice.MaxCoord
		}
		var s scene
		s.box = lattice.Box{Min: lattice.Point{X: -side, Y: -rng.Int32N(side) - 1}, Max: lattice.Point{X: side, Y: rng.Int32N(side)}}
		w, h := s.box.Size()
		steps := int64(1) << rng.IntN(20)
		for range rng.IntN(40) {
			s.points = append(s.points, lattice.Point{
				X: s.box.Min.X + int32(rng.Int64N(steps+1)*w/steps),
				Y: s.box.Min.Y + int32(rng.Int64N(steps+1)*h/steps),
			})
		}
		list = append(list, s)
	}
	return list
}

// tolerance is the effect of rounding and of the grain of huge boxes.
func (s scene) tolerance() float64 {
	w, h := s.box.Size()
	return 4 * max(1, float64(max(w, h))*(ghosts+1)/lattice.MaxCoord)
}

// TestNearest has every border as far from its two points as from the nearest of all.
func TestNearest(t *testing.T) {
	n := 0
	for i, s := range scenes() {
		for _, b := range Borders(s.points, s.box, all) {
			if s.points[b.A] == s.points[b.B] {
				t.Errorf("scene %d: a border between points at the same place", i)
			}
			for _, at := range [...]lattice.Point{b.From, b.To} {
				if !s.box.Contains(at) {
					t.Errorf("scene %d: border at %v outside of the box", i, at)
				}
				least := math.Inf(1)
				for _, p := range s.points {
					least = min(least, at.Distance(p))
				}
				if got := max(at.Distance(s.points[b.A]), at.Distance(s.points[b.B])); got-least > s.tolerance() {
					t.Errorf("scene %d: %v is %g from its points and %g from another", i, at, got, least)
				}
				n++
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d ends of borders", n)
	}
}

// TestBorders has the ends of borders at others or on the box.
func TestBorders(t *testing.T) {
	for i, s := range scenes() {
		ends := map[lattice.Point]int{}
		for _, b := range Borders(s.points, s.box, all) {
			ends[b.From]++
			ends[b.To]++
		}
		for at, n := range ends {
			if n == 1 && at.X != s.box.Min.X && at.X != s.box.Max.X && at.Y != s.box.Min.Y && at.Y != s.box.Max.Y {
				near := 0
				for other := range ends {
					if at.Distance(other) <= s.tolerance() {
						near++
					}
				}
				if near < 2 {
					t.Errorf("scene %d: a border ends at %v", i, at)
				}
			}
		}
	}
}

func TestTranslation(t *testing.T) {
	for i, s := range scenes() {
		w, h := s.box.Size()
		by := lattice.Point{
			X: -lattice.MaxCoord - s.box.Min.X + int32((2*lattice.MaxCoord-w)/3),
			Y: -lattice.MaxCoord - s.box.Min.Y + int32((2*lattice.MaxCoord-h)/3),
		}
		move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + by.X, Y: p.Y + by.Y} }
		var points []lattice.Point
		for _, p := range s.points {
			points = append(points, move(p))
		}
		want := Borders(s.points, s.box, all)
		for k := range want {
			want[k].From, want[k].To = move(want[k].From), move(want[k].To)
		}
		if got := Borders(points, lattice.Box{Min: move(s.box.Min), Max: move(s.box.Max)}, all); !slices.Equal(got, want) {
			t.Errorf("scene %d: moved by %v it has other borders", i, by)
		}
	}
}

func TestFewPoints(t *testing.T) {
	box := lattice.Box{Max: lattice.Point{X: 100, Y: 100}}
	for _, c := range []struct {
		name   string
		points []lattice.Point
		want   []Border
	}{
		{"none", nil, nil},
		{"one", []lattice.Point{{X: 50, Y: 50}}, nil},
		{"two at the same place", []lattice.Point{{X: 50, Y: 50}, {X: 50, Y: 50}}, nil},
		{
			"two",
			[]lattice.Point{{X: 20, Y: 50}, {X: 80, Y: 50}},
			[]Border{{lattice.Point{X: 50, Y: 0}, lattice.Point{X: 50, Y: 100}, 0, 1}},
		},
		{
			"three at two places",
			[]lattice.Point{{X: 20, Y: 50}, {X: 80, Y: 50}, {X: 20, Y: 50}},
			[]Border{{lattice.Point{X: 50, Y: 0}, lattice.Point{X: 50, Y: 100}, 0, 1}},
		},
	} {
		got := Borders(c.points, box, all)
		for i := range got {
			if b := &got[i]; b.To.Compare(b.From) < 0 {
				b.From, b.To = b.To, b.From
			}
			if b := &got[i]; b.A > b.B {
				b.A, b.B = b.B, b.A
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	four := []lattice.Point{{X: 25, Y: 25}, {X: 75, Y: 25}, {X: 75, Y: 75}, {X: 25, Y: 75}}
	if got := Borders(four, box, all); len(got) != 4 {
		t.Errorf("four on a circle have %v", got)
	}
	if got := Borders(four, box, func(a, b int32) bool { return (a < 2) != (b < 2) }); len(got) != 2 {
		t.Errorf("two pairs of two have %v", got)
	}
}

func BenchmarkBorders(b *testing.B) {
	for n := 1000; n <= 64000; n *= 4 {
		rng := rand.New(rand.NewPCG(1, 2))
		points := make([]lattice.Point, n)
		for i := range points {
			points[i] = lattice.Point{X: rng.Int32N(1 << 24), Y: rng.Int32N(1 << 24)}
		}
		box := lattice.Box{Max: lattice.Point{X: 1 << 24, Y: 1 << 24}}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				// A diagram of n points has fewer than 3n borders.
				if got := len(Borders(points, box, all)); got < 2*n || got > 3*n {
					b.Fatal(got)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/point")
		})
	}
}
