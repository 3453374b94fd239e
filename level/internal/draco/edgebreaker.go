package draco

import (
	"errors"
	"fmt"
	"slices"
)

// none is no corner.
const none = -1

// corners is a mesh by its corners: corners 3f to 3f+2 are those of triangle f, counter-clockwise.
type corners struct {
	vertex   []int32
	opposite []int32 // the corner across the opposite edge, none at a border
	leftmost []int32 // of each vertex, its corner farthest to the left, none for a vertex that was merged
	vertices int
	seams    [][]bool // of each attribute with connectivity of its own, the corners opposite to a seam
}

func next(c int32) int32 {
	if c%3 == 2 {
		return c - 2
	}
	return c + 1
}

func before(c int32) int32 {
	if c%3 == 0 {
		return c + 2
	}
	return c - 1
}

// left returns the next corner of the same vertex to the left, none beyond a border.
func (m *corners) left(c int32) int32 {
	if o := m.opposite[next(c)]; o != none {
		return next(o)
	}
	return none
}

// right returns the next corner of the same vertex to the right, none beyond a border.
func (m *corners) right(c int32) int32 {
	if o := m.opposite[before(c)]; o != none {
		return before(o)
	}
	return none
}

// errTopology tells of symbols that no mesh has.
var errTopology = errors.New("the connectivity contradicts itself")

// join makes two corners opposite to each other.
func (m *corners) join(a, b int32) error {
	if a == b || m.opposite[a] != none || m.opposite[b] != none {
		return errTopology
	}
	m.opposite[a], m.opposite[b] = b, a
	return nil
}

func (m *corners) newVertex(c int32) int32 {
	m.leftmost = append(m.leftmost, c)
	return int32(len(m.leftmost) - 1)
}

// Symbols: the triangle that is added closes a fan (c), joins two borders (s), has its left or its right edge free (l, r), or begins anew (e).
const (
	symbolC = 0
	symbolS = 1
	symbolL = 3
	symbolR = 5
	symbolE = 7
)

// split is a border that a later symbol s joins.
type split struct {
	source, split uint32
	right         bool
}

// reader of symbols.
type symbolReader struct {
	direct  *bits // standard traversal
	valence []int32
	context int
	lists   [6][]uint32 // of each context, symbols from the end
}

// next returns the next symbol.
func (r *symbolReader) next() (int, error) {
	if r.direct != nil {
		s := int(r.direct.read(1))
		if s != symbolC {
			s |= int(r.direct.read(2)) << 1
		}
		if r.direct.bad {
			return 0, errEnd
		}
		return s, nil
	}
	if r.context < 0 {
		return symbolE, nil
	}
	list := &r.lists[r.context]
	if len(*list) == 0 {
		return 0, errTopology
	}
	s := (*list)[len(*list)-1]
	*list = (*list)[:len(*list)-1]
	names := [5]int{symbolC, symbolS, symbolL, symbolR, symbolE}
	if int(s) >= len(names) {
		return 0, errTopology
	}
	return names[s], nil
}

// reached counts the triangles at vertices: their number at the next vertex is the context of the next symbol.
func (r *symbolReader) reached(m *corners, symbol int, c int32) {
	if r.direct != nil {
		return
	}
	for len(r.valence) < len(m.leftmost) {
		r.valence = append(r.valence, 0)
	}
	tip, n, p := m.vertex[c], m.vertex[next(c)], m.vertex[before(c)]
	switch symbol {
	case symbolC, symbolS:
		r.valence[n]++
		r.valence[p]++
	case symbolR:
		r.valence[tip]++
		r.valence[n]++
		r.valence[p] += 2
	case symbolL:
		r.valence[tip]++
		r.valence[n] += 2
		r.valence[p]++
	case symbolE:
		r.valence[tip] += 2
		r.valence[n] += 2
		r.valence[p] += 2
	}
	r.context = int(min(7, max(2, r.valence[n]))) - 2
}

