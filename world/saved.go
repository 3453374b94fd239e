package world

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// Source: own; docs/formats/world.md specifies every byte.
//
// Idea: a world has no history, so a saved world is the meshes of the base, the closed marks, and one batch of edits that sets
// all things. Meshes are whole mesh files, so programs find the meshes without a rule of their own.
//
// Input: the parts of a world; or bytes, which may come from anybody.
//
// Guarantees:
//  1. Reading gives the parts that were written, and equal parts give equal bytes (TestSavedRoundTrip).
//  2. Every changed bit and every truncation is noticed (TestEveryFlippedBitIsFound, TestEveryTruncationIsFound).
//  3. Memory is in proportion to the bytes present (TestHostileSaves).
//
// Degenerate cases: worlds without things, without wider meshes. A mesh that navfile refuses is an error.
//
// Cost: O(n) for n bytes, all in memory at once.

// savedMagic is the beginning of a saved world. The line end reveals a transfer that converted text.
const savedMagic = "MEADWLD\n"

const (
	savedVersion = 1
	savedHeader  = 32
	chunkHead    = 16
	// maxMeshes bounds the meshes of a world: the base and the meshes for wider agents.
	maxMeshes = 1 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// IsSaved reports whether a file that begins with start is a saved world: see [Read].
func IsSaved(start []byte) bool {
	return len(start) >= len(savedMagic) && string(start[:len(savedMagic)]) == savedMagic
}

// saved is the content of a saved world.
type saved struct {
	sequence uint64
	meshes   []*navmesh.Mesh // of the base and of the wider agents
	closed   []int           // marks, ascending
	things   []Edit
}

// encode returns the bytes of a saved world, and the number that stands for its meshes in logs.
func (s *saved) encode() (data []byte, base uint64, err error) {
	data = append(data, savedMagic...)
	data = le.AppendUint32(data, savedVersion)
	data = le.AppendUint32(data, uint32(len(s.meshes)))
	data = le.AppendUint64(data, s.sequence)
	data = le.AppendUint32(data, 0)
	data = le.AppendUint32(data, crc32.Checksum(data, castagnoli))
	var id baseID
	for i, m := range s.meshes {
		mesh, err := navfile.Encode(m)
		if err != nil {
			return nil, 0, fmt.Errorf("world: mesh %d: %w", i, err)
		}
		data = appendChunk(data, mesh)
		id.add(mesh)
	}
	var closed []byte
	for _, k := range s.closed {
		closed = le.AppendUint32(closed, uint32(k))
	}
	things, err := EncodeEdits(s.things...)
	if err != nil {
		return nil, 0, err
	}
	return appendChunk(appendChunk(data, closed), things), id.number(), nil
}

// appendChunk appends the head of a chunk, its body, and zeros up to a multiple of 8.
func appendChunk(b, body []byte) []byte {
	head := len(b)
	b = le.AppendUint64(b, uint64(len(body)))
	b = le.AppendUint32(b, crc32.Checksum(body, castagnoli))
	b = le.AppendUint32(b, crc32.Checksum(b[head:], castagnoli))
	b = append(b, body...)
	return append(b, make([]byte, padding(len(body)))...)
}

func padding(n int) int { return -n & 7 }

// baseID makes the number that stands for the meshes of a world in logs: from the lengths and checksums of their files.
type baseID struct{ heads []byte }

func (id *baseID) add(mesh []byte) {
	id.heads = le.AppendUint64(id.heads, uint64(len(mesh)))
	id.heads = le.AppendUint32(id.heads, crc32.Checksum(mesh, castagnoli))
}

func (id *baseID) number() uint64 {
	return uint64(crc32.ChecksumIEEE(id.heads))<<32 | uint64(crc32.Checksum(id.heads, castagnoli))
}

// decodeSaved returns the content of a saved world, and the number that stands for its meshes in logs.
func decodeSaved(data []byte) (s *saved, base uint64, err error) {
	if !IsSaved(data) {
		return nil, 0, errors.New("world: not a saved world: it does not begin with \"MEADWLD\"")
	}
	if len(data) < savedHeader {
		return nil, 0, fmt.Errorf("world: header: the file ends after %d of %d bytes", len(data), savedHeader)
	}
	if v := le.Uint32(data[8:]); v != savedVersion {
		return nil, 0, fmt.Errorf("world: header: version %d, this program reads version %d", v, savedVersion)
	}
	if got, want := crc32.Checksum(data[:savedHeader-4], castagnoli), le.Uint32(data[savedHeader-4:]); got != want {
		return nil, 0, fmt.Errorf("world: header: checksum is %08x, the file says %08x", got, want)
	}
	s = &saved{sequence: le.Uint64(data[16:])}
	meshes := le.Uint32(data[12:])
	if meshes == 0 || meshes > maxMeshes || le.Uint32(data[24:]) != 0 {
		return nil, 0, fmt.Errorf("world: header: %d meshes, must be 1 to %d", meshes, maxMeshes)
	}
	c := chunks{data: data, at: savedHeader}
	var id baseID
	for i := range meshes {
		body, err := c.next(fmt.Sprintf("mesh %d", i))
		if err != nil {
			return nil, 0, err
		}
		m, err := navfile.Decode(body)
		if err != nil {
			return nil, 0, fmt.Errorf("world: mesh %d: %w", i, err)
		}
		s.meshes = append(s.meshes, m)
		id.add(body)
	}
	body, err := c.next("closed marks")
	if err != nil {
		return nil, 0, err
	}
	if s.closed, err = decodeClosed(body, len(s.meshes[0].Marks)); err != nil {
		return nil, 0, err
	}
	if body, err = c.next("things"); err != nil {
		return nil, 0, err
	}
	if s.things, err = DecodeEdits(body); err != nil {
		return nil, 0, err
	}
	for i, e := range s.things {
		if _, ok := e.(Thing); !ok {
			return nil, 0, fmt.Errorf("world: thing %d of %d%s is no thing", i+1, len(s.things), nameOf(e))
		}
	}
	if c.at != len(data) {
		return nil, 0, fmt.Errorf("world: %d bytes after the things", len(data)-c.at)
	}
	return s, id.number(), nil
}

// chunks takes the chunks of a saved world in order.
type chunks struct {
	data []byte
	at   int
}

func (c *chunks) next(name string) ([]byte, error) {
	rest := c.data[c.at:]
	if len(rest) < chunkHead {
		return nil, fmt.Errorf("world: the file ends at %s", name)
	}
	length, sum := le.Uint64(rest), le.Uint32(rest[8:])
	if got, want := crc32.Checksum(rest[:chunkHead-4], castagnoli), le.Uint32(rest[chunkHead-4:]); got != want {
		return nil, fmt.Errorf("world: %s at byte %d: checksum of the head is %08x, the file says %08x", name, c.at, got, want)
	}
	rest = rest[chunkHead:]
	if length > uint64(len(rest)) || padding(int(length)) > len(rest)-int(length) {
		return nil, fmt.Errorf("world: %s at byte %d: %d bytes, the file has %d more", name, c.at, length, len(rest))
	}
	body, pad := rest[:length], rest[length:int(length)+padding(int(length))]
	if got := crc32.Checksum(body, castagnoli); got != sum {
		return nil, fmt.Errorf("world: %s at byte %d: checksum of the %d bytes is %08x, the file says %08x", name, c.at, length, got, sum)
	}
	if slices.ContainsFunc(pad, func(b byte) bool { return b != 0 }) {
		return nil, fmt.Errorf("world: %s at byte %d: the bytes behind are not zero", name, c.at)
	}
	c.at += chunkHead + len(body) + len(pad)
	return body, nil
}

// decodeClosed returns the closed marks of a mesh with some marks.
func decodeClosed(b []byte, marks int) (closed []int, err error) {
	if len(b)%4 != 0 {
		return nil, fmt.Errorf("world: closed marks: %d bytes are no multiple of 4", len(b))
	}
	for i := range len(b) / 4 {
		k := le.Uint32(b[4*i:])
		if int64(k) >= int64(marks) || i > 0 && int(k) <= closed[i-1] {
			return nil, fmt.Errorf("world: closed marks: entry %d is mark %d of %d", i, k, marks)
		}
		closed = append(closed, int(k))
	}
	return closed, nil
}

// readSaved reads a saved world from all of r.
func readSaved(r io.Reader) (s *saved, base uint64, err error) {
	if r == nil {
		return nil, 0, errors.New("world: the reader is nil")
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, fmt.Errorf("world: %w", err)
	}
	return decodeSaved(data)
}
