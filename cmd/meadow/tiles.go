package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow"
)

// tileFlags say how a level is built in tiles.
type tileFlags struct {
	Tiles *number  `placeholder:"M" help:"Build in square tiles of this side; into a folder only the tiles that changed, see meadow join." group:"Tiles"`
	Tile  []tileID `sep:"none" placeholder:"I,J" help:"Build only this tile of the folder: I counts to the east, J to the north; may be repeated." group:"Tiles" rare:""`
}

// tileID is the numbers of a tile, "i,j".
type tileID meadow.TileID

// Decode reads the next word, whatever its first letter.
func (t *tileID) Decode(ctx *kong.DecodeContext) error {
	word, err := next(ctx, "i,j")
	if err != nil {
		return err
	}
	i, j, ok := strings.Cut(word, ",")
	east, err := strconv.ParseInt(strings.TrimSpace(i), 10, 64)
	north, err2 := strconv.ParseInt(strings.TrimSpace(j), 10, 64)
	if !ok || err != nil || err2 != nil {
		return fmt.Errorf("invalid tile %q; want two whole numbers i,j", word)
	}
	*t = tileID{East: east, North: north}
	return nil
}

// isFolder reports whether a path names a folder: by a separator at its end, or by a folder that is there.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(os.PathSeparator))
}

// checkTiles returns the first fault of the flags for tiles.
func (c *buildCmd) checkTiles() error {
	switch {
	case c.Tiles == nil && len(c.Tile) > 0:
		return errors.New("--tile needs --tiles, the side of the tiles")
	case c.Tiles == nil && isFolder(c.Out):
		return fmt.Errorf("%s: is a folder; --tiles fills a folder with tiles", c.Out)
	case c.Tiles == nil:
		return nil
	case !(*c.Tiles > 0):
		return fmt.Errorf("--tiles is %g, must be above 0 metres", float64(*c.Tiles))
	case meadow.IsMap(c.Level):
		return fmt.Errorf("%s: --tiles needs a level; this is a map", c.Level)
	case !isFolder(c.Out) && len(c.Tile) > 0:
		return fmt.Errorf("--tile builds into a folder, and %s is none: end its name with /", c.Out)
	case isFolder(c.Out) && len(c.Keep) > 0:
		return errors.New("--keep belongs to meadow join, which knows the whole floor")
	case isFolder(c.Out) && c.Report != "":
		return errors.New("--report belongs to meadow join, which knows the whole mesh")
	}
	return nil
}

// tilesReport is the output of --json of a build into a folder.
type tilesReport struct {
	Level     string      `json:"level"`
	Triangles int         `json:"triangles"`
	Tiles     int         `json:"tiles"`
	Built     int         `json:"built"`
	Unchanged int         `json:"unchanged"`
	Size      float64     `json:"size_m"`
	Agent     agentReport `json:"agent"`
	Seconds   float64     `json:"seconds"`
}

// saveTiles builds tiles into the folder, and reports.
func (c *buildCmd) saveTiles(e *env, in input, opt meadow.FloorOptions, making meadow.MeshOptions, start time.Time, stop func()) error {
	r := tilesReport{Level: in.name(), Triangles: in.triangles(), Agent: reportAgent(opt.Agent.WithDefaults())}
	warnings := in.warnings()
	cut, err := meadow.CutTiles(e.ctx, in.level, float64(*c.Tiles), opt, making)
	if err != nil {
		return inFile(c.Level, err)
	}
	var ids []meadow.TileID
	for _, id := range c.Tile {
		ids = append(ids, meadow.TileID(id))
	}
	err = os.Mkdir(filepath.Clean(c.Out), 0o777)
	if err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	isNew := err == nil
	done, err := cut.Save(e.ctx, c.Out, ids...)
	stop()
	if err != nil {
		if isNew {
			_ = os.Remove(filepath.Clean(c.Out)) // removes the folder only if it is empty, as for a tile that the level does not have
		}
		return inFile(c.Level, err)
	}
	r.Tiles, r.Built, r.Unchanged, r.Size = len(cut.IDs()), done.Built, done.Unchanged, cut.Size()
	r.Seconds = round4(time.Since(start).Seconds())
	tellWarnings(e.stderr, warnings)
	if c.JSON {
		return writeJSON(e.stdout, r)
	}
	fmt.Fprintf(e.stdout, "%s\n", c.Out)
	printSource(e.stdout, r.Level, "", r.Triangles)
	fmt.Fprintf(e.stdout, "  agent    %v\n", r.Agent)
	fmt.Fprintf(e.stdout, "  tiles    %s of %g m: %d built, %d unchanged\n", count(r.Tiles, "tile"), r.Size, r.Built, r.Unchanged)
	fmt.Fprintf(e.stdout, "  seconds  %.2f\n", r.Seconds)
	return nil
}

