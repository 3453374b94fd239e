package brep

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/lab/internal/solid"
	"github.com/meadow-nav/meadow/level"
)

// world is a level as convex solids on the lattice.
type world struct {
	frame  lattice.Frame
	space  *solid.Space
	bodies []body                 // in canonical order
	tree   *boxtree.Tree[float64] // of their boxes
	first  []int                  // faces of all bodies before each
	// thin is how many solids are too thin for the lattice and are left out.
	thin  int
	avoid avoids
	// excluded are volumes without a floor.
	excluded []cutter
	// sheets are the triangles of the level that belong to no solid.
	sheets []int
}

// body is a solid with the materials of its faces.
type body struct {
	solid.Solid
	planes    []int32 // of each face
	opposites []int32
	materials []material // of the faces
	terrain   bool       // a prism below a triangle of terrain
	avoided   bool       // of an object that nobody stands on
	// hidden marks the faces without a triangle of the level: faces that nobody can reach, such as the roof of a closed
	// map. Nil where solids were recognised from triangles.
	hidden []bool
}

// material is the material of a face. Names decide, so the order of a table never does.
type material struct {
	name  string
	index int32
}

// shape is a solid on its way to the lattice.
type shape struct {
	planes  []solid.Plane
	names   []material
	terrain bool
	avoided bool
}

// reading says how to read a level.
type reading struct {
	prisms    bool     // the triangles besides solids that look up are terrain
	tolerance float64  // in metres, 0 for the default
	avoid     []string // see [readAvoids]
}

// readWorld moves the solids of a level to the lattice. A level without solids is taken apart into solids, see
// [recogniser.all]. Other triangles of a level with solids become solids where they are convex; the rest are sheets,
// unless they are terrain.
func readWorld(ctx context.Context, lvl *level.Level, how reading) (*world, error) {
	if !(how.tolerance >= 0 && how.tolerance <= 1) {
		return nil, fmt.Errorf("brep: a tolerance of %g m, must be 0 to 1", how.tolerance)
	}
	if how.tolerance == 0 {
		how.tolerance = DefaultTolerance
	}
	if err := lvl.Validate(); err != nil {
		return nil, err
	}
	frame, err := frameOf(lvl)
	if err != nil {
		return nil, err
	}
	avoid, err := readAvoids(lvl, how.avoid)
	if err != nil {
		return nil, err
	}
	r := newRecogniser(lvl, frame, how.tolerance)
	r.avoided = avoid.objects
	w := &world{frame: frame, avoid: avoid}
	var shapes []shape
	if len(lvl.Solids) == 0 {
		if shapes, err = r.all(ctx); err != nil {
			return nil, err
		}
		if err := w.settle(lvl.Name, shapes); err != nil {
			return nil, err
		}
		return w, w.keepOut(lvl, &avoid)
	}
	if shapes, err = readSolids(lvl, frame); err != nil {
		return nil, err
	}
	if err := w.settle(lvl.Name, shapes); err != nil {
		return nil, err
	}
	if left := w.explain(r); len(left) > 0 {
		var more []shape
		more, w.sheets = r.besides(left, how.prisms)
		if err := w.settle(lvl.Name, append(shapes, more...)); err != nil {
			return nil, err
		}
		w.explain(r)
	}
	return w, w.keepOut(lvl, &avoid)
}

// explain returns the triangles that are on no face of a solid, and finds the faces that no triangle is on.
func (w *world) explain(r *recogniser) []int {
	for i := range w.bodies {
		w.bodies[i].hidden = slices.Repeat([]bool{true}, len(w.bodies[i].Faces))
	}
	const near = 2 * flat // a plane is rounded, and so may the corners be
	var left []int
	var found []int32
	for t := range r.lvl.Triangles {
		box := solid.EmptyBox()
		var at [3][3]float64
		for k, v := range r.corners(t) {
			at[k] = r.at[v]
			box = box.Union(solid.Box{Low: at[k], High: at[k]})
		}
		for k := range 3 {
			box.Low[k] -= near
			box.High[k] += near
		}
		found = w.tree.IDs(&box, found[:0])
		explained := false
		for _, i := range found {
			if f := w.bodies[i].carries(w.space, at, near); f >= 0 {
				w.bodies[i].hidden[f] = false
				explained = true
			}
		}
		if !explained {
			left = append(left, t)
		}
	}
	return left
}

