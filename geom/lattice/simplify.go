package lattice

import "slices"

// Simplification of all lines of a planar layer together.
//
// Source: U. Ramer, "An iterative procedure for the polygonal approximation of plane curves", Computer
// Graphics and Image Processing 1 (1972), 244-256; D. Douglas and T. Peucker, "Algorithms for the reduction
// of the number of points required to represent a digitized line or its caricature", Cartographica 10 (1973),
// 112-122. Conditions for chords consistent with the points around: M. de Berg, M. van Kreveld and S.
// Schirra, "Topologically correct subdivision simplification using the bandwidth criterion", Cartography and
// GIS 25 (1998), 243-257.
//
// Idea: every line is simplified alone: a chord replaces a run of edges when no vertex of the run is farther
// from it than the tolerance, else the farthest vertex stays and splits the run. Then chords that cross or
// touch anything, or passed over a kept vertex, are split at their farthest vertex, round after round, until
// none is left; at worst all vertices are back.
//
// Input: any lines. Lines should meet only in vertices of both.
//
// Guarantees:
//  1. Kept vertices are vertices of the input, in their order; ends of open lines, vertices that
//     Keep names, and vertices at a position that occurs more than once in the input are kept:
//     TestSimplifyKeeps.
//  2. No removed vertex is farther from the chord that replaces it than the tolerance, and no
//     point of a chord is farther from the removed run: TestSimplifyStaysWithinTolerance.
//  3. Two output segments meet only in a place where vertices met in the input, or where a vertex
//     touched an edge that is still there: TestSimplifyAddsNoContact.
//  4. A valid polygon stays valid, every ring keeps its orientation and at least three points that
//     are not on a line, and no ring changes sides of another: TestSimplifyKeepsPolygonsValid.
//  5. With Inward on all lines of a polygon, the result is a subset of it:
//     TestSimplifyInwardIsSubset.
//  6. The same lines give the same result, wherever in the frame they are: no map and no float
//     decides: TestSimplifyDoesNotDependOnTranslation.
//
// Degenerate cases: a ring is never dropped, not even a ring smaller than the tolerance; callers remove
// specks by area. Equal consecutive points are kept. Lines of fewer than two points come back as they are.
// Where the input itself crosses or overlaps, the edges involved stay as they are.
//
// Cost: O(n log n) for lines whose splits are balanced, as those of walls and contours are, O(n²)
// at worst (a spiral); a round of repair O(n) as long as few chords are near each other. Memory
// O(n).
//
// Departures: Ramer, and Douglas and Peucker, know nothing of other lines; distances are measured to the
// chord and not to its line; comparisons are exact, of the squares as rationals; a ring is opened at its
// lowest leftmost point and the point farthest away, not at its first point; of equally far vertices the
// nearest to the middle of the run splits it.

// Line is a polyline to simplify.
type Line struct {
	Points []Point
	// Closed lines are rings: the last point is joined to the first and not repeated.
	Closed bool
	// Keep marks vertices that must stay; it may be nil or shorter than Points.
	Keep []bool
	// Inward lets the line move only to its left, the inside of a polygon: vertices that stick out to the right
	// are cut off, none on the left is passed.
	Inward bool
}

// Simplified is a simplified line: Points[k] was point Kept[k] of the line. Kept ascends.
type Simplified struct {
	Points []Point
	Kept   []int
}

// Simplify returns the lines with fewer vertices, none moved: the head of the file lists the guarantees.
// tolerance is in lattice units; its square is rounded down to an integer, so below 1 only vertices in the
// middle of straight runs go. Negative and NaN mean 0.
func Simplify(lines []Line, tolerance float64) []Simplified {
	s := newSimplifier(lines, tolerance)
	for l := range s.lines {
		s.reduce(l)
	}
	if slices.Contains(s.kept, false) {
		s.repair()
	}
	out := make([]Simplified, len(lines))
	for l := range lines {
		out[l] = s.result(l)
	}
	return out
}

// Simplify returns p with all its rings simplified together, by the rules of the function
// [Simplify]. Inward keeps the result inside of p.
func (p Polygon) Simplify(tolerance float64, inward bool) Polygon {
	lines := make([]Line, len(p.Rings))
	for i, r := range p.Rings {
		lines[i] = Line{Points: r, Closed: true, Inward: inward}
	}
	var q Polygon
	for _, s := range Simplify(lines, tolerance) {
		q.Rings = append(q.Rings, s.Points)
	}
	return q
}

// simplifier is the state of one call of Simplify. Vertices are numbered through all lines: vertex k of line
// l is base[l]+k.
type simplifier struct {
	lines  []Line
	limit2 uint64 // the tolerance squared
	base   []int
	kept   []bool
	fresh  []bool // kept since the last round of repair
	shared []sharedPoint
	runs   [][2]int // scratch of split
}

func newSimplifier(lines []Line, tolerance float64) *simplifier {
	s := &simplifier{lines: lines, base: make([]int, len(lines)+1)}
	// Beyond 2³¹ everything is within the tolerance.
	if tolerance > 0 {
		tolerance = min(tolerance, 1<<31)
		s.limit2 = uint64(tolerance * tolerance)
	}
	for l := range lines {
		s.base[l+1] = s.base[l] + len(lines[l].Points)
	}
	n := s.base[len(lines)]
	s.kept, s.fresh = make([]bool, n), make([]bool, n)
	s.shared = findShared(lines, s.base)
	for i := range s.shared {
		for _, v := range s.shared[i].vertices {
			s.keep(v.line, v.index)
		}
	}
	return s
}

