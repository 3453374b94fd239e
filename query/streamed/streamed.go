// Package streamed asks for paths on a mesh whose tiles are read when they are needed: see package navmesh/streamfile.
//
// Source: own.
//
// Idea: a [View] is an ordinary mesh and index of the tiles in memory. A path in the view is the shortest of the whole mesh
// if no way over an absent tile can be shorter, and the borders between tiles give a lower bound for each such way. So a
// view knows for every path whether the path is the shortest, and else which tiles are missing; [Stream.Path] reads these
// tiles and asks again, in batches that double.
//
// Guarantees:
//  1. A proved path is as long as the path in the whole mesh, and a proved answer without a path means that the whole mesh has
//     none (TestPathsAgainstWhole).
//  2. An unproved path names absent tiles: the whole mesh's path visits an absent tile or is as long, or an absent tile is near an end. A
//     partial path ends at a gate into a tile that it names (TestAbsentTiles).
//  3. The tiles in memory stay within the budget, and paths within the budget do not depend on it (TestBudget).
//  4. Any number of goroutines ask views and load tiles (TestStreamsAtOnce).
//
// Degenerate cases: ends off the mesh, which are known once the tiles near them are there; budgets smaller than a tile;
// filters that close doors or change costs.
//
// Cost: a batch costs time O(n log n) for n elements of all tiles in memory, as making an index. Views are persistent, so
// old views stay valid and keep their memory.
package streamed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh/streamfile"
	"github.com/meadow-nav/meadow/query"
)

// Options of a stream. The zero value is usable.
type Options struct {
	// Budget is the most memory for tiles, counted in bytes of the file; 0 stands for no limit. A tile with its mesh and its
	// index takes several times its bytes.
	Budget int64
	// Filter says what the agents may pass, with the marks and areas of the file.
	Filter query.Filter
}

// Stream is a file and its tiles in memory. Any number of goroutines use a Stream.
type Stream struct {
	file  *streamfile.File
	opt   Options
	scale float64 // least cost of a metre
	now   atomic.Pointer[View]

	loading sync.Mutex // guards the fields below
	tiles   map[int]*resident
	size    int64 // of the tiles
	clock   uint64
	stale   bool // the view is not of these tiles
}

// resident is a tile in memory.
type resident struct {
	tile *streamfile.Tile
	used uint64 // by the clock
}

// Open opens a file of size bytes. No tile is read yet.
func Open(r io.ReaderAt, size int64, opt Options) (*Stream, error) {
	if opt.Budget < 0 {
		return nil, fmt.Errorf("streamed: Budget is %d, must be 0 or more", opt.Budget)
	}
	f, err := streamfile.Open(r, size)
	if err != nil {
		return nil, err
	}
	s := &Stream{file: f, opt: opt, scale: 1, tiles: map[int]*resident{}}
	for _, cost := range opt.Filter.AreaCosts {
		s.scale = min(s.scale, cost)
	}
	v, err := s.view(context.Background())
	if err != nil {
		return nil, err
	}
	s.now.Store(v)
	return s, nil
}

// usable returns the error of a stream that [Open] did not make.
func (s *Stream) usable() error {
	if s == nil || s.file == nil {
		return errors.New("streamed: no file is open: use Open")
	}
	return nil
}

// File returns the file, nil for a zero or nil Stream.
func (s *Stream) File() *streamfile.File {
	if s == nil {
		return nil
	}
	return s.file
}

// Now returns the view of the tiles in memory, without waiting; nil for a zero or nil Stream.
func (s *Stream) Now() *View {
	if s == nil {
		return nil
	}
	return s.now.Load()
}

// Load returns a view with some tiles, and reads those that are absent. Tiles beyond the budget are dropped, those first
// that were asked for longest ago. Tiles that are together larger than the budget are an error, and nothing is loaded.
func (s *Stream) Load(ctx context.Context, tiles ...int) (*View, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, errors.New("streamed: the context is nil: use context.Background()")
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	wanted := map[int]bool{}
	var size int64
	for _, t := range tiles {
		if t < 0 || t >= len(s.file.Tiles()) {
			return nil, fmt.Errorf("streamed: no tile %d, there are %d", t, len(s.file.Tiles()))
		}
		if !wanted[t] {
			wanted[t] = true
			size += s.file.Tiles()[t].Length
		}
	}
	if s.opt.Budget > 0 && size > s.opt.Budget {
		return nil, fmt.Errorf("streamed: %d tiles of %d bytes, the budget is %d", len(wanted), size, s.opt.Budget)
	}
	read := make([]*streamfile.Tile, 0, len(tiles))
	for _, t := range tiles {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("streamed: %w", err)
		}
		if s.tiles[t] == nil && wanted[t] {
			tile, err := s.file.Tile(t)
			if err != nil {
				return nil, err
			}
			read = append(read, tile)
			wanted[t] = false // read
		}
	}
	s.clock++
	for _, tile := range read {
		s.tiles[tile.Number] = &resident{tile: tile}
		s.size += tile.Size
		s.stale = true
	}
	for _, t := range tiles {
		s.tiles[t].used = s.clock
	}
	if !s.stale {
		return s.Now(), nil
	}
	s.drop()
	v, err := s.view(ctx)
	if err != nil {
		for _, tile := range read { // which may be the reason
			s.remove(tile.Number)
		}
		return nil, err
	}
	s.now.Store(v)
	s.stale = false
	return v, nil
}

