//go:build peers

package main

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

var agent = geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45)}

func TestSegmentDistance(t *testing.T) {
	s := segment{point{1, 1}, point{5, 1}}
	tests := []struct {
		name    string
		s       segment
		p       point
		want    float64
		between bool
	}{
		{"above the middle", s, point{3, 4}, 3, true},
		{"below the middle", s, point{3, -1}, 2, true},
		{"on it", s, point{2, 1}, 0, true},
		{"before the start", s, point{-2, 5}, 5, false},
		{"behind the end", s, point{8, -3}, 5, false},
		{"above the end", s, point{5, 2}, 1, false},
		{"no length", segment{point{1, 1}, point{1, 1}}, point{4, 5}, 5, false},
	}
	for _, tt := range tests {
		d, between := tt.s.distance(tt.p)
		if math.Abs(d-tt.want) > 1e-12 || between != tt.between {
			t.Errorf("%s: got %v, between %v, want %v, %v", tt.name, d, between, tt.want, tt.between)
		}
	}
}

func TestNearestTellsCornersFromWalls(t *testing.T) {
	// Two collinear segments overlap and a third meets them at a right angle.
	ring := []segment{{point{0, 0}, point{3, 0}}, {point{2, 0}, point{5, 0}}, {point{5, 0}, point{5, 4}}}
	tests := []struct {
		p        point
		d        float64
		straight bool
	}{
		{point{2, -1}, 1, true},  // at the end of one, between the ends of the other
		{point{3, -1}, 1, true},  // likewise
		{point{8, -4}, 5, false}, // the corner
		{point{6, 1}, 1, true},
		{point{4, 1}, 1, true}, // both are as near
		{point{-3, 4}, 5, false},
	}
	for _, tt := range tests {
		if d, straight := nearest(tt.p, ring); math.Abs(d-tt.d) > 1e-12 || straight != tt.straight {
			t.Errorf("%v: got %v, straight %v, want %v, %v", tt.p, d, straight, tt.d, tt.straight)
		}
	}
}

func TestWallsAreWhatStandsInTheWay(t *testing.T) {
	square := []point{{0, 0}, {2, 0}, {2, 2}, {0, 2}}
	tests := []struct {
		name      string
		low, high float64
		probe     point
		want      float64 // distance, infinite where nothing stands in the way
	}{
		{"a wall", 0, 3, point{4, 1}, 2},
		{"a step", 0, 0.9, point{4, 1}, math.Inf(1)},
		{"overhead", 2, 3, point{4, 1}, math.Inf(1)},
		{"just into the head", 1.9, 3, point{4, 1}, 2},
		{"just above a step", -1, 1, point{5, 6}, 5},
	}
	for _, tt := range tests {
		b := solids{&level.Level{}}
		b.prism(square, tt.low, tt.high)
		if got, _ := nearest(tt.probe, walls(b.Level, 0.9, 2)); math.Abs(got-tt.want) > 1e-12 && got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}

	// A roof from height 0 at x = 0 to 4 at x = 4: only x from 0.9 to 2 is in the way.
	roof := &level.Level{
		Vertices:  []geom.Vec{geom.FromGround(0, 0, 0), geom.FromGround(4, 0, 4), geom.FromGround(4, 8, 4), geom.FromGround(0, 8, 0)},
		Triangles: []level.Triangle{{A: 0, B: 1, C: 2}, {A: 0, B: 2, C: 3}},
	}
	for x, want := range map[float64]float64{0: 0.9, 0.4: 0.5, 2.5: 0.5, 5: 3} {
		if got, _ := nearest(point{x, 4}, walls(roof, 0.9, 2)); math.Abs(got-want) > 1e-12 {
			t.Errorf("roof at x = %v: got %v, want %v", x, got, want)
		}
	}
}

