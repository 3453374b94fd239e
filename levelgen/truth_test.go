package levelgen

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// taut returns the length of the string from s to g that is pulled tight around the convex chain
// of corners, each grown by r, keeping them on its left (sense 1) or on its right (sense -1). It
// needs no walking: the string leaves s on the tangent of the first corner's disc, runs along the chain at
// distance r, and reaches g on the tangent of the last one. The arcs' angles sum to the whole turn.
// The string skips no corner that is named, so a corner that it would not touch makes it turn the
// other way there; then the result is NaN. Of corners that are not named it knows nothing.
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
		// Leaving out a corner that the string bends at makes it shorter, and naming one that it does not
		// touch gives no string: the longest one is right.
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
		lvl, err := Generate(truth.Kind, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, route := range truth.Routes {
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
