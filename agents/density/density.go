// Package density makes crowded floor cost more, so that later paths go around jams where the detour is cheaper.
//
//	m, err := density.New(w, density.Options{})
//	for range ticks {
//		change, err := m.Update(ctx, places) // where everyone stands, a few times a second
//		path, err := w.Now().NewQuery().Path(ctx, start, goal)
//	}
//
// Source: the idea of weights under travellers is S. Brand's, Efficient Obstacle Avoidance using Autonomously Generated Navigation
// Meshes, thesis, 2009, section 6.2.1; lab/footprints has his way and docs/algorithms/footprints.md compares both. The default levels are
// U. Weidmann's, Transporttechnik der Fussgänger, ETH Zürich, 1993: the speed of walkers by their density.
//
// Idea: a grid of square cells lies over the floor. Each disc lies on the cells that its square meets, by their shares of the
// square. The covered share of a cell chooses a level, and the level's cost is painted on the cell's floor by a modifier of the
// world. An update changes the cells whose level has changed, all in one change of the world.
//
// Input: places and radii of discs, in any order.
//
// Guarantees:
//  1. The shares of a disc sum up to its area, wherever the disc is (TestDiscsKeepTheirArea).
//  2. More discs never make a cell cheaper, and wider ones neither (TestMonotone).
//  3. Paths go around a jam where the detour is cheaper than the jam, and through it where not (TestPathsGoRoundJams).
//  4. The cells depend on the updates alone, not on the order of the places (TestOrderDoesNotMatter). Without hysteresis they depend on
//     the last places alone.
//  5. An update of a world where no level changes is no change of the world (TestQuietUpdates). An update that fails leaves world and
//     map as before (TestErrors).
//  6. Discs on a storey cost nothing on the storeys above and below (TestStoreys).
//  7. An update changes at most Options.Most cells, and enough updates of the same places come to the cells of an update without that
//     bound (TestBoundedUpdates).
//  8. A crowd with a Map gets around its jams sooner, with the same bits for any number of goroutines and from a saved state
//     (TestCrowdGoesRoundItsJam, TestRestore).
//
// Degenerate cases: discs off the floor count like others, and paint without floor has no effect. A cell in which the number of
// storeys with discs changes may forget its hysteresis.
//
// Cost: an update takes time O(n log n) for n discs, and for each cell that changes the time of a change of the world:
// some ten microseconds. Searches over ground of different costs take longer than searches over plain ground.
package density

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// Place is where someone stands.
type Place struct {
	At     geom.Vec // feet
	Radius float64  // metres, above 0 and at most MaxRadius
}

// Level is the cost of a metre of floor from a density on.
type Level struct {
	Covered float64 // share of a cell that discs cover, above 0
	Cost    float64 // in metres of plain ground, query.MinAreaCost to query.MaxAreaCost
}

// Options of a Map. The zero value has the defaults.
type Options struct {
	// Name begins the ids of the modifiers; "" stands for "density". Two maps on one world have two names.
	Name string
	Cell float64 // side of a cell in metres, MinCell to MaxCell; 0 stands for DefaultCell
	// Levels have rising densities and costs. Nil stands for DefaultLevels.
	Levels []Level
	// Hysteresis is the share of a level's density that a cell must fall below the level before the level is left: 0 to
	// below 1. It keeps cells at a threshold from changing all the time.
	Hysteresis float64
	Priority   int // of the modifiers
	// Most bounds the cells that an update changes; 0 stands for all. The cells with the greatest change of level go first, and the
	// others are left to later updates.
	Most int
}

// Defaults and limits of Options and Place.
const (
	DefaultCell = 2.0
	MinCell     = 0.25
	MaxCell     = 256.0
	MaxRadius   = 64.0
	// MaxPlaces bounds the places of an update, MaxReach their coordinates in metres.
	MaxPlaces = 1 << 20
	MaxReach  = 1 << 24
	// maxSpread bounds the cells of a disc.
	maxSpread = 1 << 12
	// maxShares bounds the cells of all discs, each counted by itself.
	maxShares = 1 << 22
)

// DefaultLevels returns the levels for 1, 2, 3 and 4 persons of 0.25 m radius on a square metre: 1.34 m/s over the speed at that
// density, which is 1.34·(1 - exp(-1.913·(1/d - 1/5.4))) m/s after Weidmann.
func DefaultLevels() []Level {
	return []Level{{0.196, 1.27}, {0.393, 2.21}, {0.589, 4.05}, {0.785, 8.57}}
}

