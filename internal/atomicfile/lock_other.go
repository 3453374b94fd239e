//go:build !unix || aix || solaris

package atomicfile

import (
	"io"
	"os"
	"runtime"
)

// hold locks nothing here.
func hold(*os.File) (lock io.Closer, ok bool) { return io.NopCloser(nil), true }

// removeUnheld removes a file where the system keeps the files of living processes, as Windows does. Elsewhere nobody
// can know whether a process still writes, and the file stays.
func removeUnheld(name string) {
	if runtime.GOOS == "windows" {
		os.Remove(name)
	}
}

// lockFile locks nothing here.
func lockFile(*os.File) bool { return true }

// syncFolder does nothing here.
func syncFolder(string) {}
