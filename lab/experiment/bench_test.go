package experiment

import (
	"fmt"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/lab/catalog"
)

// BenchmarkOpenGround decomposes an arena, and the arena with a thousand times the ground around its obstacles.
func BenchmarkOpenGround(b *testing.B) {
	worlds, err := ArenaWorlds(1)
	if err != nil {
		b.Fatal(err)
	}
	for i, w := range []World{worlds[0], inTheOpen(worlds[0])} {
		for _, method := range []string{wavefront, delaunay, hm, trapezoid} {
			g, err := catalog.Generator(method)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%s", method, [...]string{"arena", "open"}[i]), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					r, err := g.Decompose(b.Context(), gen.Input{Domain: w.Domain, Seed: 1})
					if err != nil || len(r.Cells) == 0 {
						b.Fatal(len(r.Cells), err)
					}
				}
			})
		}
	}
}
