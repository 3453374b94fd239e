package view_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/view"
)

// arch is a small level, and its mesh.
func arch(t testing.TB) (*level.Level, *meadow.Mesh) { return built(t, "arch") }

func built(t testing.TB, kind string) (*level.Level, *meadow.Mesh) {
	t.Helper()
	lvl, err := levelgen.Generate(kind, levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	return lvl, mesh
}

func write(t *testing.T, p view.Page) string {
	t.Helper()
	var out strings.Builder
	if err := view.Write(&out, p); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// unpack returns the data of a block of a page.
func unpack(t *testing.T, page, id string) []byte {
	t.Helper()
	m := regexp.MustCompile(`id="` + id + `">([A-Za-z0-9+/=]*)</script>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("the page has no block %s", id)
	}
	packed, err := base64.StdEncoding.DecodeString(m[1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// scene is the head of a scene and its body.
type scene struct {
	Storeys  []float64
	Sections map[string]struct {
		Type         string
		Start, Count int
	}
	body []byte
}

func readScene(t *testing.T, page string) scene {
	t.Helper()
	data := unpack(t, page, "meadow-scene")
	n := 4 + binary.LittleEndian.Uint32(data)
	var s scene
	if err := json.Unmarshal(data[4:n], &s); err != nil {
		t.Fatal(err)
	}
	if n%4 != 0 {
		t.Fatalf("the body begins at byte %d, want a multiple of 4", n)
	}
	s.body = data[n:]
	return s
}

func (s scene) floats(name string) []float32 {
	out := make([]float32, s.Sections[name].Count)
	binary.Decode(s.body[s.Sections[name].Start:], binary.LittleEndian, out)
	return out
}

func (s scene) bytes(name string) []uint8 {
	at := s.Sections[name]
	return s.body[at.Start : at.Start+at.Count]
}

// TestPageHasTheMesh: the mesh of a page is the mesh, without its record, and the areas of its regions are those of the mesh.
func TestPageHasTheMesh(t *testing.T) {
	lvl, mesh := arch(t)
	page := write(t, view.Page{Context: t.Context(), Mesh: mesh.Mesh, Level: lvl})
	want, err := navfile.Encode(mesh.WithoutRecord())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(unpack(t, page, "meadow-mesh"), want) {
		t.Error("the page has another mesh")
	}
	s := readScene(t, page)
	sum := 0.0
	for _, a := range s.floats("regionAreas") {
		sum += float64(a)
	}
	if math.Abs(sum-mesh.Area()) > 0.01 {
		t.Errorf("the regions have %.3f m², the mesh %.3f", sum, mesh.Area())
	}
	if triangles := s.Sections["levelStoreys"].Count; triangles != len(lvl.Triangles) {
		t.Errorf("%d triangles of %d", triangles, len(lvl.Triangles))
	}
	for name, at := range s.Sections {
		size := map[string]int{"f32": 4, "u32": 4, "u8": 1}[at.Type]
		if size == 0 || at.Start%4 != 0 || at.Start+size*at.Count > len(s.body) {
			t.Errorf("section %s lies at %+v in %d bytes", name, at, len(s.body))
		}
	}
	if again := write(t, view.Page{Context: t.Context(), Mesh: mesh.Mesh, Level: lvl}); again != page {
		t.Error("a second page differs")
	}
}

// TestStoreys: the demo level has its ground, the terrace and two turns of the stair. A region is in the storey of its height, and
// the level's parts go with the floor.
func TestStoreys(t *testing.T) {
	lvl, mesh := built(t, "demo")
	s := readScene(t, write(t, view.Page{Context: t.Context(), Mesh: mesh.Mesh, Level: lvl}))
	if len(s.Storeys) != 4 {
		t.Fatalf("storeys at %v, want four", s.Storeys)
	}
	for i := 1; i < len(s.Storeys); i++ {
		if s.Storeys[i] < s.Storeys[i-1]+mesh.Agent.Height/2 {
			t.Errorf("storeys at %v", s.Storeys)
		}
	}
	middles, areas := s.floats("regionMiddles"), s.floats("regionAreas")
	var area, moment [4]float64
	for i, storey := range s.bytes("regionStoreys") {
		area[storey] += float64(areas[i])
		moment[storey] += float64(areas[i]) * float64(middles[3*i+1])
	}
	for i := range area {
		if mean := moment[i] / area[i]; math.Abs(mean-s.Storeys[i]) > 0.01 {
			t.Errorf("the regions of storey %d are at %.3f, the storey at %.3f", i, mean, s.Storeys[i])
		}
	}
	var triangles [4]int
	for _, storey := range s.bytes("levelStoreys") {
		triangles[storey]++
	}
	if triangles[0] < len(lvl.Triangles)/2 || triangles[1] == 0 || triangles[2] == 0 || triangles[3] == 0 {
		t.Errorf("triangles by storey: %v", triangles)
	}
}

// TestNamesAreText: names from files never become markup or code.
func TestNamesAreText(t *testing.T) {
	lvl, mesh := arch(t)
	const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'`
	page := write(t, view.Page{
		Context: t.Context(), Title: evil, Mesh: mesh.Mesh, Level: lvl, Alt: evil, Picture: []byte{1},
		Facts: []view.Fact{{Name: evil, Value: evil}}, Notes: []string{evil}, Files: []view.File{{Name: "javascript:alert(1)", Text: evil}},
	})
	for _, bad := range []string{"<script>alert", "<img src=x", `href="javascript:`} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	if n := strings.Count(page, "<script"); n != 6 {
		t.Errorf("%d scripts, want five blocks and the start", n)
	}
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if policy == nil || !strings.Contains(policy[1], "default-src &#39;none&#39;") || strings.Contains(policy[1], "unsafe-inline") || strings.Contains(policy[1], "http") {
		t.Errorf("the policy is %q", policy)
	}
}

func TestPagesOfLittle(t *testing.T) {
	if err := view.Write(io.Discard, view.Page{Context: t.Context()}); err == nil {
		t.Error("a page without a mesh")
	}
	empty := write(t, view.Page{Context: t.Context(), Mesh: &navmesh.Mesh{}})
	if s := readScene(t, empty); len(s.Storeys) != 0 {
		t.Errorf("an empty mesh has storeys %v", s.Storeys)
	}
	_, mesh := arch(t)
	bare := readScene(t, write(t, view.Page{Context: t.Context(), Mesh: mesh.Mesh}))
	if bare.Sections["levelCorners"].Count != 0 || bare.Sections["regionCorners"].Count == 0 {
		t.Error("a page without a level has one, or has no regions")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := view.Write(io.Discard, view.Page{Context: ctx, Mesh: mesh.Mesh}); err == nil {
		t.Error("a stopped page is written")
	}
}
