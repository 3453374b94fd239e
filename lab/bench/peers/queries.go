//go:build peers

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// Every call is made this often in a row and the time divided, on both sides: a clock costs as much as
// the fastest queries.
const queryRepeats = 8

// lookAround is how far both sides look for the floor near a place, in metres, and wallReach for walls;
// stepLength is how far movers go.
const (
	lookAround = 2
	wallReach  = 10
	stepLength = 2
)

// Micros are the times of single queries in microseconds.
type Micros struct {
	P50  float64 `json:"p50"`
	Mean float64 `json:"mean"`
	P99  float64 `json:"p99"`
}

// Queries is a level with both sides' times. Lengths are horizontal.
type Queries struct {
	Name  string `json:"name"`
	Pairs int    `json:"pairs"` // that both join
	// Theirs and Ours are the paths: the corridor with its straight path, and the shortest path; Prepared are
	// ours from an Index that Index.Prepare has made.
	Theirs, Ours, Prepared   Micros
	TheirLength, OurLength   float64 // sums, metres
	Longer                   int     // paths of ours that are longer than theirs
	OnOurFloor               int     // of these, where theirs keeps to our floor
	LongestExcess            float64 // by how much at most, metres
	OurRegions, TheirRegions int
	// Times of NewIndex and Prepare in milliseconds, and the memory that Prepare adds to the Index.
	IndexMillis, PrepareMillis float64
	PrepareBytes               int
	Others                     []OtherQuery
}

// OtherQuery is a query besides paths.
type OtherQuery struct {
	Name         string
	Theirs, Ours Micros
}

// detourPair is a pair as the program reports it.
type detourPair struct {
	Found  bool       `json:"found"`
	Micros float64    `json:"us"`
	Length float64    `json:"m"`
	Start  [3]float64 `json:"start"`
	Goal   [3]float64 `json:"goal"`
	// Corners are those of the straight path, x, y, z after each other.
	Corners []float64 `json:"corners"`
}

// detourQueries is the program's report on all pairs.
type detourQueries struct {
	Pairs   []detourPair `json:"pairs"`
	Nearest Micros       `json:"nearest"`
	Raycast Micros       `json:"raycast"`
	Move    Micros       `json:"move"`
	// The same with the height of the floor where they end.
	RaycastFloor Micros `json:"raycast_floor"`
	MoveFloor    Micros `json:"move_floor"`
	Wall         Micros `json:"wall"`
	Random       Micros `json:"random"`
}

