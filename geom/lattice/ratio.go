package lattice

import "math"

// Ratio is an exact rational number ≥ 0: a squared distance on the lattice. The zero Ratio is 0.
//
// The numerator is at most 2¹²⁴, the square of twice a triangle's area. The denominator is below 2⁶³, stored
// less one so that the zero value is valid. Comparing two ratios takes 192 bits.
type Ratio struct {
	num       wide
	denMinus1 uint64
}

func (r Ratio) den() uint64 { return r.denMinus1 + 1 }

// Compare returns -1, 0 or 1 as r is less than, equal to or greater than s. It is exact.
func (r Ratio) Compare(s Ratio) int { return compareProducts(r.num, s.den(), s.num, r.den()) }

// CompareInt compares r with the integer n, exactly. To compare a distance with a length, pass the square of
// the length.
func (r Ratio) CompareInt(n uint64) int { return r.num.compare(mul(n, r.den())) }

// IsZero reports whether r is 0.
func (r Ratio) IsZero() bool { return r.num == wide{} }

// Float returns the number nearest to r up to a relative error of 2⁻⁵¹.
func (r Ratio) Float() float64 { return r.num.float() / float64(r.den()) }

// Sqrt returns the root of r, for reports: the distance if r is a squared distance.
func (r Ratio) Sqrt() float64 { return math.Sqrt(r.Float()) }

// integer returns n as a Ratio.
func integer(n uint64) Ratio { return Ratio{num: wide{0, n}} }

// LineDistance2 returns the squared distance of p and the line through a and b, and of p and a
// where a and b are the same point.
func LineDistance2(p, a, b Point) Ratio {
	if a == b {
		return integer(p.Distance2(a))
	}
	area := magnitude(Orient(a, b, p))
	return Ratio{num: mul(area, area), denMinus1: a.Distance2(b) - 1}
}

// SegmentDistance2 returns the squared distance of p and the closed segment ab, exactly. It does
// not depend on the order of a and b.
func SegmentDistance2(p, a, b Point) Ratio {
	switch along := Dot(a, b, p); {
	case along <= 0:
		return integer(p.Distance2(a))
	case along >= Dot(a, b, b):
		return integer(p.Distance2(b))
	}
	return LineDistance2(p, a, b)
}

// SegmentsDistance2 returns the squared distance of the closed segments ab and cd, exactly; zero
// when they meet.
func SegmentsDistance2(a, b, c, d Point) Ratio {
	if SegmentContact(a, b, c, d) != Disjoint {
		return Ratio{}
	}
	// The shortest way between disjoint segments starts at an end of one of them.
	least := SegmentDistance2(a, c, d)
	for _, r := range [...]Ratio{SegmentDistance2(b, c, d), SegmentDistance2(c, a, b), SegmentDistance2(d, a, b)} {
		if r.Compare(least) < 0 {
			least = r
		}
	}
	return least
}
