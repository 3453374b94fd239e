package query

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/prepared"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// prepareBoth returns queries on a prepared index, by table, by a table that has each pair once, by labels, by steps and by lists.
func prepareBoth(tb testing.TB, ix *Index) map[string]*Query {
	tb.Helper()
	out := map[string]*Query{}
	for name, table := range map[string]int{"table": math.MaxInt, "lists": -1} {
		p, err := ix.prepare(context.Background(), table, math.MaxInt)
		if err != nil {
			tb.Fatal(err)
		}
		out[name] = p.NewQuery()
	}
	w, err := prepared.Prepare(context.Background(), ix.geo, math.MaxInt)
	if err != nil {
		tb.Fatal(err)
	}
	w.Halve()
	l, err := prepared.PrepareLabels(context.Background(), ix.geo, math.MaxInt, math.MaxInt)
	if err != nil {
		tb.Fatal(err)
	}
	labelled := *ix
	labelled.prepared = l
	out["labels"] = labelled.NewQuery()
	s, err := prepared.PrepareSteps(context.Background(), ix.geo, math.MaxInt)
	if err != nil {
		tb.Fatal(err)
	}
	stepped := *ix
	stepped.prepared = s
	out["steps"] = stepped.NewQuery()
	half := *ix
	half.prepared = w
	out["half"] = half.NewQuery()
	return out
}

