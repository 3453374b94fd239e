package service

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom"
)

// none stands for no slot.
const none = -1

// queue holds the requests that wait or are in progress.
//
// A ticket modulo the length of entries is the place of its entry; tickets whose place is taken are not given out. The
// waiting requests are in a heap by due time, and in chains of requests with equal goals, each in the order of tickets.
type queue struct {
	entries []entry
	live    int // entries in use
	waiting int
	last    Ticket // the last one given out
	first   Ticket // no live ticket is lower
	heap    []due  // of waiting requests, and of some that wait no more
	chains  []chain
}

// entry is a request.
type entry struct {
	Request
	ticket       Ticket // 0 for a free entry
	tick         int    // of the submission
	slot         int32  // where the request is in progress, or none
	single       bool   // the request needs a search of its own
	before, next Ticket // in the chain, or 0
}

// due is a request in the heap.
type due struct {
	at     int64
	ticket Ticket
}

// chain has the waiting requests whose goals have equal hashes.
type chain struct{ first, last Ticket }

func (d due) before(o due) bool { return d.at < o.at || d.at == o.at && d.ticket < o.ticket }

func (q *queue) size() int { return q.live }

// place returns where the entry of a ticket is, or would be.
func (q *queue) place(t Ticket) *entry { return &q.entries[uint64(t)&uint64(len(q.entries)-1)] }

// entry returns the entry of a live ticket, or nil.
func (q *queue) entry(t Ticket) *entry {
	if t == 0 || len(q.entries) == 0 {
		return nil
	}
	if e := q.place(t); e.ticket == t {
		return e
	}
	return nil
}

// firstEntries is the first length of entries. Lengths are powers of two.
const firstEntries = 64

// submit adds a request that waits.
func (q *queue) submit(r Request, tick int) Ticket {
	if 2*q.live >= len(q.entries) {
		q.grow()
	}
	q.last++
	for q.place(q.last).ticket != 0 {
		q.last++
	}
	if q.live == 0 {
		q.first = q.last
	}
	*q.place(q.last) = entry{Request: r, ticket: q.last, tick: tick, slot: none}
	q.live++
	q.wait(q.last)
	return q.last
}

// grow doubles the room. Tickets that differ modulo the old length differ modulo the new one.
func (q *queue) grow() {
	old := q.entries
	n := max(firstEntries, 2*len(old))
	q.entries, q.chains = make([]entry, n), make([]chain, n)
	var linked []Ticket
	for i := range old {
		if e := &old[i]; e.ticket != 0 {
			*q.place(e.ticket) = *e
			if e.slot == none {
				linked = append(linked, e.ticket)
			}
		}
	}
	slices.Sort(linked)
	for _, t := range linked {
		q.link(t)
	}
}

// wait makes a live request wait, for the first time or again.
func (q *queue) wait(t Ticket) {
	e := q.place(t)
	e.slot = none
	q.waiting++
	q.link(t)
	if len(q.heap) > 2*q.waiting+firstEntries {
		q.sweep()
	}
	q.push(due{int64(e.tick) - int64(e.HeadStart), t})
}

// begin takes a waiting request into a slot.
func (q *queue) begin(t Ticket, slot int) {
	q.unlink(t)
	q.place(t).slot = int32(slot)
	q.waiting--
}

// remove frees the entry of a request.
func (q *queue) remove(t Ticket) {
	e := q.place(t)
	if e.slot == none {
		q.unlink(t)
		q.waiting--
	}
	*e = entry{}
	q.live--
}

// oldest returns the live request of the least ticket, or nil.
func (q *queue) oldest() *entry {
	if q.live == 0 {
		return nil
	}
	for q.entry(q.first) == nil {
		q.first++
	}
	return q.entry(q.first)
}

// waits reports whether a request waits.
func (q *queue) waits(t Ticket) bool {
	e := q.entry(t)
	return e != nil && e.slot == none
}

// head returns the waiting request that is due first.
func (q *queue) head() (t Ticket, ok bool) {
	for len(q.heap) > 0 {
		if t := q.heap[0].ticket; q.waits(t) {
			return t, true
		}
		q.pop()
	}
	return 0, false
}

// push adds to the heap.
func (q *queue) push(d due) {
	q.heap = append(q.heap, d)
	i := len(q.heap) - 1
	for i > 0 && d.before(q.heap[(i-1)/2]) {
		q.heap[i] = q.heap[(i-1)/2]
		i = (i - 1) / 2
	}
	q.heap[i] = d
}

// pop removes the first of the heap.
func (q *queue) pop() {
	last := len(q.heap) - 1
	d := q.heap[last]
	if q.heap = q.heap[:last]; last == 0 {
		return
	}
	i := 0
	for {
		k := 2*i + 1
		if k >= last {
			break
		}
		if k+1 < last && q.heap[k+1].before(q.heap[k]) {
			k++
		}
		if !q.heap[k].before(d) {
			break
		}
		q.heap[i] = q.heap[k]
		i = k
	}
	q.heap[i] = d
}

// sweep takes requests that wait no more, or that are in the heap twice, out of the heap. A sorted list is a heap.
func (q *queue) sweep() {
	q.heap = slices.DeleteFunc(q.heap, func(d due) bool { return !q.waits(d.ticket) })
	slices.SortFunc(q.heap, func(a, b due) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.ticket, b.ticket)) })
	q.heap = slices.Compact(q.heap)
}

// link adds a request to the end of its chain.
func (q *queue) link(t Ticket) {
	e := q.place(t)
	c := q.chainOf(e)
	e.before, e.next = c.last, 0
	if c.last == 0 {
		c.first = t
	} else {
		q.place(c.last).next = t
	}
	c.last = t
}

// unlink takes a request out of its chain.
func (q *queue) unlink(t Ticket) {
	e := q.place(t)
	c := q.chainOf(e)
	if e.before == 0 {
		c.first = e.next
	} else {
		q.place(e.before).next = e.next
	}
	if e.next == 0 {
		c.last = e.before
	} else {
		q.place(e.next).before = e.before
	}
	e.before, e.next = 0, 0
}

// chainOf returns the chain of a request.
func (q *queue) chainOf(e *entry) *chain {
	h := uint64(e.Rule)
	for _, x := range [3]float64{e.Goal.X, e.Goal.Y, e.Goal.Z} {
		h = (bits.RotateLeft64(h, 23) ^ math.Float64bits(x)) * 0x9e3779b97f4a7c15
	}
	return &q.chains[(h^h>>32)&uint64(len(q.chains)-1)]
}

// alike appends the waiting requests that can share a search with a waiting request, itself among them, in the order of
// the chain, up to a number.
func (q *queue) alike(list []Ticket, t Ticket, most int) []Ticket {
	e := q.place(t)
	list = append(list, t)
	for k := q.chainOf(e).first; k != 0 && len(list) < most; k = q.place(k).next {
		if o := q.place(k); k != t && !o.single && o.Rule == e.Rule && sameBits(o.Goal, e.Goal) {
			list = append(list, k)
		}
	}
	return list
}

// sameBits reports whether two goals are equal to the bit.
func sameBits(a, b geom.Vec) bool {
	return math.Float64bits(a.X) == math.Float64bits(b.X) && math.Float64bits(a.Y) == math.Float64bits(b.Y) && math.Float64bits(a.Z) == math.Float64bits(b.Z)
}