// storey is the least distance of two storeys in metres: discs in a column of cells with a larger gap between their heights are on two.
const storey = 1.5

// quantum rounds the heights of painted boxes in metres, so that walkers on a slope do not move them all the time.
const quantum = 0.5

// share is the part of a disc on a cell.
type share struct {
	cell uint64 // x, z: see cellOf
	y    float64
	area float64
}

// cellOf packs a cell so that numbers are ordered by x, then by z.
func cellOf(x, z int32) uint64 { return uint64(uint32(x)^1<<31)<<32 | uint64(uint32(z)^1<<31) }

// unpack is the inverse of cellOf.
func unpack(cell uint64) (x, z int32) {
	return int32(uint32(cell>>32) ^ 1<<31), int32(uint32(cell) ^ 1<<31)
}

// spot is a cell on a storey, with what is painted there.
type spot struct {
	x, z      int32
	low, high float64 // of the painted box
	covered   float64
	level     int // 0 for none, else 1 and up
	storey    int // in the cell, from below
}

// Map keeps the density of a crowd on a world. A Map belongs to one goroutine at a time.
type Map struct {
	w      *world.World
	opt    Options
	box    geom.Box // of the base: cells beside it have no floor
	spots  []spot   // painted, by x, z and storey
	shares []share
	next   []spot
	edits  []world.Edit
	gains  []gain // of the edits
	places []Place
	floors []*query.Index
	raised []geom.Box // cells that cost more than before the last update
}

// gain tells what an edit changes: from an old spot to a new one, either of which may be missing.
type gain struct {
	edit     world.Edit
	old, new spot
}

// levels returns by how many levels a spot changes.
func (g *gain) levels() int {
	d := g.new.level - g.old.level
	return max(d, -d)
}

// New returns a Map that has painted nothing yet. The error names an option out of range.
func New(w *world.World, opt Options) (*Map, error) {
	if w == nil {
		return nil, errors.New("density: the world is nil")
	}
	opt.Name = cmp.Or(opt.Name, "density")
	opt.Cell = cmp.Or(opt.Cell, DefaultCell)
	if opt.Levels == nil {
		opt.Levels = DefaultLevels()
	}
	opt.Levels = slices.Clone(opt.Levels)
	if !(opt.Cell >= MinCell && opt.Cell <= MaxCell) {
		return nil, fmt.Errorf("density: the cell is %g m, must be %g to %g", opt.Cell, MinCell, MaxCell)
	}
	if !(opt.Hysteresis >= 0 && opt.Hysteresis < 1) {
		return nil, fmt.Errorf("density: the hysteresis is %g, must be 0 to below 1", opt.Hysteresis)
	}
	if opt.Most < 0 {
		return nil, fmt.Errorf("density: %d cells an update, must be 0 or more", opt.Most)
	}
	if len(opt.Name) > world.MaxID/2 {
		return nil, fmt.Errorf("density: the name has %d bytes, at most %d", len(opt.Name), world.MaxID/2)
	}
	before := Level{0, 1}
	for k, l := range opt.Levels {
		if !(l.Covered > before.Covered) || math.IsInf(l.Covered, 1) || !(l.Cost > before.Cost && l.Cost <= query.MaxAreaCost) {
			return nil, fmt.Errorf("density: level %d is cost %g from density %g on; costs rise from 1 to %g, densities from 0", k, l.Cost, l.Covered, float64(query.MaxAreaCost))
		}
		before = l
	}
	return &Map{w: w, opt: opt, box: w.Now().Index().Mesh().Bounds()}, nil
}

// Update paints the density of everyone's places. Change tells what the world has changed; its sequence is 0 if nothing has. The errors name
// a place that is not finite, too far away or too wide, and are those of [world.World.Apply]; map and world are then as
// before.
func (m *Map) Update(ctx context.Context, places []Place) (world.Change, error) {
	if err := m.spread(places); err != nil {
		return world.Change{}, err
	}
	m.gather()
	m.difference()
	var change world.Change
	if len(m.edits) > 0 {
		var err error
		if change, err = m.w.Apply(ctx, m.edits...); err != nil {
			return world.Change{}, fmt.Errorf("density: %w", err)
		}
	}
	m.spots, m.next = m.next, m.spots
	return change, nil
}

