package query_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// twoSquares is a mesh of two squares side by side, each with sides of 4096 lattice units.
func twoSquares() *navmesh.Mesh {
	const side = 4096
	t := navmesh.Tile{Generation: 1, Corners: []uint32{0, 1, 4, 5, 1, 2, 3, 4}}
	for _, p := range [][2]int32{{0, 0}, {side, 0}, {2 * side, 0}, {2 * side, side}, {side, side}, {0, side}} {
		t.Vertices = append(t.Vertices, lattice.Vertex{Point: lattice.Point{X: p[0], Y: p[1]}})
	}
	t.Regions = []navmesh.Region{{First: 0, Count: 4, FirstPortal: 0, PortalCount: 1}, {First: 4, Count: 4, FirstPortal: 1, PortalCount: 1}}
	t.Portals = []navmesh.Portal{
		{Edge: 1, Right: 1, Left: 4, To: 1, Back: 1, Clearance: side},
		{Edge: 3, Right: 4, Left: 1, To: 0, Back: 0, Clearance: side},
	}
	return &navmesh.Mesh{Agent: geom.Agent{Radius: 0.1, Height: 1, MaxClimb: 0.1, MaxSlope: 30}, Tiles: []navmesh.Tile{t}}
}

// ask asks every question with a place and a number, and returns the errors by question.
func ask(ctx context.Context, q *query.Query, at query.Position, p geom.Vec, n float64) map[string]error {
	answers := map[string]error{}
	one := func(name string) func(_ any, err error) {
		return func(_ any, err error) { answers[name] = err }
	}
	found := func(name string) func(_ any, ok bool) {
		return func(_ any, ok bool) {
			if answers[name] = nil; !ok {
				answers[name] = query.ErrOffMesh
			}
		}
	}
	one("path")(q.Path(ctx, p, p))
	one("partial path")(q.PartialPath(ctx, p, p))
	one("path between")(q.PathBetween(ctx, at, at))
	one("corridor")(q.AStarPath(ctx, p, p))
	one("to many")(q.ToMany(ctx, p, []geom.Vec{p}))
	_, _, answers["nearest of"] = q.NearestOf(ctx, p, []geom.Vec{p})
	one("regions within")(q.RegionsWithin(ctx, at, n))
	one("through")(q.Through(at, at, []int32{-1}))
	one("circle")(q.RegionsInCircle(at, n))
	one("shape")(q.RegionsInShape(at, []geom.Vec{p, p, p}))
	one("neighbourhood")(q.Neighbourhood(at, n))
	one("walls of")(q.WallsOf(at.Ref))
	one("walls around")(q.WallsAround(at, n))
	one("nearest in")(q.NearestIn(at.Ref, p))
	one("distance to wall")(q.DistanceToWall(at, n))
	one("raycast")(q.Raycast(at, p))
	one("move")(q.MoveAlongSurface(at, p))
	one("random in circle")(q.RandomPointInCircle(at, n, nil))
	found("random")(q.RandomPoint(nil))
	found("locate")(q.Locate(p))
	found("nearest")(q.Nearest(p, n))
	found("nearest within")(q.NearestWithin(p, n, n, n))
	found("box")(nil, len(q.RegionsInBox(geom.Box{Min: p, Max: p})) > 0)
	return answers
}

// TestZeroQueries asks queries without an index: each answer is an error or empty, and nothing panics.
func TestZeroQueries(t *testing.T) {
	ctx := t.Context()
	on, _ := query.NewIndex(twoSquares()).NewQuery().Locate(geom.Vec{X: 0.1, Z: -0.1})
	if on.Ref == navmesh.Ref(0) {
		t.Fatal("the mesh has no floor")
	}
	var noQuery *query.Query
	var noIndex *query.Index
	for name, q := range map[string]*query.Query{
		"zero query": {}, "nil query": noQuery, "zero index": new(query.Index).NewQuery(), "nil index": noIndex.NewQuery(),
		"nil mesh": query.NewIndex(nil).NewQuery(),
	} {
		for _, at := range []query.Position{{}, on} {
			for question, err := range ask(ctx, q, at, on.Point, 1) {
				if err == nil {
					t.Errorf("%s: %s: no error on a mesh without regions", name, question)
				}
			}
		}
		if bends := q.Funnel(lattice.Point{}, lattice.Point{X: 2}, nil); len(bends) != 2 {
			t.Errorf("%s: the funnel without gates has %d bends, want 2", name, len(bends))
		}
	}
	if _, err := query.NewIndexWith(ctx, nil); err == nil {
		t.Error("NewIndexWith takes a nil mesh")
	}
}