// edgebreaker decodes the connectivity.
func (d *decoder) edgebreaker() error {
	traversal := d.u8()
	vertices, faces := d.varint(), d.varint()
	attributes := int(d.u8())
	count, splitSymbols := d.varint(), d.varint()
	switch {
	case d.err != nil:
		return d.err
	case faces > uint64(d.most):
		return fmt.Errorf("%d triangles, more than %d", faces, d.most)
	case count > faces || vertices > 3*faces || splitSymbols > count:
		return fmt.Errorf("%d symbols and %d vertices for %d triangles", count, vertices, faces)
	}
	splits, err := d.splits(count)
	if err != nil {
		return err
	}
	symbols := symbolReader{context: none}
	switch traversal {
	case 0:
		symbols.direct = &bits{data: d.take(d.varint())}
	case 2:
	default:
		return fmt.Errorf("a traversal of type %d, only standard (0) and by valence (2) are read", traversal)
	}
	starts, err := d.flags()
	if err != nil {
		return err
	}
	seams := make([]flags, attributes)
	for i := range seams {
		if seams[i], err = d.flags(); err != nil {
			return err
		}
	}
	if traversal == 2 {
		for i := range symbols.lists {
			n := d.varint()
			if n > count {
				return fmt.Errorf("%d symbols of a context, %d in all", n, count)
			}
			if symbols.lists[i], err = d.symbols(int(n), 1); err != nil {
				return err
			}
		}
	}
	if d.err != nil {
		return d.err
	}
	d.corners = &corners{}
	stack, err := d.grow(&symbols, splits, int32(count), int(vertices+splitSymbols))
	if err != nil {
		return err
	}
	if err := d.close(stack, &starts, int(faces)); err != nil {
		return err
	}
	d.readSeams(seams)
	return nil
}

// splits reads where borders divide, in the order of symbols.
func (d *decoder) splits(symbols uint64) ([]split, error) {
	n := d.varint()
	if n > symbols || n > uint64(len(d.data)) {
		return nil, fmt.Errorf("%d splits of %d symbols", n, symbols)
	}
	var out []split
	last := uint64(0)
	for range n {
		last += d.varint()
		back := d.varint()
		if last >= symbols || back > last {
			return nil, errTopology
		}
		out = append(out, split{source: uint32(last), split: uint32(last - back)})
	}
	b := bits{data: d.data}
	for i := range out {
		out[i].right = b.read(1) == 1
	}
	d.take((b.at + 7) / 8)
	return out, d.err
}

// grow adds a triangle for each symbol and returns the borders that are left.
func (d *decoder) grow(symbols *symbolReader, splits []split, count int32, mostVertices int) ([]int32, error) {
	m := d.corners
	var stack []int32
	waiting := map[int32]int32{} // of a symbol s, the corner of its other border
	for i := range count {
		symbol, err := symbols.next()
		if err != nil {
			return nil, err
		}
		c := 3 * i
		m.vertex = append(m.vertex, none, none, none)
		m.opposite = append(m.opposite, none, none, none)
		if symbol != symbolE && len(stack) == 0 {
			return nil, errTopology
		}
		switch symbol {
		case symbolC:
			err = d.addC(stack[len(stack)-1], c)
		case symbolS:
			b := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if other, ok := waiting[i]; ok {
				stack = append(stack, other)
			}
			if len(stack) == 0 {
				return nil, errTopology
			}
			err = d.addS(stack[len(stack)-1], b, c, symbols)
		case symbolR:
			err = d.addOpen(stack[len(stack)-1], c+2, c+1, c)
		case symbolL:
			err = d.addOpen(stack[len(stack)-1], c+1, c, c+2)
		case symbolE:
			for k := range int32(3) {
				m.vertex[c+k] = m.newVertex(c + k)
			}
			stack = append(stack, none)
		default:
			err = errTopology
		}
		if err != nil {
			return nil, err
		}
		if len(m.leftmost) > mostVertices {
			return nil, fmt.Errorf("more than %d vertices", mostVertices)
		}
		stack[len(stack)-1] = c
		symbols.reached(m, symbol, c)
		if symbol == symbolC || symbol == symbolS {
			continue
		}
		// Symbols are numbered from the last one, as the encoder met them.
		for n := len(splits) - 1; n >= 0 && splits[n].source == uint32(count-1-i); n-- {
			corner := before(c)
			if splits[n].right {
				corner = next(c)
			}
			waiting[count-1-int32(splits[n].split)] = corner
			splits = splits[:n]
		}
	}
	return stack, nil
}

