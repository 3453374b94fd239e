package input

import "strconv"

// Decimal numbers in text formats are read byte by byte and without allocating.
//
// Source: W. D. Clinger, How to read floating point numbers accurately, PLDI 1990, section 4 (the
// fast path).
//
// Idea: a decimal with at most 2⁵³ as its digits and a power of ten between 10⁻²² and 10²² is the quotient or
// product of two exact float64 numbers, so one division or multiplication rounds once and correctly. All
// other text goes to strconv.
//
// Guarantees:
//  1. [Float] returns the value that strconv.ParseFloat returns for the same token, bit by bit, and
//     fails where it fails (TestFloatEqualsStrconv, FuzzFloat).
//  2. Neither function reads past the token or allocates for a token of ordinary length
//     (TestFloatDoesNotAllocate).
//
// Degenerate cases: infinities, NaN, hexadecimal floats and long digit strings are strconv's; an
// empty token fails.
//
// Cost: O(length of the token).
//
// Departures: none; the slow path of the paper is the standard library's.

// pow10 holds the exact powers of ten.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// maxDigits is how many decimal digits a uint64 always holds.
const maxDigits = 19

// IsBlank reports whether c separates tokens: a space or any ASCII control character.
func IsBlank(c byte) bool { return c <= ' ' }

// SkipBlank returns the first place at or after i that is not blank.
func SkipBlank(b []byte, i int) int {
	for i < len(b) && IsBlank(b[i]) {
		i++
	}
	return i
}

// TokenEnd returns where the token that starts at b[i] ends.
func TokenEnd(b []byte, i int) int {
	for i < len(b) && !IsBlank(b[i]) {
		i++
	}
	return i
}

// Float reads the token at b[i] as a float64 and returns the place after it. ok is false if the token is
// empty, is no number, or is too large for a float64.
func Float(b []byte, i int) (v float64, next int, ok bool) {
	start := i
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	var mantissa uint64
	first := i
	for i < len(b) && b[i]-'0' <= 9 {
		mantissa = mantissa*10 + uint64(b[i]-'0')
		i++
	}
	digits, exponent := i-first, 0
	if i < len(b) && b[i] == '.' {
		i++
		first = i
		for i < len(b) && b[i]-'0' <= 9 {
			mantissa = mantissa*10 + uint64(b[i]-'0')
			i++
		}
		digits += i - first
		exponent = first - i
	}
	if digits == 0 || digits > maxDigits {
		return slow(b, start)
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		var e int
		if e, i, ok = Int(b, i+1); !ok || e < -400 || e > 400 {
			return slow(b, start)
		}
		exponent += e
	}
	if i < len(b) && !IsBlank(b[i]) || mantissa > 1<<53 || exponent < -22 || exponent > 22 {
		return slow(b, start)
	}
	v = float64(mantissa)
	if exponent < 0 {
		v /= pow10[-exponent]
	} else {
		v *= pow10[exponent]
	}
	if negative {
		v = -v
	}
	return v, i, true
}

// slow reads the token at b[i] with the standard library.
func slow(b []byte, i int) (v float64, next int, ok bool) {
	next = TokenEnd(b, i)
	v, err := strconv.ParseFloat(string(b[i:next]), 64)
	return v, next, err == nil
}

// Int reads the decimal integer at b[i], with an optional sign, and returns the place after its last digit.
// ok is false without a digit or beyond ±10¹⁸.
func Int(b []byte, i int) (v, next int, ok bool) {
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	first := i
	var n int64
	for i < len(b) && b[i]-'0' <= 9 {
		if n > 1e17 {
			return 0, i, false
		}
		n = n*10 + int64(b[i]-'0')
		i++
	}
	if negative {
		n = -n
	}
	v = int(n)
	return v, i, i > first && int64(v) == n
}
