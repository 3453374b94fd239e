package draw

import (
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
)

const (
	defaultWidth  = 1600
	defaultHeight = 1200
	// maxPixels bounds a picture by memory: 64 million pixels.
	maxPixels = 1 << 26
	// maxSide bounds a side, so that positions in a picture fit the arithmetic of filling.
	maxSide = 1 << 15
	// margin is left free on every side, as a part of the shorter side of the picture.
	margin = 0.04
)

// Camera is a View fitted to its contents: the parallel projection from the world to the pixels of a picture.
type Camera struct {
	Width, Height int     // pixels
	Scale         float64 // pixels per metre, on planes across the line of sight
	// Right and Up span the picture, Toward points at the viewer: unit vectors, right-handed.
	Right, Up, Toward geom.Vec

	// centre appears in the middle of the picture. Positions are first taken relative to it, so a level far from
	// the origin loses no precision.
	centre geom.Vec
}

// NewCamera fits view to list, or to view.Focus if given. It ignores positions that are not finite. An empty
// list is seen as one metre around the origin. It fails for a view out of range and for a picture that is too
// large.
func NewCamera(list *List, view View) (*Camera, error) {
	if list == nil {
		return nil, errors.New("draw: the list is nil")
	}
	if err := view.validate(); err != nil {
		return nil, err
	}
	c := &Camera{Width: view.Width, Height: view.Height}
	sinYaw, cosYaw := math.Sincos(view.Yaw)
	sinTilt, cosTilt := math.Sincos(view.Tilt)
	ahead := geom.FromGround(-sinYaw, cosYaw, 0)
	up := geom.Vec{Y: 1}
	c.Right = geom.FromGround(cosYaw, sinYaw, 0)
	c.Up = ahead.Scale(cosTilt).Add(up.Scale(sinTilt))
	c.Toward = up.Scale(cosTilt).Sub(ahead.Scale(sinTilt))

	var lo, hi geom.Vec // right, up, toward
	c.centre, lo, hi = c.extent(list, view)
	width, height := hi.X-lo.X, hi.Y-lo.Y
	if !(width > 0 || height > 0) { // a single point, or nothing
		lo, hi = lo.Sub(geom.Vec{X: 0.5, Y: 0.5}), hi.Add(geom.Vec{X: 0.5, Y: 0.5})
		width, height = 1, 1
	}
	if err := c.size(width, height); err != nil {
		return nil, err
	}
	free := 1 - 2*margin
	short := math.Min(float64(c.Width), float64(c.Height))
	spare := (1 - free) * short
	c.Scale = math.Min((float64(c.Width)-spare)/math.Max(width, 1e-9), (float64(c.Height)-spare)/math.Max(height, 1e-9))
	middle := lo.Add(hi).Scale(0.5)
	c.centre = c.centre.Add(c.Right.Scale(middle.X)).Add(c.Up.Scale(middle.Y)).Add(c.Toward.Scale(middle.Z))
	return c, nil
}

func (v View) validate() error {
	var faults []error
	if v.Yaw-v.Yaw != 0 {
		faults = append(faults, fmt.Errorf("draw: yaw is %g, must be finite", v.Yaw))
	}
	if !(v.Tilt >= 0 && v.Tilt < math.Pi/2) {
		faults = append(faults, fmt.Errorf("draw: tilt is %g, must be 0 to below π/2", v.Tilt))
	}
	if v.Width < 0 || v.Height < 0 {
		faults = append(faults, fmt.Errorf("draw: a picture of %d × %d pixels", v.Width, v.Height))
	}
	if !v.Focus.Min.IsFinite() || !v.Focus.Max.IsFinite() || v.Focus.IsEmpty() {
		faults = append(faults, fmt.Errorf("draw: focus from %v to %v, must be a box", v.Focus.Min, v.Focus.Max))
	}
	return errors.Join(faults...)
}

