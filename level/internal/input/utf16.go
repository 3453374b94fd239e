package input

import (
	"encoding/binary"
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF8 returns text in UTF-8: text that begins with a byte order mark of UTF-16 is converted, any other text is returned as
// it is. Text in UTF-8 is at most half as long again.
func UTF8(data []byte) ([]byte, error) {
	var order binary.ByteOrder
	switch {
	case len(data) < 2:
		return data, nil
	case data[0] == 0xff && data[1] == 0xfe:
		order = binary.LittleEndian
	case data[0] == 0xfe && data[1] == 0xff:
		order = binary.BigEndian
	default:
		return data, nil
	}
	if len(data)%2 != 0 {
		return nil, errors.New("text in UTF-16 of an odd number of bytes")
	}
	out := make([]byte, 0, len(data)/2)
	for i := 2; i < len(data); i += 2 {
		r := rune(order.Uint16(data[i:]))
		if utf16.IsSurrogate(r) {
			next := rune(0)
			if i+4 <= len(data) {
				next = rune(order.Uint16(data[i+2:]))
			}
			if r = utf16.DecodeRune(r, next); r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out, nil
}
