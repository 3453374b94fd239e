package png

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/par"
)

// sky is the sun and many small lights spread over the sky, each with a map of its nearest surfaces. A place
// hidden from a light is in its shadow; the visible share of the sky darkens corners and the ground under
// bridges.
type sky struct {
	sun    shadowMap
	lights []shadowMap
}

// mapSizes returns the sides of the maps of the sun and of the other lights, in texels: 2048 and 512 for pictures
// from 1600 pixels on, for smaller ones in proportion down to a quarter.
func mapSizes(c *draw.Camera) (sun, sky int) {
	side := min(max(max(c.Width, c.Height), 400), 1600)
	return 2048 * side / 1600, 512 * side / 1600
}

// shadowMap is the depth of the nearest surface as seen from a light.
type shadowMap struct {
	right, up, toward point // the light's own directions
	left, low         float64
	texel             float64 // metres
	size              int
	depth             []float32
}

// newSky makes the maps. The number of lights falls with the number of casters, so the work stays about the
// same.
func newSky(s *scene, jobs int) *sky {
	lights := 64
	if len(s.casters) > 50_000 {
		lights = 24
	}
	directions := []point{s.directions(s.camera.Sun())}
	for k := range lights {
		// Heights from the horizon up, spread like the light that a floor gets (by the cosine), in
		// turns of the golden angle: no two lights are close.
		h := math.Sqrt((float64(k) + 0.5) / float64(lights))
		sin, cos := math.Sincos(2.399963229728653 * float64(k))
		flat := math.Sqrt(1 - h*h)
		directions = append(directions, s.directions(geom.Vec{X: flat * cos, Y: h, Z: flat * sin}))
	}
	sunSize, skySize := mapSizes(s.camera)
	out := &sky{lights: make([]shadowMap, lights)}
	// No item fails and the context is never cancelled.
	_ = par.For(context.Background(), jobs, len(directions), func(i int) error {
		if i == 0 {
			out.sun = newShadowMap(s.casters, directions[0], sunSize)
		} else {
			out.lights[i-1] = newShadowMap(s.casters, directions[i], skySize)
		}
		return nil
	})
	return out
}

// caster is a triangle that throws a shadow. A one-sided triangle throws one only if its front is lit, so
// that light comes through the ceilings that the camera looks through.
type caster struct {
	corners  [3]point
	oneSided bool
}

func newShadowMap(casters []caster, toward point, size int) shadowMap {
	// Any direction across will do for the map's right.
	across := point{0, 0, 1}
	if math.Abs(toward.z) > 0.9 {
		across = point{1, 0, 0}
	}
	right := across.cross(toward)
	right = right.scale(1 / math.Sqrt(right.dot(right)))
	m := shadowMap{right: right, up: toward.cross(right), toward: toward, size: size}
	inf := math.Inf(1)
	lo, hi := point{inf, inf, 0}, point{-inf, -inf, 0}
	for i := range casters {
		for _, p := range casters[i].corners {
			x, y := p.dot(m.right), p.dot(m.up)
			lo.x, lo.y = min(lo.x, x), min(lo.y, y)
			hi.x, hi.y = max(hi.x, x), max(hi.y, y)
		}
	}
	m.depth = make([]float32, size*size)
	for i := range m.depth {
		m.depth[i] = float32(-inf)
	}
	m.texel = math.Max(math.Max(hi.x-lo.x, hi.y-lo.y)/float64(size-4), 1e-9)
	m.left, m.low = lo.x-2*m.texel, lo.y-2*m.texel
	if len(casters) == 0 {
		m.left, m.low = 0, 0
		return m
	}
	for i := range casters {
		m.cast(&casters[i])
	}
	return m
}

// cast enters a triangle into the map.
func (m *shadowMap) cast(t *caster) {
	var f face
	var z [3]float64
	for k, p := range t.corners {
		f.x[k] = int32(math.Round((p.dot(m.right) - m.left) / m.texel * subUnit))
		f.y[k] = int32(math.Round((p.dot(m.up) - m.low) / m.texel * subUnit))
		z[k] = p.dot(m.toward)
	}
	// Rows of a map count upwards: from the front the area is positive.
	if t.oneSided && f.area2() < 0 || !f.settle(&z) {
		return
	}
	first, last := f.rows()
	for row := max(first, 0); row <= min(last, m.size-1); row++ {
		from, to := f.span(row, m.size)
		base := row * m.size
		depth := f.z + float64(float64(row)*f.zy)
		for x := from; x <= to; x++ {
			if d := float32(depth + float64(float64(x)*f.zx)); d > m.depth[base+x] {
				m.depth[base+x] = d
			}
		}
	}
}

// seen returns which part, 0 to 1, of the light arrives at p: the four nearest texels are compared and
// mixed by how near they are. Outside of the map nothing is in the way.
func (m *shadowMap) seen(p point, slack float64) float64 {
	x := (p.dot(m.right)-m.left)/m.texel - 0.5
	y := (p.dot(m.up)-m.low)/m.texel - 0.5
	fx, fy := math.Floor(x), math.Floor(y)
	i, j := int(fx), int(fy)
	if i < 0 || j < 0 || i+1 >= m.size || j+1 >= m.size {
		return 1
	}
	d := float32(p.dot(m.toward) + slack)
	u, v := x-fx, y-fy
	part := 0.0
	base := j*m.size + i
	if d >= m.depth[base] {
		part += (1 - u) * (1 - v)
	}
	if d >= m.depth[base+1] {
		part += u * (1 - v)
	}
	if d >= m.depth[base+m.size] {
		part += (1 - u) * v
	}
	if d >= m.depth[base+m.size+1] {
		part += u * v
	}
	return part
}

// ofSun returns the share of the sun at a place with the given normal. The place is moved off its surface by
// more than a texel, out of its own shadow.
func (k *sky) ofSun(p, normal point) float64 {
	if normal.dot(k.sun.toward) <= 0 {
		return 0
	}
	off := 1.5 * k.sun.texel
	return k.sun.seen(p.add(normal.scale(off)), off)
}

// ofSky is like ofSun for the lights of the sky together.
func (k *sky) ofSky(p, normal point) float64 {
	got, all := 0.0, 0.0
	for i := range k.lights {
		m := &k.lights[i]
		weight := normal.dot(m.toward)
		if weight <= 0 {
			continue
		}
		all += weight
		off := 1.5 * m.texel
		got += weight * m.seen(p.add(normal.scale(off)), off)
	}
	if all == 0 {
		return 1
	}
	// Light that bounces between surfaces is not traced; a constant share replaces it.
	return 0.25 + 0.75*got/all
}
