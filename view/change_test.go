package view_test

import (
	"fmt"
	"image"
	"math"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/view"
)

// pixel is a place of the page.
type pixel struct{ X, Y float64 }

// changes is what the page tells tests of the level under change.
type changes struct {
	Length   float64
	Complete bool
	Count    int
	Calls    int
	Change   struct {
		Things []struct {
			ID string
			At [3]float64
		}
		Closed      []string
		OnPage      []pixel
		DoorsOnPage []pixel
		Doors       []struct{ Name, Kind string }
		Syncing     bool
		Flashes     int
		Glow        float64
		Last        *struct{ Microseconds float64 }
	}
}

// waitFor waits for a state of the page.
func waitFor[T any](b *browser, what string, ok func(T) bool) T {
	b.t.Helper()
	return await(b, what, 15*time.Second, func() T { return read[T](b) }, ok)
}

// pressLabel clicks a control by its name for screen readers.
func (b *browser) pressLabel(label string) {
	b.t.Helper()
	if !eval[bool](b, fmt.Sprintf(`(() => { const e = [...document.querySelectorAll("button")].find((e) => e.getAttribute("aria-label") === %q && !e.disabled); e?.click(); return Boolean(e); })()`, label)) {
		b.t.Fatalf("no control is called %q", label)
	}
}

// nearPixel reports whether most of a small square around a place of the picture has a colour like the given one.
func nearPixel(p image.Image, at pixel, like func(r, g, b int) bool) bool {
	count := 0
	for dy := -3; dy <= 3; dy++ {
		for dx := -3; dx <= 3; dx++ {
			r, g, b, _ := p.At(int(at.X)+dx, int(at.Y)+dy).RGBA()
			if like(int(r>>8), int(g>>8), int(b>>8)) {
				count++
			}
		}
	}
	return count > 20
}

func wooden(r, g, b int) bool { return r > g+15 && g > b+25 }

