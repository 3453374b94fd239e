package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/obj"
)

// recastRuns is the number of builds in one process of Recast.
const recastRuns = 5

// recastProgram returns the builder that runs lab/bench/peers/recast, nil for no program. The program reads the level from its standard
// input, so a run leaves no file behind. A program that is not there, fails, or prints anything but its report is an error.
func recastProgram(program string) (experiment.BuildRival, error) {
	if program == "" {
		return nil, nil
	}
	found, err := exec.LookPath(program)
	if err != nil {
		return nil, fmt.Errorf("--recast: %w; make -C lab/bench/peers/recast builds the program", err)
	}
	return func(ctx context.Context, lvl *level.Level, agent geom.Agent, cell float64) (experiment.Rival, error) {
		number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
		var in, out, fault bytes.Buffer
		if err := obj.Encode(&in, lvl, ""); err != nil {
			return experiment.Rival{}, err
		}
		cmd := exec.CommandContext(ctx, found, "--radius", number(agent.Radius), "--height", number(agent.Height), "--climb", number(agent.MaxClimb),
			"--slope", number(agent.MaxSlope/geom.Degrees(1)), "--cell", number(cell), "--cell-height", number(cell),
			"--runs", strconv.Itoa(recastRuns), "/dev/stdin")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &fault
		if err := cmd.Run(); err != nil {
			if ctx.Err() != nil {
				return experiment.Rival{}, ctx.Err()
			}
			if said := strings.TrimSpace(fault.String()); said != "" {
				err = errors.New(said)
			}
			return experiment.Rival{}, fmt.Errorf("%s: level %q: %w", program, lvl.Name, err)
		}
		type extent struct {
			Polygons int     `json:"polys"`
			Area     float64 `json:"area_m2"`
		}
		var report struct {
			Milliseconds []float64 `json:"total_ms"`
			All          extent    `json:"all"`
			Largest      extent    `json:"largest"`
		}
		if err := json.Unmarshal(out.Bytes(), &report); err != nil {
			return experiment.Rival{}, fmt.Errorf("%s: level %q: %w", program, lvl.Name, err)
		}
		if len(report.Milliseconds) == 0 || slices.Min(report.Milliseconds) < 0 || !(report.Largest.Area > 0 && report.Largest.Area <= report.All.Area) {
			return experiment.Rival{}, fmt.Errorf("%s: level %q: no times or no area reported", program, lvl.Name)
		}
		r := experiment.Rival{
			Polygons: report.All.Polygons, Area: report.All.Area, Largest: report.Largest.Polygons, LargestArea: report.Largest.Area,
		}
		for _, ms := range report.Milliseconds {
			r.Seconds = append(r.Seconds, ms/1000)
		}
		return r, nil
	}, nil
}
