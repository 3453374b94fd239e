package ply

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/level/internal/input"
)

// kind is the type of a value; the zero kind is invalid.
type kind uint8

const (
	noKind kind = iota
	int8Kind
	uint8Kind
	int16Kind
	uint16Kind
	int32Kind
	uint32Kind
	float32Kind
	float64Kind
)

// kinds are the names of the types: the names of the format's paper, and the names with a size.
var kinds = map[string]kind{
	"char": int8Kind, "uchar": uint8Kind, "short": int16Kind, "ushort": uint16Kind,
	"int": int32Kind, "uint": uint32Kind, "float": float32Kind, "double": float64Kind,
	"int8": int8Kind, "uint8": uint8Kind, "int16": int16Kind, "uint16": uint16Kind,
	"int32": int32Kind, "uint32": uint32Kind, "float32": float32Kind, "float64": float64Kind,
}

// size is the number of bytes of a value in the binary forms.
func (k kind) size() int { return [...]int{0, 1, 1, 2, 2, 4, 4, 4, 8}[k] }

// property is a column of an element: a value, or a list of values after their count.
type property struct {
	name        string
	kind, count kind // count is noKind for a single value
}

func (p property) isList() bool { return p.count != noKind }

// element is a table of the file.
type element struct {
	name       string
	count      int
	properties []property
}

// header is the file's description of itself, and the start of its tables.
type header struct {
	elements []element
	body     body
	stray    int // the last line before the elements that is taken for a comment, 0 for none
}

// maxHeader is the most bytes searched for the end of the header.
const maxHeader = 1 << 20

