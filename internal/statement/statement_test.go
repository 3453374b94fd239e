package statement

import (
	"slices"
	"strings"
	"testing"
)

// TestSplit cuts lines with blanks and comments into words; quotes belong to the words.
func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"":                          nil,
		" \t# nothing":              nil,
		`crowd "a",b 6 in # people`: {"crowd", `"a",b`, "6", "in"},
		`"a b" c#d`:                 {`"a`, `b"`, "c#d"},
	} {
		if w := Split(line); !slices.Equal(w.All, want) {
			t.Errorf("%q: %q, want %q", line, w.All, want)
		}
	}
}

// TestSplitQuoted cuts lines with blanks, quotes and comments into words.
func TestSplitQuoted(t *testing.T) {
	for line, want := range map[string][]string{
		"":                        nil,
		" \t# nothing":            nil,
		"close north gate # door": {"close", "north", "gate"},
		`close "north gate"`:      {"close", "north gate"},
		`a"b c#d`:                 {`a"b`, "c#d"},
		`"a\tb" ""`:               {"a\tb", ""},
	} {
		w, err := SplitQuoted(line)
		if err != nil || !slices.Equal(w.All, want) {
			t.Errorf("%q: %q, %v, want %q", line, w.All, err, want)
		}
	}
	for line, want := range map[string]string{
		`put "crate`:   "word 2: the quote does not end",
		`put "crate"x`: "word 2: text follows the closing quote",
	} {
		if _, err := SplitQuoted(line); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
	}
}

// TestWords reads words, and checks that the first fault stays.
func TestWords(t *testing.T) {
	w := Split("put a in b more")
	w.Must("put")
	name := w.Next("a name")
	if w.Skip("at") || !w.Skip("in") || name != "a" || w.Next("a place") != "b" || !w.More() || w.Err != nil {
		t.Fatalf("read %q and %d words, %v", name, w.At, w.Err)
	}
	const want = `word 5, "more": the command is complete without the word`
	w.End("command")
	w.Must("again")
	if w.Err == nil || w.Err.Error() != want || w.More() || w.Next("a word") != "" {
		t.Errorf("after the end: %v, want %s", w.Err, want)
	}
	short := Words{All: []string{"put"}, At: 1}
	if short.Next("a name"); short.Err == nil || short.Err.Error() != "the line ends after word 1, want a name" {
		t.Errorf("a short line: %v", short.Err)
	}
	long := Words{All: []string{strings.Repeat("x", 1000)}, At: 1}
	if long.Fail("no"); len(long.Err.Error()) > 120 {
		t.Errorf("a long word makes an error of %d bytes", len(long.Err.Error()))
	}
}
