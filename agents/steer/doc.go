// Package steer holds the behaviours of travellers, as plain functions over plain values: each takes what a traveller knows and
// returns a force, a horizontal acceleration in metres a second squared. Callers keep all state.
//
//	feel = steer.Feel(feel[:0], &m, whiskers, walls, mates)
//	force := steer.Priority(m.Push,
//		steer.Avoid(feel, p.Whiskers),
//		steer.Separation(&m, mates, 0.5, p.Separate),
//		steer.Arrive(&m, goal))
//	m.Velocity = m.Drive(force, dt)
//	at, m.Velocity, bumped, err = steer.Slide(q, at, m.Velocity, dt)
//
// Forces are combined by weight, [Sum], or by importance, [Priority]. [Slide] keeps travellers on the mesh, whatever the forces
// say. [Patience] leads a blocked traveller from noise over a new plan to panic.
//
// Those who only follow a path need no forces: a [Trail] walks over the mesh along the bends of a path, a [Walker] along a
// [Route] without a mesh, and a [Magnet] pulls along a Route.
//
// All results have the same bits on every machine: products are rounded before they are added, and no function but the square
// root is used from package math. Nothing allocates but the layouts of whiskers.
//
// Distances are in metres, times in seconds, angles in radians; heights do not count.
package steer
