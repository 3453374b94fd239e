package draco

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// errEnd tells that the data ends too early.
var errEnd = errors.New("the data ends early")

// source reads numbers from data, least significant byte first. After the first read beyond the end, err is set and all numbers are 0.
type source struct {
	data []byte
	err  error
}

func (s *source) take(n uint64) []byte {
	if n > uint64(len(s.data)) {
		s.data, s.err = nil, errEnd
		return nil
	}
	out := s.data[:n]
	s.data = s.data[n:]
	return out
}

func (s *source) u8() uint8 {
	if b := s.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (s *source) u32() uint32 {
	if b := s.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (s *source) f32() float32 { return math.Float32frombits(s.u32()) }

// varint reads a number of seven bits a byte, the lowest bits first.
func (s *source) varint() uint64 {
	v, n := binary.Uvarint(s.data)
	if n <= 0 {
		s.data, s.err = nil, errEnd
		return 0
	}
	s.data = s.data[n:]
	return v
}

// bits reads single bits from data, the lowest bit of each byte first.
type bits struct {
	data []byte
	at   uint64 // in bits
	bad  bool   // read beyond the end
}

func (b *bits) read(n uint) (v uint32) {
	for i := range n {
		at := b.at >> 3
		if at >= uint64(len(b.data)) {
			b.bad = true
			return 0
		}
		v |= uint32(b.data[at]>>(b.at&7)&1) << i
		b.at++
	}
	return v
}

// ans is the state of an entropy decoder (asymmetric numeral systems), which reads its data from the end.
type ans struct {
	data  []byte
	state uint32
	base  uint32 // the state stays at or above
}

// newANS starts a decoder. The two highest bits of the last byte tell how many bytes the state has; most bytes are allowed.
func newANS(data []byte, base uint32, most int) (ans, error) {
	if len(data) == 0 {
		return ans{}, errEnd
	}
	n := int(data[len(data)-1]>>6) + 1
	if n > len(data) || n > most {
		return ans{}, fmt.Errorf("an entropy decoder starts with %d bytes of %d", n, len(data))
	}
	state := uint32(0)
	for i := range n {
		state |= uint32(data[len(data)-n+i]) << (8 * i)
	}
	return ans{data[:len(data)-n], state&(1<<(8*n-2)-1) + base, base}, nil
}

func (a *ans) fill() {
	for a.state < a.base && len(a.data) > 0 {
		last := len(a.data) - 1
		a.state = a.state<<8 | uint32(a.data[last])
		a.data = a.data[:last]
	}
}

// flags decodes bits of which a certain part is 0.
type flags struct {
	ans
	zero uint32 // of 256
}

// flags reads the head and the data of a decoder of bits.
func (s *source) flags() (flags, error) {
	zero := uint32(s.u8())
	data := s.take(s.varint())
	if s.err != nil {
		return flags{}, s.err
	}
	a, err := newANS(data, 4096, 3)
	return flags{a, zero}, err
}

func (f *flags) next() bool {
	f.fill()
	one := 256 - f.zero
	quotient, rest := f.state/256, f.state%256
	if rest < one {
		f.state = quotient*one + rest
		return true
	}
	f.state -= quotient*one + one
	return false
}

// alphabet is a set of symbols with their frequencies.
type alphabet struct {
	frequency, before []uint32
	symbol            []uint32 // of each number below the precision
}

// alphabet reads frequencies, whose sum is 2 to the power of precision.
func (s *source) alphabet(precision uint) (*alphabet, error) {
	count := s.varint()
	if count == 0 || count/64 > uint64(len(s.data)) {
		return nil, fmt.Errorf("%d symbols in %d bytes", count, len(s.data))
	}
	a := &alphabet{frequency: make([]uint32, count), before: make([]uint32, count), symbol: make([]uint32, 1<<precision)}
	for i := uint64(0); i < count; i++ {
		first := uint32(s.u8())
		if first&3 == 3 {
			i += uint64(first >> 2) // symbols that never occur
			if i >= count {
				return nil, fmt.Errorf("symbol %d of %d", i, count)
			}
			continue
		}
		p := first >> 2
		for j := range first & 3 {
			p |= uint32(s.u8()) << (8*(j+1) - 2)
		}
		a.frequency[i] = p
	}
	sum := uint64(0)
	for i, p := range a.frequency {
		a.before[i] = uint32(sum)
		if sum += uint64(p); sum > 1<<precision {
			break
		}
		for k := sum - uint64(p); k < sum; k++ {
			a.symbol[k] = uint32(i)
		}
	}
	if s.err == nil && sum != 1<<precision {
		return nil, fmt.Errorf("the frequencies of %d symbols have the sum %d, must be %d", count, sum, 1<<precision)
	}
	return a, s.err
}

// letters decodes symbols of an alphabet.
type letters struct {
	ans
	*alphabet
	precision uint
}

func (s *source) letters(precision uint) (letters, error) {
	a, err := s.alphabet(precision)
	if err != nil {
		return letters{}, err
	}
	data := s.take(s.varint())
	if s.err != nil {
		return letters{}, s.err
	}
	state, err := newANS(data, 4<<precision, 4)
	return letters{state, a, precision}, err
}

func (l *letters) next() uint32 {
	l.fill()
	quotient, rest := l.state>>l.precision, l.state&(1<<l.precision-1)
	v := l.symbol[rest]
	l.state = quotient*l.frequency[v] + rest - l.before[v]
	return v
}

// symbols reads count numbers in groups: raw ones, or with the bits of each group.
func (s *source) symbols(count, group int) ([]uint32, error) {
	if count == 0 {
		return nil, nil
	}
	var out []uint32
	switch scheme := s.u8(); scheme {
	case 0:
		tags, err := s.letters(12)
		if err != nil {
			return nil, err
		}
		b := bits{data: s.data}
		for len(out) < count {
			n := uint(tags.next())
			if n > 32 {
				return nil, fmt.Errorf("a number of %d bits", n)
			}
			for range group {
				out = append(out, b.read(n))
			}
			if b.bad {
				return nil, errEnd
			}
		}
		s.take((b.at + 7) / 8)
	case 1:
		length := uint(s.u8())
		if length < 1 || length > 18 {
			return nil, fmt.Errorf("symbols of %d bits", length)
		}
		l, err := s.letters(min(20, max(12, 3*length/2)))
		if err != nil {
			return nil, err
		}
		for range count {
			out = append(out, l.next())
		}
	default:
		return nil, fmt.Errorf("symbols of scheme %d", scheme)
	}
	return out, s.err
}
