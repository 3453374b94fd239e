package scenario

import (
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/statement"
)

// words reads the words of a line from left to right.
type words struct{ statement.Words }

// within reads a number from low to high.
func (w *words) within(low, high float64, name string) float64 {
	word := w.Next(name)
	if w.Err != nil {
		return 0
	}
	return w.number(word, low, high, name)
}

// number is the number of a word, or of a part of one.
func (w *words) number(word string, low, high float64, name string) float64 {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsNaN(v) || v < low || v > high {
		w.Fail("want %s from %g to %g", name, low, high)
		return 0
	}
	return v
}

// span reads one number, or two as in 0.2..0.3.
func (w *words) span(low, high float64, name string) Span {
	word := w.Next(name)
	if w.Err != nil {
		return Span{}
	}
	a, b, two := strings.Cut(word, "..")
	s := Span{Low: w.number(a, low, high, name)}
	if s.High = s.Low; two {
		if s.High = w.number(b, low, high, name); s.High < s.Low {
			w.Fail("want the smaller number first")
		}
	}
	return s
}

// count reads an integer from 0 to most.
func (w *words) count(most uint64, name string) uint64 {
	word := w.Next(name)
	n, err := strconv.ParseUint(word, 10, 64)
	if w.Err == nil && (err != nil || n > most) {
		w.Fail("want %s, an integer from 0 to %d", name, most)
	}
	return n
}

// coordinates reads a word of as many numbers as out has elements, each at most [MaxCoordinate] from 0.
func (w *words) coordinates(out []float64, name string) {
	word := w.Next(name)
	if w.Err != nil {
		return
	}
	parts := strings.Split(word, ",")
	if len(parts) != len(out) {
		w.Fail("want %s", name)
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
	if w.Skip("from") {
		low = w.within(-MaxCoordinate, MaxCoordinate, "a height in metres")
		w.Must("to")
		high = w.within(low, MaxCoordinate, "a height in metres")
	}
	return low, high
}
