package worldcheck

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
	"github.com/meadow-nav/meadow/world/script"
)

// Law is a promise of a world.
type Law string

// The laws.
const (
	Valid   Law = "the mesh has no faults"              // by navmesh.Mesh.Validate, beyond the faults of the base
	Anew    Law = "the history leaves no trace"         // the mesh has the bytes of a mesh of a world made anew
	Floor   Law = "floor is where nothing blocks"       // at random places, by the judge of places
	Blocker Law = "a blocked place names its obstacles" // BlockedBy and OnWay, by the judge of places
	Painted Law = "modifiers change the floor in them"  // area and flags at random places
	Paths   Law = "paths are those of the mesh"         // as by an index made of the mesh
	Portals Law = "portals are those of the mesh"       // of all regions, by an index made of the mesh
	Doors   Law = "nobody passes a closed mark"         // on random paths
	Empty   Law = "an empty world is its base"          // the mesh of a world without things has the bytes of a new world's
	Refused Law = "a refused change changes nothing"    // and its error names the edit
	Applied Law = "a right change is applied"           // without an error
	Told    Law = "a change tells the regions it makes" // refs of Change exist before or after
	Past    Law = "an old snapshot answers as before"   // after any number of changes
	Readers Law = "readers see whole states"            // see Watch
	Near    Law = "the nearest free place is free"      // Snapshot.Free
	Listed  Law = "the world lists its things"          // Things, after every change of the checker
)

// Fault is a broken law.
type Fault struct {
	Law    Law
	Detail string
	// Ask shows the fault in a script, behind the changes: a question and an expectation that does not hold.
	Ask []script.Command

	radius float64         // of the agents
	place  *query.Position // of a fault at a place of the base
	pair   *[2]geom.Vec    // of a fault of a path
}

// Error returns the fault as a sentence.
func (f Fault) Error() string { return fmt.Sprintf("%s: %s", f.Law, f.Detail) }

// Checker judges one world.
type Checker struct {
	Base    *navmesh.Mesh
	Options world.Options
	// Places and Paths are the numbers of random places and paths that Check asks for, by default 100 and 20.
	Places, Paths int

	rng     *rand.Rand
	floor   *query.Query // of the base, without the filter
	known   map[navmesh.FaultKind]int
	origin  []byte // mesh of the world without things
	things  map[world.ID]world.Thing
	regions []region // of the base
	faults  []Fault
	again   *Fault  // judged before random places and paths, or nil
	first   float64 // radius of the world's base
	wider   []*Checker
}

// region is a region of the base, with the heights of its floor.
type region struct {
	layer [2]uint32 // tile and layer
	box   geom.Box
}

// regionsOf returns the regions of a mesh.
func regionsOf(m *navmesh.Mesh, ix *query.Index) (list []region) {
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		for i := range t.Regions {
			r := region{layer: [2]uint32{uint32(slot), uint32(t.Regions[i].Layer)}, box: geom.EmptyBox()}
			low, high, _ := ix.HeightRange(navmesh.MakeRef(slot, i, t.Generation))
			for _, v := range t.RegionCorners(i) {
				for _, z := range [2]int32{low, high} {
					r.box = r.box.Extend(m.Frame.ToWorld(t.Vertices[v].Point, z))
				}
			}
			list = append(list, r)
		}
	}
	return list
}

