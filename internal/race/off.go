//go:build !race

// Package race tells tests whether the race detector is on, which makes them about ten times as slow. What runs on one
// goroutine has nothing for it to detect, and the long ones of those tests are skipped then.
package race

// Enabled says that the race detector is on.
const Enabled = false
