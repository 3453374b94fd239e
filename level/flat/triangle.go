package flat

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// segmentMap is a planar straight-line graph as J. R. Shewchuk's program Triangle reads it: the faces that segments enclose are
// free, except those with the point of a hole.
type segmentMap struct {
	sketch
	holes []point
	lines []int // the line of each hole
}

// isTriangle reports whether text is a .poly file of Triangle: its first line has the number of points, the dimension 2, and
// one or two numbers more, where a plain polygon has two numbers.
func isTriangle(data []byte) bool {
	for line := range bytes.Lines(data) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		if fields := bytes.Fields(line[:min(len(line), 256)]); len(fields) > 0 {
			return (len(fields) == 3 || len(fields) == 4) && string(fields[1]) == "2"
		}
	}
	return false
}

// records reads the lines of a file of Triangle.
type records struct {
	data []byte
	line int
}

// next reads the numbers of the next line that has some, at least want.
func (r *records) next(want int) ([]float64, error) {
	for len(r.data) > 0 {
		var line []byte
		line, r.data, _ = bytes.Cut(r.data, []byte("\n"))
		r.line++
		line, _, _ = bytes.Cut(line, []byte("#"))
		fields := bytes.Fields(line[:min(len(line), 1<<16)])
		if len(fields) == 0 {
			continue
		}
		if len(fields) < want {
			return nil, fmt.Errorf("line %d: %d numbers; want %d", r.line, len(fields), want)
		}
		out := make([]float64, want)
		for i := range out {
			v, err := strconv.ParseFloat(string(fields[i]), 64)
			if err != nil || v-v != 0 {
				return nil, fmt.Errorf("line %d: %.40q is not a number", r.line, fields[i])
			}
			out[i] = v
		}
		return out, nil
	}
	return nil, fmt.Errorf("line %d: the file ends early", r.line)
}

// count reads a line that begins with a count of records, each of at least bytes.
func (r *records) count(bytes int) (int, error) {
	n, err := r.next(1)
	if err != nil {
		return 0, err
	}
	if !(n[0] >= 0 && n[0] <= float64(len(r.data)/bytes+1)) {
		return 0, fmt.Errorf("line %d: %g records in %d bytes", r.line, n[0], len(r.data))
	}
	return int(n[0]), nil
}

// decodeTriangle reads a .poly file of Triangle.
func decodeTriangle(data []byte, in source) (drawing, error) {
	r := &records{data: data}
	m := &segmentMap{sketch: sketch{scale: in.Scale, limits: in.Limits}}
	points, err := r.count(5)
	if err != nil {
		return nil, err
	}
	if points == 0 {
		return nil, errors.New("the points are in a .node file of their own: write them into the .poly file")
	}
	if err := in.Limits.CheckPoints(points); err != nil {
		return nil, err
	}
	at := make([]point, points)
	first := 0
	for i := range at {
		v, err := r.next(3)
		if err != nil {
			return nil, err
		}
		if i == 0 && v[0] == 1 {
			first = 1
		}
		if int(v[0]) != first+i {
			return nil, fmt.Errorf("line %d: point %g; want %d", r.line, v[0], first+i)
		}
		at[i] = point{v[1], v[2]}
	}
	segments, err := r.count(5)
	if err != nil {
		return nil, err
	}
	f := feature{where: "the segments"}
	for range segments {
		v, err := r.next(3)
		if err != nil {
			return nil, err
		}
		var ends [2]point
		for k := range ends {
			i := v[1+k] - float64(first)
			if !(i >= 0 && i < float64(points)) {
				return nil, fmt.Errorf("line %d: a segment to point %g of %d", r.line, v[1+k], points)
			}
			ends[k] = at[int(i)]
		}
		f.rings = append(f.rings, ends[:])
		f.names = append(f.names, fmt.Sprintf("the segment of line %d", r.line))
	}
	m.features = []feature{f}
	holes, err := r.count(5)
	if err != nil {
		return nil, err
	}
	for range holes {
		v, err := r.next(3)
		if err != nil {
			return nil, err
		}
		m.holes = append(m.holes, point{v[1], v[2]})
		m.lines = append(m.lines, r.line)
	}
	return m, nil
}

// plan returns the enclosed faces.
func (m *segmentMap) plan() (*plan.Plan, error) {
	frame, edges, _, err := m.edges()
	if err != nil {
		return nil, err
	}
	cut, crossings, ok := node(edges)
	switch {
	case !ok:
		return nil, fmt.Errorf("too many overlapping segments: %d ends with more than %d close pairs", len(edges), maxPairs(len(edges)))
	case crossings > 0:
		return nil, fmt.Errorf("segments cross, %d times; want segments that meet in points", crossings)
	}
	arcs := make([]arc, 0, len(cut)) // each segment has come as an edge in both directions
	for _, e := range cut {
		arcs = append(arcs, e.arc)
	}
	slices.SortFunc(arcs, compareArcs)
	w := trace(slices.Compact(arcs))
	taken := map[int32]bool{} // faces with a hole; looked up only
	index := newUnderlay(w.arcs)
	for i, h := range m.holes {
		at, ok := m.snap(h)
		p, _, inside := frame.FromWorld(geom.FromGround(float64(at.east)*lattice.Unit, float64(at.north)*lattice.Unit, 0))
		if !ok || !inside || p.X == lattice.MaxCoord {
			return nil, fmt.Errorf("line %d: a hole at (%g, %g), far outside", m.lines[i], h.x, h.y)
		}
		if below := index.below(arc{p, lattice.Point{X: p.X + 1, Y: p.Y}}); below >= 0 {
			taken[w.outer[w.walk[below]]] = true
		}
	}
	open := func(i int32) bool {
		face := w.outer[w.walk[i]]
		return face >= 0 && !taken[face]
	}
	c := cover{walks: w}
	var border []arc
	for i, a := range w.arcs {
		if open(int32(i)) && !open(c.twin(int32(i))) {
			border = append(border, a)
		}
	}
	return newPlan(frame, domains(border))
}

// shapes returns the faces as one shape.
func (m *segmentMap) shapes() ([]Shape, error) {
	p, err := m.plan()
	if err != nil {
		return nil, err
	}
	return []Shape{shapeOf(nil, p.Frame, p.Layers[0].Domains)}, nil
}
