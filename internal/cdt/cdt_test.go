package cdt

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// validate checks the invariants: halves point at each other with the same ends and mark, triangles are
// counter-clockwise and fill the box, and vertices know an edge of theirs.
func (t *Triangulation) validate(tb testing.TB) {
	tb.Helper()
	sum := new(big.Int)
	for e, h := range t.H {
		e := int32(e)
		if o := h.Opp; o >= 0 {
			if t.H[o].Opp != e || t.H[o].V != t.Head(e) || t.Head(o) != h.V || t.H[o].Mark != h.Mark {
				tb.Fatalf("halves %d and %d do not agree: %+v, %+v", e, o, h, t.H[o])
			}
		} else if h.V > 3 || t.Head(e) > 3 {
			tb.Fatalf("half %d has no other half", e)
		}
		if e%3 == 0 {
			o := lattice.Orient(t.P[h.V], t.P[t.Head(e)], t.P[t.Apex(e)])
			if o <= 0 {
				tb.Fatalf("triangle %d is not counter-clockwise: %d", e/3, o)
			}
			sum.Add(sum, big.NewInt(o))
		}
	}
	w, h := t.P[2].Sub(t.P[0])
	if area := new(big.Int).Mul(big.NewInt(2*w), big.NewInt(h)); sum.Cmp(area) != 0 {
		tb.Fatalf("triangles have twice the area %v, the box %v", sum, area)
	}
	for v, e := range t.Edge {
		if e >= 0 && t.H[e].V != int32(v) {
			tb.Fatalf("edge %d of vertex %d starts at %d", e, v, t.H[e].V)
		}
	}
	if len(t.Inside)*3 != len(t.H) {
		tb.Fatalf("%d triangles, %d know whether they are inside", len(t.H)/3, len(t.Inside))
	}
}

// bigInCircle is the determinant as it is written in books.
func bigInCircle(a, b, c, d lattice.Point) int {
	var m [3][3]*big.Int
	for i, p := range []lattice.Point{a, b, c} {
		x, y := p.Sub(d)
		bx, by := big.NewInt(x), big.NewInt(y)
		m[i] = [3]*big.Int{bx, by, new(big.Int).Add(new(big.Int).Mul(bx, bx), new(big.Int).Mul(by, by))}
	}
	det := new(big.Int)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		minor := new(big.Int).Sub(new(big.Int).Mul(m[j][0], m[k][1]), new(big.Int).Mul(m[k][0], m[j][1]))
		det.Add(det, minor.Mul(minor, m[i][2]))
	}
	return det.Sign()
}

func TestInCircle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	inside := 0
	for i := range 20000 {
		size := int32(4)
		if i%2 == 1 {
			size = 1 << 30 // the box is one unit larger than the frame
		}
		var p [4]lattice.Point
		for k := range p {
			p[k] = lattice.Point{X: rng.Int32N(size+1) - rng.Int32N(size+1), Y: rng.Int32N(size+1) - rng.Int32N(size+1)}
			if rng.IntN(3) == 0 && i%2 == 1 {
				p[k] = lattice.Point{X: size * (2*rng.Int32N(2) - 1), Y: size * (2*rng.Int32N(2) - 1)}
			}
		}
		if lattice.Orient(p[0], p[1], p[2]) <= 0 {
			continue
		}
		want := bigInCircle(p[0], p[1], p[2], p[3]) > 0
		if want {
			inside++
		}
		if got := inCircle(p[0], p[1], p[2], p[3]); got != want {
			t.Fatalf("inCircle(%v) = %v", p, got)
		}
	}
	if inside < 1000 {
		t.Errorf("only %d points were inside of their circle", inside)
	}
}

// pointSets are sets of points of every kind that is hard for a triangulation.
var pointSets = map[string]func(rng *rand.Rand) []lattice.Point{
	"none": func(*rand.Rand) []lattice.Point { return nil },
	"one":  func(*rand.Rand) []lattice.Point { return []lattice.Point{{X: 3, Y: 4}} },
	"few on a line": func(rng *rand.Rand) []lattice.Point {
		var p []lattice.Point
		for range 30 {
			k := rng.Int32N(20)
			p = append(p, lattice.Point{X: 3 * k, Y: 2 * k})
		}
		return p
	},
	"grid": func(rng *rand.Rand) []lattice.Point {
		var p []lattice.Point
		for i := range int32(12) {
			for j := range int32(12) {
				p = append(p, lattice.Point{X: i * 10, Y: j * 10})
			}
		}
		rng.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		return p
	},
	"few places, many points": func(rng *rand.Rand) []lattice.Point {
		var p []lattice.Point
		for range 200 {
			p = append(p, lattice.Point{X: rng.Int32N(8), Y: rng.Int32N(8)})
		}
		return p
	},
	"random": func(rng *rand.Rand) []lattice.Point {
		var p []lattice.Point
		for range 300 {
			p = append(p, lattice.Point{X: rng.Int32N(100000), Y: rng.Int32N(100000)})
		}
		return p
	},
	"corners of the frame": func(rng *rand.Rand) []lattice.Point {
		const m = lattice.MaxCoord
		p := []lattice.Point{{X: m, Y: m}, {X: -m, Y: m}, {X: -m, Y: -m}, {X: m, Y: -m}}
		for range 100 {
			p = append(p, lattice.Point{X: rng.Int32N(m) - rng.Int32N(m), Y: rng.Int32N(m) - rng.Int32N(m)})
		}
		return p
	},
	"parabola": func(*rand.Rand) []lattice.Point {
		var p []lattice.Point
		for i := range int32(100) {
			p = append(p, lattice.Point{X: i, Y: i * i})
		}
		return p
	},
}

