package markers

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
	"github.com/meadow-nav/meadow/plan"
)

// wall and onCut are tags of edges; all tags from 0 on are the plan's chains, those below onCut the cuts
// through the domains: onCut-i is that of domain i.
const (
	wall  = -1
	onCut = -2
)

// section is what a volume covers of a domain.
type section struct {
	volume int
	rings  []lattice.Ring
}

// ground is a domain of the old plan on its way through the work.
type ground struct {
	*plan.Domain
	layer    int32
	sections []section
	known    map[lattice.Point]int32 // the heights of its corners, made when needed
}

// heightAt is the same as that of work, quicker at the corners of the domain.
func (g *ground) heightAt(w *work, p lattice.Point) int32 {
	if g.known == nil {
		g.known = map[lattice.Point]int32{}
		for r := range g.Heights {
			for i, q := range g.Rings[r] {
				g.known[q] = g.Heights[r][i]
			}
		}
	}
	if z, ok := g.known[p]; ok {
		return z
	}
	return w.heightAt(g.layer, g.Domain, p)
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
	of      int   // the number of the ground that it is of
	volumes []int // that it lies in
}

// cut divides the domains along the footprints of doors and areas.
func (w *work) cut(ctx context.Context) error {
	grounds, any, err := w.sections(ctx)
	if err != nil || !any {
		return err
	}
	for {
		pieces, err := w.divide(ctx, grounds)
		if err != nil {
			return err
		}
		chains, bad := w.match(grounds, pieces)
		if len(bad) == 0 {
			w.put(grounds, pieces, chains)
			return nil
		}
		again := false
		for _, i := range bad {
			for _, s := range grounds[i].sections {
				w.warn(s.volume, "it was not cut out of a part of the floor around %v, where its border comes too near to that of a layer",
					w.old.Frame.ToWorld(grounds[i].Rings[0][0], w.heightAt(grounds[i].layer, grounds[i].Domain, grounds[i].Rings[0][0])))
				again = true
			}
			grounds[i].sections = nil
		}
		if !again {
			return fmt.Errorf("markers: layer %d: the chains of the plan do not match", grounds[bad[0]].layer)
		}
	}
}

// sections finds out what the volumes cover of every domain.
func (w *work) sections(ctx context.Context) (grounds []ground, any bool, err error) {
	for l := range w.old.Layers {
		for d := range w.old.Layers[l].Domains {
			grounds = append(grounds, ground{Domain: &w.old.Layers[l].Domains[d], layer: int32(l)})
		}
	}
	for i := range w.volumes {
		v := &w.volumes[i]
		if v.footprint == nil || v.meaning.use == useLink {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, false, fmt.Errorf("markers: %w", err)
		}
		box := v.footprint.Box()
		for k := range grounds {
			g := &grounds[k]
			if !g.Box().Overlaps(box) {
				continue
			}
			rings, err := w.covered(v, g)
			if err != nil {
				return nil, false, err
			}
			if len(rings) > 0 {
				g.sections = append(g.sections, section{i, rings})
				any = true
			}
		}
	}
	return grounds, any, nil
}

// covered returns the parts of a domain that lie in a volume: those under its footprint where the floor is
// at a height that it reaches, at a corner at least.
func (w *work) covered(v *volume, g *ground) ([]lattice.Ring, error) {
	under, err := overlay.Intersection(g.Rings, []lattice.Ring{v.footprint})
	if err != nil {
		return nil, fmt.Errorf("markers: marker %d: %w", v.marker, err)
	}
	var rings []lattice.Ring
	for _, p := range under {
		in := g.Heights == nil
		for _, ring := range p.Rings {
			for _, q := range ring {
				in = in || w.holds(v, g.heightAt(w, q))
			}
		}
		if in {
			rings = append(rings, p.Rings...)
		}
	}
	return rings, nil
}

// edge is an edge of a domain, as it is walked.
type edge struct{ from, to lattice.Point }

// onChains are points that the edges of chains get, each edge with its lesser end first. It is looked up only.
type onChains map[edge][]lattice.Point

func (o onChains) add(a, b, p lattice.Point) {
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	o[edge{a, b}] = append(o[edge{a, b}], p)
}

// between returns the points on the way from a to b.
func (o onChains) between(a, b lattice.Point) []lattice.Point {
	key := edge{a, b}
	if b.Compare(a) < 0 {
		key = edge{b, a}
	}
	list := slices.Clone(o[key])
	slices.SortFunc(list, func(p, q lattice.Point) int {
		return cmp.Or(cmp.Compare(lattice.Dot(key.from, key.to, p), lattice.Dot(key.from, key.to, q)), p.Compare(q))
	})
	list = slices.Compact(list)
	if key.from != a {
		slices.Reverse(list)
	}
	return list
}

// maxRounds bounds how often chains get points again, because others bend them.
const maxRounds = 8

// divide cuts every ground along its sections. The corners of sections on chains become points of these
// first, so that the grounds on the other sides have them as well; and so do those that come so near
// to a chain that rounding leads it through them.
func (w *work) divide(ctx context.Context, grounds []ground) ([]piece, error) {
	points := onChains{}
	for i := range grounds {
		grounds[i].corners(points)
	}
	for round := 0; ; round++ {
		pieces, bent, err := w.divideOnce(ctx, grounds, points)
		if err != nil || !bent || round == maxRounds {
			return pieces, err
		}
	}
}

