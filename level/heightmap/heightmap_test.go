package heightmap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

func encodePNG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// gray16 is a picture of the given rows.
func gray16(rows ...[]uint16) *image.Gray16 {
	p := image.NewGray16(image.Rect(0, 0, len(rows[0]), len(rows)))
	for y, row := range rows {
		for x, v := range row {
			p.SetGray16(x, y, color.Gray16{Y: v})
		}
	}
	return p
}

func raw(samples ...uint16) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, samples)
	return b
}

var rows = [][]uint16{{0, 256, 512}, {65535, 1, 128}}

// terrain is the level of rows with the given cell and heights.
func terrain(cell, step, offset float64) *level.Level {
	lvl := &level.Level{Name: "test"}
	for y, row := range rows {
		for x, v := range row {
			lvl.Vertices = append(lvl.Vertices, geom.Vec{X: float64(x) * cell, Y: float64(v)*step + offset, Z: float64(y) * cell})
		}
	}
	for _, t := range [][3]uint32{{0, 3, 1}, {1, 3, 4}, {1, 4, 2}, {2, 4, 5}} {
		lvl.Triangles = append(lvl.Triangles, level.Triangle{A: t[0], B: t[1], C: t[2], Material: level.NoMaterial})
	}
	return lvl
}

func TestDecode(t *testing.T) {
	picture := encodePNG(t, gray16(rows...))
	for _, c := range []struct {
		name string
		opt  Options
		want *level.Level
	}{
		{"defaults", Options{}, terrain(1, 1.0/256, 0)},
		{"scaled", Options{CellSize: 0.5, HeightScale: 0.25, HeightOffset: -100}, terrain(0.5, 0.25, -100)},
		{"upside down", Options{HeightScale: -1}, terrain(1, -1, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := DecodePNG(bytes.NewReader(picture), "a/test.png", c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error("png", diff)
			}
			c.opt.Width = 3
			got, err = DecodeRaw(bytes.NewReader(raw(append(rows[0], rows[1]...)...)), "a/test.r16", c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error("raw", diff)
			}
		})
	}
}

func TestTrianglesFaceUp(t *testing.T) {
	lvl := terrain(1, 1.0/256, 0)
	for i, tri := range lvl.Triangles {
		a, b, c := lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C]
		if n := b.Sub(a).Cross(c.Sub(a)); n.Y <= 0 {
			t.Errorf("triangle %d looks along %v", i, n)
		}
	}
}

func TestEightBits(t *testing.T) {
	p := image.NewGray(image.Rect(0, 0, 2, 2))
	p.SetGray(1, 1, color.Gray{Y: 255})
	got, err := DecodePNG(bytes.NewReader(encodePNG(t, p)), "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := got.Vertices[3]; v != (geom.Vec{X: 1, Y: 255, Z: 1}) {
		t.Errorf("last vertex %v", v)
	}
}

