package detail_test

import (
	"math/big"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// The oracle compares two surfaces by rational arithmetic, without the code of the package. The intersection
// of two triangles is a convex polygon, whose corners are corners of one inside the other and crossings of
// sides. The difference of their heights is extreme at these corners.

// place is a point of the plane between lattice points, and nearly so.
type place struct {
	x, y   *big.Rat
	nx, ny float64
}

func placeOf(x, y *big.Rat) place {
	p := place{x: x, y: y}
	p.nx, _ = x.Float64()
	p.ny, _ = y.Float64()
	return p
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

func at(p lattice.Point) place { return placeOf(rat(int64(p.X)), rat(int64(p.Y))) }

// orient is twice the signed area of a, b, p.
func orient(a, b lattice.Point, p place) *big.Rat {
	dx, dy := b.Sub(a)
	l := new(big.Rat).Sub(p.y, rat(int64(a.Y)))
	r := new(big.Rat).Sub(p.x, rat(int64(a.X)))
	return l.Sub(l.Mul(l, rat(dx)), r.Mul(r, rat(dy)))
}

// corners is a triangle of a surface.
type corners [3]lattice.Vertex

func cornersOf(t *lattice.TIN, i int) corners {
	c := t.Triangles[i]
	return corners{t.Vertices[c[0]], t.Vertices[c[1]], t.Vertices[c[2]]}
}

// height returns the height of a triangle at a place; ok is false outside the triangle.
func (c *corners) height(p place) (z *big.Rat, ok bool) {
	if b := c.box(); p.nx < float64(b.Min.X)-1 || p.nx > float64(b.Max.X)+1 || p.ny < float64(b.Min.Y)-1 || p.ny > float64(b.Max.Y)+1 {
		return nil, false
	}
	z = new(big.Rat)
	for k := range 3 {
		w := orient(c[(k+1)%3].Point, c[(k+2)%3].Point, p)
		if w.Sign() < 0 {
			return nil, false
		}
		z.Add(z, w.Mul(w, rat(int64(c[k].Z))))
	}
	return z.Quo(z, rat(lattice.Orient(c[0].Point, c[1].Point, c[2].Point))), true
}

func (c *corners) box() lattice.Box { return lattice.BoxOf(c[0].Point, c[1].Point, c[2].Point) }

// common returns the corners of the intersection of two triangles.
func common(a, b *corners) []place {
	var out []place
	if !a.box().Overlaps(b.box()) {
		return nil
	}
	for k := range 3 {
		if p := at(a[k].Point); inside(b, p) {
			out = append(out, p)
		}
		if p := at(b[k].Point); inside(a, p) {
			out = append(out, p)
		}
		for l := range 3 {
			p, q, r, s := a[k].Point, a[(k+1)%3].Point, b[l].Point, b[(l+1)%3].Point
			if lattice.SegmentContact(p, q, r, s) != lattice.ProperCrossing {
				continue
			}
			dx, dy := q.Sub(p)
			u := lattice.Orient(r, s, p)
			t := new(big.Rat).SetFrac64(u, 1)
			t.Quo(t, new(big.Rat).Sub(rat(u), rat(lattice.Orient(r, s, q))))
			x := new(big.Rat).Mul(t, rat(dx))
			y := new(big.Rat).Mul(t, rat(dy))
			out = append(out, placeOf(x.Add(x, rat(int64(p.X))), y.Add(y, rat(int64(p.Y)))))
		}
	}
	return out
}

func inside(c *corners, p place) bool {
	_, ok := c.height(p)
	return ok
}

// difference returns the greatest difference of heights where triangles of both surfaces lie over each other:
// for surfaces without overlaps, their distance.
func difference(f, g *lattice.TIN) *big.Rat {
	most := new(big.Rat)
	for i := range f.Triangles {
		a := cornersOf(f, i)
		for j := range g.Triangles {
			b := cornersOf(g, j)
			for _, p := range common(&a, &b) {
				za, _ := a.height(p)
				zb, _ := b.height(p)
				if d := za.Sub(za, zb); d.Abs(d).Cmp(most) > 0 {
					most = d
				}
			}
		}
	}
	return most
}

// area2 is twice the area of all triangles.
func area2(t *lattice.TIN) (sum int64) {
	for i := range t.Triangles {
		c := cornersOf(t, i)
		sum += lattice.Orient(c[0].Point, c[1].Point, c[2].Point)
	}
	return sum
}

// checkSheets fails if a corner or crossing of one surface's triangles has no place of the other surface
// within the error: the new surface may have no place without an old one, the old surface no place without a
// new one farther than a unit from a border.
func checkSheets(t *testing.T, old, made *lattice.TIN, limit int64) {
	t.Helper()
	near := func(f *lattice.TIN, p place, z *big.Rat) bool {
		for i := range f.Triangles {
			c := cornersOf(f, i)
			if h, ok := c.height(p); ok {
				if d := h.Sub(h, z); d.Abs(d).Cmp(rat(limit)) <= 0 {
					return true
				}
			}
		}
		return false
	}
	for i := range made.Triangles {
		a := cornersOf(made, i)
		for j := range old.Triangles {
			b := cornersOf(old, j)
			for _, p := range common(&a, &b) {
				if z, _ := a.height(p); !near(old, p, z) {
					t.Fatalf("triangle %v at (%v, %v, %v) is not the old surface's", a, p.x, p.y, z)
				}
				if z, _ := b.height(p); !near(made, p, z) && !besideBorder(made, p) {
					t.Fatalf("old triangle %v at (%v, %v, %v) is lost", b, p.x, p.y, z)
				}
			}
		}
	}
	for j := range old.Triangles {
		b := cornersOf(old, j)
		for k := range 3 {
			if p := at(b[k].Point); !near(made, p, rat(int64(b[k].Z))) && !besideBorder(made, p) {
				t.Fatalf("the corner %v of an old triangle is lost", b[k])
			}
		}
	}
}

// besideBorder reports whether a place is at most a unit from an edge that has not one triangle on each side.
func besideBorder(t *lattice.TIN, p place) bool {
	sides := map[[2]lattice.Vertex]int{}
	for i := range t.Triangles {
		c := cornersOf(t, i)
		for k := range 3 {
			sides[[2]lattice.Vertex{c[k], c[(k+1)%3]}]++
		}
	}
	for s, n := range sides {
		if (n != 1 || sides[[2]lattice.Vertex{s[1], s[0]}] != 1) && distance(p.nx, p.ny, s[0].Point, s[1].Point) <= 1+1e-6 {
			return true
		}
	}
	return false
}
