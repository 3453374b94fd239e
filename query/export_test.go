package query

// Rough returns the number of rough portals of an Index.
func Rough(ix *Index) int { return len(ix.geo.Rough) }
