package workbench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/view/scene"
)

var layerRequests = map[string]handler{"layers": layers, "layer": layer}

// layering is the state of the layers: parts that several of them need, made when first asked for.
type layering struct {
	storeys *scene.Storeys
	point   *meadow.Floor // of the build's agent as a point: the floor before it is moved in
}

// Drawn is something to draw over a mesh. Its bytes are floats of triangles (three points each), then four bytes of colour and opacity
// for each triangle, then its storey; then, group after group, floats of strokes (two points each) and the storeys of both points. Every
// part is padded to whole words. Points are in metres of the level.
type Drawn struct {
	Counts    []Row      `json:"counts"`
	Triangles int        `json:"triangles"`
	Lines     []LineLook `json:"lines"`
	Labels    []Label    `json:"labels"`
	bytes     []byte
}

// LineLook is a group of strokes of one look.
type LineLook struct {
	Color   [3]uint8 `json:"color"`
	Width   float64  `json:"width"` // pixels
	Strokes int      `json:"strokes"`
}

// Label is a text at a place.
type Label struct {
	Text   string     `json:"text"`
	At     [3]float64 `json:"at"`
	Storey uint8      `json:"storey"`
	Room   float64    `json:"room"` // metres that the text has room for
}

// pack turns a display list into bytes.
func (d *Drawn) pack(list draw.List, s *scene.Storeys) {
	d.Triangles = len(list.Triangles)
	vec := func(v geom.Vec) {
		for _, f := range [3]float64{v.X, v.Y, v.Z} {
			d.bytes = binary.LittleEndian.AppendUint32(d.bytes, math.Float32bits(float32(f)))
		}
	}
	pad := func() {
		for len(d.bytes)%4 != 0 {
			d.bytes = append(d.bytes, 0)
		}
	}
	for _, t := range list.Triangles {
		for _, p := range t.P {
			vec(p)
		}
	}
	for _, t := range list.Triangles {
		d.bytes = append(d.bytes, t.Fill.R, t.Fill.G, t.Fill.B, t.Fill.A)
	}
	for _, t := range list.Triangles {
		d.bytes = append(d.bytes, s.At(t.P[0].Add(t.P[1]).Add(t.P[2]).Scale(1.0/3)))
	}
	pad()
	type look struct {
		color draw.Color
		width float64
	}
	var looks []look
	groups := map[look][][2]geom.Vec{}
	for _, l := range list.Lines {
		k := look{l.Color, l.Width}
		if groups[k] == nil {
			looks = append(looks, k)
		}
		for i := 1; i < len(l.P); i++ {
			groups[k] = append(groups[k], [2]geom.Vec{l.P[i-1], l.P[i]})
		}
	}
	d.Lines = []LineLook{}
	for _, k := range looks {
		d.Lines = append(d.Lines, LineLook{[3]uint8{k.color.R, k.color.G, k.color.B}, k.width, len(groups[k])})
		for _, stroke := range groups[k] {
			vec(stroke[0])
			vec(stroke[1])
		}
		for _, stroke := range groups[k] {
			at := s.At(stroke[0].Add(stroke[1]).Scale(0.5))
			d.bytes = append(d.bytes, at, at)
		}
		pad()
	}
	for i := range d.Labels {
		at := d.Labels[i].At
		d.Labels[i].Storey = s.At(geom.Vec{X: at[0], Y: at[1], Z: at[2]})
	}
	if d.Labels == nil {
		d.Labels = []Label{}
	}
}

func (d *Drawn) count(name, text string) { d.Counts = append(d.Counts, Row{Name: name, Text: text}) }

// stageLayer is a layer of sight: a stage of the build with what it decided.
type stageLayer struct {
	name, title, about string
	level              bool // needs the level or map of the build
	draw               func(b *Bench, ctx context.Context, d *Drawn) (draw.List, error)
}

