package flat

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/yamltree"
	"github.com/meadow-nav/meadow/level"
)

// robotMap is an occupancy grid of a robot, in the format of the map servers of ROS: a picture with dark cells for obstacles, and a text in
// YAML with the meaning of the picture.
type robotMap struct {
	grid
	cell   float64    // m
	origin [2]float64 // the lower left corner, m to the east and to the north
	notes  []string
}

// plan puts the lower left corner of the grid at the origin.
func (m *robotMap) plan() (*plan.Plan, error) {
	p, err := m.grid.plan(m.cell, m.cell)
	if err != nil {
		return nil, err
	}
	at := geom.FromGround(m.origin[0], m.origin[1], 0)
	east, north, _, ok := lattice.Snap(at)
	if !ok {
		return nil, fmt.Errorf("the origin %g, %g is outside of the lattice", m.origin[0], m.origin[1])
	}
	p.Frame.East, p.Frame.North = east, north
	return p, nil
}

func (m *robotMap) warnings() []string { return nil }

// shapes returns the free cells.
func (m *robotMap) shapes() ([]Shape, error) {
	p, err := m.plan()
	if err != nil {
		return nil, err
	}
	return []Shape{shapeOf([]string{"free"}, p.Frame, p.Layers[0].Domains)}, nil
}

// occupancy says which shades of a picture are free. A cell is as occupied as it is dark, from 0 to 1.
type occupancy struct {
	free   float64 // cells below are free
	negate bool    // a cell is as occupied as it is bright
}

// freeByDefault is the threshold of map_saver. Unknown cells are above: map_saver paints unknown cells with a grey of 205.
const (
	freeByDefault = 0.196
	unknownShade  = 205
)

func (o occupancy) isFree(bright float64) bool {
	if o.negate {
		return bright < o.free
	}
	return 1-bright < o.free
}

// maxRobotText is the largest text of a robot's map, in bytes; the picture has a file of its own.
const maxRobotText = 1 << 20

// decodeRobot reads the text of a robot's map and the picture that it names. A scale replaces the resolution.
func decodeRobot(data []byte, in source) (drawing, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	if len(data) > maxRobotText {
		return nil, fmt.Errorf("%d bytes of text; the limit is %d", len(data), maxRobotText)
	}
	body, err := yamltree.Read(data)
	if f := (*yamltree.Fault)(nil); errors.As(err, &f) {
		return nil, fmt.Errorf("line %d: %s", f.Line, f.Text)
	}
	fields, err := robotFields(body)
	if err != nil {
		return nil, err
	}
	m := &robotMap{cell: in.Scale}
	var (
		o          = occupancy{free: freeByDefault}
		resolution float64
	)
	for _, f := range []struct {
		key      string
		required bool
		read     func(*yaml.Node) error
	}{
		{"mode", false, checkMode},
		{"resolution", !in.scaled, func(n *yaml.Node) error { return readNumber(n, &resolution) }},
		{"origin", false, func(n *yaml.Node) error { return readOrigin(n, &m.origin) }},
		{"negate", false, func(n *yaml.Node) (err error) { o.negate, err = readBool(n); return err }},
		{"free_thresh", false, func(n *yaml.Node) error { return readNumber(n, &o.free) }},
	} {
		switch n := fields[f.key]; {
		case n != nil:
			if err := f.read(n); err != nil {
				return nil, fmt.Errorf("line %d: %s is %w", n.Line, f.key, err)
			}
		case f.required:
			return nil, fmt.Errorf("%s is missing, the metres of a cell", f.key)
		}
	}
	if !in.scaled {
		m.cell = resolution
	}
	if !(m.cell >= lattice.Unit) {
		return nil, fmt.Errorf("line %d: resolution is %g, must be at least %g metres", fields["resolution"].Line, m.cell, lattice.Unit)
	}
	n := fields["image"]
	if n == nil || n.Kind != yaml.ScalarNode || n.Value == "" {
		return nil, errors.New("image is missing, the name of the picture")
	}
	picture, err := in.beside.Read(n.Value)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("line %d: image %.100q is missing", n.Line, n.Value)
	case err != nil:
		return nil, fmt.Errorf("line %d: image %.100q: %w", n.Line, n.Value, err)
	}
	if m.grid, err = o.cells(picture, in.Limits, &m.notes); err != nil {
		return nil, fmt.Errorf("image %.100q: %w", n.Value, err)
	}
	return m, nil
}

