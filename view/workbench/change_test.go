package workbench_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/view/workbench"
)

// built returns a bench with a mesh of a generated level.
func built(t *testing.T, kind string) *workbench.Bench {
	t.Helper()
	b := workbench.New()
	do(t, b, "generate", map[string]any{"kind": kind}, nil, nil)
	do(t, b, "build", nil, nil, nil)
	return b
}

// walk is an answer to path.
type walk struct {
	Complete bool
	Length   float64
	Regions  []int
	Surface  []float64
	Links    int
	Start    struct{ Component int }
}

// place is a share of the way along the path.
func (w walk) place(share float64) (at [3]float64) {
	rest := share * w.Length
	for i := 3; i+2 < len(w.Surface); i += 3 {
		a, b := w.Surface[i-3:i], w.Surface[i:i+3]
		d := math.Hypot(b[0]-a[0], b[2]-a[2])
		if rest <= d {
			for k := range at {
				at[k] = a[k] + (b[k]-a[k])*rest/d
			}
			return at
		}
		rest -= d
	}
	return at
}

// box is a crate of half a metre on a place.
func box(id string, at [3]float64) workbench.Thing {
	at[1] -= 0.05
	return workbench.Thing{ID: id, Shape: "box", At: at, Size: [3]float64{0.5, 1.2, 0.5}}
}

// floor reads the number of regions of a scene, and the number of triangles of its level.
func floor(t *testing.T, body []byte) (regions, triangles int) {
	t.Helper()
	return len(section(t, body, "regionStoreys")), len(section(t, body, "levelStoreys"))
}

// section returns an array of bytes of a scene.
func section(t *testing.T, body []byte, name string) []byte {
	t.Helper()
	var head struct {
		Sections map[string]struct{ Start, Count int }
	}
	length := binary.LittleEndian.Uint32(body)
	if err := json.Unmarshal(body[4:4+length], &head); err != nil {
		t.Fatal(err)
	}
	s := head.Sections[name]
	return body[4+int(length)+s.Start:][:s.Count]
}

// TestChangeAndBack: a crate on the path leads the path round, in the mesh that is drawn; without the crate everything is as before,
// to the last byte. A change that is asked for twice is no change.
func TestChangeAndBack(t *testing.T) {
	b := built(t, "demo")
	whole := do(t, b, "build", nil, nil, nil)
	ask := map[string]any{"from": []float64{-19.6, 1.93, 19.6}, "to": []float64{4.64, 9, -7.64}, "reach": 1}
	var before, around, after walk
	do(t, b, "path", ask, nil, &before)
	if !before.Complete {
		t.Fatal("the demo has no path")
	}
	var made workbench.Changed
	first := do(t, b, "change", workbench.Changing{}, nil, &made)
	crate := workbench.Changing{Things: []workbench.Thing{box("a", before.place(0.12))}}
	scene := do(t, b, "change", crate, nil, &made)
	regions, triangles := floor(t, scene)
	if made.Edits != 1 || len(made.Boxes) == 0 || len(made.Fresh) == 0 || regions != made.Regions || triangles != 0 || made.Microseconds <= 0 {
		t.Fatalf("the change is %+v, its scene has %d regions and %d triangles", made, regions, triangles)
	}
	// The floor that has not changed keeps its storeys and its colours.
	for _, name := range []string{"regionStoreys", "regionColors"} {
		if !bytes.Equal(section(t, first, name), section(t, whole, name)) {
			t.Errorf("%s are others than those of the build", name)
		}
	}
	if a, b := section(t, first, "regionStoreys"), section(t, scene, "regionStoreys"); slices.Max(a) == 0 || slices.Max(a) != slices.Max(b) {
		t.Errorf("%d storeys with a crate, and %d without", slices.Max(b), slices.Max(a))
	}
	colors := map[string]int{}
	for i := range regions {
		colors[string(section(t, scene, "regionColors")[3*i:][:3])]++
	}
	for i := range len(section(t, first, "regionStoreys")) {
		colors[string(section(t, first, "regionColors")[3*i:][:3])]--
	}
	differ := 0
	for _, n := range colors {
		differ += max(n, -n)
	}
	if differ > 3*len(made.Fresh)+10 {
		t.Errorf("%d regions have another colour after %d new ones", differ, len(made.Fresh))
	}
	for _, r := range made.Fresh {
		if r >= regions {
			t.Errorf("region %d of %d is new", r, regions)
		}
	}
	do(t, b, "path", ask, nil, &around)
	if !around.Complete || around.Length <= before.Length || around.Length > before.Length+5 {
		t.Errorf("the path is %v m around the crate, and %v m without", around.Length, before.Length)
	}
	for _, r := range around.Regions {
		if r < 0 || r >= regions {
			t.Errorf("the path goes through region %d of %d", r, regions)
		}
	}
	crate.Later = true
	if body := do(t, b, "change", crate, nil, &made); len(body) > 0 {
		t.Error("a change without its scene has one")
	}
	if body := do(t, b, "floor", nil, nil, nil); !bytes.Equal(body, scene) {
		t.Error("the floor is another one than that of the change")
	}
	if made.Edits != 0 {
		t.Errorf("the same change again makes %d edits", made.Edits)
	}
	last := do(t, b, "change", workbench.Changing{}, nil, &made)
	do(t, b, "path", ask, nil, &after)
	if after.Length != before.Length || !bytes.Equal(first, last) {
		t.Errorf("after the crate is gone the path is %v m, and the floor is the same: %v; want %v m", after.Length, bytes.Equal(first, last), before.Length)
	}
	// A modifier makes ground dear, and moves.
	ground := box("a", before.place(0.12))
	ground.Cost = 40
	do(t, b, "change", workbench.Changing{Things: []workbench.Thing{ground}}, nil, &made)
	do(t, b, "path", ask, nil, &around)
	if !around.Complete || around.Length <= before.Length {
		t.Errorf("the path over dear ground is %v m, and %v m without it", around.Length, before.Length)
	}
	ground.At[0] += 4
	do(t, b, "change", workbench.Changing{Things: []workbench.Thing{ground}}, nil, &made)
	do(t, b, "path", ask, nil, &after)
	if after.Length != before.Length {
		t.Errorf("the path is %v m after the dear ground has moved away, want %v", after.Length, before.Length)
	}
}

