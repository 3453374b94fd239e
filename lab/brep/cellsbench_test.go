package brep

import (
	"fmt"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// BenchmarkFreeCells cuts the empty space around scattered boxes.
func BenchmarkFreeCells(b *testing.B) {
	for _, boxes := range []int{125, 250, 500, 1000, 2000} {
		b.Run(fmt.Sprintf("boxes=%d", boxes), func(b *testing.B) {
			s := scattered(1, boxes)
			box := s.Bounds()
			box.Max = box.Max.Add(geom.Vec{Y: 3})
			cells, portals := 0, 0
			for b.Loop() {
				c, err := FreeCells(b.Context(), &s.Level, box, 0)
				if err != nil {
					b.Fatal(err)
				}
				cells, portals = len(c.Cells), len(c.Portals)
			}
			if cells < boxes {
				b.Errorf("%d cells", cells)
			}
			b.ReportMetric(float64(cells), "cells")
			b.ReportMetric(float64(portals), "portals")
		})
	}
}
