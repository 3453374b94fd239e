// Package off reads OFF, the Object File Format of Geomview, as text.
//
// Colours, normals and texture coordinates of vertices and colours of faces are stepped over. Binary files and files of
// more than three dimensions are refused.
package off

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
	"github.com/meadow-nav/meadow/level/internal/polygon"
)

// Decode reads an OFF file; the level is called after name. Coordinates are not converted.
//
// A fault is an error with its line. Time and space O(bytes).
func Decode(r io.Reader, name string, limits level.Limits) (*level.Level, error) {
	data, err := input.All(r, limits)
	if err == nil {
		data, err = input.UTF8(data)
	}
	if err != nil {
		return nil, fmt.Errorf("off: %w", err)
	}
	base := path.Base(input.Slashed(name))
	d := decoder{lvl: &level.Level{Name: strings.TrimSuffix(base, path.Ext(base))}, limits: limits, rest: bytes.TrimPrefix(data, []byte("\ufeff"))}
	if err := d.file(); err != nil {
		return nil, fmt.Errorf("off: %w", err)
	}
	d.lvl.Warnings = d.warnings.Lines()
	return d.lvl, nil
}

// decoder holds the rest of the file.
type decoder struct {
	lvl      *level.Level
	limits   level.Limits
	rest     []byte
	line     int // of the fields in hand
	warnings input.Warnings
}

// fields returns the fields of the next line that has some, nil at the end.
func (d *decoder) fields() []byte {
	for len(d.rest) > 0 {
		var line []byte
		line, d.rest, _ = bytes.Cut(d.rest, []byte("\n"))
		d.line++
		line, _, _ = bytes.Cut(line, []byte("#"))
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line
		}
	}
	return nil
}

func (d *decoder) fault(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", d.line, fmt.Sprintf(format, args...))
}

// header reads the keyword and the counts.
func (d *decoder) header() (vertices, faces int, err error) {
	line := d.fields()
	if line == nil {
		return 0, 0, errors.New("the file is empty")
	}
	first, counts, _ := bytes.Cut(line, []byte(" "))
	if key, isOFF := strings.CutSuffix(string(bytes.TrimSpace(first)), "OFF"); isOFF {
		switch {
		case bytes.Contains(counts, []byte("BINARY")):
			return 0, 0, d.fault("the file is binary; save it as text")
		case strings.ContainsAny(key, "4n"):
			return 0, 0, d.fault("%sOFF is of another dimension than three", key)
		case strings.Trim(key, "STCN") != "":
			return 0, 0, d.fault("%.20q is no header of OFF", line)
		}
		if line = bytes.TrimSpace(counts); len(line) == 0 {
			line = d.fields()
		}
	}
	var n [2]int
	at := 0
	for k := range n {
		at = input.SkipBlank(line, at)
		v, next, ok := input.Int(line, at)
		if !ok || v < 0 {
			return 0, 0, d.fault("%.40q; want OFF, then the counts of vertices, faces and edges", line)
		}
		n[k], at = v, next
	}
	// A vertex takes six bytes or more, a face four.
	if n[0] > len(d.rest)/5+1 || n[1] > len(d.rest)/3+1 {
		return 0, 0, d.fault("%d vertices and %d faces in %d bytes", n[0], n[1], len(d.rest))
	}
	return n[0], n[1], d.limits.CheckVertices(n[0])
}

func (d *decoder) file() error {
	vertices, faces, err := d.header()
	if err != nil {
		return err
	}
	d.lvl.Vertices = make([]geom.Vec, 0, vertices)
	for i := range vertices {
		line := d.fields()
		if line == nil {
			return fmt.Errorf("the file ends before vertex %d of %d", i, vertices)
		}
		if err := d.vertex(line); err != nil {
			return err
		}
	}
	var cutter polygon.Cutter
	var corners []geom.Vec
	var face []uint32
	small := 0
	for i := range faces {
		line := d.fields()
		if line == nil {
			return fmt.Errorf("the file ends before face %d of %d", i, faces)
		}
		if face, err = d.face(line, face[:0]); err != nil {
			return err
		}
		if len(face) < 3 {
			small++
			continue
		}
		corners = corners[:0]
		for _, v := range face {
			corners = append(corners, d.lvl.Vertices[v])
		}
		triangles, outcome := cutter.Cut(corners)
		switch outcome {
		case polygon.TooMany:
			return d.fault("face of %d corners that is not convex, at most %d are cut", len(face), polygon.MaxConcave)
		case polygon.TooLong:
			return d.fault("face of %d corners that is not convex, and too many such faces before", len(face))
		case polygon.Crossed:
			d.warnings.Addf("off: line %d: face of %d corners crosses itself, its triangles may overlap", d.line, len(face))
		}
		if err := d.limits.CheckTriangles(len(d.lvl.Triangles) + len(triangles)); err != nil {
			return err
		}
		for _, t := range triangles {
			d.lvl.Triangles = append(d.lvl.Triangles, level.Triangle{A: face[t[0]], B: face[t[1]], C: face[t[2]], Material: level.NoMaterial})
		}
	}
	if small > 0 {
		d.warnings.Addf("off: %d faces of less than three corners left out", small)
	}
	if len(d.lvl.Triangles) == 0 {
		return errors.New("no face of three corners in the file")
	}
	return nil
}

// vertex reads the coordinates of a vertex. Anything behind them is a normal or a colour.
func (d *decoder) vertex(line []byte) error {
	var v [3]float64
	at := 0
	for k := range v {
		at = input.SkipBlank(line, at)
		x, next, ok := input.Float(line, at)
		if !ok || x-x != 0 {
			return d.fault("coordinate %d is %.40q", k, line[at:input.TokenEnd(line, at)])
		}
		v[k], at = x, next
	}
	d.lvl.Vertices = append(d.lvl.Vertices, geom.Vec{X: v[0], Y: v[1], Z: v[2]})
	return nil
}

// face reads the corners of a face. Anything behind them is a colour.
func (d *decoder) face(line []byte, face []uint32) ([]uint32, error) {
	n, at, ok := input.Int(line, 0)
	if !ok || n < 0 || n > len(line) {
		return face, d.fault("%.40q; want the number of corners, then the corners", line)
	}
	for range n {
		at = input.SkipBlank(line, at)
		v, next, ok := input.Int(line, at)
		if !ok {
			return face, d.fault("face of %d corners; corner %d is %.20q", n, len(face), line[at:input.TokenEnd(line, at)])
		}
		if v < 0 || v >= len(d.lvl.Vertices) {
			return face, d.fault("face vertex %d of %d", v, len(d.lvl.Vertices))
		}
		face, at = append(face, uint32(v)), next
	}
	return face, nil
}
