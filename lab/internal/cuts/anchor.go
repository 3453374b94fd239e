package cuts

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// maxSearched bounds how many triangles Anchor looks at.
const maxSearched = 256

// Anchor returns a vertex on the border of the domain near p, a point inside, as the end of a cut: the
// nearest notch within reach, which needs a cut anyway; otherwise a corner made on the nearest wall, or an
// end of the wall. Without a wall within reach it returns -1.
func (d *Domain) Anchor(p lattice.Point, reach float64) int32 {
	start := d.Find(p)
	if !d.Inside[start/3] {
		return -1
	}
	d.findNotches()
	notch, wall := int32(-1), int32(-1)
	toNotch, toWall := reach*reach, reach*reach
	queue := []int32{start / 3}
	seen := map[int32]bool{start / 3: true}
	for i := 0; i < len(queue) && i < maxSearched; i++ {
		for e := 3 * queue[i]; e < 3*queue[i]+3; e++ {
			h := d.H[e]
			u, v := d.P[h.V], d.P[d.Head(e)]
			if int(h.V) < len(d.notch) && d.notch[h.V] {
				if dist := float64(p.Distance2(u)); dist < toNotch {
					notch, toNotch = h.V, dist
				}
			}
			dist := lattice.SegmentDistance2(p, u, v).Float()
			if dist >= reach*reach {
				continue
			}
			if h.Mark == cdt.Free || h.Mark == d.mark {
				if t := h.Opp / 3; !seen[t] {
					seen[t] = true
					queue = append(queue, t)
				}
			} else if dist < toWall {
				wall, toWall = e, dist
			}
		}
	}
	if notch >= 0 || wall < 0 {
		return notch
	}
	u, v := d.H[wall].V, d.Head(wall)
	at := lattice.Nearest(p, d.P[u], d.P[v])
	// A corner beside the end of a wall would make a sliver.
	if du, dv := at.Distance(d.P[u]), at.Distance(d.P[v]); min(du, dv) > reach/2 {
		if c := d.Corner(wall, at); c >= 0 {
			return c
		}
	}
	if at.Distance2(d.P[u]) <= at.Distance2(d.P[v]) {
		return u
	}
	return v
}

// findNotches marks the vertices of the rings that have more than 180° of free space between two walls.
func (d *Domain) findNotches() {
	if d.notch != nil {
		return
	}
	d.notch = make([]bool, d.firstNew)
	for first := 0; first < len(d.Walls); {
		end := first
		for end < len(d.Walls) && d.Walls[end].Ring == d.Walls[first].Ring {
			end++
		}
		for i := first; i < end; i++ {
			w, next := d.Walls[i], i+1
			if next == end {
				next = first
			}
			if lattice.Orient(d.P[w.From], d.P[w.To], d.P[d.Walls[next].To]) < 0 {
				d.notch[w.To] = true
			}
		}
		first = end
	}
}
