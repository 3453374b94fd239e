package query

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// wander returns a random walk through the regions of a mesh: the portals crossed, and a lattice point of the first and
// of the last region. The corridor may cross itself and turn around obstacles more than once, but does not go straight
// back.
func wander(rng *rand.Rand, ix *Index, steps int) (crossed []uint32, start, goal lattice.Point) {
	at := func(r uint32) lattice.Point {
		reg := ix.geo.Region(r)
		ring := reg.Ring
		switch rng.IntN(3) {
		case 0:
			return ring[rng.IntN(len(ring))].Point
		default:
			a, b := ring[rng.IntN(len(ring))], ring[rng.IntN(len(ring))]
			p := lattice.Point{X: a.X + (b.X-a.X)/2, Y: a.Y + (b.Y-a.Y)/2}
			if ix.geo.Contains(r, p) {
				return p
			}
			return a.Point
		}
	}
	r := rng.Uint32N(uint32(ix.geo.RegionLimit()))
	start = at(r)
	for range steps {
		var onward []uint32
		for p := ix.geo.Region(r).FirstPortal; p < ix.geo.Region(r).EndPortal; p++ {
			if len(crossed) == 0 || ix.geo.Portal(crossed[len(crossed)-1]).Back != p {
				onward = append(onward, p)
			}
		}
		if len(onward) == 0 {
			break
		}
		p := onward[rng.IntN(len(onward))]
		crossed = append(crossed, p)
		r = ix.geo.Portal(p).To
	}
	return crossed, start, at(r)
}

func gatesOf(ix *Index, crossed []uint32) []route.Gate {
	var gates []route.Gate
	for _, p := range crossed {
		gates = append(gates, route.Gate{Left: ix.geo.Portal(p).Left, Right: ix.geo.Portal(p).Right})
	}
	return gates
}

// bruteFunnel returns the length of the shortest path through gates by trying all straight pieces between ends of
// gates. The start is gate -1, and the goal is behind the last gate.
func bruteFunnel(start, goal lattice.Point, gates []route.Gate) float64 {
	n := len(gates)
	ends := func(i int) []lattice.Point {
		switch {
		case i < 0:
			return []lattice.Point{start}
		case i == n:
			return []lattice.Point{goal}
		}
		return []lattice.Point{gates[i].Left, gates[i].Right}
	}
	dist := map[[2]int]float64{{-1, 0}: 0}
	for j := 0; j <= n; j++ {
		for jj, b := range ends(j) {
			best := math.Inf(1)
			for i := j - 1; i >= -1; i-- {
				for ii, a := range ends(i) {
					if d, ok := dist[[2]int{i, ii}]; ok && passes(a, b, gates[max(i+1, 0):j]) {
						best = min(best, d+index.Distance(a, b))
					}
				}
			}
			dist[[2]int{j, jj}] = best
		}
	}
	return dist[[2]int{n, 0}]
}

// passes reports whether the segment from a to b goes through the gates one after the other.
func passes(a, b lattice.Point, gates []route.Gate) bool {
	at := 0.0
	for _, g := range gates {
		l, r := lattice.Orient(a, b, g.Left), lattice.Orient(a, b, g.Right)
		var first, last float64
		switch {
		case a == b:
			if !lattice.OnSegment(a, g.Left, g.Right) {
				return false
			}
			continue
		case l == 0 && r == 0:
			whole := float64(lattice.Dot(a, b, b))
			first, last = float64(lattice.Dot(a, b, g.Left))/whole, float64(lattice.Dot(a, b, g.Right))/whole
			first, last = min(first, last), max(first, last)
		case l < 0 || r > 0:
			return false
		default:
			da, db := float64(lattice.Orient(g.Right, g.Left, a)), float64(lattice.Orient(g.Right, g.Left, b))
			first = da / (da - db)
			last = first
		}
		const rounding = 1e-9
		if last < at-rounding || first > 1+rounding {
			return false
		}
		at = max(at, first)
	}
	return true
}

// bendsLength returns the length along bends, in lattice units.
func bendsLength(bends []route.Bend) float64 {
	sum := 0.0
	for i := 1; i < len(bends); i++ {
		sum += index.Distance(bends[i-1].Point, bends[i].Point)
	}
	return sum
}

