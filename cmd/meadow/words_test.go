package main

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow/internal/race"
)

// described is a row of the table of flags in docs/words.md.
type described struct{ value, meaning, word string }

// TestFlagsMeanOneThing: a flag takes the same kind of value in every command, its help has the same noun everywhere, and
// docs/words.md lists exactly the existing flags.
func TestFlagsMeanOneThing(t *testing.T) {
	race.Skip(t)
	rows := readFlags(t)
	var c commands
	parser, err := grammar(&c, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]reflect.Type{}
	used := map[string]bool{}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, f := range n.Flags {
			where := n.Path() + " --" + f.Name
			row, ok := rows[f.Name]
			if !ok {
				t.Errorf("%s has no row in docs/words.md", where)
				continue
			}
			used[f.Name] = true
			if f.PlaceHolder != row.value {
				t.Errorf("%s takes %q, docs/words.md says %q", where, f.PlaceHolder, row.value)
			}
			if !strings.Contains(strings.ToLower(f.Help), row.word) {
				t.Errorf("%s: the help has no word %q: %s", where, row.word, f.Help)
			}
			kind := f.Target.Type()
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			if before := kinds[f.Name]; before != nil && before != kind {
				t.Errorf("%s is a %v, and a %v in another command", where, kind, before)
			}
			kinds[f.Name] = kind
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if !used[name] {
			t.Errorf("docs/words.md has --%s, and no command has the flag", name)
		}
	}
}

// readFlags reads the table of flags in docs/words.md.
func readFlags(t *testing.T) map[string]described {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "words.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `--([a-z-]+)(?:=(.+?))?` \\| (.*\\*\\*(.+?)\\*\\*.*) \\|$")
	rows := map[string]described{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		r := described{strings.ReplaceAll(m[2], `\|`, "|"), m[3], strings.ToLower(m[4])}
		if _, twice := rows[m[1]]; twice {
			t.Errorf("docs/words.md has two rows for --%s", m[1])
		}
		for name, other := range rows {
			if other.meaning == r.meaning {
				t.Errorf("docs/words.md gives --%s and --%s one meaning", m[1], name)
			}
		}
		rows[m[1]] = r
	}
	if len(rows) < 50 {
		t.Fatalf("only %d rows of flags in docs/words.md", len(rows))
	}
	return rows
}
