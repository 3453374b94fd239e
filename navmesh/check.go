package navmesh

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// maxFrame bounds the offset of a frame: beyond 2⁵² units a float64 cannot tell units apart.
const maxFrame = 1 << 52

// Check verifies the structure of m and returns the first fault as a [Fault]. Readers and writers of
// mesh files refuse a mesh that fails. A mesh that passes may still have geometric faults:
// [Mesh.Warnings] finds the faults of single elements, and [Mesh.Validate] finds all faults.
//
// These statements hold after Check:
//   - Every index is inside its array, and every measure is finite and in its range.
//   - Regions divide the corners, portals and passages of their tile among them, in order and
//     without a rest.
//   - The portals of a region are in the order of their edges.
//   - A portal leads to another region. Its back portal leads back, lies between the same two points,
//     and has the same clearance.
//   - The passages of a region are a tree over its portals.
//   - Every link starts and ends at a region that exists, and links are in the order of the regions where
//     they start.
//   - Component numbers name exactly the parts that portals and links join.
//
// Time O(size of the mesh).
func (m *Mesh) Check() error {
	if m == nil {
		return errNil
	}
	for _, f := range []func() error{m.checkHead, m.checkLinks, m.checkMarks, m.CheckGround} {
		if err := f(); err != nil {
			return err
		}
	}
	for i := range m.Tiles {
		t := tileChecker{Tile: &m.Tiles[i], frame: m.Frame, slot: i, components: m.Components, marks: len(m.Marks), areas: len(m.Areas)}
		for _, f := range []func() error{t.head, t.vertices, t.floors, t.regions, t.portals, t.backs, t.passages, t.marked} {
			if err := f(); err != nil {
				return err
			}
		}
	}
	// Links and components need the regions of all tiles.
	if err := m.checkEnds(); err != nil {
		return err
	}
	return m.checkComponents()
}

func (m *Mesh) checkHead() error {
	for _, v := range []int64{m.Frame.East, m.Frame.North, m.Frame.Up} {
		if v < -maxFrame || v > maxFrame {
			return Fault{Kind: BadPosition, Detail: fmt.Sprintf("mesh: the frame is offset by %d units, at most 2⁵²", v)}
		}
	}
	for _, v := range []float64{m.Agent.Radius, m.Agent.Height, m.Agent.MaxClimb, m.Agent.MaxSlope, m.Agent.MaxGap} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Fault{Kind: BadPosition, Detail: fmt.Sprintf("mesh: the agent has a measure of %g", v)}
		}
	}
	if len(m.Tiles) > MaxSlot+1 {
		return Fault{Kind: BadIndex, Detail: fmt.Sprintf("mesh: %d tiles, at most %d", len(m.Tiles), MaxSlot+1)}
	}
	if m.Components < 0 || m.Components > math.MaxInt32 {
		return Fault{Kind: BadIndex, Detail: fmt.Sprintf("mesh: %d components", m.Components)}
	}
	return nil
}

func (m *Mesh) checkLinks() error {
	for i := range m.Links {
		l := &m.Links[i]
		for _, v := range []lattice.Vertex{l.Start[0], l.Start[1], l.End[0], l.End[1]} {
			if !inFrame(v) {
				return Fault{Kind: BadPosition, Detail: fmt.Sprintf("links: link %d ends at %v, outside of the frame", i, v)}
			}
		}
		if c := float64(l.Cost); !(c >= 0) || math.IsInf(c, 0) {
			return Fault{Kind: BadPosition, Detail: fmt.Sprintf("links: link %d costs %g", i, l.Cost)}
		}
		switch {
		case l.Kind >= linkKinds:
			return Fault{Kind: BadIndex, Detail: fmt.Sprintf("links: link %d is of kind %d of %d", i, l.Kind, linkKinds)}
		case uint64(l.Mark) > uint64(len(m.Marks)):
			return Fault{Kind: BadIndex, Detail: fmt.Sprintf("links: link %d has mark %d of %d", i, int64(l.Mark)-1, len(m.Marks))}
		case l.Clearance < 0:
			return Fault{Kind: BadPosition, Detail: fmt.Sprintf("links: link %d has a clearance of %d", i, l.Clearance)}
		}
	}
	return nil
}

