package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/view"
)

// smallDemo is a demo of a level that is built and drawn in no time.
func smallDemo(t *testing.T) *demo {
	t.Helper()
	lvl, err := levelgen.Generate("arch", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	d := &demo{Level: lvl, Mesh: mesh, Report: mesh.Report(), Program: "meadow", Folder: "folder"}
	if err := d.walk(&env{ctx: t.Context()}); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDemoWalksToTheTop: the goal is the deck of the arch, the start a corner of the ground.
func TestDemoWalksToTheTop(t *testing.T) {
	d := smallDemo(t)
	if d.Goal.Y < 4 || d.Start.Y > 1 || !d.Path.Complete || d.Path.Length < 20 {
		t.Errorf("from %v to %v, %.1f m, complete %v", d.Start, d.Goal, d.Path.Length, d.Path.Complete)
	}
}

func TestDemoForPeople(t *testing.T) {
	d := smallDemo(t)
	var b bytes.Buffer
	d.print(&b)
	for _, want := range []string{
		`(?m)^level   arch, .*: 744 triangles$`,
		`(?m)^mesh    \d+ regions, \d+ portals, 2 layers, \d+\.\d m² in \d+\.\d\d s$`,
		`(?m)^path    \d+\.\d\d m through \d+ regions, `,
		`(?m)^files   folder: meadow-demo\.html`,
		`(?m)^  meadow path folder.demo\.mesh --from -?[\d.]+,`,
	} {
		if !regexp.MustCompile(want).MatchString(b.String()) {
			t.Errorf("no match for %s in\n%s", want, &b)
		}
	}
}

// TestDemoPageIsWhole: the page contains its picture and its scene, and refers only to files beside it.
func TestDemoPageIsWhole(t *testing.T) {
	race.Skip(t)
	d := smallDemo(t)
	var b strings.Builder
	if err := view.WriteBench(&b, d.page(&env{ctx: t.Context()}, []byte{0, 0, 0}), view.Begin{Kind: demoKind}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<img src="data:image/png;base64,AAAA"`, "744 triangles", "meadow gen maze", `id="meadow-scene"`, `id="meadow-build"`, `"kind":"demo"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
		switch m[1] {
		case "meadow-demo.png", "meadow-demo.svg", "demo.glb", "demo.mesh", "data:image/png;base64,AAAA":
		default:
			t.Errorf("the page refers to %q", m[1])
		}
	}
}

// TestDemoPageIsSmall: the page of the bundled level opens at once: before the program that builds it has 0.9 MB, with the program
// eight.
func TestDemoPageIsSmall(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate(demoKind, levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	d := &demo{Level: lvl, Mesh: mesh, Report: mesh.Report(), Program: "meadow", Folder: "folder"}
	if err := d.walk(&env{ctx: t.Context()}); err != nil {
		t.Fatal(err)
	}
	still, err := stillPicture(sceneOf(lvl, mesh, d.Path.Surface()))
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := view.WriteBench(&page, d.page(&env{ctx: t.Context()}, still), view.Begin{Kind: demoKind}); err != nil {
		t.Fatal(err)
	}
	if page.Len() > 10_000_000 {
		t.Errorf("the page has %d bytes, want at most 10 MB", page.Len())
	}
	program := regexp.MustCompile(`id="meadow-build">[^<]*<`).Find(page.Bytes())
	if rest := page.Len() - len(program); len(program) == 0 || rest > 900_000 {
		t.Errorf("the page without its program has %d bytes, want at most 0.9 MB", rest)
	}
}
