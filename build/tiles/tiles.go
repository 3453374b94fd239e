// Package tiles builds a level in square pieces, and joins the pieces to one plan with its cells.
//
// Source: own; docs/decisions/tiles.md. Tiles with a border of further geometry around them are those of M. Mononen's Recast,
// where the tiles are pictures of voxels; here a tile is cut out of exact polygons.
//
// Idea: squares of the world's lattice are the tiles, whatever the level. A tile takes the triangles that meet its square grown by
// a halo, finds their floor, and cuts the floor at the square (exact.Inside). The tile's domains are decomposed at once, so all
// long work is in the tiles. Two tiles see other triangles far away, so their floors may end a unit apart on the common line. Join
// therefore trusts no equal points: on each line, floors of both sides at one height meet where both reach, and the stretch
// becomes a chain of kind TileCut. The parts to keep are chosen after the join.
//
// Input: a level; then the tiles of one level with one set of options.
//
// Guarantees:
//  1. Tiles have the floor of the whole level: the area within rounding, the same parts, and paths of equal length where borders
//     are not simplified (TestTilesAgainstWhole, TestTilesOfLevels); doors of exactly the agent's width stay open (TestDoors).
//  2. A tile and its key follow from the triangles and the paint that meet the tile's halo, from the part of the ground table, and
//     from the options; nothing else (TestKeysFollowTheHalo, TestLocalChange).
//  3. The joined plan does not depend on the order of the tiles, nor on the number of goroutines (TestOrderDoesNotMatter).
//  4. [Decode] of any bytes ends in an error or a tile within bounded memory; every damaged file is an error
//     (TestHostileTiles, FuzzDecode).
//
// Degenerate cases: a tile without floor is a tile without domains. Floor narrower than a millimetre along a line is lost. A step
// may lie on a line. A line may run along a wall, a seam, or the border of two kinds of ground.
//
// Cost: the triangles in halos count once for each tile that they meet; memory is that of the largest tiles for each goroutine.
// Join takes O(n log n) for n corners.
package tiles

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/ground"
	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level"
)

// ID names a tile of a grid: the tiles east and north of the world's origin have the ID 0,0.
type ID struct{ East, North int64 }

// Compare orders tiles row by row, from the south, and in a row from the west.
func (id ID) Compare(o ID) int {
	switch {
	case id == o:
		return 0
	case id.North < o.North || id.North == o.North && id.East < o.East:
		return -1
	}
	return 1
}

// String returns the numbers of the tile.
func (id ID) String() string { return fmt.Sprintf("%d,%d", id.East, id.North) }

// The range of the side of a tile, in metres.
const (
	LeastSize = 1.0 / 4
	MostSize  = 1 << 16
)

// MostTiles bounds the tiles of a level, and of a join.
const MostTiles = 1 << 15

// mostCells bounds the squares of a grid over the box of a level.
const mostCells = 1 << 22

// Key identifies everything that a tile follows from.
type Key [sha256.Size]byte

// Entry is a tile of a level, and its key.
type Entry struct {
	ID
	Key Key
}

// Options say how tiles are built.
type Options struct {
	// Size is the side of a tile in metres, from [LeastSize] to [MostSize], rounded to the lattice.
	Size  float64
	Agent geom.Agent // with all defaults
	// Floor are options for the extraction. The choice of parts has no effect.
	Floor floorplan.Options
	// Generator decomposes the floor; Seed is for generators with random choices.
	Generator gen.Generator
	Seed      uint64
	// Markers are the markers of the level with an effect: doors and areas cut the tiles.
	Markers []level.Marker
	// Program and Settings tell tiles of other programs, generators and options apart.
	Program, Settings string
}

// Cutting is a level cut in tiles that are not built yet. It is immutable, and any number of goroutines may build tiles.
type Cutting struct {
	opt    Options
	size   int32 // of a tile, in lattice units
	halo   int32
	soup   *soup.Soup
	tree   *boxtree.Tree[int32]
	ground *level.Ground // without triangles
	tiles  []Entry
}

