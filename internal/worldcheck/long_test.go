package worldcheck

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
	"github.com/meadow-nav/meadow/world/script"
)

// TestMemoryStaysFlat makes many changes with a bounded number of things: a change leaves less than the memory of a small
// thing behind, and the regions are those of a world made anew.
func TestMemoryStaysFlat(t *testing.T) {
	if race.Enabled {
		t.Skip("one goroutine, and the race detector has memory of its own")
	}
	base := built(t, "halls", 0)
	m := NewMaker(base, 3)
	m.Most = 20
	inUse := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := inUse()
	w, err := world.New(t.Context(), base, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := slow.Count(400, 4000)
	var used [2]float64
	for i := range 5 * n {
		if _, err := w.Apply(t.Context(), m.Next()...); err != nil {
			t.Fatal(err)
		}
		if i+1 == n || i+1 == 5*n { // the memory of a world without things
			if _, err := w.Apply(t.Context(), m.TakeAll()...); err != nil {
				t.Fatal(err)
			}
			used[i/(5*n-1)] = inUse() - before
		}
	}
	const most = 200 // bytes of a change
	if left := (used[1] - used[0]) / float64(4*n); left > most {
		t.Errorf("%.2f MB after %d changes, %.2f MB after %d: %.0f bytes a change", used[0]/1e6, n, used[1]/1e6, 5*n, left)
	}
	anew, err := script.Anew(t.Context(), base, world.Options{}, w.Now())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := w.Now().Mesh().RegionCount(), anew.Now().Mesh().RegionCount(); got != want {
		t.Errorf("%d regions, %d made anew", got, want)
	}
}

// TestWritersAtOnce lets several goroutines change one world: no change is lost, and the laws hold.
func TestWritersAtOnce(t *testing.T) {
	base := built(t, "rooms", 1)
	w, err := world.New(t.Context(), base, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stop := Watch(t.Context(), w, 2, 1)
	const writers, each = 4, 12
	var wait sync.WaitGroup
	for i := range writers {
		wait.Go(func() {
			m := NewMaker(base, uint64(i))
			for k := range each {
				s := world.Cylinder{Base: m.onFloor(), Radius: 0.4, Height: 1}
				if _, err := w.Apply(t.Context(), world.Put{ID: world.ID(fmt.Sprintf("%d-%d", i, k)), Solid: s}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	faults, read := stop()
	if len(faults) > 0 || read == 0 {
		t.Errorf("readers found %d paths and faults %v", read, faults)
	}
	if s := w.Now(); s.Sequence() != writers*each || len(s.Things()) != writers*each {
		t.Errorf("sequence %d and %d things, want %d", s.Sequence(), len(s.Things()), writers*each)
	}
	c, err := New(t.Context(), base, world.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if faults, err := c.Check(t.Context(), w.Now(), true); err != nil || len(faults) > 0 {
		t.Error(faults, err)
	}
}

// TestReadersNoticeTornStates hands a reader a query that asks another mesh than its snapshot: paths bend off the floor.
func TestReadersNoticeTornStates(t *testing.T) {
	base := built(t, "random", 3)
	w, _ := changed(t, base, base.Agent)
	other := func(m *navmesh.Mesh) *query.Query { return query.NewIndex(m).NewQuery() }
	torn := 0
	q, bare := w.Now().NewQuery(), other(base)
	m := NewMaker(base, 9)
	for range 50 {
		path, err := bare.Path(t.Context(), m.onFloor(), m.onFloor())
		if err != nil {
			t.Fatal(err)
		}
		if !standsOn(q, path.Points) {
			torn++
		}
	}
	if torn == 0 {
		t.Error("paths of the base are paths of the world")
	}
	if !standsOn(q, []geom.Vec{}) {
		t.Error("no path is off the floor")
	}
}
