// Package groundtruth decides at single places whether an agent can stand there, straight from the definition of
// walkable and by other means than any extractor: in float64, place by place, without a lattice, polygons or
// footprints. Tests compare the floors of extractors with it.
//
// Source: the definition is the project's own (docs/algorithms/build.md). A place on an up-facing face of
// at most the greatest slope, see geom.SlopeLimit, is walkable iff no triangle within the radius comes between climb and height
// above the connected floor below it, and the whole disc of the radius rests on that floor.
//
// Idea: go straight from the place in many directions. The upright plane of a direction meets every
// triangle in a segment, so along one direction the walk is exact: on the highest segment that a step
// reaches, until the floor ends, rises or falls by more than a step, or something is in the way of the
// body. The shortest such way is the clearance of the place, and the place is walkable where that is at
// least the radius.
//
// Input: any triangles.
//
// Guarantees:
//  1. Beside straight walls and edges the clearance is right within a millimetre: TestClearance.
//  2. Walls without thickness are not missed, also when seen from their end: TestThinWalls.
//  3. Posts of a centimetre are not missed: TestPosts.
//  4. Stairs, ramps, cracks and bevels do not stop anybody: TestFloorGoesOn.
//  5. A place on an edge or a corner of triangles, or a hair beside, is judged like the places around it: TestPlacesOnEdges,
//     TestPlaceBesideACorner.
//  6. A walk over several metres ends at the height of the floor that it followed, and stops where the floor does: TestWalk.
//  7. The distance of a border from walls, posts, beams and ledges is right within 3 mm, and shapes of other storeys do
//     not count: TestContact.
//  8. A corner at which several floors meet is no border, though two of these floors are no step of each other:
//     TestCornersAreNoBorders.
//  9. A walk that begins where floors meet begins on no hidden floor: TestWalkFromASeam. A wall beside a walk, over a step, is in
//     the way only where the wall is in the way of both floors: TestWalkBesideABody. So is the edge of a storey over a step: TestStoreyOverStep.
//  10. A strip of floor narrower than a millimetre is no tread between two other floors: TestThinTreads. The lenient judge takes a strip
//     wider than a quarter of a millimetre, where a lattice may have floor: TestShrunkLevels of internal/levelcheck.
//  11. A floor in a crack narrower than a hair ends no way over the crack, also aslant: TestShrunkLevels of internal/levelcheck.
//  12. Nobody treads on a hidden floor on the way from the floor above down to a lower floor: TestHiddenTreads.
//
// Degenerate cases: repeated faces are one floor. The edge of a ceiling exactly above the edge of a step is
// only in the way if it is for both sides of the step, because both are the floor below it. Steep patches no
// higher than a step are floor to walk over, but no place to be asked for. Floors less than [gaps.Hair] apart touch, also for
// ways that cross aslant. A floor that begins too low for a step and rises is none that is beyond a gap. Gaps are found by package
// gaps.
//
// Cost: gaps once per level; then O(d·(k + s·k)) for a place with d directions, k triangles in the sector of one, and s floors in a row along
// one.
//
// Departures: it samples directions. They are [Spacing] apart at the end of the way; besides, it goes
// towards the corners and the nearest and middle points of the edges of whatever may be in the way, and
// towards points [Spacing] apart of all near edges at which the floor may end. So a gap in the floor narrower than
// [Spacing], or an overhang that only comes down to the band away from its edges, may be missed.
// Floors connect along straight ways only. The corner of a hole is seen up to 2 cm late if the corner is sharper than 11°.
package groundtruth

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/gaps"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/level"
)

// Spacing is how far apart directions are at the end of their way, in metres.
const Spacing = 0.04

// Beyond is how far past the agent's radius clearances are looked for, in metres.
const Beyond = 0.3

// slack is the allowed error of lengths, in metres: limits that the agent just meets in exact arithmetic hold
// in float64 too.
const slack = 1e-3

// upright is the cosine of the angle to the ground from which on a face is a wall, and not a steep patch to
// step over: rounding the vertices of an upright face does not make it a patch.
const upright = 2e-3

// hairline is how wide a steep face is at most, seen from above in metres, to be a wall and no patch. Floors as far apart are
// joined: the patch adds only its height to a step.
const hairline = 2e-3

// Cause is the reason for the end of a place's clearance.
type Cause uint8

// The causes.
const (
	None    Cause = iota // nothing within [Beyond] of the radius
	NoFloor              // there is no floor at the place
	Ledge                // the floor ends or falls
	Step                 // the floor rises by more than a step
	Body                 // something is in the way of the body
)

func (c Cause) String() string {
	return [...]string{"free", "no floor", "ledge", "step", "body"}[c]
}

