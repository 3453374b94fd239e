package dasfv

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// piece is a connected piece of vacated floor, for growth to fill.
type piece struct {
	plan.Domain
	// beside says for every edge whether a region that stays lies behind it.
	beside [][]bool
	// walls names the slanted edge of an obstacle that an edge follows, NoEdge for all others.
	walls [][]Edge
	// rounded are the points that stand for a place on a slanted edge.
	rounded map[lattice.Point]Edge
}

// The labels of edges of a piece.
const (
	wallSide int32 = iota
	regionSide
)

// vacated returns the floor of regions and obstacles that are gone, less the obstacles that stand, in pieces in the order
// of their smallest points.
//
// Regions are united first: a corner between two of them would otherwise bend a slanted edge of an obstacle that passes
// within half a unit.
func (w *World) vacated(u *update, standing []*obstacle) ([]piece, error) {
	var rings []lattice.Ring
	for _, r := range u.gone {
		rings = append(rings, r.ring)
	}
	for _, o := range u.freed {
		rings = append(rings, o.ring)
		rings = append(rings, w.slivers(o)...)
	}
	for _, e := range u.bent {
		if strip := u.strip(standing, e); strip != nil {
			rings = append(rings, strip)
		}
	}
	if len(rings) == 0 {
		return nil, nil
	}
	united, err := overlay.Union(rings)
	if err != nil {
		return nil, err
	}
	rings = rings[:0]
	for _, p := range united {
		rings = append(rings, p.Rings...)
	}
	return w.pieces(rings, standing, keptOf(u.neighbours))
}

// pieces returns the floor inside of some rings, less the obstacles that stand.
func (w *World) pieces(rings []lattice.Ring, standing []*obstacle, stay kept) ([]piece, error) {
	box := lattice.EmptyBox()
	for _, ring := range rings {
		box = box.Union(ring.Box())
	}
	var near []*obstacle
	var solid []lattice.Ring
	for _, o := range standing {
		if o.box.Overlaps(widened(box, farthest)) {
			near = append(near, o)
			solid = append(solid, o.ring)
		}
	}
	const floor, vacant, obstructed = 0, 1, 2
	arrangement, err := overlay.Arrange([]lattice.Ring{ringOf(w.floor)}, rings, solid)
	if err != nil {
		return nil, err
	}
	defer arrangement.Release()
	outlines := arrangement.Outlines(func(n overlay.Winding) bool {
		return n[floor] > 0 && n[vacant] > 0 && n[obstructed] <= 0
	}, func(_, _ lattice.Point, right overlay.Winding) int32 {
		if right[floor] <= 0 || right[obstructed] > 0 {
			return wallSide
		}
		return regionSide
	})
	pieces := make([]piece, len(outlines))
	for i, o := range outlines {
		pieces[i] = pieceOf(o, near, stay)
	}
	return pieces, nil
}

// kept is what of the regions that stay matters to vacated floor.
type kept struct {
	corners map[lattice.Point]bool
	slanted [][2]lattice.Point // sides
}

func keptOf(regions []*Region) kept {
	k := kept{corners: map[lattice.Point]bool{}}
	for _, r := range regions {
		for i, p := range r.ring {
			k.corners[p] = true
			if q := r.ring[(i+1)%len(r.ring)]; isSlanted(p, q) {
				k.slanted = append(k.slanted, [2]lattice.Point{p, q})
			}
		}
	}
	return k
}

// beside tells whether a region that stays lies behind a part of the slanted edge from a to b: behind a pocket's side the
// obstacle is near, too.
func (k kept) beside(a, b lattice.Point) bool {
	return slices.ContainsFunc(k.slanted, func(s [2]lattice.Point) bool {
		return lattice.SegmentContact(a, b, s[0], s[1]) == lattice.Overlap
	})
}

// pieceOf names the walls of a piece and straightens them.
func pieceOf(o overlay.Outline, near []*obstacle, stay kept) piece {
	p := piece{rounded: map[lattice.Point]Edge{}}
	for r, ring := range o.Rings {
		var beside []bool
		var walls []Edge
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			wall := NoEdge
			if isSlanted(a, b) && !stay.beside(a, b) {
				wall = nearest(a, b, near)
			}
			walls = append(walls, wall)
			beside = append(beside, o.Labels[r][i] == regionSide && wall == NoEdge)
		}
		p.Rings, p.beside, p.walls = append(p.Rings, slices.Clone(ring)), append(p.beside, beside), append(p.walls, walls)
	}
	p.straighten(stay.corners)
	for r, ring := range p.Rings {
		chains := make([]plan.ChainID, len(ring))
		for i, a := range ring {
			chains[i] = plan.Wall
			if p.beside[r][i] {
				chains[i] = 0 // behind lies floor: no corner may be rounded there
			}
			for _, e := range [2]Edge{p.walls[r][i], p.walls[r][(i+len(ring)-1)%len(ring)]} {
				if e != NoEdge && !isCorner(near, e, a) {
					p.rounded[a] = e
				}
			}
		}
		p.Edges = append(p.Edges, chains)
	}
	return p
}

