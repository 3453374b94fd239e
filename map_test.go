package meadow_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level/flat"
)

// scenario is a line of a .scen file: cells of a grid, and the length of the shortest path of steps to
// the eight neighbours that cuts no corner.
type scenario struct {
	width, height  int
	x0, y0, x1, y1 int
	octile, slack  float64 // the length, and how far it may be off by its digits
}

func scenarios(t *testing.T, path string) []scenario {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []scenario
	cents := false // version 1.0 has two digits behind the point, version 1 six in all
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 9 {
			cents = cents || lines.Text() == "version 1.0"
			continue
		}
		var n [6]int
		for i := range n {
			if n[i], err = strconv.Atoi(fields[2+i]); err != nil {
				t.Fatalf("%s: %q: %v", path, lines.Text(), err)
			}
		}
		length, err := strconv.ParseFloat(fields[8], 64)
		if err != nil {
			t.Fatalf("%s: %q: %v", path, lines.Text(), err)
		}
		slack := 0.005
		if !cents {
			slack = 0.5 * math.Pow(10, math.Floor(math.Log10(max(length, 1)))-5)
		}
		all = append(all, scenario{n[0], n[1], n[2], n[3], n[4], n[5], length, slack + 1e-6})
	}
	return all
}

// stretched returns a grid in the size that scenarios are stated in: some count on a stretched grid.
func stretched(t *testing.T, path string, width, height int) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(strings.ReplaceAll(string(data), "\r", ""), "map\n")
	rows := strings.Fields(body)
	if len(rows) == height && len(rows[0]) == width {
		return string(data)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "type octile\nheight %d\nwidth %d\nmap\n", height, width)
	for y := range height {
		row := rows[y*len(rows)/height]
		for x := range width {
			b.WriteByte(row[x*len(row)/width])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestGridScenarios builds the grids of the Moving AI benchmarks and walks their scenarios: each has a
// path, no longer than the best one over the centres of cells and no shorter than the straight line.
func TestGridScenarios(t *testing.T) {
	race.Skip(t)
	files := reallevels.Glob(t, "grid/*.map")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			all := scenarios(t, file+".scen")
			if len(all) == 0 {
				t.Fatal("no scenarios")
			}
			text := stretched(t, file, all[0].width, all[0].height)
			m, err := flat.Decode(strings.NewReader(text), file, flat.Options{})
			if err != nil {
				t.Fatal(err)
			}
			mesh, err := meadow.BuildMap(t.Context(), m, meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius}}, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if faults := mesh.Validate(); len(faults) > 0 {
				t.Fatalf("%d faults, the first: %v", len(faults), faults[0])
			}
			if lost := mesh.Report().Lost; lost != 0 {
				t.Errorf("%g m² of the grid are in no region", lost)
			}
			q := mesh.NewQuery()
			shorter, want := 0, 200
			for i := 0; i < len(all); i += max(1, len(all)/want) {
				s := all[i]
				start := meadow.Vec{X: float64(s.x0) + 0.5, Z: float64(s.y0) + 0.5}
				goal := meadow.Vec{X: float64(s.x1) + 0.5, Z: float64(s.y1) + 0.5}
				path, err := q.Path(t.Context(), start, goal)
				if err != nil || !path.Complete {
					t.Fatalf("scenario %d: from %v to %v: complete %v, %v", i, start, goal, path.Complete, err)
				}
				if straight := start.Distance(goal); path.Length > s.octile+s.slack || path.Length < straight-1e-9 {
					t.Errorf("scenario %d: from %v to %v: %.6f, over cells %.6f, straight %.6f", i, start, goal, path.Length, s.octile, straight)
				}
				if path.Length < s.octile-s.slack {
					shorter++
				}
			}
			if shorter == 0 {
				t.Error("no path is shorter than that over cells")
			}
		})
	}
}

