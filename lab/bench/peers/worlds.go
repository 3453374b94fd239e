//go:build peers

package main

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// world is a made level of one flat floor at height 0 with upright walls, where the exact border
// of the free space is known.
type world struct {
	name  string
	level *level.Level
	edge  []segment // of the floor
	// area and border are those of the exact free space in square metres and metres, 0 where they
	// are not known in closed form.
	area, border float64
}

// worlds returns the made levels for an agent.
func worlds(agent geom.Agent) ([]world, error) {
	rooms, err := emptyRooms(agent)
	if err != nil {
		return nil, err
	}
	return []world{prisms(agent), rooms, rooms.turned("empty rooms, turned by 17°", geom.Degrees(17))}, nil
}

// emptyRooms keeps the walls of a house and its yard. Furniture would need a judge with a knowledge of steps.
// Things wholly above the agent's head go too: Recast counts heights in cells, and with them the lintels of
// the house, 2.125 m high, close every door to an agent of 2 m.
func emptyRooms(agent geom.Agent) (world, error) {
	full, err := levelgen.Generate("rooms", levelgen.Options{Seed: 1})
	if err != nil {
		return world{}, err
	}
	bare := &level.Level{Name: full.Name, Vertices: full.Vertices, Materials: full.Materials}
	w := world{name: "empty rooms", level: bare}
	for _, o := range full.Objects {
		if o.Name == "furniture" {
			continue
		}
		for _, t := range full.Triangles[o.First : o.First+o.Count] {
			if min(full.Vertices[t.A].Y, full.Vertices[t.B].Y, full.Vertices[t.C].Y) < agent.Height {
				bare.Triangles = append(bare.Triangles, t)
			}
		}
		if o.Name == "yard" {
			yard := level.Level{Vertices: full.Vertices, Triangles: full.Triangles[o.First : o.First+o.Count]}
			b := yard.Bounds()
			x0, y0 := geom.Ground(b.Min)
			x1, y1 := geom.Ground(b.Max)
			w.edge = outline([]point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
		}
	}
	return w, nil
}

// turned returns w turned about the vertical through the origin.
func (w world) turned(name string, angle float64) world {
	sin, cos := math.Sincos(angle)
	turn := func(p point) point { return point{cos*p.x - sin*p.y, sin*p.x + cos*p.y} }
	lvl := *w.level
	lvl.Vertices = make([]geom.Vec, len(w.level.Vertices))
	for i, v := range w.level.Vertices {
		var p point
		p.x, p.y = geom.Ground(v)
		p = turn(p)
		lvl.Vertices[i] = geom.FromGround(p.x, p.y, v.Y)
	}
	out := w
	out.name, out.level, out.edge = name, &lvl, nil
	for _, s := range w.edge {
		out.edge = append(out.edge, segment{turn(s.a), turn(s.b)})
	}
	return out
}

// prisms puts upright prisms with three to eight sides, in all directions, on a square floor, far
// enough from each other and from the rim that the agent can go all around: so the free space is the
// floor less a rim, less each prism grown by the radius, and its area and border are known.
func prisms(agent geom.Agent) world {
	const (
		count = 5   // in a row
		field = 8.0 // metres for each
		wide  = count * field
		tall  = 3.0
	)
	b := solids{&level.Level{Name: "prisms"}}
	floor := []point{{0, 0}, {wide, 0}, {wide, wide}, {0, wide}}
	b.prism(floor, -0.5, 0)
	w := world{name: "prisms", level: b.Level, edge: outline(floor)}
	free := wide - 2*agent.Radius
	w.area, w.border = free*free, 4*free

	r := rand.New(rand.NewPCG(1, 2))
	for i := range count * count {
		center := point{(float64(i%count) + 0.5) * field, (float64(i/count) + 0.5) * field}
		size := (0.4 + 0.6*r.Float64()) * (field/2 - 2*agent.Radius - 0.1)
		ring := convex(center, size, 3+r.IntN(6), 2*math.Pi*r.Float64(), r)
		b.prism(ring, 0, tall)
		var area, around float64
		for _, s := range outline(ring) {
			area += (s.a.x*s.b.y - s.a.y*s.b.x) / 2
			around += s.length()
		}
		w.area -= area + agent.Radius*around + math.Pi*agent.Radius*agent.Radius
		w.border += around + 2*math.Pi*agent.Radius
	}
	return w
}

// convex returns n points on a circle, counter-clockwise, no two of them closer than half of an
// even share.
func convex(center point, radius float64, n int, turn float64, r *rand.Rand) []point {
	ring := make([]point, n)
	for i := range ring {
		sin, cos := math.Sincos(turn + 2*math.Pi/float64(n)*(float64(i)+0.5*r.Float64()))
		ring[i] = point{center.x + radius*cos, center.y + radius*sin}
	}
	return ring
}

// outline returns the sides of a ring.
func outline(ring []point) []segment {
	out := make([]segment, len(ring))
	for i, p := range ring {
		out[i] = segment{p, ring[(i+1)%len(ring)]}
	}
	return out
}

// solids makes a level of closed solids.
type solids struct{ *level.Level }

// prism adds the upright prism over a counter-clockwise convex ring.
func (b solids) prism(ring []point, low, high float64) {
	first, n := uint32(len(b.Vertices)), uint32(len(ring))
	for _, h := range [2]float64{low, high} {
		for _, p := range ring {
			b.Vertices = append(b.Vertices, geom.FromGround(p.x, p.y, h))
		}
	}
	triangle := func(i, j, k uint32) {
		b.Triangles = append(b.Triangles, level.Triangle{A: first + i, B: first + j, C: first + k, Material: level.NoMaterial})
	}
	for i := range n {
		j := (i + 1) % n
		triangle(i, j, n+j)
		triangle(i, n+j, n+i)
		if i > 0 && j > 0 {
			triangle(0, j, i)
			triangle(n, n+i, n+j)
		}
	}
}
