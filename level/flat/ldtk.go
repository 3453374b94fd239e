package flat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/level/internal/input"
)

// The types below are types of the LDtk editor's projects, versions 0.9 and 1.

type ldtkProject struct {
	Version  string      `json:"jsonVersion"`
	Layout   string      `json:"worldLayout"`
	GridSize float64     `json:"defaultGridSize"`
	Levels   []ldtkLevel `json:"levels"`
	Worlds   []struct {
		Name   string      `json:"identifier"`
		Layout string      `json:"worldLayout"`
		Levels []ldtkLevel `json:"levels"`
	} `json:"worlds"`
	Defs struct {
		Layers   []ldtkLayerDef `json:"layers"`
		TileSets []ldtkTileSet  `json:"tilesets"`
	} `json:"defs"`
}

type ldtkLayerDef struct {
	Name     string  `json:"identifier"`
	UID      int     `json:"uid"`
	Type     string  `json:"type"`
	GridSize float64 `json:"gridSize"`
	Values   []struct {
		Value int    `json:"value"`
		Name  string `json:"identifier"`
		Group int    `json:"groupUid"`
	} `json:"intGridValues"`
	Groups []struct {
		UID  int    `json:"uid"`
		Name string `json:"identifier"`
	} `json:"intGridValuesGroups"`
}

type ldtkTileSet struct {
	UID      int     `json:"uid"`
	TileSize float64 `json:"tileGridSize"`
	Enums    []struct {
		Name  string `json:"enumValueId"`
		Tiles []int  `json:"tileIds"`
	} `json:"enumTags"`
	Custom []struct {
		Tile int    `json:"tileId"`
		Text string `json:"data"`
	} `json:"customData"`
}

type ldtkLevel struct {
	Name   string      `json:"identifier"`
	X      float64     `json:"worldX"`
	Y      float64     `json:"worldY"`
	Depth  int         `json:"worldDepth"`
	Width  float64     `json:"pxWid"`
	Height float64     `json:"pxHei"`
	File   string      `json:"externalRelPath"`
	Layers []ldtkLayer `json:"layerInstances"`
}

type ldtkLayer struct {
	Name      string       `json:"__identifier"`
	Type      string       `json:"__type"`
	Columns   int          `json:"__cWid"`
	Rows      int          `json:"__cHei"`
	GridSize  float64      `json:"__gridSize"`
	OffsetX   float64      `json:"__pxTotalOffsetX"`
	OffsetY   float64      `json:"__pxTotalOffsetY"`
	Def       int          `json:"layerDefUid"`
	TileSet   *int         `json:"__tilesetDefUid"`
	Values    []int        `json:"intGridCsv"`
	AutoTiles []ldtkTile   `json:"autoLayerTiles"`
	Tiles     []ldtkTile   `json:"gridTiles"`
	Entities  []ldtkEntity `json:"entityInstances"`
}

type ldtkTile struct {
	At []float64 `json:"px"`
	ID int       `json:"t"`
}

type ldtkEntity struct {
	Name   string    `json:"__identifier"`
	Tags   []string  `json:"__tags"`
	Pivot  []float64 `json:"__pivot"`
	At     []float64 `json:"px"`
	Width  float64   `json:"width"`
	Height float64   `json:"height"`
	Fields []struct {
		Name  string          `json:"__identifier"`
		Value json.RawMessage `json:"__value"`
	} `json:"fieldInstances"`
}

// ldtkGap is the distance of levels in linear layouts, in cells: such levels are places of their own.
const ldtkGap = 2

// decodeLDtk reads a project: see docs/formats/maps.md for the rule.
func decodeLDtk(data []byte, opt source) (drawing, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	r := &ldtkReader{
		sketch: sketch{down: true, limits: opt.Limits}, named: opt.Shapes, room: opt.Limits.Triangles,
		defs: map[int]*ldtkLayerDef{}, sets: map[int]*ldtkTileSet{}, tiles: map[[2]int][]string{},
	}
	var p ldtkProject
	if err := r.parse(data, &p); err != nil {
		return nil, err
	}
	if major, rest, _ := strings.Cut(p.Version, "."); major != "1" && (major != "0" || !strings.HasPrefix(rest, "9.")) {
		return nil, fmt.Errorf("unsupported version %.20q of the project; supported: 0.9 and 1; save the project with LDtk 1", p.Version)
	}
	switch {
	case len(p.Worlds) > 1:
		return nil, fmt.Errorf("%d worlds, the first are %.60q and %.60q; want one: save each world as a project", len(p.Worlds), p.Worlds[0].Name, p.Worlds[1].Name)
	case len(p.Worlds) == 1:
		p.Levels, p.Layout = p.Worlds[0].Levels, p.Worlds[0].Layout
	}
	return r.read(&p, opt)
}

