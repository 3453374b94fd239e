package exact

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// territory is the floor of one layer, or around a seam, before obstacles and the agent's radius are taken off.
type territory struct {
	floor   []lattice.Ring // the floor of its triangles
	blocked []lattice.Ring // the footprints of obstacles, and slits between floors next to each other
	walls   []upright      // upright faces in the way
	// here tells whether a triangle is of the floor.
	here func(triangle int32) bool
}

// block adds the obstacles over a triangle.
func (t *territory) block(x *exposure) {
	t.blocked = append(t.blocked, x.blocked...)
	t.walls = append(t.walls, x.walls...)
}

func (e *extraction) territories() []territory {
	ts := make([]territory, e.layers)
	for l := range ts {
		ts[l].here = func(t int32) bool { return e.layer[t] == int32(l) && e.matters(t) }
	}
	e.addFloors(ts)
	for i, l := range e.layer {
		if e.matters(int32(i)) {
			ts[l].block(e.exposed[i])
		}
	}
	var near []item
	for i := range e.rims {
		r := &e.rims[i]
		if l := e.layer[r.triangle]; l != unassigned {
			// Floors in other layers are not next to the rim. A needle hides the floor beneath along a hairline, and
			// the hairline is filled. A needle that is left out still divides the lower floor, therefore.
			own := e.matters(r.triangle)
			ts[l].blocked, near = e.appendSlits(ts[l].blocked, r, func(t int32) bool { return e.layer[t] == l && (own || e.matters(t)) }, near)
		}
	}
	f := followers.Get().(*follower)
	defer followers.Put(f)
	f.begin(searches.Add(1))
	for i := range e.crossings {
		k := &e.crossings[i]
		if !k.smooth {
			continue
		}
		for _, r := range [2]rim{{triangle: k.from, a: k.a, b: k.b}, {triangle: k.to, a: k.b, b: k.a}} {
			l := e.layer[r.triangle]
			ts[l].blocked = e.appendDrops(ts[l].blocked, &r, f)
		}
	}
	return ts
}

// appendDrops appends the slits along a line where a floor goes on in another layer, and a floor of its own layer is a drop away across a
// hairline. A terrace beside a higher terrace is an example: the steep bridge between them is no wider than a hairline. The bridge and the higher
// terrace are in one layer, and the lower terrace is in another, with the ground beneath the higher terrace. f holds scratch.
func (e *extraction) appendDrops(slits []lattice.Ring, r *rim, f *follower) []lattice.Ring {
	if r.a.Point == r.b.Point {
		return slits
	}
	s := r.sight()
	layer := e.layer[r.triangle]
	box := boxOf(r.a, r.b).Grown(across)
	box.Low[2], box.High[2] = math.MinInt32, math.MaxInt32
	f.near = e.floorsOf(layer).Search(&box, f.near[:0])
	f.own = append(f.own[:0], e.hides(f, r.triangle, &s, stretch{0, 1}, -outward)...)
	for i := range f.near {
		t := f.near[i].ID
		if t == r.triangle || !e.shows(t) || !s.reaches(&e.soup.Triangles[t].V) {
			continue
		}
		for _, out := range [2]float64{outward, across} {
			p := s.see(t, f.prisms.of(e.soup, t), out)
			if p.in.from >= p.in.to {
				continue
			}
			for _, in := range e.shownOf(f, &p, &s, out) {
				within, ok := in.band(&p.over, out, -e.climb-touching, e.climb+touching)
				if !ok {
					within = stretch{in.from, in.from}
				}
				for _, d := range [2]stretch{{in.from, within.from}, {within.to, in.to}} {
					if (d.to-d.from)*s.length > outward {
						slits = append(slits, slit(r.at(d.from).Point, r.at(d.to).Point))
					}
				}
			}
		}
	}
	return slits
}

// appendSlits appends the slits that divide the floor of a rim from the floors beyond the rim that here accepts. The
// slice near is scratch.
//
// The radius keeps the floor away from drops as from walls. A point has no radius: its floors would be connected where
// floors meet along a drop or touch in a corner. So for a point all drops have wide slits, whatever layer the floor
// beyond is in. Corners that touch another floor have slits as well.
func (e *extraction) appendSlits(slits []lattice.Ring, r *rim, here func(triangle int32) bool, near []item) ([]lattice.Ring, []item) {
	if !e.isPoint() {
		for _, s := range r.ledges(e.gap, here) {
			slits = append(slits, slit(s[0], s[1]))
		}
		return slits, near
	}
	for _, s := range append(r.ledges(e.gap, here), r.ledges(e.gap, func(int32) bool { return true })...) {
		slits = append(slits, around(s[0], s[1], wideSlit))
	}
	// Floors of one layer lie nowhere over each other, but may touch.
	beside := func(t int32) bool { return here(t) || e.layer[t] == e.layer[r.triangle] }
	for _, v := range [2]*lattice.Vertex{&r.a, &r.b} {
		if _, distance := e.nearest(r.triangle, v.Point); distance > touching {
			continue // another floor covers it
		}
		var touches bool
		if touches, near = e.touchesDrop(v, beside, near); touches {
			slits = append(slits, around(v.Point, v.Point, wideSlit))
		}
	}
	return slits, near
}

