// Foreign reads files that others made, and prints what happens to each as a table.
//
//	go run ./lab/bench/foreign [-each 3] FOLDER
//
// FOLDER has a folder for each package, such as debian-tiled, with the files of the package in it. Of each package and extension
// the first files in the order of their paths are taken. docs/formats/README.md has the table and the packages.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/meshio"
)

func main() {
	each := flag.Int("each", 3, "files of each package and extension")
	flag.Parse()
	if flag.NArg() != 1 || *each < 1 {
		fmt.Fprintln(os.Stderr, "usage: foreign [-each N] FOLDER")
		os.Exit(2)
	}
	if err := table(os.Stdout, flag.Arg(0), *each); err != nil {
		fmt.Fprintln(os.Stderr, "foreign:", err)
		os.Exit(1)
	}
}

// table prints a line for each file.
func table(w io.Writer, root string, each int) error {
	files, err := choose(root, each)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("no file of a known format")
	}
	fmt.Fprintln(w, "| package | file | bytes | outcome |\n|---|---|---|---|")
	read, refused := 0, 0
	for _, f := range files {
		outcome, err := open(filepath.Join(root, filepath.FromSlash(f)))
		if err != nil {
			refused++
			outcome = "refused: " + clean(err.Error(), root)
		} else {
			read++
		}
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(f)))
		if err != nil {
			return err
		}
		pack, name, _ := strings.Cut(f, "/")
		if base := strings.Split(name, "/"); len(base) > 2 {
			name = strings.Join(base[len(base)-2:], "/")
		}
		fmt.Fprintf(w, "| %s | `%s` | %d | %s |\n", pack, name, info.Size(), outcome)
	}
	fmt.Fprintf(w, "\n%d files: %d read, %d refused.\n", len(files), read, refused)
	return nil
}

// clean shortens an error: without the folder, and without bars, which end cells of a table.
func clean(text, root string) string {
	text = strings.ReplaceAll(text, root+string(filepath.Separator), "")
	if _, after, ok := strings.Cut(text, ": "); ok {
		text = after // the file stands in its own column
	}
	text = strings.ReplaceAll(text, "|", "/")
	if runes := []rune(text); len(runes) > 160 {
		text = string(runes[:160]) + "…"
	}
	return text
}

// choose returns the first files of each package and extension, with slashes.
func choose(root string, each int) ([]string, error) {
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !strings.Contains(path, "/") {
			return err
		}
		all = append(all, path)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(all)
	taken := map[string]int{} // by package and extension; looked up only
	var out []string
	for _, path := range all {
		ext := strings.ToLower(filepath.Ext(path))
		if ext == ".png" {
			continue // of a hundred pictures in packages, hardly one is a height map
		}
		if meshio.FormatOf(path) == meshio.Unknown && !meadow.IsMap(path) && !slices.Contains(named, ext) {
			continue
		}
		pack, _, _ := strings.Cut(path, "/")
		if key := pack + ext; taken[key] < each {
			taken[key]++
			out = append(out, path)
		}
	}
	return out, nil
}

// named are extensions that are refused by name.
var named = []string{".fbx", ".dae", ".3ds", ".blend", ".x3d", ".amf"}

// open reads a file as a level or as a map, and says what is in it.
func open(path string) (string, error) {
	if meadow.IsMap(path) {
		m, err := meadow.OpenMap(path, flat.Options{})
		if err != nil {
			return "", err
		}
		area, parts := 0.0, 0
		for _, l := range m.Plan.Layers {
			for i := range l.Domains {
				area += float64(l.Domains[i].Area2()) / (2 * 4096 * 4096)
				parts++
			}
		}
		out := fmt.Sprintf("%.6g m², parts: %d", area, parts)
		if m.Origin != nil {
			out += fmt.Sprintf(", at %.4g° N, %.4g° E", m.Origin.Latitude, m.Origin.Longitude)
		}
		return out + warned(m.Warnings), nil
	}
	lvl, err := meadow.Open(path)
	if err != nil {
		return "", err
	}
	s := lvl.Bounds().Size()
	out := fmt.Sprintf("%d triangles, %.4g × %.4g × %.4g m", len(lvl.Triangles), s.X, s.Y, s.Z)
	g := lvl.Guess(math.Pi / 4)
	if up := g.Up(); up != 0 {
		out += fmt.Sprintf("; is %c up?", up-'a'+'A')
	}
	if unit := g.Unit(); unit != "" {
		out += "; in " + unit + "?"
	}
	return out + warned(lvl.Warnings), nil
}

func warned(warnings []string) string {
	switch n := len(warnings); n {
	case 0:
		return ""
	case 1:
		return "; a warning"
	default:
		return fmt.Sprintf("; %d warnings", n)
	}
}
