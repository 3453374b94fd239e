package presence_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/presence"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// spots draws places on a mesh, half of them corners of regions, where sight has its ties.
func spots(rng *rand.Rand, ix *query.Index, n int) (list []geom.Vec) {
	q := ix.NewQuery()
	m := ix.Mesh()
	for len(list) < n {
		if pos, ok := q.RandomPoint(rng); ok && rng.IntN(2) == 0 {
			list = append(list, pos.Point)
			continue
		}
		t := &m.Tiles[rng.IntN(len(m.Tiles))]
		v := t.Vertices[t.Corners[rng.IntN(len(t.Corners))]]
		list = append(list, m.Frame.ToWorld(v.Point, v.Z))
	}
	return list
}

// flat are levels whose floor hides nothing.
var flat = []string{"rooms", "maze", "pillars"}

// TestSightIsARay: centres in sight are those that a ray reaches, in the view cone and in range.
func TestSightIsARay(t *testing.T) {
	oneGoroutine(t)
	for _, kind := range flat {
		ix := generated(t, kind, 1).Index()
		rng := rand.New(rand.NewPCG(11, 1))
		places := spots(rng, ix, 160)
		s := presence.New(ix)
		for i, at := range places {
			if err := s.Add(presence.Object{ID: presence.ID(i), At: at, Height: 1}); err != nil {
				t.Fatal(err)
			}
		}
		r := s.Publish().NewReader()
		q := ix.NewQuery()
		in, out := 0, 0
		for i, at := range places[:80] {
			from, _ := q.Locate(at)
			g := presence.Gaze{At: at, Eye: 1.6, Range: math.Inf(1)}
			if i%2 == 1 {
				sin, cos := math.Sincos(rng.Float64() * 2 * math.Pi)
				g.Heading, g.View = geom.Vec{X: 3 * cos, Z: 3 * sin}, 6.2*rng.Float64()
			}
			if i%3 == 1 {
				g.Range = 12 * rng.Float64()
			}
			list, err := r.Look(g)
			if err != nil {
				t.Fatal(err)
			}
			got := map[presence.ID]bool{}
			for _, o := range list {
				if !o.Whole {
					t.Fatalf("a point is seen in part: %+v", o)
				}
				got[o.ID] = true
			}
			for k, to := range places {
				ray, err := q.Raycast(from, to)
				if err != nil {
					t.Fatal(err)
				}
				d := to.Sub(at)
				want := !ray.Hit && math.Hypot(d.X, d.Z) <= g.Range
				if g.View > 0 && (d.X != 0 || d.Z != 0) {
					angle := math.Abs(math.Atan2(d.X*g.Heading.Z-d.Z*g.Heading.X, d.X*g.Heading.X+d.Z*g.Heading.Z))
					if math.Abs(angle-g.View/2) < 1e-6 {
						continue
					}
					want = want && angle < g.View/2
				}
				if math.Abs(math.Hypot(d.X, d.Z)-g.Range) < 1e-6 {
					continue
				}
				if got[presence.ID(k)] != want {
					t.Fatalf("%s: %v from %v with %+v: in sight is %v, the ray says %v", kind, to, at, g, !want, want)
				}
				if want {
					in++
				} else {
					out++
				}
			}
		}
		if in < 200 || out < 200 {
			t.Errorf("%s: %d in sight, %d not", kind, in, out)
		}
	}
}

// TestSightIsMutual: who sees is seen.
func TestSightIsMutual(t *testing.T) {
	oneGoroutine(t)
	ix := generated(t, "maze", 2).Index()
	s := presence.New(ix)
	places := spots(rand.New(rand.NewPCG(5, 1)), ix, 120)
	for i, at := range places {
		if err := s.Add(presence.Object{ID: presence.ID(i), At: at, Radius: 0.3, Height: 1.8, Sight: 30}); err != nil {
			t.Fatal(err)
		}
	}
	r := s.Publish().NewReader()
	sees := map[[2]presence.ID]bool{}
	for i := range places {
		list, err := r.Sees(presence.ID(i))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			if o.ID == presence.ID(i) {
				t.Fatalf("agent %d sees itself", i)
			}
			if o.Whole {
				sees[[2]presence.ID{presence.ID(i), o.ID}] = true
			}
		}
	}
	if len(sees) < 100 {
		t.Fatalf("only %d sightings", len(sees))
	}
	for k := range sees {
		if !sees[[2]presence.ID{k[1], k[0]}] {
			t.Errorf("%d sees %d, and not the other way around", k[0], k[1])
		}
	}
}

