package heightmap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strings"

	"golang.org/x/image/tiff"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// RGB is a rule by which the colours of a picture are heights in metres.
type RGB uint8

// The rules. A pixel that is transparent altogether is a hole.
const (
	NoRGB     RGB = iota
	Terrarium     // red × 256 + green + blue / 256 - 32768
	Mapbox        // (red × 65536 + green × 256 + blue) / 10 - 10000
)

var rgbNames = [...]string{"none", "terrarium", "mapbox"}

// String returns the name of the rule.
func (r RGB) String() string {
	if int(r) < len(rgbNames) {
		return rgbNames[r]
	}
	return fmt.Sprintf("rule %d", uint8(r))
}

// MarshalText returns the name of the rule.
func (r RGB) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name of a rule; the empty text means [NoRGB].
func (r *RGB) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*r = NoRGB
		return nil
	}
	for i, name := range rgbNames {
		if strings.EqualFold(name, string(text)) {
			*r = RGB(i)
			return nil
		}
	}
	return fmt.Errorf("heightmap: unknown rule %.40q for colours; want terrarium or mapbox", text)
}

// DecodeTIFF reads a grey picture of 8 or 16 bits; the level is called after name. Time and space O(samples).
func DecodeTIFF(r io.Reader, name string, opt Options) (*level.Level, error) {
	data, err := input.All(r, opt.Limits)
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	if len(data) == 0 {
		return nil, errors.New("heightmap: the file is empty")
	}
	config, err := tiff.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("heightmap: no TIFF of integers: %w; gdal_translate -of AAIGrid IN OUT.asc makes text of floats", err)
	}
	return picture(config, func() (image.Image, error) { return tiff.Decode(bytes.NewReader(data)) }, name, opt)
}

// DecodeFloat reads rows of 32-bit little-endian floats without a header, heights in metres; NaN is a hole. The level is
// called after name. Time and space O(samples).
func DecodeFloat(r io.Reader, name string, opt Options) (*level.Level, error) {
	data, err := input.All(r, opt.Limits)
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	g, err := square(len(data), 4, opt)
	if err != nil {
		return nil, err
	}
	g.step = 1
	g.at = func(x, y int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*(y*g.width+x):])))
	}
	if err := g.finite(); err != nil {
		return nil, err
	}
	return g.level(name, opt)
}

// square returns the grid of raw data of samples of a size, of the stated width or else square.
func square(bytes, size int, opt Options) (*grid, error) {
	samples := bytes / size
	switch {
	case bytes == 0:
		return nil, errors.New("heightmap: the file is empty")
	case bytes%size != 0:
		return nil, fmt.Errorf("heightmap: %d bytes are not a whole number of %d-bit samples", bytes, 8*size)
	case opt.Width < 0:
		return nil, fmt.Errorf("heightmap: width of %d samples", opt.Width)
	}
	g := &grid{width: opt.Width}
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
	return g, g.check(opt.Limits)
}

// finite refuses an infinite sample, and notes the greatest.
func (g *grid) finite() error {
	for y := range g.height {
		for x := range g.width {
			v := math.Abs(g.at(x, y))
			if math.IsInf(v, 0) {
				return fmt.Errorf("heightmap: the sample in row %d, column %d is infinite", y, x)
			}
			if v > g.top {
				g.top = v
			}
		}
	}
	return nil
}

// DecodeASC reads an ESRI ASCII grid: heights in metres, the first row in the north. The cell size is the file's, unless the
// options have one. The level is called after name. Time and space O(bytes).
func DecodeASC(r io.Reader, name string, opt Options) (*level.Level, error) {
	data, err := input.All(r, opt.Limits)
	if err == nil {
		data, err = input.UTF8(data)
	}
	if err != nil {
		return nil, fmt.Errorf("heightmap: %w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	head := map[string]float64{} // looked up only
	at := 0
	word := func() []byte {
		at = input.SkipBlank(data, at)
		end := input.TokenEnd(data, at)
		w := data[at:end]
		at = end
		return w
	}
	for {
		start := at
		key := word()
		key = bytes.ToLower(key[:min(len(key), 40)])
		switch string(key) {
		case "ncols", "nrows", "cellsize", "dx", "dy", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "nodata_value":
			v, _, ok := input.Float(word(), 0)
			if !ok || v-v != 0 {
				return nil, fmt.Errorf("heightmap: %s is not a number", key)
			}
			head[string(key)] = v
			continue
		}
		at = start
		break
	}
	columns, rows := head["ncols"], head["nrows"]
	// A sample takes two bytes or more.
	if !(columns >= 1 && rows >= 1 && columns <= float64(len(data)) && rows <= float64(len(data)) && columns*rows <= float64(len(data)/2+1)) {
		return nil, fmt.Errorf("heightmap: %g columns and %g rows in %d bytes", columns, rows, len(data))
	}
	g := &grid{width: int(columns), height: int(rows), step: 1}
	if err := g.check(opt.Limits); err != nil {
		return nil, err
	}
	cell := head["cellsize"]
	if cell == 0 {
		cell = head["dx"]
		if head["dx"] != head["dy"] {
			return nil, fmt.Errorf("heightmap: cells of %g × %g; want squares", head["dx"], head["dy"])
		}
	}
	degrees := opt.CellSize == 0 && cell < 0.05
	if opt.CellSize == 0 {
		opt.CellSize = cell
	}
	empty, hasEmpty := head["nodata_value"]
	samples := make([]float64, g.width*g.height)
	for i := range samples {
		w := word()
		v, n, ok := input.Float(w, 0)
		if !ok || n != len(w) {
			return nil, fmt.Errorf("heightmap: the sample in row %d, column %d is %.40q", i/g.width, i%g.width, w)
		}
		if hasEmpty && v == empty {
			v = math.NaN()
		}
		samples[i] = v
	}
	if rest := word(); len(rest) > 0 {
		return nil, fmt.Errorf("heightmap: %.40q behind the last of %d × %d samples", rest, g.width, g.height)
	}
	g.at = func(x, y int) float64 { return samples[y*g.width+x] }
	if err := g.finite(); err != nil {
		return nil, err
	}
	lvl, err := g.level(name, opt)
	if err == nil && degrees {
		lvl.Warnings = append(lvl.Warnings, fmt.Sprintf("heightmap: cells of %g: are they degrees? --map-cell gives their size in metres", cell))
	}
	return lvl, err
}
