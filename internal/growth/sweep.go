package growth

import (
	"math"

	"github.com/meadow-nav/meadow/internal/cdt"
)

// Event is where a front stops: at a place, and at the vertex of a notch there.
type Event struct {
	At    int64
	Notch int32 // a half-edge that starts at the notch, or -1: a limit, or walls that close in
}

// Sweep moves front d of the region in b around triangle start, and returns the place of its first event,
// limit at the latest: the first notch of the unclaimed space that would be inside the box. A front closed in
// by walls vanishes; the result is then a place behind all walls.
//
// The triangles are visited in the order of contact with the front. An earlier event can never be behind a
// later one: the obstacle between them ends in a notch, an event itself.
func (w *World) Sweep(start int32, b Box, d int, limit int64) Event {
	s := b.span(d)
	front, most := s.u1, s.u1
	event := Event{limit, -1}
	s.u1 = limit
	w.forget()
	w.heap.Reset()
	w.heap.Push(float64(front), start)
	for w.heap.Len() > 0 {
		r := w.heap.Pop()
		if r.Key >= float64(s.u1) {
			return event
		}
		t := r.ID
		if w.seen(t) {
			continue
		}
		w.Looks += 3
		var u, v [3]int64
		for k := range int32(3) {
			e := 3*t + k
			u[k], v[k] = Turned(d, w.P[w.H[e].V])
			most = max(most, u[k])
			if u[k] >= front && u[k] < s.u1 && s.v0 < v[k] && v[k] < s.v1 && w.isNotch(e) {
				s.u1 = u[k]
				event = Event{u[k], e}
			}
		}
		for k := range int32(3) {
			h, n := w.H[3*t+k], (k+1)%3
			if h.Mark != cdt.Free || w.visited[h.Opp/3] == w.stamp {
				continue
			}
			if least, ok := s.enters(u[k], v[k], u[n], v[n]); ok {
				w.heap.Push(max(float64(least), r.Key), h.Opp/3)
			}
		}
	}
	if most < event.At {
		return Event{most, -1}
	}
	return event
}

// Never is a limit beyond all fronts.
const Never = math.MaxInt32 * 2

// forget makes no triangle visited.
func (w *World) forget() {
	w.stamp++
	if n := len(w.Inside); n > len(w.visited) {
		w.visited = append(w.visited, make([]uint32, max(cap(w.Inside), n)-len(w.visited))...)
	}
}

// seen marks triangle t as visited and tells whether it was.
func (w *World) seen(t int32) bool {
	was := w.visited[t] == w.stamp
	w.visited[t] = w.stamp
	return was
}