// decodePGM reads a bare picture. The caller gives the size of a cell, because the picture does not.
func decodePGM(data []byte, in source) (drawing, error) {
	if len(data) == 0 {
		return nil, errEmpty
	}
	if !in.scaled {
		return nil, errors.New("the size of a cell is unknown: name the .yaml of the map, or give a scale, the metres of a cell")
	}
	m := &robotMap{cell: in.Scale}
	var err error
	m.grid, err = occupancy{free: freeByDefault}.cells(data, in.Limits, &m.notes)
	return m, err
}

// isRobotText reports whether a text has the line that names the picture of a robot's map.
func isRobotText(head []byte) bool {
	return bytes.HasPrefix(head, []byte("image:")) || bytes.Contains(head, []byte("\nimage:"))
}

// robotFields returns the fields of the text by their names.
func robotFields(body *yaml.Node) (map[string]*yaml.Node, error) {
	if body.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: no mapping of keys to values", body.Line)
	}
	fields := map[string]*yaml.Node{}
	for i := 0; i+1 < len(body.Content); i += 2 {
		key := body.Content[i]
		if fields[key.Value] != nil {
			return nil, fmt.Errorf("line %d: %.50q stands there twice", key.Line, key.Value)
		}
		fields[key.Value] = body.Content[i+1]
	}
	return fields, nil
}

func readNumber(n *yaml.Node, to *float64) error {
	v, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%.50q, want a number", n.Value)
	}
	*to = v
	return nil
}

func readBool(n *yaml.Node) (bool, error) {
	switch n.Value {
	case "0", "false", "False", "no":
		return false, nil
	case "1", "true", "True", "yes":
		return true, nil
	}
	return false, fmt.Errorf("%.50q, want 0 or 1", n.Value)
}

// checkMode refuses modes in which free_thresh has no meaning.
func checkMode(n *yaml.Node) error {
	if n.Value != "trinary" && n.Value != "scale" {
		return fmt.Errorf("%.50q; supported: trinary, scale", n.Value)
	}
	return nil
}

// readOrigin reads x, y and the yaw, by which no map is turned.
func readOrigin(n *yaml.Node, to *[2]float64) error {
	if n.Kind != yaml.SequenceNode || len(n.Content) < 2 || len(n.Content) > 3 {
		return errors.New("no list of x, y and yaw")
	}
	var pose [3]float64
	for i, c := range n.Content {
		if err := readNumber(c, &pose[i]); err != nil {
			return err
		}
	}
	if pose[2] != 0 {
		return fmt.Errorf("turned by a yaw of %g; supported: 0", pose[2])
	}
	*to = [2]float64{pose[0], pose[1]}
	return nil
}

// cells returns the grid of a picture in PGM or PNG. Transparent cells are not free.
func (o occupancy) cells(data []byte, limits level.Limits, notes *[]string) (grid, error) {
	var (
		p   shades
		err error
	)
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		p, err = pngShades(data)
	case bytes.HasPrefix(data, []byte("P2")), bytes.HasPrefix(data, []byte("P5")):
		p, err = pgmShades(data)
	default:
		err = errors.New("neither PGM nor PNG")
	}
	if err != nil {
		return grid{}, err
	}
	g := grid{width: p.width, height: p.height, open: make([]bool, p.width*p.height), limits: limits}
	unknown := 0
	for i := range g.open {
		bright, opaque := p.at(i)
		if g.open[i] = opaque && o.isFree(bright); g.open[i] && bright == unknownShade/255.0 {
			unknown++
		}
	}
	if unknown > 0 {
		*notes = append(*notes, fmt.Sprintf("%d cells are as grey as map_saver paints unknown cells, and free by a free_thresh of %g; %g keeps them blocked", unknown, o.free, freeByDefault))
	}
	return g, nil
}