func TestJudgeMeasuresWhatWasMoved(t *testing.T) {
	square := outline([]point{{4, 4}, {6, 4}, {6, 6}, {4, 6}})
	edge := outline([]point{{0, 0}, {10, 0}, {10, 10}, {0, 10}})
	const r = 0.5
	for _, off := range []float64{-0.1, 0, 0.2} {
		along := segment{point{4.2, 4 - r - off}, point{5.8, 4 - r - off}} // south of the square
		rim := segment{point{2, r + off}, point{8, r + off}}
		var arc []segment
		for i := range 90 {
			at := func(k int) point {
				sin, cos := math.Sincos(float64(k) * math.Pi / 180)
				return point{6 + (r+off)*cos, 6 + (r+off)*sin}
			}
			arc = append(arc, segment{at(i), at(i + 1)})
		}
		got := judge(append(arc, along, rim), square, edge, r)
		for _, c := range []struct {
			name   string
			d      Deviation
			length float64
			slack  float64 // chords of one degree
		}{
			{"straight", got.Straight, 1.6, 1e-9},
			{"corners", got.Corners, math.Pi / 2 * (r + off), 1e-4},
			{"edge", got.Edge, 6, 1e-9},
		} {
			if math.Abs(c.d.Length-c.length) > 0.02 {
				t.Errorf("off by %v: %s: length %v, want %v", off, c.name, c.d.Length, c.length)
			}
			want := Deviation{c.d.Length, math.Abs(off), max(0, -off), max(0, off)}
			if math.Abs(c.d.Mean-want.Mean) > c.slack || math.Abs(c.d.Near-want.Near) > c.slack || math.Abs(c.d.Far-want.Far) > c.slack {
				t.Errorf("off by %v: %s: got %+v, want %+v", off, c.name, c.d, want)
			}
		}
	}
}

// TestChordsBelongToTheirCorner judges the chord around a corner where it meets the border along another wall: there
// the nearest obstacle is the wall.
func TestChordsBelongToTheirCorner(t *testing.T) {
	const r = 0.6
	// A wall along the ground's x axis, and a wall from it with an end at (2, 0.3).
	walls := []segment{{point{0, 0}, point{9, 0}}, {point{2, 0}, point{2, 0.3}}}
	edge := outline([]point{{-9, -9}, {19, -9}, {19, 19}, {-9, 19}})
	// A tangent of the circle around the end, 1 cm farther than it, down to the border along the wall.
	sin, cos := math.Sincos(math.Pi / 4)
	at := func(along float64) point { return point{2 + (r+0.01)*cos + along*sin, 0.3 + (r+0.01)*sin - along*cos} }
	foot := (0.3 + (r+0.01)*sin - r) / cos
	got := judge([]segment{{at(0), at(foot)}, {at(foot), point{5, r}}}, walls, edge, r)
	if got.Straight.Far > 1e-9 || got.Straight.Length < 1 || got.Corners.Far < 0.02 || got.Corners.Far > 0.05 {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		p    point
		want bool
	}{
		{point{2, 0.9}, true},
		{point{2.3, 0.8}, true},
		{point{2.62, 0.2}, false}, // beside the short wall
		{point{1, 0.6}, false},
		{point{2.6, 0.31}, true},
		{point{2, 0.97}, false}, // too far
	} {
		if got := rounded(c.p, corners(walls), r+roundness); got != c.want {
			t.Errorf("%v: %v", c.p, got)
		}
	}
}

// TestPrismsAreaBySampling counts the places of a grid where the agent has room.
func TestPrismsAreaBySampling(t *testing.T) {
	w := prisms(agent)
	if err := w.level.Validate(); err != nil {
		t.Fatal(err)
	}
	stand := walls(w.level, agent.MaxClimb, agent.Height)
	const step = 0.2
	free := 0
	for y := step / 2; y < 40; y += step {
		for x := step / 2; x < 40; x += step {
			p := point{x, y}
			if d, _ := nearest(p, stand); d < agent.Radius || inside(p, w.level, agent.MaxClimb) {
				continue
			}
			if d, _ := nearest(p, w.edge); d >= agent.Radius {
				free++
			}
		}
	}
	// The border is 570 m long; samples beside it are as often in as out.
	if got := float64(free) * step * step; math.Abs(got-w.area) > 2 {
		t.Errorf("sampled area %.2f, known area %.2f", got, w.area)
	}
}

