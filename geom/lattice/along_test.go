package lattice

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAlongAgainstEveryTriangle compares the spans of random pieces with questions about single triangles: in a
// span, its triangle has the span's height; between spans, no triangle has any.
func TestAlongAgainstEveryTriangle(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 5))
	for _, size := range []int32{100, 1 << 16, 1 << 22, MaxCoord} {
		tin := randomTIN(r, 60, size)
		s := NewSampler(tin)
		single := make([]*Sampler, len(s.triangles))
		for i, tri := range s.triangles {
			single[i] = NewSampler(&TIN{Vertices: tri[:], Triangles: [][3]uint32{{0, 1, 2}}})
		}
		found := 0
		for n := range 200 {
			coordinate := func() float64 { return (2.4*r.Float64() - 1.2) * float64(size) }
			p := Piece{X: coordinate(), Y: coordinate()}
			switch n % 4 {
			case 0:
				p.DX = coordinate() - p.X
			case 1:
				p.DY = coordinate() - p.Y
			default:
				p.DX, p.DY = coordinate()-p.X, coordinate()-p.Y
			}
			run := math.Hypot(p.DX, p.DY)
			from := r.Float64()
			to := from + (1-from)*r.Float64()
			spans := s.Along(p, from, to, nil)
			found += len(spans)
			if !slices.IsSortedFunc(spans, func(a, b Span) int {
				if a.From < b.From || a.From == b.From && a.Triangle < b.Triangle {
					return -1
				}
				return 1
			}) {
				t.Fatalf("size %d: spans of %+v are not in order: %+v", size, p, spans)
			}
			for i := range s.triangles {
				var own []Span
				for _, k := range spans {
					if k.Triangle == uint32(i) {
						own = append(own, k)
					}
				}
				if len(own) > 1 {
					t.Fatalf("size %d: triangle %d is listed %d times", size, i, len(own))
				}
				for range 10 {
					at := from + (to-from)*r.Float64()
					x, y := p.X+at*p.DX, p.Y+at*p.DY
					z, on := single[i].Height(x, y)
					// Places within two units along the piece of an end of the span may be on either side.
					near := 2 / max(run, 1)
					switch {
					case len(own) == 0:
						if holdsAround(&s.triangles[i], x, y) {
							t.Fatalf("size %d: triangle %d is at %v, %v of %+v and has no span", size, i, x, y, p)
						}
					case at < own[0].From-near || at > own[0].To+near:
						if on {
							t.Fatalf("size %d: triangle %d is at %v, %v of %+v, its span is %+v", size, i, x, y, p, own[0])
						}
					case at > own[0].From+near && at < own[0].To-near:
						want := own[0].FromZ + (own[0].ToZ-own[0].FromZ)*(at-own[0].From)/(own[0].To-own[0].From)
						if holdsAround(&s.triangles[i], x, y) && (!on || math.Abs(z-want) > 1e-4*20000) {
							t.Fatalf("size %d: triangle %d is %v high at %v, %v, its span %+v says %v", size, i, z, x, y, own[0], want)
						}
					}
				}
			}
		}
		if found < 50 {
			t.Errorf("size %d: only %d spans", size, found)
		}
	}
}

// holdsAround reports whether a triangle holds a point and all points a unit around it.
func holdsAround(tri *[3]Vertex, x, y float64) bool {
	for k := range 3 {
		a, b := tri[k], tri[(k+1)%3]
		dx, dy := float64(int64(b.X)-int64(a.X)), float64(int64(b.Y)-int64(a.Y))
		if dx*(y-float64(a.Y))-dy*(x-float64(a.X)) < math.Hypot(dx, dy) {
			return false
		}
	}
	return true
}

