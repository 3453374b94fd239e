package navmesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// widestPlainly is widest.on without memory: every stretch measures the distances of all walls again.
func widestPlainly(a, b lattice.Point, walls [][2]lattice.Point) int32 {
	dx, dy := b.Sub(a)
	distance2 := func(share float64, w [2]lattice.Point) float64 {
		px := float64(a.X) + float64(share*float64(dx)) - float64(w[0].X)
		py := float64(a.Y) + float64(share*float64(dy)) - float64(w[0].Y)
		wx, wy := w[1].Sub(w[0])
		sx, sy := float64(wx), float64(wy)
		along, l := float64(px*sx)+float64(py*sy), float64(sx*sx)+float64(sy*sy)
		switch {
		case along > 0 && along >= l:
			px, py = px-sx, py-sy
		case along > 0:
			cross := float64(px*sy) - float64(py*sx)
			return float64(cross*cross) / l
		}
		return float64(px*px) + float64(py*py)
	}
	limit := func(s, e float64) float64 {
		d := math.Inf(1)
		for _, w := range walls {
			d = min(d, max(distance2(s, w), distance2(e, w)))
		}
		return math.Sqrt(d)
	}
	best := max(limit(0, 0), limit(0.5, 0.5), limit(1, 1))
	open := [][2]float64{{0, 0.5}, {0.5, 1}}
	for len(open) > 0 {
		s, e := open[len(open)-1][0], open[len(open)-1][1]
		open = open[:len(open)-1]
		if limit(s, e) > best+widestMargin {
			middle := (s + e) / 2
			best = max(best, limit(middle, middle))
			open = append(open, [2]float64{s, middle}, [2]float64{middle, e})
		}
	}
	return int32(min(math.Floor(best+0x1p-16), float64(Unbounded)))
}

// randomWalls returns a portal and walls around it, as gaps of up to four points.
func randomWalls(rng *rand.Rand, size int32) (a, b lattice.Point, gaps []gap, walls [][2]lattice.Point) {
	point := func() lattice.Point {
		return lattice.Point{X: rng.Int32N(2*size+1) - size, Y: rng.Int32N(2*size+1) - size}
	}
	for a, b = point(), point(); a == b; {
		b = point()
	}
	for range 1 + rng.IntN(12) {
		var g gap
		for range rng.IntN(5) {
			g = append(g, point())
		}
		if len(gaps) < 2 && rng.IntN(2) == 0 {
			g = append(g, a, b)[:len(g)+1] // most portals end at a wall
		}
		gaps = append(gaps, g)
		for i := range g.sides() {
			walls = append(walls, [2]lattice.Point{g[i], g[min(i+1, len(g)-1)]})
		}
	}
	return a, b, gaps, walls
}

// TestWidestAsPlainly compares the search that leaves out walls with the plain search: both halve the same stretches
// and find the same places.
func TestWidestAsPlainly(t *testing.T) {
	var w widest
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		size := []int32{3, 100, 50000, lattice.MaxCoord}[seed%4]
		a, b, gaps, walls := randomWalls(rng, size)
		want := Unbounded
		if len(walls) > 0 {
			want = widestPlainly(a, b, walls)
		}
		half := rng.IntN(len(gaps) + 1)
		if got := w.on(a, b, gaps[:half], gaps[half:]); got != want {
			t.Fatalf("seed %d, from %v to %v: %d, want %d: %v", seed, a, b, got, want, gaps)
		}
	}
}

func BenchmarkWidest(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	from, to, gaps, walls := randomWalls(rng, 50000)
	for len(walls) < 12 {
		from, to, gaps, walls = randomWalls(rng, 50000)
	}
	want := widestPlainly(from, to, walls)
	b.Run("plainly", func(b *testing.B) {
		for b.Loop() {
			if widestPlainly(from, to, walls) != want {
				b.Fatal("another answer")
			}
		}
	})
	b.Run("with memory", func(b *testing.B) {
		var w widest
		for b.Loop() {
			if w.on(from, to, gaps) != want {
				b.Fatal("another answer")
			}
		}
	})
}
