package detour

import (
	"cmp"
	"slices"
)

// layerMesh is a layer as polygons.
type layerMesh struct {
	*grid
	corners []corner
	at      map[[2]int][]uint16 // of each place, its corners, the last one first
	polys   []layerPoly
}

// layerPoly is a polygon of a layer, clockwise as x and z go.
type layerPoly struct {
	corners [cornersPerPoly]uint16
	beside  [cornersPerPoly]int32 // a polygon, a portal or noNeighbour
	count   int
	area    uint8
}

// mesh makes the polygons of a layer whose cells have regions.
func (g *grid) mesh(tolerance float32) (*layerMesh, error) {
	contours, err := g.contours(tolerance)
	if err != nil {
		return nil, err
	}
	areas := make([]uint8, g.regionCount)
	for i, r := range g.regions {
		if r != noNeighbour {
			areas[r] = g.areas[i]
		}
	}
	m := &layerMesh{grid: g, at: map[[2]int][]uint16{}}
	for r, contour := range contours {
		if len(contour) < 3 {
			continue
		}
		triangles, err := g.triangulate(contour)
		if err != nil {
			return nil, err
		}
		index := make([]uint16, len(contour))
		for i, c := range contour {
			if index[i] = m.corner(c); c.remove {
				m.corners[index[i]].remove = true
			}
			if len(m.corners) > maxCorners {
				return nil, tooMany("vertices")
			}
		}
		var polys []layerPoly
		for _, t := range triangles {
			polys = append(polys, layerPoly{corners: [cornersPerPoly]uint16{index[t[0]], index[t[1]], index[t[2]]}, count: 3, area: areas[r]})
		}
		if polys, err = m.merge(polys); err != nil {
			return nil, err
		}
		if m.polys = append(m.polys, polys...); len(m.polys) > maxPolys {
			return nil, tooMany("polygons")
		}
	}
	if err := m.removeCorners(); err != nil {
		return nil, err
	}
	return m, m.neighbours(contours)
}

type tooMany string

func (t tooMany) Error() string { return "more " + string(t) + " than a tile may have" }

// corner returns the number of a corner. Corners at one place are the same if their heights differ by at most two cells.
func (m *layerMesh) corner(c corner) uint16 {
	place := [2]int{c.x, c.z}
	for _, i := range m.at[place] {
		if d := m.corners[i].height - c.height; -2 <= d && d <= 2 {
			return i
		}
	}
	i := uint16(len(m.corners))
	c.remove = false
	m.corners, m.at[place] = append(m.corners, c), slices.Insert(m.at[place], 0, i)
	return i
}

// turn is negative if c lies left of the way from a to b, as x and z go.
func turn(a, b, c corner) int { return (b.x-a.x)*(c.z-a.z) - (c.x-a.x)*(b.z-a.z) }

func samePlace(a, b corner) bool { return a.x == b.x && a.z == b.z }

// onSegment reports whether c lies on the segment from a to b.
func onSegment(a, b, c corner) bool {
	if turn(a, b, c) != 0 {
		return false
	}
	if a.x != b.x {
		return min(a.x, b.x) <= c.x && c.x <= max(a.x, b.x)
	}
	return min(a.z, b.z) <= c.z && c.z <= max(a.z, b.z)
}

// meet reports whether two segments have a common point.
func meet(a, b, c, d corner) bool {
	abc, abd, cda, cdb := turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
	if abc != 0 && abd != 0 && cda != 0 && cdb != 0 && abc < 0 != (abd < 0) && cda < 0 != (cdb < 0) {
		return true
	}
	return onSegment(a, b, c) || onSegment(a, b, d) || onSegment(c, d, a) || onSegment(c, d, b)
}

// ears is a polygon from which triangles are cut: O'Rourke's algorithm, shortest diagonal first.
type ears struct {
	ring []corner
	left []int // corners that are left
	ear  []bool
}

