package terrain

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// drawn is a picture from rows of letters: a is area 0, b area 1; a blank is unpainted.
func drawn(rows ...string) *labels {
	l := &labels{width: len(rows[0]), height: len(rows)}
	for _, row := range rows {
		for _, c := range []byte(row) {
			if c == ' ' {
				l.at = append(l.at, unpainted)
			} else {
				l.at = append(l.at, uint16(c-'a')+1)
			}
		}
	}
	return l
}

// area2 returns twice the signed area of a ring, in square metres.
func area2(ring [][2]float64) float64 {
	sum := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		sum += p[0]*q[1] - p[1]*q[0]
	}
	return sum
}

// winding returns the winding number of rings around a point on no edge.
func winding(rings [][][2]float64, x, y float64) int {
	n := 0
	for _, ring := range rings {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			side := (q[0]-p[0])*(y-p[1]) - (q[1]-p[1])*(x-p[0])
			switch {
			case p[1] <= y && q[1] > y && side > 0:
				n++
			case p[1] > y && q[1] <= y && side < 0:
				n--
			}
		}
	}
	return n
}

func noise(r *rand.Rand, w, h, areas int) *labels {
	l := &labels{width: w, height: h, at: make([]uint16, w*h)}
	for i := range l.at {
		l.at[i] = uint16(r.IntN(areas + 1))
		if r.IntN(3) > 0 && i > 0 {
			l.at[i] = l.at[i-1]
		}
		if r.IntN(3) > 0 && i >= w {
			l.at[i] = l.at[i-w]
		}
	}
	return l
}