// ldtkReader gathers the contents of a project.
type ldtkReader struct {
	sketch
	defs    map[int]*ldtkLayerDef // looked up only
	sets    map[int]*ldtkTileSet  // looked up only
	tiles   map[[2]int][]string   // the names of tiles by tile set and number; looked up only
	named   bool                  // surfaces are wanted
	objects int                   // objects of JSON
	cells   int                   // of all layers, and cells of tiles
	room    int                   // points that shapes may still have
	other   int                   // entities that are neither floor nor obstacle
}

// parse reads JSON, of which all files together have a bounded number of objects.
func (r *ldtkReader) parse(data []byte, into any) error {
	if r.objects += bytes.Count(data, []byte("{")); r.objects > maxParts {
		return fmt.Errorf("%d JSON objects; the limit is %d", r.objects, maxParts)
	}
	if err := checkJSON(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fieldError(err)
	}
	return nil
}

// read reads the levels of the project that the options ask for.
func (r *ldtkReader) read(p *ldtkProject, opt source) (drawing, error) {
	unit := p.unit()
	if !(unit > 0) {
		return nil, fmt.Errorf("cells of %g pixels", unit)
	}
	r.scale = opt.Scale / unit
	for i := range p.Defs.Layers {
		r.defs[p.Defs.Layers[i].UID] = &p.Defs.Layers[i]
	}
	for i := range p.Defs.TileSets {
		set := &p.Defs.TileSets[i]
		r.sets[set.UID] = set
		for _, tag := range set.Enums {
			for _, id := range tag.Tiles {
				key := [2]int{set.UID, id}
				r.tiles[key] = nearest(append(r.tiles[key], tag.Name))
			}
		}
		for _, c := range set.Custom {
			key := [2]int{set.UID, c.Tile}
			r.tiles[key] = nearest(append(r.tiles[key], strings.TrimSpace(c.Text)))
		}
	}
	if err := p.place(unit); err != nil {
		return nil, err
	}
	levels, err := r.choose(p.Levels, opt.Level)
	if err != nil {
		return nil, err
	}
	for i := range levels {
		if err := r.level(&levels[i], opt.beside); err != nil {
			return nil, fmt.Errorf("level %.80q: %w", levels[i].Name, err)
		}
	}
	if r.other > 0 {
		r.warn.Addf("ldtk: %d entities left out that are neither floor nor obstacle by a name", r.other)
	}
	return &r.sketch, nil
}

// unit returns the pixels of a cell: of the first layer of numbers, else of the first layer, else of new layers.
func (p *ldtkProject) unit() float64 {
	for _, d := range p.Defs.Layers {
		if d.Type == "IntGrid" {
			return d.GridSize
		}
	}
	if len(p.Defs.Layers) > 0 {
		return p.Defs.Layers[0].GridSize
	}
	return p.GridSize
}

// place gives levels of linear layouts their places: the file has none.
func (p *ldtkProject) place(unit float64) error {
	at := 0.0
	for i := range p.Levels {
		l := &p.Levels[i]
		if !(l.Width > 0 && l.Height > 0) {
			return fmt.Errorf("level %.80q: %g × %g pixels", l.Name, l.Width, l.Height)
		}
		switch p.Layout {
		case "Free", "GridVania":
		case "LinearHorizontal":
			l.X, l.Y = at, 0
			at += l.Width + float64(ldtkGap*unit)
		case "LinearVertical":
			l.X, l.Y = 0, at
			at += l.Height + float64(ldtkGap*unit)
		default:
			return fmt.Errorf("unsupported layout %.40q; supported: Free, GridVania, LinearHorizontal, LinearVertical", p.Layout)
		}
	}
	return nil
}