// stageLayers are in the order of the build.
var stageLayers = []stageLayer{
	{"sheets", "Walkable sheets", "triangles that the agent could stand on, before anything is cut out", true, drawSheets},
	{"blocked", "Blocked", "floor on which something is in the way of the agent's body", true, drawBlocked},
	{"border", "Moved-in border", "floor nearer to a wall or a drop than the agent's radius", true, drawBorder},
	{"dropped", "Parts left out", "floor that nobody reaches, or too small", true, drawDropped},
	{"outline", "Plan outline", "walls of the floor, as the generator sees them", true, drawOutline},
	{"seams", "Seams and cuts", "where layers join (orange), grounds change (green) and marks begin (purple)", true, drawSeams},
	{"widths", "Portal widths", "portals in the colour of their width, with the width where there is room", false, drawWidths},
	{"clearance", "Clearance", "regions in the colour of the widest agent that gets in", false, drawClearance},
	{"heights", "Heights", "floor in the colour of its height, with the triangles of the height surface", false, drawHeights},
	{"terrain", "Terrain", "regions in the colour of their ground", false, drawTerrain},
}

// layers lists the layers of sight and whether the bench has them.
func layers(b *Bench, _ context.Context, _ Request, _ Tell) (Reply, error) {
	type info struct {
		Name  string `json:"name"`
		Title string `json:"title"`
		About string `json:"about"`
		Has   bool   `json:"has"`
	}
	list := []info{}
	for _, l := range stageLayers {
		has := b.mesh != nil && (!l.level || b.floor != nil)
		if l.name == "sheets" || l.name == "blocked" {
			has = has && b.level != nil
		}
		list = append(list, info{l.name, l.title, l.about, has})
	}
	return Reply{Answer: list}, nil
}

// layer draws one layer.
func layer(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var o struct {
		Name string `json:"name"`
	}
	if err := read(r, &o); err != nil {
		return Reply{}, err
	}
	for _, l := range stageLayers {
		if l.name != o.Name {
			continue
		}
		switch {
		case b.mesh == nil:
			return Reply{}, errNoMesh
		case l.level && b.floor == nil:
			return Reply{}, errors.New("the mesh is from a file, and the stages of its build are unknown: open its level")
		}
		d := Drawn{Counts: []Row{}}
		list, err := l.draw(b, ctx, &d)
		if err != nil {
			return Reply{}, err
		}
		d.pack(list, b.storeys())
		return Reply{d, d.bytes}, nil
	}
	return Reply{}, fmt.Errorf("no layer is called %q", o.Name)
}

func (b *Bench) storeys() *scene.Storeys {
	if b.layering.storeys == nil {
		b.layering.storeys = scene.NewStoreys(b.mesh.Mesh)
	}
	return b.layering.storeys
}

// mostSheets bounds the triangles of a layer.
const mostSheets = 200_000

func drawSheets(b *Bench, ctx context.Context, d *Drawn) (draw.List, error) {
	if b.level == nil {
		return draw.List{}, errors.New("a map has no triangles to stand on")
	}
	frame, floors, err := exact.Floors(ctx, b.level, b.made.Agent.WithDefaults(), 0)
	if err != nil {
		return draw.List{}, err
	}
	if len(floors) > mostSheets {
		return draw.List{}, fmt.Errorf("%d sheets are too many to draw: at most %d", len(floors), mostSheets)
	}
	p := plan.Plan{Frame: frame}
	var area float64
	for _, f := range floors {
		polygon := lattice.Polygon{Rings: f.Rings}
		area += lattice.SquareMetres(polygon.Area2())
		p.Layers = append(p.Layers, plan.Layer{
			Domains: []plan.Domain{{Polygon: polygon}},
			Floor:   lattice.TIN{Vertices: f.V[:], Triangles: [][3]uint32{{0, 1, 2}}},
		})
	}
	d.count("sheets", fmt.Sprint(len(floors)))
	d.count("area", metres2(area))
	list := draw.Plan(&p, draw.PlanOptions{})
	for i := range list.Triangles {
		list.Triangles[i].Fill = draw.Color{R: 60, G: 160, B: 160, A: 120}
	}
	for i := range list.Lines {
		list.Lines[i].Color, list.Lines[i].Width = draw.Color{R: 20, G: 90, B: 95, A: 255}, 1
	}
	return list, nil
}

func metres2(area float64) string { return fmt.Sprintf("%.1f m²", area) }

// pointFloor is the floor of the build for the agent as a point.
func (b *Bench) pointFloor(ctx context.Context) (*meadow.Floor, error) {
	if b.layering.point == nil {
		opt := b.made
		opt.Agent.Radius = meadow.PointRadius
		floor, err := b.find(ctx, opt)
		if err != nil {
			return nil, err
		}
		b.layering.point = floor
	}
	return b.layering.point, nil
}

