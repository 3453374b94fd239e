// Package svg turns a display list into a scalable picture.
//
// Source: the painter's algorithm, with the order of M. Newell, R. Newell and T. Sancha, A Solution to the
// Hidden Surface Problem, ACM 1972: farther things are painted before nearer ones.
//
// Idea: consecutive triangles of the list that touch and look the same are joined to one shape. A coarse grid of
// sample places is laid over the picture; where two shapes meet in a place, the farther must be painted earlier. The
// order of painting respects these demands, and otherwise depth; shapes that hide each other in a circle are first
// cut into smaller ones. Lines and points follow, where no sample place hides them.
//
// Input: any display list. Items with a position that is not finite, or far outside of the
// picture, are left out.
//
// Guarantees:
//
//  1. The file is well-formed XML and the same for the same list and view: TestWriteIsDeterministic.
//
//  2. Triangles with a common edge and colour become one path without the edge: TestNeighboursAreJoined.
//
//  3. Of two shapes that overlap by more than a sample place the nearer one is painted later, when
//     the demands hold no cycle: TestPaintOrder.
//
//  4. A line is drawn where nothing hides it, to a sample place: TestLinesEndWhereTheyAreHidden.
//
//  5. Shapes side by side in one plane are all drawn, however thin: TestThinNeighboursAreDrawn.
//
// Degenerate cases: triangles without area on the picture are left out, and so are shapes hidden in all their
// sample places; an empty list is an empty picture.
//
// Cost: time O(t log t + p log p) for t triangles and p pairs of a triangle and a sample place in it.
//
// Departures: shapes are cut at the middles of their sides and not along each other; circles that remain
// after six rounds are small and painted by depth.
package svg

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/meadow-nav/meadow/draw"
)

