package brep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/level"
)

// This file makes a plan of Brand's mesh, so that the mesh can be saved, asked for paths and drawn as any other.
//
// Every region is a domain of its own, with one chain for every stretch of an edge that it shares. A step and a jump are
// links in both directions. Regions that lie over each other are in different layers. Corners are rounded to the lattice,
// and a region gets a corner wherever a link begins or ends on its border. A region may lose its convexity by a unit; a
// generator then cuts a sliver off.
//
// Guarantees: the plan is valid, and covers the regions: TestSurfacePlan. It joins the regions that the mesh joins:
// TestSurfaceComponents. Jumps lead over gaps in a mesh that is saved and asked: TestSurfaceJumps.
//
// Degenerate cases: a region that rounding turns over, or that has a fault afterwards, is left out with its links.

// Surface is an extractor whose plan is Brand's own mesh: see [NewMesh].
type Surface struct{ MeshOptions }

var _ floorplan.Extractor = Surface{}

// Name returns "brand".
func (Surface) Name() string { return "brand" }

// Settings returns the options that change the plan, for reports.
func (x Surface) Settings() string {
	s := fmt.Sprintf("rule %v, jumps of %g m, %g m high, cull %g m²", x.Rule, x.JumpReach, x.JumpHeight, x.Cull)
	if more := (Extractor{Tolerance: x.Tolerance, Avoid: x.Avoid}).Settings(); more != "" {
		s += ", " + more
	}
	return s
}

// Extract makes the mesh and its plan, see [Mesh.Plan].
func (x Surface) Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	if err := errors.Join(agent.Validate(), opt.Validate()); err != nil {
		return nil, err
	}
	how := x.MeshOptions
	how.Jobs = opt.Jobs
	m, err := NewMesh(ctx, lvl, agent, how)
	if err != nil {
		return nil, err
	}
	p, err := m.Plan(agent, opt)
	if err != nil {
		return nil, fmt.Errorf("%w (level %q)", err, lvl.Name)
	}
	return p, nil
}

// Plan returns the regions for the smallest radius as a plan for an agent, with the parts that the options choose. Time
// O(n log n) for n corners, as long as few regions lie over each other.
func (m *Mesh) Plan(agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	s := surfacer{mesh: m, rings: make([]lattice.Ring, len(m.Regions)), heights: make([][]int32, len(m.Regions))}
	s.round()
	parts, of := s.parts()
	part := func(at geom.Vec) (int, error) {
		best, least := -1, agent.Height
		p, _, ok := m.Frame.FromWorld(at)
		for i := range s.rings {
			if !ok || s.rings[i] == nil || s.rings[i].Locate(p) == lattice.Outside {
				continue
			}
			v := m.Frame.ToWorld(lattice.Point{}, s.heightAt(i, p))
			if below := at.Y - v.Y; below >= -agent.MaxClimb && below <= least {
				best, least = int(of[i]), below
			}
		}
		if best < 0 {
			return 0, fmt.Errorf("brep: no floor at or below (%.3f, %.3f, %.3f) within %g m", at.X, at.Y, at.Z, agent.Height)
		}
		return best, nil
	}
	kept, err := opt.Choose(parts, part)
	if err != nil {
		return nil, fmt.Errorf("brep: %w", err)
	}
	for i := range s.rings {
		if s.rings[i] != nil && !kept[of[i]] {
			s.rings[i] = nil
		}
	}
	s.stack()
	return s.plan(agent, parts, of, kept), nil
}

// surfacer makes a plan of a mesh.
type surfacer struct {
	mesh    *Mesh
	rings   []lattice.Ring // of the regions, with the ends of links; nil for a region left out
	heights [][]int32
	layer   []int32
	layers  int32
}

// round makes the rings.
func (s *surfacer) round() {
	m := s.mesh
	ends := make([][]int32, len(m.Regions))
	for _, l := range m.Links {
		ends[l.A] = append(ends[l.A], l.At[:]...)
		ends[l.B] = append(ends[l.B], l.Over[:]...)
	}
	for i := range m.Regions {
		corners := m.Regions[i].Corners
		var ring lattice.Ring
		var heights []int32
		for k, id := range corners {
			from, to := m.Vertices[id], m.Vertices[corners[(k+1)%len(corners)]]
			on := []lattice.Vertex{from}
			for _, e := range ends[i] {
				if v := m.Vertices[e]; between(from, to, v) {
					on = append(on, v)
				}
			}
			slices.SortFunc(on[1:], func(a, b lattice.Vertex) int {
				return cmp.Compare(from.Distance(a.Point), from.Distance(b.Point))
			})
			for _, v := range on {
				if n := len(ring); n == 0 || ring[n-1] != v.Point {
					ring, heights = append(ring, v.Point), append(heights, v.Z)
				}
			}
		}
		for len(ring) > 1 && ring[0] == ring[len(ring)-1] {
			ring, heights = ring[:len(ring)-1], heights[:len(heights)-1]
		}
		if len(ring) < 3 || ring.Area2() <= 0 || (lattice.Polygon{Rings: []lattice.Ring{ring}}).Validate() != nil {
			continue
		}
		s.rings[i], s.heights[i] = ring, heights
	}
}

