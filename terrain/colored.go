package terrain

import "github.com/meadow-nav/meadow/level"

// sample is a colour that stands for an area.
type sample struct {
	color rgb
	area  uint8
}

// maxColorDistance is how far the colour of a vertex may be from the one that it is taken for: a
// third of the way from black to white.
const maxColorDistance = 147

// learnColors gathers the colours of groups, if the level has any to compare with.
func (c *classifier) learnColors() {
	if c.lvl.Colors == nil {
		return
	}
	for i := range c.rules.Groups {
		for _, s := range c.rules.Groups[i].Colors {
			if color, err := parseColor(s); err == nil {
				c.colors = append(c.colors, sample{color, c.areas[i]})
			}
		}
	}
}

// byColor returns the area that most vertices of a triangle have by the colours nearest to theirs. Of three
// that differ it is that of the mean of the colours. ok is false where none is near.
func (c *classifier) byColor(t level.Triangle) (area uint8, ok bool) {
	if len(c.colors) == 0 {
		return 0, false
	}
	var areas [3]uint8
	var near [3]bool
	var mean [3]float64
	for i, v := range [3]uint32{t.A, t.B, t.C} {
		light := c.lvl.Colors[v]
		var color [3]float64
		for k := range color {
			color[k] = float64(light[k])
			mean[k] += color[k] / 3
		}
		areas[i], near[i] = c.nearestColor(encoded(color))
		for k := range i {
			if areas[i] == areas[k] && near[i] == near[k] {
				return areas[i], near[i]
			}
		}
	}
	return c.nearestColor(encoded(mean))
}

// nearestColor returns the area whose colour is the nearest, the first of several; ok is false when none is near.
func (c *classifier) nearestColor(color rgb) (area uint8, ok bool) {
	best := maxColorDistance*maxColorDistance + 1
	for _, s := range c.colors {
		if d := s.color.distance2(color); d < best {
			best, area, ok = d, s.area, true
		}
	}
	return area, ok
}
