// Package scene packs what a page draws of a level and its mesh: a head as JSON and arrays behind it.
package scene

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc64"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/view/ask"
)

// Source is what a scene shows. Mesh is nil for a level without a mesh, and Level for a mesh alone.
type Source struct {
	Title string
	Mesh  *navmesh.Mesh
	Level *level.Level
	Facts []Fact   // a table about the mesh
	Notes []string // commands to try, one a line
	// Path is a path that is there from the beginning, unless nil.
	Path *ask.Path
}

// Fact is a row of the table about a mesh.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// head is the head of a page's draw data. The arrays follow as sections: little-endian, each at a multiple of four bytes
// behind the head. Positions are in metres from Center.
type head struct {
	Title    string              `json:"title"`
	Facts    []Fact              `json:"facts"`
	Notes    []string            `json:"notes"`
	Center   [3]float64          `json:"center"`
	Low      [3]float64          `json:"low"`
	High     [3]float64          `json:"high"`
	Radius   float64             `json:"radius"` // of the agent, in metres
	Tall     float64             `json:"tall"`   // of the agent, in metres
	Storeys  []float64           `json:"storeys"`
	Grounds  []string            `json:"grounds"`
	Colors   [][3]uint8          `json:"colors"`          // of the level
	Level    string              `json:"level,omitempty"` // the name of the level's triangles, see Kept
	Path     *ask.Path           `json:"path,omitempty"`
	Sections map[string]*section `json:"sections"`
}

// section is the place of an array.
type section struct {
	Type  string `json:"type"` // f32, u32 or u8
	Start int    `json:"start"`
	Count int    `json:"count"`
}

// lift is how far above the floor regions and lines are drawn, in metres.
const lift = 0.03

// packer gathers the arrays of a scene.
type packer struct {
	scene head
	body  bytes.Buffer
}

func (p *packer) add(name, kind string, count int, data any) {
	for p.body.Len()%4 != 0 {
		p.body.WriteByte(0)
	}
	p.scene.Sections[name] = &section{kind, p.body.Len(), count}
	// The writer is a buffer and the data a slice of numbers: neither fails.
	_ = binary.Write(&p.body, binary.LittleEndian, data)
}