// remove removes a tile from memory.
func (s *Stream) remove(tile int) {
	s.size -= s.tiles[tile].tile.Size
	delete(s.tiles, tile)
	s.stale = true
}

// drop removes tiles until the rest fits the budget. The tiles of the last load fit.
func (s *Stream) drop() {
	for s.opt.Budget > 0 && s.size > s.opt.Budget {
		oldest := -1
		for t, r := range s.tiles {
			if oldest < 0 || r.used < s.tiles[oldest].used || r.used == s.tiles[oldest].used && t > oldest {
				oldest = t
			}
		}
		s.remove(oldest)
	}
}

// view makes the view of the tiles in memory.
func (s *Stream) view(ctx context.Context) (*View, error) {
	var tiles []*streamfile.Tile
	for _, r := range s.tiles {
		tiles = append(tiles, r.tile)
	}
	part, err := streamfile.Compose(tiles)
	if err != nil {
		return nil, err
	}
	v := &View{Part: part, stream: s}
	if len(tiles) == 0 {
		// The filter may name marks, which the empty mesh has not.
		v.index = query.NewIndex(part.Mesh)
		return v, nil
	}
	if v.index, err = query.NewIndexWith(ctx, part.Mesh); err != nil {
		return nil, err
	}
	v.index, err = v.index.With(s.opt.Filter)
	return v, err
}

// At returns a view with all tiles within reach metres of a place, see [Stream.Load].
func (s *Stream) At(ctx context.Context, place geom.Vec, reach float64) (*View, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if !place.IsFinite() || !(reach >= 0) {
		return nil, fmt.Errorf("streamed: %g m around %v is no place", reach, place)
	}
	return s.Load(ctx, s.file.Near(place, reach, reach)...)
}

// View is the mesh of the tiles that were in memory at some time. A View never changes, and any number of goroutines share it.
type View struct {
	*streamfile.Part
	stream *Stream
	index  *query.Index
}

// Index returns the index of the view, for questions other than paths. Its filter is that of the stream.
func (v *View) Index() *query.Index { return v.index }

// File returns the file of the view.
func (v *View) File() *streamfile.File { return v.stream.file }

// has reports whether a tile is in the view.
func (v *View) has(tile int) bool {
	_, ok := slices.BinarySearch(v.Tiles, tile)
	return ok
}

// Path is a path in a view.
type Path struct {
	query.Path
	// Proved says that the whole mesh has no path that costs less; without a path, that it has none.
	Proved bool
	// Absent are the tiles that are not in the view and that the best path may visit, most promising first, behind those
	// that may have the floor at an end; none for a proved path.
	Absent []int
	// Partial is a path towards the goal where there is no whole path: to the gate into an absent tile that may lead to the
	// goal soonest. It has no points where the start's own tile is absent.
	Partial query.Path
}

// ends are the places of a question.
type ends struct {
	start, goal           geom.Vec
	startTiles, goalTiles []int // that may have the regions of the ends
}

// ends finds the tiles that decide where the ends of a path are.
func (s *Stream) ends(start, goal geom.Vec) (e ends, err error) {
	for i, p := range []geom.Vec{start, goal} {
		if !p.IsFinite() {
			return e, fmt.Errorf("%w: %s %v is no place", query.ErrOffMesh, []string{"start", "goal"}[i], p)
		}
	}
	agent := s.file.Head().Agent
	across := max(agent.Radius+agent.MaxClimb, 0.01) + 0.01
	upright := max(across, agent.Height+0.01)
	e = ends{start, goal, s.file.Near(start, across, upright), s.file.Near(goal, across, upright)}
	for i, tiles := range [][]int{e.startTiles, e.goalTiles} {
		if len(tiles) == 0 {
			return e, fmt.Errorf("%w: %s %v has no tile near it", query.ErrOffMesh, []string{"start", "goal"}[i], []geom.Vec{start, goal}[i])
		}
	}
	return e, nil
}

// Path returns the shortest path in the view, as [query.Query.Path], and whether the whole mesh may have a shorter one. The
// query must be of the view's index, and owns the memory of the path. Where the tiles at an end are absent, there is no path
// yet, and Absent names the tiles. An end without floor nearby in its tiles is [query.ErrOffMesh].
func (v *View) Path(ctx context.Context, q *query.Query, start, goal geom.Vec) (Path, error) {
	e, err := v.stream.ends(start, goal)
	if err != nil {
		return Path{}, err
	}
	return v.path(ctx, q, e)
}

