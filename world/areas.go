package world

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// area is an area that modifiers bring into a world. Areas are numbered after those of the base, in the order of their
// names and costs, so that the numbers depend on the things of the world alone.
type area struct {
	name string // of the base or of a modifier; empty for floor of any name
	cost float64
	uses int // modifiers that bring the area
}

func (a area) compare(b area) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.cost, b.cost))
}

// title returns the name of the area in Mesh.Areas.
func (a area) title() string {
	switch {
	case a.cost == 0:
		return a.name
	case a.name == "":
		return fmt.Sprintf("cost %g", a.cost)
	}
	return fmt.Sprintf("%s, cost %g", a.name, a.cost)
}

// maxAreas is the number of areas that a mesh can tell apart.
const maxAreas = math.MaxUint8 + 1

// plainName is the name of the ground of a base without named areas.
const plainName = "ground"

// check returns the fault of a brush.
func (b *Brush) check() error {
	switch {
	case len(b.Area) > MaxID || !utf8.ValidString(b.Area):
		return fmt.Errorf("the area %.20q has %d bytes, at most %d of UTF-8", b.Area, len(b.Area), MaxID)
	case b.Cost != 0 && !(b.Cost >= query.MinAreaCost && (b.Cost <= query.MaxAreaCost || math.IsInf(b.Cost, 1))):
		return fmt.Errorf("the cost %g is not between %g and %g, and not +Inf", b.Cost, float64(query.MinAreaCost), float64(query.MaxAreaCost))
	}
	return nil
}

// closes reports whether floor under the brush is closed.
func (b *Brush) closes() bool { return math.IsInf(b.Cost, 1) }

// baseArea returns the number of the area of the base that a brush gives; ok is false for areas of the world.
func (b *Brush) baseArea(m *navmesh.Mesh) (number uint8, ok bool) {
	if b.Cost != 0 || b.Area == "" {
		return 0, false
	}
	k := slices.Index(m.Areas, b.Area)
	return uint8(max(k, 0)), k >= 0
}

// brings returns the area that a modifier brings; ok is false for other things.
func (t *thing) brings(base *navmesh.Mesh) (a area, ok bool) {
	if t.brush == nil || t.brush.closes() || t.brush.Area == "" && t.brush.Cost == 0 {
		return area{}, false
	}
	_, known := t.brush.baseArea(base)
	return area{name: t.brush.Area, cost: t.brush.Cost}, !known
}

// areasOf lists the areas that the modifiers of a world bring, from those before the change.
func (c *change) areasOf() ([]area, error) {
	base := c.w.sheets[0].mesh
	list := slices.Clone(c.old.areas)
	count := func(things []*thing, by int) {
		for _, t := range things {
			a, ok := t.brings(base)
			if !ok {
				continue
			}
			k, known := slices.BinarySearchFunc(list, a, area.compare)
			if !known {
				list = slices.Insert(list, k, a)
			}
			list[k].uses += by
		}
	}
	count(c.gone, -1)
	count(c.fresh, 1)
	list = slices.DeleteFunc(list, func(a area) bool { return a.uses == 0 })
	if max(len(base.Areas), 1)+len(list) > maxAreas {
		return nil, fmt.Errorf("world: the modifiers bring %d areas to the %d of the base, at most %d in all", len(list), len(base.Areas), maxAreas)
	}
	return list, nil
}

// number returns the number of the area that a brush gives; ok is false for a brush that keeps the area.
func (s *whole) number(b *Brush) (number uint8, ok bool) {
	base := s.world.sheets[0].mesh
	if b.Area == "" && b.Cost == 0 {
		return 0, false
	}
	if n, known := b.baseArea(base); known {
		return n, true
	}
	k, ok := slices.BinarySearchFunc(s.areas, area{name: b.Area, cost: b.Cost}, area.compare)
	return uint8(max(len(base.Areas), 1) + k), ok
}

// repaint finds the areas of a change. Where their numbers change, all painted regions are found anew.
func (c *change) repaint() error {
	brushes := func(list []*thing) bool {
		return slices.ContainsFunc(list, func(t *thing) bool { return t.brush != nil })
	}
	if !brushes(c.gone) && !brushes(c.fresh) {
		return nil
	}
	list, err := c.areasOf()
	if err != nil {
		return err
	}
	c.painted = !slices.EqualFunc(list, c.old.areas, func(a, b area) bool { return a.compare(b) == 0 })
	c.next.areas = list
	return nil
}

// addAreas adds areas to a mesh. Methods of the mesh cross them at their cost, or as plain ground.
func addAreas(m *navmesh.Mesh, list []area) {
	if len(list) == 0 {
		return
	}
	m.Areas = slices.Clone(m.Areas)
	if len(m.Areas) == 0 {
		m.Areas = []string{plainName}
	}
	m.Methods = slices.Clone(m.Methods)
	for i := range m.Methods {
		k := &m.Methods[i]
		k.Costs, k.Speeds = slices.Clone(k.Costs), slices.Clone(k.Speeds)
	}
	for _, a := range list {
		m.Areas = append(m.Areas, a.title())
		for i := range m.Methods {
			k := &m.Methods[i]
			cost := float32(1)
			if a.cost != 0 {
				cost = float32(a.cost)
			}
			k.Costs, k.Speeds = append(k.Costs, cost), append(k.Speeds, 0)
		}
	}
}

// costs returns the costs of the areas that modifiers bring, for a filter; nil without any.
func (s *whole) costs() map[uint8]float64 {
	var list map[uint8]float64
	first := max(len(s.world.sheets[0].mesh.Areas), 1)
	for k, a := range s.areas {
		if a.cost != 0 {
			if list == nil {
				list = map[uint8]float64{}
			}
			list[uint8(first+k)] = a.cost
		}
	}
	return list
}

var errOffBase = errors.New("no floor of the base is near")
