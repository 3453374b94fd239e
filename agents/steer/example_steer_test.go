package steer_test

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
)

// A traveller walks 10 m to the east, around a stone in its way.
func Example() {
	p := steer.Defaults()
	whiskers := steer.Fan(5, math.Pi/2, p.LookAhead)
	m := steer.Mover{ID: 1, Facing: geom.Vec{X: 1}, Radius: 0.3, Speed: 1.4, Push: 8}
	stone := []steer.Mate{{ID: 2, At: geom.Vec{X: 5, Z: 0.1}, Radius: 0.5}}
	goal := geom.Vec{X: 10}
	const dt = 1.0 / 20
	var feel []steer.Sample
	gap := math.Inf(1)
	for range 200 {
		feel = steer.Feel(feel[:0], &m, whiskers, nil, stone)
		force := steer.Priority(m.Push, steer.Avoid(feel, p.Whiskers), steer.Arrive(&m, goal))
		m.Velocity = m.Drive(force, dt)
		m.At = m.At.Add(m.Velocity.Scale(dt))
		if v := m.Velocity.Norm(); v > 0.1 {
			m.Facing = m.Velocity.Scale(1 / v)
		}
		gap = min(gap, m.At.DistXZ(stone[0].At)-m.Radius-stone[0].Radius)
	}
	fmt.Printf("%.2f m from the goal, %.2f m from the stone\n", m.At.Distance(goal), gap)
	// Output:
	// 0.00 m from the goal, 0.48 m from the stone
}