// fromCorners asks for a prepared path; found is false if the ordinary search would have to answer.
func fromCorners(tb testing.TB, q *Query, start, goal geom.Vec) (path Path, found bool) {
	tb.Helper()
	if q.own.prepared == nil {
		path, err := q.Path(context.Background(), start, goal)
		if err != nil {
			tb.Fatal(err)
		}
		return path, true
	}
	found = true
	path, err := q.path(context.Background(), start, goal, func(q *Query, ctx context.Context, from, to index.Place) (n int, ok bool, err error) {
		n, found, err = q.corners.Find(ctx, q.own.prepared, &q.way, from, to)
		return n, found, err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return path, found
}

// TestPreparedPaths compares paths from tables and lists with the search and with the oracle.
func TestPreparedPaths(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(77, 1))
	asked, left, bent := 0, 0, 0
	for range 60 {
		w := randomWorld(t, rng)
		ix := NewIndex(w.theMesh())
		q := ix.NewQuery()
		for name, p := range prepareBoth(t, ix) {
			for range 30 {
				a, ok := w.draw(rng)
				b, ok2 := w.draw(rng)
				if !ok || !ok2 {
					continue
				}
				start, goal := w.point(a), w.point(b)
				want, err := q.Path(t.Context(), start, goal)
				if err != nil {
					t.Fatal(err)
				}
				want = want.Clone()
				got, found := fromCorners(t, p, start, goal)
				if asked++; !found && want.Complete {
					left++
					continue
				}
				if got.Complete != want.Complete || math.Abs(got.Length-want.Length) > 1e-9*(1+want.Length) {
					t.Fatalf("%s, %v to %v: complete is %v, length %v, want %v, %v", name, a, b, got.Complete, got.Length, want.Complete, want.Length)
				}
				if exact := w.shortest(a, b); got.Complete && math.Abs(got.Length-exact) > 1e-9*(1+exact) {
					t.Fatalf("%s, %v to %v: length %v, the oracle says %v", name, a, b, got.Length, exact)
				}
				if got.Complete {
					checkPortals(t, p, got)
					checkPath(t, p, got, start, goal)
					if len(got.Points) > 2 {
						bent++
					}
				}
			}
		}
	}
	if asked < 2000 || left > asked/50 || bent < asked/10 {
		t.Errorf("of %d paths %d were left to the search, and %d turn around corners", asked, left, bent)
	}
}

// checkPortals pulls a way tight through the portals of the last path: the way must be as long as the path.
func checkPortals(tb testing.TB, q *Query, path Path) {
	tb.Helper()
	length := func(bends []route.Bend) (sum float64) {
		for i := 1; i < len(bends); i++ {
			sum += index.Distance(bends[i-1].Point, bends[i].Point) * lattice.Unit
		}
		return sum
	}
	from, _, _ := q.ix.Mesh.Frame.FromWorld(path.Points[0])
	to, _, _ := q.ix.Mesh.Frame.FromWorld(path.Points[len(path.Points)-1])
	taut := length(q.way.LegFunnel(q.ix, &route.Leg{End: len(q.way.Crossed)}, from, to))
	if math.Abs(taut-path.Length) > 1e-9*(1+taut) {
		tb.Fatalf("from %v to %v: %v m, through its portals %v m", from, to, path.Length, taut)
	}
}

// TestPreparedStoreys has corners above each other: a bridge, and a spiral of three turns.
func TestPreparedStoreys(t *testing.T) {
	rng := rand.New(rand.NewPCG(78, 1))
	for name, ix := range map[string]*Index{"bridge": NewIndex(bridge(t, lattice.Frame{})), "spiral": NewIndex(spiral(t, lattice.Frame{}))} {
		q := ix.NewQuery()
		for kind, p := range prepareBoth(t, ix) {
			for range 300 {
				from, _ := q.RandomPoint(rng)
				to, _ := q.RandomPoint(rng)
				want, err := q.PathBetween(t.Context(), from, to)
				if err != nil {
					t.Fatal(err)
				}
				want = want.Clone()
				got, found := fromCorners(t, p, from.Point, to.Point)
				if !found || got.Complete != want.Complete || math.Abs(got.Length-want.Length) > 1e-9*(1+want.Length) {
					t.Fatalf("%s, %s, %v to %v: found is %v, length %v, want %v", name, kind, from, to, found, got.Length, want.Length)
				}
			}
		}
	}
}

// TestPreparedPublished adds up the paths of a published scenario, see TestPublishedLengths.
func TestPreparedPublished(t *testing.T) {
	dir := publishedDir(t)
	ix := NewIndex(readPublished(t, filepath.Join(dir, "arena-merged.mesh")))
	for name, q := range prepareBoth(t, ix) {
		sum := 0.0
		for _, p := range readScenario(t, filepath.Join(dir, "arena.scen")) {
			path, found := fromCorners(t, q, p.start, p.goal)
			if !found || !path.Complete {
				t.Fatalf("%s: %v to %v: found is %v", name, p.start, p.goal, found)
			}
			sum += path.Length
		}
		if want := 4852.6098; math.Abs(sum-want) > 1e-6*want {
			t.Errorf("%s: the lengths sum to %.4f, published are %.4f", name, sum, want)
		}
	}
}

// TestPreparedAllocatesNothing asks the same paths again.
func TestPreparedAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(79, 1))
	ix := NewIndex(newGrid(t, rng, 24, 24, 0.2, rectangles, lattice.Frame{}).mesh)
	for name, q := range prepareBoth(t, ix) {
		var from, to []Position
		for range 50 {
			a, _ := q.RandomPoint(rng)
			b, _ := q.RandomPoint(rng)
			from, to = append(from, a), append(to, b)
		}
		run := func() {
			for i := range from {
				if _, err := q.PathBetween(context.Background(), from[i], to[i]); err != nil {
					t.Fatal(err)
				}
			}
		}
		run()
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%s: %v allocations in %d paths", name, n, len(from))
		}
	}
}

// TestOpenGroundHasNoLabels counts on a look from a few corners: open ground is refused before preparing begins, and is not told that it
// was cancelled.
func TestOpenGroundHasNoLabels(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		density float64
		want    error
	}{{0.03, prepared.ErrNoRoom}, {0.4, context.Canceled}} {
		ix := NewIndex(newGrid(t, rand.New(rand.NewPCG(84, 1)), 40, 40, c.density, rectangles, lattice.Frame{}).mesh)
		if _, err := prepared.PrepareLabels(cancelled, ix.geo, math.MaxInt, prepared.MostLabels); !errors.Is(err, c.want) {
			t.Errorf("%.0f %% of the ground blocked: got %v, want %v", 100*c.density, err, c.want)
		}
	}
}

