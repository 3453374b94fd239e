package terrain

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/internal/lexicon"
)

// Automatic grouping by names.
//
// Source: D. H. Hale, G. M. Youngblood, "Generating Texture-Aware Spatial Decompositions", who match names with common
// words and propose a lexical database for the rest; G. A. Miller, "WordNet: a lexical database for English",
// Communications of the ACM 38 (1995), 39-41.
//
// Idea: a name is cut into words as designers join them. Every known word stands for a concept with a weight; words of
// the file's own name count more than words of its folders. Words for the use of a surface outweigh words for its
// cover; cover outweighs floors, and floors outweigh materials. The name goes to the group with the nearest concept,
// either the concept itself or the next more general one.
//
// Input: any name, in any script; groups with names or words of their own.
//
// Guarantees:
//  1. the confidence is 0 for unknown names, else above 0 and at most 1: TestGuessIsBounded;
//  2. case, the way of joining words, digits and extensions do not matter: TestJoinsDoNotMatter;
//  3. a group's own words are surer than any concept: TestOwnWordsWin;
//  4. the same names and groups give the same answer, independent of all else: TestGuessesAreIndependent.
//
// Degenerate cases: names without letters and unknown words give no group. Of words with equal weight the last wins, as
// the last part of an English compound carries its meaning.
//
// Cost: O(k²) for a name of k letters, as words may be cut in two anywhere.
//
// Departures: the paper's matching has no measure of confidence and does not separate walls, skies and signs.

// guess is the apparent meaning of a name.
type guess struct {
	group int    // index into the groups, -1 for none
	word  string // the decisive word
	// concept is the meaning of the word, empty for a group's own word.
	concept    string
	confidence float64
}

// The factors of confidence.
const (
	folderFactor  = 0.6  // for each folder between the word and the end of the name
	parentFactor  = 0.75 // for each step from a concept to a more general concept with a group
	pathFloor     = 0.2  // minimum weight of a folder
	rivalFactor   = 0.4  // maximum share lost to the best word of another meaning
	secondFactor  = 0.8  // for a word that counts only because a stronger word has no group
	ownConfidence = 1.0  // of a group's own word

	// plainConfidence is the confidence of the name of plain ground: any other word outweighs it.
	plainConfidence = 0.5
)

// strength returns the relative weight of words of a kind.
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

// candidate is a meaningful word of a name.
type candidate struct {
	word    string
	known   lexicon.Word
	group   int // group with this own word, -1 for none
	weight  float64
	counts  float64
	ordinal int
}

// guesser finds groups by words.
type guesser struct {
	own      map[string]int // words of groups
	concepts map[string]int // the group of a concept, the first in the list with the concept
	plain    int            // the group of plain ground, -1 if among the others
}

// newGuesser learns the groups: their own words, and the concepts of these words and of their names. Plain ground
// missing from the groups becomes an additional group at the end.
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
	// Names first: a group called gravel is nearer to gravel than a group with the word gravel.
	var bare guesser // knows words, but no groups
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

// joined joins the words of s with plus signs, as in the lists.
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

// guess groups a material by its name and by the name of its texture.
func (g *guesser) guess(name, texture string) guess {
	a := g.one(name)
	if texture == "" || texture == name {
		return a
	}
	// The material's name tells its author's intention, the texture's name its look.
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
		// No group fits this kind of ground: other words of the name may have a group.
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

// strongest returns the candidate with the greatest weight, the last of several.
func strongest(all []candidate) (candidate, bool) {
	if len(all) == 0 {
		return candidate{}, false
	}
	return slices.MaxFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.counts, b.counts), cmp.Compare(a.ordinal, b.ordinal))
	}), true
}

// groupOf returns the group of a candidate alone, -1 for none.
func (g *guesser) groupOf(c candidate) int {
	if c.group >= 0 {
		return c.group
	}
	group, _ := g.nearest(c.known.Concept)
	return group
}

// candidates returns the meaningful words and pairs of words.
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

// nearest returns the group of a concept, or of the nearest more general concept, and the number of steps up; the group
// is -1 if none fits.
func (g *guesser) nearest(c *lexicon.Concept) (group, steps int) {
	for ; c != nil; c = lexicon.Named(c.Parent) {
		if group, ok := g.concepts[c.Name]; ok {
			return group, steps
		}
		steps++
	}
	return -1, 0
}

// disagrees reports whether c means another ground than best. A material contradicts no stronger word, a floor
// contradicts no cover, and an appearance contradicts nothing.
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
