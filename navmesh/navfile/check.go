package navfile

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// maxFrame bounds the offset of a frame: beyond 2⁵² units a float64 cannot tell units apart.
const maxFrame = 1 << 52

// checkMesh looks at every number of m that something is indexed with or computed from.
func checkMesh(m *navmesh.Mesh) error {
	for _, v := range []int64{m.Frame.East, m.Frame.North, m.Frame.Up} {
		if v < -maxFrame || v > maxFrame {
			return fmt.Errorf("mesh: frame offset %d is out of range", v)
		}
	}
	for _, v := range []float64{m.Agent.Radius, m.Agent.Height, m.Agent.MaxClimb, m.Agent.MaxSlope} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("mesh: the agent has a measure of %g", v)
		}
	}
	if len(m.Tiles) > navmesh.MaxSlot+1 {
		return fmt.Errorf("mesh: %d tiles, at most %d", len(m.Tiles), navmesh.MaxSlot+1)
	}
	if m.Components < 0 || m.Components > math.MaxInt32 {
		return fmt.Errorf("mesh: %d components", m.Components)
	}
	for i := range m.Links {
		if err := checkLink(&m.Links[i]); err != nil {
			return fmt.Errorf("links: link %d: %w", i, err)
		}
	}
	for i := range m.Tiles {
		t := tileChecker{Tile: &m.Tiles[i], components: uint32(m.Components)}
		if err := t.check(); err != nil {
			return fmt.Errorf("tile %d: %w", i, err)
		}
	}
	return nil
}

func checkLink(l *navmesh.Link) error {
	for _, v := range []lattice.Vertex{l.Start[0], l.Start[1], l.End[0], l.End[1]} {
		if !inFrame(v) {
			return fmt.Errorf("the end %v is outside of the frame", v)
		}
	}
	if c := float64(l.Cost); !(c >= 0) || math.IsInf(c, 0) {
		return fmt.Errorf("its cost is %g", l.Cost)
	}
	return nil
}

func inFrame(v lattice.Vertex) bool {
	in := func(c int32) bool { return -lattice.MaxCoord <= c && c <= lattice.MaxCoord }
	return in(v.X) && in(v.Y) && in(v.Z)
}

// tileChecker checks one tile.
type tileChecker struct {
	*navmesh.Tile
	components uint32
}

