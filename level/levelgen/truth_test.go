package levelgen

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// taut returns the length of the string from s to g, pulled tight around the convex chain of corners. Each
// corner is grown by r and stays on the left of the string (sense 1) or on its right (sense -1). It needs no
// walking: the string leaves s on the tangent of the first corner's disc, runs along the chain at distance r,
// and reaches g on the tangent of the last one. The arcs' angles sum to the whole turn. The string skips no
// given corner, so at an untouched corner it would turn the other way; then the result is NaN. Other corners
// are ignored.
func taut(s, g pt, r, sense float64, corners ...pt) float64 {
	length := 0.0
	last := len(corners) - 1
	var headings []float64
	tangent := func(from, to pt, inward float64) {
		d := math.Hypot(to.x-from.x, to.y-from.y)
		length += math.Sqrt(d*d - r*r)
		headings = append(headings, math.Atan2(to.y-from.y, to.x-from.x)-inward*sense*math.Asin(r/d))
	}
	tangent(s, corners[0], 1)
	for i := range last {
		dx, dy := corners[i+1].x-corners[i].x, corners[i+1].y-corners[i].y
		length += math.Hypot(dx, dy)
		headings = append(headings, math.Atan2(dy, dx))
	}
	tangent(corners[last], g, -1)
	for i := 1; i < len(headings); i++ {
		turn := math.Mod(sense*(headings[i]-headings[i-1]), 2*math.Pi)
		if turn < -1e-9 {
			turn += 2 * math.Pi
		}
		if turn > 1.5*math.Pi {
			return math.NaN()
		}
		length += r * turn
	}
	return length
}

// derived computes the routes again, by the constructions told at the makers of the levels.
func derived(kind, name string, r float64) float64 {
	switch kind + " " + name {
	case "stairs up":
		return taut(pt{-4, -2}, pt{-4, 2}, r, 1, pt{2.625, -0.125}, pt{2.625, 0.125})
	case "spiral up":
		s, g := pt{5, -3.75}, pt{1.5, 5}
		// Without a touched corner the string is shorter, and with an untouched corner there is none: the longest
		// string is right.
		best := 0.0
		for first := range 8 {
			for last := 44; last < 52; last++ {
				if l := taut(s, g, r, 1, arc(pt{}, 1, float64(first)/24, float64(last)/24, last-first)...); l > best {
					best = l
				}
			}
		}
		return best
	case "bridge over":
		return 60
	case "bridge under":
		return 30
	case "bridge up":
		return taut(pt{-2, -12}, pt{}, r, -1, pt{-26, -3}, pt{-26, -2.75})
	case "carpark to the top":
		sw, se, ne, nw := pt{8, 4.75}, pt{32, 4.75}, pt{32, 5}, pt{8, 5}
		return taut(pt{20, 9}, pt{20, 9}, r, 1, nw, sw, se, ne, nw, sw, se, ne, nw, sw, se, ne)
	case "arch over":
		return 40
	case "arch through":
		return 24
	case "arch up":
		return taut(pt{-2, -10}, pt{}, r, -1, pt{-16, -3}, pt{-16, -2.75})
	}
	return math.NaN()
}

