// Package footprints finds ways around travellers as Brand does: travellers draw footprints on a graph that is made finer
// under the footprints. A [Field] is the published way, which divides polygons again and again. [Sectors] are
// the alternative of the source's section 8.3.2, which switches whole blocks of a reference grid.
//
//	f, err := footprints.New(polygons, links, footprints.Options{})
//	t := f.NewTraveller()
//	way, err := t.Find(ctx, now, from, to, others)  // the others draw footprints, and the way is locked
//	err = t.Walk(now, at)                           // polygons behind the traveller are unlocked
//	t.Stop(now)
//	f.Clean(now)                                    // divisions that nobody has needed for a while go
package footprints
