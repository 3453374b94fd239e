package flat

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
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
	data      []byte
	sheet     sheet
	ids       map[string]place // of elements that are used
	uses      int              // elements that were read for <use>
	reread    int64            // their bytes
	view      point            // the size of the page, for lengths in percent
	unit      string           // of the first length with a unit of the real world
	perPixel  float64          // units of the drawing, of which each becomes a metre, in a pixel of the page
	notes     []string
}

// place is where an element begins.
type place struct {
	offset int64
	line   int
}

// svgState is the state that an element passes to the elements inside.
type svgState struct {
	to       affine
	obstacle bool
	free     bool // a name says so, which matters for strokes
	filled   bool
	stroked  bool
	width    float64 // of the stroke
	cap      string
	join     string
	miter    float64
	used     int      // how many <use> are around
	labels   []string // the names of the element and of all around it, the nearest first
}

// decodeSVG reads the filled shapes of an SVG file: each is a shape of the map, even-odd inside. Strokes count where
// nothing is filled and a name says what they are.
func decodeSVG(data []byte, in source) (drawing, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	data, err := plainXML(data)
	if err == nil {
		err = checkXML(data)
	}
	if err != nil {
		return nil, err
	}
	r := &svgReader{
		sketch:    sketch{scale: in.Scale, down: true, limits: in.Limits},
		tolerance: in.Tolerance / in.Scale,
		room:      in.Limits.Triangles,
		left:      map[string]int{},
		data:      data,
		ids:       map[string]place{},
		perPixel:  1,
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	for _, name := range r.leftOrder {
		r.warn.Addf("svg: <%s> left out, %d times", name, r.left[name])
	}
	if !in.scaled {
		r.noteSize()
	}
	return r, nil
}

// noteSize notes how large the real lengths of a drawing become, of which each unit is a metre.
func (r *svgReader) noteSize() {
	for _, u := range svgUnits {
		if u.name != r.unit {
			continue
		}
		// A viewBox gives the page units of its own.
		length := float64(u.length * r.perPixel)
		note := fmt.Sprintf("each unit of the drawing is a metre, so that 1 %s becomes %.4g m", u.name, length)
		if math.Abs(length-1) > 1e-6 {
			note += fmt.Sprintf("; --scale %.4g makes 1 %s a metre", 1/length, u.name)
		}
		r.notes = append(r.notes, note)
	}
}

// containers pass their state to the elements inside.
var containers = map[string]bool{"g": true, "a": true, "switch": true}

// passedOver are elements without areas, at any depth inside.
var passedOver = map[string]bool{
	"defs": true, "style": true, "title": true, "desc": true, "metadata": true, "namedview": true, "script": true,
	"clipPath": true, "mask": true, "symbol": true, "marker": true, "pattern": true, "filter": true,
	"linearGradient": true, "radialGradient": true, "view": true,
}

// prepare reads the style sheets, and where the elements with ids begin, if any are used.
func (r *svgReader) prepare() error {
	used := bytes.Contains(r.data, []byte("use"))
	if !used && !bytes.Contains(r.data, []byte("style")) {
		return nil
	}
	d := xml.NewDecoder(bytes.NewReader(r.data))
	for {
		at := d.InputOffset()
		line, _ := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return xmlError(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "style" {
			var text struct {
				Text string `xml:",chardata"`
			}
			if err := d.DecodeElement(&text, &e); err != nil {
				return xmlError(err)
			}
			if r.sheet.addSheet(text.Text) {
				r.warn.Addf("svg: line %d: <style> has rules that are not read: only names of elements, classes and ids select", line)
			}
			continue
		}
		if used {
			for _, a := range e.Attr {
				if _, known := r.ids[a.Value]; a.Name.Local == "id" && !known {
					r.ids[a.Value] = place{at, line}
				}
			}
		}
	}
}

// read goes through the elements.
func (r *svgReader) read() error {
	d := xml.NewDecoder(bytes.NewReader(r.data))
	for {
		line, _ := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return errors.New("no <svg> in the file")
		}
		if err != nil {
			return xmlError(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local != "svg" {
			return fmt.Errorf("line %d: root element <%s>; want <svg>", line, e.Name.Local)
		}
		if err := r.readPage(e); err != nil {
			return fmt.Errorf("line %d: <svg>: %w", line, err)
		}
		return r.inside(d, svgState{to: identity, filled: true, width: 1, miter: 4}, 0, true)
	}
}

// inside reads the elements inside of an element that has begun; before is the number of lines before the text of d. The
// text of the file ends with the element: anything behind is read too, for its faults.
func (r *svgReader) inside(d *xml.Decoder, state svgState, before int, whole bool) error {
	states := []svgState{state}
	for len(states) > 0 || whole {
		line, _ := d.InputPos()
		token, err := d.Token()
		if whole && errors.Is(err, io.EOF) && len(states) == 0 {
			return nil
		}
		if err != nil {
			return xmlError(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if len(states) == 0 {
				if err := d.Skip(); err != nil {
					return xmlError(err)
				}
				continue
			}
			open, err := r.element(d, e, states[len(states)-1], before+line, len(states))
			if err != nil {
				return err
			}
			if open != nil {
				states = append(states, *open)
			}
		case xml.EndElement:
			states = states[:len(states)-1]
		}
	}
	return nil
}

// element reads an element of a line; depth is the number of elements around. For a container, it returns the state of the
// elements inside, which follow; any other element is read to its end.
func (r *svgReader) element(d *xml.Decoder, e xml.StartElement, around svgState, line, depth int) (*svgState, error) {
	name := e.Name.Local
	where := fmt.Sprintf("line %d: <%.80s>", line, name)
	state, shown, err := r.inherit(around, e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	if depth > maxDepth+1 {
		return nil, fmt.Errorf("%s: nested deeper than %d groups", where, maxDepth)
	}
	if shown && containers[name] {
		return &state, nil
	}
	if shown && !passedOver[name] {
		if name == "use" {
			err = r.use(e, state)
		} else {
			err = r.shape(e, where, state)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
	}
	if err := d.Skip(); err != nil {
		return nil, xmlError(err)
	}
	return nil, nil
}

// maxUses bounds the elements that are read for <use>, maxReread their bytes, and maxUsed how many <use> may lie in each
// other.
const (
	maxUses   = 1 << 18
	maxReread = 1 << 27
	maxUsed   = 16
)

// use reads the element that e refers to, moved by x and y.
func (r *svgReader) use(e xml.StartElement, state svgState) error {
	id, ok := strings.CutPrefix(attribute(e, "href"), "#")
	at, known := r.ids[id]
	if !ok || !known {
		r.leave(fmt.Sprintf("use> of <%.40s", attribute(e, "href")))
		return nil
	}
	v, err := r.lengths(e, "x", "y")
	if err != nil {
		return err
	}
	state.to = state.to.times(affine{1, 0, 0, 1, v[0], v[1]})
	if state.used++; state.used > maxUsed {
		return fmt.Errorf("more than %d <use> in each other", maxUsed)
	}
	if r.uses++; r.uses > maxUses || r.reread > maxReread {
		return fmt.Errorf("more than %d elements or %d bytes are read for <use>", maxUses, maxReread)
	}
	d := xml.NewDecoder(bytes.NewReader(r.data[at.offset:]))
	defer func() { r.reread += d.InputOffset() }()
	token, err := d.Token()
	if err != nil {
		return xmlError(err)
	}
	first, ok := token.(xml.StartElement)
	if !ok {
		return fmt.Errorf("#%.40s is no element", id)
	}
	if first.Name.Local != "symbol" && first.Name.Local != "svg" {
		open, err := r.element(d, first, state, at.line, 0)
		if err != nil || open == nil {
			return err
		}
		return r.inside(d, *open, at.line-1, false)
	}
	if state, err = r.fit(first, e, state); err != nil {
		return err
	}
	return r.inside(d, state, at.line-1, false)
}

// fit returns the state inside of a symbol for its use: its viewBox fills the width and height of the use, by the rule of
// preserveAspectRatio's default, or stretched for none.
func (r *svgReader) fit(symbol, use xml.StartElement, state svgState) (svgState, error) {
	state, _, err := r.inherit(state, symbol)
	if err != nil {
		return state, err
	}
	text := attribute(symbol, "viewBox")
	if text == "" {
		return state, nil
	}
	var x, y, width, height float64
	w := words{text: text}
	if err := w.numbers(&x, &y, &width, &height); err != nil {
		return state, fmt.Errorf("viewBox: %w", err)
	}
	size := [2]float64{r.view.x, r.view.y}
	for i, name := range []string{"width", "height"} {
		for _, e := range []xml.StartElement{use, symbol} {
			if attribute(e, name) == "" {
				continue
			}
			if size[i], err = r.length(e, name); err != nil {
				return state, err
			}
			break
		}
	}
	if !(width > 0 && height > 0 && size[0] > 0 && size[1] > 0) {
		return state, nil
	}
	sx, sy := size[0]/width, size[1]/height
	if !strings.HasPrefix(attribute(symbol, "preserveAspectRatio"), "none") {
		sx = min(sx, sy)
		sy = sx
	}
	state.to = state.to.times(affine{sx, 0, 0, sy, float64((size[0]-float64(width*sx))/2) - float64(x*sx), float64((size[1]-float64(height*sy))/2) - float64(y*sy)})
	return state, nil
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

// style returns a property of e: of its style attribute, else of the style sheet, else of its attribute.
func (r *svgReader) style(e xml.StartElement, name string) string {
	if len(r.sheet) == 0 {
		return attribute(e, name)
	}
	plain := ""
	for _, a := range e.Attr {
		if a.Name.Local == name {
			plain = strings.TrimSpace(a.Value)
		}
	}
	own := attribute(e, name)
	if sheet := r.sheet.value(e, name); sheet != "" && own == plain {
		return sheet
	}
	return own
}

// inherit returns the state inside of an element, and whether it is shown at all.
func (r *svgReader) inherit(s svgState, e xml.StartElement) (state svgState, shown bool, err error) {
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
			s.free = s.free || isFreeName(a.Value)
			labels = append(labels, a.Value)
		case "class":
			for _, class := range strings.Fields(a.Value) {
				s.obstacle = s.obstacle || isObstacleName(class)
				s.free = s.free || isFreeName(class)
				labels = append(labels, class)
			}
		}
	}
	s.labels = nearest(append(labels, s.labels...))
	if fill := r.style(e, "fill"); fill != "" && fill != "inherit" {
		s.filled = fill != "none"
	}
	if v := r.style(e, "stroke"); v != "" && v != "inherit" {
		s.stroked = v != "none"
	}
	if v := r.style(e, "stroke-width"); v != "" && v != "inherit" {
		width, err := r.measure("stroke-width", v)
		if err != nil {
			return s, false, err
		}
		if width < 0 {
			return s, false, fmt.Errorf("a stroke-width of %g is negative", width)
		}
		s.width = width
	}
	if v := r.style(e, "stroke-linecap"); v != "" && v != "inherit" {
		s.cap = strings.TrimPrefix(v, "butt")
	}
	if v := r.style(e, "stroke-linejoin"); v != "" && v != "inherit" {
		s.join = v
	}
	if v := r.style(e, "stroke-miterlimit"); v != "" && v != "inherit" {
		w := words{text: v}
		limit, err := w.number()
		if err != nil || !(limit >= 1) {
			return s, false, fmt.Errorf("invalid stroke-miterlimit %.20q; want a number of 1 or more", v)
		}
		s.miter = limit
	}
	return s, r.style(e, "display") != "none", nil
}

// svgUnits are the lengths of units in pixels, which are the units of the file.
var svgUnits = []struct {
	name   string
	length float64
}{{"px", 1}, {"mm", 96 / 25.4}, {"cm", 96 / 2.54}, {"in", 96}, {"pt", 96. / 72}, {"pc", 16}}

// measure reads a length in user units, with a unit or without, or in percent of the page.
func (r *svgReader) measure(name, text string) (float64, error) {
	number, unit := strings.TrimSpace(text), 1.0
	if share, ok := strings.CutSuffix(number, "%"); ok {
		number = share
		switch name {
		case "x", "width", "cx", "rx", "x1", "x2":
			unit = r.view.x
		case "y", "height", "cy", "ry", "y1", "y2":
			unit = r.view.y
		default:
			unit = math.Sqrt((float64(r.view.x*r.view.x) + float64(r.view.y*r.view.y)) / 2)
		}
		if unit == 0 {
			return 0, fmt.Errorf("invalid %s %.20q; the drawing has no viewBox to take a part of", name, text)
		}
		unit /= 100
	}
	for _, u := range svgUnits {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = rest, u.length
			if r.unit == "" && u.name != "px" {
				r.unit = u.name
			}
		}
	}
	w := words{text: strings.TrimSpace(number)}
	v, err := w.number()
	if err != nil || w.at != len(w.text) {
		return 0, fmt.Errorf("invalid %s %.20q; want a length, as 3, 3px, 3mm or 3%%", name, text)
	}
	return float64(v * unit), nil
}

// length reads an attribute as a length in user units; a missing attribute is 0.
func (r *svgReader) length(e xml.StartElement, name string) (float64, error) {
	text := strings.TrimSpace(attribute(e, name))
	if text == "" {
		return 0, nil
	}
	return r.measure(name, text)
}

// lengths reads several attributes.
func (r *svgReader) lengths(e xml.StartElement, names ...string) ([]float64, error) {
	out := make([]float64, len(names))
	for i, name := range names {
		v, err := r.length(e, name)
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
		if page, err := r.length(e, "width"); err == nil && r.unit != "" && page > 0 && width > 0 {
			r.perPixel = width / page
		}
	} else {
		// A size in percent says nothing without a viewBox: then there is no page.
		if size, err := r.lengths(e, "width", "height"); err == nil {
			width, height = size[0], size[1]
		}
	}
	r.view = point{max(width, 0), max(height, 0)}
	if width > 0 && height > 0 {
		r.page = []point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}
	}
	return nil
}

// leave counts an element that is left out.
func (r *svgReader) leave(name string) {
	switch n := r.left[name]; {
	case n > 0:
		r.left[name]++
	case len(r.leftOrder) <= input.MostWarnings:
		r.left[name] = 1
		r.leftOrder = append(r.leftOrder, name)
	}
}

// shape reads an element that may have an area.
func (r *svgReader) shape(e xml.StartElement, where string, state svgState) error {
	name := e.Name.Local
	draw := shapes[name]
	stroked := state.stroked && state.width > 0 && (!state.filled || name == "line")
	switch {
	case draw == nil || name == "line" && !stroked:
		r.leave(name)
		return nil
	case stroked && !state.obstacle && !state.free:
		r.leave(name + " with a stroke alone, without a name as wall or floor")
		return nil
	case !state.filled && !stroked:
		r.leave(name + " fill=none")
		return nil
	}
	p := &pen{tolerance: r.tolerance, far: farAway / r.scale, to: state.to, room: r.room, limits: r.limits}
	if stroked {
		// The outline is drawn as it is, and the stroke around it takes part in the transform.
		grown := math.Sqrt(float64(state.to.a*state.to.a) + float64(state.to.b*state.to.b) + float64(state.to.c*state.to.c) + float64(state.to.d*state.to.d))
		if !(grown > 0) || math.IsInf(grown, 0) {
			return nil
		}
		p.to, p.outline, p.tolerance, p.far = identity, true, r.tolerance/grown, p.far/grown
	}
	if err := draw(r, p, e); err != nil {
		return err
	}
	rings, err := p.done()
	if err != nil {
		return err
	}
	r.room = p.room
	if id := attribute(e, "id"); id != "" {
		where = strings.TrimSuffix(where, ">") + fmt.Sprintf(" id=%.80q>", id)
	}
	f := feature{where: where, obstacle: state.obstacle, labels: state.labels}
	if stroked {
		return r.strokes(f, p, name, state)
	}
	if f.rings = rings; len(rings) > 0 {
		r.features = append(r.features, f)
	}
	return nil
}

// strokes adds the pieces of a stroke as shapes.
func (r *svgReader) strokes(f feature, p *pen, name string, state svgState) error {
	s := stroke{half: state.width / 2, cap: state.cap, join: state.join, miter: state.miter, tolerance: p.tolerance, room: r.room}
	for _, l := range p.lines {
		l.closed = l.closed || name != "path" && name != "polyline" && name != "line"
		for _, ring := range s.pieces(l) {
			for i := range ring {
				ring[i] = state.to.apply(ring[i])
			}
			f.rings = [][]point{ring}
			r.features = append(r.features, f)
		}
		if s.spent > s.room {
			return fmt.Errorf("%w in the map with its strokes as areas", r.limits.CheckPoints(r.limits.WithDefaults().Triangles+1))
		}
	}
	r.room -= s.spent
	return nil
}

// shapes draw the elements with areas.
var shapes = map[string]func(*svgReader, *pen, xml.StartElement) error{
	"path": func(_ *svgReader, p *pen, e xml.StartElement) error { return p.path(attribute(e, "d")) },
	"rect": drawRect,
	"line": func(r *svgReader, p *pen, e xml.StartElement) error {
		v, err := r.lengths(e, "x1", "y1", "x2", "y2")
		if err != nil {
			return err
		}
		p.move(point{v[0], v[1]})
		p.line(point{v[2], v[3]})
		return nil
	},
	"circle": func(r *svgReader, p *pen, e xml.StartElement) error {
		v, err := r.lengths(e, "cx", "cy", "r")
		if err != nil {
			return err
		}
		return drawEllipse(p, point{v[0], v[1]}, v[2], v[2])
	},
	"ellipse": func(r *svgReader, p *pen, e xml.StartElement) error {
		v, err := r.lengths(e, "cx", "cy", "rx", "ry")
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
func drawRect(r *svgReader, p *pen, e xml.StartElement) error {
	v, err := r.lengths(e, "x", "y", "width", "height", "rx", "ry")
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
func drawPolygon(_ *svgReader, p *pen, e xml.StartElement) error {
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
