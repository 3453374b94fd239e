package overlay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
)

// distance returns how far p is from the nearest edge of the polygons, in units, negative inside.
func distance(polygons []lattice.Polygon, p lattice.Point) float64 {
	least := math.Inf(1)
	for _, q := range polygons {
		for _, r := range q.Rings {
			for i, a := range r {
				least = min(least, lattice.SegmentDistance2(p, a, r[(i+1)%len(r)]).Sqrt())
			}
		}
	}
	if contains(polygons, p) > 0 {
		return -least
	}
	return least
}

// offsetWorlds are polygons of a size at which corners matter for offsets of about 100 units.
func offsetWorlds(t *testing.T, count uint64, f func(rng *rand.Rand, polygons []lattice.Polygon)) {
	t.Helper()
	for seed := range count {
		rng := rand.New(rand.NewPCG(seed, 77))
		var rings []lattice.Ring
		switch seed % 4 {
		case 0:
			rings = randomRings(rng, 1+rng.IntN(5), 9, 600)
		case 1:
			rings = triangles(rng, 1+rng.IntN(20), 800, 300)
		case 2:
			rings = needles(rng, 1+rng.IntN(6), 900)
		case 3:
			rings = blocks(rng, 1+rng.IntN(20), 12)
			for _, r := range rings {
				for i := range r {
					r[i].X *= 60
					r[i].Y *= 60
				}
			}
		}
		f(rng, union(t, rings))
		if t.Failed() {
			t.Fatalf("with seed %d: %v", seed, raw(rings))
		}
	}
}

func TestOffsetAgainstDistances(t *testing.T) {
	race.Skip(t)
	const slack = 2
	inside, outside := 0, 0
	offsetWorlds(t, 400, func(rng *rand.Rand, polygons []lattice.Polygon) {
		r, tolerance := 1+200*rng.Float64(), 1+20*rng.Float64()
		for _, d := range []float64{r, -r} {
			for _, join := range []Join{Round, Square, Mitre} {
				got, err := Offset{d, join, tolerance}.Polygons(polygons)
				if err != nil {
					t.Error(err)
					return
				}
				for _, p := range got {
					if err := p.Validate(); err != nil {
						t.Error(err)
					}
				}
				// How far the border may be beyond the distance: a square corner's chord touches
				// the arc, and its ends are farthest for a turn of half a circle.
				most := r + tolerance
				switch join {
				case Square:
					most = math.Sqrt2 * r
				case Mitre:
					most = mitreLimit * r
				}
				for range 60 {
					p := randomPoint(rng, 1200)
					away := distance(polygons, p)
					if d < 0 {
						away = -away
					}
					in := contains(got, p) > 0
					if d < 0 {
						in = !in
					}
					switch {
					case away < r-slack:
						if inside++; !in {
							t.Errorf("offset %g, join %d: %v (%d, %d), at %g, is not reached", d, join, p, p.X, p.Y, away)
						}
					case away > most+slack:
						if outside++; in {
							t.Errorf("offset %g, join %d: %v (%d, %d), at %g, is reached, want at most %g", d, join, p, p.X, p.Y, away, most)
						}
					}
				}
			}
		}
	})
	if inside < 1000 || outside < 1000 {
		t.Errorf("%d places within reach and %d beyond were tried, want more", inside, outside)
	}
}

// combs are polygons with teeth, bars and spots far smaller than a distance of about 100 units.
func combs(rng *rand.Rand) []lattice.Ring {
	rings := []lattice.Ring{square(-1500, -1500, 3000)}
	hole := func(x, y, w, h int32) {
		rings = append(rings, lattice.Ring{{X: x, Y: y}, {X: x, Y: y + h}, {X: x + w, Y: y + h}, {X: x + w, Y: y}})
	}
	for range 3 {
		x, y, step := rng.Int32N(2000)-1200, rng.Int32N(2000)-1200, 10+rng.Int32N(60)
		for i := range 20 {
			hole(x+int32(i)*step, y, 2+rng.Int32N(step), 20+rng.Int32N(300))
			hole(x, y-int32(i)*step, 20+rng.Int32N(300), 2+rng.Int32N(step))
		}
	}
	for range 40 {
		hole(rng.Int32N(2000)-1200, rng.Int32N(2000)-1200, 1+rng.Int32N(40), 1+rng.Int32N(40))
	}
	return rings
}

