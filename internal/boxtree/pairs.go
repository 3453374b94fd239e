package boxtree

// Pairs calls visit once for every two items whose boxes meet. Each comparison of two boxes takes 1 from left; the visits
// end below 0. Time O(n log n + k) for k pairs where few boxes overlap.
func (t *Tree[T]) Pairs(left *int, visit func(i, k int32)) {
	if len(t.nodes) > 0 {
		(&joiner[T]{t, left, visit}).join(0, 0)
	}
}

// joiner joins a tree with itself.
type joiner[T Number] struct {
	*Tree[T]
	left  *int
	visit func(i, k int32)
}

// join visits the pairs of an item below node a and another item below node b.
func (j *joiner[T]) join(a, b int32) {
	na, nb := &j.nodes[a], &j.nodes[b]
	*j.left--
	switch {
	case *j.left < 0:
	case !na.box.Meets(&nb.box):
	case a == b && na.count > 0:
		for i := na.first; i < na.first+na.count; i++ {
			j.compare(i, na.first, i)
		}
	case a == b:
		j.join(na.first, na.first)
		j.join(na.first+1, na.first+1)
		j.join(na.first, na.first+1)
	case na.count > 0 && nb.count > 0:
		for i := na.first; i < na.first+na.count; i++ {
			j.compare(i, nb.first, nb.first+nb.count)
		}
	case nb.count > 0 || na.count == 0 && na.extent() >= nb.extent():
		j.join(na.first, b)
		j.join(na.first+1, b)
	default:
		j.join(a, nb.first)
		j.join(a, nb.first+1)
	}
}

// compare visits the pairs of item i and the items from first to before end.
func (j *joiner[T]) compare(i, first, end int32) {
	for k := first; k < end && *j.left >= 0; k++ {
		if *j.left--; j.items[i].Box.Meets(&j.items[k].Box) {
			j.visit(j.items[i].ID, j.items[k].ID)
		}
	}
}

// extent returns the sum of the lengths of a node's box.
func (n *node[T]) extent() float64 {
	var sum float64
	for k := range 3 {
		sum += float64(n.box.High[k]) - float64(n.box.Low[k])
	}
	return sum
}
