package solid

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// randomPlane draws planes with difficult corners: many are parallel to an axis or nearly so.
func randomPlane(r *rand.Rand, reach float64) Plane {
	n := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	switch r.IntN(4) {
	case 0: // along an axis
		n = [3]float64{}
		n[r.IntN(3)] = float64(2*r.IntN(2) - 1)
	case 1: // nearly so
		k := r.IntN(3)
		for i := range n {
			n[i] *= 1e-6
		}
		n[k] = 1
	}
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	for k := range n {
		n[k] /= length
	}
	p, ok := FromFloat(n, [3]float64{(r.Float64() - 0.5) * reach, (r.Float64() - 0.5) * reach, (r.Float64() - 0.5) * reach})
	if !ok {
		panic("a plane within the lattice")
	}
	return p
}

// bigPoint returns where three planes meet, by Cramer's rule.
func bigPoint(a, b, c Plane) ([3]*big.Rat, bool) {
	row := func(p Plane) [4]*big.Int {
		d := new(big.Int).Mul(big.NewInt(p.D), big.NewInt(NormalScale))
		return [4]*big.Int{big.NewInt(int64(p.N[0])), big.NewInt(int64(p.N[1])), big.NewInt(int64(p.N[2])), d}
	}
	rows := [3][4]*big.Int{row(a), row(b), row(c)}
	det3 := func(i, j, k int) *big.Int {
		sum := new(big.Int)
		for _, s := range [6][4]int{{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}, {0, 2, 1, -1}, {2, 1, 0, -1}, {1, 0, 2, -1}} {
			p := new(big.Int).Mul(rows[s[0]][i], rows[s[1]][j])
			p.Mul(p, rows[s[2]][k])
			sum.Add(sum, p.Mul(p, big.NewInt(int64(s[3]))))
		}
		return sum
	}
	d := det3(0, 1, 2)
	if d.Sign() == 0 {
		return [3]*big.Rat{}, false
	}
	frac := func(n *big.Int) *big.Rat { return new(big.Rat).SetFrac(n, d) }
	return [3]*big.Rat{frac(det3(3, 1, 2)), frac(det3(0, 3, 2)), frac(det3(0, 1, 3))}, true
}

func bigSide(at [3]*big.Rat, p Plane) int {
	sum := new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(-p.D), big.NewInt(NormalScale)))
	for k := range at {
		sum.Add(sum, new(big.Rat).Mul(at[k], new(big.Rat).SetInt64(int64(p.N[k]))))
	}
	return sum.Sign()
}

func TestSideAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	zero, hard := 0, 0
	for i := range 20000 {
		s := NewSpace()
		reach := []float64{4, 4096, 1 << 20, 1 << 30}[i%4]
		var p [4]Plane
		for k := range p {
			p[k] = randomPlane(r, reach)
		}
		switch r.IntN(4) {
		case 0: // a plane through the corner, or nearly
			for k := range p[3].N {
				p[3].N[k] = (p[0].N[k] + p[1].N[k]) / 2
			}
			p[3].D = (p[0].D + p[1].D) / 2
		case 1: // one beside another
			p[3] = p[0].Moved(int64(r.IntN(3) - 1))
			if r.IntN(2) == 0 {
				p[3] = p[3].Opposite()
			}
		}
		var id [4]int32
		for k := range p {
			id[k] = s.Add(p[k])
		}
		v, ok := s.Meet(id[0], id[1], id[2])
		at, want := bigPoint(p[0], p[1], p[2])
		if ok != want {
			t.Fatalf("planes %v meet: %v, want %v", p[:3], ok, want)
		}
		if !ok {
			continue
		}
		if got, want := s.Side(&v, id[3]), bigSide(at, p[3]); got != want {
			t.Fatalf("planes %v: side %d, want %d", p, got, want)
		} else if want == 0 {
			zero++
		}
		if got, want := s.side(&v, &p[3]), bigSide(at, p[3]); got != want {
			t.Fatalf("planes %v: exact side %d, want %d", p, got, want)
		}
		for k := range at {
			off := new(big.Rat).Sub(at[k], new(big.Rat).SetFloat64(v.At[k]))
			if f, _ := off.Float64(); math.Abs(f) > v.Error {
				t.Fatalf("planes %v: coordinate %d is off by %g, said to be %g", p[:3], k, f, v.Error)
			}
		}
		if v.Error > nearEnough/2 {
			hard++
		}
	}
	if zero < 1000 {
		t.Errorf("only %d corners on the plane", zero)
	}
	t.Logf("%d on the plane, %d corners far away", zero, hard)
}

