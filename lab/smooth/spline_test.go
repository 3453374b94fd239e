package smooth

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// randomPoints draws way-points, some of them twice in a row.
func randomPoints(rng *rand.Rand) []geom.Vec {
	points := make([]geom.Vec, 1+rng.IntN(9))
	for i := range points {
		points[i] = geom.Vec{X: 10 * rng.Float64(), Y: rng.Float64(), Z: 10 * rng.Float64()}
		if i > 0 && rng.IntN(6) == 0 {
			points[i] = points[i-1]
		}
	}
	return points
}

// eachSpline calls f with curves of all kinds through random points.
func eachSpline(t *testing.T, f func(t *testing.T, points []geom.Vec, opt SplineOptions, s *Spline)) {
	var s Spline
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 9))
		points := randomPoints(rng)
		f(t, points, SplineOptions{Step: 0.5}, &s)
		for degree := 1; degree <= maxDegree; degree++ {
			f(t, points, SplineOptions{Kind: BSpline, Degree: degree, Step: 0.5}, &s)
		}
		if t.Failed() {
			t.Fatalf("seed %d, %v", seed, points)
		}
	}
}

func through(t *testing.T, s *Spline, points []geom.Vec, opt SplineOptions) []Sample {
	t.Helper()
	samples, err := s.Through(points, opt)
	if err != nil {
		t.Fatal(err)
	}
	return samples
}

// TestSplineEnds: a curve starts at the first point and ends at the last.
func TestSplineEnds(t *testing.T) {
	eachSpline(t, func(t *testing.T, points []geom.Vec, opt SplineOptions, s *Spline) {
		samples := through(t, s, points, opt)
		if first, last := samples[0], samples[len(samples)-1]; first.Curve != points[0] || last.Curve != points[len(points)-1] || first.Line != first.Curve || last.Line != last.Curve {
			t.Errorf("%v: from %v to %v", opt.Kind, first, last)
		}
	})
}

// TestSplinesThroughAndWithin: a Catmull-Rom spline has all points among its samples, in order; a B-spline stays in the box of
// Degree + 1 points in a row, and of degree 1 on the straight way.
func TestSplinesThroughAndWithin(t *testing.T) {
	eachSpline(t, func(t *testing.T, points []geom.Vec, opt SplineOptions, s *Spline) {
		samples := through(t, s, points, opt)
		if opt.Kind == CatmullRom {
			at := 0
			for _, p := range points {
				for at < len(samples) && samples[at].Curve != p {
					at++
				}
				if at == len(samples) {
					t.Fatalf("%v is not on the curve", p)
				}
			}
			return
		}
		for _, sample := range samples {
			inside := false
			for i := range points {
				box := geom.EmptyBox()
				// Points twice in a row count once.
				for k, n := i, 0; k < len(points) && n <= opt.Degree; k++ {
					if k == i || points[k] != points[k-1] {
						n++
					}
					box = box.Extend(points[k])
				}
				const slack = 1e-9
				c := sample.Curve
				inside = inside || c.X >= box.Min.X-slack && c.X <= box.Max.X+slack && c.Y >= box.Min.Y-slack && c.Y <= box.Max.Y+slack &&
					c.Z >= box.Min.Z-slack && c.Z <= box.Max.Z+slack
			}
			if !inside {
				t.Errorf("degree %d: %v is in no box", opt.Degree, sample.Curve)
			}
			if d := sample.Curve.Distance(sample.Line); opt.Degree == 1 && d > 1e-9 {
				t.Errorf("degree 1: %v is %g m from the line", sample.Curve, d)
			}
		}
	})
}

// TestSplineKeepsTheLine: the places on the straight way are on it, and never go back.
func TestSplineKeepsTheLine(t *testing.T) {
	eachSpline(t, func(t *testing.T, points []geom.Vec, opt SplineOptions, s *Spline) {
		piece := 0
		before := points[0]
		for _, sample := range through(t, s, points, opt) {
			// The piece under it, from the last piece on.
			for ; piece+1 < len(points); piece++ {
				a, b := points[piece], points[piece+1]
				if d := a.Distance(sample.Line) + sample.Line.Distance(b) - a.Distance(b); d <= 1e-9 {
					break
				}
				before = b
			}
			if piece+1 >= len(points) && len(points) > 1 {
				t.Fatalf("%v, degree %d: %v is not on the way from the one before on", opt.Kind, opt.Degree, sample.Line)
			}
			if len(points) > 1 && points[piece].Distance(sample.Line) < points[piece].Distance(before)-1e-9 {
				t.Fatalf("%v, degree %d: the line goes back from %v to %v", opt.Kind, opt.Degree, before, sample.Line)
			}
			before = sample.Line
		}
	})
}

