//go:build peers

package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw/svg"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/lab/internal/scenes"
	"github.com/meadow-nav/meadow/lab/internal/standings"
	"github.com/meadow-nav/meadow/level"
)

// generated are the levels that the program makes. Recast closes doors of 1.25 × 2.125 m to an agent of 0.6 × 2 m, so some levels with such
// doors come with a smaller agent.
const generated = "rooms,rooms radius=0.3 height=1.8,rooms seed=2 size=80 radius=0.3 height=1.8,maze,maze seed=2 size=60,maze seed=3 size=60 radius=0.3 height=1.8," +
	"city size=100,city seed=2 size=250,terrain size=64,terrain seed=2 size=200,stairs,stairs radius=0.3 height=1.8,spiral storeys=5,bridge,carpark,carpark storeys=12," +
	"arch,halls,halls radius=0.3 height=1.8,demo,demo radius=0.3 height=1.8,random,random seed=2 size=120,random seed=3 size=30,rts size=128,rts seed=2 size=256," +
	"urban,urban seed=2 size=250,tower radius=0.3 height=1.8,tower storeys=16 radius=0.3 height=1.8,highrise radius=0.3 height=1.8,catwalks,catwalks seed=2 size=100," +
	"slots,ramps,pillars,pillars seed=2 size=80,rough,rough seed=2 size=100 steepness=45,rough seed=3 size=60 steepness=30"

// mapNames are the maps of Debian's packages that are measured: small and large ones, from all packages.
const mapNames = "oa_dm1,oa_ctf2,oa_pvomit,oa_bases3cl,ctf_inyard,pxlfan,starship,accident,blitzkrieg3,evilspace"

// The names of contenders.
const (
	solo     = "Recast"
	tiled    = "Recast, tiles"
	fine     = "Recast, 0.1 m"
	wasm     = "Recast, WASM"
	oneCore  = "Meadow, one core"
	allCores = "Meadow"
	straight = "Meadow, 0.39 m"
)

// portScript builds with the port.
//
//go:embed wasm/recast.mjs
var portScript []byte

// demoTile is the side of RecastDemo's tiles in cells.
const demoTile = 48

// board measures levels with everybody.
type board struct {
	settings
	scenes.Sources
	modules string // folder with the WASM port in node_modules, "" without it
	folder  string // for the page of all levels and the plots, "" for none
	pairs   int    // of places for paths
	// quality and time say what is measured.
	quality, time bool
}

// contestant is a contender, and the mesh that its last turn has left.
type contestant struct {
	contender
	load func() (*meadow.Mesh, error)
	// twin has the same mesh; "" for none.
	twin string
}