// Clear takes all that the Map has painted from the world.
func (m *Map) Clear(ctx context.Context) (world.Change, error) { return m.Update(ctx, nil) }

// beside reports whether a cell is off the box of the base, or reaches in by less than the world can tell.
func (m *Map) beside(s *spot) bool {
	const margin = 0.01 // metres
	x, z := float64(float64(s.x)*m.opt.Cell), float64(float64(s.z)*m.opt.Cell)
	return x > m.box.Max.X-margin || x+m.opt.Cell < m.box.Min.X+margin || z > m.box.Max.Z-margin || z+m.opt.Cell < m.box.Min.Z+margin
}

// Cell is a cell with a cost.
type Cell struct {
	Box     geom.Box // as painted
	Covered float64  // share of the cell that discs cover
	Cost    float64
}

// Cells returns the cells that cost more than plain floor, in a fixed order. Cells beside the base are not among them.
func (m *Map) Cells() []Cell {
	list := make([]Cell, len(m.spots))
	for k := range m.spots {
		s := &m.spots[k]
		list[k] = Cell{Box: m.boxOf(s), Covered: s.covered, Cost: m.opt.Levels[s.level-1].Cost}
	}
	return list
}

// boxOf returns the painted box of a spot.
func (m *Map) boxOf(s *spot) geom.Box {
	x, z := float64(float64(s.x)*m.opt.Cell), float64(float64(s.z)*m.opt.Cell)
	return geom.Box{Min: geom.Vec{X: x, Y: s.low, Z: z}, Max: geom.Vec{X: x + m.opt.Cell, Y: s.high, Z: z + m.opt.Cell}}
}

// spread lays each disc on the cells that its square meets.
func (m *Map) spread(places []Place) error {
	if len(places) > MaxPlaces {
		return fmt.Errorf("density: %d places, at most %d", len(places), MaxPlaces)
	}
	m.shares = m.shares[:0]
	for i, p := range places {
		at, r := p.At, p.Radius
		if !(max(math.Abs(at.X), math.Abs(at.Y), math.Abs(at.Z)) <= MaxReach) {
			return fmt.Errorf("density: place %d is %v, must be within %d m of the origin", i, at, MaxReach)
		}
		if !(r > 0 && r <= MaxRadius) {
			return fmt.Errorf("density: place %d has the radius %g m, must be above 0 and at most %g", i, r, MaxRadius)
		}
		side := m.opt.Cell
		x0, x1 := math.Floor((at.X-r)/side), math.Floor((at.X+r)/side)
		z0, z1 := math.Floor((at.Z-r)/side), math.Floor((at.Z+r)/side)
		if (x1-x0+1)*(z1-z0+1) > maxSpread {
			return fmt.Errorf("density: place %d of radius %g m covers more than %d cells of %g m", i, r, maxSpread, side)
		}
		if len(m.shares) > maxShares {
			return fmt.Errorf("density: at place %d the discs cover more than %d cells of %g m, each disc counted by itself", i, maxShares, side)
		}
		for x := x0; x <= x1; x++ {
			wide := min(at.X+r, float64((x+1)*side)) - max(at.X-r, float64(x*side))
			for z := z0; z <= z1; z++ {
				deep := min(at.Z+r, float64((z+1)*side)) - max(at.Z-r, float64(z*side))
				if wide > 0 && deep > 0 {
					m.shares = append(m.shares, share{cellOf(int32(x), int32(z)), at.Y, float64(math.Pi / 4 * float64(wide*deep))})
				}
			}
		}
	}
	// Sums depend on the order, so that equal places in another order must come to the same order.
	slices.SortFunc(m.shares, func(a, b share) int {
		switch {
		case a.cell != b.cell:
			return cmp.Compare(a.cell, b.cell)
		case a.y != b.y:
			return cmp.Compare(a.y, b.y)
		}
		return cmp.Compare(a.area, b.area)
	})
	return nil
}

