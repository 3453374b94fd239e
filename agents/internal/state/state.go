// Package state writes, reads and hashes the states of simulations: a header, fields, and a checksum. One function lists the
// fields of a type, for all three. All numbers are little-endian in 8 bytes, reals by their bits.
package state

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Form is the form of a saved state.
type Form struct {
	Magic string
	// Version changes with the fields.
	Version byte
	// Most bounds the bytes of a saved state.
	Most int64
	// Err is the error for bytes that are no such state.
	Err error
}

// Coder codes the fields of a state, in the direction of its maker.
type Coder struct {
	data    []byte
	at      int
	reading bool
	bad     bool
}

// Write writes a state, with its checksum.
func (f Form) Write(out io.Writer, fields func(k *Coder)) error {
	k := Coder{data: append([]byte(f.Magic), f.Version)}
	fields(&k)
	_, err := out.Write(binary.LittleEndian.AppendUint32(k.data, crc32.ChecksumIEEE(k.data)))
	return err
}

// Read reads a state. The errors are those of in, and Err with a reason. A caller checks the values of integers, and the
// relations between fields.
func (f Form) Read(in io.Reader, fields func(k *Coder)) error {
	data, err := io.ReadAll(io.LimitReader(in, f.Most))
	if err != nil {
		return err
	}
	head := len(f.Magic) + 1
	if len(data) < head+4 || string(data[:len(f.Magic)]) != f.Magic {
		return f.Err
	}
	if v := data[len(f.Magic)]; v != f.Version {
		return fmt.Errorf("%w: its version is %d, must be %d", f.Err, v, f.Version)
	}
	body := data[:len(data)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(data[len(body):]) {
		return fmt.Errorf("%w: the checksum differs", f.Err)
	}
	k := Coder{data: body, at: head, reading: true}
	fields(&k)
	if k.bad || k.at != len(body) {
		return f.Err
	}
	return nil
}

// Hash returns a hash of the fields.
func Hash(fields func(k *Coder)) uint64 {
	var k Coder
	fields(&k)
	h := fnv.New64a()
	_, _ = h.Write(k.data)
	return h.Sum64()
}

// Integer codes an integer.
func Integer[T ~int | ~int32 | ~uint8 | ~uint32 | ~uint64](k *Coder, v *T) {
	if !k.reading {
		k.data = binary.LittleEndian.AppendUint64(k.data, uint64(*v))
		return
	}
	if len(k.data)-k.at < 8 {
		k.bad = true
		return
	}
	bits := binary.LittleEndian.Uint64(k.data[k.at:])
	k.at += 8
	*v = T(bits)
	k.bad = k.bad || uint64(*v) != bits
}

// Real codes a number between two bounds.
func (k *Coder) Real(v *float64, low, high float64) {
	bits := math.Float64bits(*v)
	Integer(k, &bits)
	*v = math.Float64frombits(bits)
	k.bad = k.bad || k.reading && !(*v >= low && *v <= high)
}

// Finite codes a finite number.
func (k *Coder) Finite(v *float64) { k.Real(v, -math.MaxFloat64, math.MaxFloat64) }

// Some codes a finite number of 0 or more.
func (k *Coder) Some(v *float64) { k.Real(v, 0, math.MaxFloat64) }

// Vec codes a finite vector.
func (k *Coder) Vec(v *geom.Vec) { k.Finite(&v.X); k.Finite(&v.Y); k.Finite(&v.Z) }

// Truth codes a truth value.
func (k *Coder) Truth(v *bool) {
	var n uint8
	if *v {
		n = 1
	}
	Integer(k, &n)
	*v = n == 1
	k.bad = k.bad || n > 1
}

// List codes a list of elements of at least a number of bytes each, which bounds the memory for hostile lengths.
func List[T any](k *Coder, l *[]T, bytes int, f func(v *T)) {
	n := len(*l)
	Integer(k, &n)
	if k.reading {
		if n < 0 || n > (len(k.data)-k.at)/bytes {
			k.bad = true
			return
		}
		*l = make([]T, n)
	}
	for i := range *l {
		f(&(*l)[i])
	}
}
