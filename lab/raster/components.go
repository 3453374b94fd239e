package raster

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// component is a connected part of the floor, by its smallest patch.
type component struct {
	id   int32
	part plan.Part
	// best is the cell of the part farthest from its border, the first of equals.
	best     pieceRef
	bestCell int
	distance float64
}

// components lists the connected parts of the floor, largest first.
func (ps *patches) components() []component {
	s := ps.surface
	place := map[int32]int{}
	var list []component
	cellArea := float64(s.grid.cell) * lattice.Unit * float64(s.grid.cell) * lattice.Unit
	for i := range ps.list {
		p := &ps.list[i]
		k, ok := place[p.component]
		if !ok {
			k = len(list)
			place[p.component] = k
			list = append(list, component{id: p.component, distance: -1})
		}
		c := &list[k]
		c.part.Area += float64(bits.OnesCount64(p.mask)) * cellArea
		if ps.erosion.place[p.block][p.index] == far {
			if d := ps.erosion.at(p.pieceRef, 0); d > c.distance {
				c.distance, c.best, c.bestCell = d, p.pieceRef, cellBit(side/2, side/2)
			}
			continue
		}
		for cell := range cellsOf(p.mask) {
			if d := ps.erosion.at(p.pieceRef, cell); d > c.distance {
				c.distance, c.best, c.bestCell = d, p.pieceRef, cell
			}
		}
	}
	for k := range list {
		c := &list[k]
		c.part.At = s.position(c.best, c.bestCell)
	}
	slices.SortStableFunc(list, func(a, b component) int { return cmp.Compare(b.part.Area, a.part.Area) })
	return list
}

// position returns the centre of a cell on its floor in the world.
func (s *surface) position(r pieceRef, cell int) geom.Vec {
	x, y := s.columnOf(r)
	c := s.grid.cell
	return s.soup.Frame.ToWorld(lattice.Point{
		X: x*s.grid.column + int32(cell)%side*c + c/2,
		Y: y*s.grid.column + int32(cell)/side*c + c/2,
	}, s.height(r, cell))
}

// choose selects the components to keep and to drop.
func (ps *patches) choose(list []component, opt floorplan.Options) (kept map[int32]bool, dropped []plan.Part, err error) {
	parts := make([]plan.Part, len(list))
	for k := range list {
		parts[k] = list[k].part
	}
	chosen, err := opt.Choose(parts, func(place geom.Vec) (int, error) {
		id, err := ps.seeded(place)
		return slices.IndexFunc(list, func(c component) bool { return c.id == id }), err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("raster: %w", err)
	}
	kept = map[int32]bool{}
	for k, c := range list {
		if chosen[k] {
			kept[c.id] = true
		} else {
			dropped = append(dropped, c.part)
		}
	}
	return kept, dropped, nil
}

// seeded returns the component at or directly below a seed.
func (ps *patches) seeded(seed geom.Vec) (int32, error) {
	s := ps.surface
	p, z, ok := s.soup.Frame.FromWorld(seed)
	if !ok || p.X < 0 || p.Y < 0 {
		return 0, fmt.Errorf("place %v is outside of the level", seed)
	}
	g := s.grid
	cell := cellBit(p.X%g.column/g.cell, p.Y%g.column/g.cell)
	block, first, end := s.piecesOf(p.X/g.column, p.Y/g.column)
	found, wall, best := int32(-1), -1.0, int32(0)
	for k := first; k < end; k++ {
		r := pieceRef{block, k}
		if s.piece(r).mask>>cell&1 == 0 {
			continue
		}
		h := s.height(r, cell)
		if h > z+g.climb || h < z-g.height || wall >= 0 && h < best {
			continue
		}
		best, found, wall = h, -1, ps.erosion.at(r, cell)
		if i, ok := ps.covering(r, cell); ok {
			found = ps.list[i].component
		}
	}
	switch {
	case found >= 0:
		return found, nil
	case wall >= 0:
		return 0, fmt.Errorf("place %v is %.2f m from a wall or an edge, nearer than the agent's radius", seed, wall*lattice.Unit)
	}
	return 0, fmt.Errorf("place %v has no walkable floor within the agent's height below", seed)
}
