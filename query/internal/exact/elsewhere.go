package exact

// Bounds by landmarks of a base, on an Index that comes from the base by edits, filters and links.
//
// Source: as landmarks.go; the search opens nodes again as in A. Martelli, On the complexity of admissible search
// algorithms, Artificial Intelligence 8 (1977).
//
// Idea: edits and filters only take floor; hence a way over the floor is no shorter than on the base. A place p is in a
// region R of the base, or in a piece of R. R is convex; hence p sees every corner q of R on the base. The distance from
// landmark k to p is then between the greatest d(k,q) - |pq| and the least d(k,q) + |pq|. By the triangle inequality, the
// way from p to the goal is at least as long as the gap between the bounds of p and those of the goal.
//
// A way with hops is a chain: floor, a hop, floor, and so on. The bound of a chain is the sum of the bounds of its floor
// and the costs of its hops. The least bounds from the start of each hop to the goal are those of shortest chains over
// all hops, as between the nodes of a small graph. The bound of a place is the least bound of the ways without a
// hop and with each first hop.
//
// Input: an Index of the base's history with at most mostLandmarkHops hops, on ground of equal cost.
//
// Guarantees:
//  1. No bound is above the truth, on edited and filtered Indexes and with links (TestEditedBounds).
//  2. Paths are as long as without landmarks, and as on a mesh made from scratch (TestEditedBounds).
//
// Degenerate cases: rounding may make a way shorter than on the base, see package index, rough.go; bounds give way by as
// much. Places in parts that the base does not join are apart but for hops. A region without corners gives no bound; its
// places have the bound of the corner before, less the way between them.
//
// Cost: O(c + h) for each corner that a search finds, c corners of its region and h hops; O(h²) for a search, and for a
// change of hops. Neighbouring regions have different corners; hence bounds jump at portals, and a corner may be expanded
// before its shortest way is known. A search that opens more than a few corners again goes on without landmarks.
//
// Departures: none of note.

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// mostReopened is the number of corners that a search opens again before it does without landmarks, besides an eighth of its
// nodes.
const mostReopened = 16

// elsewhereGain is the least ratio of a bound by landmarks to the straight line for a search with landmarks off the base.
const elsewhereGain = 1.1

// hopBounds are the bounds of a hop's ends.
type hopBounds struct {
	start, end         bounds
	startPart, endPart uint32 // of the base
	startAt, endAt     lattice.Point
}

// On returns the landmarks for an Index that comes from the base by edits and filters. before are the landmarks of an
// earlier Index, whose hops may be the same.
func (l *Landmarks) On(ix *index.Index, before *Landmarks) Landmarks {
	out := Landmarks{From: l.From, base: l.base, count: l.count, corners: l.corners, first: l.first}
	if l.From == nil {
		return out
	}
	if ix == l.base {
		out.own = true
		return out
	}
	if out.off = ix.Ground.Uneven || len(ix.Hops) > mostLandmarkHops; out.off {
		return out
	}
	out.loss = float64(len(ix.Rough) * index.RoughLoss)
	if len(ix.Hops) > 0 {
		out.boundHops(ix, before)
	}
	return out
}

// boundHops fills in the bounds of the hops.
func (l *Landmarks) boundHops(ix *index.Index, before *Landmarks) {
	n := len(ix.Hops)
	same := len(before.hops) == n && before.loss == l.loss
	for i := 0; same && i < n; i++ {
		same = before.hops[i].startAt == ix.Hops[i].Start && before.hops[i].endAt == ix.Hops[i].End
	}
	if same {
		l.hops, l.legs = before.hops, before.legs
		return
	}
	l.hops, l.legs = make([]hopBounds, n), make([]float64, n*n)
	for i := range ix.Hops {
		h, b := &ix.Hops[i], &l.hops[i]
		from, to := ix.HopBases(h)
		b.startAt, b.endAt, b.startPart, b.endPart = h.Start, h.End, l.base.PartOf(from), l.base.PartOf(to)
		b.start, b.end = l.Bound(l.base, h.Start, []uint32{from}), l.Bound(l.base, h.End, []uint32{to})
	}
	for i := range l.hops {
		for j := range l.hops {
			a, b := &l.hops[i], &l.hops[j]
			l.legs[i*n+j] = l.apart(&a.end, &b.start, a.endAt, b.startAt, a.endPart, b.startPart)
		}
	}
}