// TestTableOfParts prepares a mesh of many parts, with less room than all pairs of corners take: only corners of the same part have a
// distance.
func TestTableOfParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(85, 1))
	ix := NewIndex(newGrid(t, rng, 60, 60, 0.4, rectangles, lattice.Frame{}).mesh)
	p, err := ix.PrepareWithin(t.Context(), 6*ix.geo.Turns*ix.geo.Turns-1)
	if err != nil {
		t.Fatal(err)
	}
	if what, ok := p.Prepared(); !ok || !what.Table || what.Bytes > 4*ix.geo.Turns*ix.geo.Turns {
		t.Fatalf("of %d corners: %+v", ix.geo.Turns, what)
	}
	q, ready := ix.NewQuery(), p.NewQuery()
	at, _ := exact.CornerPlaces(ix.geo)
	apart := 0
	for range 3000 {
		from, to := ix.Mesh().Frame.ToWorld(at[rng.IntN(len(at))].At, 0), ix.Mesh().Frame.ToWorld(at[rng.IntN(len(at))].At, 0)
		want, err := q.Path(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		want = want.Clone()
		got, err := ready.Path(t.Context(), from, to)
		if err != nil || got.Complete != want.Complete || math.Abs(got.Length-want.Length) > 1e-9*(1+want.Length) {
			t.Fatalf("%v to %v: length %v, want %v: %v", from, to, got.Length, want.Length, err)
		}
		if !want.Complete {
			apart++
		}
	}
	if apart < 1000 || apart > 2500 {
		t.Errorf("%d of 3000 paths lead to another part", apart)
	}
}

// TestPrepareByLabels prepares an Index without room for a table.
func TestPrepareByLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(83, 1))
	ix := NewIndex(newGrid(t, rng, 60, 60, 0.4, rectangles, lattice.Frame{}).mesh)
	pairs := 0 // of corners of one part of the floor
	inPart := map[uint32]int{}
	at, _ := exact.CornerPlaces(ix.geo)
	for _, c := range at {
		inPart[ix.geo.Region(c.Region).Part]++
	}
	for _, n := range inPart {
		pairs += n * n
	}
	p, err := ix.PrepareWithin(t.Context(), 6*pairs-1)
	if err != nil {
		t.Fatal(err)
	}
	what, ok := p.Prepared()
	if !ok || what.Table || what.Labels < what.Corners || what.Labels > prepared.MostLabels*what.Corners || what.Bytes > 6*pairs-1 || what.Beams < what.Corners {
		t.Fatalf("labels: %+v", what)
	}
	if few, err := ix.PrepareWithin(t.Context(), what.Bytes-1); err != nil {
		t.Error(err)
	} else if less, _ := few.Prepared(); less.Labels != 0 || less.Table {
		t.Errorf("labels without room: %+v", less)
	}
	if closed, err := p.With(Filter{Include: 1 << 30}); err != nil {
		t.Error(err)
	} else if _, ok := closed.Prepared(); !ok {
		t.Error("a filter drops the labels")
	}
	q, ready := ix.NewQuery(), p.NewQuery()
	bent := 0
	for range 300 {
		from, _ := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		path, err := q.PathBetween(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		length := path.Length
		path, err = ready.PathBetween(t.Context(), from, to)
		if err != nil || math.Abs(path.Length-length) > 1e-9*length {
			t.Fatalf("a path of %v m has %v m by labels: %v", length, path.Length, err)
		}
		if len(path.Points) > 2 {
			bent++
		}
	}
	// Paths around corners where walls meet in a point are cast.
	if n := ready.corners.Joined; n < bent*9/10 || bent < 100 {
		t.Errorf("of %d paths with bends, %d are put together from stored passages", bent, n)
	}
}