// measureQueries asks both meshes of a level for the same paths, each on its own mesh and from the places that
// the peer has put the ends to.
func measureQueries(ctx context.Context, path string, s settings, log io.Writer) (Queries, error) {
	out := Queries{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	lvl, err := readLevel(path)
	if err != nil {
		return out, err
	}
	opt := meadow.FloorOptions{Agent: s.agent, KeepArea: smallestPart}
	mesh, err := meadow.BuildWith(ctx, lvl, opt, meadow.MeshOptions{})
	if err != nil {
		return out, err
	}
	begin := time.Now()
	ix := mesh.Index()
	out.IndexMillis = float64(time.Since(begin).Microseconds()) / 1e3
	begin = time.Now()
	prepared, err := ix.Prepare(ctx)
	if err != nil {
		return out, err
	}
	out.PrepareMillis = float64(time.Since(begin).Microseconds()) / 1e3
	made, _ := prepared.Prepared()
	out.PrepareBytes = made.Bytes
	q, fast := ix.NewQuery(), prepared.NewQuery()
	q.OnlyBends, fast.OnlyBends = true, true // as findStraightPath does
	asked, err := drawPairs(ctx, q, 2*s.pairs)
	if err != nil {
		return out, fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(log, "%s: %d queries\n", filepath.Base(path), len(asked))
	file, err := os.CreateTemp("", "pairs")
	if err != nil {
		return out, err
	}
	defer os.Remove(file.Name())
	var text bytes.Buffer
	for _, p := range asked {
		fmt.Fprintf(&text, "%.9g %.9g %.9g %.9g %.9g %.9g\n", p[0].X, p[0].Y, p[0].Z, p[1].X, p[1].Y, p[1].Z)
	}
	if _, err := file.Write(text.Bytes()); err != nil {
		return out, err
	}
	if err := file.Close(); err != nil {
		return out, err
	}
	peer := recast{program: s.recast, level: path, agent: s.agent, grid: demoGrid, runs: 1, queries: file.Name()}
	rep, err := peer.report(ctx)
	if err != nil {
		return out, err
	}
	out.OurRegions, out.TheirRegions = mesh.RegionCount(), rep.All.Polys
	return out, out.measure(ctx, q, fast, asked, &rep.Queries, s.pairs)
}

// drawPairs draws pairs of places that a path of ours joins, the start moved by up to a metre.
func drawPairs(ctx context.Context, q *query.Query, count int) ([][2]geom.Vec, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	var pairs [][2]geom.Vec
	for range 100 * count {
		from, ok := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		if !ok {
			break
		}
		path, err := q.PathBetween(ctx, from, to)
		if err != nil {
			return nil, err
		}
		if path.Complete {
			start := from.Point
			start.X += 2*rng.Float64() - 1
			start.Z += 2*rng.Float64() - 1
			if pairs = append(pairs, [2]geom.Vec{start, to.Point}); len(pairs) == count {
				return pairs, nil
			}
		}
	}
	return nil, fmt.Errorf("only %d pairs of places are joined", len(pairs))
}

// measure runs the peer's queries on our mesh, and compares.
func (out *Queries) measure(ctx context.Context, q, fast *query.Query, asked [][2]geom.Vec, theirs *detourQueries, most int) error {
	rng := rand.New(rand.NewPCG(3, 4))
	var paths, peers, prepared []float64
	times := map[string][]float64{}
	vec := func(p [3]float64) geom.Vec { return geom.Vec{X: p[0], Y: p[1], Z: p[2]} }
	for i, p := range theirs.Pairs {
		if len(paths) == most {
			break
		}
		var found bool
		times["nearest"] = append(times["nearest"], timed(func() { _, found = q.Nearest(asked[i][0], lookAround) }))
		if !p.Found || !found {
			continue
		}
		// From start to end of the peer's path, so that lengths are comparable.
		start, ok1 := q.Nearest(vec(p.Start), lookAround)
		goal, ok2 := q.Nearest(vec(p.Goal), lookAround)
		if !ok1 || !ok2 {
			continue
		}
		var path query.Path
		var err error
		took := timed(func() { path, err = q.PathBetween(ctx, start, goal) })
		if err != nil {
			return err
		}
		if !path.Complete {
			continue
		}
		length := path.Length
		sooner := timed(func() { path, err = fast.PathBetween(ctx, start, goal) })
		if err != nil {
			return err
		}
		if math.Abs(path.Length-length) > 1e-9*(1+length) {
			return fmt.Errorf("from %v to %v: %v m prepared, else %v m", start, goal, path.Length, length)
		}
		paths, peers, prepared = append(paths, took), append(peers, p.Micros), append(prepared, sooner)
		out.OurLength += path.Length
		out.TheirLength += p.Length
		// The ends may have moved on the way to our mesh.
		moved := flatDistance(start.Point, vec(p.Start)) + flatDistance(goal.Point, vec(p.Goal))
		if excess := path.Length - p.Length - moved; excess > 1e-3 {
			out.Longer++
			out.LongestExcess = max(out.LongestExcess, excess)
			keeps, err := keepsTo(q, start, p.Corners)
			if err != nil {
				return err
			}
			if keeps {
				out.OnOurFloor++
			}
		}
		target := asked[i][1]
		step := target.Sub(start.Point)
		step.Y = 0
		step = start.Point.Add(step.Scale(stepLength / max(step.Norm(), 1e-6)))
		times["raycast, floor"] = append(times["raycast, floor"], timed(func() { _, err = q.Raycast(start, target) }))
		times["move, floor"] = append(times["move, floor"], timed(func() { _, err = q.MoveAlongSurface(start, step) }))
		q.Flat = true // as Detour leaves the floor to another call
		times["raycast"] = append(times["raycast"], timed(func() { _, err = q.Raycast(start, target) }))
		times["move"] = append(times["move"], timed(func() { _, err = q.MoveAlongSurface(start, step) }))
		times["wall"] = append(times["wall"], timed(func() { _, err = q.DistanceToWall(start, wallReach) }))
		q.Flat = false
		times["random"] = append(times["random"], timed(func() { q.RandomPoint(rng) }))
		if err != nil {
			return err
		}
	}
	out.Pairs, out.Ours, out.Prepared, out.Theirs = len(paths), microsOf(paths), microsOf(prepared), microsOf(peers)
	out.Others = []OtherQuery{
		{"nearest", theirs.Nearest, microsOf(times["nearest"])},
		{"raycast", theirs.Raycast, microsOf(times["raycast"])},
		{"raycast, and the floor there", theirs.RaycastFloor, microsOf(times["raycast, floor"])},
		{"move along surface", theirs.Move, microsOf(times["move"])},
		{"move along surface, and the floor there", theirs.MoveFloor, microsOf(times["move, floor"])},
		{"distance to wall", theirs.Wall, microsOf(times["wall"])},
		{"random point", theirs.Random, microsOf(times["random"])},
	}
	return nil
}

// keepsTo reports whether one can go straight from corner to corner on our floor.
func keepsTo(q *query.Query, at query.Position, corners []float64) (bool, error) {
	for i := 3; i+2 < len(corners); i += 3 {
		ray, err := q.Raycast(at, geom.Vec{X: corners[i], Y: corners[i+1], Z: corners[i+2]})
		if err != nil || ray.Hit {
			return false, err
		}
		at = ray.End
	}
	return true, nil
}

func flatDistance(a, b geom.Vec) float64 {
	d := a.Sub(b)
	d.Y = 0
	return d.Norm()
}

// timed returns the time of a call in microseconds.
func timed(call func()) float64 {
	begin := time.Now()
	for range queryRepeats {
		call()
	}
	return float64(time.Since(begin).Nanoseconds()) / 1e3 / queryRepeats
}

func microsOf(us []float64) Micros {
	if len(us) == 0 {
		return Micros{}
	}
	us = slices.Sorted(slices.Values(us))
	sum := 0.0
	for _, t := range us {
		sum += t
	}
	n := len(us)
	return Micros{us[n/2], sum / float64(n), us[min(n-1, n*99/100)]}
}

// queryTables prints the queries and their results.
func (res *Results) queryTables(b *strings.Builder) {
	three := func(m Micros) string {
		return fmt.Sprintf("%s / %s / %s", digits(m.P50), digits(m.Mean), digits(m.P99))
	}
	ratio := func(ours, theirs Micros) string {
		return fmt.Sprintf("%.2f / %.2f / %.2f", ours.P50/theirs.P50, ours.Mean/theirs.Mean, ours.P99/theirs.P99)
	}
	row := table(b, "Paths, µs: median / mean / 99 %", "level", "polygons, regions", "pairs", "Detour: findPath and findStraightPath",
		"Meadow: the shortest path", "Meadow / Detour", "length, Meadow / Detour", "longer ones", "by at most, m", "where Detour's keeps to the floor")
	for _, l := range res.Queries {
		row(l.Name, fmt.Sprintf("%d, %d", l.TheirRegions, l.OurRegions), fmt.Sprint(l.Pairs), three(l.Theirs), three(l.Ours), ratio(l.Ours, l.Theirs),
			fmt.Sprintf("%.5f", l.OurLength/l.TheirLength), fmt.Sprint(l.Longer), fmt.Sprintf("%.3f", l.LongestExcess), fmt.Sprint(l.OnOurFloor))
	}
	row = table(b, "Paths prepared, µs: median / mean / 99 %", "level", "Meadow, prepared", "prepared / Detour", "NewIndex, ms", "Prepare, ms", "bytes")
	for _, l := range res.Queries {
		row(l.Name, three(l.Prepared), ratio(l.Prepared, l.Theirs), digits(l.IndexMillis), digits(l.PrepareMillis), fmt.Sprint(l.PrepareBytes))
	}
	row = table(b, "Other queries, µs: median / mean / 99 %", "level", "query", "Detour", "Meadow", "Meadow / Detour")
	for _, l := range res.Queries {
		for _, o := range l.Others {
			row(l.Name, o.Name, three(o.Theirs), three(o.Ours), ratio(o.Ours, o.Theirs))
		}
	}
}
