package terrain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/level"
)

// Validate returns all faults of the rules as [*Faults], or nil: empty, repeated or unknown names, a method that
// includes itself, invalid costs and speeds, invalid globs, colours and rectangles.
func (r *Rules) Validate() error {
	f := &Faults{}
	r.validate(f)
	return f.err()
}

func (r *Rules) validate(f *Faults) {
	if !(r.Guess >= 0 && r.Guess <= 1) {
		f.add(Place{}, "guess", "is %g, must be a confidence from 0 to 1", r.Guess)
	}
	if !r.validateCounts(f) {
		return
	}
	r.validateGroups(f)
	r.validateMethods(f)
	r.validateCycles(f)
	r.validateCrossings(f)
	for i := range r.Paint {
		r.validatePaint(f, i)
	}
}

// The limits on the parts of rules. Checks compare parts with each other; hence their number must be bounded. Areas
// have their own limit, [level.MaxAreas]; the file size limits patterns, words and colours.
const (
	MaxGroups    = 1 << 10
	MaxMethods   = 1 << 8
	MaxCrossings = 1 << 10
	MaxPaint     = 1 << 8
	MaxUses      = 1 << 10 // groups and methods in one method or crossing, and lines of one legend
)

// validateCounts reports whether all lists are short enough; the first long list becomes a fault.
func (r *Rules) validateCounts(f *Faults) bool {
	check := func(at Place, element string, n, most int) bool {
		if n > most {
			f.add(at, element, "%d of them, %d are possible", n, most)
		}
		return n <= most
	}
	ok := check(Place{}, "groups", len(r.Groups), MaxGroups) && check(Place{}, "methods", len(r.Methods), MaxMethods) &&
		check(Place{}, "crossings", len(r.Crossings), MaxCrossings) && check(Place{}, "paint", len(r.Paint), MaxPaint)
	for i := 0; ok && i < len(r.Methods); i++ {
		m := &r.Methods[i]
		e := named("method", i, m.Name)
		ok = check(m.Place, e+": on", len(m.On), MaxUses) && check(m.Place, e+": includes", len(m.Includes), MaxUses)
	}
	for i := 0; ok && i < len(r.Crossings); i++ {
		c := &r.Crossings[i]
		ok = check(c.Place, named("crossing", i, c.Name)+": methods", len(c.Methods), MaxUses)
	}
	for i := 0; ok && i < len(r.Paint); i++ {
		p := &r.Paint[i]
		ok = check(p.Place, named("paint", i, "")+": legend", len(p.Legend), MaxUses)
	}
	return ok
}

// named returns the name of element i of a kind for faults.
func named(kind string, i int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, i+1)
	}
	return fmt.Sprintf("%s %.80q", kind, name)
}

// validateName checks that the name of element i of a kind is present and new.
func validateName(f *Faults, seen map[string]bool, kind string, i int, name string, at Place) {
	switch e := named(kind, i, name); {
	case name == "":
		f.add(at, e, "has no name")
	case strings.TrimSpace(name) != name || strings.IndexFunc(name, func(r rune) bool { return r < ' ' }) >= 0:
		f.add(at, e, "has blanks around its name, or letters that cannot be seen in it")
	case seen[name]:
		f.add(at, e, "is there already")
	}
	seen[name] = true
}

func (r *Rules) validateGroups(f *Faults) {
	if n := len(r.Areas()); n > level.MaxAreas {
		f.add(r.Groups[len(r.Groups)-1].Place, "groups", "%d areas with plain ground, %d are possible", n, level.MaxAreas)
	}
	seen := map[string]bool{}
	for i := range r.Groups {
		g := &r.Groups[i]
		validateName(f, seen, "group", i, g.Name, g.Place)
		e := named("group", i, g.Name)
		for _, p := range g.Patterns {
			at := p.Place
			if at == (Place{}) {
				at = g.Place
			}
			if s := faultOfGlob(p.Glob); s != "" {
				f.add(at, e, "pattern %.80q %s", p.Glob, s)
			}
		}
		for _, w := range g.Words {
			if joined(w) == "" {
				f.add(g.Place, e, "word %.80q has no letters", w)
			}
		}
		for _, c := range g.Colors {
			if _, err := parseColor(c); err != nil {
				f.add(g.Place, e, "%v", err)
			}
		}
	}
}

// known reports whether a group exists, and adds a fault for an unknown group.
func (r *Rules) known(f *Faults, at Place, element, group string) bool {
	if _, ok := r.area(group); ok {
		return true
	}
	f.add(at, element, "group %.80q is not known, there are %s", group, listed(r.Areas()))
	return false
}

// isMeasure reports whether v is above 0 and finite, or 0 for an absent value.
func isMeasure(v float64) bool { return v >= 0 && !math.IsInf(v, 0) }

func (r *Rules) validateMethods(f *Faults) {
	seen := map[string]bool{}
	for i := range r.Methods {
		m := &r.Methods[i]
		validateName(f, seen, "method", i, m.Name, m.Place)
		e := named("method", i, m.Name)
		if !isMeasure(m.Speed) {
			f.add(m.Place, e, "speed is %g, must be above 0 metres per second", m.Speed)
		}
		if !isMeasure(m.Cost) {
			f.add(m.Place, e, "cost is %g, must be above 0", m.Cost)
		}
		for _, name := range m.Includes {
			if r.method(name) < 0 {
				f.add(m.Place, e, "includes the unknown method %.80q; methods: %s", name, r.methods())
			}
		}
		on := map[string]bool{}
		for _, u := range m.On {
			at := u.Place
			if at == (Place{}) {
				at = m.Place
			}
			if r.known(f, at, e, u.Group) && on[u.Group] {
				f.add(at, e, "group %.80q is there already", u.Group)
			}
			on[u.Group] = true
			if !isMeasure(u.Cost) {
				f.add(at, e, "cost on %.80q is %g, must be above 0", u.Group, u.Cost)
			}
			if !isMeasure(u.Speed) {
				f.add(at, e, "speed on %.80q is %g, must be above 0 metres per second", u.Group, u.Speed)
			}
		}
	}
}

