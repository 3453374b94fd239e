package flat

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"

	"github.com/meadow-nav/meadow/level/internal/input"
)

// tileSetError is the error of a tile set that was found and cannot be read.
type tileSetError struct {
	source string
	err    error
}

func (e *tileSetError) Error() string { return fmt.Sprintf("tile set %.60q: %v", e.source, e.err) }

func (e *tileSetError) Unwrap() error { return e.err }

// load reads the tile set in a file of its own, as XML or as JSON.
func (s *tiledTileSet) load(beside *input.Files) error {
	data, err := beside.Read(s.Source)
	if err != nil {
		return err
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(text) > 0 && text[0] == '{' {
		if n := bytes.Count(text, []byte("{")); n > maxParts {
			return &tileSetError{s.Source, fmt.Errorf("%d JSON objects; the limit is %d", n, maxParts)}
		}
		err = json.Unmarshal(text, &s.tiledTiles)
	} else {
		if text, err = plainXML(data); err == nil {
			err = checkXML(text)
		}
		if err != nil {
			return &tileSetError{s.Source, err}
		}
		var set struct {
			XMLName xml.Name `xml:"tileset"`
			tiledTiles
		}
		err = xml.Unmarshal(text, &set)
		s.tiledTiles = set.tiledTiles
	}
	if err != nil {
		return &tileSetError{s.Source, xmlError(err)}
	}
	return nil
}

// solidTile is a tile with shapes of the collision editor.
type solidTile struct {
	rings         [][]point // in pixels of the tile
	width, height float64   // of the tile, 0 where the set does not say
}

// collisions returns the shapes of the collision editor.
func (r *tiledReader) collisions(objects []tiledObject) ([][]point, error) {
	var all [][]point
	for i := range objects {
		rings, err := r.objectRings(&objects[i], identity)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", objects[i].ID, err)
		}
		all = append(all, rings...)
	}
	return all, nil
}

// The bits of a tile number that turn the tile: diagonally first, which swaps x and y.
const (
	flipX        = 0x80000000
	flipY        = 0x40000000
	flipDiagonal = 0x20000000
)

// addSolid adds the shapes of a tile at a cell as obstacles. Tiles stand on the lower edge of their cell.
func (r *tiledReader) addSolid(s solidTile, gid uint32, cell int) error {
	width, height := s.width, s.height
	if !(width > 0 && height > 0) {
		width, height = r.TileWidth, r.TileHeight
	}
	to := affine{1, 0, 0, 1, 0, 0}
	if gid&flipDiagonal != 0 {
		to = affine{0, 1, 1, 0, 0, 0}
		width, height = height, width
	}
	if gid&flipX != 0 {
		to = affine{-1, 0, 0, 1, width, 0}.times(to)
	}
	if gid&flipY != 0 {
		to = affine{1, 0, 0, -1, 0, height}.times(to)
	}
	x, y := float64(r.left+cell%r.Width)*r.TileWidth, float64(r.top+cell/r.Width+1)*r.TileHeight-height
	to = affine{1, 0, 0, 1, x, y}.times(to)
	for _, ring := range s.rings {
		if r.room -= len(ring); r.room < 0 {
			return fmt.Errorf("%w in the map with its collision shapes", r.limits.CheckPoints(r.limits.WithDefaults().Triangles+1))
		}
		placed := make([]point, len(ring))
		for i, p := range ring {
			placed[i] = to.apply(p)
		}
		r.walled = append(r.walled, feature{where: "a collision shape of a tile", obstacle: true, rings: [][]point{placed}})
	}
	return nil
}

// extent sets the size of an infinite map by its chunks, and returns the first column and row.
func (m *tiledMap) extent() (left, top int, err error) {
	const far = 1 << 24
	right, bottom := -far, -far
	left, top = far, far
	var visit func(layers []tiledLayer, depth int)
	visit = func(layers []tiledLayer, depth int) {
		for i := range layers {
			l := &layers[i]
			chunks := l.Chunks
			if l.XMLData != nil {
				chunks = l.XMLData.Chunks
			}
			for _, c := range chunks {
				if min(c.Width, c.Height) < 1 || max(c.Width, c.Height) > far || min(c.X, c.Y) < -far || max(c.X, c.Y) > far {
					err = fmt.Errorf("layer %.80q: a chunk of %d × %d tiles at %d, %d", l.Name, c.Width, c.Height, c.X, c.Y)
					return
				}
				left, top = min(left, c.X), min(top, c.Y)
				right, bottom = max(right, c.X+c.Width), max(bottom, c.Y+c.Height)
			}
			if depth <= maxDepth {
				visit(l.Layers, depth+1)
			}
		}
	}
	visit(m.Layers, 0)
	if err != nil {
		return 0, 0, err
	}
	if left >= right {
		return 0, 0, nil // no tiles; the stated size is that of the window
	}
	m.Width, m.Height = right-left, bottom-top
	return left, top, nil
}