// New returns a checker for a world over a base with options; the world has no things yet. Random places depend on the
// seed.
func New(ctx context.Context, base *navmesh.Mesh, opt world.Options, seed uint64) (*Checker, error) {
	w, err := world.New(ctx, base, opt)
	if err != nil {
		return nil, err
	}
	var all []*Checker
	for i, m := range append([]*navmesh.Mesh{base}, opt.Wider...) {
		ix := query.NewIndex(m)
		c := &Checker{
			Base: m, Options: opt, Places: 100, Paths: 20, rng: rand.New(rand.NewPCG(seed, uint64(i))),
			floor: ix.NewQuery(), known: map[navmesh.FaultKind]int{}, things: map[world.ID]world.Thing{},
			regions: regionsOf(m, ix), first: base.Agent.Radius,
		}
		for _, f := range m.Validate() {
			c.known[f.Kind]++
		}
		s, err := w.Now().For(m.Agent.Radius)
		if err != nil {
			return nil, err
		}
		if c.origin, err = bytesOf(s.Mesh()); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	all[0].wider = all[1:]
	return all[0], nil
}

func bytesOf(m *navmesh.Mesh) ([]byte, error) {
	var b bytes.Buffer
	err := navfile.Write(&b, m)
	return b.Bytes(), err
}

// most is the number of faults at which a check stops.
const most = 5

func (c *Checker) fault(law Law, ask []script.Action, format string, args ...any) {
	f := Fault{Law: law, Detail: fmt.Sprintf(format, args...), radius: c.Base.Agent.Radius}
	if f.radius != c.first {
		f.Detail += fmt.Sprintf(" (radius %g m)", f.radius)
		ask = append([]script.Action{script.Radius{Metres: f.radius}}, ask...)
	}
	for _, a := range ask {
		f.Ask = append(f.Ask, script.Command{Do: a})
	}
	c.faults = append(c.faults, f)
}

func (c *Checker) full() bool { return len(c.faults) >= most }

// Check judges a snapshot for every radius of the world by the laws of single snapshots, and with anew also by the law
// of history. An error is an error of the world or of ctx.
func (c *Checker) Check(ctx context.Context, s *world.Snapshot, anew bool) ([]Fault, error) {
	faults, err := c.check(ctx, s, anew)
	for _, wide := range c.wider {
		if len(faults) > 0 || err != nil {
			break
		}
		at, missing := s.For(wide.Base.Agent.Radius)
		if missing != nil {
			return nil, missing
		}
		wide.again, wide.Places, wide.Paths = c.again, c.Places, c.Paths
		faults, err = wide.check(ctx, at, false)
	}
	return faults, err
}

// check is Check for one radius.
func (c *Checker) check(ctx context.Context, s *world.Snapshot, anew bool) ([]Fault, error) {
	c.faults = nil
	m := s.Mesh()
	c.valid(m)
	if len(s.Things()) == 0 && len(s.Closed()) == 0 {
		got, err := bytesOf(m)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(got, c.origin) {
			c.fault(Empty, []script.Action{script.Expect{Claim: script.ExpectSame}}, "%d regions on %.6f m², the base has %d on %.6f m²",
				m.RegionCount(), m.Area(), c.Base.RegionCount(), c.Base.Area())
		}
	}
	if anew {
		text, err := script.Same(ctx, c.Base, c.Options, s)
		if err != nil {
			return nil, err
		}
		if text != "" {
			c.fault(Anew, []script.Action{script.Expect{Claim: script.ExpectSame}}, "%s", text)
		}
	}
	if len(c.faults) > 0 {
		return c.faults, nil // paths on such a mesh tell nothing
	}
	c.portals(s, m)
	c.places(s, m)
	return c.faults, c.paths(ctx, s, m)
}

// portals compares the portals of a snapshot with those of its mesh.
func (c *Checker) portals(s *world.Snapshot, m *navmesh.Mesh) {
	got, want := portalsOf(s.Index(), c.Base), portalsOf(query.NewIndex(m), m)
	for i := range max(len(got), len(want)) {
		switch {
		case i == len(want) || i < len(got) && got[i].compare(want[i]) < 0:
			c.fault(Portals, nil, "the mesh has no portal from %v to %v", got[i][0], got[i][1])
			return
		case i == len(got) || got[i] != want[i]:
			c.fault(Portals, nil, "the mesh alone has a portal from %v to %v", want[i][0], want[i][1])
			return
		}
	}
}

// portal is a portal as seen from one side: its right and its left end.
type portal [2]lattice.Point

func (p portal) compare(o portal) int { return cmp.Or(p[0].Compare(o[0]), p[1].Compare(o[1])) }

// portalsOf returns the portals of an index of a mesh, or of an index that a world made of the mesh, in order.
func portalsOf(ix *query.Index, m *navmesh.Mesh) (list []portal) {
	var refs []navmesh.Ref
	for slot := range m.Tiles {
		for i := range m.Tiles[slot].Regions {
			refs = ix.Pieces(refs, navmesh.MakeRef(slot, i, m.Tiles[slot].Generation))
		}
	}
	var exits []query.Exit
	for _, r := range refs {
		exits = ix.Exits(exits[:0], r)
		for i := range exits {
			if e := &exits[i]; e.Link < 0 {
				list = append(list, portal{e.Right.Point, e.Left.Point})
			}
		}
	}
	slices.SortFunc(list, portal.compare)
	return list
}

// valid compares the faults of a mesh with those of the base.
func (c *Checker) valid(m *navmesh.Mesh) {
	found := map[navmesh.FaultKind]int{}
	for _, f := range m.Validate() {
		if found[f.Kind]++; found[f.Kind] > c.known[f.Kind] {
			c.fault(Valid, []script.Action{script.Expect{Claim: script.ExpectFaults, Value: float64(len(c.known))}}, "%v", f)
			return
		}
	}
}

// standing are the things of a snapshot.
type standing struct {
	obstacles []world.Put
	steps     []float64 // of each obstacle, see heightStep
	modifiers []world.Paint
	shut      []bool // by mark
}

func (c *Checker) standing(s *world.Snapshot) (out standing) {
	for _, t := range s.Things() {
		switch t := t.(type) {
		case world.Put:
			out.obstacles = append(out.obstacles, t)
			out.steps = append(out.steps, c.heightStep(t.Solid))
		case world.Paint:
			out.modifiers = append(out.modifiers, t)
		}
	}
	slices.SortFunc(out.modifiers, func(a, b world.Paint) int {
		if a.Brush.Priority != b.Brush.Priority {
			return b.Brush.Priority - a.Brush.Priority
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	out.shut = make([]bool, len(c.Base.Marks))
	for _, k := range s.Closed() {
		out.shut[k] = true
	}
	return out
}

// judge judges a place on a region of the base. by are the obstacles that surely block the place, maybe the others that
// may block the place.
func (c *Checker) judge(st *standing, at query.Position) (v verdict, by, maybe []world.ID) {
	v = free
	t, _, _ := c.Base.Region(at.Ref)
	for _, k := range t.MarksOf(at.Ref.Index()) {
		if st.shut[k.Mark] {
			v = blocked
		}
	}
	uncertain := false
	here := c.spot(at.Point)
	for i, o := range st.obstacles {
		switch judge(c.Base.Agent, o.Solid, here) {
		case blocked:
			by = append(by, o.ID)
		case unsure:
			maybe, uncertain = append(maybe, o.ID), true
		case free:
			if step := st.steps[i]; step > 0 {
				uncertain = uncertain || judge(c.Base.Agent, o.Solid, spot{here.Vec, here.low - step, here.high + step}) != free
			}
		}
	}
	// The first modifier over the place decides whether the floor is closed.
	decided := v == blocked
	for _, p := range st.modifiers {
		inside, closes := contains(p.Solid, at.Point), math.IsInf(p.Brush.Cost, 1)
		if closes && inside != free {
			maybe = append(maybe, p.ID)
		}
		switch {
		case decided || inside == free:
		case inside == unsure:
			v, decided = unsure, true
		case closes:
			v, decided = blocked, true
		default:
			decided = true
		}
	}
	switch {
	case len(by) > 0:
		v = blocked
	case uncertain && v == free:
		v = unsure
	}
	return v, by, maybe
}

// heightStep returns how much higher and lower the floor may be for a solid, in metres: the promise of world.TriangleMesh
// over uneven floor, else 0.
func (c *Checker) heightStep(s world.Solid) float64 {
	mesh, ok := s.(world.TriangleMesh)
	if !ok {
		return 0
	}
	box := geom.EmptyBox()
	for _, v := range mesh.Vertices {
		box = box.Extend(mesh.At.Add(turned(v, mesh.Yaw)))
	}
	reach := c.Base.Agent.Radius + arcs + margin
	type heights struct{ low, high float64 }
	layers := map[[2]uint32]heights{}
	for _, r := range c.regions {
		if r.box.Max.X < box.Min.X-reach || r.box.Min.X > box.Max.X+reach || r.box.Max.Z < box.Min.Z-reach || r.box.Min.Z > box.Max.Z+reach {
			continue
		}
		h, ok := layers[r.layer]
		if !ok {
			h = heights{r.box.Min.Y, r.box.Max.Y}
		}
		h = heights{min(h.low, r.box.Min.Y), max(h.high, r.box.Max.Y)}
		if layers[r.layer] = h; h.low < h.high {
			return 1.0 / 16
		}
	}
	return 0
}

// beside reports whether floor is next to a place, within the rounding of borders.
func beside(q *query.Query, at geom.Vec) bool {
	_, ok := q.NearestWithin(at, 4*lattice.Unit, apartFloors, apartFloors)
	return ok
}

// thin reports whether the floor is a strip of less than four units at a place.
func thin(q *query.Query, at geom.Vec) bool {
	for k := range 4 {
		sin, cos := math.Sincos(math.Pi * float64(k) / 4)
		side := geom.Vec{X: 2 * lattice.Unit * cos, Z: 2 * lattice.Unit * sin}
		_, left := q.Locate(at.Add(side))
		_, right := q.Locate(at.Sub(side))
		if !left && !right {
			return true
		}
	}
	return false
}

// spot looks for the floors of the base around a place.
func (c *Checker) spot(at geom.Vec) spot {
	out := levelSpot(at)
	const steps = 8
	for i := range steps {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		beside := at.Add(geom.Vec{X: (2*arcs + margin) * cos, Z: (2*arcs + margin) * sin})
		if p, ok := c.floor.Locate(beside); ok && math.Abs(p.Point.Y-at.Y) <= c.Base.Agent.MaxClimb+margin {
			out.low, out.high = min(out.low, p.Point.Y), max(out.high, p.Point.Y)
		}
	}
	return out
}

// apartFloors is the vertical distance in metres within which a place of the snapshot is the place of the base.
const apartFloors = 0.02

// places judges random places.
func (c *Checker) places(s *world.Snapshot, m *navmesh.Mesh) {
	st := c.standing(s)
	own, q := query.NewIndex(m).NewQuery(), s.NewQuery()
	judge := func(at query.Position) {
		first := len(c.faults)
		want, by, maybe := c.judge(&st, at)
		got, found := q.Locate(at.Point)
		found = found && math.Abs(got.Point.Y-at.Point.Y) <= apartFloors
		locate := script.Ask{Question: script.AskLocate, Places: []geom.Vec{at.Point}}
		switch {
		case want == free && !found && (beside(q, at.Point) || thin(c.floor, at.Point)):
			// Borders of changed regions are rounded to the lattice, and rests thinner than the lattice vanish.
		case want == free && !found:
			c.fault(Floor, []script.Action{locate, script.Expect{Claim: script.ExpectAt, At: at.Point, Tolerance: apartFloors}},
				"no floor at %v, where nothing blocks", at.Point)
		case want == blocked && found:
			c.fault(Floor, []script.Action{locate, script.Expect{Claim: script.ExpectNothing}}, "floor at %v, which %v blocks", at.Point, by)
		}
		if there, ok := own.Locate(at.Point); found != (ok && math.Abs(there.Point.Y-at.Point.Y) <= apartFloors) {
			c.fault(Paths, nil, "%v is floor of the snapshot: %t, of its mesh: %t", at.Point, found, ok)
		} else if found {
			c.painted(&st, m, there, at)
		}
		c.blockers(s, at.Point, by, maybe)
		if reach := 3.0; want == blocked && !found {
			c.nearest(s, q, at.Point, reach)
		}
		for k := range c.faults[first:] {
			c.faults[first+k].place = &at
		}
	}
	if c.again != nil && c.again.place != nil && c.again.radius == c.Base.Agent.Radius {
		judge(*c.again.place)
	}
	for i := range c.Places {
		if c.full() {
			break
		}
		if at, ok := c.somewhere(&st, i); ok {
			judge(at)
		}
	}
}

// somewhere returns a place on the base: every other place is beside an obstacle.
func (c *Checker) somewhere(st *standing, i int) (query.Position, bool) {
	if i%2 == 1 && len(st.obstacles) > 0 {
		near := middle(pick(c.rng, st.obstacles).Solid)
		if at, ok := c.floor.Nearest(near, 3); ok {
			if p, err := c.floor.RandomPointInCircle(at, 3, c.rng); err == nil {
				return p, true
			}
		}
	}
	return c.floor.RandomPoint(c.rng)
}

// blockers compares BlockedBy with the judge.
func (c *Checker) blockers(s *world.Snapshot, at geom.Vec, by, maybe []world.ID) {
	got := s.BlockedBy(at)
	ask := script.Ask{Question: script.AskBlocked, Places: []geom.Vec{at}}
	for _, id := range by {
		if !slices.Contains(got, id) {
			c.fault(Blocker, []script.Action{ask, script.Expect{Claim: script.ExpectBy, Names: by}}, "%s blocks %v, and BlockedBy is %v", id, at, got)
			return
		}
	}
	for _, id := range got {
		if !slices.Contains(by, id) && !slices.Contains(maybe, id) {
			c.fault(Blocker, []script.Action{ask, script.Expect{Claim: script.ExpectBy, Names: by}}, "%s does not block %v, and BlockedBy is %v", id, at, got)
			return
		}
	}
}

// nearest compares Free with the snapshot's floor.
func (c *Checker) nearest(s *world.Snapshot, q *query.Query, at geom.Vec, reach float64) {
	ask := script.Ask{Question: script.AskFree, Places: []geom.Vec{at}, Reach: reach}
	got, ok := s.Free(at, reach)
	want, there := q.Nearest(at, reach)
	switch {
	case ok != there:
		c.fault(Near, []script.Action{ask}, "a free place within %g m of %v: %t, by Nearest: %t", reach, at, ok, there)
	case ok && got.Point.Distance(at) > want.Point.Distance(at)+margin:
		c.fault(Near, []script.Action{ask}, "%v is %.4f m from %v, and %v is nearer", got.Point, got.Point.Distance(at), at, want.Point)
	}
}

// painted compares area and flags of a region with the modifiers over a place.
func (c *Checker) painted(st *standing, m *navmesh.Mesh, there, at query.Position) {
	_, base, _ := c.Base.Region(at.Ref)
	_, region, ok := m.Region(there.Ref)
	if !ok {
		return
	}
	area, flags := "", base.Flags
	for _, p := range st.modifiers {
		switch contains(p.Solid, at.Point) {
		case unsure:
			return
		case free:
			continue
		}
		area, flags = title(p.Brush), flags&^p.Brush.Clear|p.Brush.Set
		break
	}
	got := m.AreaName(region.Area)
	right := region.Area == base.Area || len(c.Base.Areas) > 0 && got == c.Base.AreaName(base.Area)
	if area != "" {
		right = strings.EqualFold(got, area)
	}
	if !right || region.Flags != flags {
		c.fault(Painted, nil, "floor at %v has area %q and flags %#x, expected area %q of modifiers and flags %#x", at.Point, got, region.Flags, area, flags)
	}
}

// title returns the name of the area under a modifier, empty for one that keeps the area.
func title(b world.Brush) string {
	if b.Cost == 0 {
		return b.Area
	}
	return strings.TrimPrefix(fmt.Sprintf("%s, cost %g", b.Area, b.Cost), ", ")
}

// paths compares random paths of the snapshot with paths of an index made of its mesh.
func (c *Checker) paths(ctx context.Context, s *world.Snapshot, m *navmesh.Mesh) error {
	st := c.standing(s)
	costs := map[uint8]float64{} // of areas that modifiers make
	for _, p := range st.modifiers {
		if k := slices.Index(m.Areas, title(p.Brush)); k >= 0 && p.Brush.Cost != 0 && !math.IsInf(p.Brush.Cost, 1) {
			costs[uint8(k)] = p.Brush.Cost
		}
	}
	ix, err := query.NewIndex(m).With(query.Filter{AreaCosts: costs})
	if err != nil {
		return err
	}
	own, q := ix.NewQuery(), s.NewQuery()
	compare := func(from, to geom.Vec) {
		a, errA := q.Path(ctx, from, to)
		if c.passes(a, st.shut) {
			c.faults[len(c.faults)-1].pair = &[2]geom.Vec{from, to}
		}
		b, errB := own.Path(ctx, from, to)
		if ctx.Err() != nil {
			return
		}
		// Over uneven ground both are within some ratio of the cheapest path.
		same := near(a.Cost, b.Cost) || math.Abs(a.Cost-b.Cost) <= spacing*float64(max(wideLinks(s.Index().Mesh(), a), wideLinks(m, b))) || len(costs) > 0 && a.Cost >= b.LowerBound*(1-1e-9) && b.Cost >= a.LowerBound*(1-1e-9)
		ask := []script.Action{
			script.Ask{Question: script.AskPath, Places: []geom.Vec{from, to}},
			script.Expect{Claim: script.ExpectCost, Value: b.Cost, Tolerance: 1e-6},
		}
		switch {
		case !standsOn(q, a.Points):
			c.fault(Paths, ask, "the path from %v to %v bends off the floor: %v", from, to, a.Points)
			c.faults[len(c.faults)-1].pair = &[2]geom.Vec{from, to}
			return
		case (errA == nil) == (errB == nil) && a.Complete == b.Complete && same:
			if a.Complete {
				c.clear(ctx, s, from, to)
			}
			return
		}
		if !b.Complete {
			ask[1] = script.Expect{Claim: script.ExpectNoPath}
		}
		c.fault(Paths, ask, "from %v to %v the snapshot has %t, %.9f m, %v, its mesh %t, %.9f m, %v", from, to,
			a.Complete, a.Cost, errA, b.Complete, b.Cost, errB)
		c.faults[len(c.faults)-1].pair = &[2]geom.Vec{from, to}
	}
	if c.again != nil && c.again.pair != nil && c.again.radius == c.Base.Agent.Radius {
		compare(c.again.pair[0], c.again.pair[1])
	}
	for range c.Paths {
		from, ok := own.RandomPoint(c.rng)
		to, _ := own.RandomPoint(c.rng)
		if !ok || c.full() || ctx.Err() != nil {
			break
		}
		compare(from.Point, to.Point)
	}
	return ctx.Err()
}

// clear judges obstacles that stand on the way of a path of the snapshot, as OnWay lists them: no path leads past an
// obstacle by less than the margin.
func (c *Checker) clear(ctx context.Context, s *world.Snapshot, from, to geom.Vec) {
	path, err := s.NewQuery().Path(ctx, from, to)
	if err != nil || len(path.Crossings) > 0 {
		return
	}
	points := path.Surface()
	solids := map[world.ID]world.Solid{}
	for _, t := range s.Things() {
		if p, ok := t.(world.Put); ok {
			solids[p.ID] = p.Solid
		}
	}
	const step = 0.05
	for _, id := range s.OnWay(points) {
		touches := solids[id] == nil
		for i := range len(points) - 1 {
			steps := int(points[i].DistXZ(points[i+1])/step) + 1
			for k := 0; k <= steps && !touches; k++ {
				touches = judge(c.Base.Agent, solids[id], c.spot(points[i].Lerp(points[i+1], float64(k)/float64(steps)))) != free
			}
		}
		if !touches {
			ask := []script.Action{script.Ask{Question: script.AskOnWay, Places: slices.Clone(points)}, script.Expect{Claim: script.ExpectNothing}}
			c.fault(Blocker, ask, "%s is far from the path from %v to %v, and OnWay lists it", id, from, to)
			c.faults[len(c.faults)-1].pair = &[2]geom.Vec{from, to}
			return
		}
	}
}

// passes reports whether a path passes a closed mark, as a fault.
func (c *Checker) passes(path query.Path, shut []bool) bool {
	for _, x := range path.Crossings {
		if x.Mark >= 0 && shut[x.Mark] {
			ask := []script.Action{script.Ask{Question: script.AskPath, Places: []geom.Vec{path.Points[0], path.Points[len(path.Points)-1]}}}
			c.fault(Doors, ask, "the path from %v to %v passes the closed %s %q at %v", path.Points[0], path.Points[len(path.Points)-1],
				c.Base.Marks[x.Mark].Kind, c.Base.Marks[x.Mark].Name, x.From)
			return true
		}
	}
	return false
}

// spacing is the most in metres by which a path is longer than the shortest for every wide link: agents take wide links at
// places so far apart, and where an obstacle stands on a part of a link, the mesh of a world has links with other places.
const spacing = 0.25

// wideLinks counts the links on a path whose ends are no points.
func wideLinks(m *navmesh.Mesh, path query.Path) (n int) {
	for _, x := range path.Crossings {
		if x.Link >= 0 && x.Link < len(m.Links) && m.Links[x.Link].Start[0] != m.Links[x.Link].Start[1] {
			n++
		}
	}
	return n
}

// near reports whether two lengths differ by at most 1e-9 of the longer.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// Apply makes a right change, and judges the answer of the world. All changes of the world are to be made by Apply.
func (c *Checker) Apply(ctx context.Context, w *world.World, edits []world.Edit) ([]Fault, error) {
	c.faults = nil
	before := w.Now()
	change, err := w.Apply(ctx, edits...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		c.fault(Applied, nil, "%v", err)
		return c.faults, nil
	}
	now := w.Now()
	if change.Sequence != before.Sequence()+1 || now.Sequence() != change.Sequence {
		c.fault(Told, nil, "change %d after snapshot %d made snapshot %d", change.Sequence, before.Sequence(), now.Sequence())
	}
	c.listed(edits, now)
	old, fresh := before.Index(), now.Index()
	for _, r := range change.Stale {
		_, was := old.Center(r)
		if _, is := fresh.Center(r); !was || is {
			c.fault(Told, nil, "stale region %v: before the change %t, after it %t", r, was, is)
			break
		}
	}
	for _, r := range change.Fresh {
		_, was := old.Center(r)
		if _, is := fresh.Center(r); was || !is {
			c.fault(Told, nil, "fresh region %v: before the change %t, after it %t", r, was, is)
			break
		}
	}
	return c.faults, nil
}

// listed makes the edits in the checker's own list of things, and compares the list.
func (c *Checker) listed(edits []world.Edit, s *world.Snapshot) {
	for _, e := range edits {
		switch e := e.(type) {
		case world.Thing:
			c.things[script.IDOf(e)] = e
		case world.Move:
			c.things[e.ID] = world.Put(e)
		case world.Repaint:
			c.things[e.ID] = world.Paint(e)
		case world.Take:
			delete(c.things, e.ID)
		}
	}
	got, ids := s.Things(), slices.Sorted(maps.Keys(c.things))
	for i, id := range ids {
		if i < len(got) && !reflect.DeepEqual(got[i], c.things[id]) {
			c.fault(Listed, nil, "thing %d is %+v, expected %+v", i, got[i], c.things[id])
			return
		}
	}
	if len(got) != len(ids) {
		c.fault(Listed, nil, "%d things, expected %d", len(got), len(ids))
	}
}

// ApplyWrong makes a change that the world must refuse with an error that has a word.
func (c *Checker) ApplyWrong(ctx context.Context, w *world.World, edits []world.Edit, word string) []Fault {
	c.faults = nil
	before, things := w.Now(), len(w.Now().Things())
	_, err := w.Apply(ctx, edits...)
	switch now := w.Now(); {
	case err == nil:
		c.fault(Refused, nil, "%v is applied", edits)
	case !strings.Contains(err.Error(), word) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 400:
		c.fault(Refused, nil, "the error of %v does not name %q in a short line: %v", edits, word, err)
	case now.Sequence() != before.Sequence() || len(now.Things()) != things:
		c.fault(Refused, nil, "after the error %v the world has sequence %d and %d things, before %d and %d", err,
			now.Sequence(), len(now.Things()), before.Sequence(), things)
	}
	return c.faults
}

// Memory holds a snapshot with some of its answers.
type Memory struct {
	snapshot *world.Snapshot
	pairs    [][2]geom.Vec
	costs    []float64 // -1 for no path
	things   int
}

// Remember asks a snapshot for n paths.
func (c *Checker) Remember(ctx context.Context, s *world.Snapshot, n int) (Memory, error) {
	m := Memory{snapshot: s, things: len(s.Things())}
	q := s.NewQuery()
	for range n {
		from, ok := q.RandomPoint(c.rng)
		to, _ := q.RandomPoint(c.rng)
		if !ok {
			break
		}
		m.pairs = append(m.pairs, [2]geom.Vec{from.Point, to.Point})
	}
	var err error
	m.costs, err = m.ask(ctx)
	return m, err
}

func (m Memory) ask(ctx context.Context) ([]float64, error) {
	q := m.snapshot.NewQuery()
	var costs []float64
	for _, p := range m.pairs {
		path, err := q.Path(ctx, p[0], p[1])
		switch {
		case err != nil && !errors.Is(err, query.ErrOffMesh):
			return nil, err
		case err != nil || !path.Complete:
			costs = append(costs, -1)
		default:
			costs = append(costs, path.Cost)
		}
	}
	return costs, nil
}

// Recall asks again, and compares.
func (m Memory) Recall(ctx context.Context) ([]Fault, error) {
	costs, err := m.ask(ctx)
	if err != nil {
		return nil, err
	}
	if n := len(m.snapshot.Things()); !slices.Equal(costs, m.costs) || n != m.things {
		return []Fault{{Law: Past, Detail: fmt.Sprintf("snapshot %d has %d things and paths %v, before %d and %v", m.snapshot.Sequence(), n, costs, m.things, m.costs)}}, nil
	}
	return nil, nil
}