// parseHeader reads the lines up to end_header.
func parseHeader(data []byte) (header, error) {
	h := header{body: body{data: data}}
	known := false // whether the format line was read
	for n := 1; ; n++ {
		line, ok := h.body.headerLine()
		if !ok {
			return h, fmt.Errorf("line %d: the header does not end", n)
		}
		f := strings.Fields(line)
		if n == 1 {
			if len(f) != 1 || f[0] != "ply" {
				return h, fmt.Errorf("line 1: %.40q instead of ply", line)
			}
			continue
		}
		if len(f) == 0 || f[0] == "comment" || f[0] == "obj_info" {
			continue
		}
		var err error
		switch f[0] {
		case "format":
			known = true
			err = h.format(f[1:])
		case "element":
			err = h.element(f[1:])
		case "property":
			err = h.property(f[1:])
		case "end_header":
			if !known {
				return h, fmt.Errorf("line %d: the header has no format", n)
			}
			h.body.line = n + 1
			return h, nil
		default:
			if known && len(h.elements) == 0 { // Blender 2.4 forgot the word comment
				h.stray = n
				continue
			}
			err = fmt.Errorf("%.40q is not a keyword of the header", f[0])
		}
		if err != nil {
			return h, fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// headerLine returns the next line of the header, which may end in LF, CR LF or CR.
func (b *body) headerLine() (string, bool) {
	rest := b.data[b.at:min(len(b.data), maxHeader)]
	end := bytes.IndexAny(rest, "\r\n")
	if end < 0 {
		return "", false
	}
	b.at += end + 1
	if rest[end] == '\r' && end+1 < len(rest) && rest[end+1] == '\n' {
		b.at++
	}
	return string(rest[:end]), true
}

func (h *header) format(f []string) error {
	if len(f) != 2 || f[1] != "1.0" {
		return fmt.Errorf("format %.40q, only version 1.0 is known", strings.Join(f, " "))
	}
	switch f[0] {
	case "ascii":
	case "binary_little_endian":
		h.body.order = binary.LittleEndian
	case "binary_big_endian":
		h.body.order = binary.BigEndian
	default:
		return fmt.Errorf("format %.40q is not known", f[0])
	}
	return nil
}

// The limits on a header. Names of elements are compared with each other.
const (
	maxElements   = 1 << 8
	maxProperties = 1 << 10 // of one element
)

func (h *header) element(f []string) error {
	if len(f) != 2 {
		return errors.New("element without a name and a count")
	}
	n, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil || n < 0 || n > math.MaxInt {
		return fmt.Errorf("count %.40q of element %.40s", f[1], f[0])
	}
	if len(h.elements) == maxElements {
		return fmt.Errorf("more than %d elements", maxElements)
	}
	for _, e := range h.elements {
		if e.name == f[0] {
			return fmt.Errorf("element %.40s twice", f[0])
		}
	}
	h.elements = append(h.elements, element{name: f[0], count: int(n)})
	return nil
}

func (h *header) property(f []string) error {
	if len(h.elements) == 0 {
		return errors.New("property before any element")
	}
	var p property
	switch {
	case len(f) == 4 && f[0] == "list":
		p = property{name: f[3], kind: kinds[f[2]], count: kinds[f[1]]}
		if p.count == noKind || p.count == float32Kind || p.count == float64Kind {
			return fmt.Errorf("list %.40s has a count of type %.40q", p.name, f[1])
		}
	case len(f) == 2:
		p = property{name: f[1], kind: kinds[f[0]]}
	default:
		return errors.New("property without a type and a name")
	}
	if p.kind == noKind {
		return fmt.Errorf("property %.40s has the unknown type %.40q", p.name, f[len(f)-2])
	}
	e := &h.elements[len(h.elements)-1]
	if len(e.properties) == maxProperties {
		return fmt.Errorf("more than %d properties", maxProperties)
	}
	e.properties = append(e.properties, p)
	return nil
}

// body reads values after the header. line counts in the ASCII form, where order is nil.
type body struct {
	data  []byte
	at    int
	line  int
	order binary.ByteOrder
}

// least returns the smallest number of bytes that a record of e takes.
func (e *element) least(b *body) int {
	n := 0
	for _, p := range e.properties {
		switch {
		case b.order == nil:
			n += 2 // a digit and a blank
		case p.isList():
			n += p.count.size()
		default:
			n += p.kind.size()
		}
	}
	return n
}

// fits checks the announced count against the rest of the file, before any allocation.
func (e *element) fits(b *body) error {
	left := len(b.data) - b.at
	room := left
	if b.order == nil {
		room++ // the last blank may be missing
	}
	if least := e.least(b); least > 0 && e.count > room/least {
		return fmt.Errorf("%d records of element %s announced, %d bytes cannot hold them", e.count, e.name, left)
	}
	return nil
}

// record reads one record: single values into out, values of lists by calling list with the index
// of the property. list may be nil.
func (e *element) record(b *body, out []float64, list func(property int, v float64) error) error {
	for i, p := range e.properties {
		kind := p.kind
		if !p.isList() {
			v, err := b.value(kind)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			out[i] = v
			continue
		}
		n, err := b.value(p.count)
		switch {
		case err != nil:
			return fmt.Errorf("count of %s: %w", p.name, err)
		case n < 0:
			return fmt.Errorf("count of %s is %g", p.name, n)
		}
		for range int64(n) {
			v, err := b.value(kind)
			if err == nil && list != nil {
				err = list(i, v)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return nil
}

// skip steps over all records of e, at once where their size is fixed.
func (e *element) skip(b *body) error {
	fixed := b.order != nil
	for _, p := range e.properties {
		fixed = fixed && !p.isList()
	}
	if len(e.properties) == 0 {
		return nil
	}
	if fixed {
		b.at += e.count * e.least(b) // fits checked it
		return nil
	}
	scratch := make([]float64, len(e.properties))
	for n := range e.count {
		if err := e.record(b, scratch, nil); err != nil {
			return fmt.Errorf("%s %d: %w", e.name, n, err)
		}
	}
	return nil
}

// errEnds means that the file is shorter than its header says.
var errEnds = errors.New("the file ends too early")

// value reads one value. A float64 holds every type exactly.
func (b *body) value(k kind) (float64, error) {
	if b.order == nil {
		return b.text(k)
	}
	if k.size() > len(b.data)-b.at {
		return 0, errEnds
	}
	p := b.data[b.at:]
	b.at += k.size()
	switch k {
	case int8Kind:
		return float64(int8(p[0])), nil
	case uint8Kind:
		return float64(p[0]), nil
	case int16Kind:
		return float64(int16(b.order.Uint16(p))), nil
	case uint16Kind:
		return float64(b.order.Uint16(p)), nil
	case int32Kind:
		return float64(int32(b.order.Uint32(p))), nil
	case uint32Kind:
		return float64(b.order.Uint32(p)), nil
	case float32Kind:
		return float64(math.Float32frombits(b.order.Uint32(p))), nil
	default:
		return math.Float64frombits(b.order.Uint64(p)), nil
	}
}

// limits are the ranges of the integer types.
var limits = [...][2]float64{
	int8Kind: {math.MinInt8, math.MaxInt8}, uint8Kind: {0, math.MaxUint8},
	int16Kind: {math.MinInt16, math.MaxInt16}, uint16Kind: {0, math.MaxUint16},
	int32Kind: {math.MinInt32, math.MaxInt32}, uint32Kind: {0, math.MaxUint32},
}

// text reads one value of the ASCII form. Values are separated by blanks of any kind; line ends count as
// blanks, although the format prescribes lines.
func (b *body) text(k kind) (float64, error) {
	for b.at < len(b.data) && input.IsBlank(b.data[b.at]) {
		if b.data[b.at] == '\n' {
			b.line++
		}
		b.at++
	}
	if b.at == len(b.data) {
		return 0, errEnds
	}
	v, next, ok := input.Float(b.data, b.at)
	token := b.data[b.at:next]
	b.at = next
	switch {
	case !ok:
		return 0, fmt.Errorf("line %d: %.40q is not a number", b.line, token)
	case k < float32Kind && !(v == math.Trunc(v) && v >= limits[k][0] && v <= limits[k][1]):
		return 0, fmt.Errorf("line %d: %.40s is not a whole number of %d bytes", b.line, token, k.size())
	}
	return v, nil
}
