package view_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	devtools "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh/detour"
	"github.com/meadow-nav/meadow/navmesh/gltfmesh"
	"github.com/meadow-nav/meadow/view"
)

// kept is what the page tells tests of what it keeps.
type kept struct {
	Length   float64
	Complete bool
	Count    int
	Builds   int
	Ready    bool
	Dark     bool
	Shown    map[string]bool
	Keep     struct {
		Undo, Redo string
		Link       string
		View       []float64
		Pending    bool
	}
	Change struct {
		Things []struct {
			ID, Fixed string
			At, To    [3]float64
			OneWay    bool
		}
		Selected string
		Begun    *[3]float64
		Arcs     int
		OnPage   []pixel
		Syncing  bool
	}
}

// visit opens another page in the same browser. The page asks for itself only.
func (b *browser) visit(address url.URL, fragment string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"))
	b.lock.Lock()
	b.requests = nil
	b.lock.Unlock()
	b.do(chromedp.Navigate(address.String() + fragment))
	b.settle()
	b.lock.Lock()
	defer b.lock.Unlock()
	if len(b.requests) != 1 || b.requests[0] != address.String() {
		b.t.Errorf("the page asks for %q, want itself only", b.requests)
	}
	b.requests = b.requests[:0]
	b.requests = append(b.requests, b.first)
}

