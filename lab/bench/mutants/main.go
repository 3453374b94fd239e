// Mutants halves and doubles the deciding constants of extraction and of joining cells to a mesh, one at a time, and looks
// for a test that notices. A constant without such a test means nothing, or its law is untested.
//
//	go run ./lab/bench/mutants > mutants.md
//	go run ./lab/bench/mutants -only hiding,floorReach
//	go run ./lab/bench/mutants -steps
//	go run ./lab/bench/mutants -steps -only Fringe
//	go run ./lab/bench/mutants -only hiding -campaign "-scenes 100 -soups 3000 -stairwells 2000 -towers 20"
//
// Every mutant meets the tests of its own package first, then the trials, cheap ones first, and dies at the first failure.
// Levels outside the repository take no part. A mutant that passes all tests goes through a campaign of
// lab/bench/extraction, a fixed list of random levels. A level counts if only the mutant makes it fail: a test can be made
// of the level. The mutant counts as surviving until a test of the level exists.
//
// With -steps, a fault is planted in each step of each published search, and the test that is named for the step must
// fail.
//
// The source is not changed: go test and go build get the changed file as an overlay. Nobody may edit the source meanwhile. The
// table, in Markdown, names the first test that fails for each mutant. The run ends with an error if a mutant passes all tests.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/lab/internal/bench"
)