func (t tileChecker) check() error {
	for _, f := range []func() error{t.checkHead, t.checkVertices, t.checkLayers, t.checkRegions, t.checkPortals, t.checkPassages} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func (t tileChecker) checkHead() error {
	if t.Generation > navmesh.MaxGeneration || t.Generation == 0 && len(t.Regions) > 0 {
		return fmt.Errorf("generation %d is out of range", t.Generation)
	}
	if len(t.Regions) > navmesh.MaxIndex+1 {
		return fmt.Errorf("%d regions, at most %d", len(t.Regions), navmesh.MaxIndex+1)
	}
	if len(t.Layers) > math.MaxUint16+1 {
		return fmt.Errorf("%d layers, at most %d", len(t.Layers), math.MaxUint16+1)
	}
	const most = math.MaxInt32
	if max(len(t.Vertices), len(t.Corners), len(t.Portals), len(t.Passages)) > most {
		return fmt.Errorf("an array of more than %d elements", most)
	}
	return nil
}

func (t tileChecker) checkVertices() error {
	for i, v := range t.Vertices {
		if !inFrame(v) {
			return fmt.Errorf("vertices: vertex %d is outside of the frame", i)
		}
	}
	for i, c := range t.Corners {
		if int(c) >= len(t.Vertices) {
			return fmt.Errorf("corners: corner %d is vertex %d of %d", i, c, len(t.Vertices))
		}
	}
	return nil
}

func (t tileChecker) checkLayers() error {
	for l := range t.Layers {
		f := &t.Layers[l].Floor
		for i, v := range f.Vertices {
			if !inFrame(v) {
				return fmt.Errorf("floor vertices: layer %d: vertex %d is outside of the frame", l, i)
			}
		}
		for i, tri := range f.Triangles {
			for _, v := range tri {
				if int(v) >= len(f.Vertices) {
					return fmt.Errorf("floor triangles: layer %d: triangle %d has vertex %d of %d", l, i, v, len(f.Vertices))
				}
			}
			if a := f.Vertices; lattice.Orient(a[tri[0]].Point, a[tri[1]].Point, a[tri[2]].Point) <= 0 {
				return fmt.Errorf("floor triangles: layer %d: triangle %d at %v has no positive area", l, i, a[tri[0]].Point)
			}
		}
		if f.Error < 0 {
			return fmt.Errorf("layers: layer %d has a height error of %d", l, f.Error)
		}
	}
	return nil
}

// checkRegions checks that the regions share the corners, portals and passages out among them, in
// order and without a rest.
func (t tileChecker) checkRegions() error {
	var corners, portals, passages uint64
	for i := range t.Regions {
		r := &t.Regions[i]
		switch {
		case r.Count < 3:
			return fmt.Errorf("regions: region %d has %d corners", i, r.Count)
		case uint64(r.First) != corners || uint64(r.FirstPortal) != portals || uint64(r.FirstPassage) != passages:
			return fmt.Errorf("regions: region %d does not begin where the one before it ends", i)
		case int(r.Layer) >= len(t.Layers):
			return fmt.Errorf("regions: region %d is in layer %d of %d", i, r.Layer, len(t.Layers))
		case r.Component >= t.components:
			return fmt.Errorf("regions: region %d is in component %d of %d", i, r.Component, t.components)
		}
		corners += uint64(r.Count)
		portals += uint64(r.PortalCount)
		if r.PortalCount > 1 {
			passages += uint64(r.PortalCount - 1)
		}
	}
	if corners != uint64(len(t.Corners)) || portals != uint64(len(t.Portals)) || passages != uint64(len(t.Passages)) {
		return fmt.Errorf("regions: they have %d corners, %d portals and %d passages; the tile has %d, %d and %d",
			corners, portals, passages, len(t.Corners), len(t.Portals), len(t.Passages))
	}
	return nil
}

func (t tileChecker) checkPortals() error {
	for i := range t.Regions {
		r := &t.Regions[i]
		for n := r.FirstPortal; n < r.FirstPortal+r.PortalCount; n++ {
			p := &t.Portals[n]
			switch {
			case int(p.To) >= len(t.Regions):
				return fmt.Errorf("portals: portal %d leads to region %d of %d", n, p.To, len(t.Regions))
			case p.Edge >= r.Count:
				return fmt.Errorf("portals: portal %d is on edge %d of %d", n, p.Edge, r.Count)
			case int(p.Left) >= len(t.Vertices) || int(p.Right) >= len(t.Vertices):
				return fmt.Errorf("portals: portal %d is between vertices %d and %d of %d", n, p.Right, p.Left, len(t.Vertices))
			case int(p.Back) >= len(t.Portals):
				return fmt.Errorf("portals: portal %d has back portal %d of %d", n, p.Back, len(t.Portals))
			case p.Clearance < 0:
				return fmt.Errorf("portals: portal %d has clearance %d", n, p.Clearance)
			}
			to := &t.Regions[p.To]
			if p.Back < to.FirstPortal || p.Back-to.FirstPortal >= to.PortalCount {
				return fmt.Errorf("portals: portal %d has back portal %d, which is not one of region %d", n, p.Back, p.To)
			}
		}
	}
	return nil
}

func (t tileChecker) checkPassages() error {
	for i := range t.Regions {
		r := &t.Regions[i]
		for n := r.FirstPassage; n+1 < r.FirstPassage+r.PortalCount; n++ {
			p := &t.Passages[n]
			if p.A >= p.B || p.B >= r.PortalCount {
				return fmt.Errorf("passages: passage %d of region %d is from portal %d to %d of %d", n, i, p.A, p.B, r.PortalCount)
			}
			if p.Clearance < 0 {
				return fmt.Errorf("passages: passage %d has clearance %d", n, p.Clearance)
			}
		}
	}
	return nil
}
