// Package solid is exact arithmetic of planes: convex solids and polygons in space that are given by their
// planes only, on the lattice. Corners are never rounded before they are asked for: a corner is three planes.
//
// Source: plane-based geometry is H. Sugihara, M. Iri, A solid modelling system free from topological
// inconsistency, Journal of Information Processing 12 (1989); the representation of polygons by the planes
// of their edges is G. Bernstein, D. Fussell, Fast, exact, linear booleans, Computer Graphics Forum 28 (2009).
//
// Idea: cutting polygons by planes makes no new planes, so numbers never grow. Whether a corner is in front
// of a plane is the sign of a determinant of four planes over one of three. With normals of 22 bits and
// offsets of 33 the first takes 99 bits, the second 63.
//
// Input: planes with unit normals and offsets in lattice units; [FromFloat] rounds to such planes.
//
// Guarantees:
//  1. every sign is right: TestSideAgainstBig;
//  2. a rounded corner is the lattice point nearest to it, halves up: TestRoundAgainstBig;
//  3. the parts of a polygon cut by a plane are convex, and together they form the polygon: TestSplit;
//  4. the faces of a solid close: every corner has as many incoming as outgoing edges: TestFacesClose;
//  5. the halves of a solid are the solids of its planes and the cutting plane: TestHalve.
//
// Degenerate cases: corners of more than three planes come out as one place, as edges without length, or as
// tiny edges, as the rounded planes will have it; [Space.Same] tells equal places whatever their planes. A
// plane that only touches a solid has no face. A repeated plane has one face.
//
// Cost: constant for a sign, a few nanoseconds where float64 is sure of it; O(n) for the split of a polygon of
// n corners; O(n²) corners for the faces of a solid of n planes.
package solid

