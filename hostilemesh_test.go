package meadow_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
)

// Mesh files that harm: a good file with some bytes changed and its checksums made right. Each file is
// refused with an error, or every query on its mesh ends within memory that the size of the file bounds.

// hostileTime is the longest that one mesh may keep all queries busy. It only keeps a hang from holding
// up the tests: a mesh takes milliseconds.
const hostileTime = 60 * time.Second

// hostileBytes is the most memory that all queries on one mesh may allocate in all. Each sample mesh is
// about 100 kB; a good one takes less than a tenth of this.
const hostileBytes = 1 << 30

// bodyOf returns where the sections of a mesh file begin.
func bodyOf(file []byte) int { return 32 + 32*int(binary.LittleEndian.Uint32(file[12:])) }

// sign makes the checksums of a mesh file right: see docs/formats.
func sign(file []byte) {
	le, table := binary.LittleEndian, crc32.MakeTable(crc32.Castagnoli)
	sum := func(b []byte) uint32 { return crc32.Checksum(b, table) }
	for i := 32; i < bodyOf(file); i += 32 {
		offset, length := le.Uint64(file[i+8:]), le.Uint64(file[i+16:])
		le.PutUint32(file[i+24:], sum(file[offset:offset+length]))
	}
	le.PutUint32(file[24:], sum(file[32:bodyOf(file)]))
	le.PutUint32(file[28:], sum(file[:28]))
}

// hostileKinds are the levels whose meshes are changed, and hostileTries how many bytes of each file change by default:
// the file of rts takes too long.
var (
	hostileKinds = []string{"spiral", "halls", "rts"}
	hostileTries = map[string]int{"spiral": 20, "halls": 40}
)

// hostileSamples returns the files that are changed: ground of several kinds with links and methods, storeys
// above each other, and doors, ladders and lifts.
func hostileSamples(tb testing.TB) map[string][]byte {
	tb.Helper()
	files := map[string][]byte{}
	for _, kind := range hostileKinds {
		lvl, err := levelgen.Generate(kind, levelgen.Options{})
		if err != nil {
			tb.Fatal(err)
		}
		var opt meadow.FloorOptions
		if kind == "rts" {
			if opt.Terrain, err = meadow.OpenTerrain("examples/terrain/rts.yaml"); err != nil {
				tb.Fatal(err)
			}
		}
		mesh, err := meadow.BuildWith(tb.Context(), lvl, opt, meadow.MeshOptions{})
		if err != nil {
			tb.Fatal(err)
		}
		var file bytes.Buffer
		if err := mesh.Write(&file); err != nil {
			tb.Fatal(err)
		}
		files[kind] = file.Bytes()
	}
	return files
}

// allocated returns the bytes that the program has allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// askFile reads a mesh file and, where it is a mesh, asks everything. It reports whether the file was a mesh.
func askFile(tb testing.TB, file []byte, seed uint64) bool {
	tb.Helper()
	mesh, err := meadow.Read(bytes.NewReader(file))
	if err != nil {
		if msg := err.Error(); len(msg) > 400 {
			tb.Errorf("an error of %d bytes: %.200s...", len(msg), msg)
		}
		return false
	}
	ctx, cancel := context.WithTimeout(tb.Context(), hostileTime)
	defer cancel()
	before := allocated()
	if err := askMesh(ctx, mesh, seed); err != nil {
		tb.Error(err)
	}
	if ctx.Err() != nil {
		tb.Errorf("the queries took more than %v", hostileTime)
	}
	if n := allocated() - before; n > hostileBytes {
		tb.Errorf("the queries allocated %d bytes", n)
	}
	return true
}

// askMesh asks a mesh every kind of question. Errors that queries may have on a bad mesh are answers; the error
// returned is of an answer that no mesh allows.
func askMesh(ctx context.Context, mesh *meadow.Mesh, seed uint64) error {
	for _, f := range mesh.Warnings() {
		if f.Kind.Spoils() == "" {
			return fmt.Errorf("a warning that spoils nothing: %w", f)
		}
	}
	mesh.Validate()
	ix, err := mesh.IndexWith(ctx)
	if err != nil {
		return err
	}
	if err := askIndex(ctx, mesh, ix, seed); err != nil {
		return err
	}
	filters := []query.Filter{{Radius: 2 * mesh.Agent.Radius}, {AreaCosts: map[uint8]float64{0: 1, 1: 2.5, 2: 7}}}
	if n := len(mesh.Methods); n > 0 {
		f, err := ix.Method(mesh.Methods[seed%uint64(n)].Name)
		if err != nil {
			return err
		}
		filters = append(filters, f)
	}
	for _, f := range filters {
		if other, err := ix.With(f); err == nil {
			if err := askIndex(ctx, mesh, other, seed); err != nil {
				return err
			}
		}
	}
	if prepared, err := ix.Prepare(ctx); err == nil {
		if err := askIndex(ctx, mesh, prepared, seed); err != nil {
			return err
		}
	} else if !errors.Is(err, query.ErrUnprepared) && !errors.Is(err, query.ErrTooLarge) {
		return err
	}
	return nil
}

