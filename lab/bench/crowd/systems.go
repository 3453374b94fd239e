package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/scenario"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/level"
)

type meadowLevel = level.Level

// The systems.
const (
	ours = "Meadow"
	dt   = "dtCrowd"
	rvo2 = "RVO2"
)

// play runs a system on a stage, and judges.
func (s *settings) play(ctx context.Context, system string, st *stage, o *outcome) error {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	m := meter{judge: scenario.NewJudge(st.cast, st.mesh.Index()), warm: min(st.cast.Steps/2, int(1/st.cast.Dt)+1)}
	var err error
	switch system {
	case ours:
		err = scenario.Play(ctx, st.cast, st.mesh.Index(), scenario.PlayOptions{
			Crowd: crowd.Options{Jobs: 1}, Clock: bench.Clock,
			Each: func(f scenario.Frame) error {
				if f.Floor != nil {
					m.judge.Use(f.Floor)
				}
				m.step(f.Seen, float64(f.Spent.Nanoseconds())/1e3)
				return nil
			},
		})
	case dt:
		agent := st.mesh.Agent
		err = peer(ctx, st.cast, &m, s.crowd, "--radius", number(agent.Radius), "--height", number(agent.Height), "--climb", number(agent.MaxClimb),
			"--cell", number(cellOf(agent.Radius)), st.file)
	case rvo2:
		// The values of RVO2's circle, in proportion to its bodies of 1.5 m; for people 5 m and 3 s.
		if radius := st.mesh.Agent.Radius; radius >= 1 {
			err = peer(ctx, st.cast, &m, s.rvo, "--reach", number(10*radius), "--horizon", "10")
		} else {
			err = peer(ctx, st.cast, &m, s.rvo)
		}
	}
	if err != nil {
		return err
	}
	o.Report = m.judge.Report()
	if math.IsInf(o.Report.OffMeshMax, 0) {
		o.Report.OffMeshMax = math.MaxFloat64 // JSON has no infinity
	}
	o.P50, o.P99, o.Path = at(m.spent, 0.5), at(m.spent, 0.99), at(m.path, 0.5)
	return nil
}

// cellOf returns the side of Recast's cells: RecastDemo's 0.3 m, and half a radius for agents narrower than 0.4 m, to whom cells of 0.3 m
// would close doors.
func cellOf(radius float64) float64 {
	if radius < 0.4 {
		return radius / 2
	}
	return 0.3
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// meter keeps the times of steps, and tells the judge.
type meter struct {
	judge       *scenario.Judge
	warm, steps int       // steps that are not timed, and all so far
	spent, path []float64 // microseconds an agent, and an agent that does not wait
}

func (m *meter) step(seen []scenario.Seen, us float64) {
	m.judge.Step(seen)
	if m.steps++; m.steps <= m.warm {
		return
	}
	present, waiting := 0, 0
	for i := range seen {
		switch seen[i].State {
		case scenario.Absent:
		case scenario.Waiting:
			waiting++
			present++
		default:
			present++
		}
	}
	if present > 0 {
		m.spent = append(m.spent, us/float64(present))
	}
	if present > waiting {
		m.path = append(m.path, us/float64(present-waiting))
	}
}

// at returns the value below which a share of the values lies; 0 of none.
func at(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}

// writeCast writes a cast for a peer, see crowd.h in lab/bench/peers/recast.
func writeCast(w io.Writer, c *scenario.Cast) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "agents %d steps %d dt %g arrive %g\n", len(c.Actors), c.Steps, c.Dt, c.Arrive)
	place := func(p geom.Vec) { fmt.Fprintf(out, " %.9g %.9g %.9g", p.X, p.Y, p.Z) }
	for i := range c.Actors {
		a := &c.Actors[i]
		fmt.Fprintf(out, "%g %g %g %g %d %d", a.Radius, a.Height, a.Speed, a.Acceleration, a.Enter,
			slices.Index([]scenario.Then{scenario.Stay, scenario.Leave, scenario.Again}, a.Then))
		place(a.At)
		fmt.Fprintf(out, " %d", len(a.Goals))
		for _, g := range a.Goals {
			place(g)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// peer runs a program that moves a cast, and reads its steps.
func peer(ctx context.Context, c *scenario.Cast, m *meter, program string, args ...string) error {
	if len(c.Scenario.Changes) > 0 {
		return errors.New("the scenario changes the world")
	}
	var cast, fault bytes.Buffer
	if err := writeCast(&cast, c); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.Stderr = &cast, &fault
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	failed := readSteps(bufio.NewReaderSize(pipe, 1<<20), c, m)
	if failed != nil {
		_ = cmd.Process.Kill() // the program may have ended by itself
	}
	ended := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed == nil && ended == nil:
		return nil
	case fault.Len() > 0:
		return errors.New(strings.TrimSpace(fault.String()))
	}
	return errors.Join(failed, ended)
}

// readSteps reads the steps of a peer.
func readSteps(in *bufio.Reader, c *scenario.Cast, m *meter) error {
	if _, err := in.ReadBytes('\n'); err != nil {
		return fmt.Errorf("no line about the mesh: %w", err)
	}
	frame := make([]byte, 8+16*len(c.Actors))
	seen := make([]scenario.Seen, len(c.Actors))
	states := [...]scenario.State{scenario.Absent, scenario.Walking, scenario.Waiting, scenario.Done, scenario.GivenUp}
	for step := range c.Steps {
		if _, err := io.ReadFull(in, frame); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
		us := math.Float64frombits(binary.LittleEndian.Uint64(frame))
		for i := range seen {
			record := frame[8+16*i:]
			float := func(k int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(record[4*k:]))) }
			word := binary.LittleEndian.Uint32(record[12:])
			if int(word>>24) >= len(states) {
				return fmt.Errorf("step %d: agent %d has state %d", step, i, word>>24)
			}
			seen[i] = scenario.Seen{At: geom.Vec{X: float(0), Y: float(1), Z: float(2)}, State: states[word>>24], Goals: int32(word & 0xffffff)}
		}
		m.step(seen, us)
	}
	return nil
}
