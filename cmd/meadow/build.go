package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/metric/verify"
)

// buildCmd turns a level into a mesh.
type buildCmd struct {
	Level string `arg:"" optional:"" placeholder:"LEVEL" help:"Level file: ${formats}; or a 2D map: ${maps}; or a project file (default: ./meadow.yaml)."`
	Out   string `short:"o" placeholder:"FILE" help:"Mesh file to write; with --tiles also a folder, by a / at its end."`

	agentFlags
	levelFlags
	floorFlags
	tileFlags

	Generator      string `placeholder:"NAME" help:"Generator that decomposes the floor: ${generators} (default: ${generator}, or anavmg with --convex-distance)." group:"Making" completion-predictor:"generators"`
	ConvexDistance number `default:"0" placeholder:"M" help:"Let borders give way into the free space by this much where it saves regions." group:"Making"`
	Cleanup        bool   `help:"Merge and mend regions after the generator where no region gets worse." group:"Making" rare:""`
	Jobs           int    `placeholder:"N" help:"Number of workers; the output is the same for any number (default: one per core)." group:"Making" rare:""`

	growthFlags

	Report string `placeholder:"FILE" help:"Write a report: a page with pictures if FILE ends in .html, else JSON with the parts left out."`
	JSON   bool   `help:"Print the report as JSON."`
}

// buildReport is the output of --json. Links counts the places where two layers join, and links that are not
// walked. Agent is in metres and degrees, as the flags are.
type buildReport struct {
	Level      string       `json:"level"`
	Triangles  int          `json:"triangles"`
	Generator  string       `json:"generator" completion-predictor:"generators"`
	Extractor  string       `json:"extractor"`
	Layers     int          `json:"layers"`
	Regions    int          `json:"regions"`
	Vertices   int          `json:"vertices"`
	Portals    int          `json:"portals"`
	Links      int          `json:"links"`
	Components int          `json:"components"`
	Area       float64      `json:"area_m2"`
	Agent      agentReport  `json:"agent"`
	Seconds    stageSeconds `json:"seconds"`
	Bytes      int64        `json:"bytes"`
	// Grounds are set if the ground is known.
	Grounds []groundShare `json:"grounds,omitempty"`
}

// groundShare says how much of a mesh is of one kind of ground.
type groundShare struct {
	Area    string  `json:"area"`
	Regions int     `json:"regions"`
	M2      float64 `json:"area_m2"`
}

type agentReport struct {
	Radius float64 `json:"radius"`
	Height float64 `json:"height"`
	Climb  float64 `json:"climb"`
	Gap    float64 `json:"gap"`
	Slope  float64 `json:"slope"` // degrees
}

func reportAgent(a meadow.Agent) agentReport {
	return agentReport{a.Radius, a.Height, a.MaxClimb, a.MaxGap, round4(a.MaxSlope / geom.Degrees(1))}
}

// String returns the agent as a line.
func (a agentReport) String() string {
	return fmt.Sprintf("radius %g m, height %g m, climb %g m, gap %g m, slope %g°", a.Radius, a.Height, a.Climb, a.Gap, a.Slope)
}

type stageSeconds struct {
	Load      float64 `json:"load"`
	Extract   float64 `json:"extract"`
	Decompose float64 `json:"decompose"`
	Link      float64 `json:"link"`
	Total     float64 `json:"total"`
}

// fullReport is the content of the --report file: buildReport and the dropped parts.
type fullReport struct {
	buildReport
	LostArea float64        `json:"lost_m2"`
	LeftOut  []leftOut      `json:"left_out"`
	Counts   map[string]int `json:"counts"`
	Markers  []markerReport `json:"markers"`
	OffMesh  []linkReport   `json:"off_mesh_links"`
	Warnings []string       `json:"warnings"`
}

type leftOut struct {
	Area float64 `json:"area_m2"`
	At   place   `json:"at"`
}