// askIndex asks every kind of question between random places of a mesh.
func askIndex(ctx context.Context, mesh *meadow.Mesh, ix *query.Index, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 14))
	q := ix.NewQuery()
	q.Effort = 1 << 9
	box := mesh.Bounds()
	for range 2 {
		a, ok := q.RandomPoint(rng)
		b, also := q.RandomPoint(rng)
		if !ok || !also {
			return nil
		}
		far := geom.Vec{X: box.Min.X + rng.Float64()*(box.Max.X-box.Min.X), Y: a.Point.Y, Z: box.Min.Z + rng.Float64()*(box.Max.Z-box.Min.Z)}
		if err := askPaths(ctx, mesh, ix, q, a, b, far); err != nil {
			return err
		}
		askAround(ctx, q, a, b, far, rng)
		askCorridor(ctx, ix, q, a, b, far)
	}
	return ctx.Err()
}

// askPaths asks for paths in every way. A Complete path begins and ends at its ends, and its measures are finite.
func askPaths(ctx context.Context, mesh *meadow.Mesh, ix *query.Index, q *query.Query, a, b query.Position, far geom.Vec) error {
	judge := func(p query.Path, err error) error {
		if err != nil || len(p.Points) == 0 {
			return nil
		}
		for _, v := range []float64{p.Length, p.SurfaceLength(), p.Cost, p.LowerBound} {
			if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				return fmt.Errorf("a path of length %g, surface length %g, cost %g and bound %g", p.Length, p.SurfaceLength(), p.Cost, p.LowerBound)
			}
		}
		if n := len(p.Regions()); n > 64*mesh.RegionCount()+64 {
			return fmt.Errorf("a path through %d regions of %d", n, mesh.RegionCount())
		}
		for _, p := range p.Points {
			if !p.IsFinite() {
				return fmt.Errorf("a path over %v", p)
			}
		}
		return nil
	}
	for _, ask := range []func() (query.Path, error){
		func() (query.Path, error) { return q.PathBetween(ctx, a, b) },
		func() (query.Path, error) { return q.Path(ctx, a.Point, b.Point) },
		func() (query.Path, error) { return q.Path(ctx, a.Point, far) },
		func() (query.Path, error) { return q.PartialPath(ctx, a.Point, far) },
		func() (query.Path, error) { return q.AStarPath(ctx, b.Point, a.Point) },
		func() (query.Path, error) {
			s := ix.NewSearch()
			if err := s.Begin(a.Point, b.Point); err != nil {
				return query.Path{}, err
			}
			for slices := 0; !s.Advance(50) && ctx.Err() == nil; slices++ {
				if slices > 5 {
					continue // a path so far takes time by the nodes so far
				}
				if err := judge(s.Path(), nil); err != nil {
					return query.Path{}, err
				}
			}
			return s.Path(), nil
		},
		func() (query.Path, error) {
			fan, err := q.ToMany(ctx, a.Point, []geom.Vec{b.Point, far, b.Point, a.Point})
			if err != nil {
				return query.Path{}, err
			}
			return fan.Path(ctx, 0)
		},
		func() (query.Path, error) {
			_, p, err := q.NearestOf(ctx, a.Point, []geom.Vec{b.Point, far})
			return p, err
		},
		func() (query.Path, error) {
			exits := ix.Exits(nil, a.Ref)
			if len(exits) == 0 {
				return query.Path{}, nil
			}
			end, ok := ix.Center(exits[0].To)
			if !ok {
				return query.Path{}, nil
			}
			return q.Through(a, end, []int32{exits[0].ID})
		},
	} {
		if err := judge(ask()); err != nil {
			return err
		}
	}
	return nil
}

// askAround asks for what is near a place. Errors are answers here.
func askAround(ctx context.Context, q *query.Query, a, b query.Position, far geom.Vec, rng *rand.Rand) {
	q.Locate(far)
	q.Nearest(far, 50)
	q.NearestWithin(far, 50, 3, 3)
	q.RegionsWithin(ctx, a, 30)
	q.RegionsWithin(ctx, a, math.Inf(1))
	q.RegionsInCircle(a, 20)
	q.Neighbourhood(a, 20)
	q.RegionsInShape(a, []geom.Vec{{X: far.X, Z: far.Z}, {X: far.X + 9, Z: far.Z}, {X: far.X, Z: far.Z + 9}})
	q.RegionsInBox(geom.Box{Min: far, Max: far.Add(geom.Vec{X: 20, Y: 5, Z: 20})})
	q.Raycast(a, b.Point)
	q.Raycast(a, far)
	q.MoveAlongSurface(a, b.Point)
	q.MoveAlongSurface(a, far)
	q.DistanceToWall(a, math.Inf(1))
	q.WallsOf(a.Ref)
	q.WallsAround(a, 20)
	q.NearestIn(b.Ref, far)
	q.RandomPointInCircle(a, 15, rng)
}

