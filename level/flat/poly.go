package flat

import (
	"bytes"
	"fmt"

	"github.com/meadow-nav/meadow/level/internal/input"
)

// decodePoly reads plain polygons: a line for each point, x to the east and y to the north with blanks or a
// comma between them; a blank line ends a ring; # starts a comment. All rings form one shape, so a ring in a
// ring is a hole.
func decodePoly(data []byte, opt source) (drawing, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	if isTriangle(data) {
		return decodeTriangle(data, opt)
	}
	s := &sketch{scale: opt.Scale, limits: opt.Limits}
	shape := feature{where: "the polygon"}
	var ring []point
	begun := 0 // the line of the ring's first point
	end := func() error {
		if n := len(ring); n > 1 && ring[0] == ring[n-1] {
			ring = ring[:n-1]
		}
		switch len(ring) {
		case 0:
			return nil
		case 1, 2:
			return fmt.Errorf("line %d: the ring from here has %d points; want at least 3", begun, len(ring))
		}
		shape.rings = append(shape.rings, ring)
		shape.names = append(shape.names, fmt.Sprintf("the ring of line %d", begun))
		ring = nil
		return nil
	}
	line, total := 0, 0
	for text := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		line++
		text, _, commented := bytes.Cut(text, []byte("#"))
		if len(bytes.TrimSpace(text)) == 0 {
			if !commented {
				if err := end(); err != nil {
					return nil, err
				}
			}
			continue
		}
		p, err := polyPoint(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if len(ring) == 0 {
			begun = line
		}
		total++
		if err := opt.Limits.CheckPoints(total); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		ring = append(ring, p)
	}
	if err := end(); err != nil {
		return nil, err
	}
	if len(shape.rings) > 0 {
		s.features = append(s.features, shape)
	}
	return s, nil
}

// polyPoint reads the two numbers of a line.
func polyPoint(text []byte) (point, error) {
	text = bytes.TrimSpace(bytes.Replace(text, []byte(","), []byte(" "), 1))
	x, i, okX := input.Float(text, 0)
	y, i, okY := input.Float(text, input.SkipBlank(text, i))
	if !okX || !okY || i != len(text) {
		return point{}, fmt.Errorf("invalid point %.40q; want two numbers", text)
	}
	return point{x, y}, nil
}
