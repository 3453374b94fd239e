package metric

import (
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// BorderError is the distance between the borders of a mesh and of its plan, in metres. A border consists of all walls:
// the floor's edges without seams and portals. Distances are measured in plan, from every point of one border to the
// nearest point of the other. If mesh and plan have equally many layers, only points in the same layer or in layers
// joined to it by seams count: regions are merged across seams. Otherwise points in any layer count.
type BorderError struct {
	// Value is the Hausdorff distance: the larger maximum of the two directions. Unknown without Options.Plan, and if
	// one side has no border.
	Value Number `json:"value_m"`
	// MeshToPlan is large if the mesh has a border of its own: a hole, or a bulge.
	MeshToPlan BorderDistance `json:"mesh_to_plan"`
	// PlanToMesh is large if a border of the plan is missing: a corner cut off, a pillar overlooked.
	PlanToMesh BorderDistance `json:"plan_to_mesh"`
}

// BorderDistance is the distance of one border to another.
type BorderDistance struct {
	// Length is the length of the first border.
	Length Number `json:"length_m"`
	// Mean is the average over the length, from samples at most sampleStep apart.
	Mean Number `json:"mean_m"`
	// Max is the largest distance, right to a lattice unit; At is a place with this distance, in world space.
	Max Number    `json:"max_m"`
	At  [3]Number `json:"at"`
}

func unknownBorder() BorderError {
	d := BorderDistance{unknown, unknown, unknown, [3]Number{unknown, unknown, unknown}}
	return BorderError{unknown, d, d}
}

// borderError measures both directions. Time O(k·log n) for k samples and n pieces of border, unless the borders are
// far apart everywhere.
func (v *view) borderError(p *plan.Plan) BorderError {
	e := unknownBorder()
	if p == nil {
		return e
	}
	mesh, floor := v.walls(), planWalls(p, v.mesh.Frame)
	joined := unionfind.New(len(floor))
	for _, c := range p.Chains {
		joined.Union(c.Left.Layer, c.Right.Layer)
	}
	if len(mesh) != len(floor) {
		mesh, floor = [][]span{flatten(mesh)}, [][]span{flatten(floor)}
	} else {
		mesh, floor = gathered(mesh, joined), gathered(floor, joined)
	}
	there, back := newApart(), newApart()
	for l := range mesh {
		there.measure(mesh[l], floor[l])
		back.measure(floor[l], mesh[l])
	}
	e.MeshToPlan, e.PlanToMesh = there.distance(v.mesh.Frame), back.distance(v.mesh.Frame)
	if e.MeshToPlan.Max.Known() && e.PlanToMesh.Max.Known() {
		e.Value = max(e.MeshToPlan.Max, e.PlanToMesh.Max)
	}
	return e
}

// gathered moves the pieces of joined layers to the first of these layers.
func gathered(layers [][]span, joined unionfind.Forest) [][]span {
	out := make([][]span, len(layers))
	for l := range layers {
		first := joined.Find(int32(l))
		out[first] = append(out[first], layers[l]...)
	}
	return out
}

func flatten(layers [][]span) []span {
	var all []span
	for _, l := range layers {
		all = append(all, l...)
	}
	return all
}

// walls lists the stretches of the mesh's border by layer.
func (v *view) walls() [][]span {
	layers := 0
	for i := range v.mesh.Tiles {
		layers = max(layers, len(v.mesh.Tiles[i].Layers))
		for r := range v.mesh.Tiles[i].Regions {
			layers = max(layers, int(v.mesh.Tiles[i].Regions[r].Layer)+1)
		}
	}
	out := make([][]span, layers)
	for i := range v.mesh.Tiles {
		t := &v.mesh.Tiles[i]
		s := newSides(t)
		for k := range s.twin {
			if s.twin[k] == none {
				l := t.Regions[s.owner[k]].Layer
				out[l] = append(out[l], span{spotOf(s.from[k]), spotOf(s.from[s.next(k)])})
			}
		}
	}
	return out
}

// planWalls lists the walls of a plan by layer, in the coordinates of frame.
func planWalls(p *plan.Plan, frame lattice.Frame) [][]span {
	east, north := float64(p.Frame.East-frame.East), float64(p.Frame.North-frame.North)
	move := func(q lattice.Point) spot { return spot{float64(q.X) + east, float64(q.Y) + north} }
	out := make([][]span, len(p.Layers))
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			for r, ring := range domain.Rings {
				for i := range ring {
					if isWall(domain, r, i) {
						out[l] = append(out[l], span{move(ring[i]), move(ring[(i+1)%len(ring)])})
					}
				}
			}
		}
	}
	return out
}

