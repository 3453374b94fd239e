package main

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
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
)

// sources say where levels come from.
type sources struct {
	named    []string // files; if there are any, nothing else counts
	maps     string   // folder of archives
	mapCount int
	tower    string // number of storeys, "" for none
	only     string
}

// scene is a level to measure on.
type scene struct {
	name string
	// open reads the level and returns the OBJ file in which the peer finds the level too.
	open func() (lvl *level.Level, file string, err error)
}

// scenes lists the levels. Files for the peer are written to dir.
func (s sources) scenes(dir string) ([]scene, error) {
	files := s.named
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
	var all []scene
	for _, file := range files {
		all = append(all, scene{strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), func() (*level.Level, string, error) {
			lvl, err := meadow.Open(file)
			if err != nil || filepath.Ext(file) == ".obj" {
				return lvl, file, err
			}
			return written(dir, lvl)
		}})
	}
	if len(s.named) == 0 {
		maps, err := listMaps(s.maps, s.mapCount)
		if err != nil {
			return nil, err
		}
		for _, m := range maps {
			all = append(all, scene{m.name, func() (*level.Level, string, error) {
				lvl, err := meadow.OpenWith(m.archive, meshio.Options{BSP: bsp.Options{Map: m.name}})
				if err != nil {
					return nil, "", err
				}
				return written(dir, lvl)
			}})
		}
		if s.tower != "" {
			storeys, err := strconv.Atoi(s.tower)
			if err != nil {
				return nil, fmt.Errorf("-tower %q: must be a number of storeys", s.tower)
			}
			all = append(all, scene{"tower of " + s.tower, func() (*level.Level, string, error) {
				lvl, err := levelgen.Generate("tower", levelgen.Options{Seed: 1, Storeys: storeys})
				if err != nil {
					return nil, "", err
				}
				return written(dir, lvl)
			}})
		}
	}
	all = slices.DeleteFunc(all, func(sc scene) bool { return !strings.Contains(sc.name, s.only) })
	if len(all) == 0 {
		return nil, errors.New("no levels: name some, or their folder in MEADOW_LEVELS")
	}
	return all, nil
}

// written writes a level to dir for the peer.
func written(dir string, lvl *level.Level) (*level.Level, string, error) {
	file := filepath.Join(dir, "level.obj")
	return lvl, file, meadow.SaveLevel(file, lvl)
}

// archived is a map in an archive.
type archived struct{ archive, name string }

// listMaps returns count maps, spread evenly over the maps of all archives by archive and name. A folder that is missing has
// no maps.
func listMaps(folder string, count int) ([]archived, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) || count == 0 {
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
	return some, nil
}
