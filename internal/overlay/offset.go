package overlay

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Join is the shape of an offset border around a corner.
type Join uint8

const (
	// Round corners are arcs, as chords outside of the arc: nothing is nearer than the distance, and
	// nothing farther than it by more than the tolerance.
	Round Join = iota
	// Square corners have one chord, which touches the middle of the arc.
	Square
	// Mitre corners are pointed where the point is at most twice the distance away, else square.
	Mitre
)

// mitreLimit is how far a mitre's point may be away, in distances.
const mitreLimit = 2

// Offset says how far a border is moved and how it goes around corners.
type Offset struct {
	// Distance is in lattice units: polygons grow above 0, and shrink below 0.
	Distance float64
	Join     Join
	// Tolerance bounds in lattice units how far round corners may be outside of their arcs; above 0.
	Tolerance float64
}

// Polygons returns the places within the distance of the polygons, or for a negative distance the places at
// least as far from all outside. The polygons are valid and do not overlap.
//
// Straight stretches of border are at the distance exactly, and no place of the border is nearer to the
// polygons, both up to two units of rounding: TestOffsetAgainstDistances. Time as [Arrange], for all edges
// and chords.
//
// The initial border consists of all edges moved, joined at convex corners by chords and at reflex corners by
// two steps over the corner. It is the sum of the borders of the polygon, of a rectangle beside every edge
// and of a sector at every convex corner. It winds around each place as often as they cover it.
//
// When shrinking, stretches and holes that cannot belong to the result are removed from this border first: see
// capsules, TestShortenedOffset and TestBuriedHoles.
func (o Offset) Polygons(polygons []lattice.Polygon) ([]lattice.Polygon, error) {
	return o.PolygonsOn(1, polygons)
}

// PolygonsOn is [Offset.Polygons] on up to jobs goroutines, see [ArrangeOn].
func (o Offset) PolygonsOn(jobs int, polygons []lattice.Polygon) ([]lattice.Polygon, error) {
	return o.polygons(jobs, polygons, true)
}

func (o Offset) polygons(jobs int, polygons []lattice.Polygon, shorten bool) ([]lattice.Polygon, error) {
	switch {
	case math.IsNaN(o.Distance) || math.Abs(o.Distance) > lattice.MaxCoord:
		return nil, fmt.Errorf("overlay: offset of %g units, must be within ±%d", o.Distance, lattice.MaxCoord)
	case o.Join == Round && !(o.Tolerance > 0):
		return nil, fmt.Errorf("overlay: offset with a tolerance of %g units, must be above 0", o.Tolerance)
	case o.Join > Mitre:
		return nil, fmt.Errorf("overlay: offset with join %d, there are 0 to %d", o.Join, Mitre)
	}
	var c *capsules
	if shorten && o.Join != Mitre && o.Distance < -4*inner { // tips of mitres are beyond capsules
		polygons = roomy(polygons, -o.Distance-inner)
		c = newCapsules(polygons, -o.Distance)
	}
	var moved []lattice.Ring
	for _, p := range polygons {
		for k, r := range p.Rings {
			if o.Distance < 0 {
				// The outside grows: the rings are walked the other way.
				r = slices.Clone(r)
				slices.Reverse(r)
			}
			m, err := o.ring(r, shorten)
			if err != nil {
				return nil, err
			}
			if c != nil {
				if k > 0 && c.bury(r, m) {
					continue
				}
				m = c.shorten(m)
			}
			moved = append(moved, m)
		}
	}
	a, err := ArrangeOn(jobs, moved)
	if err != nil {
		return nil, errors.New("overlay: offset leaves the frame")
	}
	defer a.Release()
	if o.Distance < 0 {
		left := a.Polygons(func(w Winding) bool { return w[0] < 0 })
		if c != nil {
			left = c.outside(left)
		}
		return left, nil
	}
	return a.Polygons(Positive(0)), nil
}

// vector is a direction of length 1, or a place in lattice units. Products are rounded before addition, so
// all machines agree.
type vector struct{ x, y float64 }

func (v vector) dot(w vector) float64 { return float64(v.x*w.x) + float64(v.y*w.y) }

// along returns the place on the way from v to w at a share of the way.
func (v vector) along(w vector, share float64) vector {
	return vector{v.x + float64((w.x-v.x)*share), v.y + float64((w.y-v.y)*share)}
}

