package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
)

var (
	red   = draw.Color{R: 255, A: 255}
	green = draw.Color{G: 255, A: 255}
	blue  = draw.Color{B: 255, A: 255}
)

// element is an XML element with its attributes by name.
type element struct {
	name string
	attr map[string]string
	text string
}

// parse reads the elements of a file in order, and fails the test if it is not well-formed.
func parse(t *testing.T, data []byte) []element {
	t.Helper()
	var out []element
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, data)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			out = append(out, e)
		case xml.CharData:
			out[len(out)-1].text += strings.TrimSpace(string(token))
		}
	}
}

func write(t *testing.T, list *draw.List, view draw.View) []element {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, list, view); err != nil {
		t.Fatal(err)
	}
	return parse(t, b.Bytes())
}

// fills lists the fill colours of the paths in the order of painting.
func fills(elements []element) []string {
	var out []string
	for _, e := range elements {
		if e.name == "path" && e.attr["fill"] != "" && e.attr["fill"] != "none" {
			out = append(out, e.attr["fill"])
		}
	}
	return out
}

// flat is the two triangles of a level rectangle in plan at height h.
func flat(x0, y0, x1, y1, h float64, fill draw.Color) []draw.Triangle {
	a, b, c, d := geom.FromGround(x0, y0, h), geom.FromGround(x1, y0, h), geom.FromGround(x1, y1, h), geom.FromGround(x0, y1, h)
	return []draw.Triangle{{P: [3]geom.Vec{a, b, c}, Fill: fill}, {P: [3]geom.Vec{a, c, d}, Fill: fill}}
}

func listOf(groups ...[]draw.Triangle) *draw.List {
	var l draw.List
	for _, g := range groups {
		l.Triangles = append(l.Triangles, g...)
	}
	return &l
}

// corners counts the corners of path data, and its rings.
func corners(d string) (points, rings int) {
	rings = strings.Count(d, "z")
	for _, r := range strings.Split(d, "z") {
		r = strings.NewReplacer("M", " ", "l", " ", "-", " -").Replace(r)
		points += len(strings.Fields(r)) / 2
	}
	return points, rings
}

func TestEmptyListIsAnEmptyPicture(t *testing.T) {
	e := write(t, &draw.List{}, draw.View{Width: 320, Height: 200})
	if e[0].name != "svg" || e[0].attr["viewBox"] != "0 0 320 200" || e[0].attr["width"] != "320" {
		t.Errorf("root %+v", e[0])
	}
	if e[1].name != "rect" || e[1].attr["fill"] != "#fff" {
		t.Errorf("paper %+v", e[1])
	}
	if len(e) != 3 {
		t.Errorf("%d elements", len(e))
	}
	dark := write(t, &draw.List{}, draw.View{Background: draw.Color{R: 1, G: 2, B: 3, A: 51}})
	if dark[1].attr["fill"] != "#010203" || dark[1].attr["fill-opacity"] != "0.2" {
		t.Errorf("paper %+v", dark[1])
	}
}

// Guarantee 2.
func TestNeighboursAreJoined(t *testing.T) {
	glass := draw.Color{R: 200, A: 100}
	for _, c := range []struct {
		name                 string
		list                 *draw.List
		paths, points, rings int
	}{
		{"a square is one polygon", listOf(flat(0, 0, 4, 4, 0, glass)), 1, 4, 1},
		{"a row of squares too", listOf(flat(0, 0, 4, 4, 0, glass), flat(4, 0, 8, 4, 0, glass), flat(8, 0, 9, 4, 0, glass)), 1, 4, 1},
		{"apart, two rings", listOf(flat(0, 0, 4, 4, 0, glass), flat(6, 0, 8, 4, 0, glass)), 1, 8, 2},
		{
			"a frame has a hole", listOf(flat(0, 0, 9, 1, 0, glass), flat(0, 8, 9, 9, 0, glass),
				flat(0, 1, 1, 8, 0, glass), flat(8, 1, 9, 8, 0, glass)), 1, 16, 4,
		},
		{"two colours, two shapes", listOf(flat(0, 0, 4, 4, 0, glass), flat(4, 0, 8, 4, 0, draw.Color{G: 9, A: 100})), 2, 8, 2},
	} {
		e := write(t, c.list, draw.View{Width: 400})
		points, rings, paths := 0, 0, 0
		for _, el := range e {
			if el.name == "path" {
				p, r := corners(el.attr["d"])
				points, rings, paths = points+p, rings+r, paths+1
			}
		}
		if paths != c.paths || points > c.points || rings > c.rings {
			t.Errorf("%s: %d paths, %d corners, %d rings, want %d, %d, %d", c.name, paths, points, rings, c.paths, c.points, c.rings)
		}
	}
}

