package png

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
)

var (
	red   = draw.Color{R: 220, A: 255}
	green = draw.Color{G: 220, A: 255}
	blue  = draw.Color{B: 220, A: 255}
	white = draw.Color{R: 255, G: 255, B: 255, A: 255}
)

// flat is the two triangles of a level rectangle in plan at height h.
func flat(x0, y0, x1, y1, h float64, fill draw.Color) []draw.Triangle {
	a, b, c, d := geom.FromGround(x0, y0, h), geom.FromGround(x1, y0, h), geom.FromGround(x1, y1, h), geom.FromGround(x0, y1, h)
	return []draw.Triangle{{P: [3]geom.Vec{a, b, c}, Fill: fill}, {P: [3]geom.Vec{a, c, d}, Fill: fill}}
}

// tenByTen views 10 m by 10 m from above at 10 pixels a metre.
var tenByTen = draw.View{Width: 100, Height: 100, Focus: geom.Box{
	Min: geom.FromGround(0.4, 9.6, 0), Max: geom.FromGround(9.6, 0.4, 0),
}}

func picture(t *testing.T, list *draw.List, view draw.View) *image.RGBA {
	t.Helper()
	img, err := Image(list, view)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// at returns the colour of the pixel that shows a place of the plan in tenByTen.
func at(img *image.RGBA, x, y float64) draw.Color {
	c := img.RGBAAt(int(10*x), int(100-10*y))
	return draw.Color{R: c.R, G: c.G, B: c.B, A: c.A}
}

func near(a, b draw.Color, tolerance int) bool {
	d := func(x, y uint8) bool { return int(x)-int(y) <= tolerance && int(y)-int(x) <= tolerance }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

func expect(t *testing.T, img *image.RGBA, x, y float64, want draw.Color, what string) {
	t.Helper()
	if got := at(img, x, y); !near(got, want, 1) {
		t.Errorf("%s: at (%g, %g) %v, want %v", what, x, y, got, want)
	}
}

func TestTriangleCoversItsPixels(t *testing.T) {
	var list draw.List
	list.Triangles = flat(2, 3, 7, 5, 0, red)
	img := picture(t, &list, tenByTen)
	expect(t, img, 2.05, 3.05, red, "corner")
	expect(t, img, 6.95, 4.95, red, "corner")
	expect(t, img, 4.5, 4, red, "on the diagonal")
	for _, p := range [][2]float64{{1.95, 4}, {7.05, 4}, {4, 2.95}, {4, 5.05}} {
		expect(t, img, p[0], p[1], white, "outside")
	}
	// Half covered pixels are mixed.
	list.Triangles = flat(2.05, 3, 7, 5, 0, draw.Color{A: 255})
	if got := at(picture(t, &list, tenByTen), 2.01, 4); !near(got, draw.Color{R: 128, G: 128, B: 128}, 45) {
		t.Errorf("a half covered pixel is %v", got)
	}
}

// Guarantee 2.
func TestNearestTriangleIsSeen(t *testing.T) {
	high, low := flat(0, 0, 6, 6, 2, red), flat(4, 4, 10, 10, 1, green)
	for _, list := range []draw.List{
		{Triangles: append(append([]draw.Triangle{}, high...), low...)},
		{Triangles: append(append([]draw.Triangle{}, low...), high...)},
	} {
		img := picture(t, &list, tenByTen)
		expect(t, img, 5, 5, red, "overlap")
		expect(t, img, 8, 8, green, "low alone")
	}
	equal := draw.List{Triangles: append(flat(0, 0, 6, 6, 2, red), flat(4, 4, 10, 10, 2, green)...)}
	expect(t, picture(t, &equal, tenByTen), 5, 5, green, "the later of equally near ones")
	// Crossing triangles are cut where they cross.
	tilted := flat(0, 0, 10, 10, 0, blue)
	for i := range tilted {
		for k := range tilted[i].P {
			tilted[i].P[k].Y = tilted[i].P[k].X - 5
		}
	}
	cross := draw.List{Triangles: append(tilted, flat(0, 0, 10, 10, 0, red)...)}
	img := picture(t, &cross, tenByTen)
	expect(t, img, 4.8, 5, red, "left of the crossing")
	expect(t, img, 5.2, 5, blue, "right of the crossing")
	// A bias lifts a triangle over a nearer one.
	low[0].Bias, low[1].Bias = 1.5, 1.5
	biased := draw.List{Triangles: append(append([]draw.Triangle{}, high...), low...)}
	expect(t, picture(t, &biased, tenByTen), 5, 5, green, "with a bias")
}

// Guarantee 1: a fan of translucent triangles with corners anywhere shows no seam and no overlap.
func TestSharedEdgesAreBlendedOnce(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(1, 2))
	glass := draw.Color{R: 200, G: 40, B: 40, A: 128}
	for range 20 {
		// The parts alternate between two colours with the same blend, which makes them two shapes.
		other := glass
		other.A = 129
		middle := geom.FromGround(3+4*r.Float64(), 3+4*r.Float64(), 0)
		var list draw.List
		n := 3 + r.IntN(30)
		ring := make([]geom.Vec, n)
		for i := range ring {
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.7*r.Float64()) / float64(n))
			ring[i] = middle.Add(geom.FromGround(20*cos, 20*sin, 0))
		}
		for i := range ring {
			fill := glass
			if i%2 == 1 {
				fill = other
			}
			list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{middle, ring[i], ring[(i+1)%n]}, Fill: fill})
		}
		img := picture(t, &list, tenByTen)
		want := draw.Color{R: 227, G: 147, B: 147, A: 255}
		for y := range 100 {
			for x := range 100 {
				c := img.RGBAAt(x, y)
				if got := (draw.Color{R: c.R, G: c.G, B: c.B}); !near(got, want, 2) {
					t.Fatalf("%d triangles: pixel (%d, %d) is %v, want %v", n, x, y, got, want)
				}
			}
		}
	}
}

