package draw

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// ColorBy is the choice of colours for the regions of a mesh.
type ColorBy uint8

// Choices for the colours of regions.
const (
	ByRegion    ColorBy = iota // neighbours differ
	ByComponent                // parts that no path joins differ
	ByLayer                    // layers differ
	ByArea                     // kinds of ground differ, see [Areas]
)

// MeshOptions choose the look of a mesh. The zero value fills every region in a colour different from its
// neighbours', with strong borders and fine portals.
type MeshOptions struct {
	ColorBy ColorBy
	// Opacity of the regions, above 0 to 1; 0 is 0.55, a negative value leaves them out.
	Opacity float64
	// Lift is how far above the floor the mesh is drawn, in metres; 0 is 0.05, negative is none.
	Lift float64
	// Seams draws portals between two layers boldly.
	Seams bool
	// Labels writes into every region its number and the names of its marks.
	Labels bool
	// Layers are the layers to be drawn; nil is all.
	Layers []int
}

// hues are the colours of regions: of about equal lightness, in an order with strong contrasts.
var hues = [...]Color{
	{74, 144, 217, 255},
	{247, 197, 95, 255},
	{98, 190, 135, 255},
	{232, 122, 118, 255},
	{156, 134, 217, 255},
	{78, 190, 200, 255},
	{242, 158, 104, 255},
	{176, 204, 92, 255},
	{221, 140, 196, 255},
	{128, 172, 236, 255},
	{233, 214, 116, 255},
	{126, 190, 178, 255},
}

var (
	borderColor = Color{30, 44, 74, 255}
	// boundaryColor is the colour of portals between two areas, where areas are told apart.
	boundaryColor = Color{30, 44, 74, 150}

	portalColor = Color{255, 255, 255, 200}
	seamColor   = Color{230, 92, 0, 255}
	linkColor   = Color{124, 58, 190, 255}
)

const (
	borderWidth   = 2.25
	portalWidth   = 1.25
	boundaryWidth = 1.5
	seamWidth     = 3
	// overlayBias keeps an overlay visible where the floor differs a little from the draped surface: on stairs,
	// by about a riser.
	overlayBias = 0.25
)

// Mesh draws a navigation mesh: every region as translucent triangles that follow the floor of its layer,
// portals as fine lines, borders as strong lines, off-mesh links as arcs. It skips faulty indices, so an
// invalid mesh can still be drawn.
func Mesh(m *navmesh.Mesh, opt MeshOptions) List {
	if m == nil {
		return List{}
	}
	var list List
	up, areas := lift(opt.Lift, 0.05), areaColors(m)
	for i := range m.Tiles {
		d := newMeshDrawer(m, &m.Tiles[i], opt, nil)
		d.list, d.areas = &list, areas
		d.regions()
		d.edges()
	}
	for i := range m.Links {
		if m.Links[i].Kind == navmesh.Boundary {
			continue // it has no length
		}
		list.link(m.Frame, &m.Links[i], up)
	}
	return list
}

type meshDrawer struct {
	opt    MeshOptions
	list   *List
	tile   *navmesh.Tile
	marks  []navmesh.Mark
	areas  [256]Color
	floors []*surface // by layer
	bare   *surface   // stands in for a layer that does not exist
}

// newMeshDrawer returns a drawer of a tile that knows the floors of its layers: those that are made already, or new ones.
func newMeshDrawer(m *navmesh.Mesh, tile *navmesh.Tile, opt MeshOptions, made map[*lattice.TIN]*surface) *meshDrawer {
	up := lift(opt.Lift, 0.05)
	d := &meshDrawer{opt: opt, tile: tile, marks: m.Marks, bare: newSurface(m.Frame, &lattice.TIN{}, up)}
	for j := range tile.Layers {
		floor := made[&tile.Layers[j].Floor]
		if floor == nil {
			floor = newSurface(m.Frame, &tile.Layers[j].Floor, up)
		}
		d.floors = append(d.floors, floor)
	}
	return d
}

// corners returns the corners of region i, nil when an index is bad.
func (d *meshDrawer) corners(i int) []lattice.Vertex {
	t, r := d.tile, &d.tile.Regions[i]
	if uint64(r.First)+uint64(r.Count) > uint64(len(t.Corners)) {
		return nil
	}
	ring := make([]lattice.Vertex, r.Count)
	for k, v := range t.RegionCorners(i) {
		if int(v) >= len(t.Vertices) {
			return nil
		}
		ring[k] = t.Vertices[v]
	}
	return ring
}

