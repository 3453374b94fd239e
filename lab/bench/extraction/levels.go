package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// class is the kind of content of levels.
type class string

// The classes of levels: boxes turned at random, random triangles, and random stairwells and towers whose
// components are known on paper.
const (
	scenes     class = "scene"
	soups      class = "soup"
	stairwells class = "stairwell"
	towers     class = "tower"
)

// classes lists all classes in the order of judgement.
var classes = []class{scenes, soups, stairwells, towers}

// made is a random level and its agent.
type made struct {
	class  class
	kind   string
	number uint64
	level  *level.Level
	agent  meadow.Agent
	// components is how many parts the floor has on paper, 0 where that is unknown.
	components int
}

// String names it.
func (m made) String() string {
	a := m.agent
	return fmt.Sprintf("%s %d (%s, %d triangles, agent of radius %g m, height %g m, climb %g m)",
		m.class, m.number, m.kind, len(m.level.Triangles), a.Radius, a.Height, a.MaxClimb)
}

// flags are the flags that make this level alone.
func (m made) flags() string {
	s := fmt.Sprintf("-first %d", m.number)
	for _, c := range classes {
		n := 0
		if c == m.class {
			n = 1
		}
		s += fmt.Sprintf(" -%ss %d", c, n)
	}
	return s
}

// make returns level number n of the class.
func (c class) make(n uint64) made {
	if c == stairwells || c == towers {
		return c.known(n)
	}
	b := builder{rng: rand.New(rand.NewPCG(n, uint64(len(c)))), Level: &level.Level{Name: fmt.Sprintf("%s %d", c, n)}}
	m := made{class: c, number: n, level: b.Level}
	kinds := sceneKinds
	if c == soups {
		kinds = soupKinds
	}
	k := kinds[n%uint64(len(kinds))]
	m.kind = k.name
	k.make(&b)
	m.agent = b.agent()
	return m
}

// walkers are the agents of stairwells and towers.
var walkers = []meadow.Agent{
	{Radius: meadow.PointRadius, Height: 1.8, MaxClimb: 0.4},
	{Radius: 0.1, Height: 1.8, MaxClimb: 0.4},
	{Radius: 0.3, Height: 1.8, MaxClimb: 0.4},
	{Radius: 0.4, Height: 1.8, MaxClimb: 0.4},
	{Radius: 0.5, Height: 2, MaxClimb: 0.9},
	{Radius: 0.6, Height: 2, MaxClimb: 0.9},
}

// known returns level number n of a class with known components. Its kind is the radius of the agent.
func (c class) known(n uint64) made {
	random := levelgen.RandomStairwell
	if c == towers {
		random = levelgen.RandomTower
	}
	lvl, truth := random(n)
	m := made{class: c, number: n, level: lvl, agent: walkers[n%uint64(len(walkers))]}
	m.agent.MaxSlope, m.agent.MaxGap = geom.Degrees(45), geom.LeastGap
	radius := max(0, m.agent.Radius)
	m.kind = fmt.Sprintf("radius %g m", radius)
	if f, ok := truth.Floor(radius, m.agent.MaxGap); ok {
		m.components = f.Components
	}
	return m
}

// kind is a way to make a level.
type kind struct {
	name string
	make func(*builder)
}

// sceneKinds are the kinds of scenes: 20 to 200 boxes on and over a floor.
var sceneKinds = []kind{
	{"turned about the vertical", func(b *builder) { b.scene((*builder).upright) }},
	{"tilted a little", func(b *builder) { b.scene((*builder).tilted) }},
	{"turned freely", func(b *builder) { b.scene((*builder).free) }},
	{"all of these", func(b *builder) {
		b.scene(func(b *builder) rotation {
			return [...]func(*builder) rotation{(*builder).upright, (*builder).tilted, (*builder).free}[b.rng.IntN(3)](b)
		})
	}},
}

// soupKinds are the kinds of soups: triangles through each other, upright and upside down.
var soupKinds = []kind{
	{"scattered", func(b *builder) { b.soup(10+b.rng.IntN(190), 256, 0) }},
	{"on a lattice of 1/4 m", func(b *builder) { b.soup(10+b.rng.IntN(90), 4, 0) }},
	{"needles", func(b *builder) { b.soup(10+b.rng.IntN(90), 256, 3) }},
	{"repeated and turned over", func(b *builder) {
		b.soup(10+b.rng.IntN(60), 16, 0)
		for _, t := range b.Triangles[:b.rng.IntN(len(b.Triangles))] {
			if b.rng.IntN(2) == 0 {
				t.B, t.C = t.C, t.B
			}
			b.Triangles = append(b.Triangles, t)
		}
	}},
}

// builder adds random things to a level. All coordinates come from integers by single operations, so levels
// are the same on every machine.
type builder struct {
	*level.Level
	rng *rand.Rand
}

// agent draws an agent.
func (b *builder) agent() meadow.Agent {
	a := meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: geom.LeastGap}
	switch b.rng.IntN(4) {
	case 1:
		a.Radius = 0.1
	case 2:
		a.Radius, a.Height, a.MaxClimb = 0.6, 2, 0.9
	case 3:
		a.Height, a.MaxClimb = 1, 0.1
	}
	return a
}

