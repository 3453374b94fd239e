package main

import (
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/catalog"
)

// floorFlags choose how to find the floor of a level and which parts to keep.
type floorFlags struct {
	Extractor string  `default:"${extractor}" placeholder:"NAME" help:"Extractor that finds the floor: ${extractors}." group:"Floor"`
	Simplify  *number `placeholder:"M" help:"Straighten borders by up to this many metres, 0 for none (default: the extractor's own, 0.04 for exact)." group:"Floor" rare:""`
	Detail    *number `placeholder:"M" help:"Keep heights within this many metres of the level's, 0 for its own triangles (default: 0.05)." group:"Floor" rare:""`
	Keep      []keep  `sep:"none" placeholder:"PART" help:"Keep the part of the floor at X,Y,Z, parts of 'area>X' square metres, or all; may be repeated (default: parts at markers of kind start, else the largest)." group:"Floor"`

	Terrain   string `placeholder:"FILE" help:"Rules for the ground, or auto for the names of materials." group:"Floor"`
	NoMarkers bool   `help:"Ignore the level's markers for doors, ladders and areas." group:"Floor" rare:""`
}

// floorOptions returns the options of the flags for an agent.
func (f floorFlags) floorOptions(agent meadow.Agent) (meadow.FloorOptions, error) {
	x, err := catalog.Extractor(f.Extractor, 0)
	if err != nil {
		return meadow.FloorOptions{}, fmt.Errorf("--extractor: %w", err)
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
