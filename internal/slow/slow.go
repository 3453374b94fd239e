// Package slow tells tests which form to take: the quick form of every run, or the long form of `make laws`, which sets the
// environment variable MEADOW_SLOW.
package slow

import (
	"math"
	"os"
	"strconv"
)

// Enabled reports whether tests take their long form.
func Enabled() bool { return os.Getenv("MEADOW_SLOW") != "" }

// Count returns the number of cases that a test tries: quick, or in the long form as many as [Share] says of those up to long.
func Count(quick, long int) int {
	return quick + int(math.Round(Share()*float64(long-quick)))
}

// Share returns which part of its long form a test takes: 0 for the quick form, the value of MEADOW_SLOW between 0 and 1, or 1
// for any other value.
func Share() float64 {
	if !Enabled() {
		return 0
	}
	if share, err := strconv.ParseFloat(os.Getenv("MEADOW_SLOW"), 64); err == nil && share > 0 && share < 1 {
		return share
	}
	return 1
}
