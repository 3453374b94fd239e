package workbench

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

var playRequests = map[string]handler{"playback": playback}

// Playback is a generator's making, step by step. The bytes of the reply are changes, seven 32-bit floats each and in the order of
// frames: the frame, the region, what happens (one of the constants below) and up to four values.
type Playback struct {
	Generator string   `json:"generator"`
	Frames    []string `json:"frames"` // each in words
	Regions   int      `json:"regions"`
	Shapes    []Shape  `json:"shapes"`
	Strokes   []Stroke `json:"strokes"`
	// Domains is how many parts of the floor are played, All how many there are.
	Domains int `json:"domains"`
	All     int `json:"all"`
	// Note says what people should know of the recording; empty for nothing.
	Note string `json:"note"`

	changes []float32
}

// Codes of changes to a region, each with the values behind it.
const (
	becomesShape = iota // number of the shape, and the opacity from 0 to 1
	growsTo             // west, north, east and south end of the box that shows, as x and z in metres
	goes
	takesColor // number of the colour
)

// Shape is a convex polygon on a plane: x and z of its corners in metres, and the plane's y = a + b·x + c·z.
type Shape struct {
	Points []float64  `json:"points"`
	Plane  [3]float64 `json:"plane"`
	Storey uint8      `json:"storey"`
}

// Stroke is a line or, with equal ends, a place, that shows in frames from From to before To.
type Stroke struct {
	Kind   string     `json:"kind"` // seed, notch, mended, portal or released
	Start  [3]float64 `json:"start"`
	End    [3]float64 `json:"end"`
	Storey uint8      `json:"storey"`
	From   int        `json:"from"`
	To     int        `json:"to"`
}

const (
	// mostFrames bounds the frames of a playback: later domains are left out.
	mostFrames = 3000
	// mostStops bounds the frames in which fronts of one domain stop; more share frames.
	mostStops = 300
)

// afterChange is the method that is played through a change.
const afterChange = "dasfv"

// players are the generators whose steps are known.
var players = map[string]gen.Generator{"pasfv": pasfv.Generator{}, "wavefront": wavefront.Generator{}, "anavmg": anavmg.Generator{}}

// recorder keeps the events of a generator.
type recorder []gen.Event

func (*recorder) Step(string, [][2]lattice.Point) {}
func (r *recorder) Trace(e gen.Event)             { *r = append(*r, e) }

// playback records a generator on the floor of the last build, the largest parts first.
func playback(b *Bench, ctx context.Context, r Request, tell Tell) (Reply, error) {
	var o struct {
		Generator string `json:"generator"`
	}
	if err := read(r, &o); err != nil {
		return Reply{}, err
	}
	g, ok := players[o.Generator]
	switch {
	case !ok && o.Generator != afterChange:
		return Reply{}, fmt.Errorf("the steps of %q are not recorded, those of anavmg, dasfv, pasfv and wavefront are", o.Generator)
	case b.mesh == nil:
		return Reply{}, errNoMesh
	case b.floor == nil:
		return Reply{}, errors.New("the mesh is from a file, and its floor is unknown: open its level")
	}
	p := b.floor.Plan
	var domains []plan.DomainID
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			domains = append(domains, plan.DomainID{Layer: int32(l), Domain: int32(d)})
		}
	}
	of := func(id plan.DomainID) *plan.Domain { return &p.Layers[id.Layer].Domains[id.Domain] }
	slices.SortStableFunc(domains, func(a, b plan.DomainID) int { return cmp.Compare(of(b).Area2(), of(a).Area2()) })
	film := Playback{Generator: o.Generator, Frames: []string{"the floor"}, Shapes: []Shape{}, Strokes: []Stroke{}, All: len(domains)}
	heights := samplers(p)
	for i, id := range domains {
		if len(film.Frames) >= mostFrames {
			break
		}
		tell("recording", i, len(domains))
		c := camera{Playback: &film, bench: b, layer: &p.Layers[id.Layer], frame: p.Frame, heights: heights[id.Layer]}
		if o.Generator == afterChange {
			if err := c.filmChange(ctx, of(id)); err != nil {
				return Reply{}, err
			}
			film.Domains, film.All = 1, 1
			break
		}
		var events recorder
		result, err := g.Decompose(ctx, gen.Input{Domain: of(id), Watch: &events, Thin: gen.ThinFor(p.Agent)})
		if err != nil {
			return Reply{}, err
		}
		if o.Generator == "anavmg" {
			c.filmPortals(events, result.Cells)
		} else {
			c.filmGrowth(events)
		}
		film.Domains++
	}
	for i := range film.Strokes {
		if film.Strokes[i].To < 0 {
			film.Strokes[i].To = len(film.Frames)
		}
	}
	var body []byte
	for _, f := range film.changes {
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(f))
	}
	return Reply{film, body}, nil
}

