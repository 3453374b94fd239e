// Package lexicon knows words for kinds of ground, and their concepts: road, grass, mud. Of its two lists, the list of
// own words has words of level designers and conventions of engines and map makers; the other has nouns of WordNet 3.0.
//
// WordNet's licence is in LICENSE-WordNet beside the lists, and as [License] in every program that contains the lists.
package lexicon

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Kind orders concepts by their significance for the use of a surface. If two words of a name disagree, the stronger
// kind wins: a stone road is a road, a grass wall a wall.
type Kind uint8

// The kinds, the strongest first.
const (
	Other      Kind = iota // no ground at all: walls, skies, signs, invisible volumes
	Use                    // use: a road, stairs
	Cover                  // cover: grass, water
	Surface                // a floor: its cover is more significant
	Matter                 // material, of ground or other things: wood, metal
	Appearance             // look: dark, cracked, blue
)

// Concept is a kind of ground.
type Concept struct {
	Name   string
	Kind   Kind
	Parent string // the nearest more general concept, empty for none
}

// Entry is the entry of a list for a word.
type Entry struct {
	Concept string
	Rank    int // rank of the meaning among the word's meanings, 1 is the commonest
	Depth   int // number of meanings between it and the concept's own meaning
}

// Word is the meaning of a word: the concept, and its confidence, above 0 and at most 1.
type Word struct {
	Concept *Concept
	Weight  float64
	Own     bool // an own word, not from WordNet
}

// The weights of words. Own words mean their listed concept; own words with a question mark also have other meanings.
// WordNet has rare meanings and far descendants, which count less.
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

// License is the licence of WordNet, whose words are in every program that uses this package; the licence must
// accompany them.
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
		if !found { // continuation line
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

// Named returns the concept of a name, nil for an unknown name.
func Named(name string) *Concept { return read().named[name] }

// Look returns the meaning of a word, given in lower case, or of two words joined by a plus. Plurals are found by their
// singular.
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

// IsOwn reports whether a word, unchanged, is an own word.
func IsOwn(word string) bool { return read().words[word].Own }
