package raster

// forest is a union-find structure whose roots are the smallest members of their sets, so that a
// root does not depend on the order of the unions.
type forest []int32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

// find returns the root of i's set, halving the path on the way.
func (f forest) find(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// union joins the sets of i and j.
func (f forest) union(i, j int32) {
	i, j = f.find(i), f.find(j)
	if i < j {
		f[j] = i
	} else {
		f[i] = j
	}
}
