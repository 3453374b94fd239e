package hertelmehlhorn

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// notches counts the angles of more than 180°, ring by ring. Where rings touch themselves at a
// point the angle of a pass is that of the ring or less.
func notches(d *plan.Domain) int {
	n := 0
	for _, r := range d.Rings {
		for i, q := range r {
			if lattice.Orient(r[(i+len(r)-1)%len(r)], q, r[(i+1)%len(r)]) < 0 {
				n++
			}
		}
	}
	return n
}

func TestLaws(t *testing.T) {
	for _, order := range []Order{LongestFirst, ShortestFirst, AsFound} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			sum := gentest.Laws(t, "hertelmehlhorn", Generator{Options{order}}, func(d *plan.Domain, res gen.Result) error {
				c := res.Report.Counts
				for _, cell := range res.Cells {
					for _, k := range cell.Corners {
						if k.On != plan.NoEdge {
							t.Errorf("%v is constructed", k)
						}
					}
				}
				if c["cells"] != len(res.Cells) || res.Report.Lost != 0 || c["cells"] > c["triangles"] {
					t.Errorf("%d cells, report %+v", len(res.Cells), res.Report)
				}
				if c["portals"] > 2*notches(d) {
					t.Errorf("%d portals at %d notches", c["portals"], notches(d))
				}
				return gentest.Check(d, res)
			})
			t.Logf("%.3f cells per triangle: %v", float64(sum["cells"])/float64(sum["triangles"]), sum)
			if sum["cells"] >= sum["triangles"]*3/4 {
				t.Error("few diagonals were taken away")
			}
		})
	}
}

func TestMinimal(t *testing.T) {
	type edge struct{ p, q lattice.Point }
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Error(err)
			return
		}
		type place struct{ cell, corner int }
		at := map[edge]place{}
		for i, c := range res.Cells {
			for k := range c.Corners {
				at[edge{c.Corners[k].Point, c.Corners[(k+1)%len(c.Corners)].Point}] = place{i, k}
			}
		}
		// reflex tells whether cells a and b would have a reflex corner where edge k of a starts.
		reflex := func(a place, b place) bool {
			p, q := res.Cells[a.cell].Corners, res.Cells[b.cell].Corners
			before := p[(a.corner+len(p)-1)%len(p)]
			after := q[(b.corner+2)%len(q)]
			return lattice.Orient(before.Point, p[a.corner].Point, after.Point) < 0
		}
		for e, a := range at {
			if b, ok := at[edge{e.q, e.p}]; ok && !reflex(a, b) && !reflex(b, a) {
				t.Errorf("cells %d and %d could be one", a.cell, b.cell)
			}
		}
	})
}

func TestOrders(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 20, 4096, gentest.Mixed)
	length := map[Order]float64{}
	for _, order := range []Order{LongestFirst, ShortestFirst, AsFound} {
		r := gentest.Recorder{}
		res, err := Generator{Options{order}}.Decompose(t.Context(), gen.Input{Domain: d, Watch: r})
		if err != nil {
			t.Fatal(err)
		}
		if len(r["portals"]) != res.Report.Counts["portals"] {
			t.Errorf("saw %d portals of %d", len(r["portals"]), res.Report.Counts["portals"])
		}
		for _, s := range r["portals"] {
			dx, dy := s[0].Sub(s[1])
			length[order] += float64(dx*dx + dy*dy)
		}
	}
	if !(length[LongestFirst] < length[AsFound] && length[AsFound] < length[ShortestFirst]) {
		t.Errorf("sums of squared lengths: %v", length)
	}
	if _, err := (Generator{Options{AsFound + 1}}).Decompose(t.Context(), gen.Input{Domain: d}); err == nil {
		t.Error("an order that does not exist is accepted")
	}
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100)
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		cells  int
	}{
		{"triangle", gentest.Domain(gentest.Ring(0, 0, 10, 0, 0, 10)), 1},
		{"square", gentest.Domain(square), 1},
		{"collinear points", gentest.Domain(gentest.Ring(0, 0, 5, 0, 10, 0, 10, 5, 10, 10, 5, 10, 0, 10, 0, 5)), 1},
		{"L", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), 2},
		{"square hole", gentest.Domain(square, gentest.Ring(40, 40, 40, 60, 60, 60, 60, 40)), 4},
		{"hourglass", gentest.Domain(gentest.Ring(0, 0, 100, 0, 50, 50, 100, 100, 0, 100, 50, 50)), 2},
		{"hole that cuts the square in four", gentest.Domain(
			gentest.Ring(0, 0, 50, 0, 100, 0, 100, 50, 100, 100, 50, 100, 0, 100, 0, 50), gentest.Ring(50, 0, 0, 50, 50, 100, 100, 50)), 4},
		{"needle", gentest.Domain(gentest.Ring(0, 0, 100000, 1, 50000, 1)), 1},
		{"comb, which has one cell more than it needs", gentest.Comb(5, 30, 100), 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: c.domain})
			if err != nil {
				t.Fatal(err)
			}
			if err := gentest.Check(c.domain, res); err != nil {
				t.Error(err)
			}
			if len(res.Cells) != c.cells {
				t.Errorf("%d cells, want %d", len(res.Cells), c.cells)
			}
		})
	}
}

func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 106, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

func BenchmarkOrder(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 60, 4096, gentest.Mixed)
	for _, order := range []Order{LongestFirst, ShortestFirst, AsFound} {
		b.Run(fmt.Sprint(order), func(b *testing.B) { gentest.Benchmark(b, Generator{Options{order}}, d) })
	}
}
