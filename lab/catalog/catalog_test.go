package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	names := Names()
	if names[0] != Default {
		t.Errorf("the first name is %q, want the default %q", names[0], Default)
	}
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			t.Errorf("%q is listed twice", n)
		}
		g, err := New(n)
		if err != nil || g.Name() != n {
			t.Errorf("New(%q) = %v, %v", n, g, err)
		}
	}
}

func TestNewDefault(t *testing.T) {
	if g, err := New(""); err != nil || g.Name() != Default {
		t.Errorf("New(\"\") = %v, %v, want %q", g, err, Default)
	}
}

func TestNewUnknown(t *testing.T) {
	_, err := New("voronoy")
	if err == nil || !strings.Contains(err.Error(), `"voronoy"`) {
		t.Fatalf("error %v does not name what was asked for", err)
	}
	for _, n := range Names() {
		if !strings.Contains(err.Error(), n) {
			t.Errorf("error %q does not list %s", err, n)
		}
	}
}

func TestLimited(t *testing.T) {
	for _, want := range limited {
		name := want.Name()
		if g, err := New(name); err != nil || g.Name() != name {
			t.Errorf("New(%q) = %v, %v", name, g, err)
		}
		if slices.Contains(Names(), name) {
			t.Errorf("%q is listed with those that take every domain", name)
		}
	}
}
