package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// routeSuffixes name the measures of routes by kind of graph: the source's navigation map has none.
var routeSuffixes = [...]string{
	navgraph.Both: "", navgraph.Midpoints: midpointsLine, navgraph.Centroids: centroidsLine, navgraph.Enhanced: enhancedLine,
}

// walks are the results of a method's decomposition on the journeys of a world.
type walks struct {
	index   *query.Index
	graphs  []*navgraph.Graph    // by kind
	lengths map[string][]float64 // by measure
}

func newWalks(m *navmesh.Mesh) (walks, error) {
	k := walks{index: query.NewIndex(m), lengths: map[string][]float64{}}
	for _, kind := range navgraph.Kinds() {
		g, err := navgraph.New(k.index, navgraph.Options{Kind: kind})
		if err != nil {
			return walks{}, fmt.Errorf("experiment: %w", err)
		}
		k.graphs = append(k.graphs, g)
	}
	return k, nil
}

var errNoWay = errors.New("experiment: the navigation map does not join two regions that the mesh joins")

// walk measures the journeys by every kind of path.
func (k *walks) walk(ctx context.Context, journeys []journey) error {
	q := k.index.NewQuery()
	finders := make([]*navgraph.Finder, len(k.graphs))
	for i, g := range k.graphs {
		finders[i] = g.NewFinder()
	}
	var smoother smooth.Smoother
	add := func(name string, v float64) { k.lengths[name] = append(k.lengths[name], v) }
	for _, j := range journeys {
		from, _ := q.Locate(onFloor(j.start))
		to, _ := q.Locate(onFloor(j.goal))
		for kind, f := range finders {
			route, err := f.Path(ctx, from, to)
			if err != nil {
				return err
			}
			if !route.Found {
				return errNoWay
			}
			points := flat(route.Points)
			add(distanceLine+routeSuffixes[kind], length(points)*unitsPerMetre)
			add(turnsLine+routeSuffixes[kind], float64(sharpTurns(points)))
			if navgraph.Kind(kind) != navgraph.Both {
				continue
			}
			// Smoothed forms of the source's routes.
			tight, err := q.Through(from, to, route.Exits)
			if err != nil {
				return err
			}
			add(distanceLine+funnelLine, tight.Length*unitsPerMetre)
			brand := ground(smoother.Smooth(lattice.Vertex{Point: j.start}, lattice.Vertex{Point: j.goal}, f.Edges(nil, route.Exits), smooth.Options{}))
			add(distanceLine+brandLine, length(brand)*unitsPerMetre)
			add(turnsLine+brandLine, float64(sharpTurns(brand)))
		}
		corridor, err := q.AStarPath(ctx, from.Point, to.Point)
		if err != nil {
			return err
		}
		add(corridorLine, corridor.Length*unitsPerMetre)
		shortest, err := q.Path(ctx, from.Point, to.Point)
		if err != nil {
			return err
		}
		add(shortestLine, shortest.Length*unitsPerMetre)
	}
	return nil
}

// flat returns points of the first frame seen from above, in lattice units.
func flat(points []geom.Vec) []vec {
	path := make([]vec, len(points))
	for i, p := range points {
		x, y := geom.Ground(p)
		path[i] = vec{x * lattice.UnitsPerMetre, y * lattice.UnitsPerMetre}
	}
	return path
}

// ground returns a smoothed way seen from above.
func ground(points []smooth.Waypoint) []vec {
	path := make([]vec, len(points))
	for i, p := range points {
		path[i] = vec{p.X, p.Y}
	}
	return path
}

func distance(a, b vec) float64 {
	return math.Sqrt(float64((a.x-b.x)*(a.x-b.x)) + float64((a.y-b.y)*(a.y-b.y)))
}

// length returns the length of a path in metres.
func length(path []vec) float64 {
	sum := 0.0
	for i := 1; i < len(path); i++ {
		sum += distance(path[i-1], path[i])
	}
	return sum * lattice.Unit
}

// sharpTurns counts the turns of a path by more than 90 degrees.
func sharpTurns(path []vec) int {
	turns := 0
	for i := 1; i+1 < len(path); i++ {
		a, b, c := path[i-1], path[i], path[i+1]
		if float64((b.x-a.x)*(c.x-b.x))+float64((b.y-a.y)*(c.y-b.y)) < 0 {
			turns++
		}
	}
	return turns
}