// eachSet calls f for all point sets, in the order of their names.
func eachSet(t *testing.T, f func(t *testing.T, rng *rand.Rand, p []lattice.Point)) {
	for _, name := range slices.Sorted(maps.Keys(pointSets)) {
		set := pointSets[name]
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				rng := rand.New(rand.NewPCG(seed, 0))
				f(t, rng, set(rng))
			}
		})
	}
}

func TestTriangulationIsValid(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *rand.Rand, p []lattice.Point) {
		tri, ids := New(p)
		tri.validate(t)
		for i, v := range ids {
			if tri.P[v] != p[i] || tri.Edge[v] < 0 {
				t.Fatalf("point %d at %v became vertex %d at %v", i, p[i], v, tri.P[v])
			}
			for j := range i {
				if (p[i] == p[j]) != (v == ids[j]) {
					t.Fatalf("points %d and %d at %v and %v are vertices %d and %d", j, i, p[j], p[i], ids[j], v)
				}
			}
		}
	})
}

func TestTriangulationIsDelaunay(t *testing.T) {
	eachSet(t, func(t *testing.T, rng *rand.Rand, p []lattice.Point) {
		tri, ids := New(p)
		for e := range tri.H {
			if tri.illegal(int32(e)) {
				t.Fatalf("edge %d is not Delaunay", e)
			}
		}
		if len(p) == 0 {
			return
		}
		for range 40 {
			u, v := ids[rng.IntN(len(ids))], ids[rng.IntN(len(ids))]
			if u != v {
				tri.Connect(u, v, 7)
			}
		}
		for e := range tri.H {
			if tri.illegal(int32(e)) {
				t.Fatalf("edge %d is not Delaunay among constraints", e)
			}
		}
	})
}

// TestConnect compares Connect with the geometry of the segments.
func TestConnect(t *testing.T) {
	made, blocked := 0, 0
	eachSet(t, func(t *testing.T, rng *rand.Rand, p []lattice.Point) {
		tri, ids := New(p)
		if len(p) == 0 {
			return
		}
		type segment struct{ u, v int32 }
		var have []segment
		for mark := range int32(60) {
			u, v := ids[rng.IntN(len(ids))], ids[rng.IntN(len(ids))]
			if u == v {
				continue
			}
			pu, pv := tri.P[u], tri.P[v]
			through := slices.ContainsFunc(ids, func(w int32) bool {
				return w != u && w != v && lattice.OnSegment(tri.P[w], pu, pv)
			})
			crosses := slices.ContainsFunc(have, func(s segment) bool {
				c := lattice.SegmentContact(pu, pv, tri.P[s.u], tri.P[s.v])
				return c == lattice.ProperCrossing || c == lattice.Overlap
			})
			before := slices.Clone(tri.H)
			b := tri.Connect(u, v, mark)
			if (b == Clear) != (!through && !crosses) {
				t.Fatalf("from %v to %v: %v; it passes a vertex: %v, it crosses a constraint: %v", pu, pv, b, through, crosses)
			}
			if b == Clear {
				have = append(have, segment{u, v})
				made++
				tri.validate(t)
			} else {
				blocked++
				if !slices.Equal(before, tri.H) {
					t.Fatal("a segment that was stopped left traces")
				}
			}
		}
		// Exactly the constraints are marked.
		halves := 0
		for _, h := range tri.H {
			if h.Mark != Free {
				halves++
			}
		}
		if halves != 2*len(have) {
			t.Errorf("%d constraints are marked at %d halves", len(have), halves)
		}
	})
	if made < 1000 || blocked < 1000 {
		t.Errorf("%d segments made, %d stopped", made, blocked)
	}
}

