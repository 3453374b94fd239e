package exact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/soup"
)

// fullScene returns the layers of a scene full of boxes.
func fullScene(t *testing.T, seed uint64) *extraction {
	agent := floortest.Agent
	agent.Radius, agent.MaxClimb, agent.MaxGap = 0.6, 0.9, 0.2
	s := floortest.RandomScene(seed, 10, 90)
	read, err := soup.Read(&s.Level, agent)
	if err != nil {
		t.Fatal(err)
	}
	e := newExtraction(read, agent)
	if err := e.find(t.Context(), 1, func(int, string) {}); err != nil {
		t.Fatal(err)
	}
	return e
}

// crowdedFloors returns the floors of a full scene with crossings between layers.
func crowdedFloors(t *testing.T, seed uint64) *extraction {
	e := fullScene(t, seed)
	if _, err := e.groupCrossings(t.Context(), 1, e.settlers()); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestOverlaps cuts every two floors and boxes anew, and compares the result with the known overlap of the pair.
func TestOverlaps(t *testing.T) {
	race.Skip(t)
	whole, cut := 0, 0
	for seed := range uint64(2) {
		e := crowdedFloors(t, seed)
		r := rand.New(rand.NewPCG(seed, 1))
		var shown []int32
		for i := range e.layer {
			if e.matters(int32(i)) {
				shown = append(shown, int32(i))
			}
		}
		for _, lower := range shown {
			for _, upper := range shown {
				if b := e.disc(*e.box(lower), 0); lower == upper || !b.Meets(e.box(upper)) {
					continue
				}
				box := box3{Low: [3]int32{math.MinInt32, math.MinInt32, math.MinInt32}, High: [3]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}}
				want := cutAnew(e, lower, upper, &box)
				pair := e.pairOf(lower, upper)
				if pair < 0 {
					if want.n > 0 {
						t.Fatalf("seed %d: %d is over %d, and they are no pair", seed, upper, lower)
					}
					continue
				}
				for range 3 {
					_, got := e.overlapIn(pair, &box)
					if !slices.Equal(got.v[:got.n], want.v[:want.n]) {
						t.Fatalf("seed %d: %d is over %d in %v, want %v", seed, upper, lower, got.v[:got.n], want.v[:want.n])
					}
					if want.n > 0 && box.Low[0] > math.MinInt32 {
						cut++
					} else if want.n > 0 {
						whole++
					}
					around := e.box(lower)
					for k := range 2 {
						a, b := around.Low[k]+r.Int32N(around.High[k]-around.Low[k]+1), around.Low[k]+r.Int32N(around.High[k]-around.Low[k]+1)
						box.Low[k], box.High[k] = min(a, b), max(a, b)
					}
					want = cutAnew(e, lower, upper, &box)
				}
			}
		}
	}
	if whole < 100 || cut < 100 {
		t.Errorf("%d overlaps and %d cut ones: too few", whole, cut)
	}
}

// cutAnew returns the part of a floor in a box that is over another floor, high enough to walk between.
func cutAnew(e *extraction, lower, upper int32, box *box3) piece {
	p := prismOf(&e.soup.Triangles[lower].V, 0)
	part := pieceOf(&e.soup.Triangles[upper].V)
	p.trim(&part)
	part = part.within(box)
	p.band(&part, e.height, math.Inf(1))
	if part.area2() <= overlapping {
		part.n = 0
	}
	return part
}

// TestStoreysBeside asks for the storeys beside each rim one at a time, and then for all at once.
func TestStoreysBeside(t *testing.T) {
	race.Skip(t)
	found := 0
	for seed := range uint64(2) {
		e := crowdedFloors(t, seed)
		f := followers.Get().(*follower)
		f.begin(searches.Add(1))
		for k := range e.rims {
			want := slices.Clone(e.withStoreys(int32(k), everything, f))
			e.storeysBeside[k].Store(nil)
			for _, pair := range slices.Backward(e.over.Of(e.rims[k].triangle)) {
				e.withStoreys(int32(k), func(t int32) bool { return t == e.storeys[pair][0] || t == e.storeys[pair][1] }, f)
			}
			if got := e.withStoreys(int32(k), everything, f); !slices.Equal(got, want) {
				t.Fatalf("seed %d, rim %d: %v, want %v", seed, k, got, want)
			}
			found += len(want) - len(e.rims[k].beyond)
		}
		followers.Put(f)
	}
	if found < 100 {
		t.Errorf("%d floors of other storeys beside rims: too few", found)
	}
}
