package cdt

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Domain is the constrained Delaunay triangulation of a domain: its edges are constrained and marked with
// their numbers, its triangles are Inside.
type Domain struct {
	*Triangulation
	Walls []Wall
	// Corner holds the vertex of every point of the rings, ring by ring. Points at the same place
	// share a vertex.
	Corner []int32
}

// Wall is an edge of the domain, wall or chain. Walls are numbered ring by ring, edge by edge. Its half-edges
// with the domain on the left run in the direction of the ring.
type Wall struct {
	plan.EdgeID
	Chain    plan.ChainID
	From, To int32 // vertices
}

// FromDomain triangulates d. Rings may touch themselves and each other at single points: two vertices at the
// same place, or a vertex in the middle of an edge. Crossing, overlapping, wrongly nested or wrongly wound
// rings are an error with the edges and the place.
func FromDomain(d *plan.Domain) (*Domain, error) {
	points := make([]lattice.Point, 0, d.Len())
	walls := make([]Wall, 0, d.Len())
	if len(d.Rings) == 0 {
		return nil, fmt.Errorf("the domain has no rings")
	}
	for r, ring := range d.Rings {
		if len(ring) < 3 {
			return nil, fmt.Errorf("ring %d has %d points, a ring needs 3", r, len(ring))
		}
		if d.Edges != nil && (len(d.Edges) != len(d.Rings) || len(d.Edges[r]) != len(ring)) {
			return nil, fmt.Errorf("ring %d: edges and points differ in number", r)
		}
		for i, p := range ring {
			if min(p.X, p.Y) < -lattice.MaxCoord || max(p.X, p.Y) > lattice.MaxCoord {
				return nil, fmt.Errorf("ring %d, point %d: %v is outside of the frame", r, i, p)
			}
			w := Wall{EdgeID: plan.EdgeID{Ring: int32(r), Index: int32(i)}, Chain: plan.Wall}
			if d.Edges != nil {
				w.Chain = d.Edges[r][i]
			}
			walls = append(walls, w)
		}
		points = append(points, ring...)
	}
	t, ids := New(points)
	dom := &Domain{Triangulation: t, Walls: walls, Corner: ids}
	first := 0
	for _, ring := range d.Rings {
		for i := range ring {
			walls[first+i].From, walls[first+i].To = ids[first+i], ids[first+(i+1)%len(ring)]
		}
		first += len(ring)
	}
	if err := dom.raiseAll(points); err != nil {
		return nil, err
	}
	dom.flood()
	return dom, dom.checkWinding()
}

// Clone returns a domain of its own with the same triangles, which goes on from here like d. Time and memory are linear.
func (d *Domain) Clone() *Domain {
	t := &Triangulation{
		P: slices.Clone(d.P), H: slices.Clone(d.H), Edge: slices.Clone(d.Edge), Inside: slices.Clone(d.Inside),
		free: slices.Clone(d.free), locateAround: d.locateAround,
	}
	return &Domain{Triangulation: t, Walls: slices.Clone(d.Walls), Corner: slices.Clone(d.Corner)}
}

// raiseAll constrains all walls. Most of them are edges already and only need their mark. The others go in
// rounds of doubling size, so that walls with starts close to each other, such as teeth of combs, do not all
// cross the triangles around the others' ends.
func (d *Domain) raiseAll(points []lattice.Point) error {
	var missing []int32
	for i, w := range d.Walls {
		if w.From != w.To {
			if e, along := d.leave(w.From, d.P[w.To]); along && d.Head(e) == w.To && d.H[e].Mark == Free {
				d.setMark(e, int32(i))
				continue
			}
		}
		missing = append(missing, int32(i))
	}
	for _, k := range inRounds(len(missing)) {
		if err := d.raise(missing[k]); err != nil {
			return d.firstFault(points, err)
		}
	}
	return nil
}

// firstFault takes the fault of a wall and returns the fault of the first wall, by number, that earlier walls
// stop. So errors do not depend on the order of trials.
func (d *Domain) firstFault(points []lattice.Point, err error) error {
	d.Triangulation, _ = New(points)
	for i := range d.Walls {
		if err := d.raise(int32(i)); err != nil {
			return err
		}
	}
	return err
}

// String names the wall in an error.
func (w Wall) String() string { return fmt.Sprintf("ring %d, edge %d", w.Ring, w.Index) }

// raise constrains the edges of wall i.
func (d *Domain) raise(i int32) error {
	w := d.Walls[i]
	if w.From == w.To {
		return fmt.Errorf("%v has no length at %v", w, d.P[w.From])
	}
	from, to := w.From, w.To
	for from != w.To {
		b := d.Connect(from, to, i)
		switch {
		case b == Clear:
			from, to = to, w.To
		case b.Vertex >= 0:
			to = b.Vertex
		default:
			o := d.Walls[d.H[b.Edge].Mark]
			if u, v := d.H[b.Edge].V, d.Head(b.Edge); u == from && v == to || u == to && v == from {
				return fmt.Errorf("%v overlaps %v at %v", w, o, d.P[from])
			}
			return fmt.Errorf("%v crosses %v at %v", w, o, crossing(d.P[w.From], d.P[w.To], d.P[o.From], d.P[o.To]))
		}
	}
	return nil
}

// crossing returns the lattice point near the crossing of the segments a-b and c-d.
func crossing(a, b, c, d lattice.Point) lattice.Point {
	p, q := float64(lattice.Orient(c, d, a)), float64(lattice.Orient(c, d, b))
	s := p / (p - q)
	dx, dy := b.Sub(a)
	return lattice.Point{X: a.X + int32(s*float64(dx)), Y: a.Y + int32(s*float64(dy))}
}

// flood sets Inside: it changes at every wall, starting outside at a corner of the box.
func (d *Domain) flood() {
	seen := make([]bool, len(d.Inside))
	seen[d.Edge[0]/3] = true
	todo := append(d.stack[:0], d.Edge[0]/3)
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, h := range d.H[3*t : 3*t+3] {
			if h.Opp < 0 || seen[h.Opp/3] {
				continue
			}
			seen[h.Opp/3] = true
			d.Inside[h.Opp/3] = d.Inside[t] != (h.Mark != Free)
			todo = append(todo, h.Opp/3)
		}
	}
	d.stack = todo
}

// checkWinding verifies that the domain is to the left of every wall and not to the right.
func (d *Domain) checkWinding() error {
	wrong := int32(len(d.Walls))
	for e, h := range d.H {
		if h.Mark == Free || h.Mark >= wrong {
			continue
		}
		w := d.Walls[h.Mark]
		ux, uy := d.P[d.Head(int32(e))].Sub(d.P[h.V])
		vx, vy := d.P[w.To].Sub(d.P[w.From])
		if along := ux*vx+uy*vy > 0; along != d.Inside[e/3] {
			wrong = h.Mark
		}
	}
	if wrong == int32(len(d.Walls)) {
		return nil
	}
	w := d.Walls[wrong]
	return fmt.Errorf("%v at %v has the domain on its right: the outer ring must be counter-clockwise, "+
		"holes clockwise and inside of it", w, d.P[w.From])
}
