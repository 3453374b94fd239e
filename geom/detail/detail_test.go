package detail_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/detail"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
)

func simplify(tb testing.TB, t *lattice.TIN, opt detail.Options) *lattice.TIN {
	tb.Helper()
	out, err := detail.Simplify(tb.Context(), t, opt)
	if err != nil {
		tb.Fatal(err)
	}
	for i, c := range out.Triangles {
		if lattice.Orient(out.Vertices[c[0]].Point, out.Vertices[c[1]].Point, out.Vertices[c[2]].Point) <= 0 {
			tb.Fatalf("triangle %d has no positive area", i)
		}
	}
	return &out
}

// distance is the distance of a place from a segment.
func distance(x, y float64, a, b lattice.Point) float64 {
	dx, dy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	px, py := x-float64(a.X), y-float64(a.Y)
	t := min(max((px*dx+py*dy)/max(dx*dx+dy*dy, 1), 0), 1)
	return math.Hypot(px-t*dx, py-t*dy)
}

// grid is a square of n by n cells of two triangles each.
func grid(n int, at func(i, j int) lattice.Vertex) *lattice.TIN {
	t := &lattice.TIN{}
	for i := range n + 1 {
		for j := range n + 1 {
			t.Vertices = append(t.Vertices, at(i, j))
		}
	}
	for i := range n {
		for j := range n {
			a := uint32(i*(n+1) + j)
			b := a + uint32(n+1)
			t.Triangles = append(t.Triangles, [3]uint32{a, b, b + 1}, [3]uint32{a, b + 1, a + 1})
		}
	}
	return t
}

func vertex(x, y, z int32) lattice.Vertex {
	return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z}
}

// add appends another surface, sharing no vertices.
func add(t, more *lattice.TIN) *lattice.TIN {
	first := uint32(len(t.Vertices))
	t.Vertices = append(t.Vertices, more.Vertices...)
	for _, c := range more.Triangles {
		t.Triangles = append(t.Triangles, [3]uint32{first + c[0], first + c[1], first + c[2]})
	}
	return t
}

// moved is a copy somewhere else.
func moved(t *lattice.TIN, x, y, z int32) *lattice.TIN {
	out := &lattice.TIN{Vertices: slices.Clone(t.Vertices), Triangles: slices.Clone(t.Triangles), Error: t.Error}
	for i := range out.Vertices {
		out.Vertices[i].X += x
		out.Vertices[i].Y += y
		out.Vertices[i].Z += z
	}
	return out
}

