package markers

import (
	"context"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// halves is a floor of 4 × 2 m that two tiles cut in the middle, and a small part beside.
func halves() *plan.Plan {
	const m = lattice.UnitsPerMetre
	square := func(x0, x1, y1 int32, east, west plan.ChainID) plan.Domain {
		return plan.Domain{
			Polygon: lattice.Polygon{Rings: []lattice.Ring{{{X: x0}, {X: x1}, {X: x1, Y: y1}, {X: x0, Y: y1}}}},
			Edges:   [][]plan.ChainID{{plan.Wall, east, plan.Wall, west}}, Heights: [][]int32{{0, 0, 0, 0}},
		}
	}
	p := &plan.Plan{
		Agent:      geom.Agent{Radius: 0.1}.WithDefaults(),
		Layers:     []plan.Layer{{Domains: []plan.Domain{square(0, 2*m, 2*m, 0, plan.Wall), square(2*m, 4*m, 2*m, plan.Wall, 0), square(5*m, 6*m, m, plan.Wall, plan.Wall)}}},
		Chains:     []plan.Chain{{Kind: plan.TileCut, Points: []lattice.Point{{X: 2 * m}, {X: 2 * m, Y: 2 * m}}, Right: plan.DomainID{Domain: 1}}},
		Components: 2,
	}
	p.Layers[0].Domains[2].Component = 1
	return p
}

func cube(kind string, x0, x1, y0, y1 float64) level.Marker {
	m := level.Marker{Name: "m", Kind: kind}
	for k := range 8 {
		x, y := x0, y0
		if k&1 == 1 {
			x = x1
		}
		if k>>1&1 == 1 {
			y = y1
		}
		m.Hull = append(m.Hull, geom.FromGround(x, y, 2*float64(k>>2)-0.5))
	}
	return m
}

// TestJoinUnitesCuts asks for the places near a volume over a cut: the two halves are one place, and points belong to their own domains.
func TestJoinUnitesCuts(t *testing.T) {
	p := halves()
	list := []level.Marker{cube("jump", 1.5, 5.5, 0.2, 0.8)}
	w := newWork(p)
	w.take(0, &list[0])
	if places, err := w.places(&w.volumes[0]); err != nil || len(places) != 3 {
		t.Fatalf("%d places, error %v", len(places), err)
	}
	w.floors = newCutFloors(p)
	places, err := w.places(&w.volumes[0])
	if err != nil || len(places) != 2 {
		t.Fatalf("%d places, error %v", len(places), err)
	}
	const m = lattice.UnitsPerMetre
	for x, want := range map[int32]int32{m: 0, 3 * m: 1} {
		if id := w.owner(&places[0], lattice.Point{X: x, Y: m}); id.Domain != want {
			t.Errorf("the point at %d m is in domain %d, want %d", x/m, id.Domain, want)
		}
	}
	left, outcomes, kept, err := Join(context.Background(), p, list, nil, floorplan.Options{}, nil)
	if err != nil || len(left.Links) == 0 || len(left.Layers[0].Domains) != 3 || !kept[0] || !kept[1] || outcomes[0].Links != len(left.Links) {
		t.Errorf("links %v, outcomes %v, kept %v, error %v", left.Links, outcomes, kept, err)
	}
}

// TestJoinKeeps chooses parts of a joined plan. Noise goes unlisted, and a place on noise is on no floor.
func TestJoinKeeps(t *testing.T) {
	ctx := context.Background()
	left, _, kept, err := Join(ctx, halves(), nil, nil, floorplan.Options{}, nil)
	if err != nil || !kept[0] || kept[1] || len(left.Dropped) != 1 || len(left.Layers[0].Domains) != 2 {
		t.Errorf("kept %v, dropped %v, error %v", kept, left.Dropped, err)
	}
	left, _, kept, err = Join(ctx, halves(), nil, nil, floorplan.Options{KeepAll: true}, []bool{false, true})
	if err != nil || !kept[0] || kept[1] || len(left.Dropped) != 0 {
		t.Errorf("kept %v, dropped %v, error %v", kept, left.Dropped, err)
	}
	on := floorplan.Options{Keep: []geom.Vec{geom.FromGround(5.5, 0.5, 0.1)}}
	if _, _, _, err := Join(ctx, halves(), nil, nil, on, []bool{false, true}); err == nil || !strings.Contains(err.Error(), "on no part") {
		t.Errorf("error %v", err)
	}
	if _, _, kept, err = Join(ctx, halves(), nil, nil, on, nil); err != nil || kept[0] || !kept[1] {
		t.Errorf("kept %v, error %v", kept, err)
	}
}

// TestCutLists cuts a tile along doors and areas, and names their markers; links and starts cut nothing.
func TestCutLists(t *testing.T) {
	list := []level.Marker{cube("ladder", 0, 1, 0, 1), cube("lawn", 1, 3, 0.5, 1), cube("start", 0, 1, 0, 1), cube("door", 90, 91, 0, 1), cube("door", 0.5, 1.5, -1, 3)}
	p := halves()
	p.Layers[0].Domains[0].Edges[0][1], p.Layers[0].Domains[1].Edges[0][3], p.Chains = plan.Wall, plan.Wall, nil
	cut, markers, warnings, err := Cut(context.Background(), p, list)
	if err != nil || len(warnings) != 0 || len(cut.Links) != 0 {
		t.Fatalf("links %v, warnings %v, error %v", cut.Links, warnings, err)
	}
	if len(markers) != 2 || markers[0] != 1 || markers[1] != 4 || !cut.Marks[1].Door || cut.Marks[0].Door {
		t.Errorf("marks %v of markers %v", cut.Marks, markers)
	}
	if _, _, _, err := Cut(context.Background(), cut, list); err == nil {
		t.Error("a second cut is no error")
	}
	if _, _, _, err := Join(context.Background(), halves(), list, []int{0}, floorplan.Options{}, nil); err == nil || !strings.Contains(err.Error(), "no door") {
		t.Errorf("the mark of a ladder: %v", err)
	}
}