// TestSplineStaysFree: with a predicate that forbids places, curves are made sharp until only straight pieces between points
// remain, which need no question.
func TestSplineStaysFree(t *testing.T) {
	cut := 0
	eachSpline(t, func(t *testing.T, points []geom.Vec, opt SplineOptions, s *Spline) {
		loose := len(through(t, s, points, opt))
		opt.Free = func(a, b geom.Vec) bool {
			// A pillar in the middle.
			middle := geom.Vec{X: 5, Y: (a.Y + b.Y) / 2, Z: 5}
			return a.Distance(middle) > 2 && b.Distance(middle) > 2
		}
		isPoint := func(p geom.Vec) bool {
			for _, o := range points {
				if o == p {
					return true
				}
			}
			return false
		}
		samples := through(t, s, points, opt)
		for i := 1; i < len(samples); i++ {
			if a, b := samples[i-1].Curve, samples[i].Curve; !opt.Free(a, b) && !(isPoint(a) && isPoint(b)) {
				t.Errorf("%v, degree %d: from %v to %v is not free", opt.Kind, opt.Degree, a, b)
			}
		}
		if len(samples) != loose {
			cut++
		}
		opt.Free = func(geom.Vec, geom.Vec) bool { return false }
		distinct := 1
		for i := 1; i < len(points); i++ {
			if points[i] != points[i-1] {
				distinct++
			}
		}
		if n := len(through(t, s, points, opt)); n != distinct {
			t.Errorf("%v, degree %d: %d samples of %d points where nothing is free", opt.Kind, opt.Degree, n, distinct)
		}
	})
	if cut < 500 {
		t.Errorf("only %d curves were cut", cut)
	}
}

// TestSplineOnTheFloor: samples between points are put where Floor says.
func TestSplineOnTheFloor(t *testing.T) {
	var s Spline
	points := []geom.Vec{{}, {X: 5}, {X: 5, Z: 5}}
	samples := through(t, &s, points, SplineOptions{Floor: func(p geom.Vec) geom.Vec { p.Y = 7; return p }})
	if len(samples) < 30 || samples[3].Curve.Y != 7 || samples[3].Line.Y != 0 {
		t.Errorf("%v", samples)
	}
}

func TestSplineRefuses(t *testing.T) {
	ok := []geom.Vec{{}, {X: 1}}
	var s Spline
	for _, c := range []struct {
		points []geom.Vec
		opt    SplineOptions
		want   string
	}{
		{ok, SplineOptions{Kind: 7}, "numbered 7"},
		{ok, SplineOptions{Degree: -1}, "degree -1"},
		{ok, SplineOptions{Degree: 6}, "degree 6"},
		{ok, SplineOptions{Step: -1}, "step of -1"},
		{ok, SplineOptions{Step: math.NaN()}, "step of NaN"},
		{[]geom.Vec{{}, {Z: math.NaN()}}, SplineOptions{}, "point 1 of 2"},
		{[]geom.Vec{{Y: math.Inf(-1)}}, SplineOptions{}, "point 0 of 1"},
		{[]geom.Vec{{Y: 1e300}}, SplineOptions{}, "point 0 of 1"},
	} {
		if _, err := s.Through(c.points, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %+v: %v, want %q", c.points, c.opt, err, c.want)
		}
	}
	if samples, err := s.Through(nil, SplineOptions{}); err != nil || len(samples) != 0 {
		t.Errorf("of nothing: %v, %v", samples, err)
	}
	if _, err := ParseSplineKind("bezier"); err == nil {
		t.Error("bezier is a spline")
	}
	for _, k := range []SplineKind{CatmullRom, BSpline} {
		if got, err := ParseSplineKind(k.String()); err != nil || got != k {
			t.Errorf("%v is %v: %v", k, got, err)
		}
	}
	// Points closer than numbers can tell.
	if samples, err := s.Through([]geom.Vec{{}, {X: 1e-300}, {X: 1}}, SplineOptions{}); err != nil || !samples[len(samples)-1].Curve.IsFinite() || len(samples) != 2 {
		t.Errorf("%v, %v", samples, err)
	}
}