// isCorner tells whether a point is an end of an edge.
func isCorner(near []*obstacle, e Edge, p lattice.Point) bool {
	a, b := find(near, e.Obstacle).edge(e.Index)
	return p == a || p == b
}

// straighten takes out the corners that a wall once got for regions that are gone: both edges at such a corner follow the
// wall. A corner stays where a region that stays has the same corner, or where the floor between the corner and the straight
// wall has another corner of the piece.
func (p *piece) straighten(kept map[lattice.Point]bool) {
	for again := true; again; {
		again = false
		for r := range p.Rings {
			for i := 0; i < len(p.Rings[r]) && len(p.Rings[r]) > 3; {
				ring := p.Rings[r]
				before, after := (i+len(ring)-1)%len(ring), (i+1)%len(ring)
				e := p.walls[r][i]
				if e == NoEdge || p.walls[r][before] != e || kept[ring[i]] || p.hasCornerIn(ring[before], ring[i], ring[after]) {
					i++
					continue
				}
				p.Rings[r] = slices.Delete(ring, i, i+1)
				p.walls[r] = slices.Delete(p.walls[r], i, i+1)
				p.beside[r] = slices.Delete(p.beside[r], i, i+1)
				again = true
			}
		}
	}
}

// hasCornerIn tells whether a point of the rings, other than the corners, is in a triangle or on its border.
func (p *piece) hasCornerIn(a, b, c lattice.Point) bool {
	turn := lattice.Orient(a, b, c)
	if turn < 0 {
		b, c = c, b
	}
	for _, ring := range p.Rings {
		for _, q := range ring {
			if q == a || q == b || q == c {
				continue
			}
			if lattice.Orient(a, b, q) >= 0 && lattice.Orient(b, c, q) >= 0 && lattice.Orient(c, a, q) >= 0 {
				return true
			}
		}
	}
	return false
}

// nearest returns the slanted edge that the side from a to b of vacated floor follows: both ends are near, and of several
// edges the nearest counts.
func nearest(a, b lattice.Point, near []*obstacle) Edge {
	best, found := lattice.Ratio{}, NoEdge
	for _, o := range near {
		if !o.box.Overlaps(widened(lattice.BoxOf(a, b), farthest)) {
			continue
		}
		for i := range o.ring {
			from, to := o.edge(i)
			if !o.slanted(i) {
				continue
			}
			d := lattice.SegmentDistance2(a, from, to)
			if e := lattice.SegmentDistance2(b, from, to); e.Compare(d) > 0 {
				d = e
			}
			if d.CompareInt(farthest*farthest) <= 0 && (found == NoEdge || d.Compare(best) < 0) {
				best, found = d, Edge{o.id, i}
			}
		}
	}
	return found
}

// slivers returns the floor that rounded corners on the edges of an obstacle keep from all regions, as polygons.
func (w *World) slivers(o *obstacle) (rings []lattice.Ring) {
	for i := range o.ring {
		if !o.slanted(i) {
			continue
		}
		a, b := o.edge(i)
		var rounded lattice.Ring
		for _, r := range w.regions {
			if _, found := slices.BinarySearch(r.Obstacles, o.id); !found {
				continue
			}
			for _, c := range r.Corners {
				if (c.On == Edge{o.id, i}) && lattice.Orient(a, b, c.Point) < 0 {
					rounded = append(rounded, c.Point)
				}
			}
		}
		if len(rounded) == 0 {
			continue
		}
		slices.SortFunc(rounded, func(p, q lattice.Point) int {
			return cmp.Or(cmp.Compare(lattice.Dot(a, b, p), lattice.Dot(a, b, q)), p.Compare(q))
		})
		rounded = slices.Compact(rounded)
		rings = append(rings, slices.Concat(lattice.Ring{a}, rounded, lattice.Ring{b}))
	}
	return rings
}

// strip returns the floor between a slanted edge and the corners near it of regions that are gone: their convex hull.
// Regions that stay have no corner near the edge, and so no floor in the strip.
func (u *update) strip(standing []*obstacle, e Edge) lattice.Ring {
	a, b := find(standing, e.Obstacle).edge(e.Index)
	points := []lattice.Point{a, b}
	for _, r := range u.gone {
		for _, c := range r.Corners {
			if lattice.Orient(a, b, c.Point) < 0 && c.away(standing, e).CompareInt(farthest*farthest) <= 0 {
				points = append(points, c.Point)
			}
		}
	}
	if hull := lattice.Hull(points); len(hull) > 2 {
		return hull
	}
	return nil
}

// ringOf returns the border of a box, counter-clockwise.
func ringOf(b lattice.Box) lattice.Ring {
	return lattice.Ring{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}}
}
