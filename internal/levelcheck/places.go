package levelcheck

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/groundtruth"
)

// stepReach is the distance in metres, seen from above, within which the level has to have a floor or a bridge over a gap: the
// mesh finds steps to a centimetre, and the ends of bridges to a few.
const stepReach = 0.06

// heightSlack is how far a height may be off, in metres, besides the error that a layer states.
const heightSlack = 0.05

// insideNear is how much nearer than the radius a place of the mesh may be to an obstacle, in metres: judges differ
// by less at the ends of walls.
const insideNear = 0.01

// onLevel looks at the middle of each region and at random places on the mesh.
func (c *checker) onLevel() error {
	f := c.floor
	sum, total := make(areas, 0, len(f.regions)), 0.0
	for i := range f.regions {
		corners := f.regions[i].corners
		for k := 1; k+1 < len(corners); k++ {
			total += corners[k].Sub(corners[0]).Cross(corners[k+1].Sub(corners[0])).Y / 2
		}
		sum = append(sum, total)
	}
	n := len(f.regions)
	if !sum.empty() {
		n += c.opt.Places
	}
	return c.each(n, func(i int, j *groundtruth.Judge, l *look) {
		if i < len(f.regions) {
			l.Regions++
			c.onPlace(i, f.regions[i].middle, j, l)
			return
		}
		rng := rand.New(rand.NewPCG(c.opt.Seed, uint64(i)))
		r := sum.draw(rng.Float64())
		corners := f.regions[r].corners
		// A triangle of the fan, by area.
		fan, part := make(areas, 0, len(corners)), 0.0
		for k := 1; k+1 < len(corners); k++ {
			part += math.Max(0, corners[k].Sub(corners[0]).Cross(corners[k+1].Sub(corners[0])).Y)
			fan = append(fan, part)
		}
		if fan.empty() {
			return
		}
		k := fan.draw(rng.Float64()) + 1
		at := inTriangle(rng, corners[0], corners[k], corners[k+1])
		at.Y = f.height(r, at)
		l.Places++
		c.onPlace(r, at, j, l)
	})
}

func inTriangle(rng *rand.Rand, a, b, c geom.Vec) geom.Vec {
	s, t := rng.Float64(), rng.Float64()
	if s+t > 1 {
		s, t = 1-s, 1-t
	}
	return a.Add(b.Sub(a).Scale(s)).Add(c.Sub(a).Scale(t))
}

// onPlace looks at a place of region i.
func (c *checker) onPlace(i int, at geom.Vec, j *groundtruth.Judge, l *look) {
	r := &c.floor.regions[i]
	off := heightSlack + r.error
	if below, above := bracket(j, at, off); !fits(at.Y, below, above, off, c.floor.mesh.Agent.MaxClimb) {
		l.fault(OffLevel, r.ref, at, "the floor of the level next in height is %s", apart(at.Y, below, above))
		return
	}
	near := max(insideNear, c.opt.Near)
	v := j.At(at.X, at.Z, at.Y)
	if v.Cause == groundtruth.NoFloor || v.Margin >= -near {
		return // beside the floor by less than stepReach, or free
	}
	for _, lenient := range c.lenient() {
		v = ask(lenient, func(j *groundtruth.Judge) groundtruth.Verdict { return roomAround(j, at) })
		if v.Cause == groundtruth.NoFloor || v.Margin >= -near {
			return
		}
	}
	l.fault(Blocked, r.ref, at, "the agent has room for a radius of %.3f m: %v at %v", v.Clearance, v.Cause, v.At)
}

// roomAround judges a place and four places beside, and returns the verdict with the most room. A place where the corners of floors meet
// may be judged from a floor of which the agent leaves no more than the corner.
func roomAround(j *groundtruth.Judge, at geom.Vec) groundtruth.Verdict {
	const aside = 2e-3
	best := j.At(at.X, at.Z, at.Y)
	for _, d := range [4][2]float64{{aside, aside}, {-aside, aside}, {-aside, -aside}, {aside, -aside}} {
		if best.Cause == groundtruth.NoFloor {
			break
		}
		if v := j.At(at.X+d[0], at.Z+d[1], at.Y); v.Margin > best.Margin && v.Cause != groundtruth.NoFloor {
			best = v
		}
	}
	return best
}