// diagonal reports whether the diagonal between two of the corners that are left lies inside.
func (e *ears) diagonal(i, k int) bool {
	n := len(e.left)
	at := func(i int) corner { return e.ring[e.left[i%n]] }
	p, q, next, before := at(i), at(k), at(i+1), at(i+n-1)
	if turn(before, p, next) <= 0 {
		if turn(p, q, before) >= 0 || turn(q, p, next) >= 0 {
			return false
		}
	} else if turn(p, q, next) <= 0 && turn(q, p, before) <= 0 {
		return false
	}
	for s := range n {
		t := (s + 1) % n
		if s == i || t == i || s == k || t == k {
			continue
		}
		a, b := at(s), at(t)
		if samePlace(p, a) || samePlace(q, a) || samePlace(p, b) || samePlace(q, b) {
			continue
		}
		if meet(p, q, a, b) {
			return false
		}
	}
	return true
}

// triangulate cuts a contour into triangles of its corners. A contour that crosses itself gives those triangles that were found.
func (g *grid) triangulate(ring []corner) ([][3]int, error) {
	n := len(ring)
	if n < 3 {
		return nil, nil
	}
	if err := g.spend(n * n); err != nil {
		return nil, err
	}
	e := ears{ring: ring, left: make([]int, n), ear: make([]bool, n)}
	for i := range e.left {
		e.left[i] = i
	}
	for i := range n {
		if e.diagonal(i, (i+2)%n) {
			e.ear[(i+1)%n] = true
		}
	}
	var out [][3]int
	for ; n > 3; n-- {
		best, shortest := -1, 0
		for i := range n {
			if !e.ear[(i+1)%n] {
				continue
			}
			a, c := ring[e.left[i]], ring[e.left[(i+2)%n]]
			if d := (c.x-a.x)*(c.x-a.x) + (c.z-a.z)*(c.z-a.z); best < 0 || d < shortest {
				best, shortest = i, d
			}
		}
		if best < 0 {
			return out, nil
		}
		ear := (best + 1) % n
		out = append(out, [3]int{e.left[best], e.left[ear], e.left[(best+2)%n]})
		e.left, e.ear = slices.Delete(e.left, ear, ear+1), slices.Delete(e.ear, ear, ear+1)
		left := n - 1
		after := ear % left
		before := (after + left - 1) % left
		e.ear[before] = e.diagonal((before+left-1)%left, after)
		e.ear[after] = e.diagonal(before, (after+1)%left)
	}
	return append(out, [3]int{e.left[0], e.left[1], e.left[2]}), nil
}

// joint is a pair of polygons that could become one.
type joint struct {
	value        int // squared length of the common edge
	p, q         int
	pEdge, qEdge int
}

// merge joins pairs of polygons while a union is convex and has at most six corners: the longest common edge first, then the first polygons.
func (m *layerMesh) merge(polys []layerPoly) ([]layerPoly, error) {
	var joints []joint
	look := func(p, q int) {
		if j := m.joint(polys, min(p, q), max(p, q)); j.value > 0 {
			joints = append(joints, j)
		}
	}
	if err := m.spend(jointWork * len(polys) * len(polys) / 2); err != nil {
		return nil, err
	}
	for p := range polys {
		for q := range p {
			look(p, q)
		}
	}
	for len(joints) > 0 {
		best := slices.MinFunc(joints, func(a, b joint) int {
			return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.p, b.p), cmp.Compare(a.q, b.q))
		})
		p, q, last := polys[best.p], polys[best.q], len(polys)-1
		joined := layerPoly{area: p.area}
		add := func(from *layerPoly, edge int) {
			for k := 1; k < from.count; k++ {
				joined.corners[joined.count] = from.corners[(edge+k)%from.count]
				joined.count++
			}
		}
		add(&p, best.pEdge)
		add(&q, best.qEdge)
		polys[best.p], polys[best.q] = joined, polys[last]
		polys = polys[:last]
		joints = slices.DeleteFunc(joints, func(j joint) bool {
			changed := func(i int) bool { return i == best.p || i == best.q || i == last }
			return changed(j.p) || changed(j.q)
		})
		if err := m.spend(2*jointWork*len(polys) + 8*len(joints)); err != nil {
			return nil, err
		}
		for i := range polys {
			if i != best.p {
				look(best.p, i)
			}
			if best.q < last && i != best.q && i != best.p {
				look(best.q, i)
			}
		}
	}
	return polys, nil
}

