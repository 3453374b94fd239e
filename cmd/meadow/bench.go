package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh/polyfile"
	"github.com/meadow-nav/meadow/query"
)

// benchCmd measures.
type benchCmd struct {
	Queries benchQueriesCmd `cmd:"" help:"Time path queries on a mesh."`
}

// benchQueriesCmd asks a mesh for many paths and says how long that takes.
type benchQueriesCmd struct {
	Mesh     string `arg:"" placeholder:"MESH" help:"Mesh file: Meadow's, or a polygon mesh of version 2 as the authors of Polyanya publish them."`
	Scenario string `placeholder:"FILE" help:"Starts and goals: a Moving AI scenario (default: random places, uniform by area, that a path joins)."`
	Count    int    `default:"10000" placeholder:"N" help:"Random pairs to ask for (default ${default})."`
	Seed     uint64 `default:"1" placeholder:"N" help:"Seed of the random pairs (default ${default})."`
	Rounds   int    `default:"5" placeholder:"N" help:"Times that every query is measured; its median counts (default ${default})."`
	Search   string `default:"path" enum:"path,astar" placeholder:"NAME" help:"path: the shortest path; astar: the shortest path through the regions that A* finds on the portals (default ${default})."`
	Prepare  string `default:"none" enum:"none,corners" placeholder:"NAME" help:"corners: precompute which corners of paths see each other, and their distances (default ${default})."`
	Surface  bool   `help:"Also time the floor between the bends of a path, which meadow path prints."`
	JSON     bool   `help:"Print the figures as JSON."`

	passFlags
}

// queriesReport is the output of --json. Lengths are horizontal, in metres.
type queriesReport struct {
	Queries   int     `json:"queries"`
	Found     int     `json:"found"`
	LengthSum float64 `json:"length_sum"`
	// CostSum is set only if it differs from the length, Ratios only for paths that may cost more than the cheapest.
	CostSum float64      `json:"cost_sum,omitempty"`
	Ratios  *ratios      `json:"ratio,omitempty"`
	Allocs  float64      `json:"allocs_per_query"`
	Micros  microseconds `json:"us"`
	Classes []pathClass  `json:"classes"`
	// Prepared is set if --prepare asks for something.
	Prepared *prepared `json:"prepared,omitempty"`
}

// prepared holds times and sizes of a preparation.
type prepared struct {
	Name    string  `json:"name"`
	Index   float64 `json:"index_s"` // making the index
	Seconds float64 `json:"seconds"`
	Bytes   int     `json:"bytes"`
	Corners int     `json:"corners"`
	Edges   int     `json:"edges"`
	Labels  int     `json:"labels"`
	Steps   int     `json:"steps"`
	Sights  int     `json:"sights"`
	Bounds  int     `json:"bounds,omitempty"` // over ground of different costs
	Table   bool    `json:"table"`
}

// ratios say how many times the least, at most, paths cost.
type ratios struct {
	Mean  float64 `json:"mean"`
	Worst float64 `json:"worst"`
}

// microseconds are the times of single queries.
type microseconds struct {
	P50  float64 `json:"p50"`
	Mean float64 `json:"mean"`
	P99  float64 `json:"p99"`
}

// pathClass is a fifth of the paths that were found, by their length.
type pathClass struct {
	From    float64      `json:"from_m"`
	To      float64      `json:"to_m"`
	Queries int          `json:"queries"`
	Micros  microseconds `json:"us"`
}

// pathClasses is the number of classes.
const pathClasses = 5

// asked is a query with its result.
type asked struct {
	start, goal geom.Vec
	found       bool
	length      float64
	micros      float64
}

// Run reads or draws the queries, runs them and prints.
func (c *benchQueriesCmd) Run(e *env) error {
	switch {
	case c.Count < 1:
		return fmt.Errorf("--count is %d, must be 1 or more", c.Count)
	case c.Rounds < 1:
		return fmt.Errorf("--rounds is %d, must be 1 or more", c.Rounds)
	}
	mesh, err := e.loadMesh(c.Mesh)
	if err != nil {
		return err
	}
	if mesh, err = c.widened(e.ctx, mesh); err != nil {
		return inFile(c.Mesh, err)
	}
	begin := time.Now()
	_, ix, err := c.query(e.ctx, mesh)
	if err != nil {
		return inFile(c.Mesh, err)
	}
	made, ix, err := c.prepare(e.ctx, ix, time.Since(begin))
	if err != nil {
		return inFile(c.Mesh, err)
	}
	q := ix.NewQuery()
	q.Epsilon = float64(c.Epsilon)
	var all []asked
	if c.Scenario != "" {
		polygons, err := isPolygonMesh(c.Mesh)
		if err != nil {
			return err
		}
		if all, err = readScenario(c.Scenario, polygons); err != nil {
			return err
		}
	} else if all, err = c.draw(e.ctx, q); err != nil {
		return inFile(c.Mesh, err)
	}
	r, err := c.measure(e.ctx, q, all)
	if err != nil {
		return inFile(c.Mesh, err)
	}
	r.Prepared = made
	if c.JSON {
		return writeJSON(e.stdout, r)
	}
	printQueries(e.stdout, r)
	return nil
}

