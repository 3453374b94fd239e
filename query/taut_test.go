package query

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// randomGates fills a taut with gates at random angles over ground of random costs; some gates share an end with the
// previous gate.
func randomGates(rng *rand.Rand, s *weighted.Taut, n int) {
	point := func(x, y float64) lattice.Point { return lattice.Point{X: int32(x * metre), Y: int32(y * metre)} }
	start := point(0, 4*rng.Float64()-2)
	s.X, s.Y = float64(start.X), float64(start.Y)
	s.Gates = s.Gates[:0]
	weight := func() float64 { return math.Exp(2*rng.Float64() - 1) }
	left, right := point(0, 3), point(0, -3)
	for i := range n {
		x := float64(i + 1)
		l, r := point(x+0.4*rng.Float64(), 0.2+3*rng.Float64()), point(x+0.4*rng.Float64(), -0.2-3*rng.Float64())
		switch rng.IntN(3) {
		case 0:
			l = left
		case 1:
			r = right
		}
		left, right = l, r
		side := weighted.SegmentBetween(index.Floats(r), index.Floats(l))
		s.Gates = append(s.Gates, weighted.Crossing{In: side, Out: side, Weight: weight()})
	}
	goal := point(float64(n)+1.5, 4*rng.Float64()-2)
	end := weighted.SegmentBetween(index.Floats(goal), index.Floats(goal))
	s.Gates = append(s.Gates, weighted.Crossing{In: end, Out: end, Weight: weight()})
}

// TestTautIsTheFunnel compares ways through the corridors of random worlds over ground of one cost with the funnel.
func TestTautIsTheFunnel(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 12))
	compared := 0
	for range 60 {
		w := randomWorld(t, rng)
		q := NewIndex(w.theMesh()).NewQuery()
		for _, c := range pairs(rng, w, 10) {
			path, err := q.AStarPath(context.Background(), c.start, c.goal)
			if err != nil {
				t.Fatal(err)
			}
			if !path.Complete || len(q.way.Crossed) == 0 {
				continue
			}
			ends := [2]lattice.Point{}
			for k, p := range [2]geom.Vec{path.Points[0], path.Points[len(path.Points)-1]} {
				ends[k], _, _ = w.theMesh().Frame.FromWorld(p)
			}
			s := weighted.Taut{X: float64(ends[0].X), Y: float64(ends[0].Y)}
			for _, p := range q.way.Crossed {
				side := weighted.SegmentBetween(index.Floats(q.ix.Portal(p).Right), index.Floats(q.ix.Portal(p).Left))
				s.Gates = append(s.Gates, weighted.Crossing{In: side, Out: side, Weight: 1})
			}
			goal := weighted.SegmentBetween(index.Floats(ends[1]), index.Floats(ends[1]))
			s.Gates = append(s.Gates, weighted.Crossing{In: goal, Out: goal, Weight: 1})
			if got, want := s.Pull()*lattice.Unit, path.Length; math.Abs(got-want) > 2*weighted.TautError*(1+want) {
				t.Errorf("%v to %v through %v: %v, the funnel says %v", c.start, c.goal, q.way.Crossed, got, want)
			}
			compared++
		}
	}
	if compared < 200 {
		t.Errorf("%d ways: too few for a test", compared)
	}
}

// TestTautIsTheLeast moves the places of ways over ground of different costs, singly and together: as the cost is
// convex, a least cost among near ways is the least of all.
func TestTautIsTheLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 12))
	var s weighted.Taut
	for range 300 {
		randomGates(rng, &s, 1+rng.IntN(15))
		want := s.Pull()
		if again := s.Cost(); again != want {
			t.Fatalf("the cost is %v, then %v", want, again)
		}
		before := make([]float64, len(s.Gates))
		for i := range s.Gates {
			before[i] = s.Gates[i].T
		}
		for k := range 200 {
			size := math.Pow(10, -float64(k%7))
			only := rng.IntN(2 * len(s.Gates)) // a single place, or all
			for i := range s.Gates {
				s.Gates[i].T = before[i]
				if i == only || only >= len(s.Gates) {
					s.Gates[i].T = min(max(before[i]+size*(2*rng.Float64()-1), 0), 1)
				}
			}
			if got := s.Cost(); got < want*(1-weighted.TautError) {
				t.Fatalf("%v costs %v, which is more than %v", before, want, got)
			}
		}
	}
}

