package main

import (
	"fmt"
	"strings"

	"github.com/meadow-nav/meadow/level/levelgen"
)

// genCmd makes a level.
type genCmd struct {
	Kind      string `arg:"" placeholder:"KIND" help:"Kind of level: ${kinds}." completion-predictor:"kinds"`
	Out       string `short:"o" required:"" placeholder:"FILE" help:"Level file to write: ${writes}."`
	Seed      uint64 `placeholder:"N" help:"Seed of the level (default: 0)."`
	Size      number `placeholder:"M" help:"Side of the level in metres (default: by kind)."`
	Storeys   int    `placeholder:"N" help:"Floors of a car park or tower, turns of a spiral stair, heights of catwalks (default: by kind)."`
	Steepness number `placeholder:"DEG" help:"Steepest slope of rough ground in degrees (default: by kind)."`
	Far       number `placeholder:"M" help:"Move the level by M metres to the east and to the south (default 0)."`
	JSON      bool   `help:"Print the report as JSON."`
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
		if k.MinSteepness < k.MaxSteepness {
			fmt.Fprintf(&b, "; steepness %g to %g°, default %g°", k.MinSteepness, k.MaxSteepness, k.Steepness)
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
	lvl, err := levelgen.Generate(c.Kind, levelgen.Options{
		Seed: c.Seed, Size: float64(c.Size), Storeys: c.Storeys, Steepness: float64(c.Steepness), Far: float64(c.Far),
	})
	if err != nil {
		return err
	}
	if err := e.writeLevel(c.Out, lvl); err != nil {
		return err
	}
	return tellLevel(e, c.JSON, c.Out, lvl)
}

// kindNames lists the kinds of gen.
func kindNames() string {
	var names []string
	for _, k := range levelgen.Kinds() {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}
