package smooth

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
)

// Curves through way-points.
//
// Source: S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, section
// 5.2.2, option 1 and figure 47. E. Catmull and R. Rom, A class of local interpolating splines, in Computer Aided
// Geometric Design, 1974, with the knots of C. Yuksel, S. Schaefer and J. Keyser, Parameterization and applications of
// Catmull-Rom curves, Computer-Aided Design 43 (2011); C. de Boor, On calculating with B-splines, Journal of
// Approximation Theory 6 (1972).
//
// Idea: A curve takes the place of the straight pieces between way-points, so that a follower does not turn at a point.
// A Catmull-Rom spline leads through all of them and swings out at corners; a B-spline leads past them and cuts the
// corners off, more with a higher degree. Either may leave the floor; where it does, by a predicate of the caller, the
// way-points there are made sharp: the curve is cut in two.
//
// Input: way-points with free straight ways between them.
//
// Guarantees:
//  1. The first sample is the first way-point and the last the last (TestSplineEnds); a Catmull-Rom spline has all of
//     them among its samples, a B-spline is in the convex hull of Degree + 1 at a time (TestSplinesThroughAndWithin).
//  2. With Free, no two samples have a way between them that is not free (TestSplineStaysFree, and
//     TestSplinesStayOnTheMesh in navgraph).
//  3. Every sample has a place on the straight way, which never goes back (TestSplineKeepsTheLine).
//
// Degenerate cases: no points give no samples, one point gives one. A repeated point is left out. Two points are a
// straight line, and so is a piece between two sharp points: it has no inner samples.
//
// Cost: O(n) for n samples, and once more each time that points are made sharp: O(n·p) for p points at worst.
//
// Departures: B leaves it at "usually, a bit of clipping with a wall is something we can live with". His remedy, to
// keep the position on the straight way beside that on the curve for whatever must not fail, is Sample.Line. His other
// one, to look for the floor below the curve all the time, is Floor.

// SplineKind is the kind of curve.
type SplineKind uint8

const (
	// CatmullRom is the centripetal Catmull-Rom spline.
	CatmullRom SplineKind = iota
	// BSpline is the B-spline with uniform knots, from the first point to the last.
	BSpline
)

var splineNames = [...]string{"catmull-rom", "b-spline"}

func (k SplineKind) String() string {
	if int(k) < len(splineNames) {
		return splineNames[k]
	}
	return fmt.Sprintf("SplineKind(%d)", uint8(k))
}

// ParseSplineKind returns the kind of a name.
func ParseSplineKind(name string) (SplineKind, error) {
	if i := slices.Index(splineNames[:], name); i >= 0 {
		return SplineKind(i), nil
	}
	return 0, fmt.Errorf("smooth: no spline is named %q, there are %v", name, splineNames)
}

// SplineOptions say how a curve is laid.
type SplineOptions struct {
	Kind SplineKind
	// Degree of a BSpline, 1 to 5; 0 is 3. With too few points it is lower.
	Degree int
	// Step is about how far samples are apart, in metres; 0 is [DefaultStep]. No piece has more than 256 samples.
	Step float64
	// Free says whether the straight way from a to b may be walked; nil asks nobody, as published.
	Free func(a, b geom.Vec) bool
	// Floor puts a point of the curve on the floor; nil leaves it unchanged, as published.
	Floor func(p geom.Vec) geom.Vec
}

// DefaultStep is the default of SplineOptions.Step, in metres.
const DefaultStep = 0.25

// Sample is a point of a curve, and the point of the straight way that it stands for.
type Sample struct{ Curve, Line geom.Vec }

// maxDegree is the highest degree of a B-spline, mostSamples the most samples of a piece, farthest the bound of
// coordinates in metres: beyond it sums of squares lose too much precision.
const (
	maxDegree   = 5
	mostSamples = 256
	farthest    = 1e12
)

