package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// world is a random floor plan of one layer.
type world struct {
	number uint64
	kind   string
	plan   *plan.Plan
	rng    *rand.Rand // for the judge's random choices
}

// domains returns the domains of the world.
func (w *world) domains() []plan.Domain { return w.plan.Layers[0].Domains }

// vertices counts the vertices of all domains.
func (w *world) vertices() int {
	n := 0
	for i := range w.domains() {
		n += w.domains()[i].Len()
	}
	return n
}

func vertices(domains []*plan.Domain) int {
	n := 0
	for _, d := range domains {
		n += d.Len()
	}
	return n
}

// Vertices of the obstacles and outer rings of a world, before some walls get more in their middle.
const (
	fewestVertices = 10
	mostVertices   = 2000
)

// kinds are the kinds of worlds. make returns the domains of a world with about n vertices; chain is the
// common polyline of the first domain, on its left, and the second.
var kinds = []struct {
	name string
	make func(rng *rand.Rand, n int) (domains []*plan.Domain, chain lattice.Ring)
}{
	{"scattered", one(scattered)},
	{"touching", one(touching)},
	{"nested", nested},
	{"collinear", one(collinear)},
	{"needle-thin", one(needles)},
	{"maze", one(maze)},
	{"standing", one(standing)},
	{"blocks", one(blocks)},
	{"seam", seam},
	{"tiny", one(tiny)},
	{"whole frame", one(frame)},
	{"regular", one(regular)},
}

func one(f func(*rand.Rand, int) *plan.Domain) func(*rand.Rand, int) ([]*plan.Domain, lattice.Ring) {
	return func(rng *rand.Rand, n int) ([]*plan.Domain, lattice.Ring) {
		return []*plan.Domain{f(rng, n)}, nil
	}
}

// makeWorld returns the world of a number. Small worlds are common: half of the worlds have at most 26
// vertices, one in ten has more than 400.
func makeWorld(number uint64) *world {
	rng := rand.New(rand.NewPCG(number, 0x6d6561646f77))
	kind := kinds[number%uint64(len(kinds))]
	u := rng.Float64()
	n := fewestVertices * math.Pow(mostVertices/fewestVertices, u*u)
	domains, chain := kind.make(rng, int(n))
	for {
		got := vertices(domains)
		if got >= fewestVertices && got <= mostVertices {
			break
		}
		if n *= 0.8; got < fewestVertices {
			n *= 1.25 * 1.25
		}
		domains, chain = kind.make(rng, int(n))
	}
	turns := rng.IntN(4)
	place := func(p lattice.Point) lattice.Point {
		for range turns {
			p = lattice.Point{X: -p.Y, Y: p.X}
		}
		return p
	}
	layer := plan.Layer{Domains: make([]plan.Domain, len(domains))}
	for i, d := range domains {
		layer.Domains[i] = *gentest.Map(d, place)
		layer.Domains[i].Component = int32(i)
	}
	p := &plan.Plan{Agent: geom.Agent{Radius: geom.PointRadius}.WithDefaults(), Components: len(domains)}
	if chain != nil {
		for i := range chain {
			chain[i] = place(chain[i])
		}
		p.Chains = []plan.Chain{{Kind: plan.Terrain, Points: chain, Right: plan.DomainID{Domain: 1}}}
		layer.Domains[1].Area, layer.Domains[1].Component = 1, 0
		p.Components = 1
	} else if rng.IntN(4) == 0 {
		halve(rng, &layer.Domains[0])
	}
	p.Layers = []plan.Layer{layer}
	return &world{number: number, kind: kind.name, plan: p, rng: rng}
}

// halve puts vertices into the middle of some edges, where a lattice point is there.
func halve(rng *rand.Rand, d *plan.Domain) {
	for r, ring := range d.Rings {
		var points lattice.Ring
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			points = append(points, p)
			if dx, dy := q.Sub(p); dx%2 == 0 && dy%2 == 0 && rng.IntN(3) == 0 {
				points = append(points, lattice.Point{X: p.X + int32(dx/2), Y: p.Y + int32(dy/2)})
			}
		}
		d.Rings[r] = points
	}
	*d = *gentest.Domain(d.Rings...)
}

// scatter places obstacles with about n vertices in all.
func scatter(rng *rand.Rand, n int, size int32, kind gentest.Obstacle) *plan.Domain {
	each := map[gentest.Obstacle]float64{
		gentest.Boxes: 4, gentest.Squares: 4, gentest.Circles: 24, gentest.Stars: 7.5, gentest.Needles: 3, gentest.Mixed: 8.5,
	}[kind]
	return gentest.Scatter(rng, max(1, int(math.Round(math.Sqrt(float64(n)/each)))), size, kind)
}

// size returns the side of a cell in lattice units, from 16 mm to 2 km, at which n cells fit the frame.
func size(rng *rand.Rand) int32 { return 64 << rng.IntN(18) }

