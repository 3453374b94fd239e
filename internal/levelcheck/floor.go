package levelcheck

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/rows"
	"github.com/meadow-nav/meadow/navmesh"
)

// floor is a mesh in metres.
type floor struct {
	mesh    *navmesh.Mesh
	regions []region
	first   []int // of every tile, the number of its first region
	layers  [][]*lattice.Sampler
	worst   float64 // how far heights may be from those of the level, in metres
	step    float64 // largest difference of heights of mesh and level on one floor, in metres
	// The squares of a grid list the regions whose boxes touch them.
	x, z, cell    float64
	columns, rows int
	items         rows.Rows[int32] // of each square
}

// region is a region of a mesh, its corners counter-clockwise seen from above.
type region struct {
	ref       navmesh.Ref
	slot      int
	layer     int
	component uint32
	corners   []geom.Vec
	middle    geom.Vec
	error     float64 // of its layer's heights, in metres
	low, high geom.Vec
}

func newFloor(m *navmesh.Mesh) *floor {
	f := &floor{mesh: m}
	box := geom.EmptyBox()
	for s := range m.Tiles {
		t := &m.Tiles[s]
		f.first = append(f.first, len(f.regions))
		samplers := make([]*lattice.Sampler, len(t.Layers))
		for l := range t.Layers {
			if len(t.Layers[l].Floor.Triangles) > 0 {
				samplers[l] = lattice.NewSampler(&t.Layers[l].Floor)
			}
		}
		f.layers = append(f.layers, samplers)
		for i := range t.Regions {
			r := region{
				ref: navmesh.MakeRef(s, i, t.Generation), slot: s, layer: int(t.Regions[i].Layer), component: t.Regions[i].Component,
				error: float64(t.Layers[t.Regions[i].Layer].Floor.Error) * lattice.Unit,
			}
			own := geom.EmptyBox()
			for _, c := range t.RegionCorners(i) {
				v := m.Frame.ToWorld(t.Vertices[c].Point, t.Vertices[c].Z)
				r.corners = append(r.corners, v)
				r.middle = r.middle.Add(v)
				own = own.Extend(v)
			}
			r.middle = r.middle.Scale(1 / float64(len(r.corners)))
			r.low, r.high = own.Min, own.Max
			box = box.Extend(own.Min).Extend(own.Max)
			f.regions = append(f.regions, r)
		}
	}
	for i := range f.regions {
		r := &f.regions[i]
		r.middle.Y = f.height(i, r.middle)
	}
	for i := range f.regions {
		f.worst = max(f.worst, f.regions[i].error)
	}
	f.step = m.Agent.MaxClimb + f.worst + heightSlack
	f.index(box)
	return f
}

// index makes the grid.
func (f *floor) index(box geom.Box) {
	size := geom.Vec{}
	if len(f.regions) > 0 {
		size = box.Size()
	}
	f.x, f.z = box.Min.X, box.Min.Z
	f.cell = max(0.1, math.Sqrt(size.X*size.Z/float64(len(f.regions)+1)), max(size.X, size.Z)/4096)
	f.columns, f.rows = int(size.X/f.cell)+1, int(size.Z/f.cell)+1
	f.items = rows.New(f.columns*f.rows, func(add func(square, i int32)) {
		for i := range f.regions {
			r := &f.regions[i]
			f.squares(r.low.X, r.low.Z, r.high.X, r.high.Z, func(square int) { add(int32(square), int32(i)) })
		}
	})
}

// squares visits the squares of the grid that a rectangle touches.
func (f *floor) squares(x0, z0, x1, z1 float64, visit func(square int)) {
	at := func(c float64, n int) int { return int(min(max(math.Floor(c/f.cell), 0), float64(n-1))) }
	for z := at(z0-f.z, f.rows); z <= at(z1-f.z, f.rows); z++ {
		for x := at(x0-f.x, f.columns); x <= at(x1-f.x, f.columns); x++ {
			visit(z*f.columns + x)
		}
	}
}

// near visits the regions that are no farther than reach from a place, seen from above, each once, with their distance.
func (f *floor) near(at geom.Vec, reach float64, visit func(i int, distance float64)) {
	var seen []int32
	f.squares(at.X-reach, at.Z-reach, at.X+reach, at.Z+reach, func(square int) {
		for _, i := range f.items.Of(int32(square)) {
			if r := &f.regions[i]; at.X < r.low.X-reach || at.X > r.high.X+reach || at.Z < r.low.Z-reach || at.Z > r.high.Z+reach {
				continue
			}
			d := f.regions[i].distance(at)
			if d > reach {
				continue
			}
			known := false
			for _, s := range seen {
				known = known || s == i
			}
			if !known {
				seen = append(seen, i)
				visit(int(i), d)
			}
		}
	})
}