// prepare makes the preparation of --prepare.
func (c *benchQueriesCmd) prepare(ctx context.Context, ix *query.Index, indexed time.Duration) (*prepared, *query.Index, error) {
	if c.Prepare == "none" {
		return nil, ix, nil
	}
	made := &prepared{Name: c.Prepare, Index: round4(indexed.Seconds())}
	begin := time.Now()
	ix, err := ix.Prepare(ctx)
	if err != nil {
		return nil, nil, err
	}
	made.Seconds = round4(time.Since(begin).Seconds())
	p, _ := ix.Prepared()
	made.Bytes, made.Corners, made.Edges, made.Labels, made.Steps, made.Sights, made.Bounds, made.Table = p.Bytes, p.Corners, p.Edges, p.Labels, p.Steps, p.Sights, p.Bounds, p.Table
	return made, ix, nil
}

// draw draws connected pairs of places. On a mesh of many parts most pairs are not joined; how many are drawn
// is bounded.
func (c *benchQueriesCmd) draw(ctx context.Context, q *query.Query) ([]asked, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 1))
	var all []asked
	for range 1000 * c.Count {
		from, ok := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		if !ok {
			return nil, errors.New("the mesh has no area")
		}
		path, err := q.Path(ctx, from.Point, to.Point)
		if err != nil {
			return nil, err
		}
		if path.Complete {
			if all = append(all, asked{start: from.Point, goal: to.Point}); len(all) == c.Count {
				return all, nil
			}
		}
	}
	return nil, fmt.Errorf("only %d of %d random pairs of places are connected", len(all), 1000*c.Count)
}

// measure asks all queries, round after round.
func (c *benchQueriesCmd) measure(ctx context.Context, q *query.Query, all []asked) (queriesReport, error) {
	search := q.Path
	if c.Search == "astar" {
		search = q.AStarPath
	}
	find := func(ctx context.Context, start, goal geom.Vec) (query.Path, error) {
		path, err := search(ctx, start, goal)
		if c.Surface {
			path.Surface()
		}
		return path, err
	}
	r := queriesReport{Queries: len(all), Classes: []pathClass{}}
	costs, ratio := 0.0, ratios{Worst: 1}
	for i := range all {
		a := &all[i]
		path, err := find(ctx, a.start, a.goal)
		switch {
		case errors.Is(err, query.ErrOffMesh):
		case err != nil:
			return r, err
		case path.Complete:
			a.found, a.length = true, path.Length
			r.Found++
			r.LengthSum += path.Length
			costs += path.Cost
			if path.LowerBound > 0 || path.Cost == 0 {
				ratio.Mean += path.Ratio()
				ratio.Worst = max(ratio.Worst, path.Ratio())
			}
		}
	}
	if costs != r.LengthSum {
		r.CostSum = costs
	}
	if ratio.Worst > 1 {
		ratio.Mean /= float64(r.Found)
		r.Ratios = &ratio
	}
	times := make([][]float64, len(all))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range all {
		if _, err := find(ctx, all[i].start, all[i].goal); err != nil && ctx.Err() != nil {
			return r, ctx.Err()
		}
	}
	runtime.ReadMemStats(&after)
	r.Allocs = round4(float64(after.Mallocs-before.Mallocs) / float64(len(all)))
	for range c.Rounds {
		for i := range all {
			a := &all[i]
			begin := time.Now()
			_, err := find(ctx, a.start, a.goal)
			took := time.Since(begin)
			if err != nil && ctx.Err() != nil {
				return r, ctx.Err()
			}
			times[i] = append(times[i], float64(took.Nanoseconds())/1e3)
		}
	}
	for i := range all {
		slices.Sort(times[i])
		all[i].micros = times[i][len(times[i])/2]
	}
	r.Micros = microsecondsOf(all)
	r.Classes = classesOf(all)
	return r, nil
}

