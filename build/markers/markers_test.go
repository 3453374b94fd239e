package markers_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// floorOf makes a plan of a generated level with every part of its floor.
func floorOf(t testing.TB, kind string, extract func(context.Context, *level.Level, geom.Agent, floorplan.Options) (*plan.Plan, error)) (*level.Level, *plan.Plan) {
	t.Helper()
	lvl, err := levelgen.Generate(kind, levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := extract(context.Background(), lvl, geom.Agent{}.WithDefaults(), floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	return lvl, p
}

// box is a marker in the shape of a box, in metres to the east, to the north and up.
func box(kind, name string, x0, y0, h0, x1, y1, h1 float64) level.Marker {
	m := level.Marker{Name: name, Kind: kind}
	for k := range 8 {
		x, y, h := x0, y0, h0
		if k&1 != 0 {
			x = x1
		}
		if k&2 != 0 {
			y = y1
		}
		if k&4 != 0 {
			h = h1
		}
		m.Hull = append(m.Hull, geom.FromGround(x, y, h))
	}
	return m
}

func apply(t testing.TB, p *plan.Plan, list []level.Marker, opt floorplan.Options) (*plan.Plan, []markers.Outcome) {
	t.Helper()
	out, outcomes, err := markers.Apply(context.Background(), p, list, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out, outcomes
}

// checkPlan checks the requirements of builders: domains without faults that do not overlap in a layer, and
// chains that are edges of the domains on both sides.
func checkPlan(t *testing.T, p *plan.Plan) {
	t.Helper()
	type edge struct {
		id       plan.DomainID
		chain    plan.ChainID
		from, to lattice.Point
	}
	edges := map[edge]bool{}
	count := 0
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			id := plan.DomainID{Layer: int32(l), Domain: int32(d)}
			if err := domain.Validate(); err != nil {
				t.Fatalf("layer %d, domain %d: %v", l, d, err)
			}
			for r, ring := range domain.Rings {
				if len(domain.Edges[r]) != len(ring) || domain.Heights != nil && len(domain.Heights[r]) != len(ring) {
					t.Fatalf("layer %d, domain %d: ring %d has %d points, %d edges", l, d, r, len(ring), len(domain.Edges[r]))
				}
				for i, c := range domain.Edges[r] {
					if c != plan.Wall {
						edges[edge{id, c, ring[i], ring[(i+1)%len(ring)]}] = true
						count++
					}
				}
			}
		}
	}
	for i, c := range p.Chains {
		for k := 1; k < len(c.Points); k++ {
			if !edges[edge{c.Left, plan.ChainID(i), c.Points[k-1], c.Points[k]}] || !edges[edge{c.Right, plan.ChainID(i), c.Points[k], c.Points[k-1]}] {
				t.Fatalf("chain %d, %+v: edge %d is not one of both its domains", i, c, k-1)
			}
			count -= 2
		}
	}
	if count != 0 {
		t.Fatalf("%d edges of domains are not in their chains", count)
	}
}

// area returns the area of all domains, doubled, and of those in a mark.
func area(p *plan.Plan, mark int32) (all, in int64) {
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			all += domain.Area2()
			if slices.Contains(domain.Marks, mark) {
				in += domain.Area2()
			}
		}
	}
	return all, in
}

// TestCutPlansAreValid cuts random volumes, turned and overlapping, out of generated levels by both
// extractors.
func TestCutPlansAreValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	for _, kind := range []string{"rooms", "carpark", "spiral", "arch"} {
		for name, extract := range extractors {
			lvl, p := floorOf(t, kind, extract)
			before, _ := area(p, 0)
			for round := range 3 {
				var list []level.Marker
				size := lvl.Bounds().Size()
				for i := range 1 + 6*round {
					centre := lvl.Bounds().Min.Add(geom.Vec{X: rng.Float64() * size.X, Y: rng.Float64() * size.Y, Z: rng.Float64() * size.Z})
					m := level.Marker{Name: fmt.Sprint(i), Kind: []string{"door", "grass"}[rng.IntN(2)]}
					for range 3 + rng.IntN(6) {
						m.Hull = append(m.Hull, centre.Add(geom.Vec{X: 6 * (rng.Float64() - 0.5), Y: 6 * (rng.Float64() - 0.5), Z: 6 * (rng.Float64() - 0.5)}))
					}
					list = append(list, m)
				}
				out, outcomes := apply(t, p, list, floorplan.Options{})
				checkPlan(t, out)
				after, _ := area(out, 0)
				edges := 0
				for l := range out.Layers {
					for d := range out.Layers[l].Domains {
						edges += out.Layers[l].Domains[d].Len()
					}
				}
				if off := math.Abs(float64(after - before)); off > 40*lattice.UnitsPerMetre*float64(edges) {
					t.Errorf("%s by %s: %d units of area before, %d after", kind, name, before, after)
				}
				for _, o := range outcomes {
					if o.Warning != "" && !strings.HasPrefix(o.Warning, "it touches no walkable floor") {
						t.Errorf("%s by %s: %s", kind, name, o.Warning)
					}
				}
			}
		}
	}
}

