package verify

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// metres is a length in lattice units.
func metres(m float64) int32 { return int32(m * lattice.UnitsPerMetre) }

// square returns a ring from x0 to x1 and from 0 to 10 m.
func square(x0, x1 float64) lattice.Ring {
	return lattice.Ring{{X: metres(x0)}, {X: metres(x1)}, {X: metres(x1), Y: metres(10)}, {X: metres(x0), Y: metres(10)}}
}

// flats returns a floor of one part and one layer with a square at each height, side by side, each 10 m wide.
func flats(heights ...float64) *floor {
	tin := &lattice.TIN{}
	p := part{box: lattice.EmptyBox()}
	for i, h := range heights {
		ring := square(10*float64(i), 10*float64(i+1))
		first := uint32(len(tin.Vertices))
		for _, q := range ring {
			tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: q, Z: metres(h)})
		}
		tin.Triangles = append(tin.Triangles, [3]uint32{first, first + 1, first + 2}, [3]uint32{first, first + 2, first + 3})
		p.rings = append(p.rings, ring)
		p.box = p.box.Union(lattice.BoxOf(ring...))
	}
	return &floor{heights: []*lattice.Sampler{lattice.NewSampler(tin)}, corners: [][]lattice.Point{nil}, parts: []part{p}, components: 1}
}

// TestOneFloorInPart: where a layer leads to another storey, the piece in common falls into regions; those at the same height are one floor.
func TestOneFloorInPart(t *testing.T) {
	whole := flats(0)
	whole.parts[0].rings = []lattice.Ring{square(0, 40)}
	whole.parts[0].box = lattice.BoxOf(whole.parts[0].rings[0]...)
	flat := flats(0, 0, 0, 0)
	whole.heights = flat.heights
	for name, c := range map[string]struct {
		heights []float64
		want    float64 // m²
	}{"one floor": {[]float64{0, 0.1, 0.2, 0.3}, 400}, "two storeys": {[]float64{3, 3, 3, 3}, 0}, "most is one floor": {[]float64{0, 0, 0, 3}, 300}, "most is another": {[]float64{0, 3, 3, 3}, 100}} {
		o, err := compare(t.Context(), whole, flats(c.heights...), 1*lattice.UnitsPerMetre)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(o.only[0].Area-(400-c.want)) > 1e-6 || math.Abs(o.only[1].Area-(400-c.want)) > 1e-6 || math.Abs(o.common[[2]int{}]-c.want) > 1e-6 {
			t.Errorf("%s: %.2f m² in common, want %.2f; alone %.2f and %.2f", name, o.common[[2]int{}], c.want, o.only[0].Area, o.only[1].Area)
		}
	}
}
