package sweep

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/internal/grid"
)

func TestLaws(t *testing.T) {
	for _, g := range []Generator{{}, {Options{BoxSize: 1 << 24}}} {
		sum := gentest.Laws(t, "sweep", g, func(d *plan.Domain, res gen.Result) error {
			if c := res.Report.Counts; c["cells"] != len(res.Cells) || c["vertices"] != d.Len() || res.Report.Lost != 0 {
				t.Errorf("%d cells, report %+v", len(res.Cells), res.Report)
			}
			return gentest.Check(d, res)
		})
		for _, name := range []string{"boxes", "rooms", "diagonals", "joined"} {
			if sum[name] == 0 {
				t.Errorf("no world had a case of %s", name)
			}
		}
		t.Log(sum)
	}
}

func TestPublished(t *testing.T) {
	for _, g := range []Generator{{Options{Published: true}}, {Options{BoxSize: 1 << 24, Published: true}}} {
		sum := gentest.Laws(t, "sweep", g, func(d *plan.Domain, res gen.Result) error {
			if c := res.Report.Counts; c["cells"] != c["rooms"] || c["diagonals"] != 0 || c["joined"] != 0 {
				t.Errorf("report %+v", res.Report)
			}
			for i, cell := range res.Cells {
				for k, p := range cell.Corners {
					q := cell.Corners[(k+1)%len(cell.Corners)]
					if p.X != q.X && p.Y != q.Y {
						t.Errorf("cell %d has a slanted side from %v to %v", i, p.Point, q.Point)
					}
				}
			}
			return gentest.CheckInside(d, res)
		})
		t.Log(sum)
	}
}

func TestRooms(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		c := combine(grid.New(d.Polygon, 0, 1+rng.IntN(3000)))
		times := make([]int, len(c.Open))
		for _, r := range c.rooms {
			for y := r.y0; y < r.y1; y++ {
				for x := r.x0; x < r.x1; x++ {
					times[y*c.W+x]++
				}
			}
		}
		n := 0
		for k, open := range c.Open {
			if open != (times[k] == 1) || times[k] > 1 {
				t.Errorf("box %d is in %d rooms, open: %v", k, times[k], open)
			}
			n += times[k]
		}
		if n != c.boxes() {
			t.Errorf("%d boxes, told %d", n, c.boxes())
		}
	})
}

// TestPush checks that pushed rooms keep their area, meet no wall or other room from inside, and have their moved
// sides at an obstacle.
func TestPush(t *testing.T) {
	moved := 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		c := combine(grid.New(d.Polygon, 0, 1+rng.IntN(300)))
		before, after := c.rects(), c.push(d.Polygon)
		for i, r := range after {
			for s := range r {
				if r[s] < before[i][s] || r[s] >= before[i][s]+c.Size {
					t.Errorf("room %d: side %d moved from %d to %d, boxes are %d", i, s, before[i][s], r[s], c.Size)
				}
				if r[s] > before[i][s] {
					moved++
				}
			}
			for k, o := range after[:i] {
				if r[0] > -o[2] && o[0] > -r[2] && r[1] > -o[3] && o[1] > -r[3] {
					t.Errorf("rooms %d and %d overlap: %v, %v", k, i, o, r)
				}
			}
			box := lattice.BoxOf(c.corners(r)[0], c.corners(r)[2])
			for _, ring := range d.Rings {
				for k := range ring {
					if enters(ring[k], ring[(k+1)%len(ring)], box) {
						t.Errorf("the wall from %v to %v is in room %d, %v", ring[k], ring[(k+1)%len(ring)], i, box)
					}
				}
			}
		}
	})
	if moved < 100 {
		t.Errorf("only %d sides moved", moved)
	}
}

// enters reports whether the segment from a to b has a point in the interior of box: not all of the segment is on
// one side of the box, nor the box on one side of the segment.
func enters(a, b lattice.Point, box lattice.Box) bool {
	if max(a.X, b.X) <= box.Min.X || min(a.X, b.X) >= box.Max.X || max(a.Y, b.Y) <= box.Min.Y || min(a.Y, b.Y) >= box.Max.Y {
		return false
	}
	left, right := false, false
	for _, p := range [...]lattice.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}} {
		left = left || lattice.Orient(a, b, p) > 0
		right = right || lattice.Orient(a, b, p) < 0
	}
	return left && right
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 1000, 0, 1000, 1000, 0, 1000)
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		size   int64
		rooms  int
		cells  int
	}{
		{"square", gentest.Domain(square), 0, 1, 1},
		{"square of boxes that do not fill it", gentest.Domain(square), 300, 1, 1},
		{"square of one box", gentest.Domain(square), 1000, 1, 1},
		{"box larger than the square", gentest.Domain(square), 1001, 0, 1},
		{"square with a hole", gentest.Domain(square, gentest.Ring(400, 400, 400, 600, 600, 600, 600, 400)), 100, 4, 4},
		{"L", gentest.Domain(gentest.Ring(0, 0, 2000, 0, 2000, 1000, 1000, 1000, 1000, 2000, 0, 2000)), 500, 2, 2},
		{"triangle", gentest.Domain(gentest.Ring(0, 0, 300, 0, 0, 300)), 100, 2, -1},
		{"too many boxes", gentest.Domain(gentest.Ring(0, 0, 1<<20, 0, 1<<20, 1<<20, 0, 1<<20)), 1, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := gentest.Recorder{}
			res, err := Generator{Options{BoxSize: c.size}}.Decompose(t.Context(), gen.Input{Domain: c.domain, Watch: r})
			if err != nil {
				t.Fatal(err)
			}
			if err := gentest.Check(c.domain, res); err != nil {
				t.Error(err)
			}
			count := res.Report.Counts
			if count["rooms"] != c.rooms || c.cells >= 0 && len(res.Cells) != c.cells {
				t.Errorf("%d rooms and %d cells, want %d and %d: %v", count["rooms"], len(res.Cells), c.rooms, c.cells, count)
			}
			if len(r["diagonals"]) != count["diagonals"] || (c.rooms > 1) != (len(r["rooms"]) > 0) {
				t.Errorf("saw %d borders and %d diagonals: %v", len(r["rooms"]), len(r["diagonals"]), count)
			}
		})
	}
}

func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}
