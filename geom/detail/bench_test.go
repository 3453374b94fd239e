package detail_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/detail"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// terrain is rolling land of n by n cells of 1.5 m with steps of 5 cm in its heights, as maps have them.
func terrain(n int) *lattice.TIN {
	const step = lattice.UnitsPerMetre / 20
	r := rand.New(rand.NewPCG(9, 9))
	return grid(n, func(i, j int) lattice.Vertex {
		x, y := float64(i)*1.5, float64(j)*1.5
		z := 4*math.Sin(x/23)*math.Cos(y/31) + 0.3*math.Sin(x/4+y/5) + 0.05*r.Float64()
		return vertex(int32(x*lattice.UnitsPerMetre), int32(y*lattice.UnitsPerMetre), int32(math.Floor(z*20))*step)
	})
}

// BenchmarkTerrain doubles the side of the terrain.
func BenchmarkTerrain(b *testing.B) {
	for _, n := range []int{90, 180, 360, 720} {
		tin := terrain(n)
		b.Run(fmt.Sprint(len(tin.Triangles)), func(b *testing.B) {
			benchmark(b, tin, 205, len(tin.Triangles)*3/4)
		})
	}
}

// BenchmarkKinds are surfaces of about 130,000 triangles that are easy, ordinary and hard.
func BenchmarkKinds(b *testing.B) {
	r := rand.New(rand.NewPCG(10, 10))
	flat := grid(256, func(i, j int) lattice.Vertex { return vertex(int32(i)*6000, int32(j)*6000, 0) })
	rough := grid(256, func(i, j int) lattice.Vertex { return vertex(int32(i)*6000, int32(j)*6000, r.Int32N(4000)) })
	far := grid(256, func(i, j int) lattice.Vertex { return vertex(int32(i)*4_000_000, int32(j)*4_000_000, int32(i*j)) })
	wheel := &lattice.TIN{Vertices: []lattice.Vertex{vertex(0, 0, 0)}}
	const spokes = 131_072
	for i := range spokes {
		a := 2 * math.Pi * float64(i) / spokes
		wheel.Vertices = append(wheel.Vertices, vertex(int32(1e9*math.Cos(a)), int32(1e9*math.Sin(a)), 0))
		wheel.Triangles = append(wheel.Triangles, [3]uint32{0, uint32(i + 1), uint32((i+1)%spokes + 1)})
	}
	for _, c := range []struct {
		name string
		tin  *lattice.TIN
		most int
	}{
		{"flat", flat, 2},
		{"shared-nothing", soup(flat), 2},
		{"terrain", terrain(256), 100_000},
		{"rough", rough, 131_072},
		{"far-apart", far, 40_000},
		{"wheel", wheel, spokes},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, c.tin, 205, c.most) })
	}
}

func benchmark(b *testing.B, tin *lattice.TIN, limit int32, most int) {
	left := 0
	for b.Loop() {
		left = len(simplify(b, tin, detail.Options{Error: limit, Jobs: 1}).Triangles)
	}
	if left > most {
		b.Errorf("%d triangles became %d, at most %d are expected", len(tin.Triangles), left, most)
	}
	b.ReportMetric(float64(left), "triangles")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(tin.Triangles)), "ns/triangle")
}
