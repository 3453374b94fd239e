package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/scenario"
	"github.com/meadow-nav/meadow/geom"
)

// crowdCmd moves a crowd on a mesh.
type crowdCmd struct {
	Input    string `arg:"" optional:"" placeholder:"MESH|LEVEL|MAP" help:"Mesh file, or level file: ${formats}; or a 2D map: ${maps}. A scenario may name its own level."`
	Scenario string `placeholder:"FILE" help:"Starts and goals as a scenario of a crowd, see docs/crowd.md; exit status 1 if an expectation fails (default: agents anywhere, with random goals)."`

	Agents  *int    `placeholder:"N" help:"Number of agents (default: the scenario's, or 100)."`
	Seconds *number `placeholder:"S" help:"Seconds of the run (default: the scenario's, or 60)."`
	Dt      *number `placeholder:"S" help:"Time of a step in seconds (default: the scenario's, or 0.05)."`
	Seed    *uint64 `placeholder:"N" help:"Seed of random places (default: the scenario's, or 1)."`
	Jobs    int     `placeholder:"N" help:"Number of workers; the output is the same for any number (default: one per core)." rare:""`
	JSON    bool    `help:"Print a summary as JSON."`

	Out    string `short:"o" placeholder:"FILE" help:"Picture to write, the tracks over the density: .svg or .png." group:"Output"`
	Tracks string `placeholder:"FILE" help:"Tracks to write, a line for each agent and time: .csv." group:"Output"`
	Page   string `placeholder:"FILE" help:"Page to write that plays the run in a browser: .html." group:"Output"`
	Every  number `default:"0.25" placeholder:"S" help:"Time in seconds between two places of an agent in pictures, pages and tracks (default ${default})." group:"Output" rare:""`

	agentFlags
	levelFlags
	floorFlags
}

// maxSamples bounds the places of agents kept for pictures, pages and tracks.
const maxSamples = 1 << 24

// defaultAgents is the number of agents without --agents and --scenario.
const defaultAgents = 100

// crowdReport is the output with --json.
type crowdReport struct {
	scenario.Report
	Seconds  float64 `json:"seconds"`
	Dt       float64 `json:"dt_s"`
	PerAgent struct {
		P50 float64 `json:"p50"`
		P99 float64 `json:"p99"`
	} `json:"us_per_agent"`
	Hash     string   `json:"hash"`
	Failures []string `json:"failures"`
}

// sample is the place of an agent at a time.
type sample struct {
	at    [3]float32
	state scenario.State
}

// crowdRun is a run with what is kept of it.
type crowdRun struct {
	cast    *scenario.Cast
	times   []float64 // of the frames
	frames  [][]sample
	spent   []float64 // microseconds an agent, of all steps
	report  scenario.Report
	hash    uint64
	changed bool // the floor
}

// Run reads the scenario and the level, plays, and writes.
func (c *crowdCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return err
	}
	s, err := c.readScenario()
	if err != nil {
		return err
	}
	mesh, err := c.mesh(e, s)
	if err != nil {
		return err
	}
	if c.Scenario == "" {
		// The agents have the size of the mesh's agent.
		if s, err = c.anywhere(mesh.Agent); err != nil {
			return err
		}
	}
	if err := c.override(s); err != nil {
		return err
	}
	cast, err := s.Cast(e.ctx, mesh.Index())
	if err != nil {
		return c.located(err)
	}
	run, err := c.play(e, cast, mesh)
	if err != nil {
		return c.located(err)
	}
	failures := s.Check(run.report)
	if err := c.write(e, run, mesh); err != nil {
		return err
	}
	if err := c.print(e, run, failures); err != nil {
		return err
	}
	if len(failures) > 0 {
		return no("%s: %d of %s failed; %s", c.Scenario, len(failures), count(len(s.Expects), "expectation"), failures[0])
	}
	return nil
}

// located names the scenario's file in an error.
func (c *crowdCmd) located(err error) error {
	if c.Scenario != "" {
		return inFile(c.Scenario, err)
	}
	return inFile(c.Input, err)
}