// joinCmd makes a mesh of a folder of tiles.
type joinCmd struct {
	Folder string `arg:"" placeholder:"FOLDER" help:"Folder of tiles from meadow build --tiles."`
	Out    string `short:"o" required:"" placeholder:"FILE" help:"Mesh file to write."`

	Keep []keep `sep:"none" placeholder:"PART" help:"Keep these parts of the floor: X,Y,Z is the part at a place, 'area>X' all larger parts (square metres), all is every part; may be repeated (default: the parts at the level's markers of kind start, else the largest)."`
	Jobs int    `placeholder:"N" help:"Number of workers; the output is the same for any number (default: one per core)."`

	Report string `placeholder:"FILE" help:"Write the report, with the parts left out, as JSON to FILE."`
	JSON   bool   `help:"Print the report as JSON."`
}

// Run joins, writes and reports.
func (c *joinCmd) Run(e *env) error {
	if c.Jobs < 0 {
		return fmt.Errorf("--jobs is %d, must be 0 or more", c.Jobs)
	}
	if err := meshFile(c.Out); err != nil {
		return err
	}
	if c.Report != "" {
		if err := writable(c.Report); err != nil {
			return err
		}
	}
	var choice meadow.FloorOptions
	for _, k := range c.Keep {
		k.add(&choice)
	}
	mesh, err := meadow.JoinTiles(e.ctx, c.Folder, meadow.KeepOptions{Keep: choice.Keep, KeepAll: choice.KeepAll, KeepArea: choice.KeepArea, Jobs: c.Jobs})
	if err != nil {
		return inFile(c.Folder, err)
	}
	return e.putMesh(made{out: c.Out, report: c.Report, json: c.JSON, mesh: mesh})
}

// made is a new mesh on its way out.
type made struct {
	out, report string
	json        bool
	mesh        *meadow.Mesh
	warnings    []string // of the level
	load        float64  // seconds
}

// putMesh writes a mesh and its report, and prints the results of a build.
func (e *env) putMesh(m made) error {
	size, err := e.writeMesh(m.out, m.mesh)
	if err != nil {
		return err
	}
	r := m.mesh.Report()
	short := shortReport(r, m.load, size)
	if m.report != "" {
		full := fullReport{
			buildReport: short, LostArea: r.Lost, LeftOut: []leftOut{}, Counts: r.Counts,
			Markers: reportMarkers(r), OffMesh: reportLinks(m.mesh), Warnings: slices.Concat(m.warnings, r.Warnings),
		}
		for _, p := range r.Dropped {
			full.LeftOut = append(full.LeftOut, leftOut{p.Area, placeOf(p.At)})
		}
		if err := e.write(m.report, func(w io.Writer) error { return writeJSON(w, full) }); err != nil {
			return err
		}
	}
	tellWarnings(e.stderr, m.warnings)
	tellWarnings(e.stderr, r.Warnings)
	tellMarkers(e.stderr, r)
	tellLeftOut(e.stderr, r)
	if m.json {
		return writeJSON(e.stdout, short)
	}
	printBuild(e.stdout, m.out, short)
	printMarkers(e.stdout, r)
	return nil
}
