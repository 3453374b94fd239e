package scenario

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
)

// every has every statement with every word.
const every = `# all statements
level rooms seed 3 size 30 storeys 1 # generated
floor -10,-5 10,5 at 1.5
wall 0,0,1 size 1,2,3 yaw 30
agents radius 0.2..0.3 height 1.7 speed 1.2..1.4 acceleration 4
seconds 30
dt 0.1
seed 9
arrive 0.4
box west -9,-4 -6,4 from 1 to 3
place east 8,1.5,0
line door 0,-1 0,1
crowd a 5 in west to east then leave
group b 3 anywhere to anywhere then again radius 0.4 priority -2
stream c 9 in west every 0.5 from 2 to east west speed 2
circle d 12 around 0,1.5,0 ring 4
crowd e 1 in east tour west east then again
at 3 put crate box 0,1.5,0 size 1,1,1
at 1.5 close "the door"
expect overlap below 0.01
expect offmesh 0
expect stuck 1
expect waiting below 0.5
expect arrived 10
expect speed 0.2 to 1.3
expect flow door 1.2 to 1.9
expect done below 60
expect lanes door 0.5 to 1
`

func parse(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestParse reads every statement, and compares the fields with the words.
func TestParse(t *testing.T) {
	got := parse(t, every)
	of := func(v float64) Span { return Span{v, v} }
	usual := Source{Then: Stay, Radius: Span{0.2, 0.3}, Height: of(1.7), Speed: Span{1.2, 1.4}, Acceleration: of(4)}
	source := func(line int, entry Entry, name string, count int, change func(*Source)) Source {
		s := usual
		s.Line, s.Entry, s.Name, s.Count = line, entry, name, count
		change(&s)
		return s
	}
	want := &Scenario{
		Kind: "rooms", Options: levelgen.Options{Seed: 3, Size: 30, Storeys: 1},
		Floors:  []Floor{{geom.Vec{X: -10, Y: 1.5, Z: -5}, geom.Vec{X: 10, Y: 1.5, Z: 5}}},
		Walls:   []world.Box{{Base: geom.Vec{Z: 1}, Size: geom.Vec{X: 1, Y: 2, Z: 3}, Yaw: geom.Degrees(30)}},
		Seconds: 30, Dt: 0.1, Seed: 9, Arrive: 0.4,
		Boxes:  []Box{{"west", geom.Box{Min: geom.Vec{X: -9, Y: 1, Z: -4}, Max: geom.Vec{X: -6, Y: 3, Z: 4}}}},
		Places: []Place{{"east", geom.Vec{X: 8, Y: 1.5}}},
		Lines:  []Line{{"door", geom.Vec{Z: -1}, geom.Vec{Z: 1}, -MaxCoordinate, MaxCoordinate}},
		Sources: []Source{
			source(13, Crowd, "a", 5, func(s *Source) { s.In, s.To, s.Then = "west", []string{"east"}, Leave }),
			source(14, Group, "b", 3, func(s *Source) { s.Then, s.Radius, s.Priority = Again, of(0.4), -2 }),
			source(15, Stream, "c", 9, func(s *Source) {
				s.In, s.Every, s.From, s.To, s.Speed = "west", 0.5, 2, []string{"east", "west"}, of(2)
			}),
			source(16, Circle, "d", 12, func(s *Source) { s.Around, s.Ring = geom.Vec{Y: 1.5}, 4 }),
			source(17, Crowd, "e", 1, func(s *Source) { s.In, s.To, s.Tour, s.Then = "east", []string{"west", "east"}, true, Again }),
		},
		Changes: []Change{
			{19, 1.5, world.Close{Mark: "the door"}},
			{18, 3, world.Put{ID: "crate", Solid: world.Box{Base: geom.Vec{Y: 1.5}, Size: geom.Vec{X: 1, Y: 1, Z: 1}}}},
		},
		Expects: []Expect{
			{20, ExpectOverlap, "", 0, 0.01},
			{21, ExpectOffMesh, "", 0, 0},
			{22, ExpectStuck, "", 0, 1},
			{23, ExpectWaiting, "", 0, 0.5},
			{24, ExpectArrived, "", 10, math.MaxFloat64},
			{25, ExpectSpeed, "", 0.2, 1.3},
			{26, ExpectFlow, "door", 1.2, 1.9},
			{27, ExpectDone, "", 0, 60},
			{28, ExpectLanes, "door", 0.5, 1},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if a := got.Agent(); a.Radius != 0.4 || a.Height != 1.7 || got.Steps() != 300 {
		t.Errorf("agent %+v, %d steps", a, got.Steps())
	}
}

// TestFaultsNameLineAndWord: every kind of fault, with its line and its word.
func TestFaultsNameLineAndWord(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"dance", `line 1: word 1, "dance": unknown statement; statements: level`},
		{"\n# x\nfloor", `line 3: the line ends after word 1, want a corner x,z`},
		{"floor 0,0 0,5", `word 3, "0,5": want a corner to the right`},
		{"floor 0,0 5,x", `word 3, "5,x": want the opposite corner`},
		{"floor 0,0,0 5,5", `word 2, "0,0,0": want a corner x,z`},
		{"floor 0,0 5,1e9", `word 3, "5,1e9"`},
		{"wall 0,0,0 size 1,0,1", `word 4, "1,0,1": want lengths above 0`},
		{"wall 0,0,0 sise 1,0,1", `word 3, "sise": want "size"`},
		{"level moon", `word 2, "moon": unknown kind of level`},
		{"level rooms\nlevel maze", `line 2: word 1, "level": the scenario has a level`},
		{"level rooms size 1e6", `word 4, "1e6": want a side in metres from 10 to 400`},
		{"level rooms colour red", `word 3, "colour": want seed, size or storeys`},
		{"level file ../x.obj", `want a file in the folder`},
		{"seconds 0", `word 2, "0": want a time in seconds from 0.001 to 86400`},
		{"seconds nan", `word 2, "nan": want a time`},
		{"dt 2", `word 2, "2": want a time in seconds from 0.001 to 1`},
		{"seed -1", `word 2, "-1": want a seed, an integer`},
		{"seconds 86400\ndt 0.001", `are more than 10000000 steps`},
		{"box a 0,0 1,1\nplace a 0,0,0", `line 2: word 2, "a": the name is taken`},
		{"box a 0,0 1,1 from 3 to 2", `word 8, "2": want a height in metres from 3`},
		{"line a 0,0 0,0", `word 4, "0,0": want another place`},
		{"agents weight 3", `word 2, "weight": want radius, height`},
		{"agents radius 0.4..0.2", `word 3, "0.4..0.2": want the smaller number first`},
		{"agents radius inf", `word 3, "inf": want a radius`},
		{"crowd a 200001", `word 3, "200001": want a number of agents, an integer from 0 to 200000`},
		{"crowd a 150000 anywhere to anywhere\ncrowd b 150000 anywhere to anywhere", `line 2: word 3, "150000": more than 200000 agents`},
		{"crowd a 5", `want "in" with a box`},
		{"crowd a 5 anywhere", `want "to" or "tour"`},
		{"crowd a 5 in b to c", `word 5, "b": no box or place above has the name`},
		{"line b 0,0 1,1\ncrowd a 5 in b to anywhere", `word 5, "b": no box or place above`},
		{"crowd a 5 anywhere to anywhere then dance", `word 8, "dance": want stay, leave or again`},
		{"crowd a 5 anywhere anywhere", `word 5, "anywhere": the word does not belong to a crowd, or is there twice`},
		{"crowd a 5 anywhere to anywhere every 3", `word 7, "every": the word does not belong to a crowd`},
		{"place b 0,0,0\nplace c 0,0,0\ncrowd a 5 anywhere to b c then again", `line 3: an agent at the nearest of several places`},
		{"stream a 5 anywhere to anywhere", `a stream needs "every"`},
		{"circle a 5 around 0,0,0", `a circle needs "ring"`},
		{"at 3", `the line ends after word 2, want an edit`},
		{"at x put", `word 2, "x": want a time`},
		{"at 3 put a sphere", `word 3, "sphere": unknown shape`},
		{"at 3 path 0,0,0 1,1,1", `word 3, "path": want an edit`},
		{"at 3 batch", `the batch has no end`},
		{"expect joy", `word 2, "joy": unknown claim; claims: overlap`},
		{"expect overlap 3", `word 3, "3": want "below"`},
		{"expect flow a 1 to 2", `word 3, "a": no line above has the name`},
		{"expect speed 2 to 1", `word 5, "1": want a number from 2`},
		{"expect stuck 1.5", `word 3, "1.5": want a number, an integer`},
		{"seed 1 2", `word 3, "2": the statement is complete`},
		{strings.Repeat("x", MaxLine+1), `line 1: more than`},
		{strings.Repeat("seed 1\n", MaxNames+1), fmt.Sprintf("line %d: more than %d statements", MaxNames+1, MaxNames)},
		{strings.Repeat("#\n", MaxBytes), `more than 1048576 bytes`},
	} {
		_, err := Parse(strings.NewReader(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), "scenario: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want %q", c.text, err, c.want)
		}
		if err != nil && (len(err.Error()) > 400 || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%.60q: an error of %d bytes", c.text, len(err.Error()))
		}
	}
	if _, err := Parse(nil); err == nil {
		t.Error("a nil reader is accepted")
	}
	broken := errors.New("broken")
	if _, err := Parse(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a broken reader: %v", err)
	}
}

