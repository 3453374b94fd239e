package terrain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/level"
)

// ClassifyShapes returns the ground of a two-dimensional map by valid rules. A shape belongs to the first group with a
// pattern for one of its names; without a pattern, and if the rules guess, to the group nearest to the surest of its
// names. Shapes of no group paint nothing. Of overlapping shapes the later wins.
//
// A row of the report covers all shapes with the same names and has the first name; areas are the areas of shapes, each
// alone. Time O(shapes × names × patterns).
func ClassifyShapes(name string, shapes []Shape, r *Rules) ([]level.Painted, Report) {
	c := newClassifier(r, fmt.Sprintf("map %q", name))
	rows := map[string]int{} // looked up only
	var painted []level.Painted
	for _, s := range shapes {
		key := strings.Join(s.Names, "\x00")
		i, known := rows[key]
		if !known {
			i = len(c.report.Rows)
			rows[key] = i
			c.report.Rows = append(c.report.Rows, c.shape(s.Names))
		}
		row := &c.report.Rows[i]
		size := s.size()
		row.Ground += size
		c.report.Areas[row.Area] += size
		if row.How != Unknown {
			painted = append(painted, level.Painted{Area: row.Area, Rings: s.Rings})
		}
	}
	c.warn()
	return painted, c.report
}

// shape makes the row of shapes by their names.
func (c *classifier) shape(names []string) Row {
	row := Row{Material: level.NoMaterial}
	if len(names) > 0 {
		row.Name = names[0]
	}
	matches := func(glob string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return Matches(glob, n, "") })
	}
	c.classify(&row, matches, func() guess {
		best := guess{group: -1}
		for _, n := range names {
			if g := c.guesses.guess(n, ""); g.confidence > best.confidence && (g.group >= 0 || best.group < 0) {
				best = g
			}
		}
		return best
	})
	return row
}

// size returns the area of a shape in square metres.
func (s Shape) size() float64 {
	sum := 0.0
	for _, ring := range s.Rings {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			sum += (float64(p[0]*q[1]) - float64(p[1]*q[0])) / 2
		}
	}
	return sum
}
