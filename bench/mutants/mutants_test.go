package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConstantsAreInTheSource verifies that each constant is in its file once, so that the list follows the source.
func TestConstantsAreInTheSource(t *testing.T) {
	for _, c := range constants {
		source, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(c.file)))
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

// TestMutateWantsOnePlace refuses a constant that is not in the source, or there twice.
func TestMutateWantsOnePlace(t *testing.T) {
	c := constant{line: "const x = #\n", value: "2"}
	for source, ok := range map[string]bool{"const x = 2\n": true, "const x = 3\n": false, "const x = 2\nconst x = 2\n": false} {
		if got, err := c.mutate([]byte(source), "4"); (err == nil) != ok || ok && string(got) != "const x = 4\n" {
			t.Errorf("%q: %q, %v", source, got, err)
		}
	}
}

// TestFailedNamesTheTest finds the test that fails in what go test prints.
func TestFailedNamesTheTest(t *testing.T) {
	name := failed.FindStringSubmatch("ok\n--- FAIL: TestSlits (0.20s)\n    x_test.go:3: no\nFAIL\n")
	if name == nil || name[1] != "TestSlits" {
		t.Errorf("%v", name)
	}
}
