// Package reallevels finds the real levels for tests and benchmarks, if present: in the folder of the environment variable
// MEADOW_LEVELS, else in shared/levels beside the checkout.
package reallevels

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder of real levels, which need not exist.
func Dir() string {
	if dir := os.Getenv("MEADOW_LEVELS"); dir != "" {
		return dir
	}
	// A test runs in the folder of its package, at any depth below the module file.
	root, err := os.Getwd()
	for ; err == nil && filepath.Dir(root) != root; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
	}
	return filepath.Join(root, "..", "shared", "levels")
}

// Path returns the path of a real level, given with slashes and relative to [Dir]. The test is skipped where the level is missing.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	path := filepath.Join(Dir(), filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("no real level %s: set MEADOW_LEVELS to a folder with real levels", name)
	}
	return path
}

// Glob returns the paths of the real levels that match a pattern relative to [Dir], at least one path. The test is skipped where
// no level matches.
func Glob(tb testing.TB, pattern string) []string {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(Dir(), filepath.FromSlash(pattern)))
	if err != nil {
		tb.Fatal(err)
	}
	if len(paths) == 0 {
		tb.Skipf("no real levels %s: set MEADOW_LEVELS to a folder with real levels", pattern)
	}
	return paths
}
