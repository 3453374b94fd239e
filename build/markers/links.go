package markers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// reachBeyond is how far beyond the agent's radius a floor may be from a volume that leads to it, in lattice
// units. Floors keep the radius from walls and edges, which is where ladders stand.
const reachBeyond = lattice.UnitsPerMetre / 2

// place is a part of the floor near a volume.
type place struct {
	id   plan.DomainID
	part lattice.Polygon
	at   lattice.Vertex // its point that is nearest to the middle of the volume
	away float64        // how far that is, in lattice units
	// others are further domains of the part, where tiles cut the floor.
	others []plan.DomainID
}

// link makes the links of a volume.
func (w *work) link(volume int) error {
	v := &w.volumes[volume]
	places, err := w.places(v)
	if err != nil {
		return err
	}
	var found []plan.Link
	switch {
	case v.meaning.exit:
		found, err = w.ways(volume, places)
	case v.meaning.link == plan.Jump:
		found = w.across(v, places)
	case v.meaning.link == plan.Drop:
		if s := w.storeys(places); len(s) > 1 {
			found = w.lanes(v, &s[len(s)-1], &s[0])
		}
	case v.meaning.link == plan.Teleport:
		found = w.teleport(volume, places)
	case v.meaning.link == plan.Lift:
		s := w.storeys(places)
		for i := range s {
			for k := range i {
				found = append(found, w.between(v, &s[k], &s[i])...)
			}
		}
	default:
		s := w.storeys(places)
		for i := 1; i < len(s); i++ {
			found = append(found, w.between(v, &s[i-1], &s[i])...)
		}
	}
	switch {
	case err != nil:
		return err
	case len(found) > 0:
		mark := w.markOf(volume)
		for i := range found {
			found[i].Mark = mark
		}
		w.plan.Links = append(w.plan.Links, found...)
	case len(places) > 0 && !v.meaning.exit:
		w.warn(volume, "it joins nothing: only one floor is near, at %v", w.plan.Frame.ToWorld(places[0].at.Point, places[0].at.Z))
	}
	return nil
}

// teleport returns the links from the place nearest to the middle of a volume to the exits of its name.
func (w *work) teleport(volume int, places []place) (found []plan.Link) {
	if len(places) == 0 {
		return nil
	}
	v, name := &w.volumes[volume], w.outcomes[w.outcome[volume]].Name
	from := slices.MinFunc(places, func(a, b place) int { return cmp.Compare(a.away, b.away) })
	led := false
	for _, x := range w.exits {
		if name == "" || x.name != name {
			continue
		}
		led = true
		id, at, err := w.floorAt(x.at)
		if err != nil {
			w.warn(volume, "its exit at %v", err)
			continue
		}
		found = append(found, plan.Link{
			Kind: plan.Teleport, From: from.id, To: id, Start: [2]lattice.Vertex{from.at, from.at}, End: [2]lattice.Vertex{at, at},
			Cost: max(v.meaning.cost, 0), Clearance: w.clearance(v),
		})
	}
	if !led {
		w.warn(volume, "no exit has its name")
	}
	return found
}

// ways returns the links from the floor nearest to the middle of a volume to the floor nearest to each exit of its name, and back unless
// the volume leads one way.
func (w *work) ways(volume int, places []place) (found []plan.Link, err error) {
	if len(places) == 0 {
		return nil, nil
	}
	v, name := &w.volumes[volume], w.outcomes[w.outcome[volume]].Name
	start := w.closest(v, places)
	clearance := int32(max(0, min(width(v.points), width(turned(v.points)))/2-w.agent.radius))
	led := false
	for i := range w.exits {
		x := &w.exits[i]
		if name == "" || x.name != name || !x.inFrame {
			continue
		}
		led = true
		ends, err := w.places(&x.volume)
		if err != nil {
			return nil, err
		}
		if len(ends) == 0 {
			w.warn(volume, "its exit at %v touches no walkable floor", x.at)
			continue
		}
		end := w.closest(&x.volume, ends)
		if start.id == end.id && start.at == end.at {
			w.warn(volume, "its exit at %v is where it begins", x.at)
			continue
		}
		cost := v.meaning.cost
		switch {
		case cost < 0 && v.meaning.link == plan.Teleport:
			cost = 0
		case cost < 0:
			cost = length(start.at, end.at) * lattice.Unit
		}
		l := plan.Link{
			Kind: v.meaning.link, From: start.id, To: end.id, Start: [2]lattice.Vertex{start.at, start.at}, End: [2]lattice.Vertex{end.at, end.at},
			Cost: cost, Clearance: clearance,
		}
		found = append(found, l)
		if !v.meaning.forth {
			l.From, l.To, l.Start, l.End = l.To, l.From, l.End, l.Start
			found = append(found, l)
		}
	}
	if !led {
		w.warn(volume, "no exit has its name")
	}
	return found, nil
}