func (v vector) unit() vector {
	length := math.Sqrt(v.dot(v))
	return vector{v.x / length, v.y / length}
}

// right returns v turned clockwise by a right angle: out of an area on the left.
func (v vector) right() vector { return vector{v.y, -v.x} }

// ring returns the moved ring, which may cross itself. Where shorten allows it, corners between long edges are cut
// where their two moved edges meet.
func (o Offset) ring(r lattice.Ring, shorten bool) (lattice.Ring, error) {
	m := mover{offset: o, distance: math.Abs(o.Distance)}
	for i, v := range r {
		prev, next := r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]
		in, out := direction(prev, v), direction(v, next)
		m.at = v
		if lattice.Orient(prev, v, next) < 0 {
			if shorten && m.meet(in, out, min(prev.Distance(v), v.Distance(next))) {
				continue
			}
			m.touch(in.right())
			m.out = append(m.out, v)
			m.touch(out.right())
			continue
		}
		m.join(in, out, 0)
	}
	if m.outside {
		return nil, errors.New("overlay: offset leaves the frame")
	}
	return m.out, nil
}

func direction(a, b lattice.Point) vector {
	dx, dy := b.Sub(a)
	return vector{float64(dx), float64(dy)}.unit()
}

// mover collects a moved ring.
type mover struct {
	offset   Offset
	distance float64
	at       lattice.Point // the corner
	out      lattice.Ring
	outside  bool
}

// touch appends the point at the distance in a direction.
func (m *mover) touch(n vector) { m.append(n, m.distance) }

func (m *mover) append(n vector, by float64) {
	x := math.Floor(float64(m.at.X) + float64(n.x*by) + 0.5)
	y := math.Floor(float64(m.at.Y) + float64(n.y*by) + 0.5)
	if !(math.Abs(x) <= lattice.MaxCoord && math.Abs(y) <= lattice.MaxCoord) {
		m.outside = true
		return
	}
	m.out = append(m.out, lattice.Point{X: int32(x), Y: int32(y)})
}

// meet appends the place where the edges moved from a reflex corner meet, for a turn from direction d to e, unless
// the place might be at or beyond the end of a short edge.
//
// The omitted part of the moved border goes around a kite between the place and the corner. The rectangles beside
// both edges cover the kite. It takes at most half the length of either, so the kites of two corners do not overlap,
// and a place in a kite stays covered by one of its rectangles.
func (m *mover) meet(d, e vector, shortest float64) bool {
	cosine := d.dot(e)
	if cosine < 0 {
		return false
	}
	// From the corner along an edge to the place.
	along := m.distance * math.Sqrt(max(0, 1-cosine)/(1+cosine))
	if 4*along > shortest {
		return false
	}
	m.append(vector{d.x + e.x, d.y + e.y}.right(), m.distance/(1+cosine))
	return true
}

// join goes around a corner from the tangent in direction d to that in direction e, which turns left by at
// most half a turn. The two meet at 1/cos of half the turn times the distance, in the direction between their
// normals; if this is too far, a tangent in the middle comes between.
func (m *mover) join(d, e vector, depth int) {
	// Half of the turn has the sine |e-d|/2 and the cosine |e+d|/2: the larger of the two vectors
	// gives the direction between the normals precisely.
	sum, difference := vector{d.x + e.x, d.y + e.y}, vector{d.x - e.x, d.y - e.y}
	cosine := math.Sqrt(sum.dot(sum)) / 2
	var between vector
	if d.dot(e) >= 0 {
		between = sum.right().unit()
	} else {
		between = difference.unit()
	}
	if !m.far(cosine, depth) {
		m.append(between, m.distance/cosine)
		return
	}
	tangent := vector{-between.y, between.x}
	m.join(d, tangent, depth+1)
	m.join(tangent, e, depth+1)
}

// far reports whether the point at which two tangents meet is too far from the corner.
func (m *mover) far(cosine float64, depth int) bool {
	switch m.offset.Join {
	case Round:
		return float64(cosine*(m.distance+m.offset.Tolerance)) < m.distance
	case Square:
		return depth == 0
	}
	return depth == 0 && cosine*mitreLimit < 1
}