// bytes returns the length of the head, the head and the body.
func (p *packer) bytes() ([]byte, error) {
	head, err := json.Marshal(p.scene)
	if err != nil {
		return nil, err
	}
	for len(head)%4 != 0 {
		head = append(head, ' ')
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	out = append(out, head...)
	return append(out, p.body.Bytes()...), nil
}

// vertices numbers equal points once.
type vertices struct {
	center geom.Vec
	number map[[3]float32]uint32
	list   []float32
}

func (v *vertices) add(p geom.Vec) uint32 {
	d := p.Sub(v.center)
	key := [3]float32{float32(d.X), float32(d.Y), float32(d.Z)}
	i, ok := v.number[key]
	if !ok {
		i = uint32(len(v.number))
		v.number[key] = i
		v.list = append(v.list, key[:]...)
	}
	return i
}

// newVertices has room for about count vertices.
func newVertices(center geom.Vec, count int) *vertices {
	return &vertices{center: center, number: make(map[[3]float32]uint32, count)}
}

// Frame is what all scenes of a level under change share: the middle that positions are counted from, and the storeys of layers.
type Frame struct {
	box    geom.Box
	middle geom.Vec
	storeys
	// colors are those of the first floor's regions, and latest those of the floor before: a region that stays keeps its colour.
	colors, latest map[regionKey]draw.Color
	shaper         draw.Shaper
}

// regionKey tells regions apart by their middles and areas.
type regionKey struct {
	middle geom.Vec
	area   float64
}

// colorsOf returns the colours of regions.
func colorsOf(shapes draw.Shapes) map[regionKey]draw.Color {
	colors := map[regionKey]draw.Color{}
	for _, r := range shapes.Regions {
		colors[regionKey{r.Middle, r.Area}] = r.Color
	}
	return colors
}

// layerOf is a layer of a tile.
type layerOf struct {
	tile  int
	layer uint16
}

// NewFrame returns the frame of a source. Time as Pack.
func NewFrame(src Source) *Frame {
	var shaper draw.Shaper
	shapes := shaper.Shapes(src.mesh(), lift)
	f := src.frame(shapes)
	f.shaper = shaper
	f.colors = colorsOf(shapes)
	return f
}

func (src Source) mesh() *navmesh.Mesh {
	if src.Mesh == nil {
		return &navmesh.Mesh{}
	}
	return src.Mesh
}

func (src Source) frame(shapes draw.Shapes) *Frame {
	mesh := src.mesh()
	box := mesh.Bounds()
	if src.Level != nil {
		for _, v := range src.Level.Vertices {
			if v.IsFinite() {
				box = box.Extend(v)
			}
		}
	}
	if box.IsEmpty() {
		box = geom.Box{}
	}
	return &Frame{box: box, middle: box.Min.Add(box.Max).Scale(0.5), storeys: storeysOf(mesh, shapes)}
}

// Pack makes the draw data of a source. Time O(n log n) for n triangles of the level and corners of the mesh. The errors are those of JSON.
func Pack(src Source) ([]byte, error) { return new(Kept).pack(src, "", false) }

// Kept remembers the triangles of the level that was packed last. The zero value remembers none. One goroutine at a time may use it.
type Kept struct {
	level  *level.Level
	middle geom.Vec
	name   string
	packed packedLevel
}

// Pack does as the function Pack. The scene names its level's triangles. Where known is that name, and neither the level nor the middle of
// the scene has changed, the scene has no points, corners and colours of the level: who knows the name has them. Storeys of triangles come
// always. Time without them O(n log n) for the mesh alone.
func (kept *Kept) Pack(src Source, known string) ([]byte, error) {
	return kept.pack(src, known, true)
}

// pack is Pack, with names for levels or without.
func (kept *Kept) pack(src Source, known string, named bool) ([]byte, error) {
	mesh := src.mesh()
	shapes := draw.MeshShapes(mesh, lift)
	f := src.frame(shapes)
	k := f.packer(src)
	k.regions(mesh, shapes, f.storeys, f.middle)
	k.lines(mesh, shapes, f.storeys, f.middle)
	if src.Level != kept.level || f.middle != kept.middle {
		*kept = Kept{level: src.Level, middle: f.middle, packed: packLevel(src.Level, f.middle)}
		if named && src.Level != nil {
			kept.name = kept.packed.name(f.middle)
		}
	}
	k.scene.Level = kept.name
	k.level(kept.packed, known == "" || known != kept.name, mesh, f.storeys)
	return k.bytes()
}

// PackFloor makes the draw data of the mesh of a source in the frame of the mesh that it was changed from. The data has no triangles of the
// level: those of the first scene stay. Layers of the changed mesh are those of the frame, and regions that stay keep their colours. Time O(n log n) for n corners of the mesh. The
// errors are those of JSON.
func (f *Frame) PackFloor(src Source) ([]byte, error) {
	mesh := src.mesh()
	shapes := f.shaper.Shapes(mesh, lift)
	s := storeys{heights: f.heights, layers: f.layers}
	for i := range mesh.Tiles {
		for _, r := range mesh.Tiles[i].Regions {
			s.of = append(s.of, f.layers[layerOf{i, r.Layer}])
		}
	}
	for i, r := range shapes.Regions {
		key := regionKey{r.Middle, r.Area}
		if color, ok := f.colors[key]; ok {
			shapes.Regions[i].Color = color
		} else if color, ok := f.latest[key]; ok {
			shapes.Regions[i].Color = color
		}
	}
	f.latest = colorsOf(shapes)
	k := f.packer(src)
	k.regions(mesh, shapes, s, f.middle)
	k.lines(mesh, shapes, s, f.middle)
	k.level(packedLevel{}, true, mesh, s)
	return k.bytes()
}

// packer begins a scene.
func (f *Frame) packer(src Source) *packer {
	mesh := src.mesh()
	k := &packer{scene: head{
		Title: src.Title, Facts: src.Facts, Notes: src.Notes, Center: triple(f.middle),
		Low: triple(f.box.Min.Sub(f.middle)), High: triple(f.box.Max.Sub(f.middle)),
		Radius: mesh.Agent.Radius, Tall: mesh.Agent.Height,
		Storeys: []float64{}, Grounds: mesh.Areas, Colors: [][3]uint8{}, Sections: map[string]*section{}, Path: src.Path,
	}}
	for _, height := range f.heights {
		k.scene.Storeys = append(k.scene.Storeys, height-f.middle.Y)
	}
	return k
}

func triple(v geom.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// storeys are the heights of a mesh at which much of its floor lies, and the storey of every region and layer.
type storeys struct {
	heights []float64
	of      []uint8
	layers  map[layerOf]uint8
}

// mostStoreys is the number of storeys that a page tells apart.
const mostStoreys = 64

// storeysOf puts the layers of all tiles in order of their mean heights. A layer begins another storey where it is more than
// half of the agent's height above the mean of the storey below.
func storeysOf(m *navmesh.Mesh, shapes draw.Shapes) storeys {
	type floor struct {
		regions        []int
		area, moment   float64
		height         float64
		tile, layerNum int
	}
	var floors []*floor
	number := 0
	for i := range m.Tiles {
		byLayer := map[uint16]*floor{}
		for _, r := range m.Tiles[i].Regions {
			f := byLayer[r.Layer]
			if f == nil {
				f = &floor{tile: i, layerNum: int(r.Layer)}
				byLayer[r.Layer] = f
				floors = append(floors, f)
			}
			f.regions = append(f.regions, number)
			f.area += shapes.Regions[number].Area
			f.moment += float64(shapes.Regions[number].Area * shapes.Regions[number].Middle.Y)
			number++
		}
	}
	for _, f := range floors {
		if f.area > 0 {
			f.height = f.moment / f.area
		}
	}
	slices.SortFunc(floors, func(a, b *floor) int {
		return cmp.Or(cmp.Compare(a.height, b.height), a.tile-b.tile, a.layerNum-b.layerNum)
	})
	s := storeys{of: make([]uint8, number), layers: map[layerOf]uint8{}}
	area, moment := 0.0, 0.0
	for _, f := range floors {
		if len(s.heights) == 0 || f.height > s.heights[len(s.heights)-1]+m.Agent.Height/2 && len(s.heights) < mostStoreys {
			s.heights = append(s.heights, f.height)
			area, moment = 0, 0
		}
		area += f.area
		moment += float64(f.area * f.height)
		if area > 0 {
			s.heights[len(s.heights)-1] = moment / area
		}
		s.layers[layerOf{f.tile, uint16(f.layerNum)}] = uint8(len(s.heights) - 1)
		for _, r := range f.regions {
			s.of[r] = uint8(len(s.heights) - 1)
		}
	}
	return s
}

// below returns the storey of a height without floor near by.
func (s storeys) below(height float64) uint8 {
	i := 0
	for i+1 < len(s.heights) && s.heights[i+1] <= height {
		i++
	}
	return uint8(i)
}

func (k *packer) regions(m *navmesh.Mesh, shapes draw.Shapes, s storeys, center geom.Vec) {
	points := newVertices(center, len(shapes.Regions))
	var corners, owners, components []uint32
	var middles, areas []float32
	var colors, grounds []uint8
	for i, shape := range shapes.Regions {
		for _, t := range shape.Triangles {
			corners = append(corners, points.add(t[0]), points.add(t[1]), points.add(t[2]))
			owners = append(owners, uint32(i))
		}
		d := shape.Middle.Sub(center)
		middles = append(middles, float32(d.X), float32(d.Y), float32(d.Z))
		areas = append(areas, float32(shape.Area))
		colors = append(colors, shape.Color.R, shape.Color.G, shape.Color.B)
	}
	for i := range m.Tiles {
		for _, r := range m.Tiles[i].Regions {
			components = append(components, r.Component)
			grounds = append(grounds, r.Area)
		}
	}
	k.add("regionPoints", "f32", len(points.list), points.list)
	k.add("regionCorners", "u32", len(corners), corners)
	k.add("regionOwners", "u32", len(owners), owners)
	k.add("regionMiddles", "f32", len(middles), middles)
	k.add("regionAreas", "f32", len(areas), areas)
	k.add("regionColors", "u8", len(colors), colors)
	k.add("regionGrounds", "u8", len(grounds), grounds)
	k.add("regionStoreys", "u8", len(s.of), s.of)
	k.add("regionComponents", "u32", len(components), components)
}

// strokes are pieces of lines: two points each, with the storey of each.
type strokes struct {
	points  []float32
	storeys []uint8
}

func (l *strokes) add(line []geom.Vec, from, to uint8, center geom.Vec) {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1].Sub(center), line[i].Sub(center)
		l.points = append(l.points, float32(a.X), float32(a.Y), float32(a.Z), float32(b.X), float32(b.Y), float32(b.Z))
		// A line between two storeys changes in its middle.
		first, second := from, from
		if 2*(i-1) >= len(line)-1 {
			first = to
		}
		if 2*i >= len(line)-1 {
			second = to
		}
		l.storeys = append(l.storeys, first, second)
	}
}

