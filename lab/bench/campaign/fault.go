package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/meadow-nav/meadow/build/plan"
)

// fault is a broken promise.
type fault struct {
	World  uint64
	Kind   string
	Method string
	Detail string

	world *world
}

// String describes the fault in a few lines; the file of the fault has the rest.
func (f fault) String() string {
	const shown = 6
	lines := strings.Split(f.Detail, "\n")
	if n := len(lines); n > shown {
		lines = append(lines[:shown], fmt.Sprintf("and %d lines more", n-shown))
	}
	return fmt.Sprintf("%v, %s: %s", f.world, f.Method, strings.Join(lines, "\n"))
}

// file names the file that the world is written to.
func (f fault) file(folder string) string {
	return filepath.Join(folder, fmt.Sprintf("campaign-%d-%s.json", f.World, f.Method))
}

// dump writes the fault and the whole world, so that the fault can be repeated even after a change of the
// world maker.
func (f fault) dump(w io.Writer) error {
	e := json.NewEncoder(w)
	return e.Encode(struct {
		fault
		Plan *plan.Plan
	}{f, f.world.plan})
}
