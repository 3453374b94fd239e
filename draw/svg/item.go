package svg

import (
	"math"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
)

// spot is a place in the picture in hundredths of a pixel: the precision of the file. Equal corners are
// recognised on it.
type spot struct{ x, y int32 }

func (s spot) px() float64 { return float64(s.x) / 100 }
func (s spot) py() float64 { return float64(s.y) / 100 }

// farPixels bounds positions, so that hundredths fit and areas fit int64.
const farPixels = 1 << 22

// see returns the place of p in the picture. ok is false if p is not finite or too far outside.
func see(camera *draw.Camera, p geom.Vec) (at spot, depth float64, ok bool) {
	x, y, depth := camera.Pixel(p)
	if !(math.Abs(x) < farPixels && math.Abs(y) < farPixels && depth-depth == 0) {
		return at, 0, false
	}
	return spot{int32(math.Round(100 * x)), int32(math.Round(100 * y))}, depth, true
}

// item is a shape: triangles of the same look, ordered as a whole.
type item struct {
	color draw.Color
	parts []part
	depth float64 // in the middle
	place int     // in the list; the parts of a cut shape share it
}

func newItem(color draw.Color, place int, parts []part) item {
	it := item{color: color, parts: parts, place: place}
	for i := range parts {
		for _, d := range parts[i].depth {
			it.depth += d / float64(3*len(parts))
		}
	}
	return it
}

// opaque reports whether the item hides items behind it.
func (it *item) opaque() bool { return it.color.A == 255 }

// split returns smaller items of the same look, none if the item cannot or need not be cut: a shape becomes
// its triangles, a triangle becomes four.
func (it *item) split(pitch float64) []item {
	if len(it.parts) > 1 {
		out := make([]item, len(it.parts))
		for i := range it.parts {
			out[i] = newItem(it.color, it.place, it.parts[i:i+1])
		}
		return out
	}
	p := it.parts[0]
	if p.size() <= 2*pitch {
		return nil
	}
	var m part // middles of the sides after each corner
	for k := range 3 {
		m.at[k], m.depth[k] = middle(p.at[k], p.at[(k+1)%3]), (p.depth[k]+p.depth[(k+1)%3])/2
	}
	out := []item{newItem(it.color, it.place, []part{m})}
	for k := range 3 {
		j := (k + 2) % 3
		corner := part{[3]spot{p.at[k], m.at[k], m.at[j]}, [3]float64{p.depth[k], m.depth[k], m.depth[j]}}
		out = append(out, newItem(it.color, it.place, []part{corner}))
	}
	return out
}

func middle(a, b spot) spot {
	return spot{int32((int64(a.x) + int64(b.x)) / 2), int32((int64(a.y) + int64(b.y)) / 2)}
}

// size is the longer side of the box of p.
func (p *part) size() float64 {
	w := max(p.at[0].x, p.at[1].x, p.at[2].x) - min(p.at[0].x, p.at[1].x, p.at[2].x)
	h := max(p.at[0].y, p.at[1].y, p.at[2].y) - min(p.at[0].y, p.at[1].y, p.at[2].y)
	return float64(max(w, h))
}

// part is a triangle with the depths of its corners, nearer by the bias.
type part struct {
	at    [3]spot
	depth [3]float64
}

func (p *part) area2() int64 {
	return int64(p.at[1].x-p.at[0].x)*int64(p.at[2].y-p.at[0].y) - int64(p.at[1].y-p.at[0].y)*int64(p.at[2].x-p.at[0].x)
}

// collect turns the triangles of a list into items, in its order.
func collect(camera *draw.Camera, list *draw.List) []item {
	var items []item
	var run shapeRun
	flush := func() {
		if len(run.parts) > 0 {
			items = append(items, newItem(run.color, len(items), run.parts))
		}
		run = shapeRun{}
	}
	for i := range list.Triangles {
		t := &list.Triangles[i]
		p, ok := project(camera, t)
		if !ok || t.Fill.A == 0 {
			continue
		}
		light := camera.Light(t)
		color := light.Color(1, 1)
		if !run.takes(&p, color, t, light.Normal) {
			flush()
			run.color, run.lit, run.normal = color, t.Lit, light.Normal
		}
		run.parts = append(run.parts, p)
	}
	flush()
	return items
}

// project places a triangle, ordered to have positive area in the picture.
func project(camera *draw.Camera, t *draw.Triangle) (p part, ok bool) {
	for k := range t.P {
		at, depth, ok := see(camera, t.P[k])
		if !ok {
			return p, false
		}
		p.at[k], p.depth[k] = at, depth+t.Bias
	}
	area := p.area2()
	if area == 0 || t.OneSided && area > 0 {
		return p, false // rows count downwards: from the front the area is negative
	}
	if area < 0 {
		p.at[1], p.at[2] = p.at[2], p.at[1]
		p.depth[1], p.depth[2] = p.depth[2], p.depth[1]
	}
	return p, true
}

// shapeRun is a row of triangles for one shape.
type shapeRun struct {
	parts  []part
	color  draw.Color
	lit    bool
	normal geom.Vec
}

// takes reports whether the triangle p of t looks like the ones before it. A lit one must also lie in the
// same plane and share an edge with the last, because lit surfaces are many and must be ordered apart.
func (r *shapeRun) takes(p *part, color draw.Color, t *draw.Triangle, normal geom.Vec) bool {
	if len(r.parts) == 0 || color != r.color || t.Lit != r.lit {
		return false
	}
	if !t.Lit {
		return true
	}
	if r.normal.Dot(normal) < 1-1e-9 {
		return false
	}
	last := &r.parts[len(r.parts)-1]
	shared := 0
	for _, a := range p.at {
		for _, b := range last.at {
			if a == b {
				shared++
			}
		}
	}
	return shared >= 2
}

// outline returns the border of a set of triangles as rings: edges that two triangles see in opposite
// directions vanish, the others are chained.
func outline(parts []part) [][]spot {
	type edge struct{ from, to spot }
	open := map[edge]int{} // looked up and counted only
	var edges []edge       // in order of appearance
	for i := range parts {
		for k := range 3 {
			e := edge{parts[i].at[k], parts[i].at[(k+1)%3]}
			if back := (edge{e.to, e.from}); open[back] > 0 {
				open[back]--
				continue
			}
			open[e]++
			edges = append(edges, e)
		}
	}
	// leaving lists the edges that are left by their start.
	leaving := map[spot][]spot{}
	var left []edge
	for _, e := range edges {
		if open[e] > 0 {
			open[e]--
			left = append(left, e)
			leaving[e.from] = append(leaving[e.from], e.to)
		}
	}
	var rings [][]spot
	for _, e := range left {
		if len(leaving[e.from]) == 0 {
			continue
		}
		var ring []spot
		at := e.from
		for len(leaving[at]) > 0 {
			next := leaving[at][0]
			leaving[at] = leaving[at][1:]
			ring = append(ring, at)
			at = next
		}
		if ring = straighten(ring); len(ring) > 2 {
			rings = append(rings, ring)
		}
	}
	return rings
}

// straighten leaves out corners in the middle of straight sides.
func straighten(ring []spot) []spot {
	var out []spot
	n := len(ring)
	for i, b := range ring {
		a, c := ring[(i+n-1)%n], ring[(i+1)%n]
		turn := int64(b.x-a.x)*int64(c.y-b.y) - int64(b.y-a.y)*int64(c.x-b.x)
		onward := int64(b.x-a.x)*int64(c.x-b.x)+int64(b.y-a.y)*int64(c.y-b.y) > 0
		if turn != 0 || !onward {
			out = append(out, b)
		}
	}
	return out
}
