package index

// The history of an editor: which boxes changed since when.
//
// Idea: all Indexes of an Editor share one list of boxes. The Editor appends to the list behind the part that any Index
// can see. A long list is dropped but for its end.
//
// Guarantees: an answer of no change is right; Indexes far apart count as changed (TestCorridorEpochs).
//
// Cost: 32 bytes for each replaced region, of the last maxLog to 2·maxLog; a question looks at the changes since then,
// at most maxSince.

import "github.com/meadow-nav/meadow/geom/lattice"

// History stands for an Editor.
type History struct{ _ byte }

const (
	maxLog   = 1 << 12 // boxes kept
	maxSince = 1 << 8  // changes looked at
	maxBoxes = 8       // boxes kept for a change; more count as one
)

// logged is a box that changed.
type logged struct {
	sequence  uint64
	low, high lattice.Point
}

// Era returns the history and the number of the changes that made ix; the history of an Index that is no Editor's work
// is nil.
func (ix *Index) Era() (*History, uint64) { return ix.history, ix.sequence }

// ChangedIn reports whether a change after the given number of changes may have met a box, seen from above.
func (ix *Index) ChangedIn(since uint64, low, high lattice.Point) bool {
	if since < ix.forgotten || since > ix.sequence || ix.sequence-since > maxSince {
		return true
	}
	for i := len(ix.log) - 1; i >= 0 && ix.log[i].sequence > since; i-- {
		if b := &ix.log[i]; b.low.X <= high.X && low.X <= b.high.X && b.low.Y <= high.Y && low.Y <= b.high.Y {
			return true
		}
	}
	return false
}

// log notes the boxes of a change.
func (w *work) log(boxes []Area, links bool) {
	ix := w.next
	ix.sequence++
	if ix.history == nil {
		ix.history = new(History)
	}
	if len(ix.log) >= 2*maxLog {
		ix.forgotten = ix.log[len(ix.log)-maxLog].sequence
		ix.log = append(make([]logged, 0, 2*maxLog+maxBoxes), ix.log[len(ix.log)-maxLog:]...)
	}
	if links {
		ix.log = append(ix.log, logged{
			ix.sequence, lattice.Point{X: -lattice.MaxCoord, Y: -lattice.MaxCoord}, lattice.Point{X: lattice.MaxCoord, Y: lattice.MaxCoord},
		})
	}
	first := len(ix.log)
	for i := range boxes {
		b := &boxes[i]
		l := logged{ix.sequence, lattice.Point{X: b.Low[0], Y: b.Low[1]}, lattice.Point{X: b.High[0], Y: b.High[1]}}
		if len(boxes) <= maxBoxes || i == 0 {
			ix.log = append(ix.log, l)
			continue
		}
		all := &ix.log[first]
		all.low.X, all.low.Y = min(all.low.X, l.low.X), min(all.low.Y, l.low.Y)
		all.high.X, all.high.Y = max(all.high.X, l.high.X), max(all.high.Y, l.high.Y)
	}
}