func TestSquareRaw(t *testing.T) {
	got, err := DecodeRaw(bytes.NewReader(raw(make([]uint16, 9)...)), "", Options{})
	if err != nil || len(got.Triangles) != 8 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestErrors(t *testing.T) {
	picture := encodePNG(t, gray16(rows...))
	huge := bytes.Clone(picture)
	binary.BigEndian.PutUint32(huge[16:], 1<<13)
	binary.BigEndian.PutUint32(huge[20:], 1<<13)
	fixCRC(huge)
	decoders := map[string]func(data []byte, opt Options) error{
		"png": func(data []byte, opt Options) error {
			_, err := DecodePNG(bytes.NewReader(data), "", opt)
			return err
		},
		"raw": func(data []byte, opt Options) error {
			_, err := DecodeRaw(bytes.NewReader(data), "", opt)
			return err
		},
	}
	square := raw(0, 0, 0, 0)
	for _, c := range []struct {
		form, name string
		data       []byte
		opt        Options
		want       string
	}{
		{"png", "empty", nil, Options{}, "heightmap: the file is empty"},
		{"png", "garbage", []byte("hello, this is no picture"), Options{}, "heightmap: png: invalid format: not a PNG file"},
		{"png", "truncated", picture[:len(picture)-20], Options{}, "heightmap: png: invalid format: unexpected EOF"},
		{"png", "huge", huge, Options{}, "heightmap: 8192 × 8192 samples: more than 2097152 triangles"},
		{"png", "colour", encodePNG(t, image.NewRGBA(image.Rect(0, 0, 2, 2))), Options{}, "heightmap: the picture is in colour; want grey, or the rule by which colours are heights: terrarium or mapbox"},
		{"png", "palette", encodePNG(t, image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Black})), Options{}, "heightmap: the picture is in colour; want grey, or the rule by which colours are heights: terrarium or mapbox"},
		{"png", "one row", encodePNG(t, gray16([]uint16{1, 2, 3})), Options{}, "heightmap: 3 × 1 samples enclose no cell"},
		{"raw", "empty", nil, Options{}, "heightmap: the file is empty"},
		{"raw", "odd", []byte("abc"), Options{}, "heightmap: 3 bytes are not a whole number of 16-bit samples"},
		{"raw", "not square", raw(1, 2, 3, 4, 5, 6), Options{}, "heightmap: 6 samples are not a square; give the width"},
		{"raw", "not in rows", raw(1, 2, 3, 4, 5, 6), Options{Width: 4}, "heightmap: 6 samples are not a whole number of rows of 4"},
		{"raw", "row too long", square, Options{Width: math.MaxInt}, "heightmap: 4 samples are not a whole number of rows of 9223372036854775807"},
		{"raw", "one column", square, Options{Width: 1}, "heightmap: 1 × 4 samples enclose no cell"},
		{"raw", "negative width", square, Options{Width: -1}, "heightmap: width of -1 samples"},
		{"raw", "negative cell", square, Options{CellSize: -1}, "heightmap: cell size of -1 m"},
		{"raw", "cell is not a number", square, Options{CellSize: math.NaN()}, "heightmap: cell size of NaN m"},
		{"raw", "cell without end", square, Options{CellSize: 1e308}, "heightmap: cell size of 1e+308 m"},
		{"raw", "heights without end", square, Options{HeightScale: 1e305}, "heightmap: height scale of 1e+305 m with an offset of 0 m"},
		{"raw", "offset is not a number", square, Options{HeightOffset: math.NaN()}, "heightmap: height scale of 0.00390625 m with an offset of NaN m"},
	} {
		t.Run(c.form+" "+c.name, func(t *testing.T) {
			if c.name == "row too long" && math.MaxInt == math.MaxInt32 {
				t.Skip("the width is that of 64 bits")
			}
			err := decoders[c.form](c.data, c.opt)
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	broken := errors.New("broken disk")
	if _, err := DecodePNG(iotest.ErrReader(broken), "", Options{}); !errors.Is(err, broken) {
		t.Errorf("error of the reader: %v", err)
	}
	if _, err := DecodeRaw(iotest.ErrReader(broken), "", Options{}); !errors.Is(err, broken) {
		t.Errorf("error of the reader: %v", err)
	}
}

// fixCRC repairs the checksum of the first chunk of a PNG file.
func fixCRC(file []byte) {
	const start, end = 12, 29 // type and data of the header chunk
	binary.BigEndian.PutUint32(file[end:], crc32.ChecksumIEEE(file[start:end]))
}

func FuzzDecode(f *testing.F) {
	f.Add(encodePNG(f, gray16(rows...)), 0)
	f.Add(encodePNG(f, image.NewGray(image.Rect(0, 0, 3, 2))), 0)
	f.Add(raw(1, 2, 3, 4, 5, 6), 3)
	f.Fuzz(func(t *testing.T, data []byte, width int) {
		for _, decode := range []func() (*level.Level, error){
			func() (*level.Level, error) { return DecodePNG(bytes.NewReader(data), "a", Options{}) },
			func() (*level.Level, error) { return DecodeRaw(bytes.NewReader(data), "a", Options{Width: width}) },
		} {
			lvl, err := decode()
			if err != nil {
				if !strings.HasPrefix(err.Error(), "heightmap: ") {
					t.Fatalf("error %q", err)
				}
				continue
			}
			if err := lvl.Validate(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkDecodeRaw(b *testing.B) {
	const n = 708
	data := make([]byte, 2*n*n)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		lvl, err := DecodeRaw(bytes.NewReader(data), "", Options{})
		if err != nil || len(lvl.Triangles) != 2*(n-1)*(n-1) {
			b.Fatal(err)
		}
	}
	b.ReportMetric(2*(n-1)*(n-1), "triangles")
}
