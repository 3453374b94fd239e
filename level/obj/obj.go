// Package obj reads and writes Wavefront OBJ, with its material libraries (MTL).
//
// docs/formats/levels.md lists the supported features: polygons of any size, groups, materials and texture
// names, marker volumes. Decoding is one pass over the bytes; numbers are parsed by hand, because they make
// up most of the file.
package obj

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
	"github.com/meadow-nav/meadow/level/internal/polygon"
)

// Decode reads an OBJ file. name is its path in fsys and the level's name; material libraries and textures
// are found relative to it. fsys may be nil; then the libraries count as missing, which is a warning.
// Coordinates are not converted. Libraries count against the limits as the file does.
//
// A fault in the geometry is an error that names the line. Time and space O(bytes).
func Decode(r io.Reader, fsys fs.FS, name string, limits level.Limits) (*level.Level, error) {
	data, err := input.All(r, limits)
	if err == nil {
		data, err = input.UTF8(data)
	}
	if err != nil {
		return nil, fmt.Errorf("obj: %w", err)
	}
	base := path.Base(input.Slashed(name))
	d := decoder{
		lvl:       &level.Level{Name: strings.TrimSuffix(base, path.Ext(base))},
		files:     input.Beside(fsys, name, limits, len(data)),
		limits:    limits.WithDefaults(),
		material:  level.NoMaterial,
		materials: make(map[string]int32),
		libraries: make(map[string]bool),
		skipped:   make(map[string]int),
	}
	// Of most files half the lines or more are faces, of about 30 bytes: the slices rarely need to grow.
	d.lvl.Vertices = make([]geom.Vec, 0, min(len(data)/64, limits.Vertices()))
	d.lvl.Triangles = make([]level.Triangle, 0, min(len(data)/32, limits.WithDefaults().Triangles))
	if err := d.file(data); err != nil {
		return nil, fmt.Errorf("obj: line %d: %w", d.line, err)
	}
	return d.finish()
}

// decoder is the state between two lines.
type decoder struct {
	lvl    *level.Level
	files  *input.Files
	limits level.Limits
	line   int // number of the line in hand, from 1

	material  int32 // of the faces to come
	materials map[string]int32
	defined   []bool          // which materials a library described, parallel to lvl.Materials
	libraries map[string]bool // by name, read once however often they are asked for
	unread    int             // how many of them could not be read
	usedAt    []int           // the line that first used a material, 0 for none

	group  string     // name of the group or object in hand
	first  int        // its first triangle
	hull   input.Hull // the corners of a marker
	mark   *level.Marker
	marked int // corners of faces of markers
	small  int // faces of less than three corners

	face    []uint32 // corners of the face in hand
	corners []geom.Vec
	cutter  polygon.Cutter

	lightest float32 // the greatest channel of a vertex colour

	warnings input.Warnings
	skipped  map[string]int // statements without a meaning here: index into skips
	skips    []skip
	unknown  string // the first statement that is none of OBJ's
	unknownN int    // and its line
}

// skip counts omitted lines of one statement.
type skip struct {
	keyword, why string
	line, count  int
}

// file reads all lines.
func (d *decoder) file(data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	newline := byte('\n')
	if bytes.IndexByte(data, newline) < 0 {
		newline = '\r' // the line ends of early Macintosh exporters
	}
	var joined []byte
	for len(data) > 0 {
		d.line++
		var line []byte
		line, data = cutLine(data, newline)
		if !continues(line) {
			if err := d.statement(line); err != nil {
				return err
			}
			continue
		}
		start := d.line
		joined = joined[:0]
		for continues(line) && len(data) > 0 {
			joined = append(append(joined, bytes.TrimRight(line, "\\\r")...), ' ')
			d.line++
			line, data = cutLine(data, newline)
		}
		joined = append(joined, bytes.TrimRight(line, "\\\r")...)
		last := d.line
		d.line = start
		if err := d.statement(joined); err != nil {
			return err
		}
		d.line = last
	}
	return nil
}

func cutLine(data []byte, newline byte) (line, rest []byte) {
	if i := bytes.IndexByte(data, newline); i >= 0 {
		return data[:i], data[i+1:]
	}
	return data, nil
}

// continues reports whether the statement goes on in the next line. Comments do not: some end in a
// path with a backslash.
func continues(line []byte) bool {
	n := len(line)
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	if n == 0 || line[n-1] != '\\' {
		return false
	}
	return line[input.SkipBlank(line, 0)] != '#'
}

// statement reads one line, without its end. The frequent statements come first.
func (d *decoder) statement(line []byte) error {
	i := input.SkipBlank(line, 0)
	if i == len(line) || line[i] == '#' {
		return nil
	}
	end := input.TokenEnd(line, i)
	switch {
	case end-i == 1 && line[i] == 'v':
		return d.vertex(line, end)
	case end-i == 1 && line[i] == 'f':
		return d.polygon(line, end)
	case end-i == 2 && line[i] == 'v' && (line[i+1] == 'n' || line[i+1] == 't'):
		return nil
	}
	return d.other(string(line[i:end]), line[end:])
}

