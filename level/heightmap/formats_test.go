package heightmap

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"golang.org/x/image/tiff"

	"github.com/meadow-nav/meadow/level"
)

const ascii = "ncols 3\nnrows 2\nxllcorner 100.5\nyllcorner -7\ncellsize 2\nNODATA_value -9999\n1 2.5 -3\n4 5 6e1\n"

func floats(v ...float32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func encodeTIFF(t testing.TB, p image.Image, how tiff.CompressionType) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tiff.Encode(&b, p, &tiff.Options{Compression: how}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// forms decodes a file by its form.
func form(name string, data []byte, opt Options) (*level.Level, error) {
	r := bytes.NewReader(data)
	switch name {
	case "tiff":
		return DecodeTIFF(r, "a.tif", opt)
	case "asc":
		return DecodeASC(r, "a.asc", opt)
	case "r32":
		return DecodeFloat(r, "a.r32", opt)
	}
	return DecodePNG(r, "a.png", opt)
}

// TestForms reads heights from pictures, text and floats.
func TestForms(t *testing.T) {
	grey := image.NewGray16(image.Rect(0, 0, 3, 2))
	for i, v := range []uint16{0, 256, 512, 768, 1024, 65535} {
		grey.SetGray16(i%3, i/3, color.Gray16{Y: v})
	}
	colours := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	for i, c := range []color.NRGBA{{128, 0, 0, 255}, {128, 2, 128, 255}, {127, 255, 0, 255}, {1, 134, 160, 255}, {1, 134, 170, 255}, {1, 135, 4, 255}} {
		colours.SetNRGBA(i%3, i/3, c)
	}
	holed := image.NewNRGBA(colours.Rect)
	copy(holed.Pix, colours.Pix)
	holed.SetNRGBA(2, 1, color.NRGBA{1, 2, 3, 0})
	for _, c := range []struct {
		name, form string
		data       []byte
		opt        Options
		heights    []float64
		cell       float64
		triangles  int
		warnings   int
	}{
		{"plain", "tiff", encodeTIFF(t, grey, tiff.Uncompressed), Options{}, []float64{0, 1, 2, 3, 4, 65535. / 256}, 1, 4, 0},
		{"packed", "tiff", encodeTIFF(t, grey, tiff.Deflate), Options{HeightScale: 1, CellSize: 3}, []float64{0, 256, 512, 768, 1024, 65535}, 3, 4, 0},
		{"terrarium", "png", encodePNG(t, colours), Options{RGB: Terrarium}, []float64{0, 2.5, -1, -32768 + 256 + 134 + 160./256, -32768 + 256 + 134 + 170./256, -32768 + 256 + 135 + 4./256}, 1, 4, 0},
		{"mapbox", "png", encodePNG(t, colours), Options{RGB: Mapbox, HeightScale: 2}, []float64{0, 0, 0, 0, 2, 20}, 1, 4, 0},
		{"holes", "png", encodePNG(t, holed), Options{RGB: Terrarium}, nil, 1, 2, 0},
		{"text", "asc", []byte(ascii), Options{}, []float64{1, 2.5, -3, 4, 5, 60}, 2, 4, 0},
		{"text with other cells", "asc", []byte(strings.ReplaceAll(ascii, "\n", "\r\n")), Options{CellSize: 5, HeightOffset: 1}, []float64{2, 3.5, -2, 5, 6, 61}, 5, 4, 0},
		{"text with a hole", "asc", []byte(strings.Replace(ascii, "-3", "-9999", 1)), Options{}, []float64{1, 2.5, 0, 4, 5, 60}, 2, 2, 0},
		{"text in degrees", "asc", []byte(strings.Replace(ascii, "cellsize 2", "cellsize 0.0008", 1)), Options{}, nil, 0.0008, 4, 1},
		{"sides", "asc", []byte(strings.Replace(ascii, "cellsize 2", "dx 2\ndy 2", 1)), Options{}, nil, 2, 4, 0},
		{"floats", "r32", floats(0, 1, -2.5, 3e6), Options{}, []float64{0, 1, -2.5, 3e6}, 1, 2, 0},
		{"floats with a hole", "r32", floats(0, 1, 2, 3, 4, float32(math.NaN())), Options{Width: 3}, []float64{0, 1, 2, 3, 4, 0}, 1, 2, 0},
	} {
		lvl, err := form(c.form, c.data, c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := lvl.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(lvl.Triangles) != c.triangles || lvl.Vertices[1].X != c.cell || len(lvl.Warnings) != c.warnings {
			t.Errorf("%s: %d triangles, cells of %g, warnings %q", c.name, len(lvl.Triangles), lvl.Vertices[1].X, lvl.Warnings)
		}
		for i, want := range c.heights {
			if c.name == "mapbox" && i < 3 {
				continue // colours of the other rule
			}
			if got := lvl.Vertices[i].Y; math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: height %d is %g, want %g", c.name, i, got, want)
			}
		}
	}
}

func TestFormErrors(t *testing.T) {
	for _, c := range []struct {
		form, text string
		opt        Options
		want       string
	}{
		{"tiff", "", Options{}, "the file is empty"},
		{"tiff", "II*\x00junk", Options{}, "gdal_translate -of AAIGrid"},
		{"asc", "", Options{}, "0 columns and 0 rows in 0 bytes"},
		{"asc", "ncols x", Options{}, "ncols is not a number"},
		{"asc", "ncols 900000000\nnrows 900000000\ncellsize 1\n1", Options{}, "9e+08 columns and 9e+08 rows in 44 bytes"},
		{"asc", "ncols 1\nnrows 2\ncellsize 1\n1 2", Options{}, "1 × 2 samples enclose no cell"},
		{"asc", "ncols 2\nnrows 2\ndx 1\ndy 2\n1 2 3 4", Options{}, "cells of 1 × 2; want squares"},
		{"asc", "ncols 2\nnrows 2\ncellsize -1\n1 2 3 4", Options{}, "cell size of -1 m"},
		{"asc", "ncols 2\nnrows 2\ncellsize 1\n1 2 3", Options{}, `the sample in row 1, column 1 is ""`},
		{"asc", "ncols 2\nnrows 2\ncellsize 1\n1 2 3 x", Options{}, `row 1, column 1 is "x"`},
		{"asc", "ncols 2\nnrows 2\ncellsize 1\n1 2 3 4 5", Options{}, `"5" behind the last of 2 × 2 samples`},
		{"asc", "ncols 2\nnrows 2\ncellsize 1\n1 2 3 inf", Options{}, "row 1, column 1"},
		{"asc", "ncols 2\nnrows 2\ncellsize 1\nnodata_value 0\n0 0 0 0", Options{}, "no cell has a height in all corners"},
		{"asc", "ncols 2\nnrows 2\ncellsize 1\n1 2 3 1e300", Options{HeightScale: 1e10}, "height scale of 1e+10"},
		{"r32", "abc", Options{}, "3 bytes are not a whole number of 32-bit samples"},
		{"r32", string(floats(1, 2, 3, float32(math.Inf(-1)))), Options{}, "the sample in row 1, column 1 is infinite"},
		{"png", string(encodePNG(t, image.NewRGBA(image.Rect(0, 0, 2, 2)))), Options{RGB: 9}, "no rule 9 for colours"},
	} {
		if _, err := form(c.form, []byte(c.text), c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.40q: error %v, want %q", c.form, c.text, err, c.want)
		}
	}
	var rule RGB
	for _, name := range []string{"terrarium", "MAPBOX", "none", ""} {
		if err := rule.UnmarshalText([]byte(name)); err != nil || name != "" && !strings.EqualFold(rule.String(), name) {
			t.Errorf("%q is rule %v, %v", name, rule, err)
		}
	}
	if err := rule.UnmarshalText([]byte("bing")); err == nil {
		t.Error("bing is a rule")
	}
}

func FuzzForms(f *testing.F) {
	names := []string{"tiff", "asc", "r32", "png"}
	grey := image.NewGray16(image.Rect(0, 0, 3, 2))
	f.Add(uint8(0), encodeTIFF(f, grey, tiff.Uncompressed))
	f.Add(uint8(0), encodeTIFF(f, grey, tiff.Deflate))
	f.Add(uint8(1), []byte(ascii))
	f.Add(uint8(2), floats(1, 2, float32(math.NaN()), 4))
	f.Add(uint8(3), encodePNG(f, image.NewNRGBA(image.Rect(0, 0, 3, 2))))
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		lvl, err := form(names[kind%4], data, Options{RGB: Terrarium, Limits: level.Limits{Bytes: 1 << 20, Triangles: 1 << 12}})
		if err != nil {
			return
		}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}