// portals returns the portals of region i with valid indices.
func (d *meshDrawer) portals(i int) []navmesh.Portal {
	t, r := d.tile, &d.tile.Regions[i]
	if uint64(r.FirstPortal)+uint64(r.PortalCount) > uint64(len(t.Portals)) {
		return nil
	}
	var sound []navmesh.Portal
	for _, p := range t.RegionPortals(i) {
		if int(p.To) < len(t.Regions) && p.Edge < r.Count && int(p.Left) < len(t.Vertices) && int(p.Right) < len(t.Vertices) {
			sound = append(sound, p)
		}
	}
	return sound
}

// shown reports whether the layer of region i is drawn.
func (d *meshDrawer) shown(i int) bool {
	return d.opt.Layers == nil || slices.Contains(d.opt.Layers, int(d.tile.Regions[i].Layer))
}

func (d *meshDrawer) floor(i int) *surface {
	if l := int(d.tile.Regions[i].Layer); l < len(d.floors) {
		return d.floors[l]
	}
	return d.bare
}

// regions fills all regions.
func (d *meshDrawer) regions() {
	opacity := lift(d.opt.Opacity, 0.55)
	colors := d.colors()
	for i := range d.tile.Regions {
		ring := d.corners(i)
		if len(ring) < 3 || !d.shown(i) {
			continue
		}
		fill := hues[colors[i]%len(hues)]
		if d.opt.ColorBy == ByArea {
			fill = d.areas[colors[i]]
		}
		fill.A = uint8(math.Round(255 * math.Min(opacity, 1)))
		if fill.A > 0 {
			d.floor(i).fill(ring, func(a, b, c geom.Vec) {
				d.list.Triangles = append(d.list.Triangles, Triangle{P: [3]geom.Vec{a, b, c}, Fill: fill, Bias: overlayBias})
			})
		}
		if d.opt.Labels {
			d.list.Labels = append(d.list.Labels, Label{P: d.middle(i, ring), Text: d.label(i), Color: ink, Align: AlignMiddle, Rank: areaOf(ring)})
		}
	}
}

// areaOf returns twice the area of a ring in square lattice units.
func areaOf(ring []lattice.Vertex) float64 {
	var sum int64
	for i := range ring {
		j := (i + 1) % len(ring)
		sum += lattice.Orient(ring[0].Point, ring[i].Point, ring[j].Point)
	}
	return float64(sum)
}

// label returns the text in region i.
func (d *meshDrawer) label(i int) string {
	text := itoa(i)
	for _, k := range d.tile.MarksOf(i) {
		if int(k.Mark) >= len(d.marks) {
			continue
		}
		if name := d.marks[k.Mark].Name; name != "" {
			text += " " + name
		} else {
			text += " " + d.marks[k.Mark].Kind
		}
	}
	return text
}

// middle is the mean of the corners, which lies inside of a convex region.
func (d *meshDrawer) middle(i int, ring []lattice.Vertex) geom.Vec {
	var x, y, z float64
	for _, v := range ring {
		x, y, z = x+float64(v.X), y+float64(v.Y), z+float64(v.Z)
	}
	n := float64(len(ring))
	return d.floor(i).world(x/n, y/n, z/n)
}

// colors numbers the regions by hue. In the order of regions, each takes the first hue of a rotating sequence
// that no earlier neighbour has, so the picture uses all hues about equally.
func (d *meshDrawer) colors() []int {
	colors := make([]int, len(d.tile.Regions))
	for i := range d.tile.Regions {
		r := &d.tile.Regions[i]
		switch d.opt.ColorBy {
		case ByComponent:
			colors[i] = int(r.Component)
		case ByLayer:
			colors[i] = int(r.Layer)
		case ByArea:
			colors[i] = int(r.Area)
		default:
			taken := 0
			for _, p := range d.portals(i) {
				if int(p.To) < i {
					taken |= 1 << colors[p.To]
				}
			}
			first := i * 5 % len(hues) // 5 and the number of hues have no common divisor
			colors[i] = first
			for k := range hues {
				if c := (first + k) % len(hues); taken&(1<<c) == 0 {
					colors[i] = c
					break
				}
			}
		}
	}
	return colors
}

// edges draws every portal once, and the rest of each edge as border.
func (d *meshDrawer) edges() {
	d.eachEdge(func(points []geom.Vec, i, behind int) {
		line := Line{P: points, Color: borderColor, Width: borderWidth, Bias: overlayBias}
		if behind >= 0 {
			line.Color, line.Width = portalColor, portalWidth
			if d.opt.ColorBy == ByArea && d.tile.Regions[behind].Area != d.tile.Regions[i].Area {
				line.Color, line.Width = boundaryColor, boundaryWidth
			}
			if d.opt.Seams && d.tile.Regions[behind].Layer != d.tile.Regions[i].Layer {
				line.Color, line.Width = seamColor, seamWidth
			}
		}
		d.list.Lines = append(d.list.Lines, line)
	})
}

