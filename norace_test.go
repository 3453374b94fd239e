//go:build !race

package meadow_test

const raceEnabled = false
