package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// wall is a piece of a region's border without a portal. The region is on its left.
type wall struct{ from, to lattice.Point }

// normal returns the horizontal unit vector from w towards its region, zero for no wall.
func (w wall) normal() geom.Vec {
	dx, dy := plane.Sub(w.to, w.from)
	l := plane.Length(dx, dy)
	if l == 0 {
		return geom.Vec{}
	}
	return geom.FromGround(-dy/l, dx/l, 0)
}

// rim is a piece of the border of a region: a portal or a wall. A rim ends where the next rim begins.
type rim struct {
	from   lattice.Point
	portal int32  // none for a wall
	to     uint32 // the region behind the portal
}

// addRims appends the border of region i of t, the next region of the index, counter-clockwise and closed by its first
// point. The pieces without portals also go to the walls. portals and regions are the numbers of the first portal and
// region of t.
func (ix *geometry) addRims(t *navmesh.Tile, i int, portals, regions uint32) {
	type door struct {
		right, left lattice.Point
		portal      uint32
	}
	corners := t.RegionCorners(i)
	first := len(ix.rims)
	wallTo := func(from, to lattice.Point) {
		ix.walls = append(ix.walls, wall{from, to})
		ix.rims = append(ix.rims, rim{from: from, portal: none})
	}
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
				wallTo(at, d.right)
			}
			if from.Distance2(d.left) > from.Distance2(at) {
				ix.rims = append(ix.rims, rim{d.right, int32(portals + d.portal), regions + t.Portals[d.portal].To})
				at = d.left
			}
		}
		if at != to {
			wallTo(at, to)
		}
	}
	ix.rims = append(ix.rims, rim{from: ix.rims[first].from, portal: none})
	ix.firstWall = append(ix.firstWall, uint32(len(ix.walls)))
	ix.firstRim = append(ix.firstRim, uint32(len(ix.rims)))
}

// wallsOf returns the walls of region r.
func (ix *geometry) wallsOf(r uint32) []wall { return ix.walls[ix.firstWall[r]:ix.firstWall[r+1]] }

// aim returns the lattice point below or above p.
func (ix *geometry) aim(p geom.Vec) (lattice.Point, error) {
	at, ok := ix.mesh.Frame.Beneath(p)
	if !ok || math.IsNaN(p.Y) {
		return at, fmt.Errorf("%w: target %v is beyond the frame of the mesh", errOffMesh, p)
	}
	return at, nil
}

// placeNear returns the place of region r at the lattice point nearest to (x, y), a point of r up to rounding.
func (ix *geometry) placeNear(r uint32, x, y float64) place {
	at := ix.roundInto(r, x, y)
	return place{r, at, ix.heightAt(r, float64(at.X), float64(at.Y))}
}

// standOn returns the place of a point in a region: the region must be current and contain the point, seen from
// above.
func (ix *geometry) standOn(ref navmesh.Ref, p geom.Vec) (place, error) {
	r, err := ix.named(ref)
	if err != nil {
		return place{}, err
	}
	at, ok := ix.mesh.Frame.Beneath(p)
	z := p.Y*lattice.UnitsPerMetre - float64(ix.mesh.Frame.Up)
	if !ok || !(math.Abs(z) <= lattice.MaxCoord) || !ix.contains(r, at) {
		return place{}, fmt.Errorf("%w: region %v does not contain %v", errOffMesh, ref, p)
	}
	return place{r, at, z}, nil
}