// TestFlat: exactly planar surfaces need the triangles of their outline, at no error.
func TestFlat(t *testing.T) {
	race.Skip(t)
	level := grid(24, func(i, j int) lattice.Vertex { return vertex(int32(i)*100, int32(j)*70, 5) })
	ramp := grid(24, func(i, j int) lattice.Vertex { return vertex(int32(i)*100, int32(j)*70, int32(3*i+7*j)) })
	large := grid(9, func(i, j int) lattice.Vertex {
		return vertex(int32(i)*200_000_000-900_000_000, int32(j)*200_000_000-900_000_000, int32(i-j)*90_000_000)
	})
	bumpy := grid(24, func(i, j int) lattice.Vertex {
		return vertex(int32(i)*100+int32(i*j%7), int32(j)*70+int32(i*i*j%11), int32(i+j))
	})
	for i := range bumpy.Vertices { // scattered, but all on one plane
		v := &bumpy.Vertices[i]
		v.Z = 2*v.X - 3*v.Y
	}
	steps := &lattice.TIN{}
	for i := range int32(5) {
		add(steps, moved(level, 2400*i, 0, 700*i))
	}
	fan := &lattice.TIN{Vertices: []lattice.Vertex{vertex(0, 0, 0)}}
	for i := range uint32(8) {
		fan.Vertices = append(fan.Vertices, vertex([]int32{9, 9, 0, -9, -9, -9, 0, 9}[i], []int32{0, 9, 9, 9, 0, -9, -9, -9}[i], 0))
		fan.Triangles = append(fan.Triangles, [3]uint32{0, i + 1, (i+1)%8 + 1})
	}
	for _, c := range []struct {
		name string
		tin  *lattice.TIN
		want int
	}{
		{"nothing", &lattice.TIN{}, 0},
		{"a triangle", &lattice.TIN{Vertices: level.Vertices, Triangles: level.Triangles[:1]}, 1},
		{"level", level, 2},
		{"ramp", ramp, 2},
		{"as large as can be", large, 2},
		{"fan", fan, 2},
		{"five steps", steps, 10},
		{"two storeys", add(moved(level, 0, 0, 0), moved(level, 13, 17, 9000)), 4},
		{"the same twice", add(moved(level, 0, 0, 0), level), 2},
		{"unshared vertices", soup(ramp), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := simplify(t, c.tin, detail.Options{})
			if len(out.Triangles) != c.want || out.Error != 0 {
				t.Errorf("%d triangles with an error of %d, want %d with none", len(out.Triangles), out.Error, c.want)
			}
			if c.name != "the same twice" && area2(out) != area2(c.tin) {
				t.Errorf("an area of %d, was %d", area2(out), area2(c.tin))
			}
		})
	}
	t.Run("scattered", func(t *testing.T) {
		out := simplify(t, bumpy, detail.Options{})
		if len(out.Triangles) > 200 || out.Error != 0 || difference(bumpy, out).Sign() != 0 {
			t.Errorf("%d triangles with an error of %d", len(out.Triangles), out.Error)
		}
	})
}

// soup is a copy in which no two triangles share a vertex.
func soup(t *lattice.TIN) *lattice.TIN {
	out := &lattice.TIN{Error: t.Error}
	for _, c := range t.Triangles {
		n := uint32(len(out.Vertices))
		out.Vertices = append(out.Vertices, t.Vertices[c[0]], t.Vertices[c[1]], t.Vertices[c[2]])
		out.Triangles = append(out.Triangles, [3]uint32{n, n + 1, n + 2})
	}
	return out
}

// hills is a random surface without overlaps: a jittered grid with some cells missing.
func hills(r *rand.Rand, n int, size, rough int32) *lattice.TIN {
	t := grid(n, func(i, j int) lattice.Vertex {
		v := vertex(int32(i)*size*4, int32(j)*size*4, r.Int32N(rough+1)+int32(i*i-j*i)*rough/8)
		if r.IntN(3) > 0 {
			v.X += r.Int32N(2*size+1) - size
			v.Y += r.Int32N(2*size+1) - size
		}
		return v
	})
	holes := r.IntN(4)
	kept := t.Triangles[:0]
	for i, c := range t.Triangles {
		if holes == 0 || (i/2)%(4+holes) != 0 {
			kept = append(kept, c)
		}
	}
	t.Triangles = kept
	return t
}

// TestWithinError: surfaces of a single sheet, compared exactly.
func TestWithinError(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(1, 1))
	before, after := 0, 0
	for i := range 20 {
		size := []int32{1, 3, 50, 3000, 1 << 22}[i%5]
		rough := []int32{0, 2, 40, 1000}[i%4]
		tin := hills(r, 3+r.IntN(5), size, rough)
		tin.Error = r.Int32N(3)
		limit := r.Int32N(2*rough + 2)
		out := simplify(t, tin, detail.Options{Error: limit})
		d := difference(tin, out)
		if d.Cmp(rat(int64(out.Error-tin.Error))) > 0 || out.Error-tin.Error > limit {
			t.Errorf("surface %d: an error of %v, said to be %d above that of the original, asked for %d",
				i, d.FloatString(3), out.Error-tin.Error, limit)
		}
		checkSheets(t, tin, out, int64(limit))
		before, after = before+len(tin.Triangles), after+len(out.Triangles)
	}
	if after > before*2/3 {
		t.Errorf("%d triangles became %d", before, after)
	}
}