var extractors = map[string]func(context.Context, *level.Level, geom.Agent, floorplan.Options) (*plan.Plan, error){
	"raster": raster.Extract, "exact": exact.Extract,
}

// TestMarksCoverTheirFootprints checks areas of marks on a level floor, where they are known, alone, beside
// each other, one in the other, over a wall, and out in the open.
func TestMarksCoverTheirFootprints(t *testing.T) {
	const r = 0.4
	_, p := floorOf(t, "halls", exact.Extract)
	list := []level.Marker{
		box("area", "in the open", -10, -6, 0, -8, -5, 1),
		box("area", "overlapping it", -9, -5.5, 0, -7, -4, 1),
		box("area", "inside of it", -9.5, -5.75, 0, -9.25, -5.25, 1),
		box("door", "the door", -0.25, -1, 0, 0.25, 1, 2),
		box("area", "over the wall", -1, -6, 0, 1, -5, 2),
		box("area", "below the floor", -10, 0, -3, -8, 1, -2),
		box("area", "over the heads", -10, 0, 1.9, -8, 1, 4),
		box("area", "on the gallery only", 0, 5.75, 3, 1, 6.75, 4),
		box("area", "on the floor below", 0.75, 5.75, 0, 1.75, 6.75, 2),
	}
	want := map[string]float64{
		"in the open": 2, "overlapping it": 3, "inside of it": 0.125, "the door": 0.5 * (2 - 2*r),
		"over the wall": 2 * (1 - 0.25 - r), "on the gallery only": 1, "on the floor below": 1,
	}
	out, outcomes := apply(t, p, list, floorplan.Options{})
	checkPlan(t, out)
	if len(out.Marks) != len(want) {
		t.Errorf("%d marks, want %d", len(out.Marks), len(want))
	}
	for i, k := range out.Marks {
		_, in := area(out, int32(i))
		got := lattice.SquareMetres(in)
		if math.Abs(got-want[k.Name]) > 0.002 {
			t.Errorf("%s: %.4f m², want %.4f", k.Name, got, want[k.Name])
		}
		if k.Door != (k.Kind == "door") {
			t.Errorf("%s: %+v", k.Name, k)
		}
	}
	for i, o := range outcomes {
		if o.Name != list[i].Name || o.Marker != i || (o.Domains > 0) != (want[o.Name] > 0) || (o.Warning == "") != (o.Domains > 0) {
			t.Errorf("outcome %+v", o)
		}
	}
}

// TestTheOldPlanIsNotChanged compares the plan with a copy of before.
func TestTheOldPlanIsNotChanged(t *testing.T) {
	for name, extract := range extractors {
		lvl, p := floorOf(t, "halls", extract)
		_, again := floorOf(t, "halls", extract)
		out, _ := apply(t, p, lvl.Markers, floorplan.Options{})
		if !reflect.DeepEqual(p, again) {
			t.Errorf("%s: the plan has changed", name)
		}
		twice, _ := apply(t, p, lvl.Markers, floorplan.Options{})
		if !reflect.DeepEqual(out, twice) {
			t.Errorf("%s: the same markers come to something else", name)
		}
	}
}

