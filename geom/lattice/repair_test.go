package lattice

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRepairWithFewChords verifies that chords are condemned alike where few are no edges of the input, and all others
// are looked at for each, and where there are many, and a grid is made.
func TestRepairWithFewChords(t *testing.T) {
	condemned := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 31))
		lines := make([]Line, 2+rng.IntN(3))
		for l := range lines {
			for range 4 + rng.IntN(20) {
				lines[l].Points = append(lines[l].Points, Point{X: rng.Int32N(100), Y: rng.Int32N(100)})
			}
			lines[l].Closed = rng.IntN(2) == 0
		}
		bad := func(few bool) []bool {
			s := newSimplifier(lines, 20)
			for l := range lines {
				s.reduce(l)
			}
			chords := s.chords()
			if few {
				var long []int
				for i := range chords {
					if !chords[i].original() {
						long = append(long, i)
					}
				}
				s.findPassedBy(long, chords)
				s.findContactsOf(long, chords)
			} else {
				index := newGrid(len(chords), func(i int) Box { return chords[i].box }, nil)
				s.findPassed(chords, index)
				s.findContacts(chords, index)
			}
			var out []bool
			for i := range chords {
				out = append(out, chords[i].bad)
			}
			return out
		}
		few, many := bad(true), bad(false)
		if slices.Contains(few, true) != slices.Contains(many, true) {
			t.Fatalf("seed %d: condemned are %v, with a grid %v", seed, few, many)
		}
		// Of two contacts either may go first, so only the rest must agree.
		if slices.Contains(few, true) {
			condemned++
		}
	}
	if condemned < 50 {
		t.Errorf("only %d tries with chords that are condemned", condemned)
	}
}
