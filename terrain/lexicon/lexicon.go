// Package lexicon knows words for what the ground is made of, and the concepts that they stand for: road,
// grass, mud. It has two lists: own words, which are those of level designers and of the conventions of
// engines and map makers, and nouns of WordNet 3.0.
//
// WordNet's licence is in LICENSE-WordNet beside the lists, and as [License] in every program that has them.
package lexicon

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Kind is how much a concept says about the use of a surface. Where two words of a name disagree, the one
// of the stronger kind is right: a stone road is a road, a grass wall a wall.
type Kind uint8

// The kinds, the strongest first.
const (
	Other      Kind = iota // no ground at all: walls, skies, signs, volumes that nobody sees
	Use                    // what it is for: a road, stairs
	Cover                  // what lies on it: grass, water
	Surface                // a floor: what covers it says more
	Matter                 // what things are made of, ground or not: wood, metal
	Appearance             // what they look like: dark, cracked, blue
)

// Concept is a kind of ground.
type Concept struct {
	Name   string
	Kind   Kind
	Parent string // the nearest more general concept, empty for none
}

// Entry is what a list says of a word.
type Entry struct {
	Concept string
	Rank    int // of the meaning among those of the word, 1 is the commonest
	Depth   int // how many meanings it is below the one that stands for the concept
}

// Word is what is known of a word: the concept, and how surely it means that, above 0 and at most 1.
type Word struct {
	Concept *Concept
	Weight  float64
	Own     bool // one of our own words, not of WordNet
}

// The weights of words. Own words mean what they are listed for; those marked with a question mark have other
// meanings as well. WordNet knows rare meanings and far descendants, which count less.
const (
	ownWeight   = 0.95
	weakWeight  = 0.55
	nounWeight  = 0.85
	rankFactor  = 0.75 // for each commoner meaning
	depthFactor = 0.95 // for each step below the concept
)

//go:embed words.txt
var ownWords string

//go:embed wordnet.txt
var wordnet string

// License is the licence of WordNet, whose words are in every program that has this package: it goes along.
//
//go:embed LICENSE-WordNet
var License string

// table is both lists, read once.
type table struct {
	concepts []Concept
	named    map[string]*Concept
	words    map[string]Word
}

var read = sync.OnceValue(func() *table {
	t := &table{named: map[string]*Concept{}, words: map[string]Word{}}
	var lists [][]string
	for line := range strings.Lines(ownWords) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		head, words, found := strings.Cut(line, ":")
		if !found { // goes on
			if n := len(lists); n > 0 {
				lists[n-1] = append(lists[n-1], strings.Fields(line)...)
			}
			continue
		}
		f := strings.Fields(head)
		c := Concept{Name: f[0], Kind: Kind(slices.Index([]string{"other", "use", "cover", "surface", "matter", "look"}, f[1]))}
		if len(f) > 2 {
			c.Parent = f[2]
		}
		t.concepts = append(t.concepts, c)
		lists = append(lists, strings.Fields(words))
	}
	for i := range t.concepts {
		t.named[t.concepts[i].Name] = &t.concepts[i]
	}
	for line := range strings.Lines(wordnet) {
		f := strings.Fields(line)
		w := Word{Concept: t.named[f[1]], Weight: nounWeight}
		for range int(f[2][0] - '1') {
			w.Weight *= rankFactor
		}
		for range int(f[3][0] - '0') {
			w.Weight *= depthFactor
		}
		t.words[f[0]] = w
	}
	for i, list := range lists {
		for _, word := range list {
			w := Word{Concept: &t.concepts[i], Weight: ownWeight, Own: true}
			if s, weak := strings.CutSuffix(word, "?"); weak {
				word, w.Weight = s, weakWeight
			}
			t.words[word] = w
		}
	}
	return t
})

// Concepts returns all concepts, in the order of the list.
func Concepts() []Concept { return slices.Clone(read().concepts) }

// Named returns the concept of a name, nil when there is none.
func Named(name string) *Concept { return read().named[name] }

// Look returns what is known of a word, given in lower case, or of two words joined by a plus. Plurals
// are known by their singular.
func Look(word string) (Word, bool) {
	t := read()
	if w, ok := t.words[word]; ok {
		return w, true
	}
	for _, ending := range []string{"s", "es"} {
		if s, ok := strings.CutSuffix(word, ending); ok && len(s) > 2 {
			if w, ok := t.words[s]; ok {
				return w, true
			}
		}
	}
	return Word{}, false
}

// IsOwn reports whether a word, just as it is, is one of our own.
func IsOwn(word string) bool { return read().words[word].Own }
