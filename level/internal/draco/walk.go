package draco

// walk returns the order of values: of each, the corner where a walk over the mesh meets its vertex first. A walk goes deep first, or to
// vertices with the most known neighbours first.
func (m *corners) walk(byDegree bool) []int32 {
	w := &walker{corners: m, face: make([]bool, len(m.vertex)/3), seen: make([]bool, m.vertices)}
	if byDegree {
		w.degree = make([]int32, m.vertices)
	} else {
		w.border = make([]bool, m.vertices)
		for c := range int32(len(m.vertex)) {
			if m.opposite[c] == none {
				w.border[m.vertex[next(c)]], w.border[m.vertex[before(c)]] = true, true
			}
		}
	}
	for c := int32(0); c < int32(len(m.vertex)); c += 3 {
		if w.face[c/3] {
			continue
		}
		w.visit(next(c))
		w.visit(before(c))
		if byDegree {
			w.visit(c)
			w.best(c)
		} else {
			w.deep(c)
		}
	}
	return w.order
}

// walker is a walk over a mesh.
type walker struct {
	*corners
	face   []bool // that were visited
	seen   []bool // vertices
	border []bool // vertices
	degree []int32
	order  []int32
}

// visit lists a corner whose vertex was not met before, and reports whether this is so.
func (w *walker) visit(c int32) bool {
	v := w.vertex[c]
	if w.seen[v] {
		return false
	}
	w.seen[v] = true
	w.order = append(w.order, c)
	return true
}

// done reports whether the triangle of a corner was visited or does not exist.
func (w *walker) done(c int32) bool { return c == none || w.face[c/3] }

// deep walks to the right as far as possible, then to the left.
func (w *walker) deep(start int32) {
	stack := []int32{start}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		if w.done(c) {
			stack = stack[:len(stack)-1]
			continue
		}
		for {
			w.face[c/3] = true
			right := w.opposite[next(c)]
			if w.visit(c) && !w.border[w.vertex[c]] {
				if w.done(right) {
					// Only connectivity that contradicts itself leads here.
					stack = stack[:len(stack)-1]
					break
				}
				c = right
				continue
			}
			left := w.opposite[before(c)]
			if w.done(right) && w.done(left) {
				stack = stack[:len(stack)-1]
				break
			}
			if !w.done(right) && !w.done(left) {
				stack[len(stack)-1] = left
				stack = append(stack, right)
				break
			}
			if c = right; w.done(right) {
				c = left
			}
		}
	}
}

// best walks to the vertices with the most known neighbours first.
func (w *walker) best(start int32) {
	const priorities = 3
	stacks := [priorities][]int32{{start}}
	least := 0
	pop := func() int32 {
		for i := least; i < priorities; i++ {
			if n := len(stacks[i]); n > 0 {
				c := stacks[i][n-1]
				stacks[i], least = stacks[i][:n-1], i
				return c
			}
		}
		return none
	}
	push := func(c int32, priority int) {
		stacks[priority] = append(stacks[priority], c)
		least = min(least, priority)
	}
	priority := func(c int32) int {
		v := w.vertex[c]
		if w.seen[v] {
			return 0
		}
		if w.degree[v]++; w.degree[v] > 1 {
			return 1
		}
		return 2
	}
	for c := pop(); c != none; c = pop() {
		if w.face[c/3] {
			continue
		}
		for {
			w.face[c/3] = true
			w.visit(c)
			right, left := w.opposite[next(c)], w.opposite[before(c)]
			doneRight, doneLeft := w.done(right), w.done(left)
			if !doneLeft {
				p := priority(left)
				if doneRight && p <= least {
					c = left
					continue
				}
				push(left, p)
			}
			if !doneRight {
				p := priority(right)
				if p <= least {
					c = right
					continue
				}
				push(right, p)
			}
			break
		}
	}
}

// countFans returns the number of values of an attribute with seams: each vertex has one value for each fan of triangles between seams.
func (m *corners) countFans(seam []bool) int {
	seen := make([]bool, len(m.vertex))
	count := 0
	for c := range int32(len(m.vertex)) {
		if seen[c] {
			continue
		}
		count++
		seen[c] = true
		for k := c; ; {
			if seam[next(k)] {
				break
			}
			if k = m.left(k); k == none || seen[k] {
				break
			}
			seen[k] = true
		}
		for k := c; ; {
			if seam[before(k)] {
				break
			}
			if k = m.right(k); k == none || seen[k] {
				break
			}
			seen[k] = true
		}
	}
	return count
}
