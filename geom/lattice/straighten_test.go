package lattice_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
)

func bordersOf(p polygon) []lattice.Border {
	borders := make([]lattice.Border, len(p.Rings))
	for i, r := range p.Rings {
		borders[i].Ring = r
	}
	return borders
}

func straightened(p polygon, tolerance float64) polygon {
	var q polygon
	for _, s := range lattice.Straighten(bordersOf(p), tolerance) {
		q.Rings = append(q.Rings, s.Ring)
	}
	return q
}

// reflex counts the corners of more than 180°.
func reflex(p polygon) int {
	count := 0
	for _, r := range p.Rings {
		for i, v := range r {
			if lattice.Orient(r[(i+len(r)-1)%len(r)], v, r[(i+1)%len(r)]) < 0 {
				count++
			}
		}
	}
	return count
}

type straightCase struct {
	name      string
	p, q      polygon
	tolerance float64
}

// straightCases returns polygons of all shapes straightened at all sizes of tolerance, made once for all tests. The step
// between seeds is 1 or 5, which meets all shapes and numbers of holes.
var straightCases = map[int]func() []straightCase{
	1: sync.OnceValue(func() []straightCase { return makeStraightCases(1) }),
	5: sync.OnceValue(func() []straightCase { return makeStraightCases(5) }),
}

func makeStraightCases(step uint64) []straightCase {
	var cases []straightCase
	for seed := uint64(0); seed < 56; seed += step {
		p := corpus.Polygon(seed, 20+int(seed/2), int(seed%7))
		for _, tolerance := range []float64{0.5, 30, 250, 1600, 9000} {
			if tolerance == 9000 && seed/8%3 != 0 {
				continue // beyond the size of most, and slow
			}
			name := fmt.Sprintf("%s %d, tolerance %g", corpus.Shape(seed%uint64(len(corpus.Shapes()))), seed, tolerance)
			cases = append(cases, straightCase{name, p, straightened(p, tolerance), tolerance})
		}
	}
	return cases
}

func forStraightened(t *testing.T, step int, f func(t *testing.T, p, q polygon, tolerance float64)) {
	for _, c := range straightCases[step]() {
		t.Run(c.name, func(t *testing.T) { f(t, c.p, c.q, c.tolerance) })
	}
}

func TestStraightenTable(t *testing.T) {
	square := []point{{0, 0}, {9000, 0}, {9000, 9000}, {0, 9000}}
	for _, c := range []struct {
		name      string
		p         polygon
		tolerance float64
		want      polygon
	}{
		{"nothing", polygon{}, 5, polygon{}},
		{"a square stays", polygon{Rings: []ring{square}}, 500, polygon{Rings: []ring{square}}},
		{
			"vertices in straight runs go",
			polygon{Rings: []ring{{{0, 0}, {50, 0}, {90, 0}, {90, 90}, {0, 90}, {0, 40}}}},
			0,
			polygon{Rings: []ring{{{0, 0}, {90, 0}, {90, 90}, {0, 90}}}},
		},
		{
			"a cut corner of an obstacle becomes a mitre",
			polygon{Rings: []ring{square, {{3000, 3000}, {3000, 5900}, {3100, 6000}, {6000, 6000}, {6000, 3000}}}},
			100,
			polygon{Rings: []ring{square, {{3000, 3000}, {3000, 6000}, {6000, 6000}, {6000, 3000}}}},
		},
		{
			"but not beyond the tolerance",
			polygon{Rings: []ring{square, {{3000, 3000}, {3000, 5900}, {3100, 6000}, {6000, 6000}, {6000, 3000}}}},
			45,
			polygon{Rings: []ring{square, {{3000, 3000}, {3000, 5900}, {3100, 6000}, {6000, 6000}, {6000, 3000}}}},
		},
		{
			"a shallow recess is cut off",
			polygon{Rings: []ring{{{0, 0}, {4000, 0}, {4000, -100}, {5000, -100}, {5000, 0}, {9000, 0}, {9000, 9000}, {0, 9000}}}},
			100,
			polygon{Rings: []ring{square}},
		},
		{
			"a deep one stays",
			polygon{Rings: []ring{{{0, 0}, {4000, 0}, {4000, -101}, {5000, -101}, {5000, 0}, {9000, 0}, {9000, 9000}, {0, 9000}}}},
			100,
			polygon{Rings: []ring{{{0, 0}, {4000, 0}, {4000, -101}, {5000, -101}, {5000, 0}, {9000, 0}, {9000, 9000}, {0, 9000}}}},
		},
		{
			"a wall that steps back goes straight on",
			polygon{Rings: []ring{{{0, 0}, {4000, 0}, {4000, -100}, {9000, -100}, {9000, 9000}, {0, 9000}}}},
			100,
			polygon{Rings: []ring{square}},
		},
		{
			"a slot stays that is near the room through a wall only",
			polygon{Rings: []ring{{{0, 0}, {8900, 0}, {8900, -20}, {5000, -20}, {5000, -40}, {9000, -40}, {9000, 9000}, {0, 9000}}}},
			90,
			polygon{Rings: []ring{{{0, 0}, {8900, 0}, {8900, -20}, {5000, -20}, {5000, -40}, {9000, -40}, {9000, 9000}, {0, 9000}}}},
		},
		{
			"a recess with a pillar in it stays",
			polygon{Rings: []ring{
				{{0, 0}, {4000, 0}, {4000, -100}, {5000, -100}, {5000, 0}, {9000, 0}, {9000, 9000}, {0, 9000}},
				{{4490, -60}, {4495, -40}, {4510, -60}},
			}},
			100,
			polygon{Rings: []ring{
				{{0, 0}, {4000, 0}, {4000, -100}, {5000, -100}, {5000, 0}, {9000, 0}, {9000, 9000}, {0, 9000}},
				{{4490, -60}, {4495, -40}, {4510, -60}},
			}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := straightened(c.p, c.tolerance); !slices.EqualFunc(got.Rings, c.want.Rings, sameRing) {
				t.Errorf("%v, want %v", got.Rings, c.want.Rings)
			}
		})
	}
}

