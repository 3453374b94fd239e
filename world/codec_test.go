package world

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/navmesh"
)

// sameBits compares floats by their bits, so that NaN equals itself and zero differs from negative zero.
var sameBits = cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })

// oddNaN is a NaN with bits of its own.
var oddNaN = math.Float64frombits(0x7ff80000deadbeef)

// allEdits has every type of edit and of solid, with floats that are easily lost.
func allEdits() []Edit {
	box := Box{Base: geom.Vec{X: 1, Y: math.Copysign(0, -1), Z: math.Inf(-1)}, Size: geom.Vec{X: oddNaN, Y: 5e-324, Z: 0.1}, Yaw: -3}
	prism := Prism{Outline: []geom.Vec{{X: 1, Y: 2, Z: 3}, {X: 4, Y: 5, Z: 6}, {X: 7, Y: 8, Z: oddNaN}}, Bottom: -1, Top: 1e300}
	mesh := TriangleMesh{
		Vertices: []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, {}}, Triangles: [][3]int32{{0, 1, 2}, {-1, math.MaxInt32, math.MinInt32}},
		At: geom.Vec{X: -7}, Yaw: math.Pi,
	}
	return []Edit{
		Put{ID: "crate 1", Solid: box},
		Put{ID: "", Solid: Cylinder{Base: geom.Vec{X: 3, Y: 4, Z: 5}, Radius: 6, Height: 7}},
		Move{ID: "Kiste № 7", Solid: prism},
		Move{ID: "\xff\x00", Solid: Prism{}},
		Take{ID: ID(strings.Repeat("x", maxText))},
		Paint{ID: "mud", Solid: mesh, Brush: Brush{Area: "mud", Cost: math.Inf(1), Set: 1 << 31, Clear: 3, Priority: math.MinInt32}},
		Paint{ID: "a", Solid: TriangleMesh{}},
		Repaint{ID: "mud", Solid: box, Brush: Brush{Cost: oddNaN, Priority: math.MaxInt32}},
		Close{Mark: "gate"},
		Open{Mark: ""},
		Connect{ID: "ladder", From: geom.Vec{X: 1, Y: 2, Z: 3}, To: geom.Vec{X: -1, Y: -2, Z: oddNaN}, Kind: navmesh.Ladder, Cost: 2.5, BothWays: true},
		Connect{Kind: 255},
	}
}