// measure measures all levels that the state file does not have.
func (b board) measure(ctx context.Context, log io.Writer) (*standings.Standings, error) {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "recast.mjs"), portScript, 0o666); err != nil {
		return nil, err
	}
	all, err := b.List(dir)
	if err != nil {
		return nil, err
	}
	done := map[string]standings.Level{}
	var lines *bench.Lines
	if b.state != "" {
		lines, err = bench.OpenLines(b.state, func(_ int, line []byte) error {
			var l standings.Level
			if err := json.Unmarshal(line, &l); err != nil {
				return fmt.Errorf("%s: %w", b.state, err)
			}
			if l.Settings == b.revision() {
				done[l.Name] = l
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		defer lines.Close()
	}
	s := &standings.Standings{Reference: solo, Ours: []string{oneCore, allCores}}
	names := map[string]bool{}
	for i, sc := range all {
		if names[sc.Name] {
			return nil, fmt.Errorf("two levels are named %q", sc.Name)
		}
		names[sc.Name] = true
		l, ok := done[sc.Name]
		if !ok {
			begin := time.Now()
			if l, err = b.level(ctx, sc, dir); err != nil {
				return nil, fmt.Errorf("%s: %w", sc.Name, err)
			}
			if err := lines.Append(l); err != nil {
				return nil, err
			}
			fmt.Fprintf(log, "%d of %d: %s: %d triangles, %.1f s %s\n", i+1, len(all), l.Name, l.Triangles, time.Since(begin).Seconds(), l.Failed)
		}
		s.Levels = append(s.Levels, l)
	}
	return s, nil
}

// revision tells results of other settings apart.
func (b board) revision() string {
	return fmt.Sprintf("%+v %d %d %v %v %d %v %v %v", b.agent, b.rounds, b.runs, b.slice, b.limit, b.pairs, b.quality, b.time, b.modules != "")
}

// level measures a level: first all turns, then the quality of the meshes.
func (b board) level(ctx context.Context, sc scenes.Scene, dir string) (standings.Level, error) {
	out := standings.Level{Name: sc.Name, Settings: b.revision()}
	b.agent = b.agent.WithDefaults()
	if sc.Radius > 0 {
		b.agent.Radius, b.agent.MaxGap = sc.Radius, min(b.agent.MaxGap, sc.Radius)
	}
	if sc.Height > 0 {
		b.agent.Height = sc.Height
	}
	out.Radius, out.Height = b.agent.Radius, b.agent.Height
	_, file, err := sc.Open()
	if err != nil {
		out.Failed = err.Error()
		return out, nil
	}
	// Everybody reads the same file. Markers and solids of the source are not in the file.
	lvl, err := meadow.Open(file)
	if err != nil {
		out.Failed = err.Error()
		return out, nil
	}
	out.Triangles = len(lvl.Triangles)
	all := b.contestants(lvl, file, dir)
	contenders := make([]contender, len(all))
	for i := range all {
		contenders[i] = all[i].contender
	}
	measures, err := measureTurns(ctx, sc.Name, contenders, b.settings, io.Discard)
	if err != nil {
		return out, err
	}
	for _, m := range measures {
		out.Entries = append(out.Entries, standings.Entry{
			Name: m.Name, Failed: m.Failed, MS: m.MedianMS, Best: m.BestMS, Builds: len(m.TotalMS), Regions: m.Mesh.All.Polys, Bytes: m.Mesh.Bytes,
		})
		if !b.time {
			e := &out.Entries[len(out.Entries)-1]
			e.MS, e.Best, e.Builds = 0, 0, 0
		}
	}
	if b.quality {
		bounded, cancel := context.WithTimeout(ctx, 10*b.limit)
		defer cancel()
		if err := b.judge(bounded, lvl, all, &out); err != nil {
			if ctx.Err() != nil {
				return out, err
			}
			for i := range out.Entries {
				if e := &out.Entries[i]; e.Failed == "" && e.Quality == nil && all[i].twin == "" {
					e.Unjudged = err.Error()
				}
			}
		}
	}
	return out, nil
}

// contestants returns everybody, in the order of the tables.
func (b board) contestants(lvl *level.Level, file, dir string) []contestant {
	theirs := func(label string, g grid, tile int) contestant {
		r := recast{label: label, program: b.recast, level: file, agent: b.agent, grid: g, tile: tile, runs: b.runs, slice: b.slice, limit: b.limit}
		r.out = filepath.Join(dir, strings.NewReplacer(" ", "", ",", "-", ".", "").Replace(label)+".mset")
		return contestant{contender: r, load: func() (*meadow.Mesh, error) { return meadow.Load(r.out) }}
	}
	all := []contestant{theirs(solo, demoGrid, 0), theirs(tiled, demoGrid, demoTile), theirs(fine, fineGrid, 0)}
	if b.modules != "" {
		c := theirs(wasm, demoGrid, 0)
		r := c.contender.(recast)
		r.program, r.words = "node", []string{filepath.Join(dir, "recast.mjs"), "--modules", b.modules}
		c.contender = r
		all = append(all, c)
	}
	mine := func(label string, opt options, cores, runs int) contestant {
		var mesh *meadow.Mesh
		o := ours{label: label, level: lvl, opt: opt, cores: cores, runs: runs, slice: b.slice, keep: func(m *meadow.Mesh) { mesh = m }}
		return contestant{contender: limited{o, b.limit}, load: func() (*meadow.Mesh, error) { return mesh, nil }}
	}
	// The same parts of the floor as Recast keeps.
	opt := options{floor: meadow.FloorOptions{Agent: b.agent, KeepArea: smallestPart}}
	one := mine(oneCore, onOneCore(opt), 1, b.runs)
	one.twin = allCores
	simple := opt
	simple.floor.Simplify = recastTolerance
	return append(all, one, mine(allCores, opt, 0, b.runs), mine(straight, simple, 0, 1))
}

// write writes the page of all levels and the plots.
func (b board) write(s *standings.Standings, about string) error {
	if b.folder == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(b.folder, "images"), 0o777); err != nil {
		return err
	}
	page := s.Page()
	return errors.Join(
		writeFile(filepath.Join(b.folder, "peers-levels.md"), func(w io.Writer) error {
			if _, err := fmt.Fprintf(w, "# Beside Recast, level by level\n\n%s\n", about); err != nil {
				return err
			}
			return s.Markdown(w)
		}),
		writeFile(filepath.Join(b.folder, "images", "peers.svg"), func(w io.Writer) error { return svg.Write(w, page.List(), page.View()) }),
	)
}

// writeFile writes a file.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
