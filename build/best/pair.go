package best

import (
	"cmp"
	"context"
	"slices"

	"github.com/meadow-nav/meadow/internal/cdt"
)

// chord is a portal from notch to notch that may be made: each end is in the cone of the other.
type chord struct {
	u, v   int32
	length uint64 // squared
	made   bool
}

// A notch offers chords to at most maxChords of the nearest notches, from a search of maxLooks triangles.
const maxChords, maxLooks = 8, 128

// pair makes as many two-notch portals as it can: the shortest first, because a short portal blocks little;
// then exchanges of one for two until none is left.
func (w *work) pair(ctx context.Context) error {
	notches := w.notches()
	w.counts["notches"] = len(notches)
	at := make([]int32, len(w.P)) // of every vertex: one more than the number of its notch, 0 for none
	for i := range notches {
		at[notches[i].v] = int32(i) + 1
	}
	others := func(x int32) *notch {
		if x < 0 || at[x] == 0 {
			return nil
		}
		return &notches[at[x]-1]
	}
	if err := w.each(ctx, notches, func(w *work, i int) { w.offer(&notches[i], others) }); err != nil {
		return err
	}
	slices.SortFunc(w.chords, func(a, b chord) int {
		switch {
		case a.length != b.length:
			return cmp.Compare(a.length, b.length)
		case a.u != b.u:
			return w.P[a.u].Compare(w.P[b.u])
		}
		return w.P[a.v].Compare(w.P[b.v])
	})
	w.chords = slices.CompactFunc(w.chords, func(a, b chord) bool { return a.u == b.u && a.v == b.v })
	w.cut = w.mark + int32(len(w.chords))
	w.mate = make([]int32, len(w.P))
	for v := range w.mate {
		w.mate[v] = -1
	}
	for i := range w.chords {
		if c := &w.chords[i]; !w.alongside(c) {
			w.join(int32(i))
		}
	}
	for i := range w.chords {
		w.join(int32(i))
	}
	for range maxExchanges {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if w.exchange() == 0 {
			break
		}
	}
	return nil
}

// maxExchanges bounds the rounds of exchange; rounds after the second gain little.
const maxExchanges = 4

// offer collects the chords of a notch. others tells the notch at a vertex, nil for none.
func (w *work) offer(n *notch, others func(x int32) *notch) {
	found := 0
	w.look(n, maxLooks, func(x int32, _ *sight, _ float64) bool {
		o := others(x)
		if o == nil {
			return true
		}
		if o.has(n.at) && n.has(o.at) && w.good(n, o) {
			c := chord{u: n.v, v: x, length: n.at.Distance2(o.at)}
			if o.at.Compare(n.at) < 0 {
				c.u, c.v = x, n.v
			}
			w.chords = append(w.chords, c)
			found++
		}
		return found < maxChords
	})
}

// good tells whether the corners beside a chord are not too sharp.
func (w *work) good(n, o *notch) bool {
	if w.least <= 0 {
		return true
	}
	k := lesser(n.sides(o.at), o.sides(n.at))
	return k.Dot <= 0 && w.least <= 90 || k.Degrees() >= w.least
}

// alongside tells whether a chord would run along another, from the same two walls, so close that only
// a sliver is between.
func (w *work) alongside(c *chord) bool {
	n, ok := w.notch(c.u)
	if !ok || w.mate[c.u] >= 0 || w.mate[c.v] >= 0 {
		return false
	}
	o, ok := w.notch(c.v)
	if !ok {
		return false
	}
	w.layRails(&n)
	return w.bands(&n, o.at, w.Head(o.e1), w.Head(o.e2))
}

// join makes chord i if both of its ends are notches still and nothing is in the way.
func (w *work) join(i int32) bool {
	c := &w.chords[i]
	if w.mate[c.u] >= 0 || w.mate[c.v] >= 0 || w.Connect(c.u, c.v, w.mark+i) != cdt.Clear {
		return false
	}
	c.made = true
	w.mate[c.u], w.mate[c.v] = i, i
	w.counts["pairs"]++
	return true
}

// part takes chord i back.
func (w *work) part(i int32) {
	c := &w.chords[i]
	for e := w.Edge[c.u]; ; e = w.CCW(e) {
		if w.H[e].Mark == w.mark+i {
			w.Release(e)
			break
		}
	}
	c.made = false
	w.mate[c.u], w.mate[c.v] = -1, -1
	w.counts["pairs"]--
}

// exchange replaces single chords by two others where possible, and returns the number of exchanges. The two
// are chords that become possible once the single chord is gone.
func (w *work) exchange() (gained int) {
	type blocked struct{ by, chord int32 }
	var all []blocked
	for i := range int32(len(w.chords)) {
		if w.chords[i].made {
			continue
		}
		if by, ok := w.blocker(i); ok {
			all = append(all, blocked{by, i})
		}
	}
	slices.SortStableFunc(all, func(a, b blocked) int { return cmp.Compare(a.by, b.by) })
	for begin := 0; begin < len(all); {
		end := begin + 1
		for end < len(all) && all[end].by == all[begin].by {
			end++
		}
		c, list := all[begin].by, all[begin:min(end, begin+maxBlocked)]
		begin = end
		if len(list) < 2 || !w.chords[c].made {
			continue
		}
		w.part(c)
		done := false
		for k := 0; k < len(list) && !done; k++ {
			if !w.join(list[k].chord) {
				continue
			}
			for _, o := range list[k+1:] {
				if done = w.join(o.chord); done {
					gained++
					break
				}
			}
			if !done {
				w.part(list[k].chord)
			}
		}
		if !done {
			w.join(c)
		}
	}
	w.counts["exchanged"] += gained
	return gained
}

// maxBlocked bounds how many chords are tried in place of one.
const maxBlocked = 12

// blocker returns the chord that alone blocks chord i, by its ends or across it.
func (w *work) blocker(i int32) (by int32, ok bool) {
	c := &w.chords[i]
	by = -1
	add := func(j int32) bool {
		if by < 0 {
			by = j
		}
		return by == j
	}
	for _, m := range [...]int32{w.mate[c.u], w.mate[c.v]} {
		if m >= 0 && !add(m) {
			return 0, false
		}
	}
	for _, d := range [...][2]int32{{c.u, c.v}, {c.v, c.u}} {
		b := w.Shoot(d[0], w.P[d[1]])
		if b.Edge < 0 {
			if b.Vertex != d[1] {
				return 0, false
			}
			continue
		}
		if m := w.H[b.Edge].Mark; m < w.mark || !add(m-w.mark) {
			return 0, false
		}
	}
	return by, by >= 0
}

// notches returns the notches in the order of the rings.
func (w *work) notches() []notch {
	var all []notch
	seen := make([]bool, len(w.P))
	for _, v := range w.Corner {
		if !seen[v] {
			seen[v] = true
			if n, ok := w.notch(v); ok {
				all = append(all, n)
			}
		}
	}
	return all
}