// check checks the flags.
func (c *crowdCmd) check() error {
	switch {
	case c.Input == "" && c.Scenario == "":
		return fmt.Errorf("want a mesh, a level or --scenario; see meadow crowd --help")
	case c.Agents != nil && (*c.Agents < 1 || *c.Agents > scenario.MaxAgents):
		return fmt.Errorf("--agents is %d, must be 1 to %d", *c.Agents, scenario.MaxAgents)
	case c.Seconds != nil && !(*c.Seconds > 0 && *c.Seconds <= scenario.MaxSeconds):
		return fmt.Errorf("--seconds is %g, must be above 0 and at most %g", float64(*c.Seconds), scenario.MaxSeconds)
	case c.Dt != nil && !(*c.Dt >= 0.001 && *c.Dt <= 1):
		return fmt.Errorf("--dt is %g, must be 0.001 to 1", float64(*c.Dt))
	case c.Jobs < 0:
		return fmt.Errorf("--jobs is %d, must be 0 or more", c.Jobs)
	case !(c.Every > 0):
		return fmt.Errorf("--every is %g, must be above 0", float64(c.Every))
	}
	for _, f := range []struct{ path, kinds string }{{c.Out, ".svg, .png"}, {c.Tracks, ".csv"}, {c.Page, ".html"}} {
		if f.path == "" {
			continue
		}
		if !slices.Contains(strings.Split(f.kinds, ", "), strings.ToLower(filepath.Ext(f.path))) {
			return fmt.Errorf("%s: unsupported file; supported: %s", f.path, f.kinds)
		}
		if err := writable(f.path, c.Input, c.Scenario); err != nil {
			return err
		}
	}
	return nil
}

// readScenario reads the scenario; nil without one.
func (c *crowdCmd) readScenario() (*scenario.Scenario, error) {
	if c.Scenario == "" {
		return nil, nil
	}
	text, err := readFile(c.Scenario)
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, inFile(c.Scenario, err)
	}
	if s.HasLevel() != (c.Input == "") {
		if c.Input == "" {
			return nil, fmt.Errorf("%s: the scenario names no level: want a mesh or a level before --scenario", c.Scenario)
		}
		return nil, fmt.Errorf("%s: the scenario has a level of its own, and %s is another", c.Scenario, c.Input)
	}
	return s, nil
}

// anywhere is the scenario without a file.
func (c *crowdCmd) anywhere(agent geom.Agent) (*scenario.Scenario, error) {
	n := defaultAgents
	if c.Agents != nil {
		n = *c.Agents
	}
	return scenario.Parse(strings.NewReader(fmt.Sprintf("agents radius %g height %g\ncrowd walkers %d anywhere to anywhere then again\n",
		max(agent.Radius, 0.01), agent.Height, n)))
}

// override puts the values of flags into a scenario.
func (c *crowdCmd) override(s *scenario.Scenario) error {
	if c.Seconds != nil {
		s.Seconds = float64(*c.Seconds)
	}
	if c.Dt != nil {
		s.Dt = float64(*c.Dt)
	}
	if c.Seed != nil {
		s.Seed = *c.Seed
	}
	if c.Agents != nil {
		s.Scale(*c.Agents)
	}
	if s.Steps() > scenario.MaxSteps {
		return fmt.Errorf("%g seconds in steps of %g are more than %d steps", s.Seconds, s.Dt, scenario.MaxSteps)
	}
	agents := 0
	for _, src := range s.Sources {
		agents += src.Count
	}
	if c.keeps() && float64(agents)*s.Seconds/max(float64(c.Every), s.Dt) > maxSamples {
		return fmt.Errorf("%d agents, %g seconds and --every %g make more than %d places to draw", agents, s.Seconds, float64(c.Every), maxSamples)
	}
	return nil
}

// keeps reports whether places of agents are kept.
func (c *crowdCmd) keeps() bool { return c.Out != "" || c.Tracks != "" || c.Page != "" }

