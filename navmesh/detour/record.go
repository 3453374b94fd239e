package detour

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/navmesh"
)

// ownRecord begins the records of this package.
const ownRecord = `{"detour":`

// recordVersion is the version of the record.
const recordVersion = 1

// record keeps the numbers of a file that a mesh has no place for, as JSON.
type record struct {
	Version  int            `json:"detour"`
	Wide     bool           `json:"wide,omitempty"`   // references of 64 bits
	Single   bool           `json:"single,omitempty"` // tile data without a set
	Origin   [3]float32     `json:"origin"`
	Width    float32        `json:"width"`
	Depth    float32        `json:"depth"`
	MaxTiles int32          `json:"max_tiles"`
	MaxPolys int32          `json:"max_polys"`
	Tiles    []recordedTile `json:"tiles"`
	Links    []recordedLink `json:"links,omitempty"`
}

// recordedTile is a tile with the number of its regions, which follow each other.
type recordedTile struct {
	X       int32      `json:"x"`
	Y       int32      `json:"y"`
	Layer   int32      `json:"layer,omitempty"`
	UserID  uint32     `json:"user,omitempty"`
	Regions int        `json:"regions"`
	Height  float32    `json:"height"`
	Radius  float32    `json:"radius"`
	Climb   float32    `json:"climb"`
	Min     [3]float32 `json:"min"`
	Max     [3]float32 `json:"max"`
	PerCell float32    `json:"per_cell"`
	// Cell is the side and the height of a cell whose multiples all corners are; 0 for none.
	Cell [2]float32 `json:"cell"`
	// Walls are edges on the border of the tile that lead nowhere: both ends of each.
	Walls [][2][3]float32 `json:"walls,omitempty"`
}

// recordedLink is an off-mesh connection of the file.
type recordedLink struct {
	Tile   int           `json:"tile"`
	At     [2][3]float32 `json:"at"`
	Radius float32       `json:"radius"`
	Flags  uint16        `json:"flags"`
	Area   uint8         `json:"area,omitempty"`
	Both   bool          `json:"both,omitempty"`
	UserID uint32        `json:"user,omitempty"`
}

// record returns the record of a mesh whose regions are parts of the given polygons of the soup.
func (r *reader) record(of []int32) ([]byte, error) {
	out := record{
		Version: recordVersion, Wide: r.wide, Single: r.single, Origin: r.origin, Width: r.width, Depth: r.depth,
		MaxTiles: r.maxTiles, MaxPolys: r.maxPolys,
	}
	regions := make([]int, len(r.tiles))
	for _, p := range of {
		regions[r.names[p].tile]++
	}
	height := r.cellHeight
	for i := range r.tiles {
		t := &r.tiles[i]
		cell := t.cells(height)
		if cell[1] > 0 {
			height = cell[1]
		}
		out.Tiles = append(out.Tiles, recordedTile{
			X: t.x, Y: t.y, Layer: t.layer, UserID: t.userID, Regions: regions[i], Height: t.height, Radius: t.radius, Climb: t.climb,
			Min: t.min, Max: t.max, PerCell: t.perCell, Cell: cell, Walls: t.walls(),
		})
		for _, c := range t.connections {
			p := &t.polys[c.poly]
			out.Links = append(out.Links, recordedLink{
				Tile: i, At: c.at, Radius: c.radius, Flags: p.flags, Area: p.area, Both: c.flags&bothWays != 0, UserID: c.userID,
			})
		}
	}
	return json.Marshal(out)
}