// TestDoorsClose: the doors of the level are listed, and a closed one turns the path away.
func TestDoorsClose(t *testing.T) {
	b := built(t, "halls")
	var list []workbench.Door
	do(t, b, "doors", nil, nil, &list)
	if len(list) == 0 || list[0].Kind != "door" || list[0].High[0] <= list[0].Low[0] {
		t.Fatalf("the doors are %+v", list)
	}
	west, east, _, _ := levelgen.HallsWalks()
	ask := map[string]any{"from": []float64{west.X, west.Y, west.Z}, "to": []float64{east.X, east.Y, east.Z}, "reach": 1}
	var before, shut walk
	var made workbench.Changed
	do(t, b, "path", ask, nil, &before)
	all := workbench.Changing{}
	for _, d := range list {
		if d.Kind == "door" {
			all.Closed = append(all.Closed, d.Name)
		}
	}
	do(t, b, "change", all, nil, &made)
	do(t, b, "path", ask, nil, &shut)
	if !before.Complete || shut.Complete && shut.Length <= before.Length {
		t.Errorf("with all doors closed the path is %v m, and %v m with open ones", shut.Length, before.Length)
	}
	do(t, b, "doors", nil, nil, &list)
	if !list[0].Closed {
		t.Error("the list does not know that the door is closed")
	}
}

// TestWrongChanges: a wrong thing is an error with its name, and nothing changes.
func TestWrongChanges(t *testing.T) {
	if _, err := try(t, workbench.New(), "change", nil, nil); err == nil || !strings.Contains(err.Error(), "no mesh") {
		t.Errorf("a change without a mesh: %v", err)
	}
	b := built(t, "arch")
	var made workbench.Changed
	before := do(t, b, "change", workbench.Changing{}, nil, &made)
	var many []workbench.Thing
	for i := range 20_000 {
		many = append(many, box(fmt.Sprint(i), [3]float64{}))
	}
	for _, c := range []struct {
		want string
		to   workbench.Changing
	}{
		{"called \"a\"", workbench.Changing{Things: []workbench.Thing{box("a", [3]float64{}), box("a", [3]float64{1})}}},
		{"shape \"star\"", workbench.Changing{Things: []workbench.Thing{{ID: "b", Shape: "star"}}}},
		{"Size is (1.000, 0.000", workbench.Changing{Things: []workbench.Thing{{ID: "flat", Size: [3]float64{1, 0, 1}}}}},
		{"gate of nowhere", workbench.Changing{Closed: []string{"gate of nowhere"}}},
		{"far", workbench.Changing{Things: []workbench.Thing{box("far", [3]float64{1e7, 0, 0})}}},
		{"the id is empty", workbench.Changing{Things: []workbench.Thing{box("", [3]float64{})}}},
		{"at most", workbench.Changing{Things: many}},
	} {
		if _, err := try(t, b, "change", c.to, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want one with %q", err, c.want)
		}
	}
	if after := do(t, b, "change", workbench.Changing{}, nil, &made); !bytes.Equal(before, after) {
		t.Error("a wrong change has changed the floor")
	}
}

// BenchmarkChange drops a crate into the demo and takes it away: the time is that of one request, scene included.
func BenchmarkChange(b *testing.B) {
	bench := workbench.New()
	ask := func(name string, args any) {
		text, err := json.Marshal(args)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := bench.Do(b.Context(), workbench.Request{Name: name, Args: text}, nil); err != nil {
			b.Fatal(err)
		}
	}
	ask("generate", map[string]any{"kind": "demo"})
	ask("build", nil)
	crate := []workbench.Thing{box("a", [3]float64{-19.6, 1.93, 15})}
	for i := range b.N {
		ask("change", workbench.Changing{Things: crate[:(i+1)%2]})
	}
}
