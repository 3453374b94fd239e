package service

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// TestQueue makes random changes to a queue and compares its head, its chains and its oldest request with a list.
func TestQueue(t *testing.T) {
	most, mixed := 0, 0
	for seed := range uint64(12) {
		playQueue(t, seed, &most, &mixed)
	}
	if most < 500 || mixed == 0 {
		t.Errorf("up to %d requests, %d of other goals in a chain", most, mixed)
	}
}

func playQueue(t *testing.T, seed uint64, most, mixed *int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	var q queue
	type known struct {
		ticket Ticket
		at     int64
		goal   geom.Vec
		rule   Rule
		single bool
	}
	var waiting, begun []known
	for step := range 500 << (seed % 4 * 3 / 2) {
		grow := step/(200+1000*int(seed%4))%2 == 0
		switch n := rng.IntN(8); {
		case n < 4 && (grow || n == 0):
			r := Request{Goal: geom.Vec{X: float64(rng.IntN(2)), Z: float64(rng.IntN(2))}, Rule: Rule(rng.IntN(20)), HeadStart: rng.Int32N(50) - 10}
			room := len(q.entries)
			ticket := q.submit(r, step/10)
			for i := 0; i < len(q.chains) && room < len(q.entries); i++ {
				for k := q.chains[i].first; k != 0; k = q.place(k).next {
					if k <= q.place(k).before {
						t.Fatalf("step %d: ticket %d is behind ticket %d", step, k, q.place(k).before)
					}
				}
			}
			waiting = append(waiting, known{ticket, int64(step/10) - int64(r.HeadStart), r.Goal, r.Rule, false})
		case n < 5 && len(waiting) > 0:
			i := rng.IntN(len(waiting))
			q.remove(waiting[i].ticket)
			waiting = slices.Delete(waiting, i, i+1)
		case n < 6 && len(waiting) > 0:
			first := slices.MinFunc(waiting, func(a, b known) int {
				if (due{a.at, a.ticket}).before(due{b.at, b.ticket}) {
					return -1
				}
				return 1
			})
			if head, ok := q.head(); !ok || head != first.ticket {
				t.Fatalf("step %d: the head is %d, want %d", step, head, first.ticket)
			}
			q.begin(first.ticket, 2)
			waiting = slices.Delete(waiting, slices.Index(waiting, first), slices.Index(waiting, first)+1)
			begun = append(begun, first)
		case n < 7 && len(begun) > 0:
			i := rng.IntN(len(begun))
			if begun[i].single = true; rng.IntN(2) == 0 {
				q.remove(begun[i].ticket)
			} else {
				q.place(begun[i].ticket).single = true
				q.wait(begun[i].ticket)
				waiting = append(waiting, begun[i])
			}
			begun = slices.Delete(begun, i, i+1)
		case len(waiting) > 0:
			w := waiting[rng.IntN(len(waiting))]
			var want []Ticket
			for _, o := range waiting {
				if o.ticket != w.ticket && !o.single && o.goal == w.goal && o.rule == w.rule {
					want = append(want, o.ticket)
				}
			}
			got := q.alike(nil, w.ticket, 1<<20)
			slices.Sort(got[1:])
			slices.Sort(want)
			if got[0] != w.ticket || !slices.Equal(got[1:], want) {
				t.Fatalf("step %d: like ticket %d are %v, want %v", step, w.ticket, got, want)
			}
			if few := q.alike(nil, w.ticket, 2); len(few) > 2 {
				t.Fatalf("step %d: %d requests in place of 2", step, len(few))
			}
			for k := q.chainOf(q.place(w.ticket)).first; k != 0; k = q.place(k).next {
				if q.place(k).Rule != w.rule || q.place(k).Goal != w.goal {
					*mixed++
				}
			}
		}
		if q.waiting != len(waiting) || q.size() != len(waiting)+len(begun) || 2*q.live > len(q.entries) || len(q.heap) > 2*q.waiting+2*firstEntries {
			t.Fatalf("step %d: %d wait, %d live, %d in the heap; want %d, %d", step, q.waiting, q.live, len(q.heap), len(waiting), len(begun))
		}
		if *most = max(*most, q.live); q.live > 0 {
			oldest := slices.MinFunc(slices.Concat(waiting, begun), func(a, b known) int { return int(int64(a.ticket) - int64(b.ticket)) })
			if step%50 == 0 && q.oldest().ticket != oldest.ticket {
				t.Fatalf("step %d: the oldest is %d, want %d", step, q.oldest().ticket, oldest.ticket)
			}
		}
	}
}

// TestQueueForgets: a request that begins and waits again a thousand times stays in the heap a few times only.
func TestQueueForgets(t *testing.T) {
	var q queue
	ticket := q.submit(Request{}, 0)
	for range 1000 {
		q.begin(ticket, 0)
		q.wait(ticket)
		if len(q.heap) > 3+firstEntries {
			t.Fatalf("a request is in the heap %d times", len(q.heap))
		}
	}
	if head, ok := q.head(); !ok || head != ticket {
		t.Errorf("the head is %d, %v", head, ok)
	}
}
