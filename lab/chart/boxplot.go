package chart

import (
	"math"

	"github.com/meadow-nav/meadow/draw"
)

// BoxPlot is a diagram of distributions side by side.
type BoxPlot struct {
	Title string
	// Values names the y axis.
	Values string
	Scale  Scale
	Boxes  []Box
}

// Box is a distribution: the box from the first to the third quartile with the median as a line and the mean
// as a dot, whiskers to the least and the greatest value except outliers, outliers as circles, extreme ones
// as asterisks. A NaN median means an empty distribution.
type Box struct {
	Label                           string
	Low, Q1, Median, Q3, High, Mean float64
	Outliers, Extremes              []float64
}

// BoxPlot draws b into r. Overlapping labels are turned.
func (p *Page) BoxPlot(r Rect, b BoxPlot) {
	p.title(r, b.Title)
	pitch := (r.W - 78) / float64(max(len(b.Boxes), 1))
	longest := 0
	for _, box := range b.Boxes {
		longest = max(longest, len([]rune(box.Label)))
	}
	const letter = 0.56 * tickType
	turned := float64(longest+1)*letter > pitch
	below := 28.0
	if turned {
		below = float64(longest)*letter + 14
	}
	plot := r.inset(64, 44, 14, below)
	low, high := math.Inf(1), math.Inf(-1)
	for _, box := range b.Boxes {
		for _, list := range [][]float64{{box.Low, box.High, box.Mean}, box.Outliers, box.Extremes} {
			for _, v := range list {
				if v-v == 0 {
					low, high = min(low, v), max(high, v)
				}
			}
		}
	}
	if low > high {
		low, high = 0, 1
	}
	y := newAxis(b.Scale, low, high, plot.Y+plot.H, plot.Y)
	p.valueAxis(plot, y, b.Values, false)
	width := min(0.56*pitch, 54)
	for i, box := range b.Boxes {
		x := plot.X + pitch*(float64(i)+0.5)
		if turned {
			p.text(x+5, plot.Y+plot.H+8, box.Label, draw.Label{Size: tickType, Align: draw.AlignEnd, Turned: true, Color: ink})
		} else {
			p.text(x, plot.Y+plot.H+20, box.Label, draw.Label{Size: tickType, Align: draw.AlignMiddle, Color: ink})
		}
		if box.Median-box.Median == 0 {
			p.box(x, width, y, &box)
		}
	}
	p.line(ink, 1.5, plot.X, plot.Y+plot.H, plot.X+plot.W, plot.Y+plot.H)
}

func (p *Page) box(x, width float64, y axis, b *Box) {
	half := width / 2
	q1, q3 := y.at(b.Q1), y.at(b.Q3)
	p.fill(Rect{x - half, q3, width, max(q1-q3, 1)}, boxes)
	p.frame(Rect{x - half, q3, width, q1 - q3}, ink, 1.25)
	p.line(ink, 1.25, x, q3, x, y.at(b.High))
	p.line(ink, 1.25, x, q1, x, y.at(b.Low))
	for _, end := range [2]float64{b.Low, b.High} {
		p.line(ink, 1.25, x-half/2, y.at(end), x+half/2, y.at(end))
	}
	p.line(ink, 2.5, x-half, y.at(b.Median), x+half, y.at(b.Median))
	p.dot(x, y.at(b.Mean), 3.5, accent)
	apart := y.distinct(b.Outliers)
	for _, v := range apart {
		p.ring(x, y.at(v), 3.5, grey)
	}
	for _, v := range y.distinct(b.Extremes) {
		p.asterisk(x, y.at(v))
	}
}

// distinct drops values on the same pixel as the value before.
func (a *axis) distinct(rising []float64) []float64 {
	var out []float64
	for _, v := range rising {
		if len(out) == 0 || math.Abs(a.at(v)-a.at(out[len(out)-1])) >= 1 {
			out = append(out, v)
		}
	}
	return out
}

func (p *Page) asterisk(x, y float64) {
	for k := range 3 {
		sin, cos := math.Sincos(math.Pi * (float64(k)/3 + 0.5))
		dx, dy := 4.5*cos, 4.5*sin
		p.line(grey, 1.25, x-dx, y-dy, x+dx, y+dy)
	}
}
