package bent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/concave"
	"github.com/meadow-nav/meadow/navmesh"
)

// A stored mesh is the mesh beneath, whose record lists the bent region of every convex one. Every other program reads the
// file as a mesh of convex regions.

// ownRecord begins the record of a stored mesh.
const ownRecord = `{"bent":1,`

// ErrNone says that a mesh has no bent regions stored.
var ErrNone = errors.New("bent: the mesh has no bent regions")

// record is the record of a stored mesh.
type record struct {
	Version int     `json:"bent"`
	Bound   float64 `json:"bound_m"`
	Regions []int32 `json:"regions"` // of every convex region, tile after tile
}

// Store returns the mesh beneath with the bent regions in its record, for package navfile. The record of the builder is lost.
func (m *Mesh) Store() (*navmesh.Mesh, error) {
	r := record{Version: 1, Bound: m.Bound}
	for _, of := range m.of {
		r.Regions = append(r.Regions, of...)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("bent: %w", err)
	}
	out := *m.Base
	out.Record = text
	return &out, nil
}

// Restore returns the bent regions of a mesh that [Mesh.Store] has made. The error is [ErrNone] for any other mesh, or names
// the region that is no simple polygon within the bound. Time O(n log n) for n corners.
func Restore(base *navmesh.Mesh) (*Mesh, error) {
	if !bytes.HasPrefix(base.Record, []byte(ownRecord)) {
		return nil, ErrNone
	}
	var r record
	d := json.NewDecoder(bytes.NewReader(base.Record))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("bent: record: %w", err)
	}
	if !(r.Bound >= 0) || math.IsInf(r.Bound, 1) {
		return nil, fmt.Errorf("bent: record: a bound of %v m", r.Bound)
	}
	if len(r.Regions) != base.RegionCount() {
		return nil, fmt.Errorf("bent: record: %d convex regions, the mesh has %d", len(r.Regions), base.RegionCount())
	}
	m := &Mesh{Base: base, Bound: r.Bound}
	for t := range base.Tiles {
		tile := &base.Tiles[t]
		for c := range tile.Regions {
			n := int(r.Regions[0])
			r.Regions = r.Regions[1:]
			switch {
			case n == len(m.Regions):
				m.Regions = append(m.Regions, Region{Tile: t, Layer: int(tile.Regions[c].Layer)})
			case n < 0 || n > len(m.Regions) || m.Regions[n].Tile != t || kindOf(tile, m.Regions[n].Convex[0]) != kindOf(tile, c):
				return nil, fmt.Errorf("bent: record: tile %d, convex region %d is in bent region %d", t, c, n)
			}
			m.Regions[n].Convex = append(m.Regions[n].Convex, c)
		}
	}
	units := uint64(min(math.Floor(r.Bound*lattice.UnitsPerMetre), 1<<32-1))
	for i := range m.Regions {
		region := &m.Regions[i]
		var cells []plan.Cell
		for _, c := range region.Convex {
			cells = append(cells, cellOf(&base.Tiles[region.Tile], c))
		}
		ring, err := concave.Union(cells)
		if err != nil {
			return nil, fmt.Errorf("bent: record: region %d: %w", i, err)
		}
		region.setRing(ring)
		if region.Depth2.CompareInt(units*units) > 0 {
			return nil, fmt.Errorf("bent: record: region %d has a concavity of %.4g m, the bound is %g m", i, region.Concavity(), r.Bound)
		}
	}
	m.number()
	return m, nil
}
