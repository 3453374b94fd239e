package query

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// checkFollow checks a corridor: its ends are positions in its first and last region, and each region is entered from
// the region before.
func checkFollow(t *testing.T, q *Query, c *Corridor) {
	t.Helper()
	if !c.Valid(q, len(c.steps)) {
		t.Fatalf("%+v at %v does not hold beyond step %d of %d", c, c.position, c.holds(q.ix), len(c.steps))
	}
	if c.position.Ref != c.steps[0].region || c.target.Ref != c.last().region {
		t.Fatalf("position %v and target %v are not at the ends of %v", c.position, c.target, c.steps)
	}
}

// wayLeft returns the length of the shortest path in a corridor without links.
func wayLeft(t *testing.T, q *Query, c *Corridor) (sum float64) {
	t.Helper()
	corners, err := c.Corners(q, nil, math.MaxInt)
	if err != nil || len(corners) == 0 || !corners[len(corners)-1].Target {
		t.Fatal(corners, err)
	}
	at := c.Position().Point
	for _, k := range corners {
		sum += math.Hypot(k.Point.X-at.X, k.Point.Z-at.Z)
		at = k.Point
	}
	return sum
}

// TestCorridorIsWalked walks from corner to corner by steps, and over links: the walk costs as much as the path, and at
// every step the corridor holds the shortest way.
func TestCorridorIsWalked(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 1))
	walks, links := 0, 0
	for i := range 80 {
		w := linkedOrNot(t, rng, i)
		m := w.theMesh()
		q, other := NewIndex(m).NewQuery(), NewIndex(m).NewQuery()
		for _, p := range pairs(rng, w, 3) {
			from, _ := q.Locate(p.start)
			want, err := other.PartialPath(t.Context(), p.start, p.goal)
			if err != nil {
				t.Fatal(err)
			}
			var c Corridor
			c.Reset(from)
			if err := c.Plan(t.Context(), q, p.goal); err != nil || c.Complete() != want.Complete {
				t.Fatalf("complete is %v, want %v, %v", c.Complete(), want.Complete, err)
			}
			if end := want.Points[len(want.Points)-1]; math.Hypot(c.Target().Point.X-end.X, c.Target().Point.Z-end.Z) > 1e-9 {
				t.Fatalf("target %v, want %v", c.Target(), end)
			}
			cost := 0.0
			for n := 0; ; n++ {
				checkFollow(t, q, &c)
				corners, err := c.Corners(q, nil, 2)
				if err != nil || len(corners) == 0 {
					t.Fatal(err)
				}
				at, next := c.Position().Point, corners[0]
				way := geom.Vec{X: next.Point.X - at.X, Z: next.Point.Z - at.Z}
				l := math.Hypot(way.X, way.Z)
				if n%4 == 0 {
					left, err := other.PathBetween(t.Context(), c.Position(), c.Target())
					if err != nil || math.Abs(cost+left.Cost-want.Cost) > 0.002*float64(n+1) {
						t.Fatalf("world %d: walked %v, %v is left, of %v; %v", i, cost, left.Cost, want.Cost, err)
					}
				}
				if l < 0.01 && next.Target {
					break
				}
				if l < 1e-6 && next.Link >= 0 {
					x, err := c.TakeLink(q)
					if err != nil || x.Link != next.Link || x.From.Distance(next.Point) > 0.001 || x.To != c.Position().Point {
						t.Fatalf("%+v, %v, want link %d", x, err, next.Link)
					}
					cost += q.ix.HopAt(int32(x.Link), 0).Cost * lattice.Unit
					links++
					continue
				}
				if err := c.MovePosition(q, at.Add(way.Scale(min(1, 0.7/l)))); err != nil {
					t.Fatal(err)
				}
				cost += math.Hypot(c.Position().Point.X-at.X, c.Position().Point.Z-at.Z)
				if n > 1000 {
					t.Fatalf("world %d: no end of the walk, at %v", i, c.Position())
				}
			}
			walks++
			if math.Abs(cost-want.Cost) > 0.02*(1+want.Cost) {
				t.Fatalf("world %d: walked %v, the path costs %v", i, cost, want.Cost)
			}
		}
	}
	if walks < 100 || links < 10 {
		t.Errorf("%d walks over %d links", walks, links)
	}
}

