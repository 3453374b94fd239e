// Package gltfmesh writes and reads navigation meshes as glTF 2.0 files with the extension MEADOW_navigation_mesh. Every viewer of
// glTF shows the floor as triangles; programs that know the extension find regions and portals; Meadow reads its own mesh back,
// to the last bit. docs/formats/gltf-navmesh.md is the draft of the extension.
package gltfmesh

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// Extension is the name of the extension.
const Extension = "MEADOW_navigation_mesh"

// MaxBytes is the size of the longest file that is read.
const MaxBytes = 1 << 28

// version of the extension.
const version = 1

// Numbers of glTF.
const (
	glbMagic   = 0x46546c67
	glbVersion = 2
	chunkJSON  = 0x4e4f534a
	chunkBin   = 0x004e4942
	headerSize = 12
	chunkSize  = 8

	typeU8  = 5121
	typeU32 = 5125
	typeF32 = 5126
)

// IsFile reports whether a file begins as this package writes it: binary or JSON, with the extension first. 64 bytes are enough. A
// program that has saved the file again may have changed the order.
func IsFile(start []byte) bool {
	return (bytes.HasPrefix(start, []byte("glTF")) || bytes.HasPrefix(start, []byte("{"))) && bytes.Contains(start, []byte(`"`+Extension))
}

// document is a glTF file. The extension comes first: see [IsFile].
type document struct {
	Used        []string       `json:"extensionsUsed"`
	Asset       asset          `json:"asset"`
	Scene       int            `json:"scene"`
	Scenes      []scene        `json:"scenes"`
	Nodes       []node         `json:"nodes"`
	Meshes      []mesh         `json:"meshes"`
	Accessors   []accessor     `json:"accessors"`
	BufferViews []bufferView   `json:"bufferViews"`
	Buffers     []buffer       `json:"buffers"`
	Extensions  map[string]any `json:"extensions"`
}

type (
	asset struct {
		Version   string `json:"version"`
		Generator string `json:"generator"`
	}
	scene struct {
		Nodes []int `json:"nodes"`
	}
	node struct {
		Name        string     `json:"name"`
		Mesh        int        `json:"mesh"`
		Translation [3]float64 `json:"translation"`
	}
	mesh struct {
		Primitives []primitive `json:"primitives"`
	}
	primitive struct {
		Attributes map[string]int `json:"attributes"`
		Indices    int            `json:"indices"`
	}
	accessor struct {
		View  int       `json:"bufferView"`
		Type  int       `json:"componentType"`
		Count int       `json:"count"`
		Shape string    `json:"type"`
		Min   []float32 `json:"min,omitempty"`
		Max   []float32 `json:"max,omitempty"`
	}
	bufferView struct {
		Buffer int `json:"buffer"`
		Offset int `json:"byteOffset"`
		Length int `json:"byteLength"`
	}
	buffer struct {
		URI    string `json:"uri,omitempty"`
		Length int    `json:"byteLength"`
	}
)

// extension is the content of the extension: indices of accessors, and of the view with the whole mesh.
type extension struct {
	Version   int        `json:"version"`
	Origin    [3]float64 `json:"origin"`
	Agent     geom.Agent `json:"agent"`
	Positions int        `json:"positions"`
	Corners   int        `json:"corners"`
	Regions   int        `json:"regions"`
	Areas     int        `json:"areas"`
	Portals   *int       `json:"portals,omitempty"` // none for a mesh without portals: glTF has no empty accessors
	Exact     int        `json:"exact"`
}

// writer collects the buffer.
type writer struct {
	doc document
	bin []byte
}

// view adds bytes to the buffer at a multiple of four.
func (w *writer) view(data []byte) int {
	for len(w.bin)%4 != 0 {
		w.bin = append(w.bin, 0)
	}
	w.doc.BufferViews = append(w.doc.BufferViews, bufferView{Offset: len(w.bin), Length: len(data)})
	w.bin = append(w.bin, data...)
	return len(w.doc.BufferViews) - 1
}

func (w *writer) accessor(a accessor, data []byte) int {
	a.View = w.view(data)
	w.doc.Accessors = append(w.doc.Accessors, a)
	return len(w.doc.Accessors) - 1
}