// TestSightOfDiscs compares discs with rays to many points of each.
func TestSightOfDiscs(t *testing.T) {
	oneGoroutine(t)
	for _, kind := range flat[:2] {
		ix := generated(t, kind, 3).Index()
		rng := rand.New(rand.NewPCG(17, 1))
		places := spots(rng, ix, 70)
		s := presence.New(ix)
		var objects []presence.Object
		for i, at := range places {
			o := presence.Object{ID: presence.ID(i), At: at, Radius: 0.1 + 0.6*rng.Float64(), Height: 1}
			objects = append(objects, o)
			if err := s.Add(o); err != nil {
				t.Fatal(err)
			}
		}
		r := s.Publish().NewReader()
		q := ix.NewQuery()
		partly := 0
		for _, at := range places[:40] {
			from, _ := q.Locate(at)
			list, err := r.Look(presence.Gaze{At: at, Eye: 1.6, Range: math.Inf(1)})
			if err != nil {
				t.Fatal(err)
			}
			got := map[presence.ID]bool{}
			for _, o := range list {
				got[o.ID] = true
				if !o.Whole {
					partly++
				}
			}
			for _, o := range objects {
				reached := func(radius, step float64) bool {
					for x := -radius; x <= radius; x += step {
						for z := -radius; z <= radius; z += step {
							if x*x+z*z > radius*radius {
								continue
							}
							p := o.At.Add(geom.Vec{X: x, Z: z})
							if ray, err := q.Raycast(from, p); err == nil && !ray.Hit {
								return true
							}
						}
					}
					return false
				}
				if got[o.ID] {
					if !reached(o.Radius+0.06, 0.04) {
						t.Fatalf("%s: from %v %+v is in sight, and no ray comes near", kind, at, o)
					}
				} else if reached(o.Radius-0.001, 0.11) {
					t.Fatalf("%s: from %v a ray reaches %+v, which is not in sight", kind, at, o)
				}
			}
		}
		if partly < 10 {
			t.Errorf("%s: only %d discs are seen in part", kind, partly)
		}
	}
}

// TestSeenFloor: a place is in a piece of the floor in sight exactly where a ray reaches it, but for rounding.
func TestSeenFloor(t *testing.T) {
	oneGoroutine(t)
	ix := generated(t, "rooms", 4).Index()
	rng := rand.New(rand.NewPCG(23, 1))
	q := ix.NewQuery()
	r := presence.New(ix).Publish().NewReader()
	frame := ix.Mesh().Frame
	in := 0
	for _, at := range spots(rng, ix, 45) {
		from, _ := q.Locate(at)
		pieces, err := r.SeenFloor(presence.Gaze{At: at, Range: math.Inf(1)})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			pos, _ := q.RandomPoint(rng)
			x, y, _ := frame.Local(pos.Point)
			deepest := math.Inf(-1) // how far inside of the best piece
			for _, p := range pieces {
				inside := math.Inf(1)
				for i := range p.Outline {
					ax, ay, _ := frame.Local(p.Outline[i])
					bx, by, _ := frame.Local(p.Outline[(i+1)%len(p.Outline)])
					if l := math.Hypot(bx-ax, by-ay); l > 0 {
						inside = min(inside, ((bx-ax)*(y-ay)-(by-ay)*(x-ax))/l)
					}
				}
				deepest = max(deepest, inside)
			}
			ray, err := q.Raycast(from, pos.Point)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(deepest) > 1 && (deepest > 0) == ray.Hit {
				t.Fatalf("from %v: %v is %g units inside of the floor in sight, the ray hits a wall: %v", at, pos.Point, deepest, ray.Hit)
			}
			if deepest > 0 {
				in++
			}
		}
	}
	if in < 100 {
		t.Errorf("only %d places in sight", in)
	}
}

