package join

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/navmesh"
)

// firstGeneration is the generation of a new mesh's tile.
const firstGeneration = 1

// mesh lays the pieces and their contacts out as a mesh of one tile.
func (j *join) mesh(ctx context.Context, opt Options) (*navmesh.Mesh, error) {
	t := navmesh.Tile{Generation: firstGeneration}
	for _, floor := range j.floors {
		t.Layers = append(t.Layers, navmesh.Layer{Floor: floor})
	}
	vertices := j.corners(&t)
	if err := j.portals(&t, vertices); err != nil {
		return nil, err
	}
	if err := j.heights(ctx, opt.Jobs, &t, vertices.uses); err != nil {
		return nil, err
	}
	if err := t.DeriveOn(ctx, opt.Jobs); err != nil {
		return nil, err
	}
	m := &navmesh.Mesh{Frame: j.plan.Frame, Agent: j.plan.Agent, Tiles: []navmesh.Tile{t}, Areas: slices.Clone(j.plan.Areas)}
	j.links(m)
	if err := j.ground(m, opt); err != nil {
		return nil, err
	}
	m.Connect()
	j.report.Regions = len(t.Regions)
	j.report.Vertices = len(t.Vertices)
	j.report.Portals = len(t.Portals) / 2
	j.report.Links = len(m.Links)
	for i := range j.contacts {
		if j.pieces[j.contacts[i].p].layer != j.pieces[j.contacts[i].q].layer {
			j.report.SeamPortals++
		}
	}
	return m, nil
}

// vertexTable numbers the points of each domain in the order of first use. Domains share no vertices: a wall without
// width between two domains stays a wall, and a floor at the foot of a cliff does not get the cliff's height.
type vertexTable struct {
	domains []domain
	index   [][]uint32 // of each domain, by point number: vertex number plus one, 0 for none
	uses    []use
}

// use is a vertex on the border of a piece.
type use struct {
	vertex uint32
	piece  int32
}

// of returns the number of point p on the border of a piece of the given domain.
func (v *vertexTable) of(t *navmesh.Tile, domain, piece int32, p lattice.Point) uint32 {
	k, _ := v.domains[domain].points.number(p)
	index := v.index[domain]
	if n := len(v.domains[domain].points.points); len(index) < n {
		index = append(index, make([]uint32, n-len(index))...)
		v.index[domain] = index
	}
	if index[k] == 0 {
		t.Vertices = append(t.Vertices, lattice.Vertex{Point: p})
		index[k] = uint32(len(t.Vertices))
	}
	v.uses = append(v.uses, use{index[k] - 1, piece})
	return index[k] - 1
}

// corners makes the regions, without portals.
func (j *join) corners(t *navmesh.Tile) *vertexTable {
	v := &vertexTable{domains: j.domains, index: make([][]uint32, len(j.domains))}
	n := 0
	for i := range j.pieces {
		n += len(j.pieces[i].points)
	}
	t.Corners, v.uses = make([]uint32, 0, n), make([]use, 0, n)
	t.Regions = make([]navmesh.Region, 0, len(j.pieces))
	for i := range j.pieces {
		p := &j.pieces[i]
		r := navmesh.Region{
			First: uint32(len(t.Corners)), Count: uint32(len(p.points)),
			Layer: uint16(p.layer), Area: j.domains[p.domain].Area, Flags: navmesh.DefaultFlags,
		}
		for _, k := range j.domains[p.domain].Marks {
			t.Marked = append(t.Marked, navmesh.Marked{Region: uint32(i), Mark: uint32(k)})
			if j.plan.Marks[k].Door {
				r.Flags |= navmesh.Door.Flag()
			}
		}
		for _, point := range p.points {
			t.Corners = append(t.Corners, v.of(t, p.domain, int32(i), point))
		}
		t.Regions = append(t.Regions, r)
	}
	return v
}

// portals makes two portals of every contact and sorts them around their regions.
func (j *join) portals(t *navmesh.Tile, v *vertexTable) error {
	// end is a side of a contact, from right to left around its piece.
	type end struct {
		piece, edge int32
		along       uint64 // squared distance of its right end from the start of the edge
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
		switch {
		case e.piece != o.piece:
			return int(e.piece) - int(o.piece)
		case e.edge != o.edge:
			return int(e.edge) - int(o.edge)
		case e.along != o.along:
			return cmp.Compare(e.along, o.along)
		}
		return int(e.contact) - int(o.contact)
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
		p.Right, p.Left = j.end(t, v, e.piece, e.edge, right), j.end(t, v, e.piece, e.edge, left)
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

// end returns the vertex of an end of a portal on an edge of a piece, most often a corner of the edge.
func (j *join) end(t *navmesh.Tile, v *vertexTable, piece, edge int32, p lattice.Point) uint32 {
	points := j.pieces[piece].points
	next := (int(edge) + 1) % len(points)
	switch corners := t.RegionCorners(int(piece)); p {
	case points[edge]:
		return corners[edge]
	case points[next]:
		return corners[next]
	}
	return v.of(t, j.pieces[piece].domain, piece, p)
}

// heights sets the heights of all vertices, rounded to lattice units, from the floors of their layers: the height of
// the floor in the corner of each piece, and of these the highest. Planar maps have no floor and lie at height 0.
func (j *join) heights(ctx context.Context, jobs int, t *navmesh.Tile, uses []use) error {
	floors := make([]floor, len(t.Layers))
	places := make([][]lattice.Point, len(floors))
	for _, u := range uses {
		l := j.pieces[u.piece].layer
		places[l] = append(places[l], t.Vertices[u.vertex].Point)
	}
	err := par.For(ctx, jobs, len(floors), func(i int) error {
		floors[i] = newFloor(&t.Layers[i].Floor, places[i])
		return nil
	})
	if err != nil {
		return err
	}
	plan := newExpectations(j.domains, j.plan.Chains, j.plan.Agent.Height)
	z := make([]int32, len(uses))
	const block = 4096
	err = par.For(ctx, jobs, (len(uses)+block-1)/block, func(b int) error {
		for i := b * block; i < min((b+1)*block, len(uses)); i++ {
			p := &j.pieces[uses[i].piece]
			point := t.Vertices[uses[i].vertex].Point
			expected := plan.of(point, p)
			h, ok := floors[p.layer].height(point, p.points, expected.bounds)
			if !ok {
				h = expected.height
			}
			z[i] = h
		}
		return nil
	})
	if err != nil {
		return err
	}
	seen := make([]bool, len(t.Vertices))
	for i, u := range uses {
		v := &t.Vertices[u.vertex]
		if !seen[u.vertex] || z[i] > v.Z {
			seen[u.vertex], v.Z = true, z[i]
		}
	}
	return nil
}