// choose returns the level of a name, or else the levels of one depth: depth 0, or the depth of the first level where
// depth 0 has none.
func (r *ldtkReader) choose(levels []ldtkLevel, name string) ([]ldtkLevel, error) {
	if len(levels) == 0 {
		return nil, errors.New("the project has no level")
	}
	if name != "" {
		i := slices.IndexFunc(levels, func(l ldtkLevel) bool { return l.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no level %.80q; the first of %d is %.80q", name, len(levels), levels[0].Name)
		}
		return levels[i : i+1], nil
	}
	depth := levels[0].Depth
	for _, l := range levels {
		if l.Depth == 0 {
			depth = 0
		}
	}
	var out []ldtkLevel
	first := ""
	for _, l := range levels {
		switch {
		case l.Depth == depth:
			out = append(out, l)
		case first == "":
			first = l.Name
		}
	}
	if n := len(levels) - len(out); n > 0 {
		r.warn.Addf("ldtk: %d levels left out: they are not at depth %d of the world; the first is %.80q", n, depth, first)
	}
	return out, nil
}

// level reads one level.
func (r *ldtkReader) level(l *ldtkLevel, beside *input.Files) error {
	if l.Layers == nil && l.File != "" {
		data, err := beside.Read(l.File)
		if err != nil {
			r.warn.Addf("ldtk: level %.80q is left out: its file %.60q is not read (%v)", l.Name, l.File, err)
			return nil
		}
		var own struct {
			Layers []ldtkLayer `json:"layerInstances"`
		}
		if err := r.parse(bytes.TrimPrefix(data, []byte("\ufeff")), &own); err != nil {
			return fmt.Errorf("file %.60q: %w", l.File, err)
		}
		l.Layers = own.Layers
	}
	before := len(r.features)
	for i := range l.Layers {
		if err := r.layer(l, &l.Layers[i]); err != nil {
			return fmt.Errorf("layer %.80q: %w", l.Layers[i].Name, err)
		}
	}
	if !slices.ContainsFunc(r.features[before:], func(f feature) bool { return !f.obstacle }) {
		r.features = append(r.features, feature{
			where: fmt.Sprintf("level %.80q", l.Name),
			rings: [][]point{rectangle(l.X, l.Y, l.X+l.Width, l.Y+l.Height)},
		})
	}
	return nil
}

// layer reads a layer of a level.
func (r *ldtkReader) layer(l *ldtkLevel, y *ldtkLayer) error {
	switch y.Type {
	case "Entities":
		for i := range y.Entities {
			if err := r.entity(l, y, &y.Entities[i]); err != nil {
				return fmt.Errorf("entity %d, %.80q: %w", i, y.Entities[i].Name, err)
			}
		}
		return nil
	case "IntGrid", "Tiles", "AutoLayer":
	default:
		return fmt.Errorf("unknown type %.20q; want IntGrid, Tiles, AutoLayer or Entities", y.Type)
	}
	if y.Columns < 1 || y.Rows < 1 || y.Columns > maxCells || y.Rows > maxCells || y.Columns*y.Rows > maxCells {
		return fmt.Errorf("%d × %d cells; want 1 to %d", y.Columns, y.Rows, maxCells)
	}
	if !(y.GridSize > 0) {
		return fmt.Errorf("cells of %g pixels", y.GridSize)
	}
	if err := r.spend(y.Columns * y.Rows); err != nil {
		return err
	}
	c := &ldtkCells{reader: r, level: l, layer: y}
	if y.Type == "IntGrid" {
		if err := c.values(); err != nil {
			return err
		}
	}
	tiles := y.Tiles
	if len(tiles) == 0 {
		tiles = y.AutoTiles
	}
	if err := c.tiles(tiles); err != nil {
		return err
	}
	c.done()
	if r.room < 0 {
		return fmt.Errorf("%w in the map", r.limits.CheckPoints(r.limits.Triangles+1))
	}
	return nil
}

// spend counts cells.
func (r *ldtkReader) spend(cells int) error {
	if r.cells += cells; r.cells > 2*maxCells {
		return fmt.Errorf("the layers of all levels have more than %d cells, with the cells of their tiles", 2*maxCells)
	}
	return nil
}

// ldtkKind is the meaning of a value or a tile.
type ldtkKind struct {
	obstacle, free bool
	labels         []string
	cells          []int32 // for surfaces
}

// kindOf returns the meaning of names.
func kindOf(names []string) *ldtkKind {
	k := &ldtkKind{}
	for _, name := range names {
		if name == "" {
			continue
		}
		k.labels = append(k.labels, name)
		k.obstacle = k.obstacle || tellsObstacle(name, "true")
		k.free = k.free || isFreeName(name)
	}
	return k
}

// ldtkCells are the cells of a layer.
type ldtkCells struct {
	reader      *ldtkReader
	level       *ldtkLevel
	layer       *ldtkLayer
	kinds       []*ldtkKind // in the order of appearance
	walls, free []bool      // nil if none
}

// mark gives a cell a meaning.
func (c *ldtkCells) mark(i int, k *ldtkKind) {
	set := func(cells *[]bool) {
		if *cells == nil {
			*cells = make([]bool, c.layer.Columns*c.layer.Rows)
		}
		(*cells)[i] = true
	}
	if k.obstacle {
		set(&c.walls)
	} else if k.free {
		set(&c.free)
	}
	if c.reader.named {
		k.cells = append(k.cells, int32(i))
	}
}

// values reads the numbers of the cells.
func (c *ldtkCells) values() error {
	y := c.layer
	if len(y.Values) != y.Columns*y.Rows {
		return fmt.Errorf("%d values, not %d × %d", len(y.Values), y.Columns, y.Rows)
	}
	kinds := map[int]*ldtkKind{} // looked up only
	anyName, anyWall := false, false
	if def := c.reader.defs[y.Def]; def != nil {
		groups := map[int]string{} // looked up only
		for _, g := range def.Groups {
			groups[g.UID] = g.Name
		}
		for _, v := range def.Values {
			k := kindOf([]string{v.Name, groups[v.Group]})
			kinds[v.Value] = k
			anyName, anyWall = anyName || len(k.labels) > 0, anyWall || k.obstacle
		}
	}
	// Where no value is a wall by its name, the name of the layer tells of all values; without any name they are walls.
	whole := kindOf([]string{y.Name})
	allWalls := !anyWall && (whole.obstacle || !anyName && !whole.free)
	allFree := whole.free && !whole.obstacle
	told := map[int]bool{} // looked up only
	for i, v := range y.Values {
		if v == 0 {
			continue
		}
		if v < 0 {
			return fmt.Errorf("cell %d, %d: value %d; want 0 or more", i%y.Columns, i/y.Columns, v)
		}
		k := kinds[v]
		if k == nil {
			k = &ldtkKind{}
			kinds[v] = k
		}
		if !told[v] {
			told[v] = true
			k.obstacle, k.free = k.obstacle || allWalls, k.free || allFree
			k.labels = append(k.labels, y.Name, c.level.Name)
			c.kinds = append(c.kinds, k)
		}
		c.mark(i, k)
	}
	return nil
}

// tiles reads tiles. A tile covers the cells with their middle in the tile.
func (c *ldtkCells) tiles(tiles []ldtkTile) error {
	y, uid, size := c.layer, 0, c.layer.GridSize
	if y.TileSet != nil {
		uid = *y.TileSet
		if set := c.reader.sets[uid]; set != nil && set.TileSize > 0 {
			size = set.TileSize
		}
	}
	kinds := map[int]*ldtkKind{} // looked up only
	span := func(from float64, cells int) (int, int) {
		low := math.Ceil(from/y.GridSize - 0.5)
		high := math.Ceil((from+size)/y.GridSize - 0.5)
		return int(min(max(low, 0), float64(cells))), int(min(max(high, 0), float64(cells)))
	}
	for i, t := range tiles {
		if len(t.At) != 2 {
			return fmt.Errorf("tile %d: %d coordinates, not 2", i, len(t.At))
		}
		k := kinds[t.ID]
		if k == nil {
			names := slices.Clone(c.reader.tiles[[2]int{uid, t.ID}])
			if y.Type != "IntGrid" {
				names = append(names, y.Name)
			}
			k = kindOf(names)
			k.labels = append(k.labels, c.level.Name)
			kinds[t.ID] = k
			c.kinds = append(c.kinds, k)
		}
		left, right := span(t.At[0], y.Columns)
		top, bottom := span(t.At[1], y.Rows)
		if left >= right || top >= bottom {
			continue
		}
		if err := c.reader.spend((right - left) * (bottom - top)); err != nil {
			return fmt.Errorf("tile %d in cell %d, %d: %w", i, left, top, err)
		}
		for row := top; row < bottom; row++ {
			for column := left; column < right; column++ {
				c.mark(row*y.Columns+column, k)
			}
		}
	}
	return nil
}

// done makes features and surfaces of the cells.
func (c *ldtkCells) done() {
	r := c.reader
	where := fmt.Sprintf("level %.80q, layer %.80q", c.level.Name, c.layer.Name)
	add := func(cells []bool, obstacle bool) {
		if cells == nil {
			return
		}
		next := 0
		rings := c.rings(func() (int, bool) {
			for ; next < len(cells); next++ {
				if cells[next] {
					next++
					return next - 1, true
				}
			}
			return 0, false
		})
		if len(rings) > 0 {
			r.features = append(r.features, feature{where: where, obstacle: obstacle, rings: rings})
		}
	}
	add(c.free, false)
	add(c.walls, true)
	for _, k := range c.kinds {
		if len(k.cells) == 0 {
			continue
		}
		slices.Sort(k.cells)
		cells, next := slices.Compact(k.cells), 0
		rings := c.rings(func() (int, bool) {
			if next == len(cells) {
				return 0, false
			}
			next++
			return int(cells[next-1]), true
		})
		r.surfaces = append(r.surfaces, feature{where: where, labels: nearest(k.labels), rings: rings})
		k.cells = nil
	}
}

// rings returns the borders of ascending cells in pixels of the world, cut off at the border of the level. It stops soon
// after the room for points is used up.
func (c *ldtkCells) rings(next func() (int, bool)) [][]point {
	l, y, r := c.level, c.layer, c.reader
	var rings [][]point
	x := func(column int) float64 {
		return l.X + min(max(y.OffsetX+float64(float64(column)*y.GridSize), 0), l.Width)
	}
	z := func(row int) float64 {
		return l.Y + min(max(y.OffsetY+float64(float64(row)*y.GridSize), 0), l.Height)
	}
	i, more := next()
	for more && r.room >= 0 {
		row, begin, end := i/y.Columns, i%y.Columns, i%y.Columns
		for more && i == row*y.Columns+end && end < y.Columns {
			end++
			i, more = next()
		}
		// Runs of neighbouring rows share parts of their borders, which the even-odd rule cancels.
		if x0, y0, x1, y1 := x(begin), z(row), x(end), z(row+1); x0 < x1 && y0 < y1 {
			r.room -= 4
			rings = append(rings, rectangle(x0, y0, x1, y1))
		}
	}
	return rings
}

// rectangle returns a rectangle as a ring.
func rectangle(x0, y0, x1, y1 float64) []point {
	return []point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// entity reads an entity: a rectangle.
func (r *ldtkReader) entity(l *ldtkLevel, y *ldtkLayer, e *ldtkEntity) error {
	if len(e.At) != 2 || len(e.Pivot) != 0 && len(e.Pivot) != 2 {
		return fmt.Errorf("%d coordinates and a pivot of %d, not 2", len(e.At), len(e.Pivot))
	}
	k := kindOf(append([]string{e.Name}, e.Tags...))
	for _, field := range e.Fields {
		value := strings.Trim(string(field.Value), `"`)
		k.obstacle = k.obstacle || tellsObstacle(field.Name, value)
		if k.labels = nearest(k.labels); len(k.labels) < maxLabels {
			k.labels = appendLabels(k.labels, field.Name, value)
		}
	}
	whole := kindOf([]string{y.Name})
	k.obstacle, k.free = k.obstacle || whole.obstacle, k.free || whole.free
	if !(e.Width > 0 && e.Height > 0) {
		r.other++
		return nil
	}
	left, top := l.X+y.OffsetX+e.At[0], l.Y+y.OffsetY+e.At[1]
	if len(e.Pivot) == 2 {
		left, top = left-float64(e.Pivot[0]*e.Width), top-float64(e.Pivot[1]*e.Height)
	}
	f := feature{
		where:    fmt.Sprintf("level %.80q, layer %.80q, entity %.80q at %g, %g", l.Name, y.Name, e.Name, e.At[0], e.At[1]),
		obstacle: k.obstacle, labels: nearest(append(k.labels, y.Name, l.Name)),
		rings: [][]point{rectangle(left, top, left+e.Width, top+e.Height)},
	}
	if r.named {
		r.surfaces = append(r.surfaces, f)
	}
	if k.obstacle || k.free {
		r.features = append(r.features, f)
	} else {
		r.other++
	}
	return nil
}
