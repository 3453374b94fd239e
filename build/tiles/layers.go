package tiles

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// A layer of a tile has a floor that ends at the tile's square. So layers of two tiles can be one layer of the joined plan, unless
// their floors meet at the common line or corner at different heights: a place on the line would have two heights there. The
// joined plan then has about as many layers as a whole level, and regions of two tiles merge without a copy of their floor.

// profile is the floor of a layer along one side of its tile's square.
type profile []reach

// reach is a stretch of a line with the heights of the floor at both ends. A stretch without length is a corner of the floor.
type reach struct {
	from, to int32
	z, end   int32
}

// at returns the height at a place of the stretch, or at the nearer end.
func (r *reach) at(p int32) float64 {
	if r.from == r.to || p <= r.from {
		return float64(r.z)
	}
	if p >= r.to {
		return float64(r.end)
	}
	return float64(r.z) + float64(float64(p-r.from)/float64(r.to-r.from)*(float64(r.end)-float64(r.z)))
}

// sheet is a layer of a tile on its way to a layer of the joined plan.
type sheet struct {
	tile     int
	layer    int32 // of the joined plan, -1 as long as unknown
	floor    *lattice.TIN
	sides    [4]profile // once listed
	listed   bool
	beside   map[int32]int64 // by sheet: the length of the joints, in units
	besideID []int32         // the keys, in the order of the joints
}

// profiles lists the floor along all sides of the square of a tile, in the frame of the plan.
func (s *sheet) profiles(square lattice.Box) *[4]profile {
	if s.listed {
		return &s.sides
	}
	s.listed = true
	for _, t := range s.floor.Triangles {
		for side := west; side <= north; side++ {
			var on []reach
			for _, k := range t {
				v := s.floor.Vertices[k]
				var along int32
				switch {
				case side == west && v.X == square.Min.X, side == east && v.X == square.Max.X:
					along = v.Y
				case side == south && v.Y == square.Min.Y, side == north && v.Y == square.Max.Y:
					along = v.X
				default:
					continue
				}
				on = append(on, reach{along, along, v.Z, v.Z})
			}
			switch len(on) {
			case 1:
				s.sides[side] = append(s.sides[side], on[0])
			case 2:
				if on[0].from > on[1].from {
					on[0], on[1] = on[1], on[0]
				}
				s.sides[side] = append(s.sides[side], reach{on[0].from, on[1].from, on[0].z, on[1].z})
			}
		}
	}
	for side := range s.sides {
		slices.SortFunc(s.sides[side], func(a, b reach) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.z, b.z), cmp.Compare(a.end, b.end))
		})
	}
	return &s.sides
}

// near is how far from a place along a line, in units, another floor may still give the place its height.
const near = 2 * touching

// each calls f with the stretches within near of a span, until f returns false.
func (p profile) each(from, to, longest int32, f func(r *reach) bool) {
	first, _ := slices.BinarySearchFunc(p, int64(from)-int64(longest)-near, func(r reach, at int64) int { return cmp.Compare(int64(r.from), at) })
	for k := first; k < len(p) && int64(p[k].from) <= int64(to)+near; k++ {
		if int64(p[k].to) >= int64(from)-near && !f(&p[k]) {
			return
		}
	}
}

// longest returns the length of the longest stretch.
func (p profile) longest() int32 {
	most := int32(0)
	for i := range p {
		most = max(most, p[i].to-p[i].from)
	}
	return most
}

// clash reports whether two floors along a line come near each other at different heights. Where both floors have a drop at the same place,
// both have both heights, and nothing clashes.
func clash(a, b profile, tolerance float64) bool {
	longA, longB := a.longest(), b.longest()
	has := func(p profile, longest, at int32, z float64) (found bool) {
		p.each(at, at, longest, func(r *reach) bool {
			found = math.Abs(r.at(at)-z) <= tolerance
			return !found
		})
		return found
	}
	clashes := false
	for i := range a {
		r := &a[i]
		b.each(r.from, r.to, longB, func(o *reach) bool {
			for _, p := range [2]int32{max(r.from, o.from), min(r.to, o.to)} {
				one, other := r.at(p), o.at(p)
				if math.Abs(one-other) > tolerance && !(has(a, longA, p, other) && has(b, longB, p, one)) {
					clashes = true
				}
			}
			return !clashes
		})
		if clashes {
			return true
		}
	}
	return false
}

// atCorner returns the part of a profile at one of its ends.
func atCorner(p profile, corner int32) profile {
	var out profile
	for _, r := range p {
		if int64(r.from) <= int64(corner)+near && int64(r.to) >= int64(corner)-near {
			z := int32(r.at(corner))
			out = append(out, reach{corner, corner, z, z})
		}
	}
	return out
}

