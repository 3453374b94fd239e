package overlay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
)

// world is a kind of random input.
type world struct {
	name  string
	count int
	rings func(rng *rand.Rand) []lattice.Ring
}

var worlds = []world{
	{"tiny", 1500, func(rng *rand.Rand) []lattice.Ring { return randomRings(rng, 1+rng.IntN(6), 8, 4) }},
	{"small", 600, func(rng *rand.Rand) []lattice.Ring { return randomRings(rng, 1+rng.IntN(10), 8, 30) }},
	{"large", 200, func(rng *rand.Rand) []lattice.Ring { return randomRings(rng, 1+rng.IntN(12), 9, 100000) }},
	{"the whole frame", 200, func(rng *rand.Rand) []lattice.Ring {
		return randomRings(rng, 1+rng.IntN(8), 7, lattice.MaxCoord)
	}},
	{"triangles", 50, func(rng *rand.Rand) []lattice.Ring { return triangles(rng, 60, 500, 120) }},
	{"needles", 60, func(rng *rand.Rand) []lattice.Ring { return needles(rng, 40, 300) }},
	{"a fan", 30, func(rng *rand.Rand) []lattice.Ring { return fan(rng, 50, 1000) }},
	{"blocks", 200, func(rng *rand.Rand) []lattice.Ring { return blocks(rng, 60, 12) }},
	{"steep", 60, func(rng *rand.Rand) []lattice.Ring { return steep(rng, 30) }},
}

// eachWorld calls f with random inputs, the count of each kind divided by share; rng is f's own to draw from.
func eachWorld(t *testing.T, share int, f func(t *testing.T, rng *rand.Rand, rings []lattice.Ring)) {
	t.Helper()
	for k, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			count := (w.count + share - 1) / share
			if testing.Short() {
				count /= 10
			}
			for seed := range uint64(count) {
				rng := rand.New(rand.NewPCG(seed, uint64(k)))
				rings := w.rings(rng)
				f(t, rng, rings)
				if t.Failed() {
					t.Fatalf("with seed %d: %v", seed, raw(rings))
				}
			}
		})
	}
}