func (k *packer) lines(m *navmesh.Mesh, shapes draw.Shapes, s storeys, center geom.Vec) {
	var borders, portals, seams, links strokes
	for _, e := range shapes.Edges {
		at := s.of[e.Region]
		switch {
		case e.Behind < 0:
			borders.add(e.Line, at, at, center)
		case s.of[e.Behind] != at:
			seams.add(e.Line, at, at, center)
		default:
			portals.add(e.Line, at, at, center)
		}
	}
	number := make([]int, len(m.Tiles))
	for i := 1; i < len(m.Tiles); i++ {
		number[i] = number[i-1] + len(m.Tiles[i-1].Regions)
	}
	of := func(r navmesh.Ref) uint8 {
		if _, _, ok := m.Region(r); !ok {
			return 0
		}
		return s.of[number[r.Slot()]+r.Index()]
	}
	for i := range m.Links {
		if l := &m.Links[i]; l.Kind != navmesh.Boundary {
			links.add(draw.LinkArc(m, l, lift), of(l.From), of(l.To), center)
		}
	}
	for _, l := range []struct {
		name string
		of   *strokes
	}{{"borders", &borders}, {"portals", &portals}, {"seams", &seams}, {"links", &links}} {
		k.add(l.name, "f32", len(l.of.points), l.of.points)
		k.add(l.name+"Storeys", "u8", len(l.of.storeys), l.of.storeys)
	}
}

