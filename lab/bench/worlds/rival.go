package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
)

// rival is a running program with the tile cache of Detour: lab/bench/peers/recast/tilecache.cpp.
type rival struct {
	cmd   *exec.Cmd
	in    *bufio.Writer
	close func() error // of in
	out   *json.Decoder
	fault *bytes.Buffer
	mesh  rivalMesh
}

// rivalMesh is the line of the program about the level.
type rivalMesh struct {
	Tiles  int `json:"tiles"`
	Layers int `json:"layers"`
	Polys  int `json:"polys"`
}

// rivalOne is the line for a single obstacle.
type rivalOne struct {
	In      rivalStep `json:"in"`
	Move    rivalStep `json:"move"`
	Out     rivalStep `json:"out"`
	Free    bool      `json:"free"`    // the place is on the mesh at first
	Blocked bool      `json:"blocked"` // but not with the obstacle
	Back    bool      `json:"back"`    // after all the mesh is as before at the two places
}

type rivalStep struct {
	ChangeUS float64 `json:"change_us"`
	PathUS   float64 `json:"path_us"`
	Found    bool    `json:"found"`
}

// rivalBatch is the line for a batch.
type rivalBatch struct {
	InUS    float64 `json:"in_us"`
	OutUS   float64 `json:"out_us"`
	Refused int     `json:"refused"` // by the full queue of the cache, until an update
	Lost    int     `json:"lost"`    // obstacles that take no floor although the cache reports that it is up to date
	Ghosts  int     `json:"ghosts"`  // places without floor after all obstacles have gone
}

// rivalLimit is the number of obstacles that RecastDemo makes room for. Every update visits the room of all.
const rivalLimit = 128

// startRival starts the program and waits until its mesh is built.
func startRival(ctx context.Context, program, file string, agent meadow.Agent, tile, room int, processor bool) (*rival, error) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	r := &rival{fault: &bytes.Buffer{}}
	r.cmd = exec.CommandContext(ctx, program, "--radius", number(agent.Radius), "--height", number(agent.Height), "--climb", number(agent.MaxClimb),
		"--slope", number(agent.MaxSlope/meadow.Degrees(1)), "--tile", strconv.Itoa(tile), "--obstacles", strconv.Itoa(room), file)
	if processor {
		r.cmd.Args = append(r.cmd.Args, "--processor")
	}
	r.cmd.Stderr = r.fault
	in, err := r.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	r.in, r.close, r.out = bufio.NewWriter(in), in.Close, json.NewDecoder(out)
	if err := r.answer(&r.mesh); err != nil {
		return nil, errors.Join(err, r.stop())
	}
	return r, nil
}

// answer reads a line. The error is the program's message, if the program has ended.
func (r *rival) answer(v any) error {
	err := r.out.Decode(v)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = r.cmd.Wait()
		if said := strings.TrimSpace(r.fault.String()); said != "" {
			return errors.New(said)
		}
		return fmt.Errorf("tilecache ended: %w", err)
	}
	return err
}

// stop ends the program.
func (r *rival) stop() error {
	err := r.close()
	if r.cmd.ProcessState != nil {
		return nil // the program has ended by itself, and answer told why
	}
	return errors.Join(err, r.cmd.Wait())
}

func (r *rival) write(name string, points ...any) {
	fmt.Fprint(r.in, name)
	for _, p := range points {
		switch v := p.(type) {
		case geom.Vec:
			fmt.Fprintf(r.in, " %.9g %.9g %.9g", v.X, v.Y, v.Z)
		default:
			fmt.Fprintf(r.in, " %v", v)
		}
	}
	fmt.Fprintln(r.in)
}

// ones measures obstacles singly.
func (r *rival) ones(places []place) ([]rivalOne, error) {
	for _, p := range places {
		r.write("one", base(p.at), cylinderRadius, cylinderHeight, base(p.moved), p.a, p.b)
	}
	if err := r.in.Flush(); err != nil {
		return nil, r.answer(&rivalOne{})
	}
	all := make([]rivalOne, len(places))
	for i := range all {
		if err := r.answer(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// batch measures obstacles that come together and go together.
func (r *rival) batch(places []place) (rivalBatch, error) {
	r.write("batch", len(places))
	for _, p := range places {
		r.write("", base(p.at), cylinderRadius, cylinderHeight)
	}
	if err := r.in.Flush(); err != nil {
		return rivalBatch{}, r.answer(&rivalBatch{})
	}
	var b rivalBatch
	return b, r.answer(&b)
}

// peer is the tile cache with tiles of a size. Two programs run: RecastDemo's room for obstacles does for single ones and small
// batches, and every update visits the whole room, so large batches have a program of their own.
type peer struct {
	tile         int // cells
	small, large *rival
	failed       error
}

// startPeer starts both programs. A level that the tile cache cannot take makes all answers errors.
func startPeer(ctx context.Context, program, file string, agent meadow.Agent, tile, most int, processor bool) *peer {
	p := &peer{tile: tile}
	if p.small, p.failed = startRival(ctx, program, file, agent, tile, rivalLimit, processor); p.failed == nil {
		p.large, p.failed = startRival(ctx, program, file, agent, tile, max(most, rivalLimit), processor)
	}
	return p
}

func (p *peer) stop() error {
	var all []error
	for _, r := range []*rival{p.small, p.large} {
		if r != nil {
			all = append(all, r.stop())
		}
	}
	return errors.Join(all...)
}

func (p *peer) name() string { return fmt.Sprintf("tile cache, %d cells", p.tile) }

func (p *peer) ones(_ context.Context, places []place) ([]one, error) {
	if p.failed != nil {
		return nil, unable{p.failed}
	}
	got, err := p.small.ones(places)
	if err != nil {
		return nil, unable{err}
	}
	all := make([]one, len(got))
	for i, g := range got {
		for k, s := range []rivalStep{g.In, g.Move, g.Out} {
			all[i].change[k], all[i].path[k], all[i].found[k] = s.ChangeUS, s.PathUS, s.Found
		}
		all[i].free, all[i].blocked, all[i].back = g.Free, g.Blocked, g.Back
	}
	return all, nil
}

func (p *peer) batch(_ context.Context, places []place) (Batch, error) {
	r := p.small
	if len(places) > smallBatch {
		r = p.large
	}
	b, err := r.batch(places)
	return Batch{InUS: b.InUS, OutUS: b.OutUS, Refused: b.Refused, Lost: b.Lost, Ghosts: b.Ghosts}, err
}
