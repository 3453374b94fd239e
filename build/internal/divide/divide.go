// Package divide divides the domains of a plan by what lies over them, so that both sides of every cut
// share a chain and every generator decomposes them without knowing of each other.
//
// Idea: what a thing covers of a domain is a section. The domain and all its sections are put into one
// arrangement (internal/overlay), and places that lie in the same sections and are joined are a piece.
// Where a section ends at a chain that the domain had before, the domain behind gets the same point, and
// edges that rounding bends are bent on both sides (chains.go). Then edges that lead to and fro are
// matched to chains (match.go).
//
// Guarantees:
//  1. The pieces are valid polygons that cover what the domains covered, and both sides of every chain have
//     the same points, or the domain is told to be in the way of that and stays whole: TestPiecesAreValid.
//  2. A piece lies in the sections that it says, and beside all others: TestPiecesLieInTheirSections.
//  3. The plan that was given is not changed: TestPiecesAreValid.
//
// Degenerate cases: sections may overlap, cover the whole domain, and have borders on its own. Those that
// leave a domain only rounding are pieces too.
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

// wall and onCut are tags of edges; all tags from 0 on are the plan's chains, those below onCut the cuts
// through the domains: onCut-i is that of domain i.
const (
	wall  = -1
	onCut = -2
)

// Section is what a thing covers of a domain.
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
	// Kind is that of the chains that the cuts make.
	Kind plan.ChainKind
	// Heights are those of the plan.
	Heights *Heights
	// Left is told of a ground whose sections were left out, because its chains could not be made the
	// same on both sides with them. The sections are still there when it is called.
	Left func(g *Ground)
	// Made gives a new domain what it has because of the things that it lies in, ascending. It has the rest
	// of the ground that it is of.
	Made func(d *plan.Domain, of *Ground, things []int)
}

// outline is a polygon whose edges have tags and whose points have heights, the latter unless the plan has
// none.
type outline struct {
	lattice.Polygon
	tags    [][]int32
	heights [][]int32
}

// piece is a domain of the new plan.
type piece struct {
	outline
	of     int   // the number of the ground that it is of
	things []int // that it lies in
}

// Run returns the plan with every ground divided along its sections. The grounds are those of
// [Grounds], in their order.
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

// maxRounds bounds how often chains get points again, because others bend them.
const maxRounds = 8

// divide cuts every ground along its sections. The corners of sections on chains become points of these
// first, so that the grounds on the other sides have them as well; and so do those that come so near
// to a chain that rounding leads it through them.
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

// divideOnce cuts the grounds whose chains have the given points. bent says that rounding has led a chain
// through others, which are added.
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

// split divides a ground by what it lies in. Places that lie in the same sections and are joined are one
// piece.
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
