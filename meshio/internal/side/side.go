// Package side reads a level file and the files that it refers to: material libraries, buffers,
// pictures.
package side

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// ErrOutside is returned for a reference that is no relative path inside the file system.
var ErrOutside = errors.New("not a path inside the level's folder")

// Files resolves references relative to the folder of one file. The zero Files has none.
type Files struct {
	fsys fs.FS
	dir  string
}

// Beside returns the files that name may refer to. fsys may be nil: then there are none.
func Beside(fsys fs.FS, name string) Files {
	return Files{fsys: fsys, dir: path.Dir(Slashed(name))}
}

// Slashed returns a reference with forward slashes, as files written on Windows need it.
func Slashed(ref string) string { return strings.ReplaceAll(ref, `\`, "/") }

// resolve returns the path of ref in the file system.
func (f Files) resolve(ref string) (string, error) {
	if f.fsys == nil {
		return "", fs.ErrNotExist
	}
	p := path.Join(f.dir, Slashed(ref))
	if path.IsAbs(Slashed(ref)) || !fs.ValidPath(p) || p == "." {
		return "", ErrOutside
	}
	return p, nil
}

// Exists reports whether ref is a file that can be opened.
func (f Files) Exists(ref string) bool {
	p, err := f.resolve(ref)
	if err != nil {
		return false
	}
	info, err := fs.Stat(f.fsys, p)
	return err == nil && !info.IsDir()
}

// Read returns the first limit bytes of ref, or all of it when it is shorter.
func (f Files) Read(ref string, limit int64) ([]byte, error) {
	p, err := f.resolve(ref)
	if err != nil {
		return nil, err
	}
	file, err := f.fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return read(io.LimitReader(file, limit), min(sizeOf(file), limit))
}

// All reads r to its end. A reader that knows its size, as files and byte readers do, is read
// without copying twice.
func All(r io.Reader) ([]byte, error) { return read(r, sizeOf(r)) }

// sizeOf returns how many bytes r says it has, and 0 when it does not say.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case *io.LimitedReader:
		return min(r.N, sizeOf(r.R))
	case interface{ Len() int }:
		return int64(r.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil {
			return info.Size()
		}
	}
	return 0
}

// maxHint bounds what is allocated on the word of a size, which may be wrong.
const maxHint = 1 << 30

func read(r io.Reader, hint int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(max(0, min(hint, maxHint))) + bytes.MinRead)
	if _, err := b.ReadFrom(r); err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	return b.Bytes(), nil
}
