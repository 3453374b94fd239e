package view_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh/detour"
	"github.com/meadow-nav/meadow/view"
)

// TestDemoPage opens the page of the command `meadow demo` from the file system, and drags the goal: the path follows the hand, is as long as
// Meadow says, and the picture shows another one. The page asks for nothing but itself.
func TestDemoPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	folder := t.TempDir()
	command := filepath.Join(folder, "meadow")
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-o", command, "github.com/meadow-nav/meadow/cmd/meadow").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if text, err := exec.CommandContext(t.Context(), command, "demo", "--folder="+folder).CombinedOutput(); err != nil {
		t.Fatalf("meadow demo: %v: %s", err, text)
	}
	_, mesh := built(t, "demo")
	b := open(t, filepath.Join(folder, "meadow-demo.html"), "")
	first := b.until("start", func(s state) bool { return s.Ready && s.Frames > 0 && s.Goal != nil && s.Complete })
	before := b.shot("demo")
	if n := colors(before); n < 1000 {
		t.Errorf("the scene has %d colours, want a drawn level", n)
	}
	at := *b.state().Goal
	b.do(chromedp.MouseEvent(chromedp.MousePressed, at.X, at.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	const toX, toY = 460, 400
	for i := 1; i <= 5; i++ {
		f := float64(i) / 5
		b.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X+f*(toX-at.X), at.Y+f*(toY-at.Y), chromedp.ButtonLeft))
		b.settle()
	}
	during := waitFor(b, "path during the drag", func(s state) bool { return s.Complete && s.Length != first.Length })
	b.do(chromedp.MouseEvent(chromedp.MouseReleased, toX, toY, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	moved := waitFor(b, "drag", func(s state) bool {
		return s.Complete && s.Goal != nil && math.Hypot(s.Goal.X-toX, s.Goal.Y-toY) < 40 && s.GoalPoint != first.GoalPoint
	})
	if during.StartPoint != first.StartPoint || moved.StartPoint != first.StartPoint {
		t.Errorf("the drag moves the start from %v to %v and %v", first.StartPoint, during.StartPoint, moved.StartPoint)
	}
	vec := func(p [3]float64) geom.Vec { return geom.Vec{X: p[0], Y: p[1], Z: p[2]} }
	path, err := mesh.NewQuery().Path(t.Context(), vec(moved.StartPoint), vec(moved.GoalPoint))
	if err != nil || path.Length != moved.Length {
		t.Errorf("the dragged path is %v m long, Meadow says %v, %v", moved.Length, path.Length, err)
	}
	after := b.shot("demo-dragged")
	if n := pathPixels(after); n < 100 {
		t.Errorf("%d pixels have the path's colour", n)
	}
	if share := changed(before, after); share < 0.01 {
		t.Errorf("the drag changes %.2f %% of the pixels", 100*share)
	}
}

// TestDetourOnPage shows a set of Detour as the second mesh of a duel, and then as what is dropped on the page. The page draws the floor of the set,
// finds a path over it, and tells the error of a spoiled set without another change.
func TestDetourOnPage(t *testing.T) {
	findBrowser(t)
	t.Parallel()
	_, mesh := arch(t)
	var set bytes.Buffer
	if err := detour.Write(&set, mesh.Mesh); err != nil {
		t.Fatal(err)
	}
	back, err := detour.Read(bytes.NewReader(set.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"arch.bin": set.String(), "spoiled.bin": set.String()[:set.Len()/2]}
	b := onServer(t, view.Begin{Kind: "arch"})
	b.until("build", func(s state) bool { return s.Builds == 1 && s.Count > 0 })

	// The second mesh.
	b.press("#tab-judge")
	eval[bool](b, fmt.Sprintf(`(() => { const data = new DataTransfer(), input = document.getElementById("meadow-rival-file");
		data.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], "arch.bin"));
		input.files = data.files; input.dispatchEvent(new Event("change")); return true; })()`, base64.StdEncoding.EncodeToString(set.Bytes())))
	two := await(b, "duel", 10*time.Second, func() *duelState { return value[*duelState](b, "meadowState().duel") }, func(s *duelState) bool { return s != nil })
	if two.Regions != back.RegionCount() || two.Name != "arch.bin" {
		t.Errorf("the second mesh is %+v, want the %d regions of the set", two, back.RegionCount())
	}
	b.do(chromedp.KeyEvent("1"))
	both := b.shot("detour-duel")
	v := two.Views[1]
	part := image.Rect(int(v.Left), 120, int(v.Left+v.Width), int(v.Height)-120)
	if n := near(both, part, 238, 240, 243); n > part.Dx()*part.Dy()*9/10 {
		t.Errorf("the second view is empty: %d of %d pixels are paper", n, part.Dx()*part.Dy())
	}
	b.do(chromedp.KeyEvent("1"))

	// A drop.
	b.drop(files, "arch.bin")
	mine := b.until("drop", func(s state) bool { return s.Opened != nil && s.Opened.Kind == "mesh" && s.Count == back.RegionCount() })
	if mine.Opened.Name != "arch.bin" || value[*duelState](b, "meadowState().duel") != nil {
		t.Errorf("the drop opens %+v", mine.Opened)
	}
	area := eval[float64](b, `meadowApp.scene.floats("regionAreas").reduce((a, b) => a + b, 0)`)
	if math.Abs(area-back.Area()) > 0.001*area {
		t.Errorf("the page draws %.2f m² of floor, the set has %.2f", area, back.Area())
	}
	b.settle()
	if n := colors(b.shot("detour-drop")); n < 8 {
		t.Errorf("the scene has %d colours, want the regions of the set", n)
	}
	eval[bool](b, `(() => { const { ends, scene } = meadowApp, m = scene.floats("regionMiddles"), c = scene.head.center, p = (i) => [0, 1, 2].map((k) => m[3 * i + k] + c[k]);
		ends.start = p(0); ends.goal = p(m.length / 3 - 1); void meadowApp.find(); return true; })()`)
	b.until("path", func(s state) bool { return s.Complete && s.Length > 1 })

	// Half a set.
	b.drop(files, "spoiled.bin")
	said := func() string { return eval[string](b, "document.querySelector('.hint.wrong')?.textContent ?? ''") }
	await(b, "error", 15*time.Second, said, func(text string) bool { return strings.Contains(text, "spoiled.bin") })
	if s := b.state(); s.Opened.Name != "arch.bin" || s.Count != back.RegionCount() {
		t.Errorf("after half a set the page has %+v", s.Opened)
	}
}
