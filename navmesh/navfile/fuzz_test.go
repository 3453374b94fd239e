package navfile

import (
	"bytes"
	"hash/crc32"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/navmesh"
)

// resign recomputes all checksums of a damaged file, as far as its directory can be read, to reach the code behind the
// checks.
func resign(data []byte) []byte {
	data = bytes.Clone(data)
	if len(data) < headerSize {
		return data
	}
	n := uint64(le.Uint32(data[12:]))
	if end := headerSize + entrySize*n; end <= uint64(len(data)) {
		for i := range n {
			e := data[headerSize+entrySize*i:]
			offset, length := le.Uint64(e[8:]), le.Uint64(e[16:])
			if offset <= uint64(len(data)) && length <= uint64(len(data))-offset {
				le.PutUint32(e[24:], crc32.Checksum(data[offset:offset+length], castagnoli))
			}
		}
		le.PutUint32(data[24:], crc32.Checksum(data[headerSize:end], castagnoli))
	}
	le.PutUint32(data[28:], crc32.Checksum(data[:28], castagnoli))
	return data
}

// patch sets bytes of a good file behind its header and directory: each edit has two bytes of position and one byte of
// value.
func patch(good, edits []byte) []byte {
	out := bytes.Clone(good)
	start := headerSize + entrySize*int(le.Uint32(good[12:]))
	for ; len(edits) >= 3; edits = edits[3:] {
		out[start+int(le.Uint16(edits))%(len(out)-start)] = edits[2]
	}
	return out
}

// FuzzRead reads damaged files, with their checksums unchanged and recomputed, and a good file with some bytes changed
// and recomputed checksums. Every resulting mesh must survive Validate and Write.
func FuzzRead(f *testing.F) {
	for _, m := range []*navmesh.Mesh{sample(f), {}, {Tiles: make([]navmesh.Tile, 2)}} {
		data, err := Encode(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	old, err := os.ReadFile("testdata/version3.mesh")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(old)
	for _, record := range []string{"note", `{"meadow":1}`} {
		m := sample(f)
		m.Record = []byte(record)
		data, err := Encode(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(withSection(data, secRecord, []byte(record)))
		f.Add(withSection(data, optionalFrom+1, nil))
	}
	whole := sample(f)
	whole.Record = []byte("note")
	good, err := Encode(whole)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{0x60, 0, 1, 0x90, 0, 2, 0xa0, 0, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, file := range [][]byte{data, resign(data), resign(patch(good, data))} {
			m, err := Decode(file)
			m2, err2 := Read(bytes.NewReader(file))
			if (err == nil) != (err2 == nil) {
				t.Fatalf("Decode says %v, Read %v", err, err2)
			}
			if err != nil {
				continue
			}
			if diff := cmp.Diff(m, m2); diff != "" {
				t.Fatalf("Decode and Read differ: %s", diff)
			}
			m.Validate()
			m.Bounds()
			again, err := Encode(m)
			if err != nil {
				t.Fatalf("cannot be written again: %v", err)
			}
			m3, err := Decode(again)
			if err != nil {
				t.Fatalf("cannot be read again: %v", err)
			}
			if diff := cmp.Diff(m, m3); diff != "" {
				t.Fatalf("written and read again: %s", diff)
			}
		}
	})
}