// closest returns the place nearest to the middle of a volume seen from above, and of places as near the one nearest in height.
func (w *work) closest(v *volume, places []place) *place {
	best := &places[0]
	off := func(p *place) float64 { return math.Abs(float64(p.at.Z) - float64(v.middle.Z)) }
	for i := range places {
		if p := &places[i]; cmp.Or(cmp.Compare(p.away, best.away), cmp.Compare(off(p), off(best))) < 0 {
			best = p
		}
	}
	return best
}

// places returns the parts of the floor that someone may step from into a volume, in the order of the
// domains.
func (w *work) places(v *volume) ([]place, error) {
	reach := int32(w.agent.radius) + reachBeyond
	zone := grown(v.points, reach)
	box := zone.Box()
	slack := max(w.agent.climb, w.agent.height/2)
	var list []place
	for l := range w.plan.Layers {
		for d := range w.plan.Layers[l].Domains {
			domain := &w.plan.Layers[l].Domains[d]
			if !domain.Box().Overlaps(box) {
				continue
			}
			parts, err := overlay.Intersection(domain.Rings, []lattice.Ring{zone})
			if err != nil {
				return nil, fmt.Errorf("markers: marker %d: %w", v.marker, err)
			}
			for _, part := range parts {
				list = append(list, place{id: plan.DomainID{Layer: int32(l), Domain: int32(d)}, part: part})
			}
		}
	}
	list, err := w.united(list)
	if err != nil {
		return nil, fmt.Errorf("markers: marker %d: %w", v.marker, err)
	}
	near := list[:0]
	for _, p := range list {
		at := p.part.Nearest(v.middle.Point)
		p.id = w.owner(&p, at)
		z := w.heightAt(p.id.Layer, w.domain(p.id), at)
		if float64(z) < float64(v.low)-slack || float64(z) > float64(v.high)+slack {
			continue
		}
		p.at, p.away = lattice.Vertex{Point: at, Z: z}, at.Distance(v.middle.Point)
		near = append(near, p)
	}
	return near, nil
}

// domain returns a domain of the plan.
func (w *work) domain(id plan.DomainID) *plan.Domain {
	return &w.plan.Layers[id.Layer].Domains[id.Domain]
}

// owner returns the domain of a place that contains a point.
func (w *work) owner(p *place, at lattice.Point) plan.DomainID {
	for _, id := range p.others {
		if w.domain(id).Contains(at) {
			return id
		}
	}
	return p.id
}

// united unites the places that tiles cut apart: places of one layer, in domains that cuts join.
func (w *work) united(list []place) ([]place, error) {
	if w.floors == nil {
		return list, nil
	}
	var out []place
	done := make([]bool, len(list))
	for i := range list {
		if done[i] {
			continue
		}
		root := w.floors.of(list[i].id)
		var rings []lattice.Ring
		var ids []plan.DomainID
		for k := i; k < len(list); k++ {
			if w.floors.of(list[k].id) == root {
				done[k] = true
				rings = append(rings, list[k].part.Rings...)
				ids = append(ids, list[k].id)
			}
		}
		parts, err := overlay.Union(rings)
		if err != nil {
			return nil, err
		}
		for _, part := range parts {
			out = append(out, place{id: ids[0], part: part, others: ids})
		}
	}
	return out, nil
}

// cutFloors tells which domains of one layer are one floor that tiles cut apart.
type cutFloors struct {
	first []int32 // by layer: the number of the first domain
	sets  unionfind.Forest
}

func (f *cutFloors) of(id plan.DomainID) int32 { return f.sets.Find(f.first[id.Layer] + id.Domain) }

