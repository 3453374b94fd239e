package navmesh_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

func TestRef(t *testing.T) {
	for _, r := range []struct {
		slot, index int
		generation  uint32
		text        string
	}{
		{0, 0, 1, "0:0@1"},
		{7, 12, 3, "7:12@3"},
		{navmesh.MaxSlot, navmesh.MaxIndex, navmesh.MaxGeneration, "16777215:1048575@1048575"},
		{navmesh.MaxSlot, 0, 1, "16777215:0@1"},
		{0, navmesh.MaxIndex, 1, "0:1048575@1"},
	} {
		ref := navmesh.MakeRef(r.slot, r.index, r.generation)
		if ref.Slot() != r.slot || ref.Index() != r.index || ref.Generation() != r.generation || ref.String() != r.text {
			t.Errorf("%+v became %v", r, ref)
		}
	}
}

func TestRegion(t *testing.T) {
	m := good(t)
	for name, ref := range map[string]navmesh.Ref{
		"zero": 0, "next slot": navmesh.MakeRef(1, 0, 1), "next index": navmesh.MakeRef(0, 7, 1), "next generation": navmesh.MakeRef(0, 0, 2),
	} {
		if _, _, ok := m.Region(ref); ok {
			t.Errorf("%s: there is a region %v", name, ref)
		}
	}
	tile, r, ok := m.Region(navmesh.MakeRef(0, 6, 1))
	if !ok || tile != &m.Tiles[0] || r.Layer != 1 || m.RegionCount() != 7 {
		t.Errorf("%v, %+v of %d regions", ok, r, m.RegionCount())
	}
}

func TestMeasures(t *testing.T) {
	m := good(t)
	m.Frame = lattice.Frame{East: 4096, North: 8192, Up: -4096}
	const u = lattice.Unit
	want := geom.Box{Min: geom.Vec{X: 1, Y: -1, Z: -2 - 40*u}, Max: geom.Vec{X: 1 + 120*u, Y: -1 + 100*u, Z: -2}}
	if got := m.Bounds(); got != want {
		t.Errorf("bounds %v, want %v", got, want)
	}
	if got, want := m.Area(), 7*400*u*u; got != want {
		t.Errorf("area %g, want %g", got, want)
	}
	if got, ok := m.Center(navmesh.MakeRef(0, 6, 1)); !ok || got != (geom.Vec{X: 1 + 70*u, Y: -1 + 100*u, Z: -2 - 10*u}) {
		t.Errorf("centre %v, %v", got, ok)
	}
	if _, ok := m.Center(navmesh.MakeRef(0, 7, 1)); ok {
		t.Error("a region that does not exist has a centre")
	}
	empty := &navmesh.Mesh{}
	if !empty.Bounds().IsEmpty() || empty.Area() != 0 {
		t.Errorf("empty mesh: %v, %g", empty.Bounds(), empty.Area())
	}
}

// ref names a region of the only tile.
func ref(i int) navmesh.Ref { return navmesh.MakeRef(0, i, 1) }

// link returns a link between the first corners of two regions.
func link(m *navmesh.Mesh, from, to navmesh.Ref) navmesh.Link {
	at := func(r navmesh.Ref) [2]lattice.Vertex {
		t, _, _ := m.Region(r)
		v := t.Vertices[t.RegionCorners(r.Index())[0]]
		return [2]lattice.Vertex{v, v}
	}
	return navmesh.Link{From: from, To: to, Start: at(from), End: at(to), Flags: navmesh.Jump.Flag()}
}

// TestConnect checks that links join components in either direction, and that stale links do not.
func TestConnect(t *testing.T) {
	m := good(t)
	if m.Components != 2 || m.Tiles[0].Regions[5].Component != 1 {
		t.Fatalf("%d components, the far region is in %d", m.Components, m.Tiles[0].Regions[5].Component)
	}
	m.Links = []navmesh.Link{{From: navmesh.MakeRef(0, 5, 1), To: navmesh.MakeRef(0, 0, 2)}}
	if m.Connect(); m.Components != 2 {
		t.Errorf("a stale link joins: %d components", m.Components)
	}
	m.Links[0] = link(m, ref(5), ref(0))
	if m.Connect(); m.Components != 1 || m.Tiles[0].Regions[5].Component != 0 {
		t.Errorf("%d components with a link", m.Components)
	}
	// Two tiles, joined by a link: components are numbered through.
	two := good(t)
	two.Tiles = append(two.Tiles, good(t).Tiles[0], navmesh.Tile{})
	if two.Connect(); two.Components != 4 || two.Tiles[1].Regions[0].Component != 2 || two.Tiles[1].Regions[5].Component != 3 {
		t.Errorf("%d components in two tiles", two.Components)
	}
	two.Links = []navmesh.Link{link(two, navmesh.MakeRef(1, 5, 1), ref(5))}
	if two.Connect(); two.Components != 3 || two.Tiles[1].Regions[5].Component != 1 {
		t.Errorf("%d components in two joined tiles", two.Components)
	}
	for _, f := range two.Validate() {
		t.Error(f)
	}
}