// camera films one domain.
type camera struct {
	*Playback
	bench *Bench
	layer *plan.Layer
	frame lattice.Frame

	heights *lattice.Sampler // of the layer
}

// now is the number of the present frame.
func (c *camera) now() int { return len(c.Frames) - 1 }

func (c *camera) shot(format string, a ...any) {
	c.Frames = append(c.Frames, fmt.Sprintf(format, a...))
}

func (c *camera) change(region, what int, values ...float64) {
	all := [7]float32{float32(c.now()), float32(region), float32(what)}
	for i, v := range values {
		all[3+i] = float32(v)
	}
	c.changes = append(c.changes, all[:]...)
}

// world returns a place on the floor.
func (c *camera) world(p lattice.Point) geom.Vec {
	height := heightAt(c.heights, p)
	if math.IsInf(height, -1) {
		height = 0
		if v := c.layer.Floor.Vertices; len(v) > 0 {
			nearest := slices.MinFunc(v, func(a, b lattice.Vertex) int { return cmp.Compare(a.Distance2(p), b.Distance2(p)) })
			height = float64(nearest.Z)
		}
	}
	return c.frame.ToWorld(p, int32(height))
}

// shape adds a convex polygon, and returns its number.
func (c *camera) shape(points []lattice.Point) int {
	var s Shape
	var corners []geom.Vec
	var mean geom.Vec
	for _, p := range points {
		v := c.world(p)
		corners = append(corners, v)
		mean = mean.Add(v.Scale(1 / float64(len(points))))
		s.Points = append(s.Points, v.X, v.Z)
	}
	s.Plane = planeOf(corners, mean)
	s.Storey = c.bench.storeys().At(mean)
	c.Shapes = append(c.Shapes, s)
	return len(c.Shapes) - 1
}

// planeOf is the plane y = a + b·x + c·z nearest to points with a mean, by least squares.
func planeOf(points []geom.Vec, mean geom.Vec) [3]float64 {
	var xx, xz, zz, xy, zy float64
	for _, p := range points {
		d := p.Sub(mean)
		xx, xz, zz, xy, zy = xx+d.X*d.X, xz+d.X*d.Z, zz+d.Z*d.Z, xy+d.X*d.Y, zy+d.Z*d.Y
	}
	det := xx*zz - xz*xz
	if det < 1e-9 {
		return [3]float64{mean.Y}
	}
	bx, bz := (xy*zz-zy*xz)/det, (zy*xx-xy*xz)/det
	return [3]float64{mean.Y - bx*mean.X - bz*mean.Z, bx, bz}
}

func (c *camera) stroke(kind string, from, to lattice.Point) *Stroke {
	a, b := c.world(from), c.world(to)
	c.Strokes = append(c.Strokes, Stroke{
		Kind: kind, Start: [3]float64{a.X, a.Y, a.Z}, End: [3]float64{b.X, b.Y, b.Z},
		Storey: c.bench.storeys().At(a.Add(b).Scale(0.5)), From: c.now(), To: -1,
	})
	return &c.Strokes[len(c.Strokes)-1]
}

// growing is a region that has begun and is no cell yet.
type growing struct {
	start lattice.Box
	stops [4]int64 // how far each front goes, -1 for one that still does
	seed  int      // its stroke
}

