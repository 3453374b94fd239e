package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/footing"
	"github.com/meadow-nav/meadow/lab/internal/scenes"
	"github.com/meadow-nav/meadow/query"
)

// smallestPart is the area of the smallest part that Recast keeps with the demo's settings, in square metres: 8 × 8 cells.
const smallestPart = 64 * 0.3 * 0.3

// lookAround is how far both sides look for the floor near a place, in metres.
const lookAround = 2

// slack is the length by which a path may exceed a shorter one before the judge looks, in metres: the peer rounds to float32.
const slack = 1e-3

// Level is a level with everybody's figures.
type Level struct {
	Name      string `json:"name"`
	Triangles int    `json:"triangles"`
	Failed    string `json:"failed,omitempty"` // the reason why all other fields are empty
	Regions   int    `json:"regions"`
	Pairs     int    `json:"pairs"` // that everybody joins
	// IndexMS and PrepareMS are the times of NewIndex and Prepare in milliseconds.
	IndexMS   float64           `json:"index_ms"`
	PrepareMS float64           `json:"prepare_ms"`
	Prepared  query.Preparation `json:"prepared"`
	// Unprepared is the reason why Prepare refuses the level.
	Unprepared string `json:"unprepared,omitempty"`
	Meadow     Times  `json:"meadow"`
	Ready      Micros `json:"meadow_prepared"` // as Between, after Prepare
	Solo       Peer   `json:"detour"`
	Tiled      Peer   `json:"detour_tiled"`
	Judged     Judged `json:"judged"`
}

// Times are the times of one system.
type Times struct {
	Between Micros `json:"between"` // the regions of both ends known
	Whole   Micros `json:"whole"`   // with the search for both regions
	Cold    Micros `json:"cold"`    // as Between, caches cold
}

// Peer is a mesh of the peer.
type Peer struct {
	Failed string `json:"failed,omitempty"` // the reason why all other fields are empty
	Polys  int    `json:"polys"`
	Times
}

// Micros are times of single calls in microseconds, over pairs; the time of a pair is its median over rounds.
type Micros struct {
	P50  float64 `json:"p50"`
	Mean float64 `json:"mean"`
	P99  float64 `json:"p99"`
}

// Judged is the verdict on Meadow's paths.
type Judged struct {
	// OurLength and TheirLength are sums in metres. Longer counts the paths longer than the peer's, OnOurFloor those of them whose
	// rival keeps to Meadow's floor, which must be none.
	OurLength   float64 `json:"our_m"`
	TheirLength float64 `json:"their_m"`
	Longer      int     `json:"longer"`
	OnOurFloor  int     `json:"on_our_floor"`
	// Off and Bridged are the worst of all paths, in metres, see [footing.Report].
	Off     float64 `json:"off_m"`
	Bridged float64 `json:"bridged_m"`
	// Unequal counts the paths whose length differs from the length of the prepared search.
	Unequal int `json:"unequal"`
}

// measure measures a level.
func (s settings) measure(ctx context.Context, sc scenes.Scene, dir string) (Level, error) {
	l := Level{Name: sc.Name}
	lvl, file, err := sc.Open()
	if err != nil {
		return l, err
	}
	if sc.Radius > 0 {
		s.agent.Radius = sc.Radius
	}
	if sc.Height > 0 {
		s.agent.Height = sc.Height
	}
	l.Triangles = len(lvl.Triangles)
	lvl.Markers = nil // links and doors, which the peer's mesh does not have
	mesh, err := meadow.BuildWith(ctx, lvl, meadow.FloorOptions{Agent: s.agent, KeepArea: smallestPart}, meadow.MeshOptions{})
	if err != nil {
		l.Failed = err.Error()
		return l, ctx.Err()
	}
	l.Regions = mesh.RegionCount()
	begin := time.Now()
	ix := query.NewIndex(mesh.Mesh)
	l.IndexMS = millis(begin)
	begin = time.Now()
	us := &meadowSide{q: ix.NewQuery(), floor: footing.New(mesh.Mesh), cold: s.cold}
	prepared, err := ix.Prepare(ctx)
	switch {
	case errors.Is(err, query.ErrUnprepared):
		l.Unprepared = err.Error()
	case err != nil:
		return l, err
	default:
		l.PrepareMS = millis(begin)
		l.Prepared, _ = prepared.Prepared()
		us.ready = prepared.NewQuery()
	}
	if us.asked, err = drawPairs(ctx, us.q, s.pairs); err != nil {
		l.Failed = err.Error()
		return l, ctx.Err()
	}
	solo := detour{s.program, file, s.agent, 0, s.cold, s.limit}
	tiled := solo
	tiled.tile = s.tile
	if s.program == "" {
		solo.program, tiled.program = "", ""
	} else if s.tile == 0 {
		tiled.program = ""
	}
	var soloTimes, tiledTimes rounds
	for range s.rounds {
		solo, err := soloTimes.turn(ctx, solo, dir, us.asked, &l.Solo)
		if err != nil {
			return l, err
		}
		tiles, err := tiledTimes.turn(ctx, tiled, dir, us.asked, &l.Tiled)
		if err != nil {
			return l, err
		}
		if us.ends == nil {
			if err := us.place(ctx, solo, tiles, &l); err != nil {
				return l, err
			}
			soloTimes.failed = l.Solo.Failed != ""
		}
		if err := us.turn(ctx); err != nil {
			return l, err
		}
	}
	if soloTimes.failed {
		soloTimes = rounds{}
	}
	joined := us.joined(&soloTimes, &tiledTimes)
	l.Pairs = len(joined)
	l.Solo.Times, l.Tiled.Times = soloTimes.over(joined), tiledTimes.over(joined)
	l.Meadow = us.times.over(joined)
	l.Ready = summary(us.prepared, joined)
	return l, nil
}