// touchesDrop reports whether a corner of a floor touches another floor in the plan, too high or too low for a step. Only
// floors that here accepts count. The slice near is scratch.
func (e *extraction) touchesDrop(v *lattice.Vertex, here func(triangle int32) bool, near []item) (bool, []item) {
	box := boxOf(*v).Grown(touching)
	box.Low[2], box.High[2] = math.MinInt32, math.MaxInt32
	near = e.floors.Search(&box, near[:0])
	for i := range near {
		t := near[i].ID
		if !here(t) {
			continue
		}
		at, distance := e.nearest(t, v.Point)
		if distance > touching {
			continue
		}
		p := planeOf(&e.soup.Triangles[t].V)
		if math.Abs(p.height(at.x, at.y)-float64(v.Z)) > e.climb+touching*(1+math.Abs(p.slope.x)+math.Abs(p.slope.y)) {
			return true, near
		}
	}
	return false, near
}

// isPoint reports whether the agent is a point, for which nothing is moved in.
func (e *extraction) isPoint() bool { return e.radius <= 1 }

// slit returns the places within a unit of a segment, in both coordinates.
func slit(a, b lattice.Point) lattice.Ring { return around(a, b, 1) }

// around returns the places within reach of a segment, in both coordinates.
func around(a, b lattice.Point, reach int32) lattice.Ring {
	if a == b {
		return movedOut([]lattice.Point{a}, reach)
	}
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	return movedOut([]lattice.Point{a, b}, reach)
}

// eroded is the space of the agent's centre on a layer's own floor, with seams treated as edges.
type eroded struct {
	floor  []lattice.Polygon // the floor of the layer's triangles
	cracks []lattice.Polygon // the fills between them
	clear  []lattice.Polygon // both, without obstacles
	free   []lattice.Polygon // clear, moved in by the radius
}

// erode moves the floor of every layer in by the radius, and the floor around the crossings between layers.
func (e *extraction) erode(ctx context.Context, jobs int) ([]eroded, []claim, error) {
	ts := e.territories()
	settlers := e.settlers()
	groups, err := e.groupCrossings(ctx, jobs, settlers)
	if err != nil {
		return nil, nil, err
	}
	if groups, err = e.dropPlaceless(ctx, jobs, groups, settlers); err != nil {
		return nil, nil, err
	}
	parts, err := e.clipAll(ctx, jobs, groups)
	if err != nil {
		return nil, nil, err
	}
	if len(groups) == 0 {
		e.forget() // before the largest overlay
	}
	if len(ts)+len(groups) == 1 {
		e.jobs = jobs // as on most terrain
	}
	floors, found := make([]eroded, len(ts)), make([][]claim, len(groups))
	err = par.For(ctx, jobs, len(ts)+len(groups), func(i int) error {
		var err error
		if i < len(ts) {
			own := ts[i]
			ts[i] = territory{}
			if floors[i], err = e.inset(own); err != nil {
				return fmt.Errorf("layer %d: %w", i, err)
			}
			return nil
		}
		g := i - len(ts)
		if found[g], err = e.claimsOf(&groups[g], parts); err != nil {
			return fmt.Errorf("seam %d: %w", g, err)
		}
		return nil
	})
	e.forget()
	return floors, e.gathered(found), err
}

// inset fills the cracks of a floor, takes off obstacles, and moves the rest in by the radius.
func (e *extraction) inset(t territory) (eroded, error) {
	floor, err := overlay.UnionOn(e.jobs, t.floor)
	if err != nil {
		return eroded{}, err
	}
	t.floor = nil
	return e.insetOf(floor, t)
}

// insetOf is inset for a united floor.
func (e *extraction) insetOf(floor []lattice.Polygon, t territory) (eroded, error) {
	bridged, cracks, err := e.seal(floor, t.here)
	if err != nil {
		return eroded{}, err
	}
	clear, err := overlay.DifferenceOn(e.jobs, ringsOf(bridged), append(t.blocked, joined(t.walls)...))
	if err != nil {
		return eroded{}, err
	}
	free, err := e.movedIn(clear, e.radius)
	return eroded{floor, cracks, clear, free}, err
}

// smooth removes vertices where rounding bent a straight border. Rows of footprints along a wall leave many bends, and
// bends near each other are sharp. The chords around sharp bends would be farther from the wall than the radius by up
// to [OffsetTolerance]. Borders move by half a millimetre at most and may cross by as much. Erosion undoes the
// crossing, unless the tip of a slit turns over. From a ring with a turned tip, smooth removes only vertices whose loss
// leaves the turns of the ring as before.
func smooth(floor []lattice.Polygon) []lattice.Polygon {
	out := make([]lattice.Polygon, len(floor))
	for i, p := range floor {
		out[i].Rings = make([]lattice.Ring, len(p.Rings))
		for k, r := range p.Rings {
			s := smoothed(r, false)
			if turns(s) != turns(r) {
				if s = smoothed(r, true); turns(s) != turns(r) {
					s = r
				}
			}
			out[i].Rings[k] = s
		}
	}
	return out
}