// TestValidateStops checks that a thoroughly damaged mesh does not keep Validate busy for long.
func TestValidateStops(t *testing.T) {
	m := good(t)
	tile := &m.Tiles[0]
	for range 200 {
		r := tile.Regions[5]
		r.First, r.FirstPortal, r.FirstPassage = uint32(len(tile.Corners)), uint32(len(tile.Portals)), uint32(len(tile.Passages))
		tile.Corners = append(tile.Corners, tile.RegionCorners(5)...)
		tile.Regions = append(tile.Regions, r)
	}
	m.Connect()
	if n := len(m.Validate()); n != navmesh.MaxFaults {
		t.Errorf("%d faults, want %d", n, navmesh.MaxFaults)
	}
}

// TestValidateNeverFails changes numbers of a good mesh at random, a few at a time.
func TestValidateNeverFails(t *testing.T) {
	found := 0
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		m := good(t)
		for range 1 + rng.IntN(4) {
			damage(rng, m)
		}
		if faults := m.Validate(); len(faults) > 0 {
			found++
		}
	}
	if found < 2000 {
		t.Errorf("faults in only %d of 4000 damaged meshes", found)
	}
}

// damage changes one number of a mesh.
func damage(rng *rand.Rand, m *navmesh.Mesh) {
	t := &m.Tiles[0]
	// Small numbers are likely to be in range and to act as wrong references.
	number := func() uint32 {
		if rng.IntN(8) == 0 {
			return rng.Uint32()
		}
		return rng.Uint32N(24)
	}
	coordinate := func() int32 {
		if rng.IntN(8) == 0 {
			return rng.Int32N(2*lattice.MaxCoord) - lattice.MaxCoord
		}
		return rng.Int32N(130)
	}
	switch rng.IntN(12) {
	case 0:
		t.Vertices[rng.IntN(len(t.Vertices))] = lattice.Vertex{Point: lattice.Point{X: coordinate(), Y: coordinate()}, Z: coordinate()}
	case 1:
		t.Corners[rng.IntN(len(t.Corners))] = number()
	case 2:
		p := &t.Portals[rng.IntN(len(t.Portals))]
		*[]*uint32{&p.To, &p.Edge, &p.Left, &p.Right, &p.Back}[rng.IntN(5)] = number()
	case 3:
		p, q := &t.Portals[rng.IntN(len(t.Portals))], &t.Portals[rng.IntN(len(t.Portals))]
		*p, *q = *q, *p
	case 4:
		p := &t.Portals[rng.IntN(len(t.Portals))]
		p.LeftCorner, p.Clearance = rng.IntN(2) == 0, int32(number())
	case 5:
		r := &t.Regions[rng.IntN(len(t.Regions))]
		*[]*uint32{&r.First, &r.Count, &r.FirstPortal, &r.PortalCount, &r.FirstPassage, &r.Component}[rng.IntN(6)] = number()
	case 6:
		t.Regions[rng.IntN(len(t.Regions))].Layer = uint16(rng.IntN(3))
	case 7:
		t.Passages[rng.IntN(len(t.Passages))] = navmesh.Passage{A: number(), B: number(), Clearance: int32(number())}
	case 8:
		f := &t.Layers[rng.IntN(2)].Floor
		f.Vertices[rng.IntN(4)] = lattice.Vertex{Point: lattice.Point{X: coordinate(), Y: coordinate()}, Z: coordinate()}
	case 9:
		t.Layers[rng.IntN(2)].Floor.Triangles[rng.IntN(2)][rng.IntN(3)] = number()
	case 10:
		m.Components = int(int32(number()))
	case 11:
		m.Links = append(m.Links, navmesh.Link{From: navmesh.Ref(rng.Uint64()), To: navmesh.MakeRef(0, rng.IntN(7), 1), Cost: math.Float32frombits(rng.Uint32())})
	case 12:
		t.Marked = append(t.Marked, navmesh.Marked{Region: number(), Mark: number()})
	}
}
