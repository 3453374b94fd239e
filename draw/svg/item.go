package svg

import (
	"math"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
)

// spot is a place in the picture in hundredths of a pixel: the precision of the file. Whether two
// corners are the same is decided on it.
type spot struct{ x, y int32 }

func (s spot) px() float64 { return float64(s.x) / 100 }
func (s spot) py() float64 { return float64(s.y) / 100 }

// farPixels bounds positions, so that hundredths fit and areas fit int64.
const farPixels = 1 << 22

// see returns where p is seen. ok is false when it is not finite or too far outside.
func see(camera *draw.Camera, p geom.Vec) (at spot, depth float64, ok bool) {
	x, y, depth := camera.Pixel(p)
	if !(math.Abs(x) < farPixels && math.Abs(y) < farPixels && depth-depth == 0) {
		return at, 0, false
	}
	return spot{int32(math.Round(100 * x)), int32(math.Round(100 * y))}, depth, true
}

type kind uint8

const (
	shape kind = iota
	line
	dot
)

// item is something to paint that is ordered as a whole.
type item struct {
	kind  kind
	color draw.Color
	width float64 // of a line, and twice the radius of a dot
	rings [][]spot
	// parts are what the item is made of, to find its depth in a place: triangles of a shape, the
	// pieces of a line with twice the same end, a dot with three times the same.
	parts []part
	depth float64 // in the middle
}

// part is a triangle with the depths of its corners, nearer by the bias.
type part struct {
	at    [3]spot
	depth [3]float64
}

func (p *part) area2() int64 {
	return int64(p.at[1].x-p.at[0].x)*int64(p.at[2].y-p.at[0].y) - int64(p.at[1].y-p.at[0].y)*int64(p.at[2].x-p.at[0].x)
}

// collect turns a list into items, in its order, without what is on top.
func collect(camera *draw.Camera, list *draw.List) []item {
	var items []item
	var run shapeRun
	flush := func() {
		if it, ok := run.item(); ok {
			items = append(items, it)
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
	for i := range list.Lines {
		if l := &list.Lines[i]; !l.OnTop {
			items = append(items, pieces(camera, l)...)
		}
	}
	for i := range list.Points {
		if p := &list.Points[i]; !p.OnTop {
			if it, ok := disc(camera, p); ok {
				items = append(items, it)
			}
		}
	}
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

// shapeRun is a row of triangles that become one shape.
type shapeRun struct {
	parts  []part
	color  draw.Color
	lit    bool
	normal geom.Vec
}

// takes reports whether the triangle p of t looks like those before it. A lit one must also lie in the same
// plane and share an edge with the last, because lit surfaces are many and must be ordered apart.
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

// item joins the run: edges that two triangles see in opposite directions vanish, the others are
// chained to rings.
func (r *shapeRun) item() (item, bool) {
	if len(r.parts) == 0 {
		return item{}, false
	}
	it := item{kind: shape, color: r.color, parts: r.parts, rings: outline(r.parts)}
	for i := range r.parts {
		for _, d := range r.parts[i].depth {
			it.depth += d / float64(3*len(r.parts))
		}
	}
	return it, len(it.rings) > 0
}

// outline returns the border of a set of triangles as rings.
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

// pieces splits a line where its positions are not usable, and otherwise into stretches of a few
// points, so that one can be hidden and the next one seen. On top, nothing is split.
func pieces(camera *draw.Camera, l *draw.Line) []item {
	const most = 8
	if l.Color.A == 0 || !(l.Width > 0) || l.Width > 1e4 {
		return nil
	}
	var items []item
	it := item{kind: line, color: l.Color, width: math.Round(100*l.Width) / 100}
	var ring []spot
	var depths []float64
	flush := func() {
		if len(ring) > 0 {
			done := it
			done.rings = [][]spot{ring}
			for i := range ring {
				j := max(i-1, 0)
				done.parts = append(done.parts, part{[3]spot{ring[j], ring[i], ring[i]}, [3]float64{depths[j], depths[i], depths[i]}})
				done.depth += depths[i] / float64(len(ring))
			}
			items = append(items, done)
		}
		ring, depths = nil, nil
	}
	for _, p := range l.P {
		at, depth, ok := see(camera, p)
		if !ok {
			flush()
			continue
		}
		depth += l.Bias + onFloor(camera)
		ring, depths = append(ring, at), append(depths, depth)
		if len(ring) >= most && !l.OnTop {
			flush()
			ring, depths = append(ring, at), append(depths, depth)
		}
	}
	if len(ring) > 1 || len(items) == 0 {
		flush()
	}
	return items
}

// onFloor is the bias that keeps lines and discs above the floor that they lie on, whose depth is taken in
// the middles of sample places.
func onFloor(camera *draw.Camera) float64 {
	return 0.01 + float64(max(camera.Width, camera.Height))/gridSide/camera.Scale*camera.Slant()
}

func disc(camera *draw.Camera, p *draw.Point) (item, bool) {
	at, depth, ok := see(camera, p.P)
	if !ok || p.Color.A == 0 || !(p.Radius > 0) || p.Radius > 1e4 {
		return item{}, false
	}
	depth += p.Bias + onFloor(camera)
	return item{
		kind: dot, color: p.Color, width: 2 * math.Round(100*p.Radius) / 100, depth: depth,
		rings: [][]spot{{at}}, parts: []part{{[3]spot{at, at, at}, [3]float64{depth, depth, depth}}},
	}, true
}
