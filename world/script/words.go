package script

import (
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/statement"
	"github.com/meadow-nav/meadow/navmesh"
)

// words reads the words of a line from left to right.
type words struct{ statement.Words }

// number reads a number; infinite values and NaN are numbers, for a world to refuse.
func (w *words) number(want string) float64 {
	word := w.Next(want)
	if w.Err != nil {
		return 0
	}
	return w.parse(word, want)
}

func (w *words) parse(word, want string) float64 {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		w.Fail("want %s", want)
	}
	return v
}

// length reads a finite number of 0 or more.
func (w *words) length(want string) float64 {
	v := w.number(want)
	if w.Err == nil && !(v >= 0 && v <= math.MaxFloat64) {
		w.Fail("want %s of 0 or more", want)
	}
	return v
}

// count reads an integer of 0 or more.
func (w *words) count(want string) float64 {
	word := w.Next(want)
	n, err := strconv.ParseUint(word, 10, 31)
	if w.Err == nil && err != nil {
		w.Fail("want %s", want)
	}
	return float64(n)
}

// flags reads an unsigned number of 32 bits, decimal or hexadecimal as in 0x1F.
func (w *words) flags() uint32 {
	const want = "flags, a number of 32 bits"
	word := w.Next(want)
	n, err := strconv.ParseUint(word, 0, 32)
	if w.Err == nil && err != nil {
		w.Fail("want %s", want)
	}
	return uint32(n)
}

// coordinates reads a word of as many numbers as out has elements.
func (w *words) coordinates(out []float64, want string) {
	word := w.Next(want)
	if w.Err != nil {
		return
	}
	for i := range out {
		part, rest, comma := strings.Cut(word, ",")
		if comma != (i < len(out)-1) {
			w.Fail("want %s", want)
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
	word := w.Next(want)
	if w.Err != nil {
		return 0
	}
	if radians, ok := strings.CutSuffix(word, "rad"); ok {
		return w.parse(radians, want)
	}
	return geom.Degrees(w.parse(word, want))
}

// kind reads the word of a kind of link.
func (w *words) kind() navmesh.LinkKind {
	word := w.Next("a kind of link")
	for k := navmesh.Jump; k <= navmesh.Boundary; k++ {
		if k.String() == word {
			return k
		}
	}
	if w.Err == nil {
		w.Fail("want a kind of link: jump, drop, climb, ladder, door, lift, teleporter or boundary")
	}
	return 0
}
