// Mutants halves and doubles the constants that decide in extraction and in joining cells to a mesh, one at a time, and runs
// the tests of their packages. Where no test fails, the constant means nothing, or nobody tests the law that needs it.
//
//	go run ./bench/mutants > mutants.md
//	go run ./bench/mutants -only hiding
//
// The source stays as it is: go test gets the changed file as an overlay. Nobody may edit the source meanwhile. The table, in
// Markdown, names the first test that fails for each mutant. The run ends with an error where no test fails.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	f := flag.NewFlagSet("mutants", flag.ContinueOnError)
	f.SetOutput(log)
	root := f.String("root", ".", "`folder` of the repository")
	only := f.String("only", "", "`name` of the only constant to change, default all")
	if err := f.Parse(args); err != nil {
		return err
	}
	fmt.Fprintln(out, "| package | constant | halved | doubled |")
	fmt.Fprintln(out, "|---|---|---|---|")
	survivors := 0
	for _, c := range constants {
		if *only != "" && *only != c.name {
			continue
		}
		var found [2]string
		for k, value := range []string{c.halved, c.doubled} {
			by, err := c.killer(ctx, *root, value)
			switch {
			case err != nil:
				return fmt.Errorf("%s: %s: %w", c.file, c.name, err)
			case by == "":
				by = "**none**"
				survivors++
			}
			found[k] = fmt.Sprintf("%s: %s", value, by)
			fmt.Fprintf(log, "%s %s: %s\n", c.name, value, by)
		}
		fmt.Fprintf(out, "| `%s` | `%s` = %s | %s | %s |\n", filepath.ToSlash(filepath.Dir(c.file)), c.name, c.value, found[0], found[1])
	}
	if survivors > 0 {
		return fmt.Errorf("%d mutants pass all tests", survivors)
	}
	return nil
}

// killer returns the name of the first test that fails when c has another value, "" when none does. A package that does not
// compile any more, or that panics outside of a test, is an error.
func (c *constant) killer(ctx context.Context, root, value string) (string, error) {
	path, err := filepath.Abs(filepath.Join(root, filepath.FromSlash(c.file)))
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	changed, err := c.mutate(source, value)
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	mutant, overlay := filepath.Join(folder, filepath.Base(path)), filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(mutant, changed, 0o666); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: mutant}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, list, 0o666); err != nil {
		return "", err
	}
	for _, p := range append([]string{"./" + filepath.ToSlash(filepath.Dir(c.file))}, c.also...) {
		test := exec.CommandContext(ctx, "go", "test", "-failfast", "-overlay", overlay, p)
		test.Dir = root
		text, err := test.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return "", err
		}
		if err == nil {
			continue
		}
		name := failed.FindSubmatch(text)
		if name == nil || ctx.Err() != nil {
			return "", fmt.Errorf("%s: %s", p, bytes.TrimSpace(text))
		}
		return string(name[1]), nil
	}
	return "", nil
}

// failed finds the names of tests that fail.
var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`)

// mutate returns the source of a file with another value of c.
func (c *constant) mutate(source []byte, value string) ([]byte, error) {
	from := strings.Replace(c.line, "#", c.value, 1)
	if n := bytes.Count(source, []byte(from)); n != 1 {
		return nil, fmt.Errorf("%d times %q, want one", n, from)
	}
	return bytes.Replace(source, []byte(from), []byte(strings.Replace(c.line, "#", value, 1)), 1), nil
}
