package navfile

import (
	"bytes"
	"context"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// sample is a mesh of two regions on one floor, with a link between them.
func sample(t testing.TB) *navmesh.Mesh {
	t.Helper()
	square := func(x0, x1 int32) plan.Cell {
		var c plan.Cell
		for _, p := range []lattice.Point{{X: x0}, {X: x1}, {X: x1, Y: 10}, {X: x0, Y: 10}} {
			c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
		}
		return c
	}
	floor := lattice.TIN{
		Vertices:  []lattice.Vertex{{Z: 1}, {Point: lattice.Point{X: 40}, Z: 2}, {Point: lattice.Point{X: 0, Y: 40}, Z: -3}},
		Triangles: [][3]uint32{{0, 1, 2}},
		Error:     7,
	}
	p := &plan.Plan{
		Frame: lattice.Frame{East: 1 << 40, North: -5, Up: 12},
		Agent: geom.Agent{}.WithDefaults(),
		Layers: []plan.Layer{
			{Domains: []plan.Domain{{Polygon: lattice.Polygon{Rings: []lattice.Ring{{{X: 0}, {X: 10}, {X: 10, Y: 10}, {X: 0, Y: 10}}}}, Area: 3}}, Floor: floor},
			{},
		},
	}
	m, _, err := join.Build(context.Background(), p, [][][]plan.Cell{{{square(0, 5), square(5, 10)}}, {}}, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m.Links = []navmesh.Link{{
		From: navmesh.MakeRef(0, 0, 1), To: navmesh.MakeRef(0, 1, 1),
		Start: [2]lattice.Vertex{{Z: 4}, {Point: lattice.Point{X: 1}}}, End: [2]lattice.Vertex{{Point: lattice.Point{Y: 9}, Z: -1}, {}},
		Kind: navmesh.Ladder, Flags: 5, Cost: 1.5, Mark: 2, Clearance: 9,
	}}
	m.Marks = []navmesh.Mark{{Kind: "door", Flags: 1 << 9}, {Name: "Leiter überm Hof", Kind: "ladder"}, {}}
	m.Tiles[0].Marked = []navmesh.Marked{{Region: 0, Mark: 2}, {Region: 1, Mark: 0}, {Region: 1, Mark: 2}}
	m.Areas = []string{"grass", "road", "Gehweg", "mud"}
	m.Methods = []navmesh.Method{
		{Name: "walk", Costs: []float32{1, 2, 1, 3}, Speeds: []float32{1.5, 1.5, 0, 0.5}, Crossings: []uint32{0, 1}},
		{Name: "drive", Costs: []float32{float32(math.Inf(1)), 1, float32(math.Inf(1)), float32(math.Inf(1))}, Speeds: make([]float32, 4)},
	}
	m.Crossings = []navmesh.Crossing{{Name: "hop", From: 1, To: 2, Cost: 2.5, Mark: 2}, {Name: "wade", From: 3, To: 0, Mark: 1}}
	return m
}

func encode(t testing.TB, m *navmesh.Mesh) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	noted := sample(t)
	noted.Record = []byte("note")
	for name, m := range map[string]*navmesh.Mesh{
		"sample": sample(t),
		"record": noted,
		"empty":  {},
		"tile":   {Tiles: []navmesh.Tile{{}, {Generation: 3}}},
	} {
		data := encode(t, m)
		got, err := Read(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if again := encode(t, got); !bytes.Equal(data, again) {
			t.Errorf("%s: written again, the bytes differ", name)
		}
	}
}

// TestReadsVersion3 reads testdata/version3.mesh, the sample as the program wrote it before agents had a gap.
func TestReadsVersion3(t *testing.T) {
	data, err := os.ReadFile("testdata/version3.mesh")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	want := sample(t)
	want.Agent.MaxGap = geom.LeastGap
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if data = encode(t, got); le.Uint32(data[8:]) != Version {
		t.Errorf("written again with version %d", le.Uint32(data[8:]))
	}
	// The mesh of one version in a file of another.
	for _, version := range []uint32{gapless, Version + 1, gapless - 1} {
		bad := bytes.Clone(data)
		le.PutUint32(bad[8:], version)
		if _, err := Decode(resign(bad)); err == nil {
			t.Errorf("version %d with a gap: no error", version)
		}
	}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	m := sample(t)
	m.Record = []byte("note")
	data := encode(t, m)
	for i := range data {
		for bit := range 8 {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << bit
			if _, err := Decode(bad); err == nil {
				t.Errorf("bit %d of byte %d: no error", bit, i)
			}
		}
	}
}

func TestEveryTruncationIsFound(t *testing.T) {
	data := encode(t, sample(t))
	for n := range data {
		if _, err := Read(bytes.NewReader(data[:n])); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(data))
		}
	}
	if _, err := Read(bytes.NewReader(append(data, 0))); err == nil {
		t.Error("a byte too many: no error")
	}
}