func TestTranslucency(t *testing.T) {
	half := func(c draw.Color) draw.Color { c.A = 128; return c }
	// A shape over itself is blended once, two shapes twice, the nearer last.
	once := draw.List{Triangles: append(flat(0, 0, 6, 6, 1, half(red)), flat(4, 4, 10, 10, 1.1, half(red))...)}
	img := picture(t, &once, tenByTen)
	expect(t, img, 5, 5, at(img, 1, 1), "overlap of one shape")
	for _, triangles := range [][]draw.Triangle{
		append(flat(0, 0, 10, 10, 1, half(red)), flat(0, 0, 10, 10, 2, half(green))...),
		append(flat(0, 0, 10, 10, 2, half(green)), flat(0, 0, 10, 10, 1, half(red))...),
	} {
		expect(t, picture(t, &draw.List{Triangles: triangles}, tenByTen), 5, 5, draw.Color{R: 118, G: 173, B: 63}, "green over red")
	}
	hidden := draw.List{Triangles: append(flat(0, 0, 10, 10, 1, half(red)), flat(0, 0, 10, 10, 2, blue)...)}
	expect(t, picture(t, &hidden, tenByTen), 5, 5, blue, "glass behind a wall")
	nothing := draw.List{Triangles: flat(0, 0, 10, 10, 1, draw.Color{R: 9})}
	expect(t, picture(t, &nothing, tenByTen), 5, 5, white, "no opacity")
}

func TestOneSidedTrianglesHaveNoBack(t *testing.T) {
	list := draw.List{Triangles: flat(0, 0, 10, 10, 0, red)}
	for i := range list.Triangles {
		list.Triangles[i].OneSided = true
	}
	expect(t, picture(t, &list, tenByTen), 5, 5, red, "from the front")
	for i := range list.Triangles {
		p := &list.Triangles[i].P
		p[0], p[1] = p[1], p[0]
	}
	expect(t, picture(t, &list, tenByTen), 5, 5, white, "from behind")
}

