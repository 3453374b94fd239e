package draw

import (
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// square is a list with one square of the ground, side by side from (0, 0) to (w, h) in plan.
func square(w, h float64) *List {
	a, b, c, d := geom.FromGround(0, 0, 0), geom.FromGround(w, 0, 0), geom.FromGround(w, h, 0), geom.FromGround(0, h, 0)
	fill := Color{200, 200, 200, 255}
	return &List{Triangles: []Triangle{{P: [3]geom.Vec{a, b, c}, Fill: fill}, {P: [3]geom.Vec{a, c, d}, Fill: fill}}}
}

func TestCameraLooksStraightDownWithNorthUp(t *testing.T) {
	c, err := NewCamera(square(10, 10), View{Width: 100, Height: 100})
	if err != nil {
		t.Fatal(err)
	}
	x0, y0, _ := c.Pixel(geom.FromGround(0, 0, 0))
	x1, y1, _ := c.Pixel(geom.FromGround(10, 10, 0))
	for _, p := range [][2]float64{{x0, 4}, {y0, 96}, {x1, 96}, {y1, 4}} {
		if math.Abs(p[0]-p[1]) > 1e-9 {
			t.Errorf("corners at (%g, %g) and (%g, %g), want (4, 96) and (96, 4)", x0, y0, x1, y1)
			break
		}
	}
	if math.Abs(c.Scale-9.2) > 1e-12 {
		t.Errorf("%g pixels a metre, want 9.2", c.Scale)
	}
	if _, _, d := c.Pixel(geom.FromGround(3, 4, 2)); math.Abs(d-2) > 1e-12 {
		t.Errorf("depth %g of a point 2 m up, want 2", d)
	}
}

func TestCameraTurnsAndTilts(t *testing.T) {
	const eps = 1e-12
	for _, c := range []struct {
		name              string
		yaw, tilt         float64
		right, up, toward geom.Vec
	}{
		{"down", 0, 0, geom.Vec{X: 1}, geom.Vec{Z: -1}, geom.Vec{Y: 1}},
		{"yaw 90°: west is up", math.Pi / 2, 0, geom.Vec{Z: -1}, geom.Vec{X: -1}, geom.Vec{Y: 1}},
		{"yaw 180°: south is up", math.Pi, 0, geom.Vec{X: -1}, geom.Vec{Z: 1}, geom.Vec{Y: 1}},
		{"tilt 60°: seen from the south", 0, math.Pi / 3, geom.Vec{X: 1}, geom.Vec{Y: math.Sqrt(3) / 2, Z: -0.5}, geom.Vec{Y: 0.5, Z: math.Sqrt(3) / 2}},
	} {
		cam, err := NewCamera(square(1, 1), View{Yaw: c.yaw, Tilt: c.tilt})
		if err != nil {
			t.Fatal(err)
		}
		if cam.Right.Distance(c.right) > eps || cam.Up.Distance(c.up) > eps || cam.Toward.Distance(c.toward) > eps {
			t.Errorf("%s: right %v, up %v, toward %v", c.name, cam.Right, cam.Up, cam.Toward)
		}
		if cam.Right.Cross(cam.Up).Distance(cam.Toward) > eps {
			t.Errorf("%s: left-handed", c.name)
		}
		if s := cam.Sun(); math.Abs(s.Norm()-1) > eps || s.Y < 0.5 {
			t.Errorf("%s: the sun is at %v", c.name, s)
		}
	}
}

func TestCameraWorldInvertsPixel(t *testing.T) {
	list := square(7, 3)
	list.Points = append(list.Points, Point{P: geom.Vec{X: 2, Y: 5, Z: -1}})
	c, err := NewCamera(list, View{Yaw: 0.7, Tilt: 1.1})
	if err != nil {
		t.Fatal(err)
	}
	list.eachPosition(func(p geom.Vec) {
		if q := c.World(c.Pixel(p)); p.Distance(q) > 1e-9 {
			t.Errorf("%v comes back as %v", p, q)
		}
	})
}

// Everything is inside of the margin, and touches it on two opposite sides.
func TestCameraFitsEverything(t *testing.T) {
	for _, view := range []View{{}, {Yaw: 1}, {Tilt: 1.2}, {Yaw: -2, Tilt: 0.8, Width: 300, Height: 900}} {
		list := square(30, 8)
		list.Lines = append(list.Lines, Line{P: []geom.Vec{{X: 40, Y: 3, Z: 2}, {X: 41}}})
		list.Labels = append(list.Labels, Label{P: geom.Vec{X: -2, Y: -7, Z: -20}})
		c, err := NewCamera(list, view)
		if err != nil {
			t.Fatal(err)
		}
		m := margin * math.Min(float64(c.Width), float64(c.Height))
		left, right, top, bottom := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		list.eachPosition(func(p geom.Vec) {
			x, y, _ := c.Pixel(p)
			left, right = math.Min(left, x), math.Max(right, x)
			top, bottom = math.Min(top, y), math.Max(bottom, y)
		})
		w, h := float64(c.Width), float64(c.Height)
		const eps = 1e-6
		if left < m-eps || right > w-m+eps || top < m-eps || bottom > h-m+eps {
			t.Errorf("%+v: seen from (%g, %g) to (%g, %g)", view, left, top, right, bottom)
		}
		if math.Abs(left-m) > eps && math.Abs(top-m) > eps {
			t.Errorf("%+v: neither width nor height is used", view)
		}
	}
}

func TestCameraSizes(t *testing.T) {
	for _, c := range []struct {
		name                string
		list                *List
		view                View
		wantWidth, wantHigh int
	}{
		{"default", square(1, 1), View{}, 1600, 1200},
		{"both given", square(1, 1), View{Width: 30, Height: 20}, 30, 20},
		{"height follows", square(10, 5), View{Width: 400}, 400, 200},
		{"width follows", square(10, 5), View{Height: 400}, 800, 400},
		{"a line is not endless", square(1000, 0), View{Width: 800}, 800, 100},
		{"a line upwards", square(0, 1000), View{Height: 800}, 100, 800},
		{"empty", &List{}, View{Width: 100}, 100, 100},
		{"one point", &List{Points: []Point{{P: geom.Vec{X: 7}}}}, View{Width: 100}, 100, 100},
	} {
		cam, err := NewCamera(c.list, c.view)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if cam.Width != c.wantWidth || cam.Height != c.wantHigh {
			t.Errorf("%s: %d × %d, want %d × %d", c.name, cam.Width, cam.Height, c.wantWidth, c.wantHigh)
		}
		if !(cam.Scale > 0) || math.IsInf(cam.Scale, 0) {
			t.Errorf("%s: scale %g", c.name, cam.Scale)
		}
	}
}

func TestCameraFocus(t *testing.T) {
	focus := geom.Box{Min: geom.Vec{X: 100, Y: 0, Z: 100}, Max: geom.Vec{X: 110, Y: 0, Z: 110}}
	c, err := NewCamera(square(5, 5), View{Width: 100, Height: 100, Focus: focus})
	if err != nil {
		t.Fatal(err)
	}
	if x, y, _ := c.Pixel(focus.Center()); math.Abs(x-50) > 1e-9 || math.Abs(y-50) > 1e-9 || math.Abs(c.Scale-9.2) > 1e-9 {
		t.Errorf("the middle of the focus is at (%g, %g), scale %g", x, y, c.Scale)
	}
}

// A level far from the origin looks the same to the last bit of a pixel that matters.
func TestCameraFarFromTheOrigin(t *testing.T) {
	near, _ := NewCamera(square(10, 10), View{Yaw: 0.5, Tilt: 0.5})
	shift := geom.Vec{X: 1 << 20, Y: 1 << 12, Z: -1 << 20}
	moved := square(10, 10)
	for i := range moved.Triangles {
		for k := range moved.Triangles[i].P {
			moved.Triangles[i].P[k] = moved.Triangles[i].P[k].Add(shift)
		}
	}
	far, err := NewCamera(moved, View{Yaw: 0.5, Tilt: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []geom.Vec{{}, {X: 10}, {X: 3, Z: -4}} {
		x, y, _ := near.Pixel(p)
		u, v, _ := far.Pixel(p.Add(shift))
		if math.Hypot(x-u, y-v) > 1e-6 {
			t.Errorf("%v at (%g, %g) and moved at (%g, %g)", p, x, y, u, v)
		}
	}
}

func TestCameraIgnoresWhatIsNotFinite(t *testing.T) {
	list := square(10, 10)
	want, _ := NewCamera(list, View{})
	nan, inf := math.NaN(), math.Inf(-1)
	list.Points = append(list.Points, Point{P: geom.Vec{X: nan}}, Point{P: geom.Vec{Y: inf}})
	got, err := NewCamera(list, View{})
	if err != nil || *got != *want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestCameraRefusesBadViews(t *testing.T) {
	for _, c := range []struct {
		view View
		want string
	}{
		{View{Tilt: math.Pi / 2}, "tilt is 1.57"},
		{View{Tilt: -0.1}, "tilt is -0.1"},
		{View{Tilt: math.NaN()}, "tilt is NaN"},
		{View{Yaw: math.Inf(1)}, "yaw is +Inf"},
		{View{Width: -1}, "a picture of -1 × 0 pixels"},
		{View{Width: 1 << 20, Height: 2}, "1048576 × 2 pixels is too large"},
		{View{Width: 10000, Height: 10000}, "too large"},
		{View{Width: math.MaxInt, Height: math.MaxInt}, "too large"},
		{View{Focus: geom.Box{Min: geom.Vec{X: 1}}}, "focus from"},
		{View{Focus: geom.Box{Max: geom.Vec{X: math.NaN()}}}, "focus from"},
	} {
		if _, err := NewCamera(square(1, 1), c.view); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.view, err, c.want)
		}
	}
}

func TestBarIsRoundAndFits(t *testing.T) {
	for _, size := range []float64{0.01, 0.7, 1, 3, 49, 1000, 123456} {
		c, err := NewCamera(square(size, size), View{})
		if err != nil {
			t.Fatal(err)
		}
		bar := c.Bar()
		lead := bar / math.Pow(10, math.Floor(math.Log10(bar*1.0000001)))
		if d := math.Min(math.Abs(lead-1), math.Min(math.Abs(lead-2), math.Abs(lead-5))); d > 1e-6 {
			t.Errorf("size %g: a bar of %g m", size, bar)
		}
		if px := bar * c.Scale; px > 0.2*float64(c.Width)+1e-9 || px < 0.08*float64(c.Width) {
			t.Errorf("size %g: a bar of %g pixels", size, px)
		}
	}
}
