package terrain

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/terrain/lexicon"
)

// Automatic grouping by names, its card.
//
// Source: D. H. Hale, G. M. Youngblood, "Generating Texture-Aware Spatial Decompositions", who match
// names with common words and propose a lexical database for the rest; G. A. Miller, "WordNet: a lexical
// database for English", Communications of the ACM 38 (1995), 39-41.
//
// Idea: a name is cut into words as designers join them. Every word that is known stands for a concept
// with a weight; words of the file's own name count more than those of its folders. Words for what a surface is
// for outweigh those for what lies on it, these a floor, and all of them what it is made of. The group whose concept is
// the nearest, itself or the next more general one, takes the name.
//
// Input: any name, in any script; groups with names or words of their own.
//
// Guarantees:
//  1. the confidence is 0 where nothing is found, and else above 0 and at most 1: TestGuessIsBounded;
//  2. case, the way in which words are joined, digits and extensions do not matter: TestJoinsDoNotMatter;
//  3. a group's own words are surer than any concept: TestOwnWordsWin;
//  4. the same names and groups give the same answer, whatever else there is: TestGuessesAreIndependent.
//
// Degenerate cases: names without letters and unknown words give no group. Of words that count the same the
// last is right, as in English the last of a compound says what it is.
//
// Cost: O(k²) for a name of k letters, as words may be cut in two anywhere.
//
// Departures: the paper's matching has no measure of confidence and no walls, skies and signs to tell apart.

// guess is what a name seems to say.
type guess struct {
	group int    // index into the groups, -1 for none
	word  string // that said it
	// concept is what the word stands for, empty for a group's own word.
	concept    string
	confidence float64
}

// The factors of confidence.
const (
	folderFactor  = 0.6  // for each folder between the word and the end of the name
	parentFactor  = 0.75 // for each step from a concept to a more general one that has a group
	pathFloor     = 0.2  // no folder counts less
	rivalFactor   = 0.4  // what the best word of another meaning takes away, as a share
	secondFactor  = 0.8  // for a word that only counts because a stronger one has no group
	ownConfidence = 1.0  // of a group's own word

	// plainConfidence is that of the name of plain ground: whatever else a name says is more.
	plainConfidence = 0.5
)

// strength is how much words of a kind count against others.
func strength(k lexicon.Kind) float64 {
	switch k {
	case lexicon.Other, lexicon.Use:
		return 1
	case lexicon.Cover:
		return 0.8
	case lexicon.Surface:
		return 0.7
	case lexicon.Matter:
		return 0.5
	}
	return 0.2
}

// candidate is a word of a name that says something.
type candidate struct {
	word    string
	known   lexicon.Word
	group   int // whose own word it is, -1 for none
	weight  float64
	counts  float64
	ordinal int
}

// guesser knows the groups.
type guesser struct {
	own      map[string]int // words of groups
	concepts map[string]int // the group of a concept, the first in the list that has it
	plain    int            // the group that stands for plain ground, -1 where it is one of the others
}

// newGuesser learns the groups: their own words, and the concepts of those and of their names. Where the plain ground
// is none of them, it is one more behind them.
func newGuesser(groups []Group, plain string) *guesser {
	g := &guesser{own: map[string]int{}, concepts: map[string]int{}, plain: -1}
	if !slices.ContainsFunc(groups, func(k Group) bool { return k.Name == plain }) {
		g.plain = len(groups)
		groups = append(slices.Clone(groups), Group{Name: plain})
	}
	enter := func(m map[string]int, key string, group int) {
		if _, ok := m[key]; !ok {
			m[key] = group
		}
	}
	// Names first: a group called gravel is nearer to gravel than one of which it is a word.
	var bare guesser // knows words, and no groups
	for i := range groups {
		if best, ok := strongest(bare.candidates(tokens(groups[i].Name))); ok {
			enter(g.concepts, best.known.Concept.Name, i)
		}
		enter(g.own, joined(groups[i].Name), i)
	}
	for i := range groups {
		for _, word := range groups[i].Words {
			enter(g.own, joined(word), i)
			if lexicon.Named(joined(word)) != nil {
				enter(g.concepts, joined(word), i)
			}
		}
	}
	return g
}

// joined writes the words of s with a plus between them, as lists have them.
func joined(s string) string {
	out := ""
	for _, w := range words(s) {
		if out != "" {
			out += "+"
		}
		out += w
	}
	return out
}