func TestOutlineKeepsTheArea(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		// A fan around a point, cut at random into triangles that share edges.
		n := 3 + r.IntN(20)
		middle := spot{5000, 5000}
		var parts []part
		var ring []spot
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			d := 1000 + 3000*r.Float64()
			ring = append(ring, spot{5000 + int32(d*cos), 5000 + int32(d*sin)})
		}
		want := int64(0)
		for i := range ring {
			p := part{at: [3]spot{middle, ring[i], ring[(i+1)%n]}}
			if p.area2() <= 0 {
				continue
			}
			want += p.area2()
			parts = append(parts, p)
		}
		got := int64(0)
		for _, out := range outline(parts) {
			for i := range out {
				p := part{at: [3]spot{out[0], out[i], out[(i+1)%len(out)]}}
				got += p.area2()
			}
		}
		if got != want {
			t.Fatalf("%d triangles: area %d, want %d", len(parts), got, want)
		}
	}
}

// Guarantee 3, from above and from the side.
func TestPaintOrder(t *testing.T) {
	low, middle, high := flat(0, 0, 9, 9, 0, red), flat(2, 2, 7, 7, 1, green), flat(3, 3, 8, 8, 2, blue)
	want := "#f00 #0f0 #00f"
	for _, list := range []*draw.List{listOf(low, middle, high), listOf(high, middle, low), listOf(middle, high, low)} {
		for _, tilt := range []float64{0, 0.5, 1} {
			if got := strings.Join(fills(write(t, list, draw.View{Tilt: tilt, Width: 300})), " "); got != want {
				t.Errorf("tilt %g: %s, want %s", tilt, got, want)
			}
		}
	}
	// Depth in the middle is not enough: a long ramp reaches above a plate with a higher middle.
	ramp := flat(0, 0, 100, 10, 0, red)
	for i := range ramp {
		for k := range ramp[i].P {
			ramp[i].P[k].Y = ramp[i].P[k].X / 10
		}
	}
	plate := flat(80, 2, 98, 8, 7, green)
	for _, list := range []*draw.List{listOf(ramp, plate), listOf(plate, ramp)} {
		if got := fills(write(t, list, draw.View{Width: 400})); got[len(got)-1] != "#f00" {
			t.Errorf("painted %v, want the ramp last", got)
		}
	}
	// Of equally near items the later is in front.
	if got := fills(write(t, listOf(flat(0, 0, 9, 9, 1, blue), flat(2, 2, 4, 4, 1, red)), draw.View{Width: 400})); got[1] != "#f00" {
		t.Errorf("painted %v", got)
	}
	// A bias counts as nearer.
	biased := flat(2, 2, 4, 4, 0.5, red)
	biased[0].Bias, biased[1].Bias = 1, 1
	if got := fills(write(t, listOf(biased, flat(0, 0, 9, 9, 1, blue)), draw.View{Width: 400})); got[len(got)-1] != "#f00" {
		t.Errorf("with a bias painted %v", got)
	}
}

func TestHiddenShapesAreLeftOut(t *testing.T) {
	list := listOf(flat(2, 2, 7, 7, 0, red), flat(0, 0, 9, 9, 1, blue))
	if got := fills(write(t, list, draw.View{Width: 400})); len(got) != 1 || got[0] != "#00f" {
		t.Errorf("painted %v", got)
	}
	glass := blue
	glass.A = 200
	list = listOf(flat(2, 2, 7, 7, 0, red), flat(0, 0, 9, 9, 1, glass))
	if got := fills(write(t, list, draw.View{Width: 400})); len(got) != 2 {
		t.Errorf("under glass painted %v", got)
	}
}

