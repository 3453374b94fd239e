package query_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/query"
)

// BenchmarkPathParts asks for single paths between random places, by turns: the lookup of both ends, the path between
// known ends, and the floor along the path. The metrics are medians over all pairs, of the least time of each pair. An op is a
// round over all pairs.
func BenchmarkPathParts(b *testing.B) {
	generated := func(kind string, size float64) func(*testing.B) (*level.Level, error) {
		return func(*testing.B) (*level.Level, error) { return levelgen.Generate(kind, levelgen.Options{Size: size}) }
	}
	real := func(name string) func(*testing.B) (*level.Level, error) {
		return func(b *testing.B) (*level.Level, error) { return meadow.Open(reallevels.Path(b, name)) }
	}
	arena := func(pack, name string) func(*testing.B) (*level.Level, error) {
		return func(b *testing.B) (*level.Level, error) {
			path := filepath.Join("..", ".tools", "maps", pack+".pk3")
			if _, err := os.Stat(path); err != nil {
				b.Skip("no map " + path)
			}
			return meadow.OpenWith(path, meshio.Options{BSP: bsp.Options{Map: name}})
		}
	}
	for _, of := range []struct {
		name string
		open func(*testing.B) (*level.Level, error)
	}{
		{"city", generated("city", 0)},
		{"terrain", generated("terrain", 512)},
		{"nav_test", real("nav_test.obj")},
		{"sthelens", real("sthelens.obj")},
		{"islandctf", arena("pak1-maps", "islandctf")},
		{"ctf_inyard", arena("pak1-maps", "ctf_inyard")},
		{"desertfactory", arena("data", "desertfactory")},
	} {
		b.Run(of.name, func(b *testing.B) {
			lvl, err := of.open(b)
			if err != nil {
				b.Fatal(err)
			}
			mesh, err := meadow.Build(b.Context(), lvl, meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: meadow.Degrees(45)})
			if err != nil {
				b.Fatal(err)
			}
			benchParts(b, mesh.NewQuery())
		})
	}
}

func benchParts(b *testing.B, q *query.Query) {
	rng := rand.New(rand.NewPCG(1, 18))
	var ends [][2]query.Position
	for len(ends) < 500 {
		from, ok := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		if !ok {
			b.Fatal("the mesh has no area")
		}
		if path, err := q.PathBetween(b.Context(), from, to); err == nil && path.Complete {
			ends = append(ends, [2]query.Position{from, to})
		}
	}
	names := []string{"ns/locate-both", "ns/nearest-both", "ns/path", "ns/surface"}
	least := make([][]float64, len(names))
	timed := func(part, pair int, ask func()) {
		begin := time.Now()
		ask()
		took := float64(time.Since(begin).Nanoseconds())
		if pair == len(least[part]) {
			least[part] = append(least[part], took)
		}
		least[part][pair] = min(least[part][pair], took)
	}
	for b.Loop() {
		for i, e := range ends {
			var path query.Path
			var err error
			timed(0, i, func() { q.Locate(e[0].Point); q.Locate(e[1].Point) })
			timed(1, i, func() { q.Nearest(e[0].Point, 2); q.Nearest(e[1].Point, 2) })
			timed(2, i, func() { path, err = q.PathBetween(b.Context(), e[0], e[1]) })
			timed(3, i, func() { path.Surface() })
			if err != nil || len(path.Surface()) == 0 {
				b.Fatal(path, err)
			}
		}
	}
	for part, name := range names {
		slices.Sort(least[part])
		b.ReportMetric(least[part][len(least[part])/2], name)
	}
}