// TestMapParts keeps and drops parts of a map.
func TestMapParts(t *testing.T) {
	const text = "0 0\n9 0\n9 9\n0 9\n\n20 0\n22 0\n22 2\n20 2\n\n30 0\n31 0\n31 1\n30 1\n"
	m, err := flat.Decode(strings.NewReader(text), "three.poly", flat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		opt     meadow.FloorOptions
		area    float64
		dropped []float64
	}{
		{"all", meadow.FloorOptions{}, 86, nil},
		{"all, said so", meadow.FloorOptions{KeepAll: true}, 86, nil},
		{"large ones", meadow.FloorOptions{KeepArea: 1.5}, 85, []float64{1}},
		{"by seed", meadow.FloorOptions{Keep: []meadow.Vec{{X: 21, Y: 50, Z: -1}}}, 4, []float64{81, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.opt.Agent.Radius = meadow.PointRadius
			mesh, err := meadow.BuildMap(t.Context(), m, test.opt, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if faults := mesh.Validate(); len(faults) > 0 {
				t.Fatal(faults[0])
			}
			r := mesh.Report()
			if r.Area != test.area || r.Components != 3-len(test.dropped) || r.Extractor != "flat" || r.Level != "three" {
				t.Errorf("%+v", r)
			}
			var dropped []float64
			for _, p := range r.Dropped {
				dropped = append(dropped, p.Area)
			}
			if fmt.Sprint(dropped) != fmt.Sprint(test.dropped) {
				t.Errorf("dropped %v, want %v", dropped, test.dropped)
			}
		})
	}
	if m.Plan.Components != 3 || len(m.Plan.Layers[0].Domains) != 3 || m.Plan.Agent != (geom.Agent{}) {
		t.Error("the map was changed")
	}
	for name, opt := range map[string]meadow.FloorOptions{
		"no walkable area at (50.000, 0.000, 0.000)": {Keep: []meadow.Vec{{X: 50}}},
		"no part is larger than 100 m²":              {KeepArea: 100},
		"Simplify is NaN":                            {Simplify: math.NaN()},
	} {
		if _, err := meadow.BuildMap(t.Context(), m, opt, meadow.MeshOptions{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %q", err, name)
		}
	}
	if _, err := meadow.BuildMap(t.Context(), nil, meadow.FloorOptions{}, meadow.MeshOptions{}); err == nil {
		t.Error("no map, no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := meadow.BuildMap(ctx, m, meadow.FloorOptions{}, meadow.MeshOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped build: %v", err)
	}
}

// TestMapRadius compares floors of maps with the distances of places from the drawn border, and with the mesh for a point,
// widened.
func TestMapRadius(t *testing.T) {
	const rooms = "type octile\nheight 7\nwidth 9\nmap\n....@....\n....@....\n.........\n....@....\n....@....\n.@.......\n.......@.\n"
	for _, name := range []string{"rooms.map", "disc.svg"} {
		text := rooms
		if name == "disc.svg" {
			text = `<svg viewBox="0 0 9 9"><path d="M0 0H9V7H0Z"/><circle class="wall" cx="4" cy="3" r="1.7"/><rect class="wall" x="6" y="-1" width="0.5" height="5"/></svg>`
		}
		m, err := flat.Decode(strings.NewReader(text), name, flat.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var walls [][2]meadow.Vec
		for _, d := range m.Plan.Layers[0].Domains {
			for _, ring := range d.Rings {
				for k, p := range ring {
					walls = append(walls, [2]meadow.Vec{m.Plan.Frame.ToWorld(p, 0), m.Plan.Frame.ToWorld(ring[(k+1)%len(ring)], 0)})
				}
			}
		}
		point, err := meadow.BuildMap(t.Context(), m, meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius}}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		drawn := point.NewQuery()
		for _, radius := range []float64{0.1, 0.4, 0.9} {
			mesh, err := meadow.BuildMap(t.Context(), m, meadow.FloorOptions{Agent: meadow.Agent{Radius: radius}}, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if faults := mesh.Validate(); len(faults) > 0 {
				t.Fatalf("%s, radius %g: %v", name, radius, faults[0])
			}
			q, free, taken := mesh.NewQuery(), 0, 0
			for x := 0.05; x < 9; x += 0.13 {
				for z := 0.05; z < 7; z += 0.13 {
					at := meadow.Vec{X: x, Z: z}
					if _, ok := drawn.Locate(at); !ok {
						continue
					}
					near := math.Inf(1)
					for _, w := range walls {
						along := w[1].Sub(w[0])
						s := min(max(at.Sub(w[0]).Dot(along)/along.Dot(along), 0), 1)
						near = min(near, at.Distance(w[0].Add(along.Scale(s))))
					}
					_, in := q.Locate(at)
					if near < radius-0.002 && in || near > radius+0.055 && !in {
						t.Fatalf("%s, radius %g: %v is %g m from the walls: on the floor %v", name, radius, at, near, in)
					}
					if in {
						free++
					} else {
						taken++
					}
				}
			}
			if free == 0 || taken == 0 {
				t.Errorf("%s, radius %g: %d places free, %d taken", name, radius, free, taken)
			}
			wide, err := point.Widen(t.Context(), radius, meadow.WidenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := mesh.Area(), wide.Area(); math.Abs(a-b) > 0.01 || mesh.Components != wide.Components {
				t.Errorf("%s, radius %g: %g m² in %d parts, widened %g m² in %d", name, radius, a, mesh.Components, b, wide.Components)
			}
		}
		_, err = meadow.BuildMap(t.Context(), m, meadow.FloorOptions{Agent: meadow.Agent{Radius: 4}}, meadow.MeshOptions{})
		if want := "an agent of radius 4 m fits nowhere"; !errors.Is(err, meadow.ErrNoFloor) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
		// The error names the largest agent that fits somewhere, to a centimetre.
		var admits float64
		_, tail, _ := strings.Cut(err.Error(), "admits ")
		if _, err := fmt.Sscanf(tail, "%f m", &admits); err != nil || admits <= 0 {
			t.Fatalf("%s: %q names no widest place", name, tail)
		}
		for radius, fits := range map[float64]bool{admits: true, admits + 0.02: false} {
			_, err := meadow.BuildMap(t.Context(), m, meadow.FloorOptions{Agent: meadow.Agent{Radius: radius}}, meadow.MeshOptions{})
			if fits != (err == nil) {
				t.Errorf("%s: an agent of %g m: %v", name, radius, err)
			}
		}
	}
}

func TestOpenMap(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "one.map")
	if err := os.WriteFile(path, []byte("type octile\nheight 1\nwidth 1\nmap\n.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := meadow.OpenMap(path, flat.Options{Scale: 3})
	if err != nil || m.Name != "one" || len(m.Plan.Layers) != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := meadow.Open(path); err == nil || !strings.HasSuffix(err.Error(), "one.map: is a two-dimensional map: OpenMap reads maps") {
		t.Errorf("a map in place of a level: %v", err)
	}
	if _, err := meadow.OpenMap(filepath.Join(dir, "none.map"), flat.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.map"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := meadow.OpenMap(filepath.Join(dir, "folder.map"), flat.Options{}); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if err := os.WriteFile(path, []byte("type octile\nheight 1\nwidth 1\nmap\n?\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := meadow.OpenMap(path, flat.Options{}); err == nil || !strings.HasPrefix(err.Error(), path+": map: line 5") {
		t.Errorf("a bad cell: %v", err)
	}
	if meadow.IsMap("a.obj") || !meadow.IsMap("dir.x/A.GeoJSON") {
		t.Error("extensions are mixed up")
	}
	for text, want := range map[string]bool{"image: a.pgm\n": true, "meshes: []\n": false} {
		path := filepath.Join(dir, "a.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if meadow.IsMap(path) != want {
			t.Errorf("%q: a map is %v", text, !want)
		}
	}
}
