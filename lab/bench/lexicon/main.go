// Command lexicon makes the list of words that terrain knows from WordNet, for whoever wants to make it
// again: the nouns below the meanings that anchors names, each with how common and how far below it is.
//
//	go run ./lab/bench/lexicon -dict /usr/share/wordnet > internal/lexicon/wordnet.txt
//
// The argument is the folder of WordNet 3.0's database files; Debian's package wordnet-base has it.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/internal/lexicon"
)

func main() {
	dict := flag.String("dict", "/usr/share/wordnet", "folder of WordNet's database files")
	flag.Parse()
	if err := run(os.Stdout, *dict); err != nil {
		fmt.Fprintln(os.Stderr, "lexicon:", err)
		os.Exit(1)
	}
}

// anchors are the meanings that represent a concept: a lemma and the number of the meaning.
var anchors = []struct{ concept, meanings string }{
	{"road", "road#1 street#1 street#2 paving#2 highway#1 driveway#1"},
	{"sidewalk", "sidewalk#1 walk#5 plaza#1 curb#1"},
	{"crosswalk", "crosswalk#1"},
	{"path", "path#2 trail#2 towpath#1"},
	{"rail", "railroad_track#1"},
	{"floor", "floor#1 floor_cover#1 tile#1 platform#1"},
	{"stairs", "stairway#1 step#4"},
	{"carpet", "rug#1"},
	{"grass", "grassland#1 lawn#1 turf#1 pasture#1 park#1 park#2 meadow#1 cereal#1 hay#1"},
	{"dirt", "soil#2 earth#3 plowland#1 field#1 dust#1 wasteland#1"},
	{"mud", "mud#1 slush#1 silt#1"},
	{"sand", "sand#1 beach#1 dune#1 desert#1"},
	{"gravel", "gravel#1 pebble#1 shingle#3"},
	{"rock", "rock#1 rock#2 cliff#1 crag#1 boulder#1 mountain#1"},
	{"vegetation", "tree#1 shrub#1 forest#1 forest#2 vegetation#1 hedge#1 fern#1 moss#1 foliage#1 vine#1 undergrowth#1"},
	{"snow", "snow#2 snow#1 avalanche#1"},
	{"ice", "ice#1 ice#2 glacier#1 floe#1 frost#1"},
	{"water", "body_of_water#1 stream#1 water#1 fountain#1 pool#1 waterway#1 waterfall#1"},
	{"shallow", "shoal#2 ford#3"},
	{"swamp", "wetland#1"},
	{"lava", "lava#1 magma#1"},
	{"wood", "wood#1 lumber#1 board#2"},
	{"metal", "metal#1 alloy#1 sheet_metal#1 grating#1"},
	{"concrete", "concrete#1 cement#1"},
	{"brick", "brick#1"},
	{"stone", "stone#2 marble#1 masonry#1"},
}

// The reach of the list: deeper words, and rarer meanings of a word, are ignored.
const (
	maxDepth   = 6
	maxRank    = 3
	minLetters = 3
)

// wordnet is the part of the nouns that is needed.
type wordnet struct {
	senses map[string][]string // of a lemma, the offsets of its meanings, the most common first
	below  map[string][]string // hyponyms of a meaning
	words  map[string][]string // lemmas of a meaning
}

func run(out io.Writer, dict string) error {
	w, err := read(dict)
	if err != nil {
		return err
	}
	found := map[string]lexicon.Entry{}
	for _, a := range anchors {
		for m := range strings.FieldsSeq(a.meanings) {
			lemma, number, _ := strings.Cut(m, "#")
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 || n > len(w.senses[lemma]) {
				return fmt.Errorf("concept %s: unknown meaning %s", a.concept, m)
			}
			w.collect(w.senses[lemma][n-1], a.concept, found)
		}
	}
	words := make([]string, 0, len(found))
	for word := range found {
		words = append(words, word)
	}
	slices.Sort(words)
	b := bufio.NewWriter(out)
	for _, word := range words {
		e := found[word]
		fmt.Fprintf(b, "%s %s %d %d\n", word, e.Concept, e.Rank, e.Depth)
	}
	return b.Flush()
}

// collect enters the lemmas of a meaning and of all below it, breadth first. A word that several anchors
// reach goes with its commonest meaning, then with the nearest anchor, then with the first.
func (w *wordnet) collect(root, concept string, found map[string]lexicon.Entry) {
	depth := map[string]int{root: 0}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, word := range w.words[at] {
			if !plain(word) {
				continue
			}
			e := lexicon.Entry{Concept: concept, Rank: slices.Index(w.senses[word], at) + 1, Depth: depth[at]}
			old, known := found[word]
			if e.Rank >= 1 && e.Rank <= maxRank && (!known || cmp.Or(cmp.Compare(e.Rank, old.Rank), cmp.Compare(e.Depth, old.Depth)) < 0) {
				found[word] = e
			}
		}
		for _, next := range w.below[at] {
			if _, seen := depth[next]; !seen && depth[at] < maxDepth {
				depth[next] = depth[at] + 1
				queue = append(queue, next)
			}
		}
	}
}

// plain reports whether a lemma is a single word of lower-case letters.
func plain(word string) bool {
	return len(word) >= minLetters && strings.IndexFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// read takes the nouns out of WordNet's files, whose layout wndb(5) of WordNet tells.
func read(dict string) (*wordnet, error) {
	w := &wordnet{senses: map[string][]string{}, below: map[string][]string{}, words: map[string][]string{}}
	err := lines(filepath.Join(dict, "index.noun"), func(f []string) error {
		meanings, err := strconv.Atoi(f[2])
		if err != nil || len(f) < meanings {
			return fmt.Errorf("lemma %s: no number of meanings", f[0])
		}
		w.senses[f[0]] = f[len(f)-meanings:]
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = lines(filepath.Join(dict, "data.noun"), func(f []string) error {
		n, err := strconv.ParseUint(f[3], 16, 8)
		if err != nil || len(f) < 5+2*int(n) {
			return fmt.Errorf("meaning %s: no number of words", f[0])
		}
		for k := range int(n) {
			w.words[f[0]] = append(w.words[f[0]], f[4+2*k])
		}
		pointers := f[5+2*n:]
		for ; len(pointers) >= 4 && pointers[0] != "|"; pointers = pointers[4:] {
			if pointers[0] == "~" {
				w.below[f[0]] = append(w.below[f[0]], pointers[1])
			}
		}
		return nil
	})
	return w, err
}

// lines visits the fields of every line of a database file below the header.
func lines(path string, visit func(fields []string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if strings.HasPrefix(s.Text(), " ") {
			continue
		}
		if err := visit(strings.Fields(s.Text())); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return s.Err()
}