// gids returns the tile numbers of a layer of r.Width × r.Height cells.
func (r *tiledReader) gids(l *tiledLayer) ([]uint32, error) {
	if !r.Infinite {
		return l.gids(r.Width * r.Height)
	}
	all := make([]uint32, r.Width*r.Height)
	chunks, encoding, compression := l.Chunks, l.Encoding, l.Compression
	if l.XMLData != nil {
		chunks, encoding, compression = l.XMLData.Chunks, l.XMLData.Encoding, l.XMLData.Compression
	}
	for _, c := range chunks {
		want := c.Width * c.Height
		if r.cells += want; r.cells > 2*maxCells {
			return nil, fmt.Errorf("the chunks have more than %d tiles", 2*maxCells)
		}
		var gids []uint32
		var err error
		switch {
		case l.XMLData == nil:
			gids, err = jsonGIDs(c.JSONData, encoding, compression, want)
		case encoding == "":
			for _, t := range c.Tiles {
				gids = append(gids, t.GID)
			}
		default:
			gids, err = textGIDs(c.Text, encoding, compression, want)
		}
		if err == nil && len(gids) != want {
			err = fmt.Errorf("%d tiles, not %d", len(gids), want)
		}
		if err != nil {
			return nil, fmt.Errorf("chunk at %d, %d: %w", c.X, c.Y, err)
		}
		for row := range c.Height {
			copy(all[(c.Y-r.top+row)*r.Width+c.X-r.left:], gids[row*c.Width:(row+1)*c.Width])
		}
	}
	return all, nil
}

// onSquares reports whether the ground is a grid of squares drawn from the side.
func (m *tiledMap) onSquares() bool {
	return m.Orientation == "isometric" || m.Orientation == "staggered"
}

// shifted reports whether a row or column of a staggered or hexagonal map is shifted by half a tile.
func (m *tiledMap) shifted(i int) bool { return i&1 == 1 != (m.Stagger == "even") }

// toGround returns the way from the coordinates of objects to the ground.
func (r *tiledReader) toGround() affine {
	if r.Orientation != "staggered" {
		return identity
	}
	// Along x of the screen, both coordinates of the ground change, in opposite directions.
	side := r.TileHeight
	return affine{side / r.screenWidth, -side / r.screenWidth, 1, 1, 0, 0}
}

// pageOf returns the extent of the map, nil for a map with ragged borders.
func (r *tiledReader) pageOf() []point {
	left, top := float64(r.left)*r.TileWidth, float64(r.top)*r.TileHeight
	right, bottom := float64(r.left+r.Width)*r.TileWidth, float64(r.top+r.Height)*r.TileHeight
	switch {
	case r.Orientation == "staggered":
		return nil
	case r.Orientation == "hexagonal":
		first, last := r.cell(r.left, r.top), r.cell(r.left+r.Width-1, r.top+r.Height-1)
		box := [2]point{first[0], first[0]}
		for _, p := range append(first, last...) {
			box = [2]point{{min(box[0].x, p.x), min(box[0].y, p.y)}, {max(box[1].x, p.x), max(box[1].y, p.y)}}
		}
		left, top, right, bottom = box[0].x, box[0].y, box[1].x, box[1].y
		if r.StaggerAxis == "x" {
			bottom += r.TileHeight / 2
		} else {
			right += r.TileWidth / 2
		}
	}
	return []point{{left, top}, {right, top}, {right, bottom}, {left, bottom}}
}

// cell returns the border of a cell of a staggered or hexagonal map, on the ground.
func (r *tiledReader) cell(x, y int) []point {
	w, h, side := r.TileWidth, r.TileHeight, r.HexSide
	// Halves of a tile to the right and down, on the screen.
	right, down := 2*x, 2*y
	if r.StaggerAxis == "x" {
		if right = x; r.shifted(x) {
			down++
		}
	} else if down = y; r.shifted(y) {
		right++
	}
	if r.Orientation == "staggered" {
		corner := func(right, down int) point { return point{float64(right+down) * h / 2, float64(down-right) * h / 2} }
		return []point{corner(right+1, down), corner(right+2, down+1), corner(right+1, down+2), corner(right, down+1)}
	}
	if r.StaggerAxis == "x" {
		at := point{float64(right) * ((w + side) / 2), float64(down) * (h / 2)}
		a, b := (w-side)/2, (w+side)/2
		return []point{{at.x, at.y + h/2}, {at.x + a, at.y}, {at.x + b, at.y}, {at.x + w, at.y + h/2}, {at.x + b, at.y + h}, {at.x + a, at.y + h}}
	}
	at := point{float64(right) * (w / 2), float64(down) * ((h + side) / 2)}
	a, b := (h-side)/2, (h+side)/2
	return []point{{at.x + w/2, at.y}, {at.x + w, at.y + a}, {at.x + w, at.y + b}, {at.x + w/2, at.y + h}, {at.x, at.y + b}, {at.x, at.y + a}}
}
