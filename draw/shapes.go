package draw

import (
	"encoding/binary"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Shapes is a mesh in parts for a viewer that picks, colours and moves the parts. Regions are numbered tile after tile.
type Shapes struct {
	Regions []RegionShape
	Edges   []EdgeShape
}

// RegionShape is a region as triangles that follow the floor of its layer.
type RegionShape struct {
	Triangles [][3]geom.Vec // counter-clockwise from above
	Color     Color         // different from the neighbours' colours
	Middle    geom.Vec      // a place on the region, with room around it
	Area      float64       // square metres in plan
}

// EdgeShape is a stretch of a region's edge, on the floor: a portal, drawn once for its two regions, or a border.
type EdgeShape struct {
	Line           []geom.Vec
	Region, Behind int // Behind is -1 for a border
}

// MeshShapes returns the parts of a mesh, at the height of the floor plus up metres. Faulty indices are skipped, as in Mesh; a
// region with faulty indices has no triangles. Time O(n) for the n corners, portals and floor triangles, if few of them overlap.
func MeshShapes(m *navmesh.Mesh, up float64) Shapes { return new(Shaper).Shapes(m, up) }

// Shaper makes the shapes of a mesh that changes. It keeps those of the mesh before, and lays only new regions and edges on the floor. The zero
// value is ready. One goroutine at a time may use a Shaper.
type Shaper struct {
	frame lattice.Frame
	up    float64
	kept  draped
}

// draped is the memory of a Shaper. The floor of a layer is known by its address, which the layer keeps while the mesh changes.
type draped struct {
	floors  map[*lattice.TIN]*surface
	regions map[drapedRegion]RegionShape // without colours
	lines   map[drapedLine][]geom.Vec
}

type drapedRegion struct {
	floor *surface
	ring  string
}

type drapedLine struct {
	floor *surface
	a, b  lattice.Vertex
}

func newDraped() draped {
	return draped{map[*lattice.TIN]*surface{}, map[drapedRegion]RegionShape{}, map[drapedLine][]geom.Vec{}}
}

// Shapes does as MeshShapes. The triangles and lines of equal regions and edges are those that the call before returned: callers leave them as
// they are. A Shaper refers to the layers of the last mesh. Time O(n) as MeshShapes, of which the unchanged part takes a fifth.
func (s *Shaper) Shapes(m *navmesh.Mesh, up float64) Shapes {
	var out Shapes
	if m == nil {
		return out
	}
	opt := MeshOptions{Lift: up, Seams: true}
	if up <= 0 {
		opt.Lift = -1
	}
	if m.Frame != s.frame || up != s.up {
		*s = Shaper{frame: m.Frame, up: up}
	}
	next := newDraped()
	for i := range m.Tiles {
		d := newMeshDrawer(m, &m.Tiles[i], opt, s.kept.floors)
		for j := range d.floors {
			next.floors[&d.tile.Layers[j].Floor] = d.floors[j]
		}
		first := len(out.Regions)
		colors := d.colors()
		for r := range d.tile.Regions {
			shape := s.region(&next, d, r)
			shape.Color = hues[colors[r]%len(hues)]
			out.Regions = append(out.Regions, shape)
		}
		d.eachSide(func(floor *surface, a, b lattice.Vertex, r, behind int) {
			edge := EdgeShape{Line: s.line(&next, floor, a, b), Region: first + r, Behind: -1}
			if behind >= 0 {
				edge.Behind = first + behind
			}
			out.Edges = append(out.Edges, edge)
		})
	}
	s.kept = next
	return out
}

func (s *Shaper) region(next *draped, d *meshDrawer, r int) RegionShape {
	ring := d.corners(r)
	if len(ring) < 3 {
		return RegionShape{}
	}
	var bytes []byte
	for _, v := range ring {
		for _, c := range [3]int32{v.X, v.Y, v.Z} {
			bytes = binary.LittleEndian.AppendUint32(bytes, uint32(c))
		}
	}
	floor := d.floor(r)
	key := drapedRegion{floor, string(bytes)}
	shape, ok := s.kept.regions[key]
	if !ok {
		floor.fill(ring, func(a, b, c geom.Vec) { shape.Triangles = append(shape.Triangles, [3]geom.Vec{a, b, c}) })
		shape.Middle = d.middle(r, ring)
		shape.Area = areaOf(ring) / 2 / (lattice.UnitsPerMetre * lattice.UnitsPerMetre)
	}
	next.regions[key] = shape
	return shape
}

func (s *Shaper) line(next *draped, floor *surface, a, b lattice.Vertex) []geom.Vec {
	key := drapedLine{floor, a, b}
	line, ok := s.kept.lines[key]
	if !ok {
		line = floor.line(a, b)
	}
	next.lines[key] = line
	return line
}

// LinkArc returns the arc that stands for an off-mesh link: it rises above the higher end.
func LinkArc(m *navmesh.Mesh, k *navmesh.Link, up float64) []geom.Vec {
	if m == nil || k == nil {
		return nil
	}
	return arc(m.Frame, k, up)
}
