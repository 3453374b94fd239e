//go:build !invariants

package invariant

// checks is "on" in programs that run the costly checks. The linker sets it with -X, which no package is compiled again for.
var checks = ""
