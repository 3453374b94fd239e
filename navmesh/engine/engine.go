// Package engine reads the navigation meshes of game engines as people export them: Unity's triangulation as Wavefront OBJ, and
// Godot's NavigationMesh as a text resource. docs/formats/engines.md describes the files.
package engine

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/polymesh"
	"github.com/meadow-nav/meadow/navmesh"
)

// Limits of a file.
const (
	MaxBytes    = 1 << 27
	MaxVertices = 1 << 21
	MaxPolygons = 1 << 19
	maxCorners  = 1 << 12 // of a polygon
	maxLine     = 1 << 20
)

// noSlope is the slope of agents of files that state no slope: the steepest that an agent may have.
const noSlope = 89.8

// Options tell what a file does not.
type Options struct {
	// LeftHanded says that the file has Unity's axes: x right, y up, z forward. Reading negates x, as Unity's own exporters of OBJ
	// and glTF do, and turns the polygons. Files that such an exporter has turned already are right-handed.
	LeftHanded bool
	// Scale is the length of a unit in metres, 0 for 1.
	Scale float64
	// Climb is the highest step in metres between neighbours that share no vertices, 0 for 0.1.
	Climb float64
}

// unitClimb is the default of Options.Climb.
const unitClimb = 0.1

// IsGodot reports whether a file with the given start is a NavigationMesh of Godot as text.
func IsGodot(start []byte) bool {
	start = bytes.TrimLeft(start, " \t\r\n")
	return bytes.HasPrefix(start, []byte("[gd_resource")) && bytes.Contains(start, []byte(`type="NavigationMesh"`))
}

// ReadOBJ reads a mesh of triangles or other polygons as a navigation mesh. Only lines v and f count; vertices at the same place are
// one vertex. Neighbours share an edge, or a part of an edge. The agent is a point. The error names the line. Time O(n log n).
func ReadOBJ(r io.Reader, opt Options) (*navmesh.Mesh, error) {
	return read(r, opt, "obj", (*soup).obj)
}

// ReadGodot reads a NavigationMesh that Godot saved as text (.tres): vertices, polygons and the agent. Godot's axes are Meadow's, and a unit is
// a metre; see Options for others. The error names the property. Time O(n log n).
func ReadGodot(r io.Reader, opt Options) (*navmesh.Mesh, error) {
	return read(r, opt, "godot", (*soup).godot)
}

// soup is an unfinished mesh.
type soup struct {
	opt      Options
	agent    geom.Agent
	vertices []geom.Vec
	polygons [][]uint32
	lines    []int // of each polygon, its line; nil for a file without lines
}

func read(r io.Reader, opt Options, name string, decode func(*soup, *bufio.Reader) error) (*navmesh.Mesh, error) {
	if r == nil {
		return nil, fmt.Errorf("engine: %s: the reader is nil", name)
	}
	if opt.Scale == 0 {
		opt.Scale = 1
	}
	if opt.Climb == 0 {
		opt.Climb = unitClimb
	}
	if !(opt.Scale > 0) || math.IsInf(opt.Scale, 0) || !(opt.Climb > 0) || opt.Climb > 1000 {
		return nil, fmt.Errorf("engine: Scale is %g and Climb %g, must be above 0, Climb up to 1000 m", opt.Scale, opt.Climb)
	}
	s := &soup{opt: opt, agent: geom.Agent{Radius: geom.PointRadius, MaxClimb: opt.Climb}.WithDefaults()}
	s.agent.MaxSlope = geom.Degrees(noSlope)
	s.agent.Height = max(s.agent.Height, 2*s.agent.MaxClimb)
	limited := &io.LimitedReader{R: r, N: MaxBytes + 1}
	err := decode(s, bufio.NewReader(limited))
	if limited.N == 0 {
		err = fmt.Errorf("more than %d bytes", MaxBytes)
	}
	var m *navmesh.Mesh
	if err == nil {
		m, err = s.mesh()
	}
	if err != nil {
		return nil, fmt.Errorf("engine: %s: %w", name, err)
	}
	return m, nil
}

// number reads a finite number.
func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%.40q is no number", text)
	}
	return v, nil
}

// vertex adds a vertex of the file.
func (s *soup) vertex(v [3]float64) error {
	if len(s.vertices) == MaxVertices {
		return fmt.Errorf("more than %d vertices", MaxVertices)
	}
	x := v[0]
	if s.opt.LeftHanded {
		x = -x
	}
	s.vertices = append(s.vertices, geom.Vec{X: s.opt.Scale * x, Y: s.opt.Scale * v[1], Z: s.opt.Scale * v[2]})
	return nil
}

