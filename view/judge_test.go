package view_test

import (
	"fmt"
	"image"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/meadow-nav/meadow/view"
)

// wait waits until the value of a feature in the page's state is as wanted.
func wait[T any](b *browser, feature string, ok func(T) bool) T {
	b.t.Helper()
	return await(b, feature, 0, func() T { return value[T](b, fmt.Sprintf("globalThis.meadowState()[%q] ?? null", feature)) }, ok)
}

// press clicks an element of the page by its selector.
func (b *browser) press(selector string) {
	b.t.Helper()
	if !eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e?.dispatchEvent(new MouseEvent("click", { bubbles: true })); return e !== null; })()`, selector)) {
		b.t.Fatalf("the page has no %s", selector)
	}
}

// choose sets a field of the page to a value, as its user would.
func (b *browser) choose(id, value string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("input")); e.dispatchEvent(new Event("change")); return true; })()`, id, value))
}

// near counts the pixels of a picture with about a colour, in a part of the page.
func near(p image.Image, part image.Rectangle, red, green, blue int) int {
	count := 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := p.At(x, y).RGBA()
			if far := func(v uint32, want int) bool { d := int(v>>8) - want; return d < -30 || d > 30 }; !far(r, red) && !far(g, green) && !far(b, blue) {
				count++
			}
		}
	}
	return count
}

type (
	judgeState struct {
		Charts, Rival, Lit int
		Picked             *struct{ Chart, Bar int }
	}
	duelState struct {
		Name    string
		Regions int
		Lengths [2]*float64
		Views   []struct{ Left, Top, Width, Height float64 }
	}
	findingsState struct {
		Count, Verdicts int
		Kinds           []string
		Marked          *[3]float64
	}
)

// TestJudgeOnPage: a bar that is picked lights up its regions, a second mesh stands beside the first under the same camera with a path
// of the same length, and a finding is flown to.
func TestJudgeOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	b := onServer(t, view.Begin{Kind: "tower"})
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	b.press("#tab-judge")
	wait(b, "judge", func(s judgeState) bool { return s.Charts == 6 })
	plain := b.shot("judge")
	if n := near(plain, middle, 255, 168, 40); n > 50 {
		t.Errorf("%d pixels are lit before a bar is picked", n)
	}
	// The fullest bar of the sizes.
	bar := eval[int](b, `(() => { const all = [...document.querySelectorAll('[data-chart="0"] [data-bar]')]; all.sort((a, b) => b.dataset.count - a.dataset.count); return +all[0].dataset.bar; })()`)
	b.press(fmt.Sprintf(`[data-chart="0"] [data-bar="%d"]`, bar))
	picked := wait(b, "judge", func(s judgeState) bool { return s.Picked != nil })
	if picked.Lit == 0 || picked.Picked.Bar != bar {
		t.Errorf("picked %+v, want bar %d with regions", picked, bar)
	}
	if n := near(b.shot("judge-bar"), middle, 255, 168, 40); n < 200 {
		t.Errorf("%d pixels are lit after a bar was picked", n)
	}

	// A second mesh.
	before := b.state()
	b.choose("choice-rival", "delaunay")
	two := wait(b, "duel", func(s *duelState) bool { return s != nil })
	if two.Name != "delaunay" || two.Regions <= before.Count || len(two.Views) != 2 {
		t.Errorf("the second mesh is %+v beside %d regions", two, before.Count)
	}
	wait(b, "judge", func(s judgeState) bool { return s.Rival == 6 })
	eval[bool](b, `(() => { const a = meadowApp, p = (r) => { const m = a.scene.floats("regionMiddles"), c = a.scene.head.center; return [m[3*r]+c[0], m[3*r+1]+c[1], m[3*r+2]+c[2]]; };
		a.ends.start = p(0); a.ends.goal = p(a.scene.bytes("regionStoreys").length - 1); a.find(); return true; })()`)
	two = wait(b, "duel", func(s *duelState) bool { return s != nil && s.Lengths[0] != nil && s.Lengths[1] != nil })
	if first, second := *two.Lengths[0], *two.Lengths[1]; first < 1 || first-second > 0.02*first || second-first > 0.02*first {
		t.Errorf("the paths are %v and %v m long", first, second)
	}
	b.shot("duel")
	b.do(chromedp.KeyEvent("1"))
	both := b.shot("duel-mesh")
	if s := b.state(); s.Calls > 60 || s.Calls < 12 {
		t.Errorf("two meshes take %d draw calls, want 12 to 60", s.Calls)
	}
	// The path is red in each view.
	for i, v := range two.Views {
		part := image.Rect(int(v.Left), int(v.Top)+120, int(v.Left+v.Width), int(v.Top+v.Height)-120)
		if n := near(both, part, 214, 40, 57); n < 60 {
			t.Errorf("view %d has %d pixels of the path", i, n)
		}
	}
	b.do(chromedp.KeyEvent("d"))
	b.until("dark", func(s state) bool { return s.Dark })
	b.shot("duel-dark")
	b.do(chromedp.EmulateViewport(390, 844))
	b.shot("duel-phone")
	b.do(chromedp.EmulateViewport(width, height))
	b.do(chromedp.KeyEvent("d"), chromedp.KeyEvent("1"))

	// The floor's judgement is of the second mesh, then of the first.
	b.press("#meadow-findings .tools button")
	wait(b, "findings", func(s findingsState) bool { return s.Verdicts > 5 })
	b.choose("choice-rival", "")
	wait(b, "duel", func(s *duelState) bool { return s == nil })
	eval[bool](b, `(() => { document.getElementById("meadow-findings").scrollIntoView(); return true; })()`)
	b.shot("judge-findings")
}

// TestFlyToFinding: a part that is left out is in the list, and a click on it flies there and marks the place.
func TestFlyToFinding(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	const plates = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\nv 20 0 0\nv 20 0 3\nv 23 0 3\nv 23 0 0\nf 5 6 7 8\n"
	b := onServer(t, view.Begin{File: "plates.obj", Data: []byte(plates)})
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	b.press("#tab-judge")
	wait(b, "findings", func(s findingsState) bool { return s.Count == 1 && s.Kinds[0] == "dropped" })
	eval[bool](b, `(() => { for (const d of document.querySelectorAll("#meadow-findings details")) d.open = true; document.getElementById("meadow-findings").scrollIntoView(); return true; })()`)
	before := b.shot("finding-before")
	b.press("#meadow-findings .finds button")
	at := wait(b, "findings", func(s findingsState) bool { return s.Marked != nil })
	if x := at.Marked[0]; x < 19 || x > 24 {
		t.Errorf("the mark is at %v, want on the second plate", at.Marked)
	}
	after := b.shot("finding")
	if n, had := near(after, middle, 194, 24, 91), near(before, middle, 194, 24, 91); n < had+100 {
		t.Errorf("%d pixels of the mark, %d before", n, had)
	}
}
