package lattice

// Interleave returns the bits of x and y in turns, the lowest of x first. In the order of such numbers, places lie along a Z-shaped
// curve: neighbours in the plane are mostly neighbours in the order. Source: G. M. Morton, A computer oriented geodetic data base, IBM
// Ottawa 1966.
func Interleave(x, y uint32) uint64 { return spread(x) | spread(y)<<1 }

// spread returns the bits of v with a zero bit between any two.
func spread(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}
