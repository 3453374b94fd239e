package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/navmesh"
)

// floor is the walkable ground of a plan or of a mesh, as polygons of layers.
type floor struct {
	frame      lattice.Frame
	heights    []*lattice.Sampler // by layer
	corners    [][]lattice.Point  // of the triangles of each layer, in order
	parts      []part
	components int
}

// part is the ground of a layer that belongs to one component.
type part struct {
	layer     int
	component int
	rings     []lattice.Ring // may overlap in a mesh with faults
	box       lattice.Box
	area2     int64 // twice the sum of the areas of the rings
}

// parts gathers rings by layer and component.
type parts struct {
	index map[[2]int]int
	list  []part
}

func (p *parts) add(layer, component int, area2 int64, rings ...lattice.Ring) {
	key := [2]int{layer, component}
	i, ok := p.index[key]
	if !ok {
		i = len(p.list)
		p.index[key] = i
		p.list = append(p.list, part{layer: layer, component: component, box: lattice.EmptyBox()})
	}
	to := &p.list[i]
	to.rings = append(to.rings, rings...)
	to.area2 += area2
	for _, ring := range rings {
		to.box = to.box.Union(lattice.BoxOf(ring...))
	}
}

// floorOfPlan returns the floor of a plan in a frame. The error names a place outside of the frame.
func floorOfPlan(p *plan.Plan, frame lattice.Frame) (*floor, error) {
	f := &floor{frame: frame, components: p.Components}
	move := mover(p.Frame, frame)
	all := parts{index: map[[2]int]int{}}
	for l := range p.Layers {
		if err := f.addLayer(&p.Layers[l].Floor, move); err != nil {
			return nil, err
		}
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			rings := make([]lattice.Ring, len(domain.Rings))
			for r, ring := range domain.Rings {
				for _, q := range ring {
					v, err := move(q, 0)
					if err != nil {
						return nil, err
					}
					rings[r] = append(rings[r], v.Point)
				}
			}
			all.add(l, int(domain.Component), domain.Area2(), rings...)
		}
	}
	f.parts = all.list
	return f, nil
}

// floorOfMesh returns the floor of a mesh in a frame. The error names a place outside of the frame.
func floorOfMesh(m *navmesh.Mesh, frame lattice.Frame) (*floor, error) {
	f := &floor{frame: frame, components: m.Components}
	move := mover(m.Frame, frame)
	all := parts{index: map[[2]int]int{}}
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		first := len(f.heights)
		for l := range t.Layers {
			if err := f.addLayer(&t.Layers[l].Floor, move); err != nil {
				return nil, err
			}
		}
		for i := range t.Regions {
			var ring lattice.Ring
			for _, c := range t.RegionCorners(i) {
				v, err := move(t.Vertices[c].Point, 0)
				if err != nil {
					return nil, err
				}
				ring = append(ring, v.Point)
			}
			all.add(first+int(t.Regions[i].Layer), int(t.Regions[i].Component), (lattice.Polygon{Rings: []lattice.Ring{ring}}).Area2(), ring)
		}
	}
	f.parts = all.list
	return f, nil
}

// mover returns a function that moves points from one frame to another.
func mover(from, to lattice.Frame) func(lattice.Point, int32) (lattice.Vertex, error) {
	return func(q lattice.Point, z int32) (lattice.Vertex, error) {
		if from == to {
			return lattice.Vertex{Point: q, Z: z}, nil
		}
		at := from.ToWorld(q, z)
		p, height, ok := to.FromWorld(at)
		if !ok {
			return lattice.Vertex{}, fmt.Errorf("verify: floors are too far apart to be compared, at %v", at)
		}
		return lattice.Vertex{Point: p, Z: height}, nil
	}
}