// TestLinks checks the links of the markers in the halls.
func TestLinks(t *testing.T) {
	for name, extract := range extractors {
		lvl, p := floorOf(t, "halls", extract)
		out, outcomes := apply(t, p, lvl.Markers, floorplan.Options{})
		checkPlan(t, out)
		if out.Components != 3 || len(out.Dropped) == 0 {
			t.Errorf("%s: %d components, %d dropped", name, out.Components, len(out.Dropped))
		}
		rises := map[plan.LinkKind][]float64{}
		widest := int32(0)
		for _, l := range out.Links {
			for k := range 2 {
				rises[l.Kind] = append(rises[l.Kind], float64(l.End[k].Z-l.Start[k].Z)*lattice.Unit)
			}
			for _, end := range []struct {
				id plan.DomainID
				at [2]lattice.Vertex
			}{{l.From, l.Start}, {l.To, l.End}} {
				d := &out.Layers[end.id.Layer].Domains[end.id.Domain]
				for _, v := range end.at {
					if away := nearest(d.Polygon, v.Point); away > 1 {
						t.Errorf("%s: %+v: %v is %v units beside its domain", name, l, v, away)
					}
				}
			}
			straight := l.Start[0].Distance(l.End[0].Point) * lattice.Unit
			if l.Cost < straight || l.Cost < math.Abs(rises[l.Kind][len(rises[l.Kind])-1]) || l.Cost > 8 {
				t.Errorf("%s: %+v: cost %v", name, l, l.Cost)
			}
			if l.Kind == plan.Drop {
				widest = max(widest, l.Clearance)
			}
		}
		// The volume is 4 m wide, less the radius on both sides, and less the margin of a railing.
		if w := float64(widest) * lattice.Unit; w < 1.4 || w > 1.6 {
			t.Errorf("%s: the drop is wide enough for a radius of %v more", name, w)
		}
		for kind, want := range map[plan.LinkKind][]float64{
			plan.Ladder: {3, 3, -3, -3}, plan.Lift: {4, 4, -4, -4}, plan.Drop: {-3, -3, -3, -3},
		} {
			if !slices.EqualFunc(rises[kind], want, func(a, b float64) bool { return math.Abs(a-b) < 0.02 }) {
				t.Errorf("%s: kind %d rises by %v, want %v", name, kind, rises[kind], want)
			}
		}
		for _, o := range outcomes {
			want := map[string][2]int{"halls": {1, 0}, "runner": {3, 0}, "gallery ladder": {0, 2}, "gallery edge": {0, 2}, "tower lift": {0, 2}}[o.Name]
			if o.Domains != want[0] || o.Links != want[1] || o.Warning != "" {
				t.Errorf("%s: %+v, want %v", name, o, want)
			}
		}
	}
}

// nearest returns how far a point is from a polygon, in lattice units.
func nearest(p lattice.Polygon, at lattice.Point) float64 {
	if p.Contains(at) {
		return 0
	}
	best := math.Inf(1)
	for _, ring := range p.Rings {
		for i, a := range ring {
			best = min(best, lattice.SegmentDistance2(at, a, ring[(i+1)%len(ring)]).Sqrt())
		}
	}
	return best
}

