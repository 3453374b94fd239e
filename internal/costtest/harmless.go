// Package costtest runs tests on hostile files, and fails when a file costs too much.
package costtest

import (
	"runtime"
	"testing"
	"time"
)

// Within runs f and fails t when f takes more processor time than most, or allocates more than megabytes (2²⁰ bytes) in
// all, freed memory included. Where the system tells no processor time, the time that passes counts. Choose time limits far
// above f's needs: they tell quadratic time from linear time, and nothing finer. Tests that use Within must not run in
// parallel with others of their package.
func Within(t testing.TB, most time.Duration, megabytes int, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := spent()
	f()
	took := spent() - start
	runtime.ReadMemStats(&after)
	if took > most {
		t.Errorf("took %v of processor time, at most %v are allowed", took.Round(time.Millisecond), most)
	}
	if got := int((after.TotalAlloc - before.TotalAlloc) >> 20); got > megabytes {
		t.Errorf("allocated %d MiB, at most %d are allowed", got, megabytes)
	}
}