// jointWork is the cost of a joint in comparisons of numbers.
const jointWork = 8

// edge returns the corners of an edge, the lower number first.
func (p *layerPoly) edge(k int) [2]uint16 {
	a, b := p.corners[k], p.corners[(k+1)%p.count]
	return [2]uint16{min(a, b), max(a, b)}
}

// joint returns how two polygons can be joined; its value is 0 if they cannot.
func (m *layerMesh) joint(polys []layerPoly, p, q int) joint {
	a, b := &polys[p], &polys[q]
	j := joint{p: p, q: q, pEdge: -1}
	if a.count+b.count-2 > cornersPerPoly {
		return j
	}
	for i := range a.count {
		for k := range b.count {
			if a.edge(i) == b.edge(k) {
				j.pEdge, j.qEdge = i, k
				break
			}
		}
	}
	if j.pEdge < 0 {
		return j
	}
	convex := func(a *layerPoly, e int, b *layerPoly, f int) bool {
		before, at, after := a.corners[(e+a.count-1)%a.count], a.corners[e], b.corners[(f+2)%b.count]
		return turn(m.corners[before], m.corners[at], m.corners[after]) < 0
	}
	if !convex(a, j.pEdge, b, j.qEdge) || !convex(b, j.qEdge, a, j.pEdge) {
		return j
	}
	ends := a.edge(j.pEdge)
	from, to := m.corners[ends[0]], m.corners[ends[1]]
	j.value = (to.x-from.x)*(to.x-from.x) + (to.z-from.z)*(to.z-from.z)
	return j
}

// removeCorners takes corners on straight borders between layers away, so that both layers have the same border.
func (m *layerMesh) removeCorners() error {
	for i := 0; i < len(m.corners); i++ {
		if !m.corners[i].remove {
			continue
		}
		if err := m.spend(4 * len(m.polys)); err != nil {
			return err
		}
		if !m.removable(uint16(i)) {
			continue
		}
		if err := m.removeCorner(uint16(i)); err != nil {
			return err
		}
		i--
	}
	return nil
}

// touches reports at how many places a polygon has a corner.
func (p *layerPoly) touches(c uint16) (n int) {
	for _, v := range p.corners[:p.count] {
		if v == c {
			n++
		}
	}
	return n
}

// removable reports whether the polygons around a corner make one polygon without it.
func (m *layerMesh) removable(c uint16) bool {
	const mostTouches = 24 // Detour's
	touches, rest := 0, 0
	users := map[uint16]int{} // of each other end of an edge at the corner
	for i := range m.polys {
		p := &m.polys[i]
		n := p.touches(c)
		if n == 0 {
			continue
		}
		touches += n
		rest += p.count - n - 1
		for k := range p.count {
			if e := p.edge(k); e[0] == c || e[1] == c {
				users[e[0]+e[1]-c]++
			}
		}
	}
	open := 0
	for _, n := range users {
		if n < 2 {
			open++
		}
	}
	return rest > 2 && touches <= mostTouches && open <= 2
}

