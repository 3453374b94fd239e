package repair

// table is a map from pairs of numbers to numbers that is emptied in no time. Collisions go to the next free slot.
type table struct {
	slots []slot
	stamp uint32
	count int
}

type slot struct {
	key   uint64
	value int32
	stamp uint32
}

// reset empties the table.
func (t *table) reset() {
	t.stamp++
	t.count = 0
	if t.slots == nil || t.stamp == 0 {
		t.slots, t.stamp = make([]slot, max(len(t.slots), 256)), 1
	}
}

// key packs two numbers.
func key(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// find returns the slot of a key: its own, or the free one where it belongs.
func (t *table) find(k uint64) *slot {
	i := int(k * 0x9e3779b97f4a7c15 >> 32)
	for {
		s := &t.slots[i&(len(t.slots)-1)]
		if s.stamp != t.stamp || s.key == k {
			return s
		}
		i++
	}
}

// get returns the value of a key.
func (t *table) get(k uint64) (value int32, ok bool) {
	s := t.find(k)
	return s.value, s.stamp == t.stamp
}

// set sets the value of a key.
func (t *table) set(k uint64, value int32) {
	if 2*t.count >= len(t.slots) {
		t.grow()
	}
	s := t.find(k)
	if s.stamp != t.stamp {
		t.count++
	}
	*s = slot{k, value, t.stamp}
}

func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.stamp == t.stamp {
			*t.find(s.key) = s
		}
	}
}