// bracket returns the heights of the level's floors around a place that come next below and above its height; a floor
// no more than off metres away counts as both.
func bracket(j *groundtruth.Judge, at geom.Vec, off float64) (below, above float64) {
	below, above = math.Inf(-1), math.Inf(1)
	j.Heights(at, stepReach, func(h float64) {
		if h <= at.Y+off {
			below = max(below, h)
		}
		if h >= at.Y-off {
			above = min(above, h)
		}
	})
	return below, above
}

// fits reports whether a height lies on a floor, or between two floors that are a step apart.
func fits(height, below, above, off, climb float64) bool {
	return height-below <= off || above-height <= off || above-below <= climb+off
}

// lost looks at random places on those faces of the level that are not steep.
func (c *checker) lost() error {
	agent := c.floor.mesh.Agent
	limit := agent.SlopeLimit()
	lvl := c.lvl
	sum, total := make(areas, 0, len(lvl.Triangles)), 0.0
	for _, t := range lvl.Triangles {
		a := lvl.Vertices[t.A]
		if b, c := lvl.Vertices[t.B], lvl.Vertices[t.C]; limit.Admits(a, b, c) {
			total += b.Sub(a).Cross(c.Sub(a)).Y / 2
		}
		sum = append(sum, total)
	}
	if sum.empty() {
		return nil
	}
	return c.each(c.opt.Places, func(i int, j *groundtruth.Judge, l *look) {
		rng := rand.New(rand.NewPCG(c.opt.Seed+1, uint64(i)))
		t := lvl.Triangles[sum.draw(rng.Float64())]
		at := inTriangle(rng, lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C])
		l.Places++
		v := j.At(at.X, at.Z, at.Y)
		if !v.Walkable {
			return
		}
		l.Walkable++
		at.Y = v.Height
		if v.Margin <= c.opt.Far() || c.floor.inside(at, c.floor.step) >= 0 {
			return
		}
		if !c.opt.KeepAll {
			l.LeftOut++
			return
		}
		for _, strict := range c.strict() {
			if !ask(strict, func(j *groundtruth.Judge) bool {
				v = j.At(at.X, at.Z, at.Y)
				return v.Margin > c.opt.Far() && c.hasRoom(at, c.opt.Far(), j)
			}) {
				return
			}
		}
		l.fault(LostFloor, 0, at, "no region, though the agent has room for a radius of %.3f m", v.Clearance)
	})
}

// hasRoom reports whether a place may have a margin of more than least, beyond the radius, as the judge says. The judge goes straight ways, and
// misses a ledge along one of them. A disc around a place beside, smaller by the distance of the two, lies within the disc of the place. The place
// beside therefore has the same room, on the same floor.
func (c *checker) hasRoom(at geom.Vec, least float64, j *groundtruth.Judge) bool {
	const aside = 0.05
	for _, d := range [4]geom.Vec{{X: aside}, {Z: aside}, {X: -aside}, {Z: -aside}} {
		p := at.Add(d)
		v := j.At(p.X, p.Z, p.Y)
		same := v.Cause != groundtruth.NoFloor && math.Abs(v.Height-at.Y) <= heightSlack+aside*math.Tan(c.floor.mesh.Agent.MaxSlope)
		if same && v.Margin+aside <= least {
			return false
		}
	}
	return true
}

// apart says in words how far a height is from the floors below and above.
func apart(height, below, above float64) string {
	switch {
	case math.IsInf(below, -1) && math.IsInf(above, 1):
		return "nowhere near"
	case math.IsInf(above, 1) || height-below <= above-height:
		return metres(height-below) + " below"
	}
	return metres(above-height) + " above"
}