func spotOf(p lattice.Point) spot { return spot{float64(p.X), float64(p.Y)} }

// apart accumulates the distance of one border from another, in lattice units.
type apart struct {
	length, integral float64
	most             float64
	at               spot
}

func newApart() apart { return apart{most: -1} }

const (
	// sampleStep is the largest distance between two samples of a mean in lattice units: 5 cm.
	sampleStep = lattice.UnitsPerMetre / 20
	// maxSamples bounds the samples of a mean of one layer; longer borders have larger steps.
	maxSamples = 1 << 18
	// maxSlack is the maximum error of a maximum, downwards, in lattice units.
	maxSlack = 1
)

// measure adds the distances from all points of a border to another. The distance to an empty border is infinite.
func (a *apart) measure(from, to []span) {
	index := newSpans(to)
	length := 0.0
	for _, s := range from {
		length += s.a.to(s.b)
	}
	a.length += length
	if len(to) == 0 {
		if len(from) > 0 {
			a.most, a.at, a.integral = math.Inf(1), from[0].a, math.Inf(1)
		}
		return
	}
	step := max(sampleStep, length/maxSamples)
	for _, s := range from {
		if i, _ := index.nearest(s.a.at(s.b, 0.5)); to[i].distance(s.a) == 0 && to[i].distance(s.b) == 0 {
			a.reach(0, s.a)
			continue // most pieces lie on that piece from end to end
		}
		n := int(math.Ceil(s.a.to(s.b) / step))
		sum := 0.0
		for k := range n {
			_, d := index.nearest(s.a.at(s.b, (float64(k)+0.5)/float64(n)))
			sum += d
		}
		if n > 0 {
			a.integral += sum / float64(n) * s.a.to(s.b)
		}
		a.maximum(s, index)
	}
}

// reach records a point at a distance.
func (a *apart) reach(d float64, p spot) {
	if d > a.most {
		a.most, a.at = d, p
	}
}

// end is a point with its nearest span and distance.
type end struct {
	p spot
	s int
	d float64
}

// maximum finds the point of s farthest from all spans of the index. The distance from one span is a convex function
// along s: between two points the distance is at most the larger of the distances at the two points. A piece is done if
// some span bounds its distance by the known maximum; other pieces are halved.
func (a *apart) maximum(s span, index *spans) {
	look := func(p spot) end {
		i, d := index.nearest(p)
		a.reach(d, p)
		return end{p, i, d}
	}
	open := [][2]end{{look(s.a), look(s.b)}}
	for len(open) > 0 {
		piece := open[len(open)-1]
		open = open[:len(open)-1]
		half := look(piece[0].p.at(piece[1].p, 0.5))
		bound := math.Inf(1)
		for _, e := range [3]end{piece[0], half, piece[1]} {
			near := index.list[e.s]
			bound = min(bound, max(near.distance(piece[0].p), near.distance(piece[1].p)))
		}
		if bound > a.most+maxSlack && piece[0].p.to(piece[1].p) > maxSlack {
			open = append(open, [2]end{half, piece[1]}, [2]end{piece[0], half})
		}
	}
}

// distance returns the accumulated distance, in metres.
func (a *apart) distance(frame lattice.Frame) BorderDistance {
	d := unknownBorder().MeshToPlan
	d.Length = Number(a.length * lattice.Unit)
	if a.most < 0 {
		return d
	}
	d.Max, d.At = Number(a.most*lattice.Unit), numbers(frame.FromLocal(a.at.x, a.at.y, 0))
	if a.length > 0 {
		d.Mean = Number(a.integral / a.length * lattice.Unit)
	}
	return d
}
