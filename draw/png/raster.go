// Package png turns a display list into pixels.
//
// Source: the depth buffer of E. Catmull, A Subdivision Algorithm for Computer Display of Curved
// Surfaces, 1974; the edge functions of J. Pineda, A Parallel Algorithm for Polygon Rasterization,
// SIGGRAPH 1988; shadow maps of L. Williams, Casting Curved Shadows on Curved Surfaces, SIGGRAPH 1978.
//
// Idea: a picture is cut into bands of rows that are drawn independently. In a band every pixel has 2 × 2 or 3 × 3
// samples; opaque triangles compete for the samples by depth, then translucent triangles are blended from back to
// front, then lines and points by their share of each sample, then samples are averaged. Corners are rounded to
// 1/64 of a sample, so integers decide which samples a triangle covers.
//
// Input: any display list. Items with a position that is not finite, or far outside of the
// picture, are left out.
//
// Guarantees:
//  1. Triangles with a common edge cover every sample along it exactly once: TestSharedEdgesAreBlendedOnce.
//  2. The nearest opaque triangle is seen, of equally near ones the later: TestNearestTriangleIsSeen.
//  3. The picture does not depend on the number of cores: TestBandsDoNotDependOnJobs.
//
// Degenerate cases: triangles without area on the picture are not drawn; a line of a single point is a round
// dot; an empty list is an empty picture.
//
// Cost: time O(t + s + f) for t triangles, s samples and f samples covered by triangles, counted
// with repetition; memory O(t) and a band per core.
//
// Departures: translucent triangles are ordered by their middles, so crossing triangles are not split.
package png

import (
	"context"
	"errors"
	"image"
	"image/png"
	"io"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/internal/par"
)

// Write draws list as seen in view, as a PNG file. It fails for a view out of range, a picture that is too
// large, and on an error of w.
func Write(w io.Writer, list *draw.List, view draw.View) error {
	if w == nil {
		return errors.New("png: the writer is nil")
	}
	img, err := Image(list, view)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.DefaultCompression}
	return encoder.Encode(w, img)
}

// Image draws list as seen in view. It fails like [Write]. The alpha of the background is ignored:
// pictures are opaque.
func Image(list *draw.List, view draw.View) (*image.RGBA, error) { return render(list, view, 0) }

// bandRows is the height of a band in pixels.
const bandRows = 24

func render(list *draw.List, view draw.View, jobs int) (*image.RGBA, error) {
	camera, err := draw.NewCamera(list, view)
	if err != nil {
		return nil, err
	}
	s := newScene(camera, list, view)
	if view.Shadows {
		s.sky = newSky(s, jobs)
	}
	img := image.NewRGBA(image.Rect(0, 0, camera.Width, camera.Height))
	bands := (camera.Height + bandRows - 1) / bandRows
	s.bin(bands)
	// No item fails and the context is never cancelled.
	_ = par.For(context.Background(), jobs, bands, func(i int) error {
		b := newBand(s, i)
		b.opaque()
		b.shade()
		b.translucent()
		b.strokes()
		b.resolve(img)
		return nil
	})
	for _, i := range camera.Legible(list.Labels) {
		s.label(img, &list.Labels[i])
	}
	if view.ScaleBar {
		s.scaleBar(img)
	}
	return img, nil
}

// samplesPerSide is the number of samples along one side of a pixel: 3, or 2 for pictures of more
// than two million pixels.
func samplesPerSide(c *draw.Camera) int {
	if c.Width*c.Height <= 1<<21 {
		return 3
	}
	return 2
}
