package query

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// told is all that a path tells when it is read.
type told struct {
	surface []geom.Vec
	length  float64
	regions []navmesh.Ref
}

// read reads a path.
func read(p Path) told {
	return told{slices.Clone(p.Surface()), p.SurfaceLength(), slices.Clone(p.Regions())}
}

func (a told) equals(b told) bool {
	return slices.Equal(a.surface, b.surface) && a.length == b.length && slices.Equal(a.regions, b.regions)
}

// walks asks for n paths over hills, and returns their ends.
func walks(t *testing.T, q *Query, rng *rand.Rand, n int) (from, to []Position) {
	t.Helper()
	for len(from) < n {
		a, _ := q.RandomPoint(rng)
		b, ok := q.RandomPoint(rng)
		if !ok {
			t.Fatal("the mesh has no area")
		}
		if path, err := q.PathBetween(t.Context(), a, b); err == nil && len(path.Surface()) > 4 {
			from, to = append(from, a), append(to, b)
		}
	}
	return from, to
}

// TestPathsAreReadLate reads paths in several ways: at once, after the Query has gone on, twice, and by clones that were
// made before and after the first reading. A path that is gone tells nothing; all others tell the same.
func TestPathsAreReadLate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	q := NewIndex(hills(t, rng)).NewQuery()
	from, to := walks(t, q, rng, 20)
	for i := range from {
		j := (i + 1) % len(from)
		path, err := q.PathBetween(t.Context(), from[i], to[i])
		if err != nil {
			t.Fatal(err)
		}
		early := path.Clone()
		want := read(path)
		if again := read(path); !again.equals(want) {
			t.Fatalf("a second reading tells %v, the first %v", again, want)
		}
		late := path.Clone()
		if _, err := q.PathBetween(t.Context(), from[j], to[j]); err != nil {
			t.Fatal(err)
		}
		if gone := read(path); len(gone.surface) > 0 || gone.length != 0 || len(gone.regions) > 0 {
			t.Fatalf("a path that is gone tells %v", gone)
		}
		if gone := read(path.Clone()); len(gone.surface) > 0 {
			t.Fatalf("a clone of a path that is gone tells %v", gone)
		}
		for name, kept := range map[string]Path{"early": early, "late": late, "clone of a clone": early.Clone()} {
			if got := read(kept); !got.equals(want) {
				t.Fatalf("the %s clone tells %v, want %v", name, got, want)
			}
		}
	}
	if none := read(Path{}); len(none.surface) > 0 || none.length != 0 || len(none.regions) > 0 {
		t.Errorf("a zero path tells %v", none)
	}
}

// TestReadersOfOnePath lets goroutines read one path, and one clone, for the first time and at the same time. The race
// detector watches.
func TestReadersOfOnePath(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 18))
	ix := NewIndex(hills(t, rng))
	q := ix.NewQuery()
	from, to := walks(t, q, rng, 10)
	for i := range from {
		first, err := ix.NewQuery().PathBetween(t.Context(), from[i], to[i])
		if err != nil {
			t.Fatal(err)
		}
		want := read(first)
		path, err := q.PathBetween(t.Context(), from[i], to[i])
		if err != nil {
			t.Fatal(err)
		}
		kept := path.Clone()
		var group sync.WaitGroup
		for g := range 8 {
			group.Go(func() {
				p := path
				if g%2 == 0 {
					p = kept
				}
				if got := read(p); !got.equals(want) {
					t.Errorf("reader %d: %v, want %v", g, got, want)
				}
			})
		}
		group.Wait()
	}
}

// TestPathsOfSnapshots reads paths after the Query has moved to an Index with a change on the way. The paths have the
// floor and the regions of their own Index.
func TestPathsOfSnapshots(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 18))
	ix := NewIndex(hills(t, rng))
	numbers := portalNumbers(ix.geo)
	from, to := walks(t, ix.NewQuery(), rng, 12)
	changed := 0
	for i := range from {
		q := ix.NewQuery()
		path, err := q.PathBetween(t.Context(), from[i], to[i])
		if err != nil {
			t.Fatal(err)
		}
		want := read(path.Clone())
		kept := path.Clone()
		r, err := ix.geo.Named(want.regions[0])
		if err != nil {
			t.Fatal(err)
		}
		now, _, err := NewEditor(ix).Apply([]Replacement{{Base: r, Cells: drawCells(rng, ix.geo, numbers, r)}})
		if err != nil {
			t.Fatal(err)
		}
		q.Use(now)
		if got := read(path); !got.equals(want) {
			t.Fatalf("after Use the path tells %v, want %v", got, want)
		}
		if got := read(kept); !got.equals(want) {
			t.Fatalf("after Use the clone tells %v, want %v", got, want)
		}
		if _, ok := now.geo.Find(want.regions[0]); !ok {
			changed++
		}
	}
	if changed == 0 {
		t.Error("no change was on a way")
	}
}

// TestCrossingsLieOnTheFloor enters and leaves a door and three grounds on a slope. All crossings and stretches begin and
// end on the floor.
func TestCrossingsLieOnTheFloor(t *testing.T) {
	for _, mirrored := range []bool{false, true} {
		m := terrace(t, mirrored)
		q := NewIndex(m).NewQuery()
		path, err := q.Path(t.Context(), ground(m, at(3, 1, 1.5)), ground(m, at(5, 7, 2.8)))
		if err != nil || len(path.Crossings) != 1 || len(path.Grounds) != 2 {
			t.Fatalf("%+v", path)
		}
		places := []geom.Vec{path.Crossings[0].From, path.Crossings[0].To}
		for _, g := range path.Grounds {
			places = append(places, g.From, g.To)
		}
		for _, p := range places {
			x, y := geom.Ground(p)
			ramp, landing := x/2, x/2+0.3
			if off := min(math.Abs(p.Y-ramp), math.Abs(p.Y-landing)); off > 2*lattice.Unit || y > 4.001 && math.Abs(p.Y-landing) > 2*lattice.Unit {
				t.Errorf("mirrored %v: %v is %v m off the floor", mirrored, p, off)
			}
		}
	}
}