// hull returns the convex hull of points and of the discs of radius r around corners, counter-clockwise. Each disc is a
// polygon of 512 corners.
func hull(points []pt, r float64, corners []pt) []pt {
	points = slices.Clone(points)
	for _, c := range corners {
		points = append(points, circle(c, r, 512)...)
	}
	slices.SortFunc(points, func(a, b pt) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	points = slices.Compact(points)
	half := func() []pt {
		var chain []pt
		for _, p := range points {
			for len(chain) > 1 {
				a, b := chain[len(chain)-2], chain[len(chain)-1]
				if (b.x-a.x)*(p.y-a.y)-(b.y-a.y)*(p.x-a.x) > 0 {
					break
				}
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, p)
		}
		return chain[:len(chain)-1]
	}
	ring := half()
	slices.Reverse(points)
	return append(ring, half()...)
}

// around returns the length of the shorter way from s to g on the hull of both and of grown corners.
func around(s, g pt, r float64, corners []pt) float64 {
	ring := hull([]pt{s, g}, r, corners)
	n := len(ring)
	from, to := slices.Index(ring, s), slices.Index(ring, g)
	way, round := 0.0, 0.0
	for i, a := range ring {
		b := ring[(i+1)%n]
		d := math.Hypot(b.x-a.x, b.y-a.y)
		round += d
		if (i-from+n)%n < (to-from+n)%n {
			way += d
		}
	}
	return min(way, round-way)
}

// Taut strings around corners and convex hulls give the same lengths as the formulas of the makers.
func TestRoutesOfFloorsFollow(t *testing.T) {
	sw, se, ne, nw := pt{-1, -0.125}, pt{1.1875, -0.125}, pt{1.1875, 0.125}, pt{-1, 0.125}
	for _, r := range []float64{0, 0.1, 0.3, 0.4, 0.6} {
		for _, c := range []struct {
			kind   string
			floor  func(r, gap float64) (Floor, bool)
			length float64
		}{
			{"tower of 2", towerFloor(2), taut(pt{-3, 0}, pt{-3, 0}, r, 1, sw, se, ne, nw)},
			{"tower of 4", towerFloor(4), taut(pt{-3, 0}, pt{-3, 0}, r, 1, sw, se, ne, nw, sw, se, ne, nw, sw, se, ne, nw)},
			// The wedge between the arms goes on behind the corner, away from the string.
			{"catwalks", catwalksFloor, around(pt{-5, 0}, pt{3, 4}, r, []pt{{-0.53125, 0.75}, {-5, 6}})},
		} {
			f, known := c.floor(r, 0)
			if !known || !(math.Abs(f.Routes[0].Length-c.length) < 1e-4) {
				t.Errorf("%s, radius %g: known %v, %.5f m written down, %.5f m derived", c.kind, r, known, f.Routes[0].Length, c.length)
			}
		}
		if f, known := pillarsFloor(r, 0); known {
			if want := around(pt{4, 6}, pt{8, 6}, r, circle(pt{6, 6}, 0.5, 6)); !(math.Abs(f.Routes[0].Length-want) < 1e-4) {
				t.Errorf("pillars, radius %g: %.5f m written down, %.5f m derived", r, f.Routes[0].Length, want)
			}
		}
	}
	for kind, floor := range map[string]func(r, gap float64) (Floor, bool){"slots": slotsFloor, "ramps": rampsFloor(1e5)} {
		f, known := floor(0.4, 0.2)
		if len(f.Routes) == 0 || !known {
			t.Errorf("%s: %d routes, known %v", kind, len(f.Routes), known)
		}
		for _, route := range f.Routes {
			if want := math.Hypot(route.Goal.X-route.Start.X, route.Goal.Z-route.Start.Z); math.Abs(route.Length-want) > 1e-9 {
				t.Errorf("%s: %g m written down, straight %g m", kind, route.Length, want)
			}
		}
	}
}

func TestTruthsFollowFromTheirDerivations(t *testing.T) {
	for _, truth := range Truths() {
		for _, route := range truth.Routes {
			want := derived(truth.Kind, route.Name, route.Radius)
			if !(math.Abs(route.Length-want) < 1e-4) {
				t.Errorf("%s %s, radius %g: %.4f m written down, %.4f m derived", truth.Kind, route.Name, route.Radius, route.Length, want)
			}
		}
	}
}

func TestTautString(t *testing.T) {
	for _, c := range []struct {
		name string
		got  float64
		want float64
	}{
		{"half turn around a point", taut(pt{3, -1}, pt{3, 1}, 1, -1, pt{0, 0}), 6 + math.Pi},
		{"no turn", taut(pt{-3, -1}, pt{3, -1}, 1, 1, pt{0, 0}), 6},
		{"a corner that is not touched", taut(pt{-3, -2}, pt{3, -2}, 1, 1, pt{0, 0}), math.NaN()},
		{"around a square", taut(pt{0, -1}, pt{-1, 0}, 0, 1, pt{2, -1}, pt{2, 2}, pt{-1, 2}), 2 + 3 + 3 + 2},
	} {
		if math.IsNaN(c.got) != math.IsNaN(c.want) || math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", c.name, c.got, c.want)
		}
	}
}

// Starts and goals lie on up-facing faces of their levels, with nothing in the agent's body above.
func TestTruthsStandOnFloors(t *testing.T) {
	start, goal := DemoWalk()
	demo := Truth{Kind: "demo", Routes: []Route{{Name: "walk", Start: start, Goal: goal}}}
	for _, truth := range append(Truths(), demo) {
		lvl, err := Generate(truth.Kind, truth.Options)
		if err != nil {
			t.Fatal(err)
		}
		routes := truth.Routes
		if truth.Floor != nil {
			f, known := truth.Floor(0.4, 0.05)
			if !known {
				t.Errorf("%s: nothing is known for a radius of 0.4 m", truth.Kind)
			}
			routes = append(routes, f.Routes...)
		}
		for _, route := range routes {
			for _, at := range []geom.Vec{route.Start, route.Goal} {
				floor, free := false, true
				for _, tri := range lvl.Triangles {
					h, over := heightOver(at, lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C])
					if !over {
						continue
					}
					floor = floor || math.Abs(h-at.Y) < 1e-9
					free = free && (h < at.Y+1e-9 || h > at.Y+2)
				}
				if !floor || !free {
					t.Errorf("%s %s: at %v: floor %v, free %v", truth.Kind, route.Name, at, floor, free)
				}
			}
		}
	}
}

// heightOver returns the height of the triangle a, b, c on the vertical through p, if it is crossed.
func heightOver(p, a, b, c geom.Vec) (h float64, over bool) {
	n := b.Sub(a).Cross(c.Sub(a))
	if n.Y == 0 {
		return 0, false
	}
	q := geom.Vec{X: p.X, Y: a.Y - (n.X*(p.X-a.X)+n.Z*(p.Z-a.Z))/n.Y, Z: p.Z}
	inside := func(u, v geom.Vec) bool { return v.Sub(u).Cross(q.Sub(u)).Dot(n) >= 0 }
	return q.Y, inside(a, b) && inside(b, c) && inside(c, a)
}
