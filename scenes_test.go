package meadow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
)

// sceneTruths are the scenes of testdata/scenes of which the right answer is known on paper, for an agent of 2 m that
// climbs 0.9 m on slopes of up to 45°.
var sceneTruths = []struct {
	name string
	// components returns the number of connected floors by radius, 0 where paper does not say.
	components func(radius float64) int
	// steep is the height of steep patches that count as steps, in metres.
	steep float64
	// rise is how far a path from the lowest to the highest floor leads up, in metres, 0 where there is none.
	rise float64
	// blocked reports whether a place, in the coordinates of the file, is nearer to a wall than a distance.
	blocked func(p geom.Vec, distance float64) bool
}{
	{name: "S1", components: one, rise: 18},
	{name: "S2a", rise: 3, components: func(radius float64) int {
		// From the ramp to the lower floor leads a way between the corner at z 12.3 and the slanting edge, 0.854 m apart.
		if 2*radius < 0.85 {
			return 1
		}
		return 2
	}},
	{name: "S2b", components: one, rise: 12},
	{name: "S2f", components: func(float64) int { return 2 }},
	{name: "S5", steep: 0.6, components: func(radius float64) int {
		switch radius {
		case 0: // the floor, the strip of 0.4 m behind the wall, the ramp with the cap
			return 3
		case 0.3: // no strip, no cap
			return 2
		case 0.6: // no ramp
			return 1
		}
		return 0 // the cap, or the ramp with it, is exactly as wide as the agent
	}, blocked: func(p geom.Vec, distance float64) bool {
		return p.Y < 1 && math.Abs(p.X-1.8) < distance
	}},
	{name: "S6c", rise: 18, components: func(radius float64) int {
		if radius < 0.6 {
			return 1
		}
		return 0 // the landings are exactly as wide as the agent
	}},
}

func one(float64) int { return 1 }

// placing is a scene turned about the vertical axis, mirrored, and scaled together with the agent.
type placing struct {
	degrees  float64
	mirrored bool
	scale    float64
}

func (p placing) String() string {
	return fmt.Sprintf("turned by %g°, mirrored %v, scaled by %g", p.degrees, p.mirrored, p.scale)
}

// place takes a point of the file to the level, and back takes it back.
func (p placing) place(v geom.Vec) geom.Vec {
	if p.mirrored {
		v.X = -v.X
	}
	sin, cos := math.Sincos(p.degrees * math.Pi / 180)
	return geom.Vec{X: p.scale * (cos*v.X + sin*v.Z), Y: p.scale * v.Y, Z: p.scale * (cos*v.Z - sin*v.X)}
}

func (p placing) back(v geom.Vec) geom.Vec {
	sin, cos := math.Sincos(p.degrees * math.Pi / 180)
	v = geom.Vec{X: (cos*v.X - sin*v.Z) / p.scale, Y: v.Y / p.scale, Z: (cos*v.Z + sin*v.X) / p.scale}
	if p.mirrored {
		v.X = -v.X
	}
	return v
}

// level returns a level in the placing. Its triangles alone move: markers and solids stay behind.
func (p placing) level(lvl *level.Level) *level.Level {
	out := &level.Level{Name: lvl.Name, Materials: lvl.Materials, Triangles: slices.Clone(lvl.Triangles)}
	for _, v := range lvl.Vertices {
		out.Vertices = append(out.Vertices, p.place(v))
	}
	if p.mirrored {
		for i, c := range out.Triangles {
			out.Triangles[i].B, out.Triangles[i].C = c.C, c.B
		}
	}
	return out
}

// agent returns an agent in the placing. A radius of 0 is that of a point.
func (p placing) agent(a meadow.Agent) meadow.Agent {
	a.Radius, a.Height, a.MaxClimb, a.MaxGap = p.scale*a.Radius, p.scale*a.Height, p.scale*a.MaxClimb, p.scale*a.MaxGap
	if a.Radius == 0 {
		a.Radius = meadow.PointRadius
	}
	return a
}

// placings are those that each scene is built in.
var placings = []placing{
	{0, false, 1},
	{0, true, 1},
	{90, false, 1},
	{45, false, 1},
	{30, true, 1},
	{0.02, false, 1},
	{7, false, 1},
	{63, true, 1},
	{37, false, 1},
	{19, false, 2},
	{0, false, 2},
	{71, true, 0.5},
}