// find finds the floor of what is open.
func (b *Bench) find(ctx context.Context, opt meadow.FloorOptions) (*meadow.Floor, error) {
	switch {
	case b.plane != nil:
		return meadow.FloorOfMap(ctx, b.plane, opt)
	case b.level != nil:
		return meadow.FindFloor(ctx, b.level, opt)
	}
	return nil, errNoLevel
}

func drawBlocked(b *Bench, ctx context.Context, d *Drawn) (draw.List, error) {
	if b.level == nil {
		return draw.List{}, errors.New("nothing is blocked in a map: all that is drawn is floor")
	}
	opt := b.made
	opt.Agent = opt.Agent.WithDefaults()
	opt.Agent.Radius = meadow.PointRadius
	opt.KeepAll, opt.KeepArea, opt.Keep = true, 0, nil
	whole, err := b.find(ctx, opt)
	if err != nil {
		return draw.List{}, err
	}
	// For an agent hardly taller than a step, nothing but solid ground is in the way.
	opt.Agent.Height = max(0.05, 1.01*opt.Agent.MaxClimb)
	flat, err := b.find(ctx, opt)
	if err != nil {
		return draw.List{}, err
	}
	return d.without(ctx, flat.Plan, whole.Plan, draw.Color{R: 200, G: 40, B: 60, A: 170})
}

func drawBorder(b *Bench, ctx context.Context, d *Drawn) (draw.List, error) {
	whole, err := b.pointFloor(ctx)
	if err != nil {
		return draw.List{}, err
	}
	return d.without(ctx, whole.Plan, b.floor.Plan, draw.Color{R: 235, G: 140, B: 20, A: 170})
}

func drawDropped(b *Bench, ctx context.Context, d *Drawn) (draw.List, error) {
	opt := b.made
	opt.KeepAll, opt.KeepArea, opt.Keep = true, 0, nil
	all, err := b.find(ctx, opt)
	if err != nil {
		return draw.List{}, err
	}
	return d.without(ctx, all.Plan, b.floor.Plan, draw.Color{R: 130, G: 70, B: 180, A: 190})
}

// without draws the floor of a that b lacks, and counts it.
func (d *Drawn) without(ctx context.Context, a, b *plan.Plan, color draw.Color) (draw.List, error) {
	lost, err := minus(ctx, a, b)
	if err != nil {
		return draw.List{}, err
	}
	pieces, area := 0, 0.0
	for _, l := range lost.Layers {
		for _, domain := range l.Domains {
			pieces++
			area += lattice.SquareMetres(domain.Area2())
		}
	}
	d.count("pieces", fmt.Sprint(pieces))
	d.count("area", metres2(area))
	list := draw.Plan(lost, draw.PlanOptions{})
	for i := range list.Triangles {
		list.Triangles[i].Fill = color
	}
	edge := color
	edge.A = 255
	for i := range list.Lines {
		list.Lines[i].Color, list.Lines[i].Width = edge, 1.4
	}
	return list, nil
}

func drawOutline(b *Bench, _ context.Context, d *Drawn) (draw.List, error) {
	p := b.floor.Plan
	domains, rings, corners := 0, 0, 0
	for _, l := range p.Layers {
		for _, domain := range l.Domains {
			domains++
			rings += len(domain.Rings)
			corners += domain.Len()
		}
	}
	d.count("layers", fmt.Sprint(len(p.Layers)))
	d.count("domains", fmt.Sprint(domains))
	d.count("holes", fmt.Sprint(rings-domains))
	d.count("corners", fmt.Sprint(corners))
	return chains(p, true), nil
}

func drawSeams(b *Bench, _ context.Context, d *Drawn) (draw.List, error) {
	p := b.floor.Plan
	names := map[plan.ChainKind]string{plan.Seam: "seams", plan.Terrain: "changes of ground", plan.TileCut: "cuts of tiles", plan.MarkCut: "borders of marks"}
	for _, kind := range []plan.ChainKind{plan.Seam, plan.Terrain, plan.TileCut, plan.MarkCut} {
		n, length := 0, 0.0
		for _, c := range p.Chains {
			if c.Kind == kind {
				n++
				for i := 1; i < len(c.Points); i++ {
					length += c.Points[i-1].Distance(c.Points[i]) * lattice.Unit
				}
			}
		}
		if n > 0 || kind == plan.Seam {
			d.count(names[kind], fmt.Sprintf("%d, %.1f m", n, length))
		}
	}
	list := chains(p, false)
	for i := range list.Lines {
		list.Lines[i].Width = 5
	}
	return list, nil
}

