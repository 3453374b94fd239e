// Pages keeps the documentation true: the program runs the commands of README.md and docs, rewrites the tables that
// commands print, and measures programs that link Meadow.
//
//	go run ./lab/bench/pages commands [PAGE…]   run every line of every block marked sh; exit status 1 if one fails
//	go run ./lab/bench/pages tables [PAGE…]     run the commands above tables again and rewrite the tables
//	go run ./lab/bench/pages stale              list tables whose inputs have changed since; exit status 1 if any
//	go run ./lab/bench/pages sizes              print the table of docs/sizes.md
//
// A PAGE is a path such as docs/algorithms/pasfv.md; without PAGE the program takes all pages. Commands and tables run in a copy of the
// working tree, and leave nothing behind.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("want commands, tables, stale or sizes")
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	pages, err := readPages(root)
	if err != nil {
		return err
	}
	if wanted := args[1:]; len(wanted) > 0 {
		for _, name := range wanted {
			if !slices.ContainsFunc(pages, func(p page) bool { return p.name == name }) {
				return fmt.Errorf("no page is named %q", name)
			}
		}
		pages = slices.DeleteFunc(pages, func(p page) bool { return !slices.Contains(wanted, p.name) })
	}
	switch args[0] {
	case "sizes":
		return printSizes(ctx, root, out)
	case "stale":
		return findStale(root, pages, out)
	case "commands", "tables":
		w, err := newWorkplace(ctx, root)
		defer w.remove()
		if err != nil {
			return err
		}
		if args[0] == "tables" {
			return w.writeTables(ctx, root, pages, out)
		}
		return w.runCommands(ctx, pages, out)
	}
	return fmt.Errorf("unknown %q, want commands, tables, stale or sizes", args[0])
}

// page is one page of the documentation.
type page struct {
	name string // with slashes, from the root of the module
	text string
}

// moduleRoot returns the folder of go.mod, at or above the working folder.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod at or above the working folder")
		}
		dir = up
	}
}

// readPages reads the pages at the root and in docs, in the order of their names. The changelog names removed commands.
func readPages(root string) ([]page, error) {
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	var pages []page
	for _, name := range names {
		if filepath.Base(name) == "CHANGELOG.md" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return nil, err
		}
		pages = append(pages, page{filepath.ToSlash(rel), strings.ReplaceAll(string(text), "\r\n", "\n")})
	}
	return pages, nil
}
