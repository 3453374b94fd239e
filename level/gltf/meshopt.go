package gltf

import (
	"encoding/json"
	"fmt"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/meshopt"
)

// unpacked returns the bytes of a buffer view that is packed with meshopt; ok is false for a plain buffer view. Every
// view is unpacked once, and all views together are bounded by the limit on bytes.
func (d *decoder) unpacked(index int, view *gltf.BufferView) (s span, ok bool, err error) {
	if s, ok = d.views[index]; ok {
		return s, true, nil
	}
	var raw json.RawMessage
	for _, name := range []string{"EXT_meshopt_compression", "KHR_meshopt_compression"} {
		if raw, ok = view.Extensions[name].(json.RawMessage); ok {
			break
		}
	}
	if !ok {
		return span{}, false, nil
	}
	var ext struct {
		Buffer, ByteOffset, ByteLength, ByteStride, Count int
		Mode, Filter                                      string
	}
	if err := json.Unmarshal(raw, &ext); err != nil {
		return span{}, false, fmt.Errorf("meshopt: %w", kindError(err))
	}
	buffer, err := d.buffer(ext.Buffer)
	if err != nil {
		return span{}, false, err
	}
	if ext.ByteOffset < 0 || ext.ByteLength < 0 || ext.ByteOffset > len(buffer) || ext.ByteLength > len(buffer)-ext.ByteOffset {
		return span{}, false, fmt.Errorf("meshopt: %d bytes at offset %d; the buffer has %d", ext.ByteLength, ext.ByteOffset, len(buffer))
	}
	if ext.ByteStride < 1 || ext.ByteStride > 256 || ext.Count < 0 || int64(ext.Count) > d.room/int64(ext.ByteStride) {
		return span{}, false, fmt.Errorf("meshopt: %d elements of %d bytes: %w", ext.Count, ext.ByteStride, &level.TooLarge{Kind: "bytes", Most: d.room})
	}
	d.room -= int64(ext.Count) * int64(ext.ByteStride)
	data := buffer[ext.ByteOffset:][:ext.ByteLength]
	switch ext.Mode {
	case "ATTRIBUTES":
		data, err = meshopt.Attributes(data, ext.Count, ext.ByteStride)
	case "TRIANGLES":
		data, err = meshopt.Triangles(data, ext.Count, ext.ByteStride)
	case "INDICES":
		data, err = meshopt.Indices(data, ext.Count, ext.ByteStride)
	default:
		err = fmt.Errorf("mode %.20q", ext.Mode)
	}
	if err == nil {
		err = meshopt.Filter(data, ext.ByteStride, ext.Filter)
	}
	if err != nil {
		return span{}, false, fmt.Errorf("meshopt: %w", err)
	}
	s = span{data, ext.ByteStride}
	d.views[index] = s
	return s, true, nil
}