func main() { bench.Main("mutants", run) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	f := bench.NewFlags("mutants", log)
	root := f.String("root", ".", "`folder` of the repository")
	only := f.String("only", "", "`names` of the constants to change, with commas between them, default all")
	stepwise := f.Bool("steps", false, "plant a fault in each step of each published search instead; -only then is a text in their names")
	levels := f.String("campaign", "-scenes 20 -soups 400 -stairwells 300 -towers 12", "`flags` of lab/bench/extraction for mutants that pass all tests, empty for no campaign")
	if err := f.Parse(args); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	l := lab{root: *root, folder: folder, levels: strings.Fields(*levels)}
	if *stepwise {
		return l.plantAll(ctx, *only, out, log)
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| package | constant | halved | doubled |")
	fmt.Fprintln(out, "|---|---|---|---|")
	survivors := 0
	for _, c := range chosen {
		var found [2]string
		for k, value := range []string{c.halved, c.doubled} {
			by, err := l.killer(ctx, &c, value)
			if err == nil && by == "" {
				survivors++
				by, err = l.campaign(ctx)
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", c.file, c.name, err)
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

// choose returns the constants of some names, all for none.
func choose(only string) ([]constant, error) {
	if only == "" {
		return constants, nil
	}
	var chosen []constant
	for name := range strings.SplitSeq(only, ",") {
		n := len(chosen)
		for _, c := range constants {
			if c.name == name {
				chosen = append(chosen, c)
			}
		}
		if len(chosen) == n {
			return nil, fmt.Errorf("no constant %q", name)
		}
	}
	return chosen, nil
}

// lab is the place where mutants are tried.
type lab struct {
	root, folder string
	levels       []string          // flags of a campaign
	base         map[string]string // the faults of levels without any mutant, nil until a campaign needs them
}

// trial is a run of go test.
type trial struct{ pkg, tests string }

// trials lists the tests to run after those of a mutant's own package, cheap ones first. The tests judge whole floors,
// meshes and paths: by truths on paper, by an independent judge, by the laws of meshes.
var trials = []trial{
	{"./build/exact", "."},
	{"./build/join", "."},
	{".", "^Test(Scenes|FloorsOfTruths|PathsLieOnTheFloor|GeneratedLevelsKeepTheFloorLaws|MeshDoesNotDependOn|RampsAtTheLimit|LargeSimplify|WidenAgrees|Truths|NarrowDropBesideAStep)$"},
	{"./internal/levelcheck", "."},
}

// elsewhere names tests of levels outside the repository.
const elsewhere = "^Test(AgreementOnLevels|RealLevels|AgentsOnLevels|GeneratorsOnLevels)$"

// trialsOf lists the trials of a constant's mutants.
func trialsOf(c *constant) []trial {
	own := "./" + filepath.ToSlash(filepath.Dir(c.file))
	all := []trial{{own, "."}}
	for _, p := range c.also {
		all = append(all, trial{p, "."})
	}
	for _, t := range trials {
		if t.pkg != own {
			all = append(all, t)
		}
	}
	return all
}

// killer returns the name of the first test that fails for another value of c, "" for none. A package that fails to
// compile, or panics outside a test, is an error. The overlay of the mutant stays in the folder.
func (l *lab) killer(ctx context.Context, c *constant, value string) (string, error) {
	path, err := filepath.Abs(filepath.Join(l.root, filepath.FromSlash(c.file)))
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
	if err := l.replace(path, changed); err != nil {
		return "", err
	}
	for _, t := range trialsOf(c) {
		test := exec.CommandContext(ctx, "go", "test", "-failfast", "-overlay", l.overlay(), "-run", t.tests, "-skip", elsewhere, t.pkg)
		test.Dir = l.root
		text, err := test.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return "", err
		}
		if err == nil {
			continue
		}
		name := failed.FindSubmatch(text)
		if name == nil || ctx.Err() != nil {
			return "", fmt.Errorf("%s: %s", t.pkg, bytes.TrimSpace(text))
		}
		return string(name[1]), nil
	}
	return "", nil
}

// replace puts a changed source in the place of a file, for commands with the overlay.
func (l *lab) replace(path string, changed []byte) error {
	mutant := filepath.Join(l.folder, filepath.Base(path))
	if err := os.WriteFile(mutant, changed, 0o666); err != nil {
		return err
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: mutant}})
	if err != nil {
		return err
	}
	return os.WriteFile(l.overlay(), list, 0o666)
}

// overlay returns the path of the file that puts a mutant in the place of a source file.
func (l *lab) overlay() string { return filepath.Join(l.folder, "overlay.json") }

// campaign judges random levels with the present mutant, and names a level that fails only with the mutant.
func (l *lab) campaign(ctx context.Context) (string, error) {
	if len(l.levels) == 0 {
		return "**no test**", nil
	}
	if l.base == nil {
		faults, err := l.faults(ctx)
		if err != nil {
			return "", err
		}
		l.base = faults
	}
	faults, err := l.faults(ctx, "-overlay", l.overlay())
	if err != nil {
		return "", err
	}
	more := slices.DeleteFunc(slices.Sorted(maps.Keys(faults)), func(name string) bool { return l.base[name] != "" })
	if len(more) == 0 {
		return "**no test**", nil
	}
	return fmt.Sprintf("**no test**, but %d levels as %s: %s", len(more), more[0], faults[more[0]]), nil
}

// faults returns the faulty levels of a campaign, with the broken law of each. The flags are for go build.
func (l *lab) faults(ctx context.Context, flags ...string) (map[string]string, error) {
	program, state := filepath.Join(l.folder, "extraction"), filepath.Join(l.folder, "state")
	build := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-o", program}, flags, []string{"./lab/bench/extraction"})...)
	build.Dir = l.root
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(text))
	}
	if err := os.RemoveAll(state); err != nil {
		return nil, err
	}
	// The campaign ends with an error if a level is at fault. A campaign that ends too early leaves fewer records.
	campaign := exec.CommandContext(ctx, program, append([]string{"-all", "-jobs", "1", "-dump", l.folder, "-state", state}, l.levels...)...)
	text, err := campaign.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	file, err := os.ReadFile(state)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(text))
	}
	return faultsIn(file)
}

// faultsIn returns the levels at fault in the state of a campaign, which is a line of settings, then a line for every level.
func faultsIn(state []byte) (map[string]string, error) {
	faults := map[string]string{}
	lines := bytes.Split(bytes.TrimSpace(state), []byte("\n"))
	for _, line := range lines[1:] {
		var record struct {
			Class, Fault string
			Number       uint64
		}
		if err := json.Unmarshal(line, &record); err != nil {
			return nil, err
		}
		if record.Fault != "" {
			faults[fmt.Sprintf("%s %d", record.Class, record.Number)] = record.Fault
		}
	}
	return faults, nil
}

// failed finds the names of failed tests.
var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`)

// mutate returns the source of a file with another value of c.
func (c *constant) mutate(source []byte, value string) ([]byte, error) {
	from := strings.Replace(c.line, "#", c.value, 1)
	if n := bytes.Count(source, []byte(from)); n != 1 {
		return nil, fmt.Errorf("%d times %q, want one", n, from)
	}
	return bytes.Replace(source, []byte(from), []byte(strings.Replace(c.line, "#", value, 1)), 1), nil
}
