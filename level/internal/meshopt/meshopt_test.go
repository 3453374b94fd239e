package meshopt

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"
)

// vector is a line of testdata/vectors.txt: buffers as the npm package meshoptimizer 0.22.0 packs them, and the hash of what
// its decoder makes of them; for quaternions the bytes.
type vector struct {
	mode, filter  string
	count, stride int
	packed        []byte
	hash          string
}

func vectors(t testing.TB) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		v := vector{mode: f[0], filter: f[3], hash: f[5]}
		if v.count, err = strconv.Atoi(f[1]); err == nil {
			if v.stride, err = strconv.Atoi(f[2]); err == nil {
				v.packed, err = base64.StdEncoding.DecodeString(f[4])
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if len(all) < 20 {
		t.Fatalf("%d vectors", len(all))
	}
	return all
}

// unpack calls the function of a mode.
func (v vector) unpack() ([]byte, error) {
	unpack := map[string]func([]byte, int, int) ([]byte, error){"ATTRIBUTES": Attributes, "TRIANGLES": Triangles, "INDICES": Indices}[v.mode]
	data, err := unpack(v.packed, v.count, v.stride)
	if err == nil {
		err = Filter(data, v.stride, v.filter)
	}
	return data, err
}

// TestUnpack compares with the decoder of the format's authors, byte for byte.
func TestUnpack(t *testing.T) {
	for i, v := range vectors(t) {
		data, err := v.unpack()
		if err != nil {
			t.Errorf("line %d, %s %d × %d %s: %v", i+1, v.mode, v.count, v.stride, v.filter, err)
			continue
		}
		if v.filter == "QUATERNION" {
			want, err := base64.StdEncoding.DecodeString(v.hash)
			if err != nil || len(want) != len(data) {
				t.Fatalf("line %d: %d bytes, %v", i+1, len(want), err)
			}
			for k := 0; k < len(data); k += 2 { // their decoder works in float32
				if d := int16(binary.LittleEndian.Uint16(data[k:])) - int16(binary.LittleEndian.Uint16(want[k:])); d < -1 || d > 1 {
					t.Errorf("line %d: component %d is off by %d", i+1, k/2, d)
				}
			}
			continue
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != v.hash {
			t.Errorf("line %d, %s %d × %d %s: other bytes", i+1, v.mode, v.count, v.stride, v.filter)
		}
	}
}

// TestDamaged cuts the buffers short, makes them longer, and states other counts: all but a count within the last block is
// an error.
func TestDamaged(t *testing.T) {
	for i, v := range vectors(t) {
		for cut := range len(v.packed) {
			w := v
			if w.packed = v.packed[:cut]; cut < len(v.packed)-300 && cut%7 != 0 {
				continue
			}
			if data, err := w.unpack(); err == nil && len(data) != v.count*v.stride {
				t.Errorf("line %d cut to %d bytes: %d bytes", i+1, cut, len(data))
			}
		}
		w := v
		w.packed = append(bytes.Clone(v.packed[:len(v.packed)/2]), v.packed[len(v.packed)/2-1:]...)
		if _, err := w.unpack(); err == nil && v.count > 100 {
			t.Errorf("line %d with a byte more is taken", i+1)
		}
	}
	for _, c := range []struct {
		v    vector
		want string
	}{
		{vector{mode: "ATTRIBUTES", count: 1, stride: 3}, "stride of 3 bytes"},
		{vector{mode: "ATTRIBUTES", count: 1, stride: 4, packed: make([]byte, 40)}, "ends early"},
		{vector{mode: "ATTRIBUTES", count: 1, stride: 4, packed: append([]byte{0xa1}, make([]byte, 40)...)}, "version 1"},
		{vector{mode: "TRIANGLES", count: 4, stride: 4}, "4 indices are no triangles"},
		{vector{mode: "TRIANGLES", count: 3, stride: 3, packed: append([]byte{0xe1}, make([]byte, 40)...)}, "indices of 3 bytes"},
		{vector{mode: "INDICES", count: 1, stride: 2, packed: []byte{0xd1, 255, 255, 255, 255, 255, 1, 0, 0, 0, 0}}, "more than 5 bytes"},
		{vector{mode: "INDICES", count: 0, stride: 2, filter: "X", packed: []byte{0xd1, 0, 0, 0, 0}}, `filter "X"`},
	} {
		if _, err := c.v.unpack(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	modes := []string{"ATTRIBUTES", "TRIANGLES", "INDICES"}
	filters := []string{"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"}
	for _, v := range vectors(f) {
		kind := 0
		for kind < 12 && (modes[kind/4] != v.mode || filters[kind%4] != v.filter) {
			kind++
		}
		f.Add(v.packed, uint16(v.count), uint8(v.stride/4), uint8(kind))
	}
	f.Fuzz(func(t *testing.T, data []byte, count uint16, stride, kind uint8) {
		v := vector{mode: modes[kind/4%3], filter: filters[kind%4], count: int(count), stride: 4 * int(stride), packed: data}
		before := bytes.Clone(data)
		out, err := v.unpack()
		if err == nil && len(out) != v.count*v.stride {
			t.Fatalf("%d bytes of %d × %d", len(out), v.count, v.stride)
		}
		if !bytes.Equal(before, data) {
			t.Fatal("the input was changed")
		}
	})
}