// TestTautDegenerate has gates of zero length, a way of zero length and gates that meet in a point.
func TestTautDegenerate(t *testing.T) {
	seg := func(ax, ay, bx, by float64) weighted.Segment {
		return weighted.SegmentBetween([2]float64{ax, ay}, [2]float64{bx, by})
	}
	gate := func(s weighted.Segment, weight float64) weighted.Crossing {
		return weighted.Crossing{In: s, Out: s, Weight: weight}
	}
	point := func(x, y float64) weighted.Segment { return seg(x, y, x, y) }
	tests := []struct {
		name  string
		gates []weighted.Crossing
		want  float64
	}{
		{"nothing", []weighted.Crossing{gate(point(0, 0), 3)}, 0},
		{"straight", []weighted.Crossing{gate(point(3000, 4000), 2)}, 10000},
		{"over a point", []weighted.Crossing{gate(point(1000, 0), 1), gate(point(1000, 1000), 2)}, 3000},
		{"out and back", []weighted.Crossing{gate(seg(1000, -500, 1000, 500), 1), gate(point(0, 0), 1)}, 2000},
		{"to the start, all gates there", []weighted.Crossing{gate(seg(0, 0, 1000, 0), 1), gate(seg(0, 0, 0, 1000), 2), gate(point(0, 0), 1)}, 0},
		{"around a corner", []weighted.Crossing{gate(seg(1000, 1000, 1000, 9000), 1), gate(seg(1000, 1000, 9000, 1000), 1), gate(point(2000, 0), 1)}, 2000 * math.Sqrt2},
		{
			"over a link from segment to segment",
			[]weighted.Crossing{{In: seg(1000, 0, 1000, 1000), Out: seg(5000, 0, 5000, 1000), Weight: 1}, gate(point(6000, 1000), 1)},
			2000 * math.Hypot(1, 0.5),
		},
	}
	for _, tt := range tests {
		s := weighted.Taut{Gates: tt.gates}
		if got := s.Pull(); math.Abs(got-tt.want) > 1e-6*(1+tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestTautRepeats puts rows of equal gates into ways, in the same direction or turned, over ground of any cost between. The way costs at
// most as much as with each gate once, and no near way costs less.
func TestTautRepeats(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(7, 12))
	var once, s weighted.Taut
	along := 0
	for way := range slow.Count(2000, 20000) {
		randomGates(rng, &once, 1+rng.IntN(15))
		s.X, s.Y, s.Gates = once.X, once.Y, s.Gates[:0]
		for i, g := range once.Gates {
			s.Gates = append(s.Gates, g)
			if i+1 == len(once.Gates) || rng.IntN(5) > 0 {
				continue
			}
			ends := [2][2]float64{}
			for k := range ends {
				ends[k][0], ends[k][1] = g.In.At(float64(k))
			}
			back := weighted.SegmentBetween(lattice2(ends[1]), lattice2(ends[0]))
			for range 1 + rng.IntN(3) {
				again := g
				if again.Weight *= math.Exp(2*rng.Float64() - 1.5); rng.IntN(2) == 0 {
					again.In, again.Out = back, back
				}
				s.Gates = append(s.Gates, again)
			}
		}
		most, got := once.Pull(), s.Pull()
		if !(got <= most*(1+2*weighted.TautError)) {
			t.Fatalf("way %d: %v, with each gate once %v", way, got, most)
		}
		if got < most*(1-1e-6) {
			along++
		}
		before := make([]float64, len(s.Gates))
		for i := range s.Gates {
			before[i] = s.Gates[i].T
		}
		for k := range 60 {
			size := math.Pow(10, -float64(k%7))
			only := rng.IntN(2 * len(s.Gates))
			for i := range s.Gates {
				s.Gates[i].T = before[i]
				if i == only || only >= len(s.Gates) {
					s.Gates[i].T = min(max(before[i]+size*(2*rng.Float64()-1), 0), 1)
				}
			}
			if near := s.Cost(); near < got*(1-weighted.TautError) {
				t.Fatalf("way %d: %v costs %v, near by %v", way, before, got, near)
			}
		}
	}
	if along < 100 {
		t.Errorf("%d ways along gates: too few for a test", along)
	}
}

// lattice2 returns the lattice point nearest to a place.
func lattice2(p [2]float64) [2]float64 {
	return [2]float64{math.Floor(p[0] + 0.5), math.Floor(p[1] + 0.5)}
}
