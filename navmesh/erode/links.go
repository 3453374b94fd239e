package erode

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/plan"
)

// aside is how much farther than the radius grows the end of a link may have to move, in lattice units.
const aside = lattice.UnitsPerMetre / 2

// link adds the links that are wide enough. Their ends, where no floor is left, move to the nearest floor that is
// joined to where they were. Segments become shorter by the radius on both sides. What cost as much as it was long
// still does. Ways over boundaries are left to the builder.
func (e *eroder) link(p *plan.Plan) {
	for i := range e.mesh.Links {
		l := &e.mesh.Links[i]
		if l.Kind == navmesh.Boundary || float64(l.Clearance) < e.by {
			continue
		}
		start, end := e.trimmed(l.Start), e.trimmed(l.End)
		long := max(length(l.Start[0], l.End[0]), length(l.Start[1], l.End[1])) * lattice.Unit
		out := plan.Link{
			Kind: plan.LinkKind(l.Kind), Cost: float64(l.Cost), Clearance: l.Clearance - int32(math.Ceil(e.by)),
			Mark: int32(len(e.mesh.Marks) + i),
		}
		out.Clearance = max(out.Clearance, 0)
		var ok [2]bool
		out.From, out.Start, ok[0] = e.moved(p, int32(e.first[l.From.Slot()]+l.From.Index()), start)
		out.To, out.End, ok[1] = e.moved(p, int32(e.first[l.To.Slot()]+l.To.Index()), end)
		if !ok[0] || !ok[1] {
			continue
		}
		if math.Abs(out.Cost-long) <= 8*lattice.Unit {
			out.Cost = max(length(out.Start[0], out.End[0]), length(out.Start[1], out.End[1])) * lattice.Unit
		}
		p.Links = append(p.Links, out)
	}
}

// trimmed returns a segment without its ends.
func (e *eroder) trimmed(s [2]lattice.Vertex) [2]lattice.Vertex {
	long := s[0].Distance(s[1].Point)
	if long == 0 {
		return s
	}
	t := min(e.by/long, 0.5)
	mix := func(a, b int32, t float64) int32 {
		return int32(math.Floor(float64(a) + float64(t*float64(int64(b)-int64(a))) + 0.5))
	}
	on := func(t float64) lattice.Vertex {
		return lattice.Vertex{Point: lattice.Point{X: mix(s[0].X, s[1].X, t), Y: mix(s[0].Y, s[1].Y, t)}, Z: mix(s[0].Z, s[1].Z, t)}
	}
	return [2]lattice.Vertex{on(t), on(1 - t)}
}

// moved returns the domain that is nearest to the start of a segment, which starts in a region, and the segment with
// its ends in it; ok is false where none is near.
func (e *eroder) moved(p *plan.Plan, region int32, s [2]lattice.Vertex) (id plan.DomainID, out [2]lattice.Vertex, ok bool) {
	reach := int32(1.5*e.by) + aside
	c := cutter{surface: e.surface}
	best := math.Inf(1)
	for _, r := range c.joined(around([]lattice.Point{s[0].Point}, reach), []int32{region}) {
		class := e.regions[r].class
		for k, d := range e.in[class] {
			parts, err := overlay.Intersection(e.domains[d].Rings, []lattice.Ring{e.regions[r].ring})
			if err != nil {
				continue
			}
			for _, part := range parts {
				at := part.Nearest(s[0].Point)
				if away := at.Distance(s[0].Point); away < best && away <= float64(reach) {
					best, ok = away, true
					id = plan.DomainID{Layer: e.classes[class].layer, Domain: e.numberOf(class, k)}
				}
			}
		}
	}
	if !ok {
		return id, s, false
	}
	domain := &p.Layers[id.Layer].Domains[id.Domain]
	for i := range s {
		at := domain.Polygon.Nearest(s[i].Point)
		out[i] = lattice.Vertex{Point: at, Z: s[i].Z}
		if at != s[i].Point {
			out[i].Z = e.heightAt(e.classAt(id), at)
		}
	}
	return id, out, true
}

// numberOf returns the place of a domain of a class among those of its layer.
func (e *eroder) numberOf(class int32, k int) int32 {
	n := int32(k)
	for c := range class {
		if e.classes[c].layer == e.classes[class].layer {
			n += int32(len(e.in[c]))
		}
	}
	return n
}

// classAt returns the class of a domain.
func (e *eroder) classAt(id plan.DomainID) int32 {
	n := id.Domain
	for c := range e.classes {
		if e.classes[c].layer != id.Layer {
			continue
		}
		if n -= int32(len(e.in[c])); n < 0 {
			return int32(c)
		}
	}
	return 0
}

func length(a, b lattice.Vertex) float64 {
	d := a.Distance(b.Point)
	z := float64(int64(b.Z) - int64(a.Z))
	return math.Sqrt(float64(d*d) + float64(z*z))
}
