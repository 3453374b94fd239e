package cdt

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func TestSortKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 1 << digitBits, 3 << digitBits} {
		for _, span := range []uint64{1, 7, 1 << 20, 1 << 36, 1 << 63} {
			keys := make([]keyed, n)
			for i := range keys {
				keys[i] = keyed{rng.Uint64N(span) &^ 0xFF00, int32(i)} // a digit that all agree on, and ties
			}
			want := slices.Clone(keys)
			slices.SortStableFunc(want, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
			if got := sortKeys(keys); !slices.Equal(got, want) {
				t.Fatalf("%d keys below %d are not in order", n, span)
			}
		}
	}
}

// TestRounds verifies that every item comes once, that each round is about as long as all before it together,
// and that items keep their order within a round.
func TestRounds(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 1000, 100000} {
		order := inRounds(n)
		last := lastRound(n)
		sizes := make([]int, last+1)
		for k, i := range order {
			r := round(int(i), last)
			sizes[r]++
			if k > 0 {
				if before := round(int(order[k-1]), last); before > r || before == r && order[k-1] >= i {
					t.Fatalf("%d items: %d of round %d is before %d of round %d", n, order[k-1], before, i, r)
				}
			}
		}
		slices.Sort(order)
		for k, i := range order {
			if int(i) != k {
				t.Fatalf("%d items: %d is missing or there twice", n, k)
			}
		}
		sum := 0
		for r, size := range sizes {
			if sum > 200 && (size < sum*3/4 || size > sum*4/3) {
				t.Errorf("%d items: round %d has %d, all before it %d", n, r, size, sum)
			}
			sum += size
		}
	}
}

func TestHilbertIsACurve(t *testing.T) {
	// The cells of a small square in the order of the curve are a path of steps of one.
	type cell struct {
		key  uint64
		x, y uint32
	}
	var cells []cell
	for x := range uint32(32) {
		for y := range uint32(32) {
			cells = append(cells, cell{hilbert(x, y), x, y})
		}
	}
	slices.SortFunc(cells, func(a, b cell) int { return cmp.Compare(a.key, b.key) })
	for i, c := range cells {
		if i == 0 {
			continue
		}
		dx, dy := int64(c.x)-int64(cells[i-1].x), int64(c.y)-int64(cells[i-1].y)
		if c.key != cells[i-1].key+1 || dx*dx+dy*dy != 1 {
			t.Fatalf("from %+v to %+v is no step", cells[i-1], c)
		}
	}
	if lo, hi := hilbert(0, 0), hilbert(1<<curveBits-1, 0); lo != 0 || hi != 1<<(2*curveBits)-1 {
		t.Errorf("the curve runs from %d to %d", lo, hi)
	}
}

// TestOrderOfPoints begins the rings at other points and lists them in another order: where no four
// points lie on a circle, the triangulation is the same.
func TestOrderOfPoints(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		d := gentest.Scatter(rng, 6, 1<<20, []gentest.Obstacle{gentest.Stars, gentest.Needles}[seed%2])
		want := triangles(t, d)
		turned := gentest.Map(d, func(p lattice.Point) lattice.Point { return p })
		for i, r := range turned.Rings {
			k := rng.IntN(len(r))
			turned.Rings[i] = append(slices.Clone(r[k:]), r[:k]...)
		}
		rng.Shuffle(len(turned.Rings), func(i, j int) { turned.Rings[i], turned.Rings[j] = turned.Rings[j], turned.Rings[i] })
		turned.Edges = nil
		if !slices.Equal(triangles(t, turned), want) {
			t.Errorf("seed %d: other triangles", seed)
		}
	}
}

// triangles returns the triangles inside of d, each from its least corner, in the order of theirs.
func triangles(t *testing.T, d *plan.Domain) [][3]lattice.Point {
	t.Helper()
	dom, err := FromDomain(d)
	if err != nil {
		t.Fatal(err)
	}
	var all [][3]lattice.Point
	for s, inside := range dom.Inside {
		if !inside {
			continue
		}
		v := [3]lattice.Point{dom.P[dom.H[3*s].V], dom.P[dom.H[3*s+1].V], dom.P[dom.H[3*s+2].V]}
		for v[0].Compare(v[1]) > 0 || v[0].Compare(v[2]) > 0 {
			v = [3]lattice.Point{v[1], v[2], v[0]}
		}
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b [3]lattice.Point) int {
		return cmp.Or(a[0].Compare(b[0]), a[1].Compare(b[1]), a[2].Compare(b[2]))
	})
	return all
}

// TestFirstFault has many faults and expects the first in the order of the rings.
func TestFirstFault(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 1)), 12, 4096, gentest.Boxes)
	n := len(d.Rings)
	for i := n / 2; i < n; i++ {
		for j := range d.Rings[i] {
			d.Rings[i][j].X -= 3000 // into the box to the left
		}
	}
	type wall struct {
		p, q lattice.Point
		name string
	}
	var walls []wall
	first := ""
	for r, ring := range d.Rings {
		for i, p := range ring {
			w := wall{p, ring[(i+1)%len(ring)], fmt.Sprintf("ring %d, edge %d ", r, i)}
			if first == "" && slices.ContainsFunc(walls, func(o wall) bool {
				c := lattice.SegmentContact(w.p, w.q, o.p, o.q)
				return c == lattice.ProperCrossing || c == lattice.Overlap
			}) {
				first = w.name
			}
			walls = append(walls, w)
		}
	}
	if _, err := FromDomain(d); err == nil || first == "" || !strings.HasPrefix(err.Error(), first) {
		t.Errorf("error %v, the first fault is at %s", err, first)
	}
}