func millis(begin time.Time) float64 { return float64(time.Since(begin).Microseconds()) / 1e3 }

// rounds are the times of one system by pair and round, in microseconds.
type rounds struct {
	failed               bool
	between, whole, cold [][]float64
	found                []bool
}

func (r *rounds) room(pairs int) {
	if r.between == nil {
		r.between, r.whole, r.cold, r.found = make([][]float64, pairs), make([][]float64, pairs), make([][]float64, pairs), make([]bool, pairs)
	}
}

// turn lets the peer answer once. A peer without a program, or without a mesh of the level, has no report.
func (r *rounds) turn(ctx context.Context, d detour, dir string, pairs [][2]geom.Vec, p *Peer) (*detourReport, error) {
	if r.failed || d.program == "" {
		return nil, nil
	}
	rep, err := d.ask(ctx, dir, pairs)
	if reason := (unable{}); errors.As(err, &reason) {
		r.failed, p.Failed = true, reason.Error()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.Polys = rep.Polys
	r.room(len(pairs))
	for i, pair := range rep.Pairs {
		r.found[i] = pair.Found
		r.between[i] = append(r.between[i], pair.Between...)
		r.whole[i] = append(r.whole[i], pair.Whole...)
		r.cold[i] = append(r.cold[i], pair.Cold...)
	}
	return rep, nil
}

// over sums up the times of some pairs.
func (r *rounds) over(pairs []int) Times {
	return Times{summary(r.between, pairs), summary(r.whole, pairs), summary(r.cold, pairs)}
}

// summary sums up the medians of some pairs. Pairs without times do not count.
func summary(times [][]float64, pairs []int) Micros {
	var us []float64
	for _, i := range pairs {
		if i < len(times) && len(times[i]) > 0 {
			one := slices.Sorted(slices.Values(times[i]))
			us = append(us, one[len(one)/2])
		}
	}
	if len(us) == 0 {
		return Micros{}
	}
	slices.Sort(us)
	sum := 0.0
	for _, t := range us {
		sum += t
	}
	n := len(us)
	return Micros{us[n/2], sum / float64(n), us[min(n-1, n*99/100)]}
}

// meadowSide asks Meadow. Where Prepare refuses the level, ready is nil.
type meadowSide struct {
	q, ready *query.Query
	floor    *footing.Floor
	cold     int
	asked    [][2]geom.Vec
	// ends are the positions of the pairs on Meadow's mesh, where the peer has put them; pairs without both are zero.
	ends     [][2]query.Position
	times    rounds
	prepared [][]float64
	memory   []byte
}

// drawPairs draws pairs of places that a path joins, the start moved by up to a metre.
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

// broken is the ratio of the sums of lengths above which the peer's mesh does not have the floor of the level. Recast's single tile
// of a large maze is such a mesh: its paths lead through walls.
const broken = 1.05

// place finds the ends and judges the paths, beside the peer's mesh in one tile. Beside a broken mesh, or none, it does so
// beside the tiles.
func (m *meadowSide) place(ctx context.Context, solo, tiled *detourReport, l *Level) error {
	m.find(solo)
	if err := m.judge(ctx, solo, &l.Judged); err != nil {
		return err
	}
	if solo != nil && l.Judged.OurLength > broken*l.Judged.TheirLength {
		l.Solo = Peer{Failed: fmt.Sprintf("paths of %.0f m in all, which leave the floor, where the shortest on the floor are %.0f m", l.Judged.TheirLength, l.Judged.OurLength)}
		solo = nil
	}
	if solo != nil || tiled == nil {
		return nil
	}
	l.Judged = Judged{}
	m.find(tiled)
	return m.judge(ctx, tiled, &l.Judged)
}

// find finds the ends on Meadow's mesh. Without a report the ends are those asked for.
func (m *meadowSide) find(rep *detourReport) {
	vec := func(p [3]float64) geom.Vec { return geom.Vec{X: p[0], Y: p[1], Z: p[2]} }
	m.ends = make([][2]query.Position, len(m.asked))
	m.times.room(len(m.asked))
	m.prepared = make([][]float64, len(m.asked))
	for i, pair := range m.asked {
		if rep != nil {
			if !rep.Pairs[i].Found {
				continue
			}
			pair = [2]geom.Vec{vec(rep.Pairs[i].Start), vec(rep.Pairs[i].Goal)}
		}
		start, ok1 := m.q.Nearest(pair[0], lookAround)
		goal, ok2 := m.q.Nearest(pair[1], lookAround)
		m.times.found[i] = ok1 && ok2
		m.ends[i] = [2]query.Position{start, goal}
	}
}

// judge checks the paths of all pairs.
func (m *meadowSide) judge(ctx context.Context, rep *detourReport, j *Judged) error {
	for i, ends := range m.ends {
		if !m.times.found[i] {
			continue
		}
		path, err := m.q.PathBetween(ctx, ends[0], ends[1])
		if err != nil {
			return err
		}
		if m.times.found[i] = path.Complete; !path.Complete {
			continue
		}
		length := path.Length
		r := m.floor.Check(path.Surface(), query.HeightError)
		j.Off, j.Bridged = max(j.Off, r.Off), max(j.Bridged, r.Bridged)
		if m.ready != nil {
			sooner, err := m.ready.PathBetween(ctx, ends[0], ends[1])
			if err != nil {
				return err
			}
			if math.Abs(length-sooner.Length) > 1e-9*(1+length) {
				j.Unequal++
			}
		}
		if rep == nil {
			continue
		}
		theirs := rep.Pairs[i]
		j.OurLength += length
		j.TheirLength += theirs.Length
		// The ends may have moved on the way to our mesh.
		moved := flat(ends[0].Point, theirs.Start) + flat(ends[1].Point, theirs.Goal)
		if length-theirs.Length-moved > slack {
			j.Longer++
			keeps, err := m.keepsTo(ends[0], theirs.Corners)
			if err != nil {
				return err
			}
			if keeps {
				j.OnOurFloor++
			}
		}
	}
	return nil
}

// keepsTo reports whether one can go straight from corner to corner on our floor.
func (m *meadowSide) keepsTo(at query.Position, corners []float64) (bool, error) {
	for i := 3; i+2 < len(corners); i += 3 {
		ray, err := m.q.Raycast(at, geom.Vec{X: corners[i], Y: corners[i+1], Z: corners[i+2]})
		if err != nil || ray.Hit {
			return false, err
		}
		at = ray.End
	}
	return true, nil
}

func flat(a geom.Vec, b [3]float64) float64 { return math.Hypot(a.X-b[0], a.Z-b[2]) }

// turn asks once for all paths, pair after pair, in the order of the peer.
func (m *meadowSide) turn(ctx context.Context) error {
	var fault error
	timed := func(list *[]float64, call func() error) {
		begin := time.Now()
		err := call()
		*list = append(*list, float64(time.Since(begin).Nanoseconds())/1e3)
		fault = errors.Join(fault, err)
	}
	for i, pair := range m.asked {
		if m.times.found[i] {
			timed(&m.times.whole[i], func() error { _, err := m.q.Path(ctx, pair[0], pair[1]); return err })
		}
	}
	for _, kind := range []struct {
		q     *query.Query
		times [][]float64
	}{{m.q, m.times.between}, {m.ready, m.prepared}} {
		if kind.q == nil {
			continue
		}
		for i, e := range m.ends {
			if m.times.found[i] {
				timed(&kind.times[i], func() error { _, err := kind.q.PathBetween(ctx, e[0], e[1]); return err })
			}
		}
	}
	for i, e := range m.ends[:min(m.cold, len(m.ends))] {
		if m.times.found[i] {
			m.evict()
			timed(&m.times.cold[i], func() error { _, err := m.q.PathBetween(ctx, e[0], e[1]); return err })
		}
	}
	return fault
}

// evict drives everything else out of the caches.
func (m *meadowSide) evict() {
	if m.memory == nil {
		m.memory = make([]byte, 64<<20)
	}
	for i := 0; i < len(m.memory); i += 64 {
		m.memory[i]++
	}
}

// joined returns the pairs that everybody with answers joins.
func (m *meadowSide) joined(others ...*rounds) []int {
	var all []int
	for i := range m.asked {
		ok := m.times.found[i]
		for _, r := range others {
			ok = ok && (r.found == nil || r.found[i])
		}
		if ok {
			all = append(all, i)
		}
	}
	return all
}
