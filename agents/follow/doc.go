// Package follow moves along known paths: directly, or pulled by a magnet ahead. It knows points and times only, and
// neither mesh nor search.
//
//	var route follow.Route
//	err := route.Set(path.Points)
//	walker := follow.Walker{Route: &route, Turn: 6}
//	for !walker.Done() {
//		at := walker.Step(dt, speed) // and walker.Heading
//	}
package follow
