package png

import (
	"image"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
)

// inked is the box around everything that is not white.
func inked(img *image.RGBA) image.Rectangle {
	var box image.Rectangle
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if c := img.RGBAAt(x, y); c.R < 160 || c.G < 160 || c.B < 160 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// printed sets a text with its point at (50, 50).
func printed(t *testing.T, l draw.Label) image.Rectangle {
	t.Helper()
	l.P, l.Color = geom.FromGround(5, 5, 0), draw.Color{A: 255}
	return inked(picture(t, &draw.List{Labels: []draw.Label{l}}, tenByTen))
}

func TestPrintedTextIsWhereItIsAsked(t *testing.T) {
	const size = 20
	width := regular().width("HI", size)
	about := func(name string, got int, want float64) {
		t.Helper()
		if math.Abs(float64(got)-want) > 3 {
			t.Errorf("%s at %d, want about %g", name, got, want)
		}
	}
	start := printed(t, draw.Label{Text: "HI", Size: size})
	about("left", start.Min.X, 50)
	about("right", start.Max.X, 50+width)
	about("baseline", start.Max.Y, 50)
	if h := start.Dy(); h < size*6/10 || h > size {
		t.Errorf("capitals are %d pixels high", h)
	}
	middle := printed(t, draw.Label{Text: "HI", Size: size, Align: draw.AlignMiddle})
	about("left of centred text", middle.Min.X, 50-width/2)
	end := printed(t, draw.Label{Text: "HI", Size: size, Align: draw.AlignEnd})
	about("right of text that ends", end.Max.X, 50)
	turned := printed(t, draw.Label{Text: "HI", Size: size, Turned: true})
	about("top of turned text", turned.Min.Y, 50-width)
	about("baseline of turned text", turned.Max.X, 50)
	if turned.Dx() != start.Dy() || turned.Dy() != start.Dx() {
		t.Errorf("turned text is %v, upright %v", turned, start)
	}
	if bold := printed(t, draw.Label{Text: "HI", Size: size, Bold: true}); bold.Dx() <= start.Dx() {
		t.Errorf("bold text is %v, regular %v", bold, start)
	}
}

// Every letter of labels has its own outline, including composite letters.
func TestLettersHaveOutlines(t *testing.T) {
	for name, face := range map[string]*typeface{"regular": regular(), "bold": bold()} {
		for _, r := range "ABCXYZabcxyz0189+-*/()%.,:;°×·²³⁴⁵⁻αΔéÄßñ≤≥m" {
			g := face.letter(r)
			points, open := 0, 0
			face.outline(string(r), 100, func(op byte, p [4]float64) {
				switch op {
				case moveTo:
					open++
				case closePath:
					open--
				}
				points++
				for _, v := range p {
					if !(math.Abs(v) <= 150) {
						t.Errorf("%s %c: a point at %v", name, r, p)
					}
				}
			})
			if g == 0 || points < 4 || open != 0 || !(face.advance(g) > 0.1 && face.advance(g) < 1.2) {
				t.Errorf("%s %c: letter %d, %d points, %d rings open, advance %g", name, r, g, points, open, face.advance(g))
			}
		}
		if face.letter('☃') != 0 || face.letter(0x1f600) != 0 || face.letter(-1) != 0 {
			t.Errorf("%s: letters that no font has", name)
		}
	}
}

// Text of any size anywhere is drawn as far as it is in the picture.
func TestPrintedTextIsClipped(t *testing.T) {
	for _, size := range []float64{0.01, 90, 1000, 1e9, math.Inf(1)} {
		for _, p := range []geom.Vec{geom.FromGround(0, 0, 0), geom.FromGround(-3, 9.9, 0), geom.FromGround(20, 5, 0)} {
			for _, turned := range []bool{false, true} {
				img := picture(t, &draw.List{Labels: []draw.Label{{P: p, Text: "Wide☃ Ä", Size: size, Turned: turned, Align: draw.AlignMiddle}}}, tenByTen)
				if img.Rect.Dx() != 100 {
					t.Fatal("no picture")
				}
			}
		}
	}
	if box := printed(t, draw.Label{Text: "H", Size: 400}); box.Dy() != 51 && box.Dy() != 50 {
		t.Errorf("a letter higher than the picture shows %v", box)
	}
}