// Strips narrower than a sample place lie side by side in one plane: each is drawn, though its neighbours
// cover all its places too.
func TestThinNeighboursAreDrawn(t *testing.T) {
	list := &draw.List{}
	const strips = 40
	for i := range strips {
		x := 0.001 * float64(i)
		a, b := geom.FromGround(x, 0, 0), geom.FromGround(x+0.001, 0, 0)
		c, d := geom.FromGround(x+0.001, 1, 0), geom.FromGround(x, 1, 0)
		fill := draw.Color{R: uint8(6 * i), G: uint8(5 * (i % 2)), B: 9, A: 255}
		list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{a, b, c}, Fill: fill}, draw.Triangle{P: [3]geom.Vec{a, c, d}, Fill: fill})
	}
	var b bytes.Buffer
	if err := Write(&b, list, draw.View{Width: 2000, Height: 2000}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "<path"); n != strips {
		t.Errorf("%d of %d strips are drawn", n, strips)
	}
}

// Three beams on each other in a circle are cut, until every beam is in front in the right place.
func TestCirclesAreCut(t *testing.T) {
	beam := func(x0, y0, x1, y1, from, to float64, fill draw.Color) []draw.Triangle {
		out := flat(x0, y0, x1, y1, 0, fill)
		for i := range out {
			for k := range out[i].P {
				x, y := geom.Ground(out[i].P[k])
				t := ((x - x0) + (y - y0)) / ((x1 - x0) + (y1 - y0))
				out[i].P[k].Y = from + t*(to-from)
			}
		}
		return out
	}
	// Each beam starts below its predecessor and ends above its successor.
	list := listOf(
		beam(0, 2, 10, 3, 0, 2, red),
		beam(7, 0, 8, 10, 2, 0, green),
		beam(0, 7, 10, 8, 2, 0.2, blue),
		beam(2, 0, 3, 10, 1.9, 0.1, draw.Color{R: 255, G: 255, A: 255}),
	)
	camera, err := draw.NewCamera(list, draw.View{Width: 400})
	if err != nil {
		t.Fatal(err)
	}
	whole := collect(camera, list)
	items := arrange(camera, whole)
	if len(items) <= len(whole) {
		t.Errorf("%d shapes became %d items: nothing was cut", len(whole), len(items))
	}
	// Paint the items on the sample grid and compare with the nearest item there.
	g := newGrid(camera)
	painted := make([]draw.Color, g.columns*g.rows)
	nearest := make([]float64, g.columns*g.rows)
	want := make([]draw.Color, g.columns*g.rows)
	for i := range nearest {
		nearest[i] = math.Inf(-1)
	}
	for i := range items {
		for _, touch := range g.meet(&items[i], 0, nil) {
			painted[touch.place] = items[i].color
			if touch.depth >= nearest[touch.place] {
				nearest[touch.place], want[touch.place] = touch.depth, items[i].color
			}
		}
	}
	wrong, all := 0, 0
	for i := range want {
		if want[i].A != 0 {
			all++
			if painted[i] != want[i] {
				wrong++
			}
		}
	}
	if all < 10000 || wrong > all/500 {
		t.Errorf("%d of %d sample places show the wrong beam", wrong, all)
	}
}

// Guarantee 4.
func TestLinesEndWhereTheyAreHidden(t *testing.T) {
	list := listOf(flat(0, 0, 10, 10, 0, red), flat(4, 0, 6, 10, 2, green))
	list.Lines = []draw.Line{
		{P: []geom.Vec{geom.FromGround(1, 5, 1), geom.FromGround(9, 5, 1)}, Color: blue, Width: 3},
		{P: []geom.Vec{geom.FromGround(1, 6, 1), geom.FromGround(9, 6, 1)}, Color: blue, Width: 2, OnTop: true},
		{P: []geom.Vec{geom.FromGround(1, 7, 3), geom.FromGround(5, 7, 3), geom.FromGround(9, 7, 3)}, Color: blue, Width: 1},
		{P: []geom.Vec{geom.FromGround(5, 8, 1), geom.FromGround(5, 9, 1)}, Color: blue, Width: 7},
	}
	view := draw.View{Width: 1000, Height: 1000}
	camera, _ := draw.NewCamera(list, view)
	var lines []element
	for _, e := range write(t, list, view) {
		if e.name == "path" && e.attr["stroke"] == "#00f" {
			lines = append(lines, e)
		}
	}
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3: the last one is hidden", len(lines))
	}
	starts := strings.Split(lines[0].attr["d"], "M")[1:]
	if len(starts) != 2 {
		t.Fatalf("the hidden line has %d stretches: %s", len(starts), lines[0].attr["d"])
	}
	reach := func(d string) (from, to float64) {
		f := strings.Fields(strings.NewReplacer("l", " ", "-", " -").Replace(d))
		from, _ = strconv.ParseFloat(f[0], 64)
		to = from
		for i := 2; i < len(f); i += 2 {
			v, _ := strconv.ParseFloat(f[i], 64)
			to += v
		}
		return from, to
	}
	for i, want := range [][2]float64{{1, 4}, {6, 9}} {
		from, to := reach(starts[i])
		x0, _, _ := camera.Pixel(geom.FromGround(want[0], 0, 0))
		x1, _, _ := camera.Pixel(geom.FromGround(want[1], 0, 0))
		if math.Abs(from-x0) > 2 || math.Abs(to-x1) > 2 {
			t.Errorf("stretch %d from %g to %g, want %g to %g", i, from, to, x0, x1)
		}
	}
	for _, l := range lines[1:] {
		if strings.Count(l.attr["d"], "M") != 1 {
			t.Errorf("a line that nothing hides is cut: %s", l.attr["d"])
		}
	}
}

