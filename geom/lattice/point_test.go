package lattice

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestOrientEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 3)
		if got, want := Orient(p[0], p[1], p[2]), refOrient(p[0], p[1], p[2]); new(big.Rat).SetInt64(got).Cmp(want) != 0 {
			t.Fatalf("Orient(%v) = %d, want %v", p, got, want)
		}
		dot := bigPoint(p[1]).sub(bigPoint(p[0])).dot(bigPoint(p[2]).sub(bigPoint(p[0])))
		if got := Dot(p[0], p[1], p[2]); new(big.Rat).SetInt64(got).Cmp(dot) != 0 {
			t.Fatalf("Dot(%v) = %d, want %v", p, got, dot)
		}
	})
}

// The largest values of a frame must not wrap.
func TestOrientAtTheCornersOfTheFrame(t *testing.T) {
	const m = MaxCoord
	for _, c := range []struct {
		name    string
		a, b, c Point
		want    int64
	}{
		{"largest left turn", Point{-m, -m}, Point{m, -m}, Point{m, m}, 4 * m * m},
		{"largest right turn", Point{-m, -m}, Point{m, m}, Point{m, -m}, -4 * m * m},
		{"diagonal", Point{-m, -m}, Point{0, 0}, Point{m, m}, 0},
		{"one unit beside the diagonal", Point{-m, -m}, Point{m, m}, Point{0, 1}, 2 * m},
		{"horizontal", Point{-m, 7}, Point{m, 7}, Point{0, 7}, 0},
		{"vertical", Point{7, -m}, Point{7, m}, Point{7, 0}, 0},
		{"coincident ends", Point{m, m}, Point{m, m}, Point{-m, m}, 0},
		{"all coincident", Point{m, -m}, Point{m, -m}, Point{m, -m}, 0},
	} {
		if got := Orient(c.a, c.b, c.c); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if got, want := (Point{-m, -m}).Distance2(Point{m, m}), uint64(8*m*m); got != want {
		t.Errorf("longest distance squared %d, want %d", got, want)
	}
	if got := (Point{-1, 2}).Distance(Point{2, -2}); got != 5 {
		t.Errorf("the hypotenuse of 3 and 4 is %g", got)
	}
	if got, want := Dot(Point{-m, -m}, Point{m, m}, Point{m, m}), int64(8*m*m); got != want {
		t.Errorf("largest scalar product %d, want %d", got, want)
	}
}

func TestOrientLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 3)
		a, b, c := p[0], p[1], p[2]
		o := Orient(a, b, c)
		if o != Orient(b, c, a) || o != Orient(c, a, b) {
			t.Fatalf("law 1: turning the arguments changes Orient(%v)", p)
		}
		if o != -Orient(b, a, c) || o != -Orient(a, c, b) {
			t.Fatalf("law 2: swapping two arguments does not negate Orient(%v)", p)
		}
		if Orient(a, b, b) != 0 || Orient(a, a, b) != 0 || Orient(a, b, a) != 0 {
			t.Fatalf("law 3: two equal points turn: %v", p)
		}
		shift := func(p Point, d int32) (Point, bool) {
			q := Point{p.X + d, p.Y - d}
			return q, inFrame(int64(q.X)) && inFrame(int64(q.Y))
		}
		d := rapid.Int32Range(-1000, 1000).Draw(t, "shift")
		a1, ok1 := shift(a, d)
		b1, ok2 := shift(b, d)
		c1, ok3 := shift(c, d)
		if ok1 && ok2 && ok3 && Orient(a1, b1, c1) != o {
			t.Fatalf("law 4: translating by %d changes Orient(%v)", d, p)
		}
	})
}

func TestPointCompareIsAnOrder(t *testing.T) {
	all := gridPoints()
	for i, p := range all {
		for j, q := range all {
			// gridPoints lists the points in order.
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := p.Compare(q); got != want {
				t.Errorf("%v.Compare(%v) = %d, want %d", p, q, got, want)
			}
		}
	}
}

func TestPointString(t *testing.T) {
	if got := (Point{4096, -2048}).String(); got != "(1.000, -0.500)" {
		t.Errorf("got %s", got)
	}
}

// TestSquareMetres compares areas with areas known on paper; the sign stays.
func TestSquareMetres(t *testing.T) {
	const m = UnitsPerMetre
	square := Ring{{0, 0}, {3 * m, 0}, {3 * m, 2 * m}, {0, 2 * m}}
	if got := SquareMetres(square.Area2()); got != 6 {
		t.Errorf("a rectangle of 3 m by 2 m has %v m²", got)
	}
	if got := SquareMetres(-1.0); got != -0.5*Unit*Unit {
		t.Errorf("half a square unit, clockwise, has %v m²", got)
	}
}
