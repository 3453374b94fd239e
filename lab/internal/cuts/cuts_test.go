package cuts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/faces"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func divide(t *testing.T, d *plan.Domain) *Domain {
	t.Helper()
	dom, err := cdt.FromDomain(d)
	if err != nil {
		t.Fatal(err)
	}
	return New(dom)
}

// judge makes the parts convex and asks the oracle.
func judge(t *testing.T, d *plan.Domain, w *Domain) []plan.Cell {
	t.Helper()
	m := faces.New(w.Domain)
	m.Dissolve(m.Diagonals())
	cells := m.Cells(w.On)
	if err := gentest.Check(d, gen.Result{Cells: cells, Report: gen.Report{Lost: w.Lost}}); err != nil {
		t.Error(err)
	}
	return cells
}

// within returns a point of the box.
func within(rng *rand.Rand, b lattice.Box) lattice.Point {
	w, h := b.Size()
	return lattice.Point{X: b.Min.X + int32(rng.Int64N(w+1)), Y: b.Min.Y + int32(rng.Int64N(h+1))}
}

// TestAnyCuts cuts between any two points, inside, outside or on the border of the domain, one cut after the
// other, so that most cross walls and each other.
func TestAnyCuts(t *testing.T) {
	sum := map[string]int{}
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		w := divide(t, d)
		box := d.Box()
		for range rng.IntN(12) {
			u := w.Place(within(rng, box))
			v := w.anyCorner(rng)
			if rng.IntN(3) > 0 {
				v = w.Place(within(rng, box))
			}
			if u != v {
				w.Cut(u, v)
				sum["cuts"]++
			}
		}
		if rng.IntN(2) == 0 {
			_, parts := w.Settle()
			sum["parts"] += parts
		}
		judge(t, d, w)
		sum["refused"] += w.Refused
		sum["constructed"] += w.Constructed
	})
	for _, name := range []string{"cuts", "refused", "constructed", "parts"} {
		if sum[name] == 0 {
			t.Errorf("no world had a case of %s", name)
		}
	}
	if sum["refused"]*10 > sum["cuts"] {
		t.Errorf("more than one cut in ten was refused: %v", sum)
	}
	t.Log(sum)
}

// anyCorner returns a vertex of the rings.
func (d *Domain) anyCorner(rng *rand.Rand) int32 {
	return d.Domain.Corner[rng.IntN(len(d.Domain.Corner))]
}

// TestSettle compares the parts with the result of a search over single cut edges.
func TestSettle(t *testing.T) {
	left, taken := 0, 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		w := divide(t, d)
		for range rng.IntN(8) {
			if u, v := w.Place(within(rng, d.Box())), w.Place(within(rng, d.Box())); u != v {
				w.Cut(u, v)
			}
		}
		before := w.edges()
		part, parts := w.Settle()
		after := w.edges()
		for _, e := range before {
			o := w.H[e].Opp
			if kept := slices.Contains(after, e); kept != (part[e/3] != part[o/3]) {
				t.Errorf("a cut between parts %d and %d was kept: %v", part[e/3], part[o/3], kept)
			} else if kept {
				left++
			} else {
				taken++
			}
		}
		for tri, in := range w.Inside {
			if in != (part[tri] >= 0) || int(part[tri]) >= parts {
				t.Errorf("triangle %d is in part %d of %d", tri, part[tri], parts)
			}
			for _, h := range w.H[3*tri : 3*tri+3] {
				if in && h.Mark == cdt.Free && part[h.Opp/3] != part[tri] {
					t.Errorf("triangles %d and %d are not separated and in different parts", tri, h.Opp/3)
				}
			}
		}
	})
	if left == 0 || taken == 0 {
		t.Errorf("%d cuts were left, %d taken back", left, taken)
	}
}

// edges returns the half-edges of cuts, the lower of each two.
func (d *Domain) edges() (all []int32) {
	for e, h := range d.H {
		if h.Mark == d.mark && int32(e) < h.Opp {
			all = append(all, int32(e))
		}
	}
	return all
}

