// Package polyfile reads polygon meshes in the text format, version 2, of the meshes published by the authors of
// Polyanya (Cui, Harabor and Grastien, IJCAI 2017). docs/formats/polymesh.md describes the format.
package polyfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/navmesh"
)

// maxWord bounds the length of a word of the file.
const maxWord = 64

// IsMesh reports whether a file with the given start is in this format.
func IsMesh(start []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(start, " \t\r\n"), []byte("mesh"))
	return ok && len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r' || rest[0] == ' ')
}

// Read reads a mesh. A unit of the file is a metre, x is east and y is north; coordinates are rounded to the lattice,
// which is exact for multiples of 2⁻¹². Polygons become regions. Read finds neighbours anew and ignores the neighbours
// listed in the file. The mesh is for an agent without extent.
//
// The error names the line, and the faulty vertex or polygon. Faults are a number out of range, a polygon that is not
// convex or not counter-clockwise, and polygons that overlap at an edge. More than [MaxVertices] or [MaxPolygons] are
// refused. Time O(n log n) for n corners.
func Read(r io.Reader) (*navmesh.Mesh, error) {
	if r == nil {
		return nil, errors.New("polyfile: the reader is nil")
	}
	d := decoder{in: bufio.NewReader(r), line: 1}
	if err := d.read(); err != nil {
		return nil, fmt.Errorf("polyfile: %w", err)
	}
	mesh, err := d.mesh()
	if err != nil {
		return nil, fmt.Errorf("polyfile: %w", err)
	}
	return mesh, nil
}

type decoder struct {
	in   *bufio.Reader
	line int
	word []byte

	points   []lattice.Point
	polygons []lattice.Ring
	corners  int // of all polygons
}

// next returns the next word of the file.
func (d *decoder) next(what string) (string, error) {
	d.word = d.word[:0]
	for {
		c, err := d.in.ReadByte()
		if err != nil && err != io.EOF {
			return "", err
		}
		switch {
		case err == io.EOF || c <= ' ':
			if len(d.word) > 0 {
				if err == nil {
					err = d.in.UnreadByte() // the line end is still to be counted
				}
				if err == io.EOF {
					err = nil
				}
				return string(d.word), err
			}
			if err == io.EOF {
				return "", fmt.Errorf("line %d: the file ends before %s", d.line, what)
			}
			if c == '\n' {
				d.line++
			}
		case len(d.word) == maxWord:
			return "", fmt.Errorf("line %d: %s: a word of more than %d characters", d.line, what, maxWord)
		default:
			d.word = append(d.word, c)
		}
	}
}

// integer reads an integer from low to high.
func (d *decoder) integer(what string, low, high int) (int, error) {
	word, err := d.next(what)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("line %d: %s is %q, must be an integer from %d to %d", d.line, what, word, low, high)
	}
	return n, nil
}

// coordinate reads a coordinate as lattice units.
func (d *decoder) coordinate(what string) (int32, error) {
	word, err := d.next(what)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(word, 64)
	units := math.Floor(v*lattice.UnitsPerMetre + 0.5)
	if err != nil || !(math.Abs(units) <= lattice.MaxCoord) {
		return 0, fmt.Errorf("line %d: %s is %q, must be a number of at most ±%d", d.line, what, word, lattice.MaxCoord/lattice.UnitsPerMetre)
	}
	return int32(units), nil
}

// Limits of a file. Reading a mesh at the limits takes some 1.6 GB.
const (
	MaxVertices = 1 << 21
	MaxPolygons = 1 << 19
)

// most bounds a list of numbers in a file.
const most = 1 << 21

func (d *decoder) read() error {
	magic, err := d.next("the word mesh")
	if err != nil {
		return err
	}
	if magic != "mesh" {
		return fmt.Errorf("line %d: starts with %.20q instead of mesh", d.line, magic)
	}
	if version, err := d.integer("the version", 0, most); err != nil {
		return err
	} else if version != 2 {
		return fmt.Errorf("line %d: version %d, only 2 is read", d.line, version)
	}
	vertices, err := d.integer("the number of vertices", 0, MaxVertices)
	if err != nil {
		return err
	}
	polygons, err := d.integer("the number of polygons", 1, MaxPolygons)
	if err != nil {
		return err
	}
	for i := range vertices {
		if err := d.vertex(i, polygons); err != nil {
			return err
		}
	}
	for i := range polygons {
		if err := d.polygon(i, vertices, polygons); err != nil {
			return err
		}
	}
	if word, err := d.next(""); err == nil {
		return fmt.Errorf("line %d: %.20q behind the last polygon", d.line, word)
	}
	return nil
}