// TestPrepareAnswers covers the description of a preparation, an Index already prepared, a context that is done, links,
// and filters.
func TestPrepareAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(80, 1))
	ix := NewIndex(newGrid(t, rng, 12, 12, 0.3, rectangles, lattice.Frame{}).mesh)
	if _, ok := ix.Prepared(); ok {
		t.Error("a new index is prepared")
	}
	p, err := ix.Prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	what, ok := p.Prepared()
	if !ok || what.Corners != ix.geo.Turns || what.Edges == 0 || what.Beams < what.Corners || !what.Table || what.Bytes < 8*ix.geo.Turns*ix.geo.Turns {
		t.Errorf("prepared is %v: %+v", ok, what)
	}
	if again, err := p.Prepare(t.Context()); err != nil || again != p {
		t.Errorf("prepared again: %v", err)
	}
	if steps, err := ix.PrepareWithin(t.Context(), 6*ix.geo.Turns*ix.geo.Turns-1); err != nil {
		t.Error(err)
	} else if what, ok := steps.Prepared(); !ok || what.Table || what.Steps != ix.geo.Turns*(ix.geo.Turns-1)/2 || what.Edges == 0 || what.Bytes >= 6*ix.geo.Turns*ix.geo.Turns {
		t.Errorf("steps: %+v", what)
	}
	if lists, err := ix.prepare(t.Context(), -1, math.MaxInt); err != nil {
		t.Error(err)
	} else if what, ok := lists.Prepared(); !ok || what.Table || what.Steps > 0 || !what.Whole || what.Sights < what.Corners || what.Bytes < 12*what.Sights {
		t.Errorf("lists: %+v", what)
	}
	if none, err := ix.PrepareWithin(t.Context(), 0); err != nil {
		t.Error(err)
	} else if what, ok := none.Prepared(); !ok || what.Table || what.Bytes != ix.sights.Bytes() {
		t.Errorf("no room: %+v", what)
	}
	if same, err := p.With(Filter{}); err != nil || same != p {
		t.Errorf("a filter that closes nothing: %v", err)
	}
	if closed, err := p.With(Filter{Include: 1 << 30}); err != nil {
		t.Error(err)
	} else if _, ok := closed.Prepared(); !ok {
		t.Error("a filter drops the table")
	} else if again, err := closed.Prepare(t.Context()); err != nil || again == closed {
		t.Errorf("a filtered index is prepared by the table of another: %v", err)
	}
	linked := island(t)
	link(linked, navmesh.Drop, 0, 1, [2]lattice.Vertex{at(4, 2, 2), at(4, 2, 2)}, [2]lattice.Vertex{at(5, 2, 0), at(5, 2, 0)}, 2)
	if lists, err := NewIndex(linked).Prepare(t.Context()); err != nil {
		t.Errorf("with links: %v", err)
	} else if what, ok := lists.Prepared(); !ok || what.Table {
		t.Errorf("with links: %+v", what)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	q := p.NewQuery()
	var from, to Position
	for bends := 0; bends < 1; {
		from, _ = q.RandomPoint(rng)
		to, _ = q.RandomPoint(rng)
		path, err := q.PathBetween(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		bends = len(path.Points) - 2
	}
	if _, err := q.PathBetween(ctx, from, to); !errors.Is(err, context.Canceled) {
		t.Errorf("a path, cancelled: %v", err)
	}
	if _, err := ix.Prepare(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestBeamsAgainstSight compares the corners whose beams contain a place with the corners that see the place, exactly.
// The sets are equal, except for corners whose walls lie straight behind them; no path from the place turns around such
// corners.
func TestBeamsAgainstSight(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 1))
	lit, dark, past := 0, 0, 0
	for i := range 40 {
		w := randomWorld(t, rng)
		ix := NewIndex(w.theMesh())
		kind := "table"
		if i%2 == 1 {
			kind = "labels"
		}
		q := prepareBoth(t, ix)[kind]
		for range 10 {
			at, ok := w.draw(rng)
			if !ok {
				break
			}
			end := mustLocate(t, q, w.point(at))
			from, err := stand(q.ix, end)
			if err != nil {
				t.Fatal(err)
			}
			s := &q.corners
			s.Regions[0] = prepared.RegionsAt(ix.geo, s.Regions[0][:0], from)
			s.Look(q.own.prepared, 0, from.At)
			seen := make([]bool, ix.geo.Turns)
			for _, c := range s.Seen[0] {
				seen[c.Turn] = true
				if want := q.own.prepared.At[c.Turn]; c.Distance != index.Distance(from.At, want) {
					t.Fatalf("corner %v is %v away from %v", want, c.Distance, from.At)
				}
			}
			turns := make([]int32, ix.geo.Turns)
			for turn, number := range q.own.prepared.Number {
				turns[number] = int32(turn)
			}
			for turn, corner := range q.own.prepared.At {
				way := index.Towards(corner, from.At)
				pastWalls := !q.own.prepared.Walls[turn].Hides(way)
				free := !q.ray.Cast(q.ix, from, corner).Hit && inFan(ix, corner, q.ray.Trail[len(q.ray.Trail)-1], turns[turn])
				switch {
				case seen[turn] && !(free && pastWalls):
					t.Fatalf("world %d: %v is in a beam of corner %d, %v: straight %v, past the walls %v", i, from.At, turn, corner, free, pastWalls)
				case seen[turn]:
					lit++
				case !free:
					dark++
				case !pastWalls:
					past++
				case touches(q.own, from.At, corner):
					// Beams that close at a corner end there: the way leads over that corner as well.
				default:
					t.Fatalf("world %d: corner %d, %v, has no beam to %v", i, turn, corner, from.At)
				}
			}
		}
	}
	if lit < 1000 || dark < 1000 || past < 300 {
		t.Errorf("%d corners seen, %d not, %d behind their walls", lit, dark, past)
	}
}

// inFan reports whether a region is among the regions around a corner.
func inFan(ix *Index, at lattice.Point, r uint32, turn int32) bool {
	for _, o := range ix.geo.RegionsAround(nil, index.Place{Region: r, At: at}) {
		for k := ix.geo.Region(o).FirstPortal; k < ix.geo.Region(o).EndPortal; k++ {
			if p := ix.geo.Portal(k); p.Left == at && p.LeftTurn == turn || p.Right == at && p.RightTurn == turn {
				return true
			}
		}
	}
	return false
}

// touches reports whether a corner is strictly between two points.
func touches(ix *Index, a, b lattice.Point) bool {
	for _, c := range ix.prepared.At {
		if c != a && c != b && lattice.OnSegment(c, a, b) {
			return true
		}
	}
	return false
}

// byTable asks for a path by a table that may be another Index's, however many regions have changed; found is false if the
// search answers.
func byTable(tb testing.TB, q *Query, from, to index.Place) (path Path, found bool) {
	tb.Helper()
	path, err := q.between(tb.Context(), from, to, func(q *Query, ctx context.Context, from, to index.Place) (n int, ok bool, err error) {
		n, found, err = q.corners.FindOn(ctx, q.own.prepared, q.ix, &q.way, from, to)
		return n, found, err
	})
	if err == nil && !found {
		path, err = q.between(tb.Context(), from, to, (*Query).findShortest)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return path, found
}

// placeIn returns a random place on the floor of a query's Index; two places of three are corners of regions.
func placeIn(tb testing.TB, rng *rand.Rand, q *Query) index.Place {
	tb.Helper()
	pos, ok := q.RandomPoint(rng)
	if !ok {
		return index.Place{}
	}
	p, err := stand(q.ix, pos)
	if err != nil {
		tb.Fatal(err)
	}
	if ring := q.ix.Ring(p.Region); rng.IntN(3) != 0 {
		p.At = ring[rng.IntN(len(ring))].Point
	}
	return p
}

// TestPreparedElsewhere compares prepared paths, by tables and by steps, after edits, with links and with filters with searches, and with
// meshes made from scratch.
func TestPreparedElsewhere(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(95, 4))
	var asked, kept [4]int // by edits only, with links, with filters, with both
	compare := func(ix *Index, kind int) {
		plain := *ix
		plain.prepared = nil
		q, s := ix.NewQuery(), plain.NewQuery()
		for range 25 {
			from, to := placeIn(t, rng, s), placeIn(t, rng, s)
			want, err := s.between(t.Context(), from, to, (*Query).findShortest)
			if err != nil {
				t.Fatal(err)
			}
			if !want.Complete || want.Expanded == 0 {
				continue
			}
			want = want.Clone()
			got, found := byTable(t, q, from, to)
			if math.Abs(got.Cost-want.Cost) > 1e-9*(1+want.Cost) || got.Complete != want.Complete {
				t.Fatalf("kind %d, %v to %v: %v at %v, want %v at %v", kind, from, to, got.Complete, got.Cost, want.Complete, want.Cost)
			}
			asked[kind]++
			if found {
				kept[kind]++
				checkPortals(t, q, got)
				checkPath(t, q, got, want.Points[0], want.Points[len(want.Points)-1])
			}
		}
	}
	for i := range 24 {
		m := newGrid(t, rng, 12+rng.IntN(8), 12, 0.2, style(i%int(styles)), lattice.Frame{}).mesh
		base, err := NewIndex(m).prepare(t.Context(), math.MaxInt, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		if i%4 > 1 {
			if base.prepared, err = prepared.PrepareSteps(t.Context(), base.geo, math.MaxInt); err != nil {
				t.Fatal(err)
			}
		}
		numbers := portalNumbers(base.geo)
		e := NewEditor(base)
		changed := floors{}
		for step := range 6 {
			change := drawChange(rng, base.geo, numbers, changed)
			for k := range change {
				for c := range change[k].Cells {
					change[k].Cells[c].Flags = uint32(rng.IntN(3) + 1)
				}
			}
			var links []navmesh.Link
			if step%2 == 1 {
				links = drawLinks(rng, base)
			}
			now, _, err := e.ApplyLinks(change, links)
			if err != nil {
				t.Fatal(err)
			}
			kind := min(len(links), 1)
			compare(now, kind)
			mesh, _ := compose(base.geo, changed, links)
			if err := sameAnswers(t, rng, now, NewIndex(mesh), 4); err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			narrower, err := now.With(Filter{Exclude: 2})
			if err != nil {
				t.Fatal(err)
			}
			compare(narrower, kind+2)
		}
	}
	for k := range asked {
		if kept[k] < 100 || kept[k] == asked[k] {
			t.Errorf("kind %d: of %d paths %d are prepared", k, asked[k], kept[k])
		}
	}
}

// twoWays returns a mesh of a square of 4 m around a diamond, with equal ways from the middle below to the middle above. The
// portals at the left and right ends of the diamond are labelled 3 and 5 from below, 6 and 8 from above.
func twoWays() *navmesh.Mesh {
	const m = 4096
	at := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x * m, Y: y * m}} }
	tile := navmesh.Tile{
		Generation: 1,
		Vertices: []lattice.Vertex{
			at(0, 0), at(4, 0), at(4, 1), at(2, 1), at(0, 1), at(1, 2), at(0, 2),
			at(3, 2), at(4, 2), at(2, 3), at(0, 3), at(4, 3), at(4, 4), at(0, 4),
		},
		Corners: []uint32{0, 1, 2, 3, 4, 4, 3, 5, 6, 3, 2, 8, 7, 6, 5, 9, 10, 7, 8, 11, 9, 10, 9, 11, 12, 13},
		Regions: []navmesh.Region{
			{First: 0, Count: 5, PortalCount: 2},
			{First: 5, Count: 4, FirstPortal: 2, PortalCount: 2},
			{First: 9, Count: 4, FirstPortal: 4, PortalCount: 2},
			{First: 13, Count: 4, FirstPortal: 6, PortalCount: 2},
			{First: 17, Count: 4, FirstPortal: 8, PortalCount: 2},
			{First: 21, Count: 5, FirstPortal: 10, PortalCount: 2},
		},
		Portals: []navmesh.Portal{
			{Edge: 2, Right: 2, Left: 3, To: 2, Back: 4},
			{Edge: 3, Right: 3, Left: 4, To: 1, Back: 2},
			{Edge: 0, Right: 4, Left: 3, To: 0, Back: 1},
			{Edge: 2, Right: 5, Left: 6, To: 3, Back: 6},
			{Edge: 0, Right: 3, Left: 2, To: 0, Back: 0},
			{Edge: 2, Right: 8, Left: 7, To: 4, Back: 8},
			{Edge: 0, Right: 6, Left: 5, To: 1, Back: 3},
			{Edge: 2, Right: 9, Left: 10, To: 5, Back: 10},
			{Edge: 0, Right: 7, Left: 8, To: 2, Back: 5},
			{Edge: 2, Right: 11, Left: 9, To: 5, Back: 11},
			{Edge: 0, Right: 10, Left: 9, To: 3, Back: 7},
			{Edge: 1, Right: 9, Left: 11, To: 4, Back: 9},
		},
		Layers: []navmesh.Layer{{Floor: lattice.TIN{}}},
	}
	tile.Derive()
	mesh := &navmesh.Mesh{Tiles: []navmesh.Tile{tile}}
	mesh.Connect()
	return mesh
}

