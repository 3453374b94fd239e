package build

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// firstGeneration is the generation of the tile of a new mesh.
const firstGeneration = 1

// mesh lays the pieces and their contacts out as a mesh of one tile.
func (j *join) mesh(ctx context.Context, jobs int) (*navmesh.Mesh, error) {
	t := navmesh.Tile{Generation: firstGeneration}
	for l := range j.plan.Layers {
		t.Layers = append(t.Layers, navmesh.Layer{Floor: j.plan.Layers[l].Floor})
	}
	vertices := j.corners(&t)
	if err := j.portals(&t, vertices); err != nil {
		return nil, err
	}
	if err := heights(ctx, jobs, &t, vertices.layer); err != nil {
		return nil, err
	}
	t.Derive()
	m := &navmesh.Mesh{Frame: j.plan.Frame, Agent: j.plan.Agent, Tiles: []navmesh.Tile{t}}
	m.Components = components(&m.Tiles[0])
	j.report.Regions = len(t.Regions)
	j.report.Vertices = len(t.Vertices)
	j.report.Portals = len(t.Portals) / 2
	for i := range j.contacts {
		if j.pieces[j.contacts[i].p].layer != j.pieces[j.contacts[i].q].layer {
			j.report.SeamPortals++
		}
	}
	return m, nil
}

// vertexTable numbers the points of each layer in the order in which they are asked for.
type vertexTable struct {
	index []map[lattice.Point]uint32
	layer []int32 // of each vertex
}

func (v *vertexTable) of(t *navmesh.Tile, layer int32, p lattice.Point) uint32 {
	i, ok := v.index[layer][p]
	if !ok {
		i = uint32(len(t.Vertices))
		v.index[layer][p] = i
		v.layer = append(v.layer, layer)
		t.Vertices = append(t.Vertices, lattice.Vertex{Point: p})
	}
	return i
}

// corners makes the regions, without portals.
func (j *join) corners(t *navmesh.Tile) *vertexTable {
	v := &vertexTable{index: make([]map[lattice.Point]uint32, len(j.plan.Layers))}
	for l := range v.index {
		v.index[l] = make(map[lattice.Point]uint32)
	}
	for i := range j.pieces {
		p := &j.pieces[i]
		r := navmesh.Region{
			First: uint32(len(t.Corners)), Count: uint32(len(p.points)),
			Layer: uint16(p.layer), Area: j.domains[p.domain].Area, Flags: navmesh.DefaultFlags,
		}
		for _, point := range p.points {
			t.Corners = append(t.Corners, v.of(t, p.layer, point))
		}
		t.Regions = append(t.Regions, r)
	}
	return v
}

// portals makes two portals of every contact and sorts them around their regions.
func (j *join) portals(t *navmesh.Tile, v *vertexTable) error {
	// end is one side of a contact: it leads from the right to the left around its piece.
	type end struct {
		piece, edge int32
		along       uint64 // the squared distance of its right end from the start of the edge
		contact     int32
		first       bool // the side of the contact's p
	}
	ends := make([]end, 0, 2*len(j.contacts))
	for i, c := range j.contacts {
		ends = append(ends,
			end{c.p, c.pe, j.pieces[c.p].points[c.pe].Distance2(c.a), int32(i), true},
			end{c.q, c.qe, j.pieces[c.q].points[c.qe].Distance2(c.b), int32(i), false})
	}
	slices.SortFunc(ends, func(e, o end) int {
		return cmp.Or(cmp.Compare(e.piece, o.piece), cmp.Compare(e.edge, o.edge), cmp.Compare(e.along, o.along),
			cmp.Compare(e.contact, o.contact))
	})
	number := make([][2]uint32, len(j.contacts)) // the portals of both sides of every contact
	for i, e := range ends {
		side := 0
		if !e.first {
			side = 1
		}
		number[e.contact][side] = uint32(i)
	}
	t.Portals = slices.Grow(t.Portals, len(ends))
	for i, e := range ends {
		c := &j.contacts[e.contact]
		if i > 0 && ends[i-1].piece == e.piece && ends[i-1].edge == e.edge && ends[i-1].along == e.along {
			d := &j.domains[j.pieces[e.piece].domain]
			return fmt.Errorf("build: %v, cell %d: two regions meet it at the same place %v", d, int(e.piece)-d.base, c.a)
		}
		p := navmesh.Portal{To: uint32(c.q), Edge: uint32(e.edge), Back: number[e.contact][1]}
		right, left := c.a, c.b
		if !e.first {
			p.To, p.Back = uint32(c.p), number[e.contact][0]
			right, left = c.b, c.a
		}
		layer := j.pieces[e.piece].layer
		p.Right, p.Left = v.of(t, layer, right), v.of(t, layer, left)
		t.Portals = append(t.Portals, p)
		t.Regions[e.piece].PortalCount++
	}
	var next uint32
	for i := range t.Regions {
		t.Regions[i].FirstPortal = next
		next += t.Regions[i].PortalCount
	}
	return nil
}

// heights sets the heights of all vertices, rounded to lattice units, from the floors of their
// layers. Planar maps have no floor and lie at height 0.
func heights(ctx context.Context, jobs int, t *navmesh.Tile, layer []int32) error {
	floors := make([]floor, len(t.Layers))
	err := par.For(ctx, jobs, len(floors), func(i int) error {
		floors[i] = newFloor(&t.Layers[i].Floor)
		return nil
	})
	if err != nil {
		return err
	}
	const block = 4096
	return par.For(ctx, jobs, (len(t.Vertices)+block-1)/block, func(b int) error {
		for i := b * block; i < min((b+1)*block, len(t.Vertices)); i++ {
			v := &t.Vertices[i]
			v.Z = floors[layer[i]].height(v.Point)
		}
		return nil
	})
}

// components numbers the parts of the tile in the order of their first regions and returns their
// number.
func components(t *navmesh.Tile) int {
	parent := make([]uint32, len(t.Regions))
	for i := range parent {
		parent[i] = uint32(i)
	}
	root := func(i uint32) uint32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range t.Regions {
		for _, p := range t.RegionPortals(i) {
			a, b := root(uint32(i)), root(p.To)
			parent[max(a, b)] = min(a, b) // the root of a part is its first region
		}
	}
	n := 0
	for i := range t.Regions {
		if r := root(uint32(i)); r == uint32(i) {
			t.Regions[i].Component = uint32(n)
			n++
		} else {
			t.Regions[i].Component = t.Regions[r].Component
		}
	}
	return n
}