// TestHostileScenarios: endless text is refused with little memory.
func TestHostileScenarios(t *testing.T) {
	for name, text := range map[string]string{
		"blanks": strings.Repeat("\n", 1<<24), "words": strings.Repeat("expect "+strings.Repeat("a ", 1000)+"\n", 1<<12),
	} {
		costtest.Within(t, 20*time.Second, 64, func() {
			if _, err := Parse(strings.NewReader(text)); err == nil {
				t.Errorf("%s: accepted", name)
			}
		})
	}
}

// FuzzParse looks for texts that crash the reader, for errors without a place, and for scenarios beyond the limits.
func FuzzParse(f *testing.F) {
	f.Add(every)
	for line := range strings.Lines(every) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "scenario: ") {
				t.Errorf("the error does not say where: %v", err)
			}
			return
		}
		agents := 0
		for _, src := range s.Sources {
			agents += src.Count
			if src.Radius.Low < 0.01 || src.Radius.High < src.Radius.Low || src.Speed.High > 100 || len(src.Then) == 0 {
				t.Errorf("a source out of range: %+v", src)
			}
		}
		if agents > MaxAgents || s.Steps() < 0 || s.Steps() > MaxSteps || len(s.Floors)+len(s.Walls)+len(s.Boxes)+len(s.Lines) > MaxNames {
			t.Errorf("a scenario beyond the limits: %d agents, %d steps", agents, s.Steps())
		}
	})
}

