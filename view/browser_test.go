package view_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/view"
)

// The page of these tests in pixels, and the folder for their pictures, if its variable is set.
const (
	width, height = 1000, 640
	shotsVariable = "MEADOW_SHOTS"
)

// browser is a page in Chromium, with all that it said and asked for.
type browser struct {
	t   testing.TB
	ctx context.Context

	lock     sync.Mutex
	messages []string // errors and warnings of the console
	requests []string // addresses, without blobs and data of the page itself
	first    string   // the address of the page that was opened
}

// state is what the page tells tests of its scene.
type state struct {
	Ready            bool
	Frames           int
	Calls, Triangles int
	Length           float64
	Complete         bool
	Regions, Numbers []int
	Start, Goal      *struct{ X, Y float64 }
	StartPoint       [3]float64
	GoalPoint        [3]float64
	Shown            map[string]bool
	Dark             bool
	Count, Builds    int    // regions of the scene, builds on the page
	Example          string // that the page has shown last
	Examples         int    // that the page has
	Cancels          int
	Building         bool
	Opened           *struct {
		Name, Kind string
		Triangles  int
	}
}

// plainOnly skips a test of the committed programs of pages under the race detector, which is in none of the programs.
func plainOnly(t testing.TB) {
	t.Helper()
	if race.Enabled {
		t.Skip("the plain run tests the programs of pages")
	}
}

// findBrowser returns the program of Chromium or Chrome; a test without one is skipped, and says so.
func findBrowser(t testing.TB) string {
	t.Helper()
	plainOnly(t)
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("SKIPPED: no chromium and no google-chrome on this machine; the live page is not tested")
	return ""
}

// open opens a page file in a browser of its own.
func open(t testing.TB, file, fragment string, flags ...chromedp.ExecAllocatorOption) *browser {
	t.Helper()
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	b := visit(t, address.String()+fragment, flags...)
	t.Cleanup(func() {
		b.lock.Lock()
		defer b.lock.Unlock()
		if len(b.requests) != 1 || b.requests[0] != address.String() {
			t.Errorf("the page asks for %q, want itself only", b.requests)
		}
	})
	return b
}

// visit opens an address in a browser of its own.
func visit(t testing.TB, address string, flags ...chromedp.ExecAllocatorOption) *browser {
	t.Helper()
	options := slices.Concat(chromedp.DefaultExecAllocatorOptions[:], []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(findBrowser(t)), chromedp.NoSandbox, chromedp.WindowSize(width, height),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
	}, flags)
	deadline, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	allocator, cancel := chromedp.NewExecAllocator(deadline, options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	b.do(chromedp.EmulateViewport(width, height))
	go func() {
		for m, err := range chromedp.Console(ctx) {
			if err != nil {
				return
			}
			if text := m.String(); m.IsException() || m.Type == "error" || m.Type == "warning" {
				// The software GL of the tests warns of slow reads, which screenshots are.
				if !strings.Contains(text, "GPU stall due to ReadPixels") {
					b.lock.Lock()
					b.messages = append(b.messages, text)
					b.lock.Unlock()
				}
			}
		}
	}()
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, "blob:") && !strings.HasPrefix(e.Request.URL, "data:") {
			b.lock.Lock()
			b.requests = append(b.requests, e.Request.URL)
			b.lock.Unlock()
		}
	}); err != nil {
		t.Fatal(err)
	}
	b.first = address
	b.do(chromedp.Navigate(address))
	t.Cleanup(func() {
		b.lock.Lock()
		defer b.lock.Unlock()
		if len(b.messages) > 0 {
			t.Errorf("the console has %q", b.messages)
		}
	})
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns the value of an expression on the page.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// value returns the value of an expression on the page by way of JSON.
func value[T any](b *browser, expression string) (v T) {
	b.t.Helper()
	if err := json.Unmarshal([]byte(eval[string](b, "JSON.stringify("+expression+")")), &v); err != nil {
		b.t.Fatal(err)
	}
	return v
}

