package groundtruth

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/gaps"
)

// index makes the boxes of all faces and the grid of these boxes.
func (j *Judge) index() {
	j.boxes = make([]geom.Box, len(j.faces))
	for i := range j.faces {
		v := &j.faces[i].v
		j.boxes[i] = geom.EmptyBox().Extend(v[0]).Extend(v[1]).Extend(v[2])
	}
	j.grid = gaps.NewGrid(len(j.boxes), func(i int) geom.Box { return j.boxes[i] })
}

// near is a face as seen from the place that is judged: x and z are relative to the place, heights are in the world.
type near struct {
	x, z, y    [3]float64
	low, high  float64
	floor      bool
	rim        [3]bool
	index      int
	ax, az, ah float64 // the plane of a floor: height ah at the place, ax and az its slopes
}

// heightAt returns the height of a floor over a point.
func (f *near) heightAt(x, z float64) (float64, bool) {
	var left, right bool
	for i := range 3 {
		k := (i + 1) % 3
		switch s := (f.x[k]-f.x[i])*(z-f.z[i]) - (f.z[k]-f.z[i])*(x-f.x[i]); {
		case s > 0:
			left = true
		case s < 0:
			right = true
		}
	}
	return f.ah + f.ax*x + f.az*z, !left || !right
}

// gathering holds the faces near the judged place, and scratch memory.
type gathering struct {
	stamp     []int32
	now       int32
	faces     []near
	sectors   [sectors][]int32 // the faces that directions may meet
	every     []int32          // all faces
	connected []bool           // of the faces: floors that a walk from a border may come to
	aims      []int32
	seen      [bins / 64]uint64
	floors    []slice
	bodies    []slice
	aside     float64 // of the way that was cut last
}

// collect lists the faces that walks of a length from a place may meet.
func (j *Judge) collect(x, z, height, length float64) {
	reach := length + gaps.Hair
	j.gatherIn(x, z, height, reach, [4]float64{-reach, -reach, reach, reach}, nil)
}

// beside is how far beside a walk a face may matter, in metres: more than [corner], [gaps.Hair] and five hairs ahead of the start.
const beside = 0.02

// collectAlong lists the faces that a walk of a length from a place in direction d may meet.
func (j *Judge) collectAlong(x, z, height float64, d [2]float64, length float64) {
	reach := length + gaps.Hair
	ex, ez := reach*d[0], reach*d[1]
	j.gatherIn(x, z, height, reach, [4]float64{min(0, ex) - beside, min(0, ez) - beside, max(0, ex) + beside, max(0, ez) + beside}, &d)
}

// gatherIn lists the faces in a rectangle around a place, seen from above: least x and z, most x and z, relative to the place. Faces
// are left out that floors cannot reach within reach metres, and with a direction all faces beside the line from the place.
func (j *Judge) gatherIn(x, z, height, reach float64, in [4]float64, d *[2]float64) {
	g := &j.gather
	if len(g.stamp) < len(j.faces) {
		g.stamp = make([]int32, len(j.faces))
	}
	g.now++
	g.faces = g.faces[:0]
	// As far as floors may rise or fall on the way.
	up := j.agent.Height + 4*j.agent.MaxClimb + reach*(1+j.agent.SlopeLimit().Tangent())
	x0, z0, x1, z1, low, high := x+in[0], z+in[1], x+in[2], z+in[3], height-up, height+up
	j.grid.Visit(x0, z0, x1, z1, func(i int32) {
		if g.stamp[i] == g.now {
			return
		}
		g.stamp[i] = g.now
		if b := &j.boxes[i]; b.Min.X > x1 || b.Max.X < x0 || b.Min.Z > z1 || b.Max.Z < z0 || b.Min.Y > high || b.Max.Y < low {
			return
		}
		f := &j.faces[i]
		n := near{index: int(i), floor: f.floor, rim: f.rim, low: j.boxes[i].Min.Y, high: j.boxes[i].Max.Y}
		for k, v := range f.v {
			n.x[k], n.z[k], n.y[k] = v.X-x, v.Z-z, v.Y
		}
		if d != nil {
			a, b, c := d[0]*n.z[0]-d[1]*n.x[0], d[0]*n.z[1]-d[1]*n.x[1], d[0]*n.z[2]-d[1]*n.x[2]
			if min(a, b, c) > beside || max(a, b, c) < -beside {
				return
			}
		}
		if n.floor {
			m := f.normal()
			n.ax, n.az = -m.X/m.Y, -m.Z/m.Y
			n.ah = n.y[0] - n.ax*n.x[0] - n.az*n.z[0]
		}
		g.faces = append(g.faces, n)
	})
}

