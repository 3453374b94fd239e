package lattice_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/race"
)

func TestSimplifyTable(t *testing.T) {
	for _, c := range []struct {
		name      string
		lines     []lattice.Line
		tolerance float64
		want      [][]int
	}{
		{"nothing", nil, 5, [][]int{}},
		{"no points", []lattice.Line{{}, {Closed: true}}, 5, [][]int{nil, nil}},
		{"one point", []lattice.Line{{Points: []point{{1, 1}}}, {Points: []point{{5, 5}}, Closed: true}}, 5, [][]int{{0}, {0}}},
		{"two points", []lattice.Line{{Points: []point{{1, 1}, {2, 9}}}}, 50, [][]int{{0, 1}}},
		{"ring of two points", []lattice.Line{{Points: []point{{1, 1}, {2, 9}}, Closed: true}}, 50, [][]int{{0, 1}}},
		{"straight", []lattice.Line{{Points: []point{{0, 0}, {3, 1}, {6, 2}, {9, 3}}}}, 0, [][]int{{0, 3}}},
		{"a unit from straight, tolerance below", []lattice.Line{{Points: []point{{0, 0}, {5, 1}, {10, 0}}}}, 0.99, [][]int{{0, 1, 2}}},
		{"a unit from straight, tolerance of one", []lattice.Line{{Points: []point{{0, 0}, {5, 1}, {10, 0}}}}, 1, [][]int{{0, 2}}},
		{"distance beyond the end of the chord", []lattice.Line{{Points: []point{{0, 0}, {15, 0}, {10, 0}}}}, 4, [][]int{{0, 1, 2}}},
		{"the farthest vertex splits", []lattice.Line{{Points: []point{{0, 0}, {2, 3}, {5, 9}, {8, 3}, {10, 0}}}}, 2, [][]int{{0, 2, 4}}},
		{"of equally far ones that in the middle", []lattice.Line{{Points: []point{{0, 0}, {2, 5}, {5, 5}, {8, 5}, {10, 0}}}}, 3.5, [][]int{{0, 2, 4}}},
		{"vertex to stay", []lattice.Line{{Points: []point{{0, 0}, {3, 0}, {6, 0}, {9, 0}}, Keep: []bool{false, true}}}, 5, [][]int{{0, 1, 3}}},
		{"open line whose ends meet", []lattice.Line{{Points: []point{{0, 0}, {9, 0}, {9, 9}, {0, 0}}}}, 1, [][]int{{0, 1, 2, 3}}},
		{"ring with vertices in runs", []lattice.Line{{Points: []point{{5, 0}, {10, 0}, {10, 5}, {10, 10}, {0, 10}, {0, 0}}, Closed: true}}, 0, [][]int{{1, 3, 4, 5}}},
		{"ring below the tolerance keeps three corners", []lattice.Line{{Points: []point{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, Closed: true}}, 1000, [][]int{{0, 2, 3}}},
		{"ring that turns in its first point", []lattice.Line{{Points: []point{{10, 10}, {0, 10}, {0, 0}, {10, 0}}, Closed: true}}, 1, [][]int{{0, 1, 2, 3}}},
		{"vertex shared by two lines stays", []lattice.Line{
			{Points: []point{{0, 0}, {5, 0}, {10, 0}}},
			{Points: []point{{5, 0}, {5, 9}}},
		}, 5, [][]int{{0, 1, 2}, {0, 1}}},
		{"negative tolerance", []lattice.Line{{Points: []point{{0, 0}, {5, 1}, {10, 0}}}}, -7, [][]int{{0, 1, 2}}},
		{"tolerance that is not a number", []lattice.Line{{Points: []point{{0, 0}, {5, 1}, {10, 0}}}}, math.NaN(), [][]int{{0, 1, 2}}},
		{"infinite tolerance", []lattice.Line{{Points: []point{{-lattice.MaxCoord, 0}, {5, lattice.MaxCoord}, {lattice.MaxCoord, 0}}}}, math.Inf(1), [][]int{{0, 2}}},
		{"repeated points stay", []lattice.Line{{Points: []point{{0, 0}, {5, 0}, {5, 0}, {10, 0}}}}, 5, [][]int{{0, 1, 2, 3}}},
		{"inward keeps what is on the left", []lattice.Line{{Points: []point{{0, 0}, {5, 1}, {10, 0}}, Inward: true}}, 5, [][]int{{0, 1, 2}}},
		{"inward cuts what is on the right", []lattice.Line{{Points: []point{{0, 0}, {5, -1}, {10, 0}}, Inward: true}}, 5, [][]int{{0, 2}}},
		{"inward cuts nothing beyond the tolerance", []lattice.Line{{Points: []point{{0, 0}, {5, -6}, {10, 0}}, Inward: true}}, 5, [][]int{{0, 1, 2}}},
		{"a chord would cross another line", []lattice.Line{
			{Points: []point{{0, 0}, {5, 8}, {10, 0}}},
			{Points: []point{{5, -9}, {5, 5}}},
		}, 10, [][]int{{0, 1, 2}, {0, 1}}},
		{"a chord would touch another line", []lattice.Line{
			{Points: []point{{0, 0}, {5, 8}, {10, 0}}},
			{Points: []point{{5, -9}, {5, 0}}},
		}, 10, [][]int{{0, 1, 2}, {0, 1}}},
		{"a chord would pass over another line", []lattice.Line{
			{Points: []point{{0, 0}, {5, 8}, {10, 0}}},
			{Points: []point{{4, 2}, {5, 3}}},
		}, 10, [][]int{{0, 1, 2}, {0, 1}}},
		{"two lines around a lens", []lattice.Line{
			{Points: []point{{0, 0}, {5, 2}, {10, 0}}},
			{Points: []point{{0, 0}, {5, -2}, {10, 0}}},
		}, 10, [][]int{{0, 2}, {0, 1, 2}}},
		{"a line that ends on an edge stays on its side", []lattice.Line{
			{Points: []point{{0, 0}, {10, 0}}},
			{Points: []point{{5, 0}, {5, 3}, {8, -1}, {20, -1}}, Keep: []bool{true, false, false, true}},
		}, 10, [][]int{{0, 1}, {0, 1, 2, 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make([][]int, 0, len(c.lines))
			for i, s := range lattice.Simplify(c.lines, c.tolerance) {
				got = append(got, s.Kept)
				for k, j := range s.Kept {
					if s.Points[k] != c.lines[i].Points[j] {
						t.Errorf("line %d: point %d is not vertex %d", i, k, j)
					}
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("kept %v, want %v", got, c.want)
			}
		})
	}
}

// A speck of a hole in a bulge that the tolerance would cut off.
func TestSimplifyNeverLeavesAHoleOutside(t *testing.T) {
	p := polygon{Rings: []ring{
		{{0, 0}, {100, 0}, {100, 10}, {115, 20}, {100, 30}, {100, 40}, {0, 40}},
		hole(105, 18, 3),
	}}
	for _, tolerance := range []float64{1, 20, 1000} {
		q := p.Simplify(tolerance, false)
		if err := q.Validate(); err != nil {
			t.Errorf("tolerance %g: %v in %v", tolerance, err, q)
		}
	}
}

// layer returns lines of a planar layer: the rings of a polygon, some cut into open lines.
func layer(r *rand.Rand, p polygon) (lines []lattice.Line, ringOf []int) {
	for i, q := range p.Rings {
		var cuts []int
		for range r.IntN(5) {
			cuts = append(cuts, r.IntN(len(q)))
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		if len(cuts) == 0 {
			lines, ringOf = append(lines, lattice.Line{Points: q, Closed: true}), append(ringOf, i)
			continue
		}
		for k, from := range cuts {
			to := cuts[(k+1)%len(cuts)]
			if to <= from {
				to += len(q)
			}
			var points []point
			for j := from; j <= to; j++ {
				points = append(points, q[j%len(q)])
			}
			lines, ringOf = append(lines, lattice.Line{Points: points}), append(ringOf, i)
		}
	}
	return lines, ringOf
}

var tolerances = []float64{0, 1, 3.5, 20, 100, 700, 5000, 1e6}

func TestSimplifyKeeps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for seed := range uint64(80) {
		lines, _ := layer(r, corpus.Polygon(seed, 150, 3))
		for i := range lines {
			lines[i].Keep = make([]bool, len(lines[i].Points))
			for k := range lines[i].Keep {
				lines[i].Keep[k] = r.IntN(10) == 0
			}
		}
		count := map[point]int{}
		for _, line := range lines {
			for _, p := range line.Points {
				count[p]++
			}
		}
		for i, s := range lattice.Simplify(lines, tolerances[seed%8]) {
			line := lines[i]
			if !slices.IsSorted(s.Kept) || len(s.Kept) != len(slices.Compact(slices.Clone(s.Kept))) {
				t.Fatalf("seed %d: kept %v", seed, s.Kept)
			}
			kept := make([]bool, len(line.Points))
			for k, j := range s.Kept {
				kept[j] = true
				if s.Points[k] != line.Points[j] {
					t.Fatalf("seed %d: point %d is not vertex %d", seed, k, j)
				}
			}
			for k, p := range line.Points {
				end := !line.Closed && (k == 0 || k == len(line.Points)-1)
				if must := end || line.Keep[k] || count[p] > 1; must && !kept[k] {
					t.Fatalf("seed %d: line %d lost vertex %d", seed, i, k)
				}
			}
		}
	}
}

// chords calls f for every output segment: from vertex i to vertex j of a line; j is beyond its length where
// the segment closes a ring.
func chords(lines []lattice.Line, out []lattice.Simplified, f func(line, i, j int)) {
	for l, s := range out {
		for k, i := range s.Kept {
			switch {
			case k+1 < len(s.Kept):
				f(l, i, s.Kept[k+1])
			case lines[l].Closed && len(s.Kept) > 1:
				f(l, i, s.Kept[0]+len(lines[l].Points))
			}
		}
	}
}

func checkTolerance(t *testing.T, lines []lattice.Line, out []lattice.Simplified, tolerance float64) {
	t.Helper()
	limit2 := uint64(tolerance * tolerance)
	chords(lines, out, func(l, i, j int) {
		points := lines[l].Points
		at := func(k int) point { return points[k%len(points)] }
		a, b := at(i), at(j)
		for k := i + 1; k < j; k++ {
			if lattice.SegmentDistance2(at(k), a, b).CompareInt(limit2) > 0 {
				t.Fatalf("line %d: vertex %d is farther than %g from the chord %d-%d", l, k, tolerance, i, j)
			}
			if lines[l].Inward && lattice.Orient(a, b, at(k)) > 0 {
				t.Fatalf("line %d: vertex %d is on the left of the chord %d-%d", l, k, i, j)
			}
		}
		// The other way round: points of the chord to the run.
		for f := 0.125; f < 1; f += 0.125 {
			x, y := float64(a.X)+f*float64(b.X-a.X), float64(a.Y)+f*float64(b.Y-a.Y)
			least := math.Inf(1)
			for k := i; k < j; k++ {
				least = min(least, floatDistance(x, y, at(k), at(k+1)))
			}
			if least > tolerance+1e-6 {
				t.Fatalf("line %d: the chord %d-%d is %g from its run, tolerance %g", l, i, j, least, tolerance)
			}
		}
	})
}

func floatDistance(x, y float64, a, b point) float64 {
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	px, py := x-float64(a.X), y-float64(a.Y)
	t := 0.0
	if a != b {
		t = min(max((px*dx+py*dy)/(dx*dx+dy*dy), 0), 1)
	}
	return math.Hypot(px-t*dx, py-t*dy)
}

func TestSimplifyStaysWithinTolerance(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for seed := range uint64(160) {
		lines, _ := layer(r, corpus.Polygon(seed, 150, 3))
		for i := range lines {
			lines[i].Inward = seed%2 == 1
		}
		tolerance := tolerances[seed/8%8]
		checkTolerance(t, lines, lattice.Simplify(lines, tolerance), tolerance)
	}
}

// checkContacts compares all pairs of output segments with the rule.
func checkContacts(t *testing.T, lines []lattice.Line, out []lattice.Simplified) {
	t.Helper()
	type segment struct {
		a, b     point
		original bool
	}
	var all []segment
	chords(lines, out, func(l, i, j int) {
		points := lines[l].Points
		all = append(all, segment{points[i], points[j%len(points)], j == i+1})
	})
	for i, c := range all {
		for k, d := range all[:i] {
			allowed := true
			switch lattice.SegmentContact(c.a, c.b, d.a, d.b) {
			case lattice.ProperCrossing, lattice.Overlap:
				allowed = c.original && d.original
			case lattice.EndOnInterior:
				onD := c.a != d.a && c.a != d.b && lattice.OnSegment(c.a, d.a, d.b) || c.b != d.a && c.b != d.b && lattice.OnSegment(c.b, d.a, d.b)
				allowed = onD && d.original || !onD && c.original
			}
			if !allowed {
				t.Fatalf("segments %d and %d, %v-%v and %v-%v, meet", i, k, c.a, c.b, d.a, d.b)
			}
		}
	}
}

func TestSimplifyAddsNoContact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for seed := range uint64(160) {
		lines, _ := layer(r, corpus.Polygon(seed, 120, 3))
		// Every second case has lines that cross all others as well.
		for range seed % 2 * 3 {
			var tangle []point
			for range 1 + r.IntN(10) {
				tangle = append(tangle, lines[0].Points[r.IntN(len(lines[0].Points))])
				tangle = append(tangle, point{X: r.Int32N(20000) - 10000, Y: r.Int32N(20000) - 10000})
			}
			lines = append(lines, lattice.Line{Points: tangle, Closed: r.IntN(2) == 0, Inward: r.IntN(2) == 0})
		}
		checkContacts(t, lines, lattice.Simplify(lines, tolerances[seed/8%8]))
	}
}

func TestSimplifyKeepsPolygonsValid(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(4, 4))
	for seed := range uint64(240) {
		p := corpus.Polygon(seed, 40+int(seed), int(seed%7))
		tolerance := tolerances[seed/8%8]
		for _, inward := range []bool{false, true} {
			q := p.Simplify(tolerance, inward)
			if err := q.Validate(); err != nil {
				t.Fatalf("seed %d, tolerance %g: %v", seed, tolerance, err)
			}
			if len(q.Rings) != len(p.Rings) {
				t.Fatalf("seed %d: %d rings of %d", seed, len(q.Rings), len(p.Rings))
			}
			again := q.Simplify(0, inward)
			if err := again.Validate(); err != nil {
				t.Fatalf("seed %d: a second time: %v", seed, err)
			}
		}
		// The same as open lines that share their ends, put together again.
		lines, ringOf := layer(r, p)
		q := polygon{Rings: make([]ring, len(p.Rings))}
		for i, s := range lattice.Simplify(lines, tolerance) {
			points := s.Points
			if !lines[i].Closed {
				points = points[:len(points)-1]
			}
			q.Rings[ringOf[i]] = append(q.Rings[ringOf[i]], points...)
		}
		if err := q.Validate(); err != nil {
			t.Fatalf("seed %d, tolerance %g, cut: %v", seed, tolerance, err)
		}
	}
}

// A subdivision: rough lines between the nodes of a grid, four at a node. All its faces must stay
// simple and keep their orientation, whatever the tolerance.
func TestSimplifyKeepsSubdivisions(t *testing.T) {
	race.Skip(t)
	const n, steps, pitch = 4, 12, 1000
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 5))
		rough := func(x, y int) point {
			return point{X: int32(x*pitch/steps) + r.Int32N(51) - 25, Y: int32(y*pitch/steps) + r.Int32N(51) - 25}
		}
		nodes := make([]point, (n+1)*(n+1))
		for i := range nodes {
			nodes[i] = rough(i%(n+1)*steps, i/(n+1)*steps)
		}
		// line[d][node] goes east (0) or north (1) from the node.
		var lines []lattice.Line
		line := [2][]int{make([]int, len(nodes)), make([]int, len(nodes))}
		for i := range nodes {
			x, y := i%(n+1), i/(n+1)
			for d, step := range [2][2]int{{1, 0}, {0, 1}} {
				if x+step[0] > n || y+step[1] > n {
					continue
				}
				points := []point{nodes[i]}
				for k := 1; k < steps; k++ {
					points = append(points, rough(x*steps+step[0]*k, y*steps+step[1]*k))
				}
				points = append(points, nodes[i+step[0]+step[1]*(n+1)])
				line[d][i] = len(lines)
				lines = append(lines, lattice.Line{Points: points})
			}
		}
		for _, tolerance := range tolerances {
			out := lattice.Simplify(lines, tolerance)
			checkContacts(t, lines, out)
			for y := range n {
				for x := range n {
					i := y*(n+1) + x
					var face ring
					add := func(l int, forward bool) {
						points := slices.Clone(out[l].Points)
						if !forward {
							slices.Reverse(points)
						}
						face = append(face, points[:len(points)-1]...)
					}
					add(line[0][i], true)
					add(line[1][i+1], true)
					add(line[0][i+n+1], false)
					add(line[1][i], false)
					if err := (polygon{Rings: []ring{face}}).Validate(); err != nil {
						t.Fatalf("seed %d, tolerance %g, face %d, %d: %v", seed, tolerance, x, y, err)
					}
				}
			}
		}
	}
}

