package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/worldcheck"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
	worldscript "github.com/meadow-nav/meadow/world/script"
)

// maxBench is the greatest number of changes to measure.
const maxBench = 10_000_000

// changesReport is the output of --bench with --json. Regions are counted with everything that stands at the end, and in
// a world made anew with the same things.
type changesReport struct {
	Changes     int       `json:"changes"`
	In          latencies `json:"in"`
	Out         latencies `json:"out"`
	Move        latencies `json:"move"`
	Door        latencies `json:"door"`
	Faults      int       `json:"faults"`
	Regions     int       `json:"regions"`
	RegionsAnew int       `json:"regions_anew"`
}

// latencies are times of changes, each with the first path beside it; null where no change of the sort was made.
type latencies struct {
	P50 *float64 `json:"p50_us"`
	P99 *float64 `json:"p99_us"`
}

// The obstacle that comes and goes: an upright cylinder, as large as those that dtTileCache is measured with.
const (
	benchRadius = 1.0 // metres
	benchHeight = 2.0
	benchSunk   = 0.5 // how far the cylinder is below the floor of its place
)

// benchStanding is the number of obstacles that stand during a measurement.
const benchStanding = 20

// benchChecks is the number of times that the laws are checked during a measurement, besides the end.
const benchChecks = 4

// worldBench is a measurement.
type worldBench struct {
	w     *world.World
	rng   *rand.Rand
	floor *query.Query // of the base
	q     *query.Query // of the latest snapshot
	agent geom.Agent
	doors []string

	standing []world.ID
	at       map[world.ID]geom.Vec
	count    int
	shut     map[string]bool
	times    map[string][]float64 // microseconds, by "in", "out", "move", "door"
}

// bench makes random changes and prints how long they take.
func (c *worldCmd) bench(e *env, base *navmesh.Mesh, opt world.Options, w *world.World) error {
	b := &worldBench{
		w: w, rng: rand.New(rand.NewPCG(c.Seed, 2)), floor: query.NewIndex(base).NewQuery(), q: w.Now().NewQuery(), agent: base.Agent,
		doors: marksCalled(base), at: map[world.ID]geom.Vec{}, shut: map[string]bool{}, times: map[string][]float64{},
	}
	if _, ok := b.floor.RandomPoint(b.rng); !ok {
		return fmt.Errorf("%s: the mesh has no area", c.Input)
	}
	laws, err := worldcheck.New(e.ctx, base, opt, c.Seed)
	if err != nil {
		return inFile(c.Input, err)
	}
	bar := newProgress(e.stderr)
	defer bar.stop()
	r := changesReport{Changes: c.Bench}
	var first error
	check := func() error {
		faults, err := laws.Check(e.ctx, w.Now(), true)
		r.Faults += len(faults)
		if len(faults) > 0 && first == nil {
			first = faults[0]
		}
		return err
	}
	for i := range c.Bench {
		if err := b.change(e.ctx); err != nil {
			return inFile(c.Input, err)
		}
		if (i+1)%max(1, c.Bench/(benchChecks+1)) == 0 || i == c.Bench-1 {
			if err := check(); err != nil {
				return inFile(c.Input, err)
			}
		}
		if i%100 == 0 {
			bar.tell("changes", i, c.Bench)
		}
	}
	bar.stop()
	anew, err := worldscript.Anew(e.ctx, base, opt, w.Now())
	if err != nil {
		return inFile(c.Input, err)
	}
	r.In, r.Out, r.Move, r.Door = latenciesOf(b.times["in"]), latenciesOf(b.times["out"]), latenciesOf(b.times["move"]), latenciesOf(b.times["door"])
	r.Regions, r.RegionsAnew = w.Now().Mesh().RegionCount(), anew.Now().Mesh().RegionCount()
	if c.JSON {
		err = writeJSON(e.stdout, r)
	} else {
		printChanges(e.stdout, r)
	}
	if first != nil && err == nil {
		err = no("%s: %s: %w", c.Input, count(r.Faults, "fault"), first)
	}
	return err
}

