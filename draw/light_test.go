package draw

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

func TestColorsSurviveTheLinearRound(t *testing.T) {
	for i := range 256 {
		if got := toSRGB(toLinear[i]); int(got) != i && math.Abs(float64(int(got)-i)) > 1 {
			t.Errorf("%d comes back as %d", i, got)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(-1), -1, 0} {
		if toSRGB(v) != 0 {
			t.Errorf("%g is not black", v)
		}
	}
	if toSRGB(7) != 255 || toSRGB(math.Inf(1)) != 255 {
		t.Error("too bright is not white")
	}
}

func TestLightByDirection(t *testing.T) {
	c, err := NewCamera(square(10, 10), View{Tilt: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	grey := Color{200, 200, 200, 255}
	face := func(a, b, d geom.Vec) Light {
		return c.Light(&Triangle{P: [3]geom.Vec{a, b, d}, Fill: grey, Lit: true})
	}
	o, e, n, up := geom.Vec{}, geom.FromGround(1, 0, 0), geom.FromGround(0, 1, 0), geom.Vec{Y: 1}
	floor, south, east := face(o, e, n), face(o, e, up), face(o, n, up)
	if !floor.Lit || floor.Normal.Distance(up) > 1e-12 {
		t.Errorf("normal of the floor %v", floor.Normal)
	}
	if turned := face(o, n, e); turned.Normal != floor.Normal {
		t.Error("the normal does not face the viewer")
	}
	bright := func(l Light, sun, sky float64) int { return int(l.Color(sun, sky).G) }
	// The floor looks about as painted; walls are darker, the one away from the sun most.
	if g := bright(floor, 1, 1); math.Abs(float64(g-200)) > 12 {
		t.Errorf("floor painted 200 looks %d", g)
	}
	if !(bright(floor, 1, 1) > bright(south, 1, 1) && bright(south, 1, 1) > bright(east, 1, 1)) {
		t.Errorf("floor %d, southern wall %d, eastern wall %d", bright(floor, 1, 1), bright(south, 1, 1), bright(east, 1, 1))
	}
	if !(bright(floor, 1, 1) > bright(floor, 0, 1) && bright(floor, 0, 1) > bright(floor, 0, 0.5) && bright(floor, 0, 0) == 0) {
		t.Error("shadows do not darken")
	}
	plain := c.Light(&Triangle{P: [3]geom.Vec{o, e, n}, Fill: Color{1, 2, 3, 4}})
	if got := plain.Color(0.3, 0.1); got != (Color{1, 2, 3, 4}) {
		t.Errorf("unlit colour %v", got)
	}
}
