package draco

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/internal/slow"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestAgainstGoogle compares the positions of all corners with those of Google's decoder, to the last bit: testdata/README.md.
func TestAgainstGoogle(t *testing.T) {
	for _, c := range []struct {
		name      string
		triangles int
		hash      string
	}{
		{"house-edge0-11-p.drc", 20, "f7dd16bc5aa48fc7c428e3f52726678df0060c99bd982e8ff75bb9cc7d874197"},
		{"house-edge3-0-ntp.drc", 20, "8eced9d6bca7e70bcb6cfe932b697e85d95720d5b9851597f14eeea7f5e16f79"},
		{"house-edge10-11-tcnp.drc", 20, "f7dd16bc5aa48fc7c428e3f52726678df0060c99bd982e8ff75bb9cc7d874197"},
		{"house-seq3-11-ntp.drc", 20, "1a453b462b77942269844aa1e1efcf2282b5b37bee48ecb1247aac1759bbf38c"},
		{"house-seq10-0-p.drc", 20, "a7022a0855d1caa0716c2e1456450d10a2934a0ada2c53c61d2ac7b33b735309"},
		{"arch-edge0-11-p.drc", 744, "0e5c043e0405f94105982b121e8ef2e788cfcdd1e9a1bdcac544f7d2ef349611"},
		{"maze-edge1-16-p.drc", 828, "2993b141d41b2f80cff5de795ab11315b2fa5fcaedafe637e38a300866991ed2"},
		{"maze-edge5-11-ntp.drc", 828, "c1b1c6c93ea4c9a605dafbf988c47fb773e1d2a946788575b592bcb74030283e"},
		{"spiral-edge5-11-p.drc", 1936, "90775d2568f8e30c4219c07ffef55ce7166b0bfc19f330436af78f50dca94b51"},
		{"spiral-edge1-11-p.drc", 1936, "90775d2568f8e30c4219c07ffef55ce7166b0bfc19f330436af78f50dca94b51"},
		{"spiral-edge0-16-p.drc", 1936, "750f061275a087bb66003106c07230ba5a7c0f7ec1a83066e8bf0e7b009f85b6"},
		{"rough-edge1-11-p.drc", 3680, "8ef4ce768a51d856d3e175eec5b7e22be0f374a3192850092bac29708dcc2797"},
		{"spiral-edge5-11-ntp.drc", 1936, "90775d2568f8e30c4219c07ffef55ce7166b0bfc19f330436af78f50dca94b51"},
	} {
		m, err := Decode(file(t, c.name), -1, c.triangles)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var all []byte
		for _, tri := range m.Triangles {
			for _, v := range tri {
				for _, x := range m.Positions[v] {
					all = binary.LittleEndian.AppendUint32(all, math.Float32bits(float32(x)))
				}
			}
		}
		if sum := sha256.Sum256(all); len(m.Triangles) != c.triangles || hex.EncodeToString(sum[:]) != c.hash {
			t.Errorf("%s: %d triangles, want %d; hash %x", c.name, len(m.Triangles), c.triangles, sum)
		}
		if _, err := Decode(file(t, c.name), -1, c.triangles-1); err == nil || !strings.Contains(err.Error(), "triangles") {
			t.Errorf("%s with a limit below its triangles: %v", c.name, err)
		}
	}
}

// TestFaults checks the errors of wrong headers and of a number that no attribute has.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		at    int
		value byte
		id    int
		want  string
	}{
		{0, 'X', -1, "draco: starts with"},
		{5, 1, -1, "version 1.2, only 2.2 is read"},
		{7, 0, -1, "geometry of type 0, only triangles (1) are read"},
		{8, 7, -1, "method 7, must be sequential (0) or edgebreaker (1)"},
		{11, 1, -1, "a traversal of type 1, only standard (0) and by valence (2) are read"},
		{8, 1, 9, "no positions among the attributes"},
	} {
		d := file(t, "house-edge0-11-p.drc")
		d[c.at] = c.value
		if _, err := Decode(d, c.id, 1000); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("byte %d is %d, attribute %d: %v, want %q", c.at, c.value, c.id, err, c.want)
		}
	}
}

// check decodes any bytes; a mesh has corners inside of its positions and keeps to the limit.
func check(t *testing.T, data []byte, limit int) bool {
	t.Helper()
	m, err := Decode(data, -1, limit)
	if err != nil {
		return false
	}
	if len(m.Triangles) > limit {
		t.Fatalf("%d triangles, the limit is %d", len(m.Triangles), limit)
	}
	for i, tri := range m.Triangles {
		for _, v := range tri {
			if int(v) >= len(m.Positions) {
				t.Fatalf("triangle %d has position %d of %d", i, v, len(m.Positions))
			}
		}
	}
	return true
}

// TestDamage cuts files short and changes some bytes.
func TestDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	files, err := filepath.Glob("testdata/*.drc")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	meshes := 0
	for _, name := range files {
		data := file(t, filepath.Base(name))
		for n := 0; n < len(data)-1; n += 1 + n/20 {
			check(t, data[:n], 4000)
		}
		for range slow.Count(100, 1000) {
			d := bytes.Clone(data)
			for range 1 + rng.IntN(4) {
				d[rng.IntN(len(d))] = byte(rng.IntN(256))
			}
			if check(t, d, 4000) {
				meshes++
			}
		}
	}
	if meshes < 50 {
		t.Errorf("only %d damaged files are meshes", meshes)
	}
}

// TestHuge checks that counts beyond the file cost no more than the limit allows.
func TestHuge(t *testing.T) {
	for _, name := range []string{"house-edge0-11-p.drc", "house-seq3-11-ntp.drc"} {
		for at := 11; at < 40; at++ {
			d := bytes.Clone(file(t, name))
			d = append(d[:at:at], append([]byte{0xff, 0xff, 0xff, 0x07}, d[at:]...)...)
			costtest.Within(t, 5*time.Second, 100, func() { check(t, d, 10000) })
		}
	}
}

func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*.drc")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		f.Add(file(f, filepath.Base(name)))
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data, 10000) })
}
