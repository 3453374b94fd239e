package waypoint

import "github.com/meadow-nav/meadow/geom/lattice"

// grower finds boxes without a wall inside.
type grower struct {
	space *space
	world lattice.Box
	seen  []uint32 // of every triangle, its last try
	try   uint32
	todo  []int32
}

func newGrower(s *space, world lattice.Box) *grower {
	return &grower{space: s, world: world, seen: make([]uint32, s.triangles())}
}

// grow returns a box around p. It first takes the largest square around p without a wall inside, and then
// moves each side, to the east, north, west and south, as far out as possible. Without room for a square the
// box is p alone.
func (g *grower) grow(p spot) lattice.Box {
	at := func(half int64) lattice.Box {
		return lattice.Box{
			Min: lattice.Point{X: clamp(int64(p.X)-half, g.world.Min.X, p.X), Y: clamp(int64(p.Y)-half, g.world.Min.Y, p.Y)},
			Max: lattice.Point{X: clamp(int64(p.X)+half, p.X, g.world.Max.X), Y: clamp(int64(p.Y)+half, p.Y, g.world.Max.Y)},
		}
	}
	w, h := g.world.Size()
	half := g.farthest(p, max(w, h), at)
	box := at(half)
	if half == 0 {
		return box // without an inside it would grow through walls
	}
	// The square reaches a wall, or the border of the world, on one side.
	for side := range 4 {
		start := box
		out := func(by int64) lattice.Box {
			b := start
			switch side {
			case 0:
				b.Max.X = clamp(int64(b.Max.X)+by, b.Max.X, g.world.Max.X)
			case 1:
				b.Max.Y = clamp(int64(b.Max.Y)+by, b.Max.Y, g.world.Max.Y)
			case 2:
				b.Min.X = clamp(int64(b.Min.X)-by, g.world.Min.X, b.Min.X)
			default:
				b.Min.Y = clamp(int64(b.Min.Y)-by, g.world.Min.Y, b.Min.Y)
			}
			return b
		}
		box = out(g.farthest(p, max(w, h), out))
	}
	return box
}

func clamp(v int64, lo, hi int32) int32 { return int32(min(max(v, int64(lo)), int64(hi))) }

// farthest returns the largest number up to most with a free box; 0 is free.
func (g *grower) farthest(p spot, most int64, box func(int64) lattice.Box) int64 {
	free, blocked := int64(0), int64(1)
	for blocked <= most && g.free(p, box(blocked)) {
		free, blocked = blocked, 2*blocked
	}
	if blocked > most {
		if g.free(p, box(most)) {
			return most
		}
		blocked = most
	}
	for free+1 < blocked {
		if m := free + (blocked-free)/2; g.free(p, box(m)) {
			free = m
		} else {
			blocked = m
		}
	}
	return free
}

// free reports whether b, which contains p, has no wall inside. It visits the triangles of b, starting from
// p's; the visits meet any wall inside.
func (g *grower) free(p spot, b lattice.Box) bool {
	g.try++
	g.seen[p.triangle] = g.try
	for g.todo = append(g.todo[:0], p.triangle); len(g.todo) > 0; {
		t := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		for e := 3 * t; e < 3*t+3; e++ {
			if !enters(g.space.corners[e], g.space.corners[after(e)], b) {
				continue
			}
			o := g.space.behind[e]
			if o < 0 {
				return false
			}
			if g.seen[o/3] != g.try {
				g.seen[o/3] = g.try
				g.todo = append(g.todo, o/3)
			}
		}
	}
	return true
}

// enters tells whether a point of the segment from p to q is strictly inside of b: no side of the
// box and not the line of the segment separates them.
func enters(p, q lattice.Point, b lattice.Box) bool {
	if max(p.X, q.X) <= b.Min.X || min(p.X, q.X) >= b.Max.X || max(p.Y, q.Y) <= b.Min.Y || min(p.Y, q.Y) >= b.Max.Y ||
		b.Min.X == b.Max.X || b.Min.Y == b.Max.Y {
		return false
	}
	left, right := false, false
	for _, c := range [...]lattice.Point{b.Min, b.Max, {X: b.Min.X, Y: b.Max.Y}, {X: b.Max.X, Y: b.Min.Y}} {
		o := lattice.Orient(p, q, c)
		left, right = left || o > 0, right || o < 0
	}
	return left && right
}
