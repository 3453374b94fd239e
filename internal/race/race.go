// Package race tells tests whether the race detector is on. It makes tests about ten times as slow. Long tests on a
// single goroutine have nothing to detect, and are skipped then.
package race

import "testing"

// Skip skips a test of results under the race detector. The plain run tests the results, and tests of jobs, readers and
// writers run the same goroutines under the detector.
func Skip(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("the plain run tests the results")
	}
}
