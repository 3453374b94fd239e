// Package heightmap makes a terrain of a grid of heights: a grey PNG picture of 8 or 16 bits, or raw
// 16-bit little-endian samples.
//
// The first sample lies at x = 0, z = 0. Columns go to +X and rows to +Z, so the picture is seen from above
// with its upper edge in the north. Each cell of four samples becomes two triangles, cut from its upper right
// to its lower left corner.
package heightmap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// Options give the meaning of samples. The zero value takes the defaults.
type Options struct {
	// CellSize is the distance of neighbouring samples in metres, above 0. Default 1.
	CellSize float64
	// HeightScale is the height of one step of a sample in metres; negative turns the terrain upside down.
	// Default 1 for 8-bit and 1/256 for 16-bit samples; both then span 256 m.
	HeightScale float64
	// HeightOffset is the height of a sample of 0 in metres. Default 0.
	HeightOffset float64
	// Width is the number of samples in a row of raw data, at least 2. Default: the data is square.
	// Pictures know their width.
	Width int
	// Limits bound the file and the terrain. By default at most 1024 × 1024 samples are read.
	Limits level.Limits
}

// The default of HeightScale, in metres.
const (
	step8  = 1
	step16 = 1.0 / 256
)

// DecodePNG reads a grey picture; the level is called after name. Time and space O(samples).
func DecodePNG(r io.Reader, name string, opt Options) (*level.Level, error) {
	data, err := input.All(r, opt.Limits)
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	if len(data) == 0 {
		return nil, errors.New("heightmap: the file is empty")
	}
	// The size stands at the head of the file: the check comes before the picture is unpacked.
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	if config.ColorModel != color.GrayModel && config.ColorModel != color.Gray16Model {
		return nil, errors.New("heightmap: the picture is in colour; want grey")
	}
	g := grid{width: config.Width, height: config.Height}
	if err := g.check(opt.Limits); err != nil {
		return nil, err
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	// The decoded picture has the announced colour model.
	switch p := picture.(type) {
	case *image.Gray:
		g.step = step8
		g.at = func(x, y int) uint16 { return uint16(p.Pix[y*p.Stride+x]) }
	case *image.Gray16:
		g.step = step16
		g.at = func(x, y int) uint16 { return binary.BigEndian.Uint16(p.Pix[y*p.Stride+2*x:]) }
	default:
		return nil, fmt.Errorf("heightmap: the picture is a %T; want grey without transparency", picture)
	}
	return g.level(name, opt)
}

// DecodeRaw reads rows of unsigned 16-bit little-endian samples without a header; the level is
// called after name. Time and space O(samples).
func DecodeRaw(r io.Reader, name string, opt Options) (*level.Level, error) {
	data, err := input.All(r, opt.Limits)
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	samples := len(data) / 2
	switch {
	case len(data) == 0:
		return nil, errors.New("heightmap: the file is empty")
	case len(data)%2 != 0:
		return nil, fmt.Errorf("heightmap: %d bytes are not a whole number of 16-bit samples", len(data))
	case opt.Width < 0:
		return nil, fmt.Errorf("heightmap: width of %d samples", opt.Width)
	}
	g := grid{width: opt.Width, step: step16}
	if g.width == 0 {
		g.width = int(math.Sqrt(float64(samples)))
		if g.width*g.width != samples {
			return nil, fmt.Errorf("heightmap: %d samples are not a square; give the width", samples)
		}
	}
	g.height = samples / g.width
	if g.width*g.height != samples {
		return nil, fmt.Errorf("heightmap: %d samples are not a whole number of rows of %d", samples, g.width)
	}
	if err := g.check(opt.Limits); err != nil {
		return nil, err
	}
	g.at = func(x, y int) uint16 { return binary.LittleEndian.Uint16(data[2*(y*g.width+x):]) }
	return g.level(name, opt)
}

// grid is the common model of both forms.
type grid struct {
	width, height int // in samples
	step          float64
	at            func(x, y int) uint16
}

// check bounds the size of the grid, before anything is unpacked.
func (g *grid) check(limits level.Limits) error {
	most := limits.WithDefaults().Triangles
	switch {
	case g.width < 2 || g.height < 2:
		return fmt.Errorf("heightmap: %d × %d samples enclose no cell", g.width, g.height)
	case g.width-1 > most/2/(g.height-1):
		return fmt.Errorf("heightmap: %d × %d samples: %w", g.width, g.height, limits.CheckTriangles(most+1))
	}
	return nil
}

// level makes the triangles.
func (g *grid) level(name string, opt Options) (*level.Level, error) {
	cell, step := opt.CellSize, opt.HeightScale
	if cell == 0 {
		cell = 1
	}
	if step == 0 {
		step = g.step
	}
	if !(cell > 0) || math.IsInf(cell*float64(max(g.width, g.height)), 0) {
		return nil, fmt.Errorf("heightmap: cell size of %g m", cell)
	}
	if top := float64(math.MaxUint16*step) + opt.HeightOffset; top-top != 0 || opt.HeightOffset-opt.HeightOffset != 0 {
		return nil, fmt.Errorf("heightmap: height scale of %g m with an offset of %g m", step, opt.HeightOffset)
	}
	base := path.Base(input.Slashed(name))
	lvl := &level.Level{
		Name:      strings.TrimSuffix(base, path.Ext(base)),
		Vertices:  make([]geom.Vec, 0, g.width*g.height),
		Triangles: make([]level.Triangle, 0, 2*(g.width-1)*(g.height-1)),
	}
	for y := range g.height {
		for x := range g.width {
			lvl.Vertices = append(lvl.Vertices, geom.Vec{
				X: float64(x) * cell,
				Y: float64(float64(g.at(x, y))*step) + opt.HeightOffset,
				Z: float64(y) * cell,
			})
		}
	}
	for y := range g.height - 1 {
		for x := range g.width - 1 {
			a := uint32(y*g.width + x)
			b := a + uint32(g.width)
			lvl.Triangles = append(lvl.Triangles,
				level.Triangle{A: a, B: b, C: a + 1, Material: level.NoMaterial},
				level.Triangle{A: a + 1, B: b, C: b + 1, Material: level.NoMaterial})
		}
	}
	return lvl, nil
}
