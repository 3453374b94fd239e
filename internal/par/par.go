// Package par runs independent items of work on several goroutines. Every item writes only its own slot, so
// the result does not depend on the number of goroutines.
package par

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// For calls f(i) for every i in [0, n) on up to jobs goroutines; jobs ≤ 0 means one per core. It returns the
// error of the lowest failed i, or the context's error. After a failure or a cancellation no new item is
// started; it waits for running items.
//
// A panic of an item stops the others like a failure, and panics on the caller's goroutine with a [*Panic], so that
// the caller can recover.
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
		thrown  *Panic
		wg      sync.WaitGroup
	)
	call := func(i int) (err error) {
		defer func() {
			if r := recover(); r != nil {
				stopped.Store(true)
				mu.Lock()
				defer mu.Unlock()
				if thrown == nil {
					thrown = asPanic(r)
				}
			}
		}()
		return f(i)
	}
	work := func() {
		for !stopped.Load() && ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := call(i); err != nil {
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
	if thrown != nil {
		panic(thrown)
	}
	if failure != nil {
		return failure
	}
	return ctx.Err()
}

// Panic is the panic of an item, with the stack of its goroutine.
type Panic struct {
	Value any
	Stack []byte
}

// asPanic keeps the innermost of nested loops.
func asPanic(r any) *Panic {
	if p, ok := r.(*Panic); ok {
		return p
	}
	return &Panic{Value: r, Stack: debug.Stack()}
}

// String tells the value, as an uncaught panic does.
func (p *Panic) String() string { return fmt.Sprint(p.Value) }