// TestCorridorHoldsTogether pushes position and target about: regions always lead from position to target, optimising
// makes no way longer, and a new search for the whole way makes the way the shortest.
func TestCorridorHoldsTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(92, 1005)) // includes a way that comes back to the agent's point
	shorter, straight := 0, 0
	for i := range 60 {
		w := randomWorld(t, rng)
		q, other := NewIndex(w.theMesh()).NewQuery(), NewIndex(w.theMesh()).NewQuery()
		ps := pairs(rng, w, 1)
		if len(ps) == 0 {
			continue
		}
		var c Corridor
		from, _ := q.Locate(ps[0].start)
		c.Reset(from)
		if err := c.Plan(t.Context(), q, ps[0].goal); err != nil {
			t.Fatal(err)
		}
		push := func() geom.Vec { return geom.FromGround(4*rng.Float64()-2, 4*rng.Float64()-2, 0) }
		for range 40 {
			if err := c.MovePosition(q, c.Position().Point.Add(push())); err != nil {
				t.Fatal(err)
			}
			checkFollow(t, q, &c)
			if err := c.MoveTarget(q, c.Target().Point.Add(push())); err != nil {
				t.Fatal(err)
			}
			checkFollow(t, q, &c)
			left := wayLeft(t, q, &c)
			best, err := other.PathBetween(t.Context(), c.Position(), c.Target())
			if err != nil || left < best.Length-1e-9*(1+left) {
				t.Fatalf("world %d: %v is left, the shortest path has %v, %v", i, left, best.Length, err)
			}
			switch rng.IntN(4) {
			case 0:
				corners, _ := c.Corners(q, nil, 3)
				if err := c.OptimizeVisibility(q, corners[len(corners)-1].Point, 1+5*rng.Float64()); err != nil {
					t.Fatal(err)
				}
			case 1:
				if _, err := c.OptimizeTopology(q, 1+rng.IntN(6), rng.IntN(60)); err != nil {
					t.Fatal(err)
				}
			case 2:
				if ok, err := c.OptimizeTopology(q, 1000, math.MaxInt); !ok || err != nil {
					t.Fatal(ok, err)
				}
				if now := wayLeft(t, q, &c); now > best.Length+1e-9*(1+now) {
					t.Fatalf("world %d: optimised to %v, the shortest path has %v", i, now, best.Length)
				}
			default:
				continue
			}
			checkFollow(t, q, &c)
			now := wayLeft(t, q, &c)
			if now > left+1e-6*(1+left) {
				t.Fatalf("world %d: optimised from %v to %v", i, left, now)
			}
			if now < left-0.01 {
				shorter++
			} else {
				straight++
			}
		}
	}
	if shorter < 30 || straight < 30 {
		t.Errorf("%d ways became shorter, %d did not", shorter, straight)
	}
}

// TestCorridorTakesSearches replaces the way ahead by the path of a search while the agent walks on.
func TestCorridorTakesSearches(t *testing.T) {
	rng := rand.New(rand.NewPCG(93, 1))
	taken, partial, passed := 0, 0, 0
	for i := range 60 {
		w := linkedOrNot(t, rng, i)
		ix := NewIndex(w.theMesh())
		q, s := ix.NewQuery(), ix.NewSearch()
		for _, p := range pairs(rng, w, 2) {
			var c Corridor
			from, _ := q.Locate(p.start)
			c.Reset(from)
			if err := c.Plan(t.Context(), q, p.goal); err != nil {
				t.Fatal(err)
			}
			b, _ := w.draw(rng)
			goal := w.point(b)
			at, err := c.Ahead(q, 6*rng.Float64())
			if err != nil || !slices.Contains(c.AppendRegions(nil), at.Ref) {
				t.Fatalf("world %d: %v ahead is not in %v, %v", i, at, c.AppendRegions(nil), err)
			}
			if err := s.BeginAt(at, goal); err != nil {
				t.Fatal(err)
			}
			for rng.IntN(20) > 0 && !s.Advance(1+rng.IntN(4)) {
				corners, err := c.Corners(q, nil, 1)
				if err != nil || corners[0].Link >= 0 {
					break
				}
				way := corners[0].Point.Sub(c.Position().Point)
				if err := c.MovePosition(q, c.Position().Point.Add(way.Scale(0.05))); err != nil {
					t.Fatal(err)
				}
			}
			path := s.Path().Clone()
			if err := c.Take(s); err != nil {
				if slices.ContainsFunc(c.AppendRegions(nil), func(r navmesh.Ref) bool { return slices.Contains(path.Regions(), r) }) {
					t.Fatalf("world %d: %v", i, err)
				}
				passed++
				continue
			}
			checkFollow(t, q, &c)
			if end := path.Points[len(path.Points)-1]; c.Complete() != path.Complete || c.Target().Point != end {
				t.Fatalf("world %d: leads to %v, want %v", i, c.Target(), end)
			}
			if taken++; !path.Complete {
				partial++
			}
		}
	}
	if taken < 60 || partial < 10 || passed > 5 {
		t.Errorf("%d searches were taken, %d of them partial; %d were passed", taken, partial, passed)
	}
	ix := NewIndex(bridge(t, lattice.Frame{}))
	q, s := ix.NewQuery(), ix.NewSearch()
	var c Corridor
	if err := c.Take(s); err == nil || err.Error() != "query: corridor: the search has no path" {
		t.Errorf("an idle search: %v", err)
	}
	from, _ := q.Locate(geom.FromGround(10, 1, 0))
	c.Reset(from)
	if err := s.Begin(geom.FromGround(10, 10, 3), geom.FromGround(9, 10, 3)); err != nil {
		t.Fatal(err)
	}
	s.Advance(math.MaxInt)
	if err := c.Take(s); err == nil || !strings.Contains(err.Error(), "does not meet it") || c.Position() != from {
		t.Errorf("a search elsewhere: %v", err)
	}
}

