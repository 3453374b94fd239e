package png

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"

	"github.com/meadow-nav/meadow/draw"
)

// label writes a text: a remark to the right of its place, with a light rim for contrast, a text with a size
// as specified.
func (s *scene) label(img *image.RGBA, l *draw.Label) {
	x, y, _ := s.camera.Pixel(l.P)
	w, h := float64(s.camera.Width), float64(s.camera.Height)
	if !(x > -w && x < 2*w && y > -h && y < 2*h) {
		return
	}
	if l.Size > 0 {
		printText(img, l, x, y)
		return
	}
	x, y = s.camera.Remark(l)
	write(img, l.Text, int(math.Round(x)), int(math.Round(y)), l.Color)
}

// write sets text with its baseline starting at (x, y).
func write(img *image.RGBA, text string, x, y int, c draw.Color) {
	set := func(dx, dy int, c draw.Color) {
		d := font.Drawer{
			Dst: img, Face: inconsolata.Bold8x16, Dot: fixed.P(x+dx, y+dy),
			Src: image.NewUniform(color.NRGBA{c.R, c.G, c.B, c.A}),
		}
		d.DrawString(text)
	}
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if dx != 0 || dy != 0 {
				set(dx, dy, draw.Color{R: 255, G: 255, B: 255, A: 170})
			}
		}
	}
	set(0, 0, c)
}

// scaleBar draws a bar with its length in the lower left corner, if the picture has room for it.
func (s *scene) scaleBar(img *image.RGBA) {
	metres := s.camera.Bar()
	length := int(math.Round(metres * s.camera.Scale))
	const left, thick, tick = 20, 3, 9
	bottom := s.camera.Height - 20
	if length < 8 || left+length+8 > s.camera.Width || bottom < 40 {
		return
	}
	ink := draw.Color{R: 38, G: 40, B: 46, A: 255}
	bar := func(x0, y0, x1, y1 int, c color.RGBA) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				img.SetRGBA(x, y, c)
			}
		}
	}
	dark := color.RGBA{ink.R, ink.G, ink.B, 255}
	light := color.RGBA{255, 255, 255, 255}
	bar(left-1, bottom-thick-1, left+length+1, bottom+1, light)
	bar(left, bottom-thick, left+length, bottom, dark)
	for _, x := range []int{left, left + length - thick} {
		bar(x, bottom-tick, x+thick, bottom, dark)
	}
	write(img, fmt.Sprintf("%g m", metres), left+8, bottom-thick-6, ink)
}