// corner is a corner of a region of the base.
type corner struct {
	at   lattice.Point
	turn int32
}

// cornersOf returns the corners of a region of the base.
func (l *Landmarks) cornersOf(base uint32) []corner { return l.corners[l.first[base]:l.first[base+1]] }

// listCorners lists the corners of all regions of the base.
func (l *Landmarks) listCorners() {
	l.corners, l.first = nil, make([]uint32, 1, l.base.RegionLimit()+1)
	for r := range uint32(l.base.RegionLimit()) {
		begin := len(l.corners)
		eachCorner(l.base, r, func(c int32, end lattice.Point) {
			if !slices.ContainsFunc(l.corners[begin:], func(o corner) bool { return o.turn == c }) {
				l.corners = append(l.corners, corner{end, c})
			}
		})
		l.first = append(l.first, uint32(len(l.corners)))
	}
}

// regionOf returns the region of the base that region r of the Index in use is, or is a piece of, and the greatest loss
// of the distances within.
func (l *Landmarks) regionOf(ix *index.Index, r uint32) (base uint32, loss float64) {
	if int(r) < l.base.RegionLimit() {
		return r, 0
	}
	return ix.Base(r), index.PieceLoss
}

// apart returns a lower bound of the ways over the floor between two places with bounds.
func (l *Landmarks) apart(a, b *bounds, atA, atB lattice.Point, partA, partB uint32) float64 {
	if partA != partB {
		return math.Inf(1)
	}
	least := 0.0
	for k := range a.Low {
		least = gap(least, a.Low[k], a.High[k], b.Low[k], b.High[k])
	}
	return max(least-l.loss-outdoneBy, index.Distance(atA, atB))
}

// aimElsewhere prepares the bounds of a search on an Index that is not the base, and returns the bound of its start.
func (s *One) aimElsewhere(from, to *bounds) (rest float64) {
	l, ix := s.landmarks, s.ix
	at := s.Roots[0].At
	base, _ := l.regionOf(ix, s.goalIn)
	s.goalPart = l.base.PartOf(base)
	base, _ = l.regionOf(ix, s.startSet[0])
	part := l.base.PartOf(base)
	rest = l.apart(from, to, at, s.Goal, part, s.goalPart)
	s.boundHops(to)
	for i := range l.hops {
		b := &l.hops[i]
		rest = min(rest, l.apart(from, &b.start, at, b.startAt, part, b.startPart)+s.hopRests[i])
	}
	return rest
}

// boundHops finds the least bounds from the start of each hop over the hop to the goal: R. Bellman's iteration over chains of
// more and more hops.
func (s *One) boundHops(to *bounds) {
	l, n := s.landmarks, len(s.landmarks.hops)
	s.hopRests = s.hopRests[:0]
	for i := range l.hops {
		h, b := &s.ix.Hops[i], &l.hops[i]
		rest := math.Inf(1)
		if !h.Closed() {
			rest = h.Cost + l.apart(&b.end, to, b.endAt, s.Goal, b.endPart, s.goalPart)
		}
		s.hopRests = append(s.hopRests, rest)
	}
	for more := true; more; {
		more = false
		for i := range s.hopRests {
			if s.ix.Hops[i].Closed() {
				continue
			}
			for j, rest := range s.hopRests {
				if way := s.ix.Hops[i].Cost + l.legs[i*n+j] + rest; way < s.hopRests[i]-outdoneBy {
					s.hopRests[i], more = way, true
				}
			}
		}
	}
	for i := range s.hopRests {
		s.hopRests[i] = max(s.hopRests[i]-float64(len(s.hopRests))*outdoneBy, 0)
	}
}