// TestZeroIndex asks an index without a mesh.
func TestZeroIndex(t *testing.T) {
	var noIndex *query.Index
	for _, ix := range []*query.Index{noIndex, {}, query.NewIndex(nil)} {
		if m := ix.Mesh(); m == nil || len(m.Tiles) > 0 {
			t.Errorf("the mesh is %v", m)
		}
		_, known := ix.Center(1)
		_, floor := ix.Floor(1, geom.Vec{})
		_, prepared := ix.Prepared()
		if known || floor || prepared || len(ix.Exits(nil, 1)) > 0 || len(ix.Methods(0)) > 0 {
			t.Error("an empty index answers")
		}
		if _, err := ix.Method("walk"); err == nil {
			t.Error("an empty index knows a method")
		}
		if _, err := ix.Names([]string{"gate"}, nil); err == nil {
			t.Error("an empty index knows a name")
		}
		if _, err := ix.With(query.Filter{Closed: []int{0}}); err == nil {
			t.Error("an empty index closes a mark")
		}
		if _, err := ix.Prepare(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestZeroSearches runs searches, fans and corridors without a query.
func TestZeroSearches(t *testing.T) {
	var noSearch *query.Search
	var noQuery *query.Query
	for _, s := range []*query.Search{noSearch, {}} {
		if err := s.Begin(geom.Vec{}, geom.Vec{}); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("Begin: %v", err)
		}
		if err := s.BeginAt(query.Position{}, geom.Vec{}); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("BeginAt: %v", err)
		}
		if s.Use(nil); len(s.PathIn(nil).Points) > 0 || s.Gates() != 0 {
			t.Error("a search without an index has a path in a nil query")
		}
		if s.Cancel(); !s.Done() || !s.Advance(9) || s.Bound() != 0 || len(s.Path().Points) > 0 {
			t.Error("a search without an index has an answer")
		}
		if new(query.Corridor).Take(s) == nil {
			t.Error("a corridor takes an idle search")
		}
	}
	var noShared *query.SharedSearch
	for _, s := range []*query.SharedSearch{noShared, {}} {
		s.Use(nil)
		s.Cancel()
		if err := s.Begin(geom.Vec{}); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("Begin: %v", err)
		}
		if s.Add(geom.Vec{}) >= 0 || s.Gates(0) != 0 {
			t.Error("a shared search without an index has a start")
		}
		if work, done := s.Advance(9); work != 0 || !done || s.Expanded() != 0 {
			t.Errorf("a shared search without an index does %d units of work, done is %v", work, done)
		}
		if _, err := s.PathIn(nil, 0); err == nil {
			t.Error("a shared search without an index has a path")
		}
	}
	if p := (query.Path{}); p.Surface() != nil || p.SurfaceLength() != 0 || p.Regions() != nil || p.Clone().Surface() != nil {
		t.Error("a zero path has a floor")
	}
	if _, err := (query.Fan{Costs: []float64{1}}).Path(t.Context(), 0); err == nil {
		t.Error("a zero fan has a path")
	}
	for _, q := range []*query.Query{noQuery, {}, query.NewIndex(twoSquares()).NewQuery()} {
		c := new(query.Corridor)
		_, corners := c.Corners(q, nil, 3)
		_, ahead := c.Ahead(q, 1)
		_, shorter := c.OptimizeTopology(q, 3, 9)
		_, link := c.TakeLink(q)
		for i, err := range []error{
			corners, ahead, shorter, link, c.Plan(t.Context(), q, geom.Vec{}), c.Trim(q), c.MovePosition(q, geom.Vec{}),
			c.MoveTarget(q, geom.Vec{}), c.OptimizeVisibility(q, geom.Vec{}, 1),
		} {
			if err == nil {
				t.Errorf("call %d on an empty corridor has no error", i)
			}
		}
		if c.Valid(q, 0) {
			t.Error("an empty corridor is valid")
		}
	}
}

// TestOddNumbers asks a mesh with numbers that are no lengths and places that are no places.
func TestOddNumbers(t *testing.T) {
	q := query.NewIndex(twoSquares()).NewQuery()
	on, ok := q.Locate(geom.Vec{X: 0.1, Z: -0.1})
	if !ok {
		t.Fatal("the mesh has no floor")
	}
	for _, n := range []float64{math.NaN(), math.Inf(-1), -1} {
		answers := ask(t.Context(), q, on, geom.Vec{X: math.NaN(), Y: n, Z: n}, n)
		delete(answers, "path between") // which has neither a place nor a number
		delete(answers, "walls of")
		delete(answers, "distance to wall") // which finds nothing then, without an error
		for question, err := range answers {
			if err == nil {
				t.Errorf("%s with %v: no error", question, n)
			}
		}
	}
	var none context.Context
	for question, err := range ask(none, q, on, on.Point, 1) {
		switch question {
		case "path", "partial path", "path between", "corridor", "to many", "nearest of", "regions within":
			if err == nil {
				t.Errorf("%s: a nil context is no error", question)
			}
		}
	}
}