// Spline lays curves through way-points. It owns its memory, belongs to one goroutine at a time and after the first
// few answers allocates nothing.
type Spline struct {
	points  []geom.Vec
	sharp   []bool
	samples []Sample
	from    []int32   // of every sample, the place of the point to make sharp if the curve before it is not free
	knots   []float64 // of the piece in hand
}

// Through returns samples of a curve for points. The result belongs to s and is valid until the next call. The error
// names an invalid point or an option out of range.
func (s *Spline) Through(points []geom.Vec, opt SplineOptions) ([]Sample, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	s.points, s.sharp = s.points[:0], s.sharp[:0]
	for i, p := range points {
		if !(p.Norm() <= farthest) {
			return nil, fmt.Errorf("smooth: point %d of %d is %v, must be within %g m", i, len(points), p, farthest)
		}
		if n := len(s.points); n == 0 || s.points[n-1].Distance(p) > 0 {
			s.points, s.sharp = append(s.points, p), append(s.sharp, false)
		}
	}
	n := len(s.points)
	if n == 0 {
		return nil, nil
	}
	s.sharp[0], s.sharp[n-1] = true, true
	for {
		s.lay(&opt)
		if opt.Free == nil || !s.sharpen(&opt) {
			return s.samples, nil
		}
	}
}

// check fills in defaults and finds values out of range.
func (o *SplineOptions) check() error {
	if o.Degree == 0 {
		o.Degree = 3
	}
	if o.Step == 0 {
		o.Step = DefaultStep
	}
	switch {
	case int(o.Kind) >= len(splineNames):
		return fmt.Errorf("smooth: no spline is numbered %d", o.Kind)
	case o.Degree < 1 || o.Degree > maxDegree:
		return fmt.Errorf("smooth: a B-spline of degree %d, must be 1 to %d", o.Degree, maxDegree)
	case !(o.Step > 0):
		return fmt.Errorf("smooth: a step of %v m, must be above 0", o.Step)
	}
	return nil
}

// lay samples the pieces between sharp points.
func (s *Spline) lay(opt *SplineOptions) {
	s.samples = append(s.samples[:0], Sample{s.points[0], s.points[0]})
	s.from = append(s.from[:0], 0)
	for a := 0; a+1 < len(s.points); {
		b := a + 1
		for !s.sharp[b] {
			b++
		}
		switch {
		case b == a+1:
		case opt.Kind == BSpline:
			s.layBSpline(a, b, opt)
		default:
			for i := a; i < b; i++ {
				s.layCatmullRom(a, b, i, opt)
			}
		}
		s.add(s.points[b], s.points[b], b, nil)
		a = b
	}
}

// add appends a sample.
func (s *Spline) add(curve, line geom.Vec, point int, floor func(geom.Vec) geom.Vec) {
	if floor != nil {
		curve = floor(curve)
	}
	s.samples, s.from = append(s.samples, Sample{curve, line}), append(s.from, int32(point))
}

// sharpen makes points sharp where the way between samples is not free, and reports whether there were any.
func (s *Spline) sharpen(opt *SplineOptions) bool {
	found := false
	mark := func(i int) {
		if !s.sharp[i] {
			s.sharp[i], found = true, true
		}
	}
	for i := 1; i < len(s.samples); i++ {
		at := int(s.from[i])
		if s.straight(i) || opt.Free(s.samples[i-1].Curve, s.samples[i].Curve) {
			continue
		}
		if opt.Kind == CatmullRom || s.sharp[at] {
			mark(at - 1)
		}
		mark(at)
	}
	return found
}

// straight reports whether the way to sample i is a whole piece without a curve.
func (s *Spline) straight(i int) bool {
	at := int(s.from[i])
	return at > 0 && s.samples[i-1].Curve == s.points[at-1] && s.samples[i].Curve == s.points[at]
}

// count returns how many samples a curve of about a length has.
func count(long, step float64) int {
	return int(min(max(math.Ceil(long/step), 4), mostSamples))
}