// TestDirections changes the kinds of the ladder: up only, down only, dear.
func TestDirections(t *testing.T) {
	lvl, p := floorOf(t, "halls", exact.Extract)
	for kind, want := range map[string][]float64{
		"Ladder": {3, -3}, "ladder up": {3}, "ladder DOWN": {-3}, "ladder cost=7.5": {3, -3}, "ladder cost=0 up": {3}, "elevator": {3, -3},
		"climb up": {3}, "drop": {-3}, "drop down": {-3},
	} {
		m := lvl.Markers[2]
		m.Kind = kind
		out, _ := apply(t, p, []level.Marker{m}, floorplan.Options{KeepAll: true})
		var got []float64
		for _, l := range out.Links {
			got = append(got, math.Round(float64(l.End[0].Z-l.Start[0].Z)*lattice.Unit))
			if dear := strings.Contains(kind, "cost=7"); dear != (l.Cost == 7.5) {
				t.Errorf("%s: cost %v", kind, l.Cost)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
}

// TestJump leads over a gap of the two sides of the halls' tower and gallery that are the farthest apart.
func TestJump(t *testing.T) {
	lvl := &level.Level{Materials: []level.Material{{}}}
	for _, x := range []float64{0, 6} { // two slabs of 5 m by 4 m, a metre apart
		first := uint32(len(lvl.Vertices))
		for _, c := range [][2]float64{{x, 0}, {x + 5, 0}, {x + 5, 4}, {x, 4}} {
			lvl.Vertices = append(lvl.Vertices, geom.FromGround(c[0], c[1], 0))
		}
		lvl.Triangles = append(lvl.Triangles, level.Triangle{A: first, B: first + 1, C: first + 2}, level.Triangle{A: first, B: first + 2, C: first + 3})
	}
	p, err := exact.Extract(context.Background(), lvl, geom.Agent{}.WithDefaults(), floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	out, outcomes := apply(t, p, []level.Marker{box("jump", "gap", 4.5, 1, 0, 6.5, 3, 1)}, floorplan.Options{})
	if len(out.Links) != 2 || outcomes[0].Links != 2 || out.Components != 2 {
		t.Fatalf("%+v, %+v", out.Links, outcomes)
	}
	l, back := out.Links[0], out.Links[1]
	if l.From != back.To || l.Start != back.End || l.Kind != plan.Jump {
		t.Errorf("%+v and %+v", l, back)
	}
	// From edge to edge, each moved in by the radius, and between the ends of the volume, less the radius.
	if d := l.Start[0].Distance(l.End[0].Point) * lattice.Unit; math.Abs(d-1.8) > 0.01 {
		t.Errorf("%v m from edge to edge", d)
	}
	if w := l.Start[0].Distance(l.Start[1].Point) * lattice.Unit; math.Abs(w-1.2) > 0.01 || math.Abs(float64(l.Clearance)*lattice.Unit-0.6) > 0.01 {
		t.Errorf("%v m wide, clearance %v", w, l.Clearance)
	}
}

// TestTeleporters leads to all exits of the name, at no cost or at the given cost.
func TestTeleporters(t *testing.T) {
	_, p := floorOf(t, "halls", exact.Extract)
	_, east, gallery, tower := levelgen.HallsWalks()
	exit := func(kind, name string, at geom.Vec) level.Marker {
		return level.Marker{Kind: kind, Name: name, Hull: []geom.Vec{at.Add(geom.Vec{Y: 0.5})}}
	}
	exits := []level.Marker{exit("exit", "a", tower), exit("misc_teleporter_dest", "a", gallery), exit("exit", "b", east.Add(geom.Vec{Y: 50})), exit("exit", "", east)}
	for name, tt := range map[string]struct {
		kind    string
		want    []geom.Vec
		cost    float64
		warning string
	}{
		"a": {"teleporter", []geom.Vec{tower, gallery}, 0, ""},
		"b": {"teleporter", nil, 0, "its exit at (8.000, 50.500, 0.000) has no walkable floor"},
		"c": {"teleporter", nil, 0, "no exit has its name"},
		"":  {"teleporter cost=2.5", nil, 2.5, "no exit has its name"},
	} {
		out, outcomes := apply(t, p, append(slices.Clone(exits), box(tt.kind, name, -9, -1, 0, -7, 1, 2)), floorplan.Options{})
		var got []geom.Vec
		for _, l := range out.Links {
			got = append(got, out.Frame.ToWorld(l.End[0].Point, l.End[0].Z))
			if l.Kind != plan.Teleport || l.Cost != tt.cost || out.Frame.ToWorld(l.Start[0].Point, l.Start[0].Z) != geom.FromGround(-8, 0, 0) {
				t.Errorf("%q: %+v", name, l)
			}
		}
		if !slices.Equal(got, tt.want) || out.Components != 1+len(tt.want) {
			t.Errorf("%q: leads to %v, want %v; %d components", name, got, tt.want, out.Components)
		}
		if len(outcomes) != 1 || !strings.HasPrefix(outcomes[0].Warning, tt.warning) || tt.warning == "" && outcomes[0].Warning != "" {
			t.Errorf("%q: %+v", name, outcomes)
		}
	}
}

// TestExits joins the floor at a marker with the floor at each exit of its name, by every kind of link, one way and both ways, with the room of the
// marker. An exit beside the floor leads to the nearest floor, as the marker itself does.
func TestExits(t *testing.T) {
	_, p := floorOf(t, "halls", exact.Extract)
	_, east, gallery, tower := levelgen.HallsWalks()
	exit := func(name string, at geom.Vec) level.Marker {
		return level.Marker{Kind: "exit", Name: name, Hull: []geom.Vec{at.Add(geom.Vec{Y: -0.2}), at.Add(geom.Vec{Y: 0.5})}}
	}
	exits := []level.Marker{exit("a", gallery), exit("b", tower), exit("b", east), exit("far", east.Add(geom.Vec{Y: 50})), exit("here", geom.FromGround(-8, 0, 0)), {Kind: "exit", Name: "lost"}}
	start := geom.FromGround(-8, 0, 0)
	for _, tt := range []struct {
		kind, name string
		want       []geom.Vec // ends, each with a way back unless oneway
		link       plan.LinkKind
		cost       float64 // below 0 for the length
		warning    string
	}{
		{"jump exit oneway", "a", []geom.Vec{gallery}, plan.Jump, -1, ""},
		{"drop exit", "b", []geom.Vec{tower, east}, plan.Drop, -1, ""},
		{"ladder exit cost=2.5", "a", []geom.Vec{gallery}, plan.Ladder, 2.5, ""},
		{"teleporter exit oneway", "a", []geom.Vec{gallery}, plan.Teleport, 0, ""},
		{"lift exit", "c", nil, plan.Lift, 0, "no exit has its name"},
		{"lift exit", "lost", nil, plan.Lift, 0, "no exit has its name"},
		{"climb exit", "far", nil, plan.Climb, 0, "its exit at (8.000, 50.150, 0.000) touches no walkable floor"},
		{"climb exit", "here", nil, plan.Climb, 0, "its exit at (-8.000, 0.150, 0.000) is where it begins"},
	} {
		out, outcomes := apply(t, p, append(slices.Clone(exits), box(tt.kind, tt.name, -9, -1, 0, -7, 1, 1)), floorplan.Options{KeepAll: true})
		if len(outcomes) != 1 || outcomes[0].Warning != tt.warning {
			t.Errorf("%s %q: %+v, want warning %q", tt.kind, tt.name, outcomes, tt.warning)
		}
		at := func(v lattice.Vertex) geom.Vec { return out.Frame.ToWorld(v.Point, v.Z) }
		var forth, back []geom.Vec
		for _, l := range out.Links {
			from, to := at(l.Start[0]), at(l.End[0])
			want := tt.cost
			if want < 0 {
				want = from.Distance(to)
			}
			room := int32((1 - p.Agent.Radius) * lattice.UnitsPerMetre)
			if l.Kind != tt.link || math.Abs(l.Cost-want) > 1e-9 || l.Clearance < room-1 || l.Clearance > room+1 || l.Start[0] != l.Start[1] || l.End[0] != l.End[1] {
				t.Errorf("%s %q: %+v, want cost %v and room %d", tt.kind, tt.name, l, want, room)
			}
			if from.Distance(start) < 0.01 {
				forth = append(forth, to)
			} else {
				back = append(back, from)
			}
		}
		if strings.Contains(tt.kind, "oneway") && len(back) > 0 || !strings.Contains(tt.kind, "oneway") && !slices.Equal(forth, back) {
			t.Errorf("%s %q: leads to %v and back from %v", tt.kind, tt.name, forth, back)
		}
		if !slices.EqualFunc(forth, tt.want, func(a, b geom.Vec) bool { return a.Distance(b) < 0.01 }) {
			t.Errorf("%s %q: leads to %v, want %v", tt.kind, tt.name, forth, tt.want)
		}
	}
	// Without the choice of all parts, the part at the end of a way stays.
	out, _ := apply(t, p, append(slices.Clone(exits), box("jump exit oneway", "a", -9, -1, 0, -7, 1, 1)), floorplan.Options{})
	if out.Components != 2 {
		t.Errorf("%d parts of the floor stay, want that of the marker and that of its exit", out.Components)
	}
}

// TestKeep checks which parts stay: parts that links reach from chosen parts, but no parts from which links
// only come.
func TestKeep(t *testing.T) {
	lvl, p := floorOf(t, "halls", exact.Extract)
	west, _, gallery, tower := levelgen.HallsWalks()
	ladder, drop := lvl.Markers[2], lvl.Markers[3]
	for name, tt := range map[string]struct {
		list       []level.Marker
		opt        floorplan.Options
		components int
		failed     string
	}{
		"the halls alone, because no link leads up":  {[]level.Marker{drop}, floorplan.Options{}, 1, ""},
		"the gallery by the ladder":                  {[]level.Marker{drop, ladder}, floorplan.Options{}, 2, ""},
		"from the gallery down":                      {[]level.Marker{drop}, floorplan.Options{Keep: []geom.Vec{gallery}}, 2, ""},
		"the tower, to which no link leads, and all": {[]level.Marker{drop}, floorplan.Options{Starts: []geom.Vec{tower, west}}, 2, ""},
		"everything":     {[]level.Marker{drop}, floorplan.Options{KeepAll: true}, p.Components, ""},
		"a place beside": {[]level.Marker{drop}, floorplan.Options{Keep: []geom.Vec{{X: 900}}}, 0, "markers: (900.000, 0.000, 0.000) has no walkable floor within the agent's height below"},
		"a start far outside, which says nothing":     {[]level.Marker{drop}, floorplan.Options{Starts: []geom.Vec{{X: 1e300}}}, 1, ""},
		"larger than all":                             {[]level.Marker{drop}, floorplan.Options{KeepArea: 1e6}, 0, "markers: no part of the floor is larger than 1e+06 m²"},
		"none of it, and no links, is left as it was": {nil, floorplan.Options{}, p.Components, ""},
	} {
		out, _, err := markers.Apply(context.Background(), p, tt.list, tt.opt)
		if err != nil || tt.failed != "" {
			if err == nil || tt.failed == "" || !strings.HasPrefix(err.Error(), tt.failed) {
				t.Errorf("%s: %v, want %s", name, err, tt.failed)
			}
			continue
		}
		checkPlan(t, out)
		if out.Components != tt.components || len(out.Dropped) != p.Components-tt.components {
			t.Errorf("%s: %d components and %d dropped of %d, want %d", name, out.Components, len(out.Dropped), p.Components, tt.components)
		}
	}
}

// TestOutcomes covers markers without effect, each with its reason.
func TestOutcomes(t *testing.T) {
	_, p := floorOf(t, "halls", exact.Extract)
	upright := box("door", "", 0, -1, 0, 0, 1, 2)
	for name, tt := range map[string]struct {
		m    level.Marker
		want string // "none" for no outcome
	}{
		"a place to start":         {level.Marker{Kind: "start", Hull: []geom.Vec{{}}}, "none"},
		"a thing that lies about":  {level.Marker{Kind: "item_health", Hull: []geom.Vec{{}}}, "none"},
		"a ladder far off":         {box("ladder", "", 100, 0, 0, 101, 1, 3), "it touches no walkable floor"},
		"a ladder to nowhere":      {box("ladder", "", -8, -4, 0, -7, -3, 3), "it joins nothing: only one floor is near, at "},
		"a jump on the spot":       {box("jump", "", -8, -4, 0, -7, -3, 3), "it joins nothing"},
		"a door in the air":        {box("door", "", -8, -4, 5, -7, -3, 7), "it touches no walkable floor"},
		"an upright door":          {upright, "seen from above it has no area"},
		"no corners":               {level.Marker{Kind: "door"}, "it has no corners"},
		"not finite":               {level.Marker{Kind: "door", Hull: []geom.Vec{{X: math.NaN()}, {X: 1}, {Z: 1}}}, "it has no corners, or corners"},
		"a name that is no text":   {box("mud", "\xff"+strings.Repeat("é", 4000), -8, -4, 0, -7, -3, 1), ""},
		"without kind or name":     {box("", "", -8, -4, 0, -7, -3, 1), ""},
		"a flat area on the floor": {box("mud", "", -8, -4, 0, -7, -3, 0), ""},
	} {
		out, outcomes := apply(t, p, []level.Marker{tt.m}, floorplan.Options{})
		for _, k := range out.Marks {
			if !utf8.ValidString(k.Name) || len(k.Name) > 4096 {
				t.Errorf("%s: a mark called %q", name, k.Name)
			}
		}
		switch {
		case tt.want == "none":
			if len(outcomes) != 0 {
				t.Errorf("%s: %+v", name, outcomes)
			}
		case len(outcomes) != 1:
			t.Errorf("%s: %d outcomes", name, len(outcomes))
		case tt.want == "" && (outcomes[0].Warning != "" || outcomes[0].Domains != 1) || !strings.HasPrefix(outcomes[0].Warning, tt.want):
			t.Errorf("%s: %+v, want %q", name, outcomes[0], tt.want)
		}
	}
}

// TestCancelled stops soon.
func TestCancelled(t *testing.T) {
	lvl, p := floorOf(t, "halls", exact.Extract)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := markers.Apply(ctx, p, lvl.Markers, floorplan.Options{}); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("%v", err)
	}
}

// A plan with links of its own stays as it is where no marker says more than a start; any other marker is an error.
func TestPlanWithLinks(t *testing.T) {
	p := &plan.Plan{Links: []plan.Link{{Mark: plan.NoMark}}}
	start := level.Marker{Name: "here", Kind: level.KindStart, Hull: []geom.Vec{{X: 1}}}
	got, outcomes, err := markers.Apply(t.Context(), p, []level.Marker{start}, floorplan.Options{})
	if got != p || outcomes != nil || err != nil {
		t.Errorf("got %v, %v, %v", got, outcomes, err)
	}
	for _, kind := range []string{"door", "jump", "carpet", ""} {
		m := level.Marker{Name: "there", Kind: kind, Hull: []geom.Vec{{X: 1}, {X: 2}, {X: 2, Z: 1}}}
		for at, list := range [][]level.Marker{{m, start}, {start, m}} {
			_, _, err := markers.Apply(t.Context(), p, list, floorplan.Options{})
			if want := fmt.Sprintf(`marker %d "there" would cut a plan with links of its own`, at); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: got %v, want %s", kind, err, want)
			}
		}
	}
}

// A kind that is written wrongly is an error with the name, the place and the word; other unknown kinds are areas.
func TestCheck(t *testing.T) {
	for kind, want := range map[string]string{
		"jump cost=abc":        `"cost=abc": want a number from 0 to 1e+09`,
		"ladder cost=-1 up":    `"cost=-1": want a number`,
		"ladder cost=nan":      `"cost=nan": want a number`,
		"ladder cost=":         `"cost=": want a number`,
		"jump sideways":        `unknown word "sideways": want up, down, exit, oneway or cost=METRES`,
		"jump oneway":          `oneway without exit`,
		"lift exit up":         `exit with up or down`,
		"door exit":            `unknown word "exit": want to=DEGREES`,
		"climb exit oneway":    ``,
		"lift up down":         `both up and down`,
		"jump to=90":           `unknown word "to=90"`,
		"door up":              `unknown word "up": want to=DEGREES`,
		"door to=east":         `"to=east": want a number from -360 to 360`,
		"gate to=400":          `"to=400": want a number`,
		"jmp":                  `unknown word, did you mean jump?`,
		"Jumpp cost=3":         `did you mean jump?`,
		"dorp":                 `did you mean drop?`,
		"laddr":                `did you mean ladder?`,
		"teleprter":            `did you mean teleporter?`,
		"":                     ``,
		"crop":                 ``,
		"grass":                ``,
		"star":                 ``,
		"jump up cost=1e3":     ``,
		"DOOR To=-90":          ``,
		"exit anything":        ``,
		"start anything":       ``,
		"my jump":              ``,
		"misc_teleporter_dest": ``,
	} {
		err := markers.Check([]level.Marker{{}, {Name: "m", Kind: kind, Hull: []geom.Vec{{X: 1, Y: 2, Z: 3}, {X: 3, Y: 2, Z: 3}}}})
		switch {
		case want == "":
			if err != nil {
				t.Errorf("%q: %v", kind, err)
			}
		case err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `marker 1 "m" at (2.000, 2.000, 3.000)`):
			t.Errorf("%q: got %v, want %s", kind, err, want)
		}
	}
}

// A marker without corners has no place, and its error none that is not a number.
func TestCheckWithoutCorners(t *testing.T) {
	err := markers.Check([]level.Marker{{Name: "m", Kind: "jmp"}})
	if err == nil || !strings.Contains(err.Error(), "at (0.000, 0.000, 0.000)") {
		t.Errorf("got %v", err)
	}
}

// A one-way door, and a kind that is written wrongly, are errors of a tile.
func TestCutErrors(t *testing.T) {
	_, p := floorOf(t, "halls", exact.Extract)
	for kind, want := range map[string]string{"door to=10": `"gate" is a one-way door: build the level without tiles`, "jmp": "did you mean jump?"} {
		list := []level.Marker{{Name: "gate", Kind: kind, Hull: []geom.Vec{{}, {X: 1}, {Z: 1}}}}
		if _, _, _, err := markers.Cut(t.Context(), p, list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", kind, err, want)
		}
	}
}
