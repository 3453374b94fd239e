package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/slow"
)

// TestConstantsAreInTheSource verifies that each constant is in its file exactly once.
func TestConstantsAreInTheSource(t *testing.T) {
	for _, c := range constants {
		source, err := os.ReadFile(filepath.Join("../../..", filepath.FromSlash(c.file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []string{c.halved, c.doubled} {
			changed, err := c.mutate(source, value)
			if err != nil {
				t.Errorf("%s: %s: %v", c.file, c.name, err)
				continue
			}
			if string(changed) == string(source) || !strings.Contains(string(changed), strings.Replace(c.line, "#", value, 1)) {
				t.Errorf("%s: %s: the value %s changes nothing", c.file, c.name, value)
			}
		}
	}
}

// TestMutateWantsOnePlace refuses a constant that is missing in the source, or appears twice.
func TestMutateWantsOnePlace(t *testing.T) {
	c := constant{line: "const x = #\n", value: "2"}
	for source, ok := range map[string]bool{"const x = 2\n": true, "const x = 3\n": false, "const x = 2\nconst x = 2\n": false} {
		if got, err := c.mutate([]byte(source), "4"); (err == nil) != ok || ok && string(got) != "const x = 4\n" {
			t.Errorf("%q: %q, %v", source, got, err)
		}
	}
}

// TestFailedNamesTheTest finds the failed test in the output of go test.
func TestFailedNamesTheTest(t *testing.T) {
	name := failed.FindStringSubmatch("ok\n--- FAIL: TestSlits (0.20s)\n    x_test.go:3: no\nFAIL\n")
	if name == nil || name[1] != "TestSlits" {
		t.Errorf("%v", name)
	}
}

// TestTrialsAreInTheTree verifies that the packages of all trials exist: a trial of a missing package would end the run after the
// header of the table.
func TestTrialsAreInTheTree(t *testing.T) {
	for i := range constants {
		for _, trial := range trialsOf(&constants[i]) {
			tests, err := filepath.Glob(filepath.Join("../../..", filepath.FromSlash(trial.pkg), "*_test.go"))
			if err != nil || len(tests) == 0 {
				t.Errorf("%s: %s has no tests: %v", constants[i].name, trial.pkg, err)
			}
		}
	}
}

// TestChoose finds constants by name, two of one name as well, and refuses other names.
func TestChoose(t *testing.T) {
	for only, want := range map[string]int{"": len(constants), "hiding": 1, "hiding,outward": 2, "bend": 2} {
		if got, err := choose(only); err != nil || len(got) != want {
			t.Errorf("%q: %d constants, %v", only, len(got), err)
		}
	}
	if _, err := choose("hiding,no"); err == nil {
		t.Error("a name without a constant is accepted")
	}
}

// TestTrialsStartAtHome verifies that the tests of a mutant's own package come first, and that no package is run twice.
func TestTrialsStartAtHome(t *testing.T) {
	for _, c := range constants {
		seen := map[string]bool{}
		for i, trial := range trialsOf(&c) {
			if i == 0 && trial.pkg != "./"+filepath.ToSlash(filepath.Dir(c.file)) || seen[trial.pkg] {
				t.Errorf("%s: %v", c.name, trialsOf(&c))
			}
			seen[trial.pkg] = true
		}
	}
}

// TestFaultsInAState reads which levels of a campaign are at fault.
func TestFaultsInAState(t *testing.T) {
	faults, err := faultsIn([]byte("{\"First\":0}\n{\"Class\":\"soup\",\"Number\":3}\n{\"Class\":\"tower\",\"Number\":7,\"Fault\":\"a law\"}\n"))
	if err != nil || len(faults) != 1 || faults["tower 7"] != "a law" {
		t.Errorf("%v, %v", faults, err)
	}
	if _, err := faultsIn([]byte("{}\n{")); err == nil {
		t.Error("half a line is accepted")
	}
}

// TestStepsAreInTheSource verifies that the place of each fault is in its file exactly once, and that the test of the step
// exists.
func TestStepsAreInTheSource(t *testing.T) {
	seen := map[string]bool{}
	for i := range steps {
		p := &steps[i]
		path := filepath.Join("../../..", filepath.FromSlash(p.file))
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := p.plant(source); err != nil || string(changed) == string(source) {
			t.Errorf("%s: %s: the fault changes nothing (%v)", p.search, p.step, err)
		}
		tests, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, name := range tests {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(text), "func "+p.test+"(t *testing.T)")
		}
		if !found {
			t.Errorf("%s: %s: no test %s", p.search, p.step, p.test)
		}
		if seen[p.search+p.step] {
			t.Errorf("%s: %s is there twice", p.search, p.step)
		}
		seen[p.search+p.step] = true
	}
}

// TestStepsAreInTheDocumentation verifies that the documentation has the rows of all steps in order, and no others.
func TestStepsAreInTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../../docs/algorithms/search.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## Steps and their tests\n")
	if !ok {
		t.Fatal("no section on steps")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| search ") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	for i := range steps {
		if i >= len(rows) || rows[i] != steps[i].row() {
			t.Fatalf("row %d is not %s", i+1, steps[i].row())
		}
	}
	if len(rows) != len(steps) {
		t.Errorf("%d rows, %d steps", len(rows), len(steps))
	}
}

// TestStepsThatSurvive: a fault that the test of its step does not notice is an error, and so is a name without steps.
func TestStepsThatSurvive(t *testing.T) {
	l := lab{root: "../../..", folder: t.TempDir()}
	p := step{
		aStar, "no fault", "lab/bench/mutants/steps.go",
		"// broken finds a failed test in the output of go test.\n", "// broken finds a failed test.\n", "TestFailedNamesTheTest",
	}
	if !slow.Enabled() {
		t.Log("without the fault that breaks nothing")
	} else if dies, err := l.dies(t.Context(), &p); dies || err != nil {
		t.Errorf("a comment breaks its test: %t, %v", dies, err)
	}
	p.from, p.to, p.test = "return bytes.Replace(source,", "return bytes.Replace(nil,", "TestPlant"
	if dies, err := l.dies(t.Context(), &p); !dies || err != nil {
		t.Errorf("a fault breaks nothing: %t, %v", dies, err)
	}
	var out, log strings.Builder
	if err := l.plantAll(t.Context(), "no such step", &out, &log); err == nil {
		t.Error("a text in no step is accepted")
	}
}

// TestPlant plants a fault in its place.
func TestPlant(t *testing.T) {
	p := step{from: "a < b", to: "a > b"}
	for source, want := range map[string]string{"if a < b {": "if a > b {", "if b < a {": "", "a < b, a < b": ""} {
		if got, err := p.plant([]byte(source)); (err == nil) != (want != "") || err == nil && string(got) != want {
			t.Errorf("%q: %q, %v", source, got, err)
		}
	}
}
