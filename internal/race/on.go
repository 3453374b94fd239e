//go:build race

// Package race tells tests whether the race detector is on. It makes tests about ten times as slow. Long tests on a
// single goroutine have nothing to detect, and are skipped then.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