// change makes one change and measures it with the first path beside it.
func (b *worldBench) change(ctx context.Context) error {
	sort := [...]string{"in", "out", "move", "door"}[b.rng.IntN(4)]
	if sort == "door" && len(b.doors) == 0 {
		sort = "move"
	}
	switch {
	case len(b.standing) == 0:
		sort = "in"
	case sort == "in" && len(b.standing) >= benchStanding:
		sort = "out"
	}
	var edit world.Edit
	var at geom.Vec
	switch sort {
	case "in":
		b.count++
		id := world.ID(fmt.Sprintf("crate%d", b.count))
		place, _ := b.floor.RandomPoint(b.rng)
		at = place.Point
		b.standing, b.at[id] = append(b.standing, id), at
		edit = world.Put{ID: id, Solid: crate(at)}
	case "out":
		i := b.rng.IntN(len(b.standing))
		id := b.standing[i]
		at = b.at[id]
		b.standing = slices.Delete(b.standing, i, i+1)
		delete(b.at, id)
		edit = world.Take{ID: id}
	case "move":
		id := b.standing[b.rng.IntN(len(b.standing))]
		at = b.at[id].Add(turn(geom.Vec{X: 2 * benchRadius}, 2*math.Pi*b.rng.Float64()))
		if place, ok := b.floor.Nearest(at, 2*benchRadius); ok {
			at = place.Point
		}
		b.at[id] = at
		edit = world.Move{ID: id, Solid: crate(at)}
	case "door":
		name := b.doors[b.rng.IntN(len(b.doors))]
		place, _ := b.floor.RandomPoint(b.rng)
		at = place.Point
		if b.shut[name] = !b.shut[name]; b.shut[name] {
			edit = world.Close{Mark: name}
		} else {
			edit = world.Open{Mark: name}
		}
	}
	// The path leads past the obstacle from one side to the other.
	aside := turn(geom.Vec{X: benchRadius + b.agent.Radius + 0.5}, 2*math.Pi*b.rng.Float64())
	ends := [2]geom.Vec{at.Add(aside), at.Sub(aside)}
	for i, end := range ends {
		if place, ok := b.floor.Nearest(end, math.Inf(1)); ok {
			ends[i] = place.Point
		}
	}
	begin := time.Now()
	if _, err := b.w.Apply(ctx, edit); err != nil {
		return err
	}
	b.q.Use(b.w.Now().Index())
	_, err := b.q.Path(ctx, ends[0], ends[1])
	took := time.Since(begin)
	if err != nil && !errors.Is(err, query.ErrOffMesh) { // another obstacle may stand at an end
		return err
	}
	b.times[sort] = append(b.times[sort], float64(took.Nanoseconds())/1e3)
	return nil
}

// crate returns the obstacle at a place.
func crate(at geom.Vec) world.Solid {
	return world.Cylinder{Base: at.Sub(geom.Vec{Y: benchSunk}), Radius: benchRadius, Height: benchHeight}
}

func latenciesOf(us []float64) latencies {
	if len(us) == 0 {
		return latencies{}
	}
	slices.Sort(us)
	at := func(part float64) *float64 {
		v := round4(us[min(int(part*float64(len(us))), len(us)-1)])
		return &v
	}
	return latencies{at(0.5), at(0.99)}
}

func printChanges(w io.Writer, r changesReport) {
	fmt.Fprintf(w, "%s, %s, %s, %d made anew\n", count(r.Changes, "change"), count(r.Faults, "fault"), count(r.Regions, "region"), r.RegionsAnew)
	fmt.Fprintf(w, "%24s %10s %10s\n", "with the first path", "median µs", "99 % µs")
	for _, row := range []struct {
		name string
		l    latencies
	}{{"obstacle in", r.In}, {"obstacle out", r.Out}, {"obstacle moved", r.Move}, {"door", r.Door}} {
		if row.l.P50 != nil {
			fmt.Fprintf(w, "%24s %10.2f %10.2f\n", row.name, *row.l.P50, *row.l.P99)
		}
	}
}