// Verdict is the judgement of a place.
type Verdict struct {
	Walkable bool
	// Height is the height of the floor under the agent, in metres.
	Height float64
	// Clearance is how far the disc around the place can be widened until it leaves the connected floor or meets
	// something, in metres, at most the radius and [Beyond]. Margin is Clearance less the radius.
	Clearance, Margin float64
	Cause             Cause
	// Triangle is the obstacle, or the triangle at the end of the floor, -1 for none; At is the place. A bridge over a gap is
	// told as a triangle beside the gap.
	Triangle int
	At       geom.Vec
}

// Judge knows a level. It belongs to one goroutine; see [Judge.Fork].
type Judge struct {
	agent   geom.Agent
	reach   float64
	faces   []face
	boxes   []geom.Box // of the faces
	grid    gaps.Grid
	ways    int     // uniform directions
	spacing float64 // how far apart directions are at their ends
	tread   float64 // the least length of a step between two floors
	corner  float64 // see corner
	bridges int     // number of the first bridge among the faces
	above   float64 // by how much a bridge may be higher or lower than the judge's: for who passes beneath, or steps onto it or off
	gather  gathering
}

// face is a triangle.
type face struct {
	v     [3]geom.Vec
	floor bool    // it can be walked over
	stand bool    // it can be stood on: not steep
	rim   [3]bool // which edges of a floor it does not share with exactly one other
	of    int     // the triangle of the level; of a bridge, the triangle where the bridge begins

	pocket *[2]float64 // of a pocket between bridges, the lowest and the highest height of its border; else nil
}

// New reads a level for an agent. Indices of vertices have to be right; degenerate triangles may occur.
// Time O(n log n).
func New(lvl *level.Level, agent geom.Agent) *Judge {
	return newJudge(lvl, agent, agent, agent.MaxClimb, gaps.Options{})
}

// newJudge is New with other bridges, for another agent, and with another greatest height of steep patches that are floor.
func newJudge(lvl *level.Level, agent, stepper geom.Agent, patch float64, opt gaps.Options) *Judge {
	j := &Judge{agent: agent, reach: agent.Radius + Beyond, tread: tread, corner: corner, faces: make([]face, len(lvl.Triangles))}
	limit := agent.SlopeLimit()
	for i, t := range lvl.Triangles {
		f := &j.faces[i]
		f.of = i
		f.v = [3]geom.Vec{lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C]}
		if f.normal().Y > 0 {
			f.stand = limit.Admits(f.v[0], f.v[1], f.v[2])
			f.floor = f.stand
		}
	}
	j.admitLowPatches(patch)
	j.findRims()
	j.index()
	j.bridge(stepper, opt)
	j.look(Spacing)
	return j
}

// bridge makes gaps floor that an agent steps over.
func (j *Judge) bridge(agent geom.Agent, opt gaps.Options) {
	j.bridges = len(j.faces)
	if agent.MaxGap == 0 {
		return
	}
	var floors []gaps.Face
	for i := range j.faces {
		if j.faces[i].floor {
			floors = append(floors, gaps.Face{V: j.faces[i].v, Of: i})
		}
	}
	bridges := gaps.Find(floors, agent, opt).Bridges
	for _, b := range bridges {
		f := face{v: b.V, floor: true, stand: true, rim: b.Rim, of: b.Of}
		if b.Pocket {
			f.pocket = &[2]float64{b.Low, b.High}
		}
		j.faces = append(j.faces, f)
	}
	if len(bridges) > 0 {
		j.index()
	}
}

// look sets how far apart directions are at their ends.
func (j *Judge) look(spacing float64) {
	j.spacing, j.ways = spacing, max(64, int(2*math.Pi*j.reach/spacing))
}

// Fork returns a judge of the same level for another goroutine.
func (j *Judge) Fork() *Judge {
	k := *j
	k.gather = gathering{}
	return &k
}

func (f *face) normal() geom.Vec { return f.v[1].Sub(f.v[0]).Cross(f.v[2].Sub(f.v[0])) }

// admitLowPatches makes steep faces that hang together floor to walk over where they are no higher than
// most: a step of the agent, or a little more or less.
func (j *Judge) admitLowPatches(most float64) {
	steep := func(f *face) bool { n := f.normal(); return !f.stand && n.Y > upright*n.Norm() }
	patches := unionfind.New(len(j.faces))
	first := make(map[edge]int32)
	for i := range j.faces {
		f := &j.faces[i]
		if !steep(f) {
			continue
		}
		for k := range 3 {
			e := f.edge(k)
			if o, ok := first[e]; ok {
				patches.Union(int32(i), o)
			} else {
				first[e] = int32(i)
			}
		}
	}
	low, high := make(map[int32]float64), make(map[int32]float64)
	for i := range j.faces {
		if f := &j.faces[i]; steep(f) {
			r := patches.Find(int32(i))
			if _, ok := low[r]; !ok {
				low[r], high[r] = math.Inf(1), math.Inf(-1)
			}
			low[r] = min(low[r], f.v[0].Y, f.v[1].Y, f.v[2].Y)
			high[r] = max(high[r], f.v[0].Y, f.v[1].Y, f.v[2].Y)
		}
	}
	for i := range j.faces {
		if f := &j.faces[i]; steep(f) {
			r := patches.Find(int32(i))
			f.floor = high[r]-low[r] <= most+slack/2 && f.width() > hairline
		}
	}
}

