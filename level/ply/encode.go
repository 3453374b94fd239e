package ply

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

// Encode writes lvl as binary little-endian PLY with coordinates of 64 bits: vertices and triangles
// come back exactly. Names, materials and markers are lost.
func Encode(w io.Writer, lvl *level.Level) error {
	if err := input.Encodable(w, lvl); err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(b, "ply\nformat binary_little_endian 1.0\ncomment metres, Y up\n"+
		"element vertex %d\nproperty double x\nproperty double y\nproperty double z\n"+
		"element face %d\nproperty list uchar uint vertex_indices\nend_header\n", len(lvl.Vertices), len(lvl.Triangles))
	var record []byte
	for _, v := range lvl.Vertices {
		if !v.IsFinite() {
			v = geom.Vec{} // in no triangle: Validate saw to that
		}
		record = record[:0]
		for _, x := range [3]float64{v.X, v.Y, v.Z} {
			record = binary.LittleEndian.AppendUint64(record, math.Float64bits(x))
		}
		b.Write(record)
	}
	for _, t := range lvl.Triangles {
		record = append(record[:0], 3)
		for _, v := range [3]uint32{t.A, t.B, t.C} {
			record = binary.LittleEndian.AppendUint32(record, v)
		}
		b.Write(record)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	return nil
}