// distance returns the distance of a place from the region, seen from above.
func (r *region) distance(at geom.Vec) float64 {
	px, py := geom.Ground(at)
	inside, best := true, math.Inf(1)
	for i := range r.corners {
		ax, ay := geom.Ground(r.corners[i])
		bx, by := geom.Ground(r.corners[(i+1)%len(r.corners)])
		dx, dy := bx-ax, by-ay
		inside = inside && dx*(py-ay)-dy*(px-ax) >= 0
		t := min(max(((px-ax)*dx+(py-ay)*dy)/(dx*dx+dy*dy), 0), 1)
		best = min(best, math.Hypot(px-ax-t*dx, py-ay-t*dy))
	}
	if inside {
		return 0
	}
	return best
}

// surfaceReach is how far from its height surface a place of a region may be, in lattice units: borders are rounded, and
// cracks may have none.
const surfaceReach = 256

// rim is how far the border of a region may be beyond its own height surface where another storey of the layer goes on, in
// lattice units.
const rim = 4

// surfaceNear is the distance in metres within which a height belongs to the floor asked for.
const surfaceNear = 0.1

// height returns the height of region i at a place. A layer may go on over or under another storey. A height within
// surfaceNear of that of the place counts first, then such a height up to rim beside the place, then the highest to which the floor can
// rise from the nearest corner, then the height next to that of the place. A layer without heights is level at the height of the middle.
func (f *floor) height(i int, at geom.Vec) float64 {
	r := &f.regions[i]
	s := f.layers[r.slot][r.layer]
	if s == nil {
		return r.middle.Y
	}
	x, y, want := f.mesh.Frame.Local(at)
	z, ok := s.HeightBelow(x, y, math.Inf(1), surfaceReach)
	if !ok {
		return at.Y
	}
	top, away := at.Y, math.Inf(1)
	for _, c := range r.corners {
		if d := math.Hypot(c.X-at.X, c.Z-at.Z); d < away {
			away, top = d, c.Y+d*math.Tan(f.mesh.Agent.MaxSlope)+f.mesh.Agent.MaxClimb+r.error
		}
	}
	_, _, most := f.mesh.Frame.Local(geom.Vec{Y: top})
	const least = 4 // units between two storeys
	best, highest := z, math.Inf(-1)
	for ; ok; z, ok = s.HeightBelow(x, y, z-least, 0) {
		if math.Abs(z-want) < math.Abs(best-want) {
			best = z
		}
		if z <= most {
			highest = max(highest, z)
		}
		if z < want {
			break
		}
	}
	const within = surfaceNear * lattice.UnitsPerMetre
	if math.Abs(best-want) > within {
		if !math.IsInf(highest, -1) {
			best = highest
		}
		for _, d := range [4][2]float64{{rim, 0}, {-rim, 0}, {0, rim}, {0, -rim}} {
			if z, ok := s.HeightBelow(x+d[0], y+d[1], want+within, 0); ok && math.Abs(z-want) <= within {
				best = z
			}
		}
	}
	return f.mesh.Frame.FromLocal(x, y, best).Y
}

// inside returns a region that has the floor at a place, at most step metres above or below, and -1 for none.
func (f *floor) inside(at geom.Vec, step float64) int {
	const border = 1e-3
	found := -1
	f.near(at, border, func(i int, _ float64) {
		if found < 0 && math.Abs(f.height(i, at)-at.Y) <= step {
			found = i
		}
	})
	return found
}

// number returns the number of a region, -1 for none.
func (f *floor) number(r navmesh.Ref) int {
	if _, _, ok := f.mesh.Region(r); !ok {
		return -1
	}
	return f.first[r.Slot()] + r.Index()
}

// edge is a part of a region's border without a portal.
type edge struct {
	region int
	a, b   geom.Vec
}

// borders lists the border of all regions, in their order.
func (f *floor) borders() []edge {
	var out []edge
	for s := range f.mesh.Tiles {
		t := &f.mesh.Tiles[s]
		place := func(v uint32) geom.Vec { return f.mesh.Frame.ToWorld(t.Vertices[v].Point, t.Vertices[v].Z) }
		for i := range t.Regions {
			corners, portals := t.RegionCorners(i), t.RegionPortals(i)
			for k, c := range corners {
				from := c
				add := func(to uint32) {
					if t.Vertices[from].Point != t.Vertices[to].Point {
						out = append(out, edge{f.first[s] + i, place(from), place(to)})
					}
				}
				for len(portals) > 0 && int(portals[0].Edge) == k {
					add(portals[0].Right)
					from, portals = portals[0].Left, portals[1:]
				}
				add(corners[(k+1)%len(corners)])
			}
		}
	}
	return out
}
