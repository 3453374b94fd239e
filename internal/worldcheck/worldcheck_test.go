package worldcheck

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
	"github.com/meadow-nav/meadow/world/script"
)

// built returns the mesh of a generated level.
func built(t testing.TB, kind string, seed uint64) *navmesh.Mesh {
	t.Helper()
	lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	return m.Mesh
}

// wider returns options with meshes for wider agents.
func wider(t testing.TB, base *navmesh.Mesh, radii ...float64) (opt world.Options) {
	t.Helper()
	for _, radius := range radii {
		m, err := meadow.Wrap(base).Widen(t.Context(), radius, meadow.WidenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		opt.Wider = append(opt.Wider, m.Mesh)
	}
	return opt
}

// TestRandomChanges makes random changes on levels of many kinds, judged by all laws.
func TestRandomChanges(t *testing.T) {
	for i, kind := range []string{"halls", "stairs", "rooms", "random", "bridge", "spiral", "rough", "catwalks"} {
		t.Run(kind, func(t *testing.T) {
			if i > 1 {
				race.Skip(t) // a writer and readers are the same goroutines on all kinds
			}
			for seed := range uint64(slow.Count(1, 20)) {
				base := built(t, kind, seed)
				trial := Trial{
					Base: base, Options: wider(t, base, 0.6), Seed: seed, Changes: slow.Count(30, 400), Places: 60, Paths: 10, Readers: slow.Count(1, 2), ShrinkAtMost: 300,
				}
				r, err := trial.Run(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Faults) > 0 {
					t.Fatalf("seed %d, change %d, shrunk %t: %v\n%.4000s", seed, r.Changes, r.Shrunk, r.Faults[0], Script(r.History, r.Faults[0]))
				}
				if r.Read == 0 || r.Checks < 3 {
					t.Errorf("seed %d: readers found %d paths, %d checks", seed, r.Read, r.Checks)
				}
			}
		})
	}
}

// site builds the level of a script: the folder has its kind and seed, as in random-17. A first line as in "# agent radius 0.2
// height 1.8 climb 0.4 storeys 2 size 16 wider 0.5" has an agent and a level other than by default.
func site(t *testing.T, folder, text string) (*navmesh.Mesh, world.Options) {
	t.Helper()
	kind, number, _ := strings.Cut(folder, "-")
	seed, err := strconv.ParseUint("0"+number, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	opt, agent := levelgen.Options{Seed: seed}, meadow.Agent{}
	var radii []float64
	first, _, _ := strings.Cut(text, "\n")
	if words, ok := strings.CutPrefix(first, "# agent "); ok {
		list := strings.Fields(words)
		for i := 0; i+1 < len(list); i += 2 {
			v, err := strconv.ParseFloat(list[i+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			switch list[i] {
			case "radius":
				if agent.Radius = v; v == 0 {
					agent.Radius = meadow.PointRadius
				}
			case "height":
				agent.Height = v
			case "climb":
				agent.MaxClimb = v
			case "storeys":
				opt.Storeys = int(v)
			case "size":
				opt.Size = v
			case "wider":
				radii = append(radii, v)
			default:
				t.Fatalf("unknown word %q in %s", list[i], first)
			}
		}
	}
	lvl, err := levelgen.Generate(kind, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent, KeepAll: true}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m.Mesh, wider(t, m.Mesh, radii...)
}

// TestScripts runs the scripts of testdata, each on its generated level: the expectations hold, and so do the laws after
// every change. Most scripts were faults of a campaign once.
func TestScripts(t *testing.T) {
	race.Skip(t)
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		folder := filepath.Base(filepath.Dir(file))
		t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			commands, err := script.Parse(bytes.NewReader(text), os.DirFS(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
			base, opt := site(t, folder, string(text))
			w, err := world.New(t.Context(), base, opt)
			if err != nil {
				t.Fatal(err)
			}
			c, err := New(t.Context(), base, opt, 1)
			if err != nil {
				t.Fatal(err)
			}
			r := script.Runner{World: w, Base: base, Options: opt, After: func(line int, s *world.Snapshot) error {
				faults, err := c.Check(t.Context(), s, true)
				for _, f := range faults {
					t.Errorf("line %d: %v", line, f)
				}
				return err
			}}
			report, err := r.Run(t.Context(), commands)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Failures {
				t.Error(f)
			}
		})
	}
}

// TestJudgeOfPlaces judges places beside solids whose distances are known on paper.
func TestJudgeOfPlaces(t *testing.T) {
	agent := geom.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4}
	cube := func(base geom.Vec, yaw float64) world.TriangleMesh {
		s := world.TriangleMesh{At: base, Yaw: yaw}
		for i := range 8 {
			s.Vertices = append(s.Vertices, geom.Vec{X: float64(i&1) - 0.5, Y: float64(i >> 1 & 1), Z: float64(i>>2) - 0.5})
		}
		s.Triangles = [][3]int32{
			{0, 1, 5},
			{0, 5, 4},
			{2, 7, 3},
			{2, 6, 7},
			{0, 2, 3},
			{0, 3, 1},
			{4, 5, 7},
			{4, 7, 6},
			{0, 4, 6},
			{0, 6, 2},
			{1, 3, 7},
			{1, 7, 5},
		}
		return s
	}
	square := func(base geom.Vec) world.Prism {
		at := func(x, z float64) geom.Vec { return base.Add(geom.Vec{X: x, Z: z}) }
		return world.Prism{Outline: []geom.Vec{at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)}, Bottom: base.Y, Top: base.Y + 1}
	}
	for name, solid := range map[string]func(base geom.Vec) world.Solid{
		"box":   func(b geom.Vec) world.Solid { return world.Box{Base: b, Size: geom.Vec{X: 1, Y: 1, Z: 1}} },
		"prism": func(b geom.Vec) world.Solid { return square(b) },
		"mesh":  func(b geom.Vec) world.Solid { return cube(b, 0) },
		"turned": func(b geom.Vec) world.Solid {
			return world.Box{Base: b, Size: geom.Vec{X: 1, Y: 1, Z: 1}, Yaw: geom.Degrees(90)}
		},
		"cylinder": func(b geom.Vec) world.Solid { return world.Cylinder{Base: b, Radius: 0.5, Height: 1} },
	} {
		for _, c := range []struct {
			base geom.Vec
			want verdict
		}{
			{geom.Vec{}, blocked},
			{geom.Vec{X: 0.88}, blocked},
			{geom.Vec{X: 0.9}, unsure},
			{geom.Vec{X: 0.965}, free},
			{geom.Vec{Z: -0.88}, blocked},
			{geom.Vec{Z: -0.965}, free},
			{geom.Vec{Y: 1.78}, blocked},
			{geom.Vec{Y: 1.82}, free},
			{geom.Vec{Y: -0.58}, blocked},
			{geom.Vec{Y: -0.6}, unsure},
			{geom.Vec{Y: -0.62}, free},
		} {
			at := geom.Vec{X: 7, Y: -3, Z: 2}
			if got := judge(agent, solid(at.Add(c.base)), levelSpot(at)); got != c.want {
				t.Errorf("%s at %v: %d, want %d", name, c.base, got, c.want)
			}
		}
	}
	// A box takes floor up to 5 cm beyond the radius, a cylinder up to 10 cm, by its size.
	for _, c := range []struct {
		solid world.Solid
		far   float64
		want  verdict
	}{
		{world.Box{Size: geom.Vec{X: 1, Y: 1, Z: 1}}, 0.956, free},
		{world.Box{Size: geom.Vec{X: 1, Y: 1, Z: 1}}, 0.952, unsure},
		{world.Cylinder{Radius: 0.1, Height: 1}, 0.556, free},
		{world.Cylinder{Radius: 0.5, Height: 1}, 0.958, unsure},
		{world.Cylinder{Radius: 0.5, Height: 1}, 0.962, free},
		{world.Cylinder{Radius: 3, Height: 1}, 3.502, unsure},
		{world.Cylinder{Radius: 3, Height: 1}, 3.506, free},
	} {
		if got := judge(agent, c.solid, levelSpot(geom.Vec{X: c.far})); got != c.want {
			t.Errorf("%v from %.3f m: %d, want %d", c.solid, c.far, got, c.want)
		}
	}
	// A turned box reaches half of its diagonal, and a mesh turns as a box does.
	for _, yaw := range []float64{geom.Degrees(45), geom.Degrees(20)} {
		for i := range 60 {
			at := geom.Vec{X: -1.5 + 0.05*float64(i), Y: 0, Z: 0.7}
			box := judge(agent, world.Box{Size: geom.Vec{X: 1, Y: 1, Z: 1}, Yaw: yaw}, levelSpot(at))
			if mesh := judge(agent, cube(geom.Vec{}, yaw), levelSpot(at)); mesh != box {
				t.Errorf("at %v a box is %d, its triangles %d", at, box, mesh)
			}
		}
	}
	// Beside a step, places as free as the obstacle's corners are wide are unsure.
	low := world.Box{Base: geom.Vec{}, Size: geom.Vec{X: 1, Y: 0.42, Z: 1}}
	onStep := geom.Vec{X: 0.6, Y: 0.1}
	if got := judge(agent, low, levelSpot(onStep)); got != free {
		t.Errorf("a low box beside a step: %d, want free", got)
	}
	if got := judge(agent, low, spot{onStep, 0, 0.1}); got != unsure {
		t.Errorf("a low box beside the edge of a step: %d, want unsure", got)
	}
	// Between the heights of a slope only its middle part counts.
	sheet := world.TriangleMesh{Vertices: []geom.Vec{{}, {X: 10, Y: 10}, {X: 10, Y: 10, Z: -1}, {Z: -1}}, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}}
	for x, want := range map[float64]verdict{-0.1: free, 0.1: blocked, 1: blocked, 2.1: blocked, 2.3: free} {
		if got := judge(agent, sheet, levelSpot(geom.Vec{X: x, Z: -0.5})); got != want {
			t.Errorf("beside a slope at %g: %d, want %d", x, got, want)
		}
	}
}

