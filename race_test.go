//go:build race

package meadow_test

const raceEnabled = true
