package faces

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func noEdge(int32) plan.EdgeID { return plan.NoEdge }

// TestDissolve takes diagonals away in random orders, and stops anywhere.
func TestDissolve(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		dom, err := cdt.FromDomain(d)
		if err != nil {
			t.Error(err)
			return
		}
		m := New(dom)
		all := m.Diagonals()
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		tried := all[:rng.IntN(len(all)+1)]
		kept := m.Dissolve(tried) + len(all) - len(tried)
		if got := len(m.Segments(all)); got != kept {
			t.Errorf("%d diagonals are left, %d were kept", got, kept)
		}
		if err := gentest.Check(d, gen.Result{Cells: m.Cells(noEdge)}); err != nil {
			t.Error(err)
		}
	})
}

// TestInnerVertices dissolves edges around vertices in the interior of a square: a vertex on a diagonal keeps
// two edges, in a straight line, any other three.
func TestInnerVertices(t *testing.T) {
	for name, c := range map[string]struct {
		inner lattice.Ring
		cells int
	}{
		"none":            {nil, 1},
		"in the middle":   {gentest.Ring(50, 50), 2},
		"off the middle":  {gentest.Ring(50, 40), 3},
		"in a row":        {gentest.Ring(20, 50, 40, 50, 70, 50), -1},
		"next to a wall":  {gentest.Ring(50, 1, 51, 1), -1},
		"all over it":     {gentest.Ring(10, 20, 30, 77, 50, 50, 80, 12, 64, 64, 32, 16, 81, 90), -1},
		"on one diagonal": {gentest.Ring(10, 10, 30, 30, 70, 70), -1},
	} {
		d := gentest.Domain(gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100))
		dom, err := cdt.FromDomain(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.inner {
			for e := range dom.H {
				tri := int32(e - e%3)
				in := dom.Inside[e/3]
				for k := range int32(3) {
					in = in && lattice.Orient(dom.P[dom.H[tri+k].V], dom.P[dom.Head(tri+k)], p) >= 0
				}
				if in {
					dom.Insert(tri, p)
					break
				}
			}
		}
		m := New(dom)
		m.Dissolve(m.Diagonals())
		cells := m.Cells(noEdge)
		if err := gentest.Check(d, gen.Result{Cells: cells}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.cells >= 0 && len(cells) != c.cells {
			t.Errorf("%s: %d cells, want %d", name, len(cells), c.cells)
		}
	}
}

// fan returns a domain where nearly all diagonals meet at one vertex.
func fan(n int32) *plan.Domain {
	ring := lattice.Ring{{X: 0, Y: -n * n}}
	for i := -n; i <= n; i++ {
		ring = append(ring, lattice.Point{X: i * 8 * n, Y: -i * i})
	}
	return gentest.Domain(ring)
}

func BenchmarkFan(b *testing.B) {
	for n := int32(1000); n <= 16000; n *= 2 {
		b.Run("", func(b *testing.B) {
			dom, err := cdt.FromDomain(fan(n))
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			for b.Loop() {
				m := New(dom)
				m.Dissolve(m.Diagonals())
				if cells := m.Cells(noEdge); len(cells) < 1 {
					b.Fatal("no cells")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/vertex")
		})
	}
}
