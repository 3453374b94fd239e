package growth

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// cellular grows boxes on a grid of unit cells. Each cell is free, blocked or part of a region.
type cellular struct {
	size  int64
	owner []int // of every cell: -1 blocked, 0 free, i+1 region i
}

// take makes all cells of b region i's, if none is blocked or another's.
func (c *cellular) take(i int, b Box) bool {
	var cells []int64
	for y := -b[South]; y < b[North]; y++ {
		for x := -b[West]; x < b[East]; x++ {
			if x < 0 || y < 0 || x >= c.size || y >= c.size {
				return false
			}
			if o := c.owner[y*c.size+x]; o != 0 && o != i+1 {
				return false
			}
			cells = append(cells, y*c.size+x)
		}
	}
	for _, at := range cells {
		c.owner[at] = i + 1
	}
	return true
}

// TestRoundAgainstCells has worlds of blocks, where a region is a rectangle and everything that
// happens can be seen in the cells.
func TestRoundAgainstCells(t *testing.T) {
	regions := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 7))
		unit := 2 + rng.Int32N(5)
		d := gentest.Blocks(rng, 3+rng.IntN(6), unit, 0.3, rng.IntN(2) == 0)
		w, err := New(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		size := int64(max(d.Box().Max.X, d.Box().Max.Y))
		world := cellular{size: size, owner: make([]int, size*size)}
		for y := range size {
			for x := range size {
				if !inside(d.Rings, x, y) {
					world.owner[y*size+x] = -1
				}
			}
		}
		var places []Place
		for range 1 + rng.IntN(10) {
			at := lattice.Point{X: rng.Int32N(int32(size)), Y: rng.Int32N(int32(size))}
			if !d.Box().Contains(at) {
				continue
			}
			if v := w.vertex(at); v >= 0 {
				places = append(places, w.At(v, 1))
			}
		}
		r := w.NewRound(rng.IntN(2) == 0)
		var boxes []Box
		for _, p := range places {
			if free := world.take(len(boxes), p.box); r.Add(p) != free {
				t.Fatalf("seed %d: a region at %v, %v expected", seed, p.box, free)
			} else if free {
				boxes = append(boxes, p.box)
			}
		}
		if err := r.GrowByEvents(context.Background()); err != nil {
			t.Fatal(err)
		}
		stopped := make([][4]bool, len(boxes))
		for growing := true; growing; {
			growing = false
			for i := range boxes {
				for _, f := range [4]int{West, South, East, North} {
					b := boxes[i]
					b[f]++
					if stopped[i][f] = stopped[i][f] || !world.take(i, b); !stopped[i][f] {
						boxes[i] = b
						growing = true
					}
				}
			}
		}
		for i, want := range boxes {
			regions++
			if got := r.box(i); got != want {
				t.Fatalf("seed %d: region %d of %d has come to %v, want %v\n%v", seed, i, len(boxes), got, want, d.Rings)
			}
		}
	}
	t.Logf("%d regions", regions)
}

// inside tells whether the middle of the unit cell at x, y is inside of rings that are parallel to
// the axes.
func inside(rings []lattice.Ring, x, y int64) bool {
	in := false
	for _, ring := range rings {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			if p.X == q.X && int64(p.X) > x && int64(min(p.Y, q.Y)) <= y && y < int64(max(p.Y, q.Y)) {
				in = !in
			}
		}
	}
	return in
}
