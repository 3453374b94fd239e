// Package divide cuts the domains of a plan along given sections. Both sides of every cut share a chain, so
// generators still decompose each domain alone.
//
// Idea: the part of a domain under a thing is a section. All sections of a domain go into one arrangement
// (internal/overlay) with the domain, and connected places in the same sections form a piece. Where a section
// ends at an old chain, the domain behind gets the same point, and edges bent by rounding are bent on both
// sides (chains.go). Then edges that lead to and fro are matched to chains (match.go).
//
// Guarantees:
//  1. The pieces are valid polygons, cover the same floor as the domains, and have the same points on both
//     sides of every chain. A domain for which the points cannot agree stays whole, and Left is told:
//     TestPiecesAreValid.
//  2. A piece lies inside its listed sections and outside all others: TestPiecesLieInTheirSections.
//  3. The given plan is not changed: TestPiecesAreValid.
//
// Degenerate cases: sections may overlap, cover the whole domain, and have borders on its own. Slivers made
// by rounding are pieces too.
//
// Cost: O((n + k) log n) for each domain of n edges with sections of k edges, for each of the sets of
// sections that places lie in.
package divide

import (
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// wall and onCut are tags of edges. Tags from 0 on are the plan's chains; tags below wall are cuts, onCut-i
// for domain i.
const (
	wall  = -1
	onCut = -2
)

// Section is the part of a domain under a thing.
type Section struct {
	Of    int // the thing
	Rings []lattice.Ring
}

// Ground is a domain of the plan on its way through the work.
type Ground struct {
	*plan.Domain
	Layer    int32
	Sections []Section
}

// Grounds lists the domains of a plan, without sections.
func Grounds(p *plan.Plan) []Ground {
	var grounds []Ground
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			grounds = append(grounds, Ground{Domain: &p.Layers[l].Domains[d], Layer: int32(l)})
		}
	}
	return grounds
}

// Job says how to divide a plan.
type Job struct {
	Plan *plan.Plan
	// Kind is the kind of the new chains.
	Kind plan.ChainKind
	// Heights are the heights of the plan.
	Heights *Heights
	// Left is called for a ground whose sections are dropped, because with the sections its chains could not
	// agree on both sides. The sections are still there during the call.
	Left func(g *Ground)
	// Made sets the properties of a new domain, given the things over it in ascending order. All other
	// properties come from its ground.
	Made func(d *plan.Domain, of *Ground, things []int)
}

// outline is a polygon with tagged edges. Its points have heights, unless the plan has none.
type outline struct {
	lattice.Polygon
	tags    [][]int32
	heights [][]int32
}

// piece is a domain of the new plan.
type piece struct {
	outline
	of     int   // the number of its ground
	things []int // that it lies in
}

// Run returns the plan with every ground divided along its sections. The grounds must come from [Grounds], in
// order.
func (j *Job) Run(ctx context.Context, grounds []Ground) (*plan.Plan, error) {
	for {
		pieces, err := j.divide(ctx, grounds)
		if err != nil {
			return nil, err
		}
		runs, bad := j.match(grounds, pieces)
		if len(bad) == 0 {
			return j.put(grounds, pieces, runs), nil
		}
		again := false
		for _, i := range bad {
			if len(grounds[i].Sections) > 0 {
				j.Left(&grounds[i])
				again = true
			}
			grounds[i].Sections = nil
		}
		if !again {
			return nil, fmt.Errorf("layer %d: the chains of the plan do not match", grounds[bad[0]].Layer)
		}
	}
}

// maxRounds bounds how often chains get new points because other chains bend them.
const maxRounds = 8

// divide cuts every ground along its sections. First the corners of sections on chains, and corners near
// enough for rounding to draw a chain through them, become points of the chains, so that the grounds on the
// other sides get the same points.
func (j *Job) divide(ctx context.Context, grounds []Ground) ([]piece, error) {
	points := onChains{}
	for i := range grounds {
		grounds[i].corners(points)
	}
	for round := 0; ; round++ {
		pieces, bent, err := j.divideOnce(ctx, grounds, points)
		if err != nil || !bent || round == maxRounds {
			return pieces, err
		}
	}
}

