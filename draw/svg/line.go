package svg

import (
	"math"

	"github.com/meadow-nav/meadow/draw"
)

// cover is how near the nearest opaque shape is in every sample place.
type cover struct {
	grid  grid
	depth []float64
}

// newCover measures the items again, because only painted items count.
func newCover(camera *draw.Camera, items []item) cover {
	c := cover{grid: newGrid(camera)}
	c.depth = make([]float64, c.grid.columns*c.grid.rows)
	for i := range c.depth {
		c.depth[i] = math.Inf(-1)
	}
	var touches []touch
	for i := range items {
		if !items[i].opaque() {
			continue
		}
		touches = c.grid.meet(&items[i], 0, touches[:0])
		for _, t := range touches {
			c.depth[t.place] = math.Max(c.depth[t.place], t.depth)
		}
	}
	return c
}

// hides reports whether something is in front of a place at the given depth.
func (c *cover) hides(x, y, depth float64) bool {
	i, j := int(math.Floor(x/c.grid.pitch)), int(math.Floor(y/c.grid.pitch))
	return i >= 0 && j >= 0 && i < c.grid.columns && j < c.grid.rows && depth < c.depth[j*c.grid.columns+i]
}

// onFloor is the bias that keeps lines and discs above their floor, whose depth is taken in the middles of
// sample places.
func onFloor(camera *draw.Camera) float64 {
	return 0.01 + newGrid(camera).pitch/100/camera.Scale*camera.Slant()
}

// stretches returns the visible parts of a line: its unhidden positions, cut where hiding begins or ends, to
// a sample place.
func stretches(camera *draw.Camera, c *cover, l *draw.Line) [][]spot {
	if l.Color.A == 0 || !(l.Width > 0) || l.Width > 1e4 {
		return nil
	}
	var out [][]spot
	var open []spot // the stretch that is being drawn
	end := func() {
		if len(open) > 0 {
			out = append(out, open)
		}
		open = nil
	}
	bias := l.Bias + onFloor(camera)
	var last spot
	var lastDepth float64
	have := false
	for k, p := range l.P {
		at, depth, ok := see(camera, p)
		if !ok {
			end()
			have = false
			continue
		}
		depth += bias
		if !have {
			if k == len(l.P)-1 && (l.OnTop || !c.hides(float64(at.x), float64(at.y), depth)) {
				open = []spot{at} // a dot
			}
			last, lastDepth, have = at, depth, true
			continue
		}
		dx, dy := float64(at.x)-float64(last.x), float64(at.y)-float64(last.y)
		n := int(math.Min(math.Max(math.Abs(dx), math.Abs(dy))/c.grid.pitch, 1<<14)) + 1
		if l.OnTop {
			n = 1
		}
		for i := range n {
			t := (float64(i) + 0.5) / float64(n)
			seen := l.OnTop || !c.hides(float64(last.x)+float64(t*dx), float64(last.y)+float64(t*dy), lastDepth+float64(t*(depth-lastDepth)))
			if !seen {
				end()
				continue
			}
			if open == nil {
				open = []spot{step(last, dx, dy, i, n)}
			}
			if next := step(last, dx, dy, i+1, n); i > 0 && len(open) > 1 {
				open[len(open)-1] = next // still the same side
			} else {
				open = append(open, next)
			}
		}
		last, lastDepth = at, depth
	}
	end()
	return out
}

// step is the place after i of n steps.
func step(from spot, dx, dy float64, i, n int) spot {
	t := float64(i) / float64(n)
	return spot{from.x + int32(math.Round(t*dx)), from.y + int32(math.Round(t*dy))}
}