// askCorridor walks along a corridor. Errors are answers here.
func askCorridor(ctx context.Context, ix *query.Index, q *query.Query, a, b query.Position, far geom.Vec) {
	var c query.Corridor
	c.Reset(a)
	if c.Plan(ctx, q, b.Point) != nil {
		return
	}
	for range 4 {
		corners, err := c.Corners(q, nil, 3)
		if err != nil || len(corners) == 0 {
			return
		}
		c.Ahead(q, 7)
		c.OptimizeVisibility(q, corners[len(corners)-1].Position.Point, 30)
		c.OptimizeTopology(q, 5, 200)
		c.MovePosition(q, corners[0].Position.Point)
		c.MoveTarget(q, far)
		c.Valid(q, 10)
		c.TakeLink(q)
		if ctx.Err() != nil {
			return
		}
	}
	c.Trim(q)
}

// askRest asks the programs that read a mesh: measures, and a mesh for a wider agent.
func askRest(ctx context.Context, mesh *meadow.Mesh) {
	metric.Measure(ctx, mesh.Mesh, metric.Options{})
	mesh.Widen(ctx, mesh.Agent.Radius+0.2, meadow.WidenOptions{})
}

// TestEvilPortal is the file that kept every query busy until memory ended: a portal of the ground of gen rts that
// ends at another vertex. With one byte changed, from 4 to 1, the two sides of the portal differ, and the file
// is refused. With both sides changed alike, the file is a mesh with a warning, on which every query ends.
func TestEvilPortal(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("rts", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Terrain: meadow.AutoTerrain()}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	portals := mesh.Tiles[0].Portals
	oneSided, bothSided := 0, 0
	for i := range portals {
		p, back := &portals[i], &portals[portals[i].Back]
		right, left := p.Right, back.Left
		evil := right&^0xff00 | 0x100
		if right>>8 != 4 || mesh.Tiles[0].Vertices[evil].Point == mesh.Tiles[0].Vertices[right].Point {
			continue
		}
		p.Right = evil
		var file bytes.Buffer
		if err := mesh.Write(&file); err == nil || !strings.Contains(err.Error(), "on the other side") {
			t.Fatalf("portal %d: %v, want a portal whose sides differ", i, err)
		}
		oneSided++
		back.Left = evil
		if oneSided%200 == 1 {
			file.Reset()
			if err := mesh.Write(&file); err != nil {
				t.Fatal(err)
			}
			if len(mesh.Warnings()) == 0 {
				t.Errorf("portal %d: no warning", i)
			}
			if !askFile(t, file.Bytes(), uint64(i)) {
				t.Errorf("portal %d: refused", i)
			}
			bothSided++
		}
		p.Right, back.Left = right, left
	}
	if oneSided < 10 || bothSided == 0 {
		t.Errorf("%d portals changed on one side, %d on both", oneSided, bothSided)
	}
}

// edit returns a good file with some changes, five bytes of edits for each; the checksums are right. Half of the
// changes set a byte of a section. The others keep the structure and spoil the geometry: an end of a portal moves to
// another vertex on both sides, a portal moves to another edge, or a vertex moves to where another one is.
func edit(tb testing.TB, good, edits []byte) []byte {
	tb.Helper()
	file := bytes.Clone(good)
	body := bodyOf(good)
	var bends [][5]byte
	for ; len(edits) >= 5; edits = edits[5:] {
		if edits[0]%2 == 0 {
			at := int(edits[1]) | int(edits[2])<<8 | int(edits[3])<<16
			file[body+at%(len(file)-body)] = edits[4]
		} else {
			bends = append(bends, [5]byte(edits))
		}
	}
	sign(file)
	mesh, err := navfile.Decode(file)
	if err != nil || len(bends) == 0 {
		return file
	}
	for _, b := range bends {
		bend(mesh, int(b[0]/2), int(b[1])|int(b[2])<<8, int(b[3])|int(b[4])<<8)
	}
	bent, err := navfile.Encode(mesh)
	if err != nil {
		return file // the structure did not survive
	}
	return bent
}

