// Package knownfaults is the only list of extraction faults that tests expect. Tests report through [Judge]: an unlisted
// fault fails the test, and a listed case without a fault fails too, so the list only shrinks.
package knownfaults

import (
	"fmt"
	"slices"
)

// Case is a law on a level for an agent.
type Case struct {
	Level   string  // kind of levelgen with its options, or name of a scene
	Extract string  // extractor
	Method  string  // that decomposes the floor, empty where the law is about the floor
	Radius  float64 // of the agent in metres
	Law     string
}

// String names the case.
func (c Case) String() string {
	s := fmt.Sprintf("%s, %s", c.Level, c.Extract)
	if c.Method != "" {
		s += ", " + c.Method
	}
	return fmt.Sprintf("%s, radius %g: %s", s, c.Radius, c.Law)
}

// fault is a set of cases that break a law, with the reason.
type fault struct {
	level, extract, method string
	radii                  []float64
	law                    string
	reason                 string // what extraction does, and the principle that would prevent it
}

// holds reports whether c is one of the cases.
func (f *fault) holds(c Case) bool {
	return f.level == c.Level && f.extract == c.Extract && f.method == c.Method && f.law == c.Law && slices.Contains(f.radii, c.Radius)
}

// Reason returns why a law does not hold in a case; empty if the case is not listed.
func Reason(c Case) string {
	for i := range faults {
		if faults[i].holds(c) {
			return faults[i].reason
		}
	}
	return ""
}

// reporter is the part of testing.TB that [Judge] needs.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// Judge reports the finding of a law in a case to a test; found is nil if the law holds. An unlisted fault is an error, and so is
// a listed case without a fault.
func Judge(t reporter, c Case, found error) {
	t.Helper()
	switch reason := Reason(c); {
	case found == nil && reason != "":
		t.Errorf("%v: holds, take it off the list of known faults (%s)", c, reason)
	case found != nil && reason == "":
		t.Errorf("%v: %v", c, found)
	case found != nil:
		t.Logf("%v: known fault: %v", c, found)
	}
}
