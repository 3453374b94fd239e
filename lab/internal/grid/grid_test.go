package grid

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// passes reports whether a point of the segment from a to b lies in the interior of the square: the open
// segment is not on one side of the square, nor the square on one side of the segment.
func passes(a, b lattice.Point, x0, y0, size int64) bool {
	if int64(max(a.X, b.X)) <= x0 || int64(min(a.X, b.X)) >= x0+size || int64(max(a.Y, b.Y)) <= y0 || int64(min(a.Y, b.Y)) >= y0+size {
		return false
	}
	left, right := false, false
	dx, dy := b.Sub(a)
	for _, c := range [4][2]int64{{x0, y0}, {x0 + size, y0}, {x0, y0 + size}, {x0 + size, y0 + size}} {
		switch o := dx*(c[1]-int64(a.Y)) - dy*(c[0]-int64(a.X)); {
		case o > 0:
			left = true
		case o < 0:
			right = true
		}
	}
	return left && right
}

// insideBy tells by the winding number around the centre of the square.
func insideBy(rings []lattice.Ring, x0, y0, size int64) bool {
	cx, cy := 2*x0+size, 2*y0+size
	winding := 0
	for _, r := range rings {
		for i := range r {
			ax, ay := 2*int64(r[i].X)-cx, 2*int64(r[i].Y)-cy
			q := r[(i+1)%len(r)]
			bx, by := 2*int64(q.X)-cx, 2*int64(q.Y)-cy
			if (ay <= 0) == (by <= 0) {
				continue
			}
			// Rounding does not change the sign: no wall passes near the centre of an open cell.
			cross := float64(ax)*float64(by) - float64(ay)*float64(bx)
			if by > 0 && cross > 0 {
				winding++
			} else if by <= 0 && cross < 0 {
				winding--
			}
		}
	}
	return winding == 1
}

func TestOpen(t *testing.T) {
	open := 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		g := New(d.Polygon, 0, 1+rng.IntN(150))
		for y := range g.H {
			for x := range g.W {
				x0, y0 := int64(g.Min.X)+int64(x)*g.Size, int64(g.Min.Y)+int64(y)*g.Size
				want := true
				for _, r := range d.Rings {
					for i := range r {
						want = want && !passes(r[i], r[(i+1)%len(r)], x0, y0, g.Size)
					}
				}
				want = want && insideBy(d.Rings, x0, y0, g.Size)
				if got := g.Open[y*g.W+x]; got != want {
					t.Fatalf("cell %d, %d of size %d from %v: open is %v", x, y, g.Size, g.Min, got)
				}
				if want {
					open++
				}
			}
		}
	})
	if open < 1000 {
		t.Errorf("only %d open cells were judged", open)
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		size   int64
		budget int
	}{
		{"square", gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000)), 0, 100},
		{"asked for", gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000)), 300, 100},
		{"asked for too many", gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000)), 3, 100},
		{"one cell", gentest.Domain(gentest.Ring(0, 0, 7, 0, 0, 3)), 0, 1},
		{"no budget", gentest.Domain(gentest.Ring(0, 0, 7, 0, 0, 3)), 0, 0},
		{"flat", gentest.Domain(gentest.Ring(0, 0, 1<<30, 0, 1<<30, 1, 0, 1)), 0, 5000},
		{"the whole frame", gentest.Domain(gentest.Ring(-1<<30, -1<<30, 1<<30, -1<<30, 1<<30, 1<<30, -1<<30, 1<<30)), 0, 5000},
		{"long walls", gentest.Comb(1000, 6, 1<<20), 0, 5000},
	} {
		g := New(c.domain.Polygon, c.size, c.budget)
		if len(g.Open) != g.W*g.H || len(g.Open) > max(c.budget, 1) || g.Size < max(c.size, 1) {
			t.Errorf("%s: %d × %d cells of size %d", c.name, g.W, g.H, g.Size)
		}
		box := c.domain.Box()
		w, h := box.Size()
		if int64(g.W)*g.Size < w || int64(g.H)*g.Size < h {
			t.Errorf("%s: the cells do not cover it", c.name)
		}
	}
	if g := New(gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000)).Polygon, 300, 100); g.Size != 300 || g.W != 4 {
		t.Errorf("%d cells of size %d in a row", g.W, g.Size)
	}
}

// TestDistances compares with the definition: the cheapest way over the grid.
func TestDistances(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		g := New(d.Polygon, 0, 1+rng.IntN(200))
		got := g.Distances()
		for k := range got {
			want := int32(1 << 30)
			for y := -1; y <= g.H; y++ {
				for x := -1; x <= g.W; x++ {
					if x >= 0 && x < g.W && y >= 0 && y < g.H && g.Open[y*g.W+x] {
						continue
					}
					dx, dy := int32(max(x-k%g.W, k%g.W-x)), int32(max(y-k/g.W, k/g.W-y))
					want = min(want, 2*max(dx, dy)+min(dx, dy))
				}
			}
			if got[k] != want {
				t.Fatalf("cell %d: distance %d, want %d", k, got[k], want)
			}
		}
	})
}
