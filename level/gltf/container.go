package gltf

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
)

// The layout of a GLB file: a header of magic, version and length, then chunks of length, type and
// data, the JSON first.
const (
	magic      = 0x46546c67 // "glTF"
	chunkJSON  = 0x4e4f534a
	chunkBIN   = 0x004e4942
	headSize   = 12
	chunkHead  = 8
	glbVersion = 2
)

func isGLB(data []byte) bool {
	return len(data) >= 4 && binary.LittleEndian.Uint32(data) == magic
}

// splitGLB returns the JSON and the binary chunk. Chunks of other types are stepped over.
func splitGLB(data []byte) (text, bin []byte, err error) {
	if len(data) < headSize+chunkHead {
		return nil, nil, fmt.Errorf("GLB: the file has %d bytes, less than its headers", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != glbVersion {
		return nil, nil, fmt.Errorf("GLB: unsupported version %d; supported: %d", v, glbVersion)
	}
	length := uint64(binary.LittleEndian.Uint32(data[8:]))
	if length > uint64(len(data)) {
		return nil, nil, fmt.Errorf("GLB: the header declares %d bytes, the file has %d", length, len(data))
	}
	rest := data[headSize:max(headSize, length)]
	for n := 0; len(rest) >= chunkHead; n++ {
		size := uint64(binary.LittleEndian.Uint32(rest))
		kind := binary.LittleEndian.Uint32(rest[4:])
		rest = rest[chunkHead:]
		if size > uint64(len(rest)) {
			return nil, nil, fmt.Errorf("GLB: chunk %d declares %d bytes; file has %d left", n, size, len(rest))
		}
		chunk := rest[:size:size]
		rest = rest[size:]
		switch {
		case n == 0 && kind != chunkJSON:
			return nil, nil, fmt.Errorf("GLB: the first chunk is of type %#x, not JSON", kind)
		case n == 0:
			text = chunk
		case kind == chunkBIN && bin == nil:
			bin = chunk
		}
	}
	if text == nil {
		return nil, nil, errors.New("GLB: no JSON chunk")
	}
	return text, bin, nil
}

// buffer returns the bytes of a buffer: the binary chunk, a data URI, or a file beside the level. Unused
// buffers are never read.
func (d *decoder) buffer(i int) ([]byte, error) {
	b, err := at(d.doc.Buffers, i, "buffer")
	if err != nil {
		return nil, err
	}
	if d.buffers[i] != nil {
		return d.buffers[i], nil
	}
	var data []byte
	switch {
	case b.ByteLength < 0:
		err = fmt.Errorf("length of %d bytes", b.ByteLength)
	case b.URI == "" && i == 0 && d.binary != nil:
		data = d.binary
	case b.URI == "":
		err = errors.New("neither a URI nor a binary chunk")
	case strings.HasPrefix(b.URI, "data:"):
		data, err = dataURI(b.URI)
	default:
		data, err = d.external(b.URI)
	}
	if err == nil && len(data) < b.ByteLength {
		err = fmt.Errorf("%d bytes declared, %d present", b.ByteLength, len(data))
	}
	if err != nil {
		return nil, fmt.Errorf("buffer %d: %w", i, err)
	}
	d.buffers[i] = data[:b.ByteLength:b.ByteLength]
	return d.buffers[i], nil
}

// dataURI decodes a base64 data URI of any media type.
func dataURI(uri string) ([]byte, error) {
	head, body, ok := strings.Cut(uri, ",")
	if !ok || !strings.HasSuffix(head, ";base64") {
		return nil, fmt.Errorf("data URI %.40q is not base64", head)
	}
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		if data, rawErr := base64.RawStdEncoding.DecodeString(body); rawErr == nil {
			return data, nil // without padding
		}
		return nil, fmt.Errorf("data URI: %w", err)
	}
	return data, nil
}

// localPath returns the file name of a relative URI.
func localPath(uri string) (string, error) {
	if u, err := url.Parse(uri); err == nil && u.Scheme != "" {
		return "", fmt.Errorf("%.80q is not a file beside the level", uri)
	}
	p, err := url.PathUnescape(uri)
	if err != nil {
		return uri, nil // a plain file name with a percent sign
	}
	return p, nil
}

// reason leaves the name out of an error of the file system: it stands there already.
func reason(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// external reads a buffer's file, once however many buffers are in it.
func (d *decoder) external(uri string) ([]byte, error) {
	name, err := localPath(uri)
	if err != nil {
		return nil, err
	}
	if data, ok := d.onDisk[name]; ok {
		return data, nil
	}
	data, err := d.files.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("file %.80q is missing", name)
	}
	if err != nil {
		return nil, fmt.Errorf("file %.80q: %w", name, reason(err))
	}
	d.onDisk[name] = data
	return data, nil
}