func checkSubset(t *testing.T, p, q polygon) {
	t.Helper()
	for _, r := range p.Rings {
		for _, v := range r {
			if q.Locate(v) == lattice.Inside {
				t.Fatalf("%v of the border is inside of the result", v)
			}
		}
	}
	for i, r := range q.Rings {
		for k, a := range r {
			b := r[(k+1)%len(r)]
			for j, s := range p.Rings {
				for m, c := range s {
					if lattice.SegmentContact(a, b, c, s[(m+1)%len(s)]) == lattice.ProperCrossing {
						t.Fatalf("edge %d of ring %d of the result crosses edge %d of ring %d", k, i, m, j)
					}
				}
			}
		}
	}
	if q.Area2() > p.Area2() {
		t.Fatalf("the area grows from %d to %d", p.Area2(), q.Area2())
	}
}

func TestSimplifyInwardIsSubset(t *testing.T) {
	smaller := 0
	for seed := range uint64(160) {
		p := corpus.Polygon(seed, 120, int(seed%5))
		q := p.Simplify(tolerances[1+seed/8%7], true)
		checkSubset(t, p, q)
		if q.Len() < p.Len() {
			smaller++
		}
	}
	if smaller < 80 {
		t.Errorf("only %d polygons lose a vertex", smaller)
	}
}

