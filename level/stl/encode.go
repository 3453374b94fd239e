package stl

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// Encode writes lvl as binary STL. The format holds float32: coordinates are rounded to 24 bits, and
// names, materials and markers are lost.
func Encode(w io.Writer, lvl *level.Level) error {
	if err := input.Encodable(w, lvl); err != nil {
		return fmt.Errorf("stl: %w", err)
	}
	if uint64(len(lvl.Triangles)) > math.MaxUint32 {
		return fmt.Errorf("stl: %d triangles, the format counts to %d", len(lvl.Triangles), uint32(math.MaxUint32))
	}
	b := bufio.NewWriterSize(w, 1<<16)
	head := make([]byte, headerSize, countEnd)
	copy(head, "binary STL, metres, Y up")
	b.Write(binary.LittleEndian.AppendUint32(head, uint32(len(lvl.Triangles))))
	record := make([]byte, 0, recordSize)
	for i, t := range lvl.Triangles {
		p, q, r := lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C]
		record = record[:0]
		for _, v := range [4]geom.Vec{q.Sub(p).Cross(r.Sub(p)).Unit(), p, q, r} {
			for _, x := range [3]float64{v.X, v.Y, v.Z} {
				record = binary.LittleEndian.AppendUint32(record, math.Float32bits(float32(x)))
			}
		}
		for _, v := range [3]geom.Vec{p, q, r} {
			if math.Abs(v.X) > math.MaxFloat32 || math.Abs(v.Y) > math.MaxFloat32 || math.Abs(v.Z) > math.MaxFloat32 {
				return fmt.Errorf("stl: triangle %d: vertex at %v is too far away for the format", i, v)
			}
		}
		b.Write(append(record, 0, 0))
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("stl: %w", err)
	}
	return nil
}
