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

// Open reads the level file at path. The extension names the format, or else the content does. Files named in the level, such
// as materials and buffers, are read from the level's folder and the folders below: symbolic links out of the folder, absolute
// paths and pipes are refused. The level itself may be a link or a pipe.
func Open(path string) (*level.Level, error) { return OpenWith(path, meshio.Options{}) }

// OpenWith is [Open] with a scale, an up axis and the other fields of [meshio.Options].
func OpenWith(path string, opt meshio.Options) (*level.Level, error) {
	// The error of Stat has the caller's path.
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("is a folder")}
	case opt.Format == meshio.Unknown && IsMap(path):
		return nil, fmt.Errorf("%s: is a two-dimensional map: OpenMap reads maps", path)
	}
	dir, name := filepath.Split(path)
	lvl, err := meshio.Open(besides(path), name, opt)
	// Errors of meshio begin with the name in the folder, errors of the system contain the name.
	if p := (*fs.PathError)(nil); errors.As(err, &p) && p.Path == name {
		p.Path = path
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s%w", dir, err)
	}
	return lvl, nil
}

// siblings opens the file named by the caller and the files below its folder. Links out of the folder fail.
type siblings struct {
	path, name string
	below      fs.FS
	err        error // of opening the folder, which matters only when a sibling is asked for
}

// besides returns the file at path, by its name, and the files in its folder and below.
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

// Open opens the named file wherever it is, and other files only below the folder.
func (s siblings) Open(name string) (fs.File, error) {
	switch {
	case name == s.name:
		return os.Open(s.path)
	case s.err != nil:
		return nil, s.err
	}
	return s.below.Open(name)
}

// Stat does not open the file, because opening a pipe without a writer never ends.
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

// SaveLevel writes lvl to the file at path. The extension names the format: OBJ with a material library beside the file, GLB,
// STL or PLY. After an error, every file is as before.
func SaveLevel(path string, lvl *level.Level) error {
	if lvl == nil {
		return errNoLevel
	}
	return meshio.Save(atomicfile.WriteAll, path, lvl)
}

// openFile is [os.Open] for files: a folder is an error.
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
