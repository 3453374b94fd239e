package tiles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/internal/divide"
	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/level"
)

// mostLayers bounds the layers of a joined plan: regions of a mesh count their layers in 16 bits.
const mostLayers = 1 << 16

// Joined is a plan of several tiles, with its cells by layer and domain.
type Joined struct {
	Plan  *plan.Plan
	Cells [][][]plan.Cell
	// Outcomes are the effects of the markers.
	Outcomes []markers.Outcome
}

// Join puts tiles together, in any order, and keeps the parts that opt chooses. The tiles belong to the result. Errors: tiles of
// several sizes, agents or tables of areas, a tile given twice, a place to keep without a floor, a level too large for one mesh. The list of markers
// is the list of the cutting.
func Join(ctx context.Context, tiles []*Tile, list []level.Marker, opt floorplan.Options) (*Joined, error) {
	tiles = slices.Clone(tiles)
	slices.SortFunc(tiles, func(a, b *Tile) int { return a.ID.Compare(b.ID) })
	j := &joiner{tiles: tiles, at: map[ID]int{}}
	if err := j.check(); err != nil {
		return nil, fmt.Errorf("tiles: %w", err)
	}
	j.gather()
	if err := j.meet(); err != nil {
		return nil, fmt.Errorf("tiles: %w", err)
	}
	j.split()
	j.unite()
	j.number()
	whole := j.plan
	left, outcomes, kept, err := markers.Join(ctx, whole, list, j.marks, opt, j.noise())
	if err != nil {
		return nil, fmt.Errorf("tiles: %w", err)
	}
	return &Joined{Plan: left, Cells: j.keptCells(whole, left, kept), Outcomes: outcomes}, nil
}

// joiner is a plan in the making.
type joiner struct {
	tiles []*Tile
	at    map[ID]int // looked up only
	plan  *plan.Plan
	cells [][][]plan.Cell
	cuts  [][4][]stretch // by tile and side of its square
	marks []int          // of the plan: their markers, ascending
	// joints lists where edges of a domain become chains. Looked up only.
	joints map[plan.DomainID][]joint
}

// check tests whether the tiles belong together, and makes the empty plan.
func (j *joiner) check() error {
	if len(j.tiles) == 0 {
		return errors.New("no tile")
	}
	if len(j.tiles) > MostTiles {
		return fmt.Errorf("%d tiles, at most %d", len(j.tiles), MostTiles)
	}
	low, high := j.tiles[0].ID, j.tiles[0].ID
	one := j.tiles[0]
	up, layers := one.Plan.Frame.Up, 0
	for i, t := range j.tiles {
		switch {
		case i > 0 && t.ID == j.tiles[i-1].ID:
			return fmt.Errorf("tile %v is there twice", t.ID)
		case t.Size != one.Size:
			return fmt.Errorf("tile %v has a side of %g m, tile %v has %g m", t.ID, float64(t.Size)*lattice.Unit, one.ID, float64(one.Size)*lattice.Unit)
		case t.Plan.Agent != one.Plan.Agent:
			return fmt.Errorf("tiles %v and %v are for different agents", t.ID, one.ID)
		case !slices.Equal(t.Plan.Areas, one.Plan.Areas):
			return fmt.Errorf("tiles %v and %v know different areas", t.ID, one.ID)
		}
		j.at[t.ID] = i
		low = ID{min(low.East, t.East), min(low.North, t.North)}
		high = ID{max(high.East, t.East), max(high.North, t.North)}
		up = min(up, t.Plan.Frame.Up)
		layers += len(t.Plan.Layers)
	}
	if layers > mostLayers {
		return fmt.Errorf("%d layers, a mesh holds %d", layers, mostLayers)
	}
	if wide := max(high.East-low.East, high.North-low.North) + 1; wide > lattice.MaxCoord/int64(one.Size) {
		return fmt.Errorf("%d tiles of %g m in a row, the lattice holds %.0f m", wide, float64(one.Size)*lattice.Unit, float64(lattice.MaxCoord)*lattice.Unit)
	}
	frame := lattice.Frame{East: low.East * int64(one.Size), North: low.North * int64(one.Size), Up: up}
	for _, t := range j.tiles {
		rise := t.Plan.Frame.Up - up
		if rise > lattice.MaxCoord || !t.risesBy(rise) {
			return fmt.Errorf("tile %v lies %.0f m above the lowest, the lattice holds %.0f m", t.ID, float64(rise)*lattice.Unit, float64(lattice.MaxCoord)*lattice.Unit)
		}
	}
	j.plan = &plan.Plan{Frame: frame, Agent: one.Plan.Agent, Areas: one.Plan.Areas}
	return nil
}