// build makes the mesh of a scenario.
func build(t *testing.T, s *Scenario) *meadow.Mesh {
	t.Helper()
	lvl, err := s.Level(nil)
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, s.Agent())
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

func cast(t *testing.T, s *Scenario, mesh *meadow.Mesh) *Cast {
	t.Helper()
	c, err := s.Cast(t.Context(), mesh.Index())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const hall = `floor -15,-10 15,10
wall 0,0,6 size 0.5,3,8
wall 0,0,-6 size 0.5,3,8
agents radius 0.25..0.35 speed 1.2..1.4
box west -14,-9 -8,9
box east 8,-9 14,9
line door 0,-2 0,2
`

// TestLevelOfFloorsAndWalls compares the floor of drawn levels with their sizes.
func TestLevelOfFloorsAndWalls(t *testing.T) {
	s := parse(t, hall+"crowd a 1 in west to east radius 0.5")
	mesh := build(t, s)
	if got, want := mesh.Area(), 29*19-2*8*1.5; math.Abs(got-want) > 0.3 { // with round corners, each wall takes 8 m by 1.5 m of the floor, less 0.1 m²
		t.Errorf("%.2f m² of floor, want %.2f", got, want)
	}
	q := mesh.NewQuery()
	path, err := q.Path(t.Context(), geom.Vec{X: -5, Z: 6}, geom.Vec{X: 5, Z: 6})
	if err != nil || !path.Complete || path.Length < 12 {
		t.Errorf("the path around the wall has %.2f m, error %v", path.Length, err)
	}
	lvl, err := s.Level(nil)
	if err != nil {
		t.Fatal(err)
	}
	if again := *lvl; again.TurnOutward() != 0 {
		t.Error("a box has inward faces")
	}
	if _, err := (&Scenario{}).Level(nil); err == nil {
		t.Error("no level is accepted")
	}
	if _, err := (&Scenario{Kind: "moon"}).Level(nil); err == nil {
		t.Error("an unknown kind is accepted")
	}
}

// TestCastIsRepeatable casts twice, and with another seed.
func TestCastIsRepeatable(t *testing.T) {
	s := parse(t, hall+"crowd a 40 in west to east\nstream b 20 anywhere every 0.4 from 1 to anywhere then again")
	mesh := build(t, s)
	a, b := cast(t, s, mesh), cast(t, s, mesh)
	if !reflect.DeepEqual(a, b) {
		t.Error("two casts differ")
	}
	s.Seed++
	if reflect.DeepEqual(a.Actors, cast(t, s, mesh).Actors) {
		t.Error("another seed casts the same")
	}
	// The places are the same on every machine.
	hash := fnv.New64a()
	for _, actor := range a.Actors {
		for _, p := range append([]geom.Vec{actor.At, {X: actor.Radius, Z: actor.Speed}}, actor.Goals...) {
			fmt.Fprintf(hash, "%x %x %x ", math.Float64bits(p.X), math.Float64bits(p.Y), math.Float64bits(p.Z))
		}
	}
	if got, want := hash.Sum64(), uint64(0x8f4ba64458ab0437); got != want {
		t.Errorf("the cast has the hash %#x, want %#x", got, want)
	}
	for i, want := range map[int]int{40: 20, 41: 28, 59: 172} {
		if got := a.Actors[i].Enter; got != want {
			t.Errorf("actor %d enters at step %d, want %d", i, got, want)
		}
	}
}

// TestCastStandsApart checks all places of a cast.
func TestCastStandsApart(t *testing.T) {
	s := parse(t, hall+`place exit 14,0,0
circle d 12 around 6,0,0 ring 4 radius 0.3
crowd a 60 in west to east
crowd b 30 in east to exit then leave
crowd c 40 anywhere to west exit then leave
crowd e 2 in west tour east exit then again`)
	mesh := build(t, s)
	q := mesh.NewQuery()
	c := cast(t, s, mesh)
	for i, a := range c.Actors {
		if a.ID != uint64(i+1) || len(a.Goals) == 0 || a.Radius < 0.25 || a.Radius > 0.35 || a.Speed < 1.2 || a.Speed > 1.4 {
			t.Fatalf("actor %+v", a)
		}
		for _, p := range append(slices.Clone(a.Goals), a.At) {
			if _, ok := q.Locate(p); !ok {
				t.Errorf("actor %d: %v is off the mesh", i, p)
			}
		}
		for k, b := range c.Actors[:i] {
			if d := a.At.DistXZ(b.At); d < a.Radius+b.Radius {
				t.Errorf("actors %d and %d are %.3f m apart", k, i, d)
			}
			if d := a.Goals[0].DistXZ(b.Goals[0]); i < 72 && d < a.Radius+b.Radius {
				t.Errorf("goals %d and %d are %.3f m apart", k, i, d)
			}
		}
	}
	for i := 102; i < 142; i++ { // the nearest of two
		a := c.Actors[i]
		best, _, err := q.NearestOf(t.Context(), a.At, a.Choice)
		if err != nil || a.Goals[0] != a.Choice[best] {
			t.Errorf("actor %d goes to %v, nearest is %d of %v, error %v", i, a.Goals[0], best, a.Choice, err)
		}
	}
	if a := c.Actors[0]; a.At.DistXZ(geom.Vec{X: 10}) > 0.001 || a.Goals[0].DistXZ(geom.Vec{X: 2}) > 0.001 {
		t.Errorf("the circle begins at %v with the goal %v", a.At, a.Goals[0])
	}
	if a := c.Actors[142]; len(a.Goals) != 2 || a.Goals[1].DistXZ(geom.Vec{X: 14}) > 0.001 {
		t.Errorf("a tour over %v", a.Goals)
	}
}

// TestFullBoxes: a source without room, and places off the mesh.
func TestFullBoxes(t *testing.T) {
	mesh := build(t, parse(t, hall+"crowd a 1 in west to east radius 0.5"))
	for text, want := range map[string]string{
		"crowd a 1000 in west to east":                   "scenario: line 8: crowd a, agent ",
		"crowd a 3 in west to east\nbox sky 50,50 60,60": "",
		"box sky 50,50 60,60\ncrowd a 3 in sky to east":  "line 9: crowd a, agent 1 of 3: no room in box sky",
		"place sky 50,0,0\ncrowd a 3 in west to sky":     "place sky, (50.000, 0.000, 0.000), is off the mesh",
		"circle a 3 around 0,0,0 ring 14":                "is off the mesh",
	} {
		_, err := parse(t, hall+text).Cast(t.Context(), mesh.Index())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parse(t, hall+"crowd a 1 in west to east").Cast(ctx, mesh.Index()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled cast: %v", err)
	}
}

// two returns a judge of two actors in the hall, of radius 0.3, who go from west to east and leave.
func two(t *testing.T) *Judge {
	t.Helper()
	s := parse(t, "dt 0.1\n"+hall+"crowd a 2 in west to east radius 0.3 then leave")
	mesh := build(t, s)
	return NewJudge(cast(t, s, mesh), mesh.Index())
}

func walkers(places ...geom.Vec) []Seen {
	var list []Seen
	for _, p := range places {
		list = append(list, Seen{At: p, State: Walking})
	}
	return list
}

// TestJudgeCountsOffMesh puts agents beside the floor and nowhere.
func TestJudgeCountsOffMesh(t *testing.T) {
	j := two(t)
	edge := 10 - 0.3
	j.Step(walkers(geom.Vec{X: -5, Z: edge - 0.001}, geom.Vec{X: -9, Z: edge + 0.0005}))
	if r := j.Report(); r.OffMesh != 0 || r.AgentSteps != 2 || r.Entered != 2 {
		t.Errorf("on the floor: %+v", r)
	}
	j.Step(walkers(geom.Vec{X: -5, Z: edge + 0.05}, geom.Vec{X: -9, Z: math.NaN()}))
	if r := j.Report(); r.OffMesh != 2 || r.NaN != 1 || math.Abs(r.OffMeshMax-0.05) > 0.001 {
		t.Errorf("off the floor: %+v", r)
	}
}

// TestArrivalsAtTheGoal claims arrivals at the goal and elsewhere.
func TestArrivalsAtTheGoal(t *testing.T) {
	j := two(t)
	a, b := j.cast.Actors[0], j.cast.Actors[1]
	j.Step(walkers(a.At, b.At))
	j.Step([]Seen{{a.Goals[0].Add(geom.Vec{X: 0.5}), Absent, 1}, {b.At, Done, 1}})
	if r := j.Report(); r.Arrived != 2 || r.False != 1 || r.Unfinished != 0 || math.Abs(r.Done-0.2) > 1e-9 {
		t.Errorf("%+v", r)
	}
}

// TestLinesCountCrossings walks over a line and around it.
func TestLinesCountCrossings(t *testing.T) {
	j := two(t)
	for _, x := range []float64{-1, -0.1, 0.1, 1, -0.5, 0.5} {
		j.Step(walkers(geom.Vec{X: x}, geom.Vec{X: x, Z: 3}))
	}
	f := j.Report().Flows[0]
	if f.There+f.Back != 3 || f.There-f.Back != 1 && f.Back-f.There != 1 {
		t.Errorf("%+v, want three crossings, two in one direction", f)
	}
	for i := range 40 {
		j.Step(walkers(geom.Vec{X: 0.5 - float64(i%2)}, geom.Vec{X: 9}))
	}
	// One crossing in each step of 0.1 s over a line of 4 m.
	if f := j.Report().Flows[0]; math.Abs(f.PerMetreSecond-2.5) > 0.1 {
		t.Errorf("%.3f persons a metre and second, want 2.5", f.PerMetreSecond)
	}
}

// TestLanes walks eight agents in both directions through the door: each lane in one direction, every other agent against its lane, and
// one of three against its lane.
func TestLanes(t *testing.T) {
	s := parse(t, "dt 0.1\n"+hall+"crowd a 8 in west to east radius 0.3")
	mesh := build(t, s)
	for name, c := range map[string]struct {
		left [8]bool
		want float64
	}{
		"perfect":       {[8]bool{true, true, true, true, false, false, false, false}, 1},
		"half and half": {[8]bool{true, false, true, false, true, false, true, false}, 1. / 9}, // of the other three in a lane, two walk against
		"all":           {[8]bool{true, true, true, true, true, true, true, true}, 1},
	} {
		j := NewJudge(cast(t, s, mesh), mesh.Index())
		for step := range 21 {
			var seen []Seen
			for i, left := range c.left {
				x := 0.1 * float64(step-10)
				if !left {
					x = -x
				}
				seen = append(seen, Seen{At: geom.Vec{X: x + 0.7*float64(i%4), Z: -1 + 2*float64(i/4)}, State: Walking})
			}
			j.Step(seen)
		}
		if got := j.Report().Flows[0].Lanes; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %.6f, want %.6f", name, got, c.want)
		}
	}
}

// TestOverlapsByBruteForce compares counts of pairs with all pairs, on random places.
func TestOverlapsByBruteForce(t *testing.T) {
	s := parse(t, hall+"crowd a 300 anywhere to anywhere")
	mesh := build(t, parse(t, hall+"crowd a 1 in west to east"))
	c := &Cast{Scenario: s, Dt: 0.1, Arrive: 1}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		c.Actors = append(c.Actors, Actor{ID: uint64(i + 1), Radius: 0.1 + 0.4*rng.Float64(), Height: 1.8, Goals: []geom.Vec{{}}})
	}
	j := NewJudge(c, mesh.Index())
	most, sum, deepest, began := 0, 0, 0.0, 0
	before := map[[2]int]bool{}
	for range 20 {
		var seen []Seen
		for i := range c.Actors {
			at := geom.Vec{X: 24 * (rng.Float64() - 0.5), Y: 4 * float64(rng.IntN(2)), Z: 16 * (rng.Float64() - 0.5)}
			if i < 100 && len(j.last) > 0 && j.step > 0 {
				at = j.last[i].At // so that some pairs last
			}
			seen = append(seen, Seen{At: at, State: State(rng.IntN(3))})
		}
		j.Step(seen)
		pairs := 0
		now := map[[2]int]bool{}
		for i := range seen {
			for k := range i {
				d := c.Actors[i].Radius + c.Actors[k].Radius - seen[i].At.DistXZ(seen[k].At)
				if seen[i].State == Absent || seen[k].State == Absent || seen[i].At.Y != seen[k].At.Y || d <= 0 {
					continue
				}
				deepest = max(deepest, d)
				if d > Touch {
					pairs++
					now[[2]int{k, i}] = true
					if !before[[2]int{k, i}] {
						began++
					}
				}
			}
		}
		before = now
		most, sum = max(most, pairs), sum+pairs
	}
	r := j.Report()
	if r.PairsMost != most || r.OverlapMax != deepest || math.Abs(r.PairsMean-float64(sum)/20) > 1e-9 || r.Collisions != began || most == 0 {
		t.Errorf("%+v\nwant %d pairs at most, %d in all, %.4f m, %d collisions", r, most, sum, deepest, began)
	}
}

