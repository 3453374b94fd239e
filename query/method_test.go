package query

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// street is 12 m by 12 m: a road up to y = 6, then a sidewalk with a driveway at its eastern end, x from 9 to 12. A hop
// from road to sidewalk costs 2 m; a hop back, for cycles only, costs 1 m. The driveway is free for all.
func street(t testing.TB) *navmesh.Mesh {
	t.Helper()
	patches := []patch{slab(0, 0, 0, 12, 6, 0, 0), slab(0, 0, 6, 9, 12, 0, 0), slab(0, 9, 6, 12, 12, 0, 0)}
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})
	inf := float32(math.Inf(1))
	m.Areas = []string{"ground", "road", "sidewalk", "driveway"}
	for i, a := range []uint8{1, 2, 3} {
		m.Tiles[0].Regions[i].Area = a
	}
	speeds := make([]float32, 4)
	m.Methods = []navmesh.Method{
		{Name: "drive", Costs: []float32{inf, 1, inf, 1}, Speeds: speeds},
		{Name: "walk", Costs: []float32{1, inf, 1, 1}, Speeds: speeds},
		{Name: "skate", Costs: []float32{1, 1, 1, 1}, Speeds: speeds, Crossings: []uint32{0}},
		{Name: "cycle", Costs: []float32{1, 1, 1, 1}, Speeds: speeds, Crossings: []uint32{0, 1}},
		{Name: "fly", Costs: []float32{1, 1, 1, 1}, Speeds: speeds},
	}
	m.Crossings = []navmesh.Crossing{{Name: "hop", From: 1, To: 2, Cost: 2, Mark: 0}, {Name: "hop off", From: 2, To: 1, Cost: 1, Mark: 1}}
	m.Marks = []navmesh.Mark{{Name: "hop", Kind: "boundary", Flags: navmesh.Boundary.Flag()}, {Name: "hop off", Kind: "boundary", Flags: navmesh.Boundary.Flag()}}
	kerb := [2]lattice.Vertex{at(0, 6, 0), at(9, 6, 0)}
	link(m, navmesh.Boundary, 0, 1, kerb, kerb, 2)
	link(m, navmesh.Boundary, 1, 0, kerb, kerb, 1)
	m.Links[0].Mark, m.Links[1].Mark = 1, 2
	m.Connect()
	if f := m.Validate(); f != nil {
		t.Fatal(f)
	}
	return m
}

func TestMethods(t *testing.T) {
	m := street(t)
	ix := NewIndex(m)
	road, walk := geom.FromGround(3, 3, 0), geom.FromGround(3, 9, 0)
	around := 2 * math.Hypot(6, 3) // over the end of the kerb
	tests := []struct {
		method   string
		up, down float64 // costs, +Inf for no way
		named    int     // crossings taken on the way up
	}{
		{"drive", math.Inf(1), math.Inf(1), 0},
		{"walk", math.Inf(1), math.Inf(1), 0},
		{"fly", 6, 6, 0},
		{"skate", 8, around, 1},
		{"cycle", 8, 7, 1},
	}
	for _, tt := range tests {
		f, err := ix.Method(tt.method)
		if err != nil {
			t.Fatal(err)
		}
		own, err := ix.With(f)
		if err != nil {
			t.Fatal(err)
		}
		q := own.NewQuery()
		cost := func(from, to geom.Vec) float64 {
			path, err := q.Path(context.Background(), from, to)
			if err != nil || !path.Complete {
				return math.Inf(1)
			}
			if c := path.Crossings; len(c) > 1 || len(c) == 1 && m.Links[c[0].Link].Kind != navmesh.Boundary {
				t.Errorf("%s: %+v", tt.method, c)
			}
			if len(path.Crossings) == 0 && tt.method != "fly" && slices.Contains(path.Regions(), navmesh.MakeRef(0, 0, 1)) && slices.Contains(path.Regions(), navmesh.MakeRef(0, 1, 1)) &&
				!slices.Contains(path.Regions(), navmesh.MakeRef(0, 2, 1)) {
				t.Errorf("%s: over the kerb without a hop: %v", tt.method, path.Regions())
			}
			return path.Cost
		}
		for _, way := range []struct {
			from, to geom.Vec
			want     float64
		}{{road, walk, tt.up}, {walk, road, tt.down}} {
			if got := cost(way.from, way.to); got != way.want && math.Abs(got-way.want) > 1e-6 {
				t.Errorf("%s from %v: %v, want %v", tt.method, way.from, got, way.want)
			}
		}
		path, _ := q.Path(context.Background(), road, walk)
		if len(path.Crossings) != tt.named {
			t.Errorf("%s: %d crossings", tt.method, len(path.Crossings))
		}
	}
	// Without a method all boundaries are open, and paths take no hops.
	if path := mustPath(t, ix.NewQuery(), road, walk); path.Cost != 6 || len(path.Crossings) != 0 {
		t.Errorf("no method: cost %v, crossings %+v", path.Cost, path.Crossings)
	}
}

// TestMethodAndMore checks that a filter may close more than its method, and that areas closed by the method stay
// closed.
func TestMethodAndMore(t *testing.T) {
	m := street(t)
	ix := NewIndex(m)
	f, err := ix.Method("skate")
	if err != nil {
		t.Fatal(err)
	}
	skate, err := ix.With(f)
	if err != nil {
		t.Fatal(err)
	}
	road, walk := geom.FromGround(3, 3, 0), geom.FromGround(3, 9, 0)
	for name, more := range map[string]Filter{
		"nothing": {}, "the other direction": {Closed: []int{1}}, "wide enough": {Radius: testAgent.Radius},
	} {
		also, err := skate.With(more)
		if err != nil {
			t.Fatal(err)
		}
		if path := mustPath(t, also.NewQuery(), road, walk); math.Abs(path.Cost-8) > 1e-9 {
			t.Errorf("%s: %v", name, path.Cost)
		}
	}
	no, err := skate.Names(nil, []string{"hop"})
	if err != nil {
		t.Fatal(err)
	}
	closed, err := skate.With(no)
	if err != nil {
		t.Fatal(err)
	}
	if path := mustPath(t, closed.NewQuery(), road, walk); math.Abs(path.Cost-2*math.Hypot(6, 3)) > 1e-6 {
		t.Errorf("without the hop: %v", path.Cost)
	}
	if got := ix.Methods(2); !slices.Equal(got, []string{"walk", "skate", "cycle", "fly"}) {
		t.Errorf("the sidewalk is for %v", got)
	}
	if got := ix.Methods(77); got != nil {
		t.Errorf("an area that is not there is for %v", got)
	}
}

func TestMethodErrors(t *testing.T) {
	ix := NewIndex(street(t))
	if _, err := ix.Method("swim"); err == nil || err.Error() != `query: no method "swim", the mesh knows drive, walk, skate, cycle, fly` {
		t.Errorf("%v", err)
	}
	if _, err := NewIndex(island(t)).Method("walk"); err == nil || err.Error() != `query: no method "walk", the mesh knows none` {
		t.Errorf("%v", err)
	}
	for _, c := range []int{-1, 2} {
		if _, err := ix.With(Filter{Crossings: []int{c}}); err == nil {
			t.Errorf("no error for crossing %d", c)
		}
	}
}