// guess groups a material by the name that it has, and by that of its texture.
func (g *guesser) guess(name, texture string) guess {
	a := g.one(name)
	if texture == "" || texture == name {
		return a
	}
	// The material's own name says what its author meant by it, that of the texture what it looks like.
	if b := g.one(texture); a.word == "" || a.group < 0 && a.confidence < b.confidence || b.group >= 0 && a.confidence < 0.8*b.confidence {
		return b
	}
	return a
}

// one groups a single name.
func (g *guesser) one(name string) guess {
	all := g.candidates(tokens(name))
	best, ok := strongest(all)
	if !ok {
		return guess{group: -1}
	}
	second := 1.0
	if g.groupOf(best) < 0 && best.known.Concept.Kind != lexicon.Other {
		// Ground for which there is no group: what else the name says may have one.
		if c, ok := strongest(slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return g.groupOf(c) < 0 })); ok {
			best, second = c, secondFactor
		}
	}
	out := guess{group: best.group, word: best.word, confidence: best.weight * second}
	if best.group < 0 {
		out.concept = best.known.Concept.Name
		group, steps := g.nearest(best.known.Concept)
		out.group = group
		for range steps {
			out.confidence *= parentFactor
		}
	}
	rival := 0.0
	for _, c := range all {
		if g.disagrees(best, c) {
			rival = max(rival, min(c.counts, best.counts))
		}
	}
	out.confidence *= 1 - rivalFactor*rival/best.counts
	return out
}

// strongest returns the candidate that counts most, the last of several.
func strongest(all []candidate) (candidate, bool) {
	if len(all) == 0 {
		return candidate{}, false
	}
	return slices.MaxFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.counts, b.counts), cmp.Compare(a.ordinal, b.ordinal))
	}), true
}

// groupOf returns the group that a candidate alone would give, -1 for none.
func (g *guesser) groupOf(c candidate) int {
	if c.group >= 0 {
		return c.group
	}
	group, _ := g.nearest(c.known.Concept)
	return group
}

// candidates returns the words, and pairs of words that belong together, that say something.
func (g *guesser) candidates(list []nameWord) []candidate {
	var all []candidate
	for i := 0; i < len(list); i++ {
		c, ok := g.candidate(list[i].word)
		if i+1 < len(list) && list[i].distance == list[i+1].distance {
			if pair, found := g.candidate(list[i].word + "+" + list[i+1].word); found {
				c, ok = pair, true
				c.word = list[i].word + " " + list[i+1].word
				i++
			}
		}
		if !ok {
			continue
		}
		place := 1.0
		for range list[i].distance {
			place = max(place*folderFactor, pathFloor)
		}
		c.weight *= place
		c.counts, c.ordinal = c.weight, i
		if c.known.Concept != nil {
			c.counts *= strength(c.known.Concept.Kind)
		}
		all = append(all, c)
	}
	return all
}

// candidate looks a word up.
func (g *guesser) candidate(word string) (candidate, bool) {
	known, ok := lexicon.Look(word)
	if group, own := g.own[word]; own {
		weight := ownConfidence
		if group == g.plain {
			weight = plainConfidence
		}
		return candidate{word: word, known: known, group: group, weight: weight}, true
	}
	return candidate{word: word, known: known, group: -1, weight: known.Weight}, ok
}

// nearest returns the group of a concept, or that of the nearest more general one, and how many steps up it
// is; -1 when there is none.
func (g *guesser) nearest(c *lexicon.Concept) (group, steps int) {
	for ; c != nil; c = lexicon.Named(c.Parent) {
		if group, ok := g.concepts[c.Name]; ok {
			return group, steps
		}
		steps++
	}
	return -1, 0
}

// disagrees reports whether c means another ground than best. What a thing is made of contradicts nothing
// that says what it is, a floor nothing that says what lies on it, and what it looks like nothing at all.
func (g *guesser) disagrees(best, c candidate) bool {
	if k := c.known.Concept; k != nil && (c.group < 0 || best.group < 0) {
		weaker := best.known.Concept == nil || best.known.Concept.Kind < k.Kind
		switch {
		case k.Kind == lexicon.Appearance && c.group < 0:
			return false
		case weaker && k.Kind == lexicon.Matter:
			return false
		case weaker && k.Kind == lexicon.Surface && g.groupOf(best) >= 0:
			return false
		}
	}
	return g.groupOf(best) != g.groupOf(c)
}
