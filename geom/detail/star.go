package detail

import "math"

// maxRing is the number of neighbours above which a vertex stays, because the cost of a judgement grows with
// its cube. Most vertices of a triangulation have few neighbours, so some are always removable.
const maxRing = 12

// maxDrift is the largest shift of a border into the inside of the original border, in units; drifts are kept
// in fractions of it.
const (
	maxDrift   = 1
	driftScale = 128
)

// star is a vertex with the triangles around it, and their hole. Points are relative to the vertex.
// Neighbours are in counter-clockwise order, of a vertex on the border beginning and ending with the border.
// Triangle i is between neighbours i and i+1; on the border the last triangle is missing.
type star struct {
	v       uint32
	k       int // neighbours
	open    bool
	narrow  bool // numerators fit 64 bits
	flat    bool // the triangles lie in one plane and are no farther from the original
	drift   uint8
	half    [maxRing]int32 // from the vertex to each neighbour
	u       [maxRing]uint32
	x, y, z [maxRing]int64
	cross   [maxRing][maxRing]int64 // of neighbours i and j: twice the area of vertex, i and j
	low     [maxRing]int32          // of triangle i
	high    [maxRing]int32
	lowest  int32
	highest int32

	trial, best fan
}

// fan are triangles between the neighbour apex and each two others that follow each other.
type fan struct {
	apex      int
	cost      int32
	longest   uint64         // of the new edges
	low, high [maxRing]int32 // of the triangle between the neighbours j and j+1 after the apex
}

// judge finds the best fan for a vertex, and its cost. ok is false without a fan.
func (s *star) judge(m *mesh, v uint32) (cost int32, ok bool) {
	if !s.gather(m, v) {
		return 0, false
	}
	s.best.cost = math.MaxInt32
	for apex := range s.k {
		// The trial stops as soon as a fan costs more than the best.
		if s.try(apex, min(m.limit, s.best.cost)) && s.better() {
			s.best, s.trial = s.trial, s.best
		}
	}
	if s.best.cost == math.MaxInt32 {
		return 0, false
	}
	m.apexes[v] = s.u[s.best.apex]
	return s.best.cost, true
}

// better compares the trial with the best fan so far: the smaller error, the shorter edges, the smaller apex.
func (s *star) better() bool {
	a, b := &s.trial, &s.best
	switch {
	case a.cost != b.cost:
		return a.cost < b.cost
	case a.longest != b.longest:
		return a.longest < b.longest
	}
	return s.u[a.apex] < s.u[b.apex]
}

// gather reads the triangles around a vertex. It reports whether there are few enough and whether they form a
// single fan: once around or, on a border, at most half around, so that the border hardly moves.
func (s *star) gather(m *mesh, v uint32) bool {
	n := m.degrees[v]
	if n > maxRing {
		return false
	}
	// Back to the border, or around.
	h := m.first[v]
	for range n {
		o := m.opposite[h]
		if o == none {
			break
		}
		h = next(o)
	}
	s.v, s.k = v, int(n)
	at := m.at[v]
	s.lowest, s.highest = math.MaxInt32, math.MinInt32
	var extent uint64
	add := func(i int, u uint32) {
		p := m.at[u]
		dx, dy := p.Sub(at.Point)
		dz := int64(p.Z) - int64(at.Z)
		s.u[i], s.x[i], s.y[i], s.z[i] = u, dx, dy, dz
		extent |= uint64(max(dx, -dx)) | uint64(max(dy, -dy)) | uint64(max(dz, -dz))
	}
	begin := h
	s.open = m.opposite[h] == none
	for i := range int(n) {
		t := &m.triangles[h>>2]
		s.half[i], s.low[i], s.high[i] = h, t.low, t.high
		s.lowest, s.highest = min(s.lowest, t.low), max(s.highest, t.high)
		add(i, m.start(next(h)))
		last := previous(h)
		h = m.opposite[last]
		if h != none {
			continue
		}
		if !s.open || i+1 < int(n) || n == maxRing {
			return false
		}
		add(i+1, m.start(last))
		s.low[i+1], s.high[i+1] = math.MaxInt32/4, math.MinInt32/4
		s.k++
	}
	if s.open != (h == none) || !s.open && h != begin || s.k < 3 {
		return false
	}
	// Determinants of three such points are sums of six products.
	s.narrow = extent < 1<<20
	for i := range s.k {
		for j := range i {
			c := s.x[i]*s.y[j] - s.y[i]*s.x[j]
			s.cross[i][j], s.cross[j][i] = c, -c
		}
	}
	s.flat = s.lowest == 0 && s.highest == 0
	for i := 2; i < s.k && s.flat; i++ {
		s.flat = s.determinant(i-2, i-1, i) == wide{}
	}
	if s.open {
		return s.onBorder(m)
	}
	return s.once()
}

