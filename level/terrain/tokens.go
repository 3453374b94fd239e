package terrain

import (
	"strings"
	"unicode"

	"github.com/meadow-nav/meadow/internal/lexicon"
)

// nameWord is a word of a name.
type nameWord struct {
	word string // in lower case
	// distance is the distance of the word from the end of the path, in folders: 0 for the file's own name.
	distance int
}

// extensions are extensions of pictures and materials, irrelevant for the ground.
var extensions = []string{
	".png", ".jpg", ".jpeg", ".tga", ".dds", ".bmp", ".gif", ".tif", ".tiff", ".psd", ".webp", ".ktx", ".ktx2", ".basis",
	".exr", ".hdr", ".vtf", ".vmt", ".mat", ".mtl", ".wal", ".pcx", ".shader", ".blend", ".sbsar", ".terrainlayer", ".asset",
}

// tokens cuts a name into its words, in order: at slashes, at all other non-letters, before a capital after a small
// letter, and before the last of several capitals if a small letter follows. Digits are dropped: they number variants.
// Unknown words are cut further into known words, if possible.
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

// Limits of cutting an unknown word: the parts are own words of at least minPart letters. If letters are left over
// between the parts, as in e8metal, the parts must have minSure letters, or all letters but maxLeft.
const (
	minPart = 3
	minSure = 5
	maxLeft = 2
)

// parts cuts an unknown word into known ones with the greatest sum of squared lengths; letters between the parts are
// dropped. A word without a valid cut is its own only part.
func parts(word string) []string {
	if _, ok := lexicon.Look(word); ok || len(word) > maxWord {
		return []string{word}
	}
	n := len(word)
	best, next := make([]int, n+1), make([]int, n+1) // from each letter on; next is the end of the first part
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

// maxWord bounds the length of words to cut.
const maxWord = 64