// Cut divides a level into tiles. The tiles are those with a walkable triangle, and no floor may come of it.
func Cut(ctx context.Context, lvl *level.Level, opt Options) (*Cutting, error) {
	size, err := unitsOf(opt.Size)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(opt.Agent.Validate(), opt.Floor.Validate()); err != nil {
		return nil, err
	}
	s, err := soup.ReadOn(ctx, lvl, opt.Agent, opt.Floor.Jobs)
	if err != nil {
		return nil, err
	}
	c := &Cutting{opt: opt, size: size, halo: exact.Halo(opt.Agent), soup: s}
	if lvl.Ground != nil {
		c.ground = &level.Ground{Names: lvl.Ground.Names, Painted: lvl.Ground.Painted}
	}
	boxes := make([]boxtree.Box[int32], len(s.Triangles))
	for i := range boxes {
		v := &s.Triangles[i].V
		for k, p := range v {
			at := [3]int32{p.X, p.Y, p.Z}
			if k == 0 {
				boxes[i].Low, boxes[i].High = at, at
			}
			for axis, x := range at {
				boxes[i].Low[axis], boxes[i].High[axis] = min(boxes[i].Low[axis], x), max(boxes[i].High[axis], x)
			}
		}
	}
	if c.tree, err = boxtree.Grow(ctx, boxes, nil, opt.Floor.Jobs); err != nil {
		return nil, err
	}
	return c, c.list(ctx, boxes)
}

// unitsOf returns the side of a tile in lattice units.
func unitsOf(size float64) (int32, error) {
	if !(size >= LeastSize && size <= MostSize) {
		return 0, fmt.Errorf("tiles: the size is %g m, must be from %g to %d m", size, LeastSize, MostSize)
	}
	return int32(math.Round(size * lattice.UnitsPerMetre)), nil
}

// list finds the tiles and their keys.
func (c *Cutting) list(ctx context.Context, boxes []boxtree.Box[int32]) error {
	size := int64(c.size)
	first := ID{lattice.FloorDiv(c.soup.Frame.East, size), lattice.FloorDiv(c.soup.Frame.North, size)}
	last := ID{
		lattice.FloorDiv(c.soup.Frame.East+int64(c.soup.Size.X), size), lattice.FloorDiv(c.soup.Frame.North+int64(c.soup.Size.Y), size),
	}
	wide, high := last.East-first.East+1, last.North-first.North+1
	if wide*high > mostCells {
		return fmt.Errorf("tiles: level of %d × %d tiles of %g m, more than %d in all: use larger tiles", wide, high, c.opt.Size, mostCells)
	}
	// A sum over the corners of boxes counts the boxes over each square.
	count := make([]int32, (wide+1)*(high+1))
	for i, b := range boxes {
		if !c.soup.Triangles[i].Walkable {
			continue
		}
		x0, y0 := lattice.FloorDiv(c.soup.Frame.East+int64(b.Low[0]), size)-first.East, lattice.FloorDiv(c.soup.Frame.North+int64(b.Low[1]), size)-first.North
		x1, y1 := lattice.FloorDiv(c.soup.Frame.East+int64(b.High[0]), size)-first.East, lattice.FloorDiv(c.soup.Frame.North+int64(b.High[1]), size)-first.North
		count[y0*(wide+1)+x0]++
		count[y0*(wide+1)+x1+1]--
		count[(y1+1)*(wide+1)+x0]--
		count[(y1+1)*(wide+1)+x1+1]++
	}
	for y := range high {
		for x := range wide {
			k := y*(wide+1) + x
			if x > 0 {
				count[k] += count[k-1]
			}
			if y > 0 {
				count[k] += count[k-wide-1]
			}
			if x > 0 && y > 0 {
				count[k] -= count[k-wide-2]
			}
			if count[k] == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("tiles: %w", err)
			}
			id := ID{first.East + x, first.North + y}
			triangles, walkable := c.around(id)
			if !walkable {
				continue
			}
			if len(c.tiles) == MostTiles {
				return fmt.Errorf("tiles: more than %d tiles of %g m: use larger tiles", MostTiles, c.opt.Size)
			}
			c.tiles = append(c.tiles, Entry{id, c.key(id, triangles)})
		}
	}
	return nil
}

// Tiles lists the tiles in order. The list belongs to the cutting.
func (c *Cutting) Tiles() []Entry { return c.tiles }

// Size returns the side of a tile in metres.
func (c *Cutting) Size() float64 { return float64(c.size) * lattice.Unit }

// window returns the square of a tile in the frame f. Far squares are cut off at the ends of the lattice, where no triangle is.
func (c *Cutting) window(id ID, f lattice.Frame) lattice.Box {
	const most = 2 * lattice.MaxCoord
	size := int64(c.size)
	at := func(n, origin int64) int32 { return int32(max(-most+1, min(most-1, n*size-origin))) }
	return lattice.Box{
		Min: lattice.Point{X: at(id.East, f.East), Y: at(id.North, f.North)},
		Max: lattice.Point{X: at(id.East+1, f.East), Y: at(id.North+1, f.North)},
	}
}