// TestStuckAndHeld: agents that stand behind others who walk or stand, beside them, and in front of them.
func TestStuckAndHeld(t *testing.T) {
	s := parse(t, "dt 0.1\n"+hall+"crowd a 3 in west to east radius 0.3")
	mesh := build(t, s)
	still := func(x, z float64) func(int) geom.Vec { return func(int) geom.Vec { return geom.Vec{X: x, Z: z} } }
	slow := func(x float64) func(int) geom.Vec {
		return func(step int) geom.Vec { return geom.Vec{X: x + 0.003*float64(step)} }
	}
	for name, c := range map[string]struct {
		places          [3]func(int) geom.Vec
		stuck, standing int
	}{
		"a way that is free":         {[3]func(int) geom.Vec{still(-5, 0), slow(8), slow(9)}, 1, 1},
		"behind one that walks":      {[3]func(int) geom.Vec{still(-5, 0), slow(-4.4), slow(9)}, 0, 1},
		"behind one behind a walker": {[3]func(int) geom.Vec{still(-11, 0), still(-8, 0), slow(-5)}, 0, 2},
		"behind one that stands":     {[3]func(int) geom.Vec{still(-11, 0), still(-8, 0), slow(9)}, 2, 2},
		"before one that walks":      {[3]func(int) geom.Vec{still(-5, 0), slow(-5.65), slow(9)}, 1, 1},
		"beside one that walks":      {[3]func(int) geom.Vec{still(-8, 0.4), slow(-5), still(-12, 8)}, 2, 2},
		// The look in step 60 comes between both.
		"sets off when the way is free": {[3]func(int) geom.Vec{
			func(step int) geom.Vec { return geom.Vec{X: -5 + 0.1*max(0, float64(step)-63)} },
			func(step int) geom.Vec { return geom.Vec{X: -4.4, Z: 0.1 * max(0, float64(step)-45)} }, slow(9),
		}, 0, 1},
	} {
		cast := cast(t, s, mesh)
		for i := range cast.Actors {
			cast.Actors[i].Goals = []geom.Vec{{X: 12}}
		}
		if name == "beside one that walks" { // the ways of both who stand lead elsewhere
			cast.Actors[0].Goals = []geom.Vec{{X: -8, Z: 5}}
			cast.Actors[2].Goals = []geom.Vec{{X: -8, Z: 5}}
		}
		j := NewJudge(cast, mesh.Index())
		for step := range 80 {
			j.Step(walkers(c.places[0](step), c.places[1](step), c.places[2](step)))
		}
		if r := j.Report(); r.Stuck != c.stuck || r.Standing != c.standing {
			t.Errorf("%s: %d stuck and %d standing, want %d and %d", name, r.Stuck, r.Standing, c.stuck, c.standing)
		}
	}
}