// Write draws list as seen in view, as an SVG file. It fails for a view out of range, a picture that is too
// large, and on an error of w. Shadows are not drawn.
func Write(w io.Writer, list *draw.List, view draw.View) error {
	if w == nil {
		return errors.New("svg: the writer is nil")
	}
	camera, err := draw.NewCamera(list, view)
	if err != nil {
		return err
	}
	out := &writer{Writer: bufio.NewWriterSize(w, 1<<16)}
	out.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`+"\n",
		camera.Width, camera.Height, camera.Width, camera.Height)
	paper := view.Background
	if paper == (draw.Color{}) {
		paper = draw.Color{R: 255, G: 255, B: 255, A: 255}
	}
	out.printf(`<rect width="%d" height="%d"%s/>`+"\n", camera.Width, camera.Height, paint("fill", paper))

	items := arrange(camera, collect(camera, list))
	hidden := newCover(camera, items)
	out.printf(`<g stroke-linejoin="round" stroke-linecap="round" fill="none">` + "\n")
	for i := range items {
		out.shape(&items[i])
	}
	for i := range list.Lines {
		l := &list.Lines[i]
		if seen := stretches(camera, &hidden, l); len(seen) > 0 {
			out.printf(`<path%s stroke-width="%s" d="%s"/>`+"\n", paint("stroke", l.Color), number(l.Width), path(seen, false))
		}
	}
	for i := range list.Points {
		out.disc(camera, &hidden, &list.Points[i])
	}
	out.printf("</g>\n")
	out.labels(camera, list)
	if view.ScaleBar {
		out.scaleBar(camera)
	}
	out.printf("</svg>\n")
	if out.err == nil {
		out.err = out.Flush()
	}
	return out.err
}

// writer keeps its first error.
type writer struct {
	*bufio.Writer
	err error
}

func (w *writer) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.Writer, format, args...)
	}
}

// paint is the attribute name with a colour, and its opacity unless it is 1.
func paint(name string, c draw.Color) string {
	s := fmt.Sprintf(` %s="#%02x%02x%02x"`, name, c.R, c.G, c.B)
	if c.R%17 == 0 && c.G%17 == 0 && c.B%17 == 0 {
		s = fmt.Sprintf(` %s="#%x%x%x"`, name, c.R/17, c.G/17, c.B/17)
	}
	if c.A != 255 {
		s += fmt.Sprintf(` %s-opacity="%s"`, name, number(math.Round(float64(c.A)/255*1000)/1000))
	}
	return s
}

// number writes x with at most two decimals, three below 1, and without needless zeros.
func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// shape writes an item.
func (w *writer) shape(it *item) {
	rings := outline(it.parts)
	if len(rings) == 0 {
		return
	}
	w.printf(`<path%s`, paint("fill", it.color))
	if it.opaque() {
		// A hairline of the same colour closes the seam that would shine through between neighbours.
		w.printf(`%s stroke-width=".5"`, paint("stroke", it.color))
	}
	w.printf(` d="%s"/>`+"\n", path(rings, true))
}

// disc writes a point with a visible middle.
func (w *writer) disc(camera *draw.Camera, c *cover, p *draw.Point) {
	at, depth, ok := see(camera, p.P)
	if !ok || p.Color.A == 0 || !(p.Radius > 0) || p.Radius > 1e4 {
		return
	}
	if !p.OnTop && c.hides(float64(at.x), float64(at.y), depth+p.Bias+onFloor(camera)) {
		return
	}
	w.printf(`<circle cx="%s" cy="%s" r="%s"%s/>`+"\n", number(at.px()), number(at.py()), number(p.Radius), paint("fill", p.Color))
}

// path writes rings as path data: the first point of each in full, the others as steps.
func path(rings [][]spot, closed bool) string {
	var s []byte
	step := func(v int32) {
		if v >= 0 && s[len(s)-1] != 'l' && s[len(s)-1] != 'M' {
			s = append(s, ' ')
		}
		s = strconv.AppendFloat(s, float64(v)/100, 'f', -1, 64)
	}
	for _, ring := range rings {
		s = append(s, 'M')
		step(ring[0].x)
		step(ring[0].y)
		for i := 1; i < len(ring); i++ {
			if i == 1 {
				s = append(s, 'l')
			}
			step(ring[i].x - ring[i-1].x)
			step(ring[i].y - ring[i-1].y)
		}
		if len(ring) == 1 && !closed {
			s = append(s, "l0 0"...) // a dot with the line's round cap
		}
		if closed {
			s = append(s, 'z')
		}
	}
	return string(s)
}

// labels writes the remarks with a light rim, then the texts that have a size.
func (w *writer) labels(camera *draw.Camera, list *draw.List) {
	remarks, printed := 0, 0
	for _, l := range list.Labels {
		if l.Size > 0 {
			printed++
		} else {
			remarks++
		}
	}
	if remarks > 0 {
		w.printf(`<g font-family="sans-serif" font-size="13" paint-order="stroke" stroke="#fff" stroke-width="3" stroke-linejoin="round">` + "\n")
		for _, i := range camera.Legible(list.Labels) {
			l := &list.Labels[i]
			if _, _, ok := see(camera, l.P); ok && !(l.Size > 0) {
				x, y := camera.Remark(l)
				w.printf(`<text x="%s" y="%s"%s>%s</text>`+"\n", number(math.Round(100*x)/100), number(math.Round(100*y)/100), paint("fill", l.Color), escape(l.Text))
			}
		}
		w.printf("</g>\n")
	}
	if printed > 0 {
		w.printf(`<g font-family="Go, Helvetica, Arial, sans-serif">` + "\n")
		for i := range list.Labels {
			if list.Labels[i].Size > 0 {
				w.text(camera, &list.Labels[i])
			}
		}
		w.printf("</g>\n")
	}
}

// text writes a label with a size.
func (w *writer) text(camera *draw.Camera, l *draw.Label) {
	at, _, ok := see(camera, l.P)
	if !ok || l.Size > 1e4 {
		return
	}
	place := fmt.Sprintf(`x="%s" y="%s"`, number(at.px()), number(at.py()))
	if l.Turned {
		place = fmt.Sprintf(`transform="translate(%s %s)rotate(-90)"`, number(at.px()), number(at.py()))
	}
	if l.Bold {
		place += ` font-weight="bold"`
	}
	switch l.Align {
	case draw.AlignMiddle:
		place += ` text-anchor="middle"`
	case draw.AlignEnd:
		place += ` text-anchor="end"`
	}
	w.printf(`<text %s font-size="%s"%s>%s</text>`+"\n", place, number(math.Round(100*l.Size)/100), paint("fill", l.Color), escape(l.Text))
}

// scaleBar draws a bar with its length in the lower left corner.
func (w *writer) scaleBar(camera *draw.Camera) {
	metres := camera.Bar()
	length := metres * camera.Scale
	bottom := float64(camera.Height) - 20
	w.printf(`<path d="M20 %[1]sv8h%[2]sv-8" fill="none" stroke="#26282e" stroke-width="2"/>`+"\n", number(bottom-8), number(math.Round(100*length)/100))
	w.printf(`<text x="28" y="%s" font-family="sans-serif" font-size="13" fill="#26282e">%g m</text>`+"\n", number(bottom-8), metres)
}

// escape makes a text safe inside of an element: markup is escaped, a question mark replaces characters that
// XML cannot hold.
func escape(text string) string {
	out := make([]rune, 0, len(text))
	for _, r := range text {
		switch {
		case r == '&':
			out = append(out, []rune("&amp;")...)
		case r == '<':
			out = append(out, []rune("&lt;")...)
		case r == '>':
			out = append(out, []rune("&gt;")...)
		case r < ' ' && r != '\t' || r == 0xfffe || r == 0xffff || r == 0xfffd:
			out = append(out, '?')
		default:
			out = append(out, r)
		}
	}
	return string(out)
}
