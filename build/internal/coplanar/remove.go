package coplanar

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
)

// most is the most triangles around a removable vertex.
const most = 64

// thin removes all vertices that the surface does not need.
func (m *mesh) thin() {
	var w work
	for v := range m.at {
		if !m.stays[v] {
			m.remove(int32(v), &w)
		}
	}
}

// work is memory for one vertex.
type work struct {
	spokes []int32 // half-edges from the vertex, counter-clockwise
	holes  [2]hole
}

// hole is the polygon left by triangles of one group around a vertex.
type hole struct {
	ring    []int32 // vertices, counter-clockwise
	outer   []int32 // twins of the edges from each vertex on the ring to the next
	slots   []int32 // triangles that were there
	points  []lattice.Point
	left    []int32 // places in ring that are not cut off yet
	known   []int32 // by place in ring, see unknown
	ears    [][3]int32
	closing int32 // half-edge that became the last edge of the ring
}

// remove takes a vertex out of the mesh if the surface stays the same without it. The vertex is inside of a group, or on
// a straight border of one group, or on a straight border between two groups.
func (m *mesh) remove(v int32, w *work) {
	open, ok := m.spokesOf(v, w)
	if !ok {
		return
	}
	n := len(w.spokes)
	changes, second := 0, 0 // where the second group starts
	for i := 1; i < n; i++ {
		if m.group[w.spokes[i]/3] != m.group[w.spokes[i-1]/3] {
			changes, second = changes+1, i
		}
	}
	inside := !open && changes == 0
	switch {
	case inside:
		if !m.around(v, w.spokes) {
			return
		}
	case open:
		if changes > 0 || !m.straight(v, w.spokes) {
			return
		}
		second = n
	default:
		// Spokes start at a change.
		if changes != 1 || !m.straight(v, w.spokes[:second]) || !m.straight(v, w.spokes[second:]) {
			return
		}
	}
	if inside {
		second = n
	}
	w.holes[0].dig(m, w.spokes[:second], inside)
	w.holes[1].dig(m, w.spokes[second:], inside)
	for k := range w.holes {
		h := &w.holes[k]
		if len(h.ring) > 0 && !h.cutEars(m.at) {
			return
		}
	}
	w.holes[0].fill(m)
	if len(w.holes[1].ring) > 0 {
		w.holes[1].fill(m)
		a, b := w.holes[0].closing, w.holes[1].closing
		m.twin[a], m.twin[b] = b, a
	}
	m.out[v] = none
}

// spokesOf lists the half-edges from a vertex, from a border or a change of groups on, and reports whether the vertex is on the border of the
// mesh. ok is false if the list is too long.
func (m *mesh) spokesOf(v int32, w *work) (open, ok bool) {
	first := m.first(m.out[v])
	open = m.twin[first] == none
	if !open {
		for g := first; ; {
			if before := m.twin[g] / 3; m.group[before] != m.group[g/3] {
				first = g
				break
			}
			if g = m.twin[prev(g)]; g == first {
				break
			}
		}
	}
	w.spokes = w.spokes[:0]
	for g := first; ; {
		if w.spokes = append(w.spokes, g); len(w.spokes) > most {
			return open, false
		}
		if g = m.twin[prev(g)]; g == none || g == first {
			return open, true
		}
	}
}

// ends returns the vertices at the far ends of a triangle's edges at the start of a spoke.
func (m *mesh) ends(spoke int32) (a, b int32) { return m.from(next(spoke)), m.from(prev(spoke)) }

// around reports whether triangles go around a vertex exactly once.
func (m *mesh) around(v int32, spokes []int32) bool {
	upper := func(p int32) bool {
		dx, dy := m.at[p].Sub(m.at[v].Point)
		return dy > 0 || dy == 0 && dx > 0
	}
	turns := 0
	for _, s := range spokes {
		if a, b := m.ends(s); !upper(a) && upper(b) {
			turns++
		}
	}
	return turns == 1
}

// straight reports whether the triangles of a group around a vertex fill the one side of a straight line in space.
func (m *mesh) straight(v int32, spokes []int32) bool {
	first, _ := m.ends(spokes[0])
	a, at := m.at[first], m.at[v]
	for i, s := range spokes {
		_, end := m.ends(s)
		b := m.at[end]
		if i < len(spokes)-1 {
			if lattice.Orient(at.Point, a.Point, b.Point) <= 0 {
				return false
			}
			continue
		}
		if soup.Normal([3]lattice.Vertex{a, at, b}) != [3]int64{} {
			return false // else b is straight ahead: all other corners are on the left
		}
	}
	return true
}