// TestNarrowWays has an agent stand before a corridor while another one walks in it, farther away than the first metres: the agent waits
// for its turn where the corridor is too narrow for two, and is stuck where two can pass, or where nobody walks in the corridor.
func TestNarrowWays(t *testing.T) {
	for name, c := range map[string]struct {
		width, from float64 // of the corridor, and where the other one walks from
		stuck       int
	}{
		"for one, taken":      {1, 8, 0},
		"for one, and free":   {1, 20, 1},
		"for two":             {1.7, 8, 1},
		"for one, other side": {1, -9, 1},
	} {
		wall := 5 - c.width/2
		s := parse(t, fmt.Sprintf("dt 0.1\nfloor -15,-5 15,5\nwall 0,0,%[1]g size 12,2.5,%[2]g\nwall 0,0,%[3]g size 12,2.5,%[2]g\n", c.width/2+wall/2, wall, -c.width/2-wall/2)+
			"box west -14,-4 -8,4\nbox east 8,-4 14,4\ncrowd a 2 in west to east radius 0.3")
		mesh := build(t, s)
		cast := cast(t, s, mesh)
		for i := range cast.Actors {
			cast.Actors[i].Goals = []geom.Vec{{X: 12}}
		}
		j := NewJudge(cast, mesh.Index())
		for step := range 80 {
			j.Step(walkers(geom.Vec{X: -7.5}, geom.Vec{X: c.from - 0.14*float64(step)}))
		}
		if r := j.Report(); r.Stuck != c.stuck || r.Standing != 1 {
			t.Errorf("%s: %d stuck and %d standing, want %d and 1", name, r.Stuck, r.Standing, c.stuck)
		}
	}
}

