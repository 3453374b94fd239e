package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/world"
)

// Crowd is the times of an obstacle among others that stand in one region of the base.
type Crowd struct {
	Standing int     `json:"standing"`
	Regions  int     `json:"regions"` // of the mesh with all of them
	Singles  Singles `json:"singles"`
}

// plain returns a level of one square floor.
func plain(side float64) *level.Level {
	return &level.Level{
		Vertices:  []geom.Vec{{}, {X: side}, {X: side, Z: side}, {Z: side}},
		Triangles: []level.Triangle{{A: 0, B: 2, C: 1, Material: level.NoMaterial}, {A: 0, B: 3, C: 2, Material: level.NoMaterial}},
	}
}

// measureCrowds measures single obstacles on a square floor of one region, where more and more obstacles stand. The crowds have
// turns, and the first turn of each warms up and does not count.
func (s settings) measureCrowds(ctx context.Context, log io.Writer) ([]Crowd, error) {
	mesh, err := meadow.Build(ctx, plain(s.side), s.agent)
	if err != nil {
		return nil, err
	}
	if n := mesh.RegionCount(); n != 1 {
		return nil, fmt.Errorf("the floor of %g m has %d regions", s.side, n)
	}
	places, err := drawPlaces(mesh.NewQuery(), s.agent.Radius, s.obstacles, 1)
	if err != nil {
		return nil, err
	}
	crowds, worlds, times := make([]Crowd, len(s.standing)), make([]*ours, len(s.standing)), make([][]one, len(s.standing))
	for k, n := range s.standing {
		if worlds[k], err = newOurs(ctx, mesh.Mesh, s.clock()); err != nil {
			return nil, err
		}
		around, err := drawPlaces(mesh.NewQuery(), s.agent.Radius, n, 2)
		if err != nil {
			return nil, err
		}
		all := make([]world.Edit, n)
		for i, p := range around {
			all[i] = world.Put{ID: world.ID(fmt.Sprintf("standing-%d", i)), Solid: crate(p.at)}
		}
		if _, err := worlds[k].w.Apply(ctx, all...); err != nil {
			return nil, err
		}
		worlds[k].q.Use(worlds[k].w.Now().Index())
		crowds[k] = Crowd{Standing: n, Regions: worlds[k].w.Now().Mesh().RegionCount()}
		fmt.Fprintf(log, "crowd of %d: %d regions\n", n, crowds[k].Regions)
	}
	turns := slices.Collect(slices.Chunk(places, s.block))
	for i, turn := range append(turns[:1:1], turns...) {
		for k := range worlds {
			got, err := worlds[k].ones(ctx, turn)
			if err != nil {
				return nil, fmt.Errorf("crowd of %d: %w", crowds[k].Standing, err)
			}
			if i > 0 {
				times[k] = append(times[k], got...)
			}
		}
	}
	for k := range crowds {
		crowds[k].Singles = summarize(times[k])
	}
	return crowds, nil
}
