package join

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/navmesh"
)

// checkMarks checks the indices of marks and of the domains of links.
func checkMarks(p *plan.Plan) error {
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			for _, k := range p.Layers[l].Domains[d].Marks {
				if k < 0 || int(k) >= len(p.Marks) {
					return fmt.Errorf("build: layer %d, domain %d: it is in mark %d of %d", l, d, k, len(p.Marks))
				}
			}
		}
	}
	for i, k := range p.Links {
		for _, id := range [2]plan.DomainID{k.From, k.To} {
			if id.Layer < 0 || int(id.Layer) >= len(p.Layers) || id.Domain < 0 || int(id.Domain) >= len(p.Layers[id.Layer].Domains) {
				return fmt.Errorf("build: link %d: layer %d has no domain %d", i, id.Layer, id.Domain)
			}
		}
		switch {
		case k.Kind > plan.Teleport:
			return fmt.Errorf("build: link %d is of kind %d", i, k.Kind)
		case k.Mark < plan.NoMark || int(k.Mark) >= len(p.Marks):
			return fmt.Errorf("build: link %d has mark %d of %d", i, k.Mark, len(p.Marks))
		case !(k.Cost >= 0) || math.IsInf(k.Cost, 0) || k.Clearance < 0:
			return fmt.Errorf("build: link %d costs %g m and has a clearance of %d", i, k.Cost, k.Clearance)
		}
	}
	return nil
}

func (j *join) links(m *navmesh.Mesh) {
	for _, k := range j.plan.Marks {
		mark := navmesh.Mark{Name: k.Name, Kind: k.Kind}
		if k.Door {
			mark.Flags = navmesh.Door.Flag()
		}
		m.Marks = append(m.Marks, mark)
	}
	if len(j.plan.Links) == 0 {
		return
	}
	// The pieces of every domain, including cells merged into pieces of other domains. Domains of one layer that tiles cut apart are one.
	floor := unionfind.New(len(j.domains))
	for i := range j.plan.Chains {
		if c := &j.plan.Chains[i]; c.Kind == plan.TileCut && c.Left.Layer == c.Right.Layer {
			first := j.first[c.Left.Layer]
			floor.Union(int32(first)+c.Left.Domain, int32(first)+c.Right.Domain)
		}
	}
	pieces := make([][]int32, len(j.domains))
	for i := range j.pieces {
		for _, c := range j.pieces[i].all() {
			root := floor.Find(c.domain)
			if of := pieces[root]; len(of) == 0 || of[len(of)-1] != int32(i) {
				pieces[root] = append(of, int32(i))
			}
		}
	}
	of := func(id plan.DomainID) []int32 { return pieces[floor.Find(int32(j.first[id.Layer])+id.Domain)] }
	for i := range j.plan.Links {
		k := &j.plan.Links[i]
		if k.Mark != plan.NoMark {
			m.Marks[k.Mark].Flags |= navmesh.LinkKind(k.Kind).Flag()
		}
		starts, ends := j.stretches(k.Start, of(k.From)), j.stretches(k.End, of(k.To))
		for _, s := range starts {
			for _, e := range ends {
				if from, to := max(s.from, e.from), min(s.to, e.to); from < to || from == to && s.whole && e.whole {
					m.Links = append(m.Links, j.link(k, s.piece, e.piece, from, to))
				}
			}
		}
	}
	slices.SortStableFunc(m.Links, func(a, b navmesh.Link) int { return cmp.Compare(a.From, b.From) })
}

// link makes the part of a link between two pieces.
func (j *join) link(k *plan.Link, from, to int32, t0, t1 float64) navmesh.Link {
	ref := func(piece int32) navmesh.Ref { return navmesh.MakeRef(0, int(piece), firstGeneration) }
	l := navmesh.Link{
		From: ref(from), To: ref(to), Kind: navmesh.LinkKind(k.Kind), Flags: navmesh.LinkKind(k.Kind).Flag(),
		Cost: float32(k.Cost), Mark: uint32(k.Mark + 1), Clearance: k.Clearance,
	}
	straight := 0.0
	for i, t := range [2]float64{t0, t1} {
		l.Start[i] = j.into(from, partOf(k.Start, t))
		l.End[i] = j.into(to, partOf(k.End, t))
		straight = max(straight, l.Start[i].Distance(l.End[i].Point)*lattice.Unit)
	}
	// Rounding must not make a link cheaper than its length.
	if k.Cost >= straight-4*lattice.Unit {
		for float64(l.Cost) < straight {
			l.Cost = max(float32(straight), math.Nextafter32(l.Cost, math.MaxFloat32))
		}
	}
	return l
}