// TestFewTrianglesInABlock: the same where all blocks are small.
func TestFewTrianglesInABlock(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(6, 6))
	for i := range 12 {
		tin := hills(r, 7, 300, 60)
		whole := simplify(t, tin, detail.Options{Error: 40})
		out, err := detail.InBlocks(t.Context(), tin, detail.Options{Error: 40, Jobs: 3}, []int{1, 5, 20}[i%3])
		if err != nil {
			t.Fatal(err)
		}
		if d := difference(tin, &out); d.Cmp(rat(int64(out.Error))) > 0 || out.Error > 40 {
			t.Errorf("surface %d: an error of %v, said to be %d, asked for 40", i, d.FloatString(3), out.Error)
		}
		alone, err := detail.InBlocks(t.Context(), tin, detail.Options{Error: 40, Jobs: 1}, []int{1, 5, 20}[i%3])
		if err != nil || !slices.Equal(alone.Vertices, out.Vertices) || !slices.Equal(alone.Triangles, out.Triangles) {
			t.Errorf("surface %d: one job gives %d triangles, three give %d, or others: %v", i, len(alone.Triangles), len(out.Triangles), err)
		}
		if len(out.Triangles) > len(whole.Triangles)*6/5 {
			t.Errorf("surface %d: %d triangles, without blocks %d", i, len(out.Triangles), len(whole.Triangles))
		}
	}
}

// TestOneVertex: the hole of one vertex is filled in the best way, with exactly the stated error.
func TestOneVertex(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(7, 7))
	filled := 0
	for i := range 90 {
		k := 3 + r.IntN(7)
		size := []int32{40, 3000, 1 << 25}[i%3]
		tin := &lattice.TIN{Vertices: []lattice.Vertex{vertex(size, size, r.Int32N(200))}}
		// Neighbours in turn, less than half around from one to the next.
		turn := r.Float64()
		for j := range k {
			a := turn + (float64(j)+0.6*r.Float64())*2*math.Pi/float64(k)
			d := float64(size) * (0.3 + 0.7*r.Float64())
			tin.Vertices = append(tin.Vertices, vertex(size+int32(d*math.Cos(a)), size+int32(d*math.Sin(a)), r.Int32N(200)))
		}
		ring := tin.Vertices[1:]
		for j := range k {
			tin.Triangles = append(tin.Triangles, [3]uint32{0, uint32(j + 1), uint32((j+1)%k + 1)})
			if lattice.Orient(tin.Vertices[0].Point, ring[j].Point, ring[(j+1)%k].Point) <= 0 {
				tin.Triangles = nil
				break
			}
		}
		if tin.Triangles == nil {
			continue
		}
		var best *big.Rat
		for apex := range k {
			fan := &lattice.TIN{Vertices: ring}
			good := true
			for j := 1; j < k-1; j++ {
				c := [3]uint32{uint32(apex), uint32((apex + j) % k), uint32((apex + j + 1) % k)}
				good = good && lattice.Orient(ring[c[0]].Point, ring[c[1]].Point, ring[c[2]].Point) > 0
				fan.Triangles = append(fan.Triangles, c)
			}
			if !good {
				continue
			}
			if d := difference(tin, fan); best == nil || d.Cmp(best) < 0 {
				best = d
			}
		}
		out := simplify(t, tin, detail.Options{Error: 1000})
		switch {
		case best == nil || best.Cmp(rat(1000)) > 0:
			if len(out.Triangles) != k {
				t.Errorf("star %d: %d triangles of %d, there is no fan", i, len(out.Triangles), k)
			}
		case len(out.Triangles) > k-2:
			t.Errorf("star %d: %d triangles, %d with an error of %v", i, len(out.Triangles), k-2, best.FloatString(3))
		case len(out.Triangles) == k-2:
			filled++
			// Rounded up to a part and then to a unit.
			if d := new(big.Rat).Sub(rat(int64(out.Error)), best); d.Sign() < 0 || d.Cmp(big.NewRat(257, 256)) >= 0 {
				t.Errorf("star %d: an error of %d, want %v", i, out.Error, best.FloatString(3))
			}
		}
	}
	if filled < 45 {
		t.Errorf("only %d stars were filled", filled)
	}
}