// TestChangeOnPage drops a crate on the path, drags it, takes it back and makes it again, closes the door and opens it: the path
// follows at once, and the picture shows the crate and the floor that glows.
func TestChangeOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	b := onServer(t, view.Begin{Kind: "halls"})
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	west, east, _, _ := levelgen.HallsWalks()
	eval[bool](b, fmt.Sprintf(`(() => { const { ends } = meadowApp; ends.start = [%v, %v, %v]; ends.goal = [%v, %v, %v]; void meadowApp.find(); return true; })()`,
		west.X, west.Y, west.Z, east.X, east.Y, east.Z))
	first := waitFor(b, "path", func(s changes) bool { return s.Complete && len(s.Change.Doors) > 0 })
	b.pressLabel("Change")
	b.do(chromedp.KeyEvent("t"))
	b.settle()

	// A click on the path drops a crate there.
	at := eval[pixel](b, `meadowApp.pageOf(meadowApp.ends.start.map((v, k) => v + 0.72 * (meadowApp.ends.goal[k] - v)))`)
	before := b.shot("change-before")
	b.do(chromedp.MouseClickXY(at.X, at.Y))
	dropped := waitFor(b, "crate", func(s changes) bool {
		return len(s.Change.Things) == 1 && s.Change.Last != nil && s.Length > first.Length
	})
	glowing := b.shot("change-crate")
	if !dropped.Complete || dropped.Length > first.Length+4 {
		t.Errorf("the path is %v m around the crate, and %v m without", dropped.Length, first.Length)
	}
	if !nearPixel(glowing, dropped.Change.OnPage[0], wooden) || nearPixel(before, dropped.Change.OnPage[0], wooden) {
		t.Error("the picture has no crate where it was dropped")
	}
	// The new floor glows for a moment; here the same is held.
	if after := waitFor(b, "end of the glow", func(s changes) bool { return s.Change.Glow == 0 }); after.Change.Flashes == 0 {
		t.Error("the new floor has not glowed")
	}
	eval[bool](b, `(meadowApp.stage.flash(new Set(meadowState().change.last.fresh), 1), true)`)
	orange := 0
	held := b.shot("change-glow")
	eachPixel(func(x, y int) {
		if r, g, b, _ := held.At(x, y).RGBA(); r>>8 > 200 && g>>8 > 90 && g>>8 < 170 && b>>8 < 90 {
			orange++
		}
	})
	if orange < 500 {
		t.Errorf("%d pixels glow, want the floor around the crate", orange)
	}
	eval[bool](b, `(meadowApp.stage.flash(new Set(), 0), true)`)
	if share := changed(before, glowing); share < 0.005 {
		t.Errorf("the crate and its floor change %.2f %% of the pixels", 100*share)
	}
	if text := eval[string](b, "document.getElementById('meadow-figures').textContent"); dropped.Change.Last.Microseconds <= 0 && dropped.Change.Flashes == 0 {
		t.Errorf("the page tells no latency: %q", text)
	}

	// A drag moves it, and the path is as short as before.
	from := dropped.Change.OnPage[0]
	b.do(chromedp.MouseEvent(chromedp.MousePressed, from.X, from.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	for i := 1; i <= 5; i++ {
		b.do(chromedp.MouseEvent(chromedp.MouseMoved, from.X, from.Y-12*float64(i), chromedp.ButtonLeft))
	}
	b.do(chromedp.MouseEvent(chromedp.MouseReleased, from.X, from.Y-60, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	moved := waitFor(b, "drag", func(s changes) bool {
		return !s.Change.Syncing && len(s.Change.OnPage) == 1 && math.Abs(s.Change.OnPage[0].Y-from.Y) > 30
	})
	if len(moved.Change.Things) != 1 {
		t.Errorf("a drag leaves %d things", len(moved.Change.Things))
	}

	// One undo takes back the drag, a second one the crate; redo makes both again.
	key := func(k string, mod ...chromedp.Modifier) {
		b.do(chromedp.KeyEvent(k, chromedp.KeyModifiers(append(mod, chromedp.ModifierCtrl)...)))
	}
	key("z")
	waitFor(b, "undo of the drag", func(s changes) bool { return s.Length == dropped.Length })
	key("z")
	gone := waitFor(b, "undo of the crate", func(s changes) bool { return len(s.Change.Things) == 0 && s.Length == first.Length })
	if gone.Count != first.Count {
		t.Errorf("%d regions after undo, %d before", gone.Count, first.Count)
	}
	key("z", chromedp.ModifierShift)
	waitFor(b, "redo", func(s changes) bool { return s.Length == dropped.Length })
	b.do(chromedp.MouseClickXY(from.X, from.Y), chromedp.KeyEvent(kb.Delete))
	waitFor(b, "removal", func(s changes) bool { return len(s.Change.Things) == 0 && s.Length == first.Length })

	// A click on the door closes it, and the box in the list opens it.
	door := first.Change.Doors[0]
	place := read[changes](b).Change.DoorsOnPage[0]
	b.do(chromedp.MouseClickXY(place.X, place.Y))
	closed := waitFor(b, "closed door", func(s changes) bool { return len(s.Change.Closed) == 1 && (!s.Complete || s.Length > first.Length) })
	if closed.Calls > 60 {
		t.Errorf("%d draw calls", closed.Calls)
	}
	if !nearPixel(b.shot("change-door"), place, func(r, g, b int) bool { return r > g+30 && r > b+20 }) {
		t.Error("the closed door is not red on the picture")
	}
	eval[bool](b, fmt.Sprintf(`(document.getElementById("door-" + %q).click(), true)`, door.Name))
	waitFor(b, "open door", func(s changes) bool { return len(s.Change.Closed) == 0 && s.Length == first.Length })

	// Things stay when the mesh is built anew.
	b.do(chromedp.MouseClickXY(at.X, at.Y))
	waitFor(b, "another crate", func(s changes) bool { return len(s.Change.Things) == 1 && s.Length > first.Length })
	eval[bool](b, `(() => { const s = document.getElementById("slider-radius"); s.value = "0.35"; s.dispatchEvent(new Event("input")); return true; })()`)
	b.until("another build", func(s state) bool { return s.Builds == 2 })
	waitFor(b, "the crate in another mesh", func(s changes) bool {
		return len(s.Change.Things) == 1 && !s.Change.Syncing && s.Complete && s.Length > first.Length
	})
	b.do(chromedp.KeyEvent("d"))
	b.shot("change-dark")
	b.do(chromedp.EmulateViewport(390, 844))
	b.shot("change-phone")
}

// gathering is what the page tells tests of its crowd.
type gathering struct {
	Calls int
	Crowd struct {
		Running, Paused              bool
		Steps, Cells, Strokes, Drawn int
		Sources, Goals               int
		PerSecond, PerWalker         float64
		Places                       []float32
		Last                         *struct{ Walkers, Arrived, Stuck int }
	}
}

// TestCrowdOnPage paints a source and a goal, and starts walkers: they come, walk and arrive; they walk round a crate that is dropped among
// them and wait where the door is closed. The picture shows them, their density and their tracks.
func TestCrowdOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	b := onServer(t, view.Begin{Kind: "halls"})
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	b.pressLabel("Crowd")
	b.do(chromedp.KeyEvent("t"))
	b.settle()
	west, east, _, _ := levelgen.HallsWalks()
	page := func(x, y, z float64) pixel {
		return eval[pixel](b, fmt.Sprintf(`meadowApp.pageOf([%v, %v, %v])`, x, y, z))
	}
	from, to := page(west.X, west.Y, west.Z), page(east.X, east.Y, east.Z)
	empty := b.shot("crowd-empty")
	b.do(chromedp.MouseClickXY(from.X, from.Y))
	waitFor(b, "source", func(s gathering) bool { return s.Crowd.Sources == 1 })
	b.pressLabel("Walkers go here")
	b.do(chromedp.MouseClickXY(to.X, to.Y))
	waitFor(b, "goal", func(s gathering) bool { return s.Crowd.Goals == 1 })
	eval[bool](b, `(() => { const s = document.getElementById("slider-crowd-count"); s.value = "60"; s.dispatchEvent(new Event("input")); document.getElementById("slider-crowd-rate").value = "20"; document.getElementById("slider-crowd-rate").dispatchEvent(new Event("input")); return true; })()`)
	b.pressLabel("Start the crowd")
	eval[bool](b, `(document.getElementById("box-crowd-density").click(), document.getElementById("box-crowd-tracks").click(), true)`)
	walking := waitFor(b, "arrivals", func(s gathering) bool {
		return s.Crowd.Last != nil && s.Crowd.Last.Arrived > 0 && s.Crowd.Cells > 5 && s.Crowd.Strokes > 20 && s.Crowd.PerSecond > 0
	})
	if walking.Crowd.PerWalker <= 0 || walking.Crowd.Drawn != 60 || walking.Calls > 60 {
		t.Errorf("the crowd tells %+v, in %d draw calls", walking.Crowd, walking.Calls)
	}
	full := b.shot("crowd")
	if share := changed(empty, full); share < 0.02 {
		t.Errorf("the crowd changes %.2f %% of the pixels", 100*share)
	}
	// Pause holds everybody.
	b.pressLabel("Pause the crowd")
	b.settle()
	held := waitFor(b, "pause", func(s gathering) bool { return s.Crowd.Paused })
	b.settle()
	if later := read[gathering](b); later.Crowd.Steps > held.Crowd.Steps+1 {
		t.Errorf("%d steps during the pause", later.Crowd.Steps-held.Crowd.Steps)
	}
	b.pressLabel("Pause the crowd")

	// The door closes, through the other tab: who has not passed it turns to the gallery. The number of arrivals goes on by that way only.
	b.pressLabel("Change")
	eval[bool](b, `(() => { for (const e of document.querySelectorAll("#page-change input[id^=door-]")) if (!e.id.includes("runner")) e.click(); return true; })()`)
	waitFor(b, "closed doors", func(s changes) bool { return len(s.Change.Closed) == 4 && !s.Change.Syncing })
	// Patience lasts some twenty seconds of the crowd's own time, which a slow machine does not keep up with.
	await(b, "people who are stuck", time.Minute, func() gathering { return read[gathering](b) }, func(s gathering) bool { return s.Crowd.Last.Stuck > 0 })
	b.shot("crowd-closed")
	b.pressLabel("Crowd")
	b.pressLabel("End the crowd")
	waitFor(b, "end", func(s gathering) bool { return !s.Crowd.Running && s.Crowd.Drawn == 0 && s.Crowd.Strokes == 0 })
}