// TestPreparedRough moves an end of the diamond by a unit, so that one of two equal ways becomes shorter than on the base.
func TestPreparedRough(t *testing.T) {
	const m = 4096
	base, err := NewIndex(twoWays()).prepare(t.Context(), math.MaxInt, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := base.geo.Mesh.Validate(); err != nil {
		t.Fatal(err)
	}
	from, to := index.Place{Region: 0, At: lattice.Point{X: 2 * m, Y: m / 2}}, index.Place{Region: 5, At: lattice.Point{X: 2 * m, Y: 3*m + m/2}}
	before, found := byTable(t, base.NewQuery(), from, to)
	if !found {
		t.Fatal("the table has no path on the base")
	}
	length := before.Length
	for name, c := range map[string]struct {
		regions [2]uint32
		end, at lattice.Point
	}{
		"left":  {[2]uint32{1, 3}, lattice.Point{X: m, Y: 2 * m}, lattice.Point{X: m + 1, Y: 2*m + 1}},
		"right": {[2]uint32{2, 4}, lattice.Point{X: 3 * m, Y: 2 * m}, lattice.Point{X: 3*m - 1, Y: 2*m + 1}},
	} {
		var change []Replacement
		for _, r := range c.regions {
			cell := cellOf(base.geo, portalNumbers(base.geo), r)
			for i := range cell.Ring {
				if cell.Ring[i].Point == c.end {
					cell.Ring[i].Point = c.at
				}
			}
			change = append(change, Replacement{Base: r, Cells: []Cell{cell}})
		}
		now, _, err := NewEditor(base).Apply(change)
		if err != nil {
			t.Fatal(err)
		}
		plain := *now
		plain.prepared = nil
		want, err := plain.NewQuery().between(t.Context(), from, to, (*Query).findShortest)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := byTable(t, now.NewQuery(), from, to)
		if want.Length >= length || math.Abs(got.Length-want.Length) > 1e-9 {
			t.Errorf("%s: %.9f m, want %.9f m, on the base %.9f m", name, got.Length, want.Length, length)
		}
	}
}

// TestPreparedPays counts changed and closed regions, until prepared paths are not tried any more.
func TestPreparedPays(t *testing.T) {
	base, err := NewIndex(newGrid(t, rand.New(rand.NewPCG(97, 1)), 20, 20, 0.2, rectangles, lattice.Frame{}).mesh).prepare(t.Context(), math.MaxInt, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := base.geo.RegionLimit()
	if n < 64 {
		t.Fatalf("%d regions", n)
	}
	pays := func(ix *Index, taken int) {
		t.Helper()
		if ix.geo.Taken != taken || ix.prepared.Pays(ix.geo) != (taken <= n/32+1) {
			t.Errorf("%d of %d regions are taken, want %d; prepared paths pay: %v", ix.geo.Taken, n, taken, ix.prepared.Pays(ix.geo))
		}
	}
	e := NewEditor(base)
	for r := range n/32 + 2 {
		now, _, err := e.Apply([]Replacement{{Base: uint32(r)}})
		if err != nil {
			t.Fatal(err)
		}
		pays(now, r+1)
	}
	closed := Filter{AreaCosts: map[uint8]float64{0: math.Inf(1)}}
	for range 2 { // a second filter closes nothing more
		nothing, err := e.Now().With(closed)
		if err != nil {
			t.Fatal(err)
		}
		pays(nothing, n)
		if nothing, err = nothing.With(Filter{Include: 1 << 30}); err != nil {
			t.Fatal(err)
		}
		pays(nothing, n)
		now, _, err := e.Apply([]Replacement{{Base: 0, Whole: true}, {Base: 1, Cells: []Cell{cellOf(base.geo, portalNumbers(base.geo), 1)}}})
		if err != nil {
			t.Fatal(err)
		}
		pays(now, n/32+1)
	}
}
