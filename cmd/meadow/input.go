package main

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/level/terrain"
)

// mapExtractor replaces the extractor in the report of a map.
const mapExtractor = "flat"

// input is the source of a mesh: a level, or else a two-dimensional map.
type input struct {
	level *level.Level
	plane *flat.Map
	guess guess
}

// openInput reads a level or a map by its extension; its errors name the file. named reads a map with names for rules.
func (f levelFlags) openInput(path string, named bool) (input, error) {
	if isMesh, err := isMeshFile(path); err == nil && isMesh && !meadow.IsMap(path) {
		return input{}, fmt.Errorf("%s: is a mesh already; this command needs a level or a map", path)
	}
	if !meadow.IsMap(path) {
		lvl, err := f.open(path)
		if err != nil {
			return input{}, err
		}
		return input{level: lvl, guess: f.guess(path, lvl)}, nil
	}
	scale, err := f.scale()
	if err != nil {
		return input{}, err
	}
	if f.Up != meshio.Default && f.Up != meshio.Y {
		return input{}, fmt.Errorf("%s: --up needs a level; this is a map", path)
	}
	limits, err := f.limits()
	if err != nil {
		return input{}, err
	}
	if f.Curves < 0 {
		return input{}, fmt.Errorf("--curves is %g, must be above 0 metres", float64(f.Curves))
	}
	m, err := meadow.OpenMap(path, flat.Options{Scale: scale, Tolerance: float64(f.Curves), Limits: limits, Shapes: named, Overgrown: named, Level: f.LDtk})
	if err != nil {
		return input{}, inFile(path, err)
	}
	return input{plane: m}, nil
}

func (in input) build(ctx context.Context, floor meadow.FloorOptions, mesh meadow.MeshOptions) (*meadow.Mesh, error) {
	if in.plane != nil {
		return meadow.BuildMap(ctx, in.plane, floor, mesh)
	}
	return meadow.BuildWith(ctx, in.level, floor, mesh)
}

// tiled returns a build of the level in tiles with sides of size metres.
func (in input) tiled(size float64) func(context.Context, meadow.FloorOptions, meadow.MeshOptions) (*meadow.Mesh, error) {
	return func(ctx context.Context, floor meadow.FloorOptions, mesh meadow.MeshOptions) (*meadow.Mesh, error) {
		return meadow.BuildTiled(ctx, in.level, size, floor, mesh)
	}
}

// floor finds the floor for meshes.
func (in input) floor(ctx context.Context, opt meadow.FloorOptions) (*meadow.Floor, error) {
	if in.plane != nil {
		return meadow.FloorOfMap(ctx, in.plane, opt)
	}
	return meadow.FindFloor(ctx, in.level, opt)
}

// apply sets the ground by rules; painted is the number of patches painted over it.
func (in input) apply(t *meadow.Terrain) (report terrain.Report, painted int, err error) {
	if in.plane != nil {
		report, err = t.ApplyMap(in.plane)
		return report, 0, err
	}
	if report, err = t.Apply(in.level); err == nil {
		painted = len(in.level.Ground.Painted)
	}
	return report, painted, err
}

// triangles returns how many triangles a level has; 0 for a map.
func (in input) triangles() int {
	if in.plane != nil {
		return 0
	}
	return len(in.level.Triangles)
}

func (in input) name() string {
	if in.plane != nil {
		return in.plane.Name
	}
	return in.level.Name
}

func (in input) warnings() []string {
	if in.plane != nil {
		return in.plane.Warnings
	}
	return in.level.Warnings
}

func (in input) list() *draw.List {
	if in.plane == nil {
		return levelList(in.level)
	}
	list := draw.Plan(in.plane.Plan, draw.PlanOptions{})
	return &list
}

// meshOf loads a mesh file, or builds the mesh of a level or map.
func (e *env) meshOf(path string, agents agentFlags, levels levelFlags, floors floorFlags) (*meadow.Mesh, error) {
	isMesh, err := isMeshFile(path)
	if err != nil {
		return nil, err
	}
	if isMesh {
		return e.loadMesh(path)
	}
	floor, err := e.floorOf(path, agents, levels, floors)
	if err != nil {
		return nil, err
	}
	bar := newProgress(e.stderr)
	defer bar.stop()
	mesh, err := floor.Mesh(e.ctx, meadow.MeshOptions{Progress: bar.callback()})
	if err != nil {
		return nil, inFile(path, err)
	}
	return mesh, nil
}

// floorOf finds the floor of a level or map.
func (e *env) floorOf(path string, agents agentFlags, levels levelFlags, floors floorFlags) (*meadow.Floor, error) {
	agent, err := agents.agent()
	if err != nil {
		return nil, err
	}
	opt, err := floors.floorOptions(agent)
	if err != nil {
		return nil, err
	}
	in, err := levels.openInput(path, floors.Terrain != "")
	if err != nil {
		return nil, err
	}
	if err := floors.applyTerrain(e.stderr, path, in, &opt); err != nil {
		return nil, err
	}
	bar := newProgress(e.stderr)
	defer bar.stop()
	opt.Progress = bar.callback()
	floor, err := in.floor(e.ctx, opt)
	if err != nil {
		return nil, inFile(path, err)
	}
	return floor, nil
}

// tell prints the doubts about a level, and what a map took for granted.
func (in input) tell(w io.Writer, path string) {
	if in.plane == nil {
		in.guess.tell(w, path)
		return
	}
	for _, note := range in.plane.Notes {
		fmt.Fprintf(w, "note: %s: %s\n", path, note)
	}
}
