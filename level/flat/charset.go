package flat

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/meadow-nav/meadow/level/internal/input"
)

// plainXML returns XML in UTF-8 without the name of its encoding: UTF-16 with a byte order mark, Latin-1 and ASCII are
// converted. Of Windows-1252, which Latin-1 resembles, the letters are right.
func plainXML(data []byte) ([]byte, error) {
	data, err := input.UTF8(data)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	head, _, ok := bytes.Cut(data[:min(len(data), 256)], []byte("?>"))
	if !ok || !bytes.HasPrefix(bytes.TrimSpace(head), []byte("<?xml")) {
		return data, nil
	}
	at := bytes.Index(head, []byte("encoding"))
	if at < 0 {
		return data, nil
	}
	quoted := bytes.TrimLeft(head[at+len("encoding"):], " \t\r\n=")
	if len(quoted) < 2 {
		return data, nil
	}
	name, _, ok := bytes.Cut(quoted[1:], quoted[:1])
	if !ok {
		return data, nil
	}
	out := make([]byte, 0, len(data)+16)
	// Spaces in place of the declaration keep lines and columns.
	out = append(append(out, data[:at]...), bytes.Repeat([]byte(" "), len(head)-at)...)
	body := data[len(head):]
	switch encoding := strings.ToLower(string(name)); encoding {
	case "utf-8", "utf8", "utf-16", "us-ascii", "ascii":
		return append(out, body...), nil
	case "iso-8859-1", "iso-8859-15", "latin1", "windows-1252":
		for _, b := range body {
			out = utf8.AppendRune(out, rune(b))
		}
		return out, nil
	default:
		return nil, fmt.Errorf("encoding %.40q; save the file as UTF-8", encoding)
	}
}