func TestScaled(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	number := func() int64 {
		switch r.IntN(4) {
		case 0:
			return r.Int64N(7) - 3
		case 1:
			return r.Int64N(1<<20) - 1<<19
		case 2:
			return r.Int64N(1<<40) - 1<<39
		}
		return r.Int64() - 1<<62
	}
	fits := 0
	for range 20_000 {
		a, b, c, d, den := number(), number(), number(), number(), max(number(), 1)
		low, high, ok := detail.Scaled(a, b, c, d, den)
		x := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		x.Add(x, new(big.Int).Mul(big.NewInt(c), big.NewInt(d)))
		x.Lsh(x, detail.FixedBits)
		floor, rest := new(big.Int).DivMod(x, big.NewInt(den), new(big.Int))
		want := rest.Sign() != 0
		if !ok {
			if floor.IsInt64() && max(floor.Int64(), -floor.Int64()) < 1<<30-2 {
				t.Fatalf("(%d·%d + %d·%d)/%d is too large, it is %v parts", a, b, c, d, den, floor)
			}
			continue
		}
		fits++
		if floor.Cmp(big.NewInt(int64(low))) != 0 || (high-low == 1) != want || high-low > 1 {
			t.Fatalf("(%d·%d + %d·%d)/%d is from %d to %d parts, want %v and more: %v", a, b, c, d, den, low, high, floor, want)
		}
	}
	if fits < 2000 {
		t.Errorf("only %d fit", fits)
	}
}

// TestSoups: triangles with overlaps, copies, and contacts of all kinds.
func TestSoups(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 150 {
		tin := &lattice.TIN{}
		size := []int32{3, 8, 200}[i%3]
		for range 4 + r.IntN(12) {
			tin.Vertices = append(tin.Vertices, vertex(r.Int32N(size), r.Int32N(size), r.Int32N(1+size/2)))
		}
		n := uint32(len(tin.Vertices))
		for range 5 + r.IntN(30) {
			tin.Triangles = append(tin.Triangles, [3]uint32{r.Uint32N(n), r.Uint32N(n), r.Uint32N(n)})
		}
		usable := &lattice.TIN{Vertices: tin.Vertices}
		for _, c := range tin.Triangles {
			if lattice.Orient(tin.Vertices[c[0]].Point, tin.Vertices[c[1]].Point, tin.Vertices[c[2]].Point) > 0 {
				usable.Triangles = append(usable.Triangles, c)
			}
		}
		limit := r.Int32N(size)
		out := simplify(t, tin, detail.Options{Error: limit})
		checkSheets(t, usable, out, int64(limit))
	}
}

// TestSheetsDoNotBeginToOverlap: over no place lie more triangles than before, and fewer only beside borders.
func TestSheetsDoNotBeginToOverlap(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 20 {
		tin := hills(r, 6, 200, 30)
		add(tin, moved(hills(r, 5, 150, 50), r.Int32N(2000), r.Int32N(2000), 500))
		add(tin, moved(hills(r, 2, 150, 20), 6*800, r.Int32N(500), 0))
		out := simplify(t, tin, detail.Options{Error: 25})
		for range 300 {
			// A place on no edge: no edge through lattice points nearby has such coordinates.
			p := placeOf(
				new(big.Rat).Add(rat(int64(r.Int32N(7000))), big.NewRat(1, 999_983)),
				new(big.Rat).Add(rat(int64(r.Int32N(5000))), big.NewRat(1, 1_000_003)),
			)
			was, is := over(tin, p), over(out, p)
			if is > was || is < was && !besideBorder(tin, p) {
				t.Fatalf("surface %d: %d triangles over (%v, %v), were %d", i, is, p.x, p.y, was)
			}
		}
	}
}

func over(t *lattice.TIN, p place) (n int) {
	for i := range t.Triangles {
		if c := cornersOf(t, i); inside(&c, p) {
			n++
		}
	}
	return n
}

