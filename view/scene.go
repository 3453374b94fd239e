package view

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
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

// scene is the head of a page's draw data. The arrays follow as sections: little-endian, each at a multiple of four bytes
// behind the head. Positions are in metres from Center.
type scene struct {
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
	Colors   [][3]uint8          `json:"colors"` // of the level
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
	scene scene
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

func newVertices(center geom.Vec) *vertices {
	return &vertices{center: center, number: map[[3]float32]uint32{}}
}

// pack makes the draw data of a page.
func pack(p Page) ([]byte, error) {
	box := p.Mesh.Bounds()
	if p.Level != nil {
		for _, v := range p.Level.Vertices {
			if v.IsFinite() {
				box = box.Extend(v)
			}
		}
	}
	if box.IsEmpty() {
		box = geom.Box{}
	}
	center := box.Min.Add(box.Max).Scale(0.5)
	k := &packer{scene: scene{
		Title: p.Title, Facts: p.Facts, Notes: p.Notes, Center: triple(center),
		Low: triple(box.Min.Sub(center)), High: triple(box.Max.Sub(center)),
		Radius: p.Mesh.Agent.Radius, Tall: p.Mesh.Agent.Height,
		Storeys: []float64{}, Grounds: p.Mesh.Areas, Colors: [][3]uint8{}, Sections: map[string]*section{},
	}}
	session := ask.New(p.Mesh)
	shapes := draw.MeshShapes(p.Mesh, lift)
	storeys := storeysOf(p.Mesh, shapes)
	for _, height := range storeys.heights {
		k.scene.Storeys = append(k.scene.Storeys, height-center.Y)
	}
	k.regions(p.Mesh, shapes, storeys, center)
	k.lines(p.Mesh, shapes, storeys, center)
	k.level(p.Level, p.Mesh, storeys, center)
	if p.Path {
		path, err := session.Path(p.Context, triple(p.Start), triple(p.Goal), p.Mesh.Agent.Radius+p.Mesh.Agent.MaxClimb)
		if err != nil {
			return nil, err
		}
		k.scene.Path = &path
	}
	return k.bytes()
}

func triple(v geom.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// storeys are the heights of a mesh at which much of its floor lies, and the storey of every region.
type storeys struct {
	heights []float64
	of      []uint8
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
	s := storeys{of: make([]uint8, number)}
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
	points := newVertices(center)
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

// level packs the triangles of a level, each with the storey that it moves with.
func (k *packer) level(lvl *level.Level, m *navmesh.Mesh, s storeys, center geom.Vec) {
	points := newVertices(center)
	var corners []uint32
	var colors, of []uint8
	if lvl != nil {
		list := draw.Level(lvl, draw.LevelOptions{Materials: slices.ContainsFunc(lvl.Materials, func(m level.Material) bool {
			return m.Color != [4]float32{1, 1, 1, 1}
		})})
		list.Triangles = slices.DeleteFunc(list.Triangles, func(t draw.Triangle) bool {
			return !middleOf(t).IsFinite()
		})
		palette := map[draw.Color]uint8{}
		for _, t := range list.Triangles {
			color, ok := palette[t.Fill]
			if !ok && len(palette) < 256 {
				color = uint8(len(palette))
				palette[t.Fill] = color
				k.scene.Colors = append(k.scene.Colors, [3]uint8{t.Fill.R, t.Fill.G, t.Fill.B})
			}
			corners = append(corners, points.add(t.P[0]), points.add(t.P[1]), points.add(t.P[2]))
			colors = append(colors, color)
		}
		of = k.levelStoreys(list.Triangles, corners, len(points.number), m, s)
	}
	k.add("levelPoints", "f32", len(points.list), points.list)
	k.add("levelCorners", "u32", len(corners), corners)
	k.add("levelStoreys", "u8", len(of), of)
	k.add("levelColors", "u8", len(colors), colors)
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