// TestCorridorNoticesChanges closes a door on the way, replaces the mesh, and takes a link away.
func TestCorridorNoticesChanges(t *testing.T) {
	w := newGrid(t, rand.New(rand.NewPCG(94, 1)), 8, 1, 0, cells, lattice.Frame{})
	m := w.mesh
	m.Marks = []navmesh.Mark{{Name: "door"}}
	at := func(x int32) geom.Vec { return w.point(lattice.Point{X: x*w.cell + w.cell/2, Y: w.cell / 2}) }
	ix := NewIndex(m)
	q := ix.NewQuery()
	gate, _ := q.Locate(at(5))
	m.Tiles[0].Marked = []navmesh.Marked{{Region: uint32(gate.Ref.Index())}}
	closed, err := NewIndex(m).With(Filter{Closed: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	shut := closed.NewQuery()
	start, _ := q.Locate(at(1))
	plan := func() *Corridor {
		var c Corridor
		c.Reset(start)
		if err := c.Plan(t.Context(), q, at(7)); err != nil || !c.Complete() || len(c.steps) != 7 {
			t.Fatalf("%+v, %v", c, err)
		}
		return &c
	}

	c := plan()
	for regions, want := range map[int]bool{0: true, 3: true, 4: false, 100: false} {
		if got := c.Valid(shut, regions); got != want {
			t.Errorf("%d regions ahead of a closed door: valid is %v", regions, got)
		}
	}
	if err := c.Trim(shut); err != nil || c.Complete() || len(c.steps) != 4 {
		t.Fatalf("trimmed to %+v, %v", c, err)
	}
	checkFollow(t, shut, c)
	before, _ := q.Locate(at(4))
	if c.Target().Ref != before.Ref {
		t.Errorf("the target is %v, want one before the door, in %v", c.Target(), before.Ref)
	}
	if err := c.Plan(t.Context(), q, at(7)); err != nil || !c.Complete() || len(c.steps) != 7 {
		t.Errorf("opened again: %+v, %v", c, err)
	}

	// The tile is replaced: all Refs are stale.
	next := *m
	next.Tiles = slices.Clone(m.Tiles)
	next.Tiles[0].Generation++
	fresh := NewIndex(&next).NewQuery()
	if c.Valid(fresh, 0) {
		t.Error("a replaced tile is valid")
	}
	if _, err := c.Corners(fresh, nil, 1); !errors.Is(err, ErrOffMesh) {
		t.Errorf("corners of stale regions: %v", err)
	}
	if err := c.MovePosition(fresh, at(2)); !errors.Is(err, ErrOffMesh) || c.Position() != start {
		t.Errorf("moved a stale position: %v", err)
	}
	if err := c.Trim(fresh); err != nil || c.Complete() || c.Position().Point != start.Point || c.Position().Ref == start.Ref {
		t.Errorf("trimmed to %+v, %v", c, err)
	}
	checkFollow(t, fresh, c)
	if err := c.Plan(t.Context(), fresh, at(7)); err != nil || !c.Complete() {
		t.Errorf("planned anew: %+v, %v", c, err)
	}
	away := *m
	away.Frame.East += 1 << 24
	c = plan()
	if err := c.Trim(NewIndex(&away).NewQuery()); !errors.Is(err, ErrOffMesh) || c.Position() != start {
		t.Errorf("the floor is gone: %+v, %v", c, err)
	}

	// A link that is gone, and a link with a new end.
	m = steps(t)
	q = NewIndex(m).NewQuery()
	start, _ = q.Locate(ground(m, lattice.Vertex{Point: lattice.Point{X: metre, Y: metre}}))
	c = &Corridor{}
	c.Reset(start)
	if err := c.Plan(t.Context(), q, geom.FromGround(22, 2, 4)); err != nil || !c.Complete() || c.firstLeg() != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	corners, err := c.Corners(q, nil, 5)
	if err != nil || len(corners) != 1 || corners[0].Link != 0 || corners[0].Target || corners[0].Point.Distance(geom.FromGround(10, 2, 0)) > 0.001 {
		t.Errorf("corners %+v, %v", corners, err)
	}
	none, moved := *m, *m
	none.Links = nil
	moved.Links = slices.Clone(m.Links)
	moved.Links[0].Start[0].X -= metre
	moved.Links[0].Start[1].X -= metre
	for name, changed := range map[string]*navmesh.Mesh{"gone": &none, "moved": &moved} {
		other := NewIndex(changed).NewQuery()
		if _, err := c.TakeLink(other); !errors.Is(err, ErrOffMesh) || c.Valid(other, 1) || c.Position() != start {
			t.Errorf("%s: %v, valid is %v", name, err, c.Valid(other, 1))
		}
	}
	if x, err := c.TakeLink(q); err != nil || x.Link != 0 || x.Mark != -1 {
		t.Errorf("%+v, %v", x, err)
	}
	if _, err := c.TakeLink(q); err == nil || !strings.Contains(err.Error(), "no link is on the way") {
		t.Errorf("a second link: %v", err)
	}
}

// TestCorridorErrors covers the zero Corridor, invalid numbers, and goals beyond the frame.
func TestCorridorErrors(t *testing.T) {
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	nan := geom.Vec{X: math.NaN()}
	calls := map[string]func(c *Corridor, p geom.Vec, length float64) error{
		"Plan":               func(c *Corridor, p geom.Vec, _ float64) error { return c.Plan(t.Context(), q, p) },
		"MovePosition":       func(c *Corridor, p geom.Vec, _ float64) error { return c.MovePosition(q, p) },
		"MoveTarget":         func(c *Corridor, p geom.Vec, _ float64) error { return c.MoveTarget(q, p) },
		"OptimizeVisibility": func(c *Corridor, p geom.Vec, l float64) error { return c.OptimizeVisibility(q, p, l) },
		"Ahead":              func(c *Corridor, _ geom.Vec, l float64) error { _, err := c.Ahead(q, l); return err },
	}
	from, _ := q.Locate(geom.FromGround(10, 1, 0))
	for name, call := range calls {
		var empty, c Corridor
		if err := call(&empty, from.Point, 1); err == nil {
			t.Errorf("%s of an empty corridor is no error", name)
		}
		c.Reset(from)
		if err := c.Plan(t.Context(), q, geom.FromGround(10, 19, 0)); err != nil {
			t.Fatal(err)
		}
		want := c.AppendRegions(nil)
		if err := call(&c, nan, math.NaN()); err == nil || !strings.HasPrefix(err.Error(), "query: ") {
			t.Errorf("%s of what is no number: %v", name, err)
		}
		if !slices.Equal(c.AppendRegions(nil), want) || c.Position() != from {
			t.Errorf("%s failed and changed the corridor", name)
		}
		if err := call(&c, from.Point.Add(geom.Vec{X: 0.1}), 0.5); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		checkFollow(t, q, &c)
	}
	var empty Corridor
	_, cornersErr := empty.Corners(q, nil, 1)
	_, topologyErr := empty.OptimizeTopology(q, 1, 1)
	if empty.Valid(q, 1) || empty.Trim(q) == nil || cornersErr == nil || topologyErr == nil {
		t.Errorf("an empty corridor: %v, %v", cornersErr, topologyErr)
	}
	if _, err := empty.TakeLink(q); err == nil {
		t.Error("an empty corridor has a link")
	}
}
