package terrain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/internal/excerpt"
)

// Fault is a fault of rules.
type Fault struct {
	Place Place
	// Element is the faulty part of the rules, such as method "walk".
	Element string
	Text    string
}

// In formats a fault of a file, which may have no name: the place, the element, and the text.
func (f Fault) In(file string) string { return located(file, f.Place, f.Element, f.Text) }

// maxText bounds the name of an element in a fault, in bytes; the text may be four times as long.
const maxText = 500

// MaxFaults is the number of faults kept; further faults are only counted.
const MaxFaults = 20

// Faults lists the faults of rules, in the order of their places. Faults is an error.
type Faults struct {
	Name string // of the file, empty for rules not read from a file
	List []Fault
	More int // faults beyond the list
}

// Error returns the faults, one line each: the name, line and column, the element, and the fault. A last line counts
// the omitted faults.
func (f *Faults) Error() string {
	var lines []string
	for _, x := range f.List {
		lines = append(lines, x.In(f.Name))
	}
	if f.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", f.More))
	}
	return strings.Join(lines, "\n")
}

// located puts the place in front of a text.
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
	if len(f.List) >= MaxFaults {
		f.More++
		return
	}
	f.List = append(f.List, Fault{at, excerpt.Text(element, maxText, false), excerpt.Text(fmt.Sprintf(format, a...), 4*maxText, false)})
}

// count returns the number of faults.
func (f *Faults) count() int { return len(f.List) + f.More }

// warnings returns the faults as warnings, with a last warning that counts the omitted ones.
func (f *Faults) warnings() []Fault {
	if f.More == 0 {
		return f.List
	}
	return append(f.List, Fault{Text: fmt.Sprintf("and %d more warnings", f.More)})
}

// err sorts the faults and returns them as an error, nil without faults.
func (f *Faults) err() error {
	if len(f.List) == 0 {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Column, b.Place.Column))
	})
	return f
}

// maxNamed is the number of names that a fault lists.
const maxNamed = 12

// listed joins names for a fault; a long list ends with the number of the other names.
func listed(names []string) string {
	shown := make([]string, 0, maxNamed+1)
	for _, name := range names[:min(len(names), maxNamed)] {
		shown = append(shown, clipped(name))
	}
	if n := len(names) - len(shown); n > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(shown, ", ")
}

// clipped shortens a name that is too long for a fault.
func clipped(name string) string { return fmt.Sprintf("%.80s", name) }