// The largest numbers that planes may have do not overflow.
func TestSideAtTheLimits(t *testing.T) {
	s := NewSpace()
	a := s.Add(Plane{[3]int32{NormalScale, 0, 0}, maxOffset})
	b := s.Add(Plane{[3]int32{0, NormalScale, 0}, -maxOffset})
	c := s.Add(Plane{[3]int32{0, 0, NormalScale}, maxOffset})
	v, ok := s.Meet(a, b, c)
	if !ok || v.At != [3]float64{maxOffset, -maxOffset, maxOffset} {
		t.Fatalf("they meet at %v, %v", v.At, ok)
	}
	const n = 1210788 // NormalScale/√3
	for by, want := range map[int64]int{1: -1, 0: 0, -1: 1} {
		// (1, -1, 1) · (2³², -2³², 2³²) / √3, with the normal's own length.
		p := Plane{[3]int32{n, -n, n}, 0}
		q := Plane{[3]int32{NormalScale, 0, 0}, maxOffset + by}
		if got := s.side(&v, &q); got != want {
			t.Errorf("moved by %d: side %d, want %d", by, got, want)
		}
		if got := s.side(&v, &p); got != 1 {
			t.Errorf("a plane through the origin: side %d", got)
		}
	}
}

func TestRoundAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	half := big.NewRat(1, 2)
	for i := range 5000 {
		s := NewSpace()
		reach := []float64{64, 1 << 16, 1 << 28}[i%3]
		p := [3]Plane{randomPlane(r, reach), randomPlane(r, reach), randomPlane(r, reach)}
		if i%5 == 0 { // corners at halves: x + y = 2k + 1 and x - y = 0
			const n = 1482909 // NormalScale/√2
			p[0], p[1] = Plane{[3]int32{n, n, 0}, 0}, Plane{[3]int32{n, -n, 0}, 0}
			p[2] = Plane{[3]int32{0, 0, NormalScale}, int64(i)}
		}
		v, ok := s.Meet(s.Add(p[0]), s.Add(p[1]), s.Add(p[2]))
		if !ok {
			continue
		}
		at, _ := bigPoint(p[0], p[1], p[2])
		got, ok := s.Round(&v)
		inside := true
		for k, g := range [3]int32{got.X, got.Y, got.Z} {
			f := new(big.Rat).Add(at[k], half)
			q := new(big.Int).Div(f.Num(), f.Denom()) // Euclidean, and the denominator is positive
			if q.CmpAbs(big.NewInt(1<<30)) > 0 {
				inside = false
			} else if ok && q.Int64() != int64(g) {
				t.Fatalf("planes %v: coordinate %d is %v, rounded to %d", p, k, at[k], g)
			}
		}
		if ok != inside {
			t.Fatalf("planes %v: within the lattice %v, want %v", p, ok, inside)
		}
	}
}

// A corner exactly between lattice points is rounded up, also below zero.
func TestRoundHalves(t *testing.T) {
	s := NewSpace()
	x, z := s.Add(Plane{[3]int32{NormalScale, 0, 0}, 1}), s.Add(Plane{[3]int32{0, 0, NormalScale}, 7})
	for d, want := range map[int64]int32{1: 2, -1: -1, 3: 5, -3: -4} {
		y := s.Add(Plane{[3]int32{0, NormalScale / 3 * 2, 0}, d}) // too short on purpose: y = 3d/2
		v, ok := s.Meet(x, y, z)
		if !ok {
			t.Fatal("they meet")
		}
		if got, _ := s.Round(&v); got.Y != want {
			t.Errorf("%d/2 is rounded to %d, want %d", 3*d, got.Y, want)
		}
	}
}

