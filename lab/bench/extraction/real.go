package main

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/levelcheck"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/randlevel"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/navmesh"
)

// realLevels says how the levels of a folder, or levels made as people model them, are judged, each for agents
// that differ in radius.
type realLevels struct {
	folder string
	kinds  int       // how many levels of each kind of internal/randlevel
	only   string    // part of the names of levels, "" for all
	radii  []float64 // metres, 0 for a point
	places int       // see [levelcheck.Options]
}

// source is a level to judge.
type source struct {
	name string // of a file, of an archive and its map, or a kind and a seed
	size uint64 // bytes, unpacked; 0 where there is no file
	open func() (*level.Level, error)
}

// stem is the name of a file without its folder and its ending.
func stem(name string) string {
	return strings.TrimSuffix(path.Base(filepath.ToSlash(name)), path.Ext(name))
}

// sources lists the levels: those of random kinds from the first seed on, then those of the folder, the smallest first.
func (c *realLevels) sources(first uint64) ([]source, error) {
	var all []source
	for seed := range uint64(c.kinds) {
		for _, kind := range randlevel.Kinds() {
			all = append(all, source{name: fmt.Sprintf("%s %d", kind, first+seed), open: func() (*level.Level, error) {
				return randlevel.Make(kind, first+seed), nil
			}})
		}
	}
	if c.folder != "" {
		files, err := c.files()
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	all = slices.DeleteFunc(all, func(s source) bool { return !strings.Contains(s.name, c.only) })
	if len(all) == 0 {
		return nil, fmt.Errorf("no level %q", c.only)
	}
	slices.SortStableFunc(all, func(a, b source) int { return cmp.Compare(a.size, b.size) })
	return all, nil
}

// files lists the levels of the folder. Every map of an archive is a level, and every file with the ending of a
// level's format.
func (c *realLevels) files() ([]source, error) {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return nil, err
	}
	endings := []string{".bsp", ".obj", ".glb", ".stl", ".ply"}
	var all []source
	for _, e := range entries {
		name := filepath.Join(c.folder, e.Name())
		switch ending := strings.ToLower(filepath.Ext(name)); {
		case ending == ".pk3":
			maps, err := mapsOf(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, maps...)
		case slices.Contains(endings, ending):
			info, err := os.Stat(name)
			if err != nil {
				return nil, err
			}
			all = append(all, source{stem(name), uint64(info.Size()), func() (*level.Level, error) { return meadow.Open(name) }})
		}
	}
	return all, nil
}

// mapsOf lists the maps of an archive.
func mapsOf(name string) ([]source, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var maps []source
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".bsp") {
			maps = append(maps, source{stem(name) + "/" + stem(f.Name), f.UncompressedSize64, func() (*level.Level, error) {
				return meadow.OpenWith(name, meshio.Options{BSP: bsp.Options{Map: stem(f.Name)}})
			}})
		}
	}
	return maps, nil
}

// judged is the result of a level for an agent: a line of the state file.
type judged struct {
	Level              string
	Radius             float64
	Triangles, Regions int
	Build, Check       time.Duration // nanoseconds
	Faults             []found       `json:",omitempty"`
	Error              string        `json:",omitempty"` // the level was not built, or not within the limit of time
}

// found is a fault.
type found struct {
	Kind   navmesh.FaultKind
	At     geom.Vec
	Detail string
}

// judgeReal builds the whole floor of a level and asks for every fault: of the mesh alone, and beside the level.
func judgeReal(ctx context.Context, lvl *level.Level, radius float64, places int, opt options) (r judged) {
	r.Radius, r.Triangles = radius, len(lvl.Triangles)
	if opt.floor.Agent.Radius = radius; radius == 0 {
		opt.floor.Agent.Radius = meadow.PointRadius
	}
	start := time.Now()
	mesh, err := meadow.BuildWith(ctx, lvl, opt.floor, opt.mesh)
	r.Build = time.Since(start)
	switch {
	case err != nil && slices.ContainsFunc(noFloor, func(said string) bool { return strings.Contains(err.Error(), said) }):
		return r
	case err != nil:
		r.Error = err.Error()
		return r
	}
	r.Regions = mesh.RegionCount()
	faults := mesh.Validate()
	start = time.Now()
	if levelcheck.Fit(faults) {
		more, _, err := levelcheck.Check(ctx, mesh.Mesh, lvl, levelcheck.Options{
			Places: places, Paths: places / 10, KeepAll: true, Near: levelcheck.DefaultNear, Jobs: opt.mesh.Jobs,
			Simplify: max(levelcheck.DefaultSimplify, opt.floor.Simplify),
		})
		if err != nil {
			r.Error = "judge: " + err.Error()
			return r
		}
		faults = append(faults, more...)
	}
	r.Check = time.Since(start)
	for _, f := range faults {
		r.Faults = append(r.Faults, found{f.Kind, f.At, f.Detail})
	}
	return r
}

