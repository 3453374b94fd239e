package warn

import "testing"

func TestList(t *testing.T) {
	var l List
	if l.Lines() != nil {
		t.Errorf("an empty list has lines %q", l.Lines())
	}
	for i := range Most {
		l.Addf("line %d", i)
	}
	if lines := l.Lines(); len(lines) != Most || lines[7] != "line 7" {
		t.Errorf("%d lines", len(lines))
	}
	l.Addf("too much")
	l.Addf("too much")
	if lines := l.Lines(); len(lines) != Most+1 || lines[Most] != "and 2 more warnings" {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-1])
	}
}
