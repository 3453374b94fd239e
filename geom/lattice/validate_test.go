package lattice_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
)

type (
	ring    = lattice.Ring
	point   = lattice.Point
	polygon = lattice.Polygon
)

func square(x, y, size int32) ring {
	return ring{{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}}
}

func hole(x, y, size int32) ring {
	r := square(x, y, size)
	slices.Reverse(r)
	return r
}

func TestValidateTable(t *testing.T) {
	const m = lattice.MaxCoord
	for _, c := range []struct {
		name  string
		rings []ring
		want  []string // a part of each fault's message
	}{
		{"a square", []ring{square(0, 0, 100)}, nil},
		{"a triangle", []ring{{{0, 0}, {1, 0}, {0, 1}}}, nil},
		{"the frame", []ring{{{-m, -m}, {m, -m}, {m, m}, {-m, m}}}, nil},
		{"the frame with a hole a unit inside", []ring{
			{{-m, -m}, {m, -m}, {m, m}, {-m, m}},
			{{-m + 1, -m + 1}, {-m + 1, m - 1}, {m - 1, m - 1}, {m - 1, -m + 1}},
		}, nil},
		{"vertices in the middle of runs", []ring{{{0, 0}, {5, 0}, {10, 0}, {10, 10}, {5, 5}, {3, 3}}}, nil},
		{"a slanted needle", []ring{{{0, 0}, {m, m - 1}, {m, m}}}, nil},
		{"holes", []ring{square(0, 0, 100), hole(10, 10, 10), hole(30, 10, 10)}, nil},
		{"hole touching the outer ring in a vertex of both", []ring{
			{{0, 0}, {50, 0}, {100, 0}, {100, 100}, {0, 100}},
			{{50, 0}, {40, 20}, {60, 20}},
		}, nil},
		{"holes touching in a vertex of both", []ring{square(0, 0, 100), hole(10, 10, 10), hole(20, 20, 10)}, nil},
		{"hole whose first point is the one that touches", []ring{
			square(0, 0, 100),
			{{0, 0}, {10, 20}, {20, 10}},
		}, nil},

		{"no rings", nil, []string{"without rings"}},
		{"an empty ring", []ring{{}}, []string{"ring 0 has fewer than 3"}},
		{"two points", []ring{square(0, 0, 9), {{1, 1}, {2, 2}}}, []string{"ring 1 has fewer than 3"}},
		{"out of range", []ring{{{0, 0}, {m + 1, 0}, {0, 5}}}, []string{"ring 0, point 1 is out of range: 1073741824, 0"}},
		{"repeated point", []ring{{{0, 0}, {9, 0}, {9, 0}, {0, 9}}}, []string{"ring 0 visits (0.002, 0.000) twice, as points 1 and 2"}},
		{"first point repeated at the end", []ring{{{0, 0}, {9, 0}, {0, 9}, {0, 0}}}, []string{"twice, as points 0 and 3"}},
		{"pinched in a vertex", []ring{{{0, 0}, {9, 0}, {5, 5}, {9, 9}, {0, 9}, {5, 5}}}, []string{"twice, as points 2 and 5"}},
		{"all points the same", []ring{{{4, 4}, {4, 4}, {4, 4}}}, []string{"points 0 and 1", "points 1 and 2"}},
		{"spike", []ring{{{0, 0}, {9, 0}, {20, 0}, {15, 0}, {9, 9}}}, []string{
			"turns back on itself in point 2 at (0.005, 0.000)", "ring 0, edge 3 touches ring 0, edge 1 at (0.004, 0.000)",
		}},
		{"spike with a repeated point", []ring{{{0, 0}, {9, 0}, {20, 0}, {9, 0}, {9, 9}}}, []string{"visits", "point 2"}},
		{"collinear", []ring{{{0, 0}, {5, 5}, {9, 9}}}, []string{"turns back on itself in point 0", "turns back on itself in point 2"}},
		{"bow tie", []ring{{{0, 0}, {4096, 4096}, {4096, 0}, {0, 4096}}}, []string{"ring 0, edge 0 crosses ring 0, edge 2 at (0.500, 0.500)"}},
		{"vertex on an edge of its own ring", []ring{{{0, 0}, {20, 0}, {20, 20}, {10, 0}, {0, 20}}}, []string{"ring 0, edge 3 touches ring 0, edge 0 at (0.002, 0.000)"}},
		{"edges of one ring overlap", []ring{{{0, 0}, {20, 0}, {20, 9}, {15, 0}, {5, 0}, {0, 9}}}, []string{
			"edge 0 runs along ring 0, edge 3", "edge 4 touches ring 0, edge 0",
		}},
		{"rings cross", []ring{square(0, 0, 4096), {{2048, 2048}, {2048, 3000}, {8192, 3000}, {8192, 2048}}}, []string{
			"ring 0, edge 1 crosses ring 1, edge 1 at (1.000, 0.732)", "ring 0, edge 1 crosses ring 1, edge 3 at (1.000, 0.500)",
		}},
		{"rings cross in vertices of both", []ring{
			{{0, 0}, {10, 0}, {10, 5}, {10, 10}, {0, 10}, {0, 5}},
			{{10, 5}, {15, 3}, {5, 3}, {5, 7}, {15, 7}},
		}, []string{"ring 0, edge 1 crosses ring 1, edge 1", "ring 0, edge 2 crosses ring 1, edge 3"}},
		{"rings cross in one vertex of both and nowhere else nearby", []ring{
			{{0, 0}, {10, 0}, {10, 5}, {10, 10}, {0, 10}},
			{{5, 3}, {5, 6}, {10, 5}, {15, 5}, {12, 2}},
		}, []string{"ring 0, edge 1 crosses ring 1, edge 4", "ring 0, edge 2 crosses ring 1, edge 2 at (0.002, 0.001)"}},
		{"hole touching the outer ring with a vertex inside of its edge", []ring{square(0, 0, 100), {{50, 0}, {40, 20}, {60, 20}}}, []string{
			"ring 1, edge 0 touches ring 0, edge 0 at (0.012, 0.000)",
		}},
		{"hole along the outer ring", []ring{square(0, 0, 100), hole(0, 10, 10)}, []string{
			"ring 0, edge 3 runs along ring 1, edge 3", "ring 1, edge 0 touches ring 0, edge 3",
		}},
		{"the same ring twice", []ring{square(0, 0, 100), hole(0, 0, 100)}, []string{"runs along", "runs along", "runs along", "runs along"}},
		{"clockwise outer ring", []ring{hole(0, 0, 10)}, []string{"ring 0, the outer ring, is clockwise"}},
		{"counter-clockwise hole", []ring{square(0, 0, 10), square(2, 2, 3)}, []string{"ring 1, a hole, is counter-clockwise"}},
		{"hole beside the outer ring", []ring{square(0, 0, 10), hole(20, 2, 3)}, []string{"ring 1, a hole, is outside"}},
		{"hole around the outer ring", []ring{square(0, 0, 10), hole(-5, -5, 30)}, []string{"ring 1, a hole, is outside"}},
		{"hole outside, touching in a vertex", []ring{square(0, 0, 10), hole(10, 10, 5)}, []string{"ring 1, a hole, is outside"}},
		{"hole in a bay of the outer ring", []ring{
			{{0, 0}, {30, 0}, {30, 30}, {20, 30}, {20, 10}, {10, 10}, {10, 30}, {0, 30}},
			hole(13, 15, 3),
		}, []string{"ring 1, a hole, is outside of the outer ring at"}},
		{"nested holes", []ring{square(0, 0, 100), hole(10, 10, 50), hole(20, 20, 5)}, []string{"ring 2, a hole, is inside of ring 1"}},
		{"nested holes, the inner one first", []ring{square(0, 0, 100), hole(20, 20, 5), hole(10, 10, 50)}, []string{"ring 1, a hole, is inside of ring 2"}},
		{"nested holes that touch in a vertex", []ring{square(0, 0, 100), hole(10, 10, 50), {{10, 10}, {20, 30}, {30, 20}}}, []string{"ring 2, a hole, is inside of ring 1"}},
		{"hole touching the outer ring twice", []ring{
			{{0, 0}, {100, 0}, {100, 50}, {100, 100}, {0, 100}, {0, 50}},
			{{0, 50}, {50, 60}, {100, 50}, {50, 40}},
		}, []string{"cuts the polygon in two"}},
		{"three holes in a circle", []ring{
			square(0, 0, 100),
			{{20, 20}, {40, 60}, {30, 20}},
			{{40, 60}, {80, 70}, {80, 65}},
			{{30, 20}, {80, 65}, {70, 10}},
		}, []string{"cuts the polygon in two"}},
		{"three holes in one vertex", []ring{
			square(0, 0, 100),
			{{50, 50}, {60, 60}, {60, 50}},
			{{50, 50}, {40, 50}, {40, 60}},
			{{50, 50}, {50, 40}, {45, 40}},
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := polygon{Rings: c.rings}
			err := p.Validate()
			if len(c.want) == 0 {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil {
				t.Fatalf("valid, want %v", c.want)
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("%d faults, want %d:\n%v", len(lines), len(c.want), err)
			}
			for i, line := range lines {
				if !strings.HasPrefix(line, "lattice: ") || !strings.Contains(line, c.want[i]) {
					t.Errorf("fault %d: %s\nwant %s", i, line, c.want[i])
				}
			}
		})
	}
}

func TestValidateReturnsTypedFaults(t *testing.T) {
	p := polygon{Rings: []ring{{{0, 0}, {4096, 4096}, {4096, 0}, {0, 4096}}}}
	var f lattice.Fault
	if err := p.Validate(); !errors.As(err, &f) {
		t.Fatalf("%T holds no Fault", err)
	}
	if want := (lattice.Fault{Kind: lattice.Crossing, OtherEdge: 2, At: point{X: 2048, Y: 2048}}); f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
}

// Spokes through a common middle, closed to a ring: one crossing per pair.
func TestFaultsStopsAtItsLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var tangle ring
	for range 2000 {
		tangle = append(tangle, point{X: r.Int32N(1 << 20), Y: r.Int32N(1 << 20)})
	}
	p := polygon{Rings: []ring{tangle}}
	for _, limit := range []int{1, 10, 500} {
		faults := p.Faults(limit)
		if len(faults) != limit {
			t.Errorf("%d faults, limit %d", len(faults), limit)
		}
		for i := 1; i < len(faults); i++ {
			if faults[i] == faults[i-1] {
				t.Errorf("fault %d twice: %v", i, faults[i])
			}
		}
	}
	if lines := strings.Count(p.Validate().Error(), "\n") + 1; lines != 100 {
		t.Errorf("Validate lists %d faults, want 100", lines)
	}
}

