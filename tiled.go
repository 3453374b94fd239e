package meadow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/tiles"
	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/level"
)

// TileID names a tile by its place in the grid of the world: tile 0,0 lies east and north of the origin.
type TileID = tiles.ID

// ErrNoTile is wrapped by the error of a tile that a level does not have.
var ErrNoTile = tiles.ErrNoTile

// Tiles is a level cut in square tiles. Each tile is built by itself, in one process or in many, and [Tiles.Mesh] or [JoinTiles] makes one
// mesh of all. A Tiles is immutable, and any number of goroutines may share it.
type Tiles struct {
	cutting  *tiles.Cutting
	sheet    tileSheet
	keep     KeepOptions
	jobs     int
	progress func(stage string, done, total int)
}

// TileReport counts tiles.
type TileReport struct {
	// Built tiles are new. Unchanged tiles were there, built from the same triangles with the same options.
	Built, Unchanged int
}

// CutTiles cuts lvl into square tiles with sides of size metres, from 0.25 to 65,536. The grid is the same for every level: only
// the tiles near a change of a level change. The options are for every tile; the parts to keep are chosen when the tiles are joined.
//
// Each tile takes the triangles in a halo around its square, so the mesh has the floor of the whole level: the same parts, and, where
// Simplify is below 0, the same area but for rounding. Errors: an extractor other than [exact.Extractor], a size out of range, or
// more than 32,768 tiles.
func CutTiles(ctx context.Context, lvl *level.Level, size float64, floor FloorOptions, mesh MeshOptions) (*Tiles, error) {
	if err := checkBoth(ctx, floor, mesh); err != nil {
		return nil, err
	}
	floor, _ = floor.settle()
	mesh, _ = mesh.settle()
	if lvl == nil {
		return nil, errNoLevel
	}
	if err := lvl.Validate(); err != nil {
		return nil, err
	}
	if _, ok := floor.Extractor.(exact.Extractor); !ok {
		return nil, fmt.Errorf("meadow: tiles need the extractor %s: %s places its borders by the box of a level", exact.Extractor{}.Name(), floor.Extractor.Name())
	}
	t := &Tiles{keep: floor.keeping(), jobs: floor.Jobs, progress: floor.Progress}
	t.keep.Jobs = mesh.Jobs
	t.sheet.note(lvl, &floor, &mesh)
	if floor.Terrain != nil {
		var err error
		if lvl, t.sheet.Warnings, err = floor.Terrain.ground(lvl); err != nil {
			return nil, err
		}
		if t.sheet.methods, t.sheet.crossings, err = floor.Terrain.methods(lvl.Ground.Names); err != nil {
			return nil, err
		}
	}
	var err error
	t.cutting, err = tiles.Cut(ctx, lvl, tiles.Options{
		Size: size, Agent: floor.Agent, Floor: floorplan.Options{Simplify: floor.Simplify, Detail: floor.Detail, Jobs: floor.Jobs},
		Generator: mesh.generator(floor.Agent), Seed: mesh.Seed, Program: program(), Settings: t.sheet.generation(), Markers: t.sheet.markers,
	})
	if err != nil {
		return nil, fmt.Errorf("meadow: level %q: %w", lvl.Name, err)
	}
	t.sheet.Size = t.cutting.Size()
	t.sheet.Settings.TileSize = t.sheet.Size
	t.sheet.tiles = t.cutting.Tiles()
	return t, nil
}

// program names the build of this program, empty where the build is unknown: tiles of other builds are built again.
func program() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	name := info.Main.Path + " " + info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
			name += " " + s.Value
		}
	}
	return name
}

// IDs lists the tiles, row by row from the south, and in a row from the west.
func (t *Tiles) IDs() []TileID {
	var ids []TileID
	for _, e := range t.sheet.tiles {
		ids = append(ids, e.ID)
	}
	return ids
}

// Size returns the side of a tile in metres, on the lattice.
func (t *Tiles) Size() float64 { return t.sheet.Size }

// build calls use with the file of each given tile, on several goroutines.
func (t *Tiles) build(ctx context.Context, ids []TileID, use func(k int, file []byte) error) error {
	inner := 1
	if len(ids) == 1 {
		inner = t.jobs
	}
	var done atomic.Int64
	return par.For(ctx, t.jobs, len(ids), func(k int) error {
		tile, err := t.cutting.Build(ctx, ids[k], inner)
		if err != nil {
			return fmt.Errorf("meadow: %w", err)
		}
		if err := use(k, tile.Encode()); err != nil {
			return err
		}
		if t.progress != nil {
			t.progress("tiles", int(done.Add(1)), len(ids))
		}
		return nil
	})
}

// Mesh builds all tiles and joins them, with the parts to keep of the options of [CutTiles]. The mesh has the bytes that [Tiles.Save] and
// [JoinTiles] give.
func (t *Tiles) Mesh(ctx context.Context) (*Mesh, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	start := time.Now()
	files := make([][]byte, len(t.sheet.tiles))
	if err := t.build(ctx, t.IDs(), func(k int, file []byte) error { files[k] = file; return nil }); err != nil {
		return nil, err
	}
	extract := since(start)
	return joinTiles(ctx, &t.sheet, func(k int) (*tiles.Tile, error) {
		file := files[k]
		files[k] = nil
		return tiles.Decode(file)
	}, t.keep, extract)
}

