package main

import (
	"context"
	"fmt"
	"io"
	"math"
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

// crops lists the distances in metres from a fault to which a level is cut down.
var crops = []float64{40, 20, 12, 8, 6, 4, 3, 2, 1.5, 1}

// snaps lists the grids in metres to which vertices of shrunk levels are moved.
var snaps = []float64{1, 0.5, 0.25, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64}

// shrinkFaults shrinks the first fault of every kind, and keeps the levels that are left.
func (s *settings) shrinkFaults(ctx context.Context, lvl *level.Level, r judged, log io.Writer) error {
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
	var left []found
	remains := func(l *level.Level, at geom.Vec) bool {
		r := s.limitedReal(ctx, l, radius, shrinkPlaces)
		same := slices.ContainsFunc(r.Faults, func(g found) bool { return g.Kind == f.Kind && g.At.Sub(at).Norm() <= shrinkNear })
		if same {
			left = r.Faults
		}
		return same
	}
	l := &level.Level{Name: lvl.Name}
	number := map[geom.Vec]uint32{}
	for _, t := range lvl.Triangles {
		t.Material = level.NoMaterial
		for _, v := range [3]*uint32{&t.A, &t.B, &t.C} {
			p := lvl.Vertices[*v]
			if _, ok := number[p]; !ok {
				number[p] = uint32(len(l.Vertices))
				l.Vertices = append(l.Vertices, p)
			}
			*v = number[p]
		}
		l.Triangles = append(l.Triangles, t)
	}
	with := func(triangles []level.Triangle) *level.Level {
		return &level.Level{Name: l.Name, Vertices: l.Vertices, Triangles: triangles}
	}
	for _, d := range crops {
		near := slices.DeleteFunc(slices.Clone(l.Triangles), func(t level.Triangle) bool {
			box := geom.EmptyBox().Extend(l.Vertices[t.A]).Extend(l.Vertices[t.B]).Extend(l.Vertices[t.C])
			return f.At.X < box.Min.X-d || f.At.X > box.Max.X+d || f.At.Z < box.Min.Z-d || f.At.Z > box.Max.Z+d || f.At.Y < box.Min.Y-d || f.At.Y > box.Max.Y+d
		})
		if len(near) == len(l.Triangles) {
			continue
		}
		if c := with(near); remains(c, f.At) {
			l = c
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
	l, at := s.rounded(l, f.At, remains)
	remains(l, at) // for the faults of the last level
	return l, left
}

// rounded moves the place of a fault to the origin and vertices to coarse grids, while the fault remains.
func (s *settings) rounded(l *level.Level, at geom.Vec, remains func(*level.Level, geom.Vec) bool) (*level.Level, geom.Vec) {
	snap := func(v geom.Vec, grid float64) geom.Vec {
		return geom.Vec{X: math.Round(v.X/grid) * grid, Y: math.Round(v.Y/grid) * grid, Z: math.Round(v.Z/grid) * grid}
	}
	moved := &level.Level{Name: l.Name, Triangles: l.Triangles, Vertices: slices.Clone(l.Vertices)}
	by := snap(at, 1)
	for i := range moved.Vertices {
		moved.Vertices[i] = moved.Vertices[i].Sub(by)
	}
	if !remains(moved, at.Sub(by)) {
		return l, at
	}
	l, at = moved, at.Sub(by)
	var used []uint32
	for _, t := range l.Triangles {
		used = append(used, t.A, t.B, t.C)
	}
	slices.Sort(used)
	for _, v := range slices.Compact(used) {
		for _, grid := range snaps {
			try := &level.Level{Name: l.Name, Triangles: l.Triangles, Vertices: slices.Clone(l.Vertices)}
			try.Vertices[v] = snap(l.Vertices[v], grid)
			if remains(try, at) {
				l = try
				break
			}
		}
	}
	return l, at
}