func (w *writer) numbers(list []uint32) int {
	var data []byte
	for _, v := range list {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	return w.accessor(accessor{Type: typeU32, Count: len(list), Shape: "SCALAR"}, data)
}

// Write writes a mesh as binary glTF (.glb).
func Write(out io.Writer, m *navmesh.Mesh) error {
	w, err := convert(out, m)
	if err != nil {
		return fmt.Errorf("gltfmesh: %w", err)
	}
	for len(w.bin)%4 != 0 {
		w.bin = append(w.bin, 0)
	}
	w.doc.Buffers = []buffer{{Length: len(w.bin)}}
	text, err := json.Marshal(w.doc)
	if err != nil {
		return fmt.Errorf("gltfmesh: %w", err)
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	total := headerSize + 2*chunkSize + len(text) + len(w.bin)
	if uint64(total) > math.MaxUint32 {
		return fmt.Errorf("gltfmesh: %d bytes, a file holds at most %d", total, uint32(math.MaxUint32))
	}
	var head []byte
	for _, v := range []int{glbMagic, glbVersion, total, len(text), chunkJSON} {
		head = binary.LittleEndian.AppendUint32(head, uint32(v))
	}
	data := append(head, text...)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(w.bin)))
	data = binary.LittleEndian.AppendUint32(data, chunkBin)
	_, err = out.Write(append(data, w.bin...))
	return err
}

// uriStart begins a buffer inside of a JSON file.
const uriStart = "data:application/octet-stream;base64,"

// WriteText writes a mesh as JSON with the buffer inside (.gltf).
func WriteText(out io.Writer, m *navmesh.Mesh) error {
	w, err := convert(out, m)
	if err != nil {
		return fmt.Errorf("gltfmesh: %w", err)
	}
	w.doc.Buffers = []buffer{{URI: uriStart + base64.StdEncoding.EncodeToString(w.bin), Length: len(w.bin)}}
	text, err := json.Marshal(w.doc)
	if err != nil {
		return fmt.Errorf("gltfmesh: %w", err)
	}
	_, err = out.Write(text)
	return err
}

// convert makes the document without its buffer.
func convert(out io.Writer, m *navmesh.Mesh) (*writer, error) {
	if out == nil {
		return nil, errors.New("the writer is nil")
	}
	exact, err := navfile.Encode(m)
	if err != nil {
		return nil, err
	}
	if m.RegionCount() == 0 {
		return nil, errors.New("the mesh has no regions")
	}
	origin := m.Frame.ToWorld(lattice.Point{}, 0)
	w := &writer{doc: document{Used: []string{Extension}, Asset: asset{"2.0", "Meadow"}, Scenes: []scene{{[]int{0}}}}}
	var positions []byte
	var corners, ends, portals, indices []uint32
	var areas []uint8
	low, high := []float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}, []float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	ends = []uint32{0}
	count := uint32(0)
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for _, v := range t.Vertices {
			p := lattice.Frame{}.ToWorld(v.Point, v.Z)
			for axis, c := range [3]float32{float32(p.X), float32(p.Y), float32(p.Z)} {
				positions = binary.LittleEndian.AppendUint32(positions, math.Float32bits(c+0))
				low[axis], high[axis] = min(low[axis], c), max(high[axis], c)
			}
		}
		base := uint32(len(areas))
		for k := range t.Regions {
			ring := t.RegionCorners(k)
			for _, c := range ring {
				corners = append(corners, count+c)
			}
			for e := 2; e < len(ring); e++ {
				indices = append(indices, count+ring[0], count+ring[e-1], count+ring[e])
			}
			ends, areas = append(ends, uint32(len(corners))), append(areas, t.Regions[k].Area)
			for _, p := range t.RegionPortals(k) {
				portals = append(portals, base+uint32(k), base+p.To, count+p.Right, count+p.Left)
			}
		}
		count += uint32(len(t.Vertices))
	}
	x := extension{Version: version, Origin: [3]float64{origin.X, origin.Y, origin.Z}, Agent: m.Agent}
	x.Positions = w.accessor(accessor{Type: typeF32, Count: int(count), Shape: "VEC3", Min: low, Max: high}, positions)
	triangles := w.numbers(indices)
	x.Corners, x.Regions = w.numbers(corners), w.numbers(ends)
	x.Areas = w.accessor(accessor{Type: typeU8, Count: len(areas), Shape: "SCALAR"}, areas)
	if len(portals) > 0 {
		n := w.numbers(portals)
		x.Portals = &n
	}
	x.Exact = w.view(exact)
	w.doc.Meshes = []mesh{{[]primitive{{map[string]int{"POSITION": x.Positions}, triangles}}}}
	w.doc.Nodes = []node{{"navigation mesh", 0, x.Origin}}
	w.doc.Extensions = map[string]any{Extension: x}
	return w, nil
}

