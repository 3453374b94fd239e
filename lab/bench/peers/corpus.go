//go:build peers

package main

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/levelcheck"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/internal/scenes"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/meshio"
)

// corpus is a run over every map of a folder of archives: time beside Recast, and the laws of meshes at several radii.
type corpus struct {
	settings
	folder string    // of *.pk3
	radii  []float64 // metres, at which the laws are tested
	places int       // for the laws that need the level; 0 leaves these laws out
	only   string    // part of the names of maps, "" for all
}

// Report is the result of a map: a line of the state file.
type Report struct {
	Map       string  `json:"map"`
	Revision  string  `json:"revision"` // of the settings and the program, as the caller names it
	Triangles int     `json:"triangles"`
	Unread    string  `json:"unread,omitempty"` // the error of the reader
	Measures  [3]Time `json:"measures"`         // Recast, one core, all cores
	Laws      []Law   `json:"laws"`
}

// Time is the time of a contender on a map.
type Time struct {
	MS     float64 `json:"ms"` // median, 0 where it failed
	Failed string  `json:"failed,omitempty"`
	Polys  int     `json:"polys"`
}

// Law is the verdict on a mesh.
type Law struct {
	Radius float64 `json:"radius"`
	All    bool    `json:"all"` // every part of the floor is kept
	Method string  `json:"method"`
	Faults int     `json:"faults"`
	First  string  `json:"first,omitempty"` // the first fault, or the error of the build
}

// broken means that there is no mesh to judge.
const broken = -1

// run measures the maps missing in the state file, and prints all of them.
func (c corpus) run(ctx context.Context, out, log io.Writer) error {
	done, err := c.finished()
	if err != nil {
		return err
	}
	maps, err := c.maps()
	if err != nil {
		return err
	}
	var reports []Report
	for _, m := range maps {
		r, ok := done[m.String()]
		if !ok {
			begin := time.Now()
			if r, err = c.measure(ctx, m, log); err != nil {
				return err
			}
			if err := c.keep(r); err != nil {
				return err
			}
			fmt.Fprintf(log, "%s: %d triangles, %.1f s\n", r.Map, r.Triangles, time.Since(begin).Seconds())
		}
		reports = append(reports, r)
	}
	_, err = io.WriteString(out, corpusTables(reports, c.agent))
	return err
}

// archived is a map in an archive.
type archived struct{ archive, name string }

func (m archived) String() string {
	base := func(p, ext string) string { return strings.TrimSuffix(path.Base(filepath.ToSlash(p)), ext) }
	return base(m.archive, ".pk3") + "/" + base(m.name, ".bsp")
}

// maps lists the maps of all archives, by archive and name.
func (c corpus) maps() ([]archived, error) {
	archives, err := filepath.Glob(filepath.Join(c.folder, "*.pk3"))
	if err != nil {
		return nil, err
	}
	var all []archived
	for _, a := range archives {
		z, err := zip.OpenReader(a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a, err)
		}
		for _, f := range z.File {
			if m := (archived{a, f.Name}); strings.HasSuffix(f.Name, ".bsp") && strings.Contains(m.String(), c.only) {
				all = append(all, m)
			}
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no map %q in %s", c.only, filepath.Join(c.folder, "*.pk3"))
	}
	slices.SortFunc(all, func(a, b archived) int {
		return cmp.Or(strings.Compare(a.archive, b.archive), strings.Compare(a.name, b.name))
	})
	return all, nil
}

func (m archived) open() (*level.Level, error) {
	name := strings.TrimSuffix(path.Base(m.name), ".bsp")
	return meadow.OpenWith(m.archive, meshio.Options{BSP: bsp.Options{Map: name}})
}

// measure builds a map with everybody in turns, then for the laws.
func (c corpus) measure(ctx context.Context, m archived, log io.Writer) (Report, error) {
	r := Report{Map: m.String(), Revision: c.revision()}
	lvl, err := m.open()
	if err != nil {
		r.Unread = err.Error()
		return r, nil
	}
	r.Triangles = len(lvl.Triangles)
	if c.timing {
		if err := c.time(ctx, lvl, &r, log); err != nil {
			return r, err
		}
	}
	for _, l := range c.cases() {
		if err := c.judge(ctx, lvl, &l); err != nil {
			return r, err
		}
		r.Laws = append(r.Laws, l)
	}
	return r, ctx.Err()
}

