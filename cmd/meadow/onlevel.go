package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
)

// The kinds of fault that only a look at the level finds.
const (
	offLevel navmesh.FaultKind = "off level" // no triangle of the level near the floor of a region
	blocked  navmesh.FaultKind = "blocked"   // a triangle of the level where the agent's body is
)

// slack is how far an extractor that samples may put floor and ceiling off, in metres, besides what the floor
// says itself.
const slack = 0.1

// onLevel samples whether the mesh lies on the floor of lvl: at the middle of every region some
// triangle is within the agent's climb and slack of the mesh, and on the vertical line above there
// is none between climb and height. It is a look at samples, not a proof. The mesh is valid.
func onLevel(m *meadow.Mesh, lvl *level.Level) []navmesh.Fault {
	g := newTriangleGrid(lvl)
	floors := map[*lattice.TIN]*lattice.Sampler{}
	var faults []navmesh.Fault
	for _, ref := range m.Refs() {
		tile, region, _ := m.Region(ref)
		tin := &tile.Layers[region.Layer].Floor
		if floors[tin] == nil {
			floors[tin] = lattice.NewSampler(tin)
		}
		at, _ := m.Center(ref)
		// Center takes its height from the corners; between them the floor may be bumpy.
		x, y, _ := m.Frame.Local(at)
		if z, ok := floors[tin].Height(x, y); ok {
			at = m.Frame.FromLocal(x, y, z)
		}
		faults = append(faults, g.faults(ref, at, m.Agent, slack+float64(tin.Error)*lattice.Unit)...)
	}
	return faults
}

// faults looks at one place of a region, whose height may be off by so many metres.
func (g *triangleGrid) faults(ref navmesh.Ref, at geom.Vec, agent geom.Agent, off float64) []navmesh.Fault {
	var faults []navmesh.Fault
	low, high := agent.MaxClimb+off, agent.Height-off
	if g.nearest(at, low) > low {
		faults = append(faults, navmesh.Fault{
			Kind: offLevel, Region: ref, At: at,
			Detail: fmt.Sprintf("no triangle of the level within %.2f m", low),
		})
	}
	for _, hit := range g.above(at) {
		if up := hit - at.Y; up > low && up < high {
			return append(faults, navmesh.Fault{
				Kind: blocked, Region: ref, At: at,
				Detail: fmt.Sprintf("a triangle %.2f m above the floor, the agent is %.2f m high", up, agent.Height),
			})
		}
	}
	return faults
}

// triangleGrid finds the triangles near a vertical line: a grid over the ground of which every
// cell lists, in order, the triangles whose boxes touch it.
type triangleGrid struct {
	lvl        *level.Level
	minX, minZ float64
	size       float64 // of a cell, metres
	nx, nz     int
	first      []int32 // where the list of each cell begins in items; one more than there are cells
	items      []int32
}

func newTriangleGrid(lvl *level.Level) *triangleGrid {
	box := lvl.Bounds()
	s := box.Size()
	// About one triangle for each cell, and never more cells than a few per triangle.
	n := float64(len(lvl.Triangles))
	g := &triangleGrid{lvl: lvl, minX: box.Min.X, minZ: box.Min.Z}
	g.size = max(math.Sqrt(s.X*s.Z/n), max(s.X, s.Z)/n, 1e-3)
	g.nx, g.nz = int(s.X/g.size)+1, int(s.Z/g.size)+1
	g.first = make([]int32, g.nx*g.nz+1)
	g.each(func(cell int, _ int32) { g.first[cell+1]++ })
	for i := range g.nx * g.nz {
		g.first[i+1] += g.first[i]
	}
	g.items = make([]int32, g.first[g.nx*g.nz])
	next := slices.Clone(g.first)
	g.each(func(cell int, tri int32) {
		g.items[next[cell]] = tri
		next[cell]++
	})
	return g
}

