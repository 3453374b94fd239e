package navfile

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// entryOf returns the directory entry of a section of the first tile, or of the mesh.
func entryOf(t *testing.T, data []byte, id sectionID) []byte {
	t.Helper()
	for i := range le.Uint32(data[12:]) {
		if e := data[headerSize+entrySize*i:]; le.Uint32(e) == uint32(id) {
			return e[:entrySize]
		}
	}
	t.Fatalf("no section %d", id)
	return nil
}

// section returns the bytes of a section.
func section(t *testing.T, data []byte, id sectionID) []byte {
	t.Helper()
	e := entryOf(t, data, id)
	offset := le.Uint64(e[8:])
	return data[offset : offset+le.Uint64(e[16:])]
}

// TestErrorsNameThePlace checks that every error names the section and the fault.
func TestErrorsNameThePlace(t *testing.T) {
	keep := func([]byte) {}
	tests := []struct {
		name   string
		damage func(data []byte)
		sign   bool // make the checksums right again
		want   string
	}{
		{"another file", func(d []byte) { copy(d, "glTF") }, true, "navfile: not a mesh file"},
		{"line ends converted", func(d []byte) { copy(d[6:], "\n\x01") }, true, "navfile: not a mesh file"},
		{"version", func(d []byte) { d[8] = 2 }, true, "navfile: header: version 2, this program reads versions 3 and 4"},
		{"header", func(d []byte) { d[16]++ }, false, "navfile: header: checksum is"},
		{"directory", func(d []byte) { d[headerSize+8]++ }, false, "navfile: directory: checksum is"},
		{"section", func(d []byte) { section(t, d, secCorners)[0]++ }, false, "navfile: corners of tile 0: checksum of the 32 bytes at "},
		{"length", func(d []byte) { d[16] -= 8 }, true, "bytes, its header says"},
		{"impossible length", func(d []byte) { d[23] = 0xff }, true, "navfile: header: 20 sections in"},
		{"impossible count", func(d []byte) { d[15] = 0xff }, true, "navfile: header: 4278190100 sections in"},
		{"more sections than bytes", func(d []byte) { d[13] = 1 }, true, "navfile: header: 276 sections in"},
		{"unknown section", func(d []byte) { entryOf(t, d, secCorners)[0] = 99 }, true, "navfile: directory: section 99 is unknown"},
		{"section in the wrong place", func(d []byte) { entryOf(t, d, secCorners)[0] = byte(secPortals) }, true, "navfile: portals of tile 0: 32 bytes at"},
		{"sections in the wrong order", func(d []byte) { entryOf(t, d, secVertices)[0] = byte(secCorners) }, true, "navfile: directory: corners of tile 0 where vertices of tile 0 belongs"},
		{"wrong tile", func(d []byte) { entryOf(t, d, secVertices)[4] = 3 }, true, "navfile: directory: vertices of tile 3 where vertices of tile 0 belongs"},
		{"offset", func(d []byte) { entryOf(t, d, secVertices)[8] += 8 }, true, "navfile: directory: vertices of tile 0 has"},
		{"section length", func(d []byte) { entryOf(t, d, secFloorTris)[20] = 1 }, true, "navfile: directory: floor triangles of tile 0 has"},
		{"reserved word", func(d []byte) { entryOf(t, d, secVertices)[28] = 1 }, true, "navfile: directory: vertices of tile 0 has"},
		{"no multiple", func(d []byte) { entryOf(t, d, secVertices)[16]-- }, true, "navfile: vertices of tile 0: 71 bytes at"},
		{"padding", func(d []byte) { section(t, d, secNames)[:32][31] = 1 }, false, "are not zero"},
		{"missing section", func(d []byte) { section(t, d, secMesh)[64] = 2 }, true, "navfile: directory: 10 sections for 2 tiles, 20 needed"},
		{"section too many", func(d []byte) { section(t, d, secMesh)[64] = 0 }, true, "navfile: directory: tile of tile 0 is not expected"},
		{"link count", func(d []byte) { section(t, d, secMesh)[68] = 7 }, true, "navfile: links: 1 records, the mesh says 7"},
		{"last word", func(d []byte) { section(t, d, secMesh)[76] = 7 }, true, "navfile: mesh: the last word is not zero"},
		{"layer count", func(d []byte) { section(t, d, secTile)[4] = 1 }, true, "navfile: tile 0: layers: 2 records, the tile says 1"},
		{"floor too short", func(d []byte) { section(t, d, secLayers)[0] = 4 }, true, "navfile: tile 0: layer 0 has a value that means nothing"},
		{"floor left over", func(d []byte) { section(t, d, secLayers)[0] = 2 }, true, "navfile: tile 0: layers: 1 floor vertices and 0 floor triangles are left over"},
		{"link kind", func(d []byte) { section(t, d, secLinks)[64] = 9 }, true, "navfile: navmesh: index: links: link 0 is of kind 9 of 8"},
		{"link padding", func(d []byte) { section(t, d, secLinks)[84] = 1 }, true, "link 0 has a value that means nothing"},
		{"name too long", func(d []byte) { section(t, d, secMarks)[1] = 1 }, true, "mark 0 has a value that means nothing"},
		{"names left over", func(d []byte) { section(t, d, secMarks)[4] = 1 }, true, "navfile: names: 3 bytes are left over"},
		{"area name too long", func(d []byte) { section(t, d, secAreas)[1] = 1 }, true, "area 0 has a value that means nothing"},
		{"method name too long", func(d []byte) { section(t, d, secMethods)[1] = 1 }, true, "method 0 has a value that means nothing"},
		{"method with too many crossings", func(d []byte) { section(t, d, secMethods)[7] = 0xff }, true, "method 0 has a value that means nothing"},
		{"crossings left over", func(d []byte) { section(t, d, secMethods)[4] = 1 }, true, "methods: 0 bytes of costs and 4 of crossings are left over"},
		{"crossing padding", func(d []byte) { section(t, d, secCrossings)[6] = 1 }, true, "crossing 0 has a value that means nothing"},
		{"words left over", func(d []byte) { section(t, d, secCrossings)[0] = 1 }, true, "navfile: words: 2 bytes are left over"},
		{"cost of a method", func(d []byte) { section(t, d, secCosts)[3] = 0xff }, true, "navfile: navmesh: position: methods: method 0 costs"},
		{"mark", func(d []byte) { section(t, d, secMarked)[4] = 3 }, true, "navfile: navmesh: index: tile 0: marked: entry 0 is region 0 of 2 in mark 3 of 3"},
		{"region padding", func(d []byte) { section(t, d, secRegions)[23] = 1 }, true, "region 0 has a value that means nothing"},
		{"corner flag of 2", func(d []byte) { section(t, d, secPortals)[20] = 2 }, true, "portal 0 has a value that means nothing"},
		{"index", func(d []byte) { section(t, d, secCorners)[1] = 1 }, true, "navfile: navmesh: index: tile 0: corners: corner 0 is vertex 256 of 6"},
		{"nothing", keep, false, ""},
		{"nothing, signed again", keep, true, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := encode(t, sample(t))
			test.damage(data)
			if test.sign {
				data = resign(data)
			}
			_, err := Decode(data)
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// TestClaimsAreNotBelieved checks that a file of a few bytes with an enormous stated length is refused without
// allocating the memory.
func TestClaimsAreNotBelieved(t *testing.T) {
	data := encode(t, &navmesh.Mesh{})
	le.PutUint64(data[16:], 1<<60)
	if _, err := Read(bytes.NewReader(resign(data))); err == nil {
		t.Error("no error")
	}
	allocated := testing.AllocsPerRun(3, func() {
		if _, err := Decode(resign(data)); err == nil {
			t.Error("no error")
		}
	})
	if allocated > 100 {
		t.Errorf("%g allocations", allocated)
	}
}

// TestSectionsToSkip checks that sections of later versions are skipped, reserved and optional ones alike.
func TestSectionsToSkip(t *testing.T) {
	for _, id := range []sectionID{secPolyhedra, secPlan, optionalFrom + 1, optionalFrom + 5} {
		m, err := Decode(withSection(encode(t, &navmesh.Mesh{}), id, []byte{1, 2, 3}))
		if err != nil {
			t.Errorf("section %d: %v", id, err)
			continue
		}
		if diff := cmp.Diff(&navmesh.Mesh{}, m); diff != "" {
			t.Errorf("section %d: %s", id, diff)
		}
	}
}

// withSection returns a file with one more section behind the others.
func withSection(data []byte, id sectionID, content []byte) []byte {
	n := le.Uint32(data[12:])
	// One more entry behind the others; their sections move back by the entry's size.
	with := append([]byte(nil), data[:headerSize+entrySize*n]...)
	e := make([]byte, entrySize)
	le.PutUint32(e, uint32(id))
	le.PutUint64(e[8:], uint64(len(data)+entrySize))
	le.PutUint64(e[16:], uint64(len(content)))
	with = append(with, e...)
	with = append(with, data[headerSize+entrySize*n:]...)
	with = append(with, content...)
	with = append(with, make([]byte, pad(uint64(len(with)))-uint64(len(with)))...)
	for i := range n {
		offset := with[headerSize+entrySize*i+8:]
		le.PutUint64(offset, le.Uint64(offset)+entrySize)
	}
	le.PutUint32(with[12:], n+1)
	le.PutUint64(with[16:], uint64(len(with)))
	return resign(with)
}

// TestRecord stores records of several lengths, and reads files of the first version with a record.
func TestRecord(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, MaxRecord} {
		m := sample(t)
		m.Record = bytes.Repeat([]byte{0xa5}, n)
		got, err := Decode(encode(t, m))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Record, m.Record) {
			t.Errorf("a record of %d bytes has %d after reading", n, len(got.Record))
		}
	}
	old, err := os.ReadFile("testdata/version3.mesh")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := Decode(withSection(old, secRecord, []byte("old"))); err != nil || string(m.Record) != "old" {
		t.Errorf("version 3 with a record: %v, %v", m, err)
	}
	data := encode(t, sample(t))
	m, err := Decode(withSection(data, secRecord, []byte("new")))
	if err != nil {
		t.Fatal(err)
	}
	if again := encode(t, m); !bytes.Equal(again, withSection(data, secRecord, []byte("new"))) {
		t.Error("the record is not the last section")
	}
}

// TestRecordFaults checks that damaged records are refused, also by Encode.
func TestRecordFaults(t *testing.T) {
	data := encode(t, sample(t))
	one := withSection(data, secRecord, []byte("note"))
	slot := bytes.Clone(one)
	entryOf(t, slot, secRecord)[4] = 1
	flipped := bytes.Clone(one)
	section(t, flipped, secRecord)[0]++
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"two":      {withSection(one, secRecord, []byte("note")), "navfile: directory: two records"},
		"empty":    {withSection(data, secRecord, nil), "navfile: record: 0 bytes for slot 0, must be 1 to 16777216"},
		"too long": {withSection(data, secRecord, make([]byte, MaxRecord+1)), "navfile: record: 16777217 bytes for slot 0"},
		"of tile":  {resign(slot), "navfile: record: 4 bytes for slot 1"},
		"flipped":  {flipped, "navfile: record: checksum of the 4 bytes at"},
	} {
		if _, err := Decode(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	m := sample(t)
	m.Record = make([]byte, MaxRecord+1)
	if _, err := Encode(m); err == nil || !strings.Contains(err.Error(), "navfile: record: 16777217 bytes") {
		t.Errorf("writing too long a record: %v", err)
	}
	if _, err := Encode(nil); err == nil {
		t.Error("a nil mesh was written")
	}
}

// TestSections lists the sections of a file, which together with header, directory and padding are the whole file.
func TestSections(t *testing.T) {
	m := sample(t)
	m.Record = []byte("note")
	data := encode(t, m)
	version, sections, err := Layout(data)
	if err != nil || version != Version || len(sections) != 21 {
		t.Fatalf("version %d, %d sections, %v", version, len(sections), err)
	}
	total := uint64(headerSize + entrySize*len(sections))
	for _, s := range sections {
		total += pad(uint64(s.Size))
	}
	if total != uint64(len(data)) {
		t.Errorf("sections of %d bytes in a file of %d", total, len(data))
	}
	for i, want := range map[int]Section{0: {"mesh", -1, 80}, 10: {"tile", 0, 8}, 20: {"record", -1, 4}} {
		if sections[i] != want {
			t.Errorf("section %d is %v, want %v", i, sections[i], want)
		}
	}
	if _, sections, err = Layout(withSection(data, optionalFrom+5, nil)); err != nil || sections[21].Name != "section 2147483653" {
		t.Errorf("%v, %v", sections, err)
	}
	for n := range data {
		if _, _, err := Layout(data[:n]); err == nil {
			t.Fatalf("%d of %d bytes: no error", n, len(data))
		}
	}
}

// TestWriteRefuses checks that Write refuses every mesh that Read would refuse.
func TestWriteRefuses(t *testing.T) {
	tests := map[string]func(m *navmesh.Mesh){
		"agent":    func(m *navmesh.Mesh) { m.Agent = geom.Agent{Radius: math.NaN()} },
		"gap":      func(m *navmesh.Mesh) { m.Agent.MaxGap = math.Inf(1) },
		"corner":   func(m *navmesh.Mesh) { m.Tiles[0].Corners[0] = 77 },
		"vertex":   func(m *navmesh.Mesh) { m.Tiles[0].Vertices[0].Y = lattice.MaxCoord + 1 },
		"regions":  func(m *navmesh.Mesh) { m.Tiles[0].Regions = m.Tiles[0].Regions[1:] },
		"passages": func(m *navmesh.Mesh) { m.Tiles[0].Passages = make([]navmesh.Passage, 3) },
		"link":     func(m *navmesh.Mesh) { m.Links[0].Cost = float32(math.NaN()) },
	}
	for name, change := range tests {
		m := sample(t)
		change(m)
		var b bytes.Buffer
		if err := Write(&b, m); err == nil || !strings.HasPrefix(err.Error(), "navfile: ") || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes written", name, err, b.Len())
		}
	}
}

// TestFaultsOfTheStream checks that errors of the reader and the writer are returned.
func TestFaultsOfTheStream(t *testing.T) {
	m := sample(t)
	data := encode(t, m)
	broken := errors.New("the cable is out")
	for _, n := range []int{0, 10, headerSize, len(data) - 1} {
		r := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(broken))
		if _, err := Read(r); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
	if _, err := Read(iotest.OneByteReader(bytes.NewReader(data))); err != nil {
		t.Errorf("byte by byte: %v", err)
	}
	if err := Write(failingWriter{broken}, m); !errors.Is(err, broken) {
		t.Errorf("writing: %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestLayout checks that the sizes of records equal the sizes of the arrays in memory; such a file can be mapped.
func TestLayout(t *testing.T) {
	data := encode(t, sample(t))
	for i := range le.Uint32(data[12:]) {
		e := data[headerSize+entrySize*i:]
		if le.Uint64(e[8:])%alignment != 0 {
			t.Errorf("section %d begins at %d", le.Uint32(e), le.Uint64(e[8:]))
		}
	}
	// The first region, byte by byte as specified.
	want := []byte{
		0, 0, 0, 0, 4, 0, 0, 0, // First, Count
		0, 0, 0, 0, 1, 0, 0, 0, // FirstPortal, PortalCount
		0, 0, 0, 0, 0, 0, 3, 0, // FirstPassage, Layer, Area, 0
		1, 0, 0, 0, 0, 0, 0, 0, // Flags, Component
	}
	if got := section(t, data, secRegions)[:32]; !bytes.Equal(got, want) {
		t.Errorf("region 0 is % x, want % x", got, want)
	}
}