// extent returns one of the visible points, and the box around all of them relative to it, in camera
// directions.
func (c *Camera) extent(list *List, view View) (origin, lo, hi geom.Vec) {
	inf := math.Inf(1)
	lo, hi = geom.Vec{X: inf, Y: inf, Z: inf}, geom.Vec{X: -inf, Y: -inf, Z: -inf}
	first := true
	add := func(p geom.Vec) {
		if !p.IsFinite() {
			return
		}
		if first {
			origin, first = p, false
		}
		d := p.Sub(origin)
		q := geom.Vec{X: d.Dot(c.Right), Y: d.Dot(c.Up), Z: d.Dot(c.Toward)}
		b := geom.Box{Min: lo, Max: hi}.Extend(q)
		lo, hi = b.Min, b.Max
	}
	if view.Focus != (geom.Box{}) {
		for i := range 8 {
			p := view.Focus.Min
			if i&1 != 0 {
				p.X = view.Focus.Max.X
			}
			if i&2 != 0 {
				p.Y = view.Focus.Max.Y
			}
			if i&4 != 0 {
				p.Z = view.Focus.Max.Z
			}
			add(p)
		}
	} else {
		list.eachPosition(add)
	}
	if first {
		return geom.Vec{}, geom.Vec{}, geom.Vec{}
	}
	return origin, lo, hi
}

// eachPosition calls f with every position in the list.
func (l *List) eachPosition(f func(geom.Vec)) {
	for i := range l.Triangles {
		for _, p := range l.Triangles[i].P {
			f(p)
		}
	}
	for i := range l.Lines {
		for _, p := range l.Lines[i].P {
			f(p)
		}
	}
	for i := range l.Points {
		f(l.Points[i].P)
	}
	for i := range l.Labels {
		f(l.Labels[i].P)
	}
}

// size settles the pixels of a picture of something with the given extent.
func (c *Camera) size(width, height float64) error {
	// A side that follows from the other is at least an eighth and at most eight times as long.
	shape := math.Max(1.0/8, math.Min(8, height/width))
	switch {
	case c.Width == 0 && c.Height == 0:
		c.Width, c.Height = defaultWidth, defaultHeight
	case c.Height == 0:
		c.Height = max(1, int(math.Round(math.Min(float64(c.Width)*shape, math.MaxInt32))))
	case c.Width == 0:
		c.Width = max(1, int(math.Round(math.Min(float64(c.Height)/shape, math.MaxInt32))))
	}
	if c.Width > maxSide || c.Height > maxSide || c.Width*c.Height > maxPixels {
		return fmt.Errorf("draw: a picture of %d × %d pixels is too large, at most %d pixels on a side and %d in all",
			c.Width, c.Height, maxSide, maxPixels)
	}
	return nil
}

// Pixel returns where p is seen, in pixels from the left and from the top, and its depth: metres towards the
// viewer from the plane through the middle of the contents.
func (c *Camera) Pixel(p geom.Vec) (x, y, depth float64) {
	d := p.Sub(c.centre)
	x = 0.5*float64(c.Width) + float64(d.Dot(c.Right)*c.Scale)
	y = 0.5*float64(c.Height) - float64(d.Dot(c.Up)*c.Scale)
	return x, y, d.Dot(c.Toward)
}

// World is the inverse of [Camera.Pixel].
func (c *Camera) World(x, y, depth float64) geom.Vec {
	right := (x - 0.5*float64(c.Width)) / c.Scale
	up := (0.5*float64(c.Height) - y) / c.Scale
	return c.centre.Add(c.Right.Scale(right)).Add(c.Up.Scale(up)).Add(c.Toward.Scale(depth))
}

// Slant is how fast the depth of a level floor changes up the picture, in metres per metre. A line or a disc
// on a floor needs a bias of half its width times Slant to lie on the floor entirely.
func (c *Camera) Slant() float64 { return c.Up.Y / math.Max(c.Toward.Y, 0.05) }

// Bar returns the length of a scale bar in metres: 1, 2 or 5 times a power of ten, at most a fifth of the
// picture's width.
func (c *Camera) Bar() float64 {
	most := 0.2 * float64(c.Width) / c.Scale
	unit := math.Pow(10, math.Floor(math.Log10(most)))
	for _, m := range []float64{5, 2} {
		if m*unit <= most {
			return m * unit
		}
	}
	return unit
}
