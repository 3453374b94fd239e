package lattice

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"pgregory.net/rapid"
)

func TestSnapTable(t *testing.T) {
	for _, c := range []struct {
		name    string
		v       geom.Vec
		e, n, u int64
		ok      bool
	}{
		{"origin", geom.Vec{}, 0, 0, 0, true},
		{"north is minus z", geom.Vec{X: 1, Y: 2, Z: 3}, 4096, -3 * 4096, 2 * 4096, true},
		{"half a unit rounds up", geom.Vec{X: 0.5 * Unit, Y: 0.5 * Unit, Z: -0.5 * Unit}, 1, 1, 1, true},
		{"minus half a unit rounds up", geom.Vec{X: -0.5 * Unit, Y: -0.5 * Unit, Z: 0.5 * Unit}, 0, 0, 0, true},
		{"just below half a unit", geom.Vec{X: 0.4999 * Unit}, 0, 0, 0, true},
		{"a million metres", geom.Vec{X: 1e6, Y: -1e6, Z: -1e6}, 4096e6, 4096e6, -4096e6, true},
		{"too far", geom.Vec{X: 1 << 40}, 0, 0, 0, false},
		{"infinite", geom.Vec{Z: math.Inf(-1)}, 0, 0, 0, false},
		{"not a number", geom.Vec{Y: math.NaN()}, 0, 0, 0, false},
	} {
		e, n, u, ok := Snap(c.v)
		if e != c.e || n != c.n || u != c.u || ok != c.ok {
			t.Errorf("%s: %d, %d, %d, %v, want %d, %d, %d, %v", c.name, e, n, u, ok, c.e, c.n, c.u, c.ok)
		}
	}
}

func TestFrameRoundTrip(t *testing.T) {
	offset := rapid.Int64Range(-1<<50, 1<<50)
	rapid.Check(t, func(t *rapid.T) {
		f := Frame{offset.Draw(t, "east"), offset.Draw(t, "north"), offset.Draw(t, "up")}
		p := anyPoint().Draw(t, "point")
		z := rapid.Int32Range(-MaxCoord, MaxCoord).Draw(t, "height")
		v := f.ToWorld(p, z)
		q, h, ok := f.FromWorld(v)
		if !ok || q != p || h != z {
			t.Fatalf("%v at %d comes back as %v at %d (%v)", p, z, q, h, ok)
		}
		x, y, height := f.Local(v)
		if x != float64(p.X) || y != float64(p.Y) || height != float64(z) {
			t.Fatalf("%v at %d is locally %g, %g, %g", p, z, x, y, height)
		}
		if b, ok := f.Beneath(geom.Vec{X: v.X, Y: math.NaN(), Z: v.Z}); !ok || b != p {
			t.Fatalf("beneath %v is %v (%v), not %v", v, b, ok, p)
		}
		if w := f.FromLocal(x, y, height); w != v {
			t.Fatalf("%v comes back as %v", v, w)
		}
	})
}

func TestFromWorldOutsideOfTheFrame(t *testing.T) {
	f := Frame{East: 1 << 40}
	if _, _, ok := f.FromWorld(geom.Vec{}); ok {
		t.Error("a point outside of the frame is accepted")
	}
	for _, v := range []geom.Vec{{}, {X: math.NaN()}, {X: 1 << 40, Z: math.Inf(1)}, {X: math.Inf(1)}} {
		if p, ok := f.Beneath(v); ok {
			t.Errorf("beneath %v, which is outside of the frame, is %v", v, p)
		}
	}
	if _, _, ok := f.FromWorld(geom.Vec{X: math.NaN()}); ok {
		t.Error("NaN is accepted")
	}
	edge := Frame{}.ToWorld(Point{MaxCoord, -MaxCoord}, MaxCoord)
	if p, z, ok := (Frame{}).FromWorld(edge); !ok || p != (Point{MaxCoord, -MaxCoord}) || z != MaxCoord {
		t.Errorf("the corner of the frame comes back as %v, %d, %v", p, z, ok)
	}
	if _, _, ok := (Frame{}).FromWorld(edge.Add(geom.Vec{X: Unit})); ok {
		t.Error("a unit beyond the frame is accepted")
	}
}
