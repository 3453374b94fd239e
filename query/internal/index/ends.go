package index

import "github.com/meadow-nav/meadow/geom/lattice"

// ends is a map from pairs of points to numbers that is emptied in no time. Collisions go to the next free slot.
type ends struct {
	slots []endSlot
	stamp uint32 // of slots in use
	count int
}

type endSlot struct {
	a, b  lattice.Point
	value int32
	stamp uint32
}

// clear empties the map.
func (m *ends) clear() {
	m.stamp++
	m.count = 0
	if m.slots == nil || m.stamp == 0 {
		m.slots, m.stamp = make([]endSlot, max(len(m.slots), 256)), 1
	}
}

// find returns the slot of a pair, or the free slot where the pair belongs.
func (m *ends) find(a, b lattice.Point) *endSlot {
	h := (uint64(uint32(a.X))<<32 | uint64(uint32(a.Y))) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ (uint64(uint32(b.X))<<32 | uint64(uint32(b.Y)))) * 0xbf58476d1ce4e5b9
	for i := int(h >> 32); ; i++ {
		s := &m.slots[i&(len(m.slots)-1)]
		if s.stamp != m.stamp || s.a == a && s.b == b {
			return s
		}
	}
}

// of returns the number of a pair.
func (m *ends) of(a, b lattice.Point) (value int32, ok bool) {
	s := m.find(a, b)
	return s.value, s.stamp == m.stamp
}

// set gives a pair a number.
func (m *ends) set(a, b lattice.Point, value int32) {
	if 2*m.count >= len(m.slots) {
		old := m.slots
		m.slots = make([]endSlot, 2*len(old))
		for _, s := range old {
			if s.stamp == m.stamp {
				*m.find(s.a, s.b) = s
			}
		}
	}
	s := m.find(a, b)
	if s.stamp != m.stamp {
		m.count++
	}
	*s = endSlot{a, b, value, m.stamp}
}

// places is a set of points that is emptied in no time. Collisions go to the next free slot.
type places struct {
	slots []placeSlot
	stamp uint32 // of slots in use
	count int
}

type placeSlot struct {
	at    lattice.Point
	stamp uint32
}

// clear empties the set.
func (s *places) clear() {
	s.stamp++
	s.count = 0
	if s.slots == nil || s.stamp == 0 {
		s.slots, s.stamp = make([]placeSlot, max(len(s.slots), 256)), 1
	}
}

// find returns the slot of a point, or the free slot where the point belongs.
func (s *places) find(p lattice.Point) *placeSlot {
	h := (uint64(uint32(p.X))<<32 | uint64(uint32(p.Y))) * 0x9e3779b97f4a7c15
	for i := int(h >> 40); ; i++ {
		slot := &s.slots[i&(len(s.slots)-1)]
		if slot.stamp != s.stamp || slot.at == p {
			return slot
		}
	}
}

// add adds a point, which may be in the set.
func (s *places) add(p lattice.Point) {
	slot := s.find(p)
	if slot.stamp == s.stamp {
		return
	}
	*slot = placeSlot{p, s.stamp}
	if s.count++; 2*s.count < len(s.slots) {
		return
	}
	old := s.slots
	s.slots = make([]placeSlot, 2*len(old))
	for _, o := range old {
		if o.stamp == s.stamp {
			*s.find(o.at) = o
		}
	}
}

func (s *places) has(p lattice.Point) bool { return s.find(p).stamp == s.stamp }