// eachEdge visits every portal once, and the rest of each edge as border: the line on the floor, the region, and the region
// behind a portal, -1 for a border.
func (d *meshDrawer) eachEdge(visit func(line []geom.Vec, i, behind int)) {
	d.eachSide(func(floor *surface, a, b lattice.Vertex, i, behind int) { visit(floor.line(a, b), i, behind) })
}

// eachSide is eachEdge without the lines: it calls visit with the floor of the region and the ends.
func (d *meshDrawer) eachSide(visit func(floor *surface, a, b lattice.Vertex, i, behind int)) {
	for i := range d.tile.Regions {
		ring := d.corners(i)
		if len(ring) < 3 || !d.shown(i) {
			continue
		}
		floor := d.floor(i)
		portals := d.portals(i)
		for _, p := range portals {
			if int(p.To) < i && d.shown(int(p.To)) {
				continue // visited from there
			}
			visit(floor, d.tile.Vertices[p.Right], d.tile.Vertices[p.Left], i, int(p.To))
		}
		for e := range ring {
			a, b := ring[e], ring[(e+1)%len(ring)]
			for _, gap := range uncovered(d.tile, portals, e, a, b) {
				visit(floor, between(a, b, gap[0]), between(a, b, gap[1]), i, -1)
			}
		}
	}
}

// uncovered returns the parts of edge e, from a to b, that no portal covers, as spans of the
// parameter from 0 to 1.
func uncovered(t *navmesh.Tile, portals []navmesh.Portal, e int, a, b lattice.Vertex) [][2]float64 {
	dx, dy := b.Sub(a.Point)
	length2 := float64(dx)*float64(dx) + float64(dy)*float64(dy)
	if length2 == 0 {
		return nil
	}
	at := func(v uint32) float64 {
		px, py := t.Vertices[v].Sub(a.Point)
		return (float64(px)*float64(dx) + float64(py)*float64(dy)) / length2
	}
	var spans [][2]float64
	for _, p := range portals {
		if int(p.Edge) == e {
			u, v := at(p.Left), at(p.Right)
			spans = append(spans, [2]float64{math.Min(u, v), math.Max(u, v)})
		}
	}
	slices.SortFunc(spans, func(s, r [2]float64) int {
		switch {
		case s[0] < r[0]:
			return -1
		case s[0] > r[0]:
			return 1
		}
		return 0
	})
	var out [][2]float64
	from := 0.0
	for _, s := range append(spans, [2]float64{1, 1}) {
		// A gap below a lattice unit is rounding.
		if (s[0]-from)*math.Sqrt(length2) > 1 {
			out = append(out, [2]float64{from, math.Min(s[0], 1)})
		}
		from = math.Max(from, s[1])
	}
	return out
}

// between returns the lattice point nearest to the given part of the way from a to b.
func between(a, b lattice.Vertex, t float64) lattice.Vertex {
	mix := func(u, v int32) int32 { return u + int32(math.Round(t*(float64(v)-float64(u)))) }
	return lattice.Vertex{Point: lattice.Point{X: mix(a.X, b.X), Y: mix(a.Y, b.Y)}, Z: mix(a.Z, b.Z)}
}

// link draws an off-mesh link as an arc that rises above its higher end, with a disc at its end, and a line
// along each wide end.
func (l *List) link(frame lattice.Frame, k *navmesh.Link, up float64) {
	points := arc(frame, k, up)
	l.Lines = append(l.Lines, Line{P: points, Color: linkColor, Width: 2, Bias: overlayBias})
	for _, s := range [2][2]lattice.Vertex{k.Start, k.End} {
		if s[0] != s[1] {
			ends := []geom.Vec{frame.ToWorld(s[0].Point, s[0].Z).Add(geom.Vec{Y: up}), frame.ToWorld(s[1].Point, s[1].Z).Add(geom.Vec{Y: up})}
			l.Lines = append(l.Lines, Line{P: ends, Color: linkColor, Width: 2, Bias: overlayBias})
		}
	}
	l.Points = append(l.Points, Point{P: points[len(points)-1], Color: linkColor, Radius: 4, Bias: overlayBias})
}

// arc returns the points of a link's arc, from the middle of its start to the middle of its end.
func arc(frame lattice.Frame, k *navmesh.Link, up float64) []geom.Vec {
	middle := func(s [2]lattice.Vertex) geom.Vec {
		return frame.ToWorld(s[0].Point, s[0].Z).Add(frame.ToWorld(s[1].Point, s[1].Z)).Scale(0.5).Add(geom.Vec{Y: up})
	}
	from, to := middle(k.Start), middle(k.End)
	rise := 0.3 + 0.15*from.Distance(to)
	const parts = 16
	points := make([]geom.Vec, 0, parts+1)
	for i := range parts + 1 {
		t := float64(i) / parts
		p := from.Add(to.Sub(from).Scale(t))
		p.Y += 4 * rise * t * (1 - t)
		points = append(points, p)
	}
	return points
}
