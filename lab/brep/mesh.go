package brep

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lab/internal/solid"
	"github.com/meadow-nav/meadow/level"
)

// MeshOptions say how [NewMesh] makes a mesh. The zero value makes Brand's for the agent's radius, merged.
type MeshOptions struct {
	// Radii are the travellers' radii, in metres. The mesh is for the smallest and says of every region and link which
	// of the others pass as well. Without radii the agent's radius counts.
	Radii []float64
	// Rule deforms the solids for a radius.
	Rule Rule
	// Gap is how wide a gap is welded by a step, in metres; 0 is the agent's MaxGap.
	Gap float64
	// JumpReach and JumpHeight are how far and how much up or down a jump goes, in metres; a reach of 0 means no jumps.
	JumpReach, JumpHeight float64
	// Fractured keeps the pieces as cut.
	Fractured bool
	// Cull is the least area, in square metres, of a region that connects nothing; smaller ones are left out; 0 keeps all.
	Cull float64
	// Largest keeps only the largest part that hangs together, by area.
	Largest bool
	// Tolerance, in metres, and Avoid are those of [Extractor].
	Tolerance float64
	Avoid     []string
	// Jobs is the number of goroutines, 0 for one per core. The mesh is the same for every number.
	Jobs int
}

// Overlap is how far floors may lie over each other, seen from above, where a step welds them, in metres.
const Overlap = 0.05

// touching is how far apart floors are welded for every agent, in metres: rounding to the lattice leaves gaps of this
// size.
const touching = 2 * lattice.Unit

// Mesh is Brand's: convex regions of the walkable surface itself, level or not, and a graph of links between them. Unlike
// in a plan, regions reach to the end of a floor in the air: the traveller is a point there.
type Mesh struct {
	Frame lattice.Frame
	// Radii are the travellers', ascending, in metres.
	Radii    []float64
	Vertices []lattice.Vertex
	Regions  []Region
	Links    []Link // in order of A, then of B
	Stats    Stats
}

// Region is a convex polygon.
type Region struct {
	Corners []int32 // indices into Vertices, counter-clockwise seen from above
	Middle  lattice.Vertex
	// Widest is the index into Mesh.Radii of the widest traveller that may be here.
	Widest uint8
	Area   float64 // along the surface, m²
}

// LinkKind tells how two regions are linked.
type LinkKind uint8

// The kinds of link.
const (
	Shared LinkKind = iota // they share an edge
	Step                   // welded over a gap or a step, by a continuous step
	Jump
)

// String returns the name of the kind, or its number for an unknown kind.
func (k LinkKind) String() string {
	if k > Jump {
		return fmt.Sprintf("LinkKind(%d)", uint8(k))
	}
	return [...]string{"shared", "step", "jump"}[k]
}

// Link leads from region A to region B and back, A < B.
type Link struct {
	A, B int32
	Kind LinkKind
	// Widest is the index of the widest traveller that can pass: the smaller index of both regions.
	Widest uint8
	// At is the stretch of A's border, Over the opposite stretch of B's: indices into Vertices. They coincide
	// where the regions share an edge.
	At, Over [2]int32
}

// Stats counts polygons by stage.
type Stats struct {
	Solids int
	// Pieces are the polygons after cutting, Merged after algorithm 1, Reduced after 3→2 merging, Culled the number of
	// regions left out. Floors to be merged are also merged before deformed solids cut them, so Pieces are fewer than in a
	// fractured mesh.
	Pieces, Merged, Reduced, Culled int
	Shared, Steps, Jumps            int
}