// each visits every cell that the box of a triangle touches.
func (g *triangleGrid) each(visit func(cell int, tri int32)) {
	for i := range g.lvl.Triangles {
		a, b, c := g.corners(int32(i))
		box := geom.EmptyBox().Extend(a).Extend(b).Extend(c)
		g.cells(box.Min.X, box.Min.Z, box.Max.X, box.Max.Z, func(cell int) { visit(cell, int32(i)) })
	}
}

func (g *triangleGrid) cells(x0, z0, x1, z1 float64, visit func(cell int)) {
	column := func(v, origin float64, n int) int { return min(max(int((v-origin)/g.size), 0), n-1) }
	for z := column(z0, g.minZ, g.nz); z <= column(z1, g.minZ, g.nz); z++ {
		for x := column(x0, g.minX, g.nx); x <= column(x1, g.minX, g.nx); x++ {
			visit(z*g.nx + x)
		}
	}
}

func (g *triangleGrid) corners(i int32) (a, b, c geom.Vec) {
	t := g.lvl.Triangles[i]
	return g.lvl.Vertices[t.A], g.lvl.Vertices[t.B], g.lvl.Vertices[t.C]
}

// nearest returns the distance from p to the nearest triangle, +Inf when none is within reach.
func (g *triangleGrid) nearest(p geom.Vec, reach float64) float64 {
	best := math.Inf(1)
	g.cells(p.X-reach, p.Z-reach, p.X+reach, p.Z+reach, func(cell int) {
		for _, i := range g.items[g.first[cell]:g.first[cell+1]] {
			a, b, c := g.corners(i)
			best = min(best, p.Distance(nearestInTriangle(p, a, b, c)))
		}
	})
	return best
}

// above returns the heights at which the vertical line through p meets triangles, rising.
func (g *triangleGrid) above(p geom.Vec) []float64 {
	var hits []float64
	g.cells(p.X, p.Z, p.X, p.Z, func(cell int) {
		for _, i := range g.items[g.first[cell]:g.first[cell+1]] {
			a, b, c := g.corners(i)
			n := b.Sub(a).Cross(c.Sub(a))
			if n.Y == 0 {
				continue // upright, or without extent
			}
			side := func(v, w geom.Vec) float64 {
				return (float64((w.X-v.X)*(p.Z-v.Z)) - float64((w.Z-v.Z)*(p.X-v.X))) * -n.Y
			}
			if side(a, b) >= 0 && side(b, c) >= 0 && side(c, a) >= 0 {
				hits = append(hits, a.Y-(float64(n.X*(p.X-a.X))+float64(n.Z*(p.Z-a.Z)))/n.Y)
			}
		}
	})
	slices.SortFunc(hits, cmp.Compare)
	return hits
}

// nearestInTriangle returns the point of the triangle a, b, c that is nearest to p.
// Reference: Ericson, Real-Time Collision Detection (2005), section 5.1.5.
func nearestInTriangle(p, a, b, c geom.Vec) geom.Vec {
	ab, ac, ap := b.Sub(a), c.Sub(a), p.Sub(a)
	d1, d2 := ab.Dot(ap), ac.Dot(ap)
	if d1 <= 0 && d2 <= 0 {
		return a
	}
	bp := p.Sub(b)
	d3, d4 := ab.Dot(bp), ac.Dot(bp)
	if d3 >= 0 && d4 <= d3 {
		return b
	}
	vc := float64(d1*d4) - float64(d3*d2)
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return a.Add(ab.Scale(d1 / (d1 - d3)))
	}
	cp := p.Sub(c)
	d5, d6 := ab.Dot(cp), ac.Dot(cp)
	if d6 >= 0 && d5 <= d6 {
		return c
	}
	vb := float64(d5*d2) - float64(d1*d6)
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return a.Add(ac.Scale(d2 / (d2 - d6)))
	}
	va := float64(d3*d6) - float64(d5*d4)
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		return b.Add(c.Sub(b).Scale((d4 - d3) / (d4 - d3 + d5 - d6)))
	}
	sum := va + vb + vc
	if sum == 0 {
		return a // all corners in one place
	}
	return a.Add(ab.Scale(vb / sum)).Add(ac.Scale(vc / sum))
}