// Read reads the mesh of a file that Write or WriteText wrote, or that another program has saved since with the extension and its
// buffer. The result is the written mesh to the last bit. A file without the extension is an error.
func Read(r io.Reader) (*navmesh.Mesh, error) {
	if r == nil {
		return nil, errors.New("gltfmesh: the reader is nil")
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("gltfmesh: more than %d bytes", MaxBytes)
	}
	exact, err := find(data)
	if err != nil {
		return nil, fmt.Errorf("gltfmesh: %w", err)
	}
	m, err := navfile.Decode(exact)
	if err != nil {
		return nil, fmt.Errorf("gltfmesh: the exact part: %w", err)
	}
	return m, nil
}

// find returns the bytes of the whole mesh.
func find(data []byte) ([]byte, error) {
	text, bin, err := chunks(data)
	if err != nil {
		return nil, err
	}
	var doc struct {
		BufferViews []bufferView               `json:"bufferViews"`
		Buffers     []buffer                   `json:"buffers"`
		Extensions  map[string]json.RawMessage `json:"extensions"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	content, ok := doc.Extensions[Extension]
	if !ok {
		return nil, fmt.Errorf("the file has no extension %s: a level, not a mesh", Extension)
	}
	x := extension{Exact: -1}
	if err := json.Unmarshal(content, &x); err != nil {
		return nil, fmt.Errorf("%s: %w", Extension, err)
	}
	switch {
	case x.Version != version:
		return nil, fmt.Errorf("%s: version %d, only %d is read", Extension, x.Version, version)
	case x.Exact < 0 || x.Exact >= len(doc.BufferViews):
		return nil, fmt.Errorf("%s: exact is view %d of %d", Extension, x.Exact, len(doc.BufferViews))
	}
	v := doc.BufferViews[x.Exact]
	if v.Buffer < 0 || v.Buffer >= len(doc.Buffers) {
		return nil, fmt.Errorf("view %d: buffer %d of %d", x.Exact, v.Buffer, len(doc.Buffers))
	}
	from := bin
	if uri := doc.Buffers[v.Buffer].URI; uri != "" {
		if at := strings.Index(uri, ";base64,"); !strings.HasPrefix(uri, "data:") || at < 0 {
			return nil, fmt.Errorf("buffer %d is in another file: %.60q; save as .glb", v.Buffer, uri)
		} else if from, err = base64.StdEncoding.DecodeString(uri[at+len(";base64,"):]); err != nil {
			return nil, fmt.Errorf("buffer %d: %w", v.Buffer, err)
		}
	} else if v.Buffer != 0 {
		return nil, fmt.Errorf("buffer %d has no data", v.Buffer)
	}
	if v.Offset < 0 || v.Length < 0 || v.Offset > len(from) || v.Length > len(from)-v.Offset {
		return nil, fmt.Errorf("view %d: %d bytes from %d, the buffer has %d", x.Exact, v.Length, v.Offset, len(from))
	}
	return slices.Clone(from[v.Offset : v.Offset+v.Length]), nil
}

// chunks returns the JSON of a file, and the buffer of a binary one.
func chunks(data []byte) (text, bin []byte, err error) {
	if !bytes.HasPrefix(data, []byte("glTF")) {
		return data, nil, nil
	}
	if len(data) < headerSize {
		return nil, nil, fmt.Errorf("%d bytes, the header has %d", len(data), headerSize)
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != glbVersion {
		return nil, nil, fmt.Errorf("binary glTF of version %d, only %d is read", v, glbVersion)
	}
	for rest := data[headerSize:]; len(rest) > 0; {
		if len(rest) < chunkSize {
			return nil, nil, fmt.Errorf("%d bytes behind the last chunk", len(rest))
		}
		size, kind := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		rest = rest[chunkSize:]
		if uint64(size) > uint64(len(rest)) {
			return nil, nil, fmt.Errorf("a chunk of %d bytes, %d are left", size, len(rest))
		}
		switch {
		case kind == chunkJSON && text == nil:
			text = rest[:size]
		case kind == chunkBin && bin == nil:
			bin = rest[:size]
		}
		rest = rest[size:]
	}
	return text, bin, nil
}
