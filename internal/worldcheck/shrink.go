package worldcheck

import (
	"slices"

	"github.com/meadow-nav/meadow/world"
	"github.com/meadow-nav/meadow/world/script"
)

// Shrink returns the changes that a fault needs: first the history goes, see [Settled], then whole changes go, in ever smaller groups, then single edits of
// batches, as long as fails reports the fault. fails runs changes on a new world; it is called at most most times. Edits
// that lose their thing are left out beforehand, see [Apt].
func Shrink(changes [][]world.Edit, most int, fails func(changes [][]world.Edit) bool) [][]world.Edit {
	try := func(smaller [][]world.Edit) ([][]world.Edit, bool) {
		if most--; most < 0 {
			return nil, false
		}
		smaller = Apt(smaller)
		return smaller, fails(smaller)
	}
	if settled, ok := try([][]world.Edit{Settled(changes)}); ok {
		changes = settled
	}
	for size := (len(changes) + 1) / 2; size >= 1; size /= 2 {
		for at := 0; at < len(changes); {
			if smaller, ok := try(slices.Concat(changes[:at], changes[min(at+size, len(changes)):])); ok {
				changes = smaller
			} else {
				at += size
			}
		}
	}
	for i := 0; i < len(changes); i++ {
		for size := len(changes[i]) / 2; size >= 1; size /= 2 {
			for at := 0; i < len(changes) && at < len(changes[i]); {
				smaller := slices.Clone(changes)
				smaller[i] = slices.Delete(slices.Clone(changes[i]), at, min(at+size, len(changes[i])))
				if smaller, ok := try(smaller); ok {
					changes = smaller
				} else {
					at += size
				}
			}
		}
	}
	return changes
}

// Settled returns one change that leads to the same things and marks as changes of a world without things.
func Settled(changes [][]world.Edit) []world.Edit {
	var out []world.Edit
	drop := func(id world.ID) {
		out = slices.DeleteFunc(out, func(e world.Edit) bool { return id != "" && script.IDOf(e) == id })
	}
	for _, edits := range Apt(changes) {
		for _, e := range edits {
			drop(script.IDOf(e))
			switch e := e.(type) {
			case world.Move:
				out = append(out, world.Put(e))
			case world.Repaint:
				out = append(out, world.Paint(e))
			case world.Take:
			default:
				out = append(out, e)
			}
		}
	}
	return out
}

// Apt returns changes without the edits that a world would refuse because a thing is missing or there already, and
// without changes that are empty then.
func Apt(changes [][]world.Edit) [][]world.Edit {
	const gone, isObstacle, isModifier, isLink = 0, 1, 2, 3
	things := map[world.ID]int{}
	var out [][]world.Edit
	for _, edits := range changes {
		var kept []world.Edit
		for _, e := range edits {
			id := script.IDOf(e)
			sort, ok := things[id], true
			switch e.(type) {
			case world.Put:
				ok = sort == gone
				sort = max(sort, isObstacle)
			case world.Paint:
				ok = sort == gone
				sort = max(sort, isModifier)
			case world.Connect:
				ok = sort == gone
				sort = max(sort, isLink)
			case world.Move:
				ok = sort == isObstacle
			case world.Repaint:
				ok = sort == isModifier
			case world.Take:
				ok = sort != gone
				sort = gone
			}
			if ok {
				kept = append(kept, e)
				things[id] = sort
			}
		}
		if len(kept) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

// Script returns changes as a script, with the question that shows a fault behind them.
func Script(changes [][]world.Edit, f Fault) script.Script {
	var s script.Script
	for _, edits := range changes {
		s = append(s, script.Command{Do: script.Apply{Edits: edits, Batch: len(edits) != 1}})
	}
	return append(s, f.Ask...)
}
