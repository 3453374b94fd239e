package tiles

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// sample returns the tiles of a level with seams, holes, several kinds of ground and cuts.
func sample(t testing.TB) []*Tile {
	t.Helper()
	lvl := generate(t, "stairs", levelgen.Options{})
	lvl.Ground = &level.Ground{Names: []string{"plain", "grass"}, Triangles: make([]uint8, len(lvl.Triangles))}
	for i := range lvl.Ground.Triangles {
		lvl.Ground.Triangles[i] = uint8(i / 7 % 2)
	}
	c, err := Cut(context.Background(), lvl, Options{Size: 7, Agent: geom.Agent{Radius: 0.3}.WithDefaults(), Floor: plain, Generator: best.Generator{}})
	if err != nil {
		t.Fatal(err)
	}
	var all []*Tile
	for _, e := range c.Tiles() {
		made, err := c.Build(context.Background(), e.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		made.Warnings = []string{"a warning"}
		all = append(all, made)
	}
	return all
}

// TestDecodeEncode reads tiles that were written: nothing changes, and other files are errors.
func TestDecodeEncode(t *testing.T) {
	for _, tile := range sample(t) {
		b := tile.Encode()
		read, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read.Encode(), b) {
			t.Errorf("tile %v changes when it is read", tile.ID)
		}
		if read.Entry != tile.Entry || read.Size != tile.Size || read.Plan.Frame != tile.Plan.Frame || read.Plan.Agent != tile.Plan.Agent ||
			!reflect.DeepEqual(read.Counts, tile.Counts) || !reflect.DeepEqual(read.Plan.Areas, tile.Plan.Areas) || !reflect.DeepEqual(read.Warnings, tile.Warnings) {
			t.Errorf("tile %v: the head changes when it is read", tile.ID)
		}
		for l := range tile.Plan.Layers {
			a, b := &tile.Plan.Layers[l], &read.Plan.Layers[l]
			if !reflect.DeepEqual(a.Floor.Vertices, b.Floor.Vertices) || !reflect.DeepEqual(a.Floor.Triangles, b.Floor.Triangles) || a.Floor.Error != b.Floor.Error {
				t.Errorf("tile %v: the floor of layer %d changes when it is read", tile.ID, l)
			}
			for d := range a.Domains {
				x, y := &a.Domains[d], &b.Domains[d]
				if !reflect.DeepEqual(x.Rings, y.Rings) || !reflect.DeepEqual(x.Edges, y.Edges) || !reflect.DeepEqual(x.Heights, y.Heights) || x.Area != y.Area {
					t.Errorf("tile %v: domain %d of layer %d changes when it is read", tile.ID, d, l)
				}
			}
			if !reflect.DeepEqual(tile.Cells[l], read.Cells[l]) {
				t.Errorf("tile %v: the cells of layer %d change when they are read", tile.ID, l)
			}
		}
	}
}

// sealed returns a file with a new checksum and the right length.
func sealed(b []byte) []byte {
	if len(b) < headSize+sha256.Size {
		return b
	}
	body := bytes.Clone(b[:len(b)-sha256.Size])
	binary.LittleEndian.PutUint64(body[len(magic)+4:], uint64(len(body)-headSize))
	sum := sha256.Sum256(body)
	return append(body, sum[:]...)
}

// TestHostileTiles flips bits and cuts files short, with and without a right checksum. Without a right checksum each change is an error; with one,
// a read, a join and a build end without a panic.
func TestHostileTiles(t *testing.T) {
	all := sample(t)
	var files [][]byte
	for _, tile := range all {
		files = append(files, tile.Encode())
	}
	rounds := 600
	if slow.Enabled() {
		rounds = 20000
	}
	rng := rand.New(rand.NewPCG(4, 2))
	refused := 0
	for n := range rounds {
		k := n % len(files)
		b := bytes.Clone(files[k])
		switch rng.IntN(3) {
		case 0:
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		case 1:
			b = b[:rng.IntN(len(b))]
		default:
			at := rng.IntN(len(b))
			for i := at; i < min(len(b), at+1+rng.IntN(8)); i++ {
				b[i] = byte(rng.Uint32())
			}
		}
		if bytes.Equal(b, files[k]) {
			continue
		}
		if _, err := Decode(b); err == nil {
			t.Fatal("a damaged file is no error")
		}
		tile, err := Decode(sealed(b))
		if err != nil {
			refused++
			continue
		}
		tiles := []*Tile{tile}
		for i, f := range files {
			if other, err := Decode(f); i != k && err == nil {
				tiles = append(tiles, other)
			}
		}
		j, err := Join(context.Background(), tiles, nil, plain)
		if err == nil {
			_, _, err = join.Build(context.Background(), j.Plan, j.Cells, join.Options{Jobs: 1})
		}
		if err != nil {
			refused++
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %v", err)
			}
		}
	}
	if refused < rounds/4 {
		t.Errorf("only %d of %d changes are errors", refused, rounds)
	}
}

