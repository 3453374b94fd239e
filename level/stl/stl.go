// Package stl reads and writes STL, binary and ASCII.
//
// STL has triangles and nothing else: no shared vertices, no materials, no unit. Equal vertices are welded,
// so neighbours share them again. The stored normals are not looked at; the turn of the vertices decides the
// front, as the format demands.
package stl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// The layout of a binary file: a header without meaning, a count, and records of a normal, three
// vertices (float32) and a 16-bit attribute.
const (
	headerSize = 80
	countEnd   = headerSize + 4
	recordSize = 50
	normalSize = 12
)

// Decode reads an STL file of either form; the level is called after name. Coordinates are not converted.
//
// A fault is an error that names the line (ASCII) or the triangle (binary). Time and space O(bytes).
func Decode(r io.Reader, name string, limits level.Limits) (*level.Level, error) {
	data, err := input.All(r, limits)
	if err != nil {
		return nil, fmt.Errorf("stl: %w", err)
	}
	base := path.Base(input.Slashed(name))
	d := decoder{
		lvl:  &level.Level{Name: strings.TrimSuffix(base, path.Ext(base))},
		weld: make(map[geom.Vec]uint32), limits: limits,
	}
	switch {
	case len(data) == 0:
		return nil, fmt.Errorf("stl: the file is empty")
	case isASCII(data):
		err = d.ascii(data)
	default:
		err = d.binary(data)
	}
	if err != nil {
		return nil, fmt.Errorf("stl: %w", err)
	}
	if len(d.lvl.Triangles) == 0 {
		return nil, fmt.Errorf("stl: no triangle in the file")
	}
	return d.lvl, nil
}