// chains draws the walls of a plan, or all other edges.
func chains(p *plan.Plan, walls bool) draw.List {
	list := draw.Plan(p, draw.PlanOptions{Opacity: -1})
	wall := draw.Plan(&plan.Plan{Frame: p.Frame, Layers: []plan.Layer{{Domains: []plan.Domain{{Polygon: lattice.Polygon{Rings: []lattice.Ring{{{}, {X: 1}, {Y: 1}}}}}}}}}, draw.PlanOptions{Opacity: -1}).Lines[0].Color
	var out draw.List
	for _, l := range list.Lines {
		if (l.Color == wall) == walls {
			if walls {
				l.Color, l.Width = draw.Color{R: 0, G: 110, B: 200, A: 255}, 4
			}
			out.Lines = append(out.Lines, l)
		}
	}
	return out
}

// scale are colours from little to much that people tell apart whatever colours they see: part of viridis.
var scale = []draw.Color{{R: 68, G: 1, B: 84, A: 255}, {R: 59, G: 82, B: 139, A: 255}, {R: 33, G: 145, B: 140, A: 255}, {R: 94, G: 201, B: 98, A: 255}, {R: 253, G: 231, B: 37, A: 255}}

// onScale mixes the colour of a share from 0 to 1.
func onScale(share float64, opacity uint8) draw.Color {
	at := max(0, min(share, 1)) * float64(len(scale)-1)
	i := min(int(at), len(scale)-2)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (at-float64(i))*(float64(b)-float64(a)))) }
	a, b := scale[i], scale[i+1]
	return draw.Color{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: opacity}
}

// bands are the widths in metres at which colours change.
var bands = []float64{0.5, 1, 2, 4}

func bandOf(width float64) int {
	k := 0
	for k < len(bands) && width > bands[k] {
		k++
	}
	return k
}

func bandWords(k int) string {
	switch k {
	case 0:
		return fmt.Sprintf("up to %g m", bands[0])
	case len(bands):
		return fmt.Sprintf("above %g m", bands[k-1])
	}
	return fmt.Sprintf("%g to %g m", bands[k-1], bands[k])
}

func (d *Drawn) countBands(counts []int, of string) {
	for k, n := range counts {
		d.Counts = append(d.Counts, Row{Name: bandWords(k), Text: fmt.Sprintf("%d %s", n, of), About: hex(scale[k])})
	}
}

func hex(c draw.Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func drawWidths(b *Bench, _ context.Context, d *Drawn) (draw.List, error) {
	var list draw.List
	counts := make([]int, len(bands)+1)
	least, most := math.Inf(1), 0.0
	for _, e := range draw.MeshShapes(b.mesh.Mesh, 0.12).Edges {
		if e.Behind < 0 {
			continue
		}
		first, last := e.Line[0], e.Line[len(e.Line)-1]
		width := math.Hypot(last.X-first.X, last.Z-first.Z)
		least, most = min(least, width), max(most, width)
		k := bandOf(width)
		counts[k]++
		list.Lines = append(list.Lines, draw.Line{P: e.Line, Color: scale[k], Width: 5})
		middle := first.Add(last).Scale(0.5)
		d.Labels = append(d.Labels, Label{Text: fmt.Sprintf("%.2f", width), At: [3]float64{middle.X, middle.Y, middle.Z}, Room: max(width, 0.4)})
	}
	d.countBands(counts, "portals")
	if most > 0 {
		d.count("narrowest", fmt.Sprintf("%.2f m", least))
		d.count("widest", fmt.Sprintf("%.2f m", most))
	}
	return list, nil
}

func drawClearance(b *Bench, _ context.Context, d *Drawn) (draw.List, error) {
	m := b.mesh.Mesh
	counts := make([]int, len(bands)+1)
	closed := 0
	var widths []float64 // of the widest agent that gets into a region, -1 for none
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for r := range t.Regions {
			width := -1.0
			for _, p := range t.RegionPortals(r) {
				clear := math.Inf(1)
				if p.Clearance != navmesh.Unbounded {
					clear = 2 * (float64(p.Clearance)*lattice.Unit + m.Agent.Radius)
				}
				width = max(width, clear)
			}
			widths = append(widths, width)
			if width < 0 {
				closed++
			} else {
				counts[bandOf(width)]++
			}
		}
	}
	d.countBands(counts, "regions")
	d.count("without a portal", fmt.Sprintf("%d regions", closed))
	var list draw.List
	for r, shape := range draw.MeshShapes(m, 0.1).Regions {
		fill := draw.Color{R: 128, G: 128, B: 128, A: 200}
		if widths[r] >= 0 {
			fill = scale[bandOf(widths[r])]
			fill.A = 215
		}
		for _, t := range shape.Triangles {
			list.Triangles = append(list.Triangles, draw.Triangle{P: t, Fill: fill})
		}
	}
	return list, nil
}