func newCutFloors(p *plan.Plan) *cutFloors {
	f, n := new(cutFloors), 0
	for l := range p.Layers {
		f.first = append(f.first, int32(n))
		n += len(p.Layers[l].Domains)
	}
	f.sets = unionfind.New(n)
	for i := range p.Chains {
		if c := &p.Chains[i]; c.Kind == plan.TileCut && c.Left.Layer == c.Right.Layer {
			f.sets.Union(f.first[c.Left.Layer]+c.Left.Domain, f.first[c.Right.Layer]+c.Right.Domain)
		}
	}
	return f
}

// grown returns the hull of the points and of everything within a distance of any of them, along the axes.
func grown(points []lattice.Point, by int32) lattice.Ring {
	clamp := func(c int64) int32 { return int32(min(max(c, -lattice.MaxCoord), lattice.MaxCoord)) }
	var all []lattice.Point
	for _, p := range points {
		for _, d := range [4][2]int32{{-by, -by}, {by, -by}, {by, by}, {-by, by}} {
			all = append(all, lattice.Point{X: clamp(int64(p.X) + int64(d[0])), Y: clamp(int64(p.Y) + int64(d[1]))})
		}
	}
	return lattice.Hull(all)
}

// storeys returns, for each storey, the place nearest to the volume, from the lowest storey up. A place
// within a step of the next lower one is on the same storey.
func (w *work) storeys(places []place) []place {
	places = slices.Clone(places)
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.at.Z, b.at.Z) })
	var list []place
	for i, p := range places {
		switch n := len(list) - 1; {
		case i == 0 || float64(int64(p.at.Z)-int64(places[i-1].at.Z)) > w.agent.climb:
			list = append(list, p)
		case p.away < list[n].away:
			list[n] = p
		}
	}
	return list
}

// between returns the links between two places that the volume allows.
func (w *work) between(v *volume, a, b *place) []plan.Link {
	at := func(p *place) [2]lattice.Vertex { return [2]lattice.Vertex{p.at, p.at} }
	return w.allowed(v, a, b, at(a), at(b), w.clearance(v))
}

// clearance returns how much wider an agent may be and still fit into a volume: the shorter side counts for a
// volume to stand in, the longer for one to hold on to.
func (w *work) clearance(v *volume) int32 {
	wide, deep := width(v.points), width(turned(v.points))
	switch v.meaning.link {
	case plan.Lift, plan.Teleport:
		wide = min(wide, deep)
	default:
		wide = max(wide, deep)
	}
	return int32(max(0, wide/2-w.agent.radius))
}

// width returns the extent of points to the east.
func width(points []lattice.Point) float64 {
	b := lattice.BoxOf(points...)
	return float64(int64(b.Max.X) - int64(b.Min.X))
}

func turned(points []lattice.Point) []lattice.Point {
	out := make([]lattice.Point, len(points))
	for i, p := range points {
		out[i] = lattice.Point{X: p.Y, Y: p.X}
	}
	return out
}

// allowed returns the link from start in a to end in b and the one back, as far as the volume allows these
// directions. Up to a step, both directions are allowed.
func (w *work) allowed(v *volume, a, b *place, start, end [2]lattice.Vertex, clearance int32) []plan.Link {
	cost := v.meaning.cost
	if cost < 0 {
		cost = max(length(start[0], end[0]), length(start[1], end[1])) * lattice.Unit
	}
	rise := float64(int64(end[0].Z)+int64(end[1].Z)-int64(start[0].Z)-int64(start[1].Z)) / 2
	up, down := v.meaning.up, v.meaning.down
	if rise < 0 {
		up, down = down, up
	}
	if math.Abs(rise) <= w.agent.climb && v.meaning.link != plan.Drop {
		up, down = true, true
	}
	l := plan.Link{Kind: v.meaning.link, From: a.id, To: b.id, Start: start, End: end, Cost: cost, Clearance: clearance}
	var list []plan.Link
	if up {
		list = append(list, l)
	}
	if down {
		l.From, l.To, l.Start, l.End = l.To, l.From, l.End, l.Start
		list = append(list, l)
	}
	return list
}

// length returns the distance of two vertices in space, in lattice units.
func length(a, b lattice.Vertex) float64 {
	d := a.Distance(b.Point)
	z := float64(int64(b.Z) - int64(a.Z))
	return math.Sqrt(float64(d*d) + float64(z*z))
}
