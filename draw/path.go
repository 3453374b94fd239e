package draw

import "github.com/meadow-nav/meadow/geom"

// PathOptions say how a path looks. The zero value is a bold red line.
type PathOptions struct {
	Color Color   // the zero Color is red
	Width float64 // pixels, 0 is 5
	// Lift is how far above its points the path is drawn, in metres; 0 is 0.1, negative is none.
	Lift float64
}

var (
	pathRed   = Color{214, 40, 57, 255}
	startMark = Color{28, 126, 72, 255}
	halo      = Color{255, 255, 255, 255}
	ink       = Color{38, 40, 46, 255}
)

// Path draws points as a bold line with a light rim, a green disc at the start and a disc in the
// line's colour at the goal. Where something hides the line, a thin pale one shows through. No
// points draw nothing, a single one draws both discs.
func Path(points []geom.Vec, opt PathOptions) List {
	var list List
	if len(points) == 0 {
		return list
	}
	color, width := opt.Color, opt.Width
	if color == (Color{}) {
		color = pathRed
	}
	if width <= 0 {
		width = 5
	}
	lifted := make([]geom.Vec, len(points))
	for i, p := range points {
		lifted[i] = p.Add(geom.Vec{Y: lift(opt.Lift, 0.1)})
	}
	const bias = 0.3 // the path crosses stairs in the air above the treads and through their noses
	if len(lifted) > 1 {
		faint := color
		faint.A = uint8(int(faint.A) / 3)
		list.Lines = append(list.Lines,
			Line{P: lifted, Color: faint, Width: 0.4 * width, OnTop: true},
			Line{P: lifted, Color: halo, Width: width + 3, Bias: bias},
			Line{P: lifted, Color: color, Width: width, Bias: bias})
	}
	mark := func(p geom.Vec, c Color) {
		list.Points = append(list.Points,
			Point{P: p, Color: halo, Radius: 1.6*width + 2, OnTop: true},
			Point{P: p, Color: c, Radius: 1.6 * width, OnTop: true})
	}
	mark(lifted[0], startMark)
	mark(lifted[len(lifted)-1], color)
	return list
}

// lift resolves an option: 0 is the default, negative is none.
func lift(v, def float64) float64 {
	switch {
	case v == 0:
		return def
	case v < 0:
		return 0
	}
	return v
}

// Note is a remark about a place.
type Note struct {
	At   geom.Vec
	Text string
}

var faultColor = Color{196, 26, 120, 255}

// Faults marks places of faults, each with a disc and its text.
func Faults(notes []Note) List {
	var list List
	for _, n := range notes {
		list.Points = append(list.Points,
			Point{P: n.At, Color: halo, Radius: 7, OnTop: true},
			Point{P: n.At, Color: faultColor, Radius: 5, OnTop: true})
		if n.Text != "" {
			list.Labels = append(list.Labels, Label{P: n.At, Text: n.Text, Color: ink})
		}
	}
	return list
}