// removeCorner replaces the polygons around a corner by polygons without the corner.
func (m *layerMesh) removeCorner(c uint16) error {
	type side struct {
		from, to uint16
		area     uint8
	}
	var sides []side
	for i := 0; i < len(m.polys); i++ {
		p := m.polys[i]
		if p.touches(c) == 0 {
			continue
		}
		for k := range p.count {
			// The edge before corner k: Detour's order.
			before := (k + p.count - 1) % p.count
			if p.corners[k] != c && p.corners[before] != c {
				sides = append(sides, side{p.corners[before], p.corners[k], p.area})
			}
		}
		last := len(m.polys) - 1
		m.polys[i] = m.polys[last]
		m.polys = m.polys[:last]
		i--
	}
	down := func(v *uint16) {
		if *v > c {
			*v--
		}
	}
	m.corners = slices.Delete(m.corners, int(c), int(c)+1)
	for i := range m.polys {
		for k := range m.polys[i].count {
			down(&m.polys[i].corners[k])
		}
	}
	for i := range sides {
		down(&sides[i].from)
		down(&sides[i].to)
	}
	if len(sides) == 0 {
		return nil
	}
	ring, areas := []uint16{sides[0].from}, []uint8{sides[0].area}
	for found := true; found && len(sides) > 0; {
		found = false
		for i := 0; i < len(sides); i++ {
			s := sides[i]
			switch {
			case s.to == ring[0]:
				ring, areas = slices.Insert(ring, 0, s.from), slices.Insert(areas, 0, s.area)
			case s.from == ring[len(ring)-1]:
				ring, areas = append(ring, s.to), append(areas, s.area)
			default:
				continue
			}
			sides[i] = sides[len(sides)-1]
			sides = sides[:len(sides)-1]
			i--
			found = true
		}
	}
	outline := make([]corner, len(ring))
	for i, v := range ring {
		outline[i] = m.corners[v]
	}
	triangles, err := m.triangulate(outline)
	if err != nil {
		return err
	}
	var polys []layerPoly
	for _, t := range triangles {
		if a, b, d := ring[t[0]], ring[t[1]], ring[t[2]]; t[0] != t[1] && t[0] != t[2] && t[1] != t[2] {
			polys = append(polys, layerPoly{corners: [cornersPerPoly]uint16{a, b, d}, count: 3, area: areas[t[0]]})
		}
	}
	if polys, err = m.merge(polys); err != nil {
		return err
	}
	m.polys = append(m.polys, polys...)
	return nil
}

// border is an edge of a polygon.
type border struct {
	poly, edge int
	taken      bool // two polygons have the edge
}

// neighbours finds the polygon or the portal behind each edge.
func (m *layerMesh) neighbours(contours [][]corner) error {
	users := map[[2]uint16][]*border{} // the last one first
	var open []*border
	for i := range m.polys {
		for k := range m.polys[i].beside {
			m.polys[i].beside[k] = noNeighbour
		}
	}
	// Edges from lower to higher numbers wait for edges the other way.
	for pass := range 2 {
		for i := range m.polys {
			p := &m.polys[i]
			for k := range p.count {
				a, b := p.corners[k], p.corners[(k+1)%p.count]
				if (a < b) != (pass == 0) || a == b && pass == 1 {
					continue
				}
				key := p.edge(k)
				if err := m.spend(1 + len(users[key])); err != nil {
					return err
				}
				at := -1
				if pass == 1 {
					at = slices.IndexFunc(users[key], func(u *border) bool { return !u.taken && u.poly != i })
				}
				if at < 0 {
					u := &border{poly: i, edge: k}
					users[key], open = slices.Insert(users[key], 0, u), append(open, u)
					continue
				}
				u := users[key][at]
				u.taken = true
				p.beside[k], m.polys[u.poly].beside[u.edge] = int32(u.poly), int32(i)
			}
		}
	}
	open = slices.DeleteFunc(open, func(u *border) bool { return u.taken })
	return m.portals(open, contours)
}

// portals marks the edges on borders towards other layers.
func (m *layerMesh) portals(open []*border, contours [][]corner) error {
	for _, contour := range contours {
		if len(contour) < 3 {
			continue
		}
		a := contour[len(contour)-1]
		for _, b := range contour {
			from, to := a, b
			if a = b; to.beyond >= noNeighbour {
				continue
			}
			if err := m.spend(len(open)); err != nil {
				return err
			}
			for _, o := range open {
				p := &m.polys[o.poly]
				if overlap(from, to, m.corners[p.corners[o.edge]], m.corners[p.corners[(o.edge+1)%p.count]], (to.beyond-firstPortal)%2 == 0) {
					p.beside[o.edge] = to.beyond
				}
			}
		}
	}
	return nil
}

// overlap reports whether two segments on a line, along z or along x, have a common stretch.
func overlap(a, b, c, d corner, alongZ bool) bool {
	if alongZ {
		return c.x == a.x && d.x == a.x && min(a.z, b.z) < max(c.z, d.z) && min(c.z, d.z) < max(a.z, b.z)
	}
	return c.z == a.z && d.z == a.z && min(a.x, b.x) < max(c.x, d.x) && min(c.x, d.x) < max(a.x, b.x)
}
