package levelgen

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// samples is the floor of a level by sampling: squares of a plan with the heights in each where an agent of
// height 1.8 that climbs 0.4 can stand. Neighbours within a step are linked. It uses triangles only, neither
// shapes nor the rules of the generator.
type samples struct {
	pitch  float64
	nx, ny int
	first  []int32   // of each square, in nodes
	height []float64 // by node
	square []int32   // by node
	link   [][4]int32
}

var sides = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// crossing is where the vertical through the middle of a square meets a face.
type crossing struct {
	h     float64
	floor bool
}

func newSamples(lvl *level.Level, pitch float64) *samples {
	box := lvl.Bounds()
	index := func(v float64) int { return int(math.Floor(v / pitch)) }
	x0, y0 := index(box.Min.X)-1, index(-box.Max.Z)-1
	s := &samples{pitch: pitch, nx: index(box.Max.X) + 2 - x0, ny: index(-box.Min.Z) + 2 - y0}
	columns := make([][]crossing, s.nx*s.ny)
	for _, tri := range lvl.Triangles {
		a, b, c := lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C]
		n := b.Sub(a).Cross(c.Sub(a))
		if n.Y == 0 {
			continue
		}
		box := geom.EmptyBox().Extend(a).Extend(b).Extend(c)
		for j := index(-box.Max.Z); j <= index(-box.Min.Z); j++ {
			for i := index(box.Min.X); i <= index(box.Max.X); i++ {
				// A little aside of the middle, so that no vertical meets a common edge of two faces.
				at := geom.FromGround((float64(i)+0.5003)*pitch, (float64(j)+0.4998)*pitch, 0)
				if h, over := heightOver(at, a, b, c); over {
					k := (j-y0)*s.nx + i - x0
					columns[k] = append(columns[k], crossing{h, n.Y > 0.70710*n.Norm()})
				}
			}
		}
	}
	s.first = make([]int32, len(columns)+1)
	for k, column := range columns {
		s.first[k] = int32(len(s.height))
		slices.SortFunc(column, func(p, q crossing) int {
			switch {
			case p.h < q.h:
				return -1
			case p.h > q.h:
				return 1
			}
			return 0
		})
		for i, p := range column {
			if !p.floor || i+1 < len(column) && column[i+1].floor && column[i+1].h-p.h < 1e-9 {
				continue
			}
			if !slices.ContainsFunc(column, func(q crossing) bool { return q.h > p.h+1e-6 && q.h < p.h+1.8 }) {
				s.height = append(s.height, p.h)
				s.square = append(s.square, int32(k))
			}
		}
	}
	s.first[len(columns)] = int32(len(s.height))
	s.link = make([][4]int32, len(s.height))
	for v := range s.height {
		for d := range sides {
			s.link[v][d] = s.beside(v, d)
		}
	}
	return s
}

// beside returns the node beside v within a step, or -1.
func (s *samples) beside(v, d int) int32 {
	k := int(s.square[v]) + sides[d][0] + s.nx*sides[d][1]
	for w := s.first[k]; w < s.first[k+1]; w++ {
		if math.Abs(s.height[w]-s.height[v]) <= 0.4 {
			return w
		}
	}
	return -1
}

// stand tells for every node whether the border of its floor is at least r away: from every side of a square
// without a neighbour it spreads over the floor as far as r.
func (s *samples) stand(r float64) []bool {
	free := make([]bool, len(s.height))
	for v := range free {
		free[v] = true
	}
	seen := make([]int32, len(s.height))
	stamp := int32(0)
	for v := range s.height {
		for d, w := range s.link[v] {
			if w >= 0 {
				continue
			}
			stamp++
			stack := []int32{int32(v)}
			seen[v] = stamp
			cx, cy := float64(int(s.square[v])%s.nx)+0.5*float64(sides[d][0]), float64(int(s.square[v])/s.nx)+0.5*float64(sides[d][1])
			for len(stack) > 0 {
				u := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				dx, dy := math.Abs(float64(int(s.square[u])%s.nx)-cx), math.Abs(float64(int(s.square[u])/s.nx)-cy)
				if d%2 == 0 {
					dy = max(dy-0.5, 0)
				} else {
					dx = max(dx-0.5, 0)
				}
				if math.Hypot(dx, dy)*s.pitch >= r {
					continue
				}
				free[u] = false
				for _, w := range s.link[u] {
					if w >= 0 && seen[w] != stamp {
						seen[w] = stamp
						stack = append(stack, w)
					}
				}
			}
		}
	}
	return free
}