// NewMesh makes Brand's mesh of the solids of a level. Triangles that belong to no solid take part as terrain if they
// look up.
func NewMesh(ctx context.Context, lvl *level.Level, agent geom.Agent, opt MeshOptions) (*Mesh, error) {
	if err := agent.Validate(); err != nil {
		return nil, err
	}
	opt, err := opt.withDefaults(agent)
	if err != nil {
		return nil, err
	}
	w, err := readWorld(ctx, lvl, reading{prisms: true, tolerance: opt.Tolerance, avoid: opt.Avoid})
	if err != nil {
		return nil, err
	}
	pieces, err := w.surface(ctx, opt.Jobs)
	if err != nil {
		return nil, err
	}
	if err := w.headroom(ctx, pieces, agent, opt.Jobs); err != nil {
		return nil, err
	}
	natural := w.natural()
	m := &Mesh{Frame: w.frame, Radii: opt.Radii}
	m.Stats.Solids = len(w.bodies)
	c := newCorners(w.space)
	var regions []region
	for i, list := range pieces {
		owner := w.owner(i)
		if !w.mayStand(&w.bodies[owner], i-w.first[owner], agent.SlopeLimit()) {
			continue
		}
		for _, p := range w.outside(list) {
			regions = append(regions, c.region(p, owner, 0))
		}
	}
	if !opt.Fractured {
		regions = c.mergeRows(c.merge(regions))
	}
	if regions, err = w.admit(ctx, c, regions, agent, &opt); err != nil {
		return nil, err
	}
	m.Stats.Pieces = len(regions)
	m.Stats.Merged, m.Stats.Reduced = len(regions), len(regions)
	if !opt.Fractured {
		regions = c.merge(regions)
		m.Stats.Merged = len(regions)
		regions = c.mergeRows(regions)
		m.Stats.Reduced = len(regions)
	}
	if len(regions) == 0 {
		return nil, fmt.Errorf("brep: level %q: no solid has a face that an agent of radius %g m, height %g m and slope %.1f degrees can stand on",
			lvl.Name, opt.Radii[0], agent.Height, agent.MaxSlope/geom.Degrees(1))
	}
	b := meshBuilder{w: w, mesh: m, top: newTopology(c, regions), natural: natural, agent: agent, opt: &opt}
	return m, b.build()
}

func (opt MeshOptions) withDefaults(agent geom.Agent) (MeshOptions, error) {
	opt.Radii = slices.Clone(opt.Radii)
	if len(opt.Radii) == 0 {
		opt.Radii = []float64{agent.Radius}
	}
	slices.Sort(opt.Radii)
	opt.Radii = slices.Compact(opt.Radii)
	if opt.Gap == 0 {
		opt.Gap = max(agent.MaxGap, touching)
	}
	if len(opt.Radii) > 255 {
		return opt, fmt.Errorf("brep: %d radii, a mesh holds 255", len(opt.Radii))
	}
	for _, v := range append([]float64{opt.Gap, opt.JumpReach, opt.JumpHeight, opt.Cull}, opt.Radii...) {
		if !(v >= 0 && v <= 1000) {
			return opt, fmt.Errorf("brep: a length or area of %g, must be 0 to 1000", v)
		}
	}
	if opt.Rule > Body {
		return opt, fmt.Errorf("brep: unknown rule %d", opt.Rule)
	}
	return opt, nil
}

// owner returns the body that has face i of all.
func (w *world) owner(i int) int32 {
	at, found := slices.BinarySearch(w.first, i)
	for found && at+1 < len(w.first) && w.first[at+1] == i {
		at++
	}
	if !found {
		at--
	}
	return int32(at)
}

// natural marks the planes that are sides of bodies: an edge on any other plane is the end of a deformed solid.
func (w *world) natural() []bool {
	var out []bool
	for i := range w.bodies {
		for _, id := range append(slices.Clone(w.bodies[i].planes), w.bodies[i].opposites...) {
			for int(id) >= len(out) {
				out = append(out, false)
			}
			out[id] = true
		}
	}
	return out
}

// admit is Brand's algorithm 3: it cuts walkable regions by the solids deformed for one radius after the other. The inside
// of a deformed solid is forbidden for its radius; the inside for the smallest radius is left out. Deformed solids grow
// with the radius, so each radius cuts only the regions admitted for the one before. A solid cuts nothing of the planes of
// its own faces: the solid does not extend above them. The label of a resulting region is the index of its widest radius.
func (w *world) admit(ctx context.Context, c *corners, regions []region, agent geom.Agent, opt *MeshOptions) ([]region, error) {
	rules := make([][]cutter, len(opt.Radii))
	trees := make([]*boxtree.Tree[float64], len(opt.Radii))
	for r, radius := range opt.Radii {
		rules[r] = w.deformed(opt.Rule, radius, agent)
		boxes := make([]solid.Box, len(rules[r]))
		for i := range boxes {
			boxes[i] = rules[r][i].box
		}
		trees[r] = boxtree.New(boxes, nil)
	}
	admitted := make([][][]solid.Polygon, len(regions)) // of each region, by the widest radius
	err := par.For(ctx, opt.Jobs, len(regions), func(i int) error {
		left := []solid.Polygon{regions[i].Polygon}
		plane := regions[i].Plane
		admitted[i] = make([][]solid.Polygon, len(opt.Radii))
		for r := range opt.Radii {
			cut := carver{w: w, cutters: func(k int32) cutter { return rules[r][k] }, open: true, keepInside: r > 0}
			for _, p := range left {
				box := p.Box()
				near := trees[r].IDs(&box, nil)
				cut.carve(p, slices.DeleteFunc(near, func(k int32) bool { return slices.Contains(w.bodies[k].planes, plane) }))
			}
			if r > 0 {
				admitted[i][r-1] = cut.inside
			}
			left = cut.outside
		}
		admitted[i][len(opt.Radii)-1] = left
		return nil
	})
	var out []region
	for i := range regions {
		for widest, list := range admitted[i] {
			for _, p := range list {
				out = append(out, c.region(p, regions[i].body, int32(widest)))
			}
		}
	}
	return out, err
}