// TestKeepOnPage puts an obstacle into the level and takes it back, saves everything and reads it back, opens the copied link and the saved page.
func TestKeepOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	file := benchPage(t, view.Begin{Kind: "halls"})
	b := open(t, file, "")
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })
	west, east, _, _ := levelgen.HallsWalks()
	eval[bool](b, fmt.Sprintf(`(() => { const { ends } = meadowApp; ends.start = [%v, %v, %v]; ends.goal = [%v, %v, %v]; void meadowApp.find(); return true; })()`,
		west.X, west.Y, west.Z, east.X, east.Y, east.Z))
	first := waitFor(b, "path", func(s kept) bool { return s.Complete })
	b.pressLabel("Change")
	b.do(chromedp.KeyEvent("t"))
	b.settle()
	part := func(kind string) {
		eval[bool](b, fmt.Sprintf(`(() => { const s = document.getElementById("choice-part"); s.value = %q; s.dispatchEvent(new Event("change")); return true; })()`, kind))
	}
	onWay := func(share float64) pixel {
		return eval[pixel](b, fmt.Sprintf(`meadowApp.pageOf(meadowApp.ends.start.map((v, k) => v + %v * (meadowApp.ends.goal[k] - v)))`, share))
	}

	// An obstacle in the level: the mesh is built anew, and undo and redo build it again.
	part("obstacle")
	at := onWay(0.72)
	plain := b.shot("keep-plain")
	b.do(chromedp.MouseClickXY(at.X, at.Y))
	with := waitFor(b, "obstacle", func(s kept) bool { return s.Builds == 2 && s.Complete && s.Length > first.Length })
	if share := changed(plain, b.shot("keep-obstacle")); share < 0.003 {
		t.Errorf("the obstacle changes %.2f %% of the pixels", 100*share)
	}
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	waitFor(b, "undo", func(s kept) bool { return s.Builds == 3 && s.Length == first.Length && s.Count == first.Count })
	b.pressLabel("Keep")
	b.pressLabel("Redo")
	waitFor(b, "redo", func(s kept) bool { return s.Builds == 4 && s.Length == with.Length })
	b.pressLabel("Change")
	linkByClicks(t, b, onWay(0.05), onWay(0.6))
	// A link over the floor, as a volume, and a crate.
	part("jump")
	jump := onWay(0.1)
	b.do(chromedp.MouseClickXY(jump.X, jump.Y-60))
	waitFor(b, "marker", func(s kept) bool { return s.Builds == 8 && len(s.Change.Things) == 3 })
	b.pressLabel("Click the floor to drop a box; drag it, click a door.")
	crate := onWay(0.25)
	b.do(chromedp.MouseClickXY(crate.X, crate.Y))
	waitFor(b, "crate", func(s kept) bool { return len(s.Change.Things) == 4 && !s.Change.Syncing && s.Length > with.Length })
	b.do(chromedp.KeyEvent("r"), chromedp.KeyEvent("d"), chromedp.KeyEvent("4"))
	last := waitFor(b, "dark page", func(s kept) bool { return s.Dark && !s.Shown["borders"] })
	b.pressLabel("Keep")
	b.shot("keep")

	// Everything is saved and reads back.
	folder := t.TempDir()
	if _, err := chromedp.Call(b.ctx, devtools.SetDownloadBehavior, devtools.SetDownloadBehaviorParams{Behavior: "allow", DownloadPath: folder}); err != nil {
		t.Fatal(err)
	}
	get := func(label, name string) []byte {
		t.Helper()
		b.pressLabel(label)
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if data, err := os.ReadFile(filepath.Join(folder, name)); err == nil && len(data) > 0 {
				return data
			}
		}
		t.Fatalf("%s: no file %s, the page says %q", label, name, eval[string](b, "document.querySelector('#meadow-path').textContent"))
		return nil
	}
	mesh, err := meadow.Read(bytes.NewReader(get("Save the mesh as it is now", "halls.mesh")))
	if err != nil || mesh.RegionCount() != last.Count {
		t.Fatalf("the saved mesh has %d regions, the page %d: %v", mesh.RegionCount(), last.Count, err)
	}
	if set, err := detour.Read(bytes.NewReader(get("Save the mesh as a set of tiles for Detour", "halls.bin"))); err != nil || math.Abs(set.Area()-mesh.Area()) > 0.01*mesh.Area() {
		t.Errorf("the set of Detour: %v", err)
	}
	if glb, err := gltfmesh.Read(bytes.NewReader(get("Save the mesh as glTF", "halls-mesh.glb"))); err != nil || glb.RegionCount() != last.Count {
		t.Errorf("the mesh as glTF: %v", err)
	}
	if lvl, err := meadow.OpenFS(fstest.MapFS{"a.glb": {Data: get("Save the level with all edits as glTF", "halls.glb")}}, "a.glb"); err != nil || len(lvl.Markers) == 0 {
		t.Errorf("the level as glTF: %v", err)
	}
	if text := get("Save the view as a drawing", "halls.svg"); !bytes.Contains(text, []byte("</svg>")) {
		t.Error("the drawing is no SVG")
	}
	if picture, err := png.Decode(bytes.NewReader(get("Save the view as a picture", "halls.png"))); err != nil || colors(picture) < 50 {
		t.Errorf("the picture: %v", err)
	}
	project(t, get("Save the project that meadow build reads: meadow.yaml and the level with all edits", "halls-project.zip"), mesh.Agent)
	get("Save a page that shows level and mesh without a server", "halls.html")

	// The link restores what is seen, in another page.
	link := read[kept](b)
	if !strings.Contains(link.Keep.Link, "kind=halls") {
		t.Fatalf("the link is %q", link.Keep.Link)
	}
	b.pressLabel("Copy a link that restores this view")
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	b.visit(address, spoiled(t, link.Keep.Link))
	again := waitFor(b, "link", func(s kept) bool {
		return s.Ready && !s.Keep.Pending && !s.Change.Syncing && s.Complete && s.Count == last.Count && s.Length == link.Length
	})
	if !again.Dark || again.Shown["borders"] || again.Change.Selected != link.Change.Selected || !slices.Equal(again.Change.Things, link.Change.Things) {
		t.Errorf("the link restores %+v, want %+v", again, link)
	}
	for i, v := range again.Keep.View {
		if math.Abs(v-link.Keep.View[i]) > 0.01 {
			t.Errorf("the eye is at %v, want %v", again.Keep.View, link.Keep.View)
			break
		}
	}
	b.shot("keep-link")

	// A link for a file asks for the file.
	b.visit(address, "#file=hall.glb&bytes=1234")
	asks := waitFor(b, "words", func(s kept) bool {
		return s.Ready && s.Keep.Pending && strings.Contains(eval[string](b, "document.querySelector('#meadow-path').textContent"), "hall.glb, 1234 bytes")
	})
	if asks.Builds != 0 {
		t.Errorf("a link for a file builds another level: %+v", asks)
	}

	// The saved page is alive by itself.
	b.visit(url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(folder, "halls.html"))}, "")
	waitFor(b, "saved page", func(s kept) bool { return s.Ready && s.Count == last.Count && s.Complete && s.Length == link.Length })
	if n := colors(b.shot("keep-saved")); n < 50 {
		t.Errorf("the saved page has %d colours", n)
	}
}