// parts counts the components of nodes, and their area by storey.
func (s *samples) parts(free []bool, heights []float64) (components int, areas []float64) {
	areas = make([]float64, len(heights))
	seen := make([]bool, len(free))
	for v := range free {
		if !free[v] {
			continue
		}
		for k := len(heights) - 1; k >= 0; k-- {
			if s.height[v] >= heights[k]-1e-6 || k == 0 {
				areas[k] += s.pitch * s.pitch
				break
			}
		}
		if seen[v] {
			continue
		}
		components++
		stack := []int32{int32(v)}
		seen[v] = true
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, w := range s.link[u] {
				if w >= 0 && free[w] && !seen[w] {
					seen[w] = true
					stack = append(stack, w)
				}
			}
		}
	}
	return components, areas
}

// truthOf returns the floor that is written down for a level.
func truthOf(t *testing.T, kind string, opt Options, r, gap float64) Floor {
	t.Helper()
	truths := Truths()
	i := slices.IndexFunc(truths, func(x Truth) bool { return x.Kind == kind && x.Options == opt && x.Floor != nil })
	f, known := truths[i].Floor(r, gap)
	if !known {
		t.Fatalf("%s, radius %g, gap %g: nothing is known", kind, r, gap)
	}
	return f
}

// Components and areas per storey agree with those of sampled floors. Borders of towers lie between squares, and
// radii are multiples of the pitch, so only round corners cause differences.
func TestFloorsAgreeWithSamples(t *testing.T) {
	for _, c := range []struct {
		kind   string
		opt    Options
		pitch  float64
		radius float64
		off    float64 // m²
	}{
		{"tower", Options{}, 1.0 / 16, 0.375, 0.08},
		{"tower", Options{Storeys: 2}, 1.0 / 16, 0.625, 0.12},
		{"highrise", Options{}, 1.0 / 16, 0, 1e-6},
		{"catwalks", Options{}, 1.0 / 16, 0, 0.2},
		{"pillars", Options{}, 1.0 / 16, 0, 1.7},
		{"rough", Options{Steepness: 40}, 0.25, 0.5, 1e-6},
	} {
		t.Run(fmt.Sprint(c.kind, c.opt.Storeys), func(t *testing.T) {
			lvl, err := Generate(c.kind, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			f := truthOf(t, c.kind, c.opt, c.radius, 0)
			heights := make([]float64, len(f.Storeys))
			for k, storey := range f.Storeys {
				heights[k] = storey.Height
			}
			s := newSamples(lvl, c.pitch)
			components, areas := s.parts(s.stand(c.radius), heights)
			if components != f.Components {
				t.Errorf("%d components written down, %d sampled", f.Components, components)
			}
			for k, storey := range f.Storeys {
				if !(math.Abs(areas[k]-storey.Area) <= c.off) {
					t.Errorf("storey at %g m: %.3f m² written down, %.3f m² sampled", storey.Height, storey.Area, areas[k])
				}
			}
		})
	}
}

// tops returns the corners of the highest horizontal face of every object with a name, in the plan.
func tops(lvl *level.Level, name string) [][]pt {
	var out [][]pt
	for _, o := range lvl.Objects {
		if o.Name != name {
			continue
		}
		high := math.Inf(-1)
		for _, tri := range lvl.Triangles[o.First : o.First+o.Count] {
			high = max(high, lvl.Vertices[tri.A].Y)
		}
		var ring []pt
		for _, tri := range lvl.Triangles[o.First : o.First+o.Count] {
			for _, v := range []uint32{tri.A, tri.B, tri.C} {
				if x, y := geom.Ground(lvl.Vertices[v]); lvl.Vertices[v].Y == high && !slices.Contains(ring, pt{x, y}) {
					ring = append(ring, pt{x, y})
				}
			}
		}
		out = append(out, hull(ring, 0, nil))
	}
	return out
}

// inside reports whether p is in a convex counter-clockwise ring.
func inside(ring []pt, p pt) bool {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		if (b.x-a.x)*(p.y-a.y)-(b.y-a.y)*(p.x-a.x) < 0 {
			return false
		}
	}
	return true
}