// methods lists the names of the methods.
func (r *Rules) methods() string {
	if len(r.Methods) == 0 {
		return "none"
	}
	names := make([]string, len(r.Methods))
	for i := range r.Methods {
		names[i] = r.Methods[i].Name
	}
	return listed(names)
}

// validateCycles finds every method that includes itself, directly or indirectly: a fault at the first method of each
// cycle, with the cycle.
func (r *Rules) validateCycles(f *Faults) {
	const (
		fresh = iota
		open
		done
	)
	state := make([]int, len(r.Methods))
	var way []string
	var visit func(i int)
	visit = func(i int) {
		state[i] = open
		way = append(way, r.Methods[i].Name)
		for _, name := range r.Methods[i].Includes {
			k := r.method(name)
			switch {
			case k < 0:
			case state[k] == fresh:
				visit(k)
			case state[k] == open:
				first := 0
				for way[first] != name {
					first++
				}
				f.add(r.Methods[k].Place, named("method", k, name), "includes itself: %s", cycle(append(way[first:len(way):len(way)], name)))
			}
		}
		way = way[:len(way)-1]
		state[i] = done
	}
	for i := range r.Methods {
		if state[i] == fresh {
			visit(i)
		}
	}
}

// cycle formats the methods of a cycle, whose last method is the first; long cycles are shortened in the middle.
func cycle(way []string) string {
	if n := len(way); n > maxNamed {
		way = append(append(slices.Clone(way[:maxNamed/2]), fmt.Sprintf("%d more", n-maxNamed)), way[n-maxNamed/2:]...)
	}
	shown := make([]string, len(way))
	for i, name := range way {
		shown[i] = clipped(name)
	}
	return strings.Join(shown, " includes ")
}

func (r *Rules) validateCrossings(f *Faults) {
	for i := range r.Crossings {
		c := &r.Crossings[i]
		e := named("crossing", i, c.Name)
		if c.Name == "" {
			f.add(c.Place, e, "has no name")
		}
		from, to := r.known(f, c.Place, e, c.From), r.known(f, c.Place, e, c.To)
		if from && to && c.From == c.To {
			f.add(c.Place, e, "is from %.80q to itself, without a boundary", c.From)
		}
		if len(c.Methods) == 0 {
			f.add(c.Place, e, "has no methods")
		}
		for _, name := range c.Methods {
			m := r.method(name)
			if m < 0 {
				f.add(c.Place, e, "method %.80q is not known, there are %s", name, r.methods())
				continue
			}
			for k := range i {
				if o := &r.Crossings[k]; samePair(o, c) && slices.Contains(o.Methods, name) {
					f.add(c.Place, e, "method %.80q crosses from %.80q to %.80q by %.80q already", name, c.From, c.To, o.Name)
				}
			}
		}
		if !isMeasure(c.Cost) {
			f.add(c.Place, e, "cost is %g, must be 0 or more", c.Cost)
		}
	}
}

// samePair reports whether two crossings lead the same way between the same groups.
func samePair(a, b *Crossing) bool {
	return a.From == b.From && a.To == b.To || a.From == b.To && a.To == b.From && !(a.OneWay && b.OneWay)
}

func (r *Rules) validatePaint(f *Faults, i int) {
	p := &r.Paint[i]
	file, kind, count := "", "", 0
	for _, k := range [3][2]string{{"mask", p.Mask}, {"splat", p.Splat}, {"map", p.Map}} {
		if k[1] != "" {
			kind, file = k[0], k[1]
			count++
		}
	}
	e := named("paint", i, file)
	if count != 1 {
		f.add(p.Place, e, "has %d of mask, splat and map, must have one", count)
		return
	}
	if o := p.Over; o != nil {
		for _, v := range o {
			if v-v != 0 {
				f.add(p.Place, e, "over has a coordinate of %g", v)
			}
		}
		if !(o[0] < o[2] && o[1] < o[3]) {
			f.add(p.Place, e, "over is from (%g, %g) to (%g, %g), must be from the least x and z to the greatest", o[0], o[1], o[2], o[3])
		}
		if kind == "map" {
			f.add(p.Place, e, "over is for pictures, a map has its own coordinates")
		}
	}
	if !isMeasure(p.Tolerance) {
		f.add(p.Place, e, "tolerance is %g, must be 0 or more metres", p.Tolerance)
	}
	if len(p.Legend) == 0 {
		f.add(p.Place, e, "has no legend: nothing would be painted")
	}
	seen := map[any]bool{}
	for _, l := range p.Legend {
		at := l.Place
		if at == (Place{}) {
			at = p.Place
		}
		r.known(f, at, e, l.Group)
		var key any = l.Key
		switch kind {
		case "mask":
			c, err := parseColor(l.Key)
			if err != nil {
				f.add(at, e, "legend: %v", err)
				continue
			}
			key = c
		case "splat":
			if len(l.Key) != 1 || !strings.Contains("rgba", l.Key) {
				f.add(at, e, "legend: channel %.80q, must be r, g, b or a", l.Key)
				continue
			}
		case "map":
			if s := faultOfGlob(l.Key); s != "" {
				f.add(at, e, "legend: pattern %.80q %s", l.Key, s)
			}
		}
		if seen[key] {
			f.add(at, e, "legend: %.80q is there already", l.Key)
		}
		seen[key] = true
	}
}
