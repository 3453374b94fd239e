package query

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/navmesh"
)

// publishedDir returns the folder of meshes and scenarios published by the authors of Polyanya, or skips the test.
func publishedDir(tb testing.TB) string {
	tb.Helper()
	return reallevels.Path(tb, "any-angle")
}

// readPublished reads a mesh in version 2 of the authors' text format: vertices with the polygons
// around them, polygons with their vertices counter-clockwise and the polygons behind their edges.
// Neighbours are found anew. A unit of the file is a metre.
func readPublished(tb testing.TB, name string) *navmesh.Mesh {
	tb.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	in := strings.NewReader(string(text))
	scan := func(to ...any) {
		if _, err := fmt.Fscan(in, to...); err != nil {
			tb.Fatal(err)
		}
	}
	var magic string
	var version, vertices, polygons, n, skip int
	scan(&magic, &version, &vertices, &polygons)
	if magic != "mesh" || version != 2 {
		tb.Fatalf("%s is no mesh of version 2", name)
	}
	points := make([]lattice.Vertex, vertices)
	for i := range points {
		var x, y float64
		scan(&x, &y, &n)
		for range n {
			scan(&skip)
		}
		points[i] = at(x, y, 0)
	}
	var patches []patch
	for range polygons {
		var p patch
		scan(&n)
		for range n {
			var v int
			scan(&v)
			p.ring = append(p.ring, points[v])
		}
		for range n {
			scan(&skip)
		}
		patches = append(patches, p)
	}
	return stitch(tb, lattice.Frame{}, testAgent, patches, nil)
}

// readScenario reads the starts and goals of a scenario file.
func readScenario(tb testing.TB, name string) []pair {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var out []pair
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var bucket, width, height int
		var sx, sy, gx, gy, octile float64
		var level string
		if n, _ := fmt.Sscan(lines.Text(), &bucket, &level, &width, &height, &sx, &sy, &gx, &gy, &octile); n == 9 {
			out = append(out, pair{geom.FromGround(sx, sy, 0), geom.FromGround(gx, gy, 0)})
		}
	}
	return out
}

// TestPublishedLengths adds up the shortest paths of published scenarios on published meshes. The expected sums come
// from the authors' own program.
func TestPublishedLengths(t *testing.T) {
	race.Skip(t)
	dir := publishedDir(t)
	tests := []struct {
		mesh, scenario string
		want           float64
	}{
		{"arena.mesh", "arena.scen", 4852.6098},
		{"arena-merged.mesh", "arena.scen", 4852.6098},
		{"aurora-merged.mesh", "aurora.scen", 1690433.625},
	}
	for _, tt := range tests {
		if testing.Short() && strings.HasPrefix(tt.mesh, "aurora") {
			continue
		}
		q := NewIndex(readPublished(t, filepath.Join(dir, tt.mesh))).NewQuery()
		sum := 0.0
		var lengths []float64
		for _, p := range readScenario(t, filepath.Join(dir, tt.scenario)) {
			path, err := q.Path(context.Background(), p.start, p.goal)
			if err != nil || !path.Complete {
				t.Fatalf("%s: %v to %v: complete is %v, %v", tt.mesh, p.start, p.goal, path.Complete, err)
			}
			sum += path.Length
			lengths = append(lengths, path.Length)
		}
		t.Logf("%s: %d paths, %.4f, the longest %.4f", tt.mesh, len(lengths), sum, slices.Max(lengths))
		if math.Abs(sum-tt.want) > 1e-6*tt.want {
			t.Errorf("%s: the lengths sum to %.4f, published are %.4f", tt.mesh, sum, tt.want)
		}
	}
}

// BenchmarkPublished runs the same scenarios.
func BenchmarkPublished(b *testing.B) {
	dir := publishedDir(b)
	for _, name := range []string{"arena-merged", "aurora-merged"} {
		b.Run(name, func(b *testing.B) {
			q := NewIndex(readPublished(b, filepath.Join(dir, name+".mesh"))).NewQuery()
			level, _, _ := strings.Cut(name, "-")
			asked := readScenario(b, filepath.Join(dir, level+".scen"))
			ctx := context.Background()
			b.ReportAllocs()
			n, expanded := 0, 0
			for b.Loop() {
				p := asked[n%len(asked)]
				path, err := q.Path(ctx, p.start, p.goal)
				if err != nil || !path.Complete {
					b.Fatal(err)
				}
				expanded += path.Expanded
				n++
			}
			b.ReportMetric(float64(expanded)/float64(n), "expanded/op")
		})
	}
}
