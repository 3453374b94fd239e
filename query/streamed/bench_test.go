package streamed_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/query/streamed"
)

// quilt is a mesh of n copies of a mesh side by side, far enough apart that nothing joins them.
func quilt(m *navmesh.Mesh, n int) *navmesh.Mesh {
	var low, high int32
	for _, l := range m.Tiles[0].Layers {
		for _, v := range l.Floor.Vertices {
			low, high = min(low, v.X, v.Y), max(high, v.X, v.Y)
		}
	}
	step := high - low + 1<<16
	side := 1
	for side*side < n {
		side++
	}
	out := navmesh.Mesh{Frame: m.Frame, Agent: m.Agent, Marks: m.Marks, Areas: m.Areas}
	t := navmesh.Tile{Generation: 1, Layers: make([]navmesh.Layer, len(m.Tiles[0].Layers))}
	for i := range n {
		addCopy(&out, &t, m, int32(i%side)*step, int32(i/side)*step)
	}
	out.Tiles = []navmesh.Tile{t}
	out.Connect()
	return &out
}

// addCopy adds a copy of a mesh, moved by x and y, to a tile of another mesh.
func addCopy(out *navmesh.Mesh, t *navmesh.Tile, m *navmesh.Mesh, x, y int32) {
	of := &m.Tiles[0]
	vertex, corner, region, portal, passage := uint32(len(t.Vertices)), uint32(len(t.Corners)), uint32(len(t.Regions)), uint32(len(t.Portals)), uint32(len(t.Passages))
	for _, v := range of.Vertices {
		v.X, v.Y = v.X+x, v.Y+y
		t.Vertices = append(t.Vertices, v)
	}
	for _, c := range of.Corners {
		t.Corners = append(t.Corners, c+vertex)
	}
	for _, r := range of.Regions {
		r.First, r.FirstPortal, r.FirstPassage = r.First+corner, r.FirstPortal+portal, r.FirstPassage+passage
		t.Regions = append(t.Regions, r)
	}
	for _, p := range of.Portals {
		p.To, p.Back, p.Left, p.Right = p.To+region, p.Back+portal, p.Left+vertex, p.Right+vertex
		t.Portals = append(t.Portals, p)
	}
	t.Passages = append(t.Passages, of.Passages...)
	for _, k := range of.Marked {
		t.Marked = append(t.Marked, navmesh.Marked{Region: k.Region + region, Mark: k.Mark})
	}
	for i := range of.Layers {
		f, into := &of.Layers[i].Floor, &t.Layers[i].Floor
		first := uint32(len(into.Vertices))
		for _, v := range f.Vertices {
			v.X, v.Y = v.X+x, v.Y+y
			into.Vertices = append(into.Vertices, v)
		}
		for _, tri := range f.Triangles {
			into.Triangles = append(into.Triangles, [3]uint32{tri[0] + first, tri[1] + first, tri[2] + first})
		}
		into.Error = f.Error
	}
}

// BenchmarkOpen opens a file of 100 MB of generated towns and finds a first path of some 20 m, by tiles and as a whole.
func BenchmarkOpen(b *testing.B) {
	town := generated(b, "city", levelgen.Options{Seed: 1})
	one := len(encode(b, town, 0))
	m := quilt(town, 120_000_000/one+1) // a file has less for each copy
	data := encode(b, m, 0)
	path := filepath.Join(b.TempDir(), "towns.tiles")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		b.Fatal(err)
	}
	size := int64(len(data))
	whole, err := navfile.Encode(m)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	q := query.NewIndex(town).NewQuery()
	var walks [][2]geom.Vec
	for len(walks) < 50 {
		start, _ := q.RandomPoint(rng)
		goal, err := q.RandomPointInCircle(start, 20, rng)
		if err != nil {
			b.Fatal(err)
		}
		walks = append(walks, [2]geom.Vec{start.Point, goal.Point})
	}
	b.Run("tiles", func(b *testing.B) {
		tiles, n, longest := 0, 0, time.Duration(0)
		for b.Loop() {
			began := time.Now()
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			s, err := streamed.Open(f, size, streamed.Options{})
			if err != nil {
				b.Fatal(err)
			}
			w := walks[n%len(walks)]
			p, v, err := s.Path(b.Context(), w[0], w[1])
			if err != nil || !p.Proved || !p.Complete {
				b.Fatal(p.Proved, p.Complete, err)
			}
			longest = max(longest, time.Since(began))
			tiles, n = tiles+len(v.Tiles), n+1
			f.Close()
		}
		b.ReportMetric(float64(tiles)/float64(n), "tiles/op")
		b.ReportMetric(float64(longest.Microseconds())/1e3, "longest-ms")
		b.ReportMetric(float64(size)/1e6, "MB")
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			m, err := navfile.Decode(whole)
			if err != nil {
				b.Fatal(err)
			}
			p, err := query.NewIndex(m).NewQuery().Path(b.Context(), walks[0][0], walks[0][1])
			if err != nil || !p.Complete {
				b.Fatal(p.Complete, err)
			}
		}
		b.ReportMetric(float64(len(whole))/1e6, "MB")
	})
}
