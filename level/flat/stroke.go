package flat

import (
	"math"
	"strings"
)

// stroke is the pen of an outline, in the coordinates that the outline is drawn in.
type stroke struct {
	half        float64 // half of the width
	cap, join   string
	miter       float64
	tolerance   float64
	room, spent int // points that the pieces may have, and have
}

// line is a stretch of an outline.
type line struct {
	points []point
	closed bool
}

// pieces returns areas that together are the stroke: a rectangle for each straight part, and the joins and caps.
func (s *stroke) pieces(l line) [][]point {
	points := l.points[:0:0]
	for i, p := range l.points {
		if i == 0 || p != l.points[i-1] {
			points = append(points, p)
		}
	}
	n := len(points)
	if l.closed && n > 1 && points[0] == points[n-1] {
		n--
		points = points[:n]
	}
	if n == 0 || n == 1 && s.cap == "" {
		return nil
	}
	var out [][]point
	add := func(ring ...point) {
		if s.spent += len(ring); s.spent <= s.room {
			out = append(out, ring)
		}
	}
	if n == 1 {
		switch p, h := points[0], s.half; s.cap {
		case "round":
			add(s.disc(p)...)
		case "square":
			add(point{p.x - h, p.y - h}, point{p.x + h, p.y - h}, point{p.x + h, p.y + h}, point{p.x - h, p.y + h})
		}
		return out
	}
	parts := n - 1
	if l.closed && n > 2 {
		parts = n
	}
	side := make([]point, parts) // to the left of each part, as long as half the width
	for k := range parts {
		a, b := points[k], points[(k+1)%n]
		dx, dy := b.x-a.x, b.y-a.y
		length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		side[k] = point{float64(-dy*s.half) / length, float64(dx*s.half) / length}
		from, to := a, b
		if s.cap == "square" && parts < n {
			ahead := point{side[k].y, -side[k].x}
			if k == 0 {
				from = point{a.x - ahead.x, a.y - ahead.y}
			}
			if k == parts-1 {
				to = point{b.x + ahead.x, b.y + ahead.y}
			}
		}
		m := side[k]
		add(point{from.x - m.x, from.y - m.y}, point{to.x - m.x, to.y - m.y}, point{to.x + m.x, to.y + m.y}, point{from.x + m.x, from.y + m.y})
	}
	if s.cap == "round" && parts < n {
		add(s.disc(points[0])...)
		add(s.disc(points[n-1])...)
	}
	for k := range parts {
		before := k - 1
		if before < 0 {
			if parts < n {
				continue
			}
			before = parts - 1
		}
		s.corner(points[k], side[before], side[k], add)
	}
	return out
}

// corner adds the join at v between two parts with sides u and w.
func (s *stroke) corner(v, u, w point, add func(...point)) {
	turn := float64(u.x*w.y) - float64(u.y*w.x)
	along := float64(u.x*w.x) + float64(u.y*w.y)
	h2 := float64(s.half * s.half)
	if turn == 0 && along > 0 {
		return
	}
	if s.join == "round" {
		add(s.disc(v)...)
		return
	}
	if turn > 0 { // the outer side is on the right
		u, w = point{-u.x, -u.y}, point{-w.x, -w.y}
	}
	a, b := point{v.x + u.x, v.y + u.y}, point{v.x + w.x, v.y + w.y}
	// The miter is as long as 1 / sin of half the angle: its square is 2 / (1 - cos), and cos is -along / h².
	if s.join != "bevel" && float64(s.miter*s.miter)*(h2+along) >= 2*h2 {
		k := h2 / (h2 + along)
		add(v, a, point{v.x + float64(k*(u.x+w.x)), v.y + float64(k*(u.y+w.y))}, b)
		return
	}
	add(v, a, b)
}

// disc returns a polygon around the disc of half the width, with corners on the circle.
func (s *stroke) disc(center point) []point {
	p := &pen{tolerance: s.tolerance, far: math.Inf(1), to: identity, room: s.room - s.spent}
	p.ellipse(center, s.half, s.half)
	p.end()
	if len(p.rings) == 0 {
		return nil
	}
	return p.rings[0]
}

// freeNames are names that make strokes, and cells of LDtk, floor.
var freeNames = []string{"floor", "free", "walkable", "ground", "road", "street", "path", "corridor"}

// isFreeName reports whether a name is in freeNames, also with an s, by the rule of isObstacleName.
func isFreeName(name string) bool {
	name = strings.TrimRight(strings.ToLower(strings.TrimSpace(name)), "0123456789 -_.:")
	for _, free := range freeNames {
		if name == free || name == free+"s" {
			return true
		}
	}
	return false
}
