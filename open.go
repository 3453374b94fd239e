package meadow

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/meshio"
)

// Open reads the level file at path; its format follows from the extension, else from the content.
// Files that it refers to, such as materials and buffers, are read from its folder and the folders
// below, nowhere else: symbolic links that lead out, absolute paths and pipes are refused. The level itself may be
// a link or a pipe.
func Open(path string) (*level.Level, error) { return OpenWith(path, meshio.Options{}) }

// OpenWith is [Open] with a scale, an up axis and whatever else [meshio.Options] knows.
func OpenWith(path string, opt meshio.Options) (*level.Level, error) {
	// The stat first: its error has the path that the caller knows.
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("is a folder")}
	}
	dir, name := filepath.Split(path)
	lvl, err := meshio.Open(besides(path), name, opt)
	// Errors of meshio begin with the name in the folder, those of the system hold it.
	if p := (*fs.PathError)(nil); errors.As(err, &p) && p.Path == name {
		p.Path = path
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s%w", dir, err)
	}
	return lvl, nil
}

// siblings gives access to the file that the caller named and to the files below its folder. Links out of the folder fail.
type siblings struct {
	path, name string
	below      fs.FS
	err        error // of opening the folder, which matters only when a sibling is asked for
}

// besides returns the files that the file at path may refer to, and itself by its name.
func besides(path string) fs.FS {
	s := siblings{path: path, name: filepath.Base(path)}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		s.err = err
		return s
	}
	s.below = root.FS() // which keeps the root open until it is collected
	return s
}

// Open opens the file itself wherever it is, another one only below the folder.
func (s siblings) Open(name string) (fs.File, error) {
	switch {
	case name == s.name:
		return os.Open(s.path)
	case s.err != nil:
		return nil, s.err
	}
	return s.below.Open(name)
}

// Stat is Open, without opening: a pipe that nobody writes to cannot stop it.
func (s siblings) Stat(name string) (fs.FileInfo, error) {
	switch {
	case name == s.name:
		return os.Stat(s.path)
	case s.err != nil:
		return nil, s.err
	}
	return fs.Stat(s.below, name)
}

// OpenFS is [Open] for a file in fsys.
func OpenFS(fsys fs.FS, name string) (*level.Level, error) {
	if fsys == nil {
		return nil, errors.New("meadow: the file system is nil")
	}
	return meshio.Open(fsys, name, meshio.Options{})
}

// SaveLevel writes lvl to the file at path in the format that its extension names: OBJ with a
// material library beside it, GLB, STL or PLY. A file is there whole or, after an error, as before.
func SaveLevel(path string, lvl *level.Level) error {
	if lvl == nil {
		return errNoLevel
	}
	return meshio.Save(atomicfile.Write, path, lvl)
}

// openFile is [os.Open] of what is no folder.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("is a folder")}
	}
	return f, nil
}
