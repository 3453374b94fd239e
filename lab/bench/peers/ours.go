//go:build peers

package main

import (
	"context"
	"runtime"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// options say how a mesh is built.
type options struct {
	floor meadow.FloorOptions
	mesh  meadow.MeshOptions
}

// onOneCore returns options with one worker.
func onOneCore(opt options) options {
	opt.floor.Jobs, opt.mesh.Jobs = 1, 1
	return opt
}

// exactly returns options with the exact extractor and a tolerance of simplification in metres, 0 for none.
func exactly(opt options, tolerance float64) options {
	opt.floor.Extractor, opt.floor.Simplify = nil, tolerance
	if tolerance == 0 {
		opt.floor.Simplify = -1
	}
	return opt
}

// ours builds within this process.
type ours struct {
	label string
	level *level.Level
	opt   options
	cores int // for the Go runtime, its collector included; 0 for all
	runs  int
	slice time.Duration
	keep  func(*meadow.Mesh) // is given the last mesh of every turn, unless nil
}

func (o ours) name() string { return o.label }

func (o ours) turn(ctx context.Context) (Turn, error) {
	if o.cores > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.cores))
	}
	runtime.GC() // clean up others' memory outside the measured time
	var t Turn
	var mesh *meadow.Mesh
	var extract, decompose, link []float64
	warm := false
	for begin := time.Now(); len(t.TotalMS) == 0 || len(t.TotalMS) < o.runs && time.Since(begin) < o.slice; {
		var err error
		start := time.Now()
		if mesh, err = meadow.BuildWith(ctx, o.level, o.opt.floor, o.opt.mesh); err != nil {
			return Turn{}, unable{err}
		}
		// The first build warms up. Beside a build that is longer than the slice, warming up is nothing.
		if !warm && time.Since(start) < o.slice {
			warm, begin = true, time.Now()
			continue
		}
		warm = true
		t.TotalMS = append(t.TotalMS, 1000*time.Since(start).Seconds())
		s := mesh.Report().Seconds
		extract = append(extract, 1000*s.Extract)
		decompose = append(decompose, 1000*s.Decompose)
		link = append(link, 1000*s.Link)
	}
	t.Stages = []Stage{{"extract", median(extract)}, {"decompose", median(decompose)}, {"link", median(link)}}
	if o.keep != nil {
		o.keep(mesh)
	}
	var err error
	t.Mesh, err = count(mesh.Mesh)
	return t, err
}

// count measures and checks a mesh. Neither is part of the measured time.
func count(m *navmesh.Mesh) (Mesh, error) {
	m = m.WithoutRecord()
	whole, err := navfile.Encode(m)
	if err != nil {
		return Mesh{}, err
	}
	flat, err := navfile.Encode(withoutHeights(m))
	if err != nil {
		return Mesh{}, err
	}
	out := Mesh{Components: m.Components, Bytes: len(whole), BytesFlat: len(flat), Faults: len(m.Validate())}
	parts := make([]Extent, m.Components)
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for l := range t.Layers {
			out.Heights += len(t.Layers[l].Floor.Triangles)
		}
		for c := range parts {
			parts[c].add(m.Frame, t, uint32(c))
		}
	}
	for _, e := range parts {
		out.All.Polys += e.Polys
		out.All.Vertices += e.Vertices
		out.All.Area += e.Area
		out.All.Border += e.Border
		if e.Area > out.Largest.Area {
			out.Largest = e
		}
	}
	return out, nil
}

// withoutHeights returns m with no floor but that of the regions' own corners.
func withoutHeights(m *navmesh.Mesh) *navmesh.Mesh {
	flat := *m
	flat.Tiles = append([]navmesh.Tile(nil), m.Tiles...)
	for i := range flat.Tiles {
		flat.Tiles[i].Layers = make([]navmesh.Layer, len(m.Tiles[i].Layers))
	}
	return &flat
}

// add counts the regions of a component in a tile.
func (e *Extent) add(f lattice.Frame, t *navmesh.Tile, component uint32) {
	used := make([]bool, len(t.Vertices))
	for r := range t.Regions {
		if t.Regions[r].Component != component {
			continue
		}
		e.Polys++
		var ring lattice.Ring
		for _, v := range t.RegionCorners(r) {
			if !used[v] {
				used[v] = true
				e.Vertices++
			}
			ring = append(ring, t.Vertices[v].Point)
		}
		e.Area += lattice.SquareMetres(ring.Area2())
		for _, s := range regionBorder(f, t, r) {
			e.Border += s.length()
		}
	}
}