func TestSees(t *testing.T) {
	seen, hidden := 0, 0
	eachSet(t, func(t *testing.T, rng *rand.Rand, p []lattice.Point) {
		tri, ids := New(p)
		if len(p) < 10 {
			return
		}
		type segment struct{ u, v lattice.Point }
		var walls []segment
		for range 20 {
			u, v := ids[rng.IntN(len(ids))], ids[rng.IntN(len(ids))]
			if u != v && tri.Connect(u, v, 1) == Clear {
				walls = append(walls, segment{tri.P[u], tri.P[v]})
			}
		}
		for range 50 {
			// A point in a triangle: the middle of one of its edges if it is a lattice point, else none.
			e := rng.Int32N(int32(len(tri.H)))
			a, b := tri.P[tri.H[e].V], tri.P[tri.Head(e)]
			q := lattice.Point{X: int32((int64(a.X) + int64(b.X)) / 2), Y: int32((int64(a.Y) + int64(b.Y)) / 2)}
			if !lattice.OnSegment(q, a, b) || q == a || q == b || tri.H[e].Mark != Free {
				continue
			}
			u := ids[rng.IntN(len(ids))]
			want := true
			for _, w := range walls {
				c := lattice.SegmentContact(tri.P[u], q, w.u, w.v)
				want = want && c != lattice.ProperCrossing && c != lattice.Overlap && !lattice.OnSegment(q, w.u, w.v)
			}
			for _, v := range ids {
				want = want && (v == u || !lattice.OnSegment(tri.P[v], tri.P[u], q))
			}
			if got := tri.Sees(u, q, e) == Clear; got != want {
				t.Fatalf("from %v to %v: %v, want %v", tri.P[u], q, got, want)
			}
			if want {
				seen++
			} else {
				hidden++
			}
		}
	})
	if seen < 100 || hidden < 100 {
		t.Errorf("%d points seen, %d hidden", seen, hidden)
	}
}

// TestNewPoints puts points into edges, triangles and over walls.
func TestNewPoints(t *testing.T) {
	square := []lattice.Point{{X: 0, Y: 0}, {X: 100, Y: 0}, {X: 100, Y: 100}, {X: 0, Y: 100}}
	tri, ids := New(square)
	for i := range ids {
		if tri.Connect(ids[i], ids[(i+1)%4], int32(i)) != Clear {
			t.Fatal("a side of the square is not clear")
		}
	}
	half := func(u, v int32) int32 {
		for e, h := range tri.H {
			if h.V == u && tri.Head(int32(e)) == v {
				return int32(e)
			}
		}
		t.Fatalf("there is no edge from %v to %v", tri.P[u], tri.P[v])
		return -1
	}
	inside := half(ids[0], ids[1])
	for e := range tri.H {
		c := tri.P[tri.H[e].V]
		d, f := tri.P[tri.Head(int32(e))], tri.P[tri.Apex(int32(e))]
		in := true
		for _, p := range []lattice.Point{c, d, f} {
			in = in && p.X >= 0 && p.Y >= 0 && p.X <= 100 && p.Y <= 100
		}
		tri.Inside[e/3] = in
	}
	v := tri.Split(inside, lattice.Point{X: 50, Y: 0})
	tri.validate(t)
	if tri.H[half(ids[0], v)].Mark != 0 || tri.H[half(v, ids[1])].Mark != 0 {
		t.Error("the parts of a split edge are not marked as the edge was")
	}
	d := tri.Dent(half(v, ids[1]), lattice.Point{X: 75, Y: 1})
	tri.validate(t)
	for _, e := range []int32{half(v, d), half(d, ids[1])} {
		if tri.H[e].Mark != 0 || !tri.Inside[e/3] || tri.Inside[tri.H[e].Opp/3] {
			t.Error("the dent is not a part of the border")
		}
	}
	if e := half(v, ids[1]); tri.H[e].Mark != Free || tri.Inside[e/3] {
		t.Error("the edge that was dented is still a border")
	}
	in := tri.Insert(half(ids[3], ids[0]), lattice.Point{X: 1, Y: 50})
	tri.validate(t)
	if tri.P[in] != (lattice.Point{X: 1, Y: 50}) || tri.Edge[in] < 0 || !tri.Inside[tri.Edge[in]/3] {
		t.Error("the inserted point is not in the domain")
	}
}

func TestTranslation(t *testing.T) {
	eachSet(t, func(t *testing.T, rng *rand.Rand, p []lattice.Point) {
		if len(p) > 0 && p[0].X == lattice.MaxCoord {
			return // no room
		}
		dx, dy := rng.Int32N(1<<29)-1<<28, rng.Int32N(1<<29)-1<<28
		moved := make([]lattice.Point, len(p))
		for i := range p {
			moved[i] = lattice.Point{X: p[i].X + dx, Y: p[i].Y + dy}
		}
		a, _ := New(p)
		b, _ := New(moved)
		if diff := cmp.Diff(a.H, b.H); diff != "" {
			t.Fatal(diff)
		}
	})
}