// risesBy reports whether all heights of a tile stay on the lattice in a frame lower by some units.
func (t *Tile) risesBy(units int64) bool {
	fits := func(z int32) bool { return int64(z)+units <= lattice.MaxCoord }
	for l := range t.Plan.Layers {
		layer := &t.Plan.Layers[l]
		for _, v := range layer.Floor.Vertices {
			if !fits(v.Z) {
				return false
			}
		}
		for d := range layer.Domains {
			for _, heights := range layer.Domains[d].Heights {
				if slices.ContainsFunc(heights, func(z int32) bool { return !fits(z) }) {
					return false
				}
			}
		}
	}
	return true
}

// stretch is an edge of a domain along a line between tiles.
type stretch struct {
	domain      plan.DomainID
	ring, index int32
	from, to    int32 // along the line, from the lesser end to the greater
	line        int32 // the other coordinate
}

// gather puts all tiles into one plan, without chains between tiles.
func (j *joiner) gather() {
	j.cuts = make([][4][]stretch, len(j.tiles))
	for _, t := range j.tiles {
		for _, m := range t.Marks {
			j.marks = append(j.marks, int(m))
		}
	}
	slices.Sort(j.marks)
	j.marks = slices.Compact(j.marks)
	j.plan.Marks = make([]plan.Mark, len(j.marks))
	for i, t := range j.tiles {
		p := moved(t.Plan, j.plan.Frame)
		dx, dy := int32(t.Plan.Frame.East-j.plan.Frame.East), int32(t.Plan.Frame.North-j.plan.Frame.North)
		first := int32(len(j.plan.Layers))
		chain := make([]plan.ChainID, len(p.Chains))
		for c := range p.Chains {
			chain[c] = plan.Wall
			if k := p.Chains[c]; k.Kind != plan.TileCut {
				k.Left.Layer += first
				k.Right.Layer += first
				chain[c] = plan.ChainID(len(j.plan.Chains))
				j.plan.Chains = append(j.plan.Chains, k)
			}
		}
		for l := range p.Layers {
			for d := range p.Layers[l].Domains {
				domain := &p.Layers[l].Domains[d]
				id := plan.DomainID{Layer: first + int32(l), Domain: int32(d)}
				domain.Marks = slices.Clone(domain.Marks)
				for k, m := range domain.Marks {
					at, _ := slices.BinarySearch(j.marks, int(t.Marks[m]))
					domain.Marks[k] = int32(at)
				}
				for r, ring := range domain.Rings {
					for k, c := range domain.Edges[r] {
						if c == plan.Wall {
							continue
						}
						domain.Edges[r][k] = chain[c]
						a, b := ring[k], ring[(k+1)%len(ring)]
						s, cut := sideOf(lattice.Point{X: a.X - dx, Y: a.Y - dy}, lattice.Point{X: b.X - dx, Y: b.Y - dy}, t.Size)
						if !cut || chain[c] != plan.Wall {
							continue
						}
						along := stretch{id, int32(r), int32(k), min(a.X, b.X), max(a.X, b.X), a.Y}
						if s == west || s == east {
							along.from, along.to, along.line = min(a.Y, b.Y), max(a.Y, b.Y), a.X
						}
						j.cuts[i][s] = append(j.cuts[i][s], along)
					}
				}
				for c := range t.Cells[l][d] {
					for k := range t.Cells[l][d][c].Corners {
						v := &t.Cells[l][d][c].Corners[k]
						v.X, v.Y = v.X+dx, v.Y+dy
					}
				}
			}
			j.plan.Layers = append(j.plan.Layers, p.Layers[l])
			j.cells = append(j.cells, t.Cells[l])
		}
	}
}

// joint is a part of an edge of a domain that belongs to a chain.
type joint struct {
	ring, index int32
	from, to    lattice.Point // in the direction of the edge
	chain       plan.ChainID
}

