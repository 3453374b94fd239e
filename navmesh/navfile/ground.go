package navfile

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/navmesh"
)

// encodeGround returns a section on areas, methods or crossings.
func encodeGround(id sectionID, m *navmesh.Mesh) []byte {
	var b []byte
	switch id {
	case secAreas:
		for _, a := range m.Areas {
			b = appendInts(b, uint32(len(a)))
		}
	case secMethods:
		for i := range m.Methods {
			b = appendInts(b, uint32(len(m.Methods[i].Name)), uint32(len(m.Methods[i].Crossings)))
		}
	case secCosts:
		for i := range m.Methods {
			for a, c := range m.Methods[i].Costs {
				b = appendInts(b, math.Float32bits(c), math.Float32bits(m.Methods[i].Speeds[a]))
			}
		}
	case secMayCross:
		for i := range m.Methods {
			b = appendInts(b, m.Methods[i].Crossings...)
		}
	case secCrossings:
		for i := range m.Crossings {
			c := &m.Crossings[i]
			b = append(appendInts(b, uint32(len(c.Name))), c.From, c.To, 0, 0)
			b = appendInts(b, math.Float32bits(c.Cost), c.Mark)
		}
	case secWords:
		for _, a := range m.Areas {
			b = append(b, a...)
		}
		for i := range m.Methods {
			b = append(b, m.Methods[i].Name...)
		}
		for i := range m.Crossings {
			b = append(b, m.Crossings[i].Name...)
		}
	}
	return b
}

// words returns the names in order.
type words struct{ text string }

func (w *words) next(n uint32) (string, bool) {
	if uint64(n) > uint64(len(w.text)) {
		return "", false
	}
	s := w.text[:n]
	w.text = w.text[n:]
	return s, true
}

// ground decodes the sections on areas, methods and crossings.
func (f *file) ground(m *navmesh.Mesh) error {
	ids := meshSections[4:] // from the areas on
	var (
		b [6][]byte
		n [6]int
	)
	for i, id := range ids {
		var err error
		if b[i], n[i], err = f.next(id, 0); err != nil {
			return err
		}
	}
	w := words{string(b[5])}
	var err error
	if m.Areas, err = records(b[0], n[0], "area", func(c *cursor) (string, bool) { return w.next(c.u32()) }); err != nil {
		return err
	}
	costs, crossings := cursor{b[2]}, cursor{b[3]}
	m.Methods, err = records(b[1], n[1], "method", func(c *cursor) (k navmesh.Method, ok bool) {
		if k.Name, ok = w.next(c.u32()); !ok {
			return k, false
		}
		count := c.u32()
		if uint64(len(costs.b)) < uint64(8*len(m.Areas)) || uint64(len(crossings.b)) < 4*uint64(count) {
			return k, false
		}
		for range m.Areas {
			k.Costs = append(k.Costs, math.Float32frombits(costs.u32()))
			k.Speeds = append(k.Speeds, math.Float32frombits(costs.u32()))
		}
		for range count {
			k.Crossings = append(k.Crossings, crossings.u32())
		}
		return k, true
	})
	if err != nil {
		return err
	}
	if len(costs.b) > 0 || len(crossings.b) > 0 {
		return fmt.Errorf("methods: %d bytes of costs and %d of crossings are left over", len(costs.b), len(crossings.b))
	}
	m.Crossings, err = records(b[4], n[4], "crossing", func(c *cursor) (k navmesh.Crossing, ok bool) {
		k.Name, ok = w.next(c.u32())
		word := c.u32()
		k.From, k.To = uint8(word), uint8(word>>8)
		k.Cost, k.Mark = math.Float32frombits(c.u32()), c.u32()
		return k, ok && word>>16 == 0
	})
	if err == nil && w.text != "" {
		err = fmt.Errorf("words: %d bytes are left over", len(w.text))
	}
	return err
}
