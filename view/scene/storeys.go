package scene

import (
	"math"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Storeys tells the storey of a place, as the scene of the same mesh counts storeys. It belongs to one goroutine at a time.
type Storeys struct {
	storeys
	query *query.Query
	first []int // by tile: the number of its first region
}

// NewStoreys prepares the storeys of a mesh. Time as for [Pack] without a level.
func NewStoreys(m *navmesh.Mesh) *Storeys {
	s := &Storeys{storeys: storeysOf(m, draw.MeshShapes(m, lift)), query: query.NewIndex(m).NewQuery()}
	regions := 0
	for i := range m.Tiles {
		s.first = append(s.first, regions)
		regions += len(m.Tiles[i].Regions)
	}
	return s
}

// Region is the storey of a region, counted tile after tile.
func (s *Storeys) Region(number int) uint8 { return s.of[number] }

// At is the storey of the floor nearest to p, mainly below or above it; without floor within 2 m the storey below p.
func (s *Storeys) At(p geom.Vec) uint8 {
	if len(s.heights) < 2 {
		return 0
	}
	if at, ok := s.query.NearestWithin(p, 2, math.Inf(1), 1); ok {
		return s.of[s.first[at.Ref.Slot()]+at.Ref.Index()]
	}
	return s.below(p.Y)
}
