package divide

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// twoLayers returns a plan of two squares of a side, one layer each, that share a slanted seam.
func twoLayers(side int32) *plan.Plan {
	a, b := lattice.Point{X: side, Y: 0}, lattice.Point{X: side + side/7, Y: side}
	domain := func(ring lattice.Ring, seam int) plan.Domain {
		d := plan.Domain{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}, Edges: [][]plan.ChainID{make([]plan.ChainID, len(ring))}, Heights: [][]int32{make([]int32, len(ring))}}
		for i := range ring {
			d.Edges[0][i] = plan.Wall
			d.Heights[0][i] = int32(100 * i)
		}
		d.Edges[0][seam] = 0
		return d
	}
	p := &plan.Plan{Components: 1}
	p.Layers = []plan.Layer{
		{Domains: []plan.Domain{domain(lattice.Ring{{X: 0, Y: 0}, a, b, {X: 0, Y: side}}, 1)}},
		{Domains: []plan.Domain{domain(lattice.Ring{a, {X: 2 * side, Y: 0}, {X: 2 * side, Y: side}, b}, 3)}},
	}
	p.Chains = []plan.Chain{{Kind: plan.Seam, Points: []lattice.Point{a, b}, Left: plan.DomainID{}, Right: plan.DomainID{Layer: 1}}}
	return p
}

// polygon returns a random star around a place of the plane.
func polygon(rng *rand.Rand, side int32) lattice.Ring {
	x, y := 2*float64(side)*rng.Float64(), float64(side)*rng.Float64()
	var ring lattice.Ring
	n := 3 + rng.IntN(6)
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * (float64(k) + rng.Float64()) / float64(n))
		r := float64(side) * (0.1 + 0.5*rng.Float64())
		ring = append(ring, lattice.Point{X: int32(x + r*c), Y: int32(y + r*s)})
	}
	return ring
}

// divided divides a random plan by random sections.
func divided(t *testing.T, seed uint64) (old, p *plan.Plan, sections []lattice.Ring, left int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	side := int32(40) << rng.IntN(10)
	old = twoLayers(side)
	for range 1 + rng.IntN(3) {
		sections = append(sections, polygon(rng, side))
	}
	grounds := Grounds(old)
	for i := range grounds {
		for k, ring := range sections {
			grounds[i].Sections = append(grounds[i].Sections, Section{Of: k, Rings: []lattice.Ring{ring}})
		}
	}
	job := Job{
		Plan: old, Kind: plan.MarkCut, Heights: NewHeights(old),
		Left: func(*Ground) { left++ },
		Made: func(d *plan.Domain, _ *Ground, things []int) {
			for _, k := range things {
				d.Marks = append(d.Marks, int32(k))
			}
		},
	}
	p, err := job.Run(context.Background(), grounds)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return old, p, sections, left
}

const worlds = 400

func TestPiecesAreValid(t *testing.T) {
	cut, whole := 0, 0
	for seed := range uint64(worlds) {
		old, p, _, left := divided(t, seed)
		if !reflect.DeepEqual(old, twoLayers(old.Layers[0].Domains[0].Rings[0][1].X)) {
			t.Fatalf("seed %d: the plan has changed", seed)
		}
		whole += left
		uses := make([]int, len(p.Chains))
		for l := range p.Layers {
			var area int64
			around := 0.0
			for d := range p.Layers[l].Domains {
				domain := &p.Layers[l].Domains[d]
				if err := domain.Validate(); err != nil {
					t.Fatalf("seed %d: layer %d, domain %d: %v", seed, l, d, err)
				}
				area += domain.Area2()
				for r, ring := range domain.Rings {
					if len(domain.Heights[r]) != len(ring) {
						t.Fatalf("seed %d: layer %d, domain %d: %d heights of %d corners", seed, l, d, len(domain.Heights[r]), len(ring))
					}
					for k, a := range ring {
						b := ring[(k+1)%len(ring)]
						around += a.Distance(b)
						if c := domain.Edges[r][k]; c != plan.Wall {
							uses[c]++
							if i := slices.Index(p.Chains[c].Points, a); i < 0 || !slices.Contains(p.Chains[c].Points, b) {
								t.Fatalf("seed %d: chain %d has no edge from %v to %v", seed, c, a, b)
							}
						}
					}
				}
				cut++
			}
			// Rounded crossings move a border by less than a unit.
			if off := math.Abs(float64(area - old.Layers[l].Domains[0].Area2())); off > 2*around {
				t.Errorf("seed %d: layer %d: %d instead of %d", seed, l, area, old.Layers[l].Domains[0].Area2())
			}
		}
		for c := range uses {
			if uses[c] != 2*(len(p.Chains[c].Points)-1) {
				t.Errorf("seed %d: chain %d of %d points has %d edges", seed, c, len(p.Chains[c].Points), uses[c])
			}
		}
	}
	if cut < 4*worlds || whole > worlds/20 {
		t.Errorf("%d pieces, %d grounds stayed whole", cut, whole)
	}
}

func TestPiecesLieInTheirSections(t *testing.T) {
	asked := 0
	for seed := range uint64(worlds) {
		_, p, sections, left := divided(t, seed)
		if left > 0 {
			continue
		}
		rng := rand.New(rand.NewPCG(seed, 2))
		for l := range p.Layers {
			for d := range p.Layers[l].Domains {
				domain := &p.Layers[l].Domains[d]
				box := domain.Box()
				w, h := box.Size()
				for range 20 {
					q := lattice.Point{X: box.Min.X + int32(rng.Int64N(w+1)), Y: box.Min.Y + int32(rng.Int64N(h+1))}
					if !domain.Contains(q) {
						continue
					}
					for k, ring := range sections {
						if winding, near := around(ring, q); !near {
							asked++
							if in := slices.Contains(domain.Marks, int32(k)); in != (winding > 0) {
								t.Fatalf("seed %d: %v winds %d times in section %d, its piece says %v", seed, q, winding, k, in)
							}
						}
					}
				}
			}
		}
	}
	if asked < 10*worlds {
		t.Errorf("only %d places asked", asked)
	}
}

// around returns how often a ring winds around a place, and whether it comes near it.
func around(ring lattice.Ring, p lattice.Point) (winding int, near bool) {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		near = near || lattice.SegmentDistance2(p, a, b).CompareInt(9) <= 0
		switch {
		case a.Y <= p.Y && b.Y > p.Y && lattice.Orient(a, b, p) > 0:
			winding++
		case a.Y > p.Y && b.Y <= p.Y && lattice.Orient(a, b, p) < 0:
			winding--
		}
	}
	return winding, near
}

func TestRunStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := twoLayers(100)
	job := Job{Plan: p, Heights: NewHeights(p)}
	if _, err := job.Run(ctx, Grounds(p)); err != context.Canceled {
		t.Errorf("%v", err)
	}
}