import (
	"math"
	"math/big"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// NormalScale is the length of a normal, up to rounding. It is a little less than 2²¹ to keep determinants of three
// normals below 2⁶³.
const NormalScale = 1<<21 - 2

// maxOffset bounds the offset of a plane, in lattice units.
const maxOffset = 1 << 32

// Plane is the points x with N·x = D·NormalScale; points with a smaller product are behind it. The axes are
// east, north, up. N is NormalScale long up to rounding its components, |D| is at most 2³².
type Plane struct {
	N [3]int32
	D int64
}

// FromFloat returns the plane nearest to the one with a unit normal n through the point at, in lattice units. The
// plane passes within half a unit of at. ok is false where the normal is not of length 1, a number is not finite, or the
// plane is too far from the origin.
func FromFloat(n, at [3]float64) (p Plane, ok bool) {
	length := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	if !(math.Abs(length-1) < 1e-3) {
		return Plane{}, false
	}
	dot := 0.0
	for k := range n {
		p.N[k] = int32(math.Round(n[k] / length * NormalScale))
		dot += float64(float64(p.N[k]) * at[k])
	}
	d := math.Round(dot / NormalScale)
	if !(math.Abs(d) <= maxOffset) {
		return Plane{}, false
	}
	p.D = int64(d)
	return p, true
}

// Opposite returns the reversed plane.
func (p Plane) Opposite() Plane { return Plane{[3]int32{-p.N[0], -p.N[1], -p.N[2]}, -p.D} }

// Moved returns the plane moved outwards by a number of units.
func (p Plane) Moved(by int64) Plane { p.D += by; return p }

// cross returns the cross product of two normals, below 2⁴³.
func cross(a, b [3]int32) [3]int64 {
	return [3]int64{
		int64(a[1])*int64(b[2]) - int64(a[2])*int64(b[1]),
		int64(a[2])*int64(b[0]) - int64(a[0])*int64(b[2]),
		int64(a[0])*int64(b[1]) - int64(a[1])*int64(b[0]),
	}
}

// det returns the determinant of three normals. It is below 2⁶³ by Hadamard's bound; sums on the way may wrap around.
func det(a, b, c [3]int32) int64 {
	m := cross(b, c)
	return int64(a[0])*m[0] + int64(a[1])*m[1] + int64(a[2])*m[2]
}

// Vertex is the corner where three planes meet: their numbers in a [Space].
type Vertex struct {
	Planes [3]int32
	// At is about where it is, in lattice units, and Error how far off that may be on any axis, at most 1/64 unless the
	// corner is farther than 2⁴⁶ units away.
	At    [3]float64
	Error float64
}

// Space is a table of planes. Planes are only added, so numbers stay valid. Asking is safe for any number of
// goroutines while nobody adds.
type Space struct {
	planes []Plane
	number map[Plane]int32
}

// bound is the distance, in units, of the planes that bound unbounded solids.
const bound = lattice.MaxCoord + lattice.MaxCoord/4

// NewSpace returns a space that has six planes already, which are the sides of a box around the whole lattice: [Space.IsBound].
func NewSpace() *Space {
	s := &Space{number: make(map[Plane]int32)}
	for axis := range 3 {
		var n [3]int32
		n[axis] = NormalScale
		p := Plane{n, bound}
		s.Add(p)
		n[axis] = -NormalScale
		s.Add(Plane{n, bound})
	}
	return s
}

// Add returns the number of a plane, a new one unless the space has the very plane.
func (s *Space) Add(p Plane) int32 {
	if id, ok := s.number[p]; ok {
		return id
	}
	id := int32(len(s.planes))
	s.planes = append(s.planes, p)
	s.number[p] = id
	return id
}

// Number returns the number of a plane that the space has, or -1.
func (s *Space) Number(p Plane) int32 {
	if id, ok := s.number[p]; ok {
		return id
	}
	return -1
}

// Plane returns a plane by its number.
func (s *Space) Plane(id int32) Plane { return s.planes[id] }

// IsBound reports whether a plane is one of those around the lattice.
func (s *Space) IsBound(id int32) bool { return id < 6 }

// Meet returns the corner of three planes; ok is false where they meet in no single point.
func (s *Space) Meet(a, b, c int32) (v Vertex, ok bool) {
	p, q, r := &s.planes[a], &s.planes[b], &s.planes[c]
	d := det(p.N, q.N, r.N)
	if d == 0 {
		return Vertex{}, false
	}
	v.Planes = [3]int32{a, b, c}
	m1, m2, m3 := cross(q.N, r.N), cross(r.N, p.N), cross(p.N, q.N)
	dp, dq, dr := float64(p.D), float64(q.D), float64(r.D)
	scale := NormalScale / float64(d)
	largest := 0.0
	for k := range v.At {
		x, y, z := float64(dp*float64(m1[k])), float64(dq*float64(m2[k])), float64(dr*float64(m3[k]))
		v.At[k] = (x + y + z) * scale
		largest = max(largest, math.Abs(x)+math.Abs(y)+math.Abs(z))
	}
	// A dozen roundings of at most 2⁻⁵³ each.
	v.Error = float64(largest*math.Abs(scale)*0x1p-49) + 0x1p-40
	if v.Error > nearEnough {
		s.locate(&v)
	}
	return v, true
}

// nearEnough bounds Vertex.Error: nearly parallel planes meet in a place that float64 cannot find.
const nearEnough = 1.0 / 64

// locate computes v's place.
func (s *Space) locate(v *Vertex) {
	v.Error = 0
	for k := range v.At {
		f, _ := new(big.Rat).SetFrac(s.coordinate(v, k)).Float64()
		v.At[k] = f
		v.Error = max(v.Error, float64(math.Abs(f)*0x1p-52)+0x1p-40)
	}
}

// Side returns 1, 0 or -1 for v in front of a plane, on it, or behind it.
func (s *Space) Side(v *Vertex, plane int32) int {
	if plane == v.Planes[0] || plane == v.Planes[1] || plane == v.Planes[2] {
		return 0
	}
	p := &s.planes[plane]
	x, y, z := float64(p.N[0])*v.At[0], float64(p.N[1])*v.At[1], float64(p.N[2])*v.At[2]
	d := float64(p.D) * NormalScale
	value := float64(x) + float64(y) + float64(z) - d
	size := math.Abs(x) + math.Abs(y) + math.Abs(z) + math.Abs(d)
	// The normal is less than 2·2²¹ long in the sum of its components.
	if off := float64(v.Error*(1<<22)) + float64(size*0x1p-49); value > off || value < -off {
		if value > 0 {
			return 1
		}
		return -1
	}
	return s.side(v, p)
}

// side is [Space.Side] without a guess: the determinant of the four planes, by its last column, over the determinant of
// the three.
func (s *Space) side(v *Vertex, p *Plane) int {
	a, b, c := &s.planes[v.Planes[0]], &s.planes[v.Planes[1]], &s.planes[v.Planes[2]]
	three := det(a.N, b.N, c.N)
	sum := product(a.D, det(p.N, b.N, c.N)).
		plus(product(b.D, det(a.N, p.N, c.N))).
		plus(product(c.D, det(a.N, b.N, p.N))).
		plus(product(-p.D, three))
	if three < 0 {
		return -sum.sign()
	}
	return sum.sign()
}

// Turn returns 1 if a polygon on a plane behind the edges a and then b turns left at their corner, seen from the front,
// 0 if they are collinear or parallel, else -1.
func (s *Space) Turn(plane, a, b int32) int {
	switch d := det(s.planes[plane].N, s.planes[a].N, s.planes[b].N); {
	case d > 0:
		return 1
	case d < 0:
		return -1
	}
	return 0
}

// Same reports whether two corners are in the same place, exactly.
func (s *Space) Same(v, w *Vertex) bool {
	off := v.Error + w.Error
	for k := range v.At {
		if math.Abs(v.At[k]-w.At[k]) > off {
			return false
		}
	}
	return s.Side(v, w.Planes[0]) == 0 && s.Side(v, w.Planes[1]) == 0 && s.Side(v, w.Planes[2]) == 0
}

// Round returns the lattice point nearest to v, coordinates that are halves rounded up. ok is false outside of the lattice.
func (s *Space) Round(v *Vertex) (r lattice.Vertex, ok bool) {
	var out [3]int32
	for k, x := range v.At {
		f := math.Floor(x + 0.5)
		if away := math.Abs(x + 0.5 - math.Round(x+0.5)); away <= v.Error {
			f = s.roundExactly(v, k)
		}
		if !(math.Abs(f) <= lattice.MaxCoord) {
			return lattice.Vertex{}, false
		}
		out[k] = int32(f)
	}
	return lattice.Vertex{Point: lattice.Point{X: out[0], Y: out[1]}, Z: out[2]}, true
}

// roundExactly rounds a coordinate of v where float64 does not decide.
func (s *Space) roundExactly(v *Vertex, axis int) float64 {
	num, den := s.coordinate(v, axis)
	// ⌊num/den + ½⌋ = ⌊(2·num + den) / 2·den⌋
	num.Lsh(num, 1).Add(num, den)
	num.Div(num, den.Lsh(den, 1))
	f, _ := new(big.Float).SetInt(num).Float64()
	return f
}

// coordinate returns a coordinate of v as a fraction with a positive denominator.
func (s *Space) coordinate(v *Vertex, axis int) (num, den *big.Int) {
	a, b, c := &s.planes[v.Planes[0]], &s.planes[v.Planes[1]], &s.planes[v.Planes[2]]
	num = new(big.Int)
	for _, term := range [...]struct {
		d int64
		m [3]int64
	}{{a.D, cross(b.N, c.N)}, {b.D, cross(c.N, a.N)}, {c.D, cross(a.N, b.N)}} {
		num.Add(num, new(big.Int).Mul(big.NewInt(term.d), big.NewInt(term.m[axis])))
	}
	num.Mul(num, big.NewInt(NormalScale))
	den = big.NewInt(det(a.N, b.N, c.N))
	if den.Sign() < 0 {
		num.Neg(num)
		den.Neg(den)
	}
	return num, den
}
