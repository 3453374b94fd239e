package main

import (
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
)

// sums are added up over worlds.
type sums struct {
	First  uint64 // number of the first world
	Worlds int
	Kinds  []kindSum // as kinds
	// Methods are in the order of the campaign.
	Methods []methodSum
}

// kindSum is about the worlds of a kind.
type kindSum struct {
	Name              string
	Worlds, Domains   int
	Vertices          int
	Smallest, Largest int
}

// methodSum is the result of a method on all worlds. Means are taken world by world first.
type methodSum struct {
	Name                   string
	Worlds, Faults         int
	Measured               int // worlds with regions, which means are over
	Cells, Regions         int
	NearDegenerate, Acute  int
	TJunctions             int
	Lost                   float64
	Angle, Common          float64
	Relative               float64 // regions over those of the method with the fewest
	Fewest, MoreThanRivals int     // worlds
	MoreAt                 []uint64

	regions int // of the one world, 0 after a fault
}

// rivals are the methods that no other should need more regions than.
var rivals = []string{"hertelmehlhorn", "anavmg"}

// moreKept is how many worlds are named where a method needs more regions than a rival.
const moreKept = 20

func newSums(methods []gen.Generator, w *world) sums {
	s := sums{First: w.number, Worlds: 1, Kinds: make([]kindSum, len(kinds)), Methods: make([]methodSum, len(methods))}
	for i := range kinds {
		s.Kinds[i].Name = kinds[i].name
		if kinds[i].name == w.kind {
			n := w.vertices()
			s.Kinds[i] = kindSum{w.kind, 1, len(w.domains()), n, n, n}
		}
	}
	for i, g := range methods {
		s.Methods[i].Name = g.Name()
	}
	return s
}

// add adds the verdict on the last world.
func (m *methodSum) add(v verdict, fault error) {
	m.Worlds++
	if fault != nil {
		m.Faults++
		return
	}
	if v.regions == 0 {
		return
	}
	m.Measured = 1
	m.Cells, m.Regions, m.regions = v.cells, v.regions, v.regions
	m.NearDegenerate, m.Acute, m.TJunctions = v.nearDegenerate, v.acute, v.tJunctions
	m.Lost, m.Angle, m.Common = v.lost, v.minimumAngle, v.commonVertices
}

// compare compares the methods on the last world.
func (s *sums) compare() {
	fewest := 0
	rival := 0
	for _, m := range s.Methods {
		if m.regions > 0 && (fewest == 0 || m.regions < fewest) {
			fewest = m.regions
		}
		if m.regions > 0 && slices.Contains(rivals, m.Name) && (rival == 0 || m.regions < rival) {
			rival = m.regions
		}
	}
	for i := range s.Methods {
		m := &s.Methods[i]
		if m.regions == 0 {
			continue
		}
		m.Relative = float64(m.regions) / float64(fewest)
		if m.regions == fewest {
			m.Fewest = 1
		}
		if rival > 0 && m.regions > rival {
			m.MoreThanRivals = 1
			m.MoreAt = []uint64{s.First}
		}
	}
}

// merge adds a later chunk.
func (s *sums) merge(t sums) {
	s.Worlds += t.Worlds
	for i := range s.Kinds {
		a, b := &s.Kinds[i], t.Kinds[i]
		switch {
		case a.Worlds == 0:
			*a = b
		case b.Worlds > 0:
			a.Worlds, a.Domains, a.Vertices = a.Worlds+b.Worlds, a.Domains+b.Domains, a.Vertices+b.Vertices
			a.Smallest, a.Largest = min(a.Smallest, b.Smallest), max(a.Largest, b.Largest)
		}
	}
	for i := range s.Methods {
		a, b := &s.Methods[i], t.Methods[i]
		a.Worlds, a.Faults = a.Worlds+b.Worlds, a.Faults+b.Faults
		a.Measured += b.Measured
		a.Cells, a.Regions = a.Cells+b.Cells, a.Regions+b.Regions
		a.NearDegenerate, a.Acute, a.TJunctions = a.NearDegenerate+b.NearDegenerate, a.Acute+b.Acute, a.TJunctions+b.TJunctions
		a.Lost, a.Angle, a.Common, a.Relative = a.Lost+b.Lost, a.Angle+b.Angle, a.Common+b.Common, a.Relative+b.Relative
		a.Fewest, a.MoreThanRivals = a.Fewest+b.Fewest, a.MoreThanRivals+b.MoreThanRivals
		if room := moreKept - len(a.MoreAt); room > 0 {
			a.MoreAt = append(a.MoreAt, b.MoreAt[:min(room, len(b.MoreAt))]...)
		}
	}
}
