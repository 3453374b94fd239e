// Package invariant turns on checks that are too costly for every program. The checks change no result. Two ways turn them on:
//
//   - the build tag "invariants", for any program;
//   - the linker's flag -X=github.com/meadow-nav/meadow/internal/invariant.checks=on, which `make invariants` gives to tests.
//     Such tests use the compiled packages of programs without the checks.
package invariant

// On reports whether the costly checks run.
func On() bool { return checks == "on" }
