//go:build peers

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
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

// Queries is a level with both sides' times of queries besides paths; lab/bench/paths compares paths.
type Queries struct {
	Name   string `json:"name"`
	Pairs  int    `json:"pairs"` // both ends of which both meshes have
	Others []OtherQuery
}

// OtherQuery is a query with the times of both.
type OtherQuery struct {
	Name         string
	Theirs, Ours Micros
}

// detourEnds are the ends of a pair on the peer's mesh.
type detourEnds struct {
	Found bool       `json:"found"`
	Start [3]float64 `json:"start"`
	Goal  [3]float64 `json:"goal"`
}

// detourQueries is the program's report on all pairs.
type detourQueries struct {
	Ends    []detourEnds `json:"ends"`
	Nearest Micros       `json:"nearest"`
	Raycast Micros       `json:"raycast"`
	Move    Micros       `json:"move"`
	// The same with the height of the floor where they end.
	RaycastFloor Micros `json:"raycast_floor"`
	MoveFloor    Micros `json:"move_floor"`
	Wall         Micros `json:"wall"`
	Random       Micros `json:"random"`
}

// measureQueries asks both meshes of a level the same questions, each on its own mesh and from the places that the peer has
// put the ends to.
func measureQueries(ctx context.Context, name string, lvl *level.Level, path string, s settings, pairs int, log io.Writer) (Queries, error) {
	out := Queries{Name: name}
	opt := meadow.FloorOptions{Agent: s.agent, KeepArea: smallestPart}
	mesh, err := meadow.BuildWith(ctx, lvl, opt, meadow.MeshOptions{})
	if err != nil {
		return out, err
	}
	q := mesh.NewQuery()
	asked, err := drawPairs(ctx, q, 2*pairs)
	if err != nil {
		return out, fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(log, "%s: %d queries\n", name, len(asked))
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
	return out, out.measure(q, asked, &rep.Queries, pairs)
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
func (out *Queries) measure(q *query.Query, asked [][2]geom.Vec, theirs *detourQueries, most int) error {
	rng := rand.New(rand.NewPCG(3, 4))
	times := map[string][]float64{}
	vec := func(p [3]float64) geom.Vec { return geom.Vec{X: p[0], Y: p[1], Z: p[2]} }
	for i, p := range theirs.Ends {
		if out.Pairs == most {
			break
		}
		var found bool
		times["nearest"] = append(times["nearest"], timed(func() { _, found = q.Nearest(asked[i][0], lookAround) }))
		if !p.Found || !found {
			continue
		}
		start, ok := q.Nearest(vec(p.Start), lookAround)
		if !ok {
			continue
		}
		out.Pairs++
		var err error
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
	row := table(b, "Queries besides paths, µs: median / mean / 99 %", "level", "pairs", "query", "Detour", "Meadow", "Meadow / Detour")
	for _, l := range res.Queries {
		for _, o := range l.Others {
			row(l.Name, fmt.Sprint(l.Pairs), o.Name, three(o.Theirs), three(o.Ours), ratio(o.Ours, o.Theirs))
		}
	}
}
