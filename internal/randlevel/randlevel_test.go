package randlevel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"testing"
)

// TestSameEverywhere compares the levels of one seed with hashes that every machine has to reach, and the levels of two seeds
// with each other.
func TestSameEverywhere(t *testing.T) {
	hash := sha256.New()
	for _, kind := range Kinds() {
		lvl, other := Make(kind, 1), Make(kind, 2)
		fmt.Fprintln(hash, kind, len(lvl.Triangles), lvl.Vertices, lvl.Triangles)
		if fmt.Sprint(lvl.Vertices) == fmt.Sprint(other.Vertices) {
			t.Errorf("%s: two seeds give one level", kind)
		}
		for i, v := range lvl.Vertices {
			if far := math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z); !(far < 200) {
				t.Fatalf("%s: vertex %d is at %v", kind, i, v)
			}
		}
		if n := len(lvl.Triangles); n < 500 || n > 20000 {
			t.Errorf("%s: %d triangles", kind, n)
		}
	}
	const want = "bd1b5ff7a2710dfb"
	if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != want {
		t.Errorf("levels have the hash %s, want %s", got, want)
	}
}