// addLayer adds the heights of a layer.
func (f *floor) addLayer(tin *lattice.TIN, move func(lattice.Point, int32) (lattice.Vertex, error)) error {
	moved := *tin
	moved.Vertices = make([]lattice.Vertex, len(tin.Vertices))
	for i, v := range tin.Vertices {
		to, err := move(v.Point, v.Z)
		if err != nil {
			return err
		}
		moved.Vertices[i] = to
	}
	corners := make([]lattice.Point, len(moved.Vertices))
	for i, v := range moved.Vertices {
		corners[i] = v.Point
	}
	slices.SortFunc(corners, func(a, b lattice.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	f.corners = append(f.corners, slices.Compact(corners))
	f.heights = append(f.heights, lattice.NewSampler(&moved))
	return nil
}

// height returns the height of a layer at a point, or of the nearest edge within the width of a crack.
func (f *floor) height(layer int, x, y float64) (float64, bool) {
	const reach = 256 // units: floors are stepped over cracks
	return f.heights[layer].HeightBelow(x, y, math.Inf(1), reach)
}

// at returns a point of a part in the world.
func (f *floor) at(p *part, q lattice.Point) geom.Vec {
	z, _ := f.height(p.layer, float64(q.X), float64(q.Y))
	return f.frame.ToWorld(q, int32(math.Round(z)))
}

// area returns the area of all parts, m².
func (f *floor) area() float64 {
	var sum int64
	for i := range f.parts {
		sum += f.parts[i].area2
	}
	return lattice.SquareMetres(sum)
}

// overlapOf is the common ground of two floors, and the rest of each.
type overlapOf struct {
	only   Alone
	common map[[2]int]float64 // m² by components
	twice  Pieces             // ground of a that several parts of b cover
	height Heights
}

// compare overlays two floors of one frame. Ground over ground is the same floor if most places along the border of the common piece are at
// most near lattice units apart in height: storeys are farther apart, and steps nearer. Ramps lead layers from storey to storey, so a piece
// can be both: such a piece is judged by the regions of b.
func compare(ctx context.Context, a, b *floor, near float64) (*overlapOf, error) {
	o := &overlapOf{common: map[[2]int]float64{}}
	floors := [2]*floor{a, b}
	shared := [2][][]lattice.Polygon{make([][]lattice.Polygon, len(a.parts)), make([][]lattice.Polygon, len(b.parts))}
	for i := range a.parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := range b.parts {
			p, q := &a.parts[i], &b.parts[j]
			if !p.box.Overlaps(q.box) {
				continue
			}
			pieces, err := overlay.Intersection(p.rings, q.rings)
			if err != nil {
				return nil, err
			}
			pieces, err = o.height.same(pieces, a, b, p, q, near)
			if err != nil {
				return nil, err
			}
			for _, piece := range pieces {
				shared[0][i] = append(shared[0][i], piece)
				shared[1][j] = append(shared[1][j], piece)
				o.common[[2]int{p.component, q.component}] += lattice.SquareMetres(piece.Area2())
			}
		}
	}
	for side, f := range floors {
		for i := range f.parts {
			rest, err := overlay.Difference(f.parts[i].rings, ringsOf(shared[side][i]))
			if err != nil {
				return nil, err
			}
			o.only[side].add(f, &f.parts[i], rest)
		}
	}
	// Several parts of b may cover the same part of a. Overlaps of their pieces are ground covered twice.
	for i, pieces := range shared[0] {
		twice, err := doubled(ringsOf(pieces))
		if err != nil {
			return nil, err
		}
		o.twice.add(a, &a.parts[i], twice)
	}
	for side := range o.only {
		o.only[side].sort()
	}
	o.twice.sort()
	o.height.finish()
	return o, nil
}

// doubled returns the ground that rings cover more than once.
func doubled(rings []lattice.Ring) ([]lattice.Polygon, error) {
	if len(rings) < 2 {
		return nil, nil
	}
	arranged, err := overlay.Arrange(rings)
	if err != nil {
		return nil, err
	}
	defer arranged.Release()
	return arranged.Polygons(func(w overlay.Winding) bool { return w[0] > 1 }), nil
}

func ringsOf(pieces []lattice.Polygon) []lattice.Ring {
	var rings []lattice.Ring
	for _, p := range pieces {
		rings = append(rings, p.Rings...)
	}
	return rings
}

// Pieces are connected pieces of ground.
type Pieces struct {
	Area    float64 `json:"area_m2"`
	Count   int     `json:"pieces"`
	Largest []Piece `json:"largest"` // at most MaxPieces, largest first
	// Polygons are all pieces, in the frame of the first floor.
	Polygons []lattice.Polygon `json:"-"`
}

// Piece is a connected piece of ground.
type Piece struct {
	Area float64  `json:"area_m2"`
	At   geom.Vec `json:"at"` // a corner of the piece in the world, metres

	ground *ground
}

// MaxPieces bounds the pieces that are listed.
const MaxPieces = 10

func (p *Pieces) add(f *floor, of *part, pieces []lattice.Polygon) {
	for _, piece := range pieces {
		area := lattice.SquareMetres(piece.Area2())
		p.Area += area
		p.Count++
		p.Polygons = append(p.Polygons, piece)
		p.Largest = append(p.Largest, Piece{area, f.at(of, piece.Rings[0][0]), &ground{f, of.layer, piece}})
		if len(p.Largest) > 20*MaxPieces {
			p.sort()
		}
	}
}

// sort keeps the largest pieces.
func (p *Pieces) sort() {
	slices.SortStableFunc(p.Largest, func(a, b Piece) int { return cmp.Compare(b.Area, a.Area) })
	p.Largest = slices.Clip(p.Largest[:min(len(p.Largest), MaxPieces)])
}
