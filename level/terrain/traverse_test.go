package terrain

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func traverse(t *testing.T, r *Rules, method string) Traverse {
	t.Helper()
	got, err := r.Traverse(method)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestTraverse(t *testing.T) {
	r := parse(t, whole) // areas: field, road, sidewalk, crosswalk, river
	for _, want := range []Traverse{
		{Method: "walk", Cost: []float64{1, 0, 1, 1, 0}, Speed: []float64{1.5, 0, 1.5, 1.5, 0}, Crossings: []Step{{1, 2, 4, 0}}},
		{Method: "drive", Cost: []float64{0, 1, 0, 4, 0}, Speed: []float64{0, 15, 0, 5, 0}, Crossings: []Step{{0, 1, 2, 3}, {0, 2, 1, 3}}},
		{Method: "swim", Cost: []float64{0, 0, 0, 0, 2}, Speed: make([]float64, 5), Crossings: []Step{{1, 2, 4, 0}}},
		{
			Method: "fly", Cost: []float64{1, 1, 1, 1, 1}, Speed: []float64{20, 20, 20, 20, 20},
			Crossings: []Step{{0, 1, 2, 3}, {0, 2, 1, 3}, {1, 2, 4, 0}},
		},
	} {
		if d := cmp.Diff(want, traverse(t, r, want.Method)); d != "" {
			t.Errorf("%s: %s", want.Method, d)
		}
	}
	if _, err := r.Traverse("crawl"); err == nil || err.Error() != `terrain: method "crawl" is not known, there are walk, drive, swim, fly` {
		t.Errorf("got %v", err)
	}
	if got, want := r.Users(), []string{"walk or fly", "drive or fly", "walk or fly", "walk or drive or fly", "swim or fly"}; !slices.Equal(got, want) {
		t.Errorf("users: got %q, want %q", got, want)
	}
}

func TestTraverseSpeedsAndInclusion(t *testing.T) {
	r := parse(t, `terrain: 1
groups: [{name: a}, {name: b}, {name: c}]
methods:
  - name: slow
    on: {a: {speed: 2}, b: {speed: 1}, c: {cost: 9, speed: 4}}
  - name: base
    speed: 6
    on: {a: , b: {speed: 3}, ground: 5}
  - name: both
    includes: [slow, base]
  - name: own
    includes: [both]
    on: {a: 7}
  - name: swift
    includes: [base]
    speed: 12
crossings:
  - {name: hop, from: a, to: b, methods: base, cost: 1}
  - {name: own, from: b, to: c, methods: own, oneway: true}
`)
	for _, want := range []Traverse{
		// The fastest ground costs 1 without a method speed, and an explicit cost beats speeds.
		{Method: "slow", Cost: []float64{0, 2, 4, 9}, Speed: []float64{0, 2, 1, 4}},
		{Method: "base", Cost: []float64{5, 1, 2, 0}, Speed: []float64{6, 6, 3, 0}, Crossings: []Step{{0, 1, 2, 1}, {0, 2, 1, 1}}},
		{Method: "both", Cost: []float64{5, 1, 2, 9}, Speed: []float64{6, 6, 3, 4}, Crossings: []Step{{0, 1, 2, 1}, {0, 2, 1, 1}}},
		{Method: "own", Cost: []float64{5, 7, 2, 9}, Speed: []float64{6, 0, 3, 4}, Crossings: []Step{{0, 1, 2, 1}, {0, 2, 1, 1}, {1, 2, 3, 0}}},
		{Method: "swift", Cost: []float64{5, 1, 2, 0}, Speed: []float64{12. / 5, 12, 6, 0}, Crossings: []Step{{0, 1, 2, 1}, {0, 2, 1, 1}}},
	} {
		if d := cmp.Diff(want, traverse(t, r, want.Method)); d != "" {
			t.Errorf("%s: %s", want.Method, d)
		}
	}
}

func TestCrossingsForNothing(t *testing.T) {
	_, report := Classify(strip("a"), parse(t, `terrain: 1
groups: [{name: a}, {name: b}]
methods:
  - {name: walk, on: [a, ground]}
  - {name: fly, includes: walk, on: b}
crossings:
  - {name: hop, from: a, to: b, methods: [walk, fly]}
`))
	want := `terrain: f:7:5: crossing "hop": method "walk" may not use "b": it never takes this` + "\n"
	if got := warnings(report); !strings.HasSuffix(got, want) {
		t.Errorf("got %s", got)
	}
}

// TestWhoHasOwnGroundCrossesItsOwnWay checks that a crossing of an included method does not bind a method with own
// ground on both sides.
func TestWhoHasOwnGroundCrossesItsOwnWay(t *testing.T) {
	r := parse(t, `terrain: 1
groups: [{name: road}, {name: kerb}]
methods:
  - {name: cycle, on: [road, kerb]}
  - {name: fly, includes: cycle, on: [road, kerb]}
  - {name: tram, includes: cycle, on: [road]}
crossings:
  - {name: hop, from: road, to: kerb, methods: cycle, cost: 1}
`)
	if got := traverse(t, r, "fly").Crossings; len(got) != 0 {
		t.Errorf("fly has to hop: %v", got)
	}
	if got := traverse(t, r, "tram").Crossings; len(got) != 2 {
		t.Errorf("tram hops %v", got)
	}
}
