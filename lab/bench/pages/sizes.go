package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// measured are the programs of docs/sizes.md.
var measured = []struct{ what, folder string }{
	{"builds with the defaults", "./examples/firstpath"},
	{"only loads and asks", "./examples/askonly"},
}

// targets are the systems that the programs are built for.
var targets = []struct{ os, arch string }{{"linux", "amd64"}, {"js", "wasm"}}

// printSizes prints a table: the packages of the module that each program links, their lines, and the sizes of the program.
func printSizes(ctx context.Context, root string, out io.Writer) error {
	dir, err := os.MkdirTemp("", "meadow-sizes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprint(out, "| program | packages | lines |")
	for _, t := range targets {
		fmt.Fprintf(out, " %s/%s | gzip |", t.os, t.arch)
	}
	fmt.Fprintf(out, "\n|---|---:|---:|%s\n", strings.Repeat("---:|---:|", len(targets)))
	for _, m := range measured {
		packages, lines, err := linked(ctx, root, m.folder)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| [%s](../%s) | %d | %d |", m.what, strings.TrimPrefix(m.folder, "./"), packages, lines)
		for _, t := range targets {
			name := filepath.Join(dir, "program")
			build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", name, m.folder)
			build.Dir = root
			build.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0")
			if told, err := build.CombinedOutput(); err != nil {
				return fmt.Errorf("%s for %s/%s: %w: %s", m.folder, t.os, t.arch, err, told)
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			if _, err := z.Write(data); err != nil {
				return err
			}
			if err := z.Close(); err != nil {
				return err
			}
			fmt.Fprintf(out, " %.2f MB | %.2f MB |", float64(len(data))/1e6, float64(packed.Len())/1e6)
		}
		fmt.Fprintln(out)
	}
	return nil
}

// linked returns how many packages of the module a program links besides itself, and their lines without tests.
func linked(ctx context.Context, root, folder string) (packages, lines int, err error) {
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Dir,GoFiles,Standard,Module,ImportPath", folder)
	list.Dir = root
	data, err := list.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("go list: %w", err)
	}
	for stream := json.NewDecoder(bytes.NewReader(data)); ; {
		var p struct {
			Dir, ImportPath string
			GoFiles         []string
			Module          *struct{ Main bool }
		}
		if err := stream.Decode(&p); errors.Is(err, io.EOF) {
			return packages, lines, nil
		} else if err != nil {
			return 0, 0, err
		}
		if p.Module == nil || !p.Module.Main || strings.HasSuffix(p.ImportPath, strings.TrimPrefix(folder, ".")) {
			continue
		}
		packages++
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return 0, 0, err
			}
			lines += bytes.Count(text, []byte("\n"))
		}
	}
}
