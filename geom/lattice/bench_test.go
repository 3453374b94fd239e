package lattice_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
)

// randomPoints returns n points within ±size.
func randomPoints(n int, size int32) []lattice.Point {
	r := rand.New(rand.NewPCG(1, 2))
	points := make([]lattice.Point, n)
	for i := range points {
		points[i] = lattice.Point{X: r.Int32N(2*size+1) - size, Y: r.Int32N(2*size+1) - size}
	}
	return points
}

func BenchmarkOrient(b *testing.B) {
	points := randomPoints(1024, lattice.MaxCoord)
	left, i := 0, 0
	for b.Loop() {
		if lattice.Orient(points[i&1023], points[(i+1)&1023], points[(i+2)&1023]) > 0 {
			left++
		}
		i++
	}
	if i > 10000 && (left < i/4 || left > 3*i/4) {
		b.Errorf("%d of %d random triangles turn left", left, i)
	}
}

func BenchmarkInCircle(b *testing.B) {
	points := randomPoints(1024, lattice.MaxCoord)
	in, i := 0, 0
	for b.Loop() {
		in += lattice.InCircle(points[i&1023], points[(i+1)&1023], points[(i+2)&1023], points[(i+3)&1023])
		i++
	}
	if in == i || in == -i {
		b.Error("all alike")
	}
}

// Near segments are in a small square, so that most pass the test of their boxes.
func BenchmarkSegmentContact(b *testing.B) {
	for _, c := range []struct {
		name string
		size int32
	}{{"random", lattice.MaxCoord}, {"degenerate", 3}} {
		b.Run(c.name, func(b *testing.B) {
			points := randomPoints(1024, c.size)
			var counts [5]int
			i := 0
			for b.Loop() {
				counts[lattice.SegmentContact(points[i&1023], points[(i+1)&1023], points[(i+2)&1023], points[(i+3)&1023])]++
				i++
			}
			if i > 10000 && (counts[lattice.Disjoint] == 0 || counts[lattice.SharedEnd] == i) {
				b.Errorf("counts %v", counts)
			}
		})
	}
}

func BenchmarkSegmentDistance2(b *testing.B) {
	points := randomPoints(1024, lattice.MaxCoord)
	nearer, i := 0, 0
	for b.Loop() {
		p, q := points[i&1023], points[(i+1)&1023]
		a, c := points[(i+2)&1023], points[(i+3)&1023]
		if lattice.SegmentDistance2(p, a, c).Compare(lattice.SegmentDistance2(q, a, c)) < 0 {
			nearer++
		}
		i++
	}
	if i > 10000 && (nearer < i/4 || nearer > 3*i/4) {
		b.Errorf("%d of %d are nearer", nearer, i)
	}
}

// The sizes double, so a run shows the growth of the time.
var benchmarkSizes = []int{25_000, 50_000, 100_000}

func BenchmarkSimplify(b *testing.B) {
	for _, shape := range corpus.Shapes() {
		for _, n := range benchmarkSizes {
			if n != 100_000 && shape != corpus.Rough {
				continue
			}
			for _, inward := range []bool{false, true} {
				name := fmt.Sprintf("%v/points=%d", shape, n)
				if inward {
					name += "/inward"
				}
				b.Run(name, func(b *testing.B) {
					p := corpus.Make(shape, 1, n, 100)
					var q lattice.Polygon
					for b.Loop() {
						q = p.Simplify(50, inward)
					}
					b.ReportMetric(float64(q.Len()), "points-left")
					if err := q.Validate(); err != nil {
						b.Error(err)
					}
				})
			}
		}
	}
}

// Equal teeth: every one is as far from every chord as the others, and none may go.
func BenchmarkSimplifySaw(b *testing.B) {
	for _, n := range benchmarkSizes {
		b.Run(fmt.Sprintf("points=%d", n), func(b *testing.B) {
			saw := lattice.Line{Points: make([]lattice.Point, n)}
			for k := range saw.Points {
				saw.Points[k] = lattice.Point{X: int32(k) * 1000, Y: int32(k%2) * 100}
			}
			for b.Loop() {
				if left := len(lattice.Simplify([]lattice.Line{saw}, 50)[0].Kept); left != n {
					b.Fatalf("%d of %d points are left", left, n)
				}
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	for _, shape := range corpus.Shapes() {
		for _, n := range benchmarkSizes {
			if n != 100_000 && shape != corpus.Rough {
				continue
			}
			b.Run(fmt.Sprintf("%v/points=%d", shape, n), func(b *testing.B) {
				p := corpus.Make(shape, 1, n, 100)
				for b.Loop() {
					if err := p.Validate(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
