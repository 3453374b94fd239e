package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// childTarget is set for a child process of the tests: it writes to the path and is killed in the middle.
const childTarget = "MEADOW_ATOMICFILE_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childTarget); path != "" {
		_ = Write(path, func(w io.Writer) error {
			os.Stdout.WriteString("writing\n")
			select {}
		})
	}
	os.Exit(m.Run())
}

// TestKilledProcessLeavesNothingForLong kills a process that writes, with no chance to clean up. The temporary
// file stays while the process lives; the next write after its death removes the file.
func TestKilledProcessLeavesNothingForLong(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "out.mesh")
	others := []string{"out.mesh.12345678.tmp2", "out.mesh.1234567.tmp", "out.mesh.1234567g.tmp", "out2.mesh.12345678.tmp", "out.mesh.tmp"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childTarget+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill()
	if _, err := out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, say("mine")); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != len(others)+2 {
		t.Errorf("beside a living process: %v", got)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // tells the kill
	if err := Write(path, say("again")); err != nil {
		t.Fatal(err)
	}
	want := append([]string{"out.mesh"}, others...)
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("after the kill: %v, want %v", got, want)
	}
	if got := content(t, path); got != "again" {
		t.Errorf("got %q", got)
	}
}

func say(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// names lists the files in dir.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriteCreatesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	for _, text := range []string{"first", "the second is longer", "3"} {
		if err := Write(path, say(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}

func TestFailureLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	if err := Write(path, say("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error {
		if err := say("half of the n")(w); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got := content(t, path); got != "old" {
		t.Errorf("got %q", got)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}

func TestFailureCreatesNothing(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("broken")
	if err := Write(filepath.Join(dir, "out"), func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
}

// TestAllOrNone fails at the second of two files: the first stays as it was, too.
func TestAllOrNone(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "a.mtl"), filepath.Join(dir, "a.obj")
	if err := Write(first, say("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := WriteAll(File{first, say("new")}, File{second, func(io.Writer) error { return broken }}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got := names(t, dir); len(got) != 1 || content(t, first) != "old" {
		t.Errorf("after a failure: %v, %q", got, content(t, first))
	}
	if err := WriteAll(File{first, say("new")}, File{second, say("and more")}); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 2 || content(t, first) != "new" || content(t, second) != "and more" {
		t.Errorf("after a success: %v, %q, %q", got, content(t, first), content(t, second))
	}
}

func TestModeOfAnExistingFileStays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permission bits mean something else there")
	}
	path := filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(path, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, say("x")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestSymbolicLinkStays(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if err := Write(link, say("new")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, target); got != "new" {
		t.Errorf("target holds %q", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

func TestPlacesThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, say("x")); err == nil {
		t.Error("wrote over a directory")
	}
	missing := filepath.Join(dir, "missing", "out")
	var pe *fs.PathError
	if err := Write(missing, say("x")); !errors.As(err, &pe) || pe.Path != missing || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
}

func TestDeviceIsWrittenThrough(t *testing.T) {
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Skip("no null device here")
	}
	if err := Write(os.DevNull, say("x")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device was replaced: %v, %v", info, err)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	lock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Lock(path)
	switch {
	case err == nil && runtime.GOOS == "linux":
		t.Error("two hold one lock")
	case err == nil:
		other.Close()
	case !strings.Contains(err.Error(), path+": is held by another"):
		t.Error(err)
	}
	lock.Close()
	if lock, err = Lock(path); err != nil {
		t.Fatal(err)
	}
	lock.Close()
	if _, err := Lock(filepath.Join(path, "below")); err == nil {
		t.Error("a lock below a file")
	}
}