// shades is a picture: the brightness of each cell from 0 to 1, row by row from the top, and whether the cell is opaque.
type shades struct {
	width, height int
	at            func(i int) (bright float64, opaque bool)
}

func pngShades(data []byte) (shades, error) {
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return shades{}, err
	}
	if err := checkCells(size.Width, size.Height); err != nil {
		return shades{}, err
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return shades{}, err
	}
	s := shades{width: size.Width, height: size.Height}
	if grey, ok := picture.(*image.Gray); ok {
		s.at = func(i int) (float64, bool) { return float64(grey.Pix[i/s.width*grey.Stride+i%s.width]) / 255, true }
		return s, nil
	}
	s.at = func(i int) (float64, bool) {
		c := color.NRGBA64Model.Convert(picture.At(i%s.width, i/s.width)).(color.NRGBA64)
		return (float64(c.R) + float64(c.G) + float64(c.B)) / (3 * math.MaxUint16), c.A == math.MaxUint16
	}
	return s, nil
}

// pgmShades reads a grey picture of Netpbm, as text (P2) or as bytes (P5), of 8 or 16 bits.
func pgmShades(data []byte) (shades, error) {
	rest := data[2:]
	var head [3]int
	for i, name := range [...]string{"width", "height", "largest shade"} {
		word, behind := pgmWord(rest)
		n, err := strconv.Atoi(string(word))
		if err != nil || n < 1 {
			return shades{}, fmt.Errorf("invalid %s %.20q; want a number above 0", name, word)
		}
		head[i], rest = n, behind
	}
	s, most := shades{width: head[0], height: head[1]}, head[2]
	if most > math.MaxUint16 {
		return shades{}, fmt.Errorf("the largest shade is %d; the limit is %d", most, math.MaxUint16)
	}
	if err := checkGridSize(s.width, s.height, len(data)); err != nil {
		return shades{}, err
	}
	values, cells := make([]uint16, s.width*s.height), []byte(nil)
	if data[1] == '5' && len(rest) > 0 {
		cells = rest[1:] // a single blank ends the head
	}
	for i := range values {
		v := most + 1
		switch {
		case data[1] == '2':
			var word []byte
			word, rest = pgmWord(rest)
			if len(word) == 0 {
				return shades{}, fmt.Errorf("row %d: the file ends before column %d", i/s.width, i%s.width)
			}
			if n, err := strconv.Atoi(string(word)); err == nil && n >= 0 {
				v = n
			}
		case most < 256 && i < len(cells):
			v = int(cells[i])
		case most >= 256 && 2*i+1 < len(cells):
			v = int(cells[2*i])<<8 | int(cells[2*i+1])
		default:
			return shades{}, fmt.Errorf("row %d: the file ends before column %d", i/s.width, i%s.width)
		}
		if v > most {
			return shades{}, fmt.Errorf("row %d: the shade of column %d is not from 0 to %d", i/s.width, i%s.width, most)
		}
		values[i] = uint16(v)
	}
	s.at = func(i int) (float64, bool) { return float64(values[i]) / float64(most), true }
	return s, nil
}

// pgmWord returns the next word of a picture's text, behind blanks and comments.
func pgmWord(text []byte) (word, rest []byte) {
	for {
		text = bytes.TrimLeft(text, " \t\r\n\v\f")
		if !bytes.HasPrefix(text, []byte("#")) {
			break
		}
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	end := bytes.IndexAny(text, " \t\r\n\v\f#")
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}