// TestFunnelAgainstBruteForce compares the length with the best sequence of straight pieces, in random corridors, and
// checks that the bends are on their gates.
func TestFunnelAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 4))
	for i := range 150 {
		ix := NewIndex(randomWorld(t, rng).theMesh())
		if ix.geo.RegionLimit() == 0 {
			continue
		}
		q := ix.NewQuery()
		for range 10 {
			crossed, start, goal := wander(rng, ix, rng.IntN(25))
			gates := gatesOf(ix, crossed)
			bends := q.Funnel(start, goal, gates)
			want := bruteFunnel(start, goal, gates)
			if got := bendsLength(bends); math.Abs(got-want) > 1e-9*(1+want) {
				t.Fatalf("world %d: length %v, want %v\nfrom %v to %v through %v: %v", i, got, want, start, goal, gates, bends)
			}
			for i, b := range bends {
				if i == 0 || i == len(bends)-1 {
					continue
				}
				if g := gates[b.Gate]; b.Point != g.Left && b.Point != g.Right {
					t.Fatalf("world %d: %v is no end of %v", i, b, g)
				}
			}
		}
	}
}

// checkTaut checks that the path turns left at left ends and right at right ends, or not at all.
func checkTaut(t *testing.T, bends []route.Bend, gates []route.Gate) {
	t.Helper()
	for i := 1; i+1 < len(bends); i++ {
		turn := lattice.Orient(bends[i-1].Point, bends[i].Point, bends[i+1].Point)
		g := gates[bends[i].Gate]
		if turn > 0 && bends[i].Point != g.Left || turn < 0 && bends[i].Point != g.Right {
			t.Fatalf("bend %d of %v turns away from gate %v", i, bends, g)
		}
		if bends[i].Gate < bends[i-1].Gate || bends[i].Point == bends[i-1].Point {
			t.Fatalf("bend %d of %v does not come after the one before", i, bends)
		}
	}
}

// TestFunnelIsTaut pulls paths through the corridors of both searches. (A corridor around a vertex by more than half a
// turn, as wander makes, turns left around right ends.)
func TestFunnelIsTaut(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 4))
	w := newGrid(t, rng, 40, 40, 0.35, rectangles, lattice.Frame{})
	q := NewIndex(w.mesh).NewQuery()
	longest := 0
	for i := range 400 {
		a, _ := w.draw(rng)
		b, _ := w.draw(rng)
		path, err := ways[i%len(ways)].find(q, context.Background(), w.point(a), w.point(b))
		if err != nil {
			t.Fatal(err)
		}
		if path.Complete {
			checkTaut(t, q.way.Funnel.Path, q.way.Gates)
			longest = max(longest, len(q.way.Funnel.Path))
		}
	}
	if longest < 20 {
		t.Errorf("the longest path has only %d points", longest)
	}
}

// TestFunnelIsSymmetric walks corridors in both directions.
func TestFunnelIsSymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 4))
	for range 200 {
		ix := NewIndex(newSoup(t, rng, 8, 8, 0.2, lattice.Frame{}).mesh)
		q := ix.NewQuery()
		crossed, start, goal := wander(rng, ix, 30)
		gates := gatesOf(ix, crossed)
		there := slices.Clone(q.Funnel(start, goal, gates))
		slices.Reverse(gates)
		for i, g := range gates {
			gates[i] = route.Gate{Left: g.Right, Right: g.Left}
		}
		back := slices.Clone(q.Funnel(goal, start, gates))
		slices.Reverse(back)
		a, b := corners(there), corners(back)
		if !slices.Equal(a, b) {
			t.Fatalf("there %v, back %v", a, b)
		}
	}
}

// corners returns the ends of a path and the points where the path really turns.
func corners(bends []route.Bend) []lattice.Point {
	var out []lattice.Point
	for i, b := range bends {
		if i == 0 || i == len(bends)-1 || lattice.Orient(bends[i-1].Point, b.Point, bends[i+1].Point) != 0 {
			out = append(out, b.Point)
		}
	}
	return out
}