// clashes reports whether the layers of two neighbouring tiles cannot be one layer. The second tile is east or north of the first, or both, or
// north and west.
func (j *joiner) clashes(a, b *sheet) bool {
	tolerance := touching + j.plan.Agent.MaxClimb*lattice.UnitsPerMetre + float64(a.floor.Error) + float64(b.floor.Error)
	square := func(t int) lattice.Box {
		low := lattice.Point{X: int32(j.tiles[t].Plan.Frame.East - j.plan.Frame.East), Y: int32(j.tiles[t].Plan.Frame.North - j.plan.Frame.North)}
		return lattice.Box{Min: low, Max: lattice.Point{X: low.X + j.tiles[t].Size, Y: low.Y + j.tiles[t].Size}}
	}
	one, other := square(a.tile), square(b.tile)
	p, q := a.profiles(one), b.profiles(other)
	switch dx, dy := cmp.Compare(other.Min.X, one.Min.X), cmp.Compare(other.Min.Y, one.Min.Y); {
	case dx > 0 && dy == 0:
		return clash(p[east], q[west], tolerance)
	case dx < 0 && dy == 0:
		return clash(p[west], q[east], tolerance)
	case dx == 0 && dy > 0:
		return clash(p[north], q[south], tolerance)
	case dx == 0:
		return clash(p[south], q[north], tolerance)
	case dy > 0:
		corner := one.Max.X
		if dx < 0 {
			corner = one.Min.X
		}
		return clash(atCorner(p[north], corner), atCorner(q[south], corner), tolerance)
	default:
		corner := one.Max.X
		if dx < 0 {
			corner = one.Min.X
		}
		return clash(atCorner(p[south], corner), atCorner(q[north], corner), tolerance)
	}
}

// unite puts the layers of the tiles together to fewer layers. A layer goes where its longest joints lead, if it fits.
func (j *joiner) unite() {
	sheets := make([]sheet, len(j.plan.Layers))
	of := make([][]int32, len(j.tiles)) // the sheets of each tile
	n := 0
	for i, t := range j.tiles {
		for range t.Plan.Layers {
			sheets[n] = sheet{tile: i, layer: -1, floor: &j.plan.Layers[n].Floor}
			of[i] = append(of[i], int32(n))
			n++
		}
	}
	for i := range j.plan.Chains {
		c := &j.plan.Chains[i]
		if c.Kind != plan.TileCut {
			continue
		}
		dx, dy := c.Points[1].Sub(c.Points[0])
		for _, pair := range [2][2]int32{{c.Left.Layer, c.Right.Layer}, {c.Right.Layer, c.Left.Layer}} {
			s := &sheets[pair[0]]
			if s.beside == nil {
				s.beside = map[int32]int64{}
			}
			if _, known := s.beside[pair[1]]; !known {
				s.besideID = append(s.besideID, pair[1])
			}
			s.beside[pair[1]] += max(dx, -dx, dy, -dy)
		}
	}
	count := int32(0)
	for i := range sheets {
		s := &sheets[i]
		t := j.tiles[s.tile]
		var around []int32 // placed sheets of neighbouring tiles
		for dy := int64(-1); dy <= 1; dy++ {
			for dx := int64(-1); dx <= 1; dx++ {
				if k, ok := j.at[ID{t.East + dx, t.North + dy}]; ok && k != s.tile {
					around = append(around, of[k]...)
				}
			}
		}
		fits := func(layer int32) bool {
			for _, o := range of[s.tile] {
				if sheets[o].layer == layer {
					return false
				}
			}
			for _, o := range around {
				if sheets[o].layer == layer && j.clashes(s, &sheets[o]) {
					return false
				}
			}
			return true
		}
		length := make([]int64, count)
		for _, o := range s.besideID {
			if l := sheets[o].layer; l >= 0 {
				length[l] += s.beside[o]
			}
		}
		order := make([]int32, count)
		for l := range order {
			order[l] = int32(l)
		}
		slices.SortStableFunc(order, func(k, l int32) int { return cmp.Compare(length[l], length[k]) })
		s.layer = count
		if k := slices.IndexFunc(order, fits); k >= 0 {
			s.layer = order[k]
		}
		count = max(count, s.layer+1)
	}
	j.relayer(sheets, int(count))
}

// relayer moves the domains and floors of sheets to their layers.
func (j *joiner) relayer(sheets []sheet, count int) {
	layers, cells := make([]plan.Layer, count), make([][][]plan.Cell, count)
	first := make([]int32, len(sheets)) // by sheet: the number of its first domain in its layer
	for i := range sheets {
		from, to := &j.plan.Layers[i], &layers[sheets[i].layer]
		first[i] = int32(len(to.Domains))
		to.Domains = append(to.Domains, from.Domains...)
		cells[sheets[i].layer] = append(cells[sheets[i].layer], j.cells[i]...)
		n := uint32(len(to.Floor.Vertices))
		to.Floor.Vertices = append(to.Floor.Vertices, from.Floor.Vertices...)
		for _, t := range from.Floor.Triangles {
			to.Floor.Triangles = append(to.Floor.Triangles, [3]uint32{t[0] + n, t[1] + n, t[2] + n})
		}
		to.Floor.Error = max(to.Floor.Error, from.Floor.Error)
	}
	for i := range j.plan.Chains {
		c := &j.plan.Chains[i]
		for _, id := range [2]*plan.DomainID{&c.Left, &c.Right} {
			*id = plan.DomainID{Layer: sheets[id.Layer].layer, Domain: first[id.Layer] + id.Domain}
		}
	}
	j.plan.Layers, j.cells = layers, cells
}
