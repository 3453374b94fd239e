package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
)

// detour is a mesh of the peer.
type detour struct {
	program, level string
	agent          meadow.Agent
	tile, cold     int
	limit          time.Duration // 0 for none
}

// detourReport is the answer of the program: the size of the mesh and the pairs in the order of the question.
type detourReport struct {
	Polys   int          `json:"polys"`
	BuildMS float64      `json:"build_ms"`
	Pairs   []detourPair `json:"pairs"`
}

// detourPair is a path of the peer. Times are in microseconds, one a round.
type detourPair struct {
	Found   bool       `json:"found"`
	Length  float64    `json:"m"` // horizontal
	Start   [3]float64 `json:"start"`
	Goal    [3]float64 `json:"goal"`
	Between []float64  `json:"between"` // both polygons known
	Whole   []float64  `json:"whole"`   // with the search for both polygons
	Cold    []float64  `json:"cold"`    // both polygons known, caches cold
	Corners []float64  `json:"corners"` // x, y, z after each other
}

// unable is the reason why the peer has no mesh of a level.
type unable struct{ error }

// ask writes the pairs to a file in dir and runs the program for one round.
func (d detour) ask(ctx context.Context, dir string, pairs [][2]geom.Vec) (*detourReport, error) {
	var text bytes.Buffer
	for _, p := range pairs {
		fmt.Fprintf(&text, "%.9g %.9g %.9g %.9g %.9g %.9g\n", p[0].X, p[0].Y, p[0].Z, p[1].X, p[1].Y, p[1].Z)
	}
	file := filepath.Join(dir, "pairs")
	if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
		return nil, err
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	args := []string{
		"--radius", number(d.agent.Radius), "--height", number(d.agent.Height), "--climb", number(d.agent.MaxClimb),
		"--slope", number(d.agent.MaxSlope / meadow.Degrees(1)), "--paths", file,
	}
	if d.tile > 0 {
		args = append(args, "--tile", strconv.Itoa(d.tile))
	}
	if d.cold > 0 {
		args = append(args, "--cold", strconv.Itoa(d.cold))
	}
	var out, fault bytes.Buffer
	limited := ctx
	if d.limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, d.limit)
		defer cancel()
	}
	cmd := exec.CommandContext(limited, d.program, append(args, d.level)...)
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		if limited.Err() != nil && ctx.Err() == nil {
			return nil, unable{fmt.Errorf("no answer within %v", d.limit)}
		}
		exit := (*exec.ExitError)(nil)
		if said := strings.TrimSpace(fault.String()); said != "" && errors.As(err, &exit) && ctx.Err() == nil {
			return nil, unable{errors.New(said)}
		}
		return nil, fmt.Errorf("%s: %w", d.program, err)
	}
	var rep detourReport
	if err := json.Unmarshal(out.Bytes(), &rep); err != nil {
		return nil, fmt.Errorf("%s: %w", d.program, err)
	}
	if len(rep.Pairs) != len(pairs) {
		return nil, fmt.Errorf("%s: %d answers to %d pairs", d.program, len(rep.Pairs), len(pairs))
	}
	return &rep, nil
}