// gravel is floor with heaps of holes of every form: triangles, stars, angles, and bars and rounds longer and wider than a distance of about
// 100 units.
func gravel(rng *rand.Rand) []lattice.Ring {
	rings := []lattice.Ring{square(-1500, -1500, 3000)}
	for range 3 {
		x, y := rng.Int32N(2000)-1000, rng.Int32N(2000)-1000
		wide, count := 150+rng.Int32N(500), 30+rng.IntN(60)
		for range count {
			at := lattice.Point{X: x + rng.Int32N(wide), Y: y + rng.Int32N(wide)}
			reach := 3 + rng.Float64()*rng.Float64()*90
			var r lattice.Ring
			switch form := rng.IntN(40); form % 4 {
			case 0, 1:
				if form < 2 { // wide, of short edges
					for _, p := range polygon(24, 3*reach) {
						r = append(r, lattice.Point{X: at.X + p.X, Y: at.Y + p.Y})
					}
					break
				}
				n := 3 + rng.IntN(6)
				turn := rng.Float64() * 2 * math.Pi
				for k := range n {
					far, a := reach*(0.3+0.7*rng.Float64()), turn-2*math.Pi*float64(k)/float64(n)
					r = append(r, lattice.Point{X: at.X + int32(far*math.Cos(a)), Y: at.Y + int32(far*math.Sin(a))})
				}
			case 2:
				a, b := int32(reach)+2, int32(reach/3)+1
				r = lattice.Ring{at, {X: at.X, Y: at.Y + a}, {X: at.X + b, Y: at.Y + a}, {X: at.X + b, Y: at.Y + b}, {X: at.X + a, Y: at.Y + b}, {X: at.X + a, Y: at.Y}}
			case 3:
				a, b := rng.Int32N(400)+2, rng.Int32N(8)+1
				r = lattice.Ring{at, {X: at.X, Y: at.Y + a}, {X: at.X + b, Y: at.Y + a}, {X: at.X + b, Y: at.Y}}
			}
			rings = append(rings, r)
		}
	}
	return rings
}

// TestBuriedHoles counts the holes that are left out before an arrangement, in heaps and where holes stand alone. TestShortenedOffset
// compares the results.
func TestBuriedHoles(t *testing.T) {
	buried, all := 0, 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 79))
		o := Offset{-(60 + 140*rng.Float64()), Round, 1 + 20*rng.Float64()}
		for _, p := range union(t, gravel(rng)) {
			c := newCapsules([]lattice.Polygon{p}, -o.Distance)
			for _, r := range p.Rings[1:] {
				r = slices.Clone(r)
				slices.Reverse(r)
				m, err := o.ring(r, true)
				if err != nil {
					t.Fatal(err)
				}
				if all++; c.bury(r, m) {
					buried++
				}
			}
		}
	}
	if t.Logf("%d of %d holes are buried", buried, all); 3*buried < all {
		t.Errorf("%d of %d holes are buried, want more than a third", buried, all)
	}
	alone := []lattice.Polygon{{Rings: []lattice.Ring{square(-500, -500, 1000), {{X: 0, Y: 0}, {X: 0, Y: 10}, {X: 10, Y: 10}, {X: 10, Y: 0}}}}}
	o := Offset{-100, Round, 10}
	hole := slices.Clone(alone[0].Rings[1])
	slices.Reverse(hole)
	m, err := o.ring(hole, true)
	if err != nil {
		t.Fatal(err)
	}
	if newCapsules(alone, 100).bury(hole, m) {
		t.Error("a hole in the middle of free floor is left out")
	}
}

// TestHolesStay surrounds a wide hole with an island, and a long hole, with small holes over their whole moved border. Without the wide
// hole the island would be lost, and without the long one floor would be left along the middle of its edges.
func TestHolesStay(t *testing.T) {
	const by = 60
	island := polygon(24, 150)
	slices.Reverse(island)
	for _, test := range []struct {
		hole, island lattice.Ring
		want         int
	}{
		{polygon(24, 300), island, 2},
		{lattice.Ring{{X: -400, Y: -3}, {X: -400, Y: 3}, {X: 400, Y: 3}, {X: 400, Y: -3}}, nil, 1},
	} {
		around := slices.Clone(test.hole)
		slices.Reverse(around)
		var rings []lattice.Ring
		for _, far := range []float64{by + 15, by - 20} {
			moved, err := Offset{far, Round, 5}.ring(around, true)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range moved {
				q := moved[(i+1)%len(moved)]
				for k := range int32(20) {
					if far < by && k%5 > 0 {
						continue
					}
					at := lattice.Point{X: p.X + (q.X-p.X)/20*k, Y: p.Y + (q.Y-p.Y)/20*k}
					rings = append(rings, lattice.Ring{at, {X: at.X, Y: at.Y + 9}, {X: at.X + 9, Y: at.Y + 9}, {X: at.X + 9, Y: at.Y}})
				}
			}
		}
		rings = append(rings, square(-1000, -1000, 2000), test.hole)
		if test.island != nil {
			rings = append(rings, test.island)
		}
		left, err := Offset{-by, Round, 5}.Polygons(union(t, rings))
		if err != nil {
			t.Fatal(err)
		}
		if len(left) != test.want {
			t.Errorf("%d polygons are left around a hole of %d corners, want %d", len(left), len(test.hole), test.want)
		}
	}
}

// polygon returns a regular ring with a number of corners at a distance from the origin, clockwise.
func polygon(corners int, far float64) lattice.Ring {
	var r lattice.Ring
	for k := range corners {
		a := -2 * math.Pi * float64(k) / float64(corners)
		r = append(r, lattice.Point{X: int32(far * math.Cos(a)), Y: int32(far * math.Sin(a))})
	}
	return r
}

