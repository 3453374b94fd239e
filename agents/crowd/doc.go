// Package crowd moves thousands of agents over a mesh: each walks a shortest path to its goal and keeps clear of the others.
//
//	c, err := crowd.New(crowd.Options{}, mesh.Index())
//	err = c.Add(crowd.Spec{ID: 7, At: door, Speed: 1.4})
//	err = c.Goal(7, exit)
//	for range ticks {
//		err = c.Step(1.0 / 20)
//		for a := range c.Agents() {
//			draw(a.ID, a.At, a.Velocity)
//		}
//	}
//
// A Crowd is a function of its calls: the same calls give the same bits on every machine, for any number of goroutines, and
// for any order in which agents of the same ids are added between two steps.
package crowd