// TestAlongAnEdge has pieces along an edge of two triangles, through a corner, of no length, and beside everything.
func TestAlongAnEdge(t *testing.T) {
	v := func(x, y, z int32) Vertex { return Vertex{Point{x, y}, z} }
	s := NewSampler(&TIN{
		Vertices:  []Vertex{v(0, 0, 0), v(100, 0, 100), v(100, 100, 100), v(0, 100, 0)},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
	})
	for _, tt := range []struct {
		name     string
		p        Piece
		from, to float64
		want     []Span
	}{
		{"along the common edge", Piece{0, 0, 100, 100}, 0, 1, []Span{{0, 1, 0, 100, 0}, {0, 1, 0, 100, 1}}},
		{"back along it, in part", Piece{100, 100, -100, -100}, 0.25, 0.5, []Span{{0.25, 0.5, 75, 50, 0}, {0.25, 0.5, 75, 50, 1}}},
		{"along the rim", Piece{-50, 0, 200, 0}, 0, 1, []Span{{0.25, 0.75, 0, 100, 0}, {0.25, 0.25, 0, 0, 1}}},
		{"across", Piece{-100, 50, 400, 0}, 0, 1, []Span{{0.25, 0.375, 0, 50, 1}, {0.375, 0.5, 50, 100, 0}}},
		{"of no length", Piece{75, 25, 0, 0}, 0, 1, []Span{{0, 1, 75, 75, 0}}},
		{"beside", Piece{-50, 101, 200, 0}, 0, 1, nil},
		{"the part before", Piece{-100, 50, 400, 0}, 0, 0.2, nil},
		{"turned around", Piece{0, 50, 100, 0}, 1, 0, nil},
		{"far away", Piece{1e300, 0, 1, 0}, 0, 1, nil},
		{"no number", Piece{math.NaN(), 0, 1, 0}, 0, 1, nil},
	} {
		got := s.Along(tt.p, tt.from, tt.to, nil)
		same := slices.EqualFunc(got, tt.want, func(a, b Span) bool {
			const near = 1e-3
			return a.Triangle == b.Triangle && math.Abs(a.From-b.From) < near && math.Abs(a.To-b.To) < near &&
				math.Abs(a.FromZ-b.FromZ) < 200*near && math.Abs(a.ToZ-b.ToZ) < 200*near
		})
		if !same {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	if got := NewSampler(&TIN{}).Along(Piece{0, 0, 1, 1}, 0, 1, nil); got != nil {
		t.Errorf("without triangles: %+v", got)
	}
}

// TestAlongBesideTheTable has pieces that lie cells away from all triangles, on every side and in every direction.
func TestAlongBesideTheTable(t *testing.T) {
	const size = 1 << 12
	s := NewSampler(randomTIN(rand.New(rand.NewPCG(14, 6)), 200, size))
	if s.cells.width < 4 || s.cells.height < 4 {
		t.Fatalf("a table of %d × %d cells is too small for the test", s.cells.width, s.cells.height)
	}
	places := []float64{-9 * size, -4 * size, 4 * size, 9 * size}
	for _, away := range places {
		for _, a := range append(places, 0) {
			for _, b := range append(places, 0) {
				for _, p := range []Piece{{away, a, 0, b - a}, {a, away, b - a, 0}, {away, a, away / 8, b - a}, {a, away, b - a, away / 8}} {
					if got := s.Along(p, 0, 1, nil); len(got) > 0 {
						t.Errorf("%+v: %+v", p, got)
					}
				}
			}
		}
	}
}

// TestAlongAllocatesNothing asks twice for the same spans.
func TestAlongAllocatesNothing(t *testing.T) {
	s := NewSampler(randomTIN(rand.New(rand.NewPCG(1, 1)), 1000, 1<<20))
	p := Piece{-1 << 20, -1 << 19, 1 << 21, 1 << 20}
	spans := s.Along(p, 0, 1, nil)
	if n := testing.AllocsPerRun(10, func() { spans = s.Along(p, 0, 1, spans[:0]) }); n != 0 || len(spans) == 0 {
		t.Errorf("%v allocations for %d spans", n, len(spans))
	}
}