// bruteContacts counts the faulty contacts of all pairs of edges of all rings.
func bruteContacts(p polygon) (crossing, overlapping, touching int) {
	type edge struct{ ring, k int }
	var edges []edge
	for i, r := range p.Rings {
		for k := range r {
			edges = append(edges, edge{i, k})
		}
	}
	for i, e := range edges {
		for _, f := range edges[:i] {
			n := len(p.Rings[e.ring])
			if e.ring == f.ring && ((e.k+1)%n == f.k || (f.k+1)%n == e.k) {
				continue
			}
			r, s := p.Rings[e.ring], p.Rings[f.ring]
			switch lattice.SegmentContact(r[e.k], r[(e.k+1)%len(r)], s[f.k], s[(f.k+1)%len(s)]) {
			case lattice.ProperCrossing:
				crossing++
			case lattice.Overlap:
				overlapping++
			case lattice.EndOnInterior:
				touching++
			}
		}
	}
	return crossing, overlapping, touching
}

// Damaged polygons: one vertex moved anywhere. Faults must find exactly the existing faults.
func TestFaultsOfDamagedPolygons(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	damaged := 0
	for seed := range uint64(400) {
		p := corpus.Polygon(seed, 60, int(seed%4))
		i := r.IntN(len(p.Rings))
		k := r.IntN(len(p.Rings[i]))
		j := r.IntN(len(p.Rings))
		switch target := p.Rings[j][r.IntN(len(p.Rings[j]))]; r.IntN(3) {
		case 0: // onto another vertex
			p.Rings[i][k] = target
		case 1: // near another vertex
			p.Rings[i][k] = point{X: target.X + r.Int32N(5) - 2, Y: target.Y + r.Int32N(5) - 2}
		case 2: // into an edge, where it has a lattice point
			next := p.Rings[j][0]
			p.Rings[i][k] = point{X: (target.X + next.X) / 2, Y: (target.Y + next.Y) / 2}
		}
		crossing, overlapping, touching := bruteContacts(p)
		faults := p.Faults(1 << 20)
		count := map[lattice.FaultKind]int{}
		for _, f := range faults {
			if f.Kind == lattice.Crossing && lattice.SegmentContact(edge(p, f.Ring, f.Edge), edge(p, f.Ring, f.Edge+1),
				edge(p, f.OtherRing, f.OtherEdge), edge(p, f.OtherRing, f.OtherEdge+1)) == lattice.SharedEnd {
				continue // rings that cross in a vertex
			}
			count[f.Kind]++
		}
		if count[lattice.Crossing] != crossing || count[lattice.Overlapping] != overlapping {
			t.Fatalf("seed %d: %d crossings and %d overlaps found, %d and %d are there", seed,
				count[lattice.Crossing], count[lattice.Overlapping], crossing, overlapping)
		}
		// A touching vertex touches with both its edges, and is named once.
		if n := count[lattice.Touching]; n > touching || 2*n < touching && overlapping == 0 && count[lattice.Spike] == 0 {
			t.Fatalf("seed %d: %d touches found, %d are there", seed, n, touching)
		}
		if len(faults) > 0 {
			damaged++
		}
	}
	if damaged < 100 {
		t.Errorf("only %d polygons are damaged", damaged)
	}
}

