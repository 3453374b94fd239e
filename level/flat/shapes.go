package flat

import (
	"fmt"
	"io"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Shape is an area of a map with the author's names.
type Shape struct {
	// Names are the shape's own names, then the names of its layers and groups. Attributes appear as key=value;
	// naming attributes also as plain values. In grids the names are the letter and its meaning.
	Names []string
	// Rings bound it: points on the ground plane in metres. Outer rings run counter-clockwise, holes clockwise.
	Rings [][][2]float64
}

// drawing is a map in its decoder's model.
type drawing interface {
	plan() (*plan.Plan, error)
	shapes() ([]Shape, error)
	warnings() []string
}

// DecodeShapes reads the shapes of a map one by one, in the order of the file: free ones and obstacles. Unlike
// in [Decode] they may overlap and cross each other, but not themselves. Shapes without area are left out. In
// tiled maps the tiles of a layer that have the same class are one shape, and in grids the cells of a letter.
//
// Faults are as in Decode. Time is O(n log n) for n points of a shape.
func DecodeShapes(r io.Reader, name string, opt Options) ([]Shape, error) {
	opt.Shapes = true
	d, format, _, err := decodeDrawing(r, name, opt)
	if err != nil {
		return nil, err
	}
	all, err := d.shapes()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", format, err)
	}
	return all, nil
}

// shapeOf makes a shape of domains.
func shapeOf(names []string, frame lattice.Frame, domains []plan.Domain) Shape {
	s := Shape{Names: names}
	for i := range domains {
		for _, ring := range domains[i].Rings {
			points := make([][2]float64, len(ring))
			for k, p := range ring {
				x, y := geom.Ground(frame.ToWorld(p, 0))
				points[k] = [2]float64{x, y}
			}
			s.Rings = append(s.Rings, points)
		}
	}
	return s
}

// shapes returns the features, each alone.
func (s *sketch) shapes() ([]Shape, error) {
	features := s.surfaces
	if features == nil {
		features = s.features
	}
	var out []Shape
	for _, f := range features {
		f.obstacle = false
		one := sketch{scale: s.scale, down: s.down, limits: s.limits, features: []feature{f}}
		frame, domains, err := one.walkable()
		if err != nil {
			return nil, err
		}
		if len(domains) > 0 {
			out = append(out, shapeOf(f.labels, frame, domains))
		}
	}
	return out, nil
}

func (s *sketch) warnings() []string { return s.warn.Lines() }

// letter is a letter of a grid.
type letter struct {
	letter byte
	open   bool   // walkable
	name   string // of the ground, empty for cells out of bounds
}

// letters are the meanings of the letters in a grid.
var letters = []letter{
	{'.', true, "ground"},
	{'G', true, "ground"},
	{'S', true, "swamp"},
	{'T', false, "trees"},
	{'W', false, "water"},
	{'@', false, ""},
	{'O', false, ""},
}

// octileMap is a grid of letters.
type octileMap struct {
	grid
	cells []byte
	scale float64
	told  []string
}

func (m *octileMap) plan() (*plan.Plan, error) { return m.grid.plan(m.scale, m.scale) }

func (m *octileMap) warnings() []string { return m.told }

// shapes returns the cells of each letter that is no place out of bounds.
func (m *octileMap) shapes() ([]Shape, error) {
	var out []Shape
	for _, l := range letters {
		if l.name == "" || !slices.Contains(m.cells, l.letter) {
			continue
		}
		g := grid{width: m.width, height: m.height, limits: m.limits, open: make([]bool, len(m.cells))}
		for i, c := range m.cells {
			g.open[i] = c == l.letter
		}
		p, err := g.plan(m.scale, m.scale)
		if err != nil {
			return nil, err
		}
		out = append(out, shapeOf([]string{l.name, string(l.letter)}, p.Frame, p.Layers[0].Domains))
	}
	return out, nil
}
