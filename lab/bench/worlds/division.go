package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
)

// Division is the numbers of regions of a world, whose pieces never join across regions of the base, beside a division of all
// the remaining floor anew.
type Division struct {
	Things  int `json:"things"`
	Base    int `json:"base"`
	Regions int `json:"regions"`
	Best    int `json:"regions_best"`   // with the generator best for changed regions
	United  int `json:"regions_united"` // of Best: neighbours of one kind of floor united, one by one, where the union is convex
	Anew    int `json:"regions_anew"`   // best on all floor
	// BaseAnew is best on the floor of the base, to show what the way to Anew adds or loses.
	BaseAnew int `json:"base_anew"`
}

// measureDivision puts random obstacles into a world and counts regions.
func (s settings) measureDivision(ctx context.Context, mesh *meadow.Mesh) (*Division, error) {
	rng, floor := rand.New(rand.NewPCG(7, 12)), mesh.NewQuery()
	var edits []world.Edit
	for i := range s.things {
		at, ok := floor.RandomPoint(rng)
		if !ok {
			return nil, errors.New("the level has no floor")
		}
		edits = append(edits, world.Put{ID: world.ID(fmt.Sprintf("thing-%d", i)), Solid: randomSolid(rng, base(at.Point))})
	}
	d := &Division{Things: s.things, Base: mesh.RegionCount()}
	var meshes [2]*navmesh.Mesh
	for k, g := range []gen.Generator{nil, best.Generator{}} {
		w, err := meadow.NewWorld(ctx, mesh, meadow.WorldOptions{Generator: g})
		if err != nil {
			return nil, err
		}
		if _, err := w.Apply(ctx, edits...); err != nil {
			return nil, err
		}
		meshes[k] = w.Now().Mesh()
	}
	d.Regions, d.Best = meshes[0].RegionCount(), meshes[1].RegionCount()
	d.United = unitedRegions(meshes[1])
	var err error
	if d.BaseAnew, err = regionsAnew(ctx, mesh.Mesh); err != nil {
		return nil, err
	}
	d.Anew, err = regionsAnew(ctx, meshes[0])
	return d, err
}

// kindOf is what the floor of one domain has in common.
type kindOf struct {
	layer uint16
	area  uint8
	flags uint32
	marks string
}

func kind(t *navmesh.Tile, region int) kindOf {
	r := &t.Regions[region]
	k := kindOf{layer: r.Layer, area: r.Area, flags: r.Flags}
	for _, mark := range t.MarksOf(region) {
		k.marks += fmt.Sprint(mark.Mark, " ")
	}
	return k
}

func ringOf(t *navmesh.Tile, region int) (ring lattice.Ring) {
	for _, v := range t.RegionCorners(region) {
		ring = append(ring, t.Vertices[v].Point)
	}
	return ring
}

// unitedRegions returns how many regions are left when neighbours of one kind are united, longest portal first, as long as a
// union is convex.
func unitedRegions(m *navmesh.Mesh) (left int) {
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		rings := make([]lattice.Ring, len(t.Regions))
		type pair struct {
			a, b    int32
			length2 uint64
		}
		var pairs []pair
		for i := range t.Regions {
			rings[i] = ringOf(t, i)
			for _, p := range t.RegionPortals(i) {
				if int(p.To) > i && kind(t, i) == kind(t, int(p.To)) {
					pairs = append(pairs, pair{int32(i), int32(p.To), t.Vertices[p.Right].Distance2(t.Vertices[p.Left].Point)})
				}
			}
		}
		slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.length2, x.length2) })
		sets := unionfind.New(len(rings))
		left += len(rings)
		for again := true; again; {
			again = false
			for _, p := range pairs {
				a, b := sets.Find(p.a), sets.Find(p.b)
				if a == b {
					continue
				}
				hull := lattice.Hull(slices.Concat(rings[a], rings[b]))
				if hull.Area2() != rings[a].Area2()+rings[b].Area2() {
					continue
				}
				sets.Union(a, b)
				rings[sets.Find(a)] = hull
				left--
				again = true
			}
		}
	}
	return left
}

// regionsAnew returns the number of cells that best divides the floor of a mesh into, each layer and kind of floor by itself.
func regionsAnew(ctx context.Context, m *navmesh.Mesh) (cells int, err error) {
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		rings := map[kindOf][]lattice.Ring{}
		var kinds []kindOf
		for i := range t.Regions {
			k := kind(t, i)
			if rings[k] == nil {
				kinds = append(kinds, k)
			}
			rings[k] = append(rings[k], ringOf(t, i))
		}
		for _, k := range kinds {
			polygons, err := overlay.Union(rings[k])
			if err != nil {
				return 0, err
			}
			for _, p := range polygons {
				d := plan.Domain{Polygon: p}
				for _, ring := range p.Rings {
					d.Edges = append(d.Edges, slices.Repeat([]plan.ChainID{plan.Wall}, len(ring)))
				}
				r, err := best.Generator{}.Decompose(ctx, gen.Input{Domain: &d, Thin: gen.ThinFor(m.Agent)})
				if err != nil {
					return 0, err
				}
				cells += len(r.Cells)
			}
		}
	}
	return cells, nil
}
