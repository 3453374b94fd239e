// Package ply reads and writes PLY, the Stanford polygon format: ASCII, binary little-endian and
// binary big-endian.
//
// The header of a PLY file describes its layout; any elements, with any properties of any type in any order,
// are understood. The decoder uses vertex positions and colours, faces and triangle strips, and skips the
// rest.
package ply

import (
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
	"github.com/meadow-nav/meadow/level/internal/polygon"
)

// Decode reads a PLY file; the level is called after name. Coordinates are not converted.
//
// A fault is an error with the element's number, from 0. Time and space O(bytes).
func Decode(r io.Reader, name string, limits level.Limits) (*level.Level, error) {
	data, err := input.All(r, limits)
	if err != nil {
		return nil, fmt.Errorf("ply: %w", err)
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("ply: the file is empty")
	}
	base := path.Base(input.Slashed(name))
	d := decoder{lvl: &level.Level{Name: strings.TrimSuffix(base, path.Ext(base))}, limits: limits.WithDefaults()}
	if err := d.file(data); err != nil {
		return nil, fmt.Errorf("ply: %w", err)
	}
	d.lvl.Warnings = d.warnings.Lines()
	return d.lvl, nil
}

// decoder gathers the elements; triangles are made when all are read, because faces may come before
// vertices.
type decoder struct {
	lvl      *level.Level
	limits   level.Limits
	corners  []uint32 // of all faces, one after the other
	sizes    []uint32 // how many corners each face has
	strips   []int64  // triangle strips, -1 between them
	warnings input.Warnings
}