// vertex reads a vertex: its coordinates, and the polygons around it, -1 for none.
func (d *decoder) vertex(i, polygons int) error {
	var p lattice.Point
	var err error
	if p.X, err = d.coordinate(fmt.Sprintf("x of vertex %d", i)); err != nil {
		return err
	}
	if p.Y, err = d.coordinate(fmt.Sprintf("y of vertex %d", i)); err != nil {
		return err
	}
	d.points = append(d.points, p)
	n, err := d.integer(fmt.Sprintf("the number of polygons around vertex %d", i), 0, most)
	for k := 0; k < n && err == nil; k++ {
		_, err = d.integer(fmt.Sprintf("a polygon around vertex %d", i), -1, polygons-1)
	}
	return err
}

// polygon reads a polygon: its vertices, and the polygons behind its edges, -1 for none.
func (d *decoder) polygon(i, vertices, polygons int) error {
	n, err := d.integer(fmt.Sprintf("the number of vertices of polygon %d", i), 3, most)
	var ring lattice.Ring
	for k := 0; k < n && err == nil; k++ {
		var v int
		if v, err = d.integer(fmt.Sprintf("a vertex of polygon %d", i), 0, vertices-1); err == nil {
			ring = append(ring, d.points[v])
		}
		if d.corners++; d.corners > 4*MaxVertices {
			return fmt.Errorf("line %d: polygon %d: more than %d corners in all", d.line, i, 4*MaxVertices)
		}
	}
	if err == nil {
		if k := notConvex(ring); k >= 0 {
			x, y := float64(ring[k].X)*lattice.Unit, float64(ring[k].Y)*lattice.Unit
			return fmt.Errorf("line %d: polygon %d is not convex and counter-clockwise at %g, %g", d.line, i, x, y)
		}
	}
	d.polygons = append(d.polygons, ring)
	for k := 0; k < n && err == nil; k++ {
		_, err = d.integer(fmt.Sprintf("a neighbour of polygon %d", i), -1, polygons-1)
	}
	return err
}

// notConvex returns a corner where the ring is not convex or goes twice around, or -1. Corners on a straight side are
// allowed.
func notConvex(ring lattice.Ring) int {
	n := len(ring)
	downs := 0
	for k, b := range ring {
		a, c := ring[(k+n-1)%n], ring[(k+1)%n]
		turn := lattice.Orient(a, b, c)
		// On a line, a corner is straight on if the way does not turn back.
		dx, dy := b.Sub(a)
		ex, ey := c.Sub(b)
		if turn < 0 || a == b || turn == 0 && int64(dx)*int64(ex)+int64(dy)*int64(ey) < 0 {
			return k
		}
		if a.Compare(b) < 0 && b.Compare(c) > 0 {
			downs++
		}
	}
	if downs != 1 || ring.Area2() <= 0 {
		return 0
	}
	return -1
}

// mesh joins the polygons. Polygons connected by common edges form a domain.
func (d *decoder) mesh() (*navmesh.Mesh, error) {
	sets := unionfind.New(len(d.polygons))
	at := map[[2]lattice.Point]int32{}
	for i, ring := range d.polygons {
		for k, a := range ring {
			b := ring[(k+1)%len(ring)]
			if o, ok := at[[2]lattice.Point{b, a}]; ok {
				sets.Union(int32(i), o)
			}
			if o, ok := at[[2]lattice.Point{a, b}]; ok {
				return nil, fmt.Errorf("polygons %d and %d overlap at their edge from %g, %g", o, i, float64(a.X)*lattice.Unit, float64(a.Y)*lattice.Unit)
			}
			at[[2]lattice.Point{a, b}] = int32(i)
		}
	}
	members := map[int32][]int32{}
	var roots []int32
	for i := range d.polygons {
		root := sets.Find(int32(i))
		if len(members[root]) == 0 {
			roots = append(roots, root)
		}
		members[root] = append(members[root], int32(i))
	}
	p := &plan.Plan{Agent: geom.Agent{Radius: geom.PointRadius, MaxClimb: geom.NoClimb}.WithDefaults(), Layers: make([]plan.Layer, 1), Components: len(roots)}
	cells := make([][][]plan.Cell, 1)
	for c, root := range roots {
		var rings []lattice.Ring
		var made []plan.Cell
		for _, i := range members[root] {
			rings = append(rings, d.polygons[i])
			corners := make([]plan.Corner, len(d.polygons[i]))
			for k, q := range d.polygons[i] {
				corners[k] = plan.Corner{Point: q, On: plan.NoEdge}
			}
			made = append(made, plan.Cell{Corners: corners})
		}
		outline, err := overlay.Union(rings)
		if err != nil {
			return nil, err
		}
		if len(outline) != 1 {
			return nil, fmt.Errorf("polygons %d and those that it joins cover each other in part", root)
		}
		p.Layers[0].Domains = append(p.Layers[0].Domains, plan.Domain{Polygon: outline[0], Component: int32(c)})
		cells[0] = append(cells[0], made)
	}
	mesh, _, err := join.Build(context.Background(), p, cells, join.Options{})
	return mesh, err
}