func TestOutlines(t *testing.T) {
	l := drawn(
		"aab",
		"aa ",
	)
	got, err := l.outlines([4]float64{10, -20, 16, -16}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Area != 0 || got[1].Area != 1 || len(got[0].Rings) != 1 || len(got[1].Rings) != 1 {
		t.Fatalf("got %v", got)
	}
	// The junction on the eastern side of the square is a corner of both.
	if a, b := area2(got[0].Rings[0])/2, area2(got[1].Rings[0])/2; a != 16 || b != 4 {
		t.Errorf("areas %g and %g, want 16 and 4", a, b)
	}
	for _, corner := range [][2]float64{{10, 20}, {14, 20}, {14, 16}, {10, 16}} {
		if !slices.Contains(got[0].Rings[0], corner) {
			t.Errorf("the corner %v is not in %v", corner, got[0].Rings[0])
		}
	}
}

// TestOutlinesAgainstPixels compares the covered area with the pixels, one by one, and the sum with the areas.
func TestOutlinesAgainstPixels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pictures := []*labels{
		drawn("a"),
		drawn(" "),
		drawn("aaa", "aba", "aaa"),            // an island, and a hole around it
		drawn("a a", " a ", "a a"),            // corners only
		drawn("ab", "ba"),                     // four that meet
		drawn("aaaa", "a  a", "a a ", "aaa "), // a ring that touches itself
		drawn("aaaaa", "abbba", "abcba", "abbba", "aaaaa"),
	}
	for range 200 {
		pictures = append(pictures, noise(r, 1+r.IntN(12), 1+r.IntN(12), 1+r.IntN(4)))
	}
	for n, l := range pictures {
		over := [4]float64{-3, 5, -3 + float64(l.width)*0.5, 5 + float64(l.height)*0.25}
		got, err := l.outlines(over, 0)
		if err != nil {
			t.Fatal(err)
		}
		count := map[uint16]float64{}
		for y := range l.height {
			for x := range l.width {
				want := l.get(x, y)
				count[want]++
				px, py := over[0]+(float64(x)+0.5)*0.5, -(over[1] + (float64(y)+0.5)*0.25)
				for _, p := range got {
					w := winding(p.Rings, px, py)
					if inside := uint16(p.Area)+1 == want; inside != (w == 1) || w < 0 || w > 1 {
						t.Fatalf("picture %d: pixel (%d, %d) of label %d: area %d winds %d times", n, x, y, want, p.Area, w)
					}
				}
			}
		}
		last := -1
		for _, p := range got {
			sum := 0.0
			for _, ring := range p.Rings {
				sum += area2(ring) / 2
				if len(ring) < 4 {
					t.Fatalf("picture %d: a ring of %d points", n, len(ring))
				}
			}
			if want := count[uint16(p.Area)+1] * 0.125; math.Abs(sum-want) > 1e-9 {
				t.Fatalf("picture %d: area %d is %g m², want %g", n, p.Area, sum, want)
			}
			if int(p.Area) <= last {
				t.Fatalf("picture %d: area %d after %d", n, p.Area, last)
			}
			last = int(p.Area)
		}
		lvl := strip("x")
		lvl.Ground = &level.Ground{Names: []string{"a", "b", "c", "d", "e"}, Painted: got}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOutlinesMirrored checks that a picture upside down gives the same outlines upside down.
func TestOutlinesMirrored(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		l := noise(r, 1+r.IntN(9), 1+r.IntN(9), 3)
		m := &labels{width: l.width, height: l.height, at: make([]uint16, len(l.at))}
		for y := range l.height {
			copy(m.at[y*l.width:], l.at[(l.height-1-y)*l.width:][:l.width])
		}
		over := [4]float64{0, 0, float64(l.width), float64(l.height)}
		a, err := l.outlines(over, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.outlines(over, 0)
		if err != nil {
			t.Fatal(err)
		}
		corners := func(patches []level.Painted, mirror bool) (list [][3]float64) {
			for _, p := range patches {
				for _, ring := range p.Rings {
					for _, c := range ring {
						if mirror {
							c[1] = -float64(l.height) - c[1]
						}
						list = append(list, [3]float64{float64(p.Area), c[0], c[1] + 0})
					}
				}
			}
			slices.SortFunc(list, func(a, b [3]float64) int { return slices.Compare(a[:], b[:]) })
			return list
		}
		if !slices.Equal(corners(a, false), corners(b, true)) {
			t.Fatalf("%v upside down: %v, %v", l, a, b)
		}
		again, _ := l.outlines(over, 0)
		if !slices.EqualFunc(a, again, func(p, q level.Painted) bool {
			return p.Area == q.Area && slices.EqualFunc(p.Rings, q.Rings, slices.Equal[[][2]float64])
		}) {
			t.Fatal("the same picture gives other outlines")
		}
	}
}

// TestOutlinesStraightened checks that areas without gaps between them still cover the picture, within the tolerance.
func TestOutlinesStraightened(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		l := noise(r, 4+r.IntN(20), 4+r.IntN(20), 3)
		for i := range l.at {
			l.at[i] = max(l.at[i], 1) // no gaps
		}
		over := [4]float64{0, 0, float64(l.width), float64(l.height)}
		const tolerance = 0.8
		got, err := l.outlines(over, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		total, points := 0.0, 0
		for _, p := range got {
			for _, ring := range p.Rings {
				total += area2(ring) / 2
				points += len(ring)
			}
		}
		if want := float64(l.width * l.height); math.Abs(total-want) > 1e-9 {
			t.Fatalf("round %d: %g m² of %g are left", round, total, want)
		}
		exact, _ := l.outlines(over, 0)
		before := 0
		for _, p := range exact {
			for _, ring := range p.Rings {
				before += len(ring)
			}
		}
		if points > before {
			t.Fatalf("round %d: %d points of %d", round, points, before)
		}
		for y := range l.height {
			for x := range l.width {
				px, py := float64(x)+0.4321, -float64(y)-0.5678
				covered := 0
				for _, p := range got {
					switch winding(p.Rings, px, py) {
					case 0:
					case 1:
						covered++
						if !l.near(px, -py, uint16(p.Area)+1, tolerance) {
							t.Fatalf("round %d: area %d at (%g, %g) is farther than %g m from its pixels", round, p.Area, px, -py, tolerance)
						}
					default:
						t.Fatalf("round %d: area %d winds about (%g, %g)", round, p.Area, px, -py)
					}
				}
				if covered != 1 {
					t.Fatalf("round %d: %d areas at (%g, %g)", round, covered, px, -py)
				}
			}
		}
	}
}

// near reports whether a pixel with the label is within a distance, for pixels of 1 m.
func (l *labels) near(x, y float64, label uint16, distance float64) bool {
	for j := range l.height {
		for i := range l.width {
			dx := max(float64(i)-x, 0, x-float64(i+1))
			dy := max(float64(j)-y, 0, y-float64(j+1))
			if l.get(i, j) == label && math.Hypot(dx, dy) <= distance+2*lattice.Unit {
				return true
			}
		}
	}
	return false
}

// TestOutlinesStraightenStairs checks that a slope of pixels becomes a line.
func TestOutlinesStraightenStairs(t *testing.T) {
	const n = 64
	l := &labels{width: n, height: n, at: make([]uint16, n*n)}
	for y := range n {
		for x := range n {
			l.at[y*n+x] = 1
			if 2*x > y+20 {
				l.at[y*n+x] = 2
			}
		}
	}
	got, err := l.outlines([4]float64{0, 0, n, n}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range got {
		if len(p.Rings) != 1 || len(p.Rings[0]) > 8 {
			t.Errorf("area %d has %d corners", p.Area, len(p.Rings[0]))
		}
	}
}

func TestOutlinesOfBadRectangles(t *testing.T) {
	l := drawn("ab", "ba")
	for _, over := range [][4]float64{
		{0, 0, 1e-5, 1}, {0, 0, 1, 1e-5}, {0, 0, 3e5, 1}, {1e300, 0, 2e300, 1}, {math.NaN(), 0, 1, 1}, {0, 0, math.Inf(1), 1}, {0, 0, 0, 0}, {1, 1, 0, 0},
	} {
		if got, err := l.outlines(over, 0); err == nil {
			t.Errorf("%v: %v", over, got)
		}
	}
	// Pixels of a lattice unit are the finest possible.
	if _, err := l.outlines([4]float64{0, 0, 2 * lattice.Unit, 2 * lattice.Unit}, 0); err != nil {
		t.Error(err)
	}
}