// restElsewhere returns a lower bound of the ways from a root to the goal.
func (s *One) restElsewhere(r *root) float64 {
	l := s.landmarks
	var low, high [activeLandmarks]float64
	part := s.rangesOf(r, &low, &high)
	rest := math.Inf(1)
	if part == s.goalPart {
		least := 0.0
		for k := range s.Aims {
			least = gap(least, low[k], high[k], s.Aims[k].Low, s.Aims[k].High)
		}
		rest = max(least-l.loss-outdoneBy, index.Distance(r.At, s.Goal))
	}
	for i := range l.hops {
		b := &l.hops[i]
		if b.startPart != part {
			continue
		}
		way := index.Distance(r.At, b.startAt)
		if way+s.hopRests[i] >= rest {
			continue
		}
		least := 0.0
		for k := range s.Aims {
			n := s.Aims[k].Landmark
			least = gap(least, low[k], high[k], b.start.Low[n], b.start.High[n])
		}
		rest = min(rest, max(way, least-l.loss-outdoneBy)+s.hopRests[i])
	}
	return rest
}

// rangesOf fills in bounds of the distances of a root from the active landmarks, and returns the root's part of the base.
func (s *One) rangesOf(r *root, low, high *[activeLandmarks]float64) (part uint32) {
	l, ix := s.landmarks, s.ix
	in := uint32(0)
	if r.hop != index.None {
		in = ix.Hops[r.hop].To
	} else {
		if c, ok := l.cornerOf(ix, r); ok {
			from := l.Of(c)
			for k := range s.Aims {
				low[k] = from[s.Aims[k].Landmark]
				high[k] = low[k]
			}
			return l.base.PartOf(l.base.Portal(uint32(r.portal)).To)
		}
		in = ix.Portal(uint32(r.portal)).To
	}
	base, loss := l.regionOf(ix, in)
	for k := range high {
		high[k] = math.Inf(1)
	}
	if len(s.Aims) > 0 {
		for _, c := range l.cornersOf(base) {
			d := index.Distance(r.At, c.at) + loss
			from := l.Of(c.turn)
			for k := range s.Aims {
				way := from[s.Aims[k].Landmark]
				low[k], high[k] = max(low[k], way-d), min(high[k], way+d)
			}
		}
	}
	return l.base.PartOf(base)
}

// cornerOf returns the corner of the base at a root, if the root's portal is a portal of the base.
func (l *Landmarks) cornerOf(ix *index.Index, r *root) (corner int32, ok bool) {
	n := uint32(r.portal)
	if int(n) >= l.base.PortalLimit() {
		return 0, false
	}
	p, o := l.base.Portal(n), ix.Portal(n)
	if corner = p.RightTurn; r.left {
		corner = p.LeftTurn
	}
	return corner, corner != index.NoTurn && p.To == o.To && p.Left == o.Left && p.Right == o.Right
}

// gap returns the gap between two ranges, at least least. Infinite bounds give no number, and do not count.
func gap(least, lowA, highA, lowB, highB float64) float64 {
	if d := lowB - highA; d > least {
		least = d
	}
	if d := lowA - highB; d > least {
		least = d
	}
	return least
}

// stopAiming makes a search go on without landmarks.
func (s *One) stopAiming() {
	s.aiming = false
	for i := range s.Roots {
		s.Roots[i].rest = 0
	}
	s.queueAnew()
}

// Aimed reports whether the search uses landmarks.
func (s *One) Aimed() bool { return s.aiming }

// Bounded is a corner that a search has found, and its lower bound of the ways to the goal.
type Bounded struct {
	At   index.Place
	Rest float64
}

// Rests lists the corners that a search has found with bounds by landmarks, and both ends of portals whose views have bounds.
func (s *One) Rests() (list []Bounded) {
	for i := range s.Roots {
		if r := &s.Roots[i]; r.portal != index.None && r.rest > 0 {
			list = append(list, Bounded{index.Place{Region: s.ix.Portal(uint32(r.portal)).To, At: r.At}, r.rest})
		}
	}
	for i := range s.Views {
		if v := &s.Views[i]; s.aiming && s.landmarks.own {
			p, rest := s.ix.Portal(v.portal), s.restBeyond(v)
			for _, end := range [2]lattice.Point{p.Left, p.Right} {
				list = append(list, Bounded{index.Place{Region: p.To, At: end}, rest - index.Distance(s.Roots[v.Root].At, end)})
			}
		}
	}
	return list
}
