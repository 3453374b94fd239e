package view_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/meadow-nav/meadow/view"
)

type stageState []struct {
	Name                       string
	Triangles, Strokes, Labels int
}

// TestStagesOnPage: every stage of a build is a layer that people see, layers stay when the mesh is built anew, and all together keep
// the bound of draw calls, also beside a second mesh.
func TestStagesOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	b := onServer(t, view.Begin{Kind: "arch"})
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	b.press("#tab-stages")
	plain := b.shot("stages")
	count := 0
	for _, layer := range []string{"sheets", "blocked", "border", "dropped", "outline", "seams", "widths", "clearance", "heights", "terrain"} {
		b.press("#box-stage-" + layer)
		now := wait(b, "stages", func(s stageState) bool { return len(s) == 1 && s[0].Name == layer })
		if now[0].Triangles+now[0].Strokes > 0 {
			count++
			if share := changed(plain, b.shot("stage-"+layer)); share < 0.0005 && layer != "dropped" {
				t.Errorf("%s changes %.3f %% of the pixels", layer, 100*share)
			}
		}
		if layer == "widths" {
			wait(b, "written", func(n int) bool { return n > 0 })
		}
		b.press("#box-stage-" + layer)
		wait(b, "stages", func(s stageState) bool { return len(s) == 0 })
	}
	if count < 8 {
		t.Errorf("%d of 10 stages have something to show on this level", count)
	}
	for _, layer := range []string{"sheets", "border", "outline", "seams", "widths", "clearance", "heights", "terrain"} {
		b.press("#box-stage-" + layer)
	}
	wait(b, "stages", func(s stageState) bool { return len(s) == 8 })
	b.choose("choice-rival", "delaunay")
	wait(b, "duel", func(s *duelState) bool { return s != nil })
	b.shot("stages-duel")
	if s := b.state(); s.Calls > 60 {
		t.Errorf("%d draw calls with all layers and two meshes, at most 60", s.Calls)
	}
	builds := b.state().Builds
	b.choose("slider-radius", "0.6")
	b.until("another build", func(s state) bool { return s.Builds > builds })
	wait(b, "stages", func(s stageState) bool { return len(s) == 8 })
	b.choose("choice-rival", "")
	b.do(chromedp.KeyEvent("d"))
	b.press("#box-wireframe")
	b.shot("stages-wire-dark")
}