func edge(p polygon, i, k int) point { return p.Rings[i][k%len(p.Rings[i])] }

// The order of the points and of the holes does not affect validity.
func TestValidateDoesNotDependOnTheBeginning(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for seed := range uint64(60) {
		p := corpus.Polygon(seed, 100, 5)
		for i, q := range p.Rings {
			k := r.IntN(len(q))
			p.Rings[i] = append(append(ring{}, q[k:]...), q[:k]...)
		}
		r.Shuffle(5, func(i, j int) { p.Rings[i+1], p.Rings[j+1] = p.Rings[j+1], p.Rings[i+1] })
		if err := p.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		// A hole as outer ring, and the outer ring as a hole in it.
		p.Rings[0], p.Rings[1] = p.Rings[1], p.Rings[0]
		slices.Reverse(p.Rings[0])
		slices.Reverse(p.Rings[1])
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "is outside") {
			t.Fatalf("seed %d: turned inside out: %v", seed, err)
		}
	}
}

func TestFaultKindString(t *testing.T) {
	seen := map[string]bool{}
	for k := range lattice.Disconnected + 2 {
		seen[k.String()] = true
	}
	if len(seen) != int(lattice.Disconnected)+2 {
		t.Errorf("names are not different: %v", seen)
	}
	if got := (lattice.Fault{Kind: lattice.Disconnected + 1}).Error(); !strings.Contains(got, "unknown") {
		t.Error(got)
	}
}

