package chart

import (
	"math"
	"strconv"

	"github.com/meadow-nav/meadow/draw"
)

// Histogram is a diagram of counts by group.
type Histogram struct {
	Title string
	// Groups names the x axis, Counts the y axis.
	Groups, Counts string
	Bars           []Bar
}

// Bar is a group of a histogram.
type Bar struct {
	Label string
	Count int
	// Warn marks a bad group.
	Warn bool
}

// The sizes of type in diagrams, in pixels.
const (
	titleType = 21
	labelType = 16
	tickType  = 14
)

// Histogram draws h into r. If there is room, the counts stand above the bars.
func (p *Page) Histogram(r Rect, h Histogram) {
	plot := r.inset(64, 44, 14, 62)
	p.title(r, h.Title)
	most := 1
	for _, b := range h.Bars {
		most = max(most, b.Count)
	}
	y := newAxis(Linear, 0, float64(most), plot.Y+plot.H, plot.Y)
	p.valueAxis(plot, y, h.Counts, true)
	if len(h.Bars) == 0 {
		p.text(plot.X+plot.W/2, plot.Y+plot.H/2, "none", draw.Label{Size: labelType, Align: draw.AlignMiddle, Color: grey})
	}
	pitch := plot.W / float64(max(len(h.Bars), 1))
	width := min(0.78*pitch, 64)
	widest := 1
	for _, b := range h.Bars {
		widest = max(widest, len([]rune(b.Label)))
	}
	// Every k-th label is written, from the last one back, with a letter's room between two.
	every := int(float64(widest+1)*0.56*tickType/pitch) + 1
	for i, b := range h.Bars {
		x := plot.X + pitch*(float64(i)+0.5)
		top := y.at(float64(b.Count))
		color := bars
		if b.Warn {
			color = accent
		}
		p.fill(Rect{x - width/2, top, width, plot.Y + plot.H - top}, color)
		if count := strconv.Itoa(b.Count); b.Count > 0 && pitch > 0.6*tickType*float64(len(count)) {
			p.text(x, top-5, count, draw.Label{Size: tickType, Align: draw.AlignMiddle, Color: ink})
		}
		if (len(h.Bars)-1-i)%every == 0 {
			p.text(x, plot.Y+plot.H+tickType+5, b.Label, draw.Label{Size: tickType, Align: draw.AlignMiddle, Color: ink})
		}
	}
	p.line(ink, 1.5, plot.X, plot.Y+plot.H, plot.X+plot.W, plot.Y+plot.H)
	p.text(plot.X+plot.W/2, plot.Y+plot.H+46, h.Groups, draw.Label{Size: labelType, Align: draw.AlignMiddle, Color: grey})
}

func (p *Page) title(r Rect, title string) {
	p.text(r.X+14, r.Y+24, title, draw.Label{Size: titleType, Bold: true, Color: ink})
}

// valueAxis draws the y axis on the left of a plot: fine lines at round values; whole allows only whole
// numbers.
func (p *Page) valueAxis(plot Rect, y axis, name string, whole bool) {
	last := math.Inf(1)
	for _, v := range y.ticks(5) {
		py := y.at(v)
		if whole && v != math.Trunc(v) || last-py < 1.3*tickType {
			continue
		}
		last = py
		p.gridline(plot.X, py, plot.X+plot.W, py)
		p.text(plot.X-8, py+5, figures(v), draw.Label{Size: tickType, Align: draw.AlignEnd, Color: ink})
	}
	p.text(plot.X-48, plot.Y+plot.H/2, name, draw.Label{Size: labelType, Align: draw.AlignMiddle, Turned: true, Color: grey})
}
