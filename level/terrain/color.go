package terrain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/level"
)

// rgb is a colour in sRGB.
type rgb [3]uint8

// colors are the named colours, as in HTML.
var colors = []struct {
	name string
	rgb
}{
	{"aqua", rgb{0, 255, 255}},
	{"black", rgb{0, 0, 0}},
	{"blue", rgb{0, 0, 255}},
	{"brown", rgb{165, 42, 42}},
	{"cyan", rgb{0, 255, 255}},
	{"fuchsia", rgb{255, 0, 255}},
	{"gray", rgb{128, 128, 128}},
	{"green", rgb{0, 128, 0}},
	{"grey", rgb{128, 128, 128}},
	{"lime", rgb{0, 255, 0}},
	{"magenta", rgb{255, 0, 255}},
	{"maroon", rgb{128, 0, 0}},
	{"navy", rgb{0, 0, 128}},
	{"olive", rgb{128, 128, 0}},
	{"orange", rgb{255, 165, 0}},
	{"purple", rgb{128, 0, 128}},
	{"red", rgb{255, 0, 0}},
	{"silver", rgb{192, 192, 192}},
	{"teal", rgb{0, 128, 128}},
	{"white", rgb{255, 255, 255}},
	{"yellow", rgb{255, 255, 0}},
}

// ColorNames lists the valid names of colours.
func ColorNames() []string {
	names := make([]string, len(colors))
	for i, c := range colors {
		names[i] = c.name
	}
	return names
}

// parseColor reads #rrggbb, #rgb or a name.
func parseColor(s string) (rgb, error) {
	if i := slices.IndexFunc(colors, func(c struct {
		name string
		rgb
	},
	) bool {
		return strings.EqualFold(c.name, s)
	}); i >= 0 {
		return colors[i].rgb, nil
	}
	hex, ok := strings.CutPrefix(s, "#")
	if ok && len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	if v, err := strconv.ParseUint(hex, 16, 24); ok && err == nil && len(hex) == 6 {
		return rgb{uint8(v >> 16), uint8(v >> 8), uint8(v)}, nil
	}
	return rgb{}, fmt.Errorf("colour %q is neither #rrggbb nor a name such as green", s)
}

// distance2 returns the squared distance of two colours, with channels from 0 to 255.
func (c rgb) distance2(o rgb) int {
	sum := 0
	for k := range c {
		d := int(c[k]) - int(o[k])
		sum += d * d
	}
	return sum
}

// encoded converts linear channels from 0 to 1 to sRGB. The steps of sRGB are far coarser than differences between
// machines.
func encoded(linear [3]float64) rgb {
	var c rgb
	for k, v := range linear {
		// Halves are common; the slack rounds them up also on machines that differ in the last bits.
		const slack = 1e-6
		c[k] = uint8(math.Floor(float64(level.SRGB(min(max(v, 0), 1))*255) + 0.5 + slack))
	}
	return c
}
