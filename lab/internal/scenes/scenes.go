// Package scenes lists levels to measure on: files, maps of archives, generated levels, and generated levels that repeat. A scene
// is read when it is asked for, and comes with an OBJ file in which another system finds the same level.
package scenes

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
)

// Sources say where levels come from.
type Sources struct {
	Named     []string // files; if there are any, nothing else counts
	Maps      string   // folder of archives
	MapCount  int      // spread evenly over all maps
	MapNames  []string // of maps that are listed besides, each from the first archive that has it
	Generated []string // as [Generate] takes them
	Only      string   // part of the names
}

// Scene is a level to measure on.
type Scene struct {
	Name string
	// Radius and Height are those of the agent for the level, in metres; 0 leaves the choice to the program.
	Radius, Height float64
	// Open reads the level and returns the OBJ file in which another system finds the level too. The file is there until the
	// next scene is opened.
	Open func() (lvl *level.Level, file string, err error)
}

// List lists the levels: the named files; else the files *.obj of the folder MEADOW_LEVELS or ../shared/levels, the maps and the
// generated ones. OBJ files of other levels are written to dir.
func (s Sources) List(dir string) ([]Scene, error) {
	files := s.Named
	if len(files) == 0 {
		folder := os.Getenv("MEADOW_LEVELS")
		if folder == "" {
			folder = filepath.Join("..", "shared", "levels")
		}
		var err error
		if files, err = filepath.Glob(filepath.Join(folder, "*.obj")); err != nil {
			return nil, err
		}
	}
	var all []Scene
	for _, file := range files {
		all = append(all, Scene{Name: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), Open: func() (*level.Level, string, error) {
			lvl, err := meadow.Open(file)
			if err != nil || filepath.Ext(file) == ".obj" {
				return lvl, file, err
			}
			return written(dir, lvl)
		}})
	}
	if len(s.Named) == 0 {
		maps, err := listMaps(s.Maps, s.MapCount, s.MapNames)
		if err != nil {
			return nil, err
		}
		for _, m := range maps {
			all = append(all, Scene{Name: m.name, Open: func() (*level.Level, string, error) {
				lvl, err := meadow.OpenWith(m.archive, meshio.Options{BSP: bsp.Options{Map: m.name}})
				if err != nil {
					return nil, "", err
				}
				return written(dir, lvl)
			}})
		}
		for _, name := range s.Generated {
			r, err := parse(name)
			if err != nil {
				return nil, err
			}
			all = append(all, Scene{Name: name, Radius: r.radius, Height: r.height, Open: func() (*level.Level, string, error) {
				lvl, err := Generate(name)
				if err != nil {
					return nil, "", err
				}
				return written(dir, lvl)
			}})
		}
	}
	all = slices.DeleteFunc(all, func(sc Scene) bool { return !strings.Contains(sc.Name, s.Only) })
	if len(all) == 0 {
		return nil, errors.New("no levels: name some, or their folder in MEADOW_LEVELS")
	}
	return all, nil
}

// recipe is a generated level.
type recipe struct {
	kind    string
	options levelgen.Options
	copies  int // in a row
	// radius and height are those of the agent, 0 for any.
	radius, height float64
}

// parse reads a name: a kind with options behind it. "tower storeys=24", "city size=400", "rough size=256 steepness=60" and
// "urban copies=4" are names; copies tell how often the level stands beside itself, in both directions, radius and height are the
// agent's.
func parse(name string) (recipe, error) {
	words := strings.Fields(name)
	if len(words) == 0 {
		return recipe{}, errors.New("a generated level has no name")
	}
	r := recipe{kind: words[0], options: levelgen.Options{Seed: 1}, copies: 1}
	for _, word := range words[1:] {
		key, text, _ := strings.Cut(word, "=")
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return r, fmt.Errorf("generated level %q: %q is not an option with a number", name, word)
		}
		switch key {
		case "seed":
			r.options.Seed = uint64(value)
		case "size":
			r.options.Size = value
		case "storeys":
			r.options.Storeys = int(value)
		case "steepness":
			r.options.Steepness = value
		case "radius":
			r.radius = value
		case "height":
			r.height = value
		case "copies":
			r.copies = int(value)
		default:
			return r, fmt.Errorf("generated level %q: no option %q; options: seed, size, storeys, steepness, copies, radius, height", name, key)
		}
	}
	if r.copies < 1 || r.copies > 16 {
		return r, fmt.Errorf("generated level %q: %d copies: must be 1 to 16", name, r.copies)
	}
	return r, nil
}

// Generate makes a level by its name: a kind of package levelgen, then options with an equals sign. The options are seed, size,
// storeys and steepness of [levelgen.Options], and copies, the number of copies in a row and in a column, side by side. The options
// radius and height, of the agent, do not change the level.
func Generate(name string) (*level.Level, error) {
	r, err := parse(name)
	if err != nil {
		return nil, err
	}
	one, err := levelgen.Generate(r.kind, r.options)
	if err != nil || r.copies == 1 {
		return one, err
	}
	return repeat(one, r.copies), nil
}

// repeat puts copies of a level beside each other, count in a row and in a column.
func repeat(one *level.Level, count int) *level.Level {
	size := one.Bounds().Max.Sub(one.Bounds().Min)
	all := &level.Level{Name: one.Name, Materials: one.Materials}
	for row := range count {
		for column := range count {
			first := uint32(len(all.Vertices))
			by := geom.Vec{X: float64(column) * size.X, Z: float64(row) * size.Z}
			for _, v := range one.Vertices {
				all.Vertices = append(all.Vertices, v.Add(by))
			}
			for _, t := range one.Triangles {
				t.A, t.B, t.C = t.A+first, t.B+first, t.C+first
				all.Triangles = append(all.Triangles, t)
			}
		}
	}
	return all
}

// written writes a level to dir for another system.
func written(dir string, lvl *level.Level) (*level.Level, string, error) {
	file := filepath.Join(dir, "level.obj")
	return lvl, file, Save(file, lvl)
}

// Save writes the triangles of a level to an OBJ file for another system. Markers are left out: they have faces in such a file, and other
// systems would take the faces for floor.
func Save(file string, lvl *level.Level) error {
	plain := *lvl
	plain.Markers = nil
	return meadow.SaveLevel(file, &plain)
}

// archived is a map in an archive.
type archived struct{ archive, name string }

// listMaps returns count maps, spread evenly over the maps of all archives by archive and name, and the named ones. A folder that is
// missing has no maps.
func listMaps(folder string, count int, names []string) ([]archived, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) || count == 0 && len(names) == 0 {
		return nil, nil
	}
	archives, err := filepath.Glob(filepath.Join(folder, "*.pk3"))
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
			// A name with an underscore belongs to a part that nobody plays on.
			name, found := strings.CutSuffix(path.Base(f.Name), ".bsp")
			if found && !strings.HasPrefix(name, "_") {
				all = append(all, archived{a, name})
			}
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b archived) int {
		return strings.Compare(a.archive+"/"+a.name, b.archive+"/"+b.name)
	})
	var some []archived
	for i := range min(count, len(all)) {
		some = append(some, all[i*len(all)/min(count, len(all))])
	}
	for _, name := range names {
		i := slices.IndexFunc(all, func(m archived) bool { return m.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no map %q in %s", name, filepath.Join(folder, "*.pk3"))
		}
		if !slices.Contains(some, all[i]) {
			some = append(some, all[i])
		}
	}
	return some, nil
}