// between reports whether v lies on an edge within rounding, apart from its ends.
func between(from, to, v lattice.Vertex) bool {
	if v.Point == from.Point || v.Point == to.Point {
		return false
	}
	const rounding = 2
	dx, dy := float64(to.X)-float64(from.X), float64(to.Y)-float64(from.Y)
	x, y := float64(v.X)-float64(from.X), float64(v.Y)-float64(from.Y)
	length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	along, off := float64(x*dx)+float64(y*dy), math.Abs(float64(x*dy)-float64(y*dx))
	return along > 0 && along < length*length && off <= rounding*length
}

// stack puts regions that lie over each other into different layers: each into the lowest layer where none is.
func (s *surfacer) stack() {
	boxes := make([]boxtree.Box[int32], len(s.rings))
	for i, r := range s.rings {
		if r != nil {
			b := r.Box()
			boxes[i] = boxtree.Box[int32]{Low: [3]int32{b.Min.X, b.Min.Y}, High: [3]int32{b.Max.X, b.Max.Y}}
		}
	}
	tree := boxtree.New(boxes, func(i int) bool { return s.rings[i] != nil })
	s.layer = make([]int32, len(s.rings))
	var found []int32
	for i, r := range s.rings {
		if r == nil {
			continue
		}
		var taken []int32
		found = tree.IDs(&boxes[i], found[:0])
		for _, k := range found {
			if int(k) < i && overlap(r, s.rings[k]) {
				taken = append(taken, s.layer[k])
			}
		}
		for slices.Contains(taken, s.layer[i]) {
			s.layer[i]++
		}
		s.layers = max(s.layers, s.layer[i]+1)
	}
}

// overlap reports whether two nearly convex rings have a common area deeper than rounding: no edge of either has the other
// on its right.
func overlap(a, b lattice.Ring) bool {
	const rounding = 2
	apart := func(a, b lattice.Ring) bool {
		for i, p := range a {
			q := a[(i+1)%len(a)]
			dx, dy := float64(q.X)-float64(p.X), float64(q.Y)-float64(p.Y)
			deepest := 0.0
			for _, v := range b {
				deepest = max(deepest, float64(dx*(float64(v.Y)-float64(p.Y)))-float64(dy*(float64(v.X)-float64(p.X))))
			}
			if deepest <= rounding*math.Sqrt(float64(dx*dx)+float64(dy*dy)) {
				return true
			}
		}
		return false
	}
	return !apart(a, b) && !apart(b, a)
}

// heightAt returns the height of region i at a place in its ring.
func (s *surfacer) heightAt(i int, p lattice.Point) int32 {
	r, h := s.rings[i], s.heights[i]
	best, least := h[0], math.Inf(-1)
	for k := 2; k < len(r); k++ {
		whole := float64(lattice.Orient(r[0], r[k-1], r[k]))
		if whole <= 0 {
			continue
		}
		a, b := float64(lattice.Orient(p, r[k-1], r[k]))/whole, float64(lattice.Orient(r[0], p, r[k]))/whole
		if inside := min(a, b, 1-a-b); inside > least {
			best = int32(math.Round(float64(a*float64(h[0])) + float64(b*float64(h[k-1])) + float64((1-a-b)*float64(h[k]))))
			least = inside
		}
	}
	return best
}

// tin appends the triangles of region i to a surface.
func (s *surfacer) tin(i int, to *lattice.TIN) {
	first := uint32(len(to.Vertices))
	for k, p := range s.rings[i] {
		to.Vertices = append(to.Vertices, lattice.Vertex{Point: p, Z: s.heights[i][k]})
	}
	r := s.rings[i]
	for k := 2; k < len(r); k++ {
		if lattice.Orient(r[0], r[k-1], r[k]) > 0 {
			to.Triangles = append(to.Triangles, [3]uint32{first, first + uint32(k) - 1, first + uint32(k)})
		}
	}
}

// joined reports whether both regions of a link are in the plan.
func (s *surfacer) joined(l *Link) bool { return s.rings[l.A] != nil && s.rings[l.B] != nil }

// parts returns the connected parts, largest first, and the part of each region.
func (s *surfacer) parts() (parts []plan.Part, of []int32) {
	sets := unionfind.New(len(s.rings))
	for i := range s.mesh.Links {
		if l := &s.mesh.Links[i]; s.joined(l) {
			sets.Union(l.A, l.B)
		}
	}
	type sum struct {
		area  float64
		first int
	}
	sums := make(map[int32]*sum)
	for i, r := range s.rings {
		if r == nil {
			continue
		}
		root := sets.Find(int32(i))
		if sums[root] == nil {
			sums[root] = &sum{first: i}
		}
		sums[root].area += float64(r.Area2()) / 2 * lattice.Unit * lattice.Unit
	}
	var roots []int32
	for root := range sums {
		roots = append(roots, root)
	}
	slices.SortFunc(roots, func(a, b int32) int {
		return cmp.Or(-cmp.Compare(sums[a].area, sums[b].area), cmp.Compare(a, b))
	})
	number := make(map[int32]int32)
	for n, root := range roots {
		number[root] = int32(n)
		v := s.mesh.Regions[sums[root].first].Middle
		parts = append(parts, plan.Part{Area: sums[root].area, At: s.mesh.Frame.ToWorld(v.Point, v.Z)})
	}
	of = make([]int32, len(s.rings))
	for i := range of {
		of[i] = number[sets.Find(int32(i))]
	}
	return parts, of
}

