package join

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/shape"
	"github.com/meadow-nav/meadow/navmesh"
)

// triangulated is a world of one random polygon in triangles.
func triangulated(seed uint64, points, holes int) (world, lattice.Polygon, bool) {
	p := corpus.Polygon(seed, points, holes)
	cells, ok := earClip(p)
	rings := make([][]lattice.Point, len(p.Rings))
	for i, r := range p.Rings {
		rings[i] = r
	}
	w := single(walled(rings...), cells...)
	b := p.Box()
	width, _ := b.Size()
	w.plan.Layers[0].Floor = slope(b.Min.X-1, b.Min.Y-1, b.Max.X+1, b.Max.Y+1, -100, int32(width/2)) // less than 45°
	return w, p, ok
}

func TestRandomWorldsAreValid(t *testing.T) {
	done := 0
	for seed := range uint64(64) {
		w, p, ok := triangulated(seed, 12+int(seed)%90, int(seed/8)%4)
		if !ok {
			continue
		}
		done++
		m, report := w.build(t, Options{})
		checkValid(t, m)
		checkCorners(t, m, p)
		if area2(m) != p.Area2() || report.LostArea != 0 {
			t.Errorf("seed %d: twice the area is %d, the polygon's is %d, lost %g", seed, area2(m), p.Area2(), report.LostArea)
		}
		if m.Components != 1 {
			t.Errorf("seed %d: %d components", seed, m.Components)
		}
	}
	if done < 40 {
		t.Errorf("only %d worlds were triangulated", done)
	}
}

func TestPortalsAgainstBruteForce(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(60) {
		w, _, ok := triangulated(seed, 40, 2)
		if !ok {
			continue
		}
		m, _ := w.build(t, Options{})
		checkPortals(t, m, func(p, q int) bool { return true })
	}
	for seed := range uint64(80) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := single(plan.Domain{}, bricks(rng, 4+rng.Int32N(16), rng.Int32N(7)-3, 1)...)
		m, _ := w.build(t, Options{})
		checkPortals(t, m, func(p, q int) bool { return true })
		checkValid(t, m)
	}
}

func TestRegionsAreConvex(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w := layered(t, rng)
		m, _ := w.build(t, Options{})
		for i, r := range rings(m) {
			if fault, at := planar.Fault(r); fault != "" {
				t.Errorf("seed %d: region %d: %s at corner %d", seed, i, fault, at)
			}
		}
	}
}

// layered is a world of bricks cut by a seam: layer 0 has the left part, layer 1 the right part, and the cuts of both
// sides differ. Now and then another floor in layer 0 passes below layer 1. The seam has vertices of its own, and a
// missing brick on one side leaves a wall behind the seam.
func layered(t testing.TB, rng *rand.Rand) world {
	const scale = 10
	size, shear := 6+rng.Int32N(12), rng.Int32N(7)-3
	at := func(x, y int32) lattice.Point { return lattice.Point{X: scale * (x + shear*y), Y: scale * y} }
	west, east := bricks(rng, size, shear, scale), bricks(rng, size, shear, scale)
	for i := range east {
		for k := range east[i].Corners {
			east[i].Corners[k].X += scale * size
		}
	}
	if rng.IntN(2) == 0 {
		// As in the west: most sides at the seam have the same ends.
		east = nil
		for _, c := range west {
			if rng.IntN(6) == 0 {
				continue
			}
			var mirrored plan.Cell
			for k := len(c.Corners) - 1; k >= 0; k-- {
				p := c.Corners[k].Point
				mirrored.Corners = append(mirrored.Corners, plan.Corner{Point: at(2*size-(p.X-shear*p.Y)/scale, p.Y/scale), On: plan.NoEdge})
			}
			east = append(east, mirrored)
		}
	}
	seam := []lattice.Point{at(size, 0)}
	for y := range size {
		if y > 0 && rng.IntN(5) == 0 {
			seam = append(seam, at(size, y))
		}
	}
	seam = append(seam, at(size, size))
	// Build asks a domain for its edges one by one; a ring of only the seam is enough.
	reversed := make([]lattice.Point, len(seam))
	for i, p := range seam {
		reversed[len(seam)-1-i] = p
	}
	wide := 8 * scale * size
	west0, east0 := flat(-wide, 0, wide, wide, 7), flat(-wide, 0, wide, wide, 7)
	if shear == 0 {
		west0, east0 = flat(0, 0, scale*size, scale*size, 7), flat(scale*size, 0, 2*scale*size, scale*size, 7)
	}
	w := world{
		plan: plan.Plan{
			Agent: geom.Agent{}.WithDefaults(),
			Layers: []plan.Layer{
				{Domains: []plan.Domain{walled(seam)}, Floor: west0},
				{Domains: []plan.Domain{walled(reversed)}, Floor: east0},
			},
		},
		cells: [][][]plan.Cell{{west}, {east}},
	}
	w.chain(t, plan.Seam, id(0, 0), id(1, 0), seam)
	if rng.IntN(3) == 0 {
		x := size + rng.Int32N(size)
		under := cellOf(at(x, 1), at(x+3, 1), at(x+3, 4), at(x, 4))
		w.plan.Layers[0].Domains = append(w.plan.Layers[0].Domains, plan.Domain{})
		w.cells[0] = append(w.cells[0], []plan.Cell{under})
		if shear == 0 { // a floor of its own, deep below
			floor, below := &w.plan.Layers[0].Floor, flat(scale*x, scale, scale*(x+3), 4*scale, -50000)
			for _, tri := range below.Triangles {
				n := uint32(len(floor.Vertices))
				floor.Triangles = append(floor.Triangles, [3]uint32{tri[0] + n, tri[1] + n, tri[2] + n})
			}
			floor.Vertices = append(floor.Vertices, below.Vertices...)
		}
	}
	return w
}