// TestFunnelDegenerate names the degenerate cases.
func TestFunnelDegenerate(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	g := func(leftX, leftY, rightX, rightY int32) route.Gate {
		return route.Gate{Left: p(leftX, leftY), Right: p(rightX, rightY)}
	}
	tests := []struct {
		name        string
		start, goal lattice.Point
		gates       []route.Gate // walking in the direction of +X: left is +Y
		want        []lattice.Point
	}{
		{"no gates", p(0, 0), p(5, 1), nil, []lattice.Point{p(0, 0), p(5, 1)}},
		{"start is goal", p(0, 0), p(0, 0), nil, []lattice.Point{p(0, 0)}},
		{"start is goal on a gate", p(1, 0), p(1, 0), []route.Gate{g(1, 2, 1, -2)}, []lattice.Point{p(1, 0)}},
		{"start is goal at the end of a gate", p(1, 2), p(1, 2), []route.Gate{g(1, 2, 1, -2)}, []lattice.Point{p(1, 2)}},
		{"straight through", p(0, 0), p(4, 0), []route.Gate{g(1, 2, 1, -2), g(3, 2, 3, -2)}, []lattice.Point{p(0, 0), p(4, 0)}},
		{"a gate of width zero", p(0, 0), p(4, 0), []route.Gate{g(2, 3, 2, 3)}, []lattice.Point{p(0, 0), p(2, 3), p(4, 0)}},
		{"the same gate twice", p(0, 0), p(4, 0), []route.Gate{g(2, 5, 2, 3), g(2, 5, 2, 3)}, []lattice.Point{p(0, 0), p(2, 3), p(4, 0)}},
		{"gates with a common end", p(0, 0), p(4, 1), []route.Gate{g(1, 5, 2, 2), g(2, 5, 2, 2), g(3, 5, 2, 2)}, []lattice.Point{p(0, 0), p(2, 2), p(4, 1)}},
		{"start at the left end", p(0, 3), p(4, 0), []route.Gate{g(0, 3, 0, -3), g(3, 3, 3, 1)}, []lattice.Point{p(0, 3), p(3, 1), p(4, 0)}},
		{"start at the right end", p(0, -3), p(4, 0), []route.Gate{g(0, 3, 0, -3), g(3, 1, 3, -3)}, []lattice.Point{p(0, -3), p(4, 0)}},
		{"start inside a gate", p(0, 0), p(4, 0), []route.Gate{g(0, 3, 0, -3)}, []lattice.Point{p(0, 0), p(4, 0)}},
		{"a gate seen edge-on", p(0, 0), p(5, -2), []route.Gate{g(4, 0, 2, 0)}, []lattice.Point{p(0, 0), p(2, 0), p(5, -2)}},
		{"along the right ends", p(0, 0), p(6, 0), []route.Gate{g(2, 3, 2, 0), g(4, 3, 4, 0)}, []lattice.Point{p(0, 0), p(6, 0)}},
		{"touching left and right on one line", p(0, 0), p(6, 0), []route.Gate{g(2, 3, 2, 0), g(4, 0, 4, -3)}, []lattice.Point{p(0, 0), p(6, 0)}},
		{"goal is the left end of the last gate", p(0, 0), p(4, 3), []route.Gate{g(2, 0, 2, -3), g(4, 3, 4, 0)}, []lattice.Point{p(0, 0), p(2, 0), p(4, 3)}},
		{"goal is the right end of the last gate", p(0, 0), p(4, 0), []route.Gate{g(2, 4, 2, 2), g(4, 3, 4, 0)}, []lattice.Point{p(0, 0), p(2, 2), p(4, 0)}},
		{"the largest coordinates, one unit beside the line", p(-lattice.MaxCoord, 0), p(lattice.MaxCoord, 0), []route.Gate{g(0, lattice.MaxCoord, 0, 1)}, []lattice.Point{p(-lattice.MaxCoord, 0), p(0, 1), p(lattice.MaxCoord, 0)}},
	}
	q := (&Index{}).NewQuery()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bends := q.Funnel(tt.start, tt.goal, tt.gates)
			for i := 1; i < len(bends); i++ {
				if bends[i].Point == bends[i-1].Point {
					t.Errorf("a point follows itself: %v", bends)
				}
			}
			if got := corners(bends); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// BenchmarkFunnel pulls paths through rows of doubling length: a zigzag with a bend at every gate, and a curve where
// the path touches only the inner side. Variants that start over at every bend are quadratic on the curve.
func BenchmarkFunnel(b *testing.B) {
	for n := int32(64); n <= 4096; n *= 4 {
		zigzag, curve := make([]route.Gate, n), make([]route.Gate, n)
		for i := range n {
			x := 10 * (i + 1)
			low, high := int32(50), int32(100)
			if i%2 == 1 {
				low, high = -100, -50
			}
			zigzag[i] = route.Gate{Left: lattice.Point{X: x, Y: high}, Right: lattice.Point{X: x, Y: low}}
			bulge := x * (10*(n+1) - x) / 10
			curve[i] = route.Gate{Left: lattice.Point{X: x, Y: 1 << 28}, Right: lattice.Point{X: x, Y: bulge}}
		}
		for _, bm := range []struct {
			name  string
			gates []route.Gate
		}{{"zigzag", zigzag}, {"curve", curve}} {
			b.Run(fmt.Sprintf("%s/%d", bm.name, n), func(b *testing.B) {
				q := (&Index{}).NewQuery()
				start, goal := lattice.Point{}, lattice.Point{X: 10 * (n + 1)}
				b.ReportAllocs()
				for b.Loop() {
					// Both bend at every gate.
					if got := len(q.Funnel(start, goal, bm.gates)); got != int(n)+2 {
						b.Fatalf("%d points, want %d", got, n+2)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/gate")
			})
		}
	}
}