// around lists the triangles that meet the halo of a tile, ascending, and tells whether a walkable triangle meets the tile itself.
func (c *Cutting) around(id ID) (triangles []int32, walkable bool) {
	w := c.window(id, c.soup.Frame)
	grown := lattice.Box{
		Min: lattice.Point{X: int32(max(int64(w.Min.X)-int64(c.halo), math.MinInt32)), Y: int32(max(int64(w.Min.Y)-int64(c.halo), math.MinInt32))},
		Max: lattice.Point{X: int32(min(int64(w.Max.X)+int64(c.halo), math.MaxInt32)), Y: int32(min(int64(w.Max.Y)+int64(c.halo), math.MaxInt32))},
	}
	box := boxtree.Box[int32]{
		Low:  [3]int32{grown.Min.X, grown.Min.Y, math.MinInt32},
		High: [3]int32{grown.Max.X, grown.Max.Y, math.MaxInt32},
	}
	for _, item := range c.tree.Search(&box, nil) {
		t := &c.soup.Triangles[item.ID]
		if meets(&t.V, &grown) {
			triangles = append(triangles, item.ID)
			walkable = walkable || t.Walkable && meets(&t.V, &w)
		}
	}
	slices.Sort(triangles)
	return triangles, walkable
}

// meets reports whether a triangle, seen from above, has a point in common with a box. Two convex sets are apart iff a line along
// a side of either divides them.
func meets(v *[3]lattice.Vertex, b *lattice.Box) bool {
	if max(v[0].X, v[1].X, v[2].X) < b.Min.X || min(v[0].X, v[1].X, v[2].X) > b.Max.X ||
		max(v[0].Y, v[1].Y, v[2].Y) < b.Min.Y || min(v[0].Y, v[1].Y, v[2].Y) > b.Max.Y {
		return false
	}
	for k := range v {
		p, q, r := v[k].Point, v[(k+1)%3].Point, v[(k+2)%3].Point
		dx, dy := q.Sub(p)
		// side is negative on one side of the line through the two corners, and positive on the other. Coordinates of the box
		// are below 2³¹, so the products fit.
		side := func(x, y int32) int64 { return dx*(int64(y)-int64(p.Y)) - dy*(int64(x)-int64(p.X)) }
		corners := [4]int64{side(b.Min.X, b.Min.Y), side(b.Max.X, b.Min.Y), side(b.Min.X, b.Max.Y), side(b.Max.X, b.Max.Y)}
		third := side(r.X, r.Y)
		low, high := slices.Min(corners[:]), slices.Max(corners[:])
		if low > max(0, third) || high < min(0, third) {
			return false
		}
	}
	return true
}

// revision changes with the meaning of tiles.
const revision = 1

