package bench

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFlags checks that flags are read and that positional arguments are errors.
func TestFlags(t *testing.T) {
	for args, want := range map[string]string{"-n 3": "", "-n 3 more": `unexpected "more"`, "-m": "not defined"} {
		f := NewFlags("test", io.Discard)
		n := f.Int("n", 1, "a number")
		switch err := f.Parse(strings.Fields(args)); {
		case want == "" && (err != nil || *n != 3):
			t.Errorf("%q: %d, %v", args, *n, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

// TestLimited checks work that ends, panics, heeds its deadline, or ignores it.
func TestLimited(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	for name, c := range map[string]struct {
		limit time.Duration
		work  func(ctx context.Context) error
		want  string
	}{
		"ends":   {time.Hour, func(context.Context) error { return errors.New("done") }, "done"},
		"panics": {time.Hour, func(context.Context) error { panic("broken") }, "panic: broken"},
		"heeds":  {time.Nanosecond, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, "deadline exceeded"},
	} {
		got := Limited(t.Context(), c.limit, time.Hour, c.work, func(err error) error { return err })
		if got == nil || !strings.Contains(got.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, got, c.want)
		}
	}
	got := Limited(t.Context(), time.Nanosecond, time.Nanosecond, func(context.Context) error { <-stuck; return nil }, func(err error) error { return err })
	if got == nil || !strings.Contains(got.Error(), "no end") {
		t.Errorf("stuck: %v", got)
	}
}

// TestLines checks that a file continues after its last whole line, and that errors of read come back.
func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	for i, cut := range []string{"", "3", ""} {
		var got []string
		l, err := OpenLines(path, func(n int, line []byte) error {
			if n != len(got) {
				t.Errorf("line %d is number %d", len(got), n)
			}
			got = append(got, strings.TrimSpace(string(line)))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"0", "1"}[:i]; !slices.Equal(got, want) {
			t.Errorf("opening %d: lines %q, want %q", i, got, want)
		}
		if err := errors.Join(l.Append(i), l.Close()); err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(cut); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "0\n1\n2\n" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	refused := errors.New("refused")
	if _, err := OpenLines(path, func(n int, _ []byte) error {
		if n == 1 {
			return refused
		}
		return nil
	}); !errors.Is(err, refused) {
		t.Errorf("a refused line: %v", err)
	}
	var none *Lines
	if err := errors.Join(none.Append(1), none.Close()); err != nil {
		t.Errorf("no file: %v", err)
	}
}
