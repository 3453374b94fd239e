// Package heightmap makes a terrain of a grid of heights: a grey PNG or TIFF picture of 8 or 16 bits, a PNG picture whose
// colours encode heights, raw samples of 16-bit integers or 32-bit floats, or an ESRI ASCII grid.
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

// NeedsRule begins the error of a coloured picture without a rule.
const NeedsRule = "the picture is in colour"

// Options give the meaning of samples. The zero value takes the defaults.
type Options struct {
	// CellSize is the distance of neighbouring samples in metres, above 0. Default 1.
	CellSize float64
	// HeightScale is the height of one step of a sample in metres; negative turns the terrain upside down.
	// Default 1 for 8-bit and 1/256 for 16-bit samples; both then span 256 m. Heights in floats, in text and in colours
	// are metres, and steps of 1.
	HeightScale float64
	// HeightOffset is the height of a sample of 0 in metres. Default 0.
	HeightOffset float64
	// Width is the number of samples in a row of raw data, at least 2. Default: the data is square.
	// Pictures know their width.
	Width int
	// RGB says how the colours of a picture encode heights. Default: pictures in colour are refused.
	RGB RGB
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
	return picture(config, func() (image.Image, error) { return png.Decode(bytes.NewReader(data)) }, name, opt)
}

// picture makes a terrain of a picture, which is unpacked after the check of its size.
func picture(config image.Config, unpack func() (image.Image, error), name string, opt Options) (*level.Level, error) {
	grey := config.ColorModel == color.GrayModel || config.ColorModel == color.Gray16Model
	if !grey && opt.RGB == NoRGB {
		return nil, errors.New("heightmap: " + NeedsRule + "; want grey, or the rule by which colours are heights: terrarium or mapbox")
	}
	g := grid{width: config.Width, height: config.Height}
	if err := g.check(opt.Limits); err != nil {
		return nil, err
	}
	image, err := unpack()
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	if err := g.take(image, opt.RGB); err != nil {
		return nil, err
	}
	return g.level(name, opt)
}

// take reads the samples of a picture.
func (g *grid) take(picture image.Image, rule RGB) error {
	if rule > Mapbox {
		return fmt.Errorf("heightmap: no rule %d for colours", rule)
	}
	switch p := picture.(type) {
	case *image.Gray:
		g.step = step8
		g.at = func(x, y int) float64 { return float64(p.Pix[y*p.Stride+x]) }
		return nil
	case *image.Gray16:
		g.step = step16
		g.at = func(x, y int) float64 { return float64(binary.BigEndian.Uint16(p.Pix[y*p.Stride+2*x:])) }
		return nil
	}
	if rule == NoRGB {
		return fmt.Errorf("heightmap: the picture is a %T; want grey without transparency", picture)
	}
	g.step = 1
	box := picture.Bounds()
	g.at = func(x, y int) float64 {
		c := color.NRGBAModel.Convert(picture.At(box.Min.X+x, box.Min.Y+y)).(color.NRGBA)
		v := float64(uint(c.R)<<16 | uint(c.G)<<8 | uint(c.B))
		switch {
		case c.A == 0:
			return math.NaN()
		case rule == Terrarium:
			return v/256 - 32768
		}
		return v/10 - 10000
	}
	return nil
}

// DecodeRaw reads rows of unsigned 16-bit little-endian samples without a header; the level is
// called after name. Time and space O(samples).
func DecodeRaw(r io.Reader, name string, opt Options) (*level.Level, error) {
	data, err := input.All(r, opt.Limits)
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	g, err := square(len(data), 2, opt)
	if err != nil {
		return nil, err
	}
	g.step = step16
	g.at = func(x, y int) float64 { return float64(binary.LittleEndian.Uint16(data[2*(y*g.width+x):])) }
	return g.level(name, opt)
}

// grid is the common model of both forms.
type grid struct {
	width, height int // in samples
	step          float64
	top           float64                // the greatest sample, at least, if it is above 65535
	at            func(x, y int) float64 // NaN where the terrain has a hole
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
	if top := float64(float64(max(math.MaxUint16, g.top))*step) + opt.HeightOffset; top-top != 0 || opt.HeightOffset-opt.HeightOffset != 0 {
		return nil, fmt.Errorf("heightmap: height scale of %g m with an offset of %g m", step, opt.HeightOffset)
	}
	base := path.Base(input.Slashed(name))
	lvl := &level.Level{
		Name:      strings.TrimSuffix(base, path.Ext(base)),
		Vertices:  make([]geom.Vec, 0, g.width*g.height),
		Triangles: make([]level.Triangle, 0, 2*(g.width-1)*(g.height-1)),
	}
	var holes []bool // samples without a height
	for y := range g.height {
		for x := range g.width {
			sample := g.at(x, y)
			if sample != sample {
				if holes == nil {
					holes = make([]bool, g.width*g.height)
				}
				holes[y*g.width+x], sample = true, 0
			}
			lvl.Vertices = append(lvl.Vertices, geom.Vec{
				X: float64(x) * cell,
				Y: float64(sample*step) + opt.HeightOffset,
				Z: float64(y) * cell,
			})
		}
	}
	for y := range g.height - 1 {
		for x := range g.width - 1 {
			a := uint32(y*g.width + x)
			b := a + uint32(g.width)
			if holes != nil && (holes[a] || holes[a+1] || holes[b] || holes[b+1]) {
				continue
			}
			lvl.Triangles = append(lvl.Triangles,
				level.Triangle{A: a, B: b, C: a + 1, Material: level.NoMaterial},
				level.Triangle{A: a + 1, B: b, C: b + 1, Material: level.NoMaterial})
		}
	}
	if holes != nil && len(lvl.Triangles) == 0 {
		return nil, errors.New("heightmap: no cell has a height in all corners")
	}
	return lvl, nil
}