// mesh loads a mesh, or builds the mesh of a level for the agents of the scenario.
func (c *crowdCmd) mesh(e *env, s *scenario.Scenario) (*meadow.Mesh, error) {
	if s != nil {
		a := s.Agent()
		if a.Radius > 0 {
			c.Radius, c.Height = number(a.Radius), number(a.Height)
		}
	}
	base := worldCmd{Input: c.Input, agentFlags: c.agentFlags, levelFlags: c.levelFlags, floorFlags: c.floorFlags}
	if s == nil || !s.HasLevel() {
		return base.base(e)
	}
	agent, err := c.agent()
	if err != nil {
		return nil, c.located(err)
	}
	opt, err := c.floorOptions(agent)
	if err != nil {
		return nil, err
	}
	var in input
	if s.File != "" {
		file := filepath.Join(filepath.Dir(c.Scenario), filepath.FromSlash(s.File))
		if in, err = c.openInput(file, c.Terrain != ""); err != nil {
			return nil, err
		}
		if in.plane != nil && (len(s.Floors) > 0 || len(s.Walls) > 0) {
			return nil, fmt.Errorf("%s: floors and walls need a level; %s is a map", c.Scenario, s.File)
		}
	}
	if in.plane == nil {
		if in.level, err = s.Level(in.level); err != nil {
			return nil, c.located(err)
		}
	}
	mesh, err := in.build(e.ctx, opt, meadow.MeshOptions{})
	if err != nil {
		return nil, c.located(err)
	}
	return mesh, nil
}

// play plays the cast and judges.
func (c *crowdCmd) play(e *env, cast *scenario.Cast, mesh *meadow.Mesh) (*crowdRun, error) {
	run := &crowdRun{cast: cast}
	judge := scenario.NewJudge(cast, mesh.Index())
	bar := newProgress(e.stderr)
	defer bar.stop()
	began := time.Now()
	every := max(1, int(float64(c.Every)/cast.Dt+0.5))
	err := scenario.Play(e.ctx, cast, mesh.Index(), scenario.PlayOptions{
		Crowd: crowd.Options{Jobs: c.Jobs},
		Clock: func() time.Duration { return time.Since(began) },
		Each: func(f scenario.Frame) error {
			if f.Floor != nil {
				run.changed = true
				judge.Use(f.Floor)
			}
			judge.Step(f.Seen)
			present := 0
			for _, s := range f.Seen {
				if s.State != scenario.Absent {
					present++
				}
			}
			if present > 0 {
				run.spent = append(run.spent, float64(f.Spent.Nanoseconds())/1e3/float64(present))
			}
			if c.keeps() && (f.Step-1)%every == 0 {
				run.keep(f, cast.Dt)
			}
			if f.Step == cast.Steps {
				run.hash = f.Hash()
			}
			if f.Step%20 == 0 {
				bar.tell("steps", f.Step, cast.Steps)
			}
			return nil
		},
	})
	run.report = judge.Report()
	return run, err
}

func (r *crowdRun) keep(f scenario.Frame, dt float64) {
	frame := make([]sample, len(f.Seen))
	for i, s := range f.Seen {
		frame[i] = sample{[3]float32{float32(s.At.X), float32(s.At.Y), float32(s.At.Z)}, s.State}
	}
	r.frames = append(r.frames, frame)
	r.times = append(r.times, float64(f.Step)*dt)
}

// percentile returns the value below which a share of the values lies; 0 of none.
func percentile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return values[int(share*float64(len(values)-1)+0.5)]
}

// print prints the report.
func (c *crowdCmd) print(e *env, run *crowdRun, failures []string) error {
	slices.Sort(run.spent)
	r := run.report
	p50, p99 := percentile(run.spent, 0.5), percentile(run.spent, 0.99)
	if c.JSON {
		out := crowdReport{Report: r, Seconds: run.cast.Scenario.Seconds, Dt: run.cast.Dt, Hash: fmt.Sprintf("%016x", run.hash), Failures: append([]string{}, failures...)}
		out.PerAgent.P50, out.PerAgent.P99 = math.Round(p50*1e3)/1e3, math.Round(p99*1e3)/1e3
		if math.IsInf(out.OffMeshMax, 0) {
			out.OffMeshMax = math.MaxFloat64 // JSON has no infinity
		}
		return writeJSON(e.stdout, out)
	}
	w := e.stdout
	fmt.Fprintf(w, "agents    %d of %d entered, %s of %g s, %d steps of agents\n", r.Entered, r.Agents, count(r.Steps, "step"), run.cast.Dt, r.AgentSteps)
	fmt.Fprintf(w, "time      %.2f µs an agent and step, at most %.2f in 99 of 100 steps\n", p50, p99)
	fmt.Fprintf(w, "safety    overlap at most %.4f m, pairs deeper than a centimetre: %.2f a step, at most %d\n", r.OverlapMax, r.PairsMean, r.PairsMost)
	fmt.Fprintf(w, "          %d off the mesh, %d not a number\n", r.OffMesh, r.NaN)
	fmt.Fprintf(w, "progress  %s, mean speed %.2f m/s, %.1f %% waiting for a path\n", count(r.Arrived, "arrival"), r.Speed, 100*r.Waiting)
	fmt.Fprintf(w, "          %d stuck, %d stood for %g s, %d gave up\n", r.Stuck, r.Standing, scenario.Patience, r.GivenUp)
	if r.Finished > 0 {
		fmt.Fprintf(w, "          %d finished, %d not, the last after %.2f s\n", r.Finished, r.Unfinished, r.Done)
	}
	for _, f := range r.Flows {
		fmt.Fprintf(w, "line      %s: %d there, %d back, %.2f persons a metre and second, order of lanes %.2f\n", f.Name, f.There, f.Back, f.PerMetreSecond, f.Lanes)
	}
	for _, f := range failures {
		fmt.Fprintf(w, "failed    %s\n", f)
	}
	return nil
}