// polygon adds a polygon of the file.
func (s *soup) polygon(corners []uint32) error {
	switch {
	case len(s.polygons) == MaxPolygons:
		return fmt.Errorf("more than %d polygons", MaxPolygons)
	case len(corners) < 3 || len(corners) > maxCorners:
		return fmt.Errorf("a polygon of %d corners, must be 3 to %d", len(corners), maxCorners)
	}
	s.polygons = append(s.polygons, slices.Clone(corners))
	return nil
}

// obj reads lines v and f.
func (s *soup) obj(in *bufio.Reader) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	var corners []uint32
	line := 0
	for scanner.Scan() {
		line++
		words := strings.Fields(scanner.Text())
		if len(words) == 0 {
			continue
		}
		var err error
		switch words[0] {
		case "v":
			var v [3]float64
			if len(words) < 4 {
				err = fmt.Errorf("a vertex of %d coordinates", len(words)-1)
			}
			for k := 0; k < 3 && err == nil; k++ {
				v[k], err = number(words[k+1])
			}
			if err == nil {
				err = s.vertex(v)
			}
		case "f":
			corners = corners[:0]
			for _, w := range words[1:] {
				w, _, _ = strings.Cut(w, "/")
				n, bad := strconv.Atoi(w)
				if n < 0 {
					n += len(s.vertices) + 1
				}
				if bad != nil || n < 1 || n > len(s.vertices) {
					err = fmt.Errorf("corner %.40q of %d vertices", w, len(s.vertices))
					break
				}
				corners = append(corners, uint32(n-1))
			}
			if err == nil {
				s.lines = append(s.lines, line)
				err = s.polygon(corners)
			}
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("line %d: %w", line+1, err)
	}
	return nil
}

