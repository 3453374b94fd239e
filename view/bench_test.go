package view_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/view"
	"github.com/meadow-nav/meadow/view/gallery"
)

// benchPage writes a page that builds, and returns the file.
func benchPage(t testing.TB, begin view.Begin) string {
	t.Helper()
	var page, still bytes.Buffer
	if err := png.Encode(&still, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	if err := view.WriteBench(&page, view.Page{Title: "Meadow", Picture: still.Bytes(), Alt: "a picture"}, begin); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bench.html")
	if err := os.WriteFile(file, page.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestBuildOnPage opens a page that builds from the file system: it makes its level, builds the mesh, and builds another one when
// the slider of the radius moves.
func TestBuildOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	b := open(t, benchPage(t, view.Begin{Kind: "arch"}), "")
	first := b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	b.shot("bench")
	eval[bool](b, `(() => { const s = document.getElementById("slider-radius"); s.value = "0.8"; s.dispatchEvent(new Event("input")); return true; })()`)
	second := b.until("another build", func(s state) bool { return s.Builds > first.Builds })
	if again := eval[bool](b, "Boolean(meadowApp.scene.head.sections.levelPoints)"); again {
		t.Error("the second mesh comes with the triangles of the level, which the page has")
	}
	if text := eval[string](b, "document.querySelector('header p').textContent"); second.Count == 0 || text == "" {
		t.Errorf("the second mesh has %d regions, and the page says %q", second.Count, text)
	}
	if n := colors(b.shot("bench-radius")); n < 50 {
		t.Errorf("the scene has %d colours, want the level and its regions", n)
	}
}

// TestExamplesOnPage runs examples on one page: each ends with a mesh, and with what it promises on the scene.
func TestExamplesOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	b := open(t, benchPage(t, view.Begin{}), "")
	b.until("start", func(s state) bool { return s.Examples >= 15 })
	eval[bool](b, "document.getElementById('tab-examples').click() ?? true")
	for _, e := range gallery.List() {
		if os.Getenv(shotsVariable) == "" && !slices.Contains([]string{"doors", "crates", "doorway", "growth", "duel", "dungeon"}, e.Name) {
			continue
		}
		eval[bool](b, fmt.Sprintf("document.querySelector('[data-name=%s]').click() ?? true", e.Name))
		s := b.until(e.Name, func(s state) bool { return s.Example == e.Name })
		if path := e.Name != "growth" && e.Name != "duel"; s.Count == 0 || s.Complete != path {
			t.Errorf("%s: %d regions, the path complete: %v", e.Name, s.Count, s.Complete)
		}
		// The paths are those that the programs print.
		if want := map[string]float64{"doors": 28.44, "crates": 13.03, "dungeon": 14.95}[e.Name]; want > 0 && math.Abs(s.Length-want) > 0.01 {
			t.Errorf("%s: the path is %.2f m, want %.2f", e.Name, s.Length, want)
		}
		b.shot("example-" + e.Name)
	}
}
