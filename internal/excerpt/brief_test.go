package excerpt

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		in   string
		keep bool
		want string
	}{
		{"plain, with ü and …", false, "plain, with ü and …"},
		{"a\x1b[31mred\x07", false, `a\x1b[31mred\a`},
		{"two\nlines", false, `two\nlines`},
		{"two\nlines\r", true, "two\nlines\\r"},
		{"no \xff UTF-8", false, `no \xff UTF-8`},
		{"turned \u202e round", false, `turned \u202e round`},
		{"the replacement \ufffd itself", false, "the replacement \ufffd itself"},
	} {
		if got := Text(c.in, 1000, c.keep); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTextIsCut(t *testing.T) {
	got := Text("head"+strings.Repeat("ü", 10_000)+"tail", 120, false)
	if !strings.HasPrefix(got, "headü") || !strings.HasSuffix(got, "ütail") || !strings.Contains(got, "bytes) …") || len(got) > 160 {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	if got := Text(strings.Repeat("\x00", 1000), 100, false); len(got) > 500 {
		t.Errorf("%d bytes of escapes", len(got))
	}
}
