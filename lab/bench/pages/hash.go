package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// golden is the table of hashes of meshes and paths: if the table is unchanged, so are all meshes.
const golden = "lab/bench/golden/golden.txt"

// measuring lists the packages that turn meshes into figures, by the command that a table uses.
var measuring = []struct {
	command  string
	packages []string
}{
	{"meadow compare", []string{"metric"}},
	{"meadow metrics", []string{"metric"}},
	{"meadow reproduce", []string{"metric", "lab/experiment", "lab/waypoint", "lab/navgraph"}},
	{"meadow lab", []string{"lab/navgraph", "lab/smooth", "lab/search", "lab/waypoint", "lab/concave", "lab/bent"}},
	{"go run ./lab/bench/", nil}, // the program itself, see inputsOf
}

// inputsOf returns the hash of the inputs of a table: the hash of its recipe, of the golden hashes of meshes, of the
// named files of the tree, and of the measuring packages without comments. Changes without an effect on meshes and
// measures make no table stale.
func inputsOf(root string, r recipe) (string, error) {
	r.inputs = ""
	h := sha256.New()
	fmt.Fprintln(h, r)
	var files []string
	var packages []string
	for _, line := range r.commands {
		for _, m := range measuring {
			if strings.HasPrefix(line, m.command) {
				packages = append(packages, m.packages...)
			}
		}
		for _, word := range strings.Fields(line) {
			info, err := os.Stat(filepath.Join(root, filepath.FromSlash(word)))
			switch {
			case err != nil:
			case info.IsDir():
				packages = append(packages, strings.TrimPrefix(word, "./"))
			default:
				files = append(files, word)
			}
		}
	}
	files = append(files, golden)
	slices.Sort(files)
	for _, name := range slices.Compact(files) {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(data))
	}
	slices.Sort(packages)
	for _, name := range slices.Compact(packages) {
		if err := hashPackage(h, filepath.Join(root, filepath.FromSlash(name))); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// hashPackage writes the tokens of the Go files of a folder to h: no comments, no tests.
func hashPackage(h io.Writer, dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		var s scanner.Scanner
		s.Init(set.AddFile(name, -1, len(src)), src, nil, 0)
		for {
			_, tok, literal := s.Scan()
			if tok == token.EOF {
				break
			}
			fmt.Fprintln(h, tok, literal)
		}
	}
	return nil
}

// findStale lists the tables with changed inputs.
func findStale(root string, pages []page, out io.Writer) error {
	count, stale := 0, 0
	for _, p := range pages {
		for _, m := range block.FindAllStringSubmatchIndex(p.text, -1) {
			r, err := parseRecipe(p.text[m[2]:m[3]])
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			want, err := inputsOf(root, r)
			if err != nil {
				return err
			}
			count++
			if want != r.inputs {
				stale++
				fmt.Fprintf(out, "%s:%d: stale: %s\n", p.name, 1+strings.Count(p.text[:m[0]], "\n"), r.commands[len(r.commands)-1])
			}
		}
		if n := strings.Count(p.text, "<!-- table\n"); n != len(block.FindAllString(p.text, -1)) {
			return fmt.Errorf("%s: a table has no end", p.name)
		}
	}
	if stale > 0 {
		return fmt.Errorf("%d of %d tables are stale: make tables", stale, count)
	}
	fmt.Fprintf(out, "%d tables are fresh\n", count)
	return nil
}
