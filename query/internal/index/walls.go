package index

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Wall is a piece of a region's border without a portal. The region is on its left.
type Wall struct{ From, To lattice.Point }

// Normal returns the horizontal unit vector from w towards its region, zero for no wall.
func (w Wall) Normal() geom.Vec {
	dx, dy := Sub(w.To, w.From)
	l := Length(dx, dy)
	if l == 0 {
		return geom.Vec{}
	}
	return geom.FromGround(-dy/l, dx/l, 0)
}

// rim is a piece of the border of a region: a portal or a wall. A rim ends where the next rim begins.
type rim struct {
	From   lattice.Point
	Portal int32  // none for a wall
	To     uint32 // the region behind the portal
}

// Rims is the border of a region, counter-clockwise and closed by its first point.
type Rims []rim

// appendWalls appends the rims without portals.
func (b Rims) appendWalls(walls []Wall) []Wall {
	for i := 1; i < len(b); i++ {
		if b[i-1].Portal == None {
			walls = append(walls, Wall{b[i-1].From, b[i].From})
		}
	}
	return walls
}

// border is the border of a region of a changed Index, known after the first question. Few regions are asked before they change again.
type border struct {
	rims  atomic.Pointer[Rims]
	walls atomic.Pointer[[]Wall] // known after the first question for walls
}

// bordering returns the rims of a border, of region r. Goroutines that ask at once make equal rims.
func (ix *Index) bordering(r uint32, b *border) Rims {
	if rims := b.rims.Load(); rims != nil {
		return *rims
	}
	rims := ix.rimsAround(r)
	b.rims.Store(&rims)
	return rims
}

// walling returns the walls of a border, of region r.
func (ix *Index) walling(r uint32, b *border) []Wall {
	if walls := b.walls.Load(); walls != nil {
		return *walls
	}
	walls := ix.bordering(r, b).appendWalls(nil)
	b.walls.Store(&walls)
	return walls
}

// rimsAround makes the rims of a region whose portals are in order along the border.
func (ix *Index) rimsAround(r uint32) Rims {
	reg := ix.Region(r)
	ring, portals, number := reg.Ring, ix.PortalsOf(reg), int32(reg.FirstPortal)
	rims := make(Rims, 0, len(ring)+len(portals)+1)
	for k := range ring {
		from, to := ring[k].Point, ring[following(k, len(ring))].Point
		at := from
		for len(portals) > 0 && onSide(portals[0].Right, portals[0].Left, from, to) {
			p := &portals[0]
			if at != p.Right {
				rims = append(rims, rim{From: at, Portal: None})
			}
			rims = append(rims, rim{p.Right, number, p.To})
			at, portals, number = p.Left, portals[1:], number+1
		}
		if at != to {
			rims = append(rims, rim{From: at, Portal: None})
		}
	}
	return append(rims, rim{From: rims[0].From, Portal: None})
}

// addRims appends the border of region i of t, the next region of the index. portals and regions are the numbers of the first portal
// and region of t.
func (b *builder) addRims(t *navmesh.Tile, i int, portals, regions uint32) {
	type door struct {
		right, left lattice.Point
		Portal      uint32
	}
	corners := t.RegionCorners(i)
	first := len(b.rims)
	var doors []door // of one edge
	for k, v := range corners {
		from, to := t.Vertices[v].Point, t.Vertices[corners[(k+1)%len(corners)]].Point
		doors = doors[:0]
		for j, p := range t.RegionPortals(i) {
			if int(p.Edge) == k {
				doors = append(doors, door{t.Vertices[p.Right].Point, t.Vertices[p.Left].Point, t.Regions[i].FirstPortal + uint32(j)})
			}
		}
		slices.SortFunc(doors, func(a, b door) int {
			return cmp.Compare(from.Distance2(a.right), from.Distance2(b.right))
		})
		at := from
		for _, d := range doors {
			if from.Distance2(d.right) > from.Distance2(at) {
				b.rims = append(b.rims, rim{From: at, Portal: None})
			}
			if from.Distance2(d.left) > from.Distance2(at) {
				b.rims = append(b.rims, rim{d.right, int32(portals + d.Portal), regions + t.Portals[d.Portal].To})
				at = d.left
			}
		}
		if at != to {
			b.rims = append(b.rims, rim{From: at, Portal: None})
		}
	}
	b.rims = append(b.rims, rim{From: b.rims[first].From, Portal: None})
	b.endRim = append(b.endRim, len(b.rims))
}

// Aim returns the lattice point below or above p.
func (ix *Index) Aim(p geom.Vec) (lattice.Point, error) {
	at, ok := ix.Mesh.Frame.Beneath(p)
	if !ok || math.IsNaN(p.Y) {
		return at, fmt.Errorf("%w: target %v is beyond the frame of the mesh", ErrOffMesh, p)
	}
	return at, nil
}

// PlaceNear returns the place of region r at the lattice point nearest to (x, y), a point of r up to rounding.
func (ix *Index) PlaceNear(r uint32, x, y float64) Place {
	at := ix.RoundInto(r, x, y)
	return Place{r, at, ix.HeightAt(r, float64(at.X), float64(at.Y))}
}

// StandOn returns the place of a point in a region: the region must be current and contain the point, seen from
// above.
func (ix *Index) StandOn(ref navmesh.Ref, p geom.Vec) (Place, error) {
	r, err := ix.Named(ref)
	if err != nil {
		return Place{}, err
	}
	at, ok := ix.Mesh.Frame.Beneath(p)
	z := p.Y*lattice.UnitsPerMetre - float64(ix.Mesh.Frame.Up)
	if !ok || !(math.Abs(z) <= lattice.MaxCoord) || !ix.Contains(r, at) {
		return Place{}, fmt.Errorf("%w: region %v does not contain %v", ErrOffMesh, ref, p)
	}
	return Place{r, at, z}, nil
}
