package input

import (
	"fmt"

	"github.com/meadow-nav/meadow/internal/excerpt"
)

// MostWarnings is the number of warnings that are kept in full.
const MostWarnings = 50

// maxLine bounds the length of a warning in bytes.
const maxLine = 500

// Warnings gathers the warnings of a decoder, and a bad file cannot flood the list. The zero Warnings is empty.
type Warnings struct {
	lines []string
	more  int
}

// Addf adds one line.
func (l *Warnings) Addf(format string, args ...any) {
	if len(l.lines) >= MostWarnings {
		l.more++
		return
	}
	l.lines = append(l.lines, excerpt.Text(fmt.Sprintf(format, args...), maxLine, false))
}

// Lines returns the warnings, the last one saying how many were left out, if any were.
func (l *Warnings) Lines() []string {
	if l.more == 0 {
		return l.lines
	}
	return append(l.lines[:MostWarnings:MostWarnings], fmt.Sprintf("and %d more warnings", l.more))
}
