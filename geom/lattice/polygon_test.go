package lattice

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

func refArea2(r Ring) *big.Int {
	sum := new(big.Int)
	for i, a := range r {
		b := r[(i+1)%len(r)]
		ab := new(big.Int).Mul(big.NewInt(int64(a.X)), big.NewInt(int64(b.Y)))
		ba := new(big.Int).Mul(big.NewInt(int64(b.X)), big.NewInt(int64(a.Y)))
		sum.Add(sum, ab.Sub(ab, ba))
	}
	return sum
}

func TestArea2Table(t *testing.T) {
	const m = MaxCoord
	for _, c := range []struct {
		name string
		r    Ring
		want int64
	}{
		{"no points", nil, 0},
		{"one point", Ring{{1, 1}}, 0},
		{"two points", Ring{{1, 1}, {5, 9}}, 0},
		{"collinear", Ring{{0, 0}, {2, 2}, {5, 5}}, 0},
		{"triangle", Ring{{0, 0}, {4, 0}, {0, 3}}, 12},
		{"clockwise", Ring{{0, 0}, {0, 3}, {4, 0}}, -12},
		{"eight", Ring{{0, 0}, {2, 2}, {2, 0}, {0, 2}}, 0},
		{"the frame", Ring{{-m, -m}, {m, -m}, {m, m}, {-m, m}}, 8 * m * m},
		{"the frame clockwise", Ring{{-m, m}, {m, m}, {m, -m}, {-m, -m}}, -8 * m * m},
	} {
		if got := c.r.Area2(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// Partial sums of a ring as large as the frame leave int64, the sum must not: a comb whose fan of
// triangles from the first point overlaps itself many times.
func TestArea2OfCombsOverTheFrame(t *testing.T) {
	race.Skip(t)
	const m = MaxCoord
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		// Teeth from the right side to nearly the left one, and the frame's left side at the end.
		ring := Ring{{m, -m}}
		y := int32(-m)
		for y < m-1<<27 {
			y += 1 + r.Int32N(1<<26)
			ring = append(ring, Point{m, y})
			y += 1 + r.Int32N(1<<26)
			ring = append(ring, Point{-m + r.Int32N(1000), y})
		}
		ring = append(ring, Point{m, m - 1}, Point{m, m}, Point{-m, m}, Point{-m, -m})
		for start := range ring {
			turned := append(append(Ring{}, ring[start:]...), ring[:start]...)
			if got, want := turned.Area2(), refArea2(ring); big.NewInt(got).Cmp(want) != 0 {
				t.Fatalf("from point %d: %d, want %v", start, got, want)
			}
		}
	}
}

func TestPolygonArea2(t *testing.T) {
	p := Polygon{Rings: []Ring{
		{{0, 0}, {10, 0}, {10, 10}, {0, 10}},
		{{2, 2}, {2, 4}, {4, 4}, {4, 2}},
	}}
	if got := p.Area2(); got != 200-8 {
		t.Errorf("area %d, want %d", got, 200-8)
	}
	if got := p.Len(); got != 8 {
		t.Errorf("%d points, want 8", got)
	}
}