// judgeReals judges the levels that the state file lacks, and prints a table of all. Faults are shrunk also where the state
// has them.
func (s *settings) judgeReals(ctx context.Context, out, log io.Writer) (err error) {
	levels, err := s.real.sources(s.first)
	if err != nil {
		return err
	}
	done, lines, err := s.openReals()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	var lock sync.Mutex
	err = par.For(ctx, s.jobs, len(levels), func(i int) error {
		f := levels[i]
		var lvl *level.Level
		var err error
		for _, radius := range s.real.radii {
			key := agentOn{f.name, radius}
			lock.Lock()
			r, ok := done[key]
			lock.Unlock()
			if ok && !(s.shrunk && len(r.Faults) > 0) {
				continue
			}
			if lvl == nil {
				if lvl, err = f.open(); err != nil {
					return fmt.Errorf("%s: %w", f.name, err)
				}
			}
			if !ok {
				r = s.limitedReal(ctx, lvl, radius, s.real.places)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.Level = key.level
				lock.Lock()
				done[key] = r
				err := lines.Append(r)
				fmt.Fprintf(log, "%s, radius %g m: %d triangles, %d regions, built in %.1f s, judged in %.1f s: %s\n",
					r.Level, r.Radius, r.Triangles, r.Regions, r.Build.Seconds(), r.Check.Seconds(), r.summary())
				lock.Unlock()
				if err != nil {
					return err
				}
			}
			if s.shrunk {
				if err := s.shrinkFaults(ctx, lvl, r, log); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	faults := 0
	var all []judged
	for _, f := range levels {
		for _, radius := range s.real.radii {
			r := done[agentOn{f.name, radius}]
			faults += len(r.Faults)
			all = append(all, r)
		}
	}
	if err := realTable(out, all); err != nil {
		return err
	}
	if faults > 0 {
		return fmt.Errorf("%d faults", faults)
	}
	return nil
}

// limitedReal is judgeReal with a limit of time; a panic is an error.
func (s *settings) limitedReal(ctx context.Context, lvl *level.Level, radius float64, places int) judged {
	failed := func(err error) judged {
		return judged{Radius: radius, Triangles: len(lvl.Triangles), Error: err.Error()}
	}
	return bench.Limited(ctx, s.limit, s.grace, func(ctx context.Context) judged { return judgeReal(ctx, lvl, radius, places, s.opt) }, failed)
}

// agentOn is a level and the radius of an agent.
type agentOn struct {
	level  string
	radius float64
}

// realHeader is the first line of the state: the settings that must be the same when a run continues.
type realHeader struct {
	Extract, Method      string
	Places               int
	Height, Climb, Slope float64 // in metres and radians
}

// openReals reads the state of a run, or begins one.
func (s *settings) openReals() (map[agentOn]judged, *bench.Lines, error) {
	done := map[agentOn]judged{}
	if s.state == "" {
		return done, nil, nil
	}
	agent := &s.opt.floor.Agent
	want, begun := realHeader{s.opt.extract, s.opt.method, s.real.places, agent.Height, agent.MaxClimb, agent.MaxSlope}, false
	lines, err := bench.OpenLines(s.state, func(n int, line []byte) error {
		if n == 0 {
			begun = true
			var got realHeader
			if err := json.Unmarshal(line, &got); err != nil || got != want {
				return fmt.Errorf("the state of another run: %+v, not %+v", got, want)
			}
			return nil
		}
		var r judged
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		done[agentOn{r.Level, r.Radius}] = r
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.state, err)
	}
	if !begun {
		err = lines.Append(want)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("%s: %w", s.state, err), lines.Close())
	}
	return done, lines, err
}

// summary counts the faults by kind.
func (r *judged) summary() string {
	kinds := map[navmesh.FaultKind]int{}
	for _, f := range r.Faults {
		kinds[f.Kind]++
	}
	var words []string
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		words = append(words, fmt.Sprintf("%d %s", kinds[k], k))
	}
	if r.Error != "" {
		words = append(words, strings.SplitN(r.Error, "\n", 2)[0])
	}
	return cmp.Or(strings.Join(words, ", "), "no fault")
}

// realTable prints the levels with faults, the most faults first, and counts all.
func realTable(out io.Writer, all []judged) error {
	var b strings.Builder
	clean, faults, unknown := 0, 0, 0
	var bad []judged
	for _, r := range all {
		faults += len(r.Faults)
		switch {
		case r.Error != "":
			unknown++
		case len(r.Faults) == 0:
			clean++
			continue
		}
		bad = append(bad, r)
	}
	fmt.Fprintf(&b, "%d of %d meshes without a fault, %d without an answer; %d faults.\n", clean, len(all), unknown, faults)
	if len(bad) > 0 {
		b.WriteString("\n| level | radius m | triangles | regions | faults | by law |\n|---|---|---|---|---|---|\n")
	}
	slices.SortStableFunc(bad, func(a, b judged) int { return cmp.Compare(len(b.Faults), len(a.Faults)) })
	for _, r := range bad {
		fmt.Fprintf(&b, "| %s | %g | %d | %d | %d | %s |\n", r.Level, r.Radius, r.Triangles, r.Regions, len(r.Faults), r.summary())
	}
	_, err := io.WriteString(out, b.String())
	return err
}
