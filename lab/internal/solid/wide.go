package solid

import "math/bits"

// wide is a 128-bit integer in two's complement.
type wide struct{ hi, lo uint64 }

// product returns a·b.
func product(a, b int64) wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// Read as unsigned, a negative factor is 2⁶⁴ too large.
	if a < 0 {
		hi -= uint64(b)
	}
	if b < 0 {
		hi -= uint64(a)
	}
	return wide{hi, lo}
}

func (a wide) plus(b wide) wide {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return wide{hi, lo}
}

func (a wide) sign() int {
	switch {
	case a.hi>>63 != 0:
		return -1
	case a == wide{}:
		return 0
	}
	return 1
}
