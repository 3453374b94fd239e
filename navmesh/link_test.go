package navmesh_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/navmesh"
)

func TestLinksFrom(t *testing.T) {
	m := good(t)
	m.Links = []navmesh.Link{link(m, ref(0), ref(5)), link(m, ref(2), ref(1)), link(m, ref(2), ref(5)), link(m, ref(6), ref(0))}
	for r, want := range []int{1, 0, 2, 0, 0, 0, 1, 0} {
		got := m.LinksFrom(ref(r))
		if len(got) != want {
			t.Errorf("region %d: %d links, want %d", r, len(got), want)
		}
		for _, l := range got {
			if l.From != ref(r) {
				t.Errorf("region %d: a link from %v", r, l.From)
			}
		}
	}
}

func TestMarks(t *testing.T) {
	m := good(t)
	m.Marks = []navmesh.Mark{{Name: "front", Kind: "door"}, {Name: "Door", Kind: "area"}, {Kind: "ladder"}}
	m.Tiles[0].Marked = []navmesh.Marked{{Region: 1, Mark: 0}, {Region: 1, Mark: 2}, {Region: 4, Mark: 1}}
	if f := m.Validate(); f != nil {
		t.Error(f)
	}
	for name, want := range map[string][]int{"door": {0, 1}, "FRONT": {0}, "ladder": {2}, "": {2}, "gate": nil} {
		got, err := m.MarksCalled(name)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, error %v, want %v", name, got, err, want)
		}
		if err != nil && !(strings.Contains(err.Error(), `"gate"`) && strings.Contains(err.Error(), `"front", "door", "Door"`)) {
			t.Errorf("error %q does not say what was asked for and what there is", err)
		}
	}
	if _, err := (&navmesh.Mesh{}).MarksCalled("gate"); err == nil || !strings.Contains(err.Error(), "no marks") {
		t.Errorf("a mesh without marks: error %v", err)
	}
	for region, want := range []int{0, 2, 0, 0, 1, 0} {
		if got := m.Tiles[0].MarksOf(region); len(got) != want {
			t.Errorf("region %d: %v", region, got)
		}
	}
}

func TestKindsHaveNamesAndFlags(t *testing.T) {
	seen := map[string]bool{}
	flags := uint32(navmesh.DefaultFlags)
	for k := navmesh.Jump; k <= navmesh.Boundary; k++ {
		if seen[k.String()] || flags&k.Flag() != 0 {
			t.Errorf("%v, flag %b is taken", k, k.Flag())
		}
		seen[k.String()] = true
		flags |= k.Flag()
	}
	if (navmesh.Boundary+1).String() != "link" || flags != 1<<9-1 {
		t.Errorf("%v, %b", navmesh.Boundary+1, flags)
	}
}

// TestWithout closes portals from both sides. The rest must be a good tile, except for the missing portals; without
// closed portals the tile is unchanged.
func TestWithout(t *testing.T) {
	m := good(t)
	tile := &m.Tiles[0]
	before := slices.Clone(tile.Portals)
	open := tile.Without(make([]bool, len(tile.Portals)))
	if !slices.Equal(open.Portals, tile.Portals) || !slices.Equal(open.Regions, tile.Regions) {
		t.Error("without any closed it is not the same")
	}
	for shut := range tile.Portals {
		closed := make([]bool, len(tile.Portals))
		closed[shut] = true
		out := tile.Without(closed)
		if len(out.Portals) != len(tile.Portals)-2 {
			t.Errorf("portal %d closed: %d portals of %d", shut, len(out.Portals), len(tile.Portals))
		}
		corners := slices.Clone(out.Portals)
		out.Portals = slices.Clone(out.Portals)
		out.Derive()
		for i, p := range out.Portals {
			if p.LeftCorner != corners[i].LeftCorner || p.RightCorner != corners[i].RightCorner {
				t.Errorf("portal %d closed: the corners of portal %d are %v and %v, must be %v and %v",
					shut, i, corners[i].LeftCorner, corners[i].RightCorner, p.LeftCorner, p.RightCorner)
			}
		}
		rest := navmesh.Mesh{Frame: m.Frame, Agent: m.Agent, Tiles: []navmesh.Tile{out}}
		rest.Connect()
		for _, f := range rest.Validate() {
			if f.Kind != navmesh.PortalMissing {
				t.Errorf("portal %d closed: %v", shut, f)
			}
		}
	}
	if !slices.Equal(before, tile.Portals) {
		t.Error("the tile itself has changed")
	}
}
