package main

import (
	"context"
	"io"
	"runtime"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/internal/scenes"
)

func machine() Machine {
	return Machine{runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()}
}

// peerTiles are the sides of tiles in cells: the default of RecastDemo, and the fastest.
var peerTiles = []int{48, 16}

// measure measures all parts on a level.
func (s settings) measure(ctx context.Context, sc scenes.Scene, log io.Writer) (Level, error) {
	l := Level{Name: sc.Name}
	lvl, file, err := sc.Open()
	if err != nil {
		return l, err
	}
	l.Triangles = len(lvl.Triangles)
	mesh, err := meadow.Build(ctx, lvl, s.agent)
	if err != nil {
		l.Failed = err.Error()
		return l, ctx.Err()
	}
	l.Regions = mesh.RegionCount()
	for i := range mesh.Tiles {
		for r := range mesh.Tiles[i].Regions {
			var ring lattice.Ring
			for _, v := range mesh.Tiles[i].RegionCorners(r) {
				ring = append(ring, mesh.Tiles[i].Vertices[v].Point)
			}
			l.Area += lattice.SquareMetres(ring.Area2())
		}
	}
	places, err := drawPlaces(mesh.NewQuery(), s.agent.Radius, s.obstacles, 1)
	if err != nil {
		return l, err
	}
	begin := time.Now()
	us, err := newOurs(ctx, mesh.Mesh, s.clock())
	if err != nil {
		return l, err
	}
	l.WorldMS = 1000 * time.Since(begin).Seconds()
	if s.has("singles") {
		all := []contender{us}
		if s.program != "" {
			for _, tile := range peerTiles {
				p := startPeer(ctx, s.program, file, s.agent, tile, s.obstacles, s.processor)
				defer p.stop()
				all = append(all, p)
			}
		}
		if l.Contenders, err = s.measureSingles(ctx, all, places, log); err != nil {
			return l, err
		}
	}
	if s.has("readers") {
		if l.Readers, err = s.measureReaders(ctx, mesh.Mesh, places); err != nil {
			return l, err
		}
	}
	if s.has("wear") {
		if l.Wear, err = s.measureWear(ctx, mesh.Mesh, log); err != nil {
			return l, err
		}
	}
	if s.has("division") {
		if l.Division, err = s.measureDivision(ctx, mesh); err != nil {
			return l, err
		}
	}
	return l, nil
}
