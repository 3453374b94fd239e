package tiles

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// A tile file is docs/formats/tiles.md, to the byte: eight letters, the version, the length of the content, the content, and a
// SHA-256 over everything before. Numbers of the content are variable: varints of encoding/binary. Points are differences from the
// point before.

const (
	magic   = "meadowTL"
	version = 1
	// MostBytes bounds a tile file.
	MostBytes = 1 << 30
	// beside is how far beyond the square, in units, corners of cells may be.
	beside = 4
	// mostText bounds texts of a tile file, in bytes.
	mostText = 1 << 12
)

// headSize is the size of the fields before the content.
const headSize = len(magic) + 4 + 8

// Encode returns the file of the tile.
func (t *Tile) Encode() []byte {
	w := writer{}
	w.raw([]byte(magic))
	w.b = binary.LittleEndian.AppendUint32(w.b, version)
	w.b = binary.LittleEndian.AppendUint64(w.b, 0) // the length, below
	w.raw(t.Key[:])
	w.signed(t.East)
	w.signed(t.North)
	w.count(int(t.Size))
	w.signed(t.Plan.Frame.Up)
	a := t.Plan.Agent
	for _, v := range [...]float64{a.Radius, a.Height, a.MaxClimb, a.MaxSlope, a.MaxGap} {
		w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(v))
	}
	w.texts(t.Plan.Areas)
	w.texts(t.Warnings)
	w.numbers(t.Marks)
	var names []string
	for name := range t.Counts {
		names = append(names, name)
	}
	slices.Sort(names)
	w.texts(names)
	for _, name := range names {
		w.signed(int64(t.Counts[name]))
	}
	w.count(len(t.Plan.Layers))
	for l := range t.Plan.Layers {
		w.layer(&t.Plan.Layers[l], t.Cells[l])
	}
	w.count(len(t.Plan.Chains))
	for i := range t.Plan.Chains {
		c := &t.Plan.Chains[i]
		w.count(int(c.Kind))
		for _, id := range [2]plan.DomainID{c.Left, c.Right} {
			w.count(int(id.Layer))
			w.count(int(id.Domain))
		}
		w.points(c.Points)
	}
	binary.LittleEndian.PutUint64(w.b[len(magic)+4:], uint64(len(w.b)-headSize))
	sum := sha256.Sum256(w.b)
	return append(w.b, sum[:]...)
}

// writer appends to a file.
type writer struct{ b []byte }

func (w *writer) raw(b []byte)     { w.b = append(w.b, b...) }
func (w *writer) count(n int)      { w.b = binary.AppendUvarint(w.b, uint64(n)) }
func (w *writer) signed(n int64)   { w.b = binary.AppendVarint(w.b, n) }
func (w *writer) texts(t []string) { w.count(len(t)); w.each(t) }

func (w *writer) each(t []string) {
	for _, s := range t {
		s = s[:min(len(s), mostText)]
		w.count(len(s))
		w.raw([]byte(s))
	}
}

func (w *writer) numbers(list []int32) {
	w.count(len(list))
	for _, n := range list {
		w.count(int(n))
	}
}

func (w *writer) points(list []lattice.Point) {
	w.count(len(list))
	var last lattice.Point
	for _, p := range list {
		last = w.point(last, p)
	}
}

func (w *writer) point(last, p lattice.Point) lattice.Point {
	w.signed(int64(p.X) - int64(last.X))
	w.signed(int64(p.Y) - int64(last.Y))
	return p
}

func (w *writer) layer(l *plan.Layer, cells [][]plan.Cell) {
	w.count(len(l.Floor.Vertices))
	var last lattice.Vertex
	for _, v := range l.Floor.Vertices {
		w.point(last.Point, v.Point)
		w.signed(int64(v.Z) - int64(last.Z))
		last = v
	}
	w.count(len(l.Floor.Triangles))
	before := int64(0)
	for _, t := range l.Floor.Triangles {
		for _, v := range t {
			w.signed(int64(v) - before)
			before = int64(v)
		}
	}
	w.count(int(l.Floor.Error))
	w.count(len(l.Domains))
	for d := range l.Domains {
		domain := &l.Domains[d]
		w.count(int(domain.Area))
		w.numbers(domain.Marks)
		w.count(len(domain.Rings))
		for r, ring := range domain.Rings {
			w.points(ring)
			height, chain := int64(0), int64(0)
			for i := range ring {
				z, c := int64(domain.Heights[r][i]), int64(domain.Edges[r][i])
				w.signed(z - height)
				w.signed(c - chain)
				height, chain = z, c
			}
		}
		w.count(len(cells[d]))
		var at lattice.Point
		for _, c := range cells[d] {
			w.count(len(c.Corners))
			for _, corner := range c.Corners {
				at = w.point(at, corner.Point)
				w.count(int(corner.On.Ring + 1))
				if corner.On != plan.NoEdge {
					w.count(int(corner.On.Index))
				}
			}
		}
	}
}

