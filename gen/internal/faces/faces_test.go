package faces

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/gen"
	"github.com/meadow-nav/meadow/gen/gentest"
	"github.com/meadow-nav/meadow/gen/internal/cdt"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/plan"
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

// fan returns a domain in which nearly all diagonals meet at one vertex.
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