// addC closes the fan around a vertex of the border.
func (d *decoder) addC(a, c int32) error {
	m := d.corners
	x := m.vertex[next(a)]
	if m.leftmost[x] == none {
		return errTopology
	}
	b := next(m.leftmost[x])
	if err := m.join(a, c+1); err != nil {
		return err
	}
	if err := m.join(b, c+2); err != nil {
		return err
	}
	last := m.vertex[before(a)]
	m.vertex[c], m.vertex[c+1], m.vertex[c+2] = x, m.vertex[next(b)], last
	m.leftmost[last] = c + 2
	return nil
}

// addOpen adds a triangle with a new vertex at corner tip; r and l are its other corners.
func (d *decoder) addOpen(a, tip, l, r int32) error {
	m := d.corners
	if err := m.join(a, tip); err != nil {
		return err
	}
	m.vertex[tip] = m.newVertex(tip)
	v := m.vertex[before(a)]
	m.vertex[r], m.vertex[l] = v, m.vertex[next(a)]
	m.leftmost[v] = r
	return nil
}

// addS joins two borders at a vertex.
func (d *decoder) addS(a, b, c int32, symbols *symbolReader) error {
	m := d.corners
	if err := m.join(a, c+2); err != nil {
		return err
	}
	if err := m.join(b, c+1); err != nil {
		return err
	}
	p, last := m.vertex[before(a)], m.vertex[before(b)]
	m.vertex[c], m.vertex[c+1], m.vertex[c+2] = p, m.vertex[next(a)], last
	m.leftmost[last] = c + 2
	from := next(b)
	n := m.vertex[from]
	if n == p || m.leftmost[n] == none {
		return errTopology
	}
	if symbols.direct == nil {
		symbols.valence[p] += symbols.valence[n]
	}
	m.leftmost[p] = m.leftmost[n]
	for k := from; k != none; {
		m.vertex[k] = p
		if k = m.left(k); k == from {
			return errTopology
		}
	}
	m.leftmost[n] = none
	return nil
}

// close adds the triangles that have neighbours on all three sides.
func (d *decoder) close(stack []int32, starts *flags, faces int) error {
	m := d.corners
	for _, a := range slices.Backward(stack) {
		if !starts.next() {
			continue
		}
		if len(m.vertex)/3 >= faces {
			return errTopology
		}
		n := m.vertex[next(a)]
		if m.leftmost[n] == none {
			return errTopology
		}
		b := next(m.leftmost[n])
		x := m.vertex[next(b)]
		if m.leftmost[x] == none {
			return errTopology
		}
		k := next(m.leftmost[x])
		p := m.vertex[next(k)]
		c := int32(len(m.vertex))
		m.vertex = append(m.vertex, x, p, n)
		m.opposite = append(m.opposite, none, none, none)
		for i, o := range [3]int32{a, b, k} {
			if err := m.join(c+int32(i), o); err != nil {
				return err
			}
		}
	}
	if len(m.vertex)/3 != faces {
		return fmt.Errorf("%d triangles, the header says %d", len(m.vertex)/3, faces)
	}
	m.vertices = len(m.leftmost)
	return nil
}

// readSeams reads the edges at which attributes change.
func (d *decoder) readSeams(readers []flags) {
	m := d.corners
	for range readers {
		m.seams = append(m.seams, make([]bool, len(m.vertex)))
	}
	if len(readers) == 0 {
		return
	}
	for c := range int32(len(m.vertex)) {
		o := m.opposite[c]
		switch {
		case o == none:
			for i := range readers {
				m.seams[i][c] = true
			}
		case o/3 >= c/3:
			for i := range readers {
				if readers[i].next() {
					m.seams[i][c], m.seams[i][o] = true, true
				}
			}
		}
	}
}