// sameRing reports whether two rings are the same but for where they begin.
func sameRing(a, b ring) bool {
	for k := range b {
		if slices.Equal(a, slices.Concat(b[k:], b[:k])) {
			return true
		}
	}
	return false
}

func TestStraightenKeepsPolygonsValid(t *testing.T) {
	race.Skip(t)
	forStraightened(t, slow.Count(5, 1), func(t *testing.T, p, q polygon, tolerance float64) {
		if err := q.Validate(); err != nil {
			t.Fatal(err)
		}
		if len(q.Rings) != len(p.Rings) {
			t.Errorf("%d rings of %d", len(q.Rings), len(p.Rings))
		}
		if before, after := reflex(p), reflex(q); after > before {
			t.Errorf("%d corners of more than 180°, %d before", after, before)
		}
	})
}

// Every edge of the result is cut where it touches the old border, and the middle of every piece looked up,
// with all coordinates doubled.
func TestStraightenIsSubset(t *testing.T) {
	race.Skip(t)
	twice := func(p point) point { return point{X: 2 * p.X, Y: 2 * p.Y} }
	forStraightened(t, slow.Count(5, 1), func(t *testing.T, p, q polygon, _ float64) {
		var large polygon
		for _, r := range p.Rings {
			var doubled ring
			for _, v := range r {
				doubled = append(doubled, twice(v))
			}
			large.Rings = append(large.Rings, doubled)
		}
		for _, r := range q.Rings {
			for i, a := range r {
				b := r[(i+1)%len(r)]
				cuts := []point{a, b}
				for _, s := range p.Rings {
					for k, c := range s {
						if lattice.SegmentContact(a, b, c, s[(k+1)%len(s)]) == lattice.ProperCrossing {
							t.Fatalf("%v-%v crosses %v-%v", a, b, c, s[(k+1)%len(s)])
						}
						if lattice.OnSegment(c, a, b) {
							cuts = append(cuts, c)
						}
					}
				}
				slices.SortFunc(cuts, point.Compare)
				for k := range len(cuts) - 1 {
					if m := (point{X: cuts[k].X + cuts[k+1].X, Y: cuts[k].Y + cuts[k+1].Y}); !large.Contains(m) {
						t.Fatalf("%v-%v is outside between %v and %v", a, b, cuts[k], cuts[k+1])
					}
				}
			}
		}
	})
}

// distanceTo returns how far the rings of p are from a place.
func distanceTo(rings []ring, x, y float64) float64 {
	least := math.Inf(1)
	for _, r := range rings {
		for i, a := range r {
			least = min(least, floatDistance(x, y, a, r[(i+1)%len(r)]))
		}
	}
	return least
}

// farthest returns how far places of the rings of p are from those of q.
func farthest(p, q []ring) float64 {
	most := 0.0
	for _, r := range p {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			for f := 0.0; f < 1; f += 0.125 {
				most = max(most, distanceTo(q, float64(a.X)+f*float64(b.X-a.X), float64(a.Y)+f*float64(b.Y-a.Y)))
			}
		}
	}
	return most
}

func TestStraightenStaysInTheBand(t *testing.T) {
	race.Skip(t)
	forStraightened(t, slow.Count(5, 1), func(t *testing.T, p, q polygon, tolerance float64) {
		for i := range p.Rings {
			if d := farthest(p.Rings[i:i+1], q.Rings[i:i+1]); d > tolerance+2 {
				t.Errorf("ring %d: the old border is %g from the new one", i, d)
			}
			if d := farthest(q.Rings[i:i+1], p.Rings[i:i+1]); d > 2*tolerance+2 {
				t.Errorf("ring %d: the new border is %g from the old one", i, d)
			}
		}
	})
}

