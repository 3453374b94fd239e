package gaps

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// TestLookInwards draws triangles with sharp corners. The way inwards from each edge covers the edge, and leads out of the triangle by no more
// than a hair along the edge.
func TestLookInwards(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var f Face
		for k := range f.V {
			f.V[k] = geom.Vec{X: rng.Float64(), Y: 0.3 * rng.Float64(), Z: rng.Float64() * math.Pow(0.1, float64(rng.IntN(3)))}
		}
		if turn(pointOf(f.V[0]), pointOf(f.V[1]), pointOf(f.V[2])) < 0 {
			f.V[1], f.V[2] = f.V[2], f.V[1]
		}
		b := bridging{faces: []Face{f}}
		for k := range 3 {
			e := brink{a: pointOf(f.V[k]), b: pointOf(f.V[(k+1)%3])}
			l := e.length()
			if l < Hair {
				continue
			}
			whole := 0.0
			for _, way := range b.inside(&e) {
				whole += way.of.to - way.of.from
				for _, p := range [2]point{way.from, way.to} {
					if !f.holdsBeside(p, (e.b.x-e.a.x)/l*Hair, (e.b.y-e.a.y)/l*Hair) {
						t.Fatalf("%v: the way from edge %d leads to %v", f.V, k, p)
					}
				}
			}
			if math.Abs(whole-1) > 1e-9 {
				t.Fatalf("%v: the way from edge %d covers %g of it", f.V, k, whole)
			}
		}
	}
}

// holdsBeside reports whether a stretch around a place, as long as a vector to either side, has a part over the face.
func (f *Face) holdsBeside(p point, x, y float64) bool {
	on := part{0, 1}
	a, b := point{x: p.x - 1.001*x, y: p.y - 1.001*y}, point{x: p.x + 1.001*x, y: p.y + 1.001*y}
	for k := range 3 {
		c, d := pointOf(f.V[k]), pointOf(f.V[(k+1)%3])
		on.keep(turn(c, d, a)+1e-12, turn(c, d, b)+1e-12)
	}
	return on.from <= on.to
}

// TestNoBridgeAtARightAngle has two floors whose edges stand at a right angle, less what rounding turns. Normals of one edge, half a millimetre
// of it, lead to the other edge, and make no bridge.
func TestNoBridgeAtARightAngle(t *testing.T) {
	at := func(x, y float64) geom.Vec { return geom.Vec{X: x, Z: -y} }
	floors := []Face{
		{V: [3]geom.Vec{at(0, -1), at(1, -1), at(1, 0)}},
		{V: [3]geom.Vec{at(0, -1), at(1, 0), at(0, 0)}},
		{V: [3]geom.Vec{at(1, 0.01), at(2, 0.01), at(2, 0.2)}},
		{V: [3]geom.Vec{at(1, 0.01), at(2, 0.2), at(0.9995, 0.2)}},
	}
	agent := geom.Agent{Radius: 0.3, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.3}
	if b := Find(floors, agent, Options{}).Bridges; len(b) > 0 {
		t.Errorf("%d bridges, first %v", len(b), b[0].V)
	}
}

// TestThinBars has the level bars of a grating. Bridges lead from each bar to the next and no farther, down to bars of two millimetres, below which no edge has normals.
func TestThinBars(t *testing.T) {
	const bars, gap = 12, 0.025
	at := func(x, y float64) geom.Vec { return geom.Vec{X: x, Z: -y} }
	agent := geom.Agent{Radius: 0.3, Height: 2, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.3}
	for _, wide := range []float64{0.0022, 0.0035, 0.01} {
		var floors []Face
		for i := range bars {
			x := float64(i) * (wide + gap)
			floors = append(floors, Face{V: [3]geom.Vec{at(x, 0), at(x+wide, 0), at(x+wide, 1)}}, Face{V: [3]geom.Vec{at(x, 0), at(x+wide, 1), at(x, 1)}})
		}
		for _, b := range Find(floors, agent, Options{}).Bridges {
			if long := max(b.V[0].X, b.V[1].X, b.V[2].X) - min(b.V[0].X, b.V[1].X, b.V[2].X); long > 1.1*gap {
				t.Errorf("bars of %g m have a bridge of %g m", wide, long)
				break
			}
		}
	}
}
