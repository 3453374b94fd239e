//go:build peers

package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
)

// The exact border of a mesh is the limit for the agent's centre: at the distance of its radius from every
// obstacle and from the edge of the floor. On a flat floor the distance needs none of our own algorithms, so
// every point of a border can be judged: its distance to the nearest obstacle, less the radius, is its
// distance from the exact line, negative when too near.

// point is a place on the ground in metres, as [geom.Ground] has it.
type point struct{ x, y float64 }

func (p point) to(q point) float64 { return math.Hypot(q.x-p.x, q.y-p.y) }

// segment joins two points.
type segment struct{ a, b point }

func (s segment) length() float64 { return s.a.to(s.b) }

// at returns the point at the share f of the way from a to b.
func (s segment) at(f float64) point {
	return point{s.a.x + f*(s.b.x-s.a.x), s.a.y + f*(s.b.y-s.a.y)}
}

// distance returns how far p is from the nearest point of s, and whether that point is between the
// ends.
func (s segment) distance(p point) (d float64, between bool) {
	dx, dy := s.b.x-s.a.x, s.b.y-s.a.y
	if dx == 0 && dy == 0 {
		return s.a.to(p), false
	}
	f := ((p.x-s.a.x)*dx + (p.y-s.a.y)*dy) / (dx*dx + dy*dy)
	return s.at(min(max(f, 0), 1)).to(p), f > 0 && f < 1
}

// nearest returns the distance to the nearest segment, and whether its nearest point is between
// the ends of one: on a straight wall, and not at its corner.
func nearest(p point, segments []segment) (least float64, straight bool) {
	least = math.Inf(1)
	for _, s := range segments {
		d, between := s.distance(p)
		switch {
		case d < least-same:
			least, straight = d, between
		case d < least+same:
			least, straight = min(d, least), straight || between
		}
	}
	return least, straight
}

// corner is the end of a wall, with all segments through it.
type corner struct {
	at       point
	segments []segment
}

