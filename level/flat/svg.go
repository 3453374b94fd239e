package flat

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/meadow-nav/meadow/level/internal/input"
)

// svgReader reads the shapes of an SVG file.
type svgReader struct {
	sketch
	tolerance float64 // in units of the file
	room      int     // points that the map may still have
	left      map[string]int
	leftOrder []string
}

// svgState is the state that an element passes to the elements inside.
type svgState struct {
	to       affine
	obstacle bool
	filled   bool
	labels   []string // the names of the element and of all around it, the nearest first
}

// decodeSVG reads the filled shapes of an SVG file: each is a shape of the map, even-odd inside.
func decodeSVG(data []byte, opt Options) (drawing, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	if err := checkXML(data); err != nil {
		return nil, err
	}
	r := &svgReader{
		sketch:    sketch{scale: opt.Scale, down: true, limits: opt.Limits},
		tolerance: opt.Tolerance / opt.Scale,
		room:      opt.Limits.Triangles,
		left:      map[string]int{},
	}
	if err := r.read(data); err != nil {
		return nil, err
	}
	for _, name := range r.leftOrder {
		r.warn.Addf("svg: <%s> left out, %d times", name, r.left[name])
	}
	return r, nil
}

// containers pass their state to the elements inside.
var containers = map[string]bool{"g": true, "a": true, "switch": true}

// passedOver are elements without areas, at any depth inside.
var passedOver = map[string]bool{
	"defs": true, "style": true, "title": true, "desc": true, "metadata": true, "namedview": true, "script": true,
	"clipPath": true, "mask": true, "symbol": true, "marker": true, "pattern": true, "filter": true,
	"linearGradient": true, "radialGradient": true, "view": true,
}

// read goes through the elements.
func (r *svgReader) read(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	states := []svgState{{to: identity, filled: true}}
	root := false
	for {
		line, _ := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if !root {
				return errors.New("no <svg> in the file")
			}
			return nil
		}
		if err != nil {
			return xmlError(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			if !root {
				if name != "svg" {
					return fmt.Errorf("line %d: root element <%s>; want <svg>", line, name)
				}
				root = true
				if err := r.readPage(e); err != nil {
					return fmt.Errorf("line %d: <svg>: %w", line, err)
				}
				states = append(states, states[0])
				continue
			}
			where := fmt.Sprintf("line %d: <%.80s>", line, name)
			state, shown, err := inherit(states[len(states)-1], e)
			if err != nil {
				return fmt.Errorf("%s: %w", where, err)
			}
			if len(states) > maxDepth+2 {
				return fmt.Errorf("%s: nested deeper than %d groups", where, maxDepth)
			}
			if shown && containers[name] {
				states = append(states, state)
				continue
			}
			if shown && !passedOver[name] {
				if err := r.shape(e, where, state); err != nil {
					return fmt.Errorf("%s: %w", where, err)
				}
			}
			if err := d.Skip(); err != nil {
				return xmlError(err)
			}
		case xml.EndElement:
			states = states[:len(states)-1]
		}
	}
}

// xmlError says the line first, as all messages do.
func xmlError(err error) error {
	if fault := (*xml.SyntaxError)(nil); errors.As(err, &fault) {
		return fmt.Errorf("line %d: %s", fault.Line, fault.Msg)
	}
	return err
}

// attribute returns an attribute of e; a declaration in its style takes precedence.
func attribute(e xml.StartElement, name string) string {
	value := ""
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "style":
			for _, declaration := range strings.Split(a.Value, ";") {
				if key, v, ok := strings.Cut(declaration, ":"); ok && strings.TrimSpace(key) == name {
					return strings.TrimSpace(v)
				}
			}
		case name:
			value = strings.TrimSpace(a.Value)
		}
	}
	return value
}

// inherit returns the state inside of an element, and whether it is shown at all.
func inherit(s svgState, e xml.StartElement) (state svgState, shown bool, err error) {
	var labels []string
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "transform":
			t, err := parseTransform(a.Value)
			if err != nil {
				return s, false, err
			}
			s.to = s.to.times(t)
		case "id", "label":
			s.obstacle = s.obstacle || isObstacleName(a.Value)
			labels = append(labels, a.Value)
		case "class":
			for _, class := range strings.Fields(a.Value) {
				s.obstacle = s.obstacle || isObstacleName(class)
				labels = append(labels, class)
			}
		}
	}
	s.labels = nearest(append(labels, s.labels...))
	if fill := attribute(e, "fill"); fill != "" && fill != "inherit" {
		s.filled = fill != "none"
	}
	return s, attribute(e, "display") != "none", nil
}

// length reads an attribute as a length in user units; a missing attribute is 0.
func length(e xml.StartElement, name string) (float64, error) {
	text := strings.TrimSpace(attribute(e, name))
	if text == "" {
		return 0, nil
	}
	w := words{text: strings.TrimSuffix(text, "px")}
	v, err := w.number()
	if err != nil || w.at != len(w.text) {
		return 0, fmt.Errorf("invalid %s %.20q; want a length in user units", name, text)
	}
	return v, nil
}