// plan makes the plan of the kept parts.
func (s *surfacer) plan(agent geom.Agent, parts []plan.Part, of []int32, kept []bool) *plan.Plan {
	m := s.mesh
	p := &plan.Plan{Frame: m.Frame, Agent: agent, Layers: make([]plan.Layer, s.layers)}
	component := make([]int32, len(parts))
	for k := range parts {
		component[k] = int32(p.Components)
		if kept[k] {
			p.Components++
		} else {
			p.Dropped = append(p.Dropped, parts[k])
		}
	}
	ids := make([]plan.DomainID, len(s.rings))
	for i, r := range s.rings {
		if r == nil {
			continue
		}
		l := &p.Layers[s.layer[i]]
		ids[i] = plan.DomainID{Layer: s.layer[i], Domain: int32(len(l.Domains))}
		edges := slices.Repeat([]plan.ChainID{plan.Wall}, len(r))
		l.Domains = append(l.Domains, plan.Domain{
			Polygon: lattice.Polygon{Rings: []lattice.Ring{r}}, Edges: [][]plan.ChainID{edges},
			Heights: [][]int32{s.heights[i]}, Component: component[of[i]],
		})
		s.tin(i, &l.Floor)
	}
	for i := range m.Links {
		l := &m.Links[i]
		switch {
		case !s.joined(l):
		case l.Kind == Shared:
			s.chain(p, l, ids)
		default:
			s.ways(p, l, ids)
		}
	}
	return p
}

// chain adds the chain of a shared stretch. Rounding may have moved its ends off an edge of one side: then there is none.
func (s *surfacer) chain(p *plan.Plan, l *Link, ids []plan.DomainID) {
	from, to := s.mesh.Vertices[l.At[0]].Point, s.mesh.Vertices[l.At[1]].Point
	a, b := edgeOf(s.rings[l.A], from, to), edgeOf(s.rings[l.B], to, from)
	if a < 0 || b < 0 {
		return
	}
	left, right := ids[l.A], ids[l.B]
	kind := plan.Seam
	if left.Layer == right.Layer {
		kind = plan.TileCut
	}
	n := plan.ChainID(len(p.Chains))
	p.Layers[left.Layer].Domains[left.Domain].Edges[0][a] = n
	p.Layers[right.Layer].Domains[right.Domain].Edges[0][b] = n
	p.Chains = append(p.Chains, plan.Chain{Kind: kind, Points: []lattice.Point{from, to}, Left: left, Right: right})
}

// edgeOf returns the edge of a ring from one point to another, or -1.
func edgeOf(r lattice.Ring, from, to lattice.Point) int {
	for k, p := range r {
		if p == from && r[(k+1)%len(r)] == to {
			return k
		}
	}
	return -1
}

// ways adds the two links of a step or a jump, with a mark that all of the kind share: a filter may close them.
func (s *surfacer) ways(p *plan.Plan, l *Link, ids []plan.DomainID) {
	v := s.mesh.Vertices
	start := [2]lattice.Vertex{v[l.At[0]], v[l.At[1]]}
	end := [2]lattice.Vertex{v[l.Over[1]], v[l.Over[0]]}
	longest, width := 0.0, math.Inf(1)
	for k := range 2 {
		up := float64(start[k].Z) - float64(end[k].Z)
		away := start[k].Distance(end[k].Point)
		longest = max(longest, math.Sqrt(float64(away*away)+float64(up*up)))
	}
	for _, side := range [2][2]lattice.Vertex{start, end} {
		width = min(width, side[0].Distance(side[1].Point))
	}
	kind := plan.Climb
	if l.Kind == Jump {
		kind = plan.Jump
	}
	mark := slices.IndexFunc(p.Marks, func(m plan.Mark) bool { return m.Kind == l.Kind.String() })
	if mark < 0 {
		mark = len(p.Marks)
		p.Marks = append(p.Marks, plan.Mark{Kind: l.Kind.String()})
	}
	link := plan.Link{
		Kind: kind, From: ids[l.A], To: ids[l.B], Start: start, End: end, Cost: longest * lattice.Unit,
		Clearance: int32(width / 2), Mark: int32(mark),
	}
	back := link
	back.From, back.To, back.Start, back.End = link.To, link.From, link.End, link.Start
	p.Links = append(p.Links, link, back)
}
