package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/lab/topview"
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
		g, err := Generator(n)
		if err != nil || g.Name() != n {
			t.Errorf("Generator(%q) = %v, %v", n, g, err)
		}
	}
}

func TestGeneratorDefault(t *testing.T) {
	if g, err := Generator(""); err != nil || g.Name() != Default {
		t.Errorf("Generator(\"\") = %v, %v, want %q", g, err, Default)
	}
}

func TestGeneratorUnknown(t *testing.T) {
	_, err := Generator("voronoy")
	if err == nil || !strings.Contains(err.Error(), `"voronoy"`) {
		t.Fatalf("error %v does not name what was asked for", err)
	}
	for _, n := range Names() {
		if !strings.Contains(err.Error(), n) {
			t.Errorf("error %q does not list %s", err, n)
		}
	}
}

func TestUnlisted(t *testing.T) {
	for _, name := range slices.Concat(Limited(), Published()) {
		g, err := Generator(name)
		if err != nil || g.Name() != name {
			t.Errorf("Generator(%q) = %v, %v", name, g, err)
		}
		if slices.Contains(Names(), name) {
			t.Errorf("%q is listed with those that take every domain", name)
		}
		if _, err := Generator("voronoy"); !strings.Contains(err.Error(), name) {
			t.Errorf("error %q does not list %s", err, name)
		}
	}
	if !slices.Equal(Limited(), []string{"optimal"}) || !slices.Equal(Published(), []string{"wavefront-published"}) {
		t.Errorf("limited: %v, published: %v", Limited(), Published())
	}
}

func TestExtractors(t *testing.T) {
	names := Extractors()
	if names[0] != DefaultExtractor {
		t.Errorf("the first name is %q, want the default %q", names[0], DefaultExtractor)
	}
	names = append(names, LimitedExtractors()...)
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			t.Errorf("%q is listed twice", n)
		}
		x, err := Extractor(n, 0)
		if err != nil || x.Name() != n {
			t.Errorf("Extractor(%q) = %v, %v", n, x, err)
		}
	}
	if x, err := Extractor("", 0); err != nil || x.Name() != DefaultExtractor {
		t.Errorf("Extractor(\"\") = %v, %v, want %q", x, err, DefaultExtractor)
	}
	if x, err := Extractor("raster", 0.1); err != nil || x != (raster.Extractor{CellSize: 0.1}) {
		t.Errorf("the raster extractor has lost its cells: %v, %v", x, err)
	}
	if x, err := Extractor("topview", 0.1); err != nil || x != (topview.Extractor{CellSize: 0.1}) {
		t.Errorf("the view from above has lost its pixels: %v, %v", x, err)
	}
	_, err := Extractor("rastre", 0)
	if err == nil || !strings.Contains(err.Error(), `"rastre"`) || !strings.Contains(err.Error(), "brep, topview") {
		t.Errorf("error %v does not say what was asked for and what there is", err)
	}
}
