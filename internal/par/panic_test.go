package par

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
)

// TestPanicReachesTheCaller: an item panics, on its own goroutine or the caller's, in a loop or in a nested loop.
func TestPanicReachesTheCaller(t *testing.T) {
	for _, jobs := range []int{1, 2, 8} {
		for _, bad := range []int{0, 3, 99} {
			var running atomic.Int64
			thrown := func() (p any) {
				defer func() { p = recover() }()
				_ = For(context.Background(), jobs, 100, func(i int) error {
					running.Add(1)
					defer running.Add(-1)
					return For(context.Background(), 2, 2, func(k int) error {
						if i == bad && k == 1 {
							panic("broken")
						}
						return nil
					})
				})
				return nil
			}()
			p, ok := thrown.(*Panic)
			if !ok || p.Value != "broken" || p.String() != "broken" || !strings.Contains(string(p.Stack), "TestPanicReachesTheCaller") {
				t.Errorf("%d jobs, item %d: recovered %v", jobs, bad, thrown)
			}
			if n := running.Load(); n != 0 {
				t.Errorf("%d items still run", n)
			}
		}
	}
}
