package detour

import (
	"errors"
	"fmt"
)

// fastLZ decompresses a block of FastLZ, level 1 or 2, to exactly size bytes. The first three bits name the level. Time and memory
// O(size), whatever the block says.
//
// A control byte below 32 announces as many literal bytes plus one. Any other control byte starts a match: three bits of length,
// five bits of distance, then further bytes of both. Source: the format notes of FastLZ by A. Hidayat.
func fastLZ(block []byte, size int) ([]byte, error) {
	if len(block) == 0 {
		return nil, errors.New("FastLZ: no bytes")
	}
	level := int(block[0]>>5) + 1
	if level > 2 {
		return nil, fmt.Errorf("FastLZ: level %d, only 1 and 2 are read", level)
	}
	errShort := fmt.Errorf("FastLZ: the %d bytes end inside of a token", len(block))
	at := 0
	next := func() (int, bool) {
		if at >= len(block) {
			return 0, false
		}
		at++
		return int(block[at-1]), true
	}
	out := make([]byte, 0, size)
	for first := true; at < len(block); first = false {
		control, _ := next()
		if first {
			control &= 31
		}
		if control < 32 {
			n := control + 1
			if n > len(block)-at {
				return nil, errShort
			}
			if n > size-len(out) {
				return nil, fmt.Errorf("FastLZ: more than %d bytes", size)
			}
			out = append(out, block[at:at+n]...)
			at += n
			continue
		}
		length, distance := control>>5+2, control&31<<8
		for more, last := length == 9, 0; more; more = level == 2 && last == 255 && length <= size {
			ok := false
			if last, ok = next(); !ok {
				return nil, errShort
			}
			length += last
		}
		low, ok := next()
		if !ok {
			return nil, errShort
		}
		distance += low
		if level == 2 && distance == farDistance {
			high, _ := next()
			low, ok := next()
			if !ok {
				return nil, errShort
			}
			distance = high<<8 + low + farDistance
		}
		distance++
		if distance > len(out) {
			return nil, fmt.Errorf("FastLZ: a match starts %d bytes back, at byte %d", distance, len(out))
		}
		if length > size-len(out) {
			return nil, fmt.Errorf("FastLZ: more than %d bytes", size)
		}
		for range length {
			out = append(out, out[len(out)-distance])
		}
	}
	if len(out) < size {
		return nil, fmt.Errorf("FastLZ: %d bytes, must be %d", len(out), size)
	}
	return out, nil
}

// farDistance is the mark of a distance of 16 further bits in level 2.
const farDistance = 31<<8 + 255