// meet finds the chains between tiles: line by line, from tile to tile.
func (j *joiner) meet() error {
	j.joints = map[plan.DomainID][]joint{}
	heights := divide.NewHeights(j.plan)
	for i, t := range j.tiles {
		if k, ok := j.at[ID{t.East + 1, t.North}]; ok {
			if err := j.meetAlong(j.cuts[i][east], j.cuts[k][west], true, heights); err != nil {
				return fmt.Errorf("tiles %v and %v: %w", t.ID, j.tiles[k].ID, err)
			}
		}
		if k, ok := j.at[ID{t.East, t.North + 1}]; ok {
			if err := j.meetAlong(j.cuts[i][north], j.cuts[k][south], false, heights); err != nil {
				return fmt.Errorf("tiles %v and %v: %w", t.ID, j.tiles[k].ID, err)
			}
		}
	}
	return nil
}

// meeting is a common stretch of two edges of two tiles.
type meeting struct {
	a, b     int // stretches
	from, to int32
	apart    float64 // difference of heights in the middle
}

// mostMeetings bounds the pairs of floors that lie beside or over each other along one side of a tile.
const mostMeetings = 1 << 22

// meetAlong joins the stretches of two tiles along their line. upright says that the line runs north, and tile a then lies west of
// the line; else tile a lies south.
func (j *joiner) meetAlong(as, bs []stretch, upright bool, heights *divide.Heights) error {
	for _, list := range [2][]stretch{as, bs} {
		slices.SortFunc(list, func(p, q stretch) int {
			return cmp.Or(cmp.Compare(p.from, q.from), cmp.Compare(p.domain.Layer, q.domain.Layer), cmp.Compare(p.domain.Domain, q.domain.Domain),
				cmp.Compare(p.ring, q.ring), cmp.Compare(p.index, q.index))
		})
	}
	height := func(s *stretch, along int32) float64 {
		p := lattice.Point{X: along, Y: s.line}
		if upright {
			p = lattice.Point{X: s.line, Y: along}
		}
		return float64(heights.At(s.domain.Layer, &j.plan.Layers[s.domain.Layer].Domains[s.domain.Domain], p))
	}
	climb := j.plan.Agent.MaxClimb * lattice.UnitsPerMetre
	var all []meeting
	longest := int32(0)
	for i := range bs {
		longest = max(longest, bs[i].to-bs[i].from)
	}
	for i := range as {
		a := &as[i]
		first, _ := slices.BinarySearchFunc(bs, int64(a.from)-int64(longest), func(s stretch, at int64) int { return cmp.Compare(int64(s.from), at) })
		for k := first; k < len(bs) && bs[k].from < a.to; k++ {
			b := &bs[k]
			m := meeting{a: i, b: k, from: max(a.from, b.from), to: min(a.to, b.to)}
			if m.from >= m.to {
				continue
			}
			middle := m.from + (m.to-m.from)/2
			m.apart = math.Abs(height(a, middle) - height(b, middle))
			// Each surface is within its error of the level's, and a step may lie on the line.
			slack := touching + float64(j.plan.Layers[a.domain.Layer].Floor.Error) + float64(j.plan.Layers[b.domain.Layer].Floor.Error)
			if m.apart > climb+slack {
				continue
			}
			if all = append(all, m); len(all) > mostMeetings {
				return fmt.Errorf("more than %d floors meet", mostMeetings)
			}
		}
	}
	// Where an agent climbs more than half of its height, two storeys may be within a step: the nearer floor counts.
	slices.SortStableFunc(all, func(m, n meeting) int {
		return cmp.Or(cmp.Compare(m.apart, n.apart), cmp.Compare(m.from, n.from), cmp.Compare(m.a, n.a), cmp.Compare(m.b, n.b))
	})
	takenA, takenB := make([][][2]int32, len(as)), make([][][2]int32, len(bs))
	for _, m := range all {
		free := [][2]int32{{m.from, m.to}}
		for _, taken := range [2][][2]int32{takenA[m.a], takenB[m.b]} {
			for _, t := range taken {
				free = withoutSpan(free, t)
			}
		}
		for _, f := range free {
			takenA[m.a], takenB[m.b] = append(takenA[m.a], f), append(takenB[m.b], f)
			j.joinAt(&as[m.a], &bs[m.b], f, upright)
		}
	}
	return nil
}