// TestTileFaults spoils one field of a tile each time, and looks for the error.
func TestTileFaults(t *testing.T) {
	for want, spoil := range map[string]func(*Tile){
		"its side is":            func(tile *Tile) { tile.Size = 3 },
		"outside of the lattice": func(tile *Tile) { tile.East = 1 << 60 },
		"agent: radius":          func(tile *Tile) { tile.Plan.Agent.Radius = -4 },
		"area 1 of 1":            func(tile *Tile) { tile.Plan.Areas = tile.Plan.Areas[:1] },
		"point 0 of ring 0 at":   func(tile *Tile) { tile.Plan.Layers[0].Domains[0].Rings[0][0].X = -1 },
		"corner 0 of cell 0 at":  func(tile *Tile) { tile.Cells[0][0][0].Corners[0].X = -beside - 1 },
		"which does not exist":   func(tile *Tile) { tile.Cells[0][0][0].Corners[0].On = plan.EdgeID{Ring: 0, Index: 1 << 20} },
		"vertex 0 at":            func(tile *Tile) { tile.Plan.Layers[0].Floor.Vertices[0].X = tile.Size + 1 },
		"has vertex 1000000 of":  func(tile *Tile) { tile.Plan.Layers[0].Floor.Triangles[0][0] = 1000000 },
		"has no positive area": func(tile *Tile) {
			c := &tile.Plan.Layers[0].Floor.Triangles[0]
			c[0], c[1] = c[1], c[0]
		},
		"one does not exist":         func(tile *Tile) { tile.Plan.Chains[0].Left.Layer = 77 },
		"is of chain 5000 of":        func(tile *Tile) { tile.Plan.Layers[0].Domains[0].Edges[0][0] = 5000 },
		"the kind of a chain is 9":   func(tile *Tile) { tile.Plan.Chains[0].Kind = 9 },
		"the marks are not in order": func(tile *Tile) { tile.Marks = []int32{4, 4} },
		"mark 3 of 1": func(tile *Tile) {
			tile.Marks, tile.Plan.Layers[0].Domains[0].Marks = []int32{0}, []int32{3}
		},
		"no rings": func(tile *Tile) { tile.Plan.Layers[0].Domains[0].Rings = nil },
		"layer 0, domain 0:": func(tile *Tile) {
			ring := tile.Plan.Layers[0].Domains[0].Rings[0]
			ring[0], ring[1] = ring[1], ring[0]
		},
	} {
		tile := sample(t)[0]
		for d := range tile.Plan.Layers[0].Domains {
			tile.Plan.Layers[0].Domains[d].Area = 1
		}
		spoil(tile)
		if _, err := Decode(tile.Encode()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	b := sample(t)[0].Encode()
	for want, b := range map[string][]byte{
		"not a tile file":  []byte("hello"),
		"of version 7":     append(append([]byte(magic), 7, 0, 0, 0), b[len(magic)+4:]...),
		"states":           b[:len(b)-1],
		"bytes follow":     sealed(append(bytes.Clone(b), 0)),
		"ends too early":   sealed(append(bytes.Clone(b[:headSize+3]), make([]byte, sha256.Size)...)),
		"checksum differs": append(bytes.Clone(b[:len(b)-1]), b[len(b)-1]^1),
	} {
		if _, err := Decode(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestForeignMarks joins a tile with the mark of a marker that the level does not have.
func TestForeignMarks(t *testing.T) {
	all := sample(t)
	all[0].Marks, all[0].Plan.Marks = []int32{7}, make([]plan.Mark, 1)
	if _, err := Join(context.Background(), all, make([]level.Marker, 9), plain); err == nil || !strings.Contains(err.Error(), "marker 7, which is no door") {
		t.Errorf("error %v", err)
	}
}

// TestHeadCounts states counts that no file of the size can hold: no memory is taken.
func TestHeadCounts(t *testing.T) {
	tile := &Tile{Size: metre, Plan: &plan.Plan{Agent: geom.Agent{}.WithDefaults()}}
	b := tile.Encode()
	// The last two bytes before the checksum are the counts of layers and of chains.
	for _, at := range []int{len(b) - sha256.Size - 2, len(b) - sha256.Size - 1} {
		huge := append(bytes.Clone(b[:at]), 0xff, 0xff, 0xff, 0xff, 0x7f)
		huge = append(append(huge, b[at+1:len(b)-sha256.Size]...), make([]byte, sha256.Size)...)
		allocated := testing.AllocsPerRun(1, func() {
			if _, err := Decode(sealed(huge)); err == nil {
				t.Error("a count beyond the file is no error")
			}
		})
		if allocated > 100 {
			t.Errorf("%v allocations", allocated)
		}
	}
}

// TestMeets compares the test of triangles against boxes with a search of common points on a small grid.
func TestMeets(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	hits := 0
	for range 20000 {
		var v [3]lattice.Vertex
		for k := range v {
			v[k].Point = lattice.Point{X: rng.Int32N(12), Y: rng.Int32N(12)}
		}
		b := lattice.BoxOf(lattice.Point{X: rng.Int32N(12), Y: rng.Int32N(12)}, lattice.Point{X: rng.Int32N(12), Y: rng.Int32N(12)})
		ring := lattice.Ring{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}}
		want := false
		for k := range v {
			want = want || b.Contains(v[k].Point)
			for i, p := range ring {
				want = want || lattice.SegmentContact(v[k].Point, v[(k+1)%3].Point, p, ring[(i+1)%4]) != lattice.Disjoint
			}
		}
		o := lattice.Orient(v[0].Point, v[1].Point, v[2].Point)
		if o != 0 {
			inside := true
			for k := range v {
				side := lattice.Orient(v[k].Point, v[(k+1)%3].Point, b.Min)
				inside = inside && (side == 0 || side > 0 == (o > 0))
			}
			want = want || inside
		}
		if got := meets(&v, &b); got != want {
			t.Fatalf("triangle %v, box %v: %v, want %v", v, b, got, want)
		}
		if want {
			hits++
		}
	}
	if hits < 1000 || hits > 19000 {
		t.Errorf("%d hits", hits)
	}
}

// FuzzDecode decodes any bytes with a right checksum.
func FuzzDecode(f *testing.F) {
	for _, tile := range sample(f) {
		f.Add(tile.Encode())
	}
	f.Fuzz(func(_ *testing.T, b []byte) {
		if tile, err := Decode(sealed(b)); err == nil {
			tile.Encode()
		}
	})
}