// Run builds a level, or all meshes of a project.
func (c *buildCmd) Run(e *env, ctx *kong.Context) error {
	file, err := projectFile(c.Level)
	switch {
	case err != nil:
		return err
	case file != "":
		return c.buildProject(e, ctx, file)
	case c.Out == "":
		return errors.New("missing flags: --out=FILE")
	}
	return c.build(e)
}

// build builds, writes and reports.
func (c *buildCmd) build(e *env) error {
	agent, err := c.agent()
	if err != nil {
		return err
	}
	if c.Jobs < 0 {
		return fmt.Errorf("--jobs is %d, must be 0 or more", c.Jobs)
	}
	if err := c.checkTiles(); err != nil {
		return err
	}
	if err := c.growthFlags.validate([]string{c.Generator}); err != nil {
		return err
	}
	folder := c.Tiles != nil && isFolder(c.Out)
	if !folder {
		if err := meshFile(c.Out, c.Level); err != nil {
			return err
		}
	} else if err := writable(filepath.Clean(c.Out) + ".new"); err != nil {
		return err
	}
	if c.Report != "" {
		if err := writable(c.Report, c.Level); err != nil {
			return err
		}
	}
	if err := c.forMap(c.Level); err != nil {
		return err
	}
	opt, err := c.floorOptions(agent)
	if err != nil {
		return err
	}
	var generator gen.Generator // nil for the default
	if c.Generator != "" {
		if generator, err = catalog.Generator(c.Generator); err != nil {
			return fmt.Errorf("--generator: %w", err)
		}
		generator = c.growthFlags.apply(generator)
	}
	start := time.Now()
	in, err := c.openInput(c.Level, c.Terrain != "")
	if err != nil {
		return err
	}
	in.tell(e.stderr, c.Level)
	if err := c.applyTerrain(e.stderr, c.Level, in, &opt); err != nil {
		return err
	}
	load := time.Since(start).Seconds()
	collectOften(in.triangles())

	bar := newProgress(e.stderr)
	defer bar.stop()
	opt.Jobs, opt.Progress = c.Jobs, bar.callback()
	making := meadow.MeshOptions{
		Generator: generator, ConvexDistance: float64(c.ConvexDistance), Cleanup: c.Cleanup, Jobs: c.Jobs, Progress: opt.Progress,
	}
	if folder {
		return c.saveTiles(e, in, opt, making, start, bar.stop)
	}
	warnings, kept := in.warnings(), in
	if !isPage(c.Report) {
		kept = input{}
	}
	build := in.build
	if c.Tiles != nil {
		build = in.tiled(float64(*c.Tiles))
	}
	mesh, err := build(e.ctx, opt, making) // the last use of the level: its memory is freed during the build
	bar.stop()
	if err != nil {
		return inFile(c.Level, in.guess.explain(err))
	}
	in.guess.tellShare(e.stderr, c.Level, mesh.Report(), len(c.Keep) > 0)
	m := made{out: c.Out, report: c.Report, json: c.JSON, mesh: mesh, warnings: warnings, load: load}
	if !isPage(c.Report) {
		return e.putMesh(m)
	}
	truth, err := truthOf(e, kept, opt)
	if err != nil {
		return inFile(c.Level, err)
	}
	of := judged{Name: filepath.Base(c.Out), Mesh: mesh}
	if of.Report, err = verify.Measure(e.ctx, mesh.Mesh, truth, verify.Options{Seed: 1}); err != nil {
		return inFile(c.Level, err)
	}
	page, err := newReportPage(e, kept, truth, []judged{of})
	if err != nil {
		return err
	}
	m.report = ""
	if err := e.putMesh(m); err != nil {
		return err
	}
	return e.write(c.Report, page.write)
}

