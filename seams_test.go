package meadow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
)

// TestSeamsCostLittle builds levels of many layers with seams as extracted and with seams repaired. The repaired mesh has no
// more regions and T-joints, the same parts and area, no fault that the other lacks, and paths of the same length. Of exact
// floors nearly all T-joints at seams are gone.
func TestSeamsCostLittle(t *testing.T) {
	race.Skip(t)
	regions, atSeams := 0, [2]int{}
	type sample struct {
		kind    string
		storeys int
	}
	levels := []sample{{"tower", 2}, {"stairs", 0}, {"spiral", 1}, {"carpark", 2}, {"arch", 0}}
	if everything {
		levels = append(levels, sample{"tower", 8}, sample{"carpark", 6}, sample{"spiral", 4}, sample{"highrise", 3}, sample{"rts", 0}, sample{"demo", 0})
	}
	for _, l := range levels {
		lvl, err := levelgen.Generate(l.kind, levelgen.Options{Seed: 1, Storeys: l.storeys})
		if err != nil {
			t.Fatal(err)
		}
		for _, extract := range []string{"exact", "raster"} {
			find := exact.Extract
			if extract == "raster" {
				find = raster.Extract
			}
			floor, err := find(t.Context(), lvl, meadow.Agent{}.WithDefaults(), floorplan.Options{KeepAll: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, method := range []string{"anavmg", "best"} {
				g, err := catalog.Generator(method)
				if err != nil {
					t.Fatal(err)
				}
				results, err := gen.DecomposePlan(t.Context(), g, floor, 0, 1)
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%s, %s, %s", l.kind, extract, method)
				var mesh [2]*navmesh.Mesh
				var report [2]join.Report
				for i := range mesh {
					if mesh[i], report[i], err = join.Build(t.Context(), floor, gen.CellsOf(results), join.Options{KeepSeams: i == 0}); err != nil {
						t.Fatal(err)
					}
				}
				kept, repaired := mesh[0], mesh[1]
				if report[1].Regions > report[0].Regions || repaired.Components != kept.Components {
					t.Errorf("%s: %d regions and %d parts become %d and %d", name,
						report[0].Regions, kept.Components, report[1].Regions, repaired.Components)
				}
				if before, after := kept.Area()+report[0].LostArea, repaired.Area()+report[1].LostArea; math.Abs(before/after-1) > 1e-9 {
					t.Errorf("%s: area with what is lost %g m², now %g m²", name, before, after)
				}
				all, seams := tJoints(kept)
				allNow, seamsNow := tJoints(repaired)
				if allNow > all {
					t.Errorf("%s: %d T-joints become %d", name, all, allNow)
				}
				if extract == "exact" {
					regions += report[0].Regions - report[1].Regions
					atSeams[0], atSeams[1] = atSeams[0]+seams, atSeams[1]+seamsNow
				}
				if len(kept.Validate()) > 0 {
					continue // the floor has a fault, and the paths with it
				}
				for _, f := range repaired.Validate() {
					t.Errorf("%s: %v", name, f)
				}
				samePaths(t, name, meadow.Wrap(kept), meadow.Wrap(repaired))
			}
		}
	}
	t.Logf("%d regions and %d of %d T-joints at seams are gone", regions, atSeams[0]-atSeams[1], atSeams[0])
	if regions < 5 || atSeams[0] < 3 || 3*atSeams[1] > atSeams[0] {
		t.Error("seams still cost much")
	}
}

// samePaths compares lengths of paths between random places on two meshes of one floor, to within a millimetre.
func samePaths(t *testing.T, name string, a, b *meadow.Mesh) {
	t.Helper()
	p, q, rng := a.NewQuery(), b.NewQuery(), rand.New(rand.NewPCG(5, 5))
	for range 12 {
		from, ok := p.RandomPoint(rng)
		to, also := p.RandomPoint(rng)
		if !ok || !also {
			t.Fatalf("%s: no random place", name)
		}
		x, err := p.PathBetween(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		y, err := q.Path(t.Context(), from.Point, to.Point)
		if err != nil {
			t.Fatal(err)
		}
		if x.Complete != y.Complete || x.Complete && math.Abs(x.Length-y.Length) > 1e-3 {
			t.Errorf("%s: from %v to %v the path is %g m long (complete %v), now %g m (%v)", name, from, to, x.Length, x.Complete, y.Length, y.Complete)
		}
	}
}

// tJoints counts the points with portals all around, and those of them where layers meet.
func tJoints(m *navmesh.Mesh) (all, seams int) {
	t := &m.Tiles[0]
	type joint struct {
		at     lattice.Point
		region uint32 // the least of those around
	}
	found := map[joint]bool{}
	for i := range t.Regions {
		for _, p := range t.RegionPortals(i) {
			for _, v := range [...]uint32{p.Left, p.Right} {
				at := t.Vertices[v].Point
				j := joint{at, uint32(i)}
				came, here, layers := -1, i, false
				for steps := 0; steps == 0 || here != i; steps++ {
					next := -1
					n := 0
					for _, q := range t.RegionPortals(here) {
						if t.Vertices[q.Left].Point != at && t.Vertices[q.Right].Point != at {
							continue
						}
						if n++; int(q.To) != came {
							next = int(q.To)
						}
					}
					if n != 2 || next < 0 {
						here = -1
						break // a wall
					}
					layers = layers || t.Regions[next].Layer != t.Regions[here].Layer
					came, here = here, next
					j.region = min(j.region, uint32(here))
				}
				if here == i {
					found[j] = layers
				}
			}
		}
	}
	for _, layers := range found {
		all++
		if layers {
			seams++
		}
	}
	return all, seams
}
