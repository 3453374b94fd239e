package main

import (
	"fmt"
	"strings"

	"github.com/meadow-nav/meadow/levelgen"
)

// genCmd makes a level.
type genCmd struct {
	Kind    string `arg:"" placeholder:"KIND" help:"What to make: ${kinds}."`
	Out     string `short:"o" required:"" placeholder:"FILE" help:"Level file to write: ${writes}."`
	Seed    uint64 `placeholder:"N" help:"Which of the levels of its kind."`
	Size    number `placeholder:"M" help:"Side of the level in metres (default: by kind)."`
	Storeys int    `placeholder:"N" help:"Floors of a car park, turns of a spiral stair (default: by kind)."`
	JSON    bool   `help:"Print what was made as JSON."`
}

// Help lists the kinds and their ranges.
func (c *genCmd) Help() string {
	var b strings.Builder
	for _, k := range levelgen.Kinds() {
		fmt.Fprintf(&b, "%s: %s", k.Name, k.Description)
		if k.MinSize < k.MaxSize {
			fmt.Fprintf(&b, "; size %g to %g m, default %g", k.MinSize, k.MaxSize, k.Size)
		}
		if k.MinStoreys < k.MaxStoreys {
			fmt.Fprintf(&b, "; storeys %d to %d, default %d", k.MinStoreys, k.MaxStoreys, k.Storeys)
		}
		b.WriteString("\n\n")
	}
	return b.String()
}

// Run makes and writes.
func (c *genCmd) Run(e *env) error {
	if err := writable(c.Out); err != nil {
		return err
	}
	lvl, err := levelgen.Generate(c.Kind, levelgen.Options{Seed: c.Seed, Size: float64(c.Size), Storeys: c.Storeys})
	if err != nil {
		return err
	}
	if err := e.writeLevel(c.Out, lvl); err != nil {
		return err
	}
	return tellLevel(e, c.JSON, c.Out, lvl)
}

// kindNames lists what gen makes.
func kindNames() string {
	var names []string
	for _, k := range levelgen.Kinds() {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}
