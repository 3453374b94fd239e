package workbench_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/view/workbench"
)

// TestPlayback: at the end of a playback the regions that show cover the floor, as many as the method's mesh has regions; at no frame
// do they cover more, and what is seen only grows where regions grow.
func TestPlayback(t *testing.T) {
	b := workbench.New()
	if _, err := try(t, b, "playback", map[string]any{"generator": "pasfv"}, nil); err == nil {
		t.Error("a playback without a mesh")
	}
	do(t, b, "generate", map[string]any{"kind": "rooms"}, nil, nil)
	for _, method := range []string{"pasfv", "wavefront", "anavmg"} {
		var built workbench.Built
		do(t, b, "build", map[string]any{"generator": method}, nil, &built)
		var film workbench.Playback
		body := do(t, b, "playback", map[string]any{"generator": method}, nil, &film)
		if len(film.Frames) < 10 || film.Domains != film.All || len(body)%28 != 0 {
			t.Fatalf("%s: %d frames of %d of %d domains, %d bytes", method, len(film.Frames), film.Domains, film.All, len(body))
		}
		type region struct {
			shape int
			box   [4]float64 // of a region in growth
			seed  [4]float64
			open  bool
		}
		regions := map[int]*region{}
		colors := map[int]int{}
		value := func(i int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))) }
		at := 0
		before := 0.0
		for frame := range film.Frames {
			combined := false
			for ; at < len(body)/28 && int(value(7*at)) == frame; at++ {
				id := int(value(7*at + 1))
				switch what := int(value(7*at + 2)); what {
				case 0:
					shape := int(value(7*at + 3))
					// Before a region becomes a cell, its fronts have come around the whole of the cell.
					if r := regions[id]; r != nil && r.open && r.shape == shape {
						points := film.Shapes[shape].Points
						if got, want := areaOf(clipped(points, r.box)), areaOf(points); got < 0.999*want-1e-3 {
							t.Fatalf("%s: the fronts of region %d hold %.4f m² of its cell's %.4f m²", method, id, got, want)
						}
					}
					regions[id] = &region{shape: shape}
				case 1:
					r := regions[id]
					begins := !r.open
					r.open = true
					for k := range 4 {
						r.box[k] = value(7*at + 3 + k)
					}
					if begins {
						r.seed = r.box
					}
					// No front is farther from its seed than the frame says.
					var gone float64
					if n, _ := fmt.Sscanf(film.Frames[frame], "fronts have gone %g m", &gone); n == 1 {
						for k := range 4 {
							if by := math.Abs(r.box[k] - r.seed[k]); by > gone+0.006 {
								t.Fatalf("%s: front %d of region %d has gone %.3f m in frame %d, %q", method, k, id, by, frame, film.Frames[frame])
							}
						}
					}
				case 2:
					delete(regions, id)
					combined = true
				case 3:
					colors[id] = int(value(7*at + 3))
				default:
					t.Fatalf("%s: a change of kind %d", method, what)
				}
			}
			sum := 0.0
			for _, r := range regions {
				points := film.Shapes[r.shape].Points
				if r.open {
					points = clipped(points, r.box)
				}
				sum += areaOf(points)
			}
			if sum > 1.001*built.Area {
				t.Fatalf("%s: %.2f m² are covered in frame %d %q, the floor has %.2f m²", method, sum, frame, film.Frames[frame], built.Area)
			}
			if sum < 0.999*before && !combined && method != "wavefront" { // whose regions retreat
				t.Fatalf("%s: frame %d %q covers %.3f m², the frame before %.3f m²", method, frame, film.Frames[frame], sum, before)
			}
			before = sum
		}
		if at != len(body)/28 || math.Abs(before-built.Area) > 0.01*built.Area {
			t.Errorf("%s: the end covers %.2f m², the mesh %.2f m²", method, before, built.Area)
		}
		if len(regions) != built.Regions {
			t.Errorf("%s: the end has %d regions, the mesh %d", method, len(regions), built.Regions)
		}
		if method == "anavmg" {
			own := map[int]bool{}
			for _, c := range colors {
				own[c] = true
			}
			if len(own) != len(regions) {
				t.Errorf("anavmg: %d colours for %d cells in the end", len(own), len(regions))
			}
		}
	}
	// DASFV covers the same floor before and after a change, and less while the obstacle stands.
	level := []byte("v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n")
	do(t, b, "open", file("plate.obj", level), level, nil)
	var built workbench.Built
	do(t, b, "build", nil, nil, &built)
	var film workbench.Playback
	body := do(t, b, "playback", map[string]any{"generator": "dasfv"}, nil, &film)
	settled := settledAreas(film, body)
	if len(settled) < 3 || film.Note == "" {
		t.Fatalf("areas %v, note %q", settled, film.Note)
	}
	whole, crate, again := settled[0], settled[1], settled[2]
	if math.Abs(whole-built.Area) > 0.1 || math.Abs(again-whole) > 0.01 || crate > whole-1 {
		t.Errorf("the regions cover %.2f, %.2f and %.2f m², the floor has %.2f m²", whole, crate, again, built.Area)
	}
	if _, err := try(t, b, "playback", map[string]any{"generator": "moon"}, nil); err == nil {
		t.Error("a playback of a method that nobody knows")
	}
}

// clipped is the part of a convex polygon inside of a box: west, north, east and south ends.
func clipped(p []float64, box [4]float64) []float64 {
	for k := range 4 {
		far := func(i int) float64 { // positive inside
			v := p[2*i+k%2]
			if k < 2 {
				return v - box[k]
			}
			return box[k] - v
		}
		var out []float64
		n := len(p) / 2
		for i := range n {
			j := (i + 1) % n
			a, b := far(i), far(j)
			if a >= 0 {
				out = append(out, p[2*i], p[2*i+1])
			}
			if (a < 0) != (b < 0) {
				s := a / (a - b)
				out = append(out, p[2*i]+s*(p[2*j]-p[2*i]), p[2*i+1]+s*(p[2*j+1]-p[2*i+1]))
			}
		}
		if p = out; len(p) == 0 {
			break
		}
	}
	return p
}

func areaOf(p []float64) float64 {
	sum := 0.0
	n := len(p) / 2
	for i := range n {
		j := (i + 1) % n
		sum += p[2*i]*p[2*j+1] - p[2*j]*p[2*i+1]
	}
	return math.Abs(sum) / 2
}

// settledAreas are the areas of all regions in frames in which DASFV says that regions cover the floor or came.
func settledAreas(film workbench.Playback, body []byte) (areas []float64) {
	value := func(i int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))) }
	shapes := map[int]int{}
	at := 0
	for frame, text := range film.Frames {
		for ; at < len(body)/28 && int(value(7*at)) == frame; at++ {
			switch id := int(value(7*at + 1)); int(value(7*at + 2)) {
			case 0:
				shapes[id] = int(value(7*at + 3))
			case 2:
				delete(shapes, id)
			}
		}
		if strings.Contains(text, " came") || strings.Contains(text, "cover the floor") {
			sum := 0.0
			for _, s := range shapes {
				sum += areaOf(film.Shapes[s].Points)
			}
			areas = append(areas, sum)
		}
	}
	return areas
}
