package meadow_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

// tiledCase is a level that is built whole and in tiles.
type tiledCase struct {
	kind string
	opt  levelgen.Options
}

func (c tiledCase) level(t testing.TB) *level.Level {
	t.Helper()
	lvl, err := levelgen.Generate(c.kind, c.opt)
	if err != nil {
		t.Fatal(err)
	}
	return lvl
}

// compareTiled asks for random paths on a mesh of a whole level and on a mesh of its tiles: the same paths exist, and horizontal lengths
// differ by at most a share.
func compareTiled(t *testing.T, whole, tiled *meadow.Mesh, paths int, share float64) (worst float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 17))
	q, o := whole.NewQuery(), tiled.NewQuery()
	found := 0
	for range 8 * paths {
		if found == paths {
			break
		}
		from, ok := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		if !ok {
			t.Fatal("the mesh has no area")
		}
		a, err := q.PathBetween(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		length, complete := a.Length, a.Complete
		b, err := o.Path(t.Context(), from.Point, to.Point)
		if err != nil {
			t.Fatal(err)
		}
		if complete != b.Complete {
			t.Errorf("a path from %v to %v: whole %v, tiles %v", from.Point, to.Point, complete, b.Complete)
		}
		if !complete || !b.Complete {
			continue
		}
		found++
		if d := math.Abs(b.Length-length) / max(length, 1); d > worst {
			worst = d
			if d > share {
				t.Errorf("from %v to %v: %.9g m whole, %.9g m in tiles", from.Point, to.Point, length, b.Length)
			}
		}
	}
	if found < paths/2 {
		t.Fatalf("only %d paths", found)
	}
	return worst
}

func TestTiledTry(t *testing.T) {
	for _, c := range []tiledCase{
		{"rooms", levelgen.Options{Seed: 2}},
		{"stairs", levelgen.Options{}},
		{"tower", levelgen.Options{Seed: 5}},
		{"spiral", levelgen.Options{}},
		{"bridge", levelgen.Options{}},
		{"carpark", levelgen.Options{}},
		{"catwalks", levelgen.Options{}},
		{"rough", levelgen.Options{Seed: 2}},
		{"demo", levelgen.Options{}},
		{"highrise", levelgen.Options{}},
		{"terrain", levelgen.Options{}},
		{"city", levelgen.Options{}},
	} {
		lvl := c.level(t)
		floor := meadow.FloorOptions{Simplify: -1, NoMarkers: true}
		whole, err := meadow.BuildWith(t.Context(), lvl, floor, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []float64{5.3, 16} {
			tiled, err := meadow.BuildTiled(t.Context(), lvl, size, floor, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			worst := compareTiled(t, whole, tiled, 60, 1e-6)
			t.Logf("%s %g: worst %.2g, area %.6f %.6f, parts %d %d, dropped %d %d regions %d %d, faults %d", c.kind, size, worst, whole.Report().Area, tiled.Report().Area,
				whole.Report().Components, tiled.Report().Components, len(whole.Report().Dropped), len(tiled.Report().Dropped),
				whole.Report().Regions, tiled.Report().Regions, len(tiled.Validate()))
		}
	}
	_ = bytes.Equal
	_ = query.HeightError
}
