package dasfv

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/growth"
)

const (
	// seedSize is the side of a seed in lattice units.
	seedSize = 1
	// seedsPerVertex is how dense the grid of a rebuilding is, as in pasfv.
	seedsPerVertex = 0.25
)

// seeding says where the first regions of a piece are seeded.
type seeding struct {
	grid      bool            // on a grid, as a rebuilding
	centroids []lattice.Point // where obstacles were
}

// travel adds up how far the fronts of claimed regions have come. It is a gen.Observer.
type travel struct{ work *Work }

// Step adds a region by its border.
func (t travel) Step(_ string, border [][2]lattice.Point) {
	b := lattice.EmptyBox()
	for _, s := range border {
		b = b.Extend(s[0])
	}
	width, height := b.Size()
	t.work.Steps += width + height - 2*seedSize
	t.work.Grown++
}

// traced is travel with a tracer for the growth of several pieces.
type traced struct {
	travel
	to   gen.Tracer
	base int32 // the number of the piece's first region
	next int32 // one more than the largest number
}

// Trace hands an event on, with numbers of the whole change.
func (t *traced) Trace(e gen.Event) {
	e.Region += t.base
	e.Other += t.base
	t.next = max(t.next, e.Region+1)
	t.to.Trace(e)
}

// watch returns the observer of the growth in a piece.
func (w *World) watch(work *Work) gen.Observer {
	if w.options.Watch == nil {
		return travel{work}
	}
	if w.tracing == nil || w.tracing.work != work {
		w.tracing = &traced{travel: travel{work}, to: w.options.Watch}
	}
	w.tracing.base = w.tracing.next
	return w.tracing
}

// fill grows regions in a piece of vacated floor until none of the piece is left, as PASFV does from its seeding stage on.
func (w *World) fill(ctx context.Context, p *piece, s seeding, work *Work) ([]*Region, error) {
	work.Vertices += p.Len()
	world, err := growth.New(&p.Domain, w.watch(work))
	if err != nil {
		return nil, err
	}
	var first []growth.Place
	if s.grid {
		if first, err = w.gridOf(world, p); err != nil {
			return nil, err
		}
	}
	for _, c := range s.centroids {
		if place, ok := world.PlaceAt(c, seedSize); ok {
			first = append(first, place)
		}
	}
	if !s.grid && s.centroids == nil {
		first = middles(world, p.exposed(world))
	}
	round := world.NewRound(false)
	claimed, err := w.round(ctx, world, round, first, work)
	if err == nil && claimed == 0 && !s.grid {
		// Nobody is left to seed: PASFV seeds a world without regions on its grid.
		work.Unseeded++
		if first, err = w.gridOf(world, p); err == nil {
			_, err = w.round(ctx, world, round, first, work)
		}
	}
	if err != nil {
		return nil, err
	}
	// Beside the newest regions first, then beside all new regions, then beside everything else that borders on the piece.
	seedings := [3]func() []growth.Stretch{
		world.Fresh,
		func() []growth.Stretch { return world.Stretches(true) },
		func() []growth.Stretch { return world.Stretches(false) },
	}
	for i := 0; i < len(seedings); {
		claimed, err := w.round(ctx, world, round, middles(world, seedings[i]()), work)
		switch {
		case err != nil:
			return nil, err
		case claimed > 0:
			i = 0
		default:
			i++
		}
	}
	// Pockets between slanted walls that are narrower than a seed.
	for seeds := world.Exposed(); len(seeds) > 0; seeds = world.Exposed() {
		for _, s := range seeds {
			if e := world.Beside(s); e >= 0 {
				world.ClaimTriangle(e)
			}
		}
	}
	work.Pockets += world.Counts["triangles"]
	world.CombineAll()
	return p.regions(world.Result(&p.Domain).Cells), nil
}

// gridOf returns the places of a grid over a piece.
func (w *World) gridOf(world *growth.World, p *piece) (places []growth.Place, err error) {
	spacing := w.options.Spacing
	if spacing == 0 {
		spacing = growth.Spacing(&p.Domain, seedsPerVertex)
	}
	vertices, err := world.Grid(p.Box(), spacing)
	for _, v := range vertices {
		places = append(places, world.At(v, seedSize))
	}
	return places, err
}

// exposed returns the stretches of a piece's border that regions that stay lie behind, in the order of the rings.
func (p *piece) exposed(world *growth.World) (all []growth.Stretch) {
	first := 0
	for r, ring := range p.Rings {
		for i := range ring {
			if p.beside[r][i] {
				all = append(all, growth.Between(world.Corner[first+i], world.Corner[first+(i+1)%len(ring)]))
			}
		}
		first += len(ring)
	}
	return all
}

// middles returns the places in the middle of stretches.
func middles(world *growth.World, stretches []growth.Stretch) (places []growth.Place) {
	for _, s := range stretches {
		if p, ok := world.Middle(s, seedSize); ok {
			places = append(places, p)
		}
	}
	return places
}

// round seeds and grows once, and returns how many regions that gave.
func (w *World) round(ctx context.Context, world *growth.World, r *growth.Round, places []growth.Place, work *Work) (claimed int, err error) {
	if len(places) == 0 {
		return 0, nil
	}
	r.Reset()
	for _, p := range places {
		r.Add(p)
	}
	work.Rounds++
	work.Seeds += r.Len()
	if err := r.GrowByEvents(ctx); err != nil {
		return 0, err
	}
	return r.Claim(), nil
}

// regions returns the regions of some cells, whose rounded corners get the names of the obstacles' edges.
func (p *piece) regions(cells []plan.Cell) []*Region {
	regions := make([]*Region, len(cells))
	for i, cell := range cells {
		corners := make([]Corner, len(cell.Corners))
		for k, c := range cell.Corners {
			corners[k] = Corner{c.Point, NoEdge}
			if c.On != plan.NoEdge {
				corners[k].On = p.walls[c.On.Ring][c.On.Index]
			}
			if e, ok := p.rounded[c.Point]; ok {
				corners[k].On = e
			}
		}
		regions[i] = newRegion(corners)
	}
	return regions
}

// centroid returns the lattice point nearest to the centre of gravity of a convex polygon.
func centroid(ring lattice.Ring) lattice.Point {
	x, y, area := 0.0, 0.0, 0.0
	o := ring[0]
	for i := 2; i < len(ring); i++ {
		bx, by := ring[i-1].Sub(o)
		cx, cy := ring[i].Sub(o)
		t := float64(lattice.Orient(o, ring[i-1], ring[i]))
		x += float64(t * float64(bx+cx))
		y += float64(t * float64(by+cy))
		area += t
	}
	return lattice.Point{X: o.X + int32(math.Floor(x/(3*area)+0.5)), Y: o.Y + int32(math.Floor(y/(3*area)+0.5))}
}
