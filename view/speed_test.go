package view_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/view"
	"github.com/meadow-nav/meadow/view/server"
)

// hills is a ground of 2n² triangles, half a metre wide.
func hills(n int) *level.Level {
	lvl := &level.Level{Name: "hills"}
	for i := range n + 1 {
		for k := range n + 1 {
			x, z := float64(i)/2, float64(k)/2
			lvl.Vertices = append(lvl.Vertices, geom.Vec{X: x - float64(n)/4, Y: 3 * math.Sin(x/9) * math.Cos(z/7), Z: z - float64(n)/4})
		}
	}
	for i := range n {
		for k := range n {
			a := uint32(i*(n+1) + k)
			b := a + uint32(n) + 1
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: a, B: a + 1, C: b + 1}, level.Triangle{A: a, B: b + 1, C: b})
		}
	}
	return lvl
}

// levelOf is a level by its kind and size in metres.
func levelOf(t testing.TB, kind string, size float64) *level.Level {
	t.Helper()
	lvl, err := levelgen.Generate(kind, levelgen.Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	return lvl
}

// heavyPage writes a page with the mesh of the arch and another level.
func heavyPage(t testing.TB, lvl *level.Level) string {
	t.Helper()
	_, mesh := arch(t)
	var page bytes.Buffer
	err := view.Write(&page, view.Page{
		Context: t.Context(), Title: "Meadow", Mesh: mesh.Mesh, Level: lvl, Path: true, Start: geom.Vec{X: -8, Z: -8}, Goal: geom.Vec{X: 8, Z: 8}, Picture: []byte{1},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "heavy.html")
	if err := os.WriteFile(file, page.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// picks compares the tree of boxes with a look at every triangle, on rays through places all over the page, with storeys together and apart.
const picks = `(() => {
	let hits = 0, tree = 0, scan = 0;
	for (const apart of [0, 3]) {
		meadowApp.stage.apart(apart);
		for (let i = 0; i < %d; i++) {
			const ray = meadowApp.stage.ray(innerWidth * ((i * 0.618034) %% 1), innerHeight * ((i * 0.414214) %% 1));
			for (const t of [meadowApp.stage.level, meadowApp.stage.regions]) {
				const a = performance.now(), x = t.first(ray), b = performance.now(), y = t.scan(ray), c = performance.now();
				if ((x?.distance ?? -1) !== (y?.distance ?? -1)) throw new Error("the tree finds " + x?.distance + ", the scan " + y?.distance);
				if (x) hits++;
				if (i > 0) tree += b - a, scan += c - b;
			}
		}
	}
	meadowApp.stage.apart(0);
	return [hits, tree, scan];
})()`

// TestPickedAsByScan: the place under the pointer is that of a look at every triangle.
func TestPickedAsByScan(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	lvl, mesh := built(t, "demo")
	var page bytes.Buffer
	if err := view.Write(&page, view.Page{Context: t.Context(), Title: "Meadow", Mesh: mesh.Mesh, Level: lvl, Picture: []byte{1}}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "demo.html")
	if err := os.WriteFile(file, page.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	b := open(t, file, "")
	b.until("start", func(s state) bool { return s.Ready && s.Frames > 0 })
	if got := eval[[]float64](b, fmt.Sprintf(picks, 150)); got[0] < 100 {
		t.Errorf("%v rays hit something", got[0])
	}
}

// TestCoarseWhileMoving: where software draws a large level, frames while the camera moves have a coarser level that looks much the same, and the
// level itself comes back when the camera rests.
func TestCoarseWhileMoving(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	lvl := hills(250)
	b := open(t, heavyPage(t, lvl), "")
	type frame struct {
		Ready, Coarse    bool
		Frames           int
		Triangles, Calls int
	}
	all := len(lvl.Triangles)
	waitFor(b, "start", func(s frame) bool { return s.Ready && s.Frames > 0 && !s.Coarse && s.Triangles >= all })
	fine := b.shot("fine")
	var moving []frame
	if err := json.Unmarshal([]byte(eval[string](b, `(async () => { meadowApp.stage.calm = 1e6; const list = []; for (let i = 0; i < 6; i++) { meadowApp.stage.orbit(1e-5, 0, 1); await new Promise(requestAnimationFrame); list.push(meadowState()); } return JSON.stringify(list); })()`)), &moving); err != nil {
		t.Fatal(err)
	}
	last := moving[len(moving)-1]
	if !last.Coarse || last.Triangles > all || last.Triangles < 30_000 || last.Calls > 60 {
		t.Errorf("while the camera moves, frames are %+v, want a coarser level than %d triangles", moving, all)
	}
	if share := changed(fine, b.shot("coarse")); share > 0.2 {
		t.Errorf("the coarser level changes %.1f %% of the pixels", 100*share)
	}
	eval[bool](b, `(meadowApp.stage.calm = 200, meadowApp.stage.orbit(-6e-5, 0, 1), true)`)
	waitFor(b, "rest", func(s frame) bool { return !s.Coarse && s.Triangles >= all })
	if share := changed(fine, b.shot("fine-again")); share > 0.002 {
		t.Errorf("after a rest %.2f %% of the pixels are others than before", 100*share)
	}
}

// BenchmarkFrames turns a level of a million triangles and reports frames a second, the program's own time a frame, its draw calls, the
// time of a frame of the resting camera, and the time of a pick.
func BenchmarkFrames(b *testing.B) {
	findBrowser(b)
	p := open(b, heavyPage(b, hills(708)), "")
	p.until("start", func(s state) bool { return s.Ready && s.Frames > 0 })
	p.settle()
	var frames []float64
	for b.Loop() {
		frames = eval[[]float64](p, `new Promise((done) => {
			const scripts = [];
			let n = 0, began = 0;
			const step = (now) => {
				if (n === 2) began = now;
				if (n > 2) scripts.push(meadowState().script);
				if (n++ === 32) return done([30000 / (now - began), scripts.sort((a, b) => a - b)[scripts.length >> 1], meadowState().calls, meadowState().triangles]);
				meadowApp.stage.orbit(0.02, 0, 1);
				requestAnimationFrame(step);
			};
			requestAnimationFrame(step);
		})`)
	}
	still := eval[[]float64](p, `new Promise((done) => {
		const times = [];
		let n = 0, before = 0;
		const step = (now) => {
			if (n > 1) times.push(now - before);
			before = now;
			if (n++ === 8) return done([times.sort((a, b) => a - b)[times.length >> 1], meadowState().triangles]);
			meadowApp.stage.moving = false;
			meadowApp.stage.draw();
			requestAnimationFrame(step);
		};
		setTimeout(() => requestAnimationFrame(step), 600);
	})`)
	b.ReportMetric(still[0], "ms/resting-frame")
	b.ReportMetric(still[1], "resting-triangles")
	got := eval[[]float64](p, fmt.Sprintf(picks, 20))
	b.ReportMetric(frames[0], "frames/s")
	b.ReportMetric(frames[1], "script-ms/frame")
	b.ReportMetric(frames[2], "calls")
	b.ReportMetric(frames[3], "triangles")
	b.ReportMetric(got[1]/76, "ms/pick")
	b.ReportMetric(got[2]/76, "ms/scan")
}

// BenchmarkCrowdFrames lets 2,000 walkers walk in a page that steps them by WebAssembly, and reports frames a second, the time of all scripts of
// the page's own thread a frame, and steps a second of the 60 that are asked for: in the streets of a city, and in the rooms of a tower.
func BenchmarkCrowdFrames(b *testing.B) {
	findBrowser(b)
	for _, kind := range []string{"city", "tower"} {
		b.Run(kind, func(b *testing.B) { crowdFrames(b, kind) })
	}
}

func crowdFrames(b *testing.B, kind string) {
	p := open(b, benchPage(b, view.Begin{Kind: kind}), "")
	p.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	if _, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		b.Fatal(err)
	}
	p.press("#tab-crowd")
	p.choose("slider-crowd-rate", "60")
	p.choose("slider-crowd-count", "2000")
	p.pressLabel("Start the crowd")
	waitFor(p, "walkers", func(s gathering) bool { return s.Crowd.Drawn == 2000 && s.Crowd.Steps > 20 })
	scripts := func() float64 {
		m, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			b.Fatal(err)
		}
		for _, v := range m.Metrics {
			if v.Name == "ScriptDuration" {
				return v.Value
			}
		}
		b.Fatal("Chromium tells no time of scripts")
		return 0
	}
	for b.Loop() {
		type point struct {
			Frames, Steps int
			Now           float64
		}
		at := func() point {
			return value[point](p, `({ frames: meadowState().frames, steps: meadowState().crowd.steps, now: performance.now() })`)
		}
		first, script := at(), scripts()
		time.Sleep(5 * time.Second)
		last, after := at(), scripts()
		seconds, frames := (last.Now-first.Now)/1000, float64(last.Frames-first.Frames)
		b.ReportMetric(frames/seconds, "frames/s")
		b.ReportMetric(1000*(after-script)/frames, "script-ms/frame")
		b.ReportMetric(float64(last.Steps-first.Steps)/seconds, "steps/s")
	}
	s := read[gathering](p)
	b.ReportMetric(s.Crowd.PerWalker, "µs/walker-step")
	b.ReportMetric(float64(s.Calls), "calls")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkDropToPath drops a GLB of 100,000 triangles and waits for the first path: by a server, and by WebAssembly.
func BenchmarkDropToPath(b *testing.B) {
	findBrowser(b)
	for _, c := range []struct {
		kind string
		size float64
	}{{"terrain", 224}, {"city", 456}} {
		lvl := levelOf(b, c.kind, c.size)
		var glb bytes.Buffer
		if err := meshio.Encode(&glb, lvl, meshio.GLB); err != nil {
			b.Fatal(err)
		}
		for _, home := range []string{"server", "wasm"} {
			b.Run(c.kind+"/"+home, func(b *testing.B) {
				var p *browser
				if home == "server" {
					p = visit(b, serve(b, server.Options{}).address)
				} else {
					p = open(b, benchPage(b, view.Begin{}), "")
				}
				p.until("start", func(s state) bool { return s.Ready })
				eval[bool](p, fmt.Sprintf(`(() => { globalThis.glb = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)); return true; })()`, base64.StdEncoding.EncodeToString(glb.Bytes())))
				var times []float64
				for b.Loop() {
					times = eval[[]float64](p, `(async () => {
						const began = performance.now(), builds = meadowState().builds;
						const data = new DataTransfer();
						data.items.add(new File([globalThis.glb], "drop.glb"));
						document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
						const tick = () => new Promise((done) => setTimeout(done, 5));
						while (meadowState().builds === builds) await tick();
						const built = performance.now();
						const middles = meadowApp.scene.floats("regionMiddles"), c = meadowApp.scene.head.center, last = middles.length - 3;
						const at = async (i) => meadowApp.ask("at", { from: [0, 1, 2].map((k) => middles[i + k] + c[k]), to: [0, 0, 0], reach: 5 });
						meadowApp.set("start", await at(0));
						meadowApp.set("goal", await at(last));
						while (!meadowApp.path) await tick();
						return [performance.now() - began, built - began, ...[...document.querySelectorAll("#meadow-seconds td")].slice(0, 5).map((t) => parseFloat(t.textContent))];
					})()`)
				}
				b.ReportMetric(0, "ns/op")
				for i, name := range []string{"ms-to-path", "ms-to-mesh", "floor-ms", "regions-ms", "links-ms", "drawing-ms", "build-ms"} {
					b.ReportMetric(times[i], name)
				}
				b.ReportMetric(float64(len(lvl.Triangles)), "triangles")
			})
		}
	}
}