// checkEnds verifies that both regions of every link exist, and that links are in order.
func (m *Mesh) checkEnds() error {
	for i := range m.Links {
		l := &m.Links[i]
		if i > 0 && m.Links[i-1].From > l.From {
			return Fault{
				Kind: LinkOrder, Region: l.From, At: m.Frame.ToWorld(l.Start[0].Point, l.Start[0].Z),
				Detail: fmt.Sprintf("links: link %d starts in a region before that of link %d", i, i-1),
			}
		}
		for k, r := range [2]Ref{l.From, l.To} {
			if _, _, ok := m.Region(r); ok {
				continue
			}
			at := [2]lattice.Vertex{l.Start[0], l.End[0]}[k]
			return Fault{
				Kind: StaleLink, Region: r, At: m.Frame.ToWorld(at.Point, at.Z),
				Detail: fmt.Sprintf("links: link %d ends at a region that does not exist", i),
			}
		}
	}
	return nil
}

// checkComponents verifies that each component number names one part of the mesh.
func (m *Mesh) checkComponents() error {
	p := m.connected()
	if p.count != m.Components {
		return Fault{Kind: BadComponent, Detail: fmt.Sprintf("mesh: there are %d components, the mesh says %d", p.count, m.Components)}
	}
	// The count above bounds Components by the number of regions.
	const unseen = ^uint32(0)
	part := make([]uint32, m.Components)
	number := make([]uint32, len(p.Forest))
	for i := range part {
		part[i] = unseen
	}
	for i := range number {
		number[i] = unseen
	}
	for s := range m.Tiles {
		t := &m.Tiles[s]
		for i := range t.Regions {
			root, c := uint32(p.Find(int32(p.base[s]+i))), t.Regions[i].Component
			if number[root] == unseen {
				number[root] = c
			}
			if part[c] == unseen {
				part[c] = root
			}
			if number[root] == c && part[c] == root {
				continue
			}
			detail := fmt.Sprintf("tile %d: regions: region %d is in component %d like a region that it is not joined to", s, i, c)
			if number[root] != c {
				detail = fmt.Sprintf("tile %d: regions: region %d is in component %d, a region that it is joined to in %d", s, i, c, number[root])
			}
			at := t.Vertices[t.RegionCorners(i)[0]]
			return Fault{Kind: BadComponent, Region: MakeRef(s, i, t.Generation), At: m.Frame.ToWorld(at.Point, at.Z), Detail: detail}
		}
	}
	return nil
}

// maxText bounds the bytes of a name.
const maxText = math.MaxUint16

func (m *Mesh) checkMarks() error {
	for i, k := range m.Marks {
		for _, text := range [2]string{k.Name, k.Kind} {
			if len(text) > maxText || !utf8.ValidString(text) {
				return Fault{Kind: BadText, Detail: fmt.Sprintf("marks: mark %d has a name of %d bytes, at most %d of UTF-8", i, len(text), maxText)}
			}
		}
	}
	return nil
}

func inFrame(v lattice.Vertex) bool {
	in := func(c int32) bool { return -lattice.MaxCoord <= c && c <= lattice.MaxCoord }
	return in(v.X) && in(v.Y) && in(v.Z)
}

// tileChecker checks one tile. The order of its methods matters: later methods index with numbers that earlier methods
// have checked.
type tileChecker struct {
	*Tile
	frame                          lattice.Frame
	slot, components, marks, areas int
}

func (t tileChecker) fault(kind FaultKind, format string, args ...any) error {
	return Fault{Kind: kind, Detail: fmt.Sprintf("tile %d: ", t.slot) + fmt.Sprintf(format, args...)}
}

// faultAt is fault with a region and one of its vertices.
func (t tileChecker) faultAt(kind FaultKind, region int, vertex uint32, format string, args ...any) error {
	at := t.Vertices[vertex]
	return Fault{
		Kind: kind, Region: MakeRef(t.slot, region, t.Generation), At: t.frame.ToWorld(at.Point, at.Z),
		Detail: fmt.Sprintf("tile %d: ", t.slot) + fmt.Sprintf(format, args...),
	}
}

