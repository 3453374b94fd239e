package view_test

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/meadow-nav/meadow/view"
)

type askState struct {
	Ways []struct {
		Name     string
		Found    bool
		Length   float64
		Expanded int
	}
	Drawn int
	Nodes bool
	Ray   *struct {
		Hit          bool
		Length, Wall float64
	}
	Grounds int
	Costs   []float64
}

// swamp is a field with a swamp in the middle, which the shortest path crosses.
const swamp = `v 0 0 0
v 0 0 20
v 8 0 0
v 8 0 20
v 8 0 15
v 12 0 15
v 12 0 0
v 12 0 20
v 20 0 0
v 20 0 20
usemtl grass
f 1 2 5 3
f 2 4 5
f 5 4 8 6
f 6 8 10
f 7 6 10 9
usemtl mud
f 3 5 6 7
`

// TestAskOnPage: other searches are compared and drawn, a ray follows the pointer, and a dear ground turns the path away live.
func TestAskOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	b := onServer(t, view.Begin{File: "swamp.obj", Data: []byte(swamp)})
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	b.press("#box-terrain")
	wait(b, "ask", func(s askState) bool { return s.Grounds == 2 })
	eval[bool](b, `(() => { const a = meadowApp; a.ends.start = [2, 0, 10]; a.ends.goal = [18, 0, 10]; a.find(); return true; })()`)
	straight := b.until("path", func(s state) bool { return s.Complete })
	b.press("#tab-ask")
	before := b.shot("ask-before")
	b.press("#box-compare")
	now := wait(b, "ask", func(s askState) bool { return len(s.Ways) > 8 && s.Drawn > 2 })
	for _, w := range now.Ways {
		// The searches of lab/search go from middle to middle of regions, not from pin to pin.
		pins := !slices.Contains([]string{"A*", "Dijkstra", "Fringe", "two-way A*"}, w.Name)
		if !w.Found || pins && w.Length < straight.Length-0.01 {
			t.Errorf("%+v beside the shortest path of %.2f m", w, straight.Length)
		}
	}
	b.choose("choice-nodes", "A*")
	wait(b, "ask", func(s askState) bool { return s.Nodes })
	if share := changed(before, b.shot("ask-ways")); share < 0.002 {
		t.Errorf("other ways and nodes change %.3f %% of the pixels", 100*share)
	}
	b.press("#box-ray")
	b.press("#box-wall")
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, 470, 330))
	ray := wait(b, "ask", func(s askState) bool { return s.Ray != nil })
	if ray.Ray.Length <= 0 || ray.Ray.Wall < 0 {
		t.Errorf("the ray is %+v", ray.Ray)
	}
	picture := b.shot("ask-ray")
	if n := near(picture, middle, 0, 158, 115); n < 40 {
		t.Errorf("the ray has %d pixels", n)
	}
	// Mud at eight times the price.
	eval[bool](b, `(() => { for (const s of document.querySelectorAll("input[id^=slider-cost-]")) if (s.previousElementSibling.textContent.startsWith("mud")) { s.value = "3"; s.dispatchEvent(new Event("input")); } return true; })()`)
	around := b.until("dear mud", func(s state) bool { return s.Complete && s.Length > straight.Length+1 })
	if around.Calls > 60 {
		t.Errorf("%d draw calls", around.Calls)
	}
	b.shot("ask-costs")
	b.do(chromedp.KeyEvent("d"))
	b.do(chromedp.EmulateViewport(390, 844))
	b.shot("ask-phone-dark")
}
