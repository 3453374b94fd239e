package corpus

import (
	"fmt"
	"testing"
)

func TestPolygonsAreValid(t *testing.T) {
	for _, shape := range Shapes() {
		for _, points := range []int{0, 4, 20, 100, 1000} {
			for _, holes := range []int{0, 1, 3, 20} {
				t.Run(fmt.Sprint(shape, points, holes), func(t *testing.T) {
					for seed := range uint64(5) {
						p := Make(shape, seed, points, holes)
						if err := p.Validate(); err != nil {
							t.Fatalf("seed %d: %v", seed, err)
						}
						if len(p.Rings) != holes+1 {
							t.Fatalf("seed %d: %d rings, want %d", seed, len(p.Rings), holes+1)
						}
						if n := p.Len(); points >= 1000 && holes <= 3 && (n < points/2 || n > 3*points) {
							t.Errorf("seed %d: %d points, asked for %d", seed, n, points)
						}
					}
				})
			}
		}
	}
}

func TestPolygonIsReproducible(t *testing.T) {
	for seed := range uint64(shapes) {
		p, q := Polygon(seed, 200, 4), Polygon(seed, 200, 4)
		if fmt.Sprint(p) != fmt.Sprint(q) {
			t.Errorf("seed %d: two polygons", seed)
		}
		if fmt.Sprint(p) == fmt.Sprint(Polygon(seed+uint64(shapes), 200, 4)) && Shape(seed) != Collinear {
			t.Errorf("seed %d: the seed has no influence", seed)
		}
	}
}