// read returns the parts of the page's state that T knows.
func read[T any](b *browser) T {
	b.t.Helper()
	return value[T](b, "globalThis.meadowState?.() ?? {}")
}

func (b *browser) state() state {
	b.t.Helper()
	return read[state](b)
}

// await asks for a value until it is as wanted. It gives up after limit, or with the browser if limit is 0.
func await[T any](b *browser, what string, limit time.Duration, get func() T, ok func(T) bool) T {
	b.t.Helper()
	for began := time.Now(); ; {
		v := get()
		if ok(v) {
			return v
		}
		if b.ctx.Err() != nil {
			b.t.Fatalf("%s: the page does not get there: %+v, console %q", what, v, b.messages)
		}
		if limit > 0 && time.Since(began) > limit {
			b.shot("failed")
			b.t.Fatalf("%s: the page does not get there: %+v, it says %q", what, v, eval[string](b, "document.querySelector('#meadow-path').textContent"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// until waits for a state of the scene.
func (b *browser) until(what string, ok func(state) bool) state {
	b.t.Helper()
	return await(b, what, 0, b.state, ok)
}

// settle waits until the scene has been drawn with all that was changed.
func (b *browser) settle() {
	b.t.Helper()
	eval[bool](b, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 30))))")
}

// shot returns the page as people see it, and keeps it where the variable asks for pictures.
func (b *browser) shot(name string) image.Image {
	b.t.Helper()
	b.settle()
	file, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if folder := os.Getenv(shotsVariable); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name+".png"), file, 0o666); err != nil {
			b.t.Fatal(err)
		}
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		b.t.Fatal(err)
	}
	return picture
}

// middle is the part of the page that no panel covers.
var middle = image.Rect(300, 100, 720, 480)

// colors is the number of different colours in the middle of a picture.
func colors(p image.Image) int {
	seen := map[[3]uint32]bool{}
	eachPixel(func(x, y int) {
		r, g, b, _ := p.At(x, y).RGBA()
		seen[[3]uint32{r, g, b}] = true
	})
	return len(seen)
}

// changed is the share of pixels in the middle that differ by more than a little.
func changed(p, q image.Image) float64 {
	count := 0
	eachPixel(func(x, y int) {
		pr, pg, pb, _ := p.At(x, y).RGBA()
		qr, qg, qb, _ := q.At(x, y).RGBA()
		far := func(a, b uint32) bool { return max(a, b)-min(a, b) > 0x1000 }
		if far(pr, qr) || far(pg, qg) || far(pb, qb) {
			count++
		}
	})
	return float64(count) / float64(middle.Dx()*middle.Dy())
}

func eachPixel(visit func(x, y int)) {
	for y := middle.Min.Y; y < middle.Max.Y; y++ {
		for x := middle.Min.X; x < middle.Max.X; x++ {
			visit(x, y)
		}
	}
}

// pathPixels counts pixels of the path's red.
func pathPixels(p image.Image) int {
	count := 0
	eachPixel(func(x, y int) {
		r, g, b, _ := p.At(x, y).RGBA()
		if near := func(v uint32, want int) bool { return math.Abs(float64(int(v>>8)-want)) < 12 }; near(r, 214) && near(g, 40) && near(b, 57) {
			count++
		}
	})
	return count
}

