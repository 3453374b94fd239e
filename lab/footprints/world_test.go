package footprints

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

const metre = lattice.UnitsPerMetre

// floor is a floor of rectangles and triangles with T-junctions, turned by no simple angle. Side is in metres before the turn,
// which stretches by √5.
func floor(t testing.TB, seed uint64, side int32, cuts int) ([][]lattice.Vertex, []Link) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 84))
	boxes := [][4]int32{{0, 0, side * metre, side * metre}}
	for range cuts {
		k := r.IntN(len(boxes))
		b := boxes[k]
		share := func(low, high int32) int32 { return low + int32(float64(high-low)*(0.3+0.4*r.Float64())) }
		if b[2]-b[0] > b[3]-b[1] {
			x := share(b[0], b[2])
			boxes[k] = [4]int32{b[0], b[1], x, b[3]}
			boxes = append(boxes, [4]int32{x, b[1], b[2], b[3]})
		} else {
			y := share(b[1], b[3])
			boxes[k] = [4]int32{b[0], b[1], b[2], y}
			boxes = append(boxes, [4]int32{b[0], y, b[2], b[3]})
		}
	}
	var rings [][]lattice.Vertex
	at := func(x, y int32) lattice.Vertex {
		return lattice.Vertex{Point: lattice.Point{X: 2*x - y, Y: x + 2*y}}
	}
	for _, b := range boxes {
		a, c, d, e := at(b[0], b[1]), at(b[2], b[1]), at(b[2], b[3]), at(b[0], b[3])
		if r.IntN(4) == 0 {
			rings = append(rings, []lattice.Vertex{a, c, d}, []lattice.Vertex{a, d, e})
		} else {
			rings = append(rings, []lattice.Vertex{a, c, d, e})
		}
	}
	return rings, linksOf(rings)
}

// linksOf finds all common stretches of borders, exactly.
func linksOf(rings [][]lattice.Vertex) (links []Link) {
	for i, a := range rings {
		for k := i + 1; k < len(rings); k++ {
			b := rings[k]
			for u, p := range a {
				q := a[(u+1)%len(a)]
				for v, s := range b {
					e := b[(v+1)%len(b)]
					if lattice.Orient(p.Point, q.Point, s.Point) != 0 || lattice.Orient(p.Point, q.Point, e.Point) != 0 {
						continue
					}
					pick := func(at func(w lattice.Vertex) int64, list ...lattice.Vertex) lattice.Vertex {
						best := list[0]
						for _, w := range list[1:] {
							if at(w) > at(best) {
								best = w
							}
						}
						return best
					}
					along := func(w lattice.Vertex) int64 { return lattice.Dot(p.Point, q.Point, w.Point) }
					against := func(w lattice.Vertex) int64 { return -along(w) }
					low, high := pick(along, p, e), pick(against, q, s)
					if along(low) < along(high) {
						links = append(links, Link{int32(i), int32(k), [2]lattice.Vertex{low, high}, [2]lattice.Vertex{high, low}})
					}
				}
			}
		}
	}
	return links
}

// spot is a random place on a floor.
func spot(r *rand.Rand, side int32) lattice.Vertex {
	x, y := r.Int32N(side*metre), r.Int32N(side*metre)
	return lattice.Vertex{Point: lattice.Point{X: 2*x - y, Y: x + 2*y}}
}

func made(t testing.TB, seed uint64, side int32, cuts int, opt Options) *Field {
	t.Helper()
	rings, links := floor(t, seed, side, cuts)
	f, err := New(rings, links, opt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// deepest lists the deepest polygons.
func (f *Field) deepest() (list []int32) {
	f.Deepest(func(id int32, _ []lattice.Vertex) { list = append(list, id) })
	return list
}

// common is the length of the common border of two rings, in lattice units: edges within four units of each other, by floats.
func common(a, b []lattice.Vertex) float64 {
	sum := 0.0
	for i, p := range a {
		q := a[(i+1)%len(a)]
		for k, s := range b {
			e := b[(k+1)%len(b)]
			if p.Distance2(q.Point) >= s.Distance2(e.Point) {
				sum += alongside(p, q, s, e)
			} else {
				sum += alongside(s, e, p, q)
			}
		}
	}
	return sum
}

// alongside is the length of the part of pq beside se, where se is not longer.
func alongside(p, q, s, e lattice.Vertex) float64 {
	dx, dy := float64(q.X-p.X), float64(q.Y-p.Y)
	long := math.Hypot(dx, dy)
	place := func(w lattice.Vertex) (along, off float64) {
		x, y := float64(w.X-p.X), float64(w.Y-p.Y)
		return (x*dx + y*dy) / long, math.Abs(x*dy-y*dx) / long
	}
	sa, so := place(s)
	ea, eo := place(e)
	if so > 4 || eo > 4 {
		return 0
	}
	return max(0, min(long, max(sa, ea))-max(0, min(sa, ea)))
}

// judgeEdges compares the edges of deepest polygons with a look at all pairs.
func (f *Field) judgeEdges(t *testing.T) {
	t.Helper()
	list := f.deepest()
	for i, a := range list {
		n := &f.nodes[a]
		for _, k := range n.arcs {
			if f.nodes[k.to].ring == nil || f.arcTo(k.to, a) == nil {
				t.Fatalf("polygon %d has an edge to %d, which is gone or has no edge back", a, k.to)
			}
		}
		for _, b := range list[i+1:] {
			o := &f.nodes[b]
			if n.low[0] > o.high[0]+3 || o.low[0] > n.high[0]+3 || n.low[1] > o.high[1]+3 || o.low[1] > n.high[1]+3 {
				if f.arcTo(a, b) != nil {
					t.Fatalf("polygons %d and %d are joined, and far apart", a, b)
				}
				continue
			}
			long, joined := common(n.ring, o.ring), f.arcTo(a, b) != nil
			if joined && long == 0 || !joined && long > 16 {
				t.Fatalf("polygons %v and %v: joined %t, %g units of common border", n.ring, o.ring, joined, long)
			}
		}
	}
}
