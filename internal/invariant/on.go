//go:build invariants

package invariant

// checks is "on" in every program that is built with the tag.
var checks = "on"
