package build

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

// floor answers for the heights of one layer.
type floor struct {
	sampler *lattice.Sampler
	empty   bool
}

func newFloor(tin *lattice.TIN) floor {
	return floor{sampler: lattice.NewSampler(tin), empty: len(tin.Triangles) == 0}
}

// reaches are the distances, in lattice units, in which a point outside of the floor is looked
// for a height, one after the other: rounding, a millimetre, a metre, the whole frame.
var reaches = [...]float64{2, 4, lattice.UnitsPerMetre, 4 * lattice.MaxCoord}

// inset is how far inside of a piece, in lattice units, the height at its border is taken. It is
// less than what rounding does, and keeps the floor on the other side of the border out of it.
const inset = 1.0 / 64

// height returns the height of the floor at point p on the border of a convex piece, rounded: that
// of the highest triangle on the piece's side within the given bounds, or at the nearest point of
// the floor within them where there is none. ok is false where no floor is within the bounds.
func (f floor) height(p lattice.Point, piece []lattice.Point, within bounds) (z int32, ok bool) {
	if f.empty {
		return 0, false
	}
	var sx, sy int64
	for _, q := range piece {
		sx, sy = sx+int64(q.X), sy+int64(q.Y)
	}
	n := float64(len(piece))
	x, y := float64(p.X), float64(p.Y)
	dx, dy := float64(sx)/n-x, float64(sy)/n-y
	s := inset / max(dx, -dx, dy, -dy)
	x, y = x+float64(s*dx), y+float64(s*dy)
	h, ok := f.sampler.HeightBelow(x, y, within.high, 0)
	for i := 0; i < len(reaches) && !ok; i++ {
		if math.IsInf(within.low, -1) || reaches[i] <= lattice.UnitsPerMetre {
			h, ok = f.sampler.HeightBelow(x, y, within.high, reaches[i])
		}
	}
	return int32(math.Floor(h + 0.5)), ok && h >= within.low
}

// bounds are the heights between which a floor is looked for, so that a floor above or below is not
// taken for it.
type bounds struct{ low, high float64 }

var unbounded = bounds{math.Inf(-1), math.Inf(1)}

// expectation is what the plan says about the height of a vertex.
type expectation struct {
	bounds
	height int32 // to fall back on
}

// expectations knows what the plan says about the heights of the points of its domains.
type expectations struct {
	slack  float64                   // half the agent's height: floors above each other are farther apart
	known  []map[lattice.Point]int32 // by domain
	any    map[lattice.Point]int32   // of the first domain that has the point
	absent bool
}

func newExpectations(domains []domain, agentHeight float64) *expectations {
	e := &expectations{slack: agentHeight * lattice.UnitsPerMetre / 2, known: make([]map[lattice.Point]int32, len(domains)), any: make(map[lattice.Point]int32), absent: true}
	for i := range domains {
		d := &domains[i]
		e.known[i] = make(map[lattice.Point]int32)
		for r := range d.Heights {
			e.absent = false
			for k, h := range d.Heights[r] {
				p := d.Rings[r][k]
				e.known[i][p] = h
				if _, ok := e.any[p]; !ok {
					e.any[p] = h
				}
			}
		}
	}
	return e
}

// of returns what is expected at p on the border of a piece: the plan's height where it has one,
// else something between the heights at the ends of the side that p is on.
func (e *expectations) of(p lattice.Point, piece *piece) expectation {
	if e.absent {
		return expectation{bounds: unbounded}
	}
	if h, ok := e.at(p, piece.domain); ok {
		return expectation{bounds{float64(h) - e.slack, float64(h) + e.slack}, h}
	}
	n := len(piece.points)
	before, after := around(p, piece.points)
	for k := 0; k < n; k++ {
		if _, ok := e.at(piece.points[before], piece.domain); ok {
			break
		}
		before = (before + n - 1) % n
	}
	for k := 0; k < n; k++ {
		if _, ok := e.at(piece.points[after], piece.domain); ok {
			break
		}
		after = (after + 1) % n
	}
	h, ok := e.at(piece.points[before], piece.domain)
	if !ok {
		return expectation{bounds: unbounded}
	}
	k, _ := e.at(piece.points[after], piece.domain)
	return expectation{bounds{float64(min(h, k)) - e.slack, float64(max(h, k)) + e.slack}, h/2 + k/2}
}

// around returns the corners before and after a point on the border of a polygon.
func around(p lattice.Point, ring []lattice.Point) (before, after int) {
	n := len(ring)
	nearest := lattice.SegmentDistance2(p, ring[n-1], ring[0])
	before = n - 1
	for i, q := range ring {
		if q == p {
			return (i + n - 1) % n, (i + 1) % n
		}
		if d := lattice.SegmentDistance2(p, q, ring[(i+1)%n]); d.Compare(nearest) < 0 {
			nearest, before = d, i
		}
	}
	return before, (before + 1) % n
}

// at returns the plan's height at p in a domain, or in the first other one that has the point: the
// corners of a piece that was merged with one of another layer are that domain's.
func (e *expectations) at(p lattice.Point, domain int32) (int32, bool) {
	if h, ok := e.known[domain][p]; ok {
		return h, true
	}
	h, ok := e.any[p]
	return h, ok
}