func TestNamedCuts(t *testing.T) {
	square := gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100)
	hole := gentest.Ring(40, 40, 40, 60, 60, 60, 60, 40)
	slanted := gentest.Ring(0, 0, 301, 97, 301, 300, 0, 300)
	chained := gentest.Domain(slanted)
	chained.Edges[0][0] = 3
	for _, c := range []struct {
		name        string
		domain      *plan.Domain
		cuts        [][2]lattice.Point
		parts       int
		constructed int
		refused     int
	}{
		{"through the middle", gentest.Domain(square), cutList(0, 50, 100, 50), 2, 2, 0},
		{"along a wall", gentest.Domain(square), cutList(10, 0, 90, 0), 1, 2, 0},
		{"a diagonal", gentest.Domain(square), cutList(0, 0, 100, 100), 2, 0, 0},
		{"twice the same", gentest.Domain(square), cutList(0, 50, 100, 50, 0, 50, 100, 50), 2, 2, 0},
		{"crossing at a lattice point", gentest.Domain(square), cutList(0, 50, 100, 50, 50, 0, 50, 100), 4, 4, 0},
		{"crossing between", gentest.Domain(square), cutList(0, 50, 100, 51, 50, 0, 51, 100), 4, 4, 0},
		{"loose end", gentest.Domain(square), cutList(0, 50, 70, 50), 1, 1, 0},
		{"through a hole", gentest.Domain(square, hole), cutList(0, 50, 100, 50), 2, 4, 0},
		{"into a hole", gentest.Domain(square, hole), cutList(0, 50, 50, 50), 1, 2, 0},
		{"from hole to hole", gentest.Domain(square, hole), cutList(50, 50, 45, 55), 1, 0, 0},
		{"past corners of a hole", gentest.Domain(square, hole), cutList(0, 40, 100, 40), 2, 2, 0},
		{"to a slanted wall", gentest.Domain(slanted), cutList(150, 300, 150, 1), 2, 2, 0},
		{"to a chain without lattice points", chained, cutList(150, 300, 150, 1), 2, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := divide(t, c.domain)
			for _, s := range c.cuts {
				w.Cut(w.Place(s[0]), w.Place(s[1]))
			}
			if _, parts := w.Settle(); parts != c.parts {
				t.Errorf("%d parts, want %d", parts, c.parts)
			}
			if w.Constructed != c.constructed || w.Refused != c.refused {
				t.Errorf("%d corners constructed and %d cuts refused, want %d and %d", w.Constructed, w.Refused, c.constructed, c.refused)
			}
			judge(t, c.domain, w)
		})
	}
}

func cutList(xy ...int32) (list [][2]lattice.Point) {
	for i := 0; i+3 < len(xy); i += 4 {
		list = append(list, [2]lattice.Point{{X: xy[i], Y: xy[i+1]}, {X: xy[i+2], Y: xy[i+3]}})
	}
	return list
}

// TestAnchor has every vertex that is returned on the border.
func TestAnchor(t *testing.T) {
	found, none := 0, 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		w := divide(t, d)
		for range 5 {
			p := within(rng, d.Box())
			_, h := d.Box().Size()
			reach := float64(h) * (0.02 + 0.2*rng.Float64())
			v := w.Anchor(p, reach)
			if v < 0 {
				none++
				continue
			}
			found++
			border := false
			for e, h := range w.H {
				border = border || h.Mark != cdt.Free && (h.V == v || w.Head(int32(e)) == v)
			}
			if !border {
				t.Errorf("%v for %v is not on the border", w.P[v], p)
			}
		}
		judge(t, d, w)
	})
	if found == 0 || none == 0 {
		t.Errorf("%d anchors, %d times none", found, none)
	}
}