// TestBrowOfAHill: the floor hides who is low behind it, between portals and inside of regions.
func TestBrowOfAHill(t *testing.T) {
	oneGoroutine(t)
	for _, narrow := range []float64{0, 2} { // a roof of one convex region, or of two with a border along the ridge
		l := &level.Level{Vertices: []geom.Vec{
			{X: -20, Z: 10},
			{X: -20, Z: -10},
			{Y: 5, Z: 10},
			{Y: 5, Z: -10},
			{Y: 5, Z: 10 - narrow},
			{Y: 5, Z: narrow - 10},
			{X: 20, Z: 10 - narrow},
			{X: 20, Z: narrow - 10},
		}}
		for _, c := range [4][3]uint32{{0, 2, 3}, {0, 3, 1}, {4, 6, 7}, {4, 7, 5}} {
			l.Triangles = append(l.Triangles, level.Triangle{A: c[0], B: c[1], C: c[2], Material: level.NoMaterial})
			// The floor faces up, whichever way the corners go.
			k := &l.Triangles[len(l.Triangles)-1]
			if n := l.Vertices[k.B].Sub(l.Vertices[k.A]).Cross(l.Vertices[k.C].Sub(l.Vertices[k.A])); n.Y < 0 {
				k.B, k.C = k.C, k.B
			}
		}
		m, err := meadow.Build(t.Context(), l, meadow.Agent{Radius: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		s := presence.New(m.Index())
		east := geom.Vec{X: 10, Y: 2.5}
		for id, height := range []float64{1, 1.8, 6, 20} { // the line from the eyes over the ridge is 5.9 m above east
			if err := s.Add(presence.Object{ID: presence.ID(id), At: east, Height: height}); err != nil {
				t.Fatal(err)
			}
		}
		west := presence.Gaze{At: geom.Vec{X: -10, Y: 2.5}, Eye: 1.6, Range: 100}
		r := s.Publish().NewReader()
		list, err := r.Look(west)
		var ids []presence.ID
		for _, o := range list {
			ids = append(ids, o.ID)
		}
		if err != nil || !slices.Equal(ids, []presence.ID{2, 3}) {
			t.Errorf("%d regions: %v in sight, error %v, want the two tall ones", m.Mesh.RegionCount(), ids, err)
		}
		west.Eye = 40
		if list, _ := r.Look(west); len(list) != 4 {
			t.Errorf("from a tower only %v are in sight", list)
		}
	}
}

// TestHearingIsAWalk compares with a path for each agent.
func TestHearingIsAWalk(t *testing.T) {
	oneGoroutine(t)
	for _, kind := range []string{"rooms", "stairs", "tower"} {
		ix := generated(t, kind, 1).Index()
		rng := rand.New(rand.NewPCG(31, 1))
		q := ix.NewQuery()
		s := presence.New(ix)
		var objects []presence.Object
		for id := range presence.ID(120) {
			at, _ := q.RandomPoint(rng)
			o := presence.Object{ID: id, At: at.Point, Radius: 0.3, Height: 1.8}
			switch id % 4 {
			case 0:
				o.Hearing = 10 * rng.Float64()
			case 1:
				o.Hearing = -5 * rng.Float64()
			case 2:
				o.Hearing = math.Inf(-1)
			}
			objects = append(objects, o)
			if err := s.Add(o); err != nil {
				t.Fatal(err)
			}
		}
		r := s.Publish().NewReader()
		heard := 0
		for k := range 30 {
			at, _ := q.RandomPoint(rng)
			e := presence.Event{At: at.Point, Sound: []float64{1, 8, 25, 80}[k%4], Light: math.Inf(-1)}
			list, err := r.Notice(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			got := map[presence.ID]float64{}
			last := presence.ID(0)
			for i, n := range list {
				if !n.Heard || n.Seen || i > 0 && n.ID <= last {
					t.Fatalf("%+v behind %d", n, last)
				}
				got[n.ID], last = n.Walk, n.ID
			}
			for _, o := range objects {
				path, err := q.Path(t.Context(), e.At, o.At)
				if err != nil {
					t.Fatal(err)
				}
				want := path.Complete && path.Cost <= e.Sound+o.Hearing
				if math.Abs(path.Cost-(e.Sound+o.Hearing)) < 1e-9 {
					continue
				}
				walk, ok := got[o.ID]
				if ok != want || ok && math.Abs(walk-path.Cost) > 1e-6 {
					t.Fatalf("%s: %+v and %+v: heard %v after %v m, the path is %v m", kind, e, o, ok, walk, path.Cost)
				}
				if ok {
					heard++
				}
			}
		}
		if heard < 50 {
			t.Errorf("%s: only %d heard anything", kind, heard)
		}
	}
}

// TestWhoSeesAnEvent compares with the rays, ranges and view cones of all agents.
func TestWhoSeesAnEvent(t *testing.T) {
	oneGoroutine(t)
	ix := generated(t, "rooms", 1).Index()
	rng := rand.New(rand.NewPCG(37, 1))
	q := ix.NewQuery()
	s := presence.New(ix)
	var objects []presence.Object
	for i, at := range spots(rng, ix, 120) {
		sin, cos := math.Sincos(rng.Float64() * 2 * math.Pi)
		o := presence.Object{ID: presence.ID(i), At: at, Radius: 0.3, Height: 1.8, Sight: 10 * rng.Float64(), Heading: geom.Vec{X: cos, Z: sin}, View: 2}
		if i%5 == 0 {
			o.Sight = 0 // blind
		}
		if i%5 == 1 {
			o.View = 0
		}
		objects = append(objects, o)
		if err := s.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	r := s.Publish().NewReader()
	seen, both := 0, 0
	for k := range 60 {
		at, _ := q.RandomPoint(rng)
		e := presence.Event{At: at.Point, Light: []float64{-3, 0, 20}[k%3], Sound: []float64{0, 5}[k%2]}
		list, err := r.Notice(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		got := map[presence.ID]presence.Notice{}
		for _, n := range list {
			if _, twice := got[n.ID]; twice {
				t.Fatalf("agent %d is listed twice", n.ID)
			}
			got[n.ID] = n
			if n.Seen && n.Heard {
				both++
			}
		}
		for _, o := range objects {
			pos, _ := q.Locate(o.At)
			ray, _ := q.Raycast(pos, e.At)
			d := e.At.Sub(o.At)
			far := math.Hypot(d.X, d.Z)
			want := o.Sight > 0 && far <= o.Sight+e.Light && !ray.Hit
			if o.View > 0 {
				angle := math.Abs(math.Atan2(d.X*o.Heading.Z-d.Z*o.Heading.X, d.X*o.Heading.X+d.Z*o.Heading.Z))
				want = want && angle <= o.View/2
			}
			if got[o.ID].Seen != want {
				t.Fatalf("%+v and %+v, %g m apart: seen is %v", e, o, far, !want)
			}
			if want {
				seen++
			}
		}
	}
	if seen < 60 || both < 5 {
		t.Errorf("%d saw an event, %d also heard it", seen, both)
	}
}

// TestKnown compares with the portals of the mesh.
func TestKnown(t *testing.T) {
	ix := generated(t, "rooms", 1).Index()
	v := crowd(t, ix, 12, 150, 0).Publish()
	r := v.NewReader()
	for i := range v.Len() {
		o, p := v.At(i)
		tile, reg, _ := ix.Mesh().Region(p.Region)
		want := []navmesh.Ref{p.Region}
		for _, portal := range tile.Portals[reg.FirstPortal : reg.FirstPortal+reg.PortalCount] {
			want = append(want, navmesh.MakeRef(p.Region.Slot(), int(portal.To), tile.Generation))
		}
		slices.Sort(want)
		want = slices.Compact(want)
		regions, objects, err := r.Known(o.ID)
		if err != nil || !slices.Equal(regions, want) {
			t.Fatalf("object %d knows %v, error %v, want %v", o.ID, regions, err, want)
		}
		for k := range v.Len() {
			other, _ := v.At(k)
			touches := slices.ContainsFunc(v.Regions(nil, other.ID), func(ref navmesh.Ref) bool { return slices.Contains(want, ref) })
			if listed := slices.Contains(objects, other.ID); listed != (touches && other.ID != o.ID) {
				t.Fatalf("object %d, of %d: listed is %v", other.ID, o.ID, listed)
			}
		}
	}
}