// randomSolid returns a solid around a place, cut by random planes.
func randomSolid(r *rand.Rand, s *Space, at [3]float64, size float64, cuts int) (Solid, []int32) {
	var ids []int32
	for k := range 3 {
		var n [3]float64
		for _, side := range []float64{-1, 1} {
			n[k] = side
			to := at
			to[k] += side * size
			p, _ := FromFloat(n, to)
			ids = append(ids, s.Add(p))
		}
	}
	for range cuts {
		n := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		l := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
		to := at
		for k := range n {
			n[k] /= l
			to[k] += n[k] * size * (0.3 + r.Float64())
		}
		p, _ := FromFloat(n, to)
		ids = append(ids, s.Add(p))
	}
	for _, id := range ids {
		s.Add(s.Plane(id).Opposite())
	}
	out, err := s.Solid(ids)
	if err != nil {
		panic(err)
	}
	return out, ids
}

// checkPolygon verifies the promises of a polygon's type.
func checkPolygon(t *testing.T, s *Space, p *Polygon) {
	t.Helper()
	n := len(p.Corners)
	if n < 3 || len(p.Edges) != n {
		t.Fatalf("%d corners, %d edges", n, len(p.Edges))
	}
	for k := range n {
		v := &p.Corners[k]
		if s.Side(v, p.Plane) != 0 || s.Side(v, p.Edges[k]) != 0 || s.Side(v, p.Edges[(k+n-1)%n]) != 0 {
			t.Fatalf("corner %d is not on its planes", k)
		}
		for e, plane := range p.Edges {
			if s.Side(v, plane) > 0 {
				t.Fatalf("corner %d is in front of edge %d", k, e)
			}
		}
		if s.Same(v, &p.Corners[(k+1)%n]) {
			t.Fatalf("corners %d and the next are one", k)
		}
		if s.Turn(p.Plane, p.Edges[(k+n-1)%n], p.Edges[k]) <= 0 {
			t.Fatalf("corner %d does not turn left", k)
		}
	}
}

// area2 returns twice the area of a polygon, in float64.
func area2(p *Polygon) float64 {
	var sum [3]float64
	for k := 1; k+1 < len(p.Corners); k++ {
		var a, b [3]float64
		for i := range 3 {
			a[i] = p.Corners[k].At[i] - p.Corners[0].At[i]
			b[i] = p.Corners[k+1].At[i] - p.Corners[0].At[i]
		}
		for i := range 3 {
			j, l := (i+1)%3, (i+2)%3
			sum[i] += a[j]*b[l] - a[l]*b[j]
		}
	}
	return math.Sqrt(sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2])
}

func TestFacesClose(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 300 {
		s := NewSpace()
		size := []float64{10, 4096, 1 << 18}[i%3]
		body, _ := randomSolid(r, s, [3]float64{r.Float64() * 1e6, r.Float64() * 1e6, r.Float64() * 1e6}, size, i%12)
		// Every edge lies on two faces, once on each.
		type edge [2]int32
		count := make(map[edge]int)
		for f := range body.Faces {
			p := &body.Faces[f]
			checkPolygon(t, s, p)
			for _, e := range p.Edges {
				count[edge{p.Plane, e}]++
			}
		}
		for e, n := range count {
			if n != 1 || count[edge{e[1], e[0]}] != 1 {
				t.Fatalf("solid %d: the edge of planes %v is there %d times, %d times from the other side", i, e, n, count[edge{e[1], e[0]}])
			}
		}
	}
}

func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	across := 0
	for i := range 300 {
		s := NewSpace()
		body, _ := randomSolid(r, s, [3]float64{5e5, 5e5, 5e5}, []float64{10, 4096, 1 << 17}[i%3], 6)
		cut, ids := randomSolid(r, s, [3]float64{5e5, 5e5, 5e5}, []float64{8, 3000, 1 << 16}[i%3], 4)
		_ = cut
		for f := range body.Faces {
			p := &body.Faces[f]
			for _, id := range ids {
				other := s.Add(s.Plane(id).Opposite())
				if s.Where(p, id) != Across {
					continue
				}
				across++
				behind, front := s.Split(p, id, other)
				checkPolygon(t, s, &behind)
				checkPolygon(t, s, &front)
				if s.Where(&behind, id) != Behind || s.Where(&front, id) != Front {
					t.Fatal("a part is on the wrong side")
				}
				if a, b := area2(p), area2(&behind)+area2(&front); math.Abs(a-b) > 1e-6*a+1e-3 {
					t.Fatalf("areas %g and %g", a, b)
				}
			}
		}
	}
	if across < 1000 {
		t.Errorf("only %d cuts", across)
	}
}