func TestChains(t *testing.T) {
	points := make([]lattice.Point, 8)
	for _, c := range []struct {
		name     string
		segments [][2]int32
		want     [][]int32
	}{
		{"none", nil, nil},
		{"one", [][2]int32{{0, 1}}, [][]int32{{0, 1}}},
		{"three in a row", [][2]int32{{1, 2}, {3, 2}, {1, 0}}, [][]int32{{3, 2, 1, 0}}},
		{"ring", [][2]int32{{0, 1}, {1, 2}, {2, 0}}, [][]int32{{0, 1, 2, 0}}},
		{"star", [][2]int32{{0, 1}, {0, 2}, {3, 0}}, [][]int32{{0, 1}, {0, 2}, {3, 0}}},
		{"ring with a tail", [][2]int32{{0, 1}, {1, 2}, {2, 0}, {0, 3}}, [][]int32{{0, 1, 2, 0}, {0, 3}}},
		{"two rings at a point", [][2]int32{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 0}}, [][]int32{{0, 1, 2, 0}, {0, 3, 4, 0}}},
	} {
		g := Graph{Points: points, Segments: c.segments}
		got := g.Chains()
		if !slices.EqualFunc(got, c.want, func(a, b []int32) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNewGraph(t *testing.T) {
	at := gentest.Ring(0, 0, 10, 0, 12, 0, 20, 0, 10, 10, 12, 10)
	segments := [][2]lattice.Point{{at[0], at[1]}, {at[1], at[2]}, {at[2], at[3]}, {at[1], at[4]}, {at[2], at[5]}, {at[5], at[2]}, {at[3], at[3]}}
	for _, c := range []struct {
		name    string
		short   float64
		degrees []int32
	}{
		{"as it is", 0, []int32{1, 3, 3, 1, 1, 1}},
		{"two become one", 3, []int32{1, 4, 0, 1, 1, 1}},
		{"loose ends stay", 100, []int32{1, 4, 0, 1, 1, 1}},
	} {
		g := NewGraph(segments, c.short)
		if got := g.Degrees(); !slices.Equal(got, c.degrees) {
			t.Errorf("%s: degrees %v, want %v", c.name, got, c.degrees)
		}
		if len(g.Lines()) != len(g.Segments) {
			t.Errorf("%s: %d lines for %d segments", c.name, len(g.Lines()), len(g.Segments))
		}
	}
}

func TestPrune(t *testing.T) {
	ring := [][2]int32{{0, 1}, {1, 2}, {2, 0}}
	for _, c := range []struct {
		name     string
		segments [][2]int32
		keep     []int32
		left     int
	}{
		{"ring", ring, nil, 3},
		{"ring with a tail", append(slices.Clone(ring), [2]int32{2, 3}, [2]int32{3, 4}), nil, 3},
		{"ring with a tail that may be", append(slices.Clone(ring), [2]int32{2, 3}, [2]int32{3, 4}), []int32{4}, 5},
		{"path", [][2]int32{{0, 1}, {1, 2}, {2, 3}}, nil, 0},
		{"path with one end that may be loose", [][2]int32{{0, 1}, {1, 2}, {2, 3}}, []int32{0}, 0},
		{"path with two", [][2]int32{{0, 1}, {1, 2}, {2, 3}}, []int32{0, 3}, 3},
	} {
		g := Graph{Points: make([]lattice.Point, 5), Segments: c.segments}
		g.Prune(func(i int32) bool { return slices.Contains(c.keep, i) })
		if len(g.Segments) != c.left {
			t.Errorf("%s: %d segments are left, want %d", c.name, len(g.Segments), c.left)
		}
	}
}

func TestLongestFirst(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		w := divide(t, d)
		diagonals := faces.New(w.Domain).Diagonals()
		sorted := slices.Clone(diagonals)
		LongestFirst(w.Domain, sorted)
		for i := 1; i < len(sorted); i++ {
			e, f := sorted[i-1], sorted[i]
			long, next := w.P[w.H[e].V].Distance2(w.P[w.Head(e)]), w.P[w.H[f].V].Distance2(w.P[w.Head(f)])
			if long < next || long == next && e > f {
				t.Errorf("diagonal %d comes before %d", e, f)
			}
		}
		slices.Sort(sorted)
		if !slices.Equal(sorted, diagonals) { // in the order of their numbers
			t.Error("some are lost")
		}
	})
}