// between draws a number of 1/256 m, from low to high.
func (b *builder) between(low, high float64) float64 {
	const steps = 256
	return float64(int(low*steps)+b.rng.IntN(int((high-low)*steps)+1)) / steps
}

// rotation is a turn in space: the quaternion's integers, of any length but 0.
type rotation [4]int

// upright turns about the vertical.
func (b *builder) upright() rotation { return rotation{b.rng.IntN(20) - 10, 0, 11 + b.rng.IntN(5), 0} }

// tilted turns little enough for the upper face to be walked on, and about the vertical in quarters.
func (b *builder) tilted() rotation {
	return rotation{20, b.rng.IntN(13) - 6, 20 * b.rng.IntN(2), b.rng.IntN(13) - 6}
}

// free turns anyhow.
func (b *builder) free() rotation {
	return rotation{1 + b.rng.IntN(12), b.rng.IntN(25) - 12, b.rng.IntN(25) - 12, b.rng.IntN(25) - 12}
}

// apply turns a vector.
func (q rotation) apply(v geom.Vec) geom.Vec {
	w, x, y, z := q[0], q[1], q[2], q[3]
	n := float64(w*w + x*x + y*y + z*z)
	row := func(a, b, c int) float64 {
		return float64(float64(a)*v.X) + float64(float64(b)*v.Y) + float64(float64(c)*v.Z)
	}
	return geom.Vec{
		X: row(w*w+x*x-y*y-z*z, 2*(x*y-w*z), 2*(x*z+w*y)) / n,
		Y: row(2*(x*y+w*z), w*w-x*x+y*y-z*z, 2*(y*z-w*x)) / n,
		Z: row(2*(x*z-w*y), 2*(y*z+w*x), w*w-x*x-y*y+z*z) / n,
	}
}

// Triangles of a scene's floor, which comes first, and of each box.
const (
	facesOfFloor = 2
	facesOfBox   = 12
)

// scene puts 20 to 200 boxes on a floor with room for about two fifths of them.
func (b *builder) scene(turn func(*builder) rotation) {
	boxes := 20 + b.rng.IntN(181)
	side := 8.0
	for side*side < 2*float64(boxes) {
		side++
	}
	b.floor(side)
	for range boxes {
		at := geom.Vec{X: b.between(0, side), Z: -b.between(0, side)}
		half := geom.Vec{X: b.between(0.1, 1.5), Y: b.between(0.05, 1), Z: b.between(0.1, 1.5)}
		switch b.rng.IntN(4) {
		case 0: // in the air
			at.Y = b.between(0, 4)
		case 1: // on the floor, when upright
			at.Y = half.Y
		case 2: // a flat box, to climb
			half.Y = b.between(0.02, 0.4)
			at.Y = b.between(0, 1)
		default:
			at.Y = b.between(-0.5, 1)
		}
		b.box(at, half, turn(b))
	}
}

// floor adds a square at height 0.
func (b *builder) floor(side float64) {
	b.quad(geom.FromGround(0, 0, 0), geom.FromGround(side, 0, 0), geom.FromGround(side, side, 0), geom.FromGround(0, side, 0))
}

// box adds a turned box by its centre and half its extent.
func (b *builder) box(at, half geom.Vec, q rotation) {
	var c [8]geom.Vec
	for i := range c {
		v := half
		if i&1 == 0 {
			v.X = -v.X
		}
		if i&2 == 0 {
			v.Y = -v.Y
		}
		if i&4 == 0 {
			v.Z = -v.Z
		}
		c[i] = at.Add(q.apply(v))
	}
	for _, f := range [6][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		b.quad(c[f[0]], c[f[1]], c[f[2]], c[f[3]])
	}
}

// quad adds a flat quadrangle, counter-clockwise from its front.
func (b *builder) quad(p, q, r, s geom.Vec) {
	b.triangle(p, q, r)
	b.triangle(p, r, s)
}

func (b *builder) triangle(p, q, r geom.Vec) {
	n := uint32(len(b.Vertices))
	b.Vertices = append(b.Vertices, p, q, r)
	b.Triangles = append(b.Triangles, level.Triangle{A: n, B: n + 1, C: n + 2, Material: level.NoMaterial})
}

// soup adds triangles with corners in steps of a fraction of a metre, with a floor in three of four soups.
// needles is the power of two by which needles are narrow.
func (b *builder) soup(triangles, steps int, needles uint) {
	const side = 8
	if b.rng.IntN(4) > 0 {
		b.floor(side)
	}
	part := func(n int) float64 { return float64(b.rng.IntN(n*steps+1)) / float64(steps) }
	for range triangles {
		at := geom.Vec{X: part(side), Y: part(3) - 0.5, Z: -part(side)}
		var v [3]geom.Vec
		for i := range v {
			v[i] = at.Add(geom.Vec{X: part(3) - 1.5, Y: (part(2) - 1) / float64(1+b.rng.IntN(4)), Z: part(3) - 1.5})
		}
		if needles > 0 {
			d := v[1].Sub(v[0])
			d.X, d.Y, d.Z = d.X/float64(int(1)<<needles), d.Y/float64(int(1)<<needles), d.Z/float64(int(1)<<needles)
			v[1] = v[0].Add(d)
		}
		b.triangle(v[0], v[1], v[2])
	}
}