// other reads the statements that are not geometry.
func (d *decoder) other(keyword string, rest []byte) error {
	switch keyword {
	case "vp", "s", "mg", "lod", "bevel", "c_interp", "d_interp", "usemap", "maplib", "shadow_obj", "trace_obj":
		// how to shade: nothing to walk on
	case "g", "o":
		d.closeGroup()
		if len(d.lvl.Markers) == level.MaxNames {
			return &level.TooLarge{Kind: "markers", Most: level.MaxNames}
		}
		d.openGroup(text(rest))
	case "usemtl":
		return d.useMaterial(text(rest))
	case "mtllib":
		d.library(text(rest))
	case "fo": // the face of the first version of the format
		return d.polygon(rest, 0)
	case "l", "p":
		d.skip(keyword, "points and lines have no surface")
	case "curv", "curv2", "surf", "cstype", "deg", "bmat", "step", "parm", "trim", "hole", "scrv", "sp", "end", "con", "ctech", "stech",
		"cdc", "cdp", "bzp", "bsp", "res":
		d.skip(keyword, "curves and curved surfaces are not read")
	case "call", "csh":
		d.skip(keyword, "commands and other files are not run")
	default:
		if d.unknown == "" {
			d.unknown, d.unknownN = keyword, d.line
		}
		d.skip(keyword, "not a statement of OBJ")
	}
	return nil
}

// text returns the rest of a line as a name: names may contain blanks.
func text(rest []byte) string { return strings.ToValidUTF8(string(bytes.TrimSpace(rest)), "?") }

// skip counts an omitted line, with one warning for each statement.
func (d *decoder) skip(keyword, why string) {
	i, ok := d.skipped[keyword]
	if !ok {
		if len(d.skips) > input.MostWarnings {
			return
		}
		i = len(d.skips)
		d.skipped[keyword] = i
		d.skips = append(d.skips, skip{keyword: keyword, why: why, line: d.line})
	}
	d.skips[i].count++
}

// vertex reads three coordinates; a weight or a colour may follow.
func (d *decoder) vertex(line []byte, i int) error {
	var v [3]float64
	for k := range v {
		i = input.SkipBlank(line, i)
		x, next, ok := input.Float(line, i)
		if !ok || x-x != 0 {
			return coordinateError(line, i, k)
		}
		v[k], i = x, next
	}
	if err := d.limits.CheckVertices(len(d.lvl.Vertices) + 1); err != nil {
		return err
	}
	d.lvl.Vertices = append(d.lvl.Vertices, geom.Vec{X: v[0], Y: v[1], Z: v[2]})
	if i = input.SkipBlank(line, i); i < len(line) {
		d.color(line, i)
	}
	return nil
}

// color reads the colour behind the coordinates of the last vertex: three numbers, and perhaps the opacity. A
// single number is a weight; anything else there is ignored. See [decoder.finishColors].
func (d *decoder) color(line []byte, i int) {
	c, n := level.White, 0
	for n < len(c) {
		x, next, ok := input.Float(line, i)
		if !ok || !(x >= 0 && x <= 255) {
			break
		}
		c[n], i = float32(x), input.SkipBlank(line, next)
		n++
	}
	if n < 3 {
		return
	}
	d.lvl.Colors = append(level.PadColors(d.lvl.Colors, len(d.lvl.Vertices)-1), c)
	for k := range n {
		d.lightest = max(d.lightest, c[k])
	}
}

// finishColors turns the colours of vertices from picture values into linear light. If any is above 1, the range is
// 0 to 255.
func (d *decoder) finishColors() {
	if d.lvl.Colors == nil {
		return
	}
	d.lvl.Colors = level.PadColors(d.lvl.Colors, len(d.lvl.Vertices))
	scale := 1.0
	if d.lightest > 1 {
		scale = 255
	}
	for i := range d.lvl.Colors {
		c := &d.lvl.Colors[i]
		if *c == level.White {
			continue
		}
		for k := range 3 {
			c[k] = float32(level.Linear(float64(c[k]) / scale))
		}
		if c[3] > 1 {
			c[3] /= float32(scale)
		}
	}
}

// coordinateError returns the error for coordinate k, which starts at line[i].
func coordinateError(line []byte, i, k int) error {
	token := line[i:input.TokenEnd(line, i)]
	axis := "xyz"[k]
	if len(token) == 0 || token[0] == '#' {
		return fmt.Errorf("vertex without %c", axis)
	}
	if _, _, ok := input.Float(line, i); ok {
		return fmt.Errorf("%c of vertex is %.40s, not a finite number", axis, token)
	}
	return fmt.Errorf("%c of vertex is %.40q, not a number", axis, token)
}

