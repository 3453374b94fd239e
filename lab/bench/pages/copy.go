package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// workplace is a copy of the working tree, with the command meadow of the copy on the path.
type workplace struct {
	dir  string
	keep map[string]bool // the files of the copy; others are results of commands
}

// newWorkplace copies the files that git tracks or would add, and builds meadow.
func newWorkplace(ctx context.Context, root string) (*workplace, error) {
	list := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	dir, err := os.MkdirTemp("", "meadow-pages-")
	if err != nil {
		return nil, err
	}
	w := &workplace{dir, map[string]bool{}}
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o777)
		}
		if err != nil {
			return w, err
		}
		w.keep[name] = true
	}
	if _, err := w.run(ctx, "go install ./cmd/meadow"); err != nil {
		return w, err
	}
	return w, nil
}

// remove removes the copy.
func (w *workplace) remove() {
	if w != nil {
		os.RemoveAll(w.dir)
	}
}

// bin is the folder of installed commands, beside the copy of the tree.
func (w *workplace) bin() string { return filepath.Join(w.dir, ".bin") }

// run runs a line by the shell in the copy and returns its standard output. The error ends with the last of the standard error.
func (w *workplace) run(ctx context.Context, line string) (string, error) {
	c := exec.CommandContext(ctx, "sh", "-c", line)
	c.Dir = w.dir
	c.Env = append(os.Environ(), "GOBIN="+w.bin(), "PATH="+w.bin()+string(os.PathListSeparator)+os.Getenv("PATH"), "GOFLAGS=-buildvcs=false -trimpath")
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		told := strings.TrimSpace(stderr.String())
		return string(out), fmt.Errorf("%w: %s", err, told[max(0, len(told)-1000):])
	}
	return string(out), nil
}

// tidy removes the results of commands.
func (w *workplace) tidy() error {
	return filepath.WalkDir(w.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == w.bin() {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(w.dir, name)
		if err != nil || d.IsDir() || w.keep[filepath.ToSlash(rel)] {
			return err
		}
		return os.Remove(name)
	})
}