// TestDoesNotDependOn the order of triangles and vertices, on jobs, and on shared vertices.
func TestDoesNotDependOn(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	tin := hills(r, 80, 1000, 60) // more than one block
	add(tin, moved(hills(r, 40, 1000, 60), 40_000, 40_000, 10_000))
	want := simplify(t, tin, detail.Options{Error: 20, Jobs: 1})
	check := func(name string, tin *lattice.TIN, opt detail.Options) {
		got := simplify(t, tin, opt)
		if !slices.Equal(got.Vertices, want.Vertices) || !slices.Equal(got.Triangles, want.Triangles) || got.Error != want.Error {
			t.Errorf("%s: %d triangles, want %d, or others", name, len(got.Triangles), len(want.Triangles))
		}
	}
	for _, jobs := range []int{0, 2, 7} {
		check(fmt.Sprint(jobs, " jobs"), tin, detail.Options{Error: 20, Jobs: jobs})
	}
	mixed := soup(tin)
	r.Shuffle(len(mixed.Triangles), func(i, j int) {
		mixed.Triangles[i], mixed.Triangles[j] = mixed.Triangles[j], mixed.Triangles[i]
	})
	for i, c := range mixed.Triangles {
		mixed.Triangles[i] = [3]uint32{c[i%3], c[(i+1)%3], c[(i+2)%3]}
	}
	check("shuffled", mixed, detail.Options{Error: 20, Jobs: 2})
	check("twice", add(mixed, tin), detail.Options{Error: 20, Jobs: 2})
}

// TestKeep: exactly the triangles without contact to any polygon go.
func TestKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for i := range 20 {
		tin := hills(r, 8, 100, 100)
		var keep []lattice.Polygon
		for k := range int32(r.IntN(4)) {
			x, y := k*1000+r.Int32N(500), r.Int32N(2500)
			w, h := 1+r.Int32N(400), 1+r.Int32N(1500)
			ring := lattice.Ring{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}
			if r.IntN(2) == 0 {
				ring = lattice.Ring{{X: x, Y: y}, {X: x + w, Y: y + h/3}, {X: x + w/2, Y: y + h}}
			}
			keep = append(keep, lattice.Polygon{Rings: []lattice.Ring{ring}})
		}
		all := simplify(t, tin, detail.Options{Error: 40})
		got := simplify(t, tin, detail.Options{Error: 40, Keep: append([]lattice.Polygon{}, keep...)})
		want := 0
		for i := range all.Triangles {
			if c := cornersOf(all, i); slices.ContainsFunc(keep, func(p lattice.Polygon) bool { return overlap(&c, p.Rings[0]) }) {
				want++
			}
		}
		if len(got.Triangles) != want {
			t.Errorf("surface %d: %d of %d triangles are kept, want %d", i, len(got.Triangles), len(all.Triangles), want)
		}
	}
}

