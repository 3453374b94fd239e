package terrain

import (
	"fmt"
	"strings"
)

// Traverse is a resolved method, with all included methods: a filter for queries.
type Traverse struct {
	Method string
	// Cost is the cost of a metre, by area; 0 for closed areas.
	Cost []float64
	// Speed is in metres per second, by area; 0 for closed areas, or if unknown.
	Speed []float64
	// Crossings are the special ways over boundaries for the method, in the order of the rules, two-way crossings
	// twice. If a crossing exists between two areas, in either direction, their boundary is passed only by crossings.
	Crossings []Step
}

// Step is a crossing in one direction.
type Step struct {
	Crossing int // index into Rules.Crossings
	From, To uint8
	Cost     float64
}

// Traverse resolves a method: its accessible ground is its own ground and the ground of all included methods. The
// method's own entries take precedence; among included methods the least cost and the greatest speed count. The rules
// must be valid. Time O(methods × areas + crossings).
func (r *Rules) Traverse(method string) (Traverse, error) {
	i := r.method(method)
	if i < 0 {
		return Traverse{}, fmt.Errorf("terrain: method %q is not known, there are %s", method, r.methods())
	}
	all := make([]*Traverse, len(r.Methods))
	return *r.resolve(i, all), nil
}

// resolve resolves method i and stores the result in all.
func (r *Rules) resolve(i int, all []*Traverse) *Traverse {
	if all[i] != nil {
		return all[i]
	}
	m := &r.Methods[i]
	n := len(r.Areas())
	t := &Traverse{Method: m.Name, Cost: make([]float64, n), Speed: make([]float64, n)}
	all[i] = t
	own := make([]bool, n)
	top := m.Speed
	if top == 0 {
		for _, u := range m.On {
			top = max(top, u.Speed)
		}
	}
	for _, u := range m.On {
		a, ok := r.area(u.Group)
		if !ok {
			continue
		}
		own[a] = true
		t.Cost[a], t.Speed[a] = u.Cost, u.Speed
		if u.Speed == 0 {
			t.Speed[a] = m.Speed
		}
		if u.Cost == 0 {
			t.Cost[a] = 1
			if top > 0 && t.Speed[a] > 0 {
				t.Cost[a] = top / t.Speed[a]
			}
		}
	}
	crosses := make([]bool, len(r.Crossings))
	for k := range r.Crossings {
		for _, name := range r.Crossings[k].Methods {
			crosses[k] = crosses[k] || name == m.Name
		}
	}
	for _, name := range m.Includes {
		k := r.method(name)
		if k < 0 {
			continue
		}
		o := r.resolve(k, all)
		for a := range n {
			if own[a] || o.Cost[a] == 0 {
				continue
			}
			if t.Cost[a] == 0 || o.Cost[a] < t.Cost[a] {
				t.Cost[a] = o.Cost[a]
			}
			if m.Cost > 0 {
				t.Cost[a] = m.Cost
			}
			if m.Speed > 0 {
				t.Speed[a] = m.Speed / t.Cost[a]
			} else {
				t.Speed[a] = max(t.Speed[a], o.Speed[a])
			}
		}
		for _, s := range o.Crossings {
			// A method with ground of its own on both sides needs no included crossing.
			crosses[s.Crossing] = crosses[s.Crossing] || !(own[s.From] && own[s.To])
		}
	}
	for k := range r.Crossings {
		c := &r.Crossings[k]
		from, ok1 := r.area(c.From)
		to, ok2 := r.area(c.To)
		if !crosses[k] || !ok1 || !ok2 {
			continue
		}
		t.Crossings = append(t.Crossings, Step{k, from, to, c.Cost})
		if !c.OneWay {
			t.Crossings = append(t.Crossings, Step{k, to, from, c.Cost})
		}
	}
	return t
}

// warnOfCrossings warns of useless crossings of a method, which may not use both sides.
func (r *Rules) warnOfCrossings(w *Faults) {
	all := make([]*Traverse, len(r.Methods))
	for i := range r.Crossings {
		c := &r.Crossings[i]
		for _, name := range c.Methods {
			k := r.method(name)
			if k < 0 {
				continue
			}
			for _, group := range [2]string{c.From, c.To} {
				if a, ok := r.area(group); ok && r.resolve(k, all).Cost[a] == 0 {
					w.add(c.Place, named("crossing", i, c.Name), "method %q may not use %q: it never takes this", name, group)
				}
			}
		}
	}
}

// Users returns, by area, the methods that may use the area, joined as in "drive or walk": areas with the same methods
// have the same text. The text is empty for an area without methods.
func (r *Rules) Users() []string {
	users := make([][]string, len(r.Areas()))
	all := make([]*Traverse, len(r.Methods))
	for i := range r.Methods {
		for a, cost := range r.resolve(i, all).Cost {
			if cost > 0 {
				users[a] = append(users[a], r.Methods[i].Name)
			}
		}
	}
	out := make([]string, len(users))
	for a, list := range users {
		out[a] = strings.Join(list, " or ")
	}
	return out
}