// TestTrianglesOverUnevenFloor judges places between a solid a bit higher than the agent climbs and lower floor: on uneven
// floor triangles may take the places.
func TestTrianglesOverUnevenFloor(t *testing.T) {
	race.Skip(t)
	for kind, want := range map[string]verdict{"rough": unsure, "random": free} {
		c, err := New(t.Context(), built(t, kind, 0), world.Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := c.floor.RandomPoint(c.rng)
		if !ok {
			t.Fatal("no floor")
		}
		low := c.spot(at.Point).low
		height := low + c.Base.Agent.MaxClimb - at.Point.Y - 0.03
		sheet := world.TriangleMesh{Vertices: []geom.Vec{{X: -1, Y: height, Z: -1}, {X: 1, Y: height, Z: -1}, {Y: height, Z: 1}}, Triangles: [][3]int32{{0, 1, 2}}, At: at.Point}
		box := world.Box{Base: at.Point, Size: geom.Vec{X: 1, Y: height, Z: 1}}
		for _, s := range []struct {
			solid world.Solid
			want  verdict
		}{{sheet, want}, {box, free}} {
			st := standing{obstacles: []world.Put{{ID: "crate", Solid: s.solid}}, steps: []float64{c.heightStep(s.solid)}}
			if got, by, maybe := c.judge(&st, at); got != s.want || len(by)+len(maybe) > 0 {
				t.Errorf("%s: a %T over %v is %d by %v and perhaps %v, want %d", kind, s.solid, at.Point, got, by, maybe, s.want)
			}
		}
	}
}

// changed makes a world with some things, and its checker.
func changed(t *testing.T, base *navmesh.Mesh, agent geom.Agent) (*world.World, *Checker) {
	t.Helper()
	w, err := world.New(t.Context(), base, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	judged := *base
	judged.Agent = agent
	c, err := New(t.Context(), &judged, world.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMaker(base, 7)
	m.NoLinks = true
	edits := []world.Edit{
		world.Paint{ID: "mud", Solid: world.Box{Base: geom.Vec{Y: -1}, Size: geom.Vec{X: 100, Y: 5, Z: 100}}, Brush: world.Brush{Set: 1 << 11}},
	}
	for range 12 {
		edits = append(edits, m.put(world.Cylinder{Base: m.onFloor(), Radius: 0.5, Height: 1}))
	}
	if faults, err := c.Apply(t.Context(), w, edits); err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	return w, c
}

// TestFaultsAreFound plants a fault for every law.
func TestFaultsAreFound(t *testing.T) {
	race.Skip(t)
	base := built(t, "random", 3)
	check := func(c *Checker, w *world.World, anew bool) []Fault {
		faults, err := c.Check(t.Context(), w.Now(), anew)
		if err != nil {
			t.Fatal(err)
		}
		return faults
	}
	want := func(name string, faults []Fault, law Law) {
		t.Helper()
		if len(faults) == 0 || ofLaw(faults, law) == nil {
			t.Errorf("%s: faults %v, want %q", name, faults, law)
		}
	}
	w, c := changed(t, base, base.Agent)
	if faults := check(c, w, true); len(faults) > 0 {
		t.Fatalf("a good world: %v", faults)
	}

	wider := base.Agent
	wider.Radius += 0.3
	w, c = changed(t, base, wider)
	want("floor too near to obstacles", check(c, w, false), Floor)
	narrower := base.Agent
	narrower.Radius -= 0.2
	w, c = changed(t, base, narrower)
	c.Places = 500
	want("floor missing beside obstacles", check(c, w, false), Floor)
	low := base.Agent
	low.MaxClimb = 1.1
	w, c = changed(t, base, low)
	want("obstacles that the agent climbs", check(c, w, false), Blocker)

	w, c = changed(t, base, base.Agent)
	c.Options.Wider = []*navmesh.Mesh{built(t, "halls", 0)}
	if _, err := c.Check(t.Context(), w.Now(), true); err == nil {
		t.Error("a world of other meshes compares")
	}

	w, c = changed(t, base, base.Agent)
	narrow := *base
	narrow.Agent.Radius -= 0.1
	c.wider = []*Checker{{Base: &narrow, Options: c.Options, rng: c.rng, floor: c.floor, first: base.Agent.Radius}}
	if _, err := c.Check(t.Context(), w.Now(), false); err == nil {
		t.Error("a radius that the world does not have is judged")
	}
	if text := func() string {
		c.wider[0].fault(Floor, []script.Action{script.Ask{Question: script.AskArea}}, "none")
		return Script(nil, c.wider[0].faults[0]).String()
	}(); text != "radius 0.30000000000000004\narea\n" {
		t.Errorf("a fault of a wider agent is asked for as\n%s", text)
	}

	w, c = changed(t, base, base.Agent)
	c.Base = built(t, "random", 4)
	want("the base of another world", check(c, w, true), Anew)

	w, c = changed(t, base, base.Agent)
	broken := *w.Now().Mesh()
	broken.Tiles = slices.Clone(broken.Tiles)
	broken.Tiles[0].Portals = slices.Clone(broken.Tiles[0].Portals)
	broken.Tiles[0].Portals[0].Clearance += 7
	c.valid(&broken)
	want("a wrong clearance", c.faults, Valid)

	c.faults = nil
	plain := *w.Now().Mesh()
	plain.Tiles = slices.Clone(plain.Tiles)
	plain.Tiles[0].Regions = slices.Clone(plain.Tiles[0].Regions)
	for i := range plain.Tiles[0].Regions {
		plain.Tiles[0].Regions[i].Flags = navmesh.DefaultFlags
	}
	c.places(w.Now(), &plain)
	want("floor without the flags of a modifier", c.faults, Painted)

	c.faults = nil
	if err := c.paths(t.Context(), w.Now(), base); err != nil {
		t.Fatal(err)
	}
	want("paths of another mesh", c.faults, Paths)

	hall := built(t, "halls", 0)
	c, err := New(t.Context(), hall, world.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	path, err := query.NewIndex(hall).NewQuery().Path(t.Context(), geom.Vec{X: -6, Z: 5}, geom.Vec{X: 6, Z: 5})
	if err != nil {
		t.Fatal(err)
	}
	shut := make([]bool, len(hall.Marks))
	for k := range shut {
		shut[k] = hall.Marks[k].Kind == "ladder"
	}
	if c.passes(path, shut) {
		t.Errorf("a path through a door passes a ladder: %v", c.faults)
	}
	for k := range shut {
		shut[k] = hall.Marks[k].Kind == "door"
	}
	c.passes(path, shut)
	want("a path through a closed door", c.faults, Doors)

	w, c = changed(t, base, base.Agent)
	c.origin = nil
	var edits []world.Edit
	for _, thing := range w.Now().Things() {
		edits = append(edits, world.Take{ID: script.IDOf(thing)})
	}
	if faults, err := c.Apply(t.Context(), w, edits); err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	want("a base that does not come back", check(c, w, false), Empty)

	w, c = changed(t, base, base.Agent)
	c.things["ghost"] = world.Put{ID: "ghost"}
	faults, err := c.Apply(t.Context(), w, []world.Edit{world.Take{ID: "mud"}})
	if err != nil {
		t.Fatal(err)
	}
	want("a thing that is not listed", faults, Listed)
	faults, err = c.Apply(t.Context(), w, []world.Edit{world.Take{ID: "mud"}})
	if err != nil {
		t.Fatal(err)
	}
	want("a change that is refused", faults, Applied)
	want("a wrong change that is applied", c.ApplyWrong(t.Context(), w, []world.Edit{world.Take{ID: "box1"}}, ""), Refused)
	want("an error about nothing", c.ApplyWrong(t.Context(), w, []world.Edit{world.Take{ID: "box1"}}, "box2"), Refused)

	old, err := c.Remember(t.Context(), w.Now(), 5)
	if err != nil {
		t.Fatal(err)
	}
	if faults, err := old.Recall(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("an old snapshot: %v, %v", faults, err)
	}
	old.costs[2]++
	faults, err = old.Recall(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want("an old snapshot that changed", faults, Past)

	r := reader{rng: rand.New(rand.NewPCG(1, 1)), last: 100}
	if _, err := r.look(t.Context(), w.Now()); err == nil {
		t.Error("a sequence that falls is not noticed")
	}
}

// TestShrink reduces a long history to the two changes that a fault needs.
func TestShrink(t *testing.T) {
	race.Skip(t)
	base := built(t, "random", 3)
	m := NewMaker(base, 1)
	var changes [][]world.Edit
	for range 200 {
		changes = append(changes, m.Next())
	}
	changes = slices.Insert(changes, 150, []world.Edit{world.Put{ID: "a"}, world.Put{ID: "b"}})
	changes = slices.Insert(changes, 50, []world.Edit{world.Take{ID: "none"}, world.Put{ID: "c"}})
	worlds := 0
	got := Shrink(changes, 300, func(changes [][]world.Edit) bool {
		worlds++
		found := map[world.ID]bool{}
		for _, edits := range changes {
			for _, e := range edits {
				found[script.IDOf(e)] = true
			}
		}
		return found["b"] && found["c"]
	})
	if text := Script(got, Fault{}).String(); text != "batch\n  put c\n  put b\nend\n" {
		t.Errorf("shrunk to\n%s", text)
	}
	// A fault that needs its history: b goes before c comes.
	changes = append(changes, []world.Edit{world.Take{ID: "b"}}, []world.Edit{world.Put{ID: "d"}})
	got = Shrink(changes, 300, func(changes [][]world.Edit) bool {
		taken := false
		for _, edits := range changes {
			for _, e := range edits {
				taken = taken || e == world.Take{ID: "b"}
				if taken && script.IDOf(e) == "d" {
					return true
				}
			}
		}
		return false
	})
	if text := Script(got, Fault{}).String(); text != "put b\ntake b\nput d\n" {
		t.Errorf("shrunk to\n%s", text)
	}
	settled := Settled([][]world.Edit{
		{world.Put{ID: "a"}, world.Close{Mark: "door"}, world.Paint{ID: "p"}},
		{world.Move{ID: "a", Solid: world.Cylinder{Radius: 1, Height: 1}}, world.Put{ID: "b"}, world.Take{ID: "b"}, world.Move{ID: "b"}, world.Open{Mark: "door"}},
		{world.Repaint{ID: "p", Brush: world.Brush{Set: 8}}},
	})
	want := "batch\n  close door\n  put a cylinder 0,0,0 radius 1 height 1\n  open door\n  paint p set 8\nend\n"
	if text := Script([][]world.Edit{settled}, Fault{}).String(); text != want {
		t.Errorf("settled to\n%swant\n%s", text, want)
	}
	if worlds > 300 {
		t.Errorf("%d worlds for at most 300", worlds)
	}
}

// TestMakerIsSteady makes the same changes twice, and knows the effect of a seed.
func TestMakerIsSteady(t *testing.T) {
	base := built(t, "halls", 0)
	text := func(seed uint64) string {
		m := NewMaker(base, seed)
		var s script.Script
		for range 300 {
			s = append(s, script.Command{Do: script.Apply{Edits: m.Next(), Batch: true}})
		}
		return s.String()
	}
	first := text(5)
	if first != text(5) {
		t.Error("two makers of a seed differ")
	}
	if first == text(6) {
		t.Error("two seeds are equal")
	}
	for _, word := range []string{"put", "move", "take", "paint", "repaint", "close", "open", "connect", "box", "cylinder", "prism", "mesh"} {
		if !strings.Contains(first, " "+word+" ") {
			t.Errorf("300 changes without %q", word)
		}
	}
	if _, err := script.Parse(strings.NewReader(first), nil); err != nil {
		t.Error(err)
	}
}