// touching is the greatest difference in height, in units, of one place of two surfaces without an error: both are rounded twice.
const touching = 4

// withoutSpan takes a span off a list of spans.
func withoutSpan(spans [][2]int32, t [2]int32) [][2]int32 {
	var out [][2]int32
	for _, s := range spans {
		if t[1] <= s[0] || s[1] <= t[0] {
			out = append(out, s)
			continue
		}
		if s[0] < t[0] {
			out = append(out, [2]int32{s[0], t[0]})
		}
		if t[1] < s[1] {
			out = append(out, [2]int32{t[1], s[1]})
		}
	}
	return out
}

// joinAt makes a chain of a common stretch. Tile a lies west or south of the line.
func (j *joiner) joinAt(a, b *stretch, span [2]int32, upright bool) {
	// The floor of a is on the left of a way to the north, and on the left of a way to the west.
	from, to := lattice.Point{X: span[1], Y: a.line}, lattice.Point{X: span[0], Y: a.line}
	if upright {
		from, to = lattice.Point{X: a.line, Y: span[0]}, lattice.Point{X: a.line, Y: span[1]}
	}
	id := plan.ChainID(len(j.plan.Chains))
	j.plan.Chains = append(j.plan.Chains, plan.Chain{Kind: plan.TileCut, Points: []lattice.Point{from, to}, Left: a.domain, Right: b.domain})
	j.joints[a.domain] = append(j.joints[a.domain], joint{a.ring, a.index, from, to, id})
	j.joints[b.domain] = append(j.joints[b.domain], joint{b.ring, b.index, to, from, id})
}

// split divides the edges of domains at the ends of their joints.
func (j *joiner) split() {
	heights := divide.NewHeights(j.plan)
	for l := range j.plan.Layers {
		for d := range j.plan.Layers[l].Domains {
			id := plan.DomainID{Layer: int32(l), Domain: int32(d)}
			list := j.joints[id]
			if len(list) == 0 {
				continue
			}
			domain := &j.plan.Layers[l].Domains[d]
			slices.SortFunc(list, func(p, q joint) int {
				if c := cmp.Or(cmp.Compare(p.ring, q.ring), cmp.Compare(p.index, q.index)); c != 0 {
					return c
				}
				start := domain.Rings[p.ring][p.index]
				return cmp.Compare(start.Distance2(p.from), start.Distance2(q.from))
			})
			was := *domain
			domain.Rings, domain.Edges, domain.Heights = slices.Clone(was.Rings), slices.Clone(was.Edges), slices.Clone(was.Heights)
			moved := make([][]int32, len(was.Rings)) // the first new edge of each old one
			for r, ring := range was.Rings {
				domain.Rings[r], domain.Edges[r], domain.Heights[r] = nil, nil, nil
				add := func(p lattice.Point, chain plan.ChainID, z int32) {
					domain.Rings[r] = append(domain.Rings[r], p)
					domain.Edges[r] = append(domain.Edges[r], chain)
					domain.Heights[r] = append(domain.Heights[r], z)
				}
				for k, p := range ring {
					moved[r] = append(moved[r], int32(len(domain.Rings[r])))
					add(p, was.Edges[r][k], was.Heights[r][k])
					next := ring[(k+1)%len(ring)]
					for len(list) > 0 && list[0].ring == int32(r) && list[0].index == int32(k) {
						c := list[0]
						list = list[1:]
						if last := len(domain.Rings[r]) - 1; domain.Rings[r][last] == c.from {
							domain.Edges[r][last] = c.chain
						} else {
							add(c.from, c.chain, heights.At(int32(l), &was, c.from))
						}
						if c.to != next {
							add(c.to, plan.Wall, heights.At(int32(l), &was, c.to))
						}
					}
				}
			}
			for c := range j.cells[l][d] {
				for i := range j.cells[l][d][c].Corners {
					v := &j.cells[l][d][c].Corners[i]
					if v.On == plan.NoEdge {
						continue
					}
					ring := domain.Rings[v.On.Ring]
					k := moved[v.On.Ring][v.On.Index]
					for end := was.Rings[v.On.Ring][(int(v.On.Index)+1)%len(was.Rings[v.On.Ring])]; ring[(int(k)+1)%len(ring)] != end && !lattice.OnSegment(v.Point, ring[k], ring[(int(k)+1)%len(ring)]); {
						k++
					}
					v.On.Index = k
				}
			}
		}
	}
}