// The area of two crossing catwalks is the area of the places with a whole circle on either: their union has
// no holes.
func TestCatwalksByCircles(t *testing.T) {
	lvl, err := Generate("catwalks", Options{})
	if err != nil {
		t.Fatal(err)
	}
	const r, pitch = 0.375, 1.0 / 16
	f := truthOf(t, "catwalks", Options{}, r, 0)
	if wide := truthOf(t, "catwalks", Options{}, r, 0.45); !(wide.Storeys[1].Area > f.Storeys[1].Area+0.02) || wide.Storeys[2].Area != f.Storeys[2].Area {
		t.Errorf("gaps of 45 cm: %v, without: %v", wide.Storeys, f.Storeys)
	}
	long, short := tops(lvl, "long catwalk"), tops(lvl, "short catwalk")
	for k := range long {
		on := func(p pt) bool { return inside(long[k], p) || inside(short[k], p) }
		places := 0
		for i := -260; i < 260; i++ {
			for j := -260; j < 260; j++ {
				p := pt{(float64(i) + 0.37) * pitch, (float64(j) + 0.61) * pitch}
				if on(p) && !slices.ContainsFunc(circle(p, r, 48), func(q pt) bool { return !on(q) }) {
					places++
				}
			}
		}
		if got, want := float64(places)*pitch*pitch, f.Storeys[k+1].Area; !(math.Abs(got-want) < 0.25) {
			t.Errorf("pair %d: %.3f m² written down, %.3f m² sampled", k, want, got)
		}
	}
}

// The hall of pillars is its square less the hulls of discs around the corners of every pillar, and the tops are
// those of the triangles.
func TestPillarsByHulls(t *testing.T) {
	lvl, err := Generate("pillars", Options{})
	if err != nil {
		t.Fatal(err)
	}
	double := func(ring []pt) (sum float64) {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			sum += a.x*b.y - a.y*b.x
		}
		return sum
	}
	for _, r := range []float64{0, 0.9} {
		hall, top := (24-2*r)*(24-2*r), 0.0
		for _, ring := range tops(lvl, "pillar") {
			top += double(ring) / 2
			hall -= double(hull(nil, r, ring)) / 2
		}
		f := truthOf(t, "pillars", Options{}, r, 0)
		if !(math.Abs(hall-f.Storeys[0].Area) < 0.05) {
			t.Errorf("radius %g: hall of %.4f m² written down, %.4f m² by hulls", r, f.Storeys[0].Area, hall)
		}
		if r == 0 && !(math.Abs(top-f.Storeys[1].Area) < 0.01) {
			t.Errorf("tops of %.4f m² written down, %.4f m² by triangles", f.Storeys[1].Area, top)
		}
	}
}

// side lists the upward faces of one side of a station.
type side [][3]pt

func (s side) covers(p pt) bool {
	return slices.ContainsFunc(s, func(f [3]pt) bool { return inside(f[:], p) })
}

func (s side) corners() (out []pt) {
	for _, f := range s {
		out = append(out, f[:]...)
	}
	return out
}

// apart returns how far two sides are apart.
func (s side) apart(o side) float64 {
	least := math.Inf(1)
	for _, pair := range [2][2]side{{s, o}, {o, s}} {
		for _, c := range pair[0].corners() {
			for _, f := range pair[1] {
				for k, a := range f {
					b := f[(k+1)%3]
					dx, dy := b.x-a.x, b.y-a.y
					t := min(max(((c.x-a.x)*dx+(c.y-a.y)*dy)/(dx*dx+dy*dy), 0), 1)
					least = min(least, math.Hypot(a.x+t*dx-c.x, a.y+t*dy-c.y))
				}
			}
		}
	}
	return least
}

