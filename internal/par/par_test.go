package par

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestForVisitsEveryItemOnce(t *testing.T) {
	for _, jobs := range []int{0, 1, 3, 100} {
		for _, n := range []int{0, 1, 7, 1000} {
			seen := make([]int, n)
			if err := For(t.Context(), jobs, n, func(i int) error { seen[i]++; return nil }); err != nil {
				t.Fatal(err)
			}
			for i, c := range seen {
				if c != 1 {
					t.Fatalf("jobs %d, n %d: item %d visited %d times", jobs, n, i, c)
				}
			}
		}
	}
}

func TestForReturnsLowestFailure(t *testing.T) {
	err := For(t.Context(), 1, 10, func(i int) error {
		if i >= 4 {
			return fmt.Errorf("item %d", i)
		}
		return nil
	})
	if err == nil || err.Error() != "item 4" {
		t.Fatalf("got %v", err)
	}
}

func TestForStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := For(ctx, 1, 1000, func(i int) error {
		calls++
		if i == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || calls != 6 {
		t.Fatalf("got %v after %d calls", err, calls)
	}
}
