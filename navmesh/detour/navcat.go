package detour

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// navcat is a mesh of the library navcat as JSON.stringify writes the mesh: Detour's tiles under other names. Links, nodes and box
// trees are left out.
type navcat struct {
	Origin     [3]float64
	TileWidth  float64
	TileHeight float64
	Tiles      map[string]navcatTile
	Links      map[string]navcatLink `json:"offMeshConnections"`
}

type navcatTile struct {
	TileX, TileY, TileLayer int32
	Vertices                []float64
	Polys                   []struct {
		Vertices, Neis []int64
		Flags, Area    int64
	}
	Details         []navcatDetail `json:"detailMeshes"`
	DetailVertices  []float64
	DetailTriangles []int64
	CellSize        float64
	Height          float64 `json:"walkableHeight"`
	Radius          float64 `json:"walkableRadius"`
	Climb           float64 `json:"walkableClimb"`
}

type navcatDetail struct {
	Vertices      int64 `json:"verticesBase"`
	VertexCount   int64 `json:"verticesCount"`
	Triangles     int64 `json:"trianglesBase"`
	TriangleCount int64 `json:"trianglesCount"`
}

type navcatLink struct {
	Start, End  [3]float64
	Radius      float64
	Direction   int64
	Flags, Area int64
}

// isNavcat reports whether a file with the given start is a mesh of navcat.
func isNavcat(start []byte) bool {
	start = bytes.TrimLeft(start, " \t\r\n")
	return len(start) > 0 && start[0] == '{' && bytes.Contains(start, []byte(`"origin"`))
}

// decodeNavcat reads a mesh of navcat. Tiles are in the order of their numbers.
func decodeNavcat(data []byte) (*set, error) {
	var n navcat
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("navcat: %w", err)
	}
	if !(n.TileWidth > 0) || !(n.TileHeight > 0) || len(n.Tiles) == 0 {
		return nil, fmt.Errorf("navcat: %d tiles of %g × %g m", len(n.Tiles), n.TileWidth, n.TileHeight)
	}
	s := &set{order: binary.LittleEndian, origin: single(n.Origin), width: float32(n.TileWidth), depth: float32(n.TileHeight), maxTiles: int32(len(n.Tiles))}
	for _, name := range sortedNumbers(n.Tiles) {
		from := n.Tiles[name]
		t, err := from.tile(s)
		if err == nil {
			err = t.checkDetails()
		}
		if err != nil {
			return nil, fmt.Errorf("tile %.20q: %w", name, err)
		}
		s.tiles = append(s.tiles, *t)
		s.maxPolys = max(s.maxPolys, int32(len(t.polys)))
	}
	for _, name := range sortedNumbers(n.Links) {
		if err := s.addLink(n.Links[name]); err != nil {
			return nil, fmt.Errorf("connection %.20q: %w", name, err)
		}
	}
	return s, nil
}

// sortedNumbers returns the keys of a map in the order of the numbers that they are.
func sortedNumbers[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	number := func(k string) int {
		n, err := strconv.Atoi(k)
		if err != nil {
			n = math.MaxInt
		}
		return n
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b)) })
	return out
}

func single(v [3]float64) [3]float32 { return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])} }