func shortReport(r meadow.Report, load float64, size int64) buildReport {
	short := buildReport{
		Level: r.Level, Triangles: r.Triangles, Generator: r.Generator, Extractor: r.Extractor,
		Layers: r.Layers, Regions: r.Regions, Vertices: r.Vertices, Portals: r.Portals,
		Links: r.Seams + r.OffMesh, Components: r.Components, Area: round4(r.Area),
		Agent: reportAgent(r.Agent),
		Seconds: stageSeconds{
			Load: round4(load), Extract: round4(r.Seconds.Extract), Decompose: round4(r.Seconds.Decompose),
			Link: round4(r.Seconds.Link), Total: round4(load + r.Seconds.Total),
		},
		Bytes: size,
	}
	for _, g := range r.Grounds {
		short.Grounds = append(short.Grounds, groundShare{g.Name, g.Regions, round4(g.Area)})
	}
	return short
}

func printBuild(w io.Writer, out string, r buildReport) {
	fmt.Fprintf(w, "%s\n", out)
	printSource(w, r.Level, r.Extractor, r.Triangles)
	fmt.Fprintf(w, "  agent    %v\n", r.Agent)
	fmt.Fprintf(w, "  floor    %.1f m², %s, %s, %s\n", r.Area, count(r.Layers, "layer"), count(r.Links, "link"), count(r.Components, "component"))
	fmt.Fprintf(w, "  mesh     %s, %s, %s, %s\n", count(r.Regions, "region"), count(r.Portals, "portal"), count(r.Vertices, "vertex"), count(int(r.Bytes), "byte"))
	printGrounds(w, r.Grounds)
	s := r.Seconds
	fmt.Fprintf(w, "  seconds  %.2f: load %.2f, extract %.2f, decompose %.2f, link %.2f\n", s.Total, s.Load, s.Extract, s.Decompose, s.Link)
}

// printSource prints the level or the map of a build.
func printSource(w io.Writer, level, extract string, triangles int) {
	if extract == mapExtractor {
		fmt.Fprintf(w, "  map      %s\n", level)
		return
	}
	fmt.Fprintf(w, "  level    %s, %s\n", level, count(triangles, "triangle"))
}

// printGrounds prints the area of each kind of ground, if any is known.
func printGrounds(w io.Writer, grounds []groundShare) {
	if len(grounds) == 0 {
		return
	}
	var words []string
	for _, g := range grounds {
		words = append(words, fmt.Sprintf("%s %.1f m²", g.Area, g.M2))
	}
	fmt.Fprintf(w, "  ground   %s\n", strings.Join(words, ", "))
}

// maxTold bounds the lines on standard error about things of one sort; reports have them all.
const maxTold = 5

func tellWarnings(w io.Writer, warnings []string) {
	for i, s := range warnings {
		if i == maxTold {
			fmt.Fprintf(w, "warning: and %d more\n", len(warnings)-i)
			break
		}
		fmt.Fprintf(w, "warning: %s\n", s)
	}
}

// leastTold is the area in m² below which a part that is left out has no line of its own: it would read 0.0 m².
const leastTold = 0.05

func tellLeftOut(w io.Writer, r meadow.Report) {
	told, small := 0, 0
	rest, smallArea := 0.0, 0.0
	more := 0
	for _, p := range r.Dropped {
		switch {
		case p.Area < leastTold:
			small++
			smallArea += p.Area
		case told == maxTold:
			more++
			rest += p.Area
		default:
			told++
			fmt.Fprintf(w, "left out: %.1f m² at %v: not reachable; --keep takes it\n", p.Area, p.At)
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "left out: %d more, %.1f m² in all; --report lists them\n", more+small, rest+smallArea)
	} else if small > 0 {
		fmt.Fprintf(w, "left out: %s below %g m² each; --report lists them\n", count(small, "part"), leastTold)
	}
}

// count says "1 region", "2 regions", "3 vertices".
func count(n int, what string) string {
	if n != 1 {
		switch s, ok := strings.CutSuffix(what, "ex"); {
		case ok:
			what = s + "ices"
		case strings.HasSuffix(what, "ch"):
			what += "es"
		default:
			what += "s"
		}
	}
	return fmt.Sprintf("%d %s", n, what)
}
