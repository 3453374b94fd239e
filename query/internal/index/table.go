package index

// fanout is the number of pages below a node of a table.
const fanout = 32

// table is a persistent array of pages: nodes of pages. See pages.go.
type table[P any] []*[fanout]*P

// page returns a page, nil beyond the last.
func (t table[P]) page(k uint32) *P {
	if int(k/fanout) >= len(t) {
		return nil
	}
	return t[k/fanout][k%fanout]
}

// put sets a page. Nodes that old holds are copied.
func (t *table[P]) put(old table[P], k uint32, p *P) {
	n := k / fanout
	for int(n) >= len(*t) {
		*t = append(*t, new([fanout]*P))
	}
	if int(n) < len(old) && (*t)[n] == old[n] {
		node := *old[n]
		(*t)[n] = &node
	}
	(*t)[n][k%fanout] = p
}

// own returns a page to write to: a copy of a page that old holds, or a new page beyond the last.
func (t *table[P]) own(old table[P], k uint32) *P {
	p := t.page(k)
	if p == nil {
		p = new(P)
		t.put(old, k, p)
	} else if p == old.page(k) {
		page := *p
		p = &page
		t.put(old, k, p)
	}
	return p
}
