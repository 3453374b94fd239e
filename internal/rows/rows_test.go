package rows

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAgainstLists compares rows with lists that grow one by one.
func TestAgainstLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 100} {
		for _, items := range []int{0, 1, 1000} {
			lists := make([][]int, n)
			row := make([]int32, items)
			for i := range row {
				row[i] = rng.Int32N(int32(n))
				lists[row[i]] = append(lists[row[i]], i)
			}
			r := New(n, func(add func(row int32, item int)) {
				for i, k := range row {
					add(k, i)
				}
			})
			if len(r.First) != n+1 || len(r.Items) != items {
				t.Fatalf("%d starts and %d items, want %d and %d", len(r.First), len(r.Items), n+1, items)
			}
			for k, want := range lists {
				if got := r.Of(int32(k)); !slices.Equal(got, want) {
					t.Errorf("%d rows of %d items: row %d is %v, want %v", n, items, k, got, want)
				}
			}
		}
	}
}

// TestNoRows checks rows without rows.
func TestNoRows(t *testing.T) {
	if r := New(0, func(func(int32, string)) {}); len(r.First) != 1 || len(r.Items) != 0 {
		t.Errorf("no rows: %v", r)
	}
}

func BenchmarkNew(b *testing.B) {
	const n = 100_000
	for b.Loop() {
		r := New(n, func(add func(row int32, item int32)) {
			for i := range int32(4 * n) {
				add(int32(uint32(i)*2654435761%n), i)
			}
		})
		if len(r.Items) != 4*n {
			b.Fatal("items are missing")
		}
	}
}