// lengths reads several attributes.
func lengths(e xml.StartElement, names ...string) ([]float64, error) {
	out := make([]float64, len(names))
	for i, name := range names {
		v, err := length(e, name)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// readPage reads the extent of the drawing: the viewBox, else width and height.
func (r *svgReader) readPage(e xml.StartElement) error {
	var x, y, width, height float64
	if text := attribute(e, "viewBox"); text != "" {
		w := words{text: text}
		if err := w.numbers(&x, &y, &width, &height); err != nil {
			return fmt.Errorf("viewBox: %w", err)
		}
	} else {
		// A size in millimetres or percent says nothing in user units: then there is no page.
		if size, err := lengths(e, "width", "height"); err == nil {
			width, height = size[0], size[1]
		}
	}
	if width > 0 && height > 0 {
		r.page = []point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}
	}
	return nil
}

// shape reads an element that may have an area.
func (r *svgReader) shape(e xml.StartElement, where string, state svgState) error {
	draw := shapes[e.Name.Local]
	if draw == nil || !state.filled {
		name := e.Name.Local
		if draw != nil {
			name += " fill=none"
		}
		switch n := r.left[name]; {
		case n > 0:
			r.left[name]++
		case len(r.leftOrder) <= input.MostWarnings:
			r.left[name] = 1
			r.leftOrder = append(r.leftOrder, name)
		}
		return nil
	}
	p := &pen{tolerance: r.tolerance, far: farAway / r.scale, to: state.to, room: r.room, limits: r.limits}
	if err := draw(p, e); err != nil {
		return err
	}
	rings, err := p.done()
	if err != nil {
		return err
	}
	r.room = p.room
	if len(rings) == 0 {
		return nil
	}
	if id := attribute(e, "id"); id != "" {
		where = strings.TrimSuffix(where, ">") + fmt.Sprintf(" id=%.80q>", id)
	}
	r.features = append(r.features, feature{where: where, obstacle: state.obstacle, rings: rings, labels: state.labels})
	return nil
}

// shapes draw the elements with areas.
var shapes = map[string]func(*pen, xml.StartElement) error{
	"path": func(p *pen, e xml.StartElement) error { return p.path(attribute(e, "d")) },
	"rect": drawRect,
	"circle": func(p *pen, e xml.StartElement) error {
		v, err := lengths(e, "cx", "cy", "r")
		if err != nil {
			return err
		}
		return drawEllipse(p, point{v[0], v[1]}, v[2], v[2])
	},
	"ellipse": func(p *pen, e xml.StartElement) error {
		v, err := lengths(e, "cx", "cy", "rx", "ry")
		if err != nil {
			return err
		}
		return drawEllipse(p, point{v[0], v[1]}, v[2], v[3])
	},
	"polygon":  drawPolygon,
	"polyline": drawPolygon,
}

func drawEllipse(p *pen, center point, rx, ry float64) error {
	if rx < 0 || ry < 0 {
		return fmt.Errorf("a radius of %g is negative", min(rx, ry))
	}
	if rx > 0 && ry > 0 {
		p.ellipse(center, rx, ry)
	}
	return nil
}

// drawRect draws a rectangle, perhaps with rounded corners.
func drawRect(p *pen, e xml.StartElement) error {
	v, err := lengths(e, "x", "y", "width", "height", "rx", "ry")
	if err != nil {
		return err
	}
	x, y, w, h, rx, ry := v[0], v[1], v[2], v[3], v[4], v[5]
	if min(w, h, rx, ry) < 0 {
		return fmt.Errorf("a size of %g is negative", min(w, h, rx, ry))
	}
	if w == 0 || h == 0 {
		return nil
	}
	switch {
	case attribute(e, "rx") == "":
		rx = ry
	case attribute(e, "ry") == "":
		ry = rx
	}
	rx, ry = min(rx, w/2), min(ry, h/2)
	if rx == 0 || ry == 0 {
		p.move(point{x, y})
		p.line(point{x + w, y})
		p.line(point{x + w, y + h})
		p.line(point{x, y + h})
		return nil
	}
	p.move(point{x + rx, y})
	p.line(point{x + w - rx, y})
	for _, c := range []struct{ center, from, to, next point }{
		{point{x + w - rx, y + ry}, point{0, -1}, point{1, 0}, point{x + w, y + h - ry}},
		{point{x + w - rx, y + h - ry}, point{1, 0}, point{0, 1}, point{x + rx, y + h}},
		{point{x + rx, y + h - ry}, point{0, 1}, point{-1, 0}, point{x, y + ry}},
		{point{x + rx, y + ry}, point{-1, 0}, point{0, -1}, point{x + rx, y}},
	} {
		m := affine{rx, 0, 0, ry, c.center.x, c.center.y}
		p.turn(m, c.from, c.to, 1, false, m.apply(c.to))
		p.line(c.next)
	}
	return nil
}

// drawPolygon draws the attribute points.
func drawPolygon(p *pen, e xml.StartElement) error {
	w := words{text: attribute(e, "points")}
	for first := true; ; first = false {
		if w.skip(); w.at == len(w.text) {
			return nil
		}
		var at point
		if err := w.numbers(&at.x, &at.y); err != nil {
			return fmt.Errorf("points: %w", err)
		}
		if first {
			p.move(at)
		} else {
			p.line(at)
		}
	}
}