// Read reads the file of a tile: see [Decode].
func Read(r io.Reader) (*Tile, error) {
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(r, MostBytes+1)); err != nil {
		return nil, fmt.Errorf("tiles: %w", err)
	}
	if b.Len() > MostBytes {
		return nil, fmt.Errorf("tiles: a tile file of more than %d bytes", MostBytes)
	}
	return Decode(b.Bytes())
}

// KeyOf returns the key in a tile file, given the first bytes of the file, without a look at the rest. ok is false where no tile file
// of this version begins so.
func KeyOf(head []byte) (key Key, ok bool) {
	if len(head) < HeadBytes || string(head[:len(magic)]) != magic || binary.LittleEndian.Uint32(head[len(magic):]) != version {
		return Key{}, false
	}
	return Key(head[headSize:HeadBytes]), true
}

// HeadBytes is the number of bytes that [KeyOf] needs.
const HeadBytes = headSize + sha256.Size

// Decode returns the tile in a file. An error names the place of the fault. The tile is sound: indices have elements, domains are valid
// polygons in the square, and floors and cells lie in the square. [join.Build] tests the cells.
func Decode(b []byte) (*Tile, error) {
	if len(b) < headSize+sha256.Size || string(b[:len(magic)]) != magic {
		return nil, errors.New("tiles: not a tile file")
	}
	if v := binary.LittleEndian.Uint32(b[len(magic):]); v != version {
		return nil, fmt.Errorf("tiles: tile file of version %d, known is %d", v, version)
	}
	body := b[:len(b)-sha256.Size]
	if n := binary.LittleEndian.Uint64(b[len(magic)+4:]); n != uint64(len(body)-headSize) {
		return nil, fmt.Errorf("tiles: tile file with content of %d bytes states %d", len(body)-headSize, n)
	}
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], b[len(body):]) {
		return nil, errors.New("tiles: tile file is damaged: its checksum differs")
	}
	r := reader{b: body, at: headSize}
	t := r.tile()
	if r.err == nil && r.at != len(r.b) {
		r.fail("%d bytes follow the last chain", len(r.b)-r.at)
	}
	if r.err != nil {
		return nil, fmt.Errorf("tiles: tile file, byte %d: %w", r.at, r.err)
	}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("tiles: tile %v: %w", t.ID, err)
	}
	return t, nil
}

// reader reads a file. After the first error all reads give zeros.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) bytes(n int) []byte {
	if r.err != nil || n > len(r.b)-r.at {
		r.fail("the file ends too early")
		return make([]byte, min(n, 64))
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) unsigned() uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		r.fail("no number")
		return 0
	}
	r.at += n
	return v
}

func (r *reader) signed() int64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Varint(r.b[r.at:])
	if n <= 0 {
		r.fail("no number")
		return 0
	}
	r.at += n
	return v
}

