// Package slow tells tests which form to take: the quick form of every run, or the long form of `make laws`, which sets the
// environment variable MEADOW_SLOW.
package slow

import "os"

// Enabled reports whether tests take their long form.
func Enabled() bool { return os.Getenv("MEADOW_SLOW") != "" }

// Count returns the number of cases that a test tries: long in the long form, else quick.
func Count(quick, long int) int {
	if Enabled() {
		return long
	}
	return quick
}
