package brep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/internal/solid"
	"github.com/meadow-nav/meadow/level"
)

// This file keeps travellers out of volumes and off things that a designer names (section 3.3.3): water, glass, railings.
//
// A name is the name of an object, of a material, or the name or the kind of a marker, in any case. Nobody stands on a face
// of such a material, or on a solid of such an object; no floor is inside of a solid where nobody stands, or in the volume of
// such a marker.
// A marker's volume goes upright from its lowest to its highest corner, over the hull of its corners seen from above; floors
// on the border of the volume are inside.
//
// Guarantees: floors end at the volume, by the radius in a plan, and nothing else changes: TestAvoid. An unknown name is an
// error: TestAvoidErrors.

// avoids tells what the names of a list mean in a level.
type avoids struct {
	objects   []bool // of the level
	materials map[string]bool
	markers   []int
}

// readAvoids looks names up in a level.
func readAvoids(lvl *level.Level, names []string) (avoids, error) {
	a := avoids{objects: make([]bool, len(lvl.Objects)), materials: make(map[string]bool)}
	marked := make([]bool, len(lvl.Markers))
	for _, name := range names {
		found := false
		if name == "" {
			return a, fmt.Errorf("brep: level %q: the name of a thing to avoid is empty", lvl.Name)
		}
		for i := range lvl.Objects {
			if strings.EqualFold(lvl.Objects[i].Name, name) {
				a.objects[i], found = true, true
			}
		}
		for i := range lvl.Materials {
			if strings.EqualFold(lvl.Materials[i].Name, name) {
				a.materials[lvl.Materials[i].Name], found = true, true
			}
		}
		for i := range lvl.Markers {
			if strings.EqualFold(lvl.Markers[i].Name, name) || strings.EqualFold(lvl.Markers[i].Kind, name) {
				marked[i], found = true, true
			}
		}
		if !found {
			return a, fmt.Errorf("brep: level %q: no object, material or marker to avoid is called %.80q", lvl.Name, name)
		}
	}
	for i, m := range marked {
		if m {
			a.markers = append(a.markers, i)
		}
	}
	return a, nil
}

// keepOut makes the volumes where no floor is: of markers, and of avoided bodies.
func (w *world) keepOut(lvl *level.Level, a *avoids) error {
	for _, i := range a.markers {
		c, err := w.markerVolume(&lvl.Markers[i])
		if err != nil {
			return fmt.Errorf("brep: level %q: marker %d %.80q: %w", lvl.Name, i, lvl.Markers[i].Name, err)
		}
		w.excluded = append(w.excluded, c)
	}
	for i := range w.bodies {
		b := &w.bodies[i]
		all := true
		for f, id := range b.planes {
			all = all && (w.space.Plane(id).N[2] <= 0 || w.isAvoided(b, f))
		}
		if b.avoided = all; all {
			w.excluded = append(w.excluded, b.cutter())
		}
	}
	return nil
}

// markerVolume returns the upright volume of a marker.
func (w *world) markerVolume(m *level.Marker) (cutter, error) {
	var at []lattice.Point
	var low, high int32
	for k, v := range m.Hull {
		p, z, ok := w.frame.FromWorld(v)
		if !ok {
			return cutter{}, fmt.Errorf("its corner at (%.3f, %.3f, %.3f) is outside of the lattice", v.X, v.Y, v.Z)
		}
		at = append(at, p)
		if k == 0 {
			low, high = z, z
		}
		low, high = min(low, z), max(high, z)
	}
	ring := lattice.Hull(at)
	if len(ring) < 3 || low == high {
		return cutter{}, fmt.Errorf("it has no volume")
	}
	up := solid.Plane{N: [3]int32{0, 0, solid.NormalScale}, D: int64(high)}
	down := solid.Plane{N: [3]int32{0, 0, solid.NormalScale}, D: int64(low)}.Opposite()
	planes := []int32{w.space.Add(up), w.space.Add(down)}
	box := solid.EmptyBox()
	for k, p := range ring {
		q := ring[(k+1)%len(ring)]
		box = box.Union(solid.Box{Low: [3]float64{float64(p.X), float64(p.Y), float64(low)}, High: [3]float64{float64(p.X), float64(p.Y), float64(high)}})
		side, ok := uprightPlane(float64(int64(q.Y)-int64(p.Y)), float64(int64(p.X)-int64(q.X)), [3]float64{float64(p.X), float64(p.Y), 0})
		if !ok {
			return cutter{}, fmt.Errorf("it is outside of the lattice")
		}
		planes = append(planes, w.space.Add(side))
	}
	return w.volume(planes, box), nil
}

// outside returns the parts of polygons outside of all volumes to avoid.
func (w *world) outside(list []solid.Polygon) []solid.Polygon {
	if len(w.excluded) == 0 {
		return list
	}
	c := carver{w: w, cutters: func(k int32) cutter { return w.excluded[k] }, wins: func(int32, int) bool { return false }}
	all := make([]int32, len(w.excluded))
	for i := range all {
		all[i] = int32(i)
	}
	for _, p := range list {
		c.carve(p, all)
	}
	return c.outside
}

// isAvoided reports whether face f of b is a face that nobody may stand on by its name.
func (w *world) isAvoided(b *body, f int) bool {
	return b.avoided || w.avoid.materials[b.materials[f].name]
}

// avoidedFace reports whether a plane is such a face of a body.
func (w *world) avoidedFace(b *body, plane int32) bool {
	f := slices.Index(b.planes, plane)
	return f >= 0 && w.isAvoided(b, f)
}