// turns returns how often the direction of a ring turns around on the way along the ring: 1 or -1, unless parts of the
// ring are turned-over loops.
func turns(r lattice.Ring) int {
	n := 0
	for i, at := range r {
		n += passes(r[(i+len(r)-1)%len(r)], at, r[(i+1)%len(r)])
	}
	return n
}

// passes returns whether a walk over three points turns through the direction of the X axis at the second point: 1 to
// the left, -1 to the right, else 0. A turn straight back is a turn to the left.
func passes(a, b, c lattice.Point) int {
	upper := func(dx, dy int64) bool { return dy > 0 || dy == 0 && dx > 0 }
	left := lattice.Orient(a, b, c) >= 0
	switch before, behind := upper(b.Sub(a)), upper(c.Sub(b)); {
	case left && !before && behind:
		return 1
	case !left && before && !behind:
		return -1
	}
	return 0
}

// smoothed replaces runs of up to 32 edges of a ring by chords within a bend of the run. If careful, only runs that do
// not turn around on the way are replaced.
func smoothed(r lattice.Ring, careful bool) lattice.Ring {
	const longest = 32
	n := len(r)
	out := make(lattice.Ring, 0, n)
	for i := 0; i < n; {
		out = append(out, r[i])
		j := i + 1
		from := r[(i+n-1)%n]
		if len(out) > 1 {
			from = out[len(out)-2]
		}
		for j < n && j < i+longest && bent(r[i], r[(j+1)%n], r[i+1:j+1]) && !(careful && turnsAround(from, r, i, j+1)) {
			j++
		}
		i = j
	}
	if len(out) < 3 {
		return r
	}
	return out
}

// turnsAround reports whether a walk from a point turns around on the run of a ring between two vertices, unlike on the
// chord.
func turnsAround(from lattice.Point, r lattice.Ring, first, last int) bool {
	n := len(r)
	end, behind := r[last%n], r[(last+1)%n]
	along := passes(from, r[first], r[first+1])
	for k := first + 1; k <= last; k++ {
		along += passes(r[k-1], r[k%n], r[(k+1)%n])
	}
	return along != passes(from, r[first], end)+passes(r[first], end, behind)
}

// bent reports whether a run from a to b is no farther from its chord than a bend.
func bent(a, b lattice.Point, run []lattice.Point) bool {
	length2 := int64(a.Distance2(b))
	for _, p := range run {
		o := lattice.Orient(a, b, p)
		if along := lattice.Dot(a, b, p); along < 0 || along > length2 {
			return false
		}
		if f := float64(o); float64(f*f) > bend*bend*float64(length2) {
			return false
		}
	}
	return true
}

// movedIn returns the polygons moved in by a radius. The slits and footprints have a unit of the radius already. For a
// point nothing moves, and nothing may be smoothed: touching borders would cross.
func (e *extraction) movedIn(floor []lattice.Polygon, radius float64) ([]lattice.Polygon, error) {
	if radius <= 1 { // as for a point
		return floor, nil
	}
	return overlay.Offset{Distance: 1 - radius, Join: overlay.Round, Tolerance: e.arcs}.PolygonsOn(e.jobs, smooth(floor))
}

// hairline reports whether a polygon is at most a unit wide, as polygons from rounding are.
func hairline(p lattice.Polygon) bool { return meanWidth(p) < 1 }

// meanWidth returns the mean width of a long polygon in units: its area divided by half the length of its border.
func meanWidth(p lattice.Polygon) float64 {
	around := 0.0
	for _, r := range p.Rings {
		for i, a := range r {
			around += a.Distance(r[(i+1)%len(r)])
		}
	}
	return float64(p.Area2()) / around
}

func ringsOf(polygons []lattice.Polygon) []lattice.Ring {
	var rings []lattice.Ring
	for _, p := range polygons {
		rings = append(rings, p.Rings...)
	}
	return rings
}

// nowhere returns an error that explains why the agent has no place.
func (e *extraction) nowhere(ctx context.Context) error {
	_, floors, err := e.everywhere(ctx)
	if err != nil {
		return err
	}
	widest, at := -1.0, lattice.Vertex{}
	for l := range floors {
		if len(floors[l].clear) == 0 {
			continue
		}
		// Halving finds the widest place: the largest radius that leaves some floor.
		low, high := 0.0, e.radius
		left := floors[l].clear
		for high-low > 4 {
			middle := (low + high) / 2
			in, err := e.movedIn(floors[l].clear, middle)
			if err != nil {
				return err
			}
			if len(in) > 0 {
				low, left = middle, in
			} else {
				high = middle
			}
		}
		if low > widest {
			widest, at.Point = low, left[0].Rings[0][0]
		}
	}
	if widest < 0 {
		return errors.New("no floor with room for the agent's height above it")
	}
	p := e.soup.Frame.ToWorld(at.Point, 0)
	return fmt.Errorf("no place for the agent's radius of %.3g m: the widest, at x %.3f, z %.3f, admits %.3g m",
		e.radius*lattice.Unit, p.X, p.Z, widest*lattice.Unit)
}
