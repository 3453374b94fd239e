package png

import (
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/vector"

	"github.com/meadow-nav/meadow/draw"
)

var (
	regular = sync.OnceValue(func() *typeface { return newTypeface(goregular.TTF) })
	bold    = sync.OnceValue(func() *typeface { return newTypeface(gobold.TTF) })
)

// maxType and maxArea bound the size of type and the area that a text takes, in pixels; larger texts are left
// out.
const (
	maxType = 1000
	maxArea = 1 << 26
)

// printText sets a label with a size: its outlines are filled to fractions of a pixel, so turned text and text
// of every size look the same.
func printText(img *image.RGBA, l *draw.Label, x, y float64) {
	if l.Size > maxType || l.Color.A == 0 {
		return
	}
	face := regular()
	if l.Bold {
		face = bold()
	}
	width := face.width(l.Text, l.Size)
	start := -width * float64(l.Align) / 2
	// The text along (u, v), v downwards from the baseline, as it lies in the picture.
	place := func(u, v float64) (float32, float32) {
		u += start
		if l.Turned {
			return float32(x + v), float32(y - u)
		}
		return float32(x + u), float32(y + v)
	}
	ax, ay := place(-l.Size, -1.2*l.Size)
	bx, by := place(width+l.Size, 0.5*l.Size)
	box := image.Rect(floor(min(ax, bx)), floor(min(ay, by)), floor(max(ax, bx))+1, floor(max(ay, by))+1)
	if !box.Overlaps(img.Rect) || box.Dx()*box.Dy() > maxArea {
		return
	}
	ox, oy := float32(box.Min.X), float32(box.Min.Y)
	pen := vector.NewRasterizer(box.Dx(), box.Dy())
	face.outline(l.Text, l.Size, func(op byte, p [4]float64) {
		px, py := place(p[0], p[1])
		qx, qy := place(p[2], p[3])
		switch op {
		case moveTo:
			pen.MoveTo(px-ox, py-oy)
		case lineTo:
			pen.LineTo(px-ox, py-oy)
		case quadTo:
			pen.QuadTo(px-ox, py-oy, qx-ox, qy-oy)
		default:
			pen.ClosePath()
		}
	})
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
	pen.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	ink := image.NewUniform(color.NRGBA{l.Color.R, l.Color.G, l.Color.B, l.Color.A})
	imagedraw.DrawMask(img, box, ink, image.Point{}, mask, image.Point{}, imagedraw.Over)
}

func floor(x float32) int { return int(math.Floor(float64(x))) }