func (t tileChecker) head() error {
	if t.Generation > MaxGeneration || t.Generation == 0 && len(t.Regions) > 0 {
		return t.fault(BadIndex, "generation %d, of 1 to %d", t.Generation, MaxGeneration)
	}
	if len(t.Regions) > MaxIndex+1 {
		return t.fault(BadIndex, "%d regions, at most %d", len(t.Regions), MaxIndex+1)
	}
	if len(t.Layers) > math.MaxUint16+1 {
		return t.fault(BadIndex, "%d layers, at most %d", len(t.Layers), math.MaxUint16+1)
	}
	if n := max(len(t.Vertices), len(t.Corners), len(t.Portals), len(t.Passages)); n > math.MaxInt32 {
		return t.fault(BadIndex, "an array of %d elements", n)
	}
	return nil
}

func (t tileChecker) vertices() error {
	for i, v := range t.Vertices {
		if !inFrame(v) {
			return t.fault(BadPosition, "vertices: vertex %d is outside of the frame", i)
		}
	}
	for i, c := range t.Corners {
		if int(c) >= len(t.Vertices) {
			return t.fault(BadIndex, "corners: corner %d is vertex %d of %d", i, c, len(t.Vertices))
		}
	}
	return nil
}

func (t tileChecker) floors() error {
	for l := range t.Layers {
		f := &t.Layers[l].Floor
		for i, v := range f.Vertices {
			if !inFrame(v) {
				return t.fault(BadPosition, "floor vertices: layer %d: vertex %d is outside of the frame", l, i)
			}
		}
		for i, tri := range f.Triangles {
			for _, v := range tri {
				if int(v) >= len(f.Vertices) {
					return t.fault(BadIndex, "floor triangles: layer %d: triangle %d has vertex %d of %d", l, i, v, len(f.Vertices))
				}
			}
			if v := f.Vertices; lattice.Orient(v[tri[0]].Point, v[tri[1]].Point, v[tri[2]].Point) <= 0 {
				return t.fault(BadShape, "floor triangles: layer %d: triangle %d at %v has no positive area", l, i, v[tri[0]].Point)
			}
		}
		if f.Error < 0 {
			return t.fault(BadPosition, "layers: layer %d has a height error of %d", l, f.Error)
		}
	}
	return nil
}

func (t tileChecker) regions() error {
	var corners, portals, passages uint64
	for i := range t.Regions {
		r := &t.Regions[i]
		switch {
		case r.Count < 3:
			return t.fault(BadShape, "regions: region %d has %d corners", i, r.Count)
		case uint64(r.First) != corners || uint64(r.FirstPortal) != portals || uint64(r.FirstPassage) != passages:
			return t.fault(BadIndex, "regions: region %d does not begin where the one before it ends", i)
		case int(r.Layer) >= len(t.Layers):
			return t.fault(BadIndex, "regions: region %d is in layer %d of %d", i, r.Layer, len(t.Layers))
		case t.areas > 0 && int(r.Area) >= t.areas:
			return t.fault(BadIndex, "regions: region %d is of area %d of %d", i, r.Area, t.areas)
		case int64(r.Component) >= int64(t.components):
			return t.fault(BadIndex, "regions: region %d is in component %d of %d", i, r.Component, t.components)
		}
		corners += uint64(r.Count)
		portals += uint64(r.PortalCount)
		passages += uint64(max(r.PortalCount, 1) - 1)
	}
	if corners != uint64(len(t.Corners)) || portals != uint64(len(t.Portals)) || passages != uint64(len(t.Passages)) {
		return t.fault(BadIndex, "regions: they have %d corners, %d portals and %d passages, the tile has %d, %d and %d",
			corners, portals, passages, len(t.Corners), len(t.Portals), len(t.Passages))
	}
	return nil
}