// TestCoveredGoals has an agent stand at the end of its way: the goal is behind the border of the floor. An agent away from there is stuck.
func TestCoveredGoals(t *testing.T) {
	s := parse(t, "dt 0.1\n"+hall+"crowd a 2 in west to east radius 0.3")
	mesh := build(t, s)
	for at, stuck := range map[float64]int{14.6: 0, 12: 1} {
		cast := cast(t, s, mesh)
		cast.Actors[0].Goals = []geom.Vec{{X: 14.9}}
		j := NewJudge(cast, mesh.Index())
		for step := range 80 {
			j.Step(walkers(geom.Vec{X: at}, geom.Vec{X: -8 + 0.1*float64(step)}))
		}
		if r := j.Report(); r.Stuck != stuck || r.Standing != 1 {
			t.Errorf("at %g: %d stuck and %d standing, want %d and 1", at, r.Stuck, r.Standing, stuck)
		}
	}
}

// TestAnywhereIsTheLargestPart casts on a floor of two parts.
func TestAnywhereIsTheLargestPart(t *testing.T) {
	s := parse(t, "floor -15,-10 15,10\nfloor 40,-10 60,8\ncrowd a 100 anywhere to anywhere then again")
	lvl, err := s.Level(nil)
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: s.Agent(), KeepAll: true}, meadow.MeshOptions{})
	if err != nil || mesh.Components != 2 {
		t.Fatalf("a mesh of %d parts, error %v", mesh.Components, err)
	}
	for _, a := range cast(t, s, mesh).Actors {
		for _, p := range append(a.Goals, a.At) {
			if p.X > 15 {
				t.Errorf("agent %d: %v is on the smaller part", a.ID, p)
			}
		}
	}
}

