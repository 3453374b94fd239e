package boxtree

// Over calls visit for every two items of which one lies over or beside the other and reaches high enough, until a call returns
// true, and reports whether a call did. The upper item is no farther than a margin from the lower one on the first two axes, and
// reaches up to from, a height that does not fall as the lowest height of the lower item rises. The order of the calls is
// arbitrary. All axes are bounded. Time O(n log n + k) for k pairs where few boxes lie over each other.
func (t *Tree[T]) Over(margin T, from func(low T) T, visit func(lower, upper int32) bool) bool {
	if len(t.nodes) == 0 {
		return false
	}
	return (&stacker[T]{t, margin, from, visit}).join(0, 0)
}

// stacker joins a tree with itself, item below item.
type stacker[T Number] struct {
	*Tree[T]
	margin T
	from   func(low T) T
	visit  func(lower, upper int32) bool
}

// join visits the pairs of a lower item below node a and an upper item below node b.
func (s *stacker[T]) join(a, b int32) bool {
	na, nb := &s.nodes[a], &s.nodes[b]
	if !na.box.beside(&nb.box, s.margin) || nb.box.High[2] < s.from(na.box.Low[2]) {
		return false
	}
	switch {
	case na.count > 0 && nb.count > 0:
		return s.compare(s.items[na.first:na.first+na.count], s.items[nb.first:nb.first+nb.count])
	case na.count > 0:
		return s.join(a, nb.first) || s.join(a, nb.first+1)
	case nb.count > 0:
		return s.join(na.first, b) || s.join(na.first+1, b)
	}
	for _, lower := range [2]int32{na.first, na.first + 1} {
		if s.join(lower, nb.first) || s.join(lower, nb.first+1) {
			return true
		}
	}
	return false
}

// compare visits the pairs of two leaves.
func (s *stacker[T]) compare(lowers, uppers []Item[T]) bool {
	for i := range lowers {
		lower := &lowers[i]
		from := s.from(lower.Box.Low[2])
		for k := range uppers {
			upper := &uppers[k]
			if upper.Box.High[2] >= from && lower.Box.beside(&upper.Box, s.margin) && lower.ID != upper.ID && s.visit(lower.ID, upper.ID) {
				return true
			}
		}
	}
	return false
}

// beside reports whether two boxes are no farther apart than a margin on each of the first two axes.
func (b *Box[T]) beside(c *Box[T], margin T) bool {
	return b.Low[0]-margin <= c.High[0] && c.Low[0] <= b.High[0]+margin &&
		b.Low[1]-margin <= c.High[1] && c.Low[1] <= b.High[1]+margin
}
