package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/catalog"
)

// floorFlags choose how to find the floor of a level and which parts to keep.
type floorFlags struct {
	Extractor string  `default:"${extractor}" placeholder:"NAME" help:"Extractor that finds the floor: ${extractors}; or ${surfaces}, which makes Brand's own mesh of solids." group:"Floor" completion-predictor:"makers"`
	Simplify  *number `placeholder:"M" help:"Straighten borders by up to this many metres, 0 for none (default: the extractor's own, 0.04 for exact)." group:"Floor" rare:""`
	Detail    *number `placeholder:"M" help:"Keep heights within this many metres of the level's, 0 for its own triangles (default: 0.05)." group:"Floor" rare:""`
	Keep      []keep  `sep:"none" placeholder:"PART" help:"Keep the part of the floor at X,Y,Z, parts of 'area>X' square metres, or all; may be repeated (default: parts at markers of kind start, else the largest)." group:"Floor"`

	Terrain   string   `placeholder:"FILE" help:"Rules for the ground, or auto for the names of materials." group:"Floor"`
	Avoid     []string `sep:"none" placeholder:"NAME" help:"Things that nobody stands on or in: objects, materials and markers of this name; may be repeated; for the extractors brep and brand." group:"Floor" rare:""`
	Jump      *jump    `placeholder:"REACH,HEIGHT" help:"Reach of a jump over a gap, and its height up or down, in metres; for the extractor brand." group:"Floor" rare:""`
	NoMarkers bool     `help:"Ignore the level's markers for doors, ladders and areas." group:"Floor" rare:""`
}

// floorOptions returns the options of the flags for an agent.
func (f floorFlags) floorOptions(agent meadow.Agent) (meadow.FloorOptions, error) {
	x, err := catalog.Extractor(f.Extractor, 0)
	if err != nil {
		return meadow.FloorOptions{}, fmt.Errorf("--extractor: %w", err)
	}
	if x, err = f.solids(x); err != nil {
		return meadow.FloorOptions{}, err
	}
	opt := meadow.FloorOptions{Agent: agent, Extractor: x, NoMarkers: f.NoMarkers}
	for _, k := range f.Keep {
		k.add(&opt)
	}
	if f.Simplify != nil {
		switch opt.Simplify = float64(*f.Simplify); {
		case opt.Simplify < 0:
			return opt, fmt.Errorf("--simplify is %g, must be 0 or more metres", opt.Simplify)
		case opt.Simplify == 0:
			opt.Simplify = -1 // a zero field is the extractor's own rule
		}
	}
	if f.Detail != nil {
		switch opt.Detail = float64(*f.Detail); {
		case opt.Detail < 0:
			return opt, fmt.Errorf("--detail is %g, must be 0 or more metres", opt.Detail)
		case opt.Detail == 0:
			opt.Detail = -1 // a zero field is the default
		}
	}
	return opt, nil
}

// solids gives the flags about solids to an extractor that knows solids.
func (f floorFlags) solids(x floorplan.Extractor) (floorplan.Extractor, error) {
	switch x := x.(type) {
	case brep.Extractor:
		if f.Jump == nil {
			x.Avoid = f.Avoid
			return x, nil
		}
	case brep.Surface:
		x.Avoid = f.Avoid
		if f.Jump != nil {
			x.JumpReach, x.JumpHeight = f.Jump.reach, f.Jump.height
		}
		return x, nil
	}
	switch {
	case f.Jump != nil:
		return nil, fmt.Errorf("--jump is for --extractor brand, not %s", x.Name())
	case len(f.Avoid) > 0:
		return nil, fmt.Errorf("--avoid is for --extractor brep and brand, not %s", x.Name())
	}
	return x, nil
}

// jump is how far and how high a jump goes, in metres.
type jump struct{ reach, height float64 }

// Decode reads REACH,HEIGHT.
func (j *jump) Decode(ctx *kong.DecodeContext) error {
	word, err := next(ctx, "REACH,HEIGHT")
	if err != nil {
		return err
	}
	first, second, ok := strings.Cut(word, ",")
	if !ok {
		return fmt.Errorf("invalid jump %q; want REACH,HEIGHT in metres", word)
	}
	for _, part := range []struct {
		text string
		to   *float64
	}{{first, &j.reach}, {second, &j.height}} {
		if *part.to, err = parseNumber(strings.TrimSpace(part.text)); err != nil {
			return fmt.Errorf("invalid jump %q: %w", word, err)
		}
		if *part.to < 0 || *part.to > 1000 {
			return fmt.Errorf("invalid jump %q: %g m is outside of 0 to 1000", word, *part.to)
		}
	}
	return nil
}

// applyTerrain classifies the ground of a level by the rules of --terrain, adds the rules to opt, and prints their warnings.
func (f floorFlags) applyTerrain(w io.Writer, path string, in input, opt *meadow.FloorOptions) error {
	if f.Terrain == "" {
		return nil
	}
	t, err := openTerrain(f.Terrain)
	if err != nil {
		return err
	}
	report, _, err := in.apply(t)
	if err != nil {
		return inFile(path, err)
	}
	opt.Terrain = t
	var warnings []string
	for _, x := range report.Warnings {
		warnings = append(warnings, x.In(f.Terrain))
	}
	tellWarnings(w, warnings)
	return nil
}

// forMap returns an error for flags that a map has no use for.
func (f floorFlags) forMap(path string) error {
	switch {
	case !meadow.IsMap(path):
		return nil
	case f.Extractor != catalog.DefaultExtractor:
		return fmt.Errorf("%s: --extractor needs a level; a map is already a floor", path)
	case f.Detail != nil:
		return fmt.Errorf("%s: --detail needs a level; a map has no heights", path)
	}
	return nil
}
