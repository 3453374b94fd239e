package erode

import (
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/navmesh"
)

// aside is the extra distance, in lattice units, that the end of a link may move beyond the increase of the radius.
const aside = lattice.UnitsPerMetre / 2

// link adds the links. An end without floor moves to the nearest floor connected to its old place. At a fall or climb
// of more than a step, the lower end moves away from the upper end until the body is past the edge. Segments become
// shorter by the radius on both sides; segments of narrow volumes become points. A link whose cost was its length costs
// its new length. The result matches the links of build/markers for the wider agent. As there, links too narrow for
// the agent are kept, with zero clearance. The builder makes links over boundaries.
func (e *eroder) link(p *plan.Plan) {
	for i := range e.mesh.Links {
		l := &e.mesh.Links[i]
		if l.Kind == navmesh.Boundary {
			continue
		}
		from, to, room := e.trim(l)
		if !room {
			continue
		}
		ends := [2][2]lattice.Vertex{between(l.Start, from, to), between(l.End, from, to)}
		regions := [2]navmesh.Ref{l.From, l.To}
		long := max(length(l.Start[0], l.End[0]), length(l.Start[1], l.End[1])) * lattice.Unit
		high, low := 0, 1
		if l.Start[0].Z < l.End[0].Z {
			high, low = 1, 0
		}
		var domains [2]plan.DomainID
		var ok [2]bool
		for _, k := range [2]int{high, low} {
			if k == low && (l.Kind == navmesh.Drop || l.Kind == navmesh.Jump) {
				e.clear(&ends[high], &ends[low])
			}
			domains[k], ends[k], ok[k] = e.moved(p, int32(e.first[regions[k].Slot()]+regions[k].Index()), ends[k])
		}
		if !ok[0] || !ok[1] {
			continue
		}
		out := plan.Link{
			Kind: plan.LinkKind(l.Kind), From: domains[0], To: domains[1], Start: ends[0], End: ends[1], Cost: float64(l.Cost),
			Clearance: max(l.Clearance-int32(math.Ceil(e.by)), 0), Mark: int32(len(e.mesh.Marks) + i),
		}
		if math.Abs(out.Cost-long) <= 8*lattice.Unit {
			out.Cost = max(length(out.Start[0], out.End[0]), length(out.Start[1], out.End[1])) * lattice.Unit
		}
		p.Links = append(p.Links, out)
	}
}

// clear moves the lower end of a fall or climb away from the upper end until the body is past the edge: the centre
// keeps one radius from the edge on the upper side, and the body another on the lower side.
func (e *eroder) clear(high, low *[2]lattice.Vertex) {
	past := 2 * (float64(max(e.mesh.Agent.Radius, 0)*lattice.UnitsPerMetre) + e.by)
	for i := range low {
		a, b := &high[i], &low[i]
		away := a.Distance(b.Point)
		if away == 0 || away >= past || float64(int64(a.Z)-int64(b.Z)) <= e.mesh.Agent.MaxClimb*lattice.UnitsPerMetre {
			continue
		}
		on := func(a, b int32) int32 {
			return int32(math.Floor(float64(a) + float64(float64(int64(b)-int64(a))*(past/away)) + 0.5))
		}
		b.X, b.Y = on(a.X, b.X), on(a.Y, b.Y)
	}
}

// trim returns a part of a wide link, from 0 to 1. The part is at least as far from both ends of the link's volume as
// the radius increases. Across their direction, the links of the volume reach as far as the volume's width for the old
// agent. In a narrow volume only the middle is left. ok is false if no part is left.
func (e *eroder) trim(l *navmesh.Link) (from, to float64, ok bool) {
	if l.Kind != navmesh.Drop && l.Kind != navmesh.Jump {
		return 0, 1, true
	}
	var ux, uy float64
	for i := range l.Start {
		dx, dy := l.End[i].Sub(l.Start[i].Point)
		ux, uy = ux+float64(dx), uy+float64(dy)
	}
	long := math.Sqrt(float64(ux*ux) + float64(uy*uy))
	if long == 0 {
		return 0, 1, true
	}
	across := func(v lattice.Vertex) float64 {
		dx, dy := v.Sub(l.Start[0].Point)
		return (float64(ux*float64(dy)) - float64(uy*float64(dx))) / long
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range e.mesh.Links {
		if o := &e.mesh.Links[i]; o.Kind == l.Kind && o.Mark == l.Mark {
			for _, v := range o.Start {
				low, high = min(low, across(v)), max(high, across(v))
			}
		}
	}
	if low, high = low+e.by, high-e.by; low > high {
		low = (low + high) / 2
		high = low
	}
	end := across(l.Start[1])
	if end < 0 {
		low, high, end = -high, -low, -end
	}
	if low > end || high < 0 {
		return 0, 0, false
	}
	if end == 0 {
		return 0, 1, true
	}
	return max(low/end, 0), min(high/end, 1), true
}

// between returns a part of a segment.
func between(s [2]lattice.Vertex, from, to float64) [2]lattice.Vertex {
	mix := func(a, b int32, t float64) int32 {
		return int32(math.Floor(float64(a) + float64(t*float64(int64(b)-int64(a))) + 0.5))
	}
	on := func(t float64) lattice.Vertex {
		return lattice.Vertex{Point: lattice.Point{X: mix(s[0].X, s[1].X, t), Y: mix(s[0].Y, s[1].Y, t)}, Z: mix(s[0].Z, s[1].Z, t)}
	}
	return [2]lattice.Vertex{on(from), on(to)}
}

// moved returns the domain nearest to the start of a segment, and the segment with its ends moved into the domain. The
// segment starts in the given region; ok is false if no domain is near.
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

// numberOf returns the index of a domain of a class among the domains of its layer.
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