// inside reports whether p is under a horizontal triangle above the height h.
func inside(p point, lvl *level.Level, h float64) bool {
	for _, t := range lvl.Triangles {
		var v [3]point
		for k, i := range [3]uint32{t.A, t.B, t.C} {
			if lvl.Vertices[i].Y <= h {
				v[k].x = math.NaN()
				continue
			}
			v[k].x, v[k].y = geom.Ground(lvl.Vertices[i])
		}
		left := func(a, b point) bool { return (b.x-a.x)*(p.y-a.y)-(b.y-a.y)*(p.x-a.x) > 0 }
		if left(v[0], v[1]) && left(v[1], v[2]) && left(v[2], v[0]) {
			return true
		}
	}
	return false
}

func TestTurningKeepsDistances(t *testing.T) {
	straight, err := emptyRooms(agent)
	if err != nil {
		t.Fatal(err)
	}
	turned := straight.turned("", 0.3)
	sin, cos := math.Sincos(0.3)
	a, b := walls(straight.level, agent.MaxClimb, agent.Height), walls(turned.level, agent.MaxClimb, agent.Height)
	for i := range 50 {
		p := point{float64(i%10) * 2.7, float64(i/10) * 4.9}
		q := point{cos*p.x - sin*p.y, sin*p.x + cos*p.y}
		d, _ := nearest(p, a)
		e, _ := nearest(q, b)
		f, _ := nearest(p, straight.edge)
		g, _ := nearest(q, turned.edge)
		if math.Abs(d-e) > 1e-9 || math.Abs(f-g) > 1e-9 {
			t.Errorf("at %v: walls %v and %v, edge %v and %v", p, d, e, f, g)
		}
	}
}

// TestBorderEnclosesTheMesh checks that borders are closed and enclose the area of the regions: so no edge is
// missing or repeated, and all run counter-clockwise.
func TestBorderEnclosesTheMesh(t *testing.T) {
	made, err := worlds(agent)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range made {
		m, err := meadow.Build(t.Context(), w.level, agent)
		if err != nil {
			t.Fatal(err)
		}
		border := meshBorder(m.Mesh)
		if got := enclosed(t, w.name, border); math.Abs(got-m.Area()) > 1e-6 {
			t.Errorf("%s: the border encloses %v m², the regions have %v", w.name, got, m.Area())
		}
		c, err := count(m.Mesh)
		if err != nil {
			t.Fatal(err)
		}
		if c.Components != 1 || c.Largest != c.All || c.All.Polys != m.RegionCount() || math.Abs(c.All.Area-m.Area()) > 1e-6 {
			t.Errorf("%s: counted %+v of %d regions with %v m²", w.name, c, m.RegionCount(), m.Area())
		}
		var length float64
		for _, s := range border {
			length += s.length()
		}
		if math.Abs(c.All.Border-length) > 1e-6 || c.BytesFlat >= c.Bytes {
			t.Errorf("%s: border %v m, counted %v; %d bytes, %d without heights", w.name, length, c.All.Border, c.Bytes, c.BytesFlat)
		}
	}
}

// enclosed returns the area inside of closed lines, and fails where they are not closed.
func enclosed(t *testing.T, name string, border []segment) float64 {
	t.Helper()
	balance := map[point]int{}
	var area float64
	for _, s := range border {
		balance[s.a]++
		balance[s.b]--
		area += (s.a.x*s.b.y - s.a.y*s.b.x) / 2
	}
	for p, n := range balance {
		if n != 0 {
			t.Errorf("%s: the border is open at %v", name, p)
		}
	}
	return area
}
