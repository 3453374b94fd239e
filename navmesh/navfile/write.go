package navfile

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Write writes m to w. For a mesh that Read would refuse, Write returns an error and writes no bytes.
func Write(w io.Writer, m *navmesh.Mesh) error {
	if w == nil {
		return errors.New("navfile: the writer is nil")
	}
	data, err := Encode(m)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Encode returns m as a file. A mesh that Decode would refuse is an error.
func Encode(m *navmesh.Mesh) ([]byte, error) {
	if err := check(m); err != nil {
		return nil, err
	}
	type section struct {
		id   sectionID
		tile int
		data []byte
	}
	var sections []section
	for _, id := range meshSections {
		data := encodeMesh(id, m)
		if id >= secAreas {
			data = encodeGround(id, m)
		}
		sections = append(sections, section{id, 0, data})
	}
	for i := range m.Tiles {
		for _, id := range tileSections {
			sections = append(sections, section{id, i, encodeTile(id, &m.Tiles[i])})
		}
	}
	if len(m.Record) > 0 {
		sections = append(sections, section{secRecord, 0, m.Record})
	}
	offset := pad(headerSize + entrySize*uint64(len(sections)))
	var directory []byte
	for _, s := range sections {
		directory = le.AppendUint32(directory, uint32(s.id))
		directory = le.AppendUint32(directory, uint32(s.tile))
		directory = le.AppendUint64(directory, offset)
		directory = le.AppendUint64(directory, uint64(len(s.data)))
		directory = le.AppendUint32(directory, crc32.Checksum(s.data, castagnoli))
		directory = le.AppendUint32(directory, 0)
		offset = pad(offset + uint64(len(s.data)))
	}
	out := make([]byte, 0, offset)
	out = append(out, magic...)
	out = le.AppendUint32(out, Version)
	out = le.AppendUint32(out, uint32(len(sections)))
	out = le.AppendUint64(out, offset)
	out = le.AppendUint32(out, crc32.Checksum(directory, castagnoli))
	out = le.AppendUint32(out, crc32.Checksum(out, castagnoli))
	out = append(out, directory...)
	for _, s := range sections {
		out = append(out, s.data...)
		out = append(out, make([]byte, pad(uint64(len(out)))-uint64(len(out)))...)
	}
	return out, nil
}

// encodeMesh returns a section on the mesh as a whole.
func encodeMesh(id sectionID, m *navmesh.Mesh) []byte {
	var b []byte
	switch id {
	case secMesh:
		for _, v := range []int64{m.Frame.East, m.Frame.North, m.Frame.Up} {
			b = le.AppendUint64(b, uint64(v))
		}
		for _, v := range []float64{m.Agent.Radius, m.Agent.Height, m.Agent.MaxClimb, m.Agent.MaxSlope, m.Agent.MaxGap} {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
		b = appendInts(b, uint32(len(m.Tiles)), uint32(len(m.Links)), uint32(m.Components), 0)
	case secLinks:
		for i := range m.Links {
			l := &m.Links[i]
			b = le.AppendUint64(b, uint64(l.From))
			b = le.AppendUint64(b, uint64(l.To))
			for _, v := range []lattice.Vertex{l.Start[0], l.Start[1], l.End[0], l.End[1]} {
				b = appendVertex(b, v)
			}
			b = append(b, byte(l.Kind), 0, 0, 0)
			b = appendInts(b, l.Flags, math.Float32bits(l.Cost), l.Mark, uint32(l.Clearance), 0)
		}
	case secMarks:
		for _, k := range m.Marks {
			b = appendInts(b, uint32(len(k.Name)), uint32(len(k.Kind)), k.Flags)
		}
	case secNames:
		for _, k := range m.Marks {
			b = append(append(b, k.Name...), k.Kind...)
		}
	}
	return b
}

// encodeTile returns a section of a tile.
func encodeTile(id sectionID, t *navmesh.Tile) []byte {
	var b []byte
	switch id {
	case secTile:
		b = appendInts(b, t.Generation, uint32(len(t.Layers)))
	case secVertices:
		for _, v := range t.Vertices {
			b = appendVertex(b, v)
		}
	case secCorners:
		b = appendInts(b, t.Corners...)
	case secRegions:
		for i := range t.Regions {
			r := &t.Regions[i]
			b = appendInts(b, r.First, r.Count, r.FirstPortal, r.PortalCount, r.FirstPassage)
			b = le.AppendUint16(b, r.Layer)
			b = append(b, r.Area, 0)
			b = appendInts(b, r.Flags, r.Component)
		}
	case secPortals:
		for i := range t.Portals {
			p := &t.Portals[i]
			b = appendInts(b, p.To, p.Edge, p.Left, p.Right, p.Back)
			b = append(b, bit(p.LeftCorner), bit(p.RightCorner), 0, 0)
			b = appendInts(b, uint32(p.Clearance))
		}
	case secPassages:
		for _, p := range t.Passages {
			b = appendInts(b, p.A, p.B, uint32(p.Clearance))
		}
	case secLayers:
		for i := range t.Layers {
			f := &t.Layers[i].Floor
			b = appendInts(b, uint32(len(f.Vertices)), uint32(len(f.Triangles)), uint32(f.Error))
		}
	case secFloorVert:
		for i := range t.Layers {
			for _, v := range t.Layers[i].Floor.Vertices {
				b = appendVertex(b, v)
			}
		}
	case secFloorTris:
		for i := range t.Layers {
			for _, tri := range t.Layers[i].Floor.Triangles {
				b = appendInts(b, tri[0], tri[1], tri[2])
			}
		}
	case secMarked:
		for _, k := range t.Marked {
			b = appendInts(b, k.Region, k.Mark)
		}
	}
	return b
}

func appendInts(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = le.AppendUint32(b, v)
	}
	return b
}

func appendVertex(b []byte, v lattice.Vertex) []byte {
	return appendInts(b, uint32(v.X), uint32(v.Y), uint32(v.Z))
}

func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// check guards both directions: it refuses meshes with an invalid structure or too long a record.
func check(m *navmesh.Mesh) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("navfile: %w", err)
	}
	if len(m.Record) > MaxRecord {
		return fmt.Errorf("navfile: record: %d bytes, at most %d", len(m.Record), MaxRecord)
	}
	return nil
}