func (v *View) path(ctx context.Context, q *query.Query, e ends) (Path, error) {
	from := streamfile.End{Place: e.start, Tiles: e.startTiles}
	to := streamfile.End{Place: e.goal, Tiles: e.goalTiles}
	a, startKnown, err := v.stand(q, "start", &from)
	if err != nil {
		return Path{}, err
	}
	b, goalKnown, err := v.stand(q, "goal", &to)
	if err != nil {
		return Path{}, err
	}
	bounds := v.stream.file.Bounds(from, to, v.stream.scale)
	var out Path
	limit := math.Inf(1)
	if startKnown && goalKnown {
		if out.Path, err = q.PathBetween(ctx, a, b); err != nil {
			return Path{}, err
		}
		if out.Complete {
			limit = out.Cost * (1 - 1e-9)
		}
	}
	// The tiles that decide where the ends are come first.
	for _, t := range slices.Concat(from.Tiles, to.Tiles, bounds.Below(limit)) {
		if !v.has(t) && !slices.Contains(out.Absent, t) {
			out.Absent = append(out.Absent, t)
		}
	}
	out.Proved = len(out.Absent) == 0
	if startKnown && !out.Complete && !out.Proved {
		out.Partial, err = v.towards(ctx, q, a, bounds)
	}
	return out, err
}

// stand finds the region of an end, and then leaves the end the tile of the region alone. ok is false where tiles near the
// end are absent.
func (v *View) stand(q *query.Query, which string, e *streamfile.End) (at query.Position, ok bool, err error) {
	for _, t := range e.Tiles {
		if !v.has(t) {
			return at, false, nil
		}
	}
	if at, ok = q.Locate(e.Place); !ok {
		agent := v.Mesh.Agent
		if at, ok = q.Nearest(e.Place, max(agent.Radius+agent.MaxClimb, 0.01)); !ok {
			return at, false, fmt.Errorf("%w: %s %v has no floor within %.2f m", query.ErrOffMesh, which, e.Place, agent.Radius+agent.MaxClimb)
		}
	}
	tile, _ := v.TileOf(at.Ref)
	*e = streamfile.End{Place: at.Point, Tiles: []int{tile}}
	return at, true, nil
}

// towards returns the path to the gate that may lead to the goal soonest, by the bound of the way behind the gate and the
// straight way before it. The first of a few gates with a path counts.
func (v *View) towards(ctx context.Context, q *query.Query, from query.Position, bounds *streamfile.Bounds) (query.Path, error) {
	type choice struct {
		bound float64
		gate  int
		at    geom.Vec
	}
	_, region, _ := v.Mesh.Region(from.Ref)
	var choices []choice
	for i, g := range v.Gates {
		_, r, _ := v.Mesh.Region(g.Region)
		if r.Component != region.Component {
			continue
		}
		a, b := v.Mesh.Frame.ToWorld(g.Ends[0].Point, g.Ends[0].Z), v.Mesh.Frame.ToWorld(g.Ends[1].Point, g.Ends[1].Z)
		middle := a.Add(b).Scale(0.5)
		d := middle.Sub(from.Point)
		if bound := v.stream.scale*math.Hypot(d.X, d.Z) + bounds.Onward(g.Tile, middle); !math.IsInf(bound, 1) {
			choices = append(choices, choice{bound, i, middle})
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int {
		switch {
		case a.bound < b.bound:
			return -1
		case a.bound > b.bound:
			return 1
		}
		return 0
	})
	const tries = 4
	for _, c := range choices[:min(len(choices), tries)] {
		to, err := q.NearestIn(v.Gates[c.gate].Region, c.at)
		if errors.Is(err, query.ErrOffMesh) {
			continue // the filter closes the region
		}
		if err != nil {
			return query.Path{}, err
		}
		p, err := q.PathBetween(ctx, from, to)
		if err != nil || p.Complete {
			p.Complete = false
			return p, err
		}
	}
	return query.Path{}, nil
}

// firstBatch is the number of tiles that Path reads at first, after those at the ends.
const firstBatch = 4

// Path returns the shortest path of the whole mesh: it reads the tiles at the ends, and then the tiles that a shorter path
// may visit, until the path is proved or the budget is used. A path that the budget left unproved names the tiles that are
// absent. The path is valid in the view that is returned, and nobody changes it. An error of the file names the tile.
func (s *Stream) Path(ctx context.Context, start, goal geom.Vec) (Path, *View, error) {
	if err := s.usable(); err != nil {
		return Path{}, nil, err
	}
	e, err := s.ends(start, goal)
	if err != nil {
		return Path{}, nil, err
	}
	var pinned []int
	room := s.opt.Budget
	pin := func(tiles []int) (added int) {
		for _, t := range tiles {
			length := s.file.Tiles()[t].Length
			if slices.Contains(pinned, t) || s.opt.Budget > 0 && length > room {
				continue
			}
			room -= length
			pinned = append(pinned, t)
			added++
		}
		return added
	}
	pin(e.startTiles)
	pin(e.goalTiles)
	for batch := firstBatch; ; batch *= 2 {
		v, err := s.Load(ctx, pinned...)
		if err != nil {
			return Path{}, nil, err
		}
		path, err := v.path(ctx, v.index.NewQuery(), e)
		if err != nil || path.Proved || pin(path.Absent[:min(len(path.Absent), batch)]) == 0 {
			return path, v, err
		}
	}
}