// once reports whether the neighbours go around once: less than half a turn from each to the next, they
// come only once from below the vertex to above it.
func (s *star) once() bool {
	turns := 0
	below := func(i int) bool { return s.y[i] < 0 || s.y[i] == 0 && s.x[i] < 0 }
	for i := range s.k {
		j := i + 1
		if j == s.k {
			j = 0
		}
		if below(i) && !below(j) {
			turns++
		}
	}
	return turns == 1
}

// onBorder reports whether the border may go straight from the last neighbour to the first: the vertex is not
// inside the new line, and no nearer original border is farther than maxDrift from it.
func (s *star) onBorder(m *mesh) bool {
	last := s.k - 1
	for i := 1; i < last; i++ {
		if s.cross[0][i] <= 0 {
			return false
		}
	}
	area := s.cross[0][last]
	fx, fy, lx, ly := s.x[0], s.y[0], s.x[last], s.y[last]
	dx, dy := lx-fx, ly-fy
	// The vertex is between the two.
	if area < 0 || dx*fx+dy*fy > 0 || dx*lx+dy*ly < 0 {
		return false
	}
	drift := max(*m.driftOf(s.half[0]), *m.driftOf(previous(s.half[last-1])))
	if area > 0 {
		length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		// Three roundings, each by far less than a part.
		d := math.Ceil(float64(driftScale*float64(area))/length + 1.0/64)
		if d > driftScale*maxDrift-float64(drift) {
			return false
		}
		drift += uint8(d)
	}
	s.drift = drift
	return true
}

// again prepares the removal of a vertex without changes since its judgement.
func (s *star) again(m *mesh, v uint32) {
	s.gather(m, v)
	for i, u := range s.u[:s.k] {
		if u == m.apexes[v] {
			s.try(i, m.limit)
			s.best, s.trial = s.trial, s.best
			return
		}
	}
}

// remove fills the hole by the best fan, in the places of the old triangles.
func (s *star) remove(m *mesh) {
	k, apex := s.k, s.best.apex
	var outer [maxRing]int32 // of the edge from neighbour i to the next
	var drift [maxRing]uint8
	for i := range k {
		if s.open && i == k-1 {
			outer[i], drift[i] = none, s.drift
			continue
		}
		h := next(s.half[i])
		outer[i], drift[i] = m.opposite[h], *m.driftOf(h)
	}
	at := func(j int) int {
		if j += apex; j >= k {
			j -= k
		}
		return j
	}
	link := func(h, o int32) {
		m.opposite[h] = o
		if o >= 0 {
			m.opposite[o] = h
		}
	}
	for j := 1; j < k-1; j++ {
		p, q := at(j), at(j+1)
		h := s.half[j-1] &^ 3
		t := &m.triangles[h>>2]
		*t = triangle{
			corners: [3]uint32{s.u[apex], s.u[p], s.u[q]},
			low:     s.best.low[j], high: s.best.high[j],
		}
		t.drift[1] = drift[p]
		link(h+1, outer[p])
		if j == 1 {
			t.drift[0] = drift[apex]
			link(h, outer[apex])
		} else {
			link(h, s.half[j-2]&^3+2)
		}
		if j == k-2 {
			t.drift[2] = drift[q]
			link(h+2, outer[q])
		}
		s.touch(m, s.u[p], h+1)
		s.touch(m, s.u[q], h+2)
		s.touch(m, s.u[apex], h)
	}
	n := k
	if s.open {
		n--
	}
	for i := k - 2; i < n; i++ {
		m.triangles[s.half[i]>>2].corners = removed
	}
	// The apex has k-2 triangles instead of two, the others keep theirs or have one less.
	for i, u := range s.u[:k] {
		if m.states[u]&shared != 0 {
			continue
		}
		was, is := int32(2), int32(2)
		if s.open && (i == 0 || i == k-1) {
			was = 1
		}
		switch i {
		case apex:
			is = int32(k - 2)
		case at(1), at(k - 1):
			is = 1
		}
		m.degrees[u] += is - was
	}
}

// touch remembers a half-edge of a vertex of the block.
func (s *star) touch(m *mesh, u uint32, h int32) {
	if m.states[u]&shared == 0 {
		m.first[u] = h
	}
}
