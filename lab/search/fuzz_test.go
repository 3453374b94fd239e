package search_test

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/lab/search"
)

// FuzzSearch makes a graph of bytes, three for an edge, and compares all searchers with Bellman and Ford's algorithm; with
// an edge back for each if the first byte is odd, so that ripples can take part.
func FuzzSearch(f *testing.F) {
	f.Add([]byte{0, 5, 0, 4, 0, 1, 3, 1, 2, 0, 2, 4, 9, 0, 4, 200})
	f.Add([]byte{1, 12, 3, 7, 3, 7, 0, 7, 3, 0, 0, 0, 1, 11, 1, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 || len(data) > 200 {
			return
		}
		n := 1 + int32(data[1]%24)
		from, to := int32(data[2])%n, int32(data[3])%n
		var w world
		for b := data[4:]; len(b) >= 3; b = b[3:] {
			e := search.Edge{From: int32(b[0]) % n, To: int32(b[1]) % n, Cost: float64(b[2])}
			w.edges = append(w.edges, e)
			if data[0]&1 == 1 {
				w.edges = append(w.edges, search.Edge{From: e.To, To: e.From, Cost: e.Cost})
			}
		}
		w.name, w.whole = "fuzz", true
		var err error
		if w.graph, err = search.NewGraph(int(n), w.edges); err != nil {
			t.Fatal(err)
		}
		want := w.bellmanFord(from)[to]
		e := landmarks(t, w.graph, 2).Estimate(nil)
		of := search.Louvain(w.graph, 1)
		o, err := search.NewOverview(w.graph, of)
		if err != nil {
			t.Fatal(err)
		}
		sure := exact(w.graph, e)
		rest := append(published(w.graph, e), named{"hierarchy", newHierarchy(t, w.graph, e, o, search.HierarchyOptions{})})
		if data[0]&1 == 1 {
			rest = append(rest, named{"ripple", newRipple(t, w.graph, e, o, search.RippleOptions{})})
		}
		for i, s := range slices.Concat(sure, rest) {
			r := find(t, s, from, to)
			if r.Found() != (want < math.Inf(1)) || r.Cost < want || i < len(sure) && r.Cost != want {
				t.Fatalf("%s: from %d to %d: cost %v, want %v; edges %v", s.name, from, to, r.Cost, want, w.edges)
			}
			w.checkPath(t, s.name, r, from, to)
		}
	})
}
