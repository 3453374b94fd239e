package flat

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/meadow-nav/meadow/geom"
)

// The types below are types of the Tiled map editor, named as in both of its formats.

type tiledMap struct {
	Orientation string         `json:"orientation" xml:"orientation,attr"`
	StaggerAxis string         `json:"staggeraxis" xml:"staggeraxis,attr"`
	Stagger     string         `json:"staggerindex" xml:"staggerindex,attr"`
	HexSide     float64        `json:"hexsidelength" xml:"hexsidelength,attr"`
	Width       int            `json:"width" xml:"width,attr"`
	Height      int            `json:"height" xml:"height,attr"`
	TileWidth   float64        `json:"tilewidth" xml:"tilewidth,attr"`
	TileHeight  float64        `json:"tileheight" xml:"tileheight,attr"`
	Infinite    tiledBool      `json:"infinite" xml:"infinite,attr"`
	Layers      []tiledLayer   `json:"layers" xml:",any"`
	TileSets    []tiledTileSet `json:"tilesets" xml:"tileset"`

	screenWidth float64 // of a tile that is drawn from the side
}

type tiledLayer struct {
	XMLName    xml.Name        `json:"-"`
	Type       string          `json:"type" xml:"-"`
	Name       string          `json:"name" xml:"name,attr"`
	Class      string          `json:"class" xml:"class,attr"`
	Width      int             `json:"width" xml:"width,attr"`
	Height     int             `json:"height" xml:"height,attr"`
	OffsetX    float64         `json:"offsetx" xml:"offsetx,attr"`
	OffsetY    float64         `json:"offsety" xml:"offsety,attr"`
	Properties tiledProperties `json:"properties" xml:"properties"`
	// Tile layers.
	Encoding    string          `json:"encoding" xml:"-"`
	Compression string          `json:"compression" xml:"-"`
	JSONData    json.RawMessage `json:"data" xml:"-"`
	XMLData     *tiledData      `json:"-" xml:"data"`
	Chunks      []tiledChunk    `json:"chunks" xml:"-"`
	// Object layers and groups.
	Objects []tiledObject `json:"objects" xml:"object"`
	Layers  []tiledLayer  `json:"layers" xml:",any"`
}

type tiledData struct {
	Encoding    string `xml:"encoding,attr"`
	Compression string `xml:"compression,attr"`
	tiledNumbers
	Chunks []tiledChunk `xml:"chunk"`
}

// tiledNumbers are tile numbers in XML.
type tiledNumbers struct {
	Text  string `xml:",chardata"`
	Tiles []struct {
		GID uint32 `xml:"gid,attr"`
	} `xml:"tile"`
}

// tiledChunk is a rectangle of the tiles of an infinite map.
type tiledChunk struct {
	X        int             `json:"x" xml:"x,attr"`
	Y        int             `json:"y" xml:"y,attr"`
	Width    int             `json:"width" xml:"width,attr"`
	Height   int             `json:"height" xml:"height,attr"`
	JSONData json.RawMessage `json:"data" xml:"-"`
	tiledNumbers
}

type tiledObject struct {
	ID         int             `json:"id" xml:"id,attr"`
	Name       string          `json:"name" xml:"name,attr"`
	Type       string          `json:"type" xml:"type,attr"`
	Class      string          `json:"class" xml:"class,attr"`
	X          float64         `json:"x" xml:"x,attr"`
	Y          float64         `json:"y" xml:"y,attr"`
	Width      float64         `json:"width" xml:"width,attr"`
	Height     float64         `json:"height" xml:"height,attr"`
	Rotation   float64         `json:"rotation" xml:"rotation,attr"`
	GID        uint32          `json:"gid" xml:"gid,attr"`
	Properties tiledProperties `json:"properties" xml:"properties"`
	Polygon    *tiledPoints    `json:"polygon" xml:"polygon"`
	Polyline   *tiledPoints    `json:"polyline" xml:"polyline"`
	Ellipse    *tiledMark      `json:"ellipse" xml:"ellipse"`
	Point      *tiledMark      `json:"point" xml:"point"`
	Text       *tiledMark      `json:"text" xml:"text"`
}

