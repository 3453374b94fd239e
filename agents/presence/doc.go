// Package presence knows who is where: which objects stand in which regions of a navigation mesh, which objects collide,
// and who sees or hears what.
//
//	set := presence.New(mesh.Index())
//	err := set.Add(presence.Object{ID: 7, At: at, Radius: 0.4, Height: 1.8})
//	err = set.Move(7, next)       // every tick, for all that move
//	view := set.Publish()         // then once: a picture for all readers
//
//	r := view.NewReader()         // one for each goroutine
//	pairs := r.Collisions()       // each pair once
//	who, err := r.Notice(ctx, presence.Event{At: shot, Sound: 60, Light: 200})
//
// A Set has one writer. A View never changes, so any number of goroutines read views without a lock while the writer
// makes the next one. All answers are in order of ID and do not depend on the history of a Set: equal objects on an equal
// mesh give equal answers.
//
// An object is an upright cylinder. Collisions are decided exactly, on the lattice of the mesh: places, radii and heights are
// rounded to its units of 0.24 mm.
package presence
