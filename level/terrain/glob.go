package terrain

import (
	"path"
	"strings"
)

// Matches reports whether a glob matches a material of this name and texture: the name, the texture's path, or the last
// element of either, each with or without its extension.
//
// In a glob, * matches any letters, including none and slashes, ? matches one letter, and \ makes the next letter
// literal. Case is ignored, and backslashes in names are slashes. Time O(letters of the glob × letters of the name).
func Matches(glob, name, texture string) bool {
	glob = strings.ToLower(glob)
	for _, s := range [2]string{name, texture} {
		if s == "" {
			continue
		}
		s = strings.ToLower(strings.ReplaceAll(s, `\`, "/"))
		base := path.Base(s)
		if match(glob, s) || match(glob, base) || match(glob, bare(s)) || match(glob, bare(base)) {
			return true
		}
	}
	return false
}

// bare returns s without the extension of a picture.
func bare(s string) string {
	for _, e := range extensions {
		if b, ok := strings.CutSuffix(s, e); ok && b != "" {
			return b
		}
	}
	return s
}

// match backtracks only to the last star, which may take the fewest letters that work.
func match(glob, name string) bool {
	g, n := []rune(glob), []rune(name)
	i, k := 0, 0
	star, from := -1, 0
	for k < len(n) {
		switch {
		case i < len(g) && g[i] == '*':
			star, from = i, k
			i++
		case i < len(g) && g[i] == '\\' && i+1 < len(g) && g[i+1] == n[k]:
			i, k = i+2, k+1
		case i < len(g) && g[i] != '\\' && (g[i] == '?' || g[i] == n[k]):
			i, k = i+1, k+1
		case star >= 0:
			from++
			i, k = star+1, from
		default:
			return false
		}
	}
	for i < len(g) && g[i] == '*' {
		i++
	}
	return i == len(g)
}

// literal returns the glob that matches exactly a name, ignoring case.
func literal(name string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `\`, `/`).Replace(name)
}

// faultOfGlob describes the fault of a glob; the text is empty for a valid glob.
func faultOfGlob(glob string) string {
	if glob == "" {
		return "is empty and would match nothing"
	}
	for i := 0; i < len(glob); i++ {
		if glob[i] == '\\' {
			if i+1 == len(glob) || !strings.ContainsRune(`*?\`, rune(glob[i+1])) {
				return `has a \ that no *, ? or \ follows; paths have slashes`
			}
			i++
		}
	}
	return ""
}