func TestDiscsAndDots(t *testing.T) {
	list := listOf(flat(0, 0, 10, 10, 1, red))
	at := func(x, h float64) geom.Vec { return geom.FromGround(x, 5, h) }
	list.Points = []draw.Point{
		{P: at(2, 1), Color: blue, Radius: 4},
		{P: at(4, 0), Color: blue, Radius: 5}, // hidden
		{P: at(6, 0), Color: blue, Radius: 6, OnTop: true},
		{P: at(8, 0), Color: blue, Radius: 7, Bias: 2},
	}
	list.Lines = []draw.Line{{P: []geom.Vec{at(5, 3)}, Color: green, Width: 3}}
	var radii []string
	dots := 0
	for _, e := range write(t, list, draw.View{Width: 400}) {
		if e.name == "circle" {
			radii = append(radii, e.attr["r"])
		}
		if e.attr["stroke"] == "#0f0" && strings.HasSuffix(e.attr["d"], "l0 0") {
			dots++
		}
	}
	if strings.Join(radii, " ") != "4 6 7" || dots != 1 {
		t.Errorf("circles %v, dots %d", radii, dots)
	}
}

func TestLabelsAreEscaped(t *testing.T) {
	list := &draw.List{Labels: []draw.Label{
		{Text: `a<b & "c">d`, Color: blue}, {Text: "x\x00\x01\ufffe\xffy"}, {P: geom.Vec{X: math.NaN()}, Text: "nowhere"},
	}}
	var texts []string
	for _, e := range write(t, list, draw.View{Width: 400}) {
		if e.name == "text" {
			texts = append(texts, e.text)
		}
	}
	if len(texts) != 2 || texts[0] != `a<b & "c">d` || texts[1] != "x????y" {
		t.Errorf("%q", texts)
	}
}

