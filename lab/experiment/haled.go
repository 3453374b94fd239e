package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/agents/presence"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/collision"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// The experiment of H appendix D.5.
var (
	movingCounts = []int{200, 400, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000}
	staticCounts = []int{200, 400, 600, 800, 1000, 1500, 2000, 4000}
)

const (
	haleRepeats  = 300
	haleDepth    = 5 // of the k-d tree, 32 leaves
	hashColumns  = 6 // of the spatial hash, 30 cells
	hashRows     = 5
	haleCross    = 3000 // objects up to which the source's mesh beats its spatial hash
	haleStaticMS = 1.0  // the source's bound of moving against static objects
	objectLeast  = 0.25 // metres, radius; ours, as the source names no size
	objectMost   = 0.5  // metres
	objectStep   = 0.1  // metres from repeat to repeat
	objectHeight = 1.8  // metres
	wideCount    = 1000 // objects, of which some are wide: ours, as the source has none
	wideEvery    = 20
	wideMost     = 8.0 // metres
	presenceWay  = "presence"
)

// haleLevel is a level of our own with the source's number of static objects, and about its number of regions.
type haleLevel struct {
	name    string
	domain  *plan.Domain
	over    lattice.Box
	statics []lattice.Box
	mesh    *navmesh.Mesh
	result  metric.Result
	index   *query.Index
}

// blocks collects structures on a level in metres: the outline of a structure is a hole of the floor, and its parts are boxes
// in rows.
type blocks struct {
	rings []lattice.Ring
	boxes []lattice.Box
}

func metres(x float64) int32 { return int32(x * lattice.UnitsPerMetre) }

// outline adds a hole, whose corners are given counter-clockwise in pairs of metres.
func (b *blocks) outline(coordinates ...float64) {
	var ring lattice.Ring
	for i := 0; i < len(coordinates); i += 2 {
		ring = append(ring, lattice.Point{X: metres(coordinates[i]), Y: metres(coordinates[i+1])})
	}
	slices.Reverse(ring)
	b.rings = append(b.rings, ring)
}

// parts adds columns × rows boxes that fill a rectangle.
func (b *blocks) parts(x0, y0, x1, y1 float64, columns, rows int) {
	for i := range columns {
		for j := range rows {
			at := func(low, high float64, k, n int) int32 { return metres(low + (high-low)*float64(k)/float64(n)) }
			b.boxes = append(b.boxes, lattice.Box{
				Min: lattice.Point{X: at(x0, x1, i, columns), Y: at(y0, y1, j, rows)},
				Max: lattice.Point{X: at(x0, x1, i+1, columns), Y: at(y0, y1, j+1, rows)},
			})
		}
	}
}

// solid adds a rectangular structure.
func (b *blocks) solid(x0, y0, x1, y1 float64, columns, rows int) {
	b.outline(x0, y0, x1, y0, x1, y1, x0, y1)
	b.parts(x0, y0, x1, y1, columns, rows)
}

// captureTheFlag is a level of 171 static objects: two bases of walls that open towards each other, and cover between them.
func captureTheFlag() *blocks {
	b := &blocks{rings: []lattice.Ring{{{}, {X: metres(80)}, {X: metres(80), Y: metres(50)}, {Y: metres(50)}}}}
	b.outline(6, 15, 22, 15, 22, 16, 7, 16, 7, 34, 22, 34, 22, 35, 6, 35)
	b.parts(6, 15, 7, 35, 1, 20)
	b.parts(7, 15, 22, 16, 15, 1)
	b.parts(7, 34, 22, 35, 15, 1)
	b.outline(58, 15, 74, 15, 74, 35, 58, 35, 58, 34, 73, 34, 73, 16, 58, 16)
	b.parts(73, 15, 74, 35, 1, 20)
	b.parts(58, 15, 73, 16, 15, 1)
	b.parts(58, 34, 73, 35, 15, 1)
	b.solid(34, 21, 40, 29, 5, 3)
	b.solid(48, 19, 50, 26, 2, 5)
	b.solid(28, 7, 40, 9, 12, 2)
	b.solid(40, 41, 51, 43, 11, 2)
	return b
}

// cityscape is a level of 51 static objects: an enterable building behind an open place, and solid buildings between streets.
func cityscape() *blocks {
	b := &blocks{rings: []lattice.Ring{{{}, {X: metres(90)}, {X: metres(90), Y: metres(70)}, {Y: metres(70)}}}}
	// Walls of a metre; the door looks south.
	b.outline(10, 45, 20, 45, 20, 46, 11, 46, 11, 63, 34, 63, 34, 46, 24, 46, 24, 45, 35, 45, 35, 64, 10, 64)
	b.parts(10, 45, 11, 64, 1, 4)
	b.parts(34, 45, 35, 64, 1, 4)
	b.parts(11, 63, 34, 64, 4, 1)
	b.parts(11, 45, 20, 46, 1, 1)
	b.parts(24, 45, 34, 46, 2, 1)
	b.solid(44, 46, 56, 64, 2, 5)
	b.solid(64, 44, 82, 60, 5, 2)
	b.solid(62, 10, 82, 30, 3, 2)
	b.solid(16, 8, 29, 16, 5, 1)
	b.solid(36, 11, 50, 18, 5, 1)
	return b
}

