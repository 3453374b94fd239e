package streamed_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/streamfile"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/query/streamed"
)

func generated(t testing.TB, kind string, opt levelgen.Options) *navmesh.Mesh {
	t.Helper()
	lvl, err := levelgen.Generate(kind, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(context.Background(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	return m.Mesh
}

func encode(t testing.TB, m *navmesh.Mesh, regions int) []byte {
	t.Helper()
	data, err := streamfile.Encode(m, streamfile.Options{Regions: regions})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t testing.TB, data []byte, opt streamed.Options) *streamed.Stream {
	t.Helper()
	s, err := streamed.Open(bytes.NewReader(data), int64(len(data)), opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// whole is a query on a whole mesh, and the tiles of its regions.
type whole struct {
	*query.Query
	all *streamfile.Part
}

func wholeOf(t testing.TB, m *navmesh.Mesh, data []byte, f query.Filter) whole {
	t.Helper()
	s := open(t, data, streamed.Options{})
	var tiles []int
	for i := range s.File().Tiles() {
		tiles = append(tiles, i)
	}
	v, err := s.Load(context.Background(), tiles...)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := query.NewIndex(m).With(f)
	if err != nil {
		t.Fatal(err)
	}
	return whole{ix.NewQuery(), v.Part}
}

// somewhere returns a place on the mesh, or a little beside or above.
func (w whole) somewhere(rng *rand.Rand) geom.Vec {
	p, _ := w.RandomPoint(rng)
	if rng.IntN(3) == 0 {
		return p.Point.Add(geom.Vec{X: rng.Float64() - 0.5, Y: rng.Float64(), Z: rng.Float64() - 0.5})
	}
	return p.Point
}

// same reports whether two paths are equally good.
func same(a, b query.Path) bool {
	return a.Complete == b.Complete && math.Abs(a.Cost-b.Cost) <= 1e-9*max(1, b.Cost)
}

// TestPathsAgainstWhole compares paths of streams, which read tiles as they go, with paths in the whole mesh.
func TestPathsAgainstWhole(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, kind := range []string{"maze", "halls", "tower", "terrain", "urban"} {
		m := generated(t, kind, levelgen.Options{Seed: 5})
		data := encode(t, m, 12)
		w := wholeOf(t, m, data, query.Filter{})
		fewest, paths, ways := math.MaxInt, 0, 0
		for range slow.Count(12, 200) {
			start, goal := w.somewhere(rng), w.somewhere(rng)
			s := open(t, data, streamed.Options{})
			got, v, err := s.Path(t.Context(), start, goal)
			want, err2 := w.Path(t.Context(), start, goal)
			if errors.Is(err2, query.ErrOffMesh) && errors.Is(err, query.ErrOffMesh) {
				continue
			}
			if err != nil || err2 != nil {
				t.Fatalf("%s from %v to %v: %v, whole %v", kind, start, goal, err, err2)
			}
			if !got.Proved || len(got.Absent) > 0 || !same(got.Path, want) {
				t.Errorf("%s from %v to %v: %t %g m, proved %t, whole %t %g m", kind, start, goal, got.Complete, got.Cost, got.Proved, want.Complete, want.Cost)
			}
			if got.Complete {
				paths++
				if sameWay(t, v, got.Path, want) {
					ways++
				}
			}
			fewest = min(fewest, len(v.Tiles))
		}
		if n := len(w.all.Tiles); n > 20 && fewest > n/2 {
			t.Errorf("%s: each path read at least %d of %d tiles", kind, fewest, n)
		}
		if 2*ways < paths {
			t.Errorf("%s: %d of %d paths lead the same way", kind, ways, paths)
		}
	}
}

// sameWay reports whether a path in a view leads through the same regions as a path in the whole mesh. Such paths have the same
// points.
func sameWay(t *testing.T, v *streamed.View, got, want query.Path) bool {
	t.Helper()
	var regions []navmesh.Ref
	for _, r := range got.Regions() {
		origin, ok := v.Origin(r)
		if !ok {
			t.Fatalf("region %v is not in the view", r)
		}
		regions = append(regions, origin)
	}
	if !slices.Equal(regions, want.Regions()) {
		return false
	}
	if !slices.Equal(got.Surface(), want.Surface()) || got.SurfaceLength() != want.SurfaceLength() {
		t.Fatalf("through the same regions to points %v and %v", got.Surface(), want.Surface())
	}
	return true
}

// TestAbsentTiles asks for paths in views of random tiles.
func TestAbsentTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	partial, proved := 0, 0
	for _, kind := range []string{"maze", "halls", "tower"} {
		m := generated(t, kind, levelgen.Options{Seed: 5})
		data := encode(t, m, 12)
		w := wholeOf(t, m, data, query.Filter{})
		for range slow.Count(40, 500) {
			s := open(t, data, streamed.Options{})
			var tiles []int
			for i := range s.File().Tiles() {
				if rng.IntN(5) > 0 {
					tiles = append(tiles, i)
				}
			}
			v, err := s.Load(t.Context(), tiles...)
			if err != nil {
				t.Fatal(err)
			}
			a, _ := w.RandomPoint(rng)
			b, _ := w.RandomPoint(rng)
			got, err := v.Path(t.Context(), v.Index().NewQuery(), a.Point, b.Point)
			want, err2 := w.Path(t.Context(), a.Point, b.Point)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			checkAbsent(t, w, v, got, want, a.Point, b.Point)
			if got.Proved {
				proved++
			}
			if len(got.Partial.Points) > 0 {
				partial++
				checkPartial(t, v, got, a.Point)
			}
		}
	}
	if partial < 10 || proved < 10 {
		t.Errorf("%d partial paths, %d proved ones", partial, proved)
	}
}

func checkAbsent(t *testing.T, w whole, v *streamed.View, got streamed.Path, want query.Path, ends ...geom.Vec) {
	t.Helper()
	for _, tile := range got.Absent {
		if slices.Contains(v.Tiles, tile) {
			t.Fatalf("tile %d is absent and in the view", tile)
		}
	}
	if got.Proved != (len(got.Absent) == 0) || got.Proved && !same(got.Path, want) {
		t.Fatalf("proved %t with %d absent tiles: %t %g m, whole %t %g m", got.Proved, len(got.Absent), got.Complete, got.Cost, want.Complete, want.Cost)
	}
	for _, at := range ends {
		for _, tile := range v.File().Near(at, 1, 3) {
			if slices.Contains(got.Absent, tile) {
				return
			}
		}
	}
	if same(got.Path, want) {
		return
	}
	visits := slices.ContainsFunc(want.Regions(), func(r navmesh.Ref) bool {
		tile, _ := w.all.TileOf(r)
		return slices.Contains(got.Absent, tile)
	})
	if !visits {
		t.Fatalf("the path of %g m visits none of the absent tiles %v, the view has %t %g m", want.Cost, got.Absent, got.Complete, got.Cost)
	}
}

// checkPartial checks that a partial path begins at the start and ends on a gate into an absent tile.
func checkPartial(t *testing.T, v *streamed.View, got streamed.Path, start geom.Vec) {
	t.Helper()
	p := got.Partial
	if p.Complete || got.Complete || p.Points[0].Sub(start).Norm() > 0.01 {
		t.Fatalf("a partial path from %v begins at %v, complete %t", start, p.Points[0], p.Complete)
	}
	end := p.Points[len(p.Points)-1]
	if !slices.ContainsFunc(v.Gates, func(g streamfile.Gate) bool {
		a, b := v.Mesh.Frame.ToWorld(g.Ends[0].Point, g.Ends[0].Z), v.Mesh.Frame.ToWorld(g.Ends[1].Point, g.Ends[1].Z)
		middle := a.Add(b).Scale(0.5)
		return slices.Contains(got.Absent, g.Tile) && math.Hypot(middle.X-end.X, middle.Z-end.Z) < 0.001
	}) {
		t.Fatalf("a partial path ends at %v, which is no gate", end)
	}
}

// TestLoadsAreSteps follows the names of absent tiles by hand, as a program does that reads tiles in the background.
func TestLoadsAreSteps(t *testing.T) {
	m := generated(t, "maze", levelgen.Options{Seed: 5})
	data := encode(t, m, 12)
	w := wholeOf(t, m, data, query.Filter{})
	rng := rand.New(rand.NewPCG(3, 3))
	s := open(t, data, streamed.Options{})
	a, _ := w.RandomPoint(rng)
	b, _ := w.RandomPoint(rng)
	got, err := s.Now().Path(t.Context(), s.Now().Index().NewQuery(), a.Point, b.Point)
	if err != nil || got.Proved || len(got.Absent) == 0 || len(got.Partial.Points) > 0 {
		t.Fatalf("without tiles: %+v, %v", got, err)
	}
	v, err := s.At(t.Context(), a.Point, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for steps := 0; !got.Proved; steps++ {
		if steps > len(s.File().Tiles()) {
			t.Fatal("no end of steps")
		}
		if got, err = v.Path(t.Context(), v.Index().NewQuery(), a.Point, b.Point); err != nil {
			t.Fatal(err)
		}
		if !got.Proved {
			if v, err = s.Load(t.Context(), got.Absent[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want, err := w.Path(t.Context(), a.Point, b.Point); err != nil || !same(got.Path, want) {
		t.Errorf("%g m, whole %g m, %v", got.Cost, want.Cost, err)
	}
}

// TestBudget asks for paths by streams with little memory.
func TestBudget(t *testing.T) {
	m := generated(t, "maze", levelgen.Options{Seed: 5})
	data := encode(t, m, 12)
	w := wholeOf(t, m, data, query.Filter{})
	rng := rand.New(rand.NewPCG(4, 4))
	for _, share := range []int64{1000, 20, 4, 2} {
		budget := int64(len(data)) / share
		s := open(t, data, streamed.Options{Budget: budget})
		proved, unproved := 0, 0
		for range slow.Count(15, 200) {
			a, _ := w.RandomPoint(rng)
			b, _ := w.RandomPoint(rng)
			got, v, err := s.Path(t.Context(), a.Point, b.Point)
			want, err2 := w.Path(t.Context(), a.Point, b.Point)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			size := int64(0)
			for _, k := range v.Tiles {
				size += s.File().Tiles()[k].Length
			}
			if size > budget {
				t.Fatalf("tiles of %d bytes, the budget is %d", size, budget)
			}
			checkAbsent(t, w, v, got, want, a.Point, b.Point)
			if got.Proved {
				proved++
			} else {
				unproved++
			}
		}
		if share == 1000 && proved > 0 || share == 2 && proved == 0 || share == 20 && unproved == 0 {
			t.Errorf("1/%d of the file: %d proved, %d not", share, proved, unproved)
		}
	}
	s := open(t, data, streamed.Options{Budget: int64(len(data)) / 4})
	all := make([]int, len(s.File().Tiles()))
	for i := range all {
		all[i] = i
	}
	if _, err := s.Load(t.Context(), all...); err == nil || !strings.Contains(err.Error(), "the budget is") {
		t.Errorf("all tiles: %v", err)
	}
	// The tile that was asked for longest ago goes first.
	for _, k := range all[:len(all)/2] {
		v, err := s.Load(t.Context(), k, all[0])
		if err != nil || !slices.Contains(v.Tiles, k) || !slices.Contains(v.Tiles, all[0]) {
			t.Fatalf("tile %d: %v, %v", k, v.Tiles, err)
		}
	}
}

// TestFilters compares streams with filters with whole indexes with the same filters.
func TestFilters(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for kind, f := range map[string]query.Filter{
		"halls": {Closed: []int{0}},
		"urban": {AreaCosts: map[uint8]float64{0: 0.5, 1: 0.25, 2: 4}},
		"tower": {Radius: 0.7},
	} {
		m := generated(t, kind, levelgen.Options{Seed: 5})
		data := encode(t, m, 12)
		w := wholeOf(t, m, data, f)
		differs := false
		for range slow.Count(15, 200) {
			a, _ := w.RandomPoint(rng)
			b, _ := w.RandomPoint(rng)
			s := open(t, data, streamed.Options{Filter: f})
			got, _, err := s.Path(t.Context(), a.Point, b.Point)
			want, err2 := w.Path(t.Context(), a.Point, b.Point)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			// Cheapest paths are so up to a ratio, see Query.Epsilon.
			far := math.Abs(got.Cost-want.Cost) > 0.011*want.Cost
			if !got.Proved || got.Complete != want.Complete || far || kind != "urban" && !same(got.Path, want) {
				t.Errorf("%s: %t %g, proved %t, whole %t %g", kind, got.Complete, got.Cost, got.Proved, want.Complete, want.Cost)
			}
			differs = differs || !want.Complete || want.Cost < want.Length
		}
		if !differs && kind != "tower" {
			t.Errorf("%s: the filter changes nothing", kind)
		}
	}
}

// TestStreamsAtOnce asks one stream with a budget from several goroutines.
func TestStreamsAtOnce(t *testing.T) {
	m := generated(t, "maze", levelgen.Options{Seed: 5})
	data := encode(t, m, 12)
	s := open(t, data, streamed.Options{Budget: int64(len(data)) / 2})
	var wait sync.WaitGroup
	for g := range uint64(4) {
		w := wholeOf(t, m, data, query.Filter{})
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(g, 6))
			for range 10 {
				a, _ := w.RandomPoint(rng)
				b, _ := w.RandomPoint(rng)
				got, v, err := s.Path(context.Background(), a.Point, b.Point)
				want, err2 := w.Path(context.Background(), a.Point, b.Point)
				if err != nil || err2 != nil || got.Proved && !same(got.Path, want) || len(v.Tiles) == 0 {
					t.Errorf("%v, %v: proved %t %g m, whole %g m", err, err2, got.Proved, got.Cost, want.Cost)
				}
			}
		})
	}
	wait.Wait()
}

func TestErrors(t *testing.T) {
	m := generated(t, "maze", levelgen.Options{Seed: 5})
	data := encode(t, m, 12)
	if _, err := streamed.Open(bytes.NewReader(data), int64(len(data)), streamed.Options{Budget: -1}); err == nil {
		t.Error("a negative budget")
	}
	if _, err := streamed.Open(bytes.NewReader(data[:100]), 100, streamed.Options{}); err == nil {
		t.Error("half a file")
	}
	s := open(t, data, streamed.Options{})
	w := wholeOf(t, m, data, query.Filter{})
	on, _ := w.RandomPoint(rand.New(rand.NewPCG(1, 1)))
	nan := geom.Vec{X: math.NaN()}
	for _, c := range [][2]geom.Vec{{nan, on.Point}, {on.Point, nan}, {{X: 1e6}, on.Point}, {on.Point, {Y: 1e3}}} {
		if _, _, err := s.Path(t.Context(), c[0], c[1]); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("from %v to %v: %v", c[0], c[1], err)
		}
	}
	for _, k := range []int{-1, len(s.File().Tiles())} {
		if _, err := s.Load(t.Context(), k); err == nil || !strings.Contains(err.Error(), "streamed: no tile") {
			t.Errorf("tile %d: %v", k, err)
		}
	}
	if _, err := s.At(t.Context(), nan, 1); err == nil {
		t.Error("around NaN")
	}
	if _, err := s.At(t.Context(), on.Point, -1); err == nil {
		t.Error("a negative reach")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Load(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	// A tile that is damaged is named, and the others stay usable.
	bad := bytes.Clone(data)
	bad[s.File().Tiles()[3].Offset+60] ^= 1
	s = open(t, bad, streamed.Options{})
	if _, err := s.Load(t.Context(), 1, 3); err == nil || !strings.Contains(err.Error(), "streamfile: tile 3: checksum") {
		t.Errorf("a damaged tile: %v", err)
	}
	if v, err := s.Load(t.Context(), 1, 2); err != nil || !slices.Equal(v.Tiles, []int{1, 2}) {
		t.Errorf("other tiles: %v", err)
	}
	if _, err := open(t, data, streamed.Options{Filter: query.Filter{Closed: []int{99}}}).Load(t.Context(), 1); err == nil {
		t.Error("a filter with an unknown mark")
	}
}