// time gives everybody their turns. Recast reads the level from a file of its own.
func (c corpus) time(ctx context.Context, lvl *level.Level, r *Report, log io.Writer) error {
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "level.obj")
	if err := scenes.Save(file, lvl); err != nil {
		return err
	}
	opt := exactly(options{floor: meadow.FloorOptions{Agent: c.agent, KeepArea: smallestPart}}, 0)
	one := onOneCore(opt)
	all := []contender{
		recast{program: c.recast, level: file, agent: c.agent, grid: demoGrid, runs: c.runs, slice: c.slice},
		limited{ours{label: "one core", level: lvl, opt: one, cores: 1, runs: c.runs, slice: c.slice}, c.limit},
		limited{ours{label: "all cores", level: lvl, opt: opt, runs: c.runs, slice: c.slice}, c.limit},
	}
	l, err := measureTurns(ctx, r.Map, all, c.settings, log)
	if err != nil {
		return err
	}
	for i, m := range l {
		r.Measures[i] = Time{MS: m.MedianMS, Failed: m.Failed, Polys: m.Mesh.All.Polys}
	}
	return nil
}

// limited is a contender that gives up after a time.
type limited struct {
	ours
	limit time.Duration
}

func (l limited) turn(ctx context.Context) (Turn, error) {
	bounded, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	t, err := l.ours.turn(bounded)
	if ctx.Err() == nil && bounded.Err() != nil {
		return Turn{}, unable{fmt.Errorf("a turn takes more than %v", l.limit)}
	}
	return t, err
}

// cases are the meshes to judge: the agent of the corpus at every radius with everything kept, and ANavMG at Recast's
// tolerance.
func (c corpus) cases() []Law {
	var all []Law
	for _, radius := range c.radii {
		all = append(all, Law{Radius: radius, All: true, Method: catalog.Default})
	}
	return append(all, Law{Radius: c.agent.Radius, Method: "anavmg"})
}

// judge builds a mesh and counts its faults.
func (c corpus) judge(ctx context.Context, lvl *level.Level, l *Law) error {
	opt := meadow.FloorOptions{Agent: c.agent, KeepAll: l.All}
	g, err := catalog.Generator(l.Method)
	if err != nil {
		return err
	}
	opt.Agent.Radius = l.Radius
	if l.Radius == 0 {
		opt.Agent.Radius = meadow.PointRadius
	}
	if l.Method == "best" {
		opt.Simplify = recastTolerance
	}
	bounded, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	mesh, err := meadow.BuildWith(bounded, lvl, opt, meadow.MeshOptions{Generator: g})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, meadow.ErrNoFloor):
		return nil
	case err != nil:
		l.Faults, l.First = broken, err.Error()
		return nil
	}
	faults := mesh.Validate()
	if c.places > 0 && levelcheck.Fit(faults) {
		more, _, err := levelcheck.Check(ctx, mesh.Mesh, lvl, levelcheck.Options{
			Places: c.places, Paths: c.places / 10, KeepAll: l.All, Near: levelcheck.DefaultNear, Simplify: max(opt.Simplify, levelcheck.DefaultSimplify),
		})
		if err != nil {
			return err
		}
		faults = append(faults, more...)
	}
	if l.Faults = len(faults); l.Faults > 0 {
		l.First = faults[0].Error()
	}
	return nil
}

// revision tells reports of other settings apart.
func (c corpus) revision() string {
	return fmt.Sprintf("%+v %v %v %d %d %d %v %v", c.agent, c.radii, c.limit, c.places, c.rounds, c.runs, c.slice, c.timing)
}

