// Package input holds the common parts of decoders: reading of level files and their companions (material libraries,
// buffers, pictures), numbers in text, names of markers, and warnings.
package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/level"
)

// ErrOutside is returned for a reference that is no relative path inside the file system.
var ErrOutside = errors.New("not a path inside the level's folder")

// errSpecial is returned for a reference to a pipe, a device or a folder: opening one may wait for ever.
var errSpecial = errors.New("not a regular file")

// Files finds references relative to the folder of one file. The zero Files has none.
type Files struct {
	fsys fs.FS
	dir  string
	left int64 // bytes that may still be read
	most int64 // the limit for all files together
}

// Beside returns the files beside name in fsys. Together they may have the rest of the limit, less used bytes. fsys may
// be nil: then there are none.
func Beside(fsys fs.FS, name string, limits level.Limits, used int) *Files {
	most := limits.WithDefaults().Bytes
	return &Files{fsys: fsys, dir: path.Dir(Slashed(name)), left: max(0, most-int64(used)), most: most}
}

// Slashed returns a reference with forward slashes, as files written on Windows need it.
func Slashed(ref string) string { return strings.ReplaceAll(ref, `\`, "/") }

// resolve returns the path of ref in the file system.
func (f *Files) resolve(ref string) (string, error) {
	if f.fsys == nil {
		return "", fs.ErrNotExist
	}
	p := path.Join(f.dir, Slashed(ref))
	if path.IsAbs(Slashed(ref)) || !fs.ValidPath(p) || p == "." {
		return "", ErrOutside
	}
	return p, nil
}

// Exists reports whether ref is a regular file.
func (f *Files) Exists(ref string) bool {
	p, err := f.resolve(ref)
	if err != nil {
		return false
	}
	info, err := fs.Stat(f.fsys, p)
	return err == nil && info.Mode().IsRegular()
}

// Read returns the bytes of ref. A file larger than the rest of the limit is a [level.TooLarge] error.
func (f *Files) Read(ref string) ([]byte, error) {
	p, err := f.resolve(ref)
	if err != nil {
		return nil, err
	}
	switch info, err := fs.Stat(f.fsys, p); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errSpecial
	}
	file, err := f.fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := read(file, f.left)
	if large := (*level.TooLarge)(nil); errors.As(err, &large) {
		large.Most = f.most
	}
	f.left -= int64(len(data))
	return data, err
}

// All reads r to its end, and refuses more bytes than the limits allow. A reader of known size, such as a file or a
// byte reader, is read without copying twice, and refused unread.
func All(r io.Reader, limits level.Limits) ([]byte, error) {
	if err := limits.Validate(); err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errors.New("the reader is nil")
	}
	return read(r, limits.WithDefaults().Bytes)
}

// sizeOf returns the size of r in bytes, or 0 if unknown.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case *io.LimitedReader:
		return min(r.N, sizeOf(r.R))
	case interface{ Len() int }:
		return int64(r.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

func read(r io.Reader, most int64) ([]byte, error) {
	size := sizeOf(r)
	if size > most {
		return nil, &level.TooLarge{Kind: "bytes", Most: most}
	}
	var b bytes.Buffer
	b.Grow(int(max(0, size)) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(r, most+1)); err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	if int64(b.Len()) > most {
		return nil, &level.TooLarge{Kind: "bytes", Most: most}
	}
	return b.Bytes(), nil
}

// Encodable returns the error of a writer that is nil or of a level that no format can hold.
func Encodable(w io.Writer, lvl *level.Level) error {
	if w == nil {
		return errors.New("the writer is nil")
	}
	return lvl.Validate()
}