// width is how wide a face that looks up is, seen from above.
func (f *face) width() float64 {
	longest := 0.0
	for k := range 3 {
		e := f.v[(k+1)%3].Sub(f.v[k])
		longest = max(longest, math.Hypot(e.X, e.Z))
	}
	return f.normal().Y / longest
}

// findRims marks the edges at which floors may end.
func (j *Judge) findRims() {
	count := make(map[edge]int)
	for i := range j.faces {
		if f := &j.faces[i]; f.floor {
			for k := range 3 {
				count[f.edge(k)]++
			}
		}
	}
	for i := range j.faces {
		if f := &j.faces[i]; f.floor {
			for k := range 3 {
				f.rim[k] = count[f.edge(k)] != 2
			}
		}
	}
}

// edge is the two ends of an edge in quarters of a millimetre, about, in order.
type edge [2][3]int64

func (f *face) edge(k int) edge {
	a, b := rounded(f.v[k]), rounded(f.v[(k+1)%3])
	if compare(b, a) < 0 {
		a, b = b, a
	}
	return edge{a, b}
}

func rounded(v geom.Vec) [3]int64 {
	const perMetre = 4096
	return [3]int64{int64(math.Round(v.X * perMetre)), int64(math.Round(v.Y * perMetre)), int64(math.Round(v.Z * perMetre))}
}

func compare(a, b [3]int64) int {
	for k := range a {
		switch {
		case a[k] < b[k]:
			return -1
		case a[k] > b[k]:
			return 1
		}
	}
	return 0
}

// triangle returns the triangle of the level for the index of a face, -1 for none.
func (j *Judge) triangle(face int) int {
	if face < 0 {
		return -1
	}
	return j.faces[face].of
}

// At judges the place at x and z of the world. The agent stands on the highest floor within a step of
// height.
func (j *Judge) At(x, z, height float64) Verdict {
	return j.judge(x, z, height, j.agent.Radius-Beyond)
}

// Walkable reports whether a place is walkable. It is faster than [Judge.At] where the answer is no.
func (j *Judge) Walkable(x, z, height float64) bool {
	return j.judge(x, z, height, j.agent.Radius).Walkable
}

// judge is At, and looks no longer once the clearance is below enough.
func (j *Judge) judge(x, z, height, enough float64) Verdict {
	g := &j.gather
	j.collect(x, z, height, j.reach)
	none := Verdict{Height: height, Clearance: 0, Margin: -j.agent.Radius, Cause: NoFloor, Triangle: -1, At: geom.Vec{X: x, Y: height, Z: z}}
	// The floor, and the nearest face above at this very place.
	feet, on := math.Inf(-1), -1
	for i := range g.faces {
		f := &g.faces[i]
		if !f.floor {
			continue
		}
		if h, ok := f.heightAt(0, 0); ok && math.Abs(h-height) <= j.agent.MaxClimb+slack && h > feet {
			feet, on = h, i
		}
	}
	if on < 0 {
		return none
	}
	for i := range g.faces {
		f := &g.faces[i]
		if h, ok := f.heightAt(0, 0); ok && f.floor && h-feet > slack && h-feet < j.agent.Height-slack {
			none.Height, none.Cause, none.Triangle = feet, Body, j.triangle(f.index)
			return none
		}
	}
	v := Verdict{Height: feet, Clearance: j.reach, Triangle: -1}
	j.aim(feet)
	j.gather.divide()
	for _, b := range g.aims {
		way := j.walk(b, on, feet, v.Clearance)
		if way.cause == None || way.r >= v.Clearance {
			continue
		}
		v.Clearance, v.Cause, v.Triangle = max(way.r, 0), way.cause, j.triangle(way.triangle)
		d := directions[b]
		v.At = geom.Vec{X: x + way.r*d[0], Y: way.z, Z: z + way.r*d[1]}
		if v.Clearance < enough {
			break
		}
	}
	v.Margin = v.Clearance - j.agent.Radius
	v.Walkable = v.Margin >= 0
	return v
}