// Text with a size is set as specified, remarks are as before.
func TestPrintedText(t *testing.T) {
	at := geom.FromGround(1, 1, 0)
	list := &draw.List{Labels: []draw.Label{
		{P: at, Text: "remark"},
		{P: at, Text: "a<b", Size: 21, Bold: true, Align: draw.AlignMiddle},
		{P: at, Text: "up", Size: 12.346, Turned: true, Align: draw.AlignEnd},
		{P: at, Text: "huge", Size: 1e9},
	}}
	var b bytes.Buffer
	if err := Write(&b, list, draw.View{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		`>remark</text>`, `font-weight="bold" text-anchor="middle" font-size="21"`, `>a&lt;b</text>`,
		`rotate(-90)" text-anchor="end" font-size="12.35"`, `>up</text>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "huge") || strings.Count(text, "paint-order") != 1 {
		t.Errorf("%s", text)
	}
}

func TestScaleBar(t *testing.T) {
	list := listOf(flat(0, 0, 50, 50, 0, red))
	view := draw.View{Width: 500, Height: 500, ScaleBar: true}
	camera, _ := draw.NewCamera(list, view)
	found := false
	for _, e := range write(t, list, view) {
		if e.name == "text" {
			found = e.text == fmt.Sprintf("%g m", camera.Bar())
		}
	}
	if !found {
		t.Error("no length")
	}
}

// Guarantee 1.
func TestWriteIsDeterministic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	place := func() geom.Vec { return geom.Vec{X: 10 * r.Float64(), Y: 3 * r.Float64(), Z: 10 * r.Float64()} }
	tint := func() draw.Color {
		return draw.Color{R: uint8(r.Uint32()), G: uint8(r.Uint32()), B: uint8(r.Uint32()), A: []uint8{255, 255, 90}[r.IntN(3)]}
	}
	var list draw.List
	for range 100 {
		a, b, c := place(), place(), place()
		list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{a, b, c}, Fill: tint(), Lit: r.IntN(2) == 0, OneSided: r.IntN(5) == 0})
		list.Lines = append(list.Lines, draw.Line{P: []geom.Vec{a, c}, Color: tint(), Width: 4 * r.Float64()})
		list.Points = append(list.Points, draw.Point{P: b, Color: tint(), Radius: 4 * r.Float64()})
	}
	view := draw.View{Yaw: 1, Tilt: 0.8, Width: 200}
	var first, second bytes.Buffer
	if err := errors.Join(Write(&first, &list, view), Write(&second, &list, view)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two runs differ")
	}
	parse(t, first.Bytes())
}

func TestBadItemsAreLeftOut(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	list := listOf(flat(2, 2, 8, 8, 0, red))
	view := draw.View{Focus: geom.Box{Min: geom.FromGround(0, 10, 0), Max: geom.FromGround(10, 0, 0)}}
	var want, got bytes.Buffer
	if err := Write(&want, list, view); err != nil {
		t.Fatal(err)
	}
	for _, v := range []geom.Vec{{X: nan}, {Y: inf}, {Z: -inf}, {X: 1e300}} {
		list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{{}, {X: 1}, v}, Fill: blue})
		list.Lines = append(list.Lines, draw.Line{P: []geom.Vec{v, v}, Color: blue, Width: 3})
		list.Points = append(list.Points, draw.Point{P: v, Color: blue, Radius: 3})
	}
	a, b := geom.FromGround(1, 1, 0), geom.FromGround(9, 1, 0)
	list.Lines = append(list.Lines, draw.Line{Color: blue, Width: 3}, draw.Line{P: []geom.Vec{a, b}, Width: 3},
		draw.Line{P: []geom.Vec{a, b}, Color: blue, Width: nan}, draw.Line{P: []geom.Vec{a, b}, Color: blue, Width: inf})
	list.Points = append(list.Points, draw.Point{P: a, Color: blue, Radius: nan}, draw.Point{P: a, Radius: 3})
	list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{a, a, b}, Fill: blue}, draw.Triangle{P: [3]geom.Vec{a, b, {}}})
	if err := Write(&got, list, view); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("bad items are seen:\n%s\nwant\n%s", got.Bytes(), want.Bytes())
	}
}

// failing fails after some bytes.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteReportsFailures(t *testing.T) {
	list := &draw.List{}
	for i := range 3000 {
		list.Append(listOf(flat(float64(i), 0, float64(i)+0.5, 1, 0, draw.Color{R: uint8(i), A: 255})))
	}
	for _, left := range []int{0, 70000} {
		if err := Write(&failing{left}, list, draw.View{}); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", left, err)
		}
	}
	if err := Write(io.Discard, list, draw.View{Width: 1 << 20}); err == nil {
		t.Error("a huge picture is drawn")
	}
	if err := Write(io.Discard, list, draw.View{Tilt: -1}); err == nil {
		t.Error("a view from below is drawn")
	}
}

func BenchmarkWrite(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var list draw.List
	for range 5000 {
		x, y, h := 100*r.Float64(), 100*r.Float64(), 3*r.Float64()
		list.Triangles = append(list.Triangles, flat(x, y, x+2, y+2, h, draw.Color{R: uint8(r.Uint32()), A: 255})...)
	}
	var size int
	for b.Loop() {
		var out bytes.Buffer
		if err := Write(&out, &list, draw.View{Yaw: 0.6, Tilt: 0.9}); err != nil {
			b.Fatal(err)
		}
		size = out.Len()
	}
	if size < 10000 {
		b.Fatalf("%d bytes", size)
	}
	b.ReportMetric(float64(size), "bytes")
}