// TestLayeredWorlds has two layers. With all seams kept, the portals equal the oracle's, inside each domain and across
// the seam. Merged and cut anew, the mesh is still valid and covers the same area, with no more regions and T-joints.
func TestLayeredWorlds(t *testing.T) {
	race.Skip(t)
	merged, kept, recut, gone := 0, 0, 0, 0
	for seed := range uint64(160) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w := layered(t, rng)
		w.plan.Agent.Radius = 10 * 0.9 * bricksWidth * lattice.Unit
		m, before := w.build(t, Options{KeepSeams: true})
		west, east := len(w.cells[0][0]), len(w.cells[1][0])
		side := func(i int) int {
			switch {
			case i < west:
				return 0
			case i < len(m.Tiles[0].Regions)-east:
				return 2
			}
			return 1
		}
		checkPortals(t, m, func(p, q int) bool { return side(p) == side(q) || side(p)+side(q) == 1 })
		checkValid(t, m)
		united, after := w.build(t, Options{})
		checkValid(t, united)
		if area2(united) != area2(m) {
			t.Errorf("seed %d: merging changes twice the area from %d to %d", seed, area2(m), area2(united))
		}
		if united.Components != m.Components {
			t.Errorf("seed %d: merging changes the number of components from %d to %d", seed, m.Components, united.Components)
		}
		if after.Regions != before.Regions && after.MergedSeams+after.RecutSeams == 0 || after.Portals > before.Portals-after.MergedSeams {
			t.Errorf("seed %d: %+v becomes %+v", seed, before, after)
		}
		if a, b := thinRegions(united), thinRegions(m); a > b {
			t.Errorf("seed %d: %d thin regions become %d", seed, b, a)
		}
		if a, b := joints(united), joints(m); a > b || after.Regions > before.Regions {
			t.Errorf("seed %d: %d T-joints and %+v become %d and %+v", seed, b, before, a, after)
		} else {
			gone += b - a
		}
		merged += after.MergedSeams
		kept += after.SeamPortals
		recut += after.RecutSeams
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if merged < 100 || kept < 100 || recut < 100 || gone < 100 {
		t.Errorf("%d seam portals merged, %d kept, %d times cut anew, %d T-joints gone", merged, kept, recut, gone)
	}
}

// bricksWidth is the least width in lattice units of most regions of a layered world.
const bricksWidth = 10

// thinRegions counts the regions that are narrower than a tenth of the agent's radius.
func thinRegions(m *navmesh.Mesh) (n int) {
	for _, r := range rings(m) {
		if shape.IsThin(r, int64(math.Round(m.Agent.Radius*lattice.UnitsPerMetre/thinShare))) {
			n++
		}
	}
	return n
}

func TestJobsDoNotMatter(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 4))
		w := layered(t, rng)
		one, _ := w.build(t, Options{Jobs: 1})
		for _, jobs := range []int{0, 2, 8} {
			many, _ := w.build(t, Options{Jobs: jobs})
			if !reflect.DeepEqual(one, many) {
				t.Fatalf("seed %d: %d jobs make another mesh", seed, jobs)
			}
		}
	}
}

func TestBuildStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := splitSquare()
	if _, _, err := Build(ctx, &w.plan, w.cells, Options{}); err == nil {
		t.Error("no error from a cancelled context")
	}
}
