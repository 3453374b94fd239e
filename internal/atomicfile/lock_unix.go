//go:build unix && !aix && !solaris

package atomicfile

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// hold locks a new temporary file for as long as the process lives or until the lock is closed. ok is false if
// another process has locked or removed the file. On file systems without locks hold always succeeds: nobody else
// can lock the file either, and removeStale never removes the file.
func hold(f *os.File) (lock io.Closer, ok bool) {
	g, err := os.Open(f.Name())
	if err != nil {
		// The file is gone or may not be read.
		_, err := os.Lstat(f.Name())
		return io.NopCloser(nil), err == nil
	}
	if err := flock(g); errors.Is(err, syscall.EWOULDBLOCK) || !isNamed(f) {
		g.Close()
		return nil, false
	}
	return g, true
}

// removeUnheld removes a file without a lock.
func removeUnheld(name string) {
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if flock(f) == nil && isNamed(f) {
		os.Remove(name)
	}
}

// lockFile reports whether nobody else has locked f. File systems without locks grant every lock.
func lockFile(f *os.File) bool { return !errors.Is(flock(f), syscall.EWOULDBLOCK) }

// syncFolder puts the names of the files in a folder on the medium, as far as the file system can.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync() // the file is in place either way
		d.Close()
	}
}

func flock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// isNamed reports whether f still is the file with its name.
func isNamed(f *os.File) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(a, b)
}
