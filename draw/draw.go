// Package draw is the display list: triangles, lines and points in world space with colours, independent of
// the medium. Package svg and package png turn a List into a picture; the functions here turn models into a
// List.
package draw

import "github.com/meadow-nav/meadow/geom"

// Color is a non-premultiplied sRGB colour.
type Color struct{ R, G, B, A uint8 }

// List is a display list. Of equally near items the later is drawn over the earlier. The zero List is empty
// and ready to use.
type List struct {
	Triangles []Triangle
	Lines     []Line
	Points    []Point
	Labels    []Label
}

// Triangle is a filled triangle. Lit triangles are shaded by their normal.
type Triangle struct {
	P    [3]geom.Vec
	Fill Color
	Lit  bool
	// OneSided triangles are not drawn when they are seen from behind, clockwise.
	OneSided bool
	// Bias is how much nearer to the viewer, in metres, the triangle counts when hidden parts are decided: with
	// a bias, an overlay that follows a floor only nearly stays visible.
	Bias float64
}

// Line is a polyline. Width is in pixels of the finished picture.
type Line struct {
	P     []geom.Vec
	Color Color
	Width float64
	// OnTop lines are not hidden by triangles in front of them.
	OnTop bool
	// Bias is as in Triangle.
	Bias float64
}

// Point is a disc. Radius is in pixels of the finished picture.
type Point struct {
	P      geom.Vec
	Color  Color
	Radius float64
	// OnTop points are not hidden by triangles in front of them.
	OnTop bool
	// Bias is as in Triangle.
	Bias float64
}

// Label is a short text. Nothing hides it. Without a Size it is a remark beside a point, with a light rim;
// with a Size it is set as in print, with its baseline at the point.
type Label struct {
	P     geom.Vec
	Text  string
	Color Color
	// Size is the size of the type in pixels of the finished picture.
	Size float64
	// Align chooses the part of the text at the point. A remark is beside its point, or with AlignMiddle on it. Bold and Turned
	// count only for text with a Size.
	Align Align
	Bold  bool
	// Turned text reads upwards.
	Turned bool
	// Rank decides which of overlapping remarks is drawn, see [Camera.Legible]; 0 is drawn always.
	Rank float64
}

// Align is the position of a text relative to its point.
type Align uint8

// The alignments.
const (
	AlignStart Align = iota
	AlignMiddle
	AlignEnd
)

// View says from where a List is looked at. The zero View looks straight down, north up.
type View struct {
	// Yaw turns the camera around the vertical, in radians, counter-clockwise from above.
	Yaw float64
	// Tilt is the angle from straight down, 0 to just below π/2.
	Tilt float64
	// Width and Height are the size of the picture in pixels; 0 is 1600 × 1200; if one is 0, the other gives it
	// by the shape of the scene.
	Width, Height int
	Background    Color // the zero Color is white
	// Focus is the part of the world that fills the picture; the zero Box stands for everything.
	Focus geom.Box
	// Shadows asks for the shadows of the sun and of the sky on lit triangles, where the medium can draw them.
	// Shadows take about three times as long.
	Shadows bool
	// ScaleBar asks for a bar in a corner that tells how long some metres are.
	ScaleBar bool
}

// Append adds the items of all the others, in order.
func (l *List) Append(others ...*List) {
	for _, o := range others {
		if o == nil {
			continue
		}
		l.Triangles = append(l.Triangles, o.Triangles...)
		l.Lines = append(l.Lines, o.Lines...)
		l.Points = append(l.Points, o.Points...)
		l.Labels = append(l.Labels, o.Labels...)
	}
}