// linkByClicks makes a link by two clicks on the page, takes the link back, and makes it again. The scene shows its arc, and
// the mesh has it.
func linkByClicks(t *testing.T, b *browser, from, to pixel) {
	t.Helper()
	strokes := func() int { return eval[int](b, `meadowApp.scene.floats("links").length / 6`) }
	purple := func(p image.Image) int { return near(p, middle, 124, 58, 190) }
	had, seen := strokes(), purple(b.shot("keep-nolink"))
	builds := read[kept](b).Builds
	b.pressLabel("Click where a way over the floor begins, then where it ends.")
	b.choose("choice-link-kind", "climb")
	b.choose("choice-link-way", "one")
	b.do(chromedp.MouseClickXY(from.X, from.Y+50))
	waitFor(b, "first click", func(s kept) bool { return s.Change.Begun != nil && s.Builds == builds })
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, to.X, to.Y+50))
	waitFor(b, "arc", func(s kept) bool { return s.Change.Arcs == 18 })
	b.do(chromedp.MouseClickXY(to.X, to.Y+50))
	made := waitFor(b, "link", func(s kept) bool { return s.Builds == builds+1 && len(s.Change.Things) == 2 })
	link := made.Change.Things[1]
	if link.Fixed != "climb" || !link.OneWay || link.At == link.To || made.Change.Begun != nil {
		t.Errorf("two clicks make %+v", made.Change)
	}
	if n := strokes(); n != had+16 {
		t.Errorf("the mesh draws its links by %d strokes, want %d and one arc of 16", n, had)
	}
	if n := purple(b.shot("keep-link-made")); n < seen+150 {
		t.Errorf("%d pixels have the colour of links, %d before", n, seen)
	}
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	waitFor(b, "undo of the link", func(s kept) bool { return s.Builds == builds+2 && len(s.Change.Things) == 1 && s.Change.Arcs == 0 })
	if n := strokes(); n != had {
		t.Errorf("after undo the mesh draws its links by %d strokes, want %d", n, had)
	}
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl), chromedp.KeyModifiers(chromedp.ModifierShift)))
	waitFor(b, "redo of the link", func(s kept) bool { return s.Builds == builds+3 && len(s.Change.Things) == 2 })
	// Escape leaves out a link that has only begun.
	b.do(chromedp.MouseClickXY(from.X, from.Y-50))
	waitFor(b, "another first click", func(s kept) bool { return s.Change.Begun != nil })
	b.do(chromedp.KeyEvent(kb.Escape))
	waitFor(b, "no link", func(s kept) bool { return s.Change.Begun == nil && len(s.Change.Things) == 2 })
}

// spoiled adds to a link what nobody should believe.
func spoiled(t *testing.T, link string) string {
	t.Helper()
	p, err := url.ParseQuery(strings.TrimPrefix(link, "#"))
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string][]any
	if err := json.Unmarshal([]byte(p.Get("doc")), &doc); err != nil {
		t.Fatal(err)
	}
	doc["things"] = append(doc["things"], nil, 7, map[string]any{"id": "x", "at": []any{1, 2}}, map[string]any{"id": 1, "shape": "star"})
	doc["things"] = append(doc["things"], map[string]any{"id": "y", "shape": "link", "at": []any{1, 2, 3}, "size": []any{1, 1, 1}, "yaw": 0, "cost": 0, "fixed": "jump", "name": "", "to": "there"})
	doc["closed"] = append(doc["closed"], 12, nil)
	doc["goals"] = append(doc["goals"], map[string]any{"at": "here", "radius": 1})
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	p.Set("doc", string(text))
	p.Set("set.nonsense", "1")
	p.Set("cut", "<b>")
	return "#" + p.Encode()
}

// project checks the files of a saved project: the level has the edits, and its mesh is as large as the page's without the crate.
func project(t *testing.T, data []byte, agent meadow.Agent) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = &fstest.MapFile{Data: text}
	}
	if yaml := files["meadow.yaml"]; yaml == nil || !strings.Contains(string(yaml.Data), "radius: 0.4") {
		t.Fatalf("the project has %d files, and meadow.yaml is %v", len(files), yaml)
	}
	lvl, err := meadow.OpenFS(files, "halls.obj")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(lvl.Objects, func(o level.Object) bool { return o.Name == "obstacle" }) || !slices.ContainsFunc(lvl.Markers, func(m level.Marker) bool { return m.Kind == "jump" }) ||
		!slices.ContainsFunc(lvl.Markers, func(m level.Marker) bool { return m.Kind == "climb exit oneway" && m.Name == "climb" }) {
		t.Errorf("the level of the project has objects %v and markers %v", lvl.Objects, lvl.Markers)
	}
	if mesh, err := meadow.Build(t.Context(), lvl, agent); err != nil || mesh.RegionCount() == 0 {
		t.Errorf("the level of the project: %v", err)
	}
}
