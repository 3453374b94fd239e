package join

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// terraces is a floor of 40 columns of cells 100 units wide, and another floor behind, of 25 columns of 160 units. Both
// are 4000 units long, with a gap of 1000 between them.
func terraces() world {
	row := func(y, wide int32) (plan.Domain, []plan.Cell) {
		d := walled(pts(0, y, 4000, y, 4000, y+1000, 0, y+1000))
		var list []plan.Cell
		for x := int32(0); x < 4000; x += wide {
			list = append(list, cell(x, y, x+wide, y, x+wide, y+1000, x, y+1000))
		}
		return d, list
	}
	a, cellsA := row(0, 100)
	b, cellsB := row(2000, 160)
	w := single(a, cellsA...)
	w.plan.Layers[0].Domains = append(w.plan.Layers[0].Domains, b)
	w.cells[0] = append(w.cells[0], cellsB)
	w.plan.Marks = []plan.Mark{{Name: "edge", Kind: "drop"}, {Name: "hatch", Kind: "door", Door: true}, {Kind: "mud"}}
	return w
}

// TestLinksMeetTheirRegions divides random links among the regions of both of their ends. The parts must be in their
// regions, cover the whole link, and cost at least their length.
func TestLinksMeetTheirRegions(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	for round := range 60 {
		w := terraces()
		point := func(y int32) lattice.Vertex {
			// Often just beside the floor, as after rounding.
			return lattice.Vertex{Point: lattice.Point{X: rng.Int32N(4003) - 1, Y: y + rng.Int32N(1003) - 1}, Z: 0}
		}
		straight := 0.0
		for range 8 {
			l := plan.Link{Kind: plan.Drop, To: plan.DomainID{Domain: 1}, Clearance: 7, Mark: 0}
			l.Start, l.End = [2]lattice.Vertex{point(0), point(0)}, [2]lattice.Vertex{point(2000), point(2000)}
			if round%3 == 0 {
				l.Start[1], l.End[1] = l.Start[0], l.End[0]
			}
			for k := range 2 {
				straight = max(straight, l.Start[k].Distance(l.End[k].Point)*lattice.Unit)
			}
			l.Cost = straight
			w.plan.Links = append(w.plan.Links, l)
		}
		w.plan.Layers[0].Domains[1].Marks = []int32{1, 2}
		m, report, err := Build(context.Background(), &w.plan, w.cells, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Validate() {
			t.Fatalf("round %d: %v", round, f)
		}
		if report.Links != len(m.Links) || m.Components != 1 {
			t.Errorf("round %d: report %+v, %d links, %d components", round, report, len(m.Links), m.Components)
		}
		// The total length of the parts' starts equals the total length of the links' starts.
		var want, got float64
		for _, l := range w.plan.Links {
			want += l.Start[0].Distance(l.Start[1].Point)
		}
		for _, l := range m.Links {
			got += l.Start[0].Distance(l.Start[1].Point)
			if l.Kind != navmesh.Drop || l.Flags != navmesh.Drop.Flag() || l.Mark != 1 || l.Clearance != 7 {
				t.Errorf("round %d: %+v", round, l)
			}
			for k := range 2 {
				if d := l.Start[k].Distance(l.End[k].Point) * lattice.Unit; d > float64(l.Cost) {
					t.Errorf("round %d: %+v is longer than its cost, %v", round, l, d)
				}
			}
		}
		if slack := 3*float64(len(m.Links)) + 1; got < want-slack || got > want+slack {
			t.Errorf("round %d: the parts are %v units long, the links %v", round, got, want)
		}
		for i := range m.Tiles[0].Regions {
			marked, behind := m.Tiles[0].MarksOf(i), i >= 40
			if wantFlags := uint32(navmesh.DefaultFlags); behind {
				wantFlags |= navmesh.Door.Flag()
				if len(marked) != 2 || m.Tiles[0].Regions[i].Flags != wantFlags {
					t.Errorf("region %d: marks %v, flags %b", i, marked, m.Tiles[0].Regions[i].Flags)
				}
			} else if len(marked) != 0 || m.Tiles[0].Regions[i].Flags != wantFlags {
				t.Errorf("region %d: marks %v, flags %b", i, marked, m.Tiles[0].Regions[i].Flags)
			}
		}
		for k, flags := range []uint32{navmesh.Drop.Flag(), navmesh.Door.Flag(), 0} {
			if m.Marks[k].Flags != flags || m.Marks[k].Name != w.plan.Marks[k].Name || m.Marks[k].Kind != w.plan.Marks[k].Kind {
				t.Errorf("mark %d: %+v", k, m.Marks[k])
			}
		}
	}
}

// TestLinkErrors covers links and marks missing in the plan.
func TestLinkErrors(t *testing.T) {
	for want, change := range map[string]func(p *plan.Plan){
		"layer 0, domain 1: it is in mark 3 of 3": func(p *plan.Plan) { p.Layers[0].Domains[1].Marks = []int32{3} },
		"link 0: layer 0 has no domain 2":         func(p *plan.Plan) { p.Links[0].To.Domain = 2 },
		"link 0: layer -1 has no domain 0":        func(p *plan.Plan) { p.Links[0].From.Layer = -1 },
		"link 0 is of kind 9":                     func(p *plan.Plan) { p.Links[0].Kind = 9 },
		"link 0 has mark 3 of 3":                  func(p *plan.Plan) { p.Links[0].Mark = 3 },
		"link 0 costs -1 m":                       func(p *plan.Plan) { p.Links[0].Cost = -1 },
		"link 0 costs 0 m and has a clearance":    func(p *plan.Plan) { p.Links[0].Clearance = -1 },
	} {
		w := terraces()
		w.plan.Links = []plan.Link{{To: plan.DomainID{Domain: 1}, Mark: plan.NoMark}}
		change(&w.plan)
		_, _, err := Build(context.Background(), &w.plan, w.cells, Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "build: "+want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestMarksKeepSeams checks that regions in different marks are not merged across a seam.
func TestMarksKeepSeams(t *testing.T) {
	for _, marks := range [][]int32{nil, {0}} {
		w := single(walled(pts(0, 0, 100, 0, 100, 100, 0, 100)), cell(0, 0, 100, 0, 100, 100, 0, 100))
		w.plan.Marks = []plan.Mark{{}}
		w.plan.Layers = append(w.plan.Layers, plan.Layer{
			Domains: []plan.Domain{walled(pts(100, 0, 200, 0, 200, 100, 100, 100))}, Floor: flat(100, 0, 200, 100, 0),
		})
		w.plan.Layers[1].Domains[0].Marks = marks
		w.cells = append(w.cells, [][]plan.Cell{{cell(100, 0, 200, 0, 200, 100, 100, 100)}})
		w.chain(t, plan.Seam, plan.DomainID{}, plan.DomainID{Layer: 1}, pts(100, 0, 100, 100))
		m, _, err := Build(context.Background(), &w.plan, w.cells, Options{})
		if err != nil || m.RegionCount() != 1+len(marks) {
			t.Errorf("marks %v: %d regions, %v", marks, m.RegionCount(), err)
		}
	}
}
