package boxtree

// Nearest enumerates items towards a point: of the children of a node the nearer child first, of the items of a leaf the
// nearest item first. A Nearest holds no memory besides itself and may be used again and again.
type Nearest struct {
	tree *Tree[int32]
	from [3]float64
	wait [height + leaf]waiting
	n    int
}

// waiting is a node, or an item if at is negative: the item ^at.
type waiting struct {
	distance2 float64
	at        int32
}

// Start begins the enumeration of the items of t from a point.
func (s *Nearest) Start(t *Tree[int32], from [3]float64) {
	s.tree, s.n = t, 0
	s.from = from
	if len(t.nodes) > 0 {
		s.wait[0] = waiting{distance2(&t.nodes[0].box, &from), 0}
		s.n = 1
	}
}

// distance2 returns the squared distance between a box and a point, zero inside the box.
func distance2(b *Box[int32], p *[3]float64) float64 {
	var sum float64
	for k := range 3 {
		if low := float64(b.Low[k]); p[k] < low {
			sum += float64((low - p[k]) * (low - p[k]))
		} else if high := float64(b.High[k]); p[k] > high {
			sum += float64((p[k] - high) * (p[k] - high))
		}
	}
	return sum
}

// Next returns the next item whose squared distance is at most limit2; ok is false at the end. No limit may be above the
// limit of the call before.
func (s *Nearest) Next(limit2 float64) (id int32, ok bool) {
	t := s.tree
	for s.n > 0 {
		s.n--
		top := s.wait[s.n]
		if top.distance2 > limit2 {
			continue
		}
		if top.at < 0 {
			return t.items[^top.at].ID, true
		}
		n := &t.nodes[top.at]
		for n.count == 0 {
			a, b := n.first, n.first+1
			da, db := distance2(&t.nodes[a].box, &s.from), distance2(&t.nodes[b].box, &s.from)
			if da > db {
				a, b, da, db = b, a, db, da
			}
			if db <= limit2 {
				s.wait[s.n] = waiting{db, b}
				s.n++
			}
			if n = &t.nodes[a]; da > limit2 {
				break
			}
		}
		bottom := s.n
		items := t.items[n.first : n.first+n.count]
		for i := range items {
			if d2 := distance2(&items[i].Box, &s.from); d2 <= limit2 {
				s.insert(bottom, waiting{d2, ^(n.first + int32(i))})
			}
		}
	}
	return 0, false
}

// insert keeps the nearest above bottom on top.
func (s *Nearest) insert(bottom int, w waiting) {
	at := s.n
	for at > bottom && s.wait[at-1].distance2 <= w.distance2 {
		s.wait[at] = s.wait[at-1]
		at--
	}
	s.wait[at] = w
	s.n++
}