// raw prints rings as lattice coordinates.
func raw(rings []lattice.Ring) string {
	var b strings.Builder
	for _, r := range rings {
		for _, p := range r {
			fmt.Fprintf(&b, "{%d, %d}, ", p.X, p.Y)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func randomPoint(rng *rand.Rand, size int32) lattice.Point {
	return lattice.Point{X: rng.Int32N(size+1) - rng.Int32N(size+1), Y: rng.Int32N(size+1) - rng.Int32N(size+1)}
}

// randomRings cross themselves, turn either way, repeat points.
func randomRings(rng *rand.Rand, n, points int, size int32) []lattice.Ring {
	rings := make([]lattice.Ring, n)
	for i := range rings {
		for range 1 + rng.IntN(points) {
			rings[i] = append(rings[i], randomPoint(rng, size))
		}
	}
	return rings
}

func triangles(rng *rand.Rand, n int, size, reach int32) []lattice.Ring {
	rings := make([]lattice.Ring, n)
	for i := range rings {
		at := randomPoint(rng, size)
		for range 3 {
			d := randomPoint(rng, reach)
			rings[i] = append(rings[i], lattice.Point{X: at.X + d.X, Y: at.Y + d.Y})
		}
		if rings[i].Area2() < 0 {
			slices.Reverse(rings[i])
		}
	}
	return rings
}

// needles are long and a unit or two wide.
func needles(rng *rand.Rand, n int, size int32) []lattice.Ring {
	rings := make([]lattice.Ring, n)
	for i := range rings {
		a, b := randomPoint(rng, size), randomPoint(rng, size)
		rings[i] = lattice.Ring{a, b, {X: b.X + rng.Int32N(3) - 1, Y: b.Y + rng.Int32N(3) - 1}}
		if rings[i].Area2() < 0 {
			slices.Reverse(rings[i])
		}
	}
	return rings
}

// fan is triangles around a point.
func fan(rng *rand.Rand, n int, size int32) []lattice.Ring {
	rings := triangles(rng, n, 1, size)
	for i := range rings {
		rings[i][rng.IntN(3)] = lattice.Point{X: 3, Y: 4}
	}
	return rings
}

func blocks(rng *rand.Rand, n int, size int32) []lattice.Ring {
	rings := make([]lattice.Ring, n)
	for i := range rings {
		a := randomPoint(rng, size)
		b := lattice.Point{X: a.X + 1 + rng.Int32N(4), Y: a.Y + 1 + rng.Int32N(4)}
		rings[i] = lattice.Ring{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}}
	}
	return rings
}

// steep rings are a few units wide and high as can be.
func steep(rng *rand.Rand, n int) []lattice.Ring {
	rings := randomRings(rng, n, 6, 3)
	for _, r := range rings {
		for i := range r {
			r[i].Y *= lattice.MaxCoord / 6
			r[i].Y += rng.Int32N(5)
		}
	}
	return rings
}

func winding(rings []lattice.Ring, p lattice.Point) int32 {
	w := int32(0)
	for _, r := range rings {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			switch {
			case a.Y <= p.Y && b.Y > p.Y && lattice.Orient(a, b, p) > 0:
				w++
			case b.Y <= p.Y && a.Y > p.Y && lattice.Orient(a, b, p) < 0:
				w--
			}
		}
	}
	return w
}

// farFromEdges reports whether p is farther than n units from all edges.
func farFromEdges(rings []lattice.Ring, p lattice.Point, n uint64) bool {
	for _, r := range rings {
		for i, a := range r {
			if lattice.SegmentDistance2(p, a, r[(i+1)%len(r)]).CompareInt(n*n) <= 0 {
				return false
			}
		}
	}
	return true
}

func contains(polygons []lattice.Polygon, p lattice.Point) int {
	n := 0
	for _, q := range polygons {
		if q.Locate(p) == lattice.Inside {
			n++
		}
	}
	return n
}

func box(rings []lattice.Ring) lattice.Box {
	b := lattice.EmptyBox()
	for _, r := range rings {
		b = b.Union(r.Box())
	}
	return b
}

// within returns a random point of b, or one a little outside.
func within(rng *rand.Rand, b lattice.Box) lattice.Point {
	w, h := b.Size()
	in := func(low int32, size int64) int32 {
		x := int64(low) - 2 + rng.Int64N(size+5)
		return int32(min(max(x, -lattice.MaxCoord), lattice.MaxCoord))
	}
	return lattice.Point{X: in(b.Min.X, w), Y: in(b.Min.Y, h)}
}

func union(t *testing.T, rings []lattice.Ring) []lattice.Polygon {
	t.Helper()
	ps, err := Union(rings)
	if err != nil {
		t.Error(err)
	}
	return ps
}

func TestResultsAreValid(t *testing.T) {
	race.Skip(t)
	eachWorld(t, slow.Count(3, 1), func(t *testing.T, rng *rand.Rand, rings []lattice.Ring) {
		k := rng.IntN(len(rings) + 1)
		a, err := Arrange(rings[:k], rings[k:])
		if err != nil {
			t.Error(err)
			return
		}
		for name, rule := range map[string]Rule{
			"a":        Positive(0),
			"union":    func(w Winding) bool { return w[0]+w[1] > 0 },
			"both":     func(w Winding) bool { return w[0] != 0 && w[1] != 0 },
			"odd":      func(w Winding) bool { return (w[0]+w[1])&1 != 0 },
			"a less b": func(w Winding) bool { return w[0] > 0 && w[1] <= 0 },
		} {
			for i, p := range a.Polygons(rule) {
				if err := p.Validate(); err != nil {
					t.Errorf("%s, polygon %d: %v", name, i, err)
				}
			}
		}
	})
}

func TestAgainstWindingNumbers(t *testing.T) {
	race.Skip(t)
	inside, outside := 0, 0
	eachWorld(t, slow.Count(3, 1), func(t *testing.T, rng *rand.Rand, rings []lattice.Ring) {
		ps := union(t, rings)
		b := box(rings)
		for range 30 {
			p := within(rng, b)
			if !farFromEdges(rings, p, 1) {
				continue
			}
			want := 0
			if winding(rings, p) > 0 {
				want = 1
				inside++
			} else {
				outside++
			}
			if got := contains(ps, p); got != want {
				t.Errorf("%v (%d, %d) is inside of %d polygons, want %d", p, p.X, p.Y, got, want)
			}
		}
	})
	if inside < 200 || outside < 200 {
		t.Errorf("%d points inside and %d outside were tried, want more", inside, outside)
	}
}

func TestRulesPartition(t *testing.T) {
	race.Skip(t)
	eachWorld(t, slow.Count(3, 1), func(t *testing.T, rng *rand.Rand, rings []lattice.Ring) {
		k := rng.IntN(len(rings) + 1)
		a, err := Arrange(rings[:k], rings[k:])
		if err != nil {
			t.Error(err)
			return
		}
		area := func(r Rule) int64 {
			sum := int64(0)
			for _, p := range a.Polygons(r) {
				sum += p.Area2()
			}
			return sum
		}
		both := area(func(w Winding) bool { return w[0] > 0 && w[1] > 0 })
		first := area(func(w Winding) bool { return w[0] > 0 && w[1] <= 0 })
		second := area(func(w Winding) bool { return w[0] <= 0 && w[1] > 0 })
		if all := area(func(w Winding) bool { return w[0] > 0 || w[1] > 0 }); both+first+second != all {
			t.Errorf("twice the areas %d of both, %d of the first only, %d of the second only make %d, want %d",
				both, first, second, both+first+second, all)
		}
		if one := area(Positive(0)); one != both+first {
			t.Errorf("twice the area of the first is %d, its parts have %d", one, both+first)
		}
	})
}

func TestVerticesAreInputsOrCrossings(t *testing.T) {
	race.Skip(t)
	eachWorld(t, slow.Count(3, 1), func(t *testing.T, rng *rand.Rand, rings []lattice.Ring) {
		type segment struct{ a, b lattice.Point }
		var segments []segment
		known := map[lattice.Point]bool{}
		for _, r := range rings {
			for i, a := range r {
				known[a] = true
				segments = append(segments, segment{a, r[(i+1)%len(r)]})
			}
		}
		for i, s := range segments {
			for _, o := range segments[:i] {
				if lattice.SegmentContact(s.a, s.b, o.a, o.b) == lattice.ProperCrossing {
					p, _ := lattice.LineIntersection(s.a, s.b, o.a, o.b)
					known[p] = true
				}
			}
		}
		for _, p := range union(t, rings) {
			for _, r := range p.Rings {
				for i, a := range r {
					if !known[a] {
						t.Errorf("vertex %v is neither in the input nor a crossing", a)
					}
					// The middle of an edge is within a unit of an edge of the input, and its rounding
					// within half a unit's diagonal of that.
					b := r[(i+1)%len(r)]
					mid := lattice.Point{X: int32((int64(a.X) + int64(b.X)) / 2), Y: int32((int64(a.Y) + int64(b.Y)) / 2)}
					if farFromEdges(rings, mid, 2) {
						t.Errorf("the edge from %v to %v is far from all edges of the input", a, b)
					}
				}
			}
		}
	})
}

func TestOrderDoesNotMatter(t *testing.T) {
	race.Skip(t)
	eachWorld(t, slow.Count(3, 1), func(t *testing.T, rng *rand.Rand, rings []lattice.Ring) {
		want := fmt.Sprint(union(t, rings))
		other := slices.Clone(rings)
		rng.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		for i, r := range other {
			k := rng.IntN(len(r))
			other[i] = slices.Concat(r[k:], r[:k])
		}
		if got := fmt.Sprint(union(t, other)); got != want {
			t.Errorf("shuffled rings give\n%s\nwant\n%s", got, want)
		}
	})
}

func square(x, y, size int32) lattice.Ring {
	return lattice.Ring{{X: x, Y: y}, {X: x + size, Y: y}, {X: x + size, Y: y + size}, {X: x, Y: y + size}}
}

func reversed(r lattice.Ring) lattice.Ring {
	r = slices.Clone(r)
	slices.Reverse(r)
	return r
}

func TestUnion(t *testing.T) {
	for _, test := range []struct {
		name  string
		rings []lattice.Ring
		want  []lattice.Polygon
	}{
		{"nothing", nil, nil},
		{"an empty ring", []lattice.Ring{{}}, nil},
		{"a point", []lattice.Ring{{{X: 1, Y: 1}}}, nil},
		{"there and back", []lattice.Ring{{{X: 1, Y: 1}, {X: 4, Y: 2}}}, nil},
		{"clockwise", []lattice.Ring{reversed(square(0, 0, 4))}, nil},
		{"one", []lattice.Ring{square(0, 0, 4)}, []lattice.Polygon{{Rings: []lattice.Ring{square(0, 0, 4)}}}},
		{"twice the same", []lattice.Ring{square(0, 0, 4), square(0, 0, 4)}, []lattice.Polygon{{Rings: []lattice.Ring{square(0, 0, 4)}}}},
		{"two with a common side", []lattice.Ring{square(0, 0, 4), square(4, 0, 4)}, []lattice.Polygon{{Rings: []lattice.Ring{
			{{X: 0, Y: 0}, {X: 8, Y: 0}, {X: 8, Y: 4}, {X: 0, Y: 4}},
		}}}},
		{"touching in a point", []lattice.Ring{square(0, 0, 4), square(4, 4, 4)}, []lattice.Polygon{
			{Rings: []lattice.Ring{square(0, 0, 4)}}, {Rings: []lattice.Ring{square(4, 4, 4)}},
		}},
		{"a hole", []lattice.Ring{square(0, 0, 9), reversed(square(3, 3, 3))}, []lattice.Polygon{{Rings: []lattice.Ring{
			square(0, 0, 9), {{X: 3, Y: 3}, {X: 3, Y: 6}, {X: 6, Y: 6}, {X: 6, Y: 3}},
		}}}},
		{"an island in a hole", []lattice.Ring{square(0, 0, 9), reversed(square(1, 1, 7)), square(3, 3, 3)}, []lattice.Polygon{
			{Rings: []lattice.Ring{square(0, 0, 9), {{X: 1, Y: 1}, {X: 1, Y: 8}, {X: 8, Y: 8}, {X: 8, Y: 1}}}},
			{Rings: []lattice.Ring{square(3, 3, 3)}},
		}},
		{"holes that touch", []lattice.Ring{square(0, 0, 9), reversed(square(2, 2, 2)), reversed(square(4, 4, 2))}, []lattice.Polygon{{Rings: []lattice.Ring{
			square(0, 0, 9),
			{{X: 2, Y: 2}, {X: 2, Y: 4}, {X: 4, Y: 4}, {X: 4, Y: 2}},
			{{X: 4, Y: 4}, {X: 4, Y: 6}, {X: 6, Y: 6}, {X: 6, Y: 4}},
		}}}},
		{"a hole in the smallest corner", []lattice.Ring{{{X: 0, Y: 0}, {X: 9, Y: -9}, {X: 9, Y: 9}}, {{X: 0, Y: 0}, {X: 5, Y: 2}, {X: 5, Y: -2}}}, []lattice.Polygon{{Rings: []lattice.Ring{
			{{X: 0, Y: 0}, {X: 9, Y: -9}, {X: 9, Y: 9}}, {{X: 0, Y: 0}, {X: 5, Y: 2}, {X: 5, Y: -2}},
		}}}},
		{"a bow tie", []lattice.Ring{{{X: 0, Y: 0}, {X: 4, Y: 4}, {X: 4, Y: 0}, {X: 0, Y: 4}}}, []lattice.Polygon{
			{Rings: []lattice.Ring{{{X: 0, Y: 0}, {X: 2, Y: 2}, {X: 0, Y: 4}}}},
		}},
		{"twice around", []lattice.Ring{append(square(0, 0, 4), square(0, 0, 4)...)}, []lattice.Polygon{{Rings: []lattice.Ring{square(0, 0, 4)}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := union(t, test.rings)
			if g, w := fmt.Sprint(got), fmt.Sprint(test.want); g != w {
				t.Errorf("got  %s\nwant %s", g, w)
			}
		})
	}
}

func TestIntersectionAndDifference(t *testing.T) {
	a, b := []lattice.Ring{square(0, 0, 6)}, []lattice.Ring{square(2, 2, 6)}
	both, err := Intersection(a, b)
	if err != nil || len(both) != 1 || fmt.Sprint(both[0].Rings) != fmt.Sprint([]lattice.Ring{square(2, 2, 4)}) {
		t.Errorf("Intersection = %v, %v", both, err)
	}
	rest, err := Difference(a, b)
	want := []lattice.Ring{{{X: 0, Y: 0}, {X: 6, Y: 0}, {X: 6, Y: 2}, {X: 2, Y: 2}, {X: 2, Y: 6}, {X: 0, Y: 6}}}
	if err != nil || len(rest) != 1 || fmt.Sprint(rest[0].Rings) != fmt.Sprint(want) {
		t.Errorf("Difference = %v, %v, want %v", rest, err, want)
	}
}

func TestOutOfRange(t *testing.T) {
	for _, x := range []int32{lattice.MaxCoord + 1, -lattice.MaxCoord - 1, -1 << 31} {
		_, err := Difference([]lattice.Ring{square(0, 0, 4)}, []lattice.Ring{square(0, 0, 4), {{X: 0, Y: 1}, {X: x, Y: 2}}})
		if err == nil || !strings.Contains(err.Error(), "input 1, ring 1: point 1") {
			t.Errorf("error of a coordinate %d: %v", x, err)
		}
	}
}