// key returns the key of a tile with the triangles around it. Places count from the corner of the tile, heights from the world's.
func (c *Cutting) key(id ID, triangles []int32) Key {
	h := sha256.New()
	var buf []byte
	put := func(values ...int64) {
		for _, v := range values {
			buf = binary.LittleEndian.AppendUint64(buf, uint64(v))
		}
		if len(buf) > 1<<12 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	text := func(s string) {
		put(int64(len(s)))
		buf = append(buf, s...)
	}
	real := func(values ...float64) {
		for _, v := range values {
			put(int64(math.Float64bits(v)))
		}
	}
	a, f := c.opt.Agent, c.opt.Floor
	put(revision, int64(c.size), id.East, id.North, int64(c.opt.Seed))
	real(a.Radius, a.Height, a.MaxClimb, a.MaxSlope, a.MaxGap, f.Simplify, f.Detail)
	text(c.opt.Program)
	text(c.opt.Settings)
	w := c.window(id, c.soup.Frame)
	put(int64(len(triangles)))
	for _, i := range triangles {
		t := &c.soup.Triangles[i]
		for _, v := range t.V {
			put(int64(v.X)-int64(w.Min.X), int64(v.Y)-int64(w.Min.Y), int64(v.Z)+c.soup.Frame.Up)
		}
		kind := int64(t.Area) << 1
		if t.Walkable {
			kind++
		}
		put(kind)
	}
	for _, k := range c.markers(id) {
		m := &c.opt.Markers[k]
		put(int64(k), int64(len(m.Hull)))
		text(m.Kind)
		for _, v := range m.Hull {
			real(v.X, v.Y, v.Z)
		}
	}
	if c.ground != nil {
		put(int64(len(c.ground.Names)))
		for _, name := range c.ground.Names {
			text(name)
		}
		for _, p := range c.painted(id) {
			put(int64(p.Area), int64(len(p.Rings)))
			for _, ring := range p.Rings {
				put(int64(len(ring)))
				for _, v := range ring {
					real(v[0], v[1])
				}
			}
		}
	}
	h.Write(buf)
	return Key(h.Sum(nil))
}

// extent is a box on the ground in metres, to the east and to the north.
type extent struct{ low, high [2]float64 }

func noExtent() extent {
	return extent{[2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}}
}

func (e *extent) add(x, y float64) {
	e.low[0], e.low[1] = min(e.low[0], x), min(e.low[1], y)
	e.high[0], e.high[1] = max(e.high[0], x), max(e.high[1], y)
}

// reaches reports whether a box meets a tile, or nearly.
func (c *Cutting) reaches(id ID, e extent) bool {
	size := c.Size()
	const near = 1
	west, south := float64(float64(id.East)*size)-near, float64(float64(id.North)*size)-near
	return e.low[0] <= west+size+2*near && e.high[0] >= west && e.low[1] <= south+size+2*near && e.high[1] >= south
}

// painted returns the patches that meet a tile, or nearly.
func (c *Cutting) painted(id ID) []level.Painted {
	var out []level.Painted
	for _, p := range c.ground.Painted {
		e := noExtent()
		for _, ring := range p.Rings {
			for _, v := range ring {
				e.add(v[0], v[1])
			}
		}
		if c.reaches(id, e) {
			out = append(out, p)
		}
	}
	return out
}

// markers lists the doors and areas that meet a tile, or nearly.
func (c *Cutting) markers(id ID) []int {
	var list []int
	for k := range c.opt.Markers {
		m := &c.opt.Markers[k]
		if !markers.Cuts(m) {
			continue
		}
		e := noExtent()
		for _, v := range m.Hull {
			e.add(geom.Ground(v))
		}
		if c.reaches(id, e) {
			list = append(list, k)
		}
	}
	return list
}

// Tile is a built tile. Its plan is in a frame with the origin in the corner of the tile's square. An edge along the square belongs to
// a chain of kind TileCut with the edge's own domain on both sides. Parts of the floor have no numbers yet.
type Tile struct {
	Entry
	Size  int32 // of a tile, in lattice units
	Plan  *plan.Plan
	Cells [][][]plan.Cell // by layer and domain
	// Marks are the markers of the marks of the plan, ascending.
	Marks []int32
	// Counts are the work counts of the generator, and Warnings are of the ground and of markers.
	Counts   map[string]int
	Warnings []string
}

// ErrNoTile is the error of a tile that a level does not have.
var ErrNoTile = errors.New("tiles: the level has no such tile")

// Build builds one of the tiles on up to jobs goroutines, one per core for 0.
func (c *Cutting) Build(ctx context.Context, id ID, jobs int) (*Tile, error) {
	k, ok := slices.BinarySearchFunc(c.tiles, id, func(e Entry, id ID) int { return e.ID.Compare(id) })
	if !ok {
		return nil, fmt.Errorf("%w: %v", ErrNoTile, id)
	}
	triangles, _ := c.around(id)
	s := c.soup.Part(triangles)
	opt := c.opt.Floor
	opt.Jobs = jobs
	p, err := exact.Inside(ctx, s, c.opt.Agent, opt, c.window(id, s.Frame))
	if err != nil {
		return nil, fmt.Errorf("tiles: tile %v: %w", id, err)
	}
	t := &Tile{Entry: c.tiles[k], Size: c.size, Counts: map[string]int{}}
	if c.ground != nil {
		g := &level.Ground{Names: c.ground.Names, Painted: c.painted(id)}
		if p, t.Warnings, err = ground.ApplyTo(ctx, p, g, s, ground.Options{Jobs: jobs}); err != nil {
			return nil, fmt.Errorf("tiles: tile %v: %w", id, err)
		}
	}
	if near := c.markers(id); len(near) > 0 {
		list := make([]level.Marker, len(near))
		for i, k := range near {
			list[i] = c.opt.Markers[k]
		}
		divided, of, warnings, err := markers.Cut(ctx, p, list)
		if err != nil {
			return nil, fmt.Errorf("tiles: tile %v: %w", id, err)
		}
		p, t.Warnings = divided, append(t.Warnings, warnings...)
		for _, k := range of {
			t.Marks = append(t.Marks, int32(near[k]))
		}
	}
	size := int64(c.size)
	corner := lattice.Frame{East: id.East * size, North: id.North * size, Up: s.Frame.Up}
	t.Plan = moved(p, corner)
	markCuts(t.Plan, c.size)
	results, err := gen.DecomposePlan(ctx, c.opt.Generator, t.Plan, c.opt.Seed, jobs)
	if err != nil {
		return nil, fmt.Errorf("tiles: tile %v: %w", id, err)
	}
	for l := range results {
		for d := range results[l] {
			for name, n := range results[l][d].Report.Counts {
				t.Counts[name] += n
			}
		}
	}
	t.Cells = gen.CellsOf(results)
	return t, nil
}

// markCuts gives the edges of a tile's plan along the square chains of kind TileCut, one for each domain.
func markCuts(p *plan.Plan, size int32) {
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			chain := plan.Wall
			for r, ring := range domain.Rings {
				for i, a := range ring {
					if _, cut := sideOf(a, ring[(i+1)%len(ring)], size); !cut || domain.Edges[r][i] != plan.Wall {
						continue
					}
					if chain == plan.Wall {
						id := plan.DomainID{Layer: int32(l), Domain: int32(d)}
						chain = plan.ChainID(len(p.Chains))
						p.Chains = append(p.Chains, plan.Chain{Kind: plan.TileCut, Left: id, Right: id})
					}
					domain.Edges[r][i] = chain
				}
			}
		}
	}
}

