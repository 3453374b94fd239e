package terrain

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/level"
)

// picture makes a PNG of colours, row by row.
func picture(t *testing.T, width int, colors ...color.Color) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, len(colors)/width))
	for i, c := range colors {
		img.Set(i%width, i/width, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const painting = `terrain: 1
groups: [{name: road}, {name: grass}, {name: pond}]
paint:
`

func TestPaintMask(t *testing.T) {
	red, reddish, green := color.NRGBA{255, 0, 0, 255}, color.NRGBA{240, 20, 10, 255}, color.NRGBA{0, 128, 0, 255}
	clear, grey := color.NRGBA{255, 0, 0, 100}, color.NRGBA{120, 120, 120, 255}
	files := fstest.MapFS{"dir/m.png": {Data: picture(t, 3, red, reddish, green, clear, grey, green)}}
	r := parse(t, painting+"  - {mask: dir/m.png, over: [0, 0, 6, 4], legend: {red: road, green: grass, blue: pond}}\n")
	got, told, err := Painter{Files: files}.Paint(strip("x"), r)
	if err != nil {
		t.Fatal(err)
	}
	want := []level.Painted{
		{Area: 1, Rings: [][][2]float64{{{4, -2}, {4, 0}, {0, 0}, {0, -2}}}},
		{Area: 2, Rings: [][][2]float64{{{4, 0}, {4, -2}, {4, -4}, {6, -4}, {6, 0}}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var lines []string
	for _, w := range told {
		lines = append(lines, w.In("f"))
	}
	if d := cmp.Diff([]string{
		`terrain: f:4:5: paint "dir/m.png": 1 of 6 pixels have colours that are not in the legend, such as #787878: they paint nothing`,
		`terrain: f:4:77: paint "dir/m.png": "blue" of the legend is nowhere in the picture: it paints no "pond"`,
	}, lines); d != "" {
		t.Error(d)
	}
}

// TestPaintSplat checks that the heaviest channel of the legend wins, the first of equals, and that without an over the
// level's bounds count.
func TestPaintSplat(t *testing.T) {
	files := fstest.MapFS{"s.png": {Data: picture(t, 4,
		color.NRGBA{200, 10, 0, 255}, color.NRGBA{10, 200, 0, 250}, color.NRGBA{7, 7, 0, 255}, color.NRGBA{0, 0, 255, 255})}}
	r := parse(t, painting+"  - {splat: s.png, legend: {r: road, g: grass}}\n")
	got, told, err := Painter{Files: files}.Paint(strip("x", "y", "z"), r) // 4 m in x, 1 m in z
	if err != nil || len(told) != 0 {
		t.Fatal(err, told)
	}
	if len(got) != 2 || got[0].Area != 1 || got[1].Area != 2 || len(got[0].Rings) != 2 {
		t.Fatalf("got %v", got)
	}
	for _, c := range []struct {
		x    float64
		area int
	}{{0.5, 1}, {1.5, 2}, {2.5, 1}, {3.5, 0}} {
		for _, p := range got {
			if in := winding(p.Rings, c.x, 0.5) == 1; in != (int(p.Area) == c.area) {
				t.Errorf("at %g: area %d: %v", c.x, p.Area, in)
			}
		}
	}
	// Opacity is a weight like the others, and colours are not multiplied by their opacity.
	r = parse(t, painting+"  - {splat: s.png, legend: {a: pond, g: grass}}\n")
	if got, _, err = (Painter{Files: files}).Paint(strip("x"), r); err != nil || len(got) != 1 || got[0].Area != 3 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestPaintMap(t *testing.T) {
	shapes := []Shape{{Names: []string{"Main Street", "highway=primary"}, Rings: box(0, 0, 1)}, {Names: []string{"lawn"}, Rings: box(2, 0, 1)}, {Rings: box(4, 0, 1)}}
	p := Painter{Files: fstest.MapFS{}, Map: func(_ fs.FS, name string) ([]Shape, error) {
		if name != "town.svg" {
			return nil, errors.New("another name")
		}
		return shapes, nil
	}}
	r := parse(t, painting+"  - {map: town.svg, legend: {highway=*: road, \"*street\": pond, none: grass}}\n")
	got, told, err := p.Paint(strip("x"), r)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]level.Painted{{Area: 1, Rings: box(0, 0, 1)}}, got); d != "" {
		t.Error(d)
	}
	var text strings.Builder
	for _, w := range told {
		text.WriteString(w.Text + "\n")
	}
	want := `2 of 3 shapes match nothing in the legend, such as "lawn": they paint nothing
"*street" of the legend matches no shape: it paints no "pond"
"none" of the legend matches no shape: it paints no "grass"
`
	if text.String() != want {
		t.Errorf("got\n%s", text.String())
	}
}

// TestPaintOrder checks that later rules give later patches.
func TestPaintOrder(t *testing.T) {
	red := color.NRGBA{255, 0, 0, 255}
	files := fstest.MapFS{"a.png": {Data: picture(t, 1, red)}, "b.png": {Data: picture(t, 1, red)}}
	r := parse(t, painting+"  - {mask: a.png, legend: {red: pond}}\n  - {mask: b.png, legend: {red: ground}}\n")
	got, _, err := Painter{Files: files}.Paint(strip("x"), r)
	if err != nil || len(got) != 2 || got[0].Area != 3 || got[1].Area != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestPaintErrors(t *testing.T) {
	good := picture(t, 1, color.White)
	huge := bytes.Clone(good)
	copy(huge[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65536 × 65536 in the head
	files := fstest.MapFS{"good.png": {Data: good}, "cut.png": {Data: good[:40]}, "text.png": {Data: []byte("hello, this is no picture")}, "huge.png": {Data: huge}}
	for _, c := range []struct{ paint, want string }{
		{"{mask: none.png, legend: {red: road}}", `terrain: paint "none.png": file does not exist`},
		{"{mask: ../up.png, legend: {red: road}}", `terrain: paint "../up.png": file does not exist`},
		{"{mask: text.png, legend: {red: road}}", `terrain: paint "text.png": png: invalid format: not a PNG file`},
		{"{mask: cut.png, legend: {red: road}}", `terrain: paint "cut.png": unexpected EOF`},
		{"{splat: huge.png, legend: {r: road}}", `terrain: paint "huge.png": `},
		{"{mask: good.png, over: [0, 0, 1e7, 1], legend: {white: road}}", `terrain: paint "good.png": the rectangle from (0, 0) to (1e+07, 1) is larger than 262144 m, or too far away`},
		{"{mask: good.png, over: [0, 0, 1e-9, 1], legend: {white: road}}", `terrain: paint "good.png": 1 × 1 pixels on 1e-09 × 1 m: pixels are finer than`},
		{"{map: a.svg, legend: {x: road}}", `terrain: paint "a.svg": file does not exist`},
	} {
		_, _, err := Painter{Files: files}.Paint(strip("x"), parse(t, painting+"  - "+c.paint+"\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.paint, err, c.want)
		}
	}
	if _, _, err := (Painter{}).Paint(strip("x"), parse(t, painting+"  - {mask: a.png, legend: {red: road}}\n")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without files: %v", err)
	}
}

// TestPixels checks that all kinds of pictures have the same colours.
func TestPixels(t *testing.T) {
	half := color.NRGBA{200, 100, 50, 128}
	full := color.NRGBA{200, 100, 50, 255}
	r := image.Rect(3, 4, 5, 6) // not at the origin
	plain, deep := image.NewNRGBA(r), image.NewNRGBA64(r)
	opaque, clear := image.NewRGBA(r), image.NewRGBA(r)
	few := image.NewPaletted(r, color.Palette{full, color.NRGBA{}, half})
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			plain.Set(x, y, half)
			deep.Set(x, y, half)
			opaque.Set(x, y, full)
			few.Set(x, y, half)
		}
	}
	for _, c := range []struct {
		picture image.Image
		want    color.NRGBA
	}{{plain, half}, {deep, half}, {opaque, full}, {few, half}, {clear, color.NRGBA{}}} {
		l := label(c.picture, func(got color.NRGBA) uint16 {
			if got != c.want {
				t.Errorf("%T: %v, want %v", c.picture, got, c.want)
			}
			return 7
		})
		if l.width != 2 || l.height != 2 || l.get(1, 1) != 7 || l.get(2, 0) != unpainted {
			t.Errorf("%T: %+v", c.picture, l)
		}
	}
}
