package view_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/meadow-nav/meadow/view"
)

type playbackState struct {
	Frame, Frames               int
	Playing                     bool
	Regions, Triangles, Strokes int
}

// TestPlaybackOnPage: a growth method plays, pauses, steps by keys and scrubs; regions grow on the page, and notches and portals of
// ANavMG are drawn.
func TestPlaybackOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	b := onServer(t, view.Begin{Kind: "rooms"})
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	b.press("#tab-play")
	b.choose("choice-playback", "pasfv")
	film := *wait(b, "playback", func(s *playbackState) bool { return s != nil })
	if film.Frames < 20 || film.Frame != 0 || film.Regions != 0 {
		t.Fatalf("the film is %+v", film)
	}
	empty := b.shot("growth-empty")
	scrub := func(share float64) playbackState {
		want := int(share * float64(film.Frames-1))
		eval[bool](b, `(() => { const s = document.getElementById("slider-frame"); s.value = String(Math.floor(`+fmt.Sprint(share)+` * s.max)); s.dispatchEvent(new Event("input")); return true; })()`)
		return *wait(b, "playback", func(s *playbackState) bool { return s != nil && s.Frame == want })
	}
	early := scrub(0.05)
	earlyShot := b.shot("growth-early")
	late := scrub(0.5)
	lateShot := b.shot("growth-late")
	if early.Regions == 0 || late.Regions < early.Regions || early.Strokes == 0 {
		t.Errorf("early %+v, late %+v", early, late)
	}
	if a, z := changed(empty, earlyShot), changed(empty, lateShot); a < 0.005 || z < a+0.02 {
		t.Errorf("%.2f %% of the pixels are grown early, %.2f %% late", 100*a, 100*z)
	}
	b.do(chromedp.KeyEvent("."))
	wait(b, "playback", func(s *playbackState) bool { return s.Frame == late.Frame+1 })
	b.do(chromedp.KeyEvent(","))
	wait(b, "playback", func(s *playbackState) bool { return s.Frame == late.Frame })
	b.do(chromedp.KeyEvent("p"))
	wait(b, "playback", func(s *playbackState) bool { return s.Frame > late.Frame+1 && s.Playing })
	b.do(chromedp.KeyEvent("p"))
	wait(b, "playback", func(s *playbackState) bool { return !s.Playing })
	scrub(1)
	b.shot("growth-end")

	b.choose("choice-playback", "anavmg")
	film = *wait(b, "playback", func(s *playbackState) bool { return s != nil && s.Frame == 0 })
	notches := scrub(0.05)
	b.shot("notches")
	portals := scrub(0.9)
	b.do(chromedp.KeyEvent("d"))
	b.shot("portals-dark")
	if notches.Strokes == 0 || portals.Regions == 0 || b.state().Calls > 60 {
		t.Errorf("notches %+v, portals %+v, %d draw calls", notches, portals, b.state().Calls)
	}
	b.choose("choice-playback", "dasfv")
	film = *wait(b, "playback", func(s *playbackState) bool { return s != nil && s.Frame == 0 })
	if change := scrub(0.97); change.Regions == 0 {
		t.Errorf("the change shows %+v", change)
	}
	b.shot("dasfv-dark")
	builds := b.state().Builds
	b.do(chromedp.KeyEvent("b"))
	b.until("another build", func(s state) bool { return s.Builds > builds })
	wait(b, "playback", func(s *playbackState) bool { return s == nil })
	if !b.state().Shown["regions"] {
		t.Error("the regions stay hidden after the playback")
	}
}
