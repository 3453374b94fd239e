package detail

import "math/bits"

// fixedBits is the number of fractional bits of heights in fixed point: 1/256 of a unit.
const fixedBits = 8

// scaled returns the greatest fixed-point number that is not above num/den and the least that is not below,
// for den > 0. ok is false if one exceeds 30 bits.
func scaled(num wide, den int64) (low, high int32, ok bool) {
	// Up to 2⁵⁴ the scaled numerator is an int64. Dividing floats is much faster than integers; the float
	// quotient is off by at most one, and the remainder corrects it.
	if n := num.lo; num.hi == uint64(int64(n)>>63) && n+1<<54 < 1<<55 {
		s := int64(n << fixedBits)
		f := float64(s) / float64(den)
		if f > 1<<30-2 || f < -(1<<30-2) {
			return 0, 0, false
		}
		q := int64(f)
		r := s - q*den
		if r < 0 {
			q--
			r += den
		}
		if r >= den {
			q++
			r -= den
		}
		if r != 0 {
			return int32(q), int32(q) + 1, true
		}
		return int32(q), int32(q), true
	}
	return scaledWide(num, den)
}

func scaledWide(num wide, den int64) (low, high int32, ok bool) {
	negative := num.hi>>63 != 0
	if negative {
		num = wide{}.minus(num)
	}
	if num.hi >= 1<<(63-fixedBits) {
		return 0, 0, false
	}
	h, l := num.hi<<fixedBits|num.lo>>(64-fixedBits), num.lo<<fixedBits
	if h >= uint64(den) {
		return 0, 0, false
	}
	q, r := bits.Div64(h, l, uint64(den))
	if q >= 1<<30 {
		return 0, 0, false
	}
	low, high = int32(q), int32(q)
	if r != 0 {
		high++
	}
	if negative {
		low, high = -high, -low
	}
	return low, high, true
}

// wide is a signed 128-bit integer in two's complement.
type wide struct{ hi, lo uint64 }

// product returns a·b.
func product(a, b int64) wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// Read as unsigned, a negative factor is 2⁶⁴ too large.
	return wide{hi - uint64(a>>63)&uint64(b) - uint64(b>>63)&uint64(a), lo}
}

func (w wide) plus(v wide) wide {
	lo, carry := bits.Add64(w.lo, v.lo, 0)
	hi, _ := bits.Add64(w.hi, v.hi, carry)
	return wide{hi, lo}
}

func (w wide) minus(v wide) wide {
	lo, borrow := bits.Sub64(w.lo, v.lo, 0)
	hi, _ := bits.Sub64(w.hi, v.hi, borrow)
	return wide{hi, lo}
}