// TestShortenedOffset compares shrunk polygons with the result of the whole moved border; rounding makes the
// only differences: by nothing but slivers along borders.
func TestShortenedOffset(t *testing.T) {
	race.Skip(t)
	left := 0
	compare := func(rng *rand.Rand, polygons []lattice.Polygon) {
		for _, join := range []Join{Round, Square, Mitre} {
			o := Offset{-(20 + 180*rng.Float64()), join, 1 + 20*rng.Float64()}
			want, err := o.polygons(1, polygons, false)
			if err != nil {
				t.Error(err)
				return
			}
			got, err := o.polygons(1, polygons, true)
			if err != nil {
				t.Error(err)
				return
			}
			a, err := Arrange(rings(want), rings(got))
			if err != nil {
				t.Error(err)
				return
			}
			for _, p := range a.Polygons(func(w Winding) bool { return w[0] > 0 != (w[1] > 0) }) {
				perimeter := 0.0
				for _, r := range p.Rings {
					for i, v := range r {
						perimeter += v.Distance(r[(i+1)%len(r)])
					}
				}
				if float64(p.Area2()) > 2*perimeter {
					t.Errorf("%+v: %v is in one alone", o, p.Rings)
				}
			}
			left += len(want)
		}
	}
	offsetWorlds(t, 200, compare)
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 78))
		compare(rng, union(t, combs(rng)))
		if t.Failed() {
			t.Fatalf("combs with seed %d", seed)
		}
		rng = rand.New(rand.NewPCG(seed, 79))
		compare(rng, union(t, gravel(rng)))
		if t.Failed() {
			t.Fatalf("gravel with seed %d", seed)
		}
	}
	if left < 500 {
		t.Errorf("only %d polygons are left, want more", left)
	}
}

func TestOffsetSquare(t *testing.T) {
	one := []lattice.Polygon{{Rings: []lattice.Ring{square(0, 0, 100)}}}
	for _, test := range []struct {
		name   string
		offset Offset
		want   string
	}{
		{"mitre", Offset{10, Mitre, 0}, "{-10, -10}, {110, -10}, {110, 110}, {-10, 110}, "},
		{"square", Offset{10, Square, 0}, "{-10, -4}, {-4, -10}, {104, -10}, {110, -4}, {110, 104}, {104, 110}, {-4, 110}, {-10, 104}, "},
		{"round, within 5", Offset{10, Round, 5}, "{-10, -10}, {110, -10}, {110, 110}, {-10, 110}, "},
		{"round, within 1", Offset{10, Round, 1}, "{-10, -4}, {-4, -10}, {104, -10}, {110, -4}, {110, 104}, {104, 110}, {-4, 110}, {-10, 104}, "},
		{"smaller", Offset{-10, Round, 1}, "{10, 10}, {90, 10}, {90, 90}, {10, 90}, "},
		{"nothing left", Offset{-50, Round, 1}, ""},
		{"not moved", Offset{0, Round, 1}, "{0, 0}, {100, 0}, {100, 100}, {0, 100}, "},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.offset.Polygons(one)
			if err != nil {
				t.Fatal(err)
			}
			s := ""
			for _, p := range got {
				s += strings.TrimSuffix(raw(p.Rings), "\n")
			}
			if s != test.want {
				t.Errorf("got  %s\nwant %s", s, test.want)
			}
		})
	}
}

func TestOffsetErrors(t *testing.T) {
	one := []lattice.Polygon{{Rings: []lattice.Ring{square(0, 0, 100)}}}
	edge := []lattice.Polygon{{Rings: []lattice.Ring{square(lattice.MaxCoord-100, 0, 100)}}}
	for _, test := range []struct {
		name     string
		offset   Offset
		polygons []lattice.Polygon
		want     string
	}{
		{"NaN", Offset{math.NaN(), Round, 1}, one, "overlay: offset of NaN units"},
		{"too far", Offset{2e9, Round, 1}, one, "overlay: offset of 2e+09 units"},
		{"no tolerance", Offset{1, Round, 0}, one, "tolerance of 0 units"},
		{"NaN tolerance", Offset{1, Round, math.NaN()}, one, "tolerance of NaN units"},
		{"no such join", Offset{1, 7, 1}, one, "join 7"},
		{"out of the frame", Offset{1, Round, 1}, edge, "overlay: offset leaves the frame"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.offset.Polygons(test.polygons)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, %v, want an error with %q", got, err, test.want)
			}
		})
	}
}

func BenchmarkOffset(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	polygons, err := Union(triangles(rng, 10000, 60000, 400))
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, p := range polygons {
		n += p.Len()
	}
	b.Run(fmt.Sprint(n), func(b *testing.B) {
		for b.Loop() {
			if _, err := (Offset{500, Round, 40}).Polygons(polygons); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/vertex")
	})
}

func rings(polygons []lattice.Polygon) []lattice.Ring {
	var rings []lattice.Ring
	for _, p := range polygons {
		rings = append(rings, p.Rings...)
	}
	return rings
}
