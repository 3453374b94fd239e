package lattice

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/meadow-nav/meadow/internal/race"
)

// refLocate counts crossings of the ray to the north with rationals; the code looks east.
func refLocate(r Ring, p Point) Location {
	crossings := 0
	for i, a := range r {
		b := r[(i+1)%len(r)]
		if refContact(a, b, p, p) != Disjoint {
			return OnBoundary
		}
		if (a.X <= p.X) == (b.X <= p.X) {
			continue
		}
		// The height of the edge over p, against p's.
		if left := refOrient(a, b, p).Sign(); (left > 0) == (a.X > b.X) {
			crossings++
		}
	}
	if crossings%2 == 1 {
		return Inside
	}
	return Outside
}

func checkLocate(t interface{ Fatalf(string, ...any) }, r Ring, p Point) {
	want := refLocate(r, p)
	if got := r.Locate(p); got != want {
		t.Fatalf("%v in %v: %v, want %v", p, r, got, want)
	}
	turned := append(append(Ring{}, r[1:]...), r[0])
	if got := turned.Locate(p); got != want {
		t.Fatalf("%v in %v: %v depends on where the ring begins", p, r, got)
	}
	for i, j := 0, len(turned)-1; i < j; i, j = i+1, j-1 {
		turned[i], turned[j] = turned[j], turned[i]
	}
	if got := turned.Locate(p); got != want {
		t.Fatalf("%v in %v: %v depends on the orientation of the ring", p, r, got)
	}
}

func TestRingLocateTable(t *testing.T) {
	const m = MaxCoord
	square := Ring{{0, 0}, {10, 0}, {10, 10}, {0, 10}}
	notched := Ring{{0, 0}, {10, 0}, {10, 10}, {5, 5}, {0, 10}} // a notch down to the middle
	frame := Ring{{-m, -m}, {m, -m}, {m, m}, {-m, m}}
	for _, c := range []struct {
		name string
		r    Ring
		p    Point
		want Location
	}{
		{"inside", square, Point{5, 5}, Inside},
		{"outside", square, Point{15, 5}, Outside},
		{"on a vertical edge", square, Point{10, 5}, OnBoundary},
		{"on a horizontal edge", square, Point{5, 10}, OnBoundary},
		{"on a vertex", square, Point{10, 10}, OnBoundary},
		{"level with a horizontal edge, outside", square, Point{-5, 10}, Outside},
		{"level with a vertex, inside", notched, Point{1, 5}, Inside},
		{"level with the tip of a notch, west of it", notched, Point{2, 5}, Inside},
		{"in the notch", notched, Point{5, 8}, Outside},
		{"on the tip of the notch", notched, Point{5, 5}, OnBoundary},
		{"below the tip", notched, Point{5, 4}, Inside},
		{"corner of the frame", frame, Point{m, m}, OnBoundary},
		{"a unit inside of the corner of the frame", frame, Point{m - 1, m - 1}, Inside},
		{"no points", Ring{}, Point{0, 0}, Outside},
		{"one point", Ring{{3, 3}}, Point{3, 3}, OnBoundary},
		{"one other point", Ring{{3, 3}}, Point{3, 4}, Outside},
		{"two points", Ring{{0, 0}, {4, 4}}, Point{2, 2}, OnBoundary},
		{"beside two points", Ring{{0, 0}, {4, 4}}, Point{1, 2}, Outside},
		{"wound twice is outside again", Ring{{0, 0}, {9, 0}, {9, 9}, {0, 0}, {9, 0}, {9, 9}}, Point{6, 3}, Outside},
	} {
		if got := c.r.Locate(c.p); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRingLocateEqualsReference(t *testing.T) {
	race.Skip(t)
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, rapid.IntRange(2, 8).Draw(t, "n"))
		checkLocate(t, Ring(p[1:]), p[0])
	})
	// Every triangle of the small square with every point of it.
	all := gridPoints()
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				for _, p := range all {
					if got, want := (Ring{a, b, c}).Locate(p), refLocate(Ring{a, b, c}, p); got != want {
						t.Fatalf("%v in %v %v %v: %v, want %v", p, a, b, c, got, want)
					}
				}
			}
		}
	}
}

func TestPolygonLocate(t *testing.T) {
	p := Polygon{Rings: []Ring{
		{{0, 0}, {100, 0}, {100, 100}, {0, 100}},
		{{20, 20}, {20, 40}, {40, 40}, {40, 20}},
		{{40, 40}, {40, 60}, {60, 60}, {60, 40}}, // touches the other hole in a vertex
	}}
	for _, c := range []struct {
		at   Point
		want Location
	}{
		{Point{10, 10}, Inside},
		{Point{0, 50}, OnBoundary},
		{Point{30, 30}, Outside},
		{Point{20, 30}, OnBoundary},
		{Point{40, 40}, OnBoundary},
		{Point{50, 50}, Outside},
		{Point{45, 35}, Inside},
		{Point{101, 0}, Outside},
	} {
		if got := p.Locate(c.at); got != c.want {
			t.Errorf("%v: %v, want %v", c.at, got, c.want)
		}
		if got, want := p.Contains(c.at), c.want != Outside; got != want {
			t.Errorf("%v: contained: %v, want %v", c.at, got, want)
		}
	}
	if (Polygon{}).Contains(Point{}) {
		t.Error("the empty polygon contains a point")
	}
}

func TestLocationString(t *testing.T) {
	if Outside.String() == Inside.String() || OnBoundary.String() == Inside.String() || Location(9).String() != "unknown location" {
		t.Error("names of locations")
	}
}

// TestPolygonNearest compares with all lattice points of a frame with a hole: none is nearer by more than rounding.
func TestPolygonNearest(t *testing.T) {
	p := Polygon{Rings: []Ring{
		{{X: 0, Y: 0}, {X: 20, Y: 3}, {X: 17, Y: 19}, {X: 2, Y: 14}},
		{{X: 6, Y: 6}, {X: 7, Y: 12}, {X: 13, Y: 11}},
	}}
	for y := int32(-8); y < 28; y++ {
		for x := int32(-8); x < 28; x++ {
			q := Point{X: x, Y: y}
			at := p.Nearest(q)
			if p.Contains(q) != (at == q) && p.Locate(q) == Inside {
				t.Fatalf("%v is inside, but the nearest is %v", q, at)
			}
			for v := int32(0); v < 20; v++ {
				for u := int32(0); u < 21; u++ {
					if o := (Point{X: u, Y: v}); p.Contains(o) && q.Distance(at) > q.Distance(o)+1 {
						t.Fatalf("from %v to %v is farther than to %v", q, at, o)
					}
				}
			}
		}
	}
	if q := (Point{X: 3, Y: 4}); (Polygon{}).Nearest(q) != q {
		t.Error("a polygon without rings has a nearest point")
	}
}
