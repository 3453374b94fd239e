// Terrain judges and measures meshes with kinds of ground, on worlds of levelgen with their rules.
//
//	go run ./lab/bench/terrain -points 1000000 > terrain.md
//	go run ./lab/bench/terrain -worlds rts -size 640 -paths 2000
//
// The program checks, by brute force on the level's triangles, whether regions and paths are on their stated ground; removes a
// bridge and counts the changed paths; and compares meshes with and without terrain, and one mesh for all methods with one for
// each; and a pass for every area, as published, with one pass over all; and growth by the texture under seeds. It prints tables in Markdown, and fails on any fault.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func main() { bench.Main("terrain", run) }

// settings are the flags.
type settings struct {
	worlds        []string
	rules         string
	size          float64
	seed          uint64
	points, paths int
	rounds        int
	method        string
	epsilon       float64
	generators    []string
	picture       string
	tables        []table
}

// table judges or measures all worlds and prints the result.
type table func(settings, context.Context, io.Writer, []*world) error

// tables are the tables in the order of printing.
var tables = []struct {
	name  string
	print table
}{
	{"places", settings.places},
	{"travels", settings.travels},
	{"bridges", settings.bridges},
	{"splitting", settings.splitting},
	{"passes", settings.passes},
	{"growth", settings.growth},
	{"sharing", settings.sharing},
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("terrain", log)
	worlds := f.String("worlds", "rts,urban", "kinds of world, each with a file of rules of its name")
	f.StringVar(&s.rules, "rules", "examples/terrain", "folder of the rules")
	f.Float64Var(&s.size, "size", 0, "side of the worlds in metres, 0 for the default of the kind")
	f.Uint64Var(&s.seed, "seed", 1, "of the worlds and of places")
	f.IntVar(&s.points, "points", 100000, "places to ask for their ground, in each world")
	f.IntVar(&s.paths, "paths", 400, "paths for each method")
	f.IntVar(&s.rounds, "rounds", 3, "repetitions of timed work; the least counts")
	f.StringVar(&s.method, "generator", catalog.Default, "generator")
	f.Float64Var(&s.epsilon, "epsilon", 0.1, "maximum relative excess over the cheapest cost of a path over uneven ground")
	only := f.String("tables", "", "tables to print: places, travels, bridges, splitting, passes, growth, sharing; empty is all")
	f.StringVar(&s.picture, "picture", "", "PNG file for the meshes of the table growth on the first world")
	generators := f.String("generators", "best,anavmg,hertelmehlhorn,delaunay,pasfv,wavefront", "generators to compare passes of, which must cover all")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	s.worlds, s.generators = strings.Split(*worlds, ","), strings.Split(*generators, ",")
	for _, t := range tables {
		if *only == "" || slices.Contains(strings.Split(*only, ","), t.name) {
			s.tables = append(s.tables, t.print)
		}
	}
	if len(s.tables) == 0 {
		return s, fmt.Errorf("no table is called %q", *only)
	}
	if s.points < 0 || s.paths < 0 || s.rounds < 1 || !(s.epsilon > 0) {
		return s, errors.New("points and paths must not be negative, rounds at least 1, epsilon above 0")
	}
	return s, nil
}

// world is a level with its rules and its mesh.
type world struct {
	name    string
	level   *level.Level
	terrain *meadow.Terrain
	floor   *meadow.Floor
	mesh    *meadow.Mesh
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	var worlds []*world
	for _, kind := range s.worlds {
		w, err := s.world(ctx, kind)
		if err != nil {
			return err
		}
		worlds = append(worlds, w)
	}
	var faults []error
	for _, print := range s.tables {
		// Faults are reported at the end, after all tables.
		switch err := print(s, ctx, out, worlds); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// world makes a world and its mesh.
func (s settings) world(ctx context.Context, kind string) (*world, error) {
	w := &world{name: kind}
	var err error
	if w.level, err = levelgen.Generate(kind, levelgen.Options{Seed: s.seed, Size: s.size}); err != nil {
		return nil, err
	}
	if w.terrain, err = meadow.OpenTerrain(filepath.Join(s.rules, kind+".yaml")); err != nil {
		return nil, err
	}
	if _, err := w.terrain.Apply(w.level); err != nil {
		return nil, err
	}
	return w, s.build(ctx, w)
}

// build finds the floor of a world and makes its mesh.
func (s settings) build(ctx context.Context, w *world) error {
	// The judge of the ground knows the faces of the level and no bridges over gaps.
	opt := meadow.FloorOptions{Agent: meadow.Agent{MaxGap: meadow.NoGap}, Terrain: w.terrain}
	g, err := catalog.Generator(s.method)
	if err != nil {
		return err
	}
	if w.floor, err = meadow.FindFloor(ctx, w.level, opt); err != nil {
		return err
	}
	if w.mesh, err = w.floor.Mesh(ctx, meadow.MeshOptions{Generator: g}); err != nil {
		return err
	}
	for _, warning := range w.mesh.Report().Warnings {
		return errors.New(warning)
	}
	if faults := w.mesh.Validate(); len(faults) > 0 {
		return fmt.Errorf("%s: %v", w.name, faults[0])
	}
	return nil
}
