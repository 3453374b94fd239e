package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/obj"
	"github.com/meadow-nav/meadow/navmesh"
)

// How faults of real levels are shrunk: a fault of the same kind must stay within shrinkNear metres of its place, looked for at
// shrinkPlaces random places.
const (
	shrinkNear   = 0.5
	shrinkPlaces = 60
)

// crops lists the distances in metres from a fault to which a level is cut down. The first that keeps the fault counts, because small
// levels are judged soon.
var crops = []float64{1, 1.5, 2, 3, 4, 6, 8, 12, 20, 40}

// snaps lists the grids in metres to which vertices of shrunk levels are moved.
var snaps = []float64{1, 0.5, 0.25, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64}

// shrinkFaults shrinks the first fault of every kind, and keeps the levels that are left.
func (s *settings) shrinkFaults(ctx context.Context, lvl *level.Level, r judged, log io.Writer) error {
	if err := os.MkdirAll(s.dump, 0o777); err != nil {
		return err
	}
	var seen []navmesh.FaultKind
	for _, f := range r.Faults {
		if slices.Contains(seen, f.Kind) {
			continue
		}
		seen = append(seen, f.Kind)
		small, left := s.shrinkReal(ctx, lvl, r.Radius, f)
		if err := ctx.Err(); err != nil {
			return err
		}
		name := strings.ReplaceAll(fmt.Sprintf("%s-%s-%g.obj", r.Level, f.Kind, r.Radius), "/", "-")
		name = filepath.Join(s.dump, strings.ReplaceAll(name, " ", "-"))
		if err := atomicfile.Write(name, func(w io.Writer) error { return obj.Encode(w, small, "") }); err != nil {
			return err
		}
		fmt.Fprintf(log, "%s at %v shrunk to %d triangles: %s\n", f.Kind, f.At, len(small.Triangles), name)
		for _, t := range small.Triangles {
			fmt.Fprint(log, "\txyz(")
			for i, v := range [3]uint32{t.A, t.B, t.C} {
				p := small.Vertices[v]
				fmt.Fprintf(log, "%s%v, %v, %v", [2]string{"", ", "}[min(i, 1)], p.X, p.Y, p.Z)
			}
			fmt.Fprintln(log, "),")
		}
		for _, f := range left {
			fmt.Fprintf(log, "\t%s at %v: %s\n", f.Kind, f.At, f.Detail)
		}
	}
	return nil
}

// shrinkReal returns the level that is left of a fault, moved to the origin, and the faults of that level.
func (s *settings) shrinkReal(ctx context.Context, lvl *level.Level, radius float64, f found) (*level.Level, []found) {
	var left []found // the faults of the last level that kept the fault
	remains := func(l *level.Level, at geom.Vec) bool {
		r := s.limitedReal(ctx, l, radius, shrinkPlaces)
		same := slices.ContainsFunc(r.Faults, func(g found) bool { return g.Kind == f.Kind && g.At.Sub(at).Norm() <= shrinkNear })
		if same {
			left = r.Faults
		}
		return same
	}
	l := compact(lvl)
	with := func(triangles []level.Triangle) *level.Level {
		return &level.Level{Name: l.Name, Vertices: l.Vertices, Triangles: triangles}
	}
	for _, d := range crops {
		near := slices.DeleteFunc(slices.Clone(l.Triangles), func(t level.Triangle) bool {
			box := geom.EmptyBox().Extend(l.Vertices[t.A]).Extend(l.Vertices[t.B]).Extend(l.Vertices[t.C])
			return f.At.X < box.Min.X-d || f.At.X > box.Max.X+d || f.At.Z < box.Min.Z-d || f.At.Z > box.Max.Z+d || f.At.Y < box.Min.Y-d || f.At.Y > box.Max.Y+d
		})
		if c := with(near); len(near) > 0 && remains(c, f.At) {
			l = c
			break
		}
	}
	for before := -1; before != len(l.Triangles); {
		before = len(l.Triangles)
		for size := (len(l.Triangles) + 1) / 2; size >= 1; size /= 2 {
			for at := 0; at < len(l.Triangles) && ctx.Err() == nil; {
				end := min(at+size, len(l.Triangles))
				if c := with(slices.Concat(l.Triangles[:at], l.Triangles[end:])); len(c.Triangles) > 0 && remains(c, f.At) {
					l = c
				} else {
					at = end
				}
			}
		}
	}
	return s.rounded(compact(l), f.At, remains), left
}

// compact returns a level of the same triangles, whose vertices are used and differ.
func compact(l *level.Level) *level.Level {
	out := &level.Level{Name: l.Name}
	number := map[geom.Vec]uint32{}
	for _, t := range l.Triangles {
		t.Material = level.NoMaterial
		for _, v := range [3]*uint32{&t.A, &t.B, &t.C} {
			p := l.Vertices[*v]
			if _, ok := number[p]; !ok {
				number[p] = uint32(len(out.Vertices))
				out.Vertices = append(out.Vertices, p)
			}
			*v = number[p]
		}
		out.Triangles = append(out.Triangles, t)
	}
	return out
}

// rounded moves the place of a fault to the origin and vertices to coarse grids, while the fault remains.
func (s *settings) rounded(l *level.Level, at geom.Vec, remains func(*level.Level, geom.Vec) bool) *level.Level {
	snap := func(v geom.Vec, grid float64) geom.Vec {
		return geom.Vec{X: math.Round(v.X/grid) * grid, Y: math.Round(v.Y/grid) * grid, Z: math.Round(v.Z/grid) * grid}
	}
	with := func(change func(v geom.Vec, i int) geom.Vec) *level.Level {
		out := &level.Level{Name: l.Name, Triangles: l.Triangles}
		for i, v := range l.Vertices {
			out.Vertices = append(out.Vertices, change(v, i))
		}
		return out
	}
	by := snap(at, 1)
	moved := with(func(v geom.Vec, _ int) geom.Vec { return v.Sub(by) })
	if !remains(moved, at.Sub(by)) {
		return l
	}
	l, at = moved, at.Sub(by)
	for k := range l.Vertices {
		for _, grid := range snaps {
			try := with(func(v geom.Vec, i int) geom.Vec {
				if i == k {
					return snap(v, grid)
				}
				return v
			})
			if remains(try, at) {
				l = try
				break
			}
		}
	}
	return l
}
