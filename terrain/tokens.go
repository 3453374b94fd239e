package terrain

import (
	"strings"
	"unicode"

	"github.com/meadow-nav/meadow/terrain/lexicon"
)

// nameWord is a word of a name.
type nameWord struct {
	word string // in lower case
	// distance is how far the word is from the end of the path, in folders: 0 for the file's own name.
	distance int
}

// extensions are those of pictures and materials, which say nothing about the ground.
var extensions = []string{
	".png", ".jpg", ".jpeg", ".tga", ".dds", ".bmp", ".gif", ".tif", ".tiff", ".psd", ".webp", ".ktx", ".ktx2", ".basis",
	".exr", ".hdr", ".vtf", ".vmt", ".mat", ".mtl", ".wal", ".pcx", ".shader", ".blend", ".sbsar", ".terrainlayer", ".asset",
}

// tokens cuts a name into its words, in their order: at slashes, at whatever is neither letter nor digit,
// between letters and digits, before a capital after a small letter, and before the last of several
// capitals that a small letter follows. Digits are dropped: they number variants. What no list knows is
// cut further where it is made up of words that they know.
func tokens(name string) []nameWord {
	name = strings.ReplaceAll(name, `\`, "/")
	lower := strings.ToLower(name)
	for _, e := range extensions {
		if strings.HasSuffix(lower, e) {
			name = name[:len(name)-len(e)]
			break
		}
	}
	folders := strings.Count(name, "/")
	var out []nameWord
	for i, part := range strings.Split(name, "/") {
		for _, word := range words(part) {
			for _, w := range parts(word) {
				out = append(out, nameWord{w, folders - i})
			}
		}
	}
	return out
}

// words cuts the name of a file or a folder.
func words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) {
			end()
			continue
		}
		if n := len(word); n > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(word[n-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			end()
		}
		word = append(word, r)
	}
	end()
	return out
}

// What a word that is not known is cut into: own words of at least minPart letters. If letters are left over
// between them, as in e8metal, the words must have minSure letters, or all but maxLeft of them.
const (
	minPart = 3
	minSure = 5
	maxLeft = 2
)

// parts cuts a word that is not known into known ones, so that the squares of their lengths add up to the
// most; letters between them are dropped. A word that this gets nowhere with is its own only part.
func parts(word string) []string {
	if _, ok := lexicon.Look(word); ok || len(word) > maxWord {
		return []string{word}
	}
	n := len(word)
	best, next := make([]int, n+1), make([]int, n+1) // from each letter on; next is where the first part ends
	for i := n - 1; i >= 0; i-- {
		best[i], next[i] = best[i+1], i+1
		for k := i + minPart; k <= n; k++ {
			if best[k]+(k-i)*(k-i) > best[i] && lexicon.IsOwn(word[i:k]) {
				best[i], next[i] = best[k]+(k-i)*(k-i), k
			}
		}
	}
	var found []string
	letters := 0
	for i := 0; i < n; i = next[i] {
		if next[i] > i+1 {
			found = append(found, word[i:next[i]])
			letters += next[i] - i
		}
	}
	switch {
	case letters == n, letters >= minSure, letters > minPart && n-letters <= maxLeft:
		return found
	}
	return []string{word}
}

// maxWord bounds the words that are cut: longer ones are no words.
const maxWord = 64
