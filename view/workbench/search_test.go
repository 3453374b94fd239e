package workbench_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/view/workbench"
)

// TestWays: no way on the mesh is shorter than the shortest, searches of one graph agree, and A* expands no more than Dijkstra.
func TestWays(t *testing.T) {
	b := workbench.New()
	do(t, b, "generate", map[string]any{"kind": "rooms"}, nil, nil)
	do(t, b, "build", map[string]any{"radius": 0.3}, nil, nil)
	var list []workbench.Way
	do(t, b, "ways", map[string]any{"from": []float64{-30, 0, -30}, "to": []float64{30, 0, 30}, "reach": 40}, nil, &list)
	by := map[string]workbench.Way{}
	for _, w := range list {
		if !w.Found || len(w.Points) < 6 {
			t.Errorf("%s: no way", w.Name)
		}
		by[w.Name] = w
	}
	shortest := by["shortest"].Length
	for _, name := range []string{"portals, funnel", "portal middles", "both, tight", "both, smooth", "curve", "roadmap"} {
		if w := by[name]; w.Length < shortest-0.01 {
			t.Errorf("%s: %.3f m, the shortest has %.3f m", name, w.Length, shortest)
		}
	}
	if shortest < 25 || by["portal middles"].Length < 1.01*shortest {
		t.Errorf("the shortest has %.3f m, over portal middles %.3f m", shortest, by["portal middles"].Length)
	}
	a, d := by["A*"], by["Dijkstra"]
	for _, name := range []string{"Dijkstra", "Fringe", "two-way A*"} {
		if math.Abs(by[name].Length-a.Length) > 1e-6 {
			t.Errorf("%s: %.6f m, A* has %.6f m", name, by[name].Length, a.Length)
		}
	}
	if a.Expanded == 0 || a.Expanded > d.Expanded || len(a.Nodes) < 3 || len(a.Nodes) > len(d.Nodes) {
		t.Errorf("A* expands %d nodes and looks at %d, Dijkstra %d and %d", a.Expanded, len(a.Nodes)/3, d.Expanded, len(d.Nodes)/3)
	}
	do(t, b, "ways", map[string]any{"from": []float64{-1000, 0, 0}, "to": []float64{10, 0, 10}, "reach": 1}, nil, &list)
	if len(list) != 0 {
		t.Errorf("%d ways from outside", len(list))
	}
}

// TestRay: a straight walk over a plate ends at its border, at the distance of the border; within, it reaches its goal.
func TestRay(t *testing.T) {
	b := workbench.New()
	level := []byte("v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n")
	do(t, b, "open", file("plate.obj", level), level, nil)
	if _, err := try(t, b, "ray", nil, nil); err == nil {
		t.Error("a ray without a mesh")
	}
	do(t, b, "build", map[string]any{"radius": 0.5}, nil, nil)
	var r workbench.Ray
	do(t, b, "ray", map[string]any{"from": []float64{5, 0, 5}, "to": []float64{8.5, 0, 5}, "reach": 1}, nil, &r)
	if !r.Found || r.Hit || math.Abs(r.Length-3.5) > 0.01 || math.Abs(r.Distance-1) > 0.01 || math.Abs(r.Wall[0]-9.5) > 0.01 {
		t.Errorf("the ray is %+v", r)
	}
	// A hole in the way.
	level = []byte("v 0 0 0\nv 0 0 10\nv 4 0 10\nv 4 0 0\nf 1 2 3 4\nv 6 0 0\nv 6 0 10\nv 10 0 10\nv 10 0 0\nf 5 6 7 8\nv 4 0 8\nv 4 0 10\nv 6 0 10\nv 6 0 8\nf 9 10 11 12\n")
	do(t, b, "open", file("gap.obj", level), level, nil)
	do(t, b, "build", map[string]any{"radius": 0.25, "gap": 0}, nil, nil)
	do(t, b, "ray", map[string]any{"from": []float64{2, 0, 2}, "to": []float64{8, 0, 2}, "reach": 1}, nil, &r)
	if !r.Found || !r.Hit || math.Abs(r.End[0]-3.75) > 0.01 {
		t.Errorf("the ray over the gap is %+v", r)
	}
}

// TestCosts: dear ground turns the path away, and its own cost gives the first path back.
func TestCosts(t *testing.T) {
	b := workbench.New()
	// A swamp in the middle of a field.
	level := []byte(`v 0 0 0
v 0 0 20
v 8 0 0
v 8 0 20
v 8 0 15
v 12 0 15
v 12 0 0
v 12 0 20
v 20 0 0
v 20 0 20
usemtl grass
f 1 2 5 3
f 2 4 5
f 5 4 8 6
f 6 8 10
f 7 6 10 9
usemtl mud
f 3 5 6 7
`)
	do(t, b, "open", file("swamp.obj", level), level, nil)
	if _, err := try(t, b, "costs", nil, nil); err == nil {
		t.Error("costs without a mesh")
	}
	do(t, b, "build", map[string]any{"radius": 0.3, "terrain": true}, nil, nil)
	var list []workbench.GroundCost
	do(t, b, "grounds", nil, nil, &list)
	if len(list) != 2 {
		t.Fatalf("grounds %+v, want two", list)
	}
	var field, swamp workbench.GroundCost
	for _, g := range list {
		if g.Size > 200 {
			field = g
		} else {
			swamp = g
		}
	}
	ends := map[string]any{"from": []float64{2, 0, 10}, "to": []float64{18, 0, 10}, "reach": 2}
	var path struct {
		Complete bool
		Length   float64
	}
	length := func() float64 {
		do(t, b, "path", ends, nil, &path)
		if !path.Complete {
			t.Fatal("no path")
		}
		return path.Length
	}
	straight := length()
	swamp.Cost = 8
	do(t, b, "costs", map[string]any{"costs": []workbench.GroundCost{field, swamp}}, nil, nil)
	if around := length(); around < straight+1 {
		t.Errorf("the path is %.2f m long, and %.2f m with a dear swamp", straight, around)
	}
	swamp.Cost = 1
	do(t, b, "costs", map[string]any{"costs": []workbench.GroundCost{swamp}}, nil, nil)
	if again := length(); math.Abs(again-straight) > 1e-9 {
		t.Errorf("the path is %.2f m long, and %.2f m with the first costs again", straight, again)
	}
	for _, bad := range []float64{-1, 1e300, 0} {
		swamp.Cost = bad
		if _, err := try(t, b, "costs", map[string]any{"costs": []workbench.GroundCost{swamp}}, nil); err == nil {
			t.Errorf("a cost of %v is taken", bad)
		}
	}
}