type tiledTileSet struct {
	FirstGID uint32 `json:"firstgid" xml:"firstgid,attr"`
	Source   string `json:"source" xml:"source,attr"`
	tiledTiles
}

// tiledTiles are the contents of a tile set.
type tiledTiles struct {
	TileHeight float64 `json:"tileheight" xml:"tileheight,attr"`
	TileWidth  float64 `json:"tilewidth" xml:"tilewidth,attr"`
	Tiles      []struct {
		ID         uint32          `json:"id" xml:"id,attr"`
		Type       string          `json:"type" xml:"type,attr"`
		Class      string          `json:"class" xml:"class,attr"`
		Properties tiledProperties `json:"properties" xml:"properties"`
		Group      *struct {
			Objects []tiledObject `json:"objects" xml:"object"`
		} `json:"objectgroup" xml:"objectgroup"`
	} `json:"tiles" xml:"tile"`
}

// tiledProperties are custom properties: an array in JSON, nested elements in XML.
type tiledProperties struct {
	List []tiledProperty `xml:"property"`
}

type tiledProperty struct {
	Name  string          `json:"name" xml:"name,attr"`
	Text  string          `json:"-" xml:"value,attr"`
	Value json.RawMessage `json:"value" xml:"-"`
}

// UnmarshalJSON reads the array.
func (p *tiledProperties) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &p.List) }

// obstacle reports whether a property makes its owner an obstacle.
func (p tiledProperties) obstacle() bool {
	for _, q := range p.List {
		if tellsObstacle(q.Name, q.text()) {
			return true
		}
	}
	return false
}

// tiledBool is true or false in JSON, 1 or 0 in XML.
type tiledBool bool

// UnmarshalText reads the attribute.
func (b *tiledBool) UnmarshalText(text []byte) error {
	*b = string(text) == "1" || string(text) == "true"
	return nil
}

// UnmarshalJSON reads the value.
func (b *tiledBool) UnmarshalJSON(text []byte) error { return b.UnmarshalText(text) }

// tiledMark is a property that is present or absent: an element in XML, true or an object in JSON.
type tiledMark struct{}

// UnmarshalJSON takes anything.
func (*tiledMark) UnmarshalJSON([]byte) error { return nil }

// tiledPoints are the points of a polygon: an array in JSON, text in XML.
type tiledPoints struct {
	Text string `xml:"points,attr"`
	List []struct{ X, Y float64 }
}

// UnmarshalJSON reads the array.
func (p *tiledPoints) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &p.List) }

// points returns the points of either form.
func (p *tiledPoints) points() ([]point, error) {
	var out []point
	for _, q := range p.List {
		out = append(out, point{q.X, q.Y})
	}
	for w := (words{text: p.Text}); ; {
		if w.skip(); w.at == len(w.text) {
			return out, nil
		}
		var q point
		if err := w.numbers(&q.x, &q.y); err != nil {
			return nil, fmt.Errorf("points: %w", err)
		}
		out = append(out, q)
	}
}

// decodeTMX reads the XML form.
func decodeTMX(data []byte, opt source) (drawing, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	data, err := plainXML(data)
	if err == nil {
		err = checkXML(data)
	}
	if err != nil {
		return nil, err
	}
	var m struct {
		XMLName xml.Name `xml:"map"`
		tiledMap
	}
	if err := xml.Unmarshal(data, &m); err != nil {
		return nil, xmlError(err)
	}
	return m.read(opt)
}

// decodeTMJ reads the JSON form.
func decodeTMJ(data []byte, opt source) (drawing, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	if n := bytes.Count(data, []byte("{")); n > maxParts {
		return nil, fmt.Errorf("%d JSON objects; the limit is %d", n, maxParts)
	}
	if err := checkJSON(data); err != nil {
		return nil, err
	}
	var m tiledMap
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fieldError(err)
	}
	return m.read(opt)
}

