package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/waypoint"
	"github.com/meadow-nav/meadow/query"
)

// pairsTried is the number of pairs of places after which a world is given up.
const pairsTried = 100_000

// journey is a pair of places, in lattice units.
type journey struct{ start, goal lattice.Point }

// journeysOn draws places joined in every method's mesh, at the required distance. As in the source, all
// paths are accessible on every mesh.
func journeysOn(ctx context.Context, w World, seed int, on []walks, graphs []*graph) ([]journey, error) {
	rng := rand.New(rand.NewPCG(uint64(seed), 0x7061746873))
	box := w.Domain.Box()
	width, height := box.Size()
	draw := func() lattice.Point {
		return lattice.Point{X: box.Min.X + rng.Int32N(int32(width)), Y: box.Min.Y + rng.Int32N(int32(height))}
	}
	queries := make([]*query.Query, len(on))
	for m := range on {
		queries[m] = on[m].index.NewQuery()
	}
	var journeys []journey
	for range pairsTried {
		if len(journeys) == pathsPerWorld {
			return journeys, nil
		}
		j := journey{draw(), draw()}
		ok, err := j.fits(ctx, queries, graphs)
		if err != nil {
			return nil, err
		}
		if ok {
			journeys = append(journeys, j)
		}
	}
	return nil, fmt.Errorf("experiment: %s has %d journeys of %d to %d m that all methods can make, needs %d", w.Name, len(journeys), leastPath, mostPath, pathsPerWorld)
}

// fits tells whether every mesh and graph joins the two places, and whether the shortest way on the first mesh, a
// complete one, is as long as is asked for.
func (j journey) fits(ctx context.Context, queries []*query.Query, graphs []*graph) (bool, error) {
	for _, q := range queries {
		for _, p := range []lattice.Point{j.start, j.goal} {
			if _, ok := q.Locate(onFloor(p)); !ok {
				return false, nil
			}
		}
	}
	for m, q := range queries {
		path, err := q.Path(ctx, onFloor(j.start), onFloor(j.goal))
		if err != nil {
			return false, err
		}
		if !path.Complete || m == 0 && (path.Length < leastPath || path.Length > mostPath) {
			return false, nil
		}
	}
	for _, g := range graphs {
		if _, ok := g.path(j); !ok {
			return false, nil
		}
	}
	return true, nil
}

// onFloor returns a lattice point of the first frame in world space.
func onFloor(p lattice.Point) geom.Vec {
	return geom.FromGround(float64(p.X)*lattice.Unit, float64(p.Y)*lattice.Unit, 0)
}

// graph is a waypoint graph with its results on the journeys of a world.
type graph struct {
	name   string
	graph  *waypoint.Graph
	values map[string][]float64 // by measure
}

// The waypoint graphs beside the meshes, and the random points that their coverage is measured by.
const (
	roadmap         = "roadmap"
	pathNodes       = "pathnodes"
	coverageSamples = 2000
)

// graphsOn builds the waypoint graphs of a world.
func graphsOn(ctx context.Context, w World, seed int) ([]*graph, error) {
	random, err := waypoint.Roadmap(ctx, w.Domain, waypoint.RoadmapOptions{Seed: uint64(seed)})
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, w.Name)
	}
	nodes, err := waypoint.PathNodes(ctx, w.Domain, waypoint.PathNodesOptions{})
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, w.Name)
	}
	graphs := []*graph{{name: roadmap, graph: random}, {name: pathNodes, graph: nodes}}
	for _, g := range graphs {
		g.values = map[string][]float64{"coverage": {g.graph.Coverage(coverageSamples, uint64(seed)).Seen}}
	}
	return graphs, nil
}

// path walks to the nearest node that is seen, along the graph, and from the nearest node that is seen.
func (g *graph) path(j journey) (waypoint.Path, bool) {
	return g.graph.Path(j.start, j.goal, 1, false)
}

// walk measures the journeys; the graph can make all of them.
func (g *graph) walk(journeys []journey) {
	for _, j := range journeys {
		p, _ := g.path(j)
		route := make([]vec, len(p.Points))
		for i, q := range p.Points {
			route[i] = vec{float64(q.X), float64(q.Y)}
		}
		g.values[distanceLine] = append(g.values[distanceLine], length(route)*unitsPerMetre)
		g.values[turnsLine] = append(g.values[turnsLine], float64(sharpTurns(route)))
	}
}