// scattered has separate slanted obstacles.
func scattered(rng *rand.Rand, n int) *plan.Domain {
	kind := []gentest.Obstacle{gentest.Mixed, gentest.Squares, gentest.Stars, gentest.Circles}[rng.IntN(4)]
	return scatter(rng, n, size(rng), kind)
}

// touching has crowded cells of a few units: obstacles touch at points, cells share corners, and each point
// is drawn from all lattice points.
func touching(rng *rand.Rand, n int) *plan.Domain {
	side := max(1, int(math.Sqrt(float64(n)/20)))
	cell, scale := 6+rng.Int32N(20), 1+rng.Int32N(500)
	w := int32(side) * cell
	rings := []lattice.Ring{gentest.Ring(0, 0, w, 0, w, w, 0, w)}
	for i := range int32(side * side) {
		at := lattice.Point{X: i % int32(side) * cell, Y: i / int32(side) * cell}
		d := gentest.Map(gentest.Tiny(rng, cell, 20+rng.IntN(60), true), func(p lattice.Point) lattice.Point {
			return lattice.Point{X: p.X + at.X, Y: p.Y + at.Y}
		})
		rings = append(rings, d.Rings[1:]...)
	}
	return gentest.Map(gentest.Domain(rings...), func(p lattice.Point) lattice.Point {
		return lattice.Point{X: p.X * scale, Y: p.Y * scale}
	})
}

// nested has courtyards: domains inside of the obstacles of other domains, two deep.
func nested(rng *rand.Rand, n int) ([]*plan.Domain, lattice.Ring) {
	const yards = 4
	all := []*plan.Domain{scatter(rng, n/2, 1<<16, gentest.Boxes)}
	for done, depth := 0, 0; depth < 2; depth++ {
		for last := len(all); done < last; done++ {
			for k, hole := range all[done].Rings[1:] {
				if yard := courtyard(rng, hole, n/(4*yards)); yard != nil && k < yards {
					all = append(all, yard)
				}
			}
		}
	}
	return all, nil
}

// courtyard returns a domain that lies inside of a box, nil where there is no room or no box.
func courtyard(rng *rand.Rand, box lattice.Ring, n int) *plan.Domain {
	lo, hi := box[0], box[2%len(box)]
	side := max(1, int32(math.Sqrt(float64(n)/6)))
	size := (min(hi.X-lo.X, hi.Y-lo.Y) - 2) / side
	if len(box) != 4 || box[1] != (lattice.Point{X: lo.X, Y: hi.Y}) || box[3] != (lattice.Point{X: hi.X, Y: lo.Y}) || size < 64 {
		return nil
	}
	kind := []gentest.Obstacle{gentest.Boxes, gentest.Stars}[rng.IntN(2)]
	return gentest.Map(gentest.Scatter(rng, int(side), size, kind), func(p lattice.Point) lattice.Point {
		return lattice.Point{X: p.X + lo.X + 1, Y: p.Y + lo.Y + 1}
	})
}

// collinear has walls of many points on a line, on the axes and off them.
func collinear(rng *rand.Rand, n int) *plan.Domain {
	switch rng.IntN(3) {
	case 0:
		return polygon(rng, corpus.Collinear, n)
	case 1:
		return polygon(rng, corpus.Sheared, n)
	}
	a, b := 1+rng.Int32N(300), rng.Int32N(300)
	return gentest.Map(gentest.Blocks(rng, max(3, int(math.Sqrt(float64(n)))), 1, 0.35, true), func(p lattice.Point) lattice.Point {
		return lattice.Point{X: p.X*a - p.Y*b, Y: p.X*b + p.Y*a}
	})
}

// needles has obstacles or free space that is much longer than wide.
func needles(rng *rand.Rand, n int) *plan.Domain {
	switch rng.IntN(4) {
	case 0:
		return polygon(rng, corpus.Needle, n)
	case 1: // pressed flat
		flat := 1 + rng.Int32N(3)
		return gentest.Map(gentest.Tiny(rng, 12+rng.Int32N(30), n, true), func(p lattice.Point) lattice.Point {
			return lattice.Point{X: p.X * 100000, Y: p.Y * flat}
		})
	case 2: // sheared until nearly everything lies on a line
		return gentest.Map(gentest.Tiny(rng, 12+rng.Int32N(30), n, false), func(p lattice.Point) lattice.Point {
			return lattice.Point{X: p.X*9973 + p.Y*9967, Y: p.X*5003 + p.Y*5000}
		})
	}
	return scatter(rng, n, size(rng), gentest.Needles)
}

// maze has corridors of slanted or rough walls.
func maze(rng *rand.Rand, n int) *plan.Domain {
	return polygon(rng, []corpus.Shape{corpus.Slanted, corpus.Rough, corpus.Star, corpus.Comb, corpus.AxisAligned}[rng.IntN(5)], n)
}

func polygon(rng *rand.Rand, shape corpus.Shape, n int) *plan.Domain {
	return gentest.Domain(corpus.Make(shape, rng.Uint64(), n, rng.IntN(2+n/40)).Rings...)
}

