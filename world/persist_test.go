package world

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestVector keeps copies of a vector between random changes, and compares each with a plain list.
func TestVector(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 7, 8, 9, 511, 512, 513, 3000} {
		v, plain := newVector[int](n), make([]int, n)
		type copied struct {
			v     vector[int]
			plain []int
		}
		all := []copied{{v, slices.Clone(plain)}}
		for version := range 40 {
			e := v.edit()
			for k := range rng.IntN(20) {
				i := rng.IntN(n)
				if k%4 == 0 && i > 0 {
					i-- // often the same page again
				}
				e.set(uint32(i), 100*version+k)
				plain[i] = 100*version + k
				if got := *e.at(uint32(i)); got != plain[i] {
					t.Fatalf("%d values: %d at %d while changing, want %d", n, got, i, plain[i])
				}
			}
			v = e.vector
			all = append(all, copied{v, slices.Clone(plain)})
		}
		for version, c := range all {
			for i, want := range c.plain {
				if got := *c.v.at(uint32(i)); got != want {
					t.Fatalf("%d values, version %d: %d at %d, want %d", n, version, got, i, want)
				}
			}
		}
	}
}

// TestVectorShares changes one value of a large vector: all but one page and one block are shared.
func TestVectorShares(t *testing.T) {
	const n = 10000
	v := newVector[int](n)
	e := v.edit()
	for i := range uint32(n) {
		e.set(i, int(i))
	}
	before := e.vector
	e = before.edit()
	e.set(5000, -1)
	block, first := e.blocks[5000/pageSize/blockSize], e.at(5000)
	e.set(5001, -2)
	if e.blocks[5000/pageSize/blockSize] != block || e.at(5000) != first {
		t.Error("the second change copies again")
	}
	blocks, pages := 0, 0
	for b := range before.blocks {
		if before.blocks[b] != e.blocks[b] {
			blocks++
		}
		for p := range before.blocks[b] {
			if before.blocks[b][p] != e.blocks[b][p] {
				pages++
			}
		}
	}
	if blocks != 1 || pages != 1 {
		t.Errorf("%d blocks and %d pages are copies, want one of each", blocks, pages)
	}
}
