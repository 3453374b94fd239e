package meadow_test

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// incomplete lists the generators that give up a part of the floor on purpose.
var incomplete = []string{"quadtree", "sfv"}

// TestGeneratorsOnLevels has every generator decompose the floor of whole levels, and the meshes
// judged. Those of complete generators cover the same floor, and the shortest path on it is the
// same, whatever the cells are.
func TestGeneratorsOnLevels(t *testing.T) {
	race.Skip(t)
	for _, opt := range []struct {
		kind string
		size float64
	}{{"carpark", 0}, {"city", 60}} {
		lvl, err := levelgen.Generate(opt.kind, levelgen.Options{Seed: 1, Size: opt.size})
		if err != nil {
			t.Fatal(err)
		}
		floor, err := raster.Extractor{}.Extract(t.Context(), lvl, meadow.Agent{}.WithDefaults(), floorplan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := decomposed(t, floor, catalog.Default)
		from, _ := want.Center(refOf(want, 0))
		to, _ := want.Center(refOf(want, want.RegionCount()-1))
		length := walk(t, want, from, to)
		for _, method := range catalog.Names() {
			t.Run(opt.kind+"/"+method, func(t *testing.T) {
				mesh := decomposed(t, floor, method)
				checkValid(t, mesh)
				t.Logf("%d regions", mesh.RegionCount())
				if slices.Contains(incomplete, method) {
					if mesh.Area() > want.Area()*(1+1e-5) || mesh.Area() < want.Area()/2 {
						t.Errorf("area %g m², want a good part of %g", mesh.Area(), want.Area())
					}
					return
				}
				// Constructed corners take a little; what they take differs.
				if math.Abs(mesh.Area()/want.Area()-1) > 1e-4 {
					t.Errorf("area %g m², want %g", mesh.Area(), want.Area())
				}
				if l := walk(t, mesh, from, to); math.Abs(l-length) > 1e-4*length {
					t.Errorf("the way is %.4f m long, on the mesh of %s %.4f m", l, catalog.Default, length)
				}
			})
		}
	}
}

// decomposed returns the mesh that the generator with a name makes of a floor.
func decomposed(t *testing.T, floor *plan.Plan, method string) *meadow.Mesh {
	t.Helper()
	g, err := catalog.Generator(method)
	if err != nil {
		t.Fatal(err)
	}
	results, err := gen.DecomposePlan(t.Context(), g, floor, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	cells := make([][][]plan.Cell, len(results))
	for l := range results {
		for _, r := range results[l] {
			cells[l] = append(cells[l], r.Cells)
		}
	}
	mesh, _, err := join.Build(t.Context(), floor, cells, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return meadow.Wrap(mesh)
}

func walk(t *testing.T, m *meadow.Mesh, from, to meadow.Vec) float64 {
	t.Helper()
	path, err := m.NewQuery().Path(t.Context(), from, to)
	if err != nil || !path.Complete {
		t.Fatalf("complete %v, %v", path.Complete, err)
	}
	return path.Length
}