// finished reads the state file.
func (c corpus) finished() (map[string]Report, error) {
	done := map[string]Report{}
	if c.state == "" {
		return done, nil
	}
	f, err := os.Open(c.state)
	if errors.Is(err, os.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r Report
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			break // the last line of a run that was stopped
		}
		if r.Revision == c.revision() {
			done[r.Map] = r
		}
	}
	return done, lines.Err()
}

// keep appends a report to the state file.
func (c corpus) keep(r Report) error {
	if c.state == "" {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.state, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// ratio returns a contender's time over Recast's; ok is false if one of them failed.
func (r Report) ratio(k int) (v float64, ok bool) {
	them, us := r.Measures[0].MS, r.Measures[k].MS
	return us / them, them > 0 && us > 0
}

// worst is the sort key of reports: maps that are slow beside Recast or do not end come first.
func (r Report) worst() float64 {
	if r.Measures[2].Failed != "" {
		return math.Inf(1)
	}
	v, _ := r.ratio(2)
	return v
}

// corpusTables prints times, the slowest beside Recast first, and faults, the most first.
func corpusTables(reports []Report, agent meadow.Agent) string {
	var b strings.Builder
	byTime := slices.Clone(reports)
	slices.SortStableFunc(byTime, func(a, b Report) int { return cmp.Compare(b.worst(), a.worst()) })
	title := fmt.Sprintf("Time beside Recast at its default cells, radius %g m, all parts above %.2f m², nothing simplified; the worst first", agent.Radius, smallestPart)
	row := table(&b, title, "map", "triangles", "Recast ms", "polygons", "one core ms", "/ Recast", "all cores ms", "/ Recast", "regions")
	for _, r := range byTime {
		cells := []string{r.Map, fmt.Sprint(r.Triangles), r.Measures[0].String(), fmt.Sprint(r.Measures[0].Polys)}
		for k := 1; k < 3; k++ {
			share := nothing
			if v, ok := r.ratio(k); ok {
				share = fmt.Sprintf("%.2f", v)
			}
			cells = append(cells, r.Measures[k].String(), share)
		}
		row(append(cells, fmt.Sprint(r.Measures[2].Polys))...)
	}
	for k := 1; k < 3; k++ {
		name := [3]string{1: "one core", 2: "all cores"}[k]
		sum, n, slower := 0.0, 0, 0
		for _, r := range reports {
			if v, ok := r.ratio(k); ok {
				sum, n = sum+math.Log(v), n+1
				if v > 1 {
					slower++
				}
			}
		}
		if n > 0 {
			fmt.Fprintf(&b, "\nGeometric mean on %s: %.2f over %d maps, %d of them slower than Recast.\n", name, math.Exp(sum/float64(n)), n, slower)
		}
	}
	faultTable(&b, reports)
	return b.String()
}

func (t Time) String() string {
	if t.MS == 0 {
		return nothing
	}
	return fmt.Sprintf("%.0f", t.MS)
}

// faultTable prints the meshes with faults, first those that do not build, then those with the most, and counts them.
func faultTable(b *strings.Builder, reports []Report) {
	type verdict struct {
		name string
		Law
	}
	var bad []verdict
	total := 0
	for _, r := range reports {
		if r.Unread != "" {
			bad = append(bad, verdict{r.Map, Law{Faults: broken, First: r.Unread}})
		}
		for _, l := range r.Laws {
			total++
			if l.Faults != 0 {
				bad = append(bad, verdict{r.Map, l})
			}
		}
	}
	slices.SortStableFunc(bad, func(a, b verdict) int {
		rank := func(v verdict) int {
			if v.Faults == broken {
				return math.MaxInt
			}
			return v.Faults
		}
		return cmp.Compare(rank(b), rank(a))
	})
	row := table(b, fmt.Sprintf("Faults: %d of %d meshes; the worst first", len(bad), total), "map", "radius m", "parts", "method", "faults", "the first")
	for _, v := range bad {
		parts, faults := "largest", fmt.Sprint(v.Faults)
		if v.All {
			parts = "all"
		}
		if v.Faults == broken {
			faults = "no mesh"
		}
		row(v.name, fmt.Sprint(v.Radius), parts, v.Method, faults, v.First)
	}
}
