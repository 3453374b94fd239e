package level

import (
	"fmt"
	"math"
)

// MaxAreas is how many areas a Ground can tell apart, plain ground among them.
const MaxAreas = 256

// Ground gives the ground of a level: an area number for every triangle, and for painted patches. Area 0 is
// plain ground. Walls, ceilings and other surfaces where nobody stands have numbers too; these have no
// effect.
type Ground struct {
	// Names are the names of the areas, by number. Names[0] names plain ground. At most [MaxAreas].
	Names []string
	// Triangles holds an area for each triangle of the level, in their order; nil stands for 0 everywhere.
	Triangles []uint8
	// Painted are patches over the level. They determine the ground below or on them at every height, and
	// overrule the triangles; of overlapping patches the later counts.
	Painted []Painted
}

// Painted is an area in the plane, seen from above.
type Painted struct {
	Area uint8 // index into Names
	// Rings are closed lines of points on the ground plane, in metres, as [geom.Ground] projects them. The
	// patch is where they wind counter-clockwise more often than clockwise: outer rings run
	// counter-clockwise, holes clockwise.
	Rings [][][2]float64
}

// Of returns the area of a triangle by its number; 0 for a nil Ground and for a number of no triangle. Paint over the
// triangle does not count.
func (g *Ground) Of(triangle int) uint8 {
	if g == nil || triangle < 0 || triangle >= len(g.Triangles) {
		return 0
	}
	return g.Triangles[triangle]
}

// validate reports the first fault of the ground of l: tables of the wrong length, an area without a name,
// empty or repeated names, an invalid ring.
func (g *Ground) validate(l *Level) error {
	if len(g.Names) > MaxAreas {
		return fmt.Errorf("ground: %d names; the limit is %d areas", len(g.Names), MaxAreas)
	}
	seen := make(map[string]int, len(g.Names))
	for i, n := range g.Names {
		if n == "" {
			return fmt.Errorf("ground: area %d has no name", i)
		}
		if k, ok := seen[n]; ok {
			return fmt.Errorf("ground: areas %d and %d have the same name, %q", k, i, n)
		}
		seen[n] = i
	}
	if g.Triangles != nil && len(g.Triangles) != len(l.Triangles) {
		return fmt.Errorf("ground: areas for %d triangles; the level has %d", len(g.Triangles), len(l.Triangles))
	}
	for i, a := range g.Triangles {
		if int(a) >= len(g.Names) {
			return fmt.Errorf("ground: triangle %d: area %d of %d", i, a, len(g.Names))
		}
	}
	for i, p := range g.Painted {
		if int(p.Area) >= len(g.Names) {
			return fmt.Errorf("ground: patch %d: area %d of %d", i, p.Area, len(g.Names))
		}
		for r, ring := range p.Rings {
			if len(ring) < 3 {
				return fmt.Errorf("ground: patch %d: ring %d has %d points", i, r, len(ring))
			}
			for k, v := range ring {
				if d := v[0] - v[0] + v[1] - v[1]; math.IsNaN(d) {
					return fmt.Errorf("ground: patch %d: ring %d: point %d at (%g, %g) is not finite", i, r, k, v[0], v[1])
				}
			}
		}
	}
	return nil
}