func drawHeights(b *Bench, _ context.Context, d *Drawn) (draw.List, error) {
	var list draw.List
	low, high := math.Inf(1), math.Inf(-1)
	shapes := draw.MeshShapes(b.mesh.Mesh, 0.1)
	for _, shape := range shapes.Regions {
		for _, t := range shape.Triangles {
			for _, p := range t {
				low, high = min(low, p.Y), max(high, p.Y)
			}
		}
	}
	for _, shape := range shapes.Regions {
		for _, t := range shape.Triangles {
			middle := (t[0].Y + t[1].Y + t[2].Y) / 3
			list.Triangles = append(list.Triangles, draw.Triangle{P: t, Fill: onScale((middle-low)/max(high-low, 0.01), 200)})
			for i := range t {
				list.Lines = append(list.Lines, draw.Line{P: []geom.Vec{t[i], t[(i+1)%3]}, Color: draw.Color{R: 20, G: 30, B: 40, A: 255}, Width: 0.8})
			}
		}
	}
	triangles, worst := 0, int32(0)
	for i := range b.mesh.Tiles {
		for l := range b.mesh.Tiles[i].Layers {
			tin := &b.mesh.Tiles[i].Layers[l].Floor
			triangles += len(tin.Triangles)
			worst = max(worst, tin.Error)
		}
	}
	if len(list.Triangles) > 0 {
		d.Counts = append(d.Counts, Row{Name: "lowest", Text: fmt.Sprintf("%.2f m", low-0.1), About: hex(scale[0])},
			Row{Name: "highest", Text: fmt.Sprintf("%.2f m", high-0.1), About: hex(scale[len(scale)-1])})
	}
	d.count("surface", fmt.Sprintf("%d triangles", triangles))
	d.count("off by at most", fmt.Sprintf("%.0f mm", 1000*float64(worst)*lattice.Unit))
	return list, nil
}

// grounds are colours of kinds of ground that are told apart in greys, too.
var grounds = []draw.Color{
	{R: 170, G: 170, B: 160},
	{R: 0, G: 114, B: 178},
	{R: 230, G: 159, B: 0},
	{R: 0, G: 158, B: 115},
	{R: 204, G: 121, B: 167},
	{R: 86, G: 180, B: 233},
	{R: 213, G: 94, B: 0},
	{R: 240, G: 228, B: 66},
	{R: 90, G: 60, B: 40},
}

func drawTerrain(b *Bench, _ context.Context, d *Drawn) (draw.List, error) {
	var list draw.List
	m := b.mesh.Mesh
	areas := map[uint8]float64{}
	shapes := draw.MeshShapes(m, 0.1).Regions
	regions := 0
	for i := range m.Tiles {
		for _, r := range m.Tiles[i].Regions {
			fill := grounds[int(r.Area)%len(grounds)]
			fill.A = 215
			areas[r.Area] += shapes[regions].Area
			for _, t := range shapes[regions].Triangles {
				list.Triangles = append(list.Triangles, draw.Triangle{P: t, Fill: fill})
			}
			regions++
		}
	}
	for area := range 256 {
		if size, ok := areas[uint8(area)]; ok {
			name := m.AreaName(uint8(area))
			if name == "" {
				name = "plain ground"
			}
			d.Counts = append(d.Counts, Row{Name: name, Text: metres2(size), About: hex(grounds[area%len(grounds)])})
		}
	}
	return list, nil
}
