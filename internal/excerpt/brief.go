// Package excerpt makes text of foreign files fit for a line of an error or a warning.
package excerpt

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s without control characters and with at most most bytes. Control characters and bytes that are no
// UTF-8 become escapes as in Go's quoted strings; a line end stays where keepLines is true. A longer text loses its
// middle, because the end of an error often says most; the cut gives the number of lost bytes. Time O(most).
func Text(s string, most int, keepLines bool) string {
	if len(s) > most {
		head, tail := 2*most/3, most/4
		for head > 0 && !utf8.RuneStart(s[head]) {
			head--
		}
		from := len(s) - tail
		for from < len(s) && !utf8.RuneStart(s[from]) {
			from++
		}
		s = s[:head] + " … (" + strconv.Itoa(from-head) + " bytes) … " + s[from:]
	}
	if isPlain(s, keepLines) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i]), 16))
		case isControl(r) && !(r == '\n' && keepLines):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isPlain(s string, keepLines bool) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return isControl(r) && !(r == '\n' && keepLines) })
}

// isControl reports whether a terminal may interpret r as a command: control characters, and characters that
// turn the direction of writing.
func isControl(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