// packedLevel are the triangles of a level that have finite corners, and their arrays.
type packedLevel struct {
	triangles []draw.Triangle
	points    []float32
	corners   []uint32
	colors    []uint8
	palette   [][3]uint8
}

// packLevel packs the triangles of a level, which may be nil. Time O(n).
func packLevel(lvl *level.Level, center geom.Vec) (p packedLevel) {
	if lvl == nil {
		return p
	}
	points := newVertices(center, len(lvl.Vertices))
	list := draw.Level(lvl, draw.LevelOptions{Materials: slices.ContainsFunc(lvl.Materials, func(m level.Material) bool {
		return m.Color != [4]float32{1, 1, 1, 1}
	})})
	p.triangles = slices.DeleteFunc(list.Triangles, func(t draw.Triangle) bool {
		return !middleOf(t).IsFinite()
	})
	p.corners, p.colors = make([]uint32, 0, 3*len(p.triangles)), make([]uint8, 0, len(p.triangles))
	palette := map[draw.Color]uint8{}
	for _, t := range p.triangles {
		color, ok := palette[t.Fill]
		if !ok && len(palette) < 256 {
			color = uint8(len(palette))
			palette[t.Fill] = color
			p.palette = append(p.palette, [3]uint8{t.Fill.R, t.Fill.G, t.Fill.B})
		}
		p.corners = append(p.corners, points.add(t.P[0]), points.add(t.P[1]), points.add(t.P[2]))
		p.colors = append(p.colors, color)
	}
	p.points = points.list
	return p
}

