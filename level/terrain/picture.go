package terrain

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"github.com/meadow-nav/meadow/level"
)

// MaxPixels is the maximum number of pixels of a picture.
const MaxPixels = 1 << 25

// unpainted is the label of pixels without an area; area 0 has the next label.
const unpainted = 0

// labels is a picture of areas: area plus one for each pixel, row by row from the north, or unpainted.
type labels struct {
	width, height int
	at            []uint16
}

// get returns the label of a pixel, unpainted outside the picture.
func (l *labels) get(x, y int) uint16 {
	if x < 0 || y < 0 || x >= l.width || y >= l.height {
		return unpainted
	}
	return l.at[y*l.width+x]
}

// decodePicture decodes a PNG picture after checking its size.
func decodePicture(data []byte) (image.Image, error) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if config.Width < 1 || config.Height < 1 || config.Width > MaxPixels/config.Height {
		return nil, fmt.Errorf("%d × %d pixels, at most %d in all", config.Width, config.Height, MaxPixels)
	}
	return png.Decode(bytes.NewReader(data))
}

// pixels returns a function that reads a picture's colours, not multiplied by their opacity. For the usual kinds of PNG
// the function avoids an interface value per pixel.
func pixels(picture image.Image) func(x, y int) color.NRGBA {
	switch p := picture.(type) {
	case *image.NRGBA:
		return p.NRGBAAt
	case *image.RGBA: // from the decoder, opaque
		if p.Opaque() {
			return func(x, y int) color.NRGBA { return color.NRGBA(p.RGBAAt(x, y)) }
		}
	}
	return func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA) }
}

// label labels every pixel by its colour, not multiplied by its opacity.
func label(picture image.Image, of func(color.NRGBA) uint16) *labels {
	b := picture.Bounds()
	l := &labels{width: b.Dx(), height: b.Dy(), at: make([]uint16, b.Dx()*b.Dy())}
	at := pixels(picture)
	var last color.NRGBA // the previous pixel, mostly of the same colour
	known, answer := false, uint16(unpainted)
	for y := range l.height {
		for x := range l.width {
			c := at(b.Min.X+x, b.Min.Y+y)
			if !known || c != last {
				last, known, answer = c, true, of(c)
			}
			l.at[y*l.width+x] = answer
		}
	}
	return l
}

// The limits of mask pixels.
const (
	maskDistance = 48  // from the colour of the legend, each channel from 0 to 255: tolerates smoothed edges
	opaque       = 128 // pixels with less opacity are not painted
)

// mask labels the pixels by the nearest colour of the legend. others counts pixels far from all colours of the legend,
// and other is the first of their colours.
func (r *Rules) mask(p *Paint, picture image.Image) (l *labels, others int, other rgb) {
	var legend []sample
	for _, k := range p.Legend {
		c, err := parseColor(k.Key)
		a, ok := r.area(k.Group)
		if err == nil && ok {
			legend = append(legend, sample{c, a})
		}
	}
	const far = level.MaxAreas + 1
	l = label(picture, func(c color.NRGBA) uint16 {
		if c.A < opaque {
			return unpainted
		}
		out, best := uint16(far), maskDistance*maskDistance+1
		for _, s := range legend {
			if d := s.color.distance2(rgb{c.R, c.G, c.B}); d < best {
				out, best = uint16(s.area)+1, d
			}
		}
		return out
	})
	for i, v := range l.at {
		if v != far {
			continue
		}
		if others == 0 {
			b := picture.Bounds()
			c := pixels(picture)(b.Min.X+i%l.width, b.Min.Y+i/l.width)
			other = rgb{c.R, c.G, c.B}
		}
		others++
		l.at[i] = unpainted
	}
	return l, others, other
}

// splat labels the pixels by the channel of the legend with the greatest weight, the first of several; pixels with all
// weights 0 are unpainted.
func (r *Rules) splat(p *Paint, picture image.Image) *labels {
	type channel struct {
		weight func(color.NRGBA) uint8
		area   uint8
	}
	var channels []channel
	for _, k := range p.Legend {
		a, _ := r.area(k.Group)
		weight := map[string]func(color.NRGBA) uint8{
			"r": func(c color.NRGBA) uint8 { return c.R },
			"g": func(c color.NRGBA) uint8 { return c.G },
			"b": func(c color.NRGBA) uint8 { return c.B },
			"a": func(c color.NRGBA) uint8 { return c.A },
		}[k.Key]
		if weight != nil {
			channels = append(channels, channel{weight, a})
		}
	}
	return label(picture, func(c color.NRGBA) uint16 {
		out, best := uint16(unpainted), uint8(0)
		for _, k := range channels {
			if w := k.weight(c); w > best {
				out, best = uint16(k.area)+1, w
			}
		}
		return out
	})
}