func (d *decoder) file(data []byte) error {
	h, err := parseHeader(data)
	if err != nil {
		return err
	}
	if h.stray > 0 {
		d.warnings.Addf("ply: line %d: taken for a comment", h.stray)
	}
	hasVertices, hasFaces := false, false
	for i := range h.elements {
		e := &h.elements[i]
		if err := e.fits(&h.body); err != nil {
			return err
		}
		switch e.name {
		case "vertex":
			hasVertices = true
			err = d.vertices(e, &h.body)
		case "face":
			hasFaces = true
			err = d.faces(e, &h.body)
		case "tristrips":
			hasFaces = true
			err = d.triangleStrips(e, &h.body)
		default:
			err = e.skip(&h.body)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case !hasVertices:
		return fmt.Errorf("no vertex element in the header")
	case !hasFaces:
		return fmt.Errorf("no face element in the header: points alone have no surface")
	}
	if err := d.makeFaces(); err != nil {
		return err
	}
	if err := d.makeStrips(); err != nil {
		return err
	}
	if len(d.lvl.Triangles) == 0 {
		return fmt.Errorf("no face in the file")
	}
	return nil
}

// vertices reads the positions.
func (d *decoder) vertices(e *element, b *body) error {
	axes := [3]int{-1, -1, -1}
	for i, p := range e.properties {
		if k := strings.Index("xyz", p.name); len(p.name) == 1 && k >= 0 {
			if p.isList() {
				return fmt.Errorf("property %s of the vertices is a list", p.name)
			}
			axes[k] = i
		}
	}
	for k, i := range axes {
		if i < 0 {
			return fmt.Errorf("vertices without property %c", "xyz"[k])
		}
	}
	if err := d.limits.CheckVertices(e.count); err != nil {
		return err
	}
	colors := colorsOf(e)
	record := make([]float64, len(e.properties))
	d.lvl.Vertices = make([]geom.Vec, 0, e.count)
	for n := range e.count {
		if err := e.record(b, record, nil); err != nil {
			return fmt.Errorf("vertex %d: %w", n, err)
		}
		v := geom.Vec{X: record[axes[0]], Y: record[axes[1]], Z: record[axes[2]]}
		if !v.IsFinite() {
			return fmt.Errorf("vertex %d at %v is not finite", n, v)
		}
		d.lvl.Vertices = append(d.lvl.Vertices, v)
		if colors != nil {
			d.lvl.Colors = append(d.lvl.Colors, colors.read(record))
		}
	}
	return nil
}

// colorProperties are the places of red, green and blue in a record, and the greatest value of each.
type colorProperties struct {
	at       [3]int
	greatest [3]float64
}

// colorsOf finds the colours of vertices, nil if none can be read.
func colorsOf(e *element) *colorProperties {
	c := &colorProperties{at: [3]int{-1, -1, -1}}
	for i, p := range e.properties {
		name := strings.TrimPrefix(p.name, "diffuse_")
		for k, channel := range [3]string{"red", "green", "blue"} {
			if (name == channel || name == channel[:1]) && !p.isList() {
				c.at[k] = i
				c.greatest[k] = map[kind]float64{uint8Kind: math.MaxUint8, uint16Kind: math.MaxUint16, float32Kind: 1, float64Kind: 1}[p.kind]
			}
		}
	}
	for k := range c.at {
		if c.at[k] < 0 || c.greatest[k] == 0 {
			return nil
		}
	}
	return c
}

// read turns the colour of a record from picture values into linear light.
func (c *colorProperties) read(record []float64) [4]float32 {
	out := level.White
	for k := range c.at {
		v := record[c.at[k]] / c.greatest[k]
		if !(v >= 0) {
			v = 0
		}
		out[k] = float32(level.Linear(min(v, 1)))
	}
	return out
}

// indexList returns the list of vertex indices of an element.
func indexList(e *element) (int, error) {
	for i, p := range e.properties {
		if p.name != "vertex_indices" && p.name != "vertex_index" {
			continue
		}
		if !p.isList() || p.kind == float32Kind || p.kind == float64Kind {
			return 0, fmt.Errorf("%s of element %s is not a list of integers", p.name, e.name)
		}
		return i, nil
	}
	return 0, fmt.Errorf("element %s without vertex_indices", e.name)
}

// faces reads the corners of all faces; their range is checked when the vertices are known.
func (d *decoder) faces(e *element, b *body) error {
	list, err := indexList(e)
	if err != nil {
		return err
	}
	if err := d.limits.CheckTriangles(e.count); err != nil {
		return err
	}
	record := make([]float64, len(e.properties))
	for n := range e.count {
		size := 0
		err := e.record(b, record, func(property int, v float64) error {
			if property != list {
				return nil
			}
			if v < 0 {
				return fmt.Errorf("vertex %g: indices start at 0", v)
			}
			d.corners = append(d.corners, uint32(v))
			size++
			return d.limits.CheckTriangles(len(d.corners) / 3) // a face of n corners has n - 2, a third or more
		})
		if err != nil {
			return fmt.Errorf("face %d: %w", n, err)
		}
		d.sizes = append(d.sizes, uint32(size))
	}
	return nil
}

// triangleStrips reads strips: lists of indices, where -1 starts the next strip.
func (d *decoder) triangleStrips(e *element, b *body) error {
	list, err := indexList(e)
	if err != nil {
		return err
	}
	record := make([]float64, len(e.properties))
	for n := range e.count {
		err := e.record(b, record, func(property int, v float64) error {
			if property == list {
				d.strips = append(d.strips, int64(v))
			}
			return d.limits.CheckTriangles(len(d.strips) / 4)
		})
		if err != nil {
			return fmt.Errorf("strip %d: %w", n, err)
		}
		d.strips = append(d.strips, -1)
		if err := d.limits.CheckTriangles(len(d.strips) / 4); err != nil {
			return err
		}
	}
	return nil
}

// makeFaces cuts all faces into triangles.
func (d *decoder) makeFaces() error {
	var (
		cutter  polygon.Cutter
		corners []geom.Vec
	)
	small := 0 // faces of less than three corners
	next := d.corners
	d.lvl.Triangles = make([]level.Triangle, 0, len(d.sizes))
	for n, size := range d.sizes {
		face := next[:size]
		next = next[size:]
		corners = corners[:0]
		for _, v := range face {
			if uint64(v) >= uint64(len(d.lvl.Vertices)) {
				return fmt.Errorf("face %d: vertex %d of %d", n, v, len(d.lvl.Vertices))
			}
			corners = append(corners, d.lvl.Vertices[v])
		}
		if size < 3 {
			small++
			continue
		}
		tris, outcome := cutter.Cut(corners)
		switch outcome {
		case polygon.TooMany:
			return fmt.Errorf("face %d: %d corners that are not convex, at most %d are cut", n, size, polygon.MaxConcave)
		case polygon.TooLong:
			return fmt.Errorf("face %d: %d corners that are not convex, and too many such faces before", n, size)
		case polygon.Crossed:
			d.warnings.Addf("ply: face %d: its %d corners cross, its triangles may overlap", n, size)
		}
		if err := d.limits.CheckTriangles(len(d.lvl.Triangles) + len(tris)); err != nil {
			return err
		}
		for _, t := range tris {
			d.lvl.Triangles = append(d.lvl.Triangles, level.Triangle{A: face[t[0]], B: face[t[1]], C: face[t[2]], Material: level.NoMaterial})
		}
	}
	if small > 0 {
		d.warnings.Addf("ply: %d faces of less than three corners left out", small)
	}
	return nil
}

// makeStrips adds the triangles of the strips. Every other triangle of a strip is turned over; those
// without area only join two parts of a strip and are kept like any other.
func (d *decoder) makeStrips() error {
	start := 0
	for i, v := range d.strips {
		if v < 0 {
			start = i + 1
			continue
		}
		if v >= int64(len(d.lvl.Vertices)) {
			return fmt.Errorf("strip: vertex %d of %d", v, len(d.lvl.Vertices))
		}
		if i-start < 2 {
			continue
		}
		if err := d.limits.CheckTriangles(len(d.lvl.Triangles) + 1); err != nil {
			return err
		}
		t := level.Triangle{A: uint32(d.strips[i-2]), B: uint32(d.strips[i-1]), C: uint32(v), Material: level.NoMaterial}
		if (i-start)%2 == 1 {
			t.A, t.B = t.B, t.A
		}
		d.lvl.Triangles = append(d.lvl.Triangles, t)
	}
	return nil
}