// level makes the PASFV mesh of a level.
func (b *blocks) level(ctx context.Context, name string) (*haleLevel, error) {
	l := &haleLevel{name: name, domain: domainOf(b.rings), over: b.rings[0].Box(), statics: b.boxes}
	if err := l.domain.Validate(); err != nil {
		return nil, err
	}
	g, err := catalog.Generator(pasfv)
	if err != nil {
		return nil, err
	}
	t, err := runTrial(ctx, g, World{name, l.domain}, 1, metric.Options{})
	if err != nil {
		return nil, err
	}
	l.mesh, l.result = t.mesh, t.result
	if l.index, err = query.NewIndexWith(ctx, t.mesh); err != nil {
		return nil, err
	}
	return l, nil
}

// traffic are objects with two places each, which they take by turns.
type traffic struct {
	places [2][]collision.Disc
	world  [2][]geom.Vec
	radius []float64
}

// traffic draws objects on a level, uniformly by area. The first places are free; the second ones are free where free is set.
// Wide gives every 20th object up to that many metres.
func (l *haleLevel) traffic(n int, free bool, wide float64) *traffic {
	rng := rand.New(rand.NewPCG(uint64(n), 0xd))
	q := l.index.NewQuery()
	t := &traffic{}
	for range n {
		at, _ := q.RandomPoint(rng)
		radius := lattice.Unit * float64(metres(objectLeast+(objectMost-objectLeast)*rng.Float64()))
		if wide > 0 && len(t.radius)%wideEvery == 0 {
			radius = lattice.Unit * float64(metres(wide*rng.Float64()))
		}
		next := at.Point
		for range 20 {
			p := at.Point.Add(geom.Vec{X: objectStep * (2*rng.Float64() - 1), Z: objectStep * (2*rng.Float64() - 1)})
			if _, ok := q.Locate(p); ok || !free {
				next = p
				break
			}
		}
		t.radius = append(t.radius, radius)
		for k, p := range [2]geom.Vec{at.Point, next} {
			point, _ := l.mesh.Frame.Beneath(p)
			t.places[k] = append(t.places[k], collision.Disc{At: point, Radius: int32(radius * lattice.UnitsPerMetre)})
			t.world[k] = append(t.world[k], p)
		}
	}
	return t
}

// outcome is the answer of a method over all repeats.
type outcome struct {
	tests  int
	missed int
	times  []float64 // milliseconds, of each repeat
}

// means returns the median time, and the mean numbers of tests and of wrong answers of a repeat.
func (o *outcome) means() (ms, tests, missed float64) {
	slices.Sort(o.times)
	n := float64(len(o.times))
	return o.times[len(o.times)/2], float64(o.tests) / n, float64(o.missed) / n
}