// TestLocate looks for points in triangulations with constraints, where triangles are not Delaunay.
func TestLocate(t *testing.T) {
	var found [3]int
	eachSet(t, func(t *testing.T, rng *rand.Rand, p []lattice.Point) {
		tri, ids := New(p)
		for i := range 3 * len(ids) {
			if u, v := ids[rng.IntN(len(ids))], ids[rng.IntN(len(ids))]; u != v {
				tri.Connect(u, v, int32(i))
			}
		}
		lo, hi := tri.P[0], tri.P[2]
		w, h := hi.Sub(lo)
		for i := range 60 {
			q := lattice.Point{X: lo.X + int32(rng.Int64N(w+1)), Y: lo.Y + int32(rng.Int64N(h+1))}
			if i%3 == 0 && len(ids) > 0 {
				q = tri.P[ids[rng.IntN(len(ids))]]
			}
			walked, zeros := tri.Locate(q, rng.Int32N(int32(len(tri.H))))
			found[zeros]++
			verifyPlace(t, tri, q, walked, zeros)
			searched, same := tri.find(q)
			if same != zeros {
				t.Fatalf("%v lies on %d edges after a walk, on %d after a search", q, zeros, same)
			}
			verifyPlace(t, tri, q, searched, zeros)
		}
		for _, q := range []lattice.Point{{X: lo.X - 1, Y: lo.Y}, {X: hi.X, Y: hi.Y + 1}} {
			if e, _ := tri.Locate(q, 0); e != -1 {
				t.Errorf("%v, outside of the box, is at half-edge %d", q, e)
			}
			if e, _ := tri.find(q); e != -1 {
				t.Errorf("%v, outside of the box, is found at half-edge %d", q, e)
			}
		}
	})
	if min(found[0], found[1], found[2]) < 100 {
		t.Errorf("%v points in triangles, on edges, at vertices", found)
	}
}

func verifyPlace(t *testing.T, tri *Triangulation, q lattice.Point, e int32, zeros int) {
	t.Helper()
	if e < 0 {
		t.Fatalf("%v is not found", q)
	}
	on := 0
	for k, h := 0, e; k < 3; k, h = k+1, Next(h) {
		switch o := lattice.Orient(tri.P[tri.H[h].V], tri.P[tri.Head(h)], q); {
		case o < 0:
			t.Fatalf("%v is not in the triangle of half-edge %d", q, e)
		case o == 0:
			on++
		}
	}
	switch {
	case on != zeros:
		t.Fatalf("%v lies on %d edges of the triangle of half-edge %d, not on %d", q, on, e, zeros)
	case zeros == 1 && lattice.Orient(tri.P[tri.H[e].V], tri.P[tri.Head(e)], q) != 0:
		t.Fatalf("%v is not on half-edge %d", q, e)
	case zeros == 2 && tri.P[tri.H[e].V] != q:
		t.Fatalf("half-edge %d does not start at %v", e, q)
	}
}

// parted has small obstacles on a parabola and on a line, and between them one wall as long as the world.
func parted(n int) *plan.Domain {
	const w = lattice.MaxCoord
	rings := []lattice.Ring{gentest.Ring(-w, -w, w, -w, w, w, -w, w), gentest.Ring(-5, 0, w/2+5, 0, w/2+5, -1)}
	for i := range int64(n / 6) {
		x := i * (w / 2) / int64(n/6)
		y := 20 + x*(w/2-x)>>28
		for _, y := range []int32{int32(y), -30} {
			rings = append(rings, gentest.Ring(int32(x), y, int32(x)-1, y+2, int32(x)+1, y+1))
		}
	}
	return gentest.Domain(rings...)
}

// BenchmarkFromDomain doubles domains of every kind that an order of insertion can be bad for.
func BenchmarkFromDomain(b *testing.B) {
	kinds := []struct {
		name string
		make func(n int) *plan.Domain
	}{
		{"scatter", func(n int) *plan.Domain {
			side := 1
			for 9*side*side < n {
				side++
			}
			return gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		}},
		{"blocks", func(n int) *plan.Domain {
			side := 1
			for 5*side*side < 8*n {
				side++
			}
			return gentest.Blocks(rand.New(rand.NewPCG(1, 2)), side, 1024, 0.35, false)
		}},
		{"comb", func(n int) *plan.Domain { return gentest.Comb(n/4, 600, 1<<20) }},
		{"dense comb", func(n int) *plan.Domain { return gentest.Comb(n/4, 6, 1<<20) }},
		{"staircase", func(n int) *plan.Domain { return gentest.Staircase(n / 3) }},
		{"spiral", func(n int) *plan.Domain { return gentest.Spiral(n/8, 100) }},
		{"circle", func(n int) *plan.Domain { return gentest.Star(n/2, 1<<29) }},
		{"parted", parted},
	}
	for _, kind := range kinds {
		for n := 1000; n <= 64000; n *= 4 {
			d := kind.make(n)
			b.Run(fmt.Sprintf("%s/%d", kind.name, d.Len()), func(b *testing.B) {
				for b.Loop() {
					dom, err := FromDomain(d)
					if err != nil || len(dom.Walls) != d.Len() {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(d.Len()), "ns/vertex")
			})
		}
	}
}