// isASCII tells the two forms apart. Some exporters start binary files with "solid" as well, so the size
// decides first: a file of exactly the announced size is binary.
func isASCII(data []byte) bool {
	if len(data) >= countEnd {
		count := uint64(binary.LittleEndian.Uint32(data[headerSize:]))
		if uint64(len(data)) == countEnd+count*recordSize {
			return false
		}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return len(text) >= 5 && bytes.EqualFold(text[:5], []byte("solid")) && bytes.IndexByte(text[:min(len(text), 1024)], 0) < 0
}

// decoder is the common model of both forms.
type decoder struct {
	lvl    *level.Level
	weld   map[geom.Vec]uint32
	limits level.Limits
}

// vertex returns the index of v. Zero and minus zero are the same place.
func (d *decoder) vertex(v geom.Vec) uint32 {
	i, ok := d.weld[v]
	if !ok {
		i = uint32(len(d.lvl.Vertices))
		d.weld[v] = i
		d.lvl.Vertices = append(d.lvl.Vertices, v)
	}
	return i
}

func (d *decoder) triangle(v [3]geom.Vec) {
	d.lvl.Triangles = append(d.lvl.Triangles, level.Triangle{
		A: d.vertex(v[0]), B: d.vertex(v[1]), C: d.vertex(v[2]), Material: level.NoMaterial,
	})
}

// binary reads the binary form.
func (d *decoder) binary(data []byte) error {
	if len(data) < countEnd {
		return fmt.Errorf("%d bytes are too few for a binary file, and the text does not start with solid", len(data))
	}
	count := uint64(binary.LittleEndian.Uint32(data[headerSize:]))
	data = data[countEnd:]
	if held := uint64(len(data) / recordSize); count > held {
		return fmt.Errorf("%d triangles announced, %d bytes hold %d", count, len(data), held)
	}
	if err := d.limits.CheckTriangles(int(count)); err != nil {
		return err
	}
	if rest := uint64(len(data)) - count*recordSize; rest > 0 {
		d.lvl.Warnings = append(d.lvl.Warnings, fmt.Sprintf("stl: %d bytes after the last triangle left out", rest))
	}
	d.lvl.Triangles = make([]level.Triangle, 0, count)
	for i := range int(count) {
		record := data[i*recordSize+normalSize : (i+1)*recordSize]
		var v [3]geom.Vec
		for k := range v {
			v[k] = geom.Vec{X: float(record[12*k:]), Y: float(record[12*k+4:]), Z: float(record[12*k+8:])}
			if !v[k].IsFinite() {
				return fmt.Errorf("triangle %d: vertex %d at %v is not finite", i, k, v[k])
			}
		}
		d.triangle(v)
	}
	return nil
}

func float(b []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// ascii reads the text form: any number of solids, each an object.
func (d *decoder) ascii(data []byte) error {
	s := scanner{data: bytes.TrimPrefix(data, []byte("\ufeff")), line: 1}
	for {
		word := s.word()
		if word == "" {
			return nil
		}
		if word != "solid" {
			return fmt.Errorf("line %d: %.40q instead of solid", s.line, word)
		}
		name := s.restOfLine()
		first := len(d.lvl.Triangles)
		if err := d.solid(&s); err != nil {
			return fmt.Errorf("line %d: %w", s.line, err)
		}
		if n := len(d.lvl.Triangles) - first; n > 0 && name != "" {
			d.lvl.Objects = append(d.lvl.Objects, level.Object{Name: name, First: first, Count: n})
		}
	}
}

// solid reads facets up to endsolid and its line.
func (d *decoder) solid(s *scanner) error {
	for {
		switch word := s.word(); word {
		case "facet":
			v, err := s.facet()
			if err != nil {
				return err
			}
			if err := d.limits.CheckTriangles(len(d.lvl.Triangles) + 1); err != nil {
				return err
			}
			d.triangle(v)
		case "endsolid", "end": // "end solid" is written too
			s.restOfLine()
			return nil
		case "":
			return errEnds
		default:
			return fmt.Errorf("%.40q instead of facet or endsolid", word)
		}
	}
}

// scanner reads words and counts lines.
type scanner struct {
	data []byte
	at   int
	line int
}

// skip moves to the next word.
func (s *scanner) skip() {
	for s.at < len(s.data) && input.IsBlank(s.data[s.at]) {
		if s.data[s.at] == '\n' {
			s.line++
		}
		s.at++
	}
}

// word returns the next word in lower case, "" at the end. Keywords are written in either case.
func (s *scanner) word() string {
	s.skip()
	start := s.at
	s.at = input.TokenEnd(s.data, start)
	return keyword(s.data[start:s.at])
}

// keyword returns b in lower case. The words of the format make no new strings.
func keyword(b []byte) string {
	for _, w := range [...]string{"vertex", "facet", "normal", "outer", "loop", "endloop", "endfacet", "solid", "endsolid", "end"} {
		if string(b) == w {
			return w
		}
	}
	return strings.ToLower(string(b))
}

// restOfLine returns the rest of the line, without its end.
func (s *scanner) restOfLine() string {
	rest := s.data[s.at:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	s.at += len(rest)
	return strings.ToValidUTF8(string(bytes.TrimSpace(rest)), "?")
}

// errEnds means that the text stops before endsolid.
var errEnds = errors.New("the file ends inside of a solid")

// expect reads the given words.
func (s *scanner) expect(words ...string) error {
	for _, want := range words {
		switch got := s.word(); got {
		case want:
		case "":
			return errEnds
		default:
			return fmt.Errorf("%.40q instead of %s", got, want)
		}
	}
	return nil
}

// facet reads the text from after the word facet up to endfacet.
func (s *scanner) facet() (v [3]geom.Vec, err error) {
	if err := s.expect("normal"); err != nil {
		return v, err
	}
	for range 3 { // numbers or not: some exporters write nan for facets without area
		s.skip()
		s.at = input.TokenEnd(s.data, s.at)
	}
	if err := s.expect("outer", "loop"); err != nil {
		return v, err
	}
	for k := range v {
		if err := s.expect("vertex"); err != nil {
			return v, err
		}
		for axis, to := range [3]*float64{&v[k].X, &v[k].Y, &v[k].Z} {
			s.skip()
			x, next, ok := input.Float(s.data, s.at)
			switch {
			case s.at == len(s.data):
				return v, errEnds
			case !ok || x-x != 0:
				token := s.data[s.at:input.TokenEnd(s.data, s.at)]
				return v, fmt.Errorf("%c of vertex is %.40q, not a finite number", "xyz"[axis], token)
			}
			*to, s.at = x, next
		}
	}
	return v, s.expect("endloop", "endfacet")
}