// sectors is how many parts the directions are divided into, for looking at few faces in each.
const sectors = 64

// divide lists the faces by the sectors in which they may be seen.
func (g *gathering) divide() {
	for i := range g.sectors {
		g.sectors[i] = g.sectors[i][:0]
	}
	// As far as a face is seen beside its corners, and the distance below which a face may be seen everywhere.
	const beside, touching, flat = 2, 0.03, 0.3
	for i := range g.faces {
		f := &g.faces[i]
		var angle [3]float64
		all := false
		for k := range 3 {
			angle[k] = math.Atan2(f.z[k], f.x[k])
			all = all || f.x[k]*f.x[k]+f.z[k]*f.z[k] < touching*touching
		}
		low, high := 0.0, 0.0
		for k := 1; k < 3; k++ {
			d := math.Remainder(angle[k]-angle[0], 2*math.Pi)
			low, high = min(low, d), max(high, d)
		}
		from, to := 0, sectors-1
		if !all && high-low < math.Pi-flat {
			from = int(math.Floor((angle[0]+low)*sectors/(2*math.Pi))) - beside
			to = int(math.Floor((angle[0]+high)*sectors/(2*math.Pi))) + beside
			to = min(to, from+sectors-1)
		}
		for s := from; s <= to; s++ {
			at := &g.sectors[s&(sectors-1)]
			*at = append(*at, int32(i))
		}
	}
}

// bins is the number of directions that are told apart: at the end of the way they are a tenth of a millimetre
// apart.
const bins = 1 << 16

var directions = func() (d [bins][2]float64) {
	for i := range d {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / bins)
		d[i] = [2]float64{cos, sin}
	}
	return d
}()

// aim lists the directions to look in: to both sides of possible obstacles, then all around.
func (j *Judge) aim(feet float64) {
	g := &j.gather
	g.aims = g.aims[:0]
	g.seen = [bins / 64]uint64{}
	add := func(b int) {
		b &= bins - 1
		if g.seen[b/64]&(1<<(b%64)) == 0 {
			g.seen[b/64] |= 1 << (b % 64)
			g.aims = append(g.aims, int32(b))
		}
	}
	towards := func(x, z float64) {
		at := math.Atan2(z, x) / (2 * math.Pi) * bins
		b := int(math.Floor(at))
		add(b)
		if at-float64(b) < 0.5 {
			add(b - 1)
		} else {
			add(b + 1)
		}
	}
	rise := j.reach * j.agent.SlopeLimit().Tangent()
	for i := range g.faces {
		f := &g.faces[i]
		if f.floor && !f.rim[0] && !f.rim[1] && !f.rim[2] || !f.floor && f.high < feet-rise+j.agent.MaxClimb || f.low > feet+rise+j.agent.Height {
			continue
		}
		for k := range 3 {
			if f.floor && !f.rim[k] {
				continue
			}
			ax, az := f.x[k], f.z[k]
			dx, dz := f.x[(k+1)%3]-ax, f.z[(k+1)%3]-az
			square := dx*dx + dz*dz
			if square == 0 {
				if ax*ax+az*az < j.reach*j.reach {
					towards(ax, az)
				}
				continue
			}
			t := -(ax*dx + az*dz) / square
			cx, cz := ax+t*dx, az+t*dz
			half2 := j.reach*j.reach - cx*cx - cz*cz
			if half2 <= 0 {
				continue
			}
			half := math.Sqrt(half2 / square)
			from, to := max(t-half, 0), min(t+half, 1)
			if from >= to {
				continue
			}
			for _, s := range [4]float64{min(max(t, from), to), from, to, (from + to) / 2} {
				towards(ax+s*dx, az+s*dz)
			}
			// An edge that is seen aslant may turn from a step to a ledge between two directions.
			if f.floor && (cx*cx+cz*cz < j.reach*j.reach/4 || j.spacing < Spacing) {
				for s, step := from, j.spacing/math.Sqrt(square); s < to; s += step {
					towards(ax+s*dx, az+s*dz)
				}
			}
		}
	}
	for i := range j.ways {
		add(i * bins / j.ways)
	}
}
