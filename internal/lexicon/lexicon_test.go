package lexicon

import (
	"strings"
	"testing"
)

func TestLists(t *testing.T) {
	own, nouns := 0, 0
	for _, w := range read().words {
		if w.Own {
			own++
		} else {
			nouns++
		}
	}
	if own < 800 || nouns < 1000 {
		t.Errorf("%d own words and %d nouns", own, nouns)
	}
	for _, c := range Concepts() {
		if c.Kind > Appearance {
			t.Errorf("concept %s is of no kind", c.Name)
		}
		if c.Parent != "" && Named(c.Parent) == nil {
			t.Errorf("concept %s is below %q, which there is not", c.Name, c.Parent)
		}
	}
	for word, w := range read().words {
		if w.Concept == nil || !(w.Weight > 0 && w.Weight <= 1) || word != strings.ToLower(word) {
			t.Errorf("%q: %+v", word, w)
		}
	}
}

// TestWordsAreListedOnce looks for own words with two concepts: the later concept would silently win.
func TestWordsAreListedOnce(t *testing.T) {
	seen := map[string]string{}
	concept := ""
	for line := range strings.Lines(ownWords) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, words, ok := strings.Cut(line, ":"); ok {
			concept, line = strings.Fields(head)[0], words
		}
		for _, w := range strings.Fields(line) {
			w = strings.TrimSuffix(w, "?")
			if seen[w] != "" {
				t.Errorf("%q is listed for %s and for %s", w, seen[w], concept)
			}
			seen[w] = concept
		}
	}
}

func TestLook(t *testing.T) {
	for _, c := range []struct {
		word, concept string
		own           bool
	}{
		{"asphalt", "road", true},
		{"roads", "road", true},
		{"marshes", "swamp", true},
		{"dirt+road", "path", true},
		{"billabong", "water", false},
		{"billabongs", "water", false},
		{"as", "", false},
		{"xyzzy", "", false},
		{"", "", false},
	} {
		w, ok := Look(c.word)
		switch {
		case ok != (c.concept != ""):
			t.Errorf("%q: found: %v", c.word, ok)
		case ok && (w.Concept.Name != c.concept || w.Own != c.own):
			t.Errorf("%q: got %s, own: %v", c.word, w.Concept.Name, w.Own)
		}
	}
	near, far := read().words["stream"], read().words["billabong"]
	if !(far.Weight < near.Weight || near.Own) || far.Weight >= nounWeight {
		t.Errorf("far: %v, near: %v", far, near)
	}
	if !IsOwn("grass") || IsOwn("billabong") || IsOwn("billabongs") {
		t.Error("own words are not what they are")
	}
}