func TestLinesHaveTheirWidth(t *testing.T) {
	for _, width := range []float64{1, 2, 3.5, 8} {
		list := draw.List{Lines: []draw.Line{{
			P: []geom.Vec{geom.FromGround(1, 5, 0), geom.FromGround(9, 5, 0)}, Color: draw.Color{A: 255}, Width: width,
		}}}
		img := picture(t, &list, tenByTen)
		dark := 0.0
		for y := range 100 {
			dark += 1 - float64(img.RGBAAt(50, y).R)/255
		}
		if math.Abs(dark-width) > 0.1 {
			t.Errorf("width %g: %.2f pixels are dark across", width, dark)
		}
		along := 0.0
		for x := range 100 {
			along += 1 - float64(img.RGBAAt(x, 50).R)/255
		}
		if width >= 2 && math.Abs(along-80-width) > 0.5 { // with round ends
			t.Errorf("width %g: %.2f pixels are dark along", width, along)
		}
	}
}

// A slanted line is as dark as a level one of the same length.
func TestSlantedLinesAreAntialiased(t *testing.T) {
	list := draw.List{Lines: []draw.Line{{
		P: []geom.Vec{geom.FromGround(2, 2, 0), geom.FromGround(8, 7, 0)}, Color: draw.Color{A: 255}, Width: 3,
	}}}
	img := picture(t, &list, tenByTen)
	dark, mixed := 0.0, 0
	for i := 0; i < len(img.Pix); i += 4 {
		v := img.Pix[i]
		dark += 1 - float64(v)/255
		if v > 20 && v < 235 {
			mixed++
		}
	}
	if want := 10*math.Hypot(6, 5)*3 + math.Pi*1.5*1.5; math.Abs(dark-want) > 0.02*want {
		t.Errorf("area %.1f, want %.1f", dark, want)
	}
	if mixed < 100 {
		t.Errorf("%d mixed pixels", mixed)
	}
}

// The joints of a translucent polyline are not darker than its sides.
func TestPolylinesAreBlendedOnce(t *testing.T) {
	list := draw.List{Lines: []draw.Line{{
		P:     []geom.Vec{geom.FromGround(1, 1, 0), geom.FromGround(5, 5, 0), geom.FromGround(5, 8, 0), geom.FromGround(5, 5, 0), geom.FromGround(9, 1, 0)},
		Color: draw.Color{A: 128}, Width: 10,
	}}}
	img := picture(t, &list, tenByTen)
	want := at(img, 3, 3)
	for _, p := range [][2]float64{{5, 5}, {5, 7}, {7, 3}, {5.1, 4.8}} {
		expect(t, img, p[0], p[1], want, "joint")
	}
	if want.R < 120 || want.R > 135 {
		t.Errorf("half a black line is %v", want)
	}
}

func TestLinesAndPointsAreHidden(t *testing.T) {
	for _, c := range []struct {
		name       string
		h          float64
		onTop      bool
		bias       float64
		line, disc draw.Color
	}{
		{"above", 2, false, 0, blue, blue},
		{"touching", 1, false, 0, blue, blue},
		{"below", 0.9, false, 0, red, red},
		{"below with a bias", 0.9, false, 0.2, blue, blue},
		{"below on top", 0, true, 0, blue, blue},
	} {
		list := draw.List{
			Triangles: flat(0, 0, 10, 10, 1, red),
			Lines:     []draw.Line{{P: []geom.Vec{geom.FromGround(1, 5, c.h), geom.FromGround(9, 5, c.h)}, Color: blue, Width: 4, OnTop: c.onTop, Bias: c.bias}},
			Points:    []draw.Point{{P: geom.FromGround(5, 8, c.h), Color: blue, Radius: 5, OnTop: c.onTop, Bias: c.bias}},
		}
		img := picture(t, &list, tenByTen)
		expect(t, img, 5, 5, c.line, c.name+": line")
		expect(t, img, 5, 8, c.disc, c.name+": disc")
		expect(t, img, 5, 6.5, red, c.name+": between")
	}
}

// On a slope seen at a slant, a wide line on the slope is not half hidden.
func TestWideLinesLieOnSlantedFloors(t *testing.T) {
	list := draw.List{
		Triangles: flat(0, 0, 10, 10, 0, red),
		Lines:     []draw.Line{{P: []geom.Vec{geom.FromGround(1, 5, 0), geom.FromGround(9, 5, 0)}, Color: blue, Width: 12}},
	}
	img := picture(t, &list, draw.View{Width: 200, Height: 200, Tilt: 1.2})
	count := 0
	for y := range 200 {
		c := img.RGBAAt(100, y)
		if near(draw.Color{R: c.R, G: c.G, B: c.B}, blue, 40) {
			count++
		}
	}
	if count < 11 || count > 13 {
		t.Errorf("%d pixels of a line 12 wide", count)
	}
}