// set fills a Set with the first places.
func (l *haleLevel) set(t *traffic) (*presence.Set, error) {
	s := presence.New(l.index)
	for i, at := range t.world[0] {
		if err := s.Add(presence.Object{ID: presence.ID(i), At: at, Radius: t.radius[i], Height: objectHeight}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// dynamic finds the collisions of moving objects with each other, by all methods.
func (l *haleLevel) dynamic(ctx context.Context, n, repeats int, wide float64) (map[string]*outcome, []string, error) {
	t := l.traffic(n, true, wide)
	finders := []collision.Finder{
		collision.AllPairs{},
		&collision.Tree{Depth: haleDepth},
		&collision.Hash{Over: l.over, Columns: hashColumns, Rows: hashRows},
		collision.NewMesh(l.mesh),
		&collision.Grid{},
	}
	var want [2]int
	outcomes := map[string]*outcome{}
	var order []string
	var pairs []collision.Pair
	for _, f := range finders {
		o := &outcome{}
		outcomes[f.Name()], order = o, append(order, f.Name())
		for k := range repeats {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			var tests int
			start := time.Now()
			pairs, tests = f.Pairs(pairs[:0], t.places[k%2])
			o.add(start, tests)
			if f.Name() == (collision.AllPairs{}).Name() {
				want[k%2] = len(pairs)
			}
			o.missed += want[k%2] - len(pairs)
		}
	}
	s, err := l.set(t)
	if err != nil {
		return nil, nil, err
	}
	r := s.Publish().NewReader()
	o := &outcome{}
	outcomes[presenceWay], order = o, append(order, presenceWay)
	for k := range repeats {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		r.Tests = 0
		start := time.Now()
		for i, at := range t.world[k%2] {
			if err := s.Move(presence.ID(i), at); err != nil {
				return nil, nil, err
			}
		}
		r.Use(s.Publish())
		found := len(r.Collisions())
		o.add(start, r.Tests)
		o.missed += want[k%2] - found
	}
	return outcomes, order, nil
}

func (o *outcome) add(start time.Time, tests int) {
	o.times = append(o.times, float64(time.Since(start).Nanoseconds())/1e6)
	o.tests += tests
}

// still finds the moving objects that hit static ones, by all methods.
func (l *haleLevel) still(ctx context.Context, n, repeats int, wide float64) (map[string]*outcome, []string, error) {
	t := l.traffic(n, false, wide)
	side := 4 * objectMost * lattice.UnitsPerMetre
	width, height := l.over.Size()
	statics := []collision.Static{
		collision.AllBoxes{Boxes: l.statics},
		collision.NewBoxTree(l.statics, haleDepth),
		collision.NewBoxGrid("spatial-hash", l.statics, l.over, hashColumns, hashRows),
		collision.NewBoxGrid("grid", l.statics, l.over, int32(float64(width)/side)+1, int32(float64(height)/side)+1),
	}
	want, hit := [2][]bool{make([]bool, n), make([]bool, n)}, make([]bool, n)
	outcomes := map[string]*outcome{}
	var order []string
	begin := func(name string) *outcome {
		outcomes[name], order = &outcome{}, append(order, name)
		return outcomes[name]
	}
	judge := func(o *outcome, k int) {
		for i, h := range hit {
			// The border of the level is no static object: those that leave the level are not judged.
			if d := &t.places[k][i]; !l.over.Grown(-d.Radius - 1).Contains(d.At) {
				continue
			}
			if want[k][i] != h {
				o.missed++
			}
		}
	}
	for _, s := range statics {
		o := begin(s.Name())
		for k := range repeats {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			start := time.Now()
			tests := s.Hits(hit, t.places[k%2])
			o.add(start, tests)
			if s.Name() == (collision.AllBoxes{}).Name() {
				copy(want[k%2], hit)
			}
			judge(o, k%2)
		}
	}
	mesh := collision.NewMesh(l.mesh)
	o := begin(mesh.Name())
	for k := range repeats {
		start := time.Now()
		mesh.Place(t.places[k%2])
		for i := range hit {
			hit[i] = !mesh.Free(i)
		}
		o.add(start, n)
		judge(o, k%2)
	}
	s, err := l.set(t)
	if err != nil {
		return nil, nil, err
	}
	o = begin(presenceWay)
	for k := range repeats {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		start := time.Now()
		for i, at := range t.world[k%2] {
			p, err := s.Test(presence.Object{ID: presence.ID(i), At: at, Radius: t.radius[i], Height: objectHeight}, presence.ID(i))
			if err != nil {
				return nil, nil, err
			}
			hit[i] = !p.Free || p.Blocked
		}
		o.add(start, n)
		judge(o, k%2)
	}
	return outcomes, order, nil
}

// haleD runs an experiment of appendix D.5 on a level.
func haleD(ctx context.Context, opt Options, name string, b *blocks, static bool) (Report, error) {
	l, err := b.level(ctx, name)
	if err != nil {
		return Report{}, err
	}
	repeats := orDefault(opt.Worlds, haleRepeats)
	counts, run := movingCounts, l.dynamic
	if static {
		counts, run = staticCounts, l.still
	}
	regions := l.mesh.RegionCount()
	r := Report{
		Trials: fmt.Sprintf("%s: %d static objects, a PASFV mesh of %d regions; discs of %g to %g m at random, %d repeats",
			l.name, len(l.statics), regions, objectLeast, objectMost, repeats),
		Reasons: []Reason{
			{"published", "the figures are curves without numbers in the text that is to be had, and the levels were not published; the claims are the text's"},
			{"time_ms", "medians of the repeats on this machine, with the upkeep of the structure; tests, answers and misses are the same on every machine"},
			{"tests", "of two objects; a location in free space counts as one test"},
			{"wrong", "pairs that are missed, or objects with a wrong answer, a repeat; wrong_wide has wide objects among 1,000, ours"},
			{"mesh-published", "algorithms D.1 to D.4; presence is our way, where objects live in all regions that they touch"},
		},
		Shown: Shown{World: World{l.name, l.domain}, Methods: []string{pasfv}, Meshes: []*navmesh.Mesh{l.mesh}, Results: []metric.Result{l.result}},
	}
	times := map[string][]float64{}
	tests := map[string][]float64{}
	missed := map[string]float64{}
	rows := map[string][]Row{}
	for _, n := range counts {
		outcomes, order, err := run(ctx, n, repeats, 0)
		if err != nil {
			return Report{}, err
		}
		for _, method := range order {
			ms, made, lost := outcomes[method].means()
			times[method], tests[method] = append(times[method], ms), append(tests[method], made)
			missed[method] += lost
			for _, v := range [...]struct {
				name  string
				value float64
			}{{"time_ms", ms}, {"tests", made}, {"wrong", lost}} {
				rows[v.name] = append(rows[v.name], constructed(method, fmt.Sprintf("%s_%d", v.name, n), v.value))
			}
		}
	}
	outcomes, order, err := run(ctx, wideCount, min(repeats, 2), wideMost)
	if err != nil {
		return Report{}, err
	}
	wide := map[string]float64{}
	for _, method := range order {
		_, _, wide[method] = outcomes[method].means()
		rows["wrong"] = append(rows["wrong"], constructed(method, "wrong_wide", wide[method]))
	}
	for _, v := range []string{"time_ms", "tests", "wrong"} {
		r.Rows = append(r.Rows, rows[v]...)
	}
	below := func(of map[string][]float64, a, b string) bool {
		for i := range counts {
			if of[a][i] >= of[b][i] {
				return false
			}
		}
		return true
	}
	published := (&collision.Mesh{}).Name()
	if static {
		most := slices.Max(times[published])
		r.claim(fmt.Sprintf("time: the mesh as published takes less than %g ms for up to %d objects (at most %.2g ms here)", haleStaticMS, counts[len(counts)-1], most), most < haleStaticMS)
		most = slices.Max(times[presenceWay])
		r.claim(fmt.Sprintf("time: and presence too, which also tests the discs against the walls (at most %.2g ms)", most), most < haleStaticMS)
		for _, rival := range []string{"kd-tree", "spatial-hash", "all-pairs"} {
			r.claim("time: the mesh as published is faster than "+rival+" at every number", below(times, published, rival))
		}
		r.claim(fmt.Sprintf("an object in free space touches no static object (the centre alone says so of %.0f a repeat that do)", missed[published]/float64(len(counts))), missed[published] == 0)
		r.claim("presence finds exactly the objects that touch a static object", missed[presenceWay] == 0 && wide[presenceWay] == 0)
		return r, nil
	}
	r.claim(fmt.Sprintf("the mesh has about 25 regions (here %d)", regions), regions >= 20 && regions <= 30)
	for _, rival := range []string{"kd-tree", "all-pairs"} {
		r.claim("time: the mesh as published is faster than "+rival+" at every number", below(times, published, rival))
	}
	r.claim("work: and it makes fewer tests than all pairs at every number", below(tests, published, "all-pairs"))
	cross := true
	for i, n := range counts {
		cross = cross && (times[published][i] < times["spatial-hash"][i]) == (n <= haleCross)
	}
	r.claim(fmt.Sprintf("time: it is faster than the spatial hash up to %d objects, and slower beyond", haleCross), cross)
	fewest := true
	for _, rival := range []string{"all-pairs", "kd-tree", "spatial-hash", published} {
		fewest = fewest && below(tests, presenceWay, rival)
	}
	r.claim("work: presence makes fewer tests than all pairs, the k-d tree, the spatial hash and the mesh as published", fewest)
	r.claim("work: and fewer than a modern grid", below(tests, presenceWay, "grid"))
	r.claim("time: presence is faster than a modern grid", below(times, presenceWay, "grid"))
	r.claim(fmt.Sprintf("the mesh as published finds every pair (it misses %.1f of all)", missed[published]), missed[published] == 0)
	r.claim(fmt.Sprintf("and every pair of %d objects, of which every %dth has up to %g m (it misses %.0f)", wideCount, wideEvery, wideMost, wide[published]), wide[published] == 0)
	r.claim("presence finds every pair, wide objects too", missed[presenceWay] == 0 && wide[presenceWay] == 0)
	return r, nil
}

func haled3(ctx context.Context, opt Options) (Report, error) {
	return haleD(ctx, opt, "capture the flag", captureTheFlag(), false)
}

func haled4(ctx context.Context, opt Options) (Report, error) {
	return haleD(ctx, opt, "cityscape", cityscape(), false)
}

func haled5(ctx context.Context, opt Options) (Report, error) {
	return haleD(ctx, opt, "capture the flag", captureTheFlag(), true)
}

func haled6(ctx context.Context, opt Options) (Report, error) {
	return haleD(ctx, opt, "cityscape", cityscape(), true)
}
