package footprint_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/world/internal/footprint"
)

// numbers takes numbers from bytes: any float64, or a small one of two bytes.
type numbers []byte

func (n *numbers) next() float64 {
	b := *n
	if len(b) == 0 {
		return 0
	}
	kind := b[0]
	b = b[1:]
	switch {
	case kind%4 == 0 && len(b) >= 8:
		*n = b[8:]
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case len(b) >= 2:
		*n = b[2:]
		return float64(int16(binary.LittleEndian.Uint16(b))) / []float64{1, 256, 4096}[kind%3]
	}
	*n = nil
	return float64(kind)
}

func (n *numbers) vec() geom.Vec { return geom.Vec{X: n.next(), Y: n.next(), Z: n.next()} }

// FuzzShapes makes shapes of any numbers. There is an error, or outlines on the lattice that agree with the definition.
func FuzzShapes(f *testing.F) {
	f.Add(uint8(0), []byte{1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0})
	f.Add(uint8(1), []byte{2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0})
	f.Add(uint8(2), []byte{1, 0, 0, 1, 0, 9, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 7, 1, 0, 0, 1, 0, 0, 1, 0, 5, 1, 0, 3, 1, 0, 2})
	f.Add(uint8(3), []byte{1, 0, 0, 1, 0, 9, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 7, 1, 0, 0, 1, 0, 0, 1, 0, 5, 1, 0, 3, 1, 0, 2, 1, 3, 1})
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		n := numbers(data[:min(len(data), 2000)])
		frame := lattice.Frame{East: int64(n.next())}
		var s footprint.Shape
		var err error
		switch kind % 4 {
		case 0:
			s, err = footprint.NewBox(frame, n.vec(), n.vec(), n.next())
		case 1:
			s, err = footprint.NewCylinder(frame, n.vec(), n.next(), n.next())
		case 2:
			bottom, top := n.next(), n.next()
			var outline []geom.Vec
			for len(n) > 0 {
				outline = append(outline, n.vec())
			}
			s, err = footprint.NewPrism(frame, outline, bottom, top)
		case 3:
			at, yaw := n.vec(), n.next()
			var vertices []geom.Vec
			var faces [][3]int32
			for len(n) > 0 {
				vertices = append(vertices, n.vec())
				k := int32(len(vertices))
				faces = append(faces, [3]int32{k - 1, k / 2, k / 3}, [3]int32{int32(len(n)) % k, k - 1, k / 2})
			}
			s, err = footprint.NewMesh(frame, vertices, faces, at, yaw)
		}
		if err != nil {
			return
		}
		for _, make := range []func() (*footprint.Footprint, error){
			func() (*footprint.Footprint, error) { return footprint.Volume(s) },
			func() (*footprint.Footprint, error) { return footprint.Obstacle(s, walker(0)) },
			func() (*footprint.Footprint, error) { return footprint.Obstacle(s, walker(0.5)) },
		} {
			p, err := make()
			if err != nil {
				continue
			}
			for _, h := range []int32{p.Low + 1, p.Low/2 + p.High/2, p.High - 1} {
				rings, ok := p.Level(h, h)
				if !ok {
					t.Fatal("no outline at one height")
				}
				for _, r := range rings {
					for _, v := range r {
						if !p.Box.Contains(v) || max(v.X, -v.X, v.Y, -v.Y) > lattice.MaxCoord {
							t.Fatalf("corner %v is not in the box %v", v, p.Box)
						}
					}
				}
				v := func(x, y, z int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
				b := p.Box
				p.Uneven(floorOf([][3]lattice.Vertex{
					{v(b.Min.X, b.Min.Y, h), v(b.Max.X, b.Min.Y, h-9), v(b.Max.X, b.Max.Y, h)},
					{v(b.Min.X, b.Min.Y, h), v(b.Max.X, b.Max.Y, h), v(b.Min.X, b.Max.Y, h+9000)},
				}))
				middle := lattice.Point{X: b.Min.X/2 + b.Max.X/2, Y: b.Min.Y/2 + b.Max.Y/2}
				in, _ := taken(rings, middle)
				if blocked, sure := blocksAround(p, middle, float64(h)); sure && in != blocked && gap(rings, middle) > p.Slack()+20 {
					t.Fatalf("%v at %d: taken %t, blocked %t", middle, h, in, blocked)
				}
			}
		}
	})
}

// blocksAround reports whether a place is blocked; sure is false where places a few units aside differ.
func blocksAround(f *footprint.Footprint, p lattice.Point, h float64) (blocked, sure bool) {
	blocked = f.Blocks(p, h)
	for _, by := range [4]lattice.Point{{X: 3}, {X: -3}, {Y: 3}, {Y: -3}} {
		if f.Blocks(lattice.Point{X: p.X + by.X, Y: p.Y + by.Y}, h) != blocked {
			return blocked, false
		}
	}
	return blocked, true
}