// godot reads the properties of a resource.
func (s *soup) godot(in *bufio.Reader) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if !IsGodot(data[:min(len(data), 256)]) {
		return errors.New(`starts otherwise than with [gd_resource type="NavigationMesh"`)
	}
	text := string(data)
	for _, p := range []struct {
		name string
		to   *float64
	}{{"agent_radius", &s.agent.Radius}, {"agent_height", &s.agent.Height}, {"agent_max_climb", &s.agent.MaxClimb}} {
		if value, ok := property(text, p.name); ok {
			v, err := number(strings.TrimSpace(firstLine(value)))
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			*p.to = v * s.opt.Scale
		}
	}
	s.agent.Height = max(s.agent.Height, s.agent.MaxClimb*1.01)
	if err := s.agent.Validate(); err != nil {
		return err
	}
	value, ok := property(text, "vertices")
	if !ok {
		return errors.New("there are no vertices")
	}
	list, _, err := numbers(value, "PackedVector3Array(", "PoolVector3Array(", "Vector3Array(")
	if err != nil {
		return fmt.Errorf("vertices: %w", err)
	}
	if len(list)%3 != 0 {
		return fmt.Errorf("vertices: %d coordinates, must be three of each", len(list))
	}
	for i := 0; i < len(list); i += 3 {
		if err := s.vertex([3]float64(list[i : i+3])); err != nil {
			return err
		}
	}
	if value, ok = property(text, "polygons"); !ok {
		return errors.New("there are no polygons")
	}
	value = strings.TrimLeft(value, " \t\r\n")
	if !strings.HasPrefix(value, "[") {
		return errors.New("polygons: no list in [ ]")
	}
	value = value[1:]
	for {
		value = strings.TrimLeft(value, " \t\r\n,")
		if strings.HasPrefix(value, "]") {
			return nil
		}
		name := fmt.Sprintf("polygon %d", len(s.polygons))
		if list, value, err = numbers(value, "PackedInt32Array(", "PoolIntArray(", "IntArray("); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		corners := make([]uint32, len(list))
		for k, v := range list {
			if v != math.Trunc(v) || v < 0 || v >= float64(len(s.vertices)) {
				return fmt.Errorf("%s: corner %g of %d vertices", name, v, len(s.vertices))
			}
			corners[k] = uint32(v)
		}
		if err := s.polygon(corners); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// property returns the text behind "name =" at the start of a line.
func property(text, name string) (value string, ok bool) {
	for at := 0; ; {
		i := strings.Index(text[at:], "\n"+name)
		if i < 0 {
			return "", false
		}
		at += i + 1 + len(name)
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text[at:], " \t"), "="); ok {
			return rest, true
		}
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// numbers reads a list of numbers in one of the given brackets; rest is the text behind.
func numbers(text string, open ...string) (list []float64, rest string, err error) {
	text = strings.TrimLeft(text, " \t\r\n")
	for _, o := range open {
		body, ok := strings.CutPrefix(text, o)
		if !ok {
			continue
		}
		body, rest, ok = strings.Cut(body, ")")
		if !ok {
			return nil, "", errors.New("the list has no end")
		}
		for len(strings.TrimSpace(body)) > 0 {
			var word string
			word, body, _ = strings.Cut(body, ",")
			v, err := number(strings.TrimSpace(word))
			if err != nil {
				return nil, "", err
			}
			if list = append(list, v); len(list) > 3*MaxVertices {
				return nil, "", fmt.Errorf("more than %d numbers", 3*MaxVertices)
			}
		}
		return list, rest, nil
	}
	return nil, "", fmt.Errorf("%.20q instead of %s", text, open[0])
}

// mesh converts the polygons. Polygons that face down are turned, if most face down; the others are left out.
func (s *soup) mesh() (*navmesh.Mesh, error) {
	if len(s.vertices) == 0 || len(s.polygons) == 0 {
		return nil, fmt.Errorf("%d vertices and %d polygons", len(s.vertices), len(s.polygons))
	}
	low, high := s.vertices[0], s.vertices[0]
	for _, v := range s.vertices {
		low = geom.Vec{X: min(low.X, v.X), Y: min(low.Y, v.Y), Z: min(low.Z, v.Z)}
		high = geom.Vec{X: max(high.X, v.X), Y: max(high.Y, v.Y), Z: max(high.Z, v.Z)}
	}
	east, north, up, ok := lattice.Snap(geom.Vec{X: low.X/2 + high.X/2, Y: low.Y/2 + high.Y/2, Z: low.Z/2 + high.Z/2})
	out := polymesh.Soup{Frame: lattice.Frame{East: east, North: north, Up: up}, Agent: s.agent}
	const most = lattice.MaxCoord - 1<<16 // corners may move
	if extent := max(high.X-low.X, high.Y-low.Y, high.Z-low.Z); !ok || !(extent < 2*most*lattice.Unit) {
		return nil, fmt.Errorf("the mesh lies between %v and %v: too far away or too wide", low, high)
	}
	index := map[lattice.Vertex]uint32{}
	number := make([]uint32, len(s.vertices))
	for i, v := range s.vertices {
		p, z, _ := out.Frame.FromWorld(v)
		at := lattice.Vertex{Point: p, Z: z}
		n, ok := index[at]
		if !ok {
			n = uint32(len(out.Points))
			index[at] = n
			out.Points = append(out.Points, at)
		}
		number[i] = n
	}
	facing := 0
	areas := make([]int64, len(s.polygons))
	for i, p := range s.polygons {
		ring := make(lattice.Ring, len(p))
		for k, c := range p {
			p[k] = number[c]
			ring[k] = out.Points[p[k]].Point
		}
		if areas[i] = ring.Area2(); areas[i] > 0 {
			facing++
		} else if areas[i] < 0 {
			facing--
		}
	}
	if err := s.notLevel(areas, facing < 0, out.Points); err != nil {
		return nil, err
	}
	var names []int
	for i, p := range s.polygons {
		if areas[i] == 0 || (areas[i] < 0) != (facing < 0) {
			continue // upright, or turned over
		}
		if facing < 0 {
			slices.Reverse(p)
		}
		out.Polygons = append(out.Polygons, polymesh.Polygon{Corners: p, Flags: navmesh.DefaultFlags})
		names = append(names, i)
	}
	out.Meetings = polymesh.Meet(&out, int32(math.Round(s.opt.Climb*lattice.UnitsPerMetre)))
	out.Name = func(i int) string {
		if s.lines != nil {
			return fmt.Sprintf("line %d: the polygon", s.lines[names[i]])
		}
		return fmt.Sprintf("polygon %d", names[i])
	}
	m, _, err := polymesh.Build(&out)
	return m, err
}

// maxWalls is the part of the polygons that may be walls or face down: an exporter leaves slivers and turned triangles, and a level has walls.
const maxWalls = 1.0 / 20

// notLevel returns an error for polygons of a level: more than a few stand upright or face down.
func (s *soup) notLevel(areas []int64, turned bool, points []lattice.Vertex) error {
	walls, first := 0, -1
	for i, p := range s.polygons {
		low, high := points[p[0]].Z, points[p[0]].Z
		for _, c := range p {
			low, high = min(low, points[c].Z), max(high, points[c].Z)
		}
		upright := areas[i] == 0 && float64(high-low) > s.opt.Climb*lattice.UnitsPerMetre
		if upright || areas[i] != 0 && (areas[i] < 0) != turned {
			if walls++; first < 0 {
				first = i
			}
		}
	}
	flat := slices.ContainsFunc(areas, func(a int64) bool { return a != 0 })
	if !flat || float64(walls) <= maxWalls*float64(len(s.polygons)) {
		return nil
	}
	at := fmt.Sprintf("polygon %d", first)
	if s.lines != nil {
		at = fmt.Sprintf("line %d", s.lines[first])
	}
	return fmt.Errorf("not a mesh to walk on: %d of %d polygons are walls or face down, the first in %s; meadow build makes a mesh of a level", walls, len(s.polygons), at)
}
