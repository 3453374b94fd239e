package query

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// corner is a floor in the shape of an L: the way between its ends bends at (4, 4).
func corner() *navmesh.Mesh {
	t := navmesh.Tile{
		Generation: 1,
		Vertices:   []lattice.Vertex{at(0, 0, 0), at(8, 0, 0), at(8, 4, 0), at(4, 4, 0), at(4, 8, 0), at(0, 8, 0), at(0, 4, 0)},
		Corners:    []uint32{0, 1, 2, 3, 6, 6, 3, 4, 5},
		Regions: []navmesh.Region{
			{Count: 5, PortalCount: 1, Flags: navmesh.DefaultFlags},
			{First: 5, Count: 4, FirstPortal: 1, PortalCount: 1, Flags: navmesh.DefaultFlags},
		},
		Portals: []navmesh.Portal{{To: 1, Edge: 3, Right: 3, Left: 6, Back: 1}, {To: 0, Edge: 0, Right: 6, Left: 3, Back: 0}},
	}
	t.Derive()
	m := &navmesh.Mesh{Agent: testAgent, Tiles: []navmesh.Tile{t}}
	m.Connect()
	return m
}

// A search advances a little in every frame.
func ExampleSearch() {
	s := NewIndex(corner()).NewSearch()
	if err := s.Begin(geom.FromGround(7, 3, 0), geom.FromGround(3, 7, 0)); err != nil {
		log.Fatal(err)
	}
	for !s.Advance(100) {
		// do something else
	}
	fmt.Printf("%.2f m around %v\n", s.Path().Length, s.Path().Points[1])
	// Output: 6.32 m around (4.000, 0.000, -4.000)
}

// An agent walks to a goal, corner by corner.
func ExampleCorridor() {
	q := NewIndex(corner()).NewQuery()
	here, _ := q.Locate(geom.FromGround(7, 3, 0))
	var c Corridor
	c.Reset(here)
	if err := c.Plan(context.Background(), q, geom.FromGround(3, 7, 0)); err != nil {
		log.Fatal(err)
	}
	var corners []Corner
	for steps := 0; ; steps++ {
		var err error
		if corners, err = c.Corners(q, corners[:0], 2); err != nil {
			log.Fatal(err)
		}
		at, next := c.Position().Point, corners[0]
		way := next.Point.Sub(at)
		if next.Target && math.Hypot(way.X, way.Z) <= 0.5 {
			fmt.Printf("there after %d steps and a last one\n", steps)
			break
		}
		if err := c.MovePosition(q, at.Add(way.Scale(min(1, 0.5/math.Hypot(way.X, way.Z))))); err != nil {
			log.Fatal(err)
		}
	}
	// Output: there after 13 steps and a last one
}

// Which of the three is the nearest on foot?
func ExampleQuery_NearestOf() {
	q := NewIndex(corner()).NewQuery()
	goals := []geom.Vec{geom.FromGround(1, 7, 0), geom.FromGround(3, 7, 0), geom.FromGround(0.5, 0.5, 0)}
	goal, path, err := q.NearestOf(context.Background(), geom.FromGround(7, 3, 0), goals)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("goal %d, %.2f m\n", goal, path.Length)
	// Output: goal 1, 6.32 m
}
