package flat

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// point is a point in the units of the file.
type point struct{ x, y float64 }

// feature is one shape of a map: the points inside an odd number of its rings.
type feature struct {
	where    string // the author's name: "feature 3 (id hall)", "line 12: <path>"
	obstacle bool
	rings    [][]point
	names    []string // the author's name of each ring, for shapes of several rings; may be nil
	labels   []string // all names, for rules; see Shape.Names
}

// ring returns the author's name of a ring.
func (f feature) ring(r int) string {
	if r < len(f.names) {
		return f.names[r]
	}
	return f.where
}

// sketch is a map of shapes, the model of decoders of shapes.
type sketch struct {
	scale    float64 // metres per unit
	limits   level.Limits
	down     bool // y runs to the south
	features []feature
	// page is the extent stated in the file; it is the free space of a map with obstacles only. Nil in formats
	// without an extent.
	page []point
	// surfaces are the shapes by name if features were merged; else nil.
	surfaces []feature
	warn     input.Warnings
}

// obstacleNames are the names of obstacles.
var obstacleNames = []string{"obstacle", "obstacles", "wall", "walls", "hole", "holes", "blocked", "collision", "collisions"}

// isObstacleName reports whether a name is in obstacleNames, in any case and with any number after it:
// "Wall", "obstacle-12".
func isObstacleName(name string) bool {
	name = strings.TrimRight(strings.ToLower(strings.TrimSpace(name)), "0123456789 -_.:")
	return slices.Contains(obstacleNames, name)
}

// world is a position of the world lattice.
type world struct{ east, north int64 }

// snap puts p on the world lattice.
func (s *sketch) snap(p point) (world, bool) {
	x, y := float64(p.x*s.scale), float64(p.y*s.scale)
	if s.down {
		y = 0 - y
	}
	east, north, _, ok := lattice.Snap(geom.FromGround(x, y, 0))
	return world{east, north}, ok
}

// plan makes the walkable area: the inside of free shapes minus all obstacles.
func (s *sketch) plan() (*plan.Plan, error) {
	if len(s.features) == 0 {
		return nil, errors.New("no polygon in the file")
	}
	if !slices.ContainsFunc(s.features, func(f feature) bool { return !f.obstacle }) {
		if s.page == nil {
			return nil, errors.New("all polygons are obstacles; the free space is unknown")
		}
		s.features = append(s.features, feature{where: "the extent of the map", rings: [][]point{s.page}})
	}
	frame, domains, err := s.walkable()
	if err != nil {
		return nil, err
	}
	return newPlan(frame, domains)
}

// walkable returns the domains of the walkable area.
func (s *sketch) walkable() (lattice.Frame, []plan.Domain, error) {
	frame, edges, rings, err := s.edges()
	if err != nil {
		return frame, nil, err
	}
	n := len(edges)
	cut, crossings, ok := node(edges)
	if !ok {
		return frame, nil, fmt.Errorf("too many overlapping borders: %d edges with more than %d close pairs", n, maxPairs(n))
	}
	if crossings > 0 {
		if err := s.limits.CheckPoints(n + crossings); err != nil {
			return frame, nil, fmt.Errorf("%w in the map: %d, and %d crossings of borders", err, n, crossings)
		}
		domains, err := unite(s.features, edges, rings)
		return frame, domains, err
	}
	return frame, domains(s.border(cut, rings)), nil
}

// edges puts all rings on the lattice; of is the feature of each ring. Edges that shrink to a point are left out.
func (s *sketch) edges() (frame lattice.Frame, edges []edge, of []int, err error) {
	lo := world{math.MaxInt64, math.MaxInt64}
	hi := world{math.MinInt64, math.MinInt64}
	var rings [][]world
	total := 0
	for i, f := range s.features {
		for r, points := range f.rings {
			total += len(points)
			if err := s.limits.CheckPoints(total); err != nil {
				return frame, nil, nil, fmt.Errorf("%s: %w in the map", f.where, err)
			}
			ring := make([]world, len(points))
			for k, p := range points {
				w, ok := s.snap(p)
				if !ok {
					return frame, nil, nil, fmt.Errorf("%s: invalid point %d at (%g, %g)", f.ring(r), k, p.x, p.y)
				}
				lo = world{min(lo.east, w.east), min(lo.north, w.north)}
				hi = world{max(hi.east, w.east), max(hi.north, w.north)}
				ring[k] = w
			}
			rings, of = append(rings, ring), append(of, i)
		}
	}
	if total == 0 {
		return frame, nil, nil, errors.New("no polygon in the file")
	}
	if max(hi.east-lo.east, hi.north-lo.north) > lattice.MaxCoord {
		return frame, nil, nil, fmt.Errorf("the map is %.6g × %.6g m; the limit is %.6g m; check the scale",
			float64(hi.east-lo.east)*lattice.Unit, float64(hi.north-lo.north)*lattice.Unit, lattice.MaxCoord*lattice.Unit)
	}
	frame = lattice.Frame{East: lo.east, North: lo.north}
	local := func(w world) lattice.Point {
		return lattice.Point{X: int32(w.east - lo.east), Y: int32(w.north - lo.north)}
	}
	for r, ring := range rings {
		for k, w := range ring {
			a, b := local(w), local(ring[(k+1)%len(ring)])
			if a != b {
				edges = append(edges, edge{arc{a, b}, int32(r)})
			}
		}
	}
	return frame, edges, of, nil
}

// newPlan makes a plan of one level layer.
func newPlan(frame lattice.Frame, domains []plan.Domain) (*plan.Plan, error) {
	if len(domains) == 0 {
		return nil, errors.New("nothing is walkable")
	}
	box := lattice.EmptyBox()
	for i := range domains {
		box = box.Union(domains[i].Rings[0].Box())
	}
	at := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}} }
	return &plan.Plan{
		Frame: frame,
		Layers: []plan.Layer{{
			Domains: domains,
			Floor: lattice.TIN{
				Vertices: []lattice.Vertex{
					at(box.Min.X, box.Min.Y), at(box.Max.X, box.Min.Y), at(box.Max.X, box.Max.Y), at(box.Min.X, box.Max.Y),
				},
				Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
			},
		}},
		Components: len(domains),
	}, nil
}
