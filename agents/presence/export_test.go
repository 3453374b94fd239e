package presence

// Loose reports whether strips list an object: whether the object may leave the air over the floor.
func (v *View) Loose(id ID) bool {
	list := v.bucketsOf(v.find(id))
	return len(list) > 0 && int(list[len(list)-1]) >= len(v.cells)
}
