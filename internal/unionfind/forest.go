// Package unionfind keeps elements in sets that only ever join.
package unionfind

import "slices"

// Forest is a union-find structure whose roots are the smallest members of their sets, so a
// root does not depend on the order of the unions.
type Forest []int32

// New returns n sets of a single element each.
func New(n int) Forest { return Forest(nil).Reset(n) }

// Reset returns n sets of a single element each in the memory of f, if the memory is large enough.
func (f Forest) Reset(n int) Forest {
	f = slices.Grow(f[:0], n)[:n]
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

// Find returns the root of i's set, halving the path on the way.
func (f Forest) Find(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// Union joins the sets of i and j, and reports whether they were two sets.
func (f Forest) Union(i, j int32) bool {
	i, j = f.Find(i), f.Find(j)
	f[max(i, j)] = min(i, j)
	return i != j
}
