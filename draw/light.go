package draw

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Light is the light on a triangle: its own colour, and the shares of the sun and the sky if nothing is in
// their way. All media use it, so their pictures agree.
type Light struct {
	Lit    bool
	Normal geom.Vec // unit, on the viewer's side

	plain    Color      // the finished colour of a triangle that is not lit
	albedo   [3]float64 // linear
	sun, sky float64
}

const (
	// On a level floor the sun and the sky together give a little over 1, so colours appear as specified.
	sunStrength = 0.80
	skyStrength = 0.46
)

// Sun returns the direction from the ground to the sun: 52° high, and 50° to the left of the viewer,
// so that walls on both sides of an edge differ however the camera is turned.
func (c *Camera) Sun() geom.Vec {
	const high, aside = 52 * math.Pi / 180, 50 * math.Pi / 180
	back := c.Right.Cross(geom.Vec{Y: 1}) // level, towards the viewer
	side := back.Scale(math.Cos(aside)).Sub(c.Right.Scale(math.Sin(aside)))
	return side.Scale(math.Cos(high)).Add(geom.Vec{Y: math.Sin(high)})
}

// Light returns the light on t for this camera.
func (c *Camera) Light(t *Triangle) Light {
	if t == nil {
		return Light{}
	}
	if !t.Lit {
		return Light{plain: t.Fill}
	}
	n := t.P[1].Sub(t.P[0]).Cross(t.P[2].Sub(t.P[0])).Unit()
	if n.Dot(c.Toward) < 0 {
		n = n.Scale(-1)
	}
	return Light{
		Lit:    true,
		Normal: n,
		plain:  t.Fill,
		albedo: [3]float64{toLinear[t.Fill.R], toLinear[t.Fill.G], toLinear[t.Fill.B]},
		sun:    sunStrength * math.Max(0, n.Dot(c.Sun())),
		// A wall sees half of the sky, and the ground before it reflects some light.
		sky: skyStrength * (0.72 + float64(0.28*n.Y)),
	}
}

// Color returns the colour of the triangle where it gets the given parts, 0 to 1, of the sun and of
// the sky. Skylight is a little blue and sunlight a little yellow.
func (l *Light) Color(sun, sky float64) Color {
	if !l.Lit {
		return l.plain
	}
	a, b := l.sun*sun, l.sky*sky
	return Color{
		R: toSRGB(l.albedo[0] * (float64(a*1.03) + float64(b*0.95))),
		G: toSRGB(l.albedo[1] * (float64(a*1.00) + float64(b*0.99))),
		B: toSRGB(l.albedo[2] * (float64(a*0.93) + float64(b*1.10))),
		A: l.plain.A,
	}
}

// toLinear decodes an sRGB channel.
var toLinear = func() (table [256]float64) {
	for i := range table {
		c := float64(i) / 255
		if c <= 0.04045 {
			table[i] = c / 12.92
		} else {
			table[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return table
}()

// srgb encodes linear values in steps of 1/4096.
var srgb = func() (table [4097]uint8) {
	for i := range table {
		c := float64(i) / 4096
		if c <= 0.0031308 {
			c *= 12.92
		} else {
			c = 1.055*math.Pow(c, 1/2.4) - 0.055
		}
		table[i] = uint8(math.Round(255 * c))
	}
	return table
}()

// toSRGB encodes a linear channel; a value out of range, or not a number, becomes the nearest end.
func toSRGB(linear float64) uint8 {
	if !(linear > 0) {
		return 0
	}
	return srgb[int(math.Min(1, linear)*4096+0.5)]
}