// tiledReader gathers the contents of a map.
type tiledReader struct {
	*tiledMap
	sketch
	tolerance float64
	blocked   map[uint32]bool // tiles that are obstacles
	solid     map[uint32]solidTile
	left, top int                 // the column and the row of the first cell, of infinite maps
	classes   map[uint32][]string // the names of tiles
	named     bool                // surfaces are wanted
	floor     []bool              // cells with a tile of a layer that is no obstacle; nil without such layers
	walls     []bool              // cells with a wall tile; nil if none
	plain     []feature           // objects that nothing makes an obstacle
	walled    []feature           // collision shapes of tiles
	other     int                 // objects without an area
	cells     int                 // of all layers
	room      int                 // points that surfaces may still have
}

// read reads a map: see docs/formats/maps.md for the rule.
func (m *tiledMap) read(opt source) (drawing, error) {
	switch m.Orientation {
	case "orthogonal":
	case "isometric", "staggered":
		// The ground is a grid of squares that is drawn from the side. Sizes on the ground are in heights of tiles.
	case "hexagonal":
		if !(m.HexSide >= 0 && (m.StaggerAxis == "x" && m.HexSide <= m.TileWidth || m.StaggerAxis == "y" && m.HexSide <= m.TileHeight)) {
			return nil, fmt.Errorf("a side of %g pixels of hexagons along %.20q", m.HexSide, m.StaggerAxis)
		}
	default:
		return nil, fmt.Errorf("unsupported orientation %.20q; supported: orthogonal, isometric, staggered, hexagonal", m.Orientation)
	}
	left, top := 0, 0
	if m.Infinite {
		var err error
		if left, top, err = m.extent(); err != nil {
			return nil, err
		}
	}
	if m.Width < 1 || m.Height < 1 || m.Width > maxCells || m.Height > maxCells || m.Width*m.Height > maxCells {
		return nil, fmt.Errorf("%d × %d tiles; want 1 to %d", m.Width, m.Height, maxCells)
	}
	if !(m.TileWidth > 0 && m.TileHeight > 0) {
		return nil, fmt.Errorf("tiles of %g × %g pixels", m.TileWidth, m.TileHeight)
	}
	if m.onSquares() {
		m.TileWidth, m.screenWidth = m.TileHeight, m.TileWidth
	}
	// A unit of the sketch is a pixel, a unit of the map is the width of a tile.
	scale := opt.Scale / m.TileWidth
	r := &tiledReader{
		tiledMap: m, sketch: sketch{scale: scale, down: true, limits: opt.Limits}, tolerance: opt.Tolerance / scale, blocked: map[uint32]bool{}, solid: map[uint32]solidTile{}, left: left, top: top, classes: map[uint32][]string{}, named: opt.Shapes, room: opt.Limits.Triangles,
	}
	r.page = r.pageOf()
	for _, set := range m.TileSets {
		if set.Source != "" {
			if err := set.load(opt.beside); err != nil {
				if fault := (*tileSetError)(nil); errors.As(err, &fault) {
					return nil, err
				}
				r.warn.Addf("tiled: the tile set %.60q is not read (%v): its tiles are obstacles only by their layers", set.Source, err)
			}
		}
		for _, t := range set.Tiles {
			if t.Group != nil && m.Orientation != "orthogonal" {
				r.warn.Addf("tiled: the collision shapes of tile %d are left out: they are read in orthogonal maps", t.ID)
			} else if t.Group != nil {
				rings, err := r.collisions(t.Group.Objects)
				if err != nil {
					return nil, fmt.Errorf("tile %d: %w", t.ID, err)
				}
				if len(rings) > 0 {
					r.solid[set.FirstGID+t.ID] = solidTile{rings, set.TileWidth, set.TileHeight}
				}
			}
			r.classes[set.FirstGID+t.ID] = nearest(t.Properties.labels(t.Type, t.Class))
			if isObstacleName(t.Type) || isObstacleName(t.Class) || t.Properties.obstacle() {
				r.blocked[set.FirstGID+t.ID] = true
			}
		}
	}
	if err := r.layers(m.Layers, point{}, false, "", nil, 0); err != nil {
		return nil, err
	}
	r.join()
	if r.other > 0 {
		r.warn.Addf("tiled: %d objects without an area left out", r.other)
	}
	return &r.sketch, nil
}

