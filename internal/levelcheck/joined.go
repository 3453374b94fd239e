package levelcheck

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// spots lists the places of a portal that walks lead through, from 0 at its right end to 1 at its left.
var spots = [3]float64{0.5, 0.1, 0.9}

// joined walks through every portal, from the middle of one region to the middle of the other.
func (c *checker) joined() error {
	f := c.floor
	c.sets = unionfind.New(len(f.regions))
	type pair struct {
		from, to    int
		left, right geom.Vec
	}
	var portals []pair
	for s := range f.mesh.Tiles {
		t := &f.mesh.Tiles[s]
		place := func(v uint32) geom.Vec { return f.mesh.Frame.ToWorld(t.Vertices[v].Point, t.Vertices[v].Z) }
		for i := range t.Regions {
			for k, p := range t.RegionPortals(i) {
				if int(p.Back) > int(t.Regions[i].FirstPortal)+k {
					portals = append(portals, pair{f.first[s] + i, f.first[s] + int(p.To), place(p.Left), place(p.Right)})
				}
			}
		}
	}
	return c.each(len(portals), func(i int, j *groundtruth.Judge, l *look) {
		p := &portals[i]
		l.Portals++
		// A walk beside a wall may graze the wall: to be stopped counts if all walks are. To arrive elsewhere counts at once.
		worst, passed := walked{}, false
		for _, t := range spots {
			at := p.right.Add(p.left.Sub(p.right).Scale(t))
			// The way from one side to the other stays between the ends of the portal.
			beside := min(beside, min(t, 1-t)*math.Hypot(p.left.X-p.right.X, p.left.Z-p.right.Z))
			w := c.through(p.from, p.to, at, beside, j)
			for k := 0; k < 2 && w.fault != ""; k++ {
				w = ask(c.lenient()[k], func(j *groundtruth.Judge) walked { return c.through(p.from, p.to, at, beside, j) })
			}
			if passed = passed || w.fault == ""; w.fault != "" && (worst.fault == "" || w.elsewhere) {
				worst = w
			}
		}
		if passed {
			l.join = append(l.join, [2]int{p.from, p.to})
		}
		if worst.elsewhere || !passed {
			l.fault(Apart, f.regions[p.from].ref, worst.at, "on the way to region %d: %s", p.to, worst.fault)
		}
	})
}

// walked is how a walk through a portal ended: without a fault, or where and with which. The fault of a walk that arrived
// at another height is elsewhere.
type walked struct {
	at        geom.Vec
	fault     string
	elsewhere bool
}

// beside is the greatest distance in metres from a portal of the places between which the portal is crossed.
const beside = 0.05

// through walks from the middle of one region by a place of a portal to the middle of another. The way crosses the portal between
// places that are beside metres from the place.
func (c *checker) through(from, to int, portal geom.Vec, beside float64, j *groundtruth.Judge) walked {
	f := c.floor
	inside := func(i int) geom.Vec {
		m := f.regions[i].middle
		d := math.Hypot(m.X-portal.X, m.Z-portal.Z)
		if d == 0 {
			return m
		}
		at := portal.Add(m.Sub(portal).Scale(min(1, beside/d)))
		at.Y = f.height(i, at)
		return at
	}
	at := f.regions[from].middle
	for _, stop := range [3]struct {
		region int
		at     geom.Vec
	}{{from, inside(from)}, {to, inside(to)}, {to, f.regions[to].middle}} {
		w := pastWall(j, at, stop.at)
		switch w.Cause {
		case groundtruth.None:
		case groundtruth.NoFloor:
			return walked{} // the place lies over a crack, and tells nothing
		default:
			return walked{w.At, "the walk over the level ends: " + w.Cause.String(), false}
		}
		off := f.mesh.Agent.MaxClimb + f.regions[stop.region].error + heightSlack
		if d := w.At.Y - stop.at.Y; math.Abs(d) > off {
			return walked{w.At, "the floors of level and mesh are " + metres(math.Abs(d)) + " apart", true}
		}
		at = w.At
	}
	return walked{}
}

// pastWall walks from one place to another. A region of a point may be a strip along a wall, so narrow that every walk in it grazes the
// wall or the side of a step under a ceiling. A walk that a body or a step ends is therefore walked once more on either side, and arrives
// where one of the three does.
func pastWall(j *groundtruth.Judge, from, to geom.Vec) groundtruth.Ending {
	const aside = 2e-3
	w := j.Walk(from, to.X, to.Z)
	length := math.Hypot(to.X-from.X, to.Z-from.Z)
	if w.Cause != groundtruth.Body && w.Cause != groundtruth.Step || length == 0 {
		return w
	}
	for _, by := range [2]float64{aside / length, -aside / length} {
		across := geom.Vec{X: by * (to.Z - from.Z), Z: -by * (to.X - from.X)}
		if o := j.Walk(from.Add(across), to.X+across.X, to.Z+across.Z); o.Cause == groundtruth.None {
			o.At.X, o.At.Z = to.X, to.Z
			return o
		}
	}
	return w
}
