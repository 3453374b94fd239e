package main

import (
	"encoding/json"
	"io"
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// printer is standard output that keeps its first error: tables are printed line by line, and no line looks.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) Write(b []byte) (n int, err error) {
	if p.err == nil {
		n, p.err = p.w.Write(b)
	}
	return n, p.err
}

// writeJSON prints v as a line.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// place is a point in JSON: [x, y, z] in metres, with all digits, so that reading gives the same point.
type place [3]float64

// placeOf adds 0 to turn -0 into 0.
func placeOf(v geom.Vec) place { return place{v.X + 0, v.Y + 0, v.Z + 0} }

// String returns the point for a line of text.
func (p place) String() string { return geom.Vec{X: p[0], Y: p[1], Z: p[2]}.String() }

// places never returns nil, so an empty list is [] and not null.
func places(vs []geom.Vec) []place {
	out := make([]place, len(vs))
	for i, v := range vs {
		out[i] = placeOf(v)
	}
	return out
}

// round4 rounds to four digits after the point, and never to -0.
func round4(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 }
