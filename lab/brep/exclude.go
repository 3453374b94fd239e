package brep

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// walkable reports whether an agent may stand on a plane: it faces up and is no steeper than the limit. Rounding turns a
// normal by less than 10⁻⁶, which is a tenth of a thousandth of a degree: far less than the limit's tolerance.
func (w *world) walkable(plane int32, limit geom.SlopeLimit) bool {
	n := w.space.Plane(plane).N
	return limit.AdmitsNormal(geom.FromGround(float64(n[0]), float64(n[1]), float64(n[2])))
}

// bands returns the volumes where an agent's feet would have a body between a step and its height above them: every body,
// swept down. high is the sweep in units. An agent that steps as high as it is has none. New planes are added to the space.
func (w *world) bands(agent geom.Agent) (out []cutter, high float64) {
	// An agent passes its exact height and climbs its exact limit, also after rounding.
	const rounding = 0.5
	low := agent.MaxClimb*lattice.UnitsPerMetre + rounding
	high = agent.Height*lattice.UnitsPerMetre - rounding
	if low >= high {
		return nil, high
	}
	out = make([]cutter, len(w.bodies))
	for i := range w.bodies {
		b := &w.bodies[i]
		var planes []int32
		for _, id := range b.planes {
			p := w.space.Plane(id)
			// The end of the sweep that reaches farthest out of the plane, rounded inwards.
			by := -low
			if p.N[2] < 0 {
				by = -high
			}
			planes = append(planes, w.space.Add(p.Moved(int64(math.Floor(float64(by*float64(p.N[2]))/solid.NormalScale)))))
		}
		planes = append(planes, w.silhouette(b)...)
		box := b.Box
		box.Low[2] -= high
		box.High[2] -= low
		out[i] = w.volume(planes, box)
	}
	return out, high
}

// volume returns the cutter of some planes, each once.
func (w *world) volume(planes []int32, box solid.Box) cutter {
	c := cutter{box: box}
	for _, id := range planes {
		if !slices.Contains(c.planes, id) {
			c.planes = append(c.planes, id)
			c.opposites = append(c.opposites, w.space.Add(w.space.Plane(id).Opposite()))
		}
	}
	return c
}

// silhouette returns upright planes around a body at the edges where it turns from facing up to facing down.
func (w *world) silhouette(b *body) []int32 {
	var planes []int32
	for f := range b.Faces {
		p := &b.Faces[f]
		up := w.space.Plane(p.Plane).N
		if up[2] <= 0 {
			continue
		}
		for k, e := range p.Edges {
			if w.space.Plane(e).N[2] >= 0 {
				continue
			}
			from, to := p.Corners[k].At, p.Corners[(k+1)%len(p.Corners)].At
			// Seen from above, the face is on the left of its edge.
			if id, ok := w.upright(b, to[1]-from[1], from[0]-to[0]); ok {
				planes = append(planes, id)
			}
		}
	}
	return planes
}

// upright returns the upright plane with a normal in some direction that touches a body from outside, up to a unit.
func (w *world) upright(b *body, x, y float64) (int32, bool) {
	p, ok := uprightPlane(x, y, b.Faces[0].Corners[0].At)
	if !ok {
		return 0, false
	}
	p.D = int64(math.Ceil(b.support(p.N) - 1.0/1024))
	return w.space.Add(p), true
}

// uprightPlane returns the upright plane through a place with a normal in some direction.
func uprightPlane(x, y float64, at [3]float64) (solid.Plane, bool) {
	length := math.Sqrt(float64(x*x) + float64(y*y))
	if length == 0 {
		return solid.Plane{}, false
	}
	return solid.FromFloat([3]float64{x / length, y / length, 0}, at)
}

// support returns how far a body reaches in the direction of a normal, in units.
func (b *body) support(n [3]int32) float64 {
	most := math.Inf(-1)
	for f := range b.Faces {
		for k := range b.Faces[f].Corners {
			most = max(most, dot([3]float64{float64(n[0]), float64(n[1]), float64(n[2])}, b.Faces[f].Corners[k].At))
		}
	}
	return most / solid.NormalScale
}

// floors replaces the pieces of walkable faces, given by [world.surface], by the floor for an agent's feet: faces
// without the parts that have a body between a step and the agent's height above them. The inside of a body no higher
// than a step is part of the floor, unless the body has a floor of its own on top: the agent steps over the body. Of
// coincident faces one stays.
func (w *world) floors(ctx context.Context, pieces [][]solid.Polygon, agent geom.Agent, jobs int) error {
	volumes, high := w.bands(agent)
	if volumes == nil && len(w.excluded) == 0 {
		return nil
	}
	covers := make([]cutter, len(w.bodies))
	for k := range w.bodies {
		covers[k] = w.cover(&w.bodies[k], agent.SlopeLimit())
	}
	return par.For(ctx, jobs, len(w.bodies), func(i int) error {
		b := &w.bodies[i]
		at := w.first[i]
		for f, plane := range b.planes {
			if !w.mayStand(b, f, agent.SlopeLimit()) {
				continue
			}
			face := b.Faces[f]
			box := face.Box()
			all := slices.DeleteFunc(w.tree.IDs(&box, nil), func(k int32) bool { return int(k) == i })
			near := slices.DeleteFunc(slices.Clone(all), func(k int32) bool {
				g := slices.Index(w.bodies[k].planes, plane)
				return g < 0 || w.wins(int32(i), f, k, g)
			})
			once := carver{w: w, cutters: func(k int32) cutter { return w.bodies[k].cutter() }, wins: func(int32, int) bool { return false }}
			once.carve(face, near)
			bare := carver{w: w, cutters: func(k int32) cutter { return covers[k] }, open: true}
			all = slices.DeleteFunc(all, func(k int32) bool { return covers[k].planes == nil })
			for _, p := range once.outside {
				bare.carve(p, all)
			}
			free := carver{w: w, cutters: func(k int32) cutter { return volumes[k] }, open: true}
			box.High[2] += high
			over := w.tree.IDs(&box, nil)
			if volumes == nil {
				over = nil
			}
			for _, p := range bare.outside {
				free.carve(p, over)
			}
			pieces[at+f] = w.outside(free.outside)
		}
		return nil
	})
}

// cover returns the inside of a body if all faces of the body that look up are floors, else nothing. The inside ends a
// little behind the faces: neighbours in a terrain overlap by rounding.
func (w *world) cover(b *body, limit geom.SlopeLimit) cutter {
	const rounding = 2
	var planes []int32
	for f, id := range b.planes {
		p := w.space.Plane(id)
		if p.N[2] > 0 && !w.mayStand(b, f, limit) {
			return cutter{}
		}
		planes = append(planes, w.space.Add(p.Moved(-rounding)))
	}
	return w.volume(planes, b.Box)
}

// headroom removes from the pieces of walkable faces, given by [world.surface], the parts under a body between a step and
// the agent's height above.
func (w *world) headroom(ctx context.Context, pieces [][]solid.Polygon, agent geom.Agent, jobs int) error {
	volumes, high := w.bands(agent)
	if volumes == nil {
		return nil
	}
	return par.For(ctx, jobs, len(pieces), func(i int) error {
		list := pieces[i]
		if len(list) == 0 || !w.walkable(list[0].Plane, agent.SlopeLimit()) {
			return nil
		}
		c := carver{w: w, cutters: func(k int32) cutter { return volumes[k] }, open: true}
		for _, p := range list {
			box := p.Box()
			box.High[2] += high
			c.carve(p, w.tree.IDs(&box, nil))
		}
		pieces[i] = c.outside
		return nil
	})
}