// bend changes the geometry of the first tile of a mesh.
func bend(mesh *navmesh.Mesh, how, which, to int) {
	t := &mesh.Tiles[0]
	if len(t.Portals) == 0 {
		return
	}
	p := &t.Portals[which%len(t.Portals)]
	v := uint32(to % len(t.Vertices))
	switch back := &t.Portals[p.Back]; how % 4 {
	case 0:
		p.Right, back.Left = v, v
	case 1:
		p.Left, back.Right = v, v
	case 2:
		p.Edge = uint32(to) % t.Regions[back.To].Count
	case 3:
		t.Vertices[which%len(t.Vertices)].Point = t.Vertices[v].Point
	}
}

// FuzzMeshBytes changes good mesh files, see edit, reads them and asks every question, and measures and widens some of
// the meshes.
func FuzzMeshBytes(f *testing.F) {
	race.Skip(f)
	samples := hostileSamples(f)
	for i := range hostileKinds {
		f.Add([]byte{byte(i)})
		f.Add([]byte{byte(i), 0, 0x20, 2, 0, 1, 0, 0x81, 4, 0, 0xff})
		f.Add([]byte{byte(i), 1, 17, 0, 99, 0, 7, 5, 0, 60, 0})
		f.Add([]byte{byte(i), 3, 30, 0, 12, 0, 5, 31, 0, 3, 0, 7, 44, 0, 2, 0})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		file := edit(t, samples[hostileKinds[int(data[0])%len(hostileKinds)]], data[1:])
		seed := uint64(crc32.ChecksumIEEE(data))
		if !askFile(t, file, seed) || seed%8 != 0 {
			return
		}
		mesh, err := meadow.Read(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
		defer cancel()
		askRest(ctx, mesh)
		if ctx.Err() != nil {
			t.Errorf("measuring and widening took more than %v", hostileTime)
		}
	})
}

// TestHostileEdits is FuzzMeshBytes for random changes, for MEADOW_HOSTILE_MINUTES or a few files.
func TestHostileEdits(t *testing.T) {
	race.Skip(t)
	minutes, _ := strconv.ParseFloat(os.Getenv("MEADOW_HOSTILE_MINUTES"), 64)
	seed, _ := strconv.ParseUint(os.Getenv("MEADOW_HOSTILE_SEED"), 10, 64)
	samples := hostileSamples(t)
	begin := time.Now()
	files, meshes, unsound := 0, 0, 0
	for ; files < 60 || time.Since(begin).Minutes() < minutes; files++ {
		rng := rand.New(rand.NewPCG(seed, uint64(files)))
		// The mesh of the ground is the largest, so that it is taken less often.
		kind := hostileKinds[min(rng.IntN(20)/9, len(hostileKinds)-1)]
		edits := make([]byte, 5*(1+rng.IntN(4)))
		for i := range edits {
			edits[i] = byte(rng.Uint32())
		}
		file := edit(t, samples[kind], edits)
		if askFile(t, file, uint64(files)) {
			meshes++
			mesh, err := meadow.Read(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			if !mesh.IsSound() {
				unsound++
			}
			if files%8 == 0 {
				ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
				askRest(ctx, mesh)
				if ctx.Err() != nil {
					t.Errorf("measuring and widening took more than %v", hostileTime)
				}
				cancel()
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d, file %d: %s with edits %v", seed, files, kind, edits)
		}
	}
	if meshes == 0 || unsound == 0 || meshes == files {
		t.Errorf("%d files, %d meshes, %d of them unsound", files, meshes, unsound)
	}
	t.Logf("%d files, %d meshes, %d of them unsound", files, meshes, unsound)
}

// TestHostileMeshes changes single bytes all over the files: every one with MEADOW_HOSTILE=1, every n-th with
// MEADOW_HOSTILE=n.
func TestHostileMeshes(t *testing.T) {
	race.Skip(t)
	step, err := strconv.Atoi(os.Getenv("MEADOW_HOSTILE"))
	if err != nil || step < 1 {
		step = 0
	}
	samples := hostileSamples(t)
	for _, kind := range hostileKinds {
		t.Run(kind, func(t *testing.T) {
			good := samples[kind]
			body := bodyOf(good)
			by := step
			if by == 0 && hostileTries[kind] == 0 {
				t.Skip("a large file: set MEADOW_HOSTILE")
			} else if by == 0 {
				by = (len(good) - body) / hostileTries[kind]
			}
			meshes, refused := 0, 0
			for i := body; i < len(good); i += by {
				for _, v := range [3]byte{good[i] ^ 1, good[i] ^ 0x80, good[i]/4 + 1} {
					file := bytes.Clone(good)
					if file[i] = v; v == good[i] {
						continue
					}
					sign(file)
					if askFile(t, file, uint64(i)) {
						meshes++
					} else {
						refused++
					}
					if t.Failed() {
						t.Fatalf("byte %d changed from %d to %d", i, good[i], v)
					}
				}
			}
			if meshes == 0 || refused == 0 {
				t.Errorf("%d meshes, %d files refused: the files are not changed where it matters", meshes, refused)
			}
		})
	}
}