func TestDiscsAreRound(t *testing.T) {
	list := draw.List{Points: []draw.Point{{P: geom.FromGround(5, 5, 0), Color: draw.Color{A: 255}, Radius: 20}}}
	img := picture(t, &list, tenByTen)
	dark := 0.0
	for i := 0; i < len(img.Pix); i += 4 {
		dark += 1 - float64(img.Pix[i])/255
	}
	if want := math.Pi * 400; math.Abs(dark-want) > 0.01*want {
		t.Errorf("area %.1f, want %.1f", dark, want)
	}
	dot := draw.List{Lines: []draw.Line{{P: []geom.Vec{geom.FromGround(5, 5, 0)}, Color: blue, Width: 9}}}
	expect(t, picture(t, &dot, tenByTen), 5, 5, blue, "a line of one point")
}

func TestLabelsAndScaleBar(t *testing.T) {
	plain := picture(t, &draw.List{}, tenByTen)
	list := draw.List{Labels: []draw.Label{{P: geom.FromGround(3, 5, 0), Text: "Aé☃", Color: blue}, {P: geom.FromGround(1e6, 0, 0), Text: "far"}}}
	img := picture(t, &list, tenByTen)
	inked := 0
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] != plain.Pix[i] {
			inked++
			if x := i / 4 % 100; x < 30 {
				t.Fatalf("ink in column %d, left of the place", x)
			}
		}
	}
	if inked < 30 {
		t.Errorf("%d pixels of text", inked)
	}
	view := tenByTen
	view.ScaleBar = true
	if bytes.Equal(picture(t, &draw.List{}, view).Pix, plain.Pix) {
		t.Error("no scale bar")
	}
	view.Width, view.Height = 12, 12
	if img := picture(t, &draw.List{}, view); img.RGBAAt(5, 5).R != 255 {
		t.Error("a tiny picture has a scale bar")
	}
}

// Guarantee 3.
func TestBandsDoNotDependOnJobs(t *testing.T) {
	list := clutter(500)
	for _, shadows := range []bool{false, true} {
		view := draw.View{Width: 320, Height: 203, Yaw: 1, Tilt: 0.9, Shadows: shadows}
		one, err := render(list, view, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, jobs := range []int{2, 7} {
			many, err := render(list, view, jobs)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(one.Pix, many.Pix) {
				t.Errorf("shadows %v: %d jobs draw another picture", shadows, jobs)
			}
		}
	}
}

// clutter is a list of everything, at random.
func clutter(n int) *draw.List {
	r := rand.New(rand.NewPCG(5, 6))
	place := func() geom.Vec { return geom.Vec{X: 10 * r.Float64(), Y: 3 * r.Float64(), Z: 10 * r.Float64()} }
	tint := func() draw.Color {
		return draw.Color{R: uint8(r.Uint32()), G: uint8(r.Uint32()), B: uint8(r.Uint32()), A: []uint8{255, 255, 90}[r.IntN(3)]}
	}
	var list draw.List
	for range n {
		a := place()
		near := func() geom.Vec { return a.Add(place().Scale(0.2)) }
		list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{a, near(), near()}, Fill: tint(), Lit: r.IntN(2) == 0})
		list.Lines = append(list.Lines, draw.Line{P: []geom.Vec{near(), near(), near()}, Color: tint(), Width: 4 * r.Float64()})
		list.Points = append(list.Points, draw.Point{P: near(), Color: tint(), Radius: 4 * r.Float64()})
	}
	return &list
}

