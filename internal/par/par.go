// Package par runs independent items of work on several goroutines. Every item writes only its own
// slot, so that the result does not depend on how many there are.
package par

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls f(i) for every i in [0, n) on up to jobs goroutines; jobs ≤ 0 means one per core.
// It returns the error of the lowest i that failed, or the context's error. After a failure or a
// cancellation no new item is started; items that run are waited for.
func For(ctx context.Context, jobs, n int, f func(i int) error) error {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	jobs = min(jobs, n)
	var (
		next    atomic.Int64
		stopped atomic.Bool
		mu      sync.Mutex
		first   = n
		failure error
		wg      sync.WaitGroup
	)
	work := func() {
		for !stopped.Load() && ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := f(i); err != nil {
				stopped.Store(true)
				mu.Lock()
				if i < first {
					first, failure = i, err
				}
				mu.Unlock()
			}
		}
	}
	for range jobs - 1 {
		wg.Go(work)
	}
	if jobs > 0 {
		work()
	}
	wg.Wait()
	if failure != nil {
		return failure
	}
	return ctx.Err()
}