// carries returns the face of b with three points on it, up to a distance, or -1. Of several faces it takes the best match
// for the direction of the points' triangle.
func (b *body) carries(s *solid.Space, at [3][3]float64, near float64) int {
	best, most := -1, 0.0
	n := cross(sub(at[1], at[0]), sub(at[2], at[0]))
	for f, id := range b.planes {
		p := s.Plane(id)
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range at {
			d := above(p, v)
			low, high = min(low, d), max(high, d)
		}
		if high > near {
			return -1
		}
		if along := dot(n, [3]float64{float64(p.N[0]), float64(p.N[1]), float64(p.N[2])}); low >= -near && along > most {
			best, most = f, along
		}
	}
	return best
}

// mayStand reports whether an agent may stand on face f of b: it is not too steep, it can be reached, and it
// is not avoided.
func (w *world) mayStand(b *body, f int, limit geom.SlopeLimit) bool {
	return w.walkable(b.planes[f], limit) && (b.hidden == nil || !b.hidden[f]) && !w.isAvoided(b, f)
}

// settle puts shapes into an order independent of the level's order, and finds their faces. It forgets earlier bodies.
func (w *world) settle(name string, shapes []shape) error {
	w.space, w.bodies, w.thin = solid.NewSpace(), nil, 0
	for i := range shapes {
		shapes[i].sort()
	}
	slices.SortFunc(shapes, func(a, b shape) int {
		if c := slices.CompareFunc(a.planes, b.planes, comparePlanes); c != 0 {
			return c
		}
		return slices.CompareFunc(a.names, b.names, func(a, b material) int {
			return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.index, b.index))
		})
	})
	for i := range shapes {
		s := &shapes[i]
		ids := make([]int32, len(s.planes))
		for k, p := range s.planes {
			ids[k] = w.space.Add(p)
			w.space.Add(p.Opposite())
		}
		found, err := w.space.Solid(ids)
		switch err {
		case nil:
		case solid.ErrNoVolume:
			w.thin++
			continue
		default:
			return fmt.Errorf("brep: level %q: solid: %w", name, err)
		}
		b := body{Solid: found, terrain: s.terrain, avoided: s.avoided}
		for f := range found.Faces {
			plane := found.Faces[f].Plane
			k := slices.Index(ids, plane)
			b.planes = append(b.planes, plane)
			b.opposites = append(b.opposites, w.space.Add(w.space.Plane(plane).Opposite()))
			b.materials = append(b.materials, s.names[k])
		}
		w.bodies = append(w.bodies, b)
	}
	if len(w.bodies) == 0 {
		return fmt.Errorf("brep: level %q: all %d solids are thinner than the lattice of %g m", name, len(shapes), lattice.Unit)
	}
	boxes := make([]solid.Box, len(w.bodies))
	w.first = make([]int, len(w.bodies)+1)
	for i := range w.bodies {
		boxes[i] = w.bodies[i].Box
		w.first[i+1] = w.first[i] + len(w.bodies[i].Faces)
	}
	w.tree = boxtree.New(boxes, nil)
	return nil
}

// sort orders the planes of a shape.
func (s *shape) sort() {
	order := make([]int, len(s.planes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(comparePlanes(s.planes[i], s.planes[j]), cmp.Compare(s.names[i].name, s.names[j].name), cmp.Compare(i, j))
	})
	planes, names := make([]solid.Plane, len(order)), make([]material, len(order))
	for k, i := range order {
		planes[k], names[k] = s.planes[i], s.names[i]
	}
	s.planes, s.names = planes, names
}

func comparePlanes(a, b solid.Plane) int {
	return cmp.Or(slices.Compare(a.N[:], b.N[:]), cmp.Compare(a.D, b.D))
}

