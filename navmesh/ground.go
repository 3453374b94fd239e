package navmesh

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Method is a way to move, such as walking, driving or swimming, with the accessible areas and their costs.
type Method struct {
	Name string
	// Costs is the cost of a metre of ground, by area, in metres of plain ground; +Inf closes the area.
	Costs []float32
	// Speeds is the speed by area, in metres per second; 0 where unknown.
	Speeds []float32
	// Crossings are the indices in Mesh.Crossings of the method's crossings, ascending. Between two areas with a
	// crossing of the method, in either direction, travellers use only the crossings; all other boundaries are free.
	Crossings []uint32
}

// Crossing is a special way over the boundaries between two areas, in one direction: a hop onto a kerb, a ford. Its
// links are of kind [Boundary] and have its mark.
type Crossing struct {
	Name     string
	From, To uint8   // areas
	Cost     float32 // in metres of plain ground
	Mark     uint32  // index in Mesh.Marks
}

// Method returns the index in Mesh.Methods of the method with the given name; ok is false for an unknown name.
func (m *Mesh) Method(name string) (i int, ok bool) {
	if m == nil {
		return 0, false
	}
	for i := range m.Methods {
		if m.Methods[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// AreaName returns the name of an area, or its number if unnamed.
func (m *Mesh) AreaName(area uint8) string {
	if m != nil && int(area) < len(m.Areas) {
		return m.Areas[area]
	}
	return fmt.Sprintf("area %d", area)
}

// CheckGround is the part of [Mesh.Check] for areas, methods and crossings.
func (m *Mesh) CheckGround() error {
	if m == nil {
		return errNil
	}
	if len(m.Areas) > math.MaxUint8+1 {
		return Fault{Kind: BadIndex, Detail: fmt.Sprintf("areas: %d names, at most %d", len(m.Areas), math.MaxUint8+1)}
	}
	named := func(what string, i int, text string) error {
		if len(text) == 0 || len(text) > maxText || !utf8.ValidString(text) {
			return Fault{Kind: BadText, Detail: fmt.Sprintf("%s %d has a name of %d bytes, must be 1 to %d of UTF-8", what, i, len(text), maxText)}
		}
		return nil
	}
	for i, a := range m.Areas {
		if err := named("areas: area", i, a); err != nil {
			return err
		}
	}
	for i := range m.Crossings {
		c := &m.Crossings[i]
		if err := named("crossings: crossing", i, c.Name); err != nil {
			return err
		}
		switch cost := float64(c.Cost); {
		case int(c.From) >= len(m.Areas) || int(c.To) >= len(m.Areas) || c.From == c.To:
			return Fault{Kind: BadIndex, Detail: fmt.Sprintf("crossings: crossing %d leads from area %d to %d of %d", i, c.From, c.To, len(m.Areas))}
		case int64(c.Mark) >= int64(len(m.Marks)):
			return Fault{Kind: BadIndex, Detail: fmt.Sprintf("crossings: crossing %d has mark %d of %d", i, c.Mark, len(m.Marks))}
		case !(cost >= 0) || math.IsInf(cost, 0):
			return Fault{Kind: BadPosition, Detail: fmt.Sprintf("crossings: crossing %d costs %g", i, c.Cost)}
		}
	}
	for i := range m.Methods {
		if err := named("methods: method", i, m.Methods[i].Name); err != nil {
			return err
		}
		if err := m.checkMethod(i); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mesh) checkMethod(i int) error {
	k := &m.Methods[i]
	if len(k.Costs) != len(m.Areas) || len(k.Speeds) != len(m.Areas) {
		return Fault{Kind: BadIndex, Detail: fmt.Sprintf("methods: method %d has %d costs and %d speeds for %d areas", i, len(k.Costs), len(k.Speeds), len(m.Areas))}
	}
	for a := range k.Costs {
		cost, speed := float64(k.Costs[a]), float64(k.Speeds[a])
		if !(cost > 0) || !(speed >= 0) || math.IsInf(speed, 0) {
			return Fault{Kind: BadPosition, Detail: fmt.Sprintf("methods: method %d costs %g on area %d, at %g m/s", i, cost, a, speed)}
		}
	}
	for n, c := range k.Crossings {
		if int64(c) >= int64(len(m.Crossings)) || n > 0 && c <= k.Crossings[n-1] {
			return Fault{Kind: BadIndex, Detail: fmt.Sprintf("methods: method %d has crossing %d of %d, out of range or not in order", i, c, len(m.Crossings))}
		}
	}
	return nil
}