func encodeEdits(t testing.TB, edits ...Edit) []byte {
	t.Helper()
	b, err := EncodeEdits(edits...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEditsRoundTrip checks that each edit comes back bit by bit, alone and in a batch.
func TestEditsRoundTrip(t *testing.T) {
	all := allEdits()
	batches := [][]Edit{nil, all}
	for _, e := range all {
		batches = append(batches, []Edit{e})
	}
	for i, want := range batches {
		got, err := DecodeEdits(encodeEdits(t, want...))
		if err != nil {
			t.Fatalf("batch %d: %v", i, err)
		}
		if diff := cmp.Diff(want, got, sameBits); diff != "" {
			t.Errorf("batch %d: %s", i, diff)
		}
	}
	got, err := DecodeEdits(encodeEdits(t, Put{Solid: Prism{Outline: []geom.Vec{}}}))
	if err != nil || got[0].(Put).Solid.(Prism).Outline != nil {
		t.Errorf("an empty outline: %v, %v", got, err)
	}
}

// TestBatchBytes pins the bytes of a batch to the page of the format.
func TestBatchBytes(t *testing.T) {
	want := "01000000" + "03000000" +
		"01" + "02000000" + "6b37" + "02" + // put "k7", a cylinder
		"000000000000f03f" + "0000000000000040" + "0000000000000840" + "0000000000001040" + "0000000000001440" +
		"06" + "04000000" + "67617465" + // close "gate"
		"03" + "02000000" + "6b37" // take "k7"
	got := encodeEdits(t,
		Put{ID: "k7", Solid: Cylinder{Base: geom.Vec{X: 1, Y: 2, Z: 3}, Radius: 4, Height: 5}}, Close{Mark: "gate"}, Take{ID: "k7"})
	if hex.EncodeToString(got) != want {
		t.Errorf("%x\nwant\n%s", got, want)
	}
}

// foreign is an edit and a solid of another package: it embeds ours.
type (
	foreign      struct{ Put }
	foreignSolid struct{ Box }
)

func TestEncodeEditsRefuses(t *testing.T) {
	long := strings.Repeat("x", maxText+1)
	for _, c := range []struct {
		edit Edit
		want string
	}{
		{nil, "world: edit 2 of 2: the edit is nil"},
		{&Take{ID: "a"}, "world: edit 2 of 2: the edit is a *world.Take, which is not an edit"},
		{foreign{}, "world: edit 2 of 2: the edit is a world.foreign, which is not an edit"},
		{Put{ID: "a"}, `world: edit 2 of 2 (put "a"): the solid is nil`},
		{Move{ID: "a", Solid: &Box{}}, `world: edit 2 of 2 (move "a"): the solid is a *world.Box, which is not a solid`},
		{Paint{ID: "a", Solid: foreignSolid{}}, `world: edit 2 of 2 (paint "a"): the solid is a world.foreignSolid`},
		{Repaint{ID: "a", Solid: Box{}, Brush: Brush{Area: long}}, `world: edit 2 of 2 (repaint "a"): the area has 65536 bytes, at most 65535`},
		{Close{Mark: long}, `...): the mark has 65536 bytes`},
		{Connect{ID: ID(long)}, `...): the id has 65536 bytes`},
	} {
		b, err := EncodeEdits(Take{ID: "x"}, c.edit)
		if want := strings.TrimPrefix(c.want, "..."); b != nil || err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestDecodeEditsErrors checks that errors name the edit, its id and the fault.
func TestDecodeEditsErrors(t *testing.T) {
	prism := encodeEdits(t, Take{ID: "x"}, Put{ID: "p", Solid: Prism{Outline: make([]geom.Vec, 2)}})
	mesh := encodeEdits(t, Put{ID: "m", Solid: TriangleMesh{Vertices: make([]geom.Vec, 2), Triangles: make([][3]int32, 1)}})
	link := encodeEdits(t, Connect{ID: "l"})
	set := func(b []byte, at int, v ...byte) []byte {
		b = bytes.Clone(b)
		copy(b[(at+len(b))%len(b):], v)
		return b
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":              {nil, "world: a batch of edits has at least 8 bytes, not 0"},
		"version":            {set(prism, 0, 2), "world: edits of version 2, this program reads version 1"},
		"count":              {set(prism, 7, 1), "world: 16777218 edits in"},
		"one edit too many":  {set(prism, 4, 3), "world: edit 3 of 3: the bytes end within the edit"},
		"one edit too few":   {set(prism, 4, 1), "world: 75 bytes after the last of 1 edits"},
		"type of edit":       {set(prism, 8, 9), "world: edit 1 of 2: type 9 of edit is unknown"},
		"type of solid":      {set(prism, 20, 0), `world: edit 2 of 2 (put "p"): type 0 of solid is unknown`},
		"id":                 {set(prism, 11, 1), `world: edit 1 of 2 (take ""): the id has 65537 bytes, at most 65535`},
		"id beyond the end":  {set(prism, 9, 200), `world: edit 1 of 2 (take ""): the bytes end within the edit`},
		"outline":            {set(prism, 40, 255), `world: edit 2 of 2 (put "p"): 4278190082 points in 48 bytes`},
		"outline, one fewer": {set(prism, 37, 1), "world: 24 bytes after the last of 2 edits"},
		"vertices":           {set(mesh, -61-7, 0, 0, 0, 255), "vertices and 1 triangles in 60 bytes"},
		"triangles":          {set(mesh, -61, 255), `world: edit 1 of 1 (put "m"): 4278190081 triangles in 60 bytes`},
		"truth":              {set(link, -1, 2), `world: edit 1 of 1 (connect "l"): a yes or no is 2`},
		"more bytes":         {append(bytes.Clone(link), 0), "world: 1 bytes after the last of 1 edits"},
	} {
		got, err := DecodeEdits(c.data)
		if got != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	all := encodeEdits(t, allEdits()...)
	for n := range all {
		if n > 1000 && n < len(all)-1000 {
			continue // within the long id
		}
		if _, err := DecodeEdits(all[:n]); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(all))
		}
	}
}

// TestHostileBatches checks that lengths are compared with the bytes present before memory is taken.
func TestHostileBatches(t *testing.T) {
	claims := [][]byte{
		le.AppendUint32(le.AppendUint32(nil, batchVersion), math.MaxUint32),
		append(encodeEdits(t, Put{ID: "p", Solid: Prism{}})[:31], 255, 255, 255, 255),
		append(encodeEdits(t, Put{ID: "p", Solid: TriangleMesh{}})[:47], 255, 255, 255, 255, 0, 0, 0, 0),
		append(encodeEdits(t, Put{ID: "p", Solid: TriangleMesh{}})[:51], 255, 255, 255, 255),
	}
	costtest.Within(t, 5*time.Second, 1, func() {
		for i, data := range claims {
			if _, err := DecodeEdits(data); err == nil {
				t.Errorf("claim %d is believed", i)
			}
		}
	})
	many := append(le.AppendUint32(le.AppendUint32(nil, batchVersion), 1<<18), bytes.Repeat([]byte{takeByte, 0, 0, 0, 0}, 1<<18)...)
	costtest.Within(t, 20*time.Second, 32, func() {
		if edits, err := DecodeEdits(many); err != nil || len(edits) != 1<<18 {
			t.Errorf("%d edits, %v", len(edits), err)
		}
	})
}

// FuzzDecodeEdits checks that bytes which decode are the bytes of their edits.
func FuzzDecodeEdits(f *testing.F) {
	for _, e := range allEdits() {
		if data := encodeEdits(f, e); len(data) < 1000 {
			f.Add(data)
			f.Add(data[:len(data)-1])
		}
	}
	f.Add(encodeEdits(f))
	f.Add(encodeEdits(f, Take{ID: "a"}, Close{Mark: "b"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		edits, err := DecodeEdits(data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "world: ") || len(err.Error()) > 500 {
				t.Fatal(err)
			}
			return
		}
		if again := encodeEdits(t, edits...); !bytes.Equal(again, data) {
			t.Fatalf("%x is written as %x", data, again)
		}
	})
}
