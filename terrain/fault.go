package terrain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is something wrong with rules.
type Fault struct {
	Place Place
	// Element is the part of the rules in whose words it is told, such as method "walk".
	Element string
	Text    string
}

// In tells a fault of a file, which may have no name: the place, the element, and what is wrong or to be known.
func (f Fault) In(file string) string { return located(file, f.Place, f.Element, f.Text) }

// Faults is what is wrong with rules, in the order of their places. It is an error.
type Faults struct {
	Name string // of the file, empty for rules that were not read from one
	List []Fault
}

// Error tells all faults, one line each: the name, line and column, the element, and what is wrong.
func (f *Faults) Error() string {
	lines := make([]string, len(f.List))
	for i, x := range f.List {
		lines[i] = x.In(f.Name)
	}
	return strings.Join(lines, "\n")
}

// located puts where something is in front of what is said of it.
func located(name string, at Place, element, text string) string {
	s := "terrain: "
	switch {
	case at.Line > 0 && name != "":
		s += fmt.Sprintf("%s:%d:%d: ", name, at.Line, at.Column)
	case at.Line > 0:
		s += fmt.Sprintf("line %d, column %d: ", at.Line, at.Column)
	case name != "":
		s += name + ": "
	}
	if element != "" {
		s += element + ": "
	}
	return s + text
}

func (f *Faults) add(at Place, element, format string, a ...any) {
	f.List = append(f.List, Fault{at, element, fmt.Sprintf(format, a...)})
}

// err sorts the faults and returns them as an error, or nil when there are none.
func (f *Faults) err() error {
	if len(f.List) == 0 {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Column, b.Place.Column))
	})
	return f
}