func (t tileChecker) portals() error {
	for i := range t.Regions {
		r := &t.Regions[i]
		for n := r.FirstPortal; n < r.FirstPortal+r.PortalCount; n++ {
			p := &t.Portals[n]
			switch {
			case int(p.To) >= len(t.Regions):
				return t.fault(BadIndex, "portals: portal %d leads to region %d of %d", n, p.To, len(t.Regions))
			case p.Edge >= r.Count:
				return t.fault(BadIndex, "portals: portal %d is on edge %d of %d", n, p.Edge, r.Count)
			case int(p.Left) >= len(t.Vertices) || int(p.Right) >= len(t.Vertices):
				return t.fault(BadIndex, "portals: portal %d is between vertices %d and %d of %d", n, p.Right, p.Left, len(t.Vertices))
			case p.Clearance < 0:
				return t.fault(BadPosition, "portals: portal %d has a clearance of %d", n, p.Clearance)
			case n > r.FirstPortal && p.Edge < t.Portals[n-1].Edge:
				return t.faultAt(PortalOverlap, i, p.Right, "portals: portal %d on edge %d comes after portal %d on edge %d", n, p.Edge, n-1, t.Portals[n-1].Edge)
			case int(p.To) == i:
				return t.faultAt(PortalMismatch, i, p.Right, "portals: portal %d leads to its own region", n)
			}
			if to := &t.Regions[p.To]; p.Back < to.FirstPortal || p.Back-to.FirstPortal >= to.PortalCount {
				return t.fault(BadIndex, "portals: portal %d has back portal %d, which is not one of region %d", n, p.Back, p.To)
			}
		}
	}
	return nil
}

// backs verifies that the two sides of each portal are the same.
func (t tileChecker) backs() error {
	for i := range t.Regions {
		r := &t.Regions[i]
		for n := r.FirstPortal; n < r.FirstPortal+r.PortalCount; n++ {
			p := &t.Portals[n]
			b := &t.Portals[p.Back]
			if b.To != uint32(i) || b.Back != n {
				return t.faultAt(PortalMismatch, i, p.Right, "portals: portal %d leads to region %d by portal %d, which leads to region %d by portal %d",
					n, p.To, p.Back, b.To, b.Back)
			}
			left, right := t.Vertices[p.Left].Point, t.Vertices[p.Right].Point
			if backLeft, backRight := t.Vertices[b.Left].Point, t.Vertices[b.Right].Point; left != backRight || right != backLeft {
				return t.faultAt(PortalMismatch, i, p.Right, "portals: portal %d is from %v to %v, on the other side from %v to %v", n, right, left, backLeft, backRight)
			}
			if p.Clearance != b.Clearance {
				return t.faultAt(BadClearance, i, p.Right, "portals: portal %d has a clearance of %d units, on the other side of %d", n, p.Clearance, b.Clearance)
			}
		}
	}
	return nil
}

func (t tileChecker) passages() error {
	var joined unionfind.Forest
	for i := range t.Regions {
		r := &t.Regions[i]
		joined = joined.Reset(int(r.PortalCount))
		for n := r.FirstPassage; n+1 < r.FirstPassage+r.PortalCount; n++ {
			p := &t.Passages[n]
			switch {
			case p.A >= p.B || p.B >= r.PortalCount:
				return t.fault(BadIndex, "passages: passage %d of region %d is from portal %d to %d of %d", n, i, p.A, p.B, r.PortalCount)
			case p.Clearance < 0:
				return t.fault(BadPosition, "passages: passage %d of region %d has a clearance of %d", n, i, p.Clearance)
			}
			if !joined.Union(int32(p.A), int32(p.B)) {
				return t.fault(BadPassages, "passages: passage %d of region %d joins portals %d and %d, which are joined already", n, i, p.A, p.B)
			}
		}
	}
	return nil
}

func (t tileChecker) marked() error {
	for i, k := range t.Marked {
		switch {
		case int64(k.Region) >= int64(len(t.Regions)) || int64(k.Mark) >= int64(t.marks):
			return t.fault(BadIndex, "marked: entry %d is region %d of %d in mark %d of %d", i, k.Region, len(t.Regions), k.Mark, t.marks)
		case i > 0 && t.Marked[i-1].compare(k) >= 0:
			return t.fault(BadIndex, "marked: entry %d, region %d in mark %d, is not in order", i, k.Region, k.Mark)
		}
	}
	return nil
}