func TestSolidOf(t *testing.T) {
	box := func(s *Space, x0, y0, z0, x1, y1, z1 int64) []int32 {
		const n = NormalScale
		return []int32{
			s.Add(Plane{[3]int32{-n, 0, 0}, -x0}), s.Add(Plane{[3]int32{n, 0, 0}, x1}),
			s.Add(Plane{[3]int32{0, -n, 0}, -y0}), s.Add(Plane{[3]int32{0, n, 0}, y1}),
			s.Add(Plane{[3]int32{0, 0, -n}, -z0}), s.Add(Plane{[3]int32{0, 0, n}, z1}),
		}
	}
	const n = NormalScale
	for _, c := range []struct {
		name   string
		planes func(s *Space) []int32
		faces  int
		err    error
	}{
		{"a box", func(s *Space) []int32 { return box(s, 0, 0, 0, 10, 20, 30) }, 6, nil},
		{"a plane twice", func(s *Space) []int32 { p := box(s, 0, 0, 0, 10, 20, 30); return append(p, p[2]) }, 6, nil},
		{"a plane that touches a face", func(s *Space) []int32 {
			return append(box(s, 0, 0, 0, 10, 20, 30), s.Add(Plane{[3]int32{n, 0, 0}, 11}))
		}, 6, nil},
		{"a plane that touches an edge", func(s *Space) []int32 {
			return append(box(s, 0, 0, 0, 10, 10, 30), s.Add(Plane{[3]int32{3 * n / 5, 4 * n / 5, 0}, 14}))
		}, 6, nil},
		{"a cut edge", func(s *Space) []int32 {
			return append(box(s, 0, 0, 0, 10, 10, 30), s.Add(Plane{[3]int32{3 * n / 5, 4 * n / 5, 0}, 13}))
		}, 7, nil},
		{"a slab without thickness", func(s *Space) []int32 { return box(s, 0, 0, 5, 10, 10, 5) }, 0, ErrNoVolume},
		{"nothing", func(s *Space) []int32 { return box(s, 0, 0, 6, 10, 10, 5) }, 0, ErrNoVolume},
		{"no top", func(s *Space) []int32 { return box(s, 0, 0, 0, 10, 10, 10)[:5] }, 0, ErrNoEnd},
		{"no planes", func(*Space) []int32 { return nil }, 0, ErrNoVolume},
	} {
		s := NewSpace()
		got, err := s.Solid(c.planes(s))
		if !errors.Is(err, c.err) || len(got.Faces) != c.faces {
			t.Errorf("%s: %d faces, %v; want %d, %v", c.name, len(got.Faces), err, c.faces, c.err)
		}
	}
}

// Corners of other planes in one place are the same, others are not.
func TestSame(t *testing.T) {
	const n = NormalScale
	s := NewSpace()
	x, y, z := s.Add(Plane{[3]int32{n, 0, 0}, 7}), s.Add(Plane{[3]int32{0, n, 0}, 7}), s.Add(Plane{[3]int32{0, 0, n}, 7})
	slant := s.Add(Plane{[3]int32{1200000, -1200000, 0}, 0})
	aside := s.Add(Plane{[3]int32{1200000, -1200001, 0}, 0})
	v, _ := s.Meet(x, y, z)
	w, _ := s.Meet(slant, z, x)
	u, _ := s.Meet(aside, z, x)
	if !s.Same(&v, &w) || !s.Same(&w, &v) {
		t.Error("one place is two")
	}
	if s.Same(&v, &u) || s.Same(&u, &w) {
		t.Error("two places are one")
	}
}

func TestFromFloat(t *testing.T) {
	if _, ok := FromFloat([3]float64{0, 0, 2}, [3]float64{}); ok {
		t.Error("a normal of length 2 is taken")
	}
	if _, ok := FromFloat([3]float64{0, 0, 1}, [3]float64{0, 0, 1e12}); ok {
		t.Error("a plane far away is taken")
	}
	if _, ok := FromFloat([3]float64{0, math.NaN(), 1}, [3]float64{}); ok {
		t.Error("a normal that is no number is taken")
	}
	p, ok := FromFloat([3]float64{0.6, -0.8, 0}, [3]float64{1e6, 2e5, 3})
	q, _ := FromFloat([3]float64{-0.6, 0.8, 0}, [3]float64{1e6, 2e5, 3})
	if !ok || p.Opposite() != q {
		t.Errorf("%v, and turned %v", p, q)
	}
	if at := (0.6*1e6 - 0.8*2e5); math.Abs(float64(p.D)-at) > 1 {
		t.Errorf("offset %d, want about %g", p.D, at)
	}
}

