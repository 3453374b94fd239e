package pq

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// byOrder is the order that Heap documents, written down a second time.
func byOrder(a, b Item) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), -cmp.Compare(a.ID, b.ID))
}

// TestHeapAgainstSorting mixes pushes and pops of random keys, many of them equal, and compares
// every item that comes out with a sorted slice.
func TestHeapAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h Heap
	for round := range 200 {
		h.Reset()
		var want []Item
		for i := range 300 {
			if rng.IntN(3) > 0 {
				x := Item{Key: float64(rng.IntN(20)) / 4, ID: int32(i)}
				h.Push(x.Key, x.ID)
				at, _ := slices.BinarySearchFunc(want, x, byOrder)
				want = slices.Insert(want, at, x)
			} else if len(want) > 0 {
				if h.Min() != want[0] {
					t.Fatalf("round %d: first is %v, want %v", round, h.Min(), want[0])
				}
				if got := h.Pop(); got != want[0] {
					t.Fatalf("round %d: popped %v, want %v", round, got, want[0])
				}
				want = want[1:]
			}
			if h.Len() != len(want) {
				t.Fatalf("round %d: %d items, want %d", round, h.Len(), len(want))
			}
		}
	}
}

// TestHeapDegenerate covers one item, equal items, and infinite and negative keys.
func TestHeapDegenerate(t *testing.T) {
	tests := []struct {
		name string
		in   []Item
		want []Item
	}{
		{"one", []Item{{1, 7}}, []Item{{1, 7}}},
		{"the same twice", []Item{{1, 7}, {1, 7}}, []Item{{1, 7}, {1, 7}}},
		{"equal keys: newest first", []Item{{1, 0}, {1, 2}, {1, 1}}, []Item{{1, 2}, {1, 1}, {1, 0}}},
		{"infinities", []Item{{math.Inf(1), 0}, {-1, 1}, {math.Inf(-1), 2}}, []Item{{math.Inf(-1), 2}, {-1, 1}, {math.Inf(1), 0}}},
		{"zeros are equal", []Item{{0, 0}, {math.Copysign(0, -1), 1}}, []Item{{math.Copysign(0, -1), 1}, {0, 0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var h Heap
			for _, x := range tt.in {
				h.Push(x.Key, x.ID)
			}
			for i, want := range tt.want {
				if got := h.Pop(); got != want {
					t.Errorf("item %d is %v, want %v", i, got, want)
				}
			}
			if h.Len() != 0 {
				t.Errorf("%d items left", h.Len())
			}
		})
	}
}

// TestHeapKeepsItsMemory checks that a grown heap allocates nothing.
func TestHeapKeepsItsMemory(t *testing.T) {
	var h Heap
	fill := func() {
		h.Reset()
		for i := range int32(1000) {
			h.Push(float64(i*7919%1000), i)
		}
		for h.Len() > 0 {
			h.Pop()
		}
	}
	fill()
	if n := testing.AllocsPerRun(5, fill); n != 0 {
		t.Errorf("%v allocations per run, want 0", n)
	}
}

func BenchmarkHeap(b *testing.B) {
	for _, n := range []int{1 << 8, 1 << 12, 1 << 16} {
		b.Run(map[int]string{1 << 8: "256", 1 << 12: "4096", 1 << 16: "65536"}[n], func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			keys := make([]float64, n)
			for i := range keys {
				keys[i] = rng.Float64()
			}
			var h Heap
			b.ReportAllocs()
			for b.Loop() {
				h.Reset()
				for i, k := range keys {
					h.Push(k, int32(i))
				}
				last := -1.0
				for h.Len() > 0 {
					k := h.Pop().Key
					if k < last {
						b.Fatal("out of order")
					}
					last = k
				}
			}
		})
	}
}
