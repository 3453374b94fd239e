package input

import "testing"

func TestWarnings(t *testing.T) {
	var l Warnings
	if l.Lines() != nil {
		t.Errorf("an empty list has lines %q", l.Lines())
	}
	for i := range MostWarnings {
		l.Addf("line %d", i)
	}
	if lines := l.Lines(); len(lines) != MostWarnings || lines[7] != "line 7" {
		t.Errorf("%d lines", len(lines))
	}
	l.Addf("too much")
	l.Addf("too much")
	if lines := l.Lines(); len(lines) != MostWarnings+1 || lines[MostWarnings] != "and 2 more warnings" {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-1])
	}
}