// number gives connected domains one number of a part, and counts the parts.
func (j *joiner) number() {
	var first []int32
	n := int32(0)
	for l := range j.plan.Layers {
		first = append(first, n)
		n += int32(len(j.plan.Layers[l].Domains))
	}
	sets := unionfind.New(int(n))
	for i := range j.plan.Chains {
		c := &j.plan.Chains[i]
		sets.Union(first[c.Left.Layer]+c.Left.Domain, first[c.Right.Layer]+c.Right.Domain)
	}
	part := map[int32]int32{} // looked up only
	for l := range j.plan.Layers {
		for d := range j.plan.Layers[l].Domains {
			root := sets.Find(first[l] + int32(d))
			k, ok := part[root]
			if !ok {
				k = int32(len(part))
				part[root] = k
			}
			j.plan.Layers[l].Domains[d].Component = k
		}
	}
	j.plan.Components = len(part)
}

// noise tells by component which parts are as narrow as rounding makes them.
func (j *joiner) noise() []bool {
	area, around := make([]float64, j.plan.Components), make([]float64, j.plan.Components)
	for l := range j.plan.Layers {
		for d := range j.plan.Layers[l].Domains {
			domain := &j.plan.Layers[l].Domains[d]
			area[domain.Component] += float64(domain.Area2())
			for r, ring := range domain.Rings {
				for i, a := range ring {
					if domain.Edges[r][i] == plan.Wall {
						around[domain.Component] += a.Distance(ring[(i+1)%len(ring)])
					}
				}
			}
		}
	}
	noise, least := make([]bool, len(area)), exact.LeastWidth(j.plan.Agent)
	for c := range noise {
		noise[c] = area[c] < least*around[c]
	}
	return noise
}

// keptCells returns the cells of the domains that stay, and takes the floor under no cell off the layers that lost a domain.
func (j *joiner) keptCells(whole, left *plan.Plan, kept []bool) [][][]plan.Cell {
	var out [][][]plan.Cell
	for l := range whole.Layers {
		var cells [][]plan.Cell
		for d := range whole.Layers[l].Domains {
			if kept[whole.Layers[l].Domains[d].Component] {
				cells = append(cells, j.cells[l][d])
			}
		}
		if cells == nil {
			continue
		}
		if len(cells) < len(whole.Layers[l].Domains) {
			left.Layers[len(out)].Floor = underCells(&whole.Layers[l].Floor, cells)
		}
		out = append(out, cells)
	}
	return out
}

// underCells returns the triangles of a floor whose boxes meet the box of a cell.
func underCells(floor *lattice.TIN, cells [][]plan.Cell) lattice.TIN {
	var boxes []boxtree.Box[int32]
	for _, list := range cells {
		for _, c := range list {
			b := lattice.EmptyBox()
			for _, v := range c.Corners {
				b = b.Extend(v.Point)
			}
			boxes = append(boxes, boxtree.Box[int32]{Low: [3]int32{b.Min.X, b.Min.Y}, High: [3]int32{b.Max.X, b.Max.Y}}.Grown(touching))
		}
	}
	tree := boxtree.New(boxes, nil)
	out := lattice.TIN{Error: floor.Error}
	number := make([]uint32, len(floor.Vertices)) // plus one
	for _, t := range floor.Triangles {
		b := lattice.BoxOf(floor.Vertices[t[0]].Point, floor.Vertices[t[1]].Point, floor.Vertices[t[2]].Point)
		if !tree.Meets(&boxtree.Box[int32]{Low: [3]int32{b.Min.X, b.Min.Y}, High: [3]int32{b.Max.X, b.Max.Y}}) {
			continue
		}
		for k, v := range t {
			if number[v] == 0 {
				out.Vertices = append(out.Vertices, floor.Vertices[v])
				number[v] = uint32(len(out.Vertices))
			}
			t[k] = number[v] - 1
		}
		out.Triangles = append(out.Triangles, t)
	}
	return out
}
