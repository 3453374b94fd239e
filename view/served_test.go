package view_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/view"
	"github.com/meadow-nav/meadow/view/server"
	"github.com/meadow-nav/meadow/view/workbench"
)

// served is a server with the status of each request that it has answered.
type served struct {
	address string
	lock    sync.Mutex
	log     []string // "status method path-without-secret"
}

func serve(t testing.TB, opt server.Options) *served {
	t.Helper()
	opt.Page.Title = "Meadow"
	s, err := server.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	out := &served{}
	h := httptest.NewUnstartedServer(nil)
	answer := s.Handler(h.Listener.Addr())
	h.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note := &noted{ResponseWriter: w, status: http.StatusOK}
		answer.ServeHTTP(note, r)
		out.lock.Lock()
		defer out.lock.Unlock()
		_, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		out.log = append(out.log, fmt.Sprintf("%d %s /%s", note.status, r.Method, path))
	})
	h.Start()
	t.Cleanup(h.Close)
	out.address = s.Address(h.Listener)
	return out
}

// onServer opens the page of a server that begins with a level: the same program and requests as those of a page in a file, whose start
// takes seconds less.
func onServer(t testing.TB, begin view.Begin) *browser {
	t.Helper()
	return onServerAt(t, begin, "")
}

// onServerAt is onServer with a fragment of the address.
func onServerAt(t testing.TB, begin view.Begin, fragment string) *browser {
	t.Helper()
	args, body := map[string]any{"kind": begin.Kind}, []byte(nil)
	r := workbench.Request{Name: "generate"}
	if begin.File != "" {
		r.Name, body = "open", begin.Data
		args = map[string]any{"files": []map[string]any{{"name": begin.File, "size": len(body)}}}
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	r.Args, r.Body = text, body
	s := serve(t, server.Options{Begin: func(ctx context.Context, b *workbench.Bench, _ json.RawMessage) (workbench.Reply, error) {
		return b.Do(ctx, r, nil)
	}})
	return visit(t, s.address+fragment)
}

type noted struct {
	http.ResponseWriter
	status int
}

func (n *noted) WriteHeader(status int) { n.status = status; n.ResponseWriter.WriteHeader(status) }

// Unwrap lets answers be sent in pieces.
func (n *noted) Unwrap() http.ResponseWriter { return n.ResponseWriter }

// drop drops files on the page, as a hand does.
func (b *browser) drop(files map[string]string, order ...string) {
	b.t.Helper()
	type file struct{ Name, Data string }
	var list []file
	for _, name := range order {
		list = append(list, file{name, base64.StdEncoding.EncodeToString([]byte(files[name]))})
	}
	text, err := json.Marshal(list)
	if err != nil {
		b.t.Fatal(err)
	}
	eval[bool](b, fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		for (const f of %s) data.items.add(new File([Uint8Array.from(atob(f.Data), (c) => c.charCodeAt(0))], f.Name));
		const over = new DragEvent("dragenter", { dataTransfer: data, bubbles: true, cancelable: true });
		document.body.dispatchEvent(over);
		if (!document.getElementById("meadow-drop").checkVisibility()) throw new Error("no sign that files may be dropped");
		document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
		return !document.getElementById("meadow-drop").checkVisibility();
	})()`, text))
}

// plateFiles are a plate of 20 m as a level in several formats, with the parts that formats have in files of their own.
func plateFiles() map[string]string {
	bin := []byte{}
	for _, v := range []float32{-10, 0, -10, -10, 0, 10, 10, 0, 10, 10, 0, -10} {
		bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(v))
	}
	for _, i := range []uint16{0, 1, 2, 0, 2, 3} {
		bin = binary.LittleEndian.AppendUint16(bin, i)
	}
	return map[string]string{
		"plate.obj": "mtllib plate.mtl\nusemtl red\nv -10 0 -10\nv -10 0 10\nv 10 0 10\nv 10 0 -10\nf 1 2 3 4\n",
		"plate.mtl": "newmtl red\nKd 1 0 0\n",
		"plate.gltf": `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
			"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"buffers":[{"uri":"plate.bin","byteLength":60}],
			"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
			"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[-10,0,-10],"max":[10,0,10]},
			{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}]}`,
		"plate.bin":   string(bin),
		"upright.obj": "v -10 -10 0\nv 10 -10 0\nv 10 10 0\nv -10 10 0\nf 1 2 3 4\n",
		"small.obj":   "v 0 0 0\nv 0 0 20000\nv 20000 0 20000\nv 20000 0 0\nf 1 2 3 4\n",
		"cave.map":    "type octile\nheight 6\nwidth 8\nmap\n........\n.@@@@@@.\n........\n........\n.@@..@@.\n........\n",
		"bad.obj":     "v 0 0 0\nv 1 x 0\n",
	}
}

// followHints opens a level that stands upright and one in millimetres, and takes what the page proposes.
func followHints(t *testing.T, b *browser, files map[string]string, next func(string, int) state) {
	t.Helper()
	press := func(label string) {
		t.Helper()
		for !eval[bool](b, fmt.Sprintf(`(() => { const b = [...document.querySelectorAll("#meadow-hints button")].find((b) => b.textContent.includes(%q)); b?.click(); return !!b; })()`, label)) {
			if b.ctx.Err() != nil {
				t.Fatalf("no button %q", label)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	b.drop(files, "upright.obj")
	b.until("upright", func(s state) bool { return s.Opened.Name == "upright.obj" && !s.Building })
	b.shot("hint")
	press("Take Z as up")
	next("upright.obj", 2)
	b.drop(files, "small.obj")
	next("small.obj", 2)
	press("Take mm as unit")
	next("small.obj", 2)
	if area := eval[float64](b, `meadowApp.scene.floats("regionAreas").reduce((a, b) => a + b, 0)`); math.Abs(area-19.2*19.2) > 1 {
		t.Errorf("the plate in millimetres has a floor of %v m²", area)
	}
	if unit := eval[string](b, `document.getElementById("choice-unit").value`); unit != "0.001" {
		t.Errorf("the unit is %q", unit)
	}
}

// openings drops files of each sort on an empty page, follows hints, slides while it builds, and ends a long build. The page answers by
// itself, or by a server.
func openings(t *testing.T, b *browser, hints bool) {
	t.Helper()
	b.until("start", func(s state) bool { return s.Ready })
	files := plateFiles()
	builds := 0
	next := func(name string, triangles int) state {
		t.Helper()
		s := b.until(name, func(s state) bool {
			return s.Builds > builds && s.Opened != nil && s.Opened.Name == name && !s.Building
		})
		builds = s.Builds
		if s.Count == 0 || s.Opened.Triangles != triangles {
			t.Errorf("%s: %d regions, %d triangles, want a mesh of %d", name, s.Count, s.Opened.Triangles, triangles)
		}
		if s.Calls > 60 {
			t.Errorf("%s: %d draw calls, want at most 60", name, s.Calls)
		}
		return s
	}
	said := func() string { return eval[string](b, "document.querySelector('.hint').textContent") }
	// The larger part comes first in the drop, and is not what is opened.
	b.drop(files, "plate.mtl", "plate.obj")
	next("plate.obj", 2)
	if red := eval[float64](b, "(() => { const [r, g] = meadowApp.scene.head.colors[0]; return r - g; })()"); red < 100 {
		t.Errorf("the level has the colour %v redder than green: its part was not read", red)
	}
	b.drop(files, "plate.bin", "plate.gltf")
	next("plate.gltf", 2)
	b.drop(files, "cave.map")
	if s := next("cave.map", 0); s.Opened.Kind != "map" {
		t.Errorf("a map is opened as %q", s.Opened.Kind)
	}
	b.shot("opened-map")
	b.drop(files, "bad.obj")
	for !strings.Contains(said(), "bad.obj") || !strings.Contains(said(), "2") || strings.Contains(said(), "Opening") {
		if b.ctx.Err() != nil {
			t.Fatalf("the page says %q, without the place of the error", said())
		}
		time.Sleep(20 * time.Millisecond)
	}
	if s := b.state(); s.Opened.Name != "cave.map" || s.Count == 0 {
		t.Errorf("after a malformed file, the page shows %+v", s.Opened)
	}
	if hints {
		followHints(t, b, files, next)
	}

	// Slide the radius: the newest value counts, and the path is on the page in each frame from the first build on.
	eval[bool](b, `meadowBuilder.generate({ kind: "arch" }).then(() => true)`)
	b.until("arch", func(s state) bool { return s.Opened.Name == "arch" && s.Builds > builds && !s.Building })
	eval[bool](b, `Promise.all([[-8, 0, -8], [8, 0, 8]].map((p) => meadowApp.ask("at", { from: p, to: p, reach: 5 }))).then(([start, goal]) => {
		meadowApp.set("start", start); meadowApp.set("goal", goal); return start.found && goal.found; })`)
	b.until("path", func(s state) bool { return s.Complete && s.Length > 10 })
	without := eval[int](b, `new Promise((done) => {
		const slide = document.getElementById("slider-radius");
		let steps = 0, without = 0;
		const step = () => {
			if (!meadowState().complete) without++;
			if (steps++ < 12) { slide.value = String(0.2 + 0.05 * steps); slide.dispatchEvent(new Event("input")); requestAnimationFrame(step); }
			else done(without);
		};
		step();
	})`)
	if without > 0 {
		t.Errorf("%d frames have no path while the radius slides", without)
	}
	slid := b.until("slide", func(s state) bool {
		return !s.Building && s.Builds > builds+1 && eval[float64](b, "meadowApp.scene.head.radius") == 0.8
	})
	// A hand faster than builds makes few of them.
	eval[bool](b, `(() => { const slide = document.getElementById("slider-radius");
		for (let i = 0; i < 20; i++) { slide.value = String(0.3 + 0.01 * i); slide.dispatchEvent(new Event("input")); } return true; })()`)
	fast := b.until("fast slide", func(s state) bool {
		return !s.Building && s.Builds > slid.Builds && eval[float64](b, "meadowApp.scene.head.radius") == 0.5
	})
	if more := fast.Builds - slid.Builds; more > 2 {
		t.Errorf("20 movements at once made %d builds", more)
	}
	if head := eval[string](b, `document.querySelector("#meadow-seconds").textContent`); !strings.Contains(head, "ms") || !strings.Contains(head, "portals") {
		t.Errorf("the times and counts are %q", head)
	}

	// A newer build ends a long build, Escape ends the newer build, and the page goes on. The server builds faster, and gets more to do.
	size := 120
	if hints {
		size = 300
	}
	eval[bool](b, fmt.Sprintf(`(() => { void meadowBuilder.generate({ kind: "random", seed: 2, size: %d }); return true; })()`, size))
	b.until("long build", func(s state) bool { return s.Building && s.Opened.Name == "random" })
	began := b.state()
	b.until("progress", func(state) bool { return eval[bool](b, `document.getElementById("meadow-progress").checkVisibility()`) })
	if os.Getenv(shotsVariable) != "" {
		b.shot("progress")
	}
	eval[bool](b, `(() => { const s = document.getElementById("slider-radius"); s.value = "1.2"; s.dispatchEvent(new Event("input")); return true; })()`)
	b.until("newer build", func(s state) bool { return s.Cancels > began.Cancels && s.Building })
	b.until("progress of the newer build", func(state) bool { return eval[bool](b, `document.getElementById("meadow-progress").checkVisibility()`) })
	eval[bool](b, `(() => { window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })); return true; })()`)
	ended := b.until("end", func(s state) bool { return !s.Building })
	if ended.Builds != began.Builds || ended.Cancels < began.Cancels+2 {
		t.Errorf("builds went from %d to %d, ends from %d to %d; want no mesh, and two ends", began.Builds, ended.Builds, began.Cancels, ended.Cancels)
	}
	builds = ended.Builds
	b.drop(files, "plate.mtl", "plate.obj")
	next("plate.obj", 2)
}

// TestOpenOnPage: the page in a file opens all by WebAssembly.
func TestOpenOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	openings(t, open(t, benchPage(t, view.Begin{}), ""), false)
}

// TestOpenOnServer: the page of a server opens all natively, asks only the server, and says plainly that a file is too large.
func TestOpenOnServer(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	s := serve(t, server.Options{Limits: level.Limits{Bytes: 1 << 20}})
	b := visit(t, s.address)
	openings(t, b, true)
	people(t, b)
	eval[bool](b, `(() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(2 << 20)], "large.glb"));
		document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); return true; })()`)
	b.until("large", func(state) bool {
		text := eval[string](b, "document.querySelector('.hint.wrong')?.textContent ?? ''")
		return strings.Contains(text, "2.0 MB") && strings.Contains(text, "1.0 MB")
	})
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, r := range b.requests {
		if !strings.HasPrefix(r, s.address) {
			t.Errorf("the page asks for %s", r)
		}
	}
}

// people looks at the page as people with other eyes and hands have it: colours for the colour-blind, a telephone, a keyboard alone.
func people(t *testing.T, b *browser) {
	t.Helper()
	press := func(expression string) { eval[bool](b, "(() => { "+expression+"; return true; })()") }
	builds := b.state().Builds
	press(`void meadowBuilder.generate({ kind: "arch" })`)
	b.until("arch", func(s state) bool { return s.Builds > builds && s.Opened.Name == "arch" && !s.Building })
	press(`document.getElementById("tab-look").click()`)
	if cut := eval[string](b, `document.querySelector("label[for=slider-cut] output").textContent`); cut != "off" {
		t.Errorf("after levels of other heights, the cut is at %s", cut)
	}
	usual := b.shot("colours-usual")
	press(`const c = document.getElementById("choice-colours"); c.value = "safe"; c.dispatchEvent(new Event("change"))`)
	if share := changed(usual, b.shot("colours-safe")); share < 0.05 {
		t.Errorf("the other colours change %.2f %% of the pixels", 100*share)
	}
	press(`const c = document.getElementById("choice-colours"); c.value = "usual"; c.dispatchEvent(new Event("change"))`)
	press(`document.getElementById("tab-level").click()`)

	// Tab reaches every control of the open panel, and each has a name.
	reached := map[string]bool{}
	press(`document.activeElement.blur()`)
	for range 60 {
		b.do(chromedp.KeyEvent(kb.Tab))
		reached[eval[string](b, `document.activeElement.id || document.activeElement.textContent`)] = true
	}
	missing := eval[[]string](b, `[...document.querySelectorAll("#meadow-live :is(button, input, select, summary, canvas[tabindex])")]
		.filter((e) => e.checkVisibility() && e.tabIndex >= 0).map((e) => e.id || e.textContent)`)
	for _, control := range missing {
		if !reached[control] {
			t.Errorf("Tab does not reach %q", control)
		}
	}
	if unnamed := eval[int](b, `[...document.querySelectorAll("#meadow-live :is(button, input, select, canvas:not([aria-hidden]))")]
		.filter((e) => !(e.getAttribute("aria-label") || e.labels?.length)).length`); unnamed != 0 {
		t.Errorf("%d controls have no name", unnamed)
	}

	// A telephone and a laptop: no control is wider than the page, and panels scroll.
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"telephone", 390, 844}, {"laptop", 1280, 720}} {
		b.do(chromedp.EmulateViewport(size.width, size.height))
		press(`document.getElementById("meadow-side").open = true`)
		b.shot(size.name)
		press(`document.documentElement.classList.toggle("dark", true)`)
		b.shot(size.name + "-dark")
		press(`document.documentElement.classList.toggle("dark", false)`)
		wide := eval[[]string](b, `[...document.querySelectorAll("#meadow-live :is(button, input, select, header, nav, section)")].filter((e) => e.checkVisibility())
			.filter((e) => { const r = e.getBoundingClientRect(); return r.left < -1 || r.right > innerWidth + 1; }).map((e) => e.id || e.textContent.slice(0, 40))`)
		if len(wide) > 0 {
			t.Errorf("%s: %q lie beside the page", size.name, wide)
		}
		if over := eval[bool](b, `(() => { const a = document.querySelector("nav").getBoundingClientRect(), h = document.querySelector("header").getBoundingClientRect();
			return a.top < h.bottom && a.left < h.right; })()`); over {
			t.Errorf("%s: the panels hide the title", size.name)
		}
		if size.name == "telephone" {
			dragSheet(t, b)
		}
		press(`document.getElementById("meadow-side").open = false`)
		b.shot(size.name + "-closed")
	}
}

// dragSheet drags the sheet of panels on a telephone up, down and closed: the view stays free above it, and the scene moves up into that room.
func dragSheet(t *testing.T, b *browser) {
	t.Helper()
	type sheet struct {
		Top, Height, Grip float64
		Open              bool
		Center            float64 // of the scene, from the top
	}
	look := func() sheet {
		b.settle()
		return value[sheet](b, `(() => { const n = document.querySelector("nav").getBoundingClientRect(), g = document.querySelector("#meadow-side > summary").getBoundingClientRect();
			return { top: n.top, height: innerHeight, grip: g.top + g.height / 2, open: document.getElementById("meadow-side").open, center: meadowApp.pageOf(meadowApp.scene.head.center).y }; })()`)
	}
	drag := func(to float64) sheet {
		from := look().Grip
		b.do(chromedp.MouseEvent(chromedp.MousePressed, 120, from, chromedp.ButtonLeft, chromedp.ClickCount(1)))
		for i := 1; i <= 4; i++ {
			b.do(chromedp.MouseEvent(chromedp.MouseMoved, 120, from+(to-from)*float64(i)/4, chromedp.ButtonLeft))
		}
		b.do(chromedp.MouseEvent(chromedp.MouseReleased, 120, to, chromedp.ButtonLeft, chromedp.ClickCount(1)))
		return look()
	}
	half := look()
	if !half.Open || half.Top < 0.5*half.Height || half.Center > half.Top {
		t.Errorf("the open sheet begins at %v of %v, the scene is around %v", half.Top, half.Height, half.Center)
	}
	low := drag(680)
	if !low.Open || math.Abs(low.Top-680) > 40 || low.Center <= half.Center {
		t.Errorf("dragged to 680 the sheet is %+v", low)
	}
	if high := drag(200); !high.Open || math.Abs(high.Top-200) > 40 || high.Top < 70 {
		t.Errorf("dragged to 200 the sheet is %+v", high)
	}
	b.shot("telephone-high")
	if shut := drag(835); shut.Open || shut.Top < shut.Height-60 || shut.Center < low.Center {
		t.Errorf("dragged down the sheet is %+v", shut)
	}
	b.do(chromedp.MouseClickXY(120, look().Grip))
	if again := look(); !again.Open {
		t.Errorf("a click leaves the sheet %+v", again)
	}
}

// TestHostilePage: a page of another origin in the same browser knows the address and the token, and gets nothing by fetch, forms, images,
// scripts, frames and sockets: no request of it does anything, and it reads no answer.
func TestHostilePage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	s := serve(t, server.Options{})
	b := visit(t, s.address)
	b.until("start", func(s state) bool {
		return s.Ready && eval[bool](b, `document.getElementById("choice-extractor")?.options.length > 0 && !!document.getElementById("box-cleanup")`) && s.Examples > 0
	})
	token := eval[string](b, `JSON.parse(document.getElementById("meadow-begin").textContent).token`)
	s.lock.Lock()
	own := len(s.log)
	s.lock.Unlock()

	hostile := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><body>evil`)
	}))
	t.Cleanup(hostile.Close)
	e := visit(t, hostile.URL)
	e.t.Cleanup(func() {
		e.lock.Lock()
		defer e.lock.Unlock()
		e.messages = nil // the browser complains of each refusal
	})
	type result struct{ Name, Got string }
	var got []result
	text := eval[string](e, fmt.Sprintf(`(async () => {
		const address = %q, token = %q, got = [];
		const body = new Uint8Array([2, 0, 0, 0, 123, 125]);
		const attempt = async (name, run) => { try { got.push({ name, got: String(await run()) }); } catch (e) { got.push({ name, got: "refused" }); } };
		const text = async (r) => r.type === "opaque" ? "refused" : r.status + " " + (await r.text()).slice(0, 80);
		const headers = { "X-Meadow-Token": token, "X-Meadow-Page": "page", "Content-Type": "application/octet-stream" };
		await attempt("fetch with all headers", async () => text(await fetch(address + "do/makers", { method: "POST", body, headers })));
		await attempt("simple fetch", async () => text(await fetch(address + "do/makers", { method: "POST", body })));
		await attempt("fetch without CORS", async () => text(await fetch(address + "do/makers", { method: "POST", body, mode: "no-cors" })));
		await attempt("beacon", async () => { navigator.sendBeacon(address + "do/makers", new Blob([body], { type: "text/plain" })); return "refused"; });
		await attempt("read the page", async () => text(await fetch(address)));
		await attempt("read the page without CORS", async () => text(await fetch(address, { mode: "no-cors" })));
		const element = (tag, set) => new Promise((done) => { const x = document.createElement(tag); x.onload = () => done("loaded"); x.onerror = () => done("refused"); set(x); document.body.append(x); setTimeout(() => done("refused"), 1500); });
		await attempt("image", () => element("img", (x) => x.src = address));
		await attempt("script", () => element("script", (x) => x.src = address));
		await attempt("script of a request", () => element("script", (x) => x.src = address + "do/makers"));
		await attempt("style", () => element("link", (x) => { x.rel = "stylesheet"; x.href = address; }));
		// A frame has the empty page of its maker until the answer comes.
		const answered = async (frame) => {
			for (let k = 0; k < 400 && frame.contentDocument?.URL === "about:blank"; k++) await new Promise((done) => setTimeout(done, 50));
			return frame.contentDocument ? "a page of its own" : "refused";
		};
		let frame;
		await attempt("frame", async () => { await element("iframe", (x) => { frame = x; x.src = address; });
			return answered(frame); });
		await attempt("form", async () => {
			const to = document.createElement("iframe"); to.name = "to"; document.body.append(to);
			const form = document.createElement("form");
			Object.assign(form, { action: address + "do/makers", method: "post", enctype: "text/plain", target: "to" });
			document.body.append(form);
			form.submit();
			return answered(to);
		});
		await attempt("socket", () => new Promise((done) => { const w = new WebSocket(address.replace("http", "ws") + "do/makers"); w.onopen = () => done("open"); w.onerror = () => done("refused"); }));
		await attempt("events", () => new Promise((done) => { const w = new EventSource(address + "do/makers"); w.onopen = () => done("open"); w.onerror = () => { w.close(); done("refused"); }; }));
		return JSON.stringify(got);
	})()`, s.address, token))
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 14 {
		t.Errorf("%d attempts", len(got))
	}
	for _, r := range got {
		if r.Got != "refused" {
			t.Errorf("%s: the hostile page gets %q", r.Name, r.Got)
		}
	}
	if frames := eval[bool](e, `[...document.querySelectorAll("iframe")].some((f) => { try { return f.contentWindow.meadowState !== undefined; } catch { return false; } })`); frames {
		t.Error("a frame runs the page")
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	hostileLog := s.log[own:]
	if len(hostileLog) < 8 {
		t.Errorf("only %d requests of the hostile page reach the server, so the test shows little: %q", len(hostileLog), hostileLog)
	}
	for _, line := range hostileLog {
		if !slices.Contains([]string{"403", "405", "415"}, line[:3]) {
			t.Errorf("the server answers the hostile page: %s", line)
		}
	}
}
