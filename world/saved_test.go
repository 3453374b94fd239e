package world

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// smallMesh is a mesh of two squares for an agent of a radius.
func smallMesh(t testing.TB, radius float64) *navmesh.Mesh {
	t.Helper()
	square := func(x0, x1 int32) plan.Cell {
		var c plan.Cell
		for _, p := range []lattice.Point{{X: x0}, {X: x1}, {X: x1, Y: 4096}, {X: x0, Y: 4096}} {
			c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
		}
		return c
	}
	p := &plan.Plan{Agent: geom.Agent{Radius: radius}.WithDefaults(), Layers: []plan.Layer{{Domains: make([]plan.Domain, 1)}}}
	m, _, err := join.Build(context.Background(), p, [][][]plan.Cell{{{square(0, 4096), square(4096, 8192)}}}, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// smallSave is the content of a saved world with everything in it.
func smallSave(t testing.TB) *saved {
	t.Helper()
	s := &saved{sequence: 1 << 40, meshes: []*navmesh.Mesh{smallMesh(t, 0.25), smallMesh(t, 0.5)}, closed: []int{0, 2}}
	s.meshes[0].Marks = []navmesh.Mark{{Name: "gate", Kind: "door"}, {}, {Kind: "door"}}
	for _, e := range allEdits() {
		if _, ok := e.(Thing); ok {
			s.things = append(s.things, e)
		}
	}
	return s
}

func encodeSave(t testing.TB, s *saved) (data []byte, base uint64) {
	t.Helper()
	data, base, err := s.encode()
	if err != nil {
		t.Fatal(err)
	}
	return data, base
}

func TestSavedRoundTrip(t *testing.T) {
	for name, want := range map[string]*saved{
		"everything": smallSave(t),
		"nothing":    {meshes: []*navmesh.Mesh{{}}},
	} {
		data, base := encodeSave(t, want)
		got, base2, err := readSaved(iotest.OneByteReader(bytes.NewReader(data)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got, sameBits, cmp.AllowUnexported(saved{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if again, _ := encodeSave(t, got); !bytes.Equal(again, data) || base2 != base || len(data)%8 != 0 {
			t.Errorf("%s: %d bytes become %d", name, len(data), len(again))
		}
		// Mesh files lie in the file as they are, at a multiple of 8.
		mesh, err := navfile.Encode(want.meshes[0])
		if err != nil {
			t.Fatal(err)
		}
		if at := savedHeader + chunkHead; !bytes.Equal(data[at:at+len(mesh)], mesh) || at%8 != 0 {
			t.Errorf("%s: the base is not at byte %d", name, at)
		}
	}
}

// TestBaseNumber checks that the number of the meshes in logs follows the meshes and nothing else.
func TestBaseNumber(t *testing.T) {
	s := smallSave(t)
	_, want := encodeSave(t, s)
	s.sequence, s.things, s.closed = 3, nil, nil
	if _, got := encodeSave(t, s); got != want {
		t.Error("the number depends on the things")
	}
	s.meshes[1] = smallMesh(t, 0.75)
	if _, got := encodeSave(t, s); got == want {
		t.Error("another wider mesh has the same number")
	}
	s.meshes = s.meshes[:1]
	if _, got := encodeSave(t, s); got == want {
		t.Error("the base alone has the same number")
	}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	race.Skip(t)
	data, _ := encodeSave(t, smallSave(t))
	for i := range data {
		for bit := range 8 {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << bit
			if _, _, err := decodeSaved(bad); err == nil || !strings.HasPrefix(err.Error(), "world: ") {
				t.Errorf("bit %d of byte %d: %v", bit, i, err)
			}
		}
	}
}

func TestEveryTruncationIsFound(t *testing.T) {
	data, _ := encodeSave(t, smallSave(t))
	for n := range data {
		if _, _, err := decodeSaved(data[:n]); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(data))
		}
	}
	if _, _, err := decodeSaved(append(data, 0)); err == nil {
		t.Error("a byte too many: no error")
	}
}

// resignSave makes the checksums of a saved world right again, as far as its chunks can be found.
func resignSave(data []byte) []byte {
	data = bytes.Clone(data)
	if len(data) < savedHeader {
		return data
	}
	le.PutUint32(data[savedHeader-4:], crc32.Checksum(data[:savedHeader-4], castagnoli))
	for at := savedHeader; len(data)-at >= chunkHead; {
		rest := data[at+chunkHead:]
		n := le.Uint64(data[at:])
		if n > uint64(len(rest)) {
			n = uint64(len(rest))
		} else {
			le.PutUint32(data[at+8:], crc32.Checksum(rest[:n], castagnoli))
		}
		le.PutUint32(data[at+12:], crc32.Checksum(data[at:at+12], castagnoli))
		at += chunkHead + int(n) + padding(int(n))
	}
	return data
}

// TestSavedErrors checks that errors name the part and the place.
func TestSavedErrors(t *testing.T) {
	good, _ := encodeSave(t, smallSave(t))
	mesh := len(encodeMesh(t, smallSave(t).meshes[0]))
	closed := savedHeader + 2*chunkHead + mesh + len(encodeMesh(t, smallMesh(t, 0.5)))
	things := closed + chunkHead + 8
	for name, c := range map[string]struct {
		damage func(d []byte) []byte
		sign   bool
		want   string
	}{
		"a mesh":          {func(d []byte) []byte { return d[savedHeader+chunkHead:] }, false, "world: not a saved world"},
		"short":           {func(d []byte) []byte { return d[:31] }, false, "world: header: the file ends after 31 of 32 bytes"},
		"version":         {func(d []byte) []byte { d[8] = 2; return d }, true, "world: header: version 2, this program reads version 1"},
		"header":          {func(d []byte) []byte { d[16]++; return d }, false, "world: header: checksum is"},
		"no mesh":         {func(d []byte) []byte { d[12] = 0; return d }, true, "world: header: 0 meshes, must be 1 to 1024"},
		"many meshes":     {func(d []byte) []byte { d[14] = 1; return d }, true, "world: header: 65538 meshes"},
		"one mesh more":   {func(d []byte) []byte { d[12]++; return d }, true, "world: mesh 2: navfile: not a mesh file"},
		"one mesh fewer":  {func(d []byte) []byte { d[12]--; return d }, true, "world: closed marks: entry 0 is mark 1145128269 of 3"},
		"reserved":        {func(d []byte) []byte { d[24] = 1; return d }, true, "world: header: 2 meshes"},
		"head":            {func(d []byte) []byte { d[savedHeader]++; return d }, false, "world: mesh 0 at byte 32: checksum of the head is"},
		"body":            {func(d []byte) []byte { d[100]++; return d }, false, fmt.Sprintf("world: mesh 0 at byte 32: checksum of the %d bytes", mesh)},
		"mesh":            {func(d []byte) []byte { d[100]++; return d }, true, "world: mesh 0: navfile: "},
		"length":          {func(d []byte) []byte { d[savedHeader+7] = 1; return d }, true, "world: mesh 0 at byte 32: 720575940379289"},
		"no padding":      {func(d []byte) []byte { return d[:len(d)-1] }, false, "world: things at byte"},
		"padding":         {func(d []byte) []byte { d[len(d)-1] = 1; return d }, true, "the bytes behind are not zero"},
		"no things":       {func(d []byte) []byte { return d[:things] }, true, "world: the file ends at things"},
		"things":          {func(d []byte) []byte { d[things+chunkHead+8] = 99; return d }, true, "world: edit 1 of 6: type 99 of edit"},
		"more":            {func(d []byte) []byte { return append(d, make([]byte, 8)...) }, false, "world: 8 bytes after the things"},
		"closed mark":     {func(d []byte) []byte { d[closed+chunkHead] = 3; return d }, true, "world: closed marks: entry 0 is mark 3 of 3"},
		"order of closed": {func(d []byte) []byte { d[closed+chunkHead] = 2; return d }, true, "world: closed marks: entry 1 is mark 2 of 3"},
		"part of a mark":  {func(d []byte) []byte { d[closed] = 7; return d }, true, "world: closed marks: 7 bytes are no multiple of 4"},
		"no thing":        {func(d []byte) []byte { return appendChunk(d[:things], encodeEdits(t, Take{ID: "a"})) }, false, `world: thing 1 of 1 (take "a") is no thing`},
	} {
		data := c.damage(bytes.Clone(good))
		if c.sign {
			data = resignSave(data)
		}
		if _, _, err := decodeSaved(data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	broken := errors.New("the cable is out")
	if _, _, err := readSaved(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("reading: %v", err)
	}
	if _, _, err := readSaved(nil); err == nil {
		t.Error("a nil reader: no error")
	}
	for want, s := range map[string]*saved{
		"world: mesh 1: navfile: ":            {meshes: []*navmesh.Mesh{{}, {Agent: geom.Agent{Radius: math.NaN()}}}},
		"world: edit 1 of 1: the edit is nil": {meshes: []*navmesh.Mesh{{}}, things: []Edit{nil}},
		"world: mesh 0: navfile: navmesh: ":   {meshes: []*navmesh.Mesh{nil}},
	} {
		if _, _, err := s.encode(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func encodeMesh(t testing.TB, m *navmesh.Mesh) []byte {
	t.Helper()
	b, err := navfile.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestHostileSaves checks that claims in a right file cost no memory.
func TestHostileSaves(t *testing.T) {
	good, _ := encodeSave(t, &saved{meshes: []*navmesh.Mesh{{}}})
	closed := savedHeader + chunkHead + len(encodeMesh(t, &navmesh.Mesh{}))
	claims := map[string]func(d []byte){
		"mesh":   func(d []byte) { le.PutUint64(d[savedHeader:], 1<<62) },
		"closed": func(d []byte) { le.PutUint64(d[closed:], 1<<40) },
		"edits":  func(d []byte) { le.PutUint32(d[len(d)-4:], math.MaxUint32) },
	}
	costtest.Within(t, 10*time.Second, 1, func() {
		for name, claim := range claims {
			data := bytes.Clone(good)
			claim(data)
			if _, _, err := decodeSaved(resignSave(data)); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
}

// FuzzDecodeSaved reads damaged files with their checksums unchanged and made right. Whatever is read can be written, and is
// then the same.
func FuzzDecodeSaved(f *testing.F) {
	for _, s := range []*saved{smallSave(f), {meshes: []*navmesh.Mesh{{}}}} {
		data, _ := encodeSave(f, s)
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, file := range [][]byte{data, resignSave(data)} {
			s, base, err := decodeSaved(file)
			if err != nil {
				continue
			}
			again, base2 := encodeSave(t, s)
			s2, base3, err := decodeSaved(again)
			if err != nil || base2 != base3 {
				t.Fatalf("written again: %v, base %x, %x and %x", err, base, base2, base3)
			}
			if diff := cmp.Diff(s, s2, sameBits, cmp.AllowUnexported(saved{})); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}
