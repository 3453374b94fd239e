package script

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/excerpt"
	"github.com/meadow-nav/meadow/navmesh"
)

// maxShown is the number of bytes of a word that an error shows.
const maxShown = 60

// words reads the words of a line from left to right. The first fault stays, and all reads after a fault return zero
// values.
type words struct {
	all []string
	at  int
	err error
}

// split cuts a line into words: at blanks, but not inside of quotes. A word that begins with # ends the line.
func split(line string) (words, error) {
	var w words
	for {
		line = strings.TrimLeft(line, " \t\r")
		if line == "" || line[0] == '#' {
			return w, nil
		}
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return w, fmt.Errorf("word %d: the quote does not end", len(w.all)+1)
			}
			word, err := strconv.Unquote(quoted)
			if line = line[len(quoted):]; err != nil || line != "" && !strings.ContainsAny(line[:1], " \t\r") {
				return w, fmt.Errorf("word %d: text follows the closing quote", len(w.all)+1)
			}
			w.all = append(w.all, word)
			continue
		}
		end := strings.IndexAny(line, " \t\r")
		if end < 0 {
			end = len(line)
		}
		w.all = append(w.all, line[:end])
		line = line[end:]
	}
}

// fail keeps the first fault, which is about the word read last.
func (w *words) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("word %d, %s: %s", w.at, strconv.Quote(excerpt.Text(w.all[w.at-1], maxShown, false)), fmt.Sprintf(format, args...))
	}
}

// more reports whether there is another word.
func (w *words) more() bool { return w.err == nil && w.at < len(w.all) }

// next returns the next word, and want names the missing word at the end of a line.
func (w *words) next(want string) string {
	if w.err != nil {
		return ""
	}
	if w.at == len(w.all) {
		w.err = fmt.Errorf("the line ends after word %d, want %s", w.at, want)
		return ""
	}
	w.at++
	return w.all[w.at-1]
}

// skip reads a word if it is the given word.
func (w *words) skip(word string) bool {
	if w.more() && w.all[w.at] == word {
		w.at++
		return true
	}
	return false
}

// must reads the given word.
func (w *words) must(word string) {
	if got := w.next(strconv.Quote(word)); w.err == nil && got != word {
		w.fail("want %q", word)
	}
}

// end is a fault where words are left.
func (w *words) end() {
	if w.more() {
		w.at++
		w.fail("the command is complete without the word")
	}
}

// number reads a number; infinite values and NaN are numbers, for a world to refuse.
func (w *words) number(want string) float64 {
	word := w.next(want)
	if w.err != nil {
		return 0
	}
	return w.parse(word, want)
}

func (w *words) parse(word, want string) float64 {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		w.fail("want %s", want)
	}
	return v
}

// length reads a finite number of 0 or more.
func (w *words) length(want string) float64 {
	v := w.number(want)
	if w.err == nil && !(v >= 0 && v <= math.MaxFloat64) {
		w.fail("want %s of 0 or more", want)
	}
	return v
}

// count reads an integer of 0 or more.
func (w *words) count(want string) float64 {
	word := w.next(want)
	n, err := strconv.ParseUint(word, 10, 31)
	if w.err == nil && err != nil {
		w.fail("want %s", want)
	}
	return float64(n)
}

// flags reads an unsigned number of 32 bits, decimal or hexadecimal as in 0x1F.
func (w *words) flags() uint32 {
	const want = "flags, a number of 32 bits"
	word := w.next(want)
	n, err := strconv.ParseUint(word, 0, 32)
	if w.err == nil && err != nil {
		w.fail("want %s", want)
	}
	return uint32(n)
}

// coordinates reads a word of as many numbers as out has elements.
func (w *words) coordinates(out []float64, want string) {
	word := w.next(want)
	if w.err != nil {
		return
	}
	for i := range out {
		part, rest, comma := strings.Cut(word, ",")
		if comma != (i < len(out)-1) {
			w.fail("want %s", want)
			return
		}
		out[i] = w.parse(part, want)
		word = rest
	}
}

// place reads "x,y,z".
func (w *words) place(want string) geom.Vec {
	var c [3]float64
	w.coordinates(c[:], want)
	return geom.Vec{X: c[0], Y: c[1], Z: c[2]}
}

// yaw reads an angle: degrees, or radians with the ending "rad".
func (w *words) yaw() float64 {
	const want = "an angle in degrees, or in radians as in 0.5rad"
	word := w.next(want)
	if w.err != nil {
		return 0
	}
	if radians, ok := strings.CutSuffix(word, "rad"); ok {
		return w.parse(radians, want)
	}
	return geom.Degrees(w.parse(word, want))
}

// kind reads the word of a kind of link.
func (w *words) kind() navmesh.LinkKind {
	word := w.next("a kind of link")
	for k := navmesh.Jump; k <= navmesh.Boundary; k++ {
		if k.String() == word {
			return k
		}
	}
	if w.err == nil {
		w.fail("want a kind of link: jump, drop, climb, ladder, door, lift, teleporter or boundary")
	}
	return 0
}