// Along a rough wall most vertices go.
func TestSimplifySimplifies(t *testing.T) {
	p := corpus.Make(corpus.Rough, 1, 2000, 3)
	for _, c := range []struct {
		inward bool
		most   int
	}{{false, p.Len() / 5}, {true, p.Len() / 2}} {
		if q := p.Simplify(60, c.inward); q.Len() > c.most {
			t.Errorf("inward %v: %d of %d points are left, want at most %d", c.inward, q.Len(), p.Len(), c.most)
		}
	}
	collinear := corpus.Make(corpus.Sheared, 1, 1000, 3)
	q := collinear.Simplify(0, true)
	if got, want := q.Area2(), collinear.Area2(); got != want {
		t.Errorf("tolerance 0 changes twice the area from %d to %d", want, got)
	}
	for _, r := range q.Rings {
		for i, v := range r {
			if lattice.Orient(r[(i+len(r)-1)%len(r)], v, r[(i+1)%len(r)]) == 0 {
				t.Fatalf("tolerance 0 leaves %v in the middle of a run", v)
			}
		}
	}
}

func TestSimplifyDoesNotDependOnTranslation(t *testing.T) {
	for seed := range uint64(16) {
		p := corpus.Polygon(seed, 100, 2)
		box := p.Box()
		d := point{X: lattice.MaxCoord - box.Max.X, Y: -lattice.MaxCoord - box.Min.Y}
		moved := polygon{}
		for _, r := range p.Rings {
			m := make(ring, len(r))
			for i, q := range r {
				m[i] = point{X: q.X + d.X, Y: q.Y + d.Y}
			}
			moved.Rings = append(moved.Rings, m)
		}
		a, b := p.Simplify(100, false), moved.Simplify(100, false)
		if a.Len() != b.Len() || a.Area2() != b.Area2() {
			t.Fatalf("seed %d: %d points here, %d at the corner of the frame", seed, a.Len(), b.Len())
		}
		if err := b.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// FuzzSimplify draws lines from bytes, valid or not, and checks the laws for all lines.
func FuzzSimplify(f *testing.F) {
	f.Add([]byte{0, 0, 5, 8, 10, 0, 200, 5, 247, 5, 5}, uint16(10), uint8(0))
	f.Add([]byte{0, 0, 9, 0, 9, 9, 0, 9, 200, 2, 2, 2, 4, 4, 4, 4, 2}, uint16(3), uint8(0xff))
	f.Add([]byte{0, 0, 5, 0, 5, 0, 10, 0}, uint16(5), uint8(1))
	f.Add([]byte{0, 0, 9, 9, 9, 0, 0, 9}, uint16(20), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, tolerance uint16, flags uint8) {
		lines := []lattice.Line{{}}
		for i := 0; i+1 < len(data) && i < 120; {
			if data[i] == 200 {
				lines = append(lines, lattice.Line{})
				i++
				continue
			}
			last := &lines[len(lines)-1]
			last.Points = append(last.Points, point{X: int32(int8(data[i])), Y: int32(int8(data[i+1]))})
			i += 2
		}
		for i := range lines {
			lines[i].Closed = flags>>(i%4)&1 != 0
			lines[i].Inward = flags>>(4+i%4)&1 != 0
		}
		tol := float64(tolerance) / 16
		out := lattice.Simplify(lines, tol)
		checkContacts(t, lines, out)
		checkTolerance(t, lines, out, tol)
		p, q := polygon{}, polygon{}
		inward := true
		for i, line := range lines {
			if !line.Closed {
				return
			}
			inward = inward && line.Inward
			p.Rings, q.Rings = append(p.Rings, line.Points), append(q.Rings, out[i].Points)
		}
		if p.Validate() != nil {
			return
		}
		if err := q.Validate(); err != nil {
			t.Fatalf("%v becomes %v: %v", p, q, err)
		}
		if inward {
			checkSubset(t, p, q)
		}
	})
}