// The fill agrees with a slow fill that tests every sample.
func TestSpansAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const width, height = 40, 30
	for range 2000 {
		var f face
		var z [3]float64
		for k := range 3 {
			// Coarse positions make corners and edges that pass through the middles of samples.
			step := int32(1) << r.IntN(6)
			f.x[k] = int32(r.IntN(60*subUnit))/step*step - 10*subUnit
			f.y[k] = int32(r.IntN(50*subUnit))/step*step - 10*subUnit
		}
		if !f.settle(&z) {
			continue
		}
		var got [height][width]bool
		first, last := f.rows()
		for row := max(first, 0); row <= min(last, height-1); row++ {
			from, to := f.span(row, width)
			for x := from; x <= to; x++ {
				got[row][x] = true
			}
		}
		for row := range height {
			for x := range width {
				px, py := int64(x)*subUnit+subUnit/2, int64(row)*subUnit+subUnit/2
				inside := true
				for a := range 3 {
					b := (a + 1) % 3
					dx, dy := int64(f.x[b]-f.x[a]), int64(f.y[b]-f.y[a])
					e := dx*(py-int64(f.y[a])) - dy*(px-int64(f.x[a]))
					inside = inside && (e > 0 || e == 0 && (dy < 0 || dy == 0 && dx > 0))
				}
				if got[row][x] != inside {
					t.Fatalf("face %v %v: sample (%d, %d): %v, want %v", f.x, f.y, x, row, got[row][x], inside)
				}
			}
		}
	}
}

func TestShadows(t *testing.T) {
	grey := draw.Color{R: 200, G: 200, B: 200, A: 255}
	list := draw.List{Triangles: append(flat(0, 0, 10, 10, 0, grey), flat(4, 4, 6, 6, 2, red)...)}
	for i := range list.Triangles {
		list.Triangles[i].Lit = true
	}
	view := tenByTen
	lit := picture(t, &list, view)
	view.Shadows = true
	img := picture(t, &list, view)
	// The sun stands in the south-west of a picture with north up: the shadow of a plate 2 m up falls to the north-east.
	if a, b := at(img, 6.5, 6.5), at(lit, 6.5, 6.5); int(a.G) > int(b.G)-40 {
		t.Errorf("in the shadow %v, without shadows %v", a, b)
	}
	if a, b := at(img, 1, 9), at(lit, 1, 9); !near(a, b, 6) {
		t.Errorf("in the open %v, without shadows %v", a, b)
	}
	// Beside a high wall less of the sky is seen, on either side of it.
	wall := flat(0, 0, 10, 10, 0, grey)
	a, b, c, d := geom.FromGround(5, 0, 0), geom.FromGround(5, 10, 0), geom.FromGround(5, 10, 6), geom.FromGround(5, 0, 6)
	wall = append(wall, draw.Triangle{P: [3]geom.Vec{a, b, c}, Fill: grey}, draw.Triangle{P: [3]geom.Vec{a, c, d}, Fill: grey})
	for i := range wall {
		wall[i].Lit = true
	}
	img = picture(t, &draw.List{Triangles: wall}, view)
	if near, far := at(img, 4.5, 5), at(img, 0.5, 5); near.G >= far.G-3 {
		t.Errorf("beside the wall %v, far from it %v", near, far)
	}
	// A one-sided ceiling, facing down, lets the light in.
	room := append(flat(0, 0, 10, 10, 0, grey), flat(-20, -20, 30, 30, 2, red)...)
	for i := range room {
		room[i].Lit, room[i].OneSided = true, true
	}
	for i := 2; i < 4; i++ {
		room[i].P[0], room[i].P[1] = room[i].P[1], room[i].P[0]
	}
	expect(t, picture(t, &draw.List{Triangles: room}, view), 5, 5, at(lit, 5, 2), "under a one-sided ceiling")
	if empty := picture(t, &draw.List{}, view); empty.RGBAAt(3, 3).R != 255 {
		t.Error("shadows of nothing")
	}
}