// count reads the number of elements of at least size bytes each.
func (r *reader) count(of string, size int) int {
	n := r.unsigned()
	if r.err == nil && n > uint64((len(r.b)-r.at)/size) {
		r.fail("%d %s in %d bytes", n, of, len(r.b)-r.at)
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// upTo reads a number from 0 to most.
func (r *reader) upTo(of string, most int) int {
	n := r.unsigned()
	if n > uint64(most) {
		r.fail("%s is %d, at most %d", of, n, most)
		return 0
	}
	return int(n)
}

// next reads the difference from a number of 32 bits.
func (r *reader) next(last int32) int32 {
	d := r.signed()
	if d > math.MaxUint32 || d < -math.MaxUint32 || int64(last)+d > math.MaxInt32 || int64(last)+d < math.MinInt32 {
		r.fail("a number of more than 32 bits")
		return 0
	}
	return int32(int64(last) + d)
}

func (r *reader) point(last lattice.Point) lattice.Point {
	return lattice.Point{X: r.next(last.X), Y: r.next(last.Y)}
}

func (r *reader) points(of string) []lattice.Point {
	list := make([]lattice.Point, r.count(of, 2))
	var last lattice.Point
	for i := range list {
		last = r.point(last)
		list[i] = last
	}
	return list
}

func (r *reader) texts(of string) []string {
	var list []string
	for range r.count(of, 1) {
		if r.err != nil {
			return nil
		}
		list = append(list, string(r.bytes(r.upTo("the length of a text", mostText))))
	}
	return list
}

// numbers reads an ascending list.
func (r *reader) numbers(of string) []int32 {
	var list []int32
	for i := range r.count(of, 1) {
		list = append(list, int32(r.upTo("one of the "+of, math.MaxInt32)))
		if i > 0 && list[i] <= list[i-1] {
			r.fail("the %s are not in order", of)
		}
	}
	return list
}

func (r *reader) tile() *Tile {
	t := &Tile{Plan: new(plan.Plan), Counts: map[string]int{}}
	copy(t.Key[:], r.bytes(len(t.Key)))
	t.East, t.North = r.signed(), r.signed()
	t.Size = int32(r.upTo("the size", MostSize*lattice.UnitsPerMetre))
	t.Plan.Frame.Up = r.signed()
	var agent [5]float64
	for i := range agent {
		agent[i] = math.Float64frombits(binary.LittleEndian.Uint64(r.bytes(8)))
	}
	t.Plan.Agent = geom.Agent{Radius: agent[0], Height: agent[1], MaxClimb: agent[2], MaxSlope: agent[3], MaxGap: agent[4]}
	t.Plan.Areas = r.texts("areas")
	t.Warnings = r.texts("warnings")
	t.Marks = r.numbers("marks")
	t.Plan.Marks = make([]plan.Mark, len(t.Marks))
	for _, name := range r.texts("counts") {
		t.Counts[name] = int(r.signed())
	}
	for range r.count("layers", 4) {
		if r.err != nil {
			break
		}
		layer, cells := r.layer()
		t.Plan.Layers, t.Cells = append(t.Plan.Layers, layer), append(t.Cells, cells)
	}
	for range r.count("chains", 6) {
		if r.err != nil {
			break
		}
		c := plan.Chain{Kind: plan.ChainKind(r.upTo("the kind of a chain", int(plan.MarkCut)))}
		for _, id := range [2]*plan.DomainID{&c.Left, &c.Right} {
			id.Layer = int32(r.upTo("a layer", math.MaxInt32))
			id.Domain = int32(r.upTo("a domain", math.MaxInt32))
		}
		c.Points = r.points("points of a chain")
		t.Plan.Chains = append(t.Plan.Chains, c)
	}
	return t
}

func (r *reader) layer() (l plan.Layer, cells [][]plan.Cell) {
	l.Floor.Vertices = make([]lattice.Vertex, r.count("vertices", 3))
	var last lattice.Vertex
	for i := range l.Floor.Vertices {
		last = lattice.Vertex{Point: r.point(last.Point), Z: r.next(last.Z)}
		l.Floor.Vertices[i] = last
	}
	l.Floor.Triangles = make([][3]uint32, r.count("triangles", 3))
	before := int32(0)
	for i := range l.Floor.Triangles {
		for k := range 3 {
			before = r.next(before)
			l.Floor.Triangles[i][k] = uint32(before)
		}
	}
	l.Floor.Error = int32(r.upTo("the error of a floor", lattice.MaxCoord))
	for range r.count("domains", 5) {
		if r.err != nil {
			break
		}
		d := plan.Domain{Area: uint8(r.upTo("an area", level.MaxAreas-1)), Marks: r.numbers("marks of a domain")}
		for range r.count("rings", 1) {
			if r.err != nil {
				break
			}
			ring := r.points("points of a ring")
			edges, heights := make([]plan.ChainID, len(ring)), make([]int32, len(ring))
			height, chain := int32(0), int32(0)
			for i := range ring {
				height = r.next(height)
				chain = r.next(chain)
				heights[i], edges[i] = height, plan.ChainID(chain)
			}
			d.Rings, d.Edges, d.Heights = append(d.Rings, ring), append(d.Edges, edges), append(d.Heights, heights)
		}
		l.Domains = append(l.Domains, d)
		cells = append(cells, r.cells())
	}
	return l, cells
}

func (r *reader) cells() []plan.Cell {
	var cells []plan.Cell
	var at lattice.Point
	for range r.count("cells", 1) {
		corners := make([]plan.Corner, r.count("corners", 3))
		for i := range corners {
			at = r.point(at)
			corners[i] = plan.Corner{Point: at, On: plan.NoEdge}
			if ring := r.upTo("a ring", math.MaxInt32-1); ring > 0 {
				corners[i].On = plan.EdgeID{Ring: int32(ring) - 1, Index: int32(r.upTo("an edge", math.MaxInt32))}
			}
		}
		if r.err != nil {
			return nil
		}
		cells = append(cells, plan.Cell{Corners: corners})
	}
	return cells
}

// check returns the first fault of a tile that was read.
func (t *Tile) check() error {
	if t.Size < LeastSize*lattice.UnitsPerMetre {
		return fmt.Errorf("its side is %g m, at least %g m", float64(t.Size)*lattice.Unit, LeastSize)
	}
	const far = 1 << 53 / (LeastSize * lattice.UnitsPerMetre)
	if max(t.East, -t.East, t.North, -t.North) > far || max(t.Plan.Frame.Up, -t.Plan.Frame.Up) > 1<<53 {
		return errors.New("it lies outside of the lattice")
	}
	t.Plan.Frame.East, t.Plan.Frame.North = t.East*int64(t.Size), t.North*int64(t.Size)
	if err := t.Plan.Agent.Validate(); err != nil {
		return err
	}
	if len(t.Plan.Areas) > level.MaxAreas {
		return fmt.Errorf("%d areas, at most %d", len(t.Plan.Areas), level.MaxAreas)
	}
	if err := t.Plan.Check(); err != nil {
		return err
	}
	inside := func(p lattice.Point, by int32) bool {
		return min(p.X, p.Y) >= -by && max(p.X, p.Y) <= t.Size+by
	}
	for l := range t.Plan.Layers {
		layer := &t.Plan.Layers[l]
		for i, v := range layer.Floor.Vertices {
			if !inside(v.Point, 0) {
				return fmt.Errorf("layer %d: vertex %d at %v is outside of the tile", l, i, v.Point)
			}
		}
		for i, c := range layer.Floor.Triangles {
			v := layer.Floor.Vertices
			if lattice.Orient(v[c[0]].Point, v[c[1]].Point, v[c[2]].Point) <= 0 {
				return fmt.Errorf("layer %d: triangle %d at %v has no positive area", l, i, v[c[0]].Point)
			}
		}
		for d := range layer.Domains {
			domain := &layer.Domains[d]
			if int(domain.Area) >= max(1, len(t.Plan.Areas)) {
				return fmt.Errorf("layer %d, domain %d: area %d of %d", l, d, domain.Area, len(t.Plan.Areas))
			}
			for r, ring := range domain.Rings {
				for i, p := range ring {
					if z := domain.Heights[r][i]; !inside(p, 0) || max(z, -z) > lattice.MaxCoord {
						return fmt.Errorf("layer %d, domain %d: point %d of ring %d at %v is outside of the tile", l, d, i, r, p)
					}
				}
			}
			if faults := domain.Faults(1); len(faults) > 0 {
				return fmt.Errorf("layer %d, domain %d: %w", l, d, faults[0])
			}
			for c := range t.Cells[l][d] {
				for i, corner := range t.Cells[l][d][c].Corners {
					if !inside(corner.Point, beside) {
						return fmt.Errorf("layer %d, domain %d: corner %d of cell %d at %v is outside of the tile", l, d, i, c, corner.Point)
					}
					if on := corner.On; on != plan.NoEdge && (int(on.Ring) >= len(domain.Rings) || int(on.Index) >= len(domain.Rings[on.Ring])) {
						return fmt.Errorf("layer %d, domain %d: corner %d of cell %d is on edge %d of ring %d, which does not exist", l, d, i, c, on.Index, on.Ring)
					}
				}
			}
		}
	}
	return nil
}