// demoPage writes the page of the bundled level, with a path across it, and returns the file, the mesh and both ends.
func demoPage(t *testing.T) (file string, mesh *meadow.Mesh, start, goal geom.Vec) {
	t.Helper()
	lvl, err := levelgen.Generate("demo", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if mesh, err = meadow.Build(t.Context(), lvl, meadow.Agent{}); err != nil {
		t.Fatal(err)
	}
	start, goal = geom.Vec{X: -19.6, Y: 1.93, Z: 19.6}, geom.Vec{X: 4.64, Y: 9, Z: -7.64}
	var page, still bytes.Buffer
	if err := png.Encode(&still, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	if err := view.Write(&page, view.Page{
		Context: t.Context(), Title: "A level, its mesh, a path", Mesh: mesh.Mesh, Level: lvl, Path: true, Start: start, Goal: goal,
		Facts: []view.Fact{{Name: "level", Value: "demo"}}, Picture: still.Bytes(), Alt: "a picture",
	}); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "page with a blank.html")
	if err := os.WriteFile(file, page.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, mesh, start, goal
}

// TestLivePage opens the page of the demo level from the file system and does what people do: drag the goal, pull storeys
// apart, cut, switch layers, use keys. The length on the page is that of Meadow's own query outside of the browser.
func TestLivePage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	file, mesh, start, goal := demoPage(t)
	b := open(t, file, "")
	first := b.until("start", func(s state) bool { return s.Ready && s.Frames > 0 && s.Goal != nil && s.Start != nil })
	want := func(start, goal geom.Vec) float64 {
		path, err := mesh.NewQuery().Path(t.Context(), start, goal)
		if err != nil {
			t.Fatal(err)
		}
		return path.Length
	}
	if !first.Complete || first.Length != want(start, goal) || len(first.Regions) < 40 {
		t.Errorf("the first path: %+v, want length %v", first, want(start, goal))
	}
	if first.Calls < 5 || first.Calls > 60 || first.Triangles < 10000 {
		t.Errorf("%d draw calls for %d triangles, want 5 to 60 for the whole level", first.Calls, first.Triangles)
	}
	whole := b.shot("whole")
	if n := colors(whole); n < 1000 {
		t.Errorf("the scene has %d colours, want a drawn level", n)
	}
	if n := pathPixels(whole); n < 300 {
		t.Errorf("%d pixels have the path's colour", n)
	}

	// Where software draws, a frame in which only the path or the pointer moves is the picture of before with both drawn in it.
	kept := func(fresh bool) {
		t.Helper()
		b.settle()
		if got := eval[bool](b, "meadowApp.stage.still.fresh"); got != fresh {
			t.Errorf("the frame is drawn over the picture of before: %v, want %v", got, fresh)
		}
	}
	eval[bool](b, "(meadowApp.stage.draw(true), true)")
	kept(true)
	if share := changed(whole, b.shot("whole-again")); share > 0.0005 {
		t.Errorf("the picture of before changes %.3f %% of the pixels", 100*share)
	}

	// Drag the goal to a place of the page with floor, in steps, as a hand does.
	b.do(chromedp.MouseEvent(chromedp.MousePressed, first.Goal.X, first.Goal.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	const toX, toY = 460, 400
	for i := 1; i <= 6; i++ {
		f := float64(i) / 6
		b.do(chromedp.MouseEvent(chromedp.MouseMoved, first.Goal.X+f*(toX-first.Goal.X), first.Goal.Y+f*(toY-first.Goal.Y), chromedp.ButtonLeft))
	}
	b.do(chromedp.MouseEvent(chromedp.MouseReleased, toX, toY, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	b.settle()
	dragged := b.until("drag", func(s state) bool { return s.Length != first.Length && s.Complete })
	if dragged.StartPoint != first.StartPoint {
		t.Errorf("dragging the goal moved the start from %v to %v", first.StartPoint, dragged.StartPoint)
	}
	vec := func(p [3]float64) geom.Vec { return geom.Vec{X: p[0], Y: p[1], Z: p[2]} }
	if exact := want(vec(dragged.StartPoint), vec(dragged.GoalPoint)); dragged.Length != exact {
		t.Errorf("the dragged path is %v m long, Meadow says %v", dragged.Length, exact)
	}
	moved := b.shot("dragged")
	b.until("colours of the path", func(state) bool {
		return eval[bool](b, "String(meadowApp.stage.coloured.regions) === String(meadowApp.path.regions)")
	})
	eval[bool](b, "(meadowApp.stage.draw(), true)")
	kept(false)
	anew := b.shot("dragged-anew")
	eval[bool](b, "(meadowApp.stage.draw(true), true)")
	kept(true)
	if share := changed(anew, b.shot("dragged-kept")); share > 0.0005 {
		t.Errorf("a path over the picture of before differs in %.3f %% of the pixels", 100*share)
	}
	if share := changed(whole, moved); share < 0.01 {
		t.Errorf("dragging the goal changed %.2f %% of the pixels", 100*share)
	}

	// A click sets the start.
	b.do(chromedp.MouseClickXY(590, 440))
	clicked := b.until("click", func(s state) bool { return s.StartPoint != dragged.StartPoint })
	if clicked.GoalPoint != dragged.GoalPoint {
		t.Errorf("a click moved the goal from %v to %v", dragged.GoalPoint, clicked.GoalPoint)
	}

	// Hover tells the region.
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, 460, 400))
	b.settle()
	tip := eval[string](b, "document.getElementById('meadow-tip').textContent")
	for _, word := range []string{"region ", "area ", "component ", "height "} {
		if !strings.Contains(tip, word) {
			t.Errorf("the hover says %q, without %q", tip, word)
		}
	}
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 400))

	// The slider pulls storeys apart, the other one cuts.
	before := b.shot("before-apart")
	slide := func(id string, share float64) {
		eval[bool](b, fmt.Sprintf(`(() => { const s = document.getElementById("slider-%s");
			s.value = String(+s.min + %v * (s.max - s.min)); s.dispatchEvent(new Event("input")); return true; })()`, id, share))
	}
	slide("apart", 0.6)
	apart := b.shot("apart")
	if share := changed(before, apart); share < 0.05 {
		t.Errorf("pulling storeys apart changed %.2f %% of the pixels", 100*share)
	}
	slide("apart", 0)
	slide("cut", 0.4)
	if share := changed(before, b.shot("cut")); share < 0.02 {
		t.Errorf("the cut changed %.2f %% of the pixels", 100*share)
	}
	slide("cut", 1)

	// A layer is something that people see. The first picture also shows that storeys and the cut went back.
	for i, layer := range []string{"level", "regions", "portals", "borders", "links", "path", "numbers"} {
		if layer != "portals" && layer != "path" && layer != "numbers" {
			continue
		}
		key := fmt.Sprint(i + 1)
		had := b.state().Shown[layer]
		b.do(chromedp.KeyEvent(key))
		b.until(layer, func(s state) bool { return s.Shown[layer] != had })
		if layer == "numbers" {
			b.until("numbers", func(s state) bool { return len(s.Numbers) > 5 })
		}
		if share := changed(before, b.shot("layer-"+layer)); share < 0.001 || share > 0.15 {
			t.Errorf("layer %s changes %.3f %% of the pixels, want 0.1 to 15", layer, 100*share)
		}
		b.do(chromedp.KeyEvent(key))
	}

	// Keys walk the goal, turn the view and darken the page.
	b.do(chromedp.KeyEvent(kb.ArrowLeft, chromedp.KeyModifiers(chromedp.ModifierShift)))
	walked := b.until("walk", func(s state) bool { return s.GoalPoint != clicked.GoalPoint })
	if d := vec(walked.GoalPoint).Distance(vec(clicked.GoalPoint)); d > 1 {
		t.Errorf("a key moved the goal by %.2f m, want half a metre", d)
	}
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	if share := changed(before, b.shot("turned")); share < 0.05 {
		t.Errorf("turning changed %.2f %% of the pixels", 100*share)
	}
	b.do(chromedp.KeyEvent("d"))
	b.until("dark", func(s state) bool { return s.Dark })
	b.shot("dark")

	if said := eval[string](b, "document.getElementById('meadow-status').textContent"); !strings.Contains(said, "metres through") {
		t.Errorf("screen readers hear %q", said)
	}
	unnamed := eval[int](b, `[...document.querySelectorAll("#meadow-live :is(button, input, canvas:not([aria-hidden]))")]
		.filter((e) => !(e.getAttribute("aria-label") || e.labels?.length)).length`)
	if unnamed != 0 {
		t.Errorf("%d controls have no name", unnamed)
	}
}

// TestPictures draws the pictures of docs/viewer.md, with all that a graphics card would draw, where the variable asks for them.
func TestPictures(t *testing.T) {
	if os.Getenv(shotsVariable) == "" {
		t.Skip("no folder for pictures: ", shotsVariable)
	}
	file, _, _, _ := demoPage(t)
	b := open(t, file, "#fine")
	b.until("start", func(s state) bool { return s.Ready && s.Frames > 0 && s.Goal != nil })
	if n := colors(b.shot("viewer")); n < 1000 {
		t.Errorf("the scene has %d colours", n)
	}
	eval[bool](b, `(() => { const s = document.getElementById("slider-apart"); s.value = "4"; s.dispatchEvent(new Event("input")); return true; })()`)
	b.do(chromedp.KeyEvent("d"), chromedp.KeyEvent("7"))
	b.until("numbers", func(s state) bool { return s.Dark && len(s.Numbers) > 5 })
	eval[bool](b, "document.activeElement.blur() ?? true")
	b.shot("viewer-apart")

	// A crate on the way, and a link from the one hall to the other.
	c := onServerAt(t, view.Begin{Kind: "halls"}, "#fine")
	c.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	west, east, _, _ := levelgen.HallsWalks()
	c.pressLabel("Change")
	eval[bool](c, fmt.Sprintf(`(() => { const { ends, history } = meadowApp; ends.start = [%v, %v, %v]; ends.goal = [%v, %v, %v];
		const at = (x, z) => [x, 0, z];
		history.edit("a link", (d) => d.things.push({ id: "link 1", shape: "link", at: at(-6, 4.5), to: at(3, 4.5), size: [1, 1, 1], yaw: 0, cost: 0, fixed: "jump", name: "", oneWay: true }));
		return true; })()`, west.X, west.Y, west.Z, east.X, east.Y, east.Z))
	c.until("link", func(s state) bool { return s.Builds == 2 && s.Complete && !s.Building })
	eval[bool](c, `(void meadowApp.actions.crate({ at: meadowApp.ends.start.map((v, k) => v + 0.72 * (meadowApp.ends.goal[k] - v)), size: [1, 1, 1] }), true)`)
	waitFor(c, "crate", func(s changes) bool {
		return len(s.Change.Things) == 2 && s.Change.Last != nil && s.Change.Glow == 0 && !s.Change.Syncing
	})
	c.shot("viewer-change")
}

// TestPageWithoutWebGL: the page says what is missing, and shows the picture.
func TestPageWithoutWebGL(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	file, _, _, _ := demoPage(t)
	b := open(t, file, "", chromedp.Flag("disable-3d-apis", true))
	for eval[string](b, "document.getElementById('meadow-reason').textContent") == "" {
		if b.ctx.Err() != nil {
			t.Fatal("the page does not say that WebGL is missing")
		}
		time.Sleep(20 * time.Millisecond)
	}
	if reason := eval[string](b, "document.getElementById('meadow-reason').textContent"); !strings.Contains(reason, "WebGL") {
		t.Errorf("the page says %q", reason)
	}
	if !eval[bool](b, "document.querySelector('#meadow-still img').checkVisibility() && document.querySelector('#meadow-still img').naturalWidth === 40 && !document.getElementById('meadow-live').checkVisibility()") {
		t.Error("the picture is not shown in place of the scene")
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.messages = slices.DeleteFunc(b.messages, func(m string) bool { return strings.Contains(m, "WebGL") })
}