// meshBuilder turns regions into a mesh.
type meshBuilder struct {
	w       *world
	mesh    *Mesh
	top     *topology
	natural []bool
	agent   geom.Agent
	opt     *MeshOptions

	vertex map[lattice.Vertex]int32
}

func (b *meshBuilder) build() error {
	b.vertex = make(map[lattice.Vertex]int32)
	for i := range b.top.regions {
		r, err := b.region(i)
		if err != nil {
			return err
		}
		b.mesh.Regions = append(b.mesh.Regions, r)
	}
	if err := b.shared(); err != nil {
		return err
	}
	b.weld()
	b.mesh.sortLinks()
	if b.opt.Largest {
		b.mesh.keepLargest()
	}
	if b.opt.Cull > 0 {
		b.mesh.cull(b.opt.Cull)
	}
	for _, l := range b.mesh.Links {
		switch l.Kind {
		case Shared:
			b.mesh.Stats.Shared++
		case Step:
			b.mesh.Stats.Steps++
		case Jump:
			b.mesh.Stats.Jumps++
		}
	}
	return nil
}

// number returns the number of a vertex of the mesh.
func (b *meshBuilder) number(v lattice.Vertex) int32 {
	n, ok := b.vertex[v]
	if !ok {
		n = int32(len(b.mesh.Vertices))
		b.vertex[v] = n
		b.mesh.Vertices = append(b.mesh.Vertices, v)
	}
	return n
}

// corner returns the number of a corner among the vertices.
func (b *meshBuilder) corner(id int32) (int32, error) {
	v, ok := b.w.space.Round(&b.top.at[id])
	if !ok {
		at := b.top.at[id].At
		return 0, fmt.Errorf("brep: a floor reaches out of the lattice at (%.0f, %.0f, %.0f) m of the frame", at[0]*lattice.Unit, at[1]*lattice.Unit, at[2]*lattice.Unit)
	}
	return b.number(v), nil
}

func (b *meshBuilder) region(i int) (Region, error) {
	src := &b.top.regions[i]
	r := Region{Widest: uint8(src.label)}
	for _, id := range src.ids {
		n, err := b.corner(id)
		if err != nil {
			return r, err
		}
		r.Corners = append(r.Corners, n)
	}
	var sum [3]float64
	at := func(k int) [3]float64 { return sub(src.Corners[k].At, src.Corners[0].At) }
	for k := 1; k+1 < len(src.Corners); k++ {
		n := cross(at(k), at(k+1))
		for a := range sum {
			sum[a] += n[a]
		}
	}
	r.Area = math.Sqrt(dot(sum, sum)) / 2 * lattice.Unit * lattice.Unit
	m := src.Middle()
	r.Middle = lattice.Vertex{Point: lattice.Point{X: int32(math.Round(m[0])), Y: int32(math.Round(m[1]))}, Z: int32(math.Round(m[2]))}
	return r, nil
}

// shared links regions that share a stretch of an edge.
func (b *meshBuilder) shared() error {
	t := b.top
	for i := range t.regions {
		for k := range t.around[i] {
			d := t.stretch(i, k)
			for _, u := range t.uses[d.turned()] {
				if int(u.region) <= i {
					continue
				}
				from, err := b.corner(d.from)
				if err != nil {
					return err
				}
				to, err := b.corner(d.to)
				if err != nil {
					return err
				}
				b.link(int32(i), u.region, Shared, [2]int32{from, to}, [2]int32{to, from})
			}
		}
	}
	return nil
}

// link adds a link; stretches without length on the lattice have none.
func (b *meshBuilder) link(i, j int32, kind LinkKind, at, over [2]int32) {
	if at[0] == at[1] || over[0] == over[1] {
		return
	}
	if i > j {
		i, j, at, over = j, i, over, at
	}
	widest := min(b.mesh.Regions[i].Widest, b.mesh.Regions[j].Widest)
	b.mesh.Links = append(b.mesh.Links, Link{A: i, B: j, Kind: kind, Widest: widest, At: at, Over: over})
}
