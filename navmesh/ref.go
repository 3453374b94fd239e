package navmesh

import "fmt"

// Ref names a region until its tile is replaced: tile slot 24 bits, index 20 bits, generation 20 bits. The zero Ref
// names no region.
type Ref uint64

const (
	indexBits      = 20
	generationBits = 20

	// MaxSlot, MaxIndex and MaxGeneration are the largest parts of a Ref.
	MaxSlot       = 1<<24 - 1
	MaxIndex      = 1<<indexBits - 1
	MaxGeneration = 1<<generationBits - 1
)

// MakeRef returns the Ref of region index in the tile at slot. Generations start at 1; hence no valid Ref is zero.
func MakeRef(slot, index int, generation uint32) Ref {
	return Ref(slot)<<(indexBits+generationBits) | Ref(index)<<generationBits | Ref(generation)
}

// Slot returns the index of the tile in Mesh.Tiles.
func (r Ref) Slot() int { return int(r >> (indexBits + generationBits)) }

// Index returns the index of the region in its tile.
func (r Ref) Index() int { return int(r>>generationBits) & MaxIndex }

// Generation returns the tile generation of r.
func (r Ref) Generation() uint32 { return uint32(r) & MaxGeneration }

// String returns r as slot:index@generation.
func (r Ref) String() string { return fmt.Sprintf("%d:%d@%d", r.Slot(), r.Index(), r.Generation()) }
