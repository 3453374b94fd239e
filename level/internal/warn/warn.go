// Package warn gathers the warnings of a decoder, without letting a bad file flood the list.
package warn

import (
	"fmt"

	"github.com/meadow-nav/meadow/internal/brief"
)

// Most is the number of warnings that are kept in full.
const Most = 50

// maxLine bounds the length of a warning in bytes.
const maxLine = 500

// List gathers warnings. The zero List is empty.
type List struct {
	lines []string
	more  int
}

// Addf adds one line.
func (l *List) Addf(format string, args ...any) {
	if len(l.lines) >= Most {
		l.more++
		return
	}
	l.lines = append(l.lines, brief.Text(fmt.Sprintf(format, args...), maxLine, false))
}

// Lines returns the warnings, the last one saying how many were left out, if any were.
func (l *List) Lines() []string {
	if l.more == 0 {
		return l.lines
	}
	return append(l.lines[:Most:Most], fmt.Sprintf("and %d more warnings", l.more))
}
