package terrain

import (
	"fmt"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// BenchmarkClassify has a million triangles of a hundred materials.
func BenchmarkClassify(b *testing.B) {
	l := &level.Level{Vertices: []geom.Vec{{}, {X: 1}, {X: 1, Z: -1}}}
	for i := range 100 {
		l.Materials = append(l.Materials, level.Material{Name: fmt.Sprintf("textures/base_floor/concrete%d_dirty", i)})
	}
	for i := range 1_000_000 {
		l.Triangles = append(l.Triangles, level.Triangle{A: 0, B: 1, C: 2, Material: int32(i % 100)})
	}
	r := Default()
	for b.Loop() {
		if g, _ := Classify(l, r); g.Of(0) == 0 {
			b.Fatal("no floor")
		}
	}
}

// BenchmarkOutlines has pictures with discs: a few long borders.
func BenchmarkOutlines(b *testing.B) {
	for _, size := range []int{512, 1024, 2048} {
		for _, tolerance := range []float64{0, 1} {
			l := &labels{width: size, height: size, at: make([]uint16, size*size)}
			for y := range size {
				for x := range size {
					dx, dy := x%256-128, y%256-128
					l.at[y*size+x] = 1
					if dx*dx+dy*dy < 100*100 {
						l.at[y*size+x] = uint16(2 + (x/256+y/256)%2)
					}
				}
			}
			b.Run(fmt.Sprintf("%d, tolerance %g", size, tolerance), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if got, err := l.outlines([4]float64{0, 0, float64(size), float64(size)}, tolerance); err != nil || len(got) != 3 {
						b.Fatal(len(got), err)
					}
				}
			})
		}
	}
}