// divideOnce cuts the grounds whose chains have the given points. bent says that rounding has led a chain
// through others, which are added.
func (w *work) divideOnce(ctx context.Context, grounds []ground, points onChains) (pieces []piece, bent bool, err error) {
	found := onChains{}
	for i := range grounds {
		if err := ctx.Err(); err != nil {
			return nil, false, fmt.Errorf("markers: %w", err)
		}
		g := &grounds[i]
		whole := g.outline(points)
		if len(g.sections) == 0 {
			pieces = append(pieces, piece{outline: whole, of: i})
			continue
		}
		parts, err := w.split(g, i, whole)
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

// tag returns the chain of an edge, or wall.
func (g *ground) tag(r, i int) int32 {
	if len(g.Edges) == 0 {
		return wall
	}
	return int32(g.Edges[r][i])
}

// corners notes the corners of sections that lie on edges of chains, up to rounding.
func (g *ground) corners(points onChains) {
	bare := true // nothing but walls around it
	for _, edges := range g.Edges {
		bare = bare && !slices.ContainsFunc(edges, func(c plan.ChainID) bool { return c != plan.Wall })
	}
	if bare {
		return
	}
	for _, s := range g.sections {
		for _, ring := range s.rings {
			for _, v := range ring {
				g.near(v, points)
			}
		}
	}
}

// near notes a point at the edges of chains that it is within a unit of.
func (g *ground) near(v lattice.Point, points onChains) {
	for r := range g.Rings {
		for i, a := range g.Rings[r] {
			b := g.Rings[r][(i+1)%len(g.Rings[r])]
			if g.tag(r, i) != wall && v != a && v != b && lattice.SegmentDistance2(v, a, b).CompareInt(1) <= 0 {
				points.add(a, b, v)
			}
		}
	}
}

// bent notes the points that the edges of chains were led through besides those that they had.
func (g *ground) bent(whole outline, parts []piece, points onChains) {
	lost := map[edge]bool{}
	had := map[lattice.Point]bool{}
	for r, ring := range whole.Rings {
		for i, p := range ring {
			had[p] = true
			if whole.tags[r][i] != wall {
				lost[edge{p, ring[(i+1)%len(ring)]}] = true
			}
		}
	}
	for i := range parts {
		for _, ring := range parts[i].Rings {
			for k, p := range ring {
				delete(lost, edge{p, ring[(k+1)%len(ring)]})
			}
		}
	}
	if len(lost) == 0 {
		return
	}
	for i := range parts {
		for _, ring := range parts[i].Rings {
			for _, p := range ring {
				for e := range lost {
					if !had[p] && lattice.SegmentDistance2(p, e.from, e.to).CompareInt(1) <= 0 {
						g.near(p, points)
						break
					}
				}
			}
		}
	}
}

// outline returns the domain with the points that its chains have got.
func (g *ground) outline(points onChains) outline {
	var o outline
	for r, ring := range g.Rings {
		var corners lattice.Ring
		var tags, heights []int32
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			tag := g.tag(r, i)
			add := func(p lattice.Point, t float64) {
				corners, tags = append(corners, p), append(tags, tag)
				if g.Heights != nil {
					from, to := g.Heights[r][i], g.Heights[r][(i+1)%len(ring)]
					heights = append(heights, from+int32(float64(t*float64(int64(to)-int64(from)))))
				}
			}
			add(a, 0)
			if tag == wall {
				continue
			}
			for _, p := range points.between(a, b) {
				add(p, a.Distance(p)/a.Distance(b))
			}
		}
		o.Rings, o.tags = append(o.Rings, corners), append(o.tags, tags)
		if g.Heights != nil {
			o.heights = append(o.heights, heights)
		}
	}
	return o
}

// split divides a ground by what it lies in. Places that lie in the same volumes and are joined are one
// piece.
func (w *work) split(g *ground, number int, whole outline) ([]piece, error) {
	inputs := [][]lattice.Ring{whole.Rings}
	for _, s := range g.sections {
		inputs = append(inputs, s.rings)
	}
	a, err := overlay.Arrange(inputs...)
	if err != nil {
		return nil, fmt.Errorf("markers: layer %d: %w", g.layer, err)
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
		return g.heightAt(w, p)
	}
	var pieces []piece
	for _, in := range combinations(a, len(inputs)) {
		var cuts []bool // of every edge of the border: whether the ground goes on behind it
		outlines := a.Outlines(func(w overlay.Winding) bool { return w[0] > 0 && string(key(w)) == in },
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
			for k, s := range g.sections {
				if in[k] != 0 {
					p.volumes = append(p.volumes, s.volume)
				}
			}
			pieces = append(pieces, p)
		}
	}
	return pieces, nil
}

// key tells which sections a place lies in, a byte for each.
func key(w overlay.Winding) []byte {
	in := make([]byte, len(w)-1)
	for i := range in {
		if w[i+1] > 0 {
			in[i] = 1
		}
	}
	return in
}

// combinations lists the keys of all places of the ground, in order.
func combinations(a *overlay.Arrangement, inputs int) []string {
	seen := map[string]bool{}
	a.Polygons(func(w overlay.Winding) bool {
		if len(w) == inputs && w[0] > 0 {
			seen[string(key(w))] = true
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
