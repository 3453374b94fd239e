package terrain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// score counts guesses of names with known groups.
type score struct {
	ground, right, wrong int // names of ground; taken by their group, by another group
	other, taken         int // names of no ground; wrongly taken by a group
}

// accuracy guesses all names of a file of testdata; explain logs disagreements with a person's judgement.
func accuracy(t *testing.T, file string, threshold float64, explain bool) (s score) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	groups := Default().Groups
	g := newGuesser(groups, DefaultPlain)
	for line := range strings.Lines(string(data)) {
		want, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || want == "#" {
			continue
		}
		x, got := g.guess(name, ""), "-"
		if x.group >= 0 && x.group < len(groups) && x.confidence >= threshold {
			got = groups[x.group].Name
		}
		switch {
		case want == "-":
			s.other++
			if got != "-" {
				s.taken++
			}
		default:
			s.ground++
			if got == want {
				s.right++
			} else if got != "-" {
				s.wrong++
			}
		}
		if explain && got != want {
			t.Logf("%s: %s, not %s: %s (%s) %.2f", name, got, want, x.word, x.concept, x.confidence)
		}
	}
	return s
}

// TestAccuracy guesses names judged by a person, and checks the figures of docs/formats/terrain.md.
func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		file      string
		threshold float64
		want      score
	}{
		{"names-arena.txt", 0.4, score{ground: 45, right: 42, wrong: 1, other: 93, taken: 4}},
		{"names-arena.txt", 0.6, score{ground: 45, right: 36, wrong: 1, other: 93, taken: 2}},
		{"names-libraries.txt", 0.4, score{ground: 144, right: 138, wrong: 4, other: 32}},
		{"names-libraries.txt", 0.6, score{ground: 144, right: 127, wrong: 1, other: 32}},
		{"names-generated.txt", 0.4, score{ground: 40, right: 36, wrong: 3, other: 12}},
		{"names-words.txt", 0.4, score{ground: 62, right: 46, wrong: 3}},
		{"names-words.txt", 0.6, score{ground: 62, right: 43, wrong: 3}},
	} {
		if got := accuracy(t, c.file, c.threshold, false); got != c.want {
			accuracy(t, c.file, c.threshold, true)
			t.Errorf("%s from %g on: %+v, want %+v", c.file, c.threshold, got, c.want)
		}
	}
}
