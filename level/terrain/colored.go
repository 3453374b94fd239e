package terrain

import "github.com/meadow-nav/meadow/level"

// sample is a colour of an area.
type sample struct {
	color rgb
	area  uint8
}

// maxColorDistance is the maximum distance of a vertex colour from a group's colour: a third of the way from black to
// white.
const maxColorDistance = 147

// learnColors gathers the colours of groups, if the level has vertex colours.
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

// byColor returns the area of most vertices of a triangle, each by the nearest group colour. If all three differ, the
// mean colour decides. ok is false if no colour is near.
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

// nearestColor returns the area with the nearest colour, the first of several; ok is false if no colour is near.
func (c *classifier) nearestColor(color rgb) (area uint8, ok bool) {
	best := maxColorDistance*maxColorDistance + 1
	for _, s := range c.colors {
		if d := s.color.distance2(color); d < best {
			best, area, ok = d, s.area, true
		}
	}
	return area, ok
}
