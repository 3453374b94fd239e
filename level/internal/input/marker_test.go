package input

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

func TestParseMarker(t *testing.T) {
	for _, c := range []struct {
		text, kind, name string
		ok               bool
	}{
		{"marker:door:front gate", "door", "front gate", true},
		{"marker:door", "door", "", true},
		{"marker: door : a:b ", "door", "a:b", true},
		{"marker:", "", "", true},
		{"marker::just a name", "", "just a name", true},
		{"Marker:door", "", "", false},
		{"a marker:door", "", "", false},
		{"", "", "", false},
	} {
		kind, name, ok := ParseMarker(c.text)
		if kind != c.kind || name != c.name || ok != c.ok {
			t.Errorf("ParseMarker(%q) = %q, %q, %v", c.text, kind, name, ok)
		}
		if !ok {
			continue
		}
		again, name, _ := ParseMarker(MarkerName(level.Marker{Kind: kind, Name: name}))
		if again != kind || name != c.name {
			t.Errorf("%q comes back as %q, %q", c.text, again, name)
		}
	}
	if s := MarkerName(level.Marker{Kind: "a:b", Name: "c"}); s != "marker:a_b:c" {
		t.Errorf("Format with a colon in the kind = %q", s)
	}
}

func TestHull(t *testing.T) {
	var h Hull
	a, b := geom.Vec{X: 1}, geom.Vec{Y: 1}
	for _, v := range []geom.Vec{a, b, a, b, {}} {
		h.Add(v)
	}
	if want := []geom.Vec{a, b, {}}; !slices.Equal(h.Points, want) {
		t.Errorf("hull %v, want %v", h.Points, want)
	}
}
