package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// wall is a piece of a region's border that no portal leads through. The region is on its left.
type wall struct{ from, to lattice.Point }

// normal returns the horizontal unit vector from w towards its region, zero for no wall.
func (w wall) normal() geom.Vec {
	dx, dy := sub(w.to, w.from)
	l := length(dx, dy)
	if l == 0 {
		return geom.Vec{}
	}
	return geom.FromGround(-dy/l, dx/l, 0)
}

// addWalls appends what the portals of region i of t, the next one of the index, leave of its border.
func (ix *Index) addWalls(t *navmesh.Tile, i int) {
	corners := t.RegionCorners(i)
	var doors [][2]lattice.Point // of one edge, right and left
	for k, v := range corners {
		from, to := t.Vertices[v].Point, t.Vertices[corners[(k+1)%len(corners)]].Point
		doors = doors[:0]
		for _, p := range t.RegionPortals(i) {
			if int(p.Edge) == k {
				doors = append(doors, [2]lattice.Point{t.Vertices[p.Right].Point, t.Vertices[p.Left].Point})
			}
		}
		slices.SortFunc(doors, func(a, b [2]lattice.Point) int {
			return cmp.Compare(from.Distance2(a[0]), from.Distance2(b[0]))
		})
		at := from
		for _, d := range doors {
			if from.Distance2(d[0]) > from.Distance2(at) {
				ix.walls = append(ix.walls, wall{at, d[0]})
			}
			if from.Distance2(d[1]) > from.Distance2(at) {
				at = d[1]
			}
		}
		if at != to {
			ix.walls = append(ix.walls, wall{at, to})
		}
	}
	ix.firstWall = append(ix.firstWall, uint32(len(ix.walls)))
}

// wallsOf returns the walls of region r.
func (ix *Index) wallsOf(r uint32) []wall { return ix.walls[ix.firstWall[r]:ix.firstWall[r+1]] }

// stand returns the place of a Position. It must be one of this mesh: a current region that contains
// the point, seen from above.
func (ix *Index) stand(p Position) (place, error) {
	r, err := ix.named(p.Ref)
	if err != nil {
		return place{}, err
	}
	at, _, ok := ix.mesh.Frame.FromWorld(p.Point)
	if !ok || !ix.contains(r, at) {
		return place{}, fmt.Errorf("%w: region %v does not contain %v", ErrOffMesh, p.Ref, p.Point)
	}
	_, _, z := ix.mesh.Frame.Local(p.Point)
	return place{r, at, z}, nil
}

// aim returns the lattice point below or above p.
func (ix *Index) aim(p geom.Vec) (lattice.Point, error) {
	x, y := geom.Ground(p)
	at, _, ok := ix.mesh.Frame.FromWorld(geom.FromGround(x, y, float64(ix.mesh.Frame.Up)*lattice.Unit))
	if !ok || math.IsNaN(p.Y) {
		return at, fmt.Errorf("%w: target %v is beyond the frame of the mesh", ErrOffMesh, p)
	}
	return at, nil
}

// placeNear returns the place of region r that is the nearest lattice point to (x, y), a point of r
// up to rounding.
func (ix *Index) placeNear(r uint32, x, y float64) place {
	at := ix.roundInto(r, x, y)
	return place{r, at, ix.heightAt(r, float64(at.X), float64(at.Y))}
}
