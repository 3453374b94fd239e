package lattice

import "math/bits"

// wide is an unsigned 128-bit integer. Where a sum may be negative it is read as two's complement:
// see [wide.sign].
type wide struct{ hi, lo uint64 }

// mul returns a·b.
func mul(a, b uint64) wide {
	hi, lo := bits.Mul64(a, b)
	return wide{hi, lo}
}

// mulSigned returns a·b in two's complement. The product of two int64 always fits.
func mulSigned(a, b int64) wide {
	w := mul(magnitude(a), magnitude(b))
	if (a < 0) != (b < 0) {
		return w.neg()
	}
	return w
}

// magnitude returns |a|, also for the smallest int64.
func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func (a wide) add(b wide) wide {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return wide{hi, lo}
}

func (a wide) sub(b wide) wide {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return wide{hi, lo}
}

func (a wide) neg() wide { return wide{}.sub(a) }

// compare orders a and b as unsigned numbers.
func (a wide) compare(b wide) int {
	switch {
	case a.hi < b.hi || a.hi == b.hi && a.lo < b.lo:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// sign returns the sign of a read as two's complement.
func (a wide) sign() int {
	switch {
	case a.hi>>63 != 0:
		return -1
	case a == wide{}:
		return 0
	}
	return 1
}

// float returns a read as unsigned, correctly rounded up to the last bit or two.
func (a wide) float() float64 { return float64(float64(a.hi)*(1<<64)) + float64(a.lo) }

// compareProducts compares a·m with b·n, 192-bit products.
func compareProducts(a wide, m uint64, b wide, n uint64) int {
	ah, al := a.times(m)
	bh, bl := b.times(n)
	if ah != bh {
		if ah < bh {
			return -1
		}
		return 1
	}
	return al.compare(bl)
}

// times returns the 192-bit product a·m as its highest 64 bits and the 128 below.
func (a wide) times(m uint64) (high uint64, low wide) {
	h, l := mul(a.hi, m), mul(a.lo, m)
	mid, carry := bits.Add64(l.hi, h.lo, 0)
	return h.hi + carry, wide{mid, l.lo}
}

// roundedQuotient returns ⌊±m/den + ½⌋, the nearest integer with halves rounded up. ok is false if it does
// not fit an int64. den must be positive and below 2⁶³.
func roundedQuotient(negative bool, m wide, den uint64) (q int64, ok bool) {
	if m.hi >= den {
		return 0, false
	}
	u, rest := bits.Div64(m.hi, m.lo, den)
	if u >= 1<<63-1 {
		return 0, false
	}
	// With rest/den = f, a positive value rounds up from f = ½, a negative one away from zero
	// above ½ only.
	switch twice := rest << 1; {
	case twice > den, twice == den && !negative:
		u++
	}
	if negative {
		return -int64(u), true
	}
	return int64(u), true
}