// after returns the box of a region whose fronts have gone so far, unless they have stopped before.
func (g *growing) after(time int64) lattice.Box {
	b := g.start
	for d := range 4 {
		by := time
		if g.stops[d] >= 0 {
			by = min(by, g.stops[d])
		}
		move := func(at int32, by int64) int32 {
			return int32(max(-lattice.MaxCoord, min(int64(at)+by, lattice.MaxCoord)))
		}
		switch d {
		case 0:
			b.Min.X = move(b.Min.X, -by)
		case 1:
			b.Min.Y = move(b.Min.Y, -by)
		case 2:
			b.Max.X = move(b.Max.X, by)
		case 3:
			b.Max.Y = move(b.Max.Y, by)
		}
	}
	return b
}

// grows shows the part of a region inside of a box.
func (c *camera) grows(region int, b lattice.Box) {
	a, z := c.frame.ToWorld(b.Min, 0), c.frame.ToWorld(b.Max, 0)
	c.change(region, growsTo, a.X, z.Z, z.X, a.Z)
}

// filmGrowth films regions that grow.
func (c *camera) filmGrowth(events []gen.Event) {
	first := c.Regions
	final := map[int32][]lattice.Point{} // the cells that regions become
	stops := 0
	for _, e := range events {
		c.Regions = max(c.Regions, first+int(e.Region)+1)
		switch e.Kind {
		case gen.Claimed:
			final[e.Region] = e.Points
		case gen.Stopped:
			stops++
		}
	}
	shapes := map[int32]int{}
	open := map[int32]*growing{}
	var order []int32 // of the open regions
	last, counted, together := gen.EventKind(255), 0, 0
	var lastTime int64
	step := max(1, stops/mostStops)
	for _, e := range events {
		id := first + int(e.Region)
		same := e.Kind == last
		switch e.Kind {
		case gen.Seeded:
			points, becomes := final[e.Region]
			if !becomes {
				continue
			}
			if !same {
				c.shot("")
				together = 0
			}
			together++
			c.Frames[c.now()] = fmt.Sprintf("%d of the seeds that become regions", together)
			if together == 1 {
				c.Frames[c.now()] = "a seed that becomes a region"
			}
			shapes[e.Region] = c.shape(points)
			c.change(id, becomesShape, float64(shapes[e.Region]), 0.55)
			c.grows(id, e.Box)
			at := lattice.Point{X: int32((int64(e.Box.Min.X) + int64(e.Box.Max.X)) / 2), Y: int32((int64(e.Box.Min.Y) + int64(e.Box.Max.Y)) / 2)}
			c.stroke("seed", at, at)
			open[e.Region] = &growing{e.Box, [4]int64{-1, -1, -1, -1}, len(c.Strokes) - 1}
			order = append(order, e.Region)
			lastTime = 0
		case gen.Stopped:
			g := open[e.Region]
			if g == nil {
				continue
			}
			g.stops[e.Front] = e.Time
			if counted++; counted%step != 0 && same {
				continue
			}
			if !same || e.Time != lastTime {
				c.shot("fronts have gone %.2f m; a front of region %d stops", float64(e.Time)*lattice.Unit, id)
			}
			lastTime = e.Time
			for _, region := range order {
				c.grows(first+int(region), open[region].after(e.Time))
			}
		case gen.Grown:
			if open[e.Region] == nil {
				continue
			}
			c.shot("a front of region %d comes to its event", id)
			c.grows(id, e.Box)
		case gen.Claimed:
			if !same {
				// Fronts that nothing stops end where walls close them in.
				if last == gen.Stopped {
					c.shot("the fronts that are left end between walls")
					for _, region := range order {
						c.grows(first+int(region), open[region].after(2*lattice.MaxCoord))
					}
				}
				c.shot("")
				together = 0
			}
			together++
			c.Frames[c.now()] = fmt.Sprintf("%d regions are cells now", together)
			if together == 1 {
				c.Frames[c.now()] = fmt.Sprintf("region %d is a cell now", id)
			}
			if g := open[e.Region]; g != nil {
				c.Strokes[g.seed].To = c.now()
				delete(open, e.Region)
				order = slices.DeleteFunc(order, func(o int32) bool { return o == e.Region })
			}
			if _, ok := shapes[e.Region]; !ok {
				shapes[e.Region] = c.shape(e.Points)
			}
			c.change(id, becomesShape, float64(shapes[e.Region]), 0.85)
		case gen.Combined:
			c.shot("the cell of region %d takes in that of region %d: both together are convex", id, first+int(e.Other))
			c.change(first+int(e.Other), goes)
			c.change(id, becomesShape, float64(c.shape(e.Points)), 0.85)
		}
		last = e.Kind
	}
}

