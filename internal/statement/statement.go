// Package statement reads the words of one line of a script, from left to right.
package statement

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/internal/excerpt"
)

// maxShown is the number of bytes of a word that an error shows.
const maxShown = 60

// blanks are the bytes between words.
const blanks = " \t\r"

// Words are the words of a line. The first fault stays, and all reads after a fault return zero values.
type Words struct {
	All []string
	At  int   // how many words have been read
	Err error // the first fault
}

// Split cuts a line into words at blanks; a quote is a character like any other. A word that begins with # ends the line.
func Split(line string) Words {
	all := strings.Fields(line)
	for i, w := range all {
		if w[0] == '#' {
			return Words{All: all[:i]}
		}
	}
	return Words{All: all}
}

// SplitQuoted cuts a line into words at blanks, but not inside of quotes, which are those of Go's strings. A word that begins
// with # ends the line. A quote that does not end, or that text follows, is an error.
func SplitQuoted(line string) (Words, error) {
	var w Words
	for {
		line = strings.TrimLeft(line, blanks)
		if line == "" || line[0] == '#' {
			return w, nil
		}
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return w, fmt.Errorf("word %d: the quote does not end", len(w.All)+1)
			}
			word, err := strconv.Unquote(quoted)
			if line = line[len(quoted):]; err != nil || line != "" && !strings.ContainsAny(line[:1], blanks) {
				return w, fmt.Errorf("word %d: text follows the closing quote", len(w.All)+1)
			}
			w.All = append(w.All, word)
			continue
		}
		end := strings.IndexAny(line, blanks)
		if end < 0 {
			end = len(line)
		}
		w.All = append(w.All, line[:end])
		line = line[end:]
	}
}

// Fail keeps the first fault, which is about the word read last.
func (w *Words) Fail(format string, args ...any) {
	if w.Err == nil {
		word := strconv.Quote(excerpt.Text(w.All[w.At-1], maxShown, false))
		w.Err = fmt.Errorf("word %d, %s: %s", w.At, word, fmt.Sprintf(format, args...))
	}
}

// More reports whether there is another word.
func (w *Words) More() bool { return w.Err == nil && w.At < len(w.All) }

// Next returns the next word, and want names the missing word at the end of a line.
func (w *Words) Next(want string) string {
	if w.Err != nil {
		return ""
	}
	if w.At == len(w.All) {
		w.Err = fmt.Errorf("the line ends after word %d, want %s", w.At, want)
		return ""
	}
	w.At++
	return w.All[w.At-1]
}

// Skip reads a word if it is the given word.
func (w *Words) Skip(word string) bool {
	if w.More() && w.All[w.At] == word {
		w.At++
		return true
	}
	return false
}

// Must reads the given word.
func (w *Words) Must(word string) {
	if got := w.Next(strconv.Quote(word)); w.Err == nil && got != word {
		w.Fail("want %q", word)
	}
}

// End is a fault where words are left; whole names the kind of line, as in "command".
func (w *Words) End(whole string) {
	if w.More() {
		w.At++
		w.Fail("the %s is complete without the word", whole)
	}
}
