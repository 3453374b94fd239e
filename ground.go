package meadow

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/terrain"
)

// Terrain is rules for what the ground is, and the folder of the files that they name.
type Terrain struct {
	Rules *terrain.Rules
	files fs.FS
}

// OpenTerrain reads a file of rules; docs/formats/terrain.md says what is in one. Pictures and maps that it
// names are read from its folder and the folders below, nowhere else.
func OpenTerrain(path string) (*Terrain, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("is a folder")}
	}
	rules, err := terrain.Parse(f, path)
	if err != nil {
		return nil, err
	}
	return &Terrain{rules, os.DirFS(filepath.Dir(path))}, nil
}

// AutoTerrain returns the rules of [terrain.Default]: the ground is what the names of materials say.
func AutoTerrain() *Terrain { return &Terrain{Rules: terrain.Default()} }

// Apply says what the ground of lvl is: it sets lvl.Ground. The report tells what the rules come to.
func (t *Terrain) Apply(lvl *level.Level) (terrain.Report, error) {
	if err := lvl.Validate(); err != nil {
		return terrain.Report{}, err
	}
	ground, report := terrain.Classify(lvl, t.Rules)
	lvl.Ground = ground
	if err := lvl.Validate(); err != nil {
		return report, fmt.Errorf("meadow: %w", err)
	}
	return report, nil
}
