package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// sample is a level and how its mesh is built.
type sample struct {
	kind  string
	level levelgen.Options
	floor meadow.FloorOptions
	mesh  meadow.MeshOptions
	widen float64 // radius in metres to widen the mesh to; 0 leaves the mesh
}

// narrow and wide are the agents of the table.
var (
	narrow = meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45)}
	wide   = meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45)}
	point  = meadow.Agent{Radius: meadow.PointRadius, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45)}
)

// mapped is the size of the largest kinds here and small the size of the level that every method divides, in metres.
// The whole table takes a second, and less than a minute under emulation.
const mapped, small = 64, 10

// samples lists the cases: every kind of level by default, every method and extractor on one level, and options one by one.
func samples() ([]sample, error) {
	var all []sample
	for _, k := range levelgen.Kinds() {
		all = append(all, sample{kind: k.Name, level: levelgen.Options{Size: min(k.Size, max(k.MinSize, mapped))}, floor: meadow.FloorOptions{Agent: narrow}})
	}
	for _, name := range catalog.Names() {
		g, err := catalog.Generator(name)
		if err != nil {
			return nil, err
		}
		all = append(all, sample{kind: "rooms", level: levelgen.Options{Size: small}, floor: meadow.FloorOptions{Agent: narrow}, mesh: meadow.MeshOptions{Generator: g}})
	}
	for _, name := range catalog.Extractors() {
		x, err := catalog.Extractor(name, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, sample{kind: "stairs", floor: meadow.FloorOptions{Agent: wide, Extractor: x, KeepAll: true}})
	}
	best, err := catalog.Generator("best")
	if err != nil {
		return nil, err
	}
	return append(
		all,
		sample{kind: "carpark", floor: meadow.FloorOptions{Agent: point, KeepAll: true}},
		sample{kind: "halls", floor: meadow.FloorOptions{Agent: point}, widen: 0.3},
		sample{kind: "rooms", level: levelgen.Options{Seed: 2}, floor: meadow.FloorOptions{Agent: narrow, Simplify: 0.39}, mesh: meadow.MeshOptions{Generator: best, Cleanup: true}},
		sample{kind: "urban", level: levelgen.Options{Size: mapped}, floor: meadow.FloorOptions{Agent: narrow, Terrain: meadow.AutoTerrain()}},
	), nil
}

func (s sample) String() string {
	name := fmt.Sprintf("%s-%d radius=%g", s.kind, s.level.Seed, max(0, s.floor.Agent.Radius))
	if s.mesh.Generator != nil {
		name += " method=" + s.mesh.Generator.Name()
	}
	if s.floor.Extractor != nil {
		name += " extract=" + s.floor.Extractor.Name()
	}
	for _, o := range []struct {
		set  bool
		text string
	}{
		{s.floor.Simplify != 0, fmt.Sprintf("simplify=%g", s.floor.Simplify)},
		{s.mesh.Cleanup, "cleanup"},
		{s.floor.Terrain != nil, "terrain=auto"},
		{s.widen > 0, fmt.Sprintf("widen=%g", s.widen)},
	} {
		if o.set {
			name += " " + o.text
		}
	}
	return name
}

// measure returns the lines of the table on this machine.
func measure(ctx context.Context) ([]string, error) {
	var lines []string
	records := sha256.New()
	all, err := samples()
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		lvl, err := levelgen.Generate(s.kind, s.level)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", s, err)
		}
		line, err := s.line(ctx, lvl, records)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", s, err)
		}
		lines = append(lines, line)
	}
	return append(lines, "records of all meshes: "+short(records.Sum(nil))), nil
}

// line builds the mesh of a level and returns its line of the table. records gets the record of the mesh.
func (s sample) line(ctx context.Context, lvl *level.Level, records hash.Hash) (string, error) {
	mesh, err := meadow.BuildWith(ctx, lvl, s.floor, s.mesh)
	if errors.Is(err, meadow.ErrNoFloor) {
		return fmt.Sprintf("%v: no floor", s), nil
	}
	if err == nil && s.widen > 0 {
		mesh, err = mesh.Widen(ctx, s.widen, meadow.WidenOptions{})
	}
	if err != nil {
		return "", err
	}
	records.Write(mesh.Record)
	file, err := navfile.Encode(mesh.WithoutRecord())
	if err != nil {
		return "", err
	}
	paths, err := hashPaths(ctx, mesh)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(file)
	return fmt.Sprintf("%v: %d bytes %s paths %s", s, len(file), short(sum[:]), short(paths)), nil
}

// short is as much of a hash as the table has.
func short(sum []byte) string { return hex.EncodeToString(sum[:8]) }

// pathsEach is the number of paths per mesh.
const pathsEach = 8

// hashPaths returns a hash of the points and lengths of random paths; a missing path has length 0.
func hashPaths(ctx context.Context, mesh *meadow.Mesh) ([]byte, error) {
	q, r, h := mesh.NewQuery(), rand.New(rand.NewPCG(1, 2)), sha256.New()
	for range pathsEach {
		start, ok := q.RandomPoint(r)
		goal, also := q.RandomPoint(r)
		if !ok || !also {
			return nil, errors.New("the mesh has no random point")
		}
		path, err := q.PathBetween(ctx, start, goal)
		if err != nil {
			return nil, err
		}
		put(h, path.Length, path.SurfaceLength())
		for _, p := range path.Surface() {
			put(h, p.X, p.Y, p.Z)
		}
	}
	return h.Sum(nil), nil
}

// put adds the bits of numbers to a hash.
func put(h hash.Hash, values ...float64) {
	for _, v := range values {
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
}
