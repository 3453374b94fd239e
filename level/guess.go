package level

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
)

// Guess is evidence about the convention of a level's file: which axis is up, how long a unit is, and whether faces look outward. A
// guess decides nothing; programs show it to people.
type Guess struct {
	// Triangles is the number of triangles with an area.
	Triangles int
	// Facing gives for the axes x, y and z how many triangles face along the axis, within the slope, and Area their area in
	// square units. Down counts the triangles that face against y.
	Facing [3]int
	Area   [3]float64
	Down   int
	// Size is the size of the box around the level, and Edge the median length of the edges of triangles.
	Size geom.Vec
	Edge float64
	// Volume is the volume behind the faces, in cubic units: below 0 where faces look inward. It is 0 where the faces do not close.
	Volume float64
}

// guessEdges is how many triangles the median of edges is taken from at most.
const guessEdges = 1 << 16

// closedSum is the sum of the vectors across the faces of closed solids, as a part of the sum of their lengths: 0 but for rounding.
const closedSum = 1e-6

// Guess looks at all triangles of a valid level. slope is the steepest walkable slope in radians. Time O(n).
func (l *Level) Guess(slope float64) Guess {
	if l.Validate() != nil {
		return Guess{}
	}
	g := Guess{Size: l.Bounds().Size()}
	least := math.Cos(slope)
	step := max(1, len(l.Triangles)/guessEdges)
	var edges []float64
	var sum geom.Vec // of the vectors across all faces: 0 for closed solids
	across, volume := 0.0, 0.0
	from := l.Bounds().Center()
	for i, t := range l.Triangles {
		a, b, c := l.Vertices[t.A], l.Vertices[t.B], l.Vertices[t.C]
		n := b.Sub(a).Cross(c.Sub(a))
		length := n.Norm()
		if !(length > 0) || math.IsInf(length, 0) {
			continue
		}
		g.Triangles++
		sum, across, volume = sum.Add(n), across+length, volume+a.Sub(from).Dot(n)/6
		for axis, along := range [3]float64{n.X, n.Y, n.Z} {
			if along >= least*length {
				g.Facing[axis]++
				g.Area[axis] += length / 2
			}
		}
		if -n.Y >= least*length {
			g.Down++
		}
		if i%step == 0 {
			edges = append(edges, a.Distance(b), b.Distance(c), c.Distance(a))
		}
	}
	if sum.Norm() <= closedSum*across {
		g.Volume = volume
	}
	if len(edges) > 0 {
		slices.Sort(edges)
		g.Edge = edges[len(edges)/2]
	}
	return g
}

// Up returns the axis other than y that seems to be up: 'x' or 'z', or 0 where y may well be. An axis seems to be up if no
// triangle faces along y, and if triangles face along the axis; or if the level is low along the axis, at most half as
// high as along y, and more than twice the area faces along the axis.
func (g Guess) Up() byte {
	for _, axis := range []int{2, 0} {
		high := g.Size.Z
		if axis == 0 {
			high = g.Size.X
		}
		other := g.Area[2-axis]
		switch {
		case g.Facing[axis] == 0 || g.Area[axis] < other:
		case g.Facing[1] == 0 && g.Down == 0:
			return 'x' + byte(axis)
		case g.Facing[1] > 0 && 2*high <= g.Size.Y && g.Area[axis] > 2*g.Area[1]:
			return 'x' + byte(axis)
		}
	}
	return 0
}

// units are the lengths of files of people, and metres last.
var units = []struct {
	name   string
	metres float64
}{{"mm", 0.001}, {"cm", 0.01}, {"in", 0.0254}, {"ft", 0.3048}, {"m", 1}}

// UnitOf returns the length of a unit in metres by its short name: mm, cm, in, ft or m.
func UnitOf(name string) (metres float64, ok bool) {
	for _, u := range units {
		if u.name == name {
			return u.metres, true
		}
	}
	return 0, false
}

// The levels that people build have edges of some metres and a size of at most kilometres. Terrains have longer edges, and
// hence a unit is in doubt only where the edges are far longer.
const (
	usualEdge = 1.5  // m
	longEdge  = 40.0 // m, beyond which an edge is unusual
	mostSize  = 3000 // m of a level in its right unit
	leastSize = 1.0  // m of a level in its right unit
)

// Unit returns the name of the unit that the level seems to be in when its numbers are taken as metres: mm or cm, empty
// where metres may well be right. Edges in the middle are longer than 40 m in such a level, and the unit makes of them
// edges near 1.5 m.
func (g Guess) Unit() string {
	across := max(g.Size.X, g.Size.Z)
	if g.Edge < longEdge {
		return ""
	}
	best, off := "", math.Inf(1)
	for _, u := range units[:2] {
		if d := math.Abs(math.Log(g.Edge * u.metres / usualEdge)); d < off && across*u.metres <= mostSize && across*u.metres >= leastSize {
			best, off = u.name, d
		}
	}
	return best
}

// UpDoubt says in words why an axis other than y seems to be up: see [Guess.Up]. The text is empty where y may well be.
func (g Guess) UpDoubt() string {
	axis := g.Up()
	if axis == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d triangles face up, %d along %c: is %c up?", g.Facing[1], g.Triangles, g.Facing[axis-'x'], axis, axis-'a'+'A')
}

// UnitDoubt says in words why the unit seems to be smaller than a metre: see [Guess.Unit]. The text is empty where metres may well
// be right.
func (g Guess) UnitDoubt() string {
	if g.Unit() == "" {
		return ""
	}
	return fmt.Sprintf("%.4g × %.4g × %.4g m with edges of %.3g m: is the unit a smaller one?", g.Size.X, g.Size.Y, g.Size.Z, g.Edge)
}

// leastRoom is the least mean height of the air above faces that look up, in metres: half a person's height. Rooms that are modelled
// by their inside have more air.
const leastRoom = 0.9

// InwardDoubt says in words why the faces of solids seem to look inward: the solids are closed, the volume is negative, and nobody has
// room to stand inside. The text is empty where the faces may well be right.
func (g Guess) InwardDoubt() string {
	if !(g.Volume < 0) || -g.Volume >= leastRoom*g.Area[1] {
		return ""
	}
	return fmt.Sprintf("the faces enclose %.4g m³: do they look inward?", g.Volume)
}