// partOf returns the place at a relative position along a segment.
func partOf(s [2]lattice.Vertex, t float64) lattice.Vertex {
	mix := func(a, b int32) int32 {
		return int32(math.Floor(float64(a) + float64(t*float64(int64(b)-int64(a))) + 0.5))
	}
	return lattice.Vertex{Point: lattice.Point{X: mix(s[0].X, s[1].X), Y: mix(s[0].Y, s[1].Y)}, Z: mix(s[0].Z, s[1].Z)}
}

// stretch is the part of a segment in a piece, between two relative positions along the segment.
type stretch struct {
	piece    int32
	from, to float64
	whole    bool // a point, or all of a segment
}

// stretches divides a segment among pieces. A point, and a segment outside all pieces, goes to the nearest piece.
func (j *join) stretches(s [2]lattice.Vertex, pieces []int32) []stretch {
	var list []stretch
	if s[0].Point != s[1].Point {
		for _, i := range pieces {
			if from, to := clipSegment(s[0].Point, s[1].Point, j.pieces[i].points); from < to {
				list = append(list, stretch{i, from, to, from == 0 && to == 1})
			}
		}
		slices.SortStableFunc(list, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
		// A stretch along the common side of two pieces goes to the first.
		kept := list[:0]
		for _, s := range list {
			if n := len(kept); n > 0 {
				s.from = max(s.from, kept[n-1].to)
			}
			if s.from < s.to {
				kept = append(kept, s)
			}
		}
		list = kept
	}
	if len(list) > 0 {
		return list
	}
	best, at := math.Inf(1), int32(-1)
	for _, i := range pieces {
		near := j.into(i, s[0])
		if d := near.Distance(s[0].Point); d < best {
			best, at = d, i
		}
	}
	if at < 0 {
		return nil
	}
	return []stretch{{at, 0, 1, true}}
}

// clipSegment returns the part of the way from a to b inside a convex ring; the part is empty if from >= to.
func clipSegment(a, b lattice.Point, ring []lattice.Point) (from, to float64) {
	to = 1
	for i, v := range ring {
		w := ring[(i+1)%len(ring)]
		sa, sb := lattice.Orient(v, w, a), lattice.Orient(v, w, b)
		switch {
		case sa < 0 && sb <= 0 || sa <= 0 && sb < 0:
			return 1, 0
		case sa < 0:
			from = max(from, float64(sa)/(float64(sa)-float64(sb)))
		case sb < 0:
			to = min(to, float64(sa)/(float64(sa)-float64(sb)))
		}
	}
	return from, to
}

// into moves a vertex to the nearest place of a piece: a lattice point of the piece nearby, else a corner.
func (j *join) into(piece int32, v lattice.Vertex) lattice.Vertex {
	ring := j.pieces[piece].points
	if inside(v.Point, ring) {
		return v
	}
	best := math.Inf(1)
	near, found := v.Point, v.Point
	for i, a := range ring {
		if p := lattice.Nearest(v.Point, a, ring[(i+1)%len(ring)]); p.Distance(v.Point) < best {
			best, near = p.Distance(v.Point), p
		}
	}
	best = math.Inf(1)
	try := func(p lattice.Point) {
		if d := p.Distance(v.Point); d < best && inside(p, ring) {
			best, found = d, p
		}
	}
	for y := near.Y - 1; y <= near.Y+1; y++ {
		for x := near.X - 1; x <= near.X+1; x++ {
			try(lattice.Point{X: x, Y: y})
		}
	}
	if math.IsInf(best, 1) {
		for _, p := range ring {
			try(p)
		}
	}
	return lattice.Vertex{Point: found, Z: v.Z}
}
