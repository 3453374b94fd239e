// Golden builds small levels and compares the bytes of their meshes, the bits of paths on the meshes, and the bits of
// crowds, with tables.
//
//	go run ./lab/bench/golden            compare; exit status 1 lists every difference
//	go run ./lab/bench/golden -update    write the tables again, from the root of the repository
//
// `make golden` runs the same program for other processors: the table is the same for all. A new table is a
// deliberate change of bytes and has a line in the changelog.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// table holds a line per case: its name, the length of the mesh file without the record, the hash of its bytes, and the hash of
// paths. The last line has the hash of all records.
//
//go:embed golden.txt
var table string

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "golden:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("golden", flag.ContinueOnError)
	update := flags.Bool("update", false, "write lab/bench/golden/golden.txt again")
	if err := flags.Parse(args); err != nil {
		return err
	}
	lines, err := measure(ctx)
	if err != nil {
		return err
	}
	crowds, err := measureCrowds(ctx)
	if err != nil {
		return err
	}
	if *update {
		return errors.Join(write("golden.txt", lines), write("crowds.txt", crowds))
	}
	if err := errors.Join(compare(rows(table), lines), compare(rows(crowdTable), crowds)); err != nil {
		return err
	}
	fmt.Fprintf(out, "golden: %d meshes and %d crowds on %s/%s have the bytes of the table\n", len(lines)-1, len(crowds), runtime.GOOS, runtime.GOARCH)
	return nil
}

// write writes a table.
func write(name string, lines []string) error {
	return os.WriteFile(filepath.Join("lab", "bench", "golden", name), []byte(strings.Join(lines, "\n")+"\n"), 0o666)
}

// compare returns an error with all different lines of two tables.
func compare(want, have []string) error {
	var faults []error
	for i := range max(len(want), len(have)) {
		at := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return "no line"
		}
		if w, h := at(want), at(have); w != h {
			faults = append(faults, fmt.Errorf("the table has %q, this machine has %q", w, h))
		}
	}
	return errors.Join(faults...)
}