// divideOnce cuts the grounds, with the given points on their chains. bent reports that rounding led a chain
// through new points, now added.
func (j *Job) divideOnce(ctx context.Context, grounds []Ground, points onChains) (pieces []piece, bent bool, err error) {
	found := onChains{}
	for i := range grounds {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		g := &grounds[i]
		whole := g.outline(points)
		if len(g.Sections) == 0 {
			pieces = append(pieces, piece{outline: whole, of: i})
			continue
		}
		parts, err := j.split(g, i, whole)
		if err != nil {
			return nil, false, err
		}
		g.bent(whole, parts, found)
		pieces = append(pieces, parts...)
	}
	for e, list := range found {
		points[e] = append(points[e], list...)
	}
	return pieces, len(found) > 0, nil
}

// split divides a ground into pieces. A piece is a connected set of places in the same sections.
func (j *Job) split(g *Ground, number int, whole outline) ([]piece, error) {
	inputs := [][]lattice.Ring{whole.Rings}
	for _, s := range g.Sections {
		inputs = append(inputs, s.Rings)
	}
	a, err := overlay.Arrange(inputs...)
	if err != nil {
		return nil, fmt.Errorf("layer %d: %w", g.Layer, err)
	}
	tags := map[edge]int32{}
	heights := map[lattice.Point]int32{}
	for r, ring := range whole.Rings {
		for i, p := range ring {
			tags[edge{p, ring[(i+1)%len(ring)]}] = whole.tags[r][i]
			if whole.heights != nil {
				heights[p] = whole.heights[r][i]
			}
		}
	}
	height := func(p lattice.Point) int32 {
		if z, ok := heights[p]; ok {
			return z
		}
		return j.Heights.At(g.Layer, g.Domain, p)
	}
	var pieces []piece
	for _, in := range combinations(a, len(inputs)) {
		var cuts []bool // of every edge of the border: whether the ground goes on behind it
		outlines := a.Outlines(func(w overlay.Winding) bool { return w[0] > 0 && lies(w, in) },
			func(_, _ lattice.Point, right overlay.Winding) int32 {
				cuts = append(cuts, right[0] > 0)
				return int32(len(cuts) - 1)
			})
		for _, o := range outlines {
			p := piece{outline: outline{Polygon: o.Polygon}, of: number}
			for r, ring := range o.Rings {
				tag, z := make([]int32, len(ring)), make([]int32, len(ring))
				for i, q := range ring {
					known, ok := tags[edge{q, ring[(i+1)%len(ring)]}]
					switch {
					case cuts[o.Labels[r][i]]:
						tag[i] = onCut - int32(number)
					case ok:
						tag[i] = known
					default:
						tag[i] = wall
					}
					if whole.heights != nil {
						z[i] = height(q)
					}
				}
				p.tags = append(p.tags, tag)
				if whole.heights != nil {
					p.heights = append(p.heights, z)
				}
			}
			for k, s := range g.Sections {
				if in[k] != 0 {
					p.things = append(p.things, s.Of)
				}
			}
			slices.Sort(p.things)
			p.things = slices.Compact(p.things)
			pieces = append(pieces, p)
		}
	}
	return pieces, nil
}

// lies reports whether a place lies in the sections that in has a 1 for, and in no other.
func lies(w overlay.Winding, in string) bool {
	for i := range in {
		if (w[i+1] > 0) != (in[i] != 0) {
			return false
		}
	}
	return true
}

// combinations lists the sets of sections that places of the ground lie in, in order: a byte for each
// section.
func combinations(a *overlay.Arrangement, inputs int) []string {
	seen := map[string]bool{}
	key := make([]byte, inputs-1)
	a.Polygons(func(w overlay.Winding) bool {
		if len(w) == inputs && w[0] > 0 {
			for i := range key {
				key[i] = 0
				if w[i+1] > 0 {
					key[i] = 1
				}
			}
			if !seen[string(key)] {
				seen[string(key)] = true
			}
		}
		return false
	})
	list := make([]string, 0, len(seen))
	for k := range seen {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}