// frameOf puts the origin at the corner of the level's box, so that a level moved by lattice units gives the same
// solids in a moved frame.
func frameOf(lvl *level.Level) (lattice.Frame, error) {
	box := lvl.Bounds()
	e0, n0, u0, ok0 := lattice.Snap(geom.Vec{X: box.Min.X, Y: box.Min.Y, Z: box.Max.Z}) // north is -Z
	e1, n1, u1, ok1 := lattice.Snap(geom.Vec{X: box.Max.X, Y: box.Max.Y, Z: box.Min.Z})
	if !ok0 || !ok1 {
		return lattice.Frame{}, fmt.Errorf("brep: level %q: its box from %v to %v is outside of the lattice", lvl.Name, box.Min, box.Max)
	}
	for k, extent := range [3]int64{e1 - e0, n1 - n0, u1 - u0} {
		if extent > lattice.MaxCoord {
			return lattice.Frame{}, fmt.Errorf("brep: level %q is %.0f m long along %c, the lattice holds %.0f m",
				lvl.Name, float64(extent)*lattice.Unit, "xzy"[k], float64(lattice.MaxCoord)*lattice.Unit)
		}
	}
	return lattice.Frame{East: e0, North: n0, Up: u0}, nil
}

// readSolids moves the solids of a level to the lattice.
func readSolids(lvl *level.Level, frame lattice.Frame) ([]shape, error) {
	shapes := make([]shape, len(lvl.Solids))
	for i := range lvl.Solids {
		if err := readSolid(lvl, i, frame, &shapes[i]); err != nil {
			return nil, fmt.Errorf("brep: level %q: solid %d: %w", lvl.Name, i, err)
		}
	}
	return shapes, nil
}

// readSolid rounds the planes of a solid near the solid: rounding a normal tilts a plane a little, which must not
// show as far away as the origin is.
func readSolid(lvl *level.Level, i int, frame lattice.Frame, s *shape) error {
	planes := lvl.Solids[i].Planes
	normals, offsets := make([][3]float64, len(planes)), make([]float64, len(planes))
	for k, p := range planes {
		x, y := geom.Ground(p.Normal)
		normals[k] = [3]float64{x, y, p.Normal.Y}
		offsets[k] = float64(p.Offset*lattice.UnitsPerMetre) -
			dot(normals[k], [3]float64{float64(frame.East), float64(frame.North), float64(frame.Up)})
	}
	round := func(middle [3]float64, loose int64) ([]solid.Plane, error) {
		out := make([]solid.Plane, len(planes))
		for k, n := range normals {
			by := offsets[k] - dot(n, middle)
			at := middle
			for a := range at {
				at[a] += float64(by * n[a])
			}
			p, ok := solid.FromFloat(n, at)
			if !ok {
				return nil, fmt.Errorf("plane %d of normal %v and offset %g is not within the lattice or its normal is not of length 1", k, planes[k].Normal, planes[k].Offset)
			}
			out[k] = p.Moved(loose)
		}
		return out, nil
	}
	// First anywhere, a little loose, to learn where the solid is.
	first, err := round([3]float64{}, rough)
	if err != nil {
		return err
	}
	space := solid.NewSpace()
	ids := make([]int32, len(first))
	for k, p := range first {
		ids[k] = space.Add(p)
	}
	found, err := space.Solid(ids)
	if err != nil {
		return err
	}
	var middle [3]float64
	for a := range middle {
		middle[a] = math.Round((found.Box.Low[a] + found.Box.High[a]) / 2)
	}
	if s.planes, err = round(middle, 0); err != nil {
		return err
	}
	for _, p := range planes {
		s.names = append(s.names, materialOf(lvl, p.Material))
	}
	return nil
}

// rough is how far, in units, a plane may be off at the far end of the lattice.
const rough = 512

func materialOf(lvl *level.Level, index int32) material {
	if index == level.NoMaterial {
		return material{"", index}
	}
	return material{lvl.Materials[index].Name, index}
}
