// Package ask answers a page's questions about a mesh: places, paths and steps, as values that become JSON. The package links
// the file of meshes and the queries only, and so its WebAssembly stays small.
package ask

import (
	"context"
	"errors"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
)

// Session is a mesh under questions. It belongs to one goroutine at a time.
type Session struct {
	mesh   *navmesh.Mesh
	query  *query.Query
	refs   []navmesh.Ref // of the mesh, tile after tile
	number func(navmesh.Ref) int
}

// Point is a place in metres: x, y, z.
type Point [3]float64

// Place is a place on the floor.
type Place struct {
	Found     bool    `json:"found"`
	Point     Point   `json:"point"`
	Region    int     `json:"region"` // counted tile after tile
	Component uint32  `json:"component"`
	Ground    string  `json:"ground"` // name of the area, empty for a mesh without named ground
	Wall      float64 `json:"wall"`   // metres to the nearest wall in plan, -1 without a wall within [WallReach]
}

// Path is the shortest path between two places.
type Path struct {
	Complete bool      `json:"complete"`
	Start    Place     `json:"start"`
	Goal     Place     `json:"goal"`
	Surface  []float64 `json:"surface"` // x, y, z of the points on the floor, in order
	Bends    int       `json:"bends"`   // turns between start and goal
	Regions  []int     `json:"regions"` // in order, counted tile after tile
	Links    int       `json:"links"`   // off-mesh links on the way
	Length   float64   `json:"length"`  // metres, see query.Path
	Expanded int       `json:"expanded"`
	// Milliseconds is how long the search took. Browsers count time in steps of about 0.1 ms.
	Milliseconds float64 `json:"milliseconds"`
}

// WallReach is how far a Place looks for walls, in metres.
const WallReach = 20

// Open reads a mesh file and prepares the questions. Errors are those of navfile.Decode.
func Open(file []byte) (*Session, error) {
	mesh, err := navfile.Decode(file)
	if err != nil {
		return nil, err
	}
	return New(mesh), nil
}

// New prepares questions on a mesh, see query.NewIndex for the cost.
func New(mesh *navmesh.Mesh) *Session { return NewOn(mesh, query.NewIndex(mesh)) }

// NewOn is New with an index of the mesh, for agents with costs or ways of their own.
func NewOn(mesh *navmesh.Mesh, ix *query.Index) *Session {
	var first []int // by tile: the number of its first region
	regions := 0
	for i := range mesh.Tiles {
		first = append(first, regions)
		regions += len(mesh.Tiles[i].Regions)
	}
	return On(mesh, ix.NewQuery(), func(r navmesh.Ref) int { return first[r.Slot()] + r.Index() })
}

// On prepares questions to a query whose Refs are not those of mesh, such as those of a world that changes: number returns the region of
// mesh for a Ref of the query, counted tile after tile. Time O(n) for n regions.
func On(mesh *navmesh.Mesh, q *query.Query, number func(navmesh.Ref) int) *Session {
	s := &Session{mesh: mesh, query: q, number: number}
	for i := range mesh.Tiles {
		for k := range mesh.Tiles[i].Regions {
			s.refs = append(s.refs, navmesh.MakeRef(i, k, mesh.Tiles[i].Generation))
		}
	}
	return s
}

// At returns the place on the floor nearest to p within reach metres; Found is false without floor.
func (s *Session) At(p Point, reach float64) Place {
	pos, ok := s.query.Nearest(geom.Vec{X: p[0], Y: p[1], Z: p[2]}, reach)
	if !ok {
		return Place{}
	}
	return s.place(pos)
}

// Step returns the place that a walker reaches from one place straight towards another, along walls where walls are in the
// way. The places are moved to the floor within reach metres.
func (s *Session) Step(from, to Point, reach float64) Place {
	start, ok := s.query.Nearest(geom.Vec{X: from[0], Y: from[1], Z: from[2]}, reach)
	if !ok {
		return Place{}
	}
	move, err := s.query.MoveAlongSurface(start, geom.Vec{X: to[0], Y: to[1], Z: to[2]})
	if err != nil {
		return Place{}
	}
	return s.place(move.End)
}

// Path returns the shortest path between the places on the floor nearest to start and goal, within reach metres. A path is not
// Complete if an end has no floor, or if no path exists. Other errors are those of query.Query.Path.
func (s *Session) Path(ctx context.Context, start, goal Point, reach float64) (Path, error) {
	out := Path{Start: s.At(start, reach), Goal: s.At(goal, reach), Surface: []float64{}, Regions: []int{}}
	if !out.Start.Found || !out.Goal.Found {
		return out, nil
	}
	began := time.Now()
	path, err := s.query.Path(ctx, vec(out.Start.Point), vec(out.Goal.Point))
	out.Milliseconds = float64(time.Since(began)) / float64(time.Millisecond)
	if errors.Is(err, query.ErrOffMesh) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Complete, out.Length, out.Expanded = path.Complete, path.Length, path.Expanded
	out.Bends = max(0, len(path.Points)-2)
	for _, p := range path.Surface() {
		out.Surface = append(out.Surface, p.X, p.Y, p.Z)
	}
	for _, r := range path.Regions() {
		out.Regions = append(out.Regions, s.number(r))
	}
	for _, c := range path.Crossings {
		if c.Link >= 0 {
			out.Links++
		}
	}
	return out, nil
}

func vec(p Point) geom.Vec { return geom.Vec{X: p[0], Y: p[1], Z: p[2]} }

func (s *Session) place(pos query.Position) Place {
	out := Place{Found: true, Point: Point{pos.Point.X, pos.Point.Y, pos.Point.Z}, Region: s.number(pos.Ref), Wall: -1}
	if out.Region < 0 || out.Region >= len(s.refs) {
		return out
	}
	if _, region, ok := s.mesh.Region(s.refs[out.Region]); ok {
		out.Component = region.Component
		if len(s.mesh.Areas) > 0 {
			out.Ground = s.mesh.AreaName(region.Area)
		}
	}
	if wall, err := s.query.DistanceToWall(pos, WallReach); err == nil && wall.Found {
		out.Wall = wall.Distance
	}
	return out
}