// manyPlacings returns the placings, some of them where tests are slow, and as many random placings as MEADOW_PLACINGS says.
func manyPlacings(t *testing.T) []placing {
	t.Helper()
	s := os.Getenv("MEADOW_PLACINGS")
	switch {
	case s == "" && testing.Short():
		return placings[:4]
	case s == "":
		return placings
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	many := slices.Clone(placings)
	r := rand.New(rand.NewPCG(1, 14))
	for range n {
		p := placing{90 * r.Float64(), r.IntN(2) == 0, []float64{0.5, 1, 1, 2}[r.IntN(4)]}
		if r.IntN(2) == 0 {
			p.degrees = math.Round(p.degrees)
		}
		many = append(many, p)
	}
	return many
}

// TestScenes builds the scenes for five radii in all placings and compares with the truths on paper: the number of
// components, the heights on both sides of portals and everywhere under corners, the distance from walls.
func TestScenes(t *testing.T) {
	race.Skip(t)
	for _, truth := range sceneTruths {
		lvl, err := meadow.Open(filepath.Join("testdata", "scenes", truth.name+".obj"))
		if err != nil {
			t.Fatal(err)
		}
		for _, radius := range []float64{0, 0.1, 0.3, 0.5, 0.6} {
			t.Run(fmt.Sprintf("%s, radius %g", truth.name, radius), func(t *testing.T) {
				faults := map[string][]string{} // by law
				for _, p := range manyPlacings(t) {
					s := scene{placing: p, file: lvl, radius: radius}
					s.build(t)
					add := func(law, format string, args ...any) {
						faults[law] = append(faults[law], fmt.Sprintf("%v: ", p)+fmt.Sprintf(format, args...))
					}
					if want := truth.components(radius); want > 0 && s.components() != want {
						add("components", "%d components, want %d", s.components(), want)
					}
					for _, f := range s.mesh.Validate() {
						add("validity", "%v", f)
					}
					s.checkHeights(truth.steep, add)
					if truth.blocked != nil {
						s.checkBorder(truth.blocked, add)
					}
					if truth.rise > 0 && truth.components(radius) == 1 {
						s.checkPath(t, truth.rise, add)
					}
				}
				for _, law := range []string{"components", "validity", "heights", "border", "path"} {
					if all := faults[law]; len(all) > 0 {
						t.Errorf("%s: %d faults, such as\n%s", law, len(all), strings.Join(all[:min(len(all), 3)], "\n"))
					}
				}
			})
		}
	}
}

// scene is a scene in a placing.
type scene struct {
	placing
	file   *level.Level
	radius float64
	mesh   *meadow.Mesh
}

// build makes the mesh of a scene.
func (s *scene) build(t *testing.T) {
	t.Helper()
	opt := meadow.FloorOptions{
		Agent:   s.agent(meadow.Agent{Radius: s.radius, Height: 2, MaxClimb: 0.9, MaxSlope: meadow.Degrees(45), MaxGap: crack}),
		KeepAll: true, Jobs: 1,
	}
	mesh, err := meadow.BuildWith(t.Context(), s.level(s.file), opt, meadow.MeshOptions{Jobs: 1})
	if err != nil {
		t.Fatalf("%v: %v", s.placing, err)
	}
	s.mesh = mesh
}

// components returns the number of connected parts of the mesh.
func (s *scene) components() int {
	found := map[uint32]bool{}
	for _, r := range s.mesh.Tiles[0].Regions {
		found[r.Component] = true
	}
	return len(found)
}

// vertex returns a vertex of the mesh in the coordinates of the file.
func (s *scene) vertex(i uint32) geom.Vec {
	v := s.mesh.Tiles[0].Vertices[i]
	return s.back(s.mesh.Frame.ToWorld(v.Point, v.Z))
}

// checkHeights verifies that every vertex is on the level, that no edge leads to another storey, and that the two floors
// at both ends of a portal are within a step.
func (s *scene) checkHeights(steep float64, add func(law, format string, args ...any)) {
	const few = 0.02 // metres
	tile := &s.mesh.Tiles[0]
	for i := range tile.Regions {
		corners := tile.RegionCorners(i)
		for k, c := range corners {
			v, next := s.vertex(c), s.vertex(corners[(k+1)%len(corners)])
			if s.off(v) > few {
				add("heights", "region %d: the corner %.3f is %.3f m off the level", i, v, s.off(v))
			}
			if run := math.Hypot(next.X-v.X, next.Z-v.Z); math.Abs(next.Y-v.Y) > run+0.9+steep+few {
				add("heights", "region %d: the edge from %.3f to %.3f leads to another storey", i, v, next)
			}
		}
		for _, p := range tile.RegionPortals(i) {
			back := &tile.Portals[p.Back]
			for _, ends := range [2][2]uint32{{p.Left, back.Right}, {p.Right, back.Left}} {
				here, there := s.vertex(ends[0]), s.vertex(ends[1])
				if math.Abs(here.Y-there.Y) > 0.9+few {
					add("heights", "region %d: a portal at %.3f has a step to %.3f m", i, here, there.Y)
				}
			}
		}
	}
}

// off returns how far above or below the floors of the level a place is, in metres: 0 between two floors that are no more
// than a step apart, where a crack or a step is bridged.
func (s *scene) off(p geom.Vec) float64 {
	least, below, above := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, c := range s.file.Triangles {
		a, b, d := s.file.Vertices[c.A], s.file.Vertices[c.B], s.file.Vertices[c.C]
		b, d = b.Sub(a), d.Sub(a)
		q := p.Sub(a)
		det := b.X*d.Z - b.Z*d.X
		if det == 0 {
			continue
		}
		// Barycentric coordinates on the ground, with some millimetres around the triangle.
		longest := max(math.Hypot(b.X, b.Z), math.Hypot(d.X, d.Z), math.Hypot(d.X-b.X, d.Z-b.Z))
		around := 0.003 * longest / math.Abs(det)
		u, v := (q.X*d.Z-q.Z*d.X)/det, (b.X*q.Z-b.Z*q.X)/det
		if u < -around || v < -around || u+v > 1+around {
			continue
		}
		height := u*b.Y + v*d.Y - q.Y
		least = min(least, math.Abs(height))
		if height <= 0 {
			below = max(below, height)
		} else {
			above = min(above, height)
		}
	}
	if above-below <= 0.9 {
		return 0
	}
	return least
}

// checkBorder verifies that no vertex is nearer to a wall than the radius, nor a place between two corners.
func (s *scene) checkBorder(blocked func(p geom.Vec, distance float64) bool, add func(law, format string, args ...any)) {
	const few = 0.003
	tile := &s.mesh.Tiles[0]
	for i := range tile.Regions {
		corners := tile.RegionCorners(i)
		for k, c := range corners {
			a, b := s.vertex(c), s.vertex(corners[(k+1)%len(corners)])
			for _, f := range []float64{0, 0.25, 0.5, 0.75} {
				if p := a.Add(b.Sub(a).Scale(f)); blocked(p, s.radius-few) {
					add("border", "region %d: %.3f is too near to a wall", i, p)
				}
			}
		}
	}
}

// checkPath verifies that a path leads from the lowest region to the highest.
func (s *scene) checkPath(t *testing.T, rise float64, add func(law, format string, args ...any)) {
	t.Helper()
	low, high := geom.Vec{Y: math.Inf(1)}, geom.Vec{Y: math.Inf(-1)}
	tile := &s.mesh.Tiles[0]
	for i := range tile.Regions {
		var middle geom.Vec
		for _, c := range tile.RegionCorners(i) {
			middle = middle.Add(s.vertex(c))
		}
		middle = middle.Scale(1 / float64(tile.Regions[i].Count))
		if middle.Y < low.Y {
			low = middle
		}
		if middle.Y > high.Y {
			high = middle
		}
	}
	path, err := s.mesh.NewQuery().Path(t.Context(), s.place(low), s.place(high))
	if err != nil || !path.Complete {
		add("path", "from %.3f to %.3f: complete %v, %v", low, high, path.Complete, err)
		return
	}
	if got := (path.Points[len(path.Points)-1].Y - path.Points[0].Y) / s.scale; math.Abs(got-rise) > 1.2 {
		add("path", "it rises %.3f m, want %g m", got, rise)
	}
}