// corners lists the ends of segments, each once.
func corners(segments []segment) []corner {
	var out []corner
	for _, s := range segments {
		for _, p := range [2]point{s.a, s.b} {
			if slices.ContainsFunc(out, func(c corner) bool { return c.at.to(p) < same }) {
				continue
			}
			c := corner{at: p}
			for _, t := range segments {
				if d, _ := t.distance(p); d < same {
					c.segments = append(c.segments, t)
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// rounded reports whether p is within a reach of a corner that sticks out towards p: whether the corner is the
// nearest point of all its segments.
func rounded(p point, corners []corner, reach float64) bool {
	return slices.ContainsFunc(corners, func(c corner) bool {
		d := c.at.to(p)
		return d < reach && !slices.ContainsFunc(c.segments, func(s segment) bool {
			e, _ := s.distance(p)
			return e < d-same
		})
	})
}

// same is the largest difference of distances of one place, in metres: far below a lattice unit, far above
// the rounding of coordinates.
const same = 1e-6

// walls returns the outlines, seen from above, of all that lies between two heights. A point
// outside of all solids is as far from them as from the nearest outline.
func walls(lvl *level.Level, low, high float64) []segment {
	var out []segment
	for _, t := range lvl.Triangles {
		ring := []geom.Vec{lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C]}
		ring = above(ring, low)
		ring = mirrored(above(mirrored(ring), -high))
		for i, v := range ring {
			var s segment
			w := ring[(i+1)%len(ring)]
			s.a.x, s.a.y = geom.Ground(v)
			s.b.x, s.b.y = geom.Ground(w)
			out = append(out, s)
		}
	}
	return out
}

// above returns the part of a convex ring above the height h, nothing when it only touches it.
func above(ring []geom.Vec, h float64) []geom.Vec {
	if !slices.ContainsFunc(ring, func(v geom.Vec) bool { return v.Y > h }) {
		return nil
	}
	var out []geom.Vec
	for i, v := range ring {
		w := ring[(i+1)%len(ring)]
		if v.Y >= h {
			out = append(out, v)
		}
		if (v.Y < h && w.Y > h) || (v.Y > h && w.Y < h) {
			out = append(out, v.Add(w.Sub(v).Scale((h-v.Y)/(w.Y-v.Y))))
		}
	}
	return out
}

func mirrored(ring []geom.Vec) []geom.Vec {
	out := make([]geom.Vec, len(ring))
	for i, v := range ring {
		out[i] = geom.Vec{X: v.X, Y: -v.Y, Z: v.Z}
	}
	return out
}

// Deviation is how far a border is from the exact line, in metres.
type Deviation struct {
	Length float64 `json:"length_m"`
	Mean   float64 `json:"mean_m"` // of the size, over the length
	// Near is the most by which the border is too near to an obstacle, Far the most by which it is too far.
	Near float64 `json:"max_near_m"`
	Far  float64 `json:"max_far_m"`
}

// sampling is the distance between the judged points of a border, in metres.
const sampling = 0.01

// roundness is how far beyond the radius from a corner a place still belongs to it, in metres: borders go around a
// corner in chords, and where they meet the border along another wall their places are nearest to that wall.
const roundness = 0.05

// Border judges a border. Each point counts for its nearest obstacle; places around corners count for corners.
type Border struct {
	Straight Deviation `json:"straight_walls"`
	Corners  Deviation `json:"corners"` // of walls
	Edge     Deviation `json:"edge"`    // of the floor
}

// judge compares a border with the exact border.
func judge(border, walls, edge []segment, radius float64) Border {
	var out Border
	ends := corners(walls)
	for _, s := range border {
		n := max(1, int(math.Ceil(s.length()/sampling)))
		for i := range n + 1 {
			// The two ends stand for half a step each.
			step := s.length() / float64(n)
			if i == 0 || i == n {
				step /= 2
			}
			p := s.at(float64(i) / float64(n))
			toWall, straight := nearest(p, walls)
			toEdge, _ := nearest(p, edge)
			switch {
			case toEdge < toWall:
				out.Edge.add(toEdge-radius, step)
			case straight && !rounded(p, ends, radius+roundness):
				out.Straight.add(toWall-radius, step)
			default:
				out.Corners.add(toWall-radius, step)
			}
		}
	}
	out.Straight.finish()
	out.Corners.finish()
	out.Edge.finish()
	return out
}

func (d *Deviation) add(off, length float64) {
	d.Length += length
	d.Mean += math.Abs(off) * length
	d.Near = max(d.Near, -off)
	d.Far = max(d.Far, off)
}

func (d *Deviation) finish() {
	if d.Length > 0 {
		d.Mean /= d.Length
	}
}

// meshBorder returns the parts of the regions' edges that no portal covers.
func meshBorder(m *navmesh.Mesh) []segment {
	var out []segment
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for r := range t.Regions {
			out = append(out, regionBorder(m.Frame, t, r)...)
		}
	}
	return out
}

func regionBorder(f lattice.Frame, t *navmesh.Tile, r int) []segment {
	place := func(v uint32) (p point) {
		p.x, p.y = geom.Ground(f.ToWorld(t.Vertices[v].Point, 0))
		return p
	}
	var out []segment
	corners, portals := t.RegionCorners(r), t.RegionPortals(r)
	for e, v := range corners {
		start, end := place(v), place(corners[(e+1)%len(corners)])
		var open []portal
		for _, p := range portals {
			if int(p.Edge) == e {
				open = append(open, portal{start.to(place(p.Right)), place(p.Right), place(p.Left)})
			}
		}
		// Seen by someone who walks out, a counter-clockwise edge runs from right to left.
		slices.SortFunc(open, func(a, b portal) int { return cmp.Compare(a.along, b.along) })
		for _, p := range open {
			if start != p.right {
				out = append(out, segment{start, p.right})
			}
			start = p.left
		}
		if start != end {
			out = append(out, segment{start, end})
		}
	}
	return out
}

// portal is where an edge is open.
type portal struct {
	along       float64 // from the start of the edge
	right, left point
}