// triples returns a list of coordinates as points.
func triples(what string, list []float64) ([][3]float32, error) {
	if len(list)%3 != 0 {
		return nil, fmt.Errorf("%s: %d coordinates, must be three of each", what, len(list))
	}
	var out [][3]float32
	for i := 0; i < len(list); i += 3 {
		v := single([3]float64(list[i : i+3]))
		if err := finite(fmt.Sprintf("%s: vertex %d", what, i/3), v[:]...); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// within returns an error for a number outside of a range.
func within(what string, v, low, high int64) error {
	if v < low || v > high {
		return fmt.Errorf("%s is %d, must be %d to %d", what, v, low, high)
	}
	return nil
}

// tile converts a tile of a set.
func (n *navcatTile) tile(s *set) (*tile, error) {
	t := &tile{x: n.TileX, y: n.TileY, layer: n.TileLayer, height: float32(n.Height), radius: float32(n.Radius), climb: float32(n.Climb)}
	if n.CellSize > 0 {
		t.perCell = 1 / float32(n.CellSize)
	}
	var err error
	if t.vertices, err = triples("vertices", n.Vertices); err != nil {
		return nil, err
	}
	if t.detailVertices, err = triples("detailVertices", n.DetailVertices); err != nil {
		return nil, err
	}
	if len(n.Polys) > maxPolys || len(t.vertices) > maxCorners {
		return nil, fmt.Errorf("%d polygons and %d vertices, at most %d and %d", len(n.Polys), len(t.vertices), maxPolys, maxCorners)
	}
	if err := finite("the agent", t.height, t.radius, t.climb, t.perCell); err != nil {
		return nil, err
	}
	low, high := float32(math.Inf(1)), float32(math.Inf(-1))
	for _, v := range t.vertices {
		low, high = min(low, v[1]), max(high, v[1])
	}
	if len(t.vertices) == 0 {
		low, high = 0, 0
	}
	t.min = [3]float32{s.origin[0] + float32(float32(t.x)*s.width), low, s.origin[2] + float32(float32(t.y)*s.depth)}
	t.max = [3]float32{t.min[0] + s.width, high, t.min[2] + s.depth}
	for i, from := range n.Polys {
		if len(from.Vertices) > cornersPerPoly || len(from.Neis) != len(from.Vertices) {
			return nil, fmt.Errorf("polygon %d: %d corners and %d neighbours, at most %d corners are read", i, len(from.Vertices), len(from.Neis), cornersPerPoly)
		}
		p := poly{count: uint8(len(from.Vertices)), typeOf: typeGround}
		for k, c := range from.Vertices {
			if err := within(fmt.Sprintf("polygon %d: a corner", i), c, 0, int64(len(t.vertices))-1); err != nil {
				return nil, err
			}
			if err := within(fmt.Sprintf("polygon %d: a neighbour", i), from.Neis[k], 0, math.MaxUint16); err != nil {
				return nil, err
			}
			p.corners[k], p.beside[k] = uint16(c), uint16(from.Neis[k])
		}
		if err := p.setNumbers(from.Flags, from.Area); err != nil {
			return nil, fmt.Errorf("polygon %d: %w", i, err)
		}
		if err := t.check(int32(i), &p, int32(len(n.Polys)), int32(len(t.vertices))); err != nil {
			return nil, err
		}
		t.polys = append(t.polys, p)
	}
	return t, n.details(t)
}

// setNumbers sets the flags and the area of a polygon.
func (p *poly) setNumbers(flags, area int64) error {
	if err := within("the flags", flags, 0, math.MaxUint16); err != nil {
		return err
	}
	if err := within("the area", area, 0, maxAreas-1); err != nil {
		return err
	}
	p.flags, p.area = uint16(flags), uint8(area)
	return nil
}

// details converts the height surfaces of a tile.
func (n *navcatTile) details(t *tile) error {
	for i, d := range n.Details {
		for _, err := range []error{
			within("verticesCount", d.VertexCount, 0, maxDetail), within("trianglesCount", d.TriangleCount, 0, maxDetail),
			within("verticesBase", d.Vertices, 0, int64(len(t.detailVertices))-d.VertexCount),
			within("trianglesBase", d.Triangles, 0, int64(len(n.DetailTriangles)/4)-d.TriangleCount),
		} {
			if err != nil {
				return fmt.Errorf("height surface %d: %w", i, err)
			}
		}
		t.details = append(t.details, detail{uint32(d.Vertices), uint32(d.Triangles), uint8(d.VertexCount), uint8(d.TriangleCount)})
	}
	for i := 0; i+4 <= len(n.DetailTriangles); i += 4 {
		var f [4]uint8
		for k, v := range n.DetailTriangles[i : i+4] {
			if err := within(fmt.Sprintf("detailTriangles: triangle %d: a number", i/4), v, 0, math.MaxUint8); err != nil {
				return err
			}
			f[k] = uint8(v)
		}
		t.detailTriangles = append(t.detailTriangles, f)
	}
	return nil
}

// addLink adds an off-mesh connection to the first tile at its start; a connection outside of all tiles is left out, as in Detour.
func (s *set) addLink(n navcatLink) error {
	c := connection{at: [2][3]float32{single(n.Start), single(n.End)}, radius: float32(n.Radius)}
	if err := finite("an end", append(append(c.at[0][:], c.at[1][:]...), c.radius)...); err != nil {
		return err
	}
	if n.Direction == 1 {
		c.flags = bothWays
	}
	p := poly{count: 2, typeOf: typeOffMesh}
	if err := p.setNumbers(n.Flags, n.Area); err != nil {
		return err
	}
	for i := range s.tiles {
		t := &s.tiles[i]
		if t.sideOf(c.at[0]) != inTile || len(t.polys) > maxPolys || len(t.vertices)+2 > maxCorners {
			continue
		}
		c.side, c.poly = t.sideOf(c.at[1]), uint16(len(t.polys))
		for k, v := range c.at {
			p.corners[k] = uint16(len(t.vertices))
			t.vertices = append(t.vertices, v)
		}
		t.polys, t.connections = append(t.polys, p), append(t.connections, c)
		return nil
	}
	return nil
}
