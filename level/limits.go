package level

import "fmt"

// Limits bound the input files of a level or a map, so a hostile file takes neither all memory nor hours. A decoder
// refuses a larger file with a [TooLarge] error before it allocates memory for the excess. The zero value has the
// defaults, with which reading takes less than 2 GB of memory; docs/formats/limits.md has measurements.
type Limits struct {
	// Bytes is the greatest size of a file together with the files it names, and of a file unpacked from an
	// archive. Default [DefaultBytes].
	Bytes int64
	// Triangles is the greatest number of triangles of a level, and of points of a two-dimensional map. A level may
	// have three times as many vertices. Default [DefaultTriangles], at most 2²⁸.
	Triangles int
}

// The defaults of [Limits]. A height map of 1024 × 1024 samples has 2,093,058 triangles.
const (
	DefaultBytes     = 1 << 28
	DefaultTriangles = 1 << 21
)

// mostTriangles is the upper end of Limits.Triangles: three times as many vertices have 32-bit numbers.
const mostTriangles = 1 << 28

// MaxNames is the greatest number of materials of a file, and of markers.
const MaxNames = 1 << 16

// Validate returns the error of a negative limit.
func (l Limits) Validate() error {
	if l.Bytes < 0 || l.Triangles < 0 {
		return fmt.Errorf("limits of %d bytes and %d triangles, must be 0 or more", l.Bytes, l.Triangles)
	}
	return nil
}

// WithDefaults returns l with the defaults for fields that are 0 or less.
func (l Limits) WithDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Triangles <= 0 {
		l.Triangles = DefaultTriangles
	}
	l.Triangles = min(l.Triangles, mostTriangles)
	return l
}

// Vertices is the greatest number of vertices.
func (l Limits) Vertices() int { return 3 * l.WithDefaults().Triangles }

// CheckTriangles returns a [TooLarge] error when n triangles are more than the limit.
func (l Limits) CheckTriangles(n int) error { return check(n, l.WithDefaults().Triangles, "triangles") }

// CheckVertices returns a [TooLarge] error when n vertices are more than the limit.
func (l Limits) CheckVertices(n int) error { return check(n, l.Vertices(), "vertices") }

// CheckPoints returns a [TooLarge] error when a map of n points is more than the limit.
func (l Limits) CheckPoints(n int) error { return check(n, l.WithDefaults().Triangles, "points") }

func check(n, most int, kind string) error {
	if n > most {
		return &TooLarge{Kind: kind, Most: int64(most)}
	}
	return nil
}

// TooLarge is the error of a file that is beyond the limits.
type TooLarge struct {
	Kind string // the unit of Most: "bytes", "triangles", "vertices", "points"
	Most int64
}

// Error names the limit.
func (e *TooLarge) Error() string { return fmt.Sprintf("more than %d %s", e.Most, e.Kind) }