// filmPortals films notches and portals: pieces of floor with one colour fall into cells.
func (c *camera) filmPortals(events []gen.Event, cells []plan.Cell) {
	type made struct {
		ends     [2]lattice.Point
		cut, end int // frames
		stroke   int
	}
	var portals []made
	notches := map[lattice.Point]int{}
	c.shot("the notches, where the floor is not convex")
	begun := c.now()
	for _, e := range events {
		switch e.Kind {
		case gen.Notched:
			c.stroke("notch", e.Points[0], e.Points[0])
			notches[e.Points[0]] = len(c.Strokes) - 1
		case gen.Cut:
			c.shot("a portal from a notch to the nearest thing that mends it")
			c.stroke("portal", e.Points[0], e.Points[1])
			portals = append(portals, made{[2]lattice.Point{e.Points[0], e.Points[1]}, c.now(), -1, len(c.Strokes) - 1})
			for _, p := range e.Points {
				if i, ok := notches[p]; ok {
					c.Strokes[i].To = c.now()
					delete(notches, p)
				}
			}
		case gen.Released:
			c.shot("a portal that is not needed any more goes")
			for i := range portals {
				if ends := portals[i].ends; portals[i].end < 0 && ends[0] == e.Points[0] && ends[1] == e.Points[1] {
					portals[i].end = c.now()
					c.Strokes[portals[i].stroke].To = c.now()
				}
			}
		}
	}
	// Cells beside each other along a portal.
	type pair struct{ a, b, portal int }
	var pairs []pair
	for k, p := range portals {
		if p.end >= 0 {
			continue
		}
		type stretch struct {
			cell      int
			low, high int64
			ahead     bool
		}
		dx, dy := p.ends[1].Sub(p.ends[0])
		along := func(q lattice.Point) int64 { x, y := q.Sub(p.ends[0]); return x*dx + y*dy }
		var on []stretch
		for i, cell := range cells {
			for j, a := range cell.Corners {
				b := cell.Corners[(j+1)%len(cell.Corners)]
				if lattice.Orient(p.ends[0], p.ends[1], a.Point) == 0 && lattice.Orient(p.ends[0], p.ends[1], b.Point) == 0 {
					u, v := along(a.Point), along(b.Point)
					on = append(on, stretch{i, min(u, v), max(u, v), u < v})
				}
			}
		}
		for i, s := range on {
			for _, o := range on[:i] {
				if s.ahead != o.ahead && max(s.low, o.low, 0) < min(s.high, o.high, dx*dx+dy*dy) {
					pairs = append(pairs, pair{s.cell, o.cell, k})
				}
			}
		}
	}
	first, final := c.Regions, c.Frames
	c.Regions += len(cells)
	shapes := make([]int, len(cells))
	for i, cell := range cells {
		points := make([]lattice.Point, len(cell.Corners))
		for k, corner := range cell.Corners {
			points[k] = corner.Point
		}
		shapes[i] = c.shape(points)
	}
	colors := make([]int32, len(cells))
	for frame := begun; frame < len(final); frame++ {
		c.Frames = final[:frame+1]
		parts := unionfind.New(len(cells))
		for _, p := range pairs {
			if portals[p.portal].cut > frame {
				parts.Union(int32(p.a), int32(p.b))
			}
		}
		for i := range cells {
			root := parts.Find(int32(i))
			if frame == begun {
				c.change(first+i, becomesShape, float64(shapes[i]), 0.8)
			}
			if frame == begun || root != colors[i] {
				c.change(first+i, takesColor, float64(first)+float64(root))
				colors[i] = root
			}
		}
	}
	c.Frames = final
}