// standing has columns of triangles that stand on their tips, each in the middle of the edge below.
func standing(rng *rand.Rand, n int) *plan.Domain {
	side := max(1, int32(math.Sqrt(float64(n)/3)))
	const cell = 400
	w := side * cell
	rings := []lattice.Ring{gentest.Ring(0, 0, w, 0, w, w+cell, 0, w+cell)}
	for i := range side {
		x, y := i*cell+cell/2, int32(0)
		for range side {
			a, b, h := 20+rng.Int32N(100), 20+rng.Int32N(100), 10+rng.Int32N(cell-50)
			tilt := rng.Int32N(2) * rng.Int32N(7)
			rings = append(rings, gentest.Ring(x, y, x-a, y+h, x+b, y+h+tilt))
			if tilt != 0 {
				break // the next one would have no lattice point to stand on
			}
			x, y = x-a+1+rng.Int32N(a+b-1), y+h
			if x < i*cell+130 || x > (i+1)*cell-130 {
				break // it would reach its neighbours
			}
		}
	}
	return gentest.Domain(rings...)
}

// blocks has walls on the axes and obstacles that touch at corners.
func blocks(rng *rand.Rand, n int) *plan.Domain {
	return gentest.Blocks(rng, max(2, int(math.Sqrt(float64(n)/0.6))), 1<<rng.IntN(12), 0.25+0.2*rng.Float64(), false)
}

// seam has two domains with a common chain, upright or slanted, with vertices on the chain.
func seam(rng *rand.Rand, n int) ([]*plan.Domain, lattice.Ring) {
	kind := []gentest.Obstacle{gentest.Boxes, gentest.Stars, gentest.Mixed}[rng.IntN(3)]
	west := scatter(rng, n/2, 1<<12, kind)
	w := west.Rings[0][1].X
	east := gentest.Scatter(rng, int(w>>12), 1<<12, kind)
	chain := lattice.Ring{{X: w, Y: 0}}
	for y := rng.Int32N(w); y < w; y += 1 + rng.Int32N(w) {
		chain = append(chain, lattice.Point{X: w, Y: max(y, chain[len(chain)-1].Y+1)})
	}
	chain = append(chain, lattice.Point{X: w, Y: w})
	west.Rings[0] = append(append(lattice.Ring{{}}, chain...), lattice.Point{Y: w})
	east.Rings[0] = lattice.Ring{{X: 2 * w}, {X: 2 * w, Y: w}}
	for i := range chain {
		east.Rings[0] = append(east.Rings[0], chain[len(chain)-1-i])
	}
	for _, r := range east.Rings[1:] {
		for i := range r {
			r[i].X += w
		}
	}
	domains := []*plan.Domain{gentest.Domain(west.Rings...), gentest.Domain(east.Rings...)}
	for i := range len(chain) - 1 {
		domains[0].Edges[0][1+i], domains[1].Edges[0][2+i] = 0, 0
	}
	a, b := 1+rng.Int32N(3), rng.Int32N(4)
	slant := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X*a - p.Y*b, Y: p.X*b + p.Y*a} }
	for i := range domains {
		domains[i] = gentest.Map(domains[i], slant)
	}
	for i := range chain {
		chain[i] = slant(chain[i])
	}
	return domains, chain
}

// tiny has a few units, so every possible coincidence occurs.
func tiny(rng *rand.Rand, n int) *plan.Domain {
	return gentest.Tiny(rng, 4+rng.Int32N(60), 3*n, rng.IntN(2) == 0)
}

// frame reaches to the corners of the coordinate frame.
func frame(rng *rand.Rand, n int) *plan.Domain {
	const shake = 5000
	side, moved := 6+2*rng.Int32N(20), int32(0)
	contact := rng.IntN(2) == 0
	if !contact {
		moved = shake
	}
	scale := (lattice.MaxCoord - moved) / (side / 2)
	return gentest.Map(gentest.Tiny(rng, side, 3*n, contact), func(p lattice.Point) lattice.Point {
		q := lattice.Point{X: (p.X - side/2) * scale, Y: (p.Y - side/2) * scale}
		if moved > 0 {
			q.X, q.Y = q.X+rng.Int32N(moved), q.Y+rng.Int32N(moved)
		}
		return q
	})
}

// regular has the regular arrangements that are worst for some methods: combs, spirals, stars, stairs.
func regular(rng *rand.Rand, n int) *plan.Domain {
	switch rng.IntN(4) {
	case 0:
		return gentest.Comb(max(1, n/4), 6+rng.Int32N(40), 1+rng.Int32N(500))
	case 1:
		return gentest.Spiral(max(1, n/8), 1+rng.Int32N(100))
	case 2:
		return gentest.Star(max(3, n/2), float64(uint(100*n)<<rng.IntN(8)))
	}
	return gentest.Staircase(max(1, n/3))
}

// String names the world for people.
func (w *world) String() string {
	return fmt.Sprintf("world %d (%s, %d vertices)", w.number, w.kind, w.vertices())
}