func microsecondsOf(all []asked) microseconds {
	if len(all) == 0 {
		return microseconds{}
	}
	sum := 0.0
	us := make([]float64, len(all))
	for i, a := range all {
		us[i] = a.micros
		sum += a.micros
	}
	slices.Sort(us)
	at := func(part float64) float64 { return round4(us[min(int(part*float64(len(us))), len(us)-1)]) }
	return microseconds{at(0.5), round4(sum / float64(len(us))), at(0.99)}
}

// classesOf divides the found paths into fifths by length.
func classesOf(all []asked) []pathClass {
	found := slices.DeleteFunc(slices.Clone(all), func(a asked) bool { return !a.found })
	slices.SortStableFunc(found, func(a, b asked) int {
		switch {
		case a.length < b.length:
			return -1
		case a.length > b.length:
			return 1
		}
		return 0
	})
	classes := []pathClass{}
	for k := range pathClasses {
		part := found[k*len(found)/pathClasses : (k+1)*len(found)/pathClasses]
		if len(part) > 0 {
			classes = append(classes, pathClass{round4(part[0].length), round4(part[len(part)-1].length), len(part), microsecondsOf(part)})
		}
	}
	return classes
}

func printQueries(w io.Writer, r queriesReport) {
	fmt.Fprintf(w, "%s, %d found, %.4f m in all, %.2f allocations a query\n", fmt.Sprintf("%d queries", r.Queries), r.Found, r.LengthSum, r.Allocs)
	if r.CostSum > 0 {
		fmt.Fprintf(w, "they cost %.4f", r.CostSum)
		if r.Ratios != nil {
			fmt.Fprintf(w, ", at most %.4f times the least on average and %.4f at worst", r.Ratios.Mean, r.Ratios.Worst)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%24s %8s %10s %10s %10s\n", "length, m", "queries", "median µs", "mean µs", "99 % µs")
	row := func(name string, n int, m microseconds) {
		fmt.Fprintf(w, "%24s %8d %10.2f %10.2f %10.2f\n", name, n, m.P50, m.Mean, m.P99)
	}
	for _, c := range r.Classes {
		row(fmt.Sprintf("%.1f to %.1f", c.From, c.To), c.Queries, c.Micros)
	}
	row("all", r.Queries, r.Micros)
	switch p := r.Prepared; {
	case p == nil:
	case p.Bounds > 0:
		fmt.Fprintf(w, "prepared %s: %.3f s, %d bytes for %d bounds\n", p.Name, p.Seconds, p.Bytes, p.Bounds)
	default:
		fmt.Fprintf(w, "prepared %s: %.3f s, %d bytes for %d corners, %d edges, %d labels, %d steps and %d sights, table: %v\n", p.Name, p.Seconds, p.Bytes, p.Corners, p.Edges, p.Labels, p.Steps, p.Sights, p.Table)
	}
}

// isPolygonMesh reports whether a mesh file is a polygon mesh in text.
func isPolygonMesh(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	start := make([]byte, 64)
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, err
	}
	return polyfile.IsMesh(start[:n]), nil
}

// readScenario reads the starts and goals of a Moving AI scenario. On polygon meshes the places are points, y
// to the north; on grids they are cells, taken in their middle, rows to the south.
func readScenario(path string, points bool) ([]asked, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var all []asked
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || n == 1 && strings.HasPrefix(text, "version") {
			continue
		}
		fields := strings.Fields(text)
		if len(fields) != 9 {
			return nil, fmt.Errorf("%s: line %d: %d fields, a scenario has 9: bucket, map, width, height, start x, y, goal x, y, length", path, n, len(fields))
		}
		var v [4]float64
		for k := range v {
			if v[k], err = parseNumber(fields[4+k]); err != nil {
				return nil, fmt.Errorf("%s: line %d: field %d: %w", path, n, 5+k, err)
			}
		}
		at := func(x, y float64) geom.Vec {
			if points {
				return geom.FromGround(x, y, 0)
			}
			return geom.FromGround(x+0.5, -y-0.5, 0)
		}
		all = append(all, asked{start: at(v[0], v[1]), goal: at(v[2], v[3])})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no scenario", path)
	}
	return all, nil
}