// gather makes the next spots of the shares.
func (m *Map) gather() {
	m.next = m.next[:0]
	for i := 0; i < len(m.shares); {
		cell, low := m.shares[i].cell, m.shares[i].y
		x, z := unpack(cell)
		s := spot{x: x, z: z, low: low, high: low}
		if n := len(m.next) - 1; n >= 0 && m.next[n].x == s.x && m.next[n].z == s.z {
			s.storey = m.next[n].storey + 1
		}
		area := 0.0
		for ; i < len(m.shares) && m.shares[i].cell == cell && m.shares[i].y <= s.high+storey; i++ {
			area += m.shares[i].area
			s.high = m.shares[i].y
		}
		s.covered = area / float64(m.opt.Cell*m.opt.Cell)
		s.low = math.Floor((s.low-quantum)/quantum) * quantum
		s.high = math.Ceil((s.high+quantum)/quantum) * quantum
		m.next = append(m.next, s)
	}
}

// difference chooses the levels of the next spots, drops those without one, and lists the edits from the spots before.
func (m *Map) difference() {
	m.gains = m.gains[:0]
	kept := m.next[:0]
	k := 0
	for i := range m.next {
		s := m.next[i]
		for ; k < len(m.spots) && m.spots[k].compare(&s) < 0; k++ {
			m.gains = append(m.gains, gain{world.Take{ID: m.id(&m.spots[k])}, m.spots[k], spot{}})
		}
		before := 0
		var old *spot
		if k < len(m.spots) && m.spots[k].compare(&s) == 0 {
			old = &m.spots[k]
			before = old.level
			k++
		}
		if !m.beside(&s) {
			s.level = m.level(s.covered, before)
		}
		switch {
		case s.level == 0 && old != nil:
			m.gains = append(m.gains, gain{world.Take{ID: m.id(&s)}, *old, spot{}})
		case s.level == 0:
		case old == nil:
			m.gains = append(m.gains, gain{world.Paint{ID: m.id(&s), Solid: m.solid(&s), Brush: m.brush(&s)}, spot{}, s})
		case s.level != old.level || s.low != old.low || s.high != old.high:
			m.gains = append(m.gains, gain{world.Repaint{ID: m.id(&s), Solid: m.solid(&s), Brush: m.brush(&s)}, *old, s})
		}
		if s.level > 0 {
			kept = append(kept, s)
		}
	}
	for ; k < len(m.spots); k++ {
		m.gains = append(m.gains, gain{world.Take{ID: m.id(&m.spots[k])}, m.spots[k], spot{}})
	}
	m.next = kept
	m.bound()
	m.edits = m.edits[:0]
	for i := range m.gains {
		m.edits = append(m.edits, m.gains[i].edit)
	}
}

// bound leaves the least changes to a later update, where there are more than Options.Most.
func (m *Map) bound() {
	if m.opt.Most == 0 || len(m.gains) <= m.opt.Most {
		return
	}
	slices.SortStableFunc(m.gains, func(a, b gain) int { return cmp.Compare(b.levels(), a.levels()) })
	for _, g := range m.gains[m.opt.Most:] {
		s := &g.old
		if s.level == 0 {
			s = &g.new
		}
		i, found := slices.BinarySearchFunc(m.next, s, func(a spot, b *spot) int { return a.compare(b) })
		switch {
		case g.old.level == 0:
			m.next = slices.Delete(m.next, i, i+1)
		case found:
			m.next[i] = g.old
		default:
			m.next = slices.Insert(m.next, i, g.old)
		}
	}
	m.gains = m.gains[:m.opt.Most]
}

func (s *spot) compare(o *spot) int {
	return cmp.Or(cmp.Compare(s.x, o.x), cmp.Compare(s.z, o.z), cmp.Compare(s.storey, o.storey))
}

// level returns the level of a density, 0 for none. A cell stays on the level before down to a lower density.
func (m *Map) level(covered float64, before int) int {
	level := 0
	for k, l := range m.opt.Levels {
		from := l.Covered
		if k < before {
			from *= 1 - m.opt.Hysteresis
		}
		if covered >= from {
			level = k + 1
		}
	}
	return level
}

func (m *Map) id(s *spot) world.ID {
	return world.ID(fmt.Sprintf("%s %d %d %d", m.opt.Name, s.x, s.z, s.storey))
}

func (m *Map) brush(s *spot) world.Brush {
	return world.Brush{Cost: m.opt.Levels[s.level-1].Cost, Priority: m.opt.Priority}
}

func (m *Map) solid(s *spot) world.Solid {
	side := m.opt.Cell
	return world.Box{
		Base: geom.Vec{X: (float64(s.x) + 0.5) * side, Y: s.low, Z: (float64(s.z) + 0.5) * side},
		Size: geom.Vec{X: side, Y: s.high - s.low, Z: side},
	}
}