// polygon reads the corners of a face and cuts it into triangles.
func (d *decoder) polygon(line []byte, i int) error {
	n := len(d.lvl.Vertices)
	d.face = d.face[:0]
	for {
		i = input.SkipBlank(line, i)
		if i == len(line) || line[i] == '#' {
			break
		}
		start := i
		v, next, ok := input.Int(line, i)
		for i = next; i < len(line) && !input.IsBlank(line[i]); i++ {
			// The indices of texture coordinate and normal lead nowhere here, but must be indices.
			if c := line[i]; c != '/' && c != '-' && c-'0' > 9 {
				ok = false
			}
		}
		switch {
		case !ok || line[next-1] == '/' || next < i && line[next] != '/':
			return fmt.Errorf("face corner %.40q is not an index", line[start:i])
		case v > n || v < -n:
			return fmt.Errorf("face vertex %d of %d", v, n)
		case v == 0:
			return fmt.Errorf("face vertex 0: indices start at 1")
		case v < 0:
			v += n + 1
		}
		d.face = append(d.face, uint32(v-1))
	}
	if len(d.face) < 3 {
		d.small++
		return nil
	}
	return d.emit()
}

// emit adds the triangles of d.face, or its corners when the group is a marker.
func (d *decoder) emit() error {
	f := d.face
	if d.mark != nil {
		if d.marked += len(f); d.marked > d.limits.Vertices() {
			return d.limits.CheckVertices(d.marked)
		}
		for _, v := range f {
			d.hull.Add(d.lvl.Vertices[v])
		}
		return nil
	}
	if err := d.limits.CheckTriangles(len(d.lvl.Triangles) + len(f) - 2); err != nil {
		return err
	}
	if len(f) == 3 {
		d.lvl.Triangles = append(d.lvl.Triangles, level.Triangle{A: f[0], B: f[1], C: f[2], Material: d.material})
		return nil
	}
	d.corners = d.corners[:0]
	for _, v := range f {
		d.corners = append(d.corners, d.lvl.Vertices[v])
	}
	tris, outcome := d.cutter.Cut(d.corners)
	switch outcome {
	case polygon.TooMany:
		return fmt.Errorf("non-convex face with %d corners; the limit is %d", len(f), polygon.MaxConcave)
	case polygon.TooLong:
		return fmt.Errorf("non-convex face with %d corners, after too many such faces", len(f))
	case polygon.Crossed:
		d.warnings.Addf("obj: line %d: face of %d corners crosses itself, its triangles may overlap", d.line, len(f))
	}
	for _, t := range tris {
		d.lvl.Triangles = append(d.lvl.Triangles, level.Triangle{A: f[t[0]], B: f[t[1]], C: f[t[2]], Material: d.material})
	}
	return nil
}

// openGroup starts a group or, by its name, a marker.
func (d *decoder) openGroup(name string) {
	d.group, d.first = name, len(d.lvl.Triangles)
	if kind, name, ok := input.ParseMarker(name); ok {
		d.mark = &level.Marker{Name: name, Kind: kind}
	}
}

// closeGroup ends the group in hand. Groups without triangles leave no trace.
func (d *decoder) closeGroup() {
	if d.mark != nil {
		if d.mark.Hull = d.hull.Points; len(d.mark.Hull) == 0 {
			d.warnings.Addf("obj: line %d: marker %q has no face", d.line, d.group)
		} else {
			d.lvl.Markers = append(d.lvl.Markers, *d.mark)
		}
		d.mark, d.hull = nil, input.Hull{}
	}
	if n := len(d.lvl.Triangles) - d.first; n > 0 && d.group != "" {
		d.lvl.Objects = append(d.lvl.Objects, level.Object{Name: d.group, First: d.first, Count: n})
	}
}

// finish makes the level from the gathered parts.
func (d *decoder) finish() (*level.Level, error) {
	d.closeGroup()
	d.finishColors()
	if len(d.lvl.Triangles) == 0 {
		switch {
		case d.unknown != "":
			return nil, fmt.Errorf("obj: no face in %d lines; line %d: %.40q is not a statement of OBJ", d.line, d.unknownN, d.unknown)
		case d.line == 0:
			return nil, fmt.Errorf("obj: the file is empty")
		}
		return nil, fmt.Errorf("obj: no face in %d lines", d.line)
	}
	d.checkMaterials()
	for _, s := range d.skips {
		d.warnings.Addf("obj: line %d: %.40q: %s; %d lines left out", s.line, s.keyword, s.why, s.count)
	}
	if d.small > 0 {
		d.warnings.Addf("obj: %d faces of less than three corners left out", d.small)
	}
	d.lvl.Warnings = d.warnings.Lines()
	return d.lvl, nil
}