// TestCheck compares a report with expectations.
func TestCheck(t *testing.T) {
	s := parse(t, every)
	good := Report{OverlapMax: 0.01, Arrived: 10, Speed: 1, Stuck: 1, Done: 60, Flows: []Flow{{Name: "door", PerMetreSecond: 1.5, Lanes: 0.8}}}
	if got := s.Check(good); len(got) != 0 {
		t.Errorf("a good report: %q", got)
	}
	bad := Report{OverlapMax: math.NaN(), OffMesh: 1, Stuck: 2, Waiting: 0.6, Arrived: 9, Speed: 0.1, Unfinished: 1}
	got := s.Check(bad)
	if len(got) != len(s.Expects) || got[5] != "line 25: speed is 0.1, want 0.2 to 1.3" {
		t.Errorf("%d of %d expectations fail: %q", len(got), len(s.Expects), got)
	}
}

// TestChangesOfTheFloor: agents that a change of the world catches count apart for a second.
func TestChangesOfTheFloor(t *testing.T) {
	j := two(t)
	w, err := world.New(t.Context(), j.ix.Mesh(), world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := geom.Vec{X: -5}
	j.Step(walkers(at, at.Add(geom.Vec{X: 0.1})))
	if r := j.Report(); r.PairsMost != 1 || r.CaughtMost != 0 {
		t.Errorf("before: %+v", r)
	}
	if _, err := w.Apply(t.Context(), world.Put{ID: "crate", Solid: world.Box{Base: at, Size: geom.Vec{X: 1, Y: 1, Z: 1}}}); err != nil {
		t.Fatal(err)
	}
	j.Use(w.Now().Index())
	for range 10 {
		j.Step(walkers(at, at.Add(geom.Vec{X: 0.1})))
	}
	if r := j.Report(); r.OffMesh != 0 || r.CaughtMost != 1 || r.PairsMean > 0.1 {
		t.Errorf("in the second after: %+v", r)
	}
	for range 10 {
		j.Step(walkers(at, at.Add(geom.Vec{X: 0.1})))
	}
	if r := j.Report(); r.OffMesh < 16 || r.PairsMean < 0.4 {
		t.Errorf("later: %+v", r)
	}
}
