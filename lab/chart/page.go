// Package chart draws diagrams, and sheets on which many meshes stand side by side, as display lists:
// draw/svg and draw/png make pictures of them.
//
// A [Page] is measured in pixels from its upper left corner, with y downwards. It lies flat in the world, a
// metre for a pixel, and a view from straight above shows the page.
package chart

import (
	"math"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
)

// Page is a picture in the making.
type Page struct {
	Width, Height int // pixels
	list          draw.List
}

// Rect is a part of a page.
type Rect struct{ X, Y, W, H float64 }

// inset returns r without a rim.
func (r Rect) inset(left, top, right, bottom float64) Rect {
	return Rect{r.X + left, r.Y + top, r.W - left - right, r.H - top - bottom}
}

// List returns the contents of the page.
func (p *Page) List() *draw.List { return &p.list }

// View returns the view that shows the page pixel by pixel.
func (p *Page) View() draw.View {
	// A picture leaves a margin of 4 % of its shorter side around the focus.
	w, h := float64(p.Width), float64(p.Height)
	rim := 0.04 * math.Min(w, h)
	return draw.View{
		Width: p.Width, Height: p.Height,
		Focus: geom.Box{Min: at(rim, rim, 0), Max: at(w-rim, h-rim, 1)},
	}
}

// at is the place of a pixel; higher things hide lower ones.
func at(x, y, height float64) geom.Vec { return geom.FromGround(x, -y, height) }

// The colours of print.
var (
	ink    = draw.Color{R: 28, G: 32, B: 40, A: 255}
	grey   = draw.Color{R: 104, G: 110, B: 122, A: 255}
	pale   = draw.Color{R: 222, G: 225, B: 230, A: 255}
	bars   = draw.Color{R: 96, G: 148, B: 204, A: 255}
	boxes  = draw.Color{R: 190, G: 213, B: 236, A: 255}
	accent = draw.Color{R: 206, G: 66, B: 58, A: 255}
)

// Heading writes a title and a remark below it into the upper left corner, a rim away from both sides.
func (p *Page) Heading(rim float64, title, remark string) {
	p.text(rim, rim+0.8*sheetTitle, title, draw.Label{Size: sheetTitle, Bold: true, Color: ink})
	p.text(rim, rim+sheetTitle+1.25*sheetRemark, remark, draw.Label{Size: sheetRemark, Color: grey})
}

// text sets a label.
func (p *Page) text(x, y float64, text string, l draw.Label) {
	l.P, l.Text = at(x, y, 4), text
	p.list.Labels = append(p.list.Labels, l)
}

// line draws a polyline through pairs of x and y.
func (p *Page) line(c draw.Color, width float64, xy ...float64) {
	l := draw.Line{Color: c, Width: width, OnTop: true}
	for i := 0; i+1 < len(xy); i += 2 {
		l.P = append(l.P, at(xy[i], xy[i+1], 3))
	}
	p.list.Lines = append(p.list.Lines, l)
}

// gridline draws a fine line behind everything.
func (p *Page) gridline(x0, y0, x1, y1 float64) {
	p.list.Lines = append(p.list.Lines, draw.Line{Color: pale, Width: 1, P: []geom.Vec{at(x0, y0, -1), at(x1, y1, -1)}})
}

// fill paints a rectangle.
func (p *Page) fill(r Rect, c draw.Color) {
	if !(r.W > 0 && r.H > 0) {
		return
	}
	a, b := at(r.X, r.Y, 0), at(r.X+r.W, r.Y, 0)
	d, e := at(r.X+r.W, r.Y+r.H, 0), at(r.X, r.Y+r.H, 0)
	p.list.Triangles = append(p.list.Triangles,
		draw.Triangle{P: [3]geom.Vec{a, e, d}, Fill: c},
		draw.Triangle{P: [3]geom.Vec{a, d, b}, Fill: c})
}

// frame draws the border of a rectangle.
func (p *Page) frame(r Rect, c draw.Color, width float64) {
	p.line(c, width, r.X, r.Y, r.X+r.W, r.Y, r.X+r.W, r.Y+r.H, r.X, r.Y+r.H, r.X, r.Y)
}

// ring draws a small circle, dot a small disc.
func (p *Page) ring(x, y, radius float64, c draw.Color) {
	const sides = 20
	xy := make([]float64, 0, 2*sides+2)
	for i := range sides + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		xy = append(xy, x+float64(radius*cos), y+float64(radius*sin))
	}
	p.line(c, 1.25, xy...)
}

func (p *Page) dot(x, y, radius float64, c draw.Color) {
	p.list.Points = append(p.list.Points, draw.Point{P: at(x, y, 3), Color: c, Radius: radius, OnTop: true})
}

// place is a map from the ground, in metres, to the page.
type place struct {
	scale  float64 // pixels per metre
	x, y   float64 // on the ground: the ground at (px, py) of the page
	px, py float64
}

// put draws a list as seen from straight above at a place and a height; lines are thinner by the
// factor, and labels are left out.
func (p *Page) put(list *draw.List, to place, height, thinner float64) {
	move := func(v geom.Vec) geom.Vec {
		x, y := geom.Ground(v)
		return at(to.px+float64((x-to.x)*to.scale), to.py-float64((y-to.y)*to.scale), height)
	}
	for _, t := range list.Triangles {
		for k := range t.P {
			t.P[k] = move(t.P[k])
		}
		t.Bias = 0
		p.list.Triangles = append(p.list.Triangles, t)
	}
	for _, l := range list.Lines {
		points := make([]geom.Vec, len(l.P))
		for k := range l.P {
			points[k] = move(l.P[k])
		}
		l.P, l.Bias, l.Width = points, 0, l.Width*thinner
		p.list.Lines = append(p.list.Lines, l)
	}
	for _, d := range list.Points {
		d.P, d.Bias, d.Radius = move(d.P), 0, d.Radius*thinner
		p.list.Points = append(p.list.Points, d)
	}
}
