package experiment

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// hitVolumes builds a level of boxes, as the source's maps are of hit-volumes, in metres.
type hitVolumes struct{ level.Level }

// box adds a box over ground coordinates between two heights, turned about its middle by an angle (radians).
func (h *hitVolumes) box(x0, y0, low, x1, y1, high, angle float64) {
	sin, cos := math.Sincos(angle)
	mx, my := (x0+x1)/2, (y0+y1)/2
	first := uint32(len(h.Vertices))
	for i := range 8 {
		x, y, z := x0-mx, y0-my, low
		if i&1 != 0 {
			x = x1 - mx
		}
		if i&2 != 0 {
			y = y1 - my
		}
		if i&4 != 0 {
			z = high
		}
		h.Vertices = append(h.Vertices, geom.FromGround(mx+float64(x*cos)-float64(y*sin), my+float64(x*sin)+float64(y*cos), z))
	}
	var s level.Solid
	for _, face := range [6][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		var v [4]geom.Vec
		for k, c := range face {
			v[k] = h.Vertices[first+c]
		}
		h.Triangles = append(h.Triangles,
			level.Triangle{A: first + face[0], B: first + face[1], C: first + face[2], Material: level.NoMaterial},
			level.Triangle{A: first + face[0], B: first + face[2], C: first + face[3], Material: level.NoMaterial})
		n := v[1].Sub(v[0]).Cross(v[2].Sub(v[0])).Unit()
		s.Planes = append(s.Planes, level.Plane{Normal: n, Offset: n.Dot(v[0]), Material: level.NoMaterial})
	}
	h.Solids = append(h.Solids, s)
}

// wall adds a wall along x or along y, with doors in it.
func (h *hitVolumes) wall(alongX bool, at, from, to, low, high float64, doors ...float64) {
	const thick, door = 0.15, 1.25 // half of each
	piece := func(f, t float64) {
		if alongX {
			h.box(f, at-thick, low, t, at+thick, high, 0)
		} else {
			h.box(at-thick, f, low, at+thick, t, high, 0)
		}
	}
	for _, d := range doors {
		piece(from, d-door)
		from = d + door
	}
	piece(from, to)
}

// brandMap is a map in the style of figure 80, which was not published: floors of tiles on two storeys with stairs between
// them, walls with doors, pillars, and crates that stand about turned by multiples of 22.5 degrees or anyhow. The walkable
// ground is as large as the source's.
func brandMap() *level.Level {
	const (
		tile   = 3.0
		across = 23
		deep   = 17
		upper  = 15 // the first column of tiles with an upper storey
		rise   = 4.0
	)
	h := &hitVolumes{level.Level{Name: "map of boxes"}}
	for i := range across {
		for j := range deep {
			x, y := tile*float64(i), tile*float64(j)
			h.box(x, y, -0.25, x+tile, y+tile, 0, 0)
			if i >= upper {
				h.box(x, y, rise-0.25, x+tile, y+tile, rise, 0)
			}
		}
	}
	const width, depth, east = tile * across, tile * deep, tile * upper
	for _, y := range []float64{0, depth} {
		h.wall(true, y, 0, width, 0, rise+3)
	}
	for _, x := range []float64{0, width} {
		h.wall(false, x, 0, depth, 0, rise+3)
	}
	h.wall(false, 21, 0, depth, 0, rise-0.25, 7, 25, 43)
	h.wall(false, east, 0, depth, 0, rise-0.25, 9, 33)
	h.wall(true, 15, 0, width, 0, rise-0.25, 11, 32, 57)
	h.wall(true, 36, 0, width, 0, rise-0.25, 5, 29, 50, 63)
	h.wall(false, 57, 0, depth, rise, rise+3, 6, 26, 46)
	h.wall(true, 18, east, width, rise, rise+3, 49, 63)
	for _, y := range []float64{23, 43} { // stairs, rising to the east
		const steps, tread = 20, 0.4
		for k := range steps {
			x := east - tread*float64(steps-k)
			h.box(x, y, -0.25, x+tread, y+3, rise/steps*float64(k+1), 0)
		}
		h.box(east-tread*steps, y-0.2, 0, east, y, 1, 0)
		h.box(east-tread*steps, y+3, 0, east, y+3.2, 1, 0)
	}
	for _, s := range [][2]float64{{0, 23}, {26, 43}, {46, depth}} { // railings of the upper storey
		h.box(east, s[0], rise, east+0.2, s[1], rise+1, 0)
	}
	for i := range 4 { // pillars
		for j := range 3 {
			x, y := 6+15*float64(i), 9+16.5*float64(j)
			h.box(x-0.3, y-0.3, 0, x+0.3, y+0.3, rise-0.25, 0)
		}
	}
	r := rand.New(rand.NewPCG(8, 2))
	for k := range 28 {
		x, y, low := 1+(width-2)*r.Float64(), 1+(depth-2)*r.Float64(), 0.0
		if x > east+2 && k%2 == 0 {
			low = rise
		}
		if x > 34 && x < 46 && (y > 21 && y < 28 || y > 41 && y < 48) {
			continue // keep the stairs free
		}
		angle := math.Pi / 8 * float64(r.IntN(16))
		if k%3 == 0 {
			angle = r.Float64() * math.Pi
		}
		a, b := 0.3+0.5*r.Float64(), 0.3+0.5*r.Float64()
		h.box(x-a, y-b, low, x+a, y+b, low+0.6+r.Float64(), angle)
	}
	return &h.Level
}