// The sides of the stations of slots are as far apart as is said. Areas moved in by a radius are counted in squares: a circle
// lies on one side, or on the hull of both where the gap is stepped over.
func TestSlotsBySides(t *testing.T) {
	lvl, err := Generate("slots", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var sides []side
	for _, o := range lvl.Objects {
		if o.Name == "post" || o.Name == "ground" {
			continue
		}
		var s side
		for _, tri := range lvl.Triangles[o.First : o.First+o.Count] {
			var f [3]pt
			for k, v := range [3]uint32{tri.A, tri.B, tri.C} {
				f[k].x, f[k].y = geom.Ground(lvl.Vertices[v])
			}
			if (f[1].x-f[0].x)*(f[2].y-f[0].y)-(f[1].y-f[0].y)*(f[2].x-f[0].x) > 0 {
				s = append(s, f)
			}
		}
		sides = append(sides, s)
	}
	if len(sides) != 2*len(slotGaps)*len(slotStations) {
		t.Fatalf("%d sides", len(sides))
	}
	const r, pitch = 0.3, 1.0 / 16
	for _, gap := range []float64{0, 0.05, 0.2, 0.45, 0.7} {
		components, area := 1, 0.0
		for i := 0; i < len(sides); i += 2 {
			a, b := sides[i], sides[i+1]
			width := slotGap(i / 2 % len(slotGaps))
			if off := a.apart(b) - width; math.Abs(off) > 5e-4 {
				t.Fatalf("station %d: the gap is %g m wide, not %g", i/2, width+off, width)
			}
			ring := hull(append(a.corners(), b.corners()...), 0, nil)
			parts := []func(pt) bool{a.covers, b.covers}
			if width <= gap {
				parts = []func(pt) bool{func(p pt) bool { return inside(ring, p) }}
			}
			components += len(parts)
			if gap != 0.2 {
				continue // areas once
			}
			low, high := ring[0], ring[0]
			for _, p := range ring {
				low, high = pt{min(low.x, p.x), min(low.y, p.y)}, pt{max(high.x, p.x), max(high.y, p.y)}
			}
			_, aside := math.Modf(0.618 * float64(i))
			_, up := math.Modf(0.414 * float64(i))
			for x := low.x + aside*pitch; x < high.x; x += pitch {
				for y := low.y + up*pitch; y < high.y; y += pitch {
					if slices.ContainsFunc(parts, func(on func(pt) bool) bool {
						return on(pt{x, y}) && !slices.ContainsFunc(circle(pt{x, y}, r, 24), func(p pt) bool { return !on(p) })
					}) {
						area += pitch * pitch
					}
				}
			}
		}
		f := truthOf(t, "slots", Options{}, r, gap)
		if f.Components != components || gap == 0.2 && math.Abs(f.Storeys[1].Area/area-1) > 0.003 {
			t.Errorf("gap %g: %d components and %.3f m² written down, %d and %.3f m² counted", gap, f.Components, f.Storeys[1].Area, components, area)
		}
	}
}

// Ramps have the stated slopes, 45° exactly, in every direction.
func TestSlopesOfRamps(t *testing.T) {
	for _, far := range []float64{0, 1e5} {
		lvl, err := Generate("ramps", Options{Far: far})
		if err != nil {
			t.Fatal(err)
		}
		turned := map[int]bool{}
		steep, exact := 0, 0
		for _, tri := range lvl.Triangles {
			a := lvl.Vertices[tri.A]
			n := lvl.Vertices[tri.B].Sub(a).Cross(lvl.Vertices[tri.C].Sub(a)).Scale(lattice.UnitsPerMetre * lattice.UnitsPerMetre)
			if n.Y <= 0 || n.X == 0 && n.Z == 0 {
				continue
			}
			slope := math.Atan2(math.Hypot(n.X, n.Z), n.Y) * 180 / math.Pi
			switch {
			case math.Abs(slope-45.1) < 0.005:
				steep++
			case n.X*n.X+n.Z*n.Z == n.Y*n.Y: // whole numbers below 2⁵³
				exact++
			case slope > 45.01 || slope < 44.895 || slope > 44.905 && slope < 45:
				t.Errorf("a slope of %.5f°", slope)
			}
			turned[int(math.Round(math.Atan2(n.Z, -n.X)*32/math.Pi)+64)%64] = true
		}
		f := truthOf(t, "ramps", Options{Far: far}, 0.4, 0.05)
		if steep != 2*64 || exact != 2*64 || len(turned) != 64 || f.Components != 1+steep/2 {
			t.Errorf("%d and %d triangles of 45.1° and of 45° in %d directions, %d components", steep, exact, len(turned), f.Components)
		}
	}
}

// Rough ground is as steep as asked for.
func TestSteepness(t *testing.T) {
	for _, want := range []float64{1, 40, 60, 80} {
		lvl, err := Generate("rough", Options{Steepness: want, Size: 30})
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for _, tri := range lvl.Triangles {
			a := lvl.Vertices[tri.A]
			n := lvl.Vertices[tri.B].Sub(a).Cross(lvl.Vertices[tri.C].Sub(a))
			if n.Y > 0 {
				most = max(most, math.Atan2(math.Hypot(n.X, n.Z), n.Y)*180/math.Pi)
			}
		}
		if most > want || most < want-0.05 {
			t.Errorf("%.4f°, want %g°", most, want)
		}
	}
}

func TestLeast(t *testing.T) {
	// Around a square of 1 m by 1 m, borders at 0.5 m lie on circles of 0.5 to 0.6 m.
	s := block(1, 1).storey(0, 0.5)
	if want := s.Area - math.Pi*(0.6*0.6-0.5*0.5); math.Abs(s.Least(0.5, 0.1)-want) > 1e-12 {
		t.Errorf("%g m², want %g", s.Least(0.5, 0.1), want)
	}
}