// dig makes the hole left by the triangles of one group around a vertex. The vertex is inside of the group or on its border.
func (h *hole) dig(m *mesh, spokes []int32, inside bool) {
	h.ring, h.outer, h.slots, h.closing = h.ring[:0], h.outer[:0], h.slots[:0], none
	for _, s := range spokes {
		a, _ := m.ends(s)
		h.ring, h.outer, h.slots = append(h.ring, a), append(h.outer, m.twin[next(s)]), append(h.slots, s/3)
	}
	if n := len(spokes); n > 0 && !inside {
		_, b := m.ends(spokes[n-1])
		h.ring, h.outer = append(h.ring, b), append(h.outer, none)
	}
}

// cutEars divides the hole into triangles. Each has the shortest possible new edge. ok is false if the ring crosses itself.
func (h *hole) cutEars(at []lattice.Vertex) (ok bool) {
	h.points, h.left, h.ears, h.known = h.points[:0], h.left[:0], h.ears[:0], h.known[:0]
	for i, v := range h.ring {
		h.points, h.left, h.known = append(h.points, at[v].Point), append(h.left, int32(i)), append(h.known, unknown)
	}
	for len(h.left) > 3 {
		best, shortest := none, uint64(0)
		before := len(h.left) - 1
		for i := range h.left {
			behind := i + 1
			if behind == len(h.left) {
				behind = 0
			}
			a, c := h.points[h.left[before]], h.points[h.left[behind]]
			if d := a.Distance2(c); (best == none || d < shortest) && h.isEar(before, i, behind) {
				best, shortest = i, d
			}
			before = i
		}
		if best == none {
			return false
		}
		n := len(h.left)
		ear := [3]int32{h.left[(best+n-1)%n], h.left[best], h.left[(best+1)%n]}
		h.ears = append(h.ears, ear)
		// The neighbours get other neighbours. All other corners without obstacles stay ears.
		h.known[ear[0]], h.known[ear[1]], h.known[ear[2]] = unknown, gone, unknown
		h.left = append(h.left[:best], h.left[best+1:]...)
	}
	a, b, c := h.left[0], h.left[1], h.left[2]
	h.ears = append(h.ears, [3]int32{a, b, c})
	return lattice.Orient(h.points[a], h.points[b], h.points[c]) > 0
}

// The states of a corner of the ring. Any other value is the number of a corner within its triangle.
const (
	unknown = -1 - iota
	gone    // cut off
	free    // no corner is in the triangle
	reflex  // there is no triangle
)

// isEar reports whether a remaining corner of the ring makes a triangle with its neighbours, with no other corner in the triangle.
func (h *hole) isEar(before, i, behind int) bool {
	known := &h.known[h.left[i]]
	switch {
	case *known == free:
		return true
	case *known == reflex || *known >= 0 && h.known[*known] != gone:
		return false
	}
	a, b, c := h.points[h.left[before]], h.points[h.left[i]], h.points[h.left[behind]]
	if lattice.Orient(a, b, c) <= 0 {
		*known = reflex
		return false
	}
	for k, at := range h.left {
		if k == before || k == i || k == behind {
			continue
		}
		if p := h.points[at]; lattice.Orient(a, b, p) >= 0 && lattice.Orient(b, c, p) >= 0 && lattice.Orient(c, a, p) >= 0 {
			*known = at
			return false
		}
	}
	*known = free
	return true
}

// fill puts the triangles of the ears into the hole.
func (h *hole) fill(m *mesh) {
	last := int32(len(h.ring) - 1)
	group := m.group[h.slots[0]]
	for i, ear := range h.ears {
		t := h.slots[i]
		m.group[t] = group
		final := i == len(h.ears)-1
		for k, place := range ear {
			e := 3*t + int32(k)
			v := h.ring[place]
			m.corner[t][k], m.out[v] = v, e
			if k == 2 && !final {
				m.twin[e] = none // until the next ear takes the edge
				h.outer[ear[0]] = e
				continue
			}
			o := h.outer[place]
			if m.twin[e] = o; o != none {
				m.twin[o] = e
			}
			if place == last && h.closing == none {
				h.closing = e
			}
		}
	}
	for _, t := range h.slots[len(h.ears):] {
		m.corner[t] = [3]int32{none, none, none}
	}
}
