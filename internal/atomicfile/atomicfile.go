// Package atomicfile writes files completely or not at all.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// File is the path of a file, and a function that writes the content.
type File struct {
	Path string
	Fill func(w io.Writer) error
}

// Write creates or replaces the file at path with the output of fill.
//
// The bytes go to a temporary file in the same folder, which takes the name only after fill, flush, sync and
// close have all succeeded. Where the system can, the folder is synced as well, so that the file survives a power cut; after any failure it is removed, and the old file at path is untouched. A device
// or a pipe is written directly, because it cannot be replaced. A symbolic link is followed: the link stays,
// its target is replaced.
//
// A killed process leaves its temporary file. The next Write to the same path removes it; temporary files of running
// writers are locked, and stay.
func Write(path string, fill func(w io.Writer) error) error { return WriteAll(File{path, fill}) }

// WriteAll is [Write] for files that belong together: no file takes its name before the bytes of all are on the medium.
func WriteAll(files ...File) error {
	var drafts []*draft
	defer func() {
		for _, d := range drafts {
			d.close()
		}
	}()
	for _, file := range files {
		d, err := write(file)
		if err != nil {
			return err
		}
		if d != nil {
			drafts = append(drafts, d)
		}
	}
	for _, d := range drafts {
		if err := d.commit(); err != nil {
			return err
		}
	}
	return nil
}

// draft is a temporary file with the bytes of its target.
type draft struct {
	name, target string
	lock         io.Closer
	committed    bool
}

// write makes the draft of a file, or writes a device or a pipe and returns nil.
func write(file File) (*draft, error) {
	target := file.Path
	if resolved, err := filepath.EvalSymlinks(file.Path); err == nil {
		target = resolved
	}
	mode := fs.FileMode(0o666)
	if info, err := os.Stat(target); err == nil {
		switch {
		case info.IsDir():
			return nil, &fs.PathError{Op: "write", Path: file.Path, Err: errors.New("is a directory")}
		case !info.Mode().IsRegular():
			return nil, writeThrough(target, file.Fill)
		}
		mode = info.Mode().Perm()
	}
	removeStale(target)
	f, lock, err := createTemp(target, mode)
	if err != nil {
		return nil, err
	}
	d := &draft{name: f.Name(), target: target, lock: lock}
	if err = fillFile(f, file.Fill); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// commit gives the draft the name of its target.
func (d *draft) commit() error {
	if err := os.Rename(d.name, d.target); err != nil {
		return err
	}
	d.committed = true
	syncFolder(filepath.Dir(d.target))
	return nil
}

// close removes an uncommitted draft, and gives the lock back: a lock keeps other processes from removing the draft.
func (d *draft) close() {
	if !d.committed {
		os.Remove(d.name)
	}
	d.lock.Close()
}

// Lock takes the lock of the file at path, which it makes if there is none, for as long as the process lives or until the
// lock is closed. The file stays. A lock that another holds is an error. Systems without locks grant every lock.
func Lock(path string) (lock io.Closer, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if !lockFile(f) {
		f.Close()
		return nil, &fs.PathError{Op: "lock", Path: path, Err: errors.New("is held by another")}
	}
	return f, nil
}

// A temporary file is named after its target, with a point, eight hexadecimal digits and suffix.
const (
	digits = 8
	suffix = ".tmp"
)

// createTemp makes a new file beside target, with a name that sorts next to target, and locks the file against other
// processes. Unlike os.CreateTemp it gives the file the permissions of a plain create.
func createTemp(target string, mode fs.FileMode) (f *os.File, lock io.Closer, err error) {
	for {
		name := fmt.Sprintf("%s.%0*x%s", target, digits, rand.Uint32(), suffix)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) {
				pe.Path = target // the temporary name would only puzzle
			}
			return nil, nil, err
		}
		if lock, ok := hold(f); ok {
			return f, lock, nil
		}
		f.Close() // another process removed it as stale before the lock
		os.Remove(name)
	}
}

// removeStale removes the temporary files of target without a lock. Files that cannot be removed stay and do no
// harm.
func removeStale(target string) {
	dir, base := filepath.Split(target)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		if isTemp(e.Name(), base) && e.Type().IsRegular() {
			removeUnheld(filepath.Join(dir, e.Name()))
		}
	}
}

// isTemp reports whether name is a name of temporary files for base.
func isTemp(name, base string) bool {
	rest, ok := strings.CutPrefix(name, base+".")
	number, ok2 := strings.CutSuffix(rest, suffix)
	return ok && ok2 && len(number) == digits && strings.Trim(number, "0123456789abcdef") == ""
}

func fillFile(f io.Writer, fill func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := fill(w); err != nil {
		return err
	}
	return w.Flush()
}

func writeThrough(path string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(fillFile(f, fill), f.Close())
}
