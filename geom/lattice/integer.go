package lattice

// FloorDiv returns ⌊a/b⌋ for a b that is not 0, where Go's division rounds towards 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// CeilDiv returns ⌈a/b⌉ for b other than 0.
func CeilDiv(a, b int64) int64 { return -FloorDiv(-a, b) }

// GCD returns the greatest common divisor of two numbers, 0 for two zeros. The segment from the origin to (a, b) has
// as many lattice points, less one end.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