// write writes the outputs.
func (c *crowdCmd) write(e *env, run *crowdRun, mesh *meadow.Mesh) error {
	if c.Tracks != "" {
		if err := e.write(c.Tracks, run.tracks); err != nil {
			return err
		}
	}
	if c.Out != "" {
		list, view, err := run.picture(mesh)
		if err != nil {
			return err
		}
		if err := e.write(c.Out, func(w io.Writer) error { return pictureWriter(c.Out)(w, list, view) }); err != nil {
			return err
		}
	}
	if c.Page != "" {
		return run.page(e, c.Page, mesh)
	}
	return nil
}

// stateNames are the states in tracks.
var stateNames = [...]string{
	scenario.Absent: "absent", scenario.Walking: "walking", scenario.Waiting: "waiting", scenario.Done: "done",
	scenario.GivenUp: "given up", scenario.OnLink: "on a link",
}

// tracks writes a line for each agent on the floor and each time.
func (r *crowdRun) tracks(w io.Writer) error {
	out := bufio.NewWriter(w)
	if _, err := out.WriteString("time_s,agent,source,x_m,y_m,z_m,state\n"); err != nil {
		return err
	}
	var line []byte
	for k, frame := range r.frames {
		for i, s := range frame {
			if s.state == scenario.Absent {
				continue
			}
			a := &r.cast.Actors[i]
			line = strconv.AppendFloat(line[:0], r.times[k], 'f', 3, 64)
			line = strconv.AppendUint(append(line, ','), a.ID, 10)
			line = append(append(line, ','), quoted(r.cast.Scenario.Sources[a.Source].Name)...)
			for _, v := range s.at {
				line = strconv.AppendFloat(append(line, ','), float64(v), 'f', 3, 64)
			}
			line = append(append(append(line, ','), stateNames[s.state]...), '\n')
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// quoted returns a field of a CSV file.
func quoted(s string) string {
	if !strings.ContainsAny(s, ",\"") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// cell is a square of the density.
type cell struct{ x, storey, z int32 }

// Sizes of density cells in metres: the side of a square, and the height of a storey.
const cellSide, cellStorey = 0.5, 2.0

// density returns the mean number of agents on a square metre, by cell, and the cells in a fixed order with a height on the floor.
func (r *crowdRun) density() (order []cell, persons map[cell]float64, height map[cell]float64) {
	persons, height = map[cell]float64{}, map[cell]float64{}
	for _, frame := range r.frames {
		for _, s := range frame {
			if s.state == scenario.Absent {
				continue
			}
			at := cell{int32(math.Floor(float64(s.at[0]) / cellSide)), int32(math.Floor(float64(s.at[1]) / cellStorey)), int32(math.Floor(float64(s.at[2]) / cellSide))}
			if _, known := persons[at]; !known {
				order = append(order, at)
				height[at] = float64(s.at[1])
			}
			persons[at] += 1 / (cellSide * cellSide * float64(len(r.frames)))
		}
	}
	slices.SortFunc(order, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.storey, b.storey), cmp.Compare(a.x, b.x), cmp.Compare(a.z, b.z))
	})
	return order, persons, height
}

// vec returns the place of a sample.
func (s sample) vec() geom.Vec {
	return geom.Vec{X: float64(s.at[0]), Y: float64(s.at[1]), Z: float64(s.at[2])}
}
