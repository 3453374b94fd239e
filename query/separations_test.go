package query

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/lattice"
)

// TestSeparationsAgainstBruteForce takes every region away, floods from each of its portals, and compares
// where it comes to with what the portals say: in all goals of the same part of the mesh.
func TestSeparationsAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 1))
	useless := 0
	for round := range 90 {
		w := newGrid(t, rng, 2+rng.IntN(7), 2+rng.IntN(7), 0.2+0.1*float64(round%3), style(round%int(styles)), lattice.Frame{})
		ix := NewIndex(w.mesh)
		for i := range ix.regions {
			r := &ix.regions[i]
			for k := r.firstPortal; k < r.endPortal; k++ {
				p := &ix.portals[k]
				behind := floodWithout(ix, p.to, uint32(i))
				for goal := range ix.regions {
					if ix.regions[goal].part != r.part {
						continue
					}
					got := p.leads(ix.regions[goal].branch)
					if got != behind[goal] {
						t.Fatalf("world %d: portal %d of region %d leads to region %d: %v, want %v", round, k, i, goal, got, behind[goal])
					}
					if !got && goal != i {
						useless++
					}
				}
			}
		}
	}
	if useless < 1000 {
		t.Errorf("only %d portals and goals of no use", useless)
	}
}

// floodWithout returns which regions portals join to one, without another.
func floodWithout(ix *Index, from, without uint32) []bool {
	in := make([]bool, len(ix.regions))
	in[from] = true
	wait := []uint32{from}
	for len(wait) > 0 {
		r := &ix.regions[wait[len(wait)-1]]
		wait = wait[:len(wait)-1]
		for k := r.firstPortal; k < r.endPortal; k++ {
			if to := ix.portals[k].to; to != without && !in[to] {
				in[to] = true
				wait = append(wait, to)
			}
		}
	}
	return in
}