// Save builds tiles into the folder dir, which must exist, a file for each, and the sheet of the level beside them. A tile whose file has the
// same triangles and options stays as it is. Without ids, Save builds all tiles. Several processes may save different tiles of one
// level into one folder at a time. Files appear whole or not at all.
func (t *Tiles) Save(ctx context.Context, dir string, ids ...TileID) (TileReport, error) {
	var report TileReport
	if err := begin(ctx); err != nil {
		return report, err
	}
	if len(ids) == 0 {
		ids = t.IDs()
	}
	var stale []TileID
	for _, id := range ids {
		k, ok := slices.BinarySearchFunc(t.sheet.tiles, id, func(e tiles.Entry, id TileID) int { return e.ID.Compare(id) })
		if !ok {
			return report, fmt.Errorf("meadow: %w: %v", ErrNoTile, id)
		}
		if isFresh(tilePath(dir, id), t.sheet.tiles[k].Key) {
			report.Unchanged++
		} else if !slices.Contains(stale, id) {
			stale = append(stale, id)
		}
	}
	sheet, err := t.sheet.encode()
	if err != nil {
		return report, err
	}
	if err := writeBytes(filepath.Join(dir, sheetName), sheet); err != nil {
		return report, err
	}
	err = t.build(ctx, stale, func(k int, file []byte) error { return writeBytes(tilePath(dir, stale[k]), file) })
	if err == nil {
		report.Built = len(stale)
	}
	return report, err
}

// sheetName is the name of the sheet in a folder of tiles.
const sheetName = "tiles.json"

func tilePath(dir string, id TileID) string {
	return filepath.Join(dir, fmt.Sprintf("%d_%d.tile", id.East, id.North))
}

func writeBytes(path string, b []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// isFresh reports whether the file of a tile has a key. A damaged file is not fresh: the whole file counts.
func isFresh(path string, key tiles.Key) bool {
	tile, err := readTile(path)
	return err == nil && tile.Key == key
}

func readTile(path string) (*tiles.Tile, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tile, err := tiles.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return tile, nil
}

// JoinTiles makes a mesh of the tiles in the folder dir, written by [Tiles.Save]. Errors name a missing tile, a tile of another state of the
// level or with other options, and a damaged tile.
func JoinTiles(ctx context.Context, dir string, keep KeepOptions) (*Mesh, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	if err := keep.fault(); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, sheetName)
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sheet, err := readSheet(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return joinTiles(ctx, sheet, func(k int) (*tiles.Tile, error) {
		e := sheet.tiles[k]
		tile, err := readTile(tilePath(dir, e.ID))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: tile %v is missing: build it", dir, e.ID)
		case err != nil:
			return nil, err
		case tile.Entry != e:
			return nil, fmt.Errorf("%s: tile %v is of another level or other options: build it again", dir, e.ID)
		}
		return tile, nil
	}, keep, 0)
}

// joinTiles joins the tiles of a sheet, read by number.
func joinTiles(ctx context.Context, sheet *tileSheet, read func(k int) (*tiles.Tile, error), keep KeepOptions, extract float64) (*Mesh, error) {
	start := time.Now()
	all := make([]*tiles.Tile, len(sheet.tiles))
	err := par.For(ctx, keep.Jobs, len(all), func(k int) error {
		var err error
		all[k], err = read(k)
		return err
	})
	if err != nil {
		return nil, err
	}
	report := sheet.report(keep)
	floor := false
	for _, t := range all {
		for name, n := range t.Counts {
			report.Counts[name] += n
		}
		report.Warnings = append(report.Warnings, t.Warnings...)
		floor = floor || hasFloor(t.Plan)
	}
	if !floor {
		return nil, noFloor(report, sheet.extent())
	}
	joined, err := tiles.Join(ctx, all, sheet.markers, floorplan.Options{Keep: keep.Keep, KeepAll: keep.KeepAll, KeepArea: keep.KeepArea, Starts: sheet.starts()})
	if err != nil {
		return nil, fmt.Errorf("meadow: level %q: %w", sheet.Level, err)
	}
	report.Markers = joined.Outcomes
	report.Seconds.Extract = extract + since(start)
	how := join.Options{Jobs: keep.Jobs, Methods: sheet.methods, Crossings: sheet.crossings}
	return link(ctx, joined.Plan, joined.Cells, how, report, nil)
}

// BuildTiled makes the mesh of lvl in square tiles with sides of size metres: see [CutTiles].
func BuildTiled(ctx context.Context, lvl *level.Level, size float64, floor FloorOptions, mesh MeshOptions) (*Mesh, error) {
	t, err := CutTiles(ctx, lvl, size, floor, mesh)
	if err != nil {
		return nil, err
	}
	return t.Mesh(ctx)
}