// TestKeepTips: a polygon over the surface stays over the surface, within a unit, after Keep; also in the sharpest
// corners, where the border has moved.
func TestKeepTips(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	tips := 0
	for i := range 300 {
		// A needle of triangles, with corners rounded off its sides, and a polygon that ends at its tip.
		dx, dy := 20+r.Float64()*80, 300+r.Float64()*700
		width := 2 + 6*r.Float64()
		at := func(along, beside float64) lattice.Vertex {
			return vertex(int32(math.Round(dx*along+beside*width)), int32(math.Round(dy*along)), 0)
		}
		tin := &lattice.TIN{}
		var left, right []lattice.Vertex
		const n = 8
		for k := range n {
			along := float64(k) / n
			left, right = append(left, at(along, along-1)), append(right, at(along, 1-along))
		}
		tip := at(1, 0)
		for k := range n {
			first := uint32(len(tin.Vertices))
			if k == n-1 {
				tin.Vertices = append(tin.Vertices, left[k], right[k], tip)
				tin.Triangles = append(tin.Triangles, [3]uint32{first, first + 1, first + 2})
				continue
			}
			tin.Vertices = append(tin.Vertices, left[k], right[k], right[k+1], left[k+1])
			tin.Triangles = append(tin.Triangles, [3]uint32{first, first + 1, first + 2}, [3]uint32{first, first + 2, first + 3})
		}
		corner := tin.Vertices[len(tin.Vertices)-1-r.IntN(3)].Point
		keep := lattice.Ring{corner, {X: corner.X - 900, Y: corner.Y + 1}, {X: corner.X - 900, Y: corner.Y - 20}}
		if _, ok := lattice.NewSampler(tin).Height(float64(corner.X), float64(corner.Y)); !ok {
			continue // rounding turned the last triangle over
		}
		tips++
		got := simplify(t, tin, detail.Options{Keep: []lattice.Polygon{{Rings: []lattice.Ring{keep}}}})
		sampler := lattice.NewSampler(got)
		if _, ok := sampler.HeightBelow(float64(corner.X), float64(corner.Y), math.Inf(1), 1); !ok {
			t.Fatalf("needle %d: nothing is within a unit of %v: %v", i, corner, got.Vertices)
		}
	}
	if tips < 200 {
		t.Errorf("only %d needles", tips)
	}
}

// overlap reports whether a triangle comes within a unit of a ring or its inside.
func overlap(c *corners, r lattice.Ring) bool {
	own := lattice.Ring{c[0].Point, c[1].Point, c[2].Point}
	if r.Locate(own[0]) != lattice.Outside || own.Locate(r[0]) != lattice.Outside {
		return true
	}
	for i, a := range r {
		for k, p := range own {
			b, q := r[(i+1)%len(r)], own[(k+1)%3]
			if lattice.SegmentContact(a, b, p, q) != lattice.Disjoint || lattice.SegmentDistance2(a, p, q).CompareInt(1) <= 0 ||
				lattice.SegmentDistance2(p, a, b).CompareInt(1) <= 0 {
				return true
			}
		}
	}
	return false
}

// TestBorderKeepsItsPlace: a border of points that rounding moved off a line is straightened, inwards
// and by a unit at most.
func TestBorderKeepsItsPlace(t *testing.T) {
	tin := grid(12, func(i, j int) lattice.Vertex {
		x, y := int32(i)*1000, int32(j)*1000
		return vertex(x+y/3, y+x/7, 0)
	})
	out := simplify(t, tin, detail.Options{})
	checkSheets(t, tin, out, 0)
	if len(out.Triangles) > 16 {
		t.Errorf("%d triangles of a square with edges of 12 points each", len(out.Triangles))
	}
}

func TestBadInput(t *testing.T) {
	far := &lattice.TIN{Vertices: []lattice.Vertex{{}, vertex(0, lattice.MaxCoord+1, 0)}}
	for _, c := range []struct {
		name string
		tin  *lattice.TIN
		err  int32
		want string
	}{
		{"outside", far, 0, "detail: vertex 1 at (0, 1073741824, 0) is outside of the frame"},
		{"negative", &lattice.TIN{}, -1, "detail: the error is -1 units"},
		{"too large", &lattice.TIN{}, detail.MaxError + 1, "detail: the error is 1048577 units"},
	} {
		if _, err := detail.Simplify(t.Context(), c.tin, detail.Options{Error: c.err}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	bad := &lattice.TIN{
		Vertices:  []lattice.Vertex{vertex(0, 0, 0), vertex(9, 0, 0), vertex(0, 9, 0), vertex(18, 0, 0)},
		Triangles: [][3]uint32{{0, 2, 1}, {0, 1, 3}, {0, 1, 4}, {1, 1, 2}, {0, 1, 2}},
	}
	if out := simplify(t, bad, detail.Options{}); len(out.Triangles) != 1 || len(out.Vertices) != 3 {
		t.Errorf("%d triangles of a clockwise, a flat, a wrong, a double and a good one", len(out.Triangles))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := detail.Simplify(ctx, bad, detail.Options{}); err == nil {
		t.Error("a cancelled context is no error")
	}
}
