// Targets checks the types of every package with the files and the word size of other machines. The type checker refuses the
// same programs as the compiler. `make golden` and `make dist` also compile and link programs for other machines.
//
//	go run ./lab/bench/targets windows/amd64 linux/386     exit status 1 lists every fault
//
// One machine takes 5 seconds of processor time.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "targets:", err)
		os.Exit(1)
	}
}

// run checks the packages of the module in the working directory for each target, given as GOOS/GOARCH.
func run(ctx context.Context, targets []string, out io.Writer) error {
	if len(targets) == 0 {
		return errors.New("name one target or more, as GOOS/GOARCH")
	}
	for _, t := range targets {
		system, arch, ok := strings.Cut(t, "/")
		sizes := types.SizesFor("gc", arch)
		if !ok || sizes == nil {
			return fmt.Errorf("%q is not a target as GOOS/GOARCH", t)
		}
		packages, err := list(ctx, ".", system, arch)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		n, err := check(packages, sizes)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		fmt.Fprintf(out, "%s: the types of %d packages are right\n", t, n)
	}
	return nil
}

// pack is a package as `go list` prints it.
type pack struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string // paths in the source whose packages have other paths
	Standard        bool
	DepOnly         bool     // the package is imported only, and not one of the module
	SFiles          []string // assembly
}

// list returns the packages of the module in dir and all their imports. Imports come before their importers.
func list(ctx context.Context, dir, system, arch string) ([]pack, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Standard,DepOnly,SFiles", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
	var said strings.Builder
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, said.String())
	}
	var all []pack
	for lines := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p pack
		if err := lines.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// check checks the types of all packages, and returns the number of packages of the module. The checker looks into the functions
// of these packages. Other packages give names and types only.
func check(packages []pack, sizes types.Sizes) (int, error) {
	done := map[string]*types.Package{"unsafe": types.Unsafe}
	var faults []error
	own := 0
	for _, p := range packages {
		if p.ImportPath == "unsafe" {
			continue
		}
		files := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				faults = append(faults, err)
			}
			parsed = append(parsed, f)
		}
		config := types.Config{
			Importer: importer{p.ImportMap, done}, Sizes: sizes, IgnoreFuncBodies: p.DepOnly,
			Error: func(err error) { faults = append(faults, err) },
		}
		checked, _ := config.Check(p.ImportPath, files, parsed, nil) // Error gets the faults
		done[p.ImportPath] = checked
		if !p.DepOnly {
			own++
			faults = append(faults, bodiless(p, files, parsed)...)
		}
	}
	return own, errors.Join(faults...)
}

// bodiless returns the functions without a body of a package without assembly. The type checker takes such functions, and the
// compiler refuses them.
func bodiless(p pack, files *token.FileSet, parsed []*ast.File) []error {
	if len(p.SFiles) > 0 {
		return nil
	}
	var faults []error
	for _, f := range parsed {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
				faults = append(faults, fmt.Errorf("%v: the function %s has no body", files.Position(f.Pos()), f.Name.Name))
			}
		}
	}
	return faults
}

// importer finds packages that are checked already.
type importer struct {
	paths map[string]string
	done  map[string]*types.Package
}

func (i importer) Import(path string) (*types.Package, error) {
	if other, ok := i.paths[path]; ok {
		path = other
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}
