package lattice

// undoConflicts restores chains whose new edges meet others, or cross an old edge, until no conflict is left.
func (s *straightener) undoConflicts() {
	type segment struct {
		a, b  Point
		chain int // -1 for an old one
	}
	for {
		var all []segment
		for i := range s.chains {
			c := &s.chains[i]
			for k, p := range c.points {
				all = append(all, segment{p, s.next(i, k), i})
			}
		}
		fresh := len(all)
		for b := range s.borders {
			for i := range s.borders[b].Ring {
				p, q := s.edge(b, i)
				all = append(all, segment{p, q, -1})
			}
		}
		bad := make([]bool, len(s.chains))
		again := false
		index := newGrid(len(all), func(i int) Box { return BoxOf(all[i].a, all[i].b) }, nil)
		index.forPairs(func(i int) Box { return BoxOf(all[i].a, all[i].b) }, nil, func(i, k int) bool {
			x, y := &all[i], &all[k]
			if i >= fresh && k >= fresh {
				return true
			}
			wrong := false
			switch SegmentContact(x.a, x.b, y.a, y.b) {
			case ProperCrossing:
				wrong = true
			case EndOnInterior, Overlap:
				wrong = x.chain >= 0 && y.chain >= 0
			case SharedEnd:
				wrong = x.chain >= 0 && y.chain >= 0 && (x.a == y.a && !s.stays[x.a] || x.b == y.b && !s.stays[x.b])
			}
			if wrong {
				for _, c := range [...]int{x.chain, y.chain} {
					if c >= 0 && !s.chains[c].restored {
						bad[c], again = true, true
					}
				}
			}
			return true
		})
		if !again {
			return
		}
		for i := range bad {
			if bad[i] {
				s.restore(&s.chains[i])
			}
		}
	}
}

// next returns the point of the result after point k of a chain.
func (s *straightener) next(chain, k int) Point {
	c := &s.chains[chain]
	if k+1 < len(c.points) {
		return c.points[k+1]
	}
	b := c.border
	if chain+1 < len(s.chains) && s.chains[chain+1].border == b {
		return s.chains[chain+1].points[0]
	}
	for chain > 0 && s.chains[chain-1].border == b {
		chain--
	}
	return s.chains[chain].points[0]
}
