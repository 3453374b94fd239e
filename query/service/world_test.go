package service_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/query/service"
	"github.com/meadow-nav/meadow/world"
)

// changing answers requests while crates move in every tick, and returns the counts and the number of answers on older
// snapshots than the last. Every answer is the path of the snapshot of a tick in the request's life.
func changing(t *testing.T, opt service.Options) (st service.Statistics, late int) {
	t.Helper()
	m := generated(t, "city", 0)
	w, err := meadow.NewWorld(t.Context(), m, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, w.Now().Index(), opt)
	if _, err := s.Allow(query.Filter{Radius: 0.7}); err != nil {
		t.Fatal(err)
	}
	c := newCrowd(11, m.Index(), 2)
	asked := map[service.Ticket]service.Request{}
	born := map[service.Ticket]int{}
	age := map[*query.Index]int{w.Now().Index(): 0}
	for tick := 1; tick <= 40 || len(asked) > 0; tick++ {
		if tick > 2000 {
			t.Fatalf("%d requests are not answered: %+v", len(asked), s.Statistics())
		}
		if tick <= 60 {
			p, _ := c.q.RandomPoint(c.rng)
			crate := world.Put{ID: world.ID(fmt.Sprint("crate ", tick)), Solid: world.Box{Base: p.Point, Size: geom.Vec{X: 4, Y: 1, Z: 6}, Yaw: c.rng.Float64()}}
			edits := []world.Edit{crate}
			if tick > 12 {
				edits = append(edits, world.Take{ID: world.ID(fmt.Sprint("crate ", tick-12))})
			}
			if _, err := w.Apply(t.Context(), edits...); err != nil {
				t.Fatal(err)
			}
			age[w.Now().Index()] = tick
			s.Use(w.Now().Index())
		}
		for i := 0; i < 10 && tick <= 40; i++ {
			r := c.request()
			ticket, err := s.Submit(r)
			if err != nil {
				t.Fatal(err)
			}
			asked[ticket], born[ticket] = r, tick
		}
		for _, a := range s.Tick(c.rng.IntN(8000)) {
			r := asked[a.Ticket]
			delete(asked, a.Ticket)
			on, known := age[a.Index]
			if r.Rule == 0 {
				if !known || on < born[a.Ticket] {
					t.Fatalf("tick %d: a request of tick %d is answered on the snapshot of tick %d, known is %v", tick, born[a.Ticket], on, known)
				}
				if on < min(tick, 60) {
					late++
				}
			}
			q := a.Index.NewQuery()
			ask := q.Path
			if r.Partial {
				ask = q.PartialPath
			}
			want, err := ask(t.Context(), r.Start, r.Goal)
			if fmt.Sprint(a.Err) != fmt.Sprint(err) || a.Path.Complete != want.Complete || math.Abs(a.Path.Cost-want.Cost) > 1e-12*(1+want.Cost) {
				t.Fatalf("tick %d: %+v, want %+v, %v", tick, a, want, err)
			}
		}
	}
	return s.Statistics(), late
}

// TestWorldsChange changes a world between ticks, with and without restarts. With restarts, the searches that a change
// meets begin again on the new snapshot.
func TestWorldsChange(t *testing.T) {
	st, late := changing(t, service.Options{Slots: 6, Jobs: 2})
	if st.Answered != 400 || st.Restarted != 0 || late == 0 {
		t.Errorf("%d late: %+v", late, st)
	}
	again, fewer := changing(t, service.Options{Slots: 6, Jobs: 2, Restarts: 1000})
	if again.Answered != 400 || again.Restarted == 0 || fewer >= late {
		t.Errorf("%d late in place of %d: %+v", fewer, late, again)
	}
	t.Logf("%d and %d late, %d restarts", late, fewer, again.Restarted)
}
