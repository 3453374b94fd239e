package boxtree

import "math"

// Nearest enumerates items towards a point: of the children of a node the nearer child first, of the items of a leaf the
// nearest item first. Distances are rounded down: the point counts as the unit cube around it. A Nearest holds no memory
// besides itself and may be used again and again.
type Nearest struct {
	tree      *Tree[int32]
	low, high [3]int64 // the cube around the point
	wait      [height + leaf]waiting
	n         int
}

// waiting is a node, or an item if at is negative: the item ^at.
type waiting struct {
	distance2 float64
	at        int32
}

// Start begins the enumeration of the items of t from a point.
func (s *Nearest) Start(t *Tree[int32], from [3]float64) {
	s.tree, s.n = t, 0
	for k, c := range from {
		c = min(max(c, -1<<40), 1<<40)
		s.low[k], s.high[k] = int64(math.Floor(c)), int64(math.Ceil(c))
	}
	if len(t.nodes) > 0 {
		s.wait[0] = waiting{s.distance2(&t.nodes[0].box), 0}
		s.n = 1
	}
}

// distance2 returns the squared distance between a box and the cube.
func (s *Nearest) distance2(b *Box[int32]) float64 {
	x := float64(max(int64(b.Low[0])-s.high[0], s.low[0]-int64(b.High[0]), 0))
	y := float64(max(int64(b.Low[1])-s.high[1], s.low[1]-int64(b.High[1]), 0))
	z := float64(max(int64(b.Low[2])-s.high[2], s.low[2]-int64(b.High[2]), 0))
	return float64(x*x) + float64(y*y) + float64(z*z)
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
		if n.count > 0 {
			bottom := s.n
			items := t.items[n.first : n.first+n.count]
			for i := range items {
				if d2 := s.distance2(&items[i].Box); d2 <= limit2 {
					s.insert(bottom, waiting{d2, ^(n.first + int32(i))})
				}
			}
			continue
		}
		a, b := n.first, n.first+1
		da, db := s.distance2(&t.nodes[a].box), s.distance2(&t.nodes[b].box)
		if da > db {
			a, b, da, db = b, a, db, da
		}
		if db <= limit2 {
			s.wait[s.n] = waiting{db, b}
			s.n++
		}
		if da <= limit2 {
			s.wait[s.n] = waiting{da, a}
			s.n++
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
