package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/excerpt"
)

// maxShown is the number of bytes of a word that an error shows.
const maxShown = 60

// words reads the words of a line from left to right. The first fault stays, and all reads after a fault return zero values.
type words struct {
	all []string
	at  int
	err error
}

// split cuts a line into words at blanks. A word that begins with # ends the line.
func split(line string) words {
	all := strings.Fields(line)
	for i, w := range all {
		if w[0] == '#' {
			return words{all: all[:i]}
		}
	}
	return words{all: all}
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
		w.fail("the statement is complete without the word")
	}
}

// within reads a number from low to high.
func (w *words) within(low, high float64, name string) float64 {
	word := w.next(name)
	if w.err != nil {
		return 0
	}
	return w.number(word, low, high, name)
}

// number is the number of a word, or of a part of one.
func (w *words) number(word string, low, high float64, name string) float64 {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsNaN(v) || v < low || v > high {
		w.fail("want %s from %g to %g", name, low, high)
		return 0
	}
	return v
}

// span reads one number, or two as in 0.2..0.3.
func (w *words) span(low, high float64, name string) Span {
	word := w.next(name)
	if w.err != nil {
		return Span{}
	}
	a, b, two := strings.Cut(word, "..")
	s := Span{Low: w.number(a, low, high, name)}
	if s.High = s.Low; two {
		if s.High = w.number(b, low, high, name); s.High < s.Low {
			w.fail("want the smaller number first")
		}
	}
	return s
}

// count reads an integer from 0 to most.
func (w *words) count(most uint64, name string) uint64 {
	word := w.next(name)
	n, err := strconv.ParseUint(word, 10, 64)
	if w.err == nil && (err != nil || n > most) {
		w.fail("want %s, an integer from 0 to %d", name, most)
	}
	return n
}

// coordinates reads a word of as many numbers as out has elements, each at most [MaxCoordinate] from 0.
func (w *words) coordinates(out []float64, name string) {
	word := w.next(name)
	if w.err != nil {
		return
	}
	parts := strings.Split(word, ",")
	if len(parts) != len(out) {
		w.fail("want %s", name)
		return
	}
	for i := range out {
		out[i] = w.number(parts[i], -MaxCoordinate, MaxCoordinate, name)
	}
}

// place reads "x,y,z".
func (w *words) place(name string) geom.Vec {
	var c [3]float64
	w.coordinates(c[:], name)
	return geom.Vec{X: c[0], Y: c[1], Z: c[2]}
}

// corner reads "x,z".
func (w *words) corner(name string) geom.Vec {
	var c [2]float64
	w.coordinates(c[:], name)
	return geom.Vec{X: c[0], Z: c[1]}
}

// heights reads "from 0 to 3" where the words are there.
func (w *words) heights() (low, high float64) {
	low, high = -MaxCoordinate, MaxCoordinate
	if w.skip("from") {
		low = w.within(-MaxCoordinate, MaxCoordinate, "a height in metres")
		w.must("to")
		high = w.within(low, MaxCoordinate, "a height in metres")
	}
	return low, high
}
