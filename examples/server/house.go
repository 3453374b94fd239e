package main

import (
	"fmt"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// The house: rooms in a grid, with a door in every wall between two rooms and one into the yard.
const (
	columns, rows = 6, 5
	room          = 9.0 // metres between the middles of two walls
	thick         = 0.5
	tall          = 2.5
	gap           = 1.6
	yard          = 6.0
)

// house returns the level, with its doors as markers, and their names.
func house() (*level.Level, []string) {
	l := &level.Level{Name: "house"}
	var doors []string
	box(l, geom.Vec{X: -1, Y: -0.5, Z: -1}, geom.Vec{X: columns*room + 1, Y: 0, Z: rows*room + yard})
	// wall builds a wall along X or Z, from a middle of two walls to the next, with or without a door.
	wall := func(x, z float64, along geom.Vec, door bool) {
		start := geom.Vec{X: x, Z: z}
		piece := func(from, to, low, high float64) (geom.Vec, geom.Vec) {
			a, b := start.Add(along.Scale(from)), start.Add(along.Scale(to))
			half := geom.Vec{X: thick / 2 * along.Z, Z: thick / 2 * along.X}
			return a.Sub(half).Add(geom.Vec{Y: low}), b.Add(half).Add(geom.Vec{Y: high})
		}
		if !door {
			lo, hi := piece(-thick/2, room+thick/2, 0, tall)
			box(l, lo, hi)
			return
		}
		for _, ends := range [2][2]float64{{-thick / 2, (room - gap) / 2}, {(room + gap) / 2, room + thick/2}} {
			lo, hi := piece(ends[0], ends[1], 0, tall)
			box(l, lo, hi)
		}
		lo, hi := piece((room-gap)/2-0.1, (room+gap)/2+0.1, -0.2, 2.2)
		m := level.Marker{Name: fmt.Sprintf("door %d", len(doors)), Kind: "door"}
		for i := range 8 {
			p := lo
			if i&1 != 0 {
				p.X = hi.X
			}
			if i&2 != 0 {
				p.Y = hi.Y
			}
			if i&4 != 0 {
				p.Z = hi.Z
			}
			m.Hull = append(m.Hull, p)
		}
		l.Markers = append(l.Markers, m)
		doors = append(doors, m.Name)
	}
	for c := range columns {
		for r := range rows + 1 {
			wall(float64(c)*room, float64(r)*room, geom.Vec{X: 1}, r > 0 && r < rows || r == rows && c == 0)
		}
	}
	for c := range columns + 1 {
		for r := range rows {
			wall(float64(c)*room, float64(r)*room, geom.Vec{Z: 1}, c > 0 && c < columns)
		}
	}
	return l, doors
}

// box adds a box between two corners.
func box(l *level.Level, lo, hi geom.Vec) {
	first := uint32(len(l.Vertices))
	for i := range 8 {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		l.Vertices = append(l.Vertices, p)
	}
	for _, q := range [6][4]uint32{{2, 6, 7, 3}, {0, 1, 5, 4}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		for _, t := range [2][3]uint32{{q[0], q[1], q[2]}, {q[0], q[2], q[3]}} {
			l.Triangles = append(l.Triangles, level.Triangle{A: first + t[0], B: first + t[1], C: first + t[2], Material: level.NoMaterial})
		}
	}
}