func BenchmarkSide(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		name  string
		exact bool
	}{{"sure", false}, {"exact", true}} {
		b.Run(c.name, func(b *testing.B) {
			s := NewSpace()
			body, ids := randomSolid(r, s, [3]float64{1e6, 1e6, 1e6}, 4096, 6)
			v := &body.Faces[0].Corners[0]
			front := 0
			for b.Loop() {
				for _, id := range ids {
					if c.exact {
						front += s.side(v, &s.planes[id])
					} else {
						front += s.Side(v, id)
					}
				}
			}
			if front > 0 {
				b.Fatal("a corner in front of its solid")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(ids)), "ns/side")
		})
	}
}

// The halves of a solid are the solids of its planes and the plane, and a plane that only touches leaves the solid whole.
func TestHalve(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 20))
	cuts, whole := 0, 0
	for range 300 {
		s := NewSpace()
		var ids []int32
		for range 6 + r.IntN(6) {
			n := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			if r.IntN(2) == 0 {
				n = [3]float64{}
				n[r.IntN(3)] = float64(2*r.IntN(2) - 1) // planes that meet in edges and corners
			}
			length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
			for k := range n {
				n[k] /= length
			}
			p, _ := FromFloat(n, [3]float64{n[0] * 1000, n[1] * 1000, n[2] * 1000})
			ids = append(ids, s.Add(p))
			s.Add(p.Opposite())
		}
		o, err := s.Solid(ids)
		if err != nil {
			continue
		}
		planes := make([]int32, len(o.Faces), len(o.Faces)+1)
		for f := range o.Faces {
			planes[f] = o.Faces[f].Plane
		}
		for range 10 {
			p := s.Plane(ids[r.IntN(len(ids))]).Moved(int64([]int{0, -300, -1000, 300}[r.IntN(4)]))
			if r.IntN(2) == 0 {
				p.N[0], p.N[2] = p.N[2], p.N[0]
			}
			plane, other := s.Add(p), s.Add(p.Opposite())
			behind, front, where := s.Halve(&o, plane, other)
			for _, side := range []struct {
				half  Solid
				plane int32
				there bool
			}{{behind, plane, where&Behind != 0}, {front, other, where&Front != 0}} {
				want, err := s.Solid(append(planes, side.plane))
				if side.there != (err == nil) {
					t.Fatalf("a half is there: %v, but %v", side.there, err)
				}
				if !side.there {
					continue
				}
				if len(want.Faces) != len(side.half.Faces) || math.Abs(want.Volume()-side.half.Volume()) > 1e-6*o.Volume() || want.Box != side.half.Box {
					t.Fatalf("a half of %d faces and volume %g, want %d and %g", len(side.half.Faces), side.half.Volume(), len(want.Faces), want.Volume())
				}
			}
			if where == Across {
				cuts++
			} else {
				whole++
			}
		}
	}
	if cuts < 100 || whole < 100 {
		t.Errorf("%d cuts, %d whole", cuts, whole)
	}
}

// Corners exactly between lattice points are rounded up also where float64 puts them a little below.
func TestRoundWhereFloatsAreWrong(t *testing.T) {
	s := NewSpace()
	x, z := s.Add(Plane{[3]int32{NormalScale, 0, 0}, 1}), s.Add(Plane{[3]int32{0, 0, NormalScale}, 7})
	wrong := 0
	for d := int64(1); d < 40000; d += 2 {
		v, ok := s.Meet(x, s.Add(Plane{[3]int32{0, NormalScale / 3 * 2, 0}, d}), z) // y = 3d/2
		if !ok {
			t.Fatal("they meet")
		}
		if math.Floor(v.At[1]+0.5) != float64((3*d+1)/2) {
			wrong++
		}
		if got, _ := s.Round(&v); int64(got.Y) != (3*d+1)/2 {
			t.Fatalf("%d/2 is rounded to %d", 3*d, got.Y)
		}
	}
	if wrong == 0 {
		t.Error("float64 is never wrong")
	}
}