// side is a side of a tile's square.
type side uint8

const (
	west side = iota
	east
	south
	north
)

// sideOf returns the side of the square, with its corner in the origin, that an edge with the floor on its left lies on.
func sideOf(a, b lattice.Point, size int32) (s side, cut bool) {
	switch {
	case a.X == 0 && b.X == 0 && b.Y < a.Y:
		return west, true
	case a.X == size && b.X == size && b.Y > a.Y:
		return east, true
	case a.Y == 0 && b.Y == 0 && b.X > a.X:
		return south, true
	case a.Y == size && b.Y == size && b.X < a.X:
		return north, true
	}
	return 0, false
}

// moved returns a plan in another frame. The plan shares nothing that a caller may change but labels.
func moved(p *plan.Plan, to lattice.Frame) *plan.Plan {
	out := *p
	dx, dy, dz := int32(p.Frame.East-to.East), int32(p.Frame.North-to.North), int32(p.Frame.Up-to.Up)
	point := func(q lattice.Point) lattice.Point { return lattice.Point{X: q.X + dx, Y: q.Y + dy} }
	points := func(list []lattice.Point) []lattice.Point {
		moved := make([]lattice.Point, len(list))
		for i, q := range list {
			moved[i] = point(q)
		}
		return moved
	}
	out.Frame = to
	out.Layers = make([]plan.Layer, len(p.Layers))
	for l := range p.Layers {
		from, layer := &p.Layers[l], &out.Layers[l]
		layer.Floor = from.Floor
		layer.Floor.Vertices = make([]lattice.Vertex, len(from.Floor.Vertices))
		for i, v := range from.Floor.Vertices {
			layer.Floor.Vertices[i] = lattice.Vertex{Point: point(v.Point), Z: v.Z + dz}
		}
		layer.Domains = slices.Clone(from.Domains)
		for d := range layer.Domains {
			domain := &layer.Domains[d]
			rings := make([]lattice.Ring, len(domain.Rings))
			edges := make([][]plan.ChainID, len(domain.Rings))
			heights := make([][]int32, len(domain.Rings))
			for r, ring := range domain.Rings {
				rings[r], edges[r], heights[r] = points(ring), slices.Clone(domain.Edges[r]), slices.Clone(domain.Heights[r])
				for i := range heights[r] {
					heights[r][i] += dz
				}
			}
			domain.Rings, domain.Edges, domain.Heights = rings, edges, heights
		}
	}
	out.Chains = slices.Clone(p.Chains)
	for i := range out.Chains {
		out.Chains[i].Points = points(out.Chains[i].Points)
	}
	return &out
}