// layers reads layers and the groups of them.
func (r *tiledReader) layers(layers []tiledLayer, offset point, obstacle bool, in string, around []string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%.80s: nested deeper than %d groups", in, maxDepth)
	}
	for i := range layers {
		l := &layers[i]
		kind := l.Type
		if kind == "" {
			kind = l.XMLName.Local
		}
		where := in + fmt.Sprintf("layer %.80q", l.Name)
		at := point{offset.x + l.OffsetX, offset.y + l.OffsetY}
		blocks := obstacle || isObstacleName(l.Name) || isObstacleName(l.Class) || l.Properties.obstacle()
		labels := nearest(append(l.Properties.labels(l.Name, l.Class), around...))
		var err error
		switch kind {
		case "layer", "tilelayer":
			err = r.tiles(l, at, blocks, labels)
		case "objectgroup":
			err = r.objects(l, at, blocks, where, labels)
		case "group":
			if err := r.layers(l.Layers, at, blocks, where+", ", labels, depth+1); err != nil {
				return err
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	return nil
}

// flips are the bits for flips and turns in a tile number.
const flips = 0xf0000000

// tiles reads a tile layer.
func (r *tiledReader) tiles(l *tiledLayer, at point, blocks bool, labels []string) error {
	if at != (point{}) {
		return fmt.Errorf("a tile layer with an offset of %g, %g", at.x, at.y)
	}
	if !r.Infinite && (l.Width != r.Width || l.Height != r.Height) {
		return fmt.Errorf("%d × %d tiles in a map of %d × %d", l.Width, l.Height, r.Width, r.Height)
	}
	if r.cells += r.Width * r.Height; r.cells > 2*maxCells {
		return fmt.Errorf("%d × %d tiles; with them the layers have more than %d", r.Width, r.Height, 2*maxCells)
	}
	gids, err := r.gids(l)
	if err != nil {
		return err
	}
	if len(gids) != r.Width*r.Height {
		return fmt.Errorf("%d tiles, not %d", len(gids), r.Width*r.Height)
	}
	mark := func(cells *[]bool, i int) {
		if *cells == nil {
			*cells = make([]bool, len(gids))
		}
		(*cells)[i] = true
	}
	for i, gid := range gids {
		if s, ok := r.solid[gid&^flips]; ok && !blocks && !r.blocked[gid&^flips] {
			if err := r.addSolid(s, gid, i); err != nil {
				return err
			}
		}
		switch gid &^= flips; {
		case gid == 0:
		case blocks || r.blocked[gid]:
			mark(&r.walls, i)
		default:
			mark(&r.floor, i)
		}
	}
	if r.named {
		r.addSurfaces(gids, labels)
	}
	return nil
}

// addSurfaces makes shapes of the tiles of a layer: one shape for each list of names, in the order of appearance.
func (r *tiledReader) addSurfaces(gids []uint32, labels []string) {
	byTile, byName := map[uint32]int{}, map[string]int{} // looked up only
	var names [][]string
	var cells [][]int
	for i, gid := range gids {
		if gid &^= flips; gid == 0 {
			continue
		}
		k, known := byTile[gid]
		if !known {
			all := slices.Concat(r.classes[gid], labels)
			key := strings.Join(all, "\x00")
			if k, known = byName[key]; !known {
				k = len(names)
				byName[key] = k
				names, cells = append(names, all), append(cells, nil)
			}
			byTile[gid] = k
		}
		cells[k] = append(cells[k], i)
	}
	for k := range names {
		r.surfaces = append(r.surfaces, feature{
			where: "the tiles", labels: names[k], rings: r.cellRings(cells[k], &r.room),
		})
	}
}

// labels returns the names that are not empty, then the properties.
func (p tiledProperties) labels(names ...string) []string {
	out := slices.DeleteFunc(names, func(s string) bool { return s == "" })
	for _, q := range p.List {
		out = appendLabels(out, q.Name, q.text())
	}
	return out
}

// text returns the value of a property.
func (q tiledProperty) text() string {
	if q.Value != nil {
		return strings.Trim(string(q.Value), `"`)
	}
	return q.Text
}

// gids returns the tile numbers of a layer.
func (l *tiledLayer) gids(want int) ([]uint32, error) {
	encoding, compression, text := l.Encoding, l.Compression, ""
	switch d := l.XMLData; {
	case d != nil:
		if encoding, compression, text = d.Encoding, d.Compression, d.Text; encoding == "" {
			var gids []uint32
			for _, t := range d.Tiles {
				gids = append(gids, t.GID)
			}
			return gids, nil
		}
	default:
		return jsonGIDs(l.JSONData, encoding, compression, want)
	}
	return textGIDs(text, encoding, compression, want)
}

// jsonGIDs returns the tile numbers in an array, or in base64 text.
func jsonGIDs(data json.RawMessage, encoding, compression string, want int) ([]uint32, error) {
	if encoding == "base64" {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return nil, errors.New("the data is not text")
		}
		return unpack(text, compression, want)
	}
	var gids []uint32
	if err := json.Unmarshal(data, &gids); err != nil {
		return nil, errors.New("the data is not an array of tile numbers")
	}
	return gids, nil
}

// textGIDs returns the tile numbers in the text of an element.
func textGIDs(text, encoding, compression string, want int) ([]uint32, error) {
	switch encoding {
	case "csv":
		var gids []uint32
		for i, word := range strings.Split(strings.TrimSpace(text), ",") {
			gid, err := strconv.ParseUint(strings.TrimSpace(word), 10, 32)
			if err != nil {
				return nil, fmt.Errorf("tile %d is %.20q; want a tile number", i, word)
			}
			gids = append(gids, uint32(gid))
		}
		return gids, nil
	case "base64":
		return unpack(text, compression, want)
	}
	return nil, fmt.Errorf("encoding %.20q is neither csv nor base64", encoding)
}

// unpack reads tile numbers out of base64 text, compressed or not. It reads at most one number more than
// want, however well the data is packed.
func unpack(text, compression string, want int) ([]uint32, error) {
	packed, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, fmt.Errorf("invalid base64 data: %w", err)
	}
	var from io.Reader = bytes.NewReader(packed)
	switch compression {
	case "":
	case "zlib":
		from, err = zlib.NewReader(from)
	case "gzip":
		from, err = gzip.NewReader(from)
	case "zstd":
		var frames *zstd.Decoder
		if frames, err = zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(1<<27)); err == nil {
			defer frames.Close()
			from = frames
		}
	default:
		err = errors.New("unsupported; supported: zlib, gzip, zstd")
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(from, 4*int64(want)+4))
	}
	if err != nil {
		return nil, fmt.Errorf("compression %.20q: %w", compression, err)
	}
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("%d bytes are not a whole number of tiles", len(data))
	}
	gids := make([]uint32, len(data)/4)
	for i := range gids {
		gids[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return gids, nil
}

// objects reads an object layer.
func (r *tiledReader) objects(l *tiledLayer, at point, blocks bool, where string, labels []string) error {
	for i := range l.Objects {
		o := &l.Objects[i]
		name := fmt.Sprintf("%s, object %d", where, o.ID)
		rings, err := r.objectRings(o, r.toGround().times(affine{1, 0, 0, 1, at.x, at.y}))
		if err != nil {
			return fmt.Errorf("object %d: %w", o.ID, err)
		}
		if rings == nil {
			r.other++
			continue
		}
		f := feature{where: name, rings: rings, labels: nearest(append(o.Properties.labels(o.Name, o.Type, o.Class), labels...))}
		if r.named {
			r.surfaces = append(r.surfaces, f)
		}
		if f.obstacle = blocks || isObstacleName(o.Name) || isObstacleName(o.Type) || isObstacleName(o.Class) || o.Properties.obstacle(); f.obstacle {
			r.features = append(r.features, f)
		} else {
			r.plain = append(r.plain, f)
		}
	}
	return nil
}

// objectRings returns the rings of an object, nil for an object without an area. to places the object.
func (r *tiledReader) objectRings(o *tiledObject, to affine) ([][]point, error) {
	if o.GID != 0 || o.Polyline != nil || o.Point != nil || o.Text != nil || o.Polygon == nil && (o.Width == 0 || o.Height == 0) {
		return nil, nil
	}
	sin, cos := geom.SincosDegrees(o.Rotation)
	p := &pen{
		tolerance: r.tolerance, far: farAway / r.scale, room: r.limits.Triangles, limits: r.limits,
		to: to.times(affine{a: cos, b: sin, c: -sin, d: cos, e: o.X, f: o.Y}),
	}
	switch {
	case o.Polygon != nil:
		points, err := o.Polygon.points()
		if err != nil {
			return nil, err
		}
		for _, q := range points {
			p.line(q)
		}
	case o.Ellipse != nil:
		p.ellipse(point{o.Width / 2, o.Height / 2}, o.Width/2, o.Height/2)
	default:
		p.line(point{0, 0})
		p.line(point{o.Width, 0})
		p.line(point{o.Width, o.Height})
		p.line(point{0, o.Height})
	}
	return p.done()
}

// join puts tiles and objects together. Where tiles are the floor, objects that are no obstacles are marks of
// the author's, such as places to start from, and no floor.
func (r *tiledReader) join() {
	add := func(where string, cells []bool, obstacle bool) {
		if cells == nil {
			return
		}
		var marked []int
		for i, in := range cells {
			if in {
				marked = append(marked, i)
			}
		}
		room := r.limits.Triangles
		r.features = append(r.features, feature{where: where, obstacle: obstacle, rings: r.cellRings(marked, &room)})
	}
	add("the tiles", r.floor, false)
	add("the tiles that are obstacles", r.walls, true)
	r.features = append(r.features, r.walled...)
	if r.floor == nil {
		r.features = append(r.features, r.plain...)
		return
	}
	if len(r.plain) > 0 {
		r.warn.Addf("tiled: tiles are the floor; left out %d objects other than obstacles, the first is %s", len(r.plain), r.plain[0].where)
	}
}

// cellRings returns the borders of cells, given by their ascending numbers row by row, in pixels. It subtracts its
// points from room, and stops soon after room is used up: the lattice then refuses the map.
func (r *tiledReader) cellRings(cells []int, room *int) [][]point {
	var rings [][]point
	if r.Orientation == "hexagonal" || r.Orientation == "staggered" {
		for _, i := range cells {
			if *room < 0 {
				break
			}
			ring := r.cell(r.left+i%r.Width, r.top+i/r.Width)
			*room -= len(ring)
			rings = append(rings, ring)
		}
		return rings
	}
	width := r.Width
	for i := 0; i < len(cells) && *room >= 0; {
		y, begin, end := cells[i]/width, cells[i]%width, cells[i]%width
		for i < len(cells) && cells[i] == y*width+end && end < width {
			i, end = i+1, end+1
		}
		// A run of cells. Runs of neighbouring rows share parts of their borders, which the even-odd
		// rule cancels.
		x0, x1 := float64(r.left+begin)*r.TileWidth, float64(r.left+end)*r.TileWidth
		y0, y1 := float64(r.top+y)*r.TileHeight, float64(r.top+y+1)*r.TileHeight
		*room -= 4
		rings = append(rings, []point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
	}
	return rings
}