// recordOf returns the record of a mesh, nil without a record that fits the mesh.
func recordOf(m *navmesh.Mesh) *record {
	if !bytes.HasPrefix(m.Record, []byte(ownRecord)) {
		return nil
	}
	var out record
	if json.Unmarshal(m.Record, &out) != nil || out.Version != recordVersion || len(out.Tiles) == 0 {
		return nil
	}
	const mostNumbers = 1 << 22
	if !(out.Width > 0) || !(out.Depth > 0) || out.MaxTiles < 1 || out.MaxTiles > mostNumbers || out.MaxPolys < 1 || out.MaxPolys > mostNumbers {
		return nil
	}
	regions := 0
	for i := range out.Tiles {
		t := &out.Tiles[i]
		if !(t.Height >= 0) || !(t.Radius >= 0) || !(t.Climb >= 0) || !(t.PerCell >= 0) {
			return nil
		}
		n := t.Regions
		if n < 0 || n > m.RegionCount()-regions {
			return nil
		}
		regions += n
	}
	if regions != m.RegionCount() {
		return nil
	}
	return &out
}

// walls returns both ends of the edges on the border of a tile that lead nowhere.
func (t *tile) walls() (out [][2][3]float32) {
	for i := range t.polys {
		p := &t.polys[i]
		if p.typeOf != typeGround {
			continue
		}
		for k := range p.count {
			a, b := t.vertices[p.corners[k]], t.vertices[p.corners[(k+1)%p.count]]
			on := func(axis int, line float32) bool { return onLine(a[axis], line) && onLine(b[axis], line) }
			if p.beside[k] == 0 && (on(0, t.min[0]) || on(0, t.max[0]) || on(2, t.min[2]) || on(2, t.max[2])) {
				out = append(out, [2][3]float32{a, b})
			}
		}
	}
	return out
}

// onLine reports whether a coordinate lies on a line between tiles, as Detour judges.
func onLine(v, line float32) bool { return math.Abs(float64(v)-float64(line)) <= slabApart }

// cells returns the side and the height of a cell of Recast whose multiples are all corners of polygons; 0 for none. height is a
// first guess.
func (t *tile) cells(height float32) (cell [2]float32) {
	var heights []float32
	for i := range t.polys {
		p := &t.polys[i]
		if p.typeOf != typeGround {
			continue
		}
		for _, c := range p.corners[:p.count] {
			heights = append(heights, t.vertices[c][1])
		}
	}
	if t.perCell > 0 {
		cell[0] = commonCell(1/t.perCell, func(cell float32) bool {
			return !slices.ContainsFunc(t.polys, func(p poly) bool {
				return p.typeOf == typeGround && slices.ContainsFunc(p.corners[:p.count], func(c uint16) bool {
					v := t.vertices[c]
					return onCell(v[0], t.min[0], cell) != v[0] || onCell(v[2], t.min[2], cell) != v[2]
				})
			})
		})
	}
	slices.Sort(heights)
	least := float32(math.Inf(1))
	before := t.min[1]
	for _, y := range heights {
		if d := y - before; d > 1e-3 {
			least = min(least, d)
		}
		before = y
	}
	if math.IsInf(float64(least), 1) {
		least = 0
	}
	fits := func(cell float32) bool {
		return cell > 0 && !slices.ContainsFunc(heights, func(y float32) bool { return onCell(y, t.min[1], cell) != y })
	}
	if fits(height) {
		cell[1] = height
		return cell
	}
	// The least difference may be several cells.
	const most = 32
	for k := 1; k <= most && cell[1] == 0 && least > 0; k++ {
		cell[1] = commonCell(least/float32(k), fits)
	}
	return cell
}

// onCell returns the multiple of a cell from an origin nearest to v, as Recast computes it.
func onCell(v, origin, cell float32) float32 {
	k := math.Round((float64(v) - float64(origin)) / float64(cell))
	step := float32(k) * cell
	return origin + step
}

// commonCell returns the first number near guess that fits: with few decimals, or with a difference in the last bit.
func commonCell(guess float32, fits func(float32) bool) float32 {
	for digits := 1.0; digits <= 1e7; digits *= 10 {
		if c := float32(math.Round(float64(guess)*digits) / digits); c > 0 && math.Abs(float64(c-guess)) <= 1e-3*float64(guess) && fits(c) {
			return c
		}
	}
	for _, c := range [3]float32{guess, math.Nextafter32(guess, 0), math.Nextafter32(guess, 1)} {
		if c > 0 && fits(c) {
			return c
		}
	}
	return 0
}