func (s *simplifier) keep(l, k int) {
	if n := len(s.lines[l].Points); k >= n {
		k -= n
	}
	v := s.base[l] + k
	s.fresh[v] = s.fresh[v] || !s.kept[v]
	s.kept[v] = true
}

// point returns vertex k of line l; k may go once around a ring.
func (s *simplifier) point(l, k int) Point {
	points := s.lines[l].Points
	if k >= len(points) {
		k -= len(points)
	}
	return points[k]
}

// reduce keeps the vertices of line l that must stay or that the tolerance requires.
func (s *simplifier) reduce(l int) {
	line := &s.lines[l]
	n := len(line.Points)
	if n == 0 {
		return
	}
	for k := range min(n, len(line.Keep)) {
		if line.Keep[k] {
			s.keep(l, k)
		}
	}
	if !line.Closed {
		s.keep(l, 0)
		s.keep(l, n-1)
	}
	runs := s.runsOf(l)
	if len(runs) == 0 {
		// A ring without a vertex to stay: the first point in the order of points is a corner of its hull. Its run
		// begins and ends there, and splits at the farthest point.
		first := 0
		for k, p := range line.Points {
			if p.Compare(line.Points[first]) < 0 {
				first = k
			}
		}
		s.keep(l, first)
		runs = s.runsOf(l)
	}
	for _, r := range runs {
		s.split(l, r[0], r[1])
	}
}

// runsOf returns the pairs of consecutive kept vertices of line l. The second of a pair may be
// len(Points) or more for the run that closes a ring.
func (s *simplifier) runsOf(l int) [][2]int {
	var runs [][2]int
	first, last := -1, -1
	for k := range s.lines[l].Points {
		if !s.kept[s.base[l]+k] {
			continue
		}
		if last < 0 {
			first = k
		} else {
			runs = append(runs, [2]int{last, k})
		}
		last = k
	}
	if s.lines[l].Closed && last >= 0 {
		runs = append(runs, [2]int{last, first + len(s.lines[l].Points)})
	}
	return runs
}

// split keeps the vertices of the run from vertex i to vertex j of line l that its chords need to be within
// the tolerance.
func (s *simplifier) split(l, i, j int) {
	s.runs = append(s.runs[:0], [2]int{i, j})
	for len(s.runs) > 0 {
		r := s.runs[len(s.runs)-1]
		s.runs = s.runs[:len(s.runs)-1]
		m, within := s.farthest(l, r[0], r[1])
		if within {
			continue
		}
		s.keep(l, m)
		s.runs = append(s.runs, [2]int{r[0], m}, [2]int{m, r[1]})
	}
}

// farthest returns the vertex between i and j to split the run, and whether the chord may stand: no vertex is
// farther away than the tolerance and, for an inward line, none is on its left. The vertex is the farthest
// one, for an inward line the farthest on the left if any is there. Of equally far vertices it is the nearest
// to the middle of the run, so that the runs of a saw halve and are not peeled tooth by tooth.
func (s *simplifier) farthest(l, i, j int) (m int, within bool) {
	if j <= i+1 {
		return i, true
	}
	a, b := s.point(l, i), s.point(l, j)
	length2 := a.Distance2(b)
	var (
		most       wide  // the largest squared distance, times length2 where that is not 0
		mostLeft   int64 // the largest orientation
		leftVertex int
	)
	m = (i + j) / 2 // for a run on the chord
	for k := i + 1; k < j; k++ {
		p := s.point(l, k)
		side := Orient(a, b, p)
		if side > mostLeft || side == mostLeft && side > 0 && nearerMiddle(k, leftVertex, i, j) {
			mostLeft, leftVertex = side, k
		}
		var d wide
		switch along := Dot(a, b, p); {
		case length2 == 0:
			d = wide{0, p.Distance2(a)}
		case along < 0:
			d = mul(p.Distance2(a), length2)
		case uint64(along) > length2:
			d = mul(p.Distance2(b), length2)
		default:
			area := magnitude(side)
			d = mul(area, area)
		}
		if order := d.compare(most); order > 0 || order == 0 && nearerMiddle(k, m, i, j) {
			most, m = d, k
		}
	}
	if s.lines[l].Inward && mostLeft > 0 {
		return leftVertex, false
	}
	if length2 == 0 {
		return m, false
	}
	return m, most.compare(mul(s.limit2, length2)) <= 0
}

// nearerMiddle reports whether k is nearer to the middle of i and j than m is.
func nearerMiddle(k, m, i, j int) bool { return distanceToMiddle(k, i, j) < distanceToMiddle(m, i, j) }

// distanceToMiddle returns twice the distance of k and the middle of i and j.
func distanceToMiddle(k, i, j int) int { return max(2*k-i-j, i+j-2*k) }

// result collects the kept vertices of line l.
func (s *simplifier) result(l int) Simplified {
	var out Simplified
	for k, p := range s.lines[l].Points {
		if s.kept[s.base[l]+k] {
			out.Points = append(out.Points, p)
			out.Kept = append(out.Kept, k)
		}
	}
	return out
}
