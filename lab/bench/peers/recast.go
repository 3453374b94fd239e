//go:build peers

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
	"time"

	"github.com/meadow-nav/meadow"
)

// grid is the size of Recast's cells in metres, on the ground and upwards.
type grid struct{ cell, height float64 }

var (
	// demoGrid is the default of RecastDemo.
	demoGrid = grid{0.3, 0.2}
	// fineGrid is near our own sampling, which is a seventh of the radius.
	fineGrid = grid{0.1, 0.1}
)

// recastTolerance is how far Recast straightens borders with the demo's settings, in metres: 1.3 cells.
const recastTolerance = 1.3 * 0.3

// smallestPart is the area of the smallest part that Recast keeps with the demo's settings, in
// square metres: 8 × 8 cells.
const smallestPart = 64 * 0.3 * 0.3

// recast runs a program that builds with Recast, a new process for every turn.
type recast struct {
	label   string   // "" for the size of its cells
	program string   // the one in lab/bench/peers/recast, or node
	words   []string // arguments before all others
	level   string
	agent   meadow.Agent
	grid    grid
	runs    int
	slice   time.Duration
	limit   time.Duration // of a turn, 0 for none
	tile    int           // side of the tiles in cells, 0 for one tile
	out     string        // file for the mesh, "" for none
	queries string        // a file of pairs to ask for, "" for none
	border  bool          // ask for the border of the largest component
}

func (r recast) name() string {
	if r.label != "" {
		return r.label
	}
	return fmt.Sprintf("Recast, cells of %g m", r.grid.cell)
}

// recastStages are the stages in order.
var recastStages = []string{
	"rasterize", "filter", "compact", "erode", "distance", "regions", "contours", "polys", "detail", "data",
}

// recastReport is the line printed by the program.
type recastReport struct {
	MS         map[string]float64 `json:"ms"`
	TotalMS    []float64          `json:"total_ms"`
	Spans      int                `json:"spans"`
	Bytes      int                `json:"bytes"`
	Bare       int                `json:"bytes_without_detail"`
	Components int                `json:"components"`
	All        recastExtent       `json:"all"`
	Largest    recastExtent       `json:"largest"`
	// Border is the border of the largest component: the two ends of every edge, x, y, z.
	Border [][6]float64 `json:"border"`
	// Queries holds the results for the pairs.
	Queries detourQueries `json:"queries"`
}

type recastExtent struct {
	Extent
	DetailTriangles int `json:"detail_triangles"`
}

func (r recast) turn(ctx context.Context) (Turn, error) {
	rep, err := r.report(ctx)
	if err != nil {
		return Turn{}, err
	}
	t := Turn{TotalMS: rep.TotalMS, Mesh: rep.mesh()}
	for _, name := range recastStages {
		t.Stages = append(t.Stages, Stage{name, rep.MS[name]})
	}
	return t, nil
}

func (rep *recastReport) mesh() Mesh {
	return Mesh{
		Components: rep.Components, All: rep.All.Extent, Largest: rep.Largest.Extent,
		Bytes: rep.Bytes, BytesFlat: rep.Bare, Heights: rep.All.DetailTriangles, Faults: -1, Spans: rep.Spans,
	}
}

// report runs the program once. The error is an [unable] with the program's message or the signal that ended
// it, or another error if it could not run at all.
func (r recast) report(ctx context.Context) (*recastReport, error) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	args := append(slices.Clone(r.words),
		"--radius", number(r.agent.Radius), "--height", number(r.agent.Height), "--climb", number(r.agent.MaxClimb),
		"--slope", number(r.agent.MaxSlope/meadow.Degrees(1)), "--cell", number(r.grid.cell), "--cell-height", number(r.grid.height),
		"--runs", strconv.Itoa(r.runs))
	if r.slice > 0 {
		args = append(args, "--slice", number(r.slice.Seconds()*1000))
	}
	if r.tile > 0 {
		args = append(args, "--tile", strconv.Itoa(r.tile))
	}
	if r.out != "" {
		args = append(args, "-o", r.out)
	}
	if r.border {
		args = append(args, "--border")
	}
	if r.queries != "" {
		args = append(args, "--queries", r.queries)
	}
	bounded := ctx
	if r.limit > 0 {
		var cancel context.CancelFunc
		bounded, cancel = context.WithTimeout(ctx, r.limit)
		defer cancel()
	}
	var out, fault bytes.Buffer
	cmd := exec.CommandContext(bounded, r.program, append(args, r.level)...)
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		if ctx.Err() == nil && bounded.Err() != nil {
			return nil, unable{fmt.Errorf("a turn takes more than %v", r.limit)}
		}
		if said := strings.TrimSpace(fault.String()); said != "" {
			return nil, unable{errors.New(said)}
		}
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return nil, unable{fmt.Errorf("%s: %w", r.program, err)}
		}
		return nil, err
	}
	var rep recastReport
	if err := json.Unmarshal(out.Bytes(), &rep); err != nil {
		return nil, fmt.Errorf("%s: %w", r.program, err)
	}
	if len(rep.TotalMS) == 0 {
		return nil, fmt.Errorf("%s: no runs reported", r.program)
	}
	return &rep, nil
}