func TestBadItemsAreLeftOut(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := flat(2, 2, 8, 8, 0, red)
	list := draw.List{Triangles: good}
	want := picture(t, &list, tenByTen)
	for _, v := range []geom.Vec{{X: nan}, {Y: inf}, {Z: -inf}, {X: 1e300}, {X: -1e18, Z: 1e18}} {
		list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{{}, {X: 1}, v}, Fill: blue})
		list.Lines = append(list.Lines, draw.Line{P: []geom.Vec{v}, Color: blue, Width: 3}, draw.Line{P: []geom.Vec{v, v}, Color: blue, Width: 3})
		list.Points = append(list.Points, draw.Point{P: v, Color: blue, Radius: 3})
		list.Labels = append(list.Labels, draw.Label{P: v, Text: "x", Color: blue})
	}
	a, b := geom.FromGround(1, 1, 0), geom.FromGround(9, 1, 0)
	list.Lines = append(list.Lines,
		draw.Line{Color: blue, Width: 3},
		draw.Line{P: []geom.Vec{a, b}, Width: 3},
		draw.Line{P: []geom.Vec{a, b}, Color: blue, Width: nan},
		draw.Line{P: []geom.Vec{a, b}, Color: blue, Width: -1},
		draw.Line{P: []geom.Vec{a, b}, Color: blue, Width: inf})
	list.Points = append(list.Points, draw.Point{P: a, Color: blue, Radius: nan}, draw.Point{P: a, Color: blue, Radius: inf})
	list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{a, a, b}, Fill: blue})
	if got := picture(t, &list, tenByTen); !bytes.Equal(got.Pix, want.Pix) {
		t.Error("bad items are seen")
	}
	// A line goes on after a bad point.
	list = draw.List{Lines: []draw.Line{{P: []geom.Vec{a, {X: nan}, geom.FromGround(3, 5, 0), geom.FromGround(7, 5, 0)}, Color: blue, Width: 4}}}
	expect(t, picture(t, &list, tenByTen), 5, 5, blue, "after a bad point")
}

func TestWriteIsAPNGOfTheRightSize(t *testing.T) {
	var first, second bytes.Buffer
	list := clutter(40)
	view := draw.View{Width: 90, Tilt: 0.5, Background: draw.Color{R: 10, G: 20, B: 30, A: 255}}
	if err := Write(&first, list, view); err != nil {
		t.Fatal(err)
	}
	if err := Write(&second, list, view); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two runs differ")
	}
	img, err := png.Decode(&first)
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Dx() != 90 || img.Bounds().Dy() < 12 {
		t.Errorf("bounds %v", img.Bounds())
	}
	if r, g, b, _ := img.At(0, 0).RGBA(); r>>8 != 10 || g>>8 != 20 || b>>8 != 30 {
		t.Errorf("background %d, %d, %d", r>>8, g>>8, b>>8)
	}
	if err := Write(&first, list, draw.View{Width: 1 << 16, Height: 1 << 16}); err == nil {
		t.Error("a huge picture is drawn")
	}
	if err := Write(&first, list, draw.View{Tilt: 2}); err == nil {
		t.Error("a view from below is drawn")
	}
}

// terrain is a wavy grid of 2·n² triangles.
func terrain(n int) *draw.List {
	h := func(i, j int) geom.Vec {
		return geom.FromGround(float64(i), float64(j), 8*math.Sin(float64(i)/17)*math.Cos(float64(j)/23))
	}
	var list draw.List
	for j := range n {
		for i := range n {
			a, b, c, d := h(i, j), h(i+1, j), h(i+1, j+1), h(i, j+1)
			fill := draw.Color{R: 200, G: 210, B: 190, A: 255}
			list.Triangles = append(list.Triangles,
				draw.Triangle{P: [3]geom.Vec{a, b, c}, Fill: fill, Lit: true},
				draw.Triangle{P: [3]geom.Vec{a, c, d}, Fill: fill, Lit: true})
		}
	}
	return &list
}

func BenchmarkImage(b *testing.B) {
	for _, c := range []struct {
		name    string
		n       int
		shadows bool
	}{{"75k", 194, false}, {"300k", 388, false}, {"300k-shadows", 388, true}} {
		list := terrain(c.n)
		b.Run(c.name, func(b *testing.B) {
			var img *image.RGBA
			for b.Loop() {
				var err error
				if img, err = render(list, draw.View{Yaw: 0.6, Tilt: 0.9, Shadows: c.shadows}, 1); err != nil {
					b.Fatal(err)
				}
			}
			if img.RGBAAt(800, 600) == img.RGBAAt(0, 0) {
				b.Fatal("nothing is drawn")
			}
			b.ReportMetric(float64(len(list.Triangles)), "triangles")
		})
	}
}