// name tells triangles around a middle apart from others.
func (p packedLevel) name(middle geom.Vec) string {
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	for _, data := range []any{triple(middle), p.points, p.corners, p.colors, p.palette} {
		// The writer is a hash and the data numbers: neither fails.
		_ = binary.Write(sum, binary.LittleEndian, data)
	}
	return fmt.Sprintf("%d-%x", len(p.triangles), sum.Sum64())
}

// level adds a level to a scene, each triangle with the storey that it moves with. Without whole it adds the storeys alone.
func (k *packer) level(p packedLevel, whole bool, m *navmesh.Mesh, s storeys) {
	of := k.levelStoreys(p.triangles, p.corners, len(p.points)/3, m, s)
	if p.palette != nil {
		k.scene.Colors = p.palette
	}
	if whole {
		k.add("levelPoints", "f32", len(p.points), p.points)
		k.add("levelCorners", "u32", len(p.corners), p.corners)
	}
	k.add("levelStoreys", "u8", len(of), of)
	if whole {
		k.add("levelColors", "u8", len(p.colors), p.colors)
	}
}

func middleOf(t draw.Triangle) geom.Vec { return t.P[0].Add(t.P[1]).Add(t.P[2]).Scale(1.0 / 3) }

// levelStoreys returns the storey of every triangle: that of the floor beneath its middle, or just above. Triangles that are
// joined by corners move together, if nine tenths of their floor, or of all they have, are in a single storey.
func (k *packer) levelStoreys(triangles []draw.Triangle, corners []uint32, points int, m *navmesh.Mesh, s storeys) []uint8 {
	of := make([]uint8, len(triangles))
	if len(s.heights) < 2 {
		return of
	}
	q := query.NewIndex(m).NewQuery()
	first := make([]int, len(m.Tiles))
	for i := 1; i < len(m.Tiles); i++ {
		first[i] = first[i-1] + len(m.Tiles[i-1].Regions)
	}
	parts := unionfind.New(points)
	for i := 0; i < len(corners); i += 3 {
		parts.Union(int32(corners[i]), int32(corners[i+1]))
		parts.Union(int32(corners[i]), int32(corners[i+2]))
	}
	type share struct{ floor, all [mostStoreys]float64 }
	shares := map[int32]*share{}
	for i, t := range triangles {
		middle := middleOf(t)
		of[i] = s.below(middle.Y)
		at, ok := q.NearestWithin(middle, 2, k.scene.High[1]-k.scene.Low[1], 1)
		if ok {
			of[i] = s.of[first[at.Ref.Slot()]+at.Ref.Index()]
		}
		part := parts.Find(int32(corners[3*i]))
		if shares[part] == nil {
			shares[part] = &share{}
		}
		across := t.P[1].Sub(t.P[0]).Cross(t.P[2].Sub(t.P[0]))
		shares[part].all[of[i]] += across.Norm()
		if ok && math.Abs(at.Point.Y-middle.Y) < 0.5 && across.Y > 0.6*across.Norm() {
			shares[part].floor[of[i]] += across.Norm()
		}
	}
	whole := map[int32]uint8{}
	for part, share := range shares {
		measure := share.floor
		if measure == [mostStoreys]float64{} {
			measure = share.all
		}
		most, sum := 0, 0.0
		for storey, area := range measure {
			sum += area
			if area > measure[most] {
				most = storey
			}
		}
		if measure[most] >= 0.9*sum {
			whole[part] = uint8(most)
		}
	}
	for i := range of {
		if storey, ok := whole[parts.Find(int32(corners[3*i]))]; ok {
			of[i] = storey
		}
	}
	return of
}