// FuzzValidate builds polygons from bytes: nothing may panic, and a valid polygon must hold up against all
// pairs.
func FuzzValidate(f *testing.F) {
	f.Add([]byte{0, 0, 9, 0, 9, 9, 0, 9}, uint8(0))
	f.Add([]byte{0, 0, 90, 0, 90, 90, 0, 90, 10, 10, 10, 20, 20, 10}, uint8(4))
	f.Add([]byte{0, 0, 9, 9, 9, 0, 0, 9}, uint8(9))
	f.Add([]byte{5, 5, 5, 5, 5, 5}, uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, split uint8) {
		var points ring
		for i := 0; i+1 < len(data) && i < 80; i += 2 {
			points = append(points, point{X: int32(int8(data[i])), Y: int32(int8(data[i+1]))})
		}
		p := polygon{Rings: []ring{points}}
		if k := int(split); k < len(points) {
			p.Rings = []ring{points[:k], points[k:]}
		}
		if p.Validate() != nil {
			return
		}
		if c, o, d := bruteContacts(p); c+o+d > 0 {
			t.Fatalf("valid with %d crossings, %d overlaps and %d touches: %v", c, o, d, p)
		}
		if p.Area2() <= 0 {
			t.Fatalf("valid with twice the area %d", p.Area2())
		}
		for _, h := range p.Rings[1:] {
			for _, q := range h {
				if p.Rings[0].Locate(q) == lattice.Outside {
					t.Fatalf("%v of a hole is outside", q)
				}
			}
		}
		for _, q := range p.Rings[0] {
			if fmt.Sprint(p.Locate(q)) != "on the boundary" {
				t.Fatalf("%v is %v", q, p.Locate(q))
			}
		}
	})
}