// Between any two rings a third of their distance is left.
func TestStraightenKeepsPassages(t *testing.T) {
	race.Skip(t)
	forStraightened(t, slow.Count(5, 1), func(t *testing.T, p, q polygon, _ float64) {
		for i := range p.Rings {
			for k := range i {
				before, after := ringDistance(p.Rings[i], p.Rings[k]), ringDistance(q.Rings[i], q.Rings[k])
				if after < before/3-3 {
					t.Errorf("rings %d and %d are %g from each other, and were %g", i, k, after, before)
				}
			}
		}
	})
}

func ringDistance(r, s ring) float64 {
	least := math.Inf(1)
	for i, a := range r {
		for k, c := range s {
			least = min(least, lattice.SegmentsDistance2(a, r[(i+1)%len(r)], c, s[(k+1)%len(s)]).Sqrt())
		}
	}
	return least
}

func TestStraightenKeepsFixedEdges(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(6, 6))
	for seed := range uint64(160) {
		borders := bordersOf(corpus.Polygon(seed, 60, 3))
		for i := range borders {
			borders[i].Fixed = make([]bool, len(borders[i].Ring))
			for k := range borders[i].Fixed {
				borders[i].Fixed[k] = r.IntN(6) == 0
			}
		}
		for i, s := range lattice.Straighten(borders, tolerances[seed/8%8]) {
			old := borders[i].Ring
			seen := map[int]bool{}
			for k, e := range s.From {
				if e < 0 {
					continue
				}
				a, b := old[e], old[(e+1)%len(old)]
				if borders[i].Fixed[e] {
					seen[e] = true
					if s.Ring[k] != a || s.Ring[(k+1)%len(s.Ring)] != b {
						t.Fatalf("seed %d: ring %d: fixed edge %d is %v-%v", seed, i, e, s.Ring[k], s.Ring[(k+1)%len(s.Ring)])
					}
				} else if d := max(lattice.LineDistance2(s.Ring[k], a, b).Sqrt(), lattice.LineDistance2(s.Ring[(k+1)%len(s.Ring)], a, b).Sqrt()); d > 6 {
					t.Fatalf("seed %d: ring %d: an edge is %g off the line of edge %d", seed, i, d, e)
				}
			}
			for e, fixed := range borders[i].Fixed {
				if fixed && !seen[e] {
					t.Fatalf("seed %d: ring %d: fixed edge %d is gone", seed, i, e)
				}
			}
		}
	}
}

func TestStraightenDoesNotDependOnTranslation(t *testing.T) {
	race.Skip(t)
	forStraightened(t, slow.Count(5, 1), func(t *testing.T, p, q polygon, tolerance float64) {
		move := func(p polygon) polygon {
			var out polygon
			for _, r := range p.Rings {
				var moved ring
				for _, v := range r {
					moved = append(moved, point{X: v.X + 987654321, Y: v.Y - 912345678})
				}
				out.Rings = append(out.Rings, moved)
			}
			return out
		}
		if got, want := straightened(move(p), tolerance), move(q); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Error("moved, the rings come out different")
		}
	})
}

// Obstacles of nearly round shape. A square around one is possible if its corners, 0.41 radii away from the
// disc, are within twice the tolerance, and the lost part, 0.29 radii deep, within the tolerance.
func TestStraightenRoundObstacles(t *testing.T) {
	race.Skip(t)
	const radius, center = 10000, 45000
	for n := 12; n < 80; n += 3 {
		disc := make(ring, n)
		for i := range disc {
			angle := -2 * math.Pi * float64(i) / float64(n)
			disc[i] = point{X: center + int32(math.Round(radius*math.Cos(angle))), Y: center + int32(math.Round(radius*math.Sin(angle)))}
		}
		room := ring{{0, 0}, {90000, 0}, {90000, 90000}, {0, 90000}}
		for _, c := range []struct {
			tolerance float64
			corners   int // of the best polygon around a disc
		}{{0.51 * radius, 3}, {0.31 * radius, 4}, {0.2 * radius, 5}, {0.14 * radius, 6}} {
			q := straightened(polygon{Rings: []ring{room, disc}}, c.tolerance)
			if err := q.Validate(); err != nil {
				t.Fatal(err)
			}
			if got := len(q.Rings[1]); got > c.corners+1 {
				t.Errorf("%d corners around %d, tolerance %g: want %d, or one more", got, n, c.tolerance, c.corners)
			}
		}
	}
}

func BenchmarkStraighten(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := corpus.Make(corpus.Rough, 7, n, n/100)
			borders := bordersOf(p)
			want := reflex(p)
			for b.Loop() {
				out := lattice.Straighten(borders, 300)
				if len(out) != len(borders) {
					b.Fatal("rings are gone")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Len()), "ns/point")
			b.ReportMetric(float64(reflex(straightened(p, 300)))/float64(want), "left")
		})
	}
}