// layCatmullRom samples the curve from point i to the next one, in the piece from a to b, without its ends but for
// points inside the piece.
func (s *Spline) layCatmullRom(a, b, i int, opt *SplineOptions) {
	p1, p2 := s.points[i], s.points[i+1]
	// Beyond the ends the way goes on as it came.
	p0, p3 := p1.Add(p1.Sub(p2)), p2.Add(p2.Sub(p1))
	if i > a {
		p0 = s.points[i-1]
	}
	if i+1 < b {
		p3 = s.points[i+2]
	}
	// The pyramid of Barry and Goldman, with knots at the square roots of distances.
	t0 := 0.0
	t1 := t0 + math.Sqrt(p0.Distance(p1))
	t2 := t1 + math.Sqrt(p1.Distance(p2))
	t3 := t2 + math.Sqrt(p2.Distance(p3))
	n := count(p1.Distance(p2), opt.Step)
	for k := 1; k < n; k++ {
		u := float64(k) / float64(n)
		t := t1 + float64(u*(t2-t1))
		a1, a2, a3 := mix(p0, p1, t0, t1, t), mix(p1, p2, t1, t2, t), mix(p2, p3, t2, t3, t)
		b1, b2 := mix(a1, a2, t0, t2, t), mix(a2, a3, t1, t3, t)
		s.add(mix(b1, b2, t1, t2, t), lerp(p1, p2, u), i+1, opt.Floor)
	}
	if i+1 < b {
		s.add(p2, p2, i+1, nil)
	}
}

// mix returns the point at t of the line that is at p for t = from and at q for t = to.
func mix(p, q geom.Vec, from, to, t float64) geom.Vec { return lerp(p, q, (t-from)/(to-from)) }

// lerp returns the point at the part u of the way from p to q.
func lerp(p, q geom.Vec, u float64) geom.Vec {
	return geom.Vec{
		X: p.X + float64(u*(q.X-p.X)),
		Y: p.Y + float64(u*(q.Y-p.Y)),
		Z: p.Z + float64(u*(q.Z-p.Z)),
	}
}

// layBSpline samples the curve of the points from a to b, without its ends.
func (s *Spline) layBSpline(a, b int, opt *SplineOptions) {
	points := s.points[a : b+1]
	d := min(opt.Degree, b-a)
	spans := len(points) - d
	s.knots = s.knots[:0]
	for i := range len(points) + d + 1 {
		s.knots = append(s.knots, float64(min(max(i-d, 0), spans)))
	}
	long := 0.0
	for i := 1; i < len(points); i++ {
		long += points[i-1].Distance(points[i])
	}
	n := count(long/float64(spans), opt.Step)
	at := 0 // of the line: the point before
	for k := 1; k < n*spans; k++ {
		u := float64(k) / float64(n)
		for at+2 < len(points) && s.greville(at+1, d) <= u {
			at++
		}
		g, h := s.greville(at, d), s.greville(at+1, d)
		part := min(max((u-g)/(h-g), 0), 1)
		near := at + 1
		if part < 0.5 && at > 0 || near == len(points)-1 {
			near = max(at, 1)
		}
		s.add(s.deBoor(points, d, min(k/n, spans-1)+d, u), lerp(points[at], points[at+1], part), a+near, opt.Floor)
	}
}

// greville returns the place of point i of a B-spline of degree d along its knots.
func (s *Spline) greville(i, d int) float64 {
	sum := 0.0
	for _, k := range s.knots[i+1 : i+d+1] {
		sum += k
	}
	return sum / float64(d)
}

// deBoor returns the point at u, between the knots numbered k and k+1.
func (s *Spline) deBoor(points []geom.Vec, d, k int, u float64) geom.Vec {
	var p [maxDegree + 1]geom.Vec
	copy(p[:], points[k-d:k+1])
	for r := 1; r <= d; r++ {
		for j := d; j >= r; j-- {
			from, to := s.knots[j+k-d], s.knots[j+1+k-r]
			p[j] = mix(p[j-1], p[j], from, to, u)
		}
	}
	return p[d]
}
