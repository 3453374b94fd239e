//go:build !invariants

// Package invariant turns on checks that are too costly for every build: with the build tag "invariants" On
// is true; without it the compiler removes the checks.
package invariant

// On says whether costly checks run.
const On = false
