package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
